//! Which screen a document gets: its intake, why it was not read, its raw text, the list of its runs, one run, or skills.

use leptos::prelude::*;

use super::intake::{failed_screen, intake_screen, missing_screen};
use super::many::document_runs;
use super::raw::raw_screen;
use super::run::run_screen;
use super::skill::skill_screen;
use super::unread::unread_screen;
use crate::route::Route;
use crate::web::platform::dom;
use crate::web::state::nav::use_route;
use crate::web::state::session::{Status, use_session};
use crate::web::view::{IntoView, View};

/// What the screen shows; it is built anew only when this changes.
#[derive(Clone, Debug, PartialEq)]
enum Shows {
    Missing,
    Intake,
    Failed,
    Unread,
    Raw,
    Runs,
    Run(u32),
    Skills,
}

/// The document that the route names.
pub fn document_screen() -> View {
    let route = use_route();
    let session = use_session();
    let place = Memo::new(move |_| match route.get() {
        Route::Document(place) => place,
        _ => Default::default(),
    });
    let document = Memo::new(move |_| session.by_name(&place.read().document));
    let shows = Memo::new(move |_| {
        let Some(document) = document.get() else { return Shows::Missing };
        let place = place.read();
        match &*document.status.read() {
            Status::Reading { .. } | Status::Analysing => Shows::Intake,
            Status::Failed(_) => Shows::Failed,
            Status::Ready(_) if place.raw && place.run.is_none() => Shows::Raw,
            Status::Ready(summary) if summary.skills.is_some() => Shows::Skills,
            Status::Ready(summary) => match (summary.runs.len(), place.run) {
                (0, _) => Shows::Unread,
                (1, _) => Shows::Run(0),
                (n, Some(run)) if (run as usize) < n => Shows::Run(run),
                _ => Shows::Runs,
            },
        }
    });
    // A reading anew brings another summary; the screens of many runs and of no run are built from it.
    let key = Memo::new(move |_| document.get().map(|d| d.key));
    let summary = Memo::new(move |_| match &*shows.read() {
        Shows::Unread | Shows::Raw | Shows::Runs => document.get().and_then(|d| d.summary()),
        _ => None,
    });
    let draw = move || {
        let (shows, _, summary) = (shows.get(), key.get(), summary.get());
        // What had the keyboard may have gone with the screen before.
        dom::focus_heading(true);
        let Some(document) = document.get_untracked() else { return missing_screen(place) };
        // Untracked: what a screen reads while it is made is not a reason to make it again.
        untrack(|| match (shows, summary) {
            (Shows::Run(run), _) => run_screen(document, run),
            (Shows::Skills, _) => skill_screen(document),
            (Shows::Raw, Some(summary)) => raw_screen(document, summary),
            (Shows::Runs, _) => document_runs(&document),
            (Shows::Unread, Some(summary)) => unread_screen(document, summary),
            (Shows::Failed, _) => failed_screen(document),
            (Shows::Missing, _) => missing_screen(place),
            _ => intake_screen(document),
        })
    };
    draw.view()
}
