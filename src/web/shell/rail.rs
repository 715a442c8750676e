//! The files of this session, each with its state in words. At 400 pixels it is a menu under the bar's first button.

use leptos::{ev, prelude::*};

use crate::format;
use crate::message::M;
use crate::report::DocumentSummary;
use crate::report::skill::SkillsSummary;
use crate::route::{Place, Route, RunsPlace};
use crate::web::commands::{Action, use_commands};
use crate::web::components::icon::{Icon, icon};
use crate::web::platform::dom;
use crate::web::state::actions::use_actions;
use crate::web::state::judge::use_judges;
use crate::web::state::nav::use_route;
use crate::web::state::session::{Document, Status, use_session};
use crate::web::state::settings::{t, tf, ti};
use crate::web::view::{El, IntoView, View, each, el};

/// Height of a row, the style sheet's `--file`.
const ROW: f64 = 48.0;
/// The window moves in steps of this many rows and reaches as far beyond what is visible.
const GRAIN: usize = 10;

/// What a row says: icon and its tone, the words, whether they are bad news.
type State = (Icon, &'static str, Vec<(String, bool)>);

/// The state of a document in a few words.
pub fn state(status: &Status, changed: bool) -> State {
    match status {
        Status::Reading { done, of } => (
            Icon::Run,
            "",
            vec![(tf(M::StateReading, &[("done", &format::bytes(*done)), ("of", &format::bytes(*of))]), false)],
        ),
        Status::Analysing => (Icon::Run, "", vec![(tf(M::StateAnalysing, &[]), false)]),
        Status::Failed(_) => (Icon::Close, "bad", vec![(tf(M::StateFailed, &[]), true)]),
        Status::Ready(summary) => {
            let mut words = ready(summary);
            if changed {
                words.insert(0, (tf(M::StateChanged, &[]), true));
            }
            let (icon, tone) = match summary.runs.len() {
                _ if summary.skills.is_some() => (Icon::Skill, ""),
                0 => (Icon::Close, "bad"),
                1 => (Icon::Run, ""),
                _ => (Icon::Runs, ""),
            };
            (icon, tone, words)
        }
    }
}

/// What a document of skills is, and what was found in it.
fn skills(skills: &SkillsSummary) -> Vec<(String, bool)> {
    let set = skills.kind == "provider";
    let what = match skills.kind.as_str() {
        "provider" => tf(M::DocumentsCount, &[("n", &format::count(skills.documents.into()))]),
        "skill-index" => tf(M::KindIndex, &[]),
        "invocation-request" => tf(M::KindRequest, &[]),
        "invocation-response" => tf(M::KindResponse, &[]),
        "problem" => tf(M::KindProblem, &[]),
        "protocol-version" => tf(M::KindVersion, &[]),
        _ => tf(M::KindDescriptor, &[]),
    };
    if set && skills.documents == 0 && skills.url.is_some() {
        return vec![(tf(M::NothingFetched, &[]), true)];
    }
    let n = |n: u32| format::count(n.into());
    let state = match (skills.verdict.as_str(), &skills.findings) {
        (_, f) if set && skills.failing > 0 && f.errors > 0 => (tf(M::FailCount, &[("n", &n(skills.failing))]), true),
        (_, f) if f.errors > 0 => (tf(M::StateErrors, &[("n", &n(f.errors))]), true),
        (_, f) if f.warnings > 0 => (tf(M::WarningsCount, &[("n", &n(f.warnings))]), false),
        ("incomplete", _) if set => (tf(M::NotWhole, &[]), false),
        _ => (tf(M::NoFindingsHere, &[]), false),
    };
    vec![(what, false), state]
}

fn ready(summary: &DocumentSummary) -> Vec<(String, bool)> {
    if let Some(of) = &summary.skills {
        return skills(of);
    }
    let format = summary.format_label.clone().unwrap_or_default();
    match summary.runs.as_slice() {
        [] => vec![(tf(M::StateUnread, &[]), true)],
        [run] => {
            let mut words = vec![(format, false)];
            if run.errors > 0 {
                words.push((tf(M::StateErrors, &[("n", &format::count(run.errors.into()))]), false));
            }
            if run.loops.spans > 0 {
                words.push((tf(M::StateLoops, &[("n", &run.loops.spans.to_string())]), false));
            }
            if words.len() == 1 {
                words.push((tf(M::StateNoErrors, &[]), false));
            }
            words
        }
        runs => vec![(tf(M::StateRuns, &[("format", &format), ("n", &format::count(runs.len() as u64))]), false)],
    }
}

pub fn rail(narrow: RwSignal<bool>) -> View {
    let session = use_session();
    let route = use_route();
    let commands = use_commands();
    let here = Memo::new(move |_| match &*route.read() {
        Route::Document(place) => session.by_name(&place.document).map(|d| d.key),
        _ => None,
    });
    let has_pair = Memo::new(move |_| session.runs() > 1);
    // One file's runs are a table of their own.
    let has_table = Memo::new(move |_| {
        let with_runs = |d: &&Document| d.summary().is_some_and(|s| !s.runs.is_empty());
        session.documents.with(|all| all.iter().filter(with_runs).nth(1).is_some())
    });
    // Windowed: a folder may bring thousands of files.
    let top = RwSignal::new(0.0);
    let window = Memo::new(move |_| {
        let first = (top.get() / ROW) as usize / GRAIN * GRAIN;
        (first.saturating_sub(GRAIN), first + 6 * GRAIN)
    });
    let shown = move || {
        let (from, end) = window.get();
        session
            .documents
            .with(|d| d.iter().enumerate().skip(from).take(end - from).map(|(i, d)| (i, d.clone())).collect::<Vec<_>>())
    };
    let space = move |before: bool| {
        move || {
            let (from, end) = window.get();
            let all = session.documents.with(Vec::len);
            let rows = if before { from.min(all) } else { all.saturating_sub(end) };
            format!("height:{}px", rows as f64 * ROW)
        }
    };
    el("nav.app-rail")
        .attr("id", "rail")
        .on(ev::scroll, move |e: leptos::ev::Event| top.set(dom::scrolled(&e).map_or(0.0, |(top, _)| top)))
        .attr("aria-label", t(M::Files))
        .attr("popover", move || narrow.get().then_some("auto"))
        .child(
            el("div.rail")
                .child(
                    el("div.rail-head").child(el("h2").child(t(M::Files))).child(
                        el("button.button.button-ghost.button-small")
                            .attr("title", t(M::AddFiles))
                            .on(ev::click, move |_| commands.run(Action::ChooseFiles))
                            .child(icon(Icon::Plus, ""))
                            .child(t(M::Add)),
                    ),
                )
                .child(
                    el("ul.rail-list")
                        .child(el("li").attr("aria-hidden", "true").attr("style", space(true)))
                        .child(each(shown, |(_, d)| format!("{} {}", d.key, d.name), move |(i, d)| row(i, d, here)))
                        .child(el("li").attr("aria-hidden", "true").attr("style", space(false))),
                )
                .child(
                    el("div.rail-foot")
                        .child(move || {
                            has_table.get().then(|| {
                                let n =
                                    move || ti("many.all-of", &[("n".into(), format::count(session.runs() as u64))]);
                                let close = move |_| dom::close_popover("#rail");
                                el("p").child(
                                    el("a")
                                        .attr("href", Route::Runs(RunsPlace::default()).hash())
                                        .on(ev::click, close)
                                        .child(n),
                                )
                            })
                        })
                        .child(move || {
                            has_pair.get().then(|| {
                                let go = move |_| {
                                    dom::close_popover("#rail");
                                    commands.run(Action::Compare);
                                };
                                el("p").child(el("button.link").on(ev::click, go).child(t(M::CmdCompare)))
                            })
                        })
                        .child(el("p").child(icon(Icon::Lock, "icon-s")).child(" ").child(t(M::StayHere)))
                        .child(network())
                        .child(
                            el("p")
                                .child(move || tf(M::RequestsSent, &[("n", &session.sent.get().to_string())]))
                                .child(" ")
                                .child(
                                    el("button.link")
                                        .on(ev::click, move |_| commands.run(Action::Privacy))
                                        .child(t(M::HowToCheck)),
                                ),
                        ),
                ),
        )
        .view()
}

/// The network switch, with what left this tab.
fn network() -> El {
    let judges = use_judges();
    let sent = move || {
        let bytes: u64 = judges.left.with(|l| l.iter().map(|(_, _, bytes)| bytes).sum());
        (bytes > 0).then(|| format!(" · {}", format::bytes(bytes)))
    };
    let words = move || t(if judges.on.get() { M::NetworkOn } else { M::NetworkOff })();
    el("p")
        .child(
            el("button.link")
                .attr("id", "network")
                .attr("title", t(M::NetworkTitle))
                .on(ev::click, move |_| judges.switch(!judges.on.get_untracked()))
                .child(words),
        )
        .child(sent)
}

fn row(index: usize, document: Document, here: Memo<Option<u32>>) -> El {
    let actions = use_actions();
    let session = use_session();
    let Document { key, name, status, changed, .. } = document;
    let state = Memo::new(move |_| state(&status.read(), changed.get()));
    let progress = move || match &*status.read() {
        Status::Reading { done, of } => Some((*done, *of)),
        _ => None,
    };
    let reading = Memo::new(move |_| progress().is_some());
    let href = Route::Document(Place { document: name.clone(), ..Place::default() }).hash();
    let (label, title) = (name.clone(), name.clone());
    let short = name.rsplit('/').next().map(|n| format::middle(n, 22)).unwrap_or_default();
    el("li.file")
        .attr("aria-setsize", move || session.documents.with(Vec::len).to_string())
        .attr("aria-posinset", (index + 1).to_string())
        .child(
            el("a.file-link")
                .attr("href", href)
                .attr("title", title)
                .attr("aria-current", move || (here.get() == Some(key)).then_some("page"))
                .on(ev::click, move |_| dom::close_popover("#rail"))
                .child(move || {
                    let (which, tone, _) = state.get();
                    icon(which, tone)
                })
                .child(el("span.file-name").child(short))
                .child(el("span.file-state").child(move || {
                    let words = state.get().2;
                    words
                        .into_iter()
                        .enumerate()
                        .map(|(i, (text, bad))| {
                            ((i > 0).then(|| t(M::Comma)()), el("span").class(if bad { "bad" } else { "" }).child(text))
                        })
                        .collect::<View>()
                })),
        )
        .child(move || {
            reading.get().then(|| {
                el("progress.progress")
                    .attr("max", move || progress().map(|(_, of)| of.max(1).to_string()))
                    .prop("value", move || progress().map_or(0.0, |(done, _)| done as f64))
                    .attr("aria-label", t(M::IntakeReading))
            })
        })
        .child(
            el("button.button.button-ghost.button-icon.button-small.file-close")
                .attr("aria-label", move || tf(M::CloseName, &[("name", &label)]))
                .on(ev::click, move |_| actions.close(key))
                .child(icon(Icon::Close, "icon-s")),
        )
}
