//! Schemas of an OpenAPI description as JSON Schema 2020-12 that stands alone.
//!
//! What a schema refers to comes along under `$defs`, once each; references elsewhere than into the file become `{}` and
//! are told. 3.0 has a dialect of its own, which is rewritten: `nullable`, boolean `exclusiveMinimum`, `example`, and members
//! beside `$ref`, which do not count there. O(size of the schemas that are reached); depth is bounded by the reader.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use crate::json::{Val, pointer_token};

use super::maker::{Maker, Obj};

/// One descriptor's schemas: each may refer to others, which are collected.
pub struct Bundle<'a> {
    root: Val<'a>,
    old: bool,
    /// Pointers that are referred to, with their names under `$defs`.
    names: BTreeMap<String, String>,
    queue: VecDeque<(String, Val<'a>)>,
    lost: Vec<String>,
    rewritten: bool,
}

/// Definitions of one descriptor; more are as good as none.
const MAX_DEFS: usize = 2_000;

impl<'a> Bundle<'a> {
    pub fn new(root: Val<'a>, old: bool) -> Self {
        Self { root, old, names: BTreeMap::new(), queue: VecDeque::new(), lost: Vec::new(), rewritten: false }
    }

    /// A schema as JSON text, with a description where it has none.
    pub fn schema(&mut self, schema: Option<Val<'a>>, description: Option<&str>) -> String {
        let mut value = match schema {
            Some(schema) => self.rewrite(schema.to_serde()),
            None => Value::Object(Map::new()),
        };
        if let (Some(text), Some(object)) = (description.filter(|d| !d.trim().is_empty()), value.as_object_mut())
            && !object.contains_key("description")
        {
            object.insert("description".into(), text.into());
        }
        value.to_string()
    }

    /// Adds the definitions to an object schema.
    pub fn finish(mut self, schema: Obj, at: &str, maker: &mut Maker) -> String {
        match self.definitions(at, maker) {
            Some(defs) => schema.raw("$defs", &defs).end(),
            None => schema.end(),
        }
    }

    /// Adds the definitions to any schema.
    pub fn close(mut self, schema: String, at: &str, maker: &mut Maker) -> String {
        let Some(defs) = self.definitions(at, maker) else { return schema };
        match schema.strip_suffix('}') {
            Some("{") => format!("{{\"$defs\":{defs}}}"),
            Some(open) => format!("{open},\"$defs\":{defs}}}"),
            None => schema,
        }
    }

    fn definitions(&mut self, at: &str, maker: &mut Maker) -> Option<String> {
        let mut defs = Obj::default();
        while let Some((name, target)) = self.queue.pop_front() {
            let value = self.rewrite(target.to_serde());
            defs = defs.raw(&name, &value.to_string());
        }
        for reference in &self.lost {
            maker.note("reference-lost", false, at, &[("ref", reference)]);
        }
        if self.rewritten {
            maker.note("schema-rewritten", false, at, &[]);
        }
        defs.filled()
    }

    /// Rewrites a schema and everything in it. Recursion ends with the depth of the file.
    fn rewrite(&mut self, schema: Value) -> Value {
        let Value::Object(mut object) = schema else { return schema };
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            let renamed = self.reference(reference);
            if self.old || renamed.is_none() {
                // In 3.0 nothing counts beside a reference.
                let mut out = Map::new();
                if let Some(renamed) = renamed {
                    out.insert("$ref".into(), renamed.into());
                }
                return Value::Object(out);
            }
            if let Some(renamed) = renamed {
                object.insert("$ref".into(), renamed.into());
            }
        }
        let mut out = Map::new();
        for (key, value) in object {
            let value = match (key.as_str(), value) {
                (
                    "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                    Value::Object(m),
                ) => Value::Object(m.into_iter().map(|(k, v)| (k, self.rewrite(v))).collect()),
                ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                    Value::Array(list.into_iter().map(|v| self.rewrite(v)).collect())
                }
                (
                    "items"
                    | "additionalProperties"
                    | "not"
                    | "contains"
                    | "propertyNames"
                    | "if"
                    | "then"
                    | "else"
                    | "unevaluatedProperties"
                    | "unevaluatedItems",
                    value,
                ) => self.rewrite(value),
                (_, value) => value,
            };
            out.insert(key, value);
        }
        if self.old { self.modern(out) } else { Value::Object(out) }
    }

    /// The name of what a reference means; `None` when it is not in the file.
    fn reference(&mut self, reference: &str) -> Option<String> {
        let pointer = reference.strip_prefix('#').map(decoded).filter(|p| p.starts_with('/'));
        let found = pointer.and_then(|p| Some((self.root.at(&p)?, p)));
        let Some((target, pointer)) = found.filter(|_| self.names.len() < MAX_DEFS) else {
            if !self.lost.iter().any(|l| l == reference) && self.lost.len() < 20 {
                self.lost.push(reference.to_owned());
            }
            return None;
        };
        if let Some(name) = self.names.get(&pointer) {
            return Some(format!("#/$defs/{}", pointer_token(name)));
        }
        let last = pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        // Letters that a URI fragment holds as they are.
        let plain: String =
            last.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
        let taken = |name: &str| self.names.values().any(|n| n == name);
        let name = if taken(&plain) || plain.is_empty() { format!("{plain}_{}", self.names.len()) } else { plain };
        self.names.insert(pointer, name.clone());
        self.queue.push_back((name.clone(), target));
        Some(format!("#/$defs/{name}"))
    }

    /// What 3.0 says in words of its own.
    fn modern(&mut self, mut schema: Map<String, Value>) -> Value {
        for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if let Some(Value::Bool(exclusive)) = schema.get(flag).cloned() {
                self.rewritten = true;
                schema.shift_remove(flag);
                if exclusive && let Some(value) = schema.shift_remove(bound) {
                    schema.insert(flag.into(), value);
                }
            }
        }
        if let Some(example) = schema.shift_remove("example") {
            self.rewritten = true;
            if !schema.contains_key("examples") {
                schema.insert("examples".into(), Value::Array(vec![example]));
            }
        }
        let Some(Value::Bool(nullable)) = schema.get("nullable").cloned() else { return Value::Object(schema) };
        self.rewritten = true;
        schema.shift_remove("nullable");
        if !nullable {
            return Value::Object(schema);
        }
        match schema.get("type").cloned() {
            Some(Value::String(kind)) => {
                schema.insert("type".into(), Value::Array(vec![kind.into(), "null".into()]));
                if let Some(Value::Array(words)) = schema.get_mut("enum")
                    && !words.contains(&Value::Null)
                {
                    words.push(Value::Null);
                }
                Value::Object(schema)
            }
            Some(_) => Value::Object(schema),
            // Beside `allOf` and the like `nullable` says nothing of its own in 3.0.3; writers mean it all the same.
            None if schema.is_empty() => Value::Object(schema),
            None => {
                let mut null = Map::new();
                null.insert("type".into(), "null".into());
                let mut out = Map::new();
                out.insert("anyOf".into(), Value::Array(vec![Value::Object(schema), Value::Object(null)]));
                Value::Object(out)
            }
        }
    }
}

