//! Calls as messages of the protocol, drafts of descriptors from runs, and descriptors compared: every document that is
//! written validates, whatever stands in the run.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use proptest::prelude::*;
use serde_json::{Value, json};

use skillscope::contract::{Options, Weight, check, compare, draft, invocations};
use skillscope::import::import_bytes;
use skillscope::model::notation;
use skillscope::model::{ArgsForm, CallStatus, Run, Severity, Skill, Time};
use skillscope::skill::{self, Kind, Profile, check_as, parse};

/// A document that passes both profiles.
#[track_caller]
fn valid(text: &str, kind: Kind) -> Value {
    let document = parse(text.as_bytes()).unwrap_or_else(|f| panic!("{f:?}\n{text}"));
    for profile in [Profile::Core, Profile::Strict] {
        let options = skill::Options { profile, ..skill::Options::default() };
        let errors: Vec<_> =
            check_as(&document.doc(), kind, &options).into_iter().filter(|f| f.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{profile:?}: {errors:?}\n{text}");
    }
    assert_eq!(document.kind(), Some(kind));
    serde_json::from_str(text).unwrap()
}

/// Every call of a run, each document valid; (request, response).
#[track_caller]
fn written(run: &Run) -> Vec<(Value, Option<Value>)> {
    let contract = check(run, &[], &Options::of(run));
    let export = invocations(run, &contract);
    let mut ids = Vec::new();
    let all: Vec<_> = export
        .invocations
        .iter()
        .map(|i| {
            let request = valid(&i.request, Kind::Request);
            let response = i.response.as_ref().map(|r| valid(r, Kind::Response));
            if let Some(response) = &response {
                assert_eq!(response["skill_id"], request["skill_id"]);
                assert_eq!(response["request_id"], request["request_id"]);
                ids.push(response["execution_id"].to_string());
            }
            (request, response)
        })
        .collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "executions have ids of their own");
    all
}

