//! What went wrong with a request: one kind for each sentence that a person needs, told apart by status and words.
//!
//! Servers agree on little but the status; so the words are looked at in lower case, the status decides the rest.
//! Sources: the error references of the providers, and what their servers were seen to answer.

use crate::json::Tape;
use crate::share::{Policy, Redactor, survey};

/// One kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    BadKey,
    /// The key may not do this.
    Forbidden,
    /// The server does not serve this page's origin (403 from Ollama), or an organisation forbids browsers.
    Origin,
    NoModel,
    /// Nothing is at this path.
    NoPath,
    /// More bytes than the server takes.
    TooLarge,
    /// More tokens than the model's window holds.
    Context,
    Rate,
    /// No money, no plan.
    Quota,
    Overloaded,
    Server,
    /// The server does not know this way of asking for JSON.
    Format,
    /// The server does not know this name for the limit of tokens.
    LimitName,
    NoStream,
    Version,
    BadRequest,
    /// A status of success, and no JSON.
    NotJson,
    /// JSON that is no answer of this interface.
    Unknown,
    Empty,
    Refused,
    Filtered,
    /// At the limit of tokens.
    Cut,
    /// The connection ended before the answer did.
    Broken,
    /// No answer that the browser gives away.
    Network,
    Timeout,
    /// The answer is longer than any judgement.
    TooBig,
    /// What came is no judgement, also after one more try.
    Misfit,
    /// The next request could cost more than the limit.
    Cap,
    /// The user stopped it.
    Stopped,
    /// The network switch is off.
    Off,
}

impl Kind {
    pub const ALL: [Kind; 30] = [
        Kind::BadKey,
        Kind::Forbidden,
        Kind::Origin,
        Kind::NoModel,
        Kind::NoPath,
        Kind::TooLarge,
        Kind::Context,
        Kind::Rate,
        Kind::Quota,
        Kind::Overloaded,
        Kind::Server,
        Kind::Format,
        Kind::LimitName,
        Kind::NoStream,
        Kind::Version,
        Kind::BadRequest,
        Kind::NotJson,
        Kind::Unknown,
        Kind::Empty,
        Kind::Refused,
        Kind::Filtered,
        Kind::Cut,
        Kind::Broken,
        Kind::Network,
        Kind::Timeout,
        Kind::TooBig,
        Kind::Misfit,
        Kind::Cap,
        Kind::Stopped,
        Kind::Off,
    ];

    /// Stable word; its sentence is `judge.failure.<word>`, what to do `judge.failure.<word>.fix`.
    pub fn id(self) -> &'static str {
        match self {
            Kind::BadKey => "bad-key",
            Kind::Forbidden => "forbidden",
            Kind::Origin => "origin",
            Kind::NoModel => "no-model",
            Kind::NoPath => "no-path",
            Kind::TooLarge => "too-large",
            Kind::Context => "context",
            Kind::Rate => "rate",
            Kind::Quota => "quota",
            Kind::Overloaded => "overloaded",
            Kind::Server => "server",
            Kind::Format => "format",
            Kind::LimitName => "limit-name",
            Kind::NoStream => "no-stream",
            Kind::Version => "version",
            Kind::BadRequest => "bad-request",
            Kind::NotJson => "not-json",
            Kind::Unknown => "unknown-answer",
            Kind::Empty => "empty",
            Kind::Refused => "refused",
            Kind::Filtered => "filtered",
            Kind::Cut => "cut",
            Kind::Broken => "broken",
            Kind::Network => "network",
            Kind::Timeout => "timeout",
            Kind::TooBig => "too-big",
            Kind::Misfit => "misfit",
            Kind::Cap => "cap",
            Kind::Stopped => "stopped",
            Kind::Off => "off",
        }
    }

    /// Times that the same request is sent at most.
    pub fn tries(self) -> u8 {
        match self {
            Kind::Rate | Kind::Overloaded | Kind::Server => 4,
            Kind::Network | Kind::Broken => 2,
            _ => 1,
        }
    }

    /// No other request of the job can go better.
    pub fn is_final(self) -> bool {
        matches!(
            self,
            Kind::BadKey
                | Kind::Forbidden
                | Kind::Origin
                | Kind::NoModel
                | Kind::NoPath
                | Kind::Quota
                | Kind::Cap
                | Kind::Stopped
                | Kind::Off
        )
    }
}

