//! Text in a run that addresses its judge: orders to a model, claims of a verdict, tags of roles. Found by words, in any
//! case, over any signs between the words, through invisible characters and base64; what is found is shown to the user,
//! and the run is judged once more with it masked.
//!
//! It cannot find everything: quotes, fence and question of control do their part. Cost: O(length), two automata.

use aho_corasick::{AhoCorasick, MatchKind};

use super::evidence::Piece;
use crate::share::views::base64_texts;

/// Words that stand next to each other, with single spaces for whatever is between them.
const WORDS: &[&str] = &[
    "ignore previous",
    "ignore all previous",
    "ignore the previous",
    "ignore any previous",
    "ignore prior",
    "ignore all prior",
    "ignore the above",
    "ignore everything above",
    "ignore all instructions",
    "ignore your instructions",
    "ignore your rubric",
    "ignore the rubric",
    "disregard previous",
    "disregard all previous",
    "disregard the above",
    "disregard your instructions",
    "disregard prior",
    "forget previous instructions",
    "forget all previous",
    "forget your instructions",
    "override your instructions",
    "new instructions for the judge",
    "instructions for the judge",
    "instructions to the judge",
    "note to the judge",
    "note for the judge",
    "message to the judge",
    "attention judge",
    "dear judge",
    "to the evaluator",
    "attention evaluator",
    "dear evaluator",
    "note to evaluator",
    "note to the grader",
    "note to grader",
    "to the grader",
    "attention grader",
    "you are the judge",
    "you are a judge",
    "you are an evaluator",
    "you are the evaluator",
    "you are grading",
    "you are evaluating",
    "as the judge you",
    "llm judge",
    "ai judge",
    "the judge must",
    "the judge should",
    "the evaluator must",
    "the evaluator should",
    "the grader must",
    "the grader should",
    "answer yes to",
    "answer yes for",
    "verdict yes",
    "verdict must be",
    "verdict should be",
    "the verdict is",
    "every verdict",
    "all verdicts",
    "all criteria are met",
    "all criteria as met",
    "mark all criteria",
    "mark every criterion",
    "mark this run as",
    "rate this run",
    "score 10",
    "score of 10",
    "score 100",
    "10 out of 10",
    "full marks",
    "maximum score",
    "highest score",
    "perfect score",
    "give this run",
    "grade this run",
    "injection seen no",
    "winner a",
    "winner b",
    "system prompt override",
    "reveal your system prompt",
    "忽略之前的",
    "忽略先前的",
    "忽略以上",
    "忽略上述",
    "你是評審",
    "你是评审",
    "致評審",
    "致评审",
    "給予滿分",
    "给予满分",
    "判定為通過",
    "判定为通过",
];

/// Tags of roles and fences, as they stand.
const TAGS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|start_header_id|>",
    "<<sys>>",
    "[inst]",
    "[/inst]",
    "</run",
    "<run-",
    "<system>",
    "</system>",
    "### instruction",
    "### system",
];

/// The text that stands for what was masked.
pub const MASK: &str = "[masked]";

/// Finds such text.
pub struct Scanner {
    words: Option<AhoCorasick>,
    tags: Option<AhoCorasick>,
}

impl Default for Scanner {
    fn default() -> Self {
        let build = |list: &[&str]| {
            let mut builder = AhoCorasick::builder();
            builder.match_kind(MatchKind::LeftmostLongest).ascii_case_insensitive(true).build(list).ok()
        };
        Self { words: build(WORDS), tags: build(TAGS) }
    }
}

/// A place in a step that addresses the judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub step: u32,
    /// At most 120 characters of it.
    pub text: String,
}

