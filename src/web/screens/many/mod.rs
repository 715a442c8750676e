//! Many runs: those of one document, or of all that are open. Filter, order, grouping and view are in the route; rows,
//! figures and plots come from the worker. [`table`] is the list, [`side`] what stands beside it, [`shapes`] the matrix
//! of similarities, [`consensus`] what a group has in common, [`matching`] the runs against a reference, [`head`] what stands above them.

mod consensus;
mod head;
mod matching;
mod shapes;
mod side;
mod table;

use std::sync::Arc;

use leptos::prelude::*;

use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{At, ManyReport, OutcomeSummary};
use crate::route::{Place, Route, RunsPlace, RunsTab, Side, Versus};
use crate::web::asking::{Answer, asked};
use crate::web::commands::{Action, Commands, use_commands};
use crate::web::components::outcome::outcome_word;
use crate::web::components::{Words, icon};
use crate::web::platform::dom;
use crate::web::platform::worker::{Engine, use_engine};
use crate::web::state::nav::{Nav, use_nav, use_route};
use crate::web::state::session::{Document, Session, Status, use_session};
use crate::web::state::settings::lang;
use crate::web::view::{El, IntoView, View, el, svg};

/// The documents of the table: key, name, and the place of the summary, since a file that was read again has another.
type Documents = Arc<Vec<(u32, String, usize)>>;

/// What the parts of the screen share.
#[derive(Clone, Copy)]
struct Here {
    words: Words,
    /// The document whose runs these are; without one, all that are open.
    document: StoredValue<Option<String>>,
    place: Memo<RunsPlace>,
    documents: Memo<Documents>,
    report: Answer<ManyReport>,
    engine: Engine,
    session: Session,
    commands: Commands,
    nav: Nav,
}

impl Here {
    fn changed(self, change: impl FnOnce(&mut RunsPlace)) -> Route {
        let mut place = self.place.get_untracked();
        change(&mut place);
        match self.document.get_value() {
            Some(document) => {
                Route::Document(Place { document, filter: place.filter, runs: place.view, ..Place::default() })
            }
            None => Route::Runs(place),
        }
    }

    /// Goes to another view; Back comes back.
    fn go(self, change: impl FnOnce(&mut RunsPlace)) {
        self.nav.go(&self.changed(change));
    }

    /// The same, without a stop for Back.
    fn replace(self, change: impl FnOnce(&mut RunsPlace)) {
        self.nav.replace(&self.changed(change));
    }

    fn href(self, change: impl FnOnce(&mut RunsPlace)) -> String {
        self.changed(change).hash()
    }

    /// The keys of the documents; followed.
    fn keys(self) -> Vec<u32> {
        self.documents.with(|d| d.iter().map(|(key, ..)| *key).collect())
    }

    /// A run of the table, by the names of the page.
    fn side(self, at: At) -> Option<Side> {
        self.documents
            .with_untracked(|d| d.get(at.0 as usize).map(|(_, name, _)| Side { document: name.clone(), run: at.1 }))
    }

    fn run_route(self, at: At, step: Option<u32>) -> Option<Route> {
        let Side { document, run } = self.side(at)?;
        Some(Route::Document(Place { document, run: Some(run), step, ..Place::default() }))
    }

    fn pair_href(self, pair: (At, At)) -> Option<String> {
        let (left, right) = (self.side(pair.0)?, self.side(pair.1)?);
        Some(Route::Compare(Versus { left, right, ..Versus::default() }).hash())
    }

    /// Asks for what `job` says, and again whenever something that it reads has changed; the last answer stays until
    /// the next is there.
    fn asked<T: Send + Sync + 'static>(
        self,
        job: impl Fn() -> Job + 'static,
        take: fn(Outcome) -> Result<T, Outcome>,
    ) -> Answer<T> {
        asked(self.engine, self.words, job, take)
    }

    /// A sentence of the table with its values.
    fn f(self, id: &str, args: &[(&str, &str)]) -> String {
        let args: Vec<(String, String)> = args.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        self.words.id(id, &args)
    }

    fn t(self, id: &str) -> &'static str {
        self.words.s(id)
    }
}

fn outcome_mark(words: Words, told: Option<&OutcomeSummary>) -> El {
    match told {
        Some(told) => {
            let (which, tone, word) = outcome_word(words, told);
            el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(word)
        }
        None => el("span.quiet").child(crate::format::UNKNOWN),
    }
}

/// `14 of 18`, of those whose file says so.
fn judged(here: Here, passed: u32, failed: u32) -> String {
    match passed.saturating_add(failed) {
        0 => crate::format::UNKNOWN.to_owned(),
        of => here.f("many.of", &[("n", &passed.to_string()), ("of", &of.to_string())]),
    }
}

