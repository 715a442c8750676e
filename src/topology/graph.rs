//! What does a run's graph of calls look like? Counts, cycles and ways back. O(V + E) each, but for the capped count of
//! simple cycles.
//!
//! * **state graph**: a node is a call by tool and arguments (K1); an edge leads from a call to the next one of its lane,
//!   and is counted. Calls issued together stand in recorded order.
//! * `node_count`, `edge_count`: distinct ones. `transitions`: all traversals, n − 1 a lane.
//! * `revisit_ratio` = 1 − nodes / calls.
//! * `cyclomatic` = edges − nodes + weakly connected components: how many independent cycles there are.
//! * `loop_mass`: share of the transitions that stay inside a strongly connected component; one call that follows itself
//!   does too.
//! * `backedge_fraction`: share of the edges that lead to a node that was there first, or to itself;
//!   `back_transition_fraction`: the same of the transitions.
//! * `entropy`: of the transitions of the directly-follows graph, over log2 of its edges; 0 with one edge.
//! * `longest_path`: edges of the longest path when every strongly connected component is one node.
//! * `simple_cycles`: counted up to 10,000, for comparison with other tools: it grows with the length of a run, not
//!   with its loops.
//!
//! Names as in Graphectory, where it has them. Source: Tarjan (1972); Johnson (1975) for simple cycles.

use std::collections::{BTreeMap, BTreeSet};

use super::dfg::{Dfg, Node};
use crate::model::{LaneId, Run, StepKeys};

/// Simple cycles are counted up to here.
pub const MAX_CYCLES: u32 = 10_000;
/// Edges that may be walked for it.
const MAX_WALKED: u64 = 2_000_000;

/// A directed graph on nodes from 0, with the count of every edge, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub nodes: usize,
    pub edges: BTreeMap<(u32, u32), u64>,
}

impl Graph {
    /// The directly-follows graph with start as the first node and end as the last; tools between in order of name.
    pub fn of_dfg(dfg: &Dfg) -> Self {
        let nodes: BTreeSet<&Node> = dfg.edges.keys().flat_map(|(a, b)| [a, b]).collect();
        let numbers: BTreeMap<&Node, u32> = nodes.into_iter().zip(0..).collect();
        let number = |n: &Node| numbers.get(n).copied().unwrap_or(0);
        let edges = dfg.edges.iter().map(|((a, b), n)| ((number(a), number(b)), *n)).collect();
        Self { nodes: numbers.len(), edges }
    }

    /// The state graph of a run: nodes in order of first occurrence.
    pub fn of_states(run: &Run, keys: &[StepKeys]) -> Self {
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut last: BTreeMap<LaneId, u32> = BTreeMap::new();
        let mut edges: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        let calls = run.steps.iter().filter(|s| s.call.is_some());
        for (step, key) in calls.zip(keys) {
            let next = numbers.len() as u32;
            let node = *numbers.entry(key.call).or_insert(next);
            if let Some(before) = last.insert(step.lane, node) {
                *edges.entry((before, node)).or_default() += 1;
            }
        }
        Self { nodes: numbers.len(), edges }
    }

    fn followers(&self) -> Vec<Vec<u32>> {
        let mut out = vec![Vec::new(); self.nodes];
        for &(a, b) in self.edges.keys() {
            if let Some(list) = out.get_mut(a as usize) {
                list.push(b);
            }
        }
        out
    }

