//! Notes of a run: the editor, the list with its tour, and what stands in rows and beside a step.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::{Here, at_step};
use crate::web::view::{El, IntoView, View, effect, el};
use crate::{
    format,
    message::M,
    protocol::{Job, Outcome},
    report::{NoteEdit, NoteLine, NotesView, RunRef},
    web::{
        commands::Action,
        components::{
            Words,
            icon::{Icon, icon, kbd},
            rows::Noted,
        },
        platform::{dom, idle},
        state::notes::Notebook,
    },
};

const EDITOR: &str = "dialog.note-editor";
const LIST: &str = "dialog.notes";

/// What the views of a run know of notes.
#[derive(Clone, Copy)]
pub struct Notes {
    pub book: Notebook,
    pub view: RwSignal<Arc<NotesView>>,
    /// The note that is being written.
    editing: RwSignal<Option<NoteEdit>>,
    /// The list is open.
    listed: RwSignal<bool>,
}

impl Notes {
    pub fn new(book: Notebook) -> Self {
        let view = RwSignal::new(Arc::default());
        Self { book, view, editing: RwSignal::new(None), listed: RwSignal::new(false) }
    }
}

fn of(here: Here) -> RunRef {
    RunRef { document: here.document, run: here.run }
}

/// Keeps the notes of the run, does their commands, and draws their dialogs.
pub fn dialogs(here: Here) -> View {
    let notes = here.notes;
    let job = move || {
        // Other files may be what lost notes were about; and notes may come with files.
        here.session.documents.track();
        notes.book.file.track();
        notes.book.job(Some(of(here)))
    };
    here.keep_asking(job, move |outcome| got(here, outcome));
    let editor = move || notes.editing.get().map(|edit| editor(here, edit));
    let list = move || notes.listed.get().then(|| list(here));
    (editor, list).view()
}

fn got(here: Here, outcome: Outcome) {
    if let Outcome::Notes { notes } = outcome {
        here.notes.book.told(&notes);
        if here.notes.view.with_untracked(|v| **v != *notes) {
            here.notes.view.set(Arc::from(notes));
        }
    }
}

/// The commands; whether it was one of them.
pub fn act(here: Here, action: Action) -> bool {
    match action {
        Action::Note => {
            let step = here.place.with_untracked(|p| p.step).unwrap_or(0);
            let first = here.notes.view.with_untracked(|v| v.here.iter().find(|n| n.from == step).map(edit_of));
            here.notes.editing.set(Some(first.unwrap_or_else(|| new_at(step))));
        }
        Action::Notes => here.notes.listed.set(true),
        Action::NextNote => tour(here, false),
        Action::PreviousNote => tour(here, true),
        _ => return false,
    }
    true
}

fn new_at(step: u32) -> NoteEdit {
    NoteEdit { from: step, to: step, ..NoteEdit::default() }
}

fn edit_of(note: &NoteLine) -> NoteEdit {
    let NoteLine { id, from, to, label, text } = note.clone();
    NoteEdit { id, from, to, label, text, gone: false }
}

/// Goes to the next step with a note, around the end.
fn tour(here: Here, back: bool) {
    let step = here.place.with_untracked(|p| p.step);
    let view = here.notes.view.get_untracked();
    let ahead = |n: &&NoteLine| step.is_none_or(|s| if back { n.from < s } else { n.from > s });
    let found = if back {
        view.here.iter().rev().find(ahead).or(view.here.last())
    } else {
        view.here.iter().find(ahead).or(view.here.first())
    };
    let Some(note) = found else {
        return here.session.polite.set(here.words.id("notes.none", &[]));
    };
    let at = view.here.iter().position(|n| n.id == note.id).unwrap_or_default() + 1;
    let args = [("n".to_owned(), at.to_string()), ("of".to_owned(), view.here.len().to_string())];
    here.session.polite.set(format!("{}: {} {}", here.words.id("notes.tour", &args), note.label, note.text));
    show(here, note.from);
}

