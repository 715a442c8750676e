//! Ollama's own interface. `num_ctx` is set: by default what does not fit is cut off without a word.
//!
//! Source: Ollama's interface description, 2026-10.

use serde_json::{Value, json};

use super::{Ask, Dialect, End, Endpoint, Reply, Rung};
use crate::json::Val;

pub fn body(endpoint: &Endpoint, dialect: Dialect, ask: &Ask, user: &str) -> (String, Value) {
    // In whole kilo-tokens, so that small differences do not make the server load the model anew.
    let context = (ask.input_tokens + u64::from(ask.max_output)).div_ceil(1024).max(4) * 1024;
    let mut body = json!({
        "model": endpoint.model,
        "messages": [{"role": "system", "content": ask.system}, {"role": "user", "content": user}],
        "stream": dialect.stream,
        "think": false,
        "options": {"num_ctx": context, "num_predict": ask.max_output},
    });
    match dialect.rung {
        Rung::Schema => body["format"] = ask.schema.clone(),
        Rung::ObjectWithSchema | Rung::Object => body["format"] = json!("json"),
        Rung::Text => {}
    }
    (format!("{}/api/chat", endpoint.base), body)
}

/// An answer, or a line of one.
pub fn read(root: Val<'_>, reply: &mut Reply) -> bool {
    let Some(message) = root.get("message") else { return false };
    if let Some(model) = root.str("model") {
        reply.model = Some(model.into_owned());
    }
    reply.text.push_str(&message.str("content").unwrap_or_default());
    if root.bool("done") == Some(true) {
        reply.end = if root.get("done_reason").is_some_and(|r| r.is("length")) { End::Limit } else { End::Whole };
    }
    reply.input = root.u64("prompt_eval_count").or(reply.input);
    reply.output = root.u64("eval_count").or(reply.output);
    true
}
