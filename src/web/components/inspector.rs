//! One step in full: what the agent said before it, what went in, what came back, what followed, and what is known
//! about it. Or its record as it stands in the file.

use leptos::prelude::*;

use super::{Icon, StepHref, Words, actor::actor_tile, block::blocks, icon, rows::step_name, sentence::sentence};
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

/// Draws a step. `raw`: the record instead of the reading of it; `copied`: the link is on the clipboard.
pub fn inspector(
    words: Words,
    detail: &Detail,
    href: StepHref,
    acts: Acts,
    raw: Signal<Option<Record>>,
    copied: Signal<bool>,
) -> AnyView {
    let reading = StoredValue::new(detail.clone());
    let content = move || match raw.get() {
        Some(record) => record_view(words, &record, acts),
        None => reading.with_value(|detail| sections(words, detail, href)),
    };
    view! {
        {head(words, detail, acts)}
        <div class="inspector-tools row">
            <button class="button button-small" aria-pressed=move || if raw.with(Option::is_some) { "true" } else { "false" }
                on:click=move |_| acts.toggle_raw.run(())>{words.t(M::Raw)}<kbd class="kbd">"r"</kbd></button>
            <button class="button button-small" on:click=move |_| acts.copy_link.run(())>
                {move || words.t(if copied.get() { M::Copied } else { M::CopyLink })}<kbd class="kbd">"y"</kbd>
            </button>
        </div>
        {content}
    }
    .into_any()
}

fn head(words: Words, detail: &Detail, acts: Acts) -> AnyView {
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
        view! { <p class="inspector-sub"><span class="mark bad">{icon(Icon::Bad, "icon-s")}{text}</span></p> }
    });
    let button = move |which: Icon, label: M, act: Callback<()>| {
        view! {
            <button class="button button-ghost button-icon" aria-label=words.t(label) title=words.t(label)
                on:click=move |_| act.run(())>{icon(which, "")}</button>
        }
        .into_any()
    };
    view! {
        <header class="inspector-head">
            {actor_tile(words, &detail.row.actor)}
            <h2>{words.f(M::StepNo, &[("n", &number)])}" "<code>{step_name(words, &detail.row)}</code></h2>
            <span class="inspector-act">
                {button(Icon::Up, M::PreviousStep, acts.previous)}
                {button(Icon::Down, M::NextStep, acts.next)}
                {button(Icon::Close, M::Close, acts.close)}
            </span>
            {(!facts.is_empty()).then(|| view! { <p class="inspector-sub">{facts.join(", ")}</p> })}
            {failure}
        </header>
    }
    .into_any()
}

fn sections(words: Words, detail: &Detail, href: StepHref) -> AnyView {
    let mut out: Vec<AnyView> = Vec::new();
    if let Some(before) = &detail.before {
        out.push(context(words, M::AgentSaid, before, href));
    }
    out.extend(detail.sections.iter().map(|s| section(words, s)));
    if let Some(after) = &detail.after {
        out.push(context(words, M::WhatFollowed, after, href));
    }
    if !detail.findings.is_empty() {
        let list = detail.findings.iter().map(|f| finding(words, f, href)).collect_view();
        out.push(part(words.t(M::FindingsAtStep), ().into_any(), view! { <ul>{list}</ul> }.into_any()));
    }
    if !detail.same.is_empty() {
        let links = step_links(&detail.same, href);
        out.push(part(words.t(M::SameCalls), ().into_any(), view! { <p class="row">{links}</p> }.into_any()));
    }
    out.push(usage(words, detail));
    out.push(place(words, detail));
    out.into_any()
}

/// Steps as links, one after the other.
pub fn step_links(steps: &[u32], href: StepHref) -> AnyView {
    steps.iter().map(|&step| view! { <a href=href.run(step)>{step + 1}</a> }).collect_view().into_any()
}

fn part(title: &'static str, remark: AnyView, body: AnyView) -> AnyView {
    view! {
        <section class="inspector-section">
            <div class="inspector-label"><h3>{title}</h3>{remark}</div>
            {body}
        </section>
    }
    .into_any()
}

