//! OpenAI chat messages, the common tongue: a list of messages, `{"messages", "tools"}`, fine-tuning files with one
//! conversation a line, logs with one message a line, whole `chat.completion` responses, and what proxies such as
//! LiteLLM log (`{"messages", "response", "cost"}`).
//!
//! ```json
//! {"messages":[{"role":"user","content":"weather?"},
//!  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"w","arguments":"{}"}}]},
//!  {"role":"tool","tool_call_id":"c1","content":"5 °C"}],"tools":[]}
//! ```
//!
//! Arguments are a JSON text that may be no JSON; ids may be missing or used twice. Whether a tool failed is said only by
//! flags that some writers add, or by the wrapper of a shell. Usage is in responses only. O(bytes).

use super::chat::{are_messages, is_message};
use super::conversation::{Conversations, is_response, list_of, response_of};
use super::{Format, Reason, Sample, Sniff};
use crate::json::Val;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "openai-chat",
    label: "OpenAI chat messages",
    files: "message lists, fine-tuning files, completions",
    marks: &["messages", "role", "content", "tool_calls", "tool_call_id", "arguments"],
    sniff,
    reader: || Box::new(Conversations::new(FORMAT.id)),
};

fn holds(val: Val<'_>) -> bool {
    is_message(val)
        || list_of(val).is_some()
        || (val.is_array() && are_messages(val))
        || is_response(val)
        || response_of(val).is_some()
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if let Some(root) = sample.object() {
        if holds(root) {
            return Sniff::Yes;
        }
        return match root.get("messages") {
            Some(list) if !list.is_array() => Sniff::near(1, Reason::NotA("messages", "array"), "/messages"),
            Some(list) if list.items().any(|m| m.has("role")) => {
                Sniff::near(2, Reason::NoKey("content"), "/messages/0/content")
            }
            Some(_) => Sniff::near(1, Reason::NoKey("role"), "/messages/0/role"),
            None if root.has("role") => Sniff::near(1, Reason::NoKey("content"), "/content"),
            None => Sniff::no(Reason::NeedsObject("messages"), "/messages"),
        };
    }
    let records = || sample.records.iter().copied().filter(|v| v.is_object() || v.is_array());
    let hits = records().filter(|v| holds(*v)).count();
    if hits > 0 && hits * 2 >= records().count() {
        return Sniff::Yes;
    }
    if sample.any(|v| v.has("role")) {
        return Sniff::near(2, Reason::NoKey("content"), "/0/content");
    }
    if sample.any(|v| v.has("content")) {
        return Sniff::near(1, Reason::NoKey("role"), "/0/role");
    }
    Sniff::no(Reason::NeedsRecords("role"), "/0/role")
}
