//! Where two runs part, why, and what follows behind it on each side. O(steps). The definition stands in `super`.

use super::track::Track;
use super::{Params, Sameness, Side, likeness, results_differ};
use crate::model::{CostKind, Run, Usage};

/// What differs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    OtherThought,
    OtherTool,
    OtherArguments,
    OtherResult,
    Ended,
}

impl Cause {
    pub const ALL: [Cause; 5] =
        [Self::OtherThought, Self::OtherTool, Self::OtherArguments, Self::OtherResult, Self::Ended];

    pub fn id(self) -> &'static str {
        match self {
            Self::OtherThought => "other_thought",
            Self::OtherTool => "other_tool",
            Self::OtherArguments => "other_arguments",
            Self::OtherResult => "other_result",
            Self::Ended => "ended",
        }
    }
}

/// The first divergence.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    pub cause: Cause,
    /// Of an `OtherThought`, how the actions behind it differ; otherwise the cause again.
    pub what: Cause,
    /// Whether `at` counts actions; else thoughts.
    pub is_action: bool,
    /// Index in its track; `None` for a side that has ended.
    pub at: [Option<u32>; 2],
    /// Index of the step in the run.
    pub steps: [Option<u32>; 2],
    /// Likeness of the thoughts that led there, in millionths; `None` unless both sides have one.
    pub thoughts: Option<u32>,
    pub downstream: [Downstream; 2],
}

/// What follows behind the divergent step on one side. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Downstream {
    pub actions: u32,
    /// In and out, of the turns behind the divergent step's.
    pub tokens: Option<u64>,
    pub cost: Option<f64>,
    pub cost_estimated: bool,
    /// To the last recorded moment.
    pub seconds: Option<f64>,
}

impl Divergence {
    /// Exchanges the sides.
    pub fn mirror(&mut self) {
        self.at.reverse();
        self.steps.reverse();
        self.downstream.reverse();
    }
}

pub(super) fn first(left: &Side<'_>, right: &Side<'_>, thoughts: &Track, params: &Params) -> Option<Divergence> {
    let strict = params.same == Sameness::Outcome;
    let key = |side: &Side<'_>, at: u32| side.key(at).map(|k| params.same.key(k));
    let mut at = 0u32;
    loop {
        let (a, b) = (left.key(at), right.key(at));
        let (Some(a), Some(b)) = (a, b) else { break };
        if key(left, at) != key(right, at) {
            let what = match () {
                () if a.tool != b.tool => Cause::OtherTool,
                () if a.call != b.call => Cause::OtherArguments,
                () => Cause::OtherResult,
            };
            let alike = leading(left, right, at);
            let other = what != Cause::OtherResult && alike.is_some_and(|l| l < params.least());
            let cause = if other { Cause::OtherThought } else { what };
            return Some(at_actions(left, right, cause, what, at, alike));
        }
        // With other arguments another result is no wonder.
        if a.call == b.call && results_differ(left, right, (at, at), strict) {
            let alike = leading(left, right, at);
            return Some(at_actions(left, right, Cause::OtherResult, Cause::OtherResult, at, alike));
        }
        at += 1;
    }
    if left.key(at).is_some() || right.key(at).is_some() {
        return Some(at_actions(left, right, Cause::Ended, Cause::Ended, at, None));
    }
    at_thoughts(left, right, thoughts)
}

/// Likeness of the thoughts that led to an action on both sides.
fn leading(left: &Side<'_>, right: &Side<'_>, at: u32) -> Option<u32> {
    let led = |side: &'_ Side<'_>| side.led_by.get(at as usize).copied().flatten();
    Some(likeness(left.thought(led(left)?)?, right.thought(led(right)?)?))
}

fn at_actions(
    left: &Side<'_>,
    right: &Side<'_>,
    cause: Cause,
    what: Cause,
    at: u32,
    thoughts: Option<u32>,
) -> Divergence {
    let sides = [left, right];
    let steps = sides.map(|s| s.actions.get(at as usize).copied());
    let index = sides.map(|s| s.key(at).map(|_| at));
    let downstream = [downstream(left, steps[0]), downstream(right, steps[1])];
    Divergence { cause, what, is_action: true, at: index, steps, thoughts, downstream }
}

/// The actions agree to the end: the first thought without its counterpart.
fn at_thoughts(left: &Side<'_>, right: &Side<'_>, thoughts: &Track) -> Option<Divergence> {
    let common = thoughts.pairs.iter().zip(0u32..).take_while(|(p, k)| p.left == *k && p.right == *k).count() as u32;
    let sides = [left, right];
    let steps = sides.map(|s| s.thought(common).map(|u| u.step));
    if steps == [None, None] {
        return None;
    }
    let cause = if steps.contains(&None) { Cause::Ended } else { Cause::OtherThought };
    let alike = left.thought(common).zip(right.thought(common)).map(|(a, b)| likeness(a, b));
    Some(Divergence {
        cause,
        what: cause,
        is_action: false,
        at: steps.map(|s| s.map(|_| common)),
        steps,
        thoughts: alike,
        downstream: [downstream(left, steps[0]), downstream(right, steps[1])],
    })
}

/// What follows behind a step; behind the end, for a side that has ended.
fn downstream(side: &Side<'_>, step: Option<u32>) -> Downstream {
    let run = side.run;
    let from = step.map_or(run.steps.len(), |s| s as usize + 1);
    let rest = run.steps.get(from..).unwrap_or_default();
    let own = step.and_then(|s| run.steps.get(s as usize)).and_then(|s| s.turn);
    let mut turns: Vec<u32> = rest.iter().filter_map(|s| s.turn).filter(|t| Some(*t) != own).collect();
    turns.sort_unstable();
    turns.dedup();
    let later = turns.iter().filter_map(|t| run.turns.get(*t as usize));
    let usage = later.fold(Usage::default(), |sum, turn| sum.plus(&turn.usage));
    // A side that says nothing at all of tokens or cost has not spent 0 behind its end.
    let nothing = turns.is_empty();
    let known = |of: fn(&Usage) -> bool| nothing && run.turns.iter().any(|t| of(&t.usage));
    let tokens = match (usage.input, usage.output) {
        (None, None) => known(|u| u.input.is_some() || u.output.is_some()).then_some(0),
        (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
    };
    let cost = usage.cost.or_else(|| known(|u| u.cost.is_some()).then_some(0.0));
    Downstream {
        actions: rest.iter().filter(|s| s.is_action()).count() as u32,
        tokens,
        cost,
        cost_estimated: usage.cost.is_some() && usage.cost_kind == CostKind::Estimated,
        seconds: seconds(run, step),
    }
}

/// From the moment of a step to the last of the run.
fn seconds(run: &Run, step: Option<u32>) -> Option<f64> {
    let moments = run.steps.iter().flat_map(|s| [s.at, s.observation().and_then(|o| o.at)]).flatten();
    let last = moments.map(|t| t.ms).max()?;
    let Some(step) = step else { return Some(0.0) };
    let at = run.steps.get(step as usize)?.at?;
    Some((last - at.ms).max(0) as f64 / 1000.0)
}
