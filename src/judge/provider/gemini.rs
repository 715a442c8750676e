//! Gemini's own interface. The model stands in the path, the key in a header and never in the address.
//!
//! Source: the interface definition of Google's SDK, 2026-10.

use serde_json::{Value, json};

use super::{Ask, Dialect, End, Endpoint, Reply, Rung, count};
use crate::json::Val;

pub fn body(endpoint: &Endpoint, dialect: Dialect, ask: &Ask, user: &str) -> (String, Value) {
    let mut config = json!({"maxOutputTokens": ask.max_output});
    if dialect.rung != Rung::Text {
        config["responseMimeType"] = json!("application/json");
    }
    if dialect.rung == Rung::Schema {
        config["responseJsonSchema"] = ask.schema.clone();
    }
    let body = json!({
        "systemInstruction": {"parts": [{"text": ask.system}]},
        "contents": [{"role": "user", "parts": [{"text": user}]}],
        "generationConfig": config,
    });
    let method = if dialect.stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
    (format!("{}/models/{}:{method}", endpoint.base, encoded(&endpoint.model)), body)
}

/// A model's name as a part of a path: what a name is not made of is percent-encoded.
fn encoded(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// An answer, or a piece of one: they have one shape.
pub fn read(root: Val<'_>, reply: &mut Reply) -> bool {
    count(reply, root.some("usageMetadata"), "promptTokenCount", "candidatesTokenCount");
    if let Some(model) = root.str("modelVersion") {
        reply.model = Some(model.into_owned());
    }
    if let Some(reason) = root.path(&["promptFeedback", "blockReason"]).and_then(|r| r.as_str()) {
        reply.end = End::Filtered;
        reply.why = reason.into_owned();
        return true;
    }
    let Some(candidates) = root.get("candidates").filter(|c| c.is_array()) else {
        return root.has("usageMetadata");
    };
    let Some(candidate) = candidates.items().next() else { return true };
    if let Some(parts) = candidate.path(&["content", "parts"]) {
        // Parts that are thoughts are not the answer.
        for part in parts.items().filter(|p| p.bool("thought") != Some(true)) {
            reply.text.push_str(&part.str("text").unwrap_or_default());
        }
    }
    match candidate.str("finishReason").as_deref() {
        Some("MAX_TOKENS") => reply.end = End::Limit,
        Some("STOP") => reply.end = End::Whole,
        Some(reason) => {
            reply.end = End::Filtered;
            reply.why = reason.to_owned();
        }
        None => {}
    }
    true
}
