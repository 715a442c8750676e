//! AutoGen 0.4 and newer, Magentic-One: a task result, a stream of events, a saved team, one object or one event a line.
//!
//! ```json
//! {"messages":[{"id":"1","source":"user","type":"TextMessage","content":"hi"},
//!  {"id":"2","source":"planner","type":"ToolCallRequestEvent","content":[{"id":"f","name":"g","arguments":"{}"}],"models_usage":{"prompt_tokens":5,"completion_tokens":1}}],
//!  "stop_reason":"…"}
//! ```
//!
//! Every agent is named by `source`. Chunks of a stream are left out when their whole message follows, and the result that
//! ends a stream says everything again. O(bytes).

use super::chat::call_of;
use super::said::answer;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, Spawn, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "autogen",
    label: "AutoGen, Magentic-One",
    files: "task results, event streams, team states",
    marks: &["source", "models_usage", "content", "stop_reason", "agent_states", "message_thread"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_event(val: Val<'_>) -> bool {
    val.has("source")
        && val.has("content")
        && val.str("type").is_some_and(|t| t.ends_with("Message") || t.ends_with("Event"))
        && !val.has("lc")
}

fn thread(val: Val<'_>) -> Option<Val<'_>> {
    val.get("agent_states")?
        .entries()
        .filter_map(|(_, agent)| agent.get("message_thread").or_else(|| agent.path(&["agent_state", "message_thread"])))
        .find(|list| list.items().any(is_event))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    let result = |v: Val<'_>| v.get("messages").is_some_and(|l| l.items().next().is_some_and(is_event));
    if sample.any(|v| is_event(v) || result(v) || thread(v).is_some()) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("agent_states") => Sniff::near(1, Reason::NoKey("message_thread"), "/agent_states"),
        _ => Sniff::no(Reason::NeedsRecords("source"), "/0/source"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if is_event(val) {
        return event(talk, record, log);
    }
    let Some(list) = val.get("messages").or_else(|| thread(val)) else {
        return talk.unknown(record, &val.str("type").unwrap_or("no type".into()), log);
    };
    record.each(list, |one| event(talk, one, log));
    if let Some(reason) = val.str("stop_reason") {
        let limit = reason.contains("Maximum number") || reason.contains("limit");
        talk.outcome(if limit { Verdict::Limit } else { Verdict::Finished }, &reason, None);
    }
}

fn event(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let kind = val.str("type").unwrap_or_default();
    if let Some(id) = val.str("id").filter(|i| !i.is_empty()) {
        let next = talk.seen.len();
        if talk.seen.insert(id.into_owned(), next).is_some() {
            return log.skipped("message again");
        }
    }
    let source = val.str("source").unwrap_or_default();
    let person = matches!(source.as_ref(), "user" | "user_proxy" | "human");
    let draft = Draft { name: Some(source.as_ref().into()), ..talk.draft(record, val) };
    log.understood();
    let spoke = |talk: &mut Talk| {
        let turn = talk.run.new_turn(0);
        if let Some(usage) = val.some("models_usage") {
            talk.run.usage(turn, usage_in(usage));
        }
        turn
    };
    let said = val.some("content");
    match kind.as_ref() {
        "ModelClientStreamingChunkEvent" => {
            *log.skipped.entry(kind.into_owned()).or_insert(0) += 1;
        }
        "ToolCallRequestEvent" => {
            let turn = spoke(talk);
            for call in said.into_iter().flat_map(Val::items) {
                let (id, tool, args) = call_of(call);
                let draft = Draft { turn: Some(turn), span: record.span_of(call), ..draft.clone() };
                talk.run.call(id.as_deref(), &tool, args, draft);
            }
        }
        "ToolCallExecutionEvent" => {
            for result in said.into_iter().flat_map(Val::items) {
                let failed = result.bool("is_error") == Some(true);
                let status = if failed { CallStatus::Error } else { CallStatus::Ok };
                let content = result.get("content").map(|c| answer(c).0).unwrap_or_default();
                let span = record.span_of(result);
                let observation = Observation { content, at: draft.at, span: span.clone(), ..Observation::default() };
                let draft = Draft { span, name: None, ..draft.clone() };
                talk.run.observe(
                    result.str("call_id").as_deref(),
                    result.str("name").as_deref(),
                    observation,
                    status,
                    draft,
                );
            }
        }
        "ThoughtEvent" => {
            talk.text(StepKind::Thought, &said.map(Val::text).unwrap_or_default(), draft);
        }
        "HandoffMessage" => {
            let target = val.str("target").unwrap_or_default();
            let args = super::json_args(&format!("{{\"target\":{}}}", crate::json::quote(&target)));
            let step = talk.run.call(None, "handoff", args, draft.clone());
            let content = Content::text(said.map(Val::text).unwrap_or_default());
            let observation = Observation { content, at: draft.at, span: draft.span, ..Observation::default() };
            talk.run.answer_to(step, observation, CallStatus::Ok);
            let spawn = Spawn { agent_id: Some(target.into_owned()), ..Spawn::default() };
            talk.run.edit_call(step, |call| call.spawn = Some(Box::new(spawn)));
        }
        _ if kind.ends_with("Event") && kind != "UserInputRequestedEvent" => {
            let text = said.map(|s| answer(s).0.text).unwrap_or_default();
            talk.notice(&kind, &text, false, draft);
        }
        "StopMessage" => talk.notice(&kind, &said.map(Val::text).unwrap_or_default(), false, draft),
        // The tools' answers once more, as the agent's words.
        "ToolCallSummaryMessage" => {
            let turn = spoke(talk);
            talk.text(StepKind::Say, &said.map(Val::text).unwrap_or_default(), Draft { turn: Some(turn), ..draft });
        }
        _ => {
            let content = said.map(|s| super::content(s, &mut |_| {})).unwrap_or_default();
            if !content.is_empty() {
                let kind = if person { StepKind::Person } else { StepKind::Say };
                let turn = (!person).then(|| spoke(talk));
                talk.run.say(kind, content, Draft { turn, ..draft });
            }
        }
    }
}
