//! JSON Schemas that other people wrote: are they schemas at all, and does a value follow them?
//!
//! Decides in the schema's own dialect (2020-12 unless `$schema` names 2019-09, draft-07, -06 or -04). Nothing is ever
//! fetched. Refused, with the pointer of the place: an unknown dialect, a reference that leads out of the document or
//! nowhere or around in a circle, keywords that the dialect's metaschema does not take, patterns that are none or that
//! would hold up a backtracking engine, and more than [`MAX_BYTES`], [`MAX_DEPTH`] or [`MAX_UNFOLDED`].
//! O(size of the schema) to compile, kept by the caller. Source: JSON Schema core and validation, five dialects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, Validator};

use super::references;
use crate::json::{Val, pointer_token};

/// Larger schemas are not compiled.
pub const MAX_BYTES: usize = 256 * 1024;
/// Deeper schemas are not compiled.
pub const MAX_DEPTH: usize = 64;
/// Schemas that unfold at one value into more are not compiled.
pub const MAX_UNFOLDED: u64 = 10_000;
/// No schema and no value lists more.
const MAX_FAULTS: usize = 50;

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

impl Dialect {
    /// The dialect that `$schema` names.
    pub fn of(uri: &str) -> Option<Self> {
        let bare = uri.strip_suffix('#').unwrap_or(uri);
        let path = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://"))?;
        Some(match path {
            "json-schema.org/draft-04/schema" => Dialect::Draft4,
            "json-schema.org/draft-06/schema" => Dialect::Draft6,
            "json-schema.org/draft-07/schema" => Dialect::Draft7,
            "json-schema.org/draft/2019-09/schema" => Dialect::Draft201909,
            "json-schema.org/draft/2020-12/schema" => Dialect::Draft202012,
            _ => return None,
        })
    }

    /// The name that people use.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Draft4 => "draft-04",
            Dialect::Draft6 => "draft-06",
            Dialect::Draft7 => "draft-07",
            Dialect::Draft201909 => "2019-09",
            Dialect::Draft202012 => "2020-12",
        }
    }

    pub(super) fn draft(self) -> Draft {
        match self {
            Dialect::Draft4 => Draft::Draft4,
            Dialect::Draft6 => Draft::Draft6,
            Dialect::Draft7 => Draft::Draft7,
            Dialect::Draft201909 => Draft::Draft201909,
            Dialect::Draft202012 => Draft::Draft202012,
        }
    }
}

/// What is wrong with a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlawKind {
    UnknownDialect,
    /// A `$ref` that leads out of the document.
    RemoteRef,
    /// A `$ref` that leads nowhere.
    MissingRef,
    /// References that come back to themselves without reading anything.
    RefLoop,
    TooLarge,
    TooDeep,
    /// Unfolds into too many schemas.
    Unfolds,
    BadPattern,
    Catastrophic,
    /// Only these words may stand there.
    Words(Vec<String>),
    /// The keyword of the metaschema that is broken, with what it wants.
    Keyword(String),
}

/// A flaw of a schema and its place inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub pointer: String,
    pub kind: FlawKind,
    pub dialect: Dialect,
}

/// How a value departs from a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Of the field itself, also when it is missing.
    pub pointer: String,
    /// A stable word: `required`, `unknown_field`, `type`, `enum`, `pattern`, … or the keyword.
    pub reason: &'static str,
    /// What the schema wants there, as keyword and value; a pattern alone.
    pub wants: String,
    /// Where the keyword stands in the schema.
    pub keyword: String,
}

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    pub dialect: Dialect,
}

/// What compiling a schema came to.
pub type Compiled = Result<Arc<Schema>, Arc<[Flaw]>>;

/// Compiled schemas that are kept; more than these are forgotten all at once.
const MAX_KEPT: usize = 64;

/// [`compile`], remembering what it compiled last: a descriptor is checked under both profiles, again at every change.
pub fn compiled(val: Val<'_>) -> Compiled {
    static KEPT: OnceLock<Mutex<BTreeMap<String, Compiled>>> = OnceLock::new();
    let kept = KEPT.get_or_init(Mutex::default);
    if let Some(found) = kept.lock().unwrap_or_else(PoisonError::into_inner).get(val.raw()) {
        return found.clone();
    }
    let made = compile(val).map(Arc::new).map_err(Arc::from);
    if val.raw().len() <= MAX_BYTES {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(val.raw().to_owned(), made.clone());
    }
    made
}

/// Checks a schema and compiles it.
pub fn compile(val: Val<'_>) -> Result<Schema, Vec<Flaw>> {
    let named = val.str("$schema");
    let dialect = named.as_deref().map_or(Some(Dialect::Draft202012), Dialect::of);
    let flaw = |pointer: &str, kind| Flaw {
        pointer: pointer.to_owned(),
        kind,
        dialect: dialect.unwrap_or(Dialect::Draft202012),
    };
    let Some(dialect) = dialect else { return Err(vec![flaw("/$schema", FlawKind::UnknownDialect)]) };
    if val.raw().len() > MAX_BYTES {
        return Err(vec![flaw("", FlawKind::TooLarge)]);
    }
    if depth(val) > MAX_DEPTH {
        return Err(vec![flaw("", FlawKind::TooDeep)]);
    }
    let value = val.to_serde();
    let mut flaws = metaschema(&value, dialect);
    if flaws.is_empty() {
        flaws = references::flaws(val, dialect);
        flaws.truncate(MAX_FAULTS);
    }
    if !flaws.is_empty() {
        return Err(flaws);
    }
    match jsonschema::options().with_draft(dialect.draft()).offline().build(&value) {
        Ok(validator) => Ok(Schema { validator, dialect }),
        Err(error) => {
            let kind = match error.kind() {
                ValidationErrorKind::Referencing(_) => FlawKind::MissingRef,
                _ => FlawKind::Keyword(wants(&error)),
            };
            Err(vec![flaw(error.instance_path().as_str(), kind)])
        }
    }
}

impl Schema {
    /// Where and how a value departs, in the order of the schema; at most fifty.
    pub fn check(&self, val: Val<'_>) -> Vec<Departure> {
        let value = val.to_serde();
        let mut out: Vec<Departure> = Vec::new();
        for error in self.validator.iter_errors(&value).take(MAX_FAULTS) {
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

/// Nesting of a value. The recursion is bounded by the depth of the tape.
fn depth(val: Val<'_>) -> usize {
    let inner = val.entries().map(|(_, v)| v).chain(val.items()).map(depth).max();
    inner.map_or(0, |d| d + 1)
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
    const WORDS: &[(&str, &str)] = &[
        ("type", "type"),
        ("enum", "enum"),
        ("const", "const"),
        ("pattern", "pattern"),
        ("format", "format"),
        ("minimum", "minimum"),
        ("exclusiveMinimum", "minimum"),
        ("maximum", "maximum"),
        ("exclusiveMaximum", "maximum"),
        ("multipleOf", "multiple_of"),
        ("minLength", "too_short"),
        ("maxLength", "too_long"),
        ("minItems", "too_few"),
        ("maxItems", "too_many"),
        ("minProperties", "too_few"),
        ("maxProperties", "too_many"),
        ("uniqueItems", "not_unique"),
        ("anyOf", "any_of"),
        ("oneOf", "one_of"),
        ("not", "not"),
        ("contains", "contains"),
        ("propertyNames", "property_name"),
        ("additionalItems", "too_many"),
        ("unevaluatedItems", "too_many"),
    ];
    WORDS.iter().find(|(k, _)| *k == keyword).map_or("schema", |(_, word)| word)
}
