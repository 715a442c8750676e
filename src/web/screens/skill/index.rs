//! A served index: what anyone sees beside the full set, with a filter by capability type.

use leptos::{ev, html, prelude::*};

use super::{Answer, Here, body, message, waiting};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::skill::{IndexRow, IndexView};
use crate::web::commands::{Action, Scope};
use crate::web::components::filter::{FilterField, filter_field};
use crate::web::components::source::tone;
use crate::web::components::{Icon, icon};
use crate::web::view::{El, IntoView, View, el, yes};

/// Rows of a page.
const PAGE: u32 = 100;

pub fn index(here: Here, sites: u32) -> View {
    let words = here.words;
    if sites == 0 {
        return body(words.t(M::TabIndex))
            .child(el("p.strong").child(words.t(M::IndexNone)))
            .child(el("p.quiet").child(words.t(M::IndexNoneFix)))
            .view();
    }
    let from = RwSignal::new(0u32);
    let answer: Answer<IndexView> = here.asked(
        move || {
            let (site, filter) = here.place.with(|p| (p.site, p.filter.clone()));
            Job::Index {
                document: here.document,
                site,
                filter,
                from: from.get(),
                count: PAGE,
                options: here.check.get(),
            }
        },
        |outcome| match outcome {
            Outcome::Index { index } => Ok(*index),
            other => Err(other),
        },
    );
    let field = NodeRef::<html::Input>::new();
    here.commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
        }
    });
    let filter = move |text: String| {
        from.set(0);
        here.replace(|p| p.filter = text);
    };
    let types = Memo::new(move |_| match &*answer.read() {
        Some(Ok(view)) => view.capabilities.clone(),
        _ => Vec::new(),
    });
    let chips = move || {
        let all: u32 = types.with(|t| t.iter().map(|(_, n)| n).sum());
        let rows = types.get();
        let chip = |term: Option<String>, name: String, n: u32| {
            let (wanted, to) = (term.clone(), term);
            el("button.chip.chip-toggle")
                .attr("aria-pressed", move || yes(here.place.with(|p| capability(&p.filter)) == wanted))
                .on(ev::click, move |_| {
                    filter(with_capability(&here.place.with_untracked(|p| p.filter.clone()), to.as_deref()))
                })
                .child(icon(Icon::Check, "icon-s"))
                .child(name)
                .child(el("span.quiet").child(n))
        };
        (
            chip(None, words.t(M::AllTypes).to_owned(), all),
            rows.into_iter().map(|(word, n)| chip(Some(word.clone()), word, n)).collect::<View>(),
        )
    };
    let picker = (sites > 1).then(|| {
        let options = move || {
            let urls = match &*answer.read() {
                Some(Ok(view)) => view.sites.clone(),
                _ => Vec::new(),
            };
            let now = here.place.with_untracked(|p| p.site);
            urls.into_iter()
                .enumerate()
                .map(|(i, url)| el("option").attr("value", i.to_string()).attr("selected", i as u32 == now).child(url))
                .collect::<View>()
        };
        el("select.field")
            .attr("aria-label", words.t(M::IndexOf))
            .on(ev::change, move |e| {
                if let Ok(site) = event_target_value(&e).parse() {
                    from.set(0);
                    here.replace(|p| p.site = site);
                }
            })
            .child(options)
    });
    let draw = move || match answer.get() {
        Some(Ok(view)) => table(here, &view, from),
        other => el("div.skill-part").child(waiting(words, &other)).view(),
    };
    (
        el("div.tool")
            .child(filter_field(FilterField {
                node: field,
                placeholder: words.t(M::IndexFilter),
                label: words.t(M::IndexFilterLabel),
                value: Signal::derive(move || here.place.with(|p| p.filter.clone())),
                on_input: Callback::new(filter),
                on_leave: Callback::new(|()| ()),
            }))
            .child(el("div.row").attr("role", "group").attr("aria-label", words.t(M::CapabilityFilter)).child(chips))
            .child(picker),
        body(words.t(M::TabIndex)).class("page-body skill-flush").child(draw),
    )
        .view()
}

/// The capability type that a filter asks for.
fn capability(filter: &str) -> Option<String> {
    filter.split_whitespace().find_map(|w| w.strip_prefix("capability:")).map(str::to_owned)
}

/// The filter with another capability type, or none.
fn with_capability(filter: &str, capability: Option<&str>) -> String {
    let mut terms: Vec<String> =
        filter.split_whitespace().filter(|w| !w.starts_with("capability:")).map(str::to_owned).collect();
    terms.extend(capability.map(|c| format!("capability:{c}")));
    terms.join(" ")
}

/// Mark and word of a state of a skill in the index.
fn state(here: Here, state: &str) -> El {
    let (which, tone, word) = match state {
        "listed" => (Icon::Check, "good", M::Listed),
        "missing" => (Icon::Bad, "bad", M::Missing),
        "withheld" => (Icon::Lock, "quiet", M::Withheld),
        "leaked" => (Icon::Bad, "bad", M::Leaked),
        _ => (Icon::Warn, "warn", M::Extra),
    };
    el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(here.words.t(word))
}

fn link(here: Here, row: &IndexRow) -> View {
    let words = here.words;
    let (which, tone, word) = match row.link.as_str() {
        "" => return el("span.quiet").child(format::UNKNOWN).view(),
        "ok" => (Icon::Check, "good", M::LinkOk),
        "warning" => (Icon::Warn, "warn", M::LinkWarning),
        "broken" => (Icon::Bad, "bad", M::LinkBroken),
        "permission" => (Icon::Lock, "quiet", M::LinkPermission),
        _ => (Icon::Dash, "quiet", M::LinkUnknown),
    };
    let mark = el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(words.t(word));
    match row.descriptor {
        Some(member) => {
            (mark, " ", el("a").attr("href", here.member_href(member, 0)).child(words.t(M::ColumnLink))).view()
        }
        None => mark.view(),
    }
}

