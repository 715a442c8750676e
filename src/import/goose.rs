//! Goose: `goose session export --format json`, the older session files (a header and one message a line), and
//! `goose run --output-format stream-json`.
//!
//! ```json
//! {"role":"assistant","created":1760000002,"content":[{"type":"toolRequest","id":"c","toolCall":{"status":"success","value":{"name":"shell","arguments":{}}}}]}
//! {"role":"user","created":1760000003,"content":[{"type":"toolResponse","id":"c","toolResult":{"status":"success","value":[{"type":"text","text":"a"}]}}]}
//! ```
//!
//! Today's sessions are a SQLite database, which is refused with the command that exports it. A stream cuts a message
//! into chunks that share its id. Texts are repeated for every audience; the one for the model counts. O(bytes).

use super::chat::Speaker;
use super::dialect::messages;
use super::part::cut;
use super::said::Said;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{StepKind, Usage, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "goose",
    label: "Goose",
    files: "exported sessions, session files, stream-json",
    marks: &["working_dir", "conversation", "created", "content", "toolCall", "toolResult"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_message(val: Val<'_>) -> bool {
    val.has("role")
        && val.has("created")
        && val.get("content").is_some_and(|c| c.is_array() && c.items().all(|p| p.has("type")))
}

fn is_header(val: Val<'_>) -> bool {
    val.has("working_dir") && (val.has("message_count") || val.has("description") || val.has("conversation"))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    let streamed =
        |v: Val<'_>| v.get("type").is_some_and(|t| t.is("message")) && v.get("message").is_some_and(is_message);
    if sample.any(|v| is_header(v) || streamed(v)) || (sample.first().is_some_and(is_message)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("working_dir") => Sniff::near(1, Reason::NoKey("conversation"), "/conversation"),
        _ => Sniff::no(Reason::NeedsRecords("created"), "/0/created"),
    }
}

fn header(talk: &mut Talk, val: Val<'_>) {
    talk.next();
    talk.run.agent("goose", None);
    talk.id(val.get("id"));
    talk.fact("cwd", val.get("working_dir"));
    if let Some(title) = val.str("name").or_else(|| val.str("description")).filter(|t| !t.is_empty()) {
        talk.run.run.title = cut(&title, 120);
    }
    let total = |key: &str| val.u64(&format!("accumulated_{key}")).or_else(|| val.u64(key));
    let (input, output) = (total("input_tokens"), total("output_tokens"));
    if input.is_some() || output.is_some() {
        talk.run.run.totals = Some(Usage { input, output, ..Usage::default() });
    }
    if let Some(model) = val.path(&["model_config", "model_name"]).and_then(Val::as_str) {
        talk.run.run.model_index(&model);
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if is_header(val) {
        log.understood();
        header(talk, val);
        if let Some(list) = val.get("conversation").or_else(|| val.get("messages")) {
            record.each(list, |one| message(talk, one, one.val, log));
        }
        return;
    }
    match val.str("type").as_deref() {
        Some("message") => match val.get("message") {
            Some(inner) => message(talk, record, inner, log),
            None => log.skipped("message"),
        },
        Some("complete") => {
            log.understood();
            talk.run.run.totals = Some(usage_in(val));
            talk.outcome(Verdict::Finished, "complete", None);
        }
        Some(kind @ ("error" | "notification")) => {
            log.understood();
            let draft = talk.draft(record, val);
            let said = val.some("error").or_else(|| val.some("message"));
            let text = said.map(|s| s.text().into_owned()).unwrap_or_default();
            talk.notice(kind, &text, kind == "error", draft);
        }
        _ if is_message(val) => message(talk, record, val, log),
        kind => talk.unknown(record, kind.unwrap_or("no role"), log),
    }
}

fn message(talk: &mut Talk, record: &Record<'_>, val: Val<'_>, log: &mut Log) {
    log.understood();
    let id = val.str("id").unwrap_or_default();
    let draft = talk.draft(record, val);
    for mut msg in messages(val, Speaker::Person, &|v| record.span_of(v)) {
        // A later chunk of the same message goes on with its text.
        let begun = (!id.is_empty()).then(|| talk.seen.get(id.as_ref()).copied()).flatten();
        let mut turn = None;
        if let Some(last) = begun {
            turn = talk.run.run.steps.get(last).and_then(|s| s.turn);
            let first = msg.parts.first().map(|p| &p.said);
            let newest = last + 1 == talk.run.run.steps.len();
            let open = talk.run.run.steps.get_mut(last).filter(|_| newest);
            if let (Some(Said::Text(more)), Some(step)) = (first, open)
                && matches!(step.kind, StepKind::Say | StepKind::Person)
            {
                step.content.text = format!("{}{}", step.content.text, more.text).into();
                msg.parts.remove(0);
            }
        }
        let draft = super::Draft { turn, ..draft.clone() };
        if !msg.parts.is_empty() {
            talk.tell(msg, &draft);
        }
        if !id.is_empty() && !talk.run.is_empty() {
            let last = talk.run.run.steps.len() - 1;
            talk.seen.insert(id.clone().into_owned(), last);
        }
    }
}
