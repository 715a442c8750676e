//! Usage as the screen shows it. O(steps), answers as small as the plot and the windows asked for.

use super::measures::*;
use super::rows::tool_label;
use crate::model::Run;
use crate::usage::{self, Clock, Ledger, Money, Price, PriceTable};

/// Tools listed.
const MAX_TOOLS: usize = 200;
/// Rows of turns in one window.
const MAX_ROWS: u32 = 500;
/// Bars of a waterfall, about.
const MAX_BARS: u32 = 4_000;

fn money(m: &Money) -> MoneyReport {
    MoneyReport {
        reported: m.reported,
        by_file: m.by_file,
        estimated: m.estimated,
        reported_turns: m.reported_turns,
        by_file_turns: m.by_file_turns,
        estimated_turns: m.estimated_turns,
        unknown_turns: m.unknown_turns,
    }
}

fn row(price: &Price) -> PriceRow {
    PriceRow {
        model: price.model.clone(),
        input: price.input,
        output: price.output,
        cache_read: price.cache_read,
        cache_write: price.cache_write,
    }
}

/// The table of a job: the built-in rows, and behind them its own, which win; negative and unnamed ones are left out.
pub fn table(prices: Option<&PriceList>) -> PriceTable {
    let mut table = PriceTable::default();
    let Some(list) = prices else { return table };
    let fine = |n: f64| n.is_finite() && n >= 0.0;
    let rows = list.rows.iter().filter(|r| !r.model.trim().is_empty() && fine(r.input) && fine(r.output));
    let prices = rows.map(|r| Price {
        model: r.model.trim().to_owned(),
        input: r.input,
        output: r.output,
        cache_read: r.cache_read.filter(|n| fine(*n)),
        cache_write: r.cache_write.filter(|n| fine(*n)),
    });
    table.prices.extend(prices);
    table.date = list.date.clone();
    table
}

fn model_name(run: &Run, model: Option<u16>) -> Option<String> {
    model.and_then(|m| run.models.get(m as usize)).cloned()
}

/// The report of a run in at most `buckets` pieces.
pub fn usage_report(run: &Run, prices: &PriceTable, buckets: u32) -> UsageReport {
    let ledger = usage::ledger(run, prices);
    let clock = Clock::of(run);
    let whole = run.usage();
    let times = clock.sums(run, 0);
    let peak = ledger.turns.iter().filter(|t| t.lane == 0).filter_map(|t| Some((t.usage.input?, t.first)));
    let known = |t: &&usage::TurnUse| t.usage.input.is_some() || t.usage.output.is_some();
    UsageReport {
        input: whole.input,
        output: whole.output,
        cached: whole.cached,
        cache_write: whole.cache_write,
        reasoning: whole.reasoning,
        money: money(&ledger.money),
        turns: ledger.turns.len() as u32,
        known_turns: ledger.turns.iter().filter(known).count() as u32,
        from_totals: ledger.from_totals,
        peak: peak.max_by_key(|(n, step)| (*n, std::cmp::Reverse(*step))),
        model_ms: times.model,
        tool_ms: times.tool,
        waiting_ms: times.waiting,
        duration_ms: run.duration_ms(),
        models: models(run, &ledger, prices),
        tools: usage::tools(run, &ledger).iter().take(MAX_TOOLS).map(tool).collect(),
        buckets: usage::series(run, &ledger, &clock, buckets as usize).iter().map(bucket).collect(),
        prices: PriceList { date: prices.date.clone(), rows: prices.prices.iter().map(row).collect() },
    }
}

fn models(run: &Run, ledger: &Ledger, prices: &PriceTable) -> Vec<ModelRow> {
    let one = |m: &usage::ModelUse| {
        let model = model_name(run, m.model);
        ModelRow {
            price: model.as_deref().and_then(|name| prices.find(name)).map(row),
            model,
            turns: m.turns,
            known_turns: m.known_turns,
            input: m.usage.input,
            output: m.usage.output,
            cached: m.usage.cached,
            cache_write: m.usage.cache_write,
            money: money(&m.money),
        }
    };
    ledger.models().iter().map(one).collect()
}

fn tool(t: &usage::ToolCost) -> ToolRow {
    let whole = |n: Option<f64>| n.map(|n| n.round() as u64);
    ToolRow {
        tool: t.tool.as_deref().map(tool_label),
        calls: t.calls,
        errors: t.errors,
        input: whole(t.input),
        output: whole(t.output),
        known_calls: t.known_calls,
        money: money(&t.money),
        ms: t.ms,
        timed_calls: t.timed_calls,
        longest_ms: t.longest_ms,
        result_bytes: t.result_bytes,
        longest_result: t.longest_result,
        first: t.first,
    }
}

