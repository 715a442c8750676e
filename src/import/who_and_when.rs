//! Who&When: failed runs of several agents with the mistake marked: which agent, at which step, why.
//!
//! ```json
//! {"question":"…","ground_truth":"8","history":[{"content":"…","role":"WebSurfer"}],
//!  "mistake_agent":"WebSurfer","mistake_step":"12","mistake_reason":"…"}
//! ```
//!
//! The hand-written half names the speaker in `role` (`Orchestrator (thought)`, `Orchestrator (-> WebSurfer)`), the
//! generated half in `name`. `mistake_step` is a text and counts from 0. The marked step carries the label `mistake`.
//! There are no calls, ids or times. O(bytes).

use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;
use crate::model::{Content, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "who-and-when",
    label: "Who&When",
    files: "failed runs with the mistake marked",
    marks: &["history", "mistake_agent", "mistake_step", "mistake_reason", "ground_truth", "question"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| v.has("mistake_agent") && v.get("history").is_some_and(Val::is_array)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("mistake_step") => Sniff::near(2, Reason::NoKey("history"), "/history"),
        _ => Sniff::no(Reason::NeedsObject("mistake_agent"), "/mistake_agent"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = val.get("history").filter(|_| val.has("mistake_agent")) else {
        return talk.unknown(record, "no mistake_agent", log);
    };
    talk.next();
    log.understood();
    talk.id(val.get("question_ID").or_else(|| val.get("question_id")));
    if let Some(question) = val.str("question") {
        talk.run.run.title = super::part::cut(&question, 120);
    }
    for key in ["mistake_agent", "mistake_step", "mistake_reason", "level", "ground_truth"] {
        talk.label(key, val.get(key));
    }
    let right = val.bool("is_correct").or_else(|| val.bool("is_corrected"));
    talk.outcome(if right == Some(true) { Verdict::Passed } else { Verdict::Failed }, "", None);
    let mistake = val.u64("mistake_step");
    for (name, prompt) in val.some("system_prompt").into_iter().flat_map(Val::entries) {
        let draft = Draft { name: Some(name.as_ref().into()), span: record.span_of(prompt), ..Draft::default() };
        talk.text(StepKind::System, &prompt.text(), draft);
    }
    record.each(list, |one| {
        let role = one.val.str("role").unwrap_or_default();
        let named = one.val.str("name").filter(|n| !n.is_empty());
        let (name, aside) = match &named {
            Some(name) => (name.as_ref(), ""),
            None => {
                role.split_once(" (").map_or((role.as_ref(), ""), |(name, rest)| (name, rest.trim_end_matches(')')))
            }
        };
        let text = one.val.some("content").map(Val::text).unwrap_or_default();
        let kind = match (name, aside) {
            ("human" | "user", _) => StepKind::Person,
            (_, "thought") => StepKind::Thought,
            // AG2 runs code in the name of a terminal.
            ("Computer_terminal", _) => StepKind::Orphan,
            _ => StepKind::Say,
        };
        let failed = kind == StepKind::Orphan && text.contains("(execution failed)");
        let marked = mistake == Some(one.index as u64);
        let label =
            if marked { Some("mistake".into()) } else { Some(aside).filter(|a| a.starts_with("->")).map(Into::into) };
        let draft = Draft { name: Some(name.into()), label, is_error: failed, span: one.span(), ..Draft::default() };
        talk.run.say(kind, Content::text(text), draft);
    });
}
