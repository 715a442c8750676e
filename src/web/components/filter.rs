//! The bar over the steps: words to look for, everything or what matters, the next error.

use leptos::{ev, html, prelude::*};

use super::{Icon, Words, icon};
use crate::message::M;

/// A field that filters; Escape empties it. `node` lets the screen put the keyboard into it.
#[component]
pub fn FilterField(
    node: NodeRef<html::Input>,
    placeholder: &'static str,
    label: &'static str,
    value: Signal<String>,
    on_input: Callback<String>,
    /// Escape in an empty field, or Enter: back to the rows.
    on_leave: Callback<()>,
) -> AnyView {
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
    view! {
        <label class="field">
            {icon(Icon::Search, "")}
            <input class="field-input" node_ref=node type="text" placeholder=placeholder aria-label=label autocomplete="off"
                spellcheck="false" prop:value=move || value.get() on:input=move |event| on_input.run(event_target_value(&event))
                on:keydown=keydown />
            <kbd class="kbd">"/"</kbd>
        </label>
    }
    .into_any()
}

/// Two choices side by side: everything, or folded.
#[component]
pub fn FoldChoice(words: Words, all: Signal<bool>, on_all: Callback<bool>) -> AnyView {
    let pressed = move |this: bool| move || if all.get() == this { "true" } else { "false" };
    view! {
        <div class="segment" role="group" aria-label=words.t(M::RowsShown)>
            <button class="segment-item" aria-pressed=pressed(true) on:click=move |_| on_all.run(true)>{words.t(M::RowsAll)}</button>
            <button class="segment-item" aria-pressed=pressed(false) on:click=move |_| on_all.run(false)>{words.t(M::RowsFolded)}</button>
        </div>
    }
    .into_any()
}
