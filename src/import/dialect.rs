//! A message in whatever dialect it is written: OpenAI, Anthropic, OpenAI Responses, OpenTelemetry parts, LangChain in
//! its four spellings, Gemini, Pydantic-AI, the AI SDK, Goose, Pi and what is near them.
//!
//! [`Hear`] finds the messages of a value, also inside JSON text and the usual wrappers (`messages`, `choices`,
//! `generations`, `candidates`, `output`), and gives [`Msg`]s: who speaks, and parts that are text, thought, call or
//! result. [`tell`] puts one into a run. What a part is, is decided in one table, so that a new dialect is a new
//! spelling and no new reader. Depth is bounded by [`MAX_DEPTH`]. O(bytes).

use super::chat::{ROLES, Speaker, call_of, reasoning, speaker};
use super::part::{content, cut, media, moment_of, part_text, split_think, told_status, voice};
use super::usage::usage_in;
use super::{Draft, RunBuilder, json_args, string_args, text_args};
use crate::json::{Tape, Val};
use crate::model::{Args, CallStatus, Content, Observation, Span, StepKind, Time, TurnId, Usage};

/// One part of a message.
pub enum Said {
    Text(Content),
    Thought(String),
    Call {
        id: Option<Box<str>>,
        tool: Box<str>,
        args: Args,
        /// The part itself says how the call ended.
        done: Option<CallStatus>,
    },
    Result {
        id: Option<Box<str>>,
        tool: Option<Box<str>>,
        content: Content,
        status: CallStatus,
    },
    /// A part of an unknown kind, kept as it stands.
    Other(Box<str>, Box<str>),
}

/// A part and where it stands.
pub struct Part {
    pub said: Said,
    pub span: Span,
}

/// One message.
pub struct Msg {
    pub who: Speaker,
    /// The role's own word, when it is a name.
    pub name: Option<Box<str>>,
    pub id: Option<Box<str>>,
    pub at: Option<Time>,
    pub model: Option<Box<str>>,
    pub usage: Usage,
    pub parts: Vec<Part>,
}

impl Msg {
    pub fn new(who: Speaker) -> Self {
        Self { who, name: None, id: None, at: None, model: None, usage: Usage::default(), parts: Vec::new() }
    }

    /// A message of nothing but text.
    pub fn text(who: Speaker, text: &str, span: Span) -> Self {
        let parts = vec![Part { said: Said::Text(Content::text(text)), span }];
        Self { parts, ..Self::new(who) }
    }
}

/// Wrappers in wrappers that are opened.
const MAX_DEPTH: u8 = 10;

/// Finds messages.
pub struct Hear<'s> {
    /// Where a value stands in the file.
    place: &'s dyn Fn(Val<'_>) -> Span,
    pub out: Vec<Msg>,
}

/// Keys of wrappers, in the order in which they are tried.
const WRAPPERS: [&str; 19] = [
    "messages",
    "input_messages",
    "output_messages",
    "contents",
    "choices",
    "generations",
    "candidates",
    "update",
    "new_messages",
    "message",
    "chat_history",
    "prompts",
    "output",
    "response",
    "input",
    "prompt",
    "content",
    "text",
    "query",
];

/// The messages of a value: `who` speaks where no role is said.
pub fn messages(val: Val<'_>, who: Speaker, place: &dyn Fn(Val<'_>) -> Span) -> Vec<Msg> {
    let mut hear = Hear { place, out: Vec::new() };
    hear.any(val, who, 0);
    hear.out
}

/// The messages of a text, which may be JSON. Every part stands at `span`.
pub fn messages_in(text: &str, who: Speaker, span: &Span) -> Vec<Msg> {
    let mut hear = Hear { place: &|_| span.clone(), out: Vec::new() };
    hear.string(text, who, span.clone(), 0);
    hear.out
}

/// Opens a JSON text. `None` when it is none.
pub fn with_json<R>(text: &str, look: impl FnOnce(Val<'_>) -> R) -> Option<R> {
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return None;
    }
    let mut tape = Tape::new();
    tape.parse(text);
    if tape.is_broken() {
        return None;
    }
    Some(look(tape.doc(text).root()))
}

/// The role behind LangChain's type or class name, or a role as it stands.
fn role_of(val: Val<'_>) -> Option<String> {
    if let Some(role) = val.str("role").filter(|r| !r.is_empty()) {
        return Some(role.into_owned());
    }
    let kind = val.str("type").or_else(|| val.str("kind"))?;
    let known = ["human", "ai", "AIMessageChunk", "tool", "system", "function", "chat", "developer"];
    let held = val.has("content") || val.has("data");
    (held && (known.contains(&kind.as_ref()) || kind.ends_with("Message") && val.has("content"))).then(|| short(&kind))
}

