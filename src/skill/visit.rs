//! A provider checked by its address: which requests are wanted next, and what their answers mean. No request is made
//! here; the page makes them, without credentials, and hands the answers in.
//!
//! Decides the order (index, its further pages, descriptors, then what must not answer), every limit, and the sentence
//! for each way a request can fail. A browser does not tell a server that allows no other site (no CORS) from one that is
//! not there: the sentence says both. Redirects are followed by the browser; only where they ended is known, and judged.
//! O(bytes).
//!
//! Source: Skill Sharing Protocol chapter 12, property 6; the fetch standard for what a page may know.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use super::index::{MAX_PAGES, entries, not_a_document, refused_status};
use super::provider::{Answer, Extent, File, Member, Provider, Site, elsewhere};
use super::wellknown::{self, HostKind, Reach, Remark, host_kind, judge_absolute, resolve};
use crate::model::{Access, Severity};

/// The most descriptors that are fetched; the rest is skipped, which makes the verdict incomplete.
pub const MAX_DESCRIPTORS: usize = 500;
/// The most addresses of private skills that are tried.
pub const MAX_PROBES: usize = 200;
/// The most bytes of one answer.
pub const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// The most bytes of all answers.
pub const MAX_TOTAL: u64 = 50 * 1024 * 1024;
/// How long one request may take.
pub const TIMEOUT_MS: u32 = 15_000;
/// Requests under way at a time.
const AT_ONCE: usize = 6;

/// Where the page that asks is itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Here {
    /// It came by `https`: a browser then refuses requests without encryption, but for this machine.
    pub secure: bool,
    /// It is on this machine.
    pub loopback: bool,
}

impl Here {
    /// Of a page's own address.
    pub fn of(url: &str) -> Self {
        let host = wellknown::origin(url).unwrap_or_default();
        let host = host.split_once("://").map_or("", |(_, rest)| rest).to_owned();
        let name = match host.strip_prefix('[') {
            Some(inner) => format!("[{}]", inner.split(']').next().unwrap_or_default()),
            None => host.split(':').next().unwrap_or_default().to_owned(),
        };
        Self { secure: url.starts_with("https:"), loopback: host_kind(&name) == HostKind::Loopback }
    }
}

/// A request that the page is to make: `GET`, no credentials, no referrer, redirects followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub id: u32,
    pub url: String,
    pub max_bytes: u64,
    pub timeout_ms: u32,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Got {
    /// An answer, whatever its status. `url` is where redirects ended.
    Answer {
        status: u16,
        url: String,
        headers: Vec<(String, String)>,
        bytes: Vec<u8>,
    },
    /// The browser gave no answer away.
    Network,
    Timeout,
    TooLarge,
}

/// A check under way.
pub struct Visit {
    /// The address of the index.
    pub url: String,
    /// Remarks about the address itself.
    pub remarks: Vec<Remark>,
    here: Here,
    reach: Reach,
    queue: Vec<String>,
    waiting: BTreeMap<u32, String>,
    asked: BTreeSet<String>,
    next: u32,
    total: u64,
    pages: usize,
    descriptors: usize,
    files: Vec<File>,
    answers: BTreeMap<String, Answer>,
    /// The provider's full set, when it is open too.
    full: Vec<Member>,
    probed: bool,
    probes: BTreeSet<String>,
}

impl Visit {
    /// Begins with what was typed. `full`: the full set to compare with.
    pub fn start(text: &str, here: Here, strict: bool, full: Vec<Member>) -> Result<Self, Remark> {
        let typed = wellknown::typed(text)?;
        let reach = Reach { local: here.loopback, strict };
        let mut remarks = judge_absolute(&typed.url, reach);
        if let Some(refused) = remarks.iter().find(|r| r.severity == Severity::Error) {
            return Err(refused.clone());
        }
        if typed.below {
            remarks.push(Remark { reason: "below_root", severity: Severity::Warning, detail: typed.url.clone() });
        }
        let mut visit = Self {
            url: typed.url.clone(),
            remarks,
            here,
            reach,
            queue: Vec::new(),
            waiting: BTreeMap::new(),
            asked: BTreeSet::new(),
            next: 0,
            total: 0,
            pages: 0,
            descriptors: 0,
            files: Vec::new(),
            answers: BTreeMap::new(),
            full: elsewhere(full),
            probed: false,
            probes: BTreeSet::new(),
        };
        visit.ask(typed.url);
        Ok(visit)
    }

