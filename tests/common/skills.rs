//! Documents of the protocol made from its table: random valid ones (proptest strategies that shrink), full ones with
//! every field, and every mutation of a full one with the finding that it must give.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use skillscope::skill::Kind;
use skillscope::skill::table::{self, Field, Shape, Strict, Then, Type};
use skillscope::skill::text::Rule;

/// Whether a full or random document follows the house rules as well.
pub type Tidy = bool;

/// Any JSON value of a few levels.
pub fn any_json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e9f64..1e9).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((key(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
    .boxed()
}

fn text() -> BoxedStrategy<String> {
    prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,8}",
        Just("\u{0}\u{7}\u{8}\u{c}\u{7f}\"\\/ \u{2028}".to_owned()),
        Just("翻譯 😀 e\u{301}".to_owned()),
    ]
    .boxed()
}

fn key() -> BoxedStrategy<String> {
    prop_oneof!["[a-z~/]{1,6}", "\\PC{0,4}", Just("__proto__".to_owned()), Just("a/b~c".to_owned())].boxed()
}

fn open() -> BoxedStrategy<Value> {
    vec((key(), any_json()), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())).boxed()
}

/// A random valid document of a type.
pub fn valid(ty: &'static Type, tidy: Tidy) -> BoxedStrategy<Value> {
    if !ty.cases.is_empty() {
        let cases: Vec<BoxedStrategy<Value>> = ty
            .cases
            .iter()
            .map(|case| object(ty.fields.iter().chain(case.fields).collect(), Some(case.word), 0, tidy))
            .collect();
        return proptest::strategy::Union::new(cases).boxed();
    }
    let whole = object(ty.fields.iter().collect(), None, ty.min_members, tidy);
    if tidy && !ty.conditions.is_empty() { whole.prop_map(tidied).boxed() } else { whole }
}

/// Makes a response follow the rules between its fields.
fn tidied(mut response: Value) -> Value {
    let status = response["status"].as_str().unwrap_or_default().to_owned();
    let map = response.as_object_mut().unwrap();
    if status == "succeeded" {
        map.shift_remove("error");
    }
    if status == "failed" && !map.contains_key("error") {
        map.insert("error".into(), json!({ "title": "It failed" }));
    }
    // One moment for all: any other would have to be in order.
    let stamps = map["timestamps"].as_object_mut().unwrap();
    let first = stamps["created_at"].clone();
    for (name, stamp) in stamps.iter_mut() {
        if name.ends_with("_at") {
            *stamp = first.clone();
        }
    }
    if table::TERMINAL.contains(&status.as_str()) {
        stamps.insert("completed_at".into(), first);
    }
    response
}

fn object(fields: Vec<&'static Field>, word: Option<&'static str>, least: u32, tidy: Tidy) -> BoxedStrategy<Value> {
    let names: Vec<&'static str> = fields.iter().map(|f| f.name).collect();
    let first = names[0];
    let members: Vec<BoxedStrategy<Option<Value>>> = fields
        .iter()
        .map(|field| {
            let made = match word {
                Some(word) if field.name == "type" => Just(Value::from(word)).boxed(),
                _ => value(field, tidy),
            };
            let needed = field.required
                || (tidy && matches!(field.strict, Strict::Required))
                || (least > 0 && field.name == first);
            if needed { made.prop_map(Some).boxed() } else { option::weighted(0.4, made).boxed() }
        })
        .collect();
    // Fields that nobody knows: an extension, and in core anything else.
    let more = if tidy { "x-[a-z]{1,5}" } else { "(x-|zz-)[a-z]{1,5}" };
    (members, vec((more, any_json()), 0..2))
        .prop_map(move |(members, more)| {
            let known = names.iter().zip(members).filter_map(|(n, v)| Some(((*n).to_owned(), v?)));
            Value::Object(known.chain(more).collect())
        })
        .boxed()
}

