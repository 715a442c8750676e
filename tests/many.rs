//! Many runs as a table: what filters keep, orders and groups, the figures with the unknown apart, nearest shapes, the
//! consensus; and the 200 airline runs of tau-bench against a count of the file itself, where it is there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Debug;
use std::path::PathBuf;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use skillscope::engine::Workbench;
use skillscope::protocol::{Job, Outcome, Read, Request, from_json};
use skillscope::report::many_whole::wilson;
use skillscope::report::{
    ConsensusReport, GroupLine, ManyMatrix, ManyReport, ManyRow, ManyRows, ManyView, NearLine, RunLine,
};

/// A run of tau-bench: task, trial, reward, tools.
fn run(task: u32, trial: u32, reward: Option<f64>, tools: &str) -> Value {
    let mut traj = vec![json!({"role": "user", "content": "please"})];
    for (i, tool) in tools.split_whitespace().enumerate() {
        let (name, n) = tool.split_at(1);
        traj.push(
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": format!("c{i}"), "type": "function",
            "function": {"name": format!("tool_{name}"), "arguments": format!("{{\"n\":\"{n}\"}}")}}]}),
        );
        let text = if n == "!" { "Error: no" } else { "ok" };
        traj.push(
            json!({"role": "tool", "tool_call_id": format!("c{i}"), "name": format!("tool_{name}"), "content": text}),
        );
    }
    traj.push(json!({"role": "assistant", "content": "done"}));
    json!({"task_id": task, "trial": trial, "reward": reward, "info": {"task": {"user_id": "u", "actions": []}}, "traj": traj})
}

fn opened(files: &[(&str, Vec<u8>)]) -> Workbench {
    let mut bench = Workbench::new();
    let ids: Vec<u32> = (1..).take(files.len()).collect();
    for ((name, bytes), file) in files.iter().zip(&ids) {
        let job = Job::Open { file: *file, name: (*name).into(), size: bytes.len() as u64, format: None };
        bench.handle(job, None, &mut |_| {});
        bench.handle(Job::Chunk { file: *file }, Some(bytes), &mut |_| {});
        bench.handle(Job::Finish { file: *file }, None, &mut |_| {});
    }
    bench.handle(Job::Assemble { files: ids }, None, &mut |_| {});
    bench
}

/// Asks, over both ways of the protocol.
#[track_caller]
fn ask(bench: &mut Workbench, job: Job) -> Outcome {
    fn there<T: Read + Serialize + PartialEq + Debug>(value: T) -> T {
        let text = serde_json::to_string(&value).unwrap();
        let read = from_json::<T>(&text);
        assert_eq!(read.as_ref(), Some(&value), "{text}");
        value
    }
    let request = there(Request { id: 1, job });
    there(bench.handle(request.job, None, &mut |_| {}))
}

fn documents(bench: &Workbench) -> Vec<u32> {
    bench.documents().map(|d| d.id).collect()
}

fn rows(bench: &mut Workbench, view: &ManyView) -> ManyRows {
    let documents = documents(bench);
    match ask(bench, Job::Many { documents, view: view.clone(), from: 0, count: 500 }) {
        Outcome::Many { many } => many,
        other => panic!("{other:?}"),
    }
}

fn report(bench: &mut Workbench, filter: &str) -> ManyReport {
    let documents = documents(bench);
    match ask(bench, Job::ManyReport { documents, filter: filter.into() }) {
        Outcome::ManyReport { report } => *report,
        other => panic!("{other:?}"),
    }
}

fn near(bench: &mut Workbench, at: (u32, u32)) -> Vec<NearLine> {
    let documents = documents(bench);
    match ask(bench, Job::ManyNear { documents, at, limit: 10 }) {
        Outcome::ManyNear { near } => near,
        other => panic!("{other:?}"),
    }
}

fn matrix(bench: &mut Workbench, limit: u32) -> ManyMatrix {
    let documents = documents(bench);
    match ask(bench, Job::ManyMatrix { documents, filter: String::new(), limit }) {
        Outcome::ManyMatrix { matrix } => *matrix,
        other => panic!("{other:?}"),
    }
}

fn consensus(bench: &mut Workbench, group: &str, key: &str, same: &str) -> ConsensusReport {
    let documents = documents(bench);
    let job = Job::ManyConsensus {
        documents,
        filter: String::new(),
        group: group.into(),
        key: key.into(),
        same: same.into(),
    };
    match ask(bench, job) {
        Outcome::ManyConsensus { consensus } => *consensus,
        other => panic!("{other:?}"),
    }
}

