//! Does a text tell of a private skill? Its id, its name or its address, anywhere, also in disguise.
//!
//! A JSON text is searched string by string, keys included, so that a hit has its pointer; everything else as it is.
//! Every text is also searched with its layers taken off (JSON escapes, percent encoding, HTML entities, three deep)
//! and for the base64 of the id. An id that is a telling text (it has punctuation) is a leak wherever it stands; one
//! that is an ordinary word (`admin`) is a leak as a whole string or as a part of an address, and only worth a warning
//! in a sentence. What a public skill says of itself is no leak: a longer public id that holds the private one covers it.
//! O(bytes x private skills); callers bound the product. Source: property 6; reports of private tools in public listings.

use std::borrow::Cow;

use crate::json::{Doc, Tape, Val};
use crate::model::Severity;

/// A private skill, as far as a leak could tell of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secret {
    pub id: String,
    pub name: String,
    /// Addresses that belong to it alone: of its descriptor and its endpoint.
    pub urls: Vec<String>,
}

/// What may be said: the same of the skills that anyone may see.
#[derive(Clone, Debug, Default)]
pub struct Open {
    pub ids: Vec<String>,
    pub names: Vec<String>,
    pub urls: Vec<String>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Id,
    Url,
    Name,
}

/// A place that tells of a private skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Index of the secret.
    pub secret: usize,
    pub what: What,
    pub severity: Severity,
    /// JSON pointer of the string; of a key, the pointer of its member. Empty in a text that is no JSON.
    pub pointer: String,
    /// Byte offset in the text.
    pub at: usize,
    /// It stands there in disguise: `escaped` or `base64`; empty when it is plain.
    pub disguise: &'static str,
}

/// Searches for secrets.
pub struct Search<'a> {
    secrets: &'a [Secret],
    open: &'a Open,
    /// Base64 of each id at its three alignments, without the ends that depend on the neighbours.
    base64: Vec<Vec<String>>,
}

/// The most that a search may cost, in bytes times secrets.
const MAX_WORK: u64 = 20_000_000_000;

impl<'a> Search<'a> {
    pub fn new(secrets: &'a [Secret], open: &'a Open) -> Self {
        let base64 = secrets.iter().map(|s| base64_forms(&s.id)).collect();
        Self { secrets, open, base64 }
    }

    /// Whether this many bytes can be searched.
    pub fn affords(&self, bytes: usize) -> bool {
        (bytes as u64).saturating_mul(self.secrets.len() as u64) <= MAX_WORK
    }

    /// Every leak of a JSON text: at most one for each secret, kind and string, in order of place.
    pub fn json(&self, doc: Doc<'_>) -> Vec<Leak> {
        let mut out = Vec::new();
        let mut stack = vec![doc.root()];
        while let Some(val) = stack.pop() {
            if let Some(text) = val.as_str() {
                self.text(&text, val.raw(), true, &mut |leak| {
                    out.push(Leak { pointer: val.pointer(), at: val.offset(), ..leak });
                });
            } else if !val.is_array() && !val.is_object() {
                // Below the depth limit nothing was taken apart.
                self.text(val.raw(), val.raw(), false, &mut |leak| {
                    out.push(Leak { pointer: val.pointer(), at: val.offset() + leak.at, ..leak });
                });
            }
            let mut inside: Vec<Val<'_>> = val.items().collect();
            for (key, member) in val.entries() {
                self.text(&key, &key, true, &mut |leak| {
                    out.push(Leak { pointer: member.pointer(), at: member.offset(), ..leak });
                });
                inside.push(member);
            }
            stack.extend(inside.into_iter().rev());
        }
        out.sort_by_key(|leak| (leak.at, leak.secret, leak.what));
        out
    }

    /// Every leak of a text that is no JSON: at most one for each secret and kind.
    pub fn plain(&self, text: &str) -> Vec<Leak> {
        let mut out = Vec::new();
        self.text(text, text, false, &mut |leak| out.push(leak));
        out
    }

    /// Every leak of some bytes: as JSON when they are, else as text.
    pub fn bytes(&self, bytes: &[u8]) -> Vec<Leak> {
        let decoded = crate::json::decode_bytes(bytes);
        let mut tape = Tape::new();
        let doc = tape.parse(&decoded.text);
        let container = doc.root().is_object() || doc.root().is_array();
        if container && !tape.is_broken() { self.json(tape.doc(&decoded.text)) } else { self.plain(&decoded.text) }
    }

