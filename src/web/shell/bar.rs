//! The top bar: home, the file on the screen, search, help, settings.

use leptos::prelude::*;

use crate::message::M;
use crate::route::{Place, Route};
use crate::web::commands::{Action, caps, use_commands};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::platform::dom;
use crate::web::shell::menu::SettingsMenu;
use crate::web::state::nav::use_route;
use crate::web::state::session::use_session;
use crate::web::state::settings::t;

#[component]
pub fn Bar() -> AnyView {
    let route = use_route();
    let session = use_session();
    let commands = use_commands();
    let file = Memo::new(move |_| match &*route.read() {
        Route::Document(place) => {
            Some(session.by_name(&place.document).map_or_else(|| place.document.clone(), |d| d.name))
        }
        _ => None,
    });
    // Also the way back from a run to the list of its file's runs.
    let place = |name: &str| Route::Document(Place { document: name.to_owned(), ..Place::default() }).hash();
    let search = caps("mod+k", dom::is_mac()).join(" ");
    view! {
        <header class="app-bar">
            <div class="bar">
                <button class="button button-ghost button-icon bar-menu" aria-label=t(M::Files) popovertarget="rail">
                    {icon(Icon::Menu, "")}
                </button>
                <a class="bar-brand" href=Route::Home.hash()>{icon(Icon::Logo, "")}"Skillscope"</a>
                {move || file.get().map(|name| view! { <p class="bar-file"><a class="bar-name" href=place(&name) title=name.clone()>{name.clone()}</a></p> })}
                <span class="bar-space"></span>
                <button class="button bar-search" on:click=move |_| commands.run(Action::Palette)>
                    {icon(Icon::Search, "")}<span>{t(M::SearchSteps)}</span>{kbd(search)}
                </button>
                <button class="button button-ghost button-icon bar-wide" aria-label=t(M::Help) title=move || format!("{} (?)", t(M::CmdHelp)())
                    on:click=move |_| commands.run(Action::Help)>{icon(Icon::Help, "")}</button>
                <button class="button button-ghost button-icon" aria-label=t(M::SettingsTitle) title=t(M::SettingsTitle) popovertarget="settings">
                    {icon(Icon::Theme, "")}
                </button>
            </div>
            <SettingsMenu/>
        </header>
    }
    .into_any()
}
