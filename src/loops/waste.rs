//! What did the wasted steps cost? Steps, tokens, money, time, each with the share of steps that carried the figure.
//! A turn's usage is shared equally among its calls. O(steps) once, then O(wasted). See docs/detectors.md.

use std::collections::BTreeMap;

use crate::model::{Run, TurnId, Usage};

/// A sum with the share of the wasted steps whose figure is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figure {
    /// `None` when no wasted step carries the figure; 0 when nothing is wasted.
    pub value: Option<f64>,
    /// From 0 to 1; `None` when nothing is wasted.
    pub known_fraction: Option<f64>,
}

/// The waste of a run or of a span.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waste {
    /// Steps of the run, in order.
    pub steps: Vec<u32>,
    /// Of all calls; `None` without calls.
    pub ratio: Option<f64>,
    /// In and out.
    pub tokens: Figure,
    pub output_tokens: Figure,
    /// US dollars.
    pub cost: Figure,
    pub seconds: Figure,
    /// True when only the totals of the run are known, so that tokens and cost are spread by length of text.
    pub estimated: bool,
}

/// What the calls of a run cost, looked up once.
pub struct Costs<'a> {
    run: &'a Run,
    calls: usize,
    per_turn: BTreeMap<TurnId, f64>,
    spread: Option<Spread>,
}

impl<'a> Costs<'a> {
    pub fn of(run: &'a Run) -> Self {
        let mut per_turn: BTreeMap<TurnId, f64> = BTreeMap::new();
        let mut calls = 0;
        for step in run.steps.iter().filter(|s| s.is_action()) {
            calls += 1;
            if let Some(turn) = step.turn {
                *per_turn.entry(turn).or_default() += 1.0;
            }
        }
        let estimated = run.totals.is_some() && run.turns.iter().all(|t| t.usage.is_empty());
        let spread = if estimated { Spread::of(run) } else { None };
        Self { run, calls, per_turn, spread }
    }

    /// The cost of the steps `wasted`, which are actions of the run, in order and each once.
    pub fn waste(&self, wasted: &[u32]) -> Waste {
        let run = self.run;
        let mut tokens = Sum::default();
        let mut output = Sum::default();
        let mut cost = Sum::default();
        let mut seconds = Sum::default();
        for step in wasted.iter().filter_map(|&i| run.steps.get(i as usize)) {
            let (usage, share): (Option<&Usage>, f64) = match (&self.spread, step.turn) {
                (Some(spread), _) => (run.totals.as_ref(), spread.share(step)),
                (None, Some(turn)) => (
                    run.turns.get(turn as usize).map(|t| &t.usage),
                    1.0 / self.per_turn.get(&turn).copied().unwrap_or(1.0),
                ),
                (None, None) => (None, 0.0),
            };
            let part = |n: Option<u64>| n.map(|n| n as f64 * share);
            let both = usage.and_then(|u| match (u.input, u.output) {
                (None, None) => None,
                (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
            });
            tokens.add(part(both));
            output.add(part(usage.and_then(|u| u.output)));
            cost.add(usage.and_then(|u| u.cost).map(|c| c * share));
            seconds.add(step.call.as_ref().and_then(|c| c.duration_ms).map(|ms| ms / 1000.0));
        }
        Waste {
            ratio: (self.calls > 0).then(|| wasted.len() as f64 / self.calls as f64),
            steps: wasted.to_vec(),
            tokens: tokens.figure(),
            output_tokens: output.figure(),
            cost: cost.figure(),
            seconds: seconds.figure(),
            estimated: self.spread.is_some() && !wasted.is_empty(),
        }
    }
}

#[derive(Default)]
struct Sum {
    total: f64,
    known: u32,
    of: u32,
}

impl Sum {
    fn add(&mut self, value: Option<f64>) {
        self.of += 1;
        if let Some(value) = value {
            self.total += value;
            self.known += 1;
        }
    }

    fn figure(&self) -> Figure {
        if self.of == 0 {
            return Figure { value: Some(0.0), known_fraction: None };
        }
        Figure {
            value: (self.known > 0).then_some(self.total),
            known_fraction: Some(f64::from(self.known) / f64::from(self.of)),
        }
    }
}

/// The totals of a run, spread over its steps by their length.
struct Spread {
    all: usize,
}

impl Spread {
    fn of(run: &Run) -> Option<Spread> {
        let all = run.steps.iter().map(length).sum();
        (all > 0).then_some(Spread { all })
    }

    fn share(&self, step: &crate::model::Step) -> f64 {
        length(step) as f64 / self.all as f64
    }
}

fn length(step: &crate::model::Step) -> usize {
    let call = step.call.as_ref();
    let args = call.map_or(0, |c| c.args.raw.len());
    let observed = call.and_then(|c| c.observation.as_ref()).map_or(0, |o| o.content.text.len());
    step.content.text.len() + args + observed
}
