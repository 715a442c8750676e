//! Placeholders for secret and personal values: the same for the same value everywhere, so that what is shared can
//! still be compared; and the proof that no such value is left in the finished bytes.
//!
//! Two passes. [`survey`] finds values by what they look like or where they stand, in every text of a run and in every
//! way a text can be written ([`super::views`]). A [`Redactor`] then replaces each of them wherever it occurs, also
//! where nothing around it says that it is one. Cost: O(bytes) a pass (one automaton for all values).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::secrets::{Kind, scan};
use super::views::{base64_texts, views};
use crate::json::{Tape, Val, quote};

/// What is to be found, and what the user decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub kinds: BTreeSet<Kind>,
    /// Names of people, hosts, customers: found in any case, as whole words.
    pub names: Vec<String>,
    /// Values that were looked at and may stay.
    pub keep: BTreeSet<String>,
}

impl Default for Policy {
    /// The safest: everything.
    fn default() -> Self {
        Self { kinds: Kind::ALL.into_iter().collect(), names: Vec::new(), keep: BTreeSet::new() }
    }
}

/// A value that was found, with where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    pub kind: Kind,
    pub value: String,
    /// What stands in its place: `[email-2]`.
    pub placeholder: String,
    /// Occurrences, where something around it or in it says what it is.
    pub count: u32,
    /// The texts that hold it, by the number that the caller gave (a step); in order, each once.
    pub places: Vec<u32>,
}

/// Levels of base64 in base64.
const DEPTH: u8 = 3;

/// Finds the values of a policy in numbered texts. Placeholders are numbered by first occurrence.
pub fn survey<'a>(texts: impl Iterator<Item = (u32, &'a str)>, policy: &Policy) -> Vec<Secret> {
    let names = matcher(policy.names.iter().map(|n| n.trim()).filter(|n| !n.is_empty()));
    let mut found: BTreeMap<String, Secret> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for (place, text) in texts {
        look(text, names.as_ref(), DEPTH, &mut |kind, value| {
            // A name in a path is found again as a word; shorter ones are syllables.
            if !policy.kinds.contains(&kind) || policy.keep.contains(value) || value.chars().count() < 3 {
                return;
            }
            let secret = found.entry(value.to_owned()).or_insert_with(|| {
                order.push(value.to_owned());
                Secret { kind, value: value.to_owned(), placeholder: String::new(), count: 0, places: Vec::new() }
            });
            secret.count += 1;
            if secret.places.last() != Some(&place) {
                secret.places.push(place);
            }
        });
    }
    let mut numbers: BTreeMap<Kind, u32> = BTreeMap::new();
    order
        .into_iter()
        .filter_map(|value| found.remove(&value))
        .map(|mut secret| {
            let number = numbers.entry(secret.kind).or_insert(0);
            *number += 1;
            secret.placeholder = format!("[{}-{number}]", secret.kind.id());
            secret.places.sort_unstable();
            secret.places.dedup();
            secret
        })
        .collect()
}

fn look(text: &str, names: Option<&AhoCorasick>, depth: u8, tell: &mut dyn FnMut(Kind, &str)) {
    for view in views(text) {
        for one in scan(&view.text) {
            if let Some(value) = view.text.get(one.start..one.end) {
                tell(one.kind, value);
            }
        }
        for hit in names.into_iter().flat_map(|n| n.find_iter(view.text.as_ref())) {
            if let Some(value) = view.text.get(hit.range()).filter(|_| whole(&view.text, hit.start(), hit.end())) {
                tell(Kind::Name, value);
            }
        }
        if depth > 0 {
            for (_, _, inner) in base64_texts(&view.text) {
                look(&inner, names, depth - 1, tell);
            }
        }
    }
}

/// Finds any of the words, in any case of ASCII letters.
fn matcher<'a>(words: impl Iterator<Item = &'a str>) -> Option<AhoCorasick> {
    let words: Vec<&str> = words.collect();
    let built =
        AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).ascii_case_insensitive(true).build(&words);
    built.ok().filter(|_| !words.is_empty())
}

/// Whether the range is not part of a longer word.
fn whole(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|t| t.chars().next_back());
    let after = text.get(end..).and_then(|t| t.chars().next());
    !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
}

/// Replaces the values it was made for.
pub struct Redactor {
    finder: Option<AhoCorasick>,
    /// Kind and placeholder by pattern.
    by: Vec<(Kind, String)>,
}

impl Redactor {
    /// For these values.
    pub fn new(secrets: &[Secret]) -> Self {
        Self {
            finder: matcher(secrets.iter().map(|s| s.value.as_str())),
            by: secrets.iter().map(|s| (s.kind, s.placeholder.clone())).collect(),
        }
    }

