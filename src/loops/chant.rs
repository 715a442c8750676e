//! D9: does a text say the same piece over and over? O(length): a cheap look decides who is read letter by letter.
//!
//! A window of 50 letters that stands there ten times, at most 250 letters apart on average, with at most five
//! different texts from one to the next: the rule and the constants of Gemini CLI. [`first_chant`] reads a stream in
//! chunks, as that program does; the detector looks at a text as a whole, without code between fences, tables, lists,
//! headings and quotes, which repeat themselves by nature.

use std::collections::{BTreeSet, HashMap};

use super::lane::{Found, Lane};
use super::{Detector, Params};
use crate::model::StepKind;

/// Letters of the window.
const WINDOW: usize = 50;
/// Letters from one occurrence to the next, on average.
const MAX_GAP: usize = 250;
/// Letters that a stream remembers.
const HISTORY: usize = 5_000;

pub fn chants(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    for &index in &lane.steps {
        let Some(step) = lane.get(index) else { continue };
        if !matches!(step.kind, StepKind::Thought | StepKind::Say)
            || step.content.text.len() < WINDOW + params.chants as usize
        {
            continue;
        }
        let mut times = 0;
        for piece in pieces(&step.content.text) {
            if looks_repeated(piece.as_bytes()) {
                times = times.max(occurrences(&piece, params.chants as usize));
            }
        }
        if times > 0 {
            found.spans.push(lane.said(Detector::Chanting, vec![index], 1, times as u32));
        }
    }
}

/// The runs of plain lines of a text.
fn pieces(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut piece = String::new();
    let mut fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let fence = trimmed.starts_with("```");
        if fence {
            fenced = !fenced;
        }
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = digits > 0 && trimmed.get(digits..).is_some_and(|r| r.starts_with(". ") || r.starts_with(") "));
        let marked = ["- ", "* ", "+ ", "> ", "|", "#"].iter().any(|m| trimmed.starts_with(m));
        let rule = !trimmed.is_empty() && !trimmed.contains(char::is_alphanumeric);
        if fence || fenced || numbered || marked || rule {
            if piece.len() >= WINDOW {
                out.push(std::mem::take(&mut piece));
            }
            piece.clear();
            continue;
        }
        piece.push_str(line);
        piece.push('\n');
    }
    if piece.len() >= WINDOW {
        out.push(piece);
    }
    out
}

