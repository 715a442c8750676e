//! OpenHands before its SDK (and OpenDevin): saved trajectories (an array of events), `{"trajectory"}` of its server,
//! stored events one a file, and evaluation rows (`output.jsonl`) that hold their events in `history`.
//! Versions seen: 0.21 to 0.58, and the oldest rows, whose events have neither id nor source.
//!
//! ```json
//! {"id":5,"timestamp":"…","source":"agent","action":"run","args":{"command":"ls","thought":"…"},
//!  "tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"call_1","model_response":{"id":"r","usage":{}}},
//!  "llm_metrics":{"accumulated_cost":0.01}}
//! {"id":6,"cause":5,"observation":"run","content":"a.txt","extras":{"metadata":{"exit_code":0}},"success":true}
//! ```
//!
//! An observation names its action in `cause`. Calls of one answer share `model_response.id`, which holds the usage of
//! that answer alone; `llm_metrics` accumulates. Times are local, without a zone. O(bytes).

use std::collections::{HashMap, HashSet};

use super::part::{from_url, voice};
use super::tools::declare;
use super::{
    Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, Shape, Sniff, json_args, string_args,
};
use crate::json::{Tape, Val, quote};
use crate::model::{
    CallStatus, Content, CostKind, LaneId, Observation, Outcome, Run, Spawn, StepKind, TurnId, Usage, Verdict,
    parse_time,
};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "openhands-v0",
    label: "OpenHands 0.x",
    files: "trajectories, output.jsonl",
    marks: &["action", "observation", "source", "args", "cause", "history", "instance_id", "test_result"],
    sniff,
    reader: || Box::new(Reader::default()),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_event(v) || row_events(v).is_some_and(holds_events)) {
        return Sniff::Yes;
    }
    let half = |v: Val<'_>| v.has("action") || v.has("observation");
    if let Some(first) = sample.first().filter(|v| half(*v)) {
        let missing = if first.has("action") { "args" } else { "extras" };
        return Sniff::near(1, Reason::NoKey(missing), if sample.shape == Shape::Object { "/" } else { "/0" });
    }
    Sniff::no(Reason::NeedsRecords("action"), "/")
}

/// An action or an observation, not both: records of other programs that hold a whole step have both.
fn is_event(val: Val<'_>) -> bool {
    let text = |key: &str| val.get(key).is_some_and(Val::is_string);
    let object = |key: &str| val.get(key).is_some_and(Val::is_object);
    match (text("action"), text("observation")) {
        (true, false) => !val.has("observation") && object("args"),
        (false, true) => !val.has("action") && (object("extras") || text("content") && text("source")),
        _ => false,
    }
}

/// The events of an evaluation row or of the server's answer.
fn row_events(val: Val<'_>) -> Option<Val<'_>> {
    ["history", "trajectory"].iter().find_map(|k| val.get(k)).filter(|h| h.is_array())
}

/// The oldest rows pair each action with its observation in an array of two.
fn holds_events(list: Val<'_>) -> bool {
    list.items().take(4).any(|v| is_event(v) || v.items().next().is_some_and(is_event))
}

#[derive(Default)]
struct Reader {
    runs: Vec<Run>,
    /// The run of events that stand at the root.
    flat: Option<Events>,
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if let Some(list) = row_events(val).filter(|_| !is_event(val)) {
            let key = if val.has("history") { "history" } else { "trajectory" };
            let mut events = Events::new();
            events.row_head(val);
            events.list(record, list, &format!("{}/{key}", record.prefix), log);
            events.row_end(record, log);
            self.runs.extend(events.finish());
            return;
        }
        let flat = self.flat.get_or_insert_with(Events::new);
        if val.is_array() {
            flat.list(record, val, record.prefix, log);
        } else {
            flat.event(record, log);
        }
    }

    fn finish(mut self: Box<Self>, _: &mut Log) -> Vec<Run> {
        self.runs.extend(self.flat.take().and_then(Events::finish));
        self.runs
    }
}

