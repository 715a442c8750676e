//! A file, chunk by chunk: unwraps it, finds the reader, feeds it the records, writes the report.
//!
//! JSON Lines of a known format are read as a stream: memory holds one line and the model, never the text. Everything
//! else is collected first. Detection looks at the first 64 records. O(bytes).

use std::io::Write;

use super::join::{is_event_file, join_event_files};
use super::log::MAX_FINDINGS;
use super::{
    FORMATS, Format, Log, Reason, Record, RecordReader, Sample, SessionPart, Shape, Sniff, detect, format, inspect,
    refuse, text,
};
use crate::json::{FaultKind, Tape, decode_bytes, line_column};
use crate::model::{BadLine, Finding, FormatAnswer, ImportReport, Note, Refusal, Repair, Run, Span};

/// Bytes looked at before a stream is chosen.
const HEAD: usize = 64 * 1024;
/// Records shown to detection.
const SAMPLE: usize = 64;
/// A decompressed file may be this many times its compressed size, and at least this large, before it is a bomb.
const MAX_RATIO: u64 = 200;
const MIN_BOMB: u64 = 64 * 1024 * 1024;
/// Members read from an archive: a conversation may be stored as one file an event.
const MAX_MEMBERS: usize = 50_000;
/// Archives inside archives that are opened.
const MAX_ARCHIVES: u8 = 2;
/// The largest file without a run whose bytes are kept for other readers.
const MAX_KEPT: usize = 16 * 1024 * 1024;
/// Bad lines listed in a report.
const MAX_BAD: usize = 100;

/// What one file gave.
#[derive(Default)]
pub struct FileImport {
    pub runs: Vec<Run>,
    pub report: ImportReport,
    pub findings: Vec<Finding>,
    pub session: Option<SessionPart>,
    pub source: Source,
    /// The bytes of a file that gave no run, up to [`MAX_KEPT`]: it may be something else that is worth reading.
    pub bytes: Option<Vec<u8>>,
    /// Labels and comments that an analysis page carries, as their side file; empty without.
    pub notes: String,
}

/// Where the text of a file can be read again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// In the file itself: byte ranges of the text, moved by the length of the byte order mark.
    File { shift: u32 },
    /// Only here: the text had to be decompressed or decoded.
    Text(String),
    #[default]
    Nowhere,
}

/// Reads one file.
pub struct Intake {
    name: String,
    forced: Option<&'static Format>,
    state: State,
    gzip: Option<Box<flate2::write::MultiGzDecoder<Vec<u8>>>>,
    /// The first byte, while it alone cannot tell whether the file is compressed.
    first: Vec<u8>,
    started: bool,
    gzip_failed: bool,
    /// Archives around this file.
    depth: u8,
    read: u64,
    budget: Budget,
    bomb: bool,
    wrapped: Vec<String>,
}

/// What unwrapping may cost, over all layers of compression together: the members of an archive share it.
#[derive(Clone, Copy, Default)]
struct Budget {
    /// Size of the outermost compressed file, as far as it was read.
    compressed: u64,
    inflated: u64,
}

impl Budget {
    /// Counts inflated bytes; false when they are too many for an honest file.
    fn spend(&mut self, bytes: usize) -> bool {
        self.inflated += bytes as u64;
        self.inflated <= MIN_BOMB || self.inflated / self.compressed.max(1) <= MAX_RATIO
    }
}

enum State {
    /// Not enough seen to choose.
    Head(Vec<u8>),
    Whole(Vec<u8>),
    Lines(Box<Lines>),
}

/// A stream of JSON lines with its reader.
struct Lines {
    reader: Box<dyn RecordReader>,
    format: &'static Format,
    log: Log,
    tape: Tape,
    pending: Vec<u8>,
    /// Bytes of `pending` that were searched for a line break already.
    searched: usize,
    line: u32,
    /// Offset of `pending` in the text.
    offset: usize,
    index: usize,
    shift: u32,
    last_cut: bool,
}

