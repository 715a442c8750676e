//! Says aloud, also when every test passes, which folders of real files are not here. The tests that read them
//! then check nothing, and `cargo test` would swallow what they print. Two `stat` calls.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Variable, default beside the project, and what is in it.
const FOLDERS: [(&str, &str, &str); 2] = [
    ("SKILLSCOPE_CORPUS", "../shared/samples", "files of real agents"),
    ("SKILLSCOPE_VECTORS", "../shared/vectors", "answers of other programs"),
];

#[test]
fn a_missing_folder_of_real_files_is_said_aloud() {
    for (variable, default, what) in FOLDERS {
        let named = std::env::var_os(variable).map(PathBuf::from);
        let folder = named.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(default));
        if folder.is_dir() {
            continue;
        }
        assert!(named.is_none(), "{variable} names {}, and there is no such folder", folder.display());
        let note = format!(
            "\nNOTE: no {what} at {}: the tests that read them check nothing ({variable} names another folder)\n",
            folder.display()
        );
        // Not `eprintln!`: the test harness keeps that for failing tests.
        std::io::stderr().write_all(note.as_bytes()).unwrap();
    }
}
