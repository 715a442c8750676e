//! The table of both runs: windowed rows with their relation between them, changed parts marked, equal stretches folded.
//!
//! The chosen row is in the route.

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::Here;
use crate::message::M;
use crate::protocol::{CompareSeek, Job, Outcome};
use crate::report::{CompareCell, CompareFold, CompareOptions, CompareRow, CompareView, Piece};
use crate::web::components::actor::actor_tile;
use crate::web::components::list::{Head, Item, ListState, Press, WindowedList, windowed_list};
use crate::web::components::{Icon, Words, icon};
use crate::web::pieces::{Answer, Pieces};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, effect, el};

/// The rows of a comparison.
fn rows_of(here: Here) -> Pieces<CompareRow, (), (CompareOptions, CompareView)> {
    let Here { left, right, differences, .. } = here;
    Pieces::new(
        here.engine,
        move |((options, view), from, count)| Job::CompareRows { left, right, options, view, from, count },
        move |outcome| match outcome {
            Outcome::CompareRows { rows } => {
                let _ = differences.try_set(rows.differences);
                Some(Answer { total: rows.total, whole: (), rows: rows.rows })
            }
            _ => None,
        },
    )
}

/// The table with the names of its columns.
pub(super) fn table(here: Here) -> View {
    let words = here.words;
    let store = rows_of(here);
    let loaded = store.loaded;
    let list = ListState::new(look::focus_row);
    look::on_resize(list.node, move || list.resized.update(|n| *n += 1));
    let of = Memo::new(move |_| (here.options.get(), here.view()));
    let selected = Memo::new(move |_| here.versus.with(|v| v.row));

    // The worker is asked, and its answer is what changes the rows: effects, since asking is not deriving.
    effect(move || {
        let of = of.get();
        if selected.get_untracked().is_none() {
            list.focus.set(0);
        }
        let (from, end) = list.view.get_untracked().range(8);
        store.turn_to(of, from, end);
    });
    let range = Memo::new(move |_| list.view.get().range(16));
    effect(move || {
        let (from, end) = range.get();
        if end > from {
            store.want(from, end);
        }
    });
    // The chosen row comes into view; a fold that hides it opens.
    effect(move || {
        let (row, (options, view)) = (selected.get(), of.get());
        let Some(row) = row else { return };
        let Here { left, right, .. } = here;
        spawn_local(async move {
            let job = Job::CompareFind { left, right, options, view, seek: CompareSeek::Row { row } };
            let outcome = here.engine.ask(job).await;
            if selected.try_get_untracked() != Some(Some(row)) {
                return;
            }
            match outcome {
                Outcome::Found { fold: Some(fold), .. } => here.opened.update(|o| {
                    if !o.contains(&fold) {
                        o.push(fold);
                    }
                }),
                Outcome::Found { row: Some(place), .. } => {
                    list.focus.set(place);
                    list.reveal(place, true);
                }
                _ => {}
            }
        });
    });

    let press = move |(index, press): (u32, Press)| {
        let Some(row) = loaded.with_untracked(|l| l.row(index)) else { return };
        match (&row.fold, press) {
            (Some(fold), Press::Open) => {
                // A chosen row would open its fold again.
                let inside = row.row..row.row.saturating_add(fold.rows);
                if fold.open && selected.get_untracked().is_some_and(|at| inside.contains(&at)) {
                    here.replace(|v| v.row = None);
                }
                here.opened.update(|o| {
                    let before = o.len();
                    o.retain(|f| *f != row.row);
                    if o.len() == before {
                        o.push(row.row);
                    }
                });
            }
            (Some(_), _) => {}
            (None, Press::Open) if selected.get_untracked() != Some(row.row) => here.go(|v| v.row = Some(row.row)),
            (None, _) => here.replace(|v| v.row = Some(row.row)),
        }
    };
    let item = Callback::new(move |index: u32| {
        let row = Memo::new(move |_| loaded.with(|l| l.row(index)));
        let head = Memo::new(move |_| row.get().map(|r| head(&r, selected.get())).unwrap_or_default());
        let names = here.names;
        let body = move || row.get().map(|r| names.with_value(|names| body(words, &r, names)));
        Item { head, body: body.view() }
    });
    let title = |side: usize| here.names.with_value(|n| n.get(side).cloned().unwrap_or_default());
    el("div.compare-table")
        .child(
            el("div.compare-row.compare-columns")
                .attr("aria-hidden", "true")
                .child(el("span").child(title(0)))
                .child(el("span.compare-relation").child(words.t(M::Relation)))
                .child(el("span").child(title(1))),
        )
        .child(windowed_list(WindowedList {
            tree: true,
            state: list,
            label: words.t(M::CompareRowsLabel),
            total: Signal::derive(move || loaded.with(|l| l.total)),
            low: Signal::stored(Arc::default()),
            item,
            on_press: Callback::new(press),
        }))
        .view()
}

