//! The tables in the pages are those of the code. A page holds a block between `<!-- name -->` and `<!-- /name -->`;
//! the test makes the block anew and compares. `UPDATE_DOCS=1 cargo test --test docs` writes it instead.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use skillscope::import;
use skillscope::loops;
use skillscope::message::{Lang, M, fill_id, findings, text, ui};
use skillscope::model::RULES;
use skillscope::report;
use skillscope::topology::Variant;
use skillscope::usage::{PRICES, PRICES_DATE};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Compares the block `name` of a page with what it should be, or writes it.
#[track_caller]
fn block(page: &str, name: &str, expected: &str) {
    let whole = read(page);
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = whole.find(&open).unwrap_or_else(|| panic!("{page} has no {}", open.trim())) + open.len();
    let to = from + whole[from..].find(&close).unwrap_or_else(|| panic!("{page} has no {close}"));
    let expected = format!("{}\n", expected.trim_end());
    if whole[from..to] == expected {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let new = format!("{}{expected}{}", &whole[..from], &whole[to..]);
        std::fs::write(root().join(page), new).unwrap();
        return;
    }
    let differing = whole[from..to].lines().zip(expected.lines()).find(|(a, b)| a != b);
    panic!(
        "{page}: the block `{name}` is not in step with the code: UPDATE_DOCS=1 cargo test --test docs. First difference: {differing:?}"
    );
}

/// A Markdown table.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        format!("| {} |\n", cells.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
    };
    let mut out = line(&head.iter().map(|h| (*h).to_owned()).collect::<Vec<_>>());
    out.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    for row in rows {
        out.push_str(&line(&row));
    }
    out
}

/// A sentence of the table as its pattern: `{n|step|steps}` reads `steps`.
fn pattern(id: &str) -> String {
    let (en, _) = findings::both(id).unwrap_or_else(|| panic!("no sentence {id}"));
    let pieces = skillscope::message::pieces(en);
    pieces
        .into_iter()
        .map(|p| match p {
            Ok(text) => text.to_owned(),
            Err(name) => name.rsplit_once('|').map_or_else(|| format!("*{name}*"), |(_, many)| many.to_owned()),
        })
        .collect()
}

#[test]
fn formats() {
    let rows = || {
        report::FORMATS.iter().map(|line| {
            let files = fill_id(Lang::En, &format!("format.{}", line.id), &[]);
            (line, import::format(line.id).unwrap_or_else(|| panic!("nothing reads {}", line.id)), files)
        })
    };
    block(
        "README.md",
        "formats",
        &table(&["format", "files"], rows().map(|(l, _, files)| vec![l.label.to_owned(), files])),
    );
    block(
        "docs/formats.md",
        "formats",
        &table(
            &["id", "format", "files"],
            rows().map(|(l, _, files)| vec![format!("`{}`", l.id), l.label.to_owned(), files]),
        ),
    );
    let sections =
        rows().map(|(line, ..)| format!("## {} (`{}`)\n\n{}\n", line.label, line.id, head_of(&importer(line.id), "")));
    block("docs/formats.md", "sections", &sections.collect::<Vec<_>>().join("\n"));
}

/// The file that reads a format: the one that states its id.
fn importer(id: &str) -> String {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root().join("src/import")).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let states = |p: &&PathBuf| std::fs::read_to_string(p).is_ok_and(|s| s.contains(&format!("id: \"{id}\",")));
    let path = paths.iter().find(states).unwrap_or_else(|| panic!("no file of src/import states the id {id}"));
    format!("src/import/{}", path.file_name().unwrap().to_str().unwrap())
}

/// A file that is refused gets a sentence that says what to do; the page lists them.
#[test]
fn refusals() {
    let rows = findings::TABLES
        .iter()
        .flat_map(|t| t.iter())
        .filter_map(|(id, en, _)| Some((id.strip_prefix("refused.")?, en)));
    block(
        "docs/formats.md",
        "refused",
        &table(&["file", "what the page says"], rows.map(|(id, en)| vec![format!("`{id}`"), (*en).to_owned()])),
    );
    let rows = findings::TABLES
        .iter()
        .flat_map(|t| t.iter())
        .filter_map(|(id, en, _)| Some((id.strip_prefix("repair.")?, en)));
    block(
        "docs/formats.md",
        "repairs",
        &table(&["repair", "what the page says"], rows.map(|(id, en)| vec![format!("`{id}`"), (*en).to_owned()])),
    );
}

