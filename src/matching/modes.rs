//! The modes, each with its verdict, its score and the rows that cost points. The definitions stand in `super`.

use std::collections::{BTreeMap, BTreeSet};

use super::args::{Differing, differing, in_common};
use super::graph::Graph;
use super::{Item, Options, Reference};
use crate::model::{Effect, lcs};

/// How a run is matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Exact,
    InOrder,
    AnyOrder,
    Subset,
    Unordered,
    #[default]
    Effects,
    EffectsInOrder,
    DfgFit,
}

impl Mode {
    pub const ALL: [Mode; 8] = [
        Self::Effects,
        Self::EffectsInOrder,
        Self::Exact,
        Self::InOrder,
        Self::AnyOrder,
        Self::Subset,
        Self::Unordered,
        Self::DfgFit,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::InOrder => "in_order",
            Self::AnyOrder => "any_order",
            Self::Subset => "subset",
            Self::Unordered => "unordered",
            Self::Effects => "effects",
            Self::EffectsInOrder => "effects_in_order",
            Self::DfgFit => "dfg_fit",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.id() == id)
    }

    fn on_effects(self) -> bool {
        matches!(self, Self::Effects | Self::EffectsInOrder)
    }
}

/// A call of the right tool with other arguments: indices into the items of run and reference.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongArgs {
    pub run: u32,
    pub reference: u32,
    /// Arguments in common by arguments in all.
    pub in_common: f64,
    pub keys: Vec<Differing>,
}

/// The verdict of one mode. Indices are those of the items of run and reference, whatever the mode looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub mode: Mode,
    pub pass: bool,
    pub score: f64,
    /// Calls looked at, run and reference.
    pub looked_at: [u32; 2],
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    pub f1: f64,
    pub lcs_ratio: f64,
    pub edit_distance: u32,
    pub pairs: Vec<(u32, u32)>,
    pub missing: Vec<u32>,
    pub extra: Vec<u32>,
    pub wrong_args: Vec<WrongArgs>,
    pub reordered: Vec<(u32, u32)>,
    /// Calls of forbidden tools.
    pub forbidden: Vec<u32>,
    /// Answers that were not given.
    pub answers: Vec<String>,
    /// Calls looked at whose class is unknown: they count as effects.
    pub unclassified: u32,
    /// Index of the reference that counted, of several.
    pub reference: u32,
}

/// Matches a run against the best of several references.
pub fn match_run(
    run: &[Item],
    references: &[Reference],
    mode: Mode,
    options: &Options,
    answers: &[String],
) -> Option<Verdict> {
    let forbidden: Vec<u32> = indices(run, |i| options.forbidden.iter().any(|t| **t == i.tool));
    let allowed = (mode == Mode::DfgFit).then(|| transitions_of_all(references));
    let mut best: Option<Verdict> = None;
    for (at, reference) in references.iter().enumerate() {
        let mut verdict = against(run, reference, mode, options);
        if let Some(allowed) = &allowed {
            let (fitting, all) = fit(run, allowed);
            verdict.pass = fitting == all;
            verdict.score = fitting as f64 / all as f64;
        }
        verdict.reference = at as u32;
        verdict.pass &= forbidden.is_empty() && answers.is_empty();
        let better = best.as_ref().is_none_or(|b| (verdict.pass, verdict.score) > (b.pass, b.score));
        if better {
            best = Some(verdict);
        }
    }
    best.map(|v| Verdict { forbidden, answers: answers.to_vec(), ..v })
}

fn indices(items: &[Item], test: impl Fn(&Item) -> bool) -> Vec<u32> {
    items.iter().enumerate().filter(|(_, i)| test(i)).map(|(i, _)| i as u32).collect()
}

/// What a mode looks at: everything, or the effects that did not fail.
fn looked_at(items: &[Item], mode: Mode) -> Vec<u32> {
    let effect = |i: &Item| matches!(i.effect, Effect::Change | Effect::Unknown) && !i.failed;
    indices(items, |i| !mode.on_effects() || effect(i))
}

fn pick<'a>(items: &'a [Item], at: &[u32]) -> Vec<&'a Item> {
    at.iter().filter_map(|i| items.get(*i as usize)).collect()
}

