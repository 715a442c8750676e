//! When are two steps the same? The one place that says so; hash, loops and alignment all use it.
//!
//! K0 = tool; K1 = tool and canonical arguments; K2 = K1 with the observation's fingerprint and status;
//! K3 = K2 inside one epoch (between two changes of the world), for read steps only.
//! O(total length of arguments and observations), once a run; keys are interned to dense numbers.
//! Source: RFC 8785 for the canonical form of arguments.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::{UnicodeNormalization, is_nfc_quick};

use super::{Args, ArgsForm, Call, CallStatus, Run, StepKind};
use crate::json::{Kind, Tape, Val, quote};

/// A key interned in its run: equal numbers mean equal keys. Not comparable between runs.
pub type Key = u32;

/// The keys of one action step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKeys {
    pub tool: Key,
    /// Tool and canonical arguments.
    pub call: Key,
    /// `call` with the observation's fingerprint and the status.
    pub outcome: Key,
    /// Fingerprint of the observation alone; only in [`shared_step_keys`], elsewhere 0.
    pub observation: Key,
    pub effect: Effect,
    /// Person's messages and successful effects before this step.
    pub epoch: u32,
}

/// What a call does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    Read,
    Change,
    /// Hands over to a person, submits, ends or asks: neither looks nor changes what the task is about. Counts as a
    /// change for epochs.
    Control,
    /// Counts as a change for epochs, which claims less waste.
    Unknown,
}

impl Effect {
    pub fn id(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Change => "effect",
            Self::Control => "control",
            Self::Unknown => "unknown",
        }
    }
}

impl Effect {
    /// The class that a word names: `read`, `effect`, `control` or `unknown`.
    pub fn from_id(id: &str) -> Option<Self> {
        [Self::Read, Self::Change, Self::Control, Self::Unknown].into_iter().find(|e| e.id() == id)
    }
}

/// Argument names that carry no meaning for sameness.
const IGNORED_ARGS: [&str; 6] = ["id", "request_id", "trace_id", "timestamp", "_meta", "task_progress"];

const READ_VERBS: [&str; 24] = [
    "get",
    "list",
    "read",
    "search",
    "view",
    "find",
    "grep",
    "glob",
    "ls",
    "cat",
    "head",
    "tail",
    "fetch",
    "think",
    "plan",
    "calculate",
    "describe",
    "query",
    "lookup",
    "check",
    "show",
    "count",
    "open",
    "inspect",
];

/// Whole names, in words, of tools that end the work or turn to a person.
const CONTROL_NAMES: [&str; 17] = [
    "submit",
    "finish",
    "done",
    "complete",
    "end",
    "exit",
    "stop",
    "terminate",
    "handoff",
    "hand off",
    "hand over",
    "escalate",
    "attempt completion",
    "exit plan mode",
    "final answer",
    "request user input",
    "report infeasible",
];

/// Words that hand over or ask, what may stand behind them, who takes over, and what may follow.
const HANDING: [&str; 7] = ["transfer", "handoff", "hand", "escalate", "ask", "send", "message"];
const FILLERS: [&str; 12] =
    ["to", "the", "a", "an", "with", "for", "from", "off", "over", "message", "control", "conversation"];
const PEOPLE: [&str; 10] =
    ["human", "humans", "person", "people", "user", "operator", "supervisor", "support", "followup", "clarification"];
const OF_PEOPLE: [&str; 12] = [
    "agent",
    "agents",
    "support",
    "representative",
    "question",
    "questions",
    "input",
    "feedback",
    "help",
    "approval",
    "confirmation",
    "clarification",
];
/// What a `submit`, `finish`, `complete` or `end` may have for object and still end the work.
const ENDS: [&str; 12] = [
    "the",
    "final",
    "task",
    "answer",
    "solution",
    "result",
    "results",
    "work",
    "run",
    "session",
    "conversation",
    "subtask",
];

/// Shell tools by their usual names.
const SHELLS: [&str; 13] = [
    "bash",
    "shell",
    "sh",
    "exec_command",
    "execute_bash",
    "run_command",
    "terminal",
    "local_shell",
    "run",
    "container.exec",
    "shell_command",
    "bash_command",
    "command_execution",
];