impl Intake {
    /// `forced`: the id of a format that the person chose.
    pub fn new(name: &str, forced: Option<&str>) -> Self {
        Self {
            name: name.to_owned(),
            forced: forced.and_then(format),
            state: State::Head(Vec::new()),
            gzip: None,
            first: Vec::new(),
            started: false,
            gzip_failed: false,
            depth: 0,
            read: 0,
            budget: Budget::default(),
            bomb: false,
            wrapped: Vec::new(),
        }
    }

    /// Takes the next bytes of the file.
    pub fn chunk(&mut self, bytes: &[u8]) {
        if self.started {
            return self.take(bytes);
        }
        // What a file is must not depend on where its chunks end.
        if self.first.len() + bytes.len() < 2 {
            self.first.extend_from_slice(bytes);
            return;
        }
        self.start(bytes);
        self.take(bytes);
    }

    /// Looks at the first two bytes; `bytes` are those behind `first`.
    fn start(&mut self, bytes: &[u8]) {
        self.started = true;
        let first = std::mem::take(&mut self.first);
        if first.iter().chain(bytes).take(2).eq(&[0x1F, 0x8B]) {
            self.gzip = Some(Box::new(flate2::write::MultiGzDecoder::new(Vec::new())));
            self.wrapped.push("gzip".into());
        }
        self.take(&first);
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.gzip.is_none() {
            self.read += bytes.len() as u64;
            return self.feed(bytes);
        }
        for piece in bytes.chunks(32 * 1024) {
            if self.gzip_failed || self.bomb {
                return;
            }
            let Some(gzip) = self.gzip.as_deref_mut() else { return };
            self.read += piece.len() as u64;
            if self.depth == 0 {
                self.budget.compressed = self.read;
            }
            let ok = gzip.write_all(piece).is_ok();
            let out = std::mem::take(gzip.get_mut());
            self.gzip_failed = !ok;
            self.bomb = !self.budget.spend(out.len());
            if !self.bomb {
                self.feed(&out);
            }
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Whole(all) => all.extend_from_slice(bytes),
            State::Lines(lines) => lines.feed(bytes),
            State::Head(head) => {
                let (now, later) = bytes.split_at(bytes.len().min(HEAD.saturating_sub(head.len())));
                head.extend_from_slice(now);
                if head.len() >= HEAD {
                    self.choose();
                    self.feed(later);
                }
            }
        }
    }

    /// Leaves the `Head` state: a stream if the head holds whole lines of a known format.
    fn choose(&mut self) {
        let State::Head(head) = &mut self.state else { return };
        let head = std::mem::take(head);
        self.state = match stream_format(&head, self.forced) {
            Some((format, shift)) => {
                let mut lines = Box::new(Lines::new(&self.name, format, shift));
                lines.feed(head.get(shift..).unwrap_or_default());
                State::Lines(lines)
            }
            None => State::Whole(head),
        };
    }

    /// Ends the file. An archive gives one import a member.
    pub fn finish(self) -> Vec<FileImport> {
        self.finish_within().0
    }

    fn finish_within(mut self) -> (Vec<FileImport>, Budget) {
        if !self.started {
            self.start(&[]);
        }
        if let Some(mut gzip) = self.gzip.take() {
            let ok = gzip.try_finish().is_ok();
            let rest = std::mem::take(gzip.get_mut());
            self.gzip_failed |= !ok;
            if !self.bomb {
                self.bomb = !self.budget.spend(rest.len());
                self.feed(&rest);
            }
        }
        if matches!(&self.state, State::Head(head) if !head.starts_with(b"PK\x03\x04")) {
            self.choose();
        }
        let wrapped = std::mem::take(&mut self.wrapped);
        let compressed = !wrapped.is_empty();
        let mut budget = self.budget;
        let mut out = match self.state {
            State::Lines(lines) => vec![lines.finish()],
            State::Head(bytes) | State::Whole(bytes) => {
                if bytes.starts_with(b"PK\x03\x04") {
                    if self.depth == 0 {
                        budget.compressed = self.read;
                    }
                    unzip(&self.name, bytes, self.forced, self.depth, &mut budget)
                } else if super::page::is_page(&bytes) {
                    let damaged = || vec![refused(&self.name, "page-damaged", "text", Vec::new(), None, self.read)];
                    super::page::import_page(&bytes).unwrap_or_else(damaged)
                } else {
                    let mut import = import_whole(&self.name, &bytes, self.forced);
                    if import.runs.is_empty() && bytes.len() <= MAX_KEPT {
                        import.bytes = Some(bytes);
                    }
                    vec![import]
                }
            }
        };
        for file in &mut out {
            if compressed && !matches!(file.source, Source::Text(_)) {
                file.source = Source::Nowhere;
            }
            file.report.wrapped.splice(0..0, wrapped.iter().cloned());
            if self.gzip_failed {
                file.report.repairs.push(Repair { kind: "gzip-broken".into(), count: 1, line: 0 });
            }
            if self.bomb {
                file.report.repairs.push(Repair { kind: "bomb".into(), count: 1, line: 0 });
            }
        }
        (out, budget)
    }
}

