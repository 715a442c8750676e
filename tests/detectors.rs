//! D4 to D11 one by one, in the one-line notation where it reaches; the thresholds as a job gives them; and the work
//! that the detectors do on long runs.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use skillscope::loops::{Detector, Loops, Params, Severity, Verdict, analyse};
use skillscope::model::notation::parse;
use skillscope::model::{ArgsForm, Run};

fn loops(run: &Run) -> Loops {
    analyse(run, &Params::default())
}

/// The spans of one detector: `start..end xTIMES severity`, joined by commas, then what nearly fired: `~have/need why`.
fn told(run: &Run, detector: Detector) -> String {
    let found = loops(run);
    let spans = found.spans.iter().filter(|s| s.detector == detector);
    let spans = spans.map(|s| format!("{}..{} p{} x{} {}", s.start, s.end, s.period, s.times, s.severity.id()));
    let near = found.near.iter().filter(|s| s.detector == detector);
    let near = near.map(|n| format!("~{}/{} {}", n.have, n.need, n.why.id()));
    spans.chain(near).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(detector: Detector, text: &str, expected: &str) {
    assert_eq!(told(&parse(text).unwrap(), detector), expected, "{text}");
}

/// A run whose calls have these arguments: the notation writes `{"text":"…"}`, where an inner JSON object takes over.
fn with_args(text: &str) -> Run {
    let mut run = parse(text).unwrap();
    for call in run.steps.iter_mut().filter_map(|s| s.call.as_deref_mut()) {
        let value: serde_json::Value = serde_json::from_str(&call.args.raw).unwrap();
        if let Some(inner) = value["text"].as_str().filter(|t| t.starts_with('{')) {
            call.args.raw = inner.into();
        } else if let Some(inner) = value["text"].as_str().filter(|t| t.starts_with("***")) {
            call.args.raw = inner.into();
            call.args.form = ArgsForm::Text;
        }
    }
    run
}

/// A call with JSON arguments, in the notation.
fn call(tool: &str, args: &str, rest: &str) -> String {
    format!("{tool}\"{}\"{rest} ", args.replace('\\', "\\\\").replace('"', "\\\""))
}

#[test]
fn cosmetic_arguments() {
    let grep = |args: &str, obs: &str| call("Grep", args, &format!("=\"{obs}\""));
    let none = "no matches";
    let four = [
        grep(r#"{"pattern":"x","path":"."}"#, none),
        grep(r#"{"pattern":"x","path":"./"}"#, none),
        grep(r#"{"pattern":"x","path":".","max":50}"#, none),
        grep(r#"{"pattern":"x","path":".","case":false}"#, none),
    ];
    let d4 = |text: &str| told(&with_args(text), Detector::Cosmetic);
    assert_eq!(d4(&format!("{}s", four.concat())), "0..4 p1 x4 loop");
    assert_eq!(d4(&format!("{}s", four[..3].concat())), "~3/4 not-again");
    assert_eq!(loops(&with_args(&four.concat())).waste.steps.len(), 3);
    // Another pattern, another result, another tool between, nothing shared: no.
    let with = |i: usize, new: String| {
        let mut four = four.clone();
        four[i] = new;
        d4(&format!("{}s", four.concat()))
    };
    assert_eq!(with(3, grep(r#"{"pattern":"y","path":"."}"#, none)), "~3/4 other-call");
    assert_eq!(with(3, grep(r#"{"pattern":"x","path":".","max":9}"#, "a.rs:1")), "~3/4 other-result");
    assert_eq!(with(1, "Read1 ".into()), "");
    assert_eq!(d4(&format!("{}s", (0..6).map(|i| grep(&format!("{{\"page\":{i}}}"), none)).collect::<String>())), "");
    // What changes something is no read, whatever it says.
    let edit = |i: u32| call("Edit", &format!("{{\"path\":\"a\",\"n\":{i}}}"), "=ok");
    assert_eq!(d4(&format!("{}{}{}{}s", edit(1), edit(2), edit(3), edit(4))), "");
    // All alike is D1's matter.
    assert_eq!(told(&with_args(&format!("{}s", four[0].repeat(5))), Detector::ExactCycle), "0..5 p1 x5 loop");
    assert_eq!(d4(&format!("{}s", four[0].repeat(5))), "");
}

#[test]
fn the_same_failure_in_different_calls() {
    let fail = |n: u32| format!("Bash{n}!=\"error: cannot find crate foo\" Read{n} ");
    let times = |n: u32| (0..n).map(fail).collect::<String>();
    check(Detector::SameFailure, &format!("{}s", times(3)), "~3/4 not-again");
    check(Detector::SameFailure, &format!("{}s", times(4)), "0..7 p1 x4 loop");
    // Overcome: a fact, unless it took long.
    check(Detector::SameFailure, &format!("{}Bash3 s", times(4)), "0..7 p1 x4 info");
    check(Detector::SameFailure, &format!("{}Bash5 s", times(6)), "0..11 p1 x6 loop");
    assert_eq!(loops(&parse(&format!("{}Bash3 s", times(4))).unwrap()).verdict, Verdict::None);
    // Never waste; other errors, and those that say too little, are not the same.
    assert_eq!(loops(&parse(&format!("{}s", times(6))).unwrap()).waste.steps.len(), 0);
    let differing: String = (0..8).map(|n| format!("Bash{n}!=\"error: {n} tests failed\" ")).collect();
    check(Detector::SameFailure, &format!("{differing}s"), "");
    check(Detector::SameFailure, &format!("{}s", (0..8).map(|n| format!("Bash{n}!=no ")).collect::<String>()), "");
    // What D2 says already is not said again.
    check(
        Detector::SameFailure,
        "A1!=\"error one here\" A1!=\"error one here\" A1!=\"error one here\" A1!=\"error one here\"",
        "",
    );
}

#[test]
fn edits_that_undo_each_other() {
    let edit = |a: &str, b: &str| {
        call("Edit", &format!("{{\"path\":\"c.py\",\"old_string\":\"{a}\",\"new_string\":\"{b}\"}}"), "")
    };
    let d6 = |text: &str| told(&with_args(text), Detector::FlipFlop);
    let (there, back) = (edit("a", "b"), edit("b", "a"));
    assert_eq!(d6(&format!("{there}{back}")), "~1/2 not-again");
    assert_eq!(d6(&format!("{there}Bash1 {back}Bash2 {there}")), "0..5 p1 x2 loop");
    assert_eq!(d6(&format!("{there}{back}{there}{back}{there}{back}")), "0..6 p1 x5 loop");
    assert_eq!(d6(&format!("{there}{there}{there}")), "");
    assert_eq!(d6(&format!("{there}{}{}", edit("b", "c"), edit("c", "d"))), "");
    // A failed edit changed nothing; another file is another matter.
    assert_eq!(d6(&format!("{there}{}! {there}", back.trim())), "");
    assert_eq!(d6(&format!("{there}{}{there}", back.replace("c.py", "d.py"))), "");
    // Whole contents that come back.
    let write = |text: &str| call("Write", &format!("{{\"file_path\":\"a\",\"content\":\"{text}\"}}"), "");
    assert_eq!(d6(&format!("{}{}{}{}", write("x"), write("y"), write("x"), write("y"))), "1..4 p1 x2 loop");
    assert_eq!(d6(&format!("{}{}{}", write("x"), write("y"), write("z"))), "");
    // The envelope of patches.
    let patch = |minus: &str, plus: &str| {
        format!("Apply\"*** Begin Patch\\n*** Update File: a\\n@@\\n-{minus}\\n+{plus}\\n*** End Patch\" ")
    };
    assert_eq!(d6(&format!("{}{}{}", patch("x", "y"), patch("y", "x"), patch("x", "y"))), "0..3 p1 x2 loop");
    // There and back is legitimate, the rest is waste.
    assert_eq!(loops(&with_args(&format!("{there}Bash1 {back}Bash2 {there}Bash3 {back}"))).waste.steps.len(), 2);
}

#[test]
fn monologues() {
    let done = "s\"I am done, the task is complete. Please confirm.\" ";
    check(Detector::Monologue, &format!("A1 {}", done.repeat(2)), "~2/3 acted");
    check(Detector::Monologue, &format!("A1 {}", done.repeat(3)), "1..1 p1 x3 loop");
    check(Detector::Monologue, &format!("A1 {}B1", done.repeat(4)), "1..1 p1 x4 loop");
    check(Detector::Monologue, &format!("{done}{done}u{done}{done}"), "~2/3 acted, ~2/3 acted");
    check(Detector::Monologue, &format!("{done}A1 {done}A1 {done}"), "");
    check(Detector::Monologue, "s\"one thing\" s\"two other words\" s\"third sentence entirely\"", "");
    // Reminders of a program do not make it a conversation.
    check(Detector::Monologue, &format!("{done}i {done}i {done}"), "0..0 p1 x3 loop");
    let long = format!("A1 {}$limit", done.repeat(3));
    assert_eq!(loops(&parse(&long).unwrap()).verdict, Verdict::Stuck);
}

#[test]
fn thoughts_that_stand_still() {
    let thought = |i: u32| format!("\"I should look at the config file again to see option {}\" Read{i} ", i % 2);
    let thoughts = |n: u32| (0..n).map(thought).collect::<String>();
    check(Detector::Stagnation, &format!("{}s", thoughts(2)), "");
    check(Detector::Stagnation, &format!("{}s", thoughts(4)), "0..3 p1 x4 suspicion");
    // A change, or a person, begins anew.
    check(Detector::Stagnation, &format!("{}Edit1 {}s", thoughts(2), thoughts(2)), "");
    check(Detector::Stagnation, &format!("{}u {}s", thoughts(2), thoughts(2)), "");
    assert_eq!(loops(&parse(&format!("{}s", thoughts(4))).unwrap()).verdict, Verdict::None);
    let other = "\"alpha beta gamma\" Read1 \"delta epsilon\" Read2 \"zeta eta theta\" Read3 s";
    check(Detector::Stagnation, other, "");
}

#[test]
fn chants() {
    let sentence = "I will now look at the file again and see what it says. ";
    check(Detector::Chanting, &format!("A1 s\"{}\" B1", sentence.repeat(12)), "1..1 p1 x12 loop");
    check(Detector::Chanting, &format!("A1 s\"{}\" B1", sentence.repeat(8)), "");
    check(Detector::Chanting, &format!("u\"{}\" B1", sentence.repeat(30)), "");
}

#[test]
fn compactions_without_work_between() {
    check(Detector::Thrash, "A1 c B1 c C1", "~2/3 not-again");
    check(Detector::Thrash, "A1 c B1 c C1 c D1", "1..3 p1 x3 loop");
    check(Detector::Thrash, "A1 c B1 u c C1 c D1", "~2/3 not-again");
    let many: String = (0..11).map(|i| format!("C{i} ")).collect();
    check(Detector::Thrash, &format!("c {many}c {many}c"), "");
    check(Detector::Thrash, &format!("A1 {}", "c ".repeat(10)), "1..1 p1 x10 loop");
}

#[test]
fn a_long_sequence_that_comes_again() {
    check(Detector::LongRepeat, "A1 B1 C1 D1 X1 A1 B1 C1 D1 Y1", "0..9 p4 x2 info");
    check(Detector::LongRepeat, "A1 B1 C1 X1 A1 B1 C1 Y1", "~3/4 other-call");
    check(Detector::LongRepeat, "A1 B1 X1 A1 B1 Y1", "");
    // What goes round at once is D1's matter.
    check(Detector::LongRepeat, &"A1 B1 C1 D1 ".repeat(4), "");
}

#[test]
fn thresholds_of_a_job_reach_the_detectors() {
    let run = parse("A1 A1 s").unwrap();
    let mut params = Params::default();
    assert!(params.set("rounds", 2.0));
    assert_eq!(analyse(&run, &params).spans.len(), 1);
    assert_eq!(loops(&run).spans.len(), 0);
    let run = parse("u \"look at the file\" s\"look at a file\" s\"look at the other file\" B1").unwrap();
    assert!(params.set("alike", 0.5));
    assert!(analyse(&run, &params).spans.iter().any(|s| s.detector == Detector::Monologue));
    assert!(loops(&run).spans.iter().all(|s| s.severity > Severity::Repeating));
}

/// Nothing here may grow faster than the run: each of these would take hours if it did.
#[test]
fn long_runs_of_every_kind_are_done() {
    let n = 20_000;
    for one in [
        "A1 ",
        "A1! ",
        "A1!=\"error one here\" B1 ",
        "Read1 Read2 ",
        "s\"I am done with this now\" ",
        "\"the same thought as before\" Read1 ",
        "c ",
        "c A1 ",
    ] {
        let run = parse(&one.repeat(n)).unwrap();
        let found = loops(&run);
        assert!(found.spans.iter().any(|s| s.severity == Severity::Loop), "{one}");
        assert!(found.waste.steps.len() < run.calls().max(1));
    }
    let grown: String = (0..n).map(|i| format!("A{i} B{}! \"thought {i} of many\" ", i % 7)).collect();
    assert_eq!(loops(&parse(&grown).unwrap()).spans.iter().filter(|s| s.detector == Detector::ExactCycle).count(), 0);
}