/// Actions that are calls also where the model wrote them as text.
const CALLS: [&str; 13] = [
    "run",
    "run_ipython",
    "read",
    "write",
    "edit",
    "browse",
    "browse_interactive",
    "delegate",
    "mcp",
    "call_tool_mcp",
    "task_tracking",
    "push",
    "send_pr",
];

/// What an observation of an action means for it.
#[derive(Clone, Copy)]
enum Cause {
    /// The step of a call.
    Call(usize),
    /// Something that is shown by itself: the observation only says that it arrived.
    Said,
}

/// The events of one run.
struct Events {
    run: RunBuilder,
    /// Event id -> what it was. Looked up only.
    causes: HashMap<u64, Cause>,
    seen: HashSet<(u64, String)>,
    /// Running delegates, innermost last: the call and the lane of its steps.
    delegates: Vec<(usize, LaneId)>,
    delegate_count: usize,
    /// The last accumulated figures.
    accumulated: Usage,
    /// False once the figures went down: then they are not those of the whole run.
    grows: bool,
    totals: Option<Usage>,
    agent_version: Option<String>,
    error_state: Option<String>,
}

impl Events {
    fn new() -> Self {
        Self {
            run: RunBuilder::new(FORMAT.id),
            causes: HashMap::new(),
            seen: HashSet::new(),
            delegates: Vec::new(),
            delegate_count: 0,
            accumulated: Usage::default(),
            grows: true,
            totals: None,
            agent_version: None,
            error_state: None,
        }
    }

    fn list(&mut self, record: &Record<'_>, list: Val<'_>, prefix: &str, log: &mut Log) {
        for (index, val) in list.items().enumerate() {
            let prefix = format!("{prefix}/{index}");
            let line = record.span_of(val).line;
            if val.is_array() {
                for (inner, val) in val.items().enumerate() {
                    let prefix = format!("{prefix}/{inner}");
                    let line = record.span_of(val).line;
                    self.event(&Record { val, line, base: record.base, prefix: &prefix, index }, log);
                }
            } else {
                self.event(&Record { val, line, base: record.base, prefix: &prefix, index }, log);
            }
        }
    }

    fn event(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        // Recordings of the page hold some events twice.
        if let (Some(id), Some(at)) = (val.u64("id"), val.str("timestamp")) {
            let what = val.str("action").or_else(|| val.str("observation")).unwrap_or_default();
            if !self.seen.insert((id, format!("{what} {at}"))) {
                log.understood();
                log.repaired("repeated-record", record.line);
                return;
            }
        }
        if let Some(action) = val.str("action") {
            self.action(record, &action, log);
        } else if let Some(observation) = val.str("observation") {
            self.observation(record, &observation, log);
        } else if val.has("agent") && val.has("execution_status") || val.is_null() {
            log.skipped("state");
        } else {
            log.unknown("no action");
            self.raw(record, "no action");
        }
    }

    fn lane(&self) -> LaneId {
        self.delegates.last().map_or(0, |(_, lane)| *lane)
    }

    fn draft(&self, record: &Record<'_>, turn: Option<TurnId>, at: Val<'_>) -> Draft {
        Draft {
            lane: self.lane(),
            turn,
            at: record.val.str("timestamp").and_then(|t| parse_time(&t)),
            span: record.span_of(at),
            ..Draft::default()
        }
    }

    fn say(&mut self, record: &Record<'_>, kind: StepKind, turn: Option<TurnId>, content: Content, at: Val<'_>) {
        let draft = self.draft(record, turn, at);
        self.run.say(kind, content, draft);
    }

    fn notice(&mut self, record: &Record<'_>, label: &str, text: &str, is_error: bool) {
        let draft = Draft { label: Some(label.into()), is_error, ..self.draft(record, None, record.val) };
        self.run.say(StepKind::Notice, Content::text(text), draft);
    }

    fn raw(&mut self, record: &Record<'_>, label: &str) {
        let draft = Draft { label: Some(label.into()), ..self.draft(record, None, record.val) };
        let text: String = record.val.raw().chars().take(20_000).collect();
        self.run.say(StepKind::Raw, Content::text(text), draft);
    }

    fn cause_is(&mut self, record: &Record<'_>, cause: Cause) {
        if let Some(id) = record.val.u64("id") {
            self.causes.insert(id, cause);
        }
    }

