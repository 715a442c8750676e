//! OpenTelemetry traces as OTLP JSON, one export or one a line: GenAI conventions in their current and older keys,
//! OpenInference, OpenLLMetry (Traceloop), Logfire, the AI SDK; and Phoenix's own list of spans.
//!
//! ```json
//! {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"a","name":"chat m","startTimeUnixNano":"1",
//!   "attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]}]}]}]}
//! [{"name":"ChatCompletion","context":{"trace_id":"t","span_id":"a"},"parent_id":null,"span_kind":"LLM","attributes":{}}]
//! ```
//!
//! Attributes are one list of keys whose spellings differ; lists may be flattened into keys with numbers
//! (`llm.input_messages.0.message.role`), and numbers are texts. Times are nanoseconds as text. Children come before
//! parents. A trace is a run; conversation and user become facts. O(bytes).

use super::attributes::Attributes;
use super::chat::Speaker;
use super::dialect::{Hear, Msg, Part, messages, messages_in, with_json};
use super::part::{cut, moment};
use super::said::{Said, answer};
use super::spans::{Seg, SegKind, nanos, runs};
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff, json_args, string_args, text_args};
use crate::json::Val;
use crate::model::{Args, Content, CostKind, Run, Span, Usage};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "otlp",
    label: "OpenTelemetry",
    files: "OTLP JSON with GenAI or OpenInference keys, Phoenix spans",
    marks: &["resourceSpans", "scopeSpans", "spans", "traceId", "spanId", "attributes"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new() }),
};

fn is_phoenix(val: Val<'_>) -> bool {
    val.path(&["context", "span_id"]).is_some() && (val.has("span_kind") || val.has("attributes"))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| v.has("resourceSpans") || v.has("resource_spans") || is_phoenix(v)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("spans") => Sniff::near(1, Reason::NoKey("resourceSpans"), "/resourceSpans"),
        _ => Sniff::no(Reason::NeedsObject("resourceSpans"), "/resourceSpans"),
    }
}

struct Reader {
    segs: Vec<Seg>,
}

