//! The verbs: open, close, cancel, reload. Only they touch files, worker and session.
//!
//! A drop is a batch: its files are read one after the other, each succeeds or fails alone, then those that came
//! through are assembled together, since a session and its sub-agents' files are one run.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::nav::Nav;
use super::notes::Notebook;
use super::session::{Document, Notice, NoticeAct, Problem, Say, Session, Status, drop_file, file, keep_file};
use super::settings::tf;
use crate::message::M;
use crate::protocol::{self, Example, Job, Outcome};
use crate::report::formats::format_line;
use crate::report::{DocumentSummary, Row};
use crate::route::{Place, Route, RunsPlace, Side, SkillTab, Versus};
use crate::web::platform::files::{Dropped, Kept, Stop, pump};
use crate::web::platform::worker::{Death, Engine};
use crate::web::platform::{dom, http, idle};

/// How long a cancelled job may take to notice before the worker is ended.
const CANCEL_MS: i32 = 500;

/// The verbs, as a handle.
#[derive(Clone, Copy)]
pub struct Actions {
    session: Session,
    engine: Engine,
    nav: Nav,
    book: Notebook,
    next_key: StoredValue<u32>,
    next_file: StoredValue<u32>,
    next_batch: StoredValue<u32>,
    /// The document whose files the user is asked to choose again.
    again: StoredValue<u32>,
    /// Files that are being read; a file that is not in here any more is not wanted.
    reading: StoredValue<Vec<u32>>,
    /// Files that the worker is making documents of.
    joining: StoredValue<Vec<u32>>,
    /// Counts the worker's deaths: what was begun for an earlier worker gives up.
    life: StoredValue<u32>,
}

/// A file on its way in.
#[derive(Clone)]
struct Incoming {
    id: u32,
    /// The row that shows its progress.
    key: u32,
    kept: Kept,
    format: Option<String>,
}

/// The verbs; works in components and in what they own.
pub fn use_actions() -> Actions {
    expect_context()
}

fn next(counter: StoredValue<u32>) -> u32 {
    let value = counter.get_value() + 1;
    counter.set_value(value);
    value
}

impl Actions {
    pub fn new(session: Session, engine: Engine, nav: Nav, book: Notebook) -> Self {
        let actions = Self {
            session,
            engine,
            nav,
            book,
            next_key: StoredValue::new(0),
            next_file: StoredValue::new(0),
            next_batch: StoredValue::new(0),
            again: StoredValue::new(0),
            reading: StoredValue::new(Vec::new()),
            joining: StoredValue::new(Vec::new()),
            life: StoredValue::new(0),
        };
        engine.on_death(move |death| actions.revive(death));
        actions.watch_changes();
        actions
    }

    /// Opens files as one batch.
    pub fn open(self, files: Vec<Kept>) {
        self.open_named(files);
    }

    /// The same; answers the name of the first document.
    fn open_named(self, files: Vec<Kept>) -> Option<String> {
        if files.is_empty() {
            return None;
        }
        let batch = next(self.next_batch);
        let mut incoming = Vec::new();
        let mut rows = Vec::new();
        for kept in files {
            let (id, key) = (next(self.next_file), next(self.next_key));
            keep_file(id, kept.clone());
            let status = Status::Reading { done: 0, of: kept.size() };
            let taken = |name: &str| {
                rows.iter().any(|d: &Document| d.name == name)
                    || self.session.documents.with_untracked(|d| d.iter().any(|d| d.name == name))
            };
            let name = unique(kept.path(), taken);
            rows.push(self.session.document(key, name, kept.size(), vec![id], batch, status));
            incoming.push(Incoming { id, key, kept, format: None });
        }
        // The first file opens at once, unless the user is somewhere else; its progress is the screen.
        let first = rows.first().map(|d| d.name.clone());
        self.session.documents.update(|d| d.extend(rows));
        let elsewhere = match self.nav.now() {
            Route::Home | Route::Formats | Route::Check(_) | Route::Open(_) => false,
            // Who compares has chosen what to see; the new runs are in the pickers.
            Route::Compare(_) | Route::Runs(_) => true,
            Route::Document(place) => self
                .session
                .by_name_now(&place.document)
                .is_some_and(|d| d.batch != batch || !matches!(d.status.get_untracked(), Status::Failed(_))),
        };
        if let (false, Some(name)) = (elsewhere, &first) {
            self.show(name.clone());
        }
        spawn_local(async move {
            let _busy = idle::busy();
            self.intake(incoming, batch).await;
        });
        first
    }

