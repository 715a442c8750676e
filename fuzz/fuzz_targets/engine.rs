//! Any bytes through the whole engine: every job of the page is answered for whatever was dropped, and every answer
//! survives the way to the page.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillscope::engine::Workbench;
use skillscope::protocol::{Job, Outcome, Seek};
use skillscope::report::{DiagramOptions, View};

fuzz_target!(|bytes: &[u8]| {
    let [cut, bytes @ ..] = bytes else { return };
    let mut bench = Workbench::new();
    let mut ask = |job: Job, bytes: Option<&[u8]>| {
        let outcome = bench.handle(job, bytes, &mut |_| {});
        let text = serde_json::to_string(&outcome).expect("every answer can be written");
        assert_eq!(serde_json::from_str::<Outcome>(&text).ok().as_ref(), Some(&outcome), "{text}");
        outcome
    };
    // Two files of one drop.
    let (a, b) = bytes.split_at(usize::from(*cut) * bytes.len() / 256);
    for (file, part) in [(1, a), (2, b)] {
        ask(Job::Open { file, name: format!("{file}.jsonl"), size: part.len() as u64, format: None }, None);
        ask(Job::Chunk { file }, Some(part));
        ask(Job::Finish { file }, None);
    }
    let Outcome::Documents { documents, .. } = ask(Job::Assemble { files: vec![1, 2] }, None) else { panic!("no documents") };
    for summary in documents {
        let document = summary.id;
        ask(Job::Text { document, report: 0, from: 0, count: 50 }, None);
        ask(Job::Runs { document, filter: "a".into(), from: 0, count: 10 }, None);
        for run in 0..(summary.runs.len() as u32).min(4) {
            let view = View::default();
            ask(Job::Rows { document, run, view: view.clone(), from: 0, count: 60 }, None);
            ask(Job::Strip { document, run, buckets: 100 }, None);
            ask(Job::Findings { document, run }, None);
            ask(Job::Loops { document, run }, None);
            ask(Job::Diagram { document, run, options: DiagramOptions::default() }, None);
            for step in 0..8 {
                ask(Job::Detail { document, run, step }, None);
                ask(Job::Raw { document, run, step }, None);
                ask(Job::Find { document, run, view: view.clone(), seek: Seek::Step { step } }, None);
            }
        }
    }
});
