//! A run's usage along its steps, in as many pieces as a plot has room for. O(steps). A piece of one step is that step:
//! the same numbers are plot and table.

use super::{Clock, Ledger, Money};
use crate::model::Run;

/// A piece of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bucket {
    /// Steps, from 0, both inclusive.
    pub first: u32,
    pub last: u32,
    /// Turns that begin here.
    pub turns: u32,
    /// The greatest context of the main agent's turns here: tokens in, and of the same turn those read from a cache and
    /// written to one.
    pub context: Option<u64>,
    pub cached: Option<u64>,
    pub cache_write: Option<u64>,
    /// Sums over the turns of all agents here; `None` when none states it.
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub money: Money,
    /// Milliseconds of the main agent's steps here, by whose they are.
    pub model_ms: Option<f64>,
    pub tool_ms: Option<f64>,
    pub waiting_ms: Option<f64>,
    /// Sums from the beginning up to the end of this piece.
    pub all_input: u64,
    pub all_output: u64,
    pub all_money: Money,
    pub all_ms: f64,
    pub errors: u32,
    pub compactions: u32,
}

fn plus(sum: &mut Option<u64>, value: Option<u64>) {
    if let Some(value) = value {
        *sum = Some(sum.unwrap_or(0).saturating_add(value));
    }
}

fn longer(sum: &mut Option<f64>, value: Option<f64>) {
    if let Some(value) = value {
        *sum = Some(sum.unwrap_or(0.0) + value);
    }
}

/// Cuts a run into at most `pieces` pieces of equally many steps.
pub fn series(run: &Run, ledger: &Ledger, clock: &Clock, pieces: usize) -> Vec<Bucket> {
    let n = run.steps.len();
    let pieces = pieces.clamp(1, 4_000).min(n);
    let mut out: Vec<Bucket> = (0..pieces)
        .map(|i| Bucket {
            first: (i * n / pieces) as u32,
            last: ((i + 1) * n / pieces).saturating_sub(1) as u32,
            ..Bucket::default()
        })
        .collect();
    let mut at = 0;
    for (step, index) in run.steps.iter().zip(0u32..) {
        while out.get(at).is_some_and(|b| b.last < index) {
            at += 1;
        }
        let Some(bucket) = out.get_mut(at) else { break };
        bucket.errors += u32::from(step.failed());
        bucket.compactions += u32::from(step.kind == crate::model::StepKind::Compaction);
        if step.lane == 0
            && let Some(times) = clock.steps.get(index as usize)
        {
            longer(&mut bucket.model_ms, times.model);
            longer(&mut bucket.tool_ms, times.tool);
            longer(&mut bucket.waiting_ms, times.waiting);
        }
    }
    let mut at = 0;
    for turn in &ledger.turns {
        while out.get(at).is_some_and(|b| b.last < turn.first) {
            at += 1;
        }
        let Some(bucket) = out.get_mut(at) else { break };
        bucket.turns += 1;
        bucket.money.add(turn.cost, 1.0);
        plus(&mut bucket.input, turn.usage.input);
        plus(&mut bucket.output, turn.usage.output);
        if turn.lane == 0 && turn.usage.input.is_some() && turn.usage.input >= bucket.context {
            bucket.context = turn.usage.input;
            bucket.cached = turn.usage.cached;
            bucket.cache_write = turn.usage.cache_write;
        }
    }
    let (mut input, mut output, mut money, mut ms) = (0u64, 0u64, Money::default(), 0.0);
    for bucket in &mut out {
        input = input.saturating_add(bucket.input.unwrap_or(0));
        output = output.saturating_add(bucket.output.unwrap_or(0));
        money = sum(&money, &bucket.money);
        ms += [bucket.model_ms, bucket.tool_ms, bucket.waiting_ms].into_iter().flatten().sum::<f64>();
        (bucket.all_input, bucket.all_output, bucket.all_money, bucket.all_ms) = (input, output, money, ms);
    }
    out
}

fn sum(a: &Money, b: &Money) -> Money {
    let add = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
    Money {
        reported: add(a.reported, b.reported),
        by_file: add(a.by_file, b.by_file),
        estimated: add(a.estimated, b.estimated),
        reported_turns: a.reported_turns + b.reported_turns,
        by_file_turns: a.by_file_turns + b.by_file_turns,
        estimated_turns: a.estimated_turns + b.estimated_turns,
        unknown_turns: a.unknown_turns + b.unknown_turns,
    }
}