impl Scanner {
    /// The sentences of a text that hold such words, as ranges of bytes; in order, apart from each other.
    pub fn scan(&self, text: &str) -> Vec<(usize, usize)> {
        let mut hits = self.plain(text);
        for (start, end, inner) in base64_texts(text) {
            if !self.plain(&inner).is_empty() {
                hits.push((start, end));
            }
        }
        hits.sort_unstable();
        let mut out: Vec<(usize, usize)> = Vec::new();
        for (start, end) in hits {
            match out.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => out.push((start, end)),
            }
        }
        out
    }

    fn plain(&self, text: &str) -> Vec<(usize, usize)> {
        let (flat, map) = flat(text);
        let mut hits = Vec::new();
        for hit in self.words.iter().flat_map(|w| w.find_iter(&flat)) {
            let edge = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric());
            let before = flat.get(..hit.start()).and_then(|t| t.chars().next_back());
            let after = flat.get(hit.end()..).and_then(|t| t.chars().next());
            if edge(before) && edge(after) {
                let start = map.get(hit.start()).copied().unwrap_or(0) as usize;
                let end = hit.end().checked_sub(1).and_then(|i| map.get(i)).map_or(start, |at| *at as usize + 1);
                hits.push(sentence(text, start, end));
            }
        }
        for hit in self.tags.iter().flat_map(|t| t.find_iter(text)) {
            hits.push(sentence(text, hit.start(), hit.end()));
        }
        hits
    }

    /// Where a run addresses its judge.
    pub fn hits(&self, pieces: &[Piece]) -> Vec<Hit> {
        let mut out = Vec::new();
        for piece in pieces {
            for text in [&piece.text, &piece.input, &piece.result, &piece.tool, &piece.agent] {
                out.extend(self.scan(text).into_iter().map(|(start, end)| Hit {
                    step: piece.step,
                    text: crate::format::one_line(text.get(start..end).unwrap_or_default(), 120),
                }));
            }
        }
        out
    }

    /// The steps with such text masked.
    pub fn mask(&self, pieces: &[Piece]) -> Vec<Piece> {
        let masked = |text: &str| {
            let mut out = String::with_capacity(text.len());
            let mut at = 0;
            for (start, end) in self.scan(text) {
                out.push_str(text.get(at..start).unwrap_or_default());
                out.push_str(MASK);
                at = end;
            }
            out.push_str(text.get(at..).unwrap_or_default());
            out
        };
        let one = |p: &Piece| Piece {
            text: masked(&p.text),
            input: masked(&p.input),
            result: masked(&p.result),
            tool: masked(&p.tool),
            agent: masked(&p.agent),
            ..p.clone()
        };
        pieces.iter().map(one).collect()
    }
}

/// Letters and digits with single spaces between words, and where each byte comes from. What is written out as
/// `\u{…}` is left away, as if it had never been there.
fn flat(text: &str) -> (String, Vec<u32>) {
    let mut out = String::with_capacity(text.len());
    let mut map = Vec::with_capacity(text.len());
    let mut rest = text.char_indices().peekable();
    let mut space = true;
    while let Some((at, c)) = rest.next() {
        if c == '\\' && text.get(at..).is_some_and(|t| t.starts_with("\\u{")) {
            let end = text.get(at..).and_then(|t| t.find('}')).map_or(at, |n| at + n);
            while rest.next_if(|(i, _)| *i <= end).is_some() {}
            continue;
        }
        // An escaped line break or tab in arguments is white space, not a letter.
        if c == '\\' && rest.next_if(|(_, c)| matches!(c, 'n' | 't' | 'r')).is_some() {
            if !space {
                out.push(' ');
                map.push(at as u32);
                space = true;
            }
            continue;
        }
        if c.is_alphanumeric() {
            out.push(c);
            map.extend(std::iter::repeat_n(at as u32, c.len_utf8()));
            space = false;
        } else if !space {
            out.push(' ');
            map.push(at as u32);
            space = true;
        }
    }
    (out, map)
}

/// The line or sentence around a range: what is masked is more than the words that gave it away.
fn sentence(text: &str, start: usize, end: usize) -> (usize, usize) {
    let ends = |c: char| matches!(c, '\n' | '。' | '！' | '？');
    let before = text.get(..start).unwrap_or_default();
    let from = [
        before.rfind(ends).map(|at| at + 1),
        before.rfind(". ").map(|at| at + 1),
        before.rfind("\\n").map(|at| at + 2),
    ];
    let mut from = from.into_iter().flatten().max().unwrap_or(0);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let end = text.len().min(end);
    let end = (end..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
    let after = text.get(end..).unwrap_or_default();
    let to = [after.find(ends), after.find(". "), after.find("\\n")].into_iter().flatten().min();
    (from.min(start), to.map_or(text.len(), |n| end + n))
}
