//! Matching against a reference: vectors of other programs, brute force, and tables in the one-line notation.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::property;
use proptest::prelude::*;
use serde_json::Value;
use skillscope::matching::{
    ArgRule, Confusion, Item, Mode, Options, Reference, Verdict, confusion, items_of, match_run, missing_answers,
    reference_run,
};
use skillscope::model::notation::parse;
use skillscope::model::{Args, ArgsForm, Effect};

fn vectors(name: &str) -> Option<Vec<Value>> {
    let folder = std::env::var("SKILLSCOPE_VECTORS").unwrap_or_else(|_| "../shared/vectors".into());
    let path = std::path::Path::new(&folder).join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{} is not here: nothing was checked", path.display());
        return None;
    };
    Some(text.lines().map(|l| serde_json::from_str(l).unwrap()).collect())
}

fn item(call: &Value, group: u32) -> Item {
    let args = Args { raw: call[1].to_string().into(), form: ArgsForm::Json };
    Item {
        tool: call[0].as_str().unwrap().into(),
        args: skillscope::matching::Canon::new(&args),
        effect: Effect::Change,
        failed: false,
        group,
        step: None,
        optional: false,
    }
}

fn flat(calls: &Value) -> Vec<Item> {
    calls.as_array().unwrap().iter().enumerate().map(|(i, c)| item(c, i as u32)).collect()
}

fn turns(turns: &Value) -> Vec<Item> {
    let turns = turns.as_array().unwrap().iter().enumerate();
    turns.flat_map(|(g, t)| t.as_array().unwrap().iter().map(move |c| item(c, g as u32))).collect()
}

fn rule(rule: ArgRule) -> Options {
    Options { rules: vec![("*".into(), rule)], ..Options::default() }
}

fn verdict(run: &[Item], reference: &[Item], mode: Mode, options: &Options) -> Verdict {
    let reference = Reference { name: "r".into(), items: reference.to_vec(), grouped: true };
    match_run(run, &[reference], mode, options, &[]).unwrap()
}

#[test]
fn vectors_adk_trajectory() {
    let Some(lines) = vectors("adk_trajectory.jsonl") else { return };
    for (n, v) in lines.iter().enumerate() {
        let (run, reference) = (flat(&v["actual"]), flat(&v["expected"]));
        for (name, mode) in [("EXACT", Mode::Exact), ("IN_ORDER", Mode::InOrder), ("ANY_ORDER", Mode::AnyOrder)] {
            for (args, options) in [("args", rule(ArgRule::Exact)), ("ignore", rule(ArgRule::Ignore))] {
                let theirs = v["res"][format!("{name}/{args}")].as_f64().unwrap() == 1.0;
                let ours = verdict(&run, &reference, mode, &options).pass;
                assert_eq!(ours, theirs, "line {}: {name}/{args}: {v}", n + 1);
            }
        }
    }
    assert_eq!(lines.len(), 200);
}

#[test]
fn vectors_agentevals_match() {
    let Some(lines) = vectors("agentevals_match.jsonl") else { return };
    let mut differ: Vec<String> = Vec::new();
    for (n, v) in lines.iter().enumerate() {
        let (run, reference) = (turns(&v["outputs"]), turns(&v["reference"]));
        for (name, mode) in [
            ("strict", Mode::Exact),
            ("unordered", Mode::Unordered),
            ("subset", Mode::Subset),
            ("superset", Mode::AnyOrder),
        ] {
            for (args, argument_rule) in [
                ("exact", ArgRule::Exact),
                ("ignore", ArgRule::Ignore),
                ("subset", ArgRule::OutSubset),
                ("superset", ArgRule::RefSubset),
            ] {
                let theirs = v["res"][format!("{name}/{args}")].as_bool().unwrap();
                let ours = verdict(&run, &reference, mode, &rule(argument_rule)).pass;
                if ours != theirs {
                    differ.push(format!("{} {name}/{args}", n + 1));
                }
            }
        }
    }
    assert_eq!(lines.len(), 200);
    assert_eq!(differ, DELIBERATE, "verdicts that differ from agentevals");
}

