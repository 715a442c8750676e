//! Pydantic-AI's message history: `all_messages_json()`, a list of requests and responses.
//!
//! ```json
//! [{"kind":"request","parts":[{"part_kind":"user-prompt","content":"roll"}]},
//!  {"kind":"response","model_name":"m","usage":{},"parts":[{"part_kind":"tool-call","tool_name":"roll","args":{},"tool_call_id":"t"}]}]
//! ```
//!
//! A request holds system prompt, question and results side by side; `args` are an object or a JSON text; a
//! `retry-prompt` with a tool is that tool's error. O(bytes).

use super::chat::Speaker;
use super::talk::{Talk, reader};
use super::{Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "pydantic-ai",
    label: "Pydantic-AI",
    files: "message histories",
    marks: &["kind", "parts", "part_kind", "tool_call_id", "model_name"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_message(val: Val<'_>) -> bool {
    val.get("kind").is_some_and(|k| k.is("request") || k.is("response"))
        && val.get("parts").is_some_and(|p| p.items().any(|p| p.has("part_kind")))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| {
        is_message(v) || v.get("messages").is_some_and(|l| l.items().any(is_message)) || v.items().any(is_message)
    }) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("parts") => Sniff::near(1, Reason::NoKey("part_kind"), "/0/parts/0/part_kind"),
        _ => Sniff::no(Reason::NeedsRecords("parts"), "/0/parts"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let list = val.get("messages").or_else(|| Some(val).filter(|v| v.is_array()));
    if let Some(list) = list.filter(|_| !is_message(val)) {
        talk.next();
        record.each(list, |one| each(talk, one, log));
        return talk.next();
    }
    if talk.run.run.id.is_none() {
        talk.id(val.get("conversation_id").or_else(|| val.get("run_id")));
    }
    if !talk.say(record, val, Speaker::Person, log) {
        talk.unknown(record, &val.str("kind").unwrap_or("no kind".into()), log);
    }
}
