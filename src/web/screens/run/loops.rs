//! The loops of a run: where they are, what they wasted, why each was found, what was tried, and what nearly was one.

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::{
    format,
    message::M,
    protocol::{Job, Outcome},
    report::{LoopReport, LoopSpan, RunSummary, Strip},
    web::components::{
        Icon, Words, icon,
        sentence::{range_link, sentence},
        strip::{Shape, strip},
    },
};

const MARKS: u32 = 480;
/// Width of a letter in hundredths of the band, at the usual width of a window.
const LETTER: f64 = 0.64;

/// Draws the loops.
pub fn loops(here: Here, run: Arc<RunSummary>) -> AnyView {
    let words = here.words;
    let report = RwSignal::new(None::<Result<(Arc<LoopReport>, Arc<Strip>), String>>);
    spawn_local(async move {
        let outcome = here.ask(Job::Loops { document: here.document, run: here.run }).await;
        let why = fault(here, &outcome);
        let band = here.ask(Job::Strip { document: here.document, run: here.run, buckets: MARKS }).await;
        let _ = report.try_set(match (outcome, band) {
            (Outcome::Loops { loops }, Outcome::Strip { strip }) => Some(Ok((Arc::from(loops), Arc::new(strip)))),
            _ => why.map(Err),
        });
    });
    let chosen = RwSignal::new(0_usize);
    let body = move || match report.get() {
        None => view! { <div class="page-body"></div> }.into_any(),
        Some(Err(why)) => view! { <div class="page-body"><p>{why}</p></div> }.into_any(),
        Some(Ok((report, band))) => {
            let spans = report.clone();
            view! {
                <div class="loops" tabindex="0" role="region" aria-label=words.t(M::TabLoops)>
                    {overview(words, &report, &band, run.steps)}
                    {waste(words, &report)}
                    {(!report.spans.is_empty()).then(|| table(here, &report.spans, chosen))}
                    {move || spans.spans.get(chosen.get()).map(|span| tries(here, span))}
                    {nearly(here, &report)}
                </div>
            }
            .into_any()
        }
    };
    body.into_any()
}

/// The name of a detector.
fn detector(words: Words, id: &str) -> String {
    words.id(&format!("detector.{id}"), &[])
}

/// The whole run with its loops in words: the first three, so that words do not lie over each other.
fn overview(words: Words, report: &LoopReport, band: &Strip, steps: u32) -> AnyView {
    let percent = |step: u32| f64::from(step) / f64::from(steps.max(1)) * 100.0;
    let mut labels: Vec<AnyView> = Vec::new();
    let mut put = |step: u32, y: &str, tone: &str, text: String| {
        // Words near the right edge end there instead of beginning.
        let x = percent(step);
        let class = format!("loops-word wide {tone}{}", if x > 75.0 { " loops-word-end" } else { "" });
        labels.push(view! { <span class=class style=format!("--x:{x:.2};--y:{y}")>{text}</span> }.into_any());
    };
    if let Some(&step) = band.compactions.first() {
        put(step, ".6rem", "", words.t(M::WordCompacted).to_owned());
    }
    // A word begins where the last one of its line has ended, or is left out: the brackets stay.
    let mut end = -100.0;
    for span in report.spans.iter().filter(|s| s.counts_as_waste) {
        let x = percent(span.first_step);
        if x < end {
            continue;
        }
        let name = if span.detector == "D2g" { "D2" } else { &span.detector };
        let text = words.f(M::WordLoop, &[("name", &detector(words, name)), ("n", &span.times.to_string())]);
        end = x + text.chars().count() as f64 * LETTER;
        put(span.first_step, "5rem", "warn strong", text);
    }
    if let Some(step) = report.recovery.filter(|step| percent(*step) >= end) {
        put(step, "5.1rem", "good strong", words.f(M::WordRecovered, &[("n", &(step + 1).to_string())]));
    }
    let scale = ticks(steps).into_iter().map(|n| {
        view! { <span class="loops-word loops-tick" style=format!("--x:{:.2};--y:6.2rem", percent(n - 1))>{format::count(u64::from(n))}</span> }
    });
    view! {
        <div class="loops-strip">
            <div>
                {strip(band, Shape::WIDE, report.recovery)}
                {labels}
                {scale.collect_view()}
            </div>
        </div>
    }
    .into_any()
}

/// Round numbers of steps for the scale, at most five, after 1.
fn ticks(steps: u32) -> Vec<u32> {
    let units = (0..9).flat_map(|tens| [1, 2, 5].map(|n| n * 10_u32.pow(tens)));
    let unit = units.into_iter().find(|unit| steps / unit <= 5).unwrap_or(u32::MAX);
    [1].into_iter().chain((1..=5).map(|n| unit.saturating_mul(n)).filter(|at| *at > 1 && *at <= steps)).collect()
}

fn waste(words: Words, report: &LoopReport) -> AnyView {
    let w = &report.waste;
    let Some(ratio) = w.ratio else {
        return view! { <p class="loops-figure"><b>{format::UNKNOWN}</b><b>{words.t(M::NoCalls)}</b></p> }.into_any();
    };
    let title = words.f(
        M::WasteTitle,
        &[("n", &format::count(u64::from(w.steps))), ("of", &format::count(u64::from(report.calls)))],
    );
    let known = [
        w.tokens.map(|n| words.f(M::TokensCount, &[("n", &format::count(n))])),
        w.cost.map(format::money),
        w.seconds.map(|s| format::duration(s * 1000.0)),
    ];
    let known: Vec<String> = known.into_iter().flatten().collect();
    let cost = (w.steps > 0 && !known.is_empty()).then(|| known.join(", "));
    let none = report.spans.is_empty().then(|| view! { <p class="loops-none">{words.t(M::NoLoops)}</p> });
    view! {
        <div class="loops-figure">
            <b>{format::percent(ratio)}</b>
            <b>{title}{cost.map(|c| view! { <span class="quiet">" "{c}</span> })}</b>
            <p>{words.t(M::WasteMeans)}</p>
        </div>
        {none}
    }
    .into_any()
}

