//! Every check on everything that was dropped together: cases, each one check on one subject, with what it found.
//!
//! Decides which check is expected of which document, and the status of each case: a check that could not be made is
//! `skipped` or `not_run` with its reason, never a pass. A document that is no JSON has one finding, and
//! nothing else is expected of it; one of a newer MAJOR version has one, and what else would be checked is not run. O(bytes), and what `access` and `leak` cost.
//!
//! Source: Skill Sharing Protocol chapter 12, all properties; section 12.3 for what a skipped check is.

use super::access;
use super::finding::{CHECKS, Level, SkillFinding, field_of};
use super::index::place_of;
use super::provider::{File, Provider};
use super::{Kind, Options, Profile, check_as, parse, serialize};
use crate::json::Val;
use crate::model::Severity;

/// The checks of a provider's set, beside those of single documents.
pub const PROVIDER_CHECKS: &[super::finding::Check] = &[
    must("SSP-P3-ROUND-TRIP", 3),
    must("SSP-P5-DUPLICATE-ID", 5),
    must("SSP-P5-DESCRIPTOR-ID", 5),
    must("SSP-P5-PAGES", 5),
    should("SSP-P5-NEAR-ID", 5),
    must("SSP-P6-INDEX", 6),
    must("SSP-P6-COMPLETE", 6),
    must("SSP-P6-PRIVATE-LISTED", 6),
    must("SSP-P6-PRIVATE-SERVED", 6),
    must("SSP-P6-LEAK", 6),
    must("SSP-P6-URL", 6),
    must("SSP-P6-LINK", 6),
    must("SSP-P6-MATCH", 6),
    should("SSP-P6-DIGEST", 6),
    should("SSP-P6-HTTP", 6),
    must("SSP-P7-SOUND", 7),
    must("SSP-P7-COMPLETE", 7),
];

/// Property 11 is about the library, not about documents.
pub const LIBRARY_CHECKS: &[super::finding::Check] = &[should("SSP-P11-TYPES", 11)];

const fn must(id: &'static str, property: u8) -> super::finding::Check {
    super::finding::Check { id, property, level: Level::Must }
}

const fn should(id: &'static str, property: u8) -> super::finding::Check {
    super::finding::Check { id, property, level: Level::Should }
}

/// Every check there is, by property; those of single documents first.
pub fn all_checks() -> Vec<super::finding::Check> {
    let mut out: Vec<super::finding::Check> = Vec::new();
    for check in CHECKS.iter().chain(PROVIDER_CHECKS).chain(LIBRARY_CHECKS) {
        if !out.iter().any(|c| c.id == check.id) {
            out.push(*check);
        }
    }
    out.sort_by_key(|c| c.property);
    out
}

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Pass,
    Warn,
    Fail,
    /// It could have been made with more at hand.
    Skipped,
    /// Something before it failed, or it is made elsewhere.
    NotRun,
}

impl Status {
    pub const ALL: [Status; 5] = [Status::Pass, Status::Warn, Status::Fail, Status::Skipped, Status::NotRun];

    /// The word of the report.
    pub fn id(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Warn => "warn",
            Status::Fail => "fail",
            Status::Skipped => "skipped",
            Status::NotRun => "not_run",
        }
    }

    /// Whether the check was made.
    pub fn is_run(self) -> bool {
        matches!(self, Status::Pass | Status::Warn | Status::Fail)
    }
}

/// A finding in a file of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Index of the file.
    pub file: usize,
    pub finding: SkillFinding,
}

impl Fault {
    /// A finding of a provider's check about a file as a whole; its sentence is `provider.<reason>`.
    pub fn new(check: &'static str, severity: Severity, file: usize, reason: &'static str) -> Self {
        let mut finding = SkillFinding::new(check, severity, reason, crate::message::provider::id_of(reason));
        let checks = PROVIDER_CHECKS.iter().chain(LIBRARY_CHECKS);
        finding.property = checks.clone().find(|c| c.id == check).map_or(6, |c| c.property);
        Self { file, finding }
    }

    /// At a field of its file.
    pub fn field(mut self, provider: &Provider, pointer: &str, field: &str) -> Self {
        if let Some(file) = provider.files.get(self.file) {
            (self.finding.line, self.finding.column) = place_of(file, pointer);
        }
        self.finding.pointer = pointer.to_owned();
        self.finding.instance = pointer.to_owned();
        self.finding.field = if field.is_empty() { field_of(pointer) } else { field.to_owned() };
        self
    }

    /// With a value for its sentence.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.finding.args.push((name.to_owned(), value.into()));
        self
    }
}

