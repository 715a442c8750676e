//! The rows of the list of steps: a step, folded steps, a sub-agent. Only content; the list owns the row itself.

use super::{Icon, Words, actor::actor_tile, icon, list::Head, sentence::range};
use crate::web::view::{El, IntoView, View, el};
use crate::{
    format,
    message::{M, kind_word},
    report::{FoldRow, Row, SpawnRow, StepRow},
};

/// What the list has to know of a row.
pub fn head(row: &Row, selected: Option<u32>) -> Head {
    match row {
        Row::Step(step) => {
            let mut class = String::from("step");
            if step.kind != "action" {
                class.push_str(" step-quiet");
            }
            if matches!(step.kind.as_str(), "injected" | "raw" | "notice" | "system") {
                class.push_str(" step-soft");
            }
            if step.failed {
                class.push_str(" step-bad");
            }
            Head { class, selected: selected == Some(step.step), expanded: None }
        }
        Row::Fold(fold) => Head { class: "fold".into(), selected: false, expanded: Some(fold.open) },
        Row::Spawn(_) => Head { class: "fold fold-sub".into(), selected: false, expanded: None },
    }
}

/// What is said of notes in a row: those that begin there; none when one that began before goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    pub label: String,
    pub count: u32,
}

/// The content of a row. Its neighbours say whether a bracket goes on and whether a sub-agent follows.
pub fn body(words: Words, row: &Row, (before, after): (Option<&Row>, Option<&Row>), noted: Option<&Noted>) -> View {
    match row {
        Row::Step(step) => step_body(words, step, matches!(after, Some(Row::Spawn(_))), noted),
        Row::Fold(fold) => fold_body(words, fold, noted),
        Row::Spawn(spawn) => spawn_body(words, spawn, before),
    }
}

/// The step's number, name and what went wrong, as a screen reader should hear them in one go.
pub fn step_name(words: Words, row: &StepRow) -> String {
    if row.label.is_empty() { words.t(kind_word(&row.kind)).to_owned() } else { row.label.clone() }
}

/// A note's mark: its label, or that there is one.
fn note_mark(words: Words, noted: &Noted) -> El {
    let more = (noted.count > 1).then(|| format!("×{}", noted.count));
    let unseen = noted.label.is_empty().then(|| el("span.unseen").child(words.id("notes.title", &[])));
    el("span")
        .class(if noted.count == 0 { "mark mark-note mark-note-on" } else { "mark mark-note" })
        .attr("title", if noted.label.is_empty() { words.id("notes.title", &[]) } else { noted.label.clone() })
        .child(icon(Icon::Note, "icon-s"))
        .child((!noted.label.is_empty()).then(|| el("span.mark-text").child(noted.label.clone())))
        .child(unseen)
        .child(more)
}

fn step_body(words: Words, row: &StepRow, spawns: bool, noted: Option<&Noted>) -> View {
    let name = match (row.label.as_str(), row.kind.as_str()) {
        ("", "say") => String::new(),
        ("", kind) => words.t(kind_word(kind)).to_owned(),
        (label, _) => label.to_owned(),
    };
    let group = row.group.map(|g| {
        let part = match g.index {
            0 => " bracket-start",
            i if i + 1 >= g.size => " bracket-end",
            _ => "",
        };
        el("i").class(format!("bracket bracket-parallel{part}"))
    });
    let looped = row.loops.as_ref().map(|l| {
        let mut class = String::from("bracket bracket-loop");
        if row.step == l.from {
            class.push_str(" bracket-start");
        }
        if row.step == l.to {
            class.push_str(" bracket-end");
        }
        if l.round.is_some() {
            class.push_str(" bracket-tick");
        }
        el("i").class(class)
    });
    (
        group,
        looped,
        el("span.step-no").child(row.step + 1),
        actor_tile(words, &row.actor),
        el("span.step-name").child(name),
        el("span.step-text")
            .attr("style", (row.depth > 0).then(|| format!("--depth:{}", row.depth)))
            .child(row.preview.clone()),
        el("span.step-marks").child(noted.map(|n| note_mark(words, n))).child(marks(words, row, spawns)),
        el("span.step-time").child(row.duration_ms.map(format::duration).unwrap_or_default()),
    )
        .view()
}

