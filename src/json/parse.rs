//! Text -> tape. One pass over the bytes with an explicit stack; O(n) time, no recursion.

use super::value::{Doc, Kind, NO_PARENT, Tok};

/// Containers deeper than this are kept as one opaque token, so that readers of the tape may recurse.
pub const MAX_DEPTH: usize = 512;

/// No document lists more faults than this; the rest are only counted.
const MAX_FAULTS: usize = 256;

/// What is not JSON at one place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// `\ud83d` without its other half; read as U+FFFD.
    LoneSurrogate,
    /// `NaN`, `Infinity` or `-Infinity`; read as `null`.
    NotANumber,
    /// A control character below U+0020 inside a string; kept.
    ControlCharacter,
    /// A backslash before something that is no escape; kept as written.
    BadEscape,
    /// A comma before a closing bracket; ignored.
    TrailingComma,
    /// The text ends inside a value; open containers are closed.
    CutOff,
    /// Nesting beyond [`MAX_DEPTH`]; the inner value is kept unread.
    TooDeep,
    /// Something other than white space after the value.
    TextAfter,
    /// Something that is no JSON at all; reading stopped there.
    Unexpected,
    /// No value at all.
    Empty,
}

impl FaultKind {
    /// Whether the value could be read on past the fault.
    pub fn is_repair(self) -> bool {
        !matches!(self, Self::CutOff | Self::TextAfter | Self::Unexpected | Self::Empty)
    }

    /// The stable word for reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::LoneSurrogate => "lone-surrogate",
            Self::NotANumber => "not-a-number",
            Self::ControlCharacter => "control-character",
            Self::BadEscape => "bad-escape",
            Self::TrailingComma => "trailing-comma",
            Self::CutOff => "cut-off",
            Self::TooDeep => "too-deep",
            Self::TextAfter => "text-after",
            Self::Unexpected => "unexpected",
            Self::Empty => "empty",
        }
    }
}

/// A fault and the byte where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// Byte offset in the parsed text.
    pub at: usize,
}

/// The reusable store behind a [`Doc`].
#[derive(Default)]
pub struct Tape {
    pub(super) toks: Vec<Tok>,
    /// Offsets of the line breaks, so that the line of a value is found without reading the text again.
    pub(super) breaks: Vec<u32>,
    /// Open containers and how many tokens each holds directly.
    stack: Vec<(u32, u32)>,
    faults: Vec<Fault>,
    more_faults: usize,
    /// Whether the text is known to hold no control character.
    plain: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Value,
    /// A value or `]`.
    FirstItem,
    /// A key or `}`.
    FirstKey,
    Key,
    /// `,` or the closing bracket.
    Separator,
}

impl Tape {
    /// An empty tape; its memory is reused by every [`Tape::parse`].
    pub fn new() -> Self {
        Self::default()
    }

    /// What was not JSON in the last parsed text, in order of place.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Faults beyond the listed ones.
    pub fn unlisted_faults(&self) -> usize {
        self.more_faults
    }

    /// True when the last text could not be read to its end as one value.
    pub fn is_broken(&self) -> bool {
        self.faults.iter().any(|f| !f.kind.is_repair())
    }

    /// The fault that ended the reading, if one did.
    pub fn fatal(&self) -> Option<Fault> {
        self.faults.iter().copied().find(|f| !f.kind.is_repair())
    }

    /// Reads `text` as one JSON value.
    pub fn parse<'t>(&'t mut self, text: &'t str) -> Doc<'t> {
        self.load(text);
        self.doc(text)
    }

    /// The document of the `text` that was loaded last. With any other text the values are nonsense, but safe.
    pub fn doc<'t>(&'t self, text: &'t str) -> Doc<'t> {
        Doc::new(text, self)
    }

    /// Reads `text` without borrowing the tape for longer than that.
    pub fn load(&mut self, text: &str) {
        self.plain = !has_control(text.as_bytes());
        let end = self.read(text, 0);
        let rest = skip_space(text.as_bytes(), end);
        if rest < text.len() && !self.is_broken() {
            self.fault(FaultKind::TextAfter, rest);
        }
    }

