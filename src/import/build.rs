//! Steps in, run out: pairs observations with calls, groups parallel calls, keeps usage once a turn.
//!
//! Pairing is by id and nearest earlier unanswered call (ids are reused in the wild: 49 of 200 tau-bench runs), then
//! by tool name, then by order. O(1) a step in the common case.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::model::{
    Agent, Args, ArgsForm, Call, CallStatus, Content, Lane, LaneId, Observation, Run, Span, Step, StepKind, Time, Turn,
    TurnId, Usage,
};

/// What a reader knows of a step before it is placed.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub lane: LaneId,
    pub turn: Option<TurnId>,
    pub at: Option<Time>,
    pub name: Option<Box<str>>,
    pub label: Option<Box<str>>,
    pub is_error: bool,
    pub span: Span,
}

/// Builds one run.
pub struct RunBuilder {
    pub run: Run,
    /// Unanswered calls: lane and id -> step indices, newest last. Looked up only, never iterated.
    open: HashMap<(LaneId, Box<str>), Vec<usize>>,
    /// All unanswered calls, by step.
    waiting: BTreeSet<usize>,
    /// Observations whose call has not come yet. Looked up only.
    early: HashMap<(LaneId, Box<str>), Vec<usize>>,
    turns: HashMap<(LaneId, Box<str>), TurnId>,
    /// Looked up only.
    lanes: HashMap<Box<str>, LaneId>,
    models: HashMap<Box<str>, u16>,
    batches: u32,
}

/// A run that names more models than this is no run of our time; the rest of the names are left out.
const MAX_MODELS: usize = 4096;

impl RunBuilder {
    pub fn new(format: &'static str) -> Self {
        let run = Run { format, lanes: vec![Lane::default()], ..Run::default() };
        Self {
            run,
            open: HashMap::new(),
            waiting: BTreeSet::new(),
            early: HashMap::new(),
            turns: HashMap::new(),
            lanes: HashMap::new(),
            models: HashMap::new(),
            batches: 0,
        }
    }

    pub fn agent(&mut self, name: &str, version: Option<&str>) {
        self.run.agent = Agent { name: Some(name.to_owned()), version: version.map(str::to_owned) };
    }

    pub fn is_empty(&self) -> bool {
        self.run.steps.is_empty()
    }

    /// The lane of an agent id; made on first use as a child of `parent`.
    pub fn lane(&mut self, agent_id: &str, name: &str, parent: LaneId) -> LaneId {
        if let Some(&lane) = self.lanes.get(agent_id) {
            return lane;
        }
        if self.run.lanes.len() >= LaneId::MAX as usize {
            return 0;
        }
        self.run.lanes.push(Lane { name: name.to_owned(), agent_id: Some(agent_id.to_owned()), parent: Some(parent) });
        let lane = (self.run.lanes.len() - 1) as LaneId;
        self.lanes.insert(agent_id.into(), lane);
        lane
    }

    /// The turn with this id in the lane; made on first use.
    pub fn turn(&mut self, lane: LaneId, id: &str) -> TurnId {
        if let Some(&turn) = self.turns.get(&(lane, id.into())) {
            return turn;
        }
        let turn = self.new_turn(lane);
        if let Some(t) = self.run.turns.get_mut(turn as usize) {
            t.id = Some(id.into());
        }
        self.turns.insert((lane, id.into()), turn);
        turn
    }

    /// A turn without an id.
    pub fn new_turn(&mut self, lane: LaneId) -> TurnId {
        self.run.turns.push(Turn { lane, ..Turn::default() });
        (self.run.turns.len() - 1) as TurnId
    }

    /// Sets the usage of a turn; a later snapshot replaces an earlier one.
    pub fn usage(&mut self, turn: TurnId, usage: Usage) {
        if let Some(t) = self.run.turns.get_mut(turn as usize) {
            t.usage = usage;
        }
    }

