//! Checks of a run: findings with rule, place and remedy. Never fails, never changes the run. O(steps).
//! The rules' ids and severities are in `model::RULES`, their sentences in `message::findings`.

use std::collections::BTreeMap;

use crate::format;
use crate::json::Tape;
use crate::model::{ArgsForm, CallStatus, Finding, ImportReport, Place, Run, Span, StepKind, rule};

/// At most this many findings of one rule; a hostile file would otherwise give one a step.
const MAX_PER_RULE: usize = 1000;
/// Clocks of different writers of one log disagree by less than this.
const CLOCK_SLACK_MS: i64 = 1000;

/// Collects findings of one run.
struct Findings<'a> {
    run: u32,
    files: &'a [String],
    out: Vec<Finding>,
    counts: BTreeMap<&'static str, usize>,
}

impl Findings<'_> {
    fn add(&mut self, id: &'static str, step: Option<usize>, span: &Span, args: &[(&str, String)], related: Vec<u32>) {
        let Some(rule) = rule(id) else { return };
        let count = self.counts.entry(rule.id).or_insert(0);
        *count += 1;
        if *count > MAX_PER_RULE {
            return;
        }
        self.out.push(Finding {
            rule: rule.id.to_owned(),
            severity: rule.severity,
            run: Some(self.run),
            step: step.map(|s| s as u32),
            place: Place {
                file: self.files.get(span.file as usize).cloned().unwrap_or_default(),
                line: (span.line > 0).then_some(span.line),
                column: None,
                pointer: span.pointer.to_string(),
            },
            args: args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect(),
            related,
        });
    }
}

/// Checks a run. `files` are the names of the document's files, by [`Span::file`].
pub fn check_run(index: u32, run: &Run, files: &[String]) -> Vec<Finding> {
    let mut f = Findings { run: index, files, out: Vec::new(), counts: BTreeMap::new() };
    calls(run, &mut f);
    ids(run, &mut f);
    clocks(run, &mut f);
    thoughts(run, &mut f);
    totals(run, &mut f);
    f.out
}

fn calls(run: &Run, f: &mut Findings<'_>) {
    for (i, step) in run.steps.iter().enumerate() {
        if step.kind == StepKind::Orphan {
            let id = step.label.as_deref().unwrap_or("–").chars().take(60).collect();
            f.add("result-without-call", Some(i), &step.span, &[("id", id)], Vec::new());
        }
        let Some(call) = step.call.as_deref() else { continue };
        let tool: String = call.tool.chars().take(60).collect();
        // A provider's web search says itself how it ended, and no observation follows.
        if call.observation.is_none() && call.status == CallStatus::Unknown {
            f.add("call-unanswered", Some(i), &step.span, &[("tool", tool.clone())], Vec::new());
        }
        if call.args.form == ArgsForm::Broken {
            let mut tape = Tape::new();
            tape.load(&call.args.raw);
            let at = tape.fatal().map_or(0, |fault| fault.at);
            let column = call.args.raw.get(..at).unwrap_or_default().chars().count() + 1;
            f.add("args-not-json", Some(i), &step.span, &[("tool", tool), ("column", column.to_string())], Vec::new());
        }
        if let Some(spawn) = call.spawn.as_deref().filter(|s| s.lane.is_none() && s.agent_id.is_some()) {
            let agent = spawn.agent_id.clone().unwrap_or_default().chars().take(60).collect();
            let calls = spawn.calls.map_or_else(|| format::UNKNOWN.to_owned(), format::count);
            f.add("subagent-missing", Some(i), &step.span, &[("agent", agent), ("calls", calls)], Vec::new());
        }
    }
}

