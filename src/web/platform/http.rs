//! The one gate for requests. Today only the page's own examples pass it; nothing of a file ever does.
//! [`sent`] counts what the browser itself says was requested from anyone else, by whatever way.

use gloo_net::http::Request;
use wasm_bindgen::prelude::*;

use super::dom;

/// A file that was published with the page, by its path below the page. `Err` is the reason in the browser's words.
pub async fn own(path: &str) -> Result<Vec<u8>, String> {
    let answer = Request::get(&format!("{}{path}", folder(&dom::base()))).send().await.map_err(|e| e.to_string())?;
    if !answer.ok() {
        return Err(format!("{path}: {}", answer.status()));
    }
    answer.binary().await.map_err(|e| e.to_string())
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
