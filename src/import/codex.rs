//! Codex CLI: rollouts (`~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`), those of its sub-agents and forks,
//! and the older rollouts without an envelope. Versions seen: mid 2025 (no envelope), 0.104, and a fork of 2026.
//!
//! ```json
//! {"timestamp":"…","type":"session_meta","payload":{"id":"th1","cwd":"/w","cli_version":"0.104.0"}}
//! {"timestamp":"…","type":"turn_context","payload":{"turn_id":"t1","model":"m"}}
//! {"timestamp":"…","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"}}
//! {"timestamp":"…","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":10}}}}
//! {"timestamp":"…","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"a.txt"}}
//! ```
//!
//! Everything visible is written twice; the `response_item` side is read, `event_msg` gives tokens and lifecycle.
//! Token counters are cumulative and are written again without need: a turn's usage is the step of the counter.
//! The file of a fork or a sub-agent begins with its parent's history, which is left out. O(bytes).

use std::collections::HashMap;

use super::part::{content, voice};
use super::tools::declare;
use super::{
    Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, SessionPart, Sniff, json_args, string_args,
    text_args,
};
use crate::json::{Tape, Val};
use crate::model::{
    Args, CallStatus, Content, Media, Observation, Outcome, Run, Spawn, StepKind, TurnId, Usage, Verdict, parse_time,
};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "codex",
    label: "Codex",
    files: "rollouts, also without envelope",
    marks: &["timestamp", "type", "payload", "originator", "cli_version", "call_id"],
    sniff,
    reader: || Box::new(Reader::new()),
};

const TYPES: [&str; 5] = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];

/// How Codex itself begins the output of a call that it could not carry out.
const REFUSALS: [&str; 7] = [
    "apply_patch verification failed",
    "failed to parse function arguments",
    "unsupported call:",
    "unsupported custom tool call:",
    "exec_command failed",
    "write_stdin failed",
    "aborted by user",
];

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.object().is_some() {
        return Sniff::no(Reason::NeedsRecords("payload"), "");
    }
    let typed = |v: Val<'_>| v.get("type").is_some_and(|t| TYPES.iter().any(|k| t.is(k)));
    if sample.any(|v| typed(v) && v.get("payload").is_some_and(Val::is_object)) {
        return Sniff::Yes;
    }
    let legacy = |v: Val<'_>| {
        v.get("record_type").is_some_and(|r| r.is("state"))
            || (!v.has("type") && v.has("id") && v.has("timestamp") && v.has("instructions") && v.has("git"))
    };
    if sample.any(legacy) {
        return Sniff::Yes;
    }
    if sample.any(typed) {
        return Sniff::near(1, Reason::NoKey("payload"), "/payload");
    }
    Sniff::no(Reason::NeedsRecords("payload"), "")
}

/// The cumulative counter of a rollout.
#[derive(Clone, Copy, Default, PartialEq)]
struct Counter {
    input: u64,
    cached: u64,
    output: u64,
    reasoning: u64,
}

impl Counter {
    fn read(val: Val<'_>) -> Option<Self> {
        if !val.is_object() {
            return None;
        }
        let n = |key| val.u64(key).unwrap_or(0);
        Some(Self {
            input: n("input_tokens"),
            cached: n("cached_input_tokens"),
            output: n("output_tokens"),
            reasoning: n("reasoning_output_tokens"),
        })
    }

    fn below(&self, other: &Counter) -> bool {
        self.input < other.input || self.output < other.output
    }

    fn minus(&self, other: &Counter) -> Counter {
        Counter {
            input: self.input.saturating_sub(other.input),
            cached: self.cached.saturating_sub(other.cached),
            output: self.output.saturating_sub(other.output),
            reasoning: self.reasoning.saturating_sub(other.reasoning),
        }
    }

    fn usage(&self) -> Usage {
        Usage {
            input: Some(self.input),
            output: Some(self.output),
            cached: Some(self.cached),
            reasoning: Some(self.reasoning),
            ..Usage::default()
        }
    }
}

/// Where the reading stands in the file of a fork.
#[derive(Clone, Copy, PartialEq)]
enum Replay {
    /// No fork, or the thread's own work has begun.
    Own,
    /// A fork whose first records tell nothing yet.
    Maybe,
    /// Inside the parent's history.
    Parent,
}

