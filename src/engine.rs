//! The one entry for worker, command line and tests: a [`Job`] in, an [`Outcome`] out.
//!
//! [`Workbench`] owns the documents. A file comes in chunks; when every file of a drop is there, files of one session
//! are joined, runs are analysed, and summaries go out. Everything else is asked for by index, in windows, so that
//! answers stay small whatever the size of the file. No clock, no browser, no randomness.

mod beginning;
mod compare;
mod judge;
mod judge_view;
mod many;
mod notes;
mod share;
mod skills;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

pub use share::PageAsked;
pub use skills::SkillDocument;
use skills::{Candidate, Dropped};

use crate::contract::{self, Contract};
use crate::import::{self, FileImport, Intake, SessionPart, Source, import_bytes, is_event_file, join_event_files};
use crate::json::decode_bytes;
use crate::loops::{self, Loops, Params};
use crate::model::{Finding, ImportReport, Note, Run, Severity, Skill, StepKeys, step_keys};
use crate::notes::{Index, Notes};
use crate::protocol::{Job, Outcome, Progress, Seek};
use crate::report::rows::{Listing, Marks, has_word, step_row};
use crate::report::{self, DocumentSummary, FindingsReport, Hit, RawText, RunSummary, Strip, TextWindow, View};
use crate::skill::visit::Visit;
use crate::{topology, validate};
use compare::{Ask, Pairing};

/// Everything that is open.
#[derive(Default)]
pub struct Workbench {
    intakes: BTreeMap<u32, Intake>,
    /// Files that may be one event of a folder of events: kept as they are until their drop is complete.
    events: BTreeMap<u32, (String, Vec<u8>)>,
    /// Imported files that wait for the rest of their drop.
    imported: BTreeMap<u32, Vec<FileImport>>,
    documents: BTreeMap<u32, Document>,
    /// Skills of the documents that are open: every run is checked against them.
    skills: Vec<Skill>,
    /// Documents of skills; their ids are of the same count.
    skill_documents: BTreeMap<u32, SkillDocument>,
    /// Providers that are being fetched.
    visits: BTreeMap<u32, Visit>,
    /// The comparison that was asked for last.
    kept: RefCell<Option<compare::Kept>>,
    /// What was worked out for the last table of runs.
    many: RefCell<many::Kept>,
    /// Judgements, what they are made of, and those that are under way.
    bench: judge::Bench,
    /// Labels and comments on steps of whatever runs.
    notes: Notes,
    next: u32,
}

/// One document: a file, or the files of one session.
pub struct Document {
    pub id: u32,
    pub name: String,
    /// Ids of the page's files.
    pub files: Vec<u32>,
    pub parts: Vec<Part>,
    pub runs: Vec<Analysed>,
    session: Option<SessionPart>,
}

/// One file of a document.
pub struct Part {
    pub file: u32,
    pub report: ImportReport,
    findings: Vec<Finding>,
    source: Source,
}

/// A run with what was found out about it.
pub struct Analysed {
    pub run: Run,
    pub keys: Vec<StepKeys>,
    pub loops: Loops,
    pub findings: Vec<Finding>,
    pub contract: Contract,
    pub summary: RunSummary,
    marks: Marks,
    listing: RefCell<Option<(View, Listing)>>,
    index: OnceCell<Index>,
}

/// Told how far a long job is.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress);

impl Workbench {
    pub fn new() -> Self {
        Self::default()
    }

