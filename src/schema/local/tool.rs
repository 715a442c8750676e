//! Tools' schemas by the crate `jsonschema`. A pattern that would try forever ends the check.

use jsonschema::Validator;

use super::super::MAX_FAULTS;
use super::super::tool::{Breach, Checked};
use super::MAX_MESSAGE;

/// A pattern may try this often; the usual one never has to try twice.
const BACKTRACKS: usize = 50_000;

/// More of a keyword's value is not shown.
const MAX_WANTED: usize = 80;

/// More names beside a property are not kept.
const MAX_KNOWN: usize = 200;

/// A compiled schema.
pub struct Tool(Validator);

impl Tool {
    /// Compiles a schema; the error says why it cannot be used.
    pub fn new(_text: &str, schema: &serde_json::Value) -> Result<Self, String> {
        let patterns = jsonschema::PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS);
        let built = jsonschema::options().offline().with_pattern_options(patterns).build(schema);
        built.map(Self).map_err(|e| shortened(&e.masked().to_string(), MAX_MESSAGE))
    }

    /// Checks a value; at most [`MAX_FAULTS`] breaches, in the order of the schema.
    pub fn check(&self, schema: &serde_json::Value, value: &serde_json::Value) -> Checked {
        use jsonschema::error::ValidationErrorKind as K;
        let mut out = Vec::new();
        for error in self.0.iter_errors(value) {
            let pointer = error.instance_path().to_string();
            let schema_pointer = error.schema_path().to_string();
            let at = |name: &str| format!("{pointer}/{}", crate::json::pointer_token(name));
            let mut add = |pointer: String, property: Option<&str>| {
                if out.len() < MAX_FAULTS {
                    out.push(Breach {
                        pointer,
                        keyword: error.kind().keyword().to_owned(),
                        wanted: schema
                            .pointer(&schema_pointer)
                            .map_or_else(String::new, |v| shortened(&v.to_string(), MAX_WANTED)),
                        property: property.map(str::to_owned),
                        known: property.map_or_else(Vec::new, |_| known(schema, &schema_pointer)),
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
}

/// The properties of the schema that holds a keyword.
fn known(schema: &serde_json::Value, keyword: &str) -> Vec<String> {
    let holder = keyword.rsplit_once('/').map_or("", |(holder, _)| holder);
    let names = schema.pointer(holder).and_then(|s| s.get("properties")).and_then(|p| p.as_object());
    names.map_or_else(Vec::new, |p| p.keys().take(MAX_KNOWN).cloned().collect())
}

fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
