//! Files that the user gave to the page: from the picker, a drop, the clipboard. Handles are kept, bytes are not:
//! they are read in slices and handed to the worker, at most two slices in flight, so that memory holds no file whole.

use std::cell::Cell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;

use futures_channel::oneshot;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use super::idle;
use super::worker::Engine;
use crate::protocol::{Job, Outcome};
use crate::report::Row;
use crate::web::lines::{Cutter, Index};

/// Bytes of a slice: large enough that messages cost nothing, small enough that progress moves.
const SLICE: u64 = 2 << 20;
/// Files of this many bytes say first what they begin with: reading them takes longer than a look.
const LARGE: u64 = 4 << 20;
/// Bytes that are asked for it.
const BEGINNING: u64 = 256 << 10;
const IN_FLIGHT: usize = 2;

/// Folders that hold no runs but many files.
const SKIPPED_FOLDERS: [&str; 3] = [".git", "node_modules", "__pycache__"];

/// A file that the user gave.
#[derive(Clone)]
pub struct Kept {
    file: File,
    /// A handle that can read the file anew after it changed; only some drops bring one.
    handle: Option<JsValue>,
    path: String,
}

impl Kept {
    fn new(file: File, path: Option<String>, handle: Option<JsValue>) -> Self {
        let relative = js_sys::Reflect::get(&file, &"webkitRelativePath".into()).ok().and_then(|p| p.as_string());
        let path = path.or(relative).filter(|p| !p.is_empty()).unwrap_or_else(|| file.name());
        Self { file, handle, path: path.trim_start_matches('/').to_owned() }
    }

    /// The path inside the drop; for a single file its name.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn size(&self) -> u64 {
        self.file.size() as u64
    }

    /// A document made of text, as from the clipboard.
    pub fn from_text(name: &str, text: &str) -> Option<Self> {
        let parts = js_sys::Array::of1(&text.into());
        File::new_with_str_sequence(&parts, name).ok().map(|f| Self::new(f, None, None))
    }

    /// A document made of bytes, as an example of the page's own.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Option<Self> {
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let name = path.rsplit('/').next().unwrap_or_default();
        File::new_with_u8_array_sequence(&parts, name).ok().map(|f| Self::new(f, Some(path.to_owned()), None))
    }

    /// The same, of bytes that the browser holds.
    pub fn from_array(name: &str, bytes: &js_sys::Uint8Array) -> Option<Self> {
        File::new_with_u8_array_sequence(&js_sys::Array::of1(bytes), name).ok().map(|f| Self::new(f, None, None))
    }

    /// The same, of a blob from elsewhere.
    pub fn from_blob(name: &str, blob: &web_sys::Blob) -> Option<Self> {
        File::new_with_blob_sequence(&js_sys::Array::of1(blob), name).ok().map(|f| Self::new(f, None, None))
    }

    /// Whether the file on disk is no longer the one that was given. Reads one byte: the browser refuses when the
    /// file's time or size differ.
    pub async fn changed(&self) -> bool {
        if let Some(now) = self.now().await {
            return now.last_modified() != self.file.last_modified() || now.size() != self.file.size();
        }
        slice(&self.file, 0, 1).await.is_err()
    }

    /// The file as it is on disk now; `None` when only the user can give it again.
    pub async fn renewed(&self) -> Option<Self> {
        let file = self.now().await?;
        Some(Self { file, handle: self.handle.clone(), path: self.path.clone() })
    }

    /// The same place in the drop, other bytes.
    pub fn replaced_by(&self, other: &Self) -> Self {
        Self { file: other.file.clone(), handle: other.handle.clone(), path: self.path.clone() }
    }

    async fn now(&self) -> Option<File> {
        let handle = self.handle.as_ref()?;
        let get = js_sys::Reflect::get(handle, &"getFile".into()).ok()?.dyn_into::<js_sys::Function>().ok()?;
        let promise = get.call0(handle).ok()?.dyn_into::<js_sys::Promise>().ok()?;
        JsFuture::from(promise).await.ok()?.dyn_into().ok()
    }

    /// Text of a byte range; `Err` when the file cannot be read any more.
    pub async fn text(&self, start: u64, end: u64) -> Result<String, String> {
        let _busy = idle::busy();
        let bytes = slice(&self.file, start, end).await?;
        Ok(String::from_utf8_lossy(&js_sys::Uint8Array::new(&bytes).to_vec()).into_owned())
    }
}

impl Kept {
    /// Finds the lines of the file. `step` gets what is known after each slice and says whether to go on.
    pub async fn index(&self, mut step: impl FnMut(&Index) -> bool) -> Result<(), String> {
        let mut index = Index::default();
        let (mut at, size) = (0, self.size());
        while at < size {
            let end = (at + SLICE).min(size);
            let bytes = slice(&self.file, at, end).await?;
            index.feed(&js_sys::Uint8Array::new(&bytes).to_vec());
            at = end;
            if !step(&index) {
                break;
            }
        }
        Ok(())
    }

