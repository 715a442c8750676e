//! Five interfaces of models: what a request looks like, what an answer says. Values in, values out.
//!
//! Keys are not here: a request names the header that carries one, and whoever sends it puts it there. So nothing that
//! is made from these values (previews, exports, errors) can hold a key.
//! Sources: the providers' published interface definitions; each file names its own.

mod anthropic;
mod failure;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
mod stream;

use serde_json::{Value, json};

use crate::json::{Tape, Val};

pub use failure::{Failure, Kind};

/// An interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Api {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Gemini,
    Ollama,
}

impl Api {
    pub const ALL: [Api; 5] = [Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini, Api::Ollama];

    /// Stable word for settings and exports.
    pub fn id(self) -> &'static str {
        match self {
            Api::OpenAiChat => "openai-chat",
            Api::OpenAiResponses => "openai-responses",
            Api::Anthropic => "anthropic",
            Api::Gemini => "gemini",
            Api::Ollama => "ollama",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|a| a.id() == id)
    }

    /// The name that people know; the same in every language.
    pub fn label(self) -> &'static str {
        match self {
            Api::OpenAiChat => "OpenAI-compatible",
            Api::OpenAiResponses => "OpenAI Responses",
            Api::Anthropic => "Anthropic Messages",
            Api::Gemini => "Gemini",
            Api::Ollama => "Ollama",
        }
    }

    /// The usual address.
    pub fn base(self) -> &'static str {
        match self {
            Api::OpenAiChat | Api::OpenAiResponses => "https://api.openai.com/v1",
            Api::Anthropic => "https://api.anthropic.com/v1",
            Api::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Api::Ollama => "http://localhost:11434",
        }
    }

    /// The header that carries the key, and what stands before the key in it.
    pub fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Api::OpenAiChat | Api::OpenAiResponses | Api::Ollama => ("authorization", "Bearer "),
            Api::Anthropic => ("x-api-key", ""),
            Api::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// The ways in which this interface is asked for JSON, the strictest first.
    fn rungs(self) -> &'static [Rung] {
        match self {
            Api::OpenAiChat => &[Rung::Schema, Rung::ObjectWithSchema, Rung::Object, Rung::Text],
            Api::Anthropic => &[Rung::Schema, Rung::Text],
            Api::OpenAiResponses | Api::Gemini | Api::Ollama => &[Rung::Schema, Rung::Object, Rung::Text],
        }
    }
}

/// Where a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    pub api: Api,
    /// Without a slash at its end.
    pub base: String,
    pub model: String,
}

/// Why an address cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBase {
    Empty,
    /// No `http://` or `https://` before it.
    Scheme,
    NoHost,
    /// A name or a password in the address would be in every log.
    Credentials,
    /// A question mark or a hash: the path of the interface could not be put behind it.
    Query,
    /// White space or control characters.
    Letters,
}

impl BadBase {
    pub fn id(self) -> &'static str {
        match self {
            BadBase::Empty => "empty",
            BadBase::Scheme => "scheme",
            BadBase::NoHost => "host",
            BadBase::Credentials => "credentials",
            BadBase::Query => "query",
            BadBase::Letters => "letters",
        }
    }
}

impl Endpoint {
    /// An endpoint from what was typed: white space around it, slashes and the interface's own path behind it go.
    pub fn new(api: Api, base: &str, model: &str) -> Result<Self, BadBase> {
        let mut base = base.trim().trim_end_matches('/');
        for tail in ["/chat/completions", "/responses", "/messages", "/api/chat", "/models"] {
            base = base.strip_suffix(tail).unwrap_or(base).trim_end_matches('/');
        }
        if base.is_empty() {
            return Err(BadBase::Empty);
        }
        if base.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(BadBase::Letters);
        }
        let lower = base.to_ascii_lowercase();
        let rest = ["https://", "http://"].iter().find(|s| lower.starts_with(**s)).and_then(|s| base.get(s.len()..));
        let Some(rest) = rest else { return Err(BadBase::Scheme) };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(BadBase::Credentials);
        }
        if base.contains(['?', '#']) {
            return Err(BadBase::Query);
        }
        if authority.is_empty() || authority.starts_with(':') || authority.contains(['\\', '<', '>', '"', '%']) {
            return Err(BadBase::NoHost);
        }
        let model = model.trim();
        let model = if api == Api::Gemini { model.strip_prefix("models/").unwrap_or(model) } else { model };
        Ok(Self { api, base: base.to_owned(), model: model.to_owned() })
    }

    /// Host and port as written in the address: what the user is told the run goes to.
    pub fn host(&self) -> &str {
        let rest = self.base.split_once("://").map_or(self.base.as_str(), |(_, rest)| rest);
        rest.split('/').next().unwrap_or_default()
    }

    pub fn is_https(&self) -> bool {
        self.base.get(..8).is_some_and(|s| s.eq_ignore_ascii_case("https://"))
    }

    /// The machine that the browser runs on.
    pub fn is_loopback(&self) -> bool {
        let host = self.host().to_ascii_lowercase();
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        name == "localhost" || name.ends_with(".localhost") || name == "::1" || is_v4(name, |a, _| a == 127)
    }

    /// The same machine, or an address of a private network.
    pub fn is_local(&self) -> bool {
        let host = self.host().to_ascii_lowercase();
        let name = host.split(':').next().unwrap_or_default();
        let private =
            |a: u8, b: u8| a == 10 || a == 192 && b == 168 || a == 172 && (16..32).contains(&b) || a == 169 && b == 254;
        self.is_loopback() || name.ends_with(".local") || is_v4(name, private)
    }
}

