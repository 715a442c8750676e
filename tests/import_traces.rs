//! Traces and message dialects on small files of ours.

mod common;

use common::check_import;

#[test]
fn otlp_genai() {
    let import = check_import(
        "otlp",
        "otlp/genai.jsonl",
        r#"
        run t1 "Count the files" by main with m-1, m-2
        system Be brief.
        person Count the files
        thought Two folders
        say Both.
        [1] ls {"dir": "a"} => error no such folder
        [1] count_words {"file": "x"} => ok 12 words spawns 1
        1> injected Count the words of x
        1> say 12 words
        say Two.
        usage in 45 out 7
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn otlp_older() {
    let import = check_import(
        "otlp",
        "otlp/older.json",
        r#"
        run events "By events" with m
        person By events
        f {"a":1}
        usage in 3 out 1
        run traceloop "By numbers" with m
        system Flat.
        person By numbers
        look {} => ok seen
        usage in 2
        run aisdk "By SDK" with g
        person By SDK
        weather {"city":"Oslo"} => ok {"deg":5}
        usage in 7 out 3
        run bare "chat bare" with m
        notice (model) chat bare
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let notes: Vec<_> = import.report.notes.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(notes, ["content-not-recorded"]);
}

#[test]
fn otlp_openinference() {
    let import = check_import(
        "otlp",
        "otlp/openinference.json",
        r#"
        run t1 "Refund A1" by Triage with m
        system Route.
        person Refund A1
        [1] find {"id": "A1"} => ok A1: shipped
        [1] transfer_to_refund_desk {} => ok {"assistant": "Refund Desk"} spawns 1
        1> person Please
        1> say Done.
        usage in 30 out 5 cached 4
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn otlp_phoenix() {
    let import = check_import(
        "otlp",
        "otlp/phoenix.json",
        r#"
        run p1 "hi" with m
        person hi
        say hello
        notice! (error) stopped
        outcome error stopped
        usage in 5 out 2
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn langfuse_trace() {
    let import = check_import(
        "langfuse",
        "langfuse/trace.json",
        r#"
        run L1 "hi" with m
        system Greet.
        person hi
        wave {"hand":"left"} => ok waved
        smile {} => error no face
        say (tone kind) hello
        usage in 34 out 7 cached 4 reasoning 2 cost ~0.001
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("ok", "1"), ("tone (ChatOpenAI)", "kind")]]);
}

#[test]
fn langsmith_events() {
    let import = check_import(
        "langsmith",
        "langsmith/events.jsonl",
        r#"
        run R "hello" with m
        person hello
        f {} => error bad
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn langsmith_runs() {
    let import = check_import(
        "langsmith",
        "langsmith/runs.jsonl",
        r#"
        run S1 "6*7?" with m-1
        system Calculate.
        person 6*7?⏎please
        say Let me.
        calc {"x": 6} => ok 42
        notice! (error) RateLimit
        usage in 9 out 3 cached 2 cost ~0.002
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let labels: Vec<Vec<_>> =
        import.runs.iter().map(|r| r.labels.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()).collect();
    assert_eq!(labels, [vec![("correct", "1.0")]]);
}

#[test]
fn openai_agents_trace() {
    let import = check_import(
        "openai-agents",
        "openai-agents/trace.jsonl",
        r#"
        run trace_1 "Oslo?" by Triage with m
        person Oslo?
        weather {"city": "Oslo"} => ok rain
        transfer_to_bill_desk {} spawns 1
        1> notice (model) turn
        1> notice! (error) guardrail pii triggered
        usage in 12 out 3
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
    let notes: Vec<_> = import.report.notes.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(notes, ["content-not-recorded"]);
}

#[test]
fn langchain_state() {
    let import = check_import(
        "langchain",
        "langchain/state.json",
        r#"
        run "Look" with m
        system Be brief.
        person Look +image/png
        thought hm
        say ok
        [1] f {"a":1} => error boom
        [1] g {"a":
        say Sorry.
        usage in 4 out 2 cached 1 reasoning 1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn langchain_updates() {
    let import = check_import(
        "langchain",
        "langchain/updates.jsonl",
        r#"
        run ""
        f {} => ok 1
        say One.
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn openai_responses_exchanges() {
    let import = check_import(
        "openai-responses",
        "openai-responses/exchanges.jsonl",
        r#"
        run "hi" with m
        system Be brief.
        person hi
        f {} => unknown done
        say ok
        usage in 14 out 3 cached 1 reasoning 1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn openai_responses_items() {
    let import = check_import(
        "openai-responses",
        "openai-responses/items.json",
        r#"
        run "weather?"
        person weather?
        thought Look it up
        weather {"city": => unknown 5 °C
        apply_patch *** Begin Patch => unknown ok
        web_search {"type":"search","query":"rain"}
        ask {} => ok yes
        say Cold.
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn pydantic_ai_history() {
    let import = check_import(
        "pydantic-ai",
        "pydantic-ai/history.json",
        r#"
        run "roll" with m
        system be terse
        person roll +image/*
        thought dice
        say Rolling
        [1] roll {"n":6} => unknown 4
        [1] roll {"n": 20} => error n is too large
        say 4
        usage in 5 out 2 cached 1
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}
