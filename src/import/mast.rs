//! MAST: runs of several frameworks as raw text, with the failure modes that people marked.
//!
//! ```json
//! [{"mas_name":"AG2","llm_name":"GPT-4o","benchmark_name":"GSM","trace":{"trajectory":"…"},"mast_annotation":{"1.3":1}}]
//! ```
//!
//! The trajectory is whatever the framework printed; it becomes one step, since nobody can tell its parts. The modes
//! that are marked become labels. O(bytes).

use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{Content, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "mast",
    label: "MAST",
    files: "annotated logs of multi-agent runs",
    marks: &["mas_name", "trace", "mast_annotation", "benchmark_name", "llm_name"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_row(val: Val<'_>) -> bool {
    val.has("mas_name") && val.has("trace")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_row) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("mas_name"), "/0/mas_name")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if !is_row(val) {
        return talk.unknown(record, "no mas_name", log);
    }
    talk.next();
    log.understood();
    let trace = val.get("trace");
    talk.id(trace.and_then(|t| t.get("key")).or_else(|| val.get("trace_id")));
    let word = |key: &str| val.str(key).unwrap_or_default();
    talk.run.run.title = format!("{}, {}", word("mas_name"), word("benchmark_name"));
    talk.run.agent(&word("mas_name"), None);
    if let Some(model) = val.str("llm_name") {
        talk.run.run.model_index(&model);
    }
    for (mode, value) in val.some("mast_annotation").into_iter().flat_map(Val::entries) {
        if value.as_f64() == Some(1.0) || value.as_bool() == Some(true) {
            talk.run.run.labels.push((format!("failure mode {mode}"), value.text().into_owned()));
        }
    }
    let text = trace.and_then(|t| t.some("trajectory").or(Some(t))).map(Val::text).unwrap_or_default();
    let draft = Draft { label: Some("log".into()), span: record.span(), ..Draft::default() };
    talk.run.say(StepKind::Raw, Content::text(text), draft);
}