    /// The first characters of `count` lines in a byte range. Stops reading when it has them.
    pub async fn lines(&self, (start, end): (u64, u64), count: u32) -> Result<Vec<String>, String> {
        let _busy = idle::busy();
        let mut cutter = Cutter::default();
        let mut at = start;
        while at < end {
            let to = (at + SLICE / 8).min(end);
            let bytes = slice(&self.file, at, to).await?;
            at = to;
            if !cutter.feed(&js_sys::Uint8Array::new(&bytes).to_vec(), count) {
                break;
            }
        }
        Ok(cutter.finish())
    }
}

async fn slice(file: &File, start: u64, end: u64) -> Result<js_sys::ArrayBuffer, String> {
    let blob = file.slice_with_f64_and_f64(start as f64, end as f64).map_err(|e| words(&e))?;
    let bytes = JsFuture::from(blob.array_buffer()).await.map_err(|e| words(&e))?;
    bytes.dyn_into().map_err(|_| "no bytes".to_owned())
}

/// The name of a browser's error, for example `NotReadableError`.
fn words(error: &JsValue) -> String {
    error.dyn_ref::<web_sys::DomException>().map_or_else(|| format!("{error:?}"), web_sys::DomException::name)
}

/// Files of a picker.
pub fn from_list(list: &FileList) -> Vec<Kept> {
    (0..list.length())
        .filter_map(|i| list.get(i))
        .map(|f| Kept::new(f, None, None))
        .filter(|k| !inside_skipped(&k.path))
        .collect()
}

/// Files of the picker with this selector, which is emptied so that the same file can be chosen again.
pub fn take_chosen(event: &web_sys::Event) -> Vec<Kept> {
    let Some(input) = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlInputElement>().ok()) else {
        return Vec::new();
    };
    let files = input.files().map(|l| from_list(&l)).unwrap_or_default();
    input.set_value("");
    files
}

/// Whether a picked folder's file lies where nobody looks for runs.
fn inside_skipped(path: &str) -> bool {
    let mut folders: Vec<&str> = path.split('/').collect();
    let name = folders.pop().unwrap_or_default();
    !folders.is_empty() && (left_out(name) || folders.iter().any(|f| SKIPPED_FOLDERS.contains(f)))
}

/// Files that systems leave in folders.
fn left_out(name: &str) -> bool {
    name == ".DS_Store" || name == "Thumbs.db"
}

/// A drop, with everything that has to be asked for before the event is over.
pub struct Dropped {
    parts: Vec<Part>,
}

enum Part {
    File(File, Option<js_sys::Promise>),
    Folder(FileSystemDirectoryEntry),
}

/// How many things are being dragged over the page; `None` when they are no files. Browsers tell the count early,
/// the names only at the drop.
pub fn dragged(event: &web_sys::Event) -> Option<u32> {
    let transfer = event.dyn_ref::<web_sys::DragEvent>()?.data_transfer()?;
    let types = transfer.types();
    types.includes(&"Files".into(), 0).then(|| {
        let items = transfer.items();
        (0..items.length()).filter_map(|i| items.get(i)).filter(|item| item.kind() == "file").count() as u32
    })
}

/// Takes the files out of a drop event; call it before the first `await`.
pub fn dropped(event: &web_sys::Event) -> Option<Dropped> {
    Some(collect(&event.dyn_ref::<web_sys::DragEvent>()?.data_transfer()?))
}

/// Files or text of a paste event: files first.
pub fn pasted(event: &web_sys::Event) -> Option<Result<Dropped, String>> {
    let data = event.dyn_ref::<web_sys::ClipboardEvent>()?.clipboard_data()?;
    let dropped = collect(&data);
    if !dropped.parts.is_empty() {
        return Some(Ok(dropped));
    }
    data.get_data("text/plain").ok().filter(|t| !t.trim().is_empty()).map(Err)
}

fn collect(transfer: &DataTransfer) -> Dropped {
    let items = transfer.items();
    let mut parts = Vec::new();
    for item in (0..items.length()).filter_map(|i| items.get(i)) {
        if item.kind() != "file" {
            continue;
        }
        let entry = item.webkit_get_as_entry().ok().flatten();
        if let Some(folder) = entry.filter(FileSystemEntry::is_directory) {
            parts.push(Part::Folder(folder.unchecked_into()));
            continue;
        }
        let handle = js_sys::Reflect::get(&item, &"getAsFileSystemHandle".into())
            .ok()
            .and_then(|f| f.dyn_into::<js_sys::Function>().ok())
            .and_then(|f| f.call0(&item).ok())
            .and_then(|p| p.dyn_into::<js_sys::Promise>().ok());
        if let Ok(Some(file)) = item.get_as_file() {
            parts.push(Part::File(file, handle));
        }
    }
    Dropped { parts }
}

