//! Anthropic Messages: requests `{"model", "system", "messages"}`, responses `{"type": "message", "content", "usage"}`,
//! both in one object, lists of messages with content blocks, and any of these one a line.
//!
//! ```json
//! {"system":"Be brief","messages":[{"role":"user","content":"weather?"},
//!  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"w","input":{}}]},
//!  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"5 °C"},{"type":"text","text":"hurry"}]}]}
//! ```
//!
//! Results stand in the user's message, beside what the person says; those of tools that run at the provider stand in
//! the assistant's. `input_tokens` leaves the cache out. A redacted thought is a thought without text. O(bytes).

use super::anthropic_blocks::is_own_block;
use super::chat::{are_messages, is_message};
use super::conversation::{Conversations, list_of, response_of};
use super::{Format, Reason, Sample, Sniff};
use crate::json::Val;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "anthropic-messages",
    label: "Anthropic Messages",
    files: "requests, responses, message lists",
    marks: &["messages", "role", "content", "system", "tool_use_id", "input", "stop_reason"],
    sniff,
    reader: || Box::new(Conversations::new(FORMAT.id)),
};

fn blocks(message: Val<'_>) -> bool {
    message.get("content").is_some_and(|c| c.items().any(is_own_block))
}

fn is_answer(val: Val<'_>) -> bool {
    val.get("type").is_some_and(|t| t.is("message"))
        && val.get("role").is_some_and(|r| r.is("assistant"))
        && val.get("content").is_some_and(Val::is_array)
        && (val.has("stop_reason") || val.path(&["usage", "input_tokens"]).is_some())
}

fn holds(val: Val<'_>) -> bool {
    if val.is_array() {
        return are_messages(val) && val.items().any(blocks);
    }
    if is_answer(val) || (is_message(val) && blocks(val)) || response_of(val).is_some_and(is_answer) {
        return true;
    }
    list_of(val).is_some_and(|list| {
        // `system` at the top with its blocks is nobody else's.
        list.items().any(blocks)
            || val.get("system").is_some_and(|s| s.is_array() || (s.is_string() && val.has("max_tokens")))
    })
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(holds) {
        return Sniff::Yes;
    }
    if let Some(root) = sample.object() {
        return match list_of(root) {
            Some(_) => Sniff::near(1, Reason::NoKey("content[].type"), "/messages/0/content/0/type"),
            None => Sniff::no(Reason::NeedsObject("messages"), "/messages"),
        };
    }
    if sample.any(is_message) {
        return Sniff::near(1, Reason::NoKey("content[].type"), "/0/content/0/type");
    }
    Sniff::no(Reason::NeedsRecords("content"), "/0/content")
}
