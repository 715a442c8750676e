//! The runs that an analysis page carries: `scripts/share/boot.js` has unpacked them into `window.skillscopePage` before
//! this program starts. On the site itself there is no such thing.

use wasm_bindgen::JsCast;

use super::files::Kept;

/// The documents of the page, as files; its notes are one more.
pub fn documents() -> Vec<Kept> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let field = |of: &js_sys::Object, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let page = field(&window, "skillscopePage").and_then(|p| p.dyn_into::<js_sys::Object>().ok());
    let notes = page.as_ref().and_then(|p| field(p, "notes")).and_then(|n| n.as_string()).filter(|n| !n.is_empty());
    let Some(list) = page.and_then(|p| field(&p, "documents")).filter(js_sys::Array::is_array) else {
        return Vec::new();
    };
    js_sys::Array::from(&list)
        .iter()
        .filter_map(|document| {
            let document = document.dyn_into::<js_sys::Object>().ok()?;
            let name = field(&document, "name")?.as_string()?;
            let content = field(&document, "content")?.dyn_into::<js_sys::Uint8Array>().ok()?;
            Kept::from_array(&name, &content)
        })
        .chain(notes.and_then(|notes| Kept::from_text("page.notes.json", &notes)))
        .collect()
}
