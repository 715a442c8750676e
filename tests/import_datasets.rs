//! Data sets with their labels on small files of ours.

mod common;

use common::check_import;

#[test]
fn who_and_when_generated() {
    let import = check_import(
        "who-and-when",
        "who-and-when/generated.json",
        r#"
        run q2 "How many?"
        system You code.
        say (mistake) ```python⏎print(7)⏎```
        orphan! exitcode: 1 (execution failed)⏎Code output: no
        say TERMINATE
        outcome failed
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [vec![("mistake_agent", "Coder"), ("mistake_step", "0"), ("mistake_reason", "typo"), ("ground_truth", "8")]]
    );
}

#[test]
fn who_and_when_handmade() {
    let import = check_import(
        "who-and-when",
        "who-and-when/handmade.json",
        r#"
        run q1 "How many?"
        person How many?
        thought plan
        say (-> WebSurfer) look
        say (mistake) I clicked
        outcome failed
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [vec![
            ("mistake_agent", "WebSurfer"),
            ("mistake_step", "3"),
            ("mistake_reason", "wrong page"),
            ("level", "2"),
            ("ground_truth", "8")
        ]]
    );
}

#[test]
fn trail_row() {
    let import = check_import(
        "trail",
        "trail/row.jsonl",
        r#"
        run T1 "find" with m
        person find
        say searching
        search {"q": "x"} => error timeout
        usage in 12 out 3
        run T2 "find" with m
        person find
        say searching
        search {"q": "x"} => error timeout
        usage in 12 out 3
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("Tool-related", "HIGH at t: The tool timed out"), ("reliability_score", "3")], vec![]]);
}

#[test]
fn trail_trace() {
    let import = check_import(
        "trail",
        "trail/trace.json",
        r#"
        run T1 "find" with m
        person find
        say searching
        search {"q": "x"} => error timeout
        usage in 12 out 3
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("Tool-related", "HIGH at t: The tool timed out"), ("reliability_score", "3")]]);
}

#[test]
fn mast_rows() {
    let import = check_import(
        "mast",
        "mast/rows.json",
        r#"
        run k "AG2, GSM" by AG2 with m
        raw (log) {'content': 'x'}
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("failure mode 1.3", "1")]]);
}

#[test]
fn agentdojo_run() {
    let import = check_import(
        "agentdojo",
        "agentdojo/run.json",
        r#"
        run "banking user_task_0 with injection_task_0" by model-a
        system Help.
        person Pay.
        [1] read_file {"p":"b"} => unknown 10 EUR
        [1] pay {} => error ValueError: no amount
        say No.
        outcome failed utility reward 0
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [vec![
            ("suite_name", "banking"),
            ("user_task_id", "user_task_0"),
            ("injection_task_id", "injection_task_0"),
            ("attack_type", "x"),
            ("utility", "false"),
            ("security", "true")
        ]]
    );
}

#[test]
fn agent_reward_bench_run() {
    let import = check_import(
        "agent-reward-bench",
        "agent-reward-bench/run.json",
        r#"
        run x "Find" by A with m
        person Find
        thought open
        click click('12') => ok Page +image/png
        fill fill('7') => error TimeoutError⏎Page
        outcome failed  reward 0
        usage in 21 out 4 cost 0.1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("benchmark", "webarena"), ("valid", "true"), ("reward", "0")]]);
}

#[test]
fn malt_runs() {
    let import = check_import(
        "malt",
        "malt/runs.json",
        r#"
        run 1 "t/1" with m
        system Be.
        person Do.
        say ok
        bash {"c":1}
        person done
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("label", "normal"), ("label", "bypass")]]);
    let notes: Vec<_> = import.report.notes.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(notes, ["branches-left-out"]);
}

#[test]
fn agent_data_protocol_runs() {
    let import = check_import(
        "agent-data-protocol",
        "agent-data-protocol/runs.jsonl",
        r#"
        run 1 "Fix" with m
        person Fix.
        thought Open.
        goto {"url": "x"} => ok Root
        bash ls => unknown a
        raw (moon) {"class_": "moon"}
        say Done.
        outcome finished submitted
        run 2 ""
        orphan x
        "#,
    );
    assert_eq!(import.report.unknown, [("moon".to_owned(), 1)]);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("exit_status", "submitted")], vec![]]);
}

#[test]
fn tau2_bench_results() {
    let import = check_import(
        "tau2-bench",
        "tau2-bench/results.json",
        r#"
        run s1 "Task 1" with m
        say Hi
        person No data.
        f {"a":1} => ok ok
        1> toggle {} => error stuck
        person ###STOP###
        outcome passed user_stop reward 1
        usage in 9 out 1 cost ~0.1
        run s2 "Task 1" with m
        person x
        outcome limit max_steps
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [
            vec![("task", "1"), ("trial", "0"), ("reward", "1"), ("called f", "true")],
            vec![("task", "1"), ("trial", "1")]
        ]
    );
}

#[test]
fn tau2_bench_voice() {
    let import = check_import(
        "tau2-bench",
        "tau2-bench/voice.json",
        r#"
        run v "Task 4"
        say Hi there.
        person Hel lo
        f {} => ok ok
        outcome finished user_stop
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("task", "4"), ("trial", "0")]]);
}

#[test]
fn atbench_rows() {
    let import = check_import(
        "atbench",
        "atbench/rows.json",
        r#"
        run 1 "log it"
        person log it
        thought first
        f {"u": 1} => error {"status": "error", "error": "no"}
        say Sorry.
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(
        labels,
        [vec![
            ("label", "1"),
            ("risk_source", "injection"),
            ("failure_mode", "x"),
            ("real_world_harm", "y"),
            ("reason", "because")
        ]]
    );
}

#[test]
fn sharegpt_conversations() {
    let import = check_import(
        "sharegpt",
        "sharegpt/conversations.json",
        r#"
        run "hi"
        system Be.
        person hi
        f {"a":1} => unknown 1
        say one
        run "pick"
        person pick
        say good
        run "pick"
        person pick
        say bad
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![], vec![("preference", "chosen")], vec![("preference", "rejected")]]);
}

#[test]
fn sharegpt_v1() {
    let import = check_import(
        "sharegpt",
        "sharegpt/v1.jsonl",
        r#"
        run "hi"
        person hi
        thought two
        [1] f {"a": 1} => unknown {"r": 1}
        [1] g {} => unknown two
        say done
        run "x"
        person x
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}
