//! The longest common subsequence of two sequences, exactly, with its pairs. Alignment and matching share it.
//!
//! Of all longest ones it is the leftmost: the first pair has the smallest left index that any of them can have, then
//! the smallest right index, and so on for the pairs behind it. A common beginning is therefore always paired.
//!
//! Bit-parallel over the right sequence (Hyyrö 2004, the complement form of Allison and Dix 1986): O(n·m/64), every
//! row kept for the way back, which is n·m/8 bytes. Above [`MAX_BITS`] the rows do not fit: sequences with few equal
//! pairs go to Hunt and Szymanski's algorithm (crate `similar`), the others are halved as Hirschberg does. Both are
//! exact; of several longest ones they may take another than the leftmost.

use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Indices left and right of one pair.
pub type IndexPair = (u32, u32);

/// Bits of kept rows: 64 MiB.
pub const MAX_BITS: usize = 64 << 23;

/// The leftmost longest common subsequence of two sequences of interned keys.
pub fn lcs(left: &[u32], right: &[u32]) -> Vec<IndexPair> {
    lcs_within(left, right, MAX_BITS)
}

/// [`lcs`] with another bound on the bits kept, for tests.
#[doc(hidden)]
pub fn lcs_within(left: &[u32], right: &[u32], max_bits: usize) -> Vec<IndexPair> {
    let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let mut out: Vec<IndexPair> = (0..head as u32).map(|i| (i, i)).collect();
    let (mut a, mut b) = (left.get(head..).unwrap_or_default(), right.get(head..).unwrap_or_default());
    let places = Places::new(b);
    if a.len().saturating_mul(b.len()) <= max_bits {
        let middle = leftmost(a.len(), b.len(), |i| places.row(a.get(i).copied()));
        out.extend(middle.into_iter().map(|(i, j)| (i + head as u32, j + head as u32)));
        return out;
    }
    // Too long for the leftmost: now the common end may be paired first as well.
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    a = a.get(..a.len() - tail).unwrap_or_default();
    b = b.get(..b.len() - tail).unwrap_or_default();
    let few = places.equal_pairs(a) <= 8 * (a.len() + b.len()) as u64;
    drop(places);
    let middle = if few { sparse(a, b) } else { halved(a, b, max_bits) };
    out.extend(middle.into_iter().map(|(i, j)| (i + head as u32, j + head as u32)));
    let (from_left, from_right) = ((head + a.len()) as u32, (head + b.len()) as u32);
    out.extend((0..tail as u32).map(|k| (from_left + k, from_right + k)));
    out
}

/// The same for a relation that need not be an equality: `row(i)` lists the right indices that left index i may be
/// paired with, in ascending order. Bounded by the caller: n·m/8 bytes.
pub fn lcs_of_relation(n: usize, m: usize, row: impl Fn(usize) -> Vec<u32>) -> Vec<IndexPair> {
    let rows: Vec<Vec<u32>> = (0..n).map(row).collect();
    leftmost(n, m, |i| Row::Places(rows.get(i).map(Vec::as_slice).unwrap_or_default()))
}

/// The right indices that equal a left element.
enum Row<'a> {
    Places(&'a [u32]),
    /// As a bit mask over mirrored right indices.
    Mask(&'a [u64]),
}

/// Where each key stands in the right sequence.
struct Places {
    /// Only looked up: key to its slot.
    slots: HashMap<u32, u32>,
    lists: Vec<Vec<u32>>,
    /// Masks of the keys that are frequent enough for a mask to be the shorter list.
    masks: Vec<Vec<u64>>,
}

impl Places {
    fn new(right: &[u32]) -> Self {
        let mut slots: HashMap<u32, u32> = HashMap::new();
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for (j, key) in right.iter().enumerate() {
            let slot = *slots.entry(*key).or_insert(lists.len() as u32);
            if slot as usize == lists.len() {
                lists.push(Vec::new());
            }
            if let Some(list) = lists.get_mut(slot as usize) {
                list.push(j as u32);
            }
        }
        let words = right.len().div_ceil(64);
        let masks = lists
            .iter()
            .map(|list| {
                if list.len() <= words {
                    return Vec::new();
                }
                let mut mask = vec![0u64; words];
                list.iter().for_each(|j| set(&mut mask, mirrored(*j, right.len())));
                mask
            })
            .collect();
        Self { slots, lists, masks }
    }

    fn row(&self, key: Option<u32>) -> Row<'_> {
        let Some(slot) = key.and_then(|k| self.slots.get(&k)).map(|s| *s as usize) else { return Row::Places(&[]) };
        match self.masks.get(slot) {
            Some(mask) if !mask.is_empty() => Row::Mask(mask),
            _ => Row::Places(self.lists.get(slot).map(Vec::as_slice).unwrap_or_default()),
        }
    }

    fn equal_pairs(&self, left: &[u32]) -> u64 {
        let count = |key: &u32| self.slots.get(key).and_then(|s| self.lists.get(*s as usize)).map_or(0, Vec::len);
        left.iter().map(|key| count(key) as u64).sum()
    }
}

fn mirrored(j: u32, m: usize) -> usize {
    m - 1 - j as usize
}

