//! OpenHands: fixtures of ours, written after the formats; what they should give was written by hand.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::Write;
use std::path::Path;

use common::{check_import, fixture, import_one, lines};
use skillscope::import::{import_bytes, join_event_files};

#[test]
fn a_trajectory_pairs_by_cause_and_counts_each_answer_once() {
    let import = check_import(
        "openhands-v0",
        "openhands-v0/trajectory.json",
        r##"
        run "Fix it" by OpenHands 0.58.0 with m-1
        system You are OpenHands.
        person Fix it. Please. +image/png
        injected (recall) Added workspace context⏎⏎Use tabs.⏎⏎Commit often.
        thought Look around.
        [1] execute_bash {"command": "ls"} => ok a.txt (exit 0)
        [1] str_replace_editor {"command": "view", "path": "a"} => error ERROR:⏎no such file
        thought Hm.
        notice! (error) Missing required parameters
        run {"command":"make"} => error boom (exit 2)
        delegate {"agent":"BrowsingAgent","inputs":{"task": "look"}} => ok found it spawns 1
        1> browse {"url": "http://x"} => ok page
        run {"command":"sleep 99"} => unknown [no output yet]
        say All fixed.
        finish {"message": "All fixed."}
        raw (dance) {"id": 22, "timestamp": "2025-10-10T06:10:20.000000", "source": "agent", "message": "", "action": "dance", "args": {}}
        raw (no action) {"id": 23, "timestamp": "2025-10-10T06:10:20.000000", "source": "agent", "message": "odd"}
        outcome finished finish
        usage in 600 out 60 cached 40 written 0 reasoning 5 cost ~0.05
        "##,
    );
    let report = &import.report;
    assert_eq!((report.records, report.understood), (24, 22));
    assert_eq!(report.repairs.iter().map(|r| (r.kind.as_str(), r.count)).collect::<Vec<_>>(), [("repeated-record", 1)]);
    let unknown: Vec<_> = report.unknown.iter().map(|(k, n)| (k.as_str(), *n)).collect();
    assert_eq!(unknown, [("dance", 1), ("no action", 1)]);
    let run = &import.runs[0];
    // r1 as its own usage says; r2 too; what no response states is what the sums grew by.
    let turns: Vec<_> = run.turns.iter().map(|t| (t.id.as_deref(), t.usage.input, t.usage.cached)).collect();
    assert_eq!(
        turns,
        [
            (Some("r1"), Some(100), Some(40)),
            (Some("r2"), Some(200), Some(0)),
            (None, Some(300), Some(0)),
            (Some("r3"), None, None)
        ]
    );
    // The observation that came first belongs to the second call.
    let places: Vec<_> =
        run.steps.iter().filter_map(|s| s.observation()).map(|o| (o.span.line, o.span.pointer.as_ref())).collect();
    assert_eq!(places[..2], [(9, "/7"), (8, "/6")]);
}

#[test]
fn every_evaluation_row_is_a_run() {
    let import = check_import(
        "openhands-v0",
        "openhands-v0/output.jsonl",
        r#"
        run proj__1 "proj__1" by OpenHands with m-2
        person Fix it. Please. +image/png
        run {"command":"make"} => error boom (exit 2)
        notice! (error) RuntimeError: Agent reached maximum iteration in headless mode. Current iteration: 5, max iteration: 5
        outcome limit RuntimeError: Agent reached maximum iteration in headless mode. Current iteration: 5, max iteration: 5
        usage in 700 out 70 cached 40 written 0 cost ~0.5
        run proj__2 "proj__2" by OpenHands
        person Do it
        thought See.
        run {"command":"ls","background":false} => ok b.txt (exit 0)
        run_ipython {"code": "1/0"} => ok ZeroDivisionError
        run {"command": "ls x"} => error no x (exit 2)
        say That is all.
        outcome passed resolved
        run proj__3 "proj__3" by OpenHands
        notice! (error) AgentStuckInLoopError: Agent got stuck in a loop
        outcome error AgentStuckInLoopError: Agent got stuck in a loop
        "#,
    );
    let facts: Vec<_> = import.runs[0].facts.iter().map(|(n, v)| format!("{n}={v}")).collect();
    assert_eq!(facts, ["dataset=D", "agent=CodeActAgent", "max iterations=5", "patch=diff --git a b"]);
    let pair = import.runs[1].steps[2].observation().unwrap();
    assert_eq!((pair.span.line, pair.span.pointer.as_ref()), (2, "/history/1/1"));
    // One row alone is an object at the root.
    let text = fixture("openhands-v0/output.jsonl");
    let row = import_one("x", text.lines().nth(1).unwrap().as_bytes());
    assert_eq!(row.report.format.as_deref(), Some("openhands-v0"));
    assert_eq!(lines(&row.runs[0]), lines(&import.runs[1]));
}

