//! The loops of a run: where they are, what they wasted, why each was found, what was tried, and what nearly was one;
//! beside them the rules by which they were looked for.

use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use super::{Here, fault, rules};
use crate::web::view::{IntoView, View, effect, el};
use crate::{
    format,
    message::M,
    protocol::{Job, Outcome},
    report::{LoopReport, LoopSpan, PeerReport, RunSummary, Strip},
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
pub fn loops(here: Here, run: Arc<RunSummary>) -> View {
    let Here { document, run: index, words, .. } = here;
    let report = RwSignal::new(None::<Result<Arc<LoopReport>, String>>);
    let band = RwSignal::new(None::<Arc<Strip>>);
    spawn_local(async move {
        if let Outcome::Strip { strip } = here.ask(Job::Strip { document, run: index, buckets: MARKS }).await {
            let _ = band.try_set(Some(Arc::new(strip)));
        }
    });
    let params = Memo::new(move |_| here.rules.with(|r| r.params.clone()));
    here.keep_asking(
        move || Job::LoopsWith { document, run: index, params: params.get() },
        move |outcome| {
            let why = fault(here, &outcome);
            report.set(match outcome {
                Outcome::Loops { loops } => Some(Ok(Arc::from(loops))),
                _ => why.map(Err),
            });
        },
    );
    let chosen = RwSignal::new(0_usize);
    effect(move || {
        params.track();
        chosen.set(0);
    });
    let peer = Memo::new(move |_| here.rules.with(|r| r.peer.clone()));
    let main = move || match report.get() {
        None => View::NONE,
        Some(Err(why)) => el("p").child(why).view(),
        Some(Ok(report)) => match report.peers.iter().find(|p| p.id == peer.get()) {
            Some(peer) => rules::peer_findings(here, peer),
            None => ours(here, report.clone(), chosen),
        },
    };
    let above = move || match (report.get(), band.get()) {
        (Some(Ok(report)), Some(band)) => {
            let peer = report.peers.iter().find(|p| p.id == peer.get());
            overview(words, &report, &band, run.steps, peer)
        }
        _ => View::NONE,
    };
    // Made once: a slider that is drawn anew is no longer held.
    let there = Memo::new(move |_| report.with(|r| matches!(r, Some(Ok(_)))));
    let side = move || {
        there
            .get()
            .then(|| report.get_untracked().and_then(Result::ok).map(|first| untrack(|| rules::rules(here, &first))))
    };
    let found = move || match report.get() {
        Some(Ok(report)) => words.id("rules.now", &[("n".to_owned(), report.total.to_string())]),
        _ => String::new(),
    };
    el("div.loops")
        .child(el("div.loops-strip").child(above))
        .child(
            el("div.split")
                .child(
                    el("div.split-main")
                        .attr("tabindex", "0")
                        .attr("role", "region")
                        .attr("aria-label", words.t(M::TabLoops))
                        .child(main),
                )
                .child(el("aside.split-side").attr("aria-label", words.id("rules.title", &[])).child(side)),
        )
        .child(el("p.unseen").attr("role", "status").child(found))
        .view()
}

/// What our detectors found.
fn ours(here: Here, report: Arc<LoopReport>, chosen: RwSignal<usize>) -> View {
    let (spans, recovery) = (report.clone(), report.recovery);
    (
        waste(here.words, &report),
        (!report.spans.is_empty()).then(|| table(here, &report.spans, chosen)),
        move || spans.spans.get(chosen.get()).map(|span| tries(here, span, recovery)),
        nearly(here, &report),
    )
        .view()
}

/// The name of a detector.
fn detector(words: Words, id: &str) -> String {
    words.id(&format!("detector.{id}"), &[])
}

/// The whole run with its loops in words: the first three, so that words do not lie over each other.
/// With `peer` the steps at which another program's rules fired stand in their place.
fn overview(words: Words, report: &LoopReport, band: &Strip, steps: u32, peer: Option<&PeerReport>) -> View {
    let percent = |step: u32| f64::from(step) / f64::from(steps.max(1)) * 100.0;
    let mut labels: Vec<View> = Vec::new();
    let mut put = |step: u32, y: &str, tone: &str, text: String| {
        // Words near the right edge end there instead of beginning.
        let x = percent(step);
        let class = format!("loops-word wide {tone}{}", if x > 75.0 { " loops-word-end" } else { "" });
        labels.push(el("span").class(class).attr("style", format!("--x:{x:.2};--y:{y}")).child(text).view());
    };
    if let Some(&step) = band.compactions.first() {
        put(step, ".6rem", "", words.t(M::WordCompacted).to_owned());
    }
    // A word begins where the last one of its line has ended, or is left out: the brackets stay.
    let mut end = -100.0;
    let spans = report.spans.iter().filter(|s| s.severity == "loop");
    let marks: Vec<(u32, u32, String)> = match peer {
        Some(peer) => peer.steps.iter().map(|(step, _)| (*step, *step, peer.label.clone())).collect(),
        None => spans.clone().map(|s| (s.first_step, s.last_step, s.detector.clone())).collect(),
    };
    for (step, _, name) in peer.iter().flat_map(|_| &marks) {
        if percent(*step) >= end {
            end = percent(*step) + name.chars().count() as f64 * LETTER;
            put(*step, "5rem", "warn strong", name.clone());
        }
    }
    for span in spans.filter(|s| s.counts_as_waste && peer.is_none()) {
        let x = percent(span.first_step);
        if x < end {
            continue;
        }
        let name = if span.detector == "D2g" { "D2" } else { &span.detector };
        let text = words.f(M::WordLoop, &[("name", &detector(words, name)), ("n", &span.times.to_string())]);
        end = x + text.chars().count() as f64 * LETTER;
        put(span.first_step, "5rem", "warn strong", text);
    }
    let recovery = report.recovery.filter(|_| peer.is_none());
    if let Some(step) = recovery.filter(|step| percent(*step) >= end) {
        put(step, "5.1rem", "good strong", words.f(M::WordRecovered, &[("n", &(step + 1).to_string())]));
    }
    let scale = ticks(steps).into_iter().map(|n| {
        el("span.loops-word.loops-tick")
            .attr("style", format!("--x:{:.2};--y:6.2rem", percent(n - 1)))
            .child(format::count(u64::from(n)))
    });
    let band = Strip { loops: marks, ..band.clone() };
    el("div").child(strip(&band, Shape::WIDE, recovery)).child(labels).child(scale.collect::<View>()).view()
}

/// Round numbers of steps for the scale, at most five, after 1.
fn ticks(steps: u32) -> Vec<u32> {
    let units = (0..9).flat_map(|tens| [1, 2, 5].map(|n| n * 10_u32.pow(tens)));
    let unit = units.into_iter().find(|unit| steps / unit <= 5).unwrap_or(u32::MAX);
    [1].into_iter().chain((1..=5).map(|n| unit.saturating_mul(n)).filter(|at| *at > 1 && *at <= steps)).collect()
}

fn waste(words: Words, report: &LoopReport) -> View {
    let w = &report.waste;
    let Some(ratio) = w.ratio else {
        return el("p.loops-figure")
            .child(el("b").child(format::UNKNOWN))
            .child(el("b").child(words.t(M::NoCalls)))
            .view();
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
    let none = report.spans.is_empty().then(|| el("p.loops-none").child(words.t(M::NoLoops)));
    (
        el("div.loops-figure")
            .child(el("b").child(format::percent(ratio)))
            .child(el("b").child(title).child(cost.map(|c| el("span.quiet").child(" ").child(c))))
            .child(el("p").child(words.t(M::WasteMeans))),
        none,
    )
        .view()
}

fn table(here: Here, spans: &[LoopSpan], chosen: RwSignal<usize>) -> View {
    let words = here.words;
    let rows = spans
        .iter()
        .enumerate()
        .map(|(i, span)| {
            let (which, tone) = if span.counts_as_waste { (Icon::Loop, "warn") } else { (Icon::Info, "") };
            let number = |n: Option<String>| n.unwrap_or_else(|| format::UNKNOWN.to_owned());
            let wasted = span.counts_as_waste.then(|| format::count(u64::from(span.wasted_steps)));
            el("tr")
                .attr("aria-selected", move || if chosen.get() == i { "true" } else { "false" })
                .on(ev::click, move |_| chosen.set(i))
                .child(
                    el("th")
                        .attr("scope", "row")
                        .child(
                            el("button")
                                .class(format!("mark mark-strong {tone}"))
                                .attr("aria-pressed", move || if chosen.get() == i { "true" } else { "false" })
                                .on(ev::click, move |_| chosen.set(i))
                                .child(icon(which, "icon-s"))
                                .child(detector(words, &span.detector)),
                        )
                        .child(el("span.table-sub").child(span.tool.clone()).child(" ").child(span.what.clone())),
                )
                .child(el("td").child(range_link(span.first_step, span.last_step, here.step_href())))
                .child(el("td.table-number").attr("data-label", words.t(M::ColumnTimes)).child(span.times))
                .child(el("td.table-number.strong").attr("data-label", words.t(M::ColumnWasted)).child(number(wasted)))
                .child(
                    el("td.table-number")
                        .attr("data-label", words.t(M::ColumnTokens))
                        .child(number(span.tokens.map(format::count))),
                )
                .child(
                    el("td.table-number")
                        .attr("data-label", words.t(M::ColumnTime))
                        .child(number(span.seconds.map(|s| format::duration(s * 1000.0)))),
                )
                .child(el("td.table-wide").child(sentence(words, &span.why.0, &span.why.1, here.step_href())))
        })
        .collect::<View>();
    let head = [
        (M::ColumnFinding, ""),
        (M::ColumnWhere, ""),
        (M::ColumnTimes, "table-number"),
        (M::ColumnWasted, "table-number"),
        (M::ColumnTokens, "table-number"),
        (M::ColumnTime, "table-number"),
        (M::ColumnWhy, ""),
    ]
    .map(|(text, class)| el("th").attr("scope", "col").class(class).child(words.t(text)));
    el("table.table.table-page.table-stack")
        .child(el("caption.unseen").child(words.t(M::LoopsFound)))
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows))
        .view()
}

