//! The contract of a run: each skill with what came of its calls, and the verdict on each call. A call that was not
//! checked whole is not a pass.

use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use super::contract_out::ways_out;
use super::{Here, fault};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{ContractReport, FaultLine, SkillUse, StepVerdict};
use crate::web::components::{Icon, Words, icon};
use crate::web::view::{El, IntoView, View, el, yes};

/// Verdicts drawn at a time.
const AT_ONCE: usize = 200;

/// Draws the contract.
pub fn contract(here: Here) -> View {
    let report = RwSignal::new(None::<Result<Arc<ContractReport>, String>>);
    spawn_local(async move {
        let outcome = here.ask(Job::Contract { document: here.document, run: here.run }).await;
        let why = fault(here, &outcome);
        let _ = report.try_set(match outcome {
            Outcome::Contract { contract } => Some(Ok(Arc::from(contract))),
            _ => why.map(Err),
        });
    });
    // Broken ones first, when there are any: they are what one came for.
    let state = RwSignal::new(None::<&'static str>);
    let most = RwSignal::new(AT_ONCE);
    let draw = move || match report.get() {
        None => View::NONE,
        Some(Err(why)) => el("p").child(why).view(),
        Some(Ok(report)) => untrack(|| page(here, report, state, most)),
    };
    el("div.page-body")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", here.words.t(M::TabContract))
        .child(draw)
        .view()
}

/// Icon, tone and word of a verdict.
fn verdict(words: Words, state: &str) -> El {
    let (which, tone, word) = match state {
        "kept" => (Icon::Check, "good", M::ContractKept),
        "broken" => (Icon::Bad, "bad", M::ContractBroken),
        _ => (Icon::Dash, "quiet", M::ContractUnchecked),
    };
    el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(words.t(word))
}

fn page(here: Here, report: Arc<ContractReport>, state: RwSignal<Option<&'static str>>, most: RwSignal<usize>) -> View {
    let words = here.words;
    if report.skills.is_empty() {
        return (
            el("p.strong").child(words.t(M::ContractNone)),
            el("p.quiet").child(words.t(M::ContractNoneFix)),
            ways_out(here, &report),
        )
            .view();
    }
    let figures = [
        (words.t(M::FigureCalls), report.calls, ""),
        (words.t(M::ContractKept), report.kept, "good"),
        (words.t(M::ContractBroken), report.broken, "bad"),
        (words.t(M::ContractUnchecked), report.unchecked, ""),
        (words.t(M::NeverCalled), report.unused, ""),
    ]
    .map(|(name, n, tone)| {
        el("div.figure-item")
            .child(el("dt").child(name))
            .child(el("dd").child(el("span").class(if n > 0 { tone } else { "" }).child(format::count(n.into()))))
    });
    let reasons = report.reasons.iter().map(|(why, n)| {
        el("li").child(
            words.f(M::ContractNotMade, &[("n", &format::count(u64::from(*n))), ("why", &unchecked(words, why))]),
        )
    });
    let whole = words.t(if report.whole { M::ContractWhole } else { M::ContractPart });
    (
        el("dl.figure").child(figures),
        el("p.quiet").child(whole).child(". ").child(words.t(M::ContractNote)),
        (!report.reasons.is_empty()).then(|| el("ul.quiet").child(reasons.collect::<View>())),
        ways_out(here, &report),
        el("h2.group-head").child(words.t(M::SkillsTitle)),
        skills(words, &report.skills),
        el("div.group-head.row")
            .child(el("h2").child(words.t(M::VerdictsTitle)))
            .child(choice(words, &report, state, most)),
        move || {
            let wanted = state.get();
            let found: Vec<&StepVerdict> =
                report.verdicts.iter().filter(|v| wanted.is_none_or(|w| v.state == w)).collect();
            verdicts(here, &report, &found, most)
        },
    )
        .view()
}

/// The word for why a call was not checked.
fn unchecked(words: Words, why: &str) -> String {
    words.id(&format!("unchecked.{why}"), &[])
}

fn choice(words: Words, report: &ContractReport, state: RwSignal<Option<&'static str>>, most: RwSignal<usize>) -> El {
    let of = [
        (None, M::VerdictsAll, report.calls),
        (Some("broken"), M::ContractBroken, report.broken),
        (Some("unchecked"), M::ContractUnchecked, report.unchecked),
        (Some("kept"), M::ContractKept, report.kept),
    ]
    .map(|(id, name, n)| {
        el("button.segment-item")
            .attr("aria-pressed", move || yes(state.get() == id))
            .on(ev::click, move |_| {
                most.set(AT_ONCE);
                state.set(id);
            })
            .child(format!("{} {}", words.t(name), format::count(n.into())))
    });
    el("div.segment").attr("role", "group").attr("aria-label", words.t(M::VerdictsShow)).child(of)
}

fn skills(words: Words, skills: &[SkillUse]) -> El {
    let head = [
        (M::ColumnSkill, ""),
        (M::ColumnCapability, ""),
        (M::ColumnAccess, ""),
        (M::ColumnSource, ""),
        (M::ColumnCalls, "table-number"),
        (M::ColumnBroken, "table-number"),
        (M::ColumnUnchecked, "table-number"),
    ]
    .map(|(name, class)| el("th").class(class).attr("scope", "col").child(words.t(name)));
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| format::UNKNOWN.to_owned());
    let number = |name: M, n: u32, tone: &'static str| {
        el("td")
            .class(format!("table-number {}", if n > 0 { tone } else { "" }))
            .attr("data-label", words.t(name))
            .child(format::count(n.into()))
    };
    let rows = skills.iter().map(|s| {
        let name = if s.name.is_empty() { s.id.clone() } else { s.name.clone() };
        let id = (s.id != name).then(|| el("span.table-sub").child(s.id.clone()));
        let unused = (s.calls == 0).then(|| (" ", el("span.quiet").child(words.t(M::NeverCalled))));
        let why = s.unusable.clone().map(|why| el("span.table-sub.warn").child(why));
        let source = if s.source == "run" { words.t(M::SourceOfRun).to_owned() } else { s.file.clone() };
        el("tr")
            .child(
                el("th.table-wide")
                    .attr("scope", "row")
                    .child(el("code").child(name))
                    .child(unused)
                    .child(id)
                    .child(why),
            )
            .child(el("td.quiet").child(text(&s.capability)))
            .child(el("td.quiet").child(text(&s.access)))
            .child(el("td.quiet").child(source))
            .child(number(M::ColumnCalls, s.calls, ""))
            .child(number(M::ColumnBroken, s.broken, "bad"))
            .child(number(M::ColumnUnchecked, s.unchecked, ""))
    });
    el("table.table.table-stack")
        .child(el("caption.unseen").child(words.t(M::SkillsTitle)))
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows.collect::<View>()))
}

