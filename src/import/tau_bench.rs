//! tau-bench: result files (an array of attempts), rows of the leaderboard, and the short texts of its few-shot files.
//!
//! ```json
//! [{"task_id":1,"trial":2,"reward":1.0,"info":{"task":{"actions":[{"name":"f","kwargs":{}}]}},"traj":[{"role":"user","content":"…"}]}]
//! ```
//!
//! Every attempt is a run, with task, trial and reward as labels; a reward of 1 is a pass, anything less a failure, as
//! the benchmark has it. Messages are OpenAI's. Tools answer `Error: …` when they fail and `Unknown action …` when
//! there is no such tool, so that every answer is known to be one or the other. A quarter of the runs use a call id
//! twice. The user is played by a model; the task's own list of right calls becomes the run's reference. Few-shot lines keep who spoke and the text, not the calls. O(bytes).

use super::chat::{Chat, are_messages, call_of};
use super::conversation::list_of;
use super::{Draft, Format, Log, Reason, Record, RecordReader, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, CostKind, Observation, Outcome, Run, StepKind, Usage, Verdict, Wanted};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "tau-bench",
    label: "tau-bench",
    files: "results with rewards",
    marks: &["task_id", "reward", "info", "traj", "trial"],
    sniff,
    reader: || Box::new(Reader { runs: Vec::new(), shown: 0 }),
};

fn is_attempt(val: Val<'_>) -> bool {
    val.has("task_id") && val.get("traj").is_some_and(Val::is_array)
}

fn is_row(val: Val<'_>) -> bool {
    val.str("benchmark_name").is_some_and(|b| b.starts_with("tau")) && val.get("messages").is_some_and(Val::is_array)
}

fn is_shown(val: Val<'_>) -> bool {
    val.str("messages_display").is_some_and(|t| SPEAKERS.iter().any(|s| t.starts_with(s)))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(|v| is_attempt(v) || is_row(v) || is_shown(v)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("traj") => Sniff::near(1, Reason::NoKey("task_id"), "/0/task_id"),
        Some(first) if first.has("task_id") && first.has("reward") => Sniff::near(2, Reason::NoKey("traj"), "/0/traj"),
        Some(first) if first.has("benchmark_name") => Sniff::near(1, Reason::NoKey("messages"), "/0/messages"),
        _ => Sniff::no(Reason::NeedsRecords("traj"), "/0/traj"),
    }
}

struct Reader {
    runs: Vec<Run>,
    /// Few-shot lines, whose calls are not in the file.
    shown: u64,
}

/// The benchmark's environment returns a text that begins so when a call fails.
fn told(text: &str) -> (CallStatus, Option<i64>) {
    let failed =
        text.starts_with("Error:") || text.starts_with("Error executing") || text.starts_with("Unknown action");
    (if failed { CallStatus::Error } else { CallStatus::Ok }, None)
}

fn passed(reward: f64) -> Verdict {
    if (reward - 1.0).abs() <= 1e-6 { Verdict::Passed } else { Verdict::Failed }
}

/// The calls that the task's author gives as the right ones.
fn wanted(actions: Option<Val<'_>>) -> Vec<Wanted> {
    let read = |action: Val<'_>| {
        let args = ["kwargs", "arguments"].iter().find_map(|k| action.some(k));
        Some(Wanted { tool: action.str("name")?.as_ref().into(), args: json_args(args.map_or("{}", Val::raw)) })
    };
    actions.into_iter().flat_map(Val::items).filter_map(read).collect()
}

fn text_of(val: Option<Val<'_>>) -> String {
    val.map(|v| v.text().into_owned()).unwrap_or_default()
}

fn attempt(record: &Record<'_>, log: &mut Log) -> Run {
    let val = record.val;
    let mut chat = Chat::new(FORMAT.id);
    chat.told = told;
    let (task, trial, reward) = (text_of(val.some("task_id")), text_of(val.some("trial")), val.f64("reward"));
    let run = &mut chat.run.run;
    run.id = Some(format!("{task}/{trial}")).filter(|_| !trial.is_empty()).or_else(|| Some(task.clone()));
    run.title = if trial.is_empty() { format!("Task {task}") } else { format!("Task {task}, trial {trial}") };
    run.labels.push(("task".into(), task));
    if !trial.is_empty() {
        run.labels.push(("trial".into(), trial));
    }
    if let Some(reward) = reward {
        run.labels.push(("reward".into(), reward.to_string()));
        run.outcome = Some(Outcome { verdict: passed(reward), word: String::new(), reward: Some(reward) });
    }
    let info = val.some("info");
    if let Some(error) = info.and_then(|i| i.str("error")).filter(|e| !e.is_empty()) {
        // The attempt broke off; the reward of 0 says nothing about the agent.
        run.outcome = Some(Outcome { verdict: Verdict::Error, word: super::part::cut(&error, 120), reward });
    }
    if let Some(user) = info.and_then(|i| i.path(&["task", "user_id"])).and_then(Val::as_str) {
        run.facts.push(("user".into(), user.into_owned()));
    }
    if let Some(cost) = info.and_then(|i| i.f64("user_cost")) {
        run.facts.push(("user_cost".into(), cost.to_string()));
    }
    run.reference = wanted(info.and_then(|i| i.path(&["task", "actions"])));
    if let Some(list) = val.get("traj") {
        record.each(list, |message| {
            chat.message(message, log);
        });
    }
    chat.finish(log)
}