fn set(bits: &mut [u64], at: usize) {
    if let Some(word) = bits.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

fn is_set(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// One step of the kernel: `row` becomes the row of one more left element, whose equals are in `mask`.
/// A zero bit at the mirrored index of j says that the suffix from j has one match more than the suffix from j + 1.
fn advance(row: &mut [u64], mask: &[u64]) {
    let mut carry = false;
    for (v, m) in row.iter_mut().zip(mask) {
        let u = *v & m;
        let (sum, over) = v.overflowing_add(u);
        let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
        carry = over || over_carry;
        *v = sum | (*v & !m);
    }
}

/// Advances by a [`Row`]; `scratch` is all zero before and after.
fn advance_row(row: &mut [u64], equals: &Row<'_>, scratch: &mut [u64], m: usize) {
    match equals {
        Row::Mask(mask) => advance(row, mask),
        Row::Places([]) => {}
        Row::Places(list) => {
            list.iter().for_each(|j| set(scratch, mirrored(*j, m)));
            advance(row, scratch);
            for j in *list {
                if let Some(word) = scratch.get_mut(mirrored(*j, m) / 64) {
                    *word = 0;
                }
            }
        }
    }
}

/// All rows from the last left element to the first, then the way back from the beginning.
fn leftmost<'a>(n: usize, m: usize, equals: impl Fn(usize) -> Row<'a>) -> Vec<IndexPair> {
    let words = m.div_ceil(64);
    // The row of i stands at n - 1 - i.
    let mut rows: Vec<u64> = Vec::with_capacity(words * n);
    let mut current = vec![u64::MAX; words];
    let mut scratch = vec![0u64; words];
    for i in (0..n).rev() {
        advance_row(&mut current, &equals(i), &mut scratch, m);
        rows.extend_from_slice(&current);
    }
    let mut out = Vec::new();
    let mut j = 0usize;
    for i in 0..n {
        let row = rows.get(words * (n - 1 - i)..words * (n - i)).unwrap_or_default();
        // Pairing i is best with its first equal, if what is left out before that costs nothing; else i has no partner.
        let first = match equals(i) {
            Row::Mask(mask) => (j..m).find(|j| is_set(mask, mirrored(*j as u32, m))),
            Row::Places(list) => list.get(list.partition_point(|p| (*p as usize) < j)).map(|p| *p as usize),
        };
        if let Some(first) = first.filter(|first| all_set(row, m - first, m - j)) {
            out.push((i as u32, first as u32));
            j = first + 1;
        }
    }
    out
}

/// Whether the bits `from..to` are all set. O((to - from) / 64).
pub(crate) fn all_set(bits: &[u64], from: usize, to: usize) -> bool {
    (from / 64..to.div_ceil(64)).all(|word| {
        let low = if word == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
        let high = if word == to / 64 { !(u64::MAX << (to % 64)) } else { u64::MAX };
        let wanted = low & high;
        bits.get(word).is_some_and(|b| b & wanted == wanted)
    })
}

/// Few equal pairs: Hunt and Szymanski.
fn sparse(a: &[u32], b: &[u32]) -> Vec<IndexPair> {
    let mut out = Vec::new();
    for op in capture_diff_slices(Algorithm::Hunt, a, b) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            out.extend((0..len).map(|k| ((old_index + k) as u32, (new_index + k) as u32)));
        }
    }
    out
}

/// Hirschberg: the left half's best column joins both halves, until the rows fit.
fn halved(a: &[u32], b: &[u32], max_bits: usize) -> Vec<IndexPair> {
    let mut out = Vec::new();
    // Ranges still to do, the leftmost on top.
    let mut todo = vec![(0, a.len(), 0, b.len())];
    while let Some((a0, a1, b0, b1)) = todo.pop() {
        let (left, right) = (a.get(a0..a1).unwrap_or_default(), b.get(b0..b1).unwrap_or_default());
        if left.is_empty() || right.is_empty() {
            continue;
        }
        if left.len() == 1 || left.len().saturating_mul(right.len()) <= max_bits {
            let places = Places::new(right);
            let pairs = leftmost(left.len(), right.len(), |i| places.row(left.get(i).copied()));
            out.extend(pairs.into_iter().map(|(i, j)| (i + a0 as u32, j + b0 as u32)));
            continue;
        }
        let half = left.len() / 2;
        let (first, second) = left.split_at(half);
        let suffixes = suffix_lengths(second, right);
        let turned = |s: &[u32]| s.iter().rev().copied().collect::<Vec<u32>>();
        let prefixes = suffix_lengths(&turned(first), &turned(right));
        let m = right.len();
        // Of equal sums the smallest column.
        let mut best = (0, 0);
        for j in 0..=m {
            let sum = prefixes.get(m - j).copied().unwrap_or(0) + suffixes.get(j).copied().unwrap_or(0);
            if sum > best.0 {
                best = (sum, j);
            }
        }
        todo.push((a0 + half, a1, b0 + best.1, b1));
        todo.push((a0, a0 + half, b0, b0 + best.1));
    }
    out
}

/// For every j the length of the longest common subsequence of `left` and `right[j..]`.
fn suffix_lengths(left: &[u32], right: &[u32]) -> Vec<u32> {
    let m = right.len();
    let places = Places::new(right);
    let mut row = vec![u64::MAX; m.div_ceil(64)];
    let mut scratch = vec![0u64; m.div_ceil(64)];
    for key in left.iter().rev() {
        advance_row(&mut row, &places.row(Some(*key)), &mut scratch, m);
    }
    let mut out = vec![0u32; m + 1];
    let mut length = 0;
    for j in (0..m).rev() {
        length += u32::from(!is_set(&row, mirrored(j as u32, m)));
        if let Some(slot) = out.get_mut(j) {
            *slot = length;
        }
    }
    out
}
