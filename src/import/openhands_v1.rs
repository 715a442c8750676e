//! OpenHands software agent SDK (OpenHands 1.x): its events as JSON lines, as an array, or one a file beside a
//! `base_state.json` (joined by `join_event_files`). Versions seen: 1.11 to 1.49.
//!
//! ```json
//! {"kind":"ActionEvent","id":"e1","timestamp":"…","source":"agent","thought":[{"type":"text","text":"…"}],
//!  "action":{"kind":"TerminalAction","command":"ls"},"tool_name":"terminal","tool_call_id":"t1","llm_response_id":"r1"}
//! {"kind":"ObservationEvent","id":"e2","source":"environment","tool_call_id":"t1","action_id":"e1",
//!  "observation":{"kind":"TerminalObservation","content":[{"type":"text","text":"a"}],"is_error":false,"exit_code":0}}
//! ```
//!
//! Actions of one answer share `llm_response_id`. Tokens and cost stand only in state updates (`key: "stats"`), as
//! running sums by use ("default", "condenser"), written right before the events of the answer that they count.
//! Times are local, without a zone. Excerpts begin with observations whose action is missing. O(bytes).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::openhands_v0::{accumulated, counts, tokens};
use super::part::{content, from_url, split_think, voice};
use super::tools::declare;
use super::{
    Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, Shape, Sniff, json_args, string_args,
};
use crate::json::Val;
use crate::model::{
    CallStatus, Content, LaneId, Observation, Outcome, Run, StepKind, TurnId, Usage, Verdict, parse_time,
};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "openhands-v1",
    label: "OpenHands",
    files: "SDK events, conversation folders",
    marks: &["kind", "source", "id", "timestamp", "tool_name", "tool_call_id", "llm_message"],
    sniff,
    reader: || Box::new(Reader::new()),
};

fn sniff(sample: &Sample<'_>) -> Sniff {
    let kind = |v: Val<'_>| v.str("kind").is_some_and(|k| k.ends_with("Event") || OTHER_KINDS.contains(&k.as_ref()));
    if sample.any(|v| kind(v) && v.has("source") && v.has("id")) {
        return Sniff::Yes;
    }
    let pointer = if sample.shape == Shape::Object { "/" } else { "/0" };
    if sample.any(kind) {
        return Sniff::near(1, Reason::NoKey("source"), pointer);
    }
    Sniff::no(Reason::NeedsRecords("kind"), "/")
}

/// Kinds of events that do not end in "Event".
const OTHER_KINDS: [&str; 4] = ["Condensation", "CondensationRequest", "UserRejectObservation", "CondensationSummary"];

/// What an observation of an action means for it.
#[derive(Clone, Copy)]
enum Cause {
    Call(usize),
    /// Shown by itself: the observation only says that it arrived.
    Said,
}

struct Reader {
    run: RunBuilder,
    seen: HashSet<String>,
    /// Event id of an action -> what it was. Looked up only.
    causes: HashMap<String, Cause>,
    /// Calls of other agents that this one drives, by call id. Looked up only.
    driven: HashMap<String, usize>,
    /// The running sums by use.
    sums: BTreeMap<String, Usage>,
    /// Usage by response, where the state lists it. Looked up only.
    by_response: HashMap<String, Usage>,
    /// The sums of the state beside the events, which is younger than every event.
    totals: Option<Usage>,
    /// What the last update added, until the answer that it counts comes.
    pending: Option<Usage>,
    id: Option<String>,
    title: Option<String>,
    cwd: Option<String>,
    model: Option<String>,
    status: Option<String>,
}

impl Reader {
    fn new() -> Self {
        Self {
            run: RunBuilder::new(FORMAT.id),
            seen: HashSet::new(),
            causes: HashMap::new(),
            driven: HashMap::new(),
            sums: BTreeMap::new(),
            by_response: HashMap::new(),
            totals: None,
            pending: None,
            id: None,
            title: None,
            cwd: None,
            model: None,
            status: None,
        }
    }

    fn draft(&self, record: &Record<'_>, lane: LaneId, turn: Option<TurnId>, at: Val<'_>) -> Draft {
        Draft {
            lane,
            turn,
            at: record.val.str("timestamp").and_then(|t| parse_time(&t)),
            span: record.span_of(at),
            ..Draft::default()
        }
    }

    fn say(&mut self, record: &Record<'_>, kind: StepKind, turn: Option<TurnId>, content: Content, at: Val<'_>) {
        if !content.is_empty() {
            let draft = self.draft(record, 0, turn, at);
            self.run.say(kind, content, draft);
        }
    }

