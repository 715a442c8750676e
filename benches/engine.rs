//! What each stage of the engine costs, natively, so that a regression is found without a browser: `cargo bench --bench engine`,
//! or with a name behind it (`… -- import`). Not a test of time, and no figure of it is promised: what is promised is measured in
//! the browser by `make bench`. For a profiler: `CARGO_PROFILE_BENCH_DEBUG=1`.
//!
//! The session of 8 MB is written by `scripts/generate.mjs`; without Node.js what needs it is left out, and said so.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skillscope::align::{self, Numbering, Track, Unit};
use skillscope::engine::Workbench;
use skillscope::import::import_bytes;
use skillscope::json::Tape;
use skillscope::loops;
use skillscope::model::{Actor, Run, lcs, step_keys};
use skillscope::protocol::Job;
use skillscope::report;
use skillscope::skill::{self, Kind, Options};
use skillscope::topology::{self, Variant};
use skillscope::validate;

const MEGABYTES: u32 = 8;
const NAME: &str = "session.jsonl";
/// Likeness from which two texts are paired, in millionths.
const LEAST: u32 = 300_000;

/// Numbers that look like chance and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// Of a vocabulary as people use it: the k-th word about as often as 1/k.
    fn word(&mut self, vocabulary: u64) -> String {
        let share = (self.below(1_000_000) as f64 + 1.0) / 1_000_000.0;
        format!("w{}", (vocabulary as f64).powf(share) as u64)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The session, from the generator of the browser's benchmarks.
fn session() -> Option<Vec<u8>> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(NAME);
    let generator = root().join("scripts/generate.mjs");
    let ran = Command::new("node").arg(generator).arg(MEGABYTES.to_string()).arg(&path).args(["--seed", "7"]).output();
    match ran {
        Ok(output) if output.status.success() => std::fs::read(&path).ok(),
        _ => {
            eprintln!(
                "NOTE: the session cannot be generated (node scripts/generate.mjs), so its stages are not measured."
            );
            None
        }
    }
}

/// A session from bytes to an analysed document, as the worker does it.
fn whole(bytes: &[u8]) -> Workbench {
    let mut bench = Workbench::new();
    let size = bytes.len() as u64;
    bench.handle(Job::Open { file: 1, name: NAME.into(), size, format: None }, None, &mut |_| {});
    for chunk in bytes.chunks(2 << 20) {
        bench.handle(Job::Chunk { file: 1 }, Some(chunk), &mut |_| {});
    }
    bench.handle(Job::Finish { file: 1 }, None, &mut |_| {});
    bench.handle(Job::Assemble { files: vec![1] }, None, &mut |_| {});
    bench
}

fn stages(c: &mut Criterion) {
    let Some(bytes) = session() else { return };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(run) = import_bytes(NAME, &bytes, None).into_iter().flat_map(|i| i.runs).next() else {
        eprintln!("NOTE: no run was found in the session.");
        return;
    };
    let mut group = c.benchmark_group("session of 8 MB");
    group.sample_size(20).throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("json tape", |b| {
        let mut tape = Tape::new();
        b.iter(|| text.lines().filter(|line| black_box(tape.parse(line)).root().has("type")).count());
    });
    group.bench_function("import", |b| b.iter(|| import_bytes(NAME, black_box(&bytes), None)));
    group.bench_function("bytes to analysis", |b| b.iter(|| whole(black_box(&bytes))));
    group.finish();
    analyses(c, &run);
}

fn analyses(c: &mut Criterion, run: &Run) {
    let keys = step_keys(run);
    let files = [NAME.to_owned()];
    let mut group = c.benchmark_group("analysis of it");
    group.sample_size(20).throughput(Throughput::Elements(run.steps.len() as u64));
    group.bench_function("keys", |b| b.iter(|| step_keys(black_box(run))));
    group
        .bench_function("loops", |b| b.iter(|| loops::analyse_keyed(black_box(run), &keys, &loops::Params::default())));
    group.bench_function("findings", |b| b.iter(|| validate::check_run(0, black_box(run), &files)));
    group.bench_function("topology", |b| b.iter(|| topology::shape(black_box(run), Variant::DEFAULT)));
    group.bench_function("topology, all variants", |b| b.iter(|| topology::variants(black_box(run))));
    group.finish();
}

