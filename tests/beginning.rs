//! What a large file begins with, from its first bytes: the same rows as when the whole file was read, and nothing that
//! only the end can tell.

use skillscope::engine::Workbench;
use skillscope::protocol::{Job, Outcome};
use skillscope::report::{Row, StepRow, View};

fn rows_of(outcome: Outcome) -> Vec<StepRow> {
    let rows = match outcome {
        Outcome::Beginning { rows } | Outcome::Rows { rows } => rows.rows,
        other => panic!("{other:?}"),
    };
    rows.into_iter().filter_map(|row| if let Row::Step(step) = row { Some(step) } else { None }).collect()
}

fn beginning(name: &str, bytes: &[u8]) -> Vec<StepRow> {
    let job = Job::Beginning { name: name.into(), format: None };
    rows_of(Workbench::new().handle(job, Some(bytes), &mut |_| ()))
}

/// The rows of the whole file.
fn whole(name: &str, bytes: &[u8]) -> Vec<StepRow> {
    let mut bench = Workbench::new();
    let open = Job::Open { file: 1, name: name.into(), size: bytes.len() as u64, format: None };
    bench.handle(open, None, &mut |_| ());
    bench.handle(Job::Chunk { file: 1 }, Some(bytes), &mut |_| ());
    bench.handle(Job::Finish { file: 1 }, None, &mut |_| ());
    let Outcome::Documents { documents } = bench.handle(Job::Assemble { files: vec![1] }, None, &mut |_| ()) else {
        panic!()
    };
    let job = Job::Rows { document: documents[0].id, run: 0, view: View::default(), from: 0, count: 200 };
    rows_of(bench.handle(job, None, &mut |_| ()))
}

/// Without what the rest of the file decides.
fn bare(row: &StepRow) -> StepRow {
    StepRow { loops: None, findings: 0, unanswered: false, group: None, ..row.clone() }
}

#[track_caller]
fn check(name: &str, bytes: &[u8], at_least: usize) {
    let all: Vec<StepRow> = whole(name, bytes).iter().map(bare).collect();
    for share in [2, 3, 5] {
        let first = beginning(name, &bytes[..bytes.len() / share]);
        assert!(first.len() >= at_least / share / 2, "{name}: {} of {}", first.len(), all.len());
        // A call that is answered later has no answer yet; what it is and who made it stands.
        for (told, is) in first.iter().zip(&all) {
            assert!(!told.unanswered && told.loops.is_none() && told.findings == 0);
            assert_eq!(
                (told.step, &told.kind, &told.actor, &told.label),
                (is.step, &is.kind, &is.actor, &is.label),
                "{name}"
            );
        }
    }
}

#[test]
fn the_first_steps_are_those_of_the_whole_file() {
    let claude =
        std::fs::read("public/examples/claude-code-commit-loop/3367a61b-133c-4843-a844-3d6409377980.jsonl").unwrap();
    check("a.jsonl", &claude, 20);
    let atif = std::fs::read("public/examples/atif-ring-counts/trajectory.json").unwrap();
    check("b.json", &atif, 4);
}

#[test]
fn what_is_no_run_begins_with_nothing() {
    for bytes in [
        &b""[..],
        b"\x1f\x8b",
        b"{",
        b"hello",
        b"\xff\xfe\x00",
        b"PK\x03\x04rest",
        b"[{\"role\":\"user\",\"content\":\"x\"}",
    ] {
        assert_eq!(beginning("x", bytes), []);
    }
}
