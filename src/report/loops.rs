//! The loop analysis as the screen shows it: spans with why they fired, the tries, what nearly fired. O(steps).

use std::collections::BTreeMap;

use super::rows::{Marks, preview, step_row, tool_label};
use super::shape::{LoopMark, LoopReport, LoopSpan, NearMiss, Try, Waste};
use crate::format;
use crate::loops::{self, Detector, Loops, NearMiss as Near, Severity, Span};
use crate::model::{CallStatus, Run, StepKind};

/// Tries listed of one span.
const MAX_TRIES: usize = 60;

/// The mark of each step that lies in a loop span; a step in several carries the one that wastes most.
pub fn loop_marks(run: &Run, found: &Loops) -> BTreeMap<u32, LoopMark> {
    let mut out: BTreeMap<u32, (usize, LoopMark)> = BTreeMap::new();
    for span in found.spans.iter().filter(|s| s.detector.entry().severity == Severity::Loop) {
        let (Some(&from), Some(&to)) = (span.steps.first(), span.steps.last()) else { continue };
        let begins: Vec<u32> = span.steps.iter().step_by(span.period.max(1) as usize).copied().collect();
        let lane = run.steps.get(from as usize).map(|s| s.lane);
        // Redundant reads are scattered: only they themselves are marked, not what lies between.
        let inside: Vec<u32> = if span.detector == Detector::Redundant {
            span.steps.clone()
        } else {
            (from..=to).filter(|i| run.steps.get(*i as usize).map(|s| s.lane) == lane).collect()
        };
        for step in inside {
            let round =
                begins.iter().position(|b| *b == step).map(|n| n as u16 + 1).filter(|n| u32::from(*n) <= span.times);
            let mark = LoopMark {
                detector: span.detector.id().into(),
                from,
                to,
                round,
                times: span.times.min(u32::from(u16::MAX)) as u16,
            };
            match out.get(&step) {
                Some((weight, _)) if *weight >= span.wasted.len() => {}
                _ => {
                    out.insert(step, (span.wasted.len(), mark));
                }
            }
        }
    }
    out.into_iter().map(|(step, (_, mark))| (step, mark)).collect()
}

/// The report of a run's loops.
pub fn loop_report(run: &Run, found: &Loops) -> LoopReport {
    let whole = |n: Option<f64>| n.map(|n| n.round() as u64);
    LoopReport {
        verdict: found.verdict.id().into(),
        recovery: found.recovery,
        calls: run.calls() as u32,
        waste: Waste {
            steps: found.waste.steps.len() as u32,
            ratio: found.waste.ratio,
            tokens: whole(found.waste.tokens.value),
            cost: found.waste.cost.value,
            seconds: found.waste.seconds.value,
            known_fraction: found.waste.tokens.known_fraction,
        },
        spans: found.spans.iter().map(|s| span(run, s)).collect(),
        near: found.near.iter().take(50).map(|n| near(run, n)).collect(),
    }
}

fn what(run: &Run, step: u32) -> (String, String) {
    let step = run.steps.get(step as usize);
    let tool = step.and_then(|s| s.call.as_deref()).map(|c| tool_label(&c.tool)).unwrap_or_default();
    (tool, step.map(|s| format::one_line(&preview(s).0, 80)).unwrap_or_default())
}

fn span(run: &Run, span: &Span) -> LoopSpan {
    let first = span.steps.first().copied().unwrap_or_default();
    let last = span.steps.last().copied().unwrap_or_default();
    let (tool, what) = what(run, first);
    let waste = loops::waste_of(run, &span.wasted);
    let entry = span.detector.entry();
    let why = match span.detector {
        Detector::ExactCycle => "why.exact-cycle",
        Detector::WeakCycle => "why.weak-cycle",
        Detector::KeepsFailing => "why.keeps-failing",
        Detector::KeepsFailingGapped => "why.keeps-failing-gapped",
        Detector::Redundant => "why.redundant",
    };
    let args =
        [("times", span.times.to_string()), ("period", span.period.to_string()), ("between", span.between.to_string())];
    LoopSpan {
        detector: entry.id.into(),
        start: span.start,
        end: span.end,
        period: span.period,
        times: span.times,
        first_step: first,
        last_step: last,
        counts_as_waste: entry.counts_as_waste,
        wasted_steps: span.wasted.len() as u32,
        tokens: waste.tokens.value.filter(|_| !span.wasted.is_empty()).map(|n| n.round() as u64),
        seconds: waste.seconds.value.filter(|_| !span.wasted.is_empty()),
        tool,
        what,
        why: (why.into(), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect()),
        tries: tries(run, span),
    }
}

fn tries(run: &Run, span: &Span) -> Vec<Try> {
    let marks = Marks::default();
    let begins: Vec<u32> =
        span.steps.iter().step_by(span.period.max(1) as usize).copied().take(span.times as usize).collect();
    let mut before = None;
    begins
        .into_iter()
        .take(MAX_TRIES)
        .map(|index| {
            let row = step_row(run, &marks, index);
            let step = run.steps.get(index as usize);
            let tokens = loops::waste_of(run, &[index]).tokens.value.map(|n| n.round() as u64);
            let changed = before.map(|b| between(run, b, index)).unwrap_or_default();
            before = Some(index);
            Try {
                step: index,
                before: changed,
                failed: step.is_some_and(|s| s.failed()),
                failure: row.failure,
                duration_ms: row.duration_ms,
                tokens,
                wasted: span.wasted.contains(&index),
            }
        })
        .collect()
}

/// What the agent did between two tries, in one line: what it said it would do, else the calls that it made.
fn between(run: &Run, from: u32, to: u32) -> String {
    let steps = run.steps.get(from as usize + 1..to as usize).unwrap_or_default();
    let said = steps.iter().rev().find(|s| s.kind == StepKind::Say && !s.content.is_empty());
    if let Some(said) = said {
        return format::one_line(&said.content.text, 100);
    }
    let calls: Vec<String> = steps
        .iter()
        .filter_map(|s| s.call.as_deref())
        .filter(|c| c.status != CallStatus::Error)
        .map(|c| tool_label(&c.tool))
        .take(4)
        .collect();
    calls.join(", ")
}

fn near(run: &Run, near: &Near) -> NearMiss {
    let first = near.steps.first().copied().unwrap_or_default();
    let last = near.steps.last().copied().unwrap_or_default();
    let (tool, what) = what(run, first);
    let broken = near.broken_by.map_or_else(|| format::UNKNOWN.to_owned(), |s| format!("#{}", s + 1));
    let args = [("tool", tool), ("what", what), ("step", broken)];
    NearMiss {
        detector: near.detector.id().into(),
        first_step: first,
        last_step: last,
        have: near.have,
        need: f64::from(near.need),
        why: (format!("near.{}", near.why.id()), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect()),
    }
}
