//! The conformance report: what every case of every check came to, and the verdict.
//!
//! Decides the verdict: `non_conformant` when a check failed, `incomplete` when a MUST could not be checked, else
//! `conformant`; a check that was skipped or not run never counts as passed. Counts are of cases: one check on one
//! subject. A list of known failures (as `check id [file [pointer]]`, one a line) takes listed failures out of the
//! verdict; one that is listed and does not fail any more is stale, and fails. O(cases log cases).
//!
//! Source: Skill Sharing Protocol chapter 12; `schemas/report.schema.json` describes the JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::shape::VerdictLine;
use super::skill::{ConformanceView, FindingRow, MAX_ROWS, PropertyRow};
use crate::message::{Lang, fill_id};
use crate::model::Severity;
use crate::skill::finding::{Check, Level};
use crate::skill::from::NoteKind;
use crate::skill::mapped::Mapped;
use crate::skill::provider::Provider;
use crate::skill::suite::{Case, Checked, Fault, Status, all_checks};
use crate::skill::{Kind, Options, Profile};

/// The name of the list of checks that this build holds documents to.
pub const REQUIREMENTS: &str = "chapter-12";

/// Whether the documents keep the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Conformant,
    NonConformant,
    Incomplete,
}

impl Verdict {
    /// The word of the report.
    pub fn id(self) -> &'static str {
        match self {
            Verdict::Conformant => "conformant",
            Verdict::NonConformant => "non_conformant",
            Verdict::Incomplete => "incomplete",
        }
    }

    /// The exit code of `skillscope check`.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Conformant => 0,
            Verdict::NonConformant => 1,
            Verdict::Incomplete => 3,
        }
    }
}

/// A failure that is known: it does not count against the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub check: String,
    /// The end of the file's name; empty: every file.
    pub file: String,
    /// Empty: every place.
    pub pointer: String,
}

/// Reads a list of known failures. `Err` names the line that is none.
pub fn known_failures(text: &str) -> Result<Vec<Known>, usize> {
    let checks = all_checks();
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.split_whitespace();
        let mut next = || parts.next().unwrap_or_default().to_owned();
        let known = Known { check: next(), file: next(), pointer: next() };
        if !checks.iter().any(|c| c.id == known.check) || parts.next().is_some() {
            return Err(n + 1);
        }
        out.push(known);
    }
    Ok(out)
}

/// Everything that came of a check.
pub struct Report {
    pub verdict: Verdict,
    pub profile: Profile,
    pub supports: String,
    /// Names of the files, in the order of the findings' numbers.
    pub files: Vec<String>,
    /// Files that are documents of the protocol.
    pub documents: Vec<usize>,
    pub cases: Vec<Case>,
    /// Known failures that did not fail.
    pub stale: Vec<Known>,
    /// Failed cases whose findings are all known.
    pub expected_failures: usize,
    /// Neighbours that descriptors were made of.
    pub mapped: Vec<Mapped>,
    known: Vec<Known>,
}

/// The level of a case: what the library cannot see for itself does not make a verdict incomplete.
fn is_must(case: &Case, checks: &[Check]) -> bool {
    let level = checks.iter().find(|c| c.id == case.check).map_or(Level::Must, |c| c.level);
    // The chapter asks a message for its fields; that it keeps the descriptor is only known with the descriptor.
    level == Level::Must && case.why != "no-descriptor"
}

/// Draws the conclusion.
pub fn conclude(provider: &Provider, checked: Checked, options: &Options<'_>, known: &[Known]) -> Report {
    let mut cases = checked.cases;
    for (index, file) in provider.files.iter().enumerate() {
        if file.kind == Some(Kind::Descriptor) {
            cases.push(Case::not(Status::NotRun, "SSP-P11-TYPES", &file.name, index, "library"));
        }
    }
    let files: Vec<String> = provider.files.iter().map(|f| f.name.clone()).collect();
    let checks = all_checks();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut expected_failures = 0;
    let mut failed = false;
    for case in cases.iter().filter(|c| c.status == Status::Fail) {
        let mut all = true;
        for fault in case.faults.iter().filter(|f| f.finding.severity == Severity::Error) {
            match known.iter().position(|k| covers(k, fault, &files)) {
                Some(at) => drop(used.insert(at)),
                None => all = false,
            }
        }
        expected_failures += usize::from(all);
        failed |= !all;
    }
    let stale: Vec<Known> =
        known.iter().enumerate().filter(|(i, _)| !used.contains(i)).map(|(_, k)| k.clone()).collect();
    // What a known failure kept from being run is known as well.
    let is_gap = |c: &Case| match c.status {
        Status::Skipped => is_must(c, &checks),
        Status::NotRun => expected_failures == 0 && is_must(c, &checks),
        _ => false,
    };
    let verdict = if failed || !stale.is_empty() {
        Verdict::NonConformant
    } else if cases.iter().any(is_gap) {
        Verdict::Incomplete
    } else {
        Verdict::Conformant
    };
    Report {
        verdict,
        profile: options.profile,
        supports: options.supports.to_owned(),
        documents: (0..files.len()).filter(|i| provider.files.get(*i).is_some_and(|f| f.kind.is_some())).collect(),
        files,
        cases,
        stale,
        expected_failures,
        mapped: provider.mapped.clone(),
        known: known.to_vec(),
    }
}

