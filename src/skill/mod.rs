//! The Skill Sharing Protocol: its documents read, checked, written and compared.
//!
//! Decides what a dropped JSON is in the protocol ([`kind_of`]), whether it is right ([`check`]), and what skill it
//! describes ([`to_skill`]). Everything follows from one table ([`table`]), which also writes the schemas, the
//! TypeScript types and the docs. Never fails on any bytes, fetches nothing. O(n log n) in the size of a document.
//!
//! Source: Skill Sharing Protocol chapter 12.

pub mod access;
mod across;
pub mod canon;
mod check;
mod descriptor;
mod document;
mod embedded;
pub mod emit;
pub mod emit_docs;
pub mod emit_ts;
pub mod filter;
pub mod finding;
pub mod from;
pub mod index;
pub mod leak;
pub mod mapped;
pub mod output;
pub mod provider;
pub mod publish;
mod secret;
pub mod suite;
pub mod table;
pub mod text;
pub mod to;
pub mod version;
pub mod visit;
pub mod wellknown;

use crate::json::{Doc, Val};

pub use check::{check, check_as};
pub use descriptor::{skill_of, to_skill};
pub use document::{Document, MAX_BYTES, MAX_DEPTH, parse, serialize};
pub use finding::{CHECKS, Check, Level, SkillFinding};
pub use version::{Compatibility, compatibility};

/// The kinds of document that the protocol knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Descriptor,
    Index,
    Request,
    Response,
    Problem,
    Version,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Descriptor, Kind::Index, Kind::Request, Kind::Response, Kind::Problem, Kind::Version];

    /// Its type in the table.
    pub fn of_table(self) -> &'static table::Type {
        match self {
            Kind::Descriptor => &table::SKILL_DESCRIPTOR,
            Kind::Index => &table::SKILL_INDEX,
            Kind::Request => &table::INVOCATION_REQUEST,
            Kind::Response => &table::INVOCATION_RESPONSE,
            Kind::Problem => &table::PROBLEM,
            Kind::Version => &table::PROTOCOL_VERSION,
        }
    }

    /// The stable word, which is also the stem of its schema's file name.
    pub fn id(self) -> &'static str {
        match self {
            Kind::Descriptor => "skill-descriptor",
            Kind::Index => "skill-index",
            Kind::Request => "invocation-request",
            Kind::Response => "invocation-response",
            Kind::Problem => "problem",
            Kind::Version => "protocol-version",
        }
    }

    /// The kind of exactly this word.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

/// How much is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// What chapter 12 forces and the structure that makes it useful. Objects are open.
    #[default]
    Core,
    /// Core and the house rules.
    Strict,
}

impl Profile {
    pub fn id(self) -> &'static str {
        match self {
            Profile::Core => "core",
            Profile::Strict => "strict",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        [Profile::Core, Profile::Strict].into_iter().find(|p| p.id() == id)
    }
}

/// What a check goes by.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    pub profile: Profile,
    /// The consumer's protocol version.
    pub supports: &'a str,
    /// Every MAJOR that the consumer takes; empty: its own, and older ones with a warning.
    pub supported_majors: &'a [String],
    /// An index is judged as what a caller without credentials sees: private skills must not be in it.
    pub anonymous: bool,
    /// Descriptors to judge messages by.
    pub descriptors: &'a [Val<'a>],
    /// The request that a response answers.
    pub request: Option<Val<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            profile: Profile::Core,
            supports: version::SUPPORTED,
            supported_majors: &[],
            anonymous: true,
            descriptors: &[],
            request: None,
        }
    }
}

/// What a document is, by its content: `None` when it is none of the protocol's.
///
/// Tolerant enough to name a document with a field missing or misspelt, so that it is checked and not ignored; strict
/// enough to leave the neighbours alone (an A2A card has `skills` too, a tool has `inputs` or `inputSchema`).
pub fn kind_of(doc: &Doc<'_>) -> Option<Kind> {
    kind_of_value(doc.root())
}

/// [`kind_of`], of a value inside another document.
pub fn kind_of_value(root: Val<'_>) -> Option<Kind> {
    if !root.is_object() {
        return None;
    }
    let by_schema = root.str("$schema").and_then(|uri| {
        let file = uri.rsplit('/').next()?.to_owned();
        let stem = file.strip_suffix(".schema.json")?;
        Kind::from_id(stem.strip_suffix(".strict").unwrap_or(stem))
    });
    if by_schema.is_some() {
        return by_schema;
    }
    let has = |key: &str| root.has(key);
    let protocol = root.get("protocol").is_some_and(|p| p.has("version"));
    let entry = |skill: Val<'_>| skill.has("descriptor_url") || (skill.has("capability_type") && skill.has("access"));
    if root.get("skills").is_some_and(|s| s.is_array() && (s.items().any(entry) || (protocol && !has("endpoint")))) {
        return Some(Kind::Index);
    }
    if has("execution_id") || (has("skill_id") && has("timestamps")) {
        return Some(Kind::Response);
    }
    if (has("caller") && (has("skill_id") || has("inputs"))) || (has("skill_id") && has("inputs")) {
        return Some(Kind::Request);
    }
    if has("skill_id") && has("status") {
        return Some(Kind::Response);
    }
    let required = table::SKILL_DESCRIPTOR.fields.iter().filter(|f| f.required);
    let there = required.filter(|f| has(f.name)).count();
    if (protocol && there >= 5) || (has("capability_type") && there >= 4) || there >= 9 {
        return Some(Kind::Descriptor);
    }
    let only = |known: &[&str]| root.entries().all(|(k, _)| known.contains(&k.as_ref()) || k.starts_with("x-"));
    if root.get("version").is_some() && only(&["version", "name"]) {
        return Some(Kind::Version);
    }
    let names: Vec<&str> = table::PROBLEM.fields.iter().map(|f| f.name).collect();
    let problem = root.get("title").is_some_and(Val::is_string)
        && root.get("status").is_none_or(|s| s.as_u64().is_some_and(|n| (100..600).contains(&n)))
        && (has("type") || has("status") || has("code"))
        && only(&names);
    problem.then_some(Kind::Problem)
}
