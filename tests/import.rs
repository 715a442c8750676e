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
