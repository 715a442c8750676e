//! Matching as the screen and the command line show it: a verdict a run, the rows that cost points, the summary of all
//! modes, the classes of the tools. O(runs · modes · calls).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::compare::RunRef;
use super::rows::tool_label;
use crate::format;
use crate::matching::{
    ArgRule, Confusion, Differing, Item, Mode, Options, Reference, Verdict, carried, confusion, items_of, match_run,
    missing_answers, truth,
};
use crate::message::{Lang, fill_id};
use crate::model::{Effect, Run};

/// What the person can set, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MatchOptions {
    /// Runs that are references; none: the reference that each run carries.
    pub references: Vec<RunRef>,
    /// An id of a mode; empty is the default.
    pub mode: String,
    /// (tool, `read` | `effect` | `control`).
    pub classes: Vec<(String, String)>,
    /// (tool or `*`, rule as the command line writes it).
    pub rules: Vec<(String, String)>,
    pub optional: Vec<String>,
    pub forbidden: Vec<String>,
    pub answers: Vec<String>,
}

impl MatchOptions {
    /// The options; what means nothing is left out and listed.
    pub fn read(&self) -> (Options, Mode, Vec<String>) {
        let mut unknown = Vec::new();
        let mut out = Options {
            optional: self.optional.clone(),
            forbidden: self.forbidden.clone(),
            answers: self.answers.iter().filter(|a| !a.trim().is_empty()).cloned().collect(),
            ..Options::default()
        };
        for (tool, class) in &self.classes {
            match Effect::from_id(class) {
                Some(effect) => out.classes.push((tool.clone(), effect)),
                None => unknown.push(class.clone()),
            }
        }
        for (tool, rule) in &self.rules {
            match ArgRule::parse(rule) {
                Some(rule) => out.rules.push((tool.clone(), rule)),
                None => unknown.push(rule.clone()),
            }
        }
        let mode = if self.mode.is_empty() { Some(Mode::default()) } else { Mode::from_id(&self.mode) };
        if mode.is_none() {
            unknown.push(self.mode.clone());
        }
        (out, mode.unwrap_or_default(), unknown)
    }
}

/// Many runs against their reference.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchReport {
    pub mode: String,
    /// One a run, a window of them; `from` is the first one's place.
    pub from: u32,
    pub verdicts: Vec<VerdictReport>,
    pub summary: MatchSummary,
    /// Every mode, the default first.
    pub modes: Vec<MatchSummary>,
    /// Every tool of the runs and references, by name.
    pub tools: Vec<ToolClass>,
    /// Words of the options that mean nothing.
    pub unknown: Vec<String>,
}

/// Verdicts against what the files say. `None`: no file says how it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchSummary {
    pub mode: String,
    /// Runs with a verdict, and those among them that passed.
    pub n: u32,
    pub passed: u32,
    /// Runs whose file says how they ended.
    pub known: u32,
    pub true_pass: u32,
    pub false_pass: u32,
    pub false_fail: u32,
    pub true_fail: u32,
    pub accuracy: Option<f64>,
    pub kappa: Option<f64>,
}

/// A tool, its calls by class, and whether its class was set by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolClass {
    pub tool: String,
    /// The class of most of its calls.
    pub class: String,
    pub calls: u32,
    /// Calls whose class is not that one: a shell's depends on its line.
    pub others: u32,
    pub by_hand: bool,
}

/// The verdict on one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VerdictReport {
    /// Index of the run in its document.
    pub run: u32,
    pub document: u32,
    pub title: String,
    /// The reference that counted.
    pub reference: String,
    pub pass: bool,
    pub score: f64,
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    pub f1: f64,
    pub lcs_ratio: f64,
    pub edit_distance: u32,
    pub matched: u32,
    /// Calls that the mode looked at, run and reference.
    pub looked_at: (u32, u32),
    pub missing: Vec<CallLine>,
    pub extra: Vec<CallLine>,
    pub wrong_args: Vec<WrongLine>,
    pub reordered: Vec<CallLine>,
    pub forbidden: Vec<CallLine>,
    pub answers: Vec<String>,
    pub unclassified: u32,
    /// What the file says: the reward, and whether it is a success.
    pub reward: Option<f64>,
    pub truth: Option<bool>,
}

