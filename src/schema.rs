//! A JSON value against a JSON Schema: faults with pointer and a sentence that shows next to nothing of the file.
//!
//! Three kinds of schema: our own ([`check`]), those of tools and skills that a run is held to ([`ToolSchema`]), and those
//! that stand in a document and may be none ([`embedded`]). The checker needs the value as a tree, about as large again as
//! the text: callers bound the size. O(values). In the browser the checker is a program of its own, loaded when it is
//! first needed: `schema/remote.rs` says why. Source: JSON Schema by the crate `jsonschema`.

pub mod embedded;
mod pattern;
mod tool;

// Two ways to the same checker; what is checked and how is the same code in both.
#[cfg_attr(feature = "worker", path = "schema/remote.rs")]
#[cfg_attr(not(feature = "worker"), path = "schema/local.rs")]
mod checker;

#[cfg_attr(not(feature = "worker"), allow(unused_imports, reason = "the local checker asks nobody"))]
pub use checker::*;
pub use pattern::is_catastrophic;
pub use tool::{Breach, Checked, ToolSchema};

use serde::{Deserialize, Serialize};

use crate::json::{Tape, Val};

/// No check lists more faults than this.
pub const MAX_FAULTS: usize = 50;

/// Where a value departs from the schema, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaFault {
    /// JSON pointer in the checked value.
    pub pointer: String,
    /// The values of the file are masked; names of keys may stand in it.
    pub message: String,
}

/// Checks a value; at most [`MAX_FAULTS`] faults, in the order of the schema. A schema that is none gives one fault
/// that says so.
pub fn check(schema_text: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    checker::run(schema_text, "", doc)
}

/// Checks a value against one of the schema's `$defs`.
pub fn check_def(schema_text: &str, name: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    checker::run(schema_text, name, doc)
}

/// What is asked of a checker that is another program, beside schema and value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Question {
    /// [`check`], or [`check_def`] with a name.
    Own(String),
    /// Can the schema of a tool be used?
    Tool,
    /// A value against the schema of a tool.
    Breaches,
    /// Is this a schema?
    Embedded,
    /// A value against a schema that stands in a document.
    Departures,
}

/// Answers a question for another program: everything as JSON text. A question that is none is answered by nothing.
pub fn answer(question: &str, schema_text: &str, text: &str) -> String {
    let mut tape = Tape::new();
    let mut schema_tape = Tape::new();
    let json = match serde_json::from_str::<Question>(question) {
        Ok(Question::Own(def)) => serde_json::to_string(&checker::run(schema_text, &def, tape.parse(text).root())),
        Ok(Question::Tool) => serde_json::to_string(&ToolSchema::new(schema_text).map(|_| ())),
        Ok(Question::Breaches) => {
            let checked = ToolSchema::kept(schema_text).map(|schema| schema.check(&tape.parse(text).root().to_serde()));
            serde_json::to_string(&checked)
        }
        Ok(Question::Embedded) => {
            let flaws = embedded::compiled(schema_tape.parse(schema_text).root()).err();
            serde_json::to_string(&flaws.as_deref().unwrap_or_default())
        }
        Ok(Question::Departures) => {
            let schema = embedded::compiled(schema_tape.parse(schema_text).root());
            serde_json::to_string(&schema.map(|s| s.check(tape.parse(text).root())).unwrap_or_default())
        }
        Err(_) => Ok(String::new()),
    };
    json.unwrap_or_default()
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
