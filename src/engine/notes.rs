//! Jobs about notes: where they are, writing one, and what a link to a step means in a file that changed.
//!
//! The page keeps the side file too and sends it with each question: merging it again changes nothing, and a worker that
//! was started anew knows every note with the first answer. Cost: naming the steps of a run once, when there are notes.

use super::{Analysed, Workbench, fault};
use crate::import::FileImport;
use crate::notes::{Index, MAX_LABEL, MAX_TEXT, Note, Notes, id};
use crate::protocol::Outcome;
use crate::report::{NoteEdit, NoteLine, NotesView, RunRef};

impl Analysed {
    /// The steps by their content.
    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.run))
    }
}

/// The side file that an import is, or carries.
pub(super) fn side_file(import: &FileImport) -> Option<Notes> {
    if !import.notes.is_empty() {
        return Notes::read(&import.notes);
    }
    let bytes = import.bytes.as_ref().filter(|_| import.runs.is_empty())?;
    Notes::read(std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}'))
}

impl Workbench {
    fn analysed(&self, at: RunRef) -> Option<&Analysed> {
        self.documents.get(&at.document)?.runs.get(at.run as usize)
    }

    fn all_runs(&self) -> impl Iterator<Item = &Analysed> {
        self.documents.values().flat_map(|d| &d.runs)
    }

    /// Whether a note may be about this run: it states the same id, or no open run has the note's.
    fn may_be_about(&self, note: &Note, r: &Analysed) -> bool {
        let has = |r: &Analysed| r.run.id.as_deref() == Some(note.run.as_str());
        has(r) || !self.all_runs().any(has)
    }

    /// The notes of a run with their places, in order.
    pub(super) fn notes_of(&self, at: RunRef) -> Vec<(u32, u32, &Note)> {
        let Some(r) = self.analysed(at).filter(|_| !self.notes.is_empty()) else { return Vec::new() };
        let placed = |note| r.index().place(note).map(|(from, to)| (from, to, note));
        let mut out: Vec<_> = self.notes.living().filter(|n| self.may_be_about(n, r)).filter_map(placed).collect();
        out.sort_by_key(|(from, to, note)| (*from, *to, &note.id));
        out
    }

    /// Merges a side file and answers about a run.
    pub(super) fn notes_view(&mut self, at: Option<RunRef>, file: &str) -> Outcome {
        if let Some(more) = Notes::read(file) {
            self.notes.merge(more);
        }
        let here = at.map(|at| self.notes_of(at)).unwrap_or_default();
        let fits = |n: &Note| self.all_runs().any(|r| self.may_be_about(n, r) && r.index().place(n).is_some());
        let was = |n: &Note| n.was.saturating_sub(1);
        let notes = NotesView {
            file: self.notes.write(),
            all: self.notes.living().count() as u32,
            here: here.iter().map(|(from, to, note)| line(*from, *to, note)).collect(),
            lost: self.notes.living().filter(|n| !fits(n)).map(|n| line(was(n), was(n), n)).collect(),
        };
        Outcome::Notes { notes: Box::new(notes) }
    }

    /// Writes a note down, or deletes it.
    pub(super) fn set_note(&mut self, at: RunRef, edit: NoteEdit, now: String) -> Outcome {
        let Some(r) = self.analysed(at) else { return fault("fault.no-run", &[]) };
        let Some(from) = r.index().mark(edit.from) else { return fault("fault.no-step", &[]) };
        let mut note = Note {
            at: now.trim_end_matches('Z').to_owned(),
            gone: edit.gone,
            id: edit.id,
            run: r.run.id.clone().unwrap_or_default(),
            from,
            to: r.index().mark(edit.to).filter(|_| edit.to > edit.from),
            was: edit.from.saturating_add(1),
            label: edit.label.trim().chars().take(MAX_LABEL).collect(),
            text: edit.text.trim().chars().take(MAX_TEXT).collect(),
        };
        if note.id.is_empty() {
            note.id = id(&note);
        }
        // The clock of who wrote it before may be ahead; what is written now is the newer one all the same.
        if let Some(kept) = self.notes.get(&note.id)
            && kept.at >= note.at
        {
            note.at = format!("{}1", kept.at);
        }
        self.notes.add(note);
        self.notes_view(Some(at), "")
    }

    /// The short name of a step, or where the step of a name is now.
    pub(super) fn step_name(&self, at: RunRef, step: u32, name: &str) -> Outcome {
        let Some(r) = self.analysed(at) else { return fault("fault.no-run", &[]) };
        if name.is_empty() {
            return Outcome::StepName { step: Some(step), name: r.index().short(step).unwrap_or_default().to_owned() };
        }
        Outcome::StepName { step: r.index().find_short(name, step), name: name.to_owned() }
    }
}

pub(super) fn line(from: u32, to: u32, note: &Note) -> NoteLine {
    NoteLine { id: note.id.clone(), from, to, label: note.label.clone(), text: note.text.clone() }
}
