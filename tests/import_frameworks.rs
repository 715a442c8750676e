//! Frameworks, recordings and texts on small files of ours.

mod common;

use common::check_import;

#[test]
fn autogen_result() {
    let import = check_import(
        "autogen",
        "autogen/result.json",
        r#"
        run "check"
        person check
        thought both
        [1] get {"a":1} => ok one
        [1] get {"a":2} => error none
        handoff {"target":"writer"} => ok over to you
        say done
        outcome limit Maximum number of messages 6 reached
        usage in 10 out 4
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn autogen_state() {
    let import = check_import(
        "autogen",
        "autogen/state.json",
        r#"
        run "check"
        person check
        thought both
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn autogen_stream() {
    let import = check_import(
        "autogen",
        "autogen/stream.jsonl",
        r#"
        run "check"
        person check
        say done
        outcome finished Text 'done' mentioned
        usage in 5 out 2
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn crewai_log() {
    let import = check_import(
        "crewai",
        "crewai/log.json",
        r#"
        run "Find X"
        Researcher {"task":"Find X","name":"research"} => ok X is 42
        Writer {"task":"Write","name":"write"}
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn smolagents_steps() {
    let import = check_import(
        "smolagents",
        "smolagents/steps.json",
        r#"
        run "weather?"
        system You are.
        person weather?
        thought (plan) 1. look
        thought Thought: look
        python_interpreter print(1) => error no such city
        thought both
        [1] get {"c":"P"} => ok sunny⏎rain
        [1] get {"c":"R"}
        thought final
        final_answer {"answer":"fine"} => ok fine
        outcome finished final answer
        usage in 30 out 6
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn browser_use_history() {
    let import = check_import(
        "browser-use",
        "browser-use/history.json",
        r#"
        run ""
        thought login
        thought (next_goal) click
        [1] click {"index":3} => error not found +image/png
        [1] wait {"seconds":1} => ok waited
        notice! (error) parse error
        done {"text":"ok","success":false} => ok gave up
        outcome failed done
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn inspect_empty() {
    let import = check_import(
        "inspect",
        "inspect/empty.json",
        r#"
        run "" with m
        notice! (error) no model
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn inspect_events() {
    let import = check_import(
        "inspect",
        "inspect/events.json",
        r#"
        run "q" with m
        person q
        f {} => ok r
        g {"a":1} => error bad
        usage in 5 out 1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn inspect_log() {
    let import = check_import(
        "inspect",
        "inspect/log.json",
        r#"
        run 1, epoch 1 "2+2?" with m, v/m
        system long prompt
        person 2+2? +image/png
        thought add
        say ok
        [1] add {"x":2} => unknown 4
        [1] bash {} => error too slow
        say 4
        outcome passed match
        usage in 20 out 3 cached 5
        run 2, epoch 1 "q2" with v/m
        person q2
        notice! (error) boom
        outcome error boom
        run 3, epoch 1 "q3" with v/m
        person q3
        notice (limit) token
        outcome limit token reward 0.5
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [
            vec![("target", "4"), ("match", "C"), ("parts a", "1"), ("parts b", "0")],
            vec![("target", "5")],
            vec![("target", "5"), ("match", "0.5")]
        ]
    );
}

#[test]
fn mcp_raw() {
    let import = check_import(
        "mcp",
        "mcp/raw.jsonl",
        r#"
        run ""
        add {} => ok 5
        nope {} => error {"code": -32601, "message": "Method not found"}
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn mcp_wrapped() {
    let import = check_import(
        "mcp",
        "mcp/wrapped.jsonl",
        r#"
        run "MCP session with demo"
        initialize {"protocolVersion": "2025-06-18", "clientInfo": {"name": "rec"}} => ok {"serverInfo": {"name": "demo"}}
        notice (notifications/initialized)
        add {"a": 2} => error no
        sampling/createMessage {} => ok {"role": "assistant"}
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn har_anthropic() {
    let import = check_import(
        "har",
        "har/anthropic.har",
        r#"
        run "list" with m-1
        system Be terse.
        person list
        say Listing.
        bash {"cmd":"ls"} => ok a
        say One.
        usage in 30 out 9 cached 4
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn har_openai() {
    let import = check_import(
        "har",
        "har/openai.har",
        r#"
        run "hi" with g-1
        person hi
        say Hey
        f {"a":1}
        usage in 5 out 3
        run "hello" with g
        system Plain.
        person hello
        say Hi you.
        usage in 6 out 2
        run "third" with g
        person third
        notice! (error) HTTP 429 {"error": {"message": "quota"}}
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn atof_stream() {
    let import = check_import(
        "atof",
        "atof/stream.jsonl",
        r#"
        run "sum it" by summ with m
        person sum it
        read {"p": 1} => ok text
        say ok
        usage in 4 out 1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn grok_build_history() {
    let import = check_import(
        "grok-build",
        "grok-build/history.jsonl",
        r#"
        run "review" by Grok Build with grok-x
        system You are.
        injected policy
        person review
        thought look
        web_search {"query": "x"}
        say Reading.
        read_file {"f":1} => unknown body
        person also
        raw (moon) {"type": "moon"}
        "#,
    );
    assert_eq!(import.report.unknown, [("moon".to_owned(), 1)]);
}

#[test]
fn gemini_api_recording_responses() {
    let import = check_import(
        "gemini-api",
        "gemini-api/recording.responses.jsonl",
        r#"
        run "" with gemini-x
        thought hm
        say Hello
        f {"a": 1}
        raw (countTokens) {"method": "countTokens", "response": {"totalTokens": 3}}
        say done
        usage in 5 out 5 reasoning 2
        "#,
    );
    assert_eq!(import.report.unknown, [("countTokens".to_owned(), 1)]);
}

#[test]
fn osworld_traj() {
    let import = check_import(
        "osworld",
        "osworld/traj.jsonl",
        r#"
        run ""
        thought I click
        click pyautogui.click(10,20) => ok +image/png
        WAIT WAIT => error no window
        DONE DONE
        outcome passed DONE reward 1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("reward", "1")]]);
}

#[test]
fn terminal_bench_results() {
    let import = check_import(
        "terminal-bench",
        "terminal-bench/results.json",
        r#"
        run hello.1-of-1 "hello"
        person Say hello
        notice (test_a) passed
        outcome passed
        usage in 5 out 1
        run slow.1-of-1 "slow"
        notice (result) agent_timeout
        outcome limit agent_timeout
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [
            vec![("task", "hello"), ("resolved", "true"), ("test test_a", "passed")],
            vec![("task", "slow"), ("resolved", "false")]
        ]
    );
}

#[test]
fn aider_history() {
    let import = check_import(
        "aider",
        "aider/history.md",
        r#"
        run "add a test" by Aider 0.86.2 with gpt-x
        notice (aider) Aider v0.86.2
        notice (aider) Main model: gpt-x with diff edit format
        person add a test⏎for the parser
        say Here it is:⏎⏎```python⏎def test():⏎    pass⏎```⏎#### no heading of a person
        notice (aider) Applied edit to a.py
        usage in 1200 out 84 cost ~0.0019
        run "thanks" by Aider
        person thanks
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let notes: Vec<_> = import.report.notes.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(notes, ["empty-sessions"]);
}

#[test]
fn markdown_transcript_transcript() {
    let import = check_import(
        "markdown-transcript",
        "markdown-transcript/transcript.md",
        r#"
        run "run it"
        person run it⏎⏎## Setup⏎⏎none
        say Running.
        Bash {"command":"ls -a","note":"two\nlines"} => unknown a.txt
        say One.
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}
