//! What of a text counts for likeness: the normal form, and the set of words. O(length of the text).
//!
//! Normal form: NFKC, lower case, single spaces; the body of a fenced code block dropped, its mark kept; URLs, UUIDs,
//! digests, times and runs of four digits or more masked. Words: what is left between separators, without the words
//! that every English text has (unless it has no others). Text of scripts without spaces counts by groups of three
//! characters.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use unicode_normalization::UnicodeNormalization;

use crate::model::{Actor, Run, StepKind, parse_time};

/// A text that can be aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Index of its step in the run.
    pub step: u32,
    /// Texts are only compared with texts of the same speaker.
    pub actor: Actor,
    /// Equal numbers: equal texts, byte by byte.
    pub raw: u32,
    /// Equal numbers: equal normal forms.
    pub normal: u32,
    /// The words' numbers, ascending, each once.
    pub words: Vec<u32>,
}

/// The units of a run, and how many texts say nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    pub units: Vec<Unit>,
    /// Thoughts that are in the file without their text: withheld by the provider.
    pub withheld: u32,
}

/// Numbers texts and words; one for both runs, so that equal numbers mean equal things on both sides.
#[derive(Default)]
pub struct Numbering {
    // Only looked up. The keys are digests of 64 bits: a clash would make two words one, once in 10^9 texts.
    texts: Table,
    words: Table,
}

type Table = HashMap<u64, u32, BuildHasherDefault<Digested>>;

/// The keys are digests already.
#[derive(Default)]
struct Digested(u64);

impl Hasher for Digested {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = digest(bytes);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

/// Eight bytes at a step, multiplied and folded.
fn digest(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |x: u64, word: u64| {
        let wide = u128::from(x ^ word) * u128::from(K);
        (wide as u64 ^ (wide >> 64) as u64).wrapping_add(word.rotate_left(29))
    };
    let mut x = bytes.len() as u64 ^ 0xD6E8_FEB8_6659_FD93;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        x = fold(x, chunk.iter().rev().fold(0, |word, b| word << 8 | u64::from(*b)));
    }
    let rest = chunks.remainder().iter().rev().fold(0, |word, b| word << 8 | u64::from(*b));
    let x = fold(x, rest);
    fold(x, x >> 32)
}

impl Numbering {
    fn number(table: &mut Table, bytes: &[u8]) -> u32 {
        let next = table.len() as u32;
        *table.entry(digest(bytes)).or_insert(next)
    }

    /// A number for a named value, apart from those of words and texts; equal numbers mean equal pairs.
    pub fn named(&mut self, name: &str, value: &str) -> u32 {
        let length = (name.len() as u64).to_le_bytes();
        Self::number(&mut self.texts, &[b"v", length.as_slice(), name.as_bytes(), value.as_bytes()].concat())
    }

    /// The unit of a text; `None` when nothing but marks is in it.
    pub fn unit(&mut self, step: u32, actor: Actor, text: &str) -> Option<Unit> {
        let normal = normal_form(text);
        if !normal.chars().any(char::is_alphanumeric) {
            return None;
        }
        // A raw text and a normal form may be the same text: a separate first byte keeps them apart.
        let raw = Self::number(&mut self.texts, &[b"r", text.trim().as_bytes()].concat());
        let number = Self::number(&mut self.texts, &[b"n", normal.as_bytes()].concat());
        let words = self.words_of(&normal);
        Some(Unit { step, actor, raw, normal: number, words })
    }

