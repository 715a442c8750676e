//! SKILL.md: one descriptor a file, from the YAML between its two lines of `---`.
//!
//! The text behind it is what the skill gives: a descriptor points at the file and does not hold it. Where the version
//! stands differs from file to file; unknown keys are kept. Source: Agent Skills specification. O(size of the file).

use crate::json::{Tape, Val, quote};
use crate::model::{Access, Capability};

use super::maker::{Draft, Maker, OBJECT, Obj, Provider, rest, slug};
use super::{Context, Converted, Neighbour, Refused, refused, yaml};

/// Keys that a descriptor has a place for.
const KNOWN: [&str; 7] = ["name", "description", "license", "version", "metadata", "arguments", "internal"];

/// Whether a text is a SKILL.md, with its head or without.
pub fn is_skill(file: &str, text: &str) -> bool {
    let named = file.rsplit('/').next().is_some_and(|n| n.eq_ignore_ascii_case("SKILL.md"));
    named
        || front_matter(text).is_some_and(|(head, _)| {
            let has = |key: &str| head.lines().any(|l| l.starts_with(key));
            has("name:") && has("description:")
        })
}

/// The YAML at the head, and the text behind it.
fn front_matter(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text.strip_prefix("---")?;
    let rest = rest
        .trim_start_matches([' ', '\t'])
        .strip_prefix("\r\n")
        .or_else(|| rest.trim_start_matches([' ', '\t']).strip_prefix('\n'))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((rest.get(..at)?, rest.get(at + line.len()..)?));
        }
        at += line.len();
    }
    None
}

pub fn convert(text: &str, context: &Context) -> Result<Converted, Refused> {
    let Some((head, body)) = front_matter(text) else {
        return refused(Neighbour::SkillMd, "no-frontmatter", &[]);
    };
    let json = match yaml::to_json(head) {
        Ok(json) => json,
        Err(mut fault) => {
            // The first line of the file is the line of `---`.
            fault.line += 1;
            return refused(Neighbour::SkillMd, "not-yaml", &fault.args());
        }
    };
    let mut tape = Tape::new();
    let root = tape.parse(&json).root();
    if !root.is_object() {
        return refused(Neighbour::SkillMd, "no-frontmatter", &[]);
    }
    let mut maker = Maker::new(Neighbour::SkillMd, None);
    maker.note("by-kind", true, "", &[("capability", "knowledge")]);
    let folder = context.file.rsplit('/').nth(1).filter(|f| !f.is_empty());
    let name = word(root, "name");
    let local = match &name {
        Some(name) => name.clone(),
        None => {
            let made = folder.map(slug).filter(|s| !s.is_empty()).unwrap_or_else(|| "skill".to_owned());
            maker.note("name-missing", false, "/name", &[("value", &made)]);
            made
        }
    };
    let metadata = root.some("metadata").filter(|m| m.is_object());
    let author = metadata.and_then(|m| word(m, "author"));
    let mut draft = Draft::new(String::new(), &local, Capability::Knowledge, "file");
    draft.namespace = author.as_deref().map(slug).filter(|s| !s.is_empty()).unwrap_or_else(|| "skills".to_owned());
    maker.note("namespace", false, "", &[("namespace", &draft.namespace)]);
    draft.name = Some(local.clone());
    draft.description = word(root, "description");
    draft.version = metadata.and_then(|m| word(m, "version"));
    if draft.version.is_none() && root.some("version").is_some() {
        draft.version = word(root, "version");
        maker.note("version-elsewhere", false, "/version", &[]);
    }
    draft.provider = Provider { name: author, ..Provider::default() };
    let base = context.base_url.as_deref().map(|b| b.trim_end_matches('/'));
    draft.url = base.map(|b| format!("{b}/{}", context.file.replace(' ', "%20")));
    draft.inputs = Some(match arguments(root) {
        Some(schema) => {
            maker.note("arguments-read", false, "/arguments", &[]);
            schema
        }
        None => OBJECT.to_owned(),
    });
    draft.output = Some(r#"{"type":"string","contentMediaType":"text/markdown"}"#.to_owned());
    let internal = [Some(root), metadata].into_iter().flatten().any(|v| v.bool("internal") == Some(true));
    draft.access = if internal { Access::Private } else { Access::Public };
    if let Some(license) = word(root, "license") {
        draft.more("license", Some(quote(&license)));
    }
    let documentation = word(root, "homepage").or_else(|| word(root, "documentation"));
    if let Some(url) = documentation.filter(|u| crate::skill::text::Rule::Uri.holds(u)) {
        draft.more("documentation_url", Some(quote(&url)));
    }
    draft.more("metadata", metadata.filter(|m| !m.is_empty()).map(|m| m.raw().to_owned()));
    draft.more("x-skill-md", rest(root, &KNOWN));
    if !body.trim().is_empty() {
        maker.note("body", false, "", &[("n", &body.lines().count().to_string())]);
    }
    maker.add(draft);
    maker.end()
}

/// A scalar as it stands: a version that YAML takes for a number keeps its digits.
fn word(val: Val<'_>, key: &str) -> Option<String> {
    let found = val.some(key).filter(|v| !v.is_object() && !v.is_array())?;
    Some(found.text().trim().to_owned()).filter(|t| !t.is_empty())
}

/// A list of named arguments, as some agents have it, as a schema.
fn arguments(root: Val<'_>) -> Option<String> {
    let list = root.some("arguments").filter(|a| a.is_array())?;
    let mut properties = Obj::default();
    let mut required = Vec::new();
    for argument in list.items() {
        let name = word(argument, "name")?;
        let property =
            Obj::default().str("type", "string").some("description", word(argument, "description").as_deref());
        properties = properties.raw(&name, &property.end());
        if argument.bool("required") == Some(true) {
            required.push(name);
        }
    }
    let schema = Obj::default().str("type", "object").raw("properties", &properties.filled()?);
    let schema = if required.is_empty() {
        schema
    } else {
        schema.raw("required", &super::maker::list(required.iter().map(String::as_str)))
    };
    Some(schema.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_ends_at_its_own_line() {
        assert_eq!(front_matter("---\na: 1\n---\ntext --- more\n"), Some(("a: 1\n", "text --- more\n")));
        assert_eq!(front_matter("\u{feff}---\r\na: 1\r\n---\r\nx"), Some(("a: 1\r\n", "x")));
        assert_eq!(front_matter("--- \na: x --- y\n---"), Some(("a: x --- y\n", "")));
        assert_eq!(front_matter("---\na: 1\n"), None);
        assert_eq!(front_matter("# Title\n---\n"), None);
        assert_eq!(front_matter("----\n---\n"), None);
    }
}
