//! All detectors over all lanes, then what says the same twice is left out. O(n·P) a lane, plus what each detector reads
//! of texts. What each one means is in the module's own documentation.

use std::collections::{BTreeMap, BTreeSet};

use super::lane::{Found, Lane};
use super::{Detector, NearMiss, Params, chant, cycles, edits, failing, reads, repeat, talk};
use crate::model::{LaneId, Run, StepKeys, StepKind};

/// Near misses that are kept of each detector, the nearest first.
const MAX_NEAR: usize = 8;

pub fn detect(run: &Run, actions: &[u32], keys: &[StepKeys], params: &Params) -> Found {
    let mut forgotten = Vec::with_capacity(actions.len());
    let mut compactions = 0;
    let mut lanes: BTreeMap<LaneId, (Vec<usize>, Vec<u32>)> = BTreeMap::new();
    for (index, step) in run.steps.iter().enumerate() {
        let (calls, steps) = lanes.entry(step.lane).or_default();
        steps.push(index as u32);
        match step.kind {
            StepKind::Compaction => compactions += 1,
            StepKind::Action => {
                calls.push(forgotten.len());
                forgotten.push(compactions);
            }
            _ => {}
        }
    }
    let mut found = Found::default();
    for (calls, steps) in lanes.into_values() {
        let lane = Lane { run, actions, keys, forgotten: &forgotten, calls, steps };
        let mut here = Found::default();
        cycles::cycles(&lane, params, &mut here);
        let round = rounds(&lane, &here);
        failing::failing(&lane, params, &mut here);
        reads::redundant(&lane, params, &mut here);
        reads::cosmetic(&lane, params, &mut here);
        edits::flip_flop(&lane, params, &mut here);
        talk::talk(&lane, params, &mut here);
        chant::chants(&lane, params, &mut here);
        repeat::longest_repeat(&lane, &round, params, &mut here);
        drop_covered(&mut here);
        keep_nearest(&mut here.near);
        found.spans.append(&mut here.spans);
        found.near.append(&mut here.near);
    }
    found.spans.sort_by_key(|s| (s.start, s.detector, std::cmp::Reverse(s.end), s.period));
    keep_nearest(&mut found.near);
    found
}

/// The positions that cycles hold, as ranges in order.
fn rounds(lane: &Lane<'_>, found: &Found) -> Vec<(usize, usize)> {
    let position = |action: u32| lane.calls.partition_point(|&c| c < action as usize);
    let mut out: Vec<(usize, usize)> = found.spans.iter().map(|s| (position(s.start), position(s.end))).collect();
    out.sort_unstable();
    out
}

/// Leaves out what another span says better.
fn drop_covered(found: &mut Found) {
    let sets: Vec<(Detector, BTreeSet<u32>)> = found
        .spans
        .iter()
        .filter(|s| s.detector != Detector::LongRepeat)
        .map(|s| (s.detector, s.steps.iter().copied().collect()))
        .collect();
    // Who holds a step: whatever covers a finding holds its first one.
    let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, (_, set)) in sets.iter().enumerate() {
        for &step in set {
            holders.entry(step).or_default().push(i);
        }
    }
    let covered =
        |steps: &[u32], by: &dyn Fn(Detector) -> bool| {
            let Some(first) = steps.first() else { return false };
            holders.get(first).into_iter().flatten().filter_map(|&i| sets.get(i)).any(|(detector, set)| {
                by(*detector) && set.len() >= steps.len() && steps.iter().all(|s| set.contains(s))
            })
        };
    found.spans.retain(|s| !covered(&s.steps, &|outer| outer.covers(s.detector)));
    found.near.retain(|n| !covered(&n.steps, &|outer| outer != Detector::WeakCycle));
}

fn keep_nearest(near: &mut Vec<NearMiss>) {
    near.sort_by(|a, b| {
        let lack = |n: &NearMiss| f64::from(n.need) - n.have;
        a.detector
            .cmp(&b.detector)
            .then(lack(a).total_cmp(&lack(b)))
            .then(b.steps.len().cmp(&a.steps.len()))
            .then(a.start.cmp(&b.start))
    });
    let mut kept: BTreeMap<Detector, usize> = BTreeMap::new();
    near.retain(|n| {
        let count = kept.entry(n.detector).or_default();
        *count += 1;
        // What counts as waste stays: the figure must be explained.
        *count <= MAX_NEAR || !n.wasted.is_empty()
    });
}
