//! mini-swe-agent trajectories (`*.traj.json`), formats `mini-swe-agent-1` and `mini-swe-agent-1.1`, and the bare message
//! lists of its first releases.
//!
//! ```json
//! {"info":{"exit_status":"Submitted","model_stats":{"instance_cost":0.1},"mini_version":"1.13"},"messages":[
//!  {"role":"assistant","content":"THOUGHT: look\n```bash\nls\n```"},
//!  {"role":"user","content":"<returncode>0</returncode>\n<output>\na.txt\n</output>"}],"trajectory_format":"mini-swe-agent-1"}
//! ```
//!
//! Version 1 writes the command into a fenced block and its output into a user's message. Version 2 adds `extra.actions`,
//! uses tool calls with answers of role `tool`, ends with role `exit`, and with a Responses model writes items without
//! a role. The command is the call's argument; the return code tells how it ended. What the agent wrote around the
//! command is its thought. The command that submits ends the run: no file holds an answer to it. O(bytes).

use super::chat::{Chat, Speaker, body, call_of, reasoning, speaker, usage_of};
use super::part::{content, cut, leading_int, moment_of, split_think};
use super::{Draft, Format, Log, Reason, Record, RecordReader, Sample, Sniff, string_args, text_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, CostKind, Observation, Outcome, Run, StepKind, TurnId, Usage, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "mini-swe-agent",
    label: "mini-swe-agent",
    files: ".traj.json, 1 and 2",
    marks: &["messages", "info", "trajectory_format", "model_stats", "exit_status", "submission"],
    sniff,
    reader: || Box::new(Reader { runs: Vec::new(), list: None }),
};

fn is_trajectory(val: Val<'_>) -> bool {
    val.get("messages").is_some_and(Val::is_array)
        && (val.str("trajectory_format").is_some_and(|f| f.starts_with("mini-swe-agent"))
            || val.get("info").is_some_and(|i| i.has("mini_version") || (i.has("exit_status") && i.has("model_stats"))))
}

fn is_output(message: Val<'_>) -> bool {
    let text = body(message).map(|b| content(b, &mut |_| {}).text).unwrap_or_default();
    text.starts_with("<returncode>")
}

fn is_command(message: Val<'_>) -> bool {
    message.get("role").is_some_and(|r| r.is("assistant"))
        && message.str("content").is_some_and(|t| !fenced(&t).is_empty())
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_trajectory) {
        return Sniff::Yes;
    }
    if let Some(root) = sample.object() {
        return match (root.has("messages"), root.has("info")) {
            (true, true) => Sniff::near(2, Reason::NoKey("trajectory_format"), "/trajectory_format"),
            (true, false) => Sniff::near(1, Reason::NoKey("info"), "/info"),
            _ => Sniff::no(Reason::NeedsObject("trajectory_format"), "/trajectory_format"),
        };
    }
    let pairs = sample.records.windows(2);
    if pairs.into_iter().any(
        |pair| matches!(pair, [a, b] if is_command(*a) && b.get("role").is_some_and(|r| r.is("user")) && is_output(*b)),
    ) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("trajectory_format"), "/trajectory_format")
}

struct Reader {
    runs: Vec<Run>,
    /// Messages without a trajectory around them.
    list: Option<Mini>,
}

struct Mini {
    chat: Chat,
    /// A command stood in the text of the last answer and has no output yet.
    waiting: bool,
    /// The last answer held no command that could be run.
    no_command: bool,
    spoke: bool,
    model: Option<String>,
    exit: Option<String>,
}

impl Mini {
    fn new() -> Self {
        Self { chat: Chat::new(FORMAT.id), waiting: false, no_command: false, spoke: false, model: None, exit: None }
    }

    fn draft(&self, record: &Record<'_>, turn: Option<TurnId>) -> Draft {
        let at = record.val.some("extra").and_then(moment_of).or_else(|| moment_of(record.val));
        Draft { turn, at, span: record.span(), ..Draft::default() }
    }

    fn message(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if val.get("object").is_some_and(|o| o.is("response")) {
            log.understood();
            return self.response(record, log);
        }
        if val.get("type").is_some_and(|t| t.text().ends_with("_call_output")) {
            log.understood();
            return self.output(record, val.some("output"));
        }
        let Some(role) = val.str("role") else {
            self.chat.unknown(record, &val.str("type").unwrap_or("no role".into()), log);
            return;
        };
        if role == "exit" {
            let extra = val.some("extra");
            self.exit = extra.and_then(|e| e.str("exit_status")).map(|s| s.into_owned()).or(self.exit.take());
            return self.ended(record, "exit", log);
        }
        match speaker(&role) {
            Speaker::Agent => {
                log.understood();
                self.agent(record, log);
            }
            Speaker::Tool => {
                log.understood();
                self.output(record, body(val));
            }
            Speaker::Person if self.spoke => self.answer(record, log),
            _ => {
                self.chat.message(record, log);
            }
        }
    }

