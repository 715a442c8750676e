//! The one gate for requests: the page's own examples, and providers that the user names. Nothing of a file passes it.
//! [`watch`] counts what the browser itself says was requested from anyone else, by whatever way.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_net::http::{Request, Response};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::dom;

/// A file that was published with the page, by its path below the page. `Err` is the reason in the browser's words.
pub async fn own(path: &str) -> Result<Vec<u8>, String> {
    let answer = Request::get(&format!("{}{path}", folder(&dom::base()))).send().await.map_err(|e| e.to_string())?;
    if !answer.ok() {
        return Err(format!("{path}: {}", answer.status()));
    }
    answer.binary().await.map_err(|e| e.to_string())
}

/// What came of a request; bytes stay with the browser until they are handed on.
pub enum Fetched {
    /// Any status. `url`: where redirects ended.
    Answer {
        status: u16,
        url: String,
        headers: Vec<(String, String)>,
        bytes: js_sys::ArrayBuffer,
    },
    /// The browser gave no answer away: nothing listens, or the server does not let other sites read it.
    Network,
    Timeout,
    TooLarge,
}

/// Requests that are stopped together.
#[derive(Clone, Default)]
pub struct Requests {
    running: Rc<RefCell<Vec<web_sys::AbortController>>>,
    stopped: Rc<Cell<bool>>,
}

impl Requests {
    /// Stops what is under way, for good.
    pub fn stop(&self) {
        self.stopped.set(true);
        self.running.borrow_mut().drain(..).for_each(|c| c.abort());
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Reads an address: `GET`, without credentials, referrer or cache, following redirects.
    pub async fn get(&self, url: &str, max_bytes: u64, timeout_ms: u32) -> Fetched {
        let Ok(controller) = web_sys::AbortController::new() else { return Fetched::Network };
        if self.stopped.get() {
            return Fetched::Network;
        }
        self.running.borrow_mut().push(controller.clone());
        // 0 under way, 1 late, 2 over.
        let state = Rc::new(Cell::new(0u8));
        let (late, stop) = (state.clone(), controller.clone());
        dom::after(i32::try_from(timeout_ms).unwrap_or(i32::MAX), move || {
            if late.get() == 0 {
                late.set(1);
                stop.abort();
            }
        });
        let fetched = read(url, max_bytes, &controller).await;
        self.running.borrow_mut().retain(|c| *c != controller);
        if state.replace(2) == 1 { Fetched::Timeout } else { fetched.unwrap_or(Fetched::Network) }
    }
}

async fn read(url: &str, max_bytes: u64, controller: &web_sys::AbortController) -> Option<Fetched> {
    let request = Request::get(url)
        .mode(web_sys::RequestMode::Cors)
        .credentials(web_sys::RequestCredentials::Omit)
        .cache(web_sys::RequestCache::NoStore)
        .redirect(web_sys::RequestRedirect::Follow)
        .referrer("")
        .referrer_policy(web_sys::ReferrerPolicy::NoReferrer)
        .abort_signal(Some(&controller.signal()));
    let answer: Response = request.send().await.ok()?;
    let headers: Vec<(String, String)> = answer.headers().entries().collect();
    let (status, url) = (answer.status(), answer.url());
    // In pieces, so that an answer without an end is stopped at the limit.
    let mut pieces: Vec<js_sys::Uint8Array> = Vec::new();
    let mut total = 0u64;
    if let Some(stream) = answer.body() {
        let reader = stream.get_reader();
        let next: js_sys::Function = js_sys::Reflect::get(&reader, &"read".into()).ok()?.dyn_into().ok()?;
        loop {
            let piece: js_sys::Promise = next.call0(&reader).ok()?.dyn_into().ok()?;
            let piece = JsFuture::from(piece).await.ok()?;
            let field = |name: &str| js_sys::Reflect::get(&piece, &name.into()).ok();
            let Some(bytes) = field("value").and_then(|v| v.dyn_into::<js_sys::Uint8Array>().ok()) else { break };
            total += u64::from(bytes.length());
            if total > max_bytes {
                controller.abort();
                return Some(Fetched::TooLarge);
            }
            pieces.push(bytes);
        }
    }
    let whole = js_sys::Uint8Array::new_with_length(u32::try_from(total).ok()?);
    let mut at = 0;
    for piece in &pieces {
        whole.set(piece, at);
        at += piece.length();
    }
    Some(Fetched::Answer { status, url, headers, bytes: whole.buffer() })
}

/// Bytes that the browser holds.
pub type Buffer = js_sys::ArrayBuffer;
pub type Bytes = js_sys::Uint8Array;

/// Whether a server is there although its answer may not be read: a request whose answer nobody sees.
pub async fn reachable(url: &str) -> bool {
    let request = Request::get(url)
        .mode(web_sys::RequestMode::NoCors)
        .credentials(web_sys::RequestCredentials::Omit)
        .cache(web_sys::RequestCache::NoStore)
        .referrer("")
        .referrer_policy(web_sys::ReferrerPolicy::NoReferrer);
    request.send().await.is_ok()
}

/// SHA-256 as hex digits; `None` where the browser computes none: on a page without https.
pub async fn sha256(bytes: &Bytes) -> Option<String> {
    let field = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok().filter(|v| !v.is_undefined());
    let subtle = field(&field(&js_sys::global(), "crypto")?, "subtle")?;
    let digest: js_sys::Function = field(&subtle, "digest")?.dyn_into().ok()?;
    let promise: js_sys::Promise = digest.call2(&subtle, &"SHA-256".into(), bytes).ok()?.dyn_into().ok()?;
    let hash = JsFuture::from(promise).await.ok()?;
    let hash = js_sys::Uint8Array::new(&hash).to_vec();
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u8| DIGITS.get(usize::from(n)).copied().unwrap_or(b'0') as char;
    Some(hash.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect())
}

/// The folder of an address: up to its last slash, without query and hash.
fn folder(address: &str) -> &str {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let path = address.get(..end).unwrap_or_default();
    path.get(..path.rfind('/').map_or(0, |at| at + 1)).unwrap_or_default()
}

/// Calls `count` with the number of requests to other servers, whenever the browser reports a new one.
pub fn watch(count: impl Fn(u32) + 'static) {
    let origin = web_sys::window().and_then(|w| w.location().origin().ok()).unwrap_or_default();
    let total = std::cell::Cell::new(0);
    let seen = Closure::<dyn Fn(web_sys::PerformanceObserverEntryList)>::new(
        move |list: web_sys::PerformanceObserverEntryList| {
            let mut more = 0;
            for entry in list.get_entries().iter() {
                let name =
                    js_sys::Reflect::get(&entry, &"name".into()).ok().and_then(|n| n.as_string()).unwrap_or_default();
                let local = name.starts_with("data:") || name.starts_with("blob:");
                let own = name.strip_prefix(&origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                more += u32::from(!local && !own);
            }
            if more > 0 {
                total.set(total.get() + more);
                count(total.get());
            }
        },
    );
    let types = js_sys::Array::of1(&"resource".into());
    let init = web_sys::PerformanceObserverInit::new(&types);
    let _ = js_sys::Reflect::set(&init, &"type".into(), &"resource".into());
    let _ = js_sys::Reflect::delete_property(&init, &"entryTypes".into());
    let _ = js_sys::Reflect::set(&init, &"buffered".into(), &true.into());
    if let Ok(observer) = web_sys::PerformanceObserver::new(seen.as_ref().unchecked_ref()) {
        observer.observe(&init);
    }
    seen.forget();
}
