//! Each call of a run against the skills: what was promised, and was it kept?
//!
//! A run may declare its tools itself; further skills come from documents that are open. A call is looked up in both, and
//! must keep what both say. What could not be checked is said, and is never a pass.
//!
//! * A name that no skill has is a fault where the run's own list is whole, where the call names a server that is here,
//!   or where another name was plainly meant. Otherwise nobody promised anything.
//! * A failed call owes no result of the declared shape; its inputs are checked all the same.
//! * A result is the structured one, else the text as JSON, else, for a schema that wants a string, the text.
//! * A caller that the run does not name is anonymous, as it would be in an `InvocationRequest`.
//! * A skill of a newer protocol than the reader's is not understood, and nothing else of it is checked (property 10).
//!
//! Schemas are compiled once and only when a call needs them. O(calls · size of arguments and results).
//! Source: Skill Sharing Protocol chapter 12, properties 6, 8 and 10.

mod compare;
mod draft;
mod findings;
mod invoke;
mod names;

pub use compare::{Change, Compared, Difference, Weight, compare};
pub use draft::{Drafted, draft};
pub use findings::{findings, is_rule, rule_of};
pub use invoke::{Export, Invocation, invocations};
pub use names::{Directory, Match};

use std::collections::BTreeMap;

use serde_json::Value;

use crate::fuzzy;
use crate::json::Tape;
use crate::model::{Access, ArgsForm, Call, CallStatus, Run, Skill};
use crate::schema::{Breach, Checked, ToolSchema};

/// The version of the protocol that this reader supports.
pub const SUPPORTS: &str = "1.0.0";

/// Arguments and results longer than this are not checked: the check needs a second copy of the values.
const MAX_CHECKED: usize = 4 * 1024 * 1024;

/// Names beside an unknown one that are kept, of at most [`MAX_NAMED`] breaches.
const MAX_NAMES: usize = 8;
const MAX_NAMED: usize = 1000;

/// Tools of OpenHands whose calls stand in the run as thoughts and texts.
const TOLD: &[&str] = &["think", "finish"];

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    Anonymous,
    Known,
}

impl Caller {
    /// Known when the run names its agent.
    pub fn of(run: &Run) -> Self {
        let named = run.agent.name.as_deref().is_some_and(|n| !n.trim().is_empty());
        if named { Caller::Known } else { Caller::Anonymous }
    }
}

/// What the check depends on beside run and skills.
#[derive(Clone, Debug)]
pub struct Options {
    pub caller: Caller,
    /// Version of the protocol that the reader supports.
    pub supports: String,
}

impl Options {
    /// The usual ones for a run.
    pub fn of(run: &Run) -> Self {
        Self { caller: Caller::of(run), supports: SUPPORTS.to_owned() }
    }
}

/// A promise that a call broke.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// No skill has this name; the nearest one that has one.
    Undeclared { near: Option<String> },
    /// The arguments break the schema. For an unknown property: the nearest name, and what there is.
    Input { breach: Breach, near: Option<String>, names: Vec<String> },
    /// The result breaks the schema.
    Output { breach: Breach },
    /// An anonymous call of a skill that is not public.
    Access { access: Access },
    /// The skill's protocol is newer than the reader's.
    Protocol { version: String },
}

/// Why a part of a call was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unchecked {
    /// No skill of this name is here, and nobody said that all are.
    NoSkill,
    /// The skill has no schema of its inputs.
    NoSchema,
    /// The arguments are no JSON.
    ArgsNotJson,
    /// A schema of the skill is none.
    SchemaUnusable,
    /// A pattern of the schema takes too long.
    TooSlow,
    /// Too large.
    TooLarge,
    /// A result is declared and none came back.
    NoResult,
    /// A result of the declared shape cannot be found in the text.
    ResultNotJson,
    /// The protocol is too new.
    Protocol,
}

