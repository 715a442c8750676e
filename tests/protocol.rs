//! What goes between page and worker is read as it was written: every kind of job and of answer, on the answers for
//! all fixtures and on made ones for what no fixture holds. And what is cut or foreign is refused, not guessed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use serde::Serialize;
use skillscope::engine::Workbench;
use skillscope::model::{BadLine, Finding, FormatAnswer, ImportReport, Note, Place, Refusal, Repair, Severity};
use skillscope::protocol::{Example, Job, Outcome, Progress, Read, Request, Response, Seek, from_json};
use skillscope::report::{
    Block, Context, Detail, Diff, DiffLine, DocumentSummary, GroupMark, Inline, JsonRow, LoopMark, Md, PriceList,
    PriceRow, RawText, Row, Run, Section, StepRow, View,
};

/// The tags of enums that have been read back, so that none is forgotten.
#[derive(Default)]
struct Seen(BTreeSet<String>);

impl Seen {
    #[track_caller]
    fn check<T: Read + Serialize + PartialEq + Debug>(&mut self, value: &T) {
        let text = serde_json::to_string(value).unwrap();
        let read = from_json::<T>(&text);
        assert_eq!(read.as_ref(), Some(value), "{text}");
        self.note(&serde_json::from_str(&text).unwrap());
    }

    /// Notes the names of all objects and strings that could be a variant: the only key of an object, or a word.
    fn note(&mut self, value: &serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                if let (1, Some(name)) = (fields.len(), fields.keys().next()) {
                    self.0.insert(name.clone());
                }
                fields.values().for_each(|v| self.note(v));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|v| self.note(v)),
            serde_json::Value::String(word) if word.len() < 12 => {
                self.0.insert(word.clone());
            }
            _ => {}
        }
    }
}

fn fixtures(folder: &Path, out: &mut Vec<(String, Vec<u8>)>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            fixtures(&path, out);
        } else {
            out.push((path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
        }
    }
}

fn own_prices() -> PriceList {
    let row = PriceRow { model: "m".into(), input: 1.25, output: 10.0, cache_read: Some(0.125), cache_write: None };
    PriceList { date: "2026-10-01".into(), rows: vec![row] }
}

fn every_job() -> Vec<Job> {
    let view = View { filter: "tool:\"a\" é\n".into(), folded: true, open: vec![0, u32::MAX] };
    let (document, run, step) = (1, 2, 3);
    let find = |seek| Job::Find { document, run, view: View::default(), seek };
    vec![
        Job::Open { file: 1, name: "a/b \\ 名.jsonl".into(), size: u64::MAX, format: None },
        Job::Open { file: 1, name: String::new(), size: 0, format: Some("atif".into()) },
        Job::Chunk { file: 7 },
        Job::Finish { file: 7 },
        Job::Cancel { file: 7 },
        Job::Assemble { files: vec![1, 2, 3] },
        Job::Close { document },
        Job::Runs { document, filter: "x".into(), from: 0, count: 60 },
        Job::Rows { document, run, view, from: 64, count: 64 },
        find(Seek::Step { step }),
        find(Seek::Error { step: None, back: true }),
        find(Seek::Finding { step: Some(4), back: false }),
        find(Seek::Loop { step: Some(0), back: true }),
        Job::Strip { document, run, buckets: 600 },
        Job::Detail { document, run, step },
        Job::Raw { document, run, step },
        Job::Findings { document, run },
        Job::Loops { document, run },
        Job::LoopsWith { document, run, params: vec![("rounds".into(), 2.0), ("alike".into(), 0.75)] },
        Job::Usage { document, run, prices: None, buckets: 400, sums: true },
        Job::Turns { document, run, prices: Some(own_prices()), from: 0, count: 60 },
        Job::Waterfall { document, run, range: Some((1, 2)), idle_ms: 60_000.5, bars: 1000 },
        Job::Metrics { document, run },
        Job::Topology { document, run },
        Job::Diagram { document, run, options: Default::default() },
        Job::Text { document, report: 0, from: 0, count: 200 },
        Job::Search { words: "\u{1F600}\u{0}".into(), limit: 30 },
    ]
}

