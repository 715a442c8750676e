//! Agent Data Protocol: one trajectory a line, in the words that its converters agreed on.
//!
//! ```json
//! {"id":"1","content":[{"class_":"text_observation","content":"…","source":"user"},
//!  {"class_":"api_action","function":"goto","kwargs":{"url":"…"},"description":"…"},{"class_":"web_observation","axtree":"…"}],"details":{}}
//! ```
//!
//! An action's description is the thought before it. Observations follow their action; there are no ids. The last
//! message is `<finish> … </finish>`. O(bytes).

use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args, text_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "agent-data-protocol",
    label: "Agent Data Protocol",
    files: "standardised trajectories",
    marks: &["id", "content", "class_", "details", "kwargs"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_run(val: Val<'_>) -> bool {
    val.get("content").is_some_and(|c| c.items().next().is_some_and(|p| p.has("class_")))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_run) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("class_"), "/content/0/class_")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = val.get("content").filter(|_| is_run(val)) else {
        return talk.unknown(record, "no class_", log);
    };
    talk.next();
    talk.id(val.get("id"));
    for (name, value) in val.get("details").into_iter().flat_map(Val::entries) {
        match name.as_ref() {
            "model_name" | "model" => {
                talk.run.run.model_index(&value.text());
            }
            _ => talk.label(&name, Some(value)),
        }
    }
    if let Some(word) = val.path(&["details", "exit_status"]).and_then(Val::as_str) {
        talk.outcome(if word.contains("exit_") { Verdict::Limit } else { Verdict::Finished }, &word, None);
    }
    let mut open: Option<usize> = None;
    record.each(list, |one| part(talk, one, &mut open, log));
}

fn part(talk: &mut Talk, record: &Record<'_>, open: &mut Option<usize>, log: &mut Log) {
    let val = record.val;
    let draft = Draft { span: record.span(), ..Draft::default() };
    let class = val.str("class_").unwrap_or_default();
    log.understood();
    let thought = |talk: &mut Talk, draft: &Draft| {
        talk.text(StepKind::Thought, &val.str("description").unwrap_or_default(), draft.clone());
    };
    match class.as_ref() {
        "api_action" | "code_action" => {
            let turn = talk.run.new_turn(0);
            let draft = Draft { turn: Some(turn), ..draft };
            thought(talk, &draft);
            *open = Some(if class == "api_action" {
                let args = json_args(val.some("kwargs").map_or("{}", Val::raw));
                talk.run.call(None, &val.str("function").unwrap_or_default(), args, draft)
            } else {
                let language = val.str("language").unwrap_or("code".into());
                talk.run.call(None, &language, text_args(&val.str("content").unwrap_or_default()), draft)
            });
        }
        "message_action" => {
            let turn = talk.run.new_turn(0);
            let draft = Draft { turn: Some(turn), ..draft };
            thought(talk, &draft);
            let text = val.str("content").unwrap_or_default();
            let text = text.trim().trim_start_matches("<finish>").trim_end_matches("</finish>").trim();
            talk.text(StepKind::Say, text, draft);
            *open = None;
        }
        "text_observation" | "web_observation" => {
            let said = ["content", "axtree", "html"].iter().find_map(|k| val.str(k)).unwrap_or_default();
            match open.take() {
                Some(step) => {
                    let (status, exit_code) = super::part::told_status(&said);
                    let status = if class == "web_observation" { CallStatus::Ok } else { status };
                    let content = Content::text(said.as_ref());
                    let observation = Observation { content, exit_code, span: draft.span, ..Observation::default() };
                    talk.run.answer_to(step, observation, status);
                }
                None => {
                    let person = val.get("source").is_none_or(|s| s.is("user")) && class == "text_observation";
                    let kind = if person { StepKind::Person } else { StepKind::Orphan };
                    talk.text(kind, &said, draft);
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