impl Unchecked {
    pub const ALL: [Unchecked; 9] = [
        Self::NoSkill,
        Self::NoSchema,
        Self::ArgsNotJson,
        Self::SchemaUnusable,
        Self::TooSlow,
        Self::TooLarge,
        Self::NoResult,
        Self::ResultNotJson,
        Self::Protocol,
    ];

    /// The stable word for exports and messages.
    pub fn id(self) -> &'static str {
        match self {
            Self::NoSkill => "no-skill",
            Self::NoSchema => "no-schema",
            Self::ArgsNotJson => "args-not-json",
            Self::SchemaUnusable => "schema-unusable",
            Self::TooSlow => "too-slow",
            Self::TooLarge => "too-large",
            Self::NoResult => "no-result",
            Self::ResultNotJson => "result-not-json",
            Self::Protocol => "protocol",
        }
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Everything that was promised was checked and kept.
    Kept,
    /// A promise was broken.
    Broken,
    /// Nothing was found broken, and something was not checked.
    Unchecked,
}

impl State {
    /// The stable word for exports and messages.
    pub fn id(self) -> &'static str {
        match self {
            State::Kept => "kept",
            State::Broken => "broken",
            State::Unchecked => "unchecked",
        }
    }
}

/// An argument that the schema lets through and does not know, with the name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub pointer: String,
    pub property: String,
    pub near: String,
}

/// The verdict on one call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallVerdict {
    /// Index of the call's step.
    pub step: u32,
    /// Index into [`Contract::skills`]; of several the one from a document.
    pub skill: Option<u32>,
    /// How the skill was found.
    pub matched: Option<Match>,
    pub faults: Vec<Fault>,
    pub unchecked: Vec<Unchecked>,
    pub hints: Vec<Hint>,
}

impl CallVerdict {
    pub fn state(&self) -> State {
        if !self.faults.is_empty() {
            State::Broken
        } else if !self.unchecked.is_empty() {
            State::Unchecked
        } else {
            State::Kept
        }
    }
}

/// How often a skill was called, and with what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub calls: u32,
    pub broken: u32,
    pub unchecked: u32,
    /// Calls that the run says failed.
    pub failed: u32,
}

/// A run against its skills.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    /// The run's own skills, then those of documents.
    pub skills: Vec<Skill>,
    /// One a skill.
    pub tallies: Vec<Tally>,
    /// Skills with a schema that cannot be used, with the reason: found when a call needed it.
    pub unusable: Vec<(u32, String)>,
    /// One a call, in order.
    pub verdicts: Vec<CallVerdict>,
    /// Whether the run says itself what all its tools are.
    pub whole: bool,
    /// The version of the protocol that was supported.
    pub supports: String,
}

impl Contract {
    /// Calls by state: kept, broken, unchecked.
    pub fn counts(&self) -> (u32, u32, u32) {
        let count = |state| self.verdicts.iter().filter(|v| v.state() == state).count() as u32;
        (count(State::Kept), count(State::Broken), count(State::Unchecked))
    }

    /// Skills that nothing called: of a name that stands twice none was. Where calls of a tool are told as thoughts or
    /// texts, nobody knows.
    pub fn unused<'a>(&'a self, run: &'a Run) -> impl Iterator<Item = &'a Skill> {
        let mut called: BTreeMap<&str, u32> = BTreeMap::new();
        for (skill, tally) in self.skills.iter().zip(&self.tallies) {
            *called.entry(&skill.id).or_default() += tally.calls;
        }
        let told = if run.format.starts_with("openhands") { TOLD } else { &[] };
        self.skills.iter().filter(move |s| called.remove(s.id.as_str()) == Some(0) && !told.contains(&s.name.as_str()))
    }

    /// The verdict on a step.
    pub fn at(&self, step: u32) -> Option<&CallVerdict> {
        self.verdicts.binary_search_by_key(&step, |v| v.step).ok().and_then(|at| self.verdicts.get(at))
    }
}

