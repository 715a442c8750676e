//! A JSON value against a JSON Schema: faults with pointer and a sentence that shows next to nothing of the file.
//!
//! The checker needs the value as a tree, about as large again as the text: callers bound the size. O(values).
//! In the browser it is a program of its own, loaded when it is first needed: `schema/remote.rs` says why.
//! Source: JSON Schema 2020-12 by the crate `jsonschema`.

// Two ways to the same checker; what is checked and how is the same code in both.
#[cfg_attr(feature = "worker", path = "schema/remote.rs")]
#[cfg_attr(not(feature = "worker"), path = "schema/local.rs")]
mod checker;

#[cfg_attr(not(feature = "worker"), allow(unused_imports, reason = "the local checker asks nobody"))]
pub use checker::*;

use crate::json::{Tape, Val};

/// No check lists more faults than this.
pub const MAX_FAULTS: usize = 50;

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
    checker::run(schema_text, None, doc)
}

/// Checks a value against one of the schema's `$defs`.
pub fn check_def(schema_text: &str, name: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    checker::run(schema_text, Some(name), doc)
}

/// Checks a text for another program: the faults as JSON, pointers and messages.
pub fn check_text(schema_text: &str, def: &str, text: &str) -> String {
    let mut tape = Tape::new();
    let doc = tape.parse(text).root();
    let faults = checker::run(schema_text, (!def.is_empty()).then_some(def), doc);
    let pairs: Vec<(String, String)> = faults.into_iter().map(|f| (f.pointer, f.message)).collect();
    serde_json::to_string(&pairs).unwrap_or_else(|_| "[]".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
