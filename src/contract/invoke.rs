//! The calls of a run as `InvocationRequest` and `InvocationResponse` documents (property 8).
//!
//! A log says less than the protocol asks for, and where something had to be put in, `metadata.guessed` names it: the
//! caller of a run that names no agent, the status of an answer that says nothing of it, times that are nowhere, inputs that
//! are no object. A call without an answer has a request and no response. All documents pass core and strict.
//! O(size of the run).

use std::collections::BTreeSet;

use crate::json::{Val, quote};
use crate::model::{ArgsForm, Call, CallStatus, Run, Step, Time};
use crate::skill::from::maker::{Obj, cut, escaped, list};
use crate::skill::{parse, version};

use super::Contract;

/// A call with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Index of the call's step.
    pub step: u32,
    /// JSON texts.
    pub request: String,
    pub response: Option<String>,
}

/// A run's calls as documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export {
    pub invocations: Vec<Invocation>,
    /// What had to be put in, with the number of documents.
    pub guessed: Vec<(&'static str, u32)>,
}

/// What may have to be put in, in this order.
const GUESSES: [&str; 6] = ["caller", "inputs", "status", "timestamps", "timezone", "skill_id"];

/// The moment of what has none.
const NO_TIME: i64 = 0;

/// Longer values stay texts.
const MAX_VALUE: usize = 4 * 1024 * 1024;

/// Writes every call of a run, with the ids of the skills that the contract found.
pub fn invocations(run: &Run, contract: &Contract) -> Export {
    let mut out = Export::default();
    let mut counts = [0u32; GUESSES.len()];
    let mut taken = BTreeSet::new();
    for (step, s) in run.steps.iter().enumerate() {
        let Some(call) = s.call.as_deref() else { continue };
        let skill = contract.at(step as u32).and_then(|v| contract.skills.get(v.skill? as usize));
        let mut one = One { guessed: BTreeSet::new() };
        let wanted = skill.map_or(&*call.tool, |s| s.id.as_str());
        let id = escaped(wanted);
        if id != wanted || skill.is_none() {
            one.guessed.insert("skill_id");
        }
        let request_id = cut(call.id.as_deref().filter(|i| !i.trim().is_empty()).unwrap_or_default(), 200);
        let request_id = if request_id.is_empty() { format!("call-{}", step + 1) } else { request_id };
        let execution = free(&format!("{}/{}", run_name(run), step + 1), &mut taken);
        let shared = std::mem::take(&mut one.guessed);
        let mut request = One { guessed: shared.clone() };
        let caller = request.caller(run, s);
        let inputs = request.inputs(call);
        let protocol = Obj::default().str("version", version::SUPPORTED).end();
        let text = Obj::default()
            .raw("protocol", &protocol)
            .str("request_id", &request_id)
            .raw("caller", &caller)
            .str("skill_id", &id)
            .some(
                "skill_version",
                skill.and_then(|s| s.version.as_deref()).filter(|v| !v.is_empty()).map(|v| cut(v, 255)).as_deref(),
            )
            .raw("inputs", &inputs)
            .raw("metadata", &request.metadata(call, step))
            .end();
        let answered = call.observation.is_some() || call.status != CallStatus::Unknown;
        let mut response = One { guessed: shared };
        let answer = answered.then(|| {
            Obj::default()
                .raw("protocol", &protocol)
                .str("request_id", &request_id)
                .str("execution_id", &execution)
                .str("status", response.status(call))
                .str("skill_id", &id)
                .raw("timestamps", &response.timestamps(s, call))
        });
        let answer = answer.map(|a| response.result(call, a).raw("metadata", &response.metadata(call, step)).end());
        for (guess, count) in GUESSES.iter().zip(&mut counts) {
            *count += u32::from(request.guessed.contains(guess));
            *count += u32::from(answer.is_some() && response.guessed.contains(guess));
        }
        out.invocations.push(Invocation { step: step as u32, request: text, response: answer });
    }
    out.guessed = GUESSES.into_iter().zip(counts).filter(|(_, n)| *n > 0).collect();
    out
}

fn run_name(run: &Run) -> String {
    let name = run.id.as_deref().map(str::trim).filter(|i| !i.is_empty()).unwrap_or("run");
    cut(name, 200)
}

fn free(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut n = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}~{n}");
        n += 1;
    }
    name
}

/// One document in the making.
struct One {
    guessed: BTreeSet<&'static str>,
}

