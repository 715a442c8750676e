//! What is loaded: documents in the order of their arrival, each with a status that changes on its own.
//! Only `state::actions` changes it; screens read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;

use crate::message::M;
use crate::report::{DocumentSummary, Row};
use crate::route::Side;
use crate::web::platform::files::Kept;
use crate::web::state::settings::{tf, ti};

/// A sentence with its values, kept until it is shown, in whatever language that is.
#[derive(Clone, Debug, PartialEq)]
pub enum Say {
    Page(M, Vec<(&'static str, String)>),
    Engine(String, Vec<(String, String)>),
}

impl Say {
    /// The sentence; follows the language where it is called in something reactive.
    pub fn text(&self) -> String {
        match self {
            Say::Page(message, args) => tf(*message, &args.iter().map(|(k, v)| (*k, v.as_str())).collect::<Vec<_>>()),
            Say::Engine(id, args) => ti(id, args),
        }
    }
}

/// What went wrong, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub what: Say,
    pub fix: Option<Say>,
    /// The browser's or the program's own words, for a report.
    pub detail: String,
}

/// How far a document is.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Bytes that the worker has taken.
    Reading {
        done: u64,
        of: u64,
    },
    Analysing,
    /// Imported. Not recognised when it has no runs and its report says why.
    Ready(Arc<DocumentSummary>),
    Failed(Problem),
}

/// One row of the rail.
#[derive(Clone, Debug)]
pub struct Document {
    /// The page's number for it: jobs name documents by this, whatever the worker of the moment calls them.
    pub key: u32,
    /// Unique in the session; links name documents by it.
    pub name: String,
    pub size: u64,
    /// Ids of the files behind it.
    pub files: Vec<u32>,
    /// Documents of one drop share this.
    pub batch: u32,
    pub status: RwSignal<Status>,
    /// The file on disk is no longer the one that is shown.
    pub changed: RwSignal<bool>,
    /// A reload or a forced format is on its way; what is shown stays until it is there.
    pub renewing: RwSignal<bool>,
    /// The first steps of a large file, while it is read.
    pub begins: RwSignal<Vec<Row>>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        (self.key, &self.name, &self.files, self.status) == (other.key, &other.name, &other.files, other.status)
    }
}

impl Document {
    /// The summary, followed; `None` until it is ready.
    pub fn summary(&self) -> Option<Arc<DocumentSummary>> {
        match &*self.status.read() {
            Status::Ready(summary) => Some(summary.clone()),
            _ => None,
        }
    }

    /// The summary now, without following it.
    pub fn summary_now(&self) -> Option<Arc<DocumentSummary>> {
        match &*self.status.read_untracked() {
            Status::Ready(summary) => Some(summary.clone()),
            _ => None,
        }
    }
}

/// A line above the screens that stays until it is answered or put away.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub bad: bool,
    pub say: Say,
    pub act: Option<NoticeAct>,
}

/// What a notice offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeAct {
    ReloadPage,
}

thread_local! {
    // Handles of files belong to the browser and cannot be in a signal.
    static FILES: RefCell<BTreeMap<u32, Kept>> = const { RefCell::new(BTreeMap::new()) };
}

/// A file that was given, by its id.
pub fn file(id: u32) -> Option<Kept> {
    FILES.with(|f| f.borrow().get(&id).cloned())
}

pub(super) fn keep_file(id: u32, kept: Kept) {
    FILES.with(|f| f.borrow_mut().insert(id, kept));
}

pub(super) fn drop_file(id: u32) {
    FILES.with(|f| f.borrow_mut().remove(&id));
}

/// What is loaded, as a handle.
#[derive(Clone, Copy)]
pub struct Session {
    pub documents: RwSignal<Vec<Document>>,
    pub notice: RwSignal<Option<Notice>>,
    /// Requests to other servers, as the browser counts them.
    pub sent: RwSignal<u32>,
    /// Said by screen readers when they have time, and at once.
    pub polite: RwSignal<String>,
    pub urgent: RwSignal<String>,
    /// Runs that are marked to be compared, in the order in which they were.
    pub marked: RwSignal<Vec<Side>>,
    owner: StoredValue<Owner>,
}

impl Session {
    /// Nothing loaded. Call it in the root, whose life the documents' signals share.
    pub fn new() -> Self {
        Self {
            documents: RwSignal::new(Vec::new()),
            notice: RwSignal::new(None),
            sent: RwSignal::new(0),
            polite: RwSignal::new(String::new()),
            urgent: RwSignal::new(String::new()),
            marked: RwSignal::new(Vec::new()),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        }
    }

    pub(super) fn document(
        self,
        key: u32,
        name: String,
        size: u64,
        files: Vec<u32>,
        batch: u32,
        status: Status,
    ) -> Document {
        self.owner.get_value().with(|| Document {
            key,
            name,
            size,
            files,
            batch,
            status: RwSignal::new(status),
            changed: RwSignal::new(false),
            renewing: RwSignal::new(false),
            begins: RwSignal::new(Vec::new()),
        })
    }

    /// How many runs are open; followed.
    pub fn runs(self) -> usize {
        self.documents.with(|d| d.iter().filter_map(Document::summary).map(|s| s.runs.len()).sum())
    }

    /// A document by its key, now.
    pub fn by_key(self, key: u32) -> Option<Document> {
        self.documents.with_untracked(|d| d.iter().find(|d| d.key == key).cloned())
    }

    /// The document that a link names; followed. A link made from a folder finds the same file given alone.
    pub fn by_name(self, name: &str) -> Option<Document> {
        self.documents.with(|d| find(d, name).cloned())
    }

    /// The same, now.
    pub fn by_name_now(self, name: &str) -> Option<Document> {
        self.documents.with_untracked(|d| find(d, name).cloned())
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

fn find<'a>(documents: &'a [Document], name: &str) -> Option<&'a Document> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    documents.iter().find(|d| d.name == name).or_else(|| documents.iter().find(|d| last(&d.name) == last(name)))
}

/// The session; works in components and in what they own.
pub fn use_session() -> Session {
    expect_context()
}