    /// Opens what was dropped or pasted.
    pub fn open_dropped(self, dropped: Dropped) {
        spawn_local(async move {
            let _busy = idle::busy();
            let files = dropped.files().await;
            if files.is_empty() {
                self.session.notice.set(Some(Notice {
                    bad: false,
                    say: Say::Page(M::NothingDropped, Vec::new()),
                    act: None,
                }));
            }
            self.open(files);
        });
    }

    /// Opens a pasted text as a document named by what it looks like and the time.
    pub fn open_text(self, text: &str) {
        let begin = text.trim_start();
        let kind = match begin.chars().next() {
            Some('{' | '[')
                if begin.lines().nth(1).is_some_and(|l| l.trim_start().starts_with('{'))
                    && begin.lines().next().is_some_and(|l| l.trim_end().ends_with('}')) =>
            {
                "jsonl"
            }
            Some('{' | '[') => "json",
            _ => "txt",
        };
        let name = format!("{} {}.{kind}", tf(M::Pasted, &[]), dom::clock());
        self.open(Kept::from_text(&name, text).into_iter().collect());
    }

    /// Takes in documents that were not files: a provider that was fetched. Shown at once where the user waits for it.
    pub fn arrive(self, documents: Vec<DocumentSummary>) {
        let before = self.session.documents.with_untracked(Vec::len);
        self.apply(documents, &[], &[], next(self.next_batch));
        let came = self.session.documents.with_untracked(|d| d.get(before).cloned());
        let Some(document) = came else { return };
        self.session.polite.set(tf(M::Opened, &[("n", "1")]));
        if matches!(self.nav.now(), Route::Check(_)) {
            // Where nothing came, the findings say why.
            let nothing = document.summary_now().and_then(|s| s.skills.as_ref().map(|s| s.documents == 0));
            let skill = if nothing == Some(true) { SkillTab::AllFindings } else { SkillTab::Check };
            self.nav.go(&Route::Document(Place { document: document.name, skill, ..Place::default() }));
        }
    }

    /// Loads one of the examples that were published with the page; without an id the first.
    pub fn open_example(self, id: Option<&'static str>) {
        spawn_local(async move {
            let _busy = idle::busy();
            if let Some(files) = self.example(id).await {
                self.open(files);
            }
        });
    }

    /// Loads an example of two runs in one file and sets them side by side.
    pub fn compare_example(self, id: &'static str) {
        spawn_local(async move {
            let _busy = idle::busy();
            let Some(files) = self.example(Some(id)).await else { return };
            if let Some(document) = self.open_named(files) {
                let side = |run| Side { document: document.clone(), run };
                self.nav.go(&Route::Compare(Versus { left: side(0), right: side(1), ..Versus::default() }));
            }
        });
    }

    /// The files of an example; where they cannot be had, a notice says so.
    async fn example(self, id: Option<&'static str>) -> Option<Vec<Kept>> {
        let example = async {
            let index = http::own("examples/index.json").await?;
            let list = std::str::from_utf8(&index).ok().and_then(protocol::from_json::<Vec<Example>>);
            let wanted = |e: &Example| id.is_none_or(|id| e.id == id);
            let first = list.and_then(|list| list.into_iter().find(wanted)).ok_or("examples/index.json")?;
            let mut files = Vec::new();
            for path in &first.files {
                let bytes = http::own(&format!("examples/{path}")).await?;
                let inside = path.strip_prefix(&first.id).unwrap_or(path);
                files.extend(Kept::from_bytes(inside, &bytes));
            }
            Ok::<_, String>(files)
        };
        match example.await {
            Ok(files) => Some(files),
            Err(detail) => {
                let say = Say::Page(M::ExampleMissing, vec![("detail", detail)]);
                self.session.urgent.set(say.text());
                self.session.notice.set(Some(Notice { bad: true, say, act: None }));
                None
            }
        }
    }

    /// Runs and skills that the publisher put beside the page, by their titles. Empty without.
    pub async fn gallery(self) -> Vec<Example> {
        let folder = dom::meta("gallery");
        if folder.is_empty() {
            return Vec::new();
        }
        let index = http::own(&format!("{folder}index.json")).await.unwrap_or_default();
        std::str::from_utf8(&index).ok().and_then(protocol::from_json::<Vec<Example>>).unwrap_or_default()
    }