/// `AIMessageChunk` as `ai`.
fn short(class: &str) -> String {
    class.trim_end_matches("Chunk").trim_end_matches("Message").to_ascii_lowercase()
}

/// Kinds of parts that are a message of their own in the Responses API.
fn is_item(val: Val<'_>) -> bool {
    !val.has("role")
        && val.str("type").is_some_and(|t| {
            t.ends_with("_call") || t.ends_with("_call_output") || (t == "reasoning" && val.has("summary"))
        })
}

fn is_part(val: Val<'_>) -> bool {
    // A generation repeats the text of its message.
    if val.get("message").is_some_and(Val::is_object) {
        return false;
    }
    part_text(val).is_some()
        || media(val).is_some()
        || blob(val).is_some()
        || val.has("functionCall")
        || val.has("toolCallId")
        || val.str("type").is_some_and(|t| kind_of(&t) != Kind::Other)
}

impl<'s> Hear<'s> {
    pub fn at(place: &'s dyn Fn(Val<'_>) -> Span) -> Self {
        Hear { place, out: Vec::new() }
    }

    fn any(&mut self, val: Val<'_>, who: Speaker, depth: u8) {
        if depth > MAX_DEPTH || val.is_null() {
            return;
        }
        if let Some(text) = val.as_str() {
            let span = (self.place)(val);
            return self.string(&text, who, span, depth);
        }
        if val.is_array() {
            return self.list(val, who, depth);
        }
        if !val.is_object() {
            return;
        }
        // LangChain's `dumps`.
        if let Some(kwargs) = val.get("kwargs").filter(|_| val.has("lc")) {
            let class = val.get("id").and_then(|id| id.items().last()).and_then(Val::as_str).unwrap_or_default();
            if class.contains("Message") {
                self.message(kwargs, &short(&class));
            } else {
                self.any(kwargs, who, depth + 1);
            }
            return;
        }
        if let Some(role) = role_of(val) {
            let inner = val.get("data").filter(|d| d.is_object() && !val.has("content")).unwrap_or(val);
            let inner = val.get("message").filter(|m| m.is_object() && !val.has("content")).unwrap_or(inner);
            return self.message(inner, &role);
        }
        if val.str("kind").is_some_and(|k| k == "request" || k == "response") && val.has("parts") {
            return self.pydantic(val);
        }
        if is_item(val) {
            let mut msg = Msg::new(if val.str("type").is_some_and(|t| t.ends_with("_output")) {
                Speaker::Tool
            } else {
                Speaker::Agent
            });
            self.part(val, &mut msg);
            self.out.push(msg);
            return;
        }
        let system = ["system", "instructions", "systemInstruction", "system_instruction"];
        if let Some(system) = system.iter().find_map(|k| val.some(k)).filter(|_| WRAPPERS.iter().any(|k| val.has(k))) {
            self.any(system, Speaker::System, depth + 1);
        }
        // Gemini's content without a role.
        if let Some(parts) = val.get("parts").filter(|p| p.is_array()) {
            return self.list(parts, who, depth + 1);
        }
        if is_part(val) {
            let mut msg = Msg::new(who);
            self.part(val, &mut msg);
            self.out.push(msg);
            return;
        }
        for key in WRAPPERS {
            if let Some(inner) = val.some(key).filter(|v| !v.is_empty() || v.is_string()) {
                let before = self.out.len();
                let model = matches!(key, "choices" | "generations" | "candidates" | "output");
                self.any(inner, if model { Speaker::Agent } else { who }, depth + 1);
                if self.out.len() > before {
                    self.answer_of(val, before);
                    return;
                }
            }
        }
    }

    /// Usage and model stand beside the wrapped answer.
    fn answer_of(&mut self, val: Val<'_>, from: usize) {
        let usage = ["usage", "usage_metadata", "usageMetadata"].iter().find_map(|k| val.some(k)).map(usage_in);
        let model = ["model", "modelVersion", "model_version"].iter().find_map(|k| val.str(k));
        if let Some(msg) = self.out.iter_mut().skip(from).rev().find(|m| m.who == Speaker::Agent) {
            if let Some(usage) = usage.filter(|_| msg.usage == Usage::default()) {
                msg.usage = usage;
            }
            if let (None, Some(model)) = (&msg.model, model) {
                msg.model = Some(model.as_ref().into());
            }
        }
    }

    fn string(&mut self, text: &str, who: Speaker, span: Span, depth: u8) {
        if text.trim().is_empty() {
            return;
        }
        if depth <= MAX_DEPTH && text.trim_start().starts_with(['{', '[', '"']) {
            let inner = with_json(text, |root| {
                let mut hear = Hear { place: &|_| span.clone(), out: Vec::new() };
                hear.any(root, who, depth + 1);
                hear.out
            });
            if let Some(inner) = inner.filter(|i| !i.is_empty()) {
                self.out.extend(inner);
                return;
            }
        }
        self.out.extend(transcript(text, &span).unwrap_or_else(|| vec![Msg::text(who, text, span)]));
    }

    fn list(&mut self, list: Val<'_>, who: Speaker, depth: u8) {
        // `["user", "hello"]`
        if list.len() == 2
            && let (Some(role), Some(said)) = (list.items().next().and_then(Val::as_str), list.items().nth(1))
            && speaker(&role) != Speaker::Named
            && said.is_string()
        {
            self.out.push(Msg::text(speaker(&role), &said.text(), (self.place)(said)));
            return;
        }
        let mut loose = Msg::new(who);
        for item in list.items() {
            if item.is_string() && !loose.parts.iter().any(|p| !matches!(p.said, Said::Text(_))) {
                let span = (self.place)(item);
                self.string(&item.text(), who, span, depth);
                continue;
            }
            let own = item.is_array()
                || role_of(item).is_some()
                || is_item(item)
                || item.has("lc")
                || (item.has("parts") && item.has("kind"));
            if !own && (item.is_string() || is_part(item)) {
                self.part(item, &mut loose);
                continue;
            }
            if !loose.parts.is_empty() {
                self.out.push(std::mem::replace(&mut loose, Msg::new(who)));
            }
            self.any(item, who, depth + 1);
        }
        if !loose.parts.is_empty() {
            self.out.push(loose);
        }
    }

    /// A message whose role is known.
    pub fn message(&mut self, val: Val<'_>, role: &str) {
        let role = if role == "toolResult" { "tool" } else { role };
        let mut who = speaker(role);
        // A chat message of LangChain names its role inside.
        if role == "chat" {
            who = Speaker::Agent;
        }
        let mut msg = Msg::new(who);
        msg.at = moment_of(val);
        msg.id = val.str("id").filter(|i| !i.is_empty()).map(|i| i.as_ref().into());
        let named = val.str("name").or_else(|| val.str("source")).filter(|n| !n.is_empty());
        msg.name = named.map(|n| n.as_ref().into());
        if who == Speaker::Named {
            msg.name = Some(role.into());
        }
        let meta = val.some("response_metadata");
        let inner = meta.and_then(|m| m.str("model_name").or_else(|| m.str("model")));
        let info = val.path(&["modelInfo", "id"]).and_then(Val::as_str);
        msg.model = val.str("model").or(inner).or(info).map(|m| m.as_ref().into());
        let usage = ["usage_metadata", "usage", "token_usage", "models_usage", "metrics"];
        let usage = usage.iter().find_map(|k| val.some(k)).or_else(|| meta.and_then(|m| m.some("token_usage")));
        msg.usage = usage.map(usage_in).unwrap_or_default();
        let span = (self.place)(val);
        let extra = val.some("additional_kwargs");
        if let Some(thought) = reasoning(val).or_else(|| extra.and_then(reasoning)) {
            msg.parts.push(Part { said: Said::Thought(thought), span: span.clone() });
        }
        let said = ["content", "contents", "parts", "text", "message"].iter().find_map(|k| val.some(k));
        let list = |v: Val<'_>| v.is_array() && !v.is_empty();
        let calls = val.some("tool_calls").filter(|c| list(*c));
        let calls = calls.or_else(|| extra.and_then(|e| e.some("tool_calls")).filter(|c| list(*c)));
        if who == Speaker::Tool && said.is_some_and(|s| s.is_string() && self.calls_in(s, &mut msg)) {
            msg.who = Speaker::Agent;
        } else if who == Speaker::Tool {
            self.result_message(val, said, span, &mut msg);
        } else {
            match said {
                // Koog writes the calls as JSON into the text.
                Some(said) if who == Speaker::Agent && said.is_string() && self.calls_in(said, &mut msg) => {}
                Some(said) => self.parts(said, &mut msg),
                None => {}
            }
            let held: Vec<Box<str>> = msg.parts.iter().filter_map(|p| call_id(&p.said)).map(Into::into).collect();
            let invalid = val.some("invalid_tool_calls").into_iter().flat_map(Val::items);
            for call in calls.into_iter().flat_map(Val::items).chain(invalid).filter(|c| c.is_object()) {
                let call = call.get("tool_call").filter(|c| c.is_object()).unwrap_or(call);
                let (id, tool, args) = call_of(call);
                // The blocks of the content may hold the same calls.
                if id.as_deref().is_some_and(|id| held.iter().any(|h| **h == *id)) {
                    continue;
                }
                let said = Said::Call { id: id.map(Into::into), tool: tool.into(), args, done: None };
                msg.parts.push(Part { said, span: (self.place)(call) });
            }
            let legacy = val.some("function_call").or_else(|| extra.and_then(|e| e.some("function_call")));
            if let (None, Some(call)) = (calls, legacy.filter(|c| c.is_object())) {
                let (id, tool, args) = call_of(call);
                let said = Said::Call { id: id.map(Into::into), tool: tool.into(), args, done: None };
                msg.parts.push(Part { said, span: (self.place)(call) });
            }
            if let Some(refusal) = val.str("refusal").filter(|r| !r.is_empty()) {
                msg.parts.push(Part { said: Said::Text(Content::text(refusal.as_ref())), span });
            }
        }
        self.out.push(msg);
    }

    /// Takes a text that is nothing but a list of calls; false when it is something else.
    fn calls_in(&mut self, said: Val<'_>, msg: &mut Msg) -> bool {
        let text = said.text();
        let span = (self.place)(said);
        let read = |list: Val<'_>| {
            let all =
                list.is_array() && !list.is_empty() && list.items().all(|c| c.path(&["function", "name"]).is_some());
            let calls = list.items().filter(|_| all).map(call_of);
            calls
                .map(|(id, tool, args)| Said::Call { id: id.map(Into::into), tool: tool.into(), args, done: None })
                .collect()
        };
        let found: Vec<Said> = with_json(&text, read).unwrap_or_default();
        let any = !found.is_empty();
        msg.parts.extend(found.into_iter().map(|said| Part { said, span: span.clone() }));
        any
    }

    fn result_message(&mut self, val: Val<'_>, said: Option<Val<'_>>, span: Span, msg: &mut Msg) {
        if let Some(said) = said.filter(|s| s.is_array() && s.items().any(|p| part_kind(p) == Kind::Result)) {
            return self.parts(said, msg);
        }
        let (mut content, inner) = said.map(answer).unwrap_or_default();
        if let (true, Some(error)) = (content.is_empty(), val.some("error").filter(|e| !e.is_empty())) {
            content = Content::text(error.get("message").unwrap_or(error).text());
        }
        let id = id_of(val).or_else(|| val.str("id").filter(|_| val.has("requestor")).map(|i| i.as_ref().into()));
        let tool = tool_of(val).filter(|t| !t.is_empty()).map(Into::into);
        let status = said_status(val, inner, &content.text);
        msg.parts.push(Part { said: Said::Result { id, tool, content, status }, span });
    }

    /// Pydantic-AI keeps system prompt, question and results in one request.
    fn pydantic(&mut self, val: Val<'_>) {
        let answers = val.get("kind").is_some_and(|k| k.is("response"));
        let mut msg = Msg::new(Speaker::Agent);
        msg.at = moment_of(val);
        msg.model = val.str("model_name").map(|m| m.as_ref().into());
        msg.usage = val.some("usage").map(usage_in).unwrap_or_default();
        if let Some(text) = val.str("instructions").filter(|t| !t.is_empty()) {
            self.out.push(Msg::text(Speaker::System, &text, (self.place)(val)));
        }
        for part in val.get("parts").into_iter().flat_map(Val::items) {
            let kind = part.str("part_kind").unwrap_or_default();
            let who = match kind.as_ref() {
                _ if answers => Speaker::Agent,
                "system-prompt" => Speaker::System,
                "user-prompt" => Speaker::Person,
                "retry-prompt" if !part.has("tool_name") || part.get("tool_name").is_some_and(Val::is_null) => {
                    Speaker::Person
                }
                _ => Speaker::Tool,
            };
            let mut one = Msg { at: moment_of(part).or(msg.at), ..Msg::new(who) };
            let target = if answers { &mut msg } else { &mut one };
            if matches!(who, Speaker::System | Speaker::Person) {
                if let Some(said) = part.some("content") {
                    self.parts(said, target);
                }
            } else {
                self.part(part, target);
            }
            if !answers {
                self.out.push(one);
            }
        }
        if answers {
            self.out.push(msg);
        }
    }

    /// The parts of a body: a text, a list, one part.
    pub fn parts(&mut self, said: Val<'_>, msg: &mut Msg) {
        if said.is_array() {
            for part in said.items() {
                self.part(part, msg);
            }
        } else if !said.is_null() {
            self.part(said, msg);
        }
    }

    /// One part, by its kind.
    pub fn part(&mut self, part: Val<'_>, msg: &mut Msg) {
        let span = (self.place)(part);
        let pydantic =
            || part.get("part_kind").is_some_and(|k| k.is("text")).then(|| part.str("content").map(|c| c.into_owned()));
        let plain = part_text(part).filter(|_| part.bool("thought") != Some(true)).or_else(|| pydantic().flatten());
        if let Some(text) = plain {
            return match msg.parts.last_mut() {
                Some(Part { said: Said::Text(last), .. }) if !text.is_empty() => {
                    last.text = if last.text.is_empty() { text } else { format!("{}\n{text}", last.text) }.into();
                }
                _ => msg.parts.push(Part { said: Said::Text(Content::text(text)), span }),
            };
        }
        if let Some(medium) = media(part).or_else(|| blob(part)) {
            return match msg.parts.last_mut() {
                Some(Part { said: Said::Text(last), .. }) => last.media.push(medium),
                _ => {
                    let content = Content { media: vec![medium], ..Content::default() };
                    msg.parts.push(Part { said: Said::Text(content), span });
                }
            };
        }
        for said in said_of(part) {
            msg.parts.push(Part { said, span: span.clone() });
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Thought,
    Call,
    Result,
    Other,
}

/// What a kind's name says.
fn kind_of(name: &str) -> Kind {
    match name {
        "thinking" | "redacted_thinking" | "reasoning" | "thought" => Kind::Thought,
        "retry-prompt"
        | "tool-return"
        | "toolResponse"
        | "tool_call_response"
        | "tool-result"
        | "toolResult"
        | "function_response"
        | "code_execution_result" => Kind::Result,
        "toolRequest" | "toolCall" | "tool-call" | "tool_call" | "builtin-tool-call" | "function" => Kind::Call,
        _ if name.ends_with("TextReasoningContent") => Kind::Thought,
        _ if name.ends_with("tool_result") || name.ends_with("_output") || name.ends_with("tool-return") => {
            Kind::Result
        }
        _ if name.ends_with("tool_use") || name.ends_with("_call") => Kind::Call,
        _ => Kind::Other,
    }
}

fn part_kind(part: Val<'_>) -> Kind {
    if part.has("functionCall") || part.get("function_call").is_some_and(Val::is_object) || part.has("executableCode") {
        return Kind::Call;
    }
    if part.has("functionResponse") || part.has("function_response") || part.has("codeExecutionResult") {
        return Kind::Result;
    }
    if part.bool("thought") == Some(true) {
        return Kind::Thought;
    }
    match part.str("type").or_else(|| part.str("part_kind")) {
        Some(kind) => kind_of(&kind),
        None if part.has("toolCallId") && part.has("toolName") => {
            if part.has("output") || part.has("result") {
                Kind::Result
            } else {
                Kind::Call
            }
        }
        None => Kind::Other,
    }
}

/// The id of a part that is a call.
fn call_id(said: &Said) -> Option<&str> {
    match said {
        Said::Call { id, .. } => id.as_deref(),
        _ => None,
    }
}

fn id_of(part: Val<'_>) -> Option<Box<str>> {
    const IDS: [&str; 6] = ["call_id", "tool_call_id", "tool_use_id", "toolCallId", "callId", "callID"];
    IDS.iter().find_map(|k| part.str(k)).filter(|i| !i.is_empty()).map(|i| i.as_ref().into())
}

fn tool_of(part: Val<'_>) -> Option<String> {
    let name = ["name", "toolName", "tool_name", "function"].iter().find_map(|k| part.str(k));
    name.or_else(|| part.path(&["function", "name"]).and_then(Val::as_str)).map(|n| n.into_owned())
}

fn args_of(part: Val<'_>) -> Args {
    const NAMES: [&str; 8] = ["arguments", "args", "input", "parameters", "action", "code", "queries", "rawInput"];
    let inner = part.some("function").filter(|f| f.is_object()).unwrap_or(part);
    match NAMES.iter().find_map(|k| inner.some(k)) {
        Some(given)
            if given.is_string()
                && (inner.has("code") || part.get("type").is_some_and(|t| t.is("custom_tool_call"))) =>
        {
            text_args(&given.text())
        }
        Some(given) if given.is_string() => string_args(&given.text()),
        Some(given) => json_args(given.raw()),
        None => json_args("{}"),
    }
}

/// What a part that is neither text nor medium says; a call that holds its own result says two things.
fn said_of(part: Val<'_>) -> Vec<Said> {
    let kind = part.str("type").or_else(|| part.str("part_kind")).unwrap_or_default();
    let other = || vec![Said::Other(kind.as_ref().into(), cut(part.raw(), 20_000).into())];
    match part_kind(part) {
        Kind::Thought => {
            const NAMES: [&str; 7] = ["thinking", "text", "content", "value", "summary", "reasoning", "data"];
            let said = NAMES.iter().find_map(|k| part.some(k).filter(|v| !v.is_empty()));
            let said = said.filter(|_| !kind.starts_with("redacted"));
            vec![Said::Thought(said.map(|v| content(v, &mut |_| {}).text.into_string()).unwrap_or_default())]
        }
        Kind::Call => {
            let inner = ["functionCall", "function_call", "executableCode", "toolCall"];
            let inner = inner.iter().find_map(|k| part.some(k)).filter(|v| v.is_object());
            // Goose wraps the call once more, with a status.
            let inner = inner.and_then(|i| i.some("value").filter(|v| v.is_object())).or(inner).unwrap_or(part);
            // LLaMA-Factory keeps the call as JSON text.
            if let Some(text) = part.str("value") {
                let read = |v: Val<'_>| (tool_of(v).unwrap_or_default(), args_of(v));
                let Some((tool, args)) = with_json(&text, read) else { return other() };
                return vec![Said::Call { id: None, tool: tool.into(), args, done: None }];
            }
            let id = id_of(inner).or_else(|| inner.str("id").or_else(|| part.str("id")).map(|i| i.as_ref().into()));
            let hosted = kind.ends_with("_call") && !matches!(kind.as_ref(), "function_call" | "tool_call");
            let tool = tool_of(inner).unwrap_or_else(|| match kind.strip_suffix("_call") {
                Some(name) if hosted => name.to_owned(),
                _ if part.has("executableCode") => "code_execution".into(),
                _ => String::new(),
            });
            let failed = part.some("error").is_some() || part.get("status").is_some_and(|s| s.is("failed"));
            let finished = part.get("status").is_some_and(|s| s.is("completed"));
            let done = match (hosted, failed, finished) {
                (true, true, _) => Some(CallStatus::Error),
                (true, _, true)
                    if !kind.starts_with("custom") && !kind.ends_with("shell_call") && kind != "computer_call" =>
                {
                    Some(CallStatus::Ok)
                }
                _ => None,
            };
            let mut out = vec![Said::Call { id: id.clone(), tool: tool.as_str().into(), args: args_of(inner), done }];
            if let Some(own) = ["output", "outputs", "results"].iter().find_map(|k| part.some(k)).filter(|_| hosted) {
                let (content, _) = answer(own);
                let status = if failed { CallStatus::Error } else { CallStatus::Ok };
                out.push(Said::Result { id, tool: Some(tool.into()), content, status });
            }
            out
        }
        Kind::Result => {
            let inner = ["functionResponse", "function_response", "codeExecutionResult", "toolResult"];
            let inner = inner.iter().find_map(|k| part.some(k)).filter(|v| v.is_object()).unwrap_or(part);
            let id = id_of(inner).or_else(|| id_of(part)).or_else(|| {
                inner.str("id").or_else(|| part.str("id")).filter(|i| !i.is_empty()).map(|i| i.as_ref().into())
            });
            const NAMES: [&str; 8] = ["content", "output", "result", "response", "value", "error", "outcome", "tools"];
            let said = NAMES.iter().find_map(|k| inner.some(k));
            let (content, inner_status) = said.map(answer).unwrap_or_default();
            let status = match kind.as_ref() {
                "retry-prompt" => CallStatus::Error,
                // Anthropic's flag is left out when all went well.
                "tool_result" if !part.has("is_error") && inner_status != CallStatus::Error => CallStatus::Ok,
                _ => said_status(inner, inner_status, &content.text),
            };
            vec![Said::Result { id, tool: tool_of(inner).map(Into::into), content, status }]
        }
        Kind::Other => other(),
    }
}

/// How a result ended, by its own flags, by those of its content, or by what its text says.
fn said_status(val: Val<'_>, inner: CallStatus, text: &str) -> CallStatus {
    let flag = val.bool("is_error").or_else(|| val.bool("isError")).or_else(|| val.bool("success").map(|s| !s));
    let word = val.str("status").or_else(|| val.str("outcome"));
    let error = val.some("error").is_some_and(|e| e.as_bool().unwrap_or(!e.is_empty()) || e.is_object());
    match (flag, word.as_deref()) {
        (Some(true), _) | (_, Some("error" | "failed" | "failure")) => CallStatus::Error,
        _ if error || inner == CallStatus::Error => CallStatus::Error,
        (Some(false), _) | (_, Some("success" | "completed")) => CallStatus::Ok,
        _ if inner != CallStatus::Unknown => inner,
        _ => told_status(text).0,
    }
}

/// The content of a result: text, parts, or an object that wraps one of them.
pub fn answer(val: Val<'_>) -> (Content, CallStatus) {
    if val.is_object() {
        if let Some(inner) = val.get("kwargs").filter(|_| val.has("lc")) {
            return answer(inner);
        }
        if let Some(inner) = val.get("response").filter(|_| val.has("name")) {
            return answer(inner);
        }
        let flag = val.bool("isError").or_else(|| val.bool("is_error"));
        let mut status = flag.map_or(CallStatus::Unknown, |e| if e { CallStatus::Error } else { CallStatus::Ok });
        let kind = val.str("type").unwrap_or_default();
        if kind.starts_with("error") || kind.ends_with("_error") {
            status = CallStatus::Error;
        }
        let only =
            |key: &str| val.some(key).filter(|_| val.len() <= 2 || val.has("isError") || val.has("tool_call_id"));
        if let Some(error) = only("error").filter(|e| !e.is_empty()) {
            return (Content::text(error.get("message").unwrap_or(error).text()), CallStatus::Error);
        }
        for key in ["output", "result", "content", "value"] {
            if let Some(inner) = only(key) {
                let mut found = plain(inner);
                if let (true, Some(output)) = (inner.is_object() && inner.has("content"), inner.some("content")) {
                    found = plain(output);
                }
                return (
                    found,
                    if val.get("status").is_some_and(|s| s.is("error")) { CallStatus::Error } else { status },
                );
            }
        }
        return (plain(val), status);
    }
    if val.is_array() {
        // Goose and MCP repeat a text for every audience.
        let meant = |p: &Val<'_>| {
            p.path(&["annotations", "audience"]).is_none_or(|a| a.is_empty() || a.items().any(|w| w.is("assistant")))
        };
        if val.items().any(|p| p.has("annotations")) {
            let texts: Vec<String> = val.items().filter(meant).filter_map(part_text).collect();
            return (Content::text(texts.join("\n")), CallStatus::Unknown);
        }
    }
    // JSON in a string, as some write it down.
    (plain(val), CallStatus::Unknown)
}

