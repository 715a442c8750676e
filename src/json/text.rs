//! Bytes -> text, and places in a text. O(n).

use std::borrow::Cow;

/// A decoded text and what had to be done for it.
#[derive(Debug)]
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// The byte order mark that was taken off: `utf-8`, `utf-16le` or `utf-16be`.
    pub bom: Option<&'static str>,
    /// Bytes or code units that were no text and became U+FFFD.
    pub replaced: usize,
}

/// Decodes UTF-8 (with or without a byte order mark) and UTF-16 with one.
pub fn decode_bytes(bytes: &[u8]) -> Decoded<'_> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => Decoded { bom: Some("utf-8"), ..decode_utf8(rest) },
        [0xFF, 0xFE, rest @ ..] => decode_utf16(rest, u16::from_le_bytes, "utf-16le"),
        [0xFE, 0xFF, rest @ ..] => decode_utf16(rest, u16::from_be_bytes, "utf-16be"),
        _ => decode_utf8(bytes),
    }
}

fn decode_utf8(bytes: &[u8]) -> Decoded<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: Cow::Borrowed(text), bom: None, replaced: 0 },
        Err(_) => {
            let mut text = String::with_capacity(bytes.len());
            let mut replaced = 0;
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    text.push('\u{FFFD}');
                    replaced += 1;
                }
            }
            Decoded { text: Cow::Owned(text), bom: None, replaced }
        }
    }
}

fn decode_utf16<'a>(bytes: &[u8], unit: fn([u8; 2]) -> u16, bom: &'static str) -> Decoded<'a> {
    let pairs = bytes.chunks_exact(2);
    let mut replaced = pairs.remainder().len();
    let units = pairs.map(|p| unit([p[0], p[1]]));
    let text = char::decode_utf16(units)
        .map(|c| {
            c.unwrap_or_else(|_| {
                replaced += 1;
                '\u{FFFD}'
            })
        })
        .collect();
    Decoded { text: Cow::Owned(text), bom: Some(bom), replaced }
}

/// Line and column of a byte offset, both from 1; the column counts characters.
pub fn line_column(text: &str, offset: usize) -> (u32, u32) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = text.get(..offset).unwrap_or_default();
    let line = before.bytes().filter(|&b| b == b'\n').count();
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    let column = before.get(start..).unwrap_or_default().chars().count();
    (line as u32 + 1, column as u32 + 1)
}

/// A key as one token of a JSON pointer.
pub fn pointer_token(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { Cow::Owned(key.replace('~', "~0").replace('/', "~1")) } else { Cow::Borrowed(key) }
}

/// A text as a JSON string, quotes included.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
