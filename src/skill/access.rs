//! Property 6: what a caller without credentials gets to see, against what they should.
//!
//! Decides, for one served index: is it there; is every skill that is not private listed; is none that is private, by
//! the entry, by its descriptor or by the full set; does each `descriptor_url` lead to a valid descriptor that says the
//! same; is a private descriptor served unlisted; does anything served tell of a private skill. What cannot be decided
//! with what is at hand is skipped, with its reason. O(bytes served x private skills), see `leak`.
//!
//! Source: Skill Sharing Protocol chapter 12, properties 5 to 7.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::filter;
use super::index::{self, Entry, Page, entries, not_a_document, refused_status};
use super::leak::{Leak, Open, Search, Secret, What};
use super::provider::{Answer, Extent, Member, Provider, Site, member};
use super::suite::{Case, Fault, Status, is_strict};
use super::{Kind, Options, Profile};
use crate::model::{Access, Capability, Severity};

/// What was found out about a site, beside its cases.
#[derive(Debug, Default)]
pub struct Seen {
    pub url: String,
    pub pages: Vec<Page>,
    pub entries: Vec<Entry>,
    /// For each entry: the address that its link resolves to, the state of the link, the file it leads to.
    pub links: Vec<Lead>,
    /// Whether something says what the full set is.
    pub has_full_set: bool,
}

/// Where an entry leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lead {
    pub url: Option<String>,
    /// `ok`, `warning`, `broken`, `unknown` or `permission`.
    pub state: &'static str,
    pub file: Option<usize>,
}

impl Site {
    /// The file that the index is in, or the first one, to have a place for what is wrong with an index that is not there.
    pub fn index_file(&self) -> usize {
        match self.answers.get(&self.url) {
            Some(Answer::Came { file, .. }) => *file,
            _ => self
                .answers
                .values()
                .find_map(|a| if let Answer::Came { file, .. } = a { Some(*file) } else { None })
                .unwrap_or_default(),
        }
    }
}