struct Reader {
    run: RunBuilder,
    /// Step of each call, by id. Looked up only.
    calls: HashMap<String, usize>,
    id: Option<String>,
    /// When the thread was made, as its id or its header says.
    born: Option<i64>,
    parent: Option<String>,
    root: Option<String>,
    is_agent: bool,
    nickname: Option<String>,
    version: Option<String>,
    facts: Vec<(&'static str, String)>,
    model: String,
    replay: Replay,
    replayed: u64,
    /// The turn that is being written.
    turn: Option<TurnId>,
    /// The turn whose tokens are not known yet.
    unbilled: Option<TurnId>,
    /// Calls of the turn without an output.
    pending: usize,
    counter: Option<Counter>,
    own: Usage,
    counted: bool,
    /// Reasoning of `event_msg`, until a response item is seen to hold it too.
    reasons: Vec<String>,
    compacted: Option<usize>,
    /// Messages that the program says a person typed, and those that were found.
    typed: Vec<String>,
    typed_count: usize,
    persons: Vec<usize>,
    confirmed: Vec<usize>,
}

impl Reader {
    fn new() -> Self {
        Self {
            run: RunBuilder::new(FORMAT.id),
            calls: HashMap::new(),
            id: None,
            born: None,
            parent: None,
            root: None,
            is_agent: false,
            nickname: None,
            version: None,
            facts: Vec::new(),
            model: String::new(),
            replay: Replay::Own,
            replayed: 0,
            turn: None,
            unbilled: None,
            pending: 0,
            counter: None,
            own: Usage::default(),
            counted: false,
            reasons: Vec::new(),
            compacted: None,
            typed: Vec::new(),
            typed_count: 0,
            persons: Vec::new(),
            confirmed: Vec::new(),
        }
    }

    fn draft(&self, record: &Record<'_>, at: Val<'_>) -> Draft {
        Draft {
            at: record.val.str("timestamp").and_then(|t| parse_time(&t)),
            span: record.span_of(at),
            ..Draft::default()
        }
    }

    fn raw(&mut self, record: &Record<'_>, label: &str, log: &mut Log) {
        log.unknown(label);
        let draft = Draft { label: Some(label.into()), ..self.draft(record, record.val) };
        let text: String = record.val.raw().chars().take(20_000).collect();
        self.run.say(StepKind::Raw, Content::text(text), draft);
    }

    fn meta(&mut self, record: &Record<'_>, payload: Val<'_>, log: &mut Log) {
        let id = payload.str("id").map(|s| s.into_owned());
        if self.id.is_some() {
            // The parent's header inside the file of its child.
            if self.replay != Replay::Own && id != self.id {
                self.forget();
                self.replay = Replay::Parent;
            }
            log.skipped("session_meta");
            return;
        }
        log.understood();
        // The tools of the program that drives Codex; its own are nowhere in the file.
        if let Some(tools) = payload.some("dynamic_tools") {
            declare(&mut self.run.run, tools);
            self.run.run.skills_partial = true;
        }
        let stamp = payload.str("timestamp").or_else(|| record.val.str("timestamp"));
        self.born = id.as_deref().and_then(uuid_time).or_else(|| stamp.and_then(|t| parse_time(&t)).map(|t| t.ms));
        self.id = id;
        let spawn = payload.path(&["source", "subagent", "thread_spawn"]);
        let parent = spawn.and_then(|s| s.str("parent_thread_id")).or_else(|| payload.str("parent_thread_id"));
        self.is_agent = parent.is_some() || payload.path(&["source", "subagent"]).is_some_and(|s| !s.is_null());
        self.parent = parent.or_else(|| payload.str("forked_from_id")).map(|s| s.into_owned());
        self.root = payload.str("session_id").map(|s| s.into_owned()).filter(|s| Some(s) != self.id.as_ref());
        let nickname = payload.str("agent_nickname").or_else(|| spawn.and_then(|s| s.str("agent_nickname")));
        self.nickname = nickname.map(|s| s.into_owned());
        self.version = payload.str("cli_version").map(|s| s.into_owned());
        if self.parent.is_some() {
            self.replay = Replay::Maybe;
        }
        let facts = [
            ("cwd", payload.str("cwd")),
            ("branch", payload.get("git").and_then(|g| g.str("branch"))),
            ("originator", payload.str("originator")),
            ("forked from", payload.str("forked_from_id")),
        ];
        self.facts.extend(facts.into_iter().filter_map(|(name, value)| Some((name, value?.into_owned()))));
        let prompt = payload.path(&["base_instructions", "text"]).or_else(|| payload.some("instructions"));
        if let Some(prompt) = prompt
            && let Some(text) = prompt.as_str().filter(|t| !t.trim().is_empty())
        {
            let draft = Draft { label: Some("instructions".into()), ..self.draft(record, prompt) };
            self.run.say(StepKind::System, Content::text(text.as_ref()), draft);
        }
    }