    /// The open documents, by id.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.values()
    }

    /// Does a job. `bytes` belong to [`Job::Chunk`].
    pub fn handle(&mut self, job: Job, bytes: Option<&[u8]>, progress: OnProgress<'_>) -> Outcome {
        if matches!(job, Job::Assemble { .. } | Job::Close { .. }) {
            self.kept.take();
            self.many.take();
        }
        match job {
            Job::Open { file, name, format, .. } => {
                if format.is_none() && is_event_file(&name) {
                    self.events.insert(file, (name, Vec::new()));
                    return Outcome::Done;
                }
                self.intakes.insert(file, Intake::new(&name, format.as_deref()));
                Outcome::Done
            }
            Job::Chunk { file } => {
                if let (Some(intake), Some(bytes)) = (self.intakes.get_mut(&file), bytes) {
                    intake.chunk(bytes);
                } else if let (Some((_, all)), Some(bytes)) = (self.events.get_mut(&file), bytes) {
                    all.extend_from_slice(bytes);
                }
                Outcome::Done
            }
            Job::Beginning { name, format } => {
                Outcome::Beginning { rows: beginning::rows(&name, format.as_deref(), bytes.unwrap_or_default()) }
            }
            Job::Finish { file } => {
                if let Some(intake) = self.intakes.remove(&file) {
                    self.imported.insert(file, intake.finish());
                }
                Outcome::Imported { file }
            }
            Job::Cancel { file } => {
                self.intakes.remove(&file);
                self.events.remove(&file);
                self.imported.remove(&file);
                Outcome::Done
            }
            Job::Assemble { files } => self.assemble(&files, progress),
            Job::Close { document } => {
                self.documents.remove(&document);
                match self.skill_documents.remove(&document) {
                    Some(_) => self.hold_runs_to_skills(Vec::new(), Vec::new()),
                    None => Outcome::Done,
                }
            }
            Job::Runs { document, filter, from, count } => self.with(document, |d| runs(d, &filter, from, count)),
            Job::Rows { document, run, view, from, count } => self.with_run(document, run, |_, r| Outcome::Rows {
                rows: r.listed(&view, |l| l.window(&r.run, &r.marks, from, count)),
            }),
            Job::Find { document, run, view, seek } => self.with_run(document, run, |_, r| find(r, &view, seek)),
            Job::Strip { document, run, buckets } => {
                self.with_run(document, run, |_, r| Outcome::Strip { strip: strip(r, buckets) })
            }
            Job::Detail { document, run, step } => self.with_run(document, run, |d, r| detail(d, r, step)),
            Job::Raw { document, run, step } => self.with_run(document, run, |d, r| raw(d, r, step)),
            Job::Findings { document, run } => {
                self.with_run(document, run, |d, r| Outcome::Findings { findings: findings(d, r) })
            }
            Job::Loops { document, run } => self.with_run(document, run, |_, r| Outcome::Loops {
                loops: Box::new(report::loops::loop_report(&r.run, &r.loops, &Params::default())),
            }),
            Job::LoopsWith { document, run, params } => self.with_run(document, run, |_, r| {
                let params = report::loops::params_from(&params);
                let found = loops::analyse_keyed(&r.run, &r.keys, &params);
                Outcome::Loops { loops: Box::new(report::loops::loop_report(&r.run, &found, &params)) }
            }),
            Job::Usage { document, run, prices, buckets, sums } => self.with_run(document, run, |_, r| {
                let (own, table) = (prices.as_ref(), report::usage::table(prices.as_ref()));
                let view = report::usage_view::usage_view(&r.run, &table, own, buckets, sums);
                Outcome::Usage { usage: Box::new(view) }
            }),
            Job::Turns { document, run, prices, from, count } => self.with_run(document, run, |_, r| {
                let table = report::usage::table(prices.as_ref());
                Outcome::Turns { turns: report::usage_view::turns_view(&r.run, &table, from, count) }
            }),
            Job::Waterfall { document, run, range, idle_ms, bars } => self.with_run(document, run, |_, r| {
                let found = report::usage_view::waterfall_view(&r.run, range, idle_ms, bars);
                Outcome::Waterfall { waterfall: Box::new(found) }
            }),
            Job::Metrics { document, run } => self.with_run(document, run, |d, r| {
                let others = d.others(run).map(|(_, o)| (&o.run, o.keys.as_slice()));
                let found = report::metrics::metrics_report(&r.run, &r.keys, &r.loops, others);
                Outcome::Metrics { metrics: report::measures_view::metrics_view(&found) }
            }),
            Job::Topology { document, run } => self.with_run(document, run, |d, r| {
                let others = d.others(run).map(|(i, o)| (i, &o.run, o.summary.topology.hash.as_str()));
                let found = report::topology::topology_report(&r.run, &r.summary.topology.hash, others);
                Outcome::Topology { topology: Box::new(report::measures_view::topology_view(&r.run, &found)) }
            }),
            Job::Diagram { document, run, options } => self.with_run(document, run, |_, r| Outcome::Diagram {
                diagram: Box::new(report::diagram::page(&r.run, &r.loops, &options)),
            }),
            Job::Compare { left, right, options } => self.compared(Pairing { left, right, options }, Ask::Report),
            Job::CompareRows { left, right, options, view, from, count } => {
                self.compared(Pairing { left, right, options }, Ask::Rows { view, from, count })
            }
            Job::CompareFind { left, right, options, view, seek } => {
                self.compared(Pairing { left, right, options }, Ask::Find { view, seek })
            }
            Job::ComparePair { left, right, options, row } => {
                self.compared(Pairing { left, right, options }, Ask::Pair { row })
            }
            Job::CompareExport { left, right, options, kind } => {
                self.compared(Pairing { left, right, options }, Ask::Export { kind })
            }
            Job::Match { document, runs, options, from, count } => self.matched(document, &runs, &options, from, count),
            Job::Contract { document, run } => self.with_run(document, run, |_, r| Outcome::Contract {
                contract: Box::new(report::contract::contract_report(&r.run, &r.contract)),
            }),
            Job::Text { document, report, from, count } => match self.skill_documents.get(&document) {
                Some(skills) => skills.text(report, from, count),
                None => self.with(document, |d| text(d, report, from, count)),
            },
            Job::Search { words, limit } => self.search(&words, limit),
            Job::Members { document, options, from, count } => self.members(document, &options, from, count),
            Job::Skill { document, member, options } => self.skill(document, member, &options),
            Job::Conformance { document, options } => self.conformance(document, &options),
            Job::Index { document, site, filter, from, count, options } => {
                self.index(document, site, &filter, (from, count), &options)
            }
            Job::Publish { document } => self.publish(document),
            Job::Neighbour { document } => self.neighbour(document),
            Job::ExportSkills { document, format } => self.export_skills(document, &format),
            Job::Invocations { document, run } => self.with_run(document, run, skills::invocations_of),
            Job::DraftSkill { document, run, tool } => {
                self.with_run(document, run, |_, r| skills::draft_of(&r.run, &tool))
            }
            Job::SkillDifferences { before, after } => self.skill_differences(before, after),
            Job::ExportReport { document, options, format, now } => {
                self.export_report(document, &options, &format, &now)
            }
            Job::TryInputs { document, member, text } => self.try_inputs(document, member, &text),
            Job::Traceability => Outcome::Traceability { rows: report::trace::rows() },
            Job::Visit { text, page, document, options } => self.visit(&text, &page, document, &options),
            Job::Fetched { visit, request, result } => self.fetched(visit, request, result, bytes),
            Job::EndVisit { visit } => {
                self.visits.remove(&visit);
                Outcome::Done
            }
            Job::Many { documents, view, from, count } => self.many(&documents, many::Ask::Rows { view, from, count }),
            Job::ManyReport { documents, filter } => self.many(&documents, many::Ask::Report { filter }),
            Job::ManyNear { documents, at, limit } => self.many(&documents, many::Ask::Near { at, limit }),
            Job::ManyMatrix { documents, filter, limit } => self.many(&documents, many::Ask::Matrix { filter, limit }),
            Job::ManyConsensus { documents, filter, group, key, same } => {
                self.many(&documents, many::Ask::Consensus { filter, group, key, same })
            }
            Job::JudgeForm { document, run } => self.judge_form(document, run),
            Job::JudgePlan { run, other, setup } => self.judge_plan(run, other, &setup),
            Job::JudgePreview { judge, request, from, count } => self.bench.preview(judge, request, from, count),
            Job::JudgeStart { judge, now } => self.bench.go_on(judge, &now),
            Job::JudgeAnswer { judge, request, got, now } => self.bench.answered(judge, request, *got, &now),
            Job::JudgeStop { judge, now } => self.bench.stop(judge, &now),
            Job::JudgeDoctor { setup, origin, permission, off } => self.bench.doctor(&setup, origin, permission, off),
            Job::JudgeLabel { document, run, rubric, criterion, label } => {
                self.judge_label(document, run, &rubric, criterion, label)
            }
            Job::JudgeExport { document, run } => self.judge_export(document, run),
            Job::ShareSurvey { runs, choices } => self.share_survey(&runs, &choices),
            Job::SharePage { runs, choices, view, lang } => {
                self.share_page(&PageAsked { runs, choices, view, lang }, bytes)
            }
            Job::ShareLink { runs, choices, view } => {
                self.share_link(&PageAsked { runs, choices, view, lang: String::new() })
            }
            Job::ShareText { runs, choices, range, tokens } => self.share_text(&runs, &choices, range, tokens),
            Job::Notes { run, file } => self.notes_view(run, &file),
            Job::SetNote { run, edit, now } => self.set_note(run, edit, now),
            Job::StepName { run, step, name } => self.step_name(run, step, &name),
        }
    }

    /// Holds the open runs to the skills that are open now; runs with other findings than before are told with the rest.
    fn hold_runs_to_skills(&mut self, mut documents: Vec<DocumentSummary>, removed: Vec<u32>) -> Outcome {
        for id in self.set_skills(self.open_skills()) {
            let Some(summary) = self.documents.get(&id).map(Document::summary) else { continue };
            match documents.iter_mut().find(|d| d.id == id) {
                Some(told) => *told = summary,
                None => documents.push(summary),
            }
        }
        if documents.is_empty() && removed.is_empty() {
            return Outcome::Done;
        }
        Outcome::Documents { documents, removed }
    }

    /// Takes the skills of the open documents in the place of those before: every run that is open is held to them.
    /// Returns the documents whose runs have other findings now.
    pub fn set_skills(&mut self, skills: Vec<Skill>) -> Vec<u32> {
        let mut changed = Vec::new();
        if skills == self.skills {
            return changed;
        }
        for document in self.documents.values_mut() {
            let names = document.names();
            let mut differs = false;
            for run in &mut document.runs {
                let before = run.contract.verdicts.clone();
                run.hold_to(&skills, &names);
                differs |= run.contract.verdicts != before;
            }
            if differs {
                changed.push(document.id);
            }
        }
        self.skills = skills;
        changed
    }

    fn with(&self, document: u32, look: impl FnOnce(&Document) -> Outcome) -> Outcome {
        match self.documents.get(&document) {
            Some(d) => look(d),
            None => fault("fault.no-document", &[]),
        }
    }

    fn with_run(&self, document: u32, run: u32, look: impl FnOnce(&Document, &Analysed) -> Outcome) -> Outcome {
        self.with(document, |d| match d.runs.get(run as usize) {
            Some(r) => look(d, r),
            None => fault("fault.no-run", &[]),
        })
    }

    /// Makes documents of imported files: sub-agents' files join their session, also one that is open already.
    fn assemble(&mut self, files: &[u32], progress: OnProgress<'_>) -> Outcome {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut events = Vec::new();
        let mut event_files: BTreeMap<String, u32> = BTreeMap::new();
        let mut candidates = Vec::new();
        let mut neighbours = Vec::new();
        let mut noted = false;
        for &file in files {
            for import in self.imported.remove(&file).unwrap_or_default() {
                if let Some(more) = notes::side_file(&import) {
                    self.notes.merge(more);
                    noted = true;
                    if import.runs.is_empty() {
                        continue;
                    }
                }
                match Candidate::of(file, import) {
                    Ok(candidate) => candidates.push(candidate),
                    Err(import) => match Dropped::of(file, *import) {
                        Ok(neighbour) => neighbours.push(neighbour),
                        Err(import) => drafts.push(Draft::new(vec![file], *import)),
                    },
                }
            }
            if let Some((name, bytes)) = self.events.remove(&file) {
                event_files.insert(name.clone(), file);
                events.push((name, bytes));
            }
        }
        let (of_neighbours, back) = self.assemble_neighbours(neighbours);
        drafts.extend(back.into_iter().map(|(file, import)| Draft::new(vec![file], import)));
        for (name, bytes) in join_event_files(events) {
            // A joined folder stands for all its files; a file of its own for itself.
            let files = match event_files.get(&name) {
                Some(file) => vec![*file],
                None => event_files.iter().filter(|(path, _)| path.starts_with(&name)).map(|(_, file)| *file).collect(),
            };
            drafts.extend(import_bytes(&name, &bytes, None).into_iter().map(|mut import| {
                if files.len() != 1 {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    import.source = Source::Text(text);
                }
                Draft::new(files.clone(), import)
            }));
        }
        let mut changed: Vec<u32> = Vec::new();
        let mut removed: Vec<u32> = Vec::new();
        // Sub-agents that wait for their session, and sessions that wait for their sub-agents, may be open.
        let sessions: Vec<String> =
            drafts.iter().filter_map(|d| d.session.as_ref().map(|s| s.session.clone())).collect();
        let partners: Vec<u32> = self
            .documents
            .values()
            .filter(|d| d.session.as_ref().is_some_and(|s| sessions.contains(&s.session)))
            .map(|d| d.id)
            .collect();
        let mut reopened: BTreeMap<String, u32> = BTreeMap::new();
        for id in partners {
            let Some(document) = self.documents.remove(&id) else { continue };
            if let Some(session) = document.session.clone().filter(|s| s.agent.is_none()) {
                reopened.insert(session.session, id);
            } else {
                removed.push(id);
            }
            drafts.push(Draft::reopen(document));
        }
        drafts.sort_by_key(|d| d.session.as_ref().is_none_or(|s| s.agent.is_none()));
        let (children, mut parents): (Vec<Draft>, Vec<Draft>) =
            drafts.into_iter().partition(|d| d.session.as_ref().is_some_and(|s| s.agent.is_some()));
        let orphans = attach(&mut parents, children);
        parents.sort_by_key(|d| d.files.first().copied());
        let total = parents.len() + orphans.len();
        for (done, draft) in parents.into_iter().chain(orphans).enumerate() {
            progress(Progress { phase: 2, done: done as u64, of: total as u64 });
            let known = draft.session.as_ref().filter(|s| s.agent.is_none()).and_then(|s| reopened.remove(&s.session));
            let id = known.unwrap_or_else(|| {
                self.next += 1;
                self.next
            });
            let mut each = |n: usize, of: usize| progress(Progress { phase: 2, done: n as u64, of: of as u64 });
            self.documents.insert(id, draft.analyse(id, &self.skills, &mut each));
            changed.push(id);
        }
        let mut documents: Vec<DocumentSummary> =
            changed.iter().filter_map(|id| self.documents.get(id)).map(Document::summary).collect();
        documents.extend(of_neighbours);
        documents.extend(self.assemble_skills(candidates));
        match self.hold_runs_to_skills(documents, removed) {
            // A side file alone: it becomes no document, and its row goes.
            Outcome::Done if noted => Outcome::Documents { documents: Vec::new(), removed: Vec::new() },
            outcome => outcome,
        }
    }

    fn search(&self, words: &str, limit: u32) -> Outcome {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let mut hits = Vec::new();
        if words.is_empty() {
            return Outcome::Hits { hits };
        }
        for document in self.documents.values() {
            for (index, r) in document.runs.iter().enumerate() {
                for (i, step) in r.run.steps.iter().enumerate() {
                    if hits.len() as u32 >= limit.min(200) {
                        return Outcome::Hits { hits };
                    }
                    if words.iter().all(|w| has_word(step, w)) {
                        let row = step_row(&r.run, &r.marks, i as u32);
                        hits.push(Hit { document: document.id, run: index as u32, row });
                    }
                }
            }
        }
        Outcome::Hits { hits }
    }
}

