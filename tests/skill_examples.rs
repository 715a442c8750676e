//! The 29 examples of the protocol give exactly the findings that were expected of them, by another program and by
//! hand: `tests/fixtures/protocol/examples-expected.json`. The invocation examples are judged by the first descriptor.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

use skillscope::json::Tape;
use skillscope::message::Lang;
use skillscope::model::Severity;
use skillscope::skill::{self, Options, SkillFinding};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/protocol")
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(folder().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Everything that is wrong with a file: what its bytes say, or what its fields say.
fn findings(name: &str) -> Vec<SkillFinding> {
    let descriptor = String::from_utf8(read("examples/valid-1-api-key.json")).unwrap();
    let mut tape = Tape::new();
    let descriptors = [tape.parse(&descriptor).root()];
    let options = Options { descriptors: &descriptors, ..Options::default() };
    match skill::parse(&read(&format!("examples/{name}"))) {
        Ok(document) => {
            assert!(document.kind().is_some(), "{name} is of no kind");
            skill::check(&document.doc(), &options)
        }
        Err(findings) => findings,
    }
}

#[test]
fn the_examples_give_what_is_expected() {
    let expected: serde_json::Value = serde_json::from_slice(&read("examples-expected.json")).unwrap();
    let expected = expected.as_object().unwrap();
    assert_eq!(expected.len(), 29);
    let mut wrong = Vec::new();
    for (name, verdict) in expected {
        let found: Vec<serde_json::Value> = findings(name)
            .iter()
            .filter(|f| f.severity == Severity::Error)
            .map(|f| {
                serde_json::json!({
                    "rule": f.check, "pointer": f.pointer, "field": f.field, "reason": f.reason,
                    "message": f.sentence(Lang::En),
                })
            })
            .collect();
        if serde_json::Value::Array(found.clone()) != verdict["errors"] {
            wrong.push(format!("{name}\n  found    {found:?}\n  expected {}", verdict["errors"]));
        }
        assert_eq!(verdict["valid"].as_bool(), Some(found.is_empty()), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every finding has a remedy and a place, in both languages.
#[test]
fn every_finding_says_what_to_do() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder().join("examples")).unwrap() {
        for finding in findings(entry.unwrap().file_name().to_str().unwrap()) {
            seen += 1;
            for lang in Lang::ALL {
                let (sentence, remedy) = (finding.sentence(lang), finding.remedy(lang));
                assert!(!sentence.contains("skill.") && !sentence.contains('–'), "{sentence}");
                assert!(!remedy.starts_with("skill.") && !remedy.contains('–'), "{}: {remedy}", finding.reason);
            }
            assert!(finding.line > 0 && finding.column > 0);
        }
    }
    assert!(seen >= 24, "{seen}");
}
