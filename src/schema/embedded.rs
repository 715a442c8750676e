//! JSON Schemas that other people wrote: are they schemas at all, and does a value follow them?
//!
//! Decides in the schema's own dialect (2020-12 unless `$schema` names 2019-09, draft-07, -06 or -04). Nothing is ever
//! fetched. Refused, with the pointer of the place: an unknown dialect, a reference that leads out of the document or
//! nowhere or around in a circle, keywords that the dialect's metaschema does not take, patterns that are none or that
//! would hold up a backtracking engine, and more than [`MAX_BYTES`], [`MAX_DEPTH`] or [`MAX_UNFOLDED`].
//! O(size of the schema) to compile, kept by the caller. Source: JSON Schema core and validation, five dialects.

use std::collections::BTreeMap;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, Validator};

use super::pattern::is_catastrophic;
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

    fn draft(self) -> Draft {
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
        let mut scan = Scan { root: val, dialect, flaws: Vec::new(), ids: Vec::new() };
        scan.ids(val, true);
        scan.schema(val, "");
        flaws = scan.flaws;
        flaws.truncate(MAX_FAULTS);
    }
    if flaws.is_empty() {
        let mut unfold = Unfold { root: val, sizes: BTreeMap::new() };
        match unfold.size("", 0) {
            Some(size) if size <= MAX_UNFOLDED => {}
            Some(_) => flaws.push(flaw("", FlawKind::Unfolds)),
            None => flaws.push(flaw("", FlawKind::RefLoop)),
        }
        // A circle that begins below the outermost schema.
        let parts: Vec<String> = if flaws.is_empty() { scan_pointers(val) } else { Vec::new() };
        for part in parts {
            match unfold.size(&part, 0) {
                None => {
                    flaws.push(flaw(&part, FlawKind::RefLoop));
                    break;
                }
                Some(size) if size > MAX_UNFOLDED => {
                    flaws.push(flaw(&part, FlawKind::Unfolds));
                    break;
                }
                Some(_) => {}
            }
        }
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

/// Keywords whose value is data, not schemas.
const DATA: [&str; 5] = ["const", "enum", "default", "examples", "example"];

/// Every place of a value at which an object stands that may be a schema.
fn scan_pointers(val: Val<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut open = vec![(val, String::new())];
    while let Some((val, at)) = open.pop() {
        for (key, inner) in val.entries().filter(|(k, _)| !DATA.contains(&k.as_ref())) {
            open.push((inner, format!("{at}/{}", pointer_token(&key))));
        }
        for (i, inner) in val.items().enumerate() {
            open.push((inner, format!("{at}/{i}")));
        }
        if val.str("$ref").is_some() {
            out.push(at);
        }
    }
    out.sort();
    out
}

/// The pointer that a fragment names.
fn fragment(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    let bytes = fragment.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        let hex = fragment.get(at + 1..at + 3).filter(|_| b == b'%').and_then(|h| u8::from_str_radix(h, 16).ok());
        out.push(hex.unwrap_or(b));
        at += if hex.is_some() { 3 } else { 1 };
    }
    let text = String::from_utf8(out).ok()?;
    (text.is_empty() || text.starts_with('/')).then_some(text)
}

/// Looks for references and patterns. The recursion is bounded by [`MAX_DEPTH`].
struct Scan<'v> {
    root: Val<'v>,
    dialect: Dialect,
    flaws: Vec<Flaw>,
    /// Every `$id` and anchor; the outermost `$id` first.
    ids: Vec<String>,
}