/// One check on one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub check: &'static str,
    /// A file's name, or the file's name with the pointer of an entry.
    pub subject: String,
    pub file: usize,
    pub status: Status,
    /// Why it is skipped or not run; empty otherwise.
    pub why: &'static str,
    pub faults: Vec<Fault>,
}

impl Case {
    /// A case that was run: its status is that of its worst finding.
    pub fn run(check: &'static str, subject: impl Into<String>, file: usize, faults: Vec<Fault>) -> Self {
        let status = match faults.iter().map(|f| f.finding.severity).min() {
            Some(Severity::Error) => Status::Fail,
            Some(Severity::Warning) => Status::Warn,
            _ => Status::Pass,
        };
        Self { check, subject: subject.into(), file, status, why: "", faults }
    }

    /// A case that was not.
    pub fn not(
        status: Status,
        check: &'static str,
        subject: impl Into<String>,
        file: usize,
        why: &'static str,
    ) -> Self {
        Self { check, subject: subject.into(), file, status, why, faults: Vec::new() }
    }
}

/// The result of every check.
pub struct Checked {
    pub cases: Vec<Case>,
    /// What was found out about each site, for the screen of the index.
    pub sites: Vec<access::Seen>,
}

/// Makes every check.
pub fn run(provider: &Provider, options: &Options<'_>) -> Checked {
    let descriptors = descriptors(provider);
    let mut cases = Vec::new();
    for (index, file) in provider.files.iter().enumerate() {
        if is_document(file) {
            let options = Options { descriptors: &descriptors, request: request_of(provider, file), ..*options };
            cases.extend(document(index, file, provider, &options));
        }
    }
    let mut sites = Vec::new();
    for site in &provider.sites {
        let (more, seen) = access::check(provider, site, options);
        cases.extend(more);
        sites.push(seen);
    }
    Checked { cases, sites }
}

/// The descriptors that messages are judged by: valid ones before the others, so that a broken twin does not count.
pub fn descriptors(provider: &Provider) -> Vec<Val<'_>> {
    let found = provider.files.iter().filter(|f| f.kind == Some(Kind::Descriptor));
    let (valid, broken): (Vec<_>, Vec<_>) = found.partition(|f| {
        let told = check_as(&f.doc(), Kind::Descriptor, &Options::default());
        !told.iter().any(|t| t.severity == Severity::Error)
    });
    valid.into_iter().chain(broken).map(|f| f.doc().root()).collect()
}

/// The request that a response answers: the one with its `request_id`.
fn request_of<'a>(provider: &'a Provider, file: &File) -> Option<Val<'a>> {
    let id =
        (file.kind == Some(Kind::Response)).then(|| file.doc().root().str("request_id").map(|i| i.into_owned()))??;
    let requests = provider.files.iter().filter(|f| f.kind == Some(Kind::Request));
    requests.map(|f| f.doc().root()).find(|r| r.str("request_id").as_deref() == Some(id.as_str()))
}

/// Whether a file is to be a document of the protocol: by its content, or because its place and its first letter say so.
pub fn is_document(file: &File) -> bool {
    let claims = file.served && file.name.ends_with(".json") && file.text.trim_start().starts_with(['{', '[']);
    file.kind.is_some() || claims
}

/// The checks of single documents that a kind of document has to satisfy.
fn expected(kind: Kind) -> impl Iterator<Item = &'static super::finding::Check> {
    let by_kind = move |id: &str| match id {
        // A provider's own checks see more than one page.
        "SSP-P5-DUPLICATE-ID" | "SSP-P6-PRIVATE-LISTED" => false,
        "SSP-P1-REQUIRED" | "SSP-P1-AUTH-FIELD" | "SSP-P4-EMBEDDED" | "SSP-P4-EXAMPLE" | "SSP-P4-SECRET" => {
            kind == Kind::Descriptor
        }
        "SSP-P2-ENUM" => matches!(kind, Kind::Descriptor | Kind::Index),
        "SSP-P6-REQUIRED" => kind == Kind::Index,
        "SSP-P8-REQUIRED" => matches!(kind, Kind::Request | Kind::Response),
        "SSP-P8-INPUTS" => kind == Kind::Request,
        "SSP-P8-OUTPUT" | "SSP-P8-TIMES" => kind == Kind::Response,
        "SSP-P8-SKILL-ID" => matches!(kind, Kind::Request | Kind::Response),
        // A pair is a response with its request; only a finding makes it a case.
        "SSP-P8-PAIR" => false,
        "SSP-P9-REQUIRED" => kind == Kind::Version,
        "SSP-P9-SEMVER" | "SSP-P10-MAJOR" | "SSP-P10-OLDER" | "SSP-P10-NEWER-MINOR" => {
            matches!(kind, Kind::Descriptor | Kind::Index | Kind::Version)
        }
        "SSP-P4-ENUM" | "SSP-P4-HOUSE" => true,
        _ => true,
    };
    CHECKS.iter().filter(move |c| by_kind(c.id))
}

