//! Schemas of documents by the crate `jsonschema`, in the schema's own dialect: metaschemas, and errors as departures.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, Validator};

use super::super::embedded::{Departure, Dialect, Flaw, FlawKind, WORDS};
use super::references;
use crate::json::{Val, pointer_token};

/// No schema and no value lists more.
const MAX_FAULTS: usize = 50;

/// A compiled schema.
#[derive(Debug)]
pub struct Embedded(Validator);

/// The crate's name of a dialect.
pub fn draft(dialect: Dialect) -> Draft {
    match dialect {
        Dialect::Draft4 => Draft::Draft4,
        Dialect::Draft6 => Draft::Draft6,
        Dialect::Draft7 => Draft::Draft7,
        Dialect::Draft201909 => Draft::Draft201909,
        Dialect::Draft202012 => Draft::Draft202012,
    }
}

impl Embedded {
    /// Checks a schema and compiles it.
    pub fn new(val: Val<'_>, dialect: Dialect) -> Result<Self, Vec<Flaw>> {
        let value = val.to_serde();
        let mut flaws = metaschema(&value, dialect);
        if flaws.is_empty() {
            flaws = references::flaws(val, dialect);
            flaws.truncate(MAX_FAULTS);
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        jsonschema::options().with_draft(draft(dialect)).offline().build(&value).map(Self).map_err(|error| {
            let kind = match error.kind() {
                ValidationErrorKind::Referencing(_) => FlawKind::MissingRef,
                _ => FlawKind::Keyword(wants(&error)),
            };
            vec![Flaw { pointer: error.instance_path().as_str().to_owned(), kind, dialect }]
        })
    }

    /// Where and how a value departs, in the order of the schema; at most fifty.
    pub fn check(&self, val: Val<'_>) -> Vec<Departure> {
        let value = val.to_serde();
        let mut out: Vec<Departure> = Vec::new();
        for error in self.0.iter_errors(&value).take(MAX_FAULTS) {
            for departure in departures(&error) {
                // One fault of one place is said once, whichever keyword finds it first.
                if !out.iter().any(|d| d.pointer == departure.pointer) {
                    out.push(departure);
                }
            }
        }
        out
    }
}

/// A schema against the metaschema of its dialect.
fn metaschema(value: &serde_json::Value, dialect: Dialect) -> Vec<Flaw> {
    let validator = match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft201909 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft202012 => jsonschema::draft202012::meta::validator(),
    };
    let mut out: Vec<Flaw> = Vec::new();
    for error in validator.iter_errors(value).take(MAX_FAULTS) {
        let (pointer, kind) = flaw_of(&error);
        // Each vocabulary of the newer dialects says the same again.
        if !out.iter().any(|f| f.pointer == pointer) {
            out.push(Flaw { pointer, kind, dialect });
        }
    }
    out
}

/// The error of a union that comes nearest to what was meant: the one that lies deepest, or the list of words.
fn nearest<'e>(error: &'e ValidationError<'e>) -> Option<&'e ValidationError<'static>> {
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) = error.kind() else {
        return None;
    };
    let here = error.instance_path().as_str().len();
    let all = || context.iter().flatten();
    all().find(|e| e.instance_path().as_str().len() > here).or_else(|| {
        let worded = |e: &&ValidationError<'_>| matches!(e.kind(), ValidationErrorKind::Enum { .. });
        all().find(|e| worded(e) && error.instance().is_string())
    })
}

fn flaw_of(error: &ValidationError<'_>) -> (String, FlawKind) {
    if let Some(inner) = nearest(error) {
        return flaw_of(inner);
    }
    let pointer = error.instance_path().as_str().to_owned();
    let kind = match error.kind() {
        ValidationErrorKind::Enum { options } => {
            let words = options.as_array().into_iter().flatten();
            FlawKind::Words(words.map(|w| w.as_str().map_or_else(|| w.to_string(), str::to_owned)).collect())
        }
        ValidationErrorKind::Format { format } if format == "regex" => FlawKind::BadPattern,
        _ => FlawKind::Keyword(wants(error)),
    };
    (pointer, kind)
}

/// What a keyword wants, as keyword and value. Names and limits of the schema, nothing of the value.
fn wants(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as K;
    let keyword = error.kind().keyword().to_owned();
    let value = match error.kind() {
        K::Pattern { pattern } => return pattern.clone(),
        K::Type { kind: TypeKind::Single(one) } => one.to_string(),
        K::Type { kind: TypeKind::Multiple(many) } => many.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", "),
        K::Enum { options } => {
            let options: Vec<String> = options.as_array().into_iter().flatten().map(|o| o.to_string()).collect();
            options.join(", ")
        }
        K::Constant { expected_value } => expected_value.to_string(),
        K::Format { format } => format.clone(),
        K::Minimum { limit } | K::Maximum { limit } | K::ExclusiveMinimum { limit } | K::ExclusiveMaximum { limit } => {
            limit.to_string()
        }
        K::MinLength { limit }
        | K::MaxLength { limit }
        | K::MinItems { limit }
        | K::MaxItems { limit }
        | K::MinProperties { limit }
        | K::MaxProperties { limit } => limit.to_string(),
        K::MultipleOf { multiple_of } => multiple_of.to_string(),
        _ => String::new(),
    };
    let whole = if value.is_empty() { keyword } else { format!("{keyword} {value}") };
    whole.chars().take(200).collect()
}

fn departures(error: &ValidationError<'_>) -> Vec<Departure> {
    use ValidationErrorKind as K;
    if let Some(inner) = nearest(error) {
        return departures(inner);
    }
    let here = error.instance_path().as_str();
    let keyword = error.schema_path().as_str().to_owned();
    let make = |pointer: String, reason| Departure { pointer, reason, wants: wants(error), keyword: keyword.clone() };
    let member = |name: &str| format!("{here}/{}", pointer_token(name));
    match error.kind() {
        K::Required { property } => {
            let name = property.as_str().map_or_else(|| property.to_string(), str::to_owned);
            vec![make(member(&name), "required")]
        }
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| make(member(name), "unknown_field")).collect()
        }
        K::FalseSchema => vec![make(here.to_owned(), "not_allowed")],
        kind => vec![make(here.to_owned(), reason(kind.keyword()))],
    }
}

/// The stable word for a keyword.
fn reason(keyword: &str) -> &'static str {
    WORDS.iter().find(|(k, _)| *k == keyword).map_or("schema", |(_, word)| word)
}
