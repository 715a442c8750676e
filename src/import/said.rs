//! What a part of a message says, whoever spelled it: the one table of kinds, the names of ids, tools and arguments, and
//! what the content of a result is.
//!
//! A new spelling is a word here and nothing elsewhere. O(bytes of the part).

use super::dialect::with_json;
use super::part::{content, cut, media, part_text, told_status};
use super::{json_args, string_args, text_args};
use crate::json::Val;
use crate::model::{Args, CallStatus, Content, Media};

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

/// What a part that is neither text nor medium may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Thought,
    Call,
    Result,
    Other,
}

/// What a kind's name says.
pub fn kind_of(name: &str) -> Kind {
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

/// What a part is, by its kind's name or by the keys that it has.
pub fn part_kind(part: Val<'_>) -> Kind {
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
pub fn call_id(said: &Said) -> Option<&str> {
    match said {
        Said::Call { id, .. } => id.as_deref(),
        _ => None,
    }
}

/// The id that ties call and result.
pub fn id_of(part: Val<'_>) -> Option<Box<str>> {
    const IDS: [&str; 6] = ["call_id", "tool_call_id", "tool_use_id", "toolCallId", "callId", "callID"];
    IDS.iter().find_map(|k| part.str(k)).filter(|i| !i.is_empty()).map(|i| i.as_ref().into())
}

/// The tool's name.
pub fn tool_of(part: Val<'_>) -> Option<String> {
    let name = ["name", "toolName", "tool_name", "function"].iter().find_map(|k| part.str(k));
    name.or_else(|| part.path(&["function", "name"]).and_then(Val::as_str)).map(|n| n.into_owned())
}

/// What a call was given.
pub fn args_of(part: Val<'_>) -> Args {
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
pub fn said_of(part: Val<'_>) -> Vec<Said> {
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
pub fn said_status(val: Val<'_>, inner: CallStatus, text: &str) -> CallStatus {
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
pub fn plain(val: Val<'_>) -> Content {
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
pub fn blob(part: Val<'_>) -> Option<Media> {
    let inner = part.get("inlineData").or_else(|| part.get("inline_data")).filter(|v| v.is_object());
    let kind = part.str("type").or_else(|| part.str("kind")).unwrap_or_default();
    if let (Some(kind), Some(url)) = (kind.strip_suffix("-url"), part.str("url")) {
        return Some(super::part::from_url(&url, kind));
    }
    let otel = Some(part).filter(|_| matches!(kind.as_ref(), "blob" | "uri" | "binary"));
    let found = inner.or(otel).or_else(|| part.get("fileData"))?;
    let mime = ["mimeType", "mime_type", "media_type"].iter().find_map(|k| found.str(k)).unwrap_or("*/*".into());
    let text = |keys: &[&str]| keys.iter().find_map(|k| found.str(k)).map(|d| d.as_ref().into());
    Some(Media { mime: mime.into_owned(), data: text(&["data", "content"]), reference: text(&["uri", "fileUri"]) })
}
