//! The JSON Schemas inside a descriptor: are they schemas, do the examples follow them, do messages?
//!
//! Decides with `schema::embedded`, which fetches nothing; a schema that cannot be used is a finding of its own, and what
//! hangs on it is then said to be unchecked, never passed. Each schema is compiled once a document.
//! Source: Skill Sharing Protocol chapter 12, properties 4 and 8.

use crate::json::{Val, quote};
use crate::model::Severity;
use crate::schema::embedded::{Departure, Flaw, FlawKind, Schema, compiled};

use super::Kind;
use super::check::{Spot, Walk};
use super::finding::{Grade, SkillFinding, listed, shown};
use super::text::nearest;

/// A JSON Schema inside a descriptor.
pub(super) fn schema(walk: &mut Walk<'_, '_>, val: Val<'_>, spot: &Spot, object_only_in_strict: bool) {
    let before = walk.out.len();
    match compiled(val) {
        Ok(schema) => {
            // Inputs are objects: of a schema that takes none every example would say the same again.
            let takes_objects = val.get("type").is_none_or(|t| t.is("object") || t.items().any(|t| t.is("object")));
            if takes_objects || !object_only_in_strict {
                walk.schemas.insert(spot.pointer.clone(), schema);
            }
        }
        Err(flaws) => flaws.iter().for_each(|f| flaw(walk, val, spot, f)),
    }
    let at_type = format!("{}/type", spot.pointer);
    let said = walk.out.iter().skip(before).any(|f| f.pointer == at_type);
    if object_only_in_strict && !said && !val.get("type").is_some_and(|t| t.is("object")) {
        let mut at = spot.member("type", "properties");
        if val.has("type") {
            at.keyword.push_str("/const");
        } else {
            at.keyword = format!("{}/required", spot.keyword);
        }
        let finding = match val.get("type") {
            Some(ty) => walk.on("SSP-P4-HOUSE", "inputs_object", "skill.inputs_object", &at, ty),
            None => walk.missing("SSP-P4-HOUSE", "skill.inputs_object.missing", &at, val),
        };
        walk.add(Grade::House, finding);
    }
}

fn flaw(walk: &mut Walk<'_, '_>, val: Val<'_>, spot: &Spot, flaw: &Flaw) {
    let (reason, message) = match &flaw.kind {
        FlawKind::Words(_) => ("embedded_schema", "skill.embedded.words"),
        FlawKind::Keyword(_) => ("embedded_schema", "skill.embedded.keyword"),
        FlawKind::BadPattern => ("embedded_schema", "skill.embedded.bad_pattern"),
        FlawKind::UnknownDialect => ("unknown_dialect", "skill.embedded.unknown_dialect"),
        FlawKind::RemoteRef => ("remote_ref", "skill.embedded.remote_ref"),
        FlawKind::MissingRef => ("missing_ref", "skill.embedded.missing_ref"),
        FlawKind::RefLoop => ("ref_loop", "skill.embedded.ref_loop"),
        FlawKind::TooLarge => ("schema_too_large", "skill.embedded.too_large"),
        FlawKind::TooDeep => ("schema_too_large", "skill.embedded.too_deep"),
        FlawKind::Unfolds => ("schema_too_large", "skill.embedded.unfolds"),
        FlawKind::Catastrophic => ("catastrophic_pattern", "skill.embedded.catastrophic"),
    };
    let place = val.at(&flaw.pointer).unwrap_or(val);
    let mut finding = SkillFinding::new("SSP-P4-EMBEDDED", Severity::Error, reason, message)
        .at(format!("{}{}", spot.pointer, flaw.pointer))
        .placed(walk.doc, place.offset());
    let (field, value) = (finding.field.clone(), shown(place));
    finding = finding.with("field", field).with("value", value).with("dialect", flaw.dialect.name());
    let wants = match &flaw.kind {
        FlawKind::Words(words) => listed(words.iter().map(String::as_str)),
        FlawKind::Keyword(wants) => wants.clone(),
        _ => String::new(),
    };
    walk.add(Grade::Error, finding.with("wants", wants));
}

/// Each example of a descriptor against the descriptor's own schemas.
pub(super) fn examples(walk: &mut Walk<'_, '_>) {
    let Some(examples) = walk.doc.root().get("examples").filter(|e| e.is_array()) else { return };
    for (i, example) in examples.items().enumerate() {
        if !walk.has_room(Grade::House) {
            return;
        }
        for (name, schema) in [("inputs", "/inputs"), ("output", "/output")] {
            let Some(val) = example.get(name).filter(|v| name == "output" || v.is_object()) else { continue };
            let Some(found) = walk.schemas.get(schema).map(|s| s.check(val)) else { continue };
            for departure in found {
                let at = format!("/examples/{i}/{name}");
                let finding = departed("SSP-P4-EXAMPLE", walk, val, &at, &departure, "skill.example");
                walk.add(Grade::House, finding.with("owner", name));
            }
        }
    }
}

