//! Claude Code: session files (`~/.claude/projects/<slug>/<session>.jsonl`), the files of their sub-agents
//! (`<session>/subagents/agent-<id>.jsonl`), `claude -p --output-format stream-json`, and the web's `{"loglines"}`.
//! Versions seen: 1.0 to 2.1.
//!
//! ```json
//! {"type":"assistant","uuid":"u2","sessionId":"s","timestamp":"…","message":{"id":"msg_1","model":"m",
//!  "content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":3}}}
//! {"type":"user","uuid":"u3","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}}
//! ```
//!
//! One message of the model is split over up to ten lines that share `message.id`, each with a snapshot of the usage:
//! the last one counts. `input_tokens` leaves the cache out. Records are put in order of time. O(bytes).

use std::collections::{HashMap, HashSet};

use super::anthropic_blocks::{assistant, tool_result, usage_of};
use super::digest::Digest;
use super::part::{content, voice};
use super::tools::declare;
use super::{Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, SessionPart, Sniff};
use crate::json::Val;
use crate::model::{Content, CostKind, LaneId, Outcome, Run, Spawn, StepKind, TurnId, Usage, Verdict, parse_time};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "claude-code",
    label: "Claude Code",
    files: "sessions with sub-agents, stream-json",
    marks: &["type", "sessionId", "uuid", "parentUuid", "message", "cwd", "version", "isSidechain"],
    sniff,
    reader: || Box::new(Reader::new()),
};

const TYPES: [&str; 9] = [
    "user",
    "assistant",
    "system",
    "progress",
    "attachment",
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "result",
];

fn sniff(sample: &Sample<'_>) -> Sniff {
    if let Some(lines) = sample.object().and_then(|root| root.get("loglines")) {
        return if lines.is_array() {
            Sniff::Yes
        } else {
            Sniff::near(1, Reason::NotA("loglines", "array"), "/loglines")
        };
    }
    let typed = |v: Val<'_>| v.get("type").is_some_and(|t| TYPES.iter().any(|k| t.is(k)));
    let speaks = |v: Val<'_>| {
        (v.get("type").is_some_and(|t| t.is("user") || t.is("assistant")))
            && v.get("message").is_some_and(|m| m.has("content"))
    };
    let marked = |v: Val<'_>| ["sessionId", "parentUuid", "isSidechain", "session_id"].iter().any(|k| v.has(k));
    let stream = |v: Val<'_>| {
        v.get("type").is_some_and(|t| t.is("system"))
            && v.get("subtype").is_some_and(|s| s.is("init"))
            && v.has("session_id")
    };
    if sample
        .any(|v| (typed(v) && marked(v) && (v.has("message") || v.has("uuid") || v.has("attachment"))) || stream(v))
        || (sample.object().is_none()
            && sample.any(speaks)
            && sample.records.iter().filter(|v| v.is_object()).all(|v| v.has("type")))
        || (sample.any(|v| v.get("type").is_some_and(|t| t.is("attachment")) && v.has("attachment")))
    {
        return Sniff::Yes;
    }
    if sample.object().is_none() && sample.any(typed) {
        return Sniff::near(1, Reason::NoKey("sessionId"), "/0/sessionId");
    }
    Sniff::no(Reason::NeedsRecords("sessionId"), "/")
}

