//! ATIF, the Agent Trajectory Interchange Format, versions 1.0 to 1.8, as Harbor, its converters and others write it:
//! one trajectory a file, several in JSON Lines or an array, or one step a line.
//! Source: Harbor's RFC 0001 and the model in its package, version 0.26; the schema is `schemas/atif.schema.json`.
//!
//! ```json
//! {"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"my-agent","version":"1","model_name":"m"},
//!  "steps":[{"step_id":1,"source":"user","message":"Do X"},
//!   {"step_id":2,"source":"agent","message":"ok","reasoning_content":"hm",
//!    "tool_calls":[{"tool_call_id":"c1","function_name":"bash","arguments":{"cmd":"ls"}}],
//!    "observation":{"results":[{"source_call_id":"c1","content":"a.txt"}]},
//!    "metrics":{"prompt_tokens":10,"completion_tokens":5,"cached_tokens":8,"cost_usd":0.01}}],
//!  "final_metrics":{"total_prompt_tokens":10,"total_completion_tokens":5}}
//! ```
//!
//! A step of the file is one answer of a model: a turn of ours. `prompt_tokens` holds the cached ones. There is no
//! error flag in the format; what producers put into `extra` is read. Sub-agents are embedded trajectories, or side
//! chains that a converter merged into the main list. Copied context is shown and not counted. O(bytes).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::part::{content, cut, moment_of, voice};
use super::tools::declare;
use super::{Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, Sniff, json_args, string_args};
use crate::json::Val;
use crate::model::{
    Args, ArgsForm, CallStatus, Content, CostKind, LaneId, Observation, Outcome, Run, Span, Spawn, StepKind, Usage,
    Verdict,
};
use crate::schema;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "atif",
    label: "ATIF",
    files: "1.0 to 1.8",
    marks: &[
        "schema_version",
        "session_id",
        "agent",
        "steps",
        "step_id",
        "source",
        "tool_calls",
        "observation",
        "final_metrics",
    ],
    sniff,
    reader: || Box::new(Reader::default()),
};

/// The format's own schema, in our words.
pub const SCHEMA: &str = include_str!("../../schemas/atif.schema.json");

/// Larger trajectories are not checked against the schema: the check needs a second copy of the values.
const MAX_CHECKED: usize = 24 * 1024 * 1024;

/// How a summary begins that Claude Code puts in the place of the conversation before it.
const CONTINUED: &str = "This session is being continued from a previous conversation";

fn sniff(sample: &Sample<'_>) -> Sniff {
    let version = |v: Val<'_>| v.str("schema_version").is_some_and(|s| s.to_ascii_uppercase().contains("ATIF"));
    let step = |v: Val<'_>| v.has("step_id") && v.has("source") && v.has("message");
    fn steps(v: Val<'_>) -> Option<Val<'_>> {
        v.get("steps").filter(|s| s.is_array())
    }
    let trajectory = |v: Val<'_>| steps(v).is_some_and(|s| s.items().next().is_some_and(step));
    if sample.any(|v| (version(v) && (v.has("agent") || v.has("steps"))) || (trajectory(v) && v.has("agent"))) {
        return Sniff::Yes;
    }
    if sample.object().is_none() && sample.any(step) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(v) if trajectory(v) => Sniff::near(2, Reason::NoKey("agent"), "/agent"),
        Some(v) if steps(v).is_some() => Sniff::near(1, Reason::NoKey("step_id"), "/steps/0/step_id"),
        Some(v) if v.has("schema_version") => Sniff::near(1, Reason::NoKey("steps"), "/steps"),
        _ => Sniff::no(Reason::NeedsObject("steps"), ""),
    }
}

#[derive(Default)]
struct Reader {
    done: Vec<Run>,
    /// The run of a file with one step a line.
    open: Option<Builder>,
}

