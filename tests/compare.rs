//! Comparing and matching from outside: the jobs of the page, the command line and its schemas, and the pairs of the
//! corpus whose first divergence is known by reading.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;
use serde_json::{Value, json};
use skillscope::align::{Cause, Comparison, Params, Relation, compare};
use skillscope::engine::Workbench;
use skillscope::message::{Lang, fill_id};
use skillscope::model::Run;
use skillscope::protocol::{CompareSeek, Job, Outcome, Read, Request, Response, from_json};
use skillscope::report::{CompareOptions, CompareReport, CompareRows, CompareView, MatchOptions, RunRef};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Two trials of one task, in the shape of tau-bench: the second doubles the sum, pays another way, and fails.
fn trials() -> Vec<u8> {
    let call = |id: &str, name: &str, args: Value| {
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function",
            "function": {"name": name, "arguments": args.to_string()}}]})
    };
    let result =
        |id: &str, name: &str, text: &str| json!({"role": "tool", "tool_call_id": id, "name": name, "content": text});
    let trial = |trial: u32, sum: &str, total: &str, card: &str, reward: f64| {
        json!({
            "task_id": 4, "trial": trial, "reward": reward,
            "info": {"task": {"user_id": "u", "actions": [
                {"name": "get_order", "kwargs": {"id_": "W1"}},
                {"name": "update_order", "kwargs": {"order": "W1", "card": "card_1"}}]}},
            "traj": [
                {"role": "system", "content": "You help with orders."},
                {"role": "user", "content": "Please upgrade my order W1 and charge my card."},
                call("1", "get_order", json!({"id_": "W1"})),
                result("1", "get_order", "{\"price\": 5}"),
                call("2", "list_cards", json!({})),
                result("2", "list_cards", "card_1, card_2"),
                call("3", "calculate", json!({"expression": sum})),
                result("3", "calculate", total),
                {"role": "assistant", "content": format!("The upgrade of your order costs {total} dollars, shall I go on?")},
                {"role": "user", "content": "Yes please."},
                call("4", "update_order", json!({"order": "W1", "card": card})),
                result("4", "update_order", "done"),
                {"role": "assistant", "content": "Your order was upgraded."}
            ]
        })
    };
    let all = json!([trial(0, "2 + 3", "5", "card_1", 1.0), trial(1, "(2 + 3) * 2", "10", "card_2", 0.0)]);
    all.to_string().into_bytes()
}

fn bench(files: &[(&str, Vec<u8>)]) -> Workbench {
    let mut bench = Workbench::new();
    for (file, (name, bytes)) in (0u32..).zip(files) {
        let open = Job::Open { file, name: (*name).to_owned(), size: bytes.len() as u64, format: None };
        ask(&mut bench, open);
        bench.handle(Job::Chunk { file }, Some(bytes), &mut |_| {});
        ask(&mut bench, Job::Finish { file });
    }
    ask(&mut bench, Job::Assemble { files: (0..files.len() as u32).collect() });
    bench
}

/// Job and answer go through JSON, as between page and worker.
fn ask(bench: &mut Workbench, job: Job) -> Outcome {
    let job = through(&Request { id: 1, job }).job;
    let outcome = bench.handle(job, None, &mut |_| {});
    through(&Response { id: 1, outcome }).outcome
}

#[track_caller]
fn through<T: Read + Serialize + PartialEq + Debug>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    let read = from_json::<T>(&text).unwrap_or_else(|| panic!("is not read back: {text}"));
    assert_eq!(&read, value);
    read
}

const LEFT: RunRef = RunRef { document: 1, run: 0 };
const RIGHT: RunRef = RunRef { document: 1, run: 1 };

fn report(bench: &mut Workbench) -> CompareReport {
    match ask(bench, Job::Compare { left: LEFT, right: RIGHT, options: CompareOptions::default() }) {
        Outcome::Compare { compare } => *compare,
        other => panic!("{other:?}"),
    }
}

fn rows(bench: &mut Workbench, view: CompareView) -> CompareRows {
    let options = CompareOptions::default();
    match ask(bench, Job::CompareRows { left: LEFT, right: RIGHT, options, view, from: 0, count: 100 }) {
        Outcome::CompareRows { rows } => rows,
        other => panic!("{other:?}"),
    }
}

