//! One reader for the many files that are records of a conversation: a format gives a function for one record, and
//! this keeps the runs, the counts and what is said aloud about records that nobody knows.
//!
//! The function sees the [`Talk`] and may begin another run, put a message in any dialect into the open one, or leave
//! a notice. Shared so that a format is a table of its record kinds and no reader. O(bytes).

use std::collections::HashMap;

use super::chat::Speaker;
use super::dialect::{Msg, messages};
use super::part::{cut, moment_of};
use super::tell::tell;
use super::{Draft, Log, Record, RecordReader, RunBuilder};
use crate::json::Val;
use crate::model::{Content, Outcome, Run, StepKind, TurnId, Verdict};

/// What a format does with one record.
pub type Each = fn(&mut Talk, &Record<'_>, &mut Log);

/// The open run and those that ended.
pub struct Talk {
    pub run: RunBuilder,
    format: &'static str,
    each: Each,
    done: Vec<Run>,
    /// Ids of the format that were seen, with what they stand for: steps, turns, positions. Looked up only.
    pub seen: HashMap<String, usize>,
    /// The turn that later records still belong to.
    pub turn: Option<TurnId>,
    /// Called once for every run, before it ends.
    pub end: fn(&mut Talk),
}

/// A reader that does `each` with every record.
pub fn reader(format: &'static str, each: Each) -> Box<dyn RecordReader> {
    Box::new(Talk::new(format, each))
}

impl Talk {
    pub fn new(format: &'static str, each: Each) -> Self {
        Self {
            run: RunBuilder::new(format),
            format,
            each,
            done: Vec::new(),
            seen: HashMap::new(),
            turn: None,
            end: |_| {},
        }
    }

    /// Ends the open run, if it has steps, and begins another.
    pub fn next(&mut self) {
        if self.run.is_empty() {
            self.run = RunBuilder::new(self.format);
        } else {
            (self.end)(self);
            let run = std::mem::replace(&mut self.run, RunBuilder::new(self.format));
            self.done.push(run.finish());
        }
        self.seen.clear();
        self.turn = None;
    }

    /// The draft of a record: when and where.
    pub fn draft(&self, record: &Record<'_>, val: Val<'_>) -> Draft {
        let at = moment_of(val).or_else(|| moment_of(record.val));
        Draft { at, span: record.span_of(val), ..Draft::default() }
    }

    /// Puts the messages of a value into the run; `who` speaks where no role is said. False when there are none.
    pub fn say(&mut self, record: &Record<'_>, val: Val<'_>, who: Speaker, log: &mut Log) -> bool {
        let draft = self.draft(record, val);
        self.say_as(record, val, who, &draft, log)
    }

    /// The same with lane, turn, time and name given.
    pub fn say_as(&mut self, record: &Record<'_>, val: Val<'_>, who: Speaker, draft: &Draft, log: &mut Log) -> bool {
        let msgs = messages(val, who, &|v| record.span_of(v));
        let any = !msgs.is_empty();
        for msg in msgs {
            self.tell(msg, draft);
        }
        if any {
            log.understood();
        }
        any
    }

    /// Puts one message into the run.
    pub fn tell(&mut self, msg: Msg, draft: &Draft) -> Option<TurnId> {
        let mut draft = draft.clone();
        if msg.who != Speaker::Agent && msg.who != Speaker::Named {
            draft.turn = None;
        }
        let turn = tell(&mut self.run, msg, &draft);
        self.turn = turn.or(self.turn);
        turn
    }

    /// A text in one step.
    pub fn text(&mut self, kind: StepKind, text: &str, draft: Draft) -> Option<usize> {
        (!text.trim().is_empty()).then(|| self.run.say(kind, Content::text(text), draft))
    }

    /// What the program around the agent reports.
    pub fn notice(&mut self, label: &str, text: &str, is_error: bool, draft: Draft) {
        let draft = Draft { label: Some(label.into()), is_error, ..draft };
        self.run.say(StepKind::Notice, Content::text(text), draft);
    }

    /// A record of an unknown kind, kept as it stands.
    pub fn unknown(&mut self, record: &Record<'_>, kind: &str, log: &mut Log) {
        log.unknown(kind);
        let draft = Draft { label: Some(kind.into()), ..self.draft(record, record.val) };
        self.run.say(StepKind::Raw, Content::text(cut(record.val.raw(), 20_000)), draft);
    }

    pub fn id(&mut self, id: Option<Val<'_>>) {
        if let Some(id) = id.filter(|v| !v.is_null() && !v.is_object() && !v.is_array()) {
            self.run.run.id = Some(cut(&id.text(), 200));
        }
    }

    /// A fact of the header, unless it is empty or there already.
    pub fn fact(&mut self, name: &str, val: Option<Val<'_>>) {
        if let Some(val) = val.filter(|v| !v.is_null() && !v.is_object() && !v.is_array()) {
            let text = cut(&val.text(), 300);
            let facts = &mut self.run.run.facts;
            if !text.is_empty() && facts.len() < 64 && !facts.iter().any(|(k, v)| k == name && *v == text) {
                facts.push((name.into(), text));
            }
        }
    }

    /// The tools that a record declares.
    pub fn tools(&mut self, list: Option<Val<'_>>) {
        if let Some(list) = list {
            super::tools::declare(&mut self.run.run, list);
        }
    }

    /// A label of a dataset, unless it is empty.
    pub fn label(&mut self, name: &str, val: Option<Val<'_>>) {
        if let Some(val) = val.filter(|v| !(v.is_null() || v.is_object() && v.is_empty())) {
            let text = cut(&val.text(), 300);
            if !text.is_empty() {
                self.run.run.labels.push((name.into(), text));
            }
        }
    }

    pub fn outcome(&mut self, verdict: Verdict, word: &str, reward: Option<f64>) {
        self.run.run.outcome = Some(Outcome { verdict, word: cut(word, 120), reward });
    }
}

impl RecordReader for Talk {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        (self.each)(self, record, log);
    }

    fn finish(mut self: Box<Self>, _log: &mut Log) -> Vec<Run> {
        self.next();
        self.done
    }
}
