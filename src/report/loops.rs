//! The loop analysis as the screen shows it: spans with why they fired, the tries, what nearly fired, what the rules of
//! other programs say. O(steps + what is listed).

use std::collections::BTreeMap;

use super::rows::{Marks, preview, step_row, tool_label};
use super::shape::{LoopMark, LoopParam, LoopReport, LoopSpan, NearMiss, PeerReport, Try, Waste};
use crate::format;
use crate::loops::{self, Costs, Detector, Loops, NearMiss as Near, PEERS, Params, Severity, Span, THRESHOLDS};
use crate::model::{CallStatus, Run, StepKind};

/// Tries listed of one span.
const MAX_TRIES: usize = 60;
/// Spans listed: the loops first, when there are more.
const MAX_SPANS: usize = 500;
/// Tries listed of all spans together.
const MAX_ALL_TRIES: usize = 3_000;
/// Steps listed at which a peer's rule fired.
const MAX_FIRED: usize = 50;

/// The mark of each step that lies in a loop span; a step in several carries the one that wastes most.
pub fn loop_marks(run: &Run, found: &Loops) -> BTreeMap<u32, LoopMark> {
    let mut out: BTreeMap<u32, (usize, LoopMark)> = BTreeMap::new();
    for span in found.spans.iter().filter(|s| s.severity == Severity::Loop) {
        let (Some(&from), Some(&to)) = (span.steps.first(), span.steps.last()) else { continue };
        let lane = run.steps.get(from as usize).map(|s| s.lane);
        // What is scattered is marked alone, not what lies between.
        let inside: Vec<u32> = if span.detector.is_stretch() {
            (from..=to).filter(|i| run.steps.get(*i as usize).map(|s| s.lane) == lane).collect()
        } else {
            span.steps.clone()
        };
        let mut begins = span.steps.iter().step_by(span.period.max(1) as usize).zip(1u32..).peekable();
        for step in inside {
            let round = begins.next_if(|(b, _)| **b == step).map(|(_, n)| n).filter(|n| *n <= span.times);
            let mark = LoopMark {
                detector: span.detector.id().into(),
                from,
                to,
                round: round.map(|n| n.min(u32::from(u16::MAX)) as u16),
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

/// The report of a run's loops, looked for with `params`.
pub fn loop_report(run: &Run, found: &Loops, params: &Params) -> LoopReport {
    let costs = Costs::of(run);
    let mut listed: Vec<&Span> = found.spans.iter().collect();
    if listed.len() > MAX_SPANS {
        listed.sort_by_key(|s| (s.severity, std::cmp::Reverse(s.wasted.len()), s.start));
        listed.truncate(MAX_SPANS);
        listed.sort_by_key(|s| (s.start, s.detector, std::cmp::Reverse(s.end), s.period));
    }
    let mut tries = MAX_ALL_TRIES;
    LoopReport {
        verdict: found.verdict.id().into(),
        recovery: found.recovery,
        calls: run.calls() as u32,
        waste: waste(&found.waste),
        total: found.spans.len() as u32,
        spans: listed.into_iter().map(|s| span(run, s, &costs, &mut tries)).collect(),
        near: found.near.iter().take(50).map(|n| near(run, n)).collect(),
        params: params_of(params),
        peers: peers(run),
    }
}

/// The thresholds with their limits, for sliders.
pub fn params_of(params: &Params) -> Vec<LoopParam> {
    let line = |t: &loops::Threshold| LoopParam {
        id: t.id.into(),
        detectors: t.detectors.into(),
        value: params.get(t.id).unwrap_or(t.default),
        default: t.default,
        min: t.min,
        max: t.max,
        step: t.step,
    };
    THRESHOLDS.iter().map(line).collect()
}

/// The thresholds that a job names, the others as they are by default. What is unknown is left out.
pub fn params_from(values: &[(String, f64)]) -> Params {
    let mut params = Params::default();
    for (id, value) in values {
        params.set(id, *value);
    }
    params
}

fn peers(run: &Run) -> Vec<PeerReport> {
    let verdicts = loops::peers(run);
    PEERS
        .iter()
        .map(|peer| {
            let fired = verdicts.iter().find(|v| v.id == peer.id).map(|v| v.fired.as_slice()).unwrap_or_default();
            PeerReport {
                id: peer.id.into(),
                label: peer.label.into(),
                fired: fired.len() as u32,
                steps: fired.iter().take(MAX_FIRED).map(|step| (*step, tool_and_text(run, *step))).collect(),
            }
        })
        .collect()
}

/// The call at a step in short: its tool and how its arguments begin.
fn tool_and_text(run: &Run, step: u32) -> String {
    let (tool, text) = what(run, step);
    format!("{tool} {text}").trim().to_owned()
}

fn whole(n: Option<f64>) -> Option<u64> {
    n.map(|n| n.round() as u64)
}

fn waste(found: &loops::Waste) -> Waste {
    Waste {
        steps: found.steps.len() as u32,
        ratio: found.ratio,
        tokens: whole(found.tokens.value),
        output_tokens: whole(found.output_tokens.value),
        cost: found.cost.value,
        seconds: found.seconds.value,
        known_fraction: found.tokens.known_fraction,
        cost_known: found.cost.known_fraction,
        seconds_known: found.seconds.known_fraction,
        estimated: found.estimated,
    }
}

fn what(run: &Run, step: u32) -> (String, String) {
    let step = run.steps.get(step as usize);
    let tool = step.and_then(|s| s.call.as_deref()).map(|c| tool_label(&c.tool)).unwrap_or_default();
    (tool, step.map(|s| format::one_line(&preview(s).0, 80)).unwrap_or_default())
}

fn span(run: &Run, span: &Span, costs: &Costs<'_>, left: &mut usize) -> LoopSpan {
    let first = span.steps.first().copied().unwrap_or_default();
    let last = span.steps.last().copied().unwrap_or_default();
    let (tool, what) = what(run, first);
    let waste = costs.waste(&span.wasted);
    let entry = span.detector.entry();
    let why = match span.detector {
        Detector::ExactCycle => "why.exact-cycle",
        Detector::WeakCycle => "why.weak-cycle",
        Detector::KeepsFailing => "why.keeps-failing",
        Detector::KeepsFailingGapped => "why.keeps-failing-gapped",
        Detector::Redundant => "why.redundant",
        Detector::Cosmetic => "why.cosmetic",
        Detector::SameFailure if span.severity == Severity::Info => "why.same-failure-overcome",
        Detector::SameFailure => "why.same-failure",
        Detector::FlipFlop => "why.flip-flop",
        Detector::Monologue => "why.monologue",
        Detector::Stagnation => "why.stagnation",
        Detector::Chanting => "why.chanting",
        Detector::Thrash => "why.thrash",
        Detector::LongRepeat => "why.long-repeat",
    };
    let args =
        [("times", span.times.to_string()), ("period", span.period.to_string()), ("between", span.between.to_string())];
    LoopSpan {
        detector: entry.id.into(),
        severity: span.severity.id().into(),
        start: span.start,
        end: span.end,
        period: span.period,
        times: span.times,
        first_step: first,
        last_step: last,
        counts_as_waste: entry.counts_as_waste,
        wasted_steps: span.wasted.len() as u32,
        tokens: waste.tokens.value.filter(|_| !span.wasted.is_empty()).map(|n| n.round() as u64),
        cost: waste.cost.value.filter(|_| !span.wasted.is_empty()),
        seconds: waste.seconds.value.filter(|_| !span.wasted.is_empty()),
        known_fraction: waste.tokens.known_fraction,
        tool,
        what,
        why: (why.into(), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect()),
        tries: tries(run, span, costs, left),
    }
}

fn tries(run: &Run, span: &Span, costs: &Costs<'_>, left: &mut usize) -> Vec<Try> {
    let marks = Marks::default();
    let shown = MAX_TRIES.min(*left);
    *left -= shown.min(span.times as usize);
    let begins: Vec<u32> =
        span.steps.iter().step_by(span.period.max(1) as usize).copied().take(span.times as usize).collect();
    let mut before = None;
    begins
        .into_iter()
        .take(shown)
        .map(|index| {
            let row = step_row(run, &marks, index);
            let step = run.steps.get(index as usize);
            let tokens = whole(costs.waste(&[index]).tokens.value);
            let changed = before.map(|b| between(run, b, index)).unwrap_or_default();
            before = Some(index);
            Try {
                step: index,
                before: changed,
                failed: step.is_some_and(|s| s.failed()),
                failure: row.failure,
                duration_ms: row.duration_ms,
                tokens,
                wasted: span.wasted.binary_search(&index).is_ok(),
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
    let id = match near.broken_by {
        None => "alone",
        Some(_) => near.why.id(),
    };
    let broken = near.broken_by.map_or_else(|| format::UNKNOWN.to_owned(), |s| format!("#{}", s + 1));
    let args = [("tool", tool), ("what", what), ("step", broken)];
    NearMiss {
        detector: near.detector.id().into(),
        first_step: first,
        last_step: last,
        have: near.have,
        need: f64::from(near.need),
        why: (format!("near.{id}"), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect()),
    }
}
