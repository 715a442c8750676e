//! Files that are texts and no JSON: who reads them. Such a format has its line in [`super::FORMATS`] as well, so that it
//! is named, documented and chosen like the others; its reader of records only says that it is none of these.

use super::{Format, Log, Record, RecordReader, aider, markdown_transcript};
use crate::model::Run;

/// A format that reads a text as a whole.
pub struct TextFormat {
    pub format: &'static Format,
    pub sniff: fn(&str) -> bool,
    pub read: fn(&str, &mut Log) -> Vec<Run>,
}

/// Most specific first.
pub const FORMATS: &[TextFormat] = &[
    TextFormat { format: &aider::FORMAT, sniff: aider::is_history, read: aider::read },
    TextFormat {
        format: &markdown_transcript::FORMAT,
        sniff: markdown_transcript::is_transcript,
        read: markdown_transcript::read,
    },
];

/// Reads no record: what such a format is made of is no JSON.
pub struct NoRecords;

impl RecordReader for NoRecords {
    fn record(&mut self, _record: &Record<'_>, log: &mut Log) {
        log.unknown("JSON");
    }

    fn finish(self: Box<Self>, _log: &mut Log) -> Vec<Run> {
        Vec::new()
    }
}
