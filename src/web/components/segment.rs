//! A row of choices of which one holds: buttons that say whether they are pressed.

use leptos::{ev, prelude::*};

use crate::web::view::{El, View, el, yes};

/// Draws the choices, each with its id and its word. `name` is for those who hear it.
pub fn segment(
    name: String,
    choices: Vec<(&'static str, String)>,
    current: Signal<String>,
    on: Callback<&'static str>,
) -> El {
    let items = choices.into_iter().map(|(id, text)| {
        el("button.segment-item")
            .attr("aria-pressed", move || yes(current.with(|c| c == id)))
            .on(ev::click, move |_| on.run(id))
            .child(text)
    });
    el("div.segment").attr("role", "group").attr("aria-label", name).child(items.collect::<View>())
}

/// A row of choices with its name before it.
pub fn named_segment(
    name: &'static str,
    choices: Vec<(&'static str, String)>,
    current: Signal<String>,
    on: Callback<&'static str>,
) -> El {
    el("div.row").child(el("span.quiet").attr("aria-hidden", "true").child(name)).child(segment(
        name.to_owned(),
        choices,
        current,
        on,
    ))
}
