//! One document of the protocol: what both profiles say, the card, a place to try inputs, and the source with its
//! findings in place.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use super::{Answer, Here, counted, message, waiting};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::SeverityCounts;
use crate::report::skill::{CardPart, CardRow, CardText, SkillView, TriedView};
use crate::web::commands::{Action, use_commands};
use crate::web::components::icon::kbd;
use crate::web::components::source::{self, Source, source, tone};
use crate::web::components::{Icon, icon};
use crate::web::platform::{dom, idle};
use crate::web::view::{El, IntoView, View, effect, el, yes};

/// Lines asked for at a time, and the most that are shown.
const WINDOW: u32 = 500;
const MOST_LINES: u32 = 10_000;
/// How long the fingers must rest before inputs are checked.
const REST_MS: i32 = 150;

/// Moves the keyboard to the next finding of the source, or the one before; over the end it begins again.
pub fn step(here: Here, back: bool) {
    if !dom::exists(".source") {
        return;
    }
    let now = dom::focused_id().and_then(|id| id.strip_prefix("finding-").and_then(|n| n.parse::<usize>().ok()));
    let ids = dom::ids(".source-note");
    let at = |n: usize| ids.iter().position(|id| *id == format!("finding-{n}"));
    let count = ids.len();
    let to = match (now.and_then(at), back) {
        (_, _) if count == 0 => {
            here.session.polite.set(here.words.t(M::NoFindingsHere).to_owned());
            return;
        }
        (Some(at), false) => (at + 1) % count,
        (Some(at), true) => (at + count - 1) % count,
        (None, false) => 0,
        (None, true) => count - 1,
    };
    if let Some(id) = ids.get(to) {
        dom::focus(&format!("#{id}"));
        dom::reveal_middle(&format!("#{id}"));
    }
}

pub fn check(here: Here, member: u32, skill: Answer<SkillView>, fetched: bool) -> View {
    let lines: RwSignal<Vec<String>> = RwSignal::new(Vec::new());
    let total = RwSignal::new(None::<u32>);
    spawn_local(async move {
        let _busy = idle::busy();
        let mut all: Vec<String> = Vec::new();
        loop {
            let from = all.len() as u32;
            let job = Job::Text { document: here.document, report: member, from, count: WINDOW };
            let Outcome::Text { text } = here.ask(job).await else { break };
            let more = !text.lines.is_empty();
            all.extend(text.lines);
            let _ = total.try_set(Some(text.total));
            let have = all.len() as u32;
            if !more || have >= text.total || have >= MOST_LINES {
                break;
            }
        }
        let _ = lines.try_set(all);
    });
    let side = move || match skill.get() {
        Some(Ok(skill)) => untrack(|| side(here, &skill)),
        other => el("div.skill-part").child(waiting(here.words, &other)).view(),
    };
    el("div.skill")
        .child(
            el("div.skill-side")
                .attr("tabindex", "0")
                .attr("role", "region")
                .attr("aria-label", here.words.t(M::CardTitle))
                .child(side)
                .child(here.single.then(|| super::exchange::made_of(here))),
        )
        .child(el("div.skill-main").child(bar(here, skill, total, fetched)).child(text(here, skill, lines, total)))
        .view()
}

/// The bar over the source.
fn bar(here: Here, skill: Answer<SkillView>, total: RwSignal<Option<u32>>, fetched: bool) -> El {
    let words = here.words;
    let commands = use_commands();
    let of = if fetched { M::SourceFetched } else { M::SourceDropped };
    let none = move || skill.with(|s| !matches!(s, Some(Ok(s)) if !s.findings.is_empty()));
    el("div.tool")
        .child(el("h2").child(words.t(M::SourceTitle)))
        .child(el("span.quiet").child(move || total.get().map(|n| words.f(of, &[("n", &format::count(n.into()))]))))
        .child(el("span.tool-space"))
        .child(
            el("button.button")
                .attr("disabled", none)
                .on(ev::click, move |_| commands.run(Action::NextFinding))
                .child(words.t(M::NextFinding))
                .child(kbd("n")),
        )
        .child(el("button.button").on(ev::click, move |_| here.copy_report("sarif")).child(words.t(M::CopySarif)))
}