/// Reads a file that is in memory as a whole.
pub fn import_bytes(name: &str, bytes: &[u8], forced: Option<&str>) -> Vec<FileImport> {
    let mut intake = Intake::new(name, forced);
    intake.chunk(bytes);
    intake.finish()
}

fn unzip(
    name: &str,
    bytes: Vec<u8>,
    forced: Option<&'static Format>,
    depth: u8,
    budget: &mut Budget,
) -> Vec<FileImport> {
    // There are archives that hold themselves.
    if depth >= MAX_ARCHIVES {
        return vec![refused(name, "zip-member", "binary", Vec::new(), None, bytes.len() as u64)];
    }
    let mut out = Vec::new();
    let Ok(mut archive) = zip::ZipArchive::new(std::io::Cursor::new(bytes)) else {
        return vec![refused(name, "zip-broken", "binary", Vec::new(), None, 0)];
    };
    let mut names: Vec<(usize, String)> = (0..archive.len().min(MAX_MEMBERS))
        .filter_map(|i| archive.by_index_raw(i).ok().filter(|m| m.is_file()).map(|m| (i, m.name().to_owned())))
        .collect();
    names.sort_by(|a, b| a.1.cmp(&b.1));
    // Inspect's archive: the samples are the runs, the rest says about them what one member tells.
    let has = |prefix: &str| names.iter().any(|(_, n)| n.starts_with(prefix));
    let about = ["header.json", "_journal/start.json"].into_iter().find(|n| has("samples/") && has(n));
    if let Some(about) = about {
        names.retain(|(_, n)| n == about || n.starts_with("samples/"));
    }
    let mut header = Vec::new();
    let mut events = Vec::new();
    let mut buffer = vec![0u8; 64 * 1024];
    for (index, member) in names {
        // What operating systems leave behind is no one's run.
        if member.starts_with("__MACOSX/") || member.ends_with(".DS_Store") {
            continue;
        }
        let path = format!("{name}/{member}");
        let Some(mut file) = open_member(&mut archive, index) else {
            out.push(refused(&path, "zip-member", "binary", Vec::new(), None, 0));
            continue;
        };
        let mut intake = inner(&path, forced, depth, *budget);
        let before = budget.inflated;
        let mut held = Vec::new();
        let described = about == Some(member.as_str());
        let hold = is_event_file(&member) || described;
        let broken = loop {
            match std::io::Read::read(&mut file, &mut buffer) {
                Ok(0) => break false,
                Ok(n) if budget.spend(n) => {
                    let piece = buffer.get(..n).unwrap_or_default();
                    if hold { held.extend_from_slice(piece) } else { intake.chunk(piece) }
                }
                _ => break true,
            }
        };
        if described {
            header = held;
            continue;
        }
        if hold {
            events.push((path, held));
            continue;
        }
        // What a compressed member inflates to counts as well.
        intake.budget.inflated += budget.inflated - before;
        member_import(intake, broken, budget, &mut out);
    }
    for (path, bytes) in join_event_files(events) {
        let mut intake = inner(&path, forced, depth, *budget);
        intake.chunk(&bytes);
        member_import(intake, false, budget, &mut out);
    }
    if about.is_some() {
        inspect::describe(out.iter_mut().flat_map(|i| &mut i.runs), &String::from_utf8_lossy(&header));
    }
    if out.is_empty() {
        out.push(refused(name, "zip-empty", "binary", Vec::new(), None, 0));
    }
    out
}