fn row(record: &Record<'_>, log: &mut Log) -> Run {
    let val = record.val;
    let mut chat = Chat::new(FORMAT.id);
    chat.told = told;
    let meta = val.some("meta");
    let run = &mut chat.run.run;
    let task = text_of(meta.and_then(|m| m.some("task_id")));
    let domain = val.str("task_name").unwrap_or_default();
    run.id = meta.and_then(|m| m.str("id")).map(|s| s.into_owned());
    run.title = format!("Task {task}, {domain}").trim_end_matches([',', ' ']).to_owned();
    let score = val.path(&["eval_result", "score"]).and_then(Val::as_f64);
    for (name, value) in
        [("task", task), ("domain", domain.into_owned()), ("reward", score.map(|s| s.to_string()).unwrap_or_default())]
    {
        if !value.is_empty() {
            run.labels.push((name.into(), value));
        }
    }
    let verdict = match meta.and_then(|m| m.bool("is_correct")) {
        Some(true) => Some(Verdict::Passed),
        Some(false) => Some(Verdict::Failed),
        None => score.map(passed),
    };
    if let Some(verdict) = verdict {
        let word = meta.and_then(|m| m.str("finish_reason")).unwrap_or_default().into_owned();
        run.outcome = Some(Outcome { verdict, word, reward: score });
    }
    if let Some(model) = val.str("model_path") {
        run.model_index(&model);
    }
    if let Some(cost) = meta.and_then(|m| m.f64("agent_cost")) {
        run.totals = Some(Usage { cost: Some(cost), cost_kind: CostKind::Estimated, ..Usage::default() });
    }
    for (name, found) in [("user_model", val.str("user_model_path")), ("benchmark", val.str("benchmark_name"))] {
        if let Some(found) = found {
            run.facts.push((name.into(), found.into_owned()));
        }
    }
    run.reference = wanted(meta.and_then(|m| m.path(&["task_description", "actions"])));
    if let Some(list) = list_of(val).or_else(|| val.get("messages").filter(|l| are_messages(*l))) {
        record.each(list, |message| {
            let before = chat.run.run.steps.len();
            // tau2's user has tools of its own; results carry no id and go by order.
            let calls = message.val.some("tool_calls").filter(|c| !c.is_empty());
            if let (Some(calls), true) = (calls, message.val.get("role").is_some_and(|r| r.is("user"))) {
                let turn = chat.run.new_turn(0);
                for call in calls.items() {
                    let (id, tool, args) = call_of(call);
                    let name = Some("user".into());
                    let draft = Draft { turn: Some(turn), name, span: message.span_of(call), ..Draft::default() };
                    chat.run.call(id.as_deref(), &tool, args, draft);
                }
                if message.val.some("content").is_none() {
                    return log.understood();
                }
            }
            chat.message(message, log);
            // The harness says this in the user's name, for models that need a user's word after a result.
            let prompts = message.val.str("content").is_some_and(|c| c.starts_with("The tool has finished running."));
            if let (true, Some(step)) = (prompts, chat.run.run.steps.get_mut(before)) {
                step.kind = StepKind::Injected;
            }
        });
    } else {
        log.skipped("row without messages");
    }
    chat.finish(log)
}

/// How a line of a few-shot text says who speaks.
const SPEAKERS: [&str; 4] = ["user: ", "assistant: ", "tool: ", "system: "];

fn shown(record: &Record<'_>, text: &str, log: &mut Log) -> Run {
    log.understood();
    let mut chat = Chat::new(FORMAT.id);
    let mut parts: Vec<(&str, String)> = Vec::new();
    for line in text.split('\n') {
        let head = SPEAKERS.iter().find_map(|s| line.strip_prefix(s).map(|rest| (*s, rest)));
        match (head, parts.last_mut()) {
            (Some((who, rest)), _) => parts.push((who, rest.to_owned())),
            (None, Some((_, said))) => {
                said.push('\n');
                said.push_str(line);
            }
            (None, None) => parts.push(("system: ", line.to_owned())),
        }
    }
    for (who, said) in parts {
        let draft = Draft { span: record.span(), ..Draft::default() };
        match who {
            "user: " => chat.run.say(StepKind::Person, Content::text(said), draft),
            "system: " => chat.run.say(StepKind::System, Content::text(said), draft),
            // Python's word for an answer that was a call; the call itself was not written.
            "assistant: " if said.trim() == "None" => continue,
            "assistant: " => chat.run.say(StepKind::Say, Content::text(said), draft),
            _ => {
                let (status, _) = told(&said);
                let observation =
                    Observation { content: Content::text(said), span: draft.span.clone(), ..Observation::default() };
                chat.run.observe(None, None, observation, status, draft)
            }
        };
    }
    chat.finish(log)
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        if is_attempt(val) {
            self.runs.push(attempt(record, log));
        } else if is_row(val) {
            self.runs.push(row(record, log));
        } else if let Some(text) = val.str("messages_display") {
            self.shown += 1;
            self.runs.push(shown(record, &text, log));
        } else {
            log.unknown(&val.str("type").unwrap_or("no traj".into()));
        }
    }

    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run> {
        if self.shown > 0 {
            log.note("calls-not-written", &[("count", self.shown.to_string())]);
        }
        self.runs
    }
}