/// The pointer of a URI fragment: percent-encoding undone.
pub fn decoded(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = fragment.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|h| u8::from_str_radix(h, 16).ok());
        match hex {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| fragment.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Tape;

    #[track_caller]
    fn check(old: bool, text: &str, expected: &str) {
        let mut tape = Tape::new();
        let root = tape.parse(text).root();
        let mut bundle = Bundle::new(root, old);
        let schema = bundle.schema(root.get("s"), None);
        let mut maker = Maker::new(super::super::Neighbour::OpenApi, None);
        assert_eq!(bundle.close(schema, "", &mut maker), expected, "{text}");
    }

    #[test]
    fn three_oh_becomes_json_schema() {
        check(true, r#"{"s":{"type":"string","nullable":true}}"#, r#"{"type":["string","null"]}"#);
        check(
            true,
            r#"{"s":{"type":"string","enum":["a"],"nullable":true}}"#,
            r#"{"type":["string","null"],"enum":["a",null]}"#,
        );
        check(true, r#"{"s":{"type":"string","nullable":false}}"#, r#"{"type":"string"}"#);
        check(true, r#"{"s":{"minimum":1,"exclusiveMinimum":true}}"#, r#"{"exclusiveMinimum":1}"#);
        check(true, r#"{"s":{"minimum":1,"exclusiveMinimum":false,"example":3}}"#, r#"{"minimum":1,"examples":[3]}"#);
        check(true, r#"{"s":{"allOf":[{}],"nullable":true}}"#, r#"{"anyOf":[{"allOf":[{}]},{"type":"null"}]}"#);
        // A property may be called so.
        check(
            true,
            r#"{"s":{"properties":{"nullable":{"type":"boolean"}}}}"#,
            r#"{"properties":{"nullable":{"type":"boolean"}}}"#,
        );
        check(false, r#"{"s":{"type":"string","nullable":true}}"#, r#"{"type":"string","nullable":true}"#);
    }

    #[test]
    fn references_come_along_once() {
        let tree = r##"{"s":{"$ref":"#/c/A"},"c":{"A":{"items":{"$ref":"#/c/A"},"x":{"$ref":"#/c/B"}},"B":{}}}"##;
        check(
            false,
            tree,
            r##"{"$ref":"#/$defs/A","$defs":{"A":{"items":{"$ref":"#/$defs/A"},"x":{"$ref":"#/c/B"}}}}"##,
        );
        check(
            true,
            r##"{"s":{"$ref":"#/c/A","description":"no"},"c":{"A":{}}}"##,
            r##"{"$ref":"#/$defs/A","$defs":{"A":{}}}"##,
        );
        check(
            false,
            r##"{"s":{"$ref":"#/c/A","description":"yes"},"c":{"A":{}}}"##,
            r##"{"$ref":"#/$defs/A","description":"yes","$defs":{"A":{}}}"##,
        );
        check(false, r##"{"s":{"items":{"$ref":"other.json#/x"}}}"##, r#"{"items":{}}"#);
        check(
            false,
            r##"{"s":{"allOf":[{"$ref":"#/a/P"},{"$ref":"#/b/P"}]},"a":{"P":{}},"b":{"P":{}}}"##,
            r##"{"allOf":[{"$ref":"#/$defs/P"},{"$ref":"#/$defs/P_1"}],"$defs":{"P":{},"P_1":{}}}"##,
        );
    }
}