/// An answer that holds everything that no fixture may hold.
fn made() -> Vec<Outcome> {
    let inline = vec![
        Inline::Text { text: "t".into() },
        Inline::Code { text: "c".into() },
        Inline::Strong { inline: vec![Inline::Break] },
        Inline::Emph { inline: vec![] },
        Inline::Strike { inline: vec![] },
        Inline::Link { href: "https://example.org/?a=\"b\"".into(), inline: vec![] },
    ];
    let nodes = vec![
        Md::Heading { level: 2, inline: inline.clone() },
        Md::Para { inline: inline.clone() },
        Md::Code { lang: "rust".into(), text: "fn main() {}\n".into() },
        Md::List { start: Some(3), items: vec![vec![Md::Rule], vec![]] },
        Md::List { start: None, items: vec![] },
        Md::Quote { nodes: vec![Md::Rule] },
        Md::Table { head: vec![inline.clone()], rows: vec![vec![inline]] },
    ];
    let plain = Run { text: "p".into(), ..Run::default() };
    let loud = Run { colour: Some(15), bold: true, dim: true, italic: true, underline: true, ..plain.clone() };
    let blocks = vec![
        Block::Markdown { nodes },
        Block::Json {
            rows: vec![JsonRow {
                depth: 1,
                key: Some("k".into()),
                kind: "number".into(),
                value: "1e400".into(),
                cut: 0,
            }],
            cut: 4,
        },
        Block::Lines { lines: vec![vec![plain, loud], vec![]], cut: 2 },
        Block::Diff(Diff {
            path: "p".into(),
            added: 1,
            removed: 2,
            lines: vec![DiffLine { sign: "+".into(), old: None, new: Some(1), parts: vec![(true, "x".into())] }],
            cut: 0,
        }),
        Block::Picture { mime: "image/png".into(), data: "AAAA".into() },
        Block::Reference { mime: "audio/wav".into(), name: "n".into() },
    ];
    let row = StepRow {
        step: 9,
        duration_ms: Some(0.1 + 0.2),
        group: Some(GroupMark { size: 2, index: 1 }),
        loops: Some(LoopMark { detector: "D1".into(), from: 1, to: 2, round: Some(1), times: 3 }),
        ..StepRow::default()
    };
    let finding = |severity| Finding {
        rule: "schema".into(),
        severity,
        run: Some(0),
        step: None,
        place: Place { file: "f".into(), line: Some(1), column: Some(2), pointer: "/a~1b".into() },
        args: vec![("k".into(), "v".into())],
        related: vec![1],
    };
    let report = ImportReport {
        bad: vec![BadLine { line: 1, column: 2, head: "{".into() }],
        unknown: vec![("kind".into(), u64::MAX)],
        repairs: vec![Repair { kind: "cut-off".into(), count: 1, line: 9 }],
        notes: vec![Note { id: "n".into(), args: vec![] }],
        refused: Some(Refusal {
            looks_like: "text".into(),
            stopped: Some((1, 2)),
            head: vec!["x".into()],
            answers: vec![FormatAnswer {
                format: "atif".into(),
                reason: "no-key".into(),
                key: "k".into(),
                expected: String::new(),
                pointer: "/".into(),
                near: 3,
            }],
        }),
        ..ImportReport::default()
    };
    let detail = Detail {
        row: row.clone(),
        at_ms: Some(-1),
        exit_code: Some(i64::MIN),
        before: Some(Context { row: row.clone(), blocks: vec![] }),
        sections: vec![Section { kind: "said".into(), lines: Some(1), chars: None, blocks }],
        findings: [Severity::Error, Severity::Warning, Severity::Info].map(finding).into(),
        ..Detail::default()
    };
    vec![
        Outcome::Done,
        Outcome::Ready { protocol: 1, build: "b".into() },
        Outcome::Detail { detail: Box::new(detail) },
        Outcome::Rows {
            rows: skillscope::report::Rows {
                rows: vec![Row::Step(row), Row::Fold(Default::default()), Row::Spawn(Default::default())],
                ..Default::default()
            },
        },
        Outcome::Documents {
            documents: vec![DocumentSummary { reports: vec![report], ..DocumentSummary::default() }],
            removed: vec![3],
        },
        Outcome::Raw { raw: RawText::Text { text: "\u{7f}\u{2028}".into() } },
        Outcome::Raw { raw: RawText::Range { file: 1, start: 2, end: u64::from(u32::MAX) + 1 } },
        Outcome::Raw { raw: RawText::Nowhere },
        Outcome::Progress { progress: Progress { phase: 2, done: 1, of: 3 } },
        Outcome::Fault { id: "fault.panic".into(), args: vec![("detail".into(), "d".into())] },
    ]
}

