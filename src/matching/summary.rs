//! The verdicts of many runs against what their files say of the end. O(runs).

use crate::model::{Distance, Run, Verdict, kappa};

/// Whether the file says that the run succeeded: by its reward, else by its verdict. `None` when it does not say.
pub fn truth(run: &Run) -> Option<bool> {
    let outcome = run.outcome.as_ref()?;
    match (outcome.reward, outcome.verdict) {
        (Some(reward), _) => Some((reward - 1.0).abs() <= 1e-6),
        (None, Verdict::Passed) => Some(true),
        (None, Verdict::Failed) => Some(false),
        (None, _) => None,
    }
}

/// Verdicts by truth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confusion {
    pub true_pass: u32,
    pub false_pass: u32,
    pub false_fail: u32,
    pub true_fail: u32,
}

impl Confusion {
    pub fn n(&self) -> u32 {
        self.true_pass + self.false_pass + self.false_fail + self.true_fail
    }

    pub fn accuracy(&self) -> Option<f64> {
        let n = self.n();
        (n > 0).then(|| f64::from(self.true_pass + self.true_fail) / f64::from(n))
    }

    /// Agreement beyond chance.
    pub fn kappa(&self) -> Option<f64> {
        let cells = [(1, 1, self.true_pass), (1, 0, self.false_pass), (0, 1, self.false_fail), (0, 0, self.true_fail)];
        let list = |of: fn(&(usize, usize, u32)) -> usize| {
            cells.iter().flat_map(|c| std::iter::repeat_n(of(c), c.2 as usize)).collect::<Vec<usize>>()
        };
        kappa(&list(|c| c.0), &list(|c| c.1), 2, Distance::Nominal)
    }
}

/// Counts (verdict, truth) pairs.
pub fn confusion(verdicts: impl IntoIterator<Item = (bool, bool)>) -> Confusion {
    let mut out = Confusion::default();
    for (pass, truth) in verdicts {
        let slot = match (pass, truth) {
            (true, true) => &mut out.true_pass,
            (true, false) => &mut out.false_pass,
            (false, true) => &mut out.false_fail,
            (false, false) => &mut out.true_fail,
        };
        *slot += 1;
    }
    out
}
