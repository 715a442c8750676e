//! AgentRewardBench: cleaned runs of web agents (BrowserGym, WebArena, WorkArena, AssistantBench).
//!
//! ```json
//! {"benchmark":"webarena","goal":"…","summary_info":{"cum_reward":1.0,"err_msg":null},"steps":[
//!  {"num":0,"reasoning":"…","action":"click('12')","url":"https://…","last_action_error":"","axtree":"…"}]}
//! ```
//!
//! An action is a piece of code. How it went stands in the next step: its page, its `last_action_error`. The page as a
//! tree is most of the file and becomes the observation. O(bytes).

use super::talk::{Talk, reader};
use super::usage::usage_in;
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff, text_args};
use crate::json::Val;
use crate::model::{CallStatus, Content, Media, Observation, StepKind, Verdict};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "agent-reward-bench",
    label: "AgentRewardBench",
    files: "cleaned runs of web agents",
    marks: &["benchmark", "goal", "summary_info", "steps", "axtree", "last_action_error"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_run(val: Val<'_>) -> bool {
    val.has("summary_info") && val.get("steps").is_some_and(Val::is_array)
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_run) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("summary_info"), "/summary_info")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = val.get("steps").filter(|_| is_run(val)) else {
        return talk.unknown(record, "no summary_info", log);
    };
    talk.next();
    talk.id(val.get("experiment"));
    if let Some(agent) = val.str("agent") {
        talk.run.agent(&agent, None);
    }
    if let Some(model) = val.str("model") {
        talk.run.run.model_index(&model);
    }
    talk.label("benchmark", val.get("benchmark"));
    talk.label("valid", val.get("valid"));
    talk.fact("seed", val.get("seed"));
    let summary = val.get("summary_info");
    let reward = summary.and_then(|s| s.f64("cum_reward"));
    if let Some(reward) = reward {
        talk.run.run.labels.push(("reward".into(), reward.to_string()));
    }
    if let Some(goal) = val.get("goal") {
        let draft = Draft { span: record.span_of(goal), ..Draft::default() };
        talk.text(StepKind::Person, &goal.text(), draft);
    }
    let mut before: Option<usize> = None;
    record.each(list, |one| before = step(talk, one, before, log));
    let broke = summary.and_then(|s| s.str("err_msg")).filter(|e| !e.is_empty());
    let cut = summary.and_then(|s| s.bool("truncated")) == Some(true);
    let verdict = match (broke.is_some(), reward) {
        (true, _) => Verdict::Error,
        (_, Some(r)) if r > 0.0 => Verdict::Passed,
        _ if cut => Verdict::Limit,
        _ => Verdict::Failed,
    };
    talk.outcome(verdict, broke.as_deref().unwrap_or(if cut { "truncated" } else { "" }), reward);
}

/// Reads a step, which answers the action `before`; returns its own action.
fn step(talk: &mut Talk, record: &Record<'_>, before: Option<usize>, log: &mut Log) -> Option<usize> {
    let val = record.val;
    log.understood();
    if let Some(before) = before {
        let error = val.str("last_action_error").filter(|e| !e.is_empty());
        let status = if error.is_some() { CallStatus::Error } else { CallStatus::Ok };
        let tree = val.str("axtree_pruned").or_else(|| val.str("axtree")).unwrap_or_default();
        let text: Vec<&str> =
            [error.as_deref(), Some(tree.as_ref())].into_iter().flatten().filter(|t| !t.is_empty()).collect();
        let media = val.str("screenshot_path").filter(|p| !p.is_empty());
        let media = media.map(|p| Media { mime: "image/png".into(), data: None, reference: Some(p.as_ref().into()) });
        let content = Content { text: text.join("\n").into(), media: media.into_iter().collect() };
        let observation = Observation { content, span: record.span(), ..Observation::default() };
        talk.run.answer_to(before, observation, status);
    }
    let turn = talk.run.new_turn(0);
    talk.run.usage(turn, val.some("stats").map(usage_in).unwrap_or_default());
    let draft = Draft { turn: Some(turn), span: record.span(), ..Draft::default() };
    let action = val.str("action").filter(|a| !a.trim().is_empty());
    let thought = val.str("reasoning").unwrap_or_default();
    // Agents that only act repeat their action as the reasoning.
    if !thought.trim_start().starts_with("<action>") {
        talk.text(StepKind::Thought, &thought, draft.clone());
    }
    let action = action?;
    let tool = action.split('(').next().unwrap_or_default().trim();
    let plain = !tool.is_empty() && tool.chars().all(|c| c.is_alphanumeric() || c == '_');
    Some(talk.run.call(None, if plain { tool } else { "action" }, text_args(&action), draft))
}