    /// Opens one of them.
    pub fn open_from_gallery(self, entry: Example) {
        spawn_local(async move {
            let _busy = idle::busy();
            let folder = dom::meta("gallery");
            let mut files = Vec::new();
            for path in &entry.files {
                match http::own(&format!("{folder}{path}")).await {
                    Ok(bytes) => files.extend(Kept::from_bytes(path, &bytes)),
                    Err(detail) => {
                        let say = Say::Page(M::ExampleMissing, vec![("detail", detail)]);
                        self.session.urgent.set(say.text());
                        self.session.notice.set(Some(Notice { bad: true, say, act: None }));
                        return;
                    }
                }
            }
            self.open(files);
        });
    }

    /// Takes a document away. What it was made of is forgotten.
    pub fn close(self, key: u32) {
        let Some(document) = self.session.by_key(key) else { return };
        self.stop_reading(&document.files);
        let here = self.shown(&document);
        let mut after = None;
        self.session.documents.update(|d| {
            if let Some(at) = d.iter().position(|d| d.key == key) {
                d.remove(at);
                after = d.get(at).or_else(|| d.last()).map(|d| d.name.clone());
            }
        });
        let others = self.session.documents.get_untracked();
        for id in document.files.iter().filter(|id| !others.iter().any(|d| d.files.contains(id))) {
            drop_file(*id);
        }
        if let Some(id) = self.engine.forget(key) {
            self.close_in_worker(id);
        }
        self.session.polite.set(tf(M::Closed, &[("name", &document.name)]));
        if here {
            match after {
                Some(name) => self.show(name),
                None => self.nav.go(&Route::Home),
            }
        }
    }

    fn close_in_worker(self, id: u32) {
        let answer = self.engine.post(&Job::Close { document: id }, None, None);
        spawn_local(async move {
            let _ = answer.await;
        });
    }

    /// Stops reading a document; its row goes. If the worker does not listen, it is ended and the others are read again.
    pub fn cancel(self, key: u32) {
        let Some(document) = self.session.by_key(key) else { return };
        if document.summary_now().is_some() {
            document.renewing.set(false);
            self.stop_reading(&document.files);
            return;
        }
        self.close(key);
    }

    fn stop_reading(self, files: &[u32]) {
        let busy =
            |id: &u32| self.reading.with_value(|r| r.contains(id)) || self.joining.with_value(|j| j.contains(id));
        let stopped: Vec<u32> = files.iter().copied().filter(busy).collect();
        if stopped.is_empty() {
            return;
        }
        self.reading.update_value(|r| r.retain(|id| !stopped.contains(id)));
        let answers: Vec<_> =
            stopped.iter().map(|id| self.engine.post(&Job::Cancel { file: *id }, None, None)).collect();
        let done = std::rc::Rc::new(Cell::new(false));
        let seen = done.clone();
        spawn_local(async move {
            for answer in answers {
                let _ = answer.await;
            }
            seen.set(true);
        });
        spawn_local(async move {
            let _busy = idle::busy();
            dom::sleep_unless(CANCEL_MS, done.clone()).await;
            if !done.get() {
                self.engine.restart();
            }
        });
    }

    /// Reads a document's files again: from disk where the browser lets us, otherwise after the user chose them again.
    /// What is shown stays until the new reading is there.
    pub fn reload(self, key: u32) {
        let Some(document) = self.session.by_key(key) else { return };
        // It was fetched: asked for again where it can be seen what is asked.
        if document.files.is_empty() {
            return self.nav.go(&Route::Check(document.name));
        }
        spawn_local(async move {
            let _busy = idle::busy();
            let mut files = Vec::new();
            for id in &document.files {
                let Some(kept) = file(*id) else { continue };
                match kept.renewed().await {
                    Some(new) => files.push(new),
                    None if !kept.changed().await => files.push(kept),
                    // Only the user can give this one again.
                    None => {
                        self.again.set_value(key);
                        dom::click("#again");
                        return;
                    }
                }
            }
            self.renew(&document, files, None).await;
        });
    }

