//! D1 and D1w: calls that go round, with the same results or with others. Tandem runs over K2 and K1; telling nested
//! runs apart costs O(runs · periods that cover one place).

use super::lane::{Found, Lane};
use super::{Detector, NearMiss, Params, Span, WhyNot};
use crate::model::{Tandem, max_period, tandem_runs};

pub fn cycles(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    let n = lane.calls.len();
    let longest = max_period(n).min(params.longest_period as usize);
    let exact = tandem_runs(&outcomes(lane), longest);
    let weak: Vec<u32> = lane.calls.iter().map(|&c| lane.keys[c].call).collect();
    let weak = tandem_runs(&weak, longest);
    let fires = |t: &Tandem| t.exponent() >= f64::from(params.rounds);

    let cycles: Vec<Tandem> = exact.iter().copied().filter(fires).collect();
    for (t, nested) in cycles.iter().zip(covered(&cycles, &cycles, true)) {
        found.spans.push(cycle(lane, Detector::ExactCycle, *t, nested));
    }
    // The same stretch as an exact cycle says nothing new; nor does one inside it.
    let weak: Vec<Tandem> = weak.into_iter().filter(fires).collect();
    let known = covered(&weak, &cycles, false);
    let nested = covered(&weak, &weak, true);
    for ((t, known), nested) in weak.iter().zip(known).zip(nested) {
        if !known {
            found.spans.push(cycle(lane, Detector::WeakCycle, *t, nested));
        }
    }
    let nearly: Vec<Tandem> = exact.iter().copied().filter(|t| !fires(t)).collect();
    for (t, known) in nearly.iter().zip(covered(&nearly, &cycles, false)) {
        if !known {
            found.near.push(near(lane, t, params.rounds));
        }
    }
}

/// For each of `inner` whether one of `outer` covers it, for `longer` one of a longer period. Both are in order.
fn covered(inner: &[Tandem], outer: &[Tandem], longer: bool) -> Vec<bool> {
    let mut open: Vec<Tandem> = Vec::new();
    let mut next = 0;
    let mut swept = 0;
    inner
        .iter()
        .map(|t| {
            while let Some(o) = outer.get(next).filter(|o| o.start <= t.start) {
                open.push(*o);
                next += 1;
            }
            if t.start > swept {
                swept = t.start;
                open.retain(|o| o.end > t.start);
            }
            open.iter().any(|o| t.end <= o.end && (!longer || o.period > t.period))
        })
        .collect()
}

/// What D1 compares: K2, where an unanswered call is like no other, since nobody knows what it brought. Only a last
/// call is taken for one more round: the run was cut while it did the same again.
fn outcomes(lane: &Lane<'_>) -> Vec<u32> {
    let n = lane.calls.len();
    let mut unlike = lane.keys.iter().map(|k| k.outcome.max(k.call)).max().unwrap_or(0);
    (0..n)
        .map(|at| {
            if lane.answered(at) {
                return lane.key(at).outcome;
            }
            if at + 1 == n {
                let same = |b: &usize| lane.key(*b).call == lane.key(at).call && lane.answered(*b);
                if let Some(before) = (0..at).rev().find(same) {
                    return lane.key(before).outcome;
                }
            }
            unlike += 1;
            unlike
        })
        .collect()
}

fn cycle(lane: &Lane<'_>, detector: Detector, t: Tandem, nested: bool) -> Span {
    let (start, end) = lane.bounds(t.start, t.end - 1);
    let entry = detector.entry();
    Span {
        detector,
        severity: entry.severity,
        start,
        end,
        period: t.period as u32,
        times: t.times() as u32,
        steps: lane.steps_of(t.start..t.end),
        wasted: if entry.counts_as_waste { lane.steps_of(t.start + t.period..t.end) } else { Vec::new() },
        between: 0,
        nested,
    }
}

fn near(lane: &Lane<'_>, t: &Tandem, rounds: u32) -> NearMiss {
    let (why, broken_by) = if t.end < lane.calls.len() {
        let expected = t.end - t.period;
        let same = lane.key(t.end).call == lane.key(expected).call;
        (if same { WhyNot::OtherResult } else { WhyNot::OtherCall }, Some(lane.step(t.end)))
    } else {
        (WhyNot::NotAgain, None)
    };
    let (start, end) = lane.bounds(t.start, t.end - 1);
    NearMiss {
        detector: Detector::ExactCycle,
        start,
        end,
        period: t.period as u32,
        have: t.exponent(),
        need: rounds,
        steps: lane.steps_of(t.start..t.end),
        wasted: Vec::new(),
        why,
        broken_by,
    }
}
