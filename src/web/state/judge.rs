//! The judge: what the user set, what would be sent, and the requests under way. The worker says which requests it
//! wants; here they get their key, pass the one gate, and their answers go back.
//!
//! Key and extra headers are in memory alone, or in the tab's storage when ticked; never in an address, an export or a
//! message to the worker. Endpoint and rubric are kept in this browser under `skillscope.judge.…`.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::session::Say;
use crate::protocol::{Job, Outcome};
use crate::report::{
    JudgeApi, JudgeDiagnosis, JudgeGot, JudgePlan, JudgeProgress, JudgeSend, JudgeSetup, JudgeView, RunRef,
};
use crate::web::platform::http::{self, Outgoing, Requests, Sent};
use crate::web::platform::worker::Engine;
use crate::web::platform::{dom, idle};

/// A run of the page: document and number.
pub type About = (u32, u32);

/// Fields that are texts, with the names under which they are kept; the key and the headers are not among them.
const KEPT: [&str; 13] = [
    "api",
    "base",
    "model",
    "mode",
    "rubric",
    "samples",
    "window",
    "limit",
    "price-in",
    "price-out",
    "cap",
    "patience",
    "names",
];

/// What is typed in the form.
#[derive(Clone, Copy)]
pub struct Form {
    texts: [RwSignal<String>; 13],
    pub key: RwSignal<String>,
    pub headers: RwSignal<String>,
    pub keep: RwSignal<bool>,
    /// Kinds of values that are not replaced.
    pub shown_kinds: RwSignal<Vec<String>>,
    pub other: RwSignal<Option<About>>,
}

impl Form {
    fn load() -> Self {
        let usual = |name: &str| match name {
            "api" => "openai-chat",
            "mode" => "rubric",
            "samples" => "3",
            "window" => "128000",
            "limit" => "4000",
            "patience" => "120",
            _ => "",
        };
        let text = |name: &str| {
            let kept = dom::stored(&format!("skillscope.judge.{name}"));
            RwSignal::new(kept.unwrap_or_else(|| usual(name).to_owned()))
        };
        let of_tab = |name: &str| dom::tab_stored(&format!("skillscope.judge.{name}"));
        Self {
            texts: KEPT.map(text),
            keep: RwSignal::new(of_tab("key").is_some() || of_tab("headers").is_some()),
            key: RwSignal::new(of_tab("key").unwrap_or_default()),
            headers: RwSignal::new(of_tab("headers").unwrap_or_default()),
            shown_kinds: RwSignal::new(Vec::new()),
            other: RwSignal::new(None),
        }
    }

    /// The text of a field.
    pub fn text(self, name: &str) -> RwSignal<String> {
        let at = KEPT.iter().position(|k| *k == name).unwrap_or(0);
        self.texts.get(at).copied().unwrap_or(self.key)
    }

    /// Sets a field and keeps it in this browser.
    pub fn set(self, name: &str, value: String) {
        dom::store(&format!("skillscope.judge.{name}"), (!value.is_empty()).then_some(value.as_str()));
        self.text(name).set(value);
    }

    /// Keeps key and headers for this tab, or forgets what was kept.
    pub fn keep_secrets(self) {
        let keep = self.keep.get_untracked();
        for (name, text) in [("key", self.key), ("headers", self.headers)] {
            let text = text.get_untracked();
            let kept = (keep && !text.is_empty()).then_some(text.as_str());
            dom::tab_store(&format!("skillscope.judge.{name}"), kept);
        }
    }

