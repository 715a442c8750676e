//! Our own run format: the model as JSON, whole. One run an object; several in JSON Lines or an array.
//! Versions: 1. The schema is `schemas/run.schema.json`.
//!
//! ```json
//! {"format":"skillscope-run","version":1,"id":"s","title":"Do X","source":{"format":"claude-code","version":"2.1.0"},
//!  "agent":{"name":"Claude Code"},"models":["m"],"lanes":[{"name":""}],
//!  "turns":[{"lane":0,"id":"msg_1","model":0,"usage":{"input":10,"output":5,"cached":8}}],
//!  "steps":[{"kind":"person","lane":0,"at":{"ms":1767225600000},"text":"Do X"},
//!   {"kind":"action","lane":0,"turn":0,"call":{"id":"c1","tool":"bash","args":{"form":"json","raw":"{\"cmd\":\"ls\"}"},
//!    "status":"ok","observation":{"text":"a.txt","exit_code":0}}}]}
//! ```
//!
//! Nothing of a run is lost but the places: a step that is read from such a file stands in that file. Arguments and
//! structured results are strings that hold their source byte for byte. What is unknown is absent. O(bytes).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::part::cut;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff};
use crate::json::Val;
use crate::model::{
    Access, Agent, Args, ArgsForm, Call, CallStatus, Capability, Content, CostKind, Lane, MAX_SKILLS, Media,
    Observation, Outcome, Run, Skill, Span, Spawn, Step, StepKind, Time, Turn, Usage, Verdict, Wanted,
};
use crate::schema;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "skillscope",
    label: "Skillscope",
    files: "our own run format",
    marks: &["format", "version", "run", "runs", "steps", "turns", "lanes"],
    sniff,
    reader: || Box::new(Reader::default()),
};

/// The word in the file's `format`.
const MARK: &str = "skillscope-run";

/// The version that is written.
const VERSION: u64 = 1;

/// The format's schema.
pub const SCHEMA: &str = include_str!("../../schemas/run.schema.json");

/// Larger runs are not checked against the schema: the check needs a second copy of the values.
const MAX_CHECKED: usize = 24 * 1024 * 1024;

const KINDS: [StepKind; 10] = [
    StepKind::Person,
    StepKind::System,
    StepKind::Injected,
    StepKind::Thought,
    StepKind::Say,
    StepKind::Action,
    StepKind::Orphan,
    StepKind::Compaction,
    StepKind::Notice,
    StepKind::Raw,
];

const VERDICTS: [Verdict; 6] =
    [Verdict::Finished, Verdict::Passed, Verdict::Failed, Verdict::Limit, Verdict::Error, Verdict::Cancelled];

const FORMS: [(&str, ArgsForm); 3] = [("json", ArgsForm::Json), ("text", ArgsForm::Text), ("broken", ArgsForm::Broken)];

const STATUSES: [(&str, CallStatus); 3] =
    [("ok", CallStatus::Ok), ("error", CallStatus::Error), ("unknown", CallStatus::Unknown)];

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| v.get("format").is_some_and(|f| f.is(MARK))) {
        return Sniff::Yes;
    }
    if sample.any(|v| v.has("steps") && v.has("lanes") && v.has("turns")) {
        return Sniff::near(2, Reason::NoKey("format"), "/format");
    }
    Sniff::no(Reason::NeedsObject("format"), "")
}

/// The word of an enumeration's member.
fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, v)| v == value).map_or("", |(word, _)| word)
}

fn member<T: Copy>(table: &[(&str, T)], val: Option<Val<'_>>) -> Option<T> {
    let val = val?;
    table.iter().find(|(word, _)| val.is(word)).map(|(_, v)| *v)
}

// ---------------------------------------------------------------------------------------------------------- writing

