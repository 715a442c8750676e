//! The list of steps with filter and minimap, and the inspector beside it.
//!
//! The selected step is in the
//! route: moving replaces the address, opening adds to the history. A selected step that is in a fold opens the fold.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::{Here, pane};
use crate::web::view::{IntoView, View, effect, el};
use crate::{
    format,
    message::M,
    protocol::{Job, Outcome, Seek},
    report::{Row, RunSummary, Strip, View as RowView},
    web::{
        commands::{Action, Scope},
        components::{
            filter::{FilterField, filter_field, fold_choice},
            list::{Item, ListState, Press, WindowedList, windowed_list},
            minimap::{Minimap, minimap},
            rows,
        },
        pieces::{Answer, Pieces},
        platform::{dom, look},
    },
};

/// Marks of the minimap.
const MARKS: u32 = 600;
/// Milliseconds without a key before the filter is asked for.
const PAUSE: i32 = 120;

/// What is told of all rows.
#[derive(Clone, Debug, Default)]
struct Told {
    hits: u32,
    unknown: Vec<String>,
    /// Rows that are no steps.
    low: Arc<[u32]>,
}

/// The rows of a run.
fn rows_of(here: Here) -> Pieces<Row, Told, RowView> {
    let Here { document, run, .. } = here;
    Pieces::new(
        here.engine,
        move |(view, from, count)| Job::Rows { document, run, view, from, count },
        |outcome| match outcome {
            Outcome::Rows { rows } => Some(Answer {
                total: rows.total,
                whole: Told { hits: rows.hits, unknown: rows.unknown_terms, low: rows.low.into() },
                rows: rows.rows,
            }),
            _ => None,
        },
    )
}

/// First and last step of a row.
fn steps_of(row: &Row) -> (u32, u32) {
    match row {
        Row::Step(step) => (step.step, step.step),
        Row::Fold(fold) if fold.open => (fold.from, fold.from),
        Row::Fold(fold) => (fold.from, fold.to),
        Row::Spawn(spawn) => (spawn.step, spawn.step),
    }
}

/// Whether this row is the step itself.
fn is_step(row: &Row, step: u32) -> bool {
    matches!(row, Row::Step(r) if r.step == step)
}

