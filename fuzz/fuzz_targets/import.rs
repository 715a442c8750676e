//! Any bytes through the importers: a report, never a panic, whatever the chunks and whichever format is forced.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillscope::import::{FORMATS, FileImport, Intake, import_bytes};

fn told(imports: &[FileImport]) -> String {
    imports.iter().map(|i| format!("{:?}{:?}{:?}{:?}{:?}", i.runs, i.report, i.findings, i.session, i.source)).collect()
}

fuzz_target!(|bytes: &[u8]| {
    // The first two bytes say what is tried with the rest.
    let [how, cut, bytes @ ..] = bytes else { return };
    let forced = FORMATS.get(usize::from(*how) % (2 * FORMATS.len())).map(|f| f.id);
    let imports = import_bytes("x", bytes, forced);
    assert!(!imports.is_empty());
    for run in imports.iter().flat_map(|i| &i.runs) {
        for step in &run.steps {
            assert!((step.lane as usize) < run.lanes.len());
            assert!(step.turn.is_none_or(|t| (t as usize) < run.turns.len()));
        }
        let _ = (run.usage(), run.duration_ms(), run.errors());
    }
    let mut intake = Intake::new("x", forced);
    let (a, b) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    intake.chunk(a);
    intake.chunk(b);
    assert_eq!(told(&intake.finish()), told(&imports));
});
