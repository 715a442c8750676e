//! The only serialised API between page and worker: a [`Job`] goes in, an [`Outcome`] comes back, [`Progress`] on the way.
//!
//! A message is a JSON text, for [`Job::Chunk`] with the bytes as a transferred `ArrayBuffer` beside it. Answers carry
//! the id of their job, so that late ones can be told from awaited ones.

use serde::{Deserialize, Serialize};

use crate::report::{
    Detail, DiagramOptions, DiagramPage, DocumentSummary, FindingsReport, Hit, LoopReport, MetricsReport, PriceList,
    RawText, Rows, RunSummary, Strip, TextWindow, TopologyReport, TurnRows, UsageReport, View, WaterfallReport,
};

/// Page and worker must agree on this; a worker of another build may be in the browser's cache.
pub const PROTOCOL: u32 = 1;

/// A job with its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub id: u32,
    pub job: Job,
}

/// What the page may ask for. `document` and `file` are ids, `run` and `step` indices from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// A file begins. `name` is its path inside the drop; `format` forces one.
    Open {
        file: u32,
        name: String,
        size: u64,
        format: Option<String>,
    },
    /// The next bytes of the file; they come beside the message.
    Chunk {
        file: u32,
    },
    /// The file is complete: it is imported. Answer: `Imported`.
    Finish {
        file: u32,
    },
    /// The file is not wanted any more.
    Cancel {
        file: u32,
    },
    /// Every file of a drop is there: files of one session are joined, runs analysed. Answer: `Documents`.
    Assemble {
        files: Vec<u32>,
    },
    Close {
        document: u32,
    },
    /// Summaries of the runs of a document, filtered by words; for documents with many.
    Runs {
        document: u32,
        filter: String,
        from: u32,
        count: u32,
    },
    Rows {
        document: u32,
        run: u32,
        view: View,
        from: u32,
        count: u32,
    },
    /// The row of a step in a view (opening folds is the page's decision), or the next step of a kind.
    Find {
        document: u32,
        run: u32,
        view: View,
        seek: Seek,
    },
    Strip {
        document: u32,
        run: u32,
        buckets: u32,
    },
    Detail {
        document: u32,
        run: u32,
        step: u32,
    },
    Raw {
        document: u32,
        run: u32,
        step: u32,
    },
    Findings {
        document: u32,
        run: u32,
    },
    Loops {
        document: u32,
        run: u32,
    },
    /// The same with other thresholds, named by the ids of `LoopReport::params`; those that are not named are as by
    /// default. Answer: `Loops`.
    LoopsWith {
        document: u32,
        run: u32,
        params: Vec<(String, f64)>,
    },
    /// Tokens, money and time in at most `buckets` pieces; `prices` replaces the built-in table. Answer: `Usage`.
    Usage {
        document: u32,
        run: u32,
        prices: Option<PriceList>,
        buckets: u32,
    },
    /// A window of the table of turns. Answer: `Turns`.
    Turns {
        document: u32,
        run: u32,
        prices: Option<PriceList>,
        from: u32,
        count: u32,
    },
    /// When what ran, of all steps or of a range (both inclusive); idle stretches above `idle_ms` are cut.
    /// Answer: `Waterfall`.
    Waterfall {
        document: u32,
        run: u32,
        range: Option<(u32, u32)>,
        idle_ms: f64,
        bars: u32,
    },
    /// Answer: `Metrics`.
    Metrics {
        document: u32,
        run: u32,
    },
    /// Answer: `Topology`.
    Topology {
        document: u32,
        run: u32,
    },
    Diagram {
        document: u32,
        run: u32,
        options: DiagramOptions,
    },
    /// Lines of the decoded text of a file of the document, for the raw view.
    Text {
        document: u32,
        report: u32,
        from: u32,
        count: u32,
    },
    /// Steps of everything open whose text has the words.
    Search {
        words: String,
        limit: u32,
    },
}

/// What [`Job::Find`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seek {
    /// This step itself.
    Step { step: u32 },
    /// The next or previous failed step, from `step` exclusive; wraps around.
    Error { step: Option<u32>, back: bool },
    /// The next or previous step with a finding.
    Finding { step: Option<u32>, back: bool },
    /// The next or previous loop's first step.
    Loop { step: Option<u32>, back: bool },
}

/// An answer with the id of its job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    pub id: u32,
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing to say.
    Done,
    /// The first message of a worker.
    Ready {
        protocol: u32,
        build: String,
    },
    /// A file was imported; its document comes with `Assemble`.
    Imported {
        file: u32,
    },
    Documents {
        documents: Vec<DocumentSummary>,
        removed: Vec<u32>,
    },
    Runs {
        from: u32,
        runs: Vec<RunSummary>,
        total: u32,
    },
    Rows {
        rows: Rows,
    },
    /// `None`: there is no such step. `row` is its place in the view, or that of the fold that hides it, whose
    /// first step is `fold`; `None` when the filter hides it.
    Found {
        step: Option<u32>,
        row: Option<u32>,
        fold: Option<u32>,
    },
    Strip {
        strip: Strip,
    },
    Detail {
        detail: Box<Detail>,
    },
    Raw {
        raw: RawText,
    },
    Findings {
        findings: FindingsReport,
    },
    Loops {
        loops: Box<LoopReport>,
    },
    Usage {
        usage: Box<UsageReport>,
    },
    Turns {
        turns: TurnRows,
    },
    Waterfall {
        waterfall: Box<WaterfallReport>,
    },
    Metrics {
        metrics: MetricsReport,
    },
    Topology {
        topology: Box<TopologyReport>,
    },
    Diagram {
        diagram: Box<DiagramPage>,
    },
    Text {
        text: TextWindow,
    },
    Hits {
        hits: Vec<Hit>,
    },
    Progress {
        progress: Progress,
    },
    /// The job could not be done: a message id with its values.
    Fault {
        id: String,
        args: Vec<(String, String)>,
    },
}

/// How far a long job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done: 0 reading, 1 joining, 2 analysing.
    pub phase: u8,
    pub done: u64,
    pub of: u64,
}
