//! CrewAI's `output_log_file` as JSON: what every task was and gave, without the steps between.
//!
//! ```json
//! [{"timestamp":"2026-01-01 10:00:00","task_name":"research","task":"Find X","agent":"Researcher","status":"completed","output":"X is 42"}]
//! ```
//!
//! A task is a call to its agent. Steps and tools are in a tracer's export only. Times are local. O(bytes).

use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::{Val, quote};
use crate::model::{CallStatus, Content, Observation};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "crewai",
    label: "CrewAI",
    files: "output_log_file as JSON",
    marks: &["task_name", "task", "agent", "status", "output"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_line(val: Val<'_>) -> bool {
    val.has("task") && val.has("agent") && val.has("status") && val.has("timestamp")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_line) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("task_name"), "/0/task_name")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if !is_line(val) {
        return talk.unknown(record, "no task", log);
    }
    log.understood();
    let agent = val.str("agent").unwrap_or_default();
    let task = val.str("task").unwrap_or_default();
    let draft = Draft { name: Some(agent.as_ref().into()), ..talk.draft(record, val) };
    let key = format!("{agent}\n{task}");
    let status = val.str("status").unwrap_or_default();
    let begun = talk.seen.remove(&key);
    let step = begun.unwrap_or_else(|| {
        let name = val.str("task_name").unwrap_or_default();
        let args = format!("{{\"task\":{},\"name\":{}}}", quote(&task), quote(&name));
        talk.run.call(None, &agent, json_args(&args), draft.clone())
    });
    if talk.run.run.title.is_empty() {
        talk.run.run.title = super::part::cut(&task, 120);
    }
    if status == "started" {
        talk.seen.insert(key, step);
        return;
    }
    let content = Content::text(val.some("output").map(Val::text).unwrap_or_default());
    let observation = Observation { content, at: draft.at, span: draft.span, ..Observation::default() };
    talk.run.answer_to(step, observation, if status == "failed" { CallStatus::Error } else { CallStatus::Ok });
}
