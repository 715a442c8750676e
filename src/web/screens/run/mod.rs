//! One run: its head, and the view that the route names. The head stays while views change.
//!
//! [`Here`] is what the views share: where they are, whom to ask, how to make a link. Where you are is the route; what
//! is open in the list of steps lives here, so that it survives a look at another view.

mod contract;
mod contract_out;
pub(super) mod diagram;
mod findings;
mod head;
mod import;
mod judge;
mod loops;
mod measures;
mod notes;
mod pane;
mod prices;
mod rules;
mod steps;
mod usage;

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use crate::web::view::{IntoView, View, effect, el};
use crate::{
    message::M,
    protocol::{Job, Outcome, Seek},
    report::{DocumentSummary, RunRef, RunSummary, View as RowView},
    route::{Place, Route, Tab},
    web::{
        commands::{Action, Commands, Scope, use_commands},
        components::{StepHref, Words, sheet::Ways},
        platform::{
            dom, idle,
            worker::{Engine, use_engine},
        },
        state::{
            nav::{Nav, use_nav, use_route},
            notes::use_notebook,
            session::{Document, Notice, Say, Session, use_session},
            settings::lang,
        },
    },
};

/// What the views of a run share.
#[derive(Clone, Copy)]
pub(super) struct Here {
    /// The page's key of the document.
    pub document: u32,
    pub run: u32,
    pub words: Words,
    pub place: Memo<Place>,
    /// Folds that were opened, by their first step.
    pub opened: RwSignal<Vec<u32>>,
    /// The link to the step was just copied.
    pub copied: RwSignal<bool>,
    /// The inspector was closed.
    pub closed: RwSignal<bool>,
    /// Where there is no room for the inspector, it is a dialog, and this opens it.
    pub sheet: RwSignal<bool>,
    /// How loops are looked for, on the screen of the loops.
    pub rules: RwSignal<rules::Rules>,
    pub engine: Engine,
    pub session: Session,
    pub commands: Commands,
    pub notes: notes::Notes,
    nav: Nav,
}

impl Here {
    /// Asks the worker.
    pub async fn ask(self, job: Job) -> Outcome {
        self.engine.ask(job).await
    }

    /// The place that `change` makes of this one.
    fn changed(self, change: impl FnOnce(&mut Place)) -> Route {
        let mut place = self.place.get_untracked();
        let before = place.step;
        change(&mut place);
        // The name was that of another step.
        if place.step != before {
            place.named.clear();
        }
        // A raw record belongs to a run; without its number the address would mean the raw text of the document.
        if place.raw {
            place.run = Some(self.run);
        }
        Route::Document(place)
    }

    /// Whether the screen was left while an answer was on its way.
    pub fn is_gone(self) -> bool {
        self.place.try_with_untracked(|_| ()).is_none()
    }

    /// Goes somewhere in this run; Back comes back.
    pub fn go(self, change: impl FnOnce(&mut Place)) {
        self.nav.go(&self.changed(change));
    }

    /// Goes somewhere in this run, without a stop for Back.
    pub fn replace(self, change: impl FnOnce(&mut Place)) {
        self.nav.replace(&self.changed(change));
    }

    /// An address in this run.
    pub fn href(self, change: impl FnOnce(&mut Place)) -> String {
        self.changed(change).hash()
    }

    /// The address of a step: in the list of steps, unfiltered, so that it is there.
    pub fn step_href(self) -> StepHref {
        Callback::new(move |step: u32| self.href(|p| at_step(p, step)))
    }

    /// Where the cells of tables lead.
    pub fn ways(self) -> Ways {
        Ways {
            step: self.step_href(),
            tool: Callback::new(move |tool: String| {
                self.href(|p| {
                    p.tab = Tab::Steps;
                    p.step = None;
                    p.all = true;
                    p.filter = format!("tool:{tool}");
                    p.raw = false;
                })
            }),
            run: Callback::new(move |run| {
                self.href(|p| {
                    p.run = Some(run);
                    p.step = None;
                })
            }),
            copy: Callback::new(move |text| self.copy(text)),
        }
    }

