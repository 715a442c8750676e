//! ShareGPT and LLaMA-Factory: training files whose messages say `from` and `value`, with calls as JSON in a text.
//!
//! ```json
//! [{"conversations":[{"from":"human","value":"hi"},{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"},
//!   {"from":"observation","value":"1"},{"from":"gpt","value":"one"}],"tools":"[]"}]
//! {"messages":[{"role":"assistant","content":[{"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{}}"}]}]}
//! ```
//!
//! Every conversation is a run. There are no ids: results go by order. A preference (`chosen`, `rejected`) is two runs with
//! a label each. O(bytes).

use super::chat::{Speaker, call_of, speaker};
use super::dialect::{Hear, Msg, with_json};
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "sharegpt",
    label: "ShareGPT, LLaMA-Factory",
    files: "training conversations, preferences",
    marks: &["conversations", "from", "value", "tools", "chosen", "rejected"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_message(val: Val<'_>) -> bool {
    let parts = |c: Val<'_>| c.items().any(|p| p.has("type") && p.has("value"));
    (val.has("from") && val.get("value").is_some_and(Val::is_string)) || val.get("content").is_some_and(parts)
}

fn list_of(val: Val<'_>) -> Option<Val<'_>> {
    ["conversations", "conversation", "messages"]
        .iter()
        .find_map(|k| val.get(k).filter(|l| l.items().take(8).any(is_message)))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| list_of(v).is_some()) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("conversations") => Sniff::near(1, Reason::NoKey("from"), "/0/conversations/0/from"),
        _ => Sniff::no(Reason::NeedsRecords("conversations"), "/0/conversations"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = list_of(val).or_else(|| val.get("messages")) else {
        return talk.unknown(record, "no conversations", log);
    };
    let ends: Vec<&str> =
        ["chosen", "rejected"].into_iter().filter(|k| val.get(k).is_some_and(Val::is_object)).collect();
    let versions: Vec<Option<&str>> = if ends.is_empty() { vec![None] } else { ends.into_iter().map(Some).collect() };
    for version in versions {
        talk.next();
        talk.id(val.get("id"));
        talk.tools(val.get("tools"));
        if let Some(system) = val.some("system").filter(|s| s.is_string() && !s.is_empty()) {
            talk.say(record, system, Speaker::System, log);
        }
        record.each(list, |one| message(talk, one, one.val, log));
        if let Some(key) = version {
            talk.run.run.labels.push(("preference".into(), key.into()));
            if let Some(last) = val.get(key) {
                message(talk, record, last, log);
            }
        }
    }
}

fn message(talk: &mut Talk, record: &Record<'_>, val: Val<'_>, log: &mut Log) {
    log.understood();
    let role = val.str("from").or_else(|| val.str("role")).unwrap_or_default();
    let who = speaker(&role);
    let draft = Draft { span: record.span_of(val), ..Draft::default() };
    let said = val.some("value").or_else(|| val.some("content"));
    if let (Speaker::Call, Some(text)) = (who, said.map(Val::text)) {
        let turn = talk.run.new_turn(0);
        let draft = Draft { turn: Some(turn), ..draft };
        let read = |v: Val<'_>| if v.is_array() { v.items().map(call_of).collect() } else { vec![call_of(v)] };
        let calls: Vec<_> = with_json(&text, read).unwrap_or_default();
        for (id, tool, args) in calls {
            talk.run.call(id.as_deref(), &tool, args, draft.clone());
        }
        return;
    }
    if let (Speaker::Tool, Some(said)) = (who, said) {
        let texts: Vec<String> = match said.is_array() {
            true => said.items().filter_map(super::part_text).collect(),
            false => vec![said.text().into_owned()],
        };
        let text = texts.join("\n");
        // The results of several calls come as one list.
        let split = |v: Val<'_>| -> Vec<String> {
            let named = v.is_array() && v.items().all(|r| r.has("tool_call_id") || r.has("name"));
            v.items().filter(|_| named).map(|r| r.some("content").unwrap_or(r).text().into_owned()).collect()
        };
        let found = with_json(&text, split).filter(|f| !f.is_empty()).unwrap_or_else(|| vec![text]);
        for text in found {
            let content = Content::text(text);
            let observation = Observation { content, span: draft.span.clone(), ..Observation::default() };
            talk.run.observe(None, None, observation, CallStatus::Unknown, draft.clone());
        }
        return;
    }
    let place = |v: Val<'_>| record.span_of(v);
    let mut hear = Hear::at(&place);
    let mut msg = Msg::new(who);
    if let Some(said) = said {
        hear.parts(said, &mut msg);
    }
    talk.tell(msg, &draft);
}
