//! Gemini CLI: saved sessions `session-*.json` and the newer session log, one record a line.
//!
//! ```json
//! {"sessionId":"s","projectHash":"p","messages":[{"id":"a","type":"gemini","content":"ok","thoughts":[{"subject":"Plan","description":"…"}],
//!  "toolCalls":[{"id":"c","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"response":{"output":"a"}}}]}],"tokens":{}}]}
//! ```
//!
//! Call and result stand on one object. In the log a message whose id comes again replaces the earlier one, `$set`
//! replaces parts of the session, `$rewindTo` drops everything from that message on. Output tokens leave thoughts out.
//! The log is replayed before it is read. O(bytes).

use super::chat::Speaker;
use super::dialect::{Msg, Part, messages};
use super::part::moment_of;
use super::said::{Said, answer};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Run, Span, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "gemini-cli",
    label: "Gemini CLI",
    files: "saved sessions, session logs",
    marks: &["sessionId", "projectHash", "messages", "toolCalls", "thoughts", "tokens"],
    sniff,
    reader: || Box::new(Reader::default()),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    let logged = sample.object().is_none() && sample.any(|v| v.has("$set") || v.has("$rewindTo"));
    if logged || sample.any(|v| v.has("projectHash") && v.has("sessionId")) {
        return Sniff::Yes;
    }
    if sample.any(|v| v.get("type").is_some_and(|t| t.is("gemini")) && v.has("content")) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("projectHash"), "/projectHash")
}

#[derive(Default)]
struct Reader {
    head: Vec<(String, String)>,
    id: Option<String>,
    /// Messages by id, in order, as they were last told.
    entries: Vec<Entry>,
    runs: Vec<Run>,
}

struct Entry {
    id: String,
    kind: String,
    /// Everything but the calls.
    msg: Msg,
    calls: Vec<(Part, Option<Part>)>,
    span: Span,
}

fn entry(record: &Record<'_>) -> Entry {
    let val = record.val;
    let kind = val.str("type").unwrap_or_default().into_owned();
    let who = if kind == "gemini" { Speaker::Agent } else { Speaker::Person };
    let span = record.span();
    let mut msg = Msg { at: moment_of(val), model: val.str("model").map(|m| m.as_ref().into()), ..Msg::new(who) };
    msg.id = val.str("id").map(|i| i.as_ref().into());
    for thought in val.get("thoughts").into_iter().flat_map(Val::items) {
        let parts = [thought.str("subject"), thought.str("description")];
        let text: Vec<String> = parts.into_iter().flatten().map(|s| s.into_owned()).filter(|s| !s.is_empty()).collect();
        msg.parts.push(Part { said: Said::Thought(text.join(": ")), span: record.span_of(thought) });
    }
    if let Some(said) = val.some("content") {
        let found = messages(said, who, &|v| record.span_of(v));
        msg.parts.extend(found.into_iter().flat_map(|m| m.parts));
    }
    if let Some(tokens) = val.some("tokens") {
        msg.usage = usage_in(tokens);
    }
    let mut calls = Vec::new();
    for call in val.get("toolCalls").into_iter().flat_map(Val::items) {
        let id: Option<Box<str>> = call.str("id").map(|i| i.as_ref().into());
        let span = record.span_of(call);
        let args = json_args(call.some("args").map_or("{}", Val::raw));
        let tool = call.str("name").unwrap_or_default().as_ref().into();
        let word = call.str("status").unwrap_or_default();
        let mut status = match word.as_ref() {
            "success" => CallStatus::Ok,
            "error" | "cancelled" => CallStatus::Error,
            _ => CallStatus::Unknown,
        };
        let mut content = Content::default();
        for part in call.get("result").into_iter().flat_map(Val::items) {
            let inner = part.path(&["functionResponse", "response"]).unwrap_or(part);
            let (found, told) = answer(inner);
            if told == CallStatus::Error {
                status = told;
            }
            content.text =
                if content.text.is_empty() { found.text } else { format!("{}\n{}", content.text, found.text).into() };
            content.media.extend(found.media);
        }
        let result = (call.some("result").is_some() || status == CallStatus::Error)
            .then(|| Part { said: Said::Result { id: id.clone(), tool: None, content, status }, span: span.clone() });
        calls.push((Part { said: Said::Call { id, tool, args, done: None }, span }, result));
    }
    Entry { id: val.str("id").unwrap_or_default().into_owned(), kind, msg, calls, span }
}

