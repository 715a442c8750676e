//! Spans of a tracer into runs: what OpenTelemetry, OpenInference, Langfuse, LangSmith and the Agents SDK have in common.
//!
//! A reader turns its records into [`Seg`]s; [`runs`] makes one run of every trace. Tracers write children before
//! their parents, repeat the whole prompt with every model span, and tell a call up to three times: in the model's
//! answer, as a span of the tool, and in the next prompt. So:
//!
//! * order is by start, then depth, then file;
//! * a part of a prompt is new only as often as it was not told before; results go by call id;
//! * a span of a tool is the call of the answer with its id, else one with its name and equal arguments, else its name;
//! * a model span inside a model span is the same request seen twice: the inner one counts;
//! * an agent that does work of its own gets a lane: one that a tool started is its sub-agent, one that another agent
//!   handed over to stands beside it; spans of frameworks that only wrap others are folded away.
//!
//! O(spans × depth + bytes).

use std::collections::HashMap;

use super::chat::Speaker;
use super::dialect::{Msg, Part, with_json};
use super::digest::Digest;
use super::said::Said;
use super::tell::tell_part;
use super::{Draft, Log, RunBuilder, json_args};
use crate::json::Val;
use crate::model::{
    Args, CallStatus, Content, LaneId, Observation, Outcome, Run, Span, Spawn, StepKind, Time, Usage, Verdict,
};

/// What a span stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SegKind {
    Agent,
    Model,
    Tool,
    /// A wrapper, a retriever, a guardrail: looked through.
    #[default]
    Other,
}

/// One span, whoever wrote it.
#[derive(Default)]
pub struct Seg {
    pub id: Box<str>,
    pub parent: Option<Box<str>>,
    pub trace: Box<str>,
    pub name: String,
    pub kind: SegKind,
    /// What orders spans: nanoseconds, as far as the file has them.
    pub from: u64,
    pub start: Option<Time>,
    pub end: Option<Time>,
    /// What went wrong, possibly without words.
    pub error: Option<String>,
    pub model: Option<String>,
    pub usage: Usage,
    /// Name of the agent, for spans of agents.
    pub agent: Option<String>,
    pub tool: Option<String>,
    pub call_id: Option<Box<str>>,
    pub args: Option<Args>,
    pub result: Option<Content>,
    pub input: Vec<Msg>,
    pub output: Vec<Msg>,
    pub span: Span,
    /// What a data set says of this span; its first step shows it.
    pub mark: Option<Box<str>>,
    /// Session, user, scores: taken over by the run.
    pub facts: Vec<(String, String)>,
    pub labels: Vec<(String, String)>,
    /// Definitions of tools that went with a request, as JSON.
    pub tools: Option<String>,
}

/// Hops to a parent that are followed.
const MAX_HOPS: usize = 512;

/// The runs of all traces, in the order in which they begin in the file.
pub fn runs(segs: Vec<Seg>, format: &'static str, log: &mut Log) -> Vec<Run> {
    let mut index: HashMap<Box<str>, usize> = HashMap::new();
    let mut traces: Vec<Vec<Seg>> = Vec::new();
    for seg in segs {
        let at = *index.entry(seg.trace.clone()).or_insert_with(|| {
            traces.push(Vec::new());
            traces.len() - 1
        });
        if let Some(list) = traces.get_mut(at) {
            list.push(seg);
        }
    }
    traces.into_iter().map(|list| Trace::new(list, format).build(log)).filter(|r| !r.steps.is_empty()).collect()
}

struct Trace {
    segs: Vec<Seg>,
    /// Index of the parent.
    parents: Vec<Option<usize>>,
    depths: Vec<usize>,
    order: Vec<usize>,
    lanes: Vec<LaneId>,
    run: RunBuilder,
    /// Call id -> step. Looked up only.
    calls: HashMap<Box<str>, usize>,
    /// Calls that no span of a tool has claimed, oldest first.
    loose: Vec<usize>,
    /// How often a part was told in a conversation.
    told: HashMap<u64, u32>,
    /// Which lanes share one conversation.
    scopes: HashMap<LaneId, LaneId>,
    /// Lanes that a call started.
    spawned: HashMap<usize, LaneId>,
    title: String,
    /// Model spans without a word.
    wordless: u64,
    /// How a call without a recorded result ended.
    ends: Vec<(usize, CallStatus)>,
}

