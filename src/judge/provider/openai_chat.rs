//! OpenAI-compatible chat completions: OpenAI, LM Studio, vLLM, llama.cpp, OpenRouter and many more.
//!
//! `max_tokens` is deprecated and refused by some models, `max_completion_tokens` unknown to some local servers; so the
//! dialect says which. No temperature: reasoning models refuse it. Source: the interface reference of OpenAI, 2026-10.

use serde_json::{Value, json};

use super::{Ask, Dialect, End, Endpoint, Reply, Rung, count};
use crate::json::Val;

pub fn body(endpoint: &Endpoint, dialect: Dialect, ask: &Ask, user: &str) -> (String, Value) {
    let mut body = json!({
        "model": endpoint.model,
        "messages": [{"role": "system", "content": ask.system}, {"role": "user", "content": user}],
    });
    let format = match dialect.rung {
        Rung::Schema => Some(json!({
            "type": "json_schema",
            "json_schema": {"name": "judgement", "strict": true, "schema": ask.schema}
        })),
        Rung::ObjectWithSchema => Some(json!({"type": "json_object", "schema": ask.schema})),
        Rung::Object => Some(json!({"type": "json_object"})),
        Rung::Text => None,
    };
    if let Some(format) = format {
        body["response_format"] = format;
    }
    body[if dialect.old_limit { "max_tokens" } else { "max_completion_tokens" }] = json!(ask.max_output);
    if dialect.stream {
        body["stream"] = json!(true);
        body["stream_options"] = json!({"include_usage": true});
    }
    (format!("{}/chat/completions", endpoint.base), body)
}

/// An answer, or a piece of one.
pub fn read(root: Val<'_>, reply: &mut Reply) -> bool {
    if let Some(model) = root.str("model") {
        reply.model = Some(model.into_owned());
    }
    count(reply, root.some("usage"), "prompt_tokens", "completion_tokens");
    let Some(choices) = root.get("choices").filter(|c| c.is_array()) else { return false };
    let Some(choice) = choices.items().next() else { return true };
    let said = choice.some("message").or_else(|| choice.some("delta"));
    let mut refused = false;
    if let Some(said) = said {
        match said.some("content") {
            Some(parts) if parts.is_array() => {
                for text in parts.items().filter_map(|p| p.str("text")) {
                    reply.text.push_str(&text);
                }
            }
            Some(text) => reply.text.push_str(&text.as_str().unwrap_or_default()),
            None => {}
        }
        if let Some(why) = said.str("refusal").filter(|w| !w.is_empty()) {
            reply.why.push_str(&why);
            refused = true;
        }
    }
    match choice.str("finish_reason").as_deref() {
        Some("length") => reply.end = End::Limit,
        Some("content_filter") => reply.end = End::Filtered,
        Some(_) => reply.end = End::Whole,
        None => {}
    }
    if refused || !reply.why.is_empty() && reply.end == End::Whole {
        reply.end = End::Refused;
    }
    true
}
