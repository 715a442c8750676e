//! Messages of a chat, one after another, into one run: what most logs that are no agent's own format are made of.
//!
//! Understands OpenAI's and Anthropic's messages, also mixed, and the usual other names of roles. Knows reasoning in all
//! its places (`reasoning_content`, `reasoning`, `thinking_blocks`, `reasoning_details`, `<think>`), tool calls with
//! arguments as JSON text or as an object, the older `function_call`, and calls written into the text as
//! `<function=name><parameter=x>…` with answers `EXECUTION RESULT of [name]:`, when the text is exactly that.
//! O(bytes of the message).

use super::anthropic_blocks::{self, tool_result};
use super::part::{content, cut, moment_of, part_text, split_think, told_status, voice};
use super::{Draft, Log, Record, RunBuilder, json_args, string_args, text_args};
use crate::json::{Val, quote};
use crate::model::{Args, CallStatus, Content, CostKind, Observation, Run, StepKind, TurnId, Usage};

/// Roles that OpenAI's and Anthropic's messages have.
pub const ROLES: [&str; 6] = ["system", "developer", "user", "assistant", "tool", "function"];

/// Whether a value is a message with one of [`ROLES`].
pub fn is_message(val: Val<'_>) -> bool {
    val.get("role").is_some_and(|r| ROLES.iter().any(|role| r.is(role)))
        && (val.has("content") || val.has("tool_calls") || val.has("function_call"))
}

/// Whether an array's members are messages: the first is one, and most of the first few.
pub fn are_messages(list: Val<'_>) -> bool {
    let head = || list.items().take(16).filter(|m| m.is_object());
    let hits = head().filter(|m| is_message(*m)).count();
    hits > 0 && hits * 2 >= head().count()
}

/// What kind of speaker a role names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    System,
    Person,
    Agent,
    /// A tool's answer.
    Tool,
    /// A call that is a message of its own.
    Call,
    /// A name: one of several agents.
    Named,
}

/// The speaker behind a role, in the spellings of the many writers.
pub fn speaker(role: &str) -> Speaker {
    match role.trim().to_ascii_lowercase().as_str() {
        "system" | "developer" | "instructions" => Speaker::System,
        "user" | "human" | "person" | "customer" => Speaker::Person,
        "assistant" | "ai" | "gpt" | "chatgpt" | "claude" | "gemini" | "llm" | "bot" | "chatbot" | "model"
        | "agent" => Speaker::Agent,
        "tool" | "function" | "observation" | "environment" | "tool_result" | "tool_response" | "tool-response"
        | "function_response" | "ipython" => Speaker::Tool,
        "function_call" | "tool_call" | "tool-call" => Speaker::Call,
        _ => Speaker::Named,
    }
}

/// Tells from an answer's text how the tool ended; for formats whose tools keep a convention.
pub type ToldStatus = fn(&str) -> (CallStatus, Option<i64>);

/// One run that is made of messages.
pub struct Chat {
    pub run: RunBuilder,
    /// How an answer's text tells success from failure.
    pub told: ToldStatus,
    /// Calls that stood in the text and have no answer yet.
    text_calls_open: usize,
    /// Calls that stood in the text.
    text_calls: u64,
}

impl Chat {
    pub fn new(format: &'static str) -> Self {
        Self { run: RunBuilder::new(format), told: told_status, text_calls_open: 0, text_calls: 0 }
    }

    /// Reads one message; returns the turn when the model spoke.
    pub fn message(&mut self, record: &Record<'_>, log: &mut Log) -> Option<TurnId> {
        let val = record.val;
        let Some(role) = val.str("role") else {
            self.unknown(record, &val.str("type").unwrap_or("no role".into()), log);
            return None;
        };
        self.spoken(record, &role, body(val), log)
    }

    /// Reads one message whose speaker and body were found under other names.
    pub fn spoken(&mut self, record: &Record<'_>, role: &str, said: Option<Val<'_>>, log: &mut Log) -> Option<TurnId> {
        let before = self.run.run.steps.len();
        let kind = speaker(role);
        // A result makes no step of its own.
        let mut answered = false;
        let turn = match kind {
            Speaker::System => {
                self.plain(record, StepKind::System, said, log);
                None
            }
            Speaker::Person => {
                answered = self.person(record, said, log);
                None
            }
            Speaker::Agent => Some(self.agent(record, None, said, log)),
            Speaker::Named => Some(self.agent(record, Some(role), said, log)),
            Speaker::Tool => {
                self.tool(record, said);
                log.understood();
                return None;
            }
            Speaker::Call => Some(self.call_message(record, said)),
        };
        if self.run.run.steps.len() == before && !answered {
            log.skipped(&format!("{role} (empty)"));
        } else {
            log.understood();
        }
        turn
    }

