//! The analysis worker: decodes a job, hands it to the [`Workbench`], posts progress and the answer.
//!
//! A message is an array: the job as JSON and, for a chunk, its bytes as a transferred buffer. Answers are JSON text.
//! The first message says which build this is; a panic says where it was before the worker ends.

use std::cell::RefCell;

use js_sys::{Array, ArrayBuffer, Reflect, Uint8Array};
use skillscope::engine::Workbench;
use skillscope::protocol::{self, Outcome, PROTOCOL, Request, Response};
use skillscope::schema;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

fn post(id: u32, outcome: Outcome) {
    let text = serde_json::to_string(&Response { id, outcome });
    if let (Some(scope), Ok(text)) = (scope(), text) {
        let _ = scope.post_message(&text.into());
    }
}

fn fault(id: &str, detail: String) -> Outcome {
    Outcome::Fault { id: id.into(), args: vec![("detail".into(), detail)] }
}

fn receive(bench: &mut Workbench, event: &MessageEvent) {
    let message = Array::from(&event.data());
    let text = message.get(0).as_string().unwrap_or_default();
    let Some(request) = protocol::from_json::<Request>(&text) else {
        return post(0, fault("fault.bad-message", format!("{} bytes", text.len())));
    };
    let bytes = message.get(1).dyn_into::<ArrayBuffer>().ok().map(|buffer| Uint8Array::new(&buffer).to_vec());
    let id = request.id;
    let outcome = bench.handle(request.job, bytes.as_deref(), &mut |progress| post(id, Outcome::Progress { progress }));
    post(id, outcome);
}

#[wasm_bindgen]
extern "C" {
    /// The loader's: loads the checker of schemas the first time (`scripts/policy.mjs`).
    #[wasm_bindgen(js_name = skillscopeCheck, catch)]
    fn js_check(question: &str, schema_text: &str, text: &str) -> Result<String, JsValue>;
}

fn check(question: &str, schema_text: &str, text: &str) -> Result<String, String> {
    js_check(question, schema_text, text)
        .map_err(|e| e.dyn_ref::<js_sys::Error>().map(|e| String::from(e.message())).unwrap_or_default())
}

fn main() {
    schema::ask_by(check);
    std::panic::set_hook(Box::new(|info| post(0, fault("fault.panic", info.to_string()))));
    let bench = RefCell::new(Workbench::new());
    let listener =
        Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| receive(&mut bench.borrow_mut(), &event));
    let Some(scope) = scope() else { return };
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // The worker lives as long as its listener.
    listener.forget();
    let build = Reflect::get(&scope, &"skillscopeBuild".into()).ok().and_then(|b| b.as_string()).unwrap_or_default();
    post(0, Outcome::Ready { protocol: PROTOCOL, build });
}
