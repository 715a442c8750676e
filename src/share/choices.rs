//! What of some runs is shared: which parts are left out, which values are replaced, and what of both to tell.
//!
//! Parts are emptied and never taken away, so that step numbers, loops and comparisons stay what they were. Then every
//! string that is left is searched and redacted, and what came out is searched again, until nothing new is found.
//! Cost: a few passes over the runs' text.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::container::Document;
use super::redact::{Policy, Redactor, Secret, survey};
use super::secrets::Kind;
use crate::import::write_run;
use crate::json::{Tape, Val, quote};
use crate::model::{Content, Run, StepKind};
use crate::notes::Note;

/// A part of a run that may stay out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What the agent thought.
    Thoughts,
    /// What tools gave back.
    Results,
    /// System prompts, and texts that programs put in: they are about the setting rather than about the run.
    Prompts,
    /// Pictures and other media. Their bytes cannot be searched for secrets.
    Media,
    /// Records that no reader knows, kept as they stand.
    Records,
    /// Labels and comments of who read the run.
    Notes,
}

impl Part {
    pub const ALL: [Part; 6] = [Part::Thoughts, Part::Results, Part::Prompts, Part::Media, Part::Records, Part::Notes];

    /// Stable word: in messages and message ids (`share.part.<id>`).
    pub fn id(self) -> &'static str {
        match self {
            Part::Thoughts => "thoughts",
            Part::Results => "results",
            Part::Prompts => "prompts",
            Part::Media => "media",
            Part::Records => "records",
            Part::Notes => "notes",
        }
    }

    /// Whether it is shared unless the user says otherwise: what a run is read for.
    pub fn usual(self) -> bool {
        matches!(self, Part::Thoughts | Part::Results | Part::Notes)
    }
}

/// What the user decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    pub policy: Policy,
    pub parts: BTreeSet<Part>,
}

impl Default for Choices {
    fn default() -> Self {
        Self { policy: Policy::default(), parts: Part::ALL.into_iter().filter(|p| p.usual()).collect() }
    }
}

/// A run to be shared, with the name of its document; runs of one document stand together.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'a> {
    /// Tells documents of one name apart.
    pub id: u32,
    pub document: &'a str,
    pub run: &'a Run,
    pub notes: &'a [Placed<'a>],
}

/// A note with its first and last step.
pub type Placed<'a> = (u32, u32, &'a Note);

/// Runs, ready to go out.
pub struct Prepared {
    pub documents: Vec<Document>,
    /// Every value that was replaced. Places are numbers of `places`.
    pub secrets: Vec<Secret>,
    /// (which of the given runs, which step; `None`: its head).
    pub places: Vec<(u32, Option<u32>)>,
    /// How many pieces of each part were emptied.
    pub left_out: Vec<(Part, u32)>,
    /// The notes that go along, each with the run that it is about; their steps are to be named anew.
    pub notes: Vec<(u32, u32, u32, Note)>,
    pub redactor: Redactor,
}