fn head(row: &CompareRow, selected: Option<u32>) -> Head {
    if let Some(fold) = &row.fold {
        return Head { class: "compare-fold".into(), selected: false, expanded: Some(fold.open) };
    }
    let mut class = String::from("compare-row");
    if row.divergence {
        class.push_str(" compare-first");
    }
    Head { class, selected: selected == Some(row.row), expanded: None }
}

fn body(words: Words, row: &CompareRow, names: &[String; 2]) -> View {
    match &row.fold {
        Some(fold) => fold_body(words, fold),
        None => {
            let [left, right] = names;
            (cell(words, row.left.as_ref(), left), relation(words, row), cell(words, row.right.as_ref(), right)).view()
        }
    }
}

fn fold_body(words: Words, fold: &CompareFold) -> View {
    let tools: Vec<String> =
        fold.tools.iter().map(|(tool, n)| if *n == 1 { tool.clone() } else { format!("{tool} ×{n}") }).collect();
    (
        icon(Icon::Right, "icon-s"),
        el("b").child(words.id("compare.equal-steps", &[("n".into(), fold.rows.to_string())])),
        el("span.compare-tools").child(tools.join(", ")),
    )
        .view()
}

/// Sign, tone and word of a relation.
pub(super) fn relation_word(words: Words, relation: &str, likeness: f64) -> (&'static str, &'static str, String) {
    let (sign, tone) = match relation {
        "same" => ("=", ""),
        "alike" => ("≈", ""),
        "other_arguments" | "other_result" => ("≠", "warn"),
        "only_left" => ("−", "bad"),
        "only_right" => ("+", "bad"),
        _ => return ("≠", "", words.t(M::PathMixed).to_owned()),
    };
    let args = [("likeness".to_owned(), format!("{likeness:.2}"))];
    (sign, tone, words.id(&format!("relation.{relation}"), &args))
}

fn relation(words: Words, row: &CompareRow) -> El {
    let (sign, tone, word) = relation_word(words, &row.relation, row.likeness);
    let cross = row.cross.as_deref().map(|cross| {
        let id = if cross == "other_action" { "same-thought-other-action" } else { "same-action-other-thought" };
        el("span.compare-cross").child(words.id(&format!("compare.{id}"), &[]))
    });
    el("span")
        .class(format!("compare-relation {tone}"))
        .child(el("b").attr("aria-hidden", "true").child(sign))
        .child(el("span").child(word))
        .child(cross)
}

fn cell(words: Words, cell: Option<&CompareCell>, side: &str) -> El {
    let Some(cell) = cell else {
        return el("span.compare-cell.compare-gap")
            .child(el("span.compare-none").child(words.id("compare.no-counterpart", &[])))
            .child(el("span.compare-side").child(side.to_owned()));
    };
    let number = match cell.action {
        Some(n) => el("span.compare-no").child(u64::from(n).saturating_add(1).to_string()).view(),
        None => actor_tile(words, &cell.actor),
    };
    let name = (!cell.label.is_empty()).then(|| el("span.compare-name").child(cell.label.clone()));
    let failed = cell.failed.then(|| {
        (
            icon(Icon::Bad, "icon-s"),
            el("span").child(words.t(M::RowFailed)),
            el("span").attr("aria-hidden", "true").child(" · "),
        )
    });
    let result = (cell.failed || !cell.result.is_empty()).then(|| {
        el("span")
            .class(if cell.failed { "compare-result bad" } else { "compare-result" })
            .child(failed)
            .child(pieces(&cell.result))
    });
    el("span.compare-cell")
        .child(number)
        .child(el("span.compare-line").child(name).child(
            el("span").class(if cell.mono { "compare-text mono" } else { "compare-text" }).child(pieces(&cell.text)),
        ))
        .child(result)
        .child(el("span.compare-side").child(side.to_owned()))
}

/// A line, what differs marked.
fn pieces(pieces: &[Piece]) -> View {
    pieces
        .iter()
        .map(|p| if p.differs { el("mark").child(p.text.clone()).view() } else { p.text.clone().view() })
        .collect()
}