/// Reads what the attributes say into the span; shared with Langfuse and TRAIL, which keep them.
pub fn fill(seg: &mut Seg, attributes: &Attributes) {
    let a = attributes;
    let span = seg.span.clone();
    let operation = a.first(&["gen_ai.operation.name", "traceloop.span.kind", "ai.operationId"]);
    let kind = a.first(&["openinference.span.kind", "langfuse.observation.type", "langsmith.span.kind"]);
    let tool = a.first(&["gen_ai.tool.name", "tool.name", "ai.toolCall.name", "tool_name"]);
    let word = kind.as_deref().map(str::to_ascii_lowercase);
    seg.kind = match (word.as_deref(), operation.as_deref()) {
        (Some("llm" | "generation"), _) => SegKind::Model,
        (Some("tool"), _) => SegKind::Tool,
        (Some("agent"), _) => SegKind::Agent,
        (_, Some("chat" | "text_completion" | "generate_content" | "completion")) => SegKind::Model,
        (_, Some("execute_tool" | "tool" | "ai.toolCall")) => SegKind::Tool,
        (_, Some("invoke_agent" | "agent")) => SegKind::Agent,
        (_, Some(op)) if op.starts_with("ai.") => {
            if op.ends_with(".doGenerate") || op.ends_with(".doStream") {
                SegKind::Model
            } else {
                SegKind::Agent
            }
        }
        (_, Some(_)) => SegKind::Other,
        (None, None) if tool.is_some() => SegKind::Tool,
        (None, None)
            if a.first(&["gen_ai.request.model", "llm.model_name"]).is_some() && seg.kind != SegKind::Agent =>
        {
            SegKind::Model
        }
        _ => seg.kind,
    };
    // BeeAI tells one request as spans of its beginning, success and end.
    let phase = seg.name.rsplit_once('-').and_then(|(head, _)| head.rsplit_once('.')).map(|(_, phase)| phase);
    match (seg.kind, phase) {
        (SegKind::Tool, Some("success" | "error")) => {
            let name = seg.name.rsplit_once('.').map_or(seg.name.as_str(), |(name, _)| name);
            seg.tool = Some(name.trim_start_matches("tool.").to_owned());
        }
        (SegKind::Tool, Some("start" | "finish")) | (SegKind::Model, Some("success" | "finish")) => {
            seg.kind = SegKind::Other;
        }
        _ => {}
    }
    seg.model =
        a.first(&["gen_ai.response.model", "llm.model_name", "gen_ai.request.model", "ai.model.id", "model_name"]);
    seg.agent = a.first(&["gen_ai.agent.name", "agent.name", "agent_name", "graph.node.id"]);
    if matches!(operation.as_deref(), Some("agent" | "workflow")) && seg.agent.is_none() {
        seg.agent = a.get("traceloop.entity.name");
    }
    if let Some(inner) = seg.name.strip_prefix("agent_run [").and_then(|n| n.strip_suffix(']')) {
        seg.agent.get_or_insert_with(|| inner.to_owned());
    }
    for (fact, keys) in [
        ("session", &["gen_ai.conversation.id", "session.id", "langfuse.session.id"][..]),
        ("user", &["user.id", "langfuse.user.id", "enduser.id"][..]),
    ] {
        if let Some(value) = a.first(keys) {
            seg.facts.push((fact.into(), cut(&value, 200)));
        }
    }
    if seg.kind == SegKind::Model {
        seg.usage = usage(a);
        seg.tools =
            a.first(&["gen_ai.tool.definitions"]).or_else(|| a.list("llm.tools.", ".json_schema")).or_else(|| {
                // The AI SDK has a list of JSON texts.
                let read = |list: Val<'_>| list.items().map(|t| t.text().into_owned()).collect::<Vec<_>>().join(",");
                let list = with_json(&a.get("ai.prompt.tools")?, read)?;
                Some(format!("[{list}]"))
            });
    }
    if seg.kind == SegKind::Tool {
        seg.tool = tool.or_else(|| seg.tool.take()).or_else(|| a.get("traceloop.entity.name"));
        seg.call_id = a.first(&["gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id"]).map(Into::into);
        let given = [
            "gen_ai.tool.call.arguments",
            "ai.toolCall.args",
            "tool_arguments",
            "input.value",
            "traceloop.entity.input",
            "gen_ai.prompt",
        ];
        let schema = |text: &String| text.contains("\"properties\"") || text == "null";
        let given = a.first(&given).or_else(|| a.get("tool.parameters").filter(|t| !schema(t)));
        seg.args = given.map(|text| args_in(&text)).or_else(|| seg.args.take());
        let result = [
            "gen_ai.tool.call.result",
            "ai.toolCall.result",
            "tool_response",
            "output.value",
            "traceloop.entity.output",
        ];
        if let Some(text) = a.first(&result) {
            seg.result = Some(result_in(&text));
        }
        return;
    }
    let system = a.first(&["gen_ai.system_instructions", "llm.system_prompt"]);
    let mut input = Vec::new();
    if let Some(text) = system {
        input.extend(messages_in(&text, Speaker::System, &span));
    }
    let whole = ["gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages", "ai.prompt", "gen_ai.prompt_json"];
    let nested = ["llm.input_messages", "gen_ai.prompt", "llm.prompts"];
    // A flattened list is complete; `input.value` is the framework's own copy of it.
    let flat = nested
        .iter()
        .find_map(|k| a.nested(k).or_else(|| a.get(k).filter(|t| t.starts_with('['))))
        .map(|t| messages_in(&t, Speaker::Person, &span));
    input.extend(
        flat.filter(|m| !m.is_empty())
            .or_else(|| a.first(&whole).map(|t| messages_in(&t, Speaker::Person, &span)))
            .or_else(|| {
                a.first(&["input.value", "traceloop.entity.input", "langfuse.observation.input"])
                    .map(|t| messages_in(&t, Speaker::Person, &span))
            })
            .unwrap_or_default(),
    );
    let whole = ["gen_ai.output.messages", "gen_ai.completion", "pydantic_ai.final_result", "final_result"];
    let flat = ["llm.output_messages", "gen_ai.completion"];
    let flat = flat.iter().find_map(|k| a.nested(k).or_else(|| a.get(k).filter(|t| t.starts_with('['))));
    let mut output = flat
        .map(|t| messages_in(&t, Speaker::Agent, &span))
        .filter(|m| !m.is_empty())
        .or_else(|| a.first(&whole).map(|t| messages_in(&t, Speaker::Agent, &span)))
        .or_else(|| ai_sdk(a, &span))
        .or_else(|| {
            a.first(&["output.value", "traceloop.entity.output", "langfuse.observation.output"])
                .map(|t| messages_in(&t, Speaker::Agent, &span))
        })
        .unwrap_or_default();
    // A tracer may put everything that was said into one list.
    if let Some(text) = a.first(&["pydantic_ai.all_messages", "all_messages_events"])
        && input.iter().all(|m| m.who == Speaker::System)
    {
        input.extend(messages_in(&text, Speaker::Person, &span));
    }
    output.retain(|m| !m.parts.is_empty());
    if !input.is_empty() {
        seg.input = input;
    }
    if !output.is_empty() {
        seg.output = output;
    }
}

