//! Which call of the run stands for which call of the reference: as many pairs as possible, in order first.
//!
//! Where the argument rule of a tool divides its calls into classes, pairs are counted by class, O(n + m). Elsewhere a
//! maximum matching is found by Hopcroft and Karp's method over the pairs that the rule allows, O(E·√V).

use std::collections::{BTreeMap, VecDeque};

use super::Item;
use super::args::{ArgRule, satisfies};
use crate::model::{IndexPair, lcs, lcs_of_relation};

/// Pairs (run, reference) that may be compared one by one; above, an order is not looked for.
const MAX_COMPARED: usize = 16_000_000;

/// The pairs and the longest list of pairs in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matched {
    /// (run, reference), by run.
    pub pairs: Vec<IndexPair>,
    /// Length of the longest common subsequence.
    pub in_order: usize,
}

/// Calls of both sides with what the rules say of them.
pub struct Graph<'a> {
    rule: &'a dyn Fn(&str) -> ArgRule,
    run: &'a [&'a Item],
    reference: &'a [&'a Item],
    /// The class of each call whose rule has classes.
    run_classes: Vec<Option<u32>>,
    reference_classes: Vec<Option<u32>>,
    /// For calls without class: what they satisfy, ascending.
    edges: Vec<Vec<u32>>,
}

