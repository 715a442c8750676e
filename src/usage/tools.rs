//! What did each tool cost? A turn's tokens and money are shared equally among its calls; the length of what came back
//! is the tool's own. O(steps log tools).

use std::collections::BTreeMap;

use super::clock::tool_ms;
use super::{Ledger, Money};
use crate::model::{CallStatus, Run, TurnId};

/// The sums of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCost {
    /// `None`: turns that called nothing.
    pub tool: Option<String>,
    pub calls: u32,
    pub errors: u32,
    /// Shares of the tokens of the turns; `None` when no turn states them.
    pub input: Option<f64>,
    pub output: Option<f64>,
    /// Calls whose turn states its tokens.
    pub known_calls: u32,
    /// Counts of `money` are calls here.
    pub money: Money,
    /// Milliseconds, and calls with a time.
    pub ms: Option<f64>,
    pub timed_calls: u32,
    pub longest_ms: Option<f64>,
    /// Bytes that came back, and the greatest result.
    pub result_bytes: u64,
    pub longest_result: u64,
    /// The first call of the tool.
    pub first: u32,
}

/// The tools of a run: those that cost most first (money, then tokens, then time, then calls).
pub fn tools(run: &Run, ledger: &Ledger) -> Vec<ToolCost> {
    let turns: BTreeMap<TurnId, &super::TurnUse> = ledger.turns.iter().map(|t| (t.turn, t)).collect();
    let mut by_name: BTreeMap<Option<&str>, ToolCost> = BTreeMap::new();
    let add = |sum: &mut Option<f64>, value: Option<u64>, share: f64| {
        if let Some(value) = value {
            *sum = Some(sum.unwrap_or(0.0) + value as f64 * share);
        }
    };
    for (step, index) in run.steps.iter().zip(0u32..) {
        let Some(call) = step.call.as_deref() else { continue };
        let name: &str = &call.tool;
        let entry = by_name.entry(Some(name)).or_insert_with(|| ToolCost {
            tool: Some(name.to_owned()),
            first: index,
            ..ToolCost::default()
        });
        entry.calls += 1;
        entry.errors += u32::from(call.status == CallStatus::Error);
        let bytes = call.observation.as_ref().map_or(0, |o| o.content.text.len() as u64);
        entry.result_bytes += bytes;
        entry.longest_result = entry.longest_result.max(bytes);
        if let Some(ms) = tool_ms(step) {
            entry.ms = Some(entry.ms.unwrap_or(0.0) + ms);
            entry.timed_calls += 1;
            entry.longest_ms = Some(entry.longest_ms.map_or(ms, |l| l.max(ms)));
        }
        match step.turn.and_then(|t| turns.get(&t)) {
            Some(turn) => {
                let share = 1.0 / f64::from(turn.calls.max(1));
                add(&mut entry.input, turn.usage.input, share);
                add(&mut entry.output, turn.usage.output, share);
                entry.known_calls += u32::from(turn.usage.input.is_some() || turn.usage.output.is_some());
                entry.money.add(turn.cost, share);
            }
            None => entry.money.unknown_turns += 1,
        }
    }
    for turn in ledger.turns.iter().filter(|t| t.calls == 0) {
        let entry = by_name.entry(None).or_insert_with(|| ToolCost { first: turn.first, ..ToolCost::default() });
        entry.calls += 1;
        add(&mut entry.input, turn.usage.input, 1.0);
        add(&mut entry.output, turn.usage.output, 1.0);
        entry.known_calls += u32::from(turn.usage.input.is_some() || turn.usage.output.is_some());
        entry.money.add(turn.cost, 1.0);
    }
    let mut out: Vec<ToolCost> = by_name.into_values().collect();
    let tokens = |t: &ToolCost| t.input.unwrap_or(0.0) + t.output.unwrap_or(0.0);
    out.sort_by(|a, b| {
        b.money
            .any()
            .total_cmp(&a.money.any())
            .then(tokens(b).total_cmp(&tokens(a)))
            .then(b.ms.unwrap_or(0.0).total_cmp(&a.ms.unwrap_or(0.0)))
            .then(b.calls.cmp(&a.calls))
            .then(a.first.cmp(&b.first))
    });
    out
}
