//! What the page shows of notes, and what it sends: plain data.

use serde::Serialize;

/// The notes of a run, and the side file of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NotesView {
    /// The side file; empty without notes.
    pub file: String,
    /// Notes of all runs that are not deleted.
    pub all: u32,
    /// Those of the run that was asked about, in the order of their steps.
    pub here: Vec<NoteLine>,
    /// Those that fit no step of an open run.
    pub lost: Vec<NoteLine>,
}

/// A note at its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NoteLine {
    pub id: String,
    /// First and last step, from 0; of a lost note where it was.
    pub from: u32,
    pub to: u32,
    pub label: String,
    pub text: String,
}

/// A note that is written, changed or deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NoteEdit {
    /// Empty: a new one.
    pub id: String,
    pub from: u32,
    pub to: u32,
    pub label: String,
    pub text: String,
    /// It is deleted.
    pub gone: bool,
}
