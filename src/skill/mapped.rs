//! Neighbours among the files of a set: what is made of them stands beside the protocol's own documents.
//!
//! Decides that a file which is no document of the protocol, but an agent card, a list of tools, a SKILL.md or an OpenAPI
//! description, adds the descriptors that `from` makes of it, each as a file named after its source. The source itself
//! stays, so that it can be looked at. O(bytes).

use super::from::{self, Neighbour, Note, Skipped};
use super::provider::File;

/// A neighbour and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapped {
    /// Name of the file.
    pub file: String,
    pub neighbour: Neighbour,
    /// Names of the files that hold its descriptors.
    pub made: Vec<String>,
    /// Guesses and losses.
    pub notes: Vec<Note>,
    pub skipped: Vec<Skipped>,
    /// Why it gives none: the id of the sentence, and its values.
    pub refused: Option<(String, Vec<(String, String)>)>,
}

/// Adds the descriptors of every neighbour among the files.
pub fn add(files: &mut Vec<File>) -> Vec<Mapped> {
    let mut out = Vec::new();
    let mut added = Vec::new();
    {
        let foreign: Vec<(String, &[u8])> =
            files.iter().filter(|f| f.kind.is_none()).map(|f| (f.name.clone(), f.bytes.as_slice())).collect();
        for (name, result) in from::convert_all(&foreign, None) {
            let Some(result) = result else { continue };
            match result {
                Err(refused) => out.push(Mapped {
                    file: name.to_owned(),
                    neighbour: refused.neighbour,
                    made: Vec::new(),
                    notes: Vec::new(),
                    skipped: Vec::new(),
                    refused: Some((format!("neighbour.refused.{}", refused.code), refused.args)),
                }),
                Ok(converted) => {
                    let mut made = Vec::new();
                    for skill in converted.made {
                        let named = format!("{name} › {}", skill.id);
                        made.push(named.clone());
                        added.push(File::new(named, skill.text.into_bytes()));
                    }
                    out.push(Mapped {
                        file: name.to_owned(),
                        neighbour: converted.neighbour,
                        made,
                        notes: converted.notes,
                        skipped: converted.skipped,
                        refused: None,
                    });
                }
            }
        }
    }
    files.append(&mut added);
    out
}