    /// Asks for what `job` wants and asks again when that changes: one question at a time, and after it the one that is
    /// wanted by then. What was wanted in between is never asked, so that a slider can be drawn along.
    pub fn keep_asking(self, job: impl Fn() -> Job + 'static, got: impl Fn(Outcome) + Clone + 'static) {
        let (wanted, asking) = (StoredValue::new(None::<Job>), StoredValue::new(false));
        effect(move || {
            wanted.set_value(Some(job()));
            if asking.get_value() {
                return;
            }
            asking.set_value(true);
            let got = got.clone();
            spawn_local(async move {
                while let Some(job) = wanted.try_update_value(Option::take).flatten() {
                    let outcome = self.ask(job).await;
                    if self.is_gone() || wanted.try_with_value(|_| ()).is_none() {
                        return;
                    }
                    got(outcome);
                }
                let _ = asking.try_update_value(|a| *a = false);
            });
        });
    }

    /// Which rows the list shows; followed.
    pub fn view(self) -> RowView {
        self.place.with(|p| RowView { filter: p.filter.clone(), folded: !p.all, open: self.opened.get() })
    }

    fn view_now(self) -> RowView {
        self.place.with_untracked(|p| RowView {
            filter: p.filter.clone(),
            folded: !p.all,
            open: self.opened.get_untracked(),
        })
    }

    /// Goes to the next step of a kind, if there is one.
    pub fn seek(self, seek: impl Fn(Option<u32>) -> Seek + 'static) {
        let seek = seek(self.place.with_untracked(|p| p.step));
        let job = Job::Find { document: self.document, run: self.run, view: self.view_now(), seek };
        spawn_local(async move {
            let outcome = self.ask(job).await;
            if self.is_gone() {
                return;
            }
            match outcome {
                Outcome::Found { step: Some(step), row, fold } => {
                    let hidden = row.is_none() && fold.is_none();
                    self.go(|p| {
                        p.tab = Tab::Steps;
                        p.step = Some(step);
                        if hidden {
                            p.filter.clear();
                        }
                    });
                }
                Outcome::Found { .. } => self.session.polite.set(self.words.t(M::NoSuchStep).to_owned()),
                _ => {}
            }
        });
    }

    /// Puts the address of the step on the clipboard.
    pub fn copy_link(self) {
        spawn_local(async move {
            let run = RunRef { document: self.document, run: self.run };
            let place = self.notes.book.named(run, self.place.get_untracked()).await;
            let page = dom::href();
            let page = page.split('#').next().unwrap_or_default();
            if !self.is_gone() {
                self.copy(format!("{page}{}", Route::Document(place).hash()));
            }
        });
        self.copied.set(true);
        dom::after(2000, move || {
            let _ = self.copied.try_set(false);
        });
    }

    /// Puts a text on the clipboard and says so.
    pub fn copy(self, text: String) {
        spawn_local(async move {
            let said = if dom::copy(&text).await { M::Copied } else { M::NotCopied };
            self.session.polite.set(self.words.t(said).to_owned());
        });
    }

    /// Says something above the screen, and aloud.
    fn say(self, id: &str, args: Vec<(String, String)>) {
        let say = Say::Engine(id.into(), args);
        self.session.polite.set(say.text());
        self.session.notice.set(Some(Notice { bad: false, say, act: None }));
    }

    /// The commands that work in every view of a run.
    pub fn act(self, action: Action) {
        match action {
            Action::Tab(n) => {
                if let Some(tab) = Tab::ALL.get(usize::from(n)) {
                    self.go(|p| p.tab = *tab);
                }
            }
            Action::CopyLink => self.copy_link(),
            Action::NextError => self.seek(|step| Seek::Error { step, back: false }),
            Action::PreviousError => self.seek(|step| Seek::Error { step, back: true }),
            Action::NextLoop => self.seek(|step| Seek::Loop { step, back: false }),
            Action::PreviousLoop => self.seek(|step| Seek::Loop { step, back: true }),
            Action::All => self.replace(|p| {
                p.tab = Tab::Steps;
                p.all = !p.all;
            }),
            action => {
                notes::act(self, action);
            }
        }
    }
}

