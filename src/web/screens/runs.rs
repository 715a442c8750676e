//! A file with many runs: a list of them, filtered by words, windowed. Choosing one opens it.

use std::sync::Arc;

use leptos::{ev, html, prelude::*};

use crate::format;
use crate::fuzzy::folded;
use crate::message::M;
use crate::report::{DocumentSummary, RunSummary};
use crate::route::{Place, Route};
use crate::web::commands::{Action, Scope, use_commands};
use crate::web::components::glyph::glyph;
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::components::list::{Head, Item, ListState, Press, WindowedList, windowed_list};
use crate::web::platform::look;
use crate::web::state::nav::use_nav;
use crate::web::state::session::Document;
use crate::web::state::settings::{t, tf};
use crate::web::view::{IntoView, View, el};

/// The mark of an outcome: icon, tone, word.
fn outcome(run: &RunSummary) -> Option<(Icon, &'static str, String)> {
    let outcome = run.outcome.as_ref()?;
    let (which, tone, word) = match outcome.verdict.as_str() {
        "passed" => (Icon::Check, "good", M::OutcomePassed),
        "failed" => (Icon::Close, "bad", M::OutcomeFailed),
        "finished" => (Icon::Check, "", M::OutcomeFinished),
        "limit" => (Icon::Warn, "warn", M::OutcomeLimit),
        "error" => (Icon::Bad, "bad", M::OutcomeError),
        "cancelled" => (Icon::Close, "", M::OutcomeCancelled),
        _ => return Some((Icon::Info, "", outcome.word.clone())),
    };
    Some((which, tone, tf(word, &[])))
}

fn matches(run: &RunSummary, words: &[String]) -> bool {
    let mut text = format!("{} {}", run.title, run.id.as_deref().unwrap_or_default());
    if let Some(outcome) = &run.outcome {
        text.push_str(&format!(" {} {}", outcome.verdict, outcome.word));
    }
    for (key, value) in &run.labels {
        text.push_str(&format!(" {}:{}", key, value));
    }
    let text = folded(&text);
    words.iter().all(|w| text.contains(w.as_str()))
}

