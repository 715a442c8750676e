//! The bar over the steps: words to look for, everything or what matters, the next error.

use leptos::{ev, html, prelude::*};

use super::{Icon, Words, icon};
use crate::message::M;
use crate::web::view::{El, el, yes};

/// A field that filters; Escape empties it. `node` lets the screen put the keyboard into it.
pub struct FilterField {
    pub node: NodeRef<html::Input>,
    pub placeholder: &'static str,
    pub label: &'static str,
    pub value: Signal<String>,
    pub on_input: Callback<String>,
    /// Escape in an empty field, or Enter: back to the rows.
    pub on_leave: Callback<()>,
}

/// Draws the field.
pub fn filter_field(field: FilterField) -> El {
    let FilterField { node, placeholder, label, value, on_input, on_leave } = field;
    let keydown = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            event.stop_propagation();
            if value.get_untracked().is_empty() { on_leave.run(()) } else { on_input.run(String::new()) }
        }
        "Enter" | "ArrowDown" if !event.is_composing() => {
            event.prevent_default();
            on_leave.run(());
        }
        _ => {}
    };
    el("label.field")
        .child(icon(Icon::Search, ""))
        .child(
            el("input.field-input")
                .node(node)
                .attr("type", "text")
                .attr("placeholder", placeholder)
                .attr("aria-label", label)
                .attr("autocomplete", "off")
                .attr("spellcheck", "false")
                .prop("value", move || value.get())
                .on(ev::input, move |event| on_input.run(event_target_value(&event)))
                .on(ev::keydown, keydown),
        )
        .child(el("kbd.kbd").child("/"))
}

/// Two choices side by side: everything, or folded.
pub fn fold_choice(words: Words, all: Signal<bool>, on_all: Callback<bool>) -> El {
    let pressed = move |this: bool| move || yes(all.get() == this);
    el("div.segment")
        .attr("role", "group")
        .attr("aria-label", words.t(M::RowsShown))
        .child(
            el("button.segment-item")
                .attr("aria-pressed", pressed(true))
                .on(ev::click, move |_| on_all.run(true))
                .child(words.t(M::RowsAll)),
        )
        .child(
            el("button.segment-item")
                .attr("aria-pressed", pressed(false))
                .on(ev::click, move |_| on_all.run(false))
                .child(words.t(M::RowsFolded)),
        )
}
