//! D7, D8 and D10: talk without deeds, thoughts that stand still, compactions without work between. O(n · w) for n
//! thoughts, each compared with at most w = 16 before it, and only where several stand between two changes of the world.

use super::lane::{Found, Lane};
use super::words::Words;
use super::{Detector, Params, WhyNot};
use crate::model::{CallStatus, Effect, StepKind, max_period, tandem_runs};

/// Earlier texts that a text is compared with.
const WINDOW: usize = 16;
/// Tries to lengthen one monologue that are looked at.
const MAX_ROW: usize = 10_000;

/// Thoughts and texts of the agent, and compactions.
pub fn talk(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    let mut row: Vec<u32> = Vec::new();
    let mut stretch: Vec<u32> = Vec::new();
    let mut compactions: Vec<(u32, u32)> = Vec::new();
    let mut idle: Vec<u32> = Vec::new();
    let mut calls = 0u32;
    let mut position = 0;
    for &index in &lane.steps {
        let Some(step) = lane.get(index) else { continue };
        match step.kind {
            StepKind::Thought | StepKind::Say if !step.content.text.trim().is_empty() => {
                row.push(index);
                stretch.push(index);
            }
            StepKind::Action => {
                monologue(lane, &std::mem::take(&mut row), Some(index), params, found);
                thrash_idle(lane, &std::mem::take(&mut idle), Some(index), params, found);
                let effect = lane.calls.get(position).map(|_| lane.key(position).effect);
                if effect.is_some_and(|e| e != Effect::Read) && lane.status(position) != CallStatus::Error {
                    stagnation(lane, &std::mem::take(&mut stretch), params, found);
                }
                calls += 1;
                position += 1;
            }
            StepKind::Person => {
                monologue(lane, &std::mem::take(&mut row), Some(index), params, found);
                thrash_idle(lane, &std::mem::take(&mut idle), Some(index), params, found);
                stagnation(lane, &std::mem::take(&mut stretch), params, found);
                thrash(lane, &std::mem::take(&mut compactions), params, found);
            }
            StepKind::Compaction => {
                compactions.push((index, calls));
                idle.push(index);
            }
            _ => {}
        }
    }
    monologue(lane, &row, None, params, found);
    thrash_idle(lane, &idle, None, params, found);
    stagnation(lane, &stretch, params, found);
    thrash(lane, &compactions, params, found);
}

fn words(lane: &Lane<'_>, step: u32) -> Words {
    Words::of(lane.get(step).map_or("", |s| &s.content.text))
}

/// D7: the longest rows of messages, each alike to those before it in its row (the first and the last [`WINDOW`]).
fn monologue(lane: &Lane<'_>, row: &[u32], broken_by: Option<u32>, params: &Params, found: &mut Found) {
    let need = params.messages.max(2) as usize;
    if row.len() + 1 < need || row.len() < 2 {
        return;
    }
    let texts: Vec<Words> = row.iter().take(MAX_ROW).map(|&s| words(lane, s)).collect();
    let mut from = 0;
    while from < texts.len() {
        let alike = |a: usize, b: usize| match (texts.get(a), texts.get(b)) {
            (Some(x), Some(y)) => !x.too_unlike(y, params.alike) && x.alike(y) >= params.alike,
            _ => false,
        };
        let mut to = from + 1;
        while to < texts.len() && alike(from, to) && (to.saturating_sub(WINDOW).max(from)..to).all(|k| alike(k, to)) {
            to += 1;
        }
        let steps: Vec<u32> = row.get(from..to).unwrap_or_default().to_vec();
        if steps.len() >= need {
            let times = steps.len() as u32;
            found.spans.push(lane.said(Detector::Monologue, steps, 1, times));
        } else if steps.len() >= 2 {
            let next = row.get(to).copied();
            let why = if next.is_some() { WhyNot::OtherWords } else { WhyNot::Acted };
            found.near.push(lane.near_said(Detector::Monologue, steps, params.messages, why, next.or(broken_by)));
        }
        from = to;
    }
}