/// First words of shell lines that only look. A word in neither list is unknown.
const READ_COMMANDS: [&str; 31] = [
    "ls", "cat", "head", "tail", "grep", "rg", "find", "fd", "pwd", "wc", "file", "stat", "which", "whoami", "echo",
    "printf", "env", "date", "du", "df", "ps", "tree", "diff", "cmp", "sort", "uniq", "cut", "jq", "less", "type",
    "cd",
];
const CHANGE_COMMANDS: [&str; 17] = [
    "rm",
    "mv",
    "cp",
    "mkdir",
    "touch",
    "chmod",
    "chown",
    "ln",
    "tee",
    "dd",
    "kill",
    "pkill",
    "patch",
    "apply_patch",
    "truncate",
    "install",
    "rmdir",
];

/// Classifies a call: a verb at the head of the tool's name, or for a shell the first word of each part of its line.
pub fn effect_class(tool: &str, args: &Args) -> Effect {
    match tool_effect(tool) {
        Some(effect) => effect,
        None => shell_line(args).map_or(Effect::Unknown, |line| shell_effect(&line)),
    }
}

/// What the name alone says; `None` for a shell, where the line decides.
fn tool_effect(tool: &str) -> Option<Effect> {
    let lower = tool.to_ascii_lowercase();
    // `mcp__server__verb_noun`: the server's name says nothing.
    let name = lower.rsplit("__").next().unwrap_or(&lower);
    if SHELLS.contains(&name) {
        return None;
    }
    if name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| READ_VERBS.contains(&word)) {
        let first = name.split(|c: char| !c.is_ascii_alphanumeric()).find(|w| !w.is_empty()).unwrap_or(name);
        if READ_VERBS.contains(&first) {
            return Some(Effect::Read);
        }
    }
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let words = words_of(name);
    if is_control(&words) {
        return Some(Effect::Control);
    }
    // `TodoRead`, `WebSearch`, `NotebookRead`: the verb is a capitalised part.
    let is_verb = |w: Option<&String>| w.is_some_and(|w| READ_VERBS.contains(&w.as_str()));
    let one_word = name.chars().all(char::is_alphanumeric);
    if is_verb(words.first()) || one_word && is_verb(words.last()) {
        return Some(Effect::Read);
    }
    Some(Effect::Change)
}

/// Whether a tool of these words hands over, submits, ends or asks.
fn is_control(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((first, rest)) = words.split_first() else { return false };
    if CONTROL_NAMES.contains(&words.join(" ").as_str()) {
        return true;
    }
    if matches!(*first, "submit" | "finish" | "complete" | "end") {
        return rest.iter().all(|w| ENDS.contains(w));
    }
    if *first == "transfer" && rest.first() == Some(&"to") && matches!(rest.last(), Some(&"agent" | &"agents")) {
        return true;
    }
    let mut rest = rest.iter().skip_while(|w| FILLERS.contains(w));
    HANDING.contains(first) && rest.next().is_some_and(|w| PEOPLE.contains(w)) && rest.all(|w| OF_PEOPLE.contains(w))
}

/// The words of a tool's name in lower case: `AskUserQuestion` and `ask_user_question` have the same.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for c in name.chars() {
        if c.is_ascii_uppercase() || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// The command line that a shell call carries.
fn shell_line(args: &Args) -> Option<String> {
    if args.form == ArgsForm::Text {
        return Some(args.raw.to_string());
    }
    shell_line_of(Tape::new().parse(&args.raw).root())
}

fn shell_line_of(root: Val<'_>) -> Option<String> {
    let val = ["command", "cmd", "script", "input"].iter().find_map(|k| root.some(k))?;
    if val.is_array() {
        let words: Vec<_> = val.items().filter_map(|v| v.as_str()).collect();
        // `["bash","-lc","git status"]`
        return match words.as_slice() {
            [sh, flag, line, ..] if sh.ends_with("sh") && flag.starts_with('-') => Some(line.to_string()),
            words => Some(words.join(" ")),
        };
    }
    Some(val.as_str()?.into_owned())
}