/// One run in the making.
struct Builder {
    run: RunBuilder,
    /// Steps that start a lane without a call.
    anchors: Vec<(usize, LaneId)>,
    /// Side chains by the agent's id.
    sides: BTreeMap<String, LaneId>,
    /// Whether the trajectory marks failed results: then no mark means that all went well.
    marks: bool,
    lanes: BTreeSet<LaneId>,
}

/// What the steps of one trajectory share.
#[derive(Clone, Default)]
struct Scope {
    lane: LaneId,
    model: String,
    /// Lanes of the trajectories that this one may refer to, by id, session or path.
    known: Rc<BTreeMap<String, LaneId>>,
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if val.get("steps").is_some_and(Val::is_array) {
            self.close();
            check(record, val, log);
            let mut builder = Builder::new();
            builder.trajectory(record, log);
            self.done.push(builder.finish());
        } else if val.has("step_id") && val.has("source") {
            for fault in schema::check_def(SCHEMA, "step", val) {
                faulty(record, val, &fault.pointer, fault.message, log);
            }
            let builder = self.open.get_or_insert_with(Builder::new);
            let scope =
                Scope { model: builder.run.run.models.first().cloned().unwrap_or_default(), ..Scope::default() };
            builder.marks |= marks_errors(val);
            builder.step(record, &scope, log);
        } else if val.has("schema_version") || val.has("agent") || val.has("final_metrics") {
            // The head or the end of a file with one step a line.
            log.understood();
            if val.has("schema_version") && self.open.as_ref().is_some_and(|b| !b.run.is_empty()) {
                self.close();
            }
            self.open.get_or_insert_with(Builder::new).header(val);
        } else {
            log.unknown("no steps");
            let builder = self.open.get_or_insert_with(Builder::new);
            let draft = Draft { span: record.span(), label: Some("no steps".into()), ..Draft::default() };
            builder.run.say(StepKind::Raw, Content::text(cut(val.raw(), 20_000)), draft);
        }
    }

    fn finish(mut self: Box<Self>, _log: &mut Log) -> Vec<Run> {
        self.close();
        self.done
    }
}

impl Reader {
    fn close(&mut self) {
        if let Some(builder) = self.open.take() {
            self.done.push(builder.finish());
        }
    }
}

impl Builder {
    fn new() -> Self {
        Self {
            run: RunBuilder::new(FORMAT.id),
            anchors: Vec::new(),
            sides: BTreeMap::new(),
            marks: false,
            lanes: BTreeSet::new(),
        }
    }

    fn header(&mut self, val: Val<'_>) {
        let run = &mut self.run.run;
        let own = |v: Option<std::borrow::Cow<'_, str>>| v.map(|s| s.into_owned());
        run.id = own(val.str("session_id").or_else(|| val.str("trajectory_id"))).or(run.id.take());
        run.format_version = own(val.str("schema_version")).or(run.format_version.take());
        if let Some(agent) = val.some("agent") {
            if let Some(name) = agent.str("name") {
                run.agent.name = Some(name.into_owned());
                run.agent.version = own(agent.str("version"));
            }
            if let Some(model) = model_of(agent) {
                run.model_index(&model);
            }
            if let Some(tools) = agent.some("tool_definitions") {
                declare(run, tools);
            }
            let extra = agent.get("extra");
            let fact = |key: &str| extra.and_then(|e| e.get(key)).map(|v| v.items().next().unwrap_or(v));
            for (name, value) in [
                ("cwd", fact("cwd").or_else(|| fact("cwds"))),
                ("branch", fact("git_branches").or_else(|| extra.and_then(|e| e.path(&["git", "branch"])))),
            ] {
                if let Some(value) = value.and_then(Val::as_str) {
                    run.facts.push((name.into(), value.into_owned()));
                }
            }
        }
        for key in ["notes", "continued_trajectory_ref"] {
            if let Some(value) = val.str(key).filter(|v| !v.trim().is_empty()) {
                run.facts.push((key.into(), value.into_owned()));
            }
        }
        if let Some(totals) = val.some("final_metrics") {
            run.totals = Some(totals_of(totals));
        }
        if let Some(told) = val.path(&["extra", "agentpile"]) {
            labels(run, told);
        }
    }

