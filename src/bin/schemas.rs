//! The checker of JSON Schemas for the worker, which loads it when a value is first checked (`schema/remote.rs`).
//! The loader that `scripts/policy.mjs` writes calls [`check`]; nothing else is here, so that nothing else is loaded.

use skillscope::schema;
use wasm_bindgen::prelude::*;

/// Checks a text against a schema or one of its definitions. The faults as JSON.
#[wasm_bindgen]
pub fn check(schema_text: &str, def: &str, text: &str) -> String {
    schema::check_text(schema_text, def, text)
}

fn main() {}