    fn notice(&mut self, record: &Record<'_>, label: &str, text: &str, is_error: bool) {
        let draft = Draft { label: Some(label.into()), is_error, ..self.draft(record, 0, None, record.val) };
        self.run.say(StepKind::Notice, Content::text(text), draft);
    }

    fn raw(&mut self, record: &Record<'_>, label: &str) {
        let draft = Draft { label: Some(label.into()), ..self.draft(record, 0, None, record.val) };
        let text: String = record.val.raw().chars().take(20_000).collect();
        self.run.say(StepKind::Raw, Content::text(text), draft);
    }

    /// The answer of the model with this id; a new one takes the usage that was reported last.
    fn turn(&mut self, val: Val<'_>) -> Option<TurnId> {
        let id = val.str("llm_response_id").filter(|id| !id.is_empty())?;
        let before = self.run.run.turns.len();
        let turn = self.run.turn(0, &id);
        if self.run.run.turns.len() > before {
            let pending = self.pending.take();
            if let Some(usage) = self.by_response.remove(id.as_ref()).or(pending) {
                self.run.usage(turn, usage);
            }
            if let Some(model) = &self.model {
                self.run.model(turn, model);
            }
        }
        Some(turn)
    }

    /// Reasoning, and what the model wrote beside its call. Some models get their reasoning copied into that.
    fn thoughts(
        &mut self,
        record: &Record<'_>,
        from: Val<'_>,
        written: Option<Val<'_>>,
        turn: Option<TurnId>,
        kind: StepKind,
    ) {
        let reasoning = from.str("reasoning_content").unwrap_or_default();
        let mut thought = !reasoning.trim().is_empty();
        if thought {
            self.say(
                record,
                StepKind::Thought,
                turn,
                Content::text(reasoning.as_ref()),
                from.get("reasoning_content").unwrap_or(from),
            );
        } else if let Some(blocks) = from.get("thinking_blocks") {
            for block in blocks.items() {
                if let Some(text) = block.str("thinking").filter(|t| !t.trim().is_empty()) {
                    self.say(record, StepKind::Thought, turn, Content::text(text.as_ref()), block);
                    thought = true;
                }
            }
        }
        let Some(written) = written else { return };
        let mut text = parts(written);
        if let Some((inner, rest)) = split_think(&text.text) {
            let (inner, rest) = (inner.to_owned(), rest.to_owned());
            if !thought {
                self.say(record, StepKind::Thought, turn, Content::text(inner), written);
            }
            text.text = rest.into();
        }
        self.say(record, kind, turn, text, written);
    }

    fn one(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let Some(kind) = val.str("kind") else {
            if val.has("agent") && val.has("execution_status") {
                log.understood();
                self.state(val);
                self.totals =
                    Some(std::mem::take(&mut self.sums).values().fold(Usage::default(), |sum, u| sum.plus(u)));
                self.pending = None;
                return;
            }
            log.unknown("no kind");
            self.raw(record, "no kind");
            return;
        };
        if let Some(id) = val.str("id")
            && !self.seen.insert(format!("{kind} {id} {}", val.str("timestamp").unwrap_or_default()))
            && kind != "ACPToolCallEvent"
        {
            log.understood();
            log.repaired("repeated-record", record.line);
            return;
        }
        match kind.as_ref() {
            "SystemPromptEvent" => {
                log.understood();
                if let Some(tools) = val.some("tools") {
                    declare(&mut self.run.run, tools);
                }
                for part in ["system_prompt", "dynamic_context"].iter().filter_map(|k| val.some(k)) {
                    self.say(record, StepKind::System, None, parts(part), part);
                }
            }
            "MessageEvent" => self.message(record, log),
            "ActionEvent" => self.action(record, log),
            "ObservationEvent" => self.observation(record, log),
            "UserRejectObservation" => {
                let text = val.str("rejection_reason").unwrap_or_default();
                self.answer(record, Content::text(text.as_ref()), CallStatus::Error, None, log);
            }
            "AgentErrorEvent" => {
                let text = val.str("error").unwrap_or_default();
                self.answer(record, Content::text(text.as_ref()), CallStatus::Error, None, log);
            }
            "ConversationErrorEvent" => {
                log.understood();
                let code = val.str("code").unwrap_or_default();
                let detail = val.str("detail").unwrap_or_default();
                self.notice(record, &code, &detail, true);
                let verdict = if code.contains("MaxIterations") { Verdict::Limit } else { Verdict::Error };
                self.run.run.outcome = Some(Outcome { verdict, word: code.into_owned(), reward: None });
            }
            "Condensation" | "CondensationSummaryEvent" => {
                log.understood();
                let text = val.str("summary").unwrap_or_default();
                let draft = self.draft(record, 0, None, val);
                self.run.say(StepKind::Compaction, Content::text(text.as_ref()), draft);
            }
            "ConversationStateUpdateEvent" => self.update(val, log),
            "PauseEvent" | "InterruptEvent" => {
                log.understood();
                let text = val.str("detail").or_else(|| val.str("reason")).unwrap_or_default();
                self.notice(record, &kind, &text, false);
            }
            "HookExecutionEvent" if val.bool("blocked") == Some(true) || val.bool("success") == Some(false) => {
                log.understood();
                let text = ["reason", "error", "stderr", "stdout", "hook_command"].iter().find_map(|k| val.some(k));
                let text = text.map(|t| t.text().into_owned()).unwrap_or_default();
                self.notice(record, "hook", &text, true);
            }
            "ACPToolCallEvent" => self.driven_call(record, log),
            "CondensationRequest"
            | "HookExecutionEvent"
            | "TokenEvent"
            | "StreamingDeltaEvent"
            | "LLMCompletionLogEvent" => {
                log.skipped(&kind);
            }
            other => {
                log.unknown(other);
                self.raw(record, other);
            }
        }
    }

