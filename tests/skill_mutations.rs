//! One fault, one finding: every field and every constraint of the table is broken once in an otherwise faultless
//! document, and exactly one finding comes back, with the pointer of the field itself and the reason that belongs to it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use skillscope::json::Tape;
use skillscope::message::Lang;
use skillscope::model::Severity;
use skillscope::skill::{self, Kind, Options, Profile, SkillFinding};

#[path = "common/skills.rs"]
mod skills;

fn findings(text: &str, kind: Kind, profile: Profile) -> Vec<SkillFinding> {
    let mut tape = Tape::new();
    skill::check_as(&tape.parse(text), kind, &Options { profile, ..Options::default() })
}

#[test]
fn full_documents_are_faultless() {
    for (kind, document) in skills::full_documents() {
        let text = document.to_string();
        assert_eq!(findings(&text, kind, Profile::Strict), [], "{}: {text}", kind.id());
        let mut tape = Tape::new();
        assert_eq!(skill::kind_of(&tape.parse(&text)), Some(kind));
    }
}

#[test]
fn one_mutation_gives_one_finding() {
    let mutations = skills::mutations();
    let mut wrong = Vec::new();
    for m in &mutations {
        let text = m.document.to_string();
        for profile in [Profile::Core, Profile::Strict] {
            let found = findings(&text, m.kind, profile);
            let expected = if m.house && profile == Profile::Core { Severity::Warning } else { Severity::Error };
            let good = matches!(found.as_slice(), [one]
                if one.pointer == m.pointer && one.reason == m.reason && one.severity == expected && one.house == m.house);
            if !good {
                let shown: Vec<_> = found
                    .iter()
                    .map(|f| format!("{} {} {:?} {}", f.pointer, f.reason, f.severity, f.sentence(Lang::En)))
                    .collect();
                wrong.push(format!(
                    "{} ({}): expected {} {}, found {shown:?}",
                    m.what,
                    profile.id(),
                    m.pointer,
                    m.reason
                ));
            }
            for f in &found {
                for lang in Lang::ALL {
                    let said = format!("{} / {}", f.sentence(lang), f.remedy(lang));
                    assert!(!said.contains('–') && !said.contains("skill."), "{}: {said}", m.what);
                }
                let (line, column) = (f.line, f.column);
                assert!(line == 1 && column >= 1 && column as usize <= text.chars().count(), "{}", m.what);
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), mutations.len(), wrong.join("\n"));
    assert!(mutations.len() > 500, "{}", mutations.len());
    // For tests/ts: another validator judges the same documents.
    let lines: Vec<String> = mutations
        .iter()
        .map(|m| {
            let kind = m.kind.id();
            serde_json::json!({ "kind": kind, "document": m.document, "pointer": m.pointer, "reason": m.reason, "house": m.house })
                .to_string()
        })
        .collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".cache");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mutations.jsonl"), lines.join("\n") + "\n").unwrap();
}

/// The place that a finding names in the schema is there, and holds the keyword that is broken.
#[test]
fn keyword_locations_are_in_the_schemas() {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let schemas: std::collections::BTreeMap<String, serde_json::Value> =
        skillscope::skill::emit::schemas().into_iter().map(|(name, text)| (name, read(&text))).collect();
    let mut seen = 0;
    for m in skills::mutations() {
        for f in findings(&m.document.to_string(), m.kind, Profile::Strict) {
            if f.check == "SSP-P4-EMBEDDED" {
                continue;
            }
            seen += 1;
            // House rules are in the strict schema, all others in both or in core alone.
            let profile = if f.house { Profile::Strict } else { Profile::Core };
            let name = skillscope::skill::emit::file_name(m.kind.id(), profile);
            let schema = &schemas[&name];
            let mut here = schema;
            for token in f.keyword.split('/').skip(1) {
                let next = if let Ok(at) = token.parse::<usize>() { here.get(at) } else { here.get(token) };
                here = next.unwrap_or_else(|| panic!("{}: {} is not in {name}", m.what, f.keyword));
                if token == "$ref" {
                    here = schema.pointer(here.as_str().unwrap().trim_start_matches('#')).unwrap();
                }
            }
            assert!(f.keyword.len() > 1, "{}", m.what);
        }
    }
    assert!(seen > 500, "{seen}");
}

/// Every field of every type is reached, and every reason that the table can give.
#[test]
fn mutations_reach_the_whole_table() {
    let mutations = skills::mutations();
    let fields: BTreeSet<&str> = mutations.iter().filter_map(|m| m.pointer.rsplit('/').next()).collect();
    for ty in skillscope::skill::table::TYPES {
        for field in ty.fields.iter().chain(ty.cases.iter().flat_map(|c| c.fields)) {
            let any = matches!(field.shape, skillscope::skill::table::Shape::Any);
            assert!(any || fields.contains(field.name), "no mutation of {}.{}", ty.name, field.name);
        }
    }
    let reasons: BTreeSet<&str> = mutations.iter().map(|m| m.reason.as_str()).collect();
    for reason in [
        "required",
        "null",
        "type",
        "enum",
        "blank",
        "too_long",
        "pattern",
        "format_uri",
        "format_uri_reference",
        "format_hostname",
        "format_date_time",
        "semver_parts",
        "semver_suffix",
        "semver_leading_zero",
        "semver_prefix",
        "semver_space",
        "semver_not_number",
        "minimum",
        "maximum",
        "empty",
        "not_unique",
        "unknown_field",
        "typo",
        "not_allowed",
        "https",
        "semver",
        "inputs_object",
        "embedded_schema",
        "unknown_dialect",
        "remote_ref",
        "missing_ref",
        "ref_loop",
        "catastrophic_pattern",
    ] {
        assert!(reasons.contains(reason), "no mutation gives {reason}");
    }
}