/// A bar as long as the runs of a group are many, filled as far as they passed; what is not said is hatched.
fn bar(runs: u32, passed: u32, unknown: u32, longest: u32) -> El {
    let x = |n: u32| format!("{:.2}", f64::from(n) / f64::from(longest.max(1)) * 100.0);
    let rect = |name: &'static str, from: u32, n: u32| {
        (n > 0).then(|| svg(name).attr("x", x(from)).attr("width", x(n)).attr("height", "8"))
    };
    svg("svg.many-bar")
        .attr("viewBox", "0 0 100 8")
        .attr("preserveAspectRatio", "none")
        .attr("aria-hidden", "true")
        .child(rect("rect.many-bar-all", 0, runs))
        .child(rect("rect.many-bar-unknown", runs.saturating_sub(unknown), unknown))
        .child(rect("rect.many-bar-passed", 0, passed))
}

/// The runs of a document.
pub fn document_runs(document: &Document) -> View {
    many_screen(Some(document.clone()))
}

/// Every run that is open.
pub fn all_runs_screen() -> View {
    many_screen(None)
}

fn many_screen(document: Option<Document>) -> View {
    let (route, nav, engine, session, commands) = (use_route(), use_nav(), use_engine(), use_session(), use_commands());
    let place = Memo::new(move |_| match route.get() {
        Route::Runs(place) => place,
        Route::Document(place) => RunsPlace { filter: place.filter, view: place.runs },
        _ => RunsPlace::default(),
    });
    let own = document.as_ref().map(|d| d.key);
    let name = StoredValue::new(document.map(|d| d.name));
    let documents = Memo::new(move |_| {
        session.documents.with(|all| {
            let with_runs = all.iter().filter(|d| own.is_none_or(|key| d.key == key)).filter_map(|d| {
                let summary = d.summary().filter(|s| !s.runs.is_empty())?;
                Some((d.key, d.name.clone(), Arc::as_ptr(&summary) as usize))
            });
            Arc::new(with_runs.collect::<Vec<_>>())
        })
    });
    let has_runs = Memo::new(move |_| documents.with(|d| !d.is_empty()));
    let draw = move || {
        let words = Words(lang());
        provide_context(words);
        let has_runs = has_runs.get();
        dom::focus_heading(true);
        untrack(|| {
            if !has_runs {
                return nothing(words, session, commands);
            }
            let mut here = Here {
                words,
                document: name,
                place,
                documents,
                report: RwSignal::new(None),
                engine,
                session,
                commands,
                nav,
            };
            let filter = Memo::new(move |_| place.with(|p| p.filter.clone()));
            here.report = here.asked(
                move || Job::ManyReport { documents: here.keys(), filter: filter.get() },
                |outcome| match outcome {
                    Outcome::ManyReport { report } => Ok(*report),
                    other => Err(other),
                },
            );
            page(here)
        })
    };
    draw.view()
}

fn page(here: Here) -> View {
    let tab = Memo::new(move |_| here.place.with(|p| p.view.tab));
    let failed = move || here.report.with(|r| r.as_ref().and_then(|r| r.as_ref().err().cloned()));
    let body = move || {
        let tab = tab.get();
        untrack(|| match tab {
            RunsTab::Table => {
                (table::tools(here), el("div.many").child(table::table(here)).child(side::side(here))).view()
            }
            RunsTab::Similarity => shapes::shapes(here),
            RunsTab::Consensus => consensus::consensus(here),
            RunsTab::Match => matching::matching(here),
        })
    };
    el("div.page")
        .child(head::head(here))
        .child(move || failed().map(|why| el("p.many-fault").attr("role", "alert").child(why)))
        .child(el("div.many-body").child(body))
        .view()
}

/// No run is open, or none yet.
fn nothing(words: Words, session: Session, commands: Commands) -> View {
    let reading = session
        .documents
        .with(|all| all.iter().any(|d| matches!(*d.status.read(), Status::Reading { .. } | Status::Analysing)));
    let said = if reading { M::CompareReading } else { M::CompareNeedsTwo };
    el("div.page")
        .child(
            el("div.page-body.compare-lacking")
                .child(el("h1").attr("tabindex", "-1").child(words.s("many.all")))
                .child(el("p").attr("role", "status").child(words.t(said)))
                .child(
                    el("div.row").child(
                        el("button.button.button-primary")
                            .on(leptos::ev::click, move |_| commands.run(Action::ChooseFiles))
                            .child(words.t(M::ChooseFiles)),
                    ),
                ),
        )
        .view()
}