/// Checks one site.
pub fn check(provider: &Provider, site: &Site, options: &Options<'_>) -> (Vec<Case>, Seen) {
    let mut cases = Vec::new();
    let walked = index::pages(provider, site);
    let at = site.index_file();
    let subject = match provider.files.get(at) {
        Some(file) if walked.pages.first().is_some_and(|p| p.file == at) => file.name.clone(),
        _ => site.url.clone(),
    };
    let mut seen = Seen { url: site.url.clone(), has_full_set: !provider.full.is_empty(), ..Seen::default() };
    let (stop, unknown) = match walked.stopped {
        Some(Ok(fault)) => (Some(fault), None),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    let Some(first) = walked.pages.first().cloned() else {
        cases.push(match unknown {
            Some(why) => Case::not(Status::Skipped, "SSP-P6-INDEX", &subject, at, why),
            None => Case::run("SSP-P6-INDEX", &subject, at, stop.into_iter().collect()),
        });
        for check in ["SSP-P5-DUPLICATE-ID", "SSP-P6-COMPLETE", "SSP-P6-PRIVATE-LISTED"] {
            cases.push(Case::not(Status::NotRun, check, &subject, at, "no-index"));
        }
        let private = private_served(provider, site, &[]);
        cases.push(Case::run("SSP-P6-PRIVATE-SERVED", &subject, at, private));
        cases.push(leaks(provider, site, &seen, &subject, &BTreeSet::new(), options));
        return (cases, seen);
    };
    cases.push(Case::run("SSP-P6-INDEX", &subject, first.file, Vec::new()));
    if walked.pages.len() > 1 || stop.is_some() || unknown.is_some() {
        cases.push(match unknown {
            Some(why) => Case::not(Status::Skipped, "SSP-P5-PAGES", &subject, first.file, why),
            None => Case::run("SSP-P5-PAGES", &subject, first.file, stop.into_iter().collect()),
        });
    }
    for page in &walked.pages {
        if let Some(file) = provider.files.get(page.file) {
            seen.entries.extend(entries(page.file, file));
        }
    }
    seen.pages = walked.pages;
    let (twice, near) = index::unique(provider, &seen.entries);
    cases.push(Case::run("SSP-P5-DUPLICATE-ID", &subject, first.file, twice));
    cases.push(Case::run("SSP-P5-NEAR-ID", &subject, first.file, near));
    filters(provider, &seen, &subject, first.file, &mut cases);

    let page_of =
        |file: usize| seen.pages.iter().find(|p| p.file == file).map_or(site.url.as_str(), |p| p.url.as_str());
    let mut leads = Vec::new();
    for entry in &seen.entries {
        leads.push(follow(provider, site, entry, page_of(entry.file), options, &mut cases));
    }
    seen.links = leads;
    cases.push(same_id(provider, &seen, &subject, first.file));
    let (listed, private) = private_listed(provider, &seen);
    cases.push(Case::run("SSP-P6-PRIVATE-LISTED", &subject, first.file, listed));
    cases.push(complete(provider, site, &seen, &subject, first.file, unknown));
    let linked: Vec<usize> = seen.links.iter().filter_map(|l| l.file).collect();
    if site.extent != Extent::IndexOnly {
        cases.push(Case::run("SSP-P6-PRIVATE-SERVED", &subject, first.file, private_served(provider, site, &linked)));
    }
    if site.extent == Extent::Web {
        cases.push(Case::run("SSP-P6-HTTP", &subject, first.file, http(provider, site, &seen)));
    }
    cases.push(leaks(provider, site, &seen, &subject, &private, options));
    (cases, seen)
}

/// Property 7 on the entries: for each of the four words, what the filter keeps.
fn filters(provider: &Provider, seen: &Seen, subject: &str, at: usize, cases: &mut Vec<Case>) {
    let (mut sound, mut whole) = (Vec::new(), Vec::new());
    for wanted in Capability::ALL {
        let Ok(kept) = filter::by_capability(&seen.entries, wanted.word(), |e| &e.capability_type) else { continue };
        let judged = filter::judge(&seen.entries, &kept, wanted, |e| &e.capability_type, |a, b| a == b);
        let say = |reason, entry: Option<&Entry>, out: &mut Vec<Fault>| {
            let Some(entry) = entry else { return };
            let check = if reason == "filter_foreign" { "SSP-P7-SOUND" } else { "SSP-P7-COMPLETE" };
            let fault = Fault::new(check, Severity::Error, entry.file, reason)
                .field(provider, &format!("{}/capability_type", entry.pointer), "capability_type")
                .with("value", wanted.word());
            out.push(fault);
        };
        say("filter_foreign", judged.foreign.and_then(|i| kept.get(i).copied()), &mut sound);
        say("filter_missing", judged.missing.and_then(|i| seen.entries.get(i)), &mut whole);
    }
    cases.push(Case::run("SSP-P7-SOUND", subject, at, sound));
    cases.push(Case::run("SSP-P7-COMPLETE", subject, at, whole));
}

/// Follows the link of an entry: its cases, and where it leads.
fn follow(
    provider: &Provider,
    site: &Site,
    entry: &Entry,
    base: &str,
    options: &Options<'_>,
    cases: &mut Vec<Case>,
) -> Lead {
    let mut lead = Lead { state: "broken", ..Lead::default() };
    let file_name = provider.files.get(entry.file).map_or("", |f| f.name.as_str());
    let subject = format!("{file_name}#{}", entry.pointer);
    // That it is missing is said by the check of the document.
    let Some(reference) = entry.descriptor_url.as_deref() else { return lead };
    let pointer = format!("{}/descriptor_url", entry.pointer);
    let fault = |check, severity, reason: &'static str| {
        Fault::new(check, severity, entry.file, reason)
            .field(provider, &pointer, "descriptor_url")
            .with("url", reference)
            .with("id", entry.id.clone())
    };
    let link = site.resolve(base, reference);
    let (url, remarks) = match link {
        Ok(link) => (Some(link.url), link.remarks),
        Err(remark) => (None, vec![remark]),
    };
    let refused = url.is_none() || remarks.iter().any(|r| r.severity == Severity::Error);
    let warned = !remarks.is_empty();
    let told = remarks.into_iter().map(|r| fault("SSP-P6-URL", r.severity, r.reason).with("detail", r.detail));
    cases.push(Case::run("SSP-P6-URL", &subject, entry.file, told.collect()));
    lead.url = url.clone();
    let skip = |cases: &mut Vec<Case>, status, why| {
        for check in ["SSP-P6-LINK", "SSP-P6-MATCH"] {
            cases.push(Case::not(status, check, &subject, entry.file, why));
        }
        if entry.digest.is_some() {
            cases.push(Case::not(status, "SSP-P6-DIGEST", &subject, entry.file, why));
        }
    };
    let Some(url) = url.filter(|_| !refused) else {
        skip(cases, Status::NotRun, "link-refused");
        return lead;
    };
    let broken = |cases: &mut Vec<Case>, reason: &'static str, detail: String| {
        let fault = fault("SSP-P6-LINK", Severity::Error, reason).with("detail", detail);
        cases.push(Case::run("SSP-P6-LINK", &subject, entry.file, vec![fault]));
        cases.push(Case::not(Status::NotRun, "SSP-P6-MATCH", &subject, entry.file, "link-broken"));
        if entry.digest.is_some() {
            cases.push(Case::not(Status::NotRun, "SSP-P6-DIGEST", &subject, entry.file, "link-broken"));
        }
    };
    let file = match site.look(&url) {
        None => {
            lead.state = "unknown";
            skip(cases, Status::Skipped, if site.extent == Extent::Web { "not-fetched" } else { "not-here" });
            return lead;
        }
        Some(Answer::Failed { reason, detail }) => {
            broken(cases, reason, detail);
            return lead;
        }
        Some(Answer::Came { status, url: ended, file, .. }) => {
            let permission = matches!(status, 401 | 403) && entry.access() == Some(Access::Restricted);
            if permission {
                lead.state = "permission";
                skip(cases, Status::Skipped, "needs-permission");
                return lead;
            }
            if let Some((reason, detail)) = refused_status(status) {
                broken(cases, reason, detail);
                return lead;
            }
            // A redirect may have ended where no link may lead.
            let strayed = super::wellknown::judge_absolute(&ended, site.reach);
            if let Some(remark) = strayed.into_iter().find(|r| r.severity == Severity::Error) {
                broken(cases, "redirect_refused", remark.detail);
                return lead;
            }
            file
        }
    };
    lead.file = Some(file);
    let Some(read) = provider.files.get(file) else { return lead };
    if let Some(reason) = not_a_document(read, Kind::Descriptor) {
        broken(cases, reason, String::new());
        return lead;
    }
    let invalid = first_error(provider, file, options);
    let told = invalid.map(|(pointer, n)| {
        fault("SSP-P6-LINK", Severity::Error, "descriptor_invalid")
            .with("file", read.name.clone())
            .with("pointer", pointer)
            .with("n", n.to_string())
    });
    let mut ok = told.is_none();
    cases.push(Case::run("SSP-P6-LINK", &subject, entry.file, told.into_iter().collect()));
    let differing = differences(provider, entry, file);
    ok &= differing.is_empty();
    cases.push(Case::run("SSP-P6-MATCH", &subject, entry.file, differing));
    if let Some(stated) = &entry.digest {
        let actual = digest(&read.bytes);
        let fault = (*stated != actual).then(|| {
            Fault::new("SSP-P6-DIGEST", Severity::Error, entry.file, "digest")
                .field(provider, &format!("{}/digest", entry.pointer), "digest")
                .with("value", stated.clone())
                .with("actual", actual)
        });
        ok &= fault.is_none();
        cases.push(Case::run("SSP-P6-DIGEST", &subject, entry.file, fault.into_iter().collect()));
    }
    lead.state = match (ok, warned) {
        (true, false) => "ok",
        (true, true) => "warning",
        (false, _) => "broken",
    };
    lead
}