fn shell_effect(line: &str) -> Effect {
    let mut effect = Effect::Read;
    let mut quote_char: Option<char> = None;
    let mut part = String::new();
    let mut parts = Vec::new();
    let mut redirects = false;
    let mut last = ' ';
    for c in line.chars() {
        match quote_char {
            Some(q) => {
                if c == q {
                    quote_char = None;
                }
                part.push(c);
            }
            None => match c {
                '"' | '\'' => {
                    quote_char = Some(c);
                    part.push(c);
                }
                '|' | '&' if last == '>' => part.push(c),
                '|' | ';' | '&' | '\n' => parts.push(std::mem::take(&mut part)),
                '>' => {
                    redirects = redirects || last != '2';
                    part.push(c);
                }
                c => part.push(c),
            },
        }
        last = c;
    }
    parts.push(part);
    if redirects && !line.contains(">/dev/null") && !line.contains("> /dev/null") {
        return Effect::Change;
    }
    for part in parts {
        let mut words = part.split_whitespace().skip_while(|w| {
            w.contains('=') && !w.starts_with(['-', '/'])
                || matches!(*w, "sudo" | "time" | "env" | "command" | "timeout")
        });
        let Some(first) = words.next() else { continue };
        let command = first.rsplit('/').next().unwrap_or(first);
        let this = if CHANGE_COMMANDS.contains(&command) {
            Effect::Change
        } else if command == "git" {
            match words.find(|w| !w.starts_with('-')) {
                Some("status" | "log" | "diff" | "show" | "branch" | "blame" | "grep" | "ls-files" | "rev-parse") => {
                    Effect::Read
                }
                Some(_) => Effect::Change,
                None => Effect::Unknown,
            }
        } else if command == "sed" {
            if words.any(|w| w.starts_with("-i") || w == "--in-place") { Effect::Change } else { Effect::Read }
        } else if READ_COMMANDS.contains(&command) {
            Effect::Read
        } else {
            Effect::Unknown
        };
        effect = match (effect, this) {
            (Effect::Change, _) | (_, Effect::Change) => Effect::Change,
            (Effect::Unknown, _) | (_, Effect::Unknown) => Effect::Unknown,
            _ => Effect::Read,
        };
    }
    effect
}

/// The canonical text of a call's arguments: keys sorted, numbers by value, strings in NFC and trimmed, path-like
/// strings without `./` and trailing `/`, names of no meaning dropped. Arguments that are no JSON stand as they are.
pub fn canonical_args(args: &Args) -> String {
    if args.form != ArgsForm::Json {
        return format!("~{}", canonical_str(&args.raw));
    }
    let mut tape = Tape::new();
    let root = tape.parse(&args.raw).root();
    let mut out = String::with_capacity(args.raw.len());
    write_canonical(root, true, &mut out);
    out
}

/// The canonical arguments one by one: (name, canonical value), sorted by name, names of no meaning dropped. `None`
/// when they are no JSON object.
pub fn canonical_entries(args: &Args) -> Option<Vec<(String, String)>> {
    if args.form != ArgsForm::Json {
        return None;
    }
    let mut tape = Tape::new();
    let root = tape.parse(&args.raw).root();
    if root.kind() != Kind::Object {
        return None;
    }
    let mut out: Vec<(String, String)> = root
        .entries()
        .filter(|(key, _)| !IGNORED_ARGS.contains(&key.as_ref()))
        .map(|(key, val)| {
            let mut text = String::new();
            write_canonical(val, false, &mut text);
            (key.into_owned(), text)
        })
        .collect();
    out.sort();
    Some(out)
}

/// The canonical text of one value inside arguments.
pub fn canonical_value(val: Val<'_>) -> String {
    let mut out = String::new();
    write_canonical(val, false, &mut out);
    out
}

fn write_canonical(val: Val<'_>, top: bool, out: &mut String) {
    match val.kind() {
        Kind::Null => out.push_str("null"),
        Kind::True => out.push_str("true"),
        Kind::False => out.push_str("false"),
        Kind::Number => out.push_str(&canonical_number(val)),
        Kind::String => push_quoted(&canonical_str(&val.text()), out),
        Kind::Opaque => out.push_str(val.raw()),
        Kind::Array => {
            out.push('[');
            for (i, item) in val.items().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_canonical(item, false, out);
            }
            out.push(']');
        }
        Kind::Object => {
            let mut entries: Vec<_> =
                val.entries().filter(|(k, _)| !(top && IGNORED_ARGS.contains(&k.as_ref()))).collect();
            // RFC 8785 sorts by UTF-16 code units.
            if entries.iter().all(|(key, _)| key.is_ascii()) {
                entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
            } else {
                entries.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            }
            out.push('{');
            for (i, (key, item)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                push_quoted(&key, out);
                out.push(':');
                write_canonical(item, false, out);
            }
            out.push('}');
        }
    }
}

