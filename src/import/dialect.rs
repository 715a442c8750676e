//! A message in whatever dialect it is written: OpenAI, Anthropic, OpenAI Responses, OpenTelemetry parts, LangChain in
//! its four spellings, Gemini, Pydantic-AI, the AI SDK, Goose, Pi and what is near them.
//!
//! [`Hear`] finds the messages of a value, also inside JSON text and the usual wrappers (`messages`, `choices`,
//! `generations`, `candidates`, `output`), and gives [`Msg`]s: who speaks, and parts that are text, thought, call or
//! result. What a part is, is decided in one table ([`super::said`]), so that a new dialect is a new spelling and no
//! new reader. Depth is bounded by [`MAX_DEPTH`]. O(bytes).

use super::chat::{ROLES, Speaker, call_of, reasoning, speaker};
use super::part::{media, moment_of, part_text};
use super::said::{Kind, Said, answer, blob, call_id, id_of, kind_of, part_kind, said_of, said_status, tool_of};
use super::usage::usage_in;
use crate::json::{Tape, Val};
use crate::model::{Content, Span, Time, Usage};

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

    /// The parts of a body: a text, a list, one part. Texts in a row are one text, put together once.
    pub fn parts(&mut self, said: Val<'_>, msg: &mut Msg) {
        if said.is_array() {
            let mut row: Vec<String> = Vec::new();
            for part in said.items() {
                match plain(part) {
                    Some(text) if !text.is_empty() && ends_in_text(msg) => row.push(text),
                    _ => {
                        extend(msg, &mut row);
                        self.part(part, msg);
                    }
                }
            }
            extend(msg, &mut row);
        } else if !said.is_null() {
            self.part(said, msg);
        }
    }

    /// One part, by its kind.
    pub fn part(&mut self, part: Val<'_>, msg: &mut Msg) {
        let span = (self.place)(part);
        if let Some(text) = plain(part) {
            if !text.is_empty() && ends_in_text(msg) {
                return extend(msg, &mut vec![text]);
            }
            return msg.parts.push(Part { said: Said::Text(Content::text(text)), span });
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

/// The text of a part that is nothing but a text.
fn plain(part: Val<'_>) -> Option<String> {
    let text = part_text(part).filter(|_| part.bool("thought") != Some(true));
    text.or_else(|| {
        part.get("part_kind").filter(|k| k.is("text")).and_then(|_| Some(part.str("content")?.into_owned()))
    })
}

fn ends_in_text(msg: &Msg) -> bool {
    matches!(msg.parts.last(), Some(Part { said: Said::Text(_), .. }))
}

/// Puts texts behind the last one, a line each.
fn extend(msg: &mut Msg, texts: &mut Vec<String>) {
    if let (false, Some(Part { said: Said::Text(last), .. })) = (texts.is_empty(), msg.parts.last_mut()) {
        if !last.text.is_empty() {
            texts.insert(0, std::mem::take(&mut last.text).into_string());
        }
        last.text = std::mem::take(texts).join("\n").into();
    }
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
