//! The best pairing of two lists of weighted pairs that keeps the order ("soft LCS"), and the weights of texts.
//!
//! A pair's weight is its likeness in millionths; pairs below the threshold do not exist. Maximised are, one after the
//! other, the sum of weights and the number of pairs; of what is equal in both the leftmost is taken (as in
//! `model::lcs`, so that weights of 0 and 1 give the same pairs). O(n·m) with one row of numbers and a bit a cell;
//! above [`MAX_CELLS`] cells the lists are cut at texts that occur once on each side, else into stretches of equal
//! share, and the result is called anchored.
//!
//! Likeness of texts: words in common by words in all (Jaccard). Counted over an inverted index, so that only words
//! in common cost, and without the most frequent words of a text, which alone cannot reach the threshold:
//! O(Σ over counted words of left occurrences · right occurrences).

use super::units::Unit;
use crate::model::{IndexPair, all_set, lcs};

/// One million: the weight of equal texts.
pub const ONE: u32 = 1_000_000;

/// Cells that one pass may have.
pub const MAX_CELLS: usize = 4_000_000;

/// Pairs that exist, by left index: right index and weight, ascending by right index.
pub type Weights = Vec<Vec<(u32, u32)>>;

/// A chosen pair with its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chosen {
    pub left: u32,
    pub right: u32,
    pub weight: u32,
}