    pub fn model(&mut self, turn: TurnId, name: &str) {
        if name.is_empty() {
            return;
        }
        let model = match self.models.get(name) {
            Some(&model) => model,
            None if self.models.len() >= MAX_MODELS => return,
            None => {
                let model = self.run.model_index(name);
                self.models.insert(name.into(), model);
                model
            }
        };
        if let Some(t) = self.run.turns.get_mut(turn as usize) {
            t.model = Some(model);
        }
    }

    /// Adds a step that is no call and no observation; returns its index.
    pub fn say(&mut self, kind: StepKind, content: Content, draft: Draft) -> usize {
        self.push(kind, content, None, draft)
    }

    fn push(&mut self, kind: StepKind, content: Content, call: Option<Box<Call>>, draft: Draft) -> usize {
        let Draft { lane, turn, at, name, label, is_error, span } = draft;
        self.run.steps.push(Step { kind, lane, turn, batch: None, at, content, call, name, label, is_error, span });
        self.run.steps.len() - 1
    }

    /// Adds a call; returns its step index. An observation that came early is attached at once.
    pub fn call(&mut self, id: Option<&str>, tool: &str, args: Args, draft: Draft) -> usize {
        let id = id.filter(|id| !id.is_empty());
        let lane = draft.lane;
        // Some programs write an open call again with the next record.
        if let Some(step) = id.and_then(|id| self.open.get(&(lane, id.into()))?.last().copied())
            && self.waiting.contains(&step)
            && self.run.call_at(step).is_some_and(|c| *c.tool == *tool && c.args == args)
        {
            return step;
        }
        let call = Call {
            id: id.map(Into::into),
            tool: tool.into(),
            args,
            observation: None,
            status: CallStatus::Unknown,
            duration_ms: None,
            spawn: None,
        };
        let step = self.push(StepKind::Action, Content::default(), Some(Box::new(call)), draft);
        if let Some(id) = id {
            if let Some(early) = self.early.get_mut(&(lane, id.into())).and_then(Vec::pop) {
                self.adopt_orphan(early, step);
                return step;
            }
            self.open.entry((lane, id.into())).or_default().push(step);
        }
        self.waiting.insert(step);
        step
    }

    /// Attaches an observation to its call; without one it stays visible as an orphan. Returns the step.
    pub fn observe(
        &mut self,
        id: Option<&str>,
        tool: Option<&str>,
        observation: Observation,
        status: CallStatus,
        draft: Draft,
    ) -> usize {
        let id = id.filter(|id| !id.is_empty());
        let lane = draft.lane;
        let step = match id {
            Some(id) => self.newest_open(lane, id).or_else(|| {
                // Some writers leave the id off the call only.
                self.waiting_call(lane, |c| c.id.is_none() && tool.is_some_and(|t| *c.tool == *t))
            }),
            None => tool
                .and_then(|t| self.waiting_call(lane, |c| *c.tool == *t))
                .or_else(|| if tool.is_none() { self.waiting_call(lane, |_| true) } else { None }),
        };
        match step {
            Some(step) => {
                self.waiting.remove(&step);
                self.answer(step, observation, status);
                step
            }
            None => {
                let is_error = status == CallStatus::Error;
                let at = draft.at.or(observation.at);
                let orphan = self.push(
                    StepKind::Orphan,
                    observation.content,
                    None,
                    Draft { is_error, at, label: tool.map(Into::into), ..draft },
                );
                if let Some(id) = id {
                    self.early.entry((lane, id.into())).or_default().push(orphan);
                }
                orphan
            }
        }
    }

    /// Attaches an observation to the call at `step`, for files that name the call itself. `None`, with nothing
    /// attached, when there is no call or it has its answer already.
    pub fn answer_to(&mut self, step: usize, observation: Observation, status: CallStatus) -> Option<usize> {
        if !self.waiting.remove(&step) {
            return None;
        }
        self.answer(step, observation, status);
        Some(step)
    }

    /// The newest unanswered call with this id. Calls that were answered another way are passed over for good.
    fn newest_open(&mut self, lane: LaneId, id: &str) -> Option<usize> {
        let list = self.open.get_mut(&(lane, id.into()))?;
        while let Some(step) = list.pop() {
            if self.waiting.contains(&step) {
                return Some(step);
            }
        }
        None
    }

