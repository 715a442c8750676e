//! OpenAI's Responses API: lists of items (`to_input_list()`), whole responses, and requests with their responses.
//!
//! ```json
//! [{"role":"user","content":"weather?"},{"type":"reasoning","summary":[]},
//!  {"type":"function_call","call_id":"c","name":"w","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"5 °C"}]
//! ```
//!
//! Pairs go by `call_id`, never by `id`. Messages may lack `type`. Tools that run at OpenAI say themselves how they
//! ended. The input of a request repeats what was said; parts that were told are passed over. O(bytes).

use super::chat::Speaker;
use super::dialect::messages;
use super::part::moment_of;
use super::spans::{Seg, SegKind, runs};
use super::talk::Talk;
use super::usage::usage_in;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff};
use crate::json::Val;
use crate::model::Run;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "openai-responses",
    label: "OpenAI Responses",
    files: "item lists, responses, requests with responses",
    marks: &["call_id", "arguments", "output", "input", "object", "summary"],
    sniff,
    reader: || Box::new(Reader { talk: Talk::new(FORMAT.id, |_, _, _| {}), segs: Vec::new() }),
};

const ITEMS: [&str; 14] = [
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "computer_call",
    "computer_call_output",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "mcp_call",
    "image_generation_call",
    "item_reference",
];

fn is_item(val: Val<'_>) -> bool {
    (val.get("type").is_some_and(|t| ITEMS.iter().any(|i| t.is(i)))
        && (val.has("call_id") || val.has("status") || val.has("action")))
        || (val.get("type").is_some_and(|t| t.is("reasoning")) && val.has("summary"))
}

fn is_response(val: Val<'_>) -> bool {
    val.get("object").is_some_and(|o| o.is("response")) && val.get("output").is_some_and(Val::is_array)
}

fn list_of(val: Val<'_>) -> Option<Val<'_>> {
    ["input", "items", "data", "output"].iter().find_map(|k| val.get(k).filter(|l| l.items().any(is_item)))
}

/// The request and the response of a logged exchange.
fn exchange(val: Val<'_>) -> Option<(Option<Val<'_>>, Val<'_>)> {
    if is_response(val) {
        return Some((None, val));
    }
    let response = ["response", "output"].iter().find_map(|k| val.get(k).filter(|r| is_response(*r)))?;
    Some((val.get("request").or(Some(val)).filter(|r| r.has("input")), response))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| {
        (is_item(v) && !v.has("payload")) || exchange(v).is_some() || list_of(v).is_some() || v.items().any(is_item)
    }) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("call_id") => Sniff::near(1, Reason::NoKey("type"), "/0/type"),
        _ => Sniff::no(Reason::NeedsRecords("call_id"), "/0/call_id"),
    }
}

struct Reader {
    talk: Talk,
    /// Exchanges, each a request to the model.
    segs: Vec<Seg>,
}

fn request(record: &Record<'_>, request: Option<Val<'_>>, response: Val<'_>) -> Seg {
    let place = |v: Val<'_>| record.span_of(v);
    let mut input = Vec::new();
    for from in [request, Some(response)].into_iter().flatten() {
        if let Some(text) = from.some("instructions").filter(|i| i.is_string() && input.is_empty()) {
            input.extend(messages(text, Speaker::System, &place));
        }
    }
    if let Some(said) = request.and_then(|r| r.some("input")) {
        input.extend(messages(said, Speaker::Person, &place));
    }
    let failed = response.some("error").filter(|e| !e.is_empty());
    Seg {
        id: response.str("id").unwrap_or_default().as_ref().into(),
        name: "response".into(),
        kind: SegKind::Model,
        from: record.index as u64 + 1,
        start: moment_of(response).or_else(|| moment_of(record.val)),
        error: failed.map(|e| e.get("message").unwrap_or(e).text().into_owned()),
        model: response.str("model").map(|m| m.into_owned()),
        usage: response.some("usage").map(usage_in).unwrap_or_default(),
        input,
        tools: [request, Some(response)]
            .into_iter()
            .flatten()
            .find_map(|r| r.some("tools"))
            .map(|t| t.raw().to_owned()),
        output: response.get("output").map(|o| messages(o, Speaker::Agent, &place)).unwrap_or_default(),
        span: record.span_of(response),
        ..Seg::default()
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if let Some((asked, response)) = exchange(val) {
            self.segs.push(request(record, asked, response));
            return;
        }
        if let Some(list) = list_of(val).or_else(|| Some(val).filter(|v| v.is_array())) {
            self.talk.next();
            self.talk.id(val.get("id").or_else(|| val.get("session_id")));
            self.talk.tools(val.get("tools"));
            if let Some(text) = val.some("instructions").filter(|i| i.is_string()) {
                self.talk.say(record, text, Speaker::System, log);
            }
            record.each(list, |item| {
                if !self.talk.say(item, item.val, Speaker::Person, log) {
                    self.talk.unknown(item, "item", log);
                }
            });
            self.talk.next();
            return;
        }
        if !self.talk.say(record, val, Speaker::Person, log) {
            let kind = val.str("type").unwrap_or("no type".into());
            self.talk.unknown(record, &kind, log);
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        let mut found = Box::new(self.talk).finish(log);
        found.extend(runs(self.segs, FORMAT.id, log));
        found
    }
}
