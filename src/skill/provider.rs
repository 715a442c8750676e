//! A provider as it was dropped or fetched: its files, which of them are served, and its full set of skills.
//!
//! Decides, for a drop: what lies under `.well-known/skill-sharing/` is served, the descriptors outside are the full set.
//! An index elsewhere counts as served when its links lead to files of the drop; otherwise it is judged for itself, or,
//! beside a served one, taken for the view of a caller who signed in. Addresses are those of the provider's domain, so
//! that files and fetched pages go through the same checks. O(bytes).
//!
//! Source: Skill Sharing Protocol chapter 12, property 6.

use std::collections::{BTreeMap, BTreeSet};

use super::index::{Entry, entries};
use super::mapped::{self, Mapped};
use super::wellknown::{self, FOLDER, INDEX, Link, Reach, Remark, resolve};
use super::{Kind, kind_of};
use crate::json::{Doc, Tape, decode_bytes};
use crate::model::{Access, Capability};

/// The domain of files that name none: reserved, so that it can be nobody's.
pub const NOWHERE: &str = "https://provider.invalid";

/// A file with what is known of it.
pub struct File {
    /// Path inside the drop, or the address it was fetched from.
    pub name: String,
    pub bytes: Vec<u8>,
    /// The decoded text.
    pub text: String,
    /// What the text is, by its content; `None` for what is no document of the protocol.
    pub kind: Option<Kind>,
    /// It is part of what the provider serves.
    pub served: bool,
    tape: Tape,
}

impl File {
    /// Reads a file.
    pub fn new(name: String, bytes: Vec<u8>) -> Self {
        let text = decode_bytes(&bytes).text.into_owned();
        let mut tape = Tape::new();
        tape.load(&text);
        let kind = kind_of(&tape.doc(&text));
        Self { name, bytes, text, kind, served: false, tape }
    }

    /// The text as JSON, repaired where it is not.
    pub fn doc(&self) -> Doc<'_> {
        self.tape.doc(&self.text)
    }

    /// Whether the text is one JSON value without any repair.
    pub fn is_json(&self) -> bool {
        self.tape.faults().is_empty()
    }

    /// Whether the text could be read to its end as one JSON value.
    pub fn is_readable(&self) -> bool {
        !self.tape.is_broken()
    }
}

/// What came back from an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Something came: its status, the address after redirects, and the file that holds the bytes.
    Came { status: u16, url: String, content_type: Option<String>, headers: Vec<(String, String)>, file: usize },
    /// Nothing came: a reason of the message table, with what it is about.
    Failed { reason: &'static str, detail: String },
}

/// Whether an address that is not among the answers is missing, or was only not dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything of the site's own origin is here.
    Whole,
    /// An index alone.
    IndexOnly,
    /// Fetched: what was not asked for is not known.
    Web,
}

/// One served index with all that can be reached from it.
pub struct Site {
    /// The address of the index, before redirects.
    pub url: String,
    pub answers: BTreeMap<String, Answer>,
    pub extent: Extent,
    pub reach: Reach,
    /// Addresses that nothing leads to: they were asked for because a private skill might answer there.
    pub probes: BTreeSet<String>,
}

/// A skill of the provider's full set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub id: String,
    pub name: String,
    pub version: Option<String>,
    pub description: Option<String>,
    pub capability: Option<Capability>,
    pub access: Option<Access>,
    /// Its own addresses.
    pub urls: Vec<String>,
    /// Index of its descriptor, or of the index that names it; [`ELSEWHERE`] when that is in another provider.
    pub file: usize,
    /// It is a descriptor, not only an entry of an index for callers who signed in.
    pub described: bool,
}

/// The file of a [`Member`] that was taken from another provider.
pub const ELSEWHERE: usize = usize::MAX;

/// A full set as another provider sees it.
pub fn elsewhere(full: Vec<Member>) -> Vec<Member> {
    full.into_iter().map(|m| Member { file: ELSEWHERE, ..m }).collect()
}

