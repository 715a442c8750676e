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

/// Figures that `expected.tsv` does not have, counted in the files with a few lines of Python or by eye.
/// Path, format, then runs, calls, results, errors, input, output and cached tokens; 0 tokens is "none told".
const COUNTED: &[(&str, &str, [u64; 7])] = &[
    ("codex-exec/agentcmd.stream-output-2.jsonl", "codex-exec", [1, 1, 1, 0, 6040, 129, 4992]),
    // A changed file is a call that says itself how it ended.
    ("codex-exec/agentcmd.stream-output-3.jsonl", "codex-exec", [1, 1, 0, 0, 6008, 51, 4096]),
    ("codex-exec/agentcmd.stream-output-4.jsonl", "codex-exec", [1, 1, 1, 0, 6087, 204, 5120]),
    ("codex-exec/agentcmd.stream-output-5.jsonl", "codex-exec", [1, 1, 1, 0, 6086, 223, 2944]),
    ("codex-exec/agentcmd.stream-output-multi-1.jsonl", "codex-exec", [1, 0, 0, 0, 0, 0, 0]),
    ("atif/agentpile.atif_multiagent.json", "atif", [1, 3, 3, 1, 0, 0, 0]),
    ("atif/atif.harbor-0.26.claude-code.vscode-3053.trajectory.json", "atif", [1, 25, 24, 0, 802_193, 4756, 0]),
];

#[test]
fn figures_agree_with_a_count_by_hand() {
    let Some(folder) = corpus() else { return };
    for (path, format, figures) in COUNTED {
        let imports = import(&folder, path);
        assert_eq!(imports[0].report.format.as_deref(), Some(*format), "{path}");
        let (runs, calls, results, errors) = counts(&imports);
        let usage = imports[0].runs[0].usage();
        let tokens = [usage.input, usage.output, usage.cached].map(Option::unwrap_or_default);
        let found = [runs as u64, calls as u64, results as u64, errors as u64, tokens[0], tokens[1], tokens[2]];
        assert_eq!(found, *figures, "{path}: runs, calls, results, errors, input, output, cached");
    }
}

#[test]
fn one_session_in_two_formats_gives_the_same_figures() {
    use skillscope::model::{CostKind, Usage};
    let Some(folder) = corpus() else { return };
    let session = "claude-code/session/4d5611e5-241a-462a-8d15-5122611a9569";
    let native: Vec<FileImport> = [format!("{session}.jsonl"), format!("{session}/subagents/agent-a2898e3.jsonl")]
        .iter()
        .flat_map(|path| import(&folder, path))
        .collect();
    let atif = import(&folder, "atif/atif.harbor-0.26.claude-code.4d5611e5.trajectory.json");
    let sum = |imports: &[FileImport]| {
        let runs = imports.iter().flat_map(|i| &i.runs);
        runs.fold(Usage::default(), |sum, run| sum.plus(&run.usage()))
    };
    for (name, imports) in [("native", &native), ("atif", &atif)] {
        let (_, calls, results, errors) = counts(imports);
        assert_eq!((calls, results, errors), (183, 183, 13), "{name}");
        let usage = sum(imports);
        assert_eq!((usage.input, usage.output), (Some(12_773_747), Some(28_891)), "{name}");
    }
    assert_eq!(sum(&native).cost, None);
    let priced = sum(&atif);
    assert!(priced.cost.is_some_and(|c| (c - 9.976_809_3).abs() < 1e-6), "{:?}", priced.cost);
    assert_eq!(priced.cost_kind, CostKind::Estimated);
    // The side chain stands in a lane of its own, behind the call that started it.
    let run = &atif[0].runs[0];
    let at = run.steps.iter().position(|s| s.lane == 1).expect("the side chain");
    let spawn = run.steps[at - 1].call.as_ref().and_then(|c| c.spawn.as_ref()).expect("the call before it");
    assert_eq!((spawn.lane, spawn.agent_id.as_deref()), (Some(1), Some("a2898e3")));
}

#[test]
fn what_harbor_writes_follows_the_schema() {
    let Some(folder) = corpus() else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("atif")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let imports = import(&folder, &format!("atif/{name}"));
        seen += 1;
        let faults: Vec<_> = imports[0].findings.iter().filter(|f| f.rule.starts_with("schema")).collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
    }
    eprintln!("{seen} trajectories follow the schema");
}
