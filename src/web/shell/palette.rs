//! The palette: commands, files and steps in one list, by a few letters. Steps are searched by the worker, a moment
//! after the last letter.

use leptos::task::spawn_local;
use leptos::{ev, prelude::*};

use crate::fuzzy;
use crate::message::{M, text};
use crate::protocol::{Job, Outcome};
use crate::report::Hit;
use crate::route::{Place, Route};
use crate::web::commands::{Action, COMMANDS, caps, use_commands};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::platform::worker::use_engine;
use crate::web::platform::{dom, idle};
use crate::web::state::nav::use_nav;
use crate::web::state::session::{Document, use_session};
use crate::web::state::settings::{lang, t, tf};
use crate::web::view::{IntoView, View, el};

/// Steps that are asked for.
const STEPS: u32 = 30;
/// How long the fingers must rest before the worker is asked.
const REST_MS: i32 = 120;

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Command(Action, M, Vec<String>),
    File(Document),
    Step(Hit, String),
}

/// Puts an entry where its score belongs, behind those of the same score.
fn rank(entries: &mut Vec<(i32, Entry)>, score: i32, entry: Entry) {
    let at = entries.partition_point(|(other, _)| *other >= score);
    entries.insert(at, (score, entry));
}

/// Opens the palette.
pub fn open() {
    dom::open_dialog("#palette");
    dom::focus("#palette-words");
}

