//! Loops: a table in the one-line notation, properties, and the labelled families of the oracle vectors.
//! Vectors: `SKILLSCOPE_VECTORS`, else `../shared/vectors` beside the project. Said aloud when they are not there.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use skillscope::loops::{DETECTORS, Detector, Loops, Params, Verdict, WhyNot, analyse};
use skillscope::model::notation::parse;
use skillscope::model::{Args, ArgsForm, Call, CallStatus, Content, Lane, Observation, Run, Step, StepKind};

fn loops(text: &str) -> Loops {
    analyse(&parse(text).unwrap(), &Params::default())
}

/// `id start..end pPERIOD xTIMES`, joined by commas.
fn told(loops: &Loops) -> String {
    let spans =
        loops.spans.iter().map(|s| format!("{} {}..{} p{} x{}", s.detector.id(), s.start, s.end, s.period, s.times));
    spans.collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(text: &str, spans: &str, wasted: usize, verdict: Verdict) {
    let found = loops(text);
    assert_eq!((told(&found).as_str(), found.waste.steps.len(), found.verdict), (spans, wasted, verdict), "{text}");
}

#[test]
fn detectors() {
    use Verdict::*;
    check("", "", 0, None);
    check("u A1 B1 C1", "", 0, None);
    // D1: three rounds, whatever the period.
    check("A1 A1", "", 0, None);
    check("u A1 A1 A1 B1 s C1 D1 E1 F1 s", "D1 0..3 p1 x3", 2, Recovered);
    check("X1 A1 B1 A1 B1 A1 B1 Y1 s", "D1 1..7 p2 x3", 4, Recovered);
    check("A1 B1 A1 B1 A1 s", "", 0, None);
    check("u A1 A2 A3 A4 s", "", 0, None);
    check(
        "A1 A1 A1 B1 A1 A1 A1 B1 A1 A1 A1 B1 s",
        "D1 0..12 p4 x3, D1 0..3 p1 x3, D1 4..7 p1 x3, D1 8..11 p1 x3",
        10,
        Recovered,
    );
    // Without an observation nobody knows; a last call counts as one more round.
    check("A1? A1? A1? B1 s", "D1w 0..3 p1 x3", 0, None);
    check("A1 A1 A1 A1? $limit", "D1 0..4 p1 x4", 3, Stuck);
    check("A1 B1! A1 B1! A1 B1? $limit", "D1 0..6 p2 x3", 4, Stuck);
    // D1w: the outcome changes.
    check("Poll1=10% Poll1=35% Poll1=60% Poll1=done s", "D1w 0..4 p1 x4", 0, None);
    // D2: adjacent failures, the text may differ.
    check("A1!=\"error one here\" A1!=\"error two here\" A1!=\"error three here\" s", "D2 0..3 p1 x3", 2, Recovered);
    check("A1! A1! B1 s", "", 0, None);
    // D2g: work between the tries, the same failure.
    let commit = "Commit1!=\"dialyzer error a.ex:57:13:match\"";
    check(&format!("{commit} Edit1 {commit} Edit2 Read3 {commit} s"), "D2g 0..6 p1 x3", 2, Recovered);
    check(&format!("{commit} Edit1 {commit} E2 E3 E4 E5 E6 {commit} s"), "", 0, None);
    check(&format!("{commit} Edit1 {commit} Edit2 Commit1 Edit3 {commit} s"), "", 0, None);
    check("T1!=\"5 failed tests\" E1 T1!=\"4 failed tests\" E2 T1!=\"3 failed tests\" E3 T1 s", "", 0, None);
    // D3: reads of one epoch, adjacent or not.
    check("Read1 Read2 Read1 Read3 Read1 s", "D3 0..5 p1 x3", 2, Recovered);
    check("Read1 Read2 Read1 s", "", 1, None);
    check("Read1 Edit1 Read1 Edit2 Read1 s", "", 0, None);
    check("Read1 Read2 Read1 c Read2 Read1 s", "", 1, None);
    check("Read1=a Read1=b Read1=c Read1=d s", "D1w 0..4 p1 x4", 0, None);
    // Each lane for itself.
    check("T1<Read1> T2<Read1> T3<Read1> s", "", 0, None);
    check("[T1<Read1> T2<Read1 Read1 Read1>] s", "D1 3..6 p1 x3", 2, Recovered);
}

#[test]
fn the_verdict_follows_the_end_of_the_run() {
    use Verdict::*;
    let looped = "A1 ".repeat(8);
    for (end, verdict) in [
        ("$limit", Stuck),
        ("", Stuck),
        ("$error", Stuck),
        ("s", Recovered),
        ("$finished", Recovered),
        ("s $limit", Stuck),
        ("Submit", Recovered),
    ] {
        assert_eq!(loops(&format!("{looped}{end}")).verdict, verdict, "{end}");
    }
    // Neither the last five calls nor the last tenth.
    assert_eq!(loops(&format!("{looped}B1 B2 B3 B4 B5 $limit")).verdict, Recovered);
    assert_eq!(loops(&format!("{looped}B1 B2 B3 B4 $limit")).verdict, Stuck);
    let long: String = (0..60).map(|i| format!("C{i} ")).collect();
    assert_eq!(loops(&format!("{long}{looped}B1 B2 B3 B4 B5 B6 $limit")).verdict, Stuck);
    assert_eq!(loops(&format!("{long}{looped}B1 B2 B3 B4 B5 B6 B7 B8 $limit")).verdict, Recovered);
}

#[test]
fn recovery_is_the_first_new_success_or_the_same_kind_passing() {
    assert_eq!(loops("A1 A1 A1 A1! B1! C1 s").recovery, Some(5));
    let commit = "Bash\"git add -A && git commit -m x\"";
    let run =
        format!("{commit}! E1 {commit}! E2 {commit}! Bash\"git status\" E3 Bash\"git add a && git commit -m x\" s");
    let mut parsed = parse(&run).unwrap();
    for call in parsed.steps.iter_mut().filter_map(|s| s.call.as_deref_mut()) {
        call.args.raw = call.args.raw.replace("\"text\"", "\"command\"").into();
    }
    let found = analyse(&parsed, &Params::default());
    assert_eq!((told(&found).as_str(), found.recovery), ("D2g 0..5 p1 x3", Some(7)));
}

#[test]
fn waste_is_counted_in_every_unit() {
    let found = loops("A1@100:10:0.5 A1@200:20:0.25 A1@300:30 B1 s");
    assert_eq!(found.waste.steps, [1, 2]);
    assert_eq!(found.waste.ratio, Some(0.5));
    assert_eq!((found.waste.tokens.value, found.waste.tokens.known_fraction), (Some(550.0), Some(1.0)));
    assert_eq!(found.waste.output_tokens.value, Some(50.0));
    assert_eq!((found.waste.cost.value, found.waste.cost.known_fraction), (Some(0.25), Some(0.5)));
    assert_eq!(found.waste.seconds.value, Some(2.0));
    // A turn's usage is shared among its calls.
    let found = loops("A1 [A1@100:10 A1] s");
    assert_eq!(found.waste.tokens.value, Some(110.0));
    let found = loops("A1 A1 [A1@100:10 B1] s");
    assert_eq!((found.waste.tokens.value, found.waste.tokens.known_fraction), (Some(55.0), Some(0.5)));
    // Unknown is unknown, and no calls give no ratio.
    assert_eq!(loops("A1 A1 A1 s").waste.tokens.value, None);
    assert_eq!(loops("u s").waste.ratio, None);
}

#[test]
fn near_misses_say_why() {
    let near = |text: &str| -> Vec<(Detector, f64, WhyNot, Option<u32>)> {
        loops(text).near.iter().map(|n| (n.detector, n.have, n.why, n.broken_by)).collect()
    };
    assert_eq!(near("A1 B1 A1 B1 A1 C1"), [(Detector::ExactCycle, 2.5, WhyNot::OtherCall, Some(5))]);
    assert_eq!(near("A1 A1 A1=new"), [(Detector::ExactCycle, 2.0, WhyNot::OtherResult, Some(2))]);
    assert_eq!(
        near("A1!=\"error one here\" A1!=\"error two here\" A1 s"),
        [(Detector::KeepsFailing, 2.0, WhyNot::Succeeded, Some(2))]
    );
    assert_eq!(
        near("T1!=\"error one here\" E1 T1!=\"error one here\" E2 T1!=\"error two here\""),
        [(Detector::KeepsFailingGapped, 2.0, WhyNot::OtherError, Some(4))]
    );
    assert_eq!(near("Read1 A1 B1 Read1 s").len(), 0);
    assert_eq!(near("Read1 Read2 Read1 E1 Read1 s"), [(Detector::Redundant, 2.0, WhyNot::WorldChanged, Some(4))]);
}

#[test]
fn long_runs_of_one_action_and_of_two_are_found_whole() {
    for times in [53u32, 34, 25] {
        let head: String = (0..11).map(|i| format!("B{i} ")).collect();
        let found = loops(&format!("u {head}{}$limit", "A1 ".repeat(times as usize)));
        assert_eq!(told(&found), format!("D1 11..{} p1 x{times}", 11 + times));
        assert_eq!((found.verdict, found.waste.steps.len()), (Verdict::Stuck, times as usize - 1));
    }
    let found = loops(&format!("u C1 {}$limit", "A1 B1! ".repeat(18)));
    assert_eq!(told(&found), "D1 1..37 p2 x18");
    assert_eq!((found.verdict, found.waste.steps.len()), (Verdict::Stuck, 34));
}

#[test]
fn the_table_of_detectors_is_whole() {
    for detector in [
        Detector::ExactCycle,
        Detector::WeakCycle,
        Detector::KeepsFailing,
        Detector::KeepsFailingGapped,
        Detector::Redundant,
        Detector::Cosmetic,
        Detector::SameFailure,
        Detector::FlipFlop,
        Detector::Monologue,
        Detector::Stagnation,
        Detector::Chanting,
        Detector::Thrash,
        Detector::LongRepeat,
    ] {
        assert_eq!(DETECTORS.iter().filter(|e| e.detector == detector).count(), 1);
    }
}

fn any_run() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        8 => (prop::sample::select(vec!["A", "B", "Read", "Bash"]), 0u8..3, prop::sample::select(vec!["", "", "!", "?", "%", "=x"]))
            .prop_map(|(tool, arg, end)| format!("{tool}{arg}{end}")),
        1 => Just("u".to_owned()),
        1 => Just("c".to_owned()),
        2 => Just("s\"so I look at the file again\"".to_owned()),
        1 => Just("\"thinking of the same thing\"".to_owned()),
        1 => Just("[A1 B1 A1]".to_owned()),
        1 => Just("T1<Read1 Read1 A1>".to_owned()),
    ];
    (prop::collection::vec(token, 0..40), 1usize..5).prop_map(|(tokens, times)| {
        let one = tokens.join(" ");
        vec![one; times].join(" ")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn waste_never_exceeds_the_run_and_spans_stay_inside(text in any_run(), rounds in 2u32..5, gap in 0u32..6) {
        let run = parse(&text).unwrap();
        let params = Params { rounds, gap, ..Params::default() };
        let found = analyse(&run, &params);
        let n = run.calls() as u32;
        prop_assert!(found.waste.steps.windows(2).all(|w| w[0] < w[1]));
        prop_assert!(found.waste.steps.len() < n.max(1) as usize);
        prop_assert!(found.waste.ratio.is_none_or(|r| (0.0..=1.0).contains(&r)));
        prop_assert_eq!(found.waste.ratio.is_none(), n == 0);
        for span in &found.spans {
            prop_assert!(span.start <= span.end && span.end <= n);
            prop_assert!(span.wasted.iter().all(|w| span.steps.contains(w)));
            let of_calls = !matches!(
                span.detector,
                Detector::Monologue | Detector::Stagnation | Detector::Chanting | Detector::Thrash
            );
            prop_assert!(span.steps.iter().all(|&s| run.steps[s as usize].is_action() == of_calls));
            prop_assert!(!of_calls || span.start < span.end);
            prop_assert!(span.steps.windows(2).all(|w| w[0] < w[1]));
            prop_assert!(span.severity >= span.detector.entry().severity);
            prop_assert!(span.detector.entry().counts_as_waste || span.wasted.is_empty());
        }
        for near in &found.near {
            prop_assert!(near.have < f64::from(near.need));
        }
        prop_assert_eq!(analyse(&run, &params), found);
    }

    #[test]
    fn a_planted_cycle_is_found(period in 1usize..6, times in 3usize..20, before in 0usize..10, after in 0usize..10) {
        let part = |tool: &str, n: usize| (0..n).map(|i| format!("{tool}{i} ")).collect::<String>();
        let text = format!("{}{}{}", part("X", before), part("A", period).repeat(times), part("Y", after));
        let found = loops(&text);
        let wanted = format!("D1 {before}..{} p{period} x{times}", before + period * times);
        prop_assert_eq!(told(&found), wanted);
        prop_assert_eq!(found.waste.steps.len(), period * (times - 1));
    }
}

fn vectors() -> Option<PathBuf> {
    let folder = std::env::var_os("SKILLSCOPE_VECTORS")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors"));
    if folder.join("loop_families.jsonl").is_file() {
        return Some(folder);
    }
    eprintln!("NOT RUN: the vectors are not at {} (set SKILLSCOPE_VECTORS)", folder.display());
    None
}

fn family_run(steps: &serde_json::Value) -> Run {
    let mut run = Run { format: "vectors", lanes: vec![Lane::default()], ..Run::default() };
    for step in steps.as_array().into_iter().flatten() {
        let text = |key: &str| step.get(key).and_then(|v| v.as_str()).unwrap_or_default();
        let flag = |key: &str| step.get(key).and_then(serde_json::Value::as_bool).unwrap_or(false);
        let call = (text("k") == "call").then(|| {
            Box::new(Call {
                id: None,
                tool: text("tool").into(),
                args: Args { raw: step["args"].to_string().into(), form: ArgsForm::Json },
                observation: Some(Observation { content: Content::text(text("obs")), ..Observation::default() }),
                status: if flag("err") { CallStatus::Error } else { CallStatus::Ok },
                duration_ms: None,
                spawn: None,
            })
        });
        let kind = if call.is_some() { StepKind::Action } else { StepKind::Say };
        let content = Content::text(text("text"));
        run.steps.push(Step {
            kind,
            lane: 0,
            turn: None,
            batch: None,
            at: None,
            content,
            call,
            name: None,
            label: None,
            is_error: false,
            span: Default::default(),
        });
    }
    run
}

#[test]
fn vectors_loop_families_agree() {
    let Some(folder) = vectors() else { return };
    let text = std::fs::read_to_string(folder.join("loop_families.jsonl")).unwrap();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (at, line) in text.lines().filter(|l| !l.is_empty()).enumerate() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let family = line["family"].as_str().unwrap();
        let expected = line["loop"].as_bool().unwrap();
        let found = analyse(&family_run(&line["steps"]), &Params::default());
        if (found.verdict != Verdict::None) != expected || (!expected && !found.waste.steps.is_empty()) {
            wrong.push(format!("line {}: {family}: {} wasted {:?}", at + 1, told(&found), found.waste.steps));
        }
        compared += 1;
    }
    assert!(compared >= 60, "{compared}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