    /// What the worker is told; followed.
    pub fn setup(self, kinds: &[String], nonce: String) -> JudgeSetup {
        let text = |name: &str| self.text(name).get();
        let number = |name: &str| text(name).trim().parse::<f64>().ok();
        let whole = |name: &str, usual: u32| text(name).trim().parse().unwrap_or(usual);
        let shown = self.shown_kinds.get();
        JudgeSetup {
            api: text("api"),
            base: text("base"),
            model: text("model"),
            mode: text("mode"),
            rubric: text("rubric"),
            samples: whole("samples", 3),
            max_output: whole("limit", 4_000),
            context: whole("window", 128_000),
            price_in: number("price-in"),
            price_out: number("price-out"),
            cap: number("cap"),
            patience_s: whole("patience", 120),
            nonce,
            kinds: kinds.iter().filter(|k| !shown.contains(k)).cloned().collect(),
            names: text("names").lines().map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect(),
        }
    }
}

/// A header per line; `Err`: the number of a line that is none.
pub fn headers(text: &str) -> Result<Vec<(String, String)>, usize> {
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let Some((name, value)) = line.split_once(':') else { return Err(n + 1) };
        let name = name.trim();
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(token) || value.chars().any(char::is_control) {
            return Err(n + 1);
        }
        out.push((name.to_owned(), value.trim().to_owned()));
    }
    Ok(out)
}

/// What would be sent.
#[derive(Clone, Debug, Default)]
pub enum Ready {
    #[default]
    Nothing,
    Preparing,
    Plan(Arc<JudgePlan>),
    Refused(Say, Option<Say>),
}

/// The check of a connection.
#[derive(Clone, Debug, Default)]
pub enum Checking {
    #[default]
    Idle,
    Going,
    Found(Arc<JudgeDiagnosis>),
}

/// The judge, as a handle.
#[derive(Clone, Copy)]
pub struct Judges {
    pub form: Form,
    pub ready: RwSignal<Ready>,
    pub checking: RwSignal<Checking>,
    /// Of the judgement under way: which run it is about, and how far it is.
    pub going: RwSignal<Option<(About, JudgeProgress)>>,
    /// Bytes of answers of the judgement under way.
    pub heard: RwSignal<u64>,
    /// The last judgement with the run that it is about.
    pub judged: RwSignal<Option<(About, Arc<JudgeView>)>>,
    pub failed: RwSignal<Option<Say>>,
    /// Host, requests and bytes that left this tab.
    pub left: RwSignal<Vec<(String, u32, u64)>>,
    /// The network switch.
    pub on: RwSignal<bool>,
    engine: Engine,
    /// Requests of the moment with the worker's number for them.
    now: StoredValue<Option<(Requests, u32)>, LocalStorage>,
    /// Grows with each plan that is asked for: a late one is not shown.
    asked: StoredValue<u32>,
    /// One random number a page: the preview stays the same while nothing is changed.
    nonce: StoredValue<String>,
}

/// The handle; works in components and in what they own.
pub fn use_judges() -> Judges {
    expect_context()
}

impl Judges {
    pub fn new(engine: Engine) -> Self {
        let on = dom::stored("skillscope.network").as_deref() != Some("off");
        http::switch(on);
        Self {
            form: Form::load(),
            ready: RwSignal::new(Ready::Nothing),
            checking: RwSignal::new(Checking::Idle),
            going: RwSignal::new(None),
            heard: RwSignal::new(0),
            judged: RwSignal::new(None),
            failed: RwSignal::new(None),
            left: RwSignal::new(Vec::new()),
            on: RwSignal::new(on),
            engine,
            now: StoredValue::new_local(None),
            asked: StoredValue::new(0),
            nonce: StoredValue::new(dom::random()),
        }
    }

    /// Opens or closes the gate. Closing it stops what is under way.
    pub fn switch(self, on: bool) {
        http::switch(on);
        self.on.set(on);
        dom::store("skillscope.network", (!on).then_some("off"));
        if !on {
            self.stop();
        }
    }

    /// What the worker is told now; followed.
    pub fn setup(self, kinds: &[String]) -> JudgeSetup {
        self.form.setup(kinds, self.nonce.get_value())
    }