    /// A trajectory with those embedded in it, each in a lane of its own.
    fn trajectory(&mut self, record: &Record<'_>, log: &mut Log) {
        let root = record.val;
        self.header(root);
        // Embedded trajectories may embed others: a list, not a recursion.
        let mut queue: Vec<(Record<'_>, Scope)> = Vec::new();
        let mut prefixes: Vec<String> = Vec::new();
        let mut found: Vec<(Val<'_>, Span, LaneId)> = vec![(root, record.span(), 0)];
        let mut names: BTreeSet<String> = self.run.run.lanes.iter().filter_map(|l| l.agent_id.clone()).collect();
        let mut at = 0;
        while let Some(&(val, _, parent)) = found.get(at) {
            at += 1;
            // What a sub-agent may call is declared in its own trajectory.
            if let Some(tools) = val.path(&["agent", "tool_definitions"]) {
                declare(&mut self.run.run, tools);
            }
            self.marks |= val.get("steps").is_some_and(|steps| steps.items().any(marks_errors));
            let Some(embedded) = val.some("subagent_trajectories").filter(|s| s.is_array()) else { continue };
            let mut children = Vec::new();
            let spans = spans_of(record, embedded);
            for (child, span) in embedded.items().zip(spans) {
                let id =
                    child.str("trajectory_id").or_else(|| child.str("session_id")).unwrap_or_default().into_owned();
                let name = child.path(&["agent", "name"]).and_then(Val::as_str).unwrap_or_default().into_owned();
                // Siblings may share a session.
                let id = if id.is_empty() || names.contains(&id) {
                    format!("{id}#{}", self.run.run.lanes.len())
                } else {
                    id
                };
                names.insert(id.clone());
                let lane = self.run.lane(&id, if name.is_empty() { &id } else { &name }, parent);
                children.push((child, span, lane));
            }
            found.extend(children);
        }
        prefixes.extend(found.iter().map(|(_, span, _)| span.pointer.to_string()));
        // Who may be referred to: all of the file, under its trajectory's id, else its session's.
        let mut known = BTreeMap::new();
        for key in ["session_id", "trajectory_id"] {
            for (val, _, lane) in found.iter().skip(1) {
                if let Some(id) = val.str(key) {
                    known.insert(id.into_owned(), *lane);
                }
            }
        }
        let known = Rc::new(known);
        for ((val, span, lane), prefix) in found.iter().zip(&prefixes) {
            let model = val.some("agent").and_then(model_of).unwrap_or_default();
            let scope = Scope { lane: *lane, model, known: Rc::clone(&known) };
            let inner = Record { val: *val, line: span.line, base: record.base, prefix, index: 0 };
            queue.push((inner, scope));
        }
        for (inner, scope) in queue {
            self.lanes.insert(scope.lane);
            let Some(steps) = inner.val.get("steps") else { continue };
            inner.each(steps, |step| self.step(step, &scope, log));
        }
    }

    fn step(&mut self, record: &Record<'_>, scope: &Scope, log: &mut Log) {
        let step = record.val;
        if !step.is_object() {
            log.unknown("step");
            let draft = Draft { lane: scope.lane, span: record.span(), label: Some("step".into()), ..Draft::default() };
            self.run.say(StepKind::Raw, Content::text(cut(step.raw(), 20_000)), draft);
            return;
        }
        let copied = step.bool("is_copied_context") == Some(true);
        if copied && scope.lane > 0 {
            // The original stands in the same file.
            log.skipped("copied context");
            return;
        }
        log.understood();
        let extra = step.some("extra");
        let lane = self.side(scope, extra);
        let side = lane != scope.lane;
        let source = step.str("source").unwrap_or_default();
        let at = moment_of(step);
        let message = step.get("message");
        let text = message.map(|m| text_of(m, log)).unwrap_or_default();
        let actor = extra.and_then(|e| e.path(&["agentpile", "actor"])).and_then(Val::as_str);
        let base = Draft {
            lane,
            at,
            name: actor.map(|a| a.as_ref().into()),
            label: copied.then(|| "copied".into()),
            ..Draft::default()
        };
        let place = |val: Option<Val<'_>>| record.span_of(val.unwrap_or(step));
        if !matches!(source.as_ref(), "agent" | "assistant") {
            self.told(record, &source, text, Draft { span: place(message), ..base.clone() }, side || scope.lane > 0);
            self.results(record, scope, &[], &base, log);
            return;
        }
        let turn = self.run.new_turn(lane);
        let model = step.str("model_name").or_else(|| step.str("model")).unwrap_or(scope.model.as_str().into());
        self.run.model(turn, &model);
        if let Some(metrics) = step.some("metrics").filter(|_| !copied) {
            self.run.usage(turn, usage_of(metrics));
        }
        let base = Draft { turn: Some(turn), ..base };
        let reasoning = step.get("reasoning_content").or_else(|| step.get("reasoning"));
        if let Some(thought) = reasoning.and_then(Val::as_str).filter(|t| !t.trim().is_empty()) {
            let draft = Draft { span: place(reasoning), ..base.clone() };
            self.run.say(StepKind::Thought, Content::text(thought.as_ref()), draft);
        }
        if !text.is_empty() {
            self.run.say(StepKind::Say, text, Draft { span: place(message), ..base.clone() });
        }
        let mut calls = Vec::new();
        for call in step.get("tool_calls").map(Val::items).into_iter().flatten().filter(|c| c.is_object()) {
            calls.push((call, self.call(record, call, extra, &base)));
        }
        let answered = self.results(record, scope, &calls, &base, log);
        if calls.is_empty() && !answered && message.is_none() && reasoning.is_none() {
            let draft = Draft { span: record.span(), label: Some("step".into()), ..base };
            self.run.say(StepKind::Raw, Content::text(cut(step.raw(), 20_000)), draft);
        }
    }

    /// The lane of a side chain that a converter merged into the main list.
    fn side(&mut self, scope: &Scope, extra: Option<Val<'_>>) -> LaneId {
        let Some(extra) = extra.filter(|e| e.bool("is_sidechain") == Some(true)) else { return scope.lane };
        let agent = extra.str("agent_id").unwrap_or("side chain".into());
        if let Some(&lane) = self.sides.get(agent.as_ref()) {
            return lane;
        }
        let lane = self.run.lane(&agent, &agent, scope.lane);
        self.lanes.insert(lane);
        self.sides.insert(agent.into_owned(), lane);
        lane
    }

    /// What a user or the system says.
    fn told(&mut self, record: &Record<'_>, source: &str, text: Content, draft: Draft, inner: bool) {
        let summarised = record
            .val
            .path(&["observation", "results"])
            .is_some_and(|r| r.items().any(|r| r.some("subagent_trajectory_ref").is_some_and(|r| !r.is_empty())));
        let kind = match source {
            "user" if text.text.starts_with(CONTINUED) => StepKind::Compaction,
            "user" => match voice(&text.text) {
                // A sub-agent is asked by its parent, not by a person.
                StepKind::Person if inner => StepKind::Injected,
                kind => kind,
            },
            // Terminus hands its context over to a summary that sub-agents write.
            _ if summarised && text.text.to_lowercase().contains("summar") => StepKind::Compaction,
            _ => StepKind::System,
        };
        if !text.is_empty() || kind == StepKind::Compaction {
            self.run.say(kind, text, draft);
        }
    }

    fn call(&mut self, record: &Record<'_>, call: Val<'_>, extra: Option<Val<'_>>, base: &Draft) -> usize {
        let id = call.str("tool_call_id").or_else(|| call.str("id"));
        let name = call.str("function_name").or_else(|| call.str("name")).unwrap_or_default();
        let details = extra.and_then(|e| e.path(&["tool_call_details", id.as_deref()?]));
        let piled = extra.and_then(|e| e.path(&["agentpile", "calls", id.as_deref()?]));
        let args = args_of(call, details, piled);
        let step = self.run.call(id.as_deref(), &name, args, Draft { span: record.span_of(call), ..base.clone() });
        let invocation = call.path(&["extra", "invocation"]);
        let clock = |key| invocation.and_then(|i| i.f64(key));
        if let (Some(from), Some(to)) = (clock("start_timestamp"), clock("end_timestamp"))
            && to >= from
        {
            self.run.edit_call(step, |call| call.duration_ms = Some((to - from) * 1e3));
        }
        step
    }

    /// The results of a step: by the id of the call, else by position. A result of a step without calls stands alone.
    fn results(
        &mut self,
        record: &Record<'_>,
        scope: &Scope,
        calls: &[(Val<'_>, usize)],
        base: &Draft,
        log: &mut Log,
    ) -> bool {
        let step = record.val;
        let Some(results) = step.path(&["observation", "results"]).filter(|r| r.is_array()) else { return false };
        let mut position = 0;
        for result in results.items().filter(|r| r.is_object()) {
            let id = result.str("source_call_id").filter(|id| !id.is_empty());
            let call = match &id {
                Some(id) => calls.iter().find(|(_, s)| self.is_open(*s, Some(id))),
                None => calls.iter().skip(position).find(|(_, s)| self.is_open(*s, None)),
            };
            position += usize::from(id.is_none());
            let piled = call.and_then(|(call, _)| {
                step.path(&["extra", "agentpile", "calls", call.str("tool_call_id").as_deref()?, "error"])
            });
            let mut status = status_of(result, self.marks);
            if piled.is_some_and(|e| !e.is_null()) {
                status = CallStatus::Error;
            }
            let exit_code =
                result.path(&["extra", "exit_code"]).or_else(|| result.path(&["extra", "metadata", "exit_code"]));
            let refs = result.some("subagent_trajectory_ref").filter(|r| !r.is_empty());
            let mut content = result.get("content").map(|c| text_of(c, log)).unwrap_or_default();
            if let (true, Some(refs)) = (content.is_empty(), refs) {
                content = Content::text(named(refs));
            }
            let meta = result.path(&["extra", "tool_result_metadata", "tool_use_result"]).filter(|m| m.is_object());
            let observation = Observation {
                content,
                at: None,
                exit_code: exit_code.and_then(Val::as_i64),
                structured: meta
                    .and_then(|m| m.some("structuredPatch"))
                    .filter(|p| p.is_array() && !p.is_empty())
                    .map(|p| p.raw().into()),
                span: record.span_of(result),
            };
            let draft = Draft { span: record.span_of(result), ..base.clone() };
            let index = match (call, &id) {
                (Some((_, step)), _) => {
                    self.run.answer_to(*step, observation, status);
                    *step
                }
                // Some producers put a result into a later step than its call.
                (None, Some(id)) => self.run.observe(Some(id), None, observation, status, draft),
                (None, None) => {
                    let is_error = status == CallStatus::Error;
                    self.run.say(StepKind::Orphan, observation.content, Draft { is_error, ..draft })
                }
            };
            if let Some(agent) = meta.and_then(|m| m.str("agentId")) {
                let count = |key| meta.and_then(|m| m.u64(key));
                let spawn = Spawn {
                    agent_id: Some(agent.into_owned()),
                    lane: None,
                    calls: count("totalToolUseCount"),
                    tokens: count("totalTokens"),
                    duration_ms: meta.and_then(|m| m.f64("totalDurationMs")),
                };
                self.run.edit_call(index, |call| call.spawn = Some(Box::new(spawn)));
            }
            for reference in refs.map(Val::items).into_iter().flatten() {
                self.refer(reference, scope, index);
            }
        }
        true
    }

    fn is_open(&self, step: usize, id: Option<&str>) -> bool {
        let call = self.run.run.steps.get(step).and_then(|s| s.call.as_deref());
        call.is_some_and(|c| c.observation.is_none() && id.is_none_or(|id| c.id.as_deref() == Some(id)))
    }

    /// Ties a step to the trajectory of a sub-agent.
    fn refer(&mut self, reference: Val<'_>, scope: &Scope, step: usize) {
        let keys = ["trajectory_id", "session_id", "trajectory_path"];
        let lane = keys.iter().find_map(|k| scope.known.get(reference.str(k)?.as_ref()).copied());
        let named = keys.iter().find_map(|k| reference.str(k)).map(|s| s.into_owned());
        if let Some(lane) = lane.filter(|l| *l != scope.lane) {
            self.anchors.push((step, lane));
        }
        self.run.edit_call(step, |call| {
            let spawn = call.spawn.get_or_insert_default();
            if spawn.lane.is_none() {
                spawn.lane = lane;
                spawn.agent_id = named.or(spawn.agent_id.take());
            }
        });
    }

    fn finish(mut self) -> Run {
        for at in 0..self.run.run.steps.len() {
            let sides = &self.sides;
            self.run.edit_call(at, |call| {
                if let Some(spawn) = call.spawn.as_deref_mut().filter(|s| s.lane.is_none()) {
                    spawn.lane = spawn.agent_id.as_ref().and_then(|id| sides.get(id).copied());
                }
            });
        }
        self.add_embedded();
        self.run.nest_lanes(&self.anchors);
        self.run.finish()
    }

    /// Totals that are the sum of the main trajectory's own steps leave the embedded ones out: they are added.
    fn add_embedded(&mut self) {
        let run = &mut self.run.run;
        let Some(totals) = run.totals.clone() else { return };
        let sides: BTreeSet<LaneId> = self.sides.values().copied().collect();
        let own = |lane: LaneId| lane == 0 || sides.contains(&lane);
        let sum = |main: bool| {
            let turns = run.turns.iter().filter(|t| own(t.lane) == main);
            turns.fold(Usage::default(), |sum, t| sum.plus(&t.usage))
        };
        let (main, rest) = (sum(true), sum(false));
        let tokens = totals.input.is_some() && totals.input == main.input && rest.input.is_some();
        let money = totals.cost.is_some() && totals.cost == main.cost && rest.cost.is_some();
        let mut whole = totals.clone();
        if tokens {
            let cost = (whole.cost, whole.cost_kind);
            whole = whole.plus(&Usage { cost: None, ..rest.clone() });
            (whole.cost, whole.cost_kind) = cost;
        }
        if money {
            whole.cost = totals.cost.zip(rest.cost).map(|(a, b)| a + b);
        }
        run.totals = Some(whole);
    }
}

/// The spans of an array's members; lines are counted once.
fn spans_of(record: &Record<'_>, array: Val<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    record.each(array, |member| spans.push(member.span()));
    spans
}

fn model_of(agent: Val<'_>) -> Option<String> {
    let model = agent.str("model_name").or_else(|| agent.str("model"))?;
    (!model.is_empty()).then(|| model.into_owned())
}

/// Text with media; a value that is neither text nor parts stands as its source.
fn text_of(val: Val<'_>, log: &mut Log) -> Content {
    if val.is_null() {
        return Content::default();
    }
    let mut rest = String::new();
    let mut out = content(val, &mut |part| {
        if val.is_array() {
            log.unknown_part(&format!("part/{}", part.str("type").unwrap_or_default()));
        }
        if !rest.is_empty() {
            rest.push('\n');
        }
        rest.push_str(part.raw());
    });
    if !rest.is_empty() {
        let text = if out.text.is_empty() { rest } else { format!("{}\n{rest}", out.text) };
        out.text = text.into();
    }
    out
}

/// The names of the trajectories that a result refers to.
fn named(refs: Val<'_>) -> String {
    let name = |r: Val<'_>| {
        let said = r.path(&["extra", "summary"]).and_then(Val::as_str);
        let key = ["trajectory_path", "trajectory_id", "session_id"].iter().find_map(|k| r.str(k));
        [said, key].into_iter().flatten().map(|s| s.into_owned()).collect::<Vec<_>>().join(": ")
    };
    refs.items().map(name).collect::<Vec<_>>().join("\n")
}

/// Arguments as the file has them; converters keep what the model wrote where it was no JSON object.
fn args_of(call: Val<'_>, details: Option<Val<'_>>, piled: Option<Val<'_>>) -> Args {
    if let Some(raw) = piled.and_then(|p| p.str("arguments_raw")) {
        return string_args(&raw);
    }
    if let Some(raw) = details.and_then(|d| d.str("raw_arguments")) {
        let free = details.and_then(|d| d.str("item_type")).is_some_and(|t| t == "custom_tool_call");
        return if free { Args { raw: raw.as_ref().into(), form: ArgsForm::Text } } else { string_args(&raw) };
    }
    match call.some("arguments") {
        Some(arguments) if arguments.is_string() => string_args(&arguments.text()),
        Some(arguments) => json_args(arguments.raw()),
        None => json_args("{}"),
    }
}

/// Whether a step marks how its results ended.
fn marks_errors(step: Val<'_>) -> bool {
    const MARKS: [&str; 2] = ["tool_result_is_error", "is_error"];
    let results = step.path(&["observation", "results"]);
    results
        .is_some_and(|r| r.items().any(|r| r.get("extra").is_some_and(|e| MARKS.iter().any(|m| e.some(m).is_some()))))
}

/// How a result ended, by the marks that producers put into `extra`.
fn status_of(result: Val<'_>, marks: bool) -> CallStatus {
    let Some(extra) = result.get("extra").filter(|e| e.is_object()) else {
        return if marks { CallStatus::Ok } else { CallStatus::Unknown };
    };
    let flags = [extra.bool("is_error"), extra.bool("tool_result_is_error"), extra.bool("success").map(|s| !s)];
    let inner = extra.path(&["tool_result_metadata", "is_error"]).and_then(Val::as_bool);
    let error =
        extra.some("error").is_some_and(|e| e.as_bool() != Some(false) && !e.is_empty() || e.as_bool() == Some(true));
    let code = extra.get("exit_code").or_else(|| extra.path(&["metadata", "exit_code"])).and_then(Val::as_i64);
    let word = extra.str("status");
    let failed = word.as_deref().is_some_and(|w| matches!(w, "error" | "failed" | "failure" | "timeout"));
    if flags.iter().chain([&inner]).any(|f| *f == Some(true)) || error || failed || code.is_some_and(|c| c != 0) {
        return CallStatus::Error;
    }
    let fine = word.as_deref().is_some_and(|w| matches!(w, "ok" | "success" | "completed"));
    if marks || fine || code == Some(0) || flags.contains(&Some(false)) {
        return CallStatus::Ok;
    }
    CallStatus::Unknown
}

/// A cost is an estimate unless the file names a source of it that is none: converters price tokens by a table.
fn cost_kind(extra: Option<Val<'_>>) -> CostKind {
    let source = extra.and_then(|e| e.str("cost_source")).map(|s| s.to_lowercase());
    match source {
        Some(s) if !["estimate", "litellm", "pric", "table", "comput"].iter().any(|w| s.contains(w)) => {
            CostKind::Reported
        }
        _ => CostKind::Estimated,
    }
}

/// The usage in a step's `metrics`.
fn usage_of(metrics: Val<'_>) -> Usage {
    usage(metrics, "", &["reasoning_output_tokens", "reasoning_tokens"])
}

/// The usage in the run's `final_metrics`, whose keys begin with `total_`.
fn totals_of(totals: Val<'_>) -> Usage {
    usage(totals, "total_", &["reasoning_output_tokens", "total_reasoning_tokens"])
}

fn usage(metrics: Val<'_>, prefix: &str, reasoning: &[&str]) -> Usage {
    let named = |name: &str| format!("{prefix}{name}");
    let extra = metrics.some("extra");
    let cost = metrics.f64(&named("cost_usd"));
    Usage {
        input: metrics.u64(&named("prompt_tokens")),
        output: metrics.u64(&named("completion_tokens")),
        cached: metrics.u64(&named("cached_tokens")),
        cache_write: extra.and_then(|e| e.u64(&named("cache_creation_input_tokens"))),
        reasoning: extra.and_then(|e| reasoning.iter().find_map(|name| e.u64(name))),
        cost,
        cost_kind: if cost.is_some() { cost_kind(extra) } else { CostKind::default() },
    }
}

/// The outcome and the labels of the agentpile collection, which lives in `extra`.
fn labels(run: &mut Run, told: Val<'_>) {
    if let Some(outcome) = told.some("outcome")
        && let Some(success) = outcome.bool("success")
    {
        let verdict = if success { Verdict::Passed } else { Verdict::Failed };
        let word = if success { "success" } else { "no success" };
        run.outcome = Some(Outcome { verdict, word: word.into(), reward: outcome.f64("score") });
    }
    if let Some(task) = told.path(&["task", "id"]).and_then(Val::as_str) {
        run.facts.push(("task".into(), task.into_owned()));
    }
    for label in told.get("labels").map(Val::items).into_iter().flatten() {
        let Some(name) = label.str("name") else { continue };
        let value = label.get("value").map(|v| v.text().into_owned()).unwrap_or_default();
        let step = label.path(&["target", "address", "step"]).or_else(|| label.path(&["target", "address", "agent"]));
        let value = match step {
            Some(step) => format!("{value} ({})", step.text()),
            None => value,
        };
        run.labels.push((name.into_owned(), value));
    }
}

/// Checks a trajectory against the schema, and what a schema cannot say: that ids of steps count from 1, and that
/// results name calls of their own step.
fn check(record: &Record<'_>, val: Val<'_>, log: &mut Log) {
    let size = val.raw().len();
    if size > MAX_CHECKED {
        let size = format!("{} MB", size / (1024 * 1024));
        log.finding("schema-unchecked", &record.span(), &[("size", size)]);
        return;
    }
    for fault in schema::check(SCHEMA, val) {
        faulty(record, val, &fault.pointer, fault.message, log);
    }
    let Some(steps) = val.get("steps") else { return };
    let mut counted = false;
    let mut strays = 0;
    record.each(steps, |step| {
        let n = step.index as u64 + 1;
        if let (false, Some(id)) = (counted, step.val.get("step_id").and_then(Val::as_u64))
            && id != n
        {
            counted = true;
            faulty(step, step.val, "/step_id", format!("step_id is {id} where {n} is due: they count from 1"), log);
        }
        let ids: BTreeSet<String> = step
            .val
            .get("tool_calls")
            .map(Val::items)
            .into_iter()
            .flatten()
            .filter_map(|c| c.str("tool_call_id").map(|s| s.into_owned()))
            .collect();
        let results = step.val.path(&["observation", "results"]).map(Val::items).into_iter().flatten();
        for (i, result) in results.enumerate() {
            if let Some(id) = result.str("source_call_id").filter(|id| !ids.contains(id.as_ref()))
                && strays < schema::MAX_FAULTS
            {
                strays += 1;
                let id: String = id.chars().take(60).collect();
                let pointer = format!("/observation/results/{i}/source_call_id");
                faulty(step, step.val, &pointer, format!("no call of this step has the id {id}"), log);
            }
        }
    });
}

/// A departure from the format at a pointer inside `val`.
fn faulty(record: &Record<'_>, val: Val<'_>, pointer: &str, message: String, log: &mut Log) {
    let at = val.at(pointer).unwrap_or(val);
    let mut span = record.span_of(at);
    span.pointer = format!("{}{pointer}", record.prefix).into();
    log.finding("schema", &span, &[("message", message)]);
}
