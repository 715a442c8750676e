//! The corpus: real files of other people, read where they are and never committed. Figures come from
//! `expected.tsv`, which an independent reader wrote, or were counted by hand; none was copied from our output.
//! Folder: `SKILLSCOPE_CORPUS`, else `../shared/samples` beside the project. Said aloud when it is not there.

use std::path::{Path, PathBuf};

use skillscope::import::{FileImport, import_bytes};

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("SKILLSCOPE_CORPUS")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples"));
    if folder.join("expected.tsv").is_file() {
        return Some(folder);
    }
    eprintln!("NOT RUN: the corpus is not at {} (set SKILLSCOPE_CORPUS)", folder.display());
    None
}

fn import(folder: &Path, path: &str) -> Vec<FileImport> {
    let bytes = std::fs::read(folder.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    // A meaningless name: detection must not need it.
    import_bytes("unknown", &bytes, None)
}

/// Runs, calls, results and errors over all runs of a file.
fn counts(imports: &[FileImport]) -> (usize, usize, usize, usize) {
    let runs = imports.iter().flat_map(|i| &i.runs);
    runs.fold((0, 0, 0, 0), |(n, c, r, e), run| (n + 1, c + run.calls(), r + run.results(), e + run.errors()))
}

/// Where the independent reader and we differ, with the reason; each was looked up in the file itself.
const DELIBERATE: &[(&str, &str, f64, &str)] = &[
    ("claude-code/agentpile.duplicates.jsonl", "calls", 2.0, "one id for two different calls, `ls` and `pwd`"),
    ("claude-code/simonw.sample_session.web.json", "calls", 12.0, "the reader does not open `loglines`; grep counts 12"),
    ("claude-code/simonw.sample_session.web.json", "results", 12.0, "as above"),
    ("claude-code/simonw.sample_session.web.json", "errors", 1.0, "as above: one `is_error: true`"),
    ("codex/legacy-flat.rollout.jsonl", "calls", 1.0, "the reader does not know files without an envelope; one local_shell_call"),
    ("codex/legacy-flat.rollout.jsonl", "results", 1.0, "as above: one function_call_output"),
];

#[test]
fn figures_agree_with_the_independent_reader() {
    let Some(folder) = corpus() else { return };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in table.lines() {
        let mut columns = line.split('\t');
        let (Some(path), Some(format), Some(json)) = (columns.next(), columns.next(), columns.next()) else { continue };
        if !skillscope::import::FORMATS.iter().any(|f| f.id == format) {
            continue;
        }
        let expected: serde_json::Value = serde_json::from_str(json).unwrap();
        if expected.get("oracle_error").is_some() {
            continue;
        }
        seen += 1;
        let imports = import(&folder, path);
        let found = imports.first().and_then(|i| i.report.format.clone());
        if found.as_deref() != Some(format) {
            wrong.push(format!("{path}: read as {found:?}"));
            continue;
        }
        let (_, calls, results, errors) = counts(&imports);
        let mut usage = skillscope::model::Usage::default();
        for run in imports.iter().flat_map(|i| &i.runs) {
            usage = usage.plus(&run.usage());
        }
        let mut check = |key: &str, ours: Option<f64>| {
            let deliberate = DELIBERATE.iter().find(|d| d.0 == path && d.1 == key).map(|d| d.2);
            if let Some(theirs) = deliberate.or_else(|| expected.get(key).and_then(serde_json::Value::as_f64))
                && ours.unwrap_or(0.0) != theirs
            {
                wrong.push(format!("{path}: {key} {theirs}, ours {ours:?}"));
            }
        };
        let n = |n: Option<u64>| n.map(|n| n as f64);
        check("calls", Some(calls as f64));
        check("results", Some(results as f64));
        check("errors", Some(errors as f64));
        check("output", n(usage.output));
        check("input", n(usage.input));
        check("cache_read", n(usage.cached));
        check("cache_write", n(usage.cache_write));
        check("fresh_input", n(usage.input.map(|i| i - usage.cached.unwrap_or(0) - usage.cache_write.unwrap_or(0))));
        check("cost", usage.cost);
        check("runs", Some(imports.iter().map(|i| i.runs.len()).sum::<usize>() as f64));
    }
    eprintln!("{seen} files of the corpus compared");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// File, runs, calls, observations, errors, input and output tokens: counted in the files by a few lines of Python,
/// where `think` is no call, `recall`, `think` and `null` are no observations, and a `finish` is never answered.
#[test]
fn openhands_as_counted_by_hand() {
    type Row = (&'static str, usize, usize, usize, usize, Option<u64>, Option<u64>);
    const ROWS: [Row; 6] = [
        ("openhands-v0/harbor-rfc.openhands_trajectory.json", 1, 2, 1, 0, Some(11_859), Some(1_086)),
        ("openhands-v0/trajs.basic.json", 1, 2, 1, 0, Some(8_132), Some(1_312)),
        ("openhands-v0/trajs.basic_interactions.json", 1, 1, 0, 0, Some(2_473), Some(10)),
        ("openhands-v0/trajs.wrong_initial_state.json", 1, 4, 3, 0, Some(14_828), Some(358)),
        (
            "openhands-v0/multi_swe_bench.output.jsonl",
            3,
            22 + 33 + 48,
            21 + 32 + 48,
            6 + 13 + 24,
            Some(565_158 + 410_169 + 938_015),
            Some(2_558 + 5_156 + 5_627),
        ),
        // Two actions; three observations, the action of one of them is not in the excerpt.
        ("openhands-v1/sdk.goal.events.jsonl", 1, 2, 3, 3, Some(107_458), Some(1_347)),
    ];
    let Some(folder) = corpus() else { return };
    for (path, runs, calls, results, errors, input, output) in ROWS {
        let imports = import(&folder, path);
        assert_eq!(counts(&imports), (runs, calls, results, errors), "{path}");
        let mut usage = skillscope::model::Usage::default();
        for run in imports.iter().flat_map(|i| &i.runs) {
            usage = usage.plus(&run.usage());
        }
        assert_eq!((usage.input, usage.output), (input, output), "{path}");
        let unknown: Vec<_> = imports.iter().flat_map(|i| &i.report.unknown).collect();
        assert!(unknown.is_empty(), "{path}: {unknown:?}");
    }
    let state = import(&folder, "openhands-v1/conv_v1_11_5.base_state.json");
    let refused = state[0].report.refused.as_ref().map(|r| r.looks_like.as_str());
    assert_eq!(refused, Some("openhands-state"));
}