/// The source itself.
fn text(here: Here, skill: Answer<SkillView>, lines: RwSignal<Vec<String>>, total: RwSignal<Option<u32>>) -> El {
    let words = here.words;
    let opened: RwSignal<BTreeSet<u32>> = RwSignal::new(BTreeSet::new());
    let unfold = Callback::new(move |(from, to): (u32, u32)| {
        opened.update(|o| o.extend(source::unfolded(from, to)));
        dom::after(0, move || {
            dom::focus(&format!("#line-{}", from + 1));
        });
    });
    // A link names a line: it is unfolded, with a few around it, and gets the keyboard.
    let wanted = Memo::new(move |_| here.place.with(|p| p.line));
    let ready = Memo::new(move |_| !lines.with(Vec::is_empty) && skill.with(|s| matches!(s, Some(Ok(_)))));
    effect(move || {
        if let (Some(line), true) = (wanted.get(), ready.get()) {
            let found = skill.with_untracked(|s| match s {
                Some(Ok(s)) => s.findings.iter().position(|f| f.line == line),
                _ => None,
            });
            let at = found.map_or_else(|| format!("#line-{line}"), |i| format!("#finding-{i}"));
            if found.is_none() {
                opened.update(|o| o.extend(line.saturating_sub(4)..line + 3));
            }
            let busy = idle::busy();
            dom::after(0, move || {
                let _busy = busy;
                dom::focus(&at);
                dom::reveal_middle(&at);
            });
        }
    });
    let draw = move || {
        let Some(Ok(skill)) = skill.get() else { return View::NONE };
        let cut = total.get().filter(|n| *n > MOST_LINES).map(|_| {
            el("p.quiet.skill-part").child(words.f(M::SourceCut, &[("n", &format::count(MOST_LINES.into()))]))
        });
        opened.with(|opened| {
            lines.with(|lines| {
                let of = Source { lines, findings: &skill.findings, opened, unfold };
                (source(words, of), cut).view()
            })
        })
    };
    el("div.source")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", words.t(M::SourceTitle))
        .child(draw)
}

fn side(here: Here, skill: &Arc<SkillView>) -> View {
    let words = here.words;
    let profile = |id: &'static str, name: M, counts: &SeverityCounts| {
        el("button.skill-profile")
            .attr("aria-pressed", move || yes(here.check.read().profile == id))
            .on(ev::click, move |_| here.set_profile(id))
            .child(el("span.quiet").child(words.t(name)))
            .child(counted(words, counts, M::NoFindingsHere))
    };
    let title = if skill.kind.as_deref() == Some("skill-descriptor") { M::CardTitle } else { M::CardOther };
    let rows = skill.card.iter().map(|row| card_row(here, row)).collect::<View>();
    (
        el("div.skill-profiles")
            .attr("role", "group")
            .attr("aria-label", words.t(M::ProfileTitle))
            .child(profile("core", M::ProfileCore, &skill.core))
            .child(profile("strict", M::ProfileStrict, &skill.strict)),
        (!skill.card.is_empty()).then(|| {
            el("section.skill-part").child(el("h2").child(words.t(title))).child(el("dl.skill-card").child(rows))
        }),
        skill.can_try.then(|| try_inputs(here, skill.member)),
    )
        .view()
}