fn runs_of(rows: &ManyRows) -> Vec<&RunLine> {
    rows.rows
        .iter()
        .filter_map(|r| match r {
            ManyRow::Run(line) => Some(line),
            ManyRow::Group(_) => None,
        })
        .collect()
}

fn groups_of(rows: &ManyRows) -> Vec<&GroupLine> {
    rows.rows
        .iter()
        .filter_map(|r| match r {
            ManyRow::Group(line) => Some(line),
            ManyRow::Run(_) => None,
        })
        .collect()
}

/// Two tasks with three trials each, one of them without a reward.
fn small() -> Workbench {
    let all = json!([
        run(1, 0, Some(1.0), "A B"),
        run(1, 1, Some(0.0), "A B B! B"),
        run(1, 2, Some(1.0), "A B"),
        run(2, 0, Some(0.0), "C"),
        run(2, 1, None, "A C"),
        run(2, 2, Some(0.0), ""),
    ]);
    opened(&[("runs.json", all.to_string().into_bytes())])
}

#[test]
fn a_filter_keeps_what_satisfies_every_term() {
    let mut bench = small();
    let mut check = |filter: &str, expected: &[u32], unknown: &[&str]| {
        let found = rows(&mut bench, &ManyView { filter: filter.into(), ..ManyView::default() });
        assert_eq!(runs_of(&found).iter().map(|r| r.run).collect::<Vec<_>>(), expected, "{filter}");
        assert_eq!(found.unknown_terms, unknown, "{filter}");
        assert_eq!((found.runs as usize, found.total as usize, found.of), (expected.len(), expected.len(), 6));
    };
    let all = [0, 1, 2, 3, 4, 5];
    check("", &all, &[]);
    check("TASK trial", &all, &[]);
    check("\"task 2\"", &[3, 4, 5], &[]);
    check("task:1", &[0, 1, 2], &[]);
    check("trial:2 task:1", &[2], &[]);
    check("passed:yes", &[0, 2], &[]);
    check("passed:no", &[1, 3, 5], &[]);
    // Not said is neither passed nor failed.
    check("passed:unknown", &[4], &[]);
    check("has:error", &[1], &[]);
    check("tool:_c", &[3, 4], &[]);
    check("calls>1", &[0, 1, 2, 4], &[]);
    check("calls>=4", &[1], &[]);
    check("calls<1", &[5], &[]);
    check("calls=2 passed:yes", &[0, 2], &[]);
    // The file states no cost: nothing is cheaper or dearer than a sum.
    check("cost>=0", &[], &[]);
    check("cost<1", &[], &[]);
    check("waste<0.5", &[0, 1, 2, 3, 4], &[]);
    check("nothing", &[], &[]);
    // What means nothing is left out, and said.
    check("bogus:x passed:maybe calls>many", &all, &["bogus:x", "passed:maybe", "calls>many"]);
}

#[test]
fn unknown_figures_stand_last_either_way() {
    let mut bench = small();
    let mut order = |sort: &str, turned: bool| {
        let view = ManyView { sort: sort.into(), turned, ..ManyView::default() };
        runs_of(&rows(&mut bench, &view)).iter().map(|r| r.run).collect::<Vec<_>>()
    };
    assert_eq!(order("", false), [0, 1, 2, 3, 4, 5]);
    assert_eq!(order("", true), [5, 4, 3, 2, 1, 0]);
    assert_eq!(order("calls", false), [1, 0, 2, 4, 3, 5]);
    assert_eq!(order("calls", true), [5, 3, 0, 2, 4, 1]);
    assert_eq!(order("outcome", false), [0, 2, 1, 3, 5, 4]);
    assert_eq!(order("outcome", true), [1, 3, 5, 0, 2, 4]);
    // No run has one: the order of the file stays.
    assert_eq!(order("cost", true), [0, 1, 2, 3, 4, 5]);
    assert_eq!(order("title", true), [5, 4, 3, 2, 1, 0]);
}

