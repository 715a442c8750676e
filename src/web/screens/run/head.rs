//! The head of a run: title, the verdict in one sentence with links to its evidence, figures, views.

use leptos::prelude::*;

use super::Here;
use crate::web::view::{IntoView, View, el};
use crate::{
    format,
    message::M,
    report::RunSummary,
    route::Tab,
    web::components::{
        Icon, Words,
        figure::{Figure, figure_list},
        glyph::glyph,
        icon,
        sentence::sentence,
        tabs::{TabLink, tabs},
    },
};

/// Draws the head. The summary does not change while the screen is there.
pub fn head(here: Here, run: &RunSummary) -> View {
    let words = here.words;
    let models = match run.models.split_first() {
        None => None,
        Some((only, [])) => Some(only.clone()),
        Some((first, rest)) => Some(words.f(M::ModelsThen, &[("first", first), ("rest", &rest.join(", "))])),
    };
    let chips = [run.agent.clone(), models]
        .into_iter()
        .flatten()
        .map(|text| el("span.chip.wide").child(text))
        .collect::<View>();
    let topology = (!run.topology.glyph.is_empty()).then(|| {
        let short: String = run.topology.hash.chars().take(12).collect();
        el("a.glyph-label.wide")
            .attr("title", words.id("shape.open", &[]))
            .attr("href", move || {
                here.place.track();
                here.href(|p| {
                    p.tab = Tab::Measures;
                    p.raw = false;
                })
            })
            .child(words.t(M::Topology))
            .child(glyph(&short, &run.topology.glyph))
    });
    // A screen without a heading has no name for those who hear it.
    let title = if run.title.is_empty() {
        here.session.by_key(here.document).map(|d| d.name).unwrap_or_default()
    } else {
        run.title.clone()
    };
    el("header.page-head.head")
        .child(el("div.head-title").child(el("h1").attr("tabindex", "-1").child(title)).child(chips))
        .child(topology)
        .child(verdict(here, run))
        .child(figure_list(words, figures(here, run), "meaning".to_owned()))
        .child(tabs(words.t(M::ViewsOfRun), links(here, run)))
        .view()
}

fn verdict(here: Here, run: &RunSummary) -> View {
    let (which, tone) = match run.verdict.tone.as_str() {
        "ok" => (Icon::Check, "good"),
        "loop" => (Icon::Loop, "warn"),
        "warning" => (Icon::Warn, "warn"),
        "error" => (Icon::Bad, "bad"),
        _ => (Icon::Info, ""),
    };
    let mut reasons: Vec<View> = Vec::new();
    for (id, args) in &run.verdict.reasons {
        reasons.push(if reasons.is_empty() { " ".view() } else { "; ".view() });
        reasons.push(sentence(here.words, id, args, here.step_href()));
    }
    el("p.verdict")
        .child(icon(which, tone))
        .child(el("span").child(el("b").child(here.words.id(&run.verdict.state, &[]))).child(reasons))
        .view()
}

