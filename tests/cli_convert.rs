//! The command `convert` as a program: what stands on standard output, what on standard error, and the exit code.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn fixture(path: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path).display().to_string()
}

/// A folder of this test's own, with these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    for (file, text) in files {
        let path = place.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    place
}

fn convert(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skillscope")).arg("convert").args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const TOOLS: &str = r#"{"tools":[{"name":"read","description":"Reads","inputSchema":{"type":"object"}},{"name":"write","inputSchema":{"type":"object"}}]}"#;
const SERVER: &str = r#"{"name":"io.github.user/files","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://a.example/mcp"}]}"#;

#[test]
fn neighbours_become_descriptors() {
    let place = folder(
        "neighbours",
        &[
            ("tools.json", TOOLS),
            ("server.json", SERVER),
            ("lint/SKILL.md", "---\nname: lint\ndescription: Lints\n---\nText\n"),
        ],
    );
    let place = place.display().to_string();
    let found = convert(&[&place, "--to", "ssp"]);
    let ids: Vec<String> =
        json(&found).as_array().unwrap().iter().map(|d| d["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, ["skills/lint", "io.github.user/files/read", "io.github.user/files/write"]);
    let said = String::from_utf8(found.stderr).unwrap();
    assert!(said.contains("tools.json: guess: No description is stated"), "{said}");
    assert!(said.contains("server.json: io.github.user/files is described, but not its tools"), "{said}");
    let whole = json(&convert(&[&place, "--to", "ssp", "--json"]));
    let told = &whole["files"][2]["told"];
    assert_eq!((&told["neighbour"], &told["ids"][1]), (&"mcp-tools".into(), &"io.github.user/files/write".into()));
    assert!(told["notes"].as_array().unwrap().iter().any(|n| n["code"] == "output-undeclared" && n["document"] == 0));
}

#[test]
fn a_run_becomes_messages_and_a_run() {
    let run = fixture("openai-chat");
    let found = convert(&[&run, "--to", "ssp"]);
    let messages = json(&found);
    let messages = messages.as_array().unwrap();
    assert!(
        messages.iter().any(|m| m.get("caller").is_some()) && messages.iter().any(|m| m.get("execution_id").is_some())
    );
    assert!(String::from_utf8(found.stderr).unwrap().contains("requests"));
    let ours = convert(&[&run, "--to", "skillscope"]);
    assert_eq!(ours.status.code(), Some(0));
    assert!(String::from_utf8(ours.stdout).unwrap().starts_with(r#"{"format":"skillscope-run""#));
}

#[test]
fn what_cannot_be_converted_is_said() {
    let place = folder("nothing", &[("readme.txt", "hello"), ("old.json", r#"{"swagger":"2.0","paths":{}}"#)]);
    let old = place.join("old.json").display().to_string();
    let said = convert(&[&old, "--to", "ssp"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8(said.stderr).unwrap().contains("npx swagger2openapi"), "the command that converts it");
    for wrong in [
        &["--to", "ssp"][..],
        &["x"],
        &["x", "--to"],
        &["x", "--to", "pdf"],
        &["x", "--bad"],
        &["no/such/file", "--to", "ssp"],
    ] {
        let said = convert(wrong);
        assert_eq!(said.status.code(), Some(2), "{wrong:?}");
        assert!(!said.stderr.is_empty() && said.stdout.is_empty(), "{wrong:?}");
    }
}