    /// A record that is no message: kept as it stands.
    pub fn unknown(&mut self, record: &Record<'_>, kind: &str, log: &mut Log) {
        log.unknown(kind);
        let draft = Draft { label: Some(kind.into()), ..self.draft(record, None) };
        self.run.say(StepKind::Raw, Content::text(cut(record.val.raw(), 20_000)), draft);
    }

    /// The finished run.
    pub fn finish(self, log: &mut Log) -> Run {
        if self.text_calls > 0 {
            log.note("calls-in-text", &[("count", self.text_calls.to_string())]);
        }
        self.run.finish()
    }

    fn draft(&self, record: &Record<'_>, turn: Option<TurnId>) -> Draft {
        let val = record.val;
        let name = val.str("name").filter(|n| !n.is_empty());
        Draft {
            turn,
            at: moment_of(val),
            name: name.map(|n| n.as_ref().into()),
            span: record.span(),
            ..Draft::default()
        }
    }

    fn plain(&mut self, record: &Record<'_>, kind: StepKind, said: Option<Val<'_>>, log: &mut Log) {
        let text = self.text(record, said, log);
        if !text.is_empty() {
            let draft = self.draft(record, None);
            self.run.say(kind, text, draft);
        }
    }

    /// Text and media of a body; other parts become raw steps in front of it.
    fn text(&mut self, record: &Record<'_>, said: Option<Val<'_>>, log: &mut Log) -> Content {
        let Some(said) = said else { return Content::default() };
        let mut others = Vec::new();
        let text = content(said, &mut |part| {
            if !is_result(part) {
                others.push(part);
            }
        });
        for part in others {
            let kind = part.str("type").unwrap_or("part".into());
            log.unknown_part(&format!("message/{kind}"));
            let draft =
                Draft { label: Some(kind.as_ref().into()), span: record.span_of(part), ..self.draft(record, None) };
            self.run.say(StepKind::Raw, Content::text(cut(part.raw(), 20_000)), draft);
        }
        text
    }

    /// True when the message held answers of tools.
    fn person(&mut self, record: &Record<'_>, said: Option<Val<'_>>, log: &mut Log) -> bool {
        let mut answered = false;
        // Anthropic's results stand in the user's message.
        if let Some(said) = said.filter(|s| s.is_array()) {
            for block in said.items().filter(|b| is_result(*b)) {
                let draft = self.draft(record, None);
                tool_result(&mut self.run, record, block, &draft);
                answered = true;
            }
        }
        let text = self.text(record, said, log);
        if text.is_empty() {
            return answered;
        }
        if self.text_calls_open > 0
            && let Some((tool, answer)) = text_answer(&text.text)
        {
            self.text_calls_open -= 1;
            let (status, exit_code) = (self.told)(answer);
            let draft = self.draft(record, None);
            let observation = Observation {
                content: Content { text: answer.into(), media: text.media },
                at: draft.at,
                exit_code,
                span: draft.span.clone(),
                ..Observation::default()
            };
            self.run.observe(None, Some(tool), observation, status, draft);
            return true;
        }
        let draft = self.draft(record, None);
        self.run.say(voice(&text.text), text, draft);
        answered
    }

