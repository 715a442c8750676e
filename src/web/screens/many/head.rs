//! Above many runs: the name, the verdict with the best and the worst of the common shapes, the figures, the views.
//! Figures follow the filter. A figure that no run carries is unknown, and says so.

use leptos::prelude::*;

use super::{Here, judged};
use crate::format;
use crate::message::M;
use crate::report::{GroupLine, KnownSum, ManyReport};
use crate::route::RunsTab;
use crate::web::components::figure::{Figure, figure_list};
use crate::web::components::segment::named_segment;
use crate::web::components::tabs::{TabLink, tabs};
use crate::web::components::{Icon, icon};
use crate::web::view::{El, IntoView, View, el};

pub(super) fn head(here: Here) -> View {
    let words = here.words;
    let title = here.document.get_value().unwrap_or_else(|| here.t("many.all").to_owned());
    let chips = move || {
        let documents = here.documents.get();
        let format = match documents.as_slice() {
            [(key, ..)] => here.session.by_key(*key).and_then(|d| d.summary()).and_then(|s| s.format_label.clone()),
            all => Some(here.f("many.files", &[("n", &format::count(all.len() as u64))])),
        };
        let tasks = here.report.get().and_then(Result::ok).and_then(|r| {
            let of = r.trials.first()?.of;
            let tasks: u32 = r.trials.iter().map(|t| t.tasks).sum();
            r.trials
                .iter()
                .all(|t| t.of == of)
                .then(|| here.f("many.tasks", &[("tasks", &tasks.to_string()), ("trials", &of.to_string())]))
        });
        [format, tasks].into_iter().flatten().map(|text| el("span.chip").child(text)).collect::<View>()
    };
    let said = move || match here.report.get() {
        None => el("span.quiet").child(here.t("many.loading")).view(),
        Some(Err(_)) => View::NONE,
        Some(Ok(report)) => verdict(here, &report),
    };
    let figures = move || {
        here.report
            .get()
            .and_then(Result::ok)
            .map(|report| figure_list(words, figures(here, &report), "meaning".to_owned()))
    };
    let count = Signal::derive(move || {
        here.report.with(|r| match r {
            Some(Ok(report)) => format::count(report.runs.into()),
            _ => String::new(),
        })
    });
    let link = move |tab: RunsTab, text: &'static str, count: String| TabLink {
        text,
        count,
        href: Signal::derive(move || {
            here.place.track();
            here.href(|p| p.view.tab = tab)
        }),
        current: Signal::derive(move || here.place.with(|p| p.view.tab == tab)),
    };
    let views = move || {
        let mut links = vec![
            link(RunsTab::Table, words.t(M::RunsTitle), count.get()),
            link(RunsTab::Similarity, here.t("many.similarity"), String::new()),
            link(RunsTab::Consensus, here.t("many.consensus"), String::new()),
        ];
        // A reference is carried by a file.
        if here.document.with_value(Option::is_some) {
            links.push(link(RunsTab::Match, here.t("many.match"), String::new()));
        }
        tabs(here.t("many.tabs"), links)
    };
    el("header.page-head.head")
        .child(el("div.head-title").child(el("h1").attr("tabindex", "-1").child(title)).child(chips))
        .child(el("p.verdict").child(icon(Icon::Info, "")).child(el("span").child(said)))
        .child(el("div").child(figures))
        .child(el("div").child(views))
        .view()
}

fn verdict(here: Here, report: &ManyReport) -> View {
    let words = here.words;
    let of = report.passed.saturating_add(report.failed);
    let n = |n: u32| format::count(n.into());
    let passed = if of == 0 {
        here.f("many.none-said", &[("n", &n(report.runs))])
    } else {
        here.f("many.passed", &[("passed", &n(report.passed)), ("n", &n(of))])
    };
    let unsaid = (of > 0 && report.unknown > 0)
        .then(|| (here.words.t(M::Comma), here.f("many.unsaid", &[("n", &n(report.unknown))])));
    let shape = |id: &'static str, line: &Option<GroupLine>| {
        line.as_ref().map(|line| (words.t(M::Stop), here.t(id), ": ", shape_link(here, line)))
    };
    (el("b").child(passed), unsaid, shape("many.best", &report.best), shape("many.worst", &report.worst)).view()
}