fn value(field: &'static Field, tidy: Tidy) -> BoxedStrategy<Value> {
    match &field.strict {
        Strict::Words(words) if tidy => proptest::sample::select(words.words).prop_map(Value::from).boxed(),
        Strict::Words(words) => {
            prop_oneof![proptest::sample::select(words.words).prop_map(Value::from), shape(&field.shape, tidy)].boxed()
        }
        Strict::Rule(rule) if tidy => by_rule(*rule, 1, 255),
        _ => shape(&field.shape, tidy),
    }
}

fn shape(shape_of: &'static Shape, tidy: Tidy) -> BoxedStrategy<Value> {
    match shape_of {
        Shape::Any => any_json(),
        Shape::Open => open(),
        Shape::Boolean => any::<bool>().prop_map(Value::from).boxed(),
        Shape::Texts => vec((key(), text()), 0..3)
            .prop_map(|m| Value::Object(m.into_iter().map(|(k, v)| (k, Value::from(v))).collect()))
            .boxed(),
        Shape::Text { min, max, rule } => by_rule(*rule, *min, *max),
        Shape::Id => by_rule(Rule::Id, 1, table::MAX_ID),
        Shape::Words(words) => proptest::sample::select(words.words).prop_map(Value::from).boxed(),
        Shape::Integer { min, max } => (*min..=(*max).min(1 << 52)).prop_map(Value::from).boxed(),
        Shape::Object(ty) => valid(ty, tidy),
        Shape::List { of, min, unique } => vec(shape(of, tidy), (*min as usize)..4)
            .prop_map({
                let unique = *unique;
                move |mut list| {
                    if unique {
                        let mut seen: Vec<Value> = Vec::new();
                        list.retain(|v| {
                            let new = !seen.contains(v);
                            seen.push(v.clone());
                            new
                        });
                    }
                    Value::from(list)
                }
            })
            .boxed(),
        Shape::Schema { object_only_in_strict } => schema(*object_only_in_strict && tidy),
    }
}

/// Schemas of several dialects that are in order.
fn schema(only_object: bool) -> BoxedStrategy<Value> {
    let mut all = vec![
        json!({ "type": "object" }),
        json!({ "type": "object", "properties": { "to": { "type": "string", "pattern": "^[a-z]{2}$" } } }),
        json!({ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "definitions": { "a": { "type": "object", "properties": { "a": { "$ref": "#/definitions/a" } } } }, "properties": { "a": { "$ref": "#/definitions/a" } } }),
        json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": { "n": { "type": "number", "minimum": 0, "exclusiveMinimum": true } } }),
        json!({ "$schema": "https://json-schema.org/draft/2019-09/schema", "type": "object", "x-ours": 1 }),
    ];
    if !only_object {
        all.push(json!({}));
        all.push(
            json!({ "$schema": "http://json-schema.org/draft-06/schema#", "type": ["array", "null"], "items": {} }),
        );
    }
    proptest::sample::select(all).boxed()
}