fn at_step(place: &mut Place, step: u32) {
    place.tab = Tab::Steps;
    place.step = Some(step);
    place.filter.clear();
    place.raw = false;
}

/// The run at `run` of a document that is there. The view, the step and the filter are in the route.
pub fn run_screen(document: Document, run: u32) -> View {
    let (route, nav, engine, session, commands) = (use_route(), use_nav(), use_engine(), use_session(), use_commands());
    let place = Memo::new(move |_| match route.get() {
        Route::Document(place) => place,
        _ => Place::default(),
    });
    let (opened, copied) = (RwSignal::new(Vec::new()), RwSignal::new(false));
    let (closed, sheet) = (RwSignal::new(false), RwSignal::new(false));
    let rules = RwSignal::new(rules::Rules::default());
    let notes = notes::Notes::new(use_notebook());
    let key = document.key;
    let summary = Memo::new(move |_| document.summary());
    // Drawn anew when the language changes and when the file was read again: both are rare, and change everything.
    let draw = move || {
        let words = Words(lang());
        provide_context(words);
        let here = Here {
            document: key,
            run,
            words,
            place,
            opened,
            copied,
            closed,
            sheet,
            rules,
            engine,
            session,
            commands,
            notes,
            nav,
        };
        let summary: Option<Arc<DocumentSummary>> = summary.get();
        summary
            .as_ref()
            .and_then(|s| s.runs.get(run as usize).cloned().map(|run| page(here, s.clone(), Arc::new(run))))
            .unwrap_or(View::NONE)
    };
    draw.view()
}

fn page(here: Here, document: Arc<DocumentSummary>, run: Arc<RunSummary>) -> View {
    here.commands.on(Scope::Run, move |action| here.act(action));
    notes::follow_name(here);
    let tab = Memo::new(move |_| here.place.with(|p| p.tab));
    let head = head::head(here, &run);
    // Head, view and inspector are drawn for a frame each: styles and layout of all three together hold the page for
    // more than 50 ms.
    let body = later(1, move || match tab.get() {
        Tab::Steps => steps::steps(here, run.clone()),
        Tab::Diagram => diagram::diagram(here, run.clone()),
        Tab::Findings => findings::findings(here),
        Tab::Loops => loops::loops(here, run.clone()),
        Tab::Usage => usage::usage(here),
        Tab::Contract => contract::contract(here),
        Tab::Measures => measures::measures(here),
        Tab::Import => import::import(here, document.clone(), run.clone()),
        Tab::Judge => judge::judge(here),
    });
    let inspector = later(2, move || (tab.get() == Tab::Steps).then(|| pane::pane(here)).view());
    (el("div.steps").child(el("div.page").child(head).child(body)).child(inspector), notes::dialogs(here)).view()
}

/// Draws some frames later, and follows what it reads from then on. What is gone until then stays so.
fn later(frames: u32, draw: impl Fn() -> View + 'static) -> View {
    fn wait(frames: u32, act: Box<dyn FnOnce()>) {
        dom::painted(move || if frames > 1 { wait(frames - 1, act) } else { act() });
    }
    let due = RwSignal::new(false);
    let busy = idle::busy();
    wait(
        frames,
        Box::new(move || {
            let _ = due.try_set(true);
            drop(busy);
        }),
    );
    (move || due.get().then(&draw)).view()
}

/// The sentence of a fault, for a view that could not be filled.
pub(super) fn fault(here: Here, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Fault { id, args } => Some(here.words.id(id, args)),
        _ => None,
    }
}