/// The AI SDK keeps the answer's text and its calls apart.
fn ai_sdk(a: &Attributes, span: &Span) -> Option<Vec<Msg>> {
    let text = a.first(&["ai.response.text", "ai.result.text", "ai.response.object"]);
    let calls = a.first(&["ai.response.toolCalls", "ai.result.toolCalls"]);
    if text.is_none() && calls.is_none() {
        return None;
    }
    let mut msg = Msg::new(Speaker::Agent);
    if let Some(thought) = a.get("ai.response.reasoning") {
        msg.parts.push(Part { said: Said::Thought(thought), span: span.clone() });
    }
    let mut out: Vec<Msg> = text.map(|t| Msg::text(Speaker::Agent, &t, span.clone())).into_iter().collect();
    if !msg.parts.is_empty() {
        out.insert(0, msg);
    }
    out.extend(calls.into_iter().flat_map(|c| messages_in(&c, Speaker::Agent, span)));
    Some(out)
}

fn usage(a: &Attributes) -> Usage {
    let whole = |keys: &[&str]| a.number(keys).filter(|n| *n >= 0.0).map(|n| n as u64);
    Usage {
        input: whole(&[
            "gen_ai.usage.input_tokens",
            "gen_ai.usage.prompt_tokens",
            "llm.token_count.prompt",
            "llm.usage.prompt_tokens",
            "ai.usage.inputTokens",
            "ai.usage.promptTokens",
        ]),
        output: whole(&[
            "gen_ai.usage.output_tokens",
            "gen_ai.usage.completion_tokens",
            "llm.token_count.completion",
            "llm.usage.completion_tokens",
            "ai.usage.outputTokens",
            "ai.usage.completionTokens",
        ]),
        cached: whole(&[
            "gen_ai.usage.cache_read.input_tokens",
            "gen_ai.usage.cache_read_input_tokens",
            "llm.token_count.prompt_details.cache_read",
            "gen_ai.usage.details.cache_read_tokens",
            "ai.usage.cachedInputTokens",
        ]),
        cache_write: whole(&[
            "gen_ai.usage.cache_creation.input_tokens",
            "gen_ai.usage.cache_creation_input_tokens",
            "llm.token_count.prompt_details.cache_write",
        ]),
        reasoning: whole(&[
            "gen_ai.usage.reasoning_tokens",
            "llm.token_count.completion_details.reasoning",
            "ai.usage.reasoningTokens",
        ]),
        cost: a.number(&["gen_ai.usage.cost", "llm.cost.total", "operation.cost"]),
        cost_kind: CostKind::Reported,
    }
}

/// Arguments as a tracer writes them: JSON, a wrapper around it, or plain text.
pub fn args_in(text: &str) -> Args {
    let inner = with_json(text, |v| {
        // smolagents: positional arguments beside named ones.
        if let Some(named) = v.get("kwargs").filter(|k| k.is_object() && v.get("args").is_some_and(Val::is_empty)) {
            return Some(named.raw().to_owned());
        }
        let only = ["input", "args", "arguments", "kwargs"].iter().find_map(|k| v.get(k)).filter(|_| v.len() == 1);
        only.filter(|o| o.is_object()).map(|o| o.raw().to_owned())
    });
    match inner {
        Some(Some(inner)) => json_args(&inner),
        Some(None) => string_args(text),
        None if text.trim().is_empty() => json_args("{}"),
        None => text_args(text),
    }
}

/// A result as a tracer writes it: a message, a wrapper, or plain text.
pub fn result_in(text: &str) -> Content {
    with_json(text, |v| {
        if let Some(text) = v.as_str() {
            return Content::text(text);
        }
        answer(v).0
    })
    .unwrap_or_else(|| Content::text(text))
}

/// Messages that older conventions write as events of the span.
fn events(seg: &mut Seg, list: Val<'_>, otlp: bool) {
    for event in list.items() {
        let name = event.str("name").unwrap_or_default();
        let given = event.get("attributes");
        let a = match given {
            Some(list) if otlp => Attributes::of_otlp(list),
            Some(object) => Attributes::of_object(object),
            None => Attributes::default(),
        };
        if name == "exception" {
            let message = a.first(&["exception.message", "exception.type"]).unwrap_or_default();
            if seg.error.as_ref().is_none_or(String::is_empty) {
                seg.error = Some(message);
            }
            continue;
        }
        let who = match name.as_ref() {
            "gen_ai.system.message" => Speaker::System,
            "gen_ai.user.message" => Speaker::Person,
            "gen_ai.assistant.message" | "gen_ai.choice" => Speaker::Agent,
            "gen_ai.tool.message" => Speaker::Tool,
            "gen_ai.content.prompt" => Speaker::Person,
            "gen_ai.content.completion" => Speaker::Agent,
            _ => continue,
        };
        let span = seg.span.clone();
        let body = a.first(&["gen_ai.event.content", "gen_ai.prompt", "gen_ai.completion", "body"]);
        let role = ["system", "user", "assistant", "tool"];
        let role = match who {
            Speaker::System => role[0],
            Speaker::Person => role[1],
            Speaker::Tool => role[3],
            _ => role[2],
        };
        let read = |val: Val<'_>| {
            let inner = val.get("message").filter(|m| m.is_object()).unwrap_or(val);
            if inner.is_array() || inner.has("role") && !inner.has("id") {
                return messages(inner, who, &|_| span.clone());
            }
            let place = |_: Val<'_>| span.clone();
            let mut hear = Hear::at(&place);
            hear.message(inner, role);
            hear.out
        };
        let found = match body {
            Some(text) => with_json(&text, read).unwrap_or_else(|| vec![Msg::text(who, &text, span.clone())]),
            None => with_json(&a.source(), read).unwrap_or_default(),
        };
        if matches!(name.as_ref(), "gen_ai.choice" | "gen_ai.content.completion") {
            seg.output.extend(found);
        } else {
            seg.input.extend(found);
        }
    }
}