fn covers(known: &Known, fault: &Fault, files: &[String]) -> bool {
    let name = files.get(fault.file).map_or("", String::as_str);
    let same_file = known.file.is_empty()
        || name.strip_suffix(known.file.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    known.check == fault.finding.check
        && same_file
        && (known.pointer.is_empty() || known.pointer == fault.finding.pointer)
}

/// Cases by status, in the order of [`Status::ALL`].
fn tally<'c>(cases: impl Iterator<Item = &'c Case>) -> [usize; 5] {
    let mut out = [0; 5];
    for case in cases {
        if let Some(n) = out.get_mut(case.status as usize) {
            *n += 1;
        }
    }
    out
}

/// The status of some cases together: the worst of those that were run; not run is never a pass.
fn together([passed, warned, failed, skipped, not_run]: [usize; 5]) -> Status {
    if failed > 0 {
        Status::Fail
    } else if skipped > 0 {
        Status::Skipped
    } else if not_run > 0 || passed + warned == 0 {
        Status::NotRun
    } else if warned > 0 {
        Status::Warn
    } else {
        Status::Pass
    }
}

impl Report {
    /// Whether a finding is on the list of known failures.
    pub fn is_known(&self, fault: &Fault) -> bool {
        self.known.iter().any(|k| covers(k, fault, &self.files))
    }

    /// The name of a finding's file.
    pub fn file(&self, fault: &Fault) -> &str {
        self.files.get(fault.file).map_or("", String::as_str)
    }

    fn of_property(&self, n: u8) -> impl Iterator<Item = &Case> {
        let ids: Vec<&str> = all_checks().into_iter().filter(|c| c.property == n).map(|c| c.id).collect();
        self.cases.iter().filter(move |c| ids.contains(&c.check))
    }

    /// Documents with errors.
    fn failing(&self) -> usize {
        let failed = self.cases.iter().flat_map(|c| &c.faults).filter(|f| f.finding.severity == Severity::Error);
        failed.map(|f| f.file).collect::<BTreeSet<_>>().len()
    }

    /// The sentence of the verdict.
    pub fn line(&self) -> VerdictLine {
        let statuses: Vec<Status> = (1..=11).map(|n| together(tally(self.of_property(n)))).collect();
        let count = |status| statuses.iter().filter(|s| **s == status).count();
        let (fail, skipped) = (count(Status::Fail), count(Status::Skipped));
        let mut reasons = Vec::new();
        let n = |name: &str, n: usize| (name.to_owned(), n.to_string());
        if fail > 0 {
            let args = vec![n("n", fail), n("files", self.failing()), n("of", self.documents.len())];
            reasons.push(("verdict.ssp.fails".to_owned(), args));
        } else {
            reasons.push(("verdict.ssp.documents".to_owned(), vec![n("n", self.documents.len())]));
        }
        let open = self.cases.iter().filter(|c| c.status == Status::Skipped).count();
        if skipped > 0 || open > 0 {
            reasons.push(("verdict.ssp.skipped".to_owned(), vec![n("n", open)]));
        }
        if !self.stale.is_empty() {
            reasons.push(("verdict.ssp.stale".to_owned(), vec![n("n", self.stale.len())]));
        }
        let (tone, state) = match self.verdict {
            Verdict::Conformant => ("ok", "verdict.ssp.conformant"),
            Verdict::NonConformant => ("error", "verdict.ssp.non-conformant"),
            Verdict::Incomplete => ("warning", "verdict.ssp.incomplete"),
        };
        VerdictLine { tone: tone.into(), state: state.into(), reasons }
    }

