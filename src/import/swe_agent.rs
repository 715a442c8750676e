//! SWE-agent trajectories (`*.traj`), 0.x and 1.x, and demonstration files that hold the history alone.
//!
//! ```json
//! {"environment":"swe_main","trajectory":[{"action":"ls -F\n","observation":"a.py\n","thought":"Look first.","state":"{}"}],
//!  "history":[{"role":"system","content":"…"},{"role":"user","content":"ISSUE: …"}],
//!  "info":{"exit_status":"submitted","model_stats":{"instance_cost":0.4,"tokens_sent":1,"tokens_received":2}}}
//! ```
//!
//! The steps come from `trajectory`; system prompt and task from `history`, and for function calling the tool calls,
//! which stand there only. A classic action is a command line: its first word is the tool when it is one of
//! SWE-agent's own commands, otherwise the tool is `bash`. Entries marked `is_demo` are examples, not the run.
//! There are no times but `execution_time`, and no error flags: only SWE-agent's own refusals count as errors. Carriage
//! returns in observations come from its terminal and are dropped. `messages` and `query` repeat the whole prompt in
//! every step and are not read. O(bytes).

use super::chat::{call_of, reasoning};
use super::part::{content, cut};
use super::{Draft, Format, Log, Reason, Record, RecordReader, RunBuilder, Sample, Sniff, text_args};
use crate::json::{Tape, Val};
use crate::model::{Args, CallStatus, Content, CostKind, Observation, Outcome, Run, StepKind, TurnId, Usage, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "swe-agent",
    label: "SWE-agent",
    files: ".traj",
    marks: &["trajectory", "history", "info", "environment", "action", "observation", "thought", "exit_status"],
    sniff,
    reader: || Box::new(Reader { runs: Vec::new() }),
};

/// Commands of SWE-agent's own tool bundles: everything else is a line for the shell.
const COMMANDS: [&str; 44] = [
    "open",
    "goto",
    "scroll_up",
    "scroll_down",
    "create",
    "edit",
    "insert",
    "append",
    "view",
    "search_dir",
    "search_file",
    "find_file",
    "submit",
    "str_replace_editor",
    "edit_anthropic",
    "filemap",
    "view_image",
    "search_replace",
    "replace",
    "undo_edit",
    "exit_forfeit",
    "exit_cost",
    "exit_context",
    "exit_format",
    "exit_error",
    "exit_api",
    "skip",
    "think",
    "connect_start",
    "connect_sendline",
    "connect_exec",
    "connect_stop",
    "debug_start",
    "debug_add_breakpoint",
    "debug_continue",
    "debug_step",
    "debug_exec",
    "debug_stop",
    "decompile",
    "disassemble",
    "open_site",
    "close_site",
    "click_mouse",
    "type_text",
];

fn is_step(val: Val<'_>) -> bool {
    val.has("action") && (val.has("observation") || val.has("thought") || val.has("response"))
}

fn is_history(list: Val<'_>) -> bool {
    list.items()
        .take(8)
        .any(|m| m.has("role") && (m.has("message_type") || m.has("agent") || (m.has("thought") && m.has("action"))))
}

fn is_trajectory(val: Val<'_>) -> bool {
    if val.has("mistake_agent") || val.has("mistake_step") {
        return false;
    }
    let history = val.get("history").is_some_and(is_history);
    match val.get("trajectory").filter(|t| t.is_array()) {
        Some(steps) => steps.items().take(8).any(is_step) || (steps.is_empty() && (history || val.has("info"))),
        None => history || val.get("attempts").is_some_and(|a| a.items().any(is_trajectory_shallow)),
    }
}

fn is_trajectory_shallow(val: Val<'_>) -> bool {
    val.get("trajectory").is_some_and(|t| t.items().take(8).any(is_step))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_trajectory) {
        return Sniff::Yes;
    }
    let Some(root) = sample.object() else { return Sniff::no(Reason::NeedsObject("trajectory"), "/trajectory") };
    match root.get("trajectory") {
        Some(t) if t.is_array() => Sniff::near(2, Reason::NoKey("action"), "/trajectory/0/action"),
        Some(_) => Sniff::near(1, Reason::NotA("trajectory", "array"), "/trajectory"),
        None if root.has("history") => Sniff::near(1, Reason::NoKey("message_type"), "/history/0/message_type"),
        None => Sniff::no(Reason::NeedsObject("trajectory"), "/trajectory"),
    }
}

