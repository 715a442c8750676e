//! Beside the table: the first divergence with what followed, the path through both runs as a plot and as a table, the
//! likeness of thoughts, the chosen row in full, and the comparison to take away.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::rows::relation_word;
use super::{Here, beside};
use crate::format;
use crate::message::M;
use crate::protocol::{CompareSeek, Job, Outcome};
use crate::report::{After, CompareReport, DivergenceReport, PairDetail, PairPart, PathPiece, RunSummary};
use crate::web::components::sentence::sentence;
use crate::web::components::{Icon, icon};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, effect, el, svg};

/// Width and height of the plot, and the room for its numbers.
const WIDE: f64 = 248.0;
const HIGH: f64 = 140.0;
const ROOM: f64 = 22.0;
/// Lines of the grid in a direction, at most.
const GRID: u32 = 12;

fn number(n: Option<u32>) -> String {
    n.map_or_else(|| format::UNKNOWN.to_owned(), |n| u64::from(n).saturating_add(1).to_string())
}

fn names(here: Here) -> [String; 2] {
    here.names.get_value()
}

/// The first divergence.
pub(super) fn card(here: Here) -> View {
    let words = here.words;
    let draw = move || match here.report.get() {
        None => el("p.quiet").attr("role", "status").child(words.t(M::CompareAligning)).view(),
        Some(Err(_)) => View::NONE,
        Some(Ok(report)) => match &report.divergence {
            None => (
                el("h2").child(words.t(M::FigureDivergence)),
                el("p.row").child(icon(Icon::Check, "good")).child(words.id("divergence.none", &[])),
            )
                .view(),
            Some(found) => divergence(here, found),
        },
    };
    el("section.compare-card").attr("aria-label", words.t(M::FigureDivergence)).child(draw).view()
}

fn divergence(here: Here, found: &DivergenceReport) -> View {
    let words = here.words;
    let (id, args) = &found.sentence;
    let place = words.f(M::BothSides, &[("left", &number(found.left)), ("right", &number(found.right))]);
    // The sentence names no step; a link to one would be to the left run.
    let text = sentence(words, id, args, Callback::new(move |step| here.step_href(0, step)));
    let alike = found.thoughts.map(|n| el("p.quiet").child(words.f(M::ThoughtsAlike, &[("n", &format!("{n:.2}"))])));
    (
        el("div.row")
            .child(el("h2").child(words.t(M::FigureDivergence)))
            .child(el("span.compare-place").child(place))
            .child(
                el("button.link.end")
                    .on(ev::click, move |_| here.seek(CompareSeek::Divergence))
                    .child(words.t(M::GoThere))
                    .child(" ")
                    .child(el("kbd.kbd").child("f")),
            ),
        el("p")
            .child(el("b").child(words.id(&format!("cause.{}", found.cause), &[])))
            .child(words.t(M::Stop))
            .child(text),
        alike,
        afterwards(here, found),
    )
        .view()
}

fn afterwards(here: Here, found: &DivergenceReport) -> El {
    let words = here.words;
    let known = |value: Option<String>| value.unwrap_or_else(|| format::UNKNOWN.to_owned());
    let row = |name: M, of: &dyn Fn(&After) -> Option<String>| {
        el("tr")
            .child(el("th").attr("scope", "row").child(words.t(name)))
            .child(el("td.table-number").child(known(of(&found.left_after))))
            .child(el("td.table-number").child(known(of(&found.right_after))))
    };
    let cost = |a: &After| {
        let mark = if a.cost_estimated { format!(" {}", words.t(M::Estimated)) } else { String::new() };
        a.cost.map(|c| format!("{}{mark}", format::money(c)))
    };
    let head = names(here).map(|name| el("th.table-number").attr("scope", "col").child(name));
    el("table.table.compare-after")
        .child(el("caption.unseen").child(words.t(M::AfterwardsTitle)))
        .child(
            el("thead")
                .child(el("tr").child(el("th").attr("scope", "col").child(words.t(M::AfterwardsTitle))).child(head)),
        )
        .child(
            el("tbody")
                .child(row(M::AfterActions, &|a| Some(format::count(u64::from(a.actions)))))
                .child(row(M::FigureTokens, &|a| a.tokens.map(format::count)))
                .child(row(M::FigureCost, &cost))
                .child(row(M::FigureTime, &|a| a.seconds.map(|s| format::duration(s * 1000.0)))),
        )
}