/// A failure with the server's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    pub status: Option<u16>,
    /// At most 300 characters of what the server said, without anything that looks like a key.
    pub detail: String,
}

impl Failure {
    pub fn new(kind: Kind, status: Option<u16>, detail: &str) -> Self {
        Self { kind, status, detail: clean(detail) }
    }
}

/// Some servers repeat the key in their complaint.
fn clean(text: &str) -> String {
    let head: String = text.chars().take(2_000).collect();
    let secrets = survey(std::iter::once((0, head.as_str())), &Policy::default());
    crate::format::one_line(&Redactor::new(&secrets).text(&head), 299)
}

/// The words of an error answer: its message where it has one, else its text.
fn message(body: &str) -> String {
    let mut tape = Tape::new();
    tape.load(body);
    if tape.is_broken() {
        return body.to_owned();
    }
    let root = tape.doc(body).root();
    // Gemini's compatible interface wraps its errors in a list.
    let root = if root.is_array() { root.items().next().unwrap_or(root) } else { root };
    let error = root.some("error").or_else(|| root.path(&["response", "error"])).unwrap_or(root);
    let part = |key: &str| error.str(key).map(|s| s.into_owned()).unwrap_or_default();
    if let Some(text) = error.as_str() {
        return text.into_owned();
    }
    let words = [part("message"), part("detail"), part("code"), part("type"), part("status"), part("param")];
    let said: Vec<String> = words.into_iter().filter(|w| !w.is_empty()).collect();
    if said.is_empty() { body.to_owned() } else { said.join(" · ") }
}

/// The failure behind a status that is no success.
pub fn of_status(status: u16, body: &str) -> Failure {
    let said = message(body);
    let low = said.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| low.contains(w));
    let about_format = || {
        has(&[
            "response_format",
            "json_schema",
            "json_object",
            "output_config",
            "responsejsonschema",
            "responseschema",
            "response schema",
            "response mime",
            "structured output",
            "text.format",
            "grammar",
            "guided",
        ])
    };
    let kind = match status {
        401 => Kind::BadKey,
        403 if has(&["cors", "origin", "browser"]) || body.trim().is_empty() => Kind::Origin,
        403 if has(&["api key", "api_key", "invalid key", "authentication"]) => Kind::BadKey,
        403 => Kind::Forbidden,
        402 => Kind::Quota,
        404 | 400 if has(&["model"]) && has(&["not found", "not exist", "not_found", "unknown", "no such", "pull"]) => {
            Kind::NoModel
        }
        404 | 405 => Kind::NoPath,
        413 => Kind::TooLarge,
        429 if has(&["insufficient_quota", "quota", "billing", "credit"]) && !has(&["per minute", "per day"]) => {
            Kind::Quota
        }
        429 => Kind::Rate,
        503 | 529 => Kind::Overloaded,
        500 if about_format() => Kind::Format,
        408 | 409 | 425 | 500..=599 => Kind::Server,
        // Anthropic's and Gemini's way of saying that the key is none.
        400 if has(&["api key not valid", "api_key_invalid", "invalid x-api-key", "invalid api key"]) => Kind::BadKey,
        400 if has(&["credit balance", "billing"]) => Kind::Quota,
        400 | 422
            if has(&[
                "context length",
                "context_length",
                "context window",
                "maximum context",
                "prompt is too long",
            ]) || has(&["exceed"]) && has(&["context", "input token", "n_ctx"]) =>
        {
            Kind::Context
        }
        400 | 422 if about_format() => Kind::Format,
        400 | 422 if has(&["max_completion_tokens", "max_tokens"]) => Kind::LimitName,
        400 | 422 if has(&["stream"]) => Kind::NoStream,
        400 | 422 if has(&["anthropic-version", "version header"]) => Kind::Version,
        _ => Kind::BadRequest,
    };
    Failure::new(kind, Some(status), &said)
}
