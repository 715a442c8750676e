//! D3 and D4: the same thing read again, and the same question asked in other words. O(n log n), plus the arguments and
//! observations of calls that stand beside one of the same tool.

use std::collections::{BTreeMap, BTreeSet};

use super::lane::{Found, Lane};
use super::{Detector, Params, WhyNot};
use crate::json::Tape;
use crate::model::{ArgsForm, Call, CallStatus, Effect, canonical_value, fingerprint};

/// D3.
pub fn redundant(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    let is_read = |at: &usize| lane.key(*at).effect == Effect::Read && lane.answered(*at);
    // A result that comes once is nothing; most do.
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    let mut by_call: Vec<u32> = (0..lane.calls.len()).filter(is_read).map(|at| lane.key(at).outcome).collect();
    by_call.sort_unstable();
    for pair in by_call.windows(2).filter(|w| w[0] == w[1]) {
        seen.insert(pair[0], 0);
    }
    if seen.is_empty() {
        return;
    }
    let mut by_result: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for at in (0..lane.calls.len()).filter(is_read) {
        let outcome = lane.key(at).outcome;
        if seen.contains_key(&outcome) {
            by_result.entry(outcome).or_default().push(at);
        }
    }
    for reads in by_result.values() {
        let mut from = 0;
        let mut never_twice = reads.len() >= params.reads as usize;
        while from < reads.len() {
            let epoch = lane.epoch(reads[from]);
            let to = from + reads[from..].iter().take_while(|&&r| lane.epoch(r) == epoch).count();
            let chain = &reads[from..to];
            never_twice &= chain.len() == 1;
            if chain.len() >= params.reads.max(2) as usize {
                found.spans.push(lane.chain(Detector::Redundant, chain, 1));
            } else if chain.len() >= 2 {
                let next = reads.get(to).copied();
                let why = if next.is_some() { WhyNot::WorldChanged } else { WhyNot::NotAgain };
                let mut near = lane.near_chain(Detector::Redundant, chain, params.reads, why, next);
                near.wasted = near.steps[1..].to_vec();
                found.near.push(near);
            }
            from = to;
        }
        if never_twice {
            // Often enough, but never twice in one epoch: what lies between made it worth it.
            let next = reads.get(1).copied();
            found.near.push(lane.near_chain(
                Detector::Redundant,
                &reads[..1],
                params.reads,
                WhyNot::WorldChanged,
                next,
            ));
        }
    }
}

/// The string arguments of a call in canonical form, sorted by name; `None` when there are none to compare.
fn strings(call: &Call, tape: &mut Tape) -> Option<Vec<(String, String)>> {
    if call.args.form != ArgsForm::Json {
        return None;
    }
    let root = tape.parse(&call.args.raw).root();
    let mut out: Vec<(String, String)> = root
        .entries()
        .filter(|(_, v)| v.is_string())
        .map(|(name, value)| (name.into_owned(), canonical_value(value)))
        .collect();
    out.sort();
    (!out.is_empty()).then_some(out)
}

/// Whether the arguments that both have are equal, and there is one.
fn agree(a: &[(String, String)], b: &[(String, String)]) -> bool {
    let mut shared = 0;
    for (name, value) in a {
        if let Some((_, other)) = b.iter().find(|(n, _)| n == name) {
            if other != value {
                return false;
            }
            shared += 1;
        }
    }
    shared > 0
}

/// D4: reads of one tool, one behind another, that brought the same, and whose text arguments are the same.
pub fn cosmetic(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    let n = lane.calls.len();
    let need = params.cosmetic as usize;
    let mut tape = Tape::new();
    let mut from = 0;
    while from < n {
        // Cheap first: one tool, reads, answered, the same end, and more than one call among them.
        let like = |a: usize, b: usize| {
            lane.key(a).tool == lane.key(b).tool
                && lane.key(b).effect == Effect::Read
                && lane.answered(b)
                && lane.status(a) == lane.status(b)
        };
        let mut to = from + 1;
        if lane.key(from).effect == Effect::Read && lane.answered(from) {
            while to < n && like(from, to) {
                to += 1;
            }
        }
        if to - from + 1 >= need.max(2) && to - from >= 2 {
            stretch(lane, from..to, params, &mut tape, found);
        }
        from = to;
    }
}

fn stretch(lane: &Lane<'_>, range: std::ops::Range<usize>, params: &Params, tape: &mut Tape, found: &mut Found) {
    let print = |at: usize| {
        let call = lane.call(at);
        let text = call.and_then(|c| c.observation.as_ref()).map_or("", |o| &*o.content.text);
        fingerprint(text, lane.status(at) == CallStatus::Error)
    };
    let args = |at: usize, tape: &mut Tape| lane.call(at).and_then(|c| strings(c, tape));
    let need = params.cosmetic as usize;
    let mut from = range.start;
    while from < range.end {
        let mut to = from + 1;
        let mut why = (WhyNot::NotAgain, None);
        if let Some(first) = args(from, tape) {
            let mut first_print: Option<String> = None;
            while to < range.end {
                let same = lane.key(to).call == lane.key(from).call;
                if !same && !args(to, tape).is_some_and(|a| agree(&first, &a)) {
                    why = (WhyNot::OtherCall, Some(to));
                    break;
                }
                if *first_print.get_or_insert_with(|| print(from)) != print(to) {
                    why = (WhyNot::OtherResult, Some(to));
                    break;
                }
                to += 1;
            }
        }
        let chain: Vec<usize> = (from..to).collect();
        let calls: BTreeSet<u32> = chain.iter().map(|&at| lane.key(at).call).collect();
        if calls.len() >= 2 && chain.len() >= need {
            found.spans.push(lane.chain(Detector::Cosmetic, &chain, 1));
        } else if calls.len() >= 2 && chain.len() + 1 >= need && chain.len() >= 2 {
            found.near.push(lane.near_chain(Detector::Cosmetic, &chain, params.cosmetic, why.0, why.1));
        }
        from = to;
    }
}
