//! Anthropic Messages, straight from a browser: that needs a header of its own, which an organisation can forbid.
//!
//! No temperature: newer models refuse it. Source: the interface definition of Anthropic's SDK 1.14, 2026-10.

use serde_json::{Value, json};

use super::{Ask, Dialect, End, Endpoint, Reply, Rung, count};
use crate::json::Val;

pub fn headers(dialect: Dialect) -> Vec<(&'static str, &'static str)> {
    let version = if dialect.old_version { "2023-06-01" } else { "2026-10-21" };
    vec![("anthropic-version", version), ("anthropic-dangerous-direct-browser-access", "true")]
}

pub fn body(endpoint: &Endpoint, dialect: Dialect, ask: &Ask, user: &str) -> (String, Value) {
    let mut body = json!({
        "model": endpoint.model,
        "max_tokens": ask.max_output,
        "system": ask.system,
        "messages": [{"role": "user", "content": user}],
    });
    if dialect.rung == Rung::Schema {
        body["output_config"] = json!({"format": {"type": "json_schema", "schema": ask.schema}});
    }
    if dialect.stream {
        body["stream"] = json!(true);
    }
    // The address is given with or without the version of the path.
    let base = endpoint.base.strip_suffix("/v1").unwrap_or(&endpoint.base);
    (format!("{base}/v1/messages"), body)
}

/// An answer, or an event of a stream.
pub fn read(root: Val<'_>, reply: &mut Reply) -> bool {
    match root.str("type").as_deref() {
        Some("message_start") => root.get("message").is_some_and(|m| {
            head(m, reply);
            true
        }),
        Some("content_block_delta") => {
            reply.text.push_str(&root.path(&["delta", "text"]).and_then(|t| t.as_str()).unwrap_or_default());
            true
        }
        Some("message_delta") => {
            count(reply, root.some("usage"), "input_tokens", "output_tokens");
            stop(root.path(&["delta", "stop_reason"]), reply);
            true
        }
        Some("ping" | "content_block_start" | "content_block_stop" | "message_stop") => true,
        _ => {
            let Some(content) = root.get("content").filter(|c| c.is_array()) else { return false };
            head(root, reply);
            for part in content.items().filter(|p| p.get("type").is_none_or(|t| t.is("text"))) {
                reply.text.push_str(&part.str("text").unwrap_or_default());
            }
            stop(root.get("stop_reason"), reply);
            true
        }
    }
}

fn head(message: Val<'_>, reply: &mut Reply) {
    reply.model = message.str("model").map(|m| m.into_owned()).or(reply.model.take());
    count(reply, message.some("usage"), "input_tokens", "output_tokens");
    // Tokens that came from a cache were sent all the same.
    if let Some(usage) = message.some("usage") {
        let cached = ["cache_read_input_tokens", "cache_creation_input_tokens"].iter().filter_map(|k| usage.u64(k));
        let cached: u64 = cached.fold(0, u64::saturating_add);
        reply.input = reply.input.map(|n| n.saturating_add(cached));
    }
}

fn stop(reason: Option<Val<'_>>, reply: &mut Reply) {
    match reason.and_then(|r| r.as_str()).as_deref() {
        Some("max_tokens") => reply.end = End::Limit,
        Some("refusal") => reply.end = End::Refused,
        Some("model_context_window_exceeded") => reply.end = End::Window,
        Some(_) => reply.end = End::Whole,
        None => {}
    }
}