fn section(words: Words, section: &Section) -> AnyView {
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
        view! { <span class="inspector-chips"><span class="chip good">{format!("+{added}")}</span><span class="chip bad">{format!("−{removed}")}</span></span> }
    });
    let remark = view! { {chips} {size.filter(|_| changes.is_none()).map(|s| view! { <span>{s}</span> })} }.into_any();
    part(words.t(title), remark, blocks(words, &section.blocks))
}

fn context(words: Words, title: M, context: &Context, href: StepHref) -> AnyView {
    let row = &context.row;
    let link = view! { <a href=href.run(row.step)>{row.step + 1}</a> }.into_any();
    let line = (title == M::WhatFollowed).then(|| {
        let mark = if row.failed { icon(Icon::Bad, "bad").into_any() } else { actor_tile(words, &row.actor) };
        let time = row.duration_ms.map(|ms| view! { <span class="quiet">{format::duration(ms)}</span> });
        let failure = row.failed.then(|| {
            let text = if row.failure.is_empty() { words.t(M::RowFailed).to_owned() } else { row.failure.clone() };
            view! { <span class="bad">{text}</span> }
        });
        view! { <p class="row">{mark}<code class="strong">{step_name(words, row)}</code>{failure}{time}</p> }
    });
    let text = (context.blocks.is_empty() && !row.preview.is_empty()).then(|| {
        view! { <p class=if row.mono { "mono" } else { "" }>{row.preview.clone()}</p> }
    });
    part(words.t(title), link, view! { {line}{text}{blocks(words, &context.blocks)} }.into_any())
}

/// A finding in one item: mark, sentence, what to do.
pub fn finding(words: Words, finding: &Finding, href: StepHref) -> AnyView {
    let (which, tone) = severity_mark(finding.severity);
    view! {
        <li class="finding">
            {icon(which, tone)}
            <p>{sentence(words, &format!("rule.{}", finding.rule), &finding.args, href)}</p>
            <p class="finding-fix">{words.id(&format!("rule.{}.remedy", finding.rule), &finding.args)}</p>
        </li>
    }
    .into_any()
}

/// The icon and tone of a severity.
pub fn severity_mark(severity: Severity) -> (Icon, &'static str) {
    match severity {
        Severity::Error => (Icon::Bad, "bad"),
        Severity::Warning => (Icon::Warn, "warn"),
        Severity::Info => (Icon::Info, ""),
    }
}

fn usage(words: Words, detail: &Detail) -> AnyView {
    let Some(UsageSummary {
        input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost, cost_estimated, ..
    }) = detail.usage.clone()
    else {
        return ().into_any();
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
        .map(|(name, value)| view! { <tr><th scope="row">{name}</th><td class="table-number">{value}</td></tr> })
        .collect_view();
    let turn = (detail.turn_steps > 1)
        .then(|| view! { <span>{words.f(M::TurnOfSteps, &[("n", &detail.turn_steps.to_string())])}</span> })
        .into_any();
    part(words.t(M::TurnUsage), turn, view! { <table class="table"><tbody>{rows}</tbody></table> }.into_any())
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

fn place(words: Words, detail: &Detail) -> AnyView {
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
        .map(|(name, value)| view! { <p><span class="quiet">{name}</span>" "{value}</p> })
        .collect_view();
    let body = view! { <p class="mono">{place_text(words, &detail.place)}</p> {facts} };
    part(words.t(M::Place), ().into_any(), body.into_any())
}

fn record_view(words: Words, record: &Record, acts: Acts) -> AnyView {
    match record {
        Record::Loading => view! { <p class="inspector-section quiet">"…"</p> }.into_any(),
        Record::Missing(why) => view! { <p class="inspector-section quiet">{why.clone()}</p> }.into_any(),
        Record::Text(text) => {
            let shown: String = text.chars().take(MOST_RAW).collect();
            let cut = (shown.len() < text.len()).then(|| {
                let all = text.clone();
                let n = format::count(text.chars().count() as u64);
                view! {
                    <p class="row quiet">
                        {words.f(M::RawCut, &[("n", &n)])}
                        <button class="button button-small" on:click=move |_| acts.copy.run(all.clone())>{words.t(M::CopyAll)}</button>
                    </p>
                }
            });
            view! {
                <section class="inspector-section">
                    <pre class="code" tabindex="0" aria-label=words.t(M::Raw)>{shown}</pre>
                    {cut}
                </section>
            }
            .into_any()
        }
    }
}