/// Appends a JSON string; most need no escape.
fn push_quoted(text: &str, out: &mut String) {
    if text.bytes().all(|b| b >= 0x20 && b != b'"' && b != b'\\') {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&quote(text));
    }
}

fn canonical_number(val: Val<'_>) -> String {
    if let Some(n) = val.as_i64() {
        return n.to_string();
    }
    // Whole numbers beyond 64 bits keep their digits: a float would make different ones equal.
    let raw = val.raw();
    if raw.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return raw.to_owned();
    }
    val.as_f64().map_or_else(|| raw.to_owned(), |n| n.to_string())
}

fn canonical_str(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    let normal: Cow<'_, str> = if trimmed.is_ascii() {
        Cow::Borrowed(trimmed)
    } else {
        match is_nfc_quick(trimmed.chars()) {
            unicode_normalization::IsNormalized::Yes => Cow::Borrowed(trimmed),
            _ => Cow::Owned(trimmed.nfc().collect()),
        }
    };
    let path_like = normal.contains('/') && !normal.contains(char::is_whitespace) && !normal.contains("://");
    if !path_like {
        return normal;
    }
    let mut path = &*normal;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    if path.len() > 1 {
        path = path.trim_end_matches('/');
    }
    // `./` is where one is, as `.` is.
    let path = if path.is_empty() { "." } else { path };
    if path == &*normal { normal } else { Cow::Owned(path.to_owned()) }
}

/// What an observation says, without what changes by itself: lower case, single spaces, and hex addresses, UUIDs,
/// timestamps, durations, `line N`, temporary paths and process ids masked. Plain numbers stay: "5 failed" against
/// "4 failed" is progress. Of a failure with a traceback only the last exception line counts.
pub fn fingerprint(text: &str, failed: bool) -> String {
    let text = if failed { last_exception_line(text).unwrap_or(text) } else { text };
    if text.is_ascii() { fingerprint_of_ascii(text) } else { fingerprint_of_any(text) }
}

/// [`fingerprint`] of what most tools say: each word is written as it is, and looked at again only when it has a digit, a
/// slash or the length of a UUID, without which nothing in it changes by itself.
fn fingerprint_of_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4096));
    let mut numbered = false;
    // White space as `split_whitespace` has it, which includes the vertical tab.
    for word in text.split(|c: char| matches!(c, '\t'..='\r' | ' ')).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        if numbered && word.starts_with(|c: char| c.is_ascii_digit()) {
            out.push('#');
            numbered = false;
            continue;
        }
        let from = out.len();
        out.push_str(word);
        if let Some(lower) = out.get_mut(from..) {
            lower.make_ascii_lowercase();
        }
        let lower = out.get(from..).unwrap_or_default();
        numbered = lower == "line" || lower == "pid";
        let may_change = word.len() >= 36 || word.bytes().any(|b| b.is_ascii_digit() || b == b'/');
        if may_change && let Some(mask) = mask_of(lower) {
            out.truncate(from);
            out.push_str(mask);
        }
    }
    out
}

fn fingerprint_of_any(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4096));
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        if (word == "line" || word == "pid")
            && words.peek().is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        {
            out.push_str(word);
            out.push_str(" #");
            words.next();
        } else {
            out.push_str(mask_of(word).unwrap_or(word));
        }
    }
    out
}

/// What stands for a word, in lower case, that changes by itself.
fn mask_of(word: &str) -> Option<&'static str> {
    let core = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '.');
    if is_volatile(core) {
        Some("#")
    } else if core.starts_with("/tmp/") || core.starts_with("/var/folders/") {
        Some("#tmp")
    } else {
        None
    }
}

