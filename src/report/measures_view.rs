//! Metrics and shape of a run as tables and graphs. O(steps), and what the canonical order of the graph costs.

use std::collections::BTreeMap;

use super::measures::{Metric, MetricsReport, TopologyReport};
use super::rows::tool_label;
use super::sheet::{Cell, GraphView, MetricsView, Sheet, TopologyView};
use crate::format;
use crate::model::Run;
use crate::topology::{self, Dfg, Node};

/// Steps listed as evidence of a metric.
const MAX_STEPS: usize = 6;
/// Nodes that are drawn: those with most transitions.
const MAX_NODES: usize = 40;

/// The metrics, a table for each section.
pub fn metrics_view(report: &MetricsReport) -> MetricsView {
    let mut sections: Vec<(&str, Vec<Vec<Cell>>)> = Vec::new();
    for metric in &report.metrics {
        if sections.last().is_none_or(|s| s.0 != metric.section) {
            sections.push((&metric.section, Vec::new()));
        }
        if let Some((_, rows)) = sections.last_mut() {
            rows.push(metric_row(metric));
        }
    }
    let columns = [
        "metrics.metric",
        "#metrics.value",
        "metrics.unit",
        "metrics.means",
        "metrics.at",
        "#metrics.of",
        "#metrics.known",
        "#metrics.percentile",
    ];
    MetricsView {
        version: report.version,
        sections: sections
            .into_iter()
            .map(|(section, rows)| Sheet::whole(&format!("metrics.{section}"), &columns, rows))
            .collect(),
        among: report.among,
    }
}

fn metric_row(metric: &Metric) -> Vec<Cell> {
    let text = metric.value.map(|x| match metric.unit.as_str() {
        "ratio" => format::percent(x),
        "usd" => format::money(x),
        "seconds" => format::duration(x * 1000.0),
        _ => format::count(x.max(0.0).round() as u64),
    });
    let value = match text {
        Some(n) if metric.capped => Cell::say("metrics.at-least", &[("n", &n)]),
        Some(n) if metric.estimated => Cell::say("metrics.about", &[("n", &n)]),
        text => Cell::known(text),
    };
    let share = |x: Option<f64>| x.map_or_else(|| Cell::Text(String::new()), |x| Cell::Text(format::percent(x)));
    vec![
        Cell::say(&format!("metric.{}", metric.id), &[]),
        value,
        Cell::say(&format!("unit.{}", metric.unit), &[]),
        Cell::say(&format!("metric.{}.means", metric.id), &[]),
        Cell::Steps(metric.steps.iter().take(MAX_STEPS).map(|s| (*s, *s)).collect()),
        Cell::known(metric.n.map(format::count)),
        share(metric.known_fraction),
        share(metric.percentile),
    ]
}

/// The shape, its graphs drawn.
pub fn topology_view(run: &Run, report: &TopologyReport) -> TopologyView {
    let graph = topology::dfg(run);
    let bound = report.variants.iter().any(|v| !v.2);
    let variants = report
        .variants
        .iter()
        .map(|(id, hash, exact)| {
            let mut row =
                vec![Cell::say(&format!("shape.{id}"), &[]), Cell::Code(hash.clone()), Cell::Copy(hash.clone())];
            if bound {
                row.push(if *exact { Cell::Text(String::new()) } else { Cell::say("shape.bound", &[]) });
            }
            row
        })
        .collect();
    let mut columns = vec!["shape.variant", "shape.hash", "shape.copy"];
    columns.extend(bound.then_some("shape.remark"));
    let end = |name: &str| match name {
        "^" => Cell::say("shape.start", &[]),
        "$" => Cell::say("shape.end", &[]),
        name => Cell::Tool(name.to_owned()),
    };
    let edges =
        report.edges.iter().map(|e| vec![end(&e.from), end(&e.to), Cell::Text(format::count(e.times))]).collect();
    let nearest = report
        .nearest
        .iter()
        .map(|(run, alike, same)| {
            let remark = if *same { Cell::say("shape.same", &[]) } else { Cell::Text(String::new()) };
            vec![Cell::Run(*run), Cell::Text(format::percent(*alike)), remark]
        })
        .collect();
    let mut edges = Sheet::whole("shape.edges", &["shape.from", "shape.to", "#shape.times"], edges);
    edges.total = report.edge_count;
    TopologyView {
        variants: Sheet::whole("shape.variants", &columns, variants),
        canonical: report.canonical.clone(),
        canonical_length: report.canonical_length,
        graphs: if graph.edges.is_empty() { Vec::new() } else { vec![named(run, &graph), anonymous(&graph)] },
        edges,
        nearest: Sheet::whole("shape.nearest", &["shape.run", "#shape.alike", "shape.remark"], nearest),
    }
}

/// An edge between places of a column.
type Link = (usize, usize, u64);

