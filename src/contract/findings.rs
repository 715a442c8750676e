//! A contract as findings: what was broken, at the step where it was broken; what was not checked and what was never
//! called, once a run. O(calls). The rules' ids and severities are in `model::RULES`, their sentences in `message`.

use std::collections::BTreeMap;

use super::{Contract, Fault, Unchecked};
use crate::model::{Finding, Place, Run, SkillSource, Span, rule};
use crate::schema::Breach;

/// At most this many findings of one rule; a run may break its contract with every call.
const MAX_PER_RULE: usize = 1000;

/// Names that a sentence lists.
const MAX_LISTED: usize = 5;

/// Steps that belong to a finding about the whole run.
const MAX_RELATED: usize = 100;

struct Out<'a> {
    index: u32,
    files: &'a [String],
    out: Vec<Finding>,
    counts: BTreeMap<&'static str, usize>,
}

impl Out<'_> {
    fn add(&mut self, id: &'static str, step: Option<u32>, span: &Span, args: Vec<(&str, String)>, related: Vec<u32>) {
        let Some(rule) = rule(id) else { return };
        let count = self.counts.entry(id).or_insert(0);
        *count += 1;
        if *count > MAX_PER_RULE {
            return;
        }
        self.out.push(Finding {
            rule: rule.id.to_owned(),
            severity: rule.severity,
            run: Some(self.index),
            step,
            place: Place {
                file: self.files.get(span.file as usize).cloned().unwrap_or_default(),
                line: (span.line > 0).then_some(span.line),
                column: None,
                pointer: span.pointer.to_string(),
            },
            args: args.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
            related,
        });
    }
}

/// The findings of a run's contract. `files` are the names of the document's files, by [`Span::file`].
pub fn findings(index: u32, run: &Run, contract: &Contract, files: &[String]) -> Vec<Finding> {
    let mut out = Out { index, files, out: Vec::new(), counts: BTreeMap::new() };
    // Without skills there is no contract, and nothing to say.
    if contract.skills.is_empty() {
        return out.out;
    }
    for verdict in &contract.verdicts {
        let Some(step) = run.steps.get(verdict.step as usize) else { continue };
        let Some(call) = step.call.as_deref() else { continue };
        let tool = short(&call.tool, 60);
        let at = Some(verdict.step);
        for fault in &verdict.faults {
            match fault {
                Fault::Undeclared { near: Some(near) } => {
                    let args = vec![("tool", tool.clone()), ("near", short(near, 60))];
                    out.add("contract-misnamed", at, &step.span, args, Vec::new());
                }
                Fault::Undeclared { near: None } => {
                    let args = vec![("tool", tool.clone()), ("n", contract.skills.len().to_string())];
                    out.add("contract-undeclared", at, &step.span, args, Vec::new());
                }
                Fault::Input { breach, near, names } => {
                    let (rule, args) = input(&tool, breach, near.as_deref(), names);
                    out.add(rule, at, &step.span, args, Vec::new());
                }
                Fault::Output { breach } => {
                    let span = call.observation.as_ref().map_or(&step.span, |o| &o.span);
                    let args = vec![
                        ("tool", tool.clone()),
                        ("field", field(&breach.pointer)),
                        ("keyword", breach.keyword.clone()),
                        ("wanted", breach.wanted.clone()),
                    ];
                    out.add("contract-output", at, span, args, Vec::new());
                }
                Fault::Access { access } => {
                    let args = vec![("tool", tool.clone()), ("word", access.word().to_owned())];
                    out.add("contract-access", at, &step.span, args, Vec::new());
                }
                Fault::Protocol { version } => {
                    let supports = super::SUPPORTS.to_owned();
                    let args = vec![("tool", tool.clone()), ("version", version.clone()), ("supports", supports)];
                    out.add("contract-protocol", at, &step.span, args, Vec::new());
                }
            }
        }
        for hint in &verdict.hints {
            let args =
                vec![("tool", tool.clone()), ("field", short(&hint.property, 60)), ("near", short(&hint.near, 60))];
            out.add("contract-argument", at, &step.span, args, Vec::new());
        }
    }
    for (at, why) in &contract.unusable {
        let tool = contract.skills.get(*at as usize).map_or_else(String::new, |s| short(&s.name, 60));
        out.add("contract-schema", None, &Span::default(), vec![("tool", tool), ("why", why.clone())], Vec::new());
    }
    unchecked(contract, &mut out);
    unused(contract, &mut out);
    out.out
}

