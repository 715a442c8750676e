//! Agreement of two raters beyond chance: Cohen's kappa, plain and weighted, and Krippendorff's alpha. O(n + k²).
//!
//! Where chance alone agrees completely, agreement beyond it is undefined: `None`, never 0.

/// How far two classes are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Equal or not.
    Nominal,
    Linear,
    Quadratic,
}

impl Distance {
    fn between(self, a: usize, b: usize) -> f64 {
        let d = a.abs_diff(b) as f64;
        match self {
            Self::Nominal => f64::from(a != b),
            Self::Linear => d,
            Self::Quadratic => d * d,
        }
    }
}

/// The table of what both raters said; pairs with a class from `k` on are left out.
struct Table {
    k: usize,
    cells: Vec<f64>,
    n: f64,
}

impl Table {
    fn new(a: &[usize], b: &[usize], k: usize) -> Self {
        let mut cells = vec![0.0; k * k];
        let mut n = 0.0;
        for (&a, &b) in a.iter().zip(b).filter(|(a, b)| **a < k && **b < k) {
            if let Some(cell) = cells.get_mut(a * k + b) {
                *cell += 1.0;
                n += 1.0;
            }
        }
        Self { k, cells, n }
    }

    fn get(&self, a: usize, b: usize) -> f64 {
        self.cells.get(a * self.k + b).copied().unwrap_or(0.0)
    }

    fn rows(&self) -> Vec<f64> {
        (0..self.k).map(|a| (0..self.k).map(|b| self.get(a, b)).sum()).collect()
    }

    fn columns(&self) -> Vec<f64> {
        (0..self.k).map(|b| (0..self.k).map(|a| self.get(a, b)).sum()).collect()
    }
}

/// Cohen's kappa of two raters over the classes `0..k`.
pub fn kappa(a: &[usize], b: &[usize], k: usize, distance: Distance) -> Option<f64> {
    let table = Table::new(a, b, k);
    let (rows, columns) = (table.rows(), table.columns());
    let (mut seen, mut chance) = (0.0, 0.0);
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            let d = distance.between(i, j);
            seen += d * table.get(i, j);
            chance += d * row * column / table.n;
        }
    }
    (table.n > 0.0 && chance > 0.0).then(|| 1.0 - seen / chance)
}

/// Krippendorff's alpha of two raters without missing values over the classes `0..k`.
pub fn alpha(a: &[usize], b: &[usize], k: usize, distance: Distance) -> Option<f64> {
    let table = Table::new(a, b, k);
    let totals: Vec<f64> = table.rows().iter().zip(table.columns()).map(|(r, c)| r + c).collect();
    let values = 2.0 * table.n;
    let (mut seen, mut chance) = (0.0, 0.0);
    for (i, left) in totals.iter().enumerate() {
        for (j, right) in totals.iter().enumerate() {
            let d = distance.between(i, j);
            seen += d * (table.get(i, j) + table.get(j, i));
            chance += d * left * right;
        }
    }
    (values > 1.0 && chance > 0.0).then(|| 1.0 - (values - 1.0) * seen / chance)
}
