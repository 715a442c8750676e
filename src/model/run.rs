//! The shape of a run: lanes of agents, turns of the model, steps in recorded order. Plain data; every figure is
//! counted here, so that page, exports and tests cannot disagree. Counting is O(steps).

use super::{Skill, Time, Usage};

/// A run that declares more tools than this is no run of our time; the rest are left out.
pub const MAX_SKILLS: usize = 4096;

/// Index of a [`Lane`] in its run; 0 is the main agent.
pub type LaneId = u16;
/// Index of a [`Turn`] in its run.
pub type TurnId = u32;

/// One trajectory.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The session or task id that the file states.
    pub id: Option<String>,
    /// What the person would call this run: the file's own title, or the first thing that was asked.
    pub title: String,
    /// Id of the format in `import::FORMATS`.
    pub format: &'static str,
    /// Version of the format or of the program that wrote it, as the file states it.
    pub format_version: Option<String>,
    pub agent: Agent,
    /// Model names in order of first use.
    pub models: Vec<String>,
    pub lanes: Vec<Lane>,
    pub turns: Vec<Turn>,
    pub steps: Vec<Step>,
    pub outcome: Option<Outcome>,
    /// The file's own totals, where it states them. They win over the sum of the turns.
    pub totals: Option<Usage>,
    /// Further facts of the header, as (name, value): working directory, branch, task.
    pub facts: Vec<(String, String)>,
    /// Labels that a dataset carries, as (name, value).
    pub labels: Vec<(String, String)>,
    /// The calls that the file itself gives as the right ones, in order (tau-bench).
    pub reference: Vec<Wanted>,
    /// The tools that the run itself declares, in order. A name may stand twice, when its schema changed on the way.
    pub skills: Vec<Skill>,
    /// Set when the run is known to have more tools than it declares: a call of another one is then no fault.
    pub skills_partial: bool,
}

/// A call of a reference run: what should have been done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub tool: Box<str>,
    pub args: Args,
}

/// Who wrote the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    pub name: Option<String>,
    pub version: Option<String>,
}

/// A thread of work: the main agent, or a sub-agent that a call started.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// Name of the agent, as the file states it.
    pub name: String,
    /// The agent's id in the file; joins the files of one session.
    pub agent_id: Option<String>,
    pub parent: Option<LaneId>,
}

/// One answer of a model: what its usage belongs to. Several steps may share it.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub lane: LaneId,
    /// The id of the message or response in the file.
    pub id: Option<Box<str>>,
    /// Index into [`Run::models`].
    pub model: Option<u16>,
    pub usage: Usage,
}

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// A person wrote or typed something.
    Person,
    /// The system or developer prompt.
    System,
    /// Text that a program put into the conversation as if a person had said it: reminders, hooks, skill texts.
    Injected,
    /// Reasoning that was not addressed to anybody.
    Thought,
    /// Text of the agent.
    Say,
    /// A tool call and its observation.
    Action,
    /// An observation without a call.
    Orphan,
    /// The conversation was summarised; the text is the summary.
    Compaction,
    /// Something the surrounding program reports: an API error, an abort, a state change.
    Notice,
    /// A record of a kind the importer does not know, kept as it stands.
    Raw,
}

/// Who acts in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    User,
    Agent,
    Tool,
    System,
    Environment,
}

impl StepKind {
    pub fn actor(self) -> Actor {
        match self {
            Self::Person => Actor::User,
            Self::Thought | Self::Say => Actor::Agent,
            Self::Action => Actor::Tool,
            Self::Orphan => Actor::Environment,
            Self::System | Self::Injected | Self::Compaction | Self::Notice | Self::Raw => Actor::System,
        }
    }

    /// The stable word for exports, routes and filters.
    pub fn id(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::System => "system",
            Self::Injected => "injected",
            Self::Thought => "thought",
            Self::Say => "say",
            Self::Action => "action",
            Self::Orphan => "orphan",
            Self::Compaction => "compaction",
            Self::Notice => "notice",
            Self::Raw => "raw",
        }
    }
}

