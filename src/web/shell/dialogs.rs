//! The dialogs: all keys, and how to check that nothing leaves. `<dialog>` keeps and returns the focus itself.

use leptos::prelude::*;

use crate::fuzzy;
use crate::message::{M, text};
use crate::web::commands::{COMMANDS, Command, Scope, caps};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::platform::dom;
use crate::web::state::session::use_session;
use crate::web::state::settings::{Settings, lang, t, tf};

fn scope_name(scope: Scope) -> M {
    match scope {
        Scope::Everywhere => M::ScopeEverywhere,
        Scope::File => M::ScopeFile,
        Scope::List => M::ScopeList,
        Scope::Run => M::ScopeRun,
    }
}

/// All keys.
#[component]
pub fn HelpDialog() -> AnyView {
    let settings: Settings = expect_context();
    let words = RwSignal::new(String::new());
    let mac = dom::is_mac();
    let row = move |command: &'static Command| {
        let keys: Vec<String> = command.keys.iter().flat_map(|k| caps(k, mac)).collect();
        view! { <div class="help-row"><dt>{keys.into_iter().map(kbd).collect_view()}</dt><dd>{t(command.title)}</dd></div> }
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
        let groups: Vec<_> = [Scope::Everywhere, Scope::File, Scope::List, Scope::Run]
            .into_iter()
            .map(|scope| (scope, found(scope)))
            .filter(|(_, commands)| !commands.is_empty())
            .map(|(scope, commands)| {
                view! { <section><h3 class="group-head">{t(scope_name(scope))}</h3><dl>{commands.into_iter().map(row).collect_view()}</dl></section> }
            })
            .collect();
        if groups.is_empty() {
            view! { <p class="quiet">{t(M::NothingFound)}</p> }.into_any()
        } else {
            groups.into_any()
        }
    };
    view! {
        <dialog class="dialog" id="help" aria-labelledby="help-title" on:close=move |_| words.set(String::new())>
            <header class="dialog-head">
                <h2 id="help-title">{t(M::KeysTitle)}</h2>
                {close("#help")}
            </header>
            <div class="dialog-body">
                <label class="field">
                    {icon(Icon::Search, "")}
                    <input class="field-input" type="text" autofocus autocomplete="off" placeholder=t(M::FindKey) aria-label=t(M::FindKey)
                        prop:value=words on:input=move |e| words.set(event_target_value(&e))/>
                </label>
                <div class="help">{groups}</div>
            </div>
            <footer class="dialog-foot">
                <label class="row">
                    <input type="checkbox" prop:checked=move || settings.keys.get() on:change=move |e| settings.set_keys(event_target_checked(&e))/>
                    " "{t(M::SingleKeys)}
                </label>
            </footer>
        </dialog>
    }
    .into_any()
}

/// How to check that nothing leaves.
#[component]
pub fn PrivacyDialog() -> AnyView {
    let session = use_session();
    view! {
        <dialog class="dialog" id="privacy" aria-labelledby="privacy-title">
            <header class="dialog-head">
                <h2 id="privacy-title">{t(M::CheckTitle)}</h2>
                {close("#privacy")}
            </header>
            <div class="dialog-body prose">
                <p>{t(M::CheckLead)}</p>
                <ul>
                    <li>{t(M::CheckNetwork)}</li>
                    <li>{t(M::CheckOffline)}</li>
                    <li>{move || tf(M::CheckCounter, &[("n", &session.sent.get().to_string())])}</li>
                    <li>{t(M::CheckPolicy)}</li>
                </ul>
            </div>
        </dialog>
    }
    .into_any()
}

fn close(selector: &'static str) -> AnyView {
    view! {
        <button class="button button-ghost button-icon" aria-label=t(M::Close) on:click=move |_| dom::close_dialog(selector)>{icon(Icon::Close, "")}</button>
    }
    .into_any()
}