    fn turn(&mut self, record: &Record<'_>) -> TurnId {
        let turn = self.chat.run.new_turn(0);
        let val = record.val;
        let extra = val.some("extra");
        let response = extra.and_then(|e| e.some("response")).or_else(|| val.get("object").map(|_| val));
        if let Some(model) =
            response.and_then(|r| r.str("model")).map(|m| m.into_owned()).or_else(|| self.model.clone())
        {
            self.chat.run.model(turn, &model);
        }
        let mut usage = response.and_then(|r| r.some("usage")).map(usage_of).unwrap_or_default();
        if let Some(cost) = extra.and_then(|e| e.f64("cost")) {
            usage = Usage { cost: Some(cost), cost_kind: CostKind::Estimated, ..usage };
        }
        self.chat.run.usage(turn, usage);
        if let (Some(id), Some(t)) =
            (response.and_then(|r| r.str("id")), self.chat.run.run.turns.get_mut(turn as usize))
        {
            t.id = Some(id.as_ref().into());
        }
        self.spoke = true;
        turn
    }

    fn agent(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let turn = self.turn(record);
        let draft = self.draft(record, Some(turn));
        if let Some(thought) = reasoning(val) {
            self.chat.run.say(StepKind::Thought, Content::text(thought), draft.clone());
        }
        let mut text = body(val)
            .map(|b| content(b, &mut |part| log.unknown_part(&part.str("type").unwrap_or_default())))
            .unwrap_or_default();
        let said = text.text.to_string();
        let blocks = fenced(&said);
        let actions: Vec<Val<'_>> = val.path(&["extra", "actions"]).map(|a| a.items().collect()).unwrap_or_default();
        let calls: Vec<Val<'_>> =
            val.get("tool_calls").map(|c| c.items().filter(|c| c.is_object()).collect()).unwrap_or_default();
        // Only a text with exactly one block is run; the program asks again otherwise.
        let commands: Vec<(Option<String>, String)> = if !actions.is_empty() {
            actions
                .iter()
                .filter_map(|a| {
                    Some((
                        a.str("tool_call_id").map(|i| i.into_owned()),
                        a.str("command").or_else(|| a.as_str())?.into_owned(),
                    ))
                })
                .collect()
        } else if calls.is_empty() && blocks.len() == 1 {
            blocks.iter().map(|b| (None, b.command.to_owned())).collect()
        } else {
            Vec::new()
        };
        // The block leaves the text when the call says the same.
        if let ([block], [(_, command)]) = (blocks.as_slice(), commands.as_slice())
            && block.command.trim() == command.trim()
        {
            let rest =
                format!("{}{}", said.get(..block.start).unwrap_or_default(), said.get(block.end..).unwrap_or_default());
            text.text = rest.trim().into();
        }
        self.say(text, draft.clone());
        self.waiting = false;
        if !calls.is_empty() {
            for call in calls {
                let (id, tool, args) = call_of(call);
                let draft = Draft { span: record.span_of(call), ..draft.clone() };
                self.chat.run.call(id.as_deref(), &tool, args, draft);
            }
        } else {
            for (id, command) in &commands {
                self.chat.run.call(id.as_deref(), "bash", text_args(command), draft.clone());
                self.waiting = true;
            }
            self.no_command = commands.is_empty();
        }
    }

    /// `THOUGHT:` is the prompt's word for reasoning; any other text is said.
    fn say(&mut self, text: Content, draft: Draft) {
        if text.is_empty() {
            return;
        }
        let head = text.text.trim_start();
        if let Some((thought, said)) = split_think(&text.text) {
            self.chat.run.say(StepKind::Thought, Content::text(thought), draft.clone());
            let said = said.to_owned();
            return self.say(Content { text: said.into(), media: text.media }, draft);
        }
        let thought = head.get(..7).is_some_and(|h| h.eq_ignore_ascii_case("thought"));
        let kind = if thought { StepKind::Thought } else { StepKind::Say };
        let text = match head.strip_prefix("THOUGHT:") {
            Some(rest) => Content { text: rest.trim().into(), media: text.media },
            None => text,
        };
        self.chat.run.say(kind, text, draft);
    }

