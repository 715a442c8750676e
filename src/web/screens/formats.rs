//! What the page reads: every format with its files and the word that names it for "Open as…".

use crate::message::M;
use crate::report::formats::{FORMATS, format_line};
use crate::web::state::settings::{t, ti};
use crate::web::view::{IntoView, View, el};

/// The name of a format.
pub fn label(id: &str) -> &str {
    format_line(id).map_or(id, |f| f.label)
}

/// Which files a format means.
pub fn files(id: &'static str) -> impl Fn() -> String + Send + Sync + 'static {
    move || ti(&format!("format.{id}"), &[])
}

pub fn formats_screen() -> View {
    let rows = FORMATS
        .iter()
        .map(|f| {
            el("tr")
                .child(el("th.strong").attr("scope", "row").child(f.label))
                .child(el("td.table-wide").child(files(f.id)))
                .child(el("td.mono.quiet").child(f.id))
        })
        .collect::<View>();
    el("div.page")
        .child(
            el("header.page-head.head.head-last")
                .child(el("div.head-title").child(el("h1").attr("tabindex", "-1").child(t(M::FormatsTitle))))
                .child(el("p.verdict").child(t(M::FormatsLead))),
        )
        .child(
            el("div.page-body")
                .attr("tabindex", "0")
                .attr("role", "region")
                .attr("aria-label", t(M::FormatsTitle))
                .child(
                    el("table.table")
                        .child(el("caption.unseen").child(t(M::FormatsTitle)))
                        .child(
                            el("thead").child(
                                el("tr")
                                    .child(el("th").attr("scope", "col").child(t(M::FormatsName)))
                                    .child(el("th").attr("scope", "col").child(t(M::FormatsFiles)))
                                    .child(el("th").attr("scope", "col").child("id")),
                            ),
                        )
                        .child(el("tbody").child(rows)),
                ),
        )
        .view()
}
