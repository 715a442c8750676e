//! Neighbours of the protocol in the workbench: an agent card, a list of tools, a SKILL.md or an OpenAPI description that was
//! dropped becomes a document of the descriptors that are made of it, one document a file.
//!
//! A `server.json` speaks for the lists of tools beside it and is no document then. What gives no descriptor goes back to the
//! files that nobody reads, with the reason. O(size of the files).

use super::{SkillDocument, Workbench, fault};
use crate::import::FileImport;
use crate::message::findings;
use crate::model::{ImportReport, Note as ReportNote};
use crate::protocol::Outcome;
use crate::report::DocumentSummary;
use crate::report::skill::{NeighbourNote, NeighbourView};
use crate::skill::from::{Converted, Neighbour, Refused, convert_all, recognise};
use crate::skill::provider::{File, Provider};
use crate::skill::wellknown::Reach;

/// A dropped file that is a neighbour's.
pub(in crate::engine) struct Dropped {
    file: u32,
    import: FileImport,
    kind: Neighbour,
}

impl Dropped {
    /// The neighbour of an import that gave no run. `Err` gives the import back.
    pub fn of(file: u32, import: FileImport) -> Result<Self, Box<FileImport>> {
        let bytes = import.bytes.as_ref().filter(|_| import.runs.is_empty());
        match bytes.and_then(|bytes| recognise(&import.report.file, bytes)) {
            Some(kind) => Ok(Self { file, import, kind }),
            None => Err(Box::new(import)),
        }
    }
}

/// Where the descriptors of a document come from.
pub(super) struct Origin {
    converted: Converted,
    report: ImportReport,
}

/// More different notes are counted and not listed in the import report; the view of the neighbour has them all.
const MAX_NOTES: usize = 50;

impl Origin {
    fn new(converted: Converted, mut report: ImportReport) -> Self {
        report.refused = None;
        report.format = Some("skill".into());
        report.understood = converted.made.len() as u64;
        report.records = (converted.made.len() + converted.skipped.len()) as u64;
        for note in &converted.notes {
            let said = ReportNote { id: format!("neighbour.note.{}", note.code), args: note.args.clone() };
            if report.notes.len() < MAX_NOTES && !report.notes.contains(&said) {
                report.notes.push(said);
            }
        }
        Self { converted, report }
    }

    pub fn label(&self) -> &'static str {
        self.converted.neighbour.label()
    }

    pub fn report(&self) -> ImportReport {
        self.report.clone()
    }

    fn view(&self) -> NeighbourView {
        let notes = self.converted.notes.iter().map(|n| NeighbourNote {
            kind: n.kind.id().into(),
            member: n.skill.map(|s| s as u32),
            pointer: n.pointer.clone(),
            message: (format!("neighbour.note.{}", n.code), n.args.clone()),
        });
        let skipped = self.converted.skipped.iter().map(|s| NeighbourNote {
            kind: "skipped".into(),
            member: None,
            pointer: s.pointer.clone(),
            message: (format!("neighbour.skipped.{}", s.code), s.args.clone()),
        });
        NeighbourView {
            neighbour: self.converted.neighbour.id().into(),
            label: self.label().into(),
            version: self.converted.version.clone(),
            made: self.converted.made.len() as u32,
            notes: notes.chain(skipped).collect(),
        }
    }
}

/// Tells in the import report why a file gave nothing.
fn told(mut import: FileImport, refused: Refused) -> FileImport {
    let id = format!("neighbour.refused.{}", refused.code);
    if findings::both(&id).is_some() {
        import.report.notes.insert(0, ReportNote { id, args: refused.args });
    }
    import
}

impl Workbench {
    /// Makes documents of neighbours. Gives back what no descriptor could be made of.
    pub(in crate::engine) fn assemble_neighbours(
        &mut self,
        dropped: Vec<Dropped>,
    ) -> (Vec<DocumentSummary>, Vec<(u32, FileImport)>) {
        let bytes = |d: &Dropped| (d.import.report.file.clone(), d.import.bytes.clone().unwrap_or_default());
        let owned: Vec<(String, Vec<u8>)> = dropped.iter().map(bytes).collect();
        let borrowed: Vec<(String, &[u8])> = owned.iter().map(|(name, b)| (name.clone(), b.as_slice())).collect();
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let lists: Vec<String> =
            dropped.iter().filter(|d| d.kind == Neighbour::McpTools).map(|d| folder(&d.import.report.file)).collect();
        let results = convert_all(&borrowed, None);
        let (mut documents, mut back) = (Vec::new(), Vec::new());
        for (one, (_, result)) in dropped.into_iter().zip(results) {
            match result {
                Some(Ok(converted)) if !converted.made.is_empty() => {
                    documents.push(self.neighbour_document(one.file, one.import, converted));
                }
                Some(Err(refused))
                    if refused.code == "server-alone" && lists.contains(&folder(&one.import.report.file)) => {}
                Some(Err(refused)) => back.push((one.file, told(one.import, refused))),
                _ => back.push((one.file, one.import)),
            }
        }
        (documents, back)
    }

    fn neighbour_document(&mut self, file: u32, import: FileImport, converted: Converted) -> DocumentSummary {
        let name = import.report.file.clone();
        let single = converted.made.len() == 1;
        let members = converted.made.iter().map(|made| {
            let member = if single { name.clone() } else { format!("{name}#{}", made.id) };
            File::new(member, made.text.clone().into_bytes())
        });
        let provider = Provider::from_read(members.collect(), Reach::default());
        self.next += 1;
        let mut document = SkillDocument::new(self.next, name, vec![file], provider, None);
        document.origin = Some(Origin::new(converted, import.report));
        let summary = document.summary();
        self.skill_documents.insert(self.next, document);
        summary
    }

    /// What was guessed and lost when the descriptors of a document were made.
    pub(in crate::engine) fn neighbour(&self, document: u32) -> Outcome {
        match self.skill_documents.get(&document) {
            Some(d) => Outcome::Neighbour { neighbour: d.origin.as_ref().map(|o| Box::new(o.view())) },
            None => fault("fault.no-document", &[]),
        }
    }
}
