//! Many runs as a table: the plain shapes that cross from worker to page. Unknown is `None`, never 0, and is counted apart.
//!
//! A run is named by two numbers: which of the documents that the job lists, and which run of it. So an answer needs
//! no number of the worker's own.

use serde::Serialize;

use super::shape::{OutcomeSummary, SeverityCounts};

/// A run of the table: place of its document in the job's list, number in the document, both from 0.
pub type At = (u32, u32);

/// Which rows, in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ManyView {
    /// Words and terms; docs/many-runs.md lists them.
    pub filter: String,
    /// A column of the runs, or of the groups where there are any; empty: the order of the files, or the largest first.
    pub sort: String,
    /// The other way round. What is unknown stands last either way.
    pub turned: bool,
    /// `none`, `topology`, `task`, `model`, `outcome` or `file`.
    pub group: String,
    /// Keys of groups that are open; of the only group, which is open by itself, that it is closed.
    pub open: Vec<String>,
}

/// A window of rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ManyRows {
    pub from: u32,
    pub rows: Vec<ManyRow>,
    /// Rows of the whole list.
    pub total: u32,
    /// Runs that satisfy the filter, and groups of them.
    pub runs: u32,
    pub groups: u32,
    /// All runs.
    pub of: u32,
    /// Runs of the largest group: the length of the longest bar.
    pub largest: u32,
    /// Most calls of a run: the right end of the dots.
    pub most_calls: u32,
    /// Terms of the filter that mean nothing, as typed.
    pub unknown_terms: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ManyRow {
    Group(GroupLine),
    Run(RunLine),
}

/// Runs that have something in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GroupLine {
    /// What they have in common: the hash, the task, the model, the verdict or the file; empty where a run has none.
    pub key: String,
    /// The glyph's heights, for topologies.
    pub glyph: Vec<u8>,
    /// For topologies the calls in order, loops written once; else the key.
    pub name: String,
    pub runs: u32,
    pub passed: u32,
    pub failed: u32,
    /// Runs whose file does not say whether they passed.
    pub unknown: u32,
    pub open: bool,
    /// The first of its runs.
    pub first: At,
    /// Circles at their calls as three paths for `<path d>`, in a box of 120 by 20: passed, failed, not said.
    pub dots: Vec<String>,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunLine {
    pub document: u32,
    pub run: u32,
    /// Stands in an open group.
    pub nested: bool,
    pub title: String,
    /// The name of its document; empty where there is only one.
    pub file: String,
    /// What the file says: passed, failed, or nothing of the kind.
    pub passed: Option<bool>,
    pub outcome: Option<OutcomeSummary>,
    pub steps: u32,
    pub calls: u32,
    pub errors: u32,
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
    pub cost_estimated: bool,
    pub duration_ms: Option<f64>,
    /// Spans that are loops, and how it came out of them: `stuck`, `recovered` or `none`.
    pub loops: u32,
    pub loop_verdict: String,
    pub waste_ratio: Option<f64>,
    pub findings: SeverityCounts,
    pub hash: String,
    pub glyph: Vec<u8>,
}

/// A sum over the runs that carry the figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct KnownSum {
    pub sum: f64,
    /// Runs that carry it, and those among them whose figure is an estimate.
    pub known: u32,
    pub estimated: u32,
}

/// What the runs of a filter are together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ManyReport {
    pub runs: u32,
    pub topologies: u32,
    pub passed: u32,
    pub failed: u32,
    pub unknown: u32,
    /// The share that passed, of those whose file says so: the interval of Wilson at 95 %.
    pub interval: Option<(f64, f64)>,
    pub calls: u64,
    pub errors: u64,
    /// Runs with a loop, and runs that stayed in one.
    pub loop_runs: u32,
    pub stuck_runs: u32,
    pub tokens: KnownSum,
    /// US dollars.
    pub cost: KnownSum,
    pub duration_ms: KnownSum,
    /// Of the shapes of at least five judged runs and a twentieth of all such runs the one that passed most, and least; two different ones or none.
    pub best: Option<GroupLine>,
    pub worst: Option<GroupLine>,
    /// Calls per run in at most twelve bins: first and last count of the bin, runs passed, failed, not said.
    pub bins: Vec<CallBin>,
    /// Tasks by the trials that passed; only tasks with several trials, all of them judged.
    pub trials: Vec<TrialLine>,
    /// Tasks with a trial that passed and one that failed; the first such pair.
    pub mixed_tasks: u32,
    pub mixed_pair: Option<(At, At)>,
    /// Ways to group that tell these runs apart.
    pub groups: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CallBin {
    pub first: u32,
    pub last: u32,
    pub passed: u32,
    pub failed: u32,
    pub unknown: u32,
}

/// How many tasks passed in so many of so many trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TrialLine {
    pub passed: u32,
    pub of: u32,
    pub tasks: u32,
}

/// A topology beside another one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NearLine {
    pub line: GroupLine,
    /// Weighted Jaccard index of the edges of both directly-follows graphs, 0 to 1.
    pub similarity: f64,
}

/// Topologies against each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ManyMatrix {
    /// Each one followed by the one most like it among the rest, beginning with the largest.
    pub lines: Vec<GroupLine>,
    /// Row by row, as in [`NearLine`].
    pub cells: Vec<f64>,
    /// Topologies of the filter, of which the largest are here.
    pub of: u32,
}

/// What a group of runs does in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConsensusReport {
    /// Runs of the group, and those that were looked at.
    pub runs: u32,
    pub looked_at: u32,
    pub passed: u32,
    pub failed: u32,
    pub unknown: u32,
    /// The run that has most in common with the others, and its title.
    pub middle: Option<At>,
    pub middle_title: String,
    /// The mean share that the runs have in common with it.
    pub agreement: Option<f64>,
    /// Its actions.
    pub steps: Vec<ConsensusLine>,
    /// Actions that are not listed.
    pub cut: u32,
    /// Actions that all runs begin with.
    pub common: u32,
    /// What they do next: most runs first. Empty when all end there.
    pub branches: Vec<BranchLine>,
}

/// An action of the middle run, and who does it too at its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConsensusLine {
    /// Of the middle run, from 0.
    pub step: u32,
    pub tool: String,
    pub preview: String,
    /// Runs that have it, in order; and how many of the passed and of the failed do.
    pub have: u32,
    pub passed: u32,
    pub failed: u32,
    /// The runs do not all go on together from here.
    pub splits: bool,
}

/// One way on from the place where the runs part.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BranchLine {
    /// Empty: the run ends.
    pub tool: String,
    pub preview: String,
    pub runs: u32,
    pub passed: u32,
    pub failed: u32,
    pub unknown: u32,
    /// One of them, and its step, from 0.
    pub example: At,
    pub step: Option<u32>,
}
