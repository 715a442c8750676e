//! The entries of an index over all its pages, and property 5: no identifier twice, none that nearly is another.
//!
//! Ids are compared byte for byte. Two that differ only in case, in percent encoding, in `.` segments or in a slash at
//! the end are a warning: some reader will take one for the other. O(entries log entries).
//!
//! Source: Skill Sharing Protocol chapter 12, property 5; RFC 3986 section 6.2.2 for what counts as nearly the same.

use std::collections::BTreeMap;

use super::Kind;
use super::provider::{Answer, File, Provider, Site};
use super::suite::Fault;
use crate::json::{Val, line_column};
use crate::model::{Access, Capability, Severity};

/// An entry of an index, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Index of the file, and the JSON pointer of the entry in it.
    pub file: usize,
    pub pointer: String,
    pub id: String,
    pub name: String,
    pub version: Option<String>,
    pub description: Option<String>,
    pub capability_type: String,
    pub access_word: String,
    pub descriptor_url: Option<String>,
    pub digest: Option<String>,
}

impl Entry {
    pub fn access(&self) -> Option<Access> {
        Access::from_word(&self.access_word)
    }

    pub fn capability(&self) -> Option<Capability> {
        Capability::from_word(&self.capability_type)
    }
}

/// The entries of one page.
pub fn entries(file: usize, read: &File) -> Vec<Entry> {
    let Some(skills) = read.doc().root().get("skills") else { return Vec::new() };
    let text = |val: Val<'_>, key: &str| val.str(key).map(|t| t.into_owned());
    skills
        .items()
        .enumerate()
        .map(|(n, val)| Entry {
            file,
            pointer: format!("/skills/{n}"),
            id: text(val, "id").unwrap_or_default(),
            name: text(val, "name").unwrap_or_default(),
            version: text(val, "version"),
            description: text(val, "description"),
            capability_type: text(val, "capability_type").unwrap_or_default(),
            access_word: text(val, "access").unwrap_or_default(),
            descriptor_url: text(val, "descriptor_url"),
            digest: text(val, "digest"),
        })
        .collect()
}

/// The most pages that are followed.
pub const MAX_PAGES: usize = 50;

/// A page of an index: where it is, and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// After redirects: references resolve against it.
    pub url: String,
    pub file: usize,
}

/// The pages of a site, and what stopped the walk.
#[derive(Debug, Default)]
pub struct Pages {
    pub pages: Vec<Page>,
    /// Why the first or the next page is not there: a fault, or `Err` with the reason why it is not known.
    pub stopped: Option<Result<Fault, &'static str>>,
    /// The address that would be asked next, when it is not known.
    pub wanted: Option<String>,
}

/// Follows `next` from the first page.
pub fn pages(provider: &Provider, site: &Site) -> Pages {
    let mut out = Pages::default();
    let mut url = site.url.clone();
    let mut seen = vec![url.clone()];
    loop {
        let from = out.pages.last().map(|p| p.file);
        let place = |reason: &'static str, detail: String| match from {
            Some(file) => Fault::new("SSP-P5-PAGES", Severity::Error, file, reason)
                .field(provider, "/next", "next")
                .with("url", url.clone())
                .with("detail", detail),
            None => Fault::new("SSP-P6-INDEX", Severity::Error, site.index_file(), reason)
                .with("url", url.clone())
                .with("detail", detail),
        };
        let (file, final_url) = match site.look(&url) {
            None => {
                out.stopped = Some(Err("not-fetched"));
                out.wanted = Some(url);
                return out;
            }
            Some(Answer::Failed { reason, detail }) => {
                out.stopped = Some(Ok(place(reason, detail)));
                return out;
            }
            Some(Answer::Came { status, url, file, .. }) => {
                if let Some((reason, detail)) = refused_status(status) {
                    out.stopped = Some(Ok(place(reason, detail)));
                    return out;
                }
                (file, url)
            }
        };
        let Some(read) = provider.files.get(file) else { return out };
        if let Some(reason) = not_a_document(read, Kind::Index) {
            out.stopped = Some(Ok(place(reason, String::new())));
            return out;
        }
        out.pages.push(Page { url: final_url.clone(), file });
        let Some(next) = read.doc().root().str("next") else { return out };
        let at = |reason: &'static str, detail: &str| {
            Fault::new("SSP-P5-PAGES", Severity::Error, file, reason)
                .field(provider, "/next", "next")
                .with("url", next.clone().into_owned())
                .with("detail", detail.to_owned())
        };
        let link = match site.resolve(&final_url, &next) {
            Ok(link) => link,
            Err(remark) => {
                out.stopped = Some(Ok(at(remark.reason, &remark.detail)));
                return out;
            }
        };
        // A page that names itself, or one before it, would never end.
        if seen.contains(&link.url) {
            out.stopped = Some(Ok(at("page_again", &link.url)));
            return out;
        }
        if let Some(remark) = link.remarks.iter().find(|r| r.severity == Severity::Error) {
            out.stopped = Some(Ok(at(remark.reason, &remark.detail)));
            return out;
        }
        if out.pages.len() >= MAX_PAGES {
            out.stopped = Some(Err("too-many-pages"));
            return out;
        }
        seen.push(link.url.clone());
        url = link.url;
    }
}