impl Actor {
    pub fn id(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::System => "system",
            Self::Environment => "environment",
        }
    }

    /// The letter on the actor's tile.
    pub fn letter(self) -> char {
        match self {
            Self::User => 'U',
            Self::Agent => 'A',
            Self::Tool => 'T',
            Self::System => 'S',
            Self::Environment => 'E',
        }
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: StepKind,
    pub lane: LaneId,
    pub turn: Option<TurnId>,
    /// Calls of one turn that were issued together share a number; `None` for a call alone.
    pub batch: Option<u32>,
    pub at: Option<Time>,
    /// What was said. Empty for actions.
    pub content: Content,
    /// Present exactly when the kind is [`StepKind::Action`].
    pub call: Option<Box<Call>>,
    /// The speaker's name, where the file has more than one agent or person.
    pub name: Option<Box<str>>,
    /// A label of the source: the kind of an unknown record, of a notice.
    pub label: Option<Box<str>>,
    /// An error that the step itself reports (an API error, an aborted turn).
    pub is_error: bool,
    pub span: Span,
}

/// Text with the pictures that came with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    pub text: Box<str>,
    pub media: Vec<Media>,
}

impl Content {
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), media: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.media.is_empty()
    }
}

/// A picture or other medium inside a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// For example `image/png`.
    pub mime: String,
    /// Base64 when the data is in the file.
    pub data: Option<Box<str>>,
    /// Where it is said to be, when the data is elsewhere. Never fetched.
    pub reference: Option<Box<str>>,
}

/// A tool call with what came of it.
#[derive(Clone, Debug)]
pub struct Call {
    pub id: Option<Box<str>>,
    pub tool: Box<str>,
    pub args: Args,
    pub observation: Option<Observation>,
    pub status: CallStatus,
    /// Milliseconds from call to observation, where the file knows it.
    pub duration_ms: Option<f64>,
    pub spawn: Option<Box<Spawn>>,
}

/// What a call was given: kept as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    pub raw: Box<str>,
    pub form: ArgsForm,
}

/// How [`Args::raw`] is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgsForm {
    /// A JSON text.
    Json,
    /// Free text by design: a shell line, code, a patch.
    Text,
    /// Meant to be JSON, and is not.
    Broken,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallStatus {
    Ok,
    Error,
    /// There is an observation, but the file does not tell how it ended, or there is neither.
    #[default]
    Unknown,
}

/// What a tool gave back.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    pub content: Content,
    pub at: Option<Time>,
    pub exit_code: Option<i64>,
    /// Structured result beside the text, as JSON source (for example a patch).
    pub structured: Option<Box<str>>,
    pub span: Span,
}

/// A sub-agent that a call started.
#[derive(Clone, Debug, Default)]
pub struct Spawn {
    pub agent_id: Option<String>,
    /// The lane that holds its steps, when its file is here.
    pub lane: Option<LaneId>,
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub duration_ms: Option<f64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub verdict: Verdict,
    /// The file's own word, for example `LimitsExceeded`.
    pub word: String,
    pub reward: Option<f64>,
}

/// The common reading of the many words for an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ended by itself, and the file says nothing of success.
    Finished,
    /// The file says that the task was solved.
    Passed,
    /// The file says that the task was not solved.
    Failed,
    /// Ended by a limit of steps, cost or time.
    Limit,
    /// Ended by an error.
    Error,
    /// Ended by a person.
    Cancelled,
}

impl Verdict {
    pub fn id(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Limit => "limit",
            Self::Error => "error",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Where a thing stood in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Index into the document's files.
    pub file: u16,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// Byte range of the record in the decoded text.
    pub start: u32,
    pub end: u32,
    /// JSON pointer inside the record (for line formats) or the file.
    pub pointer: Box<str>,
}

impl Step {
    pub fn actor(&self) -> Actor {
        self.kind.actor()
    }

    pub fn is_action(&self) -> bool {
        self.kind == StepKind::Action
    }

    /// A call that failed, or a notice of an error.
    pub fn failed(&self) -> bool {
        self.is_error || self.call.as_ref().is_some_and(|c| c.status == CallStatus::Error)
    }

    /// The observation of an action.
    pub fn observation(&self) -> Option<&Observation> {
        self.call.as_ref()?.observation.as_ref()
    }
}

impl Run {
    /// Tool calls.
    pub fn calls(&self) -> usize {
        self.steps.iter().filter(|s| s.is_action()).count()
    }

    /// Observations, those without a call included.
    pub fn results(&self) -> usize {
        self.steps.iter().filter(|s| s.observation().is_some() || s.kind == StepKind::Orphan).count()
    }

