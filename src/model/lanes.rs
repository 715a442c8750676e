//! Which steps belong to which sub-agent, and which call started it? One walk for all that look at a run as a tree.
//! O(n log n).

use std::collections::{BTreeMap, BTreeSet};

use super::{LaneId, Run};

/// A run by lanes. A lane hangs under one call, or, when no call is known, under its parent lane.
#[derive(Clone, Debug, Default)]
pub struct LaneTree {
    /// Steps of every lane, in order.
    pub steps: BTreeMap<LaneId, Vec<u32>>,
    /// The lane that a call started: the first call that names a lane has it.
    pub started: BTreeMap<u32, LaneId>,
    /// Lanes that no call names, by parent, as (first step, lane), in order.
    pub loose: BTreeMap<LaneId, Vec<(u32, LaneId)>>,
}

impl LaneTree {
    /// Sorts the steps of a run by lanes. Lanes may still start each other in a circle: who walks must mark what it saw.
    pub fn of(run: &Run) -> Self {
        let mut out = Self::default();
        let mut named: BTreeSet<LaneId> = BTreeSet::from([0]);
        for (i, step) in run.steps.iter().enumerate() {
            out.steps.entry(step.lane).or_default().push(i as u32);
            let lane = step.call.as_ref().and_then(|c| c.spawn.as_ref()).and_then(|s| s.lane);
            if let Some(lane) = lane.filter(|&l| l != step.lane && named.insert(l)) {
                out.started.insert(i as u32, lane);
            }
        }
        for (&lane, steps) in out.steps.iter().filter(|(lane, _)| !named.contains(lane)) {
            let parent = run.lanes.get(lane as usize).and_then(|l| l.parent).filter(|&p| p != lane).unwrap_or(0);
            let first = steps.first().copied().unwrap_or(0);
            out.loose.entry(parent).or_default().push((first, lane));
        }
        for list in out.loose.values_mut() {
            list.sort();
        }
        out
    }
}

/// A stretch of a lane that repeats: what is folded when a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repeat {
    /// Steps of the run: the first round is `start..first_end`, all rounds are `start..end`.
    pub start: u32,
    pub first_end: u32,
    pub end: u32,
    pub lane: LaneId,
    /// Calls in a round.
    pub period: u32,
    pub times: u32,
}