    /// Reads the value that begins at or after `from` and says where it ends; for concatenated values.
    pub fn parse_next<'t>(&'t mut self, text: &'t str, from: usize) -> (Doc<'t>, usize) {
        // Looking through what follows the value, each time, would cost the square of the text.
        self.plain = false;
        let end = self.read(text, from);
        (Doc::new(text, self), end)
    }

    fn fault(&mut self, kind: FaultKind, at: usize) {
        if self.faults.len() < MAX_FAULTS || !kind.is_repair() {
            self.faults.push(Fault { kind, at });
        } else {
            self.more_faults += 1;
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, escaped: bool) {
        let next = self.toks.len() as u32 + 1;
        let (parent, index) = match self.stack.last_mut() {
            Some((open, count)) => {
                *count += 1;
                (*open, *count - 1)
            }
            None => (NO_PARENT, 0),
        };
        self.toks.push(Tok { start: start as u32, end: end as u32, next, parent, index, kind, escaped });
    }

    /// Takes the last token back, which must be a child of the open container.
    fn pop(&mut self) {
        self.toks.pop();
        if let Some((_, count)) = self.stack.last_mut() {
            *count -= 1;
        }
    }

    /// Skips white space, remembering its line breaks.
    fn space(&mut self, bytes: &[u8], mut at: usize) -> usize {
        while let Some(&b @ (b' ' | b'\n' | b'\r' | b'\t')) = bytes.get(at) {
            if b == b'\n' {
                self.breaks.push(at as u32);
            }
            at += 1;
        }
        at
    }

    /// Fills the tape from the value at `from`; returns the offset behind it.
    fn read(&mut self, text: &str, from: usize) -> usize {
        self.toks.clear();
        self.breaks.clear();
        self.stack.clear();
        self.faults.clear();
        self.more_faults = 0;
        let bytes = text.as_bytes();
        // Offsets are 32-bit; a longer text cannot be held by a 32-bit wasm memory anyway.
        if bytes.len() > u32::MAX as usize - 2 {
            self.fault(FaultKind::Unexpected, 0);
            self.push(Kind::Null, 0, 0, false);
            return bytes.len();
        }
        let mut at = self.space(bytes, from);
        if at >= bytes.len() {
            self.fault(FaultKind::Empty, at.min(bytes.len()));
            self.push(Kind::Null, bytes.len(), bytes.len(), false);
            return bytes.len();
        }
        let mut expect = Expect::Value;
        loop {
            at = self.space(bytes, at);
            let Some(&byte) = bytes.get(at) else {
                self.fault(FaultKind::CutOff, bytes.len());
                return self.close_all(bytes.len());
            };
            match expect {
                Expect::Value | Expect::FirstItem => {
                    if byte == b']' && self.open_kind() == Some(Kind::Array) {
                        if expect == Expect::Value {
                            self.fault(FaultKind::TrailingComma, at);
                        }
                        at = self.close(at + 1);
                        expect = Expect::Separator;
                    } else {
                        match self.value(bytes, at) {
                            Ok((next, opened)) => {
                                at = next;
                                expect = opened.unwrap_or(Expect::Separator);
                            }
                            Err(fault) => {
                                self.fault(fault.kind, fault.at);
                                return self.close_all(fault.at);
                            }
                        }
                    }
                }
                Expect::FirstKey | Expect::Key => {
                    if byte == b'}' {
                        if expect == Expect::Key {
                            self.fault(FaultKind::TrailingComma, at);
                        }
                        at = self.close(at + 1);
                        expect = Expect::Separator;
                    } else if byte == b'"' {
                        let (end, closed) = self.string(bytes, at);
                        let colon = self.space(bytes, end);
                        if !closed || colon >= bytes.len() {
                            // A key without a value says nothing: drop it.
                            self.pop();
                            self.fault(FaultKind::CutOff, bytes.len());
                            return self.close_all(bytes.len());
                        }
                        if bytes.get(colon) != Some(&b':') {
                            self.pop();
                            self.fault(FaultKind::Unexpected, colon);
                            return self.close_all(colon);
                        }
                        at = colon + 1;
                        expect = Expect::Value;
                    } else {
                        self.fault(FaultKind::Unexpected, at);
                        return self.close_all(at);
                    }
                }
                Expect::Separator => match (byte, self.open_kind()) {
                    (_, None) => return at,
                    (b',', Some(Kind::Array)) => {
                        at += 1;
                        expect = Expect::Value;
                    }
                    (b',', Some(_)) => {
                        at += 1;
                        expect = Expect::Key;
                    }
                    (b']', Some(Kind::Array)) | (b'}', Some(Kind::Object)) => at = self.close(at + 1),
                    _ => {
                        self.fault(FaultKind::Unexpected, at);
                        return self.close_all(at);
                    }
                },
            }
            if expect == Expect::Separator && self.stack.is_empty() {
                return at;
            }
        }
    }

    fn open_kind(&self) -> Option<Kind> {
        let (open, _) = *self.stack.last()?;
        self.toks.get(open as usize).map(|t| t.kind)
    }

    fn close(&mut self, end: usize) -> usize {
        let next = self.toks.len() as u32;
        if let Some((open, _)) = self.stack.pop()
            && let Some(tok) = self.toks.get_mut(open as usize)
        {
            tok.end = end as u32;
            tok.next = next;
        }
        end
    }

    /// Ends every open container at `end`; a key that still waits for its value is dropped.
    fn close_all(&mut self, end: usize) -> usize {
        let odd = self.stack.last().is_some_and(|(_, count)| count % 2 == 1);
        if odd && self.open_kind() == Some(Kind::Object) {
            self.pop();
        }
        while !self.stack.is_empty() {
            self.close(end);
        }
        if self.toks.is_empty() {
            self.push(Kind::Null, end, end, false);
        }
        end
    }

    /// Reads the value at `at`. Containers are only opened: the second part says what comes next.
    fn value(&mut self, bytes: &[u8], at: usize) -> Result<(usize, Option<Expect>), Fault> {
        match bytes.get(at) {
            Some(b'"') => {
                let (end, closed) = self.string(bytes, at);
                if !closed {
                    return Err(Fault { kind: FaultKind::CutOff, at: bytes.len() });
                }
                Ok((end, None))
            }
            Some(&open @ (b'{' | b'[')) => {
                let kind = if open == b'{' { Kind::Object } else { Kind::Array };
                if self.stack.len() >= MAX_DEPTH {
                    self.fault(FaultKind::TooDeep, at);
                    let (end, whole) = skip_container(bytes, at);
                    let inside = bytes.get(at..end).unwrap_or_default().iter().enumerate();
                    self.breaks.extend(inside.filter(|(_, b)| **b == b'\n').map(|(i, _)| (at + i) as u32));
                    self.push(Kind::Opaque, at, end, false);
                    return if whole { Ok((end, None)) } else { Err(Fault { kind: FaultKind::CutOff, at: end }) };
                }
                let container = self.toks.len() as u32;
                self.push(kind, at, at, false);
                self.stack.push((container, 0));
                Ok((at + 1, Some(if open == b'{' { Expect::FirstKey } else { Expect::FirstItem })))
            }
            Some(b'-' | b'0'..=b'9') => self.number(bytes, at),
            Some(_) => {
                const WORDS: [(&[u8], Kind, bool); 6] = [
                    (b"true", Kind::True, false),
                    (b"false", Kind::False, false),
                    (b"null", Kind::Null, false),
                    (b"NaN", Kind::Null, true),
                    (b"Infinity", Kind::Null, true),
                    (b"-Infinity", Kind::Null, true),
                ];
                let rest = bytes.get(at..).unwrap_or_default();
                for (word, kind, repair) in WORDS {
                    if rest.starts_with(word) && !is_word(rest.get(word.len()).copied()) {
                        if repair {
                            self.fault(FaultKind::NotANumber, at);
                        }
                        self.push(kind, at, at + word.len(), false);
                        return Ok((at + word.len(), None));
                    }
                }
                let cut = WORDS.iter().any(|(word, ..)| word.starts_with(rest));
                Err(if cut {
                    Fault { kind: FaultKind::CutOff, at: bytes.len() }
                } else {
                    Fault { kind: FaultKind::Unexpected, at }
                })
            }
            None => Err(Fault { kind: FaultKind::CutOff, at: bytes.len() }),
        }
    }

    fn number(&mut self, bytes: &[u8], at: usize) -> Result<(usize, Option<Expect>), Fault> {
        let digits = |mut i: usize| {
            while matches!(bytes.get(i), Some(b'0'..=b'9')) {
                i += 1;
            }
            i
        };
        let mut end = at;
        if bytes.get(end) == Some(&b'-') {
            end += 1;
            if bytes.get(end..).unwrap_or_default().starts_with(b"Infinity") {
                self.fault(FaultKind::NotANumber, at);
                self.push(Kind::Null, at, end + 8, false);
                return Ok((end + 8, None));
            }
        }
        let whole = digits(end);
        let zero_led = bytes.get(end) == Some(&b'0') && whole > end + 1;
        if whole == end || zero_led {
            let kind = if whole >= bytes.len() && !zero_led { FaultKind::CutOff } else { FaultKind::Unexpected };
            return Err(Fault { kind, at: if zero_led { end } else { whole } });
        }
        end = whole;
        if bytes.get(end) == Some(&b'.') {
            let frac = digits(end + 1);
            if frac == end + 1 {
                let kind = if frac >= bytes.len() { FaultKind::CutOff } else { FaultKind::Unexpected };
                return Err(Fault { kind, at: frac });
            }
            end = frac;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exp = digits(sign);
            if exp == sign {
                let kind = if exp >= bytes.len() { FaultKind::CutOff } else { FaultKind::Unexpected };
                return Err(Fault { kind, at: exp });
            }
            end = exp;
        }
        self.push(Kind::Number, at, end, false);
        Ok((end, None))
    }

    /// Reads the string whose quote is at `at`; returns the offset behind it and whether it was closed.
    fn string(&mut self, bytes: &[u8], at: usize) -> (usize, bool) {
        let start = at + 1;
        let mut i = start;
        let mut escaped = false;
        loop {
            i = if self.plain { find_end(bytes, i) } else { find_special(bytes, i) };
            match bytes.get(i) {
                Some(b'"') => {
                    self.push(Kind::String, start, i, escaped);
                    return (i + 1, true);
                }
                Some(b'\\') => {
                    escaped = true;
                    match bytes.get(i + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => i += 2,
                        Some(b'u') => match hex4(bytes, i + 2) {
                            Some(0xD800..=0xDBFF) => {
                                let pair = bytes.get(i + 6) == Some(&b'\\')
                                    && bytes.get(i + 7) == Some(&b'u')
                                    && matches!(hex4(bytes, i + 8), Some(0xDC00..=0xDFFF));
                                if pair {
                                    i += 12;
                                } else {
                                    self.fault(FaultKind::LoneSurrogate, i);
                                    i += 6;
                                }
                            }
                            Some(0xDC00..=0xDFFF) => {
                                self.fault(FaultKind::LoneSurrogate, i);
                                i += 6;
                            }
                            Some(_) => i += 6,
                            None => {
                                if i + 6 <= bytes.len() {
                                    self.fault(FaultKind::BadEscape, i);
                                }
                                i += 2;
                            }
                        },
                        Some(_) => {
                            self.fault(FaultKind::BadEscape, i);
                            i += 1;
                        }
                        None => i += 1,
                    }
                }
                Some(&b) => {
                    if b == b'\n' {
                        self.breaks.push(i as u32);
                    }
                    self.fault(FaultKind::ControlCharacter, i);
                    i += 1;
                }
                None => {
                    self.push(Kind::String, start, bytes.len(), escaped);
                    return (bytes.len(), false);
                }
            }
        }
    }
}

