//! How far two raters agree beyond chance: a judge model and the person who labelled the same runs.
//!
//! Ratings are categories `0..k` of the same items in the same order. What cannot be computed is `None`, never 0: with
//! one category in use there is no chance to correct for. Cost: O(items + k²); the intervals 2,000 times that.
//! Sources: Cohen 1960 (kappa), Cohen 1968 (weights), Krippendorff 2011 (alpha), Gwet 2008 (AC1), Efron 1979 (bootstrap).

/// Below this many items only raw counts are shown: an interval would promise more than there is.
pub const FEWEST: usize = 30;

/// How far apart two categories are taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Another category is another category.
    Nominal,
    /// By the number of categories between.
    Linear,
    /// By its square.
    Quadratic,
}

impl Distance {
    fn between(self, a: usize, b: usize) -> f64 {
        let gap = a.abs_diff(b) as f64;
        match self {
            Distance::Nominal => f64::from(u8::from(a != b)),
            Distance::Linear => gap,
            Distance::Quadratic => gap * gap,
        }
    }
}

/// Pairs of ratings as counts: `at(a, b)` items were `a` for the first rater and `b` for the second.
struct Table {
    k: usize,
    cells: Vec<f64>,
    n: f64,
}

impl Table {
    /// `None` when there is no item, or a rating is not below `k`.
    fn new(a: &[usize], b: &[usize], k: usize) -> Option<Self> {
        let mut table = Self { k, cells: vec![0.0; k.checked_mul(k)?], n: 0.0 };
        if a.len() != b.len() {
            return None;
        }
        for (a, b) in a.iter().zip(b) {
            if *a >= k || *b >= k {
                return None;
            }
            *table.cells.get_mut(a * k + b)? += 1.0;
            table.n += 1.0;
        }
        (table.n > 0.0).then_some(table)
    }

    fn at(&self, a: usize, b: usize) -> f64 {
        self.cells.get(a * self.k + b).copied().unwrap_or_default()
    }

    fn first(&self, a: usize) -> f64 {
        (0..self.k).map(|b| self.at(a, b)).sum()
    }

    fn second(&self, b: usize) -> f64 {
        (0..self.k).map(|a| self.at(a, b)).sum()
    }

    /// Sum over all pairs of categories.
    fn sum(&self, term: impl Fn(usize, usize) -> f64) -> f64 {
        (0..self.k).flat_map(|a| (0..self.k).map(move |b| (a, b))).map(|(a, b)| term(a, b)).sum()
    }
}

/// Share of the items on which both say the same.
pub fn accuracy(a: &[usize], b: &[usize], k: usize) -> Option<f64> {
    let table = Table::new(a, b, k)?;
    Some((0..k).map(|c| table.at(c, c)).sum::<f64>() / table.n)
}

/// Cohen's kappa, weighted by the distance. `None` when chance alone would always agree.
pub fn kappa(a: &[usize], b: &[usize], k: usize, distance: Distance) -> Option<f64> {
    let table = Table::new(a, b, k)?;
    let seen = table.sum(|a, b| distance.between(a, b) * table.at(a, b)) / table.n;
    let chance = table.sum(|a, b| distance.between(a, b) * table.first(a) * table.second(b)) / (table.n * table.n);
    (chance > 0.0).then(|| 1.0 - seen / chance)
}

/// Krippendorff's alpha of two raters. `None` when only one category is in use.
pub fn alpha(a: &[usize], b: &[usize], k: usize, distance: Distance) -> Option<f64> {
    let table = Table::new(a, b, k)?;
    let values = 2.0 * table.n;
    let of = |c: usize| table.first(c) + table.second(c);
    // Every item gives its pair in both orders.
    let seen = table.sum(|a, b| distance.between(a, b) * (table.at(a, b) + table.at(b, a))) / values;
    let chance = table.sum(|a, b| distance.between(a, b) * of(a) * of(b)) / (values * (values - 1.0));
    (chance > 0.0).then(|| 1.0 - seen / chance)
}

/// Gwet's AC1, which holds where nearly all items are of one category and kappa does not. `None` for one category.
pub fn ac1(a: &[usize], b: &[usize], k: usize) -> Option<f64> {
    let table = Table::new(a, b, k)?;
    if k < 2 {
        return None;
    }
    let seen = (0..k).map(|c| table.at(c, c)).sum::<f64>() / table.n;
    let share = |c: usize| (table.first(c) + table.second(c)) / (2.0 * table.n);
    let chance = (0..k).map(|c| share(c) * (1.0 - share(c))).sum::<f64>() / (k as f64 - 1.0);
    (chance < 1.0).then(|| (seen - chance) / (1.0 - chance))
}

/// The middle 95 % of a statistic over 2,000 samples of the tasks, drawn with replacement. A task's ratings stay together,
/// since runs of one task are not independent. The draws follow from `seed` alone. `None` below [`FEWEST`] items, or when
/// the statistic is undefined in more than one sample of twenty.
pub fn interval(
    tasks: &[Vec<(usize, usize)>],
    seed: u64,
    statistic: impl Fn(&[usize], &[usize]) -> Option<f64>,
) -> Option<(f64, f64)> {
    const SAMPLES: usize = 2_000;
    if tasks.iter().map(Vec::len).sum::<usize>() < FEWEST {
        return None;
    }
    let mut state = seed;
    let mut values: Vec<f64> = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..tasks.len() {
            let which = (u128::from(next(&mut state)) * tasks.len() as u128) >> 64;
            for (first, second) in tasks.get(which as usize)? {
                a.push(*first);
                b.push(*second);
            }
        }
        values.extend(statistic(&a, &b));
    }
    if values.len() * 20 < SAMPLES * 19 {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len() - 1) as f64 * share).round() as usize).copied();
    Some((at(0.025)?, at(0.975)?))
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