    /// Drops what was read so far: it is the parent's.
    fn forget(&mut self) {
        // The thread's own instructions stand in its own header.
        let steps = std::mem::take(&mut self.run.run.steps);
        let read = steps.len() as u64;
        let own = steps.into_iter().next().filter(|s| s.label.as_deref() == Some("instructions"));
        self.replayed += read.saturating_sub(u64::from(own.is_some()));
        self.run = RunBuilder::new(FORMAT.id);
        self.run.run.steps.extend(own);
        self.own = Usage::default();
        self.counted = false;
        self.calls.clear();
        self.persons.clear();
        self.confirmed.clear();
        self.typed.clear();
        self.typed_count = 0;
        self.reasons.clear();
        self.turn = None;
        self.unbilled = None;
        self.compacted = None;
        self.pending = 0;
        self.run.run.outcome = None;
    }

    /// Whether the record belongs to the parent's history. Ids of turns and threads carry their time (UUID 7), which
    /// holds even where the copy was given new timestamps; else the record's own time decides.
    fn is_replayed(&mut self, record: &Record<'_>, kind: &str, payload: Val<'_>) -> bool {
        if self.replay == Replay::Own {
            return false;
        }
        let at = record.val.str("timestamp").and_then(|t| parse_time(&t)).map(|t| t.ms);
        let event = payload.str("type").unwrap_or_default();
        let begins = kind == "turn_context" || matches!(event.as_ref(), "task_started" | "turn_started");
        if begins {
            let turn = payload.str("turn_id").as_deref().and_then(uuid_time);
            let own = match (turn, at, self.born) {
                (Some(turn), _, Some(born)) => turn >= born,
                // A copy is written in one go, when the thread is made.
                (None, Some(at), Some(born)) => at > born.saturating_add(1000) || self.replay == Replay::Maybe,
                _ => self.replay == Replay::Maybe,
            };
            if own {
                self.replay = Replay::Own;
                return false;
            }
            self.forget();
            self.replay = Replay::Parent;
            return true;
        }
        if let (Replay::Maybe, Some(at), Some(born)) = (self.replay, at, self.born)
            && at < born.saturating_sub(1000)
        {
            self.forget();
            self.replay = Replay::Parent;
        }
        self.replay == Replay::Parent
    }

    /// The turn of the next thing that the model writes.
    fn turn(&mut self) -> TurnId {
        if let Some(turn) = self.turn {
            return turn;
        }
        let turn = self.run.new_turn(0);
        let model = std::mem::take(&mut self.model);
        self.run.model(turn, &model);
        self.model = model;
        self.turn = Some(turn);
        self.unbilled = Some(turn);
        self.pending = 0;
        turn
    }

    fn response_item(&mut self, record: &Record<'_>, payload: Val<'_>, log: &mut Log) {
        let kind = payload.str("type");
        let kind = kind.as_deref().unwrap_or(if payload.has("role") { "message" } else { "no type" });
        if kind != "reasoning" {
            self.flush_reasons(record);
        }
        if !matches!(kind, "ghost_snapshot" | "compaction" | "compaction_summary" | "context_compaction") {
            self.compacted = None;
        }
        match kind {
            "message" => {
                log.understood();
                self.message(record, payload, log);
            }
            "reasoning" => {
                log.understood();
                self.reasoning(record, payload);
            }
            "ghost_snapshot" => log.skipped("response_item/ghost_snapshot"),
            "compaction" | "compaction_summary" | "context_compaction" => {
                log.understood();
                self.compaction(record, payload, Content::default());
            }
            kind if kind.ends_with("_output") => {
                log.understood();
                self.output(record, payload);
            }
            kind if kind.ends_with("_call") => {
                log.understood();
                self.call(record, payload, kind);
            }
            other => self.raw(record, &format!("response_item/{other}"), log),
        }
    }

    fn message(&mut self, record: &Record<'_>, payload: Val<'_>, log: &mut Log) {
        let role = payload.str("role").unwrap_or_default();
        let Some(body) = payload.some("content") else { return };
        let text =
            content(body, &mut |part| log.unknown_part(&format!("message/{}", part.str("type").unwrap_or_default())));
        let mut draft = self.draft(record, payload);
        match role.as_ref() {
            "assistant" => {
                draft.turn = Some(self.turn());
                self.run.say(StepKind::Say, text, draft);
            }
            "developer" | "system" => {
                self.run.say(StepKind::System, text, draft);
            }
            _ => {
                let kind = match voice(&text.text) {
                    // A sub-agent is asked by its parent, not by a person.
                    StepKind::Person if self.is_agent => StepKind::Injected,
                    kind => kind,
                };
                let said = text.text.trim().to_owned();
                let step = self.run.say(kind, text, draft);
                if kind == StepKind::Person {
                    self.persons.push(step);
                    if let Some(at) = self.typed.iter().position(|t| *t == said) {
                        self.typed.remove(at);
                        self.confirmed.push(step);
                    }
                }
            }
        }
    }