fn by_rule(rule: Rule, min: u32, max: u32) -> BoxedStrategy<Value> {
    let made: BoxedStrategy<String> = match rule {
        Rule::Any if min == 0 => text(),
        Rule::Any => text().prop_filter("not empty", |t| !t.is_empty()).boxed(),
        Rule::Visible => prop_oneof![
            "[a-zA-Z0-9 .]{0,10}[!-~]",
            "\\PC{1,8}".prop_filter("not blank", |t| Rule::Visible.holds(t)),
            Just("字".repeat(max.max(1) as usize)),
        ]
        .boxed(),
        Rule::Id => "[A-Za-z0-9][A-Za-z0-9._:/@+~%-]{0,40}".boxed(),
        Rule::Token => "[A-Za-z][A-Za-z0-9_.-]{0,20}".boxed(),
        Rule::Digest => "sha256:[0-9a-f]{64}".boxed(),
        Rule::Path => "/[a-z{}/]{0,12}".boxed(),
        Rule::ProtocolVersion => prop_oneof![
            Just("1.0.0".to_owned()),
            "(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]{0,30})",
        ]
        .boxed(),
        Rule::SemVer => prop_oneof![
            "(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]{0,3})",
            "1\\.2\\.3-[a-z][a-z0-9-]{0,3}(\\.[1-9][0-9]?)?(\\+[0-9a-z-]{1,4})?",
        ]
        .boxed(),
        Rule::Https => "https://[a-z]{1,6}\\.example(/[a-z0-9]{0,4}){0,2}(\\?[a-z]=[a-z%20]{0,0})?".boxed(),
        Rule::Uri => prop_oneof![
            "[a-z][a-z0-9+.-]{0,5}://[a-z]{1,6}\\.example(:[0-9]{1,4})?(/[a-z0-9]{0,4}){0,2}(#[a-z]{0,3})?",
            Just("pkg:npm/a@1.0.0".to_owned()),
            Just("http://[::1]:8080/a%20b".to_owned()),
        ]
        .boxed(),
        Rule::UriReference => prop_oneof!["(\\.\\./)?[a-z]{1,5}(/[a-z0-9]{1,4}){0,2}\\.json", "https://a\\.example/[a-z]{0,4}"].boxed(),
        Rule::Hostname => "[a-z]([a-z0-9]{0,5}[a-z0-9])?(\\.[a-z]{1,5}){0,2}".boxed(),
        Rule::DateTime => {
            "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]0[0-9]:[0-5][0-9])"
                .boxed()
        }
    };
    made.prop_map(Value::from).boxed()
}

/// A document with every field of its type, in strict order. `word` picks the case of `auth`, `status` that of a response.
pub fn full(ty: &'static Type, word: &str, status: &str) -> Value {
    let fields = ty.fields_with((!ty.cases.is_empty()).then_some(word));
    let mut out = Map::new();
    for field in fields {
        let made = match (field.name, &field.strict) {
            ("type", _) if !ty.cases.is_empty() => word.into(),
            ("status", Strict::Words(_)) => status.into(),
            (_, Strict::Words(words)) => words.words[0].into(),
            (_, Strict::Rule(rule)) => good(*rule).into(),
            ("name", _) if ty.name == "SkillDescriptor" => "A skill".into(),
            _ => full_shape(&field.shape, word, status),
        };
        out.insert(field.name.into(), made);
    }
    for condition in ty.conditions.iter().filter(|c| c.words.contains(&status)) {
        if let Then::Forbids(name) = condition.then {
            out.shift_remove(name);
        }
    }
    Value::Object(out)
}

fn full_shape(shape: &'static Shape, word: &str, status: &str) -> Value {
    match shape {
        Shape::Any => json!({ "any": [1, "two", null] }),
        Shape::Open => json!({}),
        Shape::Boolean => true.into(),
        Shape::Texts => json!({ "read": "may read" }),
        Shape::Text { rule, .. } => good(*rule).into(),
        Shape::Id => good(Rule::Id).into(),
        Shape::Words(words) => words.words[0].into(),
        Shape::Integer { min, .. } => (*min).into(),
        Shape::Object(ty) => full(ty, word, status),
        Shape::List { of, .. } => Value::from(vec![full_shape(of, word, status)]),
        Shape::Schema { .. } => json!({ "type": "object" }),
    }
}

/// A text that follows a rule.
pub fn good(rule: Rule) -> &'static str {
    match rule {
        Rule::Any | Rule::Visible => "some text",
        Rule::Id => "com.example/skill",
        Rule::Token => "word",
        Rule::Digest => "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        Rule::Path => "/a/{b}",
        Rule::ProtocolVersion => "1.0.0",
        Rule::SemVer => "2.0.0-beta.1+7",
        Rule::Https | Rule::Uri => "https://example.com/a",
        Rule::UriReference => "skills/a.json",
        Rule::Hostname => "skills.example.com",
        Rule::DateTime => "2026-01-02T03:04:05Z",
    }
}

