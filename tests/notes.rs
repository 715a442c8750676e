//! Notes: a side file merges in any order, fits a run that was exported again, says what it can no longer place, and
//! travels in a page without what was removed from it. The secrets here are made up.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::{Value, json};
use skillscope::engine::{PageAsked, Workbench};
use skillscope::import::page_from;
use skillscope::notes::{Index, Mark, Note, Notes, name};
use skillscope::protocol::{Job, Outcome};
use skillscope::report::{NoteEdit, NotesView, RunRef, ShareChoices};
use skillscope::share::container::PLACES;

/// A run of what was said, in our own format.
fn run_of(id: &str, said: &[&str]) -> String {
    let steps: Vec<Value> = said.iter().map(|text| json!({"kind": "say", "lane": 0, "text": text})).collect();
    let mut out = json!({
        "format": "skillscope-run", "version": 1, "id": id, "title": "Notes", "source": {"format": "claude-code"},
        "agent": {"name": "A"}, "lanes": [{"name": ""}], "steps": steps,
    })
    .to_string();
    out.push('\n');
    out
}

/// Opens files as one drop; answers the ids of the documents.
fn drop_in(bench: &mut Workbench, files: &[(&str, &str)]) -> Vec<u32> {
    let before: Vec<u32> = bench.documents().map(|d| d.id).collect();
    let first = 1000 * before.len() as u32;
    for (file, (name, text)) in (first..).zip(files) {
        bench.handle(Job::Open { file, name: (*name).into(), size: 0, format: None }, None, &mut |_| {});
        bench.handle(Job::Chunk { file }, Some(text.as_bytes()), &mut |_| {});
        bench.handle(Job::Finish { file }, None, &mut |_| {});
    }
    let files = (first..first + files.len() as u32).collect();
    let outcome = bench.handle(Job::Assemble { files }, None, &mut |_| {});
    assert!(matches!(outcome, Outcome::Documents { .. }), "{outcome:?}");
    bench.documents().map(|d| d.id).filter(|id| !before.contains(id)).collect()
}

fn view(outcome: Outcome) -> NotesView {
    match outcome {
        Outcome::Notes { notes } => *notes,
        other => panic!("{other:?}"),
    }
}

fn ask(bench: &mut Workbench, document: u32) -> NotesView {
    view(bench.handle(Job::Notes { run: Some(RunRef { document, run: 0 }), file: String::new() }, None, &mut |_| {}))
}

fn write(bench: &mut Workbench, document: u32, edit: NoteEdit, now: &str) -> NotesView {
    let run = RunRef { document, run: 0 };
    view(bench.handle(Job::SetNote { run, edit, now: now.into() }, None, &mut |_| {}))
}

fn edit(from: u32, to: u32, label: &str, text: &str) -> NoteEdit {
    NoteEdit { from, to, label: label.into(), text: text.into(), ..NoteEdit::default() }
}

fn at(notes: &NotesView) -> Vec<(u32, u32, &str)> {
    notes.here.iter().map(|n| (n.from, n.to, n.label.as_str())).collect()
}

const STEPS: [&str; 6] = ["begin", "look", "look", "change", "look", "end"];
const NOW: &str = "2026-01-02T03:04:05.678Z";

/// A side file with a note on the second of three equal steps, on a range, and on the last step.
fn noted() -> String {
    let mut bench = Workbench::new();
    let id = drop_in(&mut bench, &[("a.json", &run_of("r1", &STEPS))])[0];
    write(&mut bench, id, edit(2, 2, "second look", ""), NOW);
    write(&mut bench, id, edit(3, 5, "range", "from the change\nto the end"), NOW);
    write(&mut bench, id, edit(5, 5, "last", "x"), NOW).file
}

#[test]
fn a_side_file_fits_the_run_exported_again() {
    let file = noted();
    // Another name, two steps more in front: everything has moved by two.
    let shifted: Vec<&str> = ["added", "also added"].into_iter().chain(STEPS).collect();
    let mut bench = Workbench::new();
    let ids = drop_in(&mut bench, &[("else.notes.json", &file), ("else.json", &run_of("r1", &shifted))]);
    assert_eq!(ids.len(), 1, "a side file is no document");
    assert_eq!(at(&ask(&mut bench, ids[0])), [(4, 4, "second look"), (5, 7, "range"), (7, 7, "last")]);
    // A run that states another id, while the note's own is open, has none of them.
    let other = drop_in(&mut bench, &[("other.json", &run_of("r2", &STEPS))])[0];
    assert_eq!(at(&ask(&mut bench, other)), []);

    // After the run, by itself; and to a run without the id, when the note's own is not there.
    let mut bench = Workbench::new();
    let id = drop_in(&mut bench, &[("b.json", &run_of("r3", &STEPS))])[0];
    assert_eq!(drop_in(&mut bench, &[("b.notes.json", &file)]), [0u32; 0]);
    assert_eq!(at(&ask(&mut bench, id)), [(2, 2, "second look"), (3, 5, "range"), (5, 5, "last")]);
}