impl Reader {
    fn header(&mut self, val: Val<'_>) {
        if let Some(id) = val.str("sessionId") {
            self.id = Some(id.into_owned());
        }
        for key in ["projectHash", "kind", "summary"] {
            if let Some(value) = val.str(key) {
                self.head.retain(|(k, _)| k != key);
                self.head.push((key.into(), value.into_owned()));
            }
        }
    }

    fn put(&mut self, new: Entry) {
        let same = self.entries.iter_mut().rev().take(64).find(|e| !e.id.is_empty() && e.id == new.id);
        match same {
            Some(old) => {
                // The thoughts of the first telling are left out of the next.
                let mut parts: Vec<Part> = Vec::new();
                let thinks = |p: &Part| matches!(p.said, Said::Thought(_));
                if !new.msg.parts.iter().any(thinks) {
                    parts.extend(std::mem::take(&mut old.msg.parts).into_iter().filter(thinks));
                }
                parts.extend(new.msg.parts);
                let calls = if new.calls.is_empty() { std::mem::take(&mut old.calls) } else { new.calls };
                *old = Entry { msg: Msg { parts, ..new.msg }, calls, ..new };
            }
            None => self.entries.push(new),
        }
    }

    /// The session as it is now, as a run.
    fn build(&mut self) {
        let mut run = RunBuilder::new(FORMAT.id);
        run.agent("Gemini CLI", None);
        run.run.id = self.id.take();
        run.run.facts = std::mem::take(&mut self.head);
        for entry in std::mem::take(&mut self.entries) {
            let draft = Draft { at: entry.msg.at, span: entry.span, ..Draft::default() };
            if !matches!(entry.kind.as_str(), "gemini" | "user") {
                let text = entry.msg.parts.iter().find_map(|p| match &p.said {
                    Said::Text(content) => Some(content.text.clone()),
                    _ => None,
                });
                let is_error = entry.kind == "error";
                let draft = Draft { label: Some(entry.kind.as_str().into()), is_error, ..draft };
                run.say(StepKind::Notice, Content::text(text.unwrap_or_default()), draft);
                continue;
            }
            let turn = super::tell::tell(&mut run, entry.msg, &draft);
            for (call, result) in entry.calls {
                let draft = Draft { turn, ..draft.clone() };
                super::tell::tell_part(&mut run, Speaker::Agent, call, &draft);
                if let Some(result) = result {
                    super::tell::tell_part(&mut run, Speaker::Tool, result, &Draft { turn: None, ..draft });
                }
            }
        }
        if !run.is_empty() {
            self.runs.push(run.finish());
        }
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if let Some(target) = val.str("$rewindTo") {
            log.understood();
            if let Some(at) = self.entries.iter().position(|e| e.id == target) {
                self.entries.truncate(at);
            }
            return;
        }
        if let Some(set) = val.get("$set") {
            log.understood();
            self.header(set);
            if let Some(list) = set.get("messages").filter(|l| l.is_array()) {
                self.entries.clear();
                record.each(list, |one| self.put(entry(one)));
            }
            return;
        }
        if val.has("sessionId") && (val.has("messages") || val.has("projectHash")) {
            if !self.entries.is_empty() {
                self.build();
            }
            log.understood();
            self.header(val);
            if let Some(list) = val.get("messages") {
                record.each(list, |one| {
                    log.understood();
                    self.put(entry(one));
                });
                self.build();
            }
            return;
        }
        match val.str("type").as_deref() {
            Some("message_update" | "user" | "gemini" | "info" | "error" | "warning") => {
                log.understood();
                let mut new = entry(record);
                if new.kind == "message_update" {
                    new.kind = "gemini".into();
                    new.msg.who = Speaker::Agent;
                }
                self.put(new);
            }
            kind => log.unknown(kind.unwrap_or("no type")),
        }
    }

    fn finish(mut self: Box<Self>, _log: &mut Log) -> Vec<Run> {
        self.build();
        self.runs
    }
}
