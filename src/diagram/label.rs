//! What a call and its observation say in a few words, on an arrow. O(length of the arguments).

use super::escape::{LABEL, label};
use crate::json::Tape;
use crate::model::{ArgsForm, Call, CallStatus, Telling, telling};

/// The call in few words: its most telling argument (of a path the end, which says most), else all of them.
pub fn call_label(call: &Call) -> String {
    if call.args.form != ArgsForm::Json {
        return label(&call.args.raw, LABEL);
    }
    let mut tape = Tape::new();
    match telling(tape.parse(&call.args.raw).root()) {
        Some(Telling { text, path: true, .. }) => {
            label(text.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(&text), LABEL)
        }
        Some(Telling { text, .. }) => label(&text, LABEL),
        None => {
            let raw = call.args.raw.trim();
            if matches!(raw, "" | "{}" | "null" | "[]") { String::new() } else { label(raw, LABEL) }
        }
    }
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
