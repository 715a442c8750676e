//! What reaches across the fields of a document: ids of an index, who may see an entry, times in their order, and
//! messages against their descriptor and against each other.
//!
//! O(n log n). Source: Skill Sharing Protocol chapter 12, properties 5, 6 and 8.

use std::collections::BTreeMap;

use crate::json::{Val, quote};
use crate::model::Severity;

use super::check::Walk;
use super::finding::{Grade, SkillFinding, shown};
use super::text::instant;
use super::{Kind, embedded, secret};

/// Checks what the walk over the fields cannot see.
pub(super) fn check(walk: &mut Walk<'_, '_>) {
    match walk.kind {
        Kind::Index => index(walk),
        Kind::Request | Kind::Response => message(walk),
        Kind::Descriptor => {
            embedded::examples(walk);
            secret::check(walk);
        }
        Kind::Problem | Kind::Version => {}
    }
}

fn index(walk: &mut Walk<'_, '_>) {
    let root = walk.doc.root();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for (i, entry) in root.get("skills").into_iter().flat_map(Val::items).enumerate() {
        if walk.is_full() {
            return;
        }
        if walk.options.anonymous && entry.get("access").is_some_and(|a| a.is("private")) {
            let id = entry.get("id").map(shown).unwrap_or_else(|| "–".to_owned());
            let finding =
                SkillFinding::new("SSP-P6-PRIVATE-LISTED", Severity::Error, "private_listed", "skill.private_listed");
            let finding = finding.on(walk.doc, entry).with("id", id);
            walk.add(Grade::Error, finding);
        }
        let Some((val, id)) = entry.get("id").and_then(|v| Some((v, v.as_str()?.into_owned()))) else { continue };
        match first.get(&id) {
            None => drop(first.insert(id, i)),
            Some(earlier) => {
                let finding =
                    SkillFinding::new("SSP-P5-DUPLICATE-ID", Severity::Error, "duplicate_id", "skill.duplicate_id");
                let finding = finding.on(walk.doc, val).with("field", "id").with("value", shown(val));
                let finding = finding.with("other", format!("/skills/{earlier}/id"));
                walk.add(Grade::Error, finding);
            }
        }
    }
}

fn message(walk: &mut Walk<'_, '_>) {
    let root = walk.doc.root();
    embedded::message(walk);
    times(walk, root);
    pair(walk, root);
}

/// created ≤ started ≤ completed, and nothing changed before it was created. Offsets count: moments are compared.
fn times(walk: &mut Walk<'_, '_>, root: Val<'_>) {
    let Some(stamps) = root.get("timestamps") else { return };
    let when = |name: &str| Some((stamps.get(name)?, instant(&stamps.str(name)?)?));
    for (earlier, later) in [
        ("created_at", "started_at"),
        ("created_at", "updated_at"),
        ("started_at", "completed_at"),
        ("created_at", "completed_at"),
    ] {
        // One finding is enough for a moment that lies before both others.
        let said = walk.out.iter().any(|f| f.reason == "time_order" && f.field == later);
        let (Some((_, a)), Some((val, b))) = (when(earlier), when(later)) else { continue };
        if b < a && !said {
            let finding = SkillFinding::new("SSP-P8-TIMES", Severity::Error, "time_order", "skill.time_order");
            let finding = finding.on(walk.doc, val).with("field", later).with("earlier", earlier);
            walk.add(Grade::House, finding);
        }
    }
}

/// A response belongs to its request when skill and request id are the same.
fn pair(walk: &mut Walk<'_, '_>, root: Val<'_>) {
    let Some(request) = walk.options.request.filter(|_| walk.kind == Kind::Response) else { return };
    for name in ["skill_id", "request_id"] {
        let (Some(theirs), mine) = (request.str(name), root.get(name)) else { continue };
        if mine.is_some_and(|m| m.is(&theirs)) || mine.is_some_and(|m| !m.is_string()) {
            continue;
        }
        let (message, place) = match mine {
            Some(mine) => ("skill.pair", mine),
            // A missing skill_id is a fault of its own already.
            None if name == "skill_id" => continue,
            None => ("skill.pair.missing", root),
        };
        let finding = SkillFinding::new("SSP-P8-PAIR", Severity::Error, "pair", message)
            .at(format!("/{name}"))
            .placed(walk.doc, place.offset())
            .with("field", name)
            .with("value", mine.map(shown).unwrap_or_default())
            .with("request", quote(&theirs));
        walk.add(Grade::Error, finding);
    }
}