fn is_volatile(word: &str) -> bool {
    let bytes = word.as_bytes();
    let hex = |s: &[u8]| s.iter().all(u8::is_ascii_hexdigit);
    if let Some(rest) = word.strip_prefix("0x") {
        return rest.len() >= 4 && hex(rest.as_bytes());
    }
    if bytes.len() == 36 && [8, 13, 18, 23].iter().all(|&i| bytes.get(i) == Some(&b'-')) {
        return bytes.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    }
    // A digest: long, hexadecimal, digits and letters mixed.
    if bytes.len() >= 12
        && hex(bytes)
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && bytes.iter().any(u8::is_ascii_digit)
    {
        return true;
    }
    if bytes.len() >= 10 && super::parse_time(word).is_some() {
        return true;
    }
    // 12:34:56 and 12:34:56.789
    if bytes.len() >= 8 && bytes.get(2) == Some(&b':') && bytes.get(5) == Some(&b':') {
        return bytes.iter().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b','));
    }
    // Durations: 0.31s, 12ms, 1.5sec
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    digits > 0 && matches!(word.get(digits..), Some("s" | "ms" | "us" | "µs" | "ns" | "sec" | "secs" | "seconds"))
}

fn last_exception_line(text: &str) -> Option<&str> {
    if !text.contains("Traceback (most recent call last)") {
        return None;
    }
    text.lines().rev().find(|line| {
        let head = line.split(':').next().unwrap_or_default();
        !head.is_empty()
            && !line.starts_with(' ')
            && !head.contains(' ')
            && (head.ends_with("Error")
                || head.ends_with("Exception")
                || head.ends_with("Warning")
                || head.contains('.'))
    })
}

/// The keys of every action step of `run`, in the order of [`Run::actions`].
///
/// What came back is read only where the same call came before or comes again: elsewhere the outcome is a new one
/// whatever it says. Most of a run's text is never read here.
pub fn step_keys(run: &Run) -> Vec<StepKeys> {
    let mut interner = Interner::default();
    let mut keys = call_keys(run, &mut interner);
    // How often each call occurs, by its key.
    let mut times: Vec<u32> = Vec::new();
    for of in &keys {
        let at = of.call as usize;
        if times.len() <= at {
            times.resize(at + 1, 0);
        }
        if let Some(n) = times.get_mut(at) {
            *n += 1;
        }
    }
    for (of, call) in keys.iter_mut().zip(calls(run)) {
        let again = times.get(of.call as usize).is_some_and(|n| *n > 1);
        of.outcome = if again { interner.outcome(of.call, &print_of(call), call.status) } else { interner.fresh() };
    }
    keys
}

/// The keys of two runs in one numbering: here equal numbers mean equal keys across the runs too, and observations
/// have keys of their own.
pub fn shared_step_keys(left: &Run, right: &Run) -> (Vec<StepKeys>, Vec<StepKeys>) {
    let mut interner = Interner::default();
    let mut whole = |run: &Run| {
        let mut keys = call_keys(run, &mut interner);
        for (of, call) in keys.iter_mut().zip(calls(run)) {
            let print = print_of(call);
            of.outcome = interner.outcome(of.call, &print, call.status);
            of.observation = interner.key(&["observation", &print]);
        }
        keys
    };
    (whole(left), whole(right))
}

/// The keys of several runs in one numbering: tools and calls. What came back has no keys of its own here.
pub fn common_keys(runs: &[&Run]) -> Vec<Vec<StepKeys>> {
    let mut interner = Interner::default();
    runs.iter().map(|run| call_keys(run, &mut interner)).collect()
}

fn calls(run: &Run) -> impl Iterator<Item = &Call> {
    run.steps.iter().filter_map(|s| s.call.as_deref())
}

/// Tool, call, effect and epoch of every action.
fn call_keys(run: &Run, interner: &mut Interner) -> Vec<StepKeys> {
    let mut tape = Tape::new();
    let mut epoch = 0u32;
    let mut out = Vec::new();
    // Looked up only: what is known of a tool by its name.
    let mut tools: HashMap<&str, (Key, Option<Effect>)> = HashMap::new();
    let mut canonical = String::new();
    for step in &run.steps {
        if step.kind == StepKind::Person {
            epoch += 1;
        }
        let Some(call) = step.call.as_deref() else { continue };
        let (tool, by_name) =
            *tools.entry(&call.tool).or_insert_with(|| (interner.key(&["tool", &call.tool]), tool_effect(&call.tool)));
        canonical.clear();
        let effect = if call.args.form == ArgsForm::Json {
            let root = tape.parse(&call.args.raw).root();
            write_canonical(root, true, &mut canonical);
            by_name.unwrap_or_else(|| shell_line_of(root).map_or(Effect::Unknown, |line| shell_effect(&line)))
        } else {
            canonical.push('~');
            canonical.push_str(&canonical_str(&call.args.raw));
            by_name.unwrap_or_else(|| shell_line(&call.args).map_or(Effect::Unknown, |line| shell_effect(&line)))
        };
        let key = interner.key(&["call", &call.tool, &canonical]);
        out.push(StepKeys { tool, call: key, outcome: 0, observation: 0, effect, epoch });
        if effect != Effect::Read && call.status != CallStatus::Error {
            epoch += 1;
        }
    }
    out
}

