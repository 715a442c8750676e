//! Two runs side by side: which two and what "same step" means is in the route; figures, rows, first divergence and path
//! come from the worker. [`rows`] is the table, [`side`] what stands beside it, [`head`] what stands above both.

mod beside;
mod head;
mod rows;
mod side;

use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use crate::message::M;
use crate::protocol::{CompareSeek, Job, Outcome};
use crate::report::{CompareOptions, CompareReport, CompareView, RunRef, RunSummary};
use crate::route::{Place, Route, Side, Versus};
use crate::web::commands::{Action, Commands, Scope, use_commands};
use crate::web::components::Words;
use crate::web::platform::dom;
use crate::web::platform::worker::{Engine, use_engine};
use crate::web::state::actions::use_actions;
use crate::web::state::nav::{Nav, use_nav, use_route};
use crate::web::state::session::{Session, Status, use_session};
use crate::web::state::settings::lang;
use crate::web::view::{El, IntoView, View, effect, el};

/// What the parts of the screen share.
#[derive(Clone, Copy)]
struct Here {
    left: RunRef,
    right: RunRef,
    words: Words,
    /// Where we are, with both sides filled in.
    versus: Memo<Versus>,
    /// What is compared, and how; another one is another comparison.
    options: Memo<CompareOptions>,
    /// Folds that were opened, by their first row.
    opened: RwSignal<Vec<u32>>,
    /// The answer about the whole, or why there is none; the last one stays until the next one is there.
    report: RwSignal<Option<Result<Arc<CompareReport>, String>>>,
    /// Both sequence diagrams in the place of the rows.
    diagrams: RwSignal<bool>,
    /// Rows that differ in the view of the moment.
    differences: RwSignal<u32>,
    /// What the sides are called: by their outcomes where these differ, else left and right.
    names: StoredValue<[String; 2]>,
    engine: Engine,
    session: Session,
    commands: Commands,
    nav: Nav,
}

impl Here {
    fn changed(self, change: impl FnOnce(&mut Versus)) -> Route {
        let mut versus = self.versus.get_untracked();
        change(&mut versus);
        Route::Compare(versus)
    }

    /// Goes to another row or view; Back comes back.
    fn go(self, change: impl FnOnce(&mut Versus)) {
        self.nav.go(&self.changed(change));
    }

    /// The same, without a stop for Back.
    fn replace(self, change: impl FnOnce(&mut Versus)) {
        self.nav.replace(&self.changed(change));
    }

    /// Which rows the table shows; followed.
    fn view(self) -> CompareView {
        self.versus.with(|v| CompareView { show: v.show.clone(), folded: !v.all, open: self.opened.get() })
    }

    fn view_now(self) -> CompareView {
        self.versus.with_untracked(|v| CompareView {
            show: v.show.clone(),
            folded: !v.all,
            open: self.opened.get_untracked(),
        })
    }

    /// Whether the screen was left while an answer was on its way.
    fn is_gone(self) -> bool {
        self.report.try_with_untracked(|_| ()).is_none()
    }

    /// Goes to a row that is looked for; says so when there is none.
    fn seek(self, seek: CompareSeek) {
        let (Here { left, right, .. }, options, view) = (self, self.options.get_untracked(), self.view_now());
        spawn_local(async move {
            let outcome = self.engine.ask(Job::CompareFind { left, right, options, view, seek }).await;
            if self.is_gone() {
                return;
            }
            match outcome {
                Outcome::Found { step: Some(row), row: place, .. } => self.go(|v| {
                    v.row = Some(row);
                    if place.is_none() {
                        v.show = "both".into();
                    }
                }),
                Outcome::Found { .. } => self.session.polite.set(self.words.t(M::NoSuchStep).to_owned()),
                _ => {}
            }
        });
    }

    fn swap(self) {
        self.go(|v| {
            std::mem::swap(&mut v.left, &mut v.right);
            v.row = None;
        });
    }

    /// Puts a text on the clipboard and says so.
    fn copy(self, text: String) {
        spawn_local(async move {
            let said = if dom::copy(&text).await { M::Copied } else { M::NotCopied };
            self.session.polite.set(self.words.t(said).to_owned());
        });
    }