fn is_v4(name: &str, test: impl Fn(u8, u8) -> bool) -> bool {
    let parts: Vec<u8> = name.split('.').filter_map(|p| p.parse().ok()).collect();
    match parts.as_slice() {
        [a, b, _, _] if name.split('.').count() == 4 => test(*a, *b),
        _ => false,
    }
}

/// A way of asking for JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// The server holds the answer to the schema.
    Schema,
    /// The server is asked for an object and given the schema beside (llama.cpp's Python server).
    ObjectWithSchema,
    /// The server is asked for an object; the schema is in the prompt.
    Object,
    /// The schema is in the prompt alone.
    Text,
}

impl Rung {
    pub fn id(self) -> &'static str {
        match self {
            Rung::Schema => "schema",
            Rung::ObjectWithSchema => "object-with-schema",
            Rung::Object => "object",
            Rung::Text => "text",
        }
    }
}

/// What a server was found to understand. Begins with the newest that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    pub rung: Rung,
    /// `max_tokens` instead of `max_completion_tokens`.
    pub old_limit: bool,
    /// An older `anthropic-version`.
    pub old_version: bool,
    /// The answer comes in pieces, so that one sees that something happens.
    pub stream: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { rung: Rung::Schema, old_limit: false, old_version: false, stream: true }
    }
}

impl Dialect {
    /// What to try after this failure; `None` when another way of asking would not help.
    pub fn after(self, api: Api, failure: &Failure) -> Option<Self> {
        let down = || {
            let rungs = api.rungs();
            let at = rungs.iter().position(|r| *r == self.rung)?;
            rungs.get(at + 1).map(|rung| Self { rung: *rung, ..self })
        };
        match failure.kind {
            Kind::LimitName if api == Api::OpenAiChat && !self.old_limit => Some(Self { old_limit: true, ..self }),
            Kind::NoStream if self.stream => Some(Self { stream: false, ..self }),
            Kind::Version if api == Api::Anthropic && !self.old_version => Some(Self { old_version: true, ..self }),
            Kind::Format | Kind::BadRequest | Kind::LimitName | Kind::NoStream | Kind::Version => down(),
            _ => None,
        }
    }
}

/// What a model is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    pub system: String,
    pub user: String,
    /// The JSON Schema of the answer.
    pub schema: Value,
    /// Tokens of the answer at most, reasoning included.
    pub max_output: u32,
    /// Tokens of all that is sent, estimated high: servers that must be told how much to hold are told this.
    pub input_tokens: u64,
}

/// A request without its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    pub method: &'static str,
    pub url: String,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: String,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The connection ended before the answer did.
    #[default]
    Nowhere,
    Whole,
    /// At the limit of tokens.
    Limit,
    Refused,
    /// Held back by a filter of the provider.
    Filtered,
    /// The model's window is full.
    Window,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    pub end: End,
    /// The words of a refusal or of a filter.
    pub why: String,
    pub input: Option<u64>,
    pub output: Option<u64>,
    /// The model that answered, as the server names it.
    pub model: Option<String>,
}

/// The request for a judgement.
pub fn request(endpoint: &Endpoint, dialect: Dialect, ask: &Ask) -> Http {
    let user = match dialect.rung {
        Rung::Schema => ask.user.clone(),
        _ => format!(
            "{}\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n{}",
            ask.user, ask.schema
        ),
    };
    let (url, body) = match endpoint.api {
        Api::OpenAiChat => openai_chat::body(endpoint, dialect, ask, &user),
        Api::OpenAiResponses => openai_responses::body(endpoint, dialect, ask, &user),
        Api::Anthropic => anthropic::body(endpoint, dialect, ask, &user),
        Api::Gemini => gemini::body(endpoint, dialect, ask, &user),
        Api::Ollama => ollama::body(endpoint, dialect, ask, &user),
    };
    let mut headers = vec![("content-type", "application/json")];
    if endpoint.api == Api::Anthropic {
        headers.extend(anthropic::headers(dialect));
    }
    Http { method: "POST", url, headers, body: body.to_string() }
}

