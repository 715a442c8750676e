//! Documents of skills in the workbench: which dropped files are one document, and the jobs about them.
//!
//! Decides the grouping: files of the protocol that came in one folder or archive are one document, a provider's set; a
//! file on its own is its own document. What was checked is kept for the last options that were asked for. A visit is a
//! provider being fetched: the page makes the requests, the workbench keeps what came.

mod exchange;
mod index;
mod neighbour;
mod visit;

pub(super) use exchange::{draft_of, invocations_of};
pub(super) use neighbour::Dropped;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Workbench, fault};
use crate::import::FileImport;
use crate::json::Tape;
use crate::model::{ImportReport, Severity, Skill};
use crate::protocol::Outcome;
use crate::report::conformance::{Report, conclude};
use crate::report::skill::{
    Blob, CheckOptions, FindingRow, MAX_ROWS, MemberRow, NoteRow, PublishView, SkillView, SkillsSummary, TriedView,
    UsedIn,
};
use crate::report::{DocumentSummary, SeverityCounts, TextWindow, VerdictLine, card, junit, sarif};
use crate::skill::access::Seen;
use crate::skill::finding::SkillFinding;
use crate::skill::from::NoteKind;
use crate::skill::provider::{File, Provider};
use crate::skill::suite::{self, Fault, Status};
use crate::skill::wellknown::{FOLDER, Reach};
use crate::skill::{Kind, Options, Profile, check_as, publish, skill_of};

/// A document of skills.
pub struct SkillDocument {
    pub id: u32,
    pub name: String,
    /// Ids of the page's files.
    pub files: Vec<u32>,
    pub provider: Provider,
    /// The address, when it was fetched, and remarks about it.
    url: Option<String>,
    /// What the descriptors were made of, when they were not dropped themselves.
    origin: Option<neighbour::Origin>,
    checked: RefCell<Option<(CheckOptions, Rc<Known>)>>,
}

/// What was found out with some options.
struct Known {
    report: Report,
    sites: Vec<Seen>,
}

/// A file that may belong to a document of skills.
pub(super) struct Candidate {
    pub file: u32,
    pub read: File,
}

impl Candidate {
    /// The candidate of an import that gave no run. `Err` gives the import back.
    pub fn of(file: u32, import: FileImport) -> Result<Self, Box<FileImport>> {
        let name = import.report.file.clone();
        let is_served = name.contains(FOLDER) || name == ".nojekyll" || name.ends_with("/.nojekyll");
        if !import.runs.is_empty() {
            return Err(Box::new(import));
        }
        let Some(bytes) = import.bytes.as_ref() else { return Err(Box::new(import)) };
        let read = File::new(name, bytes.clone());
        // A neighbour's file becomes a document of its own (`neighbour.rs`).
        if read.kind.is_some() || is_served { Ok(Self { file, read }) } else { Err(Box::new(import)) }
    }

    /// Files with the same group are one document: the folder or the archive they came in.
    fn group(&self) -> String {
        match self.read.name.split_once('/') {
            Some((first, rest)) if !first.is_empty() && !rest.is_empty() && first != "." && first != ".." => {
                first.into()
            }
            _ => self.read.name.clone(),
        }
    }
}

/// The options of a check, from the page's words. Unknown words are those of the default.
fn options(asked: &CheckOptions) -> Options<'_> {
    Options {
        profile: Profile::from_id(&asked.profile).unwrap_or_default(),
        supports: if asked.supports.is_empty() { crate::skill::version::SUPPORTED } else { &asked.supports },
        ..Options::default()
    }
}

impl SkillDocument {
    fn new(id: u32, name: String, files: Vec<u32>, provider: Provider, url: Option<String>) -> Self {
        Self { id, name, files, provider, url, origin: None, checked: RefCell::new(None) }
    }