    /// The address of a step in its run: 0 is the left one.
    fn step_href(self, side: usize, step: u32) -> String {
        let versus = self.versus.get_untracked();
        let at = if side == 0 { versus.left } else { versus.right };
        Route::Document(Place { document: at.document, run: Some(at.run), step: Some(step), ..Place::default() }).hash()
    }

    fn act(self, action: Action) {
        let from = self.versus.with_untracked(|v| v.row);
        match action {
            Action::NextDifference => self.seek(CompareSeek::Difference { from, back: false }),
            Action::PreviousDifference => self.seek(CompareSeek::Difference { from, back: true }),
            Action::Divergence => self.seek(CompareSeek::Divergence),
            Action::Swap => self.swap(),
            Action::FoldEqual => self.replace(|v| v.all = !v.all),
            Action::CopyCompareLink => self.copy(dom::href()),
            _ => {}
        }
    }
}

/// Every run that is open, in the order of the rail; followed.
fn all_runs(session: Session) -> Vec<Side> {
    let of = |name: String, runs: usize| {
        (0..runs as u32).map(move |run| Side { document: name.clone(), run }).collect::<Vec<_>>()
    };
    session.documents.with(|documents| {
        documents.iter().flat_map(|d| of(d.name.clone(), d.summary().map_or(0, |s| s.runs.len()))).collect()
    })
}

/// Fills in what the address leaves open: the first runs, and to the right the one behind the left one.
fn settled(mut versus: Versus, session: Session) -> Versus {
    if versus.right.document.is_empty() {
        let all = all_runs(session);
        if versus.left.document.is_empty() {
            versus.left = all.first().cloned().unwrap_or_default();
        }
        let at = all.iter().position(|side| *side == versus.left);
        versus.right = match at {
            Some(at) if all.len() > 1 => all.get((at + 1) % all.len()).cloned(),
            _ => all.iter().find(|side| **side != versus.left).cloned(),
        }
        .unwrap_or_default();
    }
    versus
}

/// What became of a side.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    /// With the place of its document's summary: a file that was read again has another one.
    Run(RunRef, usize),
    Reading,
    Gone(String),
    Nothing,
}

fn find(session: Session, side: &Side) -> Found {
    if side.document.is_empty() {
        return Found::Nothing;
    }
    let Some(document) = session.by_name(&side.document) else { return Found::Gone(side.document.clone()) };
    let gone = || Found::Gone(format!("{}, {}", side.document, u64::from(side.run) + 1));
    match &*document.status.read() {
        Status::Ready(summary) if (side.run as usize) < summary.runs.len() => {
            Found::Run(RunRef { document: document.key, run: side.run }, Arc::as_ptr(summary) as usize)
        }
        Status::Ready(_) | Status::Failed(_) => gone(),
        _ => Found::Reading,
    }
}

/// The command that opens this screen, as long as two runs are open; draws nothing.
pub fn pair_commands() {
    let (nav, commands, session) = (use_nav(), use_commands(), use_session());
    commands.on(Scope::Pair, move |action| {
        if action == Action::Compare {
            // Two marked runs are what is meant, wherever one is.
            if let [left, right] = session.marked.get_untracked().as_slice() {
                let (left, right) = (left.clone(), right.clone());
                return nav.go(&Route::Compare(Versus { left, right, ..Versus::default() }));
            }
            let left = match nav.now() {
                Route::Document(place) => Side { document: place.document, run: place.run.unwrap_or(0) },
                Route::Compare(_) => return,
                _ => Side::default(),
            };
            nav.go(&Route::Compare(Versus { left, ..Versus::default() }));
        }
    });
}

