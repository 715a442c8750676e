//! The command `page` as a program: one page, a folder of pages with an index, and notes that lie beside a run.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

use skillscope::import::page_from;
use skillscope::notes::{Index, Note, Notes};
use skillscope::share::container::PLACES;

/// A folder of this test's own, with a template of a page and these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let [lang, title, report, data] = PLACES;
    let template =
        format!("<!doctype html><html lang=\"{lang}\" data-skillscope-page=\"1\"><title>{title}</title>{report}{data}");
    std::fs::write(place.join("share-template.html"), template).unwrap();
    for (file, text) in files {
        std::fs::write(place.join(file), text).unwrap();
    }
    place
}

fn page(place: &PathBuf, args: &[&str]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_skillscope"))
        .current_dir(place)
        .args(["page", "--dist", "."])
        .args(args)
        .output()
        .unwrap();
    assert_eq!(program.status.code(), Some(0), "{}", String::from_utf8_lossy(&program.stderr));
    program
}

fn run(title: &str) -> String {
    format!(
        r#"{{"format":"skillscope-run","version":1,"id":"{title}","title":"{title}","source":{{"format":"claude-code"}},"lanes":[{{"name":""}}],"steps":[{{"kind":"person","lane":0,"text":"go"}},{{"kind":"say","lane":0,"text":"done"}}]}}"#
    )
}

#[test]
fn many_runs_make_a_folder_with_an_index() {
    let place = folder(
        "page-folder",
        &[("a.json", &run("First & best")), ("b.json", &run("Mail ada@example.org")), ("index.json", &run("Third"))],
    );
    page(&place, &["a.json", "b.json", "index.json", "-o", "out"]);
    let read = |name: &str| std::fs::read_to_string(place.join("out").join(name)).unwrap();
    let index = read("index.html");
    assert_eq!(index.matches("<tr><td><a href=").count(), 3, "{index}");
    // A run's page never takes the place of the index; every link leads to a page that carries its run.
    let links: Vec<&str> = index.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links, ["a.html", "b.html", "index-2.html"]);
    for link in links {
        assert_eq!(page_from(read(link).as_bytes()).unwrap().documents.len(), 1, "{link}");
    }
    assert!(index.contains(">First &amp; best</a></td><td>1</td><td>2</td><td>0</td>"), "{index}");
    assert!(index.contains("Mail [email-1]") && !index.contains("ada@"), "{index}");
    assert!(index.contains("default-src 'none'") && !index.contains("<script"), "it needs no program");
}

#[test]
fn notes_beside_a_run_go_into_its_page() {
    let text = run("noted");
    let import = skillscope::import::import_bytes("noted.json", text.as_bytes(), None).remove(0);
    let mut notes = Notes::default();
    let note = |id: &str, from, label: &str| Note {
        at: "2026-01-01T00:00:00".into(),
        id: id.into(),
        from,
        label: label.into(),
        ..Note::default()
    };
    let mark = Index::new(&import.runs[0]).mark(1).unwrap();
    notes.add(note("a", mark.clone(), "the end"));
    notes.add(note("b", skillscope::notes::Mark { step: "0123456789abcdef".into(), nth: 0 }, "of another run"));
    let place = folder("page-notes", &[("noted.json", &text), ("mine.notes.json", &notes.write())]);
    page(&place, &["noted.json", "mine.notes.json", "-o", "with.html"]);
    let with = std::fs::read_to_string(place.join("with.html")).unwrap();
    let carried = page_from(with.as_bytes()).unwrap();
    assert_eq!(carried.documents.len(), 1, "a side file is no run");
    let carried = Notes::read(&carried.notes).unwrap();
    // What is about no run of the page stays at home.
    assert_eq!(carried.living().map(|n| (n.label.as_str(), &n.from)).collect::<Vec<_>>(), [("the end", &mark)]);
    assert!(with.contains("<a href=\"#run-1-step-2\">Step 2</a> <strong>the end</strong>"), "{with}");

    page(&place, &["noted.json", "mine.notes.json", "--without", "notes", "-o", "without.html"]);
    let without = std::fs::read_to_string(place.join("without.html")).unwrap();
    assert_eq!(page_from(without.as_bytes()).unwrap().notes, "");
    assert!(!without.contains("the end"));
}