    fn known(&self, asked: &CheckOptions) -> Rc<Known> {
        if let Some((kept, known)) = self.checked.borrow().as_ref()
            && kept == asked
        {
            return known.clone();
        }
        let options = options(asked);
        let mut checked = suite::run(&self.provider, &options);
        let sites = std::mem::take(&mut checked.sites);
        let known = Rc::new(Known { report: conclude(&self.provider, checked, &options, &[]), sites });
        *self.checked.borrow_mut() = Some((asked.clone(), known.clone()));
        known
    }

    fn faults<'k>(&self, known: &'k Known, member: Option<u32>) -> Vec<&'k Fault> {
        let all = known.report.cases.iter().flat_map(|c| &c.faults);
        all.filter(|f| member.is_none_or(|m| f.file == m as usize)).collect()
    }

    fn row(&self, fault: &Fault) -> FindingRow {
        let file = self.provider.files.get(fault.file);
        row(fault.file as u32, file, &fault.finding)
    }

    /// The skills that it describes, for the contract of runs.
    pub fn skills(&self) -> Vec<Skill> {
        let files = self.provider.files.iter().filter(|f| f.kind == Some(Kind::Descriptor));
        let mut out: Vec<Skill> = Vec::new();
        for skill in files.filter_map(|f| skill_of(f.doc().root(), &f.name)) {
            // A served copy of the same skill is no second one.
            if !out.iter().any(|known| known.id == skill.id && known.version == skill.version) {
                out.push(skill);
            }
        }
        out
    }

    fn is_single(&self) -> bool {
        self.provider.files.len() == 1 && self.url.is_none()
    }

    /// What the rail and the head need.
    pub fn summary(&self) -> DocumentSummary {
        let known = self.known(&CheckOptions::default());
        let faults = self.faults(&known, None);
        let failing: BTreeSet<usize> =
            faults.iter().filter(|f| f.finding.severity == Severity::Error).map(|f| f.file).collect();
        let single = self.provider.files.first().filter(|_| self.is_single());
        let root = single.map(|f| f.doc().root());
        let title = root.and_then(|r| r.str("name")).map(|n| n.into_owned()).filter(|n| !n.trim().is_empty());
        let provider = self.provider.files.iter().find_map(|f| {
            let name = f.doc().root().path(&["provider", "name"])?.as_str()?.into_owned();
            (f.kind.is_some() && !name.trim().is_empty()).then_some(name)
        });
        let kind = match (single.and_then(|f| f.kind), self.provider.mapped.as_slice()) {
            (Some(kind), _) => kind.id(),
            // One file of a neighbour, and what was made of it.
            (None, [mapped]) if self.provider.files.len() == 1 + mapped.made.len() => mapped.neighbour.id(),
            _ => "provider",
        };
        let line = match single {
            Some(_) => self.line(&known, 0, &CheckOptions::default()),
            None => known.report.line(),
        };
        let skills = SkillsSummary {
            kind: kind.into(),
            title: title.or(provider.filter(|_| single.is_none())).unwrap_or_else(|| self.name.clone()),
            id: root.and_then(|r| r.str("id")).map(|i| i.into_owned()),
            documents: known.report.documents.len() as u32,
            failing: failing.len() as u32,
            findings: counts(faults.iter().map(|f| &f.finding)),
            verdict: known.report.verdict.id().into(),
            line,
            sites: self.provider.sites.len() as u32,
            descriptors: self.provider.files.iter().filter(|f| f.kind == Some(Kind::Descriptor)).count() as u32,
            url: self.url.clone(),
        };
        DocumentSummary {
            id: self.id,
            name: self.name.clone(),
            files: self.files.clone(),
            format: Some("skill".into()),
            format_label: Some(self.origin.as_ref().map_or("Skill Sharing Protocol", |o| o.label()).into()),
            reports: match &self.origin {
                Some(origin) => vec![origin.report()],
                None => self.provider.files.iter().map(report_of).collect(),
            },
            runs: Vec::new(),
            skills: Some(Box::new(skills)),
        }
    }

    /// The sentence under the title of one document: the first two errors in words.
    fn line(&self, known: &Known, member: u32, asked: &CheckOptions) -> VerdictLine {
        let faults = self.faults(known, Some(member));
        let errors: Vec<&SkillFinding> =
            faults.iter().map(|f| &f.finding).filter(|f| f.severity == Severity::Error).collect();
        let strict = asked.profile == "strict";
        let state = |word: &str| format!("verdict.ssp.{word}-{}", if strict { "strict" } else { "core" });
        if errors.is_empty() {
            let warnings = faults.iter().filter(|f| f.finding.severity == Severity::Warning).count();
            let reasons = match warnings {
                0 => Vec::new(),
                n => vec![("verdict.ssp.warnings".to_owned(), vec![("n".to_owned(), n.to_string())])],
            };
            return VerdictLine { tone: "ok".into(), state: state("valid"), reasons };
        }
        let mut reasons = vec![("verdict.ssp.errors".to_owned(), vec![("n".to_owned(), errors.len().to_string())])];
        reasons.extend(errors.iter().take(2).map(|f| (f.message.to_owned(), f.args.clone())));
        VerdictLine { tone: "error".into(), state: state("invalid"), reasons }
    }

    /// Lines of a member's source.
    pub fn text(&self, member: u32, from: u32, count: u32) -> Outcome {
        let Some(file) = self.provider.files.get(member as usize) else { return fault("fault.no-document", &[]) };
        let lines = file.text.lines().skip(from as usize).take(count.min(500) as usize);
        let lines = lines.map(|l| l.chars().take(2_000).collect()).collect();
        Outcome::Text { text: TextWindow { from, lines, total: file.text.lines().count() as u32 } }
    }

    fn members(&self, asked: &CheckOptions, from: u32, count: u32) -> Outcome {
        let known = self.known(asked);
        let total = self.provider.files.len() as u32;
        let window = self.provider.files.iter().enumerate().skip(from as usize).take(count.min(500) as usize);
        let members = window.map(|(i, file)| {
            let faults = self.faults(&known, Some(i as u32));
            let findings = counts(faults.iter().map(|f| &f.finding));
            let root = file.doc().root();
            let text = |key: &str| root.str(key).map(|t| t.into_owned()).filter(|_| file.kind.is_some());
            let status = match findings {
                SeverityCounts { errors: 1.., .. } => Status::Fail,
                SeverityCounts { warnings: 1.., .. } => Status::Warn,
                _ if file.kind.is_none() => Status::Skipped,
                _ => Status::Pass,
            };
            MemberRow {
                member: i as u32,
                file: file.name.clone(),
                kind: file.kind.map(|k| k.id().into()),
                title: text("name").unwrap_or_else(|| short(&file.name).to_owned()),
                id: text("id").or_else(|| text("skill_id")),
                capability: text("capability_type"),
                access: text("access"),
                served: file.served,
                source: self.provider.mapped.iter().find(|m| m.made.contains(&file.name)).map(|m| m.file.clone()),
                neighbour: self
                    .provider
                    .mapped
                    .iter()
                    .find(|m| m.file == file.name)
                    .map(|m| m.neighbour.label().into()),
                findings,
                status: status.id().into(),
            }
        });
        Outcome::Members { from, members: members.collect(), total }
    }

    fn skill(&self, member: u32, asked: &CheckOptions, used_in: Vec<UsedIn>) -> Outcome {
        let Some(file) = self.provider.files.get(member as usize) else { return fault("fault.no-document", &[]) };
        let known = self.known(asked);
        let mut rows: Vec<FindingRow> = self.faults(&known, Some(member)).into_iter().map(|f| self.row(f)).collect();
        rows.sort_by_key(|r| (r.line, r.column));
        let by = |profile: &str| {
            let asked = CheckOptions { profile: profile.into(), ..asked.clone() };
            let provider = self.known(&asked);
            counts(self.faults(&provider, Some(member)).into_iter().map(|f| &f.finding))
        };
        // The last options asked for stay the kept ones.
        let (core, strict) = (by("core"), by("strict"));
        let root = file.doc().root();
        let text = |key: &str| root.str(key).map(|t| t.into_owned());
        let findings: Vec<SkillFinding> =
            self.faults(&known, Some(member)).into_iter().map(|f| f.finding.clone()).collect();
        let skill = SkillView {
            member,
            file: file.name.clone(),
            kind: file.kind.map(|k| k.id().into()),
            title: text("name").filter(|n| !n.trim().is_empty()).unwrap_or_else(|| short(&file.name).to_owned()),
            id: text("id").or_else(|| text("skill_id")),
            capability: text("capability_type"),
            version: text("version"),
            protocol: root.path(&["protocol", "version"]).map(|v| v.text().into_owned()),
            line: self.line(&known, member, asked),
            core,
            strict,
            card: file.kind.map(|k| card::card(file.doc(), k, &findings)).unwrap_or_default(),
            findings: rows,
            lines: file.text.lines().count() as u32,
            used_in,
            notes: self.notes(&file.name),
            can_try: file.kind == Some(Kind::Descriptor) && root.get("inputs").is_some_and(|i| i.is_object()),
        };
        *self.checked.borrow_mut() = Some((asked.clone(), known));
        Outcome::Skill { skill: Box::new(skill) }
    }

    fn publish(&self) -> Outcome {
        let blocked = |faults: Vec<Fault>| {
            let blocked = faults.iter().take(MAX_ROWS).map(|f| self.row(f)).collect();
            Outcome::Publish { publish: Box::new(PublishView { blocked, ..PublishView::default() }) }
        };
        match publish::publish(&self.provider) {
            Err(faults) => blocked(faults),
            Ok(published) => match published.zip() {
                Err(detail) => fault("fault.zip", &[("detail", detail)]),
                Ok(bytes) => Outcome::Publish {
                    publish: Box::new(PublishView {
                        file: Some(Blob { name: "skill-sharing.zip".into(), mime: "application/zip".into(), bytes }),
                        listed: published.listed.into_iter().map(|(id, a, path)| (id, a.to_owned(), path)).collect(),
                        withheld: published.withheld as u32,
                        blocked: Vec::new(),
                    }),
                },
            },
        }
    }

    fn export(&self, asked: &CheckOptions, format: &str, now: &str) -> Outcome {
        let known = self.known(asked);
        let (name, mime, text) = match format {
            "sarif" => {
                ("report.sarif", "application/sarif+json", serde_json::to_string_pretty(&sarif::sarif(&known.report)))
            }
            "junit" => ("report.junit.xml", "application/xml", Ok(junit::junit(&known.report))),
            _ => ("report.json", "application/json", serde_json::to_string_pretty(&known.report.json(now))),
        };
        match text {
            Ok(text) => Outcome::File { file: Blob { name: name.into(), mime: mime.into(), bytes: text.into_bytes() } },
            Err(error) => fault("fault.export", &[("detail", error.to_string())]),
        }
    }

    /// What was guessed and lost when a descriptor was made of its source, or what the source gave as a whole.
    fn notes(&self, name: &str) -> Vec<NoteRow> {
        let mut out = Vec::new();
        for mapped in &self.provider.mapped {
            let at = mapped.made.iter().position(|m| m == name);
            if at.is_none() && mapped.file != name {
                continue;
            }
            let of_this = mapped.notes.iter().filter(|n| at.is_none() || n.skill.is_none() || n.skill == at);
            out.extend(of_this.map(|n| NoteRow {
                kind: if n.kind == NoteKind::Guess { "guess" } else { "loss" }.into(),
                code: n.code.into(),
                pointer: n.pointer.clone(),
                message: (format!("neighbour.note.{}", n.code), n.args.clone()),
            }));
            if at.is_none() {
                out.extend(mapped.skipped.iter().map(|s| NoteRow {
                    kind: "skipped".into(),
                    code: s.code.into(),
                    pointer: s.pointer.clone(),
                    message: (format!("neighbour.skipped.{}", s.code), s.args.clone()),
                }));
                out.extend(mapped.refused.iter().map(|(id, args)| NoteRow {
                    kind: "refused".into(),
                    code: id.rsplit('.').next().unwrap_or_default().into(),
                    pointer: String::new(),
                    message: (id.clone(), args.clone()),
                }));
            }
        }
        out.truncate(MAX_ROWS);
        out
    }

    /// Inputs that were typed, as the request that would carry them.
    fn try_inputs(&self, member: u32, text: &str) -> Outcome {
        let state = |state: &str, findings| Outcome::Tried { tried: TriedView { state: state.into(), findings } };
        let Some(file) = self.provider.files.get(member as usize) else { return fault("fault.no-document", &[]) };
        let root = file.doc().root();
        let (Some(id), true) = (root.str("id"), root.get("inputs").is_some_and(|i| i.is_object())) else {
            return state("no-schema", Vec::new());
        };
        let mut tape = Tape::new();
        tape.load(text);
        if tape.is_broken() || !tape.doc(text).root().is_object() {
            return state("not-json", Vec::new());
        }
        let before = format!(
            "{{\"caller\":{{\"id\":\"x\",\"type\":\"user\"}},\"skill_id\":{},\"inputs\":",
            crate::json::quote(&id)
        );
        let request = format!("{before}{text}}}");
        let read = File::new(String::new(), request.into_bytes());
        let descriptors = [root];
        let options = Options { descriptors: &descriptors, ..Options::default() };
        let found = check_as(&read.doc(), Kind::Request, &options);
        let mut rows = Vec::new();
        for finding in found.iter().filter(|f| f.pointer.starts_with("/inputs") && f.severity != Severity::Info) {
            let mut row = row(0, Some(&read), finding);
            row.pointer = row.pointer.strip_prefix("/inputs").unwrap_or_default().to_owned();
            if row.line == 1 {
                row.column = row.column.saturating_sub(before.chars().count() as u32).max(1);
            }
            rows.push(row);
        }
        if rows.is_empty() { state("ok", rows) } else { state("faults", rows) }
    }
}

