//! The correctness properties of chapter 12 as property tests: 1 to 4 and 8 to 11. Properties 5 to 7 are in
//! `tests/properties_index.rs`, all eleven in TypeScript in `tests/ts`. Each runs at least 100 times; a failure prints the
//! shrunk document.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use skillscope::json::Tape;
use skillscope::message::Lang;
use skillscope::model::Severity;
use skillscope::skill::version::{self, Compatibility};
use skillscope::skill::{self, Kind, Options, Profile, SkillFinding, emit, table};

#[path = "common/skills.rs"]
mod skills;

/// Runs a property under its label, as chapter 12 asks for it.
#[track_caller]
fn property<S: Strategy>(label: &str, cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: std::fmt::Debug,
{
    assert!(label.starts_with("Feature: skill-sharing-protocol, Property ") && cases >= 100);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    if let Err(error) = runner.run(&strategy, test) {
        panic!("{label}\n{error}");
    }
}

/// A consumer that any version is old enough for.
fn supports() -> String {
    format!("{}.0.0", "9".repeat(60))
}

fn findings_of(text: &str, kind: Kind, profile: Profile) -> Vec<SkillFinding> {
    let (mut tape, supports) = (Tape::new(), supports());
    skill::check_as(&tape.parse(text), kind, &Options { profile, supports: &supports, ..Options::default() })
}

fn errors(value: &Value, kind: Kind, profile: Profile) -> Vec<SkillFinding> {
    let mut found = findings_of(&value.to_string(), kind, profile);
    found.retain(|f| f.severity == Severity::Error);
    found
}

fn descriptor() -> BoxedStrategy<Value> {
    skills::valid(Kind::Descriptor.of_table(), false)
}

/// A document of any kind, with its kind.
fn document(tidy: bool) -> BoxedStrategy<(Kind, Value)> {
    let of = move |kind: Kind| skills::valid(kind.of_table(), tidy).prop_map(move |v| (kind, v)).boxed();
    proptest::strategy::Union::new(Kind::ALL.map(of)).boxed()
}

/// An index may repeat ids or list private skills by chance; the types alone cannot say so.
fn is_of_table(f: &SkillFinding) -> bool {
    let code = ["SSP-P4-EMBEDDED", "SSP-P4-EXAMPLE", "SSP-P5-DUPLICATE-ID", "SSP-P6-PRIVATE-LISTED", "SSP-P8-TIMES"];
    !code.contains(&f.check)
}

/// Removes a member; false when it was not there.
fn remove(value: &mut Value, pointer: &str) -> bool {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    value.pointer_mut(parent).and_then(Value::as_object_mut).is_some_and(|o| o.shift_remove(name).is_some())
}

const DESCRIPTOR_REQUIRED: [&str; 13] = [
    "/protocol",
    "/protocol/version",
    "/id",
    "/name",
    "/version",
    "/capability_type",
    "/description",
    "/provider",
    "/endpoint",
    "/inputs",
    "/output",
    "/auth",
    "/access",
];

#[test]
fn property_1_descriptor_structure() {
    let label = "Feature: skill-sharing-protocol, Property 1: skill descriptor structural completeness";
    let field = proptest::sample::select(&DESCRIPTOR_REQUIRED[..]);
    property(label, 128, (descriptor(), field), |(whole, pointer)| {
        prop_assert_eq!(errors(&whole, Kind::Descriptor, Profile::Core), vec![]);
        let mut without = whole.clone();
        prop_assert!(remove(&mut without, pointer));
        let found = errors(&without, Kind::Descriptor, Profile::Core);
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        prop_assert_eq!((&*found[0].pointer, found[0].reason, found[0].property), (pointer, "required", 1));
        // null, and an object without members, are not the field.
        let mut null = whole.clone();
        *null.pointer_mut(pointer).unwrap() = Value::Null;
        let found = errors(&null, Kind::Descriptor, Profile::Core);
        prop_assert!(found.len() == 1 && found[0].pointer == pointer && found[0].reason == "null", "{:?}", found);
        for object in ["/protocol", "/provider", "/endpoint", "/auth"] {
            let mut empty = whole.clone();
            *empty.pointer_mut(object).unwrap() = json!({});
            let found = errors(&empty, Kind::Descriptor, Profile::Core);
            prop_assert!(found.len() == 1 && found[0].pointer.starts_with(object), "{:?}", found);
        }
        Ok(())
    });
}

#[test]
fn property_2_enumerations() {
    let label = "Feature: skill-sharing-protocol, Property 2: enumerated field value domains";
    let lists =
        [("/capability_type", &table::CAPABILITY_TYPE), ("/access", &table::ACCESS), ("/auth/type", &table::AUTH_TYPE)];
    let wrong = prop_oneof![
        skills::any_json(),
        "[a-z_]{0,10}".prop_map(Value::from),
        Just("Public".into()),
        Just(" public".into()),
        Just("ＡＰＩ".into()),
        Just(json!(["api"])),
    ];
    property(
        label,
        256,
        (descriptor(), proptest::sample::select(lists.to_vec()), wrong),
        |(whole, (at, list), wrong)| {
            let mut changed = whole.clone();
            *changed.pointer_mut(at).unwrap() = wrong.clone();
            let found = errors(&changed, Kind::Descriptor, Profile::Core);
            if wrong.as_str().is_some_and(|w| list.words.contains(&w)) {
                prop_assert!(found.iter().all(|f| f.pointer != at), "{:?}", found);
                return Ok(());
            }
            prop_assert!(found.len() == 1 && found[0].pointer == at, "{:?}", found);
            if wrong.is_string() {
                let sentence = found[0].sentence(Lang::En);
                prop_assert_eq!((found[0].reason, found[0].property), ("enum", 2));
                prop_assert!(list.words.iter().all(|w| sentence.contains(&format!("\"{w}\""))), "{}", sentence);
            }
            Ok(())
        },
    );
}

#[test]
fn property_3_round_trip() {
    let label = "Feature: skill-sharing-protocol, Property 3: round-trip consistency";
    property(label, 256, (document(false), any::<bool>()), |((_, value), pretty)| {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let first = skill::parse(text.as_bytes()).map_err(|f| TestCaseError::fail(format!("{f:?}")))?;
        let written = skill::serialize(&first);
        let again = skill::parse(written.as_bytes()).map_err(|f| TestCaseError::fail(format!("{f:?}")))?;
        prop_assert!(again.equals(&first));
        // Another reader sees the same value, and the order of the keys is kept.
        let seen: Value = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(&seen, &value);
        prop_assert_eq!(seen.to_string(), value.to_string());
        prop_assert_eq!(skill::serialize(&again), written);
        // Equality and the canonical form know no order of keys.
        let turned = skill::parse(reversed(&value).to_string().as_bytes()).unwrap();
        prop_assert!(turned.equals(&first));
        prop_assert_eq!(turned.canonical(), first.canonical());
        prop_assert!(first.canonical().is_some());
        Ok(())
    });
}

/// The same value with every object's members the other way round.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(members.iter().rev().map(|(k, v)| (k.clone(), reversed(v))).collect()),
        Value::Array(items) => Value::Array(items.iter().map(reversed).collect()),
        other => other.clone(),
    }
}

