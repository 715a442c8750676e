//! What an importer noticed on the way: the material of the import report.

use std::collections::BTreeMap;

use crate::model::{Finding, Place, Span, rule};

/// Tells which file of a session this is, so that several files become one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPart {
    pub session: String,
    /// The sub-agent whose file this is; `None` for the session itself.
    pub agent: Option<String>,
    /// A helper that only summarises the context of its session: it is named and not counted.
    pub helper: bool,
}

/// Collects counts, repairs, notes and findings while a file is read.
#[derive(Default)]
pub struct Log {
    /// Name of the file as dropped.
    pub file: String,
    /// Records read, those not understood included.
    pub records: u64,
    /// Records that were understood, also when they say nothing that is shown.
    pub understood: u64,
    /// Kinds that are not known, with their count.
    pub unknown: BTreeMap<String, u64>,
    /// Known kinds that hold nothing to show, with their count.
    pub skipped: BTreeMap<String, u64>,
    /// Repairs by kind: count and the first line.
    pub repairs: BTreeMap<&'static str, (u64, u32)>,
    /// Lines that are no JSON: line, column, how they begin.
    pub bad_lines: Vec<(u32, u32, String)>,
    pub bad_line_count: u64,
    pub findings: Vec<Finding>,
    /// How often each rule fired; only the first [`MAX_FINDINGS`] of each are kept.
    pub fired: BTreeMap<&'static str, u64>,
    pub session: Option<SessionPart>,
    /// Ids of notes (sentences of the message table) with their values.
    pub notes: Vec<(&'static str, Vec<(String, String)>)>,
}

impl Log {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// A record that was understood and shown.
    pub fn understood(&mut self) {
        self.records += 1;
        self.understood += 1;
    }

    /// A record of a known kind with nothing to show.
    pub fn skipped(&mut self, kind: &str) {
        self.understood();
        bump(&mut self.skipped, kind);
    }

    /// A record of an unknown kind. The importer keeps it visible as a raw step.
    pub fn unknown(&mut self, kind: &str) {
        self.records += 1;
        bump(&mut self.unknown, kind);
    }

    /// An unknown part inside a record that is otherwise understood.
    pub fn unknown_part(&mut self, kind: &str) {
        bump(&mut self.unknown, kind);
    }

    /// Something that had to be repaired before it could be read.
    pub fn repaired(&mut self, kind: &'static str, line: u32) {
        let entry = self.repairs.entry(kind).or_insert((0, line));
        entry.0 += 1;
    }

    pub fn note(&mut self, id: &'static str, args: &[(&str, String)]) {
        self.notes.push((id, args.iter().map(|(k, v)| ((*k).to_owned(), little(v))).collect()));
    }

    /// A finding that only the importer can make.
    pub fn finding(&mut self, id: &'static str, span: &Span, args: &[(&str, String)]) {
        let Some(rule) = rule(id) else { return };
        let fired = self.fired.entry(rule.id).or_insert(0);
        *fired += 1;
        if *fired > MAX_FINDINGS {
            return;
        }
        self.findings.push(Finding {
            rule: rule.id.to_owned(),
            severity: rule.severity,
            run: None,
            step: None,
            place: Place {
                file: self.file.clone(),
                line: (span.line > 0).then_some(span.line),
                column: None,
                pointer: little(&span.pointer),
            },
            args: args.iter().map(|(k, v)| ((*k).to_owned(), little(v))).collect(),
            related: Vec::new(),
        });
    }
}

/// As much of the file's own text as a report may carry.
fn little(text: &str) -> String {
    text.chars().take(300).collect()
}

/// Findings of one rule that are kept; the import report says how many more there were.
pub const MAX_FINDINGS: u64 = 200;

/// Kinds come from the file: a hostile one may name a new kind on every line.
const MAX_KINDS: usize = 200;

fn bump(counts: &mut BTreeMap<String, u64>, kind: &str) {
    let kind: String = kind.chars().take(80).collect();
    let key = if counts.len() >= MAX_KINDS && !counts.contains_key(&kind) { "…".to_owned() } else { kind };
    *counts.entry(key).or_insert(0) += 1;
}
