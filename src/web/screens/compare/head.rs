//! Above the comparison: which two runs, the figures of both, and the line that says what a same step is and which rows
//! are shown. Each figure says on a press what it counts.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::Here;
use crate::format;
use crate::message::M;
use crate::report::{CompareReport, RunSummary, TrackReport};
use crate::route::{Route, Side, Versus};
use crate::web::commands::Action;
use crate::web::components::figure::{Figure, figure_list};
use crate::web::components::filter::fold_choice;
use crate::web::components::glyph::glyph_beside;
use crate::web::components::outcome::outcome_word;
use crate::web::components::segment::named_segment;
use crate::web::components::{Icon, Words, icon};
use crate::web::state::nav::Nav;
use crate::web::state::session::Session;
use crate::web::view::{El, IntoView, View, el, yes};

/// What the sides are called: by their outcomes where these differ, else left and right.
pub(super) fn names(words: Words, left: &RunSummary, right: &RunSummary) -> [String; 2] {
    let word = |run: &RunSummary| run.outcome.as_ref().map(|o| outcome_word(words, o).2).filter(|w| !w.is_empty());
    match (word(left), word(right)) {
        (Some(a), Some(b)) if a != b => [a, b],
        _ => [words.t(M::SideLeft).to_owned(), words.t(M::SideRight).to_owned()],
    }
}

fn title(words: Words, run: &RunSummary) -> String {
    if run.title.is_empty() {
        words.f(M::RunNumber, &[("n", &(u64::from(run.index) + 1).to_string())])
    } else {
        run.title.clone()
    }
}

/// Pickers and figures.
pub(super) fn head(here: Here, runs: &Arc<[RunSummary; 2]>) -> View {
    let words = here.words;
    let [a, b] = &**runs;
    let same = a.topology.hash == b.topology.hash;
    let alike = move || {
        let alike = here.report.with(|r| match r {
            Some(Ok(report)) => Some(report.shape_alike),
            _ => None,
        });
        alike.filter(|_| !same).map(|n| {
            let text = words.id("beside.alike", &[("n".into(), format!("{n:.2}"))]);
            el("span").attr("title", words.s("many.alike-means")).child(text)
        })
    };
    let said = words.t(if same { M::TopologySame } else { M::TopologyDiffers });
    let topology = el("div.compare-topology")
        .child(el("span.compare-alike.small.quiet").child(el("span").child(said)).child(alike))
        .child(
            el("span.compare-glyphs")
                .child(glyph_beside(&a.topology.hash, &a.topology.glyph, &b.topology.glyph))
                .child(glyph_beside(&b.topology.hash, &b.topology.glyph, &a.topology.glyph)),
        );
    let runs = runs.clone();
    let figures = move || {
        here.report.get().map(|report| match report {
            Ok(report) => figure_list(words, figures(here, &report, &runs), "meaning".to_owned()),
            Err(_) => View::NONE,
        })
    };
    el("header.page-head.compare-head")
        .child(el("h1.unseen").attr("tabindex", "-1").child(words.t(M::CompareTitle)))
        .child(pickers(words, here.session, here.nav, here.versus))
        .child(el("div.compare-figures").child(el("div").child(figures)).child(topology))
        .view()
}

/// Runs of a document that a picker lists.
const MAX_OPTIONS: u32 = 400;

/// One picker a side, and the button between them.
pub(super) fn pickers(words: Words, session: Session, nav: Nav, versus: Memo<Versus>) -> El {
    let side = |which: usize| picker(words, session, nav, versus, which);
    let swap = move |_| {
        let mut to = versus.get_untracked();
        std::mem::swap(&mut to.left, &mut to.right);
        to.row = None;
        nav.go(&Route::Compare(to));
    };
    el("div.compare-pickers")
        .child(side(0))
        .child(
            el("button.button.compare-swap")
                .attr("aria-label", words.t(M::CmdSwap))
                .attr("title", format!("{} (x)", words.t(M::CmdSwap)))
                .on(ev::click, swap)
                .child(icon(Icon::Swap, "")),
        )
        .child(side(1))
}