/// Opens a member of an archive, whatever it is compressed with that we know: stored, deflate, zstd.
fn open_member<'a>(
    archive: &'a mut zip::ZipArchive<std::io::Cursor<Vec<u8>>>,
    index: usize,
) -> Option<Box<dyn std::io::Read + 'a>> {
    const ZSTD: u16 = 93;
    #[allow(deprecated)]
    let zstd = archive.by_index_raw(index).ok()?.compression().to_u16() == ZSTD;
    if !zstd {
        return Some(Box::new(archive.by_index(index).ok()?));
    }
    let raw = archive.by_index_raw(index).ok()?;
    Some(Box::new(ruzstd::decoding::StreamingDecoder::new(raw).ok()?))
}

/// Reads a member of an archive.
fn inner(path: &str, forced: Option<&'static Format>, depth: u8, budget: Budget) -> Intake {
    Intake { forced, depth: depth + 1, budget, ..Intake::new(path, None) }
}

fn member_import(intake: Intake, broken: bool, budget: &mut Budget, out: &mut Vec<FileImport>) {
    let (imports, spent) = intake.finish_within();
    budget.inflated = spent.inflated;
    for mut import in imports {
        import.report.wrapped.insert(0, "zip".into());
        if !matches!(import.source, Source::Text(_)) {
            import.source = Source::Nowhere;
        }
        if broken {
            import.report.repairs.push(Repair { kind: "zip-member".into(), count: 1, line: 0 });
        }
        out.push(import);
    }
}

/// The format of a stream of JSON lines, and the length of its byte order mark.
fn stream_format(head: &[u8], forced: Option<&'static Format>) -> Option<(&'static Format, usize)> {
    let shift = if head.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 };
    let text = valid_prefix(head.get(shift..)?);
    let mut tapes: Vec<(Tape, &str)> = Vec::new();
    let mut bad = 0usize;
    // The last piece may be half a line.
    let whole = text.get(..text.rfind('\n')?)?;
    for line in whole.lines().map(str::trim).filter(|l| !l.is_empty()).take(SAMPLE) {
        let mut tape = Tape::new();
        tape.parse(line);
        if tape.is_broken() {
            bad += 1;
        } else {
            tapes.push((tape, line));
        }
    }
    // One line alone may be a whole document in one line; that is read as a document.
    if tapes.len() < 2 || bad > tapes.len() {
        return None;
    }
    with_sample(&tapes, Shape::Lines, |sample| match forced {
        Some(format) => Some(format),
        None if refuse::by_content(sample).is_some() => None,
        None => detect(sample),
    })
    .map(|format| (format, shift))
}

/// Shows parsed lines to `look`.
fn with_sample<R>(tapes: &[(Tape, &str)], shape: Shape, look: impl FnOnce(&Sample<'_>) -> R) -> R {
    let records: Vec<_> = tapes.iter().map(|(tape, line)| tape.doc(line).root()).collect();
    look(&Sample { shape, records: &records })
}

fn valid_prefix(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => bytes.get(..e.valid_up_to()).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default(),
    }
}