    /// The program says what a person typed: what else stands in the person's place was put there.
    fn user_message(&mut self, payload: Val<'_>) {
        let said = payload.str("message").unwrap_or_default().trim().to_owned();
        self.typed_count += 1;
        let steps = &self.run.run.steps;
        let found = self
            .persons
            .iter()
            .rev()
            .copied()
            .find(|p| !self.confirmed.contains(p) && steps.get(*p).is_some_and(|s| s.content.text.trim() == said));
        match found {
            Some(step) => self.confirmed.push(step),
            None if self.typed.len() < 1000 => self.typed.push(said),
            None => {}
        }
    }

    fn reasoning(&mut self, record: &Record<'_>, payload: Val<'_>) {
        let mut parts: Vec<String> = Vec::new();
        for key in ["summary", "content"] {
            let Some(list) = payload.some(key) else { continue };
            let text = content(list, &mut |_| {}).text;
            if !text.trim().is_empty() {
                parts.push(text.into());
            }
        }
        let events = std::mem::take(&mut self.reasons);
        // The readable reasoning may stand in the event only.
        let text = if parts.is_empty() { events.join("\n\n") } else { parts.join("\n\n") };
        let turn = self.turn();
        let draft = Draft { turn: Some(turn), ..self.draft(record, payload) };
        self.run.say(StepKind::Thought, Content::text(text), draft);
    }

    fn agent_reasoning(&mut self, payload: Val<'_>) {
        let Some(text) = payload.str("text").filter(|t| !t.trim().is_empty()) else { return };
        if let Some(last) = self.run.run.steps.last_mut()
            && last.kind == StepKind::Thought
            && last.content.is_empty()
        {
            last.content = Content::text(text.as_ref());
            return;
        }
        self.reasons.push(text.into_owned());
    }

    /// Reasoning that no response item repeats.
    fn flush_reasons(&mut self, record: &Record<'_>) {
        if self.reasons.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.reasons).join("\n\n");
        let repeated = self
            .run
            .run
            .steps
            .iter()
            .rev()
            .take(8)
            .any(|s| s.kind == StepKind::Thought && s.content.text.contains(&text));
        if !repeated {
            let turn = self.turn();
            let draft = Draft { turn: Some(turn), ..self.draft(record, record.val) };
            self.run.say(StepKind::Thought, Content::text(text), draft);
        }
    }

    fn call(&mut self, record: &Record<'_>, payload: Val<'_>, kind: &str) {
        let turn = self.turn();
        let draft = Draft { turn: Some(turn), ..self.draft(record, payload) };
        let id = payload.str("call_id").or_else(|| payload.str("id"));
        let bare = kind.trim_end_matches("_call");
        let name = match (payload.str("namespace"), payload.str("name")) {
            (Some(space), Some(name)) if !space.is_empty() => format!("{}__{name}", space.trim_end_matches('_')),
            (_, Some(name)) => name.into_owned(),
            _ => bare.to_owned(),
        };
        let step = self.run.call(id.as_deref(), &name, args_of(payload), draft);
        let answered = self.run.run.steps.get(step).is_some_and(|s| s.observation().is_some());
        if let Some(id) = id {
            self.calls.insert(id.into_owned(), step);
        }
        match payload.str("status").as_deref() {
            // The provider carries these out; no output follows.
            Some(status)
                if matches!(
                    kind,
                    "web_search_call" | "image_generation_call" | "file_search_call" | "code_interpreter_call"
                ) =>
            {
                let status = match status {
                    "completed" => CallStatus::Ok,
                    "failed" | "incomplete" => CallStatus::Error,
                    _ => CallStatus::Unknown,
                };
                if let Some(picture) = payload.str("result").filter(|_| kind == "image_generation_call") {
                    let media =
                        vec![Media { mime: "image/png".into(), data: Some(picture.as_ref().into()), reference: None }];
                    let observation = Observation {
                        content: Content { text: "".into(), media },
                        span: record.span_of(payload),
                        ..Observation::default()
                    };
                    self.run.answer_to(step, observation, status);
                } else {
                    self.run.close_call(step, status);
                }
            }
            _ if !answered => self.pending += 1,
            _ => {}
        }
    }

