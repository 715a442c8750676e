//! Fixtures of the formats that are made of chat messages: written by us, each read in five disguises.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{check_import, fixture, import_one};
use skillscope::import::import_bytes;
use skillscope::model::{ArgsForm, Verdict};

fn notes(import: &skillscope::import::FileImport) -> Vec<&str> {
    import.report.notes.iter().map(|n| n.id.as_str()).collect()
}

mod openai_chat {
    use super::*;

    #[test]
    fn a_conversation_with_everything() {
        let import = check_import(
            "openai-chat",
            "openai-chat/conversation.json",
            r#"
            run "What is on the picture?" with model-o
            system Be brief.
            person What is on the picture? +image/png
            thought Two tools.
            say I will look.
            [1] look {"at":1} => unknown a cat
            [1] look {"at": => error Error: no place
            [1] patch *** Begin
            thought Once more, with the same id.
            [2] look {} => ok a dog
            [2] plain {"k": true} => error [Command finished with exit code 2] (exit 2)
            orphan late
            old {} => unknown 4
            say (refusal) I may not.
            usage in 100 out 20 cached 40 reasoning 5
            "#,
        );
        let run = &import.runs[0];
        let forms: Vec<_> = run.steps.iter().filter_map(|s| s.call.as_ref()).map(|c| c.args.form).collect();
        use ArgsForm::{Broken, Json, Text};
        assert_eq!(forms, [Json, Broken, Text, Json, Json, Json]);
        assert_eq!(run.steps[1].name.as_deref(), Some("ann"));
        assert_eq!(import.report.skipped, [("assistant (empty)".to_owned(), 1)]);
        assert_eq!((import.report.records, import.report.understood), (13, 13));
    }

    #[test]
    fn messages_one_a_line_are_one_run() {
        let import = check_import(
            "openai-chat",
            "openai-chat/messages.jsonl",
            r#"
            run "Hi"
            system Help.
            person Hi
            say Hello
            raw (no role) {"kind":"heartbeat"}
            say Too short.
            "#,
        );
        let run = &import.runs[0];
        assert_eq!(run.duration_ms(), Some(1000.0), "epoch seconds and ISO text");
        assert_eq!(run.steps[4].name.as_deref(), Some("critic"));
        assert_eq!(import.report.unknown, [("no role".to_owned(), 1)]);
    }

    #[test]
    fn requests_that_repeat_the_earlier_ones_are_one_run() {
        let import = check_import(
            "openai-chat",
            "openai-chat/proxy.jsonl",
            r#"
            run "Count" with model-p
            person Count
            wc {} => unknown 7
            say Seven
            usage in 24 out 3 cost ~0.75
            run "Something else"
            person Something else
            say Yes
            "#,
        );
        assert_eq!(notes(&import), ["alternatives-left-out", "requests-joined"]);
        assert_eq!(import.runs[0].duration_ms(), Some(5000.0));
    }

    #[test]
    fn every_container_is_a_run() {
        check_import(
            "openai-chat",
            "openai-chat/completions.json",
            r#"
            run r1 "" with model-o
            say One
            usage in 3 out 1
            run "A list in the list"
            person A list in the list
            say Two
            "#,
        );
    }

    #[test]
    fn calls_in_the_text_are_calls_and_talk_about_them_is_not() {
        let import = check_import(
            "openai-chat",
            "openai-chat/calls-in-text.json",
            r#"
            run "List it"
            person List it. <function=bash> is not a call here.
            say Looking.
            bash {"command":"ls -a","note":"\"why\""} => ok a.txt⏎[The command completed with exit code 0.] (exit 0)
            say To call it, write⏎<function=bash>⏎and a command.
            person EXECUTION RESULT of [bash]:⏎nobody asked
            "#,
        );
        assert_eq!(notes(&import), ["calls-in-text"]);
    }
}

mod anthropic_messages {
    use super::*;

