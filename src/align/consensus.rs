//! Many runs against each other: what most of them do, and where they part.
//!
//! * **The middle run** has the greatest sum of shares in common with the others: 2 · pairs / actions of both, pairs as
//!   in the exact alignment. Of equal ones the first. Among many runs it is sought among the first [`MAX_SOUGHT`].
//! * **Agreement** of an action of the middle run: the runs whose alignment with it pairs that action.
//! * **The trunk** is what all runs begin with; behind it they part into branches by their next action, or end.
//!
//! Cost: O(s²·n²/64) for the s runs that are sought among, O(r·n²/64) for all r; runs count by their first
//! [`MAX_ACTIONS`] actions.

use super::Sameness;
use crate::model::{Run, common_keys, lcs};

/// The middle run is sought among so many.
pub const MAX_SOUGHT: usize = 64;
/// Runs beyond these are not looked at.
pub const MAX_RUNS: usize = 1_000;
/// Actions of a run that count.
pub const MAX_ACTIONS: usize = 2_000;

/// What several runs have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consensus {
    /// Runs that were looked at: the first ones.
    pub looked_at: usize,
    /// Index of the middle run.
    pub middle: Option<usize>,
    /// The mean of the shares that the others have in common with it; `None` without others.
    pub agreement: Option<f64>,
    /// For every action of the middle run the runs that have it, itself included, ascending.
    pub have: Vec<Vec<usize>>,
    /// Actions that all runs begin with.
    pub trunk: usize,
    /// The runs by what they do behind the trunk, most runs first, then in order of the runs. Those that end there
    /// are one too; none when all end there.
    pub branches: Vec<Branch>,
}

/// One way on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// False: these runs end.
    pub goes_on: bool,
    pub runs: Vec<usize>,
}

/// The consensus of runs, in their order.
pub fn consensus(runs: &[&Run], same: Sameness) -> Consensus {
    let runs = runs.get(..MAX_RUNS).unwrap_or(runs);
    let keys: Vec<Vec<u32>> =
        common_keys(runs).iter().map(|run| run.iter().take(MAX_ACTIONS).map(|k| same.key(k)).collect()).collect();
    let Some(middle) = middle(keys.get(..MAX_SOUGHT).unwrap_or(&keys)) else { return Consensus::default() };
    let Some(of_middle) = keys.get(middle) else { return Consensus::default() };
    let mut have = vec![Vec::new(); of_middle.len()];
    let mut shares = 0.0;
    for (at, other) in keys.iter().enumerate() {
        let pairs = lcs(of_middle, other);
        if at != middle {
            shares += share(pairs.len(), of_middle.len(), other.len());
        }
        for (i, _) in pairs {
            if let Some(list) = have.get_mut(i as usize) {
                list.push(at);
            }
        }
    }
    let trunk = (0..of_middle.len()).take_while(|&i| keys.iter().all(|k| k.get(i) == of_middle.get(i))).count();
    let mut branches: Vec<(Option<u32>, Branch)> = Vec::new();
    for (at, run) in keys.iter().enumerate() {
        let next = run.get(trunk).copied();
        match branches.iter_mut().find(|(key, _)| *key == next) {
            Some((_, branch)) => branch.runs.push(at),
            None => branches.push((next, Branch { goes_on: next.is_some(), runs: vec![at] })),
        }
    }
    let mut branches: Vec<Branch> = branches.into_iter().map(|(_, branch)| branch).collect();
    branches.sort_by(|a, b| b.runs.len().cmp(&a.runs.len()).then(a.runs.cmp(&b.runs)));
    if branches.len() == 1 && branches.iter().all(|b| !b.goes_on) {
        branches.clear();
    }
    let others = keys.len() - 1;
    let agreement = (others > 0).then(|| shares / others as f64);
    Consensus { looked_at: keys.len(), middle: Some(middle), agreement, have, trunk, branches }
}

/// 2 · pairs / actions of both; two runs without actions have everything in common.
fn share(pairs: usize, left: usize, right: usize) -> f64 {
    if left + right == 0 { 1.0 } else { 2.0 * pairs as f64 / (left + right) as f64 }
}

fn middle(keys: &[Vec<u32>]) -> Option<usize> {
    let mut sums = vec![0.0; keys.len()];
    for (i, a) in keys.iter().enumerate() {
        for (j, b) in keys.iter().enumerate().skip(i + 1) {
            let common = share(lcs(a, b).len(), a.len(), b.len());
            for at in [i, j] {
                if let Some(sum) = sums.get_mut(at) {
                    *sum += common;
                }
            }
        }
    }
    let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    sums.iter().position(|sum| *sum >= best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::notation::parse;

    fn of(texts: &[&str], same: Sameness) -> Consensus {
        let runs: Vec<Run> = texts.iter().map(|t| parse(t).unwrap()).collect();
        consensus(&runs.iter().collect::<Vec<_>>(), same)
    }

    /// (middle, agreement of its actions, trunk, branches as runs).
    #[track_caller]
    fn check(
        texts: &[&str],
        same: Sameness,
        middle: Option<usize>,
        have: &[usize],
        trunk: usize,
        branches: &[&[usize]],
    ) {
        let found = of(texts, same);
        assert_eq!(found.middle, middle, "{texts:?}");
        assert_eq!(found.have.iter().map(Vec::len).collect::<Vec<_>>(), have, "{texts:?}");
        assert_eq!(found.trunk, trunk, "{texts:?}");
        assert_eq!(found.branches.iter().map(|b| b.runs.as_slice()).collect::<Vec<_>>(), branches, "{texts:?}");
    }

    #[test]
    fn says_who_agrees_and_where_they_part() {
        use Sameness::{Call, Tool};
        check(&[], Call, None, &[], 0, &[]);
        check(&["u"], Call, Some(0), &[], 0, &[]);
        check(&["A B"], Call, Some(0), &[1, 1], 2, &[]);
        check(&["A B C", "A B C", "A X C"], Call, Some(0), &[3, 2, 3], 1, &[&[0, 1], &[2]]);
        check(&["A X", "A B C", "A B D"], Call, Some(1), &[3, 2, 1], 1, &[&[1, 2], &[0]]);
        // Other arguments are another call, and the same tool.
        check(&["A1 B", "A2 B"], Call, Some(0), &[1, 2], 0, &[&[0], &[1]]);
        check(&["A1 B", "A2 B"], Tool, Some(0), &[2, 2], 2, &[]);
        // One ends where the others go on.
        check(&["A", "A B", "A B"], Call, Some(1), &[3, 2], 1, &[&[1, 2], &[0]]);
    }

    #[test]
    fn the_share_is_a_mean_over_the_others() {
        assert_eq!(of(&["A B"], Sameness::Call).agreement, None);
        assert_eq!(of(&["A B", "A B"], Sameness::Call).agreement, Some(1.0));
        // 1 with the equal one, 2·1/4 with the other.
        assert_eq!(of(&["A B", "A B", "A X"], Sameness::Call).agreement, Some(0.75));
    }
}