/// One id for several calls of a lane.
fn ids(run: &Run, f: &mut Findings<'_>) {
    let mut seen: BTreeMap<(u16, &str), Vec<u32>> = BTreeMap::new();
    for (i, step) in run.steps.iter().enumerate() {
        if let Some(id) = step.call.as_deref().and_then(|c| c.id.as_deref()) {
            seen.entry((step.lane, id)).or_default().push(i as u32);
        }
    }
    let mut reused: Vec<_> = seen.into_iter().filter(|(_, steps)| steps.len() > 1).collect();
    reused.sort_by(|a, b| a.1.cmp(&b.1));
    for ((_, id), steps) in reused {
        let Some(second) = steps.get(1).copied() else { continue };
        let Some(step) = run.steps.get(second as usize) else { continue };
        let args = [("id", id.chars().take(60).collect()), ("n", steps.len().to_string())];
        f.add("id-reused", Some(second as usize), &step.span, &args, steps.into_iter().take(100).collect());
    }
}

/// Steps of one lane that are dated before the step in front of them. Calls of one batch have no order.
fn clocks(run: &Run, f: &mut Findings<'_>) {
    let mut last: BTreeMap<u16, i64> = BTreeMap::new();
    for (i, step) in run.steps.iter().enumerate() {
        let Some(at) = step.at else { continue };
        let before = last.insert(step.lane, at.ms);
        if let Some(before) = before
            && at.ms + CLOCK_SLACK_MS < before
        {
            let by = format::duration((before - at.ms) as f64);
            f.add("time-backwards", Some(i), &step.span, &[("by", by)], Vec::new());
        }
    }
    for (i, step) in run.steps.iter().enumerate() {
        if let (Some(from), Some(to)) = (step.at, step.observation().and_then(|o| o.at))
            && to.ms + CLOCK_SLACK_MS < from.ms
        {
            let by = format::duration((from.ms - to.ms) as f64);
            let span = step.observation().map(|o| o.span.clone()).unwrap_or_default();
            f.add("time-backwards", Some(i), &span, &[("by", by)], Vec::new());
        }
    }
}

/// Empty thoughts, as one finding: a provider withholds all of them or none.
fn thoughts(run: &Run, f: &mut Findings<'_>) {
    let empty: Vec<u32> = run
        .steps
        .iter()
        .enumerate()
        .filter(|(_, s)| s.kind == StepKind::Thought && s.content.is_empty())
        .map(|(i, _)| i as u32)
        .collect();
    let Some(first) = empty.first().copied() else { return };
    let Some(step) = run.steps.get(first as usize) else { return };
    let n = empty.len().to_string();
    f.add("thought-empty", Some(first as usize), &step.span, &[("n", n)], empty.into_iter().take(100).collect());
}

/// The file's own totals against the sum of its turns.
fn totals(run: &Run, f: &mut Findings<'_>) {
    let Some(stated) = &run.totals else { return };
    if run.turns.iter().any(|t| t.usage.is_empty()) {
        return;
    }
    let sum = run.turns.iter().fold(crate::model::Usage::default(), |sum, t| sum.plus(&t.usage));
    for (what, stated, sum) in [("input", stated.input, sum.input), ("output", stated.output, sum.output)] {
        if let (Some(stated), Some(sum)) = (stated, sum)
            && stated != sum
        {
            let args = [("what", what.to_owned()), ("stated", format::count(stated)), ("sum", format::count(sum))];
            f.add("totals-differ", None, &Span::default(), &args, Vec::new());
        }
    }
}

/// What the import itself found, as findings of the document: unknown kinds and repairs.
pub fn check_import(report: &ImportReport) -> Vec<Finding> {
    let finding = |id: &str, line: u32, args: Vec<(String, String)>| {
        let rule = rule(id)?;
        Some(Finding {
            rule: rule.id.to_owned(),
            severity: rule.severity,
            run: None,
            step: None,
            place: Place {
                file: report.file.clone(),
                line: (line > 0).then_some(line),
                column: None,
                pointer: String::new(),
            },
            args,
            related: Vec::new(),
        })
    };
    let unknown = report.unknown.iter().filter_map(|(kind, n)| {
        finding("unknown-record", 0, vec![("kind".into(), kind.clone()), ("n".into(), n.to_string())])
    });
    let repaired = report.repairs.iter().filter(|r| r.kind != "cut-off").filter_map(|r| {
        finding(
            "repaired",
            r.line,
            vec![("what".into(), format!("@repair.{}", r.kind)), ("n".into(), r.count.to_string())],
        )
    });
    unknown.chain(repaired).collect()
}