fn fault(id: &str, args: &[(&str, String)]) -> Outcome {
    Outcome::Fault { id: id.into(), args: args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect() }
}

/// A document in the making.
pub struct Draft {
    name: String,
    files: Vec<u32>,
    parts: Vec<Part>,
    runs: Vec<Run>,
    session: Option<SessionPart>,
}

impl Draft {
    fn new(files: Vec<u32>, import: FileImport) -> Self {
        let FileImport { runs, report, findings, session, source, .. } = import;
        let file = files.first().copied().unwrap_or_default();
        Self { name: report.file.clone(), files, parts: vec![Part { file, report, findings, source }], runs, session }
    }

    fn reopen(document: Document) -> Self {
        let Document { name, files, parts, runs, session, .. } = document;
        Self { name, files, parts, runs: runs.into_iter().map(|r| r.run).collect(), session }
    }

    fn analyse(self, id: u32, skills: &[Skill], progress: &mut dyn FnMut(usize, usize)) -> Document {
        let Draft { name, files, parts, runs, session } = self;
        let names: Vec<String> = parts.iter().map(|p| p.report.file.clone()).collect();
        let of = runs.len();
        let runs = runs
            .into_iter()
            .enumerate()
            .map(|(index, run)| {
                if of > 1 && index % 16 == 0 {
                    progress(index, of);
                }
                Analysed::new(index as u32, run, &names, &parts, of, skills)
            })
            .collect();
        Document { id, name, files, parts, runs, session }
    }
}

