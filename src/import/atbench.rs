//! ATBench: trajectories that are judged safe or not, with source, kind and harm of the risk.
//!
//! ```json
//! [{"id":1,"contents":[[{"role":"user","content":"…"},{"role":"agent","thought":"","action":"{\"name\":\"f\",\"arguments\":{}}"},
//!  {"role":"environment","content":"…"}]],"label":1,"risk_source":"…","failure_mode":"…","reason":"…"}]
//! ```
//!
//! An action is a call as JSON in a text, or `Complete{"response": …}`, which is the answer. O(bytes).

use super::chat::call_of;
use super::dialect::with_json;
use super::part::told_status;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{Args, CallStatus, Content, Observation, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "atbench",
    label: "ATBench",
    files: "judged trajectories",
    marks: &["contents", "tool_used", "label", "risk_source", "failure_mode"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_row(val: Val<'_>) -> bool {
    val.has("risk_source") && val.get("contents").is_some_and(Val::is_array)
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_row) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("risk_source"), "/0/risk_source")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = val.get("contents").filter(|_| is_row(val)) else {
        return talk.unknown(record, "no contents", log);
    };
    talk.next();
    talk.id(val.get("id"));
    talk.tools(val.get("tool_used"));
    for key in ["label", "risk_source", "failure_mode", "real_world_harm", "reason"] {
        talk.label(key, val.get(key));
    }
    record.each(list, |inner| {
        if inner.val.is_array() {
            inner.each(inner.val, |one| message(talk, one, log));
        } else {
            message(talk, inner, log);
        }
    });
}

fn message(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let draft = talk.draft(record, val);
    let text = val.some("content").map(Val::text).unwrap_or_default();
    log.understood();
    match val.str("role").unwrap_or_default().as_ref() {
        "user" => {
            talk.text(StepKind::Person, &text, draft);
        }
        "environment" => {
            let wrapped = with_json(&text, |v| v.str("status").map(|s| s.into_owned())).flatten();
            let status = match wrapped.as_deref() {
                Some("success") => CallStatus::Ok,
                Some("error" | "failed") => CallStatus::Error,
                _ => told_status(&text).0,
            };
            let observation =
                Observation { content: Content::text(text), span: draft.span.clone(), ..Observation::default() };
            talk.run.observe(None, None, observation, status, draft);
        }
        "agent" => {
            let turn = talk.run.new_turn(0);
            let draft = Draft { turn: Some(turn), ..draft };
            talk.text(StepKind::Thought, &val.str("thought").unwrap_or_default(), draft.clone());
            let action = val.str("action").unwrap_or_default();
            let answer = action.strip_prefix("Complete");
            let said = answer.and_then(|a| with_json(a, |v| v.str("response").map(|r| r.into_owned())).flatten());
            let call: Option<(Option<String>, String, Args)> =
                with_json(&action, call_of).filter(|(_, tool, _)| !tool.is_empty());
            match (said, call) {
                (Some(said), _) => {
                    talk.text(StepKind::Say, &said, draft);
                }
                (None, Some((_, tool, args))) => {
                    talk.run.call(None, &tool, args, draft);
                }
                (None, None) => {
                    talk.text(StepKind::Say, &action, draft);
                }
            }
        }
        other => {
            log.understood -= 1;
            log.records -= 1;
            talk.unknown(record, other, log);
        }
    }
}
