//! The frame: provides the contexts, chooses the screen by the route.

use leptos::prelude::*;

use super::commands::Commands;
use super::platform::{http, idle, worker::Engine};
use super::screens::document::DocumentScreen;
use super::screens::home::HomeScreen;
use super::state::actions::Actions;
use super::state::nav::{Nav, use_route};
use super::state::session::Session;
use super::state::settings::Settings;
use crate::route::Route;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let settings = Settings::load();
    let nav = Nav::start();
    let session = Session::new();
    let engine = Engine::start();
    provide_context(settings);
    provide_context(nav);
    provide_context(session);
    provide_context(engine);
    provide_context(Commands::new());
    provide_context(Actions::new(session, engine, nav));
    http::watch(move |n| session.sent.set(n));
    idle::settle();

    let route = use_route();
    let kind = Memo::new(move |_| match &*route.read() {
        Route::Home => 0,
        Route::Formats => 1,
        Route::Document(_) => 2,
    });
    view! {
        <main class="app-main" id="main" tabindex="-1">
            {move || match kind.get() {
                2 => view! { <DocumentScreen/> }.into_any(),
                _ => view! { <HomeScreen/> }.into_any(),
            }}
        </main>
    }
}
