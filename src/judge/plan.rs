//! Which requests a judgement is made of: each question as often as it is sampled, in both orders where two runs are
//! compared, and once more with the mask where a run addresses its judge; long runs in parts first.
//!
//! A request may fill [`FILL`] of the model's window, less the answer. Cost: O(bytes of the runs) a request.

use super::answer::Finding;
use super::cost;
use super::digest;
use super::evidence::Piece;
use super::inject::{Hit, Scanner};
use super::prompt::{self, Canary, Mode, Prompt};
use super::session::Setup;
use super::shrink::{self, Coverage, Line};
use super::verdict::Asked;
use crate::json::quote;
use crate::model::Repeat;

/// Share of the window that is filled: estimates are off by a quarter, and models read full windows badly.
pub const FILL: f64 = 0.65;

/// A run that is ready to be sent.
#[derive(Clone, Debug, Default)]
pub struct Material {
    pub pieces: Vec<Piece>,
    /// The same with text that addresses the judge masked; `None` when there is none.
    pub masked: Option<Vec<Piece>>,
    pub hits: Vec<Hit>,
    /// What is sent, or what the parts are made of; without and with the mask.
    pub lines: Vec<Line>,
    pub masked_lines: Vec<Line>,
    pub coverage: Coverage,
    /// Tokens in each part; `None` when the run is sent whole.
    part_budget: Option<f64>,
}

impl Material {
    /// Shortens a run until it fits beside `runs - 1` others, or makes it ready to be read in parts.
    pub fn new(pieces: Vec<Piece>, repeats: &[Repeat], setup: &Setup, runs: usize) -> Self {
        let scanner = Scanner::default();
        let hits = scanner.hits(&pieces);
        let masked = (!hits.is_empty()).then(|| scanner.mask(&pieces));
        let whole = budget(setup);
        let budget = whole / runs.max(1) as f64;
        let mut shrunk = shrink::shrink(&pieces, repeats, budget);
        let part_budget = (shrunk.tokens > budget).then_some(whole);
        if part_budget.is_some() {
            shrunk = shrink::for_parts(&pieces, repeats);
        }
        let level = shrunk.coverage.level;
        let masked_lines =
            masked.as_ref().map(|m| shrink::at_level(m, repeats, usize::from(level)).lines).unwrap_or_default();
        Self { pieces, masked, hits, lines: shrunk.lines, masked_lines, coverage: shrunk.coverage, part_budget }
    }

    fn lines(&self, masked: bool) -> &[Line] {
        if masked && self.masked.is_some() { &self.masked_lines } else { &self.lines }
    }
}

/// Tokens of the runs in one request.
fn budget(setup: &Setup) -> f64 {
    let question = cost::tokens(&setup.rubric.write()) + 900.0;
    let window = f64::from(setup.context) * FILL;
    let room = (f64::from(setup.context) - f64::from(setup.max_output)) / (1.0 + cost::MARGIN);
    (window.min(room) - question).max(400.0)
}

/// What a request asks.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The questions about whole runs.
    Whole,
    /// What a part of a run has to say: lines `from..to`.
    Part { run: u8, part: u32, of: u32, from: usize, to: usize },
    /// The questions, about what the parts said.
    Reduce { lines: Vec<Vec<Line>> },
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub asked: Asked,
    pub what: What,
    pub canary: Canary,
    /// The criteria in the order in which they are asked.
    pub order: Vec<usize>,
}

/// The requests to begin with.
pub fn tasks(setup: &Setup, runs: &[Material]) -> Vec<Task> {
    if runs.iter().any(|r| r.part_budget.is_some()) {
        return variants(runs).flat_map(|masked| parts(setup, runs, masked)).collect();
    }
    questions(setup, runs, &|_| What::Whole)
}

/// Without the mask, and with it where there is something to mask.
fn variants(runs: &[Material]) -> impl Iterator<Item = bool> + use<> {
    let masked = runs.iter().any(|r| r.masked.is_some());
    [false, true].into_iter().take(if masked { 2 } else { 1 })
}

