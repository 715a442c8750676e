//! Every finding of a set, file by file, each with its place and what to do.

use leptos::{ev, html, prelude::*};

use super::{Answer, Here, body, message, remedy, waiting};
use crate::format;
use crate::fuzzy::folded;
use crate::message::M;
use crate::report::skill::{ConformanceView, FindingRow};
use crate::web::commands::{Action, Scope};
use crate::web::components::filter::{FilterField, filter_field};
use crate::web::components::icon;
use crate::web::components::source::tone;
use crate::web::view::{El, IntoView, View, el};

/// Findings drawn at once; the filter finds the others.
const MOST: usize = 200;

pub fn findings(here: Here, report: Answer<ConformanceView>) -> View {
    let words = here.words;
    let field = NodeRef::<html::Input>::new();
    here.commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
        }
    });
    let filter = Memo::new(move |_| here.place.with(|p| folded(p.filter.trim())));
    let draw = move || match report.get() {
        Some(Ok(report)) => filter.with(|filter| list(here, &report, filter)),
        other => waiting(words, &other),
    };
    (
        el("div.tool")
            .child(filter_field(FilterField {
                node: field,
                placeholder: words.t(M::FindingsFilter),
                label: words.t(M::FindingsFilterLabel),
                value: Signal::derive(move || here.place.with(|p| p.filter.clone())),
                on_input: Callback::new(move |text| here.replace(|p| p.filter = text)),
                on_leave: Callback::new(|()| ()),
            }))
            .child(el("button.button").on(ev::click, move |_| here.copy_report("sarif")).child(words.t(M::CopySarif))),
        body(words.t(M::TabFindings)).child(draw),
    )
        .view()
}

fn list(here: Here, report: &ConformanceView, filter: &str) -> View {
    let words = here.words;
    let fits = |f: &&FindingRow| {
        let text = folded(&format!("{} {} {} {}", f.file, f.rule, f.pointer, message(words, f)));
        filter.split_whitespace().all(|w| text.contains(w))
    };
    let mut found: Vec<&FindingRow> = report.properties.iter().flat_map(|p| &p.findings).filter(fits).collect();
    found.sort_by_key(|f| (f.member, f.line, f.column));
    let total = found.len();
    if total == 0 {
        let none = if filter.is_empty() { M::NoFindingsHere } else { M::NoFindingHits };
        return el("p.quiet").child(words.t(none)).view();
    }
    let mut out: Vec<View> = Vec::new();
    let shown = found.get(..MOST).unwrap_or(&found);
    for of_file in shown.chunk_by(|a, b| a.member == b.member) {
        let Some(first) = of_file.first() else { continue };
        let items = of_file.iter().map(|f| item(here, f)).collect::<View>();
        out.push(
            (
                el("h2.group-head")
                    .child(first.file.clone())
                    .child(el("span").child(format::count(of_file.len() as u64))),
                el("ul").child(items),
            )
                .view(),
        );
    }
    let left: usize = report.properties.iter().map(|p| p.more as usize).sum::<usize>() + total.saturating_sub(MOST);
    if left > 0 {
        out.push(
            el("p.quiet.group-head").child(words.f(M::MoreFindings, &[("n", &format::count(left as u64))])).view(),
        );
    }
    out.view()
}

fn item(here: Here, f: &FindingRow) -> El {
    let words = here.words;
    let (which, tone) = tone(&f.severity);
    let place = words.f(M::LineNo, &[("n", &f.line.to_string())]);
    el("li.finding")
        .child(icon(which, tone))
        .child(el("p").child(message(words, f)))
        .child(
            el("a.link.mono")
                .attr("href", here.member_href(f.member, f.line))
                .attr("title", f.file.clone())
                .child(place),
        )
        .child(el("p.finding-fix").child(remedy(words, f)))
        .child(
            el("p.finding-fix.mono.source-rule")
                .child(el("span").child(if f.pointer.is_empty() { "/".to_owned() } else { f.pointer.clone() }))
                .child(el("span").child(f.rule.clone()))
                .child(f.strict_only.then(|| el("span").child(words.t(M::StrictOnly)))),
        )
}
