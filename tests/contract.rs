//! Calls of runs against skills: every verdict has a row in a table here, the corpus has its figures, and a large run its
//! time. Notation of the tables: a skill is its definition as a tool, a call its arguments, a verdict one line of words.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::time::Instant;

use proptest::prelude::*;

use skillscope::contract::{self, Caller, Contract, Fault, Options, State};
use skillscope::engine::Workbench;
use skillscope::import::import_bytes;
use skillscope::model::{
    Access, Args, ArgsForm, Call, CallStatus, Content, Finding, Observation, Run, Skill, SkillSource, Span, Step,
    StepKind,
};
use skillscope::protocol::{Job, Outcome};

/// A call in the making.
#[derive(Clone)]
struct Made {
    tool: &'static str,
    args: String,
    form: ArgsForm,
    result: Option<String>,
    structured: Option<String>,
    status: CallStatus,
}

fn call(tool: &'static str, args: &str) -> Made {
    Made {
        tool,
        args: args.to_owned(),
        form: ArgsForm::Json,
        result: Some("ok".into()),
        structured: None,
        status: CallStatus::Ok,
    }
}

impl Made {
    fn gives(self, text: &str) -> Self {
        Self { result: Some(text.to_owned()), ..self }
    }
    fn structured(self, text: &str) -> Self {
        Self { structured: Some(text.to_owned()), ..self }
    }
    fn step(&self) -> Step {
        let observation = self.result.as_ref().map(|text| Observation {
            content: Content::text(text.as_str()),
            structured: self.structured.as_deref().map(Into::into),
            ..Observation::default()
        });
        Step {
            kind: StepKind::Action,
            lane: 0,
            turn: None,
            batch: None,
            at: None,
            content: Content::default(),
            call: Some(Box::new(Call {
                id: None,
                tool: self.tool.into(),
                args: Args { raw: self.args.as_str().into(), form: self.form },
                observation,
                status: self.status,
                duration_ms: None,
                spawn: None,
            })),
            name: None,
            label: None,
            is_error: false,
            span: Span { line: 7, ..Span::default() },
        }
    }
}

fn skill(id: &str, inputs: &str, output: &str) -> Skill {
    let schema = |text: &str| (!text.is_empty()).then(|| std::sync::Arc::from(text));
    Skill { inputs: schema(inputs), output: schema(output), ..Skill::of_run(id) }
}

fn loaded(id: &str, inputs: &str, access: Access, protocol: &str) -> Skill {
    let name = id.rsplit('/').next().unwrap_or(id).to_owned();
    let protocol = Some(protocol.to_owned());
    let source = SkillSource::Document;
    Skill { name, access: Some(access), protocol, source, ..skill(id, inputs, "") }
}

fn run_of(own: &[Skill], calls: &[Made]) -> Run {
    let mut run = Run { steps: calls.iter().map(Made::step).collect(), ..Run::default() };
    own.iter().for_each(|s| run.declare(s.clone()));
    run
}

/// One call's verdict in words: state, rule that matched, faults, reasons for what was not checked, hints.
fn words(contract: &Contract) -> String {
    let verdict = &contract.verdicts[0];
    let mut out = verdict.state().id().to_owned();
    if let Some(matched) = verdict.matched {
        out.push_str(&format!(" by {}", matched.id()));
    }
    for fault in &verdict.faults {
        out.push_str("; ");
        out.push_str(contract::rule_of(fault).trim_start_matches("contract-"));
        match fault {
            Fault::Undeclared { near } => out.push_str(&near.as_ref().map_or(String::new(), |n| format!(" {n}"))),
            Fault::Input { breach, near, .. } => {
                out.push_str(&format!(" {} {}", breach.pointer, breach.keyword));
                out.push_str(&near.as_ref().map_or(String::new(), |n| format!(" near {n}")));
            }
            Fault::Output { breach } => out.push_str(&format!(" {} {}", breach.pointer, breach.keyword)),
            Fault::Access { access } => out.push_str(&format!(" {}", access.word())),
            Fault::Protocol { version } => out.push_str(&format!(" {version}")),
        }
    }
    for why in &verdict.unchecked {
        out.push_str(&format!("; {}?", why.id()));
    }
    for hint in &verdict.hints {
        out.push_str(&format!("; {} perhaps {}", hint.pointer, hint.near));
    }
    out
}