/// A shape by its calls, leading to its runs.
pub(super) fn shape_link(here: Here, line: &GroupLine) -> View {
    let key = line.key.clone();
    let href = here.href(|p| {
        p.filter = format!("topology:{key}");
        p.view.tab = RunsTab::Table;
    });
    (
        el("span.mono").child(shape_name(here, line)),
        ", ",
        el("a").attr("href", href).child(judged(here, line.passed, line.failed)),
    )
        .view()
}

/// The calls of a shape, or the words for none.
pub(super) fn shape_name(here: Here, line: &GroupLine) -> String {
    if line.name.is_empty() { here.t("many.no-calls").to_owned() } else { line.name.clone() }
}

fn figures(here: Here, report: &ManyReport) -> Vec<Figure> {
    let words = here.words;
    let n = |n: u32| format::count(n.into());
    let figure = |name: &'static str, value: String, note: String, means: &str| Figure {
        name,
        value,
        note,
        meaning: here.t(means).to_owned(),
        ..Figure::default()
    };
    let of = report.passed.saturating_add(report.failed);
    let mut out = vec![figure(
        words.t(M::RunsTitle),
        n(report.runs),
        words.f(M::Topologies, &[("n", &n(report.topologies))]),
        "many.means.runs",
    )];
    if let Some((low, high)) = report.interval {
        let whole = |share: f64| format!("{:.0}", share * 100.0);
        let share = format::percent(f64::from(report.passed) / f64::from(of.max(1)));
        let note = here.f("many.interval", &[("share", &share), ("low", &whole(low)), ("high", &whole(high))]);
        out.push(Figure { tone: "good", ..figure(words.t(M::Passed), n(report.passed), note, "many.means.passed") });
    }
    if report.unknown > 0 {
        out.push(figure(here.t("many.no-key"), n(report.unknown), String::new(), "many.means.unknown"));
    }
    let per_run = format!("{:.1}", report.calls as f64 / f64::from(report.runs.max(1)));
    out.push(figure(
        words.t(M::Calls),
        format::count(report.calls),
        words.f(M::PerRun, &[("n", &per_run)]),
        "many.means.calls",
    ));
    out.push(figure(words.t(M::Errors), format::count(report.errors), String::new(), "many.means.errors"));
    let stuck = (report.stuck_runs > 0).then(|| here.f("many.stuck", &[("n", &n(report.stuck_runs))]));
    out.push(figure(
        words.t(M::Loops),
        words.f(M::LoopsIn, &[("n", &n(report.loop_runs))]),
        stuck.unwrap_or_default(),
        "many.means.loops",
    ));
    let known = |name: &'static str, sum: &KnownSum, print: fn(f64) -> String| {
        let note = match sum.known {
            0 => words.t(M::NotInFile).to_owned(),
            known => {
                let mut notes = Vec::new();
                if known < report.runs {
                    notes.push(here.f("many.of-runs", &[("n", &n(known))]));
                }
                if sum.estimated > 0 {
                    notes.push(here.f("many.estimated", &[("n", &n(sum.estimated))]));
                }
                notes.join(words.t(M::Comma))
            }
        };
        let value = if sum.known == 0 { format::UNKNOWN.to_owned() } else { print(sum.sum) };
        Figure { wide: true, ..figure(name, value, note, "many.means.known") }
    };
    out.push(known(words.t(M::FigureTokens), &report.tokens, |n| format::short_count(n as u64)));
    out.push(known(words.t(M::FigureCost), &report.cost, format::money));
    out.push(known(words.t(M::FigureTime), &report.duration_ms, format::duration));
    out
}

/// Ways to group that there are words for.
const WAYS: [(&str, &str); 6] = [
    ("none", "many.by.none"),
    ("topology", "many.by.topology"),
    ("task", "many.by.task"),
    ("model", "many.by.model"),
    ("outcome", "many.by.outcome"),
    ("file", "many.by.file"),
];

/// The row of ways to group: those that are given, in the order of [`WAYS`].
pub(super) fn ways(here: Here, given: &[String], on: Callback<&'static str>) -> El {
    let known = WAYS.into_iter().filter(|(id, _)| given.iter().any(|g| g == id));
    let choices = known.map(|(id, text)| (id, here.t(text).to_owned())).collect();
    named_segment(
        here.t("many.group-by"),
        choices,
        Signal::derive(move || here.place.with(|p| p.view.group.clone())),
        on,
    )
}