#[test]
fn property_4_validation() {
    let label = "Feature: skill-sharing-protocol, Property 4: schema validation correctness";
    property(label, 128, descriptor(), |value| {
        let document = skill::parse(value.to_string().as_bytes()).unwrap();
        let typed = skill::to_skill(&document);
        let typed = typed.ok_or_else(|| TestCaseError::fail("no typed object"))?;
        prop_assert_eq!(Some(typed.id.as_str()), value["id"].as_str());
        prop_assert_eq!(typed.access.map(|a| a.word()), value["access"].as_str());
        prop_assert_eq!(typed.capability.map(|c| c.word()), value["capability_type"].as_str());
        Ok(())
    });
    let mutations = skills::mutations();
    property(label, 512, proptest::sample::select(mutations), |m| {
        let found = findings_of(&m.document.to_string(), m.kind, Profile::Strict);
        prop_assert!(
            found.iter().all(|f| f.check == "SSP-P10-OLDER" || f.pointer == m.pointer && f.reason == m.reason)
        );
        let one = found.iter().find(|f| f.pointer == m.pointer).unwrap();
        let name = m.pointer.rsplit('/').find(|t| t.parse::<usize>().is_err()).unwrap_or_default();
        prop_assert_eq!(&one.field, name);
        prop_assert!(
            !one.reason.is_empty() && !one.sentence(Lang::En).is_empty() && !one.remedy(Lang::ZhHant).is_empty()
        );
        Ok(())
    });
}