#[track_caller]
fn verdict(own: &[Skill], others: &[Skill], made: &Made, expected: &str) {
    let run = run_of(own, std::slice::from_ref(made));
    let found = contract::check(&run, others, &Options::of(&run));
    assert_eq!(words(&found), expected, "{} {}", made.tool, made.args);
}

const PATH: &str = r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}"#;
const OPEN: &str =
    r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},"required":["path"]}"#;
const ROWS: &str =
    r#"{"type":"object","properties":{"rows":{"type":"array","items":{"type":"integer"}}},"required":["rows"]}"#;

#[test]
fn names() {
    let own = [skill("read", PATH, ""), skill("write_file", OPEN, "")];
    let ok = r#"{"path":"a"}"#;
    verdict(&own, &[], &call("read", ok), "kept by id");
    verdict(&own, &[], &call("functions.read", ok), "kept by prefix");
    verdict(&own, &[], &call("reed", ok), "broken; misnamed read");
    verdict(&own, &[], &call("writeFile", ok), "broken; misnamed write_file");
    verdict(&own, &[], &call("weather", ok), "broken; undeclared");
    // Nobody promised anything of what no document is about.
    let documents = [loaded("io.github.files/read", PATH, Access::Public, "1.0.0")];
    verdict(&[], &documents, &call("weather", ok), "unchecked; no-skill?");
    verdict(&[], &[], &call("read", ok), "unchecked; no-skill?");
    verdict(&[], &documents, &call("read", ok), "kept by name");
    verdict(&[], &documents, &call("mcp__files__read", ok), "kept by prefix");
    // The server is here and has no such tool.
    verdict(&[], &documents, &call("mcp__files__remove", ok), "broken; undeclared");
    verdict(&[], &documents, &call("Read", ok), "broken; misnamed read");
}

#[test]
fn a_list_that_is_not_whole_makes_no_call_undeclared() {
    let mut run = run_of(&[skill("read", PATH, "")], &[call("exec", "{}")]);
    run.skills_partial = true;
    assert_eq!(words(&contract::check(&run, &[], &Options::of(&run))), "unchecked; no-skill?");
}

