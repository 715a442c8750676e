//! A plot along the run that the engine prepared: [`Plot`]. It is a slider over its bars, so that the keyboard and those
//! who hear the page get at every value, and a table of the same values.
//!
//! One path for each look, whatever the number of bars; the pointer finds its bar by looking through them.

use std::sync::Arc;

use leptos::{ev, html, prelude::*};

use super::Words;
use super::sentence::range;
use super::sheet::{Ways, pager, sheet};
use crate::message::M;
use crate::report::{Cell, Plot, PlotBar, Sheet};
use crate::web::view::{El, IntoView, View, el, svg};

/// Rows of the table that are drawn at a time.
const PAGE: u32 = 50;

/// A plot with what is around it.
pub struct PlotView {
    pub words: Words,
    pub ways: Ways,
    pub plot: Arc<Plot>,
    /// Show the table.
    pub table: Signal<bool>,
    /// A step was chosen.
    pub go: Callback<u32>,
}

/// A value in words: a sentence, where its id stands for one.
fn value(words: Words, cell: &str) -> String {
    cell.strip_prefix('\u{2}').map_or_else(|| cell.to_owned(), |id| words.id(id, &[]))
}

/// Everything that a bar says.
fn told(words: Words, plot: &Plot, bar: &PlotBar) -> String {
    let steps = words.f(M::StepNo, &[("n", &range(bar.first, bar.last))]);
    let values = plot.columns.iter().zip(&bar.cells).filter(|(_, cell)| !cell.is_empty());
    let values = values.map(|(id, cell)| format!("{} {}", words.id(id, &[]), value(words, cell)));
    let all: Vec<String> = [steps].into_iter().chain(values).collect();
    all.join(words.t(M::Comma))
}

/// The bar at a place: of those in its row the nearest.
fn nearest(plot: &Plot, x: f64, row: u32) -> Option<usize> {
    let far = |bar: &PlotBar| (bar.x - x).max(x - bar.x - bar.width).max(0.0);
    let all = plot.bars.iter().enumerate();
    let best = |any: bool| {
        let of = all.clone().filter(|(_, bar)| any || bar.row == row);
        of.min_by(|a, b| far(a.1).total_cmp(&far(b.1))).map(|(i, bar)| (i, far(bar)))
    };
    match best(false) {
        Some((i, off)) if off < 0.02 => Some(i),
        _ => best(true).map(|(i, _)| i),
    }
}

/// Draws the plot or its table, under its name.
pub fn plot(view: PlotView) -> El {
    let PlotView { words, ways, plot, table, go } = view;
    let name = words.id(&format!("usage.{}", plot.id), &[]);
    let means = words.id(&format!("usage.{}.means", plot.id), &[]);
    let head = el("h2.group-head").child(name).child(el("span").child(means));
    let body = move || if table.get() { rows(words, ways, &plot) } else { picture(words, &plot, go) };
    el("section.plot-part").child(head).child(body)
}

fn picture(words: Words, plot: &Arc<Plot>, go: Callback<u32>) -> View {
    let name = words.id(&format!("usage.{}", plot.id), &[]);
    let node = NodeRef::<html::Div>::new();
    let at = RwSignal::new(None::<usize>);
    let (count, rows) = (plot.bars.len(), plot.rows);
    let to_pointer = {
        let plot = plot.clone();
        move |event: &ev::PointerEvent| {
            let Some(node) = node.get_untracked() else { return };
            let rect = node.get_bounding_client_rect();
            let x = (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0);
            let y = (f64::from(event.client_y()) - rect.top()) / rect.height().max(1.0);
            let row = (y.clamp(0.0, 0.999) * f64::from(rows)) as u32;
            let found = nearest(&plot, x, row);
            if at.get_untracked() != found {
                at.set(found);
            }
        }
    };
    let open = {
        let plot = plot.clone();
        move || {
            if let Some(bar) = at.get_untracked().and_then(|i| plot.bars.get(i)) {
                go.run(bar.first);
            }
        }
    };
    let by_key = {
        let open = open.clone();
        move |event: ev::KeyboardEvent| {
            let last = count.saturating_sub(1);
            let now = at.get_untracked();
            let next = match (event.key().as_str(), now) {
                ("Enter", _) => {
                    event.prevent_default();
                    event.stop_propagation();
                    return open();
                }
                ("Home", _) => 0,
                ("End", _) => last,
                ("ArrowRight" | "ArrowUp" | "PageUp" | "ArrowLeft" | "ArrowDown" | "PageDown", None) => 0,
                ("ArrowRight" | "ArrowUp", Some(i)) => (i + 1).min(last),
                ("ArrowLeft" | "ArrowDown", Some(i)) => i.saturating_sub(1),
                ("PageUp", Some(i)) => (i + 20).min(last),
                ("PageDown", Some(i)) => i.saturating_sub(20),
                _ => return,
            };
            event.prevent_default();
            at.set(Some(next));
        }
    };
    let by_pointer = to_pointer.clone();
    let pressed = move |event: ev::PointerEvent| {
        to_pointer(&event);
        open();
    };
    let (shown, said) = (plot.clone(), plot.clone());
    let readout = move || {
        let bar = at.get().and_then(|i| shown.bars.get(i));
        match bar {
            Some(bar) => told(words, &shown, bar),
            None if shown.top.is_empty() => String::new(),
            None => words.id("usage.up-to", &[("top".to_owned(), shown.top.clone())]),
        }
    };
    let text = move || {
        let bar = said.bars.get(at.get().unwrap_or(0));
        bar.map(|bar| told(words, &said, bar))
    };
    let marked = plot.clone();
    let cursor = move || {
        let bar = at.get().and_then(|i| marked.bars.get(i));
        bar.map(|bar| format!("--x:{:.3}%;--w:{:.3}%", bar.x * 100.0, bar.width * 100.0))
    };
    let agents = plot.agents.iter().map(|a| el("span").child(a.clone()));
    let agents = (!plot.agents.is_empty())
        .then(|| el("div.plot-agents").attr("aria-hidden", "true").child(agents.collect::<View>()));
    let slider = el("div.plot")
        .node(node)
        .attr("role", "slider")
        .attr("tabindex", "0")
        .attr("aria-label", name)
        .attr("aria-description", words.id("usage.plot-hint", &[]))
        .attr("aria-valuemin", "1")
        .attr("aria-valuemax", count.max(1).to_string())
        .attr("aria-valuenow", move || (at.get().unwrap_or(0) + 1).to_string())
        .attr("aria-valuetext", text)
        .style("--rows", move || rows.to_string())
        .on(ev::keydown, by_key)
        .on(ev::pointermove, move |event| by_pointer(&event))
        .on(ev::pointerleave, move |_| at.set(None))
        .on(ev::pointerup, pressed)
        .child(drawing(plot))
        .child(el("i.plot-now").attr("hidden", move || at.get().is_none()).attr("style", cursor))
        .child(agents);
    let ticks = plot.ticks.iter().map(|(x, text)| word(*x, text.clone()));
    (
        el("div.plot-head")
            .child(legend(words, plot))
            .child(el("output.plot-told").attr("aria-hidden", "true").child(readout)),
        slider,
        el("div.plot-ticks").attr("aria-hidden", "true").child(ticks.collect::<View>()),
        gaps(words, plot),
    )
        .view()
}