/// What stands under the divergence.
pub(super) fn aside(here: Here, runs: &Arc<[RunSummary; 2]>) -> View {
    let words = here.words;
    let path = move || {
        here.report.get().and_then(Result::ok).map(|report| (path_plot(here, &report), path_table(here, &report)))
    };
    el("aside.compare-side-column")
        .attr("aria-label", words.t(M::PathTitle))
        .child(chosen(here))
        .child(el("section").child(el("h2").child(words.t(M::PathTitle))).child(path))
        .child(beside::reference(here))
        .child(thoughts(here))
        .child(beside::usage(here, runs))
        .child(beside::contract(here))
        .child(take_away(here))
        .view()
}

/// The path: left actions to the right, right actions down. Slanted is aligned; level or upright has no counterpart.
fn path_plot(here: Here, report: &CompareReport) -> El {
    let words = here.words;
    let (left, right) = (report.actions.left, report.actions.right);
    let x = |n: u32| ROOM + f64::from(n) / f64::from(left.max(1)) * WIDE;
    let y = |n: u32| 4.0 + f64::from(n) / f64::from(right.max(1)) * HIGH;
    let mut grid = String::new();
    let lines = |of: u32| (0..=of).step_by(of.div_ceil(GRID).max(1) as usize);
    for n in lines(left) {
        grid.push_str(&format!("M{:.1} 4v{HIGH}", x(n)));
    }
    for n in lines(right) {
        grid.push_str(&format!("M{ROOM} {:.1}h{WIDE}", y(n)));
    }
    let (mut a, mut b) = (0_u32, 0_u32);
    let mut ways: Vec<El> = Vec::new();
    for piece in &report.path {
        let d = format!("M{:.1} {:.1}", x(a), y(b));
        (a, b) = (a.saturating_add(piece.left), b.saturating_add(piece.right));
        ways.push(
            svg("path").attr("data-relation", piece.relation.clone()).attr("d", format!("{d}L{:.1} {:.1}", x(a), y(b))),
        );
    }
    let place = report.divergence.as_ref().filter(|d| d.unit == "action").map(|d| {
        let at = |n: Option<u32>, of: u32| n.unwrap_or(of);
        svg("circle")
            .attr("cx", format!("{:.1}", x(at(d.left, left))))
            .attr("cy", format!("{:.1}", y(at(d.right, right))))
            .attr("r", "4")
    });
    let text = |x: f64, y: f64, anchor: &'static str, text: String| {
        svg("text").attr("x", format!("{x:.1}")).attr("y", format!("{y:.1}")).attr("text-anchor", anchor).child(text)
    };
    let [left_name, right_name] = names(here);
    let label = words.f(M::PathOf, &[("left", &left.to_string()), ("right", &right.to_string())]);
    // A press on the path goes to the row of that place; its twin for keys is the table below.
    let node = NodeRef::<html::Div>::new();
    let pieces = report.path.clone();
    let press = move |event: ev::MouseEvent| {
        let Some(node) = node.get_untracked() else { return };
        let rect = node.get_bounding_client_rect();
        let scale = (WIDE + ROOM + 6.0) / rect.width().max(1.0);
        let x = (f64::from(event.client_x()) - rect.left()) * scale - ROOM;
        let y = (f64::from(event.client_y()) - rect.top()) * scale - 4.0;
        let at = (x / WIDE * f64::from(left.max(1)), y / HIGH * f64::from(right.max(1)));
        if let Some(seek) = nearest(&pieces, at) {
            here.seek(seek);
        }
    };
    let plot = svg("svg.compare-path")
        .attr("viewBox", format!("0 0 {} {}", WIDE + ROOM + 6.0, HIGH + 24.0))
        .attr("role", "img")
        .attr("aria-label", label)
        .child(svg("path.compare-grid").attr("d", grid))
        .child(ways)
        .child(place)
        .child(text(ROOM - 5.0, 13.0, "end", "1".into()))
        .child(text(ROOM - 5.0, HIGH + 4.0, "end", right.to_string()))
        .child(text(ROOM, HIGH + 19.0, "start", right_name))
        .child(text(ROOM + WIDE, HIGH + 19.0, "end", format!("{left_name} {left}")));
    el("div.compare-path-press").node(node).attr("title", words.s("beside.path-keys")).on(ev::click, press).child(plot)
}

