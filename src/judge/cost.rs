//! Tokens before there is a tokenizer, and what they cost: always a range. O(length).
//!
//! Prose has about four bytes a token, code and JSON three, Chinese and Japanese one character; models differ by a
//! quarter either way. What a model then counts corrects the estimate for that model.

/// How far an estimate may be off, either way.
pub const MARGIN: f64 = 0.25;

/// From and to; both included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    pub fn plus(self, other: Range) -> Range {
        Range { low: self.low + other.low, high: self.high + other.high }
    }

    pub fn times(self, n: f64) -> Range {
        Range { low: self.low * n, high: self.high * n }
    }
}

/// Tokens of a text, about.
pub fn tokens(text: &str) -> f64 {
    let (mut letters, mut signs, mut wide, mut other) = (0u64, 0u64, 0u64, 0u64);
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | ' ' | '\n' | '\t' => letters += 1,
            c if c.is_ascii() => signs += 1,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' => {
                wide += 1;
            }
            c => other += c.len_utf8() as u64,
        }
    }
    // Signs and digits make code; prose has few.
    let ascii = (letters + signs) as f64;
    let a_token = if signs as f64 > ascii * 0.15 { 3.0 } else { 4.0 };
    ascii / a_token + wide as f64 + other as f64 / 2.0
}

/// The range around an estimate. `factor`: what the model counted of earlier estimates, where that is known.
pub fn range(tokens: f64, factor: Option<f64>) -> Range {
    match factor {
        // Known from the same model: the rest of the doubt is how one text differs from another.
        Some(factor) => Range { low: tokens * factor * 0.92, high: tokens * factor * 1.08 },
        None => Range { low: tokens * (1.0 - MARGIN), high: tokens * (1.0 + MARGIN) },
    }
}

/// US dollars a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    pub input: f64,
    pub output: f64,
}

impl Prices {
    /// Dollars for tokens in and out.
    pub fn of(self, input: f64, output: f64) -> f64 {
        (input * self.input + output * self.output) / 1e6
    }

    pub fn range(self, input: Range, output: Range) -> Range {
        Range { low: self.of(input.low, output.low), high: self.of(input.high, output.high) }
    }
}
