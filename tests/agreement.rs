//! Agreement of two raters against what scikit-learn and krippendorff answered, and AC1 against a table worked by hand.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use skillscope::judge::agreement::{Distance, ac1, accuracy, alpha, interval, kappa};

fn close(ours: Option<f64>, theirs: &serde_json::Value, what: &str) {
    match (ours, theirs.as_f64()) {
        (Some(ours), Some(theirs)) => assert!((ours - theirs).abs() < 1e-9, "{what}: {ours} is not {theirs}"),
        (ours, theirs) => assert_eq!(ours, theirs, "{what}"),
    }
}

#[test]
fn vectors_of_kappa_and_alpha() {
    let folder = std::env::var("SKILLSCOPE_VECTORS")
        .unwrap_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors").display().to_string());
    let Ok(text) = std::fs::read_to_string(Path::new(&folder).join("kappa.jsonl")) else {
        eprintln!("NOT RUN: the vectors are not at {folder} (set SKILLSCOPE_VECTORS)");
        return;
    };
    let mut seen = 0;
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let ratings = |key: &str| -> Vec<usize> {
            case[key].as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect()
        };
        let (a, b, k) = (ratings("a"), ratings("b"), case["k"].as_u64().unwrap() as usize);
        close(kappa(&a, &b, k, Distance::Nominal), &case["kappa"], line);
        close(kappa(&a, &b, k, Distance::Linear), &case["kappa_linear"], line);
        close(kappa(&a, &b, k, Distance::Quadratic), &case["kappa_quadratic"], line);
        close(alpha(&a, &b, k, Distance::Nominal), &case["alpha_nominal"], line);
        close(alpha(&a, &b, k, Distance::Quadratic), &case["alpha_interval"], line);
        seen += 1;
    }
    assert_eq!(seen, 100);
}

#[test]
fn ac1_by_hand() {
    // 118 items both call "yes", 2 both call "no", 5 where only the first says "yes": 120 of 125 agree. "yes" is 241 of
    // 250 ratings, so chance is 2 · (241/250) · (9/250) = 0.069408, and AC1 = (0.96 − 0.069408) / (1 − 0.069408).
    let a: Vec<usize> = [vec![1; 118], vec![0; 2], vec![1; 5]].concat();
    let b: Vec<usize> = [vec![1; 118], vec![0; 2], vec![0; 5]].concat();
    assert_eq!(accuracy(&a, &b, 2), Some(0.96));
    let got = ac1(&a, &b, 2).unwrap();
    assert!((got - 0.890592 / 0.930592).abs() < 1e-12, "{got}");
    // Three categories, 7 of 8 agree; shares 6/16, 5/16, 5/16: chance is (60 + 55 + 55)/256/2.
    let (a, b) = ([0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2]);
    let chance = (6.0 * 10.0 + 5.0 * 11.0 + 5.0 * 11.0) / 256.0 / 2.0;
    let got = ac1(&a, &b, 3).unwrap();
    assert!((got - (0.875 - chance) / (1.0 - chance)).abs() < 1e-12, "{got}");
}

#[test]
fn what_is_undefined_is_not_a_number() {
    assert_eq!(kappa(&[], &[], 2, Distance::Nominal), None);
    assert_eq!(kappa(&[1, 1], &[1, 1], 2, Distance::Nominal), None, "chance would always agree");
    assert_eq!(alpha(&[1, 1], &[1, 1], 2, Distance::Nominal), None);
    assert_eq!(kappa(&[0, 5], &[0, 1], 2, Distance::Nominal), None, "not a category");
    assert_eq!(kappa(&[0], &[0, 1], 2, Distance::Nominal), None, "not the same items");
    assert_eq!(interval(&vec![vec![(0, 0)]; 29], 1, |a, b| accuracy(a, b, 2)), None, "too few");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn laws(pairs in prop::collection::vec((0..4usize, 0..4usize), 1..60), shift in 0..4usize) {
        let (a, b): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
        let turned = |of: &[usize]| of.iter().map(|c| (c + shift) % 4).collect::<Vec<_>>();
        let same = |x: Option<f64>, y: Option<f64>| match (x, y) {
            (Some(x), Some(y)) => (x - y).abs() < 1e-9,
            (x, y) => x == y,
        };
        // The raters may change places, nominal categories their names; whoever agrees with himself agrees wholly.
        prop_assert!(same(kappa(&a, &b, 4, Distance::Quadratic), kappa(&b, &a, 4, Distance::Quadratic)));
        prop_assert!(same(kappa(&a, &b, 4, Distance::Nominal), kappa(&turned(&a), &turned(&b), 4, Distance::Nominal)));
        prop_assert!(same(ac1(&a, &b, 4), ac1(&turned(&a), &turned(&b), 4)));
        for value in [kappa(&a, &a, 4, Distance::Linear), alpha(&a, &a, 4, Distance::Nominal), ac1(&a, &a, 4)].into_iter().flatten() {
            prop_assert!((value - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn an_interval_holds_the_value(pairs in prop::collection::vec((0..2usize, 0..2usize), 40..80), seed in any::<u64>()) {
        let (a, b): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
        let tasks: Vec<_> = pairs.iter().map(|p| vec![*p]).collect();
        let (low, high) = interval(&tasks, seed, |a, b| accuracy(a, b, 2)).unwrap();
        let value = accuracy(&a, &b, 2).unwrap();
        prop_assert!(low <= value && value <= high && low >= 0.0 && high <= 1.0, "{low} {value} {high}");
        prop_assert_eq!(interval(&tasks, seed, |a, b| accuracy(a, b, 2)), Some((low, high)));
    }
}