    fn message(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let Some(message) = val.some("llm_message") else {
            log.unknown("message missing");
            self.raw(record, "MessageEvent");
            return;
        };
        log.understood();
        let role = message.str("role").unwrap_or_default();
        let source = val.str("source").unwrap_or_default();
        let body = message.get("content");
        if role == "assistant" || source == "agent" && role != "user" {
            let turn = self.turn(val);
            self.thoughts(record, message, body, turn, StepKind::Say);
            return;
        }
        let text = body.map(parts).unwrap_or_default();
        let kind = match (role.as_ref(), source.as_ref()) {
            ("system", _) => StepKind::System,
            // Hooks and other agents speak in the person's place.
            (_, "user") if val.some("sender").is_none() => voice(&text.text),
            _ => StepKind::Injected,
        };
        let name = val.str("sender").map(|s| s.as_ref().into());
        if !text.is_empty() {
            let draft = Draft { name, ..self.draft(record, 0, None, body.unwrap_or(message)) };
            self.run.say(kind, text, draft);
        }
        if let Some(extended) = val.get("extended_content") {
            self.say(record, StepKind::Injected, None, parts(extended), extended);
        }
    }

    fn action(&mut self, record: &Record<'_>, log: &mut Log) {
        log.understood();
        let val = record.val;
        let turn = self.turn(val);
        self.thoughts(record, val, val.get("thought"), turn, StepKind::Thought);
        let action = val.some("action").filter(|a| a.is_object());
        let kind = action.and_then(|a| a.str("kind")).unwrap_or_default();
        let event = val.str("id").unwrap_or_default().into_owned();
        if kind == "ThinkAction" {
            if let Some(thought) = action.and_then(|a| a.get("thought")) {
                self.say(record, StepKind::Thought, turn, Content::text(thought.text().as_ref()), thought);
            }
            self.causes.insert(event, Cause::Said);
            return;
        }
        if kind == "FinishAction" {
            if let Some(message) = action.and_then(|a| a.get("message")) {
                self.say(record, StepKind::Say, turn, Content::text(message.text().as_ref()), message);
            }
            self.run.run.outcome = Some(Outcome { verdict: Verdict::Finished, word: "finish".into(), reward: None });
        }
        let tool = val.str("tool_name").unwrap_or_default();
        let args = match action {
            // What was carried out; the model's own arguments hold a summary that is new every time.
            Some(action) if kind == "MCPToolAction" => json_args(action.get("data").unwrap_or(action).raw()),
            Some(action) => json_args(action.raw()),
            None => string_args(&val.path(&["tool_call", "arguments"]).map(|a| a.text()).unwrap_or_default()),
        };
        let id = val.str("tool_call_id");
        let draft = self.draft(record, 0, turn, val);
        let step = self.run.call(id.as_deref(), &tool, args, draft);
        self.causes.insert(event, Cause::Call(step));
    }