    /// The strongly connected component of every node. A component has a smaller number than those that lead to it.
    pub fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let next = self.followers();
        let mut index = vec![NONE; self.nodes];
        let mut low = vec![0u32; self.nodes];
        let mut component = vec![NONE; self.nodes];
        let (mut clock, mut count) = (0u32, 0u32);
        let mut stack: Vec<usize> = Vec::new();
        // (node, how many of its followers were looked at): no recursion, graphs are as deep as runs are long.
        let mut work: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.nodes {
            if index[root] != NONE {
                continue;
            }
            work.push((root, 0));
            while let Some((node, at)) = work.pop() {
                if at == 0 {
                    index[node] = clock;
                    low[node] = clock;
                    clock += 1;
                    stack.push(node);
                }
                if let Some(&to) = next[node].get(at) {
                    let to = to as usize;
                    work.push((node, at + 1));
                    if index[to] == NONE {
                        work.push((to, 0));
                    } else if component[to] == NONE {
                        low[node] = low[node].min(index[to]);
                    }
                    continue;
                }
                if low[node] == index[node] {
                    while let Some(member) = stack.pop() {
                        component[member] = count;
                        if member == node {
                            break;
                        }
                    }
                    count += 1;
                }
                if let Some(&(parent, _)) = work.last() {
                    low[parent] = low[parent].min(low[node]);
                }
            }
        }
        component
    }

    /// Components with more than one node, or with a node that follows itself.
    pub fn nontrivial_components(&self) -> usize {
        let component = self.components();
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        for c in &component {
            *sizes.entry(*c).or_default() += 1;
        }
        let own = self.edges.keys().filter(|(a, b)| a == b).filter_map(|(a, _)| component.get(*a as usize));
        let own: BTreeSet<u32> = own.copied().collect();
        sizes.iter().filter(|(c, n)| **n > 1 || own.contains(c)).count()
    }

    /// Weakly connected components.
    fn pieces(&self) -> usize {
        let mut parent: Vec<usize> = (0..self.nodes).collect();
        let mut count = self.nodes;
        for &(a, b) in self.edges.keys() {
            let (a, b) = (root(&mut parent, a as usize), root(&mut parent, b as usize));
            if a != b {
                parent[a] = b;
                count -= 1;
            }
        }
        count
    }

    /// Edges − nodes + weakly connected components.
    pub fn cyclomatic(&self) -> u64 {
        (self.edges.len() + self.pieces()) as u64 - self.nodes as u64
    }

    /// All traversals.
    pub fn transitions(&self) -> u64 {
        self.edges.values().sum()
    }

    /// Share of the traversals inside strongly connected components.
    pub fn loop_mass(&self) -> Option<f64> {
        let component = self.components();
        let of = |n: u32| component.get(n as usize);
        let inside: u64 = self.edges.iter().filter(|((a, b), _)| of(*a) == of(*b)).map(|(_, n)| n).sum();
        ratio(inside, self.transitions())
    }

    /// Shares of edges and of traversals that lead back, for a graph whose nodes are in order of first occurrence.
    pub fn ways_back(&self) -> (Option<f64>, Option<f64>) {
        let back = || self.edges.iter().filter(|((a, b), _)| b <= a);
        (ratio(back().count() as u64, self.edges.len() as u64), ratio(back().map(|(_, n)| n).sum(), self.transitions()))
    }

    /// Entropy of the traversals over the greatest that so many edges can have.
    pub fn entropy(&self) -> Option<f64> {
        let all = self.transitions() as f64;
        match self.edges.len() {
            0 => None,
            1 => Some(0.0),
            n => {
                let sum: f64 = self.edges.values().map(|&c| c as f64 / all).map(|p| -p * p.log2()).sum();
                Some((sum / (n as f64).log2()).clamp(0.0, 1.0))
            }
        }
    }

    /// Edges of the longest path through the components.
    pub fn longest_path(&self) -> u64 {
        let component = self.components();
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        // A component leads to smaller numbers only: those are done first.
        let mut out: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
        for (a, b) in self.edges.keys().map(|(a, b)| (component[*a as usize], component[*b as usize])) {
            if a != b {
                out[a as usize].insert(b);
            }
        }
        let mut longest = vec![0u64; count];
        for c in 0..count {
            longest[c] = out[c].iter().map(|&to| longest[to as usize] + 1).max().unwrap_or(0);
        }
        longest.into_iter().max().unwrap_or(0)
    }

    /// How many simple cycles there are; false behind it when the bound was met first.
    pub fn simple_cycles(&self) -> (u32, bool) {
        let mut walked = 0u64;
        let mut count = 0u32;
        let component = self.components();
        let next = self.followers();
        let mut blocked = vec![false; self.nodes];
        let mut waiting: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.nodes];
        // What a walk marked, so that the next one begins afresh without a look at every node.
        let mut marked: Vec<u32> = Vec::new();
        for start in 0..self.nodes {
            for node in marked.drain(..) {
                blocked[node as usize] = false;
                waiting[node as usize].clear();
            }
            // Cycles whose smallest node is `start`: a walk over greater nodes of its component (Johnson's blocking).
            let inside = |n: u32| n as usize >= start && component.get(n as usize) == component.get(start);
            // (node, next follower, whether a cycle was closed below it)
            let mut path: Vec<(u32, usize, bool)> = vec![(start as u32, 0, false)];
            blocked[start] = true;
            marked.push(start as u32);
            while let Some(top) = path.last_mut() {
                let (node, at) = (top.0, top.1);
                if let Some(&to) = next[node as usize].get(at) {
                    top.1 += 1;
                    walked += 1;
                    if walked > MAX_WALKED {
                        return (count, false);
                    }
                    if to as usize == start {
                        top.2 = true;
                        count += 1;
                        if count >= MAX_CYCLES {
                            return (count, false);
                        }
                    } else if inside(to) && !blocked[to as usize] {
                        blocked[to as usize] = true;
                        marked.push(to);
                        path.push((to, 0, false));
                    }
                    continue;
                }
                let (node, _, closed) = path.pop().unwrap_or_default();
                if closed {
                    unblock(node, &mut blocked, &mut waiting);
                    if let Some(parent) = path.last_mut() {
                        parent.2 = true;
                    }
                } else {
                    for &to in next[node as usize].iter().filter(|&&to| inside(to)) {
                        waiting[to as usize].insert(node);
                    }
                }
            }
        }
        (count, true)
    }
}

