//! The views of a document: a row of links.

use leptos::prelude::*;

/// One link of the row.
#[derive(Clone, Debug, PartialEq)]
pub struct TabLink {
    pub text: &'static str,
    /// What the view holds, as a number; empty: nothing is shown.
    pub count: String,
    /// Where it leads; reactive, since it keeps the rest of the place.
    pub href: Signal<String>,
    pub current: Signal<bool>,
}

/// Draws the row.
pub fn tabs(label: &'static str, links: Vec<TabLink>) -> AnyView {
    let links = links
        .into_iter()
        .map(|TabLink { text, count, href, current }| {
            view! {
                <a class="tab-link" href=href aria-current=move || current.get().then_some("page")>
                    {text}
                    {(!count.is_empty()).then(|| view! { <span class="tab-count">{count}</span> })}
                </a>
            }
        })
        .collect_view();
    view! { <nav class="tab" aria-label=label>{links}</nav> }.into_any()
}