    /// Makes the requests ready and shows what they are. Nothing is sent.
    pub fn prepare(self, about: About, setup: JudgeSetup) {
        self.asked.update_value(|n| *n += 1);
        let mine = self.asked.get_value();
        if setup.model.trim().is_empty() || setup.base.trim().is_empty() {
            self.ready.set(Ready::Nothing);
            return;
        }
        if !matches!(self.ready.get_untracked(), Ready::Plan(_)) {
            self.ready.set(Ready::Preparing);
        }
        let other = self.form.other.get_untracked().map(|(document, run)| RunRef { document, run });
        let other = other.filter(|_| setup.mode == "pairwise");
        let job = Job::JudgePlan { run: RunRef { document: about.0, run: about.1 }, other, setup: Box::new(setup) };
        spawn_local(async move {
            let outcome = self.engine.ask(job).await;
            if self.asked.get_value() != mine {
                return;
            }
            self.ready.set(match outcome {
                Outcome::JudgePlan { plan } => Ready::Plan(Arc::from(plan)),
                Outcome::JudgeRefused { what, fix } => {
                    Ready::Refused(Say::Engine(what.0, what.1), Some(Say::Engine(fix.0, fix.1)))
                }
                Outcome::Fault { id, args } => Ready::Refused(Say::Engine(id, args), None),
                _ => Ready::Nothing,
            });
        });
    }

    /// The user confirmed: the requests of the plan are made.
    pub fn start(self, about: About, plan: &JudgePlan) {
        if self.going.get_untracked().is_some() {
            return;
        }
        let requests = Requests::default();
        self.now.set_value(Some((requests.clone(), plan.judge)));
        self.going.set(Some((about, JudgeProgress { of: plan.requests + plan.kept, ..JudgeProgress::default() })));
        self.heard.set(0);
        self.failed.set(None);
        let job = Job::JudgeStart { judge: plan.judge, now: dom::timestamp() };
        spawn_local(async move {
            let _busy = idle::busy();
            let outcome = self.engine.ask(job).await;
            self.go_on(about, outcome, requests);
        });
    }

    /// Stops what is under way; what was answered until then is judged.
    pub fn stop(self) {
        let Some((requests, judge)) = self.now.try_update_value(Option::take).flatten() else { return };
        requests.stop();
        if matches!(self.checking.get_untracked(), Checking::Going) {
            self.checking.set(Checking::Idle);
        }
        let about = self.going.get_untracked().map(|(about, _)| about);
        spawn_local(async move {
            let _busy = idle::busy();
            let outcome = self.engine.ask(Job::JudgeStop { judge, now: dom::timestamp() }).await;
            if let Some(about) = about {
                self.ended(about, outcome);
            }
        });
    }

    fn go_on(self, about: About, outcome: Outcome, requests: Requests) {
        if requests.is_stopped() {
            return;
        }
        match outcome {
            Outcome::JudgeSend { judge, sends, progress } => {
                self.going.set(Some((about, progress)));
                for send in sends {
                    let requests = requests.clone();
                    spawn_local(async move {
                        let _busy = idle::busy();
                        if let Some(outcome) = self.exchange(judge, send, &requests).await {
                            self.go_on(about, outcome, requests);
                        }
                    });
                }
            }
            outcome => {
                self.now.set_value(None);
                self.ended(about, outcome);
            }
        }
    }

    fn ended(self, about: About, outcome: Outcome) {
        self.going.set(None);
        match outcome {
            Outcome::Judged { judged, .. } => self.judged.set(Some((about, Arc::from(judged)))),
            Outcome::Fault { id, args } => self.failed.set(Some(Say::Engine(id, args))),
            _ => {}
        }
        // The plan was used up; what would be sent next is another one.
        self.ready.set(Ready::Nothing);
    }