/// What is chosen, in words, and over it the browser's own list of all runs.
fn picker(words: Words, session: Session, nav: Nav, versus: Memo<Versus>, which: usize) -> El {
    let chosen = Memo::new(move |_| versus.with(|v| if which == 0 { v.left.clone() } else { v.right.clone() }));
    let shown = move || {
        let side = chosen.get();
        let summary = session.by_name(&side.document).and_then(|d| d.summary());
        let run = summary.as_ref().and_then(|s| s.runs.get(side.run as usize));
        let Some(run) = run else { return el("b").child(side.document).view() };
        let mark = run.outcome.as_ref().map(|o| outcome_word(words, o)).map(|(which, tone, word)| {
            el("span").class(format!("chip {tone}")).child(icon(which, "icon-s")).child(word)
        });
        let mut notes = run.models.first().cloned().into_iter().collect::<Vec<_>>();
        if let Some(reward) = run.outcome.as_ref().and_then(|o| o.reward) {
            notes.push(words.f(M::RewardIs, &[("n", &format!("{reward:.1}"))]));
        }
        notes.push(side.document);
        (mark, el("b").child(title(words, run)), el("span.compare-note.quiet").child(notes.join(", "))).view()
    };
    let options = move || {
        let documents = session.documents.get();
        let chosen = chosen.get();
        documents
            .into_iter()
            .filter_map(|document| {
                let summary = document.summary().filter(|s| !s.runs.is_empty())?;
                // Thousands of options are no choice, and slow: the rest is marked in the table of runs.
                let is_chosen = |index: u32| chosen.document == document.name && chosen.run == index;
                let listed = summary.runs.iter().filter(|run| run.index < MAX_OPTIONS || is_chosen(run.index));
                let more = (summary.runs.len() as u32).saturating_sub(MAX_OPTIONS);
                let more = (more > 0).then(|| {
                    let n = [("n".to_owned(), format::count(more.into()))];
                    el("option").attr("disabled", true).child(words.id("beside.more-runs", &n))
                });
                let of = listed.map(|run| {
                    let is = is_chosen(run.index);
                    let word =
                        run.outcome.as_ref().map(|o| format!(" ({})", outcome_word(words, o).2)).unwrap_or_default();
                    el("option")
                        .attr("value", format!("{}:{}", document.key, run.index))
                        .attr("selected", is)
                        .child(format!("{}. {}{word}", u64::from(run.index) + 1, title(words, run)))
                });
                Some(el("optgroup").attr("label", document.name.clone()).child(of.collect::<View>()).child(more))
            })
            .collect::<View>()
    };
    let choose = move |event: ev::Event| {
        let value = event_target_value(&event);
        let Some((key, run)) = value.split_once(':') else { return };
        let (Ok(key), Ok(run)) = (key.parse::<u32>(), run.parse::<u32>()) else { return };
        let Some(document) = session.by_key(key) else { return };
        let mut to = versus.get_untracked();
        let side = Side { document: document.name, run };
        if which == 0 {
            to.left = side
        } else {
            to.right = side
        }
        to.row = None;
        nav.go(&Route::Compare(to));
    };
    el("div.compare-picker").child(shown).child(icon(Icon::Chevron, "")).child(
        el("select")
            .attr("aria-label", words.t(if which == 0 { M::PickLeft } else { M::PickRight }))
            .on(ev::change, choose)
            .child(options),
    )
}

/// `7 of 11`.
fn part(words: Words, n: u32, of: u32) -> String {
    words.f(M::HaveOfNeed, &[("have", &n.to_string()), ("need", &of.to_string())])
}

fn aligned(words: Words, track: &TrackReport) -> String {
    both(words, part(words, track.pairs, track.left), part(words, track.pairs, track.right))
}

fn both(words: Words, left: String, right: String) -> String {
    words.f(M::BothSides, &[("left", &left), ("right", &right)])
}