    /// `whole`: the text is one string, so that being equal to it means something. `raw`: as it stands in the file.
    fn text(&self, text: &str, raw: &str, whole: bool, found: &mut dyn FnMut(Leak)) {
        let layers = layers(text);
        for (index, secret) in self.secrets.iter().enumerate() {
            let leak = |what, severity, at, disguise| Leak {
                secret: index,
                what,
                severity,
                pointer: String::new(),
                at,
                disguise,
            };
            let mut hit: Option<Leak> = None;
            for (depth, layer) in layers.iter().enumerate() {
                let disguise = if depth > 0 || !raw.contains(&secret.id) { "escaped" } else { "" };
                let at = if depth == 0 && !whole { None } else { Some(0) };
                let best = self
                    .id_in(layer, &secret.id, whole)
                    .map(|(severity, place)| leak(What::Id, severity, at.unwrap_or(place), disguise));
                hit = stronger(hit, best);
            }
            if hit.is_none()
                && let Some(forms) = self.base64.get(index)
                && let Some(place) = forms.iter().find_map(|form| text.find(form.as_str()))
            {
                hit = Some(leak(What::Id, Severity::Error, if whole { 0 } else { place }, "base64"));
            }
            if let Some(hit) = hit {
                found(hit);
                continue;
            }
            // An address or a name beside the id would say the same twice.
            let url = layers.iter().enumerate().find_map(|(depth, layer)| {
                let place = secret.urls.iter().filter_map(|url| self.url_in(layer, url)).min()?;
                Some(leak(
                    What::Url,
                    Severity::Error,
                    if whole { 0 } else { place },
                    if depth > 0 { "escaped" } else { "" },
                ))
            });
            if let Some(url) = url {
                found(url);
                continue;
            }
            let name = layers.iter().enumerate().find_map(|(depth, layer)| {
                let (severity, place) = self.name_in(layer, &secret.name, whole)?;
                Some(leak(What::Name, severity, if whole { 0 } else { place }, if depth > 0 { "escaped" } else { "" }))
            });
            if let Some(name) = name {
                found(name);
            }
        }
    }

    fn id_in(&self, text: &str, id: &str, whole: bool) -> Option<(Severity, usize)> {
        if id.is_empty() {
            return None;
        }
        if whole && text == id {
            return Some((Severity::Error, 0));
        }
        let telling = id.len() >= 6 && id.bytes().any(|b| !b.is_ascii_alphanumeric());
        let mut best: Option<(Severity, usize)> = None;
        for (at, _) in text.match_indices(id) {
            if !is_apart(text, at, at + id.len()) || self.is_covered(text, at, id) {
                continue;
            }
            let severity = if telling || is_address_part(text, at, at + id.len(), whole) {
                Severity::Error
            } else if id.len() >= 4 {
                Severity::Warning
            } else {
                continue;
            };
            if severity == Severity::Error {
                return Some((severity, at));
            }
            best.get_or_insert((severity, at));
        }
        best
    }

    /// Whether the place belongs to a longer id that anyone may see.
    fn is_covered(&self, text: &str, at: usize, id: &str) -> bool {
        self.open.ids.iter().filter(|open| open.len() > id.len()).any(|open| {
            open.match_indices(id).any(|(inside, _)| {
                at.checked_sub(inside).is_some_and(|start| {
                    text.get(start..).is_some_and(|rest| rest.starts_with(open.as_str()))
                        && is_apart(text, start, start + open.len())
                })
            })
        })
    }

    fn url_in(&self, text: &str, url: &str) -> Option<usize> {
        if url.len() < 4 || self.open.urls.iter().any(|open| open == url) {
            return None;
        }
        let place = |at: &usize| {
            let covered = self.open.urls.iter().any(|open| {
                open.len() > url.len()
                    && open.starts_with(url)
                    && text.get(*at..).is_some_and(|rest| rest.starts_with(open.as_str()))
            });
            is_apart(text, *at, *at + url.len()) && !covered
        };
        text.match_indices(url).map(|(at, _)| at).find(place)
    }

    fn name_in(&self, text: &str, name: &str, whole: bool) -> Option<(Severity, usize)> {
        let length = name.chars().count();
        if length < 2 || self.open.names.iter().any(|open| open == name) {
            return None;
        }
        if whole && text == name {
            return Some((Severity::Error, 0));
        }
        let telling = length >= 12 && name.contains(|c: char| !c.is_alphanumeric());
        if length < 4 {
            return None;
        }
        let covered = |at: usize| {
            self.open.names.iter().filter(|open| open.len() > name.len()).any(|open| {
                open.match_indices(name).any(|(inside, _)| {
                    at.checked_sub(inside).is_some_and(|s| text.get(s..).is_some_and(|r| r.starts_with(open.as_str())))
                })
            })
        };
        let (at, _) = text.match_indices(name).find(|(at, _)| is_apart(text, *at, at + name.len()) && !covered(*at))?;
        Some((if telling { Severity::Error } else { Severity::Warning }, at))
    }
}