/// Puts sub-agents into their sessions. One that is called by another sub-agent waits until that one has its place;
/// what stays without a call goes to the end of its session. Returns those whose session is not here.
fn attach(parents: &mut [Draft], mut children: Vec<Draft>) -> Vec<Draft> {
    children.sort_by(|a, b| a.name.cmp(&b.name));
    for anywhere in [false, true] {
        loop {
            let before = children.len();
            let mut left = Vec::new();
            for child in children {
                if let Some(child) = attach_one(parents, child, anywhere) {
                    left.push(child);
                }
            }
            children = left;
            if children.len() == before {
                break;
            }
        }
    }
    children
}

fn attach_one(parents: &mut [Draft], mut child: Draft, anywhere: bool) -> Option<Draft> {
    let Some(part) = child.session.clone() else { return Some(child) };
    let Some(agent) = part.agent.clone() else { return Some(child) };
    let Some(parent) = parents.iter_mut().find(|p| p.session.as_ref().is_some_and(|s| s.session == part.session))
    else {
        return Some(child);
    };
    let file = parent.parts.len() as u16;
    if part.helper {
        let calls = child.runs.iter().map(Run::calls).sum::<usize>();
        for p in &mut child.parts {
            let args = vec![("agent".to_owned(), agent.clone()), ("n".to_owned(), calls.to_string())];
            p.report.notes.push(Note { id: "note.helper".into(), args });
        }
    } else {
        let Some(run) = parent.runs.first_mut() else { return Some(child) };
        let mut left = Vec::new();
        for c in std::mem::take(&mut child.runs) {
            if let Err(c) = run.attach(c, &agent, file, anywhere) {
                left.push(*c);
            }
        }
        if !left.is_empty() {
            child.runs = left;
            return Some(child);
        }
    }
    parent.files.extend(child.files.iter().copied());
    parent.parts.append(&mut child.parts);
    None
}

