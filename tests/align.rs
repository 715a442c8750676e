//! Alignment: the exact kernel and the soft one against plain dynamic programming, vectors of another program, and
//! tables in the one-line notation.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::property;
use proptest::prelude::*;
use skillscope::align::{
    Cause, Comparison, Numbering, ONE, Params, Relation, Sameness, Unit, Weights, best_pairs, compare, likeness,
    text_weights,
};
use skillscope::model::notation::parse;
use skillscope::model::{Actor, IndexPair, Run, lcs, lcs_of_relation, lcs_within};

/// Length of the longest common subsequence, the plain way.
fn quadratic(a: &[u32], b: &[u32]) -> usize {
    suffixes(a.len(), b.len(), |i, j| u64::from(a[i] == b[j]))[0][0] as usize
}

/// For all suffixes the greatest sum of weights that keeps the order.
fn suffixes(n: usize, m: usize, weight: impl Fn(usize, usize) -> u64) -> Vec<Vec<u64>> {
    let mut best = vec![vec![0; m + 1]; n + 1];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let with = match weight(i, j) {
                0 => 0,
                w => w + best[i + 1][j + 1],
            };
            best[i][j] = with.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    best
}

/// The leftmost best pairs, by trying every next pair in order.
fn leftmost(n: usize, m: usize, weight: impl Fn(usize, usize) -> u64) -> Vec<IndexPair> {
    let best = suffixes(n, m, &weight);
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < n && j < m && best[i][j] > 0 {
        let all = (i..n).flat_map(|x| (j..m).map(move |y| (x, y)));
        let fits = |(x, y): &(usize, usize)| match weight(*x, *y) {
            0 => false,
            w => w + best[x + 1][y + 1] == best[i][j],
        };
        let Some((x, y)) = all.clone().find(fits) else { break };
        out.push((x as u32, y as u32));
        (i, j) = (x + 1, y + 1);
    }
    out
}

#[track_caller]
fn are_common(a: &[u32], b: &[u32], pairs: &[IndexPair]) {
    assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1), "in order: {pairs:?}");
    assert!(pairs.iter().all(|(i, j)| a[*i as usize] == b[*j as usize]), "equal: {pairs:?}");
}

fn keys(alphabet: u32, length: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..alphabet, 0..length)
}

#[test]
fn exact_is_the_leftmost_longest_common_subsequence() {
    let sides = (1u32..6).prop_flat_map(|k| (keys(k, 40), keys(k, 40)));
    property(400, &sides, |(a, b)| {
        let found = lcs(&a, &b);
        prop_assert_eq!(&found, &leftmost(a.len(), b.len(), |i, j| u64::from(a[i] == b[j])));
        let relation =
            lcs_of_relation(a.len(), b.len(), |i| (0..b.len() as u32).filter(|j| a[i] == b[*j as usize]).collect());
        prop_assert_eq!(&found, &relation);
        Ok(())
    });
}

/// More than one word of bits, frequent and rare keys, and every way out for long inputs.
#[test]
fn exact_agrees_with_the_crate_in_all_its_ways() {
    let sides = (2u32..400).prop_flat_map(|k| (keys(k, 300), keys(k, 300)));
    property(150, &sides, |(a, b)| {
        let length = similar::capture_diff_slices(similar::Algorithm::Lcs, &a, &b)
            .iter()
            .map(|op| if let similar::DiffOp::Equal { len, .. } = op { *len } else { 0 })
            .sum::<usize>();
        for bits in [usize::MAX, 5_000, 300, 1] {
            let found = lcs_within(&a, &b, bits);
            are_common(&a, &b, &found);
            prop_assert_eq!(found.len(), length, "with {} bits", bits);
        }
        Ok(())
    });
}