fn stronger(a: Option<Leak>, b: Option<Leak>) -> Option<Leak> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.severity < a.severity { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Nothing of a longer word stands around it. Scripts without spaces have no words: their letters are no border.
fn is_apart(text: &str, from: usize, to: usize) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let first = text.get(from..).and_then(|t| t.chars().next()).is_some_and(joins);
    let last = text.get(..to).and_then(|t| t.chars().next_back()).is_some_and(joins);
    let before = text.get(..from).and_then(|t| t.chars().next_back());
    let after = text.get(to..).and_then(|t| t.chars().next());
    let joined = (first && before.is_some_and(joins)) || (last && after.is_some_and(joins));
    !joined
}

/// Between the marks of an address or of quotes: `/admin.json`, `?id=admin&`, `"admin"`.
fn is_address_part(text: &str, from: usize, to: usize, whole: bool) -> bool {
    let before = text.get(..from).and_then(|t| t.chars().next_back());
    let rest = text.get(to..).unwrap_or_default();
    let opens = matches!(before, Some('/' | '=' | '"' | '\'' | '#' | '`'));
    let closes = rest.is_empty() && whole
        || rest.starts_with(['/', '&', '?', '#', '"', '\'', '`'])
        || rest.starts_with(".json")
        || (rest.is_empty() || rest.starts_with(char::is_whitespace)) && matches!(before, Some('/' | '='));
    opens && closes
}

/// The text, and what it says with its layers taken off, as long as that changes something.
fn layers(text: &str) -> Vec<Cow<'_, str>> {
    let mut out = vec![Cow::Borrowed(text)];
    for _ in 0..3 {
        let Some(last) = out.last() else { break };
        match decode(last) {
            Some(next) => out.push(Cow::Owned(next)),
            None => break,
        }
    }
    out
}

