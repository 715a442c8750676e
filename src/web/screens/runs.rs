//! A file with many runs: a list of them, filtered by words, windowed. Choosing one opens it.

use std::sync::Arc;

use leptos::{html, prelude::*};

use crate::format;
use crate::message::M;
use crate::report::{DocumentSummary, RunSummary};
use crate::route::{Place, Route};
use crate::web::commands::{Action, Scope, use_commands};
use crate::web::components::glyph::glyph;
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::components::list::{Head, Item, ListState, Press, WindowedList};
use crate::web::platform::look;
use crate::web::state::nav::use_nav;
use crate::web::state::session::Document;
use crate::web::state::settings::{t, tf};

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
    let mut text = format!("{} {}", run.title, run.id.as_deref().unwrap_or_default()).to_lowercase();
    if let Some(outcome) = &run.outcome {
        text.push_str(&format!(" {} {}", outcome.verdict, outcome.word.to_lowercase()));
    }
    for (key, value) in &run.labels {
        text.push_str(&format!(" {}:{}", key.to_lowercase(), value.to_lowercase()));
    }
    words.iter().all(|w| text.contains(w.as_str()))
}

/// The runs of a document.
#[component]
pub fn RunsScreen(document: Document, summary: Arc<DocumentSummary>, place: Memo<Place>) -> AnyView {
    let nav = use_nav();
    let commands = use_commands();
    let field = NodeRef::<html::Input>::new();
    let name = document.name.clone();
    let runs = summary.clone();
    let shown = Memo::new(move |_| {
        let words: Vec<String> = place.read().filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
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
            let mark = outcome(run).map(
                |(which, tone, word)| view! { <span class=format!("mark {tone}")>{icon(which, "icon-s")}{word}</span> },
            );
            let title = if run.title.is_empty() {
                tf(M::RunNumber, &[("n", &(run.index + 1).to_string())])
            } else {
                run.title.clone()
            };
            let errors = (run.errors > 0).then(
                || view! { " " <span class="bad">{tf(M::StateErrors, &[("n", &run.errors.to_string())])}</span> },
            );
            view! {
                {glyph(&run.topology.hash, &run.topology.glyph)}
                <span class="run-title">{title}{errors}</span>
                <span class="run-calls">{format::count(run.calls.into())}</span>
                <span>{mark}</span>
            }
        });
        Item { head: Memo::new(|_| Head { class: "run".into(), ..Head::default() }), body: body.into_any() }
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
    let figures = view! {
        <dl class="figure">
            <div class="figure-item"><dt>{t(M::RunsTitle)}</dt><dd>{n.clone()}" "<span class="figure-note">{move || tf(M::Topologies, &[("n", &topologies.to_string())])}</span></dd></div>
            {(judged > 0).then(|| view! { <div class="figure-item"><dt>{t(M::Passed)}</dt><dd><span class="good">{passed}</span>" "<span class="figure-note">{format::percent(passed as f64 / judged as f64)}</span></dd></div> })}
            <div class="figure-item"><dt>{t(M::Calls)}</dt><dd>{format::count(calls)}" "<span class="figure-note">{move || tf(M::PerRun, &[("n", &per_run)])}</span></dd></div>
            <div class="figure-item"><dt>{t(M::Errors)}</dt><dd>{format::count(errors)}</dd></div>
            <div class="figure-item"><dt>{t(M::Loops)}</dt><dd>{loops}" "<span class="figure-note">{move || tf(M::LoopsIn, &[("n", &loops.to_string())]).trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').to_owned()}</span></dd></div>
        </dl>
    };
    let filter = move |text: String| nav.replace(&Route::Document(Place { filter: text, ..place.get_untracked() }));
    view! {
        <div class="page">
            <header class="page-head head head-last">
                <div class="head-title"><h1 tabindex="-1">{name}</h1><span class="chip">{summary.format_label.clone()}</span></div>
                <p class="verdict">{icon(Icon::Info, "")}<span><b>{verdict}</b>" "{t(M::RunsChoose)}</span></p>
                {figures}
            </header>
            <div class="tool">
                <label class="field">
                    {icon(Icon::Search, "")}
                    <input class="field-input" node_ref=field type="text" autocomplete="off" spellcheck="false" placeholder=t(M::RunsFilter) aria-label=t(M::RunsFilter)
                        prop:value=move || place.read().filter.clone() on:input=move |e| filter(event_target_value(&e))/>
                    {kbd("/")}
                </label>
                <span class="quiet" role="status">
                    {move || { let shown = shown.with(Vec::len); tf(if shown == 0 { M::RunsNone } else { M::RunsShown }, &[("n", &format::count(shown as u64)), ("of", &n)]) }}
                </span>
            </div>
            <div class="run run-head" aria-hidden="true"><span>{t(M::Topology)}</span><span>{t(M::Run)}</span><span class="run-calls">{t(M::Calls)}</span><span>{t(M::Outcome)}</span></div>
            {move || {
                // Rows are named by their place in the list, so another filter is another list.
                let total = shown.with(|s| s.len() as u32);
                view! { <WindowedList state label=Signal::derive(t(M::RunsTitle)) total=Signal::stored(total) item on_press/> }
            }}
        </div>
    }
    .into_any()
}
