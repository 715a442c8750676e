//! The frame: provides the contexts, chooses the screen by the route, and does the commands that are everywhere.

use leptos::prelude::*;

use super::commands::{Action, Commands, Scope};
use super::platform::worker::Engine;
use super::platform::{dom, drag, files, http, idle};
use super::screens::document::DocumentScreen;
use super::screens::formats::FormatsScreen;
use super::screens::home::HomeScreen;
use super::shell::bar::Bar;
use super::shell::dialogs::{HelpDialog, PrivacyDialog};
use super::shell::keyboard;
use super::shell::notices::Notices;
use super::shell::palette::{self, Palette};
use super::shell::rail::Rail;
use super::state::actions::Actions;
use super::state::nav::{Nav, use_route};
use super::state::session::Session;
use super::state::settings::{Settings, Theme, lang, t, tf};
use crate::message::{Lang, M};
use crate::route::{Place, Route};

/// The page.
#[component]
pub fn App() -> AnyView {
    let settings = Settings::load();
    let nav = Nav::start();
    let session = Session::new();
    let engine = Engine::start();
    let commands = Commands::new();
    let actions = Actions::new(session, engine, nav);
    provide_context(settings);
    provide_context(nav);
    provide_context(session);
    provide_context(engine);
    provide_context(commands);
    provide_context(actions);
    http::watch(move |n| session.sent.set(n));
    keyboard::listen(commands, settings);

    let narrow = RwSignal::new(false);
    dom::on_media("(width < 47.5em)", move |is| narrow.set(is));
    let dragged = RwSignal::new(None::<u32>);
    drag::watch(move |count| dragged.set(count), move |dropped| actions.open_dropped(dropped));
    dom::on_window("paste", move |event| {
        if dom::is_typing(&event) {
            return;
        }
        match files::pasted(&event) {
            Some(Ok(dropped)) => actions.open_dropped(dropped),
            Some(Err(text)) => actions.open_text(&text),
            None => {}
        }
    });
    idle::settle();

    commands.on(Scope::Everywhere, move |action| match action {
        Action::ChooseFiles => dom::click("#files"),
        Action::ChooseFolder => dom::click("#folder"),
        Action::Palette => palette::open(),
        Action::Help => dom::open_dialog("#help"),
        Action::Privacy => {
            dom::close_popover("#rail");
            dom::open_dialog("#privacy");
        }
        Action::Home => nav.go(&Route::Home),
        Action::Formats => nav.go(&Route::Formats),
        Action::Theme => {
            let after = |all: &[Theme]| {
                all.iter().cycle().skip_while(|t| **t != settings.theme.get_untracked()).nth(1).copied()
            };
            settings.set_theme(after(&Theme::ALL).unwrap_or_default());
        }
        Action::Language => {
            let after = Lang::ALL.iter().cycle().skip_while(|l| **l != settings.lang.get_untracked()).nth(1).copied();
            settings.set_lang(after.unwrap_or_default());
        }
        _ => {}
    });

    let route = use_route();
    let kind = Memo::new(move |_| match &*route.read() {
        Route::Home => 0,
        Route::Formats => 1,
        Route::Document(_) => 2,
    });
    // Another screen: the keyboard goes to its heading, and reading programs read it.
    let screen = Memo::new(move |_| match &*route.read() {
        Route::Document(place) => (2, place.document.clone(), place.run, place.raw),
        other => (u8::from(*other == Route::Formats), String::new(), None, false),
    });
    Effect::new(move |before: Option<()>| {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        let _ = screen.get();
        if before.is_some() {
            dom::focus_heading(false);
        }
    });
    Effect::new(move |_| dom::set_title(&title(&route.read(), session)));

    let has_files = Memo::new(move |_| session.documents.with(|d| !d.is_empty()));
    view! {
        <a class="skip" href="#main" on:click=move |e| { e.prevent_default(); dom::focus("#main"); }>{t(M::SkipToMain)}</a>
        <div class="app" data-rail=move || (!has_files.get()).then_some("none")>
            <Bar/>
            <Rail narrow/>
            <Notices/>
            <main class="app-main" id="main" tabindex="-1">
                {move || match kind.get() {
                    0 => view! { <HomeScreen/> }.into_any(),
                    1 => view! { <FormatsScreen/> }.into_any(),
                    _ => view! { <DocumentScreen/> }.into_any(),
                }}
            </main>
        </div>
        {move || has_files.get().then(|| view! { <FileCommands/> })}
        {move || dragged.get().map(drop_here)}
        <HelpDialog/>
        <PrivacyDialog/>
        <Palette/>
        <input id="files" type="file" multiple hidden on:change=move |e| actions.open(files::take_chosen(&e))/>
        <input id="folder" type="file" multiple hidden prop:webkitdirectory=true on:change=move |e| actions.open(files::take_chosen(&e))/>
        <input id="again" type="file" multiple hidden on:change=move |e| actions.reload_with(files::take_chosen(&e))/>
        <p class="unseen" role="status">{move || session.polite.get()}</p>
        <p class="unseen" role="alert">{move || session.urgent.get()}</p>
    }
    .into_any()
}

/// Over the whole window while files are dragged. The count may be unknown until they are let go.
fn drop_here(count: u32) -> AnyView {
    let title = if count == 0 { tf(M::DropHere, &[]) } else { tf(M::DropCount, &[("n", &count.to_string())]) };
    view! { <div class="drop"><div class="drop-card"><h2>{title}</h2><p>{t(M::DropStay)}</p></div></div> }.into_any()
}

/// The commands that need a file; draws nothing.
#[component]
fn FileCommands() -> impl IntoView {
    let (nav, session, actions, commands) = (
        expect_context::<Nav>(),
        expect_context::<Session>(),
        expect_context::<Actions>(),
        expect_context::<Commands>(),
    );
    commands.on(Scope::File, move |action| {
        let documents = session.documents.get_untracked();
        let here = match nav.now() {
            Route::Document(Place { document, .. }) => {
                session.by_name_now(&document).and_then(|d| documents.iter().position(|o| o.key == d.key))
            }
            _ => None,
        };
        let n = documents.len().max(1);
        let to = match (action, here) {
            (Action::CloseFile, Some(at)) => return documents.get(at).map_or((), |d| actions.close(d.key)),
            (Action::NextFile, at) => at.map_or(0, |at| (at + 1) % n),
            (Action::PreviousFile, at) => at.map_or(n - 1, |at| (at + n - 1) % n),
            _ => return,
        };
        if let Some(document) = documents.get(to) {
            actions.show(document.name.clone());
        }
    });
}

/// The title of the window.
fn title(route: &Route, session: Session) -> String {
    let name = match route {
        Route::Home => None,
        Route::Formats => Some(crate::message::text(lang(), M::FormatsTitle).to_owned()),
        Route::Document(place) => {
            let document = session.by_name(&place.document);
            let title = document.as_ref().and_then(|d| d.summary()).and_then(|s| {
                let run = if s.runs.len() == 1 { 0 } else { place.run? };
                s.runs.get(run as usize).map(|r| r.title.clone())
            });
            Some(
                title
                    .filter(|t| !t.is_empty())
                    .unwrap_or_else(|| document.map_or_else(|| place.document.clone(), |d| d.name)),
            )
        }
    };
    name.map_or_else(|| "Skillscope".to_owned(), |name| format!("{name} – Skillscope"))
}