impl Document {
    fn summary(&self) -> DocumentSummary {
        let format = self.parts.iter().find_map(|p| p.report.format.clone());
        DocumentSummary {
            id: self.id,
            name: self.name.clone(),
            files: self.files.clone(),
            format_label: format.as_deref().and_then(import::format).map(|f| f.label.to_owned()),
            format,
            reports: self.parts.iter().map(|p| p.report.clone()).collect(),
            runs: self.runs.iter().map(|r| r.summary.clone()).collect(),
            skills: None,
        }
    }

    /// The runs but one, each with its number.
    fn others(&self, run: u32) -> impl Iterator<Item = (u32, &Analysed)> {
        (0u32..).zip(&self.runs).filter(move |(i, _)| *i != run)
    }

    fn names(&self) -> Vec<String> {
        self.parts.iter().map(|p| p.report.file.clone()).collect()
    }
}

impl Analysed {
    fn new(index: u32, run: Run, files: &[String], parts: &[Part], runs: usize, skills: &[Skill]) -> Self {
        let keys = step_keys(&run);
        let loops = loops::analyse_keyed(&run, &keys, &Params::default());
        let mut found = validate::check_run(index, &run, files);
        // What concerns the file as a whole is said where there is one run; otherwise it stands in the import report.
        if runs == 1 {
            for part in parts {
                found.extend(part.findings.iter().cloned());
                found.extend(validate::check_import(&part.report));
            }
        }
        let marks = Marks {
            loops: report::loops::loop_marks(&run, &loops),
            groups: Marks::groups_of(&run),
            ..Marks::default()
        };
        // The other variants cost as much each, and are looked at in few runs: `Job::Topology` makes them.
        let badge = vec![(topology::Variant::DEFAULT, topology::shape(&run, topology::Variant::DEFAULT).hash)];
        let summary = report::summary::summary(index, &run, &loops, &found, badge);
        let contract = Contract::default();
        let mut out = Self {
            run,
            keys,
            loops,
            findings: found,
            contract,
            summary,
            marks,
            listing: RefCell::new(None),
            index: OnceCell::new(),
        };
        out.hold_to(skills, files);
        out
    }