/// The smallest request that shows whether key, model and JSON work: a few tokens.
pub fn probe(endpoint: &Endpoint, dialect: Dialect) -> Http {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["ok"],
        "properties": {"ok": {"type": "string", "enum": ["yes"]}}
    });
    let ask = Ask {
        system: "Answer with JSON.".into(),
        user: "Say that you are there.".into(),
        schema,
        max_output: 200,
        input_tokens: 200,
    };
    request(endpoint, Dialect { stream: false, ..dialect }, &ask)
}

/// The request for the list of models.
pub fn models_request(endpoint: &Endpoint) -> Http {
    let path = match endpoint.api {
        Api::Ollama => "/api/tags",
        Api::Gemini => "/models?pageSize=200",
        _ => "/models",
    };
    let headers = if endpoint.api == Api::Anthropic { anthropic::headers(Dialect::default()) } else { Vec::new() };
    let base = match endpoint.api {
        Api::Anthropic => format!("{}/v1", endpoint.base.strip_suffix("/v1").unwrap_or(&endpoint.base)),
        _ => endpoint.base.clone(),
    };
    Http { method: "GET", url: format!("{base}{path}"), headers, body: String::new() }
}

/// The models of such a list, in the server's order; `None` when it is none.
pub fn models(api: Api, body: &str) -> Option<Vec<String>> {
    let mut tape = Tape::new();
    tape.load(body);
    if tape.is_broken() {
        return None;
    }
    let root = tape.doc(body).root();
    let list = root.some("data").or_else(|| root.some("models")).filter(|l| l.is_array())?;
    let name = |m: Val<'_>| m.str("id").or_else(|| m.str("name")).or_else(|| m.str("model")).map(|n| n.into_owned());
    let chats = |m: Val<'_>| match m.some("supportedGenerationMethods") {
        Some(methods) => methods.items().any(|m| m.is("generateContent")),
        None => true,
    };
    let strip = |n: String| match api {
        Api::Gemini => n.strip_prefix("models/").map_or(n.clone(), str::to_owned),
        _ => n,
    };
    Some(list.items().filter(|m| chats(*m)).filter_map(name).map(strip).take(500).collect())
}

/// What an answer says. Any bytes are allowed; `status` is that of HTTP.
pub fn read(api: Api, status: u16, body: &str) -> Result<Reply, Failure> {
    if !(200..300).contains(&status) {
        return Err(failure::of_status(status, body));
    }
    let pieces = stream::pieces(body);
    let mut reply = Reply::default();
    let mut tape = Tape::new();
    let mut understood = false;
    for piece in &pieces {
        tape.load(piece);
        if tape.is_broken() {
            // A stream may be cut inside its last piece; what came before it is still an answer that broke off.
            if understood {
                break;
            }
            return Err(Failure::new(Kind::NotJson, Some(status), body));
        }
        let root = tape.doc(piece).root();
        if let Some(error) = error_of(root) {
            let status = error.u64("code").or_else(|| error.u64("status")).and_then(|c| u16::try_from(c).ok());
            return Err(failure::of_status(status.filter(|s| *s >= 400).unwrap_or(500), piece));
        }
        understood |= match api {
            Api::OpenAiChat => openai_chat::read(root, &mut reply),
            Api::OpenAiResponses => openai_responses::read(root, &mut reply),
            Api::Anthropic => anthropic::read(root, &mut reply),
            Api::Gemini => gemini::read(root, &mut reply),
            Api::Ollama => ollama::read(root, &mut reply),
        };
    }
    if !understood {
        return Err(Failure::new(Kind::Unknown, Some(status), body));
    }
    let whole = |kind: Kind, why: &str| Err(Failure::new(kind, Some(status), why));
    match reply.end {
        End::Whole if reply.text.trim().is_empty() => whole(Kind::Empty, ""),
        End::Whole => Ok(reply),
        End::Limit => whole(Kind::Cut, &reply.text),
        End::Nowhere => whole(Kind::Broken, &reply.text),
        End::Refused => whole(Kind::Refused, if reply.why.is_empty() { &reply.text } else { &reply.why }),
        End::Filtered => whole(Kind::Filtered, &reply.why),
        End::Window => whole(Kind::Context, &reply.why),
    }
}

/// Servers report some failures with a status of success.
fn error_of(root: Val<'_>) -> Option<Val<'_>> {
    let error = root.some("error").or_else(|| root.path(&["response", "error"]).filter(|e| !e.is_null()))?;
    (error.is_object() || error.is_string()).then_some(error)
}

/// Adds what an answer says of its tokens; later pieces of a stream know better.
fn count(reply: &mut Reply, usage: Option<Val<'_>>, input: &str, output: &str) {
    let Some(usage) = usage else { return };
    reply.input = usage.u64(input).or(reply.input);
    reply.output = usage.u64(output).or(reply.output);
}
