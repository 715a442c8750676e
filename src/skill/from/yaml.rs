//! YAML as JSON text, as far as JSON goes: the failsafe and core schemas of YAML 1.2, aliases written out, keys as texts.
//!
//! The crate `saphyr-parser` reads the syntax; what a scalar means is decided here, so that `1.0` stays `1.0` and `on`
//! stays a word. Not recursive; what aliases write out is bounded, and so is depth. O(bytes of the result).
//! Source: YAML 1.2.2 chapter 10.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::json::quote;

/// The JSON of a file is no longer than this; aliases multiply.
const MAX_OUT: usize = 32 * 1024 * 1024;

/// Deeper nesting is refused.
const MAX_DEPTH: usize = 100;

/// Why a text is no YAML that JSON can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlFault {
    /// From 1.
    pub line: usize,
    pub column: usize,
    /// In the words of the reader.
    pub what: String,
}

impl YamlFault {
    /// Values for a sentence.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        vec![("line", self.line.to_string()), ("column", self.column.to_string()), ("what", self.what.clone())]
    }
}

/// A collection that is open.
struct Open {
    map: bool,
    /// Members and keys so far.
    count: usize,
    /// Where its text begins, and the anchor that names it.
    start: usize,
    anchor: usize,
}

/// The first document of a YAML text as JSON.
pub fn to_json(text: &str) -> Result<String, YamlFault> {
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: BTreeMap<usize, String> = BTreeMap::new();
    let mut kept = 0usize;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| YamlFault {
            line: e.marker().line(),
            column: e.marker().col() + 1,
            what: e.info().to_owned(),
        })?;
        let fault =
            |what: &str| YamlFault { line: span.start.line(), column: span.start.col() + 1, what: what.to_owned() };
        let is_key = open.last().is_some_and(|o| o.map && o.count.is_multiple_of(2));
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                separate(&mut out, &mut open);
                let start = out.len();
                let text = tag.is_some_and(|t| t.is_yaml_core_schema() && t.suffix == "str");
                if is_key || text || style != ScalarStyle::Plain {
                    out.push_str(&quote(&value));
                } else {
                    out.push_str(&plain(&value));
                }
                keep(&mut anchors, anchor, out.get(start..).unwrap_or_default(), &mut kept);
            }
            Event::Alias(id) => {
                let Some(copy) = anchors.get(&id) else { return Err(fault("an alias inside what it names")) };
                if is_key && !copy.starts_with('"') {
                    return Err(fault("a key that is no text"));
                }
                let copy = copy.clone();
                separate(&mut out, &mut open);
                out.push_str(&copy);
            }
            Event::MappingStart(anchor, _) | Event::SequenceStart(anchor, _) if is_key => {
                let _ = anchor;
                return Err(fault("a key that is no text"));
            }
            Event::MappingStart(anchor, _) => begin(&mut out, &mut open, true, anchor),
            Event::SequenceStart(anchor, _) => begin(&mut out, &mut open, false, anchor),
            Event::MappingEnd | Event::SequenceEnd => {
                if let Some(closed) = open.pop() {
                    out.push(if closed.map { '}' } else { ']' });
                    keep(&mut anchors, closed.anchor, out.get(closed.start..).unwrap_or_default(), &mut kept);
                }
            }
            Event::DocumentEnd => break,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
        }
        if out.len() + kept > MAX_OUT {
            return Err(fault("too large when its aliases are written out"));
        }
        if open.len() > MAX_DEPTH {
            return Err(fault("nested too deep"));
        }
    }
    if out.is_empty() {
        out.push_str("null");
    }
    Ok(out)
}

fn keep(anchors: &mut BTreeMap<usize, String>, anchor: usize, text: &str, kept: &mut usize) {
    if anchor > 0 {
        *kept += text.len();
        anchors.insert(anchor, text.to_owned());
    }
}

fn begin(out: &mut String, open: &mut Vec<Open>, map: bool, anchor: usize) {
    separate(out, open);
    open.push(Open { map, count: 0, start: out.len(), anchor });
    out.push(if map { '{' } else { '[' });
}

