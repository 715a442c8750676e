//! The head of skills: title, what it is, the verdict in one sentence, the ways out, the views.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::{Answer, Here, Shows, short};
use crate::format;
use crate::message::M;
use crate::report::VerdictLine;
use crate::report::skill::{ConformanceView, SkillView, SkillsSummary};
use crate::route::{Place, SkillTab};
use crate::web::components::tabs::{TabLink, tabs};
use crate::web::components::{Icon, icon};
use crate::web::platform::dom;
use crate::web::view::{El, IntoView, View, el};

/// The views beside each other, in their order. `single`: there are no other documents beside this one.
pub(super) fn tabs_of(shows: Shows, single: bool) -> &'static [SkillTab] {
    match shows {
        Shows::Set(_) => {
            &[SkillTab::Check, SkillTab::AllFindings, SkillTab::Conformance, SkillTab::Index, SkillTab::Traceability]
        }
        Shows::Member(..) if single => &[SkillTab::Check, SkillTab::Conformance, SkillTab::UsedIn, SkillTab::Compare],
        Shows::Member(..) => &[SkillTab::Check, SkillTab::UsedIn, SkillTab::Compare],
    }
}

/// The head of one document of the protocol.
pub fn member(here: Here, skills: &SkillsSummary, skill: Answer<SkillView>, shows: Memo<Shows>) -> View {
    let words = here.words;
    let known = move || skill.get().and_then(Result::ok);
    let fallback = if here.single { skills.title.clone() } else { String::new() };
    let title = move || known().map_or_else(|| fallback.clone(), |s| s.title.clone());
    let chips = move || {
        known().map(|s| {
            let facts = [s.capability.clone(), s.version.clone()].into_iter().flatten();
            let protocol = s.protocol.as_ref().map(|v| words.f(M::ProtocolChip, &[("version", v)]));
            (
                s.id.clone().map(|id| el("code.quiet").child(id)),
                facts.chain(protocol).map(|fact| el("span.chip").child(fact)).collect::<View>(),
            )
        })
    };
    let single = here.single;
    let back = (!single).then(|| {
        let href = here.href(|p| *p = Place { document: std::mem::take(&mut p.document), ..Place::default() });
        el("p.small")
            .child(el("a").attr("href", href).child(words.t(M::AllDocuments)))
            .child(" / ")
            .child(el("span.quiet").child(move || known().map(|s| s.file.clone())))
    });
    let verdict = move || known().map(|s| line(here, &s.line));
    let count = move |tab: SkillTab| {
        known().map_or_else(String::new, |s| match tab {
            SkillTab::Check => number(s.findings.len()),
            SkillTab::Conformance => "11".into(),
            SkillTab::UsedIn => s.used_in.len().to_string(),
            _ => String::new(),
        })
    };
    let list = tabs_of(Shows::Member(0, SkillTab::Check), single);
    // Only what is about the whole document can be saved or published.
    let acts = single.then(|| actions(here, skills, shows));
    el("header.page-head.head.skill-head")
        .child(back)
        .child(el("div.head-title").child(el("h1").attr("tabindex", "-1").child(title)).child(chips))
        .child(acts)
        .child(el("div.head-verdict").child(verdict))
        .child(move || tabs(words.t(M::ViewsOfSkill), links(here, list, shows, count)))
        .view()
}

/// The head of a provider's set.
pub fn set(
    here: Here,
    skills: &SkillsSummary,
    name: &str,
    report: Answer<ConformanceView>,
    shows: Memo<Shows>,
) -> View {
    let words = here.words;
    let known = move || report.get().and_then(Result::ok);
    let (documents, sites) = (skills.documents, skills.sites);
    let n = format::count(documents.into());
    let profile = move || words.f(M::ProfileChip, &[("profile", &here.check.read().profile)]);
    let from =
        skills.url.as_ref().map(|url| el("span.quiet.small.wide").child(words.f(M::FetchedFrom, &[("url", url)])));
    let title = if skills.title.is_empty() { short(name).to_owned() } else { skills.title.clone() };
    let count = move |tab: SkillTab| match tab {
        SkillTab::Check => number(documents as usize),
        SkillTab::AllFindings => known().map_or_else(String::new, |r| {
            number(r.properties.iter().map(|p| p.findings.len() + p.more as usize).sum())
        }),
        SkillTab::Conformance => "11".into(),
        SkillTab::Index if sites > 1 => sites.to_string(),
        _ => String::new(),
    };
    el("header.page-head.head.skill-head")
        .child(
            el("div.head-title")
                .child(el("h1").attr("tabindex", "-1").child(title))
                .child(el("span.chip").child(words.f(M::DocumentsCount, &[("n", &n)])))
                .child(el("span.chip").child(profile))
                .child(from),
        )
        .child(actions(here, skills, shows))
        .child(el("div.head-verdict").child(move || known().map(|r| line(here, &r.line))))
        .child(move || known().map(|r| figures(here, &r)))
        .child(move || {
            tabs(words.t(M::ViewsOfSkill), links(here, tabs_of(Shows::Set(SkillTab::Check), false), shows, count))
        })
        .view()
}

fn number(n: usize) -> String {
    if n == 0 { String::new() } else { format::count(n as u64) }
}