/// The action of the path that is nearest to a place, counted in actions of both sides.
fn nearest(path: &[PathPiece], at: (f64, f64)) -> Option<CompareSeek> {
    let (mut a, mut b) = (0_u32, 0_u32);
    let mut best: Option<(f64, CompareSeek)> = None;
    for piece in path {
        let steps = piece.left.max(piece.right);
        for i in 0..steps.min(2_000) {
            let part = |n: u32| (f64::from(i) + 0.5) / f64::from(steps.max(1)) * f64::from(n);
            let (x, y) = (f64::from(a) + part(piece.left), f64::from(b) + part(piece.right));
            let far = (x - at.0).hypot(y - at.1);
            if best.as_ref().is_none_or(|(least, _)| far < *least) {
                let seek = if piece.left > 0 {
                    CompareSeek::LeftAction { action: (x as u32).min(a.saturating_add(piece.left).saturating_sub(1)) }
                } else {
                    CompareSeek::RightAction { action: (y as u32).min(b.saturating_add(piece.right).saturating_sub(1)) }
                };
                best = Some((far, seek));
            }
        }
        (a, b) = (a.saturating_add(piece.left), b.saturating_add(piece.right));
    }
    best.map(|(_, seek)| seek)
}

fn path_table(here: Here, report: &CompareReport) -> El {
    let words = here.words;
    let head = names(here).map(|name| el("th.table-number").attr("scope", "col").child(name));
    let (mut a, mut b) = (0_u32, 0_u32);
    let range = |from: u32, n: u32| match n {
        0 => format::UNKNOWN.to_owned(),
        1 => (u64::from(from) + 1).to_string(),
        _ => format!("{}–{}", u64::from(from) + 1, u64::from(from) + u64::from(n)),
    };
    let mut line = |piece: &PathPiece| {
        let (_, tone, word) = relation_word(words, &piece.relation, 1.0);
        let (left, right) = (range(a, piece.left), range(b, piece.right));
        let seek =
            if piece.left > 0 { CompareSeek::LeftAction { action: a } } else { CompareSeek::RightAction { action: b } };
        (a, b) = (a.saturating_add(piece.left), b.saturating_add(piece.right));
        el("tr")
            .child(el("th").attr("scope", "row").child(
                el("button.link").on(ev::click, move |_| here.seek(seek)).child(el("span").class(tone).child(word)),
            ))
            .child(el("td.table-number").child(left))
            .child(el("td.table-number").child(right))
    };
    let rows: Vec<El> = report.path.iter().map(&mut line).collect();
    el("details").child(el("summary").child(words.t(M::PathTable))).child(
        el("table.table")
            .child(el("caption.unseen").child(words.t(M::PathTitle)))
            .child(
                el("thead")
                    .child(el("tr").child(el("th").attr("scope", "col").child(words.t(M::Relation))).child(head)),
            )
            .child(el("tbody").child(rows)),
    )
}

/// From which likeness texts are paired, and what can be said of thoughts at all.
fn thoughts(here: Here) -> El {
    let words = here.words;
    let threshold = Memo::new(move |_| here.versus.with(|v| v.threshold));
    let moved = RwSignal::new(threshold.get_untracked());
    effect(move || moved.set(threshold.get()));
    let note = move || {
        let report = here.report.get().and_then(Result::ok)?;
        let why = report
            .note
            .as_ref()
            .map(|id| el("p.row").child(icon(Icon::Info, "icon-s")).child(el("span").child(words.id(id, &[]))));
        let anchored = report.thoughts.anchored.then(|| el("p").child(words.id("compare.anchored", &[])));
        Some((why, anchored))
    };
    el("section")
        .child(el("h2").child(words.t(M::FigureThoughts)))
        .child(note)
        .child(
            el("label.slider")
                .child(el("span").child(words.t(M::ThoughtThreshold)))
                .child(el("span.slider-value").child(move || format!("{:.2}", f64::from(moved.get()) / 100.0)))
                .child(
                    el("input")
                        .attr("type", "range")
                        .attr("min", "5")
                        .attr("max", "100")
                        .attr("step", "5")
                        .style("--fill", move || format!("{:.1}%", (f64::from(moved.get()) - 5.0) / 0.95))
                        .prop("value", move || moved.get().to_string())
                        .on(ev::input, move |e| {
                            if let Ok(n) = event_target_value(&e).parse() {
                                moved.set(n);
                            }
                        })
                        .on(ev::change, move |e| {
                            if let Ok(n) = event_target_value(&e).parse() {
                                here.replace(|v| {
                                    v.threshold = n;
                                    v.row = None;
                                });
                            }
                        }),
                ),
        )
        .child(el("p.small.quiet").child(words.id("compare.lexical", &[])))
}

