//! The detectors: keys in, spans and near misses out. O(n·P) a lane, plus the error texts of repeated failures.
//! What each one means is in the module's own documentation.

use std::collections::{BTreeMap, BTreeSet};

use super::{Detector, NearMiss, Params, Span, WhyNot, signature};
use crate::model::{CallStatus, Effect, LaneId, Run, StepKeys, StepKind, Tandem, max_period, tandem_runs};

/// Near misses that are kept of each detector, the nearest first.
const MAX_NEAR: usize = 8;

pub struct Found {
    pub spans: Vec<Span>,
    pub near: Vec<NearMiss>,
}

/// The calls of one lane. Positions in it are indices into `calls`, which holds action-step indices.
struct Lane<'a> {
    run: &'a Run,
    /// Action step -> step of the run.
    steps: &'a [u32],
    keys: &'a [StepKeys],
    /// Compactions before each action step.
    forgotten: &'a [u32],
    calls: Vec<usize>,
}

pub fn detect(run: &Run, steps: &[u32], keys: &[StepKeys], params: &Params) -> Found {
    let mut forgotten = Vec::with_capacity(steps.len());
    let mut compactions = 0;
    let mut lanes: BTreeMap<LaneId, Vec<usize>> = BTreeMap::new();
    for step in &run.steps {
        match step.kind {
            StepKind::Compaction => compactions += 1,
            StepKind::Action => {
                lanes.entry(step.lane).or_default().push(forgotten.len());
                forgotten.push(compactions);
            }
            _ => {}
        }
    }
    let mut found = Found { spans: Vec::new(), near: Vec::new() };
    for calls in lanes.into_values() {
        let lane = Lane { run, steps, keys, forgotten: &forgotten, calls };
        let mut here = Found { spans: Vec::new(), near: Vec::new() };
        lane.cycles(params, &mut here);
        lane.failing(params, &mut here);
        lane.redundant(params, &mut here);
        drop_covered(&mut here);
        found.spans.append(&mut here.spans);
        found.near.append(&mut here.near);
    }
    found.spans.sort_by_key(|s| (s.start, s.detector, std::cmp::Reverse(s.end), s.period));
    keep_nearest(&mut found.near);
    found
}