    #[test]
    fn request_and_response() {
        let import = check_import(
            "anthropic-messages",
            "anthropic-messages/request.json",
            r#"
            run "Weather?" with model-a
            system Be brief.
            person Weather?
            thought Ask both.
            thought
            say Asking two.
            [1] w {"c": "Oslo"} => error timeout
            [1] w {"c": "Rome"} => ok 30 +image/png
            [1] web_search {"q": "x"} => error {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
            raw (hologram) {"type": "hologram", "data": 1}
            person Hurry.
            say Rome 30.
            usage in 105 out 12 cached 90 written 5
            "#,
        );
        assert_eq!(import.report.unknown, [("assistant/hologram".to_owned(), 1)]);
    }

    #[test]
    fn a_response_alone_and_messages_one_a_line() {
        let response = r#"{"id":"m","type":"message","role":"assistant","model":"a","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"cache_read_input_tokens":2,"output_tokens":3}}"#;
        let import = import_one("r", response.as_bytes());
        assert_eq!(import.report.format.as_deref(), Some("anthropic-messages"));
        assert_eq!(import.runs[0].usage().input, Some(3));
        let lines = r#"{"role":"user","content":"go"}
{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}"#;
        let import = import_one("l", lines.as_bytes());
        assert_eq!(import.report.format.as_deref(), Some("anthropic-messages"));
        assert_eq!((import.runs.len(), import.runs[0].calls(), import.runs[0].results()), (1, 1, 1));
    }
}

mod mini_swe_agent {
    use super::*;

    #[test]
    fn version_one_has_commands_in_the_text() {
        let import = check_import(
            "mini-swe-agent",
            "mini-swe-agent/v1.traj.json",
            r#"
            run "Solve it: a bug" by mini-swe-agent 1.13.0 with model-m2, model-m
            system One block each.
            person Solve it: a bug
            thought Look first.
            bash ls -a => ok a.txt (exit 0)
            say Two at once:⏎```bash⏎a⏎```⏎```bash⏎b⏎```
            notice! (format-error) Please always provide EXACTLY ONE action, found 2.
            say Done with that.
            bash grep x y => error <returncode>1</returncode>⏎<warning>⏎The output was too long⏎</warning> (exit 1)
            thought wait
            bash sleep 99 => error The last command <command>sleep 99</command> timed out and has been killed.
            outcome limit LimitsExceeded
            usage in 10 out 4 cost ~0.75
            "#,
        );
        assert_eq!(import.runs[0].facts.iter().find(|f| f.0 == "cwd").map(|f| f.1.as_str()), Some("/w"));
    }

    #[test]
    fn version_two_has_actions_and_items_without_a_role() {
        let import = check_import(
            "mini-swe-agent",
            "mini-swe-agent/v2.traj.json",
            r#"
            run "Solve it" by mini-swe-agent 2.4.6 with model-r
            person Solve it
            say Reading.
            bash {"command":"cat a"} => error cat: a: no such file (exit 1)
            thought Hand it in
            say Now b.
            bash {"command":"cat b"} => ok b (exit 0)
            thought submit
            bash echo SUBMIT
            notice (exit) diff --git a b
            outcome finished Submitted
            usage in 20 out 5 cost ~0.5
            "#,
        );
        let run = &import.runs[0];
        let took: Vec<_> = run.steps.iter().filter_map(|s| s.call.as_ref()).map(|c| c.duration_ms).collect();
        assert_eq!(took, [Some(1000.0), Some(1000.0), None]);
    }

    #[test]
    fn a_bare_list_is_known_by_its_commands() {
        check_import(
            "mini-swe-agent",
            "mini-swe-agent/list.json",
            r#"
            run "Solve it" by mini-swe-agent
            person Solve it
            bash ls => ok a (exit 0)
            "#,
        );
    }
}

mod swe_agent {
    use super::*;

