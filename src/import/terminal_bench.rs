//! Terminal-Bench 1: `results.json`, what became of every trial, without its steps.
//!
//! ```json
//! {"results":[{"task_id":"hello-world","trial_name":"hello-world.1-of-1","is_resolved":true,"failure_mode":"unset",
//!   "parser_results":{"test_hello":"passed"},"total_input_tokens":5,"trial_started_at":"…"}],"accuracy":1.0}
//! ```
//!
//! Every trial is a run whose one step names its tests; the steps themselves are in the trial's own folder
//! (`agent-logs`, `sessions/*.cast`). O(bytes).

use super::part::moment;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{StepKind, Usage, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "terminal-bench",
    label: "Terminal-Bench",
    files: "results.json",
    marks: &["results", "is_resolved", "trial_name", "task_id", "failure_mode", "parser_results"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_trial(val: Val<'_>) -> bool {
    val.has("is_resolved") && val.has("task_id") && (val.has("trial_name") || val.has("failure_mode"))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_trial(v) || v.get("results").is_some_and(|r| r.items().any(is_trial))) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("results"), "/results")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    match val.get("results").filter(|r| r.is_array()) {
        Some(list) => record.each(list, |one| trial(talk, one, log)),
        None if is_trial(val) => trial(talk, record, log),
        None => talk.unknown(record, "no results", log),
    }
}

fn trial(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    talk.next();
    log.understood();
    talk.id(val.get("trial_name").or_else(|| val.get("id")));
    talk.run.run.title = super::part::cut(&val.str("task_id").unwrap_or_default(), 120);
    talk.label("task", val.get("task_id"));
    talk.label("resolved", val.get("is_resolved"));
    let (input, output) = (val.u64("total_input_tokens"), val.u64("total_output_tokens"));
    if input.is_some() || output.is_some() {
        talk.run.run.totals = Some(Usage { input, output, ..Usage::default() });
    }
    let time = |key: &str| val.some(key).and_then(moment);
    let draft = Draft { at: time("trial_started_at"), span: record.span(), ..Draft::default() };
    if let Some(task) = val.get("instruction") {
        talk.text(StepKind::Person, &task.text(), Draft { span: record.span_of(task), ..draft.clone() });
    }
    let end = Draft { at: time("trial_ended_at").or(draft.at), ..draft };
    let mode = val.str("failure_mode").filter(|m| m != "unset" && m != "none").unwrap_or_default();
    for (name, result) in val.some("parser_results").into_iter().flat_map(Val::entries) {
        let word = result.text();
        talk.label(&format!("test {name}"), Some(result));
        talk.notice(&name, &word, word != "passed", end.clone());
    }
    if talk.run.is_empty() {
        talk.notice("result", &mode, false, end);
    }
    let verdict = match (val.bool("is_resolved"), mode.as_ref()) {
        (Some(true), _) => Verdict::Passed,
        (_, "agent_timeout" | "test_timeout") => Verdict::Limit,
        (Some(false), _) => Verdict::Failed,
        (None, _) => Verdict::Error,
    };
    talk.outcome(verdict, &mode, None);
}