fn table(here: Here, view: &IndexView, from: RwSignal<u32>) -> View {
    let words = here.words;
    let figures = [
        (M::Listed, view.listed, "good"),
        (M::Missing, view.missing, "bad"),
        (M::Withheld, view.withheld, ""),
        (M::Leaked, view.leaked, "bad"),
    ]
    .map(|(name, n, tone)| {
        let value =
            if name != M::Listed && !view.has_full_set { format::UNKNOWN.to_owned() } else { format::count(n.into()) };
        let tone = if n > 0 { tone } else { "" };
        el("div.figure-item")
            .child(el("dt").child(words.t(name)))
            .child(el("dd").child(el("span").class(tone).child(value)))
    });
    let head = [
        (M::ColumnSkill, ""),
        (M::ColumnCapability, ""),
        (M::ColumnAnonymous, ""),
        (M::ColumnFull, ""),
        (M::ColumnState, ""),
        (M::ColumnLink, ""),
        (M::ColumnFindings, "table-number"),
    ]
    .map(|(name, class)| el("th").class(class).attr("scope", "col").child(words.t(name)));
    let rows = view.rows.iter().map(|r| row(here, r)).collect::<View>();
    let refused = view.refused.as_ref().map(|(id, args)| el("p.bad.skill-part").child(words.id(id, args)));
    let none = (view.rows.is_empty() && view.refused.is_none())
        .then(|| el("p.quiet.skill-part").child(words.t(M::NoSkillHits)));
    let findings = view.findings.iter().map(|f| {
        let (which, tone) = tone(&f.severity);
        el("li.finding").child(icon(which, tone)).child(el("p").child(message(words, f))).child(
            el("a.link.mono")
                .attr("href", here.member_href(f.member, f.line))
                .attr("title", f.file.clone())
                .child(words.f(M::LineNo, &[("n", &f.line.to_string())])),
        )
    });
    let (at, total) = (view.from, view.total);
    let pages = (total > PAGE).then(|| {
        let turn = move |by: i64| from.update(|f| *f = (i64::from(*f) + by).clamp(0, i64::from(total - 1)) as u32);
        el("p.skill-part.row")
            .child(
                el("button.button")
                    .attr("disabled", at == 0)
                    .on(ev::click, move |_| turn(-i64::from(PAGE)))
                    .child(words.t(M::PreviousRows)),
            )
            .child(
                el("button.button")
                    .attr("disabled", at + PAGE >= total)
                    .on(ev::click, move |_| turn(i64::from(PAGE)))
                    .child(words.t(M::NextRows)),
            )
            .child(el("span.quiet").child(words.f(
                M::RunsShown,
                &[("n", &format!("{}–{}", at + 1, (at + PAGE).min(total))), ("of", &format::count(total.into()))],
            )))
    });
    (
        el("div.skill-part")
            .child(
                el("p.quiet")
                    .child(el("code").child(view.url.clone()))
                    .child(" ")
                    .child(words.f(M::PagesRead, &[("n", &view.pages.to_string())])),
            )
            .child(el("dl.figure").child(figures))
            .child(
                (!view.has_full_set).then(|| {
                    el("p.verdict").child(icon(Icon::Info, "")).child(el("span").child(words.t(M::NoFullSet)))
                }),
            ),
        refused,
        (!view.rows.is_empty()).then(|| {
            el("table.table.table-page.table-stack.skill-table")
                .child(el("caption.unseen").child(words.t(M::TabIndex)))
                .child(el("thead").child(el("tr").child(head)))
                .child(el("tbody").child(rows))
        }),
        none,
        pages,
        (!view.findings.is_empty()).then(|| {
            el("section.skill-part")
                .child(el("h2").child(words.t(M::TabFindings)))
                .child(el("ul").child(findings.collect::<View>()))
        }),
    )
        .view()
}

fn row(here: Here, r: &IndexRow) -> El {
    let words = here.words;
    let name = if r.name.is_empty() { r.id.clone() } else { r.name.clone() };
    let anonymous = match &r.anonymous {
        Some(word) => el("span").child(word.clone()),
        None => el("span.quiet").child(words.t(M::NotListed)),
    };
    let entry = match &r.entry {
        Some((member, _)) => el("a").attr("href", here.member_href(*member, 0)).child(name).view(),
        None => name.view(),
    };
    let label = |m: M| words.t(m);
    el("tr")
        .child(el("th.table-wide").attr("scope", "row").child(entry).child(el("span.table-sub").child(r.id.clone())))
        .child(el("td").child(r.capability.clone()))
        .child(el("td").attr("data-label", label(M::ColumnAnonymous)).child(anonymous))
        .child(
            el("td")
                .attr("data-label", label(M::ColumnFull))
                .child(r.full.clone().unwrap_or_else(|| format::UNKNOWN.to_owned())),
        )
        .child(el("td").child(state(here, &r.state)))
        .child(el("td").child(link(here, r)))
        .child(el("td.table-number").attr("data-label", label(M::ColumnFindings)).child(r.findings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_capability_at_a_time() {
        assert_eq!(with_capability("text capability:api", Some("task")), "text capability:task");
        assert_eq!(with_capability("capability:api", None), "");
        assert_eq!(capability("a capability:task b").as_deref(), Some("task"));
        assert_eq!(capability("a"), None);
    }
}
