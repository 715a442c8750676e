//! The functions of the npm package, on bytes and JSON text: what crosses the border is strings.
//!
//! Decides nothing: every answer is that of `skill`. The types and the objects of JavaScript are in `npm/api.js`, which
//! stands in front of this. Feature `npm` only; built by `make package`.

use serde_json::{Map, Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{Doc, Tape, Val};
use crate::message::Lang;
use crate::model::Severity;
use crate::skill::suite::{Case, Fault};
use crate::skill::wellknown::Reach;
use crate::skill::{self, Kind, Options, Profile, SkillFinding, filter, output, provider, suite, version};

/// What a caller asked for, from the JSON text of its options.
struct Asked {
    profile: Profile,
    supports: String,
    majors: Vec<String>,
    anonymous: bool,
    kind: Option<Kind>,
    lang: Lang,
    descriptors: Vec<String>,
    request: Option<String>,
}

impl Asked {
    fn read(text: &str) -> Self {
        let mut tape = Tape::new();
        let root = tape.parse(text).root();
        let texts = |key: &str| -> Vec<String> {
            let list = root.get(key).into_iter().flat_map(Val::items);
            list.filter_map(|v| v.as_str().map(|s| s.into_owned())).collect()
        };
        let text = |key: &str| root.str(key).map(|s| s.into_owned());
        Self {
            profile: text("profile").and_then(|p| Profile::from_id(&p)).unwrap_or_default(),
            supports: text("supports").unwrap_or_else(|| version::SUPPORTED.to_owned()),
            majors: texts("supportedMajors"),
            anonymous: root.bool("anonymous").unwrap_or(true),
            kind: text("kind").and_then(|k| Kind::from_id(&k)),
            lang: text("lang").and_then(|l| Lang::from_tag(&l)).unwrap_or_default(),
            descriptors: texts("descriptors"),
            request: text("request"),
        }
    }

    fn options<'a>(&'a self, descriptors: &'a [Val<'a>], request: Option<Val<'a>>) -> Options<'a> {
        Options {
            profile: self.profile,
            supports: &self.supports,
            supported_majors: &self.majors,
            anonymous: self.anonymous,
            descriptors,
            request,
        }
    }
}

fn finding_json(f: &SkillFinding, file: Option<&str>, lang: Lang) -> Value {
    let mut out = Map::new();
    if let Some(file) = file {
        out.insert("file".into(), file.into());
    }
    let texts = [
        ("check", f.check.to_owned()),
        ("severity", f.severity.id().to_owned()),
        ("pointer", f.pointer.clone()),
        ("field", f.field.clone()),
        ("reason", f.reason.to_owned()),
        ("message", f.sentence(lang)),
        ("remedy", f.remedy(lang)),
        ("instanceLocation", f.instance.clone()),
        ("keywordLocation", f.keyword.clone()),
    ];
    out.extend(texts.map(|(k, v)| (k.to_owned(), Value::from(v))));
    out.insert("property".into(), f.property.into());
    out.insert("house".into(), f.house.into());
    out.insert("line".into(), f.line.into());
    out.insert("column".into(), f.column.into());
    Value::Object(out)
}

fn is_error(finding: &SkillFinding) -> bool {
    finding.severity == Severity::Error
}

/// The kind of a document and its findings. Without a kind in its content or in the options it is taken for a descriptor.
fn judged(bytes: &[u8], asked: &Asked) -> (Option<Kind>, Vec<SkillFinding>) {
    let document = match skill::parse(bytes) {
        Err(findings) => return (asked.kind, findings),
        Ok(document) => document,
    };
    let kind = asked.kind.or_else(|| document.kind()).unwrap_or(Kind::Descriptor);
    let mut found: Vec<SkillFinding> = document.warnings().iter().filter(|f| f.reason == "bom").cloned().collect();
    let mut tapes: Vec<Tape> = asked.descriptors.iter().map(|_| Tape::new()).collect();
    let docs: Vec<Doc<'_>> = tapes.iter_mut().zip(&asked.descriptors).map(|(tape, text)| tape.parse(text)).collect();
    let descriptors: Vec<Val<'_>> = docs.into_iter().map(Doc::root).collect();
    let mut tape = Tape::new();
    let request = asked.request.as_deref().map(|text| tape.parse(text).root());
    found.extend(skill::check_as(&document.doc(), kind, &asked.options(&descriptors, request)));
    (Some(kind), found)
}

/// Checks a document: `{kind, valid, findings}` as JSON text.
#[wasm_bindgen]
pub fn check_document(bytes: &[u8], options: &str) -> String {
    let asked = Asked::read(options);
    let (kind, findings) = judged(bytes, &asked);
    let listed: Vec<Value> = findings.iter().map(|f| finding_json(f, None, asked.lang)).collect();
    json!({ "kind": kind.map(Kind::id), "valid": !findings.iter().any(is_error), "findings": listed }).to_string()
}