    fn agent(&mut self, record: &Record<'_>, name: Option<&str>, said: Option<Val<'_>>, log: &mut Log) -> TurnId {
        let val = record.val;
        let turn = self.run.new_turn(0);
        if let (Some(id), Some(t)) =
            (val.str("id").filter(|id| !id.is_empty()), self.run.run.turns.get_mut(turn as usize))
        {
            t.id = Some(id.as_ref().into());
        }
        let meta = val.some("metadata");
        if let Some(model) = val.str("model").or_else(|| meta.and_then(|m| m.str("model"))) {
            self.run.model(turn, &model);
        }
        if let Some(usage) = val.some("usage").or_else(|| meta.and_then(|m| m.some("usage"))).filter(|u| u.is_object())
        {
            let mut usage = usage_of(usage);
            if let Some(cost) = val.f64("cost").or_else(|| meta.and_then(|m| m.f64("cost"))) {
                usage.cost = Some(cost);
                usage.cost_kind = CostKind::Estimated;
            }
            self.run.usage(turn, usage);
        }
        let mut draft = self.draft(record, Some(turn));
        if draft.name.is_none() {
            draft.name = name.map(Into::into);
        }
        if let Some(thought) = reasoning(val) {
            self.run.say(StepKind::Thought, Content::text(thought), draft.clone());
        }
        let calls = val.some("tool_calls").filter(|c| c.is_array() && !c.is_empty());
        let legacy = val.some("function_call").filter(|c| c.is_object());
        match said {
            Some(text) if text.is_string() && calls.is_none() && legacy.is_none() => {
                let said = text.text();
                match text_calls(&said) {
                    Some((before, found)) => self.with_text_calls(&before, &found, &draft),
                    None => anthropic_blocks::assistant(&mut self.run, record, text, &draft, StepKind::Say, log),
                }
            }
            Some(said) => anthropic_blocks::assistant(&mut self.run, record, said, &draft, StepKind::Say, log),
            None => {}
        }
        if let Some(refusal) = val.str("refusal").filter(|r| !r.is_empty()) {
            let draft = Draft { label: Some("refusal".into()), ..draft.clone() };
            self.run.say(StepKind::Say, Content::text(refusal.as_ref()), draft);
        }
        for call in calls.into_iter().flat_map(Val::items).filter(|c| c.is_object()) {
            let (id, tool, args) = call_of(call);
            let draft = Draft { span: record.span_of(call), ..draft.clone() };
            self.run.call(id.as_deref(), &tool, args, draft);
        }
        // The older form beside the newer one says the same thing twice.
        if let (Some(call), None) = (legacy, calls) {
            let (id, tool, args) = call_of(call);
            let draft = Draft { span: record.span_of(call), ..draft };
            self.run.call(id.as_deref(), &tool, args, draft);
        }
        turn
    }

    fn with_text_calls(&mut self, before: &str, found: &[(String, String)], draft: &Draft) {
        if let Some((thought, said)) = split_think(before) {
            self.run.say(StepKind::Thought, Content::text(thought), draft.clone());
            if !said.trim().is_empty() {
                self.run.say(StepKind::Say, Content::text(said), draft.clone());
            }
        } else if !before.is_empty() {
            self.run.say(StepKind::Say, Content::text(before), draft.clone());
        }
        for (tool, args) in found {
            self.run.call(None, tool, json_args(args), draft.clone());
            self.text_calls += 1;
            self.text_calls_open += 1;
        }
    }

    /// A call that is a message: its text is `{"name","arguments"}`, or a list of them.
    fn call_message(&mut self, record: &Record<'_>, said: Option<Val<'_>>) -> TurnId {
        let turn = self.run.new_turn(0);
        let draft = self.draft(record, Some(turn));
        let Some(said) = said else { return turn };
        let mut tape = crate::json::Tape::new();
        let text = said.text();
        let root = tape.parse(&text).root();
        let list: Vec<Val<'_>> = if root.is_array() { root.items().collect() } else { vec![root] };
        let mut found = 0;
        for call in list.into_iter().filter(|c| c.is_object()) {
            let (id, tool, args) = call_of(call);
            if !tool.is_empty() {
                self.run.call(id.as_deref(), &tool, args, draft.clone());
                found += 1;
            }
        }
        if found == 0 {
            let draft = Draft { label: Some("function_call".into()), ..draft };
            self.run.say(StepKind::Raw, Content::text(text.as_ref()), draft);
        }
        turn
    }

