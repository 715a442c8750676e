//! The contract of a run as it is shown: totals, what each skill was used for, and the verdict on each call.
//! O(calls); the list of verdicts is bounded, the totals are not.

use serde::Serialize;

use crate::contract::{self, Contract, Fault, State, Unchecked};
use crate::model::Run;

/// More verdicts than this are not listed; then those that were kept are left out first.
const MAX_LISTED: usize = 2000;

/// A run against its skills.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContractReport {
    pub calls: u32,
    /// Calls that kept everything that was promised.
    pub kept: u32,
    pub broken: u32,
    /// Calls with nothing broken that were not checked whole. Not a pass.
    pub unchecked: u32,
    /// Why calls were not checked: word and calls, in a fixed order. A call may have several reasons.
    pub reasons: Vec<(String, u32)>,
    /// Whether the run says itself what all its tools are.
    pub whole: bool,
    pub skills: Vec<SkillUse>,
    /// Skills that nothing called.
    pub unused: u32,
    /// In order of the calls; see `cut`.
    pub verdicts: Vec<StepVerdict>,
    /// Verdicts that are not listed: of calls that kept their promises first.
    pub cut: u32,
}

/// A skill and its calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkillUse {
    pub id: String,
    pub name: String,
    pub version: Option<String>,
    pub protocol: Option<String>,
    /// `plugin`, `api`, `knowledge`, `task`.
    pub capability: Option<String>,
    /// `public`, `restricted`, `private`.
    pub access: Option<String>,
    /// `run` or `document`.
    pub source: String,
    pub file: String,
    pub calls: u32,
    pub broken: u32,
    pub unchecked: u32,
    /// Calls that the run says failed.
    pub failed: u32,
    /// Whether there is a schema of the inputs, and of the output.
    pub inputs: bool,
    pub output: bool,
    /// Why one of the schemas cannot be used.
    pub unusable: Option<String>,
}

/// The verdict on a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepVerdict {
    /// From 0.
    pub step: u32,
    pub tool: String,
    /// `kept`, `broken` or `unchecked`.
    pub state: String,
    /// Index into [`ContractReport::skills`].
    pub skill: Option<u32>,
    /// The rule that found the skill: `id`, `name`, `tail`, `prefix` or `written`.
    pub matched: Option<String>,
    pub faults: Vec<FaultLine>,
    /// Why something was not checked, as words.
    pub unchecked: Vec<String>,
}

/// A promise that was broken.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FaultLine {
    /// Id of the rule that tells it as a finding.
    pub rule: String,
    /// JSON pointer in the arguments or the result.
    pub pointer: String,
    /// The keyword of the schema, and what it wants.
    pub keyword: String,
    pub wanted: String,
    /// The nearest valid name.
    pub near: Option<String>,
}

/// Fills the shape.
pub fn contract_report(run: &Run, contract: &Contract) -> ContractReport {
    let (kept, broken, unchecked) = contract.counts();
    let count = |why: Unchecked| contract.verdicts.iter().filter(|v| v.unchecked.contains(&why)).count() as u32;
    let reasons = Unchecked::ALL.iter().map(|u| (u.id().to_owned(), count(*u))).filter(|(_, n)| *n > 0).collect();
    let skills = contract.skills.iter().zip(&contract.tallies).enumerate().map(|(at, (skill, tally))| SkillUse {
        id: skill.id.clone(),
        name: skill.name.clone(),
        version: skill.version.clone(),
        protocol: skill.protocol.clone(),
        capability: skill.capability.map(|c| c.word().to_owned()),
        access: skill.access.map(|a| a.word().to_owned()),
        source: skill.source.id().to_owned(),
        file: skill.file.clone(),
        calls: tally.calls,
        broken: tally.broken,
        unchecked: tally.unchecked,
        failed: tally.failed,
        inputs: skill.inputs.is_some(),
        output: skill.output.is_some(),
        unusable: contract.unusable.iter().find(|(s, _)| *s as usize == at).map(|(_, why)| why.clone()),
    });
    let total = contract.verdicts.len();
    // Broken ones are listed first, then what was not checked, then the rest; shown in order all the same.
    let mut room = MAX_LISTED;
    let mut quota = [State::Broken, State::Unchecked, State::Kept].map(|state| {
        let n = contract.verdicts.iter().filter(|v| v.state() == state).count().min(room);
        room -= n;
        (state, n)
    });
    let mut verdicts = Vec::new();
    for verdict in &contract.verdicts {
        let state = verdict.state();
        let Some((_, left)) = quota.iter_mut().find(|(s, _)| *s == state) else { continue };
        if *left == 0 {
            continue;
        }
        *left -= 1;
        let call = run.steps.get(verdict.step as usize).and_then(|s| s.call.as_deref());
        verdicts.push(StepVerdict {
            step: verdict.step,
            tool: call.map_or_else(String::new, |c| c.tool.chars().take(120).collect()),
            state: state.id().to_owned(),
            skill: verdict.skill,
            matched: verdict.matched.map(|m| m.id().to_owned()),
            faults: verdict.faults.iter().map(line).collect(),
            unchecked: verdict.unchecked.iter().map(|u| u.id().to_owned()).collect(),
        });
    }
    ContractReport {
        calls: total as u32,
        kept,
        broken,
        unchecked,
        reasons,
        whole: contract.whole,
        skills: skills.collect(),
        unused: contract.unused(run).count() as u32,
        cut: (total - verdicts.len()) as u32,
        verdicts,
    }
}

fn line(fault: &Fault) -> FaultLine {
    let mut out = FaultLine { rule: contract::rule_of(fault).to_owned(), ..FaultLine::default() };
    match fault {
        Fault::Undeclared { near } => out.near.clone_from(near),
        Fault::Input { breach, near, .. } => {
            out.pointer.clone_from(&breach.pointer);
            out.keyword.clone_from(&breach.keyword);
            out.wanted.clone_from(&breach.wanted);
            out.near.clone_from(near);
        }
        Fault::Output { breach } => {
            out.pointer.clone_from(&breach.pointer);
            out.keyword.clone_from(&breach.keyword);
            out.wanted.clone_from(&breach.wanted);
        }
        Fault::Access { access } => out.wanted = access.word().to_owned(),
        Fault::Protocol { version } => out.wanted.clone_from(version),
    }
    out
}
