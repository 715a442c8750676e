//! smolagents: `agent.memory.get_full_steps()`, the short steps, or a whole run result.
//!
//! ```json
//! [{"task":"weather?"},{"step_number":1,"model_output":"Thought: …","tool_calls":[{"id":"c","function":{"name":"python_interpreter","arguments":"print(1)"}}],
//!   "observations":"1","error":null,"token_usage":{"input_tokens":5,"output_tokens":1},"timing":{"start_time":1.0}}]
//! ```
//!
//! Steps have no type; their keys tell. Code is an argument that is no JSON. The results of parallel calls are joined
//! into one text, which then stands at the first of them. Managed agents show only in what the code printed. The
//! messages that went to the model repeat everything and are left alone. O(bytes).

use super::chat::call_of;
use super::part::moment;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, text_args};
use crate::json::Val;
use crate::model::{ArgsForm, CallStatus, Content, Observation, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "smolagents",
    label: "smolagents",
    files: "memory steps, run results",
    marks: &["step_number", "model_output", "observations", "code_action", "task"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_step(val: Val<'_>) -> bool {
    val.has("step_number") && (val.has("model_output") || val.has("observations") || val.has("model_output_message"))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_step(v) || v.get("steps").is_some_and(|s| s.items().any(is_step))) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("step_number") => Sniff::near(1, Reason::NoKey("model_output"), "/0/model_output"),
        _ => Sniff::no(Reason::NeedsRecords("step_number"), "/0/step_number"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if let Some(list) = val.get("steps").filter(|s| s.is_array()) {
        record.each(list, |one| each(talk, one, log));
        if let Some(state) = val.str("state") {
            let verdict = if state == "success" { Verdict::Finished } else { Verdict::Limit };
            talk.outcome(verdict, &state, None);
        }
        return;
    }
    let draft = talk.draft(record, val);
    if is_step(val) {
        log.understood();
        return step(talk, record, draft);
    }
    if let Some(text) = val.str("task") {
        log.understood();
        talk.run.say(StepKind::Person, Content::text(text.as_ref()), draft);
    } else if let Some(text) = val.str("system_prompt") {
        log.understood();
        talk.run.say(StepKind::System, Content::text(text.as_ref()), draft);
    } else if let Some(text) = val.str("plan") {
        log.understood();
        let turn = talk.run.new_turn(0);
        talk.run.usage(turn, val.some("token_usage").map(usage_in).unwrap_or_default());
        talk.run.say(
            StepKind::Thought,
            Content::text(text.as_ref()),
            Draft { turn: Some(turn), label: Some("plan".into()), ..draft },
        );
    } else if let Some(output) = val.get("output").or_else(|| val.get("final_answer")) {
        log.understood();
        talk.text(StepKind::Say, &output.text(), draft);
        talk.outcome(Verdict::Finished, "final answer", None);
    } else {
        talk.unknown(record, "no step", log);
    }
}

fn step(talk: &mut Talk, record: &Record<'_>, draft: Draft) {
    let val = record.val;
    let turn = talk.run.new_turn(0);
    talk.run.usage(turn, val.some("token_usage").map(usage_in).unwrap_or_default());
    let time = |key: &str| val.path(&["timing", key]).and_then(moment);
    let draft = Draft { turn: Some(turn), at: time("start_time").or(draft.at), ..draft };
    let calls = val.get("tool_calls").filter(|c| c.is_array() && !c.is_empty());
    if let Some(output) = val.some("model_output") {
        let kind = if calls.is_some() { StepKind::Thought } else { StepKind::Say };
        talk.text(kind, &output.text(), draft.clone());
    }
    let mut first = None;
    for call in calls.into_iter().flat_map(Val::items) {
        let (id, tool, mut args) = call_of(call);
        // Code is meant to be no JSON.
        if args.form == ArgsForm::Broken {
            args = text_args(&args.raw);
        }
        let step = talk.run.call(id.as_deref(), &tool, args, Draft { span: record.span_of(call), ..draft.clone() });
        first.get_or_insert(step);
    }
    let error = val.some("error");
    let said = val.some("observations");
    let words = error.map(|e| e.get("message").unwrap_or(e).text().into_owned());
    match first {
        Some(step) if said.is_some() || error.is_some() || val.some("action_output").is_some() => {
            let seen = said.or_else(|| val.some("action_output")).map(|s| s.text().into_owned());
            let text = match (seen, words) {
                (Some(seen), Some(words)) => format!("{seen}\n{words}"),
                (seen, words) => seen.or(words).unwrap_or_default(),
            };
            let status = if error.is_some() { CallStatus::Error } else { CallStatus::Ok };
            let span = said.or(error).map_or_else(|| draft.span.clone(), |v| record.span_of(v));
            let observation =
                Observation { content: Content::text(text), at: time("end_time"), span, ..Observation::default() };
            talk.run.answer_to(step, observation, status);
        }
        None if error.is_some() => talk.notice("error", &words.unwrap_or_default(), true, draft),
        _ => {}
    }
    if val.bool("is_final_answer") == Some(true) {
        talk.outcome(Verdict::Finished, "final answer", None);
    }
}
