//! What the runs of a group have in common: what all begin with, how they go on, and who shares each action of the run
//! in the middle. Groups are those of the table; without one, all runs of the filter.

use leptos::{ev, prelude::*};

use super::head::{self, shape_name};
use super::{Here, bar, judged};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{BranchLine, ConsensusLine, ConsensusReport, GroupLine, ManyRow, ManyView};
use crate::web::components::segment::named_segment;
use crate::web::components::{Icon, icon};
use crate::web::view::{El, IntoView, View, el};

/// Groups that can be chosen: the largest.
const GROUPS: u32 = 200;

pub(super) fn consensus(here: Here) -> View {
    let words = here.words;
    let same = RwSignal::new("call".to_owned());
    let of = Memo::new(move |_| here.place.with(|p| (p.filter.clone(), p.view.group.clone(), p.view.key.clone())));
    let groups = here.asked(
        move || {
            let (filter, group, _) = of.get();
            let view = ManyView { filter, group, ..ManyView::default() };
            Job::Many { documents: here.keys(), view, from: 0, count: GROUPS }
        },
        |outcome| match outcome {
            Outcome::Many { many } => Ok(many),
            other => Err(other),
        },
    );
    let found = here.asked(
        move || {
            let (filter, group, key) = of.get();
            let (group, key) = match key {
                Some(key) => (group, key),
                None => ("none".to_owned(), String::new()),
            };
            Job::ManyConsensus { documents: here.keys(), filter, group, key, same: same.get() }
        },
        |outcome| match outcome {
            Outcome::ManyConsensus { consensus } => Ok(*consensus),
            other => Err(other),
        },
    );
    let ways = move || {
        let mut ids = match &*here.report.read() {
            Some(Ok(report)) => report.groups.clone(),
            _ => Vec::new(),
        };
        let chosen = here.place.with(|p| p.view.group.clone());
        if !ids.contains(&chosen) && chosen != "none" {
            ids.push(chosen);
        }
        head::ways(
            here,
            &ids,
            Callback::new(move |group: &'static str| {
                here.replace(|p| {
                    p.view.group = group.to_owned();
                    p.view.key = None;
                });
            }),
        )
    };
    let options = move || {
        let chosen = of.with(|(.., key)| key.clone());
        let lines: Vec<GroupLine> = match groups.get() {
            Some(Ok(many)) => many
                .rows
                .iter()
                .filter_map(|row| match row {
                    ManyRow::Group(line) => Some(line.clone()),
                    ManyRow::Run(_) => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let all = el("option").attr("value", "").attr("selected", chosen.is_none()).child(here.t("many.everyone"));
        let rest = lines.into_iter().map(|line| {
            let name = match (line.glyph.is_empty(), line.key.as_str()) {
                (false, _) => shape_name(here, &line),
                (true, "") => here.t("many.no-key").to_owned(),
                (true, key) => key.to_owned(),
            };
            let said = judged(here, line.passed, line.failed);
            let is = chosen.as_deref() == Some(line.key.as_str());
            el("option")
                // A key may be empty, and no value stands for all.
                .attr("value", format!("={}", line.key))
                .attr("selected", is)
                .child(format!("{}×  {name}  ({said})", line.runs))
        });
        (all, rest.collect::<View>()).view()
    };
    let choose = move |event: ev::Event| {
        let value = event_target_value(&event);
        here.go(|p| p.view.key = value.strip_prefix('=').map(str::to_owned));
    };
    let body = move || match found.get() {
        None => el("p.quiet").attr("role", "status").child(here.t("many.loading")).view(),
        Some(Err(why)) => el("p").attr("role", "alert").child(why).view(),
        Some(Ok(report)) if report.runs < 2 => el("p.quiet").child(here.t("many.consensus-few")).view(),
        Some(Ok(report)) => drawn(here, &report),
    };
    let meanings = [("tool", "same.tool"), ("call", "same.call")].map(|(id, text)| (id, words.s(text).to_owned()));
    (
        el("div.tool.many-tool")
            .child(ways)
            .child(
                el("select.field.many-choice")
                    .attr("aria-label", here.t("many.group-of"))
                    .on(ev::change, choose)
                    .child(options),
            )
            .child(named_segment(
                words.t(M::SameStepMeans),
                meanings.to_vec(),
                Signal::derive(move || same.get()),
                Callback::new(move |id: &'static str| same.set(id.to_owned())),
            )),
        el("div.page-body.many-consensus")
            .attr("tabindex", "0")
            .attr("role", "region")
            .attr("aria-label", here.t("many.consensus"))
            .child(body),
    )
        .view()
}

fn drawn(here: Here, report: &ConsensusReport) -> View {
    let n = format::count(report.looked_at.into());
    let common = report.common.to_string();
    let begin = match (report.branches.is_empty(), report.common) {
        (true, _) => here.f("many.common-all", &[("n", &n), ("common", &common)]),
        (false, 0) => here.f("many.common-none", &[("n", &n)]),
        (false, _) => here.f("many.common", &[("n", &n), ("common", &common)]),
    };
    let few = (report.looked_at < report.runs).then(|| {
        let args = [("n", n.as_str()), ("of", &format::count(report.runs.into()))];
        el("p.quiet").child(here.f("many.looked-at", &args))
    });
    let middle = report.middle.and_then(|at| here.run_route(at, None)).map(|route| {
        let share = report.agreement.map_or_else(|| format::UNKNOWN.to_owned(), format::percent);
        let text = here.f("many.middle", &[("title", &report.middle_title), ("share", &share)]);
        (
            el("p").child(el("a").attr("href", route.hash()).child(text)),
            el("p.small.quiet").child(here.t("many.middle-means")),
        )
    });
    let branches = (!report.branches.is_empty()).then(|| {
        let longest = report.branches.iter().map(|b| b.runs).max().unwrap_or(1);
        el("section").child(el("h2").child(here.t("many.branches"))).child(table(
            here,
            "many.branches",
            &["many.column.action", "many.column.runs", "", "many.column.passed", "many.column.example"],
            report.branches.iter().map(|b| branch(here, b, longest)).collect(),
        ))
    });
    let cut =
        (report.cut > 0).then(|| el("p.quiet").child(here.f("many.steps-cut", &[("n", &report.cut.to_string())])));
    let judged_runs = report.passed + report.failed > 0;
    let mut columns = vec!["many.column.action", "many.have", ""];
    if judged_runs {
        columns.extend(["many.of-passed", "many.of-failed"]);
    }
    let lines = report.steps.iter().map(|line| step(here, report, line, judged_runs)).collect();
    (
        el("p.row").child(icon(Icon::Info, "")).child(el("b").child(begin)),
        few,
        branches,
        el("section")
            .child(el("h2").child(here.t("many.agreement")))
            .child(middle)
            .child(table(here, "many.agreement", &columns, lines))
            .child(cut),
    )
        .view()
}

fn table(here: Here, caption: &str, columns: &[&'static str], rows: Vec<El>) -> El {
    let head =
        columns.iter().map(|id| if id.is_empty() { el("td") } else { el("th").attr("scope", "col").child(here.t(id)) });
    el("table.table.many-steps")
        .child(el("caption.unseen").child(here.t(caption)))
        .child(el("thead").child(el("tr").child(head.collect::<View>())))
        .child(el("tbody").child(rows))
}

fn call(tool: &str, preview: &str) -> View {
    (el("code.strong").child(tool.to_owned()), " ", el("span.mono.quiet").child(format::one_line(preview, 120))).view()
}

fn branch(here: Here, branch: &BranchLine, longest: u32) -> El {
    let what = if branch.step.is_none() {
        el("span.quiet").child(here.t("many.branch-ends")).view()
    } else {
        call(&branch.tool, &branch.preview)
    };
    let title = here
        .side(branch.example)
        .and_then(|s| here.session.by_name_now(&s.document))
        .and_then(|d| d.summary_now())
        .and_then(|s| s.runs.get(branch.example.1 as usize).map(|r| r.title.clone()))
        .filter(|t| !t.is_empty())
        .unwrap_or_else(|| here.words.f(M::RunNumber, &[("n", &(u64::from(branch.example.1) + 1).to_string())]));
    let link = here.run_route(branch.example, branch.step).map(|route| el("a").attr("href", route.hash()).child(title));
    el("tr")
        .child(el("th.many-step").attr("scope", "row").child(what))
        .child(el("td.table-number").child(branch.runs))
        .child(el("td.many-bar-cell").child(bar(branch.runs, branch.passed, branch.unknown, longest)))
        .child(el("td").child(judged(here, branch.passed, branch.failed)))
        .child(el("td").child(link))
}

fn step(here: Here, report: &ConsensusReport, line: &ConsensusLine, judged_runs: bool) -> El {
    let part = |n: u32, of: u32| {
        if of == 0 {
            format::UNKNOWN.to_owned()
        } else {
            here.f("many.of", &[("n", &n.to_string()), ("of", &of.to_string())])
        }
    };
    let splits = line.splits.then(|| el("p.mark.warn").child(icon(Icon::Warn, "icon-s")).child(here.t("many.splits")));
    let number = el("span.many-no").child(u64::from(line.step) + 1);
    let number = match report.middle.and_then(|at| here.run_route(at, Some(line.step))) {
        Some(route) => el("a").attr("href", route.hash()).child(number),
        None => number,
    };
    el("tr")
        .class(if line.splits { "many-split" } else { "" })
        .child(
            el("th.many-step")
                .attr("scope", "row")
                .child(splits)
                .child(number)
                .child(" ")
                .child(call(&line.tool, &line.preview)),
        )
        .child(el("td.table-number").child(part(line.have, report.looked_at)))
        .child(el("td.many-bar-cell").child(bar(line.have, 0, 0, report.looked_at)))
        .child(judged_runs.then(|| {
            [part(line.passed, report.passed), part(line.failed, report.failed)]
                .map(|text| el("td.table-number").child(text))
        }))
}