fn questions(setup: &Setup, runs: &[Material], what: &dyn Fn(bool) -> What) -> Vec<Task> {
    let orders: &[bool] = if setup.mode == Mode::Pairwise { &[false, true] } else { &[false] };
    let mut out = Vec::new();
    for sample in 0..setup.samples.max(1) {
        for masked in variants(runs) {
            for &swapped in orders {
                let asked = Asked { sample, swapped, masked };
                let what = what(masked);
                let seed = seed(setup, sample);
                let canary = canary(runs, &what, asked, seed);
                out.push(Task { asked, what, canary, order: shuffled(setup.rubric.criteria.len(), seed) });
            }
        }
    }
    out
}

/// The same rubric is asked in another order in each sample: what depends on the order shows as spread.
fn seed(setup: &Setup, sample: u32) -> u64 {
    let text = digest([setup.rubric.hash().as_str(), &sample.to_string()], 16);
    u64::from_str_radix(&text, 16).unwrap_or_default()
}

/// The numbers below `n` in an order that follows from the seed (Fisher and Yates).
fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut out: Vec<usize> = (0..n).collect();
    let mut state = seed;
    for i in (1..n).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        out.swap(i, ((state >> 33) % (i as u64 + 1)) as usize);
    }
    out
}

fn canary(runs: &[Material], what: &What, asked: Asked, seed: u64) -> Canary {
    // Of two runs the one that stands first is asked about.
    let at = usize::from(asked.swapped && runs.len() > 1);
    let Some(run) = runs.get(at) else { return Canary::default() };
    let lines = match what {
        What::Whole => run.lines(asked.masked),
        What::Reduce { lines } => lines.get(at).map(Vec::as_slice).unwrap_or_default(),
        What::Part { .. } => return Canary::default(),
    };
    let pieces = if asked.masked { run.masked.as_deref().unwrap_or(&run.pieces) } else { &run.pieces };
    Canary::of(pieces, lines, seed, if runs.len() > 1 { " of run A" } else { "" })
}

fn parts(setup: &Setup, runs: &[Material], masked: bool) -> Vec<Task> {
    let mut out = Vec::new();
    for (n, run) in (0u8..).zip(runs) {
        let lines = run.lines(masked);
        let ranges = shrink::chunks(lines, run.part_budget.unwrap_or_else(|| budget(setup)));
        for (part, (from, to)) in (0u32..).zip(&ranges) {
            let what = What::Part { run: n, part, of: ranges.len() as u32, from: *from, to: *to };
            let asked = Asked { sample: 0, swapped: false, masked };
            out.push(Task { asked, what, canary: Canary::default(), order: Vec::new() });
        }
    }
    out
}

/// The prompt of a request.
pub fn prompt(setup: &Setup, runs: &[Material], task: &Task, fence: &str) -> Prompt {
    let masked = task.asked.masked;
    let lines = |n: usize| -> &[Line] {
        match &task.what {
            What::Reduce { lines } => lines.get(n).map(Vec::as_slice).unwrap_or_default(),
            _ => runs.get(n).map(|r| r.lines(masked)).unwrap_or_default(),
        }
    };
    if let What::Part { run, part, of, from, to } = task.what {
        let lines = lines(usize::from(run)).get(from..to).unwrap_or_default();
        let questions = prompt::questions_of(setup.mode, &setup.rubric);
        return prompt::map(&questions, (part as usize + 1, of as usize), lines, fence);
    }
    match setup.mode {
        Mode::Rubric | Mode::Taxonomy => {
            prompt::rubric(&setup.rubric, setup.mode, &task.order, lines(0), fence, &task.canary)
        }
        Mode::Localise => prompt::localise(lines(0), fence, &task.canary),
        Mode::Pairwise => {
            let (first, second) = if task.asked.swapped { (1, 0) } else { (0, 1) };
            prompt::pairwise(lines(first), lines(second), fence, &task.canary)
        }
    }
}

/// Findings that a part may have.
const FINDINGS: usize = 12;