    /// Makes a request with its key and hands the answer to the worker. `None`: it was stopped meanwhile.
    async fn exchange(self, judge: u32, send: JudgeSend, requests: &Requests) -> Option<Outcome> {
        if send.after_ms > 0 {
            let (stopped, of) = (Rc::new(Cell::new(false)), requests.clone());
            let told = stopped.clone();
            let until = dom::now() + f64::from(send.after_ms);
            while dom::now() < until && !told.get() {
                dom::sleep_unless(i32::try_from(send.after_ms).unwrap_or(i32::MAX).min(200), stopped.clone()).await;
                told.set(of.is_stopped());
            }
        }
        let key = self.form.key.get_untracked().trim().to_owned();
        let extra = headers(&self.form.headers.get_untracked()).unwrap_or_default();
        let mut all = send.headers;
        if !key.is_empty() && !send.opaque {
            all.push((send.key_header, format!("{}{key}", send.key_prefix)));
        }
        let mut secrets = vec![key];
        secrets.extend(extra.iter().map(|(_, value)| value.clone()).filter(|v| v.len() > 7));
        all.extend(extra);
        let out = Outgoing {
            method: send.method,
            url: send.url,
            headers: all,
            body: send.body,
            opaque: send.opaque,
            timeout_ms: send.timeout_ms,
            secrets,
        };
        let heard = self.heard;
        let sent = requests.send(out, move |bytes| {
            let _ = heard.try_update(|n| *n += bytes);
        });
        let got = match sent.await {
            Sent::Answer { status, body, retry_after } => JudgeGot::Answer { status, body, retry_after },
            Sent::Network => JudgeGot::Network,
            Sent::Timeout => JudgeGot::Timeout,
            Sent::TooLarge => JudgeGot::TooLarge,
            Sent::Stopped => JudgeGot::Stopped,
            Sent::Off => JudgeGot::Off,
        };
        self.left.set(http::left());
        if requests.is_stopped() {
            return None;
        }
        let job = Job::JudgeAnswer { judge, request: send.request, got: Box::new(got), now: dom::timestamp() };
        Some(self.engine.ask(job).await)
    }

    /// Looks why an endpoint does not answer.
    pub fn check(self, setup: JudgeSetup) {
        if self.now.with_value(Option::is_some) {
            return;
        }
        let requests = Requests::default();
        self.now.set_value(Some((requests.clone(), 0)));
        self.checking.set(Checking::Going);
        spawn_local(async move {
            let _busy = idle::busy();
            let permission = http::local_network_permission().await;
            let off = http::is_off();
            let setup = Box::new(setup);
            let mut outcome = self.engine.ask(Job::JudgeDoctor { setup, origin: dom::origin(), permission, off }).await;
            while let Outcome::JudgeSend { judge, sends, .. } = outcome {
                self.now.set_value(Some((requests.clone(), judge)));
                let Some(send) = sends.into_iter().next() else { return };
                let Some(next) = self.exchange(judge, send, &requests).await else { return };
                outcome = next;
            }
            self.now.set_value(None);
            self.checking.set(match outcome {
                Outcome::JudgeDiagnosis { diagnosis } => Checking::Found(Arc::from(diagnosis)),
                _ => Checking::Idle,
            });
        });
    }

    /// Another provider: its usual address, unless one was typed that is no provider's usual one.
    pub fn choose_api(self, apis: &[JudgeApi], id: &str) {
        let base = self.form.text("base").get_untracked();
        if base.is_empty() || apis.iter().any(|a| a.base == base) {
            let usual = apis.iter().find(|a| a.id == id).map(|a| a.base.clone()).unwrap_or_default();
            self.form.set("base", usual);
        }
        self.form.set("api", id.to_owned());
        self.checking.set(Checking::Idle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_by_line() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(headers("A: b\n\n x-c :d:e "), Ok(vec![pair("A", "b"), pair("x-c", "d:e")]));
        for bad in ["no colon", ": x", "a b: c", "A: b\nX\u{7}: c", "x: a\u{1}"] {
            assert!(headers(bad).is_err(), "{bad}");
        }
    }
}
