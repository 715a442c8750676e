//! Beside a comparison, left against right: the reference that the files carry, usage, the contract, and both sequence
//! diagrams. Each is asked for on its own, so that one that is missing takes nothing with it.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::Here;
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{ContractReport, DiagramOptions, DiagramPage, MatchOptions, RunRef, RunSummary, VerdictReport};
use crate::route::{Place, Route};
use crate::web::components::{Icon, icon};
use crate::web::platform::mermaid::{self, Drawn};
use crate::web::screens::run::diagram::{links, trouble, with_title};
use crate::web::view::{El, IntoView, View, effect, el};

/// Calls that are named under a verdict.
const NAMED: usize = 3;

/// What is known of both sides; `None`: asked for.
type Both<T> = RwSignal<Option<[Option<Arc<T>>; 2]>>;

/// Asks for the same of both sides.
fn both<T: Send + Sync + 'static>(here: Here, job: fn(RunRef) -> Job, take: fn(Outcome) -> Option<T>) -> Both<T> {
    let answer: Both<T> = RwSignal::new(None);
    spawn_local(async move {
        let left = take(here.engine.ask(job(here.left)).await).map(Arc::new);
        let right = take(here.engine.ask(job(here.right)).await).map(Arc::new);
        let _ = answer.try_set(Some([left, right]));
    });
    answer
}

fn known(value: Option<String>) -> String {
    value.unwrap_or_else(|| format::UNKNOWN.to_owned())
}

/// A table of two columns with the names of the sides.
fn table(here: Here, caption: &str, rows: Vec<El>) -> El {
    let head = here.names.get_value().map(|name| el("th.table-number").attr("scope", "col").child(name));
    el("table.table.compare-after")
        .child(el("caption.unseen").child(here.words.s(caption)))
        .child(el("thead").child(el("tr").child(el("td")).child(head)))
        .child(el("tbody").child(rows))
}

fn line(name: &'static str, cells: [View; 2]) -> El {
    el("tr").child(el("th").attr("scope", "row").child(name)).child(cells.map(|cell| el("td.table-number").child(cell)))
}

/// Both runs against what their files give as the right calls.
pub(super) fn reference(here: Here) -> View {
    let verdict = |outcome: Outcome| match outcome {
        Outcome::Match { matching } => matching.verdicts.into_iter().next(),
        _ => None,
    };
    fn ask(at: RunRef, mode: &str) -> Job {
        let options = MatchOptions { mode: mode.into(), ..MatchOptions::default() };
        Job::Match { document: at.document, runs: vec![at], options, from: 0, count: 1 }
    }
    let effects = both(here, |at| ask(at, "effects"), verdict);
    let exact = both(here, |at| ask(at, "exact"), verdict);
    let draw = move || {
        let (Some(effects), Some(exact)) = (effects.get(), exact.get()) else { return View::NONE };
        if effects.iter().all(Option::is_none) {
            return el("p.quiet").child(here.words.s("beside.reference-none")).view();
        }
        let mode = |id: &str, of: &[Option<Arc<VerdictReport>>; 2]| {
            let cell = |v: &Option<Arc<VerdictReport>>| verdict_cell(here, v.as_deref(), id == "exact");
            let [a, b] = of;
            line(here.words.s(if id == "exact" { "mode.exact" } else { "mode.effects" }), [cell(a), cell(b)])
        };
        let rows = vec![mode("effects", &effects), mode("exact", &exact)];
        let names = here.names.get_value();
        let why = effects.iter().zip(names).filter_map(|(v, name)| {
            let lost = lost(here, v.as_deref()?);
            (!lost.is_empty()).then(|| el("p.small").child(el("b").child(name)).child(": ").child(lost.join("; ")))
        });
        let unclassified: u32 = effects.iter().flatten().map(|v| v.unclassified).sum();
        let unsure =
            (unclassified > 0).then(|| here.words.id("match.unclassified", &[("n".into(), unclassified.to_string())]));
        (
            table(here, "beside.reference", rows),
            why.collect::<Vec<El>>(),
            unsure.map(|text| {
                el("p.small.mark.warn.compare-unsure").child(icon(Icon::Warn, "icon-s")).child(el("span").child(text))
            }),
            el("p.small.quiet").child(here.words.s("beside.reference-means")),
        )
            .view()
    };
    el("section").child(el("h2").child(here.words.s("beside.reference"))).child(draw).view()
}

