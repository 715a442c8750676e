//! Bytes -> runs. [`Intake`] takes a file in chunks, [`FORMATS`] says who can read it, every format is one file.
//!
//! Importing rarely fails and never in silence: it gives runs and an [`ImportReport`]; records of unknown kinds stay
//! visible as raw steps. Every format is a [`RecordReader`]: a JSON Lines file is a stream of records, so is an array
//! at the root, and an object at the root is one record. Detection looks at content only.
//! To add a format: one file with its `FORMAT`, one line in [`FORMATS`], one fixture folder.

mod agent_data_protocol;
mod agent_reward_bench;
mod agentdojo;
mod aider;
mod anthropic;
mod anthropic_blocks;
mod atbench;
mod atif;
mod atof;
mod attributes;
mod autogen;
mod browser_use;
mod build;
mod chat;
mod claude_code;
mod cline;
mod codex;
mod codex_exec;
mod conversation;
mod copilot_cli;
mod crewai;
mod cursor;
mod dialect;
mod digest;
mod gemini_api;
mod gemini_cli;
mod generic;
mod goose;
mod grok;
mod har;
mod inspect;
mod intake;
mod join;
mod langchain;
mod langfuse;
mod langsmith;
mod log;
mod malt;
mod markdown_transcript;
mod mast;
mod mcp;
mod mini_swe_agent;
mod openai_agents;
mod openai_chat;
mod openai_responses;
mod opencode;
mod openhands_v0;
mod openhands_v1;
mod osworld;
mod otlp;
pub mod page;
mod part;
mod pi;
mod pydantic_ai;
mod refuse;
mod said;
mod session;
mod sharegpt;
mod skillscope_run;
mod smolagents;
mod spans;
mod sse;
mod swe_agent;
mod talk;
mod tau2;
mod tau_bench;
mod tell;
mod terminal_bench;
mod text;
mod tools;
mod trail;
mod usage;
mod vscode_copilot;
mod who_and_when;

pub use build::{Draft, RunBuilder};
pub use build::{json_args, string_args, text_args};
pub use intake::{FileImport, Intake, Source, import_bytes};
pub use join::{is_event_file, join_event_files};
pub use log::{Log, SessionPart};
pub use page::{is_page, page_from};
pub use part::{content, from_url, media, part_text, split_think, voice};
pub use skillscope_run::{SCHEMA as RUN_SCHEMA, write as write_run};

use crate::json::Val;
use crate::model::{Run, Span};

/// One record of a file: a line, a member of the root array, or the root object itself.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub val: Val<'a>,
    /// Line of the record's first byte, from 1.
    pub line: u32,
    /// Offset of the record's text in the decoded file.
    pub base: usize,
    /// Pointer of the record in its text: empty for a line or the root, `/12` in an array.
    pub prefix: &'a str,
    /// Index of the record in the stream, from 0.
    pub index: usize,
}

impl<'a> Record<'a> {
    /// The span of the whole record.
    pub fn span(&self) -> Span {
        self.span_of(self.val)
    }

    /// The span of a value inside the record: the record's byte range, the value's line and pointer. Readers ask for
    /// every part of a message, so this must not look at the parts before it: O(depth + log lines).
    pub fn span_of(&self, val: Val<'_>) -> Span {
        let (start, end) = self.val.range();
        let mut pointer = String::from(self.prefix);
        pointer.push_str(&val.pointer_within(self.val));
        Span {
            file: 0,
            line: self.line + val.lines_after(self.val),
            start: (self.base + start) as u32,
            end: (self.base + end) as u32,
            pointer: pointer.into(),
        }
    }

    /// The members of an array inside the record, each as a record of its own. Lines are counted on the way, so that
    /// places cost O(length of the array's text) in all, not for every member.
    pub fn each(&self, array: Val<'_>, mut look: impl FnMut(&Record<'_>)) {
        let outer = self.span_of(array);
        let (from, _) = array.range();
        let text = array.raw().as_bytes();
        let mut line = outer.line;
        let mut counted = 0;
        for (index, val) in array.items().enumerate() {
            let at = val.offset().saturating_sub(from);
            line += text.get(counted..at).unwrap_or_default().iter().filter(|&&b| b == b'\n').count() as u32;
            counted = at;
            let prefix = format!("{}/{index}", outer.pointer);
            look(&Record { val, line, base: self.base, prefix: &prefix, index });
        }
    }
}

/// Reads the records of one file in order.
pub trait RecordReader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log);
    /// The runs of the file; called once, after the last record.
    fn finish(self: Box<Self>, log: &mut Log) -> Vec<Run>;
}

/// How the text of a file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One object at the root.
    Object,
    /// One array at the root; its members are the records.
    Array,
    /// One value a line, or values one after another.
    Lines,
}

/// What detection may look at: the first records, decoded. The file's name is not among it.
pub struct Sample<'a> {
    pub shape: Shape,
    pub records: &'a [Val<'a>],
}