/// Lines and modes where we differ on purpose, because of two faults of theirs: each reference call takes the first call
/// that fits, so that another one may go without although there is a way for both; and `subset`, and the second half of
/// `unordered`, compare the arguments in the opposite direction. `vectors_agentevals_faults_explain_every_difference` shows that
/// nothing else is behind these lines.
const DELIBERATE: [&str; 20] = [
    "50 subset/subset",
    "50 subset/superset",
    "66 superset/superset",
    "91 subset/subset",
    "91 subset/superset",
    "94 subset/subset",
    "94 subset/superset",
    "112 subset/superset",
    "165 unordered/subset",
    "165 unordered/superset",
    "165 subset/superset",
    "165 superset/subset",
    "184 unordered/subset",
    "184 unordered/superset",
    "184 subset/subset",
    "184 superset/superset",
    "186 unordered/subset",
    "186 unordered/superset",
    "186 subset/superset",
    "186 superset/subset",
];

/// Their way, faults included, gives every verdict of theirs.
#[test]
fn vectors_agentevals_faults_explain_every_difference() {
    let Some(lines) = vectors("agentevals_match.jsonl") else { return };
    // Each call of `wanted` takes the first free call of `from` that fits.
    fn greedy(from: &[Item], wanted: &[Item], fits: &dyn Fn(&Item, &Item) -> bool) -> bool {
        let mut free: Vec<&Item> = from.iter().collect();
        wanted.iter().all(|w| match free.iter().position(|f| fits(f, w)) {
            Some(at) => {
                free.remove(at);
                true
            }
            None => false,
        })
    }
    for (n, v) in lines.iter().enumerate() {
        let (run, reference) = (turns(&v["outputs"]), turns(&v["reference"]));
        for (args, argument_rule) in [("subset", ArgRule::OutSubset), ("superset", ArgRule::RefSubset)] {
            let options = rule(argument_rule);
            let fits = |x: &Item, y: &Item| {
                let one = |i: &Item| Item { group: 0, ..i.clone() };
                verdict(&[one(x)], &[one(y)], Mode::Unordered, &options).pass
            };
            let superset = greedy(&run, &reference, &fits);
            let subset = greedy(&reference, &run, &fits);
            for (mode, ours) in [("superset", superset), ("subset", subset), ("unordered", superset && subset)] {
                let theirs = v["res"][format!("{mode}/{args}")].as_bool().unwrap();
                assert_eq!(ours, theirs, "line {}: {mode}/{args}", n + 1);
            }
        }
    }
}

