//! The verdicts of many runs against what their files say of the end. O(runs).

use crate::model::{Run, Verdict};

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

    /// Cohen's kappa, the agreement beyond chance; `None` when chance alone agrees in everything.
    pub fn kappa(&self) -> Option<f64> {
        let of = |cells: u32| f64::from(cells);
        let n = of(self.n());
        let (said, so) = (of(self.true_pass + self.false_pass), of(self.true_pass + self.false_fail));
        // Of n² pairs of verdict and truth, those that differ if nothing connected them.
        let chance = said * (n - so) + (n - said) * so;
        (chance > 0.0).then(|| 1.0 - n * of(self.false_pass + self.false_fail) / chance)
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
