//! Files from another window: a tool that opened this page, or that holds it in a frame, gives it runs by `postMessage`.
//!
//! ```js
//! const page = window.open('https://…/skillscope/');
//! addEventListener('message', ({ data }) => {
//!   if (data.skillscope === 'ready') page.postMessage({ skillscope: 'open', files: [{ name: 'run.json', content }] }, '*');
//! });
//! page.postMessage({ skillscope: 'ping' }, '*');
//! ```
//!
//! `content` is a string, an `ArrayBuffer`, a typed array of bytes or a `Blob`. A ping is answered with `ready`, once the
//! page is there; what was opened with `opened` and the number of files. Whoever sends learns nothing else: no answer
//! holds a word of a file. Messages of any other kind are none of ours.

use wasm_bindgen::prelude::*;
use web_sys::MessageEvent;

use super::files::Kept;

/// The most files of one message.
const MAX_FILES: u32 = 1_000;

/// Calls `open` with what other windows send.
pub fn listen(open: impl Fn(Vec<Kept>) + 'static) {
    super::dom::on_window("message", move |event| {
        let Ok(event) = event.dyn_into::<MessageEvent>() else { return };
        let data = event.data();
        let field = |name: &str| js_sys::Reflect::get(&data, &name.into()).unwrap_or(JsValue::UNDEFINED);
        if !data.is_object() {
            return;
        }
        match field("skillscope").as_string().as_deref() {
            Some("ping") => answer(&event, "ready", 0),
            Some("open") => {
                let list = field("files");
                let files: Vec<Kept> = if js_sys::Array::is_array(&list) {
                    js_sys::Array::from(&list).iter().take(MAX_FILES as usize).filter_map(|f| file(&f)).collect()
                } else {
                    Vec::new()
                };
                answer(&event, "opened", files.len() as u32);
                open(files);
            }
            _ => {}
        }
    });
}

fn file(value: &JsValue) -> Option<Kept> {
    let field = |name: &str| js_sys::Reflect::get(value, &name.into()).ok();
    let name = field("name")?.as_string().filter(|n| !n.is_empty()).unwrap_or_else(|| "message.json".into());
    let content = field("content")?;
    if let Some(text) = content.as_string() {
        return Kept::from_text(&name, &text);
    }
    if content.is_instance_of::<js_sys::ArrayBuffer>() || content.is_instance_of::<js_sys::Uint8Array>() {
        return Kept::from_array(&name, &js_sys::Uint8Array::new(&content));
    }
    content.dyn_into::<web_sys::Blob>().ok().and_then(|blob| Kept::from_blob(&name, &blob))
}

/// Says something to the window that sent the event.
fn answer(event: &MessageEvent, what: &str, files: u32) {
    let source = js_sys::Reflect::get(event, &"source".into()).unwrap_or(JsValue::NULL);
    let post =
        js_sys::Reflect::get(&source, &"postMessage".into()).ok().and_then(|f| f.dyn_into::<js_sys::Function>().ok());
    let Some(post) = post else { return };
    let message = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&message, &"skillscope".into(), &what.into());
    let _ = js_sys::Reflect::set(&message, &"files".into(), &files.into());
    let _ = post.call2(&source, &message, &"*".into());
}