/// Checks every call of a run against its own skills and those of documents.
pub fn check(run: &Run, loaded: &[Skill], options: &Options) -> Contract {
    let own = Directory::new(&run.skills);
    let others = Directory::new(loaded);
    let skills: Vec<Skill> = run.skills.iter().chain(loaded).cloned().collect();
    let whole = !own.is_empty() && !run.skills_partial;
    let mut bench = Bench {
        schemas: skills.iter().map(|_| Schemas::default()).collect(),
        skills: &skills,
        options,
        unusable: BTreeMap::new(),
        named: 0,
    };
    let mut tallies = vec![Tally::default(); skills.len()];
    let mut verdicts = Vec::new();
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    for (step, call) in run.steps.iter().enumerate().filter_map(|(i, s)| Some((i as u32, s.call.as_deref()?))) {
        let found = found
            .entry(&*call.tool)
            .or_insert_with(|| Found::new(&call.tool, &own, &others, run.skills.len() as u32, whole));
        let mut verdict = CallVerdict { step, matched: found.matched, ..CallVerdict::default() };
        let mut used = Vec::new();
        for candidates in [&found.own, &found.others] {
            if let Some(best) = bench.best(call, candidates) {
                verdict.skill = Some(best.skill);
                used.push(best.skill);
                for fault in best.faults {
                    if !verdict.faults.iter().any(|f| same(f, &fault)) {
                        verdict.faults.push(fault);
                    }
                }
                verdict.unchecked.extend(best.unchecked);
                verdict.hints.extend(best.hints);
            }
        }
        if used.is_empty() {
            match &found.missing {
                Some(fault) => verdict.faults.push(fault.clone()),
                None => verdict.unchecked.push(Unchecked::NoSkill),
            }
        }
        // What one of two descriptions leaves out, the other may say.
        if used.iter().any(|at| skills.get(*at as usize).is_some_and(|s| s.inputs.is_some())) {
            verdict.unchecked.retain(|u| *u != Unchecked::NoSchema);
        }
        verdict.unchecked.sort_unstable();
        verdict.unchecked.dedup();
        verdict.hints.dedup();
        let state = verdict.state();
        for skill in used {
            if let Some(t) = tallies.get_mut(skill as usize) {
                t.calls += 1;
                t.broken += u32::from(state == State::Broken);
                t.unchecked += u32::from(state == State::Unchecked);
                t.failed += u32::from(call.status == CallStatus::Error);
            }
        }
        verdicts.push(verdict);
    }
    let unusable = std::mem::take(&mut bench.unusable).into_iter().collect();
    drop(bench);
    Contract { skills, tallies, unusable, verdicts, whole, supports: options.supports.clone() }
}

/// Whether two faults are one, said by two skills.
fn same(a: &Fault, b: &Fault) -> bool {
    match (a, b) {
        (Fault::Input { breach: a, .. }, Fault::Input { breach: b, .. })
        | (Fault::Output { breach: a }, Fault::Output { breach: b }) => {
            a.pointer == b.pointer && a.keyword == b.keyword
        }
        _ => a == b,
    }
}

/// What a name leads to; the same for every call of the name.
struct Found {
    /// Indices into all skills.
    own: Vec<u32>,
    others: Vec<u32>,
    matched: Option<Match>,
    /// The fault when there is none.
    missing: Option<Fault>,
}

impl Found {
    fn new(tool: &str, own: &Directory<'_>, others: &Directory<'_>, shift: u32, whole: bool) -> Self {
        let (in_own, in_others) = (own.find(tool), others.find(tool));
        let matched = in_others.as_ref().or(in_own.as_ref()).map(|(rule, _)| *rule);
        let near = || own.nearest(tool).or_else(|| others.nearest(tool)).map(str::to_owned);
        let missing = if whole || own.knows_server(tool) || others.knows_server(tool) {
            matched.is_none().then(|| Fault::Undeclared { near: near() })
        } else {
            let meant = own.surely_meant(tool).or_else(|| others.surely_meant(tool));
            meant.filter(|_| matched.is_none()).map(|m| Fault::Undeclared { near: Some(m.to_owned()) })
        };
        let indices = |found: Option<(Match, Vec<u32>)>| found.map_or_else(Vec::new, |(_, at)| at);
        let others = indices(in_others).into_iter().map(|at| at + shift).collect();
        Self { own: indices(in_own), others, matched, missing }
    }
}