/// What came back, as far as it counts for sameness.
fn print_of(call: &Call) -> Cow<'static, str> {
    let failed = call.status == CallStatus::Error;
    match &call.observation {
        Some(observation) => Cow::Owned(fingerprint(&observation.content.text, failed)),
        None => Cow::Borrowed("\u{1}unanswered"),
    }
}

/// Numbers keys in order of first occurrence. It keeps 128 bits of each key and not the key: those of a long run hold
/// every observation again.
#[derive(Default)]
struct Interner {
    // Only looked up, never iterated.
    known: HashMap<(u64, u64), Key>,
    next: Key,
}

impl Interner {
    fn key(&mut self, parts: &[&str]) -> Key {
        let next = self.next;
        let key = *self.known.entry(digest(parts)).or_insert(next);
        self.next += u32::from(key == next);
        key
    }

    /// A key that nothing else has.
    fn fresh(&mut self) -> Key {
        self.next += 1;
        self.next - 1
    }

    /// A call with what came of it.
    fn outcome(&mut self, call: Key, print: &str, status: CallStatus) -> Key {
        let status = match status {
            CallStatus::Ok => "ok",
            CallStatus::Error => "error",
            CallStatus::Unknown => "unknown",
        };
        self.key(&["outcome", &call.to_string(), print, status])
    }
}