/// Likeness of two texts in millionths, without a threshold.
pub fn likeness(a: &Unit, b: &Unit) -> u32 {
    if a.normal == b.normal {
        return ONE;
    }
    let (mut i, mut j, mut common) = (0, 0, 0u32);
    while let (Some(x), Some(y)) = (a.words.get(i), b.words.get(j)) {
        common += u32::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    share(common, (a.words.len() + b.words.len()) as u32 - common)
}

/// `common` of `all`, in millionths, rounded to the nearest.
fn share(common: u32, all: u32) -> u32 {
    if all == 0 {
        return 0;
    }
    ((u64::from(common) * u64::from(ONE) + u64::from(all) / 2) / u64::from(all)) as u32
}

/// The weights of every pair of the same speaker whose likeness is at least `least`.
pub fn text_weights(left: &[&Unit], right: &[&Unit], least: u32) -> Weights {
    let least = least.max(1);
    // Where each word stands on the right: one list of places, cut by word.
    let top = left.iter().chain(right).flat_map(|u| u.words.last()).max().map_or(0, |w| *w as usize + 1);
    let mut starts = vec![0u32; top + 1];
    for word in right.iter().flat_map(|u| &u.words) {
        if let Some(n) = starts.get_mut(*word as usize + 1) {
            *n += 1;
        }
    }
    let mut sum = 0;
    for n in &mut starts {
        sum += *n;
        *n = sum;
    }
    let mut next = starts.clone();
    let mut places = vec![0u32; sum as usize];
    for (j, unit) in right.iter().enumerate() {
        for word in &unit.words {
            if let Some(at) = next.get_mut(*word as usize) {
                if let Some(place) = places.get_mut(*at as usize) {
                    *place = j as u32;
                }
                *at += 1;
            }
        }
    }
    let places_of = |word: u32| {
        let (from, to) = (starts.get(word as usize), starts.get(word as usize + 1));
        from.zip(to).and_then(|(from, to)| places.get(*from as usize..*to as usize)).unwrap_or_default()
    };
    // Words that many right texts have, as one bit a text: asked one by one they are cheap, counted they are not.
    let long = (right.len() / 32).max(16);
    let maps: Vec<Option<Vec<u64>>> = (0..top as u32).map(|word| bit_map(places_of(word), right.len(), long)).collect();
    let map_of = |word: u32| maps.get(word as usize).and_then(Option::as_deref);
    let lengths: Vec<u32> = right.iter().map(|u| u.words.len() as u32).collect();
    let mut counted = vec![0u32; right.len()];
    left.iter()
        .map(|unit| {
            // Whatever the other's length, so many words must be in common; so of the most frequent words all but one
            // of these need not be counted: a text that shares only them is out.
            let enough = (unit.words.len() as u64 * u64::from(least)).div_ceil(u64::from(ONE)) as usize;
            let mut words = unit.words.clone();
            words.sort_by_key(|word| std::cmp::Reverse(places_of(*word).len()));
            let spared: Vec<&[u64]> =
                words.iter().take(enough.saturating_sub(1)).map_while(|word| map_of(*word)).collect();
            counted.fill(0);
            for word in words.iter().skip(spared.len()) {
                for j in places_of(*word) {
                    if let Some(n) = counted.get_mut(*j as usize) {
                        *n += 1;
                    }
                }
            }
            row(unit, right, &counted, &spared, &lengths, least)
        })
        .collect()
}

/// The places as bits, where there are many.
fn bit_map(places: &[u32], of: usize, long: usize) -> Option<Vec<u64>> {
    if places.len() < long {
        return None;
    }
    let mut bits = vec![0u64; of.div_ceil(64)];
    for j in places {
        if let Some(word) = bits.get_mut(*j as usize / 64) {
            *word |= 1 << (j % 64);
        }
    }
    Some(bits)
}

/// The pairs of one left text: words in common that were counted, and those that were spared as bits.
fn row(
    unit: &Unit,
    right: &[&Unit],
    counted: &[u32],
    spared: &[&[u64]],
    lengths: &[u32],
    least: u32,
) -> Vec<(u32, u32)> {
    let n = unit.words.len() as u32;
    let (whole, part) = (u64::from(ONE) + u64::from(least), u64::from(least));
    let mut out = Vec::new();
    for ((j, count), length) in counted.iter().enumerate().zip(lengths) {
        let all = u64::from(n + length);
        // common / (all - common) is below the threshold, half a millionth aside for rounding.
        let too_few = |common: u32| u64::from(common) * whole + all < part * all;
        if too_few(*count + spared.len() as u32) {
            continue;
        }
        let bit = |bits: &&&[u64]| bits.get(j / 64).is_some_and(|word| word >> (j % 64) & 1 == 1);
        let common = *count + spared.iter().filter(bit).count() as u32;
        if too_few(common) {
            continue;
        }
        let Some(other) = right.get(j).filter(|o| o.actor == unit.actor) else { continue };
        let weight = if unit.normal == other.normal { ONE } else { share(common, n + length - common) };
        if weight >= least {
            out.push((j as u32, weight));
        }
    }
    out
}

/// The weight and one: sums compare by weight first, then by the number of pairs.
fn value(weight: u32) -> u64 {
    u64::from(weight) << 20 | 1
}

/// The best pairs of lists within the bound on cells; see [`solve`] for others. `m` is the length of the right list.
pub fn best_pairs(weights: &[Vec<(u32, u32)>], m: usize) -> Vec<Chosen> {
    let n = weights.len();
    let words = m.div_ceil(64).max(1);
    // A bit a cell: nothing is lost when this right element is left out.
    let mut spare = vec![0u64; words * n];
    // Whether a pair is best taken, by its place in its row.
    let mut taken: Vec<Vec<bool>> = weights.iter().map(|row| vec![false; row.len()]).collect();
    let mut below = vec![0u64; m];
    for ((pairs, taken), bits) in weights.iter().zip(&mut taken).zip(spare.chunks_mut(words)).rev() {
        fill(pairs, taken, bits, &mut below);
    }
    let mut out = Vec::new();
    let mut j = 0usize;
    for (i, ((row, taken), bits)) in weights.iter().zip(&taken).zip(spare.chunks(words)).enumerate() {
        // The first pair that is best taken, if what is left out before it costs nothing; else i has no partner.
        let from = row.partition_point(|(right, _)| (*right as usize) < j);
        let rest = row.iter().zip(taken).skip(from);
        let mut checked = j;
        for ((right, weight), best) in rest {
            let to = *right as usize;
            if !all_set(bits, checked, to) {
                break;
            }
            checked = to;
            if *best {
                out.push(Chosen { left: i as u32, right: *right, weight: *weight });
                j = to + 1;
                break;
            }
        }
    }
    out
}

/// One row of the table, from the right. `cells` holds the row below and becomes this one.
fn fill(pairs: &[(u32, u32)], taken: &mut [bool], bits: &mut [u64], cells: &mut [u64]) {
    let mut pairs = pairs.iter().zip(taken).rev().peekable();
    let mut next = pairs.peek().map_or(usize::MAX, |((j, _), _)| *j as usize);
    // The cell to the right in this row and in the row below.
    let (mut right, mut below_right) = (0u64, 0u64);
    for (block, word) in cells.chunks_mut(64).zip(bits).enumerate().rev().map(|(b, both)| ((b, both.0), both.1)) {
        let (block, cells) = block;
        for (k, cell) in cells.iter_mut().enumerate().rev() {
            let below = *cell;
            let mut best = below.max(right);
            *word |= u64::from(best == right) << k;
            if block * 64 + k == next {
                if let Some(((_, weight), taken)) = pairs.next() {
                    let with = below_right + value(*weight);
                    *taken = with >= best;
                    best = best.max(with);
                }
                next = pairs.peek().map_or(usize::MAX, |((j, _), _)| *j as usize);
            }
            // The bit is only read where the pair is not taken: there `best` is what it was.
            *cell = best;
            right = best;
            below_right = below;
        }
    }
}

/// The result of [`solve`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    pub pairs: Vec<Chosen>,
    /// Every pair at or above the threshold, where the lists were short enough to compare all with all.
    pub weights: Option<Weights>,
}