struct Reader {
    run: RunBuilder,
    /// Digests of the records seen, to drop repeated ones. Looked up only.
    seen: HashSet<u64>,
    /// Lanes by the call that started them, for stream-json.
    by_call: HashMap<String, LaneId>,
    /// Sub-agents by the call that started them, as progress lines tell. Looked up only.
    started: HashMap<String, String>,
    session: Option<String>,
    version: Option<String>,
    summary: Option<String>,
    cwd: Option<String>,
    branch: Option<String>,
    /// True while every record belongs to a sub-agent.
    all_side: bool,
    side_agent: Option<String>,
    is_stream: bool,
    index: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            run: RunBuilder::new(FORMAT.id),
            seen: HashSet::new(),
            by_call: HashMap::new(),
            started: HashMap::new(),
            session: None,
            version: None,
            summary: None,
            cwd: None,
            branch: None,
            all_side: true,
            side_agent: None,
            is_stream: false,
            index: 0,
        }
    }

    fn one(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        self.index += 1;
        let Some(kind) = val.str("type") else {
            log.unknown("no type");
            self.raw(record, "no type");
            return;
        };
        self.header(val);
        match kind.as_ref() {
            "user" | "assistant" => self.message(record, &kind, log),
            "system" => self.system(record, log),
            "attachment" => self.attachment(record, log),
            "result" if val.has("subtype") || val.has("is_error") => self.result(record, log),
            "summary" => {
                self.summary = val.str("summary").map(|s| s.into_owned()).or(self.summary.take());
                log.skipped("summary");
            }
            "ai-title" | "custom-title" => {
                let title = val.str("aiTitle").or_else(|| val.str("customTitle")).or_else(|| val.str("title"));
                self.summary = title.map(|s| s.into_owned()).or(self.summary.take());
                log.skipped(&kind);
            }
            "queue-operation" => log.skipped("queue-operation"),
            "progress" => {
                let what = val.path(&["data", "type"]).and_then(Val::as_str).unwrap_or("progress".into());
                // The only tie between a call and its sub-agent until the call is answered.
                let call = val.str("parentToolUseID").or_else(|| val.str("toolUseID"));
                if let (Some(call), Some(agent)) = (call, val.path(&["data", "agentId"]).and_then(Val::as_str))
                    && !self.started.contains_key(call.as_ref())
                {
                    self.started.insert(call.into_owned(), agent.into_owned());
                }
                log.skipped(&format!("progress/{what}"));
            }
            "file-history-snapshot"
            | "file-history-delta"
            | "last-prompt"
            | "mode"
            | "permission-mode"
            | "agent-name"
            | "agent-setting"
            | "agent-color"
            | "pr-link"
            | "worktree-state"
            | "started"
            | "result"
            | "rate_limit_event"
            | "stream_event"
            | "tool_progress"
            | "auth_status"
            | "keep_alive"
            | "control_request"
            | "control_response"
            | "control_cancel_request"
            | "env_manager_log"
            | "saved_hook_context"
            | "tag"
            | "content-replacement" => {
                log.skipped(&kind);
            }
            other => {
                log.unknown(other);
                self.raw(record, other);
            }
        }
    }

    fn header(&mut self, val: Val<'_>) {
        if self.session.is_none() {
            self.session = val.str("sessionId").or_else(|| val.str("session_id")).map(|s| s.into_owned());
        }
        if self.version.is_none() {
            self.version = val.str("version").or_else(|| val.str("claude_code_version")).map(|s| s.into_owned());
        }
        if self.cwd.is_none() {
            self.cwd = val.str("cwd").map(|s| s.into_owned());
        }
        if self.branch.is_none() {
            self.branch = val.str("gitBranch").filter(|b| !b.is_empty()).map(|s| s.into_owned());
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

    fn raw(&mut self, record: &Record<'_>, label: &str) {
        let draft = Draft { label: Some(label.into()), ..self.draft(record, 0, None, record.val) };
        let text: String = record.val.raw().chars().take(20_000).collect();
        self.run.say(StepKind::Raw, Content::text(text), draft);
    }

    /// The lane of a record: sub-agents of older versions stand in the session's own file.
    fn lane(&mut self, val: Val<'_>) -> LaneId {
        let side = val.bool("isSidechain") == Some(true);
        let agent = val.str("agentId");
        if side {
            match (&self.side_agent, &agent) {
                (None, Some(a)) => self.side_agent = Some(a.to_string()),
                (Some(s), Some(a)) if s.as_str() != a.as_ref() => self.all_side = false,
                _ => {}
            }
        } else {
            self.all_side = false;
        }
        if let Some(call) = val.some("parent_tool_use_id").and_then(Val::as_str) {
            if let Some(&lane) = self.by_call.get(call.as_ref()) {
                return lane;
            }
            let lane = self.run.lane(&call, "sub-agent", 0);
            self.by_call.insert(call.into_owned(), lane);
            return lane;
        }
        match agent {
            // A file of one sub-agent alone is its own main lane.
            Some(a) if side && self.side_agent.as_deref() != Some(a.as_ref()) => self.run.lane(&a, &a, 0),
            _ => 0,
        }
    }

    fn message(&mut self, record: &Record<'_>, kind: &str, log: &mut Log) {
        let val = record.val;
        let Some(message) = val.get("message") else {
            log.unknown("message missing");
            self.raw(record, kind);
            return;
        };
        // The same record twice: same uuid and same message. Some writers give every record the same uuid.
        if let Some(uuid) = val.get("uuid")
            && !self.seen.insert(digest(uuid, message))
        {
            log.understood();
            log.repaired("repeated-record", record.line);
            return;
        }
        log.understood();
        let lane = self.lane(val);
        if kind == "assistant" {
            self.assistant(record, message, lane, log)
        } else {
            self.user(record, message, lane, log)
        }
    }

    fn assistant(&mut self, record: &Record<'_>, message: Val<'_>, lane: LaneId, log: &mut Log) {
        let val = record.val;
        let turn = match message.str("id").filter(|id| !id.is_empty()) {
            Some(id) => self.run.turn(lane, &id),
            None => self.run.new_turn(lane),
        };
        let model = message.str("model").unwrap_or_default();
        if model != "<synthetic>" {
            self.run.model(turn, &model);
        }
        if let Some(usage) = message.some("usage") {
            self.run.usage(turn, usage_of(usage));
        }
        let api_error = val.bool("isApiErrorMessage") == Some(true);
        let Some(body) = message.get("content") else { return };
        let draft = self.draft(record, lane, Some(turn), body);
        let said = if api_error { StepKind::Notice } else { StepKind::Say };
        assistant(&mut self.run, record, body, &draft, said, log);
    }

    fn user(&mut self, record: &Record<'_>, message: Val<'_>, lane: LaneId, log: &mut Log) {
        let val = record.val;
        let Some(body) = message.get("content") else { return };
        let extra = val.some("toolUseResult").or_else(|| val.some("tool_use_result"));
        let meta = val.bool("isMeta") == Some(true);
        let summary = val.bool("isCompactSummary") == Some(true);
        if body.is_array() && body.items().any(|b| b.get("type").is_some_and(|t| t.is("tool_result"))) {
            for block in body.items().filter(|b| b.get("type").is_some_and(|t| t.is("tool_result"))) {
                self.tool_result(record, block, lane, extra);
            }
        }
        let mut images = 0;
        let mut text = content(body, &mut |part| {
            if !part.get("type").is_some_and(|t| t.is("tool_result")) {
                images += 1;
                log.unknown_part("user/part");
            }
        });
        if text.is_empty() {
            return;
        }
        if summary {
            self.compacted(record, lane, std::mem::take(&mut text), body);
            return;
        }
        let from_person = val.str("origin").is_none_or(|o| o != "task-notification");
        let kind = match voice(&text.text) {
            StepKind::Person if meta || !from_person => StepKind::Injected,
            // A sub-agent is asked by its parent, not by a person.
            StepKind::Person if lane > 0 || val.bool("isSidechain") == Some(true) => StepKind::Injected,
            StepKind::Person if val.some("parent_tool_use_id").is_some() => StepKind::Injected,
            kind => kind,
        };
        let draft = self.draft(record, lane, None, body);
        self.run.say(kind, text, draft);
    }

    /// The summary behind a compaction boundary is text that the program put in; without a boundary it is the mark.
    fn compacted(&mut self, record: &Record<'_>, lane: LaneId, text: Content, at: Val<'_>) {
        let bounded =
            self.run.run.steps.iter().rev().find(|s| s.lane == lane).is_some_and(|s| s.kind == StepKind::Compaction);
        let kind = if bounded { StepKind::Injected } else { StepKind::Compaction };
        let draft = self.draft(record, lane, None, at);
        self.run.say(kind, text, Draft { label: Some("summary".into()), ..draft });
    }

    fn tool_result(&mut self, record: &Record<'_>, block: Val<'_>, lane: LaneId, extra: Option<Val<'_>>) {
        let draft = self.draft(record, lane, None, block);
        let step = tool_result(&mut self.run, record, block, &draft);
        let Some(extra) = extra.filter(|e| e.is_object()) else { return };
        if let Some(patch) = extra.some("structuredPatch").filter(|p| p.is_array() && !p.is_empty()) {
            self.run.edit_call(step, |call| {
                if let Some(observation) = &mut call.observation {
                    observation.structured = Some(patch.raw().into());
                }
            });
        }
        if let Some(agent) = extra.str("agentId") {
            let spawn = Spawn {
                agent_id: Some(agent.into_owned()),
                lane: None,
                calls: extra.u64("totalToolUseCount"),
                tokens: extra.u64("totalTokens"),
                duration_ms: extra.f64("totalDurationMs"),
            };
            self.run.edit_call(step, |call| call.spawn = Some(Box::new(spawn)));
        }
    }

    fn system(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let subtype = val.str("subtype").unwrap_or_default();
        match subtype.as_ref() {
            "compact_boundary" => {
                log.understood();
                let lane = self.lane(val);
                let draft = self.draft(record, lane, None, val);
                let said = val.str("content").unwrap_or_default();
                let facts = val.get("compactMetadata").map(Val::raw).unwrap_or_default();
                self.run.say(StepKind::Compaction, Content::text(format!("{said}\n\n{facts}").trim()), draft);
            }
            "api_error" => {
                log.understood();
                let text = val
                    .path(&["error", "message"])
                    .or_else(|| val.path(&["error", "error", "message"]))
                    .or_else(|| val.get("error"))
                    .or_else(|| val.get("content"))
                    .map(|v| v.text().into_owned())
                    .unwrap_or_default();
                let draft = self.draft(record, 0, None, val);
                self.run.say(
                    StepKind::Notice,
                    Content::text(text),
                    Draft { is_error: true, label: Some("api_error".into()), ..draft },
                );
            }
            "init" => {
                log.understood();
                self.is_stream = true;
                if let Some(tools) = val.some("tools") {
                    declare(&mut self.run.run, tools);
                }
            }
            "local_command" | "informational" => match val.str("content") {
                Some(text) => {
                    log.understood();
                    let draft = self.draft(record, 0, None, val);
                    let kind = if subtype == "local_command" { StepKind::Injected } else { StepKind::Notice };
                    self.run.say(
                        kind,
                        Content::text(text.as_ref()),
                        Draft { label: Some(subtype.as_ref().into()), ..draft },
                    );
                }
                None => log.skipped(&format!("system/{subtype}")),
            },
            _ => log.skipped(&format!("system/{subtype}")),
        }
    }

    fn attachment(&mut self, record: &Record<'_>, log: &mut Log) {
        let Some(attachment) = record.val.get("attachment") else {
            log.skipped("attachment");
            return;
        };
        let kind = attachment.str("type").unwrap_or_default();
        let mut text = Content::default();
        let (step, is_error) = match kind.as_ref() {
            "queued_command" => {
                if let Some(prompt) = attachment.get("prompt") {
                    text = content(prompt, &mut |_| {});
                }
                (voice(&text.text), false)
            }
            "hook_blocking_error" | "hook_non_blocking_error" => {
                let said = ["blockingError", "stderr", "content", "stdout"].iter().find_map(|k| attachment.some(k));
                text = Content::text(said.map(|v| v.text().into_owned()).unwrap_or_default());
                (StepKind::Notice, true)
            }
            "max_turns_reached" => {
                text = Content::text(attachment.raw());
                (StepKind::Notice, true)
            }
            "hook_additional_context"
            | "skill_listing"
            | "nested_memory"
            | "file"
            | "edited_text_file"
            | "total_tokens_reminder"
            | "invoked_skills"
            | "hook_system_message"
            | "selected_lines_in_ide"
            | "read_truncation_notice"
            | "plan_file_reference" => {
                let said = ["content", "text", "snippet", "skills", "banner", "planContent"]
                    .iter()
                    .find_map(|k| attachment.some(k));
                if let Some(said) = said {
                    text = Content::text(said.text().as_ref());
                }
                (StepKind::Injected, false)
            }
            other => {
                log.skipped(&format!("attachment/{other}"));
                return;
            }
        };
        log.understood();
        let lane = self.lane(record.val);
        let draft = self.draft(record, lane, None, attachment);
        self.run.say(step, text, Draft { label: Some(kind.as_ref().into()), is_error, ..draft });
    }

    /// The last line of `stream-json`.
    fn result(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        log.understood();
        let subtype = val.str("subtype").unwrap_or_default();
        let failed = val.bool("is_error") == Some(true);
        let verdict = match subtype.as_ref() {
            "success" if !failed => Verdict::Finished,
            "error_max_turns" | "error_max_budget_usd" => Verdict::Limit,
            _ => Verdict::Error,
        };
        self.run.run.outcome = Some(Outcome { verdict, word: subtype.into_owned(), reward: None });
        let mut totals = Usage::default();
        if let Some(cost) = val.f64("total_cost_usd") {
            totals.cost = Some(cost);
            // The program works it out from its own price table.
            totals.cost_kind = CostKind::Estimated;
        }
        // The sum over the turns is exact where usage is there; `modelUsage` helps where it is not.
        if let Some(models) = val.get("modelUsage").filter(|m| m.is_object() && !m.is_empty()) {
            let mut sum = Usage::default();
            for (_, m) in models.entries() {
                let cached = m.u64("cacheReadInputTokens");
                let written = m.u64("cacheCreationInputTokens");
                let input = m.u64("inputTokens").map(|n| n + cached.unwrap_or(0) + written.unwrap_or(0));
                sum = sum.plus(&Usage {
                    input,
                    output: m.u64("outputTokens"),
                    cached,
                    cache_write: written,
                    ..Usage::default()
                });
            }
            totals = Usage { cost: totals.cost, cost_kind: totals.cost_kind, ..sum };
        }
        self.run.run.totals = Some(totals);
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        if let Some(lines) = record.val.get("loglines").filter(|l| l.is_array()) {
            for (index, val) in lines.items().enumerate() {
                let prefix = format!("/loglines/{index}");
                let line = record.span_of(val).line;
                self.one(&Record { val, line, base: record.base, prefix: &prefix, index }, log);
            }
            return;
        }
        self.one(record, log);
    }

    fn finish(mut self: Box<Self>, log: &mut Log) -> Vec<Run> {
        if self.run.is_empty() && self.run.run.outcome.is_none() {
            return Vec::new();
        }
        let is_side = self.all_side && self.side_agent.is_some();
        if let Some(session) = self.session.clone() {
            let agent = if is_side { self.side_agent.clone() } else { None };
            let helper = agent.as_deref().is_some_and(|a| a.starts_with("acompact"));
            log.session = Some(SessionPart { session, agent, helper });
        }
        self.run.agent("Claude Code", self.version.as_deref());
        self.run.sort_by_time();
        for call in self.run.run.steps.iter_mut().filter_map(|s| s.call.as_deref_mut()) {
            if call.spawn.is_none()
                && let Some(agent) = call.id.as_deref().and_then(|id| self.started.get(id))
            {
                call.spawn = Some(Box::new(Spawn { agent_id: Some(agent.clone()), ..Spawn::default() }));
            }
        }
        tie_lanes(&mut self.run.run);
        self.run.nest_lanes(&[]);
        let run = &mut self.run.run;
        run.id = self.session;
        run.format_version = self.version;
        if let Some(title) = self.summary {
            run.title = title;
        }
        if let (true, Some(agent)) = (is_side, self.side_agent)
            && let Some(lane) = run.lanes.first_mut()
        {
            lane.agent_id = Some(agent.clone());
            lane.name = agent;
        }
        for (name, value) in [("cwd", self.cwd), ("branch", self.branch)] {
            if let Some(value) = value {
                run.facts.push((name.into(), value));
            }
        }
        vec![self.run.finish()]
    }
}

/// Ties each sub-agent to the call that started it: a lane goes by the agent's id or by the id of that call.
fn tie_lanes(run: &mut Run) {
    let mut by_id: HashMap<&str, LaneId> = HashMap::new();
    for (lane, id) in run.lanes.iter().enumerate().filter_map(|(i, l)| Some((i, l.agent_id.as_deref()?))) {
        by_id.entry(id).or_insert(lane as LaneId);
    }
    for step in &mut run.steps {
        let Some(call) = step.call.as_deref_mut() else { continue };
        let spawned = call.spawn.as_ref().and_then(|s| s.agent_id.as_deref());
        let lanes = [spawned, call.id.as_deref()].into_iter().flatten().filter_map(|id| by_id.get(id).copied());
        if let Some(lane) = lanes.filter(|lane| *lane != step.lane).min() {
            call.spawn.get_or_insert_default().lane = Some(lane);
        }
    }
}

/// What makes a record the same record.
fn digest(uuid: Val<'_>, message: Val<'_>) -> u64 {
    let mut digest = Digest::new(0);
    digest.add(uuid.raw());
    digest.add(message.raw());
    digest.end()
}
