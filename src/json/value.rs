//! Reading a tape: values by key, index and pointer, decoded only when asked for.
//! A look-up is linear in the keys of one object; skipping a subtree is one step.

use std::borrow::Cow;

use super::parse::{Tape, find_slash, hex4};
use super::text::pointer_token;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    Array,
    Object,
    /// A container below the depth limit: only its source is known.
    Opaque,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Tok {
    pub start: u32,
    pub end: u32,
    /// Index of the token behind this one and its children.
    pub next: u32,
    /// Index of the container's token, [`NO_PARENT`] for the outermost value.
    pub parent: u32,
    /// Place among the container's tokens; in an object keys and values take turns.
    pub index: u32,
    pub kind: Kind,
    pub escaped: bool,
}

/// The parent of the outermost value.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// A parsed text.
#[derive(Clone, Copy)]
pub struct Doc<'a> {
    text: &'a str,
    tape: &'a Tape,
}

/// One value of a [`Doc`].
#[derive(Clone, Copy)]
pub struct Val<'a> {
    doc: Doc<'a>,
    at: u32,
}

impl<'a> Doc<'a> {
    pub(super) fn new(text: &'a str, tape: &'a Tape) -> Self {
        Self { text, tape }
    }

    /// The outermost value.
    pub fn root(self) -> Val<'a> {
        Val { doc: self, at: 0 }
    }

    /// The whole text.
    #[inline(never)]
    pub fn text(self) -> &'a str {
        self.text
    }

    /// What was not JSON in the text, in order of place.
    pub fn faults(self) -> &'a [super::parse::Fault] {
        self.tape.faults()
    }

    /// The value at a JSON pointer (RFC 6901).
    pub fn pointer(self, pointer: &str) -> Option<Val<'a>> {
        self.root().at(pointer)
    }

    /// Line and column of a byte offset, as [`super::line_column`]; inside the value O(log of the lines + the line).
    pub fn place(self, offset: usize) -> (u32, u32) {
        // The line breaks behind the value, or behind a fault that ended it, are in no table.
        if offset > self.tok(0).end as usize {
            return super::text::line_column(self.text, offset);
        }
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = self.tape.breaks.partition_point(|&b| (b as usize) < offset);
        let start = before.checked_sub(1).and_then(|i| self.tape.breaks.get(i)).map_or(0, |b| *b as usize + 1);
        let column = self.text.get(start..offset).unwrap_or_default().chars().count();
        (before as u32 + 1, column as u32 + 1)
    }

    fn tok(self, at: u32) -> Tok {
        const NULL: Tok =
            Tok { start: 0, end: 0, next: u32::MAX, parent: NO_PARENT, index: 0, kind: Kind::Null, escaped: false };
        self.tape.toks.get(at as usize).copied().unwrap_or(NULL)
    }

    fn slice(self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }
}

impl<'a> Val<'a> {
    pub fn kind(self) -> Kind {
        self.doc.tok(self.at).kind
    }

    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    pub fn is_string(self) -> bool {
        self.kind() == Kind::String
    }

