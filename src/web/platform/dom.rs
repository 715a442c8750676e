//! Small things of the browser: address, storage, clipboard, focus, timers. Every failure is answered by `None` or
//! `false`, never by a panic: storage and clipboard may be forbidden.

use futures_channel::oneshot;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, HtmlInputElement};

/// The window; there is always one on the main thread.
fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

pub fn document() -> Option<web_sys::Document> {
    window()?.document()
}

fn root() -> Option<HtmlElement> {
    document()?.document_element()?.dyn_into().ok()
}

/// Sets `data-<name>` on the root element; an empty value takes it away.
pub fn set_root_data(name: &str, value: &str) {
    if let Some(root) = root() {
        if value.is_empty() {
            let _ = root.remove_attribute(&format!("data-{name}"));
        } else {
            let _ = root.set_attribute(&format!("data-{name}"), value);
        }
    }
}

/// The language of the page, for screen readers and hyphenation.
pub fn set_lang(tag: &str) {
    if let Some(root) = root() {
        let _ = root.set_attribute("lang", tag);
    }
}

/// The `lang` that the page has, set before the first paint from the choice or the browser's languages.
pub fn lang() -> String {
    root().and_then(|r| r.get_attribute("lang")).unwrap_or_default()
}

/// The build that `index.html` names.
pub fn build() -> String {
    meta("build")
}

/// What `index.html` says under a name; empty when nothing.
pub fn meta(name: &str) -> String {
    let meta = document().and_then(|d| d.query_selector(&format!("meta[name=\"{name}\"]")).ok().flatten());
    meta.and_then(|m| m.get_attribute("content")).unwrap_or_default()
}

pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// The address's hash.
pub fn hash() -> String {
    window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Goes to a hash; the `hashchange` event follows when it differs.
pub fn set_hash(hash: &str) {
    if let Some(window) = window() {
        let _ = window.location().set_hash(hash);
    }
}

/// Exchanges the hash without a new entry in the history; no event follows.
pub fn replace_hash(hash: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// The whole address.
pub fn href() -> String {
    window().and_then(|w| w.location().href().ok()).unwrap_or_default()
}

/// Where the page's own files lie.
pub fn base() -> String {
    document().and_then(|d| d.base_uri().ok().flatten()).unwrap_or_default()
}

pub fn reload_page() {
    if let Some(window) = window() {
        let _ = window.location().reload();
    }
}

/// Calls `act` for every event of this name on the window, as long as the page lives.
pub fn on_window(name: &str, act: impl Fn(web_sys::Event) + 'static) {
    let closure = Closure::<dyn Fn(web_sys::Event)>::new(act);
    if let Some(window) = window() {
        let _ = window.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
    }
    closure.forget();
}

/// Runs `act` after `ms` milliseconds.
pub fn after(ms: i32, act: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let _ = window
            .set_timeout_with_callback_and_timeout_and_arguments_0(Closure::once_into_js(act).unchecked_ref(), ms);
    }
}

/// Runs `act` once what is drawn now has been painted; soon, while nobody looks, since nothing is painted then.
pub fn painted(act: impl FnOnce() + 'static) {
    match window() {
        Some(window) if visible() => {
            let _ = window.request_animation_frame(Closure::once_into_js(move || after(0, act)).unchecked_ref());
        }
        _ => after(0, act),
    }
}

/// Waits.
pub async fn sleep(ms: i32) {
    let (send, receive) = oneshot::channel();
    after(ms, move || {
        let _ = send.send(());
    });
    let _ = receive.await;
}

/// Waits, but no longer than until `done` says true.
pub async fn sleep_unless(ms: i32, done: std::rc::Rc<std::cell::Cell<bool>>) {
    let until = now() + f64::from(ms);
    while !done.get() && now() < until {
        sleep(20).await;
    }
}

/// Runs `act` again and again, as long as the page lives.
pub fn every(ms: i32, act: impl Fn() + 'static) {
    let closure = Closure::<dyn Fn()>::new(act);
    if let Some(window) = window() {
        let _ = window.set_interval_with_callback_and_timeout_and_arguments_0(closure.as_ref().unchecked_ref(), ms);
    }
    closure.forget();
}

/// The time of day, `14:05:09`, in the user's zone.
pub fn clock() -> String {
    let date = js_sys::Date::new_0();
    format!("{:02}:{:02}:{:02}", date.get_hours(), date.get_minutes(), date.get_seconds())
}

/// Milliseconds of a clock that never goes back.
pub fn now() -> f64 {
    window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// Whether the page is in view.
pub fn visible() -> bool {
    document().is_some_and(|d| d.visibility_state() == web_sys::VisibilityState::Visible)
}

/// True on computers whose shortcuts use the command key.
pub fn is_mac() -> bool {
    window().and_then(|w| w.navigator().platform().ok()).is_some_and(|p| p.starts_with("Mac") || p.starts_with("iP"))
}

/// A setting that was kept in this browser.
pub fn stored(key: &str) -> Option<String> {
    window()?.local_storage().ok()??.get_item(key).ok()?
}

/// Keeps a setting in this browser; `None` forgets it.
pub fn store(key: &str, value: Option<&str>) {
    let Some(Ok(Some(storage))) = window().map(|w| w.local_storage()) else { return };
    let _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

/// Puts a text on the clipboard; false when the browser refuses.
pub async fn copy(text: &str) -> bool {
    let Some(window) = window() else { return false };
    // Not there on pages that are not served securely.
    let navigator: JsValue = window.navigator().into();
    if !js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_object()) {
        return false;
    }
    wasm_bindgen_futures::JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok()
}

/// Focuses the first element that the selector finds.
pub fn focus(selector: &str) -> bool {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) else { return false };
    element.focus().is_ok()
}

/// Clicks the first element that the selector finds: for the file inputs that buttons stand for.
pub fn click(selector: &str) {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    if let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        element.click();
    }
}

