//! A draft of a descriptor, from the calls of a run: what a tool takes and gives, as far as one run shows.
//!
//! A schema is inferred from the arguments of the calls that did not fail: the types that occur, a property as required when
//! every call gives it. A schema that the run itself declares is taken instead. Nothing of the arguments' values goes into
//! the draft. Everything that the run does not say is a guess, named in `x-guessed`; the draft passes core.
//! O(size of the calls); depth and number of properties are bounded.

use serde_json::{Map, Value};

use crate::json::Tape;
use crate::model::{ArgsForm, Call, CallStatus, Run};
use crate::skill::from::maker::{Obj, UNKNOWN_URL, cut, escaped, list, slug};
use crate::skill::{parse, serialize, version};

/// Deeper values are only told as objects and lists.
const MAX_DEPTH: usize = 12;

/// An object with more names than this is a table, not a record.
const MAX_NAMES: usize = 200;

/// Longer arguments are left out.
const MAX_VALUE: usize = 1024 * 1024;

/// A draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drafted {
    /// The descriptor as JSON text.
    pub text: String,
    /// Calls of the tool, and those that the schemas were inferred from.
    pub calls: u32,
    pub used: u32,
    /// Fields that the run does not state.
    pub guessed: Vec<&'static str>,
}

/// Drafts the descriptor of a tool; `None` when the run never calls it.
pub fn draft(run: &Run, tool: &str) -> Option<Drafted> {
    let calls: Vec<&Call> = run.steps.iter().filter_map(|s| s.call.as_deref()).filter(|c| *c.tool == *tool).collect();
    if calls.is_empty() {
        return None;
    }
    let declared = run.skills.iter().find(|s| s.name == tool || s.id == tool);
    let good: Vec<&&Call> = calls.iter().filter(|c| c.status != CallStatus::Error).collect();
    let mut guessed = vec!["version", "capability_type", "provider", "endpoint", "auth", "access"];
    let mut seen = Seen::default();
    let mut used = 0;
    for call in &good {
        if let Some(value) = args(call) {
            used += 1;
            seen.add(&value, 0);
        }
    }
    let inputs = match declared.and_then(|s| s.inputs.as_deref()) {
        Some(schema) => schema.to_owned(),
        None => {
            guessed.push("inputs");
            let mut schema = if used > 0 { seen.schema() } else { Map::new() };
            schema.insert("type".into(), "object".into());
            schema.insert("$comment".into(), format!("Inferred from {used} calls").into());
            Value::Object(schema).to_string()
        }
    };
    let output = match declared.and_then(|s| s.output.as_deref()) {
        Some(schema) => schema.to_owned(),
        None => {
            guessed.push("output");
            output(&good)
        }
    };
    let description = declared.and_then(|s| s.description.clone()).filter(|d| !d.trim().is_empty());
    let description = description.unwrap_or_else(|| {
        guessed.push("description");
        format!("{tool}, as it was called {} times in a run", calls.len())
    });
    let agent = run.agent.name.as_deref().map(str::trim).filter(|n| !n.is_empty()).unwrap_or("unknown");
    let space = Some(slug(agent)).filter(|s| !s.is_empty()).unwrap_or_else(|| "unknown".to_owned());
    let name = Some(cut(tool.trim(), 256)).filter(|n| !n.is_empty()).unwrap_or_else(|| "tool".to_owned());
    let text = |inputs: &str, output: &str, guessed: &[&str]| {
        Obj::default()
            .raw("protocol", &Obj::default().str("version", version::SUPPORTED).end())
            .str("id", &escaped(&format!("{space}/{name}")))
            .str("name", &name)
            .str("version", "0.0.0")
            .str("capability_type", "plugin")
            .str("description", &cut(&description, 8192))
            .raw("provider", &Obj::default().str("name", &cut(agent, 256)).end())
            .raw("endpoint", &Obj::default().str("url", UNKNOWN_URL).end())
            .raw("inputs", inputs)
            .raw("output", output)
            .raw("auth", r#"{"type":"none"}"#)
            .str("access", "public")
            .raw("x-guessed", &list(guessed.iter().copied()))
            .end()
    };
    let whole = text(&inputs, &output, &guessed);
    // A schema that the run declares need not be one.
    let document = match parse(whole.as_bytes()).ok().filter(valid) {
        Some(document) => document,
        None => {
            for field in ["inputs", "output"] {
                if !guessed.contains(&field) {
                    guessed.push(field);
                }
            }
            parse(text(r#"{"type":"object"}"#, "{}", &guessed).as_bytes()).ok().filter(valid)?
        }
    };
    Some(Drafted { text: serialize(&document), calls: calls.len() as u32, used, guessed })
}

fn valid(document: &crate::skill::Document) -> bool {
    crate::skill::check(&document.doc(), &crate::skill::Options::default())
        .iter()
        .all(|f| f.severity != crate::model::Severity::Error)
}

/// The arguments of a call, when they are an object.
fn args(call: &Call) -> Option<Value> {
    if call.args.form != ArgsForm::Json || call.args.raw.len() > MAX_VALUE {
        return None;
    }
    let raw = if call.args.raw.trim().is_empty() { "{}" } else { &*call.args.raw };
    json(raw).filter(Value::is_object)
}

fn json(text: &str) -> Option<Value> {
    if text.len() > MAX_VALUE {
        return None;
    }
    let mut tape = Tape::new();
    let value = tape.parse(text).root().to_serde();
    tape.faults().is_empty().then_some(value)
}

/// What comes back: JSON when it always is, else text.
fn output(calls: &[&&Call]) -> String {
    let mut seen = Seen::default();
    let (mut of_json, mut of_text) = (0, 0);
    for observation in calls.iter().filter_map(|c| c.observation.as_ref()) {
        let structured = observation.structured.as_deref().and_then(json);
        let parsed = || json(&observation.content.text).filter(|v| v.is_object() || v.is_array());
        match structured.or_else(parsed) {
            Some(value) => {
                of_json += 1;
                seen.add(&value, 0);
            }
            None => of_text += 1,
        }
    }
    let mut schema = match (of_json, of_text) {
        (0, 0) => return "{}".to_owned(),
        (0, _) => Map::from_iter([("type".to_owned(), Value::from("string"))]),
        (_, 0) => seen.schema(),
        // Both: nothing sure can be said.
        _ => return "{}".to_owned(),
    };
    schema.insert("$comment".into(), format!("Inferred from {} results", of_json + of_text).into());
    Value::Object(schema).to_string()
}

/// The values that were seen at one place.
#[derive(Default)]
struct Seen {
    kinds: Vec<&'static str>,
    objects: u32,
    /// In order of first sight: how often, and what.
    members: Vec<(String, u32, Seen)>,
    table: bool,
    items: Option<Box<Seen>>,
}

impl Seen {
    fn add(&mut self, value: &Value, depth: usize) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(n) if n.is_f64() && n.as_f64().is_some_and(|f| f.fract() != 0.0) => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        if depth >= MAX_DEPTH {
            return;
        }
        match value {
            Value::Array(list) => {
                for item in list.iter().take(1000) {
                    self.items.get_or_insert_default().add(item, depth + 1);
                }
            }
            Value::Object(members) => {
                self.objects += 1;
                for (name, member) in members {
                    let full = self.members.len() >= MAX_NAMES;
                    match self.members.iter_mut().find(|(n, ..)| n == name) {
                        Some((_, count, seen)) => {
                            *count += 1;
                            seen.add(member, depth + 1);
                        }
                        None if full => self.table = true,
                        None => {
                            let mut seen = Seen::default();
                            seen.add(member, depth + 1);
                            self.members.push((name.clone(), 1, seen));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn schema(&self) -> Map<String, Value> {
        let mut out = Map::new();
        // An integer is a number; where both were seen the wider word says it.
        let both = self.kinds.contains(&"number") && self.kinds.contains(&"integer");
        let mut kinds: Vec<&str> = self.kinds.iter().copied().filter(|k| !(both && *k == "integer")).collect();
        kinds.sort_unstable();
        match kinds.as_slice() {
            [] => {}
            [one] => {
                out.insert("type".into(), (*one).into());
            }
            many => {
                out.insert("type".into(), many.to_vec().into());
            }
        }
        if self.objects > 0 && !self.table && !self.members.is_empty() {
            let properties: Map<String, Value> =
                self.members.iter().map(|(name, _, seen)| (name.clone(), Value::Object(seen.schema()))).collect();
            out.insert("properties".into(), properties.into());
            let required: Vec<&str> =
                self.members.iter().filter(|(_, count, _)| *count == self.objects).map(|(n, ..)| n.as_str()).collect();
            if !required.is_empty() {
                out.insert("required".into(), required.into());
            }
        }
        if let Some(items) = &self.items {
            out.insert("items".into(), Value::Object(items.schema()));
        }
        out
    }
}
