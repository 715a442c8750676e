//! The eleven properties of chapter 12: what each came to, where, and how much of it was run. A skip is never a pass.

use std::collections::BTreeSet;

use leptos::{ev, prelude::*};

use super::{Answer, Here, body, message, result, short, waiting};
use crate::format;
use crate::message::M;
use crate::report::skill::{ConformanceView, FindingRow, PropertyRow};
use crate::web::components::source::tone;
use crate::web::components::{Icon, icon};
use crate::web::view::{El, IntoView, View, el, yes};

pub fn conformance(here: Here, report: Answer<ConformanceView>) -> View {
    let words = here.words;
    let open: RwSignal<BTreeSet<u8>> = RwSignal::new(BTreeSet::new());
    let draw = move || match report.get() {
        Some(Ok(report)) => table(here, &report, open),
        other => el("div.skill-part").child(waiting(words, &other)).view(),
    };
    body(words.t(M::TabConformance)).class("page-body skill-flush").child(draw).view()
}

fn table(here: Here, report: &ConformanceView, open: RwSignal<BTreeSet<u8>>) -> View {
    let words = here.words;
    let head = [
        (M::ColumnNumber, "table-number"),
        (M::ColumnProperty, ""),
        (M::ColumnResult, ""),
        (M::ColumnPlace, ""),
        (M::ColumnChecked, ""),
        (M::ColumnExpected, "table-number"),
        (M::ColumnRun, "table-number"),
        (M::ColumnShare, ""),
    ]
    .map(|(name, class)| el("th").class(class).attr("scope", "col").child(words.t(name)));
    let rows = report.properties.iter().map(|p| property(here, p, open)).collect::<View>();
    (
        el("table.table.table-page.table-stack.skill-table")
            .child(el("caption.unseen").child(words.t(M::TabConformance)))
            .child(el("thead").child(el("tr").child(head)))
            .child(el("tbody").child(rows)),
        el("p.skill-part.quiet.row").child(icon(Icon::Info, "")).child(
            el("span")
                .child(words.t(M::SkipIsNoPass))
                .child(" ")
                .child(words.f(M::CheckedAgainst, &[("version", &report.supports)])),
        ),
    )
        .view()
}

fn property(here: Here, p: &PropertyRow, open: RwSignal<BTreeSet<u8>>) -> View {
    let words = here.words;
    let n = p.property;
    let name = words.id(&format!("property.{n}"), &[]);
    let has_more = !p.findings.is_empty() || !p.unmade.is_empty();
    let toggle = move |_| {
        open.update(|o| {
            if !o.remove(&n) {
                o.insert(n);
            }
        });
    };
    let place = if p.documents > 0 {
        words.f(M::DocumentsCount, &[("n", &p.documents.to_string())])
    } else {
        format::UNKNOWN.to_owned()
    };
    let title = if has_more {
        el("button.skill-open")
            .attr("aria-expanded", move || yes(open.with(|o| o.contains(&n))))
            .on(ev::click, toggle)
            .child(icon(Icon::Right, "icon-s"))
            .child(name)
            .view()
    } else {
        el("span.skill-open").child(name).view()
    };
    let share = f64::from(p.run) / f64::from(p.expected.max(1)) * 100.0;
    let row = el("tr")
        .child(el("td.table-number.quiet").child(n.to_string()))
        .child(el("th").attr("scope", "row").child(title))
        .child(el("td").child(result(words, &p.status)))
        .child(el("td").class(if p.documents > 0 { "" } else { "quiet" }).child(place))
        .child(el("td.table-wide.quiet").child(words.id(&format!("property.{n}.checked"), &[])))
        .child(number(words.t(M::ColumnExpected), p.expected, false))
        .child(number(words.t(M::ColumnRun), p.run, p.run < p.expected))
        .child(
            el("td.skill-share-cell")
                .child(el("div.skill-share").attr("aria-hidden", "true").attr("style", format!("--share:{share:.0}%"))),
        );
    let details = StoredValue::new((p.findings.clone(), p.unmade.clone(), p.more));
    let more = move || {
        open.with(|o| o.contains(&n)).then(|| {
            details.with_value(|(findings, unmade, more)| {
                let found = findings.iter().map(|f| finding(here, f)).collect::<View>();
                let unmade = unmade.iter().map(|(why, count)| {
                    let why = words.id(why, &[]);
                    let text = if *count == 0 {
                        why
                    } else {
                        words.f(M::NotMade, &[("n", &count.to_string()), ("why", &why)])
                    };
                    note(text)
                });
                let more = (*more > 0).then(|| note(words.f(M::MoreFindings, &[("n", &more.to_string())])));
                (found, unmade.collect::<View>(), more)
            })
        })
    };
    (row, more).view()
}

fn number(label: &'static str, n: u32, strong: bool) -> El {
    el("td")
        .class(if strong { "table-number strong" } else { "table-number" })
        .attr("data-label", label)
        .child(format::count(n.into()))
}

fn note(text: String) -> El {
    el("tr.skill-detail").child(el("td")).child(el("td.table-wide.quiet").attr("colspan", "7").child(text))
}

fn finding(here: Here, f: &FindingRow) -> El {
    let (which, tone) = tone(&f.severity);
    let pointer = if f.pointer.is_empty() { "/" } else { f.pointer.as_str() };
    el("tr.skill-detail")
        .child(el("td"))
        .child(el("td").attr("colspan", "2").child(
            el("a").attr("href", here.member_href(f.member, f.line)).attr("title", f.file.clone()).child(format!(
                "{}:{}",
                short(&f.file),
                f.line
            )),
        ))
        .child(el("td").child(el("code").child(pointer.to_owned())))
        .child(
            el("td.table-wide")
                .attr("colspan", "4")
                .child(el("span.verdict").child(icon(which, tone)).child(el("span").child(message(here.words, f)))),
        )
}
