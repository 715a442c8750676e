//! Where does a sequence repeat itself at once? Maximal tandem runs, the core of loop detection and of folding.
//!
//! A tandem run (p, [a, b)) of a sequence x satisfies x[i] = x[i+p] for every a <= i < b-p, cannot be extended on
//! either side, is at least two periods long (b-a >= 2p), and p is primitive: no proper divisor of p is a period of it.
//! By the runs theorem a sequence of n items has fewer than n of them.
//! One scan a period: O(n·P·log P) in the worst case, O(n·P) in practice, for periods up to P = [`max_period`].
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

/// All maximal tandem runs with periods up to `longest`, ordered by start, then by period.
pub fn tandem_runs<T: PartialEq>(x: &[T], longest: usize) -> Vec<Tandem> {
    let n = x.len();
    let mut out = Vec::new();
    for period in 1..=longest.min(n / 2) {
        let divisors = prime_divisors(period);
        let mut matched = 0;
        for i in 0..=n - period {
            if i < n - period && x[i] == x[i + period] {
                matched += 1;
                continue;
            }
            if matched >= period {
                let start = i - matched;
                let primitive = divisors.iter().all(|d| {
                    let shorter = period / d;
                    (start..start + period - shorter).any(|k| x[k] != x[k + shorter])
                });
                if primitive {
                    out.push(Tandem { start, end: i + period, period });
                }
            }
            matched = 0;
        }
    }
    out.sort_by_key(|t| (t.start, t.period));
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
    fn brute_force(x: &[u8]) -> Vec<Tandem> {
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
        let found: Vec<_> =
            tandem_runs(text.as_bytes(), max_period(text.len())).iter().map(|t| (t.start, t.end, t.period)).collect();
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
        fn agrees_with_the_definition(x in prop::collection::vec(0u8..3, 0..26)) {
            prop_assert_eq!(tandem_runs(&x, x.len()), brute_force(&x));
        }
    }
}