/// Takes one layer of JSON escapes, percent encoding and HTML entities off; `None` when there is none.
fn decode(text: &str) -> Option<String> {
    if !text.contains(['\\', '%', '&']) {
        return None;
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find(['\\', '%', '&']) {
        let (before, tail) = rest.split_at(at);
        out.extend_from_slice(before.as_bytes());
        match one(tail) {
            Some((bytes, length)) => {
                out.extend_from_slice(&bytes);
                rest = tail.get(length..).unwrap_or_default();
                changed = true;
            }
            None => {
                out.extend_from_slice(tail.get(..1).unwrap_or_default().as_bytes());
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    out.extend_from_slice(rest.as_bytes());
    changed.then(|| String::from_utf8_lossy(&out).into_owned())
}

/// The escape at the start of a text: what it stands for, and its length.
fn one(text: &str) -> Option<(Vec<u8>, usize)> {
    let hex = |from: usize, to: usize| u32::from_str_radix(text.get(from..to)?, 16).ok();
    let letter = |code: u32| char::from_u32(code).map(|c| c.to_string().into_bytes());
    if text.starts_with('%') {
        return hex(1, 3).map(|byte| (vec![byte as u8], 3));
    }
    if let Some(after) = text.strip_prefix('\\') {
        if after.starts_with(['u', 'U']) {
            return Some((letter(hex(2, 6)?)?, 6));
        }
        if after.starts_with('x') {
            return Some((letter(hex(2, 4)?)?, 4));
        }
        let next = after.chars().next().filter(|c| "/\"\\'".contains(*c))?;
        return Some((next.to_string().into_bytes(), 2));
    }
    let end = text.get(..12.min(text.len()))?.find(';')?;
    let inside = text.get(1..end)?;
    let code = match inside.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        },
        None => u32::from(match inside {
            "sol" => '/',
            "period" => '.',
            "colon" => ':',
            "commat" => '@',
            "amp" => '&',
            "quot" => '"',
            "lowbar" => '_',
            "hyphen" | "dash" => '-',
            _ => return None,
        }),
    };
    Some((letter(code)?, end + 1))
}

/// The part of an id's base64 that is the same whatever stands around it, at each of the three alignments.
fn base64_forms(id: &str) -> Vec<String> {
    if id.len() < 8 {
        return Vec::new();
    }
    (0..3usize)
        .filter_map(|lead| {
            let mut bytes = vec![0u8; lead];
            bytes.extend_from_slice(id.as_bytes());
            let whole = bytes.len() / 3 * 3;
            let text = base64(bytes.get(..whole)?);
            // Letters that hold bits of the lead are not the id's.
            let skip = [0, 2, 3].get(lead).copied()?;
            text.get(skip..).map(str::to_owned).filter(|t| t.len() >= 8)
        })
        .collect()
}

/// Base64 of whole groups of three bytes.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len() / 3 * 4);
    for group in bytes.chunks_exact(3) {
        let word = group.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
        for shift in [18, 12, 6, 0] {
            out.push(LETTERS.get((word >> shift & 63) as usize).map_or('A', |l| *l as char));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(id: &str, name: &str) -> Secret {
        Secret { id: id.into(), name: name.into(), urls: vec!["https://inside.example.com/run".into()] }
    }

    #[track_caller]
    fn check(secret: Secret, text: &str, expected: &[(&str, What, Severity, &str)]) {
        let open = Open {
            ids: vec!["com.example/handbook-public".into(), "com.example/handbook.lite".into()],
            names: vec!["Translate".into(), "The public handbook".into()],
            urls: vec!["https://api.example.com/".into()],
        };
        let secrets = [secret];
        let found = Search::new(&secrets, &open).bytes(text.as_bytes());
        let found: Vec<_> = found.iter().map(|l| (l.pointer.as_str(), l.what, l.severity, l.disguise)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn telling_ids_are_found_anywhere() {
        use Severity::Error;
        let s = || secret("com.example/handbook", "Staff handbook");
        check(s(), r#"{"a":{"x-related":["b","com.example/handbook"]}}"#, &[("/a/x-related/1", What::Id, Error, "")]);
        check(s(), r#"{"d":"See com.example/handbook, too."}"#, &[("/d", What::Id, Error, "")]);
        check(s(), r#"{"com.example/handbook":1}"#, &[("/com.example~1handbook", What::Id, Error, "")]);
        check(s(), r#"{"u":"https://x.example/com.example/handbook.json"}"#, &[("/u", What::Id, Error, "")]);
        check(s(), r#"{"u":"?id=com.example%2Fhandbook"}"#, &[("/u", What::Id, Error, "escaped")]);
        check(s(), r#"{"u":"?id=com%2eexample%252Fhandbook"}"#, &[("/u", What::Id, Error, "escaped")]);
        check(s(), r#"{"u":"com.example\/h\u0061ndbook"}"#, &[("/u", What::Id, Error, "escaped")]);
        check(s(), r#"{"u":"{\"id\":\"com.example\\/handbook\"}"}"#, &[("/u", What::Id, Error, "escaped")]);
        check(s(), "<p>com.example&#47;handbook</p>", &[("", What::Id, Error, "escaped")]);
        for lead in ["", "x", "xy"] {
            let mut bytes = format!("{lead}com.example/handbook").into_bytes();
            bytes.resize(bytes.len().div_ceil(3) * 3, b' ');
            check(s(), &format!("{{\"b\":\"{}\"}}", base64(&bytes)), &[("/b", What::Id, Error, "base64")]);
        }
    }

    #[test]
    fn what_others_say_of_themselves_is_no_leak() {
        let s = || secret("com.example/handbook", "Translate");
        check(s(), r#"{"id":"com.example/handbook-public","n":"com.example/handbook.lite","t":"Translate"}"#, &[]);
        check(s(), r#"{"id":"xcom.example/handbook","n":"com.example/handbooks"}"#, &[]);
        check(s(), r#"{"u":"https://api.example.com/x"}"#, &[]);
    }

    #[test]
    fn ordinary_words_need_more_than_a_sentence() {
        use Severity::{Error, Warning};
        let s = || secret("admin", "Handbook");
        check(s(), r#"{"id":"admin"}"#, &[("/id", What::Id, Error, "")]);
        check(s(), r#"{"u":"skills/admin.json"}"#, &[("/u", What::Id, Error, "")]);
        check(s(), r#"{"u":"https://a.example/?skill=admin"}"#, &[("/u", What::Id, Error, "")]);
        check(s(), r#"{"d":"for an admin only"}"#, &[("/d", What::Id, Warning, "")]);
        check(s(), r#"{"d":"administration"}"#, &[]);
        check(secret("a", "b"), r#"{"d":"a b"}"#, &[]);
        check(secret("a", "b"), r#"{"id":"a"}"#, &[("/id", What::Id, Error, "")]);
        check(s(), r#"{"n":"Handbook"}"#, &[("/n", What::Name, Error, "")]);
        check(s(), r#"{"n":"The Handbook of all"}"#, &[("/n", What::Name, Warning, "")]);
        check(s(), r#"{"u":"https://inside.example.com/run?x"}"#, &[("/u", What::Url, Error, "")]);
    }
}