    /// The answer of the model that an action belongs to, with its usage.
    fn turn(&mut self, val: Val<'_>) -> Option<TurnId> {
        let response = val.path(&["tool_call_metadata", "model_response"]).filter(|r| r.is_object());
        let metrics = val.some("llm_metrics").filter(|m| m.is_object());
        if response.is_none() && metrics.is_none() {
            return None;
        }
        let lane = self.lane();
        let before = self.run.run.turns.len();
        let id = response.and_then(|r| r.str("id")).filter(|id| !id.is_empty());
        let turn = match id {
            Some(id) => self.run.turn(lane, &id),
            None => self.run.new_turn(lane),
        };
        let spent = metrics.map(|m| self.spent(m));
        if self.run.run.turns.len() == before {
            return Some(turn);
        }
        if let Some(model) = response.and_then(|r| r.str("model")) {
            self.run.model(turn, &model);
        }
        let own = response.and_then(|r| r.some("usage")).map(usage_of).unwrap_or_default();
        let usage = own.or(&spent.unwrap_or_default());
        self.run.usage(turn, usage);
        Some(turn)
    }

    /// What was spent since the last accumulated figures.
    fn spent(&mut self, metrics: Val<'_>) -> Usage {
        let now = accumulated(metrics);
        let less = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then.unwrap_or(0)));
        let fell = |now: Option<u64>, then: Option<u64>| now.unwrap_or(u64::MAX) < then.unwrap_or(0);
        let then = std::mem::replace(&mut self.accumulated, now.clone());
        let cost_fell = now.cost.unwrap_or(f64::MAX) < then.cost.unwrap_or(0.0);
        if fell(now.input, then.input) || fell(now.output, then.output) || cost_fell {
            self.grows = false;
            return now;
        }
        Usage {
            input: less(now.input, then.input),
            output: less(now.output, then.output),
            cached: less(now.cached, then.cached),
            cache_write: less(now.cache_write, then.cache_write),
            cost: now.cost.map(|c| c - then.cost.unwrap_or(0.0)),
            cost_kind: now.cost_kind,
            reasoning: None,
        }
    }

    /// What the model wrote beside its call.
    fn thought(&mut self, record: &Record<'_>, turn: Option<TurnId>) {
        let Some(thought) = record.val.path(&["args", "thought"]) else { return };
        if let Some(text) = thought.as_str().filter(|t| !t.trim().is_empty()) {
            self.say(record, StepKind::Thought, turn, Content::text(text.as_ref()), thought);
        }
    }

    fn action(&mut self, record: &Record<'_>, action: &str, log: &mut Log) {
        let val = record.val;
        let args = val.get("args").unwrap_or(val);
        let by_agent = val.get("source").is_none_or(|s| !s.is("user") && !s.is("environment"));
        match action {
            "system" => {
                log.understood();
                if let Some(version) = args.str("openhands_version") {
                    self.agent_version = Some(version.into_owned());
                }
                if let Some(class) = args.str("agent_class") {
                    self.run.run.facts.push(("agent".into(), class.into_owned()));
                }
                if let Some(tools) = args.some("tools") {
                    declare(&mut self.run.run, tools);
                }
                self.text_of(record, StepKind::System, None, args);
            }
            "message" => {
                log.understood();
                // The oldest events do not say who speaks: only the person's wait for nobody.
                let person =
                    val.get("source").is_some_and(|s| s.is("user")) || !val.has("source") && self.run.is_empty();
                if person {
                    let text = args.str("content").unwrap_or_default();
                    self.text_of(record, voice(&text), None, args);
                } else if by_agent {
                    let turn = self.turn(val);
                    self.text_of(record, StepKind::Say, turn, args);
                } else {
                    self.text_of(record, StepKind::Injected, None, args);
                }
            }
            "think" => {
                log.understood();
                let turn = self.turn(val);
                self.thought(record, turn);
                self.cause_is(record, Cause::Said);
            }
            "recall" | "null" | "pause" | "resume" | "stop" | "start" | "loop_recovery" => {
                log.skipped(action);
                self.cause_is(record, Cause::Said);
            }
            "change_agent_state" => log.skipped(action),
            "condensation" | "summarize" => {
                log.understood();
                let text = args.str("summary").unwrap_or_default();
                self.say(record, StepKind::Compaction, None, Content::text(text.as_ref()), args);
                self.cause_is(record, Cause::Said);
            }
            "condensation_request" => log.skipped(action),
            "finish" | "reject" => {
                log.understood();
                self.finished(record, action, args);
            }
            _ if !CALLS.contains(&action) && val.some("tool_call_metadata").is_none() => {
                log.unknown(action);
                self.raw(record, action);
            }
            _ => {
                log.understood();
                let turn = self.turn(val);
                self.thought(record, turn);
                let step = self.call(record, action, args, turn);
                if action == "delegate" {
                    self.delegate(step, args);
                }
            }
        }
    }

    /// The text and the pictures of a message.
    fn text_of(&mut self, record: &Record<'_>, kind: StepKind, turn: Option<TurnId>, args: Val<'_>) {
        let text = args.str("content").or_else(|| record.val.str("message")).unwrap_or_default();
        let mut content = Content::text(text.as_ref());
        if let Some(urls) = args.get("image_urls") {
            content.media = urls.items().filter_map(|u| u.as_str()).map(|u| from_url(&u, "image")).collect();
        }
        if !content.is_empty() {
            self.say(record, kind, turn, content, args.get("content").unwrap_or(args));
        }
    }

    /// Adds a call; what the model wrote as its arguments counts, not the fields of the action that came of it.
    fn call(&mut self, record: &Record<'_>, action: &str, args: Val<'_>, turn: Option<TurnId>) -> usize {
        let metadata = record.val.some("tool_call_metadata");
        let id = metadata.and_then(|m| m.str("tool_call_id"));
        let tool = metadata.and_then(|m| m.str("function_name")).unwrap_or(action.into());
        let written = metadata.zip(id.as_deref()).and_then(|(m, id)| written_args(m, id));
        let args = match written {
            Some(text) => string_args(&text),
            None => json_args(&without_thought(args)),
        };
        let draft = self.draft(record, turn, record.val);
        let step = self.run.call(id.as_deref(), &tool, args, draft);
        self.cause_is(record, Cause::Call(step));
        step
    }

    fn finished(&mut self, record: &Record<'_>, action: &str, args: Val<'_>) {
        let turn = self.turn(record.val);
        let thought = args.str("thought").unwrap_or_default();
        let last = args
            .str("final_thought")
            .or_else(|| args.path(&["outputs", "content"]).and_then(Val::as_str))
            .or_else(|| args.path(&["outputs", "reason"]).and_then(Val::as_str))
            .unwrap_or_default();
        if last.trim().is_empty() {
            // Before `final_thought`, the words beside the call were the answer.
            if !thought.trim().is_empty() {
                self.say(record, StepKind::Say, turn, Content::text(thought.as_ref()), args);
            }
        } else {
            self.thought(record, turn);
            self.say(record, StepKind::Say, turn, Content::text(last.as_ref()), args);
        }
        // Without metadata nothing was called: the program ended the run by itself.
        if record.val.some("tool_call_metadata").is_some() {
            let step = self.call(record, action, args, turn);
            // Nothing answers this call: it ends the run.
            self.run.edit_call(step, |call| call.status = CallStatus::Ok);
        } else {
            self.cause_is(record, Cause::Said);
        }
        let word = args.str("task_completed").map_or_else(|| action.to_owned(), |t| format!("{action}, {t}"));
        let verdict = if action == "reject" { Verdict::Failed } else { Verdict::Finished };
        self.run.run.outcome = Some(Outcome { verdict, word, reward: None });
    }

    /// The steps up to the delegate's observation are those of another agent.
    fn delegate(&mut self, step: usize, args: Val<'_>) {
        self.delegate_count += 1;
        let name = args.str("agent").unwrap_or("delegate".into());
        let id = format!("{name}#{}", self.delegate_count);
        let parent = self.lane();
        let lane = self.run.lane(&id, &name, parent);
        self.delegates.push((step, lane));
        self.run.edit_call(step, |call| {
            call.spawn = Some(Box::new(Spawn { agent_id: Some(id), lane: Some(lane), ..Spawn::default() }));
        });
    }

    fn observation(&mut self, record: &Record<'_>, kind: &str, log: &mut Log) {
        let val = record.val;
        let extras = val.get("extras").unwrap_or(val);
        let text = val.str("content").unwrap_or_default();
        let cause = val.u64("cause").and_then(|c| self.causes.get(&c).copied());
        match kind {
            "null" => return log.skipped("null"),
            "agent_state_changed" => return self.state(record, extras, log),
            "recall" => return self.recalled(record, &text, extras, log),
            "condense" => {
                log.understood();
                self.say(record, StepKind::Compaction, None, Content::text(text.as_ref()), val);
                return;
            }
            // The controller could not use what the model wrote: there is no call that this answers.
            "error" if cause.is_none() && val.some("tool_call_metadata").is_none() => {
                log.understood();
                self.notice(record, "error", &text, true);
                return;
            }
            "delegate" => {
                if let Some((step, _)) = self.delegates.pop() {
                    log.understood();
                    let observation = self.observed(record, &text, extras);
                    if self.run.answer_to(step, observation, CallStatus::Ok).is_some() {
                        return;
                    }
                }
            }
            _ => {}
        }
        if let Some(Cause::Said) = cause {
            return log.skipped(&format!("{kind} (observation)"));
        }
        if kind == "think" {
            return log.skipped("think (observation)");
        }
        log.understood();
        let status = status_of(kind, val, extras, &text);
        let observation = self.observed(record, &text, extras);
        if let Some(Cause::Call(step)) = cause
            && self.run.answer_to(step, observation.clone(), status).is_some()
        {
            return;
        }
        let metadata = val.some("tool_call_metadata");
        let id = metadata.and_then(|m| m.str("tool_call_id"));
        let tool = metadata.and_then(|m| m.str("function_name")).unwrap_or(kind.into());
        let draft = self.draft(record, None, val);
        self.run.observe(id.as_deref(), Some(&tool), observation, status, draft);
    }

    fn observed(&self, record: &Record<'_>, text: &str, extras: Val<'_>) -> Observation {
        let draft = self.draft(record, None, record.val);
        let mut content = Content::text(text);
        if let Some(shot) = extras.str("screenshot").filter(|s| !s.is_empty()) {
            content.media.push(from_url(&shot, "image"));
        }
        Observation { content, at: draft.at, exit_code: exit_code(extras), structured: None, span: draft.span }
    }

    fn state(&mut self, record: &Record<'_>, extras: Val<'_>, log: &mut Log) {
        let state = extras.str("agent_state").unwrap_or_default();
        let reason =
            extras.str("reason").filter(|r| !r.is_empty()).or_else(|| record.val.str("content")).unwrap_or_default();
        let ended = match state.as_ref() {
            "error" => Some(Verdict::Error),
            "stopped" => Some(Verdict::Cancelled),
            "rejected" => Some(Verdict::Failed),
            "finished" => Some(Verdict::Finished),
            _ => None,
        };
        if state == "error" {
            log.understood();
            self.notice(record, "error", &reason, true);
            self.error_state = Some(reason.into_owned());
        } else {
            log.skipped("agent_state_changed");
        }
        match ended {
            // What the agent said at its end says more than the state that follows from it.
            Some(Verdict::Finished) if self.run.run.outcome.is_some() => {}
            Some(verdict) => {
                let verdict = if state == "error" {
                    verdict_of(self.error_state.as_deref().unwrap_or_default())
                } else {
                    verdict
                };
                self.run.run.outcome = Some(Outcome { verdict, word: state.into_owned(), reward: None });
            }
            // A person went on after an end.
            None if state == "running" => self.run.run.outcome = None,
            None => {}
        }
    }

    fn recalled(&mut self, record: &Record<'_>, text: &str, extras: Val<'_>, log: &mut Log) {
        log.understood();
        let mut out = text.to_owned();
        let parts = ["repo_instructions", "additional_agent_instructions", "conversation_instructions"];
        let known =
            extras.get("microagent_knowledge").map(Val::items).into_iter().flatten().filter_map(|m| m.str("content"));
        for part in parts.iter().filter_map(|k| extras.str(k)).chain(known).filter(|p| !p.trim().is_empty()) {
            out.push_str("\n\n");
            out.push_str(&part);
        }
        let draft = Draft { label: Some("recall".into()), ..self.draft(record, None, record.val) };
        self.run.say(StepKind::Injected, Content::text(out), draft);
    }

    /// What an evaluation row says of its run before the events.
    fn row_head(&mut self, row: Val<'_>) {
        let run = &mut self.run.run;
        run.id = ["instance_id", "task_id", "id"].iter().find_map(|k| row.get(k)).map(|v| v.text().into_owned());
        if let Some(id) = row.str("instance_id") {
            run.title = id.into_owned();
        }
        let facts = [
            ("dataset", row.path(&["metadata", "dataset"])),
            ("agent", row.path(&["metadata", "agent_class"])),
            ("max iterations", row.path(&["metadata", "max_iterations"])),
            ("repository", row.path(&["instance", "repo"])),
            ("base commit", row.path(&["instance", "base_commit"]).or_else(|| row.get("base_commit"))),
        ];
        for (name, value) in facts {
            if let Some(value) = value.filter(|v| !v.is_null() && !v.is_object() && !v.is_array()) {
                run.facts.push((name.into(), value.text().into_owned()));
            }
        }
        let patch = row.path(&["test_result", "git_patch"]).or_else(|| row.get("git_patch"));
        if let Some(patch) = patch.and_then(Val::as_str).filter(|p| !p.trim().is_empty()) {
            run.facts.push(("patch".into(), patch.into_owned()));
        }
    }

    /// What it says of the end.
    fn row_end(&mut self, record: &Record<'_>, log: &mut Log) {
        let row = record.val;
        // A row without a single event is still a run that was read.
        if row_events(row).is_some_and(Val::is_empty) {
            log.understood();
        }
        self.totals = row.some("metrics").filter(|m| m.is_object()).map(accumulated).filter(counts);
        if self.run.run.models.is_empty()
            && let Some(model) = row.path(&["metadata", "llm_config", "model"]).and_then(Val::as_str)
        {
            self.run.run.model_index(&model);
        }
        let error = row.some("error").map(|e| e.text().into_owned()).filter(|e| !e.trim().is_empty());
        if let Some(error) = error {
            let at = row.get("error").unwrap_or(row);
            let draft =
                Draft { is_error: true, label: Some("error".into()), span: record.span_of(at), ..Draft::default() };
            self.run.say(StepKind::Notice, Content::text(error.as_str()), draft);
            let word: String = error.lines().next().unwrap_or_default().chars().take(200).collect();
            self.run.run.outcome = Some(Outcome { verdict: verdict_of(&error), word, reward: None });
        }
        let solved = ["report", "test_result"]
            .iter()
            .find_map(|k| row.path(&[k, "resolved"]).or_else(|| row.path(&[k, "report", "resolved"])))
            .or_else(|| row.get("resolved"))
            .or_else(|| row.get("success"));
        if let Some(solved) = solved.and_then(Val::as_bool) {
            let verdict = if solved { Verdict::Passed } else { Verdict::Failed };
            let word = if solved { "resolved" } else { "not resolved" };
            self.run.run.outcome = Some(Outcome { verdict, word: word.into(), reward: None });
        }
    }

    fn finish(mut self) -> Option<Run> {
        if self.run.is_empty() && self.run.run.id.is_none() {
            return None;
        }
        self.run.agent("OpenHands", self.agent_version.as_deref());
        self.run.run.format_version = self.agent_version;
        // The accumulated figures hold what failed answers cost, which stand in no event.
        let last = Some(self.accumulated).filter(|u| self.grows && counts(u));
        self.run.run.totals = self.totals.or(last);
        Some(self.run.finish())
    }
}