fn input<'a>(
    tool: &str,
    breach: &Breach,
    near: Option<&str>,
    names: &[String],
) -> (&'static str, Vec<(&'a str, String)>) {
    let mut args = vec![("tool", tool.to_owned()), ("field", field(&breach.pointer))];
    if breach.property.is_none() {
        args.push(("keyword", breach.keyword.clone()));
        args.push(("wanted", breach.wanted.clone()));
        return ("contract-input", args);
    }
    if breach.keyword == "required" {
        return ("contract-missing", args);
    }
    // The likeliest name comes first.
    let others = names.iter().map(String::as_str).filter(|n| Some(*n) != near);
    let listed: Vec<String> = near.into_iter().chain(others).take(MAX_LISTED).map(|n| short(n, 40)).collect();
    args.push(("names", if listed.is_empty() { "–".to_owned() } else { listed.join(", ") }));
    ("contract-unknown", args)
}

/// What was not checked, in one sentence, with the steps.
fn unchecked(contract: &Contract, out: &mut Out<'_>) {
    // Calls that no description speaks of are counted on the screen; they are no finding.
    let told = |why: &Unchecked| !matches!(why, Unchecked::NoSkill | Unchecked::Protocol);
    let steps: Vec<u32> = contract
        .verdicts
        .iter()
        .filter(|v| v.faults.is_empty() && v.unchecked.iter().any(told))
        .map(|v| v.step)
        .collect();
    if steps.is_empty() {
        return;
    }
    let count = |whys: &[Unchecked]| {
        let hit = |v: &&super::CallVerdict| v.faults.is_empty() && v.unchecked.iter().any(|u| whys.contains(u));
        contract.verdicts.iter().filter(hit).count().to_string()
    };
    let args = vec![
        ("n", steps.len().to_string()),
        ("schemaless", count(&[Unchecked::NoSchema])),
        ("args", count(&[Unchecked::ArgsNotJson])),
        ("results", count(&[Unchecked::NoResult, Unchecked::ResultNotJson])),
        ("others", count(&[Unchecked::SchemaUnusable, Unchecked::TooSlow, Unchecked::TooLarge])),
    ];
    let related = steps.into_iter().take(MAX_RELATED).collect();
    out.add("contract-unchecked", None, &Span::default(), args, related);
}

/// Tools that the run declares and never calls, in one sentence.
fn unused(contract: &Contract, out: &mut Out<'_>) {
    let mut names: Vec<&str> =
        contract.unused().filter(|s| s.source == SkillSource::Run).map(|s| s.name.as_str()).collect();
    names.dedup();
    let of = contract.skills.iter().filter(|s| s.source == SkillSource::Run).count();
    // A name that stands twice is used when one of its schemas is.
    let called = |name: &&str| {
        let same = contract.skills.iter().zip(&contract.tallies).filter(|(s, _)| s.name == **name);
        same.fold(0, |sum, (_, t)| sum + t.calls) > 0
    };
    names.retain(|n| !called(n));
    if names.is_empty() {
        return;
    }
    let mut listed = names.iter().take(MAX_LISTED).map(|n| short(n, 40)).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_LISTED {
        listed.push_str(", …");
    }
    let args = vec![("n", names.len().to_string()), ("of", of.to_string()), ("names", listed)];
    out.add("contract-unused", None, &Span::default(), args, Vec::new());
}

/// A pointer as people read it; the whole value has no name.
fn field(pointer: &str) -> String {
    if pointer.is_empty() { "/".to_owned() } else { short(pointer, 80) }
}

fn short(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
