//! A document against the table: every fault with the pointer of the field itself.
//!
//! Decides the order (can this version be read at all, then the fields in the order of the table, then keys that nobody
//! knows, then what reaches across fields) and that one fault gives one finding: of a value only the first broken rule
//! is said, and rules that need a field are silent when it is missing. What only the strict profile asks for is a
//! warning under core. O(n log n); the recursion follows the table, not the file.
//! Source: Skill Sharing Protocol chapter 12, properties 1, 2, 4, 8, 9, 10.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::json::{Doc, Kind as Json, Val, pointer_token, quote};
use crate::model::Severity;
use crate::schema::embedded::Schema;

use super::document::{byte_findings, word_of};
use super::finding::{Grade, SkillFinding, listed, shown};
use super::table::{Field, Shape, Strict, Then, Type, Words};
use super::text::{Rule, nearest};
use super::version::{self, Compatibility};
use super::{Kind, Options, Profile, across, embedded, kind_of};

/// No document lists more errors than this, and no more warnings and notes.
pub(super) const MAX_FINDINGS: usize = 500;

/// Checks a document as what its content says it is; nothing but the findings of its bytes when that is unclear.
pub fn check(doc: &Doc<'_>, options: &Options<'_>) -> Vec<SkillFinding> {
    match kind_of(doc) {
        Some(kind) => check_as(doc, kind, options),
        None => byte_findings(*doc),
    }
}

/// Checks a document as one of a kind.
pub fn check_as(doc: &Doc<'_>, kind: Kind, options: &Options<'_>) -> Vec<SkillFinding> {
    let doc = *doc;
    let bytes = byte_findings(doc);
    let unreadable =
        |f: &SkillFinding| f.check == "SSP-P4-SYNTAX" && f.severity == Severity::Error || f.reason == "top_level";
    if bytes.iter().any(unreadable) {
        return bytes;
    }
    let told: BTreeSet<String> =
        bytes.iter().filter(|f| f.severity == Severity::Error).map(|f| f.pointer.clone()).collect();
    let mut walk = Walk {
        doc,
        kind,
        options,
        told,
        newer_minor: false,
        schemas: BTreeMap::new(),
        counts: [0; 2],
        out: Vec::new(),
    };
    if walk.compatibility() {
        return walk.out.into_iter().chain(bytes).collect();
    }
    walk.out.extend(bytes);
    walk.object(doc.root(), kind.of_table(), &Spot::root());
    across::check(&mut walk);
    walk.out
}

/// Where the walk is.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub pointer: String,
    /// Where its rule stands in the schema.
    pub keyword: String,
    /// The name that people call it by.
    pub field: String,
    /// Of the object around it; empty for the outermost and for members of lists.
    pub owner: String,
    /// A member of a list, which goes by the list's name.
    pub item: bool,
    pub optional: bool,
}

impl Spot {
    fn root() -> Self {
        Self {
            pointer: String::new(),
            keyword: String::new(),
            field: String::new(),
            owner: String::new(),
            item: false,
            optional: false,
        }
    }

    pub fn member(&self, name: &str, keyword: &str) -> Self {
        Self {
            pointer: format!("{}/{}", self.pointer, pointer_token(name)),
            keyword: format!("{}/{keyword}/{}", self.keyword, pointer_token(name)),
            field: name.to_owned(),
            owner: if self.item { String::new() } else { self.field.clone() },
            item: false,
            optional: false,
        }
    }
}

pub(super) struct Walk<'d, 'o> {
    pub doc: Doc<'d>,
    pub kind: Kind,
    pub options: &'o Options<'o>,
    /// Pointers of values that the bytes already spoke about.
    told: BTreeSet<String>,
    newer_minor: bool,
    /// Compiled schemas of the descriptor, by pointer.
    pub schemas: BTreeMap<String, Arc<Schema>>,
    /// Errors, and all others.
    counts: [usize; 2],
    pub out: Vec<SkillFinding>,
}