/// Two independent multiply-and-fold hashes over length-prefixed parts, eight bytes at a step.
fn digest(parts: &[&str]) -> (u64, u64) {
    const A: u64 = 0x9E37_79B9_7F4A_7C15;
    const B: u64 = 0xD6E8_FEB8_6659_FD93;
    fn fold(a: u64, b: u64) -> u64 {
        let wide = u128::from(a) * u128::from(b);
        (wide as u64) ^ (wide >> 64) as u64
    }
    let (mut x, mut y) = (A, B);
    let mut take = |word: u64| {
        x = fold(x ^ word, A).wrapping_add(word.rotate_left(32));
        y = fold(y.wrapping_add(word), B) ^ word;
    };
    for part in parts {
        take(part.len() as u64);
        let mut chunks = part.as_bytes().chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0u8; 8];
            word.copy_from_slice(chunk);
            take(u64::from_le_bytes(word));
        }
        let mut word = [0u8; 8];
        let rest = chunks.remainder();
        if let Some(head) = word.get_mut(..rest.len()) {
            head.copy_from_slice(rest);
        }
        take(u64::from_le_bytes(word));
    }
    (x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(raw: &str) -> Args {
        Args { raw: raw.into(), form: ArgsForm::Json }
    }

    #[test]
    fn canonical_arguments_leave_out_what_says_nothing() {
        let same = |a: &str, b: &str| assert_eq!(canonical_args(&args(a)), canonical_args(&args(b)), "{a} {b}");
        let differ = |a: &str, b: &str| assert_ne!(canonical_args(&args(a)), canonical_args(&args(b)), "{a} {b}");
        same(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#);
        same(r#"{"a":1.0}"#, r#"{"a":1}"#);
        same(r#"{"p":"./src/x/"}"#, r#"{"p":"src/x"}"#);
        same(r#"{"q":" x ","id":"1"}"#, r#"{"q":"x","id":"2"}"#);
        same("{\"q\":\"e\u{301}\"}", "{\"q\":\"\u{e9}\"}");
        differ(r#"{"l":[1,2]}"#, r#"{"l":[2,1]}"#);
        differ(r#"{"n":12345678901234567890123}"#, r#"{"n":12345678901234567890124}"#);
        differ(r#"{"u":"https://x/y/"}"#, r#"{"u":"https://x/y"}"#);
        differ(r#"{"a":{"id":1}}"#, r#"{"a":{"id":2}}"#);
    }

    #[test]
    fn fingerprints_mask_what_changes_by_itself() {
        let same = |a: &str, b: &str| assert_eq!(fingerprint(a, false), fingerprint(b, false), "{a} {b}");
        let differ = |a: &str, b: &str| assert_ne!(fingerprint(a, false), fingerprint(b, false), "{a} {b}");
        same("Ran in 0.31s", "ran  in 0.42s");
        same("at 0x7fff5fbff8c0", "at 0x7fff5fbff8d0");
        same("error on line 12", "error on line 14");
        same("2026-01-01T00:00:00Z done", "2026-01-02T00:00:00Z done");
        same("id 123e4567-e89b-12d3-a456-426614174000", "id 123e4567-e89b-12d3-a456-426614174001");
        differ("5 failed", "4 failed");
        let trace = |line: u32, error: &str| {
            format!("Traceback (most recent call last):\n  File \"a.py\", line {line}\n{error}")
        };
        assert_eq!(fingerprint(&trace(1, "ValueError: x"), true), fingerprint(&trace(9, "ValueError: x"), true));
        assert_ne!(fingerprint(&trace(1, "ValueError: x"), true), fingerprint(&trace(1, "KeyError: x"), true));
    }

    #[test]
    fn the_short_way_and_the_long_way_to_a_fingerprint_agree() {
        let words = [
            "line",
            "LINE",
            "pid",
            "12",
            "12,",
            "(3)",
            "0x7fff12",
            "0xzz",
            "0.31s",
            "12ms",
            "5",
            "failed",
            "/tmp/a.b",
            "(/tmp/x)",
            "/var/folders/q",
            "12:34:56",
            "12:34:56.789,",
            "2026-01-01T00:00:00Z",
            "[2026-01-01",
            "deadbeef0123",
            "deadbeefcafe",
            "123e4567-e89b-12d3-a456-426614174000",
            "abcdefab-abcd-abcd-abcd-abcdefabcdef",
            "\"id\":",
            "...",
            "a/b",
            "Traceback",
            "\u{b}",
            "\u{c}",
            "\n",
            "\t\t",
            "\u{1c}x",
            "é",
        ];
        let mut state = 3u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let text: String =
                (0..next(9)).map(|_| format!("{}{}", words[next(words.len())], [" ", "  ", ""][next(3)])).collect();
            if text.is_ascii() {
                assert_eq!(fingerprint_of_ascii(&text), fingerprint_of_any(&text), "{text:?}");
            }
        }
    }

    #[test]
    fn calls_are_classed_by_what_they_do() {
        let shell = |line: &str| effect_class("Bash", &args(&format!("{{\"command\":{}}}", quote(line))));
        assert_eq!(shell("ls -la | grep x"), Effect::Read);
        assert_eq!(shell("cat a 2>/dev/null"), Effect::Read);
        assert_eq!(shell("git status && git log -3"), Effect::Read);
        assert_eq!(shell("git commit -m 'ls'"), Effect::Change);
        assert_eq!(shell("echo x > a"), Effect::Change);
        assert_eq!(shell("rm -rf a"), Effect::Change);
        assert_eq!(shell("make test"), Effect::Unknown);
        for tool in ["Read", "get_user_details", "mcp__fs__read_file", "WebSearch", "Grep", "list_files"] {
            assert_eq!(effect_class(tool, &args("{}")), Effect::Read, "{tool}");
        }
        for tool in ["Edit", "Write", "cancel_reservation", "update_flights", "send_certificate"] {
            assert_eq!(effect_class(tool, &args("{}")), Effect::Change, "{tool}");
        }
        for tool in ["transfer_to_human_agents", "submit", "finish", "AskUserQuestion", "ask_followup_question"] {
            assert_eq!(effect_class(tool, &args("{}")), Effect::Control, "{tool}");
        }
        for tool in ["transfer_money", "submit_order", "complete_purchase", "send_message", "end_subscription"] {
            assert_eq!(effect_class(tool, &args("{}")), Effect::Change, "{tool}");
        }
    }
}
