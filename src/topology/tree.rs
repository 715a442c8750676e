//! The run as an ordered tree, and its canonical text (the definition is in the module's own documentation).
//! Building O(n log n); a text O(n·P) with fold, O(n log n) without; anonymous names as documented.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Symbol, Variant, netstring, symbol_of};
use crate::model::{LaneId, LaneTree, Run, StepKind, max_period, tandem_runs};

/// Sub-agents of sub-agents beyond this depth are written as empty.
const MAX_DEPTH: usize = 64;
/// Passes of the fold, and rounds of the colour refinement.
const MAX_PASSES: usize = 64;
/// Orders of tying names that are tried.
const MAX_ORDERS: usize = 720;
/// Bytes of text that trying them may write.
const MAX_TRIED_BYTES: usize = 64 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Call,
    Result,
    Compaction,
    /// A sub-agent whose call is not known.
    Agent,
}

struct Item {
    kind: Kind,
    name: Option<usize>,
    failed: bool,
    sub: Option<Seq>,
}

/// A sequence of groups; a group has one item or the members of a batch.
type Seq = Vec<Vec<Item>>;

/// A run, reduced to what its shape is made of.
pub struct Tree {
    root: Seq,
    names: Vec<String>,
    exact: bool,
}

impl Tree {
    pub fn of(run: &Run) -> Tree {
        let mut builder = Builder {
            run,
            lanes: LaneTree::of(run),
            seen: BTreeSet::new(),
            ids: HashMap::new(),
            names: Vec::new(),
            exact: true,
        };
        let mut root = builder.seq(0, 0);
        // Lanes that start each other in a circle: at the end, so that nothing is lost.
        let rest: Vec<LaneId> = builder.lanes.steps.keys().copied().collect();
        for lane in rest {
            if !builder.seen.contains(&lane) && !builder.counted(lane).is_empty() {
                let sub = builder.seq(lane, 1);
                root.push(vec![Item { kind: Kind::Agent, name: None, failed: false, sub: Some(sub) }]);
            }
        }
        Tree { root, names: builder.names, exact: builder.exact }
    }

    /// The canonical text, and whether no limit was met.
    pub fn canonical(&self, variant: Variant) -> (String, bool) {
        let status = variant.symbol == Symbol::Status;
        match variant.symbol {
            Symbol::Shape => (Writer { labels: None, status, fold: variant.fold }.seq(&self.root, None), self.exact),
            Symbol::Named | Symbol::Status => {
                (Writer { labels: Some(&self.names), status, fold: variant.fold }.seq(&self.root, None), self.exact)
            }
            Symbol::Anon => {
                let Numbering { order, ties, .. } = self.numbering();
                let write = |order: &[usize]| {
                    let mut labels = vec![String::new(); self.names.len()];
                    for (number, &name) in order.iter().enumerate() {
                        labels[name] = number.to_string();
                    }
                    Writer { labels: Some(&labels), status, fold: variant.fold }.seq(&self.root, None)
                };
                let first = write(&order);
                let orders = ties.iter().try_fold(1usize, |all, tie| {
                    (1..=tie.len()).try_fold(all, |all, n| all.checked_mul(n)).filter(|all| *all <= MAX_ORDERS)
                });
                match orders {
                    Some(1) => (first, self.exact),
                    Some(orders) if orders.saturating_mul(first.len()) <= MAX_TRIED_BYTES => {
                        let best = (0..orders).map(|k| write(&permuted(&order, &ties, k))).min().unwrap_or(first);
                        (best, self.exact)
                    }
                    _ => (first, false),
                }
            }
        }
    }