fn counts<'f>(findings: impl Iterator<Item = &'f SkillFinding>) -> SeverityCounts {
    let mut out = SeverityCounts::default();
    for finding in findings {
        match finding.severity {
            Severity::Error => out.errors += 1,
            Severity::Warning => out.warnings += 1,
            Severity::Info => out.infos += 1,
        }
    }
    out
}

fn row(member: u32, file: Option<&File>, finding: &SkillFinding) -> FindingRow {
    let kind = file.and_then(|f| f.kind);
    let missing = file.zip(kind).and_then(|(f, kind)| card::missing(f.doc(), kind, finding));
    FindingRow {
        member,
        file: file.map(|f| f.name.clone()).unwrap_or_default(),
        rule: finding.check.into(),
        property: finding.property,
        severity: finding.severity.id().into(),
        strict_only: finding.house,
        pointer: finding.pointer.clone(),
        field: finding.field.clone(),
        reason: finding.reason.into(),
        message: (finding.message.into(), finding.args.clone()),
        remedy: (finding.remedy_id(), finding.args.clone()),
        line: finding.line,
        column: finding.column,
        insert_after: missing.as_ref().map(|(line, _)| *line),
        sample: missing.map(|(_, sample)| sample),
    }
}

fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn report_of(file: &File) -> ImportReport {
    ImportReport {
        file: file.name.clone(),
        bytes: file.text.len() as u64,
        format: Some("skill".into()),
        shape: "object".into(),
        lines: file.text.lines().count() as u64,
        records: 1,
        understood: 1,
        ..ImportReport::default()
    }
}

