//! Notes: labels and comments on a step or a range of steps, kept in a side file (`*.notes.json`, `schemas/notes.schema.json`).
//!
//! A note names its step by content, so that it fits the same run under another name and at shifted positions: the first
//! 16 hex digits of SHA-256 over the JSON array `[kind, text, tool, arguments, status, result]` in UTF-8 (arguments as
//! `model::canonical_args` writes them; what a step has not is the empty string), and which of equal steps it is.
//! Deleted notes stay as a mark, so that another's file does not bring them back.
//!
//! [`Notes::merge`] is commutative, associative and idempotent: a note is the greater of its versions, by time first.
//! Cost: naming the steps of a run is one pass over its text; everything else O(notes · log).

use std::collections::{BTreeMap, HashMap};

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::json::{Tape, Val, quote};
use crate::model::{CallStatus, Run, Step, canonical_args};

/// The version of the side file.
pub const VERSION: u64 = 1;
/// Notes that are read of a file, and letters of a label and of a comment: a file from elsewhere may be hostile.
const MAX_NOTES: usize = 10_000;
pub const MAX_LABEL: usize = 80;
pub const MAX_TEXT: usize = 20_000;
/// Letters of the short name that links carry.
const SHORT: usize = 8;

/// A step, named by what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// 16 hex digits.
    pub step: String,
    /// Which of the steps that hold the same, from 0; written from 1.
    pub nth: u32,
}

/// A note. Versions of one note are ordered by their time, then by all the rest, so that one always wins.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// When it was written last: RFC 3339 in UTC without its `Z`, so that letters sort as times do.
    pub at: String,
    /// Deleted: only id and time count.
    pub gone: bool,
    pub id: String,
    /// The run's own id, where it has one: runs of other ids are not looked through while such a run is open.
    pub run: String,
    pub from: Mark,
    /// The last step of a range.
    pub to: Option<Mark>,
    /// The number of the first step when it was written, from 1: for people, when the step is not found. 0: not known.
    pub was: u32,
    pub label: String,
    pub text: String,
}

/// Notes by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<String, Note>);

impl Notes {
    /// Those that are not deleted, by id.
    pub fn living(&self) -> impl Iterator<Item = &Note> {
        self.0.values().filter(|n| !n.gone)
    }

