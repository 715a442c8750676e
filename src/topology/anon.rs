//! The directly-follows graph without names: one text for all graphs that differ in names alone. Bounded work; what
//! meets the bound says so.
//!
//! Nodes have colours. At first start is 0, every tool 1, end 2. **Refinement**: the new colour of a node is the rank of
//! (its colour, the sorted list of (0 for an edge that leaves or 1 for one that arrives, its count, the colour at its
//! other end)); again until the number of colours stays. A loop is both. **Search**: while tools share a colour, take the
//! smallest such group, of several the one of the smallest colour; for each of its members, give that one a colour just
//! before the others, refine, and go on. Where all colours differ, tools have numbers from 0 in order of colour; the graph is written as the
//! list of its edges, sorted by (from, to), start before the tools and end behind them. The least list of all, compared
//! edge by edge as (from, to, count), is the text. Members that can be exchanged without any change are tried once:
//! the other tries would give the same lists. After 10,000 lists, or 4,000,000 edges read, the search ends: the text is
//! then that of the first refinement, with colours as numbers (equal edges as often as they are), and `exact` is false. Graphs that
//! differ in names alone then still have one text, but others may share it.
//! Source: colour refinement and individualisation as in McKay, "Practical graph isomorphism" (1981).

use super::graph::Graph;

/// Lists that are compared.
const MAX_LEAVES: u32 = 10_000;
/// Edges that are read.
const MAX_READ: u64 = 4_000_000;

/// Edges as (from, to, count), start as 0, tools from 1, end as the greatest.
pub type Edges = Vec<(u32, u32, u64)>;

struct Search<'a> {
    graph: &'a Graph,
    /// Of every node its edges: (arrives, count, other end).
    edges: Vec<Vec<(u8, u64, u32)>>,
    best: Option<Edges>,
    leaves: u32,
    read: u64,
}

/// The canonical edges of a graph whose first node is the start and whose last is the end, and whether they are exact.
pub fn canonical(graph: &Graph) -> (Edges, bool) {
    let n = graph.nodes;
    let mut edges: Vec<Vec<(u8, u64, u32)>> = vec![Vec::new(); n];
    for (&(a, b), &count) in &graph.edges {
        if let Some(list) = edges.get_mut(a as usize) {
            list.push((0, count, b));
        }
        if let Some(list) = edges.get_mut(b as usize) {
            list.push((1, count, a));
        }
    }
    let mut first = vec![1u32; n];
    if let Some(start) = first.first_mut() {
        *start = 0;
    }
    if let Some(end) = first.last_mut() {
        *end = 2;
    }
    let mut search = Search { graph, edges, best: None, leaves: 0, read: 0 };
    let stable = search.refine(first);
    // Colourings that wait, the next one last: no recursion.
    let mut waiting = vec![stable.clone()];
    while let Some(colours) = waiting.pop() {
        if search.leaves >= MAX_LEAVES || search.read > MAX_READ {
            return (search.written(&stable), false);
        }
        match search.cell(&colours) {
            None => {
                let edges = search.written(&colours);
                search.leaves += 1;
                if search.best.as_ref().is_none_or(|best| edges < *best) {
                    search.best = Some(edges);
                }
            }
            Some(cell) => {
                for &member in search.apart(&cell).iter().rev() {
                    let split: Vec<u32> =
                        colours.iter().zip(0u32..).map(|(c, node)| 2 * c + u32::from(node != member)).collect();
                    let refined = search.refine(split);
                    waiting.push(refined);
                }
            }
        }
    }
    (search.best.unwrap_or_default(), true)
}

/// Colour of a node, its edges as (way, count, colour of the other end), and the node.
type Coloured = (u32, Vec<(u8, u64, u32)>, usize);