    /// The text without the values. Borrowed when there was none.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let hits = self.occurrences(text, DEPTH);
        if hits.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (range, which) in hits {
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(self.by.get(which).map_or("[removed]", |(_, placeholder)| placeholder));
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// The JSON text with every string and key redacted; everything else stays byte for byte.
    pub fn json(&self, text: &str) -> String {
        let mut tape = Tape::new();
        let root = tape.parse(text).root();
        let mut strings: Vec<(usize, usize, String)> = Vec::new();
        let mut stack = vec![root];
        while let Some(val) = stack.pop() {
            if let Some(said) = val.as_str() {
                if let Cow::Owned(clean) = self.text(&said) {
                    let (start, end) = val.range();
                    strings.push((start, end, quote(&clean)));
                }
            } else {
                stack.extend(val.items());
                stack.extend(val.entries().map(|(_, v)| v));
                self.keys(val, text, &mut strings);
            }
        }
        strings.sort_unstable_by_key(|(start, ..)| *start);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (start, end, clean) in strings {
            out.push_str(text.get(at..start).unwrap_or_default());
            out.push_str(&clean);
            at = end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    /// Keys of an object: they end right before the colon in front of their value.
    fn keys(&self, object: Val<'_>, text: &str, strings: &mut Vec<(usize, usize, String)>) {
        for (key, value) in object.entries() {
            let Cow::Owned(clean) = self.text(&key) else { continue };
            let before = text.get(..value.offset()).unwrap_or_default();
            let end = before.trim_end().trim_end_matches(':').trim_end().len();
            let quoted = quote(&key);
            // A key that was written with other escapes than ours is as long as its source says: search its quote.
            let start = match before.get(..end).and_then(|b| b.strip_suffix(quoted.as_str())) {
                Some(head) => head.len(),
                None => opening_quote(before.as_bytes(), end),
            };
            strings.push((start, end, quote(&clean)));
        }
    }

    /// What of the values is still in the bytes of a finished file, decoded in every way: it must be nothing.
    pub fn left_in(&self, bytes: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(bytes);
        let mut left: Vec<String> = self
            .occurrences(&text, DEPTH)
            .into_iter()
            .filter_map(|(_, which)| self.by.get(which).map(|(_, placeholder)| placeholder.clone()))
            .collect();
        left.sort();
        left.dedup();
        left
    }

    /// Ranges of the text that hold a value, in order, without overlaps, with the value's number.
    fn occurrences(&self, text: &str, depth: u8) -> Vec<(Range<usize>, usize)> {
        let Some(finder) = &self.finder else { return Vec::new() };
        let mut hits: Vec<(Range<usize>, usize)> = Vec::new();
        for view in views(text) {
            for hit in finder.find_iter(view.text.as_ref()) {
                let which = hit.pattern().as_usize();
                let word = self.by.get(which).is_some_and(|(kind, _)| matches!(kind, Kind::Home | Kind::Name));
                if !word || whole(&view.text, hit.start(), hit.end()) {
                    let (start, end) = view.original(hit.start(), hit.end());
                    hits.push((start..end, which));
                }
            }
            if depth > 0 {
                for (start, end, inner) in base64_texts(&view.text) {
                    if let Some((_, which)) = self.occurrences(&inner, depth - 1).first() {
                        let (start, end) = view.original(start, end);
                        hits.push((start..end, *which));
                    }
                }
            }
        }
        // Where some overlap, one placeholder covers all: that of the widest, for instance of the base64 around a key.
        hits.sort_by_key(|(range, which)| (range.start, std::cmp::Reverse(range.end), *which));
        let mut out: Vec<(Range<usize>, usize)> = Vec::with_capacity(hits.len());
        let mut widest = 0;
        for (range, which) in hits {
            match out.last_mut().filter(|(last, _)| range.start < last.end) {
                Some(last) => {
                    if range.len() > widest {
                        (widest, last.1) = (range.len(), which);
                    }
                    last.0.end = last.0.end.max(range.end);
                }
                None => {
                    widest = range.len();
                    out.push((range, which));
                }
            }
        }
        out
    }
}

/// The place of the quote that opens a string which ends before `end`: the nearest one that no backslash escapes.
fn opening_quote(bytes: &[u8], end: usize) -> usize {
    let mut at = end.saturating_sub(1);
    while at > 0 {
        at -= 1;
        if bytes.get(at) == Some(&b'"') {
            let slashes = bytes.get(..at).map_or(0, |b| b.iter().rev().take_while(|b| **b == b'\\').count());
            if slashes % 2 == 0 {
                return at;
            }
        }
    }
    0
}
