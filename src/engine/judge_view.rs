//! The judge's values as shapes for the page and for exports. Says what is unusual about a judgement in sentences.

use serde_json::{Value, json};

use crate::judge::doctor::{Diagnosis, Probe};
use crate::judge::prompt::Mode;
use crate::judge::provider::{Api, Failure, Rung};
use crate::judge::session::{Send, Session};
use crate::judge::store::{Judgement, Labels};
use crate::judge::verdict::{Row, There};
use crate::model::Run;
use crate::report::skill::Sentence;
use crate::report::{
    JudgeApi, JudgeCoverage, JudgeDiagnosis, JudgeFailure, JudgeHit, JudgeLabels, JudgePlan, JudgePreview,
    JudgeProgress, JudgeQuote, JudgeRow, JudgeSend, JudgeView,
};

/// The doctor waits so long for a sign of life.
const DOCTOR_MS: u32 = 20_000;
/// Longest line of the preview, in characters.
const WIDEST: usize = 2_000;
/// Places that address the judge, in a plan.
const HITS: usize = 50;

pub fn api(api: Api) -> JudgeApi {
    let (header, prefix) = api.key_header();
    JudgeApi {
        id: api.id().into(),
        label: api.label().into(),
        base: api.base().into(),
        key_header: header.into(),
        key_prefix: prefix.into(),
    }
}

pub fn plan(judge: u32, session: &Session, replaced: &[(String, u32)]) -> JudgePlan {
    let plan = session.plan();
    let setup = session.setup();
    let first = session.preview(0).map(|h| body_lines(&h.body).len() as u32).unwrap_or_default();
    let cost = plan.cost.map(|c| (c.low, c.high));
    JudgePlan {
        judge,
        host: setup.endpoint.host().to_owned(),
        requests: plan.requests,
        bytes: plan.bytes,
        kept: plan.kept,
        parts: plan.parts,
        input: (plan.input.low, plan.input.high),
        output: (plan.output.low, plan.output.high),
        cost,
        cap: setup.cap,
        over_cap: cost.zip(setup.cap).is_some_and(|((low, _), cap)| low > cap),
        replaced: replaced.iter().map(|(_, n)| n).sum(),
        kinds: replaced.to_vec(),
        coverage: plan
            .coverage
            .iter()
            .map(|c| JudgeCoverage { steps: c.steps, shown: c.shown, folded: c.folded, cut: c.cut, share: c.share() })
            .collect(),
        hits: plan.hits.into_iter().take(HITS).map(|(run, h)| JudgeHit { run, step: h.step, text: h.text }).collect(),
        lines: first,
    }
}

/// A body as lines for reading: broken behind every `\n` that the JSON writes for a line break. Nothing else changes,
/// so that the lines put together are the bytes that are sent.
fn body_lines(body: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut line = String::new();
    let (mut escaped, mut chars) = (false, 0);
    for c in body.chars() {
        line.push(c);
        chars += 1;
        let breaks = escaped && c == 'n';
        escaped = !escaped && c == '\\';
        if breaks || chars >= WIDEST && !escaped {
            out.push(std::mem::take(&mut line));
            chars = 0;
        }
    }
    if !line.is_empty() {
        out.push(line);
    }
    out
}

/// A window of the request that is ready as number `request`.
pub fn preview(
    session: &Session,
    request: u32,
    (from, count): (u32, u32),
    placeholders: &[String],
) -> Option<JudgePreview> {
    let http = session.preview(request as usize)?;
    let all = body_lines(&http.body);
    let lines = all.iter().skip(from as usize).take(count as usize).map(|l| marked(l, placeholders)).collect();
    Some(JudgePreview {
        request,
        requests: session.plan().requests,
        url: http.url,
        headers: http.headers.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        from,
        total: all.len() as u32,
        lines,
    })
}

