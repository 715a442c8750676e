//! Traces of the OpenAI Agents SDK: records `trace` and `trace.span`, in a list or one a line.
//!
//! ```json
//! {"object":"trace.span","id":"s","trace_id":"t","parent_id":"p","started_at":"…","ended_at":"…",
//!  "span_data":{"type":"function","name":"weather","input":"{\"city\":\"Oslo\"}","output":"rain"},"error":null}
//! ```
//!
//! Children come before their parents. Spans of functions have no call id; those of responses hold only the response's
//! id, unless the tracer was told to record more; a turn's usage stands in a span of its own. A hand-over is a call that
//! the next agent answers. O(bytes).

use super::chat::Speaker;
use super::dialect::messages;
use super::otlp::{args_in, result_in};
use super::part::moment;
use super::spans::{Seg, SegKind, nanos, runs};
use super::usage::usage_in;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::Run;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "openai-agents",
    label: "OpenAI Agents SDK",
    files: "exported traces with agents, hand-overs and guardrails",
    marks: &["object", "trace_id", "span_data", "started_at", "parent_id"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new(), names: Vec::new() }),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| v.get("object").is_some_and(|o| o.is("trace.span"))) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("span_data") => Sniff::near(2, Reason::NoKey("object"), "/0/object"),
        _ => Sniff::no(Reason::NeedsRecords("span_data"), "/0/span_data"),
    }
}

struct Reader {
    segs: Vec<Seg>,
    /// Trace, its workflow and its group.
    names: Vec<(String, String, String)>,
}

fn span(record: &Record<'_>) -> Seg {
    let val = record.val;
    let text = |key: &str| val.str(key).filter(|t| !t.is_empty());
    let start = val.some("started_at");
    let data = val.some("span_data");
    let kind = data.and_then(|d| d.str("type")).unwrap_or_default();
    let field = |key: &str| data.and_then(|d| d.some(key));
    let word = |key: &str| field(key).map(|v| v.text().into_owned());
    let mut seg = Seg {
        id: text("id").unwrap_or_default().as_ref().into(),
        parent: text("parent_id").map(|p| p.as_ref().into()),
        trace: text("trace_id").unwrap_or_default().as_ref().into(),
        name: word("name").unwrap_or_else(|| kind.clone().into_owned()),
        from: start.map(nanos).unwrap_or(0),
        start: start.and_then(moment),
        end: val.some("ended_at").and_then(moment),
        span: record.span(),
        ..Seg::default()
    };
    if let Some(error) = val.some("error").filter(|e| !e.is_empty()) {
        seg.error = Some(error.get("message").unwrap_or(error).text().into_owned());
    }
    let place = |v: Val<'_>| record.span_of(v);
    match kind.as_ref() {
        "agent" => {
            seg.kind = SegKind::Agent;
            seg.agent = word("name");
        }
        "function" | "mcp_tools" => {
            seg.kind = if kind == "function" { SegKind::Tool } else { SegKind::Other };
            seg.tool = word("name");
            seg.args = word("input").map(|t| args_in(&t));
            seg.result = word("output").map(|t| result_in(&t));
        }
        "handoff" => {
            seg.kind = SegKind::Tool;
            let to: String = word("to_agent").unwrap_or_default();
            let to: String =
                to.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
            seg.tool = Some(format!("transfer_to_{to}"));
            seg.args = Some(json_args("{}"));
        }
        "generation" | "response" => {
            seg.kind = SegKind::Model;
            seg.model = word("model").or_else(|| field("response")?.str("model").map(|m| m.into_owned()));
            seg.input = field("input").map(|i| messages(i, Speaker::Person, &place)).unwrap_or_default();
            let output = field("output").or_else(|| field("response")?.some("output"));
            seg.output = output.map(|o| messages(o, Speaker::Agent, &place)).unwrap_or_default();
            seg.usage = field("usage").or_else(|| field("response")?.some("usage")).map(usage_in).unwrap_or_default();
        }
        "guardrail" if field("triggered").and_then(Val::as_bool) == Some(true) => {
            seg.error = Some(format!("guardrail {} triggered", seg.name));
        }
        "custom" => {
            // One turn of an agent: the request to the model and the tools that followed.
            let inner = field("data");
            if inner.is_some_and(|d| d.get("sdk_span_type").is_some_and(|t| t.is("turn"))) {
                seg.kind = SegKind::Model;
                seg.usage = inner.and_then(|d| d.some("usage")).map(usage_in).unwrap_or_default();
            }
        }
        _ => {}
    }
    seg
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        match val.str("object").unwrap_or_default().as_ref() {
            "trace.span" => self.segs.push(span(record)),
            "trace" => {
                log.understood();
                let word = |key: &str| val.str(key).unwrap_or_default().into_owned();
                self.names.push((word("id"), word("workflow_name"), word("group_id")));
            }
            other => log.unknown(other),
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        let mut found = runs(self.segs, FORMAT.id, log);
        for (trace, workflow, group) in self.names {
            let Some(run) = found.iter_mut().find(|r| r.id.as_deref() == Some(&trace)) else { continue };
            for (fact, value) in [("workflow", workflow), ("session", group)] {
                if !value.is_empty() {
                    run.facts.push((fact.into(), value));
                }
            }
        }
        found
    }
}