impl Lane<'_> {
    fn key(&self, at: usize) -> &StepKeys {
        &self.keys[self.calls[at]]
    }

    fn step(&self, at: usize) -> u32 {
        self.steps[self.calls[at]]
    }

    fn status(&self, at: usize) -> CallStatus {
        self.call(at).map_or(CallStatus::Unknown, |c| c.status)
    }

    fn call(&self, at: usize) -> Option<&crate::model::Call> {
        self.run.steps.get(self.step(at) as usize)?.call.as_deref()
    }

    /// The epoch of a position, where a compaction begins a new one too.
    fn epoch(&self, at: usize) -> (u32, u32) {
        (self.key(at).epoch, self.forgotten[self.calls[at]])
    }

    fn steps_of(&self, positions: impl IntoIterator<Item = usize>) -> Vec<u32> {
        positions.into_iter().map(|p| self.step(p)).collect()
    }

    fn bounds(&self, first: usize, last: usize) -> (u32, u32) {
        (self.calls[first] as u32, self.calls[last] as u32 + 1)
    }

    /// What D1 compares: K2, where an unanswered call is like no other, since nobody knows what it brought. Only a last
    /// call is taken for one more round: the run was cut while it did the same again.
    fn outcomes(&self) -> Vec<u32> {
        let answered = |at: usize| self.call(at).is_some_and(|c| c.observation.is_some());
        let last = self.calls.len().saturating_sub(1);
        (0u32..)
            .zip(0..self.calls.len())
            .map(|(i, at)| match answered(at) {
                true => self.key(at).outcome,
                false if at == last => {
                    let before = (0..at).rev().find(|&b| self.key(b).call == self.key(at).call && answered(b));
                    before.map_or(u32::MAX - i, |b| self.key(b).outcome)
                }
                false => u32::MAX - i,
            })
            .collect()
    }

    /// D1 and D1w.
    fn cycles(&self, params: &Params, found: &mut Found) {
        let n = self.calls.len();
        let longest = max_period(n).min(params.longest_period as usize);
        let exact = self.outcomes();
        let weak: Vec<u32> = self.calls.iter().map(|&c| self.keys[c].call).collect();
        let exact = tandem_runs(&exact, longest);
        let weak = tandem_runs(&weak, longest);
        let fires = |t: &Tandem| t.exponent() >= f64::from(params.rounds);
        let within = |t: &Tandem, outer: &Tandem| outer.start <= t.start && t.end <= outer.end;

        let cycles: Vec<Tandem> = exact.iter().copied().filter(fires).collect();
        for (i, t) in cycles.iter().enumerate() {
            let nested = cycles.iter().enumerate().any(|(k, o)| k != i && within(t, o) && o.period > t.period);
            found.spans.push(self.cycle(Detector::ExactCycle, *t, nested, true));
        }
        for t in weak.iter().filter(|t| fires(t)) {
            // The same stretch as an exact cycle says nothing new; nor does one inside it.
            if !cycles.iter().any(|o| within(t, o)) {
                let nested = weak.iter().any(|o| o != t && fires(o) && within(t, o) && o.period > t.period);
                found.spans.push(self.cycle(Detector::WeakCycle, *t, nested, false));
            }
        }
        for t in exact.iter().filter(|t| !fires(t)) {
            if cycles.iter().any(|o| within(t, o)) {
                continue;
            }
            let (why, broken_by) = if t.end < n {
                let expected = t.end - t.period;
                let why = if self.key(t.end).call == self.key(expected).call {
                    WhyNot::OtherResult
                } else {
                    WhyNot::OtherCall
                };
                (why, Some(self.step(t.end)))
            } else {
                (WhyNot::NotAgain, None)
            };
            let (start, end) = self.bounds(t.start, t.end - 1);
            found.near.push(NearMiss {
                detector: Detector::ExactCycle,
                start,
                end,
                period: t.period as u32,
                have: t.exponent(),
                need: params.rounds,
                steps: self.steps_of(t.start..t.end),
                wasted: Vec::new(),
                why,
                broken_by,
            });
        }
    }

    fn cycle(&self, detector: Detector, t: Tandem, nested: bool, wastes: bool) -> Span {
        let (start, end) = self.bounds(t.start, t.end - 1);
        Span {
            detector,
            start,
            end,
            period: t.period as u32,
            times: t.times() as u32,
            steps: self.steps_of(t.start..t.end),
            wasted: if wastes { self.steps_of(t.start + t.period..t.end) } else { Vec::new() },
            between: 0,
            nested,
        }
    }

    /// D2 and D2g.
    fn failing(&self, params: &Params, found: &mut Found) {
        let mut by_call: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for at in 0..self.calls.len() {
            by_call.entry(self.key(at).call).or_default().push(at);
        }
        for tries in by_call.values().filter(|t| t.len() >= 2) {
            if tries.iter().filter(|&&t| self.status(t) == CallStatus::Error).count() < 2 {
                continue;
            }
            self.adjacent_failures(tries, params, found);
            if params.gap > 0 {
                self.gapped_failures(tries, params, found);
            }
        }
    }

    fn adjacent_failures(&self, tries: &[usize], params: &Params, found: &mut Found) {
        let mut from = 0;
        while from < tries.len() {
            if self.status(tries[from]) != CallStatus::Error {
                from += 1;
                continue;
            }
            let mut to = from + 1;
            while to < tries.len() && tries[to] == tries[to - 1] + 1 && self.status(tries[to]) == CallStatus::Error {
                to += 1;
            }
            let chain = &tries[from..to];
            if chain.len() >= params.tries as usize {
                found.spans.push(self.tries(Detector::KeepsFailing, chain));
            } else if chain.len() >= 2 {
                let (why, broken_by) = match tries.get(to) {
                    Some(&next) if self.status(next) != CallStatus::Error => (WhyNot::Succeeded, Some(next)),
                    Some(&next) if params.gap == 0 => (WhyNot::TooFarApart, Some(next)),
                    // With a gap allowed, the gapped form says what came of it.
                    Some(_) => {
                        from = to;
                        continue;
                    }
                    None => (WhyNot::NotAgain, None),
                };
                found.near.push(self.near_tries(Detector::KeepsFailing, chain, params.tries, why, broken_by));
            }
            from = to;
        }
    }

    fn gapped_failures(&self, tries: &[usize], params: &Params, found: &mut Found) {
        let error_lines = |at: usize| {
            let text = self.call(at).and_then(|c| c.observation.as_ref()).map_or("", |o| &*o.content.text);
            signature(text)
        };
        let mut from = 0;
        while from < tries.len() {
            if self.status(tries[from]) != CallStatus::Error {
                from += 1;
                continue;
            }
            let first = error_lines(tries[from]);
            let mut to = from + 1;
            let mut why = (WhyNot::NotAgain, None);
            while let Some(&next) = tries.get(to) {
                why = if self.status(next) != CallStatus::Error {
                    (WhyNot::Succeeded, Some(next))
                } else if next - tries[to - 1] > params.gap as usize + 1 {
                    (WhyNot::TooFarApart, Some(next))
                } else if !first.is_subset(&error_lines(next)) {
                    (WhyNot::OtherError, Some(next))
                } else {
                    to += 1;
                    why = (WhyNot::NotAgain, None);
                    continue;
                };
                break;
            }
            let chain = &tries[from..to];
            let adjacent = chain.windows(2).all(|w| w[1] == w[0] + 1);
            if !adjacent && chain.len() >= params.tries as usize {
                found.spans.push(self.tries(Detector::KeepsFailingGapped, chain));
            } else if chain.len() >= 2
                && chain.len() < params.tries as usize
                && (!adjacent || why.1.is_some_and(|_| why.0 != WhyNot::Succeeded))
            {
                found.near.push(self.near_tries(Detector::KeepsFailingGapped, chain, params.tries, why.0, why.1));
            }
            from = to;
        }
    }

    fn tries(&self, detector: Detector, chain: &[usize]) -> Span {
        let (start, end) = self.bounds(chain[0], chain[chain.len() - 1]);
        let steps = self.steps_of(chain.iter().copied());
        Span {
            detector,
            start,
            end,
            period: 1,
            times: chain.len() as u32,
            wasted: steps[1..].to_vec(),
            steps,
            between: chain.windows(2).map(|w| (w[1] - w[0] - 1) as u32).max().unwrap_or(0),
            nested: false,
        }
    }

    fn near_tries(
        &self,
        detector: Detector,
        chain: &[usize],
        need: u32,
        why: WhyNot,
        broken_by: Option<usize>,
    ) -> NearMiss {
        let (start, end) = self.bounds(chain[0], chain[chain.len() - 1]);
        NearMiss {
            detector,
            start,
            end,
            period: 1,
            have: chain.len() as f64,
            need,
            steps: self.steps_of(chain.iter().copied()),
            wasted: Vec::new(),
            why,
            broken_by: broken_by.map(|at| self.step(at)),
        }
    }

    /// D3.
    fn redundant(&self, params: &Params, found: &mut Found) {
        let mut by_result: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for at in 0..self.calls.len() {
            if self.key(at).effect == Effect::Read && self.call(at).is_some_and(|c| c.observation.is_some()) {
                by_result.entry(self.key(at).outcome).or_default().push(at);
            }
        }
        for reads in by_result.values().filter(|r| r.len() >= 2) {
            let mut from = 0;
            while from < reads.len() {
                let epoch = self.epoch(reads[from]);
                let to = from + reads[from..].iter().take_while(|&&r| self.epoch(r) == epoch).count();
                let chain = &reads[from..to];
                if chain.len() >= params.reads.max(2) as usize {
                    found.spans.push(self.tries(Detector::Redundant, chain));
                } else if chain.len() >= 2 {
                    let next = reads.get(to).copied();
                    let why = if next.is_some() { WhyNot::WorldChanged } else { WhyNot::NotAgain };
                    let mut near = self.near_tries(Detector::Redundant, chain, params.reads, why, next);
                    near.wasted = near.steps[1..].to_vec();
                    found.near.push(near);
                } else if reads.len() >= params.reads as usize && from == 0 {
                    // Often enough, but never twice in one epoch so far: what lies between made it worth it.
                    if reads.windows(2).all(|w| self.epoch(w[0]) != self.epoch(w[1])) {
                        let next = reads.get(1).copied();
                        found.near.push(self.near_tries(
                            Detector::Redundant,
                            &reads[..1],
                            params.reads,
                            WhyNot::WorldChanged,
                            next,
                        ));
                    }
                }
                from = to;
            }
        }
    }
}