/// Kappa of verdicts against the truth, on those lines that have two classes.
#[test]
fn vectors_kappa_of_verdicts() {
    let Some(lines) = vectors("kappa.jsonl") else { return };
    let mut checked = 0;
    for v in lines.iter().filter(|v| v["k"] == 2) {
        let side = |name: &str| v[name].as_array().unwrap().iter().map(|x| x.as_u64() == Some(1)).collect::<Vec<_>>();
        let ours = confusion(side("a").into_iter().zip(side("b"))).kappa();
        match (v["kappa"].as_f64(), ours) {
            (Some(theirs), Some(ours)) => assert!((theirs - ours).abs() < 1e-9, "{v}: {ours}"),
            (theirs, ours) => assert_eq!(theirs, ours, "{v}"),
        }
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}

/// Calls over few tools and argument sets, so that pairs compete.
fn calls() -> impl Strategy<Value = Vec<(u8, Vec<u8>)>> {
    prop::collection::vec((0u8..2, prop::collection::vec(0u8..2, 0..3)), 0..6)
}

fn items(calls: &[(u8, Vec<u8>)]) -> Vec<Item> {
    let value = |(tool, args): &(u8, Vec<u8>)| {
        let args: serde_json::Map<String, Value> =
            args.iter().zip(["x", "y"]).map(|(v, k)| (k.to_owned(), Value::from(*v))).collect();
        serde_json::json!([format!("t{tool}"), args])
    };
    calls.iter().enumerate().map(|(i, c)| item(&value(c), i as u32)).collect()
}

/// The largest matching, by trying everything.
fn brute(fits: &dyn Fn(usize, usize) -> bool, n: usize, m: usize, i: usize, used: u32) -> usize {
    if i == n {
        return 0;
    }
    let mut best = brute(fits, n, m, i + 1, used);
    for j in 0..m {
        if used & 1 << j == 0 && fits(i, j) {
            best = best.max(1 + brute(fits, n, m, i + 1, used | 1 << j));
        }
    }
    best
}

fn rules() -> impl Strategy<Value = ArgRule> {
    prop::sample::select(vec![
        ArgRule::Exact,
        ArgRule::Ignore,
        ArgRule::RefSubset,
        ArgRule::OutSubset,
        ArgRule::Keys(vec!["x".into()]),
        ArgRule::parse("ignore:y").unwrap(),
        ArgRule::parse("within:x=1").unwrap(),
    ])
}

#[test]
fn matchings_are_maximal_and_figures_follow() {
    property(400, &(calls(), calls(), rules()), |(a, r, argument_rule)| {
        let (run, reference) = (items(&a), items(&r));
        let options = rule(argument_rule);
        let single = |i: usize, j: usize| {
            let one = |x: &Item| Item { group: 0, ..x.clone() };
            verdict(&[one(&run[i])], &[one(&reference[j])], Mode::Unordered, &options).pass
        };
        let (n, m) = (run.len(), reference.len());
        let most = brute(&single, n, m, 0, 0);
        let found = verdict(&run, &reference, Mode::Unordered, &options);
        prop_assert_eq!(found.pairs.len(), most);
        prop_assert!(found.pairs.iter().all(|(i, j)| single(*i as usize, *j as usize)));
        prop_assert_eq!(found.pass, most == n && n == m);
        prop_assert_eq!(verdict(&run, &reference, Mode::AnyOrder, &options).pass, most == m);
        prop_assert_eq!(verdict(&run, &reference, Mode::Subset, &options).pass, most == n);
        prop_assert_eq!(found.precision, (n > 0).then(|| most as f64 / n as f64));
        prop_assert_eq!(found.recall, (m > 0).then(|| most as f64 / m as f64));
        // Every call is in exactly one list.
        let wrong = found.wrong_args.len();
        prop_assert_eq!(found.pairs.len() + found.extra.len() + wrong, n);
        prop_assert_eq!(found.pairs.len() + found.missing.len() + wrong, m);
        // In order, the plain way.
        let mut longest = vec![vec![0; m + 1]; n + 1];
        for i in (0..n).rev() {
            for j in (0..m).rev() {
                let with = if single(i, j) { 1 + longest[i + 1][j + 1] } else { 0 };
                longest[i][j] = with.max(longest[i + 1][j]).max(longest[i][j + 1]);
            }
        }
        let lcs = longest[0][0];
        prop_assert_eq!(found.edit_distance as usize, n + m - 2 * lcs);
        prop_assert_eq!(verdict(&run, &reference, Mode::InOrder, &options).pass, lcs == m);
        prop_assert_eq!(verdict(&run, &reference, Mode::Exact, &options).pass, n == m && (0..n).all(|i| single(i, i)));
        for mode in Mode::ALL {
            let v = verdict(&run, &reference, mode, &options);
            prop_assert!((0.0..=1.0).contains(&v.score), "{mode:?} {}", v.score);
            prop_assert!(!v.pass || v.score == 1.0, "{mode:?}: passed with {}", v.score);
        }
        Ok(())
    });
}

#[test]
fn a_run_matches_itself_in_every_mode() {
    property(200, &(calls(), rules()), |(a, argument_rule)| {
        let run = items(&a);
        for mode in Mode::ALL {
            let v = verdict(&run, &run, mode, &rule(argument_rule.clone()));
            prop_assert!(v.pass && v.score == 1.0 && v.reordered.is_empty(), "{mode:?}: {v:?}");
        }
        Ok(())
    });
}

/// Matches one-line runs; says `pass score` and the costs.
#[track_caller]
fn check(run: &str, reference: &str, mode: Mode, options: &Options, expected: &str) {
    let run = parse(run).unwrap();
    let reference = reference_run("r", &parse(reference).unwrap(), options);
    let answers = missing_answers(&run, options);
    let v = match_run(&items_of(&run, options), &[reference], mode, options, &answers).unwrap();
    let mut out = format!("{} {:.2}", if v.pass { "pass" } else { "fail" }, v.score);
    for (name, n) in [
        ("missing", v.missing.len()),
        ("extra", v.extra.len()),
        ("wrong", v.wrong_args.len()),
        ("reordered", v.reordered.len()),
        ("forbidden", v.forbidden.len()),
        ("unclassified", v.unclassified as usize),
        ("answers", v.answers.len()),
    ] {
        if n > 0 {
            out.push_str(&format!(" {name} {n}"));
        }
    }
    assert_eq!(out, expected, "{} {} against {}", mode.id(), run.title, expected);
}

#[test]
fn tables() {
    let plain = Options::default();
    let check_plain = |run, reference, mode, expected| check(run, reference, mode, &plain, expected);
    // Reads and what failed do not count as effects.
    check_plain("Read1 Edit1 Edit2!", "Edit1", Mode::Effects, "pass 1.00");
    check_plain("Edit1 Edit2", "Edit1", Mode::Effects, "fail 0.67 extra 1");
    check_plain("Edit2", "Edit1", Mode::Effects, "fail 0.00 wrong 1");
    check_plain("Edit1 Edit1", "Edit1", Mode::Effects, "fail 0.67 extra 1");
    check_plain("Read1", "Read2", Mode::Effects, "pass 1.00");
    check_plain("Edit1", "Read1", Mode::Effects, "fail 0.00 extra 1");
    check_plain("Edit1 Submit", "Edit1", Mode::Effects, "pass 1.00");
    check_plain("Bash\"make\" Edit1", "Edit1", Mode::Effects, "fail 0.67 extra 1 unclassified 1");
    check_plain("Edit2 Edit1", "Edit1 Edit2", Mode::Effects, "pass 1.00 reordered 1");
    check_plain("Edit2 Edit1", "Edit1 Edit2", Mode::EffectsInOrder, "fail 0.50 reordered 1");
    check_plain("A1 B1 C1", "A1 C1", Mode::InOrder, "pass 1.00 extra 1");
    check_plain("C1 A1", "A1 C1", Mode::InOrder, "fail 0.50 reordered 1");
    check_plain("C1 A1", "A1 C1", Mode::AnyOrder, "pass 1.00 reordered 1");
    check_plain("[A1 B1] C1", "[B1 A1] C1", Mode::Exact, "pass 0.67 reordered 1");
    check_plain("A1 B1 C1", "[B1 A1] C1", Mode::Exact, "fail 0.67 reordered 1");
    check_plain("", "", Mode::Effects, "pass 1.00");
    check_plain("A1 B1", "A1 B1 A1 B1", Mode::DfgFit, "pass 1.00 missing 2");
    check_plain("A1 C1", "A1 B1", Mode::DfgFit, "fail 0.33 missing 1 extra 1");
    let with = |options: Options, run, reference, mode, expected| check(run, reference, mode, &options, expected);
    let optional = || Options { optional: vec!["B".into()], ..Options::default() };
    with(optional(), "A1 C1", "A1 B1 C1", Mode::Exact, "pass 1.00");
    with(optional(), "A1 B1 C1", "A1 B1 C1", Mode::Exact, "pass 1.00");
    with(optional(), "A1 B1", "A1 B1 C1", Mode::Exact, "fail 0.80 missing 1");
    with(optional(), "A1", "A1 B1", Mode::Unordered, "pass 1.00");
    let forbidden = Options { forbidden: vec!["X".into()], ..Options::default() };
    with(forbidden, "A1 X1!", "A1", Mode::Effects, "fail 1.00 forbidden 1");
    let class = Options { classes: vec![("Read".into(), Effect::Change)], ..Options::default() };
    with(class, "Read1", "", Mode::Effects, "fail 0.00 extra 1");
    let answers = Options { answers: vec!["1,194".into()], ..Options::default() };
    with(answers.clone(), "A1 s\"it is $1194 in all\"", "A1", Mode::Effects, "pass 1.00");
    with(answers, "A1 s\"it is $597\"", "A1", Mode::Effects, "fail 1.00 answers 1");
}

#[test]
fn of_several_references_the_best_counts() {
    let options = Options::default();
    let reference = |text: &str| reference_run(text, &parse(text).unwrap(), &options);
    let references = [reference("A1 B1"), reference("A1 C1"), reference("D1")];
    let run = items_of(&parse("C1 A1").unwrap(), &options);
    let v = match_run(&run, &references, Mode::Unordered, &options, &[]).unwrap();
    assert!(v.pass && v.reference == 1);
    assert!(match_run(&run, &[], Mode::Unordered, &options, &[]).is_none());
    // Steps of any reference are allowed.
    let run = items_of(&parse("A1 C1 ").unwrap(), &options);
    assert!(match_run(&run, &references, Mode::DfgFit, &options, &[]).unwrap().pass);
}

#[test]
fn wrong_arguments_are_named() {
    let options = Options::default();
    let args = |raw: &str| Item {
        args: skillscope::matching::Canon::new(&Args { raw: raw.into(), form: ArgsForm::Json }),
        ..items_of(&parse("Edit").unwrap(), &options)[0].clone()
    };
    let run = [args(r#"{"a":1,"b":2,"c":3}"#), args(r#"{"a":9}"#)];
    let v = verdict(&run, &[args(r#"{"a":1,"b":5,"d":4}"#)], Mode::Effects, &options);
    assert_eq!((v.wrong_args.len(), v.extra.clone()), (1, vec![1]));
    let keys: Vec<_> =
        v.wrong_args[0].keys.iter().map(|k| (k.key.as_str(), k.run.as_deref(), k.reference.as_deref())).collect();
    assert_eq!(keys, [("b", Some("2"), Some("5")), ("c", Some("3"), None), ("d", None, Some("4"))]);
    assert_eq!(v.wrong_args[0].in_common, 0.25);
}

#[test]
fn agreement_with_the_truth() {
    let table = confusion([(true, true), (true, false), (false, false), (false, false)]);
    assert_eq!(table, Confusion { true_pass: 1, false_pass: 1, false_fail: 0, true_fail: 2 });
    assert_eq!((table.accuracy(), table.kappa()), (Some(0.75), Some(0.5)));
    assert_eq!(confusion([(true, true)]).kappa(), None, "chance alone agrees");
    assert_eq!(confusion([]).accuracy(), None);
}

/// The gate of the default mode: with the reward as truth, kappa 0.94 or more on the airline runs.
#[test]
fn corpus_effects_agree_with_the_reward() {
    let folder = std::env::var("SKILLSCOPE_CORPUS").unwrap_or_else(|_| "../shared/samples".into());
    let path = std::path::Path::new(&folder).join("tau-bench/gpt-4o-airline.json");
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("{} is not here: nothing was checked", path.display());
        return;
    };
    let runs = common::import_one("gpt-4o-airline.json", &bytes).runs;
    assert_eq!(runs.len(), 200);
    let options = Options::default();
    let of = |mode: Mode| {
        confusion(runs.iter().map(|run| {
            let references = [skillscope::matching::carried(run, &options)];
            let v = match_run(&items_of(run, &options), &references, mode, &options, &[]).unwrap();
            (v.pass, skillscope::matching::truth(run).unwrap())
        }))
    };
    let effects = of(Mode::Effects);
    println!("effects {effects:?} {:?} exact {:?} {:?}", effects.kappa(), of(Mode::Exact), of(Mode::Exact).kappa());
    assert!(effects.kappa().unwrap() >= 0.94, "{effects:?}");
    assert!(of(Mode::Exact).kappa().unwrap() < 0.3);
}