fn show(here: Here, step: u32) {
    here.closed.set(false);
    here.sheet.set(true);
    here.go(|p| at_step(p, step));
}

fn place(words: Words, note: &NoteLine) -> String {
    if note.from == note.to {
        return words.f(M::StepNo, &[("n", &(note.from + 1).to_string())]);
    }
    let args = [("from", note.from), ("to", note.to)].map(|(k, n)| (k.to_owned(), (n + 1).to_string()));
    words.id("notes.range", &args)
}

/// What the row of these steps says of notes; followed.
pub fn mark(here: Here, from: u32, to: u32) -> Option<Noted> {
    here.notes.view.with(|v| {
        let begin = v.here.iter().filter(|n| (from..=to).contains(&n.from));
        let first = begin.clone().find(|n| !n.label.is_empty()).or(begin.clone().next());
        match first {
            Some(note) if from == to => {
                let said = if note.label.is_empty() { &note.text } else { &note.label };
                Some(Noted { label: format::one_line(said, 60), count: begin.count() as u32 })
            }
            Some(_) => Some(Noted { label: String::new(), count: begin.count() as u32 }),
            None => v.here.iter().any(|n| n.from < from && n.to >= from).then(Noted::default),
        }
    })
}

/// The notes on a step, in the inspector; followed.
pub fn beside(here: Here, step: Memo<Option<u32>>) -> View {
    let words = here.words;
    let notes = here.notes;
    let found = Memo::new(move |_| {
        let step = step.get();
        let on = |n: &&NoteLine| step.is_some_and(|s| n.from <= s && s <= n.to);
        notes.view.with(|v| (v.here.iter().filter(on).cloned().collect::<Vec<_>>(), v.all))
    });
    let draw = move || {
        let (here_are, all) = found.get();
        let list = here_are.into_iter().map(|note| card(here, note)).collect::<View>();
        let button = |id: &str, key: &'static str, action: Action| {
            el("button.button.button-small")
                .on(ev::click, move |_| {
                    let _ = act(here, action);
                })
                .child(words.id(id, &[]))
                .child(kbd(key.to_owned()))
        };
        el("div.notes-beside")
            .child(list)
            .child(
                el("div.row")
                    .child(button("notes.add", "m", Action::Note))
                    .child((all > 0).then(|| button("notes.open", "M", Action::Notes))),
            )
            .view()
    };
    draw.view()
}

fn card(here: Here, note: NoteLine) -> El {
    let edit = edit_of(&note);
    let range = (note.from != note.to).then(|| el("span.quiet.small").child(place(here.words, &note)));
    el("article.note")
        .child(
            el("div.row")
                .child((!note.label.is_empty()).then(|| el("span.chip.note-label").child(note.label.clone())))
                .child(range)
                .child(
                    el("button.button.button-small.button-ghost.end")
                        .on(ev::click, move |_| here.notes.editing.set(Some(edit.clone())))
                        .child(here.words.id("notes.edit", &[])),
                ),
        )
        .child((!note.text.is_empty()).then(|| el("p.note-text").child(note.text)))
}

/// A dialog that opens by being drawn; `gone` says that it was closed.
fn dialog(class: &'static str, title: String, gone: impl Fn() + 'static, body: View, foot: View) -> View {
    let node = NodeRef::<html::Dialog>::new();
    effect(move || {
        if let Some(dialog) = node.get()
            && !dialog.open()
        {
            let _ = dialog.show_modal();
        }
    });
    let shut = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    el("dialog")
        .class(class)
        .node(node)
        .attr("aria-labelledby", "notes-title")
        .on(ev::close, move |_| gone())
        .child(
            el("header.dialog-head").child(el("h2").attr("id", "notes-title").child(title)).child(
                el("button.button.button-ghost.button-icon")
                    .attr("aria-label", crate::web::state::settings::t(M::Close))
                    .on(ev::click, move |_| shut())
                    .child(icon(Icon::Close, "")),
            ),
        )
        .child(body)
        .child(foot)
        .view()
}