impl Workbench {
    /// Makes documents of the skills of a drop.
    pub(super) fn assemble_skills(&mut self, candidates: Vec<Candidate>) -> Vec<DocumentSummary> {
        let mut groups: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
        for candidate in candidates {
            groups.entry(candidate.group()).or_default().push(candidate);
        }
        let mut out = Vec::new();
        for (group, members) in groups {
            let mut files: Vec<u32> = members.iter().map(|m| m.file).collect();
            files.sort_unstable();
            files.dedup();
            let name = match members.as_slice() {
                [single] => single.read.name.clone(),
                _ => group,
            };
            let read = members.into_iter().map(|m| m.read).collect();
            let provider = Provider::from_read(read, Reach::default());
            self.next += 1;
            let document = SkillDocument::new(self.next, name, files, provider, None);
            out.push(document.summary());
            self.skill_documents.insert(self.next, document);
        }
        out
    }

    /// The skills that all open documents describe.
    pub fn open_skills(&self) -> Vec<Skill> {
        self.skill_documents.values().flat_map(SkillDocument::skills).collect()
    }

    fn with_skills(&self, document: u32, look: impl FnOnce(&SkillDocument) -> Outcome) -> Outcome {
        match self.skill_documents.get(&document) {
            Some(d) => look(d),
            None => fault("fault.no-document", &[]),
        }
    }