impl Scan<'_> {
    fn ids(&mut self, val: Val<'_>, root: bool) {
        for name in ["$id", "id", "$anchor", "$dynamicAnchor"] {
            // Beside a `$ref` of an older dialect an `$id` means nothing, and `id` is a property's name more often.
            if let Some(id) = val.str(name).filter(|_| name != "id" || self.dialect == Dialect::Draft4 || root) {
                self.ids.push(id.into_owned());
            }
        }
        for (key, inner) in val.entries() {
            if !DATA.contains(&key.as_ref()) {
                self.ids(inner, false);
            }
        }
        val.items().for_each(|inner| self.ids(inner, false));
    }

    fn flaw(&mut self, pointer: String, kind: FlawKind) {
        self.flaws.push(Flaw { pointer, kind, dialect: self.dialect });
    }

    fn schema(&mut self, val: Val<'_>, at: &str) {
        for (key, inner) in val.entries() {
            let here = format!("{at}/{}", pointer_token(&key));
            match (key.as_ref(), inner.as_str()) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Some(reference)) => self.reference(&reference, here),
                ("pattern", Some(pattern)) => self.pattern(&pattern, here),
                _ if DATA.contains(&key.as_ref()) => {}
                ("patternProperties", None) => {
                    for (pattern, inner) in inner.entries() {
                        let here = format!("{here}/{}", pointer_token(&pattern));
                        self.pattern(&pattern, here.clone());
                        self.schema(inner, &here);
                    }
                }
                // Names of properties are no keywords.
                ("properties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies", None) => {
                    for (name, inner) in inner.entries() {
                        self.schema(inner, &format!("{here}/{}", pointer_token(&name)));
                    }
                }
                _ => self.schema(inner, &here),
            }
        }
        for (i, inner) in val.items().enumerate() {
            self.schema(inner, &format!("{at}/{i}"));
        }
    }

    fn reference(&mut self, reference: &str, here: String) {
        let (base, name) = reference.split_once('#').unwrap_or((reference, ""));
        if base.is_empty() {
            let anchors = |id: &String| id == name || id.strip_prefix('#') == Some(name);
            let found = match fragment(reference) {
                Some(pointer) => self.root.at(&pointer).is_some() || self.ids.len() > 1,
                None => self.ids.iter().any(anchors),
            };
            if !found {
                self.flaw(here, FlawKind::MissingRef);
            }
            return;
        }
        let tail = base.trim_start_matches("./");
        let known = self.ids.iter().any(|id| id.trim_end_matches('#').ends_with(tail)) || Dialect::of(base).is_some();
        if !known {
            self.flaw(here, FlawKind::RemoteRef);
        }
    }

    fn pattern(&mut self, pattern: &str, here: String) {
        if is_catastrophic(pattern) {
            return self.flaw(here, FlawKind::Catastrophic);
        }
        let alone = serde_json::json!({ "pattern": pattern });
        if jsonschema::options().with_draft(self.dialect.draft()).offline().build(&alone).is_err() {
            self.flaw(here, FlawKind::BadPattern);
        }
    }
}

/// How many schemas are looked at for one value, references unfolded.
struct Unfold<'v> {
    root: Val<'v>,
    /// By pointer; `None` while it is being counted.
    sizes: BTreeMap<String, Option<u64>>,
}

impl Unfold<'_> {
    /// `None` when the schema comes back to itself. The recursion is bounded by the references, each counted once, and
    /// ends at a chain of 200.
    fn size(&mut self, pointer: &str, chain: usize) -> Option<u64> {
        if let Some(known) = self.sizes.get(pointer) {
            return *known;
        }
        if chain > 200 {
            return Some(MAX_UNFOLDED + 1);
        }
        self.sizes.insert(pointer.to_owned(), None);
        let mut sum = 1u64;
        let Some(val) = self.root.at(pointer) else { return Some(1) };
        let mut next: Vec<String> = Vec::new();
        if let Some(target) = val.str("$ref").and_then(|r| fragment(&r)) {
            next.push(target);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            let count = val.get(key).map_or(0, |list| list.items().count());
            next.extend((0..count).map(|i| format!("{pointer}/{key}/{i}")));
        }
        for key in ["not", "if", "then", "else"] {
            if val.get(key).is_some_and(Val::is_object) {
                next.push(format!("{pointer}/{key}"));
            }
        }
        for target in next {
            sum = sum.saturating_add(self.size(&target, chain + 1)?);
        }
        self.sizes.insert(pointer.to_owned(), Some(sum));
        Some(sum)
    }
}
