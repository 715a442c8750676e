//! The import report: what was understood, what was not, what was repaired, of each file behind the run.

use std::sync::Arc;

use leptos::prelude::*;

use super::Here;
use crate::{
    format,
    message::M,
    model::ImportReport,
    report::{DocumentSummary, RunSummary},
    web::components::{
        Words,
        figure::{Figure, Figures},
    },
};

/// Draws the reports of a document, and what its file says about the run.
pub fn import(here: Here, document: Arc<DocumentSummary>, run: Arc<RunSummary>) -> AnyView {
    let words = here.words;
    let label = document.format_label.clone().unwrap_or_else(|| format::UNKNOWN.to_owned());
    let reports = document.reports.iter().enumerate().map(|(i, r)| report(words, r, &label, i)).collect_view();
    let facts: Vec<_> = run.facts.iter().chain(&run.labels).collect();
    let facts = (!facts.is_empty()).then(|| {
        let rows = facts
            .into_iter()
            .map(|(name, value)| view! { <tr><th scope="row">{name.clone()}</th><td class="table-wide">{value.clone()}</td></tr> })
            .collect_view();
        view! { <h2 class="group-head">{words.t(M::RunFigures)}</h2> <table class="table"><tbody>{rows}</tbody></table> }
    });
    view! { <div class="page-body" tabindex="0" role="region" aria-label=words.t(M::ImportTitle)>{reports}{facts}</div> }.into_any()
}

fn report(words: Words, report: &ImportReport, label: &str, index: usize) -> AnyView {
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
            .then(|| view! { <p class="quiet">{words.t(M::ImportFine)}</p> });
    let notes = (!report.notes.is_empty()).then(|| {
        let list = report
            .notes
            .iter()
            .map(|n| view! { <li>{words.id(&format!("note.{}", n.id), &n.args)}</li> })
            .collect_view();
        view! { <h3 class="group-head">{words.t(M::ImportNotes)}</h3> <ul>{list}</ul> }
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
                let at = words.f(M::ImportLineColumn, &[("line", &format::count(u64::from(b.line))), ("column", &b.column.to_string())]);
                view! { <tr><td>{at}</td><td class="table-wide"><code>{b.head.clone()}</code></td></tr> }
            })
            .collect_view();
        view! { <h3 class="group-head">{words.t(M::ImportBadLines)}</h3> <table class="table"><tbody>{rows}</tbody></table> }
    });
    view! {
        <section class="import-file">
            <h2>{report.file.clone()}" "<span class="quiet small">{format::bytes(report.bytes)}</span></h2>
            <Figures words figures id=format!("meaning-{index}")/>
            {fine}{notes}{repairs}{bad}{unknown}{skipped}
        </section>
    }
    .into_any()
}

/// Kinds with their counts and first lines.
fn table(words: Words, title: M, sub: M, rows: Vec<[String; 3]>) -> AnyView {
    let first = rows.iter().any(|[.., at]| !at.is_empty());
    let rows = rows
        .into_iter()
        .map(|[kind, count, at]| {
            view! {
                <tr>
                    <th scope="row" class="mono">{kind}</th>
                    <td class="table-number">{count}</td>
                    {first.then(|| view! { <td class="table-wide">{at}</td> })}
                </tr>
            }
        })
        .collect_view();
    view! {
        <h3 class="group-head">{words.t(title)}<span>{words.t(sub)}</span></h3>
        <table class="table table-fit">
            <thead>
                <tr>
                    <th scope="col">{words.t(M::ImportKind)}</th>
                    <th scope="col" class="table-number">{words.t(M::ImportCount)}</th>
                    {first.then(|| view! { <th scope="col">{words.t(M::ImportFirst)}</th> })}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}
