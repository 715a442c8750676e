//! The shapes of skill documents, for the screens Skill, Conformance, Index and Publish, and for checking by address.
//!
//! Plain data, as in [`super::shape`]: sentences are ids of the message table with their values, unknown is `None`.
//! A *member* is a file of a document, by its index from 0; the same number asks for its lines (`Job::Text`).

use serde::Serialize;

use super::shape::{SeverityCounts, VerdictLine};

/// A sentence: an id of the message table with its values.
pub type Sentence = (String, Vec<(String, String)>);

/// How documents are checked; settings of the page that travel with each job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckOptions {
    /// `core` or `strict`.
    pub profile: String,
    /// The protocol version that the consumer supports, for example `1.0.0`.
    pub supports: String,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { profile: "core".into(), supports: "1.0.0".into() }
    }
}

/// What a document is, when it is skills and not runs: the part of `DocumentSummary` for the rail and the head.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkillsSummary {
    /// `skill-descriptor`, `skill-index`, `invocation-request`, `invocation-response`, `problem`, `protocol-version`;
    /// `provider` for several files together or a domain that was checked;
    /// for one file of a neighbour its own word, for example `mcp-tools` or `skill-md`.
    pub kind: String,
    /// Name of the skill or of the provider; the file's name where it states none.
    pub title: String,
    /// Identifier of a single descriptor.
    pub id: Option<String>,
    /// Documents of the protocol, and how many of them have errors under core.
    pub documents: u32,
    pub failing: u32,
    /// All findings under core.
    pub findings: SeverityCounts,
    /// `conformant`, `non_conformant` or `incomplete`, under core and the version 1.0.0.
    pub verdict: String,
    /// The sentence under the title.
    pub line: VerdictLine,
    /// Indexes that are served: the tab Index has one view for each.
    pub sites: u32,
    /// Descriptors: with at least one, Publish makes sense.
    pub descriptors: u32,
    /// The address, when the document was fetched.
    pub url: Option<String>,
}

/// A finding in one of the files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FindingRow {
    pub member: u32,
    /// The member's name.
    pub file: String,
    /// Id of the check, for example `SSP-P1-REQUIRED`.
    pub rule: String,
    /// Property of chapter 12.
    pub property: u8,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// Only the strict profile asks for it.
    pub strict_only: bool,
    /// JSON pointer of the field itself, also when it is missing.
    pub pointer: String,
    pub field: String,
    /// Stable word.
    pub reason: String,
    pub message: Sentence,
    pub remedy: Sentence,
    /// From 1. Of a missing field: of the object that lacks it.
    pub line: u32,
    pub column: u32,
    /// A field is missing: its row belongs behind this line of the source (0: before the first).
    pub insert_after: Option<u32>,
    /// For a missing field: what the row shows, for example `"provider": { "name": … },`.
    pub sample: Option<String>,
}

/// One file of a document of several, in the tab Documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MemberRow {
    pub member: u32,
    pub file: String,
    /// As [`SkillsSummary::kind`]; `None` for a file that is no document of the protocol.
    pub kind: Option<String>,
    pub title: String,
    pub id: Option<String>,
    pub capability: Option<String>,
    pub access: Option<String>,
    /// It is part of what is served.
    pub served: bool,
    /// Name of the file that the descriptor was made of.
    pub source: Option<String>,
    /// The file is no document of the protocol but of a neighbour: its label, for example `MCP tools/list`.
    pub neighbour: Option<String>,
    pub findings: SeverityCounts,
    /// `pass`, `warn` or `fail`; `skipped` for a file that is no document of the protocol.
    pub status: String,
}

/// One document of the protocol: card, findings, where it is used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkillView {
    pub member: u32,
    pub file: String,
    pub kind: Option<String>,
    pub title: String,
    pub id: Option<String>,
    pub capability: Option<String>,
    /// The skill's own version, and the protocol's.
    pub version: Option<String>,
    pub protocol: Option<String>,
    /// The sentence under the title, for the profile that was asked for.
    pub line: VerdictLine,
    pub core: SeverityCounts,
    pub strict: SeverityCounts,
    pub card: Vec<CardRow>,
    /// By line.
    pub findings: Vec<FindingRow>,
    /// Lines of the source.
    pub lines: u32,
    pub used_in: Vec<UsedIn>,
    /// Of a descriptor that was made of a neighbour, and of the neighbour's own file: guesses and losses.
    pub notes: Vec<NoteRow>,
    /// The descriptor has an input schema: `Job::TryInputs` can be asked.
    pub can_try: bool,
}

