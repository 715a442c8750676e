//! The command line as its users see it: exit codes, standard input, folders, a bad file among good ones, and that
//! `inspect --json` prints what `schemas/inspect.schema.json` says.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skillscope")).args(args).current_dir(root()).stdin(Stdio::null()).output().unwrap()
}

fn run_with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skillscope"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// Exit code, standard output, standard error.
#[track_caller]
fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[track_caller]
fn json(output: &Output) -> Value {
    let (code, out, err) = told(output);
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("not one JSON object: {e}\n{out}"))
}

/// A folder of its own below the build's; emptied first.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const GOOD: &str = "tests/fixtures/claude-code/parallel.jsonl";
const SESSION: &str = "public/examples/claude-code-commit-loop";

#[test]
fn usage_is_exit_code_2() {
    for args in [
        &[][..],
        &["walk"],
        &["inspect"],
        &["inspect", "--bogus", GOOD],
        &["diagram", GOOD, "--run", "0"],
        &["diagram", GOOD, "--run"],
    ] {
        let (code, out, err) = told(&run(args));
        assert_eq!(code, Some(2), "{args:?}");
        assert_eq!(out, "", "{args:?}: nothing on standard output");
        assert!(!err.trim().is_empty() && !err.contains("panicked"), "{args:?}: {err}");
    }
    let (code, out, _) = told(&run(&["--help"]));
    assert_eq!(code, Some(0));
    assert!(out.contains("inspect FILE"), "{out}");
}

#[test]
fn nothing_to_read_is_exit_code_2() {
    let (code, _, err) = told(&run(&["inspect", "no/such/file.jsonl"]));
    assert_eq!(code, Some(2));
    assert!(err.contains("no/such/file.jsonl"), "the file is named: {err}");
    let folder = scratch("only-bad");
    std::fs::write(folder.join("notes.txt"), "Buy milk.\n").unwrap();
    let (code, out, _) = told(&run(&["inspect", folder.to_str().unwrap()]));
    assert_eq!(code, Some(2), "no run among the files");
    assert!(out.contains("notes.txt: Plain text"), "and still said what it is: {out}");
}

