//! Regular expressions that a backtracking engine may take forever on.
//!
//! Decides by shape: a repeated group of which one alternative can itself match any number of times in more than one
//! way, such as `(a+)+`, `(\w+\s?)*` or `(a*b*)*`. A group whose repetition is kept apart by something that must stand
//! there, such as `([a-z]+\.)+`, is fine. Our own engine is linear; other readers of the schema have none that is.
//! O(length), recursion bounded by [`MAX_GROUPS`].

/// Deeper groups count as catastrophic without a look.
const MAX_GROUPS: usize = 32;

/// Whether a backtracking engine may need time that grows exponentially with the text.
pub fn is_catastrophic(pattern: &str) -> bool {
    let chars: Vec<char> = pattern.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, found: false };
    reader.group(0);
    reader.found
}

/// A part of a sequence.
#[derive(Clone, Copy)]
struct Part {
    /// It may match nothing.
    empty: bool,
    /// It may match the same text any number of times over.
    unbounded: bool,
}

struct Reader<'p> {
    chars: &'p [char],
    at: usize,
    found: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Reads alternatives up to a closing parenthesis or the end.
    fn group(&mut self, depth: usize) -> Part {
        let mut whole = Part { empty: false, unbounded: false };
        let mut sequence: Vec<Part> = Vec::new();
        loop {
            match self.peek() {
                None | Some(')') | Some('|') => {
                    let empty = sequence.iter().all(|p| p.empty);
                    let solid = sequence.iter().filter(|p| !p.empty).count();
                    let unbounded = sequence.iter().any(|p| p.unbounded && (solid == 0 || (solid == 1 && !p.empty)))
                        || (solid == 1
                            && sequence.iter().any(|p| p.unbounded && p.empty)
                            && sequence.iter().all(|p| p.empty || p.unbounded));
                    whole.empty |= empty;
                    whole.unbounded |= unbounded;
                    sequence.clear();
                    if self.peek() != Some('|') {
                        return whole;
                    }
                    self.at += 1;
                }
                Some(_) => {
                    let part = self.part(depth);
                    sequence.push(part);
                }
            }
        }
    }

    fn part(&mut self, depth: usize) -> Part {
        let mut part = match self.peek() {
            Some('(') => {
                self.at += 1;
                let looks = self.looks_around();
                if depth >= MAX_GROUPS {
                    self.found = true;
                    self.at = self.chars.len();
                    return Part { empty: false, unbounded: false };
                }
                let inner = self.group(depth + 1);
                self.at += 1;
                if looks { Part { empty: true, unbounded: false } } else { inner }
            }
            Some('[') => {
                self.class();
                Part { empty: false, unbounded: false }
            }
            Some('\\') => {
                let word_edge = matches!(self.chars.get(self.at + 1), Some('b' | 'B'));
                self.at += 2;
                Part { empty: word_edge, unbounded: false }
            }
            Some('^' | '$') => {
                self.at += 1;
                Part { empty: true, unbounded: false }
            }
            _ => {
                self.at += 1;
                Part { empty: false, unbounded: false }
            }
        };
        if let Some((least, endless)) = self.quantifier() {
            if endless && part.unbounded {
                self.found = true;
            }
            part.empty |= least == 0;
            part.unbounded |= endless;
        }
        part
    }

    /// Reads what stands behind an opening parenthesis; true for a look ahead or behind.
    fn looks_around(&mut self) -> bool {
        if self.peek() != Some('?') {
            return false;
        }
        let rest: String = self.chars.iter().skip(self.at + 1).take(2).collect();
        self.at += 2;
        if rest.starts_with(['=', '!']) {
            return true;
        }
        if rest == "<=" || rest == "<!" {
            self.at += 1;
            return true;
        }
        if rest.starts_with(['<', 'P']) {
            while self.peek().is_some_and(|c| c != '>') {
                self.at += 1;
            }
            self.at += 1;
        }
        false
    }

    fn class(&mut self) {
        self.at += 1;
        if self.peek() == Some('^') {
            self.at += 1;
        }
        while let Some(c) = self.peek() {
            self.at += if c == '\\' { 2 } else { 1 };
            if c == ']' {
                return;
            }
        }
    }

    /// The least number of a quantifier, and whether it has no upper end.
    fn quantifier(&mut self) -> Option<(usize, bool)> {
        let found = match self.peek()? {
            '*' => (0, true),
            '+' => (1, true),
            '?' => (0, false),
            '{' => {
                let rest: String = self.chars.iter().skip(self.at + 1).take_while(|c| **c != '}').collect();
                let (least, most) = rest.split_once(',').unwrap_or((&rest, &rest));
                let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                if !number(least) || !(most.is_empty() || number(most)) {
                    return None;
                }
                self.at += rest.chars().count() + 1;
                (least.parse().unwrap_or(usize::MAX), most.is_empty())
            }
            _ => return None,
        };
        self.at += 1;
        if matches!(self.peek(), Some('?' | '+')) {
            self.at += 1;
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::is_catastrophic;

    #[test]
    fn shapes() {
        for bad in [
            "(a+)+$",
            "^(a*)*",
            r"(\w+\s?)+",
            "(a*b*)*",
            "(?:[a-z]+)*",
            "((a+))+",
            r"(\d+|x)+",
            "(a+){2,}",
            "((a)+)+",
            "(.*)*",
            "(?<n>a+)+",
            r"(x?\w*)*",
        ] {
            assert!(is_catastrophic(bad), "{bad}");
        }
        for good in [
            "",
            "a+",
            "^[a-z]{2}$",
            r"([a-z]+\.)+[a-z]+",
            r"^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$",
            "(ab)+",
            "(a|b)*",
            "(a+b+)*",
            r"(-[a-z]+)*",
            r"[(a+)+]",
            r"\(a+\)+",
            "(?=a+)+b",
            "(a+)?",
            "(a+){3}",
            "(",
            ")",
            "a{",
            "*",
            "(?",
            r"\",
            "[",
        ] {
            assert!(!is_catastrophic(good), "{good}");
        }
        assert!(!is_catastrophic(crate::skill::text::Rule::SemVer.pattern().unwrap_or_default()));
        assert!(is_catastrophic(&"(".repeat(100_000)));
    }
}