fn against(run: &[Item], reference: &Reference, mode: Mode, options: &Options) -> Verdict {
    let (run_at, reference_at) = (looked_at(run, mode), looked_at(&reference.items, mode));
    let (a, r) = (pick(run, &run_at), pick(&reference.items, &reference_at));
    let rule = |tool: &str| options.rule(tool);
    let graph = Graph::new(&a, &r, &rule);
    let matched = graph.matched();
    let n = a.len();
    let optional_left = |taken: &BTreeSet<u32>| {
        r.iter().enumerate().filter(|(j, item)| item.optional && !taken.contains(&(*j as u32))).count()
    };
    let taken: BTreeSet<u32> = matched.pairs.iter().map(|(_, j)| *j).collect();
    // An optional call that nobody made is not there.
    let m = r.len() - optional_left(&taken);
    let required = r.iter().filter(|i| !i.optional).count();
    let found = matched.pairs.iter().filter(|(_, j)| r.get(*j as usize).is_some_and(|i| !i.optional)).count();
    let pairs = matched.pairs.len();
    let share = |part: usize, of: usize| if of == 0 { 1.0 } else { part as f64 / of as f64 };
    let f1 = share(2 * pairs, n + m);
    let in_order = matched.in_order.min(n).min(m);
    let lcs_ratio = share(2 * in_order, n + m);
    let complete = found == required;
    let nothing_else = pairs == n;
    let (pass, score) = match mode {
        Mode::Exact => (exactly(&graph, &a, &r, reference.grouped), lcs_ratio),
        Mode::InOrder => (ordered_required(&graph, &r) == required, share(in_order, m)),
        Mode::AnyOrder => (complete, share(found, required)),
        Mode::Subset => (nothing_else, share(pairs, n)),
        Mode::Unordered | Mode::Effects => (complete && nothing_else, f1),
        Mode::EffectsInOrder => {
            let in_order = ordered_by_resource(&a, &r, &rule);
            (complete && nothing_else && in_order >= pairs, share(2 * in_order.min(pairs), n + m))
        }
        Mode::DfgFit => (true, 1.0),
    };
    let to_items = |(i, j): &(u32, u32)| Some((*run_at.get(*i as usize)?, *reference_at.get(*j as usize)?));
    let pairs_items: Vec<(u32, u32)> = matched.pairs.iter().filter_map(to_items).collect();
    let free = |at: &[u32], taken: BTreeSet<u32>| at.iter().copied().filter(|i| !taken.contains(i)).collect::<Vec<_>>();
    let mut extra = free(&run_at, pairs_items.iter().map(|(i, _)| *i).collect());
    let mut missing = free(&reference_at, pairs_items.iter().map(|(_, j)| *j).collect());
    missing.retain(|j| reference.items.get(*j as usize).is_some_and(|i| !i.optional));
    let wrong_args = wrong_args(run, &reference.items, &mut extra, &mut missing, options);
    Verdict {
        mode,
        pass,
        score,
        looked_at: [n as u32, m as u32],
        precision: (n > 0).then(|| share(pairs, n)),
        recall: (required > 0).then(|| share(found, required)),
        f1,
        lcs_ratio,
        edit_distance: (n + m - 2 * in_order) as u32,
        reordered: reordered(&pairs_items),
        pairs: pairs_items,
        missing,
        extra,
        wrong_args,
        forbidden: Vec::new(),
        answers: Vec::new(),
        unclassified: a.iter().filter(|i| i.effect == Effect::Unknown).count() as u32,
        reference: 0,
    }
}

/// The same calls in the same order; calls issued together in any order among themselves.
fn exactly(graph: &Graph<'_>, a: &[&Item], r: &[&Item], grouped: bool) -> bool {
    if r.iter().any(|i| i.optional) {
        return with_optional(graph, a.len(), r);
    }
    if a.len() != r.len() {
        return false;
    }
    // Lengths of the groups, one behind another.
    let groups = |items: &[&Item]| items.chunk_by(|x, y| x.group == y.group).map(<[_]>::len).collect::<Vec<usize>>();
    let mine = groups(a);
    if grouped && mine != groups(r) {
        return false;
    }
    let mut from = 0;
    mine.into_iter().all(|length| {
        let range = from..from + length;
        from += length;
        if length == 1 {
            return graph.fits(range.start, range.start);
        }
        let (a, r) = (a.get(range.clone()).unwrap_or_default(), r.get(range.clone()).unwrap_or_default());
        let fitting = graph.part(a, r);
        fitting.matched().pairs.len() == length
    })
}

