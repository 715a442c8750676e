//! LangSmith runs: exported one a line or in a list, flat with `parent_run_id` or nested in `child_runs`; and the
//! events of LangGraph's `astream_events`, which tell the same spans as beginnings and ends.
//!
//! ```json
//! {"id":"r","trace_id":"t","parent_run_id":null,"dotted_order":"…","run_type":"llm","name":"M","start_time":"…",
//!  "inputs":{"prompts":["System: …"]},"outputs":{"generations":[[{"message":{"lc":1,"kwargs":{"content":"hi"}}}]]}}
//! {"event":"on_tool_end","run_id":"r","parent_ids":["t"],"name":"calc","data":{"input":{},"output":{}}}
//! ```
//!
//! Chains are the framework's and are looked through; models and tools count. Prompts may be flattened into one text.
//! Events have no times. Feedback becomes labels. O(bytes).

use std::collections::HashMap;

use super::chat::Speaker;
use super::dialect::messages;
use super::part::{cut, moment};
use super::said::{Said, answer};
use super::spans::{Seg, SegKind, nanos, runs};
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff, json_args, string_args};
use crate::json::Val;
use crate::model::{CostKind, Run};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "langsmith",
    label: "LangSmith",
    files: "exported runs, LangGraph's astream_events",
    marks: &["run_type", "dotted_order", "parent_run_id", "inputs", "outputs", "trace_id"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new(), events: HashMap::new() }),
};

fn is_run(val: Val<'_>) -> bool {
    val.get("run_type").is_some_and(Val::is_string)
        && (val.has("inputs") || val.has("dotted_order") || val.has("outputs"))
}

fn is_event(val: Val<'_>) -> bool {
    val.str("event").is_some_and(|e| e.starts_with("on_")) && val.has("run_id") && val.has("data")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_run(v) || is_event(v)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("run_type") => Sniff::near(1, Reason::NoKey("inputs"), "/0/inputs"),
        _ => Sniff::no(Reason::NeedsRecords("run_type"), "/0/run_type"),
    }
}

struct Reader {
    segs: Vec<Seg>,
    /// Run id of an event -> its span. Looked up only.
    events: HashMap<String, usize>,
}

fn kind_of(word: &str) -> SegKind {
    match word {
        "llm" | "chat_model" => SegKind::Model,
        "tool" => SegKind::Tool,
        _ => SegKind::Other,
    }
}

/// What went in.
fn take_input(seg: &mut Seg, record: &Record<'_>, input: Val<'_>) {
    if seg.kind == SegKind::Tool {
        // A tool with one text gets it under `input`.
        let only = input.get("input").filter(|i| input.len() == 1 && i.is_string());
        seg.args = Some(match only.or(Some(input).filter(|i| i.is_string())) {
            Some(text) => string_args(&text.text()),
            None => json_args(input.raw()),
        });
    } else {
        seg.input = messages(input, Speaker::Person, &|v| record.span_of(v));
    }
}

/// What came out.
fn take_output(seg: &mut Seg, record: &Record<'_>, output: Val<'_>) {
    if seg.kind != SegKind::Tool {
        seg.output = messages(output, Speaker::Agent, &|v| record.span_of(v));
        return;
    }
    let inner = output.get("output").unwrap_or(output);
    let found = messages(inner, Speaker::Agent, &|v| record.span_of(v));
    let result = found.iter().flat_map(|m| &m.parts).find_map(|p| match &p.said {
        Said::Result { id, content, status, .. } => Some((id, content, *status)),
        _ => None,
    });
    match result {
        Some((id, content, status)) => {
            seg.call_id = seg.call_id.take().or_else(|| id.clone());
            seg.result = Some(content.clone());
            if status == crate::model::CallStatus::Error {
                seg.error.get_or_insert_with(String::new);
            }
        }
        None => seg.result = Some(answer(inner).0),
    }
}

impl Reader {
    /// A run and its children, nearest first, without recursion.
    fn tree(&mut self, record: &Record<'_>) {
        let mut stack = vec![(record.val, None::<Box<str>>)];
        while let Some((val, parent)) = stack.pop() {
            let seg = run(record, val, parent);
            let id = seg.id.clone();
            self.segs.push(seg);
            let children: Vec<Val<'_>> = val.get("child_runs").into_iter().flat_map(Val::items).collect();
            stack.extend(children.into_iter().rev().map(|c| (c, Some(id.clone()))));
        }
    }