/// Everything of one provider.
#[derive(Default)]
pub struct Provider {
    pub files: Vec<File>,
    pub sites: Vec<Site>,
    /// The full set; empty when nothing says what it is.
    pub full: Vec<Member>,
    /// Indexes that were taken for the view of a caller who signed in.
    pub signed_in: Vec<usize>,
    /// Neighbours of the protocol among the files; what was made of them is among the files too.
    pub mapped: Vec<Mapped>,
}

impl Provider {
    /// Sorts dropped files out.
    pub fn from_files(files: Vec<(String, Vec<u8>)>, reach: Reach) -> Self {
        let files = files.into_iter().map(|(name, bytes)| File::new(name, bytes)).collect();
        Self::from_read(files, reach)
    }

    /// The same with files that were read before.
    pub fn from_read(mut files: Vec<File>, reach: Reach) -> Self {
        let mapped = mapped::add(&mut files);
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let mut roots: Vec<String> = files.iter().filter_map(|f| root_of(&f.name)).collect();
        roots.sort();
        roots.dedup();
        let mut out = Self { files, mapped, ..Self::default() };
        for root in &roots {
            out.add_site(root, &format!("{root}{FOLDER}{INDEX}"), Extent::Whole, reach);
        }
        let loose: Vec<usize> = (0..out.files.len())
            .filter(|i| out.files.get(*i).is_some_and(|f| f.kind == Some(Kind::Index) && !f.served))
            .collect();
        // A page is no index of its own.
        let pages = out.pages_of(&loose);
        for &index in loose.iter().filter(|i| !pages.contains(i)) {
            let Some(name) = out.files.get(index).map(|f| f.name.clone()) else { continue };
            if !roots.is_empty() {
                out.signed_in.push(index);
            } else if out.leads_to_files(index) {
                let root = folder(&name).to_owned();
                out.add_site(&root, &name, Extent::Whole, reach);
            } else {
                out.add_site("", &name, Extent::IndexOnly, reach);
            }
        }
        if out.sites.iter().any(|s| s.extent == Extent::Whole) {
            let described = |f: &File| f.kind == Some(Kind::Descriptor) && (!f.served || roots.is_empty());
            out.full = out.files.iter().enumerate().filter(|(_, f)| described(f)).map(|(i, f)| member(i, f)).collect();
            for &index in &out.signed_in {
                let Some(file) = out.files.get(index) else { continue };
                for entry in entries(index, file) {
                    if !out.full.iter().any(|m| m.id == entry.id) {
                        out.full.push(from_entry(&entry));
                    }
                }
            }
        }
        out
    }

    /// Files that a loose index names as its next page.
    fn pages_of(&self, loose: &[usize]) -> Vec<usize> {
        let mut out = Vec::new();
        for file in loose.iter().filter_map(|i| self.files.get(*i)) {
            let base = address(NOWHERE, &file.name);
            let Some(next) = file.doc().root().str("next") else { continue };
            let Ok(link) = resolve(&base, &next, Reach::default()) else { continue };
            out.extend(loose.iter().copied().filter(|i| {
                self.files.get(*i).is_some_and(|f| f.name != file.name && address(NOWHERE, &f.name) == link.url)
            }));
        }
        out
    }

    /// Whether the index has entries and each of them leads to a file of the drop.
    fn leads_to_files(&self, index: usize) -> bool {
        let Some(file) = self.files.get(index) else { return false };
        let base = address(NOWHERE, &file.name);
        let entries = entries(index, file);
        let here = |e: &Entry| {
            let link = e.descriptor_url.as_deref().and_then(|url| resolve(&base, url, Reach::default()).ok());
            link.is_some_and(|l| self.files.iter().any(|f| address(NOWHERE, &f.name) == l.url))
        };
        !entries.is_empty() && entries.iter().all(here)
    }

    fn add_site(&mut self, root: &str, index: &str, extent: Extent, reach: Reach) {
        let origin = self.origin(root, index);
        let mut answers = BTreeMap::new();
        for (at, file) in self.files.iter_mut().enumerate() {
            let Some(path) = file.name.strip_prefix(root) else { continue };
            if extent == Extent::Whole && (path.starts_with(FOLDER) || file.name == index) {
                file.served = true;
            }
            let url = address(&origin, path);
            let came =
                Answer::Came { status: 200, url: url.clone(), content_type: None, headers: Vec::new(), file: at };
            answers.insert(url, came);
        }
        let url = address(&origin, index.strip_prefix(root).unwrap_or(index));
        self.sites.push(Site { url, answers, extent, reach, probes: BTreeSet::new() });
    }

