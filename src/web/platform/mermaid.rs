//! Draws sequence diagrams with mermaid. The program is loaded when the first diagram is shown, from our own folder;
//! drawing holds the main thread, which is why pages of a diagram are short.

use leptos::{html, prelude::*};
use wasm_bindgen::{JsCast, prelude::*};

use super::idle;

#[wasm_bindgen(module = "/src/web/platform/mermaid.js")]
extern "C" {
    #[wasm_bindgen(js_name = draw, catch)]
    async fn js_draw(host: &web_sys::HtmlElement, source: &str, links: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = step)]
    fn js_step(event: &web_sys::Event) -> i32;
    #[wasm_bindgen(js_name = clear)]
    fn js_clear(host: &web_sys::HtmlElement);
    #[wasm_bindgen(js_name = exported)]
    fn js_exported(host: &web_sys::HtmlElement) -> String;
}

/// How a drawing went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Its arrows open their steps.
    Linked,
    /// It is there, but its arrows could not be matched with the steps.
    Unlinked,
    /// Longer than mermaid takes, in characters.
    TooLong(String),
    /// It is not there, in mermaid's words.
    Failed(String),
}

/// Draws `source` into the element. `links` is what `mermaid.js` says.
pub async fn draw(host: NodeRef<html::Div>, source: &str, links: &str) -> Drawn {
    let _busy = idle::busy();
    let Some(host) = host.try_get_untracked().flatten() else { return Drawn::Failed(String::new()) };
    match js_draw(&host, source, links).await {
        Ok(answer) if answer.as_string().as_deref() == Some("") => Drawn::Linked,
        Ok(_) => Drawn::Unlinked,
        Err(error) => {
            js_clear(&host);
            let text = error
                .dyn_ref::<js_sys::Error>()
                .map(|e| String::from(e.message()))
                .or_else(|| error.as_string())
                .unwrap_or_default();
            match text.strip_prefix("too-long ") {
                Some(n) => Drawn::TooLong(n.to_owned()),
                None => Drawn::Failed(text),
            }
        }
    }
}

/// Takes the picture away.
pub fn clear(host: NodeRef<html::Div>) {
    if let Some(host) = host.get_untracked() {
        js_clear(&host);
    }
}

/// The step of the arrow or note that an event happened at.
pub fn step_at(event: &web_sys::Event) -> Option<u32> {
    u32::try_from(js_step(event)).ok()
}

/// The picture as a file, its colours written out. Empty when there is none.
pub fn exported(host: NodeRef<html::Div>) -> String {
    host.get_untracked().map(|host| js_exported(&host)).unwrap_or_default()
}