#[test]
fn exact_on_ends_and_nothing() {
    assert_eq!(lcs(&[], &[]), []);
    assert_eq!(lcs(&[1], &[]), []);
    assert_eq!(lcs(&[1, 2], &[1, 2]), [(0, 0), (1, 1)]);
    assert_eq!(lcs(&[1, 2, 3], &[1, 9, 3]), [(0, 0), (2, 2)]);
    assert_eq!(lcs(&[1, 2], &[1, 3, 1, 2]), [(0, 0), (1, 3)], "a common beginning stays together");
    assert_eq!(lcs(&[7; 130], &[7; 200]).len(), 130);
}

#[test]
fn vectors_rapidfuzz_lcs() {
    let Some(lines) = common_vectors("rapidfuzz_lcs.jsonl") else { return };
    let mut checked = 0;
    for line in lines.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let side = |name: &str| -> Vec<u32> {
            v[name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u32).collect()
        };
        let (a, b) = (side("a"), side("b"));
        let found = lcs(&a, &b);
        are_common(&a, &b, &found);
        assert_eq!(found.len() as u64, v["lcs"].as_u64().unwrap(), "{line}");
        // Distance by insertion and deletion over the sum of lengths, as they define it; and as we do.
        let all = (a.len() + b.len()) as f64;
        let ratio = if all == 0.0 { 1.0 } else { 2.0 * found.len() as f64 / all };
        assert!((ratio - v["indel_norm_sim"].as_f64().unwrap()).abs() < 1e-12, "{line}");
        checked += 1;
    }
    assert_eq!(checked, 500);
}

fn common_vectors(name: &str) -> Option<String> {
    let folder = std::env::var("SKILLSCOPE_VECTORS").unwrap_or_else(|_| "../shared/vectors".into());
    let path = std::path::Path::new(&folder).join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("{} is not here: nothing was checked", path.display());
    }
    text
}

/// Random sparse weights.
fn weights(n: usize, m: usize, values: &'static [u32]) -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(prop::sample::select(values), m), n)
}

fn sparse(dense: &[Vec<u32>]) -> Weights {
    let row = |row: &Vec<u32>| row.iter().enumerate().filter(|(_, w)| **w > 0).map(|(j, w)| (j as u32, *w)).collect();
    dense.iter().map(row).collect()
}

#[test]
fn soft_is_the_leftmost_best_sum() {
    static VALUES: [u32; 8] = [0, 0, 0, 300_000, 500_000, 700_000, ONE, ONE];
    let sides = (0usize..20, 0usize..90).prop_flat_map(|(n, m)| (Just(m), weights(n, m, &VALUES)));
    property(300, &sides, |(m, dense)| {
        let value = |i: usize, j: usize| match dense[i][j] {
            0 => 0,
            w => (u64::from(w) << 20) + 1,
        };
        let found = best_pairs(&sparse(&dense), m);
        let pairs: Vec<IndexPair> = found.iter().map(|p| (p.left, p.right)).collect();
        prop_assert_eq!(&pairs, &leftmost(dense.len(), m, value));
        prop_assert!(found.iter().all(|p| p.weight == dense[p.left as usize][p.right as usize]));
        Ok(())
    });
}

#[test]
fn soft_with_likeness_of_0_and_1_is_exact() {
    let sides = (1u32..6).prop_flat_map(|k| (keys(k, 60), keys(k, 140)));
    property(200, &sides, |(a, b)| {
        let dense: Vec<Vec<u32>> = a.iter().map(|x| b.iter().map(|y| ONE * u32::from(x == y)).collect()).collect();
        let soft: Vec<IndexPair> = best_pairs(&sparse(&dense), b.len()).iter().map(|p| (p.left, p.right)).collect();
        prop_assert_eq!(soft, lcs(&a, &b));
        prop_assert_eq!(lcs(&a, &b).len(), quadratic(&a, &b));
        Ok(())
    });
}

