//! Skills on their way out of the workbench: as neighbours have them, calls as messages, a draft from a run, two compared.
//! O(size of what is written).

use super::{SkillDocument, Workbench, fault};
use crate::contract::{compare, draft, invocations};
use crate::engine::{Analysed, Document};
use crate::json::Val;
use crate::model::Run;
use crate::protocol::Outcome;
use crate::report::skill::{Blob, DifferenceRow, DifferencesView, NeighbourNote};
use crate::skill::Kind;
use crate::skill::from::Note;
use crate::skill::to::{to_a2a, to_mcp};

fn json_file(name: &str, text: String) -> Blob {
    Blob { name: name.into(), mime: "application/json".into(), bytes: text.into_bytes() }
}

/// The name of a file without folder and ending, in signs that every system takes.
fn stem(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split_once('.').map_or(name, |(stem, _)| stem);
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
    if plain.trim_matches('-').is_empty() { "skills".to_owned() } else { plain.chars().take(80).collect() }
}

/// The calls of a run as requests and responses, one list.
pub(in crate::engine) fn invocations_of(document: &Document, r: &Analysed) -> Outcome {
    let export = invocations(&r.run, &r.contract);
    let all: Vec<String> =
        export.invocations.into_iter().flat_map(|i| std::iter::once(i.request).chain(i.response)).collect();
    let text = format!("[\n{}\n]\n", all.join(",\n"));
    Outcome::File { file: json_file(&format!("{}.invocations.json", stem(&document.name)), text) }
}

/// A draft of a descriptor.
pub(in crate::engine) fn draft_of(run: &Run, tool: &str) -> Outcome {
    match draft(run, tool) {
        Some(drafted) => Outcome::File { file: json_file(&format!("{}.skill.json", stem(tool)), drafted.text) },
        None => fault("fault.no-call", &[("tool", tool.chars().take(80).collect())]),
    }
}

impl Workbench {
    pub(in crate::engine) fn export_skills(&self, document: u32, format: &str) -> Outcome {
        self.with_skills(document, |d| export(d, format))
    }

    pub(in crate::engine) fn skill_differences(&self, before: (u32, u32), after: (u32, u32)) -> Outcome {
        let find = |(document, member): (u32, u32)| {
            let file = self.skill_documents.get(&document)?.provider.files.get(member as usize)?;
            (file.kind == Some(Kind::Descriptor)).then(|| file.doc().root())
        };
        let (Some(before), Some(after)) = (find(before), find(after)) else { return fault("fault.no-descriptor", &[]) };
        let found = compare(before, after);
        let differences = DifferencesView {
            weight: found.weight().map(|w| w.id().to_owned()),
            cut: found.cut,
            differences: found
                .differences
                .into_iter()
                .map(|d| DifferenceRow {
                    pointer: d.pointer,
                    change: d.change.id().into(),
                    weight: d.weight.id().into(),
                    before: d.before,
                    after: d.after,
                })
                .collect(),
        };
        Outcome::SkillDifferences { differences: Box::new(differences) }
    }
}

fn export(document: &SkillDocument, format: &str) -> Outcome {
    // A copy that is served is no second skill.
    let members: Vec<(usize, Val<'_>)> = document
        .provider
        .files
        .iter()
        .enumerate()
        .filter(|(_, f)| f.kind == Some(Kind::Descriptor) && !f.served)
        .map(|(i, f)| (i, f.doc().root()))
        .collect();
    if members.is_empty() {
        return fault("fault.no-descriptor", &[]);
    }
    let roots: Vec<Val<'_>> = members.iter().map(|(_, root)| *root).collect();
    let told = |notes: Vec<Note>| -> Vec<NeighbourNote> {
        let member = |skill: usize| members.get(skill).map(|(i, _)| *i as u32);
        let one = |n: Note| NeighbourNote {
            kind: n.kind.id().into(),
            member: n.skill.and_then(member),
            pointer: n.pointer,
            message: (format!("neighbour.note.{}", n.code), n.args),
        };
        notes.into_iter().map(one).collect()
    };
    let name = stem(&document.name);
    if format == "mcp" {
        let written = to_mcp(&roots);
        let file = json_file(&format!("{name}.tools.json"), written.text);
        return Outcome::ExportedSkills { file, notes: told(written.notes) };
    }
    let mut cards = to_a2a(&roots);
    let notes = cards.iter_mut().flat_map(|c| std::mem::take(&mut c.notes)).collect();
    let texts: Vec<String> = cards.into_iter().map(|c| c.text).collect();
    // One address, one card; several come as a list.
    let (file, text) = match texts.as_slice() {
        [] => return fault("fault.no-descriptor", &[]),
        [one] => (format!("{name}.agent-card.json"), one.clone()),
        many => (format!("{name}.agent-cards.json"), format!("[{}]", many.join(",\n"))),
    };
    Outcome::ExportedSkills { file: json_file(&file, text), notes: told(notes) }
}