    #[test]
    fn classic_actions() {
        let import = check_import(
            "swe-agent",
            "swe-agent/classic.traj",
            r#"
            run "The sum is wrong" by SWE-agent
            system You are a programmer.
            person We are solving this:⏎ISSUE:⏎The sum is wrong⏎more text
            thought Look.
            open a.py 3 => unknown [File: a.py]⏎1:x
            thought Change it.
            edit 1:1⏎y⏎end_of_edit => error Your proposed edit has introduced new syntax error(s).⏎ERRORS: E999
            bash cd src && ls => unknown
            thought Exit due to cost limit
            exit_cost
            outcome limit submitted (exit_cost)
            usage in 1000 out 50 cost ~3.01
            "#,
        );
        assert_eq!(notes(&import), ["demonstrations"]);
        assert!(import.runs[0].facts.contains(&("cwd".into(), "/repo".into())));
    }

    #[test]
    fn calls_come_from_the_history() {
        let import = check_import(
            "swe-agent",
            "swe-agent/calls.traj",
            r#"
            run sum-1 "Do it" by SWE-agent 1.1.0 with model-s
            system You are a programmer.
            person Do it
            thought deep
            thought Make it.
            create {"filename":"a.py"} => unknown ok
            thought See.
            bash {"command":"ls"} => unknown a.py
            outcome error exit_format
            usage cost ~0
            "#,
        );
        let took: Vec<_> = import.runs[0].steps.iter().filter_map(|s| s.call.as_ref()).map(|c| c.duration_ms).collect();
        assert_eq!(took, [Some(250.0), Some(500.0)]);
    }

    #[test]
    fn a_history_alone_is_a_run() {
        check_import(
            "swe-agent",
            "swe-agent/history.traj",
            r#"
            run "A colon is missing" by SWE-agent
            system You are a programmer.
            person ISSUE:⏎A colon is missing
            thought Find it.
            find_file {"file_name":"a.py"} => unknown Found 1⏎/a.py
            thought Submit.
            submit
            "#,
        );
    }

    #[test]
    fn attempts_are_runs() {
        let text = format!(
            r#"{{"attempts":[{0},{0}],"info":{{"exit_status":"submitted"}}}}"#,
            r#"{"trajectory":[{"action":"ls","observation":"a","thought":"t"}],"history":[],"info":{"exit_status":"exit_error"}}"#
        );
        let import = import_one("a", text.as_bytes());
        let titles: Vec<_> = import.runs.iter().map(|r| r.title.as_str()).collect();
        assert_eq!(titles, ["attempt 1", "attempt 2"]);
        assert_eq!(import.runs[0].outcome.as_ref().map(|o| o.verdict), Some(Verdict::Error));
    }
}

mod tau_bench {
    use super::*;