/// A text of words from a small vocabulary, so that likeness takes all values.
fn text() -> impl Strategy<Value = String> {
    static WORDS: [&str; 12] =
        ["parser", "test", "file", "the", "error", "retry", "讀取檔案", "column", "branch", "42", "commit", "```"];
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..9).prop_map(|words| words.join(" "))
}

#[test]
fn likeness_is_counted_as_it_is_defined() {
    let sides = (prop::collection::vec(text(), 0..12), prop::collection::vec(text(), 0..12), 1u32..ONE);
    property(200, &sides, |(a, b, least)| {
        let mut numbering = Numbering::default();
        let mut units = |texts: &[String]| -> Vec<Unit> {
            texts.iter().enumerate().filter_map(|(i, t)| numbering.unit(i as u32, Actor::Agent, t)).collect()
        };
        let (a, b) = (units(&a), units(&b));
        let found = text_weights(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>(), least);
        for (x, row) in a.iter().zip(&found) {
            for (j, y) in b.iter().enumerate() {
                let common = x.words.iter().filter(|w| y.words.contains(w)).count() as f64;
                let all = (x.words.len() + y.words.len()) as f64 - common;
                let s = if x.normal == y.normal { 1.0 } else { common / all };
                prop_assert!((f64::from(likeness(x, y)) / f64::from(ONE) - s).abs() < 1e-6);
                let listed = row.iter().find(|(k, _)| *k as usize == j).map_or(0, |(_, w)| *w);
                let expected = if likeness(x, y) >= least { likeness(x, y) } else { 0 };
                prop_assert_eq!(listed, expected);
            }
        }
        Ok(())
    });
}

/// Runs of thoughts, calls, messages and failures from a small vocabulary, in the notation.
fn run() -> impl Strategy<Value = String> {
    static PIECES: [&str; 18] = [
        "A1",
        "A2",
        "B1",
        "B2=x",
        "B2=y",
        "C1!",
        "C1",
        "[A1 B3]",
        "u\"please go on\"",
        "s\"done with the parser now\"",
        "\"look at the parser file\"",
        "\"look at the failing test file\"",
        "\"commit the branch\"",
        "\"\"",
        "\"retry the failing column test\"",
        "D1<A1 \"sub task parser\" B1>",
        "c",
        "n",
    ];
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..16).prop_map(|p| p.join(" "))
}

fn two(left: &str, right: &str, params: &Params) -> (Run, Run, Comparison) {
    let (left, right) = (parse(left).unwrap(), parse(right).unwrap());
    let found = compare(&left, &right, params);
    (left, right, found)
}

fn params() -> impl Strategy<Value = Params> {
    (prop::sample::select(&Sameness::ALL[..]), 15u32..70)
        .prop_map(|(same, t)| Params { same, threshold: f64::from(t) / 100.0 })
}

#[test]
fn a_run_against_itself_is_the_same() {
    property(150, &(run(), params()), |(text, params)| {
        let (run, _, found) = two(&text, &text, &params);
        for track in [&found.actions, &found.thoughts] {
            prop_assert_eq!((track.ratio, track.order_loss, track.bag_ratio), (1.0, 0.0, 1.0));
            prop_assert!(track.moves.is_empty() && track.pairs.iter().all(|p| p.left == p.right));
        }
        prop_assert_eq!(&found.divergence, &None);
        prop_assert!(found.other_action.is_empty() && found.other_thought.is_empty());
        prop_assert!(found.rows.iter().all(|r| r.relation == Relation::Same && r.steps[0] == r.steps[1]));
        let shown = found.rows.len();
        let expected = run.steps.iter().filter(|s| s.is_action() || !s.content.is_empty()).count();
        prop_assert_eq!(shown, expected);
        Ok(())
    });
}

