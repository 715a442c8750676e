//! The index of Agent Skills under `/.well-known/agent-skills/`, and the `ai-plugin.json` of old.
//!
//! An index names SKILL.md files and archives, with an address and from 0.2.0 on a digest: one descriptor an entry. The
//! files are not fetched, so no digest is checked. An `ai-plugin.json` only says where its OpenAPI description is.
//! Source: Agent Skills discovery 0.1 and 0.2.0. O(size of the index).

use crate::json::{Val, quote};
use crate::model::Capability;

use super::maker::{Draft, Maker, OBJECT, authority_of, rest, stem};
use super::{Context, Converted, Neighbour, Refused};
use crate::skill::text::Rule;

/// Whether an object is an `ai-plugin.json`.
pub fn is_ai_plugin(root: Val<'_>) -> bool {
    root.has("name_for_model") && root.has("api")
}

/// Whether an object is an index of Agent Skills.
pub fn is_index(root: Val<'_>) -> bool {
    let Some(skills) = root.get("skills").filter(|s| s.is_array()) else { return false };
    let schema = root.str("$schema").is_some_and(|s| s.contains("agentskills") || s.contains("agent-skills"));
    let entry = |e: Val<'_>| {
        e.get("name").is_some_and(Val::is_string)
            && !e.has("id")
            && (e.get("files").is_some_and(Val::is_array) || e.get("url").is_some_and(Val::is_string))
    };
    schema || skills.items().any(entry)
}

pub fn convert(root: Val<'_>, context: &Context) -> Result<Converted, Refused> {
    let version = root.str("$schema").and_then(|s| s.split('/').find(|p| Rule::SemVer.holds(p)).map(str::to_owned));
    let mut maker = Maker::new(Neighbour::AgentSkillsIndex, version);
    maker.note("by-kind", true, "", &[("capability", "knowledge")]);
    let base = context.base_url.as_deref().map(|b| b.trim_end_matches('/').to_owned());
    for (index, entry) in root.get("skills").map(Val::items).into_iter().flatten().enumerate() {
        let at = format!("/skills/{index}");
        let Some(name) = entry.str("name").filter(|n| !n.trim().is_empty()) else {
            maker.skip("no-name", &at, &[]);
            continue;
        };
        let file = entry.get("files").and_then(|f| f.items().next()).and_then(Val::as_str);
        let given = entry.str("url").map(|u| u.into_owned()).or_else(|| file.map(|f| format!("{name}/{f}")));
        let absolute = given.as_deref().filter(|u| u.contains("://")).map(str::to_owned);
        let url = absolute.or_else(|| {
            let path = given.as_deref()?;
            let base = base.as_deref()?;
            maker.note("endpoint-relative", false, &format!("{at}/url"), &[("url", path)]);
            let root = authority_of(base).and_then(|a| Some(format!("{}://{a}", base.split_once("://")?.0)));
            Some(match (path.strip_prefix('/'), root) {
                (Some(rest), Some(root)) => format!("{root}/{rest}"),
                _ => format!("{base}/{path}"),
            })
        });
        let mut draft = Draft::new(at.clone(), &name, Capability::Knowledge, "file");
        draft.namespace = url.as_deref().and_then(authority_of).unwrap_or_else(|| {
            let made = stem(context);
            maker.note("namespace", false, &at, &[("namespace", &made)]);
            made
        });
        draft.name = Some(name.into_owned());
        draft.description = entry.str("description").map(|d| d.into_owned());
        draft.version = entry.str("version").map(|v| v.into_owned());
        draft.url = url;
        draft.inputs = Some(OBJECT.to_owned());
        draft.output = Some(r#"{"type":"string","contentMediaType":"text/markdown"}"#.to_owned());
        if entry.has("digest") {
            maker.note("digest-unchecked", false, &format!("{at}/digest"), &[]);
        }
        if let Some(license) = entry.str("license").filter(|l| !l.is_empty()) {
            draft.more("license", Some(quote(&license)));
        }
        draft.more("x-agent-skills", rest(entry, &["name", "description", "version", "license", "url"]));
        maker.add(draft);
    }
    maker.end()
}