/// Text and media; everything else as its source.
fn plain(val: Val<'_>) -> Content {
    if val.is_object() && part_text(val).is_none() && media(val).is_none() {
        return Content::text(val.raw());
    }
    if !val.is_array() && !val.is_object() {
        return if val.is_null() { Content::default() } else { Content::text(val.text()) };
    }
    let mut other = String::new();
    let mut found = content(val, &mut |part| {
        other.push_str(part.raw());
        other.push('\n');
    });
    if !other.is_empty() {
        found.text = if found.text.is_empty() { val.raw().into() } else { format!("{}\n{other}", found.text).into() };
    }
    found
}

/// Gemini's and OpenTelemetry's media.
fn blob(part: Val<'_>) -> Option<crate::model::Media> {
    let inner = part.get("inlineData").or_else(|| part.get("inline_data")).filter(|v| v.is_object());
    let kind = part.str("type").or_else(|| part.str("kind")).unwrap_or_default();
    if let (Some(kind), Some(url)) = (kind.strip_suffix("-url"), part.str("url")) {
        return Some(super::part::from_url(&url, kind));
    }
    let otel = Some(part).filter(|_| matches!(kind.as_ref(), "blob" | "uri" | "binary"));
    let found = inner.or(otel).or_else(|| part.get("fileData"))?;
    let mime = ["mimeType", "mime_type", "media_type"].iter().find_map(|k| found.str(k)).unwrap_or("*/*".into());
    let text = |keys: &[&str]| keys.iter().find_map(|k| found.str(k)).map(|d| d.as_ref().into());
    Some(crate::model::Media {
        mime: mime.into_owned(),
        data: text(&["data", "content"]),
        reference: text(&["uri", "fileUri"]),
    })
}