struct Reader {
    runs: Vec<Run>,
}

/// Tool and arguments of a classic action.
fn command(action: &str) -> (String, Args) {
    let line = action.trim_end_matches(['\n', '\r']);
    let word = line.split_whitespace().next().unwrap_or_default();
    if COMMANDS.contains(&word) {
        let rest = line.trim_start().get(word.len()..).unwrap_or_default();
        return (word.to_owned(), text_args(rest.strip_prefix([' ', '\n']).unwrap_or(rest)));
    }
    ("bash".to_owned(), text_args(line))
}

/// How SWE-agent itself says that it did not do what was asked.
fn status_of(text: &str) -> CallStatus {
    const REFUSALS: [&str; 7] = [
        "Your proposed edit has introduced new syntax error",
        "Your bash command contained syntax errors and was NOT executed",
        "Your command contained syntax errors",
        "EXECUTION TIMED OUT",
        "COMMAND FAILED TO EXECUTE",
        "BROKEN PIPE ERROR",
        "Interactive operation '",
    ];
    let head = text.trim_start();
    let cancelled = head.starts_with("The command '") && head.contains("was cancelled because it took more than");
    if cancelled || REFUSALS.iter().any(|r| head.starts_with(r)) { CallStatus::Error } else { CallStatus::Unknown }
}

fn text_of(val: Val<'_>) -> Content {
    let mut text = content(val, &mut |_| {});
    if text.text.contains('\r') {
        text.text = text.text.replace("\r\r\n", "\n").replace("\r\n", "\n").into();
    }
    text
}

struct Swe<'l> {
    run: RunBuilder,
    model: Option<String>,
    demos: u64,
    log: &'l mut Log,
}

