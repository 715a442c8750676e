//! When did what run? Bars over a clock whose idle stretches are cut short. O(steps log steps).
//!
//! A stretch in which no agent works and no tool runs, longer than a limit, is drawn as long as the limit: a gap, with
//! its true length beside it. Everything else keeps its proportion, so the axis is milliseconds of shown time.

use super::clock::{Clock, end_of};
use crate::model::{LaneId, Run, StepKind};

/// What a bar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BarKind {
    /// The model wrote.
    Model,
    /// A tool ran.
    Tool,
}

impl BarKind {
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Tool => "tool",
        }
    }
}

/// A bar, or several that are too close to be told apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub kind: BarKind,
    pub lane: LaneId,
    /// First and last step.
    pub first: u32,
    pub last: u32,
    pub steps: u32,
    pub failed: bool,
    /// On the axis of shown time, in milliseconds.
    pub x: f64,
    pub width: f64,
    /// Since the start, on the true clock, and how long the steps took together.
    pub at_ms: f64,
    pub ms: f64,
}

/// An idle stretch that was cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    pub x: f64,
    /// True length.
    pub ms: f64,
    /// The step that ended it.
    pub step: u32,
    /// It ended with a person's message.
    pub person: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waterfall {
    /// Milliseconds since 1970; `None` when the file has no times.
    pub start: Option<i64>,
    /// True length and length of the axis.
    pub ms: f64,
    pub shown_ms: f64,
    pub bars: Vec<Bar>,
    pub gaps: Vec<Gap>,
    /// Steps without a time.
    pub untimed: u32,
}

/// Draws the steps `range` (all when `None`) with at most about `most` bars; idle stretches above `idle_ms` are cut.
pub fn waterfall(run: &Run, clock: &Clock, range: Option<(u32, u32)>, idle_ms: f64, most: usize) -> Waterfall {
    let idle = if idle_ms.is_finite() { idle_ms.clamp(0.0, 1e12) } else { 1e12 };
    let (from, to) = range.unwrap_or((0, u32::MAX));
    let mut out = Waterfall::default();
    let mut raw: Vec<(i64, i64, Bar)> = Vec::new();
    let mut persons: Vec<(i64, u32)> = Vec::new();
    for (step, index) in run.steps.iter().zip(0u32..).filter(|(_, i)| (from..=to).contains(i)) {
        let Some(at) = step.at.map(|t| t.ms) else {
            out.untimed += 1;
            continue;
        };
        let times = clock.steps.get(index as usize).copied().unwrap_or_default();
        let bar = |kind, a: i64, b: i64| {
            let bar = Bar {
                kind,
                lane: step.lane,
                first: index,
                last: index,
                steps: 1,
                failed: step.failed(),
                x: 0.0,
                width: 0.0,
                at_ms: 0.0,
                ms: (b - a) as f64,
            };
            (a, b, bar)
        };
        match step.kind {
            StepKind::Person => persons.push((at, index)),
            StepKind::Say | StepKind::Thought | StepKind::Action => {
                let wrote = times.model.unwrap_or(0.0) as i64;
                let mut model = bar(BarKind::Model, at.saturating_sub(wrote), at);
                model.2.failed &= !step.is_action();
                if wrote > 0 || !step.is_action() {
                    raw.push(model);
                }
                if step.is_action() {
                    let end = end_of(step).unwrap_or(at).max(at);
                    raw.push(bar(BarKind::Tool, at, end));
                }
            }
            _ => {}
        }
    }
    raw.sort_by_key(|(a, b, bar)| (*a, bar.first, *b, bar.kind));
    let moments = raw.iter().flat_map(|(a, b, _)| [*a, *b]).chain(persons.iter().map(|p| p.0));
    let (mut start, mut end): (Option<i64>, Option<i64>) = (None, None);
    for moment in moments {
        start = Some(start.map_or(moment, |s| s.min(moment)));
        end = Some(end.map_or(moment, |e| e.max(moment)));
    }
    let (Some(start), Some(end)) = (start, end) else { return out };
    out.start = Some(start);
    out.ms = (end - start) as f64;
    let cuts = cuts(&raw, &persons, start, idle, &mut out.gaps);
    out.shown_ms = shown(&cuts, end, start);
    for (a, b, bar) in &mut raw {
        bar.x = shown(&cuts, *a, start);
        bar.width = (shown(&cuts, *b, start) - bar.x).max(0.0);
        bar.at_ms = (*a - start) as f64;
    }
    out.bars = merged(raw.into_iter().map(|(_, _, bar)| bar).collect(), out.shown_ms, most.max(1));
    out
}

/// Idle stretches as (their end, how much is cut up to there), and the gaps as they are shown.
fn cuts(
    raw: &[(i64, i64, Bar)],
    persons: &[(i64, u32)],
    start: i64,
    idle: f64,
    gaps: &mut Vec<Gap>,
) -> Vec<(i64, f64)> {
    // Every beginning in order: a bar's, or a person's message, which takes no time.
    let mut begins: Vec<(i64, i64, u32, bool)> = raw.iter().map(|(a, b, bar)| (*a, *b, bar.first, false)).collect();
    begins.extend(persons.iter().map(|&(at, step)| (at, at, step, true)));
    begins.sort_unstable();
    let mut busy = start;
    let mut cut = 0.0;
    let mut out = Vec::new();
    for (from, to, step, person) in begins {
        let free = (from - busy) as f64;
        if free > idle {
            let x = (busy - start) as f64 - cut;
            gaps.push(Gap { x, ms: free, step, person });
            cut += free - idle;
            out.push((from, cut));
        }
        busy = busy.max(to);
    }
    out
}

/// A moment on the axis of shown time. No bar begins or ends inside a stretch that is cut.
fn shown(cuts: &[(i64, f64)], at: i64, start: i64) -> f64 {
    let before = cuts.partition_point(|(end, _)| *end <= at);
    let cut = before.checked_sub(1).and_then(|i| cuts.get(i)).map_or(0.0, |c| c.1);
    ((at - start) as f64 - cut).max(0.0)
}

/// Joins bars of one lane and kind that begin within the same piece of the axis, when there are too many.
fn merged(bars: Vec<Bar>, length: f64, most: usize) -> Vec<Bar> {
    if bars.len() <= most {
        return bars;
    }
    let lanes = bars.iter().map(|b| (b.lane, b.kind)).collect::<std::collections::BTreeSet<_>>().len();
    let pieces = (most / lanes.max(1)).max(1) as f64;
    let piece = |b: &Bar| if length > 0.0 { (b.x / length * pieces).floor().min(pieces - 1.0) as u64 } else { 0 };
    let mut out: std::collections::BTreeMap<(u64, LaneId, BarKind), Bar> = std::collections::BTreeMap::new();
    for bar in bars {
        let key = (piece(&bar), bar.lane, bar.kind);
        match out.get_mut(&key) {
            Some(whole) => {
                whole.width = whole.width.max(bar.x + bar.width - whole.x);
                whole.first = whole.first.min(bar.first);
                whole.last = whole.last.max(bar.last);
                whole.steps += bar.steps;
                whole.failed |= bar.failed;
                whole.ms += bar.ms;
            }
            None => {
                out.insert(key, bar);
            }
        }
    }
    out.into_values().collect()
}
