//! What a call and its observation say in a few words, on an arrow. O(length of the arguments).

use super::escape::{LABEL, label};
use crate::json::Tape;
use crate::model::{ArgsForm, Call, CallStatus};

/// Arguments that say what a call is about, the most telling first.
const TELLING: [&str; 22] = [
    "command",
    "cmd",
    "file_path",
    "path",
    "filename",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "uri",
    "description",
    "prompt",
    "question",
    "text",
    "name",
    "title",
    "subject",
    "expression",
    "code",
    "script",
    "input",
    "message",
];
/// Those of them that are paths, of which the end says most.
const PATHS: [&str; 4] = ["file_path", "path", "filename", "notebook_path"];

/// The call in few words: its most telling argument, else all of them.
pub fn call_label(call: &Call) -> String {
    if call.args.form != ArgsForm::Json {
        return label(&call.args.raw, LABEL);
    }
    let mut tape = Tape::new();
    let root = tape.parse(&call.args.raw).root();
    for key in TELLING {
        let Some(value) = root.get(key) else { continue };
        if let Some(text) = value.as_str() {
            if PATHS.contains(&key) {
                return label(text.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(&text), LABEL);
            }
            if !text.trim().is_empty() {
                return label(&text, LABEL);
            }
        } else if value.is_array() {
            // `["bash","-lc","git status"]`
            let words: Vec<_> = value.items().filter_map(|v| v.as_str()).collect();
            if let Some(last) = words.last() {
                let shell = words.len() == 3 && words[1].starts_with('-') && words[0].ends_with("sh");
                return label(&if shell { last.to_string() } else { words.join(" ") }, LABEL);
            }
        }
    }
    let raw = call.args.raw.trim();
    if matches!(raw, "" | "{}" | "null" | "[]") { String::new() } else { label(raw, LABEL) }
}

/// What came back, in few words, with the time when it took a second or more.
pub fn result_label(call: &Call) -> String {
    let Some(observation) = &call.observation else { return String::new() };
    let time = call
        .duration_ms
        .filter(|ms| *ms >= 1000.0)
        .map(|ms| format!(", {}", crate::format::duration(ms)))
        .unwrap_or_default();
    let text = &observation.content.text;
    let said = label(text, LABEL - time.chars().count().min(LABEL / 2));
    let said = if said.is_empty() {
        match (call.status, observation.content.media.is_empty()) {
            (_, false) => "▣".to_owned(),
            (CallStatus::Error, true) => "✗".to_owned(),
            _ => "∅".to_owned(),
        }
    } else {
        said
    };
    said + &time
}