/// Leaves out what another span says better.
fn drop_covered(found: &mut Found) {
    let sets: Vec<(Detector, BTreeSet<u32>)> =
        found.spans.iter().map(|s| (s.detector, s.steps.iter().copied().collect())).collect();
    let covered = |detector: Detector, steps: &[u32]| {
        let by = |outer: &[Detector]| {
            sets.iter()
                .any(|(d, set)| outer.contains(d) && set.len() >= steps.len() && steps.iter().all(|s| set.contains(s)))
        };
        match detector {
            Detector::ExactCycle => false,
            Detector::WeakCycle => by(&[Detector::KeepsFailing]),
            Detector::KeepsFailingGapped => by(&[Detector::ExactCycle]),
            Detector::KeepsFailing => by(&[Detector::ExactCycle, Detector::KeepsFailingGapped]),
            Detector::Redundant => by(&[Detector::ExactCycle, Detector::KeepsFailing, Detector::KeepsFailingGapped]),
        }
    };
    found.spans.retain(|s| !covered(s.detector, &s.steps));
    found.near.retain(|n| {
        let all: Vec<&(Detector, BTreeSet<u32>)> = sets.iter().filter(|(d, _)| *d != Detector::WeakCycle).collect();
        !all.iter().any(|(_, set)| n.steps.iter().all(|s| set.contains(s)))
    });
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