impl Trace {
    fn new(segs: Vec<Seg>, format: &'static str) -> Self {
        let by_id: HashMap<&str, usize> = segs.iter().enumerate().map(|(i, s)| (s.id.as_ref(), i)).collect();
        let parents: Vec<Option<usize>> = segs
            .iter()
            .enumerate()
            .map(|(i, s)| s.parent.as_deref().and_then(|p| by_id.get(p).copied()).filter(|p| *p != i))
            .collect();
        let depths: Vec<usize> = (0..segs.len()).map(|i| above(&parents, i).count()).collect();
        let mut order: Vec<usize> = (0..segs.len()).collect();
        let key = |i: &usize| (segs.get(*i).map_or(0, |s| s.from), depths.get(*i).copied().unwrap_or(0), *i);
        order.sort_by_key(key);
        let lanes = vec![0; segs.len()];
        Self {
            segs,
            parents,
            depths,
            order,
            lanes,
            run: RunBuilder::new(format),
            calls: HashMap::new(),
            loose: Vec::new(),
            told: HashMap::new(),
            scopes: HashMap::new(),
            spawned: HashMap::new(),
            title: String::new(),
            wordless: 0,
            ends: Vec::new(),
        }
    }

    fn kind(&self, at: usize) -> SegKind {
        self.segs.get(at).map(|s| s.kind).unwrap_or_default()
    }

    fn build(mut self, log: &mut Log) -> Run {
        self.fold_models();
        self.place();
        self.header();
        let model_inputs = self.models().any(|s| s.input.iter().any(|m| m.who == Speaker::Person));
        let model_systems = self.models().any(|s| s.input.iter().any(|m| m.who == Speaker::System));
        let model_outputs = self.models().any(|s| s.output.iter().any(|m| m.parts.iter().any(|p| is_text(&p.said))));
        // The last words of a run whose model spans have none.
        let mut last_words = Vec::new();
        let mut ended = Vec::new();
        for at in std::mem::take(&mut self.order) {
            let Some(mut seg) = self.segs.get_mut(at).map(std::mem::take) else { continue };
            let lane = self.lanes.get(at).copied().unwrap_or(0);
            log.understood();
            match seg.kind {
                SegKind::Model => self.model(&mut seg, lane),
                SegKind::Tool => self.tool(at, &mut seg, lane),
                SegKind::Agent | SegKind::Other => {
                    let root = self.parents.get(at).copied().flatten().is_none();
                    if root || seg.kind == SegKind::Agent {
                        let mut input = std::mem::take(&mut seg.input);
                        input.retain(|m| if m.who == Speaker::System { !model_systems } else { !model_inputs });
                        self.prompt(input, &seg, lane);
                    }
                    if root && !model_outputs {
                        let output = std::mem::take(&mut seg.output);
                        let seg = Seg { start: seg.end.or(seg.start), ..Seg::default() };
                        last_words.push((output, seg, lane));
                    }
                    if root && let Some(error) = &seg.error {
                        self.run.run.outcome =
                            Some(Outcome { verdict: Verdict::Error, word: super::part::cut(error, 120), reward: None });
                    }
                }
            }
            match seg.kind {
                SegKind::Tool => {}
                SegKind::Agent | SegKind::Other if seg.end.is_some() => ended.push((seg, lane)),
                _ => self.failed(&seg, lane),
            }
        }
        for (output, seg, lane) in last_words {
            self.prompt(output, &seg, lane);
        }
        // What wraps others fails after them.
        for (seg, lane) in ended.iter().rev() {
            self.failed(seg, *lane);
        }
        self.finish(log)
    }