/// The screen. Drawn anew for other runs and another language.
pub fn compare_screen() -> View {
    let (route, nav, engine, session, commands) = (use_route(), use_nav(), use_engine(), use_session(), use_commands());
    let versus = Memo::new(move |_| match route.get() {
        Route::Compare(versus) => settled(versus, session),
        _ => Versus::default(),
    });
    let sides = Memo::new(move |_| versus.with(|v| (find(session, &v.left), find(session, &v.right))));
    let draw = move || {
        let words = Words(lang());
        provide_context(words);
        let found = sides.get();
        // What had the keyboard may have gone with what was drawn before.
        dom::focus_heading(true);
        untrack(|| match found {
            (Found::Run(left, _), Found::Run(right, _)) => {
                let run = |at: RunRef| session.by_key(at.document)?.summary_now()?.runs.get(at.run as usize).cloned();
                let (Some(a), Some(b)) = (run(left), run(right)) else { return View::NONE };
                let here = Here {
                    left,
                    right,
                    words,
                    versus,
                    options: Memo::new(move |_| {
                        versus.with(|v| CompareOptions {
                            same: v.same.clone(),
                            threshold: f64::from(v.threshold) / 100.0,
                        })
                    }),
                    opened: RwSignal::new(Vec::new()),
                    report: RwSignal::new(None),
                    diagrams: RwSignal::new(false),
                    differences: RwSignal::new(0),
                    names: StoredValue::new(head::names(words, &a, &b)),
                    engine,
                    session,
                    commands,
                    nav,
                };
                page(here, Arc::new([a, b]))
            }
            (left, right) => lacking(words, versus, &left, &right),
        })
    };
    draw.view()
}

fn page(here: Here, runs: Arc<[RunSummary; 2]>) -> View {
    here.commands.on(Scope::Compare, move |action| here.act(action));
    effect(move || {
        let options = here.options.get();
        let asked = options.clone();
        let Here { left, right, .. } = here;
        spawn_local(async move {
            let outcome = here.engine.ask(Job::Compare { left, right, options }).await;
            if here.options.try_get_untracked().as_ref() != Some(&asked) {
                return;
            }
            let _ = here.report.try_set(match outcome {
                Outcome::Compare { compare } => Some(Ok(Arc::from(compare))),
                Outcome::Fault { id, args } => Some(Err(here.words.id(&id, &args))),
                _ => None,
            });
        });
    });
    let failed = move || here.report.with(|r| r.as_ref().and_then(|r| r.as_ref().err().cloned()));
    el("div.page")
        .child(head::head(here, &runs))
        .child(head::tools(here))
        .child(
            el("div.compare")
                .child(move || failed().map(|why| el("p.compare-fault").attr("role", "alert").child(why)))
                .child(side::card(here))
                .child(move || {
                    let diagrams = here.diagrams.get();
                    untrack(|| if diagrams { beside::diagrams(here) } else { rows::table(here) })
                })
                .child(side::aside(here, &runs)),
        )
        .view()
}

/// Why there is nothing to compare yet, and what to do.
fn lacking(words: Words, versus: Memo<Versus>, left: &Found, right: &Found) -> View {
    let (session, nav, commands, actions) = (use_session(), use_nav(), use_commands(), use_actions());
    let gone: Vec<El> = [left, right]
        .into_iter()
        .filter_map(|side| match side {
            Found::Gone(name) => Some(el("p").child(words.f(M::CompareGone, &[("name", name)]))),
            _ => None,
        })
        .collect();
    let reading = [left, right].contains(&&Found::Reading);
    let said = if reading {
        el("p").attr("role", "status").child(words.t(M::CompareReading)).view()
    } else if gone.is_empty() {
        el("p").child(words.t(M::CompareNeedsTwo)).view()
    } else {
        gone.view()
    };
    let open = el("div.row")
        .child(
            el("button.button.button-primary")
                .on(ev::click, move |_| commands.run(Action::ChooseFiles))
                .child(words.t(M::ChooseFiles)),
        )
        .child(
            el("button.button.button-large")
                .on(ev::click, move |_| actions.compare_example("tau-bench-two-trials"))
                .child(words.t(M::CompareDemo)),
        );
    let pickers = move || (session.runs() > 1).then(|| untrack(|| head::pickers(words, session, nav, versus)));
    el("div.page")
        .child(
            el("div.page-body.compare-lacking")
                .child(el("h1").attr("tabindex", "-1").child(words.t(M::CompareTitle)))
                .child(pickers)
                .child(said)
                .child((!reading).then_some(open)),
        )
        .view()
}
