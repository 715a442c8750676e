//! The table as JSON Schemas (draft 2020-12), core and strict.
//!
//! Decides the wording of the schemas: each file is self-contained, `auth` is written as `if`/`then` a type, since every
//! validator then names the one missing field where a union names none. In strict, objects are closed but for `x-`; the
//! cases of `auth` are closed by `propertyNames`, since a failed `then` would make `unevaluatedProperties` blame fields
//! that are in order. `format` is an annotation in this dialect: readers have to switch its assertion on.
//! Source: JSON Schema 2020-12; the host of `$id` is reserved by RFC 2606 and serves nothing.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::table::{self, Condition, Field, Shape, Strict, Then, Type, Words};
use super::text::Rule;
use super::{Kind, Profile};

/// The dialect of every file.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// What every `$id` begins with.
pub const BASE: &str = "https://skillscope.example/ssp/1.0.0/";

/// Every schema file: its name and its text.
pub fn schemas() -> Vec<(String, String)> {
    let roots = Kind::ALL.iter().map(|kind| (kind.id(), kind.of_table()));
    let roots: Vec<(&str, &'static Type)> = roots.chain([("skill-index-entry", &table::SKILL_INDEX_ENTRY)]).collect();
    let mut out = Vec::new();
    for (stem, root) in roots {
        for profile in [Profile::Core, Profile::Strict] {
            let name = file_name(stem, profile);
            let text = serde_json::to_string_pretty(&file(&name, root, profile)).unwrap_or_default();
            out.push((name, text + "\n"));
        }
    }
    out
}

/// The name of a schema file.
pub fn file_name(stem: &str, profile: Profile) -> String {
    format!("{stem}{}.schema.json", if profile == Profile::Strict { ".strict" } else { "" })
}

fn file(name: &str, root: &'static Type, profile: Profile) -> Value {
    let mut emitter = Emitter { profile, defs: BTreeMap::new() };
    let whole = emitter.object(root);
    emitter.defs.remove(root.name);
    let mut out = Map::new();
    out.insert("$schema".into(), DIALECT.into());
    out.insert("$id".into(), format!("{BASE}{name}").into());
    out.insert("$comment".into(), "Generated from src/skill/table.rs.".into());
    out.extend(whole);
    if !emitter.defs.is_empty() {
        out.insert("$defs".into(), Value::Object(emitter.defs.into_iter().collect()));
    }
    Value::Object(out)
}

struct Emitter {
    profile: Profile,
    /// Definitions that were asked for, by name.
    defs: BTreeMap<String, Value>,
}

impl Emitter {
    fn strict(&self) -> bool {
        self.profile == Profile::Strict
    }

    /// A reference to a definition, which is made when it is first asked for.
    fn reference(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.defs.contains_key(name) {
            self.defs.insert(name.to_owned(), Value::Null);
            let made = make(self);
            self.defs.insert(name.to_owned(), made);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    fn object(&mut self, ty: &'static Type) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("title".into(), ty.name.into());
        out.insert("type".into(), "object".into());
        out.insert("description".into(), ty.doc.into());
        let required = self.required(ty.fields);
        if !required.is_empty() {
            out.insert("required".into(), required.into());
        }
        if ty.min_members > 0 {
            out.insert("minProperties".into(), ty.min_members.into());
        }
        out.insert("properties".into(), self.properties(ty.fields));
        let closed = self.strict() && ty.cases.is_empty();
        out.insert("additionalProperties".into(), (!closed).into());
        if closed {
            out.insert("patternProperties".into(), json!({ "^x-": true }));
        }
        let mut all: Vec<Value> = Vec::new();
        for case in ty.cases {
            let mut then = Map::new();
            if !case.fields.is_empty() {
                then.insert("properties".into(), self.properties(case.fields));
            }
            let required = self.required(case.fields);
            if !required.is_empty() {
                then.insert("required".into(), required.into());
            }
            if self.strict() {
                let names: Vec<&str> = ty.fields.iter().chain(case.fields).map(|f| f.name).collect();
                then.insert("propertyNames".into(), json!({ "anyOf": [{ "enum": names }, { "pattern": "^x-" }] }));
            }
            if !then.is_empty() {
                let when = json!({ "properties": { "type": { "const": case.word } }, "required": ["type"] });
                all.push(json!({ "if": when, "then": then }));
            }
        }
        if self.strict() {
            all.extend(ty.conditions.iter().map(condition));
        }
        if !all.is_empty() {
            out.insert("allOf".into(), all.into());
        }
        out
    }

    fn required(&self, fields: &[Field]) -> Vec<&'static str> {
        let needed = |f: &&Field| f.required || (self.strict() && matches!(f.strict, Strict::Required));
        fields.iter().filter(needed).map(|f| f.name).collect()
    }

    fn properties(&mut self, fields: &'static [Field]) -> Value {
        let mut out = Map::new();
        for field in fields {
            out.insert(field.name.into(), self.field(field));
        }
        Value::Object(out)
    }

    fn field(&mut self, field: &'static Field) -> Value {
        let mut schema = self.shape(&field.shape);
        if let Some(map) = schema.as_object_mut() {
            match &field.strict {
                Strict::Words(words) if self.strict() => *map = self::words(words),
                Strict::Words(words) => {
                    map.insert("examples".into(), words.words.into());
                }
                Strict::Rule(rule) if self.strict() => {
                    map.insert("pattern".into(), rule.pattern().unwrap_or_default().into());
                }
                _ => {}
            }
            map.insert("description".into(), field.doc.into());
        }
        schema
    }

    fn shape(&mut self, shape: &'static Shape) -> Value {
        match shape {
            Shape::Any => json!({}),
            Shape::Open => json!({ "type": "object" }),
            Shape::Boolean => json!({ "type": "boolean" }),
            Shape::Texts => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            Shape::Text { min, max, rule } => text(*min, *max, *rule),
            Shape::Id => self.reference("SkillId", |_| {
                let mut schema = text(1, table::MAX_ID, Rule::Id);
                if let Some(map) = schema.as_object_mut() {
                    map.insert(
                        "description".into(),
                        "ASCII, compared byte for byte. Human text goes into name.".into(),
                    );
                }
                schema
            }),
            Shape::Words(list) if list.name.is_empty() => Value::Object(words(list)),
            Shape::Words(list) => self.reference(list.name, |_| Value::Object(words(list))),
            Shape::Integer { min, max } => {
                let mut out = json!({ "type": "integer", "minimum": min });
                if let (Some(map), true) = (out.as_object_mut(), *max < i64::MAX) {
                    map.insert("maximum".into(), (*max).into());
                }
                out
            }
            Shape::Object(ty) => self.reference(ty.name, |e| Value::Object(e.object(ty))),
            Shape::List { of, min, unique } => {
                let mut out = Map::new();
                out.insert("type".into(), "array".into());
                out.insert("items".into(), self.shape(of));
                if *min > 0 {
                    out.insert("minItems".into(), (*min).into());
                }
                if *unique {
                    out.insert("uniqueItems".into(), true.into());
                }
                Value::Object(out)
            }
            Shape::Schema { object_only_in_strict } => {
                let mut out = self.reference("JsonSchemaObject", |_| {
                    json!({
                        "title": "JsonSchemaObject",
                        "type": "object",
                        "description": "An embedded JSON Schema; 2020-12 unless $schema says otherwise. Checked against the metaschema of its own dialect in code.",
                        "properties": { "$schema": { "type": "string" } },
                        "additionalProperties": true,
                    })
                });
                if let (Some(map), true) = (out.as_object_mut(), *object_only_in_strict && self.strict()) {
                    map.insert("required".into(), json!(["type"]));
                    map.insert("properties".into(), json!({ "type": { "const": "object" } }));
                }
                out
            }
        }
    }
}

fn words(list: &Words) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("type".into(), "string".into());
    out.insert("enum".into(), list.words.into());
    if !list.default.is_empty() {
        out.insert("default".into(), list.default.into());
    }
    out
}

fn text(min: u32, max: u32, rule: Rule) -> Value {
    let mut out = Map::new();
    out.insert("type".into(), "string".into());
    if min > 0 {
        out.insert("minLength".into(), min.into());
    }
    if max > 0 {
        out.insert("maxLength".into(), max.into());
    }
    if let Some(pattern) = rule.pattern() {
        out.insert("pattern".into(), pattern.into());
    }
    if let Some(format) = rule.format() {
        out.insert("format".into(), format.into());
    }
    Value::Object(out)
}

fn condition(condition: &Condition) -> Value {
    let when = json!({ "properties": { "status": { "enum": condition.words } }, "required": ["status"] });
    let then = match condition.then {
        Then::Needs(name) => json!({ "required": [name] }),
        Then::Forbids(name) => json!({ "properties": { name: false } }),
        Then::NeedsIn(name, inner) => json!({ "properties": { name: { "required": [inner] } } }),
    };
    json!({ "if": when, "then": then })
}
