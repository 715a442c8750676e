//! What the page reads: every format with its files and the word that names it for "Open as…".

use leptos::prelude::*;

use crate::message::M;
use crate::report::formats::{FORMATS, format_line};
use crate::web::state::settings::{t, ti};

/// The name of a format.
pub fn label(id: &str) -> &str {
    format_line(id).map_or(id, |f| f.label)
}

/// Which files a format means.
pub fn files(id: &'static str) -> impl Fn() -> String + Send + Sync + 'static {
    move || ti(&format!("format.{id}"), &[])
}

#[component]
pub fn FormatsScreen() -> AnyView {
    let rows = FORMATS
        .iter()
        .map(|f| view! { <tr><th scope="row" class="strong">{f.label}</th><td class="table-wide">{files(f.id)}</td><td class="mono quiet">{f.id}</td></tr> })
        .collect_view();
    view! {
        <div class="page">
            <header class="page-head head head-last"><div class="head-title"><h1 tabindex="-1">{t(M::FormatsTitle)}</h1></div><p class="verdict">{t(M::FormatsLead)}</p></header>
            <div class="page-body" tabindex="0" role="region" aria-label=t(M::FormatsTitle)>
                <table class="table">
                    <caption class="unseen">{t(M::FormatsTitle)}</caption>
                    <thead><tr><th scope="col">{t(M::FormatsName)}</th><th scope="col">{t(M::FormatsFiles)}</th><th scope="col">"id"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </div>
    }
    .into_any()
}
