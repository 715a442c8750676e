//! Runs that a link names: fetched from where they are, through the one gate, each succeeding or failing on its own;
//! compared with the hash that the link carries; then opened like dropped files, where the sender was looking.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::actions::Actions;
use super::nav::Nav;
use super::session::{Notice, Say, Session};
use crate::route::{Opening, Route, Source, upgrade};
use crate::web::platform::files::Kept;
use crate::web::platform::http::{self, Fetched, Requests};
use crate::web::platform::{dom, idle};

/// The largest file that is fetched, in bytes, and how long its server may take, in milliseconds.
const MAX_BYTES: u64 = 512 << 20;
const TIMEOUT_MS: u32 = 120_000;

/// One file of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub source: Source,
    pub state: Fetching,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Fetching {
    Going,
    Done,
    Failed(Say),
}

/// The link that is being followed, as a handle.
#[derive(Clone, Copy)]
pub struct Links {
    pub parts: RwSignal<Vec<Part>>,
    /// The link of `parts`.
    opening: StoredValue<Option<Opening>>,
    /// Where open documents are from, by the name of the file.
    origins: StoredValue<Vec<(String, Source)>>,
    requests: StoredValue<Requests, LocalStorage>,
    session: Session,
    nav: Nav,
    actions: Actions,
}

/// The handle; works in components and in what they own.
pub fn use_links() -> Links {
    expect_context()
}

