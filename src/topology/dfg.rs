//! What follows what: the directly-follows graph of a run's calls. O(n log n) for plain sequences; a batch of k beside
//! one of m gives k·m edges, at most.
//!
//! Nodes are tools, a start and an end. Between two groups that follow each other (a call alone, or the calls of a
//! batch) there is an edge from every tool of the first to every tool of the second, counted once. Every lane is a
//! trace of its own, and the counts add up. Source: directly-follows graphs as in process mining.

use std::collections::{BTreeMap, BTreeSet};

use super::anon::canonical;
use super::graph::Graph;
use super::{Hash, hash, netstring, symbol_of};
use crate::model::{LaneId, Run};

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    Start,
    /// A tool by its name, as in the tree shape.
    Tool(String),
    End,
}

impl Node {
    /// `^`, `$`, or the name behind a colon: as in the canonical text.
    fn text(&self) -> String {
        match self {
            Self::Start => "^".to_owned(),
            Self::End => "$".to_owned(),
            Self::Tool(name) => format!(":{name}"),
        }
    }
}

/// Edges with how often they were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dfg {
    pub edges: BTreeMap<(Node, Node), u64>,
}

impl Dfg {
    /// Adds one trace, given as its groups. An empty trace adds nothing.
    pub fn add(&mut self, groups: &[BTreeSet<String>]) {
        let mut before = BTreeSet::from([Node::Start]);
        let mut steps = 0;
        for group in groups.iter().filter(|g| !g.is_empty()) {
            steps += 1;
            let here: BTreeSet<Node> = group.iter().cloned().map(Node::Tool).collect();
            self.link(&before, &here);
            before = here;
        }
        if steps > 0 {
            self.link(&before, &BTreeSet::from([Node::End]));
        }
    }

    fn link(&mut self, from: &BTreeSet<Node>, to: &BTreeSet<Node>) {
        for a in from {
            for b in to {
                *self.edges.entry((a.clone(), b.clone())).or_default() += 1;
            }
        }
    }
}

/// One lane: its groups, and which of them each batch is.
#[derive(Default)]
struct Trace {
    groups: Vec<BTreeSet<String>>,
    batches: BTreeMap<u32, usize>,
}

/// The directly-follows graph of a run.
pub fn dfg(run: &Run) -> Dfg {
    let mut lanes: BTreeMap<LaneId, Trace> = BTreeMap::new();
    for step in &run.steps {
        let Some(call) = &step.call else { continue };
        let Trace { groups, batches } = lanes.entry(step.lane).or_default();
        let name = symbol_of(&call.tool);
        match step.batch.and_then(|b| batches.get(&b)).and_then(|&at| groups.get_mut(at)) {
            Some(group) => {
                group.insert(name);
            }
            None => {
                if let Some(batch) = step.batch {
                    batches.insert(batch, groups.len());
                }
                groups.push(BTreeSet::from([name]));
            }
        }
    }
    let mut out = Dfg::default();
    for trace in lanes.values() {
        out.add(&trace.groups);
    }
    out
}

/// The tools of a run as the graph calls them, in the order in which they first occur.
pub fn tools_in_order(run: &Run) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let calls = run.steps.iter().filter_map(|s| s.call.as_deref());
    calls.map(|c| symbol_of(&c.tool)).filter(|name| seen.insert(name.clone())).collect()
}

/// The edges of the graph without names, start as 0, tools from 1, end as the greatest, and whether their order is
/// canonical: then graphs that differ in names alone have the same list.
pub fn anonymous(graph: &Dfg) -> (Vec<(u32, u32, u64)>, bool) {
    let whole = Graph::of_dfg(graph);
    if whole.nodes > 1 { canonical(&whole) } else { (Vec::new(), true) }
}

/// The hash of the named graph, with the counts or without. Labels are unique, so the sorted list of edges is canonical.
pub fn dfg_hash(graph: &Dfg, counts: bool) -> Hash {
    let mut text = String::new();
    for ((a, b), count) in &graph.edges {
        netstring(&a.text(), &mut text);
        netstring(&b.text(), &mut text);
        if counts {
            netstring(&count.to_string(), &mut text);
        }
    }
    hash("dfg", "named", if counts { "count" } else { "set" }, text.as_bytes(), true)
}