impl<'a> Sample<'a> {
    /// The root object, when there is one.
    pub fn object(&self) -> Option<Val<'a>> {
        self.records.first().copied().filter(|v| self.shape == Shape::Object && v.is_object())
    }

    /// The first object among the records.
    pub fn first(&self) -> Option<Val<'a>> {
        self.records.iter().copied().find(|v| v.is_object())
    }

    /// Whether any record satisfies `test`.
    pub fn any(&self, test: impl Fn(Val<'a>) -> bool) -> bool {
        self.records.iter().copied().any(test)
    }
}

/// A format's answer to a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sniff {
    Yes,
    No(Why),
}

/// Why a format said no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub reason: Reason,
    /// Where the missing thing would stand.
    pub pointer: String,
    /// How many of the format's marks were there: the nearest formats are shown first.
    pub near: u8,
}

/// The reasons, each a sentence of the message table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A key that every file of the format has is not there.
    NoKey(&'static str),
    /// The key is there, with another kind of value than this.
    NotA(&'static str, &'static str),
    /// The root should be an object with this key.
    NeedsObject(&'static str),
    /// The file should be records, one a line or in an array, with this key.
    NeedsRecords(&'static str),
}

impl Sniff {
    /// "No", with nothing of the format found.
    pub fn no(reason: Reason, pointer: impl Into<String>) -> Self {
        Self::near(0, reason, pointer)
    }

    /// "No", though `near` marks of the format were found.
    pub fn near(near: u8, reason: Reason, pointer: impl Into<String>) -> Self {
        Self::No(Why { reason, pointer: pointer.into(), near })
    }
}

/// A file format.
pub struct Format {
    /// Stable word for exports, routes and "Open as…".
    pub id: &'static str,
    /// Who writes it, as the home screen says it.
    pub label: &'static str,
    /// Which files these are, in few words.
    pub files: &'static str,
    /// Keys that its files show in their first levels: how near a file is that the format refuses.
    pub marks: &'static [&'static str],
    pub sniff: fn(&Sample<'_>) -> Sniff,
    pub reader: fn() -> Box<dyn RecordReader>,
}

impl Format {
    /// How near the sample is, for the order in which refusals are told: tenths of the format's marks that were found,
    /// and as much again for every mark that [`Format::sniff`] itself found. O(keys of the first levels).
    pub fn nearness(&self, sample: &Sample<'_>, why: &Why) -> u8 {
        let found = self.marks.iter().filter(|mark| sample.any(|record| shows(record, mark, LEVELS))).count();
        let tenths = found * 10 / self.marks.len().max(1);
        u8::try_from(tenths + 10 * usize::from(why.near)).unwrap_or(u8::MAX)
    }
}

/// Levels in which marks are looked for, lists counted.
const LEVELS: u8 = 4;

/// Whether a value has the key, at most `levels` deep; of a list the first members count.
fn shows(value: Val<'_>, key: &str, levels: u8) -> bool {
    if levels == 0 {
        return false;
    }
    if value.is_array() {
        return value.items().take(3).any(|v| shows(v, key, levels - 1));
    }
    value.is_object() && (value.has(key) || value.entries().take(32).any(|(_, v)| shows(v, key, levels - 1)))
}

/// Every format, most specific first: the first that says yes reads the file.
pub const FORMATS: &[&Format] = &[
    &skillscope_run::FORMAT,
    &atif::FORMAT,
    &otlp::FORMAT,
    &langfuse::FORMAT,
    &langsmith::FORMAT,
    &openai_agents::FORMAT,
    &trail::FORMAT,
    &codex::FORMAT,
    &codex_exec::FORMAT,
    &openhands_v1::FORMAT,
    &openhands_v0::FORMAT,
    &gemini_cli::FORMAT,
    &opencode::FORMAT,
    &copilot_cli::FORMAT,
    &vscode_copilot::FORMAT,
    &pi::FORMAT,
    &claude_code::FORMAT,
    &goose::FORMAT,
    &cursor::FORMAT,
    &grok::FORMAT,
    &swe_agent::FORMAT,
    &mini_swe_agent::FORMAT,
    &inspect::FORMAT,
    &tau2::FORMAT,
    &tau_bench::FORMAT,
    &who_and_when::FORMAT,
    &mast::FORMAT,
    &agentdojo::FORMAT,
    &agent_reward_bench::FORMAT,
    &malt::FORMAT,
    &agent_data_protocol::FORMAT,
    &atbench::FORMAT,
    &browser_use::FORMAT,
    &smolagents::FORMAT,
    &crewai::FORMAT,
    &autogen::FORMAT,
    &atof::FORMAT,
    &mcp::FORMAT,
    &har::FORMAT,
    &gemini_api::FORMAT,
    &osworld::FORMAT,
    &terminal_bench::FORMAT,
    &sharegpt::FORMAT,
    &cline::FORMAT,
    &pydantic_ai::FORMAT,
    &langchain::FORMAT,
    &openai_responses::FORMAT,
    &anthropic::FORMAT,
    &openai_chat::FORMAT,
    &generic::FORMAT,
    &aider::FORMAT,
    &markdown_transcript::FORMAT,
];

/// Looks a format up.
pub fn format(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|f| f.id == id)
}

/// The first format that recognises the sample.
pub fn detect(sample: &Sample<'_>) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|f| (f.sniff)(sample) == Sniff::Yes)
}
