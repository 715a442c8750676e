//! Jobs about many runs at once: the table, its figures, nearest shapes, the matrix, the consensus. What was worked out
//! for the last documents is kept, since rows are asked for window by window; it goes when documents come or go.

use super::{Workbench, fault};
use crate::protocol::Outcome;
use crate::report::many::{At, ManyView};
use crate::report::many_list::{Group, ManyList, ManyRun, filtered, grouped};
use crate::report::many_whole::{consensus_report, graphs, many_report, matrix, near};
use crate::topology::Dfg;

/// What is kept of the last documents.
#[derive(Default)]
pub struct Kept {
    documents: Vec<u32>,
    texts: Vec<String>,
    list: Option<(ManyView, ManyList)>,
    /// The topologies of all runs with their graphs.
    shapes: Option<(Vec<Group>, Vec<Dfg>)>,
}

/// What is asked of many runs.
pub enum Ask {
    Rows { view: ManyView, from: u32, count: u32 },
    Report { filter: String },
    Near { at: At, limit: u32 },
    Matrix { filter: String, limit: u32 },
    Consensus { filter: String, group: String, key: String, same: String },
}

impl Workbench {
    /// Answers about the runs of some documents, which are told by their places in the list.
    pub(super) fn many(&self, documents: &[u32], ask: Ask) -> Outcome {
        let mut runs: Vec<ManyRun<'_>> = Vec::new();
        for (place, id) in (0u32..).zip(documents) {
            let Some(document) = self.documents.get(id) else { return fault("fault.no-document", &[]) };
            runs.extend((0u32..).zip(&document.runs).map(|(index, r)| ManyRun {
                document: place,
                index,
                file: &document.name,
                run: &r.run,
                summary: &r.summary,
            }));
        }
        let mut cache = self.many.borrow_mut();
        if cache.documents != documents || cache.texts.len() != runs.len() {
            *cache = Kept {
                documents: documents.to_vec(),
                texts: runs.iter().map(ManyRun::text).collect(),
                ..Kept::default()
            };
        }
        let Kept { texts, list, shapes, .. } = &mut *cache;
        match ask {
            Ask::Rows { view, from, count } => {
                if list.as_ref().is_none_or(|(v, _)| *v != view) {
                    *list = Some((view.clone(), ManyList::new(&runs, texts, &view)));
                }
                let Some((_, list)) = list else { return fault("fault.no-run", &[]) };
                Outcome::Many { many: list.window(&runs, &view, from, count) }
            }
            Ask::Report { filter } => {
                let (hits, _) = filtered(&runs, texts, &filter);
                Outcome::ManyReport { report: Box::new(many_report(&runs, &hits)) }
            }
            Ask::Near { at, limit } => {
                let Some(of) = runs.iter().find(|r| (r.document, r.index) == at) else {
                    return fault("fault.no-run", &[]);
                };
                let (groups, graphs) = shapes.get_or_insert_with(|| {
                    let all: Vec<u32> = (0..runs.len() as u32).collect();
                    let groups = grouped(&runs, &all, "topology");
                    let graphs = graphs(&runs, &groups);
                    (groups, graphs)
                });
                Outcome::ManyNear { near: near(&runs, groups, graphs, of, limit) }
            }
            Ask::Matrix { filter, limit } => {
                let (hits, _) = filtered(&runs, texts, &filter);
                let groups = grouped(&runs, &hits, "topology");
                let largest = groups.get(..limit as usize).unwrap_or(&groups);
                Outcome::ManyMatrix { matrix: Box::new(matrix(&runs, &groups, &graphs(&runs, largest), limit)) }
            }
            Ask::Consensus { filter, group, key, same } => {
                let (mut hits, _) = filtered(&runs, texts, &filter);
                if !matches!(group.as_str(), "" | "none") {
                    hits.retain(|i| runs.get(*i as usize).is_some_and(|r| r.key(&group) == key));
                }
                Outcome::ManyConsensus { consensus: Box::new(consensus_report(&runs, &hits, &same)) }
            }
        }
    }
}
