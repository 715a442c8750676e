//! The checker of the browser's worker: another program, [`crate::schema`] by itself (`src/bin/schemas.rs`), which is
//! loaded when the first value is to be checked. It is as heavy as everything else together, and few files have a
//! schema. Texts go there, faults come back.

use std::sync::OnceLock;

use super::SchemaFault;
use crate::json::Val;

/// Checks a text: schema, name of a definition or nothing, value. Answers pointers and messages as JSON, or why not.
pub type Ask = fn(&str, &str, &str) -> Result<String, String>;

static ASK: OnceLock<Ask> = OnceLock::new();

/// Says whom to ask; the worker does, before anything else.
pub fn ask_by(ask: Ask) {
    let _ = ASK.set(ask);
}

pub(super) fn run(schema_text: &str, def: Option<&str>, doc: Val<'_>) -> Vec<SchemaFault> {
    let answer = match ASK.get() {
        Some(ask) => ask(schema_text, def.unwrap_or_default(), doc.raw()),
        None => Err("nobody to ask".to_owned()),
    };
    match answer.and_then(|text| serde_json::from_str::<Vec<(String, String)>>(&text).map_err(|e| e.to_string())) {
        Ok(faults) => faults.into_iter().map(|(pointer, message)| SchemaFault { pointer, message }).collect(),
        Err(why) => {
            vec![SchemaFault { pointer: String::new(), message: format!("The check could not be loaded: {why}") }]
        }
    }
}