    /// Checks the run's calls against its own skills and these, in the place of what such a check found before.
    fn hold_to(&mut self, skills: &[Skill], files: &[String]) {
        self.contract = contract::check(&self.run, skills, &contract::Options::of(&self.run));
        self.findings.retain(|f| !contract::is_rule(&f.rule));
        self.findings.extend(contract::findings(self.summary.index, &self.run, &self.contract, files));
        self.findings
            .sort_by(|a, b| (a.severity, &a.rule, a.step, &a.place).cmp(&(b.severity, &b.rule, b.step, &b.place)));
        self.marks.findings.clear();
        for finding in &self.findings {
            if let Some(step) = finding.step {
                let entry = self.marks.findings.entry(step).or_insert((0, false));
                entry.0 = entry.0.saturating_add(1);
                entry.1 |= finding.severity == Severity::Error;
            }
        }
        self.summary.findings = report::summary::severities(&self.findings);
        self.listing.replace(None);
    }

    /// Works on the rows of a view; the last view is kept.
    fn listed<R>(&self, view: &View, look: impl FnOnce(&Listing) -> R) -> R {
        let mut cache = self.listing.borrow_mut();
        if let Some((kept, listing)) = cache.as_ref()
            && kept == view
        {
            return look(listing);
        }
        let listing = Listing::new(&self.run, &self.marks, view);
        let result = look(&listing);
        *cache = Some((view.clone(), listing));
        result
    }
}

