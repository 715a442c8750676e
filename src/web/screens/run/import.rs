//! The import report: what was understood, what was not, what was repaired, of each file behind the run.

use std::sync::Arc;

use super::Here;
use crate::web::view::{IntoView, View, el};
use crate::{
    format,
    message::M,
    model::ImportReport,
    report::{DocumentSummary, RunSummary},
    web::components::{
        Words,
        figure::{Figure, figure_list},
    },
};

/// Draws the reports of a document, and what its file says about the run.
pub fn import(here: Here, document: Arc<DocumentSummary>, run: Arc<RunSummary>) -> View {
    let words = here.words;
    let label = document.format_label.clone().unwrap_or_else(|| format::UNKNOWN.to_owned());
    let reports = document.reports.iter().enumerate().map(|(i, r)| report(words, r, &label, i)).collect::<View>();
    let facts: Vec<_> = run.facts.iter().chain(&run.labels).collect();
    let facts = (!facts.is_empty()).then(|| {
        let rows = facts
            .into_iter()
            .map(|(name, value)| {
                el("tr")
                    .child(el("th").attr("scope", "row").child(name.clone()))
                    .child(el("td.table-wide").child(value.clone()))
            })
            .collect::<View>();
        (el("h2.group-head").child(words.t(M::RunFigures)), el("table.table").child(el("tbody").child(rows)))
    });
    el("div.page-body")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", words.t(M::ImportTitle))
        .child(reports)
        .child(facts)
        .view()
}

fn report(words: Words, report: &ImportReport, label: &str, index: usize) -> View {
    let wrapped = if report.wrapped.is_empty() {
        String::new()
    } else {
        words.f(M::ImportWrapped, &[("how", &report.wrapped.join(", "))])
    };
    let bad = if report.bad_lines > 0 {
        words.f(M::ImportBadCount, &[("n", &format::count(report.bad_lines))])
    } else {
        String::new()
    };
    let repairs: u64 = report.repairs.iter().map(|r| r.count).sum();
    let figures = vec![
        Figure {
            name: words.t(M::ImportFormat),
            value: label.to_owned(),
            note: wrapped,
            meaning: words.t(M::MeansFormat).to_owned(),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::ImportUnderstood),
            value: report.share().map_or_else(|| format::UNKNOWN.to_owned(), format::percent),
            meaning: words.f(
                M::MeansUnderstood,
                &[("n", &format::count(report.understood)), ("of", &format::count(report.records + report.bad_lines))],
            ),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::ImportLines),
            value: format::count(report.lines),
            note: bad,
            meaning: words.t(M::MeansLines).to_owned(),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::ImportRecords),
            value: format::count(report.records),
            meaning: words.t(M::MeansRecords).to_owned(),
            ..Figure::default()
        },
        Figure {
            name: words.t(M::ImportRepairs),
            value: format::count(repairs),
            meaning: words.t(M::ImportRepairsSub).to_owned(),
            ..Figure::default()
        },
    ];
    let fine =
        (report.unknown.is_empty() && report.repairs.is_empty() && report.bad.is_empty() && report.notes.is_empty())
            .then(|| el("p.quiet").child(words.t(M::ImportFine)));
    let notes = (!report.notes.is_empty()).then(|| {
        let list = report.notes.iter().map(|n| el("li").child(words.id(&note_id(&n.id), &n.args))).collect::<View>();
        (el("h3.group-head").child(words.t(M::ImportNotes)), el("ul").child(list))
    });
    let line = |n: u32| words.f(M::LineNo, &[("n", &format::count(u64::from(n)))]);
    let repairs = (!report.repairs.is_empty()).then(|| {
        let rows = report
            .repairs
            .iter()
            .map(|r| [words.id(&format!("repair.{}", r.kind), &[]), format::count(r.count), line(r.line)])
            .collect();
        table(words, M::ImportRepairs, M::ImportRepairsSub, rows)
    });
    let kinds = |list: &[(String, u64)]| {
        list.iter().map(|(kind, n)| [kind.clone(), format::count(*n), String::new()]).collect::<Vec<_>>()
    };
    let unknown = (!report.unknown.is_empty())
        .then(|| table(words, M::ImportUnknown, M::ImportUnknownSub, kinds(&report.unknown)));
    let skipped = (!report.skipped.is_empty())
        .then(|| table(words, M::ImportSkipped, M::ImportSkippedSub, kinds(&report.skipped)));
    let bad = (!report.bad.is_empty()).then(|| {
        let rows = report
            .bad
            .iter()
            .map(|b| {
                let at = words.f(
                    M::ImportLineColumn,
                    &[("line", &format::count(u64::from(b.line))), ("column", &b.column.to_string())],
                );
                el("tr").child(el("td").child(at)).child(el("td.table-wide").child(el("code").child(b.head.clone())))
            })
            .collect::<View>();
        (el("h3.group-head").child(words.t(M::ImportBadLines)), el("table.table").child(el("tbody").child(rows)))
    });
    el("section.import-file")
        .child(
            el("h2")
                .child(report.file.clone())
                .child(" ")
                .child(el("span.quiet.small").child(format::bytes(report.bytes))),
        )
        .child(figure_list(words, figures, format!("meaning-{index}")))
        .child(fine)
        .child(notes)
        .child(repairs)
        .child(bad)
        .child(unknown)
        .child(skipped)
        .view()
}

/// Kinds with their counts and first lines.
fn table(words: Words, title: M, sub: M, rows: Vec<[String; 3]>) -> View {
    let first = rows.iter().any(|[.., at]| !at.is_empty());
    let rows = rows
        .into_iter()
        .map(|[kind, count, at]| {
            el("tr")
                .child(el("th.mono").attr("scope", "row").child(kind))
                .child(el("td.table-number").child(count))
                .child(first.then(|| el("td.table-wide").child(at)))
        })
        .collect::<View>();
    (
        el("h3.group-head").child(words.t(title)).child(el("span").child(words.t(sub))),
        el("table.table.table-fit")
            .child(
                el("thead").child(
                    el("tr")
                        .child(el("th").attr("scope", "col").child(words.t(M::ImportKind)))
                        .child(el("th.table-number").attr("scope", "col").child(words.t(M::ImportCount)))
                        .child(first.then(|| el("th").attr("scope", "col").child(words.t(M::ImportFirst)))),
                ),
            )
            .child(el("tbody").child(rows)),
    )
        .view()
}

/// The sentence of a note: readers name theirs without the word in front.
fn note_id(id: &str) -> String {
    if id.starts_with("note.") { id.to_owned() } else { format!("note.{id}") }
}