    fn words_of(&mut self, normal: &str) -> Vec<u32> {
        let (mut words, mut common) = (Vec::new(), Vec::new());
        let mut place = |number: u32, word: &str| {
            if STOP_WORDS.binary_search(&word).is_ok() { common.push(number) } else { words.push(number) }
        };
        for word in normal.split(|c: char| !(c.is_alphanumeric() || c == '#' || c == '_')) {
            if word.is_ascii() {
                if !word.is_empty() {
                    place(Self::number(&mut self.words, word.as_bytes()), word);
                }
            } else {
                pieces(word, &mut |piece| place(Self::number(&mut self.words, piece.as_bytes()), piece));
            }
        }
        let mut out = if words.is_empty() { common } else { words };
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The texts of a run that are aligned: thoughts and texts of the agent, and what people said.
pub fn units_of(run: &Run, numbering: &mut Numbering) -> Units {
    let mut out = Units::default();
    for (i, step) in run.steps.iter().enumerate() {
        if !matches!(step.kind, StepKind::Thought | StepKind::Say | StepKind::Person) {
            continue;
        }
        match numbering.unit(i as u32, step.actor(), &step.content.text) {
            Some(unit) => out.units.push(unit),
            None if step.kind == StepKind::Thought => out.withheld += 1,
            None => {}
        }
    }
    out
}

/// Splits a word where its script changes; parts of scripts without spaces go by three characters.
fn pieces(word: &str, take: &mut dyn FnMut(&str)) {
    let mut from = 0;
    let mut rest = word.char_indices().peekable();
    while let Some((_, c)) = rest.next() {
        let dense = without_spaces(c);
        let end = rest.peek().map_or(word.len(), |(at, _)| *at);
        if rest.peek().is_some_and(|(_, next)| without_spaces(*next) == dense) {
            continue;
        }
        let part = word.get(from..end).unwrap_or_default();
        from = end;
        let starts: Vec<usize> = part.char_indices().map(|(at, _)| at).chain([part.len()]).collect();
        if !dense || starts.len() <= 4 {
            take(part);
            continue;
        }
        for group in starts.windows(4) {
            if let [start, _, _, end] = group {
                take(part.get(*start..*end).unwrap_or_default());
            }
        }
    }
}

/// Thai, Lao, Tibetan, Burmese, Khmer, Chinese characters, kana.
fn without_spaces(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0FFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The normal form of a text.
pub fn normal_form(text: &str) -> String {
    let folded: String =
        if text.is_ascii() { text.to_ascii_lowercase() } else { text.nfkc().flat_map(char::to_lowercase).collect() };
    let mut out = String::with_capacity(folded.len());
    let mut fenced = false;
    for line in folded.lines() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
            if fenced {
                push_word(&mut out, "```");
            }
            continue;
        }
        if !fenced {
            line.split_whitespace().for_each(|word| normal_word(word, &mut out));
        }
    }
    out
}

fn push_word(out: &mut String, word: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

fn normal_word(word: &str, out: &mut String) {
    let bytes = word.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    if word.contains("://") || word.starts_with("www.") {
        return push_word(out, "#url");
    }
    if digits < 4 && !(digits > 0 && bytes.len() >= 8) {
        return push_word(out, word);
    }
    let core = word.trim_matches(|c: char| !c.is_alphanumeric());
    let hex = |s: &str| s.bytes().all(|b| b.is_ascii_hexdigit());
    if core.strip_prefix("0x").is_some_and(|rest| rest.len() >= 4 && hex(rest))
        || core.len() == 36 && core.bytes().filter(|b| *b == b'-').count() == 4 && hex(&core.replace('-', ""))
        || core.len() >= 8 && hex(core) && core.bytes().any(|b| b.is_ascii_alphabetic())
    {
        return push_word(out, "#id");
    }
    if core.len() >= 10 && parse_time(core).is_some() {
        return push_word(out, "#time");
    }
    if !out.is_empty() {
        out.push(' ');
    }
    // Runs of four digits or more.
    let mut run = String::new();
    for c in word.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            run.push(c);
            continue;
        }
        if run.len() >= 4 {
            out.push('#');
        } else {
            out.push_str(&run);
        }
        run.clear();
        if c != '\n' {
            out.push(c);
        }
    }
}

/// Words of no meaning of their own, sorted. A letter alone is what an apostrophe leaves behind.
const STOP_WORDS: [&str; 138] = [
    "a",
    "about",
    "after",
    "again",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "between",
    "both",
    "but",
    "by",
    "can",
    "could",
    "d",
    "did",
    "do",
    "does",
    "doing",
    "don",
    "down",
    "during",
    "each",
    "few",
    "for",
    "from",
    "further",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "hers",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "just",
    "let",
    "ll",
    "m",
    "may",
    "me",
    "might",
    "more",
    "most",
    "must",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "re",
    "s",
    "same",
    "shall",
    "she",
    "should",
    "so",
    "some",
    "such",
    "t",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "us",
    "ve",
    "very",
    "was",
    "we",
    "well",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "why",
    "will",
    "with",
    "would",
    "yes",
    "yet",
    "you",
    "your",
    "yours",
    "yourself",
    "yourselves",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn normal_forms() {
        let same = |a: &str, b: &str| assert_eq!(normal_form(a), normal_form(b), "{a:?} {b:?}");
        let differ = |a: &str, b: &str| assert_ne!(normal_form(a), normal_form(b), "{a:?} {b:?}");
        same("Run  the\ntests", "run the tests");
        same("see https://a.b/c now", "see http://d.e now");
        same("at 2026-01-01T00:00:00Z", "at 2025-01-02T10:00:00Z");
        same("order 123456", "order 9876543");
        same("commit 4f2a91bc", "commit 00ff12aa");
        same("x\n```py\nprint(1)\n```\ny", "x\n```\nother\n```\ny");
        same("ﬁle", "file");
        differ("5 failed", "4 failed");
        differ("port 80", "port 443");
        differ("x\n```\na\n```", "x");
    }

    #[test]
    fn words() {
        let mut numbering = Numbering::default();
        let mut count = |text: &str| numbering.unit(0, Actor::Agent, text).map(|u| u.words.len());
        assert_eq!(count("I will run the tests"), Some(2));
        assert_eq!(count("I will do it"), Some(4), "stop words count where there are no others");
        assert_eq!(count("…"), None);
        assert_eq!(count("讀取檔案"), Some(2), "by threes");
        assert_eq!(count("讀取file檔"), Some(3), "cut where the script changes");
    }
}