fn found(bench: &mut Workbench, view: CompareView, seek: CompareSeek) -> (Option<u32>, Option<u32>, Option<u32>) {
    let options = CompareOptions::default();
    match ask(bench, Job::CompareFind { left: LEFT, right: RIGHT, options, view, seek }) {
        Outcome::Found { step, row, fold } => (step, row, fold),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_trials_side_by_side() {
    let mut bench = bench(&[("trials.json", trials())]);
    let report = report(&mut bench);
    assert_eq!((report.actions.left, report.actions.right, report.actions.pairs), (4, 4, 2));
    assert_eq!(report.actions.ratio, 0.5);
    let d = report.divergence.unwrap();
    assert_eq!((d.cause.as_str(), d.left, d.right), ("other_arguments", Some(2), Some(2)));
    assert_eq!(
        fill_id(Lang::En, &d.sentence.0, &d.sentence.1),
        "Both call calculate; this argument differs: expression"
    );
    assert_eq!((d.left_after.actions, d.left_after.tokens, d.left_after.cost), (1, None, None));
    let path: Vec<_> = report.path.iter().map(|p| (p.relation.as_str(), p.left, p.right)).collect();
    assert_eq!(path, [("same", 2, 2), ("other_arguments", 2, 2)]);

    let all = rows(&mut bench, CompareView { folded: false, ..CompareView::default() });
    let relations: Vec<_> = all.rows.iter().map(|r| r.relation.as_str()).collect();
    assert_eq!(relations, ["same", "same", "same", "other_arguments", "alike", "same", "other_arguments", "same"]);
    let row = &all.rows[3];
    assert!(row.divergence && row.row == d.row);
    let (left, right) = (row.left.as_ref().unwrap(), row.right.as_ref().unwrap());
    let marked = |pieces: &[skillscope::report::Piece]| {
        pieces.iter().filter(|p| p.differs).map(|p| p.text.clone()).collect::<Vec<_>>().concat()
    };
    assert_eq!((left.action, left.label.as_str()), (Some(2), "calculate"));
    assert!(marked(&right.text).contains('*') && !marked(&left.text).contains('*'), "{:?}", right.text);
    assert_eq!((marked(&left.result), marked(&right.result)), ("5".to_owned(), "10".to_owned()));
}

#[test]
fn views_fold_filter_and_jump() {
    let mut bench = bench(&[("trials.json", trials())]);
    let actions = CompareView { show: "actions".into(), folded: false, open: vec![] };
    assert_eq!(rows(&mut bench, actions.clone()).total, 4);
    let messages = CompareView { show: "messages".into(), ..actions.clone() };
    assert_eq!(rows(&mut bench, messages).total, 4);
    // Three rows before the difference: two stay beside it, one alone makes no fold.
    assert_eq!(rows(&mut bench, CompareView::default()).total, 8);
    let all = CompareView { folded: false, ..CompareView::default() };
    assert_eq!(found(&mut bench, all.clone(), CompareSeek::Divergence), (Some(3), Some(3), None));
    let next = |from, back| CompareSeek::Difference { from, back };
    assert_eq!(found(&mut bench, all.clone(), next(None, false)).0, Some(3));
    assert_eq!(found(&mut bench, all.clone(), next(Some(3), false)).0, Some(6));
    assert_eq!(found(&mut bench, all.clone(), next(Some(6), false)).0, Some(3), "goes round");
    assert_eq!(found(&mut bench, all.clone(), next(Some(3), true)).0, Some(6));
    assert_eq!(found(&mut bench, actions, CompareSeek::Row { row: 3 }).1, Some(2));
    assert_eq!(found(&mut bench, all.clone(), CompareSeek::Left { step: 5 }).0, Some(4));
    assert_eq!(found(&mut bench, all, CompareSeek::Right { step: 99 }), (None, None, None));
}

#[test]
fn a_run_against_itself_is_one_fold() {
    let mut bench = bench(&[("trials.json", trials())]);
    let options = CompareOptions::default;
    let job = |open: Vec<u32>| Job::CompareRows {
        left: LEFT,
        right: LEFT,
        options: options(),
        view: CompareView { open, ..CompareView::default() },
        from: 0,
        count: 100,
    };
    let Outcome::CompareRows { rows } = ask(&mut bench, job(vec![])) else { panic!("no rows") };
    assert_eq!((rows.total, rows.differences), (1, 0));
    let fold = rows.rows[0].fold.as_ref().unwrap();
    assert_eq!((fold.rows, fold.actions, fold.open), (8, 4, false));
    assert_eq!(fold.tools[0], ("get_order".to_owned(), 1));
    let Outcome::CompareRows { rows } = ask(&mut bench, job(vec![0])) else { panic!("no rows") };
    assert_eq!(rows.total, 9);
}

#[test]
fn one_row_in_full_and_the_table_as_a_file() {
    let mut bench = bench(&[("trials.json", trials())]);
    let options = CompareOptions::default;
    let pair = |row| Job::ComparePair { left: LEFT, right: RIGHT, options: options(), row };
    let Outcome::ComparePair { pair: detail } = ask(&mut bench, pair(3)) else { panic!("no pair") };
    let kinds: Vec<_> = detail.parts.iter().map(|p| (p.kind.as_str(), p.name.as_str(), p.differs)).collect();
    assert_eq!(kinds, [("tool", "", false), ("argument", "expression", true), ("result", "", true)]);
    let both = |signs: [&str; 2]| {
        let pieces = detail.parts[1].pieces.iter().filter(|(s, _)| signs.contains(&s.as_str()));
        pieces.map(|(_, t)| t.as_str()).collect::<String>()
    };
    assert_eq!((both(["=", "-"]), both(["=", "+"])), ("2 + 3".to_owned(), "(2 + 3) * 2".to_owned()));
    assert!(matches!(ask(&mut bench, pair(99)), Outcome::Fault { id, .. } if id == "fault.no-row"));
    let export = |kind: &str| Job::CompareExport { left: LEFT, right: RIGHT, options: options(), kind: kind.into() };
    let Outcome::Exported { text } = ask(&mut bench, export("markdown")) else { panic!("no text") };
    assert_eq!(text.lines().count(), 2 + 8);
    assert!(text.contains("| other arguments |"), "{text}");
    let Outcome::Exported { text } = ask(&mut bench, export("json")) else { panic!("no text") };
    valid("compare.schema.json", &serde_json::from_str(&text).unwrap());
}

#[test]
fn runs_match_what_they_carry() {
    let mut bench = bench(&[("trials.json", trials())]);
    let job = |options: MatchOptions| Job::Match { document: 1, runs: vec![], options, from: 0, count: 10 };
    let Outcome::Match { matching } = ask(&mut bench, job(MatchOptions::default())) else { panic!("no match") };
    let passes: Vec<_> = matching.verdicts.iter().map(|v| (v.pass, v.truth)).collect();
    assert_eq!(passes, [(true, Some(true)), (false, Some(false))]);
    assert_eq!((matching.summary.accuracy, matching.summary.kappa), (Some(1.0), Some(1.0)));
    let wrong = &matching.verdicts[1].wrong_args[0];
    assert_eq!(wrong.keys, [("card".to_owned(), Some("\"card_2\"".into()), Some("\"card_1\"".into()))]);
    let class = |tool: &str| matching.tools.iter().find(|t| t.tool == tool).unwrap().class.clone();
    assert_eq!((class("calculate"), class("update_order")), ("read".into(), "effect".into()));
    // With the class turned round nothing is an effect, and both pass.
    let options = MatchOptions { classes: vec![("update_order".into(), "read".into())], ..MatchOptions::default() };
    let Outcome::Match { matching } = ask(&mut bench, job(options)) else { panic!("no match") };
    assert_eq!(matching.summary.passed, 2);
    // Against the other run, and what means nothing is said.
    let options = MatchOptions { references: vec![LEFT], mode: "nonsense".into(), ..MatchOptions::default() };
    let Outcome::Match { matching } = ask(&mut bench, job(options)) else { panic!("no match") };
    assert_eq!((matching.summary.passed, matching.unknown), (1, vec!["nonsense".to_owned()]));
}

/// The page has numbers of its own for documents: every one that a job names must be found.
#[test]
fn jobs_name_their_documents() {
    let other = RunRef { document: 7, run: 3 };
    let options = CompareOptions::default;
    let view = CompareView::default;
    let matching = MatchOptions { references: vec![other], ..MatchOptions::default() };
    let jobs = [
        (Job::Compare { left: LEFT, right: other, options: options() }, vec![1, 7]),
        (
            Job::CompareRows { left: LEFT, right: other, options: options(), view: view(), from: 0, count: 1 },
            vec![1, 7],
        ),
        (Job::ComparePair { left: other, right: LEFT, options: options(), row: 0 }, vec![7, 1]),
        (Job::Match { document: 1, runs: vec![RIGHT], options: matching, from: 0, count: 1 }, vec![1, 1, 7]),
        (Job::Close { document: 4 }, vec![4]),
        (Job::Search { words: "x".into(), limit: 1 }, vec![]),
    ];
    for (mut job, expected) in jobs {
        assert_eq!(job.documents_mut().into_iter().map(|d| *d).collect::<Vec<u32>>(), expected, "{job:?}");
    }
}

#[test]
fn what_is_not_there_is_a_fault() {
    let mut bench = bench(&[("trials.json", trials())]);
    let options = CompareOptions::default();
    let nowhere = RunRef { document: 9, run: 0 };
    let job = Job::Compare { left: LEFT, right: nowhere, options };
    assert!(matches!(ask(&mut bench, job), Outcome::Fault { id, .. } if id == "fault.no-run"));
    ask(&mut bench, Job::Close { document: 1 });
    let job = Job::Compare { left: LEFT, right: RIGHT, options: CompareOptions::default() };
    assert!(matches!(ask(&mut bench, job), Outcome::Fault { .. }), "nothing is kept of a closed document");
}

#[track_caller]
fn valid(schema: &str, value: &Value) {
    let text = std::fs::read_to_string(root().join("schemas").join(schema)).unwrap();
    let schema_value: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::draft202012::new(&schema_value).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).take(5).collect();
    assert!(faults.is_empty(), "{schema}: {faults:#?}");
}

fn cli(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_skillscope")).args(args).current_dir(root()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn on_disk() -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trials.json");
    // Written aside and moved: tests run side by side.
    let aside = path.with_extension(format!("{:?}", std::thread::current().id()));
    std::fs::write(&aside, trials()).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    path.display().to_string()
}

