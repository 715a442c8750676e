//! The top bar: home, the file on the screen, search, help, settings.

use leptos::{ev, prelude::*};

use crate::message::M;
use crate::route::{Place, Route};
use crate::web::commands::{Action, caps, use_commands};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::platform::dom;
use crate::web::shell::menu::settings_menu;
use crate::web::state::nav::use_route;
use crate::web::state::session::use_session;
use crate::web::state::settings::t;
use crate::web::view::{IntoView, View, el};

pub fn bar() -> View {
    let route = use_route();
    let session = use_session();
    let commands = use_commands();
    let file = Memo::new(move |_| match &*route.read() {
        Route::Document(place) => {
            Some(session.by_name(&place.document).map_or_else(|| place.document.clone(), |d| d.name))
        }
        Route::Compare(versus) => Some(versus.left.document.clone()).filter(|name| !name.is_empty()),
        _ => None,
    });
    let has_runs = Memo::new(move |_| session.runs() > 0);
    let has_pair = Memo::new(move |_| session.runs() > 1);
    // Also the way back from a run to the list of its file's runs.
    let place = |name: &str| Route::Document(Place { document: name.to_owned(), ..Place::default() }).hash();
    let search = caps("mod+k", dom::is_mac()).join(" ");
    el("header.app-bar")
        .child(
            el("div.bar")
                .child(
                    el("button.button.button-ghost.button-icon.bar-menu")
                        .attr("aria-label", t(M::Files))
                        .attr("popovertarget", "rail")
                        .child(icon(Icon::Menu, "")),
                )
                .child(
                    el("a.bar-brand").attr("href", Route::Home.hash()).child(icon(Icon::Logo, "")).child("Skillscope"),
                )
                .child(move || {
                    file.get().map(|name| {
                        el("p.bar-file").child(
                            el("a.bar-name").attr("href", place(&name)).attr("title", name.clone()).child(name.clone()),
                        )
                    })
                })
                .child(el("span.bar-space"))
                .child(
                    el("button.button.bar-search")
                        .on(ev::click, move |_| commands.run(Action::Palette))
                        .child(icon(Icon::Search, ""))
                        .child(el("span").child(t(M::SearchSteps)))
                        .child(kbd(search)),
                )
                .child(move || {
                    has_runs.get().then(|| {
                        el("button.button.button-ghost.bar-wide")
                            .attr("title", move || format!("{} (c)", t(M::CmdCompare)()))
                            .attr("aria-label", t(M::CmdCompare))
                            .attr("disabled", move || !has_pair.get())
                            .on(ev::click, move |_| commands.run(Action::Compare))
                            .child(icon(Icon::Compare, ""))
                            .child(el("span").child(t(M::Compare)))
                    })
                })
                .child(move || {
                    has_runs.get().then(|| {
                        el("button.button.button-ghost")
                            .attr("title", move || format!("{} (S)", t(M::CmdShare)()))
                            .attr("aria-label", t(M::CmdShare))
                            .on(ev::click, move |_| commands.run(Action::Share))
                            .child(icon(Icon::Link, ""))
                            .child(el("span.bar-share").child(t(M::ShareShort)))
                    })
                })
                .child(
                    el("button.button.button-ghost.button-icon.bar-wide")
                        .attr("aria-label", t(M::Help))
                        .attr("title", move || format!("{} (?)", t(M::CmdHelp)()))
                        .on(ev::click, move |_| commands.run(Action::Help))
                        .child(icon(Icon::Help, "")),
                )
                .child(
                    el("button.button.button-ghost.button-icon")
                        .attr("aria-label", t(M::SettingsTitle))
                        .attr("title", t(M::SettingsTitle))
                        .attr("popovertarget", "settings")
                        .child(icon(Icon::Theme, "")),
                ),
        )
        .child(settings_menu())
        .view()
}