    fn models(&self) -> impl Iterator<Item = &Seg> {
        self.segs.iter().filter(|s| s.kind == SegKind::Model)
    }

    /// A model span around another one is a wrapper; the inner one takes what it lacks from it.
    fn fold_models(&mut self) {
        // Python's word for an answer that was a call.
        let none = |p: &Part| matches!(&p.said, Said::Text(c) if c.media.is_empty() && c.text.trim() == "None");
        for seg in self.segs.iter_mut().filter(|s| s.kind == SegKind::Model) {
            for msg in seg.input.iter_mut().chain(&mut seg.output).filter(|m| m.who == Speaker::Agent) {
                msg.parts.retain(|p| !none(p));
            }
        }
        let inner: Vec<(usize, usize)> = (0..self.segs.len())
            .filter(|i| self.kind(*i) == SegKind::Model)
            .filter_map(|i| Some((i, above(&self.parents, i).find(|p| self.kind(*p) == SegKind::Model)?)))
            .collect();
        let mut counts: HashMap<usize, u32> = HashMap::new();
        for (_, outer) in &inner {
            *counts.entry(*outer).or_insert(0) += 1;
        }
        for (at, outer) in &inner {
            let alone = counts.get(outer) == Some(&1);
            let Some(wrapper) = self.segs.get_mut(*outer) else { continue };
            wrapper.kind = SegKind::Other;
            if !alone {
                continue;
            }
            let (input, output) = (std::mem::take(&mut wrapper.input), std::mem::take(&mut wrapper.output));
            let (usage, model) = (std::mem::take(&mut wrapper.usage), wrapper.model.take());
            let Some(seg) = self.segs.get_mut(*at) else { continue };
            // The richer telling counts: the one that has calls, or anything at all.
            if parts(&output) > parts(&seg.output) {
                seg.output = output;
            }
            if parts(&input) > parts(&seg.input) {
                seg.input = input;
            }
            if seg.usage == Usage::default() {
                seg.usage = usage;
            }
            seg.model = seg.model.take().or(model);
        }
    }

    /// Gives every span the lane of the agent that does it.
    fn place(&mut self) {
        let count = self.segs.len();
        let agent_above = |t: &Self, i: usize| above(&t.parents, i).find(|p| t.kind(*p) == SegKind::Agent);
        let mut works = vec![false; count];
        for i in (0..count).filter(|i| matches!(self.kind(*i), SegKind::Model | SegKind::Tool)) {
            if let Some(slot) = agent_above(self, i).and_then(|a| works.get_mut(a)) {
                *slot = true;
            }
        }
        for (seg, works) in self.segs.iter_mut().zip(&works) {
            if seg.kind == SegKind::Agent && !works && seg.parent.is_some() {
                seg.kind = SegKind::Other;
            }
        }
        let mut agents: Vec<usize> = self.order.iter().copied().filter(|i| self.kind(*i) == SegKind::Agent).collect();
        agents.sort_by_key(|i| self.depths.get(*i).copied().unwrap_or(0));
        // A root that only wraps others hands its lane to the first that works.
        let idle_root = |i: usize| works.get(i) == Some(&false);
        let mut own: HashMap<usize, LaneId> = HashMap::new();
        let mut main: Option<String> = None;
        for at in agents {
            let Some(seg) = self.segs.get(at) else { continue };
            let name = seg.agent.clone().unwrap_or_else(|| seg.name.clone());
            if idle_root(at) && self.segs.len() > 1 {
                own.insert(at, 0);
                continue;
            }
            let outer = above(&self.parents, at).find(|p| own.contains_key(p) && !idle_root(*p));
            let outer_lane = outer.and_then(|o| own.get(&o).copied());
            let starter = above(&self.parents, at)
                .take_while(|p| outer.is_none_or(|o| o != *p))
                .find(|p| self.kind(*p) == SegKind::Tool);
            let lane = match (outer_lane, starter) {
                // A framework's own span: no agent that anybody named.
                (outer, None) if seg.agent.is_none() => outer.unwrap_or(0),
                (None, None) if main.as_ref().is_none_or(|m| *m == name) => {
                    main.get_or_insert(name);
                    0
                }
                (_, Some(tool)) => {
                    let id = self.segs.get(tool).map(|t| t.id.clone()).unwrap_or_default();
                    let lane = self.run.lane(&id, &name, outer_lane.unwrap_or(0));
                    self.scopes.insert(lane, lane);
                    self.spawned.insert(tool, lane);
                    lane
                }
                (outer, None) => {
                    let outer = outer.unwrap_or(0);
                    if self.run.run.lanes.get(outer as usize).is_some_and(|l| l.name == name) {
                        outer
                    } else {
                        let lane = self.run.lane(&format!("{outer}/{name}"), &name, outer);
                        let scope = self.scopes.get(&outer).copied().unwrap_or(outer);
                        self.scopes.insert(lane, scope);
                        lane
                    }
                }
            };
            own.insert(at, lane);
        }
        for i in 0..count {
            let lane = std::iter::once(i).chain(above(&self.parents, i)).find_map(|p| own.get(&p).copied());
            if let Some(slot) = self.lanes.get_mut(i) {
                *slot = lane.unwrap_or(0);
            }
        }
        if let Some(name) = main {
            if self.run.run.lanes.len() > 1
                && let Some(lane) = self.run.run.lanes.first_mut()
            {
                lane.name.clone_from(&name);
            }
            self.run.agent(&name, None);
        }
    }

