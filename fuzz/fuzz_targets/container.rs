//! Any bytes inside a container: the same bytes plain, gzipped, in a zip and as UTF-16 are read alike or refused in a
//! sentence; damaged containers end in a report.

#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use skillscope::import::{FileImport, import_bytes};

/// What does not depend on the wrapping.
fn told(imports: &[FileImport]) -> String {
    imports.iter().map(|i| format!("{:?}", i.runs)).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).and_then(|()| out.finish()).unwrap_or_default()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let wrote = out.start_file("x.jsonl", zip::write::SimpleFileOptions::default()).is_ok() && out.write_all(bytes).is_ok();
    assert!(wrote);
    out.finish().map(std::io::Cursor::into_inner).unwrap_or_default()
}

fuzz_target!(|bytes: &[u8]| {
    let [how, at, with, bytes @ ..] = bytes else { return };
    let mut wrapped = match how % 3 {
        0 => gzip(bytes),
        1 => zipped(bytes),
        _ => bytes.to_vec(),
    };
    if how & 0x80 == 0 {
        // Whole: nothing may differ. Bytes that are themselves a container would be opened twice by one way only.
        let container = bytes.starts_with(b"PK") || bytes.starts_with(&[0x1f, 0x8b]);
        if !container {
            assert_eq!(told(&import_bytes("x", &wrapped, None)), told(&import_bytes("x", bytes, None)));
        }
    } else {
        // Damaged at one place, or cut there.
        let place = usize::from(*at) * wrapped.len() / 256;
        if how & 0x40 == 0 {
            wrapped.truncate(place);
        } else if let Some(byte) = wrapped.get_mut(place) {
            *byte = *with;
        }
        assert!(!import_bytes("x", &wrapped, None).is_empty());
    }
});