/// The requests after the parts: what these found, where it is there, behind one line a step.
pub fn reduce_tasks(setup: &Setup, runs: &[Material], said: &[(&Task, &[Finding])]) -> Vec<Task> {
    let of = |masked: bool| {
        let each = (0u8..).zip(runs).map(|(n, run)| {
            let pieces = if masked { run.masked.as_deref().unwrap_or(&run.pieces) } else { &run.pieces };
            let mut lines = skeleton(run, pieces, budget(setup) / runs.len().max(1) as f64 / 2.0);
            let mut found: Vec<&Finding> = Vec::new();
            for (task, findings) in said {
                if task.asked.masked == masked && matches!(task.what, What::Part { run, .. } if run == n) {
                    found.extend(findings.iter().take(FINDINGS));
                }
            }
            found.sort_by_key(|f| f.step);
            // Overlapping parts find the same; what is not there is no finding.
            found.dedup_by(|a, b| a.step == b.step && a.quote == b.quote);
            for finding in found {
                let step = finding.step.checked_sub(1).and_then(|s| u32::try_from(s).ok());
                let piece =
                    step.and_then(|s| pieces.binary_search_by_key(&s, |p| p.step).ok()).and_then(|i| pieces.get(i));
                if let Some(piece) = piece.filter(|p| p.has(&finding.quote)) {
                    let text = format!(
                        "{{\"finding\":{},\"quote\":{},\"note\":{}}}",
                        finding.step,
                        quote(&finding.quote),
                        quote(&super::evidence::visible(&finding.note))
                    );
                    lines.push(Line { step: piece.step, turn: None, text });
                }
            }
            lines
        });
        each.collect::<Vec<_>>()
    };
    questions(setup, runs, &|masked| What::Reduce { lines: of(masked) })
}

/// One line a step; of very long runs, one line for several.
fn skeleton(run: &Material, pieces: &[Piece], budget: f64) -> Vec<Line> {
    let each = |p: &Piece| {
        let tool = if p.tool.is_empty() { String::new() } else { format!(",\"tool\":{}", quote(&p.tool)) };
        let failed = if p.failed { ",\"failed\":true" } else { "" };
        let step = u64::from(p.step) + 1;
        Line { step: p.step, turn: p.turn, text: format!("{{\"step\":{step},\"kind\":\"{}\"{tool}{failed}}}", p.kind) }
    };
    let lines: Vec<Line> = pieces.iter().map(each).collect();
    let tokens: f64 = lines.iter().map(|l| cost::tokens(&l.text)).sum();
    if tokens <= budget {
        return lines;
    }
    let group = ((tokens / budget.max(1.0)).ceil() as usize * 2).max(2);
    let grouped = run.pieces.chunks(group).map(|g| {
        let (first, last) = (g.first().map_or(0, |p| p.step), g.last().map_or(0, |p| p.step));
        let calls = g.iter().filter(|p| !p.tool.is_empty()).count();
        let failed = g.iter().filter(|p| p.failed).count();
        let text = format!("{{\"steps\":\"{}-{}\",\"calls\":{calls},\"failed\":{failed}}}", first + 1, last + 1);
        Line { step: first, turn: None, text }
    });
    grouped.collect()
}

/// How many requests come after the parts, and the tokens of each, about.
pub fn reduce_estimate(setup: &Setup, runs: &[Material]) -> (u32, f64) {
    let orders = if setup.mode == Mode::Pairwise { 2 } else { 1 };
    let requests = setup.samples.max(1) * orders * variants(runs).count() as u32;
    let mut tokens = cost::tokens(&setup.rubric.write()) + 900.0;
    for run in runs {
        let lines = skeleton(run, &run.pieces, budget(setup) / runs.len().max(1) as f64 / 2.0);
        tokens += lines.iter().map(|l| cost::tokens(&l.text)).sum::<f64>();
        let parts = shrink::chunks(&run.lines, run.part_budget.unwrap_or_else(|| budget(setup))).len();
        tokens += (parts * FINDINGS) as f64 * 70.0;
    }
    (requests, tokens)
}
