//! Every importer on small files of ours: what it reads, and that name, line ends, byte order mark and gzip change
//! nothing. One module a format.

mod common;

mod claude_code {
    use super::common::check_import;

    #[test]
    fn one_message_over_two_lines_counts_once() {
        check_import(
            "claude-code",
            "claude-code/parallel.jsonl",
            r#"
            run s-1 "Count the files" by Claude Code 2.1.0 with model-a
            person Count the files
            [1] Bash {"command":"ls a"} => ok x⏎y
            [1] Bash {"command":"ls b"} => error no such folder
            say Two.
            usage in 33 out 11 cached 10
            "#,
        );
    }
}

mod codex {
    use super::common::check_import;

    #[test]
    fn every_side_once() {
        let import = check_import(
            "codex",
            "codex/rollout.jsonl",
            r#"
            run th-1 "Fix the typo" by Codex 0.104.0 with model-c
            system (instructions) Be brief.
            system Ask before you delete.
            injected <environment_context>⏎<cwd>/w</cwd>⏎</environment_context>
            injected House rules: none.
            person Fix the typo +image/png
            thought Look first
            [1] exec_command {"cmd":"ls"} => ok Chunk ID: 1⏎Wall time: 0.2 seconds⏎Process exited with code 0⏎Output:⏎a.txt (exit 0)
            [1] exec_command {"cmd":"cat" => error failed to parse function arguments: EOF
            thought Now patch
            apply_patch *** Begin Patch => ok Success (exit 0)
            compaction So far: patched
            web_search {"type":"search","query":"typo"}
            say Done.
            exec_command {}
            notice! (turn_aborted) interrupted
            raw (moon_phase) {"timestamp":"2026-01-01T00:00:06.000Z","type":"moon_phase","payload":{"full":true}}
            outcome cancelled interrupted
            usage in 250 out 25 cached 180 reasoning 4
            "#,
        );
        let run = &import.runs[0];
        let used: Vec<_> = run.turns.iter().filter_map(|t| t.usage.input).collect();
        assert_eq!(used, [100, 150], "a counter that is written again counts once");
        assert_eq!(run.unanswered(), 1, "the web search says itself that it ended");
        assert_eq!(import.report.unknown, [("moon_phase".to_owned(), 1)]);
        let durations: Vec<_> = run.steps.iter().filter_map(|s| s.call.as_ref()?.duration_ms).collect();
        assert_eq!(durations, [200.0, 200.0, 500.0], "the program's own clock wins over the lines' times");
    }

    #[test]
    fn a_parents_history_is_left_out() {
        let import = check_import(
            "codex",
            "codex/subagent.jsonl",
            r#"
            run 019b7bd6-aa00-7000-8000-00000000000c "Ada" by Codex 0.142.5 with model-c
            injected Count the files
            exec_command {"cmd":"ls"} => unknown a.txt
            usage in 320 out 12 cached 200 reasoning 0
            "#,
        );
        let session = import.session.expect("a sub-agent's file names its session");
        assert_eq!(session.session, "019b7b00-0000-7000-8000-00000000000a");
        assert_eq!(session.agent.as_deref(), Some("019b7bd6-aa00-7000-8000-00000000000c"));
        assert_eq!(import.report.notes[0].id, "codex-replay");
        assert_eq!(import.report.notes[0].args[0].1, "2", "the parent's message and call");
    }

    #[test]
    fn without_envelope() {
        check_import(
            "codex",
            "codex/legacy.jsonl",
            r#"
            run old-1 "list" by Codex
            system (instructions) Be brief.
            person list
            thought ls it
            local_shell {"type":"exec","command":["bash","-lc","ls"]} => error no (exit 1)
            say none
            "#,
        );
    }
}

mod codex_exec {
    use super::common::check_import;