/// A message against the descriptor of its skill.
pub(super) fn message(walk: &mut Walk<'_, '_>) {
    let root = walk.doc.root();
    let Some(named) = root.get("skill_id").filter(|v| v.is_string()) else { return };
    let id = named.text();
    if walk.options.descriptors.is_empty() {
        return;
    }
    let with_id = |d: &&Val<'_>| d.get("id").is_some_and(|v| v.is(&id));
    let Some(descriptor) = walk.options.descriptors.iter().copied().find(|d| with_id(&d)) else {
        let known: Vec<String> =
            walk.options.descriptors.iter().filter_map(|d| Some(d.str("id")?.into_owned())).collect();
        let near = nearest(&id, known.iter().map(String::as_str)).map(quote);
        let message = if near.is_some() { "skill.skill_unknown.near" } else { "skill.skill_unknown" };
        let finding = SkillFinding::new("SSP-P8-SKILL-ID", Severity::Error, "skill_unknown", message);
        let finding = finding.on(walk.doc, named).with("field", "skill_id").with("value", shown(named));
        return walk.add(Grade::Error, finding.with("near", near.unwrap_or_default()));
    };
    let (check, name, schema) = match walk.kind {
        Kind::Request => ("SSP-P8-INPUTS", "inputs", descriptor.get("inputs")),
        _ if root.get("status").is_some_and(|s| s.is("succeeded")) => {
            ("SSP-P8-OUTPUT", "output", descriptor.get("output"))
        }
        _ => return,
    };
    let Some(schema) = schema.filter(|s| s.is_object() && !s.is_empty()) else { return };
    let at = format!("/{name}");
    let Some(val) = root.get(name) else {
        // Missing inputs are a fault of their own already.
        if name == "output" {
            let finding = SkillFinding::new(check, Severity::Warning, "required", "skill.output.missing").at(at);
            walk.add(Grade::House, finding.placed(walk.doc, root.offset()).with("field", name).with("id", &*id));
        }
        return;
    };
    if name == "inputs" && !val.is_object() {
        return;
    }
    match compiled(schema) {
        Ok(schema) => departures(walk, check, &schema, val, &at, &id),
        Err(_) => {
            let finding = SkillFinding::new(check, Severity::Warning, "unchecked", "skill.unchecked").on(walk.doc, val);
            walk.add(Grade::Warning, finding.with("field", name).with("id", &*id));
        }
    }
}

fn departures(walk: &mut Walk<'_, '_>, check: &'static str, schema: &Schema, val: Val<'_>, at: &str, id: &str) {
    for departure in schema.check(val) {
        let finding = departed(check, walk, val, at, &departure, "skill.inputs");
        walk.add(Grade::Error, finding.with("id", id));
    }
}

/// The finding of one departure. `stem` is the sentence; `stem.required` and `stem.unknown_field` are its own.
fn departed(
    check: &'static str,
    walk: &Walk<'_, '_>,
    val: Val<'_>,
    at: &str,
    departure: &Departure,
    stem: &'static str,
) -> SkillFinding {
    let message = match (stem, departure.reason) {
        ("skill.inputs", "required") => "skill.inputs.required",
        ("skill.inputs", "unknown_field") => "skill.inputs.unknown_field",
        ("skill.example", "required") => "skill.example.required",
        ("skill.example", "unknown_field") => "skill.example.unknown_field",
        ("skill.example", _) => "skill.example",
        _ => "skill.inputs",
    };
    let pointer = format!("{at}{}", departure.pointer);
    let there = val.at(&departure.pointer);
    let place = there.unwrap_or(val);
    let reason = match departure.reason {
        // The remedy of the protocol's own fields is not the one for another schema's.
        "unknown_field" => "not_in_schema",
        reason => reason,
    };
    let mut finding =
        SkillFinding::new(check, Severity::Error, reason, message).at(pointer).placed(walk.doc, place.offset());
    let field = finding.field.clone();
    finding.keyword = departure.keyword.clone();
    // Remedies name the limit, the words or the form, whichever the keyword has.
    let wants = &departure.wants;
    finding
        .with("field", field)
        .with("value", there.map(shown).unwrap_or_default())
        .with("wants", wants.clone())
        .with("allowed", wants.clone())
        .with("limit", wants.clone())
}