/// Whether 16 bytes from every eighth place come again often enough for a chant: it holds at least four such places in
/// each occurrence. Answers yes a little too often, and no only where nothing is.
fn looks_repeated(text: &[u8]) -> bool {
    const GRAM: usize = 16;
    let word = |at: usize| -> Option<(u64, u64)> {
        let bytes = text.get(at..at + GRAM)?;
        let (a, b) = bytes.split_at(8);
        Some((u64::from_le_bytes(a.try_into().ok()?), u64::from_le_bytes(b.try_into().ok()?)))
    };
    let bits = (text.len() / 4 + 64).next_power_of_two().trailing_zeros();
    // Places from 1; 0 is empty.
    let mut table = vec![0u32; 1 << bits];
    let mut hits = 0;
    for at in 0..text.len().saturating_sub(GRAM - 1) {
        let Some((a, b)) = word(at) else { break };
        let slot = ((a ^ b.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
        let Some(entry) = table.get_mut(slot) else { break };
        if *entry > 0 && word(*entry as usize - 1) == Some((a, b)) {
            hits += 1;
            if hits >= 12 {
                return true;
            }
        }
        if at % 8 == 0 {
            *entry = at as u32 + 1;
        }
    }
    false
}

/// Whether some window may stand `need` times in the text; no only where none does. A digest that rolls along counts into a
/// table without looking at what it counted, so that a text without a chant costs a few instructions a letter.
fn comes_often(letters: &[char], need: usize) -> bool {
    const BASE: u64 = 0x0000_0100_0000_01B3;
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let Some(windows) = (letters.len() + 1).checked_sub(WINDOW) else { return false };
    if windows < need {
        return false;
    }
    let most = u8::try_from(need).unwrap_or(u8::MAX).max(1);
    let outgoing = (0..WINDOW).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let bits = (2 * windows).next_power_of_two().trailing_zeros();
    let mut counts = vec![0u8; 1 << bits];
    let mut digest = 0u64;
    for (at, &letter) in letters.iter().enumerate() {
        digest = digest.wrapping_mul(BASE).wrapping_add(u64::from(u32::from(letter)));
        if let Some(&gone) = at.checked_sub(WINDOW).and_then(|out| letters.get(out)) {
            digest = digest.wrapping_sub(u64::from(u32::from(gone)).wrapping_mul(outgoing));
        }
        if at + 1 >= WINDOW {
            let slot = (digest.wrapping_mul(MIX) >> (64 - bits)) as usize;
            if let Some(count) = counts.get_mut(slot) {
                *count = count.saturating_add(1);
                if *count >= most {
                    return true;
                }
            }
        }
    }
    false
}

/// How often the window that comes most often in a chant stands in the text; 0 when nothing is chanted.
fn occurrences(text: &str, need: usize) -> usize {
    let letters: Vec<char> = text.chars().collect();
    if !comes_often(&letters, need) {
        return 0;
    }
    let mut stream = Stream::new(letters, usize::MAX, need);
    let end = stream.letters.len();
    if !stream.read(end) {
        return 0;
    }
    let window = stream.letters.get(stream.next..stream.next + WINDOW).unwrap_or_default();
    let mut times = 0;
    let mut at = 0;
    while let Some(here) = stream.letters.get(at..at + WINDOW) {
        times += usize::from(here == window);
        at += 1;
    }
    times
}

/// Where a stream that comes in chunks of `chunk` letters is first a chant: the place of that chunk.
pub fn first_chant(text: &str, chunk: usize) -> Option<usize> {
    let letters: Vec<char> = text.chars().collect();
    let n = letters.len();
    let chunk = chunk.max(1);
    if !comes_often(&letters, 10) {
        return None;
    }
    let mut stream = Stream::new(letters, HISTORY, 10);
    (0..n).step_by(chunk).find(|&from| stream.read((from + chunk).min(n)))
}

/// A text that is read window by window.
struct Stream {
    letters: Vec<char>,
    history: usize,
    need: usize,
    /// The next window.
    next: usize,
    /// Places of each window by its digest; looked up only.
    seen: HashMap<u64, Vec<usize>>,
}

impl Stream {
    fn new(letters: Vec<char>, history: usize, need: usize) -> Self {
        Self { letters, history, need: need.max(2), next: 0, seen: HashMap::new() }
    }

    /// Reads the windows up to `end`; true at the first that completes a chant.
    fn read(&mut self, end: usize) -> bool {
        let base = end.saturating_sub(self.history);
        self.next = self.next.max(base);
        while self.next + WINDOW <= end {
            if self.window(base) {
                return true;
            }
            self.next += 1;
        }
        false
    }

    fn window(&mut self, base: usize) -> bool {
        const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
        let at = self.next;
        let Some(window) = self.letters.get(at..at + WINDOW) else { return false };
        let digest = window.iter().fold(0u64, |h, &c| (h.rotate_left(5) ^ u64::from(u32::from(c))).wrapping_mul(BASE));
        let places = self.seen.entry(digest).or_default();
        if places.first().is_some_and(|&p| p < base) {
            places.retain(|&p| p >= base);
        }
        if let Some(&first) = places.first()
            && self.letters.get(first..first + WINDOW) != Some(window)
        {
            return false;
        }
        places.push(at);
        let Some(recent) = places.len().checked_sub(self.need).and_then(|from| places.get(from..)) else {
            return false;
        };
        let (Some(&first), Some(&last)) = (recent.first(), recent.last()) else { return false };
        if last - first > MAX_GAP * (self.need - 1) {
            return false;
        }
        let between: BTreeSet<&[char]> = recent.windows(2).filter_map(|w| self.letters.get(w[0]..w[1])).collect();
        between.len() <= self.need / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, times: usize) {
        let found = pieces(text).iter().filter(|p| looks_repeated(p.as_bytes())).map(|p| occurrences(p, 10)).max();
        assert_eq!(found.unwrap_or(0), times, "{text:?}");
    }

    #[test]
    fn a_chant_is_ten_times_the_same_close_together() {
        let sentence = "I will now look at the file again and see what it says. ";
        check(&sentence.repeat(9), 0);
        check(&sentence.repeat(10), 10);
        check(&sentence.repeat(20), 20);
        check(&format!("Before. {}After.", sentence.repeat(12)), 12);
        // Far apart, or each time with something else between.
        let filler: String = (0..60).map(|i| format!("word{i} ")).collect();
        check(&format!("{sentence}{filler}").repeat(12), 0);
        let differing: String = (0..20).map(|i| format!("{sentence}{i} {} ", "xyz".repeat(i))).collect();
        check(&differing, 0);
        // What repeats itself by nature.
        check(&"| a cell of a table that is wide enough to be a window | x |\n".repeat(30), 0);
        check(&format!("```\n{}\n```", sentence.repeat(20)), 0);
        check(&"-".repeat(500), 0);
        check("", 0);
    }

    #[test]
    fn what_is_not_counted_often_is_no_chant_either() {
        // A small alphabet with long memories: windows come again by chance, near and far.
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut chants = 0;
        for _ in 0..400 {
            let unit: String = (0..20 + next(60)).map(|_| char::from(b'a' + next(3) as u8)).collect();
            let text: String = (0..next(24)).map(|_| format!("{unit}{}", "x".repeat(next(3) as usize))).collect();
            let letters: Vec<char> = text.chars().collect();
            let mut stream = Stream::new(letters.clone(), usize::MAX, 10);
            if stream.read(letters.len()) {
                chants += 1;
                assert!(comes_often(&letters, 10), "{text:?}");
            }
            assert!(!comes_often(&letters, letters.len() + 1));
        }
        assert!(chants > 20, "{chants}");
    }

    #[test]
    fn the_cheap_look_misses_no_chant() {
        for gap in [0usize, 1, 5, 13, 40, 100, 190] {
            let filler: String = (0..gap).map(|i| char::from(b'a' + ((i * 7 + gap) % 26) as u8)).collect();
            for window in [
                "the quick brown fox jumps over the lazy dog and on.",
                "絵文字の繰り返しはここにあり、五十文字の窓が十回続けば詠唱とみなされる。まだ足りないのでもう少し書き足しておく。",
            ] {
                let text = format!("{window}{filler}").repeat(14);
                if occurrences(&text, 10) > 0 {
                    assert!(looks_repeated(text.as_bytes()), "{gap} {window}");
                }
            }
        }
    }
}
