//! The inspector beside the list, or in a dialog where there is no room for it.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::Here;
use crate::web::view::{IntoView, View, effect, el};
use crate::{
    message::M,
    protocol::{Job, Outcome},
    report::{Detail, RawText},
    web::{
        commands::Action,
        components::inspector::{Acts, Record, inspector},
        platform::look,
        state::session,
    },
};

/// Draws the step that the route names.
pub fn pane(here: Here) -> View {
    let words = here.words;
    let step = Memo::new(move |_| here.place.with(|p| p.step));
    let detail = RwSignal::new(None::<Arc<Detail>>);
    let trouble = RwSignal::new(None::<String>);
    follow(here, step, detail, trouble);
    let record = RwSignal::new(None::<Record>);
    follow_record(here, step, record);

    let acts = Acts {
        previous: Callback::new(move |()| here.commands.run(Action::PreviousStep)),
        next: Callback::new(move |()| here.commands.run(Action::NextStep)),
        close: Callback::new(move |()| {
            here.closed.set(true);
            here.sheet.set(false);
        }),
        copy_link: Callback::new(move |()| here.copy_link()),
        toggle_raw: Callback::new(move |()| toggle_raw(here)),
        copy: Callback::new(move |text: String| here.copy(text)),
    };
    let content = move || match (detail.get(), trouble.get()) {
        (_, Some(why)) => el("p.inspector-section.quiet").child(why).view(),
        (Some(detail), None) => {
            let notes = super::notes::beside(here, step);
            inspector(words, &detail, here.step_href(), acts, (record.into(), here.copied.into()), notes)
        }
        (None, None) => ().view(),
    };
    let label = move || words.f(M::StepNo, &[("n", &step.get().map(|s| (s + 1).to_string()).unwrap_or_default())]);

    let roomy = look::media("(width >= 68.75em)");
    let shown = Memo::new(move |_| match (roomy.get(), step.get()) {
        (_, None) => 0,
        (true, Some(_)) if here.closed.get() => 0,
        (true, Some(_)) => 1,
        (false, Some(_)) if here.sheet.get() => 2,
        (false, Some(_)) => 0,
    });
    let draw = move || match shown.get() {
        1 => el("aside.inspector").attr("aria-label", label).attr("tabindex", "-1").child(content).view(),
        2 => sheet(here, label, content),
        _ => ().view(),
    };
    draw.view()
}

/// The dialog; Escape and the button close it, and the focus goes back to where it was by the browser's own doing.
fn sheet(
    here: Here,
    label: impl Fn() -> String + Send + Sync + 'static,
    content: impl Fn() -> View + Send + Sync + 'static,
) -> View {
    let node = NodeRef::<html::Dialog>::new();
    effect(move || {
        if let Some(dialog) = node.get()
            && !dialog.open()
        {
            let _ = dialog.show_modal();
        }
    });
    el("dialog.dialog.dialog-side.inspector-sheet")
        .node(node)
        .attr("aria-label", label)
        .on(ev::close, move |_| here.sheet.set(false))
        .child(content)
        .view()
}

/// Switches between the reading of the step and its record.
pub fn toggle_raw(here: Here) {
    if here.place.with_untracked(|p| p.step.is_some()) {
        here.closed.set(false);
        here.replace(|p| p.raw = !p.raw);
    }
}

/// Keeps the detail at the step. One question at a time: while keys are held, steps in between are skipped.
fn follow(
    here: Here,
    step: Memo<Option<u32>>,
    detail: RwSignal<Option<Arc<Detail>>>,
    trouble: RwSignal<Option<String>>,
) {
    let asking = StoredValue::new(false);
    effect(move || {
        if step.get().is_none() || asking.get_value() {
            return;
        }
        asking.set_value(true);
        spawn_local(async move {
            let mut done = None;
            while let Some(Some(wanted)) = step.try_get_untracked()
                && done != Some(wanted)
            {
                let outcome = here.ask(Job::Detail { document: here.document, run: here.run, step: wanted }).await;
                let fault = super::fault(here, &outcome);
                if let Outcome::Detail { detail: found } = outcome {
                    let _ = detail.try_set(Some(Arc::from(found)));
                }
                let _ = trouble.try_set(fault);
                done = Some(wanted);
            }
            let _ = asking.try_set_value(false);
        });
    });
}

/// Keeps the record at the step while the route asks for it.
fn follow_record(here: Here, step: Memo<Option<u32>>, record: RwSignal<Option<Record>>) {
    let wanted = Memo::new(move |_| if here.place.with(|p| p.raw) { step.get() } else { None });
    effect(move || {
        let Some(step) = wanted.get() else {
            record.set(None);
            return;
        };
        record.set(Some(Record::Loading));
        spawn_local(async move {
            let found = read_record(here, step).await;
            if wanted.try_get_untracked() == Some(Some(step)) {
                let _ = record.try_set(Some(found));
            }
        });
    });
}

async fn read_record(here: Here, step: u32) -> Record {
    match here.ask(Job::Raw { document: here.document, run: here.run, step }).await {
        Outcome::Raw { raw: RawText::Text { text } } => Record::Text(text),
        Outcome::Raw { raw: RawText::Range { file, start, end } } => match session::file(file) {
            Some(kept) => match kept.text(start, end).await {
                Ok(text) => Record::Text(text),
                Err(_) => Record::Missing(here.words.t(M::RawGone).to_owned()),
            },
            None => Record::Missing(here.words.t(M::RawGone).to_owned()),
        },
        outcome => {
            Record::Missing(super::fault(here, &outcome).unwrap_or_else(|| here.words.t(M::RawNowhere).to_owned()))
        }
    }
}
