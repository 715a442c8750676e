//! Cline, Roo Code and Kilo Code: `api_conversation_history.json`, `ui_messages.json`, and the Cline CLI's sessions.
//!
//! ```json
//! [{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"read_file","input":{}}],"ts":1760000000000}]
//! [{"ts":1760000000000,"type":"say","say":"api_req_started","text":"{\"tokensIn\":1200,\"tokensOut\":80,\"cost\":0.004}"}]
//! ```
//!
//! The history is Anthropic's messages with a time. Older versions write calls as XML into the text
//! (`<execute_command><command>ls</command></execute_command>`) and results as `[execute_command for 'ls'] Result:`.
//! The screen's messages have the costs, and calls without results; lines that were still being written are left
//! out. The input leaves the cache out. O(bytes).

use super::chat::Speaker;
use super::dialect::{Msg, messages, with_json};
use super::said::Said;
use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::{Val, quote};
use crate::model::{CallStatus, Content, CostKind, Observation, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "cline",
    label: "Cline, Roo Code",
    files: "conversation histories, screen messages, CLI sessions",
    marks: &["ts", "role", "content", "say", "ask"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_screen(val: Val<'_>) -> bool {
    val.has("ts") && val.get("type").is_some_and(|t| t.is("ask") || t.is("say")) && (val.has("ask") || val.has("say"))
}

fn is_history(val: Val<'_>) -> bool {
    val.get("ts").and_then(Val::as_f64).is_some_and(|t| t > 1e12)
        && val.get("role").is_some_and(|r| r.is("user") || r.is("assistant"))
        && val.has("content")
}

fn is_session(val: Val<'_>) -> bool {
    val.has("sessionId") && val.get("messages").is_some_and(|l| l.items().any(|m| is_history(m)))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_screen(v) || is_history(v) || is_session(v)) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsRecords("ts"), "/0/ts")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if let Some(list) = val.get("messages").filter(|_| is_session(val)) {
        talk.next();
        talk.id(val.get("sessionId"));
        return record.each(list, |one| each(talk, one, log));
    }
    if is_screen(val) {
        return screen(talk, record, log);
    }
    if !val.has("role") {
        // Roo keeps a model's reasoning as an item of its own.
        if !talk.say(record, val, Speaker::Agent, log) {
            talk.unknown(record, &val.str("type").unwrap_or("no role".into()), log);
        }
        return;
    }
    log.understood();
    let draft = talk.draft(record, val);
    if val.bool("isSummary") == Some(true) {
        let text =
            messages(val, Speaker::Person, &|v| record.span_of(v)).into_iter().flat_map(|m| m.parts).find_map(|p| {
                let Said::Text(content) = p.said else { return None };
                Some(content.text)
            });
        talk.run.say(StepKind::Compaction, Content::text(text.unwrap_or_default()), draft);
        return;
    }
    let blocks = val.get("content").filter(|c| c.is_array() && val.get("role").is_some_and(|r| r.is("user")));
    if let Some(blocks) = blocks {
        // The editor's own texts stand beside the person's, each in a block of its own.
        for block in blocks.items() {
            for msg in messages(block, Speaker::Person, &|v| record.span_of(v)) {
                parts(talk, msg, &draft);
            }
        }
        return;
    }
    for mut msg in messages(val, Speaker::Person, &|v| record.span_of(v)) {
        if let Some(cost) = val.path(&["metrics", "cost"]).and_then(Val::as_f64) {
            msg.usage.cost = Some(cost);
            msg.usage.cost_kind = CostKind::Estimated;
        }
        parts(talk, msg, &draft);
    }
}

/// Tells a message; texts that are more than text go their own way.
fn parts(talk: &mut Talk, mut msg: Msg, draft: &Draft) {
    let who = msg.who;
    let mut rest = Vec::new();
    for mut part in std::mem::take(&mut msg.parts) {
        if let (Said::Text(content), Speaker::Person) = (&mut part.said, who) {
            content.text = asked(&content.text).into();
        }
        match (&part.said, who) {
            (Said::Text(content), Speaker::Agent) if xml_call(&content.text).is_some() => rest.push(part),
            (Said::Text(content), Speaker::Person)
                if is_noise(&content.text) || xml_result(&content.text).is_some() =>
            {
                rest.push(part);
            }
            _ => msg.parts.push(part),
        }
    }
    let turn = if msg.parts.is_empty() && rest.is_empty() { None } else { talk.tell(msg, draft) };
    for part in rest {
        let Said::Text(content) = part.said else { continue };
        text_part(talk, who, &content, Draft { turn, span: part.span, ..draft.clone() });
    }
}

/// What the person wrote, without the mark around it.
fn asked(text: &str) -> &str {
    let inner =
        |mark: &str| text.trim().strip_prefix(&format!("<{mark}>"))?.strip_suffix(&format!("</{mark}>")).map(str::trim);
    ["task", "feedback", "user_message", "answer"].iter().find_map(|mark| inner(mark)).unwrap_or(text)
}

