//! browser-use: `AgentHistory.json`, what was thought, done and found on every page.
//!
//! ```json
//! {"history":[{"model_output":{"thinking":"login","next_goal":"click","action":[{"click":{"index":3}}]},
//!   "result":[{"error":"not found"}],"state":{"url":"https://e.example"},"metadata":{"step_start_time":1.0}}]}
//! ```
//!
//! Actions and results stand side by side by their position. A step without a model's answer is an error of the
//! program. Screenshots are paths, in older files pictures. O(bytes).

use super::part::moment;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Media, Observation, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "browser-use",
    label: "browser-use",
    files: "agent histories",
    marks: &["history", "model_output", "result", "state", "metadata"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_step(val: Val<'_>) -> bool {
    val.has("model_output") && val.get("result").is_some_and(Val::is_array)
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| v.get("history").is_some_and(|h| h.items().any(is_step)) || is_step(v)) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("history"), "/history")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    match val.get("history") {
        Some(list) => {
            talk.next();
            record.each(list, |one| step(talk, one, log));
        }
        None if is_step(val) => step(talk, record, log),
        None => talk.unknown(record, "no history", log),
    }
}

fn step(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    log.understood();
    let time = |key: &str| val.path(&["metadata", key]).and_then(moment);
    let (start, end) = (time("step_start_time"), time("step_end_time"));
    let draft = Draft { at: start, span: record.span(), ..Draft::default() };
    let mut steps = Vec::new();
    if let Some(output) = val.some("model_output") {
        let turn = talk.run.new_turn(0);
        let draft = Draft { turn: Some(turn), ..draft.clone() };
        // Older files keep the thoughts one level down.
        let brain = output.some("current_state").unwrap_or(output);
        for key in ["thinking", "evaluation_previous_goal", "memory", "next_goal"] {
            let label = (key != "thinking").then(|| key.into());
            talk.text(StepKind::Thought, &brain.str(key).unwrap_or_default(), Draft { label, ..draft.clone() });
        }
        for action in output.get("action").into_iter().flat_map(Val::items) {
            let Some((tool, args)) = action.entries().find(|(_, v)| !v.is_null()) else { continue };
            let draft = Draft { span: record.span_of(action), ..draft.clone() };
            steps.push(talk.run.call(None, &tool, json_args(args.raw()), draft));
        }
    }
    let state = val.some("state");
    for (i, result) in val.get("result").into_iter().flat_map(Val::items).enumerate() {
        let error = result.str("error").filter(|e| !e.is_empty());
        let done = result.bool("is_done") == Some(true);
        if done {
            let verdict = match result.bool("success") {
                Some(true) => Verdict::Passed,
                Some(false) => Verdict::Failed,
                None => Verdict::Finished,
            };
            talk.outcome(verdict, "done", None);
        }
        let text = error.clone().or_else(|| result.str("extracted_content")).unwrap_or_default();
        let Some(step) = steps.get(i) else {
            if let Some(error) = error {
                talk.notice("error", &error, true, Draft { at: end.or(start), ..draft.clone() });
            }
            continue;
        };
        let mut content = Content::text(text.as_ref());
        let shot = |key: &str| state.and_then(|s| s.str(key)).filter(|s| !s.is_empty());
        if i == 0 {
            if let Some(data) = shot("screenshot") {
                content.media.push(Media {
                    mime: "image/png".into(),
                    data: Some(data.as_ref().into()),
                    reference: None,
                });
            } else if let Some(path) = shot("screenshot_path") {
                content.media.push(Media {
                    mime: "image/png".into(),
                    data: None,
                    reference: Some(path.as_ref().into()),
                });
            }
        }
        let status = if error.is_some() { CallStatus::Error } else { CallStatus::Ok };
        let observation = Observation { content, at: end, span: record.span_of(result), ..Observation::default() };
        talk.run.answer_to(*step, observation, status);
    }
    if talk.run.run.facts.is_empty() {
        talk.fact("url", state.and_then(|s| s.get("url")));
    }
}
