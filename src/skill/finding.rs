//! What a check says: which sentence of chapter 12, where, a stable reason, and the ids of two sentences.
//!
//! Decides the list of checks and what each one's severity is; the sentences are in `message::skill`. Plain data.
//! Source: Skill Sharing Protocol chapter 12, property 4 (field names and reasons); RFC 6901 for pointers.

use crate::json::{Doc, Val};
use crate::message::{Lang, fill_id};
use crate::model::Severity;

/// Whether chapter 12 (or the structure that it needs) asks for it, or only good manners do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Must,
    Should,
}

/// One check of single documents.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub id: &'static str,
    /// The property of chapter 12, 1 to 11.
    pub property: u8,
    pub level: Level,
}

const fn must(id: &'static str, property: u8) -> Check {
    Check { id, property, level: Level::Must }
}

const fn should(id: &'static str, property: u8) -> Check {
    Check { id, property, level: Level::Should }
}

/// Every check of a single document or message, by property.
pub const CHECKS: &[Check] = &[
    must("SSP-P1-REQUIRED", 1),
    must("SSP-P1-AUTH-FIELD", 1),
    must("SSP-P2-ENUM", 2),
    must("SSP-P3-NUMBER", 3),
    must("SSP-P3-SURROGATE", 3),
    should("SSP-P3-I-JSON", 3),
    should("SSP-P3-BOM", 3),
    must("SSP-P4-SYNTAX", 4),
    must("SSP-P4-DUPLICATE-KEY", 4),
    must("SSP-P4-TYPE", 4),
    must("SSP-P4-TEXT", 4),
    must("SSP-P4-FORMAT", 4),
    must("SSP-P4-RANGE", 4),
    must("SSP-P4-LIST", 4),
    must("SSP-P4-ENUM", 4),
    must("SSP-P4-EMBEDDED", 4),
    should("SSP-P4-EXAMPLE", 4),
    should("SSP-P4-UNKNOWN", 4),
    should("SSP-P4-HOUSE", 4),
    should("SSP-P4-SECRET", 4),
    must("SSP-P5-DUPLICATE-ID", 5),
    must("SSP-P6-REQUIRED", 6),
    must("SSP-P6-PRIVATE-LISTED", 6),
    must("SSP-P8-REQUIRED", 8),
    must("SSP-P8-INPUTS", 8),
    must("SSP-P8-OUTPUT", 8),
    must("SSP-P8-SKILL-ID", 8),
    must("SSP-P8-PAIR", 8),
    should("SSP-P8-TIMES", 8),
    must("SSP-P9-REQUIRED", 9),
    must("SSP-P9-SEMVER", 9),
    must("SSP-P10-MAJOR", 10),
    should("SSP-P10-OLDER", 10),
    should("SSP-P10-NEWER-MINOR", 10),
];

/// Looks a check up.
pub fn check_of(id: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|c| c.id == id)
}

/// How much a finding matters, before the profile is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    Error,
    /// A rule of the strict profile: a warning under core.
    House,
    Warning,
    Info,
}

/// One finding in a document of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFinding {
    /// Id of a check, such as `SSP-P1-REQUIRED`.
    pub check: &'static str,
    /// The property of chapter 12.
    pub property: u8,
    pub severity: Severity,
    /// Whether only the strict profile asks for it.
    pub house: bool,
    /// JSON pointer of the field itself, also when it is missing.
    pub pointer: String,
    /// Name of the field; of a member of a list the name of the list. Empty for the whole document.
    pub field: String,
    /// Stable word.
    pub reason: &'static str,
    /// Id of the sentence.
    pub message: &'static str,
    /// Values for the sentence's placeholders.
    pub args: Vec<(String, String)>,
    /// Pointer of the value that was judged: the object that lacks a missing field.
    pub instance: String,
    /// Where the broken keyword stands in the type's core or strict schema; empty for rules that no schema can say.
    pub keyword: String,
    /// From 1.
    pub line: u32,
    pub column: u32,
}

impl SkillFinding {
    /// A finding about the whole text.
    pub fn new(check: &'static str, severity: Severity, reason: &'static str, message: &'static str) -> Self {
        Self {
            check,
            property: check_of(check).map_or(4, |c| c.property),
            severity,
            house: false,
            pointer: String::new(),
            field: String::new(),
            reason,
            message,
            args: Vec::new(),
            instance: String::new(),
            keyword: String::new(),
            line: 1,
            column: 1,
        }
    }

    /// With the value of a placeholder.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.args.push((name.to_owned(), value.into()));
        self
    }

    /// With its pointer; the field is the last name in it.
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self.instance = self.pointer.clone();
        self.field = field_of(&self.pointer);
        self
    }

    /// With line and column of a byte of the text.
    pub fn placed(mut self, doc: Doc<'_>, offset: usize) -> Self {
        (self.line, self.column) = doc.place(offset);
        self
    }

    /// With pointer, line and column of a value.
    pub fn on(self, doc: Doc<'_>, val: Val<'_>) -> Self {
        self.at(val.pointer()).placed(doc, val.offset())
    }

    /// What is wrong, as a sentence.
    pub fn sentence(&self, lang: Lang) -> String {
        fill_id(lang, self.message, &self.args)
    }

    /// What to do.
    pub fn remedy(&self, lang: Lang) -> String {
        fill_id(lang, &self.remedy_id(), &self.args)
    }

    /// The id of the sentence that says what to do.
    pub fn remedy_id(&self) -> String {
        format!("skill.remedy.{}", self.reason)
    }
}

/// The last name in a pointer that is no index; what people call the field.
pub fn field_of(pointer: &str) -> String {
    let name = pointer.rsplit('/').find(|token| !token.bytes().all(|b| b.is_ascii_digit()));
    name.unwrap_or_default().replace("~1", "/").replace("~0", "~")
}

/// A value as a sentence shows it: its JSON, cut at 60 characters.
pub fn shown(val: Val<'_>) -> String {
    let raw = val.raw();
    let mut out: String = raw.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if raw.chars().nth(60).is_some() {
        out.push('…');
        if val.is_string() {
            out.push('"');
        }
    }
    out
}

/// Words in quotes, with commas between.
pub fn listed<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", ")
}