    fn output(&mut self, record: &Record<'_>, payload: Val<'_>) {
        // What a search for tools found may be called from then on.
        if let Some(tools) = payload.get("tools").filter(|t| t.is_array()) {
            declare(&mut self.run.run, tools);
            self.run.run.skills_partial = true;
        }
        let draft = self.draft(record, payload);
        let id = payload.str("call_id");
        let mut read = payload.some("output").or_else(|| payload.some("tools")).map(read_output).unwrap_or_default();
        if payload.str("status").is_some_and(|s| s == "failed") {
            read.status = CallStatus::Error;
        }
        let observation = Observation {
            content: read.content,
            at: draft.at,
            exit_code: read.exit_code,
            structured: None,
            span: draft.span.clone(),
        };
        let step = self.run.observe(id.as_deref(), None, observation, read.status, draft);
        self.run.edit_call(step, |call| {
            call.duration_ms = read.duration_ms.or(call.duration_ms);
            if let Some(agent) = read.agent_id.filter(|_| call.tool.ends_with("spawn_agent")) {
                call.spawn.get_or_insert_default().agent_id = Some(agent);
            }
        });
        self.pending = self.pending.saturating_sub(1);
        if self.pending == 0 {
            self.turn = None;
        }
    }

    fn compaction(&mut self, record: &Record<'_>, at: Val<'_>, text: Content) {
        // The same compaction is told by a record, an item and an event.
        if let Some(step) = self.compacted.and_then(|c| self.run.run.steps.get_mut(c)) {
            if step.content.is_empty() {
                step.content = text;
            }
            return;
        }
        let draft = self.draft(record, at);
        self.compacted = Some(self.run.say(StepKind::Compaction, text, draft));
        self.turn = None;
    }

    fn token_count(&mut self, payload: Val<'_>) {
        let Some(info) = payload.some("info") else { return };
        let Some(total) = info.get("total_token_usage").and_then(Counter::read) else { return };
        let last = info.get("last_token_usage").and_then(Counter::read);
        if self.replay == Replay::Parent {
            self.counter = Some(total);
            return;
        }
        let delta = match self.counter {
            // The counter begins anew.
            Some(before) if total.below(&before) => total,
            Some(before) => total.minus(&before),
            // A fork may begin with its parent's counter.
            None if self.parent.is_some() => last.unwrap_or(total),
            None => total,
        };
        self.counter = Some(total);
        self.counted = true;
        if delta == Counter::default() {
            return;
        }
        let turn = match self.unbilled {
            Some(turn) => turn,
            None => {
                let turn = self.run.new_turn(0);
                let model = std::mem::take(&mut self.model);
                self.run.model(turn, &model);
                self.model = model;
                turn
            }
        };
        let usage = delta.usage();
        self.own = self.own.plus(&usage);
        self.run.usage(turn, usage);
        self.unbilled = None;
        self.turn = None;
    }