/// A run as JSON text: one line for the head, one a step, so that it can be read and compared by eye.
pub fn write(run: &Run) -> String {
    let mut head = Head::default();
    head.put("format", MARK);
    head.put("version", VERSION);
    head.some("id", run.id.as_deref());
    head.put("title", run.title.as_str());
    let mut source = Head::default();
    source.put("format", run.format);
    source.some("version", run.format_version.as_deref());
    head.put("source", source.0);
    let mut agent = Head::default();
    agent.some("name", run.agent.name.as_deref());
    agent.some("version", run.agent.version.as_deref());
    head.put("agent", agent.0);
    head.put("models", run.models.clone());
    head.put("lanes", run.lanes.iter().map(lane).collect::<Vec<_>>());
    head.put("turns", run.turns.iter().map(turn).collect::<Vec<_>>());
    if let Some(outcome) = &run.outcome {
        let mut o = Head::default();
        o.put("verdict", outcome.verdict.id());
        o.put("word", outcome.word.as_str());
        o.some("reward", outcome.reward);
        head.put("outcome", o.0);
    }
    if let Some(totals) = &run.totals {
        head.put("totals", usage(totals));
    }
    for (key, pairs) in [("facts", &run.facts), ("labels", &run.labels)] {
        if !pairs.is_empty() {
            head.put(key, pairs.iter().map(|(name, value)| vec![name.as_str(), value.as_str()]).collect::<Vec<_>>());
        }
    }
    if !run.reference.is_empty() {
        let call = |w: &Wanted| {
            let mut c = Head::default();
            c.put("tool", &*w.tool);
            c.put("args", write_args(&w.args));
            Value::Object(c.0)
        };
        head.put("reference", run.reference.iter().map(call).collect::<Vec<_>>());
    }
    if !run.skills.is_empty() {
        head.put("skills", run.skills.iter().map(skill).collect::<Vec<_>>());
    }
    if run.skills_partial {
        head.put("skills_partial", true);
    }
    let mut out = Value::Object(head.0).to_string();
    // The steps come last, in the same object.
    out.pop();
    out.push_str(",\"steps\":[");
    for (i, s) in run.steps.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        out.push_str(&step(s).to_string());
    }
    out.push_str("\n]}\n");
    out
}

fn write_args(args: &Args) -> Value {
    let mut out = Head::default();
    out.put("form", word(&FORMS, &args.form));
    out.put("raw", &*args.raw);
    Value::Object(out.0)
}

fn read_args(val: Val<'_>) -> Option<Args> {
    Some(Args { raw: boxed(val, "raw")?, form: member(&FORMS, val.get("form"))? })
}

fn skill(skill: &Skill) -> Value {
    let mut out = Head::default();
    out.put("name", skill.name.as_str());
    out.some("id", Some(skill.id.as_str()).filter(|id| *id != skill.name));
    out.some("version", skill.version.as_deref());
    out.some("protocol", skill.protocol.as_deref());
    out.some("capability_type", skill.capability.map(Capability::word));
    out.some("access", skill.access.map(Access::word));
    out.some("description", skill.description.as_deref());
    out.some("inputs", skill.inputs.as_deref());
    out.some("output", skill.output.as_deref());
    Value::Object(out.0)
}

fn read_skill(val: Val<'_>) -> Option<Skill> {
    let name = owned(val, "name")?;
    let word = |key: &str| val.str(key);
    Some(Skill {
        id: owned(val, "id").unwrap_or_else(|| name.clone()),
        version: owned(val, "version"),
        protocol: owned(val, "protocol"),
        capability: word("capability_type").and_then(|w| Capability::from_word(&w)),
        access: word("access").and_then(|w| Access::from_word(&w)),
        description: owned(val, "description"),
        inputs: word("inputs").map(|s| Arc::from(s.as_ref())),
        output: word("output").map(|s| Arc::from(s.as_ref())),
        ..Skill::of_run(&name)
    })
}

/// An object in the making that leaves out what is unknown.
#[derive(Default)]
struct Head(Map<String, Value>);

impl Head {
    fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.0.insert(key.to_owned(), value.into());
    }

    fn some(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }
}

fn lane(lane: &Lane) -> Value {
    let mut out = Head::default();
    out.put("name", lane.name.as_str());
    out.some("agent_id", lane.agent_id.as_deref());
    out.some("parent", lane.parent);
    Value::Object(out.0)
}

fn turn(turn: &Turn) -> Value {
    let mut out = Head::default();
    out.put("lane", turn.lane);
    out.some("id", turn.id.as_deref());
    out.some("model", turn.model);
    if turn.usage != Usage::default() {
        out.put("usage", usage(&turn.usage));
    }
    Value::Object(out.0)
}

fn usage(usage: &Usage) -> Value {
    let mut out = Head::default();
    out.some("input", usage.input);
    out.some("output", usage.output);
    out.some("cached", usage.cached);
    out.some("cache_write", usage.cache_write);
    out.some("reasoning", usage.reasoning);
    out.some("cost", usage.cost.filter(|c| c.is_finite()));
    if usage.cost_kind == CostKind::Estimated {
        out.put("cost_kind", "estimated");
    }
    Value::Object(out.0)
}

fn time(at: Time) -> Value {
    let mut out = Head::default();
    out.put("ms", at.ms);
    if at.local {
        out.put("local", true);
    }
    Value::Object(out.0)
}

fn text(content: &Content, out: &mut Head) {
    if !content.text.is_empty() {
        out.put("text", &*content.text);
    }
    if content.media.is_empty() {
        return;
    }
    let media = content.media.iter().map(|m| {
        let mut out = Head::default();
        out.put("mime", m.mime.as_str());
        out.some("data", m.data.as_deref());
        out.some("reference", m.reference.as_deref());
        Value::Object(out.0)
    });
    out.put("media", media.collect::<Vec<_>>());
}

