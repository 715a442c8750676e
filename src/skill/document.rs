//! Bytes to a document and back, without losing anything.
//!
//! Decides what is refused before any field is looked at: no JSON, another encoding, keys that stand twice, numbers that
//! readers would change, half surrogate pairs, nesting beyond [`MAX_DEPTH`], a file beyond [`MAX_BYTES`], an outermost
//! value that is no object. Each has line and column. What is accepted keeps every unknown field at every depth, the
//! order of keys and the text of numbers. O(n log n). Source: RFC 8259, RFC 7493; chapter 12, properties 3 and 4.

use std::fmt;

use crate::json::{Doc, Fault, FaultKind, Kind as Json, Tape, Val, line_column};
use crate::model::Severity;

use super::canon::{self, Fidelity};
use super::finding::SkillFinding;
use super::{Kind, kind_of};

/// Deeper nesting is refused: readers of other languages stop at about this depth.
pub const MAX_DEPTH: usize = 128;
/// Larger files are refused; a descriptor is a few kilobytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;
/// No text lists more findings of its bytes than this.
const MAX_FINDINGS: usize = 200;

/// A document of the protocol, exactly as it was written.
pub struct Document {
    text: String,
    tape: Tape,
    warnings: Vec<SkillFinding>,
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("text", &self.text).finish_non_exhaustive()
    }
}

impl PartialEq for Document {
    /// JSON equality, as [`Document::equals`].
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl Document {
    /// The values.
    pub fn doc(&self) -> Doc<'_> {
        self.tape.doc(&self.text)
    }

    /// The outermost value.
    pub fn root(&self) -> Val<'_> {
        self.doc().root()
    }

    /// The text that was read, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the document is, by its content.
    pub fn kind(&self) -> Option<Kind> {
        kind_of(&self.doc())
    }

    /// What was noticed while reading and is no reason to refuse.
    pub fn warnings(&self) -> &[SkillFinding] {
        &self.warnings
    }

    /// JSON equality: objects unordered, arrays ordered, numbers by value, absent is not `null`.
    pub fn equals(&self, other: &Document) -> bool {
        canon::equals(self.root(), other.root())
    }

    /// The canonical form of RFC 8785, for digests; `None` when a number in it has none.
    pub fn canonical(&self) -> Option<String> {
        let mut out = String::with_capacity(self.text.len());
        canon::write_canonical(self.root(), &mut out).then_some(out)
    }
}

/// Reads a document. The errors say every reason to refuse it.
pub fn parse(bytes: &[u8]) -> Result<Document, Vec<SkillFinding>> {
    let (text, bom) = decode(bytes).map_err(|finding| vec![*finding])?;
    let mut tape = Tape::new();
    tape.load(text);
    let mut findings = byte_findings(tape.doc(text));
    if bom {
        findings.insert(0, SkillFinding::new("SSP-P3-BOM", Severity::Warning, "bom", "skill.bom"));
    }
    if findings.iter().any(|f| f.severity == Severity::Error) {
        return Err(findings);
    }
    Ok(Document { text: text.to_owned(), tape, warnings: findings })
}

/// Writes a document: two spaces of indentation, keys in their order, numbers with their text, a line break at the end.
pub fn serialize(document: &Document) -> String {
    let mut out = String::with_capacity(document.text.len() + 64);
    canon::write(document.root(), 0, &mut out);
    out.push('\n');
    out
}

/// Text of UTF-8 bytes and whether a byte order mark stood before it.
fn decode(bytes: &[u8]) -> Result<(&str, bool), Box<SkillFinding>> {
    let error = |reason, message| SkillFinding::new("SSP-P4-SYNTAX", Severity::Error, reason, message);
    if bytes.len() > MAX_BYTES {
        let limit = (MAX_BYTES / (1024 * 1024)).to_string();
        let size = (bytes.len() / (1024 * 1024)).to_string();
        return Err(Box::new(error("too_large", "skill.too_large").with("size", size).with("limit", limit)));
    }
    let bom = bytes.starts_with(&[0xEF, 0xBB, 0xBF]);
    let rest = bytes.get(if bom { 3 } else { 0 }..).unwrap_or_default();
    let utf16 = matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, _, ..] | [_, 0, ..]);
    if utf16 {
        return Err(Box::new(error("encoding", "skill.encoding.utf16")));
    }
    match std::str::from_utf8(rest) {
        Ok(text) => Ok((text, bom)),
        Err(e) => {
            let good = std::str::from_utf8(rest.get(..e.valid_up_to()).unwrap_or_default()).unwrap_or_default();
            let (line, column) = line_column(good, good.len());
            let mut finding = error("encoding", "skill.encoding").with("line", line.to_string());
            finding = finding.with("column", column.to_string());
            (finding.line, finding.column) = (line, column);
            Err(Box::new(finding))
        }
    }
}