fn figures(here: Here, run: &RunSummary) -> Vec<Figure> {
    let words = here.words;
    let steps = |filter: &'static str, text: M| {
        let href = here.href(|p| {
            p.tab = Tab::Steps;
            p.all = true;
            p.filter = filter.into();
            p.raw = false;
        });
        Some((href, words.t(text)))
    };
    let usage = || Some((here.href(|p| p.tab = Tab::Usage), words.t(M::ShowUsage)));
    let u = &run.usage;
    let known = |value: Option<String>| value.unwrap_or_else(|| format::UNKNOWN.to_owned());
    let missing = |known: bool| if known { String::new() } else { words.t(M::NotInFile).to_owned() };
    let count = |n: u32| format::count(u64::from(n));
    let cached = match (u.input_tokens, u.cached_tokens) {
        (Some(all), Some(cached)) if all > 0 => {
            words.f(M::SharedCached, &[("share", &format::percent(cached as f64 / all as f64))])
        }
        _ => missing(u.input_tokens.is_some()),
    };
    vec![
        Figure {
            name: words.t(M::FigureSteps),
            value: count(run.steps),
            meaning: words.t(M::MeansSteps).to_owned(),
            evidence: steps("", M::ShowAllSteps),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::FigureCalls),
            value: count(run.calls),
            meaning: words
                .f(M::MeansCalls, &[("results", &count(run.results)), ("unanswered", &count(run.unanswered))]),
            evidence: steps("actor:tool", M::ShowCalls),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::FigureErrors),
            value: count(run.errors),
            tone: if run.errors > 0 { "bad" } else { "" },
            meaning: words.t(M::MeansErrors).to_owned(),
            evidence: if run.errors > 0 { steps("has:error", M::ShowErrors) } else { None },
            ..Figure::default()
        },
        Figure {
            name: words.t(M::FigureTokensIn),
            value: known(u.input_tokens.map(format::short_count)),
            note: cached,
            wide: true,
            meaning: words.f(
                M::MeansTokensIn,
                &[
                    ("all", &known(u.input_tokens.map(format::count))),
                    ("cached", &known(u.cached_tokens.map(format::count))),
                    ("written", &known(u.cache_write_tokens.map(format::count))),
                ],
            ),
            evidence: usage(),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::FigureTokensOut),
            value: known(u.output_tokens.map(format::short_count)),
            note: missing(u.output_tokens.is_some()),
            meaning: words.f(
                M::MeansTokensOut,
                &[
                    ("all", &known(u.output_tokens.map(format::count))),
                    ("known", &known(u.known_fraction.map(format::percent))),
                ],
            ),
            evidence: usage(),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::FigureCost),
            value: known(u.cost.map(format::money)),
            note: if u.cost_estimated { words.t(M::Estimated).to_owned() } else { missing(u.cost.is_some()) },
            meaning: words.t(if u.cost_estimated { M::MeansCostEstimated } else { M::MeansCost }).to_owned(),
            evidence: usage(),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::FigureTime),
            value: known(run.duration_ms.map(format::duration)),
            note: missing(run.duration_ms.is_some()),
            meaning: time_meaning(words, run),
            evidence: usage(),
            ..Figure::default()
        },
    ]
}

fn time_meaning(words: Words, run: &RunSummary) -> String {
    let mut text = words.t(M::MeansTime).to_owned();
    if let Some(ms) = run.started_ms {
        let zone = words.t(if run.local_time { M::LocalTime } else { M::Utc });
        text.push_str(". ");
        text.push_str(&words.f(M::BeganAt, &[("at", &format!("{} {zone}", format::moment(ms)))]));
    }
    text
}

fn links(here: Here, run: &RunSummary) -> Vec<TabLink> {
    let words = here.words;
    let found = run.findings.errors + run.findings.warnings + run.findings.infos;
    let number = |n: u32| if n == 0 { String::new() } else { format::count(u64::from(n)) };
    [
        (Tab::Steps, M::TabSteps, number(run.steps)),
        (Tab::Diagram, M::TabDiagram, String::new()),
        (Tab::Findings, M::TabFindings, number(found)),
        (Tab::Loops, M::TabLoops, number(run.loops.spans)),
        (Tab::Usage, M::TabUsage, String::new()),
        (Tab::Contract, M::TabContract, String::new()),
        (Tab::Measures, M::TabMeasures, String::new()),
        (Tab::Import, M::TabImport, String::new()),
        (Tab::Judge, M::TabJudge, String::new()),
    ]
    .into_iter()
    .map(|(tab, text, count)| TabLink {
        text: words.t(text),
        count,
        href: Signal::derive(move || {
            here.place.track();
            here.href(|p| {
                p.tab = tab;
                p.raw = false;
            })
        }),
        current: Signal::derive(move || here.place.with(|p| p.tab == tab)),
    })
    .collect()
}
