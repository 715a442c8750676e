//! Many runs as a whole: figures, bins, trials, nearest shapes, the matrix, the consensus of a group. Success is what the
//! file says; runs that say nothing are counted apart and are in no share.
//!
//! Similarity is that of the directly-follows graphs ([`crate::topology::similarity`]) of each topology's first run: runs of
//! one topology differ only in how often their loops went round. Cost: O(runs) for figures, O(topologies) comparisons of
//! edges for nearest shapes, O(k²) for a matrix of k.

use std::collections::BTreeMap;

use super::many::{
    At, BranchLine, CallBin, ConsensusLine, ConsensusReport, GroupLine, KnownSum, ManyMatrix, ManyReport, NearLine,
    TrialLine,
};
use super::many_list::{Group, ManyRun, group_line, grouped, tokens};
use super::rows::{preview, tool_label};
use crate::align::{Sameness, consensus};
use crate::model::Run;
use crate::topology::{Dfg, dfg, similarity};

/// Bins of the calls per run.
const MAX_BINS: u32 = 12;
/// A shape is common from so many judged runs on, and from such a part of all that are judged: a twentieth.
const COMMON: u32 = 5;
const COMMON_PART: u32 = 20;
/// Topologies of a matrix, at most.
const MAX_MATRIX: u32 = 48;
/// Actions and branches that are listed.
const MAX_STEPS: usize = 300;
const MAX_BRANCHES: usize = 40;

fn picked<'a, 'b>(runs: &'b [ManyRun<'a>], hits: &'b [u32]) -> impl Iterator<Item = &'b ManyRun<'a>> + Clone {
    hits.iter().filter_map(|i| runs.get(*i as usize))
}

fn at(run: &ManyRun<'_>) -> At {
    (run.document, run.index)
}