    /// The files that the user chose again for the document of the last [`Actions::reload`].
    pub fn reload_with(self, chosen: Vec<Kept>) {
        let key = self.again.get_value();
        let Some(document) = self.session.by_key(key) else { return self.open(chosen) };
        let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let mut rest = chosen;
        let mut files = Vec::new();
        for id in &document.files {
            let Some(kept) = file(*id) else { continue };
            match rest.iter().position(|c| last(c.path()) == last(kept.path())) {
                Some(at) => files.push(kept.replaced_by(&rest.remove(at))),
                None => files.push(kept),
            }
        }
        self.open(rest);
        spawn_local(async move {
            let _busy = idle::busy();
            self.renew(&document, files, None).await;
        });
    }

    /// Reads a document again as this format. When there is nothing of the format in it, it stays as it was.
    pub fn open_as(self, key: u32, format: String) {
        let Some(document) = self.session.by_key(key) else { return };
        spawn_local(async move {
            let _busy = idle::busy();
            let again = |document: &Document| document.files.iter().filter_map(|id| file(*id)).collect();
            let files = again(&document);
            self.renew(&document, files, Some(format.clone())).await;
            let Some(document) = self.session.by_key(key) else { return };
            // Records that no reader knows are kept as raw steps, so a run alone says nothing.
            if document.summary_now().is_none_or(|s| s.skills.is_none() && s.reports.iter().any(|r| r.understood > 0)) {
                return;
            }
            if document.summary_now().is_some_and(|s| !s.runs.is_empty()) {
                let files = again(&document);
                self.renew(&document, files, None).await;
            }
            let label = format_line(&format).map_or(format.as_str(), |f| f.label).to_owned();
            let say = Say::Page(M::OpenedAsNo, vec![("name", document.name), ("format", label)]);
            self.session.urgent.set(say.text());
            self.session.notice.set(Some(Notice { bad: false, say, act: None }));
        });
    }

    async fn renew(self, document: &Document, files: Vec<Kept>, format: Option<String>) {
        let shown = document.summary_now().is_some();
        document.renewing.set(shown);
        if !shown {
            document.status.set(Status::Reading { done: 0, of: document.size });
        }
        let incoming: Vec<Incoming> = files
            .into_iter()
            .map(|kept| {
                let id = next(self.next_file);
                keep_file(id, kept.clone());
                Incoming { id, key: document.key, kept, format: format.clone() }
            })
            .collect();
        let ids: Vec<u32> = incoming.iter().map(|i| i.id).collect();
        let old = document.files.clone();
        self.change(document.key, |d| {
            d.files.extend(ids.iter().copied());
        });
        let mut failed = None;
        for one in &incoming {
            if let Err(problem) = self.read(one, true).await {
                failed = Some(problem);
                break;
            }
        }
        if let Some(problem) = failed {
            self.change(document.key, |d| d.files.retain(|id| !ids.contains(id)));
            for id in &ids {
                drop_file(*id);
            }
            document.renewing.set(false);
            if let Some(problem) = problem {
                self.fail(document.key, problem, shown);
            }
            return;
        }
        // The old reading goes in the same breath, or the new one would be joined to it as a second part of the session.
        if let Some(id) = self.engine.forget(document.key) {
            self.close_in_worker(id);
        }
        self.engine.coming(document.key);
        self.change(document.key, |d| {
            d.files.retain(|id| !old.contains(id));
            d.size = incoming.iter().map(|i| i.kept.size()).sum();
        });
        for id in old {
            drop_file(id);
        }
        self.assemble(ids, &[document.key], document.batch).await;
        document.renewing.set(false);
        document.changed.set(false);
        if shown {
            self.session.polite.set(tf(M::Reloaded, &[("name", &document.name)]));
        }
    }

    fn fail(self, key: u32, problem: Problem, keep_shown: bool) {
        let text = problem.what.text();
        self.session.urgent.set(text);
        if keep_shown {
            self.session.notice.set(Some(Notice { bad: true, say: problem.what, act: None }));
        } else if let Some(document) = self.session.by_key(key) {
            document.status.set(Status::Failed(problem));
        }
    }

    fn change(self, key: u32, act: impl FnOnce(&mut Document)) {
        self.session.documents.update(|documents| {
            if let Some(document) = documents.iter_mut().find(|d| d.key == key) {
                act(document);
            }
        });
    }

