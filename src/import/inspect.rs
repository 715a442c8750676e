//! Inspect AI: logs as `.json`, and the samples inside an `.eval` archive.
//!
//! ```json
//! {"version":2,"status":"success","eval":{"task":"t","model":"m"},"samples":[{"id":1,"epoch":1,"input":"…","target":"…",
//!  "messages":[{"role":"assistant","content":"","tool_calls":[{"id":"c","function":"bash","arguments":{}}]},
//!   {"role":"tool","tool_call_id":"c","function":"bash","content":"…","error":{"type":"timeout","message":"…"}}],
//!  "scores":{"match":{"value":"C"}},"attachments":{"hash":"long text"}}]}
//! ```
//!
//! Every sample is a run; its scores are labels, the first one is the outcome (`C` and 1 pass). Long texts stand in
//! `attachments` and are put back. Messages say what was done; events repeat it and are read only when a sample has no
//! messages. O(bytes).

use super::chat::Speaker;
use super::dialect::{Msg, messages, with_json};
use super::part::{cut, moment};
use super::said::Said;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, Run, StepKind, Usage, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "inspect",
    label: "Inspect",
    files: ".eval and .json logs",
    marks: &["eval", "samples", "status", "epoch", "scores", "messages"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_log(val: Val<'_>) -> bool {
    val.has("eval") && val.has("status") && (val.has("samples") || val.has("plan") || val.has("logging"))
}

fn is_sample(val: Val<'_>) -> bool {
    val.has("epoch") && val.has("target") && (val.has("messages") || val.has("events"))
}

/// Events without the sample around them.
fn is_events(val: Val<'_>) -> bool {
    val.get("events").is_some_and(|e| e.items().any(|e| e.has("event") && (e.has("span_id") || e.has("timestamp"))))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_log(v) || is_sample(v) || v.get("sample").is_some_and(is_sample) || is_events(v)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("eval") => Sniff::near(1, Reason::NoKey("samples"), "/samples"),
        _ => Sniff::no(Reason::NeedsObject("samples"), "/samples"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if is_sample(val) || is_events(val) {
        return sample(talk, record, log);
    }
    if let Some(inner) = val.get("sample").filter(|s| is_sample(*s)) {
        let span = record.span_of(inner);
        return sample(talk, &Record { val: inner, line: span.line, prefix: &span.pointer, ..*record }, log);
    }
    log.understood();
    if let Some(list) = val.get("samples") {
        record.each(list, |one| {
            sample(talk, one, log);
            header(talk, val);
        });
    }
    if val.get("samples").is_none_or(Val::is_empty) {
        header(talk, val);
        let draft =
            Draft { label: val.str("status").map(|s| s.as_ref().into()), span: record.span(), ..Draft::default() };
        let error = val.some("error").and_then(|e| e.str("message").or_else(|| e.as_str()));
        let draft = Draft { is_error: error.is_some(), ..draft };
        talk.run.say(StepKind::Notice, Content::text(error.unwrap_or_default()), draft);
    }
}

/// Adds to the runs of an archive what its header says: task, model, status.
pub fn describe<'r>(runs: impl Iterator<Item = &'r mut Run>, text: &str) {
    let found = with_json(text, |log| {
        let eval = log.get("eval");
        let word = |v: Option<Val<'_>>| v.and_then(Val::as_str).map(|t| cut(&t, 200));
        (word(eval.and_then(|e| e.get("task"))), word(eval.and_then(|e| e.get("model"))), word(log.get("status")))
    });
    let Some((task, model, status)) = found else { return };
    for run in runs {
        for (fact, value) in [("task", &task), ("status", &status)] {
            if let Some(value) = value {
                run.facts.push((fact.into(), value.clone()));
            }
        }
        if let Some(model) = &model {
            run.model_index(model);
        }
    }
}

fn header(talk: &mut Talk, log: Val<'_>) {
    let eval = log.get("eval");
    talk.fact("task", eval.and_then(|e| e.get("task")));
    talk.fact("status", log.get("status"));
    if let Some(model) = eval.and_then(|e| e.str("model")) {
        talk.run.run.model_index(&model);
    }
}

/// Puts the long texts back that stand in `attachments`.
fn attached(content: &mut Content, attachments: Option<Val<'_>>) {
    const MARK: &str = "attachment://";
    let Some(table) = attachments else { return };
    let found = |name: &str| table.str(name.trim()).map(|t| t.into_owned());
    if let Some(text) = content.text.strip_prefix(MARK).and_then(found) {
        content.text = text.into();
    }
    for medium in &mut content.media {
        let text = medium.reference.as_deref().and_then(|r| r.strip_prefix(MARK)).and_then(found);
        if let Some(text) = text {
            *medium = super::part::from_url(&text, medium.mime.split('/').next().unwrap_or("image"));
        }
    }
}

fn sample(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    talk.next();
    log.understood();
    let id = val.get("id").map(Val::text).unwrap_or_default();
    let epoch = val.get("epoch").map(Val::text).unwrap_or_default();
    if !id.is_empty() {
        talk.run.run.id = Some(format!("{}, epoch {epoch}", cut(&id, 200)));
    }
    talk.label("target", val.get("target"));
    scores(talk, val);
    let attachments = val.get("attachments");
    let usages = val.some("model_usage").into_iter().flat_map(Val::entries);
    let mut total = Usage::default();
    for (model, usage) in usages {
        talk.run.run.model_index(&model);
        total = total.plus(&usage_in(usage));
    }
    if total != Usage::default() {
        talk.run.run.totals = Some(total);
    }
    for request in val.get("events").map(Val::items).into_iter().flatten() {
        talk.tools(request.some("tools"));
    }
    match val.get("messages").filter(|l| l.is_array() && !l.is_empty()) {
        Some(list) => record.each(list, |one| message(talk, one, attachments, log)),
        None => {
            // A sample that ended early may have its question only.
            if let Some(input) = val.get("input").filter(|_| !val.has("events")) {
                talk.say(record, input, Speaker::Person, log);
            }
            if let Some(list) = val.get("events") {
                record.each(list, |one| event(talk, one, attachments, log));
            }
        }
    }
    if let Some(error) = val.some("error") {
        let text = error.get("message").unwrap_or(error).text().into_owned();
        talk.notice("error", &text, true, Draft { span: record.span_of(error), ..Draft::default() });
        talk.outcome(Verdict::Error, &text, None);
    } else if let Some(limit) = val.some("limit") {
        let word = limit.get("type").unwrap_or(limit).text().into_owned();
        let draft = Draft { span: record.span_of(limit), ..Draft::default() };
        talk.notice("limit", &word, false, draft);
        let reward = talk.run.run.outcome.as_ref().and_then(|o| o.reward);
        talk.outcome(Verdict::Limit, &word, reward);
    }
}

fn scores(talk: &mut Talk, val: Val<'_>) {
    let listed = val.some("scores").into_iter().flat_map(Val::entries);
    let single = val.some("score").filter(|s| s.is_object());
    let mut first = true;
    for (name, score) in listed.map(|(n, s)| (n.into_owned(), s)).chain(single.map(|s| ("score".to_owned(), s))) {
        let Some(mut value) = score.some("value") else { continue };
        // A scorer may give several values by name.
        if value.is_object() {
            for (part, inner) in value.entries() {
                talk.label(&format!("{name} {part}"), Some(inner));
            }
            value = value.entries().map(|(_, inner)| inner).next().unwrap_or(value);
        } else {
            talk.label(&name, Some(value));
        }
        if !std::mem::replace(&mut first, false) {
            continue;
        }
        let word = value.text();
        let number = value.as_f64().or(value.as_bool().map(f64::from));
        let verdict = match (word.as_ref(), number) {
            ("C", _) => Verdict::Passed,
            ("I" | "N", _) => Verdict::Failed,
            (_, Some(n)) if n >= 1.0 => Verdict::Passed,
            (_, Some(_)) => Verdict::Failed,
            _ => Verdict::Finished,
        };
        talk.outcome(verdict, &name, number);
    }
}

fn message(talk: &mut Talk, record: &Record<'_>, attachments: Option<Val<'_>>, log: &mut Log) {
    log.understood();
    let draft = talk.draft(record, record.val);
    for msg in messages(record.val, Speaker::Person, &|v| record.span_of(v)) {
        put(talk, Msg { name: None, ..msg }, attachments, &draft);
    }
}

fn put(talk: &mut Talk, mut msg: Msg, attachments: Option<Val<'_>>, draft: &Draft) {
    for part in &mut msg.parts {
        match &mut part.said {
            Said::Text(content) | Said::Result { content, .. } => attached(content, attachments),
            Said::Thought(text) => {
                let mut content = Content::text(std::mem::take(text));
                attached(&mut content, attachments);
                *text = content.text.into_string();
            }
            _ => {}
        }
    }
    talk.tell(msg, draft);
}

/// Events of a sample without messages: requests to the model, tools, notices.
fn event(talk: &mut Talk, record: &Record<'_>, attachments: Option<Val<'_>>, log: &mut Log) {
    let val = record.val;
    let draft = Draft { at: val.some("timestamp").and_then(moment), span: record.span(), ..Draft::default() };
    let kind = val.str("event").unwrap_or_default();
    log.understood();
    match kind.as_ref() {
        "model" => {
            let begun = talk.run.is_empty();
            let input = val.get("input").filter(|_| begun);
            for msg in input.map(|i| messages(i, Speaker::Person, &|v| record.span_of(v))).unwrap_or_default() {
                put(talk, msg, attachments, &draft);
            }
            if let Some(output) = val.get("output") {
                for msg in messages(output, Speaker::Agent, &|v| record.span_of(v)) {
                    put(talk, msg, attachments, &draft);
                }
            }
        }
        "tool" => {
            let id = val.str("id");
            let failed = val.some("error").is_some();
            let said = val.some("error").and_then(|e| e.some("message")).or_else(|| val.some("result"));
            let mut content = said.map(|s| super::said::answer(s).0).unwrap_or_default();
            attached(&mut content, attachments);
            let status = if failed { CallStatus::Error } else { CallStatus::Ok };
            let observation = Observation { content, at: draft.at, span: draft.span.clone(), ..Observation::default() };
            let known = id.as_deref().is_some_and(|id| {
                talk.run
                    .run
                    .steps
                    .iter()
                    .rev()
                    .take(64)
                    .any(|s| s.call.as_ref().is_some_and(|c| c.id.as_deref() == Some(id)))
            });
            if !known {
                let args = json_args(val.some("arguments").map_or("{}", Val::raw));
                talk.run.call(id.as_deref(), &val.str("function").unwrap_or_default(), args, draft.clone());
            }
            talk.run.observe(id.as_deref(), None, observation, status, draft);
        }
        "error" => {
            let text = val.path(&["error", "message"]).map(Val::text).unwrap_or_default();
            talk.notice("error", &text, true, draft);
        }
        "info" | "sample_limit" | "compaction" => {
            let text = val.some("data").or_else(|| val.some("message")).map(Val::text).unwrap_or_default();
            talk.notice(&kind, &text, false, draft);
        }
        _ => {
            *log.skipped.entry(cut(&kind, 80)).or_insert(0) += 1;
        }
    }
}