#[test]
fn what_cannot_be_placed_is_listed_and_kept() {
    let file = noted();
    let mut bench = Workbench::new();
    let cut = drop_in(&mut bench, &[("cut.json", &run_of("r1", &STEPS[..5])), ("n.notes.json", &file)])[0];
    let notes = ask(&mut bench, cut);
    // The end of the range is gone: it stays at its first step.
    assert_eq!(at(&notes), [(2, 2, "second look"), (3, 3, "range")]);
    assert_eq!(notes.lost.iter().map(|n| (n.from, n.label.as_str())).collect::<Vec<_>>(), [(5, "last")]);
    assert_eq!(notes.all, 3);
    assert_eq!(Notes::read(&notes.file), Notes::read(&file), "nothing is lost of the file");
    // Equal steps that became fewer: the last of them.
    let fewer = drop_in(&mut bench, &[("fewer.json", &run_of("r1", &["begin", "look", "end"]))])[0];
    assert_eq!(at(&ask(&mut bench, fewer)), [(1, 1, "second look"), (2, 2, "last")]);
}

#[test]
fn the_newer_of_two_wins_and_what_was_deleted_stays_so() {
    let mut bench = Workbench::new();
    let id = drop_in(&mut bench, &[("a.json", &run_of("r1", &STEPS))])[0];
    let first = write(&mut bench, id, edit(0, 0, "first", ""), "2026-01-01T00:00:00Z");
    let mine = NoteEdit { id: first.here[0].id.clone(), ..edit(0, 0, "changed", "") };
    // A clock that is behind: what is written later is newer all the same.
    let changed = write(&mut bench, id, mine.clone(), "2025-06-01T00:00:00Z");
    assert_eq!(at(&changed), [(0, 0, "changed")]);
    let merged = |a: &str, b: &str| {
        let mut out = Notes::read(a).unwrap();
        out.merge(Notes::read(b).unwrap());
        out.write()
    };
    assert_eq!(merged(&first.file, &changed.file), changed.file);
    assert_eq!(merged(&changed.file, &first.file), changed.file);
    let deleted = write(&mut bench, id, NoteEdit { gone: true, ..mine }, "2026-01-03T00:00:00Z");
    assert_eq!((deleted.all, deleted.here.len()), (0, 0));
    let again = view(bench.handle(Job::Notes { run: None, file: first.file.clone() }, None, &mut |_| {}));
    assert_eq!(again.all, 0, "an older file does not bring it back");
    assert!(!again.file.contains("changed"), "a deleted note's words are gone: {}", again.file);
}

#[test]
fn a_step_is_named_by_what_it_holds() {
    let mut bench = Workbench::new();
    drop_in(&mut bench, &[("a.json", &run_of("r1", &STEPS))]);
    let run = bench.documents().next().unwrap().runs[0].run.clone();
    // Part of the file format: the number may not change. printf %s '["say","begin","","","",""]' | sha256sum
    assert_eq!(name(&run.steps[0]), "b229469161cb8c0b");
    let index = Index::new(&run);
    let look = index.mark(1).unwrap().step;
    assert_eq!([1, 2, 4].map(|at| index.mark(at).unwrap()), [0, 1, 2].map(|nth| Mark { step: look.clone(), nth }));
    assert_eq!(index.find_short(&look[..8], 3), Some(2), "of two that are equally near the first");
    assert_eq!(index.find_short(&look[..8], 4), Some(4));
    assert_eq!(index.find_short("00000000", 4), None);
}

#[test]
fn a_link_finds_its_step_where_numbers_have_moved() {
    let mut bench = Workbench::new();
    let old = drop_in(&mut bench, &[("a.json", &run_of("r1", &STEPS))])[0];
    let named = |bench: &mut Workbench, document, step, name: &str| {
        let run = RunRef { document, run: 0 };
        match bench.handle(Job::StepName { run, step, name: name.into() }, None, &mut |_| {}) {
            Outcome::StepName { step, name } => (step, name),
            other => panic!("{other:?}"),
        }
    };
    let (_, name) = named(&mut bench, old, 3, "");
    assert_eq!(name.len(), 8);
    let moved = drop_in(&mut bench, &[("b.json", &run_of("r1", &["new", "begin", "look", "look", "change"]))])[0];
    assert_eq!(named(&mut bench, moved, 3, &name).0, Some(4));
    assert_eq!(named(&mut bench, old, 3, &name).0, Some(3));
    let without = drop_in(&mut bench, &[("c.json", &run_of("r1", &["begin"]))])[0];
    assert_eq!(named(&mut bench, without, 3, &name).0, None);
}

fn template() -> String {
    format!(
        "<!doctype html><html lang=\"{}\" data-skillscope-page=\"1\"><title>{}</title>\n{}\n{}</html>",
        PLACES[0], PLACES[1], PLACES[2], PLACES[3]
    )
}

