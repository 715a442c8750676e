//! MCP sessions: JSON-RPC messages between a client and a server, raw or each in a wrapper with time and direction.
//!
//! ```json
//! {"ts":1796046904.6,"direction":"client->server","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2}}}}
//! {"ts":1796046904.7,"direction":"server->client","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"5"}],"isError":false}}}
//! ```
//!
//! A tool fails in its result (`isError`), a call in its `error`; both are errors here. Ids count per direction. Requests
//! other than `tools/call` are calls of their method's name; notifications are notices. No model speaks. O(bytes).

use super::said::answer;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "mcp",
    label: "MCP session log",
    files: "JSON-RPC messages, raw or wrapped",
    marks: &["jsonrpc", "method", "params", "result", "direction"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn inner(val: Val<'_>) -> Option<Val<'_>> {
    let rpc = |v: &Val<'_>| v.has("jsonrpc");
    ["message", "data", "payload"].iter().find_map(|k| val.get(k).filter(rpc)).or_else(|| Some(val).filter(rpc))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    let many = sample.object().is_none() && sample.any(|v| inner(v).is_some());
    let call = |v: Val<'_>| inner(v).is_some_and(|m| m.has("method") || m.has("result"));
    if many && sample.any(call) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("jsonrpc"), "/0/jsonrpc")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if val.is_array() {
        return record.each(val, |one| each(talk, one, log));
    }
    let Some(rpc) = inner(val) else {
        return talk.unknown(record, "no jsonrpc", log);
    };
    log.understood();
    let draft = talk.draft(record, rpc);
    // Ids count per direction: an answer goes the other way.
    let from_server = val.str("direction").is_some_and(|d| d.starts_with("server") || d == "in" || d == "incoming");
    let id = rpc.some("id").map(|i| i.text().into_owned());
    let key = |asked_by_server: bool| id.as_ref().map(|id| format!("{asked_by_server}{id}"));
    match rpc.str("method") {
        Some(method) if id.is_some() => {
            let params = rpc.some("params");
            let tool = params.and_then(|p| p.str("name")).filter(|_| method == "tools/call");
            let args = match (&tool, params) {
                (Some(_), Some(p)) => p.some("arguments").map_or("{}", Val::raw),
                (None, Some(p)) => p.raw(),
                (_, None) => "{}",
            };
            if method == "initialize" {
                let client = params.and_then(|p| p.get("clientInfo"));
                talk.fact("client", client.and_then(|c| c.get("name")));
                talk.fact("protocol", params.and_then(|p| p.get("protocolVersion")));
            }
            let step = talk.run.call(id.as_deref(), tool.as_deref().unwrap_or(&method), json_args(args), draft);
            if let Some(key) = key(from_server) {
                talk.seen.insert(key, step);
            }
        }
        Some(method) => {
            let text = rpc.some("params").map_or("", Val::raw);
            talk.notice(&method, text, false, draft);
        }
        None => {
            let error = rpc.some("error");
            let result = rpc.some("result");
            if let Some(info) = result.and_then(|r| r.get("serverInfo")) {
                let name = info.str("name").unwrap_or_default();
                talk.run.run.title = format!("MCP session with {name}");
                talk.fact("server", info.get("name"));
            }
            if let Some(tools) = result.and_then(|r| r.get("tools")).filter(|t| t.is_array()) {
                talk.tools(Some(tools));
                // Requests of the protocol itself are calls here, and no tools.
                talk.run.run.skills_partial = true;
            }
            let (content, status) = match (error, result) {
                (Some(error), _) => (Content::text(error.raw()), CallStatus::Error),
                (None, Some(result)) => {
                    let (content, told) = match result.get("content") {
                        Some(content) => (answer(content).0, result.bool("isError")),
                        None => (Content::text(result.raw()), None),
                    };
                    (content, if told == Some(true) { CallStatus::Error } else { CallStatus::Ok })
                }
                (None, None) => (Content::default(), CallStatus::Unknown),
            };
            let structured = result.and_then(|r| r.some("structuredContent")).map(|s| s.raw().into());
            let observation =
                Observation { content, at: draft.at, structured, span: draft.span.clone(), ..Observation::default() };
            // Without a direction, the side that asked is the one that is known.
            let asked = [key(!from_server), key(false), key(true)].into_iter().flatten();
            let step = asked.filter_map(|k| talk.seen.remove(&k)).next();
            if let Some(step) = step {
                talk.run.answer_to(step, observation, status);
            } else {
                talk.run.observe(id.as_deref(), None, observation, status, Draft { ..draft });
            }
        }
    }
}