    /// Reads one file; `again` if the worker died of something else meanwhile. `Err(None)`: not wanted any more.
    async fn read(self, one: &Incoming, again: bool) -> Result<(), Option<Problem>> {
        self.reading.update_value(|r| r.push(one.id));
        let of = one.kept.size();
        let progress = |done: u64| {
            if let Some(document) = self.session.by_key(one.key)
                && matches!(*document.status.read_untracked(), Status::Reading { .. } | Status::Analysing)
            {
                document.status.set(Status::Reading { done, of });
            }
        };
        let wanted = || self.reading.with_value(|r| r.contains(&one.id));
        let begins = |rows: Vec<Row>| {
            if let Some(document) = self.session.by_key(one.key) {
                document.begins.set(rows);
            }
        };
        let result = loop {
            match pump(self.engine, one.id, &one.kept, one.format.clone(), progress, wanted, begins).await {
                Err(Stop::Again) if again && wanted() => continue,
                other => break other,
            }
        };
        let still = wanted();
        self.reading.update_value(|r| r.retain(|id| *id != one.id));
        match result {
            Ok(()) if still => Ok(()),
            Ok(()) | Err(Stop::Cancelled | Stop::Again) => Err(None),
            Err(_) if !still => Err(None),
            Err(Stop::Unreadable(detail)) => Err(Some(Problem {
                what: Say::Page(M::FileUnreadable, vec![("name", one.kept.path().to_owned())]),
                fix: Some(Say::Page(M::FileUnreadableFix, Vec::new())),
                detail,
            })),
            Err(Stop::Died) => Err(Some(died(one.kept.path()))),
            Err(Stop::Fault(id, args)) => {
                Err(Some(Problem { detail: id.clone(), what: Say::Engine(id, args), fix: None }))
            }
        }
    }

    async fn intake(self, incoming: Vec<Incoming>, batch: u32) {
        let mut done: Vec<&Incoming> = Vec::new();
        for one in &incoming {
            match self.read(one, true).await {
                Ok(()) => {
                    if let Some(document) = self.session.by_key(one.key) {
                        document.status.set(Status::Analysing);
                        done.push(one);
                    }
                }
                Err(Some(problem)) => self.fail(one.key, problem, false),
                Err(None) => {}
            }
        }
        if !done.is_empty() {
            let ids: Vec<u32> = done.iter().map(|i| i.id).collect();
            let keys: Vec<u32> = done.iter().map(|i| i.key).collect();
            self.assemble(ids, &keys, batch).await;
        }
        self.finish(batch);
        self.tabulate(&incoming);
        let first = incoming.first().map(|one| one.kept.path().to_owned()).unwrap_or_default();
        self.book.look(&first).await;
    }

    /// A folder of several runs is shown as their table, where the user is still at the first of its files.
    fn tabulate(self, incoming: &[Incoming]) {
        let first = incoming.first().filter(|one| one.kept.path().contains('/')).map(|one| one.key);
        let Some(first) = first.and_then(|key| self.session.by_key(key)) else { return };
        let has_runs = |d: &Document| d.summary_now().is_some_and(|s| !s.runs.is_empty());
        let several = self.session.documents.with_untracked(|all| {
            all.iter().filter(|d| incoming.iter().any(|one| one.key == d.key) && has_runs(d)).nth(1).is_some()
        });
        let untouched = Route::Document(Place { document: first.name, ..Place::default() });
        if several && self.nav.now() == untouched {
            self.nav.replace(&Route::Runs(RunsPlace::default()));
        }
    }