fn say(id: &str, args: &[(&str, String)]) -> Say {
    Say::Engine(id.into(), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
}

impl Links {
    pub fn new(session: Session, nav: Nav, actions: Actions) -> Self {
        Self {
            parts: RwSignal::new(Vec::new()),
            opening: StoredValue::new(None),
            origins: StoredValue::new(Vec::new()),
            requests: StoredValue::new_local(Requests::default()),
            session,
            nav,
            actions,
        }
    }

    /// Where these documents are from, when all of them are from somewhere.
    pub fn sources_of(self, names: &[String]) -> Option<Vec<Source>> {
        let found: Option<Vec<Source>> = self.origins.with_value(|origins| {
            names.iter().map(|n| origins.iter().find(|(name, _)| name == n).map(|(_, s)| s.clone())).collect()
        });
        found.map(|mut sources| {
            sources.dedup();
            sources
        })
    }

    /// Follows a link; one that is followed already goes on.
    pub fn follow(self, opening: Opening) {
        if self.opening.with_value(|now| now.as_ref() == Some(&opening)) {
            return;
        }
        self.requests.with_value(Requests::stop);
        let requests = Requests::default();
        self.requests.set_value(requests.clone());
        self.opening.set_value(Some(opening.clone()));
        self.parts.set(opening.sources.iter().map(|s| Part { source: s.clone(), state: Fetching::Going }).collect());
        spawn_local(async move {
            let _busy = idle::busy();
            if !opening.data.is_empty() {
                self.finish(
                    &opening,
                    Kept::from_text("link.html", &opening.as_page()).into_iter().collect(),
                    Vec::new(),
                );
                return;
            }
            let mut files = Vec::new();
            let mut changed = Vec::new();
            for (at, source) in opening.sources.iter().enumerate() {
                let state = match self.fetch(source, &requests).await {
                    Ok((file, differs)) => {
                        self.origins.update_value(|o| {
                            o.retain(|(name, _)| name != file.path());
                            o.push((file.path().to_owned(), Source { sha256: file_hash(&differs), ..source.clone() }));
                        });
                        if let Check::Other(_) = differs {
                            changed.push(say("link.changed", &[("host", source.host())]));
                        }
                        files.push(file);
                        Fetching::Done
                    }
                    Err(problem) => Fetching::Failed(problem),
                };
                if requests.is_stopped() {
                    return;
                }
                self.parts.update(|parts| {
                    if let Some(part) = parts.get_mut(at) {
                        part.state = state;
                    }
                });
            }
            if files.is_empty() {
                let first = self.parts.with_untracked(|p| {
                    p.iter().find_map(|p| match &p.state {
                        Fetching::Failed(say) => Some(say.text()),
                        _ => None,
                    })
                });
                self.session.urgent.set(first.unwrap_or_default());
                return;
            }
            self.finish(&opening, files, changed);
        });
    }

    /// Stops fetching.
    pub fn stop(self) {
        self.requests.with_value(Requests::stop);
        self.opening.set_value(None);
        self.parts.set(Vec::new());
    }

    fn finish(self, opening: &Opening, files: Vec<Kept>, changed: Vec<Say>) {
        let failed = self.parts.with_untracked(|parts| {
            parts.iter().find_map(|p| match &p.state {
                Fetching::Failed(say) => Some(say.clone()),
                _ => None,
            })
        });
        let (view, newer) = upgrade(&opening.view, opening.version);
        let newer = newer.then(|| say("link.newer", &[]));
        let name = files.first().map(|f| f.path().to_owned());
        self.opening.set_value(None);
        self.actions.open(files);
        // In the place of the link: Back leads to where the link was clicked, not into it again.
        match (Route::parse(&view), name) {
            (route @ (Route::Document(_) | Route::Compare(_)), _) => self.nav.replace(&route),
            (_, Some(name)) => {
                self.nav.replace(&Route::Document(crate::route::Place { document: name, ..Default::default() }))
            }
            _ => {}
        }
        if let Some(say) = failed.or(changed.into_iter().next()).or(newer) {
            self.session.urgent.set(say.text());
            self.session.notice.set(Some(Notice { bad: true, say, act: None }));
        }
    }

    async fn fetch(self, source: &Source, requests: &Requests) -> Result<(Kept, Check), Say> {
        let host = ("host", source.host());
        let address = source.raw_address();
        if !(address.starts_with("https://") || address.starts_with("http://")) {
            return Err(say("link.not-an-address", &[("url", source.url.clone())]));
        }
        if dom::base().starts_with("https:") && address.starts_with("http:") && !source.is_local() {
            return Err(say("link.mixed", &[host]));
        }
        let (status, bytes) = match requests.get(&address, MAX_BYTES, TIMEOUT_MS).await {
            Fetched::Answer { status, bytes, .. } => (status, bytes),
            Fetched::Timeout => return Err(say("link.timeout", &[host, ("n", (TIMEOUT_MS / 1000).to_string())])),
            Fetched::TooLarge => return Err(say("link.too-large", &[host, ("size", crate::format::bytes(MAX_BYTES))])),
            Fetched::Network if dom::offline() => return Err(say("link.offline", &[host])),
            // Whether the server is there at all, a request can tell whose answer nobody may read.
            Fetched::Network if http::reachable(&address).await => return Err(say("link.cors", &[host])),
            Fetched::Network => return Err(say("link.network", &[host])),
        };
        match status {
            200..=299 => {}
            401 | 403 => return Err(say("link.forbidden", &[host, ("status", status.to_string())])),
            404 | 410 => return Err(say("link.missing", &[host, ("status", status.to_string())])),
            _ => return Err(say("link.status", &[host, ("status", status.to_string())])),
        }
        let bytes = js_bytes(&bytes);
        let kept =
            Kept::from_array(&source.name(), &bytes).ok_or_else(|| say("link.network", &[("host", source.host())]))?;
        let head = kept.text(0, kept.size().min(1024)).await.unwrap_or_default();
        let begin = head.trim_start();
        let html = begin.get(..9).is_some_and(|b| b.eq_ignore_ascii_case("<!doctype")) || begin.starts_with("<html");
        if html && !head.contains("data-skillscope-page=") {
            return Err(say("link.html", &[host]));
        }
        let found = http::sha256(&bytes).await;
        let check = match (source.sha256.as_str(), found) {
            (_, None) => Check::Unknown,
            ("", Some(found)) => Check::Same(found),
            (wanted, Some(found)) if wanted.eq_ignore_ascii_case(&found) => Check::Same(found),
            (_, Some(found)) => Check::Other(found),
        };
        Ok((kept, check))
    }
}

/// What the hash of a link says.
enum Check {
    Same(String),
    Other(String),
    /// The browser does not compute hashes here.
    Unknown,
}

fn file_hash(check: &Check) -> String {
    match check {
        Check::Same(hash) | Check::Other(hash) => hash.clone(),
        Check::Unknown => String::new(),
    }
}

fn js_bytes(buffer: &http::Buffer) -> http::Bytes {
    http::Bytes::new(buffer)
}