    /// What the screen shows. `row` makes a row of a finding.
    pub fn view(&self, row: impl Fn(&Fault) -> FindingRow) -> ConformanceView {
        let [passed, warned, failed, ..] = tally(self.cases.iter());
        let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
        let mut properties = Vec::new();
        for n in 1..=11u8 {
            let cases: Vec<&Case> = self.of_property(n).collect();
            let tallied = tally(cases.iter().copied());
            let status = together(tallied);
            *counts.entry(status as usize).or_default() += 1;
            let mut faults: Vec<&Fault> = cases.iter().flat_map(|c| &c.faults).collect();
            faults.sort_by_key(|f| (f.finding.severity, f.file, f.finding.line, f.finding.column));
            let worst = faults.first().map(|f| f.finding.severity);
            let documents: BTreeSet<usize> =
                faults.iter().filter(|f| Some(f.finding.severity) == worst).map(|f| f.file).collect();
            let mut unmade: BTreeMap<&str, u32> = BTreeMap::new();
            for case in cases.iter().filter(|c| !c.status.is_run()) {
                *unmade.entry(case.why).or_default() += 1;
            }
            if cases.is_empty() {
                unmade.insert("no-subject", 0);
            }
            properties.push(PropertyRow {
                property: n,
                status: status.id().into(),
                expected: cases.len() as u32,
                run: cases.iter().filter(|c| c.status.is_run()).count() as u32,
                documents: documents.len() as u32,
                findings: faults.iter().take(MAX_ROWS).map(|f| row(f)).collect(),
                more: faults.len().saturating_sub(MAX_ROWS) as u32,
                unmade: unmade.into_iter().map(|(why, n)| (format!("unmade.{why}"), n)).collect(),
            });
        }
        ConformanceView {
            verdict: self.verdict.id().into(),
            line: self.line(),
            profile: self.profile.id().into(),
            supports: self.supports.clone(),
            documents: self.documents.len() as u32,
            counts: Status::ALL
                .into_iter()
                .map(|s| (s.id().to_owned(), counts.get(&(s as usize)).copied().unwrap_or_default()))
                .collect(),
            expected: self.cases.len() as u32,
            run: (passed + warned + failed) as u32,
            properties,
        }
    }

    /// The object that `--json` prints and `schemas/report.schema.json` describes.
    pub fn json(&self, now: &str) -> Value {
        let checks = all_checks();
        let [passed, warned, failed, skipped, not_run] = tally(self.cases.iter());
        let mut rows = Vec::new();
        let mut without = Vec::new();
        for check in &checks {
            let cases: Vec<&Case> = self.cases.iter().filter(|c| c.check == check.id).collect();
            if cases.is_empty() {
                without.push(json!({"id": check.id, "property": check.property, "reason": said("no-subject")}));
                continue;
            }
            let tallied = tally(cases.iter().copied());
            let status = together(tallied);
            let level = match (check.level, status) {
                _ if check.property == 11 => "info",
                (Level::Must, _) if cases.iter().all(|c| c.status.is_run() || c.why != "no-descriptor") => "must",
                (Level::Must, _) => "should",
                (Level::Should, _) => "should",
            };
            let why: BTreeSet<&str> = cases.iter().filter(|c| !c.status.is_run()).map(|c| c.why).collect();
            let mut row = json!({
                "id": check.id,
                "property": check.property,
                "level": level,
                "status": status.id(),
                "expected": cases.len(),
                "runs": cases.iter().filter(|c| c.status.is_run()).count(),
                "findings": cases.iter().flat_map(|c| &c.faults).map(|f| self.finding(f)).collect::<Vec<_>>(),
            });
            if let (false, Some(map)) = (why.is_empty(), row.as_object_mut()) {
                let reasons: Vec<String> = why.into_iter().map(said).collect();
                map.insert("reason".into(), reasons.join("; ").into());
            }
            rows.push(row);
        }
        let properties: Vec<Value> = (1..=11u8)
            .map(|n| {
                let cases: Vec<&Case> = self.of_property(n).collect();
                json!({
                    "property": n,
                    "title": fill_id(Lang::En, &format!("property.{n}"), &[]),
                    "status": together(tally(cases.iter().copied())).id(),
                    "expected": cases.len(),
                    "run": cases.iter().filter(|c| c.status.is_run()).count(),
                })
            })
            .collect();
        let stale: Vec<Value> =
            self.stale.iter().map(|k| json!({"id": k.check, "document": k.file, "pointer": k.pointer})).collect();
        json!({
            "tool": {"name": "skillscope", "version": env!("CARGO_PKG_VERSION")},
            "spec": {"protocol_version": self.supports, "requirements": REQUIREMENTS},
            "profile": self.profile.id(),
            "started_at": now,
            "subject": self.files,
            "verdict": self.verdict.id(),
            "summary": {
                "expected": self.cases.len(),
                "run": passed + warned + failed,
                "passed": passed,
                "failed": failed,
                "warned": warned,
                "skipped": skipped,
                "not_run": not_run,
                "expected_failures": self.expected_failures,
            },
            "properties": properties,
            "checks": rows,
            "not_applicable": without,
            "stale": stale,
            "neighbours": self.mapped.iter().map(neighbour).collect::<Vec<_>>(),
        })
    }

