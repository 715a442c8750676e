//! The analysis worker seen from the page: jobs go out, answers come back to whoever asked.
//!
//! The worker may die: out of memory, a fault, or because the user does not want to wait. Then a new one is started
//! at once, everyone who waited gets a fault (`fault.worker-died` for the job it was busy with, `fault.worker-stopped`
//! for those behind), and [`Engine::on_death`] tells the page to read its files again. Documents have the page's own
//! keys here; which number the worker of the moment gave them is known only in this file, so that screens never
//! notice a restart: their questions wait until the document is back.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::rc::Rc;

use futures_channel::oneshot;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::{dom, idle};
use crate::protocol::{self, Job, Outcome, PROTOCOL, Progress, Request, Response};

/// Starts in a row that may fail before the page gives up.
const STARTS: u32 = 3;

/// Why the worker is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Death {
    /// It failed, in the browser's words; a new one was started.
    Failed(String),
    /// The page ended it to cancel something; a new one was started.
    Ended,
    /// It does not start at all.
    NoStart(String),
    /// It comes from another build than the page.
    OtherBuild,
}

type Listener = Box<dyn Fn(Progress)>;
type OnDeath = Rc<dyn Fn(Death)>;

struct Waiting {
    answer: oneshot::Sender<Outcome>,
    progress: Option<Listener>,
}

/// Where a document of the page is in the worker.
enum Slot {
    Here(u32),
    /// It is being read again.
    Coming,
}

#[derive(Default)]
struct Inner {
    worker: RefCell<Option<Worker>>,
    /// Grows with every start, so that messages of an ended worker are known as such.
    life: Cell<u32>,
    ready: Cell<bool>,
    /// No worker will come any more.
    gone: Cell<bool>,
    failed_starts: Cell<u32>,
    next: Cell<u32>,
    waiting: RefCell<BTreeMap<u32, Waiting>>,
    /// Messages for a worker that has not said `Ready`.
    outbox: RefCell<Vec<js_sys::Array>>,
    slots: RefCell<BTreeMap<u32, Slot>>,
    gate: RefCell<Vec<oneshot::Sender<()>>>,
    death: RefCell<Option<OnDeath>>,
    last_words: RefCell<String>,
}

/// The handle to the worker, provided to every screen.
#[derive(Clone, Copy)]
pub struct Engine(StoredValue<Rc<Inner>, LocalStorage>);

/// The handle; works in components and in what they own.
pub fn use_engine() -> Engine {
    expect_context()
}

impl Engine {
    /// Starts the worker.
    pub fn start() -> Self {
        let inner = Rc::new(Inner::default());
        spawn(&inner);
        Self(StoredValue::new_local(inner))
    }

    /// Whom to tell when the worker is gone.
    pub fn on_death(self, act: impl Fn(Death) + 'static) {
        *self.inner().death.borrow_mut() = Some(Rc::new(act));
    }

    fn inner(self) -> Rc<Inner> {
        self.0.get_value()
    }

    /// Asks for something. Documents are named by the page's key. Never waits for longer than the worker lives:
    /// a worker that dies answers with a fault, after one more try when another job was to blame.
    pub async fn ask(self, job: Job) -> Outcome {
        self.ask_with(job, None).await
    }

    /// The same with bytes beside the job.
    pub async fn ask_with(self, job: Job, bytes: Option<&[u8]>) -> Outcome {
        let _busy = idle::busy();
        let inner = self.inner();
        for last in [false, true] {
            let mut located = job.clone();
            for document in located.documents_mut() {
                let Some(id) = locate(&inner, *document).await else {
                    return Outcome::Fault { id: "fault.no-document".into(), args: Vec::new() };
                };
                *document = id;
            }
            let about_none = located.documents_mut().is_empty();
            let beside = bytes.map(|bytes| js_sys::Uint8Array::from(bytes).buffer());
            match post(&inner, &located, beside, None).await {
                Outcome::Fault { id, .. } if id == "fault.worker-stopped" && !last && !about_none => continue,
                outcome => return translate(&inner, outcome),
            }
        }
        Outcome::Fault { id: "fault.no-document".into(), args: Vec::new() }
    }

    /// Sends a job about files at once; the answer comes later.
    pub fn post(
        self,
        job: &Job,
        bytes: Option<js_sys::ArrayBuffer>,
        progress: Option<Listener>,
    ) -> impl Future<Output = Outcome> + use<> {
        let busy = idle::busy();
        let answer = post(&self.inner(), job, bytes, progress);
        async move {
            let _busy = busy;
            answer.await
        }
    }