    fn event(&mut self, record: &Record<'_>, payload: Val<'_>, log: &mut Log) {
        let kind = payload.str("type").unwrap_or_default();
        let label = format!("event_msg/{kind}");
        let notice = |this: &mut Self, text: String, is_error: bool| {
            let draft = this.draft(record, payload);
            this.run.say(
                StepKind::Notice,
                Content::text(text),
                Draft { is_error, label: Some(kind.as_ref().into()), ..draft },
            );
        };
        match kind.as_ref() {
            "token_count" => {
                log.skipped(&label);
                self.token_count(payload);
            }
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                log.skipped(&label);
                self.agent_reasoning(payload);
            }
            "user_message" => {
                log.skipped(&label);
                self.user_message(payload);
            }
            "task_started" | "turn_started" => {
                log.skipped(&label);
                self.run.run.outcome = None;
                self.turn = None;
                self.unbilled = None;
            }
            "task_complete" | "turn_complete" => {
                log.skipped(&label);
                self.flush_reasons(record);
                let outcome = Outcome { verdict: Verdict::Finished, word: kind.clone().into_owned(), reward: None };
                self.run.run.outcome = Some(outcome);
                self.turn = None;
            }
            "turn_aborted" => {
                log.understood();
                let reason = payload.str("reason").unwrap_or_default().into_owned();
                let verdict = match reason.as_str() {
                    "budget_limited" | "budget_exceeded" => Verdict::Limit,
                    _ => Verdict::Cancelled,
                };
                let word = if reason.is_empty() { kind.clone().into_owned() } else { reason.clone() };
                self.run.run.outcome = Some(Outcome { verdict, word, reward: None });
                self.turn = None;
                notice(self, reason, true);
            }
            "error" | "stream_error" => {
                log.understood();
                let text = payload.str("message").unwrap_or_default().into_owned();
                if kind == "error" {
                    self.run.run.outcome =
                        Some(Outcome { verdict: Verdict::Error, word: "error".into(), reward: None });
                }
                notice(self, text, true);
            }
            "warning" | "deprecation_notice" | "model_reroute" | "thread_rolled_back" => {
                log.understood();
                let said = ["message", "summary", "reason"].iter().find_map(|k| payload.str(k));
                notice(self, said.map(|s| s.into_owned()).unwrap_or_default(), false);
            }
            "context_compacted" => {
                log.understood();
                self.compaction(record, payload, Content::default());
            }
            "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end" => {
                log.skipped(&label);
                self.call_end(payload);
            }
            "collab_agent_spawn_end" => {
                log.skipped(&label);
                let id = payload.str("call_id").unwrap_or_default();
                if let (Some(&step), Some(agent)) = (self.calls.get(id.as_ref()), payload.str("new_thread_id")) {
                    self.run.edit_call(step, |call| {
                        call.spawn = Some(Box::new(Spawn { agent_id: Some(agent.into()), ..Spawn::default() }))
                    });
                }
            }
            // The other side of what the response items say, and states of the interface.
            "agent_message"
            | "agent_message_delta"
            | "agent_reasoning_delta"
            | "agent_reasoning_section_break"
            | "exec_command_begin"
            | "exec_command_output_delta"
            | "patch_apply_begin"
            | "mcp_tool_call_begin"
            | "web_search_begin"
            | "web_search_end"
            | "view_image_tool_call"
            | "plan_update"
            | "turn_diff"
            | "item_started"
            | "item_completed"
            | "session_configured"
            | "thread_name_updated"
            | "entered_review_mode"
            | "exited_review_mode"
            | "background_event"
            | "raw_response_item"
            | "collab_agent_spawn_begin"
            | "collab_waiting_begin"
            | "collab_waiting_end"
            | "collab_agent_interaction_begin"
            | "collab_agent_interaction_end"
            | "collab_close_begin"
            | "collab_close_end"
            | "thread_goal_updated"
            | "image_generation_begin"
            | "image_generation_end"
            | "dynamic_tool_call_request"
            | "dynamic_tool_call_response"
            | "undo_started"
            | "undo_completed"
            | "mcp_startup_complete"
            | "mcp_startup_update"
            | "shutdown_complete"
            | "thread_settings_applied"
            | "sub_agent_activity" => log.skipped(&label),
            _ => self.raw(record, &label, log),
        }
    }

    /// An event that knows better how a call ended than the output's text.
    fn call_end(&mut self, payload: Val<'_>) {
        let id = payload.str("call_id").unwrap_or_default();
        let Some(&step) = self.calls.get(id.as_ref()) else { return };
        let code = payload.get("exit_code").and_then(Val::as_i64);
        let ok = match code {
            Some(code) => Some(code == 0),
            None => payload
                .bool("success")
                .or_else(|| payload.get("result").filter(|r| r.is_object()).map(|r| !r.has("Err"))),
        };
        let duration =
            payload.get("duration").and_then(|d| Some(d.f64("secs")? * 1e3 + d.f64("nanos").unwrap_or(0.0) / 1e6));
        self.run.edit_call(step, |call| {
            if let Some(observation) = &mut call.observation {
                observation.exit_code = observation.exit_code.or(code);
                if let Some(ok) = ok {
                    call.status = if ok { CallStatus::Ok } else { CallStatus::Error };
                }
            }
            call.duration_ms = duration.or(call.duration_ms);
        });
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let kind = val.str("type");
        let Some(payload) = val.get("payload").filter(|p| p.is_object()) else {
            // Older rollouts have no envelope.
            match kind {
                Some(_) => self.response_item(record, val, log),
                None if val.has("record_type") => log.skipped("state"),
                None if val.has("id") && val.has("timestamp") => self.meta(record, val, log),
                None => self.raw(record, "no type", log),
            }
            return;
        };
        let kind = kind.unwrap_or_default();
        if kind != "session_meta" && self.is_replayed(record, &kind, payload) {
            self.replayed += u64::from(kind == "response_item");
            log.skipped("replayed");
            if payload.get("type").is_some_and(|t| t.is("token_count")) {
                self.token_count(payload);
            }
            return;
        }
        match kind.as_ref() {
            "session_meta" => self.meta(record, payload, log),
            "response_item" => self.response_item(record, payload, log),
            "event_msg" => self.event(record, payload, log),
            "turn_context" => {
                log.skipped("turn_context");
                if let Some(model) = payload.str("model") {
                    self.model = model.into_owned();
                }
                if let Some(effort) = payload.str("effort")
                    && !self.facts.iter().any(|f| f.0 == "effort")
                {
                    self.facts.push(("effort", effort.into_owned()));
                }
            }
            "compacted" => {
                log.understood();
                let text = payload.str("message").unwrap_or_default();
                self.compaction(record, payload, Content::text(text.as_ref()));
            }
            "session_state" | "token_usage_record" | "world_state" => log.skipped(&kind),
            other => self.raw(record, other, log),
        }
    }

    fn finish(mut self: Box<Self>, log: &mut Log) -> Vec<Run> {
        if self.run.is_empty() && self.id.is_none() {
            return Vec::new();
        }
        // Every typed message was found: the rest of the person's words are the program's.
        if self.typed_count > 0 && self.confirmed.len() == self.typed_count {
            for &step in self.persons.iter().filter(|p| !self.confirmed.contains(p)) {
                if let Some(step) = self.run.run.steps.get_mut(step) {
                    step.kind = StepKind::Injected;
                }
            }
        }
        if let Some(id) = self.id.clone() {
            let part = if self.is_agent {
                let session = self.root.clone().or_else(|| self.parent.clone());
                session.map(|session| SessionPart { session, agent: Some(id), helper: false })
            } else {
                Some(SessionPart { session: id, agent: None, helper: false })
            };
            log.session = part;
        }
        if self.replayed > 0 {
            let parent = self.parent.clone().unwrap_or_default();
            log.note("codex-replay", &[("count", self.replayed.to_string()), ("parent", parent)]);
        }
        self.run.agent("Codex", self.version.as_deref());
        let run = &mut self.run.run;
        run.format_version = self.version;
        if self.is_agent
            && let Some(lane) = run.lanes.first_mut()
        {
            lane.agent_id = self.id.clone();
            lane.name = self.nickname.clone().or_else(|| self.id.clone()).unwrap_or_default();
            run.title = lane.name.clone();
        }
        run.id = self.id;
        if self.counted {
            run.totals = Some(self.own);
        }
        run.facts = self.facts.into_iter().map(|(name, value)| (name.into(), value)).collect();
        vec![self.run.finish()]
    }
}