/// `System: …` and `Human: …` one after another, as tracers flatten a prompt. What model and tools said stands in
/// spans of its own, so only the two are taken.
fn transcript(text: &str, span: &Span) -> Option<Vec<Msg>> {
    let head = |line: &str| -> Option<(Speaker, usize)> {
        let (role, _) = line.split_once(": ")?;
        let known = ROLES.contains(&role) || matches!(role, "System" | "Human" | "AI" | "Tool" | "Assistant" | "User");
        known.then(|| (speaker(role), role.len() + 2))
    };
    head(text)?;
    let mut out: Vec<(Speaker, String)> = Vec::new();
    for line in text.split('\n') {
        match (head(line), out.last_mut()) {
            (Some((who, skip)), _) => out.push((who, line.get(skip..).unwrap_or_default().to_owned())),
            (None, Some((_, said))) => {
                said.push('\n');
                said.push_str(line);
            }
            (None, None) => {}
        }
    }
    out.retain(|(who, _)| matches!(who, Speaker::System | Speaker::Person));
    Some(out.into_iter().map(|(who, said)| Msg::text(who, &said, span.clone())).collect())
}

/// Puts a message into a run; returns the turn when the model spoke.
pub fn tell(run: &mut RunBuilder, msg: Msg, draft: &Draft) -> Option<TurnId> {
    let mut draft = draft.clone();
    draft.at = msg.at.or(draft.at);
    let spoke = matches!(msg.who, Speaker::Agent | Speaker::Named | Speaker::Call);
    if spoke {
        let turn = *draft.turn.get_or_insert_with(|| run.new_turn(draft.lane));
        if let Some(t) = run.run.turns.get_mut(turn as usize).filter(|t| t.id.is_none()) {
            t.id = msg.id;
        }
        if let Some(model) = &msg.model {
            run.model(turn, model);
        }
        if msg.usage != Usage::default() {
            run.usage(turn, msg.usage);
        }
        draft.name = msg.name.or(draft.name);
    } else {
        draft.turn = None;
    }
    for part in msg.parts {
        tell_part(run, msg.who, part, &draft);
    }
    draft.turn
}