impl Swe<'_> {
    fn turn(&mut self) -> TurnId {
        let turn = self.run.new_turn(0);
        if let Some(model) = self.model.clone() {
            self.run.model(turn, &model);
        }
        turn
    }

    /// Thought and calls of one step; `entry` is its message in the history.
    fn act(&mut self, record: &Record<'_>, step: Val<'_>, entry: Option<Val<'_>>) {
        let turn = self.turn();
        let draft = Draft { turn: Some(turn), span: record.span(), ..Draft::default() };
        if let Some(deep) = entry.and_then(|e| {
            ["reasoning_content", "thinking_blocks"].iter().any(|k| e.has(k)).then(|| reasoning(e)).flatten()
        }) {
            self.run.say(StepKind::Thought, Content::text(deep), draft.clone());
        }
        let thought =
            ["thought", "response", "content"].iter().find_map(|k| step.some(k)).map(text_of).unwrap_or_default();
        if !thought.is_empty() {
            self.run.say(StepKind::Thought, Content { text: thought.text.trim().into(), ..thought }, draft.clone());
        }
        let calls: Vec<Val<'_>> = [Some(step), entry]
            .into_iter()
            .flatten()
            .filter_map(|v| v.get("tool_calls"))
            .find(|c| c.is_array() && !c.is_empty())
            .map(|c| c.items().filter(|c| c.is_object()).collect())
            .unwrap_or_default();
        for call in &calls {
            let (id, tool, args) = call_of(*call);
            self.run.call(id.as_deref(), &tool, args, draft.clone());
        }
        let action = step.str("action").unwrap_or_default();
        if calls.is_empty() && !action.trim().is_empty() {
            let (tool, args) = command(&action);
            self.run.call(None, &tool, args, draft);
        }
    }

    /// An observation belongs to the oldest call without one: it is the step's own.
    fn observe(&mut self, record: &Record<'_>, at: Val<'_>, id: Option<&str>, seconds: Option<f64>) {
        let text = text_of(at);
        let status = status_of(&text.text);
        let draft = Draft { span: record.span_of(at), ..Draft::default() };
        let observation = Observation { content: text, span: draft.span.clone(), ..Observation::default() };
        let step = self.run.observe(id, None, observation, status, draft);
        if let Some(seconds) = seconds {
            self.run.edit_call(step, |call| call.duration_ms = Some(seconds * 1000.0));
        }
    }

    /// The messages before the first step: what the agent was told. All of the history when there is no trajectory.
    fn history(&mut self, record: &Record<'_>, list: Val<'_>, whole: bool) {
        let mut spoke = false;
        record.each(list, |message| {
            let val = message.val;
            if val.bool("is_demo") == Some(true) {
                self.demos += 1;
                self.log.skipped("demonstration");
                return;
            }
            let role = val.str("role").unwrap_or_default();
            if role == "assistant" {
                spoke = true;
                if whole {
                    self.log.understood();
                    self.act(message, val, Some(val));
                }
                return;
            }
            if spoke && !whole {
                return;
            }
            self.log.understood();
            let said = val.some("content");
            if spoke && role != "system" {
                let id = val.get("tool_call_ids").and_then(|ids| ids.items().next()).and_then(Val::as_str);
                if let Some(said) = said {
                    self.observe(message, said, id.as_deref(), None);
                }
                return;
            }
            let kind = if role == "system" { StepKind::System } else { StepKind::Person };
            let text = said.map(text_of).unwrap_or_default();
            if kind == StepKind::Person && self.run.run.title.is_empty() {
                self.run.run.title = title_of(&text.text).unwrap_or_default();
            }
            if !text.is_empty() {
                self.run.say(kind, text, Draft { span: message.span(), ..Draft::default() });
            }
        });
    }

    fn trajectory(&mut self, record: &Record<'_>, steps: Val<'_>, history: Option<Val<'_>>) {
        let entries: Vec<Val<'_>> = history
            .into_iter()
            .flat_map(Val::items)
            .filter(|m| m.get("role").is_some_and(|r| r.is("assistant")) && m.bool("is_demo") != Some(true))
            .collect();
        let mut next = 0;
        record.each(steps, |step| {
            self.log.understood();
            let val = step.val;
            let action = val.str("action").unwrap_or_default();
            // Answers that were asked for again stand in the history only.
            let found = entries
                .iter()
                .enumerate()
                .skip(next)
                .take(50)
                .find(|(_, e)| e.str("action").is_some_and(|a| a.trim() == action.trim()))
                .map(|(i, e)| (i, *e));
            if let Some((i, _)) = found {
                next = i + 1;
            }
            self.act(step, val, found.map(|(_, e)| e));
            if let Some(observation) = val.some("observation") {
                self.observe(step, observation, None, val.f64("execution_time"));
            }
        });
    }
}

/// The first line of the issue.
fn title_of(text: &str) -> Option<String> {
    let (_, issue) = text.split_once("ISSUE:")?;
    let line = issue.lines().map(str::trim).find(|l| !l.is_empty())?;
    Some(cut(line, 120))
}

fn outcome(word: &str) -> Outcome {
    // `submitted (exit_cost)`: the limit ended the run, and what was there was handed in.
    let inner = word.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or(word, |(inner, _)| inner);
    let verdict = match inner.trim() {
        "submitted" | "skipped" => Verdict::Finished,
        "exit_cost" | "exit_context" | "exit_total_execution_time" | "exit_command_timeout" => Verdict::Limit,
        "exit_forfeit" => Verdict::Failed,
        _ => Verdict::Error,
    };
    Outcome { verdict, word: word.to_owned(), reward: None }
}

/// Looks something up in a value that may be JSON in a string.
fn inside<R>(val: Option<Val<'_>>, look: impl Fn(Val<'_>) -> Option<R>) -> Option<R> {
    let val = val?;
    match val.as_str() {
        Some(text) => {
            let mut tape = Tape::new();
            look(tape.parse(&text).root())
        }
        None => look(val),
    }
}