impl Lines {
    fn new(name: &str, format: &'static Format, shift: usize) -> Self {
        Self {
            reader: (format.reader)(),
            format,
            log: Log::new(name),
            tape: Tape::new(),
            pending: Vec::new(),
            searched: 0,
            line: 0,
            offset: 0,
            index: 0,
            shift: shift as u32,
            last_cut: false,
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let pending = std::mem::take(&mut self.pending);
        let mut from = 0;
        let mut search = self.searched;
        while let Some(at) = pending.get(search..).and_then(|rest| memchr::memchr(b'\n', rest)) {
            let end = search + at;
            self.one(pending.get(from..end).unwrap_or_default(), self.offset + from);
            from = end + 1;
            search = from;
        }
        self.offset += from;
        self.pending = pending;
        self.pending.drain(..from);
        self.searched = self.pending.len();
    }

    fn one(&mut self, line: &[u8], base: usize) {
        self.line += 1;
        let decoded = decode_bytes(line);
        if decoded.replaced > 0 {
            self.log.repaired("replaced-bytes", self.line);
        }
        // Leading white space is kept so that offsets stay those of the file.
        let text: &str = decoded.text.trim_end();
        if text.trim_start().is_empty() {
            return;
        }
        let Lines { tape, log, reader, line, index, last_cut, .. } = self;
        tape.load(text);
        if let Some(fault) = tape.fatal() {
            *last_cut = fault.kind == FaultKind::CutOff;
            bad_line(log, text, *line, fault.at);
            return;
        }
        *last_cut = false;
        reader.record(&Record { val: tape.doc(text).root(), line: *line, base, prefix: "", index: *index }, log);
        *index += 1;
        for fault in tape.faults() {
            log.repaired(fault.kind.id(), *line);
        }
    }

    fn finish(mut self: Box<Self>) -> FileImport {
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            let offset = self.offset;
            self.one(&rest, offset);
            self.offset += rest.len();
        }
        let Lines { reader, format, mut log, line, offset, shift, last_cut, .. } = *self;
        if last_cut {
            cut_off(&mut log, line);
        }
        let runs = reader.finish(&mut log);
        let mut import = report(log, Some(format), Shape::Lines, u64::from(line), offset as u64, runs);
        import.source = Source::File { shift };
        import
    }
}

fn count_faults(tape: &Tape) -> std::collections::BTreeMap<FaultKind, u64> {
    let mut counts = std::collections::BTreeMap::new();
    for fault in tape.faults().iter().filter(|f| f.kind.is_repair()) {
        *counts.entry(fault.kind).or_insert(0) += 1;
    }
    counts
}

fn bad_line(log: &mut Log, text: &str, line: u32, at: usize) {
    log.bad_line_count += 1;
    if log.bad_lines.len() < MAX_BAD {
        let (_, column) = line_column(text, at);
        log.bad_lines.push((line, column, text.trim_start().chars().take(120).collect()));
        let span = Span { line, ..Span::default() };
        log.finding("line-not-json", &span, &[("column", column.to_string())]);
    }
}

fn cut_off(log: &mut Log, line: u32) {
    log.finding("cut-off", &Span { line, ..Span::default() }, &[]);
}

/// Reads a whole file: one value, lines, or values one after another.
fn import_whole(name: &str, bytes: &[u8], forced: Option<&'static Format>) -> FileImport {
    if let Some(id) = refuse::by_bytes(bytes) {
        return refused(name, id, "binary", Vec::new(), None, bytes.len() as u64);
    }
    let decoded = decode_bytes(bytes);
    let text: &str = &decoded.text;
    if text.trim().is_empty() {
        return refused(name, "empty", "text", Vec::new(), None, bytes.len() as u64);
    }
    let mut import = import_text(name, text, forced);
    // A format that a person chose and that understands nothing of the file gives way to what the file is.
    if forced.is_some() && import.report.understood == 0 {
        import = import_text(name, text, None);
    }
    if import.source != Source::Nowhere
        && decoded.bom != Some("utf-16le")
        && decoded.bom != Some("utf-16be")
        && decoded.replaced == 0
    {
        import.source = Source::File { shift: if decoded.bom.is_some() { 3 } else { 0 } };
    } else if import.source != Source::Nowhere {
        import.source = Source::Text(text.to_owned());
    }
    if let Some(bom) = decoded.bom.filter(|b| *b != "utf-8") {
        import.report.wrapped.push(bom.into());
    }
    if decoded.replaced > 0 {
        import.report.repairs.push(Repair { kind: "replaced-bytes".into(), count: decoded.replaced as u64, line: 0 });
    }
    import
}

