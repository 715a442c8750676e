//! A descriptor as a skill of the model, for the contract of a run and for lists. O(size of the descriptor).

use std::sync::Arc;

use crate::json::Val;
use crate::model::{Access, Capability, Skill, SkillSource};

use super::{Document, Kind, kind_of_value};

/// The skill that a descriptor describes; `None` for any other document, and for one without an id.
pub fn to_skill(document: &Document) -> Option<Skill> {
    skill_of(document.root(), "")
}

/// [`to_skill`] of a value, with the name of the file that it was found in. What is missing or wrong is left out: the
/// descriptor need not be valid.
pub fn skill_of(root: Val<'_>, file: &str) -> Option<Skill> {
    if kind_of_value(root) != Some(Kind::Descriptor) {
        return None;
    }
    let text = |key: &str| root.str(key).map(|s| s.into_owned()).filter(|s| !s.is_empty());
    let schema = |key: &str| root.get(key).filter(|v| v.is_object()).map(|v| Arc::<str>::from(v.raw()));
    let id = text("id")?;
    Some(Skill {
        name: text("name").unwrap_or_else(|| id.clone()),
        id,
        version: text("version"),
        protocol: root.path(&["protocol", "version"]).and_then(Val::as_str).map(|s| s.into_owned()),
        capability: root.str("capability_type").and_then(|word| Capability::from_word(&word)),
        access: root.str("access").and_then(|word| Access::from_word(&word)),
        description: text("description"),
        inputs: schema("inputs"),
        output: schema("output").filter(|_| root.get("output").is_some_and(|v| !v.is_empty())),
        source: SkillSource::Document,
        file: file.to_owned(),
    })
}