/// What one skill says of a call.
#[derive(Default)]
struct Opinion {
    skill: u32,
    faults: Vec<Fault>,
    unchecked: Vec<Unchecked>,
    hints: Vec<Hint>,
}

#[derive(Default)]
struct Schemas {
    /// `None`: not asked for yet.
    inputs: Option<Result<ToolSchema, ()>>,
    output: Option<Result<ToolSchema, ()>>,
}

/// Compiled schemas, by skill.
struct Bench<'a> {
    skills: &'a [Skill],
    schemas: Vec<Schemas>,
    options: &'a Options,
    unusable: BTreeMap<u32, String>,
    named: usize,
}

impl Bench<'_> {
    /// Of skills that have the same name the one that the call suits best: a schema may have changed during the run.
    fn best(&mut self, call: &Call, candidates: &[u32]) -> Option<Opinion> {
        let mut best: Option<Opinion> = None;
        for &skill in candidates {
            let opinion = self.opinion(call, skill);
            let weight = |o: &Opinion| (o.faults.len(), o.unchecked.len());
            if best.as_ref().is_none_or(|b| weight(&opinion) < weight(b)) {
                best = Some(opinion);
            }
            if best.as_ref().is_some_and(|b| weight(b) == (0, 0)) {
                break;
            }
        }
        best
    }

    fn opinion(&mut self, call: &Call, at: u32) -> Opinion {
        let mut out = Opinion { skill: at, ..Opinion::default() };
        let Some(skill) = self.skills.get(at as usize) else { return out };
        if let Some(version) = skill.protocol.as_deref().filter(|v| is_newer(v, &self.options.supports)) {
            out.faults.push(Fault::Protocol { version: version.chars().take(40).collect() });
            out.unchecked.push(Unchecked::Protocol);
            return out;
        }
        if let Some(access) = skill.access.filter(|a| *a != Access::Public)
            && self.options.caller == Caller::Anonymous
        {
            out.faults.push(Fault::Access { access });
        }
        self.inputs(call, at, skill, &mut out);
        self.output(call, at, skill, &mut out);
        out
    }

    fn inputs(&mut self, call: &Call, at: u32, skill: &Skill, out: &mut Opinion) {
        let Some(text) = skill.inputs.as_deref() else {
            out.unchecked.push(Unchecked::NoSchema);
            return;
        };
        if call.args.form != ArgsForm::Json {
            out.unchecked.push(Unchecked::ArgsNotJson);
            return;
        }
        // No arguments at all are an empty object.
        let raw = if call.args.raw.trim().is_empty() { "{}" } else { &*call.args.raw };
        let value = match value(raw) {
            Ok(value) => value,
            Err(Some(why)) => return out.unchecked.push(why),
            Err(None) => return out.unchecked.push(Unchecked::ArgsNotJson),
        };
        let Some(slot) = self.schemas.get_mut(at as usize) else { return };
        let Some(schema) = compiled(&mut slot.inputs, text, at, &mut self.unusable) else {
            out.unchecked.push(Unchecked::SchemaUnusable);
            return;
        };
        match schema.check(&value) {
            Checked::TooSlow => out.unchecked.push(Unchecked::TooSlow),
            Checked::Done(breaches) => {
                for mut breach in breaches {
                    let known = std::mem::take(&mut breach.known);
                    let mut near = None;
                    let mut names = Vec::new();
                    if let Some(property) = breach.property.as_deref().filter(|_| breach.keyword != "required") {
                        near = fuzzy::nearest(property, known.iter().map(String::as_str)).map(str::to_owned);
                        self.named += 1;
                        if self.named <= MAX_NAMED {
                            names = known.into_iter().take(MAX_NAMES).collect();
                        }
                    }
                    out.faults.push(Fault::Input { breach, near, names });
                }
            }
        }
        if let (Some(names), Some(given)) = (schema.open_names(), value.as_object()) {
            for property in given.keys().filter(|k| !names.contains(&k.as_str())) {
                // A name that is given as well was not meant.
                let free = names.iter().copied().filter(|n| !given.contains_key(*n));
                if let Some(near) = fuzzy::nearest(property, free) {
                    let pointer = format!("/{}", crate::json::pointer_token(property));
                    out.hints.push(Hint { pointer, property: property.clone(), near: near.to_owned() });
                }
            }
        }
    }

    fn output(&mut self, call: &Call, at: u32, skill: &Skill, out: &mut Opinion) {
        let Some(text) = skill.output.as_deref() else { return };
        if call.status == CallStatus::Error {
            return;
        }
        let Some(observation) = &call.observation else {
            out.unchecked.push(Unchecked::NoResult);
            return;
        };
        let Some(slot) = self.schemas.get_mut(at as usize) else { return };
        let Some(schema) = compiled(&mut slot.output, text, at, &mut self.unusable) else {
            out.unchecked.push(Unchecked::SchemaUnusable);
            return;
        };
        let said = &*observation.content.text;
        let structured = observation.structured.as_deref().and_then(|s| value(s).ok()).map(structured);
        let parsed = value(said);
        if structured.is_none() && matches!(parsed, Err(Some(_))) {
            out.unchecked.push(Unchecked::TooLarge);
            return;
        }
        let is_json = structured.is_some() || parsed.is_ok();
        let whole_text = Value::String(said.to_owned());
        let mut first = None;
        for candidate in structured.iter().chain(parsed.as_ref().ok()).chain([&whole_text]) {
            match schema.check(candidate) {
                Checked::Done(breaches) if breaches.is_empty() => return,
                Checked::Done(breaches) => {
                    first.get_or_insert(breaches);
                }
                Checked::TooSlow => {
                    out.unchecked.push(Unchecked::TooSlow);
                    return;
                }
            }
        }
        if is_json {
            let breaches = first.unwrap_or_default();
            out.faults.extend(breaches.into_iter().map(|mut breach| {
                breach.known = Vec::new();
                Fault::Output { breach }
            }));
        } else {
            out.unchecked.push(Unchecked::ResultNotJson);
        }
    }
}

