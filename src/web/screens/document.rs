//! Which screen a document gets: its intake, why it was not read, its raw text, the list of its runs, or one run.

use leptos::prelude::*;

use super::run::RunScreen;
use crate::route::Route;
use crate::web::state::nav::use_route;
use crate::web::state::session::{Status, use_session};

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
}

/// The document that the route names.
#[component]
pub fn DocumentScreen() -> impl IntoView {
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
            Status::Ready(summary) => match (summary.runs.len(), place.run) {
                (0, _) => Shows::Unread,
                (1, _) => Shows::Run(0),
                (n, Some(run)) if (run as usize) < n => Shows::Run(run),
                _ => Shows::Runs,
            },
        }
    });
    let key = Memo::new(move |_| document.get().map(|d| d.key));
    move || {
        let (shows, _) = (shows.get(), key.get());
        let document = document.get_untracked();
        match (shows, document) {
            (Shows::Run(run), Some(document)) => view! { <RunScreen document run/> }.into_any(),
            _ => view! { <h1 tabindex="-1">"…"</h1> }.into_any(),
        }
    }
}
