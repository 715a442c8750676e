//! The checker of JSON Schemas for the worker, which loads it when a value is first checked (`schema/remote.rs`).
//! The loader that `scripts/policy.mjs` writes calls [`check`]; nothing else is here, so that nothing else is loaded.

use skillscope::schema;
use wasm_bindgen::prelude::*;

/// Answers a question about a schema and a value, all as texts.
#[wasm_bindgen]
pub fn check(question: &str, schema_text: &str, text: &str) -> String {
    schema::answer(question, schema_text, text)
}

fn main() {}
