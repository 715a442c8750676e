//! tau2-bench: results with simulations, one simulation a file, and voice runs that are told in ticks.
//!
//! ```json
//! {"timestamp":"…","info":{},"tasks":[{"id":"1"}],"simulations":[{"id":"s","task_id":"1","trial":0,"termination_reason":"user_stop",
//!  "reward_info":{"reward":1.0},"messages":[{"role":"assistant","tool_calls":[{"id":"c","name":"f","arguments":{},"requestor":"assistant"}]},
//!  {"role":"tool","id":"c","content":"…","requestor":"assistant","error":false}]}]}
//! ```
//!
//! The user is played by a model and has tools of its own: its calls stand in a lane. Results name their call in `id`.
//! A voice run says a word or two a tick; what one side says until the other begins is one step. O(bytes).

use super::chat::{Speaker, call_of};
use super::dialect::{Msg, messages};
use super::part::moment;
use super::said::{Said, answer};
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, json_args};
use crate::json::Val;
use crate::model::{CallStatus, CostKind, LaneId, Observation, StepKind, Usage, Verdict, Wanted};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "tau2-bench",
    label: "tau2-bench",
    files: "results, simulations, voice runs",
    marks: &["simulations", "task_id", "termination_reason", "reward_info", "ticks", "trial"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_simulation(val: Val<'_>) -> bool {
    val.has("task_id") && val.has("termination_reason") && (val.has("messages") || val.has("ticks"))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    let results = |v: Val<'_>| v.get("simulations").is_some_and(|s| s.items().any(is_simulation));
    if sample.any(|v| is_simulation(v) || results(v)) {
        return Sniff::Yes;
    }
    match sample.first() {
        Some(first) if first.has("termination_reason") => Sniff::near(1, Reason::NoKey("task_id"), "/task_id"),
        _ => Sniff::no(Reason::NeedsObject("simulations"), "/simulations"),
    }
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if let Some(list) = val.get("simulations") {
        let model = |who: &str| val.path(&["info", who, "llm"]).and_then(Val::as_str).map(|m| m.into_owned());
        let (agent, user) = (model("agent_info"), model("user_info"));
        record.each(list, |one| {
            simulation(talk, one, log);
            if let Some(model) = &agent {
                talk.run.run.model_index(model);
            }
            if let Some(model) = &user {
                talk.run.run.facts.push(("user_model".into(), model.clone()));
            }
            let tasks = val.get("tasks").into_iter().flat_map(Val::items);
            let id = one.val.get("task_id").map(Val::text).unwrap_or_default();
            if let Some(task) = tasks.into_iter().find(|t| t.get("id").is_some_and(|i| i.text() == id)) {
                wanted(talk, task);
            }
        });
        return;
    }
    if is_simulation(val) {
        return simulation(talk, record, log);
    }
    talk.unknown(record, "no simulations", log);
}

fn wanted(talk: &mut Talk, task: Val<'_>) {
    for action in task.path(&["evaluation_criteria", "actions"]).into_iter().flat_map(Val::items) {
        if let Some(tool) = action.str("name") {
            let args = json_args(action.some("arguments").map_or("{}", Val::raw));
            talk.run.run.reference.push(Wanted { tool: tool.as_ref().into(), args });
        }
    }
}

fn simulation(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    talk.next();
    talk.id(val.get("id"));
    let task = val.get("task_id").map(Val::text).unwrap_or_default();
    talk.run.run.title = format!("Task {task}");
    talk.label("task", val.get("task_id"));
    talk.label("trial", val.get("trial"));
    talk.fact("seed", val.get("seed"));
    talk.fact("mode", val.get("mode"));
    let reward = val.get("reward_info").and_then(|r| r.f64("reward"));
    if let Some(reward) = reward {
        talk.run.run.labels.push(("reward".into(), reward.to_string()));
    }
    for check in val.path(&["reward_info", "action_checks"]).into_iter().flat_map(Val::items) {
        let name = check.path(&["action", "name"]).map(Val::text).unwrap_or_default();
        talk.label(&format!("called {name}"), check.get("action_match"));
    }
    if let Some(cost) = val.f64("agent_cost") {
        talk.run.run.totals = Some(Usage { cost: Some(cost), cost_kind: CostKind::Estimated, ..Usage::default() });
    }
    talk.fact("user_cost", val.get("user_cost"));
    let reason = val.str("termination_reason").unwrap_or_default();
    let verdict = match (reward, reason.as_ref()) {
        (_, "max_steps" | "max_errors" | "timeout") => Verdict::Limit,
        (Some(reward), _) if (reward - 1.0).abs() <= 1e-6 => Verdict::Passed,
        (Some(_), _) => Verdict::Failed,
        (None, "agent_error" | "infrastructure_error") => Verdict::Error,
        (None, _) => Verdict::Finished,
    };
    talk.outcome(verdict, &reason, reward);
    match val.get("messages").filter(|l| l.is_array() && !l.is_empty()) {
        Some(list) => record.each(list, |one| message(talk, one, log)),
        None => ticks(talk, record, log),
    }
}

/// The lane of the simulated user, once it acts.
fn user_lane(talk: &mut Talk) -> LaneId {
    talk.run.lane("user", "user simulator", 0)
}

fn message(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    log.understood();
    // Several results in one message.
    if let Some(list) = val.get("tool_messages").filter(|l| l.is_array()) {
        return record.each(list, |one| message(talk, one, log));
    }
    let mut draft = talk.draft(record, val);
    let role = val.str("role").unwrap_or_default();
    let by_user = val.get("requestor").is_some_and(|r| r.is("user"));
    if role == "tool" {
        draft.lane = if by_user { user_lane(talk) } else { 0 };
        let id = val.str("id").or_else(|| val.str("tool_call_id"));
        let failed = val.bool("error") == Some(true);
        let content = val.some("content").map(|c| answer(c).0).unwrap_or_default();
        let status = if failed || content.text.starts_with("Error") { CallStatus::Error } else { CallStatus::Ok };
        let observation = Observation { content, at: draft.at, span: draft.span.clone(), ..Observation::default() };
        talk.run.observe(id.as_deref(), None, observation, status, draft);
        return;
    }
    for mut msg in messages(val, Speaker::Person, &|v| record.span_of(v)) {
        if let (Speaker::Agent, Some(cost)) = (msg.who, val.f64("cost")) {
            msg.usage.cost = Some(cost);
        }
        if msg.who != Speaker::Person {
            talk.tell(msg, &draft);
            continue;
        }
        let (calls, said): (Vec<_>, Vec<_>) = msg.parts.into_iter().partition(|p| matches!(p.said, Said::Call { .. }));
        let said = Msg { parts: said, ..Msg::new(Speaker::Person) };
        if !said.parts.is_empty() {
            talk.tell(said, &draft);
        }
        if !calls.is_empty() {
            let lane = user_lane(talk);
            talk.tell(Msg { parts: calls, ..Msg::new(Speaker::Agent) }, &Draft { lane, ..draft.clone() });
        }
    }
}

/// A voice run.
fn ticks(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let Some(list) = record.val.get("ticks") else { return };
    // The step that either side is still speaking in.
    let mut open: [Option<usize>; 2] = [None, None];
    record.each(list, |tick| {
        let at = tick.val.some("timestamp").and_then(moment);
        for (side, key) in ["agent_chunk", "user_chunk"].iter().enumerate() {
            let Some(chunk) = tick.val.some(key) else { continue };
            if let Some(text) = chunk.str("content").filter(|t| !t.trim().is_empty()) {
                let last = open.get(side).copied().flatten();
                if let Some(step) = last.and_then(|s| talk.run.run.steps.get_mut(s)) {
                    let gap = if step.content.text.ends_with(' ') || text.starts_with(' ') { "" } else { " " };
                    step.content.text = format!("{}{gap}{text}", step.content.text).into();
                } else {
                    let kind = if side == 0 { StepKind::Say } else { StepKind::Person };
                    let turn = (side == 0).then(|| talk.run.new_turn(0));
                    let draft = Draft { at, turn, span: tick.span_of(chunk), ..Draft::default() };
                    let step = talk.text(kind, &text, draft);
                    open = if side == 0 { [step, None] } else { [None, step] };
                }
            }
        }
        for (side, calls, results) in
            [(0, "agent_tool_calls", "agent_tool_results"), (1, "user_tool_calls", "user_tool_results")]
        {
            for call in tick.val.get(calls).into_iter().flat_map(Val::items) {
                let lane = if side == 0 { 0 } else { user_lane(talk) };
                let (id, tool, args) = call_of(call);
                let turn = talk.run.new_turn(lane);
                let draft = Draft { lane, at, turn: Some(turn), span: tick.span_of(call), ..Draft::default() };
                talk.run.call(id.as_deref(), &tool, args, draft);
                open = [None, None];
            }
            for result in tick.val.get(results).into_iter().flat_map(Val::items) {
                let lane = if side == 0 { 0 } else { user_lane(talk) };
                let failed = result.bool("error") == Some(true);
                let content = result.some("content").map(|c| answer(c).0).unwrap_or_default();
                let status = if failed { CallStatus::Error } else { CallStatus::Ok };
                let draft = Draft { lane, at, span: tick.span_of(result), ..Draft::default() };
                let observation = Observation { content, at, span: draft.span.clone(), ..Observation::default() };
                talk.run.observe(result.str("id").as_deref(), None, observation, status, draft);
            }
        }
    });
    // Published runs may have their words taken out.
    if talk.run.is_empty() {
        let draft = talk.draft(record, record.val);
        talk.notice("ticks", &format!("{} ticks without a word", list.len()), false, draft);
    }
    log.understood();
}