fn step(step: &Step) -> Value {
    let mut out = Head::default();
    out.put("kind", step.kind.id());
    out.put("lane", step.lane);
    out.some("turn", step.turn);
    out.some("batch", step.batch);
    out.some("at", step.at.map(time));
    out.some("name", step.name.as_deref());
    out.some("label", step.label.as_deref());
    if step.is_error {
        out.put("is_error", true);
    }
    text(&step.content, &mut out);
    if let Some(call) = step.call.as_deref() {
        let mut c = Head::default();
        c.some("id", call.id.as_deref());
        c.put("tool", &*call.tool);
        c.put("args", write_args(&call.args));
        c.put("status", word(&STATUSES, &call.status));
        c.some("duration_ms", call.duration_ms.filter(|d| d.is_finite()));
        if let Some(observation) = &call.observation {
            let mut o = Head::default();
            text(&observation.content, &mut o);
            o.some("at", observation.at.map(time));
            o.some("exit_code", observation.exit_code);
            o.some("structured", observation.structured.as_deref());
            c.put("observation", o.0);
        }
        if let Some(spawn) = call.spawn.as_deref() {
            let mut s = Head::default();
            s.some("agent_id", spawn.agent_id.as_deref());
            s.some("lane", spawn.lane);
            s.some("calls", spawn.calls);
            s.some("tokens", spawn.tokens);
            s.some("duration_ms", spawn.duration_ms.filter(|d| d.is_finite()));
            c.put("spawn", s.0);
        }
        out.put("call", c.0);
    }
    Value::Object(out.0)
}

// ---------------------------------------------------------------------------------------------------------- reading

#[derive(Default)]
struct Reader {
    done: Vec<Run>,
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let size = val.raw().len();
        if size > MAX_CHECKED {
            let size = format!("{} MB", size / (1024 * 1024));
            log.finding("schema-unchecked", &record.span(), &[("size", size)]);
        } else {
            for fault in schema::check(SCHEMA, val) {
                let mut span = record.span_of(val.at(&fault.pointer).unwrap_or(val));
                span.pointer = format!("{}{}", record.prefix, fault.pointer).into();
                log.finding("schema", &span, &[("message", fault.message)]);
            }
        }
        let mut run = read_head(val);
        if let Some(steps) = val.get("steps").filter(|s| s.is_array()) {
            record.each(steps, |step| match read_step(step, &run) {
                Some(read) => {
                    log.understood();
                    run.steps.push(read);
                }
                None => {
                    log.unknown("step");
                    let content = Content::text(cut(step.val.raw(), 20_000));
                    run.steps.push(blank(StepKind::Raw, content, step.span()));
                }
            });
        }
        self.done.push(run);
    }

    fn finish(self: Box<Self>, _log: &mut Log) -> Vec<Run> {
        self.done
    }
}

fn owned(val: Val<'_>, key: &str) -> Option<String> {
    val.str(key).map(|s| s.into_owned())
}

fn boxed(val: Val<'_>, key: &str) -> Option<Box<str>> {
    val.str(key).map(|s| s.as_ref().into())
}

/// An index that lies below `end`.
fn index<T: TryFrom<u64>>(val: Val<'_>, key: &str, end: usize) -> Option<T> {
    let n = val.get(key)?.as_u64().filter(|n| *n < end as u64)?;
    T::try_from(n).ok()
}