#[test]
fn rules() {
    let rows = RULES.iter().map(|rule| {
        let sentence = |part: &str| pattern(&format!("rule.{}{part}", rule.id));
        vec![
            format!("`{}`", rule.id),
            rule.severity.id().to_owned(),
            sentence(".title"),
            sentence(""),
            sentence(".remedy"),
        ]
    });
    block("docs/rules.md", "rules", &table(&["rule", "severity", "title", "sentence", "what to do"], rows));
}

#[test]
fn detectors() {
    let rows = loops::DETECTORS.iter().map(|d| {
        let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
        let name = pattern(&format!("detector.{}", d.id));
        vec![d.id.to_owned(), name, yes(d.severity == loops::Severity::Loop), yes(d.counts_as_waste)]
    });
    block("docs/detectors.md", "detectors", &table(&["id", "detector", "is a loop", "counts as waste"], rows));
    let rows = loops::THRESHOLDS.iter().map(|t| {
        let what = pattern(&format!("param.{}", t.id));
        vec![
            format!("`{}`", t.id),
            what,
            t.detectors.to_owned(),
            t.default.to_string(),
            format!("{} to {}", t.min, t.max),
        ]
    });
    block("docs/detectors.md", "thresholds", &table(&["id", "threshold", "detectors", "default", "from, to"], rows));
    let rows = loops::PEERS.iter().map(|p| vec![p.label.to_owned(), pattern(&format!("peer.{}", p.id))]);
    block("docs/detectors.md", "peers", &table(&["program", "rule"], rows));
    block("docs/detectors.md", "definitions", &head_of("src/loops/mod.rs", "* **D1"));
}

#[test]
fn metrics() {
    let rows = report::metrics::METRICS.iter().map(|m| {
        let sentence = |part: &str| pattern(&format!("metric.{}{part}", m.id));
        vec![format!("`{}`", m.id), m.unit.to_owned(), sentence(""), sentence(".means")]
    });
    block("docs/metrics.md", "metrics", &table(&["metric", "unit", "name", "definition"], rows));
    block("docs/metrics.md", "course", &head_of("src/loops/ratios.rs", "* `unique_action_ratio`"));
    block("docs/metrics.md", "graph", &head_of("src/topology/graph.rs", "* **state graph**"));
    block("docs/metrics.md", "usage", &head_of("src/usage/mod.rs", "Three kinds of money"));
    let price = |n: f64| if n > 0.0 { n.to_string() } else { "as input".to_owned() };
    let rows = PRICES.iter().map(|(model, input, output, read, write)| {
        vec![format!("`{model}`"), input.to_string(), output.to_string(), price(*read), price(*write)]
    });
    block("docs/metrics.md", "prices", &table(&["model", "input", "output", "cache read", "cache write"], rows));
    block("docs/metrics.md", "prices-date", &format!("As of {PRICES_DATE}."));
}

#[test]
fn topology() {
    block(
        "docs/topology.md",
        "definition",
        &head_of("src/topology/mod.rs", "# The tree shape").replace("\n# ", "\n## ").replacen("# ", "## ", 1),
    );
    let rows = Variant::ALL.iter().map(|v| {
        vec![format!("`{}`", v.id()), if *v == Variant::DEFAULT { "the badge of a run" } else { "" }.to_owned()]
    });
    block("docs/topology.md", "variants", &table(&["variant", ""], rows));
}

/// The documentation at the head of a source file, from a line that begins with `from`; links become plain names.
fn head_of(path: &str, from: &str) -> String {
    let source = read(path);
    let head = source
        .lines()
        .take_while(|l| l.starts_with("//!"))
        .map(|l| l.trim_start_matches("//!").strip_prefix(' ').unwrap_or_default());
    let lines: Vec<&str> = head.skip_while(|l| !l.starts_with(from)).collect();
    assert!(!lines.is_empty(), "{path} has no line `{from}…` in its head");
    lines.join("\n").replace("[`", "`").replace("`]", "`").replace("crate::", "")
}

