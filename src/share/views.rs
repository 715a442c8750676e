//! The ways in which the same text can be written inside another: with JSON escapes (also escaped again), percent-encoded,
//! as base64. A view is the plain form together with where each of its bytes stands in the original.
//!
//! Cost: O(length) a level, and only for texts that hold an escape at all. At most [`LEVELS`] levels deep.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// How often a text is unwrapped: arguments inside a message inside a log line are two.
pub const LEVELS: u8 = 4;
/// Shorter runs of base64 letters are words.
const MIN_BASE64: usize = 16;
/// Longer ones are files; their beginning says whether they are text.
const MAX_BASE64: usize = 4 << 20;

/// A plain form of a text.
pub struct View<'a> {
    pub text: Cow<'a, str>,
    /// For each byte of `text` the range in the original that it comes from; `None`: the original itself.
    map: Option<Vec<(u32, u32)>>,
}

impl<'a> View<'a> {
    /// The text as it stands.
    pub fn plain(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), map: None }
    }

    /// The range of the original behind a range of the view.
    pub fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let Some(map) = &self.map else { return (start, end) };
        let first = map.get(start).map_or(0, |(from, _)| *from as usize);
        let last = end.checked_sub(1).and_then(|i| map.get(i)).map_or(first, |(_, to)| *to as usize);
        (first, last.max(first))
    }

    /// This view with another decoding on top; `None` when there is nothing to decode.
    fn decoded(&self, decode: impl Fn(&[u8], usize) -> Option<(Vec<u8>, usize)>, mark: u8) -> Option<View<'static>> {
        let bytes = self.text.as_bytes();
        if !bytes.contains(&mark) || u32::try_from(bytes.len()).is_err() {
            return None;
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut map = Vec::with_capacity(bytes.len());
        let mut at = 0;
        let mut changed = false;
        while let Some(&byte) = bytes.get(at) {
            let (value, used) = match (byte == mark).then(|| decode(bytes, at)).flatten() {
                Some(found) => {
                    changed = true;
                    found
                }
                None => (vec![byte], 1),
            };
            let (from, to) = self.original(at, at + used);
            for byte in value {
                out.push(byte);
                map.push((from as u32, to as u32));
            }
            at += used;
        }
        // A percent sign may stand for half a character: such a text is none.
        changed
            .then(|| String::from_utf8(out).ok())
            .flatten()
            .map(|text| View { text: Cow::Owned(text), map: Some(map) })
    }
}

/// Every plain form of a text, the text itself first.
pub fn views(text: &str) -> Vec<View<'_>> {
    let mut all = vec![View::plain(text)];
    let mut from = 0;
    for _ in 0..LEVELS {
        let end = all.len();
        let mut more = Vec::new();
        for view in all.get(from..end).unwrap_or_default() {
            more.extend(view.decoded(json_escape, b'\\'));
            more.extend(view.decoded(percent, b'%'));
        }
        from = end;
        if more.is_empty() {
            break;
        }
        all.extend(more);
    }
    all
}

/// The value of a JSON escape at `at`, and its length.
fn json_escape(bytes: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let simple = match bytes.get(at + 1)? {
        b'"' => b'"',
        b'\\' => b'\\',
        b'/' => b'/',
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => {
            let hex = |from: usize| -> Option<u32> {
                let digits = std::str::from_utf8(bytes.get(from..from + 4)?).ok()?;
                u32::from_str_radix(digits, 16).ok()
            };
            let high = hex(at + 2)?;
            let (code, used) = match high {
                0xd800..=0xdbff if bytes.get(at + 6..at + 8) == Some(b"\\u") => match hex(at + 8)? {
                    low @ 0xdc00..=0xdfff => (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 12),
                    _ => return None,
                },
                _ => (high, 6),
            };
            return Some((char::from_u32(code)?.to_string().into_bytes(), used));
        }
        _ => return None,
    };
    Some((vec![simple], 2))
}

/// The byte of `%XX` at `at`.
fn percent(bytes: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let digit = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
    let value = digit(at + 1)? * 16 + digit(at + 2)?;
    Some((vec![u8::try_from(value).ok()?], 3))
}

/// Runs of base64 that hold text: where they stand, and the text. Both alphabets, padding or none.
pub fn base64_texts(text: &str) -> impl Iterator<Item = (usize, usize, String)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let from = at + bytes.get(at..)?.iter().position(|b| is_base64(*b))?;
            let letters = bytes.get(from..)?.iter().take_while(|b| is_base64(**b)).count();
            let padding = bytes.get(from + letters..)?.iter().take_while(|b| **b == b'=').count().min(2);
            at = from + letters + padding;
            if (MIN_BASE64..=MAX_BASE64).contains(&letters)
                && let Some(inner) = text.get(from..from + letters).and_then(decode)
            {
                return Some((from, at, inner));
            }
        }
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The text behind base64 letters; `None` for words and for what is no text.
fn decode(letters: &str) -> Option<String> {
    const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    const STANDARD: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, CONFIG);
    const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::URL_SAFE, CONFIG);
    let engine = if letters.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    // A run may be one letter too long: whatever stood before it without a gap is not ours to know.
    let whole = letters.get(..letters.len() - usize::from(letters.len() % 4 == 1))?;
    let head = engine.decode(whole.get(..whole.len().min(64) / 4 * 4)?).ok()?;
    if !head.iter().all(|b| *b >= 0x20 || matches!(b, b'\n' | b'\r' | b'\t')) || head.is_empty() {
        return None;
    }
    String::from_utf8(engine.decode(whole).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_forms(text: &str) -> Vec<String> {
        views(text).into_iter().map(|v| v.text.into_owned()).collect()
    }

    #[test]
    fn every_way_of_writing_is_seen() {
        assert_eq!(plain_forms("plain"), ["plain"]);
        assert!(plain_forms(r"a\u0040b").contains(&"a@b".to_owned()));
        assert!(plain_forms(r"C:\\\\Users\\\\bob").contains(&r"C:\Users\bob".to_owned()));
        assert!(plain_forms("a%40b").contains(&"a@b".to_owned()));
        assert!(plain_forms(r"\u0025\u0034\u0030").contains(&"@".to_owned()));
        // Not text when decoded: the percent signs stay.
        assert_eq!(plain_forms("100%ff"), ["100%ff"]);
    }

    #[test]
    fn a_range_leads_back_to_the_original() {
        let text = r#"x \u0061\u0062c y"#;
        let all = views(text);
        let view = all.iter().find(|v| v.text == "x abc y").map(|v| v.original(2, 5));
        let (start, end) = view.unwrap_or_default();
        assert_eq!(text.get(start..end), Some(r"\u0061\u0062c"));
    }

    #[test]
    fn base64_that_holds_text() {
        let found: Vec<_> = base64_texts("see aGVsbG8gd29ybGQsIGhp== and aGVsbG8").collect();
        assert_eq!(found, [(4, 26, "hello world, hi".to_owned())]);
        assert_eq!(base64_texts("/////////////////////w==").count(), 0);
    }
}