/// What is wrong with a text before any field is looked at, in order of kind and place.
pub(super) fn byte_findings(doc: Doc<'_>) -> Vec<SkillFinding> {
    let faults = doc.faults();
    if let Some(fault) = faults.iter().find(|f| !f.kind.is_repair()) {
        // What comes after the first fault is guessing: one finding for a text that is no JSON.
        let first = faults.first().filter(|f| f.at < fault.at && syntax_id(f.kind).is_some()).unwrap_or(fault);
        return vec![syntax(doc, *first)];
    }
    let mut out: Vec<SkillFinding> =
        faults.iter().filter(|f| syntax_id(f.kind).is_some()).map(|f| syntax(doc, *f)).collect();
    let mut surrogates: Vec<usize> =
        faults.iter().filter(|f| f.kind == FaultKind::LoneSurrogate).map(|f| f.at).collect();
    surrogates.reverse();
    let mut scan = Scan { doc, out: Vec::new(), surrogates };
    scan.value(doc.root(), 0);
    out.append(&mut scan.out);
    if !doc.root().is_object() && out.is_empty() {
        let is = word_of(doc.root());
        out.push(
            SkillFinding::new("SSP-P4-TYPE", Severity::Error, "top_level", "skill.top_level")
                .with("is", is)
                .placed(doc, doc.root().offset()),
        );
    }
    out.truncate(MAX_FINDINGS);
    out
}

/// The sentence for a fault of syntax; `None` for those that have a check of their own.
fn syntax_id(kind: FaultKind) -> Option<&'static str> {
    Some(match kind {
        FaultKind::NotANumber => "skill.syntax.not-a-number",
        FaultKind::ControlCharacter => "skill.syntax.control-character",
        FaultKind::BadEscape => "skill.syntax.bad-escape",
        FaultKind::TrailingComma => "skill.syntax.trailing-comma",
        FaultKind::CutOff => "skill.syntax.cut-off",
        FaultKind::TextAfter => "skill.syntax.text-after",
        FaultKind::Unexpected => "skill.syntax.unexpected",
        FaultKind::Empty => "skill.syntax.empty",
        FaultKind::LoneSurrogate | FaultKind::TooDeep => return None,
    })
}

fn syntax(doc: Doc<'_>, fault: Fault) -> SkillFinding {
    let (line, column) = line_column(doc.text(), fault.at);
    let rest = doc.text().get(fault.at..).unwrap_or_default();
    let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '-').take(20).collect();
    let what = if word.is_empty() { rest.chars().take(1).collect() } else { word };
    let reason = if fault.kind == FaultKind::Empty { "empty_file" } else { "json_syntax" };
    let message = syntax_id(fault.kind).unwrap_or("skill.syntax.unexpected");
    SkillFinding::new("SSP-P4-SYNTAX", Severity::Error, reason, message)
        .with("what", what)
        .with("line", line.to_string())
        .with("column", column.to_string())
        .placed(doc, fault.at)
}

/// The id of the word for what a value is; sentences show it in their language.
pub(super) fn word_of(val: Val<'_>) -> &'static str {
    match val.kind() {
        Json::Null => "\u{2}skill.word.null",
        Json::True | Json::False => "\u{2}skill.word.boolean",
        Json::Number => "\u{2}skill.word.number",
        Json::String => "\u{2}skill.word.string",
        Json::Array => "\u{2}skill.word.array",
        Json::Object | Json::Opaque => "\u{2}skill.word.object",
    }
}

/// Walks every value once; recursion ends at [`MAX_DEPTH`].
struct Scan<'d> {
    doc: Doc<'d>,
    out: Vec<SkillFinding>,
    /// Places of half surrogate pairs, the next one last.
    surrogates: Vec<usize>,
}