    fn finding(&self, fault: &Fault) -> Value {
        let f = &fault.finding;
        let mut out = json!({
            "rule": f.check,
            "severity": f.severity.id(),
            "document": self.file(fault),
            "pointer": f.pointer,
            "field": f.field,
            "reason": f.reason,
            "message": f.sentence(Lang::En),
            "hint": f.remedy(Lang::En),
            "instanceLocation": f.instance,
            "line": f.line.max(1),
            "column": f.column.max(1),
        });
        if let Some(map) = out.as_object_mut() {
            if !f.keyword.is_empty() {
                map.insert("keywordLocation".into(), f.keyword.clone().into());
            }
            if self.is_known(fault) {
                map.insert("known".into(), true.into());
            }
        }
        out
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let line = self.line();
        out.push_str(&fill_id(Lang::En, &line.state, &[]));
        for (id, args) in &line.reasons {
            out.push_str(&format!(" {}.", fill_id(Lang::En, id, args)));
        }
        let [passed, warned, failed, skipped, not_run] = tally(self.cases.iter());
        out.push_str(&format!(
            "\n{} checks expected, {} run: {passed} passed, {warned} warned, {failed} failed; {skipped} skipped, {not_run} not run. Profile {}, version {}.\n\n",
            self.cases.len(),
            passed + warned + failed,
            self.profile.id(),
            self.supports
        ));
        for n in 1..=11u8 {
            let cases: Vec<&Case> = self.of_property(n).collect();
            let run = cases.iter().filter(|c| c.status.is_run()).count();
            let status = together(tally(cases.iter().copied()));
            let name = fill_id(Lang::En, &format!("property.{n}"), &[]);
            out.push_str(&format!("{n:>3}  {name:<28} {:<8} {run} of {}", status.id().replace('_', " "), cases.len()));
            let mut whys: BTreeMap<&str, usize> = BTreeMap::new();
            for case in cases.iter().filter(|c| !c.status.is_run()) {
                *whys.entry(case.why).or_default() += 1;
            }
            let whys: Vec<String> = whys.into_iter().map(|(why, n)| format!("{n}: {}", said(why))).collect();
            if cases.is_empty() {
                out.push_str(&format!("  ({})", said("no-subject")));
            } else if !whys.is_empty() {
                out.push_str(&format!("  ({})", whys.join("; ")));
            }
            out.push('\n');
        }
        let mut faults: Vec<&Fault> = self.cases.iter().flat_map(|c| &c.faults).collect();
        faults.sort_by_key(|f| (f.file, f.finding.line, f.finding.column, f.finding.severity));
        let mut last = usize::MAX;
        for fault in faults {
            let f = &fault.finding;
            if fault.file != last {
                out.push_str(&format!("\n{}\n", self.file(fault)));
                last = fault.file;
            }
            let known = if self.is_known(fault) { " (known)" } else { "" };
            let pointer = if f.pointer.is_empty() { "(whole document)" } else { &f.pointer };
            out.push_str(&format!(
                "  {}:{}  {}{known}  {pointer}  {}  [{} {}]\n",
                f.line,
                f.column,
                f.severity.id(),
                f.sentence(Lang::En),
                f.check,
                f.reason
            ));
        }
        for mapped in &self.mapped {
            let label = mapped.neighbour.label();
            match &mapped.refused {
                Some((id, args)) => {
                    out.push_str(&format!("\n{}: {label}: {}\n", mapped.file, fill_id(Lang::En, id, args)));
                }
                None => {
                    let (made, notes, skipped) = (mapped.made.len(), mapped.notes.len(), mapped.skipped.len());
                    out.push_str(&format!(
                        "\n{}: {label}: {made} descriptors made, {notes} guesses and losses, {skipped} parts left out\n",
                        mapped.file
                    ));
                }
            }
        }
        for known in &self.stale {
            out.push_str(&format!("\nknown failure did not fail: {} {} {}\n", known.check, known.file, known.pointer));
        }
        out
    }
}

fn neighbour(mapped: &Mapped) -> Value {
    let note = |id: String, code: &str, kind: &str, pointer: &str, args: &[(String, String)]| json!({"kind": kind, "code": code, "pointer": pointer, "message": fill_id(Lang::En, &id, args)});
    let notes = mapped.notes.iter().map(|n| {
        let kind = if n.kind == NoteKind::Guess { "guess" } else { "loss" };
        note(format!("neighbour.note.{}", n.code), n.code, kind, &n.pointer, &n.args)
    });
    let skipped = mapped
        .skipped
        .iter()
        .map(|s| note(format!("neighbour.skipped.{}", s.code), s.code, "skipped", &s.pointer, &s.args));
    json!({
        "document": mapped.file,
        "kind": mapped.neighbour.id(),
        "descriptors": mapped.made,
        "notes": notes.chain(skipped).collect::<Vec<_>>(),
        "refused": mapped.refused.as_ref().map(|(id, args)| fill_id(Lang::En, id, args)),
    })
}

/// Why a check was not made, in words.
pub fn said(why: &str) -> String {
    fill_id(Lang::En, &format!("unmade.{why}"), &[])
}