    /// Whether every answer is in.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty() && self.waiting.is_empty()
    }

    /// Requests that were made or refused so far, and those that are known to come.
    pub fn progress(&self) -> (usize, usize) {
        let open = self.queue.len() + self.waiting.len();
        (self.asked.len().saturating_sub(open), self.asked.len())
    }

    /// The next requests; those under way are not named again.
    pub fn wanted(&mut self) -> Vec<Wanted> {
        let mut out = Vec::new();
        while self.waiting.len() < AT_ONCE && !self.queue.is_empty() {
            let url = self.queue.remove(0);
            self.next += 1;
            self.waiting.insert(self.next, url.clone());
            let left = MAX_TOTAL.saturating_sub(self.total).max(1);
            out.push(Wanted { id: self.next, url, max_bytes: MAX_BYTES.min(left), timeout_ms: TIMEOUT_MS });
        }
        out
    }

    /// Takes the answer to a request. An unknown number is ignored.
    pub fn answer(&mut self, id: u32, got: Got) {
        let Some(url) = self.waiting.remove(&id) else { return };
        let is_page = self.pages_wanted(&url);
        let answer = match got {
            Got::Answer { status, url: ended, headers, bytes } => {
                self.total += bytes.len() as u64;
                if bytes.len() as u64 > MAX_BYTES {
                    Answer::Failed { reason: "fetch_too_large", detail: (MAX_BYTES >> 20).to_string() }
                } else {
                    let mut file = File::new(ended.clone(), bytes);
                    file.served = true;
                    let content_type = header(&headers, "content-type");
                    self.files.push(file);
                    let file = self.files.len() - 1;
                    Answer::Came { status, url: ended, content_type, headers, file }
                }
            }
            Got::Network => Answer::Failed { reason: "fetch_network", detail: url.clone() },
            Got::Timeout => Answer::Failed { reason: "fetch_timeout", detail: (TIMEOUT_MS / 1000).to_string() },
            Got::TooLarge => Answer::Failed { reason: "fetch_too_large", detail: (MAX_BYTES >> 20).to_string() },
        };
        self.answers.insert(url.clone(), answer.clone());
        if is_page {
            self.page(&answer);
        }
        if self.is_done() && !self.probed {
            self.probed = true;
            self.probe();
        }
    }

    /// The provider as it was found.
    pub fn finish(self) -> Provider {
        let site =
            Site { url: self.url, answers: self.answers, extent: Extent::Web, reach: self.reach, probes: self.probes };
        Provider { files: self.files, sites: vec![site], full: self.full, ..Provider::default() }
    }

    /// Whether an address was asked for as a page of the index: the first, and every `next`.
    fn pages_wanted(&self, url: &str) -> bool {
        url == self.url || self.queue_pages().any(|page| page == url)
    }

    /// The pages that the answers so far name.
    fn queue_pages(&self) -> impl Iterator<Item = String> + '_ {
        self.answers.values().filter_map(|answer| {
            let Answer::Came { url, file, .. } = answer else { return None };
            let read = self.files.get(*file).filter(|f| f.kind == Some(Kind::Index))?;
            let next = read.doc().root().str("next")?;
            resolve(url, &next, self.reach).ok().map(|link| link.url)
        })
    }

    /// Asks for what a page of the index names.
    fn page(&mut self, answer: &Answer) {
        let Answer::Came { status, url, file, .. } = answer else { return };
        if refused_status(*status).is_some()
            || !judge_absolute(url, self.reach).iter().all(|r| r.severity != Severity::Error)
        {
            return;
        }
        let mut wanted = Vec::new();
        if let Some(read) = self.files.get(*file).filter(|f| not_a_document(f, Kind::Index).is_none()) {
            let links = entries(*file, read).into_iter().filter_map(|e| e.descriptor_url);
            let links = links.filter_map(|u| resolve(url, &u, self.reach).ok()).filter(|l| !l.is_refused());
            for link in links {
                if self.descriptors < MAX_DESCRIPTORS && !self.asked.contains(&link.url) {
                    self.descriptors += 1;
                    wanted.push(link.url);
                }
            }
            let next = read.doc().root().str("next").and_then(|n| resolve(url, &n, self.reach).ok());
            if let Some(next) = next.filter(|l| !l.is_refused() && self.pages + 1 < MAX_PAGES) {
                self.pages += 1;
                wanted.push(next.url);
            }
        }
        for url in wanted {
            self.ask(url);
        }
    }

    /// Asks for what must not answer: descriptors of private skills, where they would lie if they were published.
    fn probe(&mut self) {
        let base = match self.answers.get(&self.url) {
            Some(Answer::Came { url, .. }) => url.clone(),
            _ => return,
        };
        let mut places = BTreeSet::new();
        for m in self.full.iter().filter(|m| m.access == Some(Access::Private)) {
            places.extend(super::publish::usual_paths(&m.id));
        }
        let urls: Vec<String> = places
            .iter()
            .filter_map(|path| resolve(&base, path, self.reach).ok())
            .filter(|link| !link.is_refused() && !self.asked.contains(&link.url))
            .map(|link| link.url)
            .take(MAX_PROBES)
            .collect();
        for url in urls {
            self.probes.insert(url.clone());
            self.ask(url);
        }
    }

    /// Puts an address into the queue, or answers for it when the browser would refuse it.
    fn ask(&mut self, url: String) {
        if !self.asked.insert(url.clone()) {
            return;
        }
        let loopback = Here::of(&url).loopback;
        if self.here.secure && url.starts_with("http:") && !loopback {
            self.answers.insert(url.clone(), Answer::Failed { reason: "fetch_mixed", detail: url });
        } else if self.total >= MAX_TOTAL {
            self.answers.insert(url, Answer::Failed { reason: "fetch_total", detail: (MAX_TOTAL >> 20).to_string() });
        } else {
            self.queue.push(url);
        }
    }
}

/// The value of a header.
fn header(headers: &[(String, String)], name: &str) -> Option<String> {
    headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_knows_where_it_is() {
        assert_eq!(Here::of("https://a.example/x/"), Here { secure: true, loopback: false });
        assert_eq!(Here::of("http://localhost:8080/"), Here { secure: false, loopback: true });
        assert_eq!(Here::of("http://[::1]:8080/"), Here { secure: false, loopback: true });
        assert_eq!(Here::of("file:///x/index.html"), Here { secure: false, loopback: false });
    }
}