    /// Ends the worker and starts a new one: the only way to stop a job that runs.
    pub fn restart(self) {
        die(&self.inner(), Death::Ended);
    }

    /// The document with this key is in the worker under `id`.
    pub fn place(self, key: u32, id: u32) {
        let inner = self.inner();
        inner.slots.borrow_mut().insert(key, Slot::Here(id));
        open_gate(&inner);
    }

    /// The document with this key is being read again.
    pub fn coming(self, key: u32) {
        self.inner().slots.borrow_mut().insert(key, Slot::Coming);
    }

    /// The document with this key is gone. Answers its number in the worker.
    pub fn forget(self, key: u32) -> Option<u32> {
        let inner = self.inner();
        let slot = inner.slots.borrow_mut().remove(&key);
        open_gate(&inner);
        match slot {
            Some(Slot::Here(id)) => Some(id),
            _ => None,
        }
    }

    /// The page's key of a document of the worker.
    pub fn key_of(self, id: u32) -> Option<u32> {
        key_of(&self.inner(), id)
    }
}

fn key_of(inner: &Inner, id: u32) -> Option<u32> {
    inner.slots.borrow().iter().find(|(_, slot)| matches!(slot, Slot::Here(here) if *here == id)).map(|(key, _)| *key)
}

async fn locate(inner: &Inner, key: u32) -> Option<u32> {
    loop {
        let wait = match inner.slots.borrow().get(&key) {
            Some(Slot::Here(id)) => return Some(*id),
            None => return None,
            Some(Slot::Coming) => {
                let (send, receive) = oneshot::channel();
                inner.gate.borrow_mut().push(send);
                receive
            }
        };
        let _ = wait.await;
    }
}

fn open_gate(inner: &Inner) {
    let gate = std::mem::take(&mut *inner.gate.borrow_mut());
    for waiter in gate {
        let _ = waiter.send(());
    }
}

/// Hits and uses name documents by the worker's numbers: they get the page's keys, and those of closed documents go.
fn translate(inner: &Inner, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Hits { hits } => Outcome::Hits {
            hits: hits
                .into_iter()
                .filter_map(|mut hit| {
                    hit.document = key_of(inner, hit.document)?;
                    Some(hit)
                })
                .collect(),
        },
        Outcome::Skill { mut skill } => {
            skill.used_in.retain_mut(|used| {
                let key = key_of(inner, used.document);
                used.document = key.unwrap_or_default();
                key.is_some()
            });
            Outcome::Skill { skill }
        }
        Outcome::Match { mut matching } => {
            for verdict in &mut matching.verdicts {
                verdict.document = key_of(inner, verdict.document).unwrap_or_default();
            }
            Outcome::Match { matching }
        }
        other => other,
    }
}

fn post(
    inner: &Rc<Inner>,
    job: &Job,
    bytes: Option<js_sys::ArrayBuffer>,
    progress: Option<Listener>,
) -> impl Future<Output = Outcome> + use<> {
    let id = inner.next.get() + 1;
    inner.next.set(id);
    let (answer, receive) = oneshot::channel();
    match serde_json::to_string(&Request { id, job: job.clone() }) {
        Ok(_) if inner.gone.get() => {
            let _ = answer.send(Outcome::Fault { id: "fault.no-worker".into(), args: Vec::new() });
        }
        Ok(text) => {
            inner.waiting.borrow_mut().insert(id, Waiting { answer, progress });
            let message = js_sys::Array::of1(&text.into());
            if let Some(bytes) = bytes {
                message.push(&bytes);
            }
            if inner.ready.get() {
                send(inner, &message);
            } else {
                inner.outbox.borrow_mut().push(message);
            }
        }
        Err(_) => drop(answer),
    }
    async move { receive.await.unwrap_or_else(|_| Outcome::Fault { id: "fault.worker-stopped".into(), args: Vec::new() }) }
}

fn send(inner: &Inner, message: &js_sys::Array) {
    let transfer = match message.get(1) {
        bytes if bytes.is_undefined() => js_sys::Array::new(),
        bytes => js_sys::Array::of1(&bytes),
    };
    if let Some(worker) = inner.worker.borrow().as_ref() {
        let _ = worker.post_message_with_transfer(message, &transfer);
    }
}