/// Texts that break a rule, each with the reason that must be given.
pub fn bad(rule: Rule) -> &'static [(&'static str, &'static str)] {
    match rule {
        Rule::Any => &[],
        Rule::Visible => &[(" \t\u{3000}", "blank")],
        Rule::Id => &[("has space", "pattern"), ("/slash", "pattern"), ("翻譯", "pattern")],
        Rule::Token => &[("two words", "pattern"), ("1st", "pattern")],
        Rule::Digest => &[("sha256:12", "pattern"), ("md5:00", "pattern")],
        Rule::Path => &[("a/b", "pattern")],
        Rule::ProtocolVersion => &[
            ("1.0", "semver_parts"),
            ("1.0.0.0", "semver_parts"),
            ("", "semver_parts"),
            ("1.0.0-beta", "semver_suffix"),
            ("01.0.0", "semver_leading_zero"),
            ("v1.0.0", "semver_prefix"),
            (" 1.0.0", "semver_space"),
            ("1.0.0\n", "semver_space"),
            ("-1.0.0", "semver_not_number"),
            ("１.0.0", "semver_not_number"),
        ],
        Rule::SemVer => &[("1.0", "semver"), ("v2", "semver"), ("1.0.0-01", "semver")],
        Rule::Https => &[("http://example.com/a", "https"), ("pkg:npm/a", "https")],
        Rule::Uri => &[("/relative", "format_uri"), ("https://a b", "format_uri"), ("https://a/{id}", "format_uri")],
        Rule::UriReference => &[("a b", "format_uri_reference"), ("a\\b", "format_uri_reference")],
        Rule::Hostname => &[("a_b", "format_hostname"), ("https://a", "format_hostname"), ("-a.b", "format_hostname")],
        Rule::DateTime => &[
            ("2026-01-02 03:04:06", "format_date_time"),
            ("2026-02-30T00:00:00Z", "format_date_time"),
            ("yesterday", "format_date_time"),
            ("2026-01-02T03:04:05", "format_date_time"),
        ],
    }
}

/// One change of a document and the one finding that it must give.
#[derive(Clone, Debug)]
pub struct Mutation {
    pub kind: Kind,
    /// What was done, for messages.
    pub what: String,
    pub document: Value,
    pub pointer: String,
    pub reason: String,
    /// Only the strict profile asks for it.
    pub house: bool,
}

/// The full documents of every kind that mutations start from; all follow the house rules.
pub fn full_documents() -> Vec<(Kind, Value)> {
    let mut out = Vec::new();
    for word in table::AUTH_TYPE.words {
        out.push((Kind::Descriptor, full(Kind::Descriptor.of_table(), word, "")));
    }
    for status in ["succeeded", "failed", "running"] {
        out.push((Kind::Response, full(Kind::Response.of_table(), "", status)));
    }
    for kind in [Kind::Index, Kind::Request, Kind::Problem, Kind::Version] {
        out.push((kind, full(kind.of_table(), "", "")));
    }
    out
}

/// Every mutation of every field and every constraint of the table.
pub fn mutations() -> Vec<Mutation> {
    let mut out = Vec::new();
    for (kind, document) in full_documents() {
        let mut maker = Maker { kind, document: &document, out: &mut out };
        maker.object(kind.of_table(), "");
    }
    out
}

struct Maker<'m> {
    kind: Kind,
    document: &'m Value,
    out: &'m mut Vec<Mutation>,
}

