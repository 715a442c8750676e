//! What is left out of a run that is too long for one request, by rule: the same run gives the same lines.
//!
//! In this order, until it fits: results are cut to their head and tail; rounds of loops are folded after the first;
//! everything but thoughts, words of people, failures and changes is cut shorter; at last these too. What does not fit
//! even then is judged in parts that overlap by a turn (`chunks`). Coverage is the share of characters that is sent as
//! it stands. Cost: O(bytes) a level.

use super::cost;
use super::digest;
use super::evidence::Piece;
use crate::model::Repeat;

/// How much of a text stays: characters of its head and of its tail.
#[derive(Clone, Copy)]
struct Keep(usize, usize);

/// Levels: results, inputs and texts of what can be missed, the same of what matters, folding.
const LEVELS: [(Keep, Keep, Keep, bool); 6] = [
    (WHOLE, WHOLE, WHOLE, false),
    (Keep(600, 400), WHOLE, WHOLE, false),
    (Keep(600, 400), WHOLE, WHOLE, true),
    (Keep(300, 150), Keep(400, 200), Keep(3_000, 1_500), true),
    (Keep(120, 60), Keep(200, 80), Keep(1_200, 600), true),
    (Keep(60, 30), Keep(100, 40), Keep(400, 200), true),
];
const WHOLE: Keep = Keep(usize::MAX, 0);

/// What of a run is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    pub steps: u32,
    /// Steps with a line of their own.
    pub shown: u32,
    /// Steps in a folded round.
    pub folded: u32,
    /// Steps of which something was cut.
    pub cut: u32,
    pub chars: u64,
    /// Characters that are sent as they stand.
    pub verbatim: u64,
    /// 0: nothing was left out.
    pub level: u8,
}

impl Coverage {
    /// Share of the characters that is sent as it stands; 1 of an empty run.
    pub fn share(&self) -> f64 {
        if self.chars == 0 { 1.0 } else { self.verbatim as f64 / self.chars as f64 }
    }
}

/// A line to send, with its step.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Index of its step; of a fold, of the first step in it.
    pub step: u32,
    pub turn: Option<u32>,
    pub text: String,
}

/// A run that was made to fit, or its shortest form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shrunk {
    pub lines: Vec<Line>,
    pub coverage: Coverage,
    /// Tokens of all lines, about.
    pub tokens: f64,
}

/// Shortens as little as is needed for `budget` tokens.
pub fn shrink(pieces: &[Piece], repeats: &[Repeat], budget: f64) -> Shrunk {
    let mut best = Shrunk::default();
    for level in 0..LEVELS.len() {
        best = at_level(pieces, repeats, level);
        if best.tokens <= budget {
            break;
        }
    }
    best
}

/// As short as `shrink` would make it for parts: results cut, loops folded. What is left is judged in pieces.
pub fn for_parts(pieces: &[Piece], repeats: &[Repeat]) -> Shrunk {
    at_level(pieces, repeats, 2)
}

pub(super) fn at_level(pieces: &[Piece], repeats: &[Repeat], level: usize) -> Shrunk {
    let (result, rest, matters, fold) = LEVELS.get(level).copied().unwrap_or((WHOLE, WHOLE, WHOLE, false));
    let mut out = Shrunk { coverage: Coverage { level: level as u8, ..Coverage::default() }, ..Shrunk::default() };
    let coverage = &mut out.coverage;
    coverage.steps = pieces.len() as u32;
    let mut announced: Vec<u32> = Vec::new();
    for piece in pieces {
        let chars = piece.chars();
        coverage.chars += chars;
        let round = repeats.iter().find(|r| fold && (r.first_end..r.end).contains(&piece.step) && r.times > 1);
        // A person in the middle of a loop is no round of it.
        if let Some(repeat) = round.filter(|_| piece.kind != "person") {
            coverage.folded += 1;
            if !announced.contains(&repeat.start) {
                announced.push(repeat.start);
                let text = format!(
                    "{{\"folded\":\"steps {} to {} repeat steps {} to {}, {} rounds in all\"}}",
                    u64::from(piece.step) + 1,
                    repeat.end,
                    u64::from(repeat.start) + 1,
                    repeat.first_end,
                    repeat.times
                );
                out.lines.push(Line { step: piece.step, turn: piece.turn, text });
            }
            continue;
        }
        let (of_text, of_result) = if piece.keep { (matters, matters) } else { (rest, result) };
        let mut short = piece.clone();
        let mut gone = 0;
        for (text, keep) in [(&mut short.text, of_text), (&mut short.input, of_text), (&mut short.result, of_result)] {
            gone += cut(text, keep);
        }
        coverage.shown += 1;
        coverage.cut += u32::from(gone > 0);
        coverage.verbatim += chars.saturating_sub(gone);
        out.lines.push(Line { step: piece.step, turn: piece.turn, text: short.line() });
    }
    out.tokens = out.lines.iter().map(|l| cost::tokens(&l.text)).sum();
    out
}

/// Cuts the middle out and says how much it was; returns the characters that are gone.
fn cut(text: &mut String, keep: Keep) -> u64 {
    let chars = text.chars().count();
    // The note is about 40 characters: cutting less than that makes nothing shorter.
    if keep.0 == usize::MAX || chars <= keep.0 + keep.1 + 60 {
        return 0;
    }
    let at = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(i, _)| i);
    let (head, tail) = (at(keep.0), at(chars - keep.1));
    let middle = text.get(head..tail).unwrap_or_default();
    let gone = chars - keep.0 - keep.1;
    let note = format!("[… {gone} characters, sha {}]", digest([middle], 8));
    *text = format!("{}{note}{}", text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    gone as u64
}

/// Parts of at most `budget` tokens, as ranges of lines: cut between turns, each with the last turn of the one before,
/// but at least half of it new. A line longer than the budget is a part alone.
pub fn chunks(lines: &[Line], budget: f64) -> Vec<(usize, usize)> {
    let sizes: Vec<f64> = lines.iter().map(|l| cost::tokens(&l.text)).collect();
    let size = |from: usize, to: usize| sizes.get(from..to).map_or(0.0, |s| s.iter().sum::<f64>());
    let turn = |i: usize| lines.get(i).and_then(|l| l.turn);
    let begins = |i: usize| turn(i).is_none() || i == 0 || turn(i) != turn(i - 1);
    let mut out = Vec::new();
    let (mut from, mut new) = (0, 0);
    while new < lines.len() {
        let mut to = new + 1;
        let mut total = size(from, to);
        while let Some(more) = sizes.get(to).filter(|more| total + **more <= budget) {
            total += more;
            to += 1;
        }
        // Back to the last beginning of a turn, unless one turn is all there is.
        if to < lines.len()
            && let Some(at) = (new + 1..=to).rev().find(|i| begins(*i))
        {
            to = at;
        }
        out.push((from, to));
        // The turn before the cut is told again, when there is room for as much that is new.
        let overlap = (from.max(new)..to).rev().find(|i| begins(*i)).unwrap_or(to);
        from = if size(overlap, to) * 2.0 <= budget && overlap > new { overlap } else { to };
        new = to;
    }
    out
}
