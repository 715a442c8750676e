//! One step in full: what the agent said before it, what went in, what came back, what followed, and what is known
//! about it. Or its record as it stands in the file.

use leptos::{ev, prelude::*};

use super::{Icon, StepHref, Words, actor::actor_tile, block::blocks, icon, rows::step_name, sentence::sentence};
use crate::web::view::{IntoView, View, el};
use crate::{
    format,
    message::M,
    model::{Finding, Severity},
    report::{Block, Context, Detail, Section, SourcePlace, UsageSummary},
};

/// More than this is not put into the document at once: layout of a long text would hold the page.
const MOST_RAW: usize = 100_000;

/// The record of the step as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    Loading,
    Text(String),
    /// Not to be had, and why.
    Missing(String),
}

/// What the inspector can ask for.
#[derive(Clone, Copy)]
pub struct Acts {
    pub previous: Callback<()>,
    pub next: Callback<()>,
    pub close: Callback<()>,
    pub copy_link: Callback<()>,
    pub toggle_raw: Callback<()>,
    /// Puts a text on the clipboard.
    pub copy: Callback<String>,
}

/// Draws a step. `raw`: the record instead of the reading of it; `copied`: the link is on the clipboard; `notes`: what was
/// written about it.
pub fn inspector(
    words: Words,
    detail: &Detail,
    href: StepHref,
    acts: Acts,
    (raw, copied): (Signal<Option<Record>>, Signal<bool>),
    notes: View,
) -> View {
    let reading = StoredValue::new(detail.clone());
    let content = move || match raw.get() {
        Some(record) => record_view(words, &record, acts),
        None => reading.with_value(|detail| sections(words, detail, href)),
    };
    (
        head(words, detail, acts),
        el("div.inspector-tools.row")
            .child(
                el("button.button.button-small")
                    .attr("aria-pressed", move || if raw.with(Option::is_some) { "true" } else { "false" })
                    .on(ev::click, move |_| acts.toggle_raw.run(()))
                    .child(words.t(M::Raw))
                    .child(el("kbd.kbd").child("r")),
            )
            .child(
                el("button.button.button-small")
                    .on(ev::click, move |_| acts.copy_link.run(()))
                    .child(move || words.t(if copied.get() { M::Copied } else { M::CopyLink }))
                    .child(el("kbd.kbd").child("y")),
            ),
        notes,
        content,
    )
        .view()
}

fn head(words: Words, detail: &Detail, acts: Acts) -> View {
    let number = (detail.row.step + 1).to_string();
    let mut facts: Vec<String> = Vec::new();
    if let Some(ms) = detail.offset_ms {
        facts.push(words.f(M::IntoRun, &[("at", &format::clock(ms))]));
    }
    if let Some(ms) = detail.row.duration_ms {
        facts.push(format::duration(ms));
    }
    if let Some(tokens) = detail.usage.as_ref().and_then(|u| u.input_tokens) {
        facts.push(words.f(M::TokensIn, &[("n", &format::count(tokens))]));
    }
    if let Some(code) = detail.exit_code {
        facts.push(words.f(M::ExitCode, &[("n", &code.to_string())]));
    }
    let failure = detail.row.failed.then(|| {
        let text =
            if detail.row.failure.is_empty() { words.t(M::RowFailed).to_owned() } else { detail.row.failure.clone() };
        el("p.inspector-sub").child(el("span.mark.bad").child(icon(Icon::Bad, "icon-s")).child(text))
    });
    let button = move |which: Icon, label: M, act: Callback<()>| {
        el("button.button.button-ghost.button-icon")
            .attr("aria-label", words.t(label))
            .attr("title", words.t(label))
            .on(ev::click, move |_| act.run(()))
            .child(icon(which, ""))
            .view()
    };
    el("header.inspector-head")
        .child(actor_tile(words, &detail.row.actor))
        .child(
            el("h2")
                .child(words.f(M::StepNo, &[("n", &number)]))
                .child(" ")
                .child(el("code").child(step_name(words, &detail.row))),
        )
        .child(
            el("span.inspector-act")
                .child(button(Icon::Up, M::PreviousStep, acts.previous))
                .child(button(Icon::Down, M::NextStep, acts.next))
                .child(button(Icon::Close, M::Close, acts.close)),
        )
        .child((!facts.is_empty()).then(|| el("p.inspector-sub").child(facts.join(", "))))
        .child(failure)
        .view()
}