/// A guess or a loss when a descriptor was made of a neighbour.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NoteRow {
    /// `guess`, `loss`, `skipped` or `refused`.
    pub kind: String,
    /// Stable word.
    pub code: String,
    /// JSON pointer in the source.
    pub pointer: String,
    pub message: Sentence,
}

/// A row of the card: a label and its parts in order, each on a line of its own where `line` says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CardRow {
    /// Id in the message table: `card.use-when`, `card.provider`, …
    pub label: String,
    pub parts: Vec<CardPart>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CardPart {
    /// Text of the file, or an id of the message table with its values.
    pub text: CardText,
    /// `plain`, `mono`, `muted` or `error`.
    pub tone: String,
    /// It begins a new line.
    pub line: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CardText {
    /// As it stands in the file, cut at 2,000 characters.
    File(String),
    Sentence(Sentence),
}

impl Default for CardText {
    fn default() -> Self {
        CardText::File(String::new())
    }
}

/// An open run whose calls name the skill.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsedIn {
    pub document: u32,
    /// Name of the document.
    pub name: String,
    pub run: u32,
    pub title: String,
    pub calls: u32,
    pub errors: u32,
    /// From 0.
    pub first_step: u32,
}

/// The conformance report as a screen shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConformanceView {
    pub verdict: String,
    pub line: VerdictLine,
    pub profile: String,
    pub supports: String,
    pub documents: u32,
    /// Properties by status: `pass`, `warn`, `fail`, `skipped`, `not_run`.
    pub counts: Vec<(String, u32)>,
    /// Cases: one check on one subject.
    pub expected: u32,
    pub run: u32,
    /// The eleven, in order.
    pub properties: Vec<PropertyRow>,
}

/// One property of chapter 12.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PropertyRow {
    /// 1 to 11; its name is the message `property.<n>`, what is checked `property.<n>.checked`.
    pub property: u8,
    /// `pass`, `warn`, `fail`, `skipped` or `not_run`.
    pub status: String,
    pub expected: u32,
    pub run: u32,
    /// Documents with errors; with warnings when there are no errors.
    pub documents: u32,
    /// The first [`MAX_ROWS`] findings, errors first.
    pub findings: Vec<FindingRow>,
    pub more: u32,
    /// Why cases were not made: id `unmade.<why>` and how many.
    pub unmade: Vec<(String, u32)>,
}

/// Findings listed below a property.
pub const MAX_ROWS: usize = 200;

/// A served index: what an anonymous caller sees beside the full set.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct IndexView {
    pub site: u32,
    /// Address of the index, and those of all served indexes.
    pub url: String,
    pub sites: Vec<String>,
    /// Pages that were read.
    pub pages: u32,
    /// Whether something says what the full set is; without it `full` is `None` in every row.
    pub has_full_set: bool,
    /// Rows that satisfy the filter: the window that was asked for.
    pub from: u32,
    pub rows: Vec<IndexRow>,
    pub total: u32,
    /// Of the whole index, by capability type in the order of the protocol.
    pub capabilities: Vec<(String, u32)>,
    /// Of the whole: listed, missing, withheld (private and rightly absent), leaked.
    pub listed: u32,
    pub missing: u32,
    pub withheld: u32,
    pub leaked: u32,
    /// Findings of properties 5 to 7 that belong to this site.
    pub findings: Vec<FindingRow>,
    /// A filter word that is no capability type: the sentence that says so; no rows then.
    pub refused: Option<Sentence>,
}

/// One skill, by both views.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct IndexRow {
    pub id: String,
    pub name: String,
    pub capability: String,
    /// Access word that the index states; `None` when it is not listed.
    pub anonymous: Option<String>,
    /// Access word of the full set; `None` when it is not in it, or nothing says what the full set is.
    pub full: Option<String>,
    /// `listed`, `missing`, `withheld`, `leaked`, or `extra` (listed, but not in the full set).
    pub state: String,
    /// Where the entry leads, as it resolves.
    pub url: Option<String>,
    /// `ok`, `warning`, `broken`, `unknown` or `permission`; empty without an entry.
    pub link: String,
    /// Member and pointer of the entry; member of the descriptor.
    pub entry: Option<(u32, String)>,
    pub descriptor: Option<u32>,
    pub findings: u32,
}

