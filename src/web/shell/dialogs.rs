//! The dialogs: all keys, and how to check that nothing leaves. `<dialog>` keeps and returns the focus itself.

use leptos::{ev, prelude::*};

use crate::fuzzy;
use crate::message::{M, text};
use crate::web::commands::{COMMANDS, Command, Scope, caps};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::platform::dom;
use crate::web::state::session::use_session;
use crate::web::state::settings::{Settings, lang, t, tf};
use crate::web::view::{IntoView, View, el};

fn scope_name(scope: Scope) -> M {
    match scope {
        Scope::Everywhere => M::ScopeEverywhere,
        Scope::File => M::ScopeFile,
        Scope::List => M::ScopeList,
        Scope::Run => M::ScopeRun,
        Scope::Skill => M::ScopeSkill,
        Scope::Pair => M::ScopePair,
        Scope::Compare => M::ScopeCompare,
    }
}

/// All keys.
pub fn help_dialog() -> View {
    let settings: Settings = expect_context();
    let words = RwSignal::new(String::new());
    let mac = dom::is_mac();
    let row = move |command: &'static Command| {
        let keys: Vec<String> = command.keys.iter().flat_map(|k| caps(k, mac)).collect();
        el("div.help-row")
            .child(el("dt").child(keys.into_iter().map(kbd).collect::<View>()))
            .child(el("dd").child(t(command.title)))
    };
    let groups = move || {
        let words = words.get();
        let found = |scope: Scope| -> Vec<&'static Command> {
            COMMANDS
                .iter()
                .filter(|c| c.scope == scope && !c.keys.is_empty())
                .filter(|c| {
                    words.trim().is_empty()
                        || c.keys.contains(&words.trim())
                        || fuzzy::score(&words, text(lang(), c.title)).is_some()
                })
                .collect()
        };
        let groups: Vec<_> =
            [Scope::Everywhere, Scope::File, Scope::List, Scope::Run, Scope::Skill, Scope::Pair, Scope::Compare]
                .into_iter()
                .map(|scope| (scope, found(scope)))
                .filter(|(_, commands)| !commands.is_empty())
                .map(|(scope, commands)| {
                    el("section")
                        .child(el("h3.group-head").child(t(scope_name(scope))))
                        .child(el("dl").child(commands.into_iter().map(row).collect::<View>()))
                })
                .collect();
        if groups.is_empty() { el("p.quiet").child(t(M::NothingFound)).view() } else { groups.view() }
    };
    el("dialog.dialog")
        .attr("id", "help")
        .attr("aria-labelledby", "help-title")
        .on(ev::close, move |_| words.set(String::new()))
        .child(
            el("header.dialog-head")
                .child(el("h2").attr("id", "help-title").child(t(M::KeysTitle)))
                .child(close("#help")),
        )
        .child(
            el("div.dialog-body")
                .child(
                    el("label.field").child(icon(Icon::Search, "")).child(
                        el("input.field-input")
                            .attr("type", "text")
                            .attr("autofocus", "")
                            .attr("autocomplete", "off")
                            .attr("placeholder", t(M::FindKey))
                            .attr("aria-label", t(M::FindKey))
                            .prop("value", move || words.get())
                            .on(ev::input, move |e| words.set(event_target_value(&e))),
                    ),
                )
                .child(el("div.help").child(groups)),
        )
        .child(
            el("footer.dialog-foot").child(
                el("label.row")
                    .child(
                        el("input")
                            .attr("type", "checkbox")
                            .prop("checked", move || settings.keys.get())
                            .on(ev::change, move |e| settings.set_keys(event_target_checked(&e))),
                    )
                    .child(" ")
                    .child(t(M::SingleKeys)),
            ),
        )
        .view()
}

/// How to check that nothing leaves.
pub fn privacy_dialog() -> View {
    let session = use_session();
    el("dialog.dialog")
        .attr("id", "privacy")
        .attr("aria-labelledby", "privacy-title")
        .child(
            el("header.dialog-head")
                .child(el("h2").attr("id", "privacy-title").child(t(M::CheckTitle)))
                .child(close("#privacy")),
        )
        .child(
            el("div.dialog-body.prose").child(el("p").child(t(M::CheckLead))).child(
                el("ul")
                    .child(el("li").child(t(M::CheckNetwork)))
                    .child(el("li").child(t(M::CheckOffline)))
                    .child(el("li").child(move || tf(M::CheckCounter, &[("n", &session.sent.get().to_string())])))
                    .child(el("li").child(t(M::CheckPolicy))),
            ),
        )
        .view()
}

pub(super) fn close(selector: &'static str) -> View {
    el("button.button.button-ghost.button-icon")
        .attr("aria-label", t(M::Close))
        .on(ev::click, move |_| dom::close_dialog(selector))
        .child(icon(Icon::Close, ""))
        .view()
}