    fn header(&mut self) {
        let run = &mut self.run.run;
        run.id = self.segs.first().map(|s| s.trace.to_string()).filter(|t| !t.is_empty());
        let root = self.order.iter().find(|i| self.parents.get(**i) == Some(&None)).and_then(|i| self.segs.get(*i));
        self.title = root.map(|r| super::part::cut(&r.name, 120)).unwrap_or_default();
        for seg in &mut self.segs {
            for fact in seg.facts.drain(..) {
                if !run.facts.contains(&fact) && run.facts.len() < 64 {
                    run.facts.push(fact);
                }
            }
            run.labels.append(&mut seg.labels);
            if let Some(tools) = seg.tools.take() {
                with_json(&tools, |list| super::tools::declare(run, list));
            }
        }
    }

    fn model(&mut self, seg: &mut Seg, lane: LaneId) {
        let turn = self.run.new_turn(lane);
        if let Some(model) = &seg.model {
            self.run.model(turn, model);
        }
        let (input, output) = (std::mem::take(&mut seg.input), std::mem::take(&mut seg.output));
        self.prompt(input, seg, lane);
        // Tracers leave the words out by default: that there was a request shows all the same.
        if output.iter().all(|m| m.parts.is_empty()) && seg.error.is_none() {
            self.wordless += 1;
            let draft = Draft {
                lane,
                turn: Some(turn),
                at: seg.end.or(seg.start),
                label: Some("model".into()),
                span: seg.span.clone(),
                ..Draft::default()
            };
            self.run.say(StepKind::Notice, Content::text(seg.name.as_str()), draft);
        }
        let mut usage = std::mem::take(&mut seg.usage);
        for msg in output {
            if usage == Usage::default() {
                usage = msg.usage;
            }
            if let (None, Some(model)) = (&seg.model, &msg.model) {
                self.run.model(turn, model);
            }
            for part in msg.parts {
                let key = self.key(lane, Speaker::Agent, &part.said);
                *self.told.entry(key).or_insert(0) += 1;
                let label = seg.mark.take();
                let draft = Draft { lane, turn: Some(turn), at: seg.end.or(seg.start), label, ..Draft::default() };
                self.part(Speaker::Agent, part, draft);
            }
        }
        self.run.usage(turn, usage);
    }

