//! Schemas that somebody else wrote for a tool or a skill, ready for many calls, and how a value breaks them.
//! O(size of the schema) once, O(values) a check.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::checker;

/// A schema that somebody else wrote, in its own dialect, ready for many values.
pub struct ToolSchema {
    checker: checker::Tool,
    schema: serde_json::Value,
}

/// Where a value departs from somebody else's schema. Shows the schema, and of the value the names of keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// JSON pointer of the value itself, also of one that is missing or must not be there.
    pub pointer: String,
    /// The keyword of the schema, for example `required`.
    pub keyword: String,
    /// JSON pointer of the keyword in the schema.
    pub schema_pointer: String,
    /// What the keyword wants, as it stands in the schema, shortened.
    pub wanted: String,
    /// The property that is missing or must not be there.
    pub property: Option<String>,
    /// The names that the schema knows beside it.
    pub known: Vec<String>,
}

/// What the check of one value gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Checked {
    /// No breach: it holds.
    Done(Vec<Breach>),
    /// A pattern of the schema takes too long on this value.
    TooSlow,
}

impl ToolSchema {
    /// Compiles a schema. The dialect is that of `$schema`, else 2020-12; nothing is ever fetched. The error says why
    /// it cannot be used.
    pub fn new(schema_text: &str) -> Result<Self, String> {
        let schema: serde_json::Value = serde_json::from_str(schema_text).map_err(|e| e.to_string())?;
        Ok(Self { checker: checker::Tool::new(schema_text, &schema)?, schema })
    }

    /// [`ToolSchema::new`], remembering what was asked for; more than sixty-four are forgotten all at once.
    pub(super) fn kept(schema_text: &str) -> Result<Arc<Self>, String> {
        static KEPT: Mutex<BTreeMap<String, Result<Arc<ToolSchema>, String>>> = Mutex::new(BTreeMap::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.get(schema_text) {
            return found.clone();
        }
        let made = Self::new(schema_text).map(Arc::new);
        if kept.len() >= 64 {
            kept.clear();
        }
        kept.insert(schema_text.to_owned(), made.clone());
        made
    }

    /// Checks a value; at most [`MAX_FAULTS`](super::MAX_FAULTS) breaches, in the order of the schema.
    pub fn check(&self, value: &serde_json::Value) -> Checked {
        self.checker.check(&self.schema, value)
    }

    /// The names at the root that are not said to be all there are: properties, in the schema's order. `None` when the
    /// schema's root says what becomes of others, or knows no names.
    pub fn open_names(&self) -> Option<Vec<&str>> {
        let root = self.schema.as_object()?;
        const SAYS: [&str; 10] = [
            "additionalProperties",
            "unevaluatedProperties",
            "patternProperties",
            "propertyNames",
            "$ref",
            "allOf",
            "anyOf",
            "oneOf",
            "if",
            "dependentSchemas",
        ];
        if SAYS.iter().any(|k| root.get(*k).is_some_and(|v| !v.is_null())) {
            return None;
        }
        let names: Vec<&str> = root.get("properties")?.as_object()?.keys().map(String::as_str).collect();
        (!names.is_empty()).then_some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(schema: &str, value: &str) -> Vec<(String, String, String)> {
        let compiled = ToolSchema::new(schema).unwrap();
        let Checked::Done(found) = compiled.check(&serde_json::from_str(value).unwrap()) else { panic!("too slow") };
        found.into_iter().map(|b| (b.pointer, b.keyword, b.wanted)).collect()
    }

    #[track_caller]
    fn breaks(schema: &str, value: &str, expected: &[(&str, &str, &str)]) {
        let found = breaches(schema, value);
        let found: Vec<_> = found.iter().map(|(p, k, w)| (p.as_str(), k.as_str(), w.as_str())).collect();
        assert_eq!(found, expected, "{schema} {value}");
    }

    #[test]
    fn a_breach_points_at_the_value_itself() {
        let schema = r#"{"type":"object","required":["a","b/c"],"properties":{"a":{"type":"string"},"b/c":{}},"additionalProperties":false}"#;
        breaks(schema, r#"{"a":"x","b/c":1}"#, &[]);
        breaks(schema, r#"{"a":1}"#, &[("/b~1c", "required", r#"["a","b/c"]"#), ("/a", "type", "\"string\"")]);
        breaks(
            schema,
            r#"{"a":"","b/c":1,"d":1,"e":2}"#,
            &[("/d", "additionalProperties", "false"), ("/e", "additionalProperties", "false")],
        );
        let Checked::Done(found) =
            ToolSchema::new(schema).unwrap().check(&serde_json::json!({"a": "", "b/c": 0, "d": 1}))
        else {
            panic!("too slow")
        };
        assert_eq!(found[0].known, ["a", "b/c"]);
        assert_eq!(found[0].property.as_deref(), Some("d"));
    }

    #[test]
    fn a_schema_speaks_its_own_dialect() {
        // Tuples are `items` in draft-07 and `prefixItems` in 2020-12.
        let tuple = r#""items":[{"type":"integer"}]"#;
        assert!(ToolSchema::new(&format!("{{{tuple}}}")).is_err());
        breaks(
            &format!(r#"{{"$schema":"http://json-schema.org/draft-07/schema#",{tuple}}}"#),
            "[\"x\"]",
            &[("/0", "type", "\"integer\"")],
        );
    }

    #[test]
    fn nothing_is_fetched_and_nothing_takes_forever() {
        for unusable in [
            r#"{"$ref":"https://example.com/x.json"}"#,
            r#"{"$schema":"https://example.com/mine"}"#,
            "nonsense",
            r##"{"$ref":"#/nowhere"}"##,
        ] {
            assert!(ToolSchema::new(unusable).is_err(), "{unusable}");
        }
        let slow = ToolSchema::new(r#"{"pattern":"^(a|aa)+\\1$"}"#).unwrap();
        assert_eq!(slow.check(&format!("{}b", "a".repeat(40)).into()), Checked::TooSlow);
    }

    #[test]
    fn names_are_open_where_nothing_else_is_said() {
        let open = |schema: &str| ToolSchema::new(schema).unwrap().open_names().map(|n| n.join(" "));
        assert_eq!(open(r#"{"properties":{"b":{},"a":{}}}"#).as_deref(), Some("b a"));
        assert_eq!(open(r#"{"properties":{"a":{}},"additionalProperties":true}"#), None);
        assert_eq!(open(r#"{"properties":{"a":{}},"allOf":[{}]}"#), None);
        assert_eq!(open("true"), None);
    }
}