/// `sha256:` and 64 hexadecimal digits of some bytes.
pub fn digest(bytes: &[u8]) -> String {
    let mut out = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        out.push_str(&format!("{byte:02x}"));
    }
    out
}

/// The pointer of a document's first error under core, and how many there are.
fn first_error(provider: &Provider, file: usize, options: &Options<'_>) -> Option<(String, usize)> {
    let read = provider.files.get(file)?;
    let found = match super::parse(&read.bytes) {
        Err(found) => found,
        Ok(document) => {
            let core = Options { profile: Profile::Core, descriptors: &[], request: None, ..*options };
            super::check_as(&document.doc(), Kind::Descriptor, &core)
        }
    };
    let errors: Vec<_> = found.iter().filter(|f| f.severity == Severity::Error).collect();
    errors.first().map(|f| (f.pointer.clone(), errors.len()))
}

/// What an entry and its descriptor say differently.
fn differences(provider: &Provider, entry: &Entry, file: usize) -> Vec<Fault> {
    let Some(read) = provider.files.get(file) else { return Vec::new() };
    let root = read.doc().root();
    let mut out = Vec::new();
    let pairs = [
        ("id", Some(entry.id.as_str())),
        ("capability_type", Some(entry.capability_type.as_str())),
        ("access", Some(entry.access_word.as_str())),
        ("version", entry.version.as_deref()),
    ];
    for (field, stated) in pairs {
        let (Some(stated), Some(actual)) = (stated.filter(|s| !s.is_empty()), root.str(field)) else { continue };
        // A private skill in the index has a check of its own.
        if stated == actual || (field == "access" && actual == Access::Private.word()) {
            continue;
        }
        let severity = if field == "version" { Severity::Warning } else { Severity::Error };
        let fault = Fault::new("SSP-P6-MATCH", severity, entry.file, "entry_differs")
            .field(provider, &format!("{}/{field}", entry.pointer), field)
            .with("value", stated)
            .with("actual", actual.into_owned())
            .with("file", read.name.clone());
        out.push(fault);
    }
    out
}