fn editor(here: Here, edit: NoteEdit) -> View {
    let words = here.words;
    let draft = StoredValue::new(edit.clone());
    let complaint = RwSignal::new(false);
    let send = move |gone: bool| {
        let edit = NoteEdit { gone, ..draft.get_value() };
        if !gone && edit.label.trim().is_empty() && edit.text.trim().is_empty() {
            return complaint.set(true);
        }
        // The browser gives the keyboard back to where it was.
        dom::close_dialog(EDITOR);
        spawn_local(async move {
            let _busy = idle::busy();
            let outcome = here.ask(Job::SetNote { run: of(here), edit, now: dom::timestamp() }).await;
            if !here.is_gone() {
                got(here, outcome);
            }
        });
    };
    let step = edit.from;
    let known = !edit.id.is_empty();
    let body = el("div.dialog-body.note-form")
        .on(ev::keydown, move |e| {
            if e.key() == "Enter" && (e.ctrl_key() || e.meta_key()) {
                e.prevent_default();
                send(false);
            }
        })
        .child(
            el("label.note-field").child(words.id("notes.label", &[])).child(
                el("span.field").child(
                    el("input.field-input")
                        .attr("maxlength", "80")
                        .attr("autofocus", "")
                        .attr("value", edit.label.clone())
                        .on(ev::input, move |e| draft.update_value(|d| d.label = event_target_value(&e))),
                ),
            ),
        )
        .child(
            el("label.note-field").child(words.id("notes.comment", &[])).child(
                el("textarea.field-input.note-area")
                    .attr("rows", "5")
                    .attr("maxlength", "20000")
                    .child(edit.text.clone())
                    .on(ev::input, move |e| draft.update_value(|d| d.text = event_target_value(&e))),
            ),
        )
        .child(
            el("label.row").child(words.id("notes.until", &[])).child(
                el("span.field.field-number").child(
                    el("input.field-input")
                        .attr("type", "number")
                        .attr("min", (step + 1).to_string())
                        .attr("value", (edit.to + 1).to_string())
                        .on(ev::input, move |e| {
                            let n = event_target_value(&e).parse::<u32>().unwrap_or(0).saturating_sub(1);
                            draft.update_value(|d| d.to = n.max(step));
                        }),
                ),
            ),
        )
        .child(
            el("p.bad.small")
                .attr("role", "alert")
                .child(move || complaint.get().then(|| words.id("notes.empty", &[]))),
        )
        .view();
    let foot = el("footer.dialog-foot.note-foot")
        .child(known.then(|| {
            (
                el("button.button").on(ev::click, move |_| send(true)).child(words.id("notes.delete", &[])),
                el("button.button")
                    .on(ev::click, move |_| {
                        dom::close_dialog(EDITOR);
                        here.notes.editing.set(Some(new_at(step)));
                    })
                    .child(words.id("notes.another", &[])),
            )
        }))
        .child(
            el("button.button.button-primary.end")
                .on(ev::click, move |_| send(false))
                .child(words.id("notes.save", &[]))
                .child(kbd("Ctrl ↵".to_owned())),
        )
        .view();
    let title = words.id("notes.new", &[("n".into(), (step + 1).to_string())]);
    // Another may have taken its place by then.
    let gone = move || {
        if here.notes.editing.with_untracked(|e| e.as_ref() == Some(&edit)) {
            here.notes.editing.set(None);
        }
    };
    dialog("dialog note-editor", title, gone, body, foot)
}

