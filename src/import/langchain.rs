//! LangChain's messages in their four spellings (`dumps`, `messages_to_dict`, `model_dump`, tuples) and LangGraph: the
//! state `{"messages"}` and streamed updates `{"node":{"messages"}}`, one a line.
//!
//! ```json
//! [{"type":"human","data":{"content":"hi"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],
//!   "kwargs":{"content":"","tool_calls":[{"name":"calc","args":{"x":1},"id":"c","type":"tool_call"}]}}]
//! ```
//!
//! Arguments are an object in `tool_calls`; `additional_kwargs` and the content's blocks may hold the same calls once
//! more, which count once. Tools say `status`. A chunk of a stream is a message whose id comes again. O(bytes).

use super::chat::Speaker;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "langchain",
    label: "LangChain, LangGraph",
    files: "serialised messages, graph states, streamed updates",
    marks: &["lc", "kwargs", "additional_kwargs", "response_metadata", "tool_call_id", "messages"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

const TYPES: [&str; 8] =
    ["human", "ai", "AIMessageChunk", "AIMessage", "HumanMessage", "ToolMessage", "SystemMessage", "tool"];

fn is_message(val: Val<'_>) -> bool {
    if val.has("lc") && val.has("kwargs") {
        return val.get("id").is_some_and(|id| id.items().last().is_some_and(|i| i.text().contains("Message")));
    }
    let known = val.get("type").is_some_and(|t| TYPES.iter().any(|known| t.is(known)));
    let data = val.get("data").is_some_and(|d| d.has("content"));
    let own = val.has("additional_kwargs") || val.has("response_metadata") || val.has("usage_metadata");
    known && !val.has("role") && (data || (val.has("content") && own))
}

fn list_of(val: Val<'_>) -> Option<Val<'_>> {
    let state = [val.get("values"), val.get("kwargs"), val.get("output"), Some(val)];
    state.into_iter().flatten().find_map(|s| s.get("messages").filter(|l| l.items().next().is_some_and(is_message)))
}

/// `{"node": {"messages": […]}}`
fn updates(val: Val<'_>) -> bool {
    val.is_object() && val.entries().take(16).any(|(_, inner)| list_of(inner).is_some())
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_message(v) || list_of(v).is_some() || updates(v) || v.items().next().is_some_and(is_message)) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("lc"), "/0/lc")
}

/// Messages of a state that was told before are passed over, by their ids.
fn list(talk: &mut Talk, record: &Record<'_>, list: Val<'_>, node: Option<&str>, log: &mut Log) {
    record.each(list, |one| message(talk, one, node, log));
}

fn message(talk: &mut Talk, record: &Record<'_>, node: Option<&str>, log: &mut Log) {
    let val = record.val;
    let inner = val.get("kwargs").or_else(|| val.get("data")).filter(|v| v.is_object()).unwrap_or(val);
    let chunk = inner.get("type").or_else(|| val.get("type")).is_some_and(|t| t.is("AIMessageChunk"));
    if let Some(id) = inner.str("id").filter(|_| !chunk) {
        let next = talk.seen.len();
        if talk.seen.insert(id.into_owned(), next).is_some() {
            return log.skipped("message again");
        }
    }
    let draft = Draft { name: node.map(Into::into), ..talk.draft(record, val) };
    if !talk.say_as(record, val, Speaker::Person, &draft, log) {
        talk.unknown(record, "message", log);
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if is_message(val) {
        return message(talk, record, None, log);
    }
    if val.is_array() {
        talk.next();
        return list(talk, record, val, None, log);
    }
    if let Some(found) = list_of(val) {
        // Streamed states repeat what was said; a file of states is a file of runs.
        let again = found.items().next().and_then(|m| {
            let inner = m.get("kwargs").or_else(|| m.get("data")).unwrap_or(m);
            inner.str("id").map(|i| talk.seen.contains_key(i.as_ref()))
        });
        if again != Some(true) {
            talk.next();
        }
        talk.id(val.get("thread_id").or_else(|| val.path(&["config", "configurable", "thread_id"])));
        return list(talk, record, found, None, log);
    }
    if updates(val) {
        for (node, inner) in val.entries() {
            if let Some(found) = list_of(inner) {
                list(talk, record, found, Some(&node), log);
            }
        }
        return;
    }
    talk.unknown(record, &val.str("type").unwrap_or("no message".into()), log);
}