fn import_text(name: &str, text: &str, forced: Option<&'static Format>) -> FileImport {
    let mut tape = Tape::new();
    let mut log = Log::new(name);
    let root = tape.parse(text).root();
    let (is_string, is_object, is_array) = (root.is_string(), root.is_object(), root.is_array());
    let inner = if is_string { root.as_str().map(|s| s.into_owned()) } else { None };
    let fatal = tape.fatal();
    if fatal.is_none()
        && let Some(inner) = inner
    {
        // JSON inside a JSON string: once is common, more is somebody's joke.
        if inner.trim_start().starts_with(['{', '[']) {
            let mut import = import_text(name, &inner, forced);
            import.report.wrapped.insert(0, "string".into());
            import.source = Source::Text(inner);
            return import;
        }
    }
    let lines = text.lines().count() as u64;
    let whole = fatal.is_none() && (is_object || is_array);
    if !whole && let Some(import) = import_lines(name, text, forced) {
        return import;
    }
    if !whole
        && fatal.is_some_and(|f| f.kind == FaultKind::TextAfter)
        && let Some(import) = import_values(name, text, forced)
    {
        return import;
    }
    // Python's own notation is no JSON that broke: nothing of it can be read.
    if fatal.is_some_and(|f| f.kind == FaultKind::Unexpected && is_python(text, f.at)) {
        let stopped = fatal.map(|f| line_column(text, f.at));
        let mut import = refused(name, "python-repr", "text", Vec::new(), stopped, text.len() as u64);
        head_of(&mut import, text);
        return import;
    }
    // Whole, or cut off somewhere: what was read up to there is read.
    if is_object || is_array {
        let repairs = count_faults(&tape);
        // The tape holds the text already: this only looks at it again.
        let root = tape.doc(text).root();
        let shape = if is_array { Shape::Array } else { Shape::Object };
        let first: Vec<_> = if is_array { root.items().take(SAMPLE).collect() } else { vec![root] };
        let sample = Sample { shape, records: &first };
        let refusal = if forced.is_some() { None } else { refuse::by_content(&sample) };
        let found = forced.or_else(|| if refusal.is_some() { None } else { detect(&sample) });
        if let Some(format) = found {
            let mut reader = (format.reader)();
            if is_array {
                let (first, _) = line_column(text, root.offset());
                for (index, val) in root.items().enumerate() {
                    let line = first + val.lines_after(root);
                    let prefix = format!("/{index}");
                    reader.record(&Record { val, line, base: 0, prefix: &prefix, index }, &mut log);
                }
            } else {
                let (line, _) = line_column(text, root.offset());
                reader.record(&Record { val: root, line, base: 0, prefix: "", index: 0 }, &mut log);
            }
            for (kind, count) in repairs {
                let line = tape_line(text, &tape, kind);
                for _ in 0..count {
                    log.repaired(kind.id(), line);
                }
            }
            if let Some(fault) = fatal {
                let (line, column) = line_column(text, fault.at);
                log.repaired("cut-off", line);
                log.finding("cut-off", &Span { line, ..Span::default() }, &[("column", column.to_string())]);
            }
            let runs = reader.finish(&mut log);
            let mut import = report(log, Some(format), shape, lines, text.len() as u64, runs);
            import.source = Source::File { shift: 0 };
            return import;
        }
        let looks_like = refusal.unwrap_or(if is_array { "json-array" } else { "json-object" });
        let answers = answers(&sample);
        let stopped = fatal.map(|f| line_column(text, f.at));
        let shape = if is_array { "array" } else { "object" };
        let mut import = refused(name, looks_like, shape, answers, stopped, text.len() as u64);
        head_of(&mut import, text);
        return import;
    }
    // Transcripts that are no JSON at all.
    let reads = |f: &&text::TextFormat| forced.map_or_else(|| (f.sniff)(text), |forced| forced.id == f.format.id);
    if let Some(found) = text::FORMATS.iter().find(reads) {
        let runs = (found.read)(text, &mut log);
        if !runs.is_empty() {
            let mut import = report(log, Some(found.format), Shape::Lines, lines, text.len() as u64, runs);
            import.source = Source::File { shift: 0 };
            return import;
        }
    }
    let stopped = text.trim_start().starts_with(['{', '[']).then(|| fatal.map(|f| line_column(text, f.at))).flatten();
    let looks_like = if stopped.is_some() { "broken-json" } else { text_kind(text) };
    let mut import = refused(name, looks_like, "text", Vec::new(), stopped, text.len() as u64);
    head_of(&mut import, text);
    import
}