fn list(here: Here) -> View {
    let words = here.words;
    let notes = here.notes;
    let row = move |note: &NoteLine| {
        let (from, edit) = (note.from, edit_of(note));
        el("li.note-row")
            .child(
                el("a.link")
                    .attr("href", here.href(|p| at_step(p, from)))
                    .on(ev::click, move |_| {
                        dom::close_dialog(LIST);
                        here.closed.set(false);
                        here.sheet.set(true);
                    })
                    .child(place(words, note)),
            )
            .child(
                el("div.note-said")
                    .child((!note.label.is_empty()).then(|| el("strong").child(note.label.clone())))
                    .child((!note.text.is_empty()).then(|| el("p.note-text").child(note.text.clone()))),
            )
            .child(
                el("button.button.button-small.button-ghost")
                    .on(ev::click, move |_| {
                        dom::close_dialog(LIST);
                        notes.editing.set(Some(edit.clone()));
                    })
                    .child(words.id("notes.edit", &[])),
            )
    };
    let lost = move |note: &NoteLine| {
        el("li.note-row")
            .child(el("span.quiet").child(words.id("notes.was", &[("n".into(), (note.from + 1).to_string())])))
            .child(
                el("div.note-said")
                    .child((!note.label.is_empty()).then(|| el("strong").child(note.label.clone())))
                    .child((!note.text.is_empty()).then(|| el("p.note-text").child(note.text.clone()))),
            )
    };
    let content = move || {
        let view = notes.view.get();
        let lead = (view.all > 0).then(|| words.id("notes.lead", &[("n".into(), view.all.to_string())]));
        (
            lead.map(|lead| el("p.quiet").child(lead)),
            view.here.is_empty().then(|| el("p").child(words.id("notes.none", &[]))),
            (!view.here.is_empty()).then(|| el("ol.note-list").child(view.here.iter().map(row).collect::<View>())),
            (!view.lost.is_empty()).then(|| {
                el("section")
                    .child(el("h3.group-head").child(words.id("notes.lost", &[])))
                    .child(el("ul.note-list").child(view.lost.iter().map(lost).collect::<View>()))
            }),
        )
            .view()
    };
    let tour = move |id: &str, key: &'static str, back: bool| {
        el("button.button")
            .attr("disabled", move || notes.view.with(|v| v.here.is_empty()))
            .on(ev::click, move |_| {
                dom::close_dialog(LIST);
                self::tour(here, back);
            })
            .child(words.id(id, &[]))
            .child(kbd(key.to_owned()))
    };
    let foot = el("footer.dialog-foot.note-foot")
        .child(tour("notes.previous", "{", true))
        .child(tour("notes.next", "}", false))
        .child(
            el("span.quiet.small.end")
                .attr("role", "status")
                .child(move || notes.book.is_unsaved().then(|| words.id("notes.unsaved", &[]))),
        )
        .child(
            el("button.button.button-primary")
                .attr("disabled", move || notes.book.file.with(String::is_empty))
                .on(ev::click, move |_| {
                    let name = here.session.by_key(here.document).map(|d| d.name).unwrap_or_default();
                    notes.book.save(&name);
                })
                .child(icon(Icon::Down, ""))
                .child(words.id("notes.file", &[])),
        )
        .view();
    let body = el("div.dialog-body.note-body").attr("tabindex", "0").child(content).view();
    dialog("dialog notes", words.id("notes.title", &[]), move || notes.listed.set(false), body, foot)
}

/// Where a link names its step by content, goes there when it stands elsewhere, and says so.
pub fn follow_name(here: Here) {
    let wanted = Memo::new(move |_| here.place.with(|p| (p.step, p.named.clone())));
    effect(move || {
        let (Some(step), named) = wanted.get() else { return };
        if named.is_empty() {
            return;
        }
        spawn_local(async move {
            let outcome = here.ask(Job::StepName { run: of(here), step, name: named.clone() }).await;
            if here.is_gone() || wanted.try_get_untracked() != Some((Some(step), named)) {
                return;
            }
            let Outcome::StepName { step: found, .. } = outcome else { return };
            let arg = |name: &str, n: u32| (name.to_owned(), (n + 1).to_string());
            let said = match found {
                Some(found) if found == step => return,
                Some(found) => {
                    here.replace(|p| p.step = Some(found));
                    ("step.moved", vec![arg("n", found), arg("was", step)])
                }
                None => {
                    here.replace(|p| p.named.clear());
                    ("step.gone", vec![arg("n", step)])
                }
            };
            here.say(said.0, said.1);
        });
    });
}