    /// An answer of a Responses model.
    fn response(&mut self, record: &Record<'_>, log: &mut Log) {
        let turn = self.turn(record);
        let draft = self.draft(record, Some(turn));
        let mut calls = 0;
        for item in record.val.get("output").into_iter().flat_map(Val::items) {
            let draft = Draft { span: record.span_of(item), ..draft.clone() };
            match item.str("type").unwrap_or_default().as_ref() {
                "message" => {
                    let text = item.get("content").map(|c| content(c, &mut |_| {})).unwrap_or_default();
                    self.say(text, draft);
                }
                "reasoning" => {
                    let text = item.some("summary").or_else(|| item.some("content")).map(|c| content(c, &mut |_| {}));
                    self.chat.run.say(StepKind::Thought, text.unwrap_or_default(), draft);
                }
                "function_call" => {
                    let args = string_args(&item.str("arguments").unwrap_or_default());
                    let id = item.str("call_id").or_else(|| item.str("id"));
                    self.chat.run.call(id.as_deref(), &item.str("name").unwrap_or_default(), args, draft);
                    calls += 1;
                }
                other => {
                    log.unknown_part(other);
                    let draft = Draft { label: Some(other.into()), ..draft };
                    self.chat.run.say(StepKind::Raw, Content::text(cut(item.raw(), 20_000)), draft);
                }
            }
        }
        self.waiting = false;
        self.no_command = calls == 0;
    }

    /// A user's message after the agent spoke: an output, what the program says about an answer without a command,
    /// the end of the run, or a person who stepped in.
    fn answer(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let text = body(val).map(|b| content(b, &mut |_| {})).unwrap_or_default();
        let head = text.text.trim_start();
        let is_output =
            ["<returncode>", "<exception>", "The last command <command>"].iter().any(|m| head.starts_with(m));
        if self.waiting && (is_output || val.path(&["extra", "returncode"]).is_some()) {
            log.understood();
            return self.output(record, body(val));
        }
        // The first version notes the end of the run as a message of the user.
        if text.is_empty()
            || (self.waiting && self.exit.as_deref().is_some_and(|e| e == "Submitted" || head.starts_with(e)))
        {
            return self.ended(record, "exit", log);
        }
        let draft = self.draft(record, None);
        log.understood();
        if self.no_command {
            self.chat.run.say(
                StepKind::Notice,
                text,
                Draft { is_error: true, label: Some("format-error".into()), ..draft },
            );
        } else {
            self.chat.run.say(StepKind::Person, text, draft);
        }
    }

    fn ended(&mut self, record: &Record<'_>, label: &str, log: &mut Log) {
        let text = body(record.val).map(|b| content(b, &mut |_| {})).unwrap_or_default();
        // The word for the end is the run's outcome; only a patch or a message is more than that.
        if text.is_empty() || self.exit.as_deref() == Some(text.text.trim()) {
            log.skipped(label);
            return;
        }
        log.understood();
        let draft = Draft { label: Some(label.into()), ..self.draft(record, None) };
        self.chat.run.say(StepKind::Notice, text, draft);
    }

    fn output(&mut self, record: &Record<'_>, said: Option<Val<'_>>) {
        let val = record.val;
        let extra = val.some("extra");
        let mut text = said.map(|s| content(s, &mut |_| {})).unwrap_or_default();
        let mut code = extra.and_then(|e| e.some("returncode")).and_then(Val::as_i64);
        if let Some((told, inner)) = unwrap_output(&text.text) {
            code = code.or(Some(told));
            text.text = inner.into();
        } else if code.is_none() {
            code = text.text.split_once("<returncode>").and_then(|(_, rest)| leading_int(rest));
        }
        let raised = extra.and_then(|e| e.str("exception_info")).is_some_and(|e| !e.is_empty())
            || ["<exception>", "The last command <command>"].iter().any(|m| text.text.trim_start().starts_with(m));
        let status = match code {
            _ if raised => CallStatus::Error,
            Some(0) => CallStatus::Ok,
            Some(_) => CallStatus::Error,
            None => CallStatus::Unknown,
        };
        let draft = self.draft(record, None);
        let id = val.str("tool_call_id").or_else(|| val.str("call_id"));
        let observation = Observation {
            content: text,
            at: draft.at,
            exit_code: code,
            span: draft.span.clone(),
            ..Observation::default()
        };
        self.chat.run.observe(id.as_deref(), None, observation, status, draft);
    }

    fn finish(mut self, log: &mut Log) -> Run {
        if let Some(word) = self.exit.take().filter(|w| !w.is_empty()) {
            self.chat.run.run.outcome = Some(Outcome { verdict: verdict(&word), word, reward: None });
        }
        self.chat.finish(log)
    }
}

fn verdict(word: &str) -> Verdict {
    match word {
        "Submitted" => Verdict::Finished,
        w if w.contains("Limit") || w.contains("TimeExceeded") || w.contains("ContextWindow") => Verdict::Limit,
        w if w.contains("Interrupt") => Verdict::Cancelled,
        // The name of the exception that ended the run.
        _ => Verdict::Error,
    }
}

