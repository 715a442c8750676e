//! The usage of a run as plots and tables. O(steps), and as many bars as are asked for.
//!
//! A plot shows each piece of the run, or, with sums, everything up to it. Money is drawn a kind each, and never added
//! up over kinds. A bar's values are texts, so that plot, table and what a reader of the screen hears are one.

use super::measures::{MoneyReport, PriceList, PriceRow, ToolRow, UsageBucket, UsageReport};
use super::sheet::{Cell, Plot, PlotBar, PlotPart, PriceEntry, Sheet, UsageView, WIDE};
use super::usage::{turn_rows, usage_report, waterfall_report};
use crate::format;
use crate::model::Run;
use crate::usage::{PRICES_DATE, PriceTable};

/// Height of a view box.
const HIGH: f64 = 100.0;
/// From so many pieces on they are drawn without a gap between them.
const MANY: usize = 160;
/// The widest bar.
const WIDEST: f64 = 32.0;
/// Agents that have rows in the waterfall.
const MAX_AGENTS: usize = 8;
/// Shares of the width that a text of the axis needs.
const APART: f64 = 0.12;

/// The kinds of money: the look, the sentence of the column, and how to get at the sum.
type Kind = (&'static str, &'static str, fn(&MoneyReport) -> Option<f64>);
const KINDS: [Kind; 3] = [
    ("reported", "usage.reported", |m| m.reported),
    ("by-file", "usage.by-file", |m| m.by_file),
    ("estimated", "usage.estimated", |m| m.estimated),
];

/// The view of a run in at most `pieces` pieces; `sums` adds them up along the run. `own` are the prices of the job, which
/// are a part of `prices`.
pub fn usage_view(run: &Run, prices: &PriceTable, own: Option<&PriceList>, pieces: u32, sums: bool) -> UsageView {
    let report = usage_report(run, prices, pieces);
    let entries = entries(&report, prices, own);
    let steps = run.steps.len() as u32;
    let mut plots = vec![context(&report.buckets, sums), output(&report.buckets, sums)];
    plots.push(cost(&report.buckets, sums));
    plots.push(time(&report.buckets, sums));
    plots.retain(|plot| !plot.parts.is_empty());
    for plot in &mut plots {
        plot.ticks = ticks(steps);
    }
    UsageView {
        notes: notes(&report),
        plots,
        money: money(&report, &entries),
        tools: tools(&report.tools),
        models: models(&report),
        prices: entries,
    }
}

fn known_count(n: Option<u64>) -> String {
    n.map_or_else(|| format::UNKNOWN.to_owned(), format::count)
}

fn known_money(n: Option<f64>) -> String {
    n.map_or_else(|| format::UNKNOWN.to_owned(), format::money)
}

fn known_time(ms: Option<f64>) -> String {
    ms.map_or_else(|| format::UNKNOWN.to_owned(), format::duration)
}

/// Bars under each other: every piece has a height in each part, the first part at the bottom.
fn stacked(buckets: &[UsageBucket], looks: &[&str], heights: &[Vec<f64>], most: f64, sums: bool) -> Vec<PlotPart> {
    let mut parts: Vec<PlotPart> =
        looks.iter().map(|look| PlotPart { look: (*look).to_owned(), path: String::new() }).collect();
    let wide = WIDE / buckets.len().max(1) as f64;
    let gap = if buckets.len() > MANY || sums { 0.0 } else { wide * 0.15 };
    // A bar of a short run is not a wall.
    let broad = if sums { wide } else { (wide - gap).min(WIDEST) };
    for (at, tall) in heights.iter().enumerate() {
        let mut floor = HIGH;
        for (part, value) in parts.iter_mut().zip(tall) {
            let high = if most > 0.0 { value / most * HIGH } else { 0.0 };
            if high > 0.0 {
                let (x, w) = (at as f64 * wide, broad);
                part.path.push_str(&format!("M{x:.1} {floor:.2}v-{high:.2}h{w:.1}v{high:.2}z"));
            }
            floor -= high;
        }
    }
    parts
}

/// A plot of pieces: its parts with their heights, its columns with their texts.
struct Draft {
    id: &'static str,
    looks: Vec<&'static str>,
    columns: Vec<&'static str>,
    heights: Vec<Vec<f64>>,
    cells: Vec<Vec<String>>,
}

