//! The side file of notes as the page has it: told by the worker, given back with each question, saved by the user.
//! What is not saved is lost with the page, which says so before it goes.

use leptos::prelude::*;

use super::nav::Nav;
use super::session::{Notice, Say, Session};
use super::settings::ti;
use crate::protocol::{Job, Outcome};
use crate::report::{NotesView, RunRef};
use crate::route::{Place, Route};
use crate::web::platform::worker::Engine;
use crate::web::platform::{dom, look};

/// The notes, as a handle.
#[derive(Clone, Copy)]
pub struct Notebook {
    /// The side file; empty without notes.
    pub file: RwSignal<String>,
    /// What of it the user has as a file.
    saved: RwSignal<String>,
    session: Session,
    engine: Engine,
    nav: Nav,
}

/// The handle; works in components and in what they own.
pub fn use_notebook() -> Notebook {
    expect_context()
}

impl Notebook {
    pub fn new(session: Session, engine: Engine, nav: Nav) -> Self {
        let (file, saved) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
        let book = Self { file, saved, session, engine, nav };
        dom::on_window("beforeunload", move |event| {
            if book.is_unsaved_now() {
                event.prevent_default();
            }
        });
        book
    }

    /// Whether there is something that would be lost; followed.
    pub fn is_unsaved(self) -> bool {
        self.file.with(|f| self.saved.with(|s| f != s))
    }

    fn is_unsaved_now(self) -> bool {
        self.file.with_untracked(|f| self.saved.with_untracked(|s| f != s))
    }

    /// The question for the notes of a run.
    pub fn job(self, run: Option<RunRef>) -> Job {
        Job::Notes { run, file: self.file.get_untracked() }
    }

    /// Takes over what the worker told.
    pub fn told(self, notes: &NotesView) {
        if self.file.with_untracked(|f| *f != notes.file) {
            self.file.set(notes.file.clone());
        }
    }

    /// After files came in: were there notes among them? `name` is the first of the files.
    pub async fn look(self, name: &str) {
        let before = self.file.get_untracked();
        let clean = !self.is_unsaved_now();
        let Outcome::Notes { notes } = self.engine.ask(self.job(None)).await else { return };
        if notes.file != before {
            if clean {
                self.saved.set(notes.file.clone());
            }
            self.file.set(notes.file.clone());
            let args = [("n".to_owned(), notes.all.to_string()), ("lost".to_owned(), notes.lost.len().to_string())];
            self.session.polite.set(ti("notes.came", &args));
        }
        // A side file is no document: who was taken to it goes on to a run.
        if let Route::Document(place) = self.nav.now()
            && self.session.by_name_now(&place.document).is_none()
            && place.document == name
            && !notes.file.is_empty()
        {
            let other = self.session.documents.with_untracked(|d| {
                d.iter().rev().find(|d| d.summary_now().is_some_and(|s| !s.runs.is_empty())).map(|d| d.name.clone())
            });
            match other {
                Some(document) => self.nav.replace(&Route::Document(Place { document, ..Place::default() })),
                None => {
                    let say = Say::Engine("notes.kept".into(), vec![("name".into(), name.to_owned())]);
                    self.session.notice.set(Some(Notice { bad: false, say, act: None }));
                    self.nav.replace(&Route::Home);
                }
            }
        }
    }

    /// Gives the side file to the user, named after a document.
    pub fn save(self, document: &str) {
        let last = document.rsplit('/').next().unwrap_or(document);
        let name = format!("{}.notes.json", last.rsplit_once('.').map_or(last, |(stem, _)| stem));
        let text = self.file.get_untracked();
        look::download(&name, "application/json", &text);
        self.saved.set(text);
        self.session.polite.set(ti("notes.saved", &[("name".into(), name)]));
    }

    /// The place with the step's name in it, so that a link to it finds the step in a file where numbers have moved.
    pub async fn named(self, run: RunRef, place: Place) -> Place {
        let Some(step) = place.step else { return place };
        match self.engine.ask(Job::StepName { run, step, name: String::new() }).await {
            Outcome::StepName { name, .. } => Place { named: name, ..place },
            _ => place,
        }
    }
}