#[test]
fn the_command_line_prints_what_its_schemas_say() {
    let file = on_disk();
    let (first, second) = (format!("{file}#1"), format!("{file}#2"));
    let (code, out, err) = cli(&["compare", &first, &second, "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let value: Value = serde_json::from_str(&out).unwrap();
    valid("compare.schema.json", &value);
    assert_eq!(value["first_divergence"]["cause"], "other_arguments");
    assert_eq!(value["first_divergence"]["left"], 2);
    assert_eq!(value["ratio"], 0.5);
    let (code, out, _) = cli(&["compare", &first, &second]);
    assert!(code == Some(0) && out.contains("first divergence at action 3 | 3: Both call calculate"), "{out}");
    let (code, out, err) = cli(&["match", &file, "--reference", "carried", "--json"]);
    assert_eq!(code, Some(1), "one run fails: {err}");
    let value: Value = serde_json::from_str(&out).unwrap();
    valid("match.schema.json", &value);
    assert_eq!(value["summary"]["kappa"], 1.0);
    assert_eq!(value["summary"]["modes"]["exact"]["passed"], 0);
    let (code, out, _) = cli(&["match", &second, "--reference", &second, "--mode", "exact"]);
    assert!(code == Some(0) && out.starts_with("pass 1.00"), "{out}");
    // A run without any thought and one of another format are aligned as well.
    let (code, out, _) = cli(&["compare", &first, "tests/fixtures/claude-code/parallel.jsonl", "--json"]);
    assert_eq!(code, Some(0));
    valid("compare.schema.json", &serde_json::from_str(&out).unwrap());
}

#[test]
fn usage_is_exit_code_2() {
    let file = on_disk();
    let numbered = format!("{file}#7");
    for args in [
        &["compare", &file][..],
        &["compare", &file, &file],
        &["compare", &numbered, &numbered],
        &["compare", &file, &file, "--same", "x"],
        &["compare", &file, &file, "--threshold", "2"],
        &["compare", "no/such/file", &file],
        &["match", &file],
        &["match", &file, "--reference", "carried", "--mode", "x"],
        &["match", &file, "--reference", "carried", "--class", "x"],
        &["match", &file, "--reference", "carried", "--reference", &file],
        &["match", "tests/fixtures/claude-code/parallel.jsonl", "--reference", "carried"],
    ] {
        let (code, out, err) = cli(args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(!err.trim().is_empty() && !err.contains("panicked"), "{args:?}: {err}");
    }
}

fn sample(path: &str) -> Option<Vec<u8>> {
    let folder = std::env::var("SKILLSCOPE_CORPUS").unwrap_or_else(|_| "../shared/samples".into());
    let path = Path::new(&folder).join(path);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!("{} is not here: nothing was checked", path.display());
    }
    bytes
}

fn compared(left: &Run, right: &Run) -> Comparison {
    compare(left, right, &Params::default())
}

/// A passing and a failing trial of one task: both do the same until the failing one doubles the fare.
#[test]
fn corpus_two_trials_part_at_the_sum() {
    let Some(bytes) = sample("tau-bench/gpt-4o-airline.json") else { return };
    let runs = common::import_one("gpt-4o-airline.json", &bytes).runs;
    let trial = |id: &str| runs.iter().find(|r| r.id.as_deref() == Some(id)).unwrap();
    let (passed, failed) = (trial("26/2"), trial("26/3"));
    let found = compared(passed, failed);
    assert_eq!((found.actions.pairs.len(), found.actions.steps.clone().map(|s| s.len())), (7, [11, 9]));
    assert_eq!(found.actions.ratio, 0.7);
    let d = found.divergence.unwrap();
    assert_eq!((d.cause, d.at), (Cause::OtherArguments, [Some(7), Some(7)]));
    assert_eq!(d.downstream.map(|d| d.actions), [3, 1]);
    // The try that failed has no counterpart; the one that went through stands beside the other's.
    let actions: Vec<_> = found.rows.iter().filter(|r| r.is_action).skip(7).map(|r| r.relation).collect();
    use Relation::{OnlyLeft, OtherArguments};
    assert_eq!(actions, [OtherArguments, OnlyLeft, OnlyLeft, OtherArguments]);
}

/// Two scaffolds on one issue: the same thoughts and actions, once as lines of text and once as objects, until one
/// edits a range of lines and the other one inserts.
#[test]
fn corpus_two_scaffolds_part_at_the_edit() {
    let paths = ["default", "function_calling_replace_from_source"];
    let runs: Vec<Run> = paths
        .iter()
        .filter_map(|p| sample(&format!("swe-agent/demo.marshmallow-1867.{p}.traj")))
        .map(|bytes| common::import_one("demo.traj", &bytes).runs.remove(0))
        .collect();
    let [left, right] = runs.as_slice() else { return };
    let found = compared(left, right);
    let d = found.divergence.unwrap();
    assert_eq!((d.cause, d.at), (Cause::OtherTool, [Some(4), Some(4)]), "{d:?}");
    assert_eq!(d.thoughts, Some(skillscope::align::ONE), "the thought is the same");
    let tool = |run: &Run, at: Option<u32>| run.steps[at.unwrap() as usize].call.as_deref().unwrap().tool.to_string();
    assert_eq!((tool(left, d.steps[0]), tool(right, d.steps[1])), ("edit".into(), "insert".into()));
    assert!(found.other_action.iter().any(|c| c.actions == [d.steps[0].unwrap(), d.steps[1].unwrap()]));
}

/// Pairs of runs of the corpus: figures within their bounds, each step in one row, nothing panics.
#[test]
fn corpus_pairs_hold_together() {
    let Some(bytes) = sample("tau-bench/gpt-4o-airline.json") else { return };
    let runs = common::import_one("gpt-4o-airline.json", &bytes).runs;
    for (left, right) in runs.iter().zip(runs.iter().skip(50)).step_by(5) {
        let found = compared(left, right);
        for track in [&found.actions, &found.thoughts] {
            assert!((0.0..=1.0).contains(&track.ratio) && track.order_loss >= 0.0 && track.bag_ratio <= 1.0);
        }
        for side in 0..2 {
            let steps: Vec<u32> = found.rows.iter().filter_map(|r| r.steps[side]).collect();
            assert!(steps.windows(2).all(|w| w[0] < w[1]));
        }
        let same = compared(left, left);
        assert!(same.actions.ratio == 1.0 && same.divergence.is_none());
    }
}
