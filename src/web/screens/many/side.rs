//! Beside the table: calls per run, trials that passed per task, and the shapes nearest to the marked run. Each plot is
//! a table as well.

use leptos::prelude::*;

use super::head::shape_link;
use super::{Here, bar, judged};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{At, CallBin, ManyReport, NearLine};
use crate::web::components::glyph::glyph;
use crate::web::view::{El, IntoView, View, el, svg};

/// Width and height of the bars, and the room for numbers below.
const WIDE: f64 = 284.0;
const HIGH: f64 = 96.0;

pub(super) fn side(here: Here) -> View {
    let whole =
        move || here.report.get().and_then(Result::ok).map(|report| (histogram(here, &report), trials(here, &report)));
    el("aside.many-side").attr("aria-label", here.t("many.side")).child(whole).child(nearest(here)).view()
}

fn histogram(here: Here, report: &ManyReport) -> View {
    if report.bins.is_empty() {
        return View::NONE;
    }
    let bins = &report.bins;
    let most = bins.iter().map(|b| b.passed + b.failed + b.unknown).max().unwrap_or(1).max(1);
    let wide = WIDE / bins.len() as f64;
    let high = |n: u32| f64::from(n) / f64::from(most) * HIGH;
    let bars = bins.iter().enumerate().map(|(i, b)| {
        let x = i as f64 * wide + 1.0;
        let mut below = 0;
        let mut part = |name: &'static str, n: u32| {
            below += n;
            (n > 0).then(|| {
                svg(name)
                    .attr("x", format!("{x:.1}"))
                    .attr("y", format!("{:.1}", HIGH - high(below) + 4.0))
                    .attr("width", format!("{:.1}", wide - 2.0))
                    .attr("height", format!("{:.1}", high(n)))
            })
        };
        let parts = [
            part("rect.many-fill-passed", b.passed),
            part("rect.many-fill-failed", b.failed),
            part("rect.many-fill-unknown", b.unknown),
        ];
        let text =
            svg("text").attr("x", format!("{x:.1}")).attr("y", format!("{}", HIGH + 19.0)).child(b.first.to_string());
        (parts, text)
    });
    let plot = svg("svg.many-histogram")
        .attr("viewBox", format!("0 0 {WIDE} {}", HIGH + 24.0))
        .attr("role", "img")
        .attr("aria-label", here.t("many.histogram-say"))
        .child(bars.collect::<Vec<_>>())
        .child(svg("path.many-axis").attr("d", format!("M0 {}h{WIDE}", HIGH + 4.0)));
    el("section")
        .child(el("h2").child(here.t("many.histogram")))
        .child(legend(here, report))
        .child(plot)
        .child(bins_table(here, bins))
        .view()
}

fn legend(here: Here, report: &ManyReport) -> El {
    let words = here.words;
    let key = |class: &'static str, name: &'static str| {
        el("span.mark").child(el("i.many-key").class(format!("many-key {class}"))).child(name)
    };
    el("p.row.small")
        .child((report.passed > 0).then(|| key("many-key-passed", words.t(M::OutcomePassed))))
        .child((report.failed > 0).then(|| key("many-key-failed", words.t(M::OutcomeFailed))))
        .child((report.unknown > 0).then(|| key("many-key-unknown", here.t("many.legend-unknown"))))
}

fn bins_table(here: Here, bins: &[CallBin]) -> El {
    let words = here.words;
    let head = [words.t(M::Calls), words.t(M::OutcomePassed), words.t(M::OutcomeFailed), here.t("many.legend-unknown")];
    let rows = bins.iter().map(|b| {
        let range = if b.first == b.last { b.first.to_string() } else { format!("{}–{}", b.first, b.last) };
        el("tr")
            .child(el("th").attr("scope", "row").child(range))
            .child([b.passed, b.failed, b.unknown].map(|n| el("td.table-number").child(n)))
    });
    el("details").child(el("summary").child(here.t("many.as-table"))).child(
        el("table.table")
            .child(el("caption.unseen").child(here.t("many.histogram-say")))
            .child(el("thead").child(el("tr").child(head.map(|name| el("th").attr("scope", "col").child(name)))))
            .child(el("tbody").child(rows.collect::<View>())),
    )
}

