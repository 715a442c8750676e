//! Two descriptors beside each other: what differs field by field, and what it means for callers.

use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use super::{Here, body};
use crate::format;
use crate::protocol::{Job, Outcome};
use crate::report::skill::{DifferenceRow, DifferencesView};
use crate::web::components::{Icon, Words, icon};
use crate::web::view::{El, IntoView, View, effect, el};

/// Files asked for of one document; more are not offered.
const WINDOW: u32 = 500;

/// Another open descriptor: page's key of the document, member, what it is called.
#[derive(Clone, PartialEq, Eq)]
struct Other {
    at: (u32, u32),
    name: String,
}

/// The comparison of a member of this document with another open skill.
pub fn compare(here: Here, member: u32) -> View {
    let words = here.words;
    let others: RwSignal<Option<Arc<Vec<Other>>>> = RwSignal::new(None);
    let (chosen, swapped) = (RwSignal::new(None::<(u32, u32)>), RwSignal::new(false));
    let found: RwSignal<Option<Result<Arc<DifferencesView>, String>>> = RwSignal::new(None);
    let turn = StoredValue::new(0u32);
    effect(move || {
        let open: Vec<(u32, String)> = here.session.documents.with(|all| {
            let skilled = |d: &&crate::web::state::session::Document| {
                d.summary().is_some_and(|s| s.skills.as_ref().is_some_and(|s| s.descriptors > 0))
            };
            all.iter().filter(skilled).map(|d| (d.key, d.name.clone())).collect()
        });
        turn.update_value(|t| *t += 1);
        let this = turn.get_value();
        spawn_local(async move {
            let mut list = Vec::new();
            for (document, name) in open {
                let options = here.check.try_get_untracked().unwrap_or_default();
                let job = Job::Members { document, options, from: 0, count: WINDOW };
                let Outcome::Members { members, .. } = here.ask(job).await else { continue };
                let is_descriptor = |kind: &Option<String>| kind.as_deref() == Some("skill-descriptor");
                for m in members.into_iter().filter(|m| is_descriptor(&m.kind) && !m.served) {
                    let at = (document, m.member);
                    if at == (here.document, member) {
                        continue;
                    }
                    let file =
                        if m.file == name { name.clone() } else { format!("{name} › {}", super::short(&m.file)) };
                    list.push(Other { at, name: format!("{} ({file})", m.title) });
                }
            }
            if turn.try_get_value() == Some(this) {
                let gone = |at: &(u32, u32)| !list.iter().any(|o| o.at == *at);
                if chosen.try_get_untracked().flatten().as_ref().is_none_or(gone) {
                    // With one other skill there is nothing to choose.
                    let only = if let [one] = list.as_slice() { Some(one.at) } else { None };
                    let _ = chosen.try_set(only);
                }
                let _ = others.try_set(Some(Arc::new(list)));
            }
        });
    });
    let asked = StoredValue::new(0u32);
    effect(move || {
        let (mine, turned) = ((here.document, member), swapped.get());
        asked.update_value(|t| *t += 1);
        let this = asked.get_value();
        let Some(other) = chosen.get() else {
            found.set(None);
            return;
        };
        let (before, after) = if turned { (other, mine) } else { (mine, other) };
        spawn_local(async move {
            let came = match here.ask(Job::SkillDifferences { before, after }).await {
                Outcome::SkillDifferences { differences } => Ok(Arc::from(differences)),
                Outcome::Fault { id, args } => Err(words.id(&id, &args)),
                _ => Err(String::new()),
            };
            if asked.try_get_value() == Some(this) {
                let _ = found.try_set(Some(came));
            }
        });
    });
    let draw = move || match found.get() {
        None => View::NONE,
        Some(Err(why)) => el("p.bad").child(why).view(),
        Some(Ok(found)) => differences(words, &found),
    };
    let pick = move || match others.get() {
        None => View::NONE,
        Some(list) if list.is_empty() => {
            (el("p.strong").child(words.s("exchange.no-other")), el("p.quiet").child(words.s("exchange.no-other-fix")))
                .view()
        }
        Some(list) => untrack(|| choice(words, &list, chosen, swapped)),
    };
    body(words.s("exchange.compare"))
        .class("page-body skill-publish")
        .child(pick)
        .child(el("div").attr("id", "differences").attr("role", "status").child(draw))
        .view()
}