fn plot(draft: Draft, buckets: &[UsageBucket], sums: bool, say: fn(f64) -> String) -> Plot {
    let most = draft.heights.iter().map(|h| h.iter().sum::<f64>()).fold(0.0, f64::max);
    let wide = 1.0 / buckets.len().max(1) as f64;
    let bars = buckets.iter().zip(draft.cells).enumerate();
    Plot {
        id: draft.id.to_owned(),
        rows: 1,
        top: say(most),
        parts: stacked(buckets, &draft.looks, &draft.heights, most, sums),
        columns: draft.columns.iter().map(|c| (*c).to_owned()).collect(),
        bars: bars
            .map(|(at, (bucket, cells))| PlotBar {
                x: places(at as f64 * wide),
                width: places(wide),
                row: 0,
                first: bucket.first,
                last: bucket.last,
                cells,
            })
            .collect(),
        ..Plot::default()
    }
}

/// Five places: enough for a plot, and short.
fn places(x: f64) -> f64 {
    (x * 1e5).round() / 1e5
}

fn whole(x: f64) -> String {
    format::short_count(x.round() as u64)
}

fn context(buckets: &[UsageBucket], sums: bool) -> Plot {
    if sums {
        let told = buckets.iter().any(|b| b.input.is_some());
        let draft = Draft {
            id: "all-input",
            looks: if told { vec!["input"] } else { Vec::new() },
            columns: vec!["usage.all-input"],
            heights: buckets.iter().map(|b| vec![b.all_input as f64]).collect(),
            cells: buckets.iter().map(|b| vec![format::count(b.all_input)]).collect(),
        };
        return plot(draft, buckets, true, whole);
    }
    let told = buckets.iter().any(|b| b.context.is_some());
    let split = |b: &UsageBucket| {
        let all = b.context.unwrap_or(0);
        let cached = b.cached.unwrap_or(0).min(all);
        let written = b.cache_write.unwrap_or(0).min(all - cached);
        vec![cached as f64, written as f64, (all - cached - written) as f64]
    };
    let draft = Draft {
        id: "context",
        looks: if told { vec!["cached", "written", "input"] } else { Vec::new() },
        columns: vec!["usage.context", "usage.cached", "usage.written"],
        heights: buckets.iter().map(split).collect(),
        cells: buckets.iter().map(|b| [b.context, b.cached, b.cache_write].map(known_count).to_vec()).collect(),
    };
    used(plot(draft, buckets, false, whole))
}

/// Without the parts in which nothing is drawn; they would be in the legend.
fn used(mut plot: Plot) -> Plot {
    let any = plot.parts.iter().any(|p| !p.path.is_empty());
    if any {
        plot.parts.retain(|p| !p.path.is_empty());
    }
    plot
}

fn output(buckets: &[UsageBucket], sums: bool) -> Plot {
    let told = buckets.iter().any(|b| b.output.is_some());
    let value = |b: &UsageBucket| if sums { Some(b.all_output) } else { b.output };
    let draft = Draft {
        id: if sums { "all-output" } else { "output" },
        looks: if told { vec!["output"] } else { Vec::new() },
        columns: vec![if sums { "usage.all-output" } else { "usage.output" }],
        heights: buckets.iter().map(|b| vec![value(b).unwrap_or(0) as f64]).collect(),
        cells: buckets.iter().map(|b| vec![known_count(value(b))]).collect(),
    };
    plot(draft, buckets, sums, whole)
}

fn cost(buckets: &[UsageBucket], sums: bool) -> Plot {
    // What the run has at its end, a kind each.
    let all = buckets.last().map(|b| b.all_money).unwrap_or_default();
    let kinds: Vec<Kind> = KINDS.into_iter().filter(|kind| (kind.2)(&all).is_some()).collect();
    let value = |b: &UsageBucket| if sums { b.all_money } else { b.money };
    let draft = Draft {
        id: if sums { "all-cost" } else { "cost" },
        looks: kinds.iter().map(|k| k.0).collect(),
        columns: kinds.iter().map(|k| k.1).collect(),
        heights: buckets.iter().map(|b| kinds.iter().map(|k| (k.2)(&value(b)).unwrap_or(0.0)).collect()).collect(),
        cells: buckets.iter().map(|b| kinds.iter().map(|k| known_money((k.2)(&value(b)))).collect()).collect(),
    };
    let mut out = plot(draft, buckets, sums, format::money);
    // The sum of kinds is nothing that could be said: the scale is the greatest of them.
    if kinds.len() > 1 {
        out.top = String::new();
    }
    out
}