    /// The origin that the files are served from: that of absolute links which lead to files here, else the domain
    /// that the index or a descriptor names.
    fn origin(&self, root: &str, index: &str) -> String {
        let Some((at, file)) = self.files.iter().enumerate().find(|(_, f)| f.name == index) else {
            return self.domain(root).unwrap_or_else(|| NOWHERE.into());
        };
        for url in entries(at, file).iter().filter_map(|e| e.descriptor_url.as_deref()) {
            let Some(origin) = wellknown::origin(url) else { continue };
            if self.files.iter().any(|f| f.name.strip_prefix(root).is_some_and(|p| address(&origin, p) == url)) {
                return origin;
            }
        }
        domain_of(file).or_else(|| self.domain(root)).unwrap_or_else(|| NOWHERE.into())
    }

    fn domain(&self, root: &str) -> Option<String> {
        let described = self.files.iter().filter(|f| f.kind == Some(Kind::Descriptor) && f.name.starts_with(root));
        described.filter_map(domain_of).next()
    }
}

impl Site {
    /// Resolves a reference of this site.
    pub fn resolve(&self, base: &str, reference: &str) -> Result<Link, Remark> {
        resolve(base, reference, self.reach)
    }

    /// What the address gives; `None` when that is not known.
    pub fn look(&self, url: &str) -> Option<Answer> {
        if let Some(answer) = self.answers.get(url) {
            return Some(answer.clone());
        }
        let own = wellknown::origin(url) == wellknown::origin(&self.url);
        (self.extent == Extent::Whole && own)
            .then(|| Answer::Failed { reason: "not_in_folder", detail: url.to_owned() })
    }
}

/// The folder of a path, with its last slash.
fn folder(path: &str) -> &str {
    path.get(..path.rfind('/').map_or(0, |at| at + 1)).unwrap_or_default()
}

/// The part of a path before the served folder; `None` outside of one.
fn root_of(path: &str) -> Option<String> {
    let at = path.find(FOLDER)?;
    let root = path.get(..at)?;
    (root.is_empty() || root.ends_with('/')).then(|| root.to_owned())
}

/// The address of a file below an origin, normal as [`resolve`] makes it.
pub fn address(origin: &str, path: &str) -> String {
    let mut out = String::from(origin);
    for part in path.split('/').filter(|p| !p.is_empty() && *p != ".") {
        out.push('/');
        for byte in part.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(byte as char),
                _ if b"-._~!$&'()*+,;=:@".contains(&byte) => out.push(byte as char),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    out
}

fn domain_of(file: &File) -> Option<String> {
    let root = file.doc().root();
    let domain = root.path(&["provider", "domain"])?.as_str()?.to_ascii_lowercase();
    let host = domain.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)) && domain.contains('.');
    host.then(|| format!("https://{domain}"))
}

/// What a descriptor says, as far as the checks of a provider need it.
pub fn member(index: usize, file: &File) -> Member {
    let root = file.doc().root();
    let text = |key: &str| root.str(key).map(|t| t.into_owned());
    let url = root.path(&["endpoint", "url"]).and_then(|u| u.as_str()).map(|u| u.into_owned());
    Member {
        id: text("id").unwrap_or_default(),
        name: text("name").unwrap_or_default(),
        version: text("version"),
        description: text("description"),
        capability: root.str("capability_type").and_then(|c| Capability::from_word(&c)),
        access: root.str("access").and_then(|a| Access::from_word(&a)),
        urls: url.into_iter().collect(),
        file: index,
        described: true,
    }
}

fn from_entry(entry: &Entry) -> Member {
    Member {
        id: entry.id.clone(),
        name: entry.name.clone(),
        version: entry.version.clone(),
        description: entry.description.clone(),
        capability: entry.capability(),
        access: entry.access(),
        urls: Vec::new(),
        file: entry.file,
        described: false,
    }
}
