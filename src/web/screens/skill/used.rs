//! The open runs whose calls name the skill.

use leptos::prelude::*;

use super::{Answer, Here, body, waiting};
use crate::format;
use crate::message::M;
use crate::report::skill::{SkillView, UsedIn};
use crate::route::{Place, Route};
use crate::web::view::{El, IntoView, View, el};

pub fn used(here: Here, skill: Answer<SkillView>) -> View {
    let words = here.words;
    let draw = move || match skill.get() {
        Some(Ok(skill)) if skill.used_in.is_empty() => {
            (el("p.strong").child(words.t(M::UsedNone)), el("p.quiet").child(words.t(M::UsedNoneFix))).view()
        }
        Some(Ok(skill)) => table(here, &skill.used_in),
        other => waiting(words, &other),
    };
    body(words.t(M::TabUsedIn)).child(draw).view()
}

fn table(here: Here, used: &[UsedIn]) -> View {
    let words = here.words;
    let head = [(M::Run, ""), (M::ColumnFile, ""), (M::ColumnCalls, "table-number"), (M::ColumnErrors, "table-number")]
        .map(|(name, class)| el("th").class(class).attr("scope", "col").child(words.t(name)));
    let rows = used.iter().map(|u| row(here, u)).collect::<View>();
    el("table.table.table-fit")
        .child(el("caption.unseen").child(words.t(M::TabUsedIn)))
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows))
        .view()
}

fn row(here: Here, used: &UsedIn) -> El {
    let words = here.words;
    // The rail may know the document by another name than the worker.
    let name = here.session.by_key(used.document).map_or_else(|| used.name.clone(), |d| d.name);
    let href = Route::Document(Place {
        document: name.clone(),
        run: Some(used.run),
        step: Some(used.first_step),
        ..Place::default()
    })
    .hash();
    let title = if used.title.is_empty() {
        words.f(M::RunNumber, &[("n", &(used.run + 1).to_string())])
    } else {
        used.title.clone()
    };
    let first = words.f(M::FirstCall, &[("n", &(used.first_step + 1).to_string())]);
    el("tr")
        .child(
            el("th")
                .attr("scope", "row")
                .child(el("a").attr("href", href).child(title))
                .child(" ")
                .child(el("span.quiet").child(first)),
        )
        .child(el("td").child(name))
        .child(el("td.table-number").child(format::count(used.calls.into())))
        .child(
            el("td.table-number")
                .class(if used.errors > 0 { "table-number bad" } else { "table-number" })
                .child(format::count(used.errors.into())),
        )
}
