//! Langfuse: an exported trace `{"trace", "observations"}`, its observations alone, a list of either, one a line.
//!
//! ```json
//! {"trace":{"id":"t","name":"run","scores":[{"name":"ok","value":1}]},"observations":[
//!  {"id":"o","traceId":"t","parentObservationId":null,"type":"GENERATION","startTime":"…","input":"[{\"role\":…}]","output":"…",
//!   "model":"m","usageDetails":{"input":1,"output":2}}]}
//! ```
//!
//! Input and output are JSON in strings, sometimes twice; the framework's own attributes stand in `metadata.attributes`
//! and say more than the type. The copies inside `trace.observations` have no input and output and are left alone.
//! Output tokens leave reasoning out. Scores are labels of the run; one of an observation
//! stands at its step as well. O(bytes).

use std::collections::HashMap;

use super::attributes::Attributes;
use super::chat::Speaker;
use super::dialect::{messages, with_json};
use super::otlp::{args_in, fill, result_in};
use super::part::{cut, moment};
use super::spans::{Seg, SegKind, nanos, runs};
use super::usage::usage_with;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff};
use crate::json::Val;
use crate::model::{CostKind, Run};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "langfuse",
    label: "Langfuse",
    files: "exported traces with observations and scores",
    marks: &["trace", "observations", "traceId", "parentObservationId", "usageDetails"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new(), titles: Vec::new() }),
};

const TYPES: [&str; 10] =
    ["SPAN", "GENERATION", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "GUARDRAIL", "EMBEDDING"];

fn is_observation(val: Val<'_>) -> bool {
    val.get("type").is_some_and(|t| TYPES.iter().any(|known| t.is(known)))
        && (val.has("traceId") || val.has("parentObservationId"))
}

fn list_of(val: Val<'_>) -> Option<Val<'_>> {
    let trace = val.get("trace");
    let lists = [val.get("observations"), trace.and_then(|t| t.get("observations")), val.get("data")];
    lists.into_iter().flatten().find(|l| l.items().next().is_some_and(is_observation))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_observation(v) || list_of(v).is_some()) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("observations") => Sniff::near(1, Reason::NoKey("traceId"), "/observations/0/traceId"),
        _ => Sniff::no(Reason::NeedsObject("observations"), "/observations"),
    }
}

struct Reader {
    segs: Vec<Seg>,
    /// Id and name of traces, with what their runs take over.
    titles: Vec<Header>,
}

struct Header {
    trace: String,
    name: String,
    labels: Vec<(String, String)>,
    facts: Vec<(String, String)>,
    /// Observation and its score.
    marks: Vec<(String, String)>,
}

fn header(trace: Val<'_>, list: Option<Val<'_>>) -> Header {
    let named = |id: &str| {
        let found = list?.items().find(|o| o.get("id").is_some_and(|i| i.is(id)))?;
        found.str("name").map(|n| n.into_owned())
    };
    let (mut labels, mut marks) = (Vec::new(), Vec::new());
    for score in trace.get("scores").into_iter().flat_map(Val::items) {
        let name = score.str("name").unwrap_or_default();
        let value = score.str("stringValue").filter(|s| !s.is_empty()).map(|s| s.into_owned());
        let value = value.or_else(|| score.some("value").map(|v| v.text().into_owned())).unwrap_or_default();
        // A score of one observation says of which.
        if let Some(id) = score.str("observationId") {
            marks.push((id.into_owned(), cut(&format!("{name} {value}"), 100)));
        }
        let at = score.str("observationId").and_then(|id| named(&id));
        labels.push((at.map_or_else(|| name.to_string(), |at| format!("{name} ({at})")), cut(&value, 200)));
    }
    let mut facts = Vec::new();
    for (fact, key) in [("session", "sessionId"), ("user", "userId"), ("release", "release"), ("version", "version")] {
        if let Some(value) = trace.str(key).filter(|v| !v.is_empty()) {
            facts.push((fact.to_owned(), cut(&value, 200)));
        }
    }
    let tags: Vec<String> = trace.get("tags").into_iter().flat_map(Val::items).map(|t| t.text().into_owned()).collect();
    if !tags.is_empty() {
        facts.push(("tags".into(), cut(&tags.join(", "), 200)));
    }
    Header {
        trace: trace.str("id").unwrap_or_default().into_owned(),
        name: trace.str("name").unwrap_or_default().into_owned(),
        labels,
        facts,
        marks,
    }
}

