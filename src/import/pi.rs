//! Pi sessions: a header, then entries of a tree, one a line.
//!
//! ```json
//! {"type":"session","version":3,"id":"s","cwd":"/w"}
//! {"type":"message","id":"e","parentId":null,"timestamp":"…","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{}}],"usage":{}}}
//! {"type":"message","id":"f","parentId":"e","message":{"role":"toolResult","toolCallId":"c","content":[],"isError":false}}
//! ```
//!
//! The path from the last entry back to the root is what the session is; entries of branches that were left stay out,
//! with their number said. Sessions without ids are read as they stand. The input leaves the cache out. O(bytes).

use std::collections::{HashMap, HashSet};

use super::chat::Speaker;
use super::dialect::{Msg, messages};
use super::talk::Talk;
use super::{Draft, Format, Log, Reason, Record, RecordReader, Sample, Sniff, text_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, Run, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "pi",
    label: "Pi",
    files: "session files",
    marks: &["type", "parentId", "message", "version", "cwd"],
    sniff,
    reader: || {
        Box::new(Reader {
            talk: Talk::new(FORMAT.id, |_, _, _| {}),
            parents: HashMap::new(),
            last: None,
            steps: Vec::new(),
        })
    },
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    let header = |v: Val<'_>| v.get("type").is_some_and(|t| t.is("session")) && v.has("id") && v.has("cwd");
    let entry = |v: Val<'_>| v.get("type").is_some_and(|t| t.is("message")) && v.has("parentId") && v.has("message");
    if sample.object().is_none() && sample.any(|v| header(v) || entry(v)) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("parentId"), "/0/parentId")
}

struct Reader {
    talk: Talk,
    parents: HashMap<String, Option<String>>,
    last: Option<String>,
    /// Entry -> the steps it made.
    steps: Vec<(String, std::ops::Range<usize>)>,
}

impl Reader {
    fn entry(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let talk = &mut self.talk;
        let draft = talk.draft(record, val);
        log.understood();
        match val.str("type").unwrap_or_default().as_ref() {
            "session" => {
                talk.next();
                talk.run.agent("Pi", None);
                talk.id(val.get("id"));
                talk.fact("cwd", val.get("cwd"));
                talk.fact("branched from", val.get("branchedFrom").or_else(|| val.get("parentSession")));
            }
            "message" => {
                let Some(inner) = val.get("message") else { return };
                message(talk, record, inner, &draft);
            }
            "model_change" => {
                if let Some(model) = val.str("modelId") {
                    talk.run.run.model_index(&model);
                }
            }
            "compaction" | "branch_summary" => {
                let text = val.str("summary").unwrap_or_default();
                talk.run.say(StepKind::Compaction, Content::text(text.as_ref()), draft);
            }
            "custom_message" => {
                talk.say_as(record, val, Speaker::Person, &draft, &mut Log::default());
            }
            "session_info" => {
                if let Some(name) = val.str("name") {
                    talk.run.run.title = super::part::cut(&name, 120);
                }
            }
            "thinking_level_change" | "label" | "custom" => {}
            other => {
                log.understood -= 1;
                log.records -= 1;
                talk.unknown(record, other, log);
            }
        }
    }
}

fn message(talk: &mut Talk, record: &Record<'_>, inner: Val<'_>, draft: &Draft) {
    if inner.get("role").is_some_and(|r| r.is("bashExecution")) {
        let command = inner.str("command").unwrap_or_default();
        let step = talk.run.call(None, "bash", text_args(&command), draft.clone());
        let exit_code = inner.get("exitCode").and_then(Val::as_i64);
        let status = match exit_code {
            Some(0) => CallStatus::Ok,
            Some(_) => CallStatus::Error,
            None => CallStatus::Unknown,
        };
        let content = Content::text(inner.str("output").unwrap_or_default().as_ref());
        let observation = Observation { content, exit_code, span: draft.span.clone(), ..Observation::default() };
        talk.run.answer_to(step, observation, status);
        return;
    }
    for msg in messages(inner, Speaker::Person, &|v| record.span_of(v)) {
        let msg = Msg { at: draft.at.or(msg.at), ..msg };
        talk.tell(msg, draft);
    }
    let stop = inner.str("stopReason").unwrap_or_default();
    if stop == "error" || stop == "aborted" {
        let text = inner.str("errorMessage").unwrap_or(stop.clone());
        talk.notice(&stop, &text, true, draft.clone());
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let before = self.talk.run.run.steps.len();
        self.entry(record, log);
        if let Some(id) = record.val.str("id").filter(|_| record.val.has("parentId")) {
            let parent = record.val.str("parentId").map(|p| p.into_owned());
            self.parents.insert(id.clone().into_owned(), parent);
            self.steps.push((id.clone().into_owned(), before..self.talk.run.run.steps.len()));
            self.last = Some(id.into_owned());
        }
    }

    fn finish(mut self: Box<Self>, log: &mut Log) -> Vec<Run> {
        let mut live: HashSet<String> = HashSet::new();
        let mut now = self.last.clone();
        while let Some(id) = now {
            now = self.parents.get(&id).cloned().flatten();
            if !live.insert(id) {
                break;
            }
        }
        let mut dead = 0u64;
        let mut gone: HashSet<usize> = HashSet::new();
        for (id, steps) in &self.steps {
            if !live.contains(id) && !steps.is_empty() {
                dead += 1;
                gone.extend(steps.clone());
            }
        }
        if dead > 0 {
            log.note("branches-left-out", &[("count", dead.to_string())]);
            let mut at = 0;
            self.talk.run.run.steps.retain(|_| {
                at += 1;
                !gone.contains(&(at - 1))
            });
        }
        Box::new(self.talk).finish(log)
    }
}
