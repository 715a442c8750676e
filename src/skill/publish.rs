//! A full set of skills -> the files that any static host can serve, as a zip, with no trace of a private one.
//!
//! Decides the layout (`.well-known/skill-sharing/index.json`, `skills/<name>.json` beside it, `.nojekyll`, since GitHub
//! Pages drops folders that begin with a dot) and that nothing is published that would not pass: before the bytes go
//! out, the result is checked against the full set as if it had been fetched. Descriptors are served as they were
//! written, byte for byte, so that their digests hold. The same set gives the same bytes: entries are sorted by id, times
//! are those of the zip format's own beginning. O(bytes).
//!
//! Source: Skill Sharing Protocol chapter 12, property 6; `access` for what passes.

use std::collections::BTreeSet;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::access::digest;
use super::provider::{Member, Provider, elsewhere, member};
use super::suite::{Fault, Status};
use super::wellknown::{FOLDER, INDEX, Reach};
use super::{Kind, Options, Profile, access, check_as, parse, version};
use crate::json::quote;
use crate::model::{Access, Severity};

/// What is ready to be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Path and bytes of each file, in order of path.
    pub files: Vec<(String, Vec<u8>)>,
    /// The listed skills: id, access word, and path of the descriptor.
    pub listed: Vec<(String, &'static str, String)>,
    /// Private skills that were left out.
    pub withheld: usize,
}

impl Published {
    /// The files as a zip.
    pub fn zip(&self) -> Result<Vec<u8>, String> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        for (path, bytes) in &self.files {
            writer.start_file(path.as_str(), options).map_err(|e| e.to_string())?;
            writer.write_all(bytes).map_err(|e| e.to_string())?;
        }
        Ok(writer.finish().map_err(|e| e.to_string())?.into_inner())
    }
}

/// The skills that would be published: the full set, or every descriptor where nothing says what the full set is.
pub fn members(provider: &Provider) -> Vec<Member> {
    let described: Vec<Member> = provider.full.iter().filter(|m| m.described).cloned().collect();
    if !described.is_empty() {
        return described;
    }
    let files = provider.files.iter().enumerate().filter(|(_, f)| f.kind == Some(Kind::Descriptor));
    files.map(|(i, f)| member(i, f)).collect()
}