/// Why an answer with this status holds no document.
pub fn refused_status(status: u16) -> Option<(&'static str, String)> {
    let reason = match status {
        200..=299 => return None,
        404 | 410 => "status_404",
        401 | 403 => "status_401",
        500..=599 => "status_5xx",
        _ => "status_other",
    };
    Some((reason, status.to_string()))
}

/// Why a file that came is not the document that was expected.
pub fn not_a_document(file: &File, kind: Kind) -> Option<&'static str> {
    let head = file.text.trim_start();
    let is_page = head.get(..1) == Some("<");
    if is_page {
        return Some("html_instead");
    }
    if file.text.trim().is_empty() {
        return Some("empty_body");
    }
    if !file.is_readable() {
        return Some("not_json");
    }
    if file.kind == Some(kind) {
        return None;
    }
    Some(match file.kind {
        Some(Kind::Index) => "is_an_index",
        _ => "other_document",
    })
}

/// Property 5 over the entries of an index.
pub fn unique(provider: &Provider, entries: &[Entry]) -> (Vec<Fault>, Vec<Fault>) {
    let place = |e: &Entry| format!("{}/id", e.pointer);
    let mut twice = Vec::new();
    let mut near = Vec::new();
    let mut first: BTreeMap<&str, &Entry> = BTreeMap::new();
    let mut folded: BTreeMap<String, &Entry> = BTreeMap::new();
    for entry in entries.iter().filter(|e| !e.id.is_empty()) {
        if let Some(earlier) = first.get(entry.id.as_str()) {
            let fault = Fault::new("SSP-P5-DUPLICATE-ID", Severity::Error, entry.file, "duplicate_id")
                .field(provider, &place(entry), "id")
                .with("value", entry.id.clone())
                .with("pointer", far(provider, entry.file, earlier.file, &place(earlier)));
            twice.push(fault);
            continue;
        }
        first.insert(&entry.id, entry);
        let key = fold(&entry.id);
        if let Some(earlier) = folded.get(&key) {
            let fault = Fault::new("SSP-P5-NEAR-ID", Severity::Warning, entry.file, "near_id")
                .field(provider, &place(entry), "id")
                .with("value", entry.id.clone())
                .with("other", earlier.id.clone())
                .with("pointer", far(provider, entry.file, earlier.file, &place(earlier)));
            near.push(fault);
        } else {
            folded.insert(key, entry);
        }
    }
    (twice, near)
}

/// A pointer, with the file's name when it is another file.
fn far(provider: &Provider, here: usize, there: usize, pointer: &str) -> String {
    match provider.files.get(there) {
        Some(file) if here != there => format!("{}#{pointer}", file.name),
        _ => pointer.to_owned(),
    }
}

/// The same text for ids that a careless reader takes for one.
pub fn fold(id: &str) -> String {
    let mut bytes = Vec::with_capacity(id.len());
    let mut rest = id.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = |b: Option<&u8>| b.and_then(|b| (*b as char).to_digit(16));
        match (byte, hex(tail.first()), hex(tail.get(1))) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    let lower = String::from_utf8_lossy(&bytes).to_lowercase();
    let mut parts: Vec<&str> = Vec::new();
    for part in lower.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Line and column of a pointer in a file; of the nearest value around it when nothing stands there.
pub fn place_of(file: &File, pointer: &str) -> (u32, u32) {
    let doc = file.doc();
    let mut here = pointer;
    loop {
        if let Some(val) = doc.pointer(here) {
            return line_column(&file.text, val.offset());
        }
        here = here.get(..here.rfind('/').unwrap_or(0)).unwrap_or_default();
        if here.is_empty() {
            return line_column(&file.text, doc.root().offset());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn near_ids_fold_to_the_same() {
        for (a, b) in
            [("A/b", "a/b"), ("a%2Fb", "a/b"), ("%41", "a"), ("a/./b", "a/b"), ("a/b/", "a/b"), ("x/../a", "a")]
        {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        for (a, b) in [("a.b", "a/b"), ("a-b", "a_b"), ("a", "b")] {
            assert_ne!(fold(a), fold(b), "{a} {b}");
        }
    }
}