impl Search<'_> {
    fn refine(&mut self, mut colours: Vec<u32>) -> Vec<u32> {
        let mut classes = 0;
        loop {
            let key = |node: usize| {
                let mut list: Vec<(u8, u64, u32)> = self
                    .edges
                    .get(node)
                    .into_iter()
                    .flatten()
                    .map(|&(way, count, other)| (way, count, colours.get(other as usize).copied().unwrap_or(0)))
                    .collect();
                list.sort_unstable();
                (colours.get(node).copied().unwrap_or(0), list)
            };
            let mut order: Vec<Coloured> =
                (0..colours.len()).map(key).zip(0..).map(|((c, list), node)| (c, list, node)).collect();
            self.read += 2 * self.graph.edges.len() as u64 + 1;
            order.sort_unstable();
            let mut new = vec![0u32; colours.len()];
            let mut rank = 0;
            let mut before: Option<&Coloured> = None;
            for entry in &order {
                if before.is_some_and(|b| (b.0, &b.1) != (entry.0, &entry.1)) {
                    rank += 1;
                }
                if let Some(slot) = new.get_mut(entry.2) {
                    *slot = rank;
                }
                before = Some(entry);
            }
            let now = rank + 1;
            colours = new;
            if now == classes || self.read > MAX_READ {
                return colours;
            }
            classes = now;
        }
    }

    /// The smallest group of nodes of one colour; `None` when all colours differ.
    fn cell(&self, colours: &[u32]) -> Option<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); colours.len()];
        for (&colour, node) in colours.iter().zip(0u32..) {
            if let Some(group) = groups.get_mut(colour as usize) {
                group.push(node);
            }
        }
        groups.into_iter().filter(|g| g.len() > 1).min_by_key(Vec::len)
    }

    /// The members of a group, one of each set that can be exchanged without any change.
    fn apart(&mut self, cell: &[u32]) -> Vec<u32> {
        let mut out: Vec<u32> = Vec::new();
        for &member in cell {
            self.read += out.len() as u64;
            if !out.iter().any(|&known| self.exchangeable(known, member)) {
                out.push(member);
            }
        }
        out
    }

    /// Whether two nodes have the same edges, each seen from the other.
    fn exchangeable(&self, a: u32, b: u32) -> bool {
        let seen = |node: u32, other: u32| {
            let mut list: Vec<(u8, u64, u32)> = self
                .edges
                .get(node as usize)
                .into_iter()
                .flatten()
                .map(|&(way, count, end)| {
                    // The node itself and its twin have names that fit both.
                    let end = if end == node {
                        u32::MAX
                    } else if end == other {
                        u32::MAX - 1
                    } else {
                        end
                    };
                    (way, count, end)
                })
                .collect();
            list.sort_unstable();
            list
        };
        seen(a, b) == seen(b, a)
    }

    fn written(&self, colours: &[u32]) -> Edges {
        let colour = |node: u32| colours.get(node as usize).copied().unwrap_or(0);
        let mut out: Edges = self.graph.edges.iter().map(|(&(a, b), &n)| (colour(a), colour(b), n)).collect();
        out.sort_unstable();
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(nodes: usize, edges: &[(u32, u32, u64)]) -> Graph {
        Graph { nodes, edges: edges.iter().map(|&(a, b, n)| ((a, b), n)).collect() }
    }

    /// The least list over all orders of the tools: another canonical form, with the same classes.
    fn brute_force(graph: &Graph) -> Edges {
        let tools: Vec<u32> = (1..graph.nodes.saturating_sub(1) as u32).collect();
        let mut best: Option<Edges> = None;
        permutations(&tools, &mut |order| {
            let mut at = vec![0u32; graph.nodes];
            at[graph.nodes - 1] = graph.nodes as u32 - 1;
            for (i, &node) in order.iter().enumerate() {
                at[node as usize] = i as u32 + 1;
            }
            let mut edges: Edges =
                graph.edges.iter().map(|(&(a, b), &n)| (at[a as usize], at[b as usize], n)).collect();
            edges.sort_unstable();
            if best.as_ref().is_none_or(|b| edges < *b) {
                best = Some(edges);
            }
        });
        best.unwrap_or_default()
    }

    fn permutations(items: &[u32], each: &mut impl FnMut(&[u32])) {
        fn go(rest: &mut Vec<u32>, done: &mut Vec<u32>, each: &mut impl FnMut(&[u32])) {
            if rest.is_empty() {
                return each(done);
            }
            for i in 0..rest.len() {
                let item = rest.remove(i);
                done.push(item);
                go(rest, done, each);
                done.pop();
                rest.insert(i, item);
            }
        }
        go(&mut items.to_vec(), &mut Vec::new(), each);
    }

    #[test]
    fn symmetric_graphs_are_exact() {
        // One batch of twenty tools: all can be exchanged.
        let star: Vec<(u32, u32, u64)> = (1..21).flat_map(|t| [(0, t, 1), (t, 21, 1)]).collect();
        assert!(canonical(&graph(22, &star)).1);
        // Six lanes of two tools each.
        let lanes: Vec<(u32, u32, u64)> =
            (0..6).flat_map(|l| [(0, 1 + 2 * l, 1), (1 + 2 * l, 2 + 2 * l, 1), (2 + 2 * l, 13, 1)]).collect();
        assert!(canonical(&graph(14, &lanes)).1);
        // Two rings of three are no ring of six, though refinement alone cannot tell.
        let ring = |sizes: &[u32]| {
            let mut edges = Vec::new();
            let mut first = 1;
            for &size in sizes {
                edges.extend((0..size).map(|i| (first + i, first + (i + 1) % size, 1)));
                edges.extend((0..size).flat_map(|i| [(0, first + i, 1), (first + i, 7, 1)]));
                first += size;
            }
            canonical(&graph(8, &edges))
        };
        assert!(ring(&[3, 3]).1 && ring(&[6]).1);
        assert_ne!(ring(&[3, 3]).0, ring(&[6]).0);
    }

    #[test]
    fn the_bound_is_said() {
        // Twelve lanes of two tools each: 12! lists.
        let lanes: Vec<(u32, u32, u64)> =
            (0..12).flat_map(|l| [(0, 1 + 2 * l, 1), (1 + 2 * l, 2 + 2 * l, 1), (2 + 2 * l, 25, 1)]).collect();
        let (edges, exact) = canonical(&graph(26, &lanes));
        assert!(!exact);
        assert_eq!(edges.len(), 36);
    }

    fn small() -> impl Strategy<Value = Graph> {
        (3usize..8).prop_flat_map(|nodes| {
            let n = nodes as u32;
            prop::collection::btree_map((0..n, 0..n), 1u64..3, 0..12).prop_map(move |edges| Graph { nodes, edges })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn renamed_graphs_have_one_text(graph in small(), seed in any::<u64>()) {
            let n = graph.nodes;
            let mut names: Vec<u32> = (0..n as u32).collect();
            let mut state = seed | 1;
            for i in (2..n - 1).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                names.swap(i, 1 + (state >> 33) as usize % i);
            }
            let edges = graph.edges.iter().map(|(&(a, b), &c)| ((names[a as usize], names[b as usize]), c)).collect();
            prop_assert_eq!(canonical(&graph), canonical(&Graph { nodes: n, edges }));
        }

        #[test]
        fn equal_texts_are_equal_graphs(a in small(), b in small()) {
            let b = Graph { nodes: a.nodes, edges: b.edges.into_iter().filter(|((x, y), _)| (*x).max(*y) < a.nodes as u32).collect() };
            prop_assert_eq!(canonical(&a).0 == canonical(&b).0, brute_force(&a) == brute_force(&b));
            prop_assert!(canonical(&a).1);
        }
    }
}
