//! The settings: theme, language, how skills are checked, single-key shortcuts. A popover under its button.

use leptos::{ev, prelude::*};

use crate::message::{Lang, M};
use crate::web::commands::{Action, use_commands};
use crate::web::components::icon::kbd;
use crate::web::platform::dom;
use crate::web::state::settings::{Settings, Theme, t};
use crate::web::view::{IntoView, View, el, yes};

pub fn settings_menu() -> View {
    let settings: Settings = expect_context();
    let commands = use_commands();
    let themes = Theme::ALL.map(|theme| {
        el("label.segment-item")
            .child(
                el("input")
                    .attr("type", "radio")
                    .attr("name", "theme")
                    .prop("checked", move || settings.theme.get() == theme)
                    .on(ev::change, move |_| settings.set_theme(theme)),
            )
            .child(t(theme.name()))
    });
    let languages = Lang::ALL.map(|lang| {
        el("label.segment-item")
            .attr("lang", lang.tag())
            .child(
                el("input")
                    .attr("type", "radio")
                    .attr("name", "language")
                    .prop("checked", move || settings.lang.get() == lang)
                    .on(ev::change, move |_| settings.set_lang(lang)),
            )
            .child(lang.name())
    });
    let bad = RwSignal::new(false);
    let profiles = [("core", M::ProfileCore), ("strict", M::ProfileStrict)].map(|(id, name)| {
        el("label.segment-item")
            .child(
                el("input")
                    .attr("type", "radio")
                    .attr("name", "profile")
                    .prop("checked", move || settings.check.read().profile == id)
                    .on(ev::change, move |_| settings.set_profile(id)),
            )
            .child(t(name))
    });
    let supports = el("label.menu-supports").child(t(M::SupportsTitle)).child(
        el("span.field").child(
            el("input.field-input.mono")
                .attr("type", "text")
                .attr("inputmode", "decimal")
                .attr("autocomplete", "off")
                .attr("aria-describedby", "supports-bad")
                .attr("aria-invalid", move || yes(bad.get()))
                .prop("value", move || settings.check.read().supports.clone())
                .on(ev::change, move |e| bad.set(!settings.set_supports(event_target_value(&e).trim()))),
        ),
    );
    el("div.menu")
        .attr("id", "settings")
        .attr("popover", "auto")
        .attr("role", "group")
        .attr("aria-label", t(M::SettingsTitle))
        .child(
            el("fieldset.menu-set").child(el("legend").child(t(M::ThemeTitle))).child(el("div.segment").child(themes)),
        )
        .child(
            el("fieldset.menu-set")
                .child(el("legend").child(t(M::LanguageTitle)))
                .child(el("div.segment").child(languages)),
        )
        .child(
            el("fieldset.menu-set")
                .child(el("legend").child(t(M::SkillCheckTitle)))
                .child(el("div.segment").child(profiles))
                .child(supports)
                .child(
                    el("p.small.bad")
                        .attr("id", "supports-bad")
                        .attr("role", "status")
                        .child(move || bad.get().then(|| t(M::SupportsBad)())),
                ),
        )
        .child(
            el("label.menu-item")
                .child(
                    el("input")
                        .attr("type", "checkbox")
                        .prop("checked", move || settings.keys.get())
                        .on(ev::change, move |e| settings.set_keys(event_target_checked(&e))),
                )
                .child(t(M::SingleKeys)),
        )
        .child(
            el("button.menu-item")
                .on(ev::click, move |_| {
                    dom::close_popover("#settings");
                    commands.run(Action::Help)
                })
                .child(t(M::CmdHelp))
                .child(el("span.end").child(kbd("?"))),
        )
        .child(el("p.menu-set.small.quiet").child(t(M::KeptHere)))
        .view()
}