fn runs(document: &Document, filter: &str, from: u32, count: u32) -> Outcome {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let has = |s: &RunSummary, word: &str| {
        let outcome = s.outcome.as_ref();
        match word {
            "has:error" => s.errors > 0,
            "has:loop" => s.loops.spans > 0,
            word => {
                s.title.to_lowercase().contains(word)
                    || s.id.as_deref().unwrap_or_default().to_lowercase().contains(word)
                    || outcome.is_some_and(|o| o.verdict == word || o.word.to_lowercase().contains(word))
                    || s.labels.iter().any(|(k, v)| format!("{k}:{v}").to_lowercase().contains(word))
            }
        }
    };
    let hits: Vec<&RunSummary> =
        document.runs.iter().map(|r| &r.summary).filter(|s| words.iter().all(|w| has(s, w))).collect();
    let total = hits.len() as u32;
    let runs = hits.into_iter().skip(from as usize).take(count.min(500) as usize).cloned().collect();
    Outcome::Runs { from, runs, total }
}

fn find(r: &Analysed, view: &View, seek: Seek) -> Outcome {
    let n = r.run.steps.len() as u32;
    let step = match seek {
        Seek::Step { step } => (step < n).then_some(step),
        Seek::Error { step, back } => {
            around(n, step, back, |i| r.run.steps.get(i as usize).is_some_and(|s| s.failed()))
        }
        Seek::Finding { step, back } => around(n, step, back, |i| r.marks.findings.contains_key(&i)),
        Seek::Loop { step, back } => around(n, step, back, |i| r.marks.loops.get(&i).is_some_and(|l| l.from == i)),
    };
    let (row, fold) = step.map_or((None, None), |s| r.listed(view, |l| l.find(s)));
    Outcome::Found { step, row, fold }
}

/// The next index after `from` (or before it) that satisfies `test`, going round once.
fn around(n: u32, from: Option<u32>, back: bool, test: impl Fn(u32) -> bool) -> Option<u32> {
    let start = match (from, back) {
        (Some(from), false) => from.saturating_add(1),
        (Some(from), true) => from,
        (None, false) => 0,
        (None, true) => n,
    };
    if back {
        (0..start.min(n)).rev().chain((0..n).rev()).find(|i| test(*i))
    } else {
        (start..n).chain(0..n).find(|i| test(*i))
    }
}

fn strip(r: &Analysed, buckets: u32) -> Strip {
    let n = r.run.steps.len();
    let buckets = (buckets.clamp(1, 2_000) as usize).min(n.max(1));
    let mut out = String::with_capacity(buckets);
    for b in 0..buckets.min(n) {
        let (from, to) = (b * n / buckets, ((b + 1) * n / buckets).max(b * n / buckets + 1));
        let steps = r.run.steps.get(from..to.min(n)).unwrap_or_default();
        let mut counts = [0usize; 5];
        for step in steps {
            counts[step.actor() as usize] += 1;
        }
        let (best, _) = counts.iter().enumerate().fold((0, 0), |best, (i, &c)| if c > best.1 { (i, c) } else { best });
        let letter = b"uatse".get(best).copied().unwrap_or(b's') as char;
        let failed = steps.iter().any(|s| s.failed());
        out.push(if failed { letter.to_ascii_uppercase() } else { letter });
    }
    let steps = |test: &dyn Fn(&crate::model::Step) -> bool| {
        r.run.steps.iter().enumerate().filter(|(_, s)| test(s)).map(|(i, _)| i as u32).take(1000).collect()
    };
    let mut loops: Vec<(u32, u32, String)> =
        r.marks.loops.values().map(|l| (l.from, l.to, l.detector.clone())).collect();
    loops.sort();
    loops.dedup();
    Strip {
        steps: n as u32,
        buckets: out,
        errors: steps(&|s| s.failed()),
        loops,
        compactions: steps(&|s| s.kind == crate::model::StepKind::Compaction),
    }
}