fn sections(words: Words, detail: &Detail, href: StepHref) -> View {
    let mut out: Vec<View> = Vec::new();
    if let Some(before) = &detail.before {
        out.push(context(words, M::AgentSaid, before, href));
    }
    out.extend(detail.sections.iter().map(|s| section(words, s)));
    if let Some(after) = &detail.after {
        out.push(context(words, M::WhatFollowed, after, href));
    }
    if !detail.findings.is_empty() {
        let list = detail.findings.iter().map(|f| finding(words, f, href)).collect::<View>();
        out.push(part(words.t(M::FindingsAtStep), ().view(), el("ul").child(list).view()));
    }
    if !detail.same.is_empty() {
        let links = step_links(&detail.same, href);
        out.push(part(words.t(M::SameCalls), ().view(), el("p.row").child(links).view()));
    }
    out.push(usage(words, detail));
    out.push(place(words, detail));
    out.view()
}

/// Steps as links, one after the other.
pub fn step_links(steps: &[u32], href: StepHref) -> View {
    steps.iter().map(|&step| el("a").attr("href", href.run(step)).child(step + 1)).collect()
}

fn part(title: &'static str, remark: View, body: View) -> View {
    el("section.inspector-section")
        .child(el("div.inspector-label").child(el("h3").child(title)).child(remark))
        .child(body)
        .view()
}

fn section(words: Words, section: &Section) -> View {
    let title = match section.kind.as_str() {
        "said" => M::SectionSaid,
        "thought" => M::SectionThought,
        "arguments" => M::SectionArguments,
        "change" => M::SectionChange,
        "result" => M::SectionResult,
        "summary" => M::SectionSummary,
        _ => M::SectionRecord,
    };
    let size = match (section.lines, section.chars) {
        (Some(n), _) => Some(words.f(M::LinesCount, &[("n", &format::count(u64::from(n)))])),
        (None, Some(n)) => Some(words.f(M::CharactersCount, &[("n", &format::count(u64::from(n)))])),
        (None, None) => None,
    };
    let changes = section
        .blocks
        .iter()
        .find_map(|b| if let Block::Diff(diff) = b { Some((diff.added, diff.removed)) } else { None });
    let chips = changes.map(|(added, removed)| {
        el("span.inspector-chips")
            .child(el("span.chip.good").child(format!("+{added}")))
            .child(el("span.chip.bad").child(format!("−{removed}")))
    });
    let remark = (chips, size.filter(|_| changes.is_none()).map(|s| el("span").child(s))).view();
    part(words.t(title), remark, blocks(words, &section.blocks))
}

fn context(words: Words, title: M, context: &Context, href: StepHref) -> View {
    let row = &context.row;
    let link = el("a").attr("href", href.run(row.step)).child(row.step + 1).view();
    let line = (title == M::WhatFollowed).then(|| {
        let mark = if row.failed { icon(Icon::Bad, "bad").view() } else { actor_tile(words, &row.actor) };
        let time = row.duration_ms.map(|ms| el("span.quiet").child(format::duration(ms)));
        let failure = row.failed.then(|| {
            let text = if row.failure.is_empty() { words.t(M::RowFailed).to_owned() } else { row.failure.clone() };
            el("span.bad").child(text)
        });
        el("p.row").child(mark).child(el("code.strong").child(step_name(words, row))).child(failure).child(time)
    });
    let text = (context.blocks.is_empty() && !row.preview.is_empty())
        .then(|| el("p").class(if row.mono { "mono" } else { "" }).child(row.preview.clone()));
    part(words.t(title), link, (line, text, blocks(words, &context.blocks)).view())
}

/// A finding in one item: mark, sentence, what to do.
pub fn finding(words: Words, finding: &Finding, href: StepHref) -> View {
    let (which, tone) = severity_mark(finding.severity);
    el("li.finding")
        .child(icon(which, tone))
        .child(el("p").child(sentence(words, &format!("rule.{}", finding.rule), &finding.args, href)))
        .child(el("p.finding-fix").child(words.id(&format!("rule.{}.remedy", finding.rule), &finding.args)))
        .view()
}