/// A text that holds a call, a result, or what the editor adds.
fn text_part(talk: &mut Talk, who: Speaker, content: &Content, draft: Draft) {
    if who == Speaker::Agent {
        if let Some((before, tool, args)) = xml_call(&content.text) {
            let (thought, said) = match before.split_once("</thinking>") {
                Some((thought, said)) => (thought.trim_start().trim_start_matches("<thinking>").trim(), said.trim()),
                None => ("", before),
            };
            talk.text(StepKind::Thought, thought, draft.clone());
            talk.text(StepKind::Say, said, draft.clone());
            talk.run.call(None, &tool, json_args(&args), draft);
        }
        return;
    }
    match xml_result(&content.text) {
        Some((tool, said)) => {
            let status = super::part::told_status(said).0;
            let observation = Observation {
                content: Content { text: said.into(), media: content.media.clone() },
                at: draft.at,
                span: draft.span.clone(),
                ..Observation::default()
            };
            talk.run.observe(None, Some(tool), observation, status, draft);
        }
        None => {
            talk.run.say(StepKind::Injected, content.clone(), draft);
        }
    }
}

fn is_noise(text: &str) -> bool {
    text.trim_start().starts_with("<environment_details>")
}

/// Tool and text of `[tool for 'x'] Result:`.
fn xml_result(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.strip_prefix('[')?.split_once("] Result:")?;
    let tool = head.split([' ', '.']).next()?;
    (!tool.is_empty() && !head.contains('\n')).then(|| (tool, rest.trim_start_matches('\n')))
}

/// The call that ends a text: `<tool><name>value</name>…</tool>`; text before it, tool, and arguments as JSON.
fn xml_call(text: &str) -> Option<(&str, String, String)> {
    let trimmed = text.trim_end();
    let (_, tool) = trimmed.strip_suffix('>')?.rsplit_once("</")?;
    if !tool.contains('_') || !tool.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
        return None;
    }
    let (before, body) = trimmed.split_once(&format!("<{tool}>"))?;
    let mut rest = body.strip_suffix(&format!("</{tool}>"))?.trim();
    let mut args = String::from("{");
    while let Some((name, inner)) = rest.strip_prefix('<').and_then(|r| r.split_once('>')) {
        let (value, after) = inner.split_once(&format!("</{name}>"))?;
        if args.len() > 1 {
            args.push(',');
        }
        args.push_str(&format!("{}:{}", quote(name), quote(value.trim_matches('\n'))));
        rest = after.trim();
    }
    args.push('}');
    rest.is_empty().then(|| (before.trim(), tool.to_owned(), args))
}

/// A message of the screen.
fn screen(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let kind = val.str("say").or_else(|| val.str("ask")).unwrap_or_default();
    if val.bool("partial") == Some(true) {
        return log.skipped("partial");
    }
    log.understood();
    let text = val.str("text").unwrap_or_default();
    let draft = Draft { turn: talk.turn, ..talk.draft(record, val) };
    let loose = Draft { turn: None, ..draft.clone() };
    let asks = val.get("type").is_some_and(|t| t.is("ask"));
    match kind.as_ref() {
        "api_req_started" => {
            let turn = talk.run.new_turn(0);
            talk.turn = Some(turn);
            if let Some(usage) = with_json(&text, usage_in) {
                talk.run.usage(turn, usage);
            }
        }
        "task" | "user_feedback" => {
            talk.tell(Msg::text(Speaker::Person, &text, loose.span.clone()), &loose);
        }
        // The first text of a task is what was asked.
        "text" if talk.run.is_empty() => {
            talk.tell(Msg::text(Speaker::Person, &text, loose.span.clone()), &loose);
        }
        "text" | "plan_mode_respond" | "followup" => {
            talk.text(StepKind::Say, &text, draft);
        }
        "completion_result" => {
            talk.text(StepKind::Say, &text, draft);
            talk.outcome(Verdict::Finished, &kind, None);
        }
        "reasoning" => {
            talk.text(StepKind::Thought, &text, draft);
        }
        "tool" | "use_mcp_server" | "browser_action_launch" => {
            let name =
                with_json(&text, |v| v.str("tool").or_else(|| v.str("toolName")).map(|t| t.into_owned())).flatten();
            let args = if text.trim_start().starts_with('{') { text.as_ref() } else { "{}" };
            let step = talk.run.call(None, name.as_deref().unwrap_or(&kind), json_args(args), draft);
            talk.seen.insert("call".into(), step);
        }
        "command" => {
            let args = format!("{{\"command\":{}}}", quote(&text));
            let step = talk.run.call(None, "execute_command", json_args(&args), draft);
            talk.seen.insert("call".into(), step);
        }
        "command_output" | "mcp_server_response" | "browser_action_result" => {
            let observation = Observation {
                content: Content::text(text.as_ref()),
                at: draft.at,
                span: draft.span.clone(),
                ..Observation::default()
            };
            // An output belongs to the call before it; what more comes of it is the program's word.
            let call = talk.seen.remove("call");
            if call.and_then(|step| talk.run.answer_to(step, observation, CallStatus::Unknown)).is_none() {
                talk.notice(&kind, &text, false, loose);
            }
        }
        "error" | "api_req_failed" | "mistake_limit_reached" | "diff_error" => talk.notice(&kind, &text, true, loose),
        "resume_task" | "resume_completed_task" | "checkpoint_created" | "api_req_finished" => {}
        _ if text.is_empty() => {}
        _ => talk.notice(if asks { "ask" } else { &kind }, &text, false, loose),
    }
}
