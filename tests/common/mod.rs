//! What several test files need: a run as readable lines, and the one check for an importer's fixture.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::path::{Path, PathBuf};

use skillscope::import::{FileImport, import_bytes};
use skillscope::model::{CallStatus, CostKind, Run, Step, Usage};

/// Reads a fixture of ours: a path below `tests/fixtures`.
pub fn fixture(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Imports a fixture and compares it with `expected`, the lines of [`lines`]; white space at the ends of lines does
/// not count. The same text under another name, with CRLF, with a byte order mark and gzipped must give the same run,
/// lines and pointers included. Returns the import for further questions.
#[track_caller]
pub fn check_import(format: &str, path: &str, expected: &str) -> FileImport {
    let text = fixture(path);
    let plain = import_one(path, text.as_bytes());
    assert_eq!(plain.report.format.as_deref(), Some(format), "{path}: format, refused as {:?}", plain.report.refused);
    let tidy = |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    let found: Vec<String> = plain.runs.iter().flat_map(lines).collect();
    assert_eq!(tidy(&found.join("\n")), tidy(expected), "{path}");
    let with_places: Vec<String> = plain.runs.iter().flat_map(places).collect();
    let crlf = text.replace("\r\n", "\n").replace('\n', "\r\n");
    let variants: [(&str, &str, Vec<u8>); 4] = [
        ("another name", "x.bin", text.clone().into_bytes()),
        ("CRLF", path, crlf.into_bytes()),
        ("byte order mark", path, [b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        ("gzip", path, gzip(text.as_bytes())),
    ];
    for (what, name, bytes) in variants {
        let other = import_one(name, &bytes);
        assert_eq!(other.report.format.as_deref(), Some(format), "{path}: format with {what}");
        let found_other: Vec<String> = other.runs.iter().flat_map(lines).collect();
        assert_eq!(found_other, found, "{path}: steps with {what}");
        let other_places: Vec<String> = other.runs.iter().flat_map(places).collect();
        assert_eq!(other_places, with_places, "{path}: places with {what}");
    }
    plain
}

/// The only import of a file that is no archive.
#[track_caller]
pub fn import_one(name: &str, bytes: &[u8]) -> FileImport {
    let mut imports = import_bytes(name, bytes, None);
    assert_eq!(imports.len(), 1, "{name}: imports");
    imports.remove(0)
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A run as text, one line a step, with a line for the header and one for the usage:
///
/// ```text
/// run s1 "Do X" by my-agent 1.0 with m
/// person Do X
/// 1> thought hm
/// bash {"cmd":"ls"} => ok a.txt
/// usage in 10 out 5 cached 8
/// ```
/// A lane other than the main one stands before `>`, a batch in brackets before the tool, `!` marks an error of the
/// step itself, the label stands in parentheses, a line break in a text is `⏎`, pictures are `+mime`.
pub fn lines(run: &Run) -> Vec<String> {
    let mut head = String::from("run");
    if let Some(id) = &run.id {
        head.push_str(&format!(" {id}"));
    }
    head.push_str(&format!(" \"{}\"", run.title));
    if let Some(name) = &run.agent.name {
        head.push_str(&format!(" by {name}"));
    }
    if let Some(version) = &run.agent.version {
        head.push_str(&format!(" {version}"));
    }
    if !run.models.is_empty() {
        head.push_str(&format!(" with {}", run.models.join(", ")));
    }
    let mut out = vec![head];
    out.extend(run.steps.iter().map(step_line));
    if let Some(outcome) = &run.outcome {
        let reward = outcome.reward.map(|r| format!(" reward {r}")).unwrap_or_default();
        out.push(format!("outcome {} {}{reward}", outcome.verdict.id(), outcome.word).trim_end().to_owned());
    }
    let usage = usage_text(&run.usage());
    if !usage.is_empty() {
        out.push(format!("usage {usage}"));
    }
    out
}

fn step_line(step: &Step) -> String {
    let mut out = String::new();
    if step.lane > 0 {
        out.push_str(&format!("{}> ", step.lane));
    }
    if let Some(batch) = step.batch {
        out.push_str(&format!("[{batch}] "));
    }
    match step.call.as_deref() {
        Some(call) => {
            out.push_str(&format!("{} {}", call.tool, flat(&call.args.raw)));
            if let Some(observation) = &call.observation {
                let status = match call.status {
                    CallStatus::Ok => "ok",
                    CallStatus::Error => "error",
                    CallStatus::Unknown => "unknown",
                };
                out.push_str(format!(" => {status} {}", flat(&observation.content.text)).trim_end());
                for media in &observation.content.media {
                    out.push_str(&format!(" +{}", media.mime));
                }
                if let Some(code) = observation.exit_code {
                    out.push_str(&format!(" (exit {code})"));
                }
            }
            if let Some(lane) = call.spawn.as_ref().and_then(|s| s.lane) {
                out.push_str(&format!(" spawns {lane}"));
            }
        }
        None => {
            out.push_str(step.kind.id());
            if step.is_error {
                out.push('!');
            }
            if let Some(label) = &step.label {
                out.push_str(&format!(" ({label})"));
            }
            out.push_str(&format!(" {}", flat(&step.content.text)));
            for media in &step.content.media {
                out.push_str(&format!(" +{}", media.mime));
            }
        }
    }
    out.trim_end().to_owned()
}

fn flat(text: &str) -> String {
    text.trim_end().replace('\n', "⏎")
}

fn usage_text(usage: &Usage) -> String {
    let mut out = Vec::new();
    let parts = [
        ("in", usage.input),
        ("out", usage.output),
        ("cached", usage.cached),
        ("written", usage.cache_write),
        ("reasoning", usage.reasoning),
    ];
    for (name, n) in parts {
        if let Some(n) = n {
            out.push(format!("{name} {n}"));
        }
    }
    if let Some(cost) = usage.cost {
        out.push(format!("cost {}{cost}", if usage.cost_kind == CostKind::Estimated { "~" } else { "" }));
    }
    out.join(" ")
}

/// Line and pointer of every step and observation.
fn places(run: &Run) -> Vec<String> {
    let spans = run.steps.iter().flat_map(|s| [Some(&s.span), s.observation().map(|o| &o.span)]);
    spans.flatten().map(|s| format!("{}:{}", s.line, s.pointer)).collect()
}

/// Checks a property on `cases` random values. The values are the same in every run: a failure can be looked at again,
/// and a passing commit stays passing.
#[track_caller]
pub fn property<S: proptest::strategy::Strategy>(
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), proptest::test_runner::TestCaseError>,
) {
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(e) = TestRunner::new_with_rng(config, rng).run(strategy, test) {
        panic!("{e}");
    }
}

/// The folder of other people's files, which are read where they are and never committed: `SKILLSCOPE_CORPUS`, else
/// `../shared/samples` beside the project. Said aloud when it is not there.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("SKILLSCOPE_CORPUS")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples"));
    if folder.join("expected.tsv").is_file() {
        return Some(folder);
    }
    eprintln!("NOT RUN: the corpus is not at {} (set SKILLSCOPE_CORPUS)", folder.display());
    None
}
