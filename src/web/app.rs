//! The frame: provides the contexts, chooses the screen by the route, and does the commands that are everywhere.

use leptos::{ev, prelude::*};

use super::commands::{Action, Commands, Scope};
use super::platform::worker::Engine;
use super::platform::{carried, dom, drag, files, http, idle, messages};
use super::screens::compare::{compare_screen, pair_commands};
use super::screens::document::document_screen;
use super::screens::formats::formats_screen;
use super::screens::home::home_screen;
use super::screens::link::link_screen;
use super::screens::many::all_runs_screen;
use super::screens::visit::visit_screen;
use super::shell::bar::bar;
use super::shell::dialogs::{help_dialog, privacy_dialog};
use super::shell::keyboard;
use super::shell::notices::notices;
use super::shell::palette;
use super::shell::rail::rail;
use super::shell::share::share_dialog;
use super::state::actions::Actions;
use super::state::judge::Judges;
use super::state::link::Links;
use super::state::nav::{Nav, use_route};
use super::state::notes::Notebook;
use super::state::session::Session;
use super::state::settings::{Settings, Theme, lang, t, tf, ti};
use super::state::share::Shares;
use super::state::visit::Visits;
use crate::message::{Lang, M};
use crate::route::{Place, Route};
use crate::web::view::{IntoView, View, effect, el};

/// The page.
pub fn app() -> View {
    let settings = Settings::load();
    let nav = Nav::start();
    let session = Session::new();
    let engine = Engine::start();
    let commands = Commands::new();
    let book = Notebook::new(session, engine, nav);
    let actions = Actions::new(session, engine, nav, book);
    provide_context(settings);
    provide_context(nav);
    provide_context(session);
    provide_context(engine);
    provide_context(commands);
    provide_context(actions);
    provide_context(book);
    provide_context(Visits::new(engine, actions, settings));
    provide_context(Judges::new(engine));
    let links = Links::new(session, nav, actions);
    provide_context(links);
    provide_context(Shares::new(session, engine, nav, links, book));
    actions.open(carried::documents());
    messages::listen(move |files| actions.open(files));
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
        Action::Visit => nav.go(&Route::Check(String::new())),
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
        Route::Check(_) => 2,
        Route::Document(_) => 3,
        Route::Compare(_) => 4,
        Route::Runs(_) => 5,
        Route::Open(_) => 6,
    });
    // Another screen: the keyboard goes to its heading, and reading programs read it.
    let screen = Memo::new(move |_| match &*route.read() {
        Route::Document(place) => (3, place.document.clone(), place.run, place.raw),
        Route::Home => (0, String::new(), None, false),
        Route::Formats => (1, String::new(), None, false),
        Route::Check(_) => (2, String::new(), None, false),
        Route::Compare(_) => (4, String::new(), None, false),
        Route::Runs(_) => (5, String::new(), None, false),
        // Another link is another screen.
        Route::Open(_) => (6, route.read().hash(), None, false),
    });
    let mut first = true;
    effect(move || {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        let _ = screen.get();
        if !std::mem::take(&mut first) {
            dom::focus_heading(false);
        }
    });
    effect(move || dom::set_title(&title(&route.read(), session)));

    let has_pair = Memo::new(move |_| session.runs() > 1);
    let has_files = Memo::new(move |_| session.documents.with(|d| !d.is_empty()));
    (
        el("a.skip")
            .attr("href", "#main")
            .on(ev::click, move |e| {
                e.prevent_default();
                dom::focus("#main");
            })
            .child(t(M::SkipToMain)),
        el("div.app")
            .attr("data-rail", move || (!has_files.get()).then_some("none"))
            .child(bar())
            .child(rail(narrow))
            .child(notices())
            .child(el("main.app-main").attr("id", "main").attr("tabindex", "-1").child(move || match kind.get() {
                0 => untrack(home_screen),
                1 => untrack(formats_screen),
                2 => untrack(visit_screen),
                4 => untrack(compare_screen),
                5 => untrack(all_runs_screen),
                6 => untrack(link_screen),
                _ => untrack(document_screen),
            })),
        (
            move || has_files.get().then(|| untrack(file_commands)),
            move || has_pair.get().then(|| untrack(pair_commands)),
        ),
        move || dragged.get().map(drop_here),
        help_dialog(),
        (privacy_dialog(), share_dialog()),
        palette::palette(),
        choosers(actions),
        el("p.unseen").attr("role", "status").child(move || session.polite.get()),
        el("p.unseen").attr("role", "alert").child(move || session.urgent.get()),
    )
        .view()
}

/// The browser's own ways to choose files; buttons stand for them.
fn choosers(actions: Actions) -> View {
    let chooser =
        |id: &'static str| el("input").attr("id", id).attr("type", "file").attr("multiple", "").attr("hidden", "");
    let open = move |event| actions.open(files::take_chosen(&event));
    (
        chooser("files").on(ev::change, open),
        chooser("folder").prop("webkitdirectory", || true).on(ev::change, open),
        chooser("again").on(ev::change, move |event| actions.reload_with(files::take_chosen(&event))),
    )
        .view()
}

/// Over the whole window while files are dragged. The count may be unknown until they are let go.
fn drop_here(count: u32) -> View {
    let title = if count == 0 { tf(M::DropHere, &[]) } else { tf(M::DropCount, &[("n", &count.to_string())]) };
    el("div.drop").child(el("div.drop-card").child(el("h2").child(title)).child(el("p").child(t(M::DropStay)))).view()
}

/// The commands that need a file; draws nothing.
fn file_commands() {
    let (nav, session, actions, commands) = (
        expect_context::<Nav>(),
        expect_context::<Session>(),
        expect_context::<Actions>(),
        expect_context::<Commands>(),
    );
    let shares: Shares = expect_context();
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
            (Action::Share, _) => return shares.open(),
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
        Route::Check(_) => Some(crate::message::text(lang(), M::VisitTitle).to_owned()),
        Route::Compare(_) => Some(crate::message::text(lang(), M::CompareTitle).to_owned()),
        Route::Formats => Some(crate::message::text(lang(), M::FormatsTitle).to_owned()),
        Route::Runs(_) => Some(ti("many.all", &[])),
        Route::Open(_) => Some(super::state::settings::ti("link.title", &[])),
        Route::Document(place) => {
            let document = session.by_name(&place.document);
            let title = document.as_ref().and_then(|d| d.summary()).and_then(|s| {
                if let Some(skills) = &s.skills {
                    return Some(skills.title.clone());
                }
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
