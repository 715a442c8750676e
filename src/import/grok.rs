//! Grok Build's chat history: one item a line, typed by who speaks.
//!
//! ```json
//! {"type":"user","content":[{"type":"text","text":"hi"}],"prompt_index":0}
//! {"type":"assistant","content":"ok","tool_calls":[{"id":"c","name":"read_file","arguments":"{}"}],"model_id":"grok-x"}
//! {"type":"tool_result","tool_call_id":"c","content":"…"}
//! ```
//!
//! Texts that the program added say so in `synthetic_reason`; an interjection is the person's. Tools at the provider say
//! themselves how they ended. O(bytes).

use super::chat::Speaker;
use super::dialect::{Hear, Msg};
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "grok-build",
    label: "Grok Build",
    files: "chat histories",
    marks: &["type", "content", "tool_calls", "model_id", "prompt_index"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    let own = |v: Val<'_>| {
        v.has("prompt_index")
            || v.has("synthetic_reason")
            || v.get("type").is_some_and(|t| t.is("backend_tool_call"))
            || (v.has("model_id") && v.get("type").is_some_and(|t| t.is("assistant")) && v.has("content"))
    };
    if sample.object().is_none() && sample.any(|v| own(v) && v.has("type") && !v.has("role")) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("prompt_index"), "/0/prompt_index")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let kind = val.str("type").unwrap_or_default();
    let draft = talk.draft(record, val);
    let place = |v: Val<'_>| record.span_of(v);
    let role = match kind.as_ref() {
        "system" | "user" | "assistant" => kind.as_ref(),
        "tool_result" => "tool",
        "reasoning" => {
            talk.say(record, val, Speaker::Agent, log);
            return;
        }
        "backend_tool_call" => {
            log.understood();
            let call = val.get("kind");
            let tool = call.and_then(|c| c.str("tool_type")).unwrap_or("backend tool".into());
            let args = call.and_then(|c| c.some("action").or_else(|| c.some("arguments"))).map_or("{}", Val::raw);
            let id = call.and_then(|c| c.str("id"));
            let turn = talk.run.new_turn(0);
            let step = talk.run.call(id.as_deref(), &tool, json_args(args), Draft { turn: Some(turn), ..draft });
            match call.and_then(|c| c.str("status")).as_deref() {
                Some("completed") => talk.run.close_call(step, CallStatus::Ok),
                Some("failed") => talk.run.close_call(step, CallStatus::Error),
                _ => {}
            }
            return;
        }
        other => return talk.unknown(record, other, log),
    };
    log.understood();
    talk.run.agent("Grok Build", None);
    let mut hear = Hear::at(&place);
    hear.message(val, role);
    let from = talk.run.run.steps.len();
    for msg in hear.out {
        let model = val.str("model_id").map(|m| m.as_ref().into());
        talk.tell(Msg { model: msg.model.clone().or(model), ..msg }, &draft);
    }
    if val.str("synthetic_reason").is_some_and(|r| r != "interjection") {
        for step in talk.run.run.steps.iter_mut().skip(from).filter(|s| s.kind == StepKind::Person) {
            step.kind = StepKind::Injected;
        }
    }
}