pub fn palette() -> View {
    let session = use_session();
    let engine = use_engine();
    let nav = use_nav();
    let commands = use_commands();
    let words = RwSignal::new(String::new());
    let hits = RwSignal::new((String::new(), Vec::<Hit>::new()));
    let at = RwSignal::new(0usize);
    let asked = StoredValue::new(0u32);
    let mac = dom::is_mac();

    let entries = Memo::new(move |_| {
        let words = words.get();
        let lang = lang();
        let mut found = Vec::new();
        for command in COMMANDS.iter().filter(|c| c.action != Action::Palette && commands.available(c)) {
            if let Some(score) = fuzzy::score(&words, text(lang, command.title)) {
                let keys = command.keys.iter().flat_map(|k| caps(k, mac)).collect();
                rank(&mut found, score, Entry::Command(command.action, command.title, keys));
            }
        }
        let mut files = Vec::new();
        for document in session.documents.get() {
            let title = document.summary().and_then(|s| {
                let skills = s.skills.as_ref().map(|s| s.title.clone());
                skills.or_else(|| s.runs.first().map(|r| r.title.clone()))
            });
            let title = title.unwrap_or_default();
            if let Some(score) = fuzzy::score(&words, &format!("{} {title}", document.name)) {
                rank(&mut files, score, Entry::File(document));
            }
        }
        files.truncate(20);
        found.extend(files);
        let (of, hits) = hits.get();
        if of == words.trim() {
            found.extend(hits.into_iter().filter_map(|hit| {
                let name = session.by_key(hit.document)?.name;
                Some((0, Entry::Step(hit, name)))
            }));
        }
        found.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>()
    });
    let search = move || {
        let turn = asked.get_value() + 1;
        asked.set_value(turn);
        at.set(0);
        spawn_local(async move {
            let _busy = idle::busy();
            dom::sleep(REST_MS).await;
            let words = words.get_untracked().trim().to_owned();
            if asked.get_value() != turn || words.chars().count() < 2 || session.documents.with_untracked(Vec::is_empty)
            {
                return;
            }
            let outcome = engine.ask(Job::Search { words: words.clone(), limit: STEPS }).await;
            if let Outcome::Hits { hits: found } = outcome
                && asked.get_value() == turn
            {
                hits.set((words, found));
            }
        });
    };
    let choose = move |entry: Entry| {
        dom::close_dialog("#palette");
        match entry {
            Entry::Command(action, ..) => commands.run(action),
            Entry::File(document) => nav.go(&Route::Document(Place { document: document.name, ..Place::default() })),
            Entry::Step(hit, document) => {
                let many = session.by_key(hit.document).and_then(|d| d.summary_now()).is_some_and(|s| s.runs.len() > 1);
                nav.go(&Route::Document(Place {
                    document,
                    run: many.then_some(hit.run),
                    step: Some(hit.row.step),
                    ..Place::default()
                }));
            }
        }
    };
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        let count = entries.with_untracked(Vec::len);
        let now = at.get_untracked();
        let to = match event.key().as_str() {
            "ArrowDown" if count > 0 => (now + 1) % count,
            "ArrowUp" if count > 0 => (now + count - 1) % count,
            "Enter" if !event.is_composing() => {
                event.prevent_default();
                if let Some(entry) = entries.with_untracked(|e| e.get(now).cloned()) {
                    choose(entry);
                }
                return;
            }
            _ => return,
        };
        event.prevent_default();
        at.set(to);
        dom::after(0, move || dom::reveal(&format!("#palette-{to}")));
    };
    let option = move |i: usize, entry: Entry| {
        let (which, label, place) = match &entry {
            Entry::Command(_, title, keys) => {
                let keys = keys.iter().cloned().map(kbd).collect::<View>();
                (Icon::Go, t(*title)().to_owned(), keys.view())
            }
            Entry::File(document) => {
                let skills = document.summary_now().is_some_and(|s| s.skills.is_some());
                (if skills { Icon::Skill } else { Icon::Run }, document.name.clone(), ().view())
            }
            Entry::Step(hit, name) => {
                let row = &hit.row;
                let many = session.documents.with_untracked(|d| d.len() > 1);
                let place = many.then(|| crate::format::middle(name.rsplit('/').next().unwrap_or_default(), 24));
                (Icon::Run, format!("{} {} {}", row.step + 1, row.label, row.preview), place.view())
            }
        };
        el("li.option")
            .attr("role", "option")
            .attr("id", format!("palette-{i}"))
            .attr("aria-selected", move || if at.get() == i { "true" } else { "false" })
            .on(ev::click, move |_| choose(entry.clone()))
            .on(ev::mousemove, move |_| {
                if at.get_untracked() != i {
                    at.set(i)
                }
            })
            .child(icon(which, ""))
            .child(el("span.option-text").child(label))
            .child(el("span.option-where").child(place))
            .view()
    };
    let list = move || {
        let mut out = Vec::new();
        let mut last = 0;
        for (i, entry) in entries.get().into_iter().enumerate() {
            let (group, name) = match entry {
                Entry::Command(..) => (1, M::PaletteCommands),
                Entry::File(_) => (2, M::PaletteFiles),
                Entry::Step(..) => (3, M::PaletteSteps),
            };
            if group != last {
                last = group;
                out.push(el("li.group-head").attr("role", "presentation").child(t(name)).view());
            }
            out.push(option(i, entry));
        }
        out
    };
    el("dialog.dialog.palette")
        .attr("id", "palette")
        .attr("aria-label", t(M::CmdPalette))
        .on(ev::close, move |_| {
            words.set(String::new());
            at.set(0);
        })
        .child(
            el("div.palette-head").child(icon(Icon::Search, "")).child(
                el("input")
                    .attr("id", "palette-words")
                    .attr("type", "text")
                    .attr("autocomplete", "off")
                    .attr("spellcheck", "false")
                    .attr("placeholder", t(M::SearchSteps))
                    .attr("aria-label", t(M::SearchSteps))
                    .attr("role", "combobox")
                    .attr("aria-expanded", "true")
                    .attr("aria-controls", "palette-list")
                    .attr("aria-autocomplete", "list")
                    .attr("aria-activedescendant", move || format!("palette-{}", at.get()))
                    .prop("value", move || words.get())
                    .on(ev::input, move |e| {
                        words.set(event_target_value(&e));
                        search();
                    })
                    .on(ev::keydown, keydown),
            ),
        )
        .child(
            el("div.palette-list")
                .child(
                    el("ul")
                        .attr("role", "listbox")
                        .attr("id", "palette-list")
                        .attr("aria-label", t(M::CmdPalette))
                        .child(list),
                )
                .child(el("p.menu-set.quiet").attr("role", "status").child(move || match entries.with(Vec::len) {
                    0 => tf(M::NothingFound, &[]),
                    n => tf(M::PaletteCount, &[("n", &n.to_string())]),
                })),
        )
        .child(
            el("footer.dialog-foot.quiet.small.row")
                .child(el("span").child(kbd("↑")).child(" ").child(kbd("↓")).child(" ").child(t(M::PaletteChoose)))
                .child(el("span").child(kbd("Enter")).child(" ").child(t(M::PaletteOpen)))
                .child(el("span").child(kbd("Esc")).child(" ").child(t(M::PaletteClose))),
        )
        .view()
}
