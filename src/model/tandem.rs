//! Where does a sequence repeat itself at once? Maximal tandem runs, the core of loop detection and of folding.
//!
//! A tandem run (p, [a, b)) of a sequence x satisfies x[i] = x[i+p] for every a <= i < b-p, cannot be extended on
//! either side, is at least two periods long (b-a >= 2p), and p is primitive: no proper divisor of p is a period of it.
//! By the runs theorem a sequence of n items has fewer than n of them.
//! Every place is compared with the earlier places of the same item, up to P = [`max_period`] back: O(n) when items
//! hardly repeat, O(n·P) when all are alike; the proof that a period is primitive costs what the run is long.
//! Source: Kolpakov and Kucherov, "Finding maximal repetitions in a word in linear time" (1999), for the definition.

/// One maximal tandem run, `start..end` in the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tandem {
    pub start: usize,
    pub end: usize,
    pub period: usize,
}

impl Tandem {
    /// Whole repetitions.
    pub fn times(&self) -> usize {
        (self.end - self.start) / self.period
    }

    /// Length over period, the last, incomplete round included.
    pub fn exponent(&self) -> f64 {
        (self.end - self.start) as f64 / self.period as f64
    }
}

/// Every period up to half the length while that is cheap (n <= 2000), else up to 64.
pub fn max_period(n: usize) -> usize {
    if n <= 2000 { n / 2 } else { 64 }
}

/// All maximal tandem runs with periods up to `longest`, ordered by start, then by period. Items are keys: equal
/// numbers are equal items. Small, dense numbers are quickest.
pub fn tandem_runs(x: &[u32], longest: usize) -> Vec<Tandem> {
    let n = x.len();
    let longest = longest.min(n / 2);
    let before = previous(x);
    // Of each period: the stretch of places `j` with x[j] = x[j + period] that is being read.
    let mut open = vec![(0usize, 0usize); longest + 1];
    let mut out = Vec::new();
    for i in 0..n {
        let mut j = before[i];
        while let Some(at) = j {
            let (at, period) = (at as usize, i - at as usize);
            if period > longest {
                break;
            }
            let (from, to) = open[period];
            if to != at || from == to {
                close(x, period, from, to, &mut out);
                open[period] = (at, at + 1);
            } else {
                open[period].1 = at + 1;
            }
            j = before[at];
        }
    }
    for (period, (from, to)) in open.into_iter().enumerate() {
        close(x, period, from, to, &mut out);
    }
    out.sort_unstable_by_key(|t| (t.start, t.period));
    out
}

/// Writes the stretch `from..to` of matches with a distance of `period` down, when it is a tandem run.
fn close(x: &[u32], period: usize, from: usize, to: usize, out: &mut Vec<Tandem>) {
    if period == 0 || to - from < period {
        return;
    }
    let primitive = prime_divisors(period).iter().all(|d| {
        let shorter = period / d;
        (from..from + period - shorter).any(|k| x[k] != x[k + shorter])
    });
    if primitive {
        out.push(Tandem { start: from, end: to + period, period });
    }
}

/// The place before each place with an equal item.
fn previous(x: &[u32]) -> Vec<Option<u32>> {
    let n = x.len();
    let mut out = vec![None; n];
    let most = x.iter().copied().max().unwrap_or(0) as usize;
    if most < 8 * n + 1024 {
        let mut last: Vec<Option<u32>> = vec![None; most + 1];
        for (i, &key) in x.iter().enumerate() {
            out[i] = last[key as usize].replace(i as u32);
        }
    } else {
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_unstable_by_key(|&i| (x[i as usize], i));
        for pair in order.windows(2) {
            if let [a, b] = *pair
                && x[a as usize] == x[b as usize]
            {
                out[b as usize] = Some(a);
            }
        }
    }
    out
}

fn prime_divisors(mut n: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut d = 2;
    while d * d <= n {
        if n.is_multiple_of(d) {
            out.push(d);
            while n.is_multiple_of(d) {
                n /= d;
            }
        }
        d += 1;
    }
    if n > 1 {
        out.push(n);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word by word.
    fn brute_force(x: &[u32]) -> Vec<Tandem> {
        let n = x.len();
        let holds = |p: usize, a: usize, b: usize| (a..b.saturating_sub(p)).all(|i| x[i] == x[i + p]);
        let mut out = Vec::new();
        for start in 0..n {
            for period in 1..=n {
                for end in start + 2 * period..=n {
                    let longer =
                        (end < n && holds(period, start, end + 1)) || (start > 0 && holds(period, start - 1, end));
                    let primitive = (1..period).all(|q| period % q != 0 || !holds(q, start, end));
                    if holds(period, start, end) && !longer && primitive {
                        out.push(Tandem { start, end, period });
                    }
                }
            }
        }
        out
    }

    #[track_caller]
    fn check(text: &str, expected: &[(usize, usize, usize)]) {
        let items: Vec<u32> = text.bytes().map(u32::from).collect();
        let found: Vec<_> =
            tandem_runs(&items, max_period(text.len())).iter().map(|t| (t.start, t.end, t.period)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn finds_the_runs_of_small_words() {
        check("", &[]);
        check("a", &[]);
        check("aa", &[(0, 2, 1)]);
        check("aaaaaa", &[(0, 6, 1)]);
        check("ababab", &[(0, 6, 2)]);
        check("xababay", &[(1, 6, 2)]);
        check("aabaab", &[(0, 2, 1), (0, 6, 3), (3, 5, 1)]);
        check("abcabdabc", &[]);
    }

    #[test]
    fn a_long_sequence_of_one_item_is_one_run() {
        assert_eq!(tandem_runs(&[7u32; 2000], 1000), [Tandem { start: 0, end: 2000, period: 1 }]);
        assert_eq!(tandem_runs(&[7u32; 5000], max_period(5000)), [Tandem { start: 0, end: 5000, period: 1 }]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn agrees_with_the_definition(x in prop::collection::vec(0u32..3, 0..26), spread in 1u32..1_000_000) {
            // Far numbers take another way than near ones.
            let far: Vec<u32> = x.iter().map(|k| k * spread).collect();
            prop_assert_eq!(tandem_runs(&x, x.len()), brute_force(&x));
            prop_assert_eq!(tandem_runs(&far, x.len()), brute_force(&x));
        }
    }
}