fn unblock(node: u32, blocked: &mut [bool], waiting: &mut [BTreeSet<u32>]) {
    let mut work = vec![node];
    while let Some(node) = work.pop() {
        if let Some(slot) = blocked.get_mut(node as usize).filter(|b| **b) {
            *slot = false;
            work.extend(waiting.get_mut(node as usize).map(std::mem::take).unwrap_or_default());
        }
    }
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn ratio(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

/// The figures of a run's graphs. Unknown is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphMetrics {
    pub node_count: u64,
    pub edge_count: u64,
    pub transitions: u64,
    pub revisit_ratio: Option<f64>,
    pub cyclomatic: u64,
    pub loop_mass: Option<f64>,
    pub backedge_fraction: Option<f64>,
    pub back_transition_fraction: Option<f64>,
    pub entropy: Option<f64>,
    pub longest_path: u64,
    /// With false when there are more.
    pub simple_cycles: (u32, bool),
}

/// Measures a run.
pub fn graph_metrics(run: &Run, keys: &[StepKeys]) -> GraphMetrics {
    let states = Graph::of_states(run, keys);
    let (backedge_fraction, back_transition_fraction) = states.ways_back();
    GraphMetrics {
        node_count: states.nodes as u64,
        edge_count: states.edges.len() as u64,
        transitions: states.transitions(),
        revisit_ratio: ratio(keys.len() as u64 - states.nodes as u64, keys.len() as u64),
        cyclomatic: states.cyclomatic(),
        loop_mass: states.loop_mass(),
        backedge_fraction,
        back_transition_fraction,
        entropy: Graph::of_dfg(&super::dfg(run)).entropy(),
        longest_path: states.longest_path(),
        simple_cycles: states.simple_cycles(),
    }
}