    pub(super) fn members(&self, document: u32, asked: &CheckOptions, from: u32, count: u32) -> Outcome {
        self.with_skills(document, |d| d.members(asked, from, count))
    }

    pub(super) fn skill(&self, document: u32, member: u32, asked: &CheckOptions) -> Outcome {
        self.with_skills(document, |d| {
            let file = d.provider.files.get(member as usize).filter(|f| f.kind == Some(Kind::Descriptor));
            let skill = file.and_then(|f| skill_of(f.doc().root(), &f.name));
            d.skill(member, asked, skill.map(|s| self.used_in(&s)).unwrap_or_default())
        })
    }

    pub(super) fn conformance(&self, document: u32, asked: &CheckOptions) -> Outcome {
        self.with_skills(document, |d| Outcome::Conformance {
            conformance: Box::new(d.known(asked).report.view(|f| d.row(f))),
        })
    }

    pub(super) fn index(
        &self,
        document: u32,
        site: u32,
        words: &str,
        (from, count): (u32, u32),
        asked: &CheckOptions,
    ) -> Outcome {
        self.with_skills(document, |d| d.index(site, words, from, count, asked))
    }

    pub(super) fn publish(&self, document: u32) -> Outcome {
        self.with_skills(document, SkillDocument::publish)
    }