impl<'a> Graph<'a> {
    pub fn new(run: &'a [&'a Item], reference: &'a [&'a Item], rule: &'a dyn Fn(&str) -> ArgRule) -> Self {
        let rule_of = rule;
        let mut rules: BTreeMap<&str, ArgRule> = BTreeMap::new();
        let mut classes: BTreeMap<(&str, String), u32> = BTreeMap::new();
        let mut open: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        let mut class = |list: &'a [&'a Item], mut open: Option<&mut BTreeMap<&'a str, Vec<u32>>>| {
            let mut out = Vec::with_capacity(list.len());
            for (i, item) in list.iter().enumerate() {
                let rule = rules.entry(&item.tool).or_insert_with(|| rule(&item.tool));
                if rule.is_equivalence() {
                    let next = classes.len() as u32;
                    out.push(Some(*classes.entry((&item.tool, item.args.class(rule))).or_insert(next)));
                } else {
                    out.push(None);
                    if let Some(open) = open.as_mut() {
                        open.entry(&item.tool).or_default().push(i as u32);
                    }
                }
            }
            out
        };
        let run_classes = class(run, None);
        let reference_classes = class(reference, Some(&mut open));
        let mut edges = vec![Vec::new(); run.len()];
        for ((edges, item), class) in edges.iter_mut().zip(run).zip(&run_classes) {
            if class.is_some() {
                continue;
            }
            let rule = rule(&item.tool);
            let candidates = open.get(item.tool.as_str()).map(Vec::as_slice).unwrap_or_default();
            let fits = |j: &&u32| reference.get(**j as usize).is_some_and(|r| satisfies(&item.args, &r.args, &rule));
            edges.extend(candidates.iter().filter(fits));
        }
        Self { rule: rule_of, run, reference, run_classes, reference_classes, edges }
    }

    /// The same run and rules against another list.
    pub fn against<'b>(&self, reference: &'b [&'b Item]) -> Graph<'b>
    where
        'a: 'b,
    {
        Graph::new(self.run, reference, self.rule)
    }

    /// The same rules for parts of both sides.
    pub fn part<'b>(&self, run: &'b [&'b Item], reference: &'b [&'b Item]) -> Graph<'b>
    where
        'a: 'b,
    {
        Graph::new(run, reference, self.rule)
    }

    /// Whether a call of the run satisfies a call of the reference.
    pub fn fits(&self, run: usize, reference: usize) -> bool {
        match (self.run_classes.get(run), self.reference_classes.get(reference)) {
            (Some(Some(a)), Some(Some(b))) => a == b,
            (Some(None), Some(None)) => {
                self.edges.get(run).is_some_and(|e| e.binary_search(&(reference as u32)).is_ok())
            }
            _ => false,
        }
    }

    /// The longest list of pairs that keeps both orders, the leftmost by the run.
    pub fn ordered(&self) -> Vec<IndexPair> {
        let (n, m) = (self.run.len(), self.reference.len());
        let classes = |list: &[Option<u32>]| list.iter().copied().collect::<Option<Vec<u32>>>();
        if let (Some(a), Some(b)) = (classes(&self.run_classes), classes(&self.reference_classes)) {
            return lcs(&a, &b);
        }
        if n.saturating_mul(m) > MAX_COMPARED {
            return Vec::new();
        }
        lcs_of_relation(n, m, |i| (0..m).filter(|j| self.fits(i, *j)).map(|j| j as u32).collect())
    }

    /// A maximum matching; among those first one that pairs as many of the `required` reference calls as possible.
    pub fn matched(&self) -> Matched {
        let ordered = self.ordered();
        let mut partner: Vec<Option<u32>> = vec![None; self.run.len()];
        let mut owner: Vec<Option<u32>> = vec![None; self.reference.len()];
        let required = |j: usize| self.reference.get(j).is_some_and(|r| !r.optional);
        // Optional calls wait until the others have theirs.
        for (i, j) in ordered.iter().filter(|(_, j)| required(*j as usize)) {
            join(&mut partner, &mut owner, *i, *j);
        }
        self.by_class(&mut partner, &mut owner, &required);
        self.augment(&mut partner, &mut owner, &required);
        self.by_class(&mut partner, &mut owner, &|_| true);
        self.augment(&mut partner, &mut owner, &|_| true);
        let pairs = partner.iter().enumerate().filter_map(|(i, j)| j.map(|j| (i as u32, j))).collect();
        Matched { pairs, in_order: ordered.len() }
    }

    /// Pairs what is free in each class, in order.
    fn by_class(&self, partner: &mut [Option<u32>], owner: &mut [Option<u32>], allowed: &dyn Fn(usize) -> bool) {
        let mut free: BTreeMap<u32, VecDeque<u32>> = BTreeMap::new();
        for (j, (class, owner)) in self.reference_classes.iter().zip(owner.iter()).enumerate() {
            if let (Some(class), None, true) = (class, owner, allowed(j)) {
                free.entry(*class).or_default().push_back(j as u32);
            }
        }
        for (i, class) in self.run_classes.iter().enumerate() {
            let Some(class) = class else { continue };
            if partner.get(i) == Some(&None)
                && let Some(j) = free.get_mut(class).and_then(VecDeque::pop_front)
            {
                join(partner, owner, i as u32, j);
            }
        }
    }

    /// Hopcroft and Karp over the calls without class, from the pairs there are.
    fn augment(&self, partner: &mut [Option<u32>], owner: &mut [Option<u32>], allowed: &dyn Fn(usize) -> bool) {
        let n = self.run.len();
        loop {
            // Distance of each run call from a free one, over alternating paths.
            let mut distance = vec![u32::MAX; n];
            let mut queue: VecDeque<u32> = VecDeque::new();
            for i in 0..n {
                if partner.get(i) == Some(&None) && self.edges.get(i).is_some_and(|e| !e.is_empty()) {
                    if let Some(d) = distance.get_mut(i) {
                        *d = 0;
                    }
                    queue.push_back(i as u32);
                }
            }
            let mut reaches_free = false;
            while let Some(i) = queue.pop_front() {
                let next = distance.get(i as usize).map_or(0, |d| d + 1);
                for j in self.edges.get(i as usize).into_iter().flatten().filter(|j| allowed(**j as usize)) {
                    match owner.get(*j as usize).copied().flatten() {
                        None => reaches_free = true,
                        Some(held) => {
                            if let Some(d) = distance.get_mut(held as usize).filter(|d| **d == u32::MAX) {
                                *d = next;
                                queue.push_back(held);
                            }
                        }
                    }
                }
            }
            if !reaches_free {
                return;
            }
            // Edges that were tried in this round are not tried again.
            let mut tried = vec![0usize; n];
            let mut grown = false;
            for start in 0..n as u32 {
                if partner.get(start as usize) == Some(&None) && distance.get(start as usize) == Some(&0) {
                    grown |= self.extend(start, partner, owner, &mut distance, &mut tried, allowed);
                }
            }
            if !grown {
                return;
            }
        }
    }

    /// Looks for a path from `start` to a free reference call, and turns it over. Depth first without recursion.
    fn extend(
        &self,
        start: u32,
        partner: &mut [Option<u32>],
        owner: &mut [Option<u32>],
        distance: &mut [u32],
        tried: &mut [usize],
        allowed: &dyn Fn(usize) -> bool,
    ) -> bool {
        // Run calls on the path, each with the reference call that led on from it.
        let mut path: Vec<(u32, u32)> = Vec::new();
        let mut at = start;
        loop {
            let edges = self.edges.get(at as usize).map(Vec::as_slice).unwrap_or_default();
            let Some(next) = tried.get_mut(at as usize) else { return false };
            let Some(j) = edges.get(*next).copied() else {
                // A dead end: back, and never here again in this round.
                if let Some(d) = distance.get_mut(at as usize) {
                    *d = u32::MAX;
                }
                match path.pop() {
                    Some((before, _)) => at = before,
                    None => return false,
                }
                continue;
            };
            *next += 1;
            if !allowed(j as usize) {
                continue;
            }
            match owner.get(j as usize).copied().flatten() {
                None => {
                    path.push((at, j));
                    for (i, j) in path {
                        join(partner, owner, i, j);
                    }
                    return true;
                }
                Some(held) => {
                    let here = distance.get(at as usize).copied().unwrap_or(u32::MAX);
                    let there = distance.get(held as usize).copied();
                    if here != u32::MAX && there == Some(here + 1) {
                        path.push((at, j));
                        at = held;
                    }
                }
            }
        }
    }
}

fn join(partner: &mut [Option<u32>], owner: &mut [Option<u32>], i: u32, j: u32) {
    if let (Some(p), Some(o)) = (partner.get_mut(i as usize), owner.get_mut(j as usize)) {
        *p = Some(j);
        *o = Some(i);
    }
}