    #[test]
    fn an_item_is_one_step() {
        let import = check_import(
            "codex-exec",
            "codex-exec/stream.jsonl",
            r#"
            run th-1 "" by Codex
            thought Look first
            command_execution bash -lc ls => ok a (exit 0)
            notice (todo_list) [x] look
            command_execution false => error (exit 1)
            file_change {"changes":[{"path":"a","kind":"delete"}]}
            mcp__docs__find {"q":"a"} => error no server
            web_search {"query":"a"}
            say Done.
            outcome finished turn.completed
            usage in 10 out 5 cached 8
            run th-2 "" by Codex
            command_execution sleep 9
            notice! (error) stream lost
            outcome error turn.failed
            "#,
        );
        assert_eq!(import.runs[0].unanswered(), 0);
        assert_eq!(import.runs[1].unanswered(), 1);
        assert_eq!(import.report.bad_lines, 1, "the shell's line");
    }
}

mod atif {
    use super::common::check_import;

    fn faults(import: &skillscope::import::FileImport) -> Vec<(u32, &str)> {
        let schema = import.findings.iter().filter(|f| f.rule == "schema");
        schema.map(|f| (f.place.line.unwrap_or(0), f.place.pointer.as_str())).collect()
    }

    #[test]
    fn calls_results_and_embedded_trajectories() {
        let import = check_import(
            "atif",
            "atif/harbor.json",
            r#"
            run s-1 "Count the files" by my-agent 2 with model-a, model-b, model-c
            system Be brief.
            person Count the files +image/png
            thought Two folders
            say Both at once.
            [1] bash {"cmd": "ls a"} => ok x⏎y
            [1] bash {"cmd": "ls b"} => error no such folder
            delegate {} => ok 12 words spawns 1
            1> injected Count the words
            1> wc {"f": "x"} => ok 12
            delegate {} => ok elsewhere.json
            say Two.
            usage in 37 out 9 cached 8 reasoning 2 cost ~0.02
            "#,
        );
        assert_eq!(faults(&import), []);
        let run = &import.runs[0];
        assert_eq!(run.lanes[1].name, "counter");
        let wc = run.steps.iter().find(|s| s.lane == 1 && s.is_action()).expect("the sub-agent's call");
        assert_eq!((wc.span.line, wc.span.pointer.as_ref()), (45, "/subagent_trajectories/0/steps/2/tool_calls/0"));
        let result = wc.observation().expect("its result");
        assert_eq!(result.span.pointer.as_ref(), "/subagent_trajectories/0/steps/2/observation/results/0");
    }

    #[test]
    fn results_without_ids_go_by_position() {
        check_import(
            "atif",
            "atif/terminus.json",
            r#"
            run s-2 "Say hello" by terminus-2 2.0.0 with model-a
            person Say hello
            say (copied) Analysis: empty.
            [1] bash_command {"keystrokes":"ls\n"} => unknown first
            [1] bash_command {"keystrokes":"pwd\n"} => unknown second
            compaction Performed context summarization and handoff.
            orphan Step 1: t.summary.json
            say ok
            done {}
            say plain
            orphan no call asked for this
            usage in 5 out 1
            "#,
        );
    }

    #[test]
    fn one_step_a_line() {
        let import = check_import(
            "atif",
            "atif/steps.atif.jsonl",
            r#"
            run s-3 "Hi" by other with model-x
            person Hi
            look {"a":1} => ok {"found":true}
            say Found.
            usage in 4 out 2
            "#,
        );
        let mut lines: Vec<_> = faults(&import).into_iter().map(|f| f.0).collect();
        lines.dedup();
        assert_eq!(lines, [2, 3, 4], "an id of 0, arguments in a string, a source of its own");
    }

    #[test]
    fn several_trajectories_and_side_chains() {
        let import = check_import(
            "atif",
            "atif/many.jsonl",
            r#"
            run a "One" by other with model-x
            person One
            say 1
            run b "Two" by claude-code 1
            person Two
            Task {"p":"x"} => ok done spawns 1
            1> injected Sub
            1> say sub says
            say Two.
            Bash {}
            orphan ?
            "#,
        );
        let found = faults(&import);
        for pointer in ["/schema_version", "/agent", "/steps/0/step_id", "/steps/1"] {
            assert!(found.contains(&(1, pointer)), "{pointer} in {found:?}");
        }
        assert!(found.contains(&(2, "/steps/5/observation/results/0/source_call_id")), "{found:?}");
    }
}
