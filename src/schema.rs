//! A JSON value against a JSON Schema: faults with pointer and a sentence that shows next to nothing of the file.
//!
//! Compiling a schema costs more than checking a small file, so validators are kept, one a schema. The check needs the
//! value as a `serde_json::Value`, about as large again as the text: callers bound the size. O(values).
//! Source: JSON Schema 2020-12 by the crate `jsonschema`.

pub mod embedded;
mod pattern;
mod references;

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

/// A schema that somebody else wrote, in its own dialect, ready for many values.
pub struct ToolSchema {
    validator: Validator,
    schema: serde_json::Value,
}

/// Where a value departs from somebody else's schema. Shows the schema, and of the value the names of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// No breach: it holds.
    Done(Vec<Breach>),
    /// A pattern of the schema takes too long on this value.
    TooSlow,
}

/// A pattern may try this often; the usual one never has to try twice.
const BACKTRACKS: usize = 50_000;

/// More of a keyword's value is not shown.
const MAX_WANTED: usize = 80;

/// More names beside a property are not kept.
const MAX_KNOWN: usize = 200;

impl ToolSchema {
    /// Compiles a schema. The dialect is that of `$schema`, else 2020-12; nothing is ever fetched. The error says why
    /// it cannot be used.
    pub fn new(schema_text: &str) -> Result<Self, String> {
        let schema: serde_json::Value = serde_json::from_str(schema_text).map_err(|e| e.to_string())?;
        let patterns = jsonschema::PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS);
        let built = jsonschema::options().offline().with_pattern_options(patterns).build(&schema);
        match built {
            Ok(validator) => Ok(Self { validator, schema }),
            Err(e) => Err(shortened(&e.masked().to_string(), MAX_MESSAGE)),
        }
    }

    /// Checks a value; at most [`MAX_FAULTS`] breaches, in the order of the schema.
    pub fn check(&self, value: &serde_json::Value) -> Checked {
        use jsonschema::error::ValidationErrorKind as K;
        let mut out = Vec::new();
        for error in self.validator.iter_errors(value) {
            let pointer = error.instance_path().to_string();
            let schema_pointer = error.schema_path().to_string();
            let at = |name: &str| format!("{pointer}/{}", crate::json::pointer_token(name));
            let mut add = |pointer: String, property: Option<&str>| {
                if out.len() < MAX_FAULTS {
                    out.push(Breach {
                        pointer,
                        keyword: error.kind().keyword().to_owned(),
                        wanted: self
                            .schema
                            .pointer(&schema_pointer)
                            .map_or_else(String::new, |v| shortened(&v.to_string(), MAX_WANTED)),
                        property: property.map(str::to_owned),
                        known: property.map_or_else(Vec::new, |_| self.known(&schema_pointer)),
                        schema_pointer: schema_pointer.clone(),
                    });
                }
            };
            match error.kind() {
                K::BacktrackLimitExceeded { .. } | K::RegexEngineFailure { .. } => return Checked::TooSlow,
                K::Required { property } => {
                    let name = property.as_str().unwrap_or_default();
                    add(at(name), Some(name));
                }
                K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
                    for name in unexpected {
                        add(at(name.as_str()), Some(name.as_str()));
                    }
                }
                _ => add(pointer.clone(), None),
            }
            if out.len() >= MAX_FAULTS {
                break;
            }
        }
        Checked::Done(out)
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

    /// The properties of the schema that holds a keyword.
    fn known(&self, keyword: &str) -> Vec<String> {
        let holder = keyword.rsplit_once('/').map_or("", |(holder, _)| holder);
        let names = self.schema.pointer(holder).and_then(|s| s.get("properties")).and_then(|p| p.as_object());
        names.map_or_else(Vec::new, |p| p.keys().take(MAX_KNOWN).cloned().collect())
    }
}

fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
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