/// The return code and the text of the wrapper that the default templates write, when it is exactly that.
fn unwrap_output(text: &str) -> Option<(i64, String)> {
    let rest = text.trim_start().strip_prefix("<returncode>")?;
    let (code, rest) = rest.split_once("</returncode>")?;
    let code = code.trim().parse().ok()?;
    let inner = rest.trim_start().strip_prefix("<output>")?.trim_end().strip_suffix("</output>")?;
    let inner = inner.strip_prefix('\n').unwrap_or(inner);
    Some((code, inner.to_owned()))
}

struct Fence<'a> {
    command: &'a str,
    start: usize,
    end: usize,
}

/// The fenced shell blocks of a text.
fn fenced(text: &str) -> Vec<Fence<'_>> {
    const TAGS: [&str; 4] = ["```mswea_bash_command", "```bash", "```sh", "```shell"];
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find("```")) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        let (tag, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let Some(end) = after.find("\n```").or_else(|| after.starts_with("```").then_some(0)) else { break };
        let body_at = start + tag.len() + 1;
        let fence_end = body_at + end + if after.starts_with("```") && end == 0 { 3 } else { 4 };
        if TAGS.contains(&tag.trim_end()) {
            out.push(Fence { command: after.get(..end).unwrap_or_default(), start, end: fence_end });
        }
        at = fence_end.max(start + 3);
    }
    out
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let Some(messages) = val.get("messages").filter(|m| m.is_array()) else {
            return self.list.get_or_insert_with(Mini::new).message(record, log);
        };
        let mut mini = Mini::new();
        let info = val.some("info");
        mini.exit = info.and_then(|i| i.str("exit_status")).map(|s| s.into_owned());
        mini.model =
            info.and_then(|i| i.path(&["config", "model", "model_name"])).and_then(Val::as_str).map(|s| s.into_owned());
        let version = info.and_then(|i| i.str("mini_version"));
        mini.chat.run.agent("mini-swe-agent", version.as_deref());
        let run = &mut mini.chat.run.run;
        run.format_version = val.str("trajectory_format").map(|s| s.into_owned());
        run.id = val.str("instance_id").or_else(|| info.and_then(|i| i.str("instance_id"))).map(|s| s.into_owned());
        if let Some(stats) = info.and_then(|i| i.some("model_stats")) {
            // The cost comes from the table of prices of the library that makes the calls.
            run.totals =
                Some(Usage { cost: stats.f64("instance_cost"), cost_kind: CostKind::Estimated, ..Usage::default() });
            if let Some(calls) = stats.u64("api_calls") {
                run.facts.push(("api_calls".into(), calls.to_string()));
            }
        }
        let cwd = info.and_then(|i| i.path(&["config", "environment", "cwd"])).and_then(Val::as_str);
        if let Some(cwd) = cwd.filter(|c| !c.is_empty()) {
            run.facts.push(("cwd".into(), cwd.into_owned()));
        }
        record.each(messages, |message| mini.message(message, log));
        self.runs.push(mini.finish(log));
    }

    fn finish(mut self: Box<Self>, log: &mut Log) -> Vec<Run> {
        if let Some(mut list) = self.list.take() {
            list.chat.run.agent("mini-swe-agent", None);
            self.runs.push(list.finish(log));
        }
        self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, commands: &[&str]) {
        let found: Vec<&str> = fenced(text).iter().map(|f| f.command).collect();
        assert_eq!(found, commands, "{text}");
    }

    #[test]
    fn finds_the_shell_blocks() {
        check("THOUGHT: x\n\n```bash\nls -la\n```", &["ls -la"]);
        check("```mswea_bash_command\ncat <<'E'\na\nE\n```\n", &["cat <<'E'\na\nE"]);
        check("```python\nx\n```\n```bash\nls\n```", &["ls"]);
        check("```bash\na\n```\n```bash\nb\n```", &["a", "b"]);
        check("```bash\n```", &[""]);
        check("```bash\nls", &[]);
        check("no block", &[]);
    }

    #[test]
    fn unwraps_the_output() {
        let unwrapped = |t: &str| unwrap_output(t).map(|(c, t)| format!("{c} {t}"));
        assert_eq!(unwrapped("<returncode>0</returncode>\n<output>\na\n</output>").as_deref(), Some("0 a\n"));
        assert_eq!(unwrapped("<returncode>-1</returncode>\n<output>\n</output>").as_deref(), Some("-1 "));
        assert_eq!(unwrapped("<returncode>0</returncode>\n<warning>too long</warning>").as_deref(), None);
    }
}
