//! A JSON value against a JSON Schema: faults with pointer and a sentence that shows next to nothing of the file.
//!
//! Compiling a schema costs more than checking a small file, so validators are kept, one a schema. The check needs the
//! value as a `serde_json::Value`, about as large again as the text: callers bound the size. O(values).
//! Source: JSON Schema 2020-12 by the crate `jsonschema`.

pub mod embedded;
mod pattern;

pub use pattern::is_catastrophic;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;

use crate::json::Val;

/// No check lists more faults than this.
pub const MAX_FAULTS: usize = 50;

/// No message is longer than this.
const MAX_MESSAGE: usize = 240;

/// Where a value departs from the schema, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFault {
    /// JSON pointer in the checked value.
    pub pointer: String,
    /// The values of the file are masked; names of keys may stand in it.
    pub message: String,
}

/// Checks a value; at most [`MAX_FAULTS`] faults, in the order of the schema. A schema that is none gives one fault
/// that says so.
pub fn check(schema_text: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    run(schema_text, None, doc)
}

/// Checks a value against one of the schema's `$defs`.
pub fn check_def(schema_text: &str, name: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    run(schema_text, Some(name), doc)
}

fn run(schema_text: &str, def: Option<&str>, doc: Val<'_>) -> Vec<SchemaFault> {
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

fn validator(schema_text: &str, def: Option<&str>) -> Compiled {
    static KEPT: OnceLock<Mutex<BTreeMap<(String, String), Compiled>>> = OnceLock::new();
    let kept = KEPT.get_or_init(Mutex::default);
    let key = (schema_text.to_owned(), def.unwrap_or_default().to_owned());
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.get(&key) {
        return found.clone();
    }
    let compiled = compile(schema_text, def).map(Arc::new).map_err(Arc::from);
    kept.insert(key, compiled.clone());
    compiled
}

fn compile(schema_text: &str, def: Option<&str>) -> Result<Validator, String> {
    let mut schema: serde_json::Value =
        serde_json::from_str(schema_text).map_err(|e| format!("The schema is no JSON: {e}"))?;
    if let (Some(def), Some(root)) = (def, schema.as_object_mut()) {
        root.insert("$ref".into(), format!("#/$defs/{def}").into());
    }
    jsonschema::draft202012::new(&schema).map_err(|e| format!("The schema is no schema: {}", e.masked()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Tape;

    const SCHEMA: &str = r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"n":{"type":"array","items":{"type":"integer","minimum":2}},"b":{"$ref":"#/$defs/b"}},"additionalProperties":false},"b":{"enum":["x","y"]}}}"##;

    #[track_caller]
    fn faults(text: &str) -> Vec<(String, String)> {
        let mut tape = Tape::new();
        check(SCHEMA, tape.parse(text).root()).into_iter().map(|f| (f.pointer, f.message)).collect()
    }

    #[test]
    fn says_where_and_hides_what() {
        assert_eq!(faults(r#"{"n":[2,3],"b":"x"}"#), []);
        let found = faults(r#"{"n":[2,"my password"],"b":"another secret"}"#);
        let pointers: Vec<_> = found.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(pointers, ["/n/1", "/b"]);
        assert!(found.iter().all(|f| !f.1.contains("password") && !f.1.contains("secret")), "{found:?}");
        assert_eq!(faults(r#"{"a/b":1}"#)[0].0, "");
        assert_eq!(faults(&format!("{{\"n\":{:?}}}", vec![1; 200])).len(), MAX_FAULTS);
    }

    #[test]
    fn checks_a_part() {
        let mut tape = Tape::new();
        assert!(check_def(SCHEMA, "b", tape.parse("\"x\"").root()).is_empty());
        assert_eq!(check_def(SCHEMA, "b", tape.parse("\"z\"").root()).len(), 1);
    }

    #[test]
    fn a_schema_that_is_none_is_said() {
        let mut tape = Tape::new();
        for broken in ["", "{\"type\":5}"] {
            let found = check(broken, tape.parse("1").root());
            assert_eq!(found.len(), 1, "{broken}");
            assert!(found[0].message.starts_with("The schema is no"), "{found:?}");
        }
    }
}