    /// The value exactly as it stands in the text, quotes included.
    pub fn raw(self) -> &'a str {
        let (start, end) = self.range();
        self.doc.text.get(start..end).unwrap_or_default()
    }

    /// Byte range in the text, quotes included.
    pub fn range(self) -> (usize, usize) {
        let tok = self.doc.tok(self.at);
        let (start, end) = (tok.start as usize, tok.end as usize);
        if tok.kind == Kind::String { (start - 1, (end + 1).min(self.doc.text.len())) } else { (start, end) }
    }

    /// Byte offset of the value in the text.
    pub fn offset(self) -> usize {
        self.range().0
    }

    /// The decoded string; borrowed when it has no escapes. `None` for anything but a string.
    #[inline(never)]
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let tok = self.doc.tok(self.at);
        (tok.kind == Kind::String).then(|| {
            let raw = self.doc.slice(tok.start, tok.end);
            if tok.escaped { Cow::Owned(unescape(raw)) } else { Cow::Borrowed(raw) }
        })
    }

    /// True for the string `expected`, without allocating in the common case.
    #[inline(never)]
    pub fn is(self, expected: &str) -> bool {
        let tok = self.doc.tok(self.at);
        if tok.kind != Kind::String {
            return false;
        }
        let raw = self.doc.slice(tok.start, tok.end);
        if tok.escaped { unescape(raw) == expected } else { raw == expected }
    }

    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The number, if it is finite.
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() != Kind::Number {
            return None;
        }
        self.raw().parse::<f64>().ok().filter(|n| n.is_finite())
    }

    /// The number if it is whole; `12.0` and `1e3` count.
    pub fn as_i64(self) -> Option<i64> {
        if self.kind() != Kind::Number {
            return None;
        }
        self.raw().parse::<i64>().ok().or_else(|| {
            let n = self.as_f64()?;
            (n.fract() == 0.0 && n.abs() < 9.0e15).then_some(n as i64)
        })
    }

    /// The number if it is whole and not negative.
    pub fn as_u64(self) -> Option<u64> {
        if self.kind() != Kind::Number {
            return None;
        }
        self.raw().parse::<u64>().ok().or_else(|| self.as_i64().and_then(|n| u64::try_from(n).ok()))
    }

    /// The value of `key`; of a repeated key the last, as every common JSON reader has it.
    // Not inlined: called from a thousand places, it would be half of the program.
    #[inline(never)]
    pub fn get(self, key: &str) -> Option<Val<'a>> {
        if !self.is_object() {
            return None;
        }
        let end = self.doc.tok(self.at).next;
        let mut at = self.at + 1;
        let mut found = None;
        while at < end {
            let tok = self.doc.tok(at);
            let raw = self.doc.slice(tok.start, tok.end);
            if if tok.escaped { unescape(raw) == key } else { raw == key } {
                found = Some(Val { doc: self.doc, at: at + 1 });
            }
            at = self.doc.tok(at + 1).next;
        }
        found
    }

    /// `get` that treats `null` as absent.
    #[inline(never)]
    pub fn some(self, key: &str) -> Option<Val<'a>> {
        self.get(key).filter(|v| !v.is_null())
    }

    /// The decoded string at `key`.
    #[inline(never)]
    pub fn str(self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.as_str()
    }

    /// The whole number at `key`, also when it is written as a string of digits.
    #[inline(never)]
    pub fn u64(self, key: &str) -> Option<u64> {
        let val = self.get(key)?;
        val.as_u64().or_else(|| val.as_str()?.trim().parse().ok())
    }

    /// The number at `key`, also when it is written as a string.
    #[inline(never)]
    pub fn f64(self, key: &str) -> Option<f64> {
        let val = self.get(key)?;
        val.as_f64().or_else(|| val.as_str()?.trim().parse().ok().filter(|n: &f64| n.is_finite()))
    }

    pub fn bool(self, key: &str) -> Option<bool> {
        self.get(key)?.as_bool()
    }

    /// Whether the object has `key`, even as `null`.
    pub fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value along a path of keys.
    pub fn path(self, keys: &[&str]) -> Option<Val<'a>> {
        keys.iter().try_fold(self, |val, key| val.get(key))
    }

    /// The members of an array; nothing for any other value.
    pub fn items(self) -> Items<'a> {
        let tok = self.doc.tok(self.at);
        let end = if tok.kind == Kind::Array { tok.next } else { 0 };
        Items { doc: self.doc, at: self.at + 1, end }
    }

    /// The members of an object in file order, repeated keys included; nothing for any other value.
    pub fn entries(self) -> Entries<'a> {
        let tok = self.doc.tok(self.at);
        let end = if tok.kind == Kind::Object { tok.next } else { 0 };
        Entries { doc: self.doc, at: self.at + 1, end }
    }

    /// Whether this is an object with members that all satisfy `test`.
    pub fn values_are(self, test: impl Fn(Val<'a>) -> bool) -> bool {
        self.is_object() && !self.is_empty() && self.entries().all(|(_, v)| test(v))
    }

    /// Members of an array or object.
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Array => self.items().count(),
            Kind::Object => self.entries().count(),
            _ => 0,
        }
    }

    pub fn is_empty(self) -> bool {
        match self.kind() {
            Kind::Array | Kind::Object => self.doc.tok(self.at).next <= self.at + 1,
            Kind::String => self.raw().len() <= 2,
            _ => true,
        }
    }

    /// A string as itself, anything else as its source.
    pub fn text(self) -> Cow<'a, str> {
        self.as_str().unwrap_or(Cow::Borrowed(self.raw()))
    }

    /// The value at a JSON pointer (RFC 6901) inside this one.
    pub fn at(self, pointer: &str) -> Option<Val<'a>> {
        let mut val = self;
        if pointer.is_empty() {
            return Some(val);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            val = match val.kind() {
                Kind::Array => {
                    // The RFC knows no sign and no leading zero.
                    let plain = token == "0" || token.starts_with(|c: char| matches!(c, '1'..='9'));
                    val.items().nth(token.parse().ok().filter(|_| plain)?)?
                }
                Kind::Object => val.get(&token.replace("~1", "/").replace("~0", "~"))?,
                _ => return None,
            };
        }
        Some(val)
    }

    /// The JSON pointer of this value in its text (RFC 6901).
    pub fn pointer(self) -> String {
        self.pointer_within(self.doc.root())
    }

    /// The JSON pointer of this value inside `outer`, which holds it. O(depth).
    pub fn pointer_within(self, outer: Val<'_>) -> String {
        let mut chain = Vec::new();
        let mut here = self.at;
        while here != outer.at {
            let tok = self.doc.tok(here);
            if tok.parent == NO_PARENT {
                break;
            }
            chain.push((here, tok));
            here = tok.parent;
        }
        let mut out = String::new();
        for (at, tok) in chain.into_iter().rev() {
            out.push('/');
            if self.doc.tok(tok.parent).kind == Kind::Object {
                // A value stands right behind its key.
                out.push_str(&pointer_token(&Val { doc: self.doc, at: at.saturating_sub(1) }.text()));
            } else {
                out.push_str(&tok.index.to_string());
            }
        }
        out
    }

    /// Line breaks between the start of `outer` and the start of this value. O(log of the text's lines).
    pub fn lines_after(self, outer: Val<'_>) -> u32 {
        let breaks = &self.doc.tape.breaks;
        let before = |at: usize| breaks.partition_point(|&b| (b as usize) < at);
        before(self.offset()).saturating_sub(before(outer.offset())) as u32
    }

    /// Keys that stand more than once in this object, in the order of their first repetition.
    pub fn repeated_keys(self) -> Vec<String> {
        let mut seen = std::collections::BTreeMap::new();
        let mut out = Vec::new();
        for (key, _) in self.entries() {
            let count = seen.entry(key.clone()).or_insert(0u32);
            *count += 1;
            if *count == 2 {
                out.push(key.into_owned());
            }
        }
        out
    }

    /// The value as a `serde_json::Value`, for the schema validator. Depth is bounded by `MAX_DEPTH`.
    pub fn to_serde(self) -> serde_json::Value {
        use serde_json::Value;
        match self.kind() {
            Kind::Null => Value::Null,
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Number => serde_json::from_str(self.raw()).unwrap_or(Value::Null),
            Kind::String => Value::String(self.text().into_owned()),
            Kind::Array => Value::Array(self.items().map(Val::to_serde).collect()),
            Kind::Object => Value::Object(self.entries().map(|(k, v)| (k.into_owned(), v.to_serde())).collect()),
            Kind::Opaque => Value::Null,
        }
    }
}

