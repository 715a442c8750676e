//! One run.

use leptos::prelude::*;

use crate::web::state::session::Document;

/// The run at `run` of a document that is there. The tab, the step and the filter are in the route.
#[component]
pub fn RunScreen(document: Document, run: u32) -> impl IntoView {
    let title = document.summary().and_then(|s| s.runs.get(run as usize).map(|r| r.title.clone()));
    view! { <div class="page"><header class="page-head"><h1 tabindex="-1">{title}</h1></header></div> }
}
