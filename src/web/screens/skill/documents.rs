//! The files of a set: what each is, and what was found in it.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::{Here, body, counted, result};
use crate::format;
use crate::fuzzy::folded;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::skill::MemberRow;
use crate::web::commands::{Action, Scope};
use crate::web::components::Words;
use crate::web::components::filter::{FilterField, filter_field};
use crate::web::platform::idle;
use crate::web::view::{El, IntoView, View, effect, el};

/// Files asked for at a time, and drawn at a time.
const WINDOW: u32 = 500;
const AT_ONCE: usize = 100;

/// The word for a kind of document.
pub fn kind(words: Words, kind: Option<&str>) -> &'static str {
    words.t(match kind {
        Some("skill-descriptor") => M::KindDescriptor,
        Some("skill-index") => M::KindIndex,
        Some("invocation-request") => M::KindRequest,
        Some("invocation-response") => M::KindResponse,
        Some("problem") => M::KindProblem,
        Some("protocol-version") => M::KindVersion,
        _ => M::NotProtocol,
    })
}

pub fn documents(here: Here) -> View {
    let words = here.words;
    let members: RwSignal<Option<Arc<Vec<MemberRow>>>> = RwSignal::new(None);
    let turn = StoredValue::new(0u32);
    effect(move || {
        let options = here.check.get();
        turn.update_value(|t| *t += 1);
        let this = turn.get_value();
        spawn_local(async move {
            let _busy = idle::busy();
            let mut all: Vec<MemberRow> = Vec::new();
            loop {
                let from = all.len() as u32;
                let job = Job::Members { document: here.document, options: options.clone(), from, count: WINDOW };
                let Outcome::Members { members, total, .. } = here.ask(job).await else { break };
                let more = !members.is_empty();
                all.extend(members);
                if !more || all.len() as u32 >= total {
                    break;
                }
            }
            if turn.try_get_value() == Some(this) {
                let _ = members.try_set(Some(Arc::new(all)));
            }
        });
    });
    let field = NodeRef::<html::Input>::new();
    here.commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
        }
    });
    let filter = Memo::new(move |_| here.place.with(|p| folded(p.filter.trim())));
    let most = RwSignal::new(AT_ONCE);
    let found = Memo::new(move |_| {
        let words = filter.get();
        members.get().map(|all| {
            let fits = |m: &MemberRow| {
                let text = folded(&format!("{} {} {}", m.title, m.file, m.id.as_deref().unwrap_or_default()));
                words.split_whitespace().all(|w| text.contains(w))
            };
            let found: Vec<usize> = all.iter().enumerate().filter(|(_, m)| fits(m)).map(|(i, _)| i).collect();
            (all, found)
        })
    });
    let draw = move || match found.get() {
        None => el("p.quiet.skill-part").child(words.t(M::Looking)).view(),
        Some((_, found)) if found.is_empty() => el("p.quiet.skill-part").child(words.t(M::NoDocumentHits)).view(),
        Some((all, found)) => {
            let shown = most.get();
            let rows = found.iter().take(shown).filter_map(|i| all.get(*i)).map(|m| row(here, m)).collect::<View>();
            (table(words, rows), rest(words, found.len().saturating_sub(shown), most)).view()
        }
    };
    (
        el("div.tool").child(filter_field(FilterField {
            node: field,
            placeholder: words.t(M::DocumentsFilter),
            label: words.t(M::DocumentsFilter),
            value: Signal::derive(move || here.place.with(|p| p.filter.clone())),
            on_input: Callback::new(move |text| here.replace(|p| p.filter = text)),
            on_leave: Callback::new(|()| ()),
        })),
        body(words.t(M::TabDocuments)).class("page-body skill-flush").child(super::exchange::made_of(here)).child(draw),
    )
        .view()
}

/// The way to the rows that are not drawn.
fn rest(words: Words, left: usize, most: RwSignal<usize>) -> Option<El> {
    (left > 0).then(|| {
        let n = format::count(left.min(AT_ONCE) as u64);
        el("p.skill-part").child(
            el("button.button")
                .on(ev::click, move |_| most.update(|m| *m += AT_ONCE))
                .child(words.f(M::ShowMore, &[("n", &n)])),
        )
    })
}

fn table(words: Words, rows: View) -> View {
    let head = [
        (M::ColumnFile, ""),
        (M::ColumnResult, ""),
        (M::ColumnKind, ""),
        (M::ColumnSkill, ""),
        (M::ColumnCapability, ""),
        (M::ColumnAccess, ""),
        (M::ColumnFindings, ""),
    ]
    .map(|(name, class)| el("th").class(class).attr("scope", "col").child(words.t(name)));
    el("table.table.table-page.table-stack.skill-table")
        .child(el("caption.unseen").child(words.t(M::TabDocuments)))
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows))
        .view()
}

fn row(here: Here, m: &MemberRow) -> View {
    let words = here.words;
    // The folder that all of them came in is the document's own name.
    let file = here.place.with_untracked(|p| {
        let inside = m.file.strip_prefix(&p.document).and_then(|rest| rest.strip_prefix('/'));
        inside.unwrap_or(&m.file).to_owned()
    });
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| format::UNKNOWN.to_owned());
    let name = m.kind.is_some().then(|| {
        let id = m.id.clone().map(|id| el("span.table-sub").child(id));
        (m.title.clone(), id)
    });
    el("tr")
        .child(
            el("th")
                .attr("scope", "row")
                .child(el("a").attr("href", here.member_href(m.member, 0)).attr("title", m.file.clone()).child(file)),
        )
        .child(el("td").child(result(words, &m.status)))
        .child(
            el("td")
                .child(kind(words, m.kind.as_deref()))
                .child(m.served.then(|| (" ", el("span.quiet").child(words.t(M::Served))))),
        )
        .child(el("td.table-wide").child(name))
        .child(el("td.quiet").child(text(&m.capability)))
        .child(el("td.quiet").child(text(&m.access)))
        .child(el("td").child(counted(words, &m.findings, M::NoFindingsHere)))
        .view()
}