#[test]
fn calls_as_messages() {
    let mut run = notation::parse(r#"u Read1="a.txt" Bash2! Wait3? Odd4%"#).unwrap();
    run.agent.name = Some("helper".into());
    run.id = Some("s1".into());
    run.declare(Skill { version: Some("2.0.0".into()), ..Skill::of_run("Read") });
    let all = written(&run);
    assert_eq!(all.len(), 4);
    let (request, response) = &all[0];
    assert_eq!(request["caller"], json!({"id": "helper", "type": "agent"}));
    assert_eq!((&request["skill_id"], &request["skill_version"]), (&json!("Read"), &json!("2.0.0")));
    assert_eq!(request["inputs"], json!({"n": 1}));
    let response = response.as_ref().unwrap();
    assert_eq!((&response["status"], &response["output"]), (&json!("succeeded"), &json!("a.txt")));
    assert_eq!(response["execution_id"], "s1/2");
    let failed = all[1].1.as_ref().unwrap();
    assert_eq!((&failed["status"], &failed["error"]["title"]), (&json!("failed"), &json!("failed")));
    assert_eq!(request["metadata"], json!({"tool": "Read", "step": 2}));
    // Nothing came back, and nobody knows how it went.
    assert!(all[2].1.is_none());
    assert_eq!(all[3].1.as_ref().unwrap()["metadata"]["guessed"], json!(["skill_id", "status"]));
}

#[test]
fn what_a_log_does_not_say_is_named() {
    let mut run = notation::parse("A1 B2 C3 D4").unwrap();
    run.steps[0].at = None;
    for (at, raw, form) in [
        (0, "ls -l", ArgsForm::Text),
        (1, "[1,2]", ArgsForm::Json),
        (2, "{\"a\":", ArgsForm::Broken),
        (3, r#"{"a":1,"a":2}"#, ArgsForm::Json),
    ] {
        let call = run.steps[at].call.as_mut().unwrap();
        call.args.raw = raw.into();
        call.args.form = form;
    }
    let call = run.steps[0].call.as_mut().unwrap();
    call.tool = "翻譯 it".into();
    call.observation.as_mut().unwrap().at = None;
    call.duration_ms = None;
    run.steps[1].at = Some(Time { ms: 1_767_225_600_000, local: true });
    let all = written(&run);
    assert_eq!(all[0].0["inputs"], json!({"input": "ls -l"}));
    assert_eq!(all[1].0["inputs"], json!({"raw": "[1,2]"}));
    assert_eq!(all[2].0["inputs"], json!({"raw": "{\"a\":"}));
    // Readers do not agree on a key that stands twice.
    assert_eq!(all[3].0["inputs"], json!({"raw": r#"{"a":1,"a":2}"#}));
    assert_eq!(all[0].0["caller"]["id"], "anonymous");
    assert_eq!(all[0].0["skill_id"], "x%E7%BF%BB%E8%AD%AF%20it");
    assert_eq!(all[0].0["metadata"]["guessed"], json!(["caller", "inputs", "skill_id"]));
    let response = all[0].1.as_ref().unwrap();
    assert_eq!(response["timestamps"]["created_at"], "1970-01-01T00:00:00.000Z");
    assert_eq!(response["metadata"]["guessed"], json!(["skill_id", "timestamps"]));
    let guessed = &all[1].1.as_ref().unwrap()["metadata"]["guessed"];
    assert!(guessed.as_array().unwrap().contains(&json!("timezone")), "{guessed}");
}

#[test]
fn results_keep_their_shape() {
    let output = |text: &str, structured: Option<&str>| {
        let mut run = notation::parse("A1").unwrap();
        let observation = run.steps[0].call.as_mut().unwrap().observation.as_mut().unwrap();
        observation.content.text = text.into();
        observation.structured = structured.map(Into::into);
        written(&run).remove(0).1.unwrap()["output"].clone()
    };
    assert_eq!(output("plain", None), json!("plain"));
    assert_eq!(output(r#" {"a":1} "#, None), json!({"a": 1}));
    // A number in a text is a text.
    assert_eq!(output("12", None), json!("12"));
    assert_eq!(output("12", Some("[1]")), json!([1]));
    assert_eq!(output(r#"{"a":NaN}"#, None), json!(r#"{"a":NaN}"#));
    assert_eq!(output(r#"1},"evil":{"b":2"#, None), json!(r#"1},"evil":{"b":2"#));
    assert_eq!(output(r#"{"v":1},"v2":{}"#, None), json!(r#"{"v":1},"v2":{}"#));
    assert_eq!(output("", None), json!(""));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_export_validates(
        tool in "\\PC{0,8}", raw in prop_oneof!["\\PC{0,20}", Just("{}".to_owned()), Just("{\"a\":1e999}".to_owned()), Just("{\"a\":\"\\ud800\"}".to_owned())],
        text in "[\\PC\n]{0,20}", id in proptest::option::of("\\PC{0,6}"), at in proptest::option::of(any::<i64>()), back in proptest::option::of(any::<i64>()),
        took in proptest::option::of(any::<f64>()), status in 0usize..3, form in 0usize..3, agent in proptest::option::of("\\PC{0,6}"), run_id in proptest::option::of("\\PC{0,6}"),
    ) {
        let mut run = notation::parse("A1 A2 <B3>").unwrap();
        run.agent.name = agent;
        run.id = run_id;
        for step in &mut run.steps {
            step.at = at.map(|ms| Time { ms, local: ms % 2 == 0 });
            let call = step.call.as_mut().unwrap();
            call.tool = tool.as_str().into();
            call.id = id.as_deref().map(Into::into);
            call.args.raw = raw.as_str().into();
            call.args.form = [ArgsForm::Json, ArgsForm::Text, ArgsForm::Broken][form];
            call.status = [CallStatus::Ok, CallStatus::Error, CallStatus::Unknown][status];
            call.duration_ms = took;
            if let Some(observation) = &mut call.observation {
                observation.content.text = text.as_str().into();
                observation.structured = Some(raw.as_str().into());
                observation.at = back.map(|ms| Time { ms, local: false });
            }
        }
        prop_assert_eq!(written(&run).len(), 3);
        if let Some(drafted) = draft(&run, &tool) {
            let document = parse(drafted.text.as_bytes()).unwrap();
            prop_assert!(check_as(&document.doc(), Kind::Descriptor, &skill::Options::default()).iter().all(|f| f.severity != Severity::Error), "{}", drafted.text);
        }
    }
}

#[test]
fn corpus_of_runs_as_messages() {
    let Some(corpus) = common::corpus() else { return };
    let (mut runs, mut documents, mut drafts) = (0, 0, 0);
    for folder in
        ["atif", "claude-code", "codex", "openai-chat", "anthropic-messages", "openhands-v0", "swe-agent", "tau-bench"]
    {
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap().flatten().filter(|e| e.path().is_file()) {
            if entry.metadata().unwrap().len() > 4_000_000 {
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            for run in
                import_bytes(&entry.path().display().to_string(), &bytes, None).into_iter().flat_map(|i| i.runs).take(5)
            {
                runs += 1;
                documents += written(&run).into_iter().map(|(_, r)| 1 + usize::from(r.is_some())).sum::<usize>();
                let mut tools: Vec<&str> = run.steps.iter().filter_map(|s| Some(&*s.call.as_deref()?.tool)).collect();
                tools.sort_unstable();
                tools.dedup();
                for tool in tools {
                    let drafted = draft(&run, tool).unwrap();
                    let document = parse(drafted.text.as_bytes()).unwrap();
                    let skill = skill::to_skill(&document).unwrap();
                    drafts += 1;
                    // Calls that did not fail keep what was inferred from them.
                    let mut own = run.clone();
                    own.skills = vec![Skill { name: tool.to_owned(), id: tool.to_owned(), ..skill }];
                    own.steps.retain(|s| {
                        s.call.as_deref().is_some_and(|c| *c.tool == *tool && c.status != CallStatus::Error)
                    });
                    if run.skills.is_empty() {
                        let (_, broken, _) = check(&own, &[], &Options::of(&run)).counts();
                        assert_eq!(broken, 0, "{} {tool}\n{}", entry.path().display(), drafted.text);
                    }
                }
            }
        }
    }
    eprintln!("{runs} runs, {documents} messages, {drafts} drafts");
    assert!(runs > 20 && documents > 1000 && drafts > 50, "{runs} {documents} {drafts}");
}

#[test]
fn a_draft_of_a_descriptor() {
    let mut run = notation::parse("Find1 Find2 Find3! Other4").unwrap();
    let args =
        [r#"{"q":"a","limit":5,"deep":{"x":[1,2.5]}}"#, r#"{"q":"b","deep":{"x":[]},"flag":null}"#, r#"{"wrong":1}"#];
    for (step, raw) in args.iter().enumerate() {
        run.steps[step].call.as_mut().unwrap().args.raw = (*raw).into();
    }
    let drafted = draft(&run, "Find").unwrap();
    assert_eq!((drafted.calls, drafted.used), (3, 2));
    let text = valid(&drafted.text.replace(".invalid/", ".example/"), Kind::Descriptor);
    assert_eq!(text["id"], "unknown/Find");
    assert_eq!(
        text["inputs"],
        json!({"type": "object", "properties": {"q": {"type": "string"}, "limit": {"type": "integer"},
            "deep": {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "number"}}}, "required": ["x"]},
            "flag": {"type": "null"}}, "required": ["q", "deep"], "$comment": "Inferred from 2 calls"})
    );
    assert_eq!(text["output"], json!({"type": "string", "$comment": "Inferred from 2 results"}));
    assert_eq!(text["x-guessed"], json!(drafted.guessed));
    assert!(draft(&run, "nobody").is_none());
    run.declare(Skill {
        inputs: Some(r#"{"type":"object"}"#.into()),
        description: Some("Finds".into()),
        ..Skill::of_run("Find")
    });
    let drafted = draft(&run, "Find").unwrap();
    assert!(!drafted.guessed.contains(&"inputs") && !drafted.guessed.contains(&"description"));
}

const BASE: &str = r#"{"protocol":{"version":"1.0.0"},"id":"a/b","name":"B","version":"1.0.0","capability_type":"api","description":"d",
"provider":{"name":"p"},"endpoint":{"url":"https://a.example/","method":"GET"},
"inputs":{"type":"object","properties":{"a":{"type":"string","maxLength":9},"e":{"enum":["x","y"]}},"required":["a"]},
"output":{"type":"object","properties":{"r":{"type":"integer"}},"required":["r"]},"auth":{"type":"none"},"access":"public"}"#;

/// Changes one field of the base and lists what the comparison says.
#[track_caller]
fn differs(pointer: &str, new: Value, expected: &[&str]) {
    let mut after: Value = serde_json::from_str(BASE).unwrap();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let holder = after.pointer_mut(parent).unwrap();
    match (holder, new) {
        (Value::Object(object), Value::Null) => {
            object.remove(key);
        }
        (Value::Object(object), new) => {
            object.insert(key.to_owned(), new);
        }
        (other, _) => panic!("{other}"),
    }
    let (before, after) = (parse(BASE.as_bytes()).unwrap(), parse(after.to_string().as_bytes()).unwrap());
    let found = compare(before.root(), after.root());
    let lines: Vec<String> =
        found.differences.iter().map(|d| format!("{} {} {}", d.pointer, d.change.id(), d.weight.id())).collect();
    assert_eq!(lines, expected, "{pointer}");
    // The other way round something is the other way round.
    assert_eq!(compare(after.root(), before.root()).differences.len(), lines.len(), "{pointer}");
    assert_eq!(compare(after.root(), after.root()).weight(), None);
}

#[test]
fn what_a_change_means_for_callers() {
    differs("/name", json!("C"), &["/name changed note"]);
    differs("/x-new", json!(1), &["/x-new added note"]);
    differs("/id", json!("a/c"), &["/id changed breaking"]);
    differs("/protocol/version", json!("1.4.0"), &["/protocol/version changed note"]);
    differs("/protocol/version", json!("2.0.0"), &["/protocol/version changed breaking"]);
    differs("/endpoint/url", json!("https://b.example/"), &["/endpoint/url changed breaking"]);
    differs("/endpoint/timeout_ms", json!(5), &["/endpoint/timeout_ms added note"]);
    differs("/auth", json!({"type": "api_key", "in": "header", "name": "k"}), &["/auth changed breaking"]);
    differs("/access", json!("restricted"), &["/access changed breaking"]);
    // Inputs may become wider.
    differs("/inputs/properties/b", json!({}), &["/inputs/properties/b added compatible"]);
    differs("/inputs/properties/e", Value::Null, &["/inputs/properties/e removed unsure"]);
    differs("/inputs/required", json!(["a", "e"]), &["/inputs/required added breaking"]);
    differs("/inputs/required", Value::Null, &["/inputs/required removed compatible"]);
    differs("/inputs/properties/a/maxLength", json!(5), &["/inputs/properties/a/maxLength changed breaking"]);
    differs("/inputs/properties/a/maxLength", json!(50), &["/inputs/properties/a/maxLength changed compatible"]);
    differs("/inputs/properties/a/minLength", json!(1), &["/inputs/properties/a/minLength added breaking"]);
    differs("/inputs/properties/a/pattern", json!("x"), &["/inputs/properties/a/pattern added unsure"]);
    differs("/inputs/properties/a/type", json!(["string", "null"]), &["/inputs/properties/a/type changed compatible"]);
    differs("/inputs/properties/a/type", json!("integer"), &["/inputs/properties/a/type changed breaking"]);
    differs("/inputs/properties/e/enum", json!(["x"]), &["/inputs/properties/e/enum removed breaking"]);
    differs("/inputs/properties/e/enum", json!(["x", "y", "z"]), &["/inputs/properties/e/enum added compatible"]);
    differs("/inputs/additionalProperties", json!(false), &["/inputs/additionalProperties added breaking"]);
    differs("/inputs/properties/a/description", json!("t"), &["/inputs/properties/a/description added note"]);
    // Outputs may become narrower.
    differs("/output/properties/s", json!({}), &["/output/properties/s added compatible"]);
    differs("/output/properties/r", Value::Null, &["/output/properties/r removed breaking"]);
    differs("/output/properties/r/type", json!("number"), &["/output/properties/r/type changed breaking"]);
    differs("/output/required", json!([]), &["/output/required removed breaking"]);
    differs("/output", json!({}), &["/output changed breaking"]);
    let (a, b) = (
        parse(BASE.as_bytes()).unwrap(),
        parse(BASE.replace("\"d\"", "\"e\"").replace("\"GET\"", "\"PUT\"").as_bytes()).unwrap(),
    );
    assert_eq!(compare(a.root(), b.root()).weight(), Some(Weight::Breaking));
}
