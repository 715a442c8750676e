//! The checker itself, by the crate `jsonschema`: everywhere but in the browser's worker.
//!
//! Compiling a schema costs more than checking a small file, so validators are kept, one a schema. The check needs the
//! value as a `serde_json::Value`, about as large again as the text.

#[path = "local/embedded.rs"]
mod embedded;
#[path = "local/references.rs"]
mod references;
#[path = "local/tool.rs"]
mod tool;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;

pub use embedded::Embedded;
pub use tool::Tool;

use super::{MAX_FAULTS, SchemaFault};
use crate::json::Val;

/// No message is longer than this.
const MAX_MESSAGE: usize = 240;

pub(super) fn run(schema_text: &str, def: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    let validator = match validator(schema_text, def) {
        Ok(validator) => validator,
        Err(message) => return vec![SchemaFault { pointer: String::new(), message: message.as_ref().to_owned() }],
    };
    let value = doc.to_serde();
    let faults = validator.iter_errors(&value).take(MAX_FAULTS);
    faults
        .map(|error| SchemaFault {
            pointer: error.instance_path().to_string(),
            message: error.masked().to_string().chars().take(MAX_MESSAGE).collect(),
        })
        .collect()
}

type Compiled = Result<Arc<Validator>, Arc<str>>;

fn validator(schema_text: &str, def: &str) -> Compiled {
    static KEPT: OnceLock<Mutex<BTreeMap<(String, String), Compiled>>> = OnceLock::new();
    let kept = KEPT.get_or_init(Mutex::default);
    let key = (schema_text.to_owned(), def.to_owned());
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.get(&key) {
        return found.clone();
    }
    let compiled = compile(schema_text, def).map(Arc::new).map_err(Arc::from);
    kept.insert(key, compiled.clone());
    compiled
}

fn compile(schema_text: &str, def: &str) -> Result<Validator, String> {
    let mut schema: serde_json::Value =
        serde_json::from_str(schema_text).map_err(|e| format!("The schema is no JSON: {e}"))?;
    if let (false, Some(root)) = (def.is_empty(), schema.as_object_mut()) {
        root.insert("$ref".into(), format!("#/$defs/{def}").into());
    }
    jsonschema::draft202012::new(&schema).map_err(|e| format!("The schema is no schema: {}", e.masked()))
}