    fn numbering(&self) -> Numbering {
        let mut places = Vec::new();
        places_of(&self.root, &mut places);
        let mut later: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.names.len()];
        let mut nested = vec![false; self.names.len()];
        for (at, place) in places.iter().enumerate() {
            for (&name, &count) in &place.counts {
                later[name].push((at, count));
                nested[name] |= place.complex;
            }
        }
        let mut numbering = Numbering { order: Vec::new(), ties: Vec::new(), seen: vec![false; self.names.len()] };
        let mut colours: Option<Vec<u32>> = None;
        for (at, place) in places.iter().enumerate() {
            let mut fresh: Vec<usize> = place.counts.keys().copied().filter(|&n| !numbering.seen[n]).collect();
            if fresh.is_empty() {
                continue;
            }
            // A fresh name's list of places begins here, so the lists compare by (how often here, later places).
            debug_assert!(fresh.iter().all(|&n| later[n].first().is_some_and(|p| p.0 == at)));
            fresh.sort_by(|&a, &b| later[b].cmp(&later[a]));
            let mut from = 0;
            while from < fresh.len() {
                let to = from + fresh[from..].iter().take_while(|&&n| later[n] == later[fresh[from]]).count();
                if to - from > 1 && fresh[from..to].iter().any(|&n| nested[n]) {
                    let colours = colours.get_or_insert_with(|| self.colours());
                    fresh[from..to].sort_by_key(|&n| colours[n]);
                    let mut start = from;
                    while start < to {
                        let end = start
                            + fresh[start..to].iter().take_while(|&&n| colours[n] == colours[fresh[start]]).count();
                        if end - start > 1 {
                            let base = numbering.order.len();
                            numbering.ties.push(base + start..base + end);
                        }
                        start = end;
                    }
                }
                from = to;
            }
            for &name in &fresh {
                numbering.seen[name] = true;
            }
            numbering.order.extend(fresh);
        }
        numbering
    }

    /// Stable colours of the names.
    fn colours(&self) -> Vec<u32> {
        let mut colours = vec![0u32; self.names.len()];
        let mut classes = usize::from(!self.names.is_empty());
        for _ in 0..MAX_PASSES {
            let labels: Vec<String> = colours.iter().map(u32::to_string).collect();
            let mut paths: Vec<Vec<Vec<usize>>> = vec![Vec::new(); self.names.len()];
            let writer = Writer { labels: Some(&labels), status: false, fold: false };
            paths_of(&self.root, &writer, &mut Vec::new(), &mut paths);
            for list in &mut paths {
                list.sort();
            }
            let keys: Vec<(u32, &Vec<Vec<usize>>)> = colours.iter().copied().zip(&paths).collect();
            let distinct: BTreeSet<_> = keys.iter().copied().collect();
            let ranks: BTreeMap<_, u32> = distinct.into_iter().zip(0..).collect();
            let new: Vec<u32> = keys.iter().map(|k| ranks.get(k).copied().unwrap_or(0)).collect();
            let done = ranks.len() == classes;
            classes = ranks.len();
            colours = new;
            if done {
                break;
            }
        }
        colours
    }
}

struct Numbering {
    /// Names by number.
    order: Vec<usize>,
    /// Stretches of `order` whose names may not be interchangeable, though nothing tells them apart.
    ties: Vec<std::ops::Range<usize>>,
    seen: Vec<bool>,
}

/// The `k`-th of all orders of the names within each tie (factorial number system).
fn permuted(order: &[usize], ties: &[std::ops::Range<usize>], mut k: usize) -> Vec<usize> {
    let mut out = order.to_vec();
    for tie in ties {
        let mut pool: Vec<usize> = order[tie.clone()].to_vec();
        for at in tie.clone() {
            let n = pool.len();
            out[at] = pool.remove(k % n);
            k /= n;
        }
    }
    out
}

/// A group of the main order, with all names inside.
struct PlaceOf {
    counts: BTreeMap<usize, u32>,
    /// A batch that holds a sub-agent.
    complex: bool,
}

fn places_of(seq: &Seq, out: &mut Vec<PlaceOf>) {
    for group in seq {
        let mut place = PlaceOf { counts: BTreeMap::new(), complex: false };
        if let [item] = group.as_slice() {
            if let Some(name) = item.name {
                place.counts.insert(name, 1);
            }
            out.push(place);
            if let Some(sub) = &item.sub {
                places_of(sub, out);
            }
        } else {
            for item in group {
                place.complex |= item.sub.is_some();
                count(item, &mut place.counts);
            }
            out.push(place);
        }
    }
}

fn count(item: &Item, counts: &mut BTreeMap<usize, u32>) {
    if let Some(name) = item.name {
        *counts.entry(name).or_default() += 1;
    }
    for item in item.sub.iter().flatten().flatten() {
        count(item, counts);
    }
}

fn paths_of(seq: &Seq, writer: &Writer<'_>, path: &mut Vec<usize>, out: &mut [Vec<Vec<usize>>]) {
    for (place, group) in seq.iter().enumerate() {
        path.push(place);
        let texts: Vec<String> =
            if group.len() > 1 { group.iter().map(|i| writer.item(i)).collect() } else { Vec::new() };
        let distinct: BTreeSet<&String> = texts.iter().collect();
        for (i, item) in group.iter().enumerate() {
            if let Some(text) = texts.get(i) {
                path.push(distinct.range::<&String, _>(..text).count());
            }
            if let Some(list) = item.name.and_then(|n| out.get_mut(n)) {
                list.push(path.clone());
            }
            if let Some(sub) = &item.sub {
                paths_of(sub, writer, path, out);
            }
            if !texts.is_empty() {
                path.pop();
            }
        }
        path.pop();
    }
}

struct Builder<'a> {
    run: &'a Run,
    lanes: LaneTree,
    seen: BTreeSet<LaneId>,
    /// Looked up only.
    ids: HashMap<String, usize>,
    names: Vec<String>,
    exact: bool,
}