#[test]
fn exchanged_sides_exchange_the_result() {
    property(200, &(run(), run(), params()), |(left, right, params)| {
        let (a, b, found) = two(&left, &right, &params);
        let turned = compare(&b, &a, &params);
        for (x, y) in [(&found.actions, &turned.actions), (&found.thoughts, &turned.thoughts)] {
            let pairs: Vec<_> = y.pairs.iter().map(|p| (p.right, p.left, p.likeness, p.tier)).collect();
            let expected: Vec<_> = x.pairs.iter().map(|p| (p.left, p.right, p.likeness, p.tier)).collect();
            prop_assert_eq!(pairs, expected);
            prop_assert_eq!((x.ratio, x.order_loss, x.kendall_tau), (y.ratio, y.order_loss, y.kendall_tau));
            prop_assert_eq!((x.coverage[0], x.tail[0]), (y.coverage[1], y.tail[1]));
            let mut moves: Vec<_> = y.moves.iter().map(|m| (m.right, m.left, m.length)).collect();
            moves.sort_unstable();
            prop_assert_eq!(moves, x.moves.iter().map(|m| (m.left, m.right, m.length)).collect::<Vec<_>>());
        }
        let there = found.divergence.as_ref().map(|d| (d.cause, d.at, d.downstream));
        let back =
            turned.divergence.as_ref().map(|d| (d.cause, [d.at[1], d.at[0]], [d.downstream[1], d.downstream[0]]));
        prop_assert_eq!(there, back);
        let mut rows: Vec<_> = turned.rows.iter().map(|r| [r.steps[1], r.steps[0]]).collect();
        let mut expected: Vec<_> = found.rows.iter().map(|r| r.steps).collect();
        rows.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(rows, expected);
        Ok(())
    });
}

#[test]
fn figures_stay_within_their_bounds() {
    property(300, &(run(), run(), params()), |(left, right, params)| {
        let (a, b, found) = two(&left, &right, &params);
        for track in [&found.actions, &found.thoughts] {
            prop_assert!((0.0..=1.0).contains(&track.ratio), "{}", track.ratio);
            prop_assert!((0.0..=1.0).contains(&track.bag_ratio) && track.order_loss >= 0.0 && track.bag_exact);
            prop_assert!((0.0..=1.0).contains(&track.move_ratio));
            prop_assert!(track.kendall_tau.is_none_or(|t| (-1.0..=1.0).contains(&t)));
            prop_assert!(track.pairs.windows(2).all(|w| w[0].left < w[1].left && w[0].right < w[1].right));
            let moved: u32 = track.moves.iter().map(|m| m.length).sum();
            let [n, m] = [track.steps[0].len(), track.steps[1].len()];
            prop_assert!(track.pairs.len() + moved as usize <= n.min(m));
        }
        // Every shown step is in one row, in the order of its side.
        for (side, run) in [&a, &b].into_iter().enumerate() {
            let steps: Vec<u32> = found.rows.iter().filter_map(|r| r.steps[side]).collect();
            prop_assert!(steps.windows(2).all(|w| w[0] < w[1]), "{steps:?}");
            let shown = run.steps.iter().filter(|s| s.is_action() || !s.content.is_empty()).count();
            prop_assert_eq!(steps.len(), shown);
        }
        // The pairs of the actions' track are rows.
        for pair in &found.actions.pairs {
            let steps = [0, 1].map(|s| {
                let at = if s == 0 { pair.left } else { pair.right };
                Some(found.actions.steps[s][at as usize])
            });
            prop_assert!(found.rows.iter().any(|r| r.steps == steps));
        }
        Ok(())
    });
}

/// Aligns two one-line runs and compares with `ratio order_loss | cause left right (thoughts)`.
#[track_caller]
fn check(left: &str, right: &str, expected: &str) {
    let (_, _, found) = two(left, right, &Params::default());
    let index = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
    let parted = match &found.divergence {
        None => "none".to_owned(),
        Some(d) => {
            let unit = if d.is_action { "" } else { " (thoughts)" };
            format!("{} {} {}{unit}", d.cause.id(), index(d.at[0]), index(d.at[1]))
        }
    };
    let track = &found.actions;
    assert_eq!(format!("{:.2} {:.2} | {parted}", track.ratio, track.order_loss), expected, "{left}  ×  {right}");
}