/// The icon and tone of a severity.
pub fn severity_mark(severity: Severity) -> (Icon, &'static str) {
    match severity {
        Severity::Error => (Icon::Bad, "bad"),
        Severity::Warning => (Icon::Warn, "warn"),
        Severity::Info => (Icon::Info, ""),
    }
}

fn usage(words: Words, detail: &Detail) -> View {
    let Some(UsageSummary {
        input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost, cost_estimated, ..
    }) = detail.usage.clone()
    else {
        return ().view();
    };
    let number = |n: Option<u64>| n.map_or_else(|| format::UNKNOWN.to_owned(), format::count);
    let mut rows = vec![(words.t(M::UsageIn), number(input_tokens)), (words.t(M::UsageCached), number(cached_tokens))];
    if cache_write_tokens.is_some() {
        rows.push((words.t(M::UsageWritten), number(cache_write_tokens)));
    }
    rows.push((words.t(M::UsageOut), number(output_tokens)));
    if let Some(cost) = cost {
        let note = if cost_estimated { format!(" {}", words.t(M::Estimated)) } else { String::new() };
        rows.push((words.t(M::FigureCost), format!("{}{note}", format::money(cost))));
    }
    let rows = rows
        .into_iter()
        .map(|(name, value)| {
            el("tr").child(el("th").attr("scope", "row").child(name)).child(el("td.table-number").child(value))
        })
        .collect::<View>();
    let turn = (detail.turn_steps > 1)
        .then(|| el("span").child(words.f(M::TurnOfSteps, &[("n", &detail.turn_steps.to_string())])))
        .view();
    part(words.t(M::TurnUsage), turn, el("table.table").child(el("tbody").child(rows)).view())
}

/// A place in a file on one line: `name, line 812, /pointer`.
pub fn place_text(words: Words, place: &SourcePlace) -> String {
    let mut text = place.file.clone();
    if let Some(line) = place.line {
        text.push_str(", ");
        text.push_str(&words.f(M::LineNo, &[("n", &format::count(u64::from(line)))]));
    }
    if !place.pointer.is_empty() {
        text.push(' ');
        text.push_str(&place.pointer);
    }
    text
}

fn place(words: Words, detail: &Detail) -> View {
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    if let Some(lane) = &detail.lane {
        facts.push((words.t(M::SubAgentName), lane.clone()));
    }
    if let Some(model) = &detail.model {
        facts.push((words.t(M::ModelName), model.clone()));
    }
    if let Some(ms) = detail.at_ms {
        let zone = words.t(if detail.local_time { M::LocalTime } else { M::Utc });
        facts.push((words.t(M::FigureTime), format!("{} {zone}", format::moment(ms))));
    }
    let facts = facts
        .into_iter()
        .map(|(name, value)| el("p").child(el("span.quiet").child(name)).child(" ").child(value))
        .collect::<View>();
    let body = (el("p.mono").child(place_text(words, &detail.place)), facts);
    part(words.t(M::Place), ().view(), body.view())
}

fn record_view(words: Words, record: &Record, acts: Acts) -> View {
    match record {
        Record::Loading => el("p.inspector-section.quiet").child("…").view(),
        Record::Missing(why) => el("p.inspector-section.quiet").child(why.clone()).view(),
        Record::Text(text) => {
            let shown: String = text.chars().take(MOST_RAW).collect();
            let cut = (shown.len() < text.len()).then(|| {
                let all = text.clone();
                let n = format::count(text.chars().count() as u64);
                el("p.row.quiet").child(words.f(M::RawCut, &[("n", &n)])).child(
                    el("button.button.button-small")
                        .on(ev::click, move |_| acts.copy.run(all.clone()))
                        .child(words.t(M::CopyAll)),
                )
            });
            el("section.inspector-section")
                .child(el("pre.code").attr("tabindex", "0").attr("aria-label", words.t(M::Raw)).child(shown))
                .child(cut)
                .view()
        }
    }
}
