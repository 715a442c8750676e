//! What is being shared: which runs, what the worker found in them, what the user decided, and what became of it.
//! One panel at a time; every change of the choices that changes what is found asks the worker again.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::link::Links;
use super::nav::Nav;
use super::notes::Notebook;
use super::session::{Say, Session};
use super::settings::lang;
use crate::protocol::{Job, Outcome};
use crate::report::{Receipt, RunRef, ShareChoices, ShareSurvey};
use crate::route::{Opening, Place, Route, Side};
use crate::web::platform::worker::Engine;
use crate::web::platform::{dom, http, idle, look};

/// The part of this site that pages are made of.
const TEMPLATE: &str = "share-template.html";
/// Longer links are cut by some programs on their way.
const MAX_LINK: usize = 32_000;
/// How long the fingers must rest before names are looked for.
const REST_MS: i32 = 400;

/// How far the panel is.
#[derive(Clone, Debug, PartialEq)]
pub enum Sharing {
    Looking,
    Ready,
    Making,
    /// A page was saved under this name.
    Saved(String, Receipt),
    /// A link is in the clipboard: this many characters. `Some`: to the host that the data is from.
    Copied(usize, Option<String>),
    /// Steps are in the clipboard: about this many tokens.
    Text(u32),
    Failed(Say),
}

/// The panel, as a handle.
#[derive(Clone, Copy)]
pub struct Shares {
    pub state: RwSignal<Sharing>,
    /// The panel was opened once: until then it is not drawn.
    pub drawn: RwSignal<bool>,
    pub survey: RwSignal<Option<Arc<ShareSurvey>>>,
    /// The runs, each with the name of its document and whether it is the only one in it.
    pub runs: RwSignal<Vec<(RunRef, Side, bool)>>,
    pub names: RwSignal<String>,
    pub keep: RwSignal<Vec<String>>,
    /// Parts that differ from what is shared by default.
    pub switched: RwSignal<Vec<String>>,
    /// The steps for a language model, from 1, and the tokens that they may take.
    pub range: RwSignal<(u32, u32)>,
    pub tokens: RwSignal<u32>,
    ticket: StoredValue<u32>,
    session: Session,
    engine: Engine,
    nav: Nav,
    links: Links,
    book: Notebook,
}

/// The handle; works in components and in what they own.
pub fn use_shares() -> Shares {
    expect_context()
}

impl Shares {
    pub fn new(session: Session, engine: Engine, nav: Nav, links: Links, book: Notebook) -> Self {
        Self {
            state: RwSignal::new(Sharing::Looking),
            drawn: RwSignal::new(false),
            survey: RwSignal::new(None),
            runs: RwSignal::new(Vec::new()),
            names: RwSignal::new(String::new()),
            keep: RwSignal::new(Vec::new()),
            switched: RwSignal::new(Vec::new()),
            range: RwSignal::new((1, u32::MAX)),
            tokens: RwSignal::new(16_000),
            ticket: StoredValue::new(0),
            session,
            engine,
            nav,
            links,
            book,
        }
    }

