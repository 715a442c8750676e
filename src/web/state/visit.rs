//! A provider that is checked by its address. The worker says which requests it wants, the page makes them through the
//! one gate, and hands the answers back until a document comes of it. One check at a time.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::actions::Actions;
use super::session::Say;
use super::settings::Settings;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::skill::{RequestResult, WantedRequest};
use crate::web::platform::http::{self, Fetched, Requests};
use crate::web::platform::worker::Engine;
use crate::web::platform::{dom, idle};

/// How far the check is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Visiting {
    #[default]
    Idle,
    Going {
        done: u32,
        of: u32,
    },
    /// It was not begun, or it failed: why, and what to do.
    Failed(Say, Option<Say>),
    /// The user stopped it after so many requests.
    Stopped(u32),
}

/// The check, as a handle.
#[derive(Clone, Copy)]
pub struct Visits {
    pub state: RwSignal<Visiting>,
    engine: Engine,
    actions: Actions,
    settings: Settings,
    /// The requests of the moment, and the worker's number for the check.
    now: StoredValue<Option<(Requests, Option<u32>)>, LocalStorage>,
    made: StoredValue<u32>,
}

/// The handle; works in components and in what they own.
pub fn use_visits() -> Visits {
    expect_context()
}

impl Visits {
    pub fn new(engine: Engine, actions: Actions, settings: Settings) -> Self {
        Self {
            state: RwSignal::new(Visiting::Idle),
            engine,
            actions,
            settings,
            now: StoredValue::new_local(None),
            made: StoredValue::new(0),
        }
    }

    /// Begins. `full`: the document with the full set to compare with.
    pub fn start(self, text: String, full: Option<u32>) {
        self.end();
        if http::is_off() {
            let say = |id: &str| Say::Engine(id.to_owned(), Vec::new());
            self.state.set(Visiting::Failed(say("judge.failure.off"), Some(say("judge.failure.off.fix"))));
            return;
        }
        let requests = Requests::default();
        self.now.set_value(Some((requests.clone(), None)));
        self.made.set_value(0);
        self.state.set(Visiting::Going { done: 0, of: 0 });
        let job = Job::Visit { text, page: dom::base(), document: full, options: self.settings.check.get_untracked() };
        spawn_local(async move {
            let _busy = idle::busy();
            let outcome = self.engine.ask(job).await;
            self.go_on(outcome, requests);
        });
    }

    /// Stops what is under way.
    pub fn stop(self) {
        if matches!(self.state.get_untracked(), Visiting::Going { .. }) {
            self.end();
            self.state.set(Visiting::Stopped(self.made.get_value()));
        }
    }

    /// Takes back what was said of an earlier check.
    pub fn forget(self) {
        if matches!(self.state.get_untracked(), Visiting::Failed(..) | Visiting::Stopped(_)) {
            self.state.set(Visiting::Idle);
        }
    }

    fn end(self) {
        let Some((requests, visit)) = self.now.try_update_value(Option::take).flatten() else { return };
        requests.stop();
        if let Some(visit) = visit {
            let answer = self.engine.post(&Job::EndVisit { visit }, None, None);
            spawn_local(async move {
                let _ = answer.await;
            });
        }
    }

    fn go_on(self, outcome: Outcome, requests: Requests) {
        if requests.is_stopped() {
            return;
        }
        match outcome {
            Outcome::Fetch { visit, wanted, done, of } => {
                self.now.set_value(Some((requests.clone(), Some(visit))));
                self.state.set(Visiting::Going { done, of });
                for request in wanted {
                    self.made.update_value(|n| *n += 1);
                    self.fetch(visit, request, requests.clone());
                }
            }
            Outcome::Documents { documents, .. } => {
                self.now.set_value(None);
                self.state.set(Visiting::Idle);
                self.actions.arrive(documents);
            }
            Outcome::VisitRefused { message, remedy } => {
                self.fail(Say::Engine(message.0, message.1), Some(Say::Engine(remedy.0, remedy.1)));
            }
            Outcome::Fault { id, args } => self.fail(Say::Engine(id, args), None),
            _ => self.fail(Say::Page(M::VisitStopped, vec![("n", self.made.get_value().to_string())]), None),
        }
    }

    fn fail(self, what: Say, fix: Option<Say>) {
        self.end();
        self.state.set(Visiting::Failed(what, fix));
    }

    fn fetch(self, visit: u32, wanted: WantedRequest, requests: Requests) {
        spawn_local(async move {
            let _busy = idle::busy();
            let (result, bytes) = match requests.get(&wanted.url, wanted.max_bytes, wanted.timeout_ms).await {
                Fetched::Answer { status, url, headers, bytes } => {
                    (RequestResult::Answer { status, url, headers }, Some(bytes))
                }
                Fetched::Network => (RequestResult::Network, None),
                Fetched::Timeout => (RequestResult::Timeout, None),
                Fetched::TooLarge => (RequestResult::TooLarge, None),
            };
            if requests.is_stopped() {
                return;
            }
            let job = Job::Fetched { visit, request: wanted.id, result };
            let outcome = self.engine.post(&job, bytes, None).await;
            self.go_on(outcome, requests);
        });
    }
}
