//! Diagrams: golden files in the one-line notation, and what must hold of every diagram. That mermaid itself reads them
//! is tested in the browser.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use skillscope::diagram::{Diagram, ItemKind, MAX_UNITS, Options, sequence};
use skillscope::loops::{Params, analyse};
use skillscope::model::Run;
use skillscope::model::notation::parse;

#[track_caller]
fn check(text: &str, options: &Options<'_>, expected: &[&str]) {
    let run = parse(text).unwrap();
    let folds = analyse(&run, &Params::default()).repeats(&run);
    let diagram = sequence(&run, &Options { folds: &folds, ..options.clone() });
    let lines: Vec<&str> = diagram.text.lines().map(str::trim).collect();
    let expected: Vec<&str> = std::iter::once("sequenceDiagram").chain(expected.iter().copied()).collect();
    assert_eq!(lines, expected, "{text}");
    holds(&run, &diagram, options.max_messages);
}

const PLAIN: fn() -> Options<'static> = Options::default;

#[test]
fn golden() {
    check("", &PLAIN(), &["participant p0 as Agent"]);
    check(
        "u\"do it\" A1 s\"done\"",
        &PLAIN(),
        &[
            "participant p0 as User",
            "participant p1 as Agent",
            "participant p2 as A",
            "p0->>p1: 1 do it",
            "p1->>+p2: 2 #123;#34;n#34;#58;1#125;",
            "p2-->>-p1: ok, 1.0 s",
            "p1->>p0: 3 done",
        ],
    );
    check(
        "Bash\"ls\"! A? s\"bye\" c",
        &PLAIN(),
        &[
            "participant p0 as Agent",
            "participant p1 as Bash",
            "participant p2 as A",
            "p0->>+p1: 1 ls",
            "p1--x-p0: failed, 1.0 s",
            "p0->>p2: 2",
            "Note over p0: 3 bye",
            "Note over p0: 4 compacted",
        ],
    );
    check(
        "\"hm\" [A B] o",
        &Options { thoughts: true, ..PLAIN() },
        &[
            "participant p0 as Agent",
            "participant p1 as A",
            "participant p2 as B",
            "participant p3 as Environment",
            "Note over p0: 1 hm",
            "par 2 calls at once",
            "p0->>+p1: 2",
            "p1-->>-p0: ok, 1.0 s",
            "and",
            "p0->>+p2: 3",
            "p2-->>-p0: ok, 1.0 s",
            "end",
            "p3-->>p0: 4 o",
        ],
    );
    check(
        "X1 A1 B1 A1 B1 A1 B1 Y1 s",
        &Options { arguments: false, ..PLAIN() },
        &[
            "participant p0 as Agent",
            "participant p1 as X",
            "participant p2 as A",
            "participant p3 as B",
            "participant p4 as Y",
            "p0->>+p1: 1",
            "p1-->>-p0: 1.0 s",
            "loop 3 times, 2–7",
            "p0->>+p2: #8203;",
            "p2-->>-p0: 1.0 s",
            "p0->>+p3: #8203;",
            "p3-->>-p0: 1.0 s",
            "end",
            "p0->>+p4: 8",
            "p4-->>-p0: 1.0 s",
            "Note over p0: 9 s",
        ],
    );
    check(
        "[T1<A> T2<B C>] D",
        &Options { arguments: false, ..PLAIN() },
        &[
            "participant p0 as Agent",
            "participant p1 as agent 1",
            "participant p2 as A",
            "participant p3 as agent 2",
            "participant p4 as B",
            "participant p5 as C",
            "participant p6 as D",
            "par 2 calls at once",
            "p0->>+p1: 1",
            "p1->>+p2: 2",
            "p2-->>-p1: 1.0 s",
            "p1-->>-p0: 1.0 s",
            "and",
            "p0->>+p3: 3",
            "p3->>+p4: 4",
            "p4-->>-p3: 1.0 s",
            "p3->>+p5: 5",
            "p5-->>-p3: 1.0 s",
            "p3-->>-p0: 1.0 s",
            "end",
            "p0->>+p6: 6",
            "p6-->>-p0: 1.0 s",
        ],
    );
    // A loop inside a batch, and one that is the whole batch.
    check(
        "[B A A A]",
        &Options { arguments: false, ..PLAIN() },
        &[
            "participant p0 as Agent",
            "participant p1 as B",
            "participant p2 as A",
            "par 2 calls at once",
            "p0->>+p1: 1",
            "p1-->>-p0: 1.0 s",
            "and",
            "loop 3 times, 2–4",
            "p0->>+p2: #8203;",
            "p2-->>-p0: 1.0 s",
            "end",
            "end",
        ],
    );
    let keep = BTreeSet::from([0, 5]);
    check(
        "A B C D \"hm\" E",
        &Options { arguments: false, keep: Some(&keep), ..PLAIN() },
        &[
            "participant p0 as Agent",
            "participant p1 as A",
            "participant p2 as E",
            "p0->>+p1: 1",
            "p1-->>-p0: 1.0 s",
            "Note over p0: 2–5 folded, 4 steps",
            "p0->>+p2: 6",
            "p2-->>-p0: 1.0 s",
        ],
    );
    check(
        "A B C D",
        &Options { arguments: false, range: Some((1, 3)), title: Some("a;b"), ..PLAIN() },
        &[
            "accTitle: a#59;b",
            "participant p0 as Agent",
            "participant p1 as B",
            "participant p2 as C",
            "p0->>+p1: 2",
            "p1-->>-p0: 1.0 s",
            "p0->>+p2: 3",
            "p2-->>-p0: 1.0 s",
        ],
    );
}

