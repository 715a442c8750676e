//! The only serialised API between page and worker: a [`Job`] goes in, an [`Outcome`] comes back, [`Progress`] on the way.
//!
//! A message is a JSON text, for [`Job::Chunk`] with the bytes as a transferred `ArrayBuffer` beside it. Answers carry
//! the id of their job, so that late ones can be told from awaited ones.

mod read;

use serde::Serialize;

// Every shape there is: they are what jobs and outcomes carry.
use crate::report::skill::*;
use crate::report::*;

pub use read::{Read, from_json};

/// Page and worker must agree on this; a worker of another build may be in the browser's cache.
pub const PROTOCOL: u32 = 1;

/// A job with its id.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    pub id: u32,
    pub job: Job,
}

/// What the page may ask for. `document` and `file` are ids, `run` and `step` indices from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// What a file begins with, from its first bytes beside it, before it is read as a whole. Nothing is kept.
    Beginning {
        name: String,
        format: Option<String>,
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
    /// Tokens, money and time in at most `buckets` pieces, or, with `sums`, all up to each of them; the rows of `prices` go
    /// before the built-in ones. Answer: `Usage`.
    Usage {
        document: u32,
        run: u32,
        prices: Option<PriceList>,
        buckets: u32,
        sums: bool,
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
    /// Each call of the run against the skills that it declares and those that are open.
    Contract {
        document: u32,
        run: u32,
    },
    /// Two runs side by side: figures, first divergence, path.
    Compare {
        left: RunRef,
        right: RunRef,
        options: CompareOptions,
    },
    /// A window of the comparison's table.
    CompareRows {
        left: RunRef,
        right: RunRef,
        options: CompareOptions,
        view: CompareView,
        from: u32,
        count: u32,
    },
    /// A place in the table. Answer: `Found`, with the number of the row as `step`.
    CompareFind {
        left: RunRef,
        right: RunRef,
        options: CompareOptions,
        view: CompareView,
        seek: CompareSeek,
    },
    /// Both sides of one row in full, with what differs.
    ComparePair {
        left: RunRef,
        right: RunRef,
        options: CompareOptions,
        row: u32,
    },
    /// The comparison as a file: `markdown` or `json`.
    CompareExport {
        left: RunRef,
        right: RunRef,
        options: CompareOptions,
        kind: String,
    },
    /// Runs against references; without `runs`, all of the document. Verdicts `from..from + count` are listed.
    Match {
        document: u32,
        runs: Vec<RunRef>,
        options: MatchOptions,
        from: u32,
        count: u32,
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
    /// The files of a document of skills. Answer: `Members`.
    Members {
        document: u32,
        options: CheckOptions,
        from: u32,
        count: u32,
    },
    /// One document of the protocol, by its place in its document. Answer: `Skill`.
    Skill {
        document: u32,
        member: u32,
        options: CheckOptions,
    },
    /// The conformance report of a document of skills. Answer: `Conformance`.
    Conformance {
        document: u32,
        options: CheckOptions,
    },
    /// A served index beside the full set. `filter` has words and `capability:` terms. Answer: `Index`.
    Index {
        document: u32,
        site: u32,
        filter: String,
        from: u32,
        count: u32,
        options: CheckOptions,
    },
    /// The full set as a zip for any static host. Answer: `Publish`.
    Publish {
        document: u32,
    },
    /// What the descriptors of a document were made of. Answer: `Neighbour`.
    Neighbour {
        document: u32,
    },
    /// The descriptors of a document as a neighbour has them: `mcp` or `a2a`. Answer: `ExportedSkills`.
    ExportSkills {
        document: u32,
        format: String,
    },
    /// The calls of a run as messages of the protocol. Answer: `File`.
    Invocations {
        document: u32,
        run: u32,
    },
    /// A draft of the descriptor of a tool, from the calls of a run. Answer: `File`.
    DraftSkill {
        document: u32,
        run: u32,
        tool: String,
    },
    /// Two descriptors, each a document and a member of it. Answer: `SkillDifferences`.
    SkillDifferences {
        before: (u32, u32),
        after: (u32, u32),
    },
    /// The conformance report as a file: `json`, `sarif` or `junit`; `now` is an RFC 3339 time. Answer: `File`.
    ExportReport {
        document: u32,
        options: CheckOptions,
        format: String,
        now: String,
    },
    /// JSON that was typed, against the inputs of a descriptor. Answer: `Tried`.
    TryInputs {
        document: u32,
        member: u32,
        text: String,
    },
    /// Every sentence of chapter 12 with its checks. Answer: `Traceability`.
    Traceability,
    /// A provider by what was typed; `page` is the page's own address, `document` one with the full set to compare with.
    /// Answer: `Fetch`, or `VisitRefused`.
    Visit {
        text: String,
        page: String,
        document: Option<u32>,
        options: CheckOptions,
    },
    /// What came of a request of a visit; the bytes come beside the message. Answer: `Fetch` with the next requests
    /// (there may be none while others are under way), at last `Documents`.
    Fetched {
        visit: u32,
        request: u32,
        result: RequestResult,
    },
    EndVisit {
        visit: u32,
    },
    /// A window of the table of many runs, those of all these documents. Answer: `Many`.
    Many {
        documents: Vec<u32>,
        view: ManyView,
        from: u32,
        count: u32,
    },
    /// The figures of those that a filter keeps. Answer: `ManyReport`.
    ManyReport {
        documents: Vec<u32>,
        filter: String,
    },
    /// The topologies that are most like that of a run. Answer: `ManyNear`.
    ManyNear {
        documents: Vec<u32>,
        at: (u32, u32),
        limit: u32,
    },
    /// The largest topologies against each other. Answer: `ManyMatrix`.
    ManyMatrix {
        documents: Vec<u32>,
        filter: String,
        limit: u32,
    },
    /// What the runs of a group do in common; `same` is `tool` or `call`. Answer: `ManyConsensus`.
    ManyConsensus {
        documents: Vec<u32>,
        filter: String,
        group: String,
        key: String,
        same: String,
    },
    /// What the judge's form begins with, and what is known of the run. Answer: `JudgeForm`.
    JudgeForm {
        document: u32,
        run: u32,
    },
    /// Makes the requests of a judgement ready; nothing is sent. `other`: the run to compare with.
    /// Answer: `JudgePlan`, or `JudgeRefused`.
    JudgePlan {
        run: RunRef,
        other: Option<RunRef>,
        setup: Box<JudgeSetup>,
    },
    /// Lines of a request that is ready. Answer: `JudgePreview`.
    JudgePreview {
        judge: u32,
        request: u32,
        from: u32,
        count: u32,
    },
    /// The user confirmed; `now` is an RFC 3339 time. Answer: `JudgeSend` with the first requests, at last `Judged`.
    JudgeStart {
        judge: u32,
        now: String,
    },
    /// What came of a request, and when. Answer: `JudgeSend` with the next ones, at last `Judged` or `JudgeDiagnosis`.
    JudgeAnswer {
        judge: u32,
        request: u32,
        got: Box<JudgeGot>,
        now: String,
    },
    /// No more requests. Answer: `Judged`, with what is there.
    JudgeStop {
        judge: u32,
        now: String,
    },
    /// Why does an endpoint not answer? `origin`: the page's own; `permission`: what the browser says of its local
    /// network. Answer: `JudgeSend`, at last `JudgeDiagnosis`.
    JudgeDoctor {
        setup: Box<JudgeSetup>,
        origin: String,
        permission: String,
        off: bool,
    },
    /// A person's verdict on a criterion of a rubric (its text); `None` takes it back. Without a criterion nothing
    /// changes. Answer: `JudgeLabels`.
    JudgeLabel {
        document: u32,
        run: u32,
        rubric: String,
        criterion: Option<String>,
        label: Option<String>,
    },
    /// Every judgement of a run, with labels and answers. Answer: `File`.
    JudgeExport {
        document: u32,
        run: u32,
    },
    /// What in these runs looks secret or personal. Answer: `ShareSurvey`.
    ShareSurvey {
        runs: Vec<RunRef>,
        choices: ShareChoices,
    },
    /// An analysis page of these runs that begins at `view`, the address's hash; the bytes of the template come beside
    /// the message. Answer: `SharedPage`.
    SharePage {
        runs: Vec<RunRef>,
        choices: ShareChoices,
        view: String,
        /// Tag of the language of the report in it.
        lang: String,
    },
    /// These runs as the data of a link. Answer: `SharedLink`.
    ShareLink {
        runs: Vec<RunRef>,
        choices: ShareChoices,
        view: String,
    },
    /// Steps `range` (both from 0, inclusive) of a run as Markdown for a language model, in about `tokens` tokens.
    /// Answer: `SharedText`.
    ShareText {
        runs: Vec<RunRef>,
        choices: ShareChoices,
        range: (u32, u32),
        tokens: u32,
    },
    /// Merges a side file (empty: none) and asks for the notes, with those of a run. Answer: `Notes`.
    Notes {
        run: Option<RunRef>,
        file: String,
    },
    /// Writes a note; `now` is an RFC 3339 time. Answer: `Notes`.
    SetNote {
        run: RunRef,
        edit: NoteEdit,
        now: String,
    },
    /// Without a name the short name of a step; with one the step of that name that is nearest. Answer: `StepName`.
    StepName {
        run: RunRef,
        step: u32,
        name: String,
    },
}

impl Job {
    /// The documents that the job is about, in the order in which they stand in it.
    pub fn documents_mut(&mut self) -> Vec<&mut u32> {
        match self {
            Job::Close { document }
            | Job::Runs { document, .. }
            | Job::Rows { document, .. }
            | Job::Find { document, .. }
            | Job::Strip { document, .. }
            | Job::Detail { document, .. }
            | Job::Raw { document, .. }
            | Job::Findings { document, .. }
            | Job::Loops { document, .. }
            | Job::LoopsWith { document, .. }
            | Job::Usage { document, .. }
            | Job::Turns { document, .. }
            | Job::Waterfall { document, .. }
            | Job::Metrics { document, .. }
            | Job::Topology { document, .. }
            | Job::Contract { document, .. }
            | Job::Diagram { document, .. }
            | Job::Text { document, .. }
            | Job::Members { document, .. }
            | Job::Skill { document, .. }
            | Job::Conformance { document, .. }
            | Job::Index { document, .. }
            | Job::Publish { document }
            | Job::Neighbour { document }
            | Job::ExportSkills { document, .. }
            | Job::Invocations { document, .. }
            | Job::DraftSkill { document, .. }
            | Job::ExportReport { document, .. }
            | Job::TryInputs { document, .. }
            | Job::JudgeForm { document, .. }
            | Job::JudgeLabel { document, .. }
            | Job::JudgeExport { document, .. } => vec![document],
            Job::JudgePlan { run, other, .. } => {
                std::iter::once(&mut run.document).chain(other.iter_mut().map(|o| &mut o.document)).collect()
            }
            Job::SkillDifferences { before, after } => vec![&mut before.0, &mut after.0],
            Job::Compare { left, right, .. }
            | Job::CompareRows { left, right, .. }
            | Job::CompareFind { left, right, .. }
            | Job::ComparePair { left, right, .. }
            | Job::CompareExport { left, right, .. } => vec![&mut left.document, &mut right.document],
            Job::Match { document, runs, options, .. } => {
                let runs = runs.iter_mut().chain(&mut options.references);
                std::iter::once(document).chain(runs.map(|r| &mut r.document)).collect()
            }
            Job::Visit { document, .. } => document.iter_mut().collect(),
            Job::Notes { run, .. } => run.iter_mut().map(|r| &mut r.document).collect(),
            Job::SetNote { run, .. } | Job::StepName { run, .. } => vec![&mut run.document],
            Job::Many { documents, .. }
            | Job::ManyReport { documents, .. }
            | Job::ManyNear { documents, .. }
            | Job::ManyMatrix { documents, .. }
            | Job::ManyConsensus { documents, .. } => documents.iter_mut().collect(),
            Job::ShareSurvey { runs, .. }
            | Job::SharePage { runs, .. }
            | Job::ShareLink { runs, .. }
            | Job::ShareText { runs, .. } => runs.iter_mut().map(|r| &mut r.document).collect(),
            Job::Open { .. }
            | Job::Chunk { .. }
            | Job::Beginning { .. }
            | Job::Finish { .. }
            | Job::Cancel { .. }
            | Job::Assemble { .. }
            | Job::Search { .. }
            | Job::Traceability
            | Job::Fetched { .. }
            | Job::EndVisit { .. }
            | Job::JudgePreview { .. }
            | Job::JudgeStart { .. }
            | Job::JudgeAnswer { .. }
            | Job::JudgeStop { .. }
            | Job::JudgeDoctor { .. } => Vec::new(),
        }
    }
}

/// What [`Job::Find`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// What [`Job::CompareFind`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CompareSeek {
    /// A row of the whole table.
    Row {
        row: u32,
    },
    /// The row of a step of the left run.
    Left {
        step: u32,
    },
    /// The row of a step of the right run.
    Right {
        step: u32,
    },
    /// The next or previous difference from a row of the table, exclusive; wraps around.
    Difference {
        from: Option<u32>,
        back: bool,
    },
    /// The first divergence.
    Divergence,
    /// The row of an action, counted from 0, of the left run or of the right one.
    LeftAction {
        action: u32,
    },
    RightAction {
        action: u32,
    },
}

/// An answer with the id of its job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    pub id: u32,
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// The first steps of a file that is still being read; none when they cannot be told yet.
    Beginning {
        rows: Rows,
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
        usage: Box<UsageView>,
    },
    Turns {
        turns: Sheet,
    },
    Waterfall {
        waterfall: Box<Plot>,
    },
    Metrics {
        metrics: MetricsView,
    },
    Topology {
        topology: Box<TopologyView>,
    },
    Diagram {
        diagram: Box<DiagramPage>,
    },
    Contract {
        contract: Box<ContractReport>,
    },
    Compare {
        compare: Box<CompareReport>,
    },
    CompareRows {
        rows: CompareRows,
    },
    ComparePair {
        pair: Box<PairDetail>,
    },
    /// A file to keep.
    Exported {
        text: String,
    },
    Match {
        matching: Box<MatchReport>,
    },
    Text {
        text: TextWindow,
    },
    Hits {
        hits: Vec<Hit>,
    },
    Members {
        from: u32,
        members: Vec<MemberRow>,
        total: u32,
    },
    Skill {
        skill: Box<SkillView>,
    },
    Conformance {
        conformance: Box<ConformanceView>,
    },
    Index {
        index: Box<IndexView>,
    },
    Publish {
        publish: Box<PublishView>,
    },
    /// `None`: the descriptors were dropped as they are.
    Neighbour {
        neighbour: Option<Box<NeighbourView>>,
    },
    ExportedSkills {
        file: Blob,
        notes: Vec<NeighbourNote>,
    },
    SkillDifferences {
        differences: Box<DifferencesView>,
    },
    File {
        file: Blob,
    },
    Tried {
        tried: TriedView,
    },
    Traceability {
        rows: Vec<TraceRow>,
    },
    /// Requests to make now; `done` of `of` known requests are answered.
    Fetch {
        visit: u32,
        wanted: Vec<WantedRequest>,
        done: u32,
        of: u32,
    },
    /// The address is not asked at all: why, and what to do.
    VisitRefused {
        message: Sentence,
        remedy: Sentence,
    },
    JudgeForm {
        form: Box<JudgeForm>,
    },
    JudgePlan {
        plan: Box<JudgePlan>,
    },
    /// It cannot be asked like this: why, and what to do.
    JudgeRefused {
        what: Sentence,
        fix: Sentence,
    },
    JudgePreview {
        preview: Box<JudgePreview>,
    },
    /// Requests to make now; there may be none while others are under way.
    JudgeSend {
        judge: u32,
        sends: Vec<JudgeSend>,
        progress: JudgeProgress,
    },
    Judged {
        judged: Box<JudgeView>,
        judgements: u32,
    },
    JudgeDiagnosis {
        diagnosis: Box<JudgeDiagnosis>,
    },
    JudgeLabels {
        labels: Box<JudgeLabels>,
    },
    ShareSurvey {
        survey: Box<ShareSurvey>,
    },
    SharedPage {
        page: Box<SharedPage>,
    },
    SharedLink {
        data: String,
    },
    /// `tokens` is an estimate.
    SharedText {
        text: String,
        tokens: u32,
    },
    Notes {
        notes: Box<NotesView>,
    },
    /// `None`: no step has this name.
    StepName {
        step: Option<u32>,
        name: String,
    },
    Progress {
        progress: Progress,
    },
    Many {
        many: ManyRows,
    },
    ManyReport {
        report: Box<ManyReport>,
    },
    ManyNear {
        near: Vec<NearLine>,
    },
    ManyMatrix {
        matrix: Box<ManyMatrix>,
    },
    ManyConsensus {
        consensus: Box<ConsensusReport>,
    },
    /// The job could not be done: a message id with its values.
    Fault {
        id: String,
        args: Vec<(String, String)>,
    },
}

/// A line of `examples/index.json`: what the page offers to load, read like a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    pub id: String,
    /// Paths below `examples/`, beginning with the id.
    pub files: Vec<String>,
}

/// How far a long job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// What is being done: 0 reading, 1 joining, 2 analysing.
    pub phase: u8,
    pub done: u64,
    pub of: u64,
}