    /// What a prompt says that was not told before.
    fn prompt(&mut self, input: Vec<Msg>, seg: &Seg, lane: LaneId) {
        let mut now: HashMap<u64, u32> = HashMap::new();
        for mut msg in input {
            let mut turn = None;
            // Some tracers give a tool's name as the role of its answer.
            if msg.who == Speaker::Named
                && let Some(tool) = msg.name.take_if(|name| self.is_tool(name))
            {
                msg.who = Speaker::Tool;
                for part in &mut msg.parts {
                    if let Said::Text(content) = &mut part.said {
                        let content = std::mem::take(content);
                        let status = CallStatus::Unknown;
                        part.said = Said::Result { id: None, tool: Some(tool.clone()), content, status };
                    }
                }
            }
            let spoke = matches!(msg.who, Speaker::Agent | Speaker::Named | Speaker::Call);
            for part in msg.parts {
                if let Said::Result { id: Some(id), .. } = &part.said
                    && let Some(&step) = self.calls.get(id)
                {
                    self.answered(step, part, seg);
                    continue;
                }
                let known = matches!(&part.said, Said::Call { id: Some(id), .. } if self.calls.contains_key(id));
                let key = self.key(lane, msg.who, &part.said);
                let seen = now.entry(key).or_insert(0);
                *seen += 1;
                let told = self.told.entry(key).or_insert(0);
                if known || *told >= *seen {
                    continue;
                }
                *told += 1;
                let turn = spoke.then(|| *turn.get_or_insert_with(|| self.run.new_turn(lane)));
                let draft = Draft { lane, turn, at: msg.at.or(seg.start), ..Draft::default() };
                let step = self.part(msg.who, part, draft);
                // What a sub-agent is asked, no person asked.
                let sub = lane != 0 && self.scopes.get(&lane) == Some(&lane);
                if let (true, Some(step)) = (sub, step.and_then(|s| self.run.run.steps.get_mut(s)))
                    && step.kind == StepKind::Person
                {
                    step.kind = StepKind::Injected;
                }
            }
        }
    }

    fn is_tool(&self, name: &str) -> bool {
        self.run.run.steps.iter().any(|s| s.call.as_ref().is_some_and(|c| *c.tool == *name))
    }

    /// A result that a prompt brings back.
    fn answered(&mut self, step: usize, part: Part, seg: &Seg) {
        if let Said::Result { content, status, .. } = part.said {
            let from_span = self.ends.iter().rev().find(|(s, _)| *s == step).map(|(_, status)| *status);
            let status = from_span.unwrap_or(status);
            let observation = Observation { content, at: seg.start, span: part.span, ..Observation::default() };
            self.run.answer_to(step, observation, status);
        }
    }

    fn part(&mut self, who: Speaker, part: Part, draft: Draft) -> Option<usize> {
        let id = match &part.said {
            Said::Call { id, .. } => Some(id.clone()),
            _ => None,
        };
        let step = tell_part(&mut self.run, who, part, &draft)?;
        if let Some(id) = id {
            self.loose.push(step);
            if let Some(id) = id {
                self.calls.insert(id, step);
            }
        }
        Some(step)
    }