    /// The oldest unanswered call of the lane that satisfies `test`, among the oldest thousand: a log with more
    /// open calls has no order to go by.
    fn waiting_call(&self, lane: LaneId, test: impl Fn(&Call) -> bool) -> Option<usize> {
        self.waiting
            .iter()
            .take(1000)
            .copied()
            .find(|&w| self.run.steps.get(w).is_some_and(|s| s.lane == lane && s.call.as_deref().is_some_and(&test)))
    }

    /// The call at `step` needs no observation: its own record says how it ended.
    pub fn close_call(&mut self, step: usize, status: CallStatus) {
        self.waiting.remove(&step);
        self.edit_call(step, |call| call.status = status);
    }

    fn answer(&mut self, step: usize, observation: Observation, status: CallStatus) {
        let Some(s) = self.run.steps.get_mut(step) else { return };
        let Some(call) = s.call.as_deref_mut() else { return };
        if call.duration_ms.is_none()
            && let (Some(from), Some(to)) = (s.at, observation.at)
            && to.ms >= from.ms
        {
            call.duration_ms = Some((to.ms - from.ms) as f64);
        }
        call.status = status;
        call.observation = Some(observation);
    }

    /// Turns an orphan into the observation of `step`.
    fn adopt_orphan(&mut self, orphan: usize, step: usize) {
        let Some(o) = self.run.steps.get_mut(orphan) else { return };
        o.kind = StepKind::Raw;
        o.label = Some(ADOPTED.into());
        let status = if o.is_error { CallStatus::Error } else { CallStatus::Ok };
        o.is_error = false;
        let observation = Observation {
            content: std::mem::take(&mut o.content),
            at: o.at,
            span: o.span.clone(),
            ..Observation::default()
        };
        self.answer(step, observation, status);
    }

    /// Edits the call of a step.
    pub fn edit_call(&mut self, step: usize, edit: impl FnOnce(&mut Call)) {
        if let Some(call) = self.run.steps.get_mut(step).and_then(|s| s.call.as_deref_mut()) {
            edit(call);
        }
    }

    /// Marks the calls of one turn that were issued together: two or more calls of the same turn and lane.
    fn batch(&mut self) {
        let mut by_turn: BTreeMap<(LaneId, TurnId), Vec<usize>> = BTreeMap::new();
        for (i, step) in self.run.steps.iter().enumerate() {
            if let (true, Some(turn), None) = (step.is_action(), step.turn, step.batch) {
                by_turn.entry((step.lane, turn)).or_default().push(i);
            }
        }
        let mut groups: Vec<Vec<usize>> = by_turn.into_values().filter(|g| g.len() > 1).collect();
        // In order of their first calls.
        groups.sort();
        for group in groups {
            self.batches += 1;
            for step in group {
                if let Some(s) = self.run.steps.get_mut(step) {
                    s.batch = Some(self.batches);
                }
            }
        }
    }

    /// Puts steps in order of time; steps without a time stay behind the one before them. For logs whose
    /// lines are not written in order.
    pub fn sort_by_time(&mut self) {
        let mut last = i64::MIN;
        let mut keyed: Vec<(i64, Step)> = Vec::with_capacity(self.run.steps.len());
        for step in std::mem::take(&mut self.run.steps) {
            last = step.at.map_or(last, |t| t.ms);
            keyed.push((last, step));
        }
        keyed.sort_by_key(|(at, _)| *at);
        self.run.steps = keyed.into_iter().map(|(_, step)| step).collect();
        // Indices moved: nothing may be paired after this.
        self.open.clear();
        self.waiting.clear();
        self.early.clear();
    }

