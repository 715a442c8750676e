//! Session files of agent programs on small files of ours.

mod common;

use common::check_import;

#[test]
fn gemini_cli_log() {
    let import = check_import(
        "gemini-cli",
        "gemini-cli/log.jsonl",
        r#"
        run g2 "list" by Gemini CLI with g
        person list
        thought Plan: ls
        say Listing.
        ls {} => ok a
        person thanks
        usage in 5 out 1
        "#,
    );
    assert_eq!(import.report.unknown, [("moon".to_owned(), 1)]);
}

#[test]
fn gemini_cli_session() {
    let import = check_import(
        "gemini-cli",
        "gemini-cli/session.json",
        r#"
        run g1 "read" by Gemini CLI with gemini-x
        person read +image/png
        thought Plan: look
        say Reading.
        [1] read_file {"path":"a"} => ok A
        [1] rm {} => error denied
        [1] wait {}
        notice! (error) quota
        usage in 10 out 6 cached 3 reasoning 4
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn opencode_events() {
    let import = check_import(
        "opencode",
        "opencode/events.jsonl",
        r#"
        run s "" by OpenCode
        read {"p": 1} => ok x
        say Done.
        notice! (error) cut
        usage in 5 out 5 cached 4 written 0 reasoning 3 cost 0.5
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn opencode_export() {
    let import = check_import(
        "opencode",
        "opencode/export.json",
        r#"
        run ses_1 "List files" by OpenCode 1.0.0 with m
        person list
        injected The file is open
        person a.png +image/png
        thought ls
        [1] bash {"command":"ls"} => ok a
        [1] task {} => error no agent
        [1] bash {}
        raw (hologram) {"type":"hologram","x":1}
        say One.
        notice! (error) overloaded
        usage in 111 out 7 cached 100 written 1 reasoning 2 cost 0.001
        "#,
    );
    assert_eq!(import.report.unknown, [("part/hologram".to_owned(), 1)]);
}

#[test]
fn copilot_cli_events() {
    let import = check_import(
        "copilot-cli",
        "copilot-cli/events.jsonl",
        r#"
        run s1 "list" by Copilot CLI 1.2 with m-1
        person list
        thought two
        say Ok.
        [1] bash {"command": "ls"} => ok a
        [1] bash {"command": "cat x"} => error no x
        view {"path": "a"}
        notice! (session.error) lost
        usage in 25 out 4 cached 5
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn vscode_copilot_log_chatreplay() {
    let import = check_import(
        "vscode-copilot",
        "vscode-copilot/log.chatreplay.json",
        r#"
        run "make a file" by GitHub Copilot with m
        person make a file
        say Making it.
        create_file {"path":"a"} => unknown Created a
        notice! (error) quota
        person again
        raw (ghost) {"id":"x","kind":"ghost"}
        usage in 30 out 3 cached 4
        "#,
    );
    assert_eq!(import.report.unknown, [("log/ghost".to_owned(), 1)]);
}

#[test]
fn cursor_transcript() {
    let import = check_import(
        "cursor",
        "cursor/transcript.jsonl",
        r#"
        run "list" by Cursor
        person list
        say Looking.
        Shell {"command": "ls"}
        raw (moon) {"type": "moon"}
        outcome finished success
        "#,
    );
    assert_eq!(import.report.unknown, [("moon".to_owned(), 1)]);
}

#[test]
fn cline_cli() {
    let import = check_import(
        "cline",
        "cline/cli.json",
        r#"
        run s "hi" with m
        person hi
        say hello
        usage in 13 out 5 cached 2 written 1 cost ~0.01
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn cline_history() {
    let import = check_import(
        "cline",
        "cline/history.json",
        r#"
        run "list"
        person list
        injected <environment_details>⏎# VSCode⏎</environment_details>
        thought look
        say Listing.
        execute_command {"command":"ls","requires_approval":"false"} => unknown a.txt
        read_file {"path":"a.txt"} => error no
        person try b
        compaction Earlier: listed.
        thought b then
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn cline_ui_messages() {
    let import = check_import(
        "cline",
        "cline/ui_messages.json",
        r#"
        run "Rename foo"
        person Rename foo
        thought Find uses
        [1] searchFiles {"tool": "searchFiles", "regex": "foo"}
        [1] execute_command {"command":"sed -i s/foo/bar/ a"} => unknown done
        notice! (error) diff failed
        say Renamed.
        outcome finished completion_result
        usage in 2110 out 80 cached 900 written 10 cost 0.004
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn goose_export() {
    let import = check_import(
        "goose",
        "goose/export.json",
        r#"
        run 20260101 "List files" by goose
        person list
        thought ls
        [1] shell {"command":"ls"} => ok a.txt
        [1] read {} => error no file
        say One.
        usage in 80 out 9
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn goose_stream() {
    let import = check_import(
        "goose",
        "goose/stream.jsonl",
        r#"
        run ""
        say Hello
        shell {"command": "x"} => error not found
        notice (notification) slow
        outcome finished complete
        usage in 50 out 5
        "#,
    );
    assert!(import.report.unknown.is_empty(), "{:?}", import.report.unknown);
}

#[test]
fn pi_session() {
    let import = check_import(
        "pi",
        "pi/session.jsonl",
        r#"
        run s1 "fix" by Pi with m
        person fix
        thought hm
        read {"path": "a"} => error no such file
        bash ls => ok a (exit 0)
        compaction So far: read
        notice! (aborted) stopped
        raw (moon) {"type": "moon", "id": "8", "parentId": "7", "timestamp": "2026-01-01T00:00:00Z"}
        usage in 19 out 3 cached 3 written 1 cost 0.01
        "#,
    );
    assert_eq!(import.report.unknown, [("moon".to_owned(), 1)]);
    let notes: Vec<_> = import.report.notes.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(notes, ["branches-left-out"]);
}