#[test]
fn property_8_messages() {
    let label = "Feature: skill-sharing-protocol, Property 8: invocation message structural completeness";
    let request = ["/caller", "/caller/id", "/caller/type", "/skill_id", "/inputs"];
    let response = ["/execution_id", "/status", "/skill_id", "/timestamps"];
    let message = prop_oneof![
        (
            Just(Kind::Request),
            skills::valid(Kind::Request.of_table(), false),
            proptest::sample::select(request.to_vec())
        ),
        (
            Just(Kind::Response),
            skills::valid(Kind::Response.of_table(), false),
            proptest::sample::select(response.to_vec())
        ),
    ];
    property(label, 256, message, |(kind, whole, pointer)| {
        prop_assert_eq!(errors(&whole, kind, Profile::Core), vec![]);
        let mut without = whole.clone();
        prop_assert!(remove(&mut without, pointer));
        let found = errors(&without, kind, Profile::Core);
        prop_assert!(found.len() == 1, "{:?}", found);
        prop_assert_eq!((&*found[0].pointer, found[0].reason, found[0].property), (pointer, "required", 8));
        Ok(())
    });
}

#[test]
fn property_9_version_text() {
    let label = "Feature: skill-sharing-protocol, Property 9: protocol version SemVer format";
    let number = || prop_oneof!["0|[1-9][0-9]{0,4}", "[1-9][0-9]{18,400}"];
    property(label, 128, (number(), number(), number()), |(a, b, c)| {
        let text = format!("{a}.{b}.{c}");
        prop_assert_eq!(version::check(&text), Ok(()));
        prop_assert_eq!(version::parts(&text), Some([&*a, &*b, &*c]));
        Ok(())
    });
    let near = prop_oneof![
        "[0-9v. \n+-]{0,8}",
        "[ v+-]?[0-9]{1,3}\\.[+-]?[0-9]{0,3}\\.[0-9]{1,3}([.+ \n-][0-9a-z]{0,2})?",
        "\\PC{0,6}",
        "[0-9١１]{1,2}\\.[0-9]\\.[0-9]",
    ];
    property(label, 2048, near, |text| {
        // The pattern of the schema, judged by another engine, gives the same verdict.
        let by_schema = validator(Kind::Version, Profile::Core).is_valid(&json!({ "version": text }));
        let ours = version::check(&text);
        prop_assert_eq!(ours.is_ok(), by_schema, "{:?}", ours);
        if let Err(fault) = ours {
            prop_assert!(fault.reason.starts_with("semver_"));
            let found = errors(&json!({ "version": text }), Kind::Version, Profile::Core);
            prop_assert!(found.len() == 1 && found[0].property == 9 && found[0].reason == fault.reason, "{:?}", found);
        }
        Ok(())
    });
}