impl Maker<'_> {
    fn add(&mut self, what: &str, pointer: &str, reason: &str, house: bool, change: impl FnOnce(&mut Value)) {
        let mut document = self.document.clone();
        change(&mut document);
        assert_ne!(&document, self.document, "{what} {pointer} changes nothing");
        let what = format!("{} {pointer}: {what}", self.kind.id());
        let (pointer, reason) = (pointer.to_owned(), reason.to_owned());
        self.out.push(Mutation { kind: self.kind, what, document, pointer, reason, house });
    }

    fn set(&mut self, what: &str, pointer: &str, reason: &str, house: bool, value: impl Into<Value>) {
        let value = value.into();
        self.add(what, pointer, reason, house, |d| *d.pointer_mut(pointer).unwrap() = value);
    }

    fn object(&mut self, ty: &'static Type, at: &str) {
        let here = self.document.pointer(at).unwrap().clone();
        let word = here.get("type").and_then(Value::as_str).filter(|_| !ty.cases.is_empty()).map(str::to_owned);
        let fields: Vec<&'static Field> = ty.fields_with(word.as_deref()).collect();
        let unknown = format!("{at}/zzzzzzzz");
        self.add("a field that nobody knows", &unknown, "unknown_field", true, |d| {
            d.pointer_mut(at).unwrap()["zzzzzzzz"] = 1.into();
        });
        if ty.min_members > 0 {
            self.set("emptied", at, "empty", false, json!({}));
        }
        for field in fields.iter().filter(|f| here.get(f.name).is_some()) {
            let pointer = format!("{at}/{}", field.name);
            self.removed(ty, field, &here, at, &pointer);
            self.set("null", &pointer, "null", false, Value::Null);
            if matches!(field.shape, Shape::Any) {
                // Any value is right, null as well.
                self.out.pop();
            }
            self.shape(&field.shape, &pointer);
            self.strict(field, &pointer);
        }
        let status = here.get("status").and_then(Value::as_str).unwrap_or_default().to_owned();
        for condition in ty.conditions.iter().filter(|c| c.words.contains(&status.as_str())) {
            if let Then::Forbids(name) = condition.then {
                self.add("not allowed", &format!("{at}/{name}"), "not_allowed", true, |d| {
                    d.pointer_mut(at).unwrap()[name] = full(&table::PROBLEM, "", "");
                });
            }
        }
    }

    /// The field removed, and misspelt.
    fn removed(&mut self, ty: &'static Type, field: &'static Field, here: &Value, at: &str, pointer: &str) {
        let status = here.get("status").and_then(Value::as_str).unwrap_or_default();
        let needed = |name: &str| {
            ty.conditions.iter().any(|c| c.words.contains(&status) && matches!(c.then, Then::Needs(n) if n == name))
        };
        let completed = ty.name == "Timestamps"
            && field.name == "completed_at"
            && self.document["status"].as_str().is_some_and(|s| table::TERMINAL.contains(&s));
        let house = matches!(field.strict, Strict::Required) || needed(field.name) || completed;
        let remove = |d: &mut Value| drop(d.pointer_mut(at).unwrap().as_object_mut().unwrap().shift_remove(field.name));
        if field.required || house {
            self.add("removed", pointer, "required", house && !field.required, remove);
        }
        // Misspelt by a doubled last letter: long names only, short ones are near to each other.
        if field.name.len() >= 5 {
            let wrong = format!("{}{}", field.name, field.name.chars().last().unwrap());
            let renamed = |d: &mut Value| {
                let object = d.pointer_mut(at).unwrap().as_object_mut().unwrap();
                let value = object.shift_remove(field.name).unwrap();
                object.insert(wrong.clone(), value);
            };
            if field.required {
                self.add("misspelt", pointer, "required", false, renamed);
            } else if !house {
                self.add("misspelt", &format!("{at}/{wrong}"), "typo", true, renamed);
            }
        }
    }

    fn shape(&mut self, shape: &'static Shape, at: &str) {
        let wrong: Value = match shape {
            Shape::Any => return,
            Shape::Text { .. } | Shape::Id | Shape::Words(_) => 5.into(),
            Shape::Integer { .. } | Shape::Boolean => "5".into(),
            Shape::Object(_) | Shape::Open | Shape::Texts | Shape::Schema { .. } => json!([]),
            Shape::List { .. } => json!({}),
        };
        self.set("of another type", at, "type", false, wrong);
        match shape {
            Shape::Text { min, max, rule } => self.text(*min, *max, *rule, at),
            Shape::Id => self.text(1, table::MAX_ID, Rule::Id, at),
            Shape::Words(words) => {
                self.set("no word of the list", at, "enum", false, "something-else");
                self.set("in capitals", at, "enum", false, flipped(words.words[0]));
                self.set("with a space", at, "enum", false, format!(" {}", words.words[0]));
                self.set("empty", at, "enum", false, "");
                self.set("a list", at, "type", false, json!([words.words[0]]));
            }
            Shape::Integer { min, max } => {
                self.set("too small", at, "minimum", false, min - 1);
                if *max < i64::MAX {
                    self.set("too large", at, "maximum", false, max + 1);
                }
                self.set("no whole number", at, "type", false, *min as f64 + 0.5);
            }
            Shape::Object(ty) => self.object(ty, at),
            Shape::Texts => self.set("a member of another type", &format!("{at}/read"), "type", false, 5),
            Shape::List { of, min, unique } => {
                if *min > 0 {
                    self.set("emptied", at, "empty", false, json!([]));
                }
                if *unique {
                    let member = self.document.pointer(at).unwrap()[0].clone();
                    self.add("twice", &format!("{at}/1"), "not_unique", false, |d| {
                        d.pointer_mut(at).unwrap().as_array_mut().unwrap().push(member);
                    });
                }
                self.shape(of, &format!("{at}/0"));
            }
            Shape::Schema { object_only_in_strict } => {
                let ty = format!("{at}/type");
                self.set("no schema", &ty, "embedded_schema", false, "objekt");
                self.set("a schema of another type", &ty, "embedded_schema", false, 5);
                self.add("an unknown dialect", &format!("{at}/$schema"), "unknown_dialect", false, |d| {
                    d.pointer_mut(at).unwrap()["$schema"] = "https://example.com/my-schema".into();
                });
                self.add("a reference to the network", &format!("{at}/$ref"), "remote_ref", false, |d| {
                    d.pointer_mut(at).unwrap()["$ref"] = "https://example.com/a.json".into();
                });
                self.add("a reference to nothing", &format!("{at}/$ref"), "missing_ref", false, |d| {
                    d.pointer_mut(at).unwrap()["$ref"] = "#/$defs/none".into();
                });
                self.add("a reference to itself", at, "ref_loop", false, |d| {
                    d.pointer_mut(at).unwrap()["$ref"] = "#".into();
                });
                self.add("a bad pattern", &format!("{at}/properties/a/pattern"), "embedded_schema", false, |d| {
                    d.pointer_mut(at).unwrap()["properties"] = json!({ "a": { "pattern": "(" } });
                });
                self.add("a slow pattern", &format!("{at}/properties/a/pattern"), "catastrophic_pattern", false, |d| {
                    d.pointer_mut(at).unwrap()["properties"] = json!({ "a": { "pattern": "^(a+)+$" } });
                });
                if *object_only_in_strict {
                    self.set("not of an object", &ty, "inputs_object", true, "array");
                    self.add("of anything", &ty, "required", true, |d| {
                        d.pointer_mut(at).unwrap().as_object_mut().unwrap().shift_remove("type");
                    });
                }
            }
            Shape::Any | Shape::Open | Shape::Boolean => {}
        }
    }

    fn text(&mut self, min: u32, max: u32, rule: Rule, at: &str) {
        if min > 0 {
            self.set("empty", at, "blank", false, "");
        }
        if max > 0 {
            let long = "a".repeat(max as usize + 1);
            self.set("too long", at, "too_long", false, long);
        }
        for (text, reason) in bad(rule) {
            self.set(&format!("{text:?}"), at, reason, false, *text);
        }
    }

    fn strict(&mut self, field: &'static Field, at: &str) {
        match &field.strict {
            Strict::Words(_) => self.set("no known word", at, "enum", true, "otherword"),
            Strict::Rule(rule) => {
                for (text, reason) in bad(*rule) {
                    self.set(&format!("{text:?}"), at, reason, true, *text);
                }
            }
            Strict::Same | Strict::Required => {}
        }
    }
}

/// A word with its letters in the other case.
fn flipped(word: &str) -> String {
    let turn = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    word.chars().map(turn).collect()
}
