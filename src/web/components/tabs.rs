//! The views of a document: a row of links.

use leptos::prelude::*;

use crate::web::view::{IntoView, View, el};

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
pub fn tabs(label: &'static str, links: Vec<TabLink>) -> View {
    let links = links
        .into_iter()
        .map(|TabLink { text, count, href, current }| {
            el("a.tab-link")
                .attr("href", move || href.get())
                .attr("aria-current", move || current.get().then_some("page"))
                .child(text)
                .child((!count.is_empty()).then(|| el("span.tab-count").child(count)))
        })
        .collect::<View>();
    el("nav.tab").attr("aria-label", label).child(links).view()
}