/// A bench with a run that holds a secret, and a note that holds it and another one.
fn secret() -> (Workbench, u32) {
    let mut bench = Workbench::new();
    let said = ["begin", "mail ada@example.org", "end"];
    let id = drop_in(&mut bench, &[("a.json", &run_of("r1", &said))])[0];
    let text = "she is ada@example.org, and DB_PASSWORD=correcthorse7";
    write(&mut bench, id, edit(1, 2, "ask ada@example.org", text), NOW);
    (bench, id)
}

#[test]
fn notes_go_along_in_a_page_and_are_redacted() {
    let (bench, document) = secret();
    let runs = vec![RunRef { document, run: 0 }];
    let asked = PageAsked { runs, choices: ShareChoices::default(), view: String::new(), lang: "en".into() };
    let page = bench.page(&asked, &template()).unwrap();
    let carried = page_from(page.html.as_bytes()).unwrap();
    for text in [&page.html, &carried.plain()] {
        assert!(!text.contains("ada@") && !text.contains("correcthorse7"), "{text}");
    }
    assert!(page.html.contains("<strong>ask [email-1]</strong>"), "{}", page.html);
    // Opened again, it stands at the step, whose content is another now.
    let mut back = Workbench::new();
    let id = drop_in(&mut back, &[("page.html", &page.html)])[0];
    let notes = ask(&mut back, id);
    assert_eq!(at(&notes), [(1, 2, "ask [email-1]")]);
    assert_eq!(notes.lost, []);
}

#[test]
fn notes_may_stay_out_of_a_page() {
    let (mut bench, document) = secret();
    let runs = vec![RunRef { document, run: 0 }];
    let choices = ShareChoices { parts_switched: vec!["notes".into()], ..ShareChoices::default() };
    let asked = PageAsked { runs: runs.clone(), choices: choices.clone(), view: String::new(), lang: "en".into() };
    let page = bench.page(&asked, &template()).unwrap();
    assert_eq!(page_from(page.html.as_bytes()).unwrap().notes, "");
    assert!(page.receipt.left_out.contains(&("notes".into(), 1)), "{:?}", page.receipt);
    for (choices, on) in [(choices, false), (ShareChoices::default(), true)] {
        match bench.handle(Job::ShareSurvey { runs: runs.clone(), choices }, None, &mut |_| {}) {
            Outcome::ShareSurvey { survey } => {
                let part = survey.parts.iter().find(|p| p.id == "notes").unwrap();
                assert_eq!((part.on, part.pieces), (on, 1));
                // What only the note holds is listed only when it goes along.
                assert_eq!(survey.groups.iter().any(|g| g.value.contains("correcthorse7")), on);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_side_file_is_as_its_schema_says() {
    let schema: Value = serde_json::from_str(include_str!("../schemas/notes.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut bench = Workbench::new();
    let id = drop_in(&mut bench, &[("a.json", &run_of("r1", &STEPS)), ("n.notes.json", &noted())])[0];
    let gone = NoteEdit { id: ask(&mut bench, id).here[0].id.clone(), gone: true, ..NoteEdit::default() };
    let file = write(&mut bench, id, gone, NOW).file;
    let faults: Vec<String> =
        schema.iter_errors(&serde_json::from_str(&file).unwrap()).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{file}: {faults:?}");
    assert!(!schema.is_valid(&json!({"skillscope_notes": 1, "notes": [{"id": "x", "at": "2026"}]})));
}

fn any_note() -> impl Strategy<Value = Note> {
    let mark = ("[0-9a-f]{16}", 0u32..3).prop_map(|(step, nth)| Mark { step, nth });
    let rest = (0u32..4, prop::option::of(mark.clone()), "[ab\"\\\\\u{e9}\n]{0,6}", "\\PC{0,8}");
    // Few ids and times, so that they meet.
    ("[abc]", "2026-0[12]", any::<bool>(), mark, rest).prop_map(|(id, at, gone, from, (was, to, label, text))| Note {
        at,
        gone,
        id,
        run: String::new(),
        from,
        to,
        was,
        label,
        text,
    })
}

fn any_notes() -> impl Strategy<Value = Notes> {
    prop::collection::vec(any_note(), 0..8).prop_map(|notes| {
        let mut out = Notes::default();
        notes.into_iter().for_each(|note| out.add(note));
        out
    })
}

fn merged(a: &Notes, b: &Notes) -> Notes {
    let mut out = a.clone();
    out.merge(b.clone());
    out
}

proptest! {
    #[test]
    fn merging_is_commutative_associative_and_idempotent(a in any_notes(), b in any_notes(), c in any_notes()) {
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
        prop_assert_eq!(merged(&a, &a), a.clone());
        prop_assert_eq!(merged(&a, &b).write(), merged(&b, &a).write());
    }

    #[test]
    fn a_side_file_comes_back_as_it_was(a in any_notes()) {
        prop_assert_eq!(Notes::read(&a.write()).unwrap_or_default(), a);
    }

    #[test]
    fn any_text_is_read_without_harm(text in "\\PC{0,200}") {
        let _ = Notes::read(&text);
        let _ = Notes::read(&format!("{{\"skillscope_notes\":1,\"notes\":[{text}]}}"));
    }
}