#[test]
fn sdk_events_pair_by_action() {
    let import = check_import(
        "openhands-v1",
        "openhands-v1/events.jsonl",
        r#"
        run "Fix it" by OpenHands with proxy/m-3
        system You are OpenHands.
        system Host: h
        person Fix it. Please. +image/png
        injected Commit often.
        thought Look.
        [1] terminal {"kind": "TerminalAction", "command": "ls"} => ok a.txt (exit 0)
        [1] files__read {"path": "a"} => error no such file
        thought Hm.
        thought Try.
        terminal {"command": 1} => error command must be a string
        terminal {"kind": "TerminalAction", "command": "rm x"} => error Not that.
        orphan! (terminal) of a call before this excerpt
        compaction So far: nothing.
        thought Rest.
        say Half way.
        read {"path": "b"} => ok b is here
        notice (PauseEvent)
        say All fixed.
        finish {"kind": "FinishAction", "message": "All fixed."} => ok All fixed.
        raw (WobbleEvent) {"kind": "WobbleEvent", "id": "w1", "timestamp": "2025-10-10T06:10:19.000000", "source": "agent"}
        notice! (MaxIterationsReached) Agent reached maximum iterations limit (5).
        outcome limit MaxIterationsReached
        usage in 300 out 30 cached 0 written 0 reasoning 0 cost ~0.03
        "#,
    );
    let turns: Vec<_> =
        import.runs[0].turns.iter().map(|t| (t.id.as_deref().unwrap(), t.usage.input, t.usage.output)).collect();
    let unknown = |id| (id, None, None);
    assert_eq!(turns[..2], [("r1", Some(100), Some(10)), ("r2", Some(200), Some(20))]);
    assert_eq!(turns[2..], [unknown("r3"), unknown("r4"), unknown("r5"), unknown("r6")]);
    assert!(import.runs[0].steps.iter().all(|s| s.at.is_none_or(|t| t.local)));
}

/// The files of the conversation folder, in no useful order.
fn conversation() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/openhands-v1/conversation");
    let events = std::fs::read_dir(folder.join("events")).unwrap().map(|e| e.unwrap().path());
    let mut paths: Vec<_> = events.chain([folder.join("base_state.json")]).collect();
    paths.sort_by_key(|p| std::cmp::Reverse(p.file_name().map(|n| n.to_owned())));
    assert_eq!(paths.len(), 5);
    let name = |p: &Path| format!("conv/{}", p.strip_prefix(&folder).unwrap().display());
    paths.iter().map(|p| (name(p), std::fs::read(p).unwrap())).collect()
}

const CONVERSATION: &str = r#"run conv-1 "Fix it" by OpenHands with m-3
system You are OpenHands.
system Host: h
person Fix it. Please. +image/png
thought Look.
terminal {   "kind": "TerminalAction",   "command": "ls"  } => ok a.txt (exit 0)
outcome finished finished
usage in 110 out 11 cached 7 written 0 cost ~0.02"#;

#[test]
fn a_folder_of_events_is_one_run_with_the_state_beside_it() {
    let joined = join_event_files(conversation());
    assert_eq!(joined.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(), ["conv/events"]);
    let import = import_one("conv/events", &joined[0].1);
    assert_eq!(lines(&import.runs[0]).join("\n"), CONVERSATION);
    assert_eq!(import.runs[0].turns[0].usage.cached, Some(7));
    assert_eq!(import.runs[0].facts, [("cwd".to_owned(), "/w".to_owned())]);
}

#[test]
fn the_same_folder_in_an_archive_is_the_same_run() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, bytes) in conversation() {
        zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.start_file("conv/notes.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"hello").unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let imports = import_bytes("a.zip", &bytes, None);
    assert_eq!(
        imports.iter().map(|i| i.report.file.as_str()).collect::<Vec<_>>(),
        ["a.zip/conv/notes.txt", "a.zip/conv/events"]
    );
    assert_eq!(lines(&imports[1].runs[0]).join("\n"), CONVERSATION);
}

#[test]
fn a_state_without_its_events_is_refused() {
    let state = fixture("openhands-v1/conversation/base_state.json");
    let import = import_one("base_state.json", state.as_bytes());
    assert_eq!(import.report.refused.map(|r| r.looks_like).as_deref(), Some("openhands-state"));
    // One event alone is a run of one step.
    let event = conversation().into_iter().find(|(n, _)| n.contains("event-00001")).unwrap();
    let import = import_one("x", &event.1);
    assert_eq!(import.runs[0].steps.len(), 1);
}
