//! OSWorld's `traj.jsonl`: one action on a desktop a line, with the picture that it gave beside the file.
//!
//! ```json
//! {"step_num":1,"action_timestamp":"20260901@100000","action":"pyautogui.click(10,20)","response":"I click","reward":0,"done":false,"screenshot_file":"step_1.png"}
//! ```
//!
//! `DONE`, `FAIL` and `WAIT` are actions too. The reward of the last line is the outcome. O(bytes).

use super::part::moment;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args, text_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Media, Observation, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "osworld",
    label: "OSWorld",
    files: "traj.jsonl",
    marks: &["step_num", "action", "reward", "done", "screenshot_file", "action_timestamp"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_line(val: Val<'_>) -> bool {
    val.has("step_num") && val.has("action") && val.has("reward") && val.has("done")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_line) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("step_num"), "/0/step_num")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if !is_line(val) {
        if let Some(error) = val.str("Error").or_else(|| val.str("error")) {
            log.understood();
            let draft = talk.draft(record, val);
            talk.notice("error", &error, true, draft);
            return talk.outcome(Verdict::Error, &error, None);
        }
        return talk.unknown(record, "no action", log);
    }
    log.understood();
    let at = val.some("action_timestamp").and_then(moment);
    let turn = talk.run.new_turn(0);
    let draft = Draft { at, turn: Some(turn), span: record.span(), ..Draft::default() };
    talk.text(StepKind::Thought, &val.some("response").map(Val::text).unwrap_or_default(), draft.clone());
    let Some(action) = val.get("action") else { return };
    let text = action.text();
    let tool = text.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default().trim();
    let plain = !tool.is_empty() && tool.len() < 40 && tool.chars().all(|c| c.is_alphanumeric() || c == '_');
    let args = if action.is_object() { json_args(action.raw()) } else { text_args(&text) };
    let step = talk.run.call(None, if plain { tool } else { "action" }, args, draft.clone());
    let info = val.some("info");
    let error = info.and_then(|i| i.str("error").or_else(|| i.str("message")));
    let file = val.str("screenshot_file").filter(|f| !f.is_empty());
    let media = file.map(|f| Media { mime: "image/png".into(), data: None, reference: Some(f.as_ref().into()) });
    if media.is_some() || error.is_some() {
        let content =
            Content { text: error.clone().unwrap_or_default().as_ref().into(), media: media.into_iter().collect() };
        let status = if error.is_some() { CallStatus::Error } else { CallStatus::Ok };
        talk.run.answer_to(step, Observation { content, span: draft.span, ..Observation::default() }, status);
    } else {
        talk.run.close_call(step, CallStatus::Ok);
    }
    if val.bool("done") == Some(true) {
        let reward = val.f64("reward");
        let verdict = match reward {
            Some(r) if r >= 1.0 => Verdict::Passed,
            Some(_) => Verdict::Failed,
            None => Verdict::Finished,
        };
        if let Some(reward) = reward {
            talk.run.run.labels.push(("reward".into(), reward.to_string()));
        }
        talk.outcome(verdict, &text, reward);
    }
}
