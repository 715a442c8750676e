//! Publish: what is listed, what is left out, and the zip; or what has to be put right first.

use leptos::{ev, prelude::*};

use super::{Here, body, message, remedy, short, waiting};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::skill::{FindingRow, PublishView};
use crate::web::components::source::tone;
use crate::web::components::{Icon, icon};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, el};

pub fn publish(here: Here) -> View {
    let words = here.words;
    let answer = here.asked(
        move || Job::Publish { document: here.document },
        |outcome| match outcome {
            Outcome::Publish { publish } => Ok(*publish),
            other => Err(other),
        },
    );
    let draw = move || match answer.get() {
        Some(Ok(publish)) => ready(here, &publish),
        other => waiting(words, &other),
    };
    body(words.t(M::PublishTitle))
        .class("page-body skill-publish")
        .child(el("h2").child(words.t(M::PublishTitle)))
        .child(draw)
        .view()
}

fn ready(here: Here, publish: &PublishView) -> View {
    let words = here.words;
    let Some(file) = publish.file.clone() else {
        let rows = publish.blocked.iter().map(|f| blocked(here, f)).collect::<View>();
        return (
            el("p.verdict").child(icon(Icon::Bad, "bad")).child(el("b").child(words.t(M::PublishBlocked))),
            el("ul").child(rows),
        )
            .view();
    };
    let label = words.f(M::DownloadZip, &[("name", &file.name), ("size", &format::bytes(file.bytes.len() as u64))]);
    let n = publish.listed.len().to_string();
    let rows = publish
        .listed
        .iter()
        .map(|(id, access, path)| {
            el("tr")
                .child(el("th.mono").attr("scope", "row").child(id.clone()))
                .child(el("td").child(access.clone()))
                .child(el("td.table-wide.mono.quiet").child(path.clone()))
        })
        .collect::<View>();
    (
        el("p").child(words.t(M::PublishLead)),
        el("p.row").child(
            el("button.button.button-primary")
                .on(ev::click, move |_| look::download_bytes(&file.name, &file.mime, &file.bytes))
                .child(icon(Icon::Down, ""))
                .child(label),
        ),
        (publish.withheld > 0).then(|| {
            el("p.verdict")
                .child(icon(Icon::Lock, ""))
                .child(words.f(M::PublishWithheld, &[("n", &publish.withheld.to_string())]))
        }),
        el("h3.group-head").child(words.f(M::PublishListed, &[("n", &n)])),
        el("table.table.table-stack")
            .child(el("caption.unseen").child(words.t(M::PublishTitle)))
            .child(el("tbody").child(rows)),
    )
        .view()
}

fn blocked(here: Here, f: &FindingRow) -> El {
    let (which, tone) = tone(&f.severity);
    el("li.finding")
        .child(icon(which, tone))
        .child(el("p").child(message(here.words, f)))
        .child(el("a.link.mono").attr("href", here.member_href(f.member, f.line)).child(format!(
            "{}:{}",
            short(&f.file),
            f.line
        )))
        .child(el("p.finding-fix").child(remedy(here.words, f)))
}