fn detail(d: &Document, r: &Analysed, step: u32) -> Outcome {
    let actions = r.run.actions();
    let same = actions.binary_search(&step).ok().and_then(|at| r.keys.get(at)).map_or_else(Vec::new, |key| {
        let others = actions.iter().zip(&r.keys).filter(|(s, k)| k.call == key.call && **s != step);
        others.map(|(s, _)| *s).take(100).collect()
    });
    match report::detail::detail(&r.run, &r.marks, step, &d.names(), &r.findings, same) {
        Some(detail) => Outcome::Detail { detail: Box::new(detail) },
        None => fault("fault.no-step", &[("step", (u64::from(step) + 1).to_string())]),
    }
}

/// A raw record is shown up to this many bytes.
const MAX_RAW: usize = 4_000_000;

fn raw(d: &Document, r: &Analysed, step: u32) -> Outcome {
    let Some(step) = r.run.steps.get(step as usize) else {
        return fault("fault.no-step", &[("step", (u64::from(step) + 1).to_string())]);
    };
    let Some(part) = d.parts.get(step.span.file as usize) else { return Outcome::Raw { raw: RawText::Nowhere } };
    let (start, end) = (step.span.start as usize, step.span.end as usize);
    if end <= start {
        return Outcome::Raw { raw: RawText::Nowhere };
    }
    let end = end.min(start + MAX_RAW);
    let raw = match &part.source {
        Source::File { shift } => RawText::Range {
            file: part.file,
            start: (start + *shift as usize) as u64,
            end: (end + *shift as usize) as u64,
        },
        Source::Text(text) => match text.get(start..end) {
            Some(piece) => RawText::Text { text: piece.to_owned() },
            None => RawText::Nowhere,
        },
        Source::Nowhere => RawText::Nowhere,
    };
    Outcome::Raw { raw }
}

fn findings(d: &Document, r: &Analysed) -> FindingsReport {
    let mut counts: BTreeMap<(Severity, String), u32> = BTreeMap::new();
    for f in &r.findings {
        *counts.entry((f.severity, f.rule.clone())).or_insert(0) += 1;
    }
    let mut skipped = Vec::new();
    let has_schema = d.parts.iter().any(|p| matches!(p.report.format.as_deref(), Some("atif" | "skillscope")));
    if !has_schema {
        skipped.push(("schema".to_owned(), "skipped.no-schema".to_owned()));
    }
    if r.run.steps.iter().all(|s| s.at.is_none()) {
        skipped.push(("time-backwards".to_owned(), "skipped.no-times".to_owned()));
    }
    if r.contract.skills.is_empty() {
        let rules = crate::model::RULES.iter().map(|rule| rule.id).filter(|id| contract::is_rule(id));
        skipped.extend(rules.map(|id| (id.to_owned(), "skipped.no-skills".to_owned())));
    }
    let clean = crate::model::RULES
        .iter()
        .map(|rule| rule.id.to_owned())
        .filter(|id| !counts.keys().any(|(_, c)| c == id) && !skipped.iter().any(|(s, _)| s == id))
        .collect();
    FindingsReport {
        findings: r.findings.clone(),
        counts: counts.into_iter().map(|((severity, rule), n)| (rule, severity, n)).collect(),
        clean,
        skipped,
    }
}

fn text(d: &Document, part: u32, from: u32, count: u32) -> Outcome {
    let Some(part) = d.parts.get(part as usize) else { return fault("fault.no-document", &[]) };
    let Source::Text(text) = &part.source else {
        return Outcome::Raw {
            raw: match part.source {
                Source::File { .. } => RawText::Range { file: part.file, start: 0, end: part.report.bytes },
                _ => RawText::Nowhere,
            },
        };
    };
    let lines = text.lines().skip(from as usize).take(count.min(500) as usize);
    let lines = lines.map(|l| l.chars().take(2_000).collect()).collect();
    Outcome::Text { text: TextWindow { from, lines, total: text.lines().count() as u32 } }
}

/// Decodes a piece of a file for the raw view; a cut character at either end is dropped.
pub fn piece(bytes: &[u8]) -> String {
    decode_bytes(bytes).text.into_owned()
}