/// The marks at the end of a row: each an icon with its word.
pub fn marks(words: Words, row: &StepRow, spawns: bool) -> View {
    let mut out: Vec<View> = Vec::new();
    if spawns {
        out.push(el("span.chip").child(icon(Icon::Spawn, "icon-s")).child(words.t(M::SubAgent)).view());
    }
    if let Some(group) = row.group.filter(|g| g.index == 0 && g.size > 1) {
        let text = words.f(M::AtOnce, &[("n", &group.size.to_string())]);
        out.push(el("span.mark").child(text).view());
    }
    if let Some((round, times)) = row.loops.as_ref().and_then(|l| l.round.map(|r| (r, l.times))) {
        let text = words.f(M::RoundOf, &[("n", &round.to_string()), ("of", &times.to_string())]);
        out.push(el("span.mark.mark-strong.warn").child(icon(Icon::Loop, "icon-s")).child(text).view());
    }
    if row.failed {
        let text = if row.failure.is_empty() { words.t(M::RowFailed).to_owned() } else { row.failure.clone() };
        out.push(el("span.mark.bad").child(icon(Icon::Bad, "icon-s")).child(el("span.mark-text").child(text)).view());
    }
    if row.unanswered {
        out.push(el("span.mark.warn").child(icon(Icon::Warn, "icon-s")).child(words.t(M::NoResult)).view());
    }
    if row.findings > 0 {
        let text = words.f(M::FindingsHere, &[("n", &row.findings.to_string())]);
        out.push(
            el("span.mark")
                .attr("title", text.clone())
                .child(icon(Icon::Info, "icon-s"))
                .child(row.findings)
                .child(el("span.unseen").child(text.clone()))
                .view(),
        );
    }
    out.view()
}

fn fold_body(words: Words, row: &FoldRow, noted: Option<&Noted>) -> View {
    let count = words.f(M::StepsCount, &[("n", &format::count(u64::from(row.count)))]);
    let mut inside: Vec<String> =
        row.tools.iter().take(6).map(|(tool, n)| if *n == 1 { tool.clone() } else { format!("{tool} ×{n}") }).collect();
    if row.tools.len() > 6 {
        inside.push("…".into());
    }
    if row.said > 0 {
        inside.push(words.f(M::SaidCount, &[("n", &row.said.to_string())]));
    }
    if row.errors > 0 {
        inside.push(words.f(M::FailedCount, &[("n", &row.errors.to_string())]));
    }
    (
        icon(Icon::Right, "icon-s"),
        el("span").child(range(row.from, row.to)),
        el("span").child(count),
        el("span.fold-what").child(inside.join(", ")),
        noted.filter(|n| n.count > 0).map(|n| note_mark(words, n)),
        el("span.fold-time").child(row.duration_ms.map(format::duration).unwrap_or_default()),
    )
        .view()
}

fn spawn_body(words: Words, row: &SpawnRow, before: Option<&Row>) -> View {
    let goes_on = match before {
        Some(Row::Step(step)) => step.group.is_some_and(|g| g.index + 1 < g.size),
        _ => false,
    };
    let mut parts: Vec<String> = Vec::new();
    // Many logs name sub-agents by a number only, which tells nobody anything here.
    if !row.agent.is_empty() && !row.agent.chars().all(|c| c.is_ascii_hexdigit()) {
        parts.push(row.agent.clone());
    }
    if let Some(calls) = row.calls {
        parts.push(words.f(M::CallsCount, &[("n", &format::count(calls))]));
    }
    if let Some(tokens) = row.tokens {
        parts.push(words.f(M::TokensCount, &[("n", &format::count(tokens))]));
    }
    let missing = (!row.here).then(|| el("span.link").child(words.t(M::AddIt)));
    (
        goes_on.then(|| el("i.bracket.bracket-parallel")),
        icon(Icon::Spawn, "icon-s"),
        el("span.fold-part")
            .child(parts.join(", "))
            .child((!row.here).then(|| format!(". {}", words.t(M::SubAgentFileMissing)))),
        missing,
    )
        .view()
}