/// Whether it passed, with a mark, and how much of the reference was done.
fn verdict_cell(here: Here, verdict: Option<&VerdictReport>, whole: bool) -> View {
    let Some(v) = verdict else { return format::UNKNOWN.view() };
    let (which, tone) = if v.pass { (Icon::Check, "good") } else { (Icon::Close, "bad") };
    let text = if whole {
        here.words.s(if v.pass { "beside.yes" } else { "beside.no" }).to_owned()
    } else {
        let args = [("have", v.matched.to_string()), ("need", v.looked_at.1.to_string())];
        here.words.f(M::HaveOfNeed, &args.each_ref().map(|(k, n)| (*k, n.as_str())))
    };
    el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(text).view()
}

/// The calls that cost points, by name.
fn lost(here: Here, v: &VerdictReport) -> Vec<String> {
    let say = |id: &str, tools: Vec<&str>| {
        let more = tools.len().saturating_sub(NAMED);
        let mut what = tools.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        if more > 0 {
            what.push_str(&format!(" +{more}"));
        }
        (!what.is_empty()).then(|| here.words.id(id, &[("what".into(), what)]))
    };
    [
        say("beside.missing", v.missing.iter().map(|c| c.tool.as_str()).collect()),
        say("beside.wrong", v.wrong_args.iter().map(|w| w.call.tool.as_str()).collect()),
        say("beside.extra", v.extra.iter().map(|c| c.tool.as_str()).collect()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What both runs took; what neither file states is no row.
pub(super) fn usage(here: Here, runs: &Arc<[RunSummary; 2]>) -> View {
    let [a, b] = &**runs;
    let row = |id: &str, of: fn(&RunSummary) -> Option<String>| {
        let cells = [of(a), of(b)];
        cells.iter().any(Option::is_some).then(|| line(here.words.s(id), cells.map(|c| known(c).view())))
    };
    let rows: Vec<El> = [
        row("many.column.steps", |r| Some(format::count(r.steps.into()))),
        row("beside.input", |r| r.usage.input_tokens.map(format::count)),
        row("beside.cached", |r| r.usage.cached_tokens.map(format::count)),
        row("beside.output", |r| r.usage.output_tokens.map(format::count)),
        row("many.column.loops", |r| Some(format::count(r.loops.spans.into()))),
        row("many.column.waste", |r| r.loops.waste_ratio.map(format::percent)),
        row("many.column.findings", |r| {
            let f = &r.findings;
            Some(format::count(u64::from(f.errors) + u64::from(f.warnings) + u64::from(f.infos)))
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    el("section").child(el("h2").child(here.words.s("beside.usage"))).child(table(here, "beside.usage", rows)).view()
}

/// The calls of both runs against the skills that they declare and those that are open.
pub(super) fn contract(here: Here) -> View {
    let found = both(
        here,
        |at| Job::Contract { document: at.document, run: at.run },
        |outcome| match outcome {
            Outcome::Contract { contract } => Some(*contract),
            _ => None,
        },
    );
    let draw = move || {
        found.get().map(|sides| {
            let row = |id: &str, tone: &'static str, of: fn(&ContractReport) -> u32| {
                let cell = |side: &Option<Arc<ContractReport>>| {
                    let n = side.as_deref().map(of);
                    let tone = if n.unwrap_or(0) > 0 { tone } else { "" };
                    el("span").class(tone).child(known(n.map(|n| format::count(n.into())))).view()
                };
                line(here.words.s(id), sides.each_ref().map(cell))
            };
            table(
                here,
                "beside.contract",
                vec![
                    row("beside.kept", "", |c| c.kept),
                    row("beside.broken", "bad", |c| c.broken),
                    row("beside.unchecked", "", |c| c.unchecked),
                ],
            )
        })
    };
    el("section").child(el("h2").child(here.words.s("beside.contract"))).child(draw).view()
}

/// Both sequence diagrams, page by page together; an arrow opens its step.
pub(super) fn diagrams(here: Here) -> View {
    let words = here.words;
    let at = RwSignal::new(0u32);
    let pages: [RwSignal<Option<Arc<DiagramPage>>>; 2] = [RwSignal::new(None), RwSignal::new(None)];
    let hosts = [NodeRef::<html::Div>::new(), NodeRef::<html::Div>::new()];
    let drawn: [RwSignal<Option<Drawn>>; 2] = [RwSignal::new(None), RwSignal::new(None)];
    // Mermaid draws one picture after the other, into elements of its own: hence an effect.
    effect(move || {
        let page = at.get();
        hosts.iter().for_each(|h| h.track());
        spawn_local(async move {
            let sides = [here.left, here.right].into_iter().zip(pages).zip(hosts).zip(drawn);
            for (((side, slot), host), drawn) in sides {
                let lang = words.0.tag().to_owned();
                let options = DiagramOptions { lang, page, ..DiagramOptions::default() };
                let outcome = here.engine.ask(Job::Diagram { document: side.document, run: side.run, options }).await;
                if at.try_get_untracked() != Some(page) {
                    return;
                }
                let Outcome::Diagram { diagram } = outcome else { continue };
                // The shorter run's last page stays where the other one goes on.
                let same = slot.with_untracked(|p| p.as_ref().is_some_and(|p| p.page == diagram.page));
                if same && drawn.with_untracked(Option::is_some) {
                    continue;
                }
                let _ = drawn.try_set(None);
                let result = mermaid::draw(host, &with_title(words, &diagram), &links(words, &diagram)).await;
                let _ = slot.try_set(Some(Arc::from(diagram)));
                let _ = drawn.try_set(Some(result));
            }
        });
    });
    let names = here.names.get_value();
    let versus = here.versus.get_untracked();
    let sides = [versus.left, versus.right].into_iter().zip(names).zip(pages).zip(hosts).zip(drawn).map(
        |((((side, name), page), host), drawn)| {
            let open = move |event: &ev::Event| {
                if let Some(step) = mermaid::step_at(event) {
                    event.prevent_default();
                    let document = side.document.clone();
                    here.nav.go(&Route::Document(Place {
                        document,
                        run: Some(side.run),
                        step: Some(step),
                        ..Place::default()
                    }));
                }
            };
            let open = Arc::new(open);
            let pressed = open.clone();
            let label = format!("{}, {name}", words.s("beside.diagrams"));
            el("section.compare-diagram").attr("aria-label", name.clone()).child(el("h2").child(name)).child(
                el("div.diagram-canvas")
                    .attr("tabindex", "0")
                    .attr("role", "region")
                    .attr("aria-label", label)
                    .on(ev::click, move |event| open(&event))
                    .on(ev::keydown, move |event: ev::KeyboardEvent| {
                        if matches!(event.key().as_str(), "Enter" | " ") {
                            pressed(&event);
                        }
                    })
                    .child(move || trouble(words, &page.get().map(Ok), &drawn.get()))
                    .child(el("div.diagram-drawn").node(host).attr("data-fit", "")),
            )
        },
    );
    let [left, right] = pages;
    let most = move || [left, right].iter().filter_map(|p| p.with(|p| p.as_ref().map(|p| p.pages))).max().unwrap_or(0);
    let foot = move || {
        let (n, most) = (at.get(), most());
        (most > 1).then(|| {
            (
                el("button.button.button-small")
                    .attr("disabled", n == 0)
                    .on(ev::click, move |_| at.update(|n| *n = n.saturating_sub(1)))
                    .child(words.t(M::PreviousPage)),
                el("span").child(words.f(M::PageOf, &[("n", &(n + 1).to_string()), ("of", &most.to_string())])),
                el("button.button.button-small")
                    .attr("disabled", n + 1 >= most)
                    .on(ev::click, move |_| at.update(|n| *n += 1))
                    .child(words.t(M::NextPage)),
            )
        })
    };
    el("div.compare-table.compare-diagrams")
        .child(el("div.compare-diagram-pair").child(sides.collect::<Vec<El>>()))
        .child(el("div.row.compare-diagram-foot").child(foot))
        .view()
}
