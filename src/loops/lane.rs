//! The steps of one lane as the detectors see them: calls by position, and the makers of findings. O(1) each, but for
//! copying lists of steps.

use super::{Detector, NearMiss, Span, WhyNot};
use crate::model::{Call, CallStatus, Run, Step, StepKeys};

/// What the detectors found.
#[derive(Default)]
pub struct Found {
    pub spans: Vec<Span>,
    pub near: Vec<NearMiss>,
}

/// One lane. A position is a place in `calls`.
pub struct Lane<'a> {
    pub run: &'a Run,
    /// Action step -> step of the run.
    pub actions: &'a [u32],
    pub keys: &'a [StepKeys],
    /// Compactions before each action step.
    pub forgotten: &'a [u32],
    /// The lane's calls, as action steps.
    pub calls: Vec<usize>,
    /// All the lane's steps.
    pub steps: Vec<u32>,
}

impl<'a> Lane<'a> {
    pub fn key(&self, at: usize) -> &StepKeys {
        &self.keys[self.calls[at]]
    }

    /// The step of the run at a position.
    pub fn step(&self, at: usize) -> u32 {
        self.actions[self.calls[at]]
    }

    pub fn status(&self, at: usize) -> CallStatus {
        self.call(at).map_or(CallStatus::Unknown, |c| c.status)
    }

    pub fn call(&self, at: usize) -> Option<&'a Call> {
        self.run.steps.get(self.step(at) as usize)?.call.as_deref()
    }

    pub fn get(&self, step: u32) -> Option<&'a Step> {
        self.run.steps.get(step as usize)
    }

    pub fn answered(&self, at: usize) -> bool {
        self.call(at).is_some_and(|c| c.observation.is_some())
    }

    /// The epoch of a position, where a compaction begins a new one too.
    pub fn epoch(&self, at: usize) -> (u32, u32) {
        (self.key(at).epoch, self.forgotten[self.calls[at]])
    }

    pub fn steps_of(&self, positions: impl IntoIterator<Item = usize>) -> Vec<u32> {
        positions.into_iter().map(|p| self.step(p)).collect()
    }

    /// The action steps from one position to another, end exclusive.
    pub fn bounds(&self, first: usize, last: usize) -> (u32, u32) {
        (self.calls[first] as u32, self.calls[last] as u32 + 1)
    }

    /// Calls of the run before a step of the run.
    pub fn calls_before(&self, step: u32) -> u32 {
        self.actions.partition_point(|&a| a < step) as u32
    }

    /// A finding about single calls: `chain` are positions, `wasted` how many of the first ones are not wasted.
    pub fn chain(&self, detector: Detector, chain: &[usize], legitimate: usize) -> Span {
        let (first, last) = (chain.first().copied().unwrap_or(0), chain.last().copied().unwrap_or(0));
        let (start, end) = self.bounds(first, last);
        let steps = self.steps_of(chain.iter().copied());
        let wastes = detector.entry().counts_as_waste;
        Span {
            detector,
            severity: detector.entry().severity,
            start,
            end,
            period: 1,
            times: chain.len() as u32,
            wasted: if wastes { steps.get(legitimate..).unwrap_or_default().to_vec() } else { Vec::new() },
            steps,
            between: chain.windows(2).map(|w| (w[1] - w[0] - 1) as u32).max().unwrap_or(0),
            nested: false,
        }
    }

    /// A chain that is too short.
    pub fn near_chain(
        &self,
        detector: Detector,
        chain: &[usize],
        need: u32,
        why: WhyNot,
        broken_by: Option<usize>,
    ) -> NearMiss {
        let (first, last) = (chain.first().copied().unwrap_or(0), chain.last().copied().unwrap_or(0));
        let (start, end) = self.bounds(first, last);
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

    /// A finding about steps that are no calls. Its bounds hold the calls that lie between.
    pub fn said(&self, detector: Detector, steps: Vec<u32>, period: u32, times: u32) -> Span {
        let start = steps.first().map_or(0, |&s| self.calls_before(s));
        let end = steps.last().map_or(start, |&s| self.calls_before(s));
        Span {
            detector,
            severity: detector.entry().severity,
            start,
            end,
            period,
            times,
            steps,
            wasted: Vec::new(),
            between: 0,
            nested: false,
        }
    }

    /// The same, not enough of it.
    pub fn near_said(
        &self,
        detector: Detector,
        steps: Vec<u32>,
        need: u32,
        why: WhyNot,
        broken_by: Option<u32>,
    ) -> NearMiss {
        let start = steps.first().map_or(0, |&s| self.calls_before(s));
        let end = steps.last().map_or(start, |&s| self.calls_before(s));
        NearMiss {
            detector,
            start,
            end,
            period: 1,
            have: steps.len() as f64,
            need,
            steps,
            wasted: Vec::new(),
            why,
            broken_by,
        }
    }
}
