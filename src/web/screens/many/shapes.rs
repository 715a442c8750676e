//! How alike the topologies are, as a matrix: every cell is a number, shaded by it. Neighbours in the order are alike.

use leptos::prelude::*;

use super::head::shape_name;
use super::{Here, judged};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{GroupLine, ManyMatrix};
use crate::route::RunsTab;
use crate::web::components::glyph::glyph;
use crate::web::components::{Icon, icon};
use crate::web::view::{El, IntoView, View, el};

/// Topologies that are shown: the cells stay few enough for any browser.
const MOST: u32 = 24;

pub(super) fn shapes(here: Here) -> View {
    let filter = Memo::new(move |_| here.place.with(|p| p.filter.clone()));
    let found = here.asked(
        move || Job::ManyMatrix { documents: here.keys(), filter: filter.get(), limit: MOST },
        |outcome| match outcome {
            Outcome::ManyMatrix { matrix } => Ok(*matrix),
            other => Err(other),
        },
    );
    let draw = move || match found.get() {
        None => el("p.quiet").attr("role", "status").child(here.t("many.loading")).view(),
        Some(Err(why)) => el("p").attr("role", "alert").child(why).view(),
        Some(Ok(matrix)) if matrix.lines.len() < 2 => el("p.quiet").child(here.t("many.matrix-few")).view(),
        Some(Ok(matrix)) => drawn(here, &matrix),
    };
    el("div.page-body.many-shapes")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", here.t("many.similarity"))
        .child(draw)
        .view()
}

fn drawn(here: Here, matrix: &ManyMatrix) -> View {
    let n = matrix.lines.len();
    let count = |n: u64| format::count(n);
    let title = here.f("many.matrix", &[("n", &count(n as u64))]);
    let head = (1..=n).map(|i| el("th").attr("scope", "col").child(i)).collect::<View>();
    let rows = matrix.lines.iter().enumerate().map(|(i, line)| {
        let cells = matrix.cells.get(i * n..(i + 1) * n).unwrap_or_default().iter().enumerate();
        let cells = cells.map(|(j, value)| cell(i == j, *value)).collect::<View>();
        el("tr").child(name(here, i + 1, line)).child(cells)
    });
    (
        el("h2").child(title.clone()),
        el("p.mark.many-note")
            .child(icon(Icon::Info, "icon-s"))
            .child(here.t("many.alike-means"))
            .child(here.words.t(M::Stop))
            .child(here.f("many.matrix-of", &[("n", &count(n as u64)), ("of", &count(matrix.of.into()))])),
        el("table.many-matrix")
            .child(el("caption.unseen").child(title))
            .child(el("thead").child(el("tr").child(el("td")).child(head)))
            .child(el("tbody").child(rows.collect::<View>())),
    )
        .view()
}

fn name(here: Here, number: usize, line: &GroupLine) -> El {
    let key = line.key.clone();
    let href = here.href(|p| {
        p.filter = format!("topology:{key}");
        p.view.tab = RunsTab::Table;
    });
    let text = shape_name(here, line);
    el("th")
        .attr("scope", "row")
        .child(el("span.many-matrix-no").child(number))
        .child(glyph(&line.key, &line.glyph))
        .child(el("a.mono").attr("href", href).attr("title", text.clone()).child(text))
        .child(el("span.quiet").child(judged(here, line.passed, line.failed)))
}

fn cell(own: bool, value: f64) -> El {
    let text = match (value * 100.0).round() {
        100.0 => "1".to_owned(),
        0.0 if value == 0.0 => String::from("0"),
        n => format!(".{n:02.0}"),
    };
    el("td").class(if own { "many-own" } else { "" }).attr("style", format!("--n:{:.0}%", value * 60.0)).child(text)
}
