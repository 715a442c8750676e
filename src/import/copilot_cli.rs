//! GitHub Copilot CLI: session events, one a line, with dotted names and their body in `data`.
//!
//! ```json
//! {"type":"assistant.message","data":{"messageId":"m","content":"ok","toolRequests":[{"toolCallId":"c","name":"bash","arguments":{}}],"outputTokens":4},"timestamp":"…"}
//! {"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"a"}},"timestamp":"…"}
//! ```
//!
//! Results come out of order. Deltas repeat what the message says. Only output tokens are told, until a shutdown event
//! sums up. O(bytes).

use super::chat::{Speaker, call_of};
use super::dialect::Msg;
use super::said::answer;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, StepKind, Usage};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "copilot-cli",
    label: "Copilot CLI",
    files: "session events",
    marks: &["type", "data", "timestamp", "toolRequests", "toolCallId"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_event(val: Val<'_>) -> bool {
    const HEADS: [&str; 7] = ["session.", "user.", "assistant.", "tool.", "subagent.", "hook.", "system."];
    val.get("data").is_some_and(Val::is_object)
        && val.str("type").is_some_and(|t| HEADS.iter().any(|h| t.starts_with(h)))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_event) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("data"), "/0/data")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let (Some(kind), Some(data)) = (val.str("type"), val.get("data")) else {
        return talk.unknown(record, &val.str("type").unwrap_or("no type".into()), log);
    };
    let draft = talk.draft(record, val);
    log.understood();
    talk.run.run.agent.name.get_or_insert_with(|| "Copilot CLI".into());
    match kind.as_ref() {
        "session.start" | "session.resume" => {
            talk.id(data.get("sessionId"));
            talk.run.agent("Copilot CLI", data.str("copilotVersion").as_deref());
            let context = data.get("context");
            talk.fact("cwd", context.and_then(|c| c.get("cwd")));
            talk.fact("branch", context.and_then(|c| c.get("branch")));
        }
        "session.tools_updated" | "session.model_change" => {
            if let Some(model) = data.str("model").or_else(|| data.str("newModel")) {
                talk.run.run.model_index(&model);
            }
        }
        "user.message" => {
            let text = data.str("content").unwrap_or_default();
            talk.tell(Msg::text(Speaker::Person, &text, draft.span.clone()), &draft);
        }
        "system.message" => {
            talk.text(StepKind::System, &data.str("content").unwrap_or_default(), draft);
        }
        "assistant.reasoning" => {
            talk.text(StepKind::Thought, &data.str("content").unwrap_or_default(), draft);
        }
        "assistant.message" => message(talk, record, data, draft),
        "assistant.usage" => {
            if let Some(turn) = talk.turn {
                talk.run.usage(turn, usage_in(data));
                if let Some(model) = data.str("model") {
                    talk.run.model(turn, &model);
                }
            }
        }
        "tool.execution_start" => {
            let id = data.str("toolCallId").unwrap_or_default();
            if !talk.seen.contains_key(id.as_ref()) {
                let (_, tool, args) = call_of(data);
                let tool = data.str("toolName").map_or(tool, |t| t.into_owned());
                let step = talk.run.call(Some(&id), &tool, args, draft);
                talk.seen.insert(id.into_owned(), step);
            }
        }
        "tool.execution_complete" => {
            let id = data.str("toolCallId");
            let failed = data.bool("success") == Some(false) || data.some("error").is_some();
            let said = data.some("result").or_else(|| data.some("error"));
            let body = said.and_then(|s| s.some("content").or_else(|| s.some("message"))).or(said);
            let content = body.map(|b| answer(b).0).unwrap_or_default();
            let status = if failed { CallStatus::Error } else { CallStatus::Ok };
            let observation = Observation { content, at: draft.at, span: draft.span.clone(), ..Observation::default() };
            talk.run.observe(id.as_deref(), None, observation, status, draft);
        }
        "session.error" | "session.warning" | "abort" => {
            let text = data.str("message").or_else(|| data.str("reason")).unwrap_or_default();
            talk.notice(&kind, &text, kind != "session.warning", draft);
        }
        "session.compaction_complete" => {
            let text = data.str("summaryContent").or_else(|| data.str("summary")).unwrap_or_default();
            talk.run.say(StepKind::Compaction, Content::text(text.as_ref()), draft);
        }
        "subagent.started" | "subagent.completed" | "subagent.failed" | "session.info" => {
            let names = ["agentDisplayName", "agentName", "message"];
            let text = names.iter().find_map(|k| data.str(k)).unwrap_or_default();
            talk.notice(&kind, &text, kind.ends_with("failed"), draft);
        }
        _ => {
            // The rest says what a screen shows: deltas, beginnings and ends of turns, loaded servers.
            *log.skipped.entry(kind.chars().take(80).collect()).or_insert(0) += 1;
        }
    }
}

fn message(talk: &mut Talk, record: &Record<'_>, data: Val<'_>, draft: Draft) {
    let turn = talk.run.new_turn(0);
    talk.turn = Some(turn);
    let draft = Draft { turn: Some(turn), ..draft };
    talk.run.usage(turn, Usage { output: data.u64("outputTokens"), ..Usage::default() });
    if let Some(model) = data.str("model") {
        talk.run.model(turn, &model);
    }
    talk.text(StepKind::Thought, &data.str("reasoningText").unwrap_or_default(), draft.clone());
    talk.text(StepKind::Say, &data.str("content").unwrap_or_default(), draft.clone());
    for request in data.get("toolRequests").into_iter().flat_map(Val::items) {
        let (_, tool, args) = call_of(request);
        let id = request.str("toolCallId").unwrap_or_default();
        let step = talk.run.call(Some(&id), &tool, args, Draft { span: record.span_of(request), ..draft.clone() });
        talk.seen.insert(id.into_owned(), step);
    }
}
