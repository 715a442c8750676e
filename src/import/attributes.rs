//! The attributes of a span: one flat table of keys, whoever wrote it.
//!
//! OTLP has a list of typed values, Phoenix and Langfuse an object that is flat or nested, OpenInference and OpenLLMetry
//! flatten lists into keys with numbers. All become JSON sources by key; [`Attributes::nested`] puts a flattened list
//! together again, its numbers in order of their value. Depth is bounded. O(bytes × log(keys)).

use std::collections::BTreeMap;

use super::dialect::with_json;
use crate::json::{Val, quote};

/// The attributes of a span, as JSON sources by key.
#[derive(Default)]
pub struct Attributes {
    map: BTreeMap<String, String>,
}

impl Attributes {
    /// OTLP's list of `{"key", "value": {"stringValue"}}`.
    pub fn of_otlp(list: Val<'_>) -> Self {
        let mut out = Self::default();
        for pair in list.items() {
            if let (Some(key), Some(value)) = (pair.str("key"), pair.get("value")) {
                out.map.insert(key.into_owned(), any_value(value, 0));
            }
        }
        out
    }

    /// An object, flat or nested: nested keys are joined with dots.
    pub fn of_object(object: Val<'_>) -> Self {
        let mut out = Self::default();
        let mut stack = vec![(String::new(), object, 0)];
        while let Some((prefix, val, depth)) = stack.pop() {
            for (key, inner) in val.entries() {
                let key = if prefix.is_empty() { key.into_owned() } else { format!("{prefix}.{key}") };
                if inner.is_object() && depth < 5 && !inner.is_empty() {
                    stack.push((key.clone(), inner, depth + 1));
                }
                if !inner.is_null() {
                    out.map.insert(key, inner.raw().to_owned());
                }
            }
        }
        out
    }

    fn raw(&self, key: &str) -> Option<&str> {
        self.map.get(key).map(String::as_str)
    }

    /// The value as text: strings without their quotes.
    pub fn get(&self, key: &str) -> Option<String> {
        let raw = self.raw(key)?;
        let text = with_json(raw, |v| v.as_str().map(|s| s.into_owned())).flatten();
        Some(text.unwrap_or_else(|| raw.to_owned())).filter(|t| !t.is_empty() && t != "null")
    }

    /// The first of several keys that says something.
    pub fn first(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|k| self.get(k))
    }

    pub fn number(&self, keys: &[&str]) -> Option<f64> {
        self.first(keys)?.trim().parse().ok().filter(|n: &f64| n.is_finite())
    }

    /// Flattened lists and objects below `prefix`, put together again: `a.0.b` is `[{"b": …}]`.
    pub fn nested(&self, prefix: &str) -> Option<String> {
        let mut root = Node::default();
        let from = format!("{prefix}.");
        for (key, raw) in self.map.range(from.clone()..).take_while(|(k, _)| k.starts_with(&from)) {
            let mut node = &mut root;
            for word in key.get(from.len()..).unwrap_or_default().split('.').take(24) {
                node = node.children.entry(word.to_owned()).or_default();
            }
            node.raw = Some(raw.clone());
        }
        (!root.children.is_empty()).then(|| root.source())
    }

    /// The values below `prefix` whose keys end in `suffix`, as a list; JSON in texts is opened.
    pub fn list(&self, prefix: &str, suffix: &str) -> Option<String> {
        let below = self.map.range(prefix.to_owned()..).take_while(|(k, _)| k.starts_with(prefix));
        let texts = below.filter(|(k, _)| k.ends_with(suffix)).filter_map(|(k, _)| self.get(k));
        let items: Vec<String> = texts.filter(|t| t.starts_with('{')).collect();
        (!items.is_empty()).then(|| format!("[{}]", items.join(",")))
    }

    /// All attributes as one object; JSON in texts is opened, as some write the calls of a message.
    pub fn source(&self) -> String {
        let mut root = Node::default();
        for (key, raw) in &self.map {
            let open =
                |v: Val<'_>| v.as_str().filter(|t| t.trim_start().starts_with(['[', '{'])).map(|t| t.into_owned());
            let text = with_json(raw, open).flatten();
            root.children.entry(key.clone()).or_default().raw = Some(text.unwrap_or_else(|| raw.clone()));
        }
        root.source()
    }
}

#[derive(Default)]
struct Node {
    raw: Option<String>,
    children: BTreeMap<String, Node>,
}

impl Node {
    /// Depth is bounded by the words that [`Attributes::nested`] takes of a key.
    fn source(&self) -> String {
        if self.children.is_empty() {
            return self.raw.clone().unwrap_or_else(|| "null".into());
        }
        if self.children.keys().all(|k| k.parse::<u32>().is_ok()) {
            let mut list: Vec<(u32, &Node)> = self.children.iter().map(|(k, n)| (k.parse().unwrap_or(0), n)).collect();
            list.sort_by_key(|(i, _)| *i);
            let items: Vec<String> = list.iter().map(|(_, n)| n.unwrapped().source()).collect();
            return format!("[{}]", items.join(","));
        }
        let items: Vec<String> = self.children.iter().map(|(k, n)| format!("{}:{}", quote(k), n.source())).collect();
        format!("{{{}}}", items.join(","))
    }

    /// OpenInference wraps every member: `{"message": {…}}`.
    fn unwrapped(&self) -> &Node {
        let wrapped = ["message", "tool_call", "message_content"];
        match self.children.iter().next() {
            Some((key, inner)) if self.children.len() == 1 && wrapped.contains(&key.as_str()) => inner,
            _ => self,
        }
    }
}

/// OTLP's value as JSON.
fn any_value(value: Val<'_>, depth: u8) -> String {
    for key in ["stringValue", "bytesValue"] {
        if let Some(text) = value.get(key) {
            return text.raw().to_owned();
        }
    }
    for key in ["intValue", "doubleValue", "boolValue"] {
        if let Some(inner) = value.get(key) {
            return inner.text().into_owned();
        }
    }
    if depth > 8 {
        return "null".into();
    }
    if let Some(array) = value.get("arrayValue") {
        let items: Vec<String> =
            array.get("values").into_iter().flat_map(Val::items).map(|v| any_value(v, depth + 1)).collect();
        return format!("[{}]", items.join(","));
    }
    if let Some(list) = value.get("kvlistValue").and_then(|l| l.get("values")) {
        let items: Vec<String> = list
            .items()
            .filter_map(|p| Some(format!("{}:{}", quote(&p.str("key")?), any_value(p.get("value")?, depth + 1))))
            .collect();
        return format!("{{{}}}", items.join(","));
    }
    "null".into()
}
