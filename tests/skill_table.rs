//! What is generated from the table of the protocol is in step with it: schemas, TypeScript types, fast-check
//! arbitraries, field tables. `UPDATE_DOCS=1 cargo test --test skill_table` writes them anew.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

use skillscope::json::Tape;
use skillscope::schema::embedded::compile;
use skillscope::skill::{CHECKS, Level, emit, emit_docs, emit_ts};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a committed file with what the table makes of it, or writes it.
#[track_caller]
fn in_step(path: &str, expected: &str) {
    let file = root().join(path);
    if std::fs::read_to_string(&file).is_ok_and(|found| found == expected) {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, expected).unwrap();
        return;
    }
    panic!("{path} is not in step with src/skill/table.rs: UPDATE_DOCS=1 cargo test --test skill_table");
}

/// The block between `<!-- name -->` and `<!-- /name -->` of docs/skills.md.
#[track_caller]
fn block(name: &str, expected: &str) {
    let page = std::fs::read_to_string(root().join("docs/skills.md")).unwrap();
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = page.find(&open).unwrap_or_else(|| panic!("docs/skills.md has no {}", open.trim())) + open.len();
    let to = from + page[from..].find(&close).unwrap_or_else(|| panic!("docs/skills.md has no {close}"));
    in_step("docs/skills.md", &format!("{}{}\n{}", &page[..from], expected.trim_end(), &page[to..]));
}

#[test]
fn schemas() {
    let made = emit::schemas();
    assert_eq!(made.len(), 14);
    for (name, text) in &made {
        in_step(&format!("schemas/ssp/{name}"), text);
    }
    let mut committed: Vec<String> = std::fs::read_dir(root().join("schemas/ssp"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".schema.json"))
        .collect();
    committed.sort();
    let mut names: Vec<String> = made.into_iter().map(|(name, _)| name).collect();
    names.sort();
    assert_eq!(committed, names, "schemas/ssp holds files that nothing writes");
}

/// Each is a schema of its dialect, whole in itself.
#[test]
fn schemas_are_schemas() {
    for (name, text) in emit::schemas() {
        let mut tape = Tape::new();
        let schema = compile(tape.parse(&text).root());
        assert!(schema.is_ok(), "{name}: {:?}", schema.err());
        assert_eq!(schema.unwrap().dialect.name(), "2020-12", "{name}");
    }
}

#[test]
fn types() {
    in_step("schemas/ssp/ssp.d.ts", &emit_ts::types());
}

#[test]
fn arbitraries() {
    in_step("tests/ts/arbitraries.ts", &emit_ts::arbitraries());
}

#[test]
fn docs() {
    block("fields", &emit_docs::tables());
    let mut rows = String::from("| check | property | asks |\n|---|---|---|\n");
    for check in CHECKS {
        let level = if check.level == Level::Must { "must" } else { "should" };
        rows.push_str(&format!("| `{}` | {} | {level} |\n", check.id, check.property));
    }
    block("checks", &rows);
}