fn card_row(here: Here, row: &CardRow) -> View {
    let words = here.words;
    let label = if row.label.starts_with("card.") { words.id(&row.label, &[]) } else { row.label.clone() };
    // Parts of one line stay together.
    let mut lines: Vec<Vec<View>> = vec![Vec::new()];
    for part in &row.parts {
        if part.line && lines.last().is_some_and(|l| !l.is_empty()) {
            lines.push(Vec::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(" ".view());
            }
            line.push(card_part(here, part));
        }
    }
    if row.label == "card.protocol"
        && let Some(line) = lines.last_mut()
    {
        let major = here.check.with_untracked(|c| c.supports.split('.').next().unwrap_or_default().to_owned());
        line.push((" ", el("span.quiet").child(words.f(M::PageSupports, &[("major", &major)]))).view());
    }
    let lines = lines.into_iter().map(|line| el("div").child(line)).collect::<View>();
    (el("dt").child(label), el("dd").child(lines)).view()
}

fn card_part(here: Here, part: &CardPart) -> View {
    let text = match &part.text {
        CardText::File(text) => text.clone(),
        CardText::Sentence((id, args)) => here.words.id(id, args),
    };
    match part.tone.as_str() {
        "mono" => el("code").child(text).view(),
        "muted" => el("span.quiet").child(text).view(),
        "error" => el("span.mark.bad.strong").child(icon(Icon::Bad, "icon-s")).child(text).view(),
        _ => text.view(),
    }
}

/// Inputs that are typed, against the descriptor's schema. Nothing is sent anywhere.
fn try_inputs(here: Here, member: u32) -> El {
    let words = here.words;
    let tried = RwSignal::new(None::<TriedView>);
    let turn = StoredValue::new(0u32);
    let typed = move |event: ev::Event| {
        let text = event_target_value(&event);
        turn.update_value(|t| *t += 1);
        let this = turn.get_value();
        spawn_local(async move {
            let _busy = idle::busy();
            dom::sleep(REST_MS).await;
            if turn.try_get_value() != Some(this) {
                return;
            }
            if text.trim().is_empty() {
                let _ = tried.try_set(None);
                return;
            }
            let outcome = here.ask(Job::TryInputs { document: here.document, member, text }).await;
            if let (Outcome::Tried { tried: came }, Some(true)) = (outcome, turn.try_get_value().map(|t| t == this)) {
                let _ = tried.try_set(Some(came));
            }
        });
    };
    let said = move || {
        tried.get().map(|tried| {
            let one = |tone: &'static str, which: Icon, text: String| {
                el("p.verdict").class(format!("verdict {tone}")).child(icon(which, "")).child(el("span").child(text))
            };
            match tried.state.as_str() {
                "ok" => one("good", Icon::Check, words.t(M::TryFits).to_owned()).view(),
                "not-json" => one("bad", Icon::Bad, words.t(M::TryNotJson).to_owned()).view(),
                "no-schema" => one("", Icon::Info, words.t(M::TryNoSchema).to_owned()).view(),
                _ => {
                    let findings = tried.findings.iter().map(|f| {
                        let (which, tone) = tone(&f.severity);
                        let pointer = if f.pointer.is_empty() { "/" } else { f.pointer.as_str() };
                        el("p").class(format!("verdict {tone}")).child(icon(which, "")).child(
                            el("span").child(el("code").child(pointer.to_owned())).child(" ").child(message(words, f)),
                        )
                    });
                    findings.collect::<View>()
                }
            }
        })
    };
    el("section.skill-part")
        .child(
            el("h2")
                .child(words.t(M::TryTitle))
                .child(" ")
                .child(el("span.quiet.skill-aside").child(words.t(M::TryNote))),
        )
        .child(
            el("textarea.field.mono.skill-try")
                .attr("id", "try")
                .attr("rows", "3")
                .attr("spellcheck", "false")
                .attr("autocomplete", "off")
                .attr("placeholder", "{ \"text\": \"…\" }")
                .attr("aria-label", words.t(M::TryLabel))
                .attr("aria-describedby", "tried")
                .on(ev::input, typed),
        )
        .child(el("div").attr("id", "tried").attr("role", "status").child(said))
}
