//! Where the references of a schema lead, and whether its patterns are any.
//!
//! Decides without fetching: a reference stays inside the document, finds something there, and does not come back to
//! where it began before it has read a part of the value. Unfolding is counted, each place once. O(size of the schema).

use std::collections::BTreeMap;

use super::super::embedded::{Dialect, Flaw, FlawKind, MAX_UNFOLDED};
use super::super::pattern::is_catastrophic;
use super::embedded::draft;
use crate::json::{Val, pointer_token};

/// What is wrong with the references and patterns of a schema that its metaschema takes.
pub fn flaws(val: Val<'_>, dialect: Dialect) -> Vec<Flaw> {
    let mut scan = Scan { root: val, dialect, flaws: Vec::new(), ids: Vec::new() };
    scan.ids(val, true);
    scan.schema(val, "");
    if !scan.flaws.is_empty() {
        return scan.flaws;
    }
    // Every reference is a place where a circle may begin.
    let mut unfold = Unfold { root: val, sizes: BTreeMap::new() };
    for pointer in std::iter::once(String::new()).chain(scan_pointers(val)) {
        let kind = match unfold.size(&pointer, 0) {
            Some(size) if size <= MAX_UNFOLDED => continue,
            Some(_) => FlawKind::Unfolds,
            None => FlawKind::RefLoop,
        };
        return vec![Flaw { pointer, kind, dialect }];
    }
    Vec::new()
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
        if jsonschema::options().with_draft(draft(self.dialect)).offline().build(&alone).is_err() {
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