fn verdict_of(error: &str) -> Verdict {
    let lower = error.to_lowercase();
    if lower.contains("maximum iteration") || lower.contains("max iteration") || lower.contains("budget") {
        Verdict::Limit
    } else {
        Verdict::Error
    }
}

/// The arguments that the model wrote for the call with this id.
fn written_args(metadata: Val<'_>, id: &str) -> Option<String> {
    let choices = metadata.path(&["model_response", "choices"])?;
    let mut calls = choices.items().filter_map(|c| c.path(&["message", "tool_calls"])).flat_map(Val::items);
    let call = calls.find(|c| c.get("id").is_some_and(|i| i.is(id)))?;
    Some(call.path(&["function", "arguments"])?.text().into_owned())
}

/// The fields of an action without the thought, which is shown as a step of its own.
fn without_thought(args: Val<'_>) -> String {
    if !args.has("thought") || !args.is_object() {
        return args.raw().to_owned();
    }
    let kept = args.entries().filter(|(k, _)| k != "thought").map(|(k, v)| format!("{}:{}", quote(&k), v.raw()));
    format!("{{{}}}", kept.collect::<Vec<_>>().join(","))
}

fn exit_code(extras: Val<'_>) -> Option<i64> {
    let code = extras.path(&["metadata", "exit_code"]).or_else(|| extras.get("exit_code"))?;
    // -1 stands for "still running".
    code.as_i64().filter(|c| *c != -1)
}

