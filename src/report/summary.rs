//! The header of a run: figures, topology, the verdict in one sentence. O(steps).

use super::detail::usage;
use super::rows::tool_label;
use super::shape::{LoopSummary, OutcomeSummary, RunSummary, SeverityCounts, TopologySummary, VerdictLine};
use crate::format;
use crate::loops::{Detector, Loops, Severity as LoopSeverity, Verdict as LoopVerdict};
use crate::model::{Finding, Run, Severity, StepKind, Verdict};
use crate::topology::{Hash, Variant};

/// Builds the summary. `variants` are the topology hashes, the default first.
pub fn summary(
    index: u32,
    run: &Run,
    loops: &Loops,
    findings: &[Finding],
    variants: Vec<(Variant, Hash)>,
) -> RunSummary {
    let turns = run.turns.len();
    let known = run.turns.iter().filter(|t| !t.usage.is_empty()).count();
    let started = run.steps.iter().filter_map(|s| s.at).min();
    let topology = variants.first().map(|(_, hash)| TopologySummary {
        hash: hash.text.clone(),
        exact: hash.exact,
        glyph: hash.nibbles.to_vec(),
        variants: variants.iter().map(|(v, h)| (v.id(), h.text.clone())).collect(),
    });
    RunSummary {
        index,
        id: run.id.clone(),
        title: run.title.clone(),
        agent: run.agent.name.as_ref().map(|name| match &run.agent.version {
            Some(version) => format!("{name} {version}"),
            None => name.clone(),
        }),
        models: run.models.clone(),
        outcome: run.outcome.as_ref().map(|o| OutcomeSummary {
            verdict: o.verdict.id().into(),
            word: o.word.chars().take(120).collect(),
            reward: o.reward,
        }),
        steps: run.steps.len() as u32,
        events: run.events() as u32,
        calls: run.calls() as u32,
        results: run.results() as u32,
        errors: run.errors() as u32,
        unanswered: run.unanswered() as u32,
        usage: usage(&run.usage(), (turns > 0).then(|| known as f64 / turns as f64)),
        duration_ms: run.duration_ms(),
        started_ms: started.map(|t| t.ms),
        local_time: started.is_some_and(|t| t.local),
        topology: topology.unwrap_or_default(),
        loops: LoopSummary {
            verdict: loops.verdict.id().into(),
            spans: loops.spans.iter().filter(|s| s.severity == LoopSeverity::Loop).count() as u32,
            wasted_steps: loops.waste.steps.len() as u32,
            waste_ratio: loops.waste.ratio,
        },
        findings: severities(findings),
        verdict: verdict(run, loops),
        facts: run.facts.clone(),
        labels: run.labels.clone(),
    }
}

/// Findings by severity.
pub fn severities(findings: &[Finding]) -> SeverityCounts {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count() as u32;
    SeverityCounts { errors: count(Severity::Error), warnings: count(Severity::Warning), infos: count(Severity::Info) }
}

type Reason = (String, Vec<(String, String)>);

fn reason(id: &str, args: &[(&str, String)]) -> Reason {
    (id.into(), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
}

/// A step as the page links it.
fn link(step: u32) -> String {
    format!("#{}", step + 1)
}

/// The state, then why: a loop first, then how the file says it ended, then failures.
fn verdict(run: &Run, loops: &Loops) -> VerdictLine {
    let mut reasons = Vec::new();
    if run.steps.is_empty() {
        return VerdictLine { tone: "warning".into(), state: "verdict.empty".into(), reasons };
    }
    // The span that cost most, then the longest.
    let worst = loops
        .spans
        .iter()
        .filter(|s| s.severity == LoopSeverity::Loop)
        .max_by_key(|s| (s.wasted.len(), s.times, std::cmp::Reverse(s.start)));
    if let (Some(span), true) = (worst, loops.verdict != LoopVerdict::None) {
        let first = span.steps.first().copied().unwrap_or_default();
        let last = span.steps.last().copied().unwrap_or_default();
        let tool = run.steps.get(first as usize).and_then(|s| s.call.as_deref()).map(|c| tool_label(&c.tool));
        let id = match span.detector {
            Detector::KeepsFailing | Detector::KeepsFailingGapped => "reason.loop-failing",
            Detector::Redundant => "reason.loop-redundant",
            Detector::Cosmetic => "reason.loop-cosmetic",
            Detector::SameFailure => "reason.loop-same-failure",
            Detector::FlipFlop => "reason.loop-flip-flop",
            Detector::Monologue => "reason.loop-monologue",
            Detector::Chanting => "reason.loop-chanting",
            Detector::Thrash => "reason.loop-thrash",
            Detector::ExactCycle | Detector::WeakCycle | Detector::Stagnation | Detector::LongRepeat => {
                "reason.loop-cycle"
            }
        };
        let steps = format!("#{}-{}", first + 1, last + 1);
        let args = [("tool", tool.unwrap_or_default()), ("times", span.times.to_string()), ("steps", steps)];
        reasons.push(reason(id, &args));
        if let Some(step) = loops.recovery {
            reasons.push(reason("reason.recovered", &[("step", link(step))]));
        }
        let stuck = loops.verdict == LoopVerdict::Stuck;
        if let Some(outcome) = run.outcome.as_ref().filter(|o| !o.word.is_empty()) {
            reasons.push(reason("reason.word", &[("word", outcome.word.chars().take(80).collect())]));
        }
        return VerdictLine {
            tone: if stuck { "error" } else { "loop" }.into(),
            state: if stuck { "verdict.stuck" } else { "verdict.recovered" }.into(),
            reasons,
        };
    }
    let (state, mut tone) = match run.outcome.as_ref().map(|o| o.verdict) {
        Some(Verdict::Passed) => ("verdict.passed", "ok"),
        Some(Verdict::Failed) => ("verdict.failed", "error"),
        Some(Verdict::Finished) => ("verdict.finished", "ok"),
        Some(Verdict::Limit) => ("verdict.limit", "warning"),
        Some(Verdict::Error) => ("verdict.error", "error"),
        Some(Verdict::Cancelled) => ("verdict.cancelled", "warning"),
        None => {
            let last =
                run.steps.iter().rev().find(|s| s.lane == 0 && !matches!(s.kind, StepKind::Injected | StepKind::Raw));
            let answered = last.is_some_and(|s| s.kind == StepKind::Say);
            if answered { ("verdict.ended", "ok") } else { ("verdict.unanswered", "warning") }
        }
    };
    if let Some(outcome) = &run.outcome {
        if !outcome.word.is_empty() {
            reasons.push(reason("reason.word", &[("word", outcome.word.chars().take(80).collect())]));
        }
        if let Some(reward) = outcome.reward {
            reasons.push(reason("reason.reward", &[("reward", reward.to_string())]));
        }
    }
    let last = |test: &dyn Fn(&crate::model::Step) -> bool| run.steps.iter().rposition(test).map(|i| link(i as u32));
    let errors = run.errors();
    match last(&|s| s.failed() && s.kind != StepKind::Notice) {
        Some(step) => {
            let n = errors.to_string();
            reasons.push(reason("reason.errors", &[("n", n), ("step", step)]));
        }
        None if run.calls() > 0 => reasons.push(reason("reason.no-errors", &[])),
        None => {}
    }
    if let Some(step) = last(&|s| s.is_action() && s.observation().is_none()) {
        let n = format::count(run.unanswered() as u64);
        reasons.push(reason("reason.unanswered", &[("n", n), ("step", step)]));
        if tone == "ok" {
            tone = "warning";
        }
    }
    VerdictLine { tone: tone.into(), state: state.into(), reasons }
}