fn choice(words: Words, list: &Arc<Vec<Other>>, chosen: RwSignal<Option<(u32, u32)>>, swapped: RwSignal<bool>) -> View {
    let now = chosen.get_untracked();
    let options = list.iter().enumerate().map(|(i, o)| {
        el("option").attr("value", i.to_string()).attr("selected", now == Some(o.at)).child(o.name.clone())
    });
    let of = list.clone();
    let name = list.clone();
    let other = move || {
        let at = chosen.get();
        name.iter().find(|o| Some(o.at) == at).map(|o| o.name.clone())
    };
    let told = move || {
        other().map(|name| {
            let side = words.s(if swapped.get() { "exchange.before" } else { "exchange.after" });
            el("span.quiet").child(format!("{side}: {name}"))
        })
    };
    el("p.row")
        .child(
            el("label").child(words.s("exchange.compare-with")).child(" ").child(
                el("select.field")
                    .attr("id", "compare-with")
                    .on(ev::change, move |e| {
                        let at = event_target_value(&e).parse::<usize>().ok();
                        chosen.set(at.and_then(|i| of.get(i)).map(|o| o.at));
                    })
                    .child(el("option").attr("value", "").child(words.s("exchange.choose")))
                    .child(options.collect::<View>()),
            ),
        )
        .child(
            el("button.button")
                .attr("disabled", move || chosen.get().is_none())
                .on(ev::click, move |_| swapped.update(|s| *s = !*s))
                .child(words.s("exchange.swap")),
        )
        .child(told)
        .view()
}

/// Icon and tone of a weight.
fn look(weight: &str) -> (Icon, &'static str) {
    match weight {
        "breaking" => (Icon::Bad, "bad"),
        "unsure" => (Icon::Warn, "warn"),
        "compatible" => (Icon::Check, "good"),
        _ => (Icon::Info, "quiet"),
    }
}

fn differences(words: Words, found: &DifferencesView) -> View {
    let (which, tone, said) = match found.weight.as_deref() {
        None => (Icon::Check, "good", "exchange.same".to_owned()),
        Some(weight) => {
            let (which, tone) = look(weight);
            (which, tone, format!("exchange.{weight}"))
        }
    };
    let verdict = el("p.verdict").child(icon(which, tone)).child(el("b").child(words.s(&said)));
    if found.differences.is_empty() {
        return verdict.view();
    }
    let head = ["field", "change", "effect", "before", "after"]
        .map(|id| el("th").attr("scope", "col").child(words.s(&format!("exchange.{id}"))));
    let rows = found.differences.iter().map(|d| row(words, d)).collect::<View>();
    let cut = (found.cut > 0)
        .then(|| el("p.quiet").child(words.id("exchange.cut", &[("n".into(), format::count(found.cut.into()))])));
    (
        verdict,
        el("table.table.table-stack")
            .child(el("caption.unseen").child(words.s("exchange.compare")))
            .child(el("thead").child(el("tr").child(head)))
            .child(el("tbody").child(rows)),
        cut,
    )
        .view()
}

fn row(words: Words, d: &DifferenceRow) -> El {
    let (which, tone) = look(&d.weight);
    let value = |label: &str, value: &Option<String>| {
        el("td.skill-value.mono")
            .attr("data-label", words.s(&format!("exchange.{label}")))
            .child(value.clone().unwrap_or_else(|| format::UNKNOWN.to_owned()))
    };
    el("tr")
        .child(el("th.mono").attr("scope", "row").child(if d.pointer.is_empty() {
            "/".into()
        } else {
            d.pointer.clone()
        }))
        .child(el("td").child(words.s(&format!("compare.change.{}", d.change))))
        .child(
            el("td").child(
                el("span")
                    .class(format!("mark {tone}"))
                    .child(icon(which, "icon-s"))
                    .child(words.s(&format!("compare.weight.{}", d.weight))),
            ),
        )
        .child(value("before", &d.before))
        .child(value("after", &d.after))
}
