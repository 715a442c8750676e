//! OpenAI Responses. `store` is false: what is judged is not to be kept at the provider.
//!
//! A stream ends with the whole answer in one event, which then stands for its pieces.
//! Source: the interface reference of OpenAI, 2026-10.

use serde_json::{Value, json};

use super::{Ask, Dialect, End, Endpoint, Reply, Rung, count};
use crate::json::Val;

pub fn body(endpoint: &Endpoint, dialect: Dialect, ask: &Ask, user: &str) -> (String, Value) {
    let mut body = json!({
        "model": endpoint.model,
        "instructions": ask.system,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": user}]}],
        "max_output_tokens": ask.max_output,
        "store": false,
    });
    match dialect.rung {
        Rung::Schema => {
            body["text"] = json!({"format": {
                "type": "json_schema", "name": "judgement", "strict": true, "schema": ask.schema
            }});
        }
        Rung::ObjectWithSchema | Rung::Object => body["text"] = json!({"format": {"type": "json_object"}}),
        Rung::Text => {}
    }
    if dialect.stream {
        body["stream"] = json!(true);
    }
    (format!("{}/responses", endpoint.base), body)
}

/// An answer, or an event of a stream.
pub fn read(root: Val<'_>, reply: &mut Reply) -> bool {
    match root.str("type").as_deref() {
        Some("response.output_text.delta") => {
            reply.text.push_str(&root.str("delta").unwrap_or_default());
            true
        }
        Some("response.refusal.delta") => {
            reply.why.push_str(&root.str("delta").unwrap_or_default());
            true
        }
        Some("response.completed" | "response.incomplete" | "response.failed") => {
            root.get("response").is_some_and(|r| whole(r, reply))
        }
        Some(event) if event.starts_with("response.") => true,
        _ => whole(root, reply),
    }
}

fn whole(root: Val<'_>, reply: &mut Reply) -> bool {
    let Some(output) = root.get("output").filter(|o| o.is_array()) else { return false };
    if let Some(model) = root.str("model") {
        reply.model = Some(model.into_owned());
    }
    count(reply, root.some("usage"), "input_tokens", "output_tokens");
    let (mut text, mut why) = (String::new(), String::new());
    let parts = output.items().filter_map(|item| item.some("content")).flat_map(|c| c.items());
    for part in parts {
        match part.str("type").as_deref() {
            Some("output_text") => text.push_str(&part.str("text").unwrap_or_default()),
            Some("refusal") => why.push_str(&part.str("refusal").unwrap_or_default()),
            _ => {}
        }
    }
    reply.text = text;
    let reason = root.path(&["incomplete_details", "reason"]).and_then(|r| r.as_str());
    reply.end = match (root.str("status").as_deref(), reason.as_deref()) {
        _ if !why.is_empty() => End::Refused,
        (Some("incomplete"), Some("content_filter")) => End::Filtered,
        (Some("incomplete"), _) => End::Limit,
        _ => End::Whole,
    };
    reply.why = why;
    true
}
