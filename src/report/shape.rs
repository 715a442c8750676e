//! The shapes that cross from worker to page, and that `--json` prints. Unknown is `null`, never 0.

use serde::Serialize;

use crate::model::{Finding, ImportReport, Severity};

/// One dropped thing: usually a file; a session with its sub-agents' files is one document.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DocumentSummary {
    pub id: u32,
    /// The name that the rail shows.
    pub name: String,
    /// The page's file ids behind it.
    pub files: Vec<u32>,
    /// Format id; `None` when not recognised.
    pub format: Option<String>,
    /// The format's label, for example `Claude Code`.
    pub format_label: Option<String>,
    pub reports: Vec<ImportReport>,
    /// One summary a run; empty when nothing was recognised, and for documents of skills.
    pub runs: Vec<RunSummary>,
    /// What it is when it is skills; a document is runs or skills, never both.
    pub skills: Option<Box<super::skill::SkillsSummary>>,
}

/// The header of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunSummary {
    pub index: u32,
    pub id: Option<String>,
    pub title: String,
    /// `Claude Code 2.1.39`.
    pub agent: Option<String>,
    pub models: Vec<String>,
    pub outcome: Option<OutcomeSummary>,
    pub steps: u32,
    pub events: u32,
    pub calls: u32,
    pub results: u32,
    pub errors: u32,
    pub unanswered: u32,
    pub usage: UsageSummary,
    pub duration_ms: Option<f64>,
    /// Milliseconds since 1970, and whether the file left the zone out.
    pub started_ms: Option<i64>,
    pub local_time: bool,
    pub topology: TopologySummary,
    pub loops: LoopSummary,
    pub findings: SeverityCounts,
    pub verdict: VerdictLine,
    pub facts: Vec<(String, String)>,
    pub labels: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutcomeSummary {
    /// `finished`, `passed`, `failed`, `limit`, `error` or `cancelled`.
    pub verdict: String,
    /// The file's own word.
    pub word: String,
    pub reward: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsageSummary {
    /// All that went in, cached tokens included.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// Read from a cache.
    pub cached_tokens: Option<u64>,
    pub cache_write_tokens: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
    pub cost_estimated: bool,
    /// Share of the model's turns whose usage the file states; `None` without turns.
    pub known_fraction: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TopologySummary {
    /// The default variant: tree shape, named, loops folded.
    pub hash: String,
    pub exact: bool,
    /// Sixteen heights from 0 to 15: the glyph.
    pub glyph: Vec<u8>,
    /// The default variant as (name, hash); `Job::Topology` gives all of them.
    pub variants: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LoopSummary {
    /// `stuck`, `recovered` or `none`.
    pub verdict: String,
    pub spans: u32,
    pub wasted_steps: u32,
    /// `None` without calls.
    pub waste_ratio: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeverityCounts {
    pub errors: u32,
    pub warnings: u32,
    pub infos: u32,
}

/// The one sentence under the title: a state and a reason, each an id of the message table, with links to steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VerdictLine {
    /// `ok`, `loop`, `warning` or `error`: the mark.
    pub tone: String,
    /// Id in `message::findings`, for example `verdict.recovered`.
    pub state: String,
    /// Sentences behind it: message id and values. A value that begins with `#` is a step number or range
    /// (`#233` or `#233-253`, from 1): the page makes it a link.
    pub reasons: Vec<(String, Vec<(String, String)>)>,
}

/// Which rows a list of steps shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct View {
    /// Words and `tool:` `actor:` `has:error` `loop:` terms.
    pub filter: String,
    /// Only what matters; the rest in folds.
    pub folded: bool,
    /// Folds that were opened, by their first step.
    pub open: Vec<u32>,
}

/// A window of rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rows {
    pub from: u32,
    pub rows: Vec<Row>,
    /// Rows of the whole view.
    pub total: u32,
    /// Steps that satisfy the filter.
    pub hits: u32,
    /// Terms of the filter that mean nothing, as typed.
    pub unknown_terms: Vec<String>,
    /// The rows of the view that are no steps: folds and sub-agents, which may be drawn lower. Empty when they are too
    /// many to be told.
    pub low: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Row {
    Step(StepRow),
    Fold(FoldRow),
    Spawn(SpawnRow),
}

/// A step on one line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepRow {
    /// From 0; shown from 1.
    pub step: u32,
    /// `StepKind::id`.
    pub kind: String,
    /// `Actor::id`.
    pub actor: String,
    /// The tool, or the speaker's name where the file has several; empty: the page names the kind.
    pub label: String,
    /// One line.
    pub preview: String,
    /// True when the preview is code: a command, a path.
    pub mono: bool,
    /// Milliseconds the call took.
    pub duration_ms: Option<f64>,
    pub failed: bool,
    pub unanswered: bool,
    /// Short words for the failure, from the observation.
    pub failure: String,
    /// Depth of the lane: 0 for the main agent.
    pub depth: u8,
    pub group: Option<GroupMark>,
    pub loops: Option<LoopMark>,
    /// Findings at this step.
    pub findings: u16,
}

/// The step's place in a group of parallel calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GroupMark {
    pub size: u16,
    /// From 0.
    pub index: u16,
}