    fn tool(&mut self, record: &Record<'_>, said: Option<Val<'_>>) {
        let val = record.val;
        let draft = Draft { name: None, ..self.draft(record, None) };
        let listed = val.get("tool_call_ids").and_then(|ids| ids.items().next()).and_then(Val::as_str);
        let id = val.str("tool_call_id").or(listed).or_else(|| val.str("call_id")).or_else(|| val.str("tool_use_id"));
        let name =
            val.str("name").or_else(|| val.str("tool_name")).or_else(|| val.str("tool")).filter(|n| !n.is_empty());
        let mut other = String::new();
        let mut text = said
            .map(|s| {
                content(s, &mut |part| {
                    other.push_str(part.raw());
                    other.push('\n');
                })
            })
            .unwrap_or_default();
        if !other.is_empty() {
            text.text = format!("{}{other}", text.text).into();
        }
        let failed = val.bool("is_error") == Some(true)
            || val.bool("success") == Some(false)
            || val.get("status").is_some_and(|s| s.is("error"))
            || val
                .some("error")
                .is_some_and(|e| e.as_bool() != Some(false) && !e.is_empty() || e.as_bool() == Some(true));
        let fine = val.bool("is_error") == Some(false) || val.get("status").is_some_and(|s| s.is("success"));
        let (told, exit_code) = (self.told)(&text.text);
        let status = if failed {
            CallStatus::Error
        } else if fine {
            CallStatus::Ok
        } else {
            told
        };
        let observation =
            Observation { content: text, at: draft.at, exit_code, span: draft.span.clone(), ..Observation::default() };
        self.run.observe(id.as_deref(), name.as_deref(), observation, status, draft);
    }
}