/// Whether JSON ended at a word of Python: a string in single quotes as key or value, `None`, `True` or `False`.
fn is_python(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let quoted = rest.starts_with('\'') && (rest.contains("': ") || rest.contains("', ") || rest.contains("']"));
    quoted || ["None", "True", "False"].iter().any(|word| rest.starts_with(word))
}

fn text_kind(text: &str) -> &'static str {
    let head = text.trim_start();
    if head.starts_with(['{', '[']) && head.contains("': ") {
        return "python-repr";
    }
    if text.chars().take(2000).filter(|c| c.is_control() && !c.is_whitespace() && *c != '\u{1b}').count() > 20 {
        return "binary";
    }
    "text"
}

fn tape_line(text: &str, tape: &Tape, kind: FaultKind) -> u32 {
    tape.faults().iter().find(|f| f.kind == kind).map_or(0, |f| line_column(text, f.at).0)
}

/// JSON Lines held in memory.
fn import_lines(name: &str, text: &str, forced: Option<&'static Format>) -> Option<FileImport> {
    let mut tapes: Vec<(Tape, &str)> = Vec::new();
    let mut bad = 0usize;
    let mut first_ok = None;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let mut tape = Tape::new();
        let root = tape.parse(line).root();
        let container = root.is_object() || root.is_array();
        let ok = container && !tape.is_broken();
        first_ok.get_or_insert(ok);
        if ok {
            tapes.push((tape, line));
        } else {
            bad += 1;
        }
        if tapes.len() >= SAMPLE || bad > 4 * SAMPLE {
            break;
        }
    }
    if tapes.is_empty() || (first_ok != Some(true) && bad > tapes.len()) {
        return None;
    }
    let format = with_sample(&tapes, Shape::Lines, |sample| {
        forced.or_else(|| if refuse::by_content(sample).is_some() { None } else { detect(sample) })
    });
    let Some(format) = format else {
        // Values over several lines look like broken lines here.
        if bad > 0 {
            return None;
        }
        let (looks_like, answers) = with_sample(&tapes, Shape::Lines, |sample| {
            (refuse::by_content(sample).unwrap_or("json-lines"), answers(sample))
        });
        let mut import = refused(name, looks_like, "lines", answers, None, text.len() as u64);
        head_of(&mut import, text);
        return Some(import);
    };
    let mut lines = Box::new(Lines::new(name, format, 0));
    lines.feed(text.as_bytes());
    Some(lines.finish())
}

/// Values one after another, each over several lines.
fn import_values(name: &str, text: &str, forced: Option<&'static Format>) -> Option<FileImport> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let mut tape = Tape::new();
    let mut from = 0;
    let mut cut = false;
    while text.get(from..).is_some_and(|rest| !rest.trim_start().is_empty()) {
        let (_, end) = tape.parse_next(text, from);
        if tape.is_broken() || end <= from {
            cut = true;
            break;
        }
        ranges.push((from, end));
        from = end;
    }
    let mut tapes: Vec<(Tape, &str)> = Vec::new();
    for piece in ranges.iter().take(SAMPLE).filter_map(|&(a, b)| text.get(a..b)) {
        let mut tape = Tape::new();
        tape.load(piece);
        tapes.push((tape, piece));
    }
    if tapes.len() < 2 {
        return None;
    }
    let format = with_sample(&tapes, Shape::Lines, |sample| {
        forced.or_else(|| if refuse::by_content(sample).is_some() { None } else { detect(sample) })
    })?;
    let mut reader = (format.reader)();
    let mut log = Log::new(name);
    let mut line = 1u32;
    let mut counted = 0usize;
    for (index, &(start, end)) in ranges.iter().enumerate() {
        let piece = text.get(start..end).unwrap_or_default();
        let val = tape.parse(piece).root();
        let at = start + val.offset();
        line += text.as_bytes().get(counted..at).unwrap_or_default().iter().filter(|&&b| b == b'\n').count() as u32;
        counted = at;
        reader.record(&Record { val, line, base: start, prefix: "", index }, &mut log);
    }
    log.repaired("concatenated", 1);
    let lines = text.lines().count();
    if cut {
        cut_off(&mut log, lines as u32);
    }
    let runs = reader.finish(&mut log);
    let mut import = report(log, Some(format), Shape::Lines, lines as u64, text.len() as u64, runs);
    import.source = Source::File { shift: 0 };
    Some(import)
}