#[test]
fn tables() {
    check("", "", "1.00 0.00 | none");
    check("A1", "", "0.00 0.00 | ended 0 -");
    check("A1 B2 C3", "A1 B2 C3", "1.00 0.00 | none");
    check("A1 B2 C3", "A1 C3", "0.80 0.00 | other_tool 1 1");
    check("A1 B2 C3", "A1 B3 C3", "0.67 0.00 | other_arguments 1 1");
    check("A1=x B2", "A1=y B2", "1.00 0.00 | other_result 0 0");
    check("A1=x B2 C3", "A1=y D2 C3", "0.67 0.00 | other_result 0 0");
    check("A1! B2", "A1 B2", "1.00 0.00 | other_result 0 0");
    // What changes by itself is no other result, nor is one word of many.
    check("A1=\"took 0.31s\" B2", "A1=\"took 0.42s\" B2", "1.00 0.00 | none");
    check("A1=\"one two three four five\" B2", "A1=\"one two three four six\" B2", "1.00 0.00 | none");
    check("A1 B2", "A1 B2 C3", "0.80 0.00 | ended - 2");
    check("A1 B2 C3 D4", "C3 D4 A1 B2", "0.50 0.50 | other_tool 0 0");
    check("\"read the parser\" A1", "\"read the parser\" B1", "0.00 0.00 | other_tool 0 0");
    check("\"read the parser\" A1", "\"delete everything now\" B1", "0.00 0.00 | other_thought 0 0");
    check("\"read the parser\" A1 B1", "\"delete everything now\" A1 C1", "0.50 0.00 | other_tool 1 1");
    check("A1 s\"all tests pass\"", "A1 s\"giving up, sorry\"", "1.00 0.00 | other_thought 0 0 (thoughts)");
    check("A1 s\"all tests pass\"", "A1", "1.00 0.00 | ended 0 - (thoughts)");
    check("u\"one\" A1", "u\"two\" A1", "1.00 0.00 | none");
}

#[test]
fn what_is_the_same_is_the_persons_choice() {
    let ratio = |same| two("A1=x B1", "A2=y B1=z", &Params { same, ..Params::default() }).2.actions.ratio;
    assert_eq!((ratio(Sameness::Tool), ratio(Sameness::Call), ratio(Sameness::Outcome)), (1.0, 0.5, 0.0));
    let strict = Params { same: Sameness::Outcome, ..Params::default() };
    let (_, _, found) = two("A1=\"one two three four five\"", "A1=\"one two three four six\"", &strict);
    assert_eq!(found.divergence.map(|d| d.cause), Some(Cause::OtherResult));
}

#[test]
fn moves_are_blocks() {
    let (_, _, found) = two("A1 B2 C3 D4 E5", "C3 D4 E5 A1 B2", &Params::default());
    let moves: Vec<_> = found.actions.moves.iter().map(|m| (m.left, m.right, m.length)).collect();
    assert_eq!(moves, [(0, 3, 2)]);
    assert_eq!((found.actions.move_ratio, found.actions.bag_ratio), (0.4, 1.0));
    let (_, _, found) = two("A1 B2", "B2 A1", &Params::default());
    assert_eq!(found.actions.kendall_tau, Some(-1.0));
}

