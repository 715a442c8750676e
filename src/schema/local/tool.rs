//! Tools' schemas by the crate `jsonschema`. A pattern that would try forever ends the check.

use jsonschema::Validator;

use super::super::tool::{Breach, Checked, MAX_WANTED, ToolSchema, shortened};
use super::super::{MAX_FAULTS, MAX_MESSAGE};

/// A pattern may try this often; the usual one never has to try twice.
const BACKTRACKS: usize = 50_000;

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
    pub fn check(&self, of: &ToolSchema, value: &serde_json::Value) -> Checked {
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
                        wanted: of
                            .schema()
                            .pointer(&schema_pointer)
                            .map_or_else(String::new, |v| shortened(&v.to_string(), MAX_WANTED)),
                        property: property.map(str::to_owned),
                        known: property.map_or_else(Vec::new, |_| of.known(&schema_pointer)),
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