impl Dropped {
    /// All files, folders walked to the bottom, sorted by path inside each folder.
    pub async fn files(self) -> Vec<Kept> {
        let _busy = idle::busy();
        let mut out = Vec::new();
        for part in self.parts {
            match part {
                Part::File(file, handle) => {
                    let handle = match handle {
                        Some(promise) => JsFuture::from(promise).await.ok().filter(JsValue::is_object),
                        None => None,
                    };
                    out.push(Kept::new(file, None, handle));
                }
                Part::Folder(folder) => {
                    let from = out.len();
                    walk(folder, &mut out).await;
                    if let Some(new) = out.get_mut(from..) {
                        new.sort_by(|a: &Kept, b: &Kept| a.path.cmp(&b.path));
                    }
                }
            }
        }
        out
    }
}

/// Walks with a list instead of recursion: folders may be nested as deep as the disk allows.
async fn walk(top: FileSystemDirectoryEntry, out: &mut Vec<Kept>) {
    let mut todo = vec![top];
    while let Some(folder) = todo.pop() {
        let reader = folder.create_reader();
        // A reader gives its entries in batches of about a hundred, an empty one at the end.
        loop {
            let (yes, no, receive) = callbacks();
            let asked = reader.read_entries_with_callback_and_callback(yes.unchecked_ref(), no.unchecked_ref());
            if asked.is_err() {
                break;
            }
            let Ok(Some(batch)) = receive.await else { break };
            let batch = js_sys::Array::from(&batch);
            if batch.length() == 0 {
                break;
            }
            for entry in batch.iter() {
                let entry: FileSystemEntry = entry.unchecked_into();
                let name = entry.name();
                if entry.is_directory() {
                    if !SKIPPED_FOLDERS.contains(&name.as_str()) {
                        todo.push(entry.unchecked_into());
                    }
                } else if !left_out(&name) {
                    let (yes, no, receive) = callbacks();
                    let path = entry.full_path();
                    let entry: FileSystemFileEntry = entry.unchecked_into();
                    entry.file_with_callback_and_callback(yes.unchecked_ref(), no.unchecked_ref());
                    if let Ok(Some(file)) = receive.await {
                        out.push(Kept::new(file.unchecked_into(), Some(path), None));
                    }
                }
            }
        }
    }
}

/// Two callbacks of which one is called, and what waits for it: `None` is the failure.
fn callbacks() -> (JsValue, JsValue, oneshot::Receiver<Option<JsValue>>) {
    let (send, receive) = oneshot::channel();
    let send = std::rc::Rc::new(Cell::new(Some(send)));
    let failed = send.clone();
    let yes = Closure::once_into_js(move |value: JsValue| {
        if let Some(send) = send.take() {
            let _ = send.send(Some(value));
        }
    });
    let no = Closure::once_into_js(move |_: JsValue| {
        if let Some(send) = failed.take() {
            let _ = send.send(None);
        }
    });
    (yes, no, receive)
}

/// Why a file did not get into the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user does not want it any more.
    Cancelled,
    /// The browser cannot read it: it changed, moved or went away.
    Unreadable(String),
    /// The worker died of it.
    Died,
    /// The worker died of something else, or was ended: the file has to be read again.
    Again,
    /// The engine cannot do it.
    Fault(String, Vec<(String, String)>),
}

fn check(outcome: Outcome) -> Result<(), Stop> {
    match outcome {
        Outcome::Fault { id, .. } if id == "fault.worker-died" => Err(Stop::Died),
        Outcome::Fault { id, .. } if id == "fault.worker-stopped" => Err(Stop::Again),
        Outcome::Fault { id, args } => Err(Stop::Fault(id, args)),
        _ => Ok(()),
    }
}

/// Reads a file into the worker. `progress` gets the bytes that the worker has taken; `wanted` is asked before each slice;
/// `begins` gets the first steps of a large file.
pub async fn pump(
    engine: Engine,
    id: u32,
    kept: &Kept,
    format: Option<String>,
    progress: impl Fn(u64),
    wanted: impl Fn() -> bool,
    begins: impl Fn(Vec<Row>),
) -> Result<(), Stop> {
    let _busy = idle::busy();
    let size = kept.size();
    if size >= LARGE {
        let bytes = slice(&kept.file, 0, BEGINNING).await.map_err(Stop::Unreadable)?;
        let job = Job::Beginning { name: kept.path.clone(), format: format.clone() };
        if let Outcome::Beginning { rows } = engine.post(&job, Some(bytes), None).await {
            begins(rows.rows);
        }
    }
    check(engine.post(&Job::Open { file: id, name: kept.path.clone(), size, format }, None, None).await)?;
    type Answer = Pin<Box<dyn Future<Output = Outcome>>>;
    let mut flying: VecDeque<(u64, Answer)> = VecDeque::new();
    let mut at = 0;
    loop {
        if !wanted() {
            return Err(Stop::Cancelled);
        }
        if at < size && flying.len() < IN_FLIGHT {
            let end = (at + SLICE).min(size);
            let bytes = slice(&kept.file, at, end).await.map_err(Stop::Unreadable)?;
            flying.push_back((end, Box::pin(engine.post(&Job::Chunk { file: id }, Some(bytes), None))));
            at = end;
            continue;
        }
        let Some((end, answer)) = flying.pop_front() else { break };
        check(answer.await)?;
        progress(end);
    }
    check(engine.post(&Job::Finish { file: id }, None, None).await)
}