/// Tools in the order in which they first occur.
fn named(run: &Run, graph: &Dfg) -> GraphView {
    let mut places: BTreeMap<Node, usize> = BTreeMap::from([(Node::Start, 0)]);
    let mut labels = vec![Cell::say("shape.start", &[])];
    for name in topology::tools_in_order(run) {
        let next = labels.len();
        if *places.entry(Node::Tool(name.clone())).or_insert(next) == next {
            labels.push(Cell::Tool(tool_label(&name)));
        }
    }
    places.insert(Node::End, labels.len());
    labels.push(Cell::say("shape.end", &[]));
    let links = graph.edges.iter().filter_map(|((a, b), n)| Some((*places.get(a)?, *places.get(b)?, *n))).collect();
    drawn("named", labels, links, true)
}

/// Nodes in their canonical order: equal graphs are equal pictures, whatever their tools are called.
fn anonymous(graph: &Dfg) -> GraphView {
    let (edges, exact) = topology::anonymous(graph);
    let last = edges.iter().map(|e| e.0.max(e.1)).max().unwrap_or(0) as usize;
    let label = |n: usize| match n {
        0 => Cell::say("shape.start", &[]),
        n if n == last => Cell::say("shape.end", &[]),
        n => Cell::Text(n.to_string()),
    };
    let links = edges.into_iter().map(|(a, b, n)| (a as usize, b as usize, n)).collect();
    drawn("anon", (0..=last).map(label).collect(), links, exact)
}

/// Arcs between the nodes of a column; of many nodes those with most transitions, in the same order.
fn drawn(id: &str, labels: Vec<Cell>, links: Vec<Link>, exact: bool) -> GraphView {
    let of = labels.len();
    let mut mass = vec![0u64; of];
    for (a, b, n) in &links {
        for end in [a, b] {
            if let Some(sum) = mass.get_mut(*end) {
                *sum = sum.saturating_add(*n);
            }
        }
    }
    let mut kept: Vec<usize> = (0..of).collect();
    kept.sort_by_key(|n| (std::cmp::Reverse(*n == 0 || *n + 1 == of), std::cmp::Reverse(mass.get(*n).copied()), *n));
    kept.truncate(MAX_NODES);
    kept.sort_unstable();
    let most = links.iter().map(|l| l.2).max().unwrap_or(1).max(1);
    let mut down: BTreeMap<u32, String> = BTreeMap::new();
    let mut back: BTreeMap<u32, String> = BTreeMap::new();
    for (a, b, n) in links {
        let (Ok(a), Ok(b)) = (kept.binary_search(&a), kept.binary_search(&b)) else { continue };
        let side = if b > a { &mut down } else { &mut back };
        side.entry(weight(n, most)).or_default().push_str(&arc(a, b));
    }
    let nodes = labels.into_iter().enumerate().filter(|(n, _)| kept.binary_search(n).is_ok()).map(|(_, l)| l).collect();
    GraphView {
        id: id.to_owned(),
        nodes,
        down: down.into_iter().collect(),
        back: back.into_iter().collect(),
        of: of as u32,
        exact,
    }
}

/// From 1 to 4, by the logarithm.
fn weight(n: u64, most: u64) -> u32 {
    if n <= 1 || most <= 1 {
        return 1;
    }
    1 + ((n as f64).ln() / (most as f64).ln() * 3.0).round() as u32
}

/// An arc between two places; one to itself is a small ring.
fn arc(a: usize, b: usize) -> String {
    let y = |n: usize| (n as f64 + 0.5) * GraphView::ROW;
    if a == b {
        let (top, low) = (y(a) - 6.0, y(a) + 6.0);
        return format!("M0 {top}C22 {} 22 {} 0 {low}", top - 4.0, low + 4.0);
    }
    let far = a.abs_diff(b) as f64;
    let bulge = (14.0 + far * 10.0).min(GraphView::SIDE * 1.25);
    format!("M0 {:.1}C{bulge:.1} {:.1} {bulge:.1} {:.1} 0 {:.1}", y(a), y(a), y(b), y(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::notation::parse;

    fn views(text: &str) -> Vec<GraphView> {
        let run = parse(text).unwrap();
        let graph = topology::dfg(&run);
        vec![named(&run, &graph), anonymous(&graph)]
    }

    #[test]
    fn equal_shapes_are_equal_pictures() {
        let (a, b) = (views("A B A B C"), views("X Y X Y Z"));
        assert_eq!(a[1], b[1], "names do not count");
        assert_ne!(a[0].nodes, b[0].nodes);
        assert_eq!((&a[0].down, &a[0].back), (&b[0].down, &b[0].back));
        assert_ne!(a[1], views("A B C A B")[1]);
        assert_eq!(a[0].nodes.len(), 5);
        assert_eq!(a[0].nodes[1], Cell::Tool("A".into()));
    }

    #[test]
    fn many_nodes_are_few() {
        let text: String =
            (0..90).map(|n| format!("{}{} ", char::from(b'A' + (n % 26) as u8), "x".repeat(n / 26))).collect();
        let found = views(&text);
        assert!(found.iter().all(|g| g.nodes.len() <= MAX_NODES && g.of > MAX_NODES as u32), "{}", found[0].of);
        assert_eq!(weight(1, 1), 1);
        assert_eq!(weight(1000, 1000), 4);
    }
}