/// A call in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CallLine {
    pub tool: String,
    /// Canonical arguments, cut.
    pub args: String,
    /// Step of the run; `None` for a carried reference.
    pub step: Option<u32>,
    /// Place in the reference.
    pub reference: Option<u32>,
}

/// A call of the right tool with other arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WrongLine {
    pub call: CallLine,
    /// Arguments in common by arguments in all.
    pub in_common: f64,
    /// (name, run, reference), canonical; `None` where a side does not have it.
    pub keys: Vec<(String, Option<String>, Option<String>)>,
}

/// A run to be matched.
pub struct Matchable<'a> {
    pub document: u32,
    pub index: u32,
    pub file: &'a str,
    pub run: &'a Run,
}

/// Rows listed of each kind in a verdict.
const MAX_LINES: usize = 200;
/// Characters of arguments in a list, and of a differing value.
const MAX_ARGS: usize = 400;

/// Matches every run; `references` empty stands for the carried ones. Verdicts `from..from + count` are written out.
pub fn match_report(
    runs: &[Matchable<'_>],
    references: &[Reference],
    options: &MatchOptions,
    from: u32,
    count: u32,
) -> MatchReport {
    let (set, mode, unknown) = options.read();
    let mut verdicts = Vec::new();
    let mut by_mode: BTreeMap<Mode, Vec<(bool, Option<bool>)>> = BTreeMap::new();
    let mut tools: BTreeMap<String, BTreeMap<&'static str, u32>> = BTreeMap::new();
    let mut count_tools = |items: &[Item]| {
        for item in items {
            *tools.entry(item.tool.clone()).or_default().entry(item.effect.id()).or_insert(0) += 1;
        }
    };
    references.iter().for_each(|r| count_tools(&r.items));
    for (at, matchable) in (0u32..).zip(runs) {
        let items = items_of(matchable.run, &set);
        count_tools(&items);
        let own = if references.is_empty() { vec![carried(matchable.run, &set)] } else { Vec::new() };
        let against = if own.is_empty() { references } else { own.as_slice() };
        own.iter().for_each(|r| count_tools(&r.items));
        let answers = missing_answers(matchable.run, &set);
        for each in Mode::ALL {
            let Some(verdict) = match_run(&items, against, each, &set, &answers) else { continue };
            by_mode.entry(each).or_default().push((verdict.pass, truth(matchable.run)));
            if each == mode && at >= from && at - from < count {
                verdicts.push(verdict_report(matchable, &items, against, &verdict));
            }
        }
    }
    let summary_of = |mode: Mode| summary(mode, by_mode.get(&mode).map(Vec::as_slice).unwrap_or_default());
    MatchReport {
        mode: mode.id().into(),
        from,
        verdicts,
        summary: summary_of(mode),
        modes: Mode::ALL.into_iter().map(summary_of).collect(),
        tools: tools.into_iter().map(|(tool, classes)| tool_class(tool, &classes, &set)).collect(),
        unknown,
    }
}

fn summary(mode: Mode, verdicts: &[(bool, Option<bool>)]) -> MatchSummary {
    let table: Confusion = confusion(verdicts.iter().filter_map(|(pass, truth)| Some((*pass, (*truth)?))));
    MatchSummary {
        mode: mode.id().into(),
        n: verdicts.len() as u32,
        passed: verdicts.iter().filter(|(pass, _)| *pass).count() as u32,
        known: table.n(),
        true_pass: table.true_pass,
        false_pass: table.false_pass,
        false_fail: table.false_fail,
        true_fail: table.true_fail,
        accuracy: table.accuracy(),
        kappa: table.kappa(),
    }
}

fn tool_class(tool: String, classes: &BTreeMap<&'static str, u32>, options: &Options) -> ToolClass {
    let calls: u32 = classes.values().sum();
    let most = classes.iter().max_by_key(|(class, n)| (**n, std::cmp::Reverse(**class)));
    let (class, n) = most.map_or(("unknown", 0), |(class, n)| (*class, *n));
    let by_hand = options.classes.iter().any(|(t, _)| *t == tool);
    ToolClass { tool, class: class.into(), calls, others: calls - n, by_hand }
}

fn call_line(item: Option<&Item>, reference: Option<u32>) -> CallLine {
    let Some(item) = item else { return CallLine::default() };
    let args = item.args.text.chars().take(MAX_ARGS).collect();
    CallLine { tool: item.tool.clone(), args, step: item.step, reference }
}

fn verdict_report(of: &Matchable<'_>, items: &[Item], references: &[Reference], v: &Verdict) -> VerdictReport {
    let reference = references.get(v.reference as usize);
    let wanted = |j: u32| reference.and_then(|r| r.items.get(j as usize));
    let cut = |text: &str| text.chars().take(MAX_ARGS).collect::<String>();
    let runs =
        |list: &[u32]| list.iter().take(MAX_LINES).map(|i| call_line(items.get(*i as usize), None)).collect::<Vec<_>>();
    let key = |k: &Differing| (k.key.clone(), k.run.as_deref().map(cut), k.reference.as_deref().map(cut));
    VerdictReport {
        run: of.index,
        document: of.document,
        title: of.run.title.clone(),
        reference: reference.map(|r| r.name.clone()).unwrap_or_default(),
        pass: v.pass,
        score: v.score,
        precision: v.precision,
        recall: v.recall,
        f1: v.f1,
        lcs_ratio: v.lcs_ratio,
        edit_distance: v.edit_distance,
        matched: v.pairs.len() as u32,
        looked_at: (v.looked_at[0], v.looked_at[1]),
        missing: v.missing.iter().take(MAX_LINES).map(|j| call_line(wanted(*j), Some(*j))).collect(),
        extra: runs(&v.extra),
        wrong_args: v
            .wrong_args
            .iter()
            .take(MAX_LINES)
            .map(|w| WrongLine {
                call: call_line(items.get(w.run as usize), Some(w.reference)),
                in_common: w.in_common,
                keys: w.keys.iter().map(key).collect(),
            })
            .collect(),
        reordered: v
            .reordered
            .iter()
            .take(MAX_LINES)
            .map(|(i, j)| call_line(items.get(*i as usize), Some(*j)))
            .collect(),
        forbidden: runs(&v.forbidden),
        answers: v.answers.clone(),
        unclassified: v.unclassified,
        reward: of.run.outcome.as_ref().and_then(|o| o.reward),
        truth: truth(of.run),
    }
}

/// The object that `match --json` prints; `schemas/match.schema.json` describes it.
pub fn match_json(runs: &[Matchable<'_>], report: &MatchReport) -> Value {
    let call = |c: &CallLine| json!({"tool": c.tool, "args": c.args, "step": c.step, "reference": c.reference});
    let calls = |list: &[CallLine]| list.iter().map(call).collect::<Vec<_>>();
    let verdict = |(v, m): (&VerdictReport, &Matchable<'_>)| {
        json!({
            "run": v.run,
            "file": m.file,
            "id": m.run.id,
            "title": v.title,
            "mode": report.mode,
            "reference": v.reference,
            "pass": v.pass,
            "score": v.score,
            "precision": v.precision,
            "recall": v.recall,
            "f1": v.f1,
            "lcs_ratio": v.lcs_ratio,
            "edit_distance": v.edit_distance,
            "matched": v.matched,
            "looked_at": [v.looked_at.0, v.looked_at.1],
            "missing": calls(&v.missing),
            "extra": calls(&v.extra),
            "wrong_args": v.wrong_args.iter().map(|w| json!({
                "tool": w.call.tool, "args": w.call.args, "step": w.call.step, "reference": w.call.reference,
                "in_common": w.in_common,
                "keys": w.keys.iter().map(|(k, run, reference)| json!({"key": k, "run": run, "reference": reference}))
                    .collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "reordered": calls(&v.reordered),
            "forbidden": calls(&v.forbidden),
            "answers_missing": v.answers,
            "unclassified": v.unclassified,
            "reward": v.reward,
            "truth": v.truth,
        })
    };
    let modes: serde_json::Map<String, Value> =
        report.modes.iter().map(|m| (m.mode.clone(), summary_json(m))).collect();
    let mut summary = summary_json(&report.summary);
    if let Value::Object(map) = &mut summary {
        map.insert("mode".into(), json!(report.mode));
        map.insert("modes".into(), Value::Object(modes));
    }
    json!({
        "verdicts": report.verdicts.iter().zip(runs).map(verdict).collect::<Vec<_>>(),
        "summary": summary,
        "tools": report.tools.iter().map(|t| json!({
            "tool": t.tool, "class": t.class, "calls": t.calls, "others": t.others, "by_hand": t.by_hand,
        })).collect::<Vec<_>>(),
    })
}

fn summary_json(m: &MatchSummary) -> Value {
    let table = (m.known > 0).then(|| {
        json!({
            "true_pass": m.true_pass, "false_pass": m.false_pass,
            "false_fail": m.false_fail, "true_fail": m.true_fail,
        })
    });
    json!({
        "n": m.n, "passed": m.passed, "known": m.known, "accuracy": m.accuracy, "kappa": m.kappa, "table": table,
    })
}

/// The same for a terminal.
pub fn match_text(report: &MatchReport) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    let few = report.verdicts.len() <= 20;
    for v in &report.verdicts {
        let said = v.truth.map_or("", |t| if t { ", the file says passed" } else { ", the file says failed" });
        let mark = if v.pass { "pass" } else { "FAIL" };
        line(format!("{mark} {:.2}  {} against {}{said}", v.score, v.title, v.reference));
        if !few && v.pass {
            continue;
        }
        let args = |c: &CallLine| {
            let step = c.step.map(|s| format!("step {}: ", s + 1)).unwrap_or_default();
            format!("{step}{} {}", tool_label(&c.tool), format::one_line(&c.args, 100))
        };
        for (id, list) in [
            ("match.missing", &v.missing),
            ("match.extra", &v.extra),
            ("match.reordered", &v.reordered),
            ("match.forbidden", &v.forbidden),
        ] {
            for call in list {
                line(format!("       {} {}", fill_id(Lang::En, id, &[]), args(call)));
            }
        }
        for wrong in &v.wrong_args {
            line(format!("       {} {}", fill_id(Lang::En, "match.wrong_args", &[]), args(&wrong.call)));
            for (key, run, reference) in &wrong.keys {
                let value = |v: &Option<String>| v.as_deref().map_or("–".to_owned(), |v| format::one_line(v, 100));
                line(format!("         {key}: {} instead of {}", value(run), value(reference)));
            }
        }
        for answer in &v.answers {
            line(format!("       {}: {answer}", fill_id(Lang::En, "match.answer", &[])));
        }
    }
    line(String::new());
    line("mode              passed  accuracy   kappa".into());
    for m in &report.modes {
        let figure = |f: Option<f64>| f.map_or_else(|| format::UNKNOWN.to_owned(), |f| format!("{f:.3}"));
        let chosen = if m.mode == report.mode { "*" } else { " " };
        line(format!(
            "{chosen}{:16} {:>7} {:>9} {:>7}",
            m.mode,
            format!("{}/{}", m.passed, m.n),
            figure(m.accuracy),
            figure(m.kappa)
        ));
    }
    let list = |class: &str| {
        let tools = report.tools.iter().filter(|t| t.class == class);
        tools.map(|t| tool_label(&t.tool)).collect::<Vec<_>>().join(", ")
    };
    for class in ["read", "effect", "control", "unknown"] {
        let tools = list(class);
        if !tools.is_empty() {
            line(format!("{} ({class}): {tools}", fill_id(Lang::En, &format!("class.{class}"), &[])));
        }
    }
    out
}
