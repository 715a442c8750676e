//! Several files of one session become one run: a sub-agent's file goes behind the call that started it.
//! O(steps of the session).

use crate::model::{LaneId, Run};

impl Run {
    /// Takes in the run of a sub-agent. Its steps go behind the call whose `spawn` names `agent`, or to the end when
    /// `anywhere` is set. Returns the child when it finds no place. `file` is the index of its file in the document.
    pub fn attach(&mut self, mut child: Run, agent: &str, file: u16, anywhere: bool) -> Result<(), Box<Run>> {
        let call = self.steps.iter().position(|s| {
            s.call
                .as_deref()
                .and_then(|c| c.spawn.as_deref())
                .is_some_and(|s| s.lane.is_none() && s.agent_id.as_deref() == Some(agent))
        });
        if call.is_none() && !anywhere {
            return Err(Box::new(child));
        }
        if self.lanes.len() + child.lanes.len() > LaneId::MAX as usize {
            return Err(Box::new(child));
        }
        let lane = self.lanes.len() as LaneId;
        let turn = self.turns.len() as u32;
        let batch = self.steps.iter().filter_map(|s| s.batch).max().unwrap_or(0);
        let parent = call.and_then(|c| self.steps.get(c)).map_or(0, |s| s.lane);
        for skill in std::mem::take(&mut child.skills) {
            self.declare(skill);
        }
        self.skills_partial |= child.skills_partial;
        let models: Vec<u16> = child.models.iter().map(|m| self.model_index(m)).collect();
        for (i, mut l) in child.lanes.into_iter().enumerate() {
            l.parent = Some(if i == 0 { parent } else { l.parent.unwrap_or(0) + lane });
            if i == 0 {
                l.agent_id = Some(agent.to_owned());
                if l.name.is_empty() {
                    l.name = agent.to_owned();
                }
            }
            self.lanes.push(l);
        }
        for mut t in child.turns {
            t.lane += lane;
            t.model = t.model.and_then(|m| models.get(m as usize).copied());
            self.turns.push(t);
        }
        for step in &mut child.steps {
            step.lane += lane;
            step.turn = step.turn.map(|t| t + turn);
            step.batch = step.batch.map(|b| b + batch);
            step.span.file = file;
            if let Some(call) = step.call.as_deref_mut() {
                if let Some(spawn) = call.spawn.as_deref_mut() {
                    spawn.lane = spawn.lane.map(|l| l + lane);
                }
                if let Some(observation) = &mut call.observation {
                    observation.span.file = file;
                }
            }
        }
        if let Some(spawn) = call
            .and_then(|c| self.steps.get_mut(c))
            .and_then(|s| s.call.as_deref_mut())
            .and_then(|c| c.spawn.as_deref_mut())
        {
            spawn.lane = Some(lane);
        }
        let at = call.map_or(self.steps.len(), |c| c + 1);
        self.steps.splice(at..at, child.steps);
        Ok(())
    }
}