fn status_of(kind: &str, val: Val<'_>, extras: Val<'_>, text: &str) -> CallStatus {
    let failed = match kind {
        "error" | "user_rejected" => true,
        "browse" => extras.bool("error") == Some(true),
        // The file editor has no other way to say so.
        "edit" | "read" | "write" => text.starts_with("ERROR:"),
        "mcp" => {
            let mut tape = Tape::new();
            tape.parse(text).root().bool("isError") == Some(true)
        }
        _ => false,
    };
    if failed {
        return CallStatus::Error;
    }
    match exit_code(extras) {
        Some(0) => CallStatus::Ok,
        Some(_) => CallStatus::Error,
        None if extras.path(&["metadata", "exit_code"]).is_some() => CallStatus::Unknown,
        None if val.bool("success") == Some(false) => CallStatus::Error,
        None => CallStatus::Ok,
    }
}

/// The usage of one answer; its prompt tokens hold those of the cache.
fn usage_of(usage: Val<'_>) -> Usage {
    Usage {
        input: usage.u64("prompt_tokens"),
        output: usage.u64("completion_tokens"),
        cached: usage
            .u64("cache_read_input_tokens")
            .or_else(|| usage.path(&["prompt_tokens_details", "cached_tokens"]).and_then(Val::as_u64)),
        cache_write: usage.u64("cache_creation_input_tokens"),
        reasoning: usage.path(&["completion_tokens_details", "reasoning_tokens"]).and_then(Val::as_u64),
        ..Usage::default()
    }
}

/// Whether figures say anything: a model that reports no usage is counted as 0.
pub fn counts(usage: &Usage) -> bool {
    usage.input.is_some_and(|n| n > 0) || usage.output.is_some_and(|n| n > 0) || usage.cost.is_some_and(|c| c > 0.0)
}

/// The accumulated figures of `llm_metrics` and of a row's `metrics`; also those of the SDK, which kept the names.
pub fn accumulated(metrics: Val<'_>) -> Usage {
    let sums = metrics.some("accumulated_token_usage").map(tokens).unwrap_or_default();
    Usage {
        // A model without a known price costs "0.0"; that is no price.
        cost: metrics.f64("accumulated_cost").filter(|c| *c > 0.0 || sums.input == Some(0)),
        // The program works it out from a price table.
        cost_kind: CostKind::Estimated,
        ..sums
    }
}

/// Tokens as the metrics name them.
pub fn tokens(val: Val<'_>) -> Usage {
    Usage {
        input: val.u64("prompt_tokens"),
        output: val.u64("completion_tokens"),
        cached: val.u64("cache_read_tokens"),
        cache_write: val.u64("cache_write_tokens"),
        reasoning: val.u64("reasoning_tokens"),
        ..Usage::default()
    }
}