    /// Joins files to documents. When the worker dies of it, each file is tried alone.
    async fn assemble(self, files: Vec<u32>, keys: &[u32], batch: u32) {
        let mut groups = vec![files];
        while let Some(files) = groups.pop() {
            // Closed meanwhile.
            let files: Vec<u32> = files.into_iter().filter(|id| file(*id).is_some()).collect();
            if files.is_empty() {
                continue;
            }
            self.joining.update_value(|j| j.extend(files.iter().copied()));
            let outcome = self.engine.post(&Job::Assemble { files: files.clone() }, None, None).await;
            self.joining.update_value(|j| j.retain(|id| !files.contains(id)));
            match outcome {
                Outcome::Documents { documents, removed } => self.apply(documents, &removed, keys, batch),
                Outcome::Fault { id, .. }
                    if id == "fault.worker-stopped" || (id == "fault.worker-died" && files.len() > 1) =>
                {
                    // The new worker knows none of them.
                    let mut again = Vec::new();
                    for id in &files {
                        let Some((kept, key)) = file(*id).zip(self.key_of_file(*id)) else { continue };
                        match self.read(&Incoming { id: *id, key, kept, format: None }, true).await {
                            Ok(()) => again.push(*id),
                            Err(Some(problem)) => self.fail(key, problem, false),
                            Err(None) => {}
                        }
                    }
                    if id == "fault.worker-died" {
                        groups.extend(again.into_iter().map(|id| vec![id]));
                    } else {
                        groups.push(again);
                    }
                }
                Outcome::Fault { id, args } => {
                    for file_id in files {
                        if let Some(key) = self.key_of_file(file_id) {
                            let name = file(file_id).map(|f| f.path().to_owned()).unwrap_or_default();
                            let problem = if id == "fault.worker-died" {
                                died(&name)
                            } else {
                                Problem { what: Say::Engine(id.clone(), args.clone()), fix: None, detail: id.clone() }
                            };
                            self.engine.forget(key);
                            self.fail(key, problem, false);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn key_of_file(self, id: u32) -> Option<u32> {
        self.session.documents.with_untracked(|d| d.iter().find(|d| d.files.contains(&id)).map(|d| d.key))
    }

    /// Takes over what the worker made of files: rows that waited get their document, those that were joined to
    /// another go, further documents of an archive come.
    fn apply(self, documents: Vec<DocumentSummary>, removed: &[u32], waiting: &[u32], batch: u32) {
        let mut rows = self.session.documents.get_untracked();
        let gone: Vec<u32> = removed.iter().filter_map(|id| self.engine.key_of(*id)).collect();
        let mut claimed: Vec<u32> = Vec::new();
        let mut moved: Vec<(String, String)> = Vec::new();
        for mut summary in documents {
            // Closed while it was being made.
            if !summary.files.is_empty() && summary.files.iter().all(|id| file(*id).is_none()) {
                self.close_in_worker(summary.id);
                continue;
            }
            let free = |d: &Document| !claimed.contains(&d.key) && !gone.contains(&d.key);
            let known = self.engine.key_of(summary.id).filter(|key| rows.iter().any(|d| d.key == *key));
            let key = known
                .or_else(|| {
                    rows.iter()
                        .find(|d| {
                            free(d)
                                && waiting.contains(&d.key)
                                && d.files.iter().any(|f| summary.files.contains(f))
                                && same_end(&d.name, &summary.name)
                        })
                        .map(|d| d.key)
                })
                .or_else(|| {
                    rows.iter()
                        .find(|d| {
                            free(d) && waiting.contains(&d.key) && d.files.iter().any(|f| summary.files.contains(f))
                        })
                        .map(|d| d.key)
                })
                .or_else(|| rows.iter().find(|d| free(d) && gone.contains(&d.key)).map(|d| d.key));
            let id = summary.id;
            let size = summary.files.iter().filter_map(|id| file(*id)).map(|f| f.size()).sum();
            let key = match key {
                Some(key) => key,
                None => {
                    let key = next(self.next_key);
                    rows.push(self.session.document(
                        key,
                        String::new(),
                        size,
                        summary.files.clone(),
                        batch,
                        Status::Analysing,
                    ));
                    key
                }
            };
            claimed.push(key);
            summary.id = key;
            let name = unique(&summary.name, |name| {
                rows.iter().any(|d| {
                    d.key != key
                        && d.name == name
                        && !(waiting.contains(&d.key) && d.files.iter().all(|f| summary.files.contains(f)))
                })
            });
            if let Some(row) = rows.iter_mut().find(|d| d.key == key) {
                if !row.name.is_empty() && row.name != name {
                    moved.push((row.name.clone(), name.clone()));
                }
                row.name = name;
                row.files = summary.files.clone();
                row.size = size;
                self.engine.place(key, id);
                row.status.set(Status::Ready(Arc::new(summary)));
            }
        }
        // Joined to another document: a link to the row leads to that one.
        rows.retain(|row| {
            let joined = gone.contains(&row.key) || (waiting.contains(&row.key) && !claimed.contains(&row.key));
            if joined && !claimed.contains(&row.key) {
                self.engine.forget(row.key);
            }
            !joined || claimed.contains(&row.key)
        });
        let old = self.session.documents.get_untracked();
        for row in &old {
            if !rows.iter().any(|r| r.key == row.key)
                && let Some(into) = rows.iter().find(|r| row.files.iter().any(|f| r.files.contains(f)))
            {
                moved.push((row.name.clone(), into.name.clone()));
            }
        }
        let here = self.nav.now();
        self.session.documents.set(rows);
        if let Route::Document(place) = here
            && let Some((_, to)) = moved.into_iter().find(|(from, _)| *from == place.document)
        {
            self.nav.replace(&Route::Document(Place { document: to, ..place }));
        }
    }

    /// A batch is through: says what became of it, and shows the first run if the user looks at something that is none.
    fn finish(self, batch: u32) {
        let rows: Vec<Document> =
            self.session.documents.with_untracked(|d| d.iter().filter(|d| d.batch == batch).cloned().collect());
        if rows.is_empty() {
            return;
        }
        let is_run = |d: &&Document| d.summary_now().is_some_and(|s| !s.runs.is_empty() || s.skills.is_some());
        let opened = rows.iter().filter(is_run).count();
        let failed = rows.len() - opened;
        self.session.polite.set(if failed == 0 {
            tf(M::Opened, &[("n", &opened.to_string())])
        } else {
            tf(M::OpenedSome, &[("n", &opened.to_string()), ("failed", &failed.to_string())])
        });
        self.begin_where_a_page_does(&rows);
        if let Route::Document(place) = self.nav.now()
            && let Some(shown) = self.session.by_name_now(&place.document)
            && shown.batch == batch
            && !is_run(&&shown)
            && let Some(better) = rows.iter().find(is_run)
        {
            self.nav.replace(&Route::Document(Place { document: better.name.clone(), ..Place::default() }));
        }
    }

    /// A shared page that was dropped says where its reader began: there it opens, unless the user is elsewhere already.
    fn begin_where_a_page_does(self, rows: &[Document]) {
        let notes = rows.iter().filter_map(Document::summary_now).flat_map(|s| s.reports.clone()).flat_map(|r| r.notes);
        let view = notes.filter(|n| n.id == "note.page").find_map(|n| n.args.into_iter().next()).map(|(_, v)| v);
        let Some(route) = view.map(|v| Route::parse(&v)) else { return };
        let ours = |name: &str| rows.iter().any(|d| d.name == name);
        let here = match self.nav.now() {
            Route::Document(place) => ours(&place.document) || self.session.by_name_now(&place.document).is_none(),
            _ => false,
        };
        let there = match &route {
            Route::Document(place) => ours(&place.document),
            Route::Compare(versus) => ours(&versus.left.document) && ours(&versus.right.document),
            _ => false,
        };
        if here && there {
            self.nav.replace(&route);
        }
    }

    /// The worker is gone: the new one has to read everything again.
    fn revive(self, death: Death) {
        let (say, act) = match death {
            Death::Ended => (None, None),
            Death::Failed(_) => (Some(Say::Page(M::WorkerDied, Vec::new())), None),
            Death::NoStart(detail) => {
                (Some(Say::Page(M::WorkerNoStart, vec![("detail", detail)])), Some(NoticeAct::ReloadPage))
            }
            Death::OtherBuild => (Some(Say::Page(M::OtherBuild, Vec::new())), Some(NoticeAct::ReloadPage)),
        };
        if let Some(say) = say {
            self.session.urgent.set(say.text());
            self.session.notice.set(Some(Notice { bad: true, say, act }));
        }
        self.life.update_value(|l| *l += 1);
        if act.is_some() {
            return;
        }
        let rows: Vec<Document> = self
            .session
            .documents
            .with_untracked(|d| d.iter().filter(|d| d.summary_now().is_some()).cloned().collect());
        // What was fetched is nowhere to be read again.
        let (fetched, rows): (Vec<Document>, Vec<Document>) = rows.into_iter().partition(|d| d.files.is_empty());
        for row in fetched {
            self.engine.forget(row.key);
            let what = Say::Page(M::VisitLost, vec![("url", row.name.clone())]);
            let fix = Some(Say::Page(M::VisitLostFix, Vec::new()));
            self.fail(row.key, Problem { what, fix, detail: String::new() }, false);
        }
        if rows.is_empty() {
            return;
        }
        spawn_local(async move {
            let _busy = idle::busy();
            self.restore(rows).await;
        });
    }

    /// Reads the files of ready documents into a new worker. A document whose file is gone keeps what is shown of it;
    /// one that the worker dies of again is given up, and the next worker goes on with the rest.
    async fn restore(self, rows: Vec<Document>) {
        let life = self.life.get_value();
        let mut groups: BTreeMap<Vec<u32>, Vec<Document>> = BTreeMap::new();
        for row in rows {
            self.engine.coming(row.key);
            groups.entry(row.files.clone()).or_default().push(row);
        }
        for (files, rows) in groups {
            let documents = self.reread(&files, &rows).await;
            if self.life.get_value() != life {
                return;
            }
            let mut placed: Vec<u32> = Vec::new();
            for mut summary in documents {
                let id = summary.id;
                let free = |r: &&Document| !placed.contains(&r.key);
                let row = rows
                    .iter()
                    .find(|r| free(r) && same_end(&r.name, &summary.name))
                    .or_else(|| rows.iter().find(free));
                let Some(row) = row.filter(|r| self.session.by_key(r.key).is_some()) else {
                    self.close_in_worker(id);
                    continue;
                };
                placed.push(row.key);
                summary.id = row.key;
                if row.summary_now().is_none_or(|old| *old != summary) {
                    row.status.set(Status::Ready(Arc::new(summary)));
                }
                self.engine.place(row.key, id);
            }
            for row in rows.iter().filter(|r| !placed.contains(&r.key)) {
                self.engine.forget(row.key);
            }
        }
    }

    async fn reread(self, files: &[u32], rows: &[Document]) -> Vec<DocumentSummary> {
        for id in files {
            let Some((kept, row)) = file(*id).zip(rows.first()) else { return Vec::new() };
            match self.read(&Incoming { id: *id, key: row.key, kept, format: None }, false).await {
                Ok(()) => {}
                Err(Some(Problem { what: Say::Page(M::FileUnreadable, _), .. })) => {
                    for row in rows {
                        row.changed.set(true);
                    }
                    return Vec::new();
                }
                Err(Some(problem)) => {
                    for row in rows {
                        self.fail(row.key, problem.clone(), false);
                    }
                    return Vec::new();
                }
                Err(None) => return Vec::new(),
            }
        }
        match self.engine.post(&Job::Assemble { files: files.to_vec() }, None, None).await {
            Outcome::Documents { documents, .. } => documents,
            Outcome::Fault { id, .. } if id == "fault.worker-died" => {
                for row in rows {
                    self.fail(row.key, died(&row.name), false);
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Looks whether the file that is shown has changed: when the page comes to the front, and every few seconds
    /// while it is there. Reads one byte.
    fn watch_changes(self) {
        dom::on_window("focus", move |_| self.look());
        dom::every(4000, move || {
            if dom::visible() {
                self.look();
            }
        });
    }

    fn look(self) {
        let Route::Document(place) = self.nav.now() else { return };
        let Some(document) = self.session.by_name_now(&place.document) else { return };
        if document.changed.get_untracked() || document.renewing.get_untracked() || document.summary_now().is_none() {
            return;
        }
        spawn_local(async move {
            for id in document.files.clone() {
                let Some(kept) = file(id) else { continue };
                if kept.changed().await && self.session.by_key(document.key).is_some_and(|d| d.files.contains(&id)) {
                    let first = !document.changed.get_untracked();
                    document.changed.set(true);
                    if first {
                        self.session.polite.set(tf(M::FileChanged, &[("name", &document.name)]));
                    }
                    return;
                }
            }
        });
    }

    /// Whether the screen shows this document.
    fn shown(self, document: &Document) -> bool {
        matches!(self.nav.now(), Route::Document(place) if self.session.by_name_now(&place.document).is_some_and(|d| d.key == document.key))
    }

    /// Goes to a document.
    pub fn show(self, name: String) {
        self.nav.go(&Route::Document(Place { document: name, ..Place::default() }));
    }
}

fn died(name: &str) -> Problem {
    Problem {
        what: Say::Page(M::DiedOf, vec![("name", name.to_owned())]),
        fix: Some(Say::Page(M::DiedOfFix, Vec::new())),
        detail: String::new(),
    }
}

fn same_end(a: &str, b: &str) -> bool {
    a.rsplit('/').next() == b.rsplit('/').next()
}

/// The name, with a number behind it when it is taken.
fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    (2..).map(|n: u32| format!("{name} ({n})")).find(|candidate| !taken(candidate)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_apart() {
        let taken = ["a", "a (2)"];
        assert_eq!(unique("a", |n| taken.contains(&n)), "a (3)");
        assert_eq!(unique("b", |n| taken.contains(&n)), "b");
        assert!(same_end("folder/x.jsonl", "x.jsonl"));
    }
}