impl One {
    fn caller(&mut self, run: &Run, step: &Step) -> String {
        let lane = run.lanes.get(step.lane as usize).map(|l| l.name.trim()).filter(|n| !n.is_empty());
        let agent = run.agent.name.as_deref().map(str::trim).filter(|n| !n.is_empty());
        let id = match (agent, lane) {
            (Some(agent), Some(lane)) if step.lane > 0 => format!("{agent}/{lane}"),
            (Some(agent), _) => agent.to_owned(),
            (None, Some(lane)) => lane.to_owned(),
            (None, None) => {
                self.guessed.insert("caller");
                "anonymous".to_owned()
            }
        };
        Obj::default().str("id", &cut(&id, 256)).str("type", "agent").end()
    }

    /// The arguments, when they are an object; else as a member of one.
    fn inputs(&mut self, call: &Call) -> String {
        let raw = call.args.raw.trim();
        if raw.is_empty() {
            return "{}".to_owned();
        }
        if call.args.form == ArgsForm::Json
            && let Some(object) = object(raw)
        {
            return object;
        }
        self.guessed.insert("inputs");
        let key = if call.args.form == ArgsForm::Text { "input" } else { "raw" };
        Obj::default().str(key, &call.args.raw).end()
    }

    fn status(&mut self, call: &Call) -> &'static str {
        match call.status {
            CallStatus::Ok => "succeeded",
            CallStatus::Error => "failed",
            // Something came back and nothing says that it is an error.
            CallStatus::Unknown => {
                self.guessed.insert("status");
                "succeeded"
            }
        }
    }

    fn timestamps(&mut self, step: &Step, call: &Call) -> String {
        let ended = call.observation.as_ref().and_then(|o| o.at);
        let took = |from: Time| {
            let ms = call.duration_ms.filter(|d| d.is_finite() && *d >= 0.0 && *d < 1e15)?;
            Some(Time { ms: from.ms.saturating_add(ms as i64), local: from.local })
        };
        let began = step.at.or(ended);
        let (began, ended) = match began {
            Some(began) => (began, ended.or_else(|| took(began)).unwrap_or(began)),
            None => {
                self.guessed.insert("timestamps");
                let none = Time { ms: NO_TIME, local: false };
                (none, none)
            }
        };
        if began.local || ended.local {
            self.guessed.insert("timezone");
        }
        // Clocks of two writers of one log may disagree.
        let ended = if ended.ms < began.ms {
            self.guessed.insert("timestamps");
            began
        } else {
            ended
        };
        let mut moment = |time: Time| {
            time.rfc3339().unwrap_or_else(|| {
                self.guessed.insert("timestamps");
                "1970-01-01T00:00:00.000Z".to_owned()
            })
        };
        let (created, completed) = (moment(began), moment(ended));
        Obj::default().str("created_at", &created).str("completed_at", &completed).end()
    }

    /// Adds what came back: an output, or what went wrong.
    fn result(&mut self, call: &Call, response: Obj) -> Obj {
        let said = call.observation.as_ref().map_or("", |o| &*o.content.text);
        if call.status == CallStatus::Error {
            let first = said.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("The call failed");
            let error = Obj::default().str("title", &cut(first, 200));
            let error = if said.trim() == first { error } else { error.str("detail", &cut(said, 20_000)) };
            return response.raw("error", &error.end());
        }
        let Some(observation) = &call.observation else { return response };
        let structured = observation.structured.as_deref().and_then(value);
        let parsed = || value(said).filter(|v| v.starts_with(['{', '[']));
        response.raw("output", &structured.or_else(parsed).unwrap_or_else(|| quote(said)))
    }

    fn metadata(&self, call: &Call, step: usize) -> String {
        let out = Obj::default().str("tool", &call.tool).raw("step", &(step + 1).to_string());
        if self.guessed.is_empty() {
            return out.end();
        }
        out.raw("guessed", &list(self.guessed.iter().copied())).end()
    }
}

/// A JSON object that readers of other languages read alike; `None` for anything else.
fn object(raw: &str) -> Option<String> {
    if raw.len() > MAX_VALUE {
        return None;
    }
    let document = parse(raw.as_bytes()).ok()?;
    Some(document.root().raw().to_owned())
}

/// A JSON value that readers of other languages read alike.
fn value(raw: &str) -> Option<String> {
    let raw = raw.trim();
    if raw.is_empty() || raw.len() > MAX_VALUE {
        return None;
    }
    let document = parse(format!("{{\"v\":{raw}}}").as_bytes()).ok()?;
    // Text that closes the object early would be more than one value.
    let root = document.root();
    (root.len() == 1).then(|| root.get("v").map(Val::raw).unwrap_or_default().to_owned()).filter(|v| v == raw)
}
