//! The content blocks of the Anthropic Messages API, wherever they stand: session files, requests, responses.
//!
//! An assistant's blocks become thoughts, texts, calls and, for tools that run at the provider, their results in the
//! same message. Texts that follow each other are one step. O(bytes of the message).

use super::part::{content, cut, media, part_text, split_think};
use super::{Draft, Log, Record, RunBuilder, json_args, string_args, text_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Observation, StepKind, Usage};

/// Reads the content of a message of the model: a string, an array of blocks, one block, or nothing.
///
/// `said` is the kind of its texts: [`StepKind::Say`], or [`StepKind::Notice`] for an error of the service.
pub fn assistant(
    run: &mut RunBuilder,
    record: &Record<'_>,
    body: Val<'_>,
    draft: &Draft,
    said: StepKind,
    log: &mut Log,
) {
    let mut reader = Blocks { run, record, draft, said, pending: None };
    if body.is_array() {
        for block in body.items() {
            reader.block(block, log);
        }
    } else if !body.is_null() {
        reader.block(body, log);
    }
    reader.flush();
}

struct Blocks<'b, 'a> {
    run: &'b mut RunBuilder,
    record: &'b Record<'a>,
    draft: &'b Draft,
    said: StepKind,
    /// Text and pictures not yet placed, and where they began.
    pending: Option<(Content, Draft)>,
}

impl Blocks<'_, '_> {
    fn at(&self, block: Val<'_>) -> Draft {
        Draft { span: self.record.span_of(block), ..self.draft.clone() }
    }

    fn flush(&mut self) {
        let Some((text, draft)) = self.pending.take() else { return };
        if text.is_empty() {
            return;
        }
        // Models without a place for reasoning put it in front of the answer.
        if self.said == StepKind::Say
            && let Some((thought, answer)) = split_think(&text.text)
        {
            if !thought.is_empty() {
                self.run.say(StepKind::Thought, Content::text(thought), draft.clone());
            }
            let rest = Content { text: answer.into(), media: text.media };
            if !rest.is_empty() {
                self.run.say(self.said, rest, draft);
            }
            return;
        }
        let is_error = self.said == StepKind::Notice;
        self.run.say(self.said, text, Draft { is_error, ..draft });
    }

    fn think(&mut self, block: Val<'_>, text: &str) {
        self.flush();
        let draft = self.at(block);
        let is_error = self.said == StepKind::Notice;
        self.run.say(StepKind::Thought, Content::text(text), Draft { is_error, ..draft });
    }

    fn block(&mut self, block: Val<'_>, log: &mut Log) {
        if let Some(text) = part_text(block) {
            // Streaming leaves blocks of nothing but line breaks behind.
            if text.trim().is_empty() {
                return;
            }
            // A text with citations is cut into pieces that belong to one sentence.
            let glue = if block.some("citations").is_some() { "" } else { "\n" };
            self.add(block, |c| {
                let joined = if c.text.is_empty() { text } else { format!("{}{glue}{text}", c.text) };
                c.text = joined.into();
            });
            return;
        }
        if let Some(medium) = media(block) {
            self.add(block, |c| c.media.push(medium));
            return;
        }
        if block.is_null() {
            return;
        }
        let kind = block.str("type").unwrap_or_default();
        match kind.as_ref() {
            "thinking" => {
                let text = block.str("thinking").or_else(|| block.str("text")).or_else(|| block.str("content"));
                self.think(block, &text.unwrap_or_default());
            }
            "reasoning" => {
                let said = ["text", "content", "value", "reasoning", "summary"].iter().find_map(|k| block.some(k));
                let text = said.map(|v| content(v, &mut |_| {}).text).unwrap_or_default();
                self.think(block, &text);
            }
            "redacted_thinking" => self.think(block, ""),
            "refusal" => {
                self.flush();
                let draft = self.at(block);
                let text = block.str("refusal").or_else(|| block.str("text")).unwrap_or_default();
                self.run.say(self.said, Content::text(text.as_ref()), Draft { label: Some("refusal".into()), ..draft });
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" | "tool_call" | "toolCall" => {
                self.flush();
                let draft = self.at(block);
                let given = ["input", "arguments", "args"].iter().find_map(|k| block.some(k));
                let args = match given {
                    Some(given) if given.is_string() && kind.ends_with("use") => text_args(&given.text()),
                    Some(given) if given.is_string() => string_args(&given.text()),
                    Some(given) => json_args(given.raw()),
                    None => json_args("{}"),
                };
                let id = block.str("id");
                let name = block.str("name").unwrap_or_default();
                self.run.call(id.as_deref(), &name, args, draft);
            }
            // Tools that run at the provider answer inside the same message.
            other if other.ends_with("tool_result") => {
                self.flush();
                let draft = self.draft.clone();
                tool_result(self.run, self.record, block, &draft);
            }
            other => {
                self.flush();
                log.unknown_part(&format!("assistant/{other}"));
                let draft = self.at(block);
                let text = Content::text(cut(block.raw(), 20_000));
                self.run.say(StepKind::Raw, text, Draft { label: Some(other.into()), ..draft });
            }
        }
    }

    fn add(&mut self, block: Val<'_>, edit: impl FnOnce(&mut Content)) {
        if self.pending.is_none() {
            let draft = self.at(block);
            self.pending = Some((Content::default(), draft));
        }
        if let Some((text, _)) = &mut self.pending {
            edit(text);
        }
    }
}

/// Reads a result block and pairs it with its call; returns the step that holds it.
pub fn tool_result(run: &mut RunBuilder, record: &Record<'_>, block: Val<'_>, draft: &Draft) -> usize {
    let draft = Draft { span: record.span_of(block), ..draft.clone() };
    let id = block.str("tool_use_id").or_else(|| block.str("tool_call_id"));
    let mut other = String::new();
    let body = block.get("content");
    let mut text = body
        .map(|b| {
            content(b, &mut |part| {
                other.push_str(part.raw());
                other.push('\n');
            })
        })
        .unwrap_or_default();
    if !other.is_empty() {
        text.text = format!("{}{other}", text.text).into();
    }
    let failed = block.bool("is_error") == Some(true)
        || body.is_some_and(|b| b.get("type").is_some_and(|t| t.text().ends_with("_error")));
    let status = if failed { CallStatus::Error } else { CallStatus::Ok };
    let observation = Observation { content: text, at: draft.at, span: draft.span.clone(), ..Observation::default() };
    run.observe(id.as_deref(), None, observation, status, draft)
}

/// Whether a block is one that only this API has: what tells its messages from others.
pub fn is_own_block(block: Val<'_>) -> bool {
    block.str("type").is_some_and(|t| {
        matches!(t.as_ref(), "tool_use" | "server_tool_use" | "mcp_tool_use" | "redacted_thinking")
            || t.ends_with("tool_result")
            || (t == "thinking" && (block.has("thinking") || block.has("signature")))
    })
}

/// `input_tokens` leaves out what was read from and written to the cache.
pub fn usage_of(usage: Val<'_>) -> Usage {
    let cached = usage.u64("cache_read_input_tokens");
    let cache_write = usage.u64("cache_creation_input_tokens");
    let input = usage
        .u64("input_tokens")
        .map(|n| n.saturating_add(cached.unwrap_or(0)).saturating_add(cache_write.unwrap_or(0)));
    Usage { input, output: usage.u64("output_tokens"), cached, cache_write, ..Usage::default() }
}