#[test]
fn groups_count_success_and_the_unknown_apart() {
    let mut bench = small();
    let mut view = ManyView { group: "topology".into(), ..ManyView::default() };
    let found = rows(&mut bench, &view);
    let lines: Vec<_> =
        groups_of(&found).iter().map(|g| (g.name.as_str(), g.runs, g.passed, g.failed, g.unknown)).collect();
    assert_eq!(
        lines,
        [
            ("tool_A › tool_B", 2, 2, 0, 0),
            ("tool_A › tool_B+", 1, 0, 1, 0),
            ("tool_C", 1, 0, 1, 0),
            ("tool_A › tool_C", 1, 0, 0, 1),
            ("", 1, 0, 1, 0),
        ]
    );
    assert_eq!((found.largest, found.most_calls, found.groups), (2, 4, 5));
    let first = groups_of(&found)[0].clone();
    // Passed above, nothing failed, nothing unsaid: one circle, two runs of it.
    assert!(first.dots[0].starts_with('M') && first.dots[0].matches('M').count() == 1);
    assert_eq!(first.dots[1..], ["", ""]);
    view.open = vec![first.key.clone()];
    let opened = rows(&mut bench, &view);
    assert_eq!(runs_of(&opened).iter().map(|r| (r.run, r.nested)).collect::<Vec<_>>(), [(0, true), (2, true)]);
    assert_eq!(opened.total, 7);
    assert!(matches!(opened.rows.first(), Some(ManyRow::Group(g)) if g.open));
    // The only group is open, until it is closed.
    view = ManyView { group: "topology".into(), filter: "passed:yes".into(), ..ManyView::default() };
    let lone = rows(&mut bench, &view);
    assert_eq!((groups_of(&lone).len(), runs_of(&lone).len(), groups_of(&lone)[0].open), (1, 2, true));
    view.open = vec![first.key.clone()];
    assert_eq!((rows(&mut bench, &view).total, groups_of(&rows(&mut bench, &view))[0].open), (1, false));
    // By task; a share leaves out who says nothing.
    view = ManyView { group: "task".into(), sort: "passed".into(), ..ManyView::default() };
    let tasks = rows(&mut bench, &view);
    let lines: Vec<_> = groups_of(&tasks).iter().map(|g| (g.key.as_str(), g.passed, g.failed, g.unknown)).collect();
    assert_eq!(lines, [("1", 2, 1, 0), ("2", 0, 2, 1)]);
}

#[test]
fn figures_say_how_many_runs_carry_them() {
    let mut bench = small();
    let all = report(&mut bench, "");
    assert_eq!((all.runs, all.passed, all.failed, all.unknown), (6, 2, 3, 1));
    assert_eq!((all.calls, all.errors, all.topologies), (11, 1, 5));
    assert_eq!((all.cost.known, all.tokens.known), (0, 0));
    assert_eq!((all.mixed_tasks, all.mixed_pair), (1, Some(((0, 0), (0, 1)))));
    // Task 2 has a trial without a reward, so only task 1 is a line with a task.
    let lines: Vec<_> = all.trials.iter().map(|t| (t.passed, t.of, t.tasks)).collect();
    assert_eq!(lines, [(0, 3, 0), (1, 3, 0), (2, 3, 1), (3, 3, 0)]);
    assert_eq!(all.bins.iter().map(|b| b.passed + b.failed + b.unknown).collect::<Vec<_>>(), [1, 1, 3, 0, 1]);
    assert_eq!(all.groups, ["topology", "task", "outcome"]);
    assert_eq!((all.best, all.worst), (None, None));
    let none = report(&mut bench, "nothing");
    assert_eq!((none.runs, none.interval, none.bins.len()), (0, None, 0));
}

#[test]
fn wilson_is_the_interval_of_the_books() {
    // 84 of 200: 0.354 to 0.489, as statsmodels' proportion_confint(84, 200, method="wilson") gives it.
    let (low, high) = wilson(84, 200).unwrap();
    assert!((low - 0.3537).abs() < 5e-4 && (high - 0.4893).abs() < 5e-4, "{low} {high}");
    assert_eq!(wilson(0, 0), None);
    assert_eq!(wilson(0, 5).unwrap().0, 0.0);
    assert_eq!(wilson(5, 5).unwrap().1, 1.0);
}

#[test]
fn the_nearest_shape_is_the_one_with_the_edges_in_common() {
    let mut bench = small();
    let found = near(&mut bench, (0, 0));
    let lines: Vec<_> = found.iter().map(|n| (n.line.name.as_str(), (n.similarity * 1000.0).round() as u32)).collect();
    // ^A AB B$ against ^A AB BB BB B$: three of five; against ^A AC C$: one of five.
    assert_eq!(lines, [("tool_A › tool_B+", 600), ("tool_A › tool_C", 200)]);
    let whole = matrix(&mut bench, 24);
    assert_eq!((whole.lines.len(), whole.cells.len(), whole.of), (5, 25, 5));
    for i in 0..5 {
        assert_eq!(whole.cells[i * 5 + i], 1.0);
        for j in 0..5 {
            assert_eq!(whole.cells[i * 5 + j], whole.cells[j * 5 + i]);
        }
    }
    assert_eq!(whole.lines[0].name, "tool_A › tool_B");
    assert_eq!(whole.lines[1].name, "tool_A › tool_B+");
    assert_eq!(matrix(&mut bench, 2).lines.len(), 2);
}