fn spawn(inner: &Rc<Inner>) {
    let life = inner.life.get() + 1;
    inner.life.set(life);
    inner.ready.set(false);
    inner.last_words.borrow_mut().clear();
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let build = dom::build();
    let version = if build.is_empty() { String::new() } else { format!("?v={build}") };
    let worker = web_sys::Url::new_with_base(&format!("worker_loader.js{version}"), &dom::base())
        .and_then(|url| Worker::new_with_options(&url.href(), &options));
    let worker = match worker {
        Ok(worker) => worker,
        Err(error) => {
            let reason = format!("{error:?}");
            let inner = inner.clone();
            dom::after(0, move || die(&inner, Death::NoStart(reason)));
            return;
        }
    };
    let weak = Rc::downgrade(inner);
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let (Some(inner), Some(text)) = (weak.upgrade(), event.data().as_string()) else { return };
        if inner.life.get() == life {
            receive(&inner, &text);
        }
    });
    let weak = Rc::downgrade(inner);
    let on_error = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| {
        // Ours to deal with: without this the browser reports it a second time as the page's own error.
        event.prevent_default();
        let Some(inner) = weak.upgrade() else { return };
        if inner.life.get() == life {
            let browser = event.dyn_ref::<web_sys::ErrorEvent>().map(web_sys::ErrorEvent::message).unwrap_or_default();
            let words = std::mem::take(&mut *inner.last_words.borrow_mut());
            die(&inner, Death::Failed(if words.is_empty() { browser } else { words }));
        }
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    let _ = worker.add_event_listener_with_callback("messageerror", on_error.as_ref().unchecked_ref());
    // A few bytes for each worker of the page's life.
    on_message.forget();
    on_error.forget();
    *inner.worker.borrow_mut() = Some(worker);
}

fn receive(inner: &Rc<Inner>, text: &str) {
    let Some(Response { id, outcome }) = protocol::from_json(text) else {
        return die(inner, Death::Failed("an answer that the page does not understand".into()));
    };
    match outcome {
        Outcome::Ready { protocol, build } => {
            let page = dom::build();
            if protocol != PROTOCOL || (!build.is_empty() && !page.is_empty() && build != page) {
                return die(inner, Death::OtherBuild);
            }
            inner.ready.set(true);
            inner.failed_starts.set(0);
            for message in std::mem::take(&mut *inner.outbox.borrow_mut()) {
                send(inner, &message);
            }
        }
        // The worker's last words before it stops; its error event follows.
        Outcome::Fault { id: fault, args } if id == 0 => {
            let detail = args.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(" ");
            *inner.last_words.borrow_mut() = if detail.is_empty() { fault } else { detail };
        }
        Outcome::Progress { progress } => {
            if let Some(Waiting { progress: Some(listener), .. }) = inner.waiting.borrow().get(&id) {
                listener(progress);
            }
        }
        outcome => {
            let waiting = inner.waiting.borrow_mut().remove(&id);
            if let Some(waiting) = waiting {
                let _ = waiting.answer.send(outcome);
            }
        }
    }
}

/// Ends the worker of the moment, starts a new one, answers everyone who waits, and tells the page.
fn die(inner: &Rc<Inner>, death: Death) {
    if let Some(worker) = inner.worker.borrow_mut().take() {
        worker.terminate();
    }
    let started = inner.ready.get();
    let failed = if started { 0 } else { inner.failed_starts.get() + u32::from(death != Death::Ended) };
    inner.failed_starts.set(failed);
    let death = match death {
        Death::Failed(words) if failed >= STARTS => Death::NoStart(words),
        other => other,
    };
    let again = matches!(death, Death::Failed(_) | Death::Ended);
    // Out of the cells first: whoever gets an answer may ask again at once.
    let waiting = std::mem::take(&mut *inner.waiting.borrow_mut());
    inner.outbox.borrow_mut().clear();
    for slot in inner.slots.borrow_mut().values_mut() {
        *slot = Slot::Coming;
    }
    if again {
        spawn(inner);
    } else {
        inner.ready.set(false);
        inner.gone.set(true);
        inner.slots.borrow_mut().clear();
        open_gate(inner);
    }
    let listener = inner.death.borrow().clone();
    if let Some(listener) = listener {
        listener(death.clone());
    }
    let mut first = started && matches!(death, Death::Failed(_));
    for (_, waiting) in waiting {
        let id = if std::mem::take(&mut first) {
            "fault.worker-died"
        } else if again {
            "fault.worker-stopped"
        } else {
            "fault.no-worker"
        };
        let _ = waiting.answer.send(Outcome::Fault { id: id.into(), args: Vec::new() });
    }
}