/// The findings as `basic` output of JSON Schema, or as a problem document (null when there is none), as JSON text.
#[wasm_bindgen]
pub fn describe_document(bytes: &[u8], options: &str, as_problem: bool) -> String {
    let asked = Asked::read(options);
    let (_, findings) = judged(bytes, &asked);
    let told = if as_problem {
        output::problem(&findings, asked.lang).unwrap_or(Value::Null)
    } else {
        output::basic(&findings, asked.lang)
    };
    told.to_string()
}

/// Writes a document: keys in their order, numbers with their text. `{text}` or `{findings}` as JSON text.
#[wasm_bindgen]
pub fn serialize_document(bytes: &[u8], canonical: bool) -> String {
    match skill::parse(bytes) {
        Ok(document) if canonical => json!({ "text": document.canonical() }).to_string(),
        Ok(document) => json!({ "text": skill::serialize(&document) }).to_string(),
        Err(findings) => {
            let listed: Vec<Value> = findings.iter().map(|f| finding_json(f, None, Lang::En)).collect();
            json!({ "findings": listed }).to_string()
        }
    }
}

/// Whether two documents are equal as JSON; false also when one of them is none.
#[wasm_bindgen]
pub fn equal_documents(a: &[u8], b: &[u8]) -> bool {
    matches!((skill::parse(a), skill::parse(b)), (Ok(a), Ok(b)) if a.equals(&b))
}

/// Checks the files of a provider together: the full set, and what is served under `.well-known/skill-sharing/`.
/// Collects files one by one, so that their bytes cross the border as bytes.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files {
    files: Vec<(String, Vec<u8>)>,
}

#[wasm_bindgen]
impl Files {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Files {
        Files::default()
    }

    /// Adds a file by its path.
    pub fn add(&mut self, path: &str, bytes: &[u8]) {
        self.files.push((path.to_owned(), bytes.to_owned()));
    }

    /// `{valid, complete, cases, findings}` as JSON text. The files are used up.
    pub fn check(&mut self, options: &str) -> String {
        let asked = Asked::read(options);
        let reach = Reach { local: true, strict: asked.profile == Profile::Strict };
        let provider = provider::Provider::from_files(std::mem::take(&mut self.files), reach);
        let checked = suite::run(&provider, &asked.options(&[], None));
        let name = |fault: &Fault| provider.files.get(fault.file).map(|f| f.name.as_str()).unwrap_or_default();
        let findings: Vec<Value> = checked
            .cases
            .iter()
            .flat_map(|c| &c.faults)
            .map(|fault| finding_json(&fault.finding, Some(name(fault)), asked.lang))
            .collect();
        let case = |c: &Case| {
            let why = (!c.why.is_empty()).then_some(c.why);
            json!({ "check": c.check, "subject": c.subject, "status": c.status.id(), "why": why })
        };
        let cases: Vec<Value> = checked.cases.iter().map(case).collect();
        let failed = checked.cases.iter().any(|c| c.status == suite::Status::Fail);
        let complete = checked.cases.iter().all(|c| c.status.is_run());
        json!({ "valid": !failed, "complete": complete, "cases": cases, "findings": findings }).to_string()
    }
}

/// The places in a list of capability words (one a line) that a filter keeps: `{indices}`, or `{message}` for an unknown
/// word, as JSON text.
#[wasm_bindgen]
pub fn filter_indices(words: &str, wanted: &str, lang: &str) -> String {
    let words: Vec<(usize, &str)> = words.split('\n').enumerate().collect();
    match filter::by_capability(&words, wanted, |(_, word)| word) {
        Ok(kept) => json!({ "indices": kept.iter().map(|(i, _)| *i).collect::<Vec<_>>() }).to_string(),
        Err(unknown) => {
            let (id, args) = unknown.sentence();
            let lang = Lang::from_tag(lang).unwrap_or_default();
            let message = crate::message::fill_id(lang, id, &args);
            json!({ "field": unknown.field, "message": message }).to_string()
        }
    }
}

/// Compares a document's protocol version with the consumer's: `{verdict}` is `compatible`, `newer_minor`, `older_major`,
/// `incompatible`, or null when a version is none; as JSON text.
#[wasm_bindgen]
pub fn compare_versions(document: &str, options: &str) -> String {
    let asked = Asked::read(options);
    let verdict = version::compatibility(document, &asked.supports, &asked.majors).map(|c| match c {
        version::Compatibility::Compatible => "compatible",
        version::Compatibility::NewerMinor => "newer_minor",
        version::Compatibility::OlderMajor => "older_major",
        version::Compatibility::Incompatible => "incompatible",
    });
    json!({ "verdict": verdict, "supports": asked.supports }).to_string()
}
