//! What a screen needs to know of the window and its elements: sizes, media queries; and files that it hands out.

use leptos::{html, prelude::*};

use wasm_bindgen::{JsCast, prelude::*};

use crate::web::view::effect;

/// Calls `act` when the element's size changes, as long as the component that asks is there.
pub fn on_resize(node: NodeRef<html::Div>, act: impl Fn() + 'static) {
    let kept = StoredValue::new_local(None::<(web_sys::ResizeObserver, Closure<dyn Fn()>)>);
    let act = StoredValue::new_local(std::rc::Rc::new(act));
    effect(move || {
        let Some(element) = node.get() else { return };
        let act = act.get_value();
        let closure = Closure::<dyn Fn()>::new(move || act());
        if let Ok(observer) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(&element);
            kept.set_value(Some((observer, closure)));
        }
    });
    on_cleanup(move || {
        let _ = kept.try_update_value(|k| {
            if let Some((observer, _)) = k.take() {
                observer.disconnect();
            }
        });
    });
}

/// Puts the focus on a row without scrolling to it.
pub fn focus_row(row: NodeRef<html::Li>) {
    if let Some(row) = row.try_get_untracked().flatten() {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = row.focus_with_options(&options);
    }
}

/// Whether a media query holds; followed as long as the component that asks is there.
pub fn media(query: &str) -> ReadSignal<bool> {
    let (holds, set) = signal(false);
    let list = web_sys::window().and_then(|w| w.match_media(query).ok().flatten());
    let Some(list) = list else { return holds };
    set.set(list.matches());
    let watched = list.clone();
    let closure = Closure::<dyn Fn()>::new(move || {
        let _ = set.try_set(watched.matches());
    });
    list.set_onchange(Some(closure.as_ref().unchecked_ref()));
    let kept = StoredValue::new_local(Some((list, closure)));
    on_cleanup(move || {
        let _ = kept.try_update_value(|k| {
            if let Some((list, _)) = k.take() {
                list.set_onchange(None);
            }
        });
    });
    holds
}

/// Gives the user a file with this text.
pub fn download(name: &str, mime: &str, text: &str) {
    save(name, mime, &JsValue::from_str(text));
}

/// Gives the user a file with these bytes.
pub fn download_bytes(name: &str, mime: &str, bytes: &[u8]) {
    save(name, mime, &js_sys::Uint8Array::from(bytes));
}

fn save(name: &str, mime: &str, part: &JsValue) {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(mime);
    let parts = js_sys::Array::of1(part);
    let Ok(blob) = web_sys::Blob::new_with_blob_sequence_and_options(&parts, &options) else { return };
    let Ok(url) = web_sys::Url::create_object_url_with_blob(&blob) else { return };
    let link = super::dom::document()
        .and_then(|d| d.create_element("a").ok())
        .and_then(|a| a.dyn_into::<web_sys::HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The download has its own hold on the data by then.
    super::dom::after(10_000, move || {
        let _ = web_sys::Url::revoke_object_url(&url);
    });
}