/// Two entries with different ids whose descriptors have the same one.
fn same_id(provider: &Provider, seen: &Seen, subject: &str, at: usize) -> Case {
    let mut first: BTreeMap<String, (&Entry, usize)> = BTreeMap::new();
    let mut out = Vec::new();
    for (entry, lead) in seen.entries.iter().zip(&seen.links) {
        let Some(file) = lead.file else { continue };
        let Some(id) = provider.files.get(file).and_then(|f| f.doc().root().str("id")) else { continue };
        match first.get(id.as_ref()) {
            Some((earlier, _)) if earlier.id != entry.id => {
                let fault = Fault::new("SSP-P5-DESCRIPTOR-ID", Severity::Error, entry.file, "descriptor_id_twice")
                    .field(provider, &format!("{}/descriptor_url", entry.pointer), "descriptor_url")
                    .with("value", id.into_owned())
                    .with("pointer", earlier.pointer.clone());
                out.push(fault);
            }
            Some(_) => {}
            None => {
                first.insert(id.into_owned(), (entry, file));
            }
        }
    }
    if seen.links.iter().all(|l| l.file.is_none()) && !seen.links.is_empty() {
        return Case::not(Status::Skipped, "SSP-P5-DESCRIPTOR-ID", subject, at, "not-here");
    }
    Case::run("SSP-P5-DESCRIPTOR-ID", subject, at, out)
}

/// Entries that must not be seen without credentials; also their pointers, so that nothing says it twice.
fn private_listed(provider: &Provider, seen: &Seen) -> (Vec<Fault>, BTreeSet<(usize, String)>) {
    let mut out = Vec::new();
    let mut places = BTreeSet::new();
    for (n, entry) in seen.entries.iter().enumerate() {
        let by_descriptor = seen.links.get(n).and_then(|l| l.file).and_then(|f| provider.files.get(f));
        let by_descriptor = by_descriptor.is_some_and(|f| f.doc().root().str("access").is_some_and(|a| a == "private"));
        let by_set = provider.full.iter().any(|m| m.id == entry.id && m.access == Some(Access::Private));
        let reason = if entry.access() == Some(Access::Private) {
            "private_listed"
        } else if by_descriptor {
            "private_descriptor_listed"
        } else if by_set {
            "private_in_full_set"
        } else {
            continue;
        };
        places.insert((entry.file, entry.pointer.clone()));
        let fault = Fault::new("SSP-P6-PRIVATE-LISTED", Severity::Error, entry.file, reason)
            .field(provider, &entry.pointer, "skills")
            .with("id", entry.id.clone())
            .with("value", entry.access_word.clone());
        out.push(fault);
    }
    (out, places)
}

