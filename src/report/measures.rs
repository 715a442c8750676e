//! What crosses from worker to page about usage, metrics and topology. Plain data; unknown is `null`, never 0.

use serde::Serialize;

/// Money by where it comes from. The kinds are never added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoneyReport {
    /// US dollars that the file says were paid.
    pub reported: Option<f64>,
    /// US dollars that the file itself estimates.
    pub by_file: Option<f64>,
    /// US dollars by the price table.
    pub estimated: Option<f64>,
    /// Turns in each sum (for tools: calls), and those without any.
    pub reported_turns: u32,
    pub by_file_turns: u32,
    pub estimated_turns: u32,
    pub unknown_turns: u32,
}

/// A row of a price table: US dollars a million tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PriceRow {
    pub model: String,
    pub input: f64,
    pub output: f64,
    /// `None`: the price of input.
    pub cache_read: Option<f64>,
    pub cache_write: Option<f64>,
}

/// The prices a job uses. `None` in a job: the built-in table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PriceList {
    /// When they were written down, for example `2026-10-01`.
    pub date: String,
    pub rows: Vec<PriceRow>,
}

/// The usage of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsageReport {
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cached: Option<u64>,
    pub cache_write: Option<u64>,
    pub reasoning: Option<u64>,
    pub money: MoneyReport,
    /// Turns, and those that state their tokens.
    pub turns: u32,
    pub known_turns: u32,
    /// Tokens and money are the file's totals: the turns state nothing.
    pub from_totals: bool,
    /// The greatest context of the main agent, with the step where its turn begins.
    pub peak: Option<(u64, u32)>,
    /// Milliseconds of the main agent, by whose they are.
    pub model_ms: Option<f64>,
    pub tool_ms: Option<f64>,
    pub waiting_ms: Option<f64>,
    /// From the first to the last recorded moment.
    pub duration_ms: Option<f64>,
    pub models: Vec<ModelRow>,
    pub tools: Vec<ToolRow>,
    /// The plot, which is a table too: pieces of equally many steps.
    pub buckets: Vec<UsageBucket>,
    /// The table behind the estimates.
    pub prices: PriceList,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelRow {
    /// `None`: the file names no model.
    pub model: Option<String>,
    pub turns: u32,
    pub known_turns: u32,
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cached: Option<u64>,
    pub cache_write: Option<u64>,
    pub money: MoneyReport,
    /// The row of the price table that fits, whether it was used or not.
    pub price: Option<PriceRow>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ToolRow {
    /// `None`: turns that called nothing.
    pub tool: Option<String>,
    pub calls: u32,
    pub errors: u32,
    /// Shares of the turns' tokens, and of how many calls they are known.
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub known_calls: u32,
    pub money: MoneyReport,
    pub ms: Option<f64>,
    pub timed_calls: u32,
    pub longest_ms: Option<f64>,
    pub result_bytes: u64,
    pub longest_result: u64,
    /// The first call.
    pub first: u32,
}

/// A piece of the run: of one step when there is room.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsageBucket {
    /// Steps, from 0, both inclusive.
    pub first: u32,
    pub last: u32,
    pub turns: u32,
    /// Greatest context of the main agent, and of the same turn the parts read from a cache and written to one.
    pub context: Option<u64>,
    pub cached: Option<u64>,
    pub cache_write: Option<u64>,
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub money: MoneyReport,
    pub model_ms: Option<f64>,
    pub tool_ms: Option<f64>,
    pub waiting_ms: Option<f64>,
    /// Sums up to the end of this piece.
    pub all_input: u64,
    pub all_output: u64,
    pub all_money: MoneyReport,
    pub all_ms: f64,
    pub errors: u32,
    pub compactions: u32,
}

/// A window of the table of turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TurnRows {
    pub from: u32,
    pub total: u32,
    pub rows: Vec<TurnRow>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TurnRow {
    /// Number of the turn, from 0, in order of first steps.
    pub turn: u32,
    pub lane: u16,
    /// First and last step, from 0.
    pub first: u32,
    pub last: u32,
    pub calls: u32,
    pub model: Option<String>,
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cached: Option<u64>,
    pub cache_write: Option<u64>,
    pub reasoning: Option<u64>,
    pub cost: Option<f64>,
    /// `reported`, `by-file`, `estimated` or `unknown`.
    pub cost_kind: String,
    /// Milliseconds of its steps.
    pub model_ms: Option<f64>,
    pub tool_ms: Option<f64>,
    /// Sums of all turns up to this one.
    pub all_tokens: u64,
    pub all_money: MoneyReport,
}

/// When what ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WaterfallReport {
    /// Milliseconds since 1970; `None` when the file has no times.
    pub start: Option<i64>,
    pub local_time: bool,
    /// True length, and length of the axis.
    pub ms: f64,
    pub shown_ms: f64,
    /// The limit above which an idle stretch is cut.
    pub idle_ms: f64,
    /// Agents that have bars, by number, with their names.
    pub lanes: Vec<(u16, String)>,
    pub bars: Vec<WaterfallBar>,
    pub gaps: Vec<WaterfallGap>,
    /// Steps without a time.
    pub untimed: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WaterfallBar {
    /// `model` or `tool`.
    pub kind: String,
    pub lane: u16,
    /// Steps, both inclusive; several when bars were joined.
    pub first: u32,
    pub last: u32,
    pub steps: u32,
    /// The tool of a single call.
    pub tool: String,
    pub failed: bool,
    /// On the axis, in milliseconds.
    pub x: f64,
    pub width: f64,
    /// Since the start on the true clock, and how long it took.
    pub at_ms: f64,
    pub ms: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WaterfallGap {
    pub x: f64,
    /// True length.
    pub ms: f64,
    /// The step that ended it.
    pub step: u32,
    /// It ended with a person's message.
    pub person: bool,
}

/// The measures of a run, in sections.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MetricsReport {
    /// Of the definitions: two figures of one version can be compared.
    pub version: u32,
    pub metrics: Vec<Metric>,
    /// Runs that the percentiles are among; 0 without.
    pub among: u32,
}

/// One figure. Its name is the sentence `metric.<id>`, its definition `metric.<id>.means`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metric {
    pub id: String,
    /// `waste`, `course` or `graph`: the sentence `metrics.<section>`.
    pub section: String,
    pub value: Option<f64>,
    /// `ratio`, `count`, `steps`, `edges`, `tokens`, `usd` or `seconds`.
    pub unit: String,
    /// Of how many things it is a figure.
    pub n: Option<u64>,
    /// Share of them that carried the figure.
    pub known_fraction: Option<f64>,
    /// The value is a lower bound: counting stopped there.
    pub capped: bool,
    /// It is spread over the steps by their length, from totals.
    pub estimated: bool,
    /// Steps that show it, at most 50.
    pub steps: Vec<u32>,
    /// Share of the runs of like length with a smaller value, ties by half.
    pub percentile: Option<f64>,
}

/// The shape of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TopologyReport {
    /// Every variant: name, hash, and whether no bound was met.
    pub variants: Vec<(String, String, bool)>,
    /// The canonical text of the default variant, at most its first 4,000 letters, and its whole length.
    pub canonical: String,
    pub canonical_length: u32,
    /// Edges of the directly-follows graph, the most taken first, at most 300; `^` is the start, `$` the end.
    pub edges: Vec<GraphEdge>,
    pub edge_count: u32,
    pub node_count: u32,
    /// The other runs of the document whose graphs are most alike: run, similarity, same default hash.
    pub nearest: Vec<(u32, f64, bool)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraphEdge {
    pub from: String,
    pub to: String,
    pub times: u64,
}
