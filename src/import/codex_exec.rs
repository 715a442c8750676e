//! Codex CLI: the stream of `codex exec --json` (events `thread.*`, `turn.*`, `item.*`), also when it was caught from a
//! terminal with other lines around it. Versions seen: late 2025; the other items are read as Codex's SDK names them.
//!
//! ```json
//! {"type":"thread.started","thread_id":"th1"}
//! {"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"ls","status":"in_progress"}}
//! {"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"ls","aggregated_output":"a","exit_code":0}}
//! {"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":8,"output_tokens":5}}
//! ```
//!
//! An item is one step however often it is told. A turn is a whole answer to a prompt, with many calls one after
//! another, so its usage stands alone and says nothing of what ran in parallel. The prompt and the times are not in
//! the stream. A new thread begins a new run. O(bytes).

use std::collections::HashMap;

use super::part::content;
use super::{Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, Sniff, json_args, text_args};
use crate::json::{Val, quote};
use crate::model::{Args, CallStatus, Content, Observation, Outcome, Run, StepKind, TurnId, Usage, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "codex-exec",
    label: "Codex exec",
    files: "codex exec --json",
    marks: &["type", "thread_id", "item", "usage", "aggregated_output"],
    sniff,
    reader: || Box::new(Reader::new()),
};

const EVENTS: [&str; 7] = [
    "thread.started",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "item.started",
    "item.updated",
    "item.completed",
];

fn sniff(sample: &Sample<'_>) -> Sniff {
    let event = |v: Val<'_>| v.get("type").is_some_and(|t| EVENTS.iter().any(|e| t.is(e)));
    let whole =
        |v: Val<'_>| event(v) && (v.has("thread_id") || v.has("usage") || v.get("item").is_some_and(|i| i.has("type")));
    if sample.any(whole) {
        return Sniff::Yes;
    }
    if sample.any(event) {
        return Sniff::near(1, Reason::NoKey("thread_id"), "/thread_id");
    }
    Sniff::no(Reason::NeedsRecords("type"), "")
}

struct Reader {
    done: Vec<Run>,
    run: RunBuilder,
    /// Step of each item of the thread. Looked up only.
    items: HashMap<String, usize>,
    turn: Option<TurnId>,
}

impl Reader {
    fn new() -> Self {
        Self { done: Vec::new(), run: RunBuilder::new(FORMAT.id), items: HashMap::new(), turn: None }
    }

    fn turn(&mut self) -> TurnId {
        match self.turn {
            Some(turn) => turn,
            None => *self.turn.insert(self.run.new_turn(0)),
        }
    }

    fn close(&mut self) {
        let run = std::mem::replace(&mut self.run, RunBuilder::new(FORMAT.id));
        self.items.clear();
        self.turn = None;
        if !run.is_empty() || run.run.id.is_some() {
            let mut run = run;
            run.agent("Codex", None);
            self.done.push(run.finish());
        }
    }

    fn draft(&self, record: &Record<'_>, at: Val<'_>) -> Draft {
        Draft { span: record.span_of(at), ..Draft::default() }
    }

    fn notice(&mut self, record: &Record<'_>, label: &str, text: String, is_error: bool) -> usize {
        let draft = Draft { label: Some(label.into()), is_error, ..self.draft(record, record.val) };
        self.run.say(StepKind::Notice, Content::text(text), draft)
    }