fn tries(here: Here, span: &LoopSpan, recovery: Option<u32>) -> View {
    let words = here.words;
    if span.tries.is_empty() {
        return ().view();
    }
    let rows = span
        .tries
        .iter()
        .map(|t| {
            let outcome = if t.failed {
                let text = if t.failure.is_empty() { words.t(M::RowFailed).to_owned() } else { t.failure.clone() };
                el("span.mark.bad").child(icon(Icon::Bad, "icon-s")).child(text).view()
            } else {
                ().view()
            };
            let cost = match t.tokens {
                _ if span.counts_as_waste && !t.wasted => words.t(M::FirstNotCounted).to_owned(),
                Some(n) => format::count(n),
                None => format::UNKNOWN.to_owned(),
            };
            el("tr")
                .child(el("td").child(el("a").attr("href", here.step_href().run(t.step)).child(t.step + 1)))
                .child(el("td.loops-before").attr("title", t.before.clone()).child(t.before.clone()))
                .child(el("td").child(outcome))
                .child(el("td.table-number").child(t.duration_ms.map(format::duration)))
                .child(el("td.table-number.quiet").child(cost))
        })
        .collect::<View>();
    let went_on =
        recovery.filter(|step| span.counts_as_waste && *step > span.last_step).map(|step| {
            el("tr")
                .child(el("td").child(el("a").attr("href", here.step_href().run(step)).child(step + 1)))
                .child(el("td.loops-before"))
                .child(el("td").child(
                    el("span.mark.good").child(icon(Icon::Check, "icon-s")).child(words.id("rules.recovered", &[])),
                ))
                .child((el("td"), el("td")))
        });
    let n = span.tries.len().to_string();
    (
        el("h2.group-head").child(words.f(M::Tries, &[("n", &n)])).child(el("span").child(words.t(M::TriesSub))),
        el("table.table.table-page.table-stack").child(el("tbody").child(rows).child(went_on)),
    )
        .view()
}

fn nearly(here: Here, report: &LoopReport) -> View {
    let words = here.words;
    if report.near.is_empty() {
        return ().view();
    }
    let short = |n: f64| if n == n.round() { format!("{n:.0}") } else { format!("{n:.2}") };
    let rows = report
        .near
        .iter()
        .map(|near| {
            el("tr")
                .child(el("th.strong").attr("scope", "row").child(detector(words, &near.detector)))
                .child(el("td").child(range_link(near.first_step, near.last_step, here.step_href())))
                .child(
                    el("td").child(words.f(M::HaveOfNeed, &[("have", &short(near.have)), ("need", &short(near.need))])),
                )
                .child(el("td.table-wide.quiet").child(sentence(words, &near.why.0, &near.why.1, here.step_href())))
        })
        .collect::<View>();
    (
        el("h2.group-head").child(words.t(M::Nearly)).child(el("span").child(words.t(M::NearlySub))),
        el("table.table.table-page.table-stack").child(el("tbody").child(rows)),
    )
        .view()
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