impl Builder<'_> {
    /// The steps of a lane that count.
    fn counted(&self, lane: LaneId) -> Vec<u32> {
        let counts = |&at: &u32| {
            let kind = self.run.steps.get(at as usize).map(|s| s.kind);
            matches!(kind, Some(StepKind::Action | StepKind::Orphan | StepKind::Compaction))
        };
        self.lanes.steps.get(&lane).into_iter().flatten().copied().filter(counts).collect()
    }

    fn seq(&mut self, lane: LaneId, depth: usize) -> Seq {
        self.seen.insert(lane);
        if depth > MAX_DEPTH {
            self.exact = false;
            return Seq::new();
        }
        let mut out = Seq::new();
        let mut batches: BTreeMap<u32, usize> = BTreeMap::new();
        let lost = self.lanes.loose.remove(&lane).unwrap_or_default();
        let mut lost = lost.into_iter().peekable();
        for at in self.counted(lane) {
            while let Some((_, sub)) = lost.next_if(|l| l.0 < at) {
                self.lost(sub, depth, &mut out);
            }
            let Some(step) = self.run.steps.get(at as usize) else { continue };
            let (kind, name) = match (step.kind, &step.call) {
                (StepKind::Action, Some(call)) => (Kind::Call, Some(&*call.tool)),
                (StepKind::Compaction, _) => (Kind::Compaction, None),
                _ => (Kind::Result, step.label.as_deref().or(step.name.as_deref())),
            };
            let (failed, batch) = (step.failed(), step.batch);
            let name = name.map(|n| self.name(n));
            let sub =
                self.lanes.started.get(&at).copied().filter(|l| !self.seen.contains(l)).map(|l| self.seq(l, depth + 1));
            let item = Item { kind, name, failed, sub };
            match batch.and_then(|b| batches.get(&b)).and_then(|&at| out.get_mut(at)) {
                Some(group) => group.push(item),
                None => {
                    if let Some(batch) = batch {
                        batches.insert(batch, out.len());
                    }
                    out.push(vec![item]);
                }
            }
        }
        for (_, sub) in lost {
            self.lost(sub, depth, &mut out);
        }
        out
    }

    fn lost(&mut self, lane: LaneId, depth: usize, out: &mut Seq) {
        if !self.seen.contains(&lane) && !self.counted(lane).is_empty() {
            let sub = self.seq(lane, depth + 1);
            out.push(vec![Item { kind: Kind::Agent, name: None, failed: false, sub: Some(sub) }]);
        }
    }

    fn name(&mut self, name: &str) -> usize {
        let symbol = symbol_of(name);
        let next = self.names.len();
        let id = *self.ids.entry(symbol.clone()).or_insert(next);
        if id == next {
            self.names.push(symbol);
        }
        id
    }
}

/// Writes canonical texts. Recursion is as deep as sub-agents nest, which is bounded.
struct Writer<'a> {
    labels: Option<&'a [String]>,
    status: bool,
    fold: bool,
}

impl Writer<'_> {
    fn seq(&self, seq: &Seq, head: Option<String>) -> String {
        let mut texts: Vec<String> = head.into_iter().chain(seq.iter().map(|g| self.group(g))).collect();
        if self.fold {
            texts = fold(texts);
        }
        wrap('(', &texts, ')')
    }

    fn group(&self, group: &[Item]) -> String {
        let mut texts: Vec<String> = group.iter().map(|i| self.item(i)).collect();
        if texts.len() == 1 {
            return texts.swap_remove(0);
        }
        texts.sort();
        wrap('{', &texts, '}')
    }

    fn item(&self, item: &Item) -> String {
        match &item.sub {
            None => self.leaf(item, false),
            Some(sub) => {
                let head = (item.kind != Kind::Agent).then(|| self.leaf(item, true));
                format!("<{}>", self.seq(sub, head))
            }
        }
    }

    fn leaf(&self, item: &Item, spawns: bool) -> String {
        let mut out = String::from(match item.kind {
            Kind::Call if spawns => "spawn",
            Kind::Call => "call",
            Kind::Result => "result?",
            Kind::Compaction => "compaction",
            Kind::Agent => "agent",
        });
        if let Some(label) = self.labels.and_then(|l| l.get(item.name?)) {
            out.push(':');
            out.push_str(label);
        }
        if self.status && item.failed {
            out.push('!');
        }
        out
    }
}

fn wrap(open: char, texts: &[String], close: char) -> String {
    let mut out = String::with_capacity(texts.iter().map(|t| t.len() + 8).sum::<usize>() + 2);
    out.push(open);
    for text in texts {
        netstring(text, &mut out);
    }
    out.push(close);
    out
}

fn fold(mut texts: Vec<String>) -> Vec<String> {
    // Looked up only.
    let mut ids: HashMap<String, u32> = HashMap::new();
    for _ in 0..MAX_PASSES {
        let keys: Vec<u32> = texts
            .iter()
            .map(|text| match ids.get(text) {
                Some(&id) => id,
                None => {
                    let id = ids.len() as u32;
                    ids.insert(text.clone(), id);
                    id
                }
            })
            .collect();
        let runs = tandem_runs(&keys, max_period(keys.len()));
        if runs.is_empty() {
            break;
        }
        let mut out = Vec::with_capacity(texts.len());
        let mut done = 0;
        for run in runs {
            if run.start < done {
                continue;
            }
            out.extend_from_slice(&texts[done..run.start]);
            out.push(format!("+{}", wrap('(', &texts[run.start..run.start + run.period], ')')));
            done = run.start + run.times() * run.period;
        }
        out.extend_from_slice(&texts[done..]);
        texts = out;
    }
    texts
}