#[test]
fn the_order_without_order_is_the_best_there_is() {
    static VALUES: [u32; 6] = [0, 0, 310_000, 400_000, 650_000, ONE];
    let sides = (1usize..6, 1usize..6).prop_flat_map(|(n, m)| (Just(m), weights(n, m, &VALUES)));
    property(200, &sides, |(m, dense)| {
        fn best(dense: &[Vec<u32>], i: usize, used: u32) -> u64 {
            let Some(row) = dense.get(i) else { return 0 };
            let mut most = best(dense, i + 1, used);
            for (j, w) in row.iter().enumerate().filter(|(j, _)| used & 1 << j == 0) {
                most = most.max(u64::from(*w) + best(dense, i + 1, used | 1 << j));
            }
            most
        }
        let mut edges = Vec::new();
        for (i, row) in sparse(&dense).into_iter().enumerate() {
            edges.extend(row.into_iter().map(|(j, weight)| skillscope::align::Chosen {
                left: i as u32,
                right: j,
                weight,
            }));
        }
        let (found, exact) = skillscope::align::matching(dense.len(), m, &edges, &[]);
        let sum: u64 = found.iter().map(|p| u64::from(p.weight)).sum();
        prop_assert!(exact);
        prop_assert_eq!(sum, best(&dense, 0, 0));
        Ok(())
    });
}

#[test]
fn thoughts_cross_actions() {
    let (left, right, found) = two(
        "\"look at the parser\" A1 \"now commit the branch\" B1",
        "\"look at the parser\" C1 \"something entirely different\" B1",
        &Params::default(),
    );
    let call = |run: &Run, step: u32| run.steps[step as usize].call.as_deref().unwrap().tool.to_string();
    assert_eq!(found.other_action.len(), 1);
    let cross = found.other_action[0];
    assert_eq!((call(&left, cross.actions[0]), call(&right, cross.actions[1])), ("A".into(), "C".into()));
    assert_eq!(found.other_thought.len(), 1);
    assert_eq!(found.other_thought[0].actions, [3, 3]);
}

#[test]
fn withheld_thoughts_are_counted() {
    let (_, _, found) = two("\"\" A1 \"\" B1", "\"a thought\" A1", &Params::default());
    assert_eq!(found.withheld, [2, 0]);
    assert_eq!(found.thoughts.ratio, 0.0);
}

#[test]
fn downstream_counts_what_follows() {
    let (_, _, found) = two("A1@10:1 B1@20:2:0.5 C1@30:3:0.25 D1@40:4", "A1 B2 C1", &Params::default());
    let [left, right] = found.divergence.unwrap().downstream;
    assert_eq!((left.actions, left.tokens, left.cost), (2, Some(77), Some(0.25)));
    assert_eq!((right.actions, right.tokens, right.cost), (1, None, None));
    assert_eq!((left.seconds, right.seconds), (Some(2.0), Some(1.0)));
}

/// Ten thousand on ten thousand, and texts beyond one pass.
#[test]
fn long_inputs_keep_their_shape() {
    let mut state = 7u64;
    let mut next = |of: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % of
    };
    let a: Vec<u32> = (0..3_000).map(|_| next(50) as u32).collect();
    let b: Vec<u32> = (0..3_000).map(|_| next(50) as u32).collect();
    let found = lcs(&a, &b);
    are_common(&a, &b, &found);
    assert_eq!(found.len(), lcs_within(&a, &b, 1 << 20).len());
    let mut numbering = Numbering::default();
    let units: Vec<Unit> = (0..2_300)
        .map(|i| numbering.unit(i, Actor::Agent, &format!("step {} of the plan {}", next(40), i % 700)).unwrap())
        .collect();
    let all: Vec<&Unit> = units.iter().collect();
    let track = skillscope::align::Track::soft(&all, &all, 300_000);
    assert!(track.anchored && !track.bag_exact);
    assert_eq!(track.ratio, 1.0, "what is equal at both ends stays together");
    let (head, tail) = all.split_at(1_000);
    let turned: Vec<&Unit> = tail.iter().chain(head).copied().collect();
    let track = skillscope::align::Track::soft(&all, &turned, 300_000);
    assert!(track.anchored && track.ratio > 0.4 && track.ratio <= track.bag_ratio, "{}", track.ratio);
    assert!(track.pairs.windows(2).all(|w| w[0].left < w[1].left && w[0].right < w[1].right));
}