#[test]
fn property_10_incompatible_versions() {
    let label = "Feature: skill-sharing-protocol, Property 10: version incompatibility detection";
    let version = || (0u128..1 << 100, 0u8..3, 0u8..3).prop_map(|(major, minor, patch)| (major, minor, patch));
    let small = || (0u128..4, 0u8..3, 0u8..3);
    let pair = prop_oneof![(version(), version()), (small(), small())];
    property(label, 512, (descriptor(), pair, any::<bool>()), |(mut whole, (theirs, ours), spoilt)| {
        let text = |(major, minor, patch): (u128, u8, u8)| format!("{major}.{minor}.{patch}");
        let (document, consumer) = (text(theirs), text(ours));
        whole["protocol"]["version"] = document.as_str().into();
        if spoilt {
            whole["access"] = 5.into();
        }
        let source = whole.to_string();
        let mut tape = Tape::new();
        let options = Options { supports: &consumer, ..Options::default() };
        let found = skill::check_as(&tape.parse(&source), Kind::Descriptor, &options);
        let compatible = skill::compatibility(&document, &consumer, &[]);
        if theirs.0 > ours.0 {
            prop_assert_eq!(compatible, Some(Compatibility::Incompatible));
            // Nothing but the incompatibility, which names both.
            prop_assert!(found.iter().filter(|f| f.severity == Severity::Error).count() == 1, "{:?}", found);
            prop_assert_eq!((found[0].reason, found[0].property), ("protocol_incompatible", 10));
            let sentence = found[0].sentence(Lang::En);
            prop_assert!(sentence.contains(&document) && sentence.contains(&consumer), "{}", sentence);
            return Ok(());
        }
        prop_assert!(found.iter().all(|f| f.reason != "protocol_incompatible"));
        prop_assert_eq!(found.iter().any(|f| f.severity == Severity::Error), spoilt);
        let older = found.iter().any(|f| f.reason == "protocol_older_major" && f.severity == Severity::Warning);
        prop_assert_eq!(older, theirs.0 < ours.0);
        Ok(())
    });
}

/// The generated schema of a kind, compiled by a validator that asserts formats.
fn validator(kind: Kind, profile: Profile) -> &'static jsonschema::Validator {
    static ALL: OnceLock<BTreeMap<String, jsonschema::Validator>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let compiled = |text: &str| {
            let schema: Value = serde_json::from_str(text).unwrap();
            jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
        };
        emit::schemas().iter().map(|(name, text)| (name.clone(), compiled(text))).collect()
    });
    &all[&emit::file_name(kind.id(), profile)]
}

/// Our checks and the schema that the same table gives agree on a value.
fn agree(value: &Value, kind: Kind, profile: Profile) -> Result<bool, TestCaseError> {
    let by_schema = validator(kind, profile).is_valid(value);
    let found = errors(value, kind, profile);
    if found.iter().any(is_of_table) {
        prop_assert!(!by_schema, "the {} schema takes what we refuse: {:?}", profile.id(), found);
    }
    if !by_schema {
        let said: Vec<String> = validator(kind, profile).iter_errors(value).map(|e| e.to_string()).collect();
        prop_assert!(!found.is_empty(), "the {} schema refuses what we take: {:?}", profile.id(), said);
    }
    Ok(by_schema)
}

#[test]
fn property_11_types_and_schemas() {
    let label = "Feature: skill-sharing-protocol, Property 11: TypeScript and JSON Schema semantic consistency";
    for tidy in [false, true] {
        property(label, 384, document(tidy), |(kind, value)| {
            let profile = if tidy { Profile::Strict } else { Profile::Core };
            prop_assert!(agree(&value, kind, profile)?, "{}: the schema refuses a valid document", kind.id());
            let found = errors(&value, kind, profile);
            prop_assert!(!found.iter().any(is_of_table), "{:?}", found);
            Ok(())
        });
    }
    property(label, 1024, (document(true), any::<u64>(), 1usize..4), |((kind, value), seed, times)| {
        let mut changed = value;
        let mut dice = Dice(seed | 1);
        for _ in 0..times {
            change(&mut changed, &mut dice);
        }
        for profile in [Profile::Core, Profile::Strict] {
            if changed.is_object() {
                agree(&changed, kind, profile)?;
            }
        }
        Ok(())
    });
}

