//! The shape of a run as the screen shows it. O(steps) and the edges of the document's other runs.

use super::measures::{GraphEdge, TopologyReport};
use super::rows::tool_label;
use crate::model::Run;
use crate::topology::{self, Dfg, Node, Variant};

/// Letters of the canonical text that are shown.
const MAX_TEXT: usize = 4_000;
/// Edges that are listed.
const MAX_EDGES: usize = 300;
/// Nearest runs that are listed, and runs that are looked at for it.
const MAX_NEAREST: usize = 12;
const MAX_OTHERS: usize = 5_000;

/// The report. `others` are the other runs of the document by their number, each with its default hash.
pub fn topology_report<'a>(
    run: &Run,
    hash: &str,
    others: impl Iterator<Item = (u32, &'a Run, &'a str)>,
) -> TopologyReport {
    let graph = topology::dfg(run);
    let shape = topology::shape(run, Variant::DEFAULT);
    let trees = topology::variants(run).into_iter().map(|(v, h)| (v.id(), h.text, h.exact));
    let graphs = topology::graph_variants(&graph).into_iter().map(|(id, h)| (id.to_owned(), h.text, h.exact));
    let mut nearest: Vec<(u32, f64, bool)> = others
        .take(MAX_OTHERS)
        .map(|(i, other, its)| (i, topology::similarity(&graph, &topology::dfg(other)), its == hash))
        .collect();
    nearest.sort_by(|a, b| b.2.cmp(&a.2).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
    nearest.truncate(MAX_NEAREST);
    TopologyReport {
        variants: trees.chain(graphs).collect(),
        canonical: shape.canonical.chars().take(MAX_TEXT).collect(),
        canonical_length: shape.canonical.chars().count() as u32,
        edges: edges(&graph),
        edge_count: graph.edges.len() as u32,
        node_count: topology::Graph::of_dfg(&graph).nodes as u32,
        nearest,
    }
}

fn edges(graph: &Dfg) -> Vec<GraphEdge> {
    let name = |node: &Node| match node {
        Node::Start => "^".to_owned(),
        Node::Tool(name) => tool_label(name),
        Node::End => "$".to_owned(),
    };
    let mut all: Vec<_> = graph.edges.iter().collect();
    all.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    all.iter().take(MAX_EDGES).map(|((a, b), n)| GraphEdge { from: name(a), to: name(b), times: **n }).collect()
}
