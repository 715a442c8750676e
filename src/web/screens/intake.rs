//! Before there is anything to show: reading and analysing with Cancel, a file that could not be read, a link into a
//! file that is not open.

use leptos::{ev, prelude::*};

use crate::format;
use crate::message::M;
use crate::report::Row;
use crate::route::{Place, Route};
use crate::web::commands::{Action, use_commands};
use crate::web::components::icon::{Icon, icon};
use crate::web::components::rows;
use crate::web::components::words::{Words, words};
use crate::web::state::actions::use_actions;
use crate::web::state::session::{Document, Problem, Status};
use crate::web::state::settings::{t, tf};
use crate::web::view::{El, IntoView, View, el};

/// A document on its way in.
pub fn intake_screen(document: Document) -> View {
    let actions = use_actions();
    let Document { key, name, size, status, begins, .. } = document;
    let words = words();
    let line = move || match &*status.read() {
        Status::Reading { done, of } => {
            let what = tf(M::ReadingWhat, &[("done", &format::bytes(*done)), ("of", &format::bytes(*of))]);
            (el("b").child(t(M::IntakeReading)), " ", what).view()
        }
        _ => (el("b").child(t(M::Analysing)), " ", t(M::AnalysingWhat)).view(),
    };
    // Without a value the bar says "not known how long", which is what analysing is.
    let share = move || match &*status.read() {
        Status::Reading { done, of } => Some((*done as f64 / (*of).max(1) as f64 * 100.0).round().to_string()),
        _ => Some("100".to_owned()),
    };
    el("div.page")
        .child(
            el("header.page-head.head")
                .child(
                    el("div.head-title")
                        .child(el("h1").attr("tabindex", "-1").child(name))
                        .child(el("span.chip").child(format::bytes(size))),
                )
                .child(el("p.verdict").child(icon(Icon::Info, "")).child(el("span").child(line)))
                .child(
                    el("div.head-actions").child(
                        el("progress.progress")
                            .attr("max", "100")
                            .attr("value", share)
                            .attr("aria-label", t(M::IntakeReading)),
                    ),
                ),
        )
        .child(
            el("div.page-body")
                .child(el("button.button").on(ev::click, move |_| actions.cancel(key)).child(t(M::Cancel)))
                .child(move || begins.with(|rows| (!rows.is_empty()).then(|| beginning(words, rows)))),
        )
        .view()
}

/// The first steps of a file, as the list of steps will show them. Nothing can be chosen yet.
fn beginning(words: Words, steps: &[Row]) -> El {
    let row = |(at, row): (usize, &Row)| {
        el("li").class(rows::head(row, None).class).child(rows::body(words, row, (None, steps.get(at + 1)), None))
    };
    el("section.beginning")
        .child(el("h2").child(words.t(M::FirstSteps)))
        .child(el("ol").child(steps.iter().enumerate().map(row).collect::<View>()))
}

/// A document that could not be read.
pub fn failed_screen(document: Document) -> View {
    let actions = use_actions();
    let Document { key, name, size, status, .. } = document;
    let problem = move || match &*status.read() {
        Status::Failed(problem) => Some(problem.clone()),
        _ => None,
    };
    let detail = move || problem().map(|p: Problem| p.detail).filter(|d| !d.is_empty());
    el("div.page")
        .child(
            el("header.page-head.head")
                .child(
                    el("div.head-title")
                        .child(el("h1").attr("tabindex", "-1").child(name))
                        .child(el("span.chip").child(format::bytes(size))),
                )
                .child(
                    el("p.verdict").child(icon(Icon::Bad, "bad")).child(
                        el("span")
                            .child(el("b").child(t(M::FailedTitle)))
                            .child(" ")
                            .child(move || problem().map(|p| p.what.text()))
                            .child(t(M::Stop))
                            .child(move || problem().and_then(|p| p.fix).map(|fix| fix.text())),
                    ),
                )
                .child(
                    el("div.head-actions.row")
                        .child(
                            el("button.button.button-primary")
                                .on(ev::click, move |_| actions.reload(key))
                                .child(t(M::TryAgain)),
                        )
                        .child(
                            el("button.button.button-large")
                                .on(ev::click, move |_| actions.close(key))
                                .child(t(M::Close)),
                        ),
                ),
        )
        .child(
            el("div.page-body")
                .child(move || detail().map(|d| el("pre.code.code-sunken").attr("tabindex", "0").child(d))),
        )
        .view()
}

/// A link leads into a file that is not open.
pub fn missing_screen(place: Memo<Place>) -> View {
    let commands = use_commands();
    el("div.page")
        .child(
            el("header.page-head.head")
                .child(
                    el("div.head-title")
                        .child(
                            el("h1")
                                .attr("tabindex", "-1")
                                .child(move || tf(M::MissingTitle, &[("name", &place.read().document)])),
                        )
                        .child(move || {
                            place.read().step.map(|step| {
                                el("span.chip").child(tf(M::MissingStep, &[("step", &(step + 1).to_string())]))
                            })
                        }),
                )
                .child(el("p.verdict").child(icon(Icon::Info, "")).child(el("span").child(t(M::MissingWhat))))
                .child(
                    el("div.head-actions.row")
                        .child(
                            el("button.button.button-primary")
                                .on(ev::click, move |_| commands.run(Action::ChooseFiles))
                                .child(t(M::ChooseFiles)),
                        )
                        .child(
                            el("button.button.button-large")
                                .on(ev::click, move |_| commands.run(Action::ChooseFolder))
                                .child(t(M::ChooseFolder)),
                        )
                        .child(
                            el("a.button.button-large.button-ghost")
                                .attr("href", Route::Home.hash())
                                .child(t(M::CmdHome)),
                        ),
                ),
        )
        .child(el("div"))
        .view()
}
