//! HAR: what a browser or a proxy recorded, of which the requests to models are read.
//!
//! ```json
//! {"log":{"entries":[{"startedDateTime":"…","request":{"url":"https://api.anthropic.com/v1/messages","postData":{"text":"{\"messages\":[]}"}},
//!  "response":{"status":200,"content":{"mimeType":"text/event-stream","text":"data: {…}"}}}]}}
//! ```
//!
//! A request is one when its body has messages, contents or an input. Streamed answers are put together again. Requests
//! whose first words are the same belong to one run; what was said before is passed over. O(bytes).

use super::chat::Speaker;
use super::dialect::{Msg, messages, messages_in, with_json};
use super::part::{cut, moment};
use super::said::Said;
use super::spans::{Seg, SegKind, runs};
use super::sse::assemble;
use super::usage::usage_in;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff};
use crate::json::Val;
use crate::model::{Run, Span, Time};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "har",
    label: "HAR with model requests",
    files: "recorded requests to models",
    marks: &["log", "entries", "request", "response", "postData"],
    sniff,
    reader: || Box::new(Reader { segs: Vec::new(), others: 0 }),
};

fn entries(val: Val<'_>) -> Option<Val<'_>> {
    val.path(&["log", "entries"]).filter(|e| e.is_array())
}

fn body(entry: Val<'_>) -> Option<std::borrow::Cow<'_, str>> {
    entry.path(&["request", "postData", "text"]).and_then(Val::as_str)
}

fn asks(entry: Val<'_>) -> bool {
    let known = |v: Val<'_>| v.has("messages") || v.has("contents") || (v.has("input") && v.has("model"));
    body(entry).is_some_and(|text| with_json(&text, known) == Some(true))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    match sample.object().and_then(entries) {
        Some(list) if list.items().any(asks) => Sniff::Yes,
        Some(_) => Sniff::near(2, Reason::NoKey("messages"), "/log/entries/0/request/postData/text"),
        None => Sniff::no(Reason::NeedsObject("log"), "/log"),
    }
}

struct Reader {
    segs: Vec<Seg>,
    others: u64,
}

/// What tells the conversations of a recording apart: the first words that were said.
fn beginning(input: &[Msg]) -> String {
    let first = |who: Speaker| {
        input.iter().filter(|m| m.who == who).flat_map(|m| &m.parts).find_map(|p| match &p.said {
            Said::Text(content) => Some(cut(&content.text, 200)),
            _ => None,
        })
    };
    format!("{}\n{}", first(Speaker::System).unwrap_or_default(), first(Speaker::Person).unwrap_or_default())
}

fn seg(record: &Record<'_>) -> Seg {
    let val = record.val;
    let span: Span = record.span();
    let place = |_: Val<'_>| span.clone();
    let text = body(val).unwrap_or_default();
    let (input, mut model, tools) = with_json(&text, |request| {
        let mut input = Vec::new();
        for key in ["system", "instructions", "systemInstruction", "system_instruction"] {
            if let Some(system) = request.some(key) {
                input.extend(messages(system, Speaker::System, &place));
            }
        }
        for key in ["messages", "contents", "input"] {
            if let Some(said) = request.some(key) {
                input.extend(messages(said, Speaker::Person, &place));
                break;
            }
        }
        let tools = request.some("tools").map(|t| t.raw().to_owned());
        (input, request.str("model").map(|m| m.into_owned()), tools)
    })
    .unwrap_or_default();
    let start = val.some("startedDateTime").and_then(moment);
    let length = val.f64("time").unwrap_or(0.0).max(0.0);
    let content = val.path(&["response", "content"]);
    let answer = content.and_then(|c| c.str("text")).unwrap_or_default();
    let streamed = assemble(&answer);
    let answer = streamed.as_deref().unwrap_or(&answer);
    let status = val.path(&["response", "status"]).and_then(Val::as_u64).unwrap_or(200);
    let mut usage = None;
    with_json(answer, |v| {
        usage = v.some("usage").or_else(|| v.some("usageMetadata")).map(usage_in);
        model = v.str("model").filter(|m| !m.is_empty()).map(|m| m.into_owned()).or(model.take());
    });
    let failed = status >= 400 || status == 0;
    Seg {
        id: record.index.to_string().into(),
        trace: beginning(&input).into(),
        name: val.path(&["request", "url"]).map(Val::text).unwrap_or_default().into_owned(),
        kind: SegKind::Model,
        from: record.index as u64 + 1,
        start,
        end: start.map(|t| Time { ms: t.ms + length as i64, ..t }),
        error: failed.then(|| format!("HTTP {status} {}", cut(answer, 200))),
        model,
        usage: usage.unwrap_or_default(),
        output: if failed { Vec::new() } else { messages_in(answer, Speaker::Agent, &span) },
        input,
        tools,
        span,
        ..Seg::default()
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let Some(list) = entries(record.val) else { return log.unknown("no log") };
        record.each(list, |one| {
            if asks(one.val) {
                self.segs.push(seg(one));
            } else {
                self.others += 1;
                log.skipped("another request");
            }
        });
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        let mut found = runs(self.segs, FORMAT.id, log);
        for run in &mut found {
            run.id = None;
        }
        found
    }
}