/// Whether the run is the reference with some optional calls left out. O(n·m) bits.
fn with_optional(graph: &Graph<'_>, n: usize, r: &[&Item]) -> bool {
    // Whether the first i calls of the run are used up by the reference so far.
    let mut reached = vec![false; n + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for (j, item) in r.iter().enumerate() {
        let mut next = vec![false; n + 1];
        for i in 0..=n {
            if reached.get(i) != Some(&true) {
                continue;
            }
            if item.optional
                && let Some(slot) = next.get_mut(i)
            {
                *slot = true;
            }
            if i < n
                && graph.fits(i, j)
                && let Some(slot) = next.get_mut(i + 1)
            {
                *slot = true;
            }
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

/// How many of the required calls the run satisfies in order, optional ones apart.
fn ordered_required(graph: &Graph<'_>, r: &[&Item]) -> usize {
    if r.iter().all(|i| !i.optional) {
        return graph.ordered().len();
    }
    let required: Vec<&Item> = r.iter().copied().filter(|i| !i.optional).collect();
    graph.against(&required).ordered().len()
}

/// Calls in order, counted for each resource apart.
fn ordered_by_resource(a: &[&Item], r: &[&Item], rule: &dyn Fn(&str) -> super::ArgRule) -> usize {
    let mut resources: BTreeMap<String, (Vec<&Item>, Vec<&Item>)> = BTreeMap::new();
    for item in a {
        resources.entry(resource(item)).or_default().0.push(item);
    }
    for item in r {
        resources.entry(resource(item)).or_default().1.push(item);
    }
    resources.values().map(|(a, r)| Graph::new(a, r, rule).ordered().len()).sum()
}

/// What an effect is about.
fn resource(item: &Item) -> String {
    const NAMES: [&str; 6] = ["path", "file_path", "filename", "file", "url", "uri"];
    let entries = &item.args.entries;
    let named = NAMES.iter().find_map(|name| entries.iter().find(|(k, _)| k == name));
    let id = || entries.iter().find(|(k, _)| k.ends_with("_id") || k.ends_with("Id"));
    named.or_else(id).map(|(_, v)| v.clone()).unwrap_or_default()
}

/// Pairs outside the longest list of pairs in order.
fn reordered(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut by_reference = pairs.to_vec();
    by_reference.sort_by_key(|(_, j)| *j);
    let run: Vec<u32> = pairs.iter().map(|(i, _)| *i).collect();
    let turned: Vec<u32> = by_reference.iter().map(|(i, _)| *i).collect();
    let in_order: BTreeSet<u32> = lcs(&run, &turned).into_iter().map(|(at, _)| at).collect();
    pairs.iter().enumerate().filter(|(at, _)| !in_order.contains(&(*at as u32))).map(|(_, p)| *p).collect()
}

/// Candidates on each side of one tool that are compared with each other.
const MAX_WRONG: usize = 200;

/// Pairs what is missing with what is extra, of one tool, by the most arguments in common; takes them off both lists.
fn wrong_args(
    run: &[Item],
    reference: &[Item],
    extra: &mut Vec<u32>,
    missing: &mut Vec<u32>,
    options: &Options,
) -> Vec<WrongArgs> {
    let mut tools: BTreeMap<&str, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    for j in missing.iter() {
        if let Some(item) = reference.get(*j as usize) {
            tools.entry(&item.tool).or_default().1.push(*j);
        }
    }
    for i in extra.iter() {
        if let Some(lists) = run.get(*i as usize).and_then(|item| tools.get_mut(item.tool.as_str())) {
            lists.0.push(*i);
        }
    }
    let mut out: Vec<WrongArgs> = Vec::new();
    for (tool, (mine, theirs)) in tools {
        let mut candidates: Vec<(f64, u32, u32)> = Vec::new();
        for j in theirs.iter().take(MAX_WRONG) {
            for i in mine.iter().take(MAX_WRONG) {
                if let (Some(a), Some(r)) = (run.get(*i as usize), reference.get(*j as usize)) {
                    candidates.push((in_common(&a.args, &r.args), *j, *i));
                }
            }
        }
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut used_run, mut used_reference) = (BTreeSet::new(), BTreeSet::new());
        for (common, j, i) in candidates {
            if used_run.contains(&i) || used_reference.contains(&j) {
                continue;
            }
            used_run.insert(i);
            used_reference.insert(j);
            let (Some(a), Some(r)) = (run.get(i as usize), reference.get(j as usize)) else { continue };
            let keys = differing(&a.args, &r.args, &options.rule(tool));
            out.push(WrongArgs { run: i, reference: j, in_common: common, keys });
        }
    }
    out.sort_by_key(|w| (w.reference, w.run));
    extra.retain(|i| !out.iter().any(|w| w.run == *i));
    missing.retain(|j| !out.iter().any(|w| w.reference == *j));
    out
}

/// Steps from tool to tool, `None` for start and end. Calls issued together make every step from one group to the next.
fn transitions<'a>(items: &'a [Item]) -> Vec<(Option<&'a str>, Option<&'a str>)> {
    let mut out = Vec::new();
    let mut before: Vec<Option<&'a str>> = vec![None];
    let groups = items.chunk_by(|x, y| x.group == y.group).map(|g| g.iter().map(|i| Some(i.tool.as_str())).collect());
    for group in groups.chain([vec![None]]) {
        let group: Vec<Option<&str>> = group;
        for a in &before {
            out.extend(group.iter().map(|b| (*a, *b)));
        }
        before = group;
    }
    out
}

type Transitions = BTreeSet<(Option<String>, Option<String>)>;

fn transitions_of_all(references: &[Reference]) -> Transitions {
    let owned = |s: Option<&str>| s.map(str::to_owned);
    references.iter().flat_map(|r| transitions(&r.items)).map(|(a, b)| (owned(a), owned(b))).collect()
}

/// How many of the run's steps are allowed, and how many there are.
fn fit(run: &[Item], allowed: &Transitions) -> (usize, usize) {
    let steps = transitions(run);
    let owned = |s: Option<&str>| s.map(str::to_owned);
    let fitting = steps.iter().filter(|(a, b)| allowed.contains(&(owned(*a), owned(*b)))).count();
    (fitting, steps.len())
}