#[test]
fn the_consensus_says_where_a_task_splits() {
    let mut bench = small();
    let found = consensus(&mut bench, "task", "1", "call");
    assert_eq!((found.runs, found.passed, found.failed, found.unknown), (3, 2, 1, 0));
    assert_eq!((found.middle, found.common), (Some((0, 0)), 2));
    assert_eq!(
        found.steps.iter().map(|s| (s.tool.as_str(), s.have)).collect::<Vec<_>>(),
        [("tool_A", 3), ("tool_B", 3)]
    );
    let branches: Vec<_> = found.branches.iter().map(|b| (b.tool.as_str(), b.passed, b.failed, b.example)).collect();
    assert_eq!(branches, [("", 2, 0, (0, 0)), ("tool_B", 0, 1, (0, 1))]);
    // 2·2/(2+4) with one, 1 with the other.
    assert!((found.agreement.unwrap() - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
    let nothing = consensus(&mut bench, "task", "77", "call");
    assert_eq!((nothing.runs, nothing.middle, nothing.agreement), (0, None, None));
}

#[test]
fn runs_of_several_documents_are_one_table() {
    let file = |task: u32, tools: &str| json!([run(task, 0, Some(1.0), tools)]).to_string().into_bytes();
    let mut bench = opened(&[("a/one.json", file(1, "A B")), ("a/two.json", file(2, "A B")), ("b.json", file(3, "C"))]);
    let all = rows(&mut bench, &ManyView::default());
    let lines: Vec<_> = runs_of(&all).iter().map(|r| (r.document, r.run, r.file.as_str())).collect();
    assert_eq!(lines, [(0, 0, "a/one.json"), (1, 0, "a/two.json"), (2, 0, "b.json")]);
    let by_shape = rows(&mut bench, &ManyView { group: "topology".into(), ..ManyView::default() });
    assert_eq!(groups_of(&by_shape).iter().map(|g| g.runs).collect::<Vec<_>>(), [2, 1]);
    // Another choice of documents is another table, whatever was kept.
    let ids = documents(&bench);
    let one = Job::Many { documents: vec![ids[2]], view: ManyView::default(), from: 0, count: 9 };
    match ask(&mut bench, one) {
        Outcome::Many { many } => assert_eq!((many.of, runs_of(&many)[0].file.as_str()), (1, "")),
        other => panic!("{other:?}"),
    }
    ask(&mut bench, Job::Close { document: ids[0] });
    assert_eq!(rows(&mut bench, &ManyView::default()).of, 2);
    let gone = Job::Many { documents: vec![ids[0]], view: ManyView::default(), from: 0, count: 9 };
    assert!(matches!(ask(&mut bench, gone), Outcome::Fault { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Whatever the filter, order and grouping: every run that is kept stands once, windows join to the whole, and the
    /// counts of the groups add up.
    #[test]
    fn no_run_is_lost_or_doubled(
        shapes in prop::collection::vec(("[ABC]( [ABC]){0,4}", prop::option::of(0u8..2)), 1..20),
        filter in "(|passed:yes|calls>2|has:error|\"|:|task:1|[a-z:<>=\" ]{0,12})",
        sort in prop::sample::select(vec!["", "title", "calls", "cost", "outcome", "passed", "name", "runs", "bogus"]),
        group in prop::sample::select(vec!["none", "topology", "task", "model", "outcome", "file"]),
        turned in any::<bool>(),
        piece in 1u32..7,
    ) {
        let all: Vec<Value> = shapes
            .iter()
            .enumerate()
            .map(|(i, (tools, reward))| run(i as u32 % 3, i as u32, reward.map(f64::from), tools))
            .collect();
        let mut bench = opened(&[("runs.json", json!(all).to_string().into_bytes())]);
        let flat = ManyView { filter: filter.clone(), ..ManyView::default() };
        let kept: Vec<u32> = runs_of(&rows(&mut bench, &flat)).iter().map(|r| r.run).collect();
        let mut view = ManyView { sort: sort.into(), turned, group: group.into(), filter, ..ManyView::default() };
        let closed = rows(&mut bench, &view);
        let counted: u32 = groups_of(&closed).iter().map(|g| g.passed + g.failed + g.unknown).sum();
        prop_assert!(group == "none" || counted as usize == kept.len());
        // The only group is open by itself.
        view.open = groups_of(&closed).iter().filter(|g| !g.open).map(|g| g.key.clone()).collect();
        let whole = rows(&mut bench, &view);
        let mut found: Vec<u32> = runs_of(&whole).iter().map(|r| r.run).collect();
        found.sort_unstable();
        prop_assert_eq!(found, kept);
        let ids = documents(&bench);
        let mut joined = Vec::new();
        for from in (0..whole.total).step_by(piece as usize) {
            match ask(&mut bench, Job::Many { documents: ids.clone(), view: view.clone(), from, count: piece }) {
                Outcome::Many { many } => joined.extend(many.rows),
                other => panic!("{other:?}"),
            }
        }
        prop_assert_eq!(joined, whole.rows);
    }
}

#[test]
fn the_airline_runs_of_tau_bench() {
    let folder = std::env::var_os("SKILLSCOPE_CORPUS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/samples"), PathBuf::from);
    let path = folder.join("tau-bench/gpt-4o-airline.json");
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("NOTE: {} is not there, so the table of 200 runs is not checked", path.display());
        return;
    };
    let file: Vec<Value> = serde_json::from_slice(&bytes).unwrap();
    let passed = file.iter().filter(|r| (r["reward"].as_f64().unwrap() - 1.0).abs() < 1e-6).count() as u32;
    let calls: usize = file
        .iter()
        .flat_map(|r| r["traj"].as_array().unwrap())
        .filter_map(|m| m["tool_calls"].as_array().map(Vec::len))
        .sum();
    let mut bench = opened(&[("gpt-4o-airline.json", bytes)]);
    let all = report(&mut bench, "");
    assert_eq!((all.runs, all.passed, all.failed, all.unknown), (200, passed, 200 - passed, 0));
    assert_eq!(all.calls, calls as u64);
    // Tasks of four trials, by the trials that passed, from the file itself.
    let mut tasks = std::collections::BTreeMap::<i64, u32>::new();
    for r in &file {
        *tasks.entry(r["task_id"].as_i64().unwrap()).or_default() +=
            u32::from((r["reward"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    }
    for line in &all.trials {
        assert_eq!(line.of, 4);
        assert_eq!(line.tasks as usize, tasks.values().filter(|n| **n == line.passed).count(), "{line:?}");
    }
    assert_eq!(all.mixed_tasks as usize, tasks.values().filter(|n| (1..4).contains(*n)).count());
    let found = rows(&mut bench, &ManyView { group: "topology".into(), ..ManyView::default() });
    assert_eq!(groups_of(&found).iter().map(|g| g.runs).sum::<u32>(), 200);
    assert_eq!(groups_of(&found).iter().map(|g| g.passed).sum::<u32>(), passed);
    assert_eq!(found.groups, all.topologies);
    for g in groups_of(&found).iter().take(12) {
        eprintln!("{:3} {:2} passed {:2} failed  {}", g.runs, g.passed, g.failed, g.name);
    }
    eprintln!(
        "{} topologies, best {:?}, worst {:?}",
        all.topologies,
        all.best.map(|b| b.name),
        all.worst.map(|b| b.name)
    );
    // Task 26 is where a person finds the eighth call to be another one in the third trial.
    let split = consensus(&mut bench, "task", "26", "call");
    assert_eq!((split.runs, split.passed + split.failed), (4, 4));
    assert!(split.branches.len() > 1);
}

/// Ids are plain text in the screens: each must be a sentence, or the page would say `–`.
#[test]
fn every_sentence_of_the_screens_is_there() {
    use skillscope::message::findings::both;
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/web");
    let mut folders = vec![root];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for piece in text.split('"').filter(|p| p.starts_with("many.") || p.starts_with("beside.")) {
                // What is put together from an id of the engine is checked below.
                if !piece.contains('{') {
                    found += 1;
                    assert!(both(piece).is_some(), "{piece} in {} is no sentence", path.display());
                }
            }
        }
    }
    assert!(found > 60, "only {found} ids were found");
    for id in ["none", "topology", "task", "model", "outcome", "file"] {
        assert!(both(&format!("many.by.{id}")).is_some(), "{id}");
    }
    for id in skillscope::report::many_list::FIGURES
        .iter()
        .chain(&["file", "name", "title", "topology", "outcome", "runs", "passed"])
    {
        assert!(both(&format!("many.column.{id}")).is_some(), "{id}");
    }
}