/// Whether something matches the selector.
pub fn exists(selector: &str) -> bool {
    document().and_then(|d| d.query_selector(selector).ok().flatten()).is_some()
}

/// Whether keys typed at this event's target are text.
pub fn is_typing(event: &web_sys::Event) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else { return false };
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        return !matches!(input.type_().as_str(), "checkbox" | "radio" | "range" | "button" | "file");
    }
    matches!(element.tag_name().as_str(), "TEXTAREA" | "SELECT")
        || element.closest("[contenteditable]").ok().flatten().is_some()
}

/// Hands a fault of the program to the boot screen, which needs no program.
pub fn panicked(report: &str) {
    let init = web_sys::CustomEventInit::new();
    init.set_detail(&report.into());
    if let (Some(window), Ok(event)) =
        (window(), web_sys::CustomEvent::new_with_event_init_dict("skillscope-panic", &init))
    {
        let _ = window.dispatch_event(&event);
    }
}

fn find<T: JsCast>(selector: &str) -> Option<T> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// Opens a dialog above everything; the browser gives the focus back when it closes.
pub fn open_dialog(selector: &str) {
    if let Some(dialog) = find::<web_sys::HtmlDialogElement>(selector)
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

pub fn close_dialog(selector: &str) {
    if let Some(dialog) = find::<web_sys::HtmlDialogElement>(selector) {
        dialog.close();
    }
}

/// Closes a popover that is open.
pub fn close_popover(selector: &str) {
    if let Some(element) = find::<HtmlElement>(&format!("{selector}:popover-open")) {
        let _ = element.hide_popover();
    }
}

/// Whether a dialog has the keyboard.
pub fn in_dialog() -> bool {
    exists("dialog[open]")
}

/// Scrolls an element just into view.
pub fn reveal(selector: &str) {
    if let Some(element) = find::<web_sys::Element>(selector) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Scrolls an element into the middle of what scrolls around it.
pub fn reveal_middle(selector: &str) {
    if let Some(element) = find::<web_sys::Element>(selector) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Center);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// The id of the element that has the keyboard, or of what is around it.
pub fn focused_id() -> Option<String> {
    let active = document()?.active_element()?;
    Some(active.closest("[id]").ok()??.id())
}

/// The ids of everything that matches the selector, in order.
pub fn ids(selector: &str) -> Vec<String> {
    let Some(list) = document().and_then(|d| d.query_selector_all(selector).ok()) else { return Vec::new() };
    let elements = (0..list.length()).filter_map(|i| list.get(i)?.dyn_into::<web_sys::Element>().ok());
    elements.map(|e| e.id()).collect()
}

/// The time now, as RFC 3339 writes it, in UTC.
pub fn timestamp() -> String {
    String::from(js_sys::Date::new_0().to_iso_string())
}

/// Puts the keyboard on the screen's heading once it is drawn. `lost`: only when it is nowhere.
pub fn focus_heading(lost: bool) {
    let busy = super::idle::busy();
    after(0, move || {
        let _busy = busy;
        let nowhere = document().and_then(|d| d.active_element()).is_none_or(|e| e.tag_name() == "BODY");
        if !lost || nowhere {
            focus("#main h1");
        }
    });
}

/// Calls `act` with whether the window satisfies a media query, now and whenever that changes.
pub fn on_media(query: &str, act: impl Fn(bool) + 'static) {
    let Some(Ok(Some(list))) = window().map(|w| w.match_media(query)) else { return };
    act(list.matches());
    let same = list.clone();
    let closure = Closure::<dyn Fn()>::new(move || act(same.matches()));
    let _ = list.add_event_listener_with_callback("change", closure.as_ref().unchecked_ref());
    closure.forget();
}

/// A key as the table of commands writes it, and whether it has a modifier; `None` when it is not for us.
pub fn key(event: &web_sys::Event, mac: bool) -> Option<(String, bool)> {
    let event = event.dyn_ref::<web_sys::KeyboardEvent>()?;
    if event.default_prevented() || event.is_composing() || event.alt_key() {
        return None;
    }
    let (this, other) = if mac { (event.meta_key(), event.ctrl_key()) } else { (event.ctrl_key(), event.meta_key()) };
    if other {
        return None;
    }
    let key = event.key();
    Some(if this { (format!("mod+{}", key.to_ascii_lowercase()), true) } else { (key, false) })
}

/// Where the list under an event's target is scrolled to, and how tall it is.
pub fn scrolled(event: &web_sys::Event) -> Option<(f64, f64)> {
    let element = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    Some((f64::from(element.scroll_top()), f64::from(element.client_height())))
}

/// Scrolls an element to a height.
pub fn scroll_to(selector: &str, top: f64) {
    if let Some(element) = find::<web_sys::Element>(selector) {
        element.set_scroll_top(top.round() as i32);
    }
}

/// How tall an element's inside is.
pub fn height(selector: &str) -> f64 {
    find::<web_sys::Element>(selector).map_or(0.0, |e| f64::from(e.client_height()))
}

/// Whether the browser knows that there is no network at all.
pub fn offline() -> bool {
    web_sys::window().is_some_and(|w| !w.navigator().on_line())
}