    pub fn get(&self, id: &str) -> Option<&Note> {
        self.0.get(id)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes a note in; of two with one id the newer stays.
    pub fn add(&mut self, note: Note) {
        let note = if note.gone { Note { at: note.at, gone: true, id: note.id, ..Note::default() } } else { note };
        match self.0.get_mut(&note.id) {
            Some(kept) if *kept >= note => {}
            Some(kept) => *kept = note,
            None => {
                self.0.insert(note.id.clone(), note);
            }
        }
    }

    pub fn merge(&mut self, other: Notes) {
        other.0.into_values().for_each(|note| self.add(note));
    }

    /// Reads a side file; `None` when it is none. Notes that lack an id or a step are left out.
    pub fn read(text: &str) -> Option<Self> {
        let mut tape = Tape::new();
        tape.load(text);
        let root = tape.doc(text).root();
        root.get("skillscope_notes")?.as_u64()?;
        let mut out = Self::default();
        for val in root.get("notes")?.items().take(MAX_NOTES) {
            let said = |key: &str, most: usize| -> String {
                val.str(key).map(|s| s.chars().take(most).collect()).unwrap_or_default()
            };
            let note = Note {
                at: said("at", 60).trim_end_matches(['Z', 'z']).to_owned(),
                gone: val.get("gone").and_then(Val::as_bool).unwrap_or(false),
                id: said("id", 80),
                run: said("run", 400),
                from: val.get("from").and_then(mark).unwrap_or_default(),
                to: val.get("to").and_then(mark),
                was: val.get("was").and_then(Val::as_u64).and_then(|n| n.try_into().ok()).unwrap_or(0),
                label: said("label", MAX_LABEL),
                text: said("text", MAX_TEXT),
            };
            if !note.id.is_empty() && (note.gone || !note.from.step.is_empty()) {
                out.add(note);
            }
        }
        Some(out)
    }

    /// The side file: a line a note, in the order of their ids. Empty without notes.
    pub fn write(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mark = |m: &Mark| json!({"step": m.step, "nth": u64::from(m.nth) + 1});
        let at = |n: &Note| format!("{}Z", n.at);
        let line = |n: &Note| {
            if n.gone {
                return json!({"id": n.id, "at": at(n), "gone": true}).to_string();
            }
            let mut out = json!({"id": n.id, "at": at(n), "from": mark(&n.from), "label": n.label, "text": n.text});
            if let Some(to) = &n.to {
                out["to"] = mark(to);
            }
            if !n.run.is_empty() {
                out["run"] = json!(n.run);
            }
            if n.was > 0 {
                out["was"] = json!(n.was);
            }
            out.to_string()
        };
        let lines: Vec<String> = self.0.values().map(line).collect();
        format!("{{\"skillscope_notes\":{VERSION},\"notes\":[\n{}\n]}}\n", lines.join(",\n"))
    }
}

fn mark(val: Val<'_>) -> Option<Mark> {
    let step: String = val.str("step")?.chars().take(16).collect();
    let nth = val.get("nth").and_then(Val::as_u64).unwrap_or(1).saturating_sub(1).try_into().ok()?;
    Some(Mark { step, nth })
}

/// The name of a step's content.
pub fn name(step: &Step) -> String {
    let call = step.call.as_deref();
    let args = call.map(|c| canonical_args(&c.args)).unwrap_or_default();
    let result = call.and_then(|c| c.observation.as_ref()).map_or("", |o| &o.content.text);
    let parts = [
        step.kind.id(),
        &step.content.text,
        call.map_or("", |c| &c.tool),
        &args,
        call.map_or("", |c| match c.status {
            CallStatus::Ok => "ok",
            CallStatus::Error => "error",
            CallStatus::Unknown => "unknown",
        }),
        result,
    ];
    let mut sha = Sha256::new();
    for (i, part) in parts.into_iter().enumerate() {
        sha.update(if i == 0 { "[" } else { "," });
        sha.update(quote(part));
    }
    sha.update("]");
    sha.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A new id: of when it was written and where. Nothing of any content is in it, since it is shared as it stands.
pub fn id(note: &Note) -> String {
    let all = format!("{}\n{}", note.at, note.was);
    Sha256::digest(all).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The steps of a run by name.
#[derive(Default)]
pub struct Index {
    names: Vec<String>,
    /// Looked up only.
    places: HashMap<String, Vec<u32>>,
}

impl Index {
    pub fn new(run: &Run) -> Self {
        let mut out = Self::default();
        for (at, step) in (0u32..).zip(&run.steps) {
            let name = name(step);
            out.places.entry(name.clone()).or_default().push(at);
            out.names.push(name);
        }
        out
    }

    /// How a step is named.
    pub fn mark(&self, step: u32) -> Option<Mark> {
        let name = self.names.get(step as usize)?;
        let nth = self.places.get(name)?.iter().position(|at| *at == step)? as u32;
        Some(Mark { step: name.clone(), nth })
    }

    /// Where a step is; of fewer equal steps than there were the last.
    pub fn find(&self, mark: &Mark) -> Option<u32> {
        let places = self.places.get(&mark.step)?;
        places.get(mark.nth as usize).or(places.last()).copied()
    }

    /// First and last step of a note.
    pub fn place(&self, note: &Note) -> Option<(u32, u32)> {
        let from = self.find(&note.from)?;
        let to = note.to.as_ref().and_then(|to| self.find(to)).filter(|to| *to >= from).unwrap_or(from);
        Some((from, to))
    }

    /// The short name of a step, for links.
    pub fn short(&self, step: u32) -> Option<&str> {
        self.names.get(step as usize)?.get(..SHORT)
    }

    /// Where a step of this short name is: `near`, or nearest to it.
    pub fn find_short(&self, short: &str, near: u32) -> Option<u32> {
        let fits = |at: &u32| self.short(*at) == Some(short);
        if fits(&near) {
            return Some(near);
        }
        (0..self.names.len() as u32).filter(fits).min_by_key(|at| (at.abs_diff(near), *at))
    }
}
