//! What an import did: the report that every file gets.

use serde::Serialize;

/// The report of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ImportReport {
    /// Name as dropped; a member of an archive is `archive.zip/member`.
    pub file: String,
    /// Size of the decoded text in bytes.
    pub bytes: u64,
    /// Id of the format, `None` when nothing recognised the file.
    pub format: Option<String>,
    /// `object`, `array`, `lines`, `text` or `binary`.
    pub shape: String,
    /// How it was wrapped: `gzip`, `zip`, `utf-16le`, `string` (JSON inside a JSON string).
    pub wrapped: Vec<String>,
    /// Lines of the text.
    pub lines: u64,
    /// Records that were read, and those of a known kind.
    pub records: u64,
    pub understood: u64,
    /// Lines that are not JSON; the list holds the first hundred.
    pub bad_lines: u64,
    pub bad: Vec<BadLine>,
    /// Kinds that no reader knows; their records are kept as raw steps.
    pub unknown: Vec<(String, u64)>,
    /// Known kinds that hold nothing to show.
    pub skipped: Vec<(String, u64)>,
    pub repairs: Vec<Repair>,
    pub notes: Vec<Note>,
    pub refused: Option<Refusal>,
}

impl ImportReport {
    /// Share of the records that were understood, bad lines included in the whole; `None` without records.
    pub fn share(&self) -> Option<f64> {
        let all = self.records + self.bad_lines;
        (all > 0).then(|| self.understood as f64 / all as f64)
    }
}

/// A line that is not JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BadLine {
    pub line: u32,
    pub column: u32,
    /// The first characters of the line.
    pub head: String,
}

/// A repair and where it was first needed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repair {
    /// Id: `lone-surrogate`, `not-a-number`, `control-character`, `bad-escape`, `trailing-comma`, `too-deep`,
    /// `replaced-bytes`, `cut-off`, `repeated-record`.
    pub kind: String,
    pub count: u64,
    pub line: u32,
}

/// A sentence about the import: an id of the message table with its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    pub id: String,
    pub args: Vec<(String, String)>,
}

/// Why a file is not taken for a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Refusal {
    /// What it looks like: an id of the message table (`refused.<id>`).
    pub looks_like: String,
    /// Place of the first thing that is not JSON, for text that begins as JSON.
    pub stopped: Option<(u32, u32)>,
    /// Its first lines, cut.
    pub head: Vec<String>,
    /// What each format missed, nearest first.
    pub answers: Vec<FormatAnswer>,
}

/// One format's "no".
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormatAnswer {
    pub format: String,
    /// `no-key`, `not-a`, `needs-object` or `needs-records`.
    pub reason: String,
    pub key: String,
    /// The kind of value that was expected, for `not-a`.
    pub expected: String,
    pub pointer: String,
    pub near: u8,
}
