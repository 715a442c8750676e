//! The containers that chat messages come in, whoever's messages they are: a bare list, `{"messages"}` with or without
//! the `response` that followed, a lone response, a list of any of these, or one of them a line.
//!
//! Messages that stand alone follow each other into one run; every container is a run of its own. Requests of a proxy's
//! log repeat what was said before: one that begins with all that an earlier one said continues that run.
//! O(bytes); the look for what a request continues costs the length of the open conversations' beginnings.

use super::chat::{Chat, are_messages, body, is_message, usage_of};
use super::digest::Digest;
use super::part::{cut, moment_of, part_text};
use super::tools::declare;
use super::{Draft, Log, Record, RecordReader};
use crate::json::Val;
use crate::model::{Content, CostKind, Outcome, Run, StepKind, Usage, Verdict};

/// Names under which a container keeps its messages.
const LISTS: [&str; 6] = ["messages", "conversations", "conversation", "message_history", "chat_history", "history"];

/// Proxied conversations that a request may still continue.
const MAX_OPEN: usize = 64;

/// The list of messages of a container; the original form, where a log also has one that was rewritten for the model.
pub fn list_of(val: Val<'_>) -> Option<Val<'_>> {
    if let Some(raw) = val.get("raw_messages").filter(|l| are_messages(*l)) {
        return Some(raw);
    }
    LISTS.iter().find_map(|k| val.get(k).filter(|l| are_messages(*l))).or_else(|| {
        // What a proxy was sent, one level down.
        ["request", "body", "input", "inputs", "kwargs"].iter().find_map(|k| {
            let inner = val.get(k)?;
            inner
                .get("messages")
                .filter(|l| are_messages(*l))
                .or_else(|| Some(inner).filter(|l| l.is_array() && are_messages(*l)))
        })
    })
}

/// The answer of the service: `{"choices":[{"message"}]}` or Anthropic's `{"type":"message","content"}`.
pub fn response_of(val: Val<'_>) -> Option<Val<'_>> {
    ["response", "completion", "output", "response_obj"].iter().find_map(|k| val.get(k).filter(|r| is_response(*r)))
}

/// Whether a value is such an answer.
pub fn is_response(val: Val<'_>) -> bool {
    val.path(&["choices"]).and_then(|c| c.items().next()).is_some_and(|c| c.get("message").is_some_and(Val::is_object))
        || (val.get("type").is_some_and(|t| t.is("message"))
            && val.get("content").is_some_and(Val::is_array)
            && val.has("role"))
}

/// Reads any of the containers.
pub struct Conversations {
    format: &'static str,
    chats: Vec<Open>,
    /// The run that lone messages go to.
    stream: Option<usize>,
    answers_dropped: u64,
}

struct Open {
    chat: Chat,
    /// Digests of the messages of the last request, for proxies' logs.
    heard: Vec<u64>,
    answered: bool,
    requests: u64,
}

impl Conversations {
    pub fn new(format: &'static str) -> Self {
        Self { format, chats: Vec::new(), stream: None, answers_dropped: 0 }
    }

    fn open(&mut self) -> usize {
        self.chats.push(Open { chat: Chat::new(self.format), heard: Vec::new(), answered: false, requests: 0 });
        self.chats.len() - 1
    }

    fn container(&mut self, record: &Record<'_>, list: Option<Val<'_>>, log: &mut Log) {
        let val = record.val;
        let response = if is_response(val) { Some(val) } else { response_of(val) };
        let mut skip = 0;
        let mut continued = None;
        let mut heard = Vec::new();
        if let (Some(list), true) = (list, response.is_some()) {
            heard = list.items().map(digest).collect();
            let from = self.chats.len().saturating_sub(MAX_OPEN);
            continued = (from..self.chats.len()).rev().find(|&i| {
                self.chats
                    .get(i)
                    .is_some_and(|o| !o.heard.is_empty() && o.heard.len() < heard.len() && heard.starts_with(&o.heard))
            });
        }
        let at = match continued {
            Some(at) => {
                if let Some(open) = self.chats.get(at) {
                    // The answer to the last request comes back as the first new message.
                    let answer = list.and_then(|l| l.items().nth(open.heard.len()));
                    let again =
                        open.answered && answer.is_some_and(|m| m.get("role").is_some_and(|r| r.is("assistant")));
                    skip = open.heard.len() + usize::from(again);
                }
                at
            }
            None => self.open(),
        };
        let Some(open) = self.chats.get_mut(at) else { return };
        if continued.is_none() {
            header(&mut open.chat, record, log);
        }
        declared(&mut open.chat.run.run, val);
        open.heard = heard;
        open.requests += 1;
        if let Some(list) = list {
            record.each(list, |message| {
                if message.index >= skip {
                    open.chat.message(message, log);
                }
            });
        }
        open.answered = false;
        if let Some(response) = response {
            open.answered = true;
            self.answers_dropped += respond(&mut open.chat, record, response, log);
        } else if let Some(text) = val.str("response").or_else(|| val.str("completion")) {
            // Some logs keep the answer's text only.
            open.chat.spoken(record, "assistant", val.some("response").or_else(|| val.some("completion")), log);
            open.answered = !text.is_empty();
        }
        if let Some(error) = ["error", "exception", "error_str"]
            .iter()
            .find_map(|k| val.some(k))
            .filter(|e| !e.is_empty() && !e.is_array())
        {
            let text = error.get("message").unwrap_or(error).text().into_owned();
            let draft = Draft {
                at: moment_of(val),
                label: Some("error".into()),
                is_error: true,
                span: record.span_of(error),
                ..Draft::default()
            };
            open.chat.run.say(StepKind::Notice, Content::text(text), draft);
            open.chat.run.run.outcome = Some(Outcome { verdict: Verdict::Error, word: "error".into(), reward: None });
        }
    }
}

/// The tools that a request offers the model, wherever a log keeps its request.
fn declared(run: &mut Run, val: Val<'_>) {
    const REQUESTS: [&str; 6] = ["request", "body", "kwargs", "optional_params", "extra_body", "params"];
    let places = std::iter::once(val).chain(REQUESTS.iter().filter_map(|k| val.some(k)));
    for list in places.flat_map(|place| ["tools", "functions"].into_iter().filter_map(move |k| place.some(k))) {
        declare(run, list);
    }
}

/// The header of a container: system prompt, names, facts.
fn header(chat: &mut Chat, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let run = &mut chat.run.run;
    const IDS: [&str; 8] =
        ["session_id", "conversation_id", "thread_id", "trial_name", "run_id", "trace_id", "task_id", "id"];
    run.id =
        IDS.iter().find_map(|k| val.some(k)).filter(|v| !v.is_object() && !v.is_array()).map(|v| v.text().into_owned());
    if let Some(title) = ["title", "summary"].iter().find_map(|k| val.str(k)).filter(|t| !t.trim().is_empty()) {
        run.title = cut(title.trim(), 120);
    }
    if let Some(agent) = val.str("agent").or_else(|| val.str("agent_name")) {
        run.agent.name = Some(agent.into_owned());
    }
    if let Some(model) =
        val.str("model").or_else(|| val.path(&["request", "model"]).and_then(Val::as_str)).filter(|m| !m.is_empty())
    {
        run.model_index(&model);
    }
    for key in ["task", "episode", "trial_name", "run_id", "dataset", "latency_sec", "result"] {
        if let Some(fact) = val.some(key).filter(|v| !v.is_object() && !v.is_array()) {
            let text = fact.text();
            if text.len() <= 200 && run.id.as_deref() != Some(text.as_ref()) {
                run.facts.push((key.into(), text.into_owned()));
            }
        }
    }
    if let Some(tools) = val.get("tools").or_else(|| val.get("functions")).filter(|t| t.is_array() && !t.is_empty()) {
        run.facts.push(("tools".into(), tools.len().to_string()));
    }
    for key in ["reward", "score", "success", "label", "resolved"] {
        if let Some(label) = val.some(key).filter(|v| !v.is_object() && !v.is_array()) {
            run.labels.push((key.into(), cut(&label.text(), 200)));
        }
    }
    // Beside a response there is no own usage; elsewhere it is that of the whole run.
    if let (Some(usage), false) = (val.some("usage").filter(|u| u.is_object()), is_response(val)) {
        run.totals = Some(usage_of(usage));
    }
    let system = val.some("system").or_else(|| val.some("instructions")).or_else(|| val.path(&["request", "system"]));
    if let Some(system) = system.filter(|s| s.is_string() || s.is_array()) {
        let line = record.span_of(system).line;
        chat.spoken(&Record { val: system, line, prefix: &at(record, system), ..*record }, "system", Some(system), log);
    }
}

fn at(record: &Record<'_>, val: Val<'_>) -> String {
    format!("{}{}", record.prefix, val.pointer_within(record.val))
}

/// Adds the answer of the service; returns how many alternatives were left out.
fn respond(chat: &mut Chat, record: &Record<'_>, response: Val<'_>, log: &mut Log) -> u64 {
    let val = record.val;
    let choices = response.get("choices");
    let message = match choices {
        Some(choices) => choices.items().next().and_then(|c| c.get("message")),
        None => Some(response),
    };
    let Some(message) = message else { return 0 };
    let before = chat.run.run.steps.len();
    let prefix = at(record, message);
    let sub = Record {
        val: message,
        line: record.span_of(message).line,
        base: record.base,
        prefix: &prefix,
        index: record.index,
    };
    let role = message.str("role").unwrap_or("assistant".into());
    let turn = chat.spoken(&sub, &role, body(message), log);
    if let Some(turn) = turn {
        if let Some(model) = response.str("model").or_else(|| val.str("model")) {
            chat.run.model(turn, &model);
        }
        let mut usage = response.some("usage").map(usage_of).unwrap_or_default();
        // Proxies work the cost out from their own table of prices.
        let hidden = response.path(&["_hidden_params", "response_cost"]).and_then(Val::as_f64);
        if usage.cost.is_none()
            && let Some(cost) = val.f64("cost").or_else(|| val.f64("response_cost")).or(hidden)
        {
            usage = Usage { cost: Some(cost), cost_kind: CostKind::Estimated, ..usage };
        }
        chat.run.usage(turn, usage);
        if let (Some(id), Some(t)) = (response.str("id"), chat.run.run.turns.get_mut(turn as usize)) {
            t.id = Some(id.as_ref().into());
        }
    }
    let when = moment_of(response).or_else(|| moment_of(val));
    for step in chat.run.run.steps.iter_mut().skip(before) {
        step.at = step.at.or(when);
    }
    choices.map_or(0, |c| c.len().saturating_sub(1) as u64)
}

impl RecordReader for Conversations {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if is_message(val) && !is_response(val) {
            let at = match self.stream {
                Some(at) => at,
                None => {
                    let at = self.open();
                    self.stream = Some(at);
                    at
                }
            };
            if let Some(open) = self.chats.get_mut(at) {
                open.chat.message(record, log);
            }
            return;
        }
        if let Some(list) = list_of(val) {
            return self.container(record, Some(list), log);
        }
        if val.is_array() && are_messages(val) {
            return self.container(record, Some(val), log);
        }
        if is_response(val) || response_of(val).is_some() {
            return self.container(record, None, log);
        }
        // Not of this kind, kept where it stood.
        let at = match self.stream.or_else(|| self.chats.len().checked_sub(1)) {
            Some(at) => at,
            None => {
                let at = self.open();
                self.stream = Some(at);
                at
            }
        };
        if let Some(open) = self.chats.get_mut(at) {
            let kind = val.str("type").or_else(|| val.str("role")).unwrap_or("no role".into());
            if val.has("role") {
                open.chat.message(record, log);
            } else {
                open.chat.unknown(record, &kind, log);
            }
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        if self.answers_dropped > 0 {
            log.note("alternatives-left-out", &[("count", self.answers_dropped.to_string())]);
        }
        let joined: u64 = self.chats.iter().map(|o| o.requests.saturating_sub(1)).sum();
        if joined > 0 {
            log.note("requests-joined", &[("count", joined.to_string())]);
        }
        self.chats.into_iter().filter(|o| !o.chat.run.is_empty()).map(|o| o.chat.finish(log)).collect()
    }
}

/// A digest of what a message says, without marks that move from request to request (`cache_control`).
fn digest(message: Val<'_>) -> u64 {
    let mut digest = Digest::new(0);
    let mut add = |text: &str| digest.add(text);
    add(&message.str("role").unwrap_or_default());
    if let Some(said) = message.some("content") {
        if said.is_array() {
            for part in said.items() {
                match part_text(part) {
                    Some(text) => add(&text),
                    None => ["type", "id", "name", "tool_use_id", "input", "content"]
                        .iter()
                        .filter_map(|k| part.get(k))
                        .for_each(|v| add(v.raw())),
                }
            }
        } else {
            add(&said.text());
        }
    }
    for key in ["tool_calls", "function_call", "tool_call_id"] {
        if let Some(v) = message.some(key) {
            add(v.raw());
        }
    }
    digest.end()
}
