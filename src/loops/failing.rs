//! D2, D2g and D5: the same call fails again, and the same failure comes again. O(n log n), plus the error texts of the
//! calls that failed more than once, each read once.

use std::collections::{BTreeMap, BTreeSet};

use super::lane::{Found, Lane};
use super::signature::{CallKind, call_kind, same_kind};
use super::{Detector, Params, Severity, WhyNot, signature};
use crate::model::CallStatus;

/// Later calls of one tool that D5 looks at for one that worked.
const MAX_LATER: usize = 1_000;

type Lines = BTreeSet<String>;

/// The error lines of failed calls, each read once.
struct Errors<'l, 'a> {
    lane: &'l Lane<'a>,
    lines: BTreeMap<usize, Lines>,
}

impl Errors<'_, '_> {
    fn of(&mut self, at: usize) -> &Lines {
        let lane = self.lane;
        self.lines.entry(at).or_insert_with(|| {
            let text = lane.call(at).and_then(|c| c.observation.as_ref()).map_or("", |o| &*o.content.text);
            signature(text)
        })
    }
}

pub fn failing(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    let failed = |at: &usize| lane.status(*at) == CallStatus::Error;
    let mut errors: BTreeMap<u32, u32> = BTreeMap::new();
    for at in (0..lane.calls.len()).filter(failed) {
        *errors.entry(lane.key(at).call).or_default() += 1;
    }
    errors.retain(|_, n| *n >= 2);
    let mut by_call: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    if !errors.is_empty() {
        for at in 0..lane.calls.len() {
            let call = lane.key(at).call;
            if errors.contains_key(&call) {
                by_call.entry(call).or_default().push(at);
            }
        }
    }
    let mut lines = Errors { lane, lines: BTreeMap::new() };
    for tries in by_call.values() {
        adjacent(lane, tries, params, found);
        if params.gap > 0 {
            gapped(lane, &mut lines, tries, params, found);
        }
    }
    same_failure(lane, &mut lines, params, found);
}

fn adjacent(lane: &Lane<'_>, tries: &[usize], params: &Params, found: &mut Found) {
    let mut from = 0;
    while from < tries.len() {
        if lane.status(tries[from]) != CallStatus::Error {
            from += 1;
            continue;
        }
        let mut to = from + 1;
        while to < tries.len() && tries[to] == tries[to - 1] + 1 && lane.status(tries[to]) == CallStatus::Error {
            to += 1;
        }
        let chain = &tries[from..to];
        if chain.len() >= params.tries as usize {
            found.spans.push(lane.chain(Detector::KeepsFailing, chain, 1));
        } else if chain.len() >= 2 {
            let (why, broken_by) = match tries.get(to) {
                Some(&next) if lane.status(next) != CallStatus::Error => (WhyNot::Succeeded, Some(next)),
                Some(&next) if params.gap == 0 => (WhyNot::TooFarApart, Some(next)),
                // With a gap allowed, the gapped form says what came of it.
                Some(_) => {
                    from = to;
                    continue;
                }
                None => (WhyNot::NotAgain, None),
            };
            found.near.push(lane.near_chain(Detector::KeepsFailing, chain, params.tries, why, broken_by));
        }
        from = to;
    }
}

fn gapped(lane: &Lane<'_>, lines: &mut Errors<'_, '_>, tries: &[usize], params: &Params, found: &mut Found) {
    let mut from = 0;
    while from < tries.len() {
        if lane.status(tries[from]) != CallStatus::Error {
            from += 1;
            continue;
        }
        let mut to = from + 1;
        let mut why = (WhyNot::NotAgain, None);
        let mut first: Option<Lines> = None;
        while let Some(&next) = tries.get(to) {
            why = if lane.status(next) != CallStatus::Error {
                (WhyNot::Succeeded, Some(next))
            } else if next - tries[to - 1] > params.gap as usize + 1 {
                (WhyNot::TooFarApart, Some(next))
            } else if !first.get_or_insert_with(|| lines.of(tries[from]).clone()).is_subset(lines.of(next)) {
                (WhyNot::OtherError, Some(next))
            } else {
                to += 1;
                why = (WhyNot::NotAgain, None);
                continue;
            };
            break;
        }
        let chain = &tries[from..to];
        let adjacent = chain.windows(2).all(|w| w[1] == w[0] + 1);
        if !adjacent && chain.len() >= params.tries as usize {
            found.spans.push(lane.chain(Detector::KeepsFailingGapped, chain, 1));
        } else if chain.len() >= 2
            && chain.len() < params.tries as usize
            && (!adjacent || why.1.is_some_and(|_| why.0 != WhyNot::Succeeded))
        {
            found.near.push(lane.near_chain(Detector::KeepsFailingGapped, chain, params.tries, why.0, why.1));
        }
        from = to;
    }
}

/// D5: calls, the same or others, that fail with the same error lines.
fn same_failure(lane: &Lane<'_>, lines: &mut Errors<'_, '_>, params: &Params, found: &mut Found) {
    let mut by_error: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let all: Vec<usize> = (0..lane.calls.len()).filter(|&at| lane.status(at) == CallStatus::Error).collect();
    if all.len() + 1 < params.failures as usize {
        return;
    }
    for &at in &all {
        let key = lines.of(at).iter().fold(String::new(), |all, line| all + line + "\n");
        if key.chars().filter(|c| c.is_alphanumeric()).count() >= 8 {
            by_error.entry(key).or_default().push(at);
        }
    }
    let mut order: Vec<&Vec<usize>> =
        by_error.values().filter(|c| c.len() >= 2 && c.len() + 1 >= params.failures as usize).collect();
    if order.is_empty() {
        return;
    }
    order.sort();
    let mut successes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for at in (0..lane.calls.len()).filter(|&at| lane.status(at) == CallStatus::Ok) {
        successes.entry(lane.key(at).tool).or_default().push(at);
    }
    let mut kinds: BTreeMap<usize, CallKind> = BTreeMap::new();
    for chain in order {
        let Some(&last) = chain.last() else { continue };
        let Some(call) = lane.call(last) else { continue };
        let kind = call_kind(call);
        let later = successes.get(&lane.key(last).tool).map(Vec::as_slice).unwrap_or_default();
        let later = later.get(later.partition_point(|&at| at < last)..).unwrap_or_default();
        let passed = later.iter().take(MAX_LATER).copied().find(|&at| {
            let Some(call) = lane.call(at) else { return false };
            same_kind(&kind, kinds.entry(at).or_insert_with(|| call_kind(call)))
        });
        if chain.len() < params.failures as usize {
            let why = if passed.is_some() { WhyNot::Succeeded } else { WhyNot::NotAgain };
            found.near.push(lane.near_chain(Detector::SameFailure, chain, params.failures, why, passed));
            continue;
        }
        let mut span = lane.chain(Detector::SameFailure, chain, 1);
        if passed.is_some() && chain.len() < params.overcome as usize {
            span.severity = Severity::Info;
        }
        found.spans.push(span);
    }
}