    /// The runs on the screen: one, those of a document, or the two that are compared.
    fn shown(self) -> Vec<(RunRef, Side, bool)> {
        let of = |name: &str, run: Option<u32>| -> Vec<(RunRef, Side, bool)> {
            let Some(document) = self.session.by_name_now(name) else { return Vec::new() };
            let count = document.summary_now().map_or(0, |s| s.runs.len() as u32);
            let runs = match run {
                Some(run) if run < count => run..run + 1,
                Some(_) => 0..0,
                None => 0..count,
            };
            runs.map(|run| {
                let side = Side { document: document.name.clone(), run };
                (RunRef { document: document.key, run }, side, count == 1)
            })
            .collect()
        };
        match self.nav.now() {
            Route::Document(place) => of(&place.document, place.run),
            Route::Compare(versus) => {
                [&versus.left, &versus.right].into_iter().flat_map(|s| of(&s.document, Some(s.run))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Opens the panel for what is on the screen. What was decided for other runs is forgotten.
    pub fn open(self) {
        let runs = self.shown();
        if runs != self.runs.get_untracked() {
            self.names.set(String::new());
            self.keep.set(Vec::new());
            self.switched.set(Vec::new());
            self.survey.set(None);
            self.range.set((1, u32::MAX));
        }
        self.runs.set(runs);
        self.drawn.set(true);
        self.look();
        spawn_local(async move {
            let _busy = idle::busy();
            // Drawn by then.
            dom::sleep(0).await;
            dom::open_dialog("#share");
        });
    }

    /// Where a step is shown.
    pub fn step_href(self, run: u32, step: Option<u32>) -> Option<String> {
        let (_, side, only) = self.runs.with_untracked(|r| r.get(run as usize).cloned())?;
        let run = (!only).then_some(side.run);
        Some(Route::Document(Place { document: side.document, run, step, all: true, ..Place::default() }).hash())
    }

    fn refs(self) -> Vec<RunRef> {
        self.runs.with_untracked(|r| r.iter().map(|(at, ..)| *at).collect())
    }

    fn choices(self) -> ShareChoices {
        let names = self.names.get_untracked();
        ShareChoices {
            kinds_off: Vec::new(),
            names: names.lines().map(str::trim).filter(|n| !n.is_empty()).map(str::to_owned).collect(),
            keep: self.keep.get_untracked(),
            parts_switched: self.switched.get_untracked(),
        }
    }

    /// Asks what is in the runs with the choices of the moment. Values that are kept stay listed.
    fn look(self) {
        let ticket = self.ticket.get_value() + 1;
        self.ticket.set_value(ticket);
        self.state.set(Sharing::Looking);
        let job = Job::ShareSurvey { runs: self.refs(), choices: ShareChoices { keep: Vec::new(), ..self.choices() } };
        spawn_local(async move {
            let _busy = idle::busy();
            let outcome = self.engine.ask(job).await;
            if self.ticket.try_get_value() != Some(ticket) {
                return;
            }
            match outcome {
                Outcome::ShareSurvey { survey } => {
                    self.survey.set(Some(Arc::new(*survey)));
                    self.state.set(Sharing::Ready);
                }
                Outcome::Fault { id, args } => self.state.set(Sharing::Failed(Say::Engine(id, args))),
                _ => {}
            }
        });
    }

    /// Names were typed: looked for once the fingers rest.
    pub fn type_names(self, text: String) {
        self.names.set(text.clone());
        spawn_local(async move {
            let _busy = idle::busy();
            dom::sleep(REST_MS).await;
            if self.names.try_get_untracked().is_some_and(|now| now == text) {
                self.look();
            }
        });
    }

    /// A value is removed, or stays.
    pub fn set_removed(self, value: String, removed: bool) {
        self.keep.update(|keep| {
            keep.retain(|k| *k != value);
            if !removed {
                keep.push(value);
            }
        });
        self.settle();
    }

    /// A part is shared, or stays out.
    pub fn switch(self, part: String) {
        self.switched.update(|parts| match parts.iter().position(|p| *p == part) {
            Some(at) => {
                parts.remove(at);
            }
            None => parts.push(part),
        });
        self.look();
    }

    /// What was said of an earlier page does not hold for other choices.
    fn settle(self) {
        if !matches!(self.state.get_untracked(), Sharing::Looking | Sharing::Making) {
            self.state.set(Sharing::Ready);
        }
    }

    /// Makes the page and gives it to the user.
    pub fn save(self) {
        if self.state.get_untracked() == Sharing::Making {
            return;
        }
        self.state.set(Sharing::Making);
        let job = Job::SharePage {
            runs: self.refs(),
            choices: self.choices(),
            view: self.nav.now().hash(),
            lang: lang().tag().to_owned(),
        };
        spawn_local(async move {
            let _busy = idle::busy();
            let template = match http::own(TEMPLATE).await {
                Ok(template) => template,
                Err(detail) => {
                    let say = Say::Engine("share.no-template".into(), vec![("detail".into(), detail)]);
                    return self.say(Sharing::Failed(say));
                }
            };
            let outcome = self.engine.ask_with(job, Some(&template)).await;
            self.say(match outcome {
                Outcome::SharedPage { page } => {
                    look::download(&page.name, "text/html", &page.html);
                    Sharing::Saved(page.name, page.receipt)
                }
                Outcome::Fault { id, args } => Sharing::Failed(Say::Engine(id, args)),
                _ => Sharing::Ready,
            });
        });
    }

    /// Copies a link: to where the data is from, or with the data in it.
    pub fn copy_link(self) {
        if self.state.get_untracked() == Sharing::Making {
            return;
        }
        self.state.set(Sharing::Making);
        let names: Vec<String> =
            self.runs.with_untracked(|r| r.iter().map(|(_, side, _)| side.document.clone()).collect());
        let view = self.nav.now();
        spawn_local(async move {
            let _busy = idle::busy();
            if let Some(sources) = self.links.sources_of(&names) {
                let host = sources.first().map(|s| s.host()).unwrap_or_default();
                let view = match (view, self.refs().first()) {
                    (Route::Document(place), Some(run)) => Route::Document(self.book.named(*run, place).await),
                    (view, _) => view,
                };
                let opening = Opening { sources, view: view.hash(), ..Opening::default() };
                return self.copy(&opening, Some(host)).await;
            }
            let job = Job::ShareLink { runs: self.refs(), choices: self.choices(), view: view.hash() };
            match self.engine.ask(job).await {
                Outcome::SharedLink { data } => {
                    self.copy(&Opening { data, ..Opening::default() }, None).await;
                }
                Outcome::Fault { id, args } => self.say(Sharing::Failed(Say::Engine(id, args))),
                _ => {}
            }
        });
    }

    /// Copies steps as Markdown, redacted like the rest.
    pub fn copy_text(self) {
        if self.state.get_untracked() == Sharing::Making {
            return;
        }
        self.state.set(Sharing::Making);
        let (from, to) = self.range.get_untracked();
        let job = Job::ShareText {
            runs: self.refs(),
            choices: self.choices(),
            range: (from.saturating_sub(1), to.saturating_sub(1)),
            tokens: self.tokens.get_untracked(),
        };
        spawn_local(async move {
            let _busy = idle::busy();
            let state = match self.engine.ask(job).await {
                Outcome::SharedText { text, tokens } if dom::copy(&text).await => Sharing::Text(tokens),
                Outcome::SharedText { .. } => Sharing::Failed(Say::Engine("link.not-copied".into(), Vec::new())),
                Outcome::Fault { id, args } => Sharing::Failed(Say::Engine(id, args)),
                _ => Sharing::Ready,
            };
            self.say(state);
        });
    }

    async fn copy(self, opening: &Opening, host: Option<String>) {
        let link =
            format!("{}{}", dom::href().split('#').next().unwrap_or_default(), Route::Open(opening.clone()).hash());
        let length = link.len();
        let failed = |id: &str, args| Sharing::Failed(Say::Engine(id.into(), args));
        self.say(if length > MAX_LINK {
            failed("link.too-long", vec![("n".into(), crate::format::count(length as u64))])
        } else if dom::copy(&link).await {
            Sharing::Copied(length, host)
        } else {
            failed("link.not-copied", Vec::new())
        });
    }

    fn say(self, state: Sharing) {
        let _ = self.state.try_set(state);
    }
}
