//! AgentDojo: one run of a task, with or without an injected attack.
//!
//! ```json
//! {"suite_name":"banking","user_task_id":"user_task_0","injection_task_id":null,"messages":[
//!  {"role":"assistant","content":null,"tool_calls":[{"function":"read_file","args":{},"id":"t"}]},
//!  {"role":"tool","content":[{"type":"text","content":"…"}],"tool_call_id":"t","error":null}],"utility":true,"security":false}
//! ```
//!
//! `utility` says whether the person's task was done; `security` whether the attack reached its goal. Both are labels,
//! the first is the outcome. O(bytes).

use super::chat::Speaker;
use super::talk::{Talk, reader};
use super::{Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::Verdict;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "agentdojo",
    label: "AgentDojo",
    files: "runs with and without injection",
    marks: &["suite_name", "user_task_id", "injection_task_id", "messages", "utility", "security"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_run(val: Val<'_>) -> bool {
    val.has("suite_name") && val.has("user_task_id") && val.get("messages").is_some_and(Val::is_array)
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_run) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("suite_name"), "/suite_name")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = val.get("messages").filter(|_| is_run(val)) else {
        return talk.unknown(record, "no suite_name", log);
    };
    talk.next();
    let word = |key: &str| val.str(key).unwrap_or_default();
    let attack = val.str("injection_task_id").map(|i| format!(" with {i}")).unwrap_or_default();
    talk.run.run.title = format!("{} {}{attack}", word("suite_name"), word("user_task_id"));
    if let Some(pipeline) = val.str("pipeline_name") {
        talk.run.agent(&pipeline, None);
    }
    for key in ["suite_name", "user_task_id", "injection_task_id", "attack_type", "utility", "security"] {
        talk.label(key, val.get(key));
    }
    record.each(list, |one| {
        if !talk.say(one, one.val, Speaker::Person, log) {
            talk.unknown(one, "message", log);
        }
    });
    if let Some(error) = val.some("error") {
        let draft = talk.draft(record, val);
        talk.notice("error", &error.text(), true, draft);
    }
    match val.bool("utility") {
        Some(true) => talk.outcome(Verdict::Passed, "utility", Some(1.0)),
        Some(false) => talk.outcome(Verdict::Failed, "utility", Some(0.0)),
        None => {}
    }
}