fn otlp_span(record: &Record<'_>, val: Val<'_>) -> Seg {
    let text = |keys: &[&str]| keys.iter().find_map(|k| val.str(k)).filter(|t| !t.is_empty());
    let time = |keys: &[&str]| keys.iter().find_map(|k| val.some(k));
    let start = time(&["startTimeUnixNano", "start_time_unix_nano"]);
    let mut seg = Seg {
        id: text(&["spanId", "span_id"]).unwrap_or_default().as_ref().into(),
        parent: text(&["parentSpanId", "parent_span_id"]).map(|p| p.as_ref().into()),
        trace: text(&["traceId", "trace_id"]).unwrap_or_default().as_ref().into(),
        name: val.str("name").unwrap_or_default().into_owned(),
        from: start.map(nanos).unwrap_or(0),
        start: start.and_then(moment),
        end: time(&["endTimeUnixNano", "end_time_unix_nano"]).and_then(moment),
        span: record.span_of(val),
        ..Seg::default()
    };
    if let Some(status) = val.some("status") {
        let failed = status.get("code").is_some_and(|c| c.as_u64() == Some(2) || c.text().ends_with("ERROR"));
        if failed {
            seg.error = Some(status.str("message").unwrap_or_default().into_owned());
        }
    }
    let attributes = val.get("attributes").map(Attributes::of_otlp).unwrap_or_default();
    if let (Some(error), Some(kind)) = (&mut seg.error, attributes.get("error.type"))
        && error.is_empty()
    {
        *error = kind;
    }
    fill(&mut seg, &attributes);
    if let Some(list) = val.get("events") {
        events(&mut seg, list, true);
    }
    seg
}

fn phoenix_span(record: &Record<'_>) -> Seg {
    let val = record.val;
    let text = |path: &[&str]| val.path(path).and_then(Val::as_str).filter(|t| !t.is_empty());
    let start = val.some("start_time");
    let mut seg = Seg {
        id: text(&["context", "span_id"]).unwrap_or_default().as_ref().into(),
        parent: text(&["parent_id"]).map(|p| p.as_ref().into()),
        trace: text(&["context", "trace_id"]).unwrap_or_default().as_ref().into(),
        name: val.str("name").unwrap_or_default().into_owned(),
        from: start.map(nanos).unwrap_or(0),
        start: start.and_then(moment),
        end: val.some("end_time").and_then(moment),
        span: record.span(),
        ..Seg::default()
    };
    if val.get("status_code").is_some_and(|c| c.is("ERROR")) {
        seg.error = Some(val.str("status_message").unwrap_or_default().into_owned());
    }
    seg.kind = match val.str("span_kind").unwrap_or_default().to_ascii_uppercase().as_str() {
        "LLM" => SegKind::Model,
        "TOOL" => SegKind::Tool,
        "AGENT" => SegKind::Agent,
        _ => SegKind::Other,
    };
    let attributes = val.get("attributes").map(Attributes::of_object).unwrap_or_default();
    fill(&mut seg, &attributes);
    if let Some(list) = val.get("events") {
        events(&mut seg, list, false);
    }
    seg
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if is_phoenix(val) {
            self.segs.push(phoenix_span(record));
            return;
        }
        let Some(resources) = val.get("resourceSpans").or_else(|| val.get("resource_spans")) else {
            // Metrics and logs come in the same files.
            if val.has("resourceMetrics") || val.has("resourceLogs") {
                return log.skipped("metrics or logs");
            }
            return log.unknown("no resourceSpans");
        };
        for resource in resources.items() {
            let scopes = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"];
            for scope in scopes.iter().filter_map(|k| resource.get(k)).flat_map(Val::items) {
                for span in scope.get("spans").into_iter().flat_map(Val::items) {
                    self.segs.push(otlp_span(record, span));
                }
            }
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        runs(self.segs, FORMAT.id, log)
    }
}
