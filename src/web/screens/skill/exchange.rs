//! Between descriptors and neighbours: the export with every loss and guess before the file, and what was made of a
//! file that was dropped.

use leptos::{ev, prelude::*};

use super::{Here, body, waiting};
use crate::format;
use crate::protocol::{Job, Outcome};
use crate::report::skill::{Blob, NeighbourNote, NeighbourView};
use crate::web::components::{Icon, Words, icon};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, el};

/// The descriptors as `mcp` or `a2a`: what is lost and guessed, then the file.
pub fn export(here: Here, form: &'static str) -> View {
    let words = here.words;
    let title = words.s(if form == "mcp" { "exchange.mcp-title" } else { "exchange.a2a-title" });
    let answer = here.asked(
        move || Job::ExportSkills { document: here.document, format: form.into() },
        |outcome| match outcome {
            Outcome::ExportedSkills { file, notes } => Ok((file, notes)),
            other => Err(other),
        },
    );
    let draw = move || match answer.get() {
        Some(Ok(ready)) => exported(words, &ready.0, &ready.1),
        other => waiting(words, &other),
    };
    body(title).class("page-body skill-publish").child(el("h2").child(title)).child(draw).view()
}

fn exported(words: Words, file: &Blob, notes: &[NeighbourNote]) -> View {
    let file = file.clone();
    let args = [("name".to_owned(), file.name.clone()), ("size".to_owned(), format::bytes(file.bytes.len() as u64))];
    let told = if notes.is_empty() {
        el("p.verdict").child(icon(Icon::Check, "good")).child(words.s("exchange.whole")).view()
    } else {
        (el("p").child(words.s("exchange.lead")), table(words, "exchange.lead", notes)).view()
    };
    let button = el("button.button.button-primary")
        .on(ev::click, move |_| look::download_bytes(&file.name, &file.mime, &file.bytes))
        .child(icon(Icon::Down, ""))
        .child(words.id("exchange.download", &args));
    (told, el("p.row").child(button)).view()
}

/// Guesses and losses, a line each.
fn table(words: Words, caption: &str, notes: &[NeighbourNote]) -> El {
    let head =
        ["kind", "what", "field"].map(|id| el("th").attr("scope", "col").child(words.s(&format!("exchange.{id}"))));
    let rows = notes.iter().map(|n| {
        let (which, tone, kind) = match n.kind.as_str() {
            "guess" => (Icon::Info, "quiet", "neighbour.kind.guess"),
            "loss" => (Icon::Warn, "warn", "neighbour.kind.loss"),
            _ => (Icon::Dash, "quiet", "exchange.skipped"),
        };
        el("tr")
            .child(
                el("td")
                    .child(el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(words.s(kind))),
            )
            .child(el("td.table-wide").child(words.id(&n.message.0, &n.message.1)))
            .child(el("td.mono.quiet").child(n.pointer.clone()))
    });
    el("table.table.table-stack")
        .child(el("caption.unseen").child(words.s(caption)))
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows.collect::<View>()))
}

/// What the descriptors were made of; nothing for documents of the protocol itself.
pub fn made_of(here: Here) -> View {
    let words = here.words;
    let answer = here.asked(
        move || Job::Neighbour { document: here.document },
        |outcome| match outcome {
            Outcome::Neighbour { neighbour } => Ok(neighbour),
            other => Err(other),
        },
    );
    let draw = move || match answer.get() {
        Some(Ok(found)) => found.as_ref().as_ref().map(|n| section(words, n)),
        _ => None,
    };
    el("div").child(draw).view()
}

fn section(words: Words, from: &NeighbourView) -> El {
    let label = from.version.as_ref().map_or_else(|| from.label.clone(), |v| format!("{} {v}", from.label));
    let id = if from.made == 1 { "exchange.made-one" } else { "exchange.made" };
    let args = [("label".to_owned(), label), ("n".to_owned(), format::count(from.made.into()))];
    let told = if from.notes.is_empty() {
        el("p.quiet").child(words.s("exchange.whole")).view()
    } else {
        table(words, "exchange.what", &from.notes).view()
    };
    el("section.skill-part").attr("id", "made-of").child(el("h2").child(words.id(id, &args))).child(told)
}