fn trials(here: Here, report: &ManyReport) -> View {
    if report.trials.is_empty() {
        return View::NONE;
    }
    let most = report.trials.iter().map(|t| t.tasks).max().unwrap_or(1);
    let rows = report.trials.iter().map(|t| {
        // All of the tasks' bars have one tone each: never, sometimes, always.
        let tone = match t.passed {
            0 => "many-none",
            n if n == t.of => "many-full",
            _ => "many-some",
        };
        el("tr")
            .child(
                el("th")
                    .attr("scope", "row")
                    .child(here.f("many.of", &[("n", &t.passed.to_string()), ("of", &t.of.to_string())])),
            )
            .child(el("td").class(format!("many-trial {tone}")).child(bar(t.tasks, 0, 0, most)))
            .child(el("td.table-number").child(t.tasks))
    });
    let table = el("table.table.many-trials")
        .child(el("caption.unseen").child(here.t("many.trials")))
        .child(
            el("thead.unseen").child(
                el("tr")
                    .child(el("th").attr("scope", "col").child(here.words.t(M::Passed)))
                    .child(el("td"))
                    .child(el("th").attr("scope", "col").child(here.t("many.tasks-column"))),
            ),
        )
        .child(el("tbody").child(rows.collect::<View>()));
    let inside = report.mixed_pair.and_then(|pair| here.pair_href(pair)).map(|href| {
        let text = here.f("many.mixed", &[("n", &report.mixed_tasks.to_string())]);
        el("p.quiet").child(text).child(": ").child(el("a").attr("href", href).child(here.t("many.mixed-compare")))
    });
    el("section").child(el("h2").child(here.t("many.trials"))).child(table).child(inside).view()
}

fn nearest(here: Here) -> View {
    // The run that was marked last, where it is one of this table.
    let of = Memo::new(move |_| {
        let side = here.session.marked.with(|m| m.last().cloned())?;
        let at = here.documents.with(|d| d.iter().position(|(_, name, _)| *name == side.document))?;
        Some(((at as u32, side.run), here.keys()))
    });
    let draw = move || match of.get() {
        None => el("p.quiet").child(here.t("many.nearest-none")).view(),
        Some((at, _)) => untrack(|| near_of(here, at)),
    };
    el("section").child(el("h2").child(here.t("many.nearest"))).child(draw).view()
}

fn near_of(here: Here, at: At) -> View {
    let found = here.asked(
        move || Job::ManyNear { documents: here.keys(), at, limit: 8 },
        |outcome| match outcome {
            Outcome::ManyNear { near } => Ok(near),
            other => Err(other),
        },
    );
    let title = here
        .side(at)
        .and_then(|side| here.session.by_name_now(&side.document))
        .and_then(|d| d.summary_now())
        .and_then(|s| s.runs.get(at.1 as usize).map(|r| r.title.clone()))
        .unwrap_or_default();
    let rows = move || {
        found.get().and_then(Result::ok).map(|near| {
            if near.is_empty() {
                return el("p.quiet").child(here.t("many.nearest-lone")).view();
            }
            near.iter().map(|n| near_row(here, n)).collect::<View>()
        })
    };
    (
        el("p.small.quiet").child(here.f("many.nearest-of", &[("title", &title)])),
        el("ul.many-near").child(rows),
        el("p.small.quiet").child(here.t("many.alike-means")),
    )
        .view()
}

fn near_row(here: Here, near: &NearLine) -> View {
    el("li")
        .child(glyph(&near.line.key, &near.line.glyph))
        .child(el("span.many-alike").child(format!("{:.2}", near.similarity)))
        .child(el("span.many-near-name").child(shape_link(here, &near.line)))
        .child(
            (near.line.passed + near.line.failed == 0)
                .then(|| el("span.unseen").child(judged(here, 0, 0)).child(format::UNKNOWN)),
        )
        .view()
}