/// The chosen row in full.
fn chosen(here: Here) -> View {
    let words = here.words;
    let detail = RwSignal::new(None::<PairDetail>);
    let row = Memo::new(move |_| here.versus.with(|v| v.row));
    effect(move || {
        let (options, Some(row_now)) = (here.options.get(), row.get()) else { return detail.set(None) };
        let Here { left, right, .. } = here;
        spawn_local(async move {
            let outcome = here.engine.ask(Job::ComparePair { left, right, options, row: row_now }).await;
            if row.try_get_untracked() == Some(Some(row_now))
                && let Outcome::ComparePair { pair } = outcome
            {
                let _ = detail.try_set(Some(*pair));
            }
        });
    });
    let draw = move || {
        detail.get().map(|pair| {
            let (_, tone, word) = relation_word(words, &pair.relation, pair.likeness);
            let names = names(here);
            let links = [pair.left_step, pair.right_step].into_iter().zip(names).enumerate().filter_map(
                |(side, (step, name))| {
                    let step = step?;
                    let text = words.f(M::StepNumber, &[("n", &(u64::from(step) + 1).to_string())]);
                    Some(el("a").attr("href", here.step_href(side, step)).child(format!("{name}: {text}")))
                },
            );
            let one_side = pair.left_step.is_none() || pair.right_step.is_none();
            let parts = pair.parts.iter().map(|p| part(here, p, one_side)).collect::<View>();
            el("section.compare-pair")
                .child(el("h2").child(words.t(M::RowInFull)))
                .child(el("p.row").child(el("span").class(tone).child(word)).child(links.collect::<View>()))
                .child((!one_side).then(|| el("p.small.quiet").child(words.t(M::PairLegend))))
                .child(el("dl").child(parts))
        })
    };
    draw.view()
}

fn part(here: Here, part: &PairPart, one_side: bool) -> View {
    let words = here.words;
    let name = match part.kind.as_str() {
        "argument" => el("code").child(part.name.clone()).view(),
        "arguments" => words.t(M::PartArguments).view(),
        "tool" => words.t(M::PartTool).view(),
        "result" => words.t(M::PartResult).view(),
        _ => words.t(M::PartText).view(),
    };
    if part.pieces.is_empty() {
        return View::NONE;
    }
    let text = part.pieces.iter().map(|(sign, text)| match sign.as_str() {
        "-" if !one_side => el("del").child(text.clone()).view(),
        "+" if !one_side => el("ins").child(text.clone()).view(),
        _ => text.clone().view(),
    });
    let cut = part.cut.then(|| el("p.small.quiet").child(words.t(M::RowCut)));
    (el("dt").child(name), el("dd").child(el("div.compare-full").child(text.collect::<View>())).child(cut)).view()
}

/// The comparison as a file.
fn take_away(here: Here) -> El {
    let words = here.words;
    let export = move |kind: &'static str, then: fn(Here, String)| {
        let (Here { left, right, .. }, options) = (here, here.options.get_untracked());
        spawn_local(async move {
            let job = Job::CompareExport { left, right, options, kind: kind.into() };
            if let (Outcome::Exported { text }, false) = (here.engine.ask(job).await, here.is_gone()) {
                then(here, text);
            }
        });
    };
    let button = |text: M, kind: &'static str, then: fn(Here, String)| {
        el("button.button").on(ev::click, move |_| export(kind, then)).child(words.t(text))
    };
    el("section").child(el("h2").child(words.t(M::TakeAway))).child(
        el("div.row")
            .child(button(M::CopyMarkdown, "markdown", |here, text| here.copy(text)))
            .child(button(M::DownloadMarkdown, "markdown", |_, text| {
                look::download("comparison.md", "text/markdown", &text);
            }))
            .child(button(M::DownloadJson, "json", |_, text| {
                look::download("comparison.json", "application/json", &text);
            })),
    )
}