    fn event(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let event = val.str("event").unwrap_or_default();
        let (word, phase) = event.trim_start_matches("on_").rsplit_once('_').unwrap_or_default();
        let id = val.str("run_id").unwrap_or_default().into_owned();
        let parents = val.get("parent_ids").into_iter().flat_map(Val::items);
        let parents: Vec<String> = parents.filter_map(|p| p.as_str().map(|s| s.into_owned())).collect();
        let at = *self.events.entry(id.clone()).or_insert_with(|| {
            self.segs.push(Seg {
                trace: parents.first().unwrap_or(&id).as_str().into(),
                id: id.as_str().into(),
                parent: parents.last().map(|p| p.as_str().into()),
                name: val.str("name").unwrap_or_default().into_owned(),
                kind: kind_of(word),
                from: record.index as u64 + 1,
                span: record.span(),
                model: val.path(&["metadata", "ls_model_name"]).and_then(Val::as_str).map(|m| m.into_owned()),
                ..Seg::default()
            });
            self.segs.len() - 1
        });
        let Some(seg) = self.segs.get_mut(at) else { return };
        let data = val.get("data");
        match phase {
            "start" => {
                if let Some(input) = data.and_then(|d| d.some("input")) {
                    take_input(seg, record, input);
                }
            }
            "end" => {
                if let Some(output) = data.and_then(|d| d.some("output")) {
                    take_output(seg, record, output);
                }
            }
            "error" => {
                seg.error = Some(data.and_then(|d| d.some("error")).map_or(String::new(), |e| e.text().into_owned()))
            }
            // Chunks: the end says it all.
            _ => log.skipped(&event),
        }
    }
}

fn run(record: &Record<'_>, val: Val<'_>, parent: Option<Box<str>>) -> Seg {
    let text = |key: &str| val.str(key).filter(|t| !t.is_empty());
    let start = val.some("start_time");
    let mut seg = Seg {
        id: text("id").or_else(|| text("run_id")).unwrap_or_default().as_ref().into(),
        parent: text("parent_run_id").map(|p| p.as_ref().into()).or(parent),
        trace: text("trace_id").unwrap_or_default().as_ref().into(),
        name: val.str("name").unwrap_or_default().into_owned(),
        kind: kind_of(&val.str("run_type").unwrap_or_default()),
        from: start.map(nanos).unwrap_or(0),
        start: start.and_then(moment),
        end: val.some("end_time").and_then(moment),
        error: text("error").map(|e| e.into_owned()),
        span: record.span_of(val),
        ..Seg::default()
    };
    let extra = val.some("extra");
    let meta = extra.and_then(|e| e.some("metadata"));
    seg.model = meta.and_then(|m| m.str("ls_model_name")).map(|m| m.into_owned()).or_else(|| {
        let params = extra?.some("invocation_params")?;
        params.str("model").or_else(|| params.str("model_name")).map(|m| m.into_owned())
    });
    let params = extra.and_then(|e| e.some("invocation_params"));
    seg.tools = params.and_then(|p| p.some("tools")).map(|t| t.raw().to_owned());
    seg.call_id = extra.and_then(|e| e.str("tool_call_id")).map(|i| i.as_ref().into());
    for key in ["thread_id", "session_id", "conversation_id"] {
        if let Some(id) = meta.and_then(|m| m.str(key)) {
            seg.facts.push(("session".into(), cut(&id, 200)));
        }
    }
    if let Some(input) = val.some("inputs") {
        take_input(&mut seg, record, input);
    }
    if let Some(output) = val.some("outputs") {
        take_output(&mut seg, record, output);
    }
    if seg.kind == SegKind::Model {
        let told = seg.output.iter().rev().map(|m| &m.usage).find(|u| u.input.is_some() || u.output.is_some());
        seg.usage = told.cloned().unwrap_or_default();
        seg.usage.input = seg.usage.input.or_else(|| val.u64("prompt_tokens"));
        seg.usage.output = seg.usage.output.or_else(|| val.u64("completion_tokens"));
        if let Some(cost) = val.f64("total_cost") {
            seg.usage.cost = Some(cost);
            seg.usage.cost_kind = CostKind::Estimated;
        }
    }
    for (name, stats) in val.some("feedback_stats").into_iter().flat_map(Val::entries) {
        let value = stats.some("avg").or_else(|| stats.some("values")).unwrap_or(stats);
        seg.labels.push((name.into_owned(), cut(&value.text(), 200)));
    }
    seg
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if is_event(val) {
            self.event(record, log);
        } else if is_run(val) {
            self.tree(record);
        } else {
            log.unknown("no run_type");
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        runs(self.segs, FORMAT.id, log)
    }
}