fn exact(c: &mut Criterion) {
    let mut random = Random(3);
    let mut group = c.benchmark_group("exact alignment");
    for (name, n, alphabet) in [("1,000, alphabet 50", 1_000, 50), ("5,000, alphabet 50", 5_000, 50)] {
        let mut list = || -> Vec<u32> { (0..n).map(|_| random.below(alphabet) as u32).collect() };
        let (a, b) = (list(), list());
        group.bench_function(name, |bench| bench.iter(|| lcs(black_box(&a), black_box(&b))));
    }
    for (name, n, edits) in
        [("200, 10 % edits", 200_u32, 10), ("5,000, 10 % edits", 5_000, 10), ("10,000, 20 % edits", 10_000, 20)]
    {
        let a: Vec<u32> = (0..n).collect();
        let b: Vec<u32> = a.iter().map(|i| if random.below(100) < edits { 1_000_000 + i } else { *i }).collect();
        group.bench_function(name, |bench| bench.iter(|| lcs(black_box(&a), black_box(&b))));
    }
    group.finish();
}

fn soft(c: &mut Criterion) {
    let mut random = Random(5);
    let texts: Vec<String> =
        (0..4_000).map(|_| (0..60).map(|_| random.word(3_000)).collect::<Vec<_>>().join(" ")).collect();
    let mut numbering = Numbering::default();
    let units: Vec<Unit> = texts.iter().filter_map(|t| numbering.unit(0, Actor::Agent, t)).collect();
    let (left, right): (Vec<&Unit>, Vec<&Unit>) =
        (units.iter().take(2_000).collect(), units.iter().skip(2_000).collect());
    let mut group = c.benchmark_group("soft alignment");
    group.sample_size(10);
    group.bench_function("2,000 x 2,000 texts of 60 words", |b| {
        b.iter(|| Track::soft(black_box(&left), black_box(&right), LEAST))
    });
    group.finish();
    comparison(c);
}

/// A run that calls one tool once for each number.
fn calls(numbers: &[u32]) -> Option<Run> {
    let calls: Vec<String> = numbers
        .iter()
        .enumerate()
        .map(|(i, n)| {
            let call = format!(
                r#"{{"id":"c{i}","type":"function","function":{{"name":"step","arguments":"{{\"n\":{n}}}"}}}}"#
            );
            let said = format!(r#"{{"role":"assistant","content":null,"tool_calls":[{call}]}}"#);
            format!(r#"{said},{{"role":"tool","tool_call_id":"c{i}","content":"ok"}}"#)
        })
        .collect();
    let text = format!(r#"{{"messages":[{{"role":"user","content":"Work."}},{}]}}"#, calls.join(","));
    import_bytes("chat.json", text.as_bytes(), None).into_iter().flat_map(|i| i.runs).next()
}

/// The whole comparison of two runs, as the page asks for it: what is around the alignment of `exact`.
fn comparison(c: &mut Criterion) {
    let mut random = Random(9);
    let numbers: Vec<u32> = (0..5_000).collect();
    let edited: Vec<u32> = numbers.iter().map(|i| if random.below(100) < 10 { 1_000_000 + i } else { *i }).collect();
    let (Some(left), Some(right)) = (calls(&numbers), calls(&edited)) else {
        eprintln!("NOTE: no runs could be made, so comparing is not measured.");
        return;
    };
    let params = align::Params::default();
    let mut group = c.benchmark_group("comparison");
    group.sample_size(20);
    group.bench_function("5,000 calls, 10 % edits", |b| {
        b.iter(|| align::compare(black_box(&left), black_box(&right), &params));
    });
    let found = align::compare(&left, &right, &params);
    group
        .bench_function("its report", |b| b.iter(|| report::compare::compare_report(&left, &right, black_box(&found))));
    group.finish();
}

fn descriptor(c: &mut Criterion) {
    let path = root().join("public/examples/skills-lighthouse/lighthouse/reserve.json");
    let bytes = std::fs::read(&path).unwrap_or_default();
    if skill::parse(&bytes).is_err() {
        eprintln!("NOTE: {} is no document, so checking is not measured.", path.display());
        return;
    }
    let mut group = c.benchmark_group("descriptor");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("bytes to verdict", |b| {
        b.iter(|| {
            let document = skill::parse(black_box(&bytes));
            document.map(|d| skill::check_as(&d.doc(), Kind::Descriptor, &Options::default()).len()).unwrap_or_default()
        });
    });
    group.finish();
}

criterion_group!(engine, stages, exact, soft, descriptor);
criterion_main!(engine);