/// Every skill of the full set that is not private is listed.
fn complete(
    provider: &Provider,
    site: &Site,
    seen: &Seen,
    subject: &str,
    at: usize,
    unknown: Option<&'static str>,
) -> Case {
    const CHECK: &str = "SSP-P6-COMPLETE";
    if provider.full.is_empty() {
        return Case::not(Status::Skipped, CHECK, subject, at, "no-full-set");
    }
    if let Some(why) = unknown {
        return Case::not(Status::Skipped, CHECK, subject, at, why);
    }
    let listed: BTreeSet<&str> = seen.entries.iter().map(|e| e.id.as_str()).collect();
    let last = seen.pages.last().map_or(at, |p| p.file);
    let absent = provider.full.iter().filter(|m| {
        matches!(m.access, Some(Access::Public | Access::Restricted))
            && !m.id.is_empty()
            && !listed.contains(m.id.as_str())
    });
    let faults = absent.map(|m| {
        let named = provider.files.get(m.file).map_or("–", |f| f.name.as_str());
        Fault::new(CHECK, Severity::Error, last, "not_listed")
            .field(provider, "/skills", "skills")
            .with("id", m.id.clone())
            .with("value", m.access.map_or("", Access::word))
            .with("file", named)
            .with("url", site.url.clone())
    });
    Case::run(CHECK, subject, at, faults.collect())
}

/// Private descriptors that anyone may fetch although no entry leads to them.
fn private_served(provider: &Provider, site: &Site, linked: &[usize]) -> Vec<Fault> {
    let mut out = Vec::new();
    for answer in site.answers.values() {
        let Answer::Came { status, file, .. } = answer else { continue };
        let Some(read) = provider.files.get(*file) else { continue };
        let is_served = read.served && refused_status(*status).is_none() && !linked.contains(file);
        if !is_served || read.kind != Some(Kind::Descriptor) {
            continue;
        }
        let m = member(*file, read);
        let private = m.access == Some(Access::Private)
            || provider.full.iter().any(|f| f.file != *file && f.id == m.id && f.access == Some(Access::Private));
        // Without a served folder every descriptor of the drop is at hand, which does not mean that it is served.
        let in_set = provider.full.iter().any(|f| f.file == *file);
        if private && !in_set {
            let fault = Fault::new("SSP-P6-PRIVATE-SERVED", Severity::Error, *file, "private_served")
                .field(provider, "/access", "access")
                .with("id", m.id)
                .with("file", read.name.clone());
            out.push(fault);
        }
    }
    out
}

/// Private skills, as far as a text could tell of them.
pub fn secrets(full: &[Member]) -> (Vec<Secret>, Open) {
    let mut open = Open::default();
    let mut out: Vec<Secret> = Vec::new();
    for m in full.iter().filter(|m| m.access != Some(Access::Private)) {
        open.ids.push(m.id.clone());
        open.names.push(m.name.clone());
        open.urls.extend(m.urls.iter().cloned());
    }
    for m in full.iter().filter(|m| m.access == Some(Access::Private)) {
        if open.ids.contains(&m.id) || out.iter().any(|s| s.id == m.id) {
            continue;
        }
        let urls = m.urls.iter().filter(|u| !open.urls.contains(u)).cloned().collect();
        out.push(Secret { id: m.id.clone(), name: m.name.clone(), urls });
    }
    (out, open)
}

/// Names and values of an answer's headers.
type Headers = [(String, String)];