    fn item(&mut self, record: &Record<'_>, item: Val<'_>, ended: bool, log: &mut Log) {
        let kind = item.str("type").or_else(|| item.str("item_type")).unwrap_or_default();
        let id = item.str("id").map(|s| s.into_owned());
        let known = id.as_ref().and_then(|id| self.items.get(id).copied());
        let step = match kind.as_ref() {
            "agent_message" | "assistant_message" | "reasoning" => {
                let kind = if kind == "reasoning" { StepKind::Thought } else { StepKind::Say };
                self.text(record, item, known, kind, Content::text(item.str("text").unwrap_or_default().as_ref()))
            }
            "error" => {
                let text = item.str("message").unwrap_or_default().into_owned();
                known.unwrap_or_else(|| self.notice(record, "error", text, true))
            }
            "todo_list" => {
                let entries = item.get("items").map(Val::items).into_iter().flatten();
                let lines = entries.map(|entry| {
                    let mark = if entry.bool("completed") == Some(true) { 'x' } else { ' ' };
                    format!("[{mark}] {}", entry.str("text").unwrap_or_default())
                });
                let text = Content::text(lines.collect::<Vec<_>>().join("\n"));
                let step = self.text(record, item, known, StepKind::Notice, text);
                if let Some(step) = self.run.run.steps.get_mut(step) {
                    step.label = Some("todo_list".into());
                }
                step
            }
            "command_execution" | "file_change" | "mcp_tool_call" | "web_search" | "collab_tool_call" => {
                self.call(record, item, &kind, known, ended)
            }
            other => {
                if known.is_none() {
                    log.unknown_part(&format!("item/{other}"));
                }
                let text: String = item.raw().chars().take(20_000).collect();
                let step = self.text(record, item, known, StepKind::Raw, Content::text(text));
                if let Some(step) = self.run.run.steps.get_mut(step) {
                    step.label = Some(other.into());
                }
                step
            }
        };
        if let Some(id) = id {
            self.items.insert(id, step);
        }
    }

    /// A step that only has words; told again, it says the last.
    fn text(
        &mut self,
        record: &Record<'_>,
        item: Val<'_>,
        known: Option<usize>,
        kind: StepKind,
        text: Content,
    ) -> usize {
        if let Some(step) = known.and_then(|k| self.run.run.steps.get_mut(k)).filter(|s| s.kind == kind) {
            step.content = text;
            return known.unwrap_or_default();
        }
        let turn = matches!(kind, StepKind::Say | StepKind::Thought).then(|| self.turn());
        let draft = Draft { turn, ..self.draft(record, item) };
        self.run.say(kind, text, draft)
    }

    fn call(&mut self, record: &Record<'_>, item: Val<'_>, kind: &str, known: Option<usize>, ended: bool) -> usize {
        let args = args_of(item, kind);
        let step = match known.filter(|k| self.run.run.steps.get(*k).is_some_and(|s| s.is_action())) {
            Some(step) => {
                // A search knows its words only at its end.
                self.run.edit_call(step, |call| call.args = args);
                step
            }
            None => {
                let tool = match (kind, item.str("server"), item.str("tool")) {
                    ("mcp_tool_call", Some(server), Some(tool)) => format!("mcp__{server}__{tool}"),
                    ("collab_tool_call", _, Some(tool)) => tool.into_owned(),
                    _ => kind.to_owned(),
                };
                let draft = self.draft(record, item);
                self.run.call(item.str("id").as_deref(), &tool, args, draft)
            }
        };
        if !ended {
            return step;
        }
        let exit_code = item.get("exit_code").and_then(Val::as_i64);
        let error = item.some("error");
        let status = match (item.str("status").as_deref(), exit_code) {
            (Some("failed" | "declined"), _) => CallStatus::Error,
            _ if error.is_some() => CallStatus::Error,
            (_, Some(code)) => {
                if code == 0 {
                    CallStatus::Ok
                } else {
                    CallStatus::Error
                }
            }
            (Some("completed"), None) => CallStatus::Ok,
            (None, None) if kind == "web_search" => CallStatus::Ok,
            _ => CallStatus::Unknown,
        };
        let said = match (item.get("aggregated_output"), item.some("result"), error) {
            (Some(output), _, _) => Some(Content::text(output.text().as_ref())),
            (_, _, Some(error)) => Some(Content::text(error.get("message").unwrap_or(error).text().as_ref())),
            (_, Some(result), _) => Some(match result.get("content") {
                Some(parts) => content(parts, &mut |_| {}),
                None => Content::text(result.text().as_ref()),
            }),
            _ => item.some("agents_states").filter(|s| !s.is_empty()).map(|s| Content::text(s.raw())),
        };
        match said {
            Some(said) => {
                let structured =
                    item.path(&["result", "structured_content"]).filter(|s| !s.is_null()).map(|s| s.raw().into());
                let observation =
                    Observation { content: said, at: None, exit_code, structured, span: record.span_of(item) };
                self.run.answer_to(step, observation, status);
            }
            None => self.run.close_call(step, status),
        }
        step
    }
}