/// The commands stand in the page's half, which tests on the host do not compile: its table is read as text.
#[test]
fn keys() {
    let source = read("src/web/commands.rs");
    let body = source
        .split("pub const COMMANDS")
        .nth(1)
        .and_then(|rest| rest.split("\n];").next())
        .expect("the table COMMANDS");
    let mut rows = Vec::new();
    let mut commands = 0;
    for line in body.lines().filter_map(|l| l.trim().strip_prefix("command(Action::")) {
        commands += 1;
        let title = line.split("M::").nth(1).and_then(|t| t.split(',').next()).expect("a title");
        let keys = line.split_once("&[").and_then(|(_, k)| k.split_once("], Scope")).expect("keys").0;
        let scope = line.split("Scope::").nth(1).map(|s| s.trim_end_matches([')', ','])).expect("a scope");
        let message: &M =
            ui::ALL.iter().find(|m| format!("{m:?}") == title).unwrap_or_else(|| panic!("no message {title}"));
        let caps: Vec<String> = keys
            .split(',')
            .map(|k| k.trim().trim_matches('"'))
            .filter(|k| !k.is_empty())
            .map(|k| match k.strip_prefix("mod+") {
                Some(letter) => format!("`Ctrl` or `⌘` `{}`", letter.to_uppercase()),
                None => k.split(' ').map(|k| format!("`{k}`")).collect::<Vec<_>>().join(" "),
            })
            .collect();
        let place = match scope {
            "Everywhere" => "everywhere",
            "File" => "with a file open",
            "List" => "in a list",
            "Run" => "in a run",
            "Skill" => "in a skill",
            "Pair" => "with two runs open",
            "Compare" => "in a comparison",
            other => panic!("a scope that the page does not name: {other}"),
        };
        if !caps.is_empty() {
            rows.push(vec![caps.join(", "), text(Lang::En, *message).to_owned(), place.to_owned()]);
        }
    }
    assert!(commands > 20, "COMMANDS is written in another way than this test reads: {commands} rows");
    block("README.md", "keys", &table(&["keys", "what they do", "where"], rows));
}

#[test]
fn command_line() {
    let example = "public/examples/claude-code-commit-loop";
    let output =
        Command::new(env!("CARGO_BIN_EXE_skillscope")).args(["inspect", example]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    block("README.md", "inspect", &format!("```text\n$ skillscope inspect {example}\n{}\n```", said.trim_end()));
}

/// A link inside the repository leads somewhere.
#[test]
fn links() {
    let mut broken = Vec::new();
    let mut pages: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).to_vec();
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(format!("docs/{}", path.file_name().unwrap().to_str().unwrap()));
        }
    }
    for page in &pages {
        let whole = read(page);
        let folder = Path::new(page).parent().unwrap();
        for target in whole.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            if !root().join(folder).join(path).exists() {
                broken.push(format!("{page}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

/// The definitions stand at the heads of the analyses; what is behind the closing mark is for readers of the code.
#[test]
fn alignment_and_matching() {
    for (page, source, from) in [
        ("docs/alignment.md", "src/align/mod.rs", "## What is aligned"),
        ("docs/matching.md", "src/matching/mod.rs", "## The sides"),
    ] {
        let head = head_of(source, from);
        block(page, "definition", head.split("<!-- /definition -->").next().unwrap_or_default());
    }
    let rows = skillscope::matching::Mode::ALL.iter().map(|m| {
        let sentence = |part: &str| fill_id(Lang::En, &format!("mode.{}{part}", m.id()), &[]);
        vec![format!("`{}`", m.id()), sentence(""), sentence(".what")]
    });
    block("docs/matching.md", "modes", &table(&["mode", "name", "the page says"], rows));
    // Every word that a screen may show has its sentence.
    let causes = skillscope::align::Cause::ALL.iter().map(|c| format!("cause.{}", c.id()));
    let relations = skillscope::align::Relation::ALL.iter().map(|r| format!("relation.{}", r.id()));
    let same = skillscope::align::Sameness::ALL.iter().map(|s| format!("same.{}", s.id()));
    for id in causes.chain(relations).chain(same) {
        assert!(findings::both(&id).is_some(), "{id} has no sentence");
    }
}