    #[test]
    fn every_attempt_is_a_run() {
        let import = check_import(
            "tau-bench",
            "tau-bench/results.json",
            r#"
            run 4/0 "Task 4, trial 0"
            system Policy.
            person Cancel it
            find {"q":1} => error Error: not found
            say Once more.
            cancel {"id":"R1"} => ok
            person ###STOP###
            outcome passed  reward 1
            run 4/1 "Task 4, trial 1"
            person Cancel it
            say No.
            outcome failed  reward 0
            run 5/0 "Task 5, trial 0"
            outcome error RateLimitError: slow down reward 0
            "#,
        );
        let run = &import.runs[0];
        let labels: Vec<_> = run.labels.iter().map(|(k, v)| format!("{k} {v}")).collect();
        assert_eq!(labels, ["task 4", "trial 0", "reward 1"]);
        let wanted: Vec<_> = run.reference.iter().map(|w| format!("{} {}", w.tool, w.args.raw)).collect();
        assert_eq!(wanted, [r#"cancel {"id": "R1"}"#]);
    }

    #[test]
    fn rows_of_the_leaderboard() {
        check_import(
            "tau-bench",
            "tau-bench/rows.jsonl",
            r#"
            run retail_3 "Task 3, retail" with maker/model-t
            person Hi
            thought plan
            say Hello
            injected The tool has finished running. Please continue your reasoning.
            outcome failed user_stop reward 1
            usage cost ~0.5
            run retail_4 "Task 4, retail" with maker/model-t
            outcome passed  reward 1
            "#,
        );
    }

    #[test]
    fn few_shot_lines_keep_the_text_only() {
        let import = check_import(
            "tau-bench",
            "tau-bench/few-shot.jsonl",
            r#"
            run "Hi,"
            person Hi,⏎second line
            orphan! Error: user not found
            say Who are you?
            run "Bye"
            person Bye
            "#,
        );
        assert_eq!(notes(&import), ["calls-not-written"]);
    }
}

mod messages {
    use super::*;

    #[test]
    fn the_first_list_of_messages_below_the_root() {
        check_import(
            "messages",
            "messages/nested.json",
            r#"
            run log-1 "A talk"
            person hi
            say Ask the tool.
            add {"a":1} => unknown 2
            say Two
            raw (no role) {"note": "no message"}
            "#,
        );
    }

    #[test]
    fn question_and_answer_in_one_record() {
        check_import(
            "messages",
            "messages/pairs.jsonl",
            r#"
            run "one?"
            person one?
            say 1
            person two?
            say 2
            "#,
        );
    }

    #[test]
    fn a_list_in_each_line() {
        check_import(
            "messages",
            "messages/several.jsonl",
            r#"
            run 7 "hi"
            person hi
            say yo
            run 8 "a"
            person a
            say b
            "#,
        );
    }

    #[test]
    fn other_lists_are_not_taken() {
        for text in [
            r#"{"hello":"world"}"#,
            r#"[1,2,3]"#,
            r#"[{"type":"user","id":1},{"type":"user","id":2}]"#,
            r#"[{"from":"a@example.org","message":"x"},{"from":"b@example.org","message":"y"}]"#,
            r#"[{"source":"db","text":"x"},{"source":"db","text":"y"}]"#,
            r#"[{"role":"admin","text":"x"},{"role":"editor","text":"y"}]"#,
            r#"{"items":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}"#,
            r#"{"a":{"b":{"c":{"d":[{"from":"human","value":"x"},{"from":"gpt","value":"y"}]}}}}"#,
            r#"[{"from":"human","value":"alone"}]"#,
            r#"[{"name":"x","description":"y","content":"z"}]"#,
        ] {
            let import = import_one("x.json", text.as_bytes());
            assert_eq!(import.report.format, None, "{text}");
            assert!(import.report.refused.is_some(), "{text}");
        }
    }

    #[test]
    fn a_no_says_what_is_missing_and_the_nearest_comes_first() {
        let import = import_one("x.json", br#"{"messages":[{"role":"user"},{"role":"assistant"}]}"#);
        let refusal = import.report.refused.unwrap();
        let first = &refusal.answers[0];
        assert_eq!(
            (first.format.as_str(), first.key.as_str(), first.pointer.as_str()),
            ("openai-chat", "content", "/messages/0/content")
        );
    }
}

/// What a person chose wins over what is recognised, unless it understands nothing of the file; then the file is what
/// it is without the choice. It never panics, whatever the file is.
#[test]
fn any_format_may_be_forced_on_any_fixture() {
    let files = [
        "openai-chat/conversation.json",
        "openai-chat/proxy.jsonl",
        "anthropic-messages/request.json",
        "mini-swe-agent/v1.traj.json",
        "mini-swe-agent/v2.traj.json",
        "swe-agent/classic.traj",
        "swe-agent/history.traj",
        "tau-bench/results.json",
        "tau-bench/few-shot.jsonl",
        "messages/nested.json",
        "messages/pairs.jsonl",
    ];
    for path in files {
        let text = fixture(path);
        let free = import_bytes(path, text.as_bytes(), None);
        for format in skillscope::import::FORMATS {
            for import in import_bytes(path, text.as_bytes(), Some(format.id)) {
                let chosen = import.report.format.as_deref() == Some(format.id);
                assert!(
                    chosen
                        || import.report.refused.is_some()
                        || free.iter().any(|f| f.report.format == import.report.format),
                    "{path} as {}",
                    format.id
                );
                // A stream of lines is read as it comes: its choice cannot be taken back.
                assert!(
                    !chosen
                        || import.report.shape == "lines"
                        || import.report.understood > 0
                        || free[0].report.understood == 0,
                    "{path} as {}",
                    format.id
                );
            }
        }
    }
}