/// Writes what stands between two members, or between key and value.
fn separate(out: &mut String, open: &mut [Open]) {
    if let Some(last) = open.last_mut() {
        if last.map && last.count % 2 == 1 {
            out.push(':');
        } else if last.count > 0 {
            out.push(',');
        }
        last.count += 1;
    }
}

/// A plain scalar by the core schema.
fn plain(value: &str) -> String {
    match value {
        "" | "~" | "null" | "Null" | "NULL" => return "null".to_owned(),
        "true" | "True" | "TRUE" => return "true".to_owned(),
        "false" | "False" | "FALSE" => return "false".to_owned(),
        _ => {}
    }
    number(value).unwrap_or_else(|| quote(value))
}

/// The JSON text of a number of the core schema; its digits stay as they are.
fn number(value: &str) -> Option<String> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(|n| n.to_string());
    if let Some(hex) = value.strip_prefix("0x") {
        return radix(hex, 16);
    }
    if let Some(octal) = value.strip_prefix("0o") {
        return radix(octal, 8);
    }
    let (sign, rest) = match value.as_bytes().first()? {
        b'-' => ("-", value.get(1..)?),
        b'+' => ("", value.get(1..)?),
        _ => ("", value),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (rest.get(..at)?, Some(rest.get(at + 1..)?)),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !fraction.is_none_or(digits) || (whole.is_empty() && fraction.is_none_or(str::is_empty)) {
        return None;
    }
    let mut out = sign.to_owned();
    let trimmed = whole.trim_start_matches('0');
    out.push_str(if trimmed.is_empty() { "0" } else { trimmed });
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        let bare = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if bare.is_empty() || !digits(bare) {
            return None;
        }
        out.push('e');
        out.push_str(exponent);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(yaml: &str, json: &str) {
        assert_eq!(to_json(yaml).as_deref(), Ok(json), "{yaml}");
    }

    #[test]
    fn scalars_by_the_core_schema() {
        check("[1, -1, +1, 1.0, .5, 1., 1e3, 0x1F, 0o17, 007]", "[1,-1,1,1.0,0.5,1.0,1e3,31,15,7]");
        check(
            "[true, False, null, ~, '', yes, on, 1.2.3, 2026-01-01, .inf, 0x, +, ., 1_000]",
            r#"[true,false,null,null,"","yes","on","1.2.3","2026-01-01",".inf","0x","+",".","1_000"]"#,
        );
        check("['1', \"2\", !!str 3]", r#"["1","2","3"]"#);
        check("", "null");
    }

    #[test]
    fn collections_blocks_and_aliases() {
        check(
            "a:\n  - b: 1\n    c: >\n      x\n      y\n200: |\n  z\n",
            "{\"a\":[{\"b\":1,\"c\":\"x y\\n\"}],\"200\":\"z\\n\"}",
        );
        check("a: &x {k: [1]}\nb: *x\nc: &y text\nd: *y", r#"{"a":{"k":[1]},"b":{"k":[1]},"c":"text","d":"text"}"#);
        check("---\na: 1\n---\nb: 2\n", r#"{"a":1}"#);
        check("a: >\r\n  x\r\n  y\r\nb: 1\r\n", "{\"a\":\"x y\\n\",\"b\":1}");
    }

    #[test]
    fn faults_have_a_place() {
        let fault = to_json("a: [1\nb: 2\n").unwrap_err();
        assert!(fault.line >= 1 && !fault.what.is_empty(), "{fault:?}");
        assert!(to_json("? [1]\n: 2").is_err());
        assert!(to_json("a: *x").is_err());
        assert!(to_json(&"[".repeat(5000)).is_err());
        // Laughs, a billion of them.
        let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for n in 1..12 {
            let last = n - 1;
            bomb.push_str(&format!("a{n}: &a{n} [{}]\n", vec![format!("*a{last}"); 10].join(",")));
        }
        assert!(to_json(&bomb).is_err());
    }
}
