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

/// Whether a rule is one of these.
pub fn is_rule(id: &str) -> bool {
    id.starts_with("contract-")
}

/// The rule that tells a fault.
pub fn rule_of(fault: &Fault) -> &'static str {
    match fault {
        Fault::Undeclared { near: Some(_) } => "contract-misnamed",
        Fault::Undeclared { near: None } => "contract-undeclared",
        Fault::Input { breach, .. } if breach.property.is_none() => "contract-input",
        Fault::Input { breach, .. } if breach.keyword == "required" => "contract-missing",
        Fault::Input { .. } => "contract-unknown",
        Fault::Output { .. } => "contract-output",
        Fault::Access { .. } => "contract-access",
        Fault::Protocol { .. } => "contract-protocol",
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
            let mut args = vec![("tool", tool.clone())];
            let mut span = &step.span;
            match fault {
                Fault::Undeclared { near: Some(near) } => args.push(("near", short(near, 60))),
                Fault::Undeclared { near: None } => args.push(("n", contract.skills.len().to_string())),
                Fault::Input { breach, near, names } => {
                    of_schema(breach, &mut args);
                    args.push(("names", listed(near.as_deref(), names)));
                }
                Fault::Output { breach } => {
                    of_schema(breach, &mut args);
                    span = call.observation.as_ref().map_or(span, |o| &o.span);
                }
                Fault::Access { access } => args.push(("word", access.word().to_owned())),
                Fault::Protocol { version } => {
                    args.push(("version", version.clone()));
                    args.push(("supports", contract.supports.clone()));
                }
            }
            out.add(rule_of(fault), at, span, args, Vec::new());
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
    unused(run, contract, &mut out);
    out.out
}

fn of_schema(breach: &Breach, args: &mut Vec<(&str, String)>) {
    args.push(("field", field(&breach.pointer)));
    args.push(("keyword", breach.keyword.clone()));
    args.push(("wanted", breach.wanted.clone()));
}

/// Names of a schema, the likeliest first.
fn listed(near: Option<&str>, names: &[String]) -> String {
    let others = names.iter().map(String::as_str).filter(|n| Some(*n) != near);
    let listed: Vec<String> = near.into_iter().chain(others).take(MAX_LISTED).map(|n| short(n, 40)).collect();
    if listed.is_empty() { "–".to_owned() } else { listed.join(", ") }
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
fn unused(run: &Run, contract: &Contract, out: &mut Out<'_>) {
    let own = |s: &&crate::model::Skill| s.source == SkillSource::Run;
    let names: Vec<&str> = contract.unused(run).filter(own).map(|s| s.name.as_str()).collect();
    let of = contract.skills.iter().filter(own).count();
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