/// Makes the files. `Err`: what has to be put right first.
pub fn publish(provider: &Provider) -> Result<Published, Vec<Fault>> {
    let full = members(provider);
    let mut faults = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for m in &full {
        let Some(file) = provider.files.get(m.file) else { continue };
        let first = match parse(&file.bytes) {
            Err(found) => found.into_iter().find(|f| f.severity == Severity::Error),
            Ok(read) => {
                let options = Options { profile: Profile::Core, ..Options::default() };
                check_as(&read.doc(), Kind::Descriptor, &options).into_iter().find(|f| f.severity == Severity::Error)
            }
        };
        if let Some(first) = first {
            let fault = Fault::new("SSP-P6-LINK", Severity::Error, m.file, "publish_invalid");
            faults.push(fault.field(provider, &first.pointer, "").with("file", file.name.clone()));
        } else if !seen.insert(m.id.as_str()) {
            let fault = Fault::new("SSP-P5-DUPLICATE-ID", Severity::Error, m.file, "publish_twice");
            faults.push(fault.field(provider, "/id", "id").with("id", m.id.clone()).with("file", file.name.clone()));
        }
    }
    if full.is_empty() {
        faults.push(Fault::new("SSP-P6-INDEX", Severity::Error, 0, "publish_nothing"));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut listed: Vec<&Member> = full.iter().filter(|m| m.access != Some(Access::Private)).collect();
    listed.sort_by(|a, b| a.id.cmp(&b.id));
    let mut paths = BTreeSet::new();
    let named: Vec<(&Member, String)> = listed.into_iter().map(|m| (m, path_for(&m.id, &mut paths))).collect();
    let published = write(provider, &named, full.len() - named.len());
    let told = verify(provider, &full, &published);
    if told.is_empty() { Ok(published) } else { Err(told) }
}

/// A file name for an id: readable, safe on every host, different from those before.
fn path_for(id: &str, taken: &mut BTreeSet<String>) -> String {
    let mut stem = String::new();
    for c in id.chars().take(80) {
        let plain = c.is_ascii_alphanumeric() || c == '.' || c == '_';
        if plain {
            stem.push(c.to_ascii_lowercase());
        } else if !stem.ends_with('-') {
            stem.push('-');
        }
    }
    let stem = stem.trim_matches(['-', '.']).to_owned();
    let stem = if stem.is_empty() { "skill".to_owned() } else { stem };
    let mut n = 1;
    loop {
        let name = if n == 1 { format!("skills/{stem}.json") } else { format!("skills/{stem}-{n}.json") };
        if taken.insert(name.clone()) {
            return name;
        }
        n += 1;
    }
}

/// Where the descriptor of an id would lie below the index: as [`publish`] names it, and as people do.
pub fn usual_paths(id: &str) -> Vec<String> {
    let last = id.rsplit('/').next().unwrap_or_default();
    let mut out = vec![path_for(id, &mut BTreeSet::new())];
    let plain = !last.is_empty() && last.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if plain {
        out.push(format!("skills/{last}.json"));
        out.push(format!("{last}.json"));
    }
    out.dedup();
    out
}

fn write(provider: &Provider, named: &[(&Member, String)], withheld: usize) -> Published {
    let mut files = vec![(".nojekyll".to_owned(), Vec::new())];
    let mut entries = Vec::new();
    let mut listed = Vec::new();
    for (m, path) in named {
        let bytes = provider.files.get(m.file).map(|f| f.bytes.clone()).unwrap_or_default();
        entries.push(entry(provider, m, path, &bytes));
        files.push((format!("{FOLDER}{path}"), bytes));
        listed.push((m.id.clone(), m.access.map_or("", Access::word), path.clone()));
    }
    let mut index = format!("{{\n  \"protocol\": {{ \"version\": {} }},\n", quote(version::SUPPORTED));
    if let Some(provider) = common_provider(provider, named) {
        index.push_str(&format!("  \"provider\": {provider},\n"));
    }
    if entries.is_empty() {
        index.push_str("  \"skills\": []\n}\n");
    } else {
        index.push_str(&format!("  \"skills\": [\n{}\n  ]\n}}\n", entries.join(",\n")));
    }
    files.push((format!("{FOLDER}{INDEX}"), index.into_bytes()));
    files.sort();
    Published { files, listed, withheld }
}

/// An entry of the index: what it states equals the descriptor's own words.
fn entry(provider: &Provider, m: &Member, path: &str, bytes: &[u8]) -> String {
    let mut fields = vec![("id", quote(&m.id)), ("name", quote(&m.name))];
    fields.extend(m.version.as_deref().map(|v| ("version", quote(v))));
    fields.extend(m.description.as_deref().map(|d| ("description", quote(d))));
    fields.extend(m.capability.map(|c| ("capability_type", quote(c.word()))));
    fields.extend(m.access.map(|a| ("access", quote(a.word()))));
    fields.push(("descriptor_url", quote(path)));
    fields.push(("digest", quote(&digest(bytes))));
    let root = provider.files.get(m.file).map(|f| f.doc().root());
    if let Some(tags) = root.and_then(|r| r.get("tags")).filter(|t| t.is_array()) {
        let words: Vec<String> = tags.items().filter_map(|t| t.as_str()).map(|t| quote(&t)).collect();
        fields.push(("tags", format!("[{}]", words.join(", "))));
    }
    let lines: Vec<String> = fields.into_iter().map(|(key, value)| format!("      \"{key}\": {value}")).collect();
    format!("    {{\n{}\n    }}", lines.join(",\n"))
}

/// The provider that every listed descriptor names, as it is written there.
fn common_provider(provider: &Provider, named: &[(&Member, String)]) -> Option<String> {
    let mut stated = named.iter().map(|(m, _)| {
        let root = provider.files.get(m.file)?.doc().root();
        root.get("provider").map(|p| p.raw().to_owned())
    });
    let first = stated.next()??;
    stated.all(|other| other.as_deref() == Some(first.as_str())).then_some(first)
}

/// Checks the result against the full set, as if someone had fetched it. Findings point at the descriptors they are in.
fn verify(provider: &Provider, full: &[Member], published: &Published) -> Vec<Fault> {
    let files = published.files.clone();
    let mut served = Provider::from_files(files, Reach::default());
    served.full = elsewhere(full.to_vec());
    let Some(site) = served.sites.first() else {
        return vec![Fault::new("SSP-P6-INDEX", Severity::Error, 0, "publish_nothing")];
    };
    let (cases, _) = access::check(&served, site, &Options::default());
    let failed = cases.into_iter().filter(|c| c.status == Status::Fail).flat_map(|c| c.faults);
    let errors = failed.filter(|f| f.finding.severity == Severity::Error);
    errors
        .map(|mut fault| {
            // Back to the file that was dropped; what is in the index alone came from a descriptor too.
            let bytes = served.files.get(fault.file).map(|f| f.bytes.as_slice()).unwrap_or_default();
            let origin = provider.files.iter().position(|f| f.bytes == bytes);
            fault.file = origin.unwrap_or_default();
            fault
        })
        .collect()
}
