//! One track of a comparison, actions or thoughts: pairs, moves, and the figures that follow from them.

use super::moves::{Move, blocks, kendall_tau, matching};
use super::soft::{Chosen, ONE, solve};
use super::units::Unit;
use crate::model::lcs;

/// How like the two elements of a pair are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    Same,
    /// One normal form.
    SameNormal,
    Similar,
}

impl Tier {
    pub fn id(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::SameNormal => "same*",
            Self::Similar => "similar",
        }
    }
}

/// A pair: indices in the track's own counting, actions or thoughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub left: u32,
    pub right: u32,
    /// In millionths.
    pub likeness: u32,
    pub tier: Tier,
}

/// A track.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The step of each element, left and right.
    pub steps: [Vec<u32>; 2],
    pub pairs: Vec<Pair>,
    pub moves: Vec<Move>,
    pub ratio: f64,
    pub coverage: [Option<f64>; 2],
    pub bag_ratio: f64,
    /// Whether `bag_ratio` and the moves are the best there are.
    pub bag_exact: bool,
    pub order_loss: f64,
    pub move_ratio: f64,
    pub kendall_tau: Option<f64>,
    /// Too long for one pass; see `soft`.
    pub anchored: bool,
    /// Elements behind the last pair.
    pub tail: [u32; 2],
}

impl Track {
    /// Aligns keys exactly.
    pub fn exact(left: &[u32], right: &[u32], left_steps: &[u32], right_steps: &[u32]) -> Self {
        let pairs: Vec<Pair> = lcs(left, right)
            .into_iter()
            .map(|(left, right)| Pair { left, right, likeness: ONE, tier: Tier::Same })
            .collect();
        let mut out = Self { steps: [left_steps.to_vec(), right_steps.to_vec()], pairs, ..Self::default() };
        // What is left of each key is paired in order: the best there is, since equal keys are interchangeable.
        let rest = |keys: &[u32], taken: &mut dyn Iterator<Item = u32>| {
            let mut free = vec![true; keys.len()];
            for at in taken {
                if let Some(slot) = free.get_mut(at as usize) {
                    *slot = false;
                }
            }
            let mut list: Vec<(u32, u32)> =
                keys.iter().zip(free).enumerate().filter(|(_, (_, f))| *f).map(|(i, (k, _))| (*k, i as u32)).collect();
            list.sort_unstable();
            list
        };
        let a = rest(left, &mut out.pairs.iter().map(|p| p.left));
        let b = rest(right, &mut out.pairs.iter().map(|p| p.right));
        let (mut a, mut b) = (a.as_slice(), b.as_slice());
        let mut moved = Vec::new();
        while let (Some(((x, left), rest_a)), Some(((y, right), rest_b))) = (a.split_first(), b.split_first()) {
            if x == y {
                moved.push(Chosen { left: *left, right: *right, weight: ONE });
            }
            a = if x <= y { rest_a } else { a };
            b = if y <= x { rest_b } else { b };
        }
        moved.sort_unstable();
        let bag = (out.pairs.len() + moved.len()) as u64 * u64::from(ONE);
        out.bag_exact = true;
        out.figures(&moved, bag);
        out
    }

    /// Aligns texts by likeness.
    pub fn soft(left: &[&Unit], right: &[&Unit], least: u32) -> Self {
        let solution = solve(left, right, least);
        let tier = |p: &Chosen| match (left.get(p.left as usize), right.get(p.right as usize)) {
            (Some(a), Some(b)) if a.raw == b.raw => Tier::Same,
            (Some(a), Some(b)) if a.normal == b.normal => Tier::SameNormal,
            _ => Tier::Similar,
        };
        let of = |p: &Chosen| Pair { left: p.left, right: p.right, likeness: p.weight, tier: tier(p) };
        let steps = |units: &[&Unit]| units.iter().map(|u| u.step).collect::<Vec<u32>>();
        let mut out = Self {
            steps: [steps(left), steps(right)],
            pairs: solution.pairs.iter().map(of).collect(),
            anchored: solution.weights.is_none(),
            ..Self::default()
        };
        let edges: Vec<Chosen> = match &solution.weights {
            Some(weights) => {
                let row = |(i, row): (usize, &Vec<(u32, u32)>)| {
                    let edge = move |(j, weight): &(u32, u32)| Chosen { left: i as u32, right: *j, weight: *weight };
                    row.iter().map(edge).collect::<Vec<_>>()
                };
                weights.iter().enumerate().flat_map(row).collect()
            }
            None => equal_rest(left, right, &solution.pairs),
        };
        let (bag, bag_exact) = matching(left.len(), right.len(), &edges, &solution.pairs);
        let mut free = [vec![true; left.len()], vec![true; right.len()]];
        for pair in &solution.pairs {
            for (side, at) in free.iter_mut().zip([pair.left, pair.right]) {
                if let Some(slot) = side.get_mut(at as usize) {
                    *slot = false;
                }
            }
        }
        let [left_free, right_free] = &free;
        let is_free = |list: &[bool], at: u32| list.get(at as usize) == Some(&true);
        let enough = least.max(ONE / 2);
        let rest: Vec<Chosen> = edges
            .into_iter()
            .filter(|e| e.weight >= enough && is_free(left_free, e.left) && is_free(right_free, e.right))
            .collect();
        let (moved, moves_exact) = matching(left.len(), right.len(), &rest, &[]);
        out.bag_exact = bag_exact && moves_exact && !out.anchored;
        out.figures(&moved, bag.iter().map(|p| u64::from(p.weight)).sum());
        out
    }

