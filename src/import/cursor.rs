//! Cursor's agent transcripts, one record a line: roles with blocks, no ids, no results, no times.
//!
//! ```json
//! {"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nlist files\n</user_query>"}]}}
//! {"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"command":"ls"}}]}}
//! {"type":"turn_ended","status":"success"}
//! ```
//!
//! Results are not written, so calls stay without one. What the program puts around the person's
//! question is cut away. The stream of `cursor-agent --output-format stream-json` is not this file. O(bytes).

use super::chat::Speaker;
use super::dialect::messages;
use super::said::Said;
use super::talk::{Talk, reader};
use super::{Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{Content, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "cursor",
    label: "Cursor",
    files: "agent transcripts",
    marks: &["role", "message", "content"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_line(val: Val<'_>) -> bool {
    val.get("role").is_some_and(|r| r.is("user") || r.is("assistant"))
        && val.path(&["message", "content"]).is_some_and(Val::is_array)
        && !val.has("content")
        && !val.has("type")
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.object().is_none() && sample.any(is_line) {
        return Sniff::Yes;
    }
    if sample.any(|v| v.has("role") && v.has("message")) {
        return Sniff::near(2, Reason::NoKey("content"), "/0/message/content");
    }
    Sniff::no(Reason::NeedsRecords("message"), "/0/message")
}

/// The question without what stands around it.
fn asked(text: &str) -> &str {
    let inner = text.split_once("<user_query>").and_then(|(_, rest)| rest.split_once("</user_query>"));
    inner.map_or(text, |(query, _)| query.trim())
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if is_line(val) {
        log.understood();
        talk.run.agent("Cursor", None);
        let draft = talk.draft(record, val);
        for mut msg in messages(val, Speaker::Agent, &|v| record.span_of(v)) {
            if msg.who == Speaker::Person {
                for part in &mut msg.parts {
                    if let Said::Text(content) = &mut part.said {
                        *content =
                            Content { text: asked(&content.text).into(), media: std::mem::take(&mut content.media) };
                    }
                }
            }
            talk.tell(msg, &draft);
        }
        return;
    }
    if val.get("type").is_some_and(|t| t.is("turn_ended")) {
        log.understood();
        let word = val.str("status").unwrap_or_default();
        let failed = word == "error";
        if failed {
            let draft = talk.draft(record, val);
            talk.notice("turn_ended", &val.str("error").unwrap_or_default(), true, draft);
        }
        let aborted = val.str("error").is_some_and(|e| e.contains("aborted"));
        let verdict = match (failed, aborted) {
            (true, true) => Verdict::Cancelled,
            (true, false) => Verdict::Error,
            _ => Verdict::Finished,
        };
        return talk.outcome(verdict, &word, None);
    }
    talk.unknown(record, &val.str("type").unwrap_or("no type".into()), log);
}
