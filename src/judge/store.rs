//! Judgements and labels as they are kept and exported: by the content of the run, so that the same run finds them again
//! whatever its file is called, and another one never does.
//!
//! An answer is kept by the hash of its question (endpoint, model, words, run, sample): a question that was answered is
//! not paid for twice. Nothing here can hold a key, since nothing that is asked does.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::agreement::{self, Distance};
use super::digest;
use super::evidence::texts;
use super::session::{Judged, Setup};
use super::shrink::Coverage;
use super::verdict::There;
use crate::model::Run;

/// An answer that was paid for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    pub text: String,
    pub model: Option<String>,
    pub input: Option<u64>,
    pub output: Option<u64>,
}

/// A judgement with its circumstances.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// When it ended, RFC 3339.
    pub at: String,
    pub setup: Setup,
    pub judged: Judged,
    pub coverage: Vec<Coverage>,
    /// Hash of the other run, of a comparison in pairs.
    pub other: Option<String>,
    pub hits: u32,
    /// Values that placeholders stand for.
    pub replaced: u32,
}

/// A person's verdicts on a run, by the hash of the rubric and the criterion's id: `yes`, `no`, `na`, `unclear`.
pub type Labels = BTreeMap<(String, String), String>;

/// Names a run by what happened in it.
pub fn run_hash(run: &Run) -> String {
    let kinds = run.steps.iter().map(|s| s.kind.id());
    format!("jr1-{}", digest(kinds.chain(texts(run).map(|(_, t)| t)), 24))
}

fn number(value: Option<f64>) -> Value {
    value.map_or(Value::Null, |v| json!((v * 1e4).round() / 1e4))
}

impl Judgement {
    /// The judgement as JSON, with everything that names its series.
    pub fn to_json(&self) -> Value {
        let (setup, judged) = (&self.setup, &self.judged);
        let outcome = &judged.outcome;
        let rows: Vec<Value> = outcome
            .rows
            .iter()
            .map(|row| {
                let votes: Vec<Value> = row
                    .votes
                    .iter()
                    .map(|v| json!({"sample": v.sample + 1, "value": v.value, "confidence": v.confidence, "struck": v.struck}))
                    .collect();
                let quotes: Vec<Value> = row
                    .quotes
                    .iter()
                    .map(|q| json!({"run": q.run, "step": q.step.map(|s| s + 1), "quote": q.quote, "found": q.there == There::Yes}))
                    .collect();
                json!({
                    "criterion": row.criterion, "title": row.title, "state": row.state.id(), "value": row.value,
                    "share": number(row.share), "agreement": number(row.agreement), "unstable": row.unstable,
                    "sensitive": row.sensitive, "order_dependent": row.order_dependent, "reasoning": row.reasoning,
                    "agent": row.agent, "error": row.error, "votes": votes, "quotes": quotes,
                })
            })
            .collect();
        let failures: Vec<Value> = judged
            .failures
            .iter()
            .map(|(asked, f)| json!({"sample": asked.sample + 1, "kind": f.kind.id(), "status": f.status, "detail": f.detail}))
            .collect();
        let coverage: Vec<Value> = self
            .coverage
            .iter()
            .map(|c| json!({"steps": c.steps, "shown": c.shown, "folded": c.folded, "cut": c.cut, "share": number(Some(c.share()))}))
            .collect();
        let spent = judged.spent;
        json!({
            "at": self.at, "mode": setup.mode.id(),
            "rubric": {"name": setup.rubric.name, "version": setup.rubric.version, "hash": setup.rubric.hash(), "text": setup.rubric.write()},
            "endpoint": {"interface": setup.endpoint.api.id(), "host": setup.endpoint.host(), "model": setup.endpoint.model, "answered_as": judged.model},
            "json": judged.rung.id(), "samples": setup.samples,
            "prompt_hash": judged.prompt_hash, "schema_hash": judged.schema_hash,
            "score": number(outcome.score), "spread": number(outcome.spread), "counted": outcome.counted, "left_out": outcome.left_out,
            "control_wrong": outcome.control_wrong, "answers": outcome.answers, "injection_seen": outcome.injection_seen,
            "addresses_judge": self.hits, "judged_with_mask": judged.masked, "pairs": outcome.pairs, "flips": outcome.flips,
            "other_run": self.other, "coverage": coverage, "values_replaced": self.replaced,
            "spent": {"requests": spent.requests, "bytes": spent.bytes, "input_tokens": spent.tokens().map(|t| t.0),
                "output_tokens": spent.tokens().map(|t| t.1),
                "uncounted_requests": spent.uncounted, "kept_answers": spent.kept,
                "cost": spent.cost.map(|c| json!([number(Some(c.low)), number(Some(c.high))]))},
            "summary": outcome.summary, "rows": rows, "failures": failures,
        })
    }
}

/// The words of a label, in the order of the table.
pub const LABELS: [&str; 4] = ["yes", "no", "na", "unclear"];

/// How far judge and people agree, over all runs that both have judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Verdicts that both gave, and in how many runs.
    pub n: u32,
    pub runs: u32,
    pub same: u32,
    /// Counts by person (rows) and judge (columns), in the order of [`LABELS`].
    pub table: [[u32; 4]; 4],
    /// Value and interval; `None` below [`agreement::FEWEST`], or where it is undefined.
    pub kappa: Option<Statistic>,
    pub alpha: Option<Statistic>,
    pub ac1: Option<Statistic>,
}

/// A statistic with the middle 95 % of its bootstrap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistic {
    pub value: f64,
    pub interval: Option<(f64, f64)>,
}

/// A measure of agreement over two lists of categories.
type Measure<'a> = &'a dyn Fn(&[usize], &[usize]) -> Option<f64>;

/// Compares verdicts: one list a run, of what the person and the judge say.
pub fn agreement(runs: &[Vec<(String, String)>]) -> Agreement {
    let at = |word: &str| LABELS.iter().position(|l| *l == word);
    let tasks: Vec<Vec<(usize, usize)>> = runs
        .iter()
        .map(|r| r.iter().filter_map(|(person, judge)| Some((at(person)?, at(judge)?))).collect::<Vec<_>>())
        .filter(|t| !t.is_empty())
        .collect();
    let mut out = Agreement { runs: tasks.len() as u32, ..Agreement::default() };
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (person, judge) in tasks.iter().flatten() {
        out.n += 1;
        out.same += u32::from(person == judge);
        if let Some(cell) = out.table.get_mut(*person).and_then(|r| r.get_mut(*judge)) {
            *cell += 1;
        }
        a.push(*person);
        b.push(*judge);
    }
    if (out.n as usize) < agreement::FEWEST {
        return out;
    }
    let k = LABELS.len();
    let with = |statistic: Measure<'_>| {
        let value = statistic(&a, &b)?;
        Some(Statistic { value, interval: agreement::interval(&tasks, 1, statistic) })
    };
    out.kappa = with(&|a, b| agreement::kappa(a, b, k, Distance::Nominal));
    out.alpha = with(&|a, b| agreement::alpha(a, b, k, Distance::Nominal));
    out.ac1 = with(&|a, b| agreement::ac1(a, b, k));
    out
}
