//! What was said on both sides but elsewhere: pairs out of order, joined into blocks, and what order alone costs.
//!
//! Pairs among what the alignment left over come from a matching of the greatest weight: by the Hungarian method
//! (O(n³)) where they hang together up to [`EXACT`] on [`EXACT`], else greedily by weight. The same for the ratio without order.

use std::collections::BTreeSet;

use super::soft::Chosen;

/// Elements of a side up to which a matching is exact.
pub const EXACT: usize = 400;

/// A block that stands elsewhere on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Its first element, left and right.
    pub left: u32,
    pub right: u32,
    pub length: u32,
}

/// Pairs of greatest weight among `edges`, each element at most once, by left index. Parts of the graph that have
/// nothing to do with each other are solved apart. The second is false where a part was too large for the exact method:
/// there the pairs are chosen greedily, or grown from `known`, whichever is better.
pub fn matching(n: usize, m: usize, edges: &[Chosen], known: &[Chosen]) -> (Vec<Chosen>, bool) {
    let mut parents: Vec<u32> = (0..(n + m) as u32).collect();
    for edge in edges {
        let (a, b) = (root(&mut parents, edge.left), root(&mut parents, n as u32 + edge.right));
        if let Some(slot) = parents.get_mut(a.max(b) as usize) {
            *slot = a.min(b);
        }
    }
    let mut part = |list: &[Chosen]| -> Vec<(u32, Chosen)> {
        let mut out: Vec<_> = list.iter().map(|e| (root(&mut parents, e.left), *e)).collect();
        out.sort_unstable();
        out
    };
    let (edges, known) = (part(edges), part(known));
    let (mut out, mut exact) = (Vec::new(), true);
    for group in edges.chunk_by(|a, b| a.0 == b.0) {
        let id = group.first().map_or(0, |e| e.0);
        let edges: Vec<Chosen> = group.iter().map(|(_, e)| *e).collect();
        match hungarian(&edges) {
            Some(pairs) => out.extend(pairs),
            None => {
                exact = false;
                let known: Vec<Chosen> = known.iter().filter(|(part, _)| *part == id).map(|(_, e)| *e).collect();
                out.extend(greedy(&edges, &known));
            }
        }
    }
    out.sort_unstable();
    (out, exact)
}

/// The least element of the part that `at` is in; shortens the way.
fn root(parents: &mut [u32], mut at: u32) -> u32 {
    while let Some(parent) = parents.get(at as usize).copied().filter(|p| *p != at) {
        let above = parents.get(parent as usize).copied().unwrap_or(parent);
        if let Some(slot) = parents.get_mut(at as usize) {
            *slot = above;
        }
        at = parent;
    }
    at
}

fn greedy(edges: &[Chosen], known: &[Chosen]) -> Vec<Chosen> {
    let mut all = edges.to_vec();
    all.sort_by(|a, b| b.weight.cmp(&a.weight).then(a.cmp(b)));
    let choose = |first: &[Chosen]| {
        let (mut left, mut right) = (BTreeSet::new(), BTreeSet::new());
        let mut out = Vec::new();
        for pair in first.iter().chain(&all) {
            if !left.contains(&pair.left) && right.insert(pair.right) {
                left.insert(pair.left);
                out.push(*pair);
            }
        }
        out
    };
    let sum = |pairs: &[Chosen]| pairs.iter().map(|p| u64::from(p.weight)).sum::<u64>();
    let (fresh, grown) = (choose(&[]), choose(known));
    // Without order can never be worse than with it.
    if sum(&fresh) > sum(&grown) { fresh } else { grown }
}

