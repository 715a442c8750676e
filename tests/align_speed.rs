//! How long alignment takes, against reading as much JSON. Not a test of time: it prints, and is ignored unless asked
//! for: `cargo test --profile cli --test align_speed -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Instant;

use skillscope::align::{Numbering, Track, Unit, best_pairs, text_weights};
use skillscope::model::{Actor, lcs};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// Of a vocabulary as people use it: the k-th word about as often as 1/k.
    fn word(&mut self, vocabulary: u64) -> String {
        let u = (self.below(1_000_000) as f64 + 1.0) / 1_000_000.0;
        format!("w{}", (vocabulary as f64).powf(u) as u64)
    }

    fn texts(&mut self, n: usize, words: usize, vocabulary: u64) -> Vec<String> {
        (0..n).map(|_| (0..words).map(|_| self.word(vocabulary)).collect::<Vec<_>>().join(" ")).collect()
    }
}

fn time<T>(what: &str, mut work: impl FnMut() -> T) -> T {
    let mut best = f64::MAX;
    let mut last = None;
    for _ in 0..5 {
        let start = Instant::now();
        last = Some(work());
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    println!("{what:60} {best:8.2} ms");
    last.unwrap()
}

#[test]
#[ignore = "prints times"]
fn times() {
    let mut random = Random(3);
    for (n, alphabet) in [(1_000, 50), (5_000, 50), (10_000, 50), (10_000, 5_000), (10_000, 1_000_000)] {
        let a: Vec<u32> = (0..n).map(|_| random.below(alphabet) as u32).collect();
        let b: Vec<u32> = (0..n).map(|_| random.below(alphabet) as u32).collect();
        let pairs = time(&format!("exact {n} x {n}, {alphabet} keys"), || lcs(&a, &b));
        println!("{:60} {:8}", "  pairs", pairs.len());
    }
    let a: Vec<u32> = (0..100_000).collect();
    let b: Vec<u32> = (0..100_000).map(|i| if i % 7 == 0 { 1_000_000 + i } else { i }).collect();
    time("exact 100000 x 100000, one in seven differs", || lcs(&a, &b));
    for vocabulary in [500, 3_000, 20_000] {
        let texts = random.texts(4_000, 60, vocabulary);
        let (left, right) = texts.split_at(2_000);
        let json = serde_json::to_string(&texts).unwrap();
        time(&format!("JSON of the texts, {} KB, by serde_json", json.len() / 1000), || {
            serde_json::from_str::<serde_json::Value>(&json).unwrap()
        });
        let units = |numbering: &mut Numbering, texts: &[String]| -> Vec<Unit> {
            texts.iter().filter_map(|t| numbering.unit(0, Actor::Agent, t)).collect()
        };
        let (a, b) = time(&format!("words of 4000 texts, vocabulary {vocabulary}"), || {
            let mut numbering = Numbering::default();
            (units(&mut numbering, left), units(&mut numbering, right))
        });
        let (a, b): (Vec<&Unit>, Vec<&Unit>) = (a.iter().collect(), b.iter().collect());
        let weights = time("  likeness of 2000 x 2000", || text_weights(&a, &b, 300_000));
        println!("{:60} {:8}", "  pairs above the threshold", weights.iter().map(Vec::len).sum::<usize>());
        time("  best pairs", || best_pairs(&weights, b.len()));
        time("  the whole track: pairs, moves, order", || Track::soft(&a, &b, 300_000));
    }
}
