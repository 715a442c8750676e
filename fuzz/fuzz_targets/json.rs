//! Any bytes through the JSON reader: sound values, and no faults exactly where `serde_json` accepts.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillscope::json::{Tape, decode_bytes};

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode_bytes(bytes);
    let text: &str = &decoded.text;
    let mut tape = Tape::new();
    let doc = tape.parse(text);
    let root = doc.root();
    let mut stack = vec![root];
    let mut looked_at = 0;
    while let Some(val) = stack.pop() {
        let (start, end) = val.range();
        assert!(start <= end && end <= text.len());
        let _ = (val.text(), val.as_f64(), val.as_i64(), val.lines_after(root));
        looked_at += 1;
        if looked_at < 200 && root.repeated_keys().is_empty() {
            let pointer = val.pointer();
            let found = doc.pointer(&pointer);
            assert!(found.is_some_and(|f| f.range() == val.range()) || has_repeats(root), "{pointer}");
        }
        stack.extend(val.items().chain(val.entries().map(|(_, v)| v)));
    }
    let value = root.to_serde();
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(theirs) => {
            assert!(tape.faults().is_empty(), "{:?}", tape.faults());
            assert_eq!(value, theirs);
        }
        Err(e) => {
            let meant = e.to_string();
            let meant = meant.starts_with("number out of range") || meant.starts_with("recursion limit");
            assert!(!tape.faults().is_empty() || meant, "{e}");
        }
    }
});

/// A pointer names the last of repeated keys only.
fn has_repeats(root: skillscope::json::Val<'_>) -> bool {
    let mut stack = vec![root];
    while let Some(val) = stack.pop() {
        if !val.repeated_keys().is_empty() {
            return true;
        }
        stack.extend(val.items().chain(val.entries().map(|(_, v)| v)));
    }
    false
}