impl<'d> Walk<'d, '_> {
    /// Adds a finding with its severity by the profile.
    pub fn add(&mut self, grade: Grade, mut finding: SkillFinding) {
        if !self.has_room(grade) {
            return;
        }
        finding.house = grade == Grade::House;
        finding.severity = self.severity(grade);
        self.counts[usize::from(finding.severity != Severity::Error)] += 1;
        self.out.push(finding);
    }

    /// Whether no more errors are listed: loops over a file's values end here.
    pub fn is_full(&self) -> bool {
        self.counts[0] >= MAX_FINDINGS
    }

    /// Whether findings of a grade are still listed. Warnings never take the place of errors: a document with very many
    /// of them would pass.
    pub fn has_room(&self, grade: Grade) -> bool {
        self.counts[usize::from(self.severity(grade) != Severity::Error)] < MAX_FINDINGS
    }

    fn severity(&self, grade: Grade) -> Severity {
        match grade {
            Grade::Error => Severity::Error,
            Grade::House if self.options.profile == Profile::Strict => Severity::Error,
            Grade::House | Grade::Warning => Severity::Warning,
            Grade::Info => Severity::Info,
        }
    }

    /// A finding about a value.
    pub fn on(
        &self,
        check: &'static str,
        reason: &'static str,
        message: &'static str,
        spot: &Spot,
        val: Val<'_>,
    ) -> SkillFinding {
        let mut finding = SkillFinding::new(check, Severity::Error, reason, message)
            .at(&*spot.pointer)
            .placed(self.doc, val.offset());
        finding.field = spot.field.clone();
        finding.keyword = spot.keyword.clone();
        finding.with("field", &*spot.field).with("value", shown(val))
    }

    /// A finding about a member that is not there.
    pub fn missing(&self, check: &'static str, message: &'static str, spot: &Spot, object: Val<'_>) -> SkillFinding {
        let mut finding = SkillFinding::new(check, Severity::Error, "required", message)
            .at(&*spot.pointer)
            .placed(self.doc, object.offset());
        finding.field = spot.field.clone();
        finding.instance = object.pointer();
        finding.keyword = spot.keyword.clone();
        finding.with("field", &*spot.field)
    }

    /// Says whether the document can be read, before anything else; true when it cannot.
    fn compatibility(&mut self) -> bool {
        let root = self.doc.root();
        let val = if self.kind == Kind::Version { root.get("version") } else { root.path(&["protocol", "version"]) };
        let Some((val, text)) = val.and_then(|v| Some((v, v.as_str()?))) else { return false };
        let found = version::compatibility(&text, self.options.supports, self.options.supported_majors);
        let (grade, check, reason, message) = match found {
            None | Some(Compatibility::Compatible) => return false,
            Some(Compatibility::NewerMinor) => {
                self.newer_minor = true;
                (Grade::Info, "SSP-P10-NEWER-MINOR", "protocol_newer_minor", "skill.protocol_newer_minor")
            }
            Some(Compatibility::OlderMajor) => {
                (Grade::Warning, "SSP-P10-OLDER", "protocol_older_major", "skill.protocol_older_major")
            }
            Some(Compatibility::Incompatible) => {
                (Grade::Error, "SSP-P10-MAJOR", "protocol_incompatible", "skill.protocol_incompatible")
            }
        };
        let mut supported = self.options.supports.to_owned();
        if !self.options.supported_majors.is_empty() {
            supported = format!("{supported} ({})", self.options.supported_majors.join(", "));
        }
        let finding = SkillFinding::new(check, Severity::Info, reason, message).on(self.doc, val);
        self.add(grade, finding.with("version", cut(&text)).with("supported", supported));
        grade == Grade::Error
    }

    /// The check that a missing field breaks, by the kind of document.
    fn required_check(&self) -> &'static str {
        match self.kind {
            Kind::Descriptor => "SSP-P1-REQUIRED",
            Kind::Index => "SSP-P6-REQUIRED",
            Kind::Request | Kind::Response | Kind::Problem => "SSP-P8-REQUIRED",
            Kind::Version => "SSP-P9-REQUIRED",
        }
    }

    fn object(&mut self, val: Val<'d>, ty: &'static Type, spot: &Spot) {
        let word = (!ty.cases.is_empty()).then(|| val.str("type").map(|w| w.into_owned())).flatten();
        let case = ty.cases.iter().position(|c| Some(c.word) == word.as_deref());
        let known: Vec<&'static Field> = ty.fields_with(word.as_deref()).collect();
        if (val.len() as u32) < ty.min_members {
            let mut at = spot.clone();
            at.keyword.push_str("/minProperties");
            let finding = self.on("SSP-P4-TYPE", "empty", "skill.empty_object", &at, val);
            return self.add(Grade::Error, finding);
        }
        let mut unknown: Vec<(String, Val<'d>)> = val
            .entries()
            .filter(|(key, _)| !key.starts_with("x-") && !known.iter().any(|f| f.name == key))
            .map(|(key, member)| (key.into_owned(), member))
            .collect();
        for (at, field) in known.iter().enumerate() {
            let of_case = at >= ty.fields.len();
            let place =
                if of_case { format!("allOf/{}/then/properties", case.unwrap_or(0)) } else { "properties".into() };
            let mut at = spot.member(field.name, &place);
            at.optional = !field.required;
            match val.get(field.name) {
                Some(_) if self.told.contains(&at.pointer) => {}
                Some(member) => self.value(member, field, &at),
                None if field.required => {
                    at.keyword =
                        format!("{}/required", at.keyword.trim_end_matches(&format!("/properties/{}", field.name)));
                    let check = if of_case { "SSP-P1-AUTH-FIELD" } else { self.required_check() };
                    self.required(check, val, &at, if of_case { word.as_deref() } else { None }, &mut unknown);
                }
                None if matches!(field.strict, Strict::Required) => {
                    let finding = self.missing("SSP-P4-HOUSE", "skill.required.strict", &at, val);
                    self.add(Grade::House, finding);
                }
                None => {}
            }
        }
        // With a word that nobody knows its fields are unknown as well.
        if ty.cases.is_empty() || case.is_some() {
            self.unknown(&unknown, &known, spot);
        }
        self.conditions(val, ty, spot);
    }

    /// A missing field; when a key beside it is misspelt so that it could be meant, one finding says both.
    fn required(
        &mut self,
        check: &'static str,
        object: Val<'d>,
        spot: &Spot,
        case: Option<&str>,
        unknown: &mut Vec<(String, Val<'d>)>,
    ) {
        let near = unknown.iter().position(|(key, _)| nearest(key, [&*spot.field]).is_some());
        let message = match (near, case, spot.owner.is_empty()) {
            (Some(_), ..) => "skill.required.near",
            (None, Some(_), _) => "skill.required.auth",
            (None, None, false) => "skill.required.in",
            (None, None, true) => "skill.required",
        };
        let mut finding = self.missing(check, message, spot, object);
        if let Some((key, member)) = near.map(|i| unknown.remove(i)) {
            finding = finding.with("key", quote(&key)).placed(self.doc, member.offset());
        }
        let finding = finding.with("owner", &*spot.owner).with("type", case.unwrap_or_default());
        self.add(Grade::Error, finding);
    }

    fn unknown(&mut self, unknown: &[(String, Val<'d>)], known: &[&'static Field], spot: &Spot) {
        for (key, member) in unknown {
            if !self.has_room(Grade::House) {
                return;
            }
            let near = nearest(key, known.iter().map(|f| f.name));
            let mut at = spot.member(key, "additionalProperties");
            at.keyword = format!("{}/additionalProperties", spot.keyword);
            let (reason, message) =
                if near.is_some() { ("typo", "skill.typo") } else { ("unknown_field", "skill.unknown_field") };
            let finding =
                self.on("SSP-P4-UNKNOWN", reason, message, &at, *member).with("near", near.unwrap_or_default());
            let expected = near.is_none() && self.newer_minor && self.options.profile == Profile::Core;
            self.add(if expected { Grade::Info } else { Grade::House }, finding);
        }
    }

    fn conditions(&mut self, val: Val<'d>, ty: &'static Type, spot: &Spot) {
        let Some(status) = val.str("status") else { return };
        let of_status = ty.conditions.iter().enumerate().filter(|(_, c)| c.words.contains(&status.as_ref()));
        for (i, condition) in of_status {
            let rule = format!("{}/allOf/{}/then", spot.keyword, ty.cases.len() + i);
            let finding = match condition.then {
                Then::Needs(name) if !val.has(name) => {
                    let mut at = spot.member(name, "properties");
                    at.keyword = format!("{rule}/required");
                    self.missing("SSP-P4-HOUSE", "skill.required.status", &at, val)
                }
                Then::Forbids(name) => {
                    let Some(member) = val.get(name) else { continue };
                    let mut at = spot.member(name, "properties");
                    at.keyword = format!("{rule}/properties/{name}");
                    self.on("SSP-P4-HOUSE", "not_allowed", "skill.not_allowed", &at, member)
                }
                Then::NeedsIn(name, inner) => {
                    let Some(member) = val.get(name).filter(|m| m.is_object() && !m.is_empty() && !m.has(inner)) else {
                        continue;
                    };
                    let mut at = spot.member(name, "properties").member(inner, "properties");
                    at.keyword = format!("{rule}/properties/{name}/required");
                    self.missing("SSP-P4-HOUSE", "skill.required.status", &at, member)
                }
                Then::Needs(_) => continue,
            };
            self.add(Grade::House, finding.with("status", &*status));
        }
    }

    /// One value of a field.
    fn value(&mut self, val: Val<'d>, field: &'static Field, spot: &Spot) {
        if !self.shape(val, &field.shape, spot) {
            return;
        }
        match &field.strict {
            Strict::Words(words) => {
                self.words(val, words, spot, Grade::House);
            }
            Strict::Rule(rule) => {
                if val.as_str().is_some_and(|text| !rule.holds(&text)) {
                    let message = rule_message(*rule);
                    let mut at = spot.clone();
                    at.keyword.push_str("/pattern");
                    let finding = self.on("SSP-P4-HOUSE", rule.reason(), message, &at, val);
                    self.add(Grade::House, finding);
                }
            }
            Strict::Same | Strict::Required => {}
        }
    }

    /// Whether a value has its shape; what is wrong is said.
    fn shape(&mut self, val: Val<'d>, shape: &'static Shape, spot: &Spot) -> bool {
        // What has a definition of its own stands behind a reference in the schema.
        let mut defined = spot.clone();
        if shape.is_defined() {
            defined.keyword.push_str("/$ref");
        }
        let outer = spot;
        let spot = &defined;
        match shape {
            Shape::Any => true,
            Shape::Text { min, max, rule } => {
                self.is(val, Json::String, "string", spot) && self.text(val, *min, *max, *rule, spot)
            }
            Shape::Id => {
                self.is(val, Json::String, "string", spot) && self.text(val, 1, super::table::MAX_ID, Rule::Id, spot)
            }
            Shape::Words(words) => {
                self.is(val, Json::String, "string", spot) && self.words(val, words, spot, Grade::Error)
            }
            Shape::Integer { min, max } => {
                self.is(val, Json::Number, "integer", spot) && self.integer(val, *min, *max, spot)
            }
            Shape::Boolean => val.as_bool().is_some() || self.is(val, Json::True, "boolean", spot),
            Shape::Object(ty) => {
                let good = self.is(val, Json::Object, "object", spot);
                if good {
                    self.object(val, ty, spot);
                }
                good
            }
            Shape::Open => self.is(val, Json::Object, "object", spot),
            Shape::Texts => {
                let good = self.is(val, Json::Object, "object", spot);
                for (key, member) in val.entries().filter(|_| good) {
                    if self.is_full() {
                        break;
                    }
                    let mut at = spot.member(&key, "additionalProperties");
                    at.keyword = format!("{}/additionalProperties", spot.keyword);
                    self.is(member, Json::String, "string", &at);
                }
                good
            }
            Shape::List { of, min, unique } => {
                self.is(val, Json::Array, "array", spot) && self.list(val, of, *min, *unique, spot)
            }
            Shape::Schema { object_only_in_strict } => {
                let good = self.is(val, Json::Object, "object", spot);
                if good {
                    embedded::schema(self, val, outer, *object_only_in_strict);
                }
                good
            }
        }
    }

    /// Whether a value is of a kind of JSON.
    fn is(&mut self, val: Val<'_>, kind: Json, wants: &str, spot: &Spot) -> bool {
        if val.kind() == kind {
            return true;
        }
        let mut at = spot.clone();
        at.keyword.push_str("/type");
        let (reason, message) = match (val.is_null(), spot.optional) {
            (true, true) => ("null", "skill.null.optional"),
            (true, false) => ("null", "skill.null"),
            (false, _) => ("type", "skill.type"),
        };
        let finding = self.on("SSP-P4-TYPE", reason, message, &at, val);
        let finding = finding.with("is", word_of(val)).with("wants", format!("\u{2}skill.word.{wants}"));
        self.add(Grade::Error, finding);
        false
    }

    fn text(&mut self, val: Val<'_>, min: u32, max: u32, rule: Rule, spot: &Spot) -> bool {
        let text = val.as_str().unwrap_or_default();
        let count = text.chars().count();
        let mut at = spot.clone();
        let finding = if rule == Rule::ProtocolVersion {
            let Err(fault) = version::check(&text) else { return true };
            at.keyword.push_str("/pattern");
            self.on("SSP-P9-SEMVER", fault.reason, fault.message, &at, val).with("part", cut(&fault.part))
        } else if count < min as usize {
            at.keyword.push_str("/minLength");
            self.on("SSP-P4-TEXT", "blank", "skill.empty_text", &at, val)
        } else if max > 0 && count > max as usize {
            at.keyword.push_str("/maxLength");
            let finding = self.on("SSP-P4-TEXT", "too_long", "skill.too_long", &at, val);
            finding.with("n", count.to_string()).with("limit", max.to_string())
        } else if !rule.holds(&text) {
            let (check, keyword) =
                if rule.format().is_some() { ("SSP-P4-FORMAT", "/format") } else { ("SSP-P4-TEXT", "/pattern") };
            at.keyword.push_str(keyword);
            self.on(check, rule.reason(), rule_message(rule), &at, val)
        } else {
            return true;
        };
        self.add(Grade::Error, finding);
        false
    }

    fn words(&mut self, val: Val<'_>, words: &'static Words, spot: &Spot, grade: Grade) -> bool {
        let text = val.as_str().unwrap_or_default();
        if words.words.contains(&text.as_ref()) {
            return true;
        }
        let near = nearest(&text, words.words.iter().copied());
        let message = match near {
            Some(near) if near.eq_ignore_ascii_case(&text) => "skill.enum.case",
            Some(_) => "skill.enum.near",
            None => "skill.enum",
        };
        let check = match (grade, words.seed) {
            (Grade::House, _) => "SSP-P4-HOUSE",
            (_, true) => "SSP-P2-ENUM",
            (_, false) => "SSP-P4-ENUM",
        };
        let mut at = spot.clone();
        at.keyword.push_str("/enum");
        let finding = self.on(check, "enum", message, &at, val);
        let finding =
            finding.with("allowed", listed(words.words.iter().copied())).with("near", near.unwrap_or_default());
        self.add(grade, finding);
        false
    }

    fn integer(&mut self, val: Val<'_>, min: i64, max: i64, spot: &Spot) -> bool {
        let mut at = spot.clone();
        let whole = val.as_f64().is_some_and(|n| n.fract() == 0.0);
        let finding = if !whole {
            at.keyword.push_str("/type");
            self.on("SSP-P4-TYPE", "type", "skill.integer", &at, val).with("wants", "\u{2}skill.word.integer")
        } else if val.as_f64().is_some_and(|n| n < min as f64) {
            at.keyword.push_str("/minimum");
            self.on("SSP-P4-RANGE", "minimum", "skill.minimum", &at, val).with("limit", min.to_string())
        } else if val.as_f64().is_some_and(|n| n > max as f64) {
            at.keyword.push_str("/maximum");
            self.on("SSP-P4-RANGE", "maximum", "skill.maximum", &at, val).with("limit", max.to_string())
        } else {
            return true;
        };
        self.add(Grade::Error, finding);
        false
    }

    fn list(&mut self, val: Val<'d>, of: &'static Shape, min: u32, unique: bool, spot: &Spot) -> bool {
        if (val.len() as u32) < min {
            let mut at = spot.clone();
            at.keyword.push_str("/minItems");
            let finding = self.on("SSP-P4-LIST", "empty", "skill.empty_list", &at, val);
            self.add(Grade::Error, finding);
            return false;
        }
        let mut seen = BTreeSet::new();
        for (i, member) in val.items().enumerate() {
            if self.is_full() {
                return true;
            }
            let at = Spot {
                pointer: format!("{}/{i}", spot.pointer),
                keyword: format!("{}/items", spot.keyword),
                field: spot.field.clone(),
                owner: String::new(),
                item: true,
                optional: false,
            };
            if self.told.contains(&at.pointer) || !self.shape(member, of, &at) || !unique {
                continue;
            }
            if !seen.insert(member.text()) {
                let mut at = at;
                at.keyword = format!("{}/uniqueItems", spot.keyword);
                let finding = self.on("SSP-P4-LIST", "not_unique", "skill.not_unique", &at, member);
                self.add(Grade::Error, finding);
            }
        }
        true
    }
}

/// The sentence for a text that breaks a rule.
fn rule_message(rule: Rule) -> &'static str {
    match rule {
        Rule::Visible | Rule::Any => "skill.blank",
        Rule::Id => "skill.pattern.id",
        Rule::Token => "skill.pattern.token",
        Rule::Digest => "skill.pattern.digest",
        Rule::Path => "skill.pattern.path",
        Rule::ProtocolVersion | Rule::SemVer => "skill.semver",
        Rule::Https => "skill.https",
        Rule::Uri => "skill.format_uri",
        Rule::UriReference => "skill.format_uri_reference",
        Rule::Hostname => "skill.format_hostname",
        Rule::DateTime => "skill.format_date_time",
    }
}

/// A little of a text.
pub(super) fn cut(text: &str) -> String {
    let mut out: String = text.chars().take(60).collect();
    if text.chars().nth(60).is_some() {
        out.push('…');
    }
    out
}