/// Filter, list and minimap.
pub fn steps(here: Here, run: Arc<RunSummary>) -> View {
    let words = here.words;
    let store = rows_of(here);
    let loaded = store.loaded;
    let list = ListState::new(look::focus_row);
    let field = NodeRef::<html::Input>::new();
    look::on_resize(list.node, move || list.resized.update(|n| *n += 1));

    // The worker is asked, and its answer is what changes the rows: an effect, since asking is not deriving.
    let view = Memo::new(move |_| here.view());
    let selected = Memo::new(move |_| here.place.with(|p| p.step));
    effect(move || {
        let view = view.get();
        if selected.get_untracked().is_none() {
            list.focus.set(0);
            list.scroll_to(0);
        }
        let (from, end) = list.view.get_untracked().range(8);
        store.turn_to(view, from, end);
    });
    let range = Memo::new(move |_| list.view.get().range(16));
    effect(move || {
        let (from, end) = range.get();
        if end > from {
            store.want(from, end);
        }
    });

    let mut shown = None::<RowView>;
    effect(move || {
        let before = shown.take();
        let (step, view) = (selected.get(), view.get());
        shown = Some(view.clone());
        let Some(step) = step else { return };
        let focus = list.focus.get_untracked();
        // The rows of another view may still be those of the view before.
        if before.as_ref() == Some(&view)
            && loaded.with_untracked(|l| l.row(focus)).is_some_and(|row| is_step(&row, step))
        {
            list.reveal(focus, true);
            return;
        }
        spawn_local(async move {
            let job = Job::Find { document: here.document, run: here.run, view, seek: Seek::Step { step } };
            let outcome = here.ask(job).await;
            if selected.try_get_untracked() != Some(Some(step)) {
                return;
            }
            match outcome {
                Outcome::Found { fold: Some(fold), .. } => here.opened.update(|o| {
                    if !o.contains(&fold) {
                        o.push(fold);
                    }
                }),
                Outcome::Found { row: Some(row), .. } => {
                    list.focus.set(row);
                    list.reveal(row, true);
                }
                _ => {}
            }
        });
    });

    // What a filter found is said and shown.
    let hits = move || {
        let filter = here.place.with(|p| p.filter.clone());
        if filter.is_empty() {
            return String::new();
        }
        loaded.with(|l| match (l.whole.unknown.as_slice(), l.whole.hits) {
            ([], 0) => words.t(M::NoHits).to_owned(),
            ([], n) => words.f(M::HitsCount, &[("n", &format::count(u64::from(n)))]),
            (terms, _) => words.f(M::TermsUnknown, &[("terms", &terms.join(" "))]),
        })
    };

    let move_to = move |row: u32, press: Press| {
        let Some(data) = loaded.with_untracked(|l| l.row(row)) else { return };
        match (&*data, press) {
            (Row::Step(step), Press::Move) => here.replace(|p| p.step = Some(step.step)),
            (Row::Step(step), Press::Open) => {
                here.closed.set(false);
                if selected.get_untracked() != Some(step.step) {
                    here.go(|p| p.step = Some(step.step));
                }
                here.sheet.set(true);
            }
            (Row::Fold(fold), Press::Open) => {
                let from = fold.from;
                here.opened.update(|o| {
                    let before = o.len();
                    o.retain(|f| *f != from);
                    if o.len() == before {
                        o.push(from);
                    }
                });
            }
            (Row::Spawn(spawn), Press::Open) if !spawn.here => here.commands.run(Action::ChooseFolder),
            _ => {}
        }
    };
    let go = move |by: i64| {
        let total = loaded.with_untracked(|l| l.total);
        if total == 0 {
            return;
        }
        let row = (i64::from(list.focus.get_untracked()) + by).clamp(0, i64::from(total) - 1) as u32;
        // The first key of all chooses the row that has the keyboard, not the one after it.
        let row = if selected.get_untracked().is_none() && by.abs() == 1 { list.focus.get_untracked() } else { row };
        list.go(row);
        list.take_focus();
        move_to(row, Press::Move);
    };
    here.commands.on(Scope::Run, move |action| match action {
        Action::NextStep => go(1),
        Action::PreviousStep => go(-1),
        Action::OpenStep => move_to(list.focus.get_untracked(), Press::Open),
        Action::Inspector => here.closed.update(|c| *c = !*c),
        Action::Raw => pane::toggle_raw(here),
        Action::Fold => toggle_fold(here, loaded.with_untracked(|l| l.row(list.focus.get_untracked()))),
        other => here.act(other),
    });
    here.commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
            field.select();
        }
    });

    let item = Callback::new(move |index: u32| {
        let row = Memo::new(move |_| loaded.with(|l| l.row(index)));
        let around =
            Memo::new(move |_| loaded.with(|l| (index.checked_sub(1).and_then(|i| l.row(i)), l.row(index + 1))));
        let head = Memo::new(move |_| row.get().map(|r| rows::head(&r, selected.get())).unwrap_or_default());
        let body = move || {
            row.get().map(|r| {
                let (before, after) = around.get();
                let (from, to) = steps_of(&r);
                let noted = super::notes::mark(here, from, to);
                rows::body(words, &r, (before.as_deref(), after.as_deref()), noted.as_ref())
            })
        };
        Item { head, body: body.view() }
    });

    let typed = RwSignal::new(here.place.with_untracked(|p| p.filter.clone()));
    let keys = StoredValue::new(0_u32);
    effect(move || {
        // The address was changed from elsewhere: Back, or a link.
        let filter = here.place.with(|p| p.filter.clone());
        if keys.get_value() == 0 && typed.with_untracked(|t| *t != filter) {
            typed.set(filter);
        }
    });
    let on_input = Callback::new(move |text: String| {
        typed.set(text);
        keys.update_value(|k| *k += 1);
        let now = keys.get_value();
        dom::after(PAUSE, move || {
            if keys.try_get_value() == Some(now) {
                keys.set_value(0);
                here.replace(|p| p.filter = typed.get_untracked());
            }
        });
    });
    let on_leave = Callback::new(move |()| list.take_focus());

    let strip = RwSignal::new(None::<Strip>);
    spawn_local(async move {
        let job = Job::Strip { document: here.document, run: here.run, buckets: MARKS };
        if let Outcome::Strip { strip: data } = here.ask(job).await {
            let _ = strip.try_set(Some(data));
        }
    });
    let seen = Signal::derive(move || {
        let (from, end) = list.view.get().range(0);
        loaded.with(|l| {
            let first = l.row(from).map_or(0, |r| steps_of(&r).0);
            let last = l.row(end.saturating_sub(1)).map_or(first, |r| steps_of(&r).1);
            (first, last.max(first))
        })
    });
    let of = run.steps;
    let value_text = Signal::derive(move || {
        let (from, _) = list.view.get().range(0);
        let name = loaded.with(|l| l.row(from)).map(|r| match &*r {
            Row::Step(step) => rows::step_name(words, step),
            Row::Fold(_) => words.t(M::RowsFolded).to_owned(),
            Row::Spawn(_) => words.t(M::SubAgent).to_owned(),
        });
        let n = (seen.get().0 + 1).to_string();
        words.f(M::StepOf, &[("n", &n), ("of", &of.to_string()), ("name", &name.unwrap_or_default())])
    });
    let on_rows = Callback::new(move |by: i64| {
        let (from, _) = list.view.get_untracked().range(0);
        let total = loaded.with_untracked(|l| l.total);
        list.scroll_to((i64::from(from) + by).clamp(0, i64::from(total.saturating_sub(1))) as u32);
    });
    let on_step = Callback::new(move |step: u32| {
        let (Here { document, run, .. }, seek) = (here, Seek::Step { step });
        let job = Job::Find { document, run, view: view.get_untracked(), seek };
        spawn_local(async move {
            let outcome = here.ask(job).await;
            if let (Outcome::Found { row: Some(row), .. }, Some(shown)) = (outcome, list.view.try_get_untracked()) {
                list.scroll_to(row.saturating_sub(shown.page() / 2));
            }
        });
    });

    let all = Signal::derive(move || here.place.with(|p| p.all));
    let errors = run.errors;
    (
        el("div.tool")
            .child(filter_field(FilterField {
                node: field,
                placeholder: words.t(M::FilterPlaceholder),
                label: words.t(M::FilterLabel),
                value: typed.into(),
                on_input,
                on_leave,
            }))
            .child(el("span.tool-hits.small.quiet").attr("role", "status").child(hits))
            .child(fold_choice(words, all, Callback::new(move |all| here.replace(|p| p.all = all))))
            .child(
                el("button.button")
                    .attr("disabled", errors == 0)
                    .on(ev::click, move |_| here.act(Action::NextError))
                    .child(words.t(M::NextError))
                    .child(el("kbd.kbd").child("n")),
            )
            .child(move || {
                let all = here.notes.view.with(|v| v.all);
                (all > 0).then(|| {
                    el("button.button")
                        .on(ev::click, move |_| here.act(Action::Notes))
                        .child(words.id("notes.title", &[]))
                        .child(el("span.tab-count").child(all))
                        .child(el("kbd.kbd").child("M"))
                })
            }),
        el("div.steps-body")
            .child(windowed_list(WindowedList {
                tree: true,
                state: list,
                label: words.t(M::StepsOfRun),
                total: Signal::derive(move || loaded.with(|l| l.total)),
                low: Signal::derive(move || loaded.with(|l| l.whole.low.clone())),
                item,
                on_press: Callback::new(move |(row, press)| move_to(row, press)),
            }))
            .child(minimap(Minimap {
                label: words.t(M::Minimap),
                data: strip.into(),
                seen,
                value_text,
                on_step,
                on_rows,
            })),
    )
        .view()
}

/// Opens or closes the fold at the keyboard's row.
fn toggle_fold(here: Here, row: Option<Arc<Row>>) {
    let Some(row) = row else { return };
    let (first, _) = steps_of(&row);
    here.opened.update(|o| match &*row {
        Row::Fold(fold) if !fold.open => o.push(fold.from),
        Row::Fold(fold) => o.retain(|f| *f != fold.from),
        // A step of an opened fold closes it: the nearest one that begins before it.
        _ => {
            if let Some(at) = o.iter().copied().filter(|f| *f <= first).max() {
                o.retain(|f| *f != at);
            }
        }
    });
}
