//! Every sentence of chapter 12, and the checks that hold it.

use leptos::prelude::*;

use super::{Here, body, waiting};
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::skill::TraceRow;
use crate::web::view::{El, IntoView, View, el};

pub fn trace(here: Here) -> View {
    let words = here.words;
    let rows = here.asked(
        || Job::Traceability,
        |outcome| match outcome {
            Outcome::Traceability { rows } => Ok(rows),
            other => Err(other),
        },
    );
    let draw = move || match rows.get() {
        Some(Ok(rows)) => table(here, &rows),
        other => waiting(words, &other),
    };
    body(words.t(M::TabTraceability)).child(el("p.quiet").child(words.t(M::TraceLead))).child(draw).view()
}

fn table(here: Here, rows: &[TraceRow]) -> View {
    let words = here.words;
    let head = [M::ColumnSection, M::ColumnSentence, M::ColumnChecks]
        .map(|name| el("th").attr("scope", "col").child(words.t(name)));
    el("table.table.table-stack")
        .child(el("caption.unseen").child(words.t(M::TabTraceability)))
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows.iter().map(|r| row(here, r)).collect::<View>()))
        .view()
}

fn row(here: Here, row: &TraceRow) -> El {
    let checks = row.checks.iter().map(|c| el("div").child(el("code").child(c.clone()))).collect::<View>();
    let none =
        (row.checks.is_empty() && row.note.is_empty()).then(|| el("span.quiet").child(here.words.t(M::TraceUnchecked)));
    el("tr")
        .child(el("th.mono").attr("scope", "row").child(row.section.clone()))
        .child(el("td.table-wide").attr("lang", "zh-Hant").child(row.sentence.clone()))
        .child(
            el("td.skill-checks")
                .child(checks)
                .child((!row.note.is_empty()).then(|| el("p.quiet").child(row.note.clone())))
                .child(none),
        )
}