fn time(buckets: &[UsageBucket], sums: bool) -> Plot {
    let told = buckets.iter().any(|b| b.model_ms.is_some() || b.tool_ms.is_some());
    let add = |sum: &mut Option<f64>, ms: Option<f64>| {
        if let Some(ms) = ms {
            *sum = Some(sum.unwrap_or(0.0) + ms);
        }
    };
    let (mut model, mut tool, mut waiting) = (None, None, None);
    let rows: Vec<[Option<f64>; 3]> = buckets
        .iter()
        .map(|b| {
            if !sums {
                return [b.model_ms, b.tool_ms, b.waiting_ms];
            }
            add(&mut model, b.model_ms);
            add(&mut tool, b.tool_ms);
            add(&mut waiting, b.waiting_ms);
            [model, tool, waiting]
        })
        .collect();
    // A person may have slept in between: waiting is in the table, not in the picture.
    let draft = Draft {
        id: if sums { "all-time" } else { "time" },
        looks: if told { vec!["model", "tool"] } else { Vec::new() },
        columns: vec!["usage.model-time", "usage.tool-time", "usage.waiting-time"],
        heights: rows.iter().map(|r| r.iter().take(2).map(|ms| ms.unwrap_or(0.0)).collect()).collect(),
        cells: rows.iter().map(|r| r.map(known_time).to_vec()).collect(),
    };
    plot(draft, buckets, sums, format::duration)
}

/// Round numbers of steps along the axis, at most five, after 1.
fn ticks(steps: u32) -> Vec<(f64, String)> {
    let units = (0..9).flat_map(|tens| [1, 2, 5].map(|n| n * 10_u32.pow(tens)));
    let unit = units.into_iter().find(|unit| steps / unit <= 5).unwrap_or(u32::MAX);
    let more = (1..=5).map(|n| unit.saturating_mul(n)).filter(|at| *at > 1 && *at <= steps);
    let share = |n: u32| places((f64::from(n) - 1.0) / f64::from(steps.max(1)));
    [1].into_iter().filter(|_| steps > 0).chain(more).map(|n| (share(n), format::count(u64::from(n)))).collect()
}

fn sentence(id: &str, args: &[(&str, String)]) -> (String, Vec<(String, String)>) {
    (id.to_owned(), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
}

fn notes(report: &UsageReport) -> Vec<(String, Vec<(String, String)>)> {
    let mut out = Vec::new();
    if report.turns > 0 && report.known_turns == 0 {
        out.push(sentence(if report.from_totals { "usage.totals-only" } else { "usage.none-known" }, &[]));
    } else if report.known_turns < report.turns {
        let (n, of) = (u64::from(report.known_turns), u64::from(report.turns));
        out.push(sentence("usage.some-known", &[("n", format::count(n)), ("of", format::count(of))]));
    }
    if let Some((tokens, step)) = report.peak {
        let at = format!("#{}", u64::from(step) + 1);
        out.push(sentence("usage.peak", &[("n", format::count(tokens)), ("step", at)]));
    }
    out
}

/// One row for each kind of money that there is, and one for the turns without any.
fn money(report: &UsageReport, entries: &[PriceEntry]) -> Sheet {
    let m = &report.money;
    let turns = |n: u32| Cell::Text(format::count(u64::from(n)));
    let mut dates: Vec<&str> = entries.iter().map(|e| e.date.as_str()).filter(|d| !d.is_empty()).collect();
    dates.sort_unstable();
    dates.dedup();
    let date = dates.join(", ");
    let kinds = [
        ("cost.reported", m.reported, m.reported_turns),
        ("cost.by-file", m.by_file, m.by_file_turns),
        ("cost.estimated", m.estimated, m.estimated_turns),
    ];
    let mut rows: Vec<Vec<Cell>> = kinds
        .into_iter()
        .filter_map(|(id, sum, n)| {
            Some(vec![Cell::Text(format::money(sum?)), Cell::say(id, &[("date", &date)]), turns(n)])
        })
        .collect();
    if m.unknown_turns > 0 || rows.is_empty() {
        rows.push(vec![Cell::known(None), Cell::say("cost.unknown", &[]), turns(m.unknown_turns)]);
    }
    Sheet::whole("usage.money", &["#usage.cost", "usage.source", "#usage.turns"], rows)
}

/// The kinds of money that any of these have.
fn present<'a>(all: impl Iterator<Item = &'a MoneyReport> + Clone) -> Vec<Kind> {
    KINDS.into_iter().filter(|kind| all.clone().any(|m| (kind.2)(m).is_some())).collect()
}