#[test]
fn pages_close_and_open_blocks() {
    let run = parse("[T1<A B C> D]").unwrap();
    let options = Options { arguments: false, max_messages: 4, ..Options::default() };
    let pages: Vec<_> = (0..9).map(|page| sequence(&run, &Options { page, ..options.clone() })).collect();
    assert_eq!(pages.iter().map(|p| (p.page, p.pages)).take(4).collect::<Vec<_>>(), [(0, 3), (1, 3), (2, 3), (2, 3)]);
    let body = |k: usize| -> Vec<String> {
        let lines = pages[k].text.lines().map(str::trim).filter(|l| !l.starts_with("participant"));
        lines.skip(1).map(str::to_owned).collect()
    };
    assert_eq!(body(0), ["par 2 calls at once", "p0->>p1: 1", "p1->>+p2: 2", "p2-->>-p1: 1.0 s", "end"]);
    assert_eq!(
        body(1),
        [
            "par 2 calls at once (continued)",
            "p1->>+p3: 3",
            "p3-->>-p1: 1.0 s",
            "p1->>+p4: 4",
            "p4-->>-p1: 1.0 s",
            "end"
        ]
    );
    assert_eq!(
        body(2),
        ["par 2 calls at once (continued)", "p1-->>p0: 1.0 s", "and", "p0->>+p5: 5", "p5-->>-p0: 1.0 s", "end"]
    );
    for page in &pages {
        holds(&run, page, 4);
    }
}

#[test]
fn a_long_run_is_paged_by_length_too() {
    // Every character costs five units, in a label that is as long as one may be.
    let call = format!("A\"x{}\"=\"y{}\" ", ":".repeat(200), ";".repeat(200));
    let run = parse(&call.repeat(240)).unwrap();
    let first = sequence(&run, &Options { max_messages: 1000, ..Options::default() });
    assert!(first.pages > 1 && first.text.encode_utf16().count() > MAX_UNITS / 2);
    let mut arrows = 0;
    for page in 0..first.pages {
        let diagram = sequence(&run, &Options { max_messages: 1000, page, ..Options::default() });
        holds(&run, &diagram, 1000);
        arrows += diagram.arrows.len();
    }
    assert_eq!(arrows, 480);
}

/// What must hold of every diagram.
#[track_caller]
fn holds(run: &Run, diagram: &Diagram, max_messages: usize) {
    let text = &diagram.text;
    assert!(text.encode_utf16().count() <= MAX_UNITS);
    assert!(diagram.arrows.len() <= max_messages.max(2) && diagram.notes.len() <= max_messages.max(2));
    let left = diagram.left_out;
    assert_eq!(diagram.shown + left.in_loops + left.by_filter + left.elsewhere + left.not_drawn, diagram.steps);
    assert!(diagram.arrows.iter().all(|a| (a.step as usize) < run.steps.len()));

    let mut blocks: Vec<&str> = Vec::new();
    let mut active: Vec<String> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let (mut arrows, mut notes) = (0, 0);
    for line in text.lines().skip(1).map(str::trim) {
        let rest = if let Some(rest) = line.strip_prefix("participant ") {
            let (id, alias) = rest.split_once(" as ").unwrap();
            known.insert(id.to_owned(), known.len());
            alias
        } else if let Some(rest) = line.strip_prefix("Note over ") {
            let (id, text) = rest.split_once(": ").unwrap();
            assert!(known.contains_key(id), "{line}");
            notes += 1;
            text
        } else if let Some(rest) = line.strip_prefix("loop ").or_else(|| line.strip_prefix("par ")) {
            blocks.push(&line[..3]);
            rest
        } else if line == "and" {
            assert_eq!(blocks.last(), Some(&"par"));
            ""
        } else if line == "end" {
            assert!(blocks.pop().is_some());
            ""
        } else if let Some(rest) = line.strip_prefix("accTitle: ") {
            rest
        } else {
            let (head, text) = line.split_once(": ").unwrap();
            let (from, rest) = head.split_once('-').unwrap();
            let to = rest.trim_start_matches(['-', '>', 'x', '+']);
            let arrow = &rest[..rest.len() - to.len()];
            let stop = arrow.ends_with('-') && arrow.len() > 2;
            let arrow_of = &diagram.arrows[arrows];
            assert_eq!((arrow_of.from.as_str(), arrow_of.to.as_str()), (from, to), "{line}");
            assert!(known.contains_key(from) && known.contains_key(to), "{line}");
            if arrow.ends_with('+') {
                active.push(to.to_owned());
            }
            if stop {
                assert_eq!(active.pop().as_deref(), Some(from), "{line}");
            }
            arrows += 1;
            text
        };
        let bare = rest.replace("<br/>", "");
        let mut ends = bare.split(';');
        let last = ends.next_back().unwrap_or_default();
        assert!(!last.contains('#'), "{line}");
        assert!(
            ends.all(|e| e
                .rsplit_once('#')
                .is_some_and(|(head, code)| !head.contains('#') && code.bytes().all(|b| b.is_ascii_digit()))),
            "{line}"
        );
        assert!(!bare.contains(['%', '<', '>', '&', '$', '"', '`', '{', '}', '[', ']', '\\', '|', ':', '+']), "{line}");
    }
    assert!(blocks.is_empty() && active.is_empty());
    assert_eq!((arrows, notes), (diagram.arrows.len(), diagram.notes.len()));
    let in_list = |kinds: &[ItemKind]| diagram.list.iter().filter(|i| kinds.contains(&i.kind)).count();
    assert_eq!(in_list(&[ItemKind::Message, ItemKind::Result]), arrows);
    assert_eq!(in_list(&[ItemKind::Note]), notes);
}