/// Anything served that tells of a private skill.
fn leaks(
    provider: &Provider,
    site: &Site,
    seen: &Seen,
    subject: &str,
    listed: &BTreeSet<(usize, String)>,
    options: &Options<'_>,
) -> Case {
    const CHECK: &str = "SSP-P6-LEAK";
    let at = site.index_file();
    if provider.full.is_empty() {
        return Case::not(Status::Skipped, CHECK, subject, at, "no-full-set");
    }
    let (secrets, open) = secrets(&provider.full);
    let search = Search::new(&secrets, &open);
    let linked: BTreeSet<usize> = seen.links.iter().filter_map(|l| l.file).collect();
    let mut files: BTreeMap<usize, (&str, &Headers)> = BTreeMap::new();
    for (url, answer) in &site.answers {
        // What answers a probe repeats the address that was asked for; a descriptor there has a check of its own.
        if let Answer::Came { file, headers, .. } = answer
            && !site.probes.contains(url)
            && (provider.files.get(*file).is_some_and(|f| f.served) || linked.contains(file))
        {
            files.insert(*file, (url, headers));
        }
    }
    let bytes: usize = files.keys().filter_map(|f| provider.files.get(*f)).map(|f| f.bytes.len()).sum();
    if !search.affords(bytes) {
        return Case::not(Status::Skipped, CHECK, subject, at, "too-much");
    }
    let mut out = Vec::new();
    for (&file, (url, headers)) in &files {
        let Some(read) = provider.files.get(file) else { continue };
        let own = member_id(provider, file);
        let mut add = |leak: &Leak, reason: &'static str| {
            let Some(secret) = secrets.get(leak.secret) else { return };
            // A descriptor that is served although it is private says its own id: that has a check of its own.
            if own.as_deref() == Some(secret.id.as_str()) {
                return;
            }
            let inside = |(f, p): &(usize, String)| *f == file && is_inside(&leak.pointer, p);
            if listed.iter().any(inside) {
                return;
            }
            let severity = if is_strict(options) { Severity::Error } else { leak.severity };
            let mut fault = Fault::new(CHECK, severity, file, reason)
                .field(provider, &leak.pointer, "")
                .with("id", secret.id.clone())
                .with(
                    "value",
                    match leak.what {
                        What::Id => secret.id.clone(),
                        What::Name => secret.name.clone(),
                        What::Url => secret.urls.first().cloned().unwrap_or_default(),
                    },
                )
                .with("file", read.name.clone());
            if leak.pointer.is_empty() {
                (fault.finding.line, fault.finding.column) = crate::json::line_column(&read.text, leak.at);
            }
            out.push(fault);
        };
        let found = if read.is_readable() && (read.doc().root().is_object() || read.doc().root().is_array()) {
            search.json(read.doc())
        } else {
            search.plain(&read.text)
        };
        for leak in &found {
            add(leak, reason_of(leak));
        }
        let path = url.get(super::wellknown::origin(url).map_or(0, |o| o.len())..).unwrap_or(url);
        for leak in search.plain(path).iter().filter(|l| l.severity == Severity::Error) {
            add(leak, "leak_in_path");
        }
        for (key, value) in *headers {
            for leak in search.plain(&format!("{key}: {value}")) {
                add(&leak, "leak_in_header");
            }
        }
    }
    Case::run(CHECK, subject, at, out)
}

fn reason_of(leak: &Leak) -> &'static str {
    match (leak.what, leak.disguise) {
        (What::Id, "") => "leak_id",
        (What::Id, "base64") => "leak_base64",
        (What::Id, _) => "leak_escaped",
        (What::Name, _) => "leak_name",
        (What::Url, _) => "leak_url",
    }
}

/// The id of a private descriptor that is itself served.
fn member_id(provider: &Provider, file: usize) -> Option<String> {
    let read = provider.files.get(file).filter(|f| f.kind == Some(Kind::Descriptor))?;
    Some(read.doc().root().str("id")?.into_owned())
}

/// Whether a pointer is another one or below it.
fn is_inside(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What the answers themselves say: the type of content, and caching where the view depends on the caller.
fn http(provider: &Provider, site: &Site, seen: &Seen) -> Vec<Fault> {
    let mut out = Vec::new();
    for answer in site.answers.values() {
        let Answer::Came { status, url, content_type, file, .. } = answer else { continue };
        let Some(read) = provider.files.get(*file) else { continue };
        let is_page = seen.pages.iter().any(|p| p.file == *file);
        let is_linked = seen.links.iter().any(|l| l.file == Some(*file));
        if refused_status(*status).is_some() || !(is_page || is_linked) || read.kind.is_none() {
            continue;
        }
        let essence = content_type.as_deref().and_then(|t| t.split(';').next()).unwrap_or_default().trim();
        let json = essence.eq_ignore_ascii_case("application/json") || essence.to_ascii_lowercase().ends_with("+json");
        if !json {
            let shown = if essence.is_empty() { "–" } else { essence };
            let fault = Fault::new("SSP-P6-HTTP", Severity::Warning, *file, "content_type").with("value", shown);
            out.push(fault.with("url", url.clone()));
        }
    }
    for url in &site.probes {
        let Some(Answer::Came { status, .. }) = site.answers.get(url) else { continue };
        if matches!(status, 401 | 403) {
            let at = site.index_file();
            let fault = Fault::new("SSP-P6-HTTP", Severity::Warning, at, "confirms_private");
            out.push(fault.with("id", url.clone()).with("detail", status.to_string()));
        }
    }
    let asked = &site.url;
    if let Some(Answer::Came { url, file, .. }) = site.answers.get(asked)
        && url != asked
    {
        let fault = Fault::new("SSP-P6-HTTP", Severity::Warning, *file, "redirected");
        out.push(fault.with("url", asked.clone()).with("detail", url.clone()));
    }
    out
}
