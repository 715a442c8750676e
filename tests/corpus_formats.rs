//! The corpus for the formats of traces, programs, frameworks and data sets. Figures were counted in the files by a few
//! lines of Python or by eye, or stand in `expected.tsv`; none was copied from our output. Folder as in `corpus.rs`.

use std::path::{Path, PathBuf};

mod common;

use common::corpus;
use skillscope::import::{FileImport, import_bytes};
use skillscope::model::{StepKind, Usage, Verdict};

fn import(folder: &Path, path: &str) -> Vec<FileImport> {
    let bytes = std::fs::read(folder.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    // A meaningless name: detection must not need it.
    import_bytes("unknown", &bytes, None)
}

/// File, format, then runs, calls, results, errors, input and output tokens; 0 tokens is "none told".
const COUNTED: &[(&str, &str, [u64; 6])] = &[
    ("otlp/ghostspan.sample-trace.jsonl", "otlp", [4, 4, 1, 3, 992, 260]),
    // One hand-over is a call as well.
    ("otlp/openai_agents_0.24.0_oi_2.5.3.jsonl", "otlp", [1, 2, 2, 0, 120, 30]),
    ("otlp/openai_agents_0.24.0_oi_2.5.3_as_tool.json", "otlp", [1, 1, 1, 0, 120, 30]),
    ("otlp/pydantic_ai_2.58.0.json", "otlp", [2, 2, 2, 0, 184, 42]),
    ("vs-copilot/sample-2_VSGitHubCopilot_traces.jsonl", "otlp", [1, 3, 3, 0, 0, 0]),
    ("vs-copilot/sample-3_VSGitHubCopilot_traces.jsonl", "otlp", [1, 2, 2, 0, 0, 0]),
    ("vs-copilot/sample-4_VSGitHubCopilot_traces.jsonl", "otlp", [1, 3, 3, 0, 0, 0]),
    ("langfuse/agno-2025-06-11.trace.json", "langfuse", [1, 1, 1, 0, 826, 245]),
    ("langfuse/autogen-2025-06-06.trace.json", "langfuse", [1, 0, 0, 0, 41, 3]),
    ("langfuse/beeai-2025-08-01.trace.json", "langfuse", [1, 1, 1, 0, 5542, 0]),
    ("langfuse/claude-agent-2025-12-22.trace.json", "langfuse", [1, 2, 2, 0, 34, 232]),
    ("langfuse/crewai-2025-07-11.trace.json", "langfuse", [1, 0, 0, 0, 190, 164]),
    ("langfuse/csharp-agent-with-gemini-2026-03-09.trace.json", "langfuse", [1, 2, 2, 0, 8047, 414]),
    ("langfuse/google-adk-2025-08-28.trace.json", "langfuse", [1, 1, 1, 0, 67, 9]),
    ("langfuse/koog-2025-08-26.trace.json", "langfuse", [1, 2, 2, 0, 215, 125]),
    ("langfuse/langgraph-js-2025-10-30.trace.json", "langfuse", [1, 1, 1, 0, 321, 123]),
    ("langfuse/microsoft-agent-2025-12-17.trace.json", "langfuse", [1, 1, 1, 0, 293, 106]),
    ("langfuse/pydantic-ai-2025-06-06.trace.json", "langfuse", [1, 0, 0, 0, 31, 96]),
    ("langfuse/pydantic-ai-tools-2025-06-06.trace.json", "langfuse", [1, 0, 0, 0, 31, 96]),
    ("langfuse/vercel-aisdk-2025-11-17.trace.json", "langfuse", [1, 1, 1, 0, 62, 85]),
    ("langfuse/vertex-ai-2025-08-01.trace.json", "langfuse", [1, 0, 0, 0, 5, 845]),
    ("langsmith/gen.langsmith.run_tree.json", "langsmith", [1, 3, 3, 0, 0, 0]),
    ("langsmith/gen.langsmith.runs.flat.jsonl", "langsmith", [1, 3, 3, 0, 840, 67]),
    ("langgraph/gen.langgraph.astream_events.v2.jsonl", "langsmith", [1, 0, 0, 0, 0, 0]),
    ("langgraph/gen.langgraph.state.dumps.lc.json", "langchain", [1, 3, 3, 0, 840, 67]),
    ("langchain/gen.langchain.dumps.lc.json", "langchain", [1, 3, 3, 0, 840, 67]),
    ("langchain/gen.langchain.messages_to_dict.json", "langchain", [1, 3, 3, 0, 840, 67]),
    // Two tools and a hand-over, whose result no span has.
    ("openai-agents-trace/gen.openai-agents.trace_export.json", "openai-agents", [1, 3, 2, 0, 300, 60]),
    ("openai-agents-trace/gen.openai-agents.trace_export.jsonl", "openai-agents", [1, 3, 2, 0, 300, 60]),
    ("openai-responses/gen.openai-responses.to_input_list.json", "openai-responses", [1, 3, 3, 0, 0, 0]),
    ("pydantic-ai/gen.pydantic-ai.all_messages.json", "pydantic-ai", [1, 2, 2, 0, 112, 27]),
    ("gemini-cli/agentsview.standard_session.json", "gemini-cli", [1, 0, 0, 0, 3500, 650]),
    ("gemini-cli/agentsview.tool_calls_with_results.json", "gemini-cli", [1, 2, 2, 0, 0, 0]),
    // The message that is told twice counts once; output and thoughts are 5 and 20.
    ("gemini-cli/session-2026-09-01T10-00-abcd1234.jsonl", "gemini-cli", [1, 1, 1, 0, 100, 25]),
    ("opencode/export.json", "opencode", [1, 1, 1, 0, 110, 5]),
    ("opencode/run-format-json.jsonl", "opencode", [1, 2, 2, 1, 235, 12]),
    ("copilot-cli/atifmake.copilot-cli.jsonl", "copilot-cli", [1, 2, 2, 0, 0, 53]),
    ("copilot-chat/spec.chatreplay.json", "vscode-copilot", [1, 2, 2, 0, 74_901, 238]),
    ("cursor-agent/atifmake.transcript.jsonl", "cursor", [1, 3, 0, 0, 0, 0]),
    ("cline/cline-cli.messages.json", "cline", [1, 1, 1, 0, 10, 5]),
    ("cline/ui_messages.json", "cline", [1, 1, 0, 0, 2100, 80]),
    ("goose/session.legacy.jsonl", "goose", [1, 1, 1, 0, 800, 100]),
    ("goose/stream-json.jsonl", "goose", [1, 1, 1, 1, 50, 5]),
    ("pi/agentsview.session.jsonl", "pi", [1, 1, 1, 0, 300, 60]),
    ("autogen/gen.autogen.stream.jsonl", "autogen", [1, 0, 0, 0, 22, 3]),
    ("autogen/gen.autogen.task_result.json", "autogen", [1, 2, 2, 1, 100, 20]),
    ("autogen/gen.autogen.team_state.json", "autogen", [1, 2, 2, 1, 100, 20]),
    ("crewai/output_log_file.json", "crewai", [1, 2, 1, 0, 0, 0]),
    ("smolagents/gen.smolagents.codeagent.full_steps.json", "smolagents", [1, 3, 3, 1, 600, 60]),
    ("smolagents/gen.smolagents.manager.full_steps.json", "smolagents", [1, 2, 2, 0, 20, 10]),
    // Two parallel calls have one text between them.
    ("smolagents/gen.smolagents.toolcalling.full_steps.json", "smolagents", [1, 3, 2, 0, 150, 18]),
    ("browser-use/AgentHistory.json", "browser-use", [1, 2, 2, 1, 0, 0]),
    ("tau2-bench/agentpile.alpha-model.jsonl", "tau-bench", [2, 7, 5, 0, 0, 0]),
    ("mast/MAD_full_dataset.json", "mast", [2, 0, 0, 0, 0, 0]),
    ("agentdojo/banking.injection_task_0.json", "agentdojo", [1, 2, 2, 1, 0, 0]),
    ("agentdojo/banking.none.json", "agentdojo", [1, 0, 0, 0, 0, 0]),
    ("agent-reward-bench/webarena.1.json", "agent-reward-bench", [1, 3, 3, 1, 303, 30]),
    ("metr-malt/metr-malt.json", "malt", [2, 7, 0, 0, 0, 0]),
    ("adp/nebius_swe_agent.full_std.jsonl", "agent-data-protocol", [1, 3, 3, 0, 0, 0]),
    // The second look at a page has no action of its own.
    ("adp/openhands.full_std.jsonl", "agent-data-protocol", [1, 3, 4, 0, 0, 0]),
    ("atbench/atbench.json", "atbench", [2, 3, 3, 0, 0, 0]),
    ("mcp/gen.mcp.session.raw.jsonl", "mcp", [1, 5, 5, 2, 0, 0]),
    ("mcp/gen.mcp.session.wrapped.jsonl", "mcp", [1, 5, 5, 2, 0, 0]),
    ("har/anthropic-multiturn.har", "har", [1, 1, 1, 0, 120, 24]),
    ("har/anthropic-stream.har", "har", [1, 1, 0, 0, 50, 25]),
    ("har/openai-chat.har", "har", [1, 1, 0, 0, 30, 12]),
    ("har/openai-responses.har", "har", [1, 0, 0, 0, 12, 3]),
    ("atof/nat.exmp04_atof.jsonl", "atof", [1, 1, 1, 0, 0, 0]),
    ("atof/nat.exmp06_atof.jsonl", "atof", [1, 0, 0, 0, 0, 0]),
    ("grok-build/agentsview.chat_history.jsonl", "grok-build", [1, 2, 1, 0, 0, 0]),
    ("osworld-webarena/traj.jsonl", "osworld", [1, 2, 1, 0, 0, 0]),
    ("gptme/agentsview.conversation.jsonl", "openai-chat", [1, 0, 2, 0, 320, 57]),
    ("mistral-vibe/agentsview.messages.jsonl", "openai-chat", [1, 1, 1, 0, 0, 0]),
    ("sharegpt/glaive_toolcall_zh_demo.json", "sharegpt", [300, 216, 218, 0, 0, 0]),
    ("sharegpt/v1_sft_demo.jsonl", "sharegpt", [500, 0, 0, 0, 0, 0]),
    ("sharegpt/mllm_demo.json", "openai-chat", [6, 0, 0, 0, 0, 0]),
    ("inspect/2025-05-12T20-27-36-04-00_browser.json", "inspect", [1, 4, 4, 0, 15_235, 281]),
    ("inspect/2025-05-12T20-28-26-04-00_security-guide.json", "inspect", [3, 0, 0, 0, 959, 1033]),
    ("inspect/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", "inspect", [10, 0, 0, 0, 0, 0]),
    ("inspect/gen.inspect.0.3.285.zstd.eval", "inspect", [3, 3, 3, 0, 390, 42]),
    ("inspect/gen.inspect.0.3.285.error.zstd.eval", "inspect", [2, 0, 0, 0, 0, 0]),
    ("inspect/log_streaming.eval", "inspect", [4, 0, 0, 0, 252, 6]),
];

/// Files whose tokens were not counted apart.
const TOKENS_NOT_COUNTED: &[&str] = &["inspect/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval"];

#[test]
fn figures_agree_with_a_count_by_hand() {
    let Some(folder) = corpus() else { return };
    let mut wrong = Vec::new();
    for (path, format, expected) in COUNTED {
        let imports = import(&folder, path);
        let found = imports.first().and_then(|i| i.report.format.clone());
        let runs: Vec<_> = imports.iter().flat_map(|i| &i.runs).collect();
        let usage = runs.iter().fold(Usage::default(), |sum, run| sum.plus(&run.usage()));
        let count = |of: fn(&skillscope::model::Run) -> usize| runs.iter().map(|r| of(r) as u64).sum::<u64>();
        let mut ours = [
            runs.len() as u64,
            count(skillscope::model::Run::calls),
            count(skillscope::model::Run::results),
            count(skillscope::model::Run::errors),
            usage.input.unwrap_or(0),
            usage.output.unwrap_or(0),
        ];
        if TOKENS_NOT_COUNTED.contains(path) {
            ours[4..].fill(0);
        }
        if found.as_deref() != Some(*format) || ours != *expected {
            wrong.push(format!("{path}: {format} {expected:?}, ours {found:?} {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn mistakes_stand_at_their_steps() {
    let Some(folder) = corpus() else { return };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut seen = 0;
    for line in table.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [path, "whowhen", json] = columns[..] else { continue };
        let expected: serde_json::Value = serde_json::from_str(json).unwrap();
        let imports = import(&folder, path);
        let run = &imports[0].runs[0];
        assert_eq!(run.format, "who-and-when", "{path}");
        let events: Vec<_> = run.steps.iter().filter(|s| s.kind != StepKind::System).collect();
        assert_eq!(events.len() as u64, expected["events"].as_u64().unwrap(), "{path}");
        for key in ["mistake_agent", "mistake_step"] {
            let label = run.labels.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
            assert_eq!(label, expected[key].as_str(), "{path}: {key}");
        }
        let step: usize = expected["mistake_step"].as_str().unwrap().parse().unwrap();
        assert_eq!(events.get(step).and_then(|s| s.label.as_deref()), Some("mistake"), "{path}");
        assert_eq!(run.outcome.as_ref().map(|o| o.verdict), Some(Verdict::Failed), "{path}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen} files");
}

/// Sessions with a word of person or model, and those without: together what `grep -c` counts.
#[test]
fn every_session_of_a_long_history_is_accounted_for() {
    let Some(folder) = corpus() else { return };
    let imports = import(&folder, "aider/chat-history.md");
    let empty = imports[0].report.notes.iter().find(|n| n.id == "empty-sessions" || n.id == "note.empty-sessions");
    let empty: usize = empty.map_or(0, |n| n.args[0].1.parse().unwrap());
    assert_eq!(imports[0].runs.len() + empty, 1133);
}

/// Files below the samples, each opened or refused with a reason.
#[test]
fn every_file_of_the_corpus_opens_or_is_refused_with_a_reason() {
    let Some(folder) = corpus() else { return };
    const REFUSED: &[(&str, &str)] = &[
        ("agentsview-export/", "session-list"),
        ("edge/python-repr.txt", "python-repr"),
        ("mistral-vibe/agentsview.meta.json", "json-object"),
        ("negative/", ""),
        ("openhands-v0/swe_gym.synthetic.parquet", "parquet"),
        ("openhands-v1/conv_v1_11_5.base_state.json", "openhands-state"),
        ("skills/", ""),
        ("tau2-bench/voice.results.json", "tau2-index"),
        ("trail/gaia.synthetic.parquet", "parquet"),
    ];
    let mut files = Vec::new();
    let mut stack = vec![folder.clone()];
    while let Some(path) = stack.pop() {
        for entry in std::fs::read_dir(&path).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() { stack.push(path) } else { files.push(path) }
        }
    }
    let mut wrong = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        if !name.contains('/') {
            continue;
        }
        let imports = import(&folder, &name);
        let refused = REFUSED.iter().find(|(prefix, _)| name.starts_with(prefix));
        for import in &imports {
            let reason = import.report.refused.as_ref().map(|r| r.looks_like.as_str());
            match (reason, refused) {
                (None, None) => {}
                (Some(reason), Some((_, expected))) if expected.is_empty() || reason == *expected => {}
                (None, Some((_, ""))) => {}
                (reason, _) => wrong.push(format!("{} in {name}: {reason:?}", import.report.file)),
            }
        }
    }
    eprintln!("{} files looked at", files.len());
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// Definitions of tools that stand in the files, by name, counted with Python.
#[test]
fn declared_tools_are_kept() {
    let Some(folder) = corpus() else { return };
    for (path, expected) in [
        ("copilot-chat/spec.chatreplay.json", 69),
        ("atbench/atbench.json", 3),
        ("har/openai-chat.har", 1),
        ("sharegpt/glaive_toolcall_zh_demo.json", 239),
        ("mcp/gen.mcp.session.raw.jsonl", 2),
        ("otlp/openai_agents_0.24.0_oi_2.5.3_as_tool.json", 1),
    ] {
        let imports = import(&folder, path);
        let mut names: Vec<(usize, String)> = imports
            .iter()
            .flat_map(|i| &i.runs)
            .enumerate()
            .flat_map(|(n, r)| r.skills.iter().map(move |s| (n, s.name.clone())))
            .collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), expected, "{path}: {names:?}");
    }
}
