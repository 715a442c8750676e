//! VS Code's Copilot Chat: the debug log that "Export All Prompts as JSON" writes (`.chatreplay.json`).
//!
//! ```json
//! {"exportedAt":"…","prompts":[{"prompt":"create a file","logs":[
//!  {"kind":"request","response":{"type":"success","message":["ok"]},"metadata":{"model":"m","usage":{}}},
//!  {"kind":"toolCall","id":"c","tool":"create_file","args":"{}","time":"…","response":["done"]}]}]}
//! ```
//!
//! One prompt of the person may stand several times, once for every round of the agent: the same text follows itself
//! and counts once. Requests repeat the whole conversation, which is left alone; elements are pieces of the prompt.
//! O(bytes).

use super::chat::Speaker;
use super::dialect::Msg;
use super::part::{moment, told_status};
use super::said::answer;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args, string_args};
use crate::json::Val;
use crate::model::{CallStatus, Observation, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "vscode-copilot",
    label: "VS Code Copilot",
    files: "exported prompts (.chatreplay.json)",
    marks: &["exportedAt", "prompts", "logs", "prompt", "totalLogEntries"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_prompt(val: Val<'_>) -> bool {
    val.has("prompt") && val.get("logs").is_some_and(Val::is_array)
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_prompt(v) || v.get("prompts").is_some_and(|p| p.items().any(is_prompt))) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("prompts"), "/prompts")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if let Some(list) = val.get("prompts") {
        talk.run.agent("GitHub Copilot", None);
        talk.fact("exported", val.get("exportedAt"));
        return record.each(list, |one| each(talk, one, log));
    }
    if !is_prompt(val) {
        return talk.unknown(record, "no logs", log);
    }
    log.understood();
    let text = val.str("prompt").unwrap_or_default();
    let again =
        talk.run.run.steps.iter().rev().find(|s| s.kind == StepKind::Person).is_some_and(|s| *s.content.text == *text);
    let logs = val.get("logs");
    if !again {
        let at = logs.and_then(|l| l.items().find_map(|l| l.path(&["metadata", "startTime"]).and_then(moment)));
        let span = val.get("prompt").map(|p| record.span_of(p)).unwrap_or_default();
        let draft = Draft { at, ..Draft::default() };
        talk.tell(Msg::text(Speaker::Person, &text, span), &draft);
    }
    // A round writes its tools before the request that asked for the next ones; the time tells.
    for entry in logs.into_iter().flat_map(Val::items) {
        let draft = Draft { span: record.span_of(entry), ..Draft::default() };
        match entry.str("kind").unwrap_or_default().as_ref() {
            "request" => request(talk, entry, draft),
            "toolCall" => tool(talk, entry, draft),
            "element" => {}
            other => {
                log.unknown_part(&format!("log/{other}"));
                talk.text(
                    StepKind::Raw,
                    &super::part::cut(entry.raw(), 20_000),
                    Draft { label: Some(other.into()), ..draft },
                );
            }
        }
    }
}

fn request(talk: &mut Talk, entry: Val<'_>, draft: Draft) {
    let meta = entry.some("metadata");
    talk.tools(meta.and_then(|m| m.get("tools")));
    let turn = talk.run.new_turn(0);
    if let Some(model) = meta.and_then(|m| m.str("model")) {
        talk.run.model(turn, &model);
    }
    if let Some(usage) = meta.and_then(|m| m.some("usage")) {
        talk.run.usage(turn, usage_in(usage));
    }
    let at = meta.and_then(|m| m.some("endTime")).and_then(moment);
    let draft = Draft { turn: Some(turn), at, ..draft };
    talk.turn = Some(turn);
    let response = entry.some("response");
    let said = response.and_then(|r| r.some("message").or_else(|| r.some("value")));
    let text = said.map(|s| answer(s).0.text).unwrap_or_default();
    let failed = response.is_some_and(|r| r.str("type").is_some_and(|t| t != "success"));
    if failed {
        let reason = response.and_then(|r| r.str("reason").or_else(|| r.str("type"))).unwrap_or_default();
        return talk.notice("error", if text.is_empty() { &reason } else { &text }, true, draft);
    }
    talk.text(StepKind::Say, &text, draft);
}

fn tool(talk: &mut Talk, entry: Val<'_>, draft: Draft) {
    let args = match entry.some("args") {
        Some(args) if args.is_string() => string_args(&args.text()),
        Some(args) => json_args(args.raw()),
        None => json_args("{}"),
    };
    let at = entry.some("time").and_then(moment);
    let draft = Draft { turn: talk.turn, ..draft };
    if let Some(thought) = entry.path(&["thinking", "text"]) {
        talk.text(StepKind::Thought, &answer(thought).0.text, draft.clone());
    }
    let id = entry.str("id");
    let step =
        talk.run.call(id.as_deref(), &entry.str("tool").unwrap_or_default(), args, Draft { at, ..draft.clone() });
    if let Some(response) = entry.some("response") {
        let (content, status) = answer(response);
        let status = if status == CallStatus::Unknown { told_status(&content.text).0 } else { status };
        let observation = Observation { content, span: draft.span, ..Observation::default() };
        talk.run.answer_to(step, observation, status);
    }
}