    fn observation(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let Some(observation) = val.some("observation") else {
            log.unknown("observation missing");
            self.raw(record, "ObservationEvent");
            return;
        };
        let mut text = observation.get("content").map(parts).unwrap_or_default();
        if text.is_empty() {
            let other = ["output", "error", "message", "result"].iter().find_map(|k| observation.some(k));
            text.text = other.map(|v| v.text().into_owned()).unwrap_or_default().into();
        }
        if let Some(shot) = observation.str("screenshot_data").filter(|s| !s.is_empty()) {
            text.media.push(from_url(&format!("data:image/png;base64,{shot}"), "image"));
        }
        let code = observation
            .some("exit_code")
            .or_else(|| observation.path(&["metadata", "exit_code"]))
            .and_then(Val::as_i64);
        let failed = observation.bool("is_error") == Some(true)
            || observation.get("error").is_some_and(|e| e.is_string() && !e.is_empty());
        // -1 stands for "still running".
        let running = code == Some(-1) || observation.bool("timeout") == Some(true);
        let exit_code = code.filter(|c| *c != -1);
        let status = match exit_code {
            _ if failed => CallStatus::Error,
            Some(0) => CallStatus::Ok,
            Some(_) => CallStatus::Error,
            None if running => CallStatus::Unknown,
            None => CallStatus::Ok,
        };
        self.answer(record, text, status, exit_code, log);
        if let Some(extended) = val.get("extended_content") {
            self.say(record, StepKind::Injected, None, parts(extended), extended);
        }
    }

    /// Answers the action that the event names, else the call with its id.
    fn answer(
        &mut self,
        record: &Record<'_>,
        text: Content,
        status: CallStatus,
        exit_code: Option<i64>,
        log: &mut Log,
    ) {
        let val = record.val;
        let cause = val.str("action_id").and_then(|id| self.causes.get(id.as_ref()).copied());
        if let Some(Cause::Said) = cause {
            log.skipped("think (observation)");
            return;
        }
        log.understood();
        let draft = self.draft(record, 0, None, val);
        let observation =
            Observation { content: text, at: draft.at, exit_code, structured: None, span: draft.span.clone() };
        if let Some(Cause::Call(step)) = cause
            && self.run.answer_to(step, observation.clone(), status).is_some()
        {
            return;
        }
        let id = val.str("tool_call_id");
        let tool = val.str("tool_name");
        self.run.observe(id.as_deref(), tool.as_deref(), observation, status, draft);
    }

    /// A call of an agent that OpenHands drives from outside: one event a change of its status.
    fn driven_call(&mut self, record: &Record<'_>, log: &mut Log) {
        log.understood();
        let val = record.val;
        let id = val.str("tool_call_id").unwrap_or_default();
        let args = json_args(val.some("raw_input").map_or("{}", Val::raw));
        let step = match self.driven.get(id.as_ref()) {
            Some(&step) => {
                if val.some("raw_input").is_some() {
                    self.run.edit_call(step, |call| call.args = args);
                }
                step
            }
            None => {
                let lane = match val.str("parent_tool_call_id") {
                    Some(parent) => self.run.lane(&parent, "sub-agent", 0),
                    None => 0,
                };
                let tool = val.str("tool_kind").or_else(|| val.str("title")).unwrap_or_default();
                let draft = self.draft(record, lane, None, val);
                let step = self.run.call(Some(&id), &tool, args, draft);
                self.driven.insert(id.into_owned(), step);
                step
            }
        };
        let failed = val.bool("is_error") == Some(true) || val.get("status").is_some_and(|s| s.is("failed"));
        let ended = failed || val.get("status").is_some_and(|s| s.is("completed"));
        if !ended {
            return;
        }
        let mut text = Content::default();
        if let Some(blocks) = val.some("content") {
            let inner = |b: Val<'_>| b.some("content").map(parts).unwrap_or_default();
            let said: Vec<String> =
                blocks.items().map(inner).map(|c| c.text.into_string()).filter(|t| !t.is_empty()).collect();
            text.text = said.join("\n").into();
        }
        if text.is_empty() {
            text.text = val.some("raw_output").map(|o| o.text().into_owned()).unwrap_or_default().into();
        }
        let draft = self.draft(record, 0, None, val);
        let observation =
            Observation { content: text, at: draft.at, exit_code: None, structured: None, span: draft.span };
        let status = if failed { CallStatus::Error } else { CallStatus::Ok };
        if self.run.answer_to(step, observation.clone(), status).is_none() {
            self.run.edit_call(step, |call| {
                call.observation = Some(observation);
                call.status = status;
            });
        }
    }