fn read_head(val: Val<'_>) -> Run {
    let source = val.get("source");
    let named = source.and_then(|s| owned(s, "format"));
    let mut run = Run {
        id: owned(val, "id"),
        title: owned(val, "title").unwrap_or_default(),
        format: named.as_deref().and_then(super::format).map_or(FORMAT.id, |f| f.id),
        format_version: source.and_then(|s| owned(s, "version")),
        agent: val
            .get("agent")
            .map(|a| Agent { name: owned(a, "name"), version: owned(a, "version") })
            .unwrap_or_default(),
        ..Run::default()
    };
    let list = |key: &str| val.get(key).map(Val::items).into_iter().flatten().take(usize::from(u16::MAX));
    run.models = list("models").filter_map(|m| m.as_str()).map(|m| m.into_owned()).collect();
    for (at, lane) in list("lanes").enumerate() {
        run.lanes.push(Lane {
            name: owned(lane, "name").unwrap_or_default(),
            agent_id: owned(lane, "agent_id"),
            parent: index(lane, "parent", at),
        });
    }
    if run.lanes.is_empty() {
        run.lanes.push(Lane::default());
    }
    for turn in val.get("turns").map(Val::items).into_iter().flatten() {
        run.turns.push(Turn {
            lane: index(turn, "lane", run.lanes.len()).unwrap_or(0),
            id: boxed(turn, "id"),
            model: index(turn, "model", run.models.len()),
            usage: turn.get("usage").map(read_usage).unwrap_or_default(),
        });
    }
    run.outcome = val.some("outcome").and_then(|o| {
        let verdict = o.get("verdict")?;
        let verdict = VERDICTS.iter().copied().find(|v| verdict.is(v.id()))?;
        Some(Outcome {
            verdict,
            word: owned(o, "word").unwrap_or_default(),
            reward: o.get("reward").and_then(Val::as_f64),
        })
    });
    run.totals = val.some("totals").map(read_usage);
    for (key, pairs) in [("facts", &mut run.facts), ("labels", &mut run.labels)] {
        for pair in list(key) {
            let mut parts = pair.items().map(|p| p.text().into_owned());
            if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                pairs.push((name, value));
            }
        }
    }
    run.reference = list("reference")
        .filter_map(|w| Some(Wanted { tool: boxed(w, "tool")?, args: read_args(w.get("args")?)? }))
        .collect();
    // As they were written: what was kept once is kept again.
    run.skills = list("skills").filter_map(read_skill).take(MAX_SKILLS).collect();
    run.skills_partial = val.bool("skills_partial") == Some(true);
    run
}

fn read_usage(val: Val<'_>) -> Usage {
    let n = |key| val.get(key).and_then(Val::as_u64);
    let estimated = val.get("cost_kind").is_some_and(|k| k.is("estimated"));
    Usage {
        input: n("input"),
        output: n("output"),
        cached: n("cached"),
        cache_write: n("cache_write"),
        reasoning: n("reasoning"),
        cost: val.get("cost").and_then(Val::as_f64),
        cost_kind: if estimated { CostKind::Estimated } else { CostKind::Reported },
    }
}

fn read_time(val: Val<'_>) -> Option<Time> {
    let at = val.some("at")?;
    Some(Time { ms: at.get("ms")?.as_i64()?, local: at.bool("local") == Some(true) })
}

fn read_text(val: Val<'_>) -> Content {
    let media = val.get("media").map(Val::items).into_iter().flatten().map(|m| Media {
        mime: owned(m, "mime").unwrap_or_default(),
        data: boxed(m, "data"),
        reference: boxed(m, "reference"),
    });
    Content { text: boxed(val, "text").unwrap_or_default(), media: media.collect() }
}

fn blank(kind: StepKind, content: Content, span: Span) -> Step {
    Step {
        kind,
        lane: 0,
        turn: None,
        batch: None,
        at: None,
        content,
        call: None,
        name: None,
        label: None,
        is_error: false,
        span,
    }
}

/// A step; `None` when its kind is unknown or an action has no call.
fn read_step(record: &Record<'_>, run: &Run) -> Option<Step> {
    let val = record.val;
    let kind = val.get("kind")?;
    let kind = KINDS.iter().copied().find(|k| kind.is(k.id()))?;
    let mut step = blank(kind, read_text(val), record.span());
    if kind == StepKind::Action {
        step.call = Some(Box::new(read_call(record, val.some("call")?, run)?));
    }
    step.lane = index(val, "lane", run.lanes.len()).unwrap_or(0);
    step.turn = index(val, "turn", run.turns.len());
    step.batch = index(val, "batch", u32::MAX as usize);
    step.at = read_time(val);
    step.name = boxed(val, "name");
    step.label = boxed(val, "label");
    step.is_error = val.bool("is_error") == Some(true);
    Some(step)
}

fn read_call(record: &Record<'_>, val: Val<'_>, run: &Run) -> Option<Call> {
    let args = val.get("args")?;
    let number = |v: Val<'_>, key: &str| v.get(key).and_then(Val::as_f64);
    Some(Call {
        id: boxed(val, "id"),
        tool: boxed(val, "tool")?,
        args: read_args(args)?,
        observation: val.some("observation").map(|o| Observation {
            content: read_text(o),
            at: read_time(o),
            exit_code: o.get("exit_code").and_then(Val::as_i64),
            structured: boxed(o, "structured"),
            span: record.span_of(o),
        }),
        status: member(&STATUSES, val.get("status")).unwrap_or_default(),
        duration_ms: number(val, "duration_ms"),
        spawn: val.some("spawn").map(|s| {
            Box::new(Spawn {
                agent_id: owned(s, "agent_id"),
                lane: index(s, "lane", run.lanes.len()),
                calls: s.get("calls").and_then(Val::as_u64),
                tokens: s.get("tokens").and_then(Val::as_u64),
                duration_ms: number(s, "duration_ms"),
            })
        }),
    })
}
