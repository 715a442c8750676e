//! The corpus: real files of other people, read where they are and never committed. Figures come from
//! `expected.tsv`, which an independent reader wrote, or were counted by hand; none was copied from our output.
//! Folder: `SKILLSCOPE_CORPUS`, else `../shared/samples` beside the project. Said aloud when it is not there.

use std::path::Path;

mod common;

use common::corpus;
use skillscope::import::{FileImport, import_bytes};

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
    (
        "claude-code/simonw.sample_session.web.json",
        "calls",
        12.0,
        "the reader does not open `loglines`; grep counts 12",
    ),
    ("claude-code/simonw.sample_session.web.json", "results", 12.0, "as above"),
    ("claude-code/simonw.sample_session.web.json", "errors", 1.0, "as above: one `is_error: true`"),
    (
        "codex/legacy-flat.rollout.jsonl",
        "calls",
        1.0,
        "the reader does not know files without an envelope; one local_shell_call",
    ),
    ("codex/legacy-flat.rollout.jsonl", "results", 1.0, "as above: one function_call_output"),
    ("inspect/2025-05-12T20-28-13-04-00_no-samples.json", "runs", 1.0, "a log without samples shows how it ended"),
    ("inspect/atifmake.inspect-sample-bundle.json", "runs", 1.0, "the reader does not open a sample alone"),
    ("inspect/atifmake.inspect-sample-bundle.json", "calls", 1.0, "as above: one `bash`"),
    ("inspect/utility_subagent_loop.json", "runs", 1.0, "the reader does not open events alone"),
    ("inspect/utility_subagent_loop.json", "calls", 1.0, "as above: one `search`"),
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

/// Counted in the files with `jq` and Python, where `expected.tsv` has no figures: path, format, runs, calls, results,
/// errors.
const MESSAGES_COUNTED: &[(&str, &str, [usize; 4])] = &[
    ("openai-chat/finetune.tools.jsonl", "openai-chat", [2, 3, 3, 0]),
    ("openai-chat/harbor.terminus2.context-summarization.traces.json", "openai-chat", [7, 0, 0, 0]),
    ("openai-chat/openai_nano_completion.json", "openai-chat", [1, 0, 0, 0]),
    ("openai-chat/openhands.fncall-llm-message.json", "openai-chat", [1, 6, 6, 0]),
    ("openai-chat/openhands.nonfncall-llm-message.json", "openai-chat", [1, 4, 4, 0]),
    ("openai-chat/request.with-images.json", "openai-chat", [1, 0, 0, 0]),
    ("litellm-log/openhands.claude-sonnet-4.llm-log.json", "openai-chat", [1, 6, 5, 0]),
    ("litellm-log/openhands.deepseek-nonfncall.llm-log.json", "openai-chat", [1, 4, 3, 0]),
    ("anthropic-messages/request_and_response.json", "anthropic-messages", [1, 3, 3, 1]),
    ("mini-swe-agent/gen.mini-swe.v2.looping.limits-exceeded.traj.json", "mini-swe-agent", [1, 5, 5, 0]),
    ("mini-swe-agent/gen.mini-swe.v2.responses-api.traj.json", "mini-swe-agent", [1, 2, 1, 0]),
    ("mini-swe-agent/harbor-rfc.mini-swe-agent-trajectory.json", "mini-swe-agent", [1, 3, 2, 0]),
    ("mini-swe-agent/local.traj.json", "mini-swe-agent", [1, 2, 1, 0]),
    // Errors: observations that begin with SWE-agent's own refusals.
    ("swe-agent/demo.ctf-i_got_id.traj", "swe-agent", [1, 21, 21, 0]),
    ("swe-agent/demo.function_calling_simple.traj", "swe-agent", [1, 5, 5, 0]),
    ("swe-agent/demo.humanevalfix.traj", "swe-agent", [1, 5, 5, 0]),
    ("swe-agent/demo.marshmallow-1867.default.traj", "swe-agent", [1, 14, 14, 1]),
    ("swe-agent/demo.marshmallow-1867.function_calling.traj", "swe-agent", [1, 11, 11, 1]),
    ("swe-agent/demo.marshmallow-1867.function_calling_replace_from_source.traj", "swe-agent", [1, 13, 13, 0]),
    ("swe-agent/gpt4.pydicom-1458.traj", "swe-agent", [1, 12, 12, 3]),
    // Errors: tool messages that begin with "Error" or "Unknown action".
    ("tau-bench/gpt-4o-airline.json", "tau-bench", [200, 1164, 1164, 73]),
    ("tau-bench/agentpile.model-a.jsonl", "tau-bench", [4, 5, 5, 1]),
    ("tau-bench/agentpile.model-think.jsonl", "tau-bench", [1, 1, 1, 0]),
    ("tau-bench/MockAirlineDomainEnv-few_shot.jsonl", "tau-bench", [19, 0, 105, 5]),
];

