//! Jobs about several runs: comparing two, matching many. The last comparison and its last view are kept, since rows
//! are asked for window by window.

use super::{Workbench, fault};
use crate::align::{Comparison, Params, Sameness, compare};
use crate::matching::reference_run;
use crate::model::Run;
use crate::protocol::{CompareSeek, Outcome};
use crate::report::compare::{CompareOptions, CompareReport, RunRef, compare_report, pair_detail};
use crate::report::compare_print::{Compared, compare_json, compare_markdown};
use crate::report::compare_rows::{CompareListing, CompareView, Sides};
use crate::report::matching::{MatchOptions, Matchable, match_report};

/// Which runs, compared how.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    pub left: RunRef,
    pub right: RunRef,
    pub options: CompareOptions,
}

/// The comparison that was asked for last.
pub struct Kept {
    of: Pairing,
    found: Comparison,
    report: CompareReport,
    listing: Option<(CompareView, CompareListing)>,
}

/// What is asked of a comparison.
pub enum Ask {
    Report,
    Rows { view: CompareView, from: u32, count: u32 },
    Find { view: CompareView, seek: CompareSeek },
    Pair { row: u32 },
    Export { kind: String },
}

fn params(options: &CompareOptions) -> Params {
    Params { same: Sameness::from_id(&options.same).unwrap_or_default(), threshold: options.threshold }
}

impl Workbench {
    pub(super) fn run_of(&self, at: RunRef) -> Option<(&str, &Run)> {
        let document = self.documents.get(&at.document)?;
        Some((document.name.as_str(), &document.runs.get(at.run as usize)?.run))
    }

    /// Answers about a comparison; works it out where it is not the last one.
    pub(super) fn compared(&self, of: Pairing, ask: Ask) -> Outcome {
        let sides = (self.run_of(of.left), self.run_of(of.right));
        let (Some((left_file, left)), Some((right_file, right))) = sides else { return fault("fault.no-run", &[]) };
        let mut cache = self.kept.borrow_mut();
        if cache.as_ref().is_none_or(|k| k.of != of) {
            let found = compare(left, right, &params(&of.options));
            let report = compare_report(left, right, &found);
            *cache = Some(Kept { of: of.clone(), found, report, listing: None });
        }
        let Some(kept) = cache.as_mut() else { return fault("fault.no-run", &[]) };
        let Kept { found, report, listing, .. } = kept;
        let listed = |listing: &'_ mut Option<(CompareView, CompareListing)>, view: &CompareView| {
            if listing.as_ref().is_none_or(|(v, _)| v != view) {
                *listing = Some((view.clone(), CompareListing::new(found, view)));
            }
        };
        match ask {
            Ask::Report => Outcome::Compare { compare: Box::new(report.clone()) },
            Ask::Rows { view, from, count } => {
                listed(listing, &view);
                let Some((_, rows)) = listing else { return fault("fault.no-run", &[]) };
                let sides = Sides::new(left, right, found, report.divergence.as_ref().map(|d| d.row));
                Outcome::CompareRows { rows: rows.window(&sides, from, count) }
            }
            Ask::Find { view, seek } => {
                listed(listing, &view);
                let Some((_, rows)) = listing else { return fault("fault.no-run", &[]) };
                let step_at = |side: usize, step: u32| {
                    let at = found.rows.iter().position(|r| r.steps.get(side) == Some(&Some(step)));
                    at.map(|n| n as u32)
                };
                let row = match seek {
                    CompareSeek::Row { row } => Some(row),
                    CompareSeek::Left { step } => step_at(0, step),
                    CompareSeek::Right { step } => step_at(1, step),
                    CompareSeek::Difference { from, back } => rows.next_difference(found, from, back),
                    CompareSeek::Divergence => report.divergence.as_ref().map(|d| d.row),
                };
                let (place, fold) = row.map_or((None, None), |row| rows.find(row));
                Outcome::Found { step: row, row: place, fold }
            }
            Ask::Pair { row } => match found.rows.get(row as usize) {
                Some(row) => Outcome::ComparePair { pair: Box::new(pair_detail(left, right, row)) },
                None => fault("fault.no-row", &[("row", (u64::from(row) + 1).to_string())]),
            },
            Ask::Export { kind } => {
                let (a, b) = (Compared { file: left_file, run: left }, Compared { file: right_file, run: right });
                let params = params(&of.options);
                let text = match kind.as_str() {
                    "json" => format!("{:#}", compare_json(&a, &b, found, &params)),
                    _ => compare_markdown(&a, &b, found),
                };
                Outcome::Exported { text }
            }
        }
    }

    /// Matches runs; none named: all of the document.
    pub(super) fn matched(
        &self,
        document: u32,
        runs: &[RunRef],
        options: &MatchOptions,
        from: u32,
        count: u32,
    ) -> Outcome {
        let Some(whole) = self.documents.get(&document) else { return fault("fault.no-document", &[]) };
        let all: Vec<RunRef> = match runs {
            [] => (0..whole.runs.len() as u32).map(|run| RunRef { document, run }).collect(),
            some => some.to_vec(),
        };
        let mut matchable = Vec::new();
        for at in all {
            let Some((file, run)) = self.run_of(at) else { return fault("fault.no-run", &[]) };
            matchable.push(Matchable { document: at.document, index: at.run, file, run });
        }
        let (set, ..) = options.read();
        let mut references = Vec::new();
        for at in &options.references {
            let Some((_, run)) = self.run_of(*at) else { return fault("fault.no-run", &[]) };
            references.push(reference_run(&run.title, run, &set));
        }
        if references.is_empty() && whole.runs.iter().all(|r| r.run.reference.is_empty()) {
            return fault("match.no-reference", &[]);
        }
        let report = match_report(&matchable, &references, options, from, count.min(500));
        Outcome::Match { matching: Box::new(report) }
    }
}