    fn update(&mut self, val: Val<'_>, log: &mut Log) {
        let key = val.str("key").unwrap_or_default();
        let Some(value) = val.get("value") else {
            log.skipped("state");
            return;
        };
        match key.as_ref() {
            "stats" => self.stats(value),
            "execution_status" | "agent_status" => self.ended(&value.text()),
            "full_state" => self.state(value),
            "title" => self.title = value.as_str().map(|t| t.into_owned()),
            _ => {}
        }
        log.skipped(&format!("state/{key}"));
    }

    /// The state of the whole conversation: an update, or the `base_state.json` beside the events.
    fn state(&mut self, state: Val<'_>) {
        let text = |val: Option<Val<'_>>| val.and_then(Val::as_str).map(|s| s.into_owned()).filter(|s| !s.is_empty());
        self.id = text(state.get("id")).or(self.id.take());
        self.title = text(state.get("title")).or(self.title.take());
        self.cwd = text(state.path(&["workspace", "working_dir"])).or(self.cwd.take());
        self.model = text(state.path(&["agent", "llm", "model"])).or(self.model.take());
        if let Some(stats) = state.some("stats") {
            self.stats(stats);
        }
        if let Some(status) = state.str("execution_status").or_else(|| state.str("agent_status")) {
            self.status = Some(status.into_owned());
        }
    }

    fn stats(&mut self, stats: Val<'_>) {
        let Some(uses) = stats.get("usage_to_metrics").or_else(|| stats.get("service_to_metrics")) else { return };
        for (name, metrics) in uses.entries() {
            let now = accumulated(metrics);
            let main = name != "condenser";
            if main && let Some(model) = metrics.str("model_name").filter(|m| !m.is_empty() && *m != "default") {
                self.model = Some(model.into_owned());
            }
            for one in metrics.get("token_usages").map(Val::items).into_iter().flatten() {
                if let Some(id) = one.str("response_id").filter(|id| !id.is_empty()) {
                    self.by_response.insert(id.into_owned(), tokens(one));
                }
            }
            let then = self.sums.insert(name.into_owned(), now.clone());
            let delta = minus(&now, then.as_ref());
            if main && counts(&delta) {
                self.pending = Some(delta);
            }
        }
    }

    fn ended(&mut self, status: &str) {
        let verdict = match status {
            "error" => Verdict::Error,
            "stuck" => Verdict::Error,
            "paused" => Verdict::Cancelled,
            "finished" => Verdict::Finished,
            "running" => {
                self.run.run.outcome = None;
                return;
            }
            _ => return,
        };
        // What an event said of the end says more than the state that follows from it.
        if self.run.run.outcome.is_none() || status == "stuck" {
            self.run.run.outcome = Some(Outcome { verdict, word: status.to_owned(), reward: None });
        }
    }
}

/// What was added since `then`.
fn minus(now: &Usage, then: Option<&Usage>) -> Usage {
    let Some(then) = then else { return now.clone() };
    let less = |now: Option<u64>, then: Option<u64>| now.map(|n| n.saturating_sub(then.unwrap_or(0)));
    Usage {
        input: less(now.input, then.input),
        output: less(now.output, then.output),
        cached: less(now.cached, then.cached),
        cache_write: less(now.cache_write, then.cache_write),
        reasoning: less(now.reasoning, then.reasoning),
        cost: now.cost.map(|c| (c - then.cost.unwrap_or(0.0)).max(0.0)),
        cost_kind: now.cost_kind,
    }
}

/// Text and pictures; a picture part may hold several addresses.
fn parts(val: Val<'_>) -> Content {
    let mut media = Vec::new();
    let mut out = content(val, &mut |part| {
        for url in part.get("image_urls").map(Val::items).into_iter().flatten().filter_map(|u| u.as_str()) {
            media.push(from_url(&url, "image"));
        }
    });
    out.media.append(&mut media);
    out
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        self.one(record, log);
    }

    fn finish(mut self: Box<Self>, _: &mut Log) -> Vec<Run> {
        if self.run.is_empty() {
            return Vec::new();
        }
        if let Some(status) = self.status.take() {
            self.ended(&status);
        }
        self.run.agent("OpenHands", None);
        let run = &mut self.run.run;
        run.id = self.id;
        if let Some(title) = self.title {
            run.title = title;
        }
        if let Some(cwd) = self.cwd {
            run.facts.push(("cwd".into(), cwd));
        }
        if let (true, Some(model)) = (run.models.is_empty(), self.model) {
            run.model_index(&model);
        }
        let sums = self.sums.values().fold(Usage::default(), |sum, u| sum.plus(u));
        run.totals = self.totals.filter(counts).or(Some(sums).filter(counts));
        vec![self.run.finish()]
    }
}