/// How many pieces of each part these choices leave out.
pub fn pieces(runs: &[Shared<'_>], choices: &Choices) -> Vec<(Part, u32)> {
    let mut left_out = vec![0u32; Part::ALL.len()];
    for shared in runs {
        emptied(shared.run, choices, &mut left_out);
        leave_notes(shared, choices, &mut left_out);
    }
    Part::ALL.into_iter().zip(left_out).collect()
}

/// Rounds of searching what came out. Each can only find what a placeholder newly made stand alone.
const ROUNDS: usize = 3;

/// Prepares runs.
pub fn prepare(runs: &[Shared<'_>], choices: &Choices) -> Prepared {
    let mut left_out = vec![0u32; Part::ALL.len()];
    let kept: Vec<(u32, Placed<'_>)> = (0u32..)
        .zip(runs)
        .flat_map(|(which, r)| {
            leave_notes(r, choices, &mut left_out).iter().map(move |n| (which, *n)).collect::<Vec<_>>()
        })
        .collect();
    let texts: Vec<String> = runs.iter().map(|r| write_run(&emptied(r.run, choices, &mut left_out))).collect();
    let names = names(runs);
    let mut places = Vec::new();
    let mut strings: Vec<(u32, Cow<'_, str>)> = Vec::new();
    let mut tapes: Vec<Tape> = Vec::new();
    for text in &texts {
        let mut tape = Tape::new();
        tape.load(text);
        tapes.push(tape);
    }
    for (which, (text, tape)) in (0u32..).zip(texts.iter().zip(&tapes)) {
        let mut place = |step: Option<u32>| {
            places.push((which, step));
            (places.len() - 1) as u32
        };
        let root = tape.doc(text).root();
        let head = place(None);
        for (_, val) in root.entries().filter(|(key, _)| key != "steps") {
            strings.extend(contents(val).into_iter().map(|(_, text)| (head, text)));
        }
        for (at, step) in (0u32..).zip(root.get("steps").into_iter().flat_map(Val::items)) {
            let here = place(Some(at));
            strings.extend(contents(step).into_iter().map(|(_, text)| (here, text)));
        }
    }
    // The names of the files are shared too.
    let of_names: Vec<(u32, &str)> = names.iter().enumerate().map(|(i, name)| (i as u32, name.as_str())).collect();
    let head_of = |which: u32| places.iter().position(|p| *p == (which, None)).unwrap_or_default() as u32;
    let of_notes = kept.iter().flat_map(|(which, (from, _, note))| {
        let at = places.iter().position(|p| *p == (*which, Some(*from))).unwrap_or_default() as u32;
        [(at, note.label.as_str()), (at, note.text.as_str())]
    });
    let all = strings
        .iter()
        .map(|(place, text)| (*place, text.as_ref()))
        .chain(of_notes)
        .chain(of_names.iter().map(|(which, name)| (head_of(*which), *name)));
    let mut secrets = survey(all, &choices.policy);
    drop(strings);
    let mut redactor = Redactor::new(&secrets);
    let mut documents: Vec<Document> = Vec::new();
    let mut last = None;
    for ((shared, name), text) in runs.iter().zip(&names).zip(&texts) {
        let clean = redacted(text, &redactor);
        match documents.last_mut().filter(|_| last == Some(shared.id)) {
            Some(document) => document.text.push_str(&clean),
            None => documents.push(Document { name: redactor.text(name).into_owned(), text: clean }),
        }
        last = Some(shared.id);
    }
    for _ in 0..ROUNDS {
        let more = again(&documents, &choices.policy, &secrets);
        if more.is_empty() {
            break;
        }
        let second = Redactor::new(&more);
        for document in &mut documents {
            document.name = second.text(&document.name).into_owned();
            document.text = each_run(&document.text).map(|run| redacted(run, &second)).collect();
        }
        secrets.extend(more);
        redactor = Redactor::new(&secrets);
    }
    unique(&mut documents);
    let left_out = Part::ALL.into_iter().zip(left_out).filter(|(_, n)| *n > 0).collect();
    let clean = |note: &Note| Note {
        label: redactor.text(&note.label).into_owned(),
        text: redactor.text(&note.text).into_owned(),
        ..note.clone()
    };
    let notes = kept.into_iter().map(|(which, (from, to, note))| (which, from, to, clean(note))).collect();
    Prepared { documents, secrets, places, left_out, notes, redactor }
}

/// Names without the folders that they lay in, one for each run.
fn names(runs: &[Shared<'_>]) -> Vec<String> {
    let short = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    runs.iter().map(|r| short(r.document)).map(|name| if name.is_empty() { "run".into() } else { name }).collect()
}

fn unique(documents: &mut [Document]) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for document in documents {
        let name = document.name.clone();
        let free = |n: &String| !taken.contains(n);
        let found = std::iter::once(name.clone()).chain((2u32..).map(|n| format!("{name} ({n})"))).find(free);
        document.name = found.unwrap_or(name);
        taken.insert(document.name.clone());
    }
}

/// Words of our own format that stand as values: they are no one's, and without them a run cannot be read.
const WORDS: [&str; 8] = ["format", "kind", "form", "status", "verdict", "cost_kind", "capability_type", "access"];

/// The strings below a value of our run format that are content, in order. Keys and the format's own words are none.
fn contents(val: Val<'_>) -> Vec<(Val<'_>, Cow<'_, str>)> {
    let mut out = Vec::new();
    let mut stack = vec![val];
    while let Some(val) = stack.pop() {
        match val.as_str() {
            Some(text) => out.push((val, text)),
            None => {
                // In the order in which they stand: placeholders are numbered by it.
                let from = stack.len();
                stack.extend(val.items());
                stack.extend(val.entries().filter(|(key, _)| !WORDS.contains(&key.as_ref())).map(|(_, val)| val));
                if let Some(new) = stack.get_mut(from..) {
                    new.reverse();
                }
            }
        }
    }
    out
}

/// A run in our format with its content redacted; everything else stays byte for byte.
fn redacted(text: &str, redactor: &Redactor) -> String {
    let mut tape = Tape::new();
    tape.load(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (val, said) in contents(tape.doc(text).root()) {
        if let Cow::Owned(clean) = redactor.text(&said) {
            let (start, end) = val.range();
            out.push_str(text.get(at..start).unwrap_or_default());
            out.push_str(&quote(&clean));
            at = end;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The runs of a document: [`write_run`] ends each with a line of its own, which no string can hold.
fn each_run(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive("\n]}\n")
}

/// What of the values is still in the content of documents, decoded in every way: it must be nothing.
pub fn left_in(documents: &[Document], redactor: &Redactor) -> Vec<String> {
    let mut left = Vec::new();
    let mut tape = Tape::new();
    for document in documents {
        left.extend(redactor.left_in(document.name.as_bytes()));
        for run in each_run(&document.text) {
            tape.load(run);
            for (_, text) in contents(tape.doc(run).root()) {
                left.extend(redactor.left_in(text.as_bytes()));
            }
        }
    }
    left
}

/// What is found in finished documents that was not known.
fn again(documents: &[Document], policy: &Policy, known: &[Secret]) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut tape = Tape::new();
    for document in documents {
        for run in each_run(&document.text) {
            tape.load(run);
            let found_in = contents(tape.doc(run).root());
            let texts = found_in.iter().map(|(_, text)| (0, text.as_ref())).chain([(0, document.name.as_str())]);
            for secret in survey(texts, policy) {
                if !found.iter().any(|f| f.value == secret.value) && !is_placeholder(&secret.value, known) {
                    found.push(secret);
                }
            }
        }
    }
    for (at, secret) in (1u32..).zip(&mut found) {
        let before = known.iter().filter(|k| k.kind == secret.kind).count() as u32;
        secret.placeholder = format!("[{}-{}]", secret.kind.id(), before + at);
        secret.places.clear();
    }
    found
}

/// A name of the user may be a word of the placeholders themselves.
fn is_placeholder(value: &str, known: &[Secret]) -> bool {
    known.iter().any(|k| k.placeholder.contains(value))
}

/// The run without the parts that stay out.
fn emptied(run: &Run, choices: &Choices, left_out: &mut [u32]) -> Run {
    let mut run = run.clone();
    let drop_media = |content: &mut Content, left_out: &mut [u32]| {
        if !choices.parts.contains(&Part::Media) && !content.media.is_empty() {
            count(left_out, Part::Media, content.media.len());
            for medium in &mut content.media {
                medium.data = None;
                medium.reference = Some("left out".into());
            }
        }
    };
    for step in &mut run.steps {
        drop_media(&mut step.content, left_out);
        let part = match step.kind {
            StepKind::Thought => Some(Part::Thoughts),
            StepKind::System | StepKind::Injected => Some(Part::Prompts),
            StepKind::Raw => Some(Part::Records),
            StepKind::Orphan => Some(Part::Results),
            _ => None,
        };
        if let Some(part) = part.filter(|p| !choices.parts.contains(p) && !step.content.text.is_empty()) {
            count(left_out, part, 1);
            step.content.text = Box::default();
        }
        let Some(observation) = step.call.as_deref_mut().and_then(|c| c.observation.as_mut()) else { continue };
        drop_media(&mut observation.content, left_out);
        let empty = observation.content.text.is_empty() && observation.structured.is_none();
        if !choices.parts.contains(&Part::Results) && !empty {
            count(left_out, Part::Results, 1);
            observation.content.text = Box::default();
            observation.structured = None;
        }
    }
    run
}

/// The notes of a run that go along.
fn leave_notes<'a>(shared: &Shared<'a>, choices: &Choices, left_out: &mut [u32]) -> &'a [Placed<'a>] {
    if choices.parts.contains(&Part::Notes) {
        return shared.notes;
    }
    count(left_out, Part::Notes, shared.notes.len());
    &[]
}

fn count(left_out: &mut [u32], part: Part, n: usize) {
    let at = Part::ALL.iter().position(|p| *p == part);
    if let Some(slot) = at.and_then(|at| left_out.get_mut(at)) {
        *slot = slot.saturating_add(n as u32);
    }
}

/// How many values of each kind were replaced, and at how many places.
pub fn tally(secrets: &[Secret]) -> Vec<(Kind, u32, u32)> {
    Kind::ALL
        .into_iter()
        .map(|kind| {
            let of = secrets.iter().filter(|s| s.kind == kind);
            of.fold((kind, 0, 0), |(kind, values, times), s| (kind, values + 1, times + s.count))
        })
        .filter(|(_, values, _)| *values > 0)
        .collect()
}
