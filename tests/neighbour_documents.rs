//! Neighbours in the workbench, as the page drives it: a dropped card, list or SKILL.md becomes a document of descriptors,
//! open runs are held to it, and what goes out is what the command line writes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use skillscope::engine::Workbench;
use skillscope::protocol::{Job, Outcome, from_json};
use skillscope::report::DocumentSummary;
use skillscope::report::skill::CheckOptions;

/// Drops files together; the documents that are told.
fn drop(bench: &mut Workbench, from: u32, files: &[(&str, &str)]) -> Vec<DocumentSummary> {
    let mut quiet = |_| {};
    let mut ids = Vec::new();
    for (i, (name, text)) in files.iter().enumerate() {
        let file = from + i as u32;
        bench.handle(Job::Open { file, name: (*name).into(), size: text.len() as u64, format: None }, None, &mut quiet);
        bench.handle(Job::Chunk { file }, Some(text.as_bytes()), &mut quiet);
        bench.handle(Job::Finish { file }, None, &mut quiet);
        ids.push(file);
    }
    match bench.handle(Job::Assemble { files: ids }, None, &mut quiet) {
        Outcome::Documents { documents, .. } => documents,
        other => panic!("{other:?}"),
    }
}

/// Asks, and reads the answer as the page does.
#[track_caller]
fn ask(bench: &mut Workbench, job: Job) -> Outcome {
    let outcome = bench.handle(job, None, &mut |_| {});
    let text = serde_json::to_string(&outcome).unwrap();
    assert_eq!(from_json::<Outcome>(&text).as_ref(), Some(&outcome), "{text}");
    outcome
}

const TOOLS: &str = r#"{"tools":[{"name":"read","description":"Reads","inputSchema":{"type":"object","required":["path"]}},{"name":"write","description":"Writes","inputSchema":{"type":"object"}}]}"#;
const SERVER: &str = r#"{"name":"io.github.user/files","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://a.example/mcp"}]}"#;
const SKILL: &str = "---\nname: lint\ndescription: Lints\n---\nText\n";
const RUN: &str = r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"mcp__files__read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"y"}]}"#;

#[test]
fn dropped_neighbours_are_documents() {
    let mut bench = Workbench::new();
    let files = [
        ("a/tools.json", TOOLS),
        ("a/server.json", SERVER),
        ("a/lint/SKILL.md", SKILL),
        ("a/old.json", r#"{"swagger":"2.0","paths":{}}"#),
    ];
    let documents = drop(&mut bench, 1, &files);
    let mut told: Vec<_> = documents
        .iter()
        .map(|d| (d.name.as_str(), d.format_label.as_deref(), d.skills.as_ref().map(|s| s.descriptors)))
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            ("a/lint/SKILL.md", Some("SKILL.md"), Some(1)),
            ("a/old.json", None, None),
            ("a/tools.json", Some("MCP tools/list"), Some(2)),
        ]
    );
    // What could not be read says why.
    let old = documents.iter().find(|d| d.name == "a/old.json").unwrap();
    assert_eq!(old.reports[0].notes[0].id, "neighbour.refused.openapi-version");
    let tools = documents.iter().find(|d| d.name == "a/tools.json").unwrap();
    assert!(tools.reports[0].refused.is_none());
    assert!(tools.reports[0].notes.iter().any(|n| n.id == "neighbour.note.output-undeclared"));
    let options = CheckOptions::default();
    let Outcome::Members { members, total, .. } =
        ask(&mut bench, Job::Members { document: tools.id, options: options.clone(), from: 0, count: 9 })
    else {
        panic!()
    };
    assert_eq!(
        (total, members[0].id.as_deref(), members[0].status.as_str()),
        (2, Some("io.github.user/files/read"), "pass")
    );
    let Outcome::Skill { skill } = ask(&mut bench, Job::Skill { document: tools.id, member: 1, options }) else {
        panic!()
    };
    assert_eq!((skill.title.as_str(), skill.core.errors), ("write", 0));
    let Outcome::Neighbour { neighbour: Some(view) } = ask(&mut bench, Job::Neighbour { document: tools.id }) else {
        panic!()
    };
    assert_eq!((view.neighbour.as_str(), view.made), ("mcp-tools", 2));
    assert!(view.notes.iter().any(|n| n.kind == "guess" && n.member == Some(1)));
}

#[test]
fn open_runs_are_held_to_dropped_neighbours() {
    let mut bench = Workbench::new();
    let run = drop(&mut bench, 1, &[("run.json", RUN)]).remove(0);
    let contract = |bench: &mut Workbench| match ask(bench, Job::Contract { document: run.id, run: 0 }) {
        Outcome::Contract { contract } => contract,
        other => panic!("{other:?}"),
    };
    assert_eq!(contract(&mut bench).unchecked, 1);
    let told = drop(&mut bench, 2, &[("a/tools.json", TOOLS), ("a/server.json", SERVER)]);
    assert_eq!(told.len(), 2, "the run has other findings now");
    let found = contract(&mut bench);
    assert_eq!((found.broken, found.verdicts[0].matched.as_deref()), (1, Some("prefix")));
    assert_eq!(found.verdicts[0].faults[0].rule, "contract-missing");
    // The messages carry the skill's id.
    let Outcome::File { file } = ask(&mut bench, Job::Invocations { document: run.id, run: 0 }) else { panic!() };
    let messages: Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(messages[0]["skill_id"], "io.github.user/files/read");
    assert_eq!((messages[1]["status"].as_str(), file.name.as_str()), (Some("succeeded"), "run.invocations.json"));
    let draft = |tool: &str| Job::DraftSkill { document: run.id, run: 0, tool: tool.into() };
    let Outcome::File { file } = ask(&mut bench, draft("mcp__files__read")) else { panic!() };
    let drafted: Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(drafted["id"], "unknown/mcp__files__read");
    let Outcome::Fault { id, .. } = ask(&mut bench, draft("nothing")) else { panic!() };
    assert_eq!(id, "fault.no-call");
}

#[test]
fn skills_go_out_and_are_compared() {
    let mut bench = Workbench::new();
    let tools = drop(&mut bench, 1, &[("tools.json", TOOLS)]).remove(0);
    let export = |format: &str| Job::ExportSkills { document: tools.id, format: format.into() };
    let Outcome::ExportedSkills { file, notes } = ask(&mut bench, export("mcp")) else { panic!() };
    let written: Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(written, serde_json::from_str::<Value>(TOOLS).unwrap());
    assert_eq!((file.name.as_str(), notes[0].kind.as_str(), notes[0].member), ("tools.tools.json", "loss", Some(0)));
    let Outcome::ExportedSkills { file, .. } = ask(&mut bench, export("a2a")) else { panic!() };
    let card: Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(card["skills"][1]["id"], "write");
    let at = |member| (tools.id, member);
    let Outcome::SkillDifferences { differences } =
        ask(&mut bench, Job::SkillDifferences { before: at(1), after: at(0) })
    else {
        panic!()
    };
    assert_eq!(differences.weight.as_deref(), Some("breaking"));
    assert!(differences.differences.iter().any(|d| d.pointer == "/inputs/required" && d.weight == "breaking"));
    let Outcome::SkillDifferences { differences } =
        ask(&mut bench, Job::SkillDifferences { before: at(1), after: at(1) })
    else {
        panic!()
    };
    assert_eq!((differences.weight, differences.differences.len()), (None, 0));
    let Outcome::Fault { .. } = ask(&mut bench, Job::SkillDifferences { before: at(0), after: at(9) }) else {
        panic!()
    };
}
