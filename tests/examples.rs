//! The examples that ship with the page, through the engine: `index.json` says what their stories hold, counted by
//! `scripts/examples.mjs` while it told them; the engine counts what it reads. The two know nothing of each other.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skillscope::engine::{Analysed, Workbench};
use skillscope::protocol::{Job, Outcome};
use skillscope::report::DocumentSummary;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("public/examples")
}

fn index() -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join("index.json"))
        .expect("public/examples/index.json; run node scripts/examples.mjs");
    serde_json::from_str(&text).expect("index.json is JSON")
}

fn files(example: &Value) -> Vec<String> {
    example["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_owned()).collect()
}

/// Opens the files of an example as one drop.
fn open(example: &Value) -> Workbench {
    opened(example).0
}

/// The same, with what the page is told.
fn opened(example: &Value) -> (Workbench, Vec<DocumentSummary>) {
    let mut bench = Workbench::new();
    let names = files(example);
    for (file, name) in (0..).zip(&names) {
        let bytes = std::fs::read(folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        bench.handle(Job::Open { file, name: name.clone(), size: bytes.len() as u64, format: None }, None, &mut |_| {});
        bench.handle(Job::Chunk { file }, Some(&bytes), &mut |_| {});
        bench.handle(Job::Finish { file }, None, &mut |_| {});
    }
    match bench.handle(Job::Assemble { files: (0..names.len() as u32).collect() }, None, &mut |_| {}) {
        Outcome::Documents { documents, .. } => (bench, documents),
        other => panic!("no documents: {other:?}"),
    }
}

/// What the engine says of a run, in the words of `index.json`.
fn figures(r: &Analysed) -> Value {
    let s = &r.summary;
    let spans: Vec<Value> = r
        .loops
        .spans
        .iter()
        .map(|l| json!({"detector": l.detector.id(), "start": l.start, "end": l.end, "period": l.period, "times": l.times}))
        .collect();
    json!({
        "steps": s.steps, "calls": s.calls, "results": s.results, "errors": s.errors, "unanswered": s.unanswered,
        "input_tokens": s.usage.input_tokens, "output_tokens": s.usage.output_tokens, "cached_tokens": s.usage.cached_tokens,
        "cost": s.usage.cost.map(|c| (c * 1e6).round() / 1e6),
        "duration_s": s.duration_ms.map(|ms| ms / 1000.0),
        "verdict": s.loops.verdict, "spans": spans, "wasted_steps": s.loops.wasted_steps,
    })
}

/// Equal but for the way a number is written: 5 and 5.0.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

#[test]
fn figures_are_those_of_the_stories() {
    let mut wrong = Vec::new();
    for example in index().into_iter().filter(|e| e["expect"]["runs"].is_array()) {
        let id = example["id"].as_str().unwrap().to_owned();
        let bench = open(&example);
        let documents: Vec<_> = bench.documents().collect();
        assert_eq!(documents.len(), 1, "{id}: its files make one document");
        let document = documents[0];
        for part in &document.parts {
            let (told, found) = (example["expect"]["format"].as_str(), part.report.format.as_deref());
            if told != found || part.report.share() != Some(1.0) {
                wrong.push(format!(
                    "{id}: {} is read as {found:?}, unknown {:?}",
                    part.report.file, part.report.unknown
                ));
            }
        }
        let expected = example["expect"]["runs"].as_array().unwrap();
        assert_eq!(document.runs.len(), expected.len(), "{id}: runs");
        for (n, (run, expected)) in document.runs.iter().zip(expected).enumerate() {
            let found = figures(run);
            for (key, value) in expected.as_object().unwrap() {
                let ours = match key.as_str() {
                    "outcome" => run.summary.outcome.as_ref().map_or(Value::Null, |o| json!(o.verdict)),
                    key => found[key].clone(),
                };
                if !same(&ours, value) {
                    wrong.push(format!("{id}, run {n}: {key} is {value} in the story, {ours} in the engine"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn skills_are_those_of_the_stories() {
    let mut seen = 0;
    for example in index().into_iter().filter(|e| e["expect"]["skills"].is_array()) {
        let (bench, documents) = opened(&example);
        assert_eq!(bench.documents().count(), 0, "no run among them");
        let found: Vec<Value> = documents
            .iter()
            .map(|d| {
                let s = d.skills.as_deref().expect("skills");
                json!({"name": d.name, "kind": s.kind, "documents": s.documents, "descriptors": s.descriptors, "errors": s.findings.errors})
            })
            .collect();
        assert_eq!(json!(found), example["expect"]["skills"], "{}", example["id"]);
        seen += 1;
    }
    assert_eq!(seen, 1);
}

/// The first example is what a stranger sees first: it must show what the page is for.
#[test]
fn the_first_example_has_something_of_everything() {
    use skillscope::model::StepKind;
    let first = index().remove(0);
    let bench = open(&first);
    let document = bench.documents().next().unwrap();
    let r = &document.runs[0];
    assert_eq!(r.summary.verdict.state, "verdict.recovered");
    let kinds = |kind: StepKind| r.run.steps.iter().filter(|s| s.kind == kind).count();
    assert_eq!(kinds(StepKind::Person), 2, "a request and an afterthought; injected text is not a person's");
    assert_eq!(kinds(StepKind::Injected), 4, "a reminder, a skill's text, the sub-agent's task, a summary");
    assert_eq!(kinds(StepKind::Compaction), 1);
    assert_eq!((kinds(StepKind::Raw), kinds(StepKind::Orphan)), (0, 0));
    assert!(r.run.steps.iter().any(|s| s.batch.is_some()), "calls that were made together");
    assert_eq!(r.run.lanes.len(), 2, "the sub-agent's file joins its session");
    let observed = || r.run.steps.iter().filter_map(|s| s.observation());
    assert!(observed().any(|o| o.content.media.iter().any(|m| m.mime == "image/png" && m.data.is_some())), "a picture");
    assert!(observed().any(|o| o.content.text.contains("\u{1b}[31m")), "colours of a terminal");
    assert!(observed().any(|o| o.structured.is_some()), "a patch");
    let recovery = r.loops.recovery.expect("the commit passes in the end") as usize;
    let passed = r.run.steps[recovery].call.as_deref().unwrap();
    assert!(passed.args.raw.contains("git commit"), "{}", passed.args.raw);
}

#[test]
fn index_names_what_is_there() {
    let mut named: Vec<String> = index().iter().flat_map(files).collect();
    named.push("index.json".into());
    named.sort();
    let mut found = Vec::new();
    let mut folders = vec![folder()];
    let mut bytes = 0;
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                bytes += path.metadata().unwrap().len();
                found.push(path.strip_prefix(folder()).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    assert_eq!(found, named);
    assert!(bytes <= 270 * 1024, "the examples are {bytes} bytes; they ship with the page and stay under 270 KB");
    for example in index() {
        for text in ["title", "note"] {
            for language in ["en", "zh-Hant"] {
                let said = example[text][language].as_str().unwrap_or_default();
                assert!(!said.is_empty(), "{}: no {text} in {language}", example["id"]);
            }
        }
    }
}
