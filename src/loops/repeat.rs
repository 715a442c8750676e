//! D11: the longest sequence of calls that comes a second time. O(n log n): one pass of rolling hashes a length that is
//! tried; equal hashes are compared.
//! Where calls go round at once (D1, D1w) they say that better: such stretches count as unlike everything.

use std::collections::HashMap;

use super::lane::{Found, Lane};
use super::{Detector, Params, WhyNot};

/// Looks for the longest repeat. `round` are the positions that D1 and D1w hold, sorted ranges.
pub fn longest_repeat(lane: &Lane<'_>, round: &[(usize, usize)], params: &Params, found: &mut Found) {
    let n = lane.calls.len();
    let need = params.repeat.max(2) as usize;
    if n < 2 * need.saturating_sub(1).max(2) {
        return;
    }
    let mut keys: Vec<u64> = (0..n).map(|at| u64::from(lane.key(at).call)).collect();
    let mut unlike = 1u64 << 40;
    for &(from, to) in round {
        for key in keys.get_mut(from..to).unwrap_or_default() {
            unlike += 1;
            *key = unlike;
        }
    }
    let Some((length, places)) = longest(&keys, need) else {
        if need > 2
            && let Some(places) = repeats(&keys, need - 1)
        {
            let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return };
            let mut near = lane.near_chain(
                Detector::LongRepeat,
                &places_of(&places, need - 1),
                params.repeat,
                WhyNot::OtherCall,
                (last + need - 1 < n).then_some(last + need - 1),
            );
            near.period = need as u32 - 1;
            near.have = (need - 1) as f64;
            (near.start, near.end) = lane.bounds(first, last + need - 2);
            found.near.push(near);
        }
        return;
    };
    let mut span = lane.chain(Detector::LongRepeat, &places_of(&places, length), 0);
    span.period = length as u32;
    span.times = places.len() as u32;
    found.spans.push(span);
}

fn places_of(starts: &[usize], length: usize) -> Vec<usize> {
    starts.iter().flat_map(|&s| s..s + length).collect()
}

/// The greatest length, at least `need`, of which a sequence occurs twice without overlap, with all its places.
fn longest(keys: &[u64], need: usize) -> Option<(usize, Vec<usize>)> {
    let mut best = (need, repeats(keys, need)?);
    let mut too_long = keys.len() / 2 + 1;
    // Double first: repeats are short as a rule.
    let mut step = need;
    while best.0 + step < too_long {
        match repeats(keys, best.0 + step) {
            Some(places) => {
                best = (best.0 + step, places);
                step *= 2;
            }
            None => {
                too_long = best.0 + step;
                break;
            }
        }
    }
    while best.0 + 1 < too_long {
        let middle = best.0 + (too_long - best.0) / 2;
        match repeats(keys, middle) {
            Some(places) => best = (middle, places),
            None => too_long = middle,
        }
    }
    Some(best)
}

/// The places of the first sequence of this length that occurs twice without overlap, each behind the end of the one
/// before it.
fn repeats(keys: &[u64], length: usize) -> Option<Vec<usize>> {
    const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
    if length == 0 || keys.len() < 2 * length {
        return None;
    }
    let mix = |k: u64| (k + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ (k >> 7);
    let top = (1..length).fold(1u64, |p, _| p.wrapping_mul(BASE));
    let mut hash = 0u64;
    // Looked up only.
    let mut first: HashMap<u64, usize> = HashMap::new();
    let mut pair: Option<(usize, usize)> = None;
    let mut all: Vec<u64> = Vec::with_capacity(keys.len() + 1 - length);
    for (i, &key) in keys.iter().enumerate() {
        if let Some(old) = i.checked_sub(length).and_then(|k| keys.get(k)) {
            hash = hash.wrapping_sub(mix(*old).wrapping_mul(top));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(mix(key));
        let Some(start) = (i + 1).checked_sub(length) else { continue };
        all.push(hash);
        let known = *first.entry(hash).or_insert(start);
        if pair.is_none_or(|p| known < p.0)
            && known + length <= start
            && keys.get(known..known + length) == keys.get(start..start + length)
        {
            pair = Some((known, start));
        }
    }
    let (start, _) = pair?;
    let wanted = all.get(start)?;
    let mut out = Vec::new();
    let mut free = start;
    for (at, _) in all.iter().enumerate().filter(|(_, h)| *h == wanted) {
        if at >= free && keys.get(start..start + length) == keys.get(at..at + length) {
            out.push(at);
            free = at + length;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word by word.
    fn brute_force(keys: &[u64]) -> usize {
        let n = keys.len();
        (1..=n / 2)
            .rev()
            .find(|&l| (0..=n - l).any(|i| (i + l..=n - l).any(|j| keys[i..i + l] == keys[j..j + l])))
            .unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn agrees_with_the_definition(keys in prop::collection::vec(0u64..4, 0..40)) {
            let found = longest(&keys, 1);
            prop_assert_eq!(found.as_ref().map_or(0, |f| f.0), brute_force(&keys));
            if let Some((length, places)) = found {
                prop_assert!(places.len() >= 2);
                prop_assert!(places.windows(2).all(|w| w[0] + length <= w[1]));
                prop_assert!(places.iter().all(|&p| keys[p..p + length] == keys[places[0]..places[0] + length]));
            }
        }
    }
}