impl Reader {
    fn one(&mut self, record: &Record<'_>, outer: Val<'_>, title: Option<String>, log: &mut Log) {
        let val = record.val;
        let mut swe = Swe { run: RunBuilder::new(FORMAT.id), model: None, demos: 0, log };
        let info = val.some("info").or_else(|| outer.some("info"));
        let replay = val.some("replay_config").or_else(|| outer.some("replay_config"));
        swe.model =
            inside(replay, |c| c.path(&["agent", "model", "name"]).and_then(Val::as_str).map(|s| s.into_owned()))
                .filter(|m| m != "replay" && m != "human");
        let version = info.and_then(|i| i.str("swe_agent_version"));
        swe.run.agent("SWE-agent", version.as_deref());
        let run = &mut swe.run.run;
        run.id = val.str("instance_id").map(|s| s.into_owned()).or_else(|| {
            inside(replay, |c| c.path(&["problem_statement", "id"]).and_then(Val::as_str).map(|s| s.into_owned()))
        });
        if let Some(word) = info.and_then(|i| i.str("exit_status")).filter(|w| !w.is_empty()) {
            run.outcome = Some(outcome(&word));
        }
        if let Some(stats) = info.and_then(|i| i.some("model_stats")) {
            // No model is sent nothing: a replay counts no tokens.
            let tokens = |key: &str| stats.u64(key).filter(|n| *n > 0);
            run.totals = Some(Usage {
                input: tokens("tokens_sent"),
                output: tokens("tokens_received"),
                cost: stats.f64("instance_cost"),
                cost_kind: CostKind::Estimated,
                ..Usage::default()
            });
            if let Some(calls) = stats.u64("api_calls") {
                run.facts.push(("api_calls".into(), calls.to_string()));
            }
        }
        if let Some(environment) = val.str("environment").or_else(|| outer.str("environment")) {
            run.facts.push(("environment".into(), environment.into_owned()));
        }
        let first = val.get("trajectory").and_then(|t| t.items().next());
        let cwd = inside(first.and_then(|s| s.some("state")), |s| s.str("working_dir").map(|d| d.into_owned()));
        if let Some(cwd) = cwd {
            run.facts.push(("cwd".into(), cwd));
        }
        let history = val.get("history").filter(|h| h.is_array());
        let steps = val.get("trajectory").filter(|t| t.is_array() && !t.is_empty());
        if let Some(history) = history {
            swe.history(record, history, steps.is_none());
        }
        if let Some(steps) = steps {
            swe.trajectory(record, steps, history);
        }
        if swe.demos > 0 {
            swe.log.note("demonstrations", &[("count", swe.demos.to_string())]);
        }
        if let Some(title) = title {
            swe.run.run.title = match swe.run.run.title.as_str() {
                "" => title,
                task => format!("{task} · {title}"),
            };
        }
        self.runs.push(swe.run.finish());
    }
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let attempts = val.get("attempts").filter(|a| a.items().any(|a| a.has("trajectory")));
        if let Some(attempts) = attempts {
            // Several tries at one task, of which the best is handed in: each is a run.
            record.each(attempts, |attempt| {
                self.one(attempt, val, Some(format!("attempt {}", attempt.index + 1)), log);
            });
            return;
        }
        if val.get("trajectory").is_some_and(Val::is_array) || val.get("history").is_some_and(Val::is_array) {
            return self.one(record, val, None, log);
        }
        log.unknown(&val.str("type").unwrap_or("no trajectory".into()));
    }

    fn finish(self: Box<Self>, _: &mut Log) -> Vec<Run> {
        self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(action: &str, tool: &str, args: &str) {
        let (found, given) = command(action);
        assert_eq!((found.as_str(), given.raw.as_ref()), (tool, args), "{action}");
    }

    #[test]
    fn names_the_tool_of_an_action() {
        check("ls -F\n", "bash", "ls -F");
        check("open src/a.py 12\n", "open", "src/a.py 12");
        check("edit 1:1\nimport x\nend_of_edit\n", "edit", "1:1\nimport x\nend_of_edit");
        check("submit", "submit", "");
        check("openssl version", "bash", "openssl version");
    }

    #[test]
    fn reads_the_words_for_an_end() {
        for (word, verdict) in [
            ("submitted", Verdict::Finished),
            ("submitted (exit_cost)", Verdict::Limit),
            ("exit_cost", Verdict::Limit),
            ("exit_forfeit", Verdict::Failed),
            ("exit_format", Verdict::Error),
            ("early_exit", Verdict::Error),
        ] {
            assert_eq!(outcome(word).verdict, verdict, "{word}");
        }
    }
}