/// The runs of a document.
pub fn runs_screen(document: Document, summary: Arc<DocumentSummary>, place: Memo<Place>) -> View {
    let nav = use_nav();
    let commands = use_commands();
    let field = NodeRef::<html::Input>::new();
    let name = document.name.clone();
    let runs = summary.clone();
    let shown = Memo::new(move |_| {
        let words: Vec<String> = folded(&place.read().filter).split_whitespace().map(str::to_owned).collect();
        runs.runs.iter().filter(|run| matches(run, &words)).map(|run| run.index).collect::<Vec<u32>>()
    });
    let state = ListState::new(look::focus_row);
    commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
        }
    });
    let rows = summary.clone();
    let item = Callback::new(move |row: u32| {
        let run = shown.with_untracked(|s| s.get(row as usize).copied()).and_then(|i| rows.runs.get(i as usize));
        let body = run.map(|run| {
            let mark = outcome(run).map(|(which, tone, word)| {
                el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(word)
            });
            let title = if run.title.is_empty() {
                tf(M::RunNumber, &[("n", &(run.index + 1).to_string())])
            } else {
                run.title.clone()
            };
            let errors = (run.errors > 0)
                .then(|| (" ", el("span.bad").child(tf(M::StateErrors, &[("n", &run.errors.to_string())]))));
            (
                glyph(&run.topology.hash, &run.topology.glyph),
                el("span.run-title").child(title).child(errors),
                el("span.run-calls").child(format::count(run.calls.into())),
                el("span").child(mark),
            )
        });
        Item { head: Memo::new(|_| Head { class: "run".into(), ..Head::default() }), body: body.view() }
    });
    let to = document.name.clone();
    let on_press = Callback::new(move |(row, press): (u32, Press)| {
        if press == Press::Open
            && let Some(run) = shown.with_untracked(|s| s.get(row as usize).copied())
        {
            nav.go(&Route::Document(Place { document: to.clone(), run: Some(run), ..Place::default() }));
        }
    });
    let all = summary.runs.len() as u64;
    let passed = summary.runs.iter().filter(|r| r.outcome.as_ref().is_some_and(|o| o.verdict == "passed")).count();
    let judged = summary
        .runs
        .iter()
        .filter(|r| r.outcome.as_ref().is_some_and(|o| o.verdict == "passed" || o.verdict == "failed"))
        .count();
    let sum = |of: fn(&RunSummary) -> u32| summary.runs.iter().map(|r| u64::from(of(r))).sum::<u64>();
    let (calls, errors) = (sum(|r| r.calls), sum(|r| r.errors));
    let loops = summary.runs.iter().filter(|r| r.loops.spans > 0).count();
    let topologies =
        summary.runs.iter().map(|r| r.topology.hash.as_str()).collect::<std::collections::BTreeSet<_>>().len();
    let n = format::count(all);
    let per_run = format!("{:.1}", calls as f64 / (all as f64).max(1.0));
    let verdict = {
        let n = n.clone();
        move || {
            if judged > 0 {
                tf(M::RunsPassed, &[("passed", &passed.to_string()), ("n", &n)])
            } else {
                tf(M::RunsVerdict, &[("n", &n)])
            }
        }
    };
    let figures = el("dl.figure")
        .child(
            el("div.figure-item").child(el("dt").child(t(M::RunsTitle))).child(
                el("dd")
                    .child(n.clone())
                    .child(" ")
                    .child(el("span.figure-note").child(move || tf(M::Topologies, &[("n", &topologies.to_string())]))),
            ),
        )
        .child((judged > 0).then(|| {
            el("div.figure-item").child(el("dt").child(t(M::Passed))).child(
                el("dd")
                    .child(el("span.good").child(passed))
                    .child(" ")
                    .child(el("span.figure-note").child(format::percent(passed as f64 / judged as f64))),
            )
        }))
        .child(
            el("div.figure-item").child(el("dt").child(t(M::Calls))).child(
                el("dd")
                    .child(format::count(calls))
                    .child(" ")
                    .child(el("span.figure-note").child(move || tf(M::PerRun, &[("n", &per_run)]))),
            ),
        )
        .child(el("div.figure-item").child(el("dt").child(t(M::Errors))).child(el("dd").child(format::count(errors))))
        .child(el("div.figure-item").child(el("dt").child(t(M::Loops))).child(el("dd").child(loops).child(" ").child(
            el("span.figure-note").child(move || {
                tf(M::LoopsIn, &[("n", &loops.to_string())])
                    .trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')
                    .to_owned()
            }),
        )));
    let filter = move |text: String| nav.replace(&Route::Document(Place { filter: text, ..place.get_untracked() }));
    el("div.page")
        .child(
            el("header.page-head.head.head-last")
                .child(
                    el("div.head-title")
                        .child(el("h1").attr("tabindex", "-1").child(name))
                        .child(el("span.chip").child(summary.format_label.clone())),
                )
                .child(
                    el("p.verdict")
                        .child(icon(Icon::Info, ""))
                        .child(el("span").child(el("b").child(verdict)).child(" ").child(t(M::RunsChoose))),
                )
                .child(figures),
        )
        .child(
            el("div.tool")
                .child(
                    el("label.field")
                        .child(icon(Icon::Search, ""))
                        .child(
                            el("input.field-input")
                                .node(field)
                                .attr("type", "text")
                                .attr("autocomplete", "off")
                                .attr("spellcheck", "false")
                                .attr("placeholder", t(M::RunsFilter))
                                .attr("aria-label", t(M::RunsFilter))
                                .prop("value", move || place.read().filter.clone())
                                .on(ev::input, move |e| filter(event_target_value(&e))),
                        )
                        .child(kbd("/")),
                )
                .child(el("span.quiet").attr("role", "status").child(move || {
                    let shown = shown.with(Vec::len);
                    tf(
                        if shown == 0 { M::RunsNone } else { M::RunsShown },
                        &[("n", &format::count(shown as u64)), ("of", &n)],
                    )
                })),
        )
        .child(
            el("div.run.run-head")
                .attr("aria-hidden", "true")
                .child(el("span").child(t(M::Topology)))
                .child(el("span").child(t(M::Run)))
                .child(el("span.run-calls").child(t(M::Calls)))
                .child(el("span").child(t(M::Outcome))),
        )
        .child(move || {
            // Rows are named by their place in the list, so another filter is another list.
            let total = shown.with(|s| s.len() as u32);
            let label = t(M::RunsTitle)();
            untrack(|| {
                windowed_list(WindowedList {
                    state,
                    label,
                    total: Signal::stored(total),
                    low: Signal::stored(Arc::default()),
                    item,
                    on_press,
                    tree: false,
                })
            })
        })
        .view()
}