fn args_of(item: Val<'_>, kind: &str) -> Args {
    match kind {
        "command_execution" => text_args(&item.str("command").unwrap_or_default()),
        "file_change" => json_args(&format!("{{\"changes\":{}}}", item.get("changes").map_or("[]", Val::raw))),
        "web_search" => json_args(&format!("{{\"query\":{}}}", quote(&item.str("query").unwrap_or_default()))),
        "collab_tool_call" => {
            let keys = ["prompt", "receiver_thread_ids"];
            let parts = keys.iter().filter_map(|k| Some(format!("{}:{}", quote(k), item.some(k)?.raw())));
            json_args(&format!("{{{}}}", parts.collect::<Vec<_>>().join(",")))
        }
        _ => match item.some("arguments") {
            Some(arguments) if arguments.is_string() => super::string_args(&arguments.text()),
            Some(arguments) => json_args(arguments.raw()),
            None => json_args("{}"),
        },
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let kind = val.str("type").unwrap_or_default();
        match kind.as_ref() {
            "thread.started" => {
                log.skipped("thread.started");
                let id = val.str("thread_id").map(|s| s.into_owned());
                // `resume` names the same thread again.
                if self.run.run.id != id && (self.run.run.id.is_some() || !self.run.is_empty()) {
                    self.close();
                }
                self.items.clear();
                self.run.run.id = id;
            }
            "turn.started" => {
                log.skipped("turn.started");
                self.turn = None;
                self.run.run.outcome = None;
            }
            "turn.completed" => {
                log.understood();
                if let Some(usage) = val.some("usage") {
                    let turn = self.turn();
                    self.run.usage(
                        turn,
                        Usage {
                            input: usage.u64("input_tokens"),
                            output: usage.u64("output_tokens"),
                            cached: usage.u64("cached_input_tokens"),
                            reasoning: usage.u64("reasoning_output_tokens"),
                            ..Usage::default()
                        },
                    );
                }
                self.turn = None;
                let outcome = Outcome { verdict: Verdict::Finished, word: kind.clone().into_owned(), reward: None };
                self.run.run.outcome = Some(outcome);
            }
            "turn.failed" | "error" => {
                log.understood();
                let said = val.path(&["error", "message"]).or_else(|| val.get("message")).or_else(|| val.get("error"));
                let text = said.map(|s| s.text().into_owned()).unwrap_or_default();
                // A failed turn repeats the error before it.
                let repeated = self.run.run.steps.last().is_some_and(|s| s.is_error && *s.content.text == *text);
                if !repeated {
                    self.notice(record, &kind, text, true);
                }
                if kind == "turn.failed" {
                    self.turn = None;
                    let outcome = Outcome { verdict: Verdict::Error, word: kind.clone().into_owned(), reward: None };
                    self.run.run.outcome = Some(outcome);
                }
            }
            "item.started" | "item.updated" | "item.completed" if val.get("item").is_some_and(Val::is_object) => {
                log.understood();
                if let Some(item) = val.get("item") {
                    self.item(record, item, kind == "item.completed", log);
                }
            }
            other => {
                let label = if other.is_empty() { "no type" } else { other };
                log.unknown(label);
                let draft = Draft { label: Some(label.into()), ..self.draft(record, val) };
                let text: String = val.raw().chars().take(20_000).collect();
                self.run.say(StepKind::Raw, Content::text(text), draft);
            }
        }
    }

    fn finish(mut self: Box<Self>, _log: &mut Log) -> Vec<Run> {
        self.close();
        self.done
    }
}