/// Cases of one document.
fn document(index: usize, file: &File, provider: &Provider, options: &Options<'_>) -> Vec<Case> {
    let kind = file.kind.unwrap_or(Kind::Descriptor);
    let subject = file.name.as_str();
    let parsed = parse(&file.bytes);
    let unreadable =
        |f: &SkillFinding| f.check == "SSP-P4-SYNTAX" && f.severity == Severity::Error || f.reason == "top_level";
    let (mut findings, readable) = match &parsed {
        Err(found) if found.iter().any(unreadable) => (found.clone(), false),
        // The check says the findings of the bytes again, but for the mark before them, which its text has no more.
        Err(found) => (with_mark(found, check_as(&file.doc(), kind, options)), true),
        Ok(read) => (with_mark(read.warnings(), check_as(&read.doc(), kind, options)), true),
    };
    if file.kind.is_none() && readable {
        // What lies among the served files and is no document of the protocol is said where a link leads to it.
        return Vec::new();
    }
    findings.retain(|f| !matches!(f.check, "SSP-P5-DUPLICATE-ID" | "SSP-P6-PRIVATE-LISTED"));
    let newer = findings.iter().any(|f| f.check == "SSP-P10-MAJOR" && f.severity == Severity::Error);
    let mut cases = Vec::new();
    // Of a text that is no JSON nothing else is expected: what it would be is not known.
    for check in expected(kind).filter(|_| readable) {
        let (mine, rest): (Vec<_>, Vec<_>) = findings.into_iter().partition(|f| f.check == check.id);
        findings = rest;
        let faults: Vec<Fault> = mine.into_iter().map(|finding| Fault { file: index, finding }).collect();
        let case = if newer && faults.is_empty() && !ran_before(check.id) {
            Case::not(Status::NotRun, check.id, subject, index, "newer-major")
        } else {
            match missing_partner(check.id, file, provider) {
                Some(why) if faults.is_empty() => Case::not(Status::Skipped, check.id, subject, index, why),
                _ => Case::run(check.id, subject, index, faults),
            }
        };
        cases.push(case);
    }
    // A finding of a check that was not expected here counts all the same.
    while let Some(first) = findings.first().map(|f| f.check) {
        let (mine, rest): (Vec<_>, Vec<_>) = findings.into_iter().partition(|f| f.check == first);
        findings = rest;
        let faults = mine.into_iter().map(|finding| Fault { file: index, finding }).collect();
        cases.push(Case::run(first, subject, index, faults));
    }
    if let Ok(read) = parsed {
        let again = parse(serialize(&read).as_bytes());
        let same = again.is_ok_and(|again| again.equals(&read));
        let fault = (!same).then(|| Fault::new("SSP-P3-ROUND-TRIP", Severity::Error, index, "round_trip"));
        cases.push(Case::run("SSP-P3-ROUND-TRIP", subject, index, fault.into_iter().collect()));
    }
    cases
}

fn with_mark(bytes: &[SkillFinding], mut found: Vec<SkillFinding>) -> Vec<SkillFinding> {
    let marks = bytes.iter().filter(|f| f.reason == "bom").cloned();
    found.splice(0..0, marks);
    found
}

/// Checks that were made although the version is newer: those of the bytes, and those of the version.
fn ran_before(check: &str) -> bool {
    let bytes = check.starts_with("SSP-P3-") || matches!(check, "SSP-P4-SYNTAX" | "SSP-P4-DUPLICATE-KEY");
    bytes || check == "SSP-P9-SEMVER" || check.starts_with("SSP-P10-")
}

/// Why a check that needs a second document was not made.
fn missing_partner(check: &str, file: &File, provider: &Provider) -> Option<&'static str> {
    if !matches!(check, "SSP-P8-INPUTS" | "SSP-P8-OUTPUT" | "SSP-P8-SKILL-ID") {
        return None;
    }
    let id = file.doc().root().str("skill_id")?;
    let here =
        provider.files.iter().any(|f| f.kind == Some(Kind::Descriptor) && f.doc().root().str("id") == Some(id.clone()));
    (!here).then_some("no-descriptor")
}

/// Whether findings of the strict profile are errors.
pub fn is_strict(options: &Options<'_>) -> bool {
    options.profile == Profile::Strict
}