    fn tool(&mut self, at: usize, seg: &mut Seg, lane: LaneId) {
        let mut tool = seg.tool.clone().unwrap_or_else(|| seg.name.clone());
        let mut args = seg.args.take();
        // OpenInference shows a hand-over as a tool of its own name; the answer called another.
        if let Some(to) = seg.name.strip_prefix("handoff to ") {
            tool = format!("transfer_to_{}", to.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "_"));
            args = None;
            seg.result = None;
        }
        let known = seg.call_id.as_deref().and_then(|id| self.calls.get(id).copied());
        let step = known.or_else(|| self.find(lane, &tool, args.as_ref(), seg.call_id.is_some()));
        let draft = Draft { lane, at: seg.start, span: seg.span.clone(), ..Draft::default() };
        let step = match step {
            Some(step) => step,
            None => {
                let args = args.clone().unwrap_or_else(|| json_args("{}"));
                let step = self.run.call(seg.call_id.as_deref(), &tool, args, draft);
                if let Some(id) = &seg.call_id {
                    self.calls.insert(id.clone(), step);
                }
                step
            }
        };
        self.loose.retain(|s| *s != step);
        if let (Some(mark), Some(s)) = (seg.mark.take(), self.run.run.steps.get_mut(step)) {
            s.label = Some(mark);
        }
        let spawn = self.spawned.get(&at).copied();
        let length = seg.start.zip(seg.end).map(|(from, to)| (to.ms - from.ms) as f64).filter(|ms| *ms >= 0.0);
        self.run.edit_call(step, |call| {
            call.duration_ms = call.duration_ms.or(length);
            // The answer named the call; the span has what it was given.
            if let (Some(args), "{}") = (args, call.args.raw.trim()) {
                call.args = args;
            }
            if let Some(lane) = spawn {
                call.spawn = Some(Box::new(Spawn { lane: Some(lane), ..Spawn::default() }));
            }
        });
        let status = if seg.error.is_some() { CallStatus::Error } else { CallStatus::Ok };
        let said = seg.result.take().filter(|c| !c.is_empty());
        let content = said.or_else(|| seg.error.clone().filter(|e| !e.is_empty()).map(Content::text));
        match content {
            Some(content) => {
                let text = Said::Result { id: None, tool: None, content: content.clone(), status };
                let key = self.key(lane, Speaker::Tool, &text);
                *self.told.entry(key).or_insert(0) += 1;
                let observation =
                    Observation { content, at: seg.end, span: seg.span.clone(), ..Observation::default() };
                if self.run.answer_to(step, observation, status).is_none() && status == CallStatus::Error {
                    self.run.edit_call(step, |call| call.status = status);
                }
            }
            // A later prompt may bring the result.
            None if seg.end.is_some() || seg.error.is_some() => self.ends.push((step, status)),
            None => {}
        }
    }

    /// The unclaimed call that a span without an id belongs to.
    fn find(&self, lane: LaneId, tool: &str, args: Option<&Args>, has_id: bool) -> Option<usize> {
        let named = |s: &&usize| {
            let step = self.run.run.steps.get(**s).filter(|s| s.lane == lane);
            let call = step.and_then(|s| s.call.as_ref());
            call.is_some_and(|c| *c.tool == *tool && (c.id.is_none() || !has_id))
        };
        let same = |s: &&usize| {
            let given = self.run.run.steps.get(**s).and_then(|s| s.call.as_ref()).map(|c| compact(&c.args.raw));
            args.is_none_or(|a| given == Some(compact(&a.raw)))
        };
        let found = self.loose.iter().filter(named).find(same);
        let mut by_name = self.loose.iter().filter(named);
        // One call of the name is the one, whatever became of its arguments.
        found.or_else(|| by_name.next().filter(|_| by_name.next().is_none())).copied()
    }

    /// A span of the model or of an agent that failed says so once.
    fn failed(&mut self, seg: &Seg, lane: LaneId) {
        let Some(error) = &seg.error else { return };
        let mut told = self.run.run.steps.iter().rev().filter(|s| s.failed()).take(8);
        let same = |text: &str| !error.is_empty() && text == error;
        if told.any(|s| same(&s.content.text) || s.observation().is_some_and(|o| same(&o.content.text))) {
            return;
        }
        let words = if error.is_empty() { seg.name.as_str() } else { error.as_str() };
        let draft = Draft {
            lane,
            at: seg.end.or(seg.start),
            label: Some("error".into()),
            is_error: true,
            span: seg.span.clone(),
            ..Draft::default()
        };
        self.run.say(StepKind::Notice, Content::text(words), draft);
    }

    /// What makes a part the same part in one conversation. System prompts are each agent's own.
    fn key(&self, lane: LaneId, who: Speaker, said: &Said) -> u64 {
        let scope = match who {
            Speaker::System => u64::from(lane) + 0x1_0000,
            _ => u64::from(self.scopes.get(&lane).copied().unwrap_or(lane)),
        };
        let mut digest = Digest::new(scope);
        let mut add = |text: &str| digest.add(text);
        match said {
            Said::Text(content) => {
                add(match who {
                    Speaker::System => "system",
                    Speaker::Person => "person",
                    Speaker::Tool => "result",
                    _ => "agent",
                });
                add(content.text.trim());
                for medium in &content.media {
                    add(medium.data.as_deref().or(medium.reference.as_deref()).unwrap_or_default());
                }
            }
            Said::Thought(text) => {
                add("thought");
                add(text.trim());
            }
            Said::Call { id: Some(id), .. } => {
                add("call");
                add(id);
            }
            Said::Call { tool, args, .. } => {
                add("call of");
                add(tool);
                add(&compact(&args.raw));
            }
            Said::Result { content, .. } => {
                add("result");
                add(compact(&content.text).trim());
            }
            Said::Other(kind, raw) => {
                add(kind);
                add(raw);
            }
        }
        digest.end()
    }

    fn finish(mut self, log: &mut Log) -> Run {
        if self.wordless > 0 {
            log.note("content-not-recorded", &[("count", self.wordless.to_string())]);
        }
        for (step, status) in std::mem::take(&mut self.ends) {
            let open =
                self.run.run.steps.get(step).and_then(|s| s.call.as_ref()).is_some_and(|c| c.observation.is_none());
            if open {
                self.run.close_call(step, status);
            }
        }
        // A call that hands over names the agent that goes on.
        let plain = |name: &str| -> String {
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let names: Vec<String> = self.run.run.lanes.iter().map(|l| plain(&l.name)).collect();
        for step in &mut self.run.run.steps {
            let Some(call) = step.call.as_deref_mut().filter(|c| c.spawn.is_none()) else { continue };
            let Some(to) = call.tool.strip_prefix("transfer_to_").or_else(|| call.tool.strip_prefix("handoff_to_"))
            else {
                continue;
            };
            let lane = names.iter().position(|n| *n == plain(to)).filter(|l| *l > 0 && *l != step.lane as usize);
            if let Some(lane) = lane.and_then(|l| LaneId::try_from(l).ok()) {
                call.spawn = Some(Box::new(Spawn { lane: Some(lane), ..Spawn::default() }));
            }
        }
        let mut run = self.run.finish();
        if run.title.is_empty() {
            run.title = self.title;
        }
        run
    }
}