/// What a call was given, in the spelling of its kind.
fn args_of(payload: Val<'_>) -> Args {
    if let Some(arguments) = payload.some("arguments") {
        return match arguments.as_str() {
            Some(text) => string_args(&text),
            None => json_args(arguments.raw()),
        };
    }
    if let Some(input) = payload.some("input") {
        return match input.as_str() {
            Some(text) => text_args(&text),
            None => json_args(input.raw()),
        };
    }
    match payload.some("action").filter(|a| a.is_object()) {
        Some(action) => json_args(action.raw()),
        None => json_args("{}"),
    }
}

#[derive(Default)]
struct Output {
    content: Content,
    status: CallStatus,
    exit_code: Option<i64>,
    duration_ms: Option<f64>,
    agent_id: Option<String>,
}

/// Reads an output: text, a JSON text with `output` and `metadata`, parts, or an object.
fn read_output(val: Val<'_>) -> Output {
    let Some(text) = val.as_str() else {
        if val.is_object() {
            return read_object(val)
                .unwrap_or_else(|| Output { content: Content::text(val.raw()), ..Output::default() });
        }
        let mut rest: Vec<String> = Vec::new();
        let mut body = content(val, &mut |part| rest.push(part.raw().to_owned()));
        if !rest.is_empty() {
            let text = [body.text.as_ref(), &rest.join("\n")].join("\n");
            body.text = text.trim_start_matches('\n').into();
        }
        let told = told(&body.text);
        return Output { content: body, ..told };
    };
    if text.trim_start().starts_with('{') {
        let mut tape = Tape::new();
        tape.load(&text);
        if !tape.is_broken() {
            let root = tape.doc(&text).root();
            if let Some(read) = read_object(root) {
                return read;
            }
            let agent_id = root.str("agent_id").map(|s| s.into_owned());
            return Output { content: Content::text(text.as_ref()), agent_id, ..Output::default() };
        }
    }
    let told = told(&text);
    Output { content: Content::text(text.as_ref()), ..told }
}