/// The hash of the graph without names: of two runs whose tools are called differently it is the same. `exact` is false
/// when the search for it met its bound (see [`super::anon`]).
pub fn dfg_anon_hash(graph: &Dfg, counts: bool) -> Hash {
    let mut whole = Graph::of_dfg(graph);
    if !counts {
        whole.edges.values_mut().for_each(|n| *n = 1);
    }
    let (edges, exact) = if whole.nodes > 1 { canonical(&whole) } else { (Vec::new(), true) };
    let last = whole.nodes.saturating_sub(1) as u32;
    // Colours of a search that was given up may run from less than the number of nodes.
    let end = edges.iter().map(|e| e.1).max().unwrap_or(last);
    let node = |n: u32| match n {
        0 => "^".to_owned(),
        n if n == end => "$".to_owned(),
        n => format!(":{}", n - 1),
    };
    let mut text = String::new();
    for (a, b, count) in edges {
        netstring(&node(a), &mut text);
        netstring(&node(b), &mut text);
        if counts {
            netstring(&count.to_string(), &mut text);
        }
    }
    hash("dfg", "anon", if counts { "count" } else { "set" }, text.as_bytes(), exact)
}

/// How alike two graphs are, from 0 to 1: the weighted Jaccard index of their edges. Two empty graphs are equal.
pub fn similarity(a: &Dfg, b: &Dfg) -> f64 {
    let edges: BTreeSet<_> = a.edges.keys().chain(b.edges.keys()).collect();
    let (mut common, mut all) = (0u64, 0u64);
    for edge in edges {
        let x = a.edges.get(edge).copied().unwrap_or(0);
        let y = b.edges.get(edge).copied().unwrap_or(0);
        common += x.min(y);
        all += x.max(y);
    }
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::notation::parse;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let graph = dfg(&parse(text).unwrap());
        let found: Vec<_> = graph.edges.iter().map(|((a, b), n)| format!("{}{}{n}", a.text(), b.text())).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn counts_what_follows_what() {
        check("u s", "");
        check("A", "^:A1 :A$1");
        check("A A B A", "^:A1 :A:A1 :A:B1 :A$1 :B:A1");
        check("A [B C C] D", "^:A1 :A:B1 :A:C1 :B:D1 :C:D1 :D$1");
        check("T<A B> C", "^:A1 ^:T1 :A:B1 :B$1 :C$1 :T:C1");
    }

    #[test]
    fn similarity_is_the_weighted_jaccard_index() {
        let graph = |t: &str| dfg(&parse(t).unwrap());
        assert_eq!(similarity(&graph(""), &graph("")), 1.0);
        assert_eq!(similarity(&graph("A"), &graph("")), 0.0);
        assert_eq!(similarity(&graph("A B"), &graph("A B")), 1.0);
        // ^A A$ against ^A AA A$: two of three.
        assert!((similarity(&graph("A"), &graph("A A")) - 2.0 / 3.0).abs() < 1e-12);
        assert_ne!(dfg_hash(&graph("A A"), true), dfg_hash(&graph("A A A"), true));
        assert_eq!(dfg_hash(&graph("A A"), false), dfg_hash(&graph("A A A"), false));
        assert_eq!(dfg_anon_hash(&graph("A A B"), true), dfg_anon_hash(&graph("C C A"), true));
        assert_ne!(dfg_anon_hash(&graph("A A B"), true), dfg_anon_hash(&graph("A B B"), true));
        assert_ne!(dfg_anon_hash(&graph("A A A B"), true), dfg_anon_hash(&graph("A A B"), true));
        assert_eq!(dfg_anon_hash(&graph("A A A B"), false), dfg_anon_hash(&graph("A A B"), false));
        assert!(dfg_anon_hash(&graph(""), true).exact);
    }
}
