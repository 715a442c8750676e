//! Recordings of Gemini's API, one request a line, as the CLI's own tests replay them.
//!
//! ```json
//! {"method":"generateContentStream","response":[{"candidates":[{"content":{"role":"model","parts":[{"text":"hi"}]}}],"usageMetadata":{"promptTokenCount":5}}]}
//! ```
//!
//! Only answers are recorded: calls stay without results. A streamed answer comes in chunks whose texts go together and
//! whose last usage counts. O(bytes).

use super::chat::Speaker;
use super::dialect::{Msg, Part, messages};
use super::said::Said;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "gemini-api",
    label: "Gemini API recordings",
    files: "recorded answers (.responses)",
    marks: &["method", "response", "candidates", "usageMetadata"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_line(val: Val<'_>) -> bool {
    val.str("method").is_some_and(|m| m.contains("ontent")) && val.has("response")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    let answered = |v: Val<'_>| {
        let first = v.get("response").map(|r| r.items().next().unwrap_or(r));
        first.is_some_and(|r| r.has("candidates") || r.has("usageMetadata"))
    };
    if sample.any(|v| is_line(v) && answered(v)) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("candidates"), "/0/response/0/candidates")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(response) = val.get("response").filter(|_| is_line(val)) else {
        return talk.unknown(record, &val.str("method").unwrap_or("no method".into()), log);
    };
    log.understood();
    let mut whole = Msg::new(Speaker::Agent);
    let chunks: Vec<Val<'_>> = if response.is_array() { response.items().collect() } else { vec![response] };
    for chunk in chunks {
        if let Some(usage) = chunk.some("usageMetadata") {
            whole.usage = usage_in(usage);
        }
        if let Some(model) = chunk.str("modelVersion") {
            whole.model = Some(model.as_ref().into());
        }
        let Some(candidates) = chunk.get("candidates") else { continue };
        for part in messages(candidates, Speaker::Agent, &|v| record.span_of(v)).into_iter().flat_map(|m| m.parts) {
            append(&mut whole.parts, part);
        }
    }
    whole.parts.retain(|p| !matches!(&p.said, Said::Text(c) if c.is_empty()));
    if whole.parts.is_empty() {
        return log.skipped(&val.str("method").unwrap_or_default());
    }
    let draft = talk.draft(record, val);
    talk.tell(whole, &draft);
}

/// A text goes on where the last one ended.
fn append(parts: &mut Vec<Part>, part: Part) {
    match (parts.last_mut().map(|p| &mut p.said), &part.said) {
        (Some(Said::Text(last)), Said::Text(more)) => last.text = format!("{}{}", last.text, more.text).into(),
        (Some(Said::Thought(last)), Said::Thought(more)) => last.push_str(more),
        _ => parts.push(part),
    }
}