/// Aligns two lists of texts.
pub fn solve(left: &[&Unit], right: &[&Unit], least: u32) -> Solution {
    let (n, m) = (left.len(), right.len());
    if n.saturating_mul(m) <= MAX_CELLS {
        let weights = text_weights(left, right, least);
        return Solution { pairs: best_pairs(&weights, m), weights: Some(weights) };
    }
    // What is equal at both ends is in some best solution.
    let same = |(a, b): &(&&Unit, &&Unit)| a.normal == b.normal && a.actor == b.actor;
    let head = left.iter().zip(right).take_while(same).count();
    let tail = left.iter().skip(head).rev().zip(right.iter().skip(head).rev()).take_while(same).count();
    let pair = |(i, j): (usize, usize)| Chosen { left: i as u32, right: j as u32, weight: ONE };
    let mut pairs: Vec<Chosen> = (0..head).map(|i| pair((i, i))).collect();
    for Cut { from, to, anchor } in cuts(left, right, (head, n - tail), (head, m - tail)) {
        let a = left.get(from.0..to.0).unwrap_or_default();
        let b = right.get(from.1..to.1).unwrap_or_default();
        if !a.is_empty() && !b.is_empty() {
            let best = best_pairs(&text_weights(a, b, least), b.len());
            let shift = |p: Chosen| Chosen { left: p.left + from.0 as u32, right: p.right + from.1 as u32, ..p };
            pairs.extend(best.into_iter().map(shift));
        }
        if anchor {
            pairs.push(pair(to));
        }
    }
    pairs.extend((0..tail).map(|k| pair((n - tail + k, m - tail + k))));
    Solution { pairs, weights: None }
}

/// A stretch of both lists that is solved alone; with `anchor`, the pair at `to` is taken.
struct Cut {
    from: (usize, usize),
    to: (usize, usize),
    anchor: bool,
}

/// The whole as one stretch where it fits, else cut at texts that occur once on each side and keep their order, and
/// what is still too long into stretches of equal share.
fn cuts(left: &[&Unit], right: &[&Unit], lefts: (usize, usize), rights: (usize, usize)) -> Vec<Cut> {
    let cells = |from: (usize, usize), to: (usize, usize)| (to.0 - from.0).saturating_mul(to.1 - from.1);
    let (from, to) = ((lefts.0, rights.0), (lefts.1, rights.1));
    if cells(from, to) <= MAX_CELLS {
        return vec![Cut { from, to, anchor: false }];
    }
    let mut out = Vec::new();
    let mut start = from;
    let anchors = unique_pairs(left, right, lefts, rights);
    for (end, anchor) in anchors.into_iter().map(|p| (p, true)).chain([(to, false)]) {
        // Parts of equal share, so many that each fits.
        let (n, m) = (end.0 - start.0, end.1 - start.1);
        let parts = (1..).find(|k| n.div_ceil(*k).saturating_mul(m.div_ceil(*k)) <= MAX_CELLS).unwrap_or(1);
        let at = |k: usize| (start.0 + n * k / parts, start.1 + m * k / parts);
        for k in 0..parts {
            out.push(Cut { from: at(k), to: at(k + 1), anchor: anchor && k + 1 == parts });
        }
        start = if anchor { (end.0 + 1, end.1 + 1) } else { end };
    }
    out
}

/// The longest ordered list of texts that occur once on each side.
fn unique_pairs(left: &[&Unit], right: &[&Unit], lefts: (usize, usize), rights: (usize, usize)) -> Vec<(usize, usize)> {
    let once = |units: &[&Unit], range: (usize, usize)| {
        let mut texts: Vec<(u32, usize)> = (range.0..range.1).filter_map(|i| Some((units.get(i)?.normal, i))).collect();
        texts.sort_unstable();
        let alone: Vec<(u32, usize)> =
            texts.chunk_by(|a, b| a.0 == b.0).filter_map(|c| c.first().filter(|_| c.len() == 1).copied()).collect();
        alone
    };
    let (a, b) = (once(left, lefts), once(right, rights));
    let both = |x: &[(u32, usize)], y: &[(u32, usize)]| {
        let known = |text: u32| y.binary_search_by_key(&text, |(t, _)| *t).is_ok();
        let mut list: Vec<(usize, u32)> = x.iter().filter(|(t, _)| known(*t)).map(|(t, i)| (*i, *t)).collect();
        list.sort_unstable();
        list
    };
    let (a, b) = (both(&a, &b), both(&b, &a));
    let texts = |list: &[(usize, u32)]| list.iter().map(|(_, t)| *t).collect::<Vec<u32>>();
    let pairs: Vec<IndexPair> = lcs(&texts(&a), &texts(&b));
    pairs.into_iter().filter_map(|(i, j)| Some((a.get(i as usize)?.0, b.get(j as usize)?.0))).collect()
}