/// The figures of the runs that a filter kept.
pub fn many_report(runs: &[ManyRun<'_>], hits: &[u32]) -> ManyReport {
    let all = || picked(runs, hits);
    let count = |test: &dyn Fn(&ManyRun<'_>) -> bool| all().filter(|r| test(r)).count() as u32;
    let (passed, failed) = (count(&|r| r.passed() == Some(true)), count(&|r| r.passed() == Some(false)));
    let topologies = grouped(runs, hits, "topology");
    let (best, worst) = extremes(runs, &topologies);
    let (trials, mixed_tasks, mixed_pair) = trials(runs, hits);
    ManyReport {
        runs: hits.len() as u32,
        topologies: topologies.len() as u32,
        passed,
        failed,
        unknown: (hits.len() as u32).saturating_sub(passed + failed),
        interval: wilson(passed, passed + failed),
        calls: all().map(|r| u64::from(r.summary.calls)).sum(),
        errors: all().map(|r| u64::from(r.summary.errors)).sum(),
        loop_runs: count(&|r| r.summary.loops.spans > 0),
        stuck_runs: count(&|r| r.summary.loops.verdict == "stuck"),
        tokens: known(all().map(|r| (tokens(r.summary).map(|n| n as f64), false))),
        cost: known(all().map(|r| (r.summary.usage.cost, r.summary.usage.cost_estimated))),
        duration_ms: known(all().map(|r| (r.summary.duration_ms, false))),
        best,
        worst,
        bins: bins(runs, hits),
        trials,
        mixed_tasks,
        mixed_pair,
        groups: ways(runs, hits, topologies.len()),
    }
}

fn known(values: impl Iterator<Item = (Option<f64>, bool)>) -> KnownSum {
    values.fold(KnownSum::default(), |mut sum, (value, estimated)| {
        if let Some(value) = value {
            sum.sum += value;
            sum.known += 1;
            sum.estimated += u32::from(estimated);
        }
        sum
    })
}

/// The interval of Wilson (1927) for a share, at 95 %.
pub fn wilson(passed: u32, of: u32) -> Option<(f64, f64)> {
    if of == 0 {
        return None;
    }
    let (n, z2) = (f64::from(of), 1.959_964_f64 * 1.959_964);
    let p = f64::from(passed) / n;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

/// The common shapes with the greatest and the least share that passed.
fn extremes(runs: &[ManyRun<'_>], groups: &[Group]) -> (Option<GroupLine>, Option<GroupLine>) {
    let judged: u32 = groups.iter().map(|g| g.passed + g.failed).sum();
    let common = || groups.iter().filter(|g| g.passed + g.failed >= COMMON.max(judged.div_ceil(COMMON_PART)));
    let rate = |g: &&Group| g.rate().unwrap_or(0.0);
    // Of equal shares the larger group, which stands first.
    let best = common().reduce(|a, b| if rate(&b) > rate(&a) { b } else { a });
    let worst = common().reduce(|a, b| if rate(&b) < rate(&a) { b } else { a });
    match (best, worst) {
        (Some(a), Some(b)) if rate(&a) > rate(&b) => {
            (Some(group_line(runs, a, "topology")), Some(group_line(runs, b, "topology")))
        }
        _ => (None, None),
    }
}

fn bins(runs: &[ManyRun<'_>], hits: &[u32]) -> Vec<CallBin> {
    let Some(most) = picked(runs, hits).map(|r| r.summary.calls).max() else { return Vec::new() };
    let wide = (most / MAX_BINS + 1).max(1);
    let mut out: Vec<CallBin> = (0..=most / wide)
        .map(|i| CallBin { first: i * wide, last: i * wide + (wide - 1), ..CallBin::default() })
        .collect();
    for run in picked(runs, hits) {
        let Some(bin) = out.get_mut((run.summary.calls / wide) as usize) else { continue };
        match run.passed() {
            Some(true) => bin.passed += 1,
            Some(false) => bin.failed += 1,
            None => bin.unknown += 1,
        }
    }
    out
}

/// Tasks by their trials that passed, those that do both, and the first pair of such trials.
fn trials(runs: &[ManyRun<'_>], hits: &[u32]) -> (Vec<TrialLine>, u32, Option<(At, At)>) {
    let mut tasks: BTreeMap<&str, Vec<&ManyRun<'_>>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for run in picked(runs, hits) {
        let Some(task) = run.task() else { continue };
        let of = tasks.entry(task).or_default();
        if of.is_empty() {
            order.push(task);
        }
        of.push(run);
    }
    let mut lines: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let (mut mixed, mut pair) = (0, None);
    for of in order.iter().filter_map(|task| tasks.get(task)) {
        let first = |passed: bool| of.iter().find(|r| r.passed() == Some(passed));
        if let (Some(good), Some(bad)) = (first(true), first(false)) {
            mixed += 1;
            pair = pair.or(Some((at(good), at(bad))));
        }
        if of.len() > 1 && of.iter().all(|r| r.passed().is_some()) {
            let passed = of.iter().filter(|r| r.passed() == Some(true)).count() as u32;
            *lines.entry((of.len() as u32, passed)).or_default() += 1;
        }
    }
    // Every number of passes of a usual number of trials is a line, also the one that no task has.
    let sizes: Vec<u32> = lines.keys().map(|(of, _)| *of).filter(|of| *of <= 8).collect();
    for of in sizes {
        (0..=of).for_each(|passed| {
            lines.entry((of, passed)).or_default();
        });
    }
    let lines = lines.into_iter().map(|((of, passed), tasks)| TrialLine { passed, of, tasks }).take(40).collect();
    (lines, mixed, pair)
}

/// Groupings that tell the runs apart without naming every one.
fn ways(runs: &[ManyRun<'_>], hits: &[u32], topologies: usize) -> Vec<String> {
    let several = |kind: &str| {
        let mut keys: Vec<&str> = picked(runs, hits).map(|r| r.key(kind)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len() > 1 && (kind != "file" || keys.len() < hits.len())
    };
    let mut out = Vec::new();
    if topologies > 0 {
        out.push("topology".to_owned());
    }
    out.extend(["task", "model", "outcome", "file"].into_iter().filter(|k| several(k)).map(str::to_owned));
    out
}

/// The graphs of the groups' first runs.
pub fn graphs(runs: &[ManyRun<'_>], groups: &[Group]) -> Vec<Dfg> {
    let first = |g: &Group| g.members.first().and_then(|i| runs.get(*i as usize));
    groups.iter().map(|g| first(g).map(|r| dfg(r.run)).unwrap_or_default()).collect()
}

/// The topologies that are most like that of a run, the most alike first; its own is not among them.
pub fn near(runs: &[ManyRun<'_>], groups: &[Group], graphs: &[Dfg], of: &ManyRun<'_>, limit: u32) -> Vec<NearLine> {
    let own = dfg(of.run);
    let mut found: Vec<(f64, &Group)> = groups
        .iter()
        .zip(graphs)
        .filter(|(g, _)| g.key != of.summary.topology.hash)
        .map(|(g, graph)| (similarity(&own, graph), g))
        .filter(|(alike, _)| *alike > 0.0)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let line =
        |(similarity, g): &(f64, &Group)| NearLine { line: group_line(runs, g, "topology"), similarity: *similarity };
    found.iter().take(limit.min(50) as usize).map(line).collect()
}

/// The largest topologies against each other.
pub fn matrix(runs: &[ManyRun<'_>], groups: &[Group], graphs: &[Dfg], limit: u32) -> ManyMatrix {
    let n = groups.len().min(graphs.len()).min(limit.min(MAX_MATRIX) as usize);
    let alike = |a: usize, b: usize| match (graphs.get(a), graphs.get(b)) {
        _ if a == b => 1.0,
        (Some(x), Some(y)) => similarity(x, y),
        _ => 0.0,
    };
    let mut rest: Vec<usize> = (0..n).collect();
    let mut order: Vec<usize> = Vec::new();
    while !rest.is_empty() {
        let next = order.last().map_or(0, |&last: &usize| {
            // Of equally alike ones the larger, which stands first.
            let mut best = (0, f64::NEG_INFINITY);
            for (i, &candidate) in rest.iter().enumerate() {
                let value = alike(last, candidate);
                if value > best.1 {
                    best = (i, value);
                }
            }
            best.0
        });
        order.push(rest.remove(next));
    }
    ManyMatrix {
        cells: order.iter().flat_map(|a| order.iter().map(|b| alike(*a, *b)).collect::<Vec<_>>()).collect(),
        lines: order.iter().filter_map(|i| groups.get(*i)).map(|g| group_line(runs, g, "topology")).collect(),
        of: groups.len() as u32,
    }
}

/// What some runs have in common, and where they part. `same` is `tool` or `call`.
pub fn consensus_report(runs: &[ManyRun<'_>], hits: &[u32], same: &str) -> ConsensusReport {
    let all: Vec<&ManyRun<'_>> = picked(runs, hits).collect();
    let found =
        consensus(&all.iter().map(|r| r.run).collect::<Vec<_>>(), Sameness::from_id(same).unwrap_or(Sameness::Tool));
    let said = |of: &[usize], passed: Option<bool>| {
        of.iter().filter(|i| all.get(**i).is_some_and(|r| r.passed() == passed)).count() as u32
    };
    let everyone: Vec<usize> = (0..all.len()).collect();
    let middle = found.middle.and_then(|i| all.get(i));
    let steps = middle.map(|m| m.run.actions()).unwrap_or_default();
    let lines: Vec<ConsensusLine> = steps
        .iter()
        .zip(&found.have)
        .enumerate()
        .filter_map(|(i, (&step, have))| {
            let (tool, preview) = action(middle?.run, step);
            Some(ConsensusLine {
                step,
                tool,
                preview,
                have: have.len() as u32,
                passed: said(have, Some(true)),
                failed: said(have, Some(false)),
                splits: i == found.trunk && found.branches.len() > 1,
            })
        })
        .collect();
    let branches = found.branches.iter().take(MAX_BRANCHES).filter_map(|branch| {
        let example = branch.runs.first().and_then(|i| all.get(*i))?;
        let step = if branch.goes_on { example.run.actions().get(found.trunk).copied() } else { None };
        let (tool, preview) = step.map(|s| action(example.run, s)).unwrap_or_default();
        Some(BranchLine {
            tool,
            preview,
            runs: branch.runs.len() as u32,
            passed: said(&branch.runs, Some(true)),
            failed: said(&branch.runs, Some(false)),
            unknown: said(&branch.runs, None),
            example: at(example),
            step,
        })
    });
    ConsensusReport {
        runs: all.len() as u32,
        looked_at: found.looked_at as u32,
        passed: said(&everyone, Some(true)),
        failed: said(&everyone, Some(false)),
        unknown: said(&everyone, None),
        middle: middle.map(|m| at(m)),
        middle_title: middle.map(|m| m.summary.title.clone()).unwrap_or_default(),
        agreement: found.agreement,
        cut: lines.len().saturating_sub(MAX_STEPS) as u32,
        common: found.trunk as u32,
        branches: branches.collect(),
        steps: lines.into_iter().take(MAX_STEPS).collect(),
    }
}

fn action(run: &Run, step: u32) -> (String, String) {
    let Some(step) = run.steps.get(step as usize) else { return Default::default() };
    (step.call.as_deref().map(|c| tool_label(&c.tool)).unwrap_or_default(), preview(step).0)
}