fn tools(tools: &[ToolRow]) -> Sheet {
    let kinds = present(tools.iter().map(|t| &t.money));
    let most = tools.iter().filter_map(|t| t.input).max().unwrap_or(0);
    let mut columns =
        vec!["usage.tool", "#usage.calls", "#usage.failed", "#usage.input", "usage.share", "#usage.output"];
    let named: Vec<String> = kinds.iter().map(|k| format!("#{}", k.1)).collect();
    columns.extend(named.iter().map(String::as_str));
    columns.extend(["#usage.lasted", "#usage.longest", "#usage.came-back"]);
    let rows = tools
        .iter()
        .map(|t| {
            let mut row = vec![
                t.tool.clone().map_or_else(|| Cell::say("usage.talk", &[]), Cell::Tool),
                Cell::Text(format::count(u64::from(t.calls))),
                Cell::Text(format::count(u64::from(t.errors))),
                Cell::Text(known_count(t.input)),
                match t.input {
                    Some(n) if most > 0 => Cell::Share(places(n as f64 / most as f64)),
                    _ => Cell::Text(String::new()),
                },
                Cell::Text(known_count(t.output)),
            ];
            row.extend(kinds.iter().map(|k| Cell::Text(known_money((k.2)(&t.money)))));
            row.push(Cell::Text(known_time(t.ms)));
            row.push(Cell::Text(known_time(t.longest_ms)));
            row.push(Cell::Text(if t.tool.is_some() { format::bytes(t.result_bytes) } else { format::UNKNOWN.into() }));
            row
        })
        .collect();
    Sheet::whole("usage.tools", &columns, rows)
}

fn models(report: &UsageReport) -> Sheet {
    let kinds = present(report.models.iter().map(|m| &m.money));
    let mut columns =
        vec!["usage.model", "#usage.turns", "#usage.input", "#usage.cached", "#usage.written", "#usage.output"];
    let named: Vec<String> = kinds.iter().map(|k| format!("#{}", k.1)).collect();
    columns.extend(named.iter().map(String::as_str));
    let rows = report
        .models
        .iter()
        .map(|m| {
            let mut row = vec![
                m.model.clone().map_or_else(|| Cell::say("usage.no-model", &[]), Cell::Code),
                Cell::Text(format::count(u64::from(m.turns))),
            ];
            row.extend([m.input, m.cached, m.cache_write, m.output].map(|n| Cell::Text(known_count(n))));
            row.extend(kinds.iter().map(|k| Cell::Text(known_money((k.2)(&m.money)))));
            row
        })
        .collect();
    Sheet::whole("usage.models", &columns, rows)
}

fn entries(report: &UsageReport, prices: &PriceTable, own: Option<&PriceList>) -> Vec<PriceEntry> {
    let entry = |model: &String| {
        let found = prices.find(model);
        let price = found.map(|p| PriceRow {
            model: p.model.clone(),
            input: p.input,
            output: p.output,
            cache_read: p.cache_read,
            cache_write: p.cache_write,
        });
        let is_own = own.zip(found).is_some_and(|(own, found)| {
            own.rows.iter().any(|r| r.model.trim() == found.model && r.input == found.input)
        });
        let date = match (&price, own) {
            (None, _) => String::new(),
            (Some(_), Some(own)) if is_own => own.date.clone(),
            _ => PRICES_DATE.to_owned(),
        };
        PriceEntry { model: model.clone(), price, own: is_own, date }
    };
    report.models.iter().filter_map(|m| m.model.as_ref()).map(entry).collect()
}

/// A window of the turns, one by one.
pub fn turns_view(run: &Run, prices: &PriceTable, from: u32, count: u32) -> Sheet {
    let found = turn_rows(run, prices, from, count);
    let several = run.models.len() > 1;
    let rows = found
        .rows
        .iter()
        .map(|t| {
            let mut row = vec![Cell::steps(t.first, t.last)];
            if several {
                row.push(t.model.clone().map_or_else(|| Cell::known(None), Cell::Code));
            }
            row.extend([t.input, t.cached, t.cache_write, t.output].map(|n| Cell::Text(known_count(n))));
            row.push(Cell::Text(known_money(t.cost)));
            row.push(Cell::say(&format!("cost-kind.{}", t.cost_kind), &[]));
            row.push(Cell::Text(known_time(t.model_ms)));
            row.push(Cell::Text(known_time(t.tool_ms)));
            row.push(Cell::Text(format::count(t.all_tokens)));
            row
        })
        .collect();
    let mut columns = vec!["usage.steps"];
    if several {
        columns.push("usage.model");
    }
    columns.extend(["#usage.input", "#usage.cached", "#usage.written", "#usage.output", "#usage.cost", "usage.kind"]);
    columns.extend(["#usage.model-time", "#usage.tool-time", "#usage.all-tokens"]);
    Sheet { from, total: found.total, ..Sheet::whole("usage.each-turn", &columns, rows) }
}