fn table(here: Here, spans: &[LoopSpan], chosen: RwSignal<usize>) -> AnyView {
    let words = here.words;
    let rows = spans
        .iter()
        .enumerate()
        .map(|(i, span)| {
            let (which, tone) = if span.counts_as_waste { (Icon::Loop, "warn") } else { (Icon::Info, "") };
            let number = |n: Option<String>| n.unwrap_or_else(|| format::UNKNOWN.to_owned());
            let wasted = span.counts_as_waste.then(|| format::count(u64::from(span.wasted_steps)));
            view! {
                <tr aria-selected=move || if chosen.get() == i { "true" } else { "false" } on:click=move |_| chosen.set(i)>
                    <th scope="row">
                        <button class=format!("mark mark-strong {tone}") aria-pressed=move || if chosen.get() == i { "true" } else { "false" }
                            on:click=move |_| chosen.set(i)>{icon(which, "icon-s")}{detector(words, &span.detector)}</button>
                        <span class="table-sub">{span.tool.clone()}" "{span.what.clone()}</span>
                    </th>
                    <td>{range_link(span.first_step, span.last_step, here.step_href())}</td>
                    <td class="table-number" data-label=words.t(M::ColumnTimes)>{span.times}</td>
                    <td class="table-number strong" data-label=words.t(M::ColumnWasted)>{number(wasted)}</td>
                    <td class="table-number" data-label=words.t(M::ColumnTokens)>{number(span.tokens.map(format::count))}</td>
                    <td class="table-number" data-label=words.t(M::ColumnTime)>{number(span.seconds.map(|s| format::duration(s * 1000.0)))}</td>
                    <td class="table-wide">{sentence(words, &span.why.0, &span.why.1, here.step_href())}</td>
                </tr>
            }
        })
        .collect_view();
    let head = [
        (M::ColumnFinding, ""),
        (M::ColumnWhere, ""),
        (M::ColumnTimes, "table-number"),
        (M::ColumnWasted, "table-number"),
        (M::ColumnTokens, "table-number"),
        (M::ColumnTime, "table-number"),
        (M::ColumnWhy, ""),
    ]
    .map(|(text, class)| view! { <th scope="col" class=class>{words.t(text)}</th> })
    .collect_view();
    view! {
        <table class="table table-page table-stack">
            <caption class="unseen">{words.t(M::LoopsFound)}</caption>
            <thead><tr>{head}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn tries(here: Here, span: &LoopSpan) -> AnyView {
    let words = here.words;
    if span.tries.is_empty() {
        return ().into_any();
    }
    let rows = span
        .tries
        .iter()
        .map(|t| {
            let outcome = if t.failed {
                let text = if t.failure.is_empty() { words.t(M::RowFailed).to_owned() } else { t.failure.clone() };
                view! { <span class="mark bad">{icon(Icon::Bad, "icon-s")}{text}</span> }.into_any()
            } else {
                ().into_any()
            };
            let cost = match (t.wasted, t.tokens) {
                (false, _) => words.t(M::FirstNotCounted).to_owned(),
                (true, Some(n)) => format::count(n),
                (true, None) => format::UNKNOWN.to_owned(),
            };
            view! {
                <tr>
                    <td><a href=here.step_href().run(t.step)>{t.step + 1}</a></td>
                    <td class="table-wide">{t.before.clone()}</td>
                    <td>{outcome}</td>
                    <td class="table-number">{t.duration_ms.map(format::duration)}</td>
                    <td class="table-number quiet">{cost}</td>
                </tr>
            }
        })
        .collect_view();
    let n = span.tries.len().to_string();
    view! {
        <h2 class="group-head">{words.f(M::Tries, &[("n", &n)])}<span>{words.t(M::TriesSub)}</span></h2>
        <table class="table table-page table-stack"><tbody>{rows}</tbody></table>
    }
    .into_any()
}

fn nearly(here: Here, report: &LoopReport) -> AnyView {
    let words = here.words;
    if report.near.is_empty() {
        return ().into_any();
    }
    let short = |n: f64| if n == n.round() { format!("{n:.0}") } else { format!("{n:.2}") };
    let rows = report
        .near
        .iter()
        .map(|near| {
            view! {
                <tr>
                    <th scope="row" class="strong">{detector(words, &near.detector)}</th>
                    <td>{range_link(near.first_step, near.last_step, here.step_href())}</td>
                    <td>{words.f(M::HaveOfNeed, &[("have", &short(near.have)), ("need", &short(near.need))])}</td>
                    <td class="table-wide quiet">{sentence(words, &near.why.0, &near.why.1, here.step_href())}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <h2 class="group-head">{words.t(M::Nearly)}<span>{words.t(M::NearlySub)}</span></h2>
        <table class="table table-page table-stack"><tbody>{rows}</tbody></table>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_round_numbers() {
        assert_eq!(ticks(414), [1, 100, 200, 300, 400]);
        assert_eq!(ticks(3), [1, 2, 3]);
        assert_eq!(ticks(1), [1]);
        assert_eq!(ticks(0), [1]);
        assert_eq!(ticks(2_000_000), [1, 500_000, 1_000_000, 1_500_000, 2_000_000]);
    }
}
