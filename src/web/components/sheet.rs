//! A table that the engine prepared: [`Sheet`]. It knows links to steps, tools and runs, texts to copy, and bars.

use leptos::{ev, prelude::*};

use super::sentence::{range, sentence};
use super::{Icon, StepHref, Words, icon};
use crate::format;
use crate::message::M;
use crate::report::{Cell, Sheet};
use crate::web::view::{El, IntoView, View, el};

/// Where the cells of a table lead. A screen makes them from its route.
#[derive(Clone, Copy)]
pub struct Ways {
    pub step: StepHref,
    /// The calls of a tool.
    pub tool: Callback<String, String>,
    /// A run of the document, from 0.
    pub run: Callback<u32, String>,
    pub copy: Callback<String>,
}

/// Draws a table. Its name is its caption, for those who hear it.
pub fn sheet(words: Words, ways: Ways, sheet: &Sheet) -> El {
    let name = |id: &str| words.id(id, &[]);
    let head = sheet.columns.iter().map(|(id, number)| {
        el("th").attr("scope", "col").attr("class", number.then_some("table-number")).child(name(id))
    });
    let rows = sheet.rows.iter().map(|row| {
        let cells = row.iter().zip(&sheet.columns).enumerate().map(|(at, (cell, (id, number)))| {
            let place = if at == 0 { el("th").attr("scope", "row") } else { el("td") };
            let long = matches!(cell, Cell::Say((id, _)) if id.ends_with(".means"));
            let class = match (long, number) {
                (true, _) => Some("table-wide quiet"),
                (_, true) => Some("table-number"),
                _ => None,
            };
            place.attr("class", class).attr("data-label", number.then(|| name(id))).child(content(words, ways, cell))
        });
        el("tr").child(cells.collect::<View>())
    });
    el("table.table.table-stack.sheet")
        .child(el("caption.unseen").child(name(&sheet.name)))
        .child(el("thead").child(el("tr").child(head.collect::<View>())))
        .child(el("tbody").child(rows.collect::<View>()))
}

/// What is in a cell.
pub fn content(words: Words, ways: Ways, cell: &Cell) -> View {
    match cell {
        Cell::Text(text) => text.clone().view(),
        Cell::Code(text) => el("code").child(text.clone()).view(),
        Cell::Say((id, args)) => sentence(words, id, args, ways.step),
        Cell::Steps(pairs) => {
            let link =
                |(first, last): &(u32, u32)| el("a").attr("href", ways.step.run(*first)).child(range(*first, *last));
            el("span.sheet-steps").child(pairs.iter().map(link).collect::<View>()).view()
        }
        Cell::Tool(tool) => {
            el("a").attr("href", ways.tool.run(tool.clone())).child(el("code").child(tool.clone())).view()
        }
        Cell::Run(run) => {
            let n = format::count(u64::from(*run) + 1);
            let text = words.id("shape.run-number", &[("n".to_owned(), n)]);
            el("a").attr("href", ways.run.run(*run)).child(text).view()
        }
        Cell::Copy(text) => {
            let (what, text) = (words.id("sheet.copy-of", &[("what".to_owned(), text.clone())]), text.clone());
            el("button.button.button-small")
                .attr("aria-label", what)
                .on(ev::click, move |_| ways.copy.run(text.clone()))
                .child(words.id("shape.copy", &[]))
                .view()
        }
        Cell::Share(share) => el("span.sheet-share").attr("style", format!("--share:{:.1}%", share * 100.0)).view(),
    }
}

/// The way through a long table, a page of `size` rows at a time; nothing where all of it is here.
pub fn pager(words: Words, from: Signal<u32>, total: Signal<u32>, size: u32, on: Callback<u32>) -> View {
    let button = move |text: M, off: Signal<bool>, to: fn(u32, u32) -> u32| {
        el("button.button.button-small")
            .attr("disabled", move || off.get())
            .on(ev::click, move |_| on.run(to(from.get_untracked(), size)))
            .child(words.t(text))
    };
    let several = Memo::new(move |_| total.get() > size);
    let draw = move || {
        several.get().then(|| {
            let place = move || {
                let page = |n: u32| format::count(u64::from(n / size) + 1);
                let last = total.get().saturating_sub(1);
                words.f(M::PageOf, &[("n", &page(from.get())), ("of", &page(last))])
            };
            el("div.row.sheet-pager")
                .child(button(M::PreviousPage, Signal::derive(move || from.get() == 0), |from, size| {
                    from.saturating_sub(size)
                }))
                .child(el("span.small.quiet").attr("role", "status").child(place))
                .child(button(
                    M::NextPage,
                    Signal::derive(move || from.get().saturating_add(size) >= total.get()),
                    |from, size| from.saturating_add(size),
                ))
        })
    };
    draw.view()
}

/// Says that a table has more rows than are listed; nothing when it has not.
pub fn cut(words: Words, sheet: &Sheet) -> Option<El> {
    let listed = sheet.rows.len() as u64;
    let args = [("n".to_owned(), format::count(listed)), ("of".to_owned(), format::count(u64::from(sheet.total)))];
    (listed < u64::from(sheet.total))
        .then(|| el("p.row.small.quiet").child(icon(Icon::Info, "icon-s")).child(words.id("sheet.cut", &args)))
}