/// An object that wraps an output: `{"output","metadata"}`, `{"content","success"}`, `{"stdout","stderr","exit_code"}`.
fn read_object(root: Val<'_>) -> Option<Output> {
    let meta = root.get("metadata").filter(|m| m.is_object()).unwrap_or(root);
    let code = meta.get("exit_code").and_then(Val::as_i64);
    let success = root.bool("success");
    let body = match root.some("output").or_else(|| root.some("content").filter(|_| success.is_some())) {
        Some(body) if body.is_string() => Content::text(body.text().as_ref()),
        Some(body) => content(body, &mut |_| {}),
        None if root.has("stdout") || root.has("stderr") => {
            let parts = ["stdout", "stderr"].map(|k| root.str(k).unwrap_or_default());
            Content::text(parts.iter().filter(|p| !p.is_empty()).map(|p| p.as_ref()).collect::<Vec<_>>().join("\n"))
        }
        None => return None,
    };
    if code.is_none() && success.is_none() && !root.has("metadata") {
        return None;
    }
    let told = told(&body.text);
    let exit_code = code.or(told.exit_code);
    let status = match (exit_code, success) {
        (Some(code), _) if code != 0 => CallStatus::Error,
        (_, Some(false)) => CallStatus::Error,
        (Some(_), _) | (_, Some(true)) => CallStatus::Ok,
        (None, None) => told.status,
    };
    let duration_ms = meta.f64("duration_seconds").map(|s| s * 1e3).or(told.duration_ms);
    Some(Output { content: body, status, exit_code, duration_ms, agent_id: None })
}

/// What the head of an output's text tells of its end. What the tool itself wrote, behind `Output:`, tells nothing.
fn told(text: &str) -> Output {
    let mut out = Output::default();
    for line in text.lines().take(8).take_while(|l| l.trim() != "Output:") {
        let code = line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "));
        if let Some(code) = code.and_then(|c| c.trim().parse::<i64>().ok()) {
            out.exit_code = Some(code);
        }
        let wall = line
            .strip_prefix("Wall time: ")
            .and_then(|w| w.split_whitespace().next())
            .and_then(|w| w.parse::<f64>().ok());
        out.duration_ms = wall.filter(|s| s.is_finite()).map(|s| s * 1e3).or(out.duration_ms);
    }
    out.status = match out.exit_code {
        Some(0) => CallStatus::Ok,
        Some(_) => CallStatus::Error,
        None if REFUSALS.iter().any(|r| text.starts_with(r)) => CallStatus::Error,
        None => CallStatus::Unknown,
    };
    // A time alone, in a text of the tool's own, is no head of Codex.
    if out.exit_code.is_none() {
        out.duration_ms = None;
    }
    out
}

/// The time in a UUID of version 7, in milliseconds.
fn uuid_time(id: &str) -> Option<i64> {
    let bytes = id.as_bytes();
    if bytes.len() != 36 || bytes.get(14) != Some(&b'7') {
        return None;
    }
    let hex: String = id.chars().take(13).filter(|c| *c != '-').collect();
    i64::from_str_radix(&hex, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, text: &str, status: CallStatus, code: Option<i64>) {
        let mut tape = Tape::new();
        let read = read_output(tape.parse(output).root());
        assert_eq!((read.content.text.as_ref(), read.status, read.exit_code), (text, status, code), "{output}");
    }

    #[test]
    fn reads_the_spellings_of_an_output() {
        use CallStatus::{Error, Ok, Unknown};
        check(r#""a.txt""#, "a.txt", Unknown, None);
        check(r#""{\"output\":\"a\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}""#, "a", Ok, Some(0));
        check(r#""{\"output\":\"a\",\"metadata\":{\"exit_code\":2}}""#, "a", Error, Some(2));
        check(r#""{\"a\":1}""#, "{\"a\":1}", Unknown, None);
        check(
            r#""Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno""#,
            "Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno",
            Error,
            Some(1),
        );
        check(r#""Output:\nProcess exited with code 1""#, "Output:\nProcess exited with code 1", Unknown, None);
        check(r#"{"content":"no","success":false}"#, "no", Error, None);
        check(r#"{"stdout":"a","stderr":"b","exit_code":1}"#, "a\nb", Error, Some(1));
        check(r#"[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]"#, "a\nb", Unknown, None);
        check(
            r#""apply_patch verification failed: no such file""#,
            "apply_patch verification failed: no such file",
            Error,
            None,
        );
    }

    #[test]
    fn reads_the_time_in_an_id() {
        assert_eq!(uuid_time("019c8bfe-ec25-79e0-97d7-bda6a9c575ff"), Some(0x019c_8bfe_ec25));
        assert_eq!(uuid_time("019c8bfe-ec25-49e0-97d7-bda6a9c575ff"), None);
        assert_eq!(uuid_time("turn-1"), None);
    }
}