/// The body of a message.
pub fn body(val: Val<'_>) -> Option<Val<'_>> {
    ["content", "value", "text", "parts", "message"].iter().find_map(|k| val.some(k))
}

fn is_result(part: Val<'_>) -> bool {
    part.get("type").is_some_and(|t| t.is("tool_result"))
}

/// Id, tool and arguments of a call: `{id, function: {name, arguments}}`, `{id, name, arguments}`,
/// `{id, function: "name", arguments}`, or `{type: "custom", custom: {name, input}}`.
pub fn call_of(call: Val<'_>) -> (Option<String>, String, Args) {
    let id =
        call.str("id").or_else(|| call.str("call_id")).or_else(|| call.str("tool_call_id")).map(|s| s.into_owned());
    if let Some(custom) = call.some("custom").filter(|c| c.is_object()) {
        let input = custom.some("input").map(|v| v.text().into_owned()).unwrap_or_default();
        return (id, custom.str("name").unwrap_or_default().into_owned(), text_args(&input));
    }
    let function = call.some("function").filter(|f| f.is_object()).unwrap_or(call);
    let name =
        function.str("name").or_else(|| call.str("function")).or_else(|| call.str("tool_name")).unwrap_or_default();
    let args = match ["arguments", "args", "input", "parameters"].iter().find_map(|k| function.some(k)) {
        Some(given) if given.is_string() => string_args(&given.text()),
        Some(given) => json_args(given.raw()),
        None => json_args("{}"),
    };
    (id, name.into_owned(), args)
}

/// Reasoning beside the content; several keys often hold the same text, so the first that says something counts.
pub fn reasoning(val: Val<'_>) -> Option<String> {
    for key in ["reasoning_content", "reasoning", "thinking"] {
        let Some(found) = val.some(key) else { continue };
        let text = match found {
            v if v.is_string() => v.text().into_owned(),
            v if v.is_object() => v
                .some("content")
                .or_else(|| v.some("summary"))
                .or_else(|| v.some("text"))
                .map(joined)
                .unwrap_or_default(),
            v => joined(v),
        };
        if !text.trim().is_empty() {
            return Some(text.trim().to_owned());
        }
    }
    for key in ["thinking_blocks", "reasoning_details"] {
        let Some(blocks) = val.some(key).filter(|b| b.is_array()) else { continue };
        let texts: Vec<String> = blocks
            .items()
            .filter_map(|b| ["thinking", "text", "summary"].iter().find_map(|k| b.str(k)).map(|s| s.into_owned()))
            .filter(|t| !t.trim().is_empty())
            .collect();
        if !texts.is_empty() {
            return Some(texts.join("\n"));
        }
    }
    None
}

fn joined(val: Val<'_>) -> String {
    if val.is_array() {
        return val.items().filter_map(part_text).collect::<Vec<_>>().join("\n");
    }
    val.as_str().map(|s| s.into_owned()).unwrap_or_default()
}

/// Usage in OpenAI's words (the cache is part of the input) or in Anthropic's (it is not).
pub fn usage_of(usage: Val<'_>) -> Usage {
    if !usage.has("prompt_tokens") && (usage.has("cache_read_input_tokens") || usage.has("cache_creation_input_tokens"))
    {
        return anthropic_blocks::usage_of(usage);
    }
    let detail = |group: &str, key: &str| usage.some(group).and_then(|d| d.u64(key));
    let cached = detail("prompt_tokens_details", "cached_tokens")
        .or_else(|| detail("input_tokens_details", "cached_tokens"))
        .or_else(|| usage.u64("prompt_cache_hit_tokens"))
        .or_else(|| usage.u64("cache_read_input_tokens"));
    Usage {
        input: usage.u64("prompt_tokens").or_else(|| usage.u64("input_tokens")),
        output: usage.u64("completion_tokens").or_else(|| usage.u64("output_tokens")),
        cached,
        cache_write: usage.u64("cache_creation_input_tokens"),
        reasoning: detail("completion_tokens_details", "reasoning_tokens")
            .or_else(|| detail("output_tokens_details", "reasoning_tokens")),
        cost: usage.f64("cost"),
        cost_kind: CostKind::Reported,
    }
}

/// Tool and text of `EXECUTION RESULT of [tool]:`.
fn text_answer(text: &str) -> Option<(&str, &str)> {
    let (tool, rest) = text.strip_prefix("EXECUTION RESULT of [")?.split_once("]:")?;
    (!tool.contains('\n')).then(|| (tool, rest.strip_prefix('\n').unwrap_or(rest)))
}

/// The calls that end a text, and the text before them. Only when everything behind the first `<function=` is calls:
/// a text that merely talks about them stays a text.
fn text_calls(text: &str) -> Option<(String, Vec<(String, String)>)> {
    const OPEN: &str = "<function=";
    let at = if text.starts_with(OPEN) { 0 } else { text.find("\n<function=")? + 1 };
    let before = text.get(..at)?.trim().to_owned();
    let mut rest = text.get(at..)?;
    let mut calls = Vec::new();
    while !rest.trim().is_empty() {
        let (name, inner) = rest.trim_start().strip_prefix(OPEN)?.split_once('>')?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')) {
            return None;
        }
        let mut args = String::from("{");
        let mut inner = inner.trim_start();
        while let Some((key, value)) = inner.strip_prefix("<parameter=").and_then(|p| p.split_once('>')) {
            let (value, after) = value.split_once("</parameter>")?;
            // One line break on either side belongs to the notation.
            let value = value.strip_prefix('\n').unwrap_or(value);
            let value = value.strip_suffix('\n').unwrap_or(value);
            if args.len() > 1 {
                args.push(',');
            }
            args.push_str(&format!("{}:{}", quote(key), quote(value)));
            inner = after.trim_start();
        }
        args.push('}');
        // The closing mark is often the stop word and then missing.
        rest = match inner.strip_prefix("</function>") {
            Some(after) => after,
            None if inner.is_empty() => "",
            None => return None,
        };
        calls.push((name.to_owned(), args));
    }
    (!calls.is_empty()).then_some((before, calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &[(&str, &str)])>) {
        let found = text_calls(text);
        let expected = expected.map(|(before, calls)| {
            (before.to_owned(), calls.iter().map(|(n, a)| ((*n).to_owned(), (*a).to_owned())).collect::<Vec<_>>())
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn reads_calls_in_text_only_when_the_text_is_nothing_else() {
        check(
            "Let me look.\n\n<function=run>\n<parameter=cmd>\nls -a\n</parameter>\n</function>",
            Some(("Let me look.", &[("run", r#"{"cmd":"ls -a"}"#)])),
        );
        check(
            "<function=finish>\n<parameter=message>done</parameter>\n",
            Some(("", &[("finish", r#"{"message":"done"}"#)])),
        );
        check("<function=a>\n</function>\n<function=b>\n</function>", Some(("", &[("a", "{}"), ("b", "{}")])));
        check(
            "<function=w>\n<parameter=x>a\nb</parameter>\n<parameter=y>2</parameter>\n</function>",
            Some(("", &[("w", r#"{"x":"a\nb","y":"2"}"#)])),
        );
        check("Write <function=run> to call it.", None);
        check("x\n<function=run>\n<parameter=cmd>ls</parameter>\n</function>\nand so on", None);
        check("x\n<function=run>\n<parameter=cmd>ls", None);
        check("x\n<function=bad name>\n</function>", None);
    }
}