fn observation(record: &Record<'_>, val: Val<'_>, trace: &str) -> Seg {
    let text = |key: &str| val.str(key).filter(|t| !t.is_empty());
    let start = val.some("startTime");
    let mut seg = Seg {
        id: text("id").unwrap_or_default().as_ref().into(),
        parent: text("parentObservationId").map(|p| p.as_ref().into()),
        trace: text("traceId").unwrap_or(trace.into()).as_ref().into(),
        name: val.str("name").unwrap_or_default().into_owned(),
        from: start.map(nanos).unwrap_or(0),
        start: start.and_then(moment),
        end: val.some("endTime").and_then(moment),
        span: record.span_of(val),
        ..Seg::default()
    };
    seg.kind = match val.str("type").unwrap_or_default().as_ref() {
        "GENERATION" => SegKind::Model,
        "TOOL" => SegKind::Tool,
        "AGENT" => SegKind::Agent,
        _ => SegKind::Other,
    };
    if val.get("level").is_some_and(|l| l.is("ERROR")) {
        seg.error = Some(val.str("statusMessage").unwrap_or_default().into_owned());
    }
    let own = |meta: Val<'_>| meta.get("attributes").map(attributes_of);
    let attributes = val.some("metadata").and_then(|meta| match meta.as_str() {
        Some(text) => with_json(&text, own).flatten(),
        None => own(meta),
    });
    if let Some(attributes) = &attributes {
        fill(&mut seg, attributes);
    }
    let place = |v: Val<'_>| record.span_of(v);
    // LangChain's tools are plain spans whose output is a message of a tool.
    let (input, output) = (val.some("input"), val.some("output"));
    if seg.kind == SegKind::Other
        && let Some(found) = output.map(|o| messages(o, Speaker::Agent, &place))
        && let [only] = found.as_slice()
        && only.who == Speaker::Tool
        && input.is_some_and(|i| messages(i, Speaker::Named, &place).iter().all(|m| m.who == Speaker::Named))
    {
        seg.kind = SegKind::Tool;
        if let Some(super::said::Said::Result { id, content, .. }) = only.parts.first().map(|p| &p.said) {
            seg.call_id.clone_from(id);
            seg.result = Some(content.clone());
        }
    }
    if seg.kind == SegKind::Tool {
        if seg.args.is_none() {
            seg.args = input.map(|i| args_in(&i.text()));
        }
        if seg.result.is_none() {
            seg.result = output.map(|o| result_in(&o.text()));
        }
        seg.tool.get_or_insert_with(|| seg.name.trim_start_matches("execute_tool ").to_owned());
        return seg;
    }
    if seg.input.is_empty() {
        seg.input = input.map(|i| messages(i, Speaker::Person, &place)).unwrap_or_default();
    }
    // LangGraph over OpenTelemetry puts the definitions of tools among the messages.
    seg.input.retain(|m| m.who != Speaker::Tool || !m.parts.iter().any(is_definition));
    if seg.output.is_empty() {
        seg.output = output.map(|o| messages(o, Speaker::Agent, &place)).unwrap_or_default();
    }
    if seg.kind == SegKind::Model {
        if let Some(model) = text("model") {
            seg.model = Some(model.into_owned());
        }
        if let Some(usage) = val.some("usageDetails").or_else(|| val.some("usage")).filter(|u| !u.is_empty()) {
            // Langfuse keeps the cache and the reasoning apart from the two sums.
            seg.usage = usage_with(usage, true, true);
        }
        let cost = val.path(&["costDetails", "total"]).and_then(Val::as_f64).or_else(|| val.f64("calculatedTotalCost"));
        if let Some(cost) = cost {
            seg.usage.cost = Some(cost);
            seg.usage.cost_kind = CostKind::Estimated;
        }
    }
    seg
}

fn attributes_of(val: Val<'_>) -> Attributes {
    match val.as_str() {
        Some(text) => with_json(&text, Attributes::of_object).unwrap_or_default(),
        None => Attributes::of_object(val),
    }
}

fn is_definition(part: &super::dialect::Part) -> bool {
    match &part.said {
        super::said::Said::Result { id: None, content, .. } => {
            content.text.contains("\"parameters\"") && content.text.contains("\"function\"")
        }
        _ => false,
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if is_observation(val) {
            self.segs.push(observation(record, val, ""));
            return;
        }
        let list = list_of(val);
        let trace = val.get("trace").unwrap_or(val);
        if trace.has("id") || trace.has("scores") {
            self.titles.push(header(trace, list));
        }
        let id = trace.str("id").unwrap_or_default();
        match list {
            Some(list) => record.each(list, |member| self.segs.push(observation(member, member.val, &id))),
            None => log.unknown("no observations"),
        }
    }

    fn finish(mut self: Box<Self>, log: &mut Log) -> Vec<Run> {
        let marks = self.titles.iter().flat_map(|t| &t.marks);
        let marks: HashMap<&str, &str> = marks.map(|(id, mark)| (id.as_str(), mark.as_str())).collect();
        for seg in &mut self.segs {
            seg.mark = marks.get(seg.id.as_ref()).map(|m| (*m).into());
        }
        let mut found = runs(self.segs, FORMAT.id, log);
        for head in self.titles {
            let Some(run) = found.iter_mut().find(|r| r.id.as_deref() == Some(&head.trace)) else { continue };
            if run.title.is_empty() {
                run.title = head.name;
            } else if !head.name.is_empty() {
                run.facts.push(("trace".into(), head.name));
            }
            let new: Vec<_> = head.facts.into_iter().filter(|f| !run.facts.contains(f)).collect();
            run.facts.extend(new);
            run.labels.extend(head.labels);
        }
        found
    }
}
