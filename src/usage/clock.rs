//! How long did each step take, and whose time was it? O(steps).

use std::collections::BTreeMap;

use crate::model::{LaneId, Run, Step, StepKind};

/// The time of one step, in milliseconds. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// What the model took to write it: since the end of what came before in its lane.
    pub model: Option<f64>,
    /// From a call to its result.
    pub tool: Option<f64>,
    /// Until a person wrote.
    pub waiting: Option<f64>,
}

impl Times {
    /// All of it.
    pub fn all(&self) -> Option<f64> {
        match (self.model, self.tool, self.waiting) {
            (None, None, None) => None,
            (a, b, c) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0) + c.unwrap_or(0.0)),
        }
    }
}

/// The times of every step of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    pub steps: Vec<Times>,
    /// First and last recorded moment, milliseconds since 1970.
    pub start: Option<i64>,
    pub end: Option<i64>,
}

/// When a step ended.
pub fn end_of(step: &Step) -> Option<i64> {
    let call = step.call.as_deref();
    let answered = call.and_then(|c| c.observation.as_ref()).and_then(|o| o.at).map(|t| t.ms);
    let lasted = call.and_then(|c| c.duration_ms).filter(|d| d.is_finite() && *d >= 0.0);
    let start = step.at.map(|t| t.ms);
    match (start, lasted) {
        (Some(start), Some(lasted)) => Some(start.saturating_add(lasted as i64)),
        _ => answered.or(start),
    }
}

/// How long a call took: as the file says, else from its start to its result.
pub fn tool_ms(step: &Step) -> Option<f64> {
    let call = step.call.as_deref()?;
    if let Some(ms) = call.duration_ms.filter(|d| d.is_finite() && *d >= 0.0) {
        return Some(ms);
    }
    let result = call.observation.as_ref()?.at?;
    let start = step.at?;
    (result.ms >= start.ms && result.local == start.local).then(|| (result.ms - start.ms) as f64)
}

impl Clock {
    pub fn of(run: &Run) -> Self {
        let mut out = Self::default();
        // Of every lane: when what came before ended.
        let mut before: BTreeMap<LaneId, i64> = BTreeMap::new();
        for step in &run.steps {
            let at = step.at.map(|t| t.ms);
            let end = end_of(step);
            for moment in [at, end].into_iter().flatten() {
                out.start = Some(out.start.map_or(moment, |s| s.min(moment)));
                out.end = Some(out.end.map_or(moment, |e| e.max(moment)));
            }
            let gap = match (at, before.get(&step.lane)) {
                (Some(at), Some(before)) if at >= *before => Some((at - before) as f64),
                // Calls issued together, and a clock that was set back: nothing between them is known to be anybody's.
                (Some(_), Some(_)) => Some(0.0),
                _ => None,
            };
            let mut times = Times { tool: tool_ms(step), ..Times::default() };
            match step.kind {
                StepKind::Person => times.waiting = gap,
                StepKind::Say | StepKind::Thought | StepKind::Action => times.model = gap,
                _ => {}
            }
            out.steps.push(times);
            if let Some(end) = end {
                let slot = before.entry(step.lane).or_insert(end);
                *slot = (*slot).max(end);
            }
        }
        out
    }

    /// Sums over a lane: model, tools, waiting.
    pub fn sums(&self, run: &Run, lane: LaneId) -> Times {
        let mut out = Times::default();
        let add = |sum: &mut Option<f64>, value: Option<f64>| {
            if let Some(value) = value {
                *sum = Some(sum.unwrap_or(0.0) + value);
            }
        };
        for (step, times) in run.steps.iter().zip(&self.steps).filter(|(s, _)| s.lane == lane) {
            debug_assert!(step.lane == lane);
            add(&mut out.model, times.model);
            add(&mut out.tool, times.tool);
            add(&mut out.waiting, times.waiting);
        }
        out
    }
}
