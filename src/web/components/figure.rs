//! The figures of a header. Each is a button: it opens one line that says what the figure counts, with a link to the
//! evidence. Unknown is `–` with its reason beside it.

use leptos::{ev, prelude::*};

use super::{Icon, Words, icon};
use crate::message::M;
use crate::web::view::{IntoView, View, el};

/// One figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    pub name: &'static str,
    pub value: String,
    /// Beside the value: its share, or why it is unknown.
    pub note: String,
    /// `bad`, `good` or empty.
    pub tone: &'static str,
    /// Only where there is room.
    pub wide: bool,
    /// What it counts.
    pub meaning: String,
    /// Where the evidence is, with the words of the link.
    pub evidence: Option<(String, &'static str)>,
}

/// Draws the figures and the line under them.
pub fn figure_list(words: Words, figures: Vec<Figure>, id: String) -> View {
    let controls = id.clone();
    let open = RwSignal::new(None::<usize>);
    let meanings = figures.clone();
    let items = figures
        .into_iter()
        .enumerate()
        .map(|(i, figure)| {
            let toggle = move |_| open.update(|o| *o = if *o == Some(i) { None } else { Some(i) });
            el("div")
                .class(if figure.wide { "figure-item figure-wide" } else { "figure-item" })
                .child(el("dt").child(figure.name))
                .child(
                    el("dd")
                        .child(
                            el("button")
                                .class(format!("figure-value {}", figure.tone))
                                .attr("aria-controls", controls.clone())
                                .on(ev::click, toggle)
                                .attr("aria-expanded", move || if open.get() == Some(i) { "true" } else { "false" })
                                .child(figure.value),
                        )
                        .child((!figure.note.is_empty()).then(|| (" ", el("span.figure-note").child(figure.note)))),
                )
        })
        .collect::<View>();
    let line = move || {
        open.get().and_then(|i| meanings.get(i).cloned()).map(|figure| {
            let link = figure.evidence.map(|(href, text)| (" ", el("a").attr("href", href).child(text)));
            (
                el("p").child(el("b").child(figure.name)).child(" ").child(figure.meaning).child(link),
                el("button.button.button-ghost.button-icon.button-small")
                    .attr("aria-label", words.t(M::Close))
                    .on(ev::click, move |_| open.set(None))
                    .child(icon(Icon::Close, "icon-s")),
            )
        })
    };
    (el("dl.figure").child(items), el("div.figure-meaning").attr("id", id).attr("role", "status").child(line)).view()
}