    /// Observations that report an error, those without a call included. Notices (an API error, an aborted turn) are
    /// no tool's failure and count apart.
    pub fn errors(&self) -> usize {
        self.steps.iter().filter(|s| s.failed() && s.kind != StepKind::Notice).count()
    }

    /// Calls without an observation whose end nothing tells. (A provider's web search says "completed" and no more.)
    pub fn unanswered(&self) -> usize {
        let open = |c: &Call| c.observation.is_none() && c.status == CallStatus::Unknown;
        self.steps.iter().filter(|s| s.call.as_deref().is_some_and(open)).count()
    }

    /// Recorded events: a call and its observation count as two.
    pub fn events(&self) -> usize {
        self.steps.len() + self.steps.iter().filter(|s| s.observation().is_some()).count()
    }

    /// Indices of the action steps, in order. Loops and topology count in these.
    pub fn actions(&self) -> Vec<u32> {
        self.steps.iter().enumerate().filter(|(_, s)| s.is_action()).map(|(i, _)| i as u32).collect()
    }

    /// The usage of the whole run: the file's own totals, else the sum over the turns; unknown stays unknown.
    pub fn usage(&self) -> Usage {
        let sum = self.turns.iter().fold(Usage::default(), |sum, turn| sum.plus(&turn.usage));
        match &self.totals {
            Some(totals) => totals.or(&sum),
            None => sum,
        }
    }

    /// Milliseconds from the first to the last moment that the file records; `None` with fewer than two.
    pub fn duration_ms(&self) -> Option<f64> {
        let mut first: Option<i64> = None;
        let mut last: Option<i64> = None;
        let mut count = 0;
        let moments = self.steps.iter().flat_map(|s| [s.at, s.observation().and_then(|o| o.at)]);
        for at in moments.flatten() {
            count += 1;
            first = Some(first.map_or(at.ms, |f| f.min(at.ms)));
            last = Some(last.map_or(at.ms, |l| l.max(at.ms)));
        }
        if count < 2 {
            return None;
        }
        Some((last? - first?) as f64)
    }

    /// Model names in order of first use: records may have been sorted since they were read.
    pub fn order_models(&mut self) {
        let mut order: Vec<u16> = Vec::new();
        let mut seen = vec![false; self.models.len()];
        let used = self.steps.iter().filter_map(|s| s.turn).filter_map(|t| self.turns.get(t as usize)?.model);
        let rest = self.turns.iter().filter_map(|t| t.model);
        for model in used.chain(rest).chain(0..self.models.len() as u16) {
            if seen.get_mut(model as usize).is_some_and(|s| !std::mem::replace(s, true)) {
                order.push(model);
                if order.len() == self.models.len() {
                    break;
                }
            }
        }
        let mut new_index = vec![0u16; order.len()];
        for (new, old) in order.iter().enumerate() {
            if let Some(slot) = new_index.get_mut(*old as usize) {
                *slot = new as u16;
            }
        }
        self.models = order.iter().filter_map(|old| self.models.get(*old as usize).cloned()).collect();
        for turn in &mut self.turns {
            turn.model = turn.model.and_then(|m| new_index.get(m as usize).copied());
        }
    }

    /// Adds a tool that the run declares. Requests repeat their tools: what is known already is not kept again, and a
    /// name alone gives way to a description.
    pub fn declare(&mut self, skill: Skill) {
        let bare = |s: &Skill| s.inputs.is_none() && s.output.is_none() && s.description.is_none();
        let mut same = self.skills.iter_mut().filter(|s| s.id == skill.id && s.name == skill.name).peekable();
        if bare(&skill) && same.peek().is_some() {
            return;
        }
        for known in same {
            if bare(known) {
                *known = skill;
                return;
            }
            if known.inputs == skill.inputs && known.output == skill.output {
                return;
            }
        }
        if self.skills.len() < MAX_SKILLS {
            self.skills.push(skill);
        }
    }

    /// The call of a step.
    pub fn call_at(&self, step: usize) -> Option<&Call> {
        self.steps.get(step)?.call.as_deref()
    }

    /// Registers a model name and returns its index.
    pub fn model_index(&mut self, name: &str) -> u16 {
        match self.models.iter().position(|m| m == name) {
            Some(at) => at as u16,
            None => {
                self.models.push(name.to_owned());
                (self.models.len() - 1) as u16
            }
        }
    }
}