fn bucket(b: &usage::Bucket) -> UsageBucket {
    UsageBucket {
        first: b.first,
        last: b.last,
        turns: b.turns,
        context: b.context,
        cached: b.cached,
        cache_write: b.cache_write,
        input: b.input,
        output: b.output,
        money: money(&b.money),
        model_ms: b.model_ms,
        tool_ms: b.tool_ms,
        waiting_ms: b.waiting_ms,
        all_input: b.all_input,
        all_output: b.all_output,
        all_money: money(&b.all_money),
        all_ms: b.all_ms,
        errors: b.errors,
        compactions: b.compactions,
    }
}

/// A window of the table of turns.
pub fn turn_rows(run: &Run, prices: &PriceTable, from: u32, count: u32) -> TurnRows {
    let ledger = usage::ledger(run, prices);
    let clock = Clock::of(run);
    let to = from.saturating_add(count.min(MAX_ROWS));
    let mut tokens = 0u64;
    let mut sum = Money::default();
    let mut out = TurnRows { from, total: ledger.turns.len() as u32, rows: Vec::new() };
    for (turn, number) in ledger.turns.iter().zip(0u32..) {
        let both = turn.usage.input.unwrap_or(0).saturating_add(turn.usage.output.unwrap_or(0));
        tokens = tokens.saturating_add(both);
        sum.add(turn.cost, 1.0);
        if number >= to {
            break;
        }
        if number < from {
            continue;
        }
        // Turns of two lanes may stand between each other: only its own steps count.
        let own = (turn.first..=turn.last)
            .filter(|i| run.steps.get(*i as usize).is_some_and(|s| s.turn == Some(turn.turn)))
            .filter_map(|i| clock.steps.get(i as usize));
        let (mut model_ms, mut tool_ms) = (None, None);
        for times in own {
            for (sum, ms) in [(&mut model_ms, times.model), (&mut tool_ms, times.tool)] {
                if let Some(ms) = ms {
                    *sum = Some(sum.unwrap_or(0.0) + ms);
                }
            }
        }
        out.rows.push(TurnRow {
            turn: number,
            lane: turn.lane,
            first: turn.first,
            last: turn.last,
            calls: turn.calls,
            model: model_name(run, turn.model),
            input: turn.usage.input,
            output: turn.usage.output,
            cached: turn.usage.cached,
            cache_write: turn.usage.cache_write,
            reasoning: turn.usage.reasoning,
            cost: turn.cost.value(),
            cost_kind: turn.cost.id().into(),
            model_ms,
            tool_ms,
            all_tokens: tokens,
            all_money: money(&sum),
        });
    }
    out
}

/// The waterfall of some steps, idle stretches above `idle_ms` cut.
pub fn waterfall_report(run: &Run, range: Option<(u32, u32)>, idle_ms: f64, bars: u32) -> WaterfallReport {
    let clock = Clock::of(run);
    let found = usage::waterfall(run, &clock, range, idle_ms, bars.clamp(1, MAX_BARS) as usize);
    let mut lanes: Vec<u16> = found.bars.iter().map(|b| b.lane).collect();
    lanes.sort_unstable();
    lanes.dedup();
    let name = |lane: u16| run.lanes.get(lane as usize).map(|l| l.name.clone()).unwrap_or_default();
    WaterfallReport {
        start: found.start,
        local_time: run.steps.iter().filter_map(|s| s.at).any(|t| t.local),
        ms: found.ms,
        shown_ms: found.shown_ms,
        idle_ms,
        lanes: lanes.into_iter().map(|l| (l, name(l))).collect(),
        bars: found
            .bars
            .iter()
            .map(|b| WaterfallBar {
                kind: b.kind.id().into(),
                lane: b.lane,
                first: b.first,
                last: b.last,
                steps: b.steps,
                tool: run
                    .steps
                    .get(b.first as usize)
                    .filter(|_| b.steps == 1)
                    .and_then(|s| s.call.as_deref())
                    .map(|c| tool_label(&c.tool))
                    .unwrap_or_default(),
                failed: b.failed,
                x: b.x,
                width: b.width,
                at_ms: b.at_ms,
                ms: b.ms,
            })
            .collect(),
        gaps: found.gaps.iter().map(|g| WaterfallGap { x: g.x, ms: g.ms, step: g.step, person: g.person }).collect(),
        untimed: found.untimed,
    }
}
