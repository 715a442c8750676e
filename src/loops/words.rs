//! How alike are two texts? Jaccard index of their words without stop words; of text without spaces (Chinese, Japanese,
//! Thai) of its runs of three letters. O(length), at most the first 4,000 letters of a text.
//! Letter case, code between fences, and digits in rows of four and more say nothing.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Letters that are read of a text.
const MAX_CHARS: usize = 4_000;

const STOP_WORDS: [&str; 60] = [
    "a", "about", "all", "also", "am", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "for", "from", "had", "has", "have", "i", "if", "in", "into", "is", "it", "its", "let", "me",
    "my", "no", "not", "now", "of", "on", "or", "our", "should", "so", "some", "than", "that", "the", "their", "them",
    "then", "there", "these", "this", "to", "was", "we", "will", "with", "would", "you",
];

/// A text as the sorted digests of its words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Words(Vec<u64>);

impl Words {
    pub fn of(text: &str) -> Self {
        let mut out = Vec::new();
        let mut fenced = false;
        let mut left = MAX_CHARS;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
                continue;
            }
            if fenced || left == 0 {
                continue;
            }
            for word in line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()) {
                left = left.saturating_sub(word.len());
                add(word, &mut out);
            }
        }
        out.sort_unstable();
        out.dedup();
        Self(out)
    }

    /// From 0 to 1. Two texts without words are as unlike as can be: nothing was said.
    pub fn alike(&self, other: &Self) -> f64 {
        let (a, b) = (&self.0, &other.0);
        let (mut i, mut j, mut both) = (0, 0, 0usize);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    both += 1;
                    i += 1;
                    j += 1;
                }
            }
        }
        let all = a.len() + b.len() - both;
        if all == 0 { 0.0 } else { both as f64 / all as f64 }
    }

    /// Whether the sizes alone rule `alike >= bound` out.
    pub fn too_unlike(&self, other: &Self, bound: f64) -> bool {
        let (a, b) = (self.0.len() as f64, other.0.len() as f64);
        a.min(b) < bound * a.max(b)
    }
}

fn add(word: &str, out: &mut Vec<u64>) {
    if !word.is_ascii() && word.chars().any(without_spaces) {
        let letters: Vec<char> = word.chars().collect();
        if letters.len() < 3 {
            out.push(digest(word));
        }
        out.extend(letters.windows(3).map(digest));
        return;
    }
    let lower = word.to_lowercase();
    if STOP_WORDS.binary_search(&lower.as_str()).is_ok() {
        return;
    }
    let digits = lower.bytes().filter(u8::is_ascii_digit).count();
    out.push(if digits >= 4 && digits == lower.len() { digest("#") } else { digest(lower.as_str()) });
}

/// Letters of scripts that are written without spaces.
fn without_spaces(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

fn digest<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expected: f64) {
        let alike = Words::of(a).alike(&Words::of(b));
        assert!((alike - expected).abs() < 1e-9, "{a:?} {b:?}: {alike}");
        assert!(!Words::of(a).too_unlike(&Words::of(b), alike));
    }

    #[test]
    fn words_are_compared_without_what_says_nothing() {
        check("I will read the file", "Now read FILE", 1.0);
        check("read file", "read files", 1.0 / 3.0);
        check("order 12345 shipped", "order 99999 shipped", 1.0);
        check("5 failed", "4 failed", 1.0 / 3.0);
        check("see\n```\nlet x = 1;\n```\n", "see\n```\nother\n```", 1.0);
        check("讀取檔案內容", "讀取檔案內容", 1.0);
        check("讀取檔案", "讀取檔名", 1.0 / 3.0);
        check("", "", 0.0);
        check("the", "a", 0.0);
    }

    #[test]
    fn the_stop_words_are_in_order() {
        assert!(STOP_WORDS.windows(2).all(|w| w[0] < w[1]));
    }
}