#[test]
fn a_bad_file_is_in_its_own_report() {
    let folder = scratch("mixed");
    std::fs::copy(root().join(GOOD), folder.join("good.jsonl")).unwrap();
    std::fs::write(folder.join("a-picture.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    std::fs::write(folder.join("empty.json"), "").unwrap();
    let found = json(&run(&["inspect", folder.to_str().unwrap(), "--json"]));
    assert_eq!(found["runs"].as_array().unwrap().len(), 1);
    let reports = found["reports"].as_array().unwrap();
    let of = |name: &str| {
        reports
            .iter()
            .find(|r| r["file"].as_str().unwrap().ends_with(name))
            .unwrap_or_else(|| panic!("no report on {name}"))
    };
    assert_eq!(of("good.jsonl")["refused"], Value::Null);
    assert_eq!(of("a-picture.png")["refused"]["looks_like"], "picture");
    assert_eq!(of("empty.json")["refused"]["looks_like"], "empty");
    // One that cannot be opened at all is said aside, and does not spoil the others.
    let missing = run(&["inspect", folder.join("good.jsonl").to_str().unwrap(), "no-such-file", "--json"]);
    assert!(told(&missing).2.contains("no-such-file"));
    assert_eq!(json(&missing)["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn standard_input_and_a_folder_give_the_same_run() {
    let text = std::fs::read(root().join(GOOD)).unwrap();
    let mut piped = json(&run_with_input(&["inspect", "-", "--json"], &text));
    let mut opened = json(&run(&["inspect", GOOD, "--json"]));
    assert_eq!(piped["runs"][0]["file"], "standard input");
    for found in [&mut piped, &mut opened] {
        found["runs"][0]["file"] = Value::Null;
        found["reports"][0]["file"] = Value::Null;
        for finding in found["findings"].as_array_mut().unwrap() {
            finding["file"] = Value::Null;
        }
    }
    assert_eq!(piped, opened);
}

/// A session and the file of its sub-agent, found by walking the folder, are one run.
#[test]
fn a_folder_is_one_drop() {
    let found = json(&run(&["inspect", SESSION, "--json"]));
    assert_eq!(found["runs"].as_array().unwrap().len(), 1);
    assert_eq!(found["reports"].as_array().unwrap().len(), 2);
    let main =
        std::fs::read_dir(root().join(SESSION)).unwrap().map(|e| e.unwrap().path()).find(|p| p.is_file()).unwrap();
    let alone = json(&run(&["inspect", main.to_str().unwrap(), "--json"]));
    let calls = |v: &Value| v["runs"][0]["calls"].as_u64().unwrap();
    assert!(calls(&alone) < calls(&found), "without its sub-agent a session has fewer calls");
}

#[test]
fn the_text_says_what_the_object_says() {
    let (code, out, _) = told(&run(&["inspect", SESSION]));
    assert_eq!(code, Some(0));
    let found = json(&run(&["inspect", SESSION, "--json"]));
    let run = &found["runs"][0];
    let figures =
        format!("{} steps, {} calls, {} results, {} errors", run["steps"], run["calls"], run["results"], run["errors"]);
    assert!(out.contains(&figures), "{figures} is not in:\n{out}");
    assert!(out.contains(run["topology"]["hash"].as_str().unwrap()));
    assert!(!out.ends_with("\n\n") && out.ends_with('\n'));
}

#[test]
fn diagram() {
    let (code, out, err) = told(&run(&["diagram", SESSION]));
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.starts_with("---\n") || out.starts_with("sequenceDiagram") || out.contains("\nsequenceDiagram\n"),
        "{}",
        out.get(..200).unwrap_or(&out)
    );
    assert!(out.contains("loop ") && out.contains("par "), "the example has a loop and parallel calls");
    let many = "public/examples/openai-chat-six-runs/desk.jsonl";
    let of = |n: &str| told(&run(&["diagram", many, "--run", n]));
    assert_eq!(of("6").0, Some(0));
    assert_ne!(of("2").1, of("3").1, "each run has its own diagram");
    let (code, out, err) = of("7");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains('7'), "{err}");
}

/// Fixtures, examples, and files that are no runs: whatever comes out follows the schema.
#[test]
fn json_follows_its_schema() {
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(root().join("schemas/inspect.schema.json")).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors = |value: &Value| -> Vec<String> {
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).take(5).collect()
    };
    let mut inputs = vec!["tests/fixtures".to_owned(), "public/examples".to_owned()];
    let folder = scratch("schema");
    std::fs::copy(root().join(GOOD), folder.join("good.jsonl")).unwrap();
    std::fs::write(folder.join("broken.jsonl"), "{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\",\"message\":{\"content\":\"hi\"}}\n{\"type\":\n{\"type\":\"moon\"}\n").unwrap();
    std::fs::write(folder.join("bytes.bin"), [0u8, 1, 2, 255, 254]).unwrap();
    inputs.push(folder.to_str().unwrap().to_owned());
    for input in &inputs {
        let found = json(&run(&["inspect", input, "--json"]));
        assert!(!found["runs"].as_array().unwrap().is_empty(), "{input}");
        let wrong = errors(&found);
        assert!(wrong.is_empty(), "{input}: {wrong:#?}");
    }
    // And the schema says no where it should.
    let good = json(&run(&["inspect", GOOD, "--json"]));
    let breaks: [(&str, Value); 5] = [
        ("/runs/0/usage/input_tokens", Value::from(-1)),
        ("/runs/0/title", Value::Null),
        ("/runs/0/topology/hash", Value::from("abc")),
        ("/runs/0/loops/verdict", Value::from("maybe")),
        ("/reports/0/understood", Value::from(1.5)),
    ];
    for (pointer, value) in breaks {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not in the output")) = value;
        assert!(!errors(&bad).is_empty(), "{pointer}: the schema lets anything through");
    }
}