    pub(super) fn export_report(&self, document: u32, asked: &CheckOptions, format: &str, now: &str) -> Outcome {
        self.with_skills(document, |d| d.export(asked, format, now))
    }

    pub(super) fn try_inputs(&self, document: u32, member: u32, text: &str) -> Outcome {
        self.with_skills(document, |d| d.try_inputs(member, text))
    }

    /// The open runs whose calls name a skill: by its id, its name, or the last part of its id.
    fn used_in(&self, skill: &Skill) -> Vec<UsedIn> {
        let last = skill.id.rsplit('/').next().unwrap_or(&skill.id);
        let mut out = Vec::new();
        for document in self.documents.values() {
            for (index, r) in document.runs.iter().enumerate() {
                let mut used = UsedIn {
                    document: document.id,
                    name: document.name.clone(),
                    run: index as u32,
                    title: r.run.title.clone(),
                    ..UsedIn::default()
                };
                for (at, step) in r.run.steps.iter().enumerate() {
                    let Some(call) = &step.call else { continue };
                    if ![skill.id.as_str(), &skill.name, last].contains(&call.tool.as_ref()) {
                        continue;
                    }
                    if used.calls == 0 {
                        used.first_step = at as u32;
                    }
                    used.calls += 1;
                    used.errors += u32::from(step.failed());
                }
                if used.calls > 0 {
                    out.push(used);
                }
            }
        }
        out
    }
}