#[test]
fn inputs() {
    let own = [skill("read", PATH, ""), skill("open", OPEN, ""), skill("bare", "", "")];
    verdict(&own, &[], &call("read", r#"{"path":"a","limit":2}"#), "kept by id");
    verdict(&own, &[], &call("read", "{}"), "broken by id; missing /path required");
    verdict(&own, &[], &call("read", ""), "broken by id; missing /path required");
    verdict(&own, &[], &call("read", r#"{"path":1}"#), "broken by id; input /path type");
    verdict(&own, &[], &call("read", r#"{"path":"a","limit":0}"#), "broken by id; input /limit minimum");
    verdict(
        &own,
        &[],
        &call("read", r#"{"path":"a","limt":1}"#),
        "broken by id; unknown /limt additionalProperties near limit",
    );
    verdict(&own, &[], &call("read", r#"{"path":"a","q/x":1}"#), "broken by id; unknown /q~1x additionalProperties");
    verdict(&own, &[], &call("read", "[]"), "broken by id; input  type");
    // A schema that is open lets a slip through; it is told, and nothing is broken.
    verdict(&own, &[], &call("open", r#"{"path":"a","Limit":1}"#), "kept by id; /Limit perhaps limit");
    verdict(&own, &[], &call("open", r#"{"path":"a","weather":1}"#), "kept by id");
    verdict(&own, &[], &call("open", r#"{"path":"a","paths":1,"limit":1}"#), "kept by id");
}

#[test]
fn what_cannot_be_checked_is_not_a_pass() {
    let own = [
        skill("read", PATH, ""),
        skill("bare", "", ""),
        skill("wrong", r#"{"type":"objekt"}"#, ""),
        skill("far", r#"{"$ref":"https://example.com/schema.json"}"#, ""),
        skill("slow", r#"{"properties":{"a":{"pattern":"^(a|aa)+\\1$"}}}"#, ""),
    ];
    verdict(&own, &[], &call("bare", "{}"), "unchecked by id; no-schema?");
    verdict(&own, &[], &call("wrong", "{}"), "unchecked by id; schema-unusable?");
    verdict(&own, &[], &call("far", "{}"), "unchecked by id; schema-unusable?");
    let long = format!(r#"{{"a":"{}b"}}"#, "a".repeat(60));
    verdict(&own, &[], &call("slow", &long), "unchecked by id; too-slow?");
    for (form, args) in [(ArgsForm::Broken, r#"{"path":"#), (ArgsForm::Text, "ls"), (ArgsForm::Json, "{nope")] {
        verdict(&own, &[], &Made { form, ..call("read", args) }, "unchecked by id; args-not-json?");
    }
    let huge = format!(r#"{{"path":"{}"}}"#, "x".repeat(5 << 20));
    verdict(&own, &[], &call("read", &huge), "unchecked by id; too-large?");
}

#[test]
fn outputs() {
    let own = [skill("rows", "{}", ROWS), skill("text", r#"{"type":"object"}"#, r#"{"type":"string","minLength":3}"#)];
    let own: Vec<Skill> =
        own.into_iter().map(|s| Skill { inputs: Some("{\"type\":\"object\"}".into()), ..s }).collect();
    let rows = call("rows", "{}");
    verdict(&own, &[], &rows.clone().gives(r#"{"rows":[1]}"#), "kept by id");
    verdict(&own, &[], &rows.clone().gives(r#"{"rows":["x"]}"#), "broken by id; output /rows/0 type");
    verdict(&own, &[], &rows.clone().gives("{}"), "broken by id; output /rows required");
    verdict(&own, &[], &rows.clone().gives("3 rows"), "unchecked by id; result-not-json?");
    verdict(&own, &[], &Made { result: None, ..rows.clone() }, "unchecked by id; no-result?");
    // What failed owes nothing.
    verdict(&own, &[], &Made { status: CallStatus::Error, ..rows.clone().gives("no such table") }, "kept by id");
    // Structured content counts before text.
    verdict(&own, &[], &rows.clone().gives("3 rows").structured(r#"{"rows":[1]}"#), "kept by id");
    let mcp = r#"{"content":[],"structuredContent":{"rows":[1.5]}}"#;
    verdict(&own, &[], &rows.gives("3 rows").structured(mcp), "broken by id; output /rows/0 type");
    verdict(&own, &[], &call("text", "{}").gives("fine"), "kept by id");
    verdict(&own, &[], &call("text", "{}").gives("no"), "unchecked by id; result-not-json?");
}

#[test]
fn access_and_protocol() {
    let skills = |access, protocol| [loaded("com.example/read", PATH, access, protocol)];
    let ok = call("read", r#"{"path":"a"}"#);
    verdict(&[], &skills(Access::Public, "1.0.0"), &ok, "kept by name");
    verdict(&[], &skills(Access::Restricted, "1.0.0"), &ok, "broken by name; access restricted");
    verdict(&[], &skills(Access::Private, "1.0.0"), &ok, "broken by name; access private");
    verdict(&[], &skills(Access::Public, "1.99.3"), &ok, "kept by name");
    verdict(&[], &skills(Access::Public, "0.9.0"), &ok, "kept by name");
    // What is not understood is not checked any further.
    let wrong = call("read", "{}");
    verdict(&[], &skills(Access::Private, "2.0.0"), &wrong, "broken by name; protocol 2.0.0; protocol?");
    let huge = "99999999999999999999999999.0.0";
    verdict(&[], &skills(Access::Public, huge), &ok, &format!("broken by name; protocol {huge}; protocol?"));
    let named = |mut run: Run| {
        run.agent.name = Some("helper".into());
        run
    };
    let run = named(run_of(&[], &[ok]));
    assert_eq!(Options::of(&run).caller, Caller::Known);
    let found = contract::check(&run, &skills(Access::Private, "1.0.0"), &Options::of(&run));
    assert_eq!(words(&found), "kept by name");
}

#[test]
fn two_descriptions_of_one_tool_are_both_kept() {
    let own = [skill("read", r#"{"type":"object","required":["path"]}"#, "")];
    let documents = [loaded("com.example/read", PATH, Access::Public, "1.0.0")];
    verdict(&own, &documents, &call("read", "{}"), "broken by name; missing /path required");
    verdict(&own, &documents, &call("read", r#"{"path":1}"#), "broken by name; input /path type");
    // A list of names leaves the schema to the document.
    verdict(&[skill("read", "", "")], &documents, &call("read", r#"{"path":"a"}"#), "kept by name");
    // Of two schemas of one name the call needs to suit one.
    let changed = [skill("read", r#"{"required":["old"]}"#, ""), skill("read", r#"{"required":["new"]}"#, "")];
    verdict(&changed, &[], &call("read", r#"{"new":1}"#), "kept by id");
    verdict(&changed, &[], &call("read", r#"{"old":1}"#), "kept by id");
    verdict(&changed, &[], &call("read", "{}"), "broken by id; missing /old required");
}

#[test]
fn tallies_count_every_skill() {
    let own = [skill("read", PATH, ""), skill("bare", "", ""), skill("idle", "", "")];
    let failed = Made { status: CallStatus::Error, ..call("read", r#"{"path":"a"}"#) };
    let calls = [call("read", "{}"), failed, call("bare", "{}"), call("gone", "{}")];
    let run = run_of(&own, &calls);
    let found = contract::check(&run, &[], &Options::of(&run));
    let tallies: Vec<_> = found.tallies.iter().map(|t| (t.calls, t.broken, t.unchecked, t.failed)).collect();
    assert_eq!(tallies, [(2, 1, 0, 1), (1, 0, 1, 0), (0, 0, 0, 0)]);
    assert_eq!(found.counts(), (1, 2, 1));
    assert_eq!(found.unused(&run).map(|s| s.name.as_str()).collect::<Vec<_>>(), ["idle"]);
    assert_eq!(found.at(3).unwrap().state(), State::Broken);
    let told: Vec<_> = contract::findings(0, &run, &found, &["f.json".into()])
        .into_iter()
        .map(|f| (f.rule, f.step, f.place.line))
        .collect();
    let expected = [
        ("contract-missing", Some(0), Some(7)),
        ("contract-undeclared", Some(3), Some(7)),
        ("contract-unchecked", None, None),
        ("contract-unused", None, None),
    ];
    assert_eq!(told, expected.map(|(r, s, l)| (r.to_owned(), s, l)));
}

/// Opens a text as a file and returns the answer to the contract's job with the run's findings.
fn opened(bench: &mut Workbench, text: &str) -> (skillscope::report::ContractReport, Vec<Finding>) {
    let mut quiet = |_| {};
    bench.handle(Job::Open { file: 1, name: "run.json".into(), size: 0, format: None }, None, &mut quiet);
    bench.handle(Job::Chunk { file: 1 }, Some(text.as_bytes()), &mut quiet);
    bench.handle(Job::Finish { file: 1 }, None, &mut quiet);
    bench.handle(Job::Assemble { files: vec![1] }, None, &mut quiet);
    asked(bench)
}

fn asked(bench: &mut Workbench) -> (skillscope::report::ContractReport, Vec<Finding>) {
    let document = bench.documents().next().unwrap().id;
    let Outcome::Contract { contract } = bench.handle(Job::Contract { document, run: 0 }, None, &mut |_| {}) else {
        panic!("no contract")
    };
    let Outcome::Findings { findings } = bench.handle(Job::Findings { document, run: 0 }, None, &mut |_| {}) else {
        panic!("no findings")
    };
    (*contract, findings.findings)
}

const RUN: &str = r#"{"messages":[{"role":"user","content":"hi"},
 {"role":"assistant","content":null,"tool_calls":[
  {"id":"1","type":"function","function":{"name":"read","arguments":"{\"pth\":\"a\"}"}},
  {"id":"2","type":"function","function":{"name":"search","arguments":"{\"q\":\"a\"}"}}]},
 {"role":"tool","tool_call_id":"1","content":"text"},{"role":"tool","tool_call_id":"2","content":"none"}],
 "tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}}}]}"#;

#[test]
fn the_engine_holds_open_runs_to_the_skills_that_are_open() {
    let mut bench = Workbench::new();
    let (report, findings) = opened(&mut bench, RUN);
    assert_eq!((report.calls, report.kept, report.broken, report.unchecked), (2, 0, 2, 0));
    assert!(report.whole);
    let rules = |findings: &[Finding]| {
        findings.iter().filter(|f| f.rule.starts_with("contract-")).map(|f| f.rule.clone()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&findings), ["contract-unknown", "contract-undeclared"]);
    let unknown = findings.iter().find(|f| f.rule == "contract-unknown").unwrap();
    assert_eq!(report.verdicts[0].faults[0].near.as_deref(), Some("path"));
    assert!(unknown.args.contains(&("names".into(), "path".into())), "{:?}", unknown.args);
    // A descriptor of the second tool comes in, and goes again.
    let document = loaded("com.example/search", r#"{"type":"object","required":["q"]}"#, Access::Restricted, "1.0.0");
    assert_eq!(bench.set_skills(vec![document.clone()]).len(), 1);
    assert_eq!(bench.set_skills(vec![document]).len(), 0);
    let (report, findings) = asked(&mut bench);
    assert_eq!((report.broken, report.skills.len()), (2, 2));
    assert_eq!(rules(&findings), ["contract-unknown", "contract-access"]);
    assert_eq!(bench.set_skills(Vec::new()).len(), 1);
    assert_eq!(rules(&asked(&mut bench).1), ["contract-unknown", "contract-undeclared"]);
}

#[test]
fn a_hundred_thousand_calls() {
    let own = [skill("read", PATH, ROWS), skill("open", OPEN, "")];
    let calls: Vec<Made> = (0..100_000)
        .map(|i| match i % 4 {
            0 => call("read", r#"{"path":"a","limt":1}"#).gives(r#"{"rows":[1,2,3]}"#),
            1 => call("open", r#"{"path":"a","limit":5}"#),
            2 => call("gone", "{}"),
            _ => call("read", r#"{"path":"some/where","limit":9}"#).gives(r#"{"rows":["x"]}"#),
        })
        .collect();
    let run = run_of(&own, &calls);
    let start = Instant::now();
    let found = contract::check(&run, &[], &Options::of(&run));
    let told = contract::findings(0, &run, &found, &[]);
    let took = start.elapsed();
    eprintln!("100,000 calls: {took:?}");
    assert_eq!(found.counts(), (25_000, 75_000, 0));
    assert_eq!(told.iter().filter(|f| f.rule == "contract-undeclared").count(), 1000);
    // A figure for gross mistakes (a schema compiled for every call), not for speed.
    assert!(took.as_secs() < 60, "{took:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever stands in a run and a skill: one verdict a call, tallies that agree, and nothing panics.
    #[test]
    fn any_text_gets_a_verdict(
        schema in prop_oneof!["[\\PC]{0,40}", Just(PATH.to_owned()), Just("true".into()), Just("{\"$ref\":\"#\"}".into())],
        args in prop_oneof!["[\\PC]{0,40}", "\\{\"path\":[\\PC]{0,10}\\}", Just("{\"path\":1e999}".to_owned())],
        text in "[\\PC]{0,40}",
        name in "[a-z_/.:]{0,8}",
    ) {
        let own = [skill(&name, &schema, &schema), skill("read", PATH, "")];
        let calls = [call("read", &args).gives(&text), call("mcp__a__read", &args), call("a/b.c", &args)];
        let run = run_of(&own, &calls);
        let found = contract::check(&run, &[], &Options::of(&run));
        prop_assert_eq!(found.verdicts.len(), 3);
        let (kept, broken, unchecked) = found.counts();
        prop_assert_eq!(kept + broken + unchecked, 3);
        for finding in contract::findings(0, &run, &found, &[]) {
            prop_assert!(skillscope::model::rule(&finding.rule).is_some());
        }
    }
}

/// Figures of real runs that declare their tools: skills, calls, kept, broken, unchecked. Looked through by hand.
#[test]
fn corpus_of_runs_that_declare_tools() {
    let Some(corpus) = common::corpus() else { return };
    let mut seen = Vec::new();
    for (path, expected) in CORPUS {
        let bytes = std::fs::read(corpus.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        let run = import_bytes(path, &bytes, None).into_iter().flat_map(|i| i.runs).next().unwrap();
        let found = contract::check(&run, &[], &Options::of(&run));
        let (kept, broken, unchecked) = found.counts();
        let figures = [run.skills.len() as u32, run.calls() as u32, kept, broken, unchecked];
        if figures != *expected {
            seen.push(format!("{path}: {figures:?}, expected {expected:?}"));
            for f in contract::findings(0, &run, &found, &[]).iter().take(12) {
                seen.push(format!("  {:?} {} {:?}", f.step, f.rule, f.args));
            }
        }
    }
    assert!(seen.is_empty(), "\n{}", seen.join("\n"));
}

const CORPUS: &[(&str, [u32; 5])] = &[
    ("atif/openhands.hello-world.trajectory.json", [6, 2, 2, 0, 0]),
    ("atif/agentpile.atif_multiagent.json", [3, 3, 2, 0, 1]),
    ("openai-chat/finetune.tools.jsonl", [1, 2, 2, 0, 0]),
    ("openhands-v0/harbor-rfc.openhands_trajectory.json", [6, 2, 2, 0, 0]),
    ("openhands-v0/multi_swe_bench.output.jsonl", [4, 22, 22, 0, 0]),
    ("litellm-log/openhands.claude-sonnet-4.llm-log.json", [3, 6, 6, 0, 0]),
    ("litellm-log/openhands.deepseek-nonfncall.llm-log.json", [3, 4, 4, 0, 0]),
    ("mcp/gen.mcp.session.raw.jsonl", [2, 5, 2, 0, 3]),
    ("mcp/gen.mcp.session.wrapped.jsonl", [2, 5, 2, 0, 3]),
    ("har/anthropic-multiturn.har", [1, 1, 1, 0, 0]),
    ("har/openai-chat.har", [1, 1, 0, 0, 1]),
    ("inspect/2025-05-12T20-27-36-04-00_browser.json", [8, 4, 4, 0, 0]),
    ("copilot-chat/spec.chatreplay.json", [69, 2, 2, 0, 0]),
    ("otlp/pydantic_ai_2.58.0.json", [2, 2, 2, 0, 0]),
    ("otlp/openai_agents_0.24.0_oi_2.5.3_as_tool.json", [1, 1, 1, 0, 0]),
    ("sharegpt/glaive_toolcall_zh_demo.json", [2, 1, 1, 0, 0]),
    ("claude-code-stream/atifmake.claude-code-stream.jsonl", [1, 3, 0, 0, 3]),
];

/// The tools of a file's first run: names, with `*` behind those that have a schema.
fn tools_of(name: &str, text: &str) -> String {
    let run = import_bytes(name, text.as_bytes(), None).into_iter().flat_map(|i| i.runs).next().expect("a run");
    let mark = |s: &Skill| format!("{}{}", s.name, if s.inputs.is_some() { "*" } else { "" });
    run.skills.iter().map(mark).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_format_keeps_the_tools_that_it_declares() {
    let check = |text: &str, expected: &str| assert_eq!(tools_of("x.jsonl", text), expected, "{text}");
    let function = r#"{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}"#;
    check(
        &format!(
            r#"{{"schema_version":"ATIF-v1.7","agent":{{"name":"a","version":"1","tool_definitions":[{function}]}},"steps":[{{"step_id":1,"source":"user","message":"x"}}],
            "subagent_trajectories":[{{"schema_version":"ATIF-v1.7","trajectory_id":"t","agent":{{"name":"b","version":"1","tool_definitions":[{{"name":"g","input_schema":{{"type":"object"}}}}]}},"steps":[]}}]}}"#
        ),
        "f* g*",
    );
    let chat = |head: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":"x"}},{{"role":"assistant","content":"y"}}],{head}}}"#)
    };
    check(&chat(&format!(r#""tools":[{function}]"#)), "f*");
    check(&chat(r#""functions":[{"name":"old","parameters":{"type":"object"}}]"#), "old*");
    check(&chat(&format!(r#""tools":null,"kwargs":{{"tools":[{function}]}}"#)), "f*");
    check(&chat(r#""tools":"[{\"name\":\"s\",\"parameters\":{\"type\":\"object\"}}]""#), "s*");
    check(
        r#"{"model":"m","max_tokens":5,"system":"s","tools":[{"name":"w","input_schema":{"type":"object"}},{"type":"bash_20250124","name":"bash"}],"messages":[{"role":"user","content":"x"}]}"#,
        "w* bash",
    );
    check(
        "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\",\"model\":\"m\",\"tools\":[\"Bash\",\"mcp__a__b\"]}\n{\"type\":\"assistant\",\"session_id\":\"s\",\"message\":{\"id\":\"m1\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}}",
        "Bash mcp__a__b",
    );
    check(
        "{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"t\",\"cwd\":\"/w\",\"cli_version\":\"1\",\"dynamic_tools\":[{\"name\":\"d\",\"description\":\"\",\"inputSchema\":{\"type\":\"object\"}}]}}\n{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"x\"}]}}",
        "d*",
    );
    check(
        &format!(
            r#"[{{"id":0,"source":"agent","timestamp":"2026-01-01T00:00:00","action":"system","args":{{"content":"s","tools":[{function}],"openhands_version":"0.5"}}}},{{"id":1,"source":"user","timestamp":"2026-01-01T00:00:00","action":"message","args":{{"content":"x"}}}}]"#
        ),
        "f*",
    );
    check(
        &format!(
            r#"[{{"id":"a","kind":"SystemPromptEvent","source":"agent","timestamp":"2026-01-01T00:00:00","system_prompt":{{"type":"text","text":"s"}},"tools":[{function}]}},{{"id":"b","kind":"MessageEvent","source":"user","timestamp":"2026-01-01T00:00:00","llm_message":{{"role":"user","content":[{{"type":"text","text":"x"}}]}}}}]"#
        ),
        "f*",
    );
}