/// The step's place in a loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopMark {
    /// Detector id.
    pub detector: String,
    /// First and last step of the span, from 0.
    pub from: u32,
    pub to: u32,
    /// Which round this step begins, from 1; `None` inside a round.
    pub round: Option<u16>,
    pub times: u16,
}

/// Steps folded into one row.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FoldRow {
    /// First and last step, from 0.
    pub from: u32,
    pub to: u32,
    pub open: bool,
    /// Steps of the fold.
    pub count: u32,
    /// What is inside: tools with counts, most frequent first.
    pub tools: Vec<(String, u32)>,
    /// Texts and thoughts inside.
    pub said: u32,
    pub errors: u32,
    pub duration_ms: Option<f64>,
}

/// The line under a call that started a sub-agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SpawnRow {
    /// The call, from 0.
    pub step: u32,
    pub agent: String,
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub duration_ms: Option<f64>,
    /// False when the sub-agent's own file is not here.
    pub here: bool,
}

/// The whole run at a glance, for the strip and the minimap.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Strip {
    pub steps: u32,
    /// At most as many as asked for, each one or several steps: `u`, `a`, `t`, `s` or `e` for the actor that has most
    /// of them, upper case when one of them failed.
    pub buckets: String,
    /// Failed steps, from 0; at most a thousand.
    pub errors: Vec<u32>,
    /// Loop spans as (first, last, detector id).
    pub loops: Vec<(u32, u32, String)>,
    /// Compactions, as steps.
    pub compactions: Vec<u32>,
}

/// Everything about one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Detail {
    pub row: StepRow,
    /// The sub-agent's name, when it is not the main agent's step.
    pub lane: Option<String>,
    pub model: Option<String>,
    /// Milliseconds from the run's first moment.
    pub offset_ms: Option<f64>,
    pub at_ms: Option<i64>,
    pub local_time: bool,
    pub exit_code: Option<i64>,
    /// Usage of the model's turn that this step belongs to.
    pub usage: Option<UsageSummary>,
    /// How many steps share that turn.
    pub turn_steps: u32,
    /// What the agent said just before, in the same turn or the step before.
    pub before: Option<Context>,
    pub sections: Vec<Section>,
    /// What came of it: the next action that matters.
    pub after: Option<Context>,
    pub findings: Vec<Finding>,
    /// Steps with the same call, this one left out; at most a hundred.
    pub same: Vec<u32>,
    pub place: SourcePlace,
}

/// Where the record stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SourcePlace {
    pub file: String,
    pub line: Option<u32>,
    pub pointer: String,
}

/// A neighbouring step, shortened.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Context {
    pub row: StepRow,
    pub blocks: Vec<Block>,
}

/// A titled part of the inspector.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// `said`, `thought`, `arguments`, `change`, `result`, `summary`, `record`.
    pub kind: String,
    /// Lines and characters of the whole text behind it; `None` where that says nothing.
    pub lines: Option<u32>,
    pub chars: Option<u32>,
    pub blocks: Vec<Block>,
}