/// A word under the axis; near the right edge it ends there.
fn word(x: f64, text: String) -> El {
    el("span")
        .class(if x > 0.94 { "plot-last" } else { "" })
        .attr("style", format!("--x:{:.2}%", x * 100.0))
        .child(text)
}

/// How long the stretches were that are cut, under them, where there is room for it.
fn gaps(words: Words, plot: &Plot) -> Option<El> {
    let mut free = 0.0;
    let mut texts = Vec::new();
    for bar in plot.bars.iter().filter(|b| b.cells.first().is_some_and(|c| c.starts_with("\u{2}usage.idle"))) {
        let (Some(time), true) = (bar.cells.get(2), bar.x >= free) else { continue };
        free = bar.x + 0.14;
        texts.push(word(bar.x, words.id("usage.idle-for", &[("time".to_owned(), time.clone())])));
    }
    (!texts.is_empty())
        .then(|| el("div.plot-ticks").attr("aria-hidden", "true").child(texts.into_iter().collect::<View>()))
}

fn legend(words: Words, plot: &Plot) -> El {
    let keys = plot.parts.iter().map(|part| {
        el("span.strip-key")
            .child(el("i").class(format!("plot-{}", part.look)))
            .child(words.id(&format!("usage.part-{}", part.look), &[]))
    });
    el("div.strip-legend").child(keys.collect::<View>())
}

fn drawing(plot: &Plot) -> El {
    let paths =
        plot.parts.iter().map(|part| svg("path").class(format!("plot-{}", part.look)).attr("d", part.path.clone()));
    svg("svg")
        .attr("viewBox", "0 0 1000 100")
        .attr("preserveAspectRatio", "none")
        .attr("aria-hidden", "true")
        .child(paths.collect::<View>())
}

/// The same as a table, a page at a time.
fn rows(words: Words, ways: Ways, plot: &Arc<Plot>) -> View {
    let from = RwSignal::new(0_u32);
    let total = plot.bars.len() as u32;
    let of = plot.clone();
    let draw = move || {
        let (from, columns) = (from.get() as usize, of.columns.iter().map(|id| (id.clone(), id != "usage.what")));
        let cells = |bar: &PlotBar| {
            let values = bar.cells.iter().map(|cell| Cell::Text(value(words, cell)));
            [Cell::steps(bar.first, bar.last)].into_iter().chain(values).collect()
        };
        let page = Sheet {
            name: format!("usage.{}", of.id),
            columns: [("usage.steps".to_owned(), false)].into_iter().chain(columns).collect(),
            rows: of.bars.iter().skip(from).take(PAGE as usize).map(cells).collect(),
            from: from as u32,
            total,
        };
        sheet(words, ways, &page)
    };
    let turn = Callback::new(move |to| from.set(to));
    (el("div.sheet-room").child(draw), pager(words, from.into(), Signal::stored(total), PAGE, turn)).view()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_finds_the_nearest_of_its_row() {
        let bar = |x: f64, width: f64, row: u32| PlotBar { x, width, row, ..PlotBar::default() };
        let plot =
            Plot { rows: 2, bars: vec![bar(0.0, 0.1, 0), bar(0.1, 0.5, 1), bar(0.6, 0.4, 0)], ..Plot::default() };
        assert_eq!(nearest(&plot, 0.05, 0), Some(0));
        assert_eq!(nearest(&plot, 0.3, 1), Some(1));
        assert_eq!(nearest(&plot, 0.3, 0), Some(1), "nothing near in its row");
        assert_eq!(nearest(&plot, 0.9, 1), Some(2));
        assert_eq!(nearest(&Plot::default(), 0.5, 0), None);
    }
}