fn verdicts(here: Here, report: &ContractReport, found: &[&StepVerdict], most: RwSignal<usize>) -> View {
    let words = here.words;
    if found.is_empty() {
        return el("p.quiet").child(words.t(M::NoVerdicts)).view();
    }
    let shown = most.get();
    let head = [M::ColumnStep, M::ColumnTool, M::ColumnVerdict, M::ColumnWhat]
        .map(|name| el("th").attr("scope", "col").child(words.t(name)));
    let rows = found.iter().take(shown).map(|v| row(here, report, v));
    let left = found.len().saturating_sub(shown);
    (
        el("table.table.table-stack")
            .child(el("caption.unseen").child(words.t(M::VerdictsTitle)))
            .child(el("thead").child(el("tr").child(head)))
            .child(el("tbody").child(rows.collect::<View>())),
        (left > 0).then(|| {
            let n = format::count(left.min(AT_ONCE) as u64);
            el("p").child(
                el("button.button")
                    .on(ev::click, move |_| most.update(|m| *m += AT_ONCE))
                    .child(words.f(M::ShowMore, &[("n", &n)])),
            )
        }),
        (report.cut > 0)
            .then(|| el("p.quiet").child(words.f(M::VerdictsCut, &[("n", &format::count(report.cut.into()))]))),
    )
        .view()
}

fn row(here: Here, report: &ContractReport, v: &StepVerdict) -> El {
    let words = here.words;
    let skill = v.skill.and_then(|s| report.skills.get(s as usize));
    let faults = v.faults.iter().map(|f| el("div").child(fault_text(words, f)));
    let unchecked = v.unchecked.iter().map(|why| el("div.quiet").child(unchecked(words, why)));
    let other = skill.filter(|s| s.id != v.tool && s.name != v.tool).map(|s| el("span.table-sub").child(s.id.clone()));
    el("tr")
        .child(
            el("td.table-number")
                .child(el("a").attr("href", here.step_href().run(v.step)).child((v.step + 1).to_string())),
        )
        .child(el("th").attr("scope", "row").child(el("code").child(v.tool.clone())).child(other))
        .child(el("td").child(verdict(words, &v.state)))
        .child(el("td.table-wide").child(faults.collect::<View>()).child(unchecked.collect::<View>()))
}

/// What was broken: the rule's title, the place, what the schema wants, the nearest name.
fn fault_text(words: Words, f: &FaultLine) -> View {
    let wants = (!f.keyword.is_empty()).then(|| (" ", el("code").child(f.keyword.clone()), " ", f.wanted.clone()));
    let plain = (f.keyword.is_empty() && !f.wanted.is_empty()).then(|| (" ", el("code").child(f.wanted.clone())));
    (
        words.id(&format!("rule.{}.title", f.rule), &[]),
        (!f.pointer.is_empty()).then(|| (" ", el("code").child(f.pointer.clone()))),
        el("span.quiet").child(wants).child(plain),
        f.near.as_ref().map(|near| (". ", words.f(M::MeantName, &[("name", near)]))),
    )
        .view()
}