/// See [`Val::items`].
#[derive(Clone)]
pub struct Items<'a> {
    doc: Doc<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Items<'a> {
    type Item = Val<'a>;
    fn next(&mut self) -> Option<Val<'a>> {
        if self.at >= self.end {
            return None;
        }
        let val = Val { doc: self.doc, at: self.at };
        self.at = self.doc.tok(self.at).next;
        Some(val)
    }
}

/// See [`Val::entries`].
#[derive(Clone)]
pub struct Entries<'a> {
    doc: Doc<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Cow<'a, str>, Val<'a>);
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let key = Val { doc: self.doc, at: self.at }.text();
        let val = Val { doc: self.doc, at: self.at + 1 };
        self.at = self.doc.tok(self.at + 1).next;
        Some((key, val))
    }
}

/// Decodes the escapes of a string's inside. Half a surrogate pair becomes U+FFFD, a bad escape stays as written.
fn unescape(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut out = String::with_capacity(raw.len());
    let mut from = 0;
    let mut at = 0;
    while let Some(slash) = find_slash(bytes, at) {
        let plain = match bytes.get(slash + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let Some(unit) = hex4(bytes, slash + 2) else {
                    at = slash + 2;
                    continue;
                };
                let low = if (0xD800..0xDC00).contains(&unit) && raw.get(slash + 6..slash + 8) == Some("\\u") {
                    hex4(bytes, slash + 8).filter(|low| (0xDC00..0xE000).contains(low))
                } else {
                    None
                };
                out.push_str(raw.get(from..slash).unwrap_or_default());
                let (code, width) = match low {
                    Some(low) => (0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), 12),
                    None => (unit, 6),
                };
                out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                from = slash + width;
                at = from;
                continue;
            }
            _ => {
                at = slash + 1;
                continue;
            }
        };
        out.push_str(raw.get(from..slash).unwrap_or_default());
        out.push(plain);
        from = slash + 2;
        at = from;
    }
    out.push_str(raw.get(from..).unwrap_or_default());
    out
}
