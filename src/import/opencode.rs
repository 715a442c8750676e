//! OpenCode: `opencode export` (one session) and `opencode run --format json` (one event a line).
//!
//! ```json
//! {"info":{"id":"ses"},"messages":[{"info":{"role":"assistant","modelID":"m","cost":0.1,"tokens":{}},"parts":[
//!  {"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"a","time":{"start":1,"end":2}}}]}]}
//! ```
//!
//! Call and result stand on one part. The input leaves the cache out, the output the reasoning. A sub-agent is a session
//! of its own, named by the call's `metadata.sessionId`. O(bytes).

use super::chat::Speaker;
use super::dialect::Msg;
use super::part::{moment, moment_of};
use super::said::answer;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, Spawn, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "opencode",
    label: "OpenCode",
    files: "exported sessions, run --format json",
    marks: &["info", "parts", "sessionID", "callID", "tokens", "modelID"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_message(val: Val<'_>) -> bool {
    val.path(&["info", "role"]).is_some() && val.get("parts").is_some_and(Val::is_array)
}

fn is_event(val: Val<'_>) -> bool {
    val.has("sessionID") && val.get("part").is_some_and(Val::is_object) && val.has("type")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_event(v) || is_message(v) || v.get("messages").is_some_and(|l| l.items().any(is_message))) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("sessionID") => Sniff::near(1, Reason::NoKey("part"), "/0/part"),
        _ => Sniff::no(Reason::NeedsObject("info"), "/info"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if let Some(list) = val.get("messages").filter(|l| l.items().any(is_message)) {
        talk.next();
        let info = val.get("info");
        talk.id(info.and_then(|i| i.get("id")));
        if let Some(title) = info.and_then(|i| i.str("title")) {
            talk.run.run.title = super::part::cut(&title, 120);
        }
        let version = info.and_then(|i| i.str("version")).map(|v| v.into_owned());
        talk.run.agent("OpenCode", version.as_deref());
        talk.fact("cwd", info.and_then(|i| i.get("directory")));
        talk.fact("parent", info.and_then(|i| i.get("parentID")));
        return record.each(list, |one| message(talk, one, log));
    }
    if is_message(val) {
        return message(talk, record, log);
    }
    if !is_event(val) {
        if val.get("type").is_some_and(|t| t.is("error")) {
            log.understood();
            let error = val.path(&["error", "data", "message"]).or_else(|| val.get("error"));
            let text = error.map(|e| e.text().into_owned()).unwrap_or_default();
            let draft = talk.draft(record, val);
            return talk.notice("error", &text, true, draft);
        }
        return talk.unknown(record, &val.str("type").unwrap_or("no type".into()), log);
    }
    if talk.run.run.id.is_none() {
        talk.id(val.get("sessionID"));
        talk.run.agent("OpenCode", None);
    }
    log.understood();
    if let Some(inner) = val.get("part") {
        let turn = *talk.turn.get_or_insert_with(|| talk.run.new_turn(0));
        let draft = Draft { turn: Some(turn), ..talk.draft(record, val) };
        part(talk, record, inner, Speaker::Agent, &draft, log);
    }
}

fn message(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(info) = val.get("info") else { return };
    log.understood();
    let time = info.path(&["time", "created"]).and_then(moment);
    let mut draft = Draft { at: time, span: record.span(), ..Draft::default() };
    let agent = info.get("role").is_some_and(|r| r.is("assistant"));
    if agent {
        let turn = talk.run.new_turn(0);
        if let Some(model) = info.str("modelID") {
            talk.run.model(turn, &model);
        }
        let mut usage = info.some("tokens").map(usage_in).unwrap_or_default();
        usage.cost = info.f64("cost");
        talk.run.usage(turn, usage);
        draft.turn = Some(turn);
    }
    let who = if agent { Speaker::Agent } else { Speaker::Person };
    for inner in val.get("parts").into_iter().flat_map(Val::items) {
        part(talk, record, inner, who, &draft, log);
    }
    if let Some(error) = info.some("error") {
        let text = error.path(&["data", "message"]).unwrap_or(error).text().into_owned();
        talk.notice("error", &text, true, draft);
    }
}

fn part(talk: &mut Talk, record: &Record<'_>, val: Val<'_>, who: Speaker, draft: &Draft, log: &mut Log) {
    let draft = Draft { span: record.span_of(val), ..draft.clone() };
    match val.str("type").unwrap_or_default().as_ref() {
        "text" if val.bool("synthetic") == Some(true) => {
            talk.text(StepKind::Injected, &val.str("text").unwrap_or_default(), Draft { turn: None, ..draft });
        }
        "text" => {
            let text = val.str("text").unwrap_or_default();
            talk.tell(Msg::text(who, &text, draft.span.clone()), &draft);
        }
        "reasoning" => {
            talk.text(StepKind::Thought, &val.str("text").unwrap_or_default(), draft);
        }
        "tool" => tool(talk, val, draft),
        "step-finish" => {
            // A stream tells the usage here only; an export has it on the message, step by step the same.
            if record.val.has("sessionID")
                && let Some(turn) = draft.turn
            {
                let mut usage = val.some("tokens").map(usage_in).unwrap_or_default();
                usage.cost = val.f64("cost");
                talk.run.usage(turn, usage);
                talk.turn = None;
            }
        }
        "file" => {
            let url = val.str("url").unwrap_or_default();
            let mut media = super::part::from_url(&url, "file");
            if let (None, Some(mime)) = (&media.data, val.str("mime")) {
                media.mime = mime.into_owned();
            }
            let content = Content { text: val.str("filename").unwrap_or_default().as_ref().into(), media: vec![media] };
            let kind = if who == Speaker::Person { StepKind::Person } else { StepKind::Say };
            talk.run.say(kind, content, draft);
        }
        "compaction" => talk.notice("compaction", "", false, Draft { turn: None, ..draft }),
        "step-start" | "snapshot" | "patch" | "agent" | "subtask" | "retry" => {}
        other => {
            log.unknown_part(&format!("part/{other}"));
            talk.text(StepKind::Raw, val.raw(), Draft { label: Some(other.into()), ..draft });
        }
    }
}

fn tool(talk: &mut Talk, val: Val<'_>, draft: Draft) {
    let Some(state) = val.get("state") else { return };
    let time = |key: &str| state.path(&["time", key]).and_then(moment).filter(|t| t.ms > 1_000_000_000_000);
    let draft = Draft { at: time("start").or(draft.at), ..draft };
    let id = val.str("callID");
    let args = json_args(state.some("input").map_or("{}", Val::raw));
    let step = talk.run.call(id.as_deref(), &val.str("tool").unwrap_or_default(), args, draft.clone());
    let child = state.path(&["metadata", "sessionId"]).and_then(Val::as_str);
    let (said, status) = match state.str("status").unwrap_or_default().as_ref() {
        "completed" => (state.some("output"), CallStatus::Ok),
        "error" => (state.some("error"), CallStatus::Error),
        _ => (None, CallStatus::Unknown),
    };
    if status != CallStatus::Unknown {
        let content = said.map(|s| answer(s).0).unwrap_or_default();
        let at = time("end").or_else(|| moment_of(val));
        let observation = Observation { content, at, span: draft.span, ..Observation::default() };
        talk.run.answer_to(step, observation, status);
    }
    if let Some(child) = child {
        talk.run.edit_call(step, |call| {
            call.spawn = Some(Box::new(Spawn { agent_id: Some(child.into_owned()), ..Spawn::default() }));
        });
    }
}
