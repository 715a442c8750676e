//! JSON Schemas that other people wrote: are they schemas at all, and does a value follow them?
//!
//! Decides in the schema's own dialect (2020-12 unless `$schema` names 2019-09, draft-07, -06 or -04). Nothing is ever
//! fetched. Refused, with the pointer of the place: an unknown dialect, a reference that leads out of the document or
//! nowhere or around in a circle, keywords that the dialect's metaschema does not take, patterns that are none or that
//! would hold up a backtracking engine, and more than [`MAX_BYTES`], [`MAX_DEPTH`] or [`MAX_UNFOLDED`].
//! O(size of the schema) to compile, kept by the caller. Source: JSON Schema core and validation, five dialects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::checker;
use crate::json::Val;

/// Larger schemas are not compiled.
pub const MAX_BYTES: usize = 256 * 1024;
/// Deeper schemas are not compiled.
pub const MAX_DEPTH: usize = 64;
/// Schemas that unfold at one value into more are not compiled.
pub const MAX_UNFOLDED: u64 = 10_000;

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// What is wrong with a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    pub pointer: String,
    pub kind: FlawKind,
    pub dialect: Dialect,
}

/// How a value departs from a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    checker: checker::Embedded,
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
    checker::Embedded::new(val, dialect).map(|checker| Schema { checker, dialect })
}

impl Schema {
    /// Where and how a value departs, in the order of the schema; at most fifty.
    pub fn check(&self, val: Val<'_>) -> Vec<Departure> {
        self.checker.check(val)
    }
}

/// Nesting of a value. The recursion is bounded by the depth of the tape.
fn depth(val: Val<'_>) -> usize {
    let inner = val.entries().map(|(_, v)| v).chain(val.items()).map(depth).max();
    inner.map_or(0, |d| d + 1)
}

/// Keywords with the stable words for what breaks them.
pub(super) const WORDS: &[(&str, &str)] = &[
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

/// A word that came from the checker: one of ours.
pub fn known_word(word: &str) -> &'static str {
    let others = ["required", "unknown_field", "not_allowed"].into_iter();
    WORDS.iter().map(|(_, known)| *known).chain(others).find(|known| *known == word).unwrap_or("schema")
}