fn figures(here: Here, report: &CompareReport, runs: &[RunSummary; 2]) -> Vec<Figure> {
    let words = here.words;
    let [a, b] = runs;
    let known = |value: Option<String>| value.unwrap_or_else(|| format::UNKNOWN.to_owned());
    let count = |n: u32| format::count(u64::from(n));
    let plain = |name: M, value: String, meaning: M| Figure {
        name: words.t(name),
        value,
        meaning: words.t(meaning).to_owned(),
        ..Figure::default()
    };
    let pair = |name: M, of: &dyn Fn(&RunSummary) -> Option<String>, note: &str| {
        let (x, y) = (of(a), of(b));
        let none = x.is_none() && y.is_none();
        Figure {
            value: if none { format::UNKNOWN.to_owned() } else { both(words, known(x), known(y)) },
            note: if none { words.t(M::NotInFile).to_owned() } else { note.to_owned() },
            wide: true,
            ..plain(name, String::new(), M::MeansBoth)
        }
    };
    let divergence = report.divergence.as_ref().map(|d| {
        let number = |n: Option<u32>| known(n.map(|n| (u64::from(n) + 1).to_string()));
        both(words, number(d.left), number(d.right))
    });
    let there = report.divergence.as_ref().map(|d| {
        let href = here
            .changed(|v| {
                v.row = Some(d.row);
                v.show = "both".into();
            })
            .hash();
        (href, words.t(M::GoThere))
    });
    let thoughts = match report.note {
        Some(_) => Figure {
            note: words.t(M::NotInFile).to_owned(),
            ..plain(M::FigureThoughts, format::UNKNOWN.to_owned(), M::MeansThoughts)
        },
        None => Figure {
            note: format::percent(report.thoughts.ratio),
            ..plain(M::FigureThoughts, aligned(words, &report.thoughts), M::MeansThoughts)
        },
    };
    let estimated = a.usage.cost_estimated || b.usage.cost_estimated;
    let tokens = |r: &RunSummary| match (r.usage.input_tokens, r.usage.output_tokens) {
        (None, None) => None,
        (x, y) => Some(format::short_count(x.unwrap_or(0).saturating_add(y.unwrap_or(0)))),
    };
    vec![
        Figure {
            note: format::percent(report.actions.ratio),
            ..plain(M::FigureAligned, aligned(words, &report.actions), M::MeansAligned)
        },
        Figure {
            evidence: there,
            ..plain(
                M::FigureDivergence,
                divergence.unwrap_or_else(|| words.t(M::NoDivergence).to_owned()),
                M::MeansDivergence,
            )
        },
        plain(M::FigureOrder, known(report.actions.order_kept.map(format::percent)), M::MeansOrder),
        Figure { wide: true, ..thoughts },
        Figure { wide: true, ..plain(M::FigureCalls, both(words, count(a.calls), count(b.calls)), M::MeansCallsBoth) },
        Figure {
            wide: true,
            ..plain(M::FigureErrors, both(words, count(a.errors), count(b.errors)), M::MeansErrorsBoth)
        },
        pair(M::FigureTokens, &tokens, ""),
        pair(M::FigureCost, &|r| r.usage.cost.map(format::money), if estimated { words.t(M::Estimated) } else { "" }),
        pair(M::FigureTime, &|r| r.duration_ms.map(format::duration), ""),
    ]
}

/// What makes two steps the same, which rows are shown, and the way from difference to difference.
pub(super) fn tools(here: Here) -> View {
    let words = here.words;
    let same = ["tool", "call", "outcome"].map(|id| (id, words.id(&format!("same.{id}"), &[])));
    let show = [("actions", M::ShowActions), ("messages", M::ShowMessages), ("both", M::ShowBoth)]
        .map(|(id, text)| (id, words.t(text).to_owned()));
    let step = |action: Action, text: M, key: &'static str, name: M| {
        el("button.button")
            .attr("title", words.t(name))
            .on(ev::click, move |_| here.act(action))
            .child(words.t(text))
            .child(el("kbd.kbd").child(key))
    };
    let all = Signal::derive(move || here.versus.with(|v| v.all));
    el("div.tool.compare-tool")
        .child(named_segment(
            words.t(M::SameStepMeans),
            same.to_vec(),
            Signal::derive(move || here.versus.with(|v| v.same.clone())),
            Callback::new(move |id: &'static str| {
                here.replace(|v| {
                    v.same = id.into();
                    v.row = None;
                });
            }),
        ))
        .child(named_segment(
            words.t(M::CompareShow),
            show.to_vec(),
            Signal::derive(move || here.versus.with(|v| v.show.clone())),
            Callback::new(move |id: &'static str| here.replace(|v| v.show = id.into())),
        ))
        .child(fold_choice(words, all, Callback::new(move |all| here.replace(|v| v.all = all))))
        .child(
            el("button.chip.chip-toggle")
                .attr("aria-pressed", move || yes(here.diagrams.get()))
                .on(ev::click, move |_| here.diagrams.update(|d| *d = !*d))
                .child(icon(Icon::Check, "icon-s"))
                .child(words.s("beside.diagrams-show")),
        )
        .child(el("span.tool-space"))
        .child(el("span.small.quiet").attr("role", "status").child(move || {
            let n = here.differences.get();
            words.f(M::DifferencesCount, &[("n", &format::count(u64::from(n)))])
        }))
        .child(step(Action::PreviousDifference, M::PreviousOne, "p", M::CmdPreviousDifference))
        .child(step(Action::NextDifference, M::CmdNextDifference, "n", M::CmdNextDifference))
        .view()
}