/// When what ran: for each agent a row of what the model wrote and a row of what tools did. Idle stretches above `idle_ms`
/// are cut, and are places of their own.
pub fn waterfall_view(run: &Run, range: Option<(u32, u32)>, idle_ms: f64, most: u32) -> Plot {
    let found = waterfall_report(run, range, idle_ms, most);
    let agents: Vec<u16> = found.lanes.iter().map(|l| l.0).take(MAX_AGENTS).collect();
    let rows = agents.len() as u32 * 2;
    let unit = if found.shown_ms > 0.0 { 1.0 / found.shown_ms } else { 0.0 };
    let high = HIGH / f64::from(rows.max(1));
    let mut plot = Plot { id: "waterfall".into(), rows, ..Plot::default() };
    let mut columns = vec!["usage.what", "usage.began", "usage.lasted"];
    if agents.len() > 1 {
        plot.agents = found.lanes.iter().take(MAX_AGENTS).map(|l| l.1.clone()).collect();
        columns.push("usage.agent");
    }
    plot.columns = columns.iter().map(|c| (*c).to_owned()).collect();
    let mut paths =
        [("model", String::new()), ("tool", String::new()), ("failed", String::new()), ("gap", String::new())];
    let mut draw = |which: usize, x: f64, width: f64, y: f64, tall: f64| {
        if let Some((_, path)) = paths.get_mut(which) {
            let (x, w) = (x * WIDE, (width * WIDE).max(0.7));
            path.push_str(&format!("M{x:.1} {y:.2}h{w:.1}v{tall:.2}h-{w:.1}z"));
        }
    };
    for bar in &found.bars {
        let Some(lane) = agents.iter().position(|l| *l == bar.lane) else { continue };
        let tool = bar.kind == "tool";
        let row = lane as u32 * 2 + u32::from(tool);
        let (x, width) = (bar.x * unit, bar.width * unit);
        let which = if bar.failed { 2 } else { usize::from(tool) };
        draw(which, x, width, f64::from(row) * high + high * 0.12, high * 0.76);
        let what = match (tool, bar.tool.is_empty(), bar.steps) {
            (true, false, _) => bar.tool.clone(),
            (true, ..) => "\u{2}usage.part-tool".to_owned(),
            (false, ..) => "\u{2}usage.part-model".to_owned(),
        };
        let mut cells = vec![what, format::clock(bar.at_ms), format::duration(bar.ms)];
        if agents.len() > 1 {
            cells.push(plot.agents.get(lane).cloned().unwrap_or_default());
        }
        let (first, last) = (bar.first, bar.last);
        plot.bars.push(PlotBar { x: places(x), width: places(width), row, first, last, cells });
    }
    for gap in &found.gaps {
        let (x, width) = (gap.x * unit, idle_ms.max(0.0) * unit);
        draw(3, x, width, 0.0, HIGH);
        let what = if gap.person { "\u{2}usage.idle-person" } else { "\u{2}usage.idle" };
        let mut cells = vec![what.to_owned(), format::UNKNOWN.to_owned(), format::duration(gap.ms)];
        if agents.len() > 1 {
            cells.push(String::new());
        }
        plot.bars.push(PlotBar { x: places(x), width: places(width), row: 0, first: gap.step, last: gap.step, cells });
    }
    plot.bars.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.row.cmp(&b.row)).then(a.first.cmp(&b.first)));
    let mut free = 0.0;
    for bar in found.bars.iter() {
        let x = bar.x * unit;
        if x >= free && x <= 1.0 - APART / 2.0 {
            plot.ticks.push((places(x), format::clock(bar.at_ms)));
            free = x + APART;
        }
    }
    plot.parts = paths
        .into_iter()
        .filter(|(_, path)| !path.is_empty())
        .map(|(look, path)| PlotPart { look: look.to_owned(), path })
        .collect();
    plot
}