/// The Hungarian method over one part; `None` when the part is too large.
fn hungarian(edges: &[Chosen]) -> Option<Vec<Chosen>> {
    let distinct = |of: fn(&Chosen) -> u32| {
        let mut list: Vec<u32> = edges.iter().map(of).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let (rows, columns) = (distinct(|e| e.left), distinct(|e| e.right));
    // The method wants no more rows than columns.
    let turned = rows.len() > columns.len();
    let (n, m) = if turned { (columns.len(), rows.len()) } else { (rows.len(), columns.len()) };
    if n.saturating_mul(n).saturating_mul(m) > EXACT * EXACT * EXACT {
        return None;
    }
    let mut weight = vec![0i64; n * m];
    for edge in edges {
        let (Ok(r), Ok(c)) = (rows.binary_search(&edge.left), columns.binary_search(&edge.right)) else { continue };
        if let Some(slot) = weight.get_mut(if turned { c * m + r } else { r * m + c }) {
            *slot = i64::from(edge.weight);
        }
    }
    let cost = |row: usize, column: usize| -weight.get(row * m + column).copied().unwrap_or(0);
    let mut out: Vec<Chosen> = Vec::new();
    for (column, row) in assign(n, m, cost).iter().enumerate() {
        let Some(row) = row else { continue };
        let w = -cost(*row, column);
        let (r, c) = if turned { (column, *row) } else { (*row, column) };
        if let (true, Some(left), Some(right)) = (w > 0, rows.get(r), columns.get(c)) {
            out.push(Chosen { left: *left, right: *right, weight: w as u32 });
        }
    }
    Some(out)
}

/// The assignment of least cost of n rows to m ≥ n columns: the row of each column.
fn assign(n: usize, m: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<Option<usize>> {
    // Column m is the virtual start.
    let mut owner: Vec<Option<usize>> = vec![None; m + 1];
    let mut row_potential = vec![0i64; n];
    let mut column_potential = vec![0i64; m + 1];
    for row in 0..n {
        let mut least = vec![i64::MAX; m];
        let mut from = vec![m; m];
        let mut used = vec![false; m + 1];
        let mut at = m;
        if let Some(slot) = owner.get_mut(m) {
            *slot = Some(row);
        }
        while let Some(current) = owner.get(at).copied().flatten() {
            if let Some(slot) = used.get_mut(at) {
                *slot = true;
            }
            let potential = row_potential.get(current).copied().unwrap_or(0);
            let (mut step, mut nearest) = (i64::MAX, m);
            for (j, (low, back)) in least.iter_mut().zip(&mut from).enumerate() {
                if used.get(j) == Some(&true) {
                    continue;
                }
                let reduced = cost(current, j) - potential - column_potential.get(j).copied().unwrap_or(0);
                if reduced < *low {
                    *low = reduced;
                    *back = at;
                }
                if *low < step {
                    step = *low;
                    nearest = j;
                }
            }
            for j in 0..=m {
                if used.get(j) == Some(&true) {
                    let held = owner.get(j).copied().flatten();
                    if let Some(p) = held.and_then(|r| row_potential.get_mut(r)) {
                        *p += step;
                    }
                    if let Some(p) = column_potential.get_mut(j) {
                        *p -= step;
                    }
                } else if let Some(low) = least.get_mut(j) {
                    *low = low.saturating_sub(step);
                }
            }
            at = nearest;
        }
        // The way back: every column on it takes the row of the one before.
        while at != m {
            let before = from.get(at).copied().unwrap_or(m);
            let row = owner.get(before).copied().flatten();
            if let Some(slot) = owner.get_mut(at) {
                *slot = row;
            }
            at = before;
        }
    }
    owner.truncate(m);
    owner
}

/// Joins pairs that follow each other on both sides.
pub fn blocks(pairs: &[Chosen]) -> Vec<Move> {
    let mut out: Vec<Move> = Vec::new();
    for pair in pairs {
        match out.last_mut() {
            Some(m) if pair.left == m.left + m.length && pair.right == m.right + m.length => m.length += 1,
            _ => out.push(Move { left: pair.left, right: pair.right, length: 1 }),
        }
    }
    out
}

/// Kendall's tau of the order of the pairs: 1 same order, -1 reversed; `None` with fewer than two. O(k log k).
pub fn kendall_tau(pairs: &[Chosen]) -> Option<f64> {
    let mut pairs: Vec<(u32, u32)> = pairs.iter().map(|p| (p.left, p.right)).collect();
    pairs.sort_unstable();
    let k = pairs.len() as u64;
    if k < 2 {
        return None;
    }
    let mut order: Vec<u32> = pairs.into_iter().map(|(_, right)| right).collect();
    let inversions = count_inversions(&mut order);
    let all = k * (k - 1) / 2;
    Some(1.0 - 2.0 * inversions as f64 / all as f64)
}

/// Merge sort from the bottom, counting how often the right run wins.
fn count_inversions(list: &mut Vec<u32>) -> u64 {
    let mut count = 0;
    let mut width = 1;
    while width < list.len() {
        let mut merged = Vec::with_capacity(list.len());
        for pair in list.chunks(2 * width) {
            let (mut a, mut b) = pair.split_at(width.min(pair.len()));
            while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
                if x <= y {
                    merged.push(*x);
                    a = rest_a;
                } else {
                    count += a.len() as u64;
                    merged.push(*y);
                    b = rest_b;
                }
            }
            merged.extend_from_slice(a);
            merged.extend_from_slice(b);
        }
        *list = merged;
        width *= 2;
    }
    count
}