    /// Moves the steps of each sub-agent behind the step that started it: the call whose `spawn` names the lane, or
    /// the step that `anchors` names. Lanes that nothing explains stand at the end, in lane order. No recursion;
    /// O(steps). Indices move: nothing may be paired after this.
    pub fn nest_lanes(&mut self, anchors: &[(usize, LaneId)]) {
        let run = &mut self.run;
        let lanes = run.lanes.len();
        if lanes < 2 {
            return;
        }
        let mut spawned: Vec<Vec<LaneId>> = vec![Vec::new(); run.steps.len()];
        let mut claimed = vec![false; lanes];
        let by_call =
            run.steps.iter().enumerate().filter_map(|(i, s)| Some((i, s.call.as_ref()?.spawn.as_ref()?.lane?)));
        let pairs: Vec<(usize, LaneId)> = by_call.chain(anchors.iter().copied()).collect();
        for (step, lane) in pairs {
            if let (Some(list), Some(claimed @ false)) = (spawned.get_mut(step), claimed.get_mut(lane as usize)) {
                *claimed = true;
                list.push(lane);
            }
        }
        let mut by_lane: Vec<std::collections::VecDeque<(usize, Step)>> = vec![Default::default(); lanes];
        for (i, step) in std::mem::take(&mut run.steps).into_iter().enumerate() {
            if let Some(list) = by_lane.get_mut(step.lane as usize) {
                list.push_back((i, step));
            }
        }
        // Lanes that are begun from nowhere, last first; the main lane begins.
        let mut stack: Vec<LaneId> =
            (0..lanes).rev().filter(|&l| l == 0 || claimed.get(l) == Some(&false)).map(|l| l as LaneId).collect();
        // A lane that only its own steps start would never come: it stands at the end too.
        let mut rest = (0..lanes).map(|l| l as LaneId);
        loop {
            let Some(&lane) = stack.last() else {
                match rest.next() {
                    Some(lane) => stack.push(lane),
                    None => break,
                }
                continue;
            };
            match by_lane.get_mut(lane as usize).and_then(|l| l.pop_front()) {
                Some((index, step)) => {
                    run.steps.push(step);
                    stack.extend(spawned.get(index).into_iter().flatten().rev().copied());
                }
                None => {
                    stack.pop();
                }
            }
        }
        self.open.clear();
        self.waiting.clear();
        self.early.clear();
    }

    /// The finished run.
    pub fn finish(mut self) -> Run {
        self.run.steps.retain(|s| !(s.kind == StepKind::Raw && s.label.as_deref() == Some(ADOPTED)));
        self.batch();
        self.run.order_models();
        if self.run.title.is_empty() {
            self.run.title = title_of(&self.run);
        }
        self.run
    }
}

/// Mark of a step whose content moved to the call it belongs to.
const ADOPTED: &str = "\u{0}adopted";

/// The first line of the first thing that a person asked.
fn title_of(run: &Run) -> String {
    let said = run.steps.iter().find(|s| s.kind == StepKind::Person && !s.content.text.trim().is_empty());
    let line = said.and_then(|s| s.content.text.lines().find(|l| !l.trim().is_empty())).unwrap_or_default();
    let mut title: String = line.trim().chars().take(120).collect();
    // The first sentence is enough for a title.
    if let Some(end) = title.find(". ").or_else(|| title.find("。")) {
        title.truncate(end);
    }
    title.trim_end_matches(['.', ':']).to_owned()
}

/// Arguments given as a JSON value.
pub fn json_args(raw: &str) -> Args {
    Args { raw: raw.into(), form: ArgsForm::Json }
}

/// Arguments given as a string that should hold JSON: an empty one is an empty object.
pub fn string_args(text: &str) -> Args {
    if text.trim().is_empty() {
        return Args { raw: "{}".into(), form: ArgsForm::Json };
    }
    let mut tape = crate::json::Tape::new();
    let root = tape.parse(text).root();
    let whole = root.is_object() || root.is_array();
    let form = if !tape.is_broken() && whole { ArgsForm::Json } else { ArgsForm::Broken };
    Args { raw: text.into(), form }
}

/// Arguments that are free text by design.
pub fn text_args(text: &str) -> Args {
    Args { raw: text.into(), form: ArgsForm::Text }
}