/// A line cut at its placeholders.
fn marked(line: &str, placeholders: &[String]) -> Vec<(bool, String)> {
    let mut out = Vec::new();
    let mut rest = line;
    let mut plain = String::new();
    while let Some(open) = rest.find('[') {
        let (before, tail) = rest.split_at(open);
        plain.push_str(before);
        match tail.find(']').and_then(|end| tail.get(..=end)).filter(|p| placeholders.iter().any(|k| k == p)) {
            Some(placeholder) => {
                if !plain.is_empty() {
                    out.push((false, std::mem::take(&mut plain)));
                }
                out.push((true, placeholder.to_owned()));
                rest = tail.get(placeholder.len()..).unwrap_or_default();
            }
            None => {
                plain.push('[');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        out.push((false, plain));
    }
    out
}

/// A request on its way to the page.
pub enum Sending {
    /// With the milliseconds to wait for a sign of life.
    Judge(Send, u32),
    Doctor(Probe),
}

pub fn send(api: Api, sending: Sending) -> JudgeSend {
    let (key_header, key_prefix) = api.key_header();
    let (request, http, after_ms, timeout_ms, opaque) = match sending {
        Sending::Judge(send, patience_ms) => (send.id, send.http, send.after_ms, patience_ms, false),
        Sending::Doctor(probe) => (0, probe.http, 0, DOCTOR_MS, probe.opaque),
    };
    JudgeSend {
        request,
        method: http.method.into(),
        url: http.url,
        headers: http.headers.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        body: http.body,
        after_ms,
        timeout_ms,
        opaque,
        key_header: key_header.into(),
        key_prefix: key_prefix.into(),
    }
}

pub fn progress(session: &Session) -> JudgeProgress {
    let (done, of) = session.progress();
    let spent = session.spent();
    JudgeProgress { done, of, requests: spent.requests, retries: spent.retries, bytes: spent.bytes }
}

pub fn diagnosis(found: &Diagnosis) -> JudgeDiagnosis {
    let failure = found.id.strip_prefix("failure-");
    let id = failure.map_or_else(|| format!("judge.doctor.{}", found.id), |f| format!("judge.failure.{f}"));
    JudgeDiagnosis {
        good: found.good,
        fix: (format!("{id}.fix"), found.args.clone()),
        what: (id, found.args.clone()),
        paste: found.paste.clone(),
        detail: found.detail.clone(),
        models: found.models.clone(),
    }
}

fn failure(setup_model: &str, host: &str, max_output: u32, failure: &Failure) -> (Sentence, Sentence) {
    let id = format!("judge.failure.{}", failure.kind.id());
    let args = vec![
        ("model".to_owned(), setup_model.to_owned()),
        ("host".to_owned(), host.to_owned()),
        ("status".to_owned(), failure.status.map_or_else(|| "–".into(), |s| s.to_string())),
        ("limit".to_owned(), max_output.to_string()),
    ];
    ((id.clone(), args.clone()), (format!("{id}.fix"), args))
}

pub fn judged(judgement: &Judgement, labels: Option<&Labels>) -> JudgeView {
    let (setup, judged) = (&judgement.setup, &judgement.judged);
    let outcome = &judged.outcome;
    let hash = setup.rubric.hash();
    let mut failures: Vec<JudgeFailure> = Vec::new();
    for (_, one) in &judged.failures {
        let (what, fix) = failure(&setup.endpoint.model, setup.endpoint.host(), setup.max_output, one);
        match failures.iter_mut().find(|f| f.what == what && f.detail == one.detail) {
            Some(known) => known.times += 1,
            None => failures.push(JudgeFailure { what, fix, detail: one.detail.clone(), times: 1 }),
        }
    }
    let label = |criterion: &str| labels.and_then(|l| l.get(&(hash.clone(), criterion.to_owned()))).cloned();
    let spent = judged.spent;
    JudgeView {
        at: judgement.at.clone(),
        mode: setup.mode.id().into(),
        host: setup.endpoint.host().to_owned(),
        model: judged.model.clone().unwrap_or_else(|| setup.endpoint.model.clone()),
        rubric: (setup.rubric.name.clone(), setup.rubric.version),
        rubric_text: setup.rubric.write(),
        samples: setup.samples,
        score: outcome.score,
        spread: outcome.spread,
        counted: outcome.counted,
        left_out: outcome.left_out,
        rows: outcome.rows.iter().map(|r| row(r, label(&r.criterion))).collect(),
        notes: notes(judgement),
        failures,
        summary: outcome.summary.clone(),
        requests: spent.requests,
        bytes: spent.bytes,
        input: spent.tokens().map(|t| t.0),
        output: spent.tokens().map(|t| t.1),
        cost: spent.cost.map(|c| (c.low, c.high)),
    }
}

fn row(row: &Row, label: Option<String>) -> JudgeRow {
    let valid = row.votes.iter().filter(|v| !v.struck);
    let point = |value: &str| match value {
        "yes" => Some(1.0),
        "no" => Some(0.0),
        _ => None,
    };
    JudgeRow {
        criterion: row.criterion.clone(),
        title: row.title.clone(),
        state: row.state.id().into(),
        value: row.value.clone(),
        share: row.share,
        points: valid.clone().filter_map(|v| point(&v.value)).collect(),
        same: valid.clone().filter(|v| Some(&v.value) == row.value.as_ref()).count() as u32,
        of: valid.count() as u32,
        unstable: row.unstable,
        sensitive: row.sensitive,
        order_dependent: row.order_dependent,
        reasoning: row.reasoning.clone(),
        quotes: row
            .quotes
            .iter()
            .map(|q| JudgeQuote {
                run: q.run,
                step: q.step,
                quote: q.quote.clone(),
                found: q.there == There::Yes,
                planted: q.there == There::Planted,
                what: q.what.clone(),
                elsewhere: match q.there {
                    There::No(at) => at,
                    _ => None,
                },
            })
            .collect(),
        agent: row.agent.clone(),
        error: row.error.clone(),
        label,
    }
}

/// What else is to be known, the gravest first.
fn notes(judgement: &Judgement) -> Vec<(String, Sentence)> {
    let (setup, judged) = (&judgement.setup, &judgement.judged);
    let outcome = &judged.outcome;
    let mut out = Vec::new();
    let mut say = |tone: &str, id: &str, args: &[(&str, String)]| {
        let args = args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        out.push((tone.to_owned(), (format!("judge.note.{id}"), args)));
    };
    let answers = outcome.answers.to_string();
    if outcome.control_wrong > 0 {
        say("bad", "control", &[("n", outcome.control_wrong.to_string()), ("of", answers.clone())]);
    }
    if judged.short_count {
        say("bad", "short", &[("n", judged.spent.input.to_string())]);
    }
    if judgement.hits > 0 {
        say("warn", "masked", &[("n", judgement.hits.to_string())]);
    }
    if outcome.injection_seen > 0 {
        say("warn", "seen", &[("n", outcome.injection_seen.to_string()), ("of", answers)]);
    }
    if setup.mode == Mode::Pairwise && outcome.flips > 0 {
        say("warn", "flips", &[("n", outcome.flips.to_string()), ("of", outcome.pairs.to_string())]);
    }
    if setup.samples == 1 {
        say("", "one", &[]);
    }
    if judged.rung != Rung::Schema {
        say("", &format!("rung-{}", judged.rung.id()), &[]);
    }
    if judged.spent.kept > 0 {
        say("", "kept", &[("n", judged.spent.kept.to_string())]);
    }
    if judged.spent.uncounted > 0 {
        say("", "uncounted", &[("n", judged.spent.uncounted.to_string())]);
    }
    out
}

/// Everything that is known of a run's judgements, as JSON.
pub fn export(hash: &str, run: &Run, all: &[Judgement], labels: &Labels, agreed: Option<JudgeLabels>) -> Value {
    let labels: Vec<Value> = labels
        .iter()
        .map(|((rubric, criterion), label)| json!({"rubric": rubric, "criterion": criterion, "label": label}))
        .collect();
    let judgements: Vec<Value> = all.iter().map(Judgement::to_json).collect();
    let agreement = agreed.map(|a| {
        let statistic = |s: Option<crate::report::JudgeStatistic>| {
            s.map(|s| json!({"value": s.value, "low": s.low, "high": s.high}))
        };
        json!({"verdicts": a.n, "runs": a.runs, "same": a.same, "kappa": statistic(a.kappa),
            "alpha": statistic(a.alpha), "ac1": statistic(a.ac1)})
    });
    json!({"skillscope_judgements": 1, "run": {"hash": hash, "id": run.id, "format": run.format,
        "steps": run.steps.len()}, "judgements": judgements, "labels": labels, "agreement_with_people": agreement})
}
