//! A provider by its address: what is asked for and how, the field, how far it is, and why it did not work.

use leptos::{ev, prelude::*};

use crate::message::M;
use crate::route::Route;
use crate::web::components::icon::{Icon, icon};
use crate::web::platform::dom;
use crate::web::state::nav::use_nav;
use crate::web::state::session::use_session;
use crate::web::state::settings::{t, tf};
use crate::web::state::visit::{Visiting, Visits, use_visits};
use crate::web::view::{El, IntoView, View, el, yes};

pub fn visit_screen() -> View {
    let (nav, session, visits) = (use_nav(), use_session(), use_visits());
    let typed = match nav.now() {
        Route::Check(text) => text,
        _ => String::new(),
    };
    let text = RwSignal::new(typed);
    let full = RwSignal::new(None::<u32>);
    // Sets that can say what should be listed: those with descriptors that were given, not fetched.
    let sets = Memo::new(move |_| {
        let rows = session.documents.get().into_iter().filter_map(|d| {
            let skills = d.summary()?.skills.clone()?;
            (skills.descriptors > 0 && skills.url.is_none()).then_some((d.key, d.name))
        });
        rows.collect::<Vec<_>>()
    });
    let compare = move || {
        let sets = sets.get();
        (!sets.is_empty()).then(|| {
            let options = sets.into_iter().map(|(key, name)| el("option").attr("value", key.to_string()).child(name));
            el("label.visit-label").child(t(M::VisitCompare)).child(
                el("select.field")
                    .on(ev::change, move |e| full.set(event_target_value(&e).parse().ok()))
                    .child(el("option").attr("value", "").child(t(M::VisitCompareNone)))
                    .child(options.collect::<View>()),
            )
        })
    };
    let go = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let typed = text.get_untracked().trim().to_owned();
        if !typed.is_empty() {
            // The address is kept in the page's own, so that a copied link fills the field again.
            nav.replace(&Route::Check(typed.clone()));
            visits.start(typed, full.get_untracked());
        }
    };
    let going = Memo::new(move |_| matches!(visits.state.get(), Visiting::Going { .. }));
    el("div.page")
        .child(
            el("header.page-head.head.head-last")
                .child(el("div.head-title").child(el("h1").attr("tabindex", "-1").child(t(M::VisitTitle))))
                .child(el("p.verdict").child(icon(Icon::Lock, "")).child(el("span").child(t(M::VisitLead)))),
        )
        .child(
            el("div.page-body")
                .child(
                    el("form.visit")
                        .on(ev::submit, go)
                        .child(
                            el("label.visit-label").child(t(M::VisitField)).child(
                                el("span.field").child(
                                    el("input.field-input.mono")
                                        .attr("id", "visit")
                                        .attr("type", "text")
                                        .attr("inputmode", "url")
                                        .attr("autocomplete", "off")
                                        .attr("autocapitalize", "off")
                                        .attr("spellcheck", "false")
                                        .attr("placeholder", t(M::VisitPlaceholder))
                                        .attr("aria-describedby", "visit-said")
                                        .attr("aria-invalid", move || {
                                            yes(matches!(visits.state.get(), Visiting::Failed(..)))
                                        })
                                        .prop("value", move || text.get())
                                        .on(ev::input, move |e| {
                                            text.set(event_target_value(&e));
                                            visits.forget();
                                        }),
                                ),
                            ),
                        )
                        .child(compare)
                        .child(
                            el("p.row")
                                .child(
                                    el("button.button.button-primary")
                                        .attr("type", "submit")
                                        .attr("disabled", move || going.get())
                                        .child(t(M::VisitGo)),
                                )
                                .child(move || {
                                    going.get().then(|| {
                                        el("button.button.button-large")
                                            .attr("type", "button")
                                            .on(ev::click, move |_| {
                                                visits.stop();
                                                dom::focus("#visit");
                                            })
                                            .child(t(M::Cancel))
                                    })
                                }),
                        ),
                )
                .child(el("div.visit-said").attr("id", "visit-said").attr("role", "status").child(said(visits))),
        )
        .view()
}

/// How far it is, or why it did not work.
fn said(visits: Visits) -> View {
    let going = Memo::new(move |_| matches!(visits.state.get(), Visiting::Going { .. }));
    let done = move || match visits.state.get() {
        Visiting::Going { done, of } => (done, of),
        _ => (0, 0),
    };
    let words = move || {
        let (done, of) = done();
        tf(M::VisitProgress, &[("done", &done.to_string()), ("of", &of.to_string())])
    };
    (
        move || {
            going.get().then(|| {
                (
                    el("p.quiet").child(words),
                    el("progress.progress")
                        .attr("max", move || done().1.max(1).to_string())
                        .attr("value", move || done().0.to_string())
                        .attr("aria-label", t(M::Looking)),
                )
            })
        },
        move || match visits.state.get() {
            Visiting::Failed(what, fix) => el("p.verdict")
                .child(icon(Icon::Bad, "bad"))
                .child(el("span").child(el("b").child(what.text())).child(fix.map(|fix| (el("br"), fix.text()))))
                .view(),
            Visiting::Stopped(n) => el("p.verdict")
                .child(icon(Icon::Info, ""))
                .child(el("span").child(tf(M::VisitStopped, &[("n", &n.to_string())])))
                .view(),
            _ => View::NONE,
        },
    )
        .view()
}

/// The field on the empty page: what is typed there is checked on the screen of its own.
pub fn visit_field() -> El {
    let (nav, visits) = (use_nav(), use_visits());
    let text = RwSignal::new(String::new());
    let go = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let typed = text.get_untracked().trim().to_owned();
        nav.go(&Route::Check(typed.clone()));
        if !typed.is_empty() {
            visits.start(typed, None);
        }
    };
    el("form.home-visit")
        .on(ev::submit, go)
        .child(el("label.strong").attr("for", "home-visit").child(t(M::VisitTitle)))
        .child(
            el("span.row")
                .child(
                    el("span.field").child(
                        el("input.field-input.mono")
                            .attr("id", "home-visit")
                            .attr("type", "text")
                            .attr("inputmode", "url")
                            .attr("autocomplete", "off")
                            .attr("autocapitalize", "off")
                            .attr("spellcheck", "false")
                            .attr("placeholder", t(M::VisitPlaceholder))
                            .prop("value", move || text.get())
                            .on(ev::input, move |e| text.set(event_target_value(&e))),
                    ),
                )
                .child(el("button.button").attr("type", "submit").child(t(M::VisitGo))),
        )
}
