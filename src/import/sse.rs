//! Answers that a service streamed, put together again: the events of OpenAI's chat and Responses, and of Anthropic.
//!
//! The result is the JSON of the message as it would have come in one piece, so that one reader serves both.
//! O(bytes).

use std::collections::BTreeMap;

use super::dialect::with_json;
use crate::json::{Val, quote};

/// One content block or call that arrives in pieces.
#[derive(Default)]
struct Piece {
    kind: String,
    id: String,
    name: String,
    text: String,
}

/// The message that a stream of `data:` lines tells, as JSON. `None` when it is no such stream.
pub fn assemble(text: &str) -> Option<String> {
    let mut blocks: BTreeMap<u64, Piece> = BTreeMap::new();
    let mut said = String::new();
    let mut calls: BTreeMap<u64, Piece> = BTreeMap::new();
    let mut usage: BTreeMap<String, String> = BTreeMap::new();
    let mut model = String::new();
    let mut whole = None;
    let mut events = 0;
    let note = |usage: &mut BTreeMap<String, String>, model: &mut String, val: Val<'_>| {
        for (key, value) in val.some("usage").into_iter().flat_map(Val::entries) {
            if !value.is_null() && value.as_f64() != Some(0.0) {
                usage.insert(key.into_owned(), value.raw().to_owned());
            }
        }
        if let Some(name) = val.str("model") {
            *model = name.into_owned();
        }
    };
    for data in text.lines().filter_map(|l| l.strip_prefix("data:")).map(str::trim).filter(|d| d.starts_with('{')) {
        with_json(data, |val| {
            events += 1;
            let at = val.u64("index").unwrap_or(0);
            match val.str("type").as_deref() {
                Some("message_start") => {
                    if let Some(message) = val.get("message") {
                        note(&mut usage, &mut model, message);
                    }
                }
                Some("content_block_start") => {
                    let block = val.get("content_block");
                    let word = |key: &str| block.and_then(|b| b.str(key)).unwrap_or_default().into_owned();
                    let text = if word("text").is_empty() { word("thinking") } else { word("text") };
                    blocks.insert(at, Piece { kind: word("type"), id: word("id"), name: word("name"), text });
                }
                Some("content_block_delta") => {
                    let delta = val.get("delta");
                    let more = ["text", "partial_json", "thinking"].iter().find_map(|k| delta.and_then(|d| d.str(k)));
                    blocks.entry(at).or_default().text.push_str(&more.unwrap_or_default());
                }
                Some("message_delta") => note(&mut usage, &mut model, val),
                Some("response.completed" | "response.incomplete" | "response.failed") => {
                    if let Some(response) = val.get("response") {
                        note(&mut usage, &mut model, response);
                        whole = response.get("output").filter(|o| !o.is_empty()).map(|_| response.raw().to_owned());
                    }
                }
                Some("response.output_text.delta") => said.push_str(&val.str("delta").unwrap_or_default()),
                _ => {
                    note(&mut usage, &mut model, val);
                    let delta = val.get("choices").and_then(|c| c.items().next()).and_then(|c| c.get("delta"));
                    said.push_str(&delta.and_then(|d| d.str("content")).unwrap_or_default());
                    for call in delta.and_then(|d| d.get("tool_calls")).into_iter().flat_map(Val::items) {
                        let piece = calls.entry(call.u64("index").unwrap_or(0)).or_default();
                        let function = call.get("function");
                        piece.id.push_str(&call.str("id").unwrap_or_default());
                        piece.name.push_str(&function.and_then(|f| f.str("name")).unwrap_or_default());
                        piece.text.push_str(&function.and_then(|f| f.str("arguments")).unwrap_or_default());
                    }
                }
            }
        });
    }
    if events == 0 {
        return None;
    }
    if whole.is_some() {
        return whole;
    }
    let usage: Vec<String> = usage.iter().map(|(k, v)| format!("{}:{v}", quote(k))).collect();
    let tail = format!("\"model\":{},\"usage\":{{{}}}", quote(&model), usage.join(","));
    if !blocks.is_empty() {
        let list: Vec<String> = blocks.values().map(block).collect();
        return Some(format!("{{\"role\":\"assistant\",\"content\":[{}],{tail}}}", list.join(",")));
    }
    let list: Vec<String> = calls
        .values()
        .map(|c| {
            let function = format!("{{\"name\":{},\"arguments\":{}}}", quote(&c.name), quote(&c.text));
            format!("{{\"id\":{},\"type\":\"function\",\"function\":{function}}}", quote(&c.id))
        })
        .collect();
    let body = format!("\"content\":{},\"tool_calls\":[{}]", quote(&said), list.join(","));
    Some(format!("{{\"role\":\"assistant\",{body},{tail}}}"))
}

fn block(piece: &Piece) -> String {
    match piece.kind.as_str() {
        kind if kind.ends_with("tool_use") => {
            // What was cut off is no JSON; it stays a text.
            let whole = with_json(&piece.text, |v| v.is_object()) == Some(true);
            let input = if piece.text.is_empty() {
                "{}".to_owned()
            } else if whole {
                piece.text.clone()
            } else {
                quote(&piece.text)
            };
            format!(
                "{{\"type\":{},\"id\":{},\"name\":{},\"input\":{input}}}",
                quote(kind),
                quote(&piece.id),
                quote(&piece.name)
            )
        }
        "thinking" => format!("{{\"type\":\"thinking\",\"thinking\":{}}}", quote(&piece.text)),
        _ => format!("{{\"type\":\"text\",\"text\":{}}}", quote(&piece.text)),
    }
}
