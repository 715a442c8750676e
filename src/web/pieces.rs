//! Rows of a long list that the worker owns: asked for in pieces of [`PIECE`], of which only those near the window are kept.
//! Another view keeps what is shown until the first of its own rows are there; answers for an older view are dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::platform::worker::Engine;
use crate::protocol::{Job, Outcome};

/// Rows asked for at once.
const PIECE: u32 = 64;
/// Pieces kept at most.
const KEPT: usize = 24;

/// What the worker says to one question: some rows, how many there are, and what is told of all of them.
pub struct Answer<T, W> {
    pub total: u32,
    pub whole: W,
    pub rows: Vec<T>,
}

/// The rows that are here.
#[derive(Clone, Debug)]
pub struct Loaded<T, W> {
    pub total: u32,
    /// What is told of all rows, with the last answer.
    pub whole: W,
    pieces: BTreeMap<u32, Vec<Arc<T>>>,
}

impl<T, W> Loaded<T, W> {
    /// A row by its index, if it is here.
    pub fn row(&self, index: u32) -> Option<Arc<T>> {
        self.pieces.get(&(index / PIECE)).and_then(|p| p.get((index % PIECE) as usize)).cloned()
    }
}

/// The rows of the view `V` of the moment.
pub struct Pieces<T: Send + Sync + 'static, W: Send + Sync + 'static, V: Send + Sync + 'static> {
    pub loaded: RwSignal<Loaded<T, W>>,
    engine: Engine,
    /// The question for rows of a view, from a row on, so many.
    job: Callback<(V, u32, u32), Job>,
    /// The answer to it; called for the view of the moment only.
    take: Callback<Outcome, Option<Answer<T, W>>>,
    asked: StoredValue<BTreeSet<u32>>,
    /// Grows with every other view.
    age: StoredValue<u32>,
    /// No row of the view of the moment is here yet.
    fresh: StoredValue<bool>,
    view: StoredValue<Option<V>>,
}

impl<T: Send + Sync, W: Send + Sync, V: Send + Sync> Clone for Pieces<T, W, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync, W: Send + Sync, V: Send + Sync> Copy for Pieces<T, W, V> {}

impl<T: Send + Sync, W: Default + Send + Sync, V: Clone + Send + Sync> Pieces<T, W, V> {
    /// No rows yet, and none asked for.
    pub fn new(
        engine: Engine,
        job: impl Fn((V, u32, u32)) -> Job + Send + Sync + 'static,
        take: impl Fn(Outcome) -> Option<Answer<T, W>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            loaded: RwSignal::new(Loaded { total: 0, whole: W::default(), pieces: BTreeMap::new() }),
            engine,
            job: Callback::new(job),
            take: Callback::new(take),
            asked: StoredValue::new(BTreeSet::new()),
            age: StoredValue::new(0),
            fresh: StoredValue::new(true),
            view: StoredValue::new(None),
        }
    }

    /// Another view, of which the rows from `from` to `end` are wanted.
    pub fn turn_to(self, view: V, from: u32, end: u32) {
        self.age.update_value(|a| *a += 1);
        self.asked.update_value(BTreeSet::clear);
        self.fresh.set_value(true);
        self.view.set_value(Some(view));
        self.want(from, end.max(from + 1));
    }

    /// Asks for rows that are not here.
    pub fn want(self, from: u32, end: u32) {
        for piece in from / PIECE..=end.saturating_sub(1).max(from) / PIECE {
            if self.asked.try_update_value(|a| a.insert(piece)) == Some(true) {
                self.fetch(piece);
            }
        }
    }

    fn fetch(self, piece: u32) {
        let age = self.age.get_value();
        let Some(view) = self.view.get_value() else { return };
        let job = self.job.run((view, piece * PIECE, PIECE));
        spawn_local(async move {
            let outcome = self.engine.ask(job).await;
            if self.age.try_get_value() != Some(age) {
                return;
            }
            let Some(answer) = self.take.run(outcome) else { return };
            let first = self.fresh.get_value();
            self.fresh.set_value(false);
            let _ = self.loaded.try_update(|l| {
                if first {
                    l.pieces.clear();
                }
                (l.total, l.whole) = (answer.total, answer.whole);
                l.pieces.insert(piece, answer.rows.into_iter().map(Arc::new).collect());
                // The farthest pieces go.
                while l.pieces.len() > KEPT {
                    let ends = [l.pieces.keys().next(), l.pieces.keys().next_back()];
                    let Some(far) = ends.into_iter().flatten().copied().max_by_key(|p| p.abs_diff(piece)) else {
                        break;
                    };
                    l.pieces.remove(&far);
                    self.asked.update_value(|a| {
                        a.remove(&far);
                    });
                }
            });
        });
    }
}