/// The ancestors of a span, nearest first.
fn above(parents: &[Option<usize>], at: usize) -> impl Iterator<Item = usize> {
    let mut now = at;
    (0..MAX_HOPS).map_while(move |_| {
        now = parents.get(now).copied().flatten()?;
        (now != at).then_some(now)
    })
}

fn is_text(said: &Said) -> bool {
    matches!(said, Said::Text(content) if !content.is_empty())
}

fn parts(msgs: &[Msg]) -> usize {
    msgs.iter().map(|m| m.parts.len()).sum()
}

/// JSON without the white space between its words.
fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c.is_whitespace() {
            continue;
        } else {
            quoted = c == '"';
        }
        out.push(c);
    }
    out
}

/// The moment of an ISO text or an epoch number in nanoseconds, for ordering.
pub fn nanos(val: Val<'_>) -> u64 {
    let text = val.text();
    if let Ok(n) = text.trim().parse::<u64>()
        && n > 100_000_000_000_000_000
    {
        return n;
    }
    let Some(time) = super::part::moment(val) else { return 0 };
    let below: String = text
        .rsplit_once('.')
        .map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).take(9).collect())
        .unwrap_or_default();
    let fine = format!("{below:0<9}").parse::<u64>().unwrap_or(0) % 1_000_000;
    u64::try_from(time.ms).unwrap_or(0).saturating_mul(1_000_000).saturating_add(fine)
}