/// xorshift64: the same documents everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }
}

/// Changes a document at one place.
fn change(value: &mut Value, dice: &mut Dice) {
    let mut places = vec![String::new()];
    let mut at = 0;
    while at < places.len() {
        let here = places[at].clone();
        match value.pointer(&here) {
            Some(Value::Object(members)) => {
                places.extend(members.keys().map(|k| format!("{here}/{}", k.replace('~', "~0").replace('/', "~1"))))
            }
            Some(Value::Array(items)) => places.extend((0..items.len()).map(|i| format!("{here}/{i}"))),
            _ => {}
        }
        at += 1;
    }
    let pointer = places[dice.roll(places.len())].clone();
    let target = value.pointer_mut(&pointer).unwrap();
    const WORDS: [&str; 14] = [
        "",
        " ",
        "public",
        "Public",
        "api",
        "none",
        "oauth2",
        "1.0.0",
        "01.0.0",
        "https://a.example",
        "/relative",
        "succeeded",
        "2026-01-02T03:04:05Z",
        "a b",
    ];
    match dice.roll(9) {
        0 => *target = Value::Null,
        1 => *target = json!({}),
        2 => *target = json!([]),
        3 => *target = json!(dice.roll(700)),
        4 => *target = json!(1.5),
        5 | 6 => *target = WORDS[dice.roll(WORDS.len())].into(),
        7 => match target {
            Value::Object(members) => {
                let key = members.keys().nth(dice.roll(members.len())).cloned();
                if let Some(key) = key {
                    members.shift_remove(&key);
                }
            }
            Value::Array(items) => items.clear(),
            other => *other = json!(true),
        },
        _ => match target {
            Value::Object(members) => {
                members.insert(["x-a", "extra", "type", "error", "access"][dice.roll(5)].into(), json!("word"));
            }
            Value::Array(items) if !items.is_empty() => {
                let again = items[0].clone();
                items.push(again);
            }
            other => *other = json!("text"),
        },
    }
}

/// strict ⊂ core ⊂ the literal chapter, on 20,000 random documents; every step is crossed by some.
#[test]
fn profiles_are_nested() {
    let literal: Value =
        serde_json::from_str(include_str!("fixtures/protocol/schemas/seed-literal.schema.json")).unwrap();
    let literal = jsonschema::draft202012::new(&literal).unwrap();
    let full: Vec<Value> =
        skills::full_documents().into_iter().filter(|(kind, _)| *kind == Kind::Descriptor).map(|(_, d)| d).collect();
    let mut dice = Dice(0x5eed);
    let mut counts = [0usize; 4];
    for n in 0..20_000 {
        let mut document = full[n % full.len()].clone();
        for _ in 0..=dice.roll(3) {
            change(&mut document, &mut dice);
        }
        if !document.is_object() {
            continue;
        }
        let strict = errors(&document, Kind::Descriptor, Profile::Strict).is_empty();
        let core = errors(&document, Kind::Descriptor, Profile::Core).is_empty();
        let by_chapter = literal.is_valid(&document);
        assert!(!strict || core, "strict takes what core refuses: {document}");
        assert!(!core || by_chapter, "core takes what the chapter refuses: {document}");
        let schemas = [Profile::Strict, Profile::Core].map(|p| validator(Kind::Descriptor, p).is_valid(&document));
        assert!(!schemas[0] || schemas[1], "the strict schema takes what the core schema refuses: {document}");
        assert!(!schemas[1] || by_chapter, "the core schema takes what the chapter refuses: {document}");
        counts[usize::from(strict) + usize::from(core) + usize::from(by_chapter)] += 1;
    }
    assert!(counts.iter().all(|n| *n > 100), "some step is never crossed: {counts:?}");
}
