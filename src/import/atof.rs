//! ATOF: the event stream of NVIDIA's NeMo Agent Toolkit, from which it makes ATIF.
//!
//! ```json
//! {"kind":"scope","scope_category":"start","atof_version":"0.1","category":"tool","category_profile":{"tool_call_id":"c"},
//!  "uuid":"t","parent_uuid":"a","data":{"path":"x"},"timestamp":"…","name":"read_file"}
//! ```
//!
//! A scope begins and ends; what goes in and comes out stands in `data`. O(bytes).

use std::collections::HashMap;

use super::chat::Speaker;
use super::dialect::messages;
use super::part::moment;
use super::said::answer;
use super::spans::{Seg, SegKind, nanos, runs};
use super::usage::usage_in;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::Run;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "atof",
    label: "ATOF",
    files: "NeMo Agent Toolkit event streams",
    marks: &["atof_version", "kind", "scope_category", "category", "uuid", "parent_uuid"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new(), index: HashMap::new() }),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| v.has("atof_version") && v.has("uuid")) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("atof_version"), "/0/atof_version")
}

struct Reader {
    segs: Vec<Seg>,
    /// Looked up only.
    index: HashMap<String, usize>,
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let Some(id) = val.str("uuid").filter(|_| val.get("kind").is_some_and(|k| k.is("scope"))) else {
            return log.skipped(&val.str("kind").unwrap_or("no kind".into()));
        };
        let time = val.some("timestamp");
        let at = *self.index.entry(id.clone().into_owned()).or_insert_with(|| {
            let kind = match val.str("category").unwrap_or_default().as_ref() {
                "llm" => SegKind::Model,
                "tool" => SegKind::Tool,
                "agent" => SegKind::Agent,
                _ => SegKind::Other,
            };
            let name = val.str("name").unwrap_or_default().into_owned();
            self.segs.push(Seg {
                id: id.as_ref().into(),
                parent: val.str("parent_uuid").map(|p| p.as_ref().into()),
                agent: (kind == SegKind::Agent).then(|| name.clone()),
                name,
                kind,
                from: time.map(nanos).unwrap_or(0),
                start: time.and_then(moment),
                call_id: val
                    .path(&["category_profile", "tool_call_id"])
                    .and_then(Val::as_str)
                    .map(|i| i.as_ref().into()),
                model: val.path(&["category_profile", "model_name"]).and_then(Val::as_str).map(|m| m.into_owned()),
                span: record.span(),
                ..Seg::default()
            });
            self.segs.len() - 1
        });
        let Some(seg) = self.segs.get_mut(at) else { return };
        let data = val.some("data");
        let place = |v: Val<'_>| record.span_of(v);
        if val.get("scope_category").is_some_and(|c| c.is("start")) {
            match seg.kind {
                SegKind::Tool => seg.args = data.map(|d| json_args(d.raw())),
                _ => seg.input = data.map(|d| messages(d, Speaker::Person, &place)).unwrap_or_default(),
            }
            return;
        }
        seg.end = time.and_then(moment);
        if let Some(error) = data.and_then(|d| d.some("error")).or_else(|| val.some("error")) {
            seg.error = Some(error.get("message").unwrap_or(error).text().into_owned());
        }
        match seg.kind {
            SegKind::Tool => seg.result = data.map(|d| answer(d).0),
            _ => seg.output = data.map(|d| messages(d, Speaker::Agent, &place)).unwrap_or_default(),
        }
        if let Some(usage) = data.and_then(|d| d.some("usage")) {
            seg.usage = usage_in(usage);
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        runs(self.segs, FORMAT.id, log)
    }
}
