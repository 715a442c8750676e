//! `skillscope inspect`: what is known of each run, as JSON (described by `schemas/inspect.schema.json`) or as text.

use serde_json::{Value, json};

use super::measures::{MetricsReport, UsageReport};
use super::shape::{LoopReport, RunSummary};
use crate::format;
use crate::message::{Lang, fill_id};
use crate::model::{Finding, ImportReport};

/// One run with the name of the file it is from.
pub struct Inspected<'a> {
    pub file: &'a str,
    pub format: Option<&'a str>,
    pub format_version: Option<&'a str>,
    pub summary: &'a RunSummary,
    pub loops: LoopReport,
    pub usage: UsageReport,
    pub metrics: MetricsReport,
    /// Hashes of the tree and of the directly-follows graph, by variant.
    pub variants: Vec<(String, String)>,
    /// Variants that met a limit.
    pub inexact: Vec<String>,
    pub findings: &'a [Finding],
}

/// The object that `--json` prints.
pub fn json_report(runs: &[Inspected<'_>], reports: &[&ImportReport]) -> Value {
    let findings: Vec<Value> = runs.iter().flat_map(|r| r.findings).map(finding).collect();
    json!({
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
        "reports": reports.iter().map(|r| report(r)).collect::<Vec<_>>(),
        "findings": findings,
    })
}

fn run(r: &Inspected<'_>) -> Value {
    let s = r.summary;
    let spans: Vec<Value> = r
        .loops
        .spans
        .iter()
        .filter(|l| is_loop(&l.severity))
        .map(|l| json!({"detector": l.detector, "start": l.start, "end": l.end, "period": l.period, "times": l.times}))
        .collect();
    let facts: Vec<Value> = r.loops.spans.iter().filter(|l| !is_loop(&l.severity)).map(fact).collect();
    let near: Vec<Value> = r.loops.near.iter().map(near).collect();
    let peers: serde_json::Map<String, Value> = r
        .loops
        .peers
        .iter()
        .map(|p| (p.id.clone(), json!({"fired": p.fired, "first_step": p.steps.first().map(|s| s.0)})))
        .collect();
    let waste = &r.loops.waste;
    let variants: serde_json::Map<String, Value> =
        r.variants.iter().map(|(k, h)| (k.clone(), Value::String(h.clone()))).collect();
    let metrics: serde_json::Map<String, Value> =
        r.metrics.metrics.iter().map(|m| (m.id.clone(), json!(m.value))).collect();
    let money = &r.usage.money;
    json!({
        "file": r.file,
        "id": s.id,
        "title": s.title,
        "format": r.format,
        "format_version": r.format_version,
        "agent": s.agent,
        "model": (!s.models.is_empty()).then(|| s.models.join(", ")),
        "outcome": s.outcome.as_ref().map(|o| json!({"verdict": o.verdict, "word": o.word, "reward": o.reward})),
        "steps": s.steps,
        "events": s.events,
        "calls": s.calls,
        "results": s.results,
        "errors": s.errors,
        "unanswered": s.unanswered,
        "topology": {"hash": s.topology.hash, "exact": s.topology.exact, "variants": variants, "inexact": r.inexact},
        "loops": {
            "verdict": r.loops.verdict,
            "spans": spans,
            "wasted_steps": waste.steps,
            "waste_ratio": waste.ratio,
            "wasted_tokens": waste.tokens,
            "wasted_cost": waste.cost,
            "wasted_seconds": waste.seconds,
            "known_fraction": waste.known_fraction,
            "recovery_step": r.loops.recovery,
            "facts": facts,
            "near": near,
            "peers": peers,
        },
        "usage": {
            "input_tokens": s.usage.input_tokens,
            "output_tokens": s.usage.output_tokens,
            "cached_tokens": s.usage.cached_tokens,
            "cost": s.usage.cost,
            "cost_estimated": s.usage.cost.map(|_| s.usage.cost_estimated),
            "known_fraction": s.usage.known_fraction,
            "cost_by_price_table": money.estimated,
            "price_table": money.estimated.map(|_| r.usage.prices.date.clone()),
            "turns_without_cost": money.unknown_turns,
            "model_s": r.usage.model_ms.map(|ms| ms / 1000.0),
            "tool_s": r.usage.tool_ms.map(|ms| ms / 1000.0),
            "waiting_s": r.usage.waiting_ms.map(|ms| ms / 1000.0),
        },
        "metrics": metrics,
        "duration_s": s.duration_ms.map(|ms| ms / 1000.0),
    })
}

/// Whether a span stands among the loops, and not among the facts and suspicions.
fn is_loop(severity: &str) -> bool {
    matches!(severity, "loop" | "repeating")
}

fn fact(l: &super::shape::LoopSpan) -> Value {
    json!({
        "detector": l.detector,
        "severity": l.severity,
        "first_step": l.first_step,
        "last_step": l.last_step,
        "times": l.times,
        "why": plain(&l.why),
    })
}

fn near(n: &super::shape::NearMiss) -> Value {
    json!({
        "detector": n.detector,
        "first_step": n.first_step,
        "last_step": n.last_step,
        "have": n.have,
        "need": n.need,
        "why": plain(&n.why),
    })
}

/// A sentence in English, links to steps as their numbers.
fn plain((id, args): &(String, Vec<(String, String)>)) -> String {
    let args: Vec<(String, String)> =
        args.iter().map(|(k, v)| (k.clone(), v.strip_prefix('#').unwrap_or(v).to_owned())).collect();
    fill_id(Lang::En, id, &args)
}

fn report(r: &ImportReport) -> Value {
    json!({
        "file": r.file,
        "format": r.format,
        "shape": r.shape,
        "wrapped": r.wrapped,
        "understood": r.share(),
        "records": r.records,
        "lines": r.lines,
        "bad_lines": r.bad_lines,
        "unknown_events": r.unknown.iter().map(|(kind, count)| json!({"kind": kind, "count": count})).collect::<Vec<_>>(),
        "repairs": r.repairs.iter().map(|p| json!({"kind": p.kind, "count": p.count, "line": p.line})).collect::<Vec<_>>(),
        "refused": r.refused.as_ref().map(|f| json!({
            "looks_like": f.looks_like,
            "message": fill_id(Lang::En, &format!("refused.{}", f.looks_like), &[]),
        })),
    })
}

/// A finding with its sentences.
pub fn finding(f: &Finding) -> Value {
    let args = readable(&f.args);
    json!({
        "rule": f.rule,
        "severity": f.severity.id(),
        "run": f.run,
        "step": f.step,
        "file": f.place.file,
        "line": f.place.line,
        "pointer": f.place.pointer,
        "message": fill_id(Lang::En, &format!("rule.{}", f.rule), &args),
        "remedy": fill_id(Lang::En, &format!("rule.{}.remedy", f.rule), &args),
    })
}

/// Values that are ids of the message table themselves (`@repair.bad-escape`) as English.
fn readable(args: &[(String, String)]) -> Vec<(String, String)> {
    args.iter()
        .map(|(k, v)| match v.strip_prefix('@') {
            Some(id) => (k.clone(), fill_id(Lang::En, id, &[])),
            None => (k.clone(), v.clone()),
        })
        .collect()
}

/// The same for a terminal.
pub fn text_report(runs: &[Inspected<'_>], reports: &[&ImportReport]) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for r in reports {
        match &r.refused {
            Some(refusal) => {
                line(format!("{}: {}", r.file, fill_id(Lang::En, &format!("refused.{}", refusal.looks_like), &[])));
            }
            None => {
                let share = r.share().map_or_else(|| format::UNKNOWN.to_owned(), format::percent);
                line(format!("{}: {}, {share} understood", r.file, r.format.as_deref().unwrap_or(format::UNKNOWN)));
            }
        }
        for bad in r.bad.iter().take(5) {
            line(format!("  line {}, column {}: not JSON", bad.line, bad.column));
        }
        for (kind, n) in &r.unknown {
            line(format!("  {n} of the unknown kind {kind}"));
        }
        for p in &r.repairs {
            line(format!("  {}, {} times", fill_id(Lang::En, &format!("repair.{}", p.kind), &[]), p.count));
        }
    }
    for r in runs {
        let s = r.summary;
        let tokens = |n: Option<u64>| n.map_or_else(|| format::UNKNOWN.to_owned(), format::count);
        line(String::new());
        line(if s.title.is_empty() { r.file.to_owned() } else { s.title.clone() });
        let reasons: Vec<String> = s
            .verdict
            .reasons
            .iter()
            .map(|(id, args)| {
                let args: Vec<_> =
                    args.iter().map(|(k, v)| (k.clone(), v.trim_start_matches('#').to_owned())).collect();
                fill_id(Lang::En, id, &args)
            })
            .collect();
        let state = fill_id(Lang::En, &s.verdict.state, &[]);
        let verdict = if reasons.is_empty() { state } else { format!("{state} {}.", reasons.join("; ")) };
        line(format!("  {verdict}"));
        line(format!(
            "  {} steps, {} calls, {} results, {} errors, {} unanswered",
            s.steps, s.calls, s.results, s.errors, s.unanswered
        ));
        line(format!(
            "  tokens in {} (cached {}), out {}; cost {}{}; time {}",
            tokens(s.usage.input_tokens),
            tokens(s.usage.cached_tokens),
            tokens(s.usage.output_tokens),
            s.usage.cost.map_or_else(|| format::UNKNOWN.to_owned(), format::money),
            if s.usage.cost_estimated { " (estimate)" } else { "" },
            s.duration_ms.map_or_else(|| format::UNKNOWN.to_owned(), format::duration),
        ));
        if let Some(estimated) = r.usage.money.estimated {
            let (date, unknown) = (&r.usage.prices.date, r.usage.money.unknown_turns);
            let rest = if unknown > 0 { format!(", {unknown} turns unknown") } else { String::new() };
            line(format!("  cost by the price table of {date}: {} (estimate){rest}", format::money(estimated)));
        }
        line(format!("  topology {}", s.topology.hash));
        for l in r.loops.spans.iter().filter(|l| is_loop(&l.severity)) {
            line(format!(
                "  {} {} {}: steps {} to {}, {} times{}",
                l.detector,
                l.tool,
                l.what,
                l.first_step + 1,
                l.last_step + 1,
                l.times,
                if l.wasted_steps > 0 { format!(", {} wasted", l.wasted_steps) } else { String::new() }
            ));
        }
        for f in r.findings.iter().take(20) {
            let message = fill_id(Lang::En, &format!("rule.{}", f.rule), &readable(&f.args));
            let place = f.place.line.map(|l| format!("line {l}")).unwrap_or_default();
            line(format!("  {} {} {place}: {message}", f.severity.id(), f.rule));
        }
        if r.findings.len() > 20 {
            line(format!("  and {} findings more", r.findings.len() - 20));
        }
    }
    out
}