/// A piece of content, ready to be drawn. Text from files stays text: nothing here is HTML.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    Markdown {
        nodes: Vec<Md>,
    },
    /// A JSON tree, flattened in order.
    Json {
        rows: Vec<JsonRow>,
        cut: u32,
    },
    /// Lines of terminal output or plain text; `cut` lines more are not here.
    Lines {
        lines: Vec<Vec<Run>>,
        cut: u32,
    },
    Diff(Diff),
    Picture {
        mime: String,
        data: String,
    },
    /// A medium that is not in the file, only named.
    Reference {
        mime: String,
        name: String,
    },
}

/// A stretch of text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Run {
    #[serde(rename = "t")]
    pub text: String,
    /// Colour 0 to 15 of the terminal's palette.
    #[serde(rename = "f", skip_serializing_if = "Option::is_none")]
    pub colour: Option<u8>,
    #[serde(rename = "b", skip_serializing_if = "std::ops::Not::not")]
    pub bold: bool,
    #[serde(rename = "d", skip_serializing_if = "std::ops::Not::not")]
    pub dim: bool,
    #[serde(rename = "i", skip_serializing_if = "std::ops::Not::not")]
    pub italic: bool,
    #[serde(rename = "u", skip_serializing_if = "std::ops::Not::not")]
    pub underline: bool,
}

/// One line of a JSON tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JsonRow {
    pub depth: u8,
    /// Empty for members of an array and the root.
    pub key: Option<String>,
    /// `string`, `number`, `true`, `false`, `null`, `object`, `array`, `end`.
    pub kind: String,
    /// The value as shown; for containers the number of members.
    pub value: String,
    /// Characters that are not shown of a long string.
    pub cut: u32,
}

/// A change of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Diff {
    pub path: String,
    pub added: u32,
    pub removed: u32,
    pub lines: Vec<DiffLine>,
    /// Lines left out at the end.
    pub cut: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DiffLine {
    /// `=`, `+`, `-`, or `…` for a gap.
    pub sign: String,
    pub old: Option<u32>,
    pub new: Option<u32>,
    /// Pieces; the flag marks what changed inside the line.
    pub parts: Vec<(bool, String)>,
}

/// Markdown without raw HTML and without pictures from elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Md {
    Heading { level: u8, inline: Vec<Inline> },
    Para { inline: Vec<Inline> },
    Code { lang: String, text: String },
    List { start: Option<u64>, items: Vec<Vec<Md>> },
    Quote { nodes: Vec<Md> },
    Table { head: Vec<Vec<Inline>>, rows: Vec<Vec<Vec<Inline>>> },
    Rule,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Inline {
    Text {
        text: String,
    },
    Code {
        text: String,
    },
    Strong {
        inline: Vec<Inline>,
    },
    Emph {
        inline: Vec<Inline>,
    },
    Strike {
        inline: Vec<Inline>,
    },
    /// `href` begins with `http:` or `https:`.
    Link {
        href: String,
        inline: Vec<Inline>,
    },
    Break,
}

/// The findings of a run or document, grouped for the screen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FindingsReport {
    /// Sorted by severity, rule, place; at most a thousand a rule.
    pub findings: Vec<Finding>,
    /// All of each rule that fired: rule, severity, count.
    pub counts: Vec<(String, Severity, u32)>,
    /// Rules that ran and found nothing, and rules that could not run, with the reason's message id.
    pub clean: Vec<String>,
    pub skipped: Vec<(String, String)>,
}

/// The loop analysis of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LoopReport {
    pub verdict: String,
    /// Step of the recovery, from 0.
    pub recovery: Option<u32>,
    pub calls: u32,
    pub waste: Waste,
    /// All spans; `spans` lists at most 500, the loops first.
    pub total: u32,
    pub spans: Vec<LoopSpan>,
    pub near: Vec<NearMiss>,
    /// The thresholds it was looked with.
    pub params: Vec<LoopParam>,
    /// What the rules of other programs say.
    pub peers: Vec<PeerReport>,
}

/// A threshold: its sentence is `param.<id>`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LoopParam {
    pub id: String,
    /// The detectors that use it.
    pub detectors: String,
    pub value: f64,
    pub default: f64,
    pub min: f64,
    pub max: f64,
    pub step: f64,
}