#[test]
fn message_formats_agree_with_a_count_by_hand() {
    let Some(folder) = corpus() else { return };
    let mut wrong = Vec::new();
    for (path, format, expected) in MESSAGES_COUNTED {
        let imports = import(&folder, path);
        let found = imports.first().and_then(|i| i.report.format.clone());
        let (runs, calls, results, errors) = counts(&imports);
        if found.as_deref() != Some(format) || [runs, calls, results, errors] != *expected {
            wrong.push(format!("{path}: {format} {expected:?}, ours {found:?} {:?}", [runs, calls, results, errors]));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Rewards, references and spending that the files state, counted in the files.
#[test]
fn outcomes_are_those_of_the_files() {
    use skillscope::model::Verdict;
    let Some(folder) = corpus() else { return };
    let tau = import(&folder, "tau-bench/gpt-4o-airline.json");
    let runs: Vec<_> = tau.iter().flat_map(|i| &i.runs).collect();
    let passed = runs.iter().filter(|r| r.outcome.as_ref().is_some_and(|o| o.verdict == Verdict::Passed)).count();
    assert_eq!(passed, 84);
    assert_eq!(runs.iter().map(|r| r.reference.len()).sum::<usize>(), 632);
    assert_eq!(runs.iter().map(|r| r.unanswered()).sum::<usize>(), 0, "ids that are used twice cost no answer");
    let limit = import(&folder, "mini-swe-agent/gen.mini-swe.v2.looping.limits-exceeded.traj.json");
    let run = &limit[0].runs[0];
    assert_eq!(run.outcome.as_ref().map(|o| (o.verdict, o.word.as_str())), Some((Verdict::Limit, "LimitsExceeded")));
    let args: Vec<_> =
        run.steps.iter().filter_map(|s| s.call.as_ref()).map(|c| (c.tool.as_ref(), c.args.raw.as_ref())).collect();
    assert_eq!(args, [("bash", "echo a"); 5], "the same call five times, as the file has it");
    let swe = import(&folder, "swe-agent/gpt4.pydicom-1458.traj");
    let usage = swe[0].runs[0].usage();
    assert_eq!((usage.input, usage.output, usage.cost), (Some(122_612), Some(1_369), Some(1.26719)));
}

#[test]
fn negatives_are_refused() {
    let Some(folder) = corpus() else { return };
    for (name, id) in [
        ("agentbench.os.collected.json", "agentbench-task"),
        ("agentbench.os.training.json", "agentbench-task"),
        ("config_mcp.json", "tool-config"),
        ("empty.messages.jsonl", "empty"),
        ("mcp_tools_list_jsonrpc.json", "mcp-tools"),
        ("not_a_trace.json", "json-object"),
        ("swe_bench.example_model_output.json", "swe-bench-predictions"),
        ("webarena.task_config.json", "webarena-task"),
    ] {
        let imports = import(&folder, &format!("negative/{name}"));
        assert_eq!(imports.len(), 1, "{name}");
        assert!(imports[0].runs.is_empty(), "{name}: runs");
        assert_eq!(imports[0].report.refused.as_ref().map(|r| r.looks_like.as_str()), Some(id), "{name}");
    }
    let mut files: Vec<_> =
        std::fs::read_dir(folder.join("negative")).unwrap().map(|e| e.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files.len(), 8, "a new negative needs its row: {files:?}");
}

#[test]
fn edge_files_open() {
    let Some(folder) = corpus() else { return };
    // File, format, steps, and what the report names: repairs, wrappers, bad lines, unknown parts.
    let table: [(&str, Option<&str>, usize, &[&str]); 14] = [
        ("bad-middle-line.jsonl", Some("openai-chat"), 2, &["bad line 2", "finding line-not-json"]),
        ("blank-lines-crlf.jsonl", Some("openai-chat"), 2, &[]),
        ("bom.messages.json", Some("openai-chat"), 2, &[]),
        ("concatenated-pretty.json", Some("openai-chat"), 2, &["repair concatenated 1"]),
        // 300 levels are within what is read; the nested array is kept as a raw step.
        ("deep-nesting.json", Some("openai-chat"), 1, &["unknown message/part"]),
        ("dup-tool-ids.messages.json", Some("openai-chat"), 6, &[]),
        ("huge-ints-dates.json", Some("openai-chat"), 5, &[]),
        (
            "log-prefix.jsonl",
            Some("codex-exec"),
            1,
            &["bad line 1", "bad line 2", "finding line-not-json", "finding line-not-json"],
        ),
        ("lone-surrogate.jsonl", Some("claude-code"), 2, &["repair lone-surrogate 1"]),
        ("nan-infinity.messages.json", Some("openai-chat"), 2, &["repair not-a-number 3"]),
        ("nested-json-string.json", Some("openai-chat"), 2, &["wrapped string"]),
        ("python-repr.txt", None, 0, &["refused python-repr", "stopped 1:3"]),
        (
            "truncated-last-line.jsonl",
            Some("openai-chat"),
            1,
            &["bad line 2", "finding cut-off", "finding line-not-json"],
        ),
        ("utf16le-bom.messages.json", Some("openai-chat"), 2, &["wrapped utf-16le"]),
    ];
    let mut wrong = Vec::new();
    for (name, format, steps, named) in table {
        if format.is_some_and(|f| !skillscope::import::FORMATS.iter().any(|known| known.id == f)) {
            continue;
        }
        let imports = import(&folder, &format!("edge/{name}"));
        let report = &imports[0].report;
        let mut said: Vec<String> = Vec::new();
        said.extend(report.repairs.iter().map(|r| format!("repair {} {}", r.kind, r.count)));
        said.extend(report.wrapped.iter().map(|w| format!("wrapped {w}")));
        said.extend(report.bad.iter().map(|b| format!("bad line {}", b.line)));
        said.extend(report.unknown.iter().map(|(kind, _)| format!("unknown {kind}")));
        said.extend(imports[0].findings.iter().map(|f| format!("finding {}", f.rule)));
        if let Some(refused) = &report.refused {
            said.push(format!("refused {}", refused.looks_like));
            said.extend(refused.stopped.map(|(line, column)| format!("stopped {line}:{column}")));
            assert!(!refused.head.is_empty(), "{name}: its first lines");
        }
        said.sort();
        let found = imports[0].runs.iter().map(|r| r.steps.len()).sum::<usize>();
        if report.format.as_deref() != format || found != steps || said != named {
            wrong.push(format!("{name}: {format:?} {steps} {named:?}, ours {:?} {found} {said:?}", report.format));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Details of the edge files that counts do not show.
#[test]
fn edge_files_keep_their_meaning() {
    let Some(folder) = corpus() else { return };
    let ids = import(&folder, "edge/dup-tool-ids.messages.json");
    let answers: Vec<_> = ids[0].runs[0]
        .steps
        .iter()
        .filter_map(|s| s.call.as_ref())
        .map(|c| (c.tool.as_ref(), c.observation.as_ref().map(|o| o.content.text.as_ref())))
        .collect();
    assert_eq!(answers, [("a", Some("A1")), ("b", Some("B1")), ("c", Some("C1")), ("d", None)]);
    let dates = import(&folder, "edge/huge-ints-dates.json");
    let at: Vec<_> = dates[0].runs[0].steps.iter().filter_map(|s| s.at).map(|t| (t.ms, t.local)).collect();
    // `date -u -d @1760000000`, and the same for the local stamps read as UTC.
    let expected = [1_760_000_000_000, 1_760_000_001_000, 1_760_000_002_000, 1_791_536_000_000, 1_791_536_000_123];
    assert_eq!(
        at,
        [(expected[0], false), (expected[1], false), (expected[2], false), (expected[3], true), (expected[4], true)]
    );
}
