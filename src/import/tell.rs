//! Messages into a run: who speaks decides the kind of a step, a result finds its call, a thought in front of an answer is
//! a step of its own. O(1) a part in the common case.

use super::chat::Speaker;
use super::dialect::{Msg, Part};
use super::part::{split_think, voice};
use super::said::Said;
use super::{Draft, RunBuilder};
use crate::model::{Content, Observation, StepKind, TurnId, Usage};

/// Puts a message into a run; returns the turn when the model spoke.
pub fn tell(run: &mut RunBuilder, msg: Msg, draft: &Draft) -> Option<TurnId> {
    let mut draft = draft.clone();
    draft.at = msg.at.or(draft.at);
    let spoke = matches!(msg.who, Speaker::Agent | Speaker::Named | Speaker::Call);
    if spoke {
        let turn = *draft.turn.get_or_insert_with(|| run.new_turn(draft.lane));
        if let Some(t) = run.run.turns.get_mut(turn as usize).filter(|t| t.id.is_none()) {
            t.id = msg.id;
        }
        if let Some(model) = &msg.model {
            run.model(turn, model);
        }
        if msg.usage != Usage::default() {
            run.usage(turn, msg.usage);
        }
        draft.name = msg.name.or(draft.name);
    } else {
        draft.turn = None;
    }
    for part in msg.parts {
        tell_part(run, msg.who, part, &draft);
    }
    draft.turn
}

/// Puts one part into a run; returns its step, if it made one.
pub fn tell_part(run: &mut RunBuilder, who: Speaker, part: Part, draft: &Draft) -> Option<usize> {
    let draft = Draft { span: part.span, ..draft.clone() };
    match part.said {
        Said::Text(content) => {
            if content.is_empty() {
                return None;
            }
            let kind = match who {
                Speaker::System => StepKind::System,
                Speaker::Person if content.media.is_empty() => voice(&content.text),
                Speaker::Person => StepKind::Person,
                Speaker::Tool => StepKind::Orphan,
                _ => StepKind::Say,
            };
            if let (StepKind::Say, Some((thought, said))) = (kind, split_think(&content.text)) {
                let at = run.say(StepKind::Thought, Content::text(thought), draft.clone());
                if said.trim().is_empty() && content.media.is_empty() {
                    return Some(at);
                }
                let rest = Content { text: said.into(), media: content.media };
                return Some(run.say(kind, rest, draft));
            }
            Some(run.say(kind, content, draft))
        }
        Said::Thought(text) => Some(run.say(StepKind::Thought, Content::text(text), draft)),
        Said::Call { id, tool, args, done } => {
            let step = run.call(id.as_deref(), &tool, args, draft);
            if let Some(status) = done {
                run.edit_call(step, |call| call.status = status);
            }
            Some(step)
        }
        Said::Result { id, tool, content, status } => {
            let observation = Observation { content, at: draft.at, span: draft.span.clone(), ..Observation::default() };
            Some(run.observe(id.as_deref(), tool.as_deref(), observation, status, Draft { name: None, ..draft }))
        }
        Said::Other(kind, raw) => {
            Some(run.say(StepKind::Raw, Content::text(raw), Draft { label: Some(kind), ..draft }))
        }
    }
}