fn any_run() -> impl Strategy<Value = String> {
    let word = "[a-z:;#%<>&$\"`{}|+\\[\\] \u{202e}\u{fb02}\u{b6}\n]{0,30}"
        .prop_map(|w| w.replace('\\', "").replace('"', "\\\""));
    let token = prop_oneof![
        6 => (prop::sample::select(vec!["A", "B", "Read", "Bash"]), 0u8..3, prop::sample::select(vec!["", "", "!", "?", "%", "=x"]))
            .prop_map(|(tool, arg, end)| format!("{tool}{arg}{end}")),
        2 => word.clone().prop_map(|w| format!("Bash\"{w}\"=\"{w}\"")),
        1 => word.clone().prop_map(|w| format!("u\"{w}\"")),
        1 => word.prop_map(|w| format!("\"{w}\" s\"{w}\" n\"{w}\"")),
        1 => prop::sample::select(vec!["c", "o!", "i", "y", "r", "s"]).prop_map(str::to_owned),
        1 => Just("[A1 B1 A1 A1 A1]".to_owned()),
        1 => Just("[T1<Read1 Read1 T<A A A> A1> A2 T2?<B>]".to_owned()),
        1 => Just("T1<Read1 Read1 Read1 [A B] A1>".to_owned()),
    ];
    (prop::collection::vec(token, 0..25), 1usize..4).prop_map(|(tokens, times)| vec![tokens.join(" "); times].join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_page_of_every_run_is_sound(
        text in any_run(),
        fold in any::<bool>(),
        arguments in any::<bool>(),
        thoughts in any::<bool>(),
        max_messages in 1usize..30,
        cut in prop::option::of((0u32..60, 0u32..60)),
        modulus in 1u32..6,
    ) {
        let run = parse(&text).unwrap();
        let folds = if fold { analyse(&run, &Params::default()).repeats(&run) } else { Vec::new() };
        let keep: BTreeSet<u32> = (0..run.steps.len() as u32).filter(|s| s % modulus != 1).collect();
        let options = Options {
            folds: &folds,
            keep: (modulus > 1).then_some(&keep),
            arguments,
            thoughts,
            max_messages,
            range: cut,
            title: Some(&text),
            ..Options::default()
        };
        let first = sequence(&run, &options);
        prop_assert_eq!(&sequence(&run, &options), &first);
        let mut arrows: BTreeMap<u32, usize> = BTreeMap::new();
        for page in 0..first.pages {
            let diagram = sequence(&run, &Options { page, ..options.clone() });
            holds(&run, &diagram, max_messages);
            prop_assert!(!diagram.list.is_empty() || first.pages == 1);
            for arrow in &diagram.arrows {
                *arrows.entry(arrow.step).or_default() += 1;
            }
        }
        // A call has an arrow there and, when something came back, one back; nothing is drawn twice.
        let mut drawn_calls = BTreeSet::new();
        for (step, count) in arrows {
            if run.steps[step as usize].is_action() {
                drawn_calls.insert(step);
            }
            let step = &run.steps[step as usize];
            prop_assert_eq!(count, 1 + usize::from(step.observation().is_some()));
        }
        if !fold && modulus == 1 && cut.is_none() {
            let calls: usize = run.steps.iter().filter(|s| s.is_action()).count();
            prop_assert_eq!(drawn_calls.len(), calls);
        }
    }
}