fn report(
    log: Log,
    format: Option<&'static Format>,
    shape: Shape,
    lines: u64,
    bytes: u64,
    runs: Vec<Run>,
) -> FileImport {
    let shape = match shape {
        Shape::Object => "object",
        Shape::Array => "array",
        Shape::Lines => "lines",
    };
    let more = log.fired.iter().filter(|(_, n)| **n > MAX_FINDINGS).map(|(rule, n)| Note {
        id: "note.more-findings".into(),
        args: vec![("rule".into(), (*rule).to_owned()), ("n".into(), (n - MAX_FINDINGS).to_string())],
    });
    let more: Vec<Note> = more.collect();
    let report = ImportReport {
        file: log.file,
        bytes,
        format: format.map(|f| f.id.to_owned()),
        shape: shape.into(),
        wrapped: Vec::new(),
        lines,
        records: log.records,
        understood: log.understood,
        bad_lines: log.bad_line_count,
        bad: log.bad_lines.into_iter().map(|(line, column, head)| BadLine { line, column, head }).collect(),
        unknown: log.unknown.into_iter().collect(),
        skipped: log.skipped.into_iter().collect(),
        repairs: log
            .repairs
            .into_iter()
            .map(|(kind, (count, line))| Repair { kind: kind.into(), count, line })
            .collect(),
        notes: log.notes.into_iter().map(|(id, args)| Note { id: id.into(), args }).chain(more).collect(),
        refused: None,
    };
    FileImport {
        runs,
        report,
        findings: log.findings,
        session: log.session,
        source: Source::Nowhere,
        ..FileImport::default()
    }
}

fn refused(
    name: &str,
    looks_like: &str,
    shape: &str,
    answers: Vec<FormatAnswer>,
    stopped: Option<(u32, u32)>,
    bytes: u64,
) -> FileImport {
    let refusal = Refusal { looks_like: looks_like.into(), stopped, head: Vec::new(), answers };
    let report = ImportReport {
        file: name.to_owned(),
        bytes,
        shape: shape.into(),
        refused: Some(refusal),
        ..ImportReport::default()
    };
    FileImport { report, ..FileImport::default() }
}

/// The first lines, for the "not recognised" screen, and the text itself for the raw view.
fn head_of(import: &mut FileImport, text: &str) {
    if let Some(refusal) = &mut import.report.refused {
        refusal.head = text.lines().take(8).map(|l| l.chars().take(300).collect()).collect();
    }
    import.report.lines = text.lines().count() as u64;
    import.source = Source::File { shift: 0 };
}

/// What each format missed, nearest first.
fn answers(sample: &Sample<'_>) -> Vec<FormatAnswer> {
    let mut out: Vec<FormatAnswer> = FORMATS
        .iter()
        .filter_map(|f| {
            let Sniff::No(why) = (f.sniff)(sample) else { return None };
            let near = f.nearness(sample, &why);
            let (reason, key, expected) = match why.reason {
                Reason::NoKey(key) => ("no-key", key, ""),
                Reason::NotA(key, kind) => ("not-a", key, kind),
                Reason::NeedsObject(key) => ("needs-object", key, ""),
                Reason::NeedsRecords(key) => ("needs-records", key, ""),
            };
            Some(FormatAnswer {
                format: f.id.into(),
                reason: reason.into(),
                key: key.into(),
                expected: expected.into(),
                pointer: why.pointer,
                near,
            })
        })
        .collect();
    out.sort_by_key(|a| std::cmp::Reverse(a.near));
    out
}