/// The result that the skill declared: of an MCP result its structured content.
fn structured(value: Value) -> Value {
    match value {
        Value::Object(mut object) if object.contains_key("structuredContent") => {
            object.remove("structuredContent").unwrap_or_default()
        }
        other => other,
    }
}

/// A JSON text as a value; the error says why not, `None` when it is no JSON.
fn value(text: &str) -> Result<Value, Option<Unchecked>> {
    if text.len() > MAX_CHECKED {
        return Err(Some(Unchecked::TooLarge));
    }
    let mut tape = Tape::new();
    let doc = tape.parse(text);
    let value = doc.root().to_serde();
    if tape.faults().is_empty() { Ok(value) } else { Err(None) }
}

fn compiled<'a>(
    slot: &'a mut Option<Result<ToolSchema, ()>>,
    text: &str,
    at: u32,
    unusable: &mut BTreeMap<u32, String>,
) -> Option<&'a ToolSchema> {
    let made = slot.get_or_insert_with(|| {
        ToolSchema::new(text).map_err(|why| {
            unusable.entry(at).or_insert(why);
        })
    });
    made.as_ref().ok()
}

/// Whether the major part of a protocol version is greater than that of another one. Versions are text of any length;
/// one that is none is not newer.
fn is_newer(version: &str, supported: &str) -> bool {
    fn major(version: &str) -> Option<&str> {
        let mut parts = version.split('.');
        let major = parts.next()?;
        let plain = |p: &str| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit());
        (plain(major) && parts.next().is_some_and(plain) && parts.next().is_some_and(plain) && parts.next().is_none())
            .then(|| major.trim_start_matches('0'))
    }
    match (major(version), major(supported)) {
        (Some(a), Some(b)) => (a.len(), a) > (b.len(), b),
        _ => false,
    }
}
