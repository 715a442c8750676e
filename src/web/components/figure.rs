//! The figures of a header. Each is a button: it opens one line that says what the figure counts, with a link to the
//! evidence. Unknown is `–` with its reason beside it.

use leptos::prelude::*;

use super::{Icon, Words, icon};
use crate::message::M;

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
#[component]
pub fn Figures(words: Words, figures: Vec<Figure>, #[prop(into)] id: String) -> AnyView {
    let controls = id.clone();
    let open = RwSignal::new(None::<usize>);
    let meanings = figures.clone();
    let items = figures
        .into_iter()
        .enumerate()
        .map(|(i, figure)| {
            let toggle = move |_| open.update(|o| *o = if *o == Some(i) { None } else { Some(i) });
            view! {
                <div class=if figure.wide { "figure-item figure-wide" } else { "figure-item" }>
                    <dt>{figure.name}</dt>
                    <dd>
                        <button class=format!("figure-value {}", figure.tone) aria-controls=controls.clone() on:click=toggle
                            aria-expanded=move || if open.get() == Some(i) { "true" } else { "false" }>
                            {figure.value}
                        </button>
                        {(!figure.note.is_empty()).then(|| view! { " " <span class="figure-note">{figure.note}</span> })}
                    </dd>
                </div>
            }
        })
        .collect_view();
    let line = move || {
        open.get().and_then(|i| meanings.get(i).cloned()).map(|figure| {
            let link = figure.evidence.map(|(href, text)| view! { " " <a href=href>{text}</a> });
            view! {
                <p><b>{figure.name}</b>" "{figure.meaning}{link}</p>
                <button class="button button-ghost button-icon button-small" aria-label=words.t(M::Close)
                    on:click=move |_| open.set(None)>{icon(Icon::Close, "icon-s")}</button>
            }
        })
    };
    view! {
        <dl class="figure">{items}</dl>
        <div class="figure-meaning" id=id role="status">{line}</div>
    }
    .into_any()
}