impl Scan<'_> {
    fn value(&mut self, val: Val<'_>, depth: usize) {
        if self.out.len() >= MAX_FINDINGS {
            return;
        }
        match val.kind() {
            Json::Object | Json::Array | Json::Opaque if depth >= MAX_DEPTH => {
                let limit = MAX_DEPTH.to_string();
                self.add("SSP-P4-SYNTAX", Severity::Error, "too_deep", "skill.too_deep", val, &[("limit", limit)]);
            }
            Json::Object => {
                self.repeated(val);
                for (_, member) in val.entries() {
                    // A key's half pair is told at its value.
                    self.surrogate_before(member.offset(), member);
                    self.value(member, depth + 1);
                }
            }
            Json::Array => val.items().for_each(|member| self.value(member, depth + 1)),
            Json::Number => self.number(val),
            Json::String => self.surrogate_before(val.range().1, val),
            _ => {}
        }
    }

    fn repeated(&mut self, object: Val<'_>) {
        for key in object.repeated_keys() {
            if self.out.len() >= MAX_FINDINGS {
                return;
            }
            let places: Vec<Val<'_>> = object.entries().filter(|(k, _)| *k == key).map(|(_, v)| v).collect();
            let line = |v: &Val<'_>| self.doc.place(v.offset()).0.to_string();
            let lines: Vec<String> = places.iter().take(8).map(line).collect();
            let Some(second) = places.get(1) else { continue };
            let args = [("key", key.clone()), ("n", places.len().to_string())];
            let (message, place) = match lines.as_slice() {
                [one, two] if places.len() == 2 => {
                    ("skill.duplicate_key", vec![("first", one.clone()), ("second", two.clone())])
                }
                many => ("skill.duplicate_key.many", vec![("lines", many.join(", "))]),
            };
            let args: Vec<(&str, String)> = args.into_iter().chain(place).collect();
            self.add("SSP-P4-DUPLICATE-KEY", Severity::Error, "duplicate_key", message, *second, &args);
        }
    }

    fn number(&mut self, val: Val<'_>) {
        let (check, severity, reason, message) = match canon::fidelity(val.raw()) {
            Fidelity::Exact => return,
            Fidelity::BeyondDouble => ("SSP-P3-I-JSON", Severity::Warning, "not_i_json", "skill.not_i_json"),
            Fidelity::Lossy => ("SSP-P3-NUMBER", Severity::Error, "number_lossy", "skill.number_lossy"),
            Fidelity::OutOfRange => ("SSP-P3-NUMBER", Severity::Error, "number_range", "skill.number_range"),
        };
        let read = val.raw().parse::<f64>().map(|f| format!("{f:?}")).unwrap_or_default();
        let args = [("value", super::finding::shown(val)), ("read", read)];
        self.add(check, severity, reason, message, val, &args);
    }

    /// Tells the half surrogate pairs that stand before `end`, once a value.
    fn surrogate_before(&mut self, end: usize, val: Val<'_>) {
        let mut found = None;
        while let Some(at) = self.surrogates.last().copied().filter(|at| *at < end) {
            found.get_or_insert(at);
            self.surrogates.pop();
        }
        if let Some(at) = found {
            let escape: String = self.doc.text().get(at..).unwrap_or_default().chars().take(6).collect();
            self.add(
                "SSP-P3-SURROGATE",
                Severity::Error,
                "lone_surrogate",
                "skill.lone_surrogate",
                val,
                &[("escape", escape)],
            );
            if let Some(last) = self.out.last_mut() {
                (last.line, last.column) = self.doc.place(at);
            }
        }
    }

    fn add(
        &mut self,
        check: &'static str,
        severity: Severity,
        reason: &'static str,
        message: &'static str,
        val: Val<'_>,
        args: &[(&str, String)],
    ) {
        let mut finding = SkillFinding::new(check, severity, reason, message).on(self.doc, val);
        let field = finding.field.clone();
        finding = finding.with("field", field);
        for (name, value) in args {
            finding = finding.with(name, value.clone());
        }
        self.out.push(finding);
    }
}