/// The sentence under the title.
fn line(here: Here, line: &VerdictLine) -> El {
    let (which, tone) = match line.tone.as_str() {
        "ok" => (Icon::Check, "good"),
        "warning" => (Icon::Warn, "warn"),
        "error" => (Icon::Bad, "bad"),
        _ => (Icon::Info, ""),
    };
    let reasons: Vec<String> = line.reasons.iter().map(|(id, args)| here.words.id(id, args)).collect();
    el("p.verdict")
        .child(icon(which, tone))
        .child(el("span").child(el("b").child(here.words.id(&line.state, &[]))).child(" ").child(reasons.join("; ")))
}

/// Publish, and the report in three forms.
fn actions(here: Here, skills: &SkillsSummary, shows: Memo<Shows>) -> El {
    let words = here.words;
    let publish = (skills.descriptors > 0).then(|| {
        el("a.button")
            .attr(
                "href",
                here.href(|p| {
                    *p = Place {
                        document: std::mem::take(&mut p.document),
                        skill: SkillTab::Publish,
                        ..Place::default()
                    };
                }),
            )
            .attr("aria-current", move || {
                matches!(shows.get(), Shows::Set(SkillTab::Publish) | Shows::Member(_, SkillTab::Publish))
                    .then_some("page")
            })
            .child(words.t(M::Publish))
    });
    let forms =
        [("json", M::ExportJson), ("sarif", M::ExportSarif), ("junit", M::ExportJunit)].map(|(format, name)| {
            el("button.menu-item")
                .on(ev::click, move |_| {
                    dom::close_popover("#export");
                    here.save_report(format);
                })
                .child(words.t(name))
        });
    let others = [(SkillTab::AsMcp, "exchange.mcp"), (SkillTab::AsA2a, "exchange.a2a")].map(|(tab, name)| {
        let href = here.href(|p| {
            *p = Place { document: std::mem::take(&mut p.document), skill: tab, ..Place::default() };
        });
        el("a.menu-item").attr("href", href).on(ev::click, |_| dom::close_popover("#export")).child(words.s(name))
    });
    let others = (skills.descriptors > 0).then_some(others);
    el("div.skill-acts")
        .child(publish)
        .child(
            el("button.button")
                .attr("popovertarget", "export")
                .child(words.t(M::Export))
                .child(icon(Icon::Chevron, "icon-s")),
        )
        .child(
            el("div.menu.menu-at")
                .attr("id", "export")
                .attr("popover", "auto")
                .attr("role", "group")
                .attr("aria-label", words.t(M::ExportTitle))
                .child(forms)
                .child(others),
        )
}

fn links(here: Here, list: &[SkillTab], shows: Memo<Shows>, count: impl Fn(SkillTab) -> String) -> Vec<TabLink> {
    let set = matches!(shows.get_untracked(), Shows::Set(_));
    list.iter()
        .map(|&tab| TabLink {
            text: match tab {
                SkillTab::Check if set => here.words.t(M::TabDocuments),
                SkillTab::Check => here.words.t(M::TabCheck),
                SkillTab::AllFindings => here.words.t(M::TabFindings),
                SkillTab::Conformance => here.words.t(M::TabConformance),
                SkillTab::Index => here.words.t(M::TabIndex),
                SkillTab::UsedIn => here.words.t(M::TabUsedIn),
                SkillTab::Publish => here.words.t(M::CmdPublish),
                SkillTab::Traceability => here.words.t(M::TabTraceability),
                SkillTab::Compare => here.words.s("exchange.compare"),
                SkillTab::AsMcp => here.words.s("exchange.mcp-title"),
                SkillTab::AsA2a => here.words.s("exchange.a2a-title"),
            },
            count: count(tab),
            href: Signal::stored(here.href(|p| {
                *p = Place { document: std::mem::take(&mut p.document), run: p.run, skill: tab, ..Place::default() };
            })),
            current: Signal::derive(move || match shows.get() {
                Shows::Set(now) | Shows::Member(_, now) => now == tab,
            }),
        })
        .collect()
}

/// How many of the eleven came to what, and how much was run.
fn figures(here: Here, report: &Arc<ConformanceView>) -> El {
    let words = here.words;
    let of = |status: &str| report.counts.iter().find(|(s, _)| s == status).map_or(0, |(_, n)| *n);
    let items = [
        ("pass", M::FigurePass, "good"),
        ("warn", M::FigureWarn, "warn"),
        ("fail", M::FigureFail, "bad"),
        ("skipped", M::FigureSkipped, ""),
        ("not_run", M::FigureNotRun, ""),
    ]
    .map(|(status, name, tone)| {
        let n = of(status);
        let tone = if n > 0 { tone } else { "" };
        el("div.figure-item")
            .child(el("dt").child(words.t(name)))
            .child(el("dd").child(el("span").class(tone).child(n)))
    });
    el("dl.figure").child(items).child(el("div.figure-item").child(el("dt").child(words.t(M::FigureRun))).child(
        el("dd").child(format::count(report.run.into())).child(" ").child(
            el("span.figure-note").child(words.f(M::OfExpected, &[("n", &format::count(report.expected.into()))])),
        ),
    ))
}
