//! TRAIL: OpenInference traces with their errors marked, spans nested in `child_spans`, and its files of labels.
//!
//! ```json
//! {"trace_id":"t","spans":[{"span_id":"a","span_name":"main","timestamp":"…","duration":"PT1.2S","status_code":"Ok",
//!   "span_attributes":{"openinference.span.kind":"AGENT"},"child_spans":[]}],"labels":{"errors":[{"category":"…","location":"a"}]}}
//! ```
//!
//! The data set is distributed as Parquet, whose columns hold these texts; an exported row may keep them as JSON in
//! strings. Labels stand in a file beside the trace, or in `labels`. Every error becomes a label that names its
//! category and its span. O(spans × depth + bytes).

use super::attributes::Attributes;
use super::dialect::with_json;
use super::otlp::fill;
use super::part::{cut, moment};
use super::spans::{Seg, nanos, runs};
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff};
use crate::json::Val;
use crate::model::{Run, Span, Time};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "trail",
    label: "TRAIL",
    files: "traces with error labels",
    marks: &["trace_id", "spans", "child_spans", "span_attributes", "labels"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new(), labels: Vec::new() }),
};

fn is_span(val: Val<'_>) -> bool {
    val.has("span_id") && (val.has("child_spans") || val.has("span_attributes"))
}

fn holds(val: Val<'_>) -> bool {
    let inner =
        |text: &str| with_json(text, |v| v.get("spans").is_some_and(|s| s.items().any(is_span))).unwrap_or(false);
    val.get("spans").is_some_and(|s| s.items().any(is_span)) || val.str("trace").is_some_and(|t| inner(&t))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(holds) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("spans") => Sniff::near(1, Reason::NoKey("child_spans"), "/spans/0/child_spans"),
        _ => Sniff::no(Reason::NeedsObject("spans"), "/spans"),
    }
}

struct Reader {
    segs: Vec<Seg>,
    /// Trace, and its errors and scores as labels.
    labels: Vec<(String, Vec<(String, String)>)>,
}

/// Milliseconds of `PT1M2.5S`.
fn duration(text: &str) -> Option<f64> {
    let mut total = 0.0;
    let mut number = String::new();
    for c in text.strip_prefix("PT")?.chars() {
        let unit = match c {
            'H' => 3_600_000.0,
            'M' => 60_000.0,
            'S' => 1000.0,
            _ => {
                number.push(c);
                continue;
            }
        };
        total += number.parse::<f64>().ok()? * unit;
        number.clear();
    }
    Some(total)
}

impl Reader {
    /// The spans below a list, without recursion.
    fn spans(&mut self, list: Val<'_>, trace: &str, place: &dyn Fn(Val<'_>) -> Span) {
        let mut stack: Vec<(Val<'_>, Option<Box<str>>)> = list.items().map(|s| (s, None)).collect();
        stack.reverse();
        while let Some((val, above)) = stack.pop() {
            let id: Box<str> = val.str("span_id").unwrap_or_default().as_ref().into();
            let own = val.str("parent_span_id").filter(|p| !p.is_empty()).map(|p| p.as_ref().into());
            let start = val.some("timestamp");
            let at = start.and_then(moment);
            let length = val.str("duration").and_then(|d| duration(&d));
            let mut seg = Seg {
                id: id.clone(),
                parent: above.or(own),
                trace: trace.into(),
                name: val.str("span_name").unwrap_or_default().into_owned(),
                from: start.map(nanos).unwrap_or(0),
                start: at,
                end: at.zip(length).map(|(t, ms)| Time { ms: t.ms + ms as i64, ..t }),
                span: place(val),
                ..Seg::default()
            };
            if val.get("status_code").is_some_and(|c| c.is("Error")) {
                seg.error = Some(val.str("status_message").unwrap_or_default().into_owned());
            }
            if let Some(attributes) = val.get("span_attributes") {
                fill(&mut seg, &Attributes::of_object(attributes));
            }
            self.segs.push(seg);
            let below: Vec<Val<'_>> = val.get("child_spans").into_iter().flat_map(Val::items).collect();
            stack.extend(below.into_iter().rev().map(|c| (c, Some(id.clone()))));
        }
    }

    fn labelled(&mut self, trace: &str, labels: Val<'_>) {
        let mut found = Vec::new();
        for error in labels.get("errors").into_iter().flat_map(Val::items) {
            let text = |key: &str| error.str(key).unwrap_or_default();
            let value = format!("{} at {}: {}", text("impact"), text("location"), text("description"));
            found.push((text("category").into_owned(), cut(&value, 300)));
        }
        for (name, value) in labels.get("scores").into_iter().flat_map(Val::items).flat_map(Val::entries) {
            if !value.is_string() || value.text().len() < 40 {
                found.push((name.into_owned(), cut(&value.text(), 100)));
            }
        }
        self.labels.push((trace.to_owned(), found));
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let trace = val.str("trace_id").unwrap_or_default().into_owned();
        if let Some(list) = val.get("spans") {
            self.spans(list, &trace, &|v| record.span_of(v));
        } else if let Some(text) = val.str("trace") {
            let span = record.span();
            with_json(&text, |inner| {
                let trace = inner.str("trace_id").unwrap_or_default().into_owned();
                if let Some(list) = inner.get("spans") {
                    self.spans(list, &trace, &|_| span.clone());
                }
            });
        } else {
            log.unknown("no spans");
        }
        let trace = self.segs.last().map_or(trace, |s| s.trace.to_string());
        match val.get("labels") {
            Some(labels) if labels.is_string() => {
                with_json(&labels.text(), |inner| self.labelled(&trace, inner));
            }
            Some(labels) => self.labelled(&trace, labels),
            None if val.has("errors") => self.labelled(&trace, val),
            None => {}
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        let mut found = runs(self.segs, FORMAT.id, log);
        for (trace, labels) in self.labels {
            if let Some(run) = found.iter_mut().find(|r| r.id.as_deref() == Some(&trace)) {
                run.labels.extend(labels);
            }
        }
        found
    }
}
