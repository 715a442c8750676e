//! The plain figures of how a run went: what was new, what failed, what led nowhere. O(n).
//!
//! * `unique_action_ratio` = distinct calls (K1) / calls.
//! * `redundant_read_ratio` = reads that D3 counts as waste, twice the same included, / reads.
//! * `error_ratio` = failed calls / calls. `longest_error_streak`: failed calls in a row, in one lane.
//! * `fruitless_streak`: calls in a row, in one lane, that were neither new (K1) nor changed anything.
//! * `steps_after_last_effect`: calls behind the last one that changed something and did not fail; all of them when
//!   none did.
//!
//! Without calls, or without reads, a ratio is unknown.

use std::collections::{BTreeMap, BTreeSet};

use super::{Detector, Loops};
use crate::model::{CallStatus, Effect, LaneId, Run, StepKeys};

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratios {
    pub calls: u32,
    pub reads: u32,
    /// Calls that changed something and did not fail.
    pub effects: u32,
    /// Calls of which it is not known whether they change anything.
    pub unclassified: u32,
    pub unique_action_ratio: Option<f64>,
    pub redundant_read_ratio: Option<f64>,
    pub error_ratio: Option<f64>,
    pub longest_error_streak: u32,
    /// First step of it.
    pub error_streak_at: Option<u32>,
    pub fruitless_streak: u32,
    pub fruitless_at: Option<u32>,
    pub steps_after_last_effect: Option<u32>,
    pub last_effect: Option<u32>,
}

#[derive(Default)]
struct Streaks {
    errors: (u32, u32),
    fruitless: (u32, u32),
}

/// Counts a run. `keys` are those of its calls.
pub fn ratios(run: &Run, keys: &[StepKeys], found: &Loops) -> Ratios {
    let mut out = Ratios::default();
    let mut known: BTreeSet<u32> = BTreeSet::new();
    let mut lanes: BTreeMap<LaneId, Streaks> = BTreeMap::new();
    let mut failed = 0;
    let mut after = 0;
    let calls = run.steps.iter().zip(0u32..).filter_map(|(s, i)| Some((s, i, s.call.as_deref()?)));
    for ((step, index, call), key) in calls.zip(keys) {
        out.calls += 1;
        let new = known.insert(key.call);
        let error = call.status == CallStatus::Error;
        let effect = key.effect == Effect::Change && !error;
        failed += u32::from(error);
        out.reads += u32::from(key.effect == Effect::Read);
        out.unclassified += u32::from(key.effect == Effect::Unknown);
        out.effects += u32::from(effect);
        after += 1;
        if effect {
            (out.last_effect, after) = (Some(index), 0);
        }
        let streaks = lanes.entry(step.lane).or_default();
        longer(&mut streaks.errors, error, index, &mut out.longest_error_streak, &mut out.error_streak_at);
        // What may have changed something is no proof of standing still.
        let fruitless = !new && (key.effect == Effect::Read || error);
        longer(&mut streaks.fruitless, fruitless, index, &mut out.fruitless_streak, &mut out.fruitless_at);
    }
    let redundant: BTreeSet<u32> = found
        .spans
        .iter()
        .filter(|s| s.detector == Detector::Redundant)
        .flat_map(|s| &s.wasted)
        .chain(found.near.iter().flat_map(|n| &n.wasted))
        .copied()
        .collect();
    let ratio = |part: u32, all: u32| (all > 0).then(|| f64::from(part) / f64::from(all));
    out.unique_action_ratio = ratio(known.len() as u32, out.calls);
    out.redundant_read_ratio = ratio(redundant.len() as u32, out.reads);
    out.error_ratio = ratio(failed, out.calls);
    out.steps_after_last_effect = (out.calls > 0).then_some(after);
    out
}

/// Goes on with a streak of (length, first step), or ends it; keeps the longest.
fn longer(streak: &mut (u32, u32), holds: bool, index: u32, longest: &mut u32, at: &mut Option<u32>) {
    if !holds {
        *streak = (0, 0);
        return;
    }
    *streak = if streak.0 == 0 { (1, index) } else { (streak.0 + 1, streak.1) };
    if streak.0 > *longest {
        (*longest, *at) = (streak.0, Some(streak.1));
    }
}
