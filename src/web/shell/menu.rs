//! The settings: theme, language, single-key shortcuts. A popover under its button.

use leptos::prelude::*;

use crate::message::{Lang, M};
use crate::web::commands::{Action, use_commands};
use crate::web::components::icon::kbd;
use crate::web::platform::dom;
use crate::web::state::settings::{Settings, Theme, t};

#[component]
pub fn SettingsMenu() -> AnyView {
    let settings: Settings = expect_context();
    let commands = use_commands();
    let themes = Theme::ALL
        .map(|theme| {
            view! {
                <label class="segment-item">
                    <input type="radio" name="theme" prop:checked=move || settings.theme.get() == theme on:change=move |_| settings.set_theme(theme)/>
                    {t(theme.name())}
                </label>
            }
        })
        .collect_view();
    let languages = Lang::ALL
        .map(|lang| {
            view! {
                <label class="segment-item" lang=lang.tag()>
                    <input type="radio" name="language" prop:checked=move || settings.lang.get() == lang on:change=move |_| settings.set_lang(lang)/>
                    {lang.name()}
                </label>
            }
        })
        .collect_view();
    view! {
        <div class="menu" id="settings" popover="auto" role="group" aria-label=t(M::SettingsTitle)>
            <fieldset class="menu-set"><legend>{t(M::ThemeTitle)}</legend><div class="segment">{themes}</div></fieldset>
            <fieldset class="menu-set"><legend>{t(M::LanguageTitle)}</legend><div class="segment">{languages}</div></fieldset>
            <label class="menu-item">
                <input type="checkbox" prop:checked=move || settings.keys.get() on:change=move |e| settings.set_keys(event_target_checked(&e))/>
                {t(M::SingleKeys)}
            </label>
            <button class="menu-item" on:click=move |_| { dom::close_popover("#settings"); commands.run(Action::Help) }>
                {t(M::CmdHelp)}<span class="end">{kbd("?")}</span>
            </button>
            <p class="menu-set small quiet">{t(M::KeptHere)}</p>
        </div>
    }
    .into_any()
}