/// D8: thoughts between two changes of the world, by clusters of alike ones, that go round.
fn stagnation(lane: &Lane<'_>, stretch: &[u32], params: &Params, found: &mut Found) {
    let need = params.thoughts.max(2);
    if stretch.len() < need as usize {
        return;
    }
    let texts: Vec<Words> = stretch.iter().map(|&s| words(lane, s)).collect();
    // Single link: a thought joins the cluster of every one before it that it is like.
    let mut parent: Vec<usize> = (0..texts.len()).collect();
    for (i, text) in texts.iter().enumerate() {
        for (j, before) in texts.iter().enumerate().take(i).skip(i.saturating_sub(WINDOW)) {
            if !text.too_unlike(before, params.clustered) && text.alike(before) >= params.clustered {
                let (a, b) = (root(&mut parent, i), root(&mut parent, j));
                if let Some(slot) = parent.get_mut(a.max(b)) {
                    *slot = a.min(b);
                }
            }
        }
    }
    let clusters: Vec<u32> = (0..texts.len()).map(|i| root(&mut parent, i) as u32).collect();
    let mut done = 0;
    for run in tandem_runs(&clusters, max_period(clusters.len()).min(WINDOW)) {
        if run.exponent() < f64::from(need) || run.start < done {
            continue;
        }
        done = run.end;
        let steps = stretch.get(run.start..run.end).unwrap_or_default().to_vec();
        found.spans.push(lane.said(Detector::Stagnation, steps, run.period as u32, run.times() as u32));
    }
}

/// The first of a cluster, with the paths to it made short.
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while let Some(&up) = parent.get(at) {
        if up == at {
            break;
        }
        let higher = parent.get(up).copied().unwrap_or(up);
        if let Some(slot) = parent.get_mut(at) {
            *slot = higher;
        }
        at = higher;
    }
    at
}

/// D10: compactions with no call and no person between them.
fn thrash_idle(lane: &Lane<'_>, idle: &[u32], broken_by: Option<u32>, params: &Params, found: &mut Found) {
    let need = params.idle.max(2) as usize;
    if idle.len() >= need {
        found.spans.push(lane.said(Detector::Thrash, idle.to_vec(), 1, idle.len() as u32));
    } else if idle.len() + 1 == need && idle.len() >= 2 {
        let why = if broken_by.is_some() { WhyNot::Acted } else { WhyNot::NotAgain };
        found.near.push(lane.near_said(Detector::Thrash, idle.to_vec(), params.idle, why, broken_by));
    }
}

/// D10: compactions with few calls between the first and the last, no person between them. Rows are as long as they
/// can be, and do not overlap.
fn thrash(lane: &Lane<'_>, compactions: &[(u32, u32)], params: &Params, found: &mut Found) {
    let need = params.compactions.max(2) as usize;
    let mut from = 0;
    while from < compactions.len() {
        let mut to = from + 1;
        // Any `need` of them one behind another lie close together.
        while let Some(next) = compactions.get(to) {
            let back = to.saturating_sub(need - 1).max(from);
            let first = compactions.get(back).map_or(0, |c| c.1);
            if next.1 - first > params.compacted {
                break;
            }
            to += 1;
        }
        let steps: Vec<u32> = compactions.get(from..to).unwrap_or_default().iter().map(|c| c.0).collect();
        if steps.len() >= need {
            let already = found.spans.iter().any(|s| s.detector == Detector::Thrash && s.steps == steps);
            if !already {
                let times = steps.len() as u32;
                found.spans.push(lane.said(Detector::Thrash, steps, 1, times));
            }
            from = to;
            continue;
        }
        if steps.len() + 1 == need && steps.len() >= 2 {
            let next = compactions.get(to).map(|c| c.0);
            let why = if next.is_some() { WhyNot::TooFarApart } else { WhyNot::NotAgain };
            found.near.push(lane.near_said(Detector::Thrash, steps, params.compactions, why, next));
        }
        from += 1;
    }
}