    fn figures(&mut self, moved: &[Chosen], bag: u64) {
        let (n, m) = (self.steps[0].len(), self.steps[1].len());
        let all = (n + m) as f64;
        let of = |sum: u64| match (n, m) {
            (0, 0) => 1.0,
            _ => 2.0 * sum as f64 / f64::from(ONE) / all,
        };
        let sum: u64 = self.pairs.iter().map(|p| u64::from(p.likeness)).sum();
        self.ratio = of(sum);
        self.bag_ratio = of(bag.max(sum));
        self.order_loss = self.bag_ratio - self.ratio;
        self.move_ratio = if n + m == 0 { 0.0 } else { 2.0 * moved.len() as f64 / all };
        let pairs = self.pairs.len() as f64;
        self.coverage = [n, m].map(|of| (of > 0).then(|| pairs / of as f64));
        let behind = |of: usize, last: Option<u32>| (of - last.map_or(0, |l| l as usize + 1)) as u32;
        let last = self.pairs.last();
        self.tail = [behind(n, last.map(|p| p.left)), behind(m, last.map(|p| p.right))];
        let mut all: Vec<Chosen> = moved.to_vec();
        all.extend(self.pairs.iter().map(|p| Chosen { left: p.left, right: p.right, weight: p.likeness }));
        self.kendall_tau = kendall_tau(&all);
        self.moves = blocks(moved);
    }

    /// Exchanges the sides.
    pub fn mirror(&mut self) {
        self.steps.reverse();
        self.coverage.reverse();
        self.tail.reverse();
        for pair in &mut self.pairs {
            std::mem::swap(&mut pair.left, &mut pair.right);
        }
        for m in &mut self.moves {
            std::mem::swap(&mut m.left, &mut m.right);
        }
        self.moves.sort_unstable();
    }

    /// The partner of each left or right element.
    pub fn partners(&self, side: usize) -> Vec<Option<u32>> {
        let mut out = vec![None; self.steps.get(side).map_or(0, Vec::len)];
        for pair in &self.pairs {
            let (at, partner) = if side == 0 { (pair.left, pair.right) } else { (pair.right, pair.left) };
            if let Some(slot) = out.get_mut(at as usize) {
                *slot = Some(partner);
            }
        }
        out
    }
}

/// Of lists that are too long to compare all with all: the known pairs, and what else is equal, in order.
fn equal_rest(left: &[&Unit], right: &[&Unit], known: &[Chosen]) -> Vec<Chosen> {
    let rest = |units: &[&Unit], taken: Vec<u32>| {
        let mut list: Vec<(u32, u32)> = units
            .iter()
            .enumerate()
            .filter(|(i, _)| taken.binary_search(&(*i as u32)).is_err())
            .map(|(i, u)| (u.normal, i as u32))
            .collect();
        list.sort_unstable();
        list
    };
    let a = rest(left, known.iter().map(|p| p.left).collect());
    let b = rest(right, known.iter().map(|p| p.right).collect());
    let (mut a, mut b) = (a.as_slice(), b.as_slice());
    let mut out = known.to_vec();
    while let (Some(((x, left), rest_a)), Some(((y, right), rest_b))) = (a.split_first(), b.split_first()) {
        if x == y {
            out.push(Chosen { left: *left, right: *right, weight: ONE });
        }
        a = if x <= y { rest_a } else { a };
        b = if y <= x { rest_b } else { b };
    }
    out
}