#[test]
fn every_message_is_read_as_it_was_written() {
    let mut seen = Seen::default();
    for job in every_job() {
        seen.check(&Request { id: 5, job });
    }
    for outcome in made() {
        seen.check(&Response { id: u32::MAX, outcome });
    }
    seen.check(&vec![Example { id: "a".into(), files: vec!["a/b".into()] }]);

    let mut files = Vec::new();
    fixtures(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), &mut files);
    assert!(files.len() > 10, "the fixtures are there");
    for (name, bytes) in files {
        let mut bench = Workbench::new();
        let mut ask = |job: Job, bytes: Option<&[u8]>| {
            let outcome = bench.handle(job, bytes, &mut |_| {});
            seen.check(&Response { id: 1, outcome: outcome.clone() });
            outcome
        };
        ask(Job::Open { file: 1, name, size: bytes.len() as u64, format: None }, None);
        ask(Job::Chunk { file: 1 }, Some(&bytes));
        ask(Job::Finish { file: 1 }, None);
        let Outcome::Documents { documents, .. } = ask(Job::Assemble { files: vec![1] }, None) else {
            panic!("Assemble answers with documents")
        };
        for document in documents {
            let id = document.id;
            ask(Job::Runs { document: id, filter: String::new(), from: 0, count: 9 }, None);
            ask(Job::Text { document: id, report: 0, from: 0, count: 200 }, None);
            for (run, of) in (0..).zip(&document.runs) {
                let view = View { folded: run % 2 == 1, ..View::default() };
                ask(Job::Rows { document: id, run, view: view.clone(), from: 0, count: 500 }, None);
                ask(Job::Find { document: id, run, view, seek: Seek::Error { step: None, back: false } }, None);
                ask(Job::Strip { document: id, run, buckets: 100 }, None);
                ask(Job::Findings { document: id, run }, None);
                ask(Job::Loops { document: id, run }, None);
                ask(Job::LoopsWith { document: id, run, params: vec![("rounds".into(), 2.0)] }, None);
                for sums in [false, true] {
                    ask(Job::Usage { document: id, run, prices: Some(own_prices()), buckets: 50, sums }, None);
                }
                ask(Job::Turns { document: id, run, prices: None, from: 0, count: 60 }, None);
                ask(Job::Waterfall { document: id, run, range: None, idle_ms: 60_000.0, bars: 500 }, None);
                ask(Job::Metrics { document: id, run }, None);
                ask(Job::Topology { document: id, run }, None);
                ask(Job::Diagram { document: id, run, options: Default::default() }, None);
                for step in 0..of.steps.min(100) {
                    ask(Job::Detail { document: id, run, step }, None);
                    ask(Job::Raw { document: id, run, step }, None);
                }
            }
        }
        ask(Job::Search { words: "e".into(), limit: 30 }, None);
    }

    let tags = "open chunk finish cancel assemble close runs rows find strip detail raw findings loops diagram text search \
        loops_with usage turns waterfall metrics topology \
        step error finding loop done ready imported documents found hits progress fault fold spawn range nowhere \
        markdown json lines diff picture reference heading para code list quote table rule strong emph strike link \
        break warning info";
    let missing: Vec<&str> = tags.split_whitespace().filter(|tag| !seen.0.contains(*tag)).collect();
    assert!(missing.is_empty(), "not met by this test: {missing:?}");
}

#[test]
fn what_is_cut_or_foreign_is_refused() {
    for outcome in made() {
        let text = serde_json::to_string(&Response { id: 1, outcome }).unwrap();
        for (end, _) in text.char_indices() {
            assert_eq!(from_json::<Response>(&text[..end]), None, "{}", &text[..end]);
        }
    }
    for text in [
        "",
        "null",
        "{}",
        "[]",
        r#"{"id":1}"#,
        r#"{"id":1,"outcome":"something"}"#,
        r#"{"id":1,"outcome":{"something":{}}}"#,
        r#"{"id":1,"outcome":{"imported":{}}}"#,
        r#"{"id":1,"outcome":{"imported":{"file":-1}}}"#,
        r#"{"id":4294967296,"outcome":"done"}"#,
        r#"{"id":1,"outcome":"done",}"#,
        r#"{"id":1,"outcome":{"found":{"step":"1","row":null,"fold":null}}}"#,
    ] {
        assert_eq!(from_json::<Response>(text), None, "{text}");
    }
    // Fields may come in any order, and further ones are left alone.
    let text = r#"{"more":[{}],"outcome":{"found":{"fold":null,"row":7,"step":3}},"id":1}"#;
    let outcome = Outcome::Found { step: Some(3), row: Some(7), fold: None };
    assert_eq!(from_json::<Response>(text), Some(Response { id: 1, outcome }));
}

proptest::proptest! {
    /// Times, shares and costs come back to the last bit.
    #[test]
    fn numbers_are_read_as_they_were_written(a in -1e15_f64..1e15, b in 0.0_f64..1.0, small in 1e-12_f64..1e-3, c in proptest::num::f64::NORMAL) {
        let text = serde_json::to_string(&(a, b, small)).unwrap();
        assert_eq!(from_json::<(f64, f64, f64)>(&text), Some((a, b, small)), "{text}");
        let text = serde_json::to_string(&(c, 0)).unwrap();
        assert_eq!(from_json::<(f64, u32)>(&text), Some((c, 0)), "{text}");
    }
}
