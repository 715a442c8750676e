//! The measures of a run as one list, each with its unit and its evidence. O(steps); percentiles cost that for at most
//! 200 other runs.

use super::measures::{Metric, MetricsReport};
use crate::loops::{Figure, Loops, Ratios, Waste, ratios};
use crate::model::{Run, StepKeys};
use crate::topology::{GraphMetrics, graph_metrics};

/// Of the definitions in docs/metrics.md.
pub const VERSION: u32 = 1;
/// Steps listed as evidence.
const MAX_STEPS: usize = 50;
/// Runs that percentiles are among, at most, and from how many on.
const MAX_AMONG: usize = 200;
const MIN_AMONG: usize = 20;

/// A line of the table of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub id: &'static str,
    pub section: &'static str,
    pub unit: &'static str,
}

const fn line(id: &'static str, section: &'static str, unit: &'static str) -> Line {
    Line { id, section, unit }
}

/// Every metric, in the order of the page.
pub const METRICS: &[Line] = &[
    line("wasted_steps", "waste", "steps"),
    line("waste_ratio", "waste", "ratio"),
    line("wasted_tokens", "waste", "tokens"),
    line("wasted_output_tokens", "waste", "tokens"),
    line("wasted_cost", "waste", "usd"),
    line("wasted_time", "waste", "seconds"),
    line("unique_action_ratio", "course", "ratio"),
    line("redundant_read_ratio", "course", "ratio"),
    line("error_ratio", "course", "ratio"),
    line("longest_error_streak", "course", "steps"),
    line("fruitless_streak", "course", "steps"),
    line("steps_after_last_effect", "course", "steps"),
    line("effect_calls", "course", "steps"),
    line("unclassified_calls", "course", "steps"),
    line("node_count", "graph", "count"),
    line("edge_count", "graph", "count"),
    line("transitions", "graph", "count"),
    line("revisit_ratio", "graph", "ratio"),
    line("cyclomatic", "graph", "count"),
    line("loop_mass", "graph", "ratio"),
    line("backedge_fraction", "graph", "ratio"),
    line("back_transition_fraction", "graph", "ratio"),
    line("entropy", "graph", "ratio"),
    line("longest_path", "graph", "edges"),
    line("simple_cycles", "graph", "count"),
];

/// The figures of the graph by their names.
fn of_graph(g: &GraphMetrics, id: &str) -> Option<f64> {
    match id {
        "node_count" => Some(g.node_count as f64),
        "edge_count" => Some(g.edge_count as f64),
        "transitions" => Some(g.transitions as f64),
        "revisit_ratio" => g.revisit_ratio,
        "cyclomatic" => Some(g.cyclomatic as f64),
        "loop_mass" => g.loop_mass,
        "backedge_fraction" => g.backedge_fraction,
        "back_transition_fraction" => g.back_transition_fraction,
        "entropy" => g.entropy,
        "longest_path" => Some(g.longest_path as f64),
        "simple_cycles" => Some(f64::from(g.simple_cycles.0)),
        _ => None,
    }
}

/// Measures a run. `others` are the other runs of its document, with their keys: percentiles of the graph's figures are
/// among those of like length.
pub fn metrics_report<'a>(
    run: &Run,
    keys: &[StepKeys],
    found: &Loops,
    others: impl Iterator<Item = (&'a Run, &'a [StepKeys])>,
) -> MetricsReport {
    let graph = graph_metrics(run, keys);
    let course = ratios(run, keys, found);
    let among = alike(keys.len(), others);
    let mut metrics: Vec<Metric> =
        METRICS.iter().map(|l| metric(l, &graph, &course, &found.waste, keys.len())).collect();
    if among.len() >= MIN_AMONG {
        for metric in metrics.iter_mut().filter(|m| m.section == "graph") {
            let Some(value) = metric.value else { continue };
            let known: Vec<f64> = among.iter().filter_map(|g| of_graph(g, &metric.id)).collect();
            let below = known.iter().filter(|v| **v < value).count() as f64;
            let equal = known.iter().filter(|v| **v == value).count() as f64;
            metric.percentile = (!known.is_empty()).then(|| (below + equal / 2.0) / known.len() as f64);
        }
    }
    let among = if among.len() >= MIN_AMONG { among.len() as u32 } else { 0 };
    MetricsReport { version: VERSION, metrics, among }
}

/// The graphs of the runs whose length is nearest, from half of it to twice.
fn alike<'a>(calls: usize, others: impl Iterator<Item = (&'a Run, &'a [StepKeys])>) -> Vec<GraphMetrics> {
    let mut near: Vec<(usize, usize, &Run, &[StepKeys])> = others
        .enumerate()
        .filter(|(_, (_, keys))| keys.len() * 2 >= calls && keys.len() <= calls * 2)
        .map(|(i, (run, keys))| (keys.len().abs_diff(calls), i, run, keys))
        .collect();
    near.sort_by_key(|n| (n.0, n.1));
    if near.len() < MIN_AMONG {
        return Vec::new();
    }
    near.into_iter().take(MAX_AMONG).map(|(_, _, run, keys)| graph_metrics(run, keys)).collect()
}

fn metric(line: &Line, graph: &GraphMetrics, course: &Ratios, waste: &Waste, calls: usize) -> Metric {
    let mut out = Metric {
        id: line.id.into(),
        section: line.section.into(),
        unit: line.unit.into(),
        n: Some(calls as u64),
        ..Metric::default()
    };
    let streak = |at: Option<u32>| at.into_iter().collect::<Vec<u32>>();
    let mut figure = |f: &Figure| {
        out.known_fraction = f.known_fraction;
        out.n = Some(waste.steps.len() as u64);
        out.estimated = waste.estimated;
        f.value
    };
    let value = match line.id {
        "wasted_steps" => Some(waste.steps.len() as f64),
        "waste_ratio" => waste.ratio,
        "wasted_tokens" => figure(&waste.tokens),
        "wasted_output_tokens" => figure(&waste.output_tokens),
        "wasted_cost" => figure(&waste.cost),
        "wasted_time" => figure(&waste.seconds),
        "unique_action_ratio" => course.unique_action_ratio,
        "redundant_read_ratio" => course.redundant_read_ratio,
        "error_ratio" => course.error_ratio,
        "longest_error_streak" => Some(f64::from(course.longest_error_streak)),
        "fruitless_streak" => Some(f64::from(course.fruitless_streak)),
        "steps_after_last_effect" => course.steps_after_last_effect.map(f64::from),
        "effect_calls" => Some(f64::from(course.effects)),
        "unclassified_calls" => Some(f64::from(course.unclassified)),
        id => of_graph(graph, id),
    };
    out.value = value;
    match line.id {
        "redundant_read_ratio" => out.n = Some(u64::from(course.reads)),
        "longest_error_streak" => out.steps = streak(course.error_streak_at),
        "fruitless_streak" => out.steps = streak(course.fruitless_at),
        "steps_after_last_effect" => out.steps = streak(course.last_effect),
        "simple_cycles" => out.capped = !graph.simple_cycles.1,
        _ if line.section == "waste" => out.steps = waste.steps.iter().take(MAX_STEPS).copied().collect(),
        _ => {}
    }
    out
}