/// The rules of another program on this run: its sentence is `peer.<id>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PeerReport {
    pub id: String,
    /// A proper name.
    pub label: String,
    /// How often it fired, and the first steps at which, with what is called there.
    pub fired: u32,
    pub steps: Vec<(u32, String)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Waste {
    pub steps: u32,
    pub ratio: Option<f64>,
    pub tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cost: Option<f64>,
    pub seconds: Option<f64>,
    /// Share of the wasted steps whose turn states its usage; of those with a cost; of those with a time.
    pub known_fraction: Option<f64>,
    pub cost_known: Option<f64>,
    pub seconds_known: Option<f64>,
    /// Only the totals are known: they were spread by length of text.
    pub estimated: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LoopSpan {
    /// Its name is the sentence `detector.<id>`, its definition `detector.<id>.means`.
    pub detector: String,
    /// `loop`, `repeating`, `suspicion` or `info`.
    pub severity: String,
    /// Action-step indices, from 0, `end` exclusive; without a call between for messages and compactions.
    pub start: u32,
    pub end: u32,
    pub period: u32,
    pub times: u32,
    /// First and last step of the run, from 0.
    pub first_step: u32,
    pub last_step: u32,
    pub counts_as_waste: bool,
    pub wasted_steps: u32,
    pub tokens: Option<u64>,
    pub cost: Option<f64>,
    pub seconds: Option<f64>,
    /// Share of the wasted steps whose turn states its usage.
    pub known_fraction: Option<f64>,
    /// The repeated call: tool and a short form of its arguments.
    pub tool: String,
    pub what: String,
    /// Why it fired: message id and values.
    pub why: (String, Vec<(String, String)>),
    /// The rounds: first step of each, with what it cost.
    pub tries: Vec<Try>,
}

/// One round of a loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Try {
    pub step: u32,
    /// What happened between this round and the one before, in one line.
    pub before: String,
    pub failed: bool,
    pub failure: String,
    pub duration_ms: Option<f64>,
    pub tokens: Option<u64>,
    pub wasted: bool,
}

/// Something that nearly was a loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NearMiss {
    pub detector: String,
    pub first_step: u32,
    pub last_step: u32,
    pub have: f64,
    pub need: f64,
    pub why: (String, Vec<(String, String)>),
}

/// What to draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagramOptions {
    /// First and last step, from 0, inclusive; `None` is the whole run.
    pub range: Option<(u32, u32)>,
    pub fold_loops: bool,
    pub arguments: bool,
    pub thoughts: bool,
    /// From 0.
    pub page: u32,
    /// Tag of the language of the diagram's own words.
    pub lang: String,
}

impl Default for DiagramOptions {
    fn default() -> Self {
        Self { range: None, fold_loops: true, arguments: true, thoughts: false, page: 0, lang: "en".into() }
    }
}

/// A page of a sequence diagram.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DiagramPage {
    /// Mermaid source.
    pub text: String,
    /// The step of each message arrow, in order of emission, with the ids of its ends.
    pub arrows: Vec<(u32, String, String)>,
    /// The step of each note, in order of emission; `None` for notes about folds.
    pub notes: Vec<Option<u32>>,
    /// The same as a list: step, from, to, text, failed.
    pub list: Vec<DiagramItem>,
    pub page: u32,
    pub pages: u32,
    /// Steps of the range, and how many of them are in arrows or notes of this page, folded in loops, folded as
    /// unimportant, or on other pages.
    pub steps: u32,
    pub shown: u32,
    pub folded: u32,
    pub elsewhere: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DiagramItem {
    pub step: Option<u32>,
    pub from: String,
    pub to: String,
    pub text: String,
    pub failed: bool,
    /// `message`, `result`, `note`, `loop` or `parallel`.
    pub kind: String,
}

/// A window of a text, for the raw view.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TextWindow {
    /// First line, from 0.
    pub from: u32,
    /// Lines, long ones cut at 2,000 characters.
    pub lines: Vec<String>,
    pub total: u32,
}

/// Where the raw text of a step is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RawText {
    /// Here it is.
    Text { text: String },
    /// In the file: the page reads this byte range.
    Range { file: u32, start: u64, end: u64 },
    /// The text is not kept.
    Nowhere,
}

/// What a search over everything open found, for the palette.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hit {
    pub document: u32,
    pub run: u32,
    pub row: StepRow,
}