/// Puts one part into a run; returns its step, if it made one.
pub fn tell_part(run: &mut RunBuilder, who: Speaker, part: Part, draft: &Draft) -> Option<usize> {
    let draft = Draft { span: part.span, ..draft.clone() };
    match part.said {
        Said::Text(content) => {
            if content.is_empty() {
                return None;
            }
            let kind = match who {
                Speaker::System => StepKind::System,
                Speaker::Person if content.media.is_empty() => voice(&content.text),
                Speaker::Person => StepKind::Person,
                Speaker::Tool => StepKind::Orphan,
                _ => StepKind::Say,
            };
            if let (StepKind::Say, Some((thought, said))) = (kind, split_think(&content.text)) {
                let at = run.say(StepKind::Thought, Content::text(thought), draft.clone());
                if said.trim().is_empty() && content.media.is_empty() {
                    return Some(at);
                }
                let rest = Content { text: said.into(), media: content.media };
                return Some(run.say(kind, rest, draft));
            }
            Some(run.say(kind, content, draft))
        }
        Said::Thought(text) => Some(run.say(StepKind::Thought, Content::text(text), draft)),
        Said::Call { id, tool, args, done } => {
            let step = run.call(id.as_deref(), &tool, args, draft);
            if let Some(status) = done {
                run.edit_call(step, |call| call.status = status);
            }
            Some(step)
        }
        Said::Result { id, tool, content, status } => {
            let observation = Observation { content, at: draft.at, span: draft.span.clone(), ..Observation::default() };
            Some(run.observe(id.as_deref(), tool.as_deref(), observation, status, Draft { name: None, ..draft }))
        }
        Said::Other(kind, raw) => {
            Some(run.say(StepKind::Raw, Content::text(raw), Draft { label: Some(kind), ..draft }))
        }
    }
}