/// A file that the page offers for saving.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Blob {
    pub name: String,
    pub mime: String,
    /// Base64 in the message, bytes here.
    #[serde(serialize_with = "as_base64")]
    pub bytes: Vec<u8>,
}

/// What Publish gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PublishView {
    /// The zip; `None` when something has to be put right first.
    pub file: Option<Blob>,
    /// Identifier, access word and path of each skill in it.
    pub listed: Vec<(String, String, String)>,
    /// Private skills that were left out.
    pub withheld: u32,
    pub blocked: Vec<FindingRow>,
}

/// What descriptors were made of, when they were not dropped themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NeighbourView {
    /// `a2a-card`, `mcp-tools`, `skill-md`, `openapi` and so on, and its name for people.
    pub neighbour: String,
    pub label: String,
    /// The version of the neighbour's own format.
    pub version: Option<String>,
    /// Descriptors that were made: the members of the document.
    pub made: u32,
    pub notes: Vec<NeighbourNote>,
}

/// A guess or a loss on the way between descriptors and a neighbour.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NeighbourNote {
    /// `guess`, `loss`, or `skipped` for a part that gave no descriptor.
    pub kind: String,
    /// The descriptor; `None` for the file as a whole.
    pub member: Option<u32>,
    /// JSON pointer in the source.
    pub pointer: String,
    pub message: Sentence,
}

/// Two descriptors, field by field.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DifferencesView {
    /// The gravest: `breaking`, `unsure`, `compatible` or `note`; `None` when nothing differs.
    pub weight: Option<String>,
    pub differences: Vec<DifferenceRow>,
    /// Differences that are not listed.
    pub cut: u32,
}

/// One difference.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DifferenceRow {
    pub pointer: String,
    /// `added`, `removed` or `changed`.
    pub change: String,
    /// As [`DifferencesView::weight`].
    pub weight: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Inputs that were tried against a descriptor; nothing is sent anywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TriedView {
    /// `ok`, `faults`, `not-json`, or `no-schema`.
    pub state: String,
    pub findings: Vec<FindingRow>,
}

/// A request that the page is to make: `GET`, without credentials, referrer or cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WantedRequest {
    pub id: u32,
    pub url: String,
    pub max_bytes: u64,
    pub timeout_ms: u32,
}

/// What came of a request; the bytes of an answer go beside the message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestResult {
    /// Any status. `url`: where redirects ended.
    Answer {
        status: u16,
        url: String,
        headers: Vec<(String, String)>,
    },
    /// The browser gave no answer away: nothing listens, or no CORS.
    Network,
    Timeout,
    TooLarge,
}

/// A line of the traceability table: a sentence of chapter 12 and what checks it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TraceRow {
    /// `12.2.1`, `12.3`, …
    pub section: String,
    /// As it stands in the chapter.
    pub sentence: String,
    pub checks: Vec<String>,
    /// Why no check can be made of it, or where it is held instead; empty otherwise.
    pub note: String,
}

fn as_base64<S: serde::Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&to_base64(bytes))
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64 with padding (RFC 4648 section 4).
pub fn to_base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or_default());
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (i, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let letter = LETTERS.get((word >> shift & 63) as usize).map_or('A', |l| *l as char);
            out.push(if i > group.len() { '=' } else { letter });
        }
    }
    out
}

/// The bytes of a base64 text; `None` when it is none.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut word = 0u32;
        for letter in group {
            word = word << 6 | LETTERS.iter().position(|l| l == letter)? as u32;
        }
        match group.len() {
            4 => out.extend_from_slice(&word.to_be_bytes()[1..]),
            3 => out.extend_from_slice(&(word << 6).to_be_bytes()[1..3]),
            2 => out.push((word >> 4) as u8),
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_there_and_back() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(to_base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_base64(&to_base64(&all)), Some(all));
        assert_eq!(from_base64("a"), None);
        assert_eq!(from_base64("a*=="), None);
    }
}