fn is_word(byte: Option<u8>) -> bool {
    byte.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Offset of the first byte at or after `at` that is no JSON white space.
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A high bit in each byte of `x` that is zero; bits above the lowest may be wrong.
fn zeros(x: u64) -> u64 {
    x.wrapping_sub(ONES) & !x & HIGHS
}

/// Eight bytes of a text as a number.
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

/// Offset of the next quote, backslash or control character; eight bytes at a step.
pub(super) fn find_special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(w) = word_at(bytes, at) {
        let quote = zeros(w ^ (ONES * b'"' as u64));
        let slash = zeros(w ^ (ONES * b'\\' as u64));
        // Bytes below 0x20 have their three high bits clear.
        let control = zeros(w & (ONES * 0xE0));
        let hit = quote | slash | control;
        if hit != 0 {
            return at + (hit.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            return at;
        }
        at += 1;
    }
    at
}

/// [`find_special`] of a text without control characters, as a line of JSON Lines is. Keys end within a word or two; what
/// is longer is looked through by the widest step that the machine has.
fn find_end(bytes: &[u8], at: usize) -> usize {
    let mut from = at;
    for _ in 0..2 {
        let Some(w) = word_at(bytes, from) else { break };
        let hit = zeros(w ^ (ONES * b'"' as u64)) | zeros(w ^ (ONES * b'\\' as u64));
        if hit != 0 {
            return from + (hit.trailing_zeros() / 8) as usize;
        }
        from += 8;
    }
    let found = bytes.get(from..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest));
    found.map_or(bytes.len().max(at), |more| from + more)
}

/// Offset of the next backslash in what stands between two quotes.
pub(super) fn find_slash(bytes: &[u8], at: usize) -> Option<usize> {
    if let Some(hit) = word_at(bytes, at).map(|w| zeros(w ^ (ONES * b'\\' as u64)))
        && hit != 0
    {
        return Some(at + (hit.trailing_zeros() / 8) as usize);
    }
    memchr::memchr(b'\\', bytes.get(at..)?).map(|more| at + more)
}

/// Whether a text has bytes below 0x20 at all.
fn has_control(bytes: &[u8]) -> bool {
    let mut blocks = bytes.chunks_exact(64);
    blocks.by_ref().any(|block| block.iter().fold(false, |any, &b| any | (b < 0x20)))
        || blocks.remainder().iter().any(|&b| b < 0x20)
}

pub(super) fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0u32, |acc, &b| Some(acc * 16 + (b as char).to_digit(16)?))
}

/// Skips a container without reading it; false when the text ends inside.
fn skip_container(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let mut depth = 0usize;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (at + 1, true);
                }
            }
            b'"' => {
                at += 1;
                while let Some(&c) = bytes.get(at) {
                    match c {
                        b'"' => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    (bytes.len(), false)
}
