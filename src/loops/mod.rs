//! Does a run go round in circles, and what did that cost? Detectors, waste, verdict.
//!
//! Everything counts in action steps (calls), each lane for itself: what three sub-agents read alike is no loop. Keys
//! of sameness are those of [`crate::model::step_keys`]. docs/detectors.md shows
//! this text.
//! Cost: O(n·P) a lane for n calls (P: see [`crate::model::max_period`]) plus the length of what is said and asked.
//!
//! * **D1 exact cycle**: a maximal tandem run over K2 (tool, arguments, observation, status), three rounds or more.
//!   A call without an observation is like no other, except the last one: the run was cut while it did the same again.
//! * **D1w weak cycle**: the same over K1 (tool, arguments) where no single exact cycle covers it: the outcome changes.
//!   Polling looks like this, so it is never waste and never a loop by itself.
//! * **D2 same call keeps failing**: three or more K1-equal calls one behind another, all failed; the error text may differ.
//! * **D2g the same with other calls between**: at most four other calls between two tries, and no try in between
//!   succeeds. As work lies between, the failure must persist: every error line of the first try is there in each
//!   later one (see [`signature`]). A test that fails with fewer or other errors is progress and breaks the chain.
//!   "Same call" is K1: tool and arguments. A coarser one (the command's first words) would join different commits.
//! * **D3 redundant in its epoch**: the same K2 three times among the reads of one epoch, adjacent or not. An epoch ends
//!   with a person's message, a call that changed something, and a compaction (what was read is forgotten). Twice is
//!   waste, but no loop: it is listed among what nearly fired. A call without an observation is left out.
//! * **D4 cosmetic arguments**: four or more reads of one tool, one behind another, with the same fingerprint of what came
//!   back and the same status; every text argument that a call shares with the first one is equal, there is at least one,
//!   and not all calls are K1-equal: what differs is for show.
//! * **D5 same failure**: the same error lines (see [`signature`]; eight letters or digits at least) in four failed calls,
//!   wherever they stand. It is overcome when a later call of the last one's kind succeeded, among the next 1,000 of that
//!   tool; overcome and fewer than six is a fact, else it is a loop. Never waste: the calls between may be work.
//! * **D6 edit flip-flop**: on one target an edit turns A into B, a later one B into A, and so on: two reversals or more.
//!   Edits that failed do not count. Writing whole contents counts as an edit from the content that was written before.
//!   One reversal is a change of mind, and listed among what nearly fired.
//! * **D7 monologue**: three messages or thoughts of the agent in a row, no call and no person between them, alike
//!   (0.85 or more) to the first of them and to the 16 before. Alike is the Jaccard index of their words without stop words.
//! * **D8 thoughts stand still**: the thoughts and texts between two changes of the world, in clusters (each joins what it
//!   is like by 0.6, among the 16 before it), go round three times. A suspicion: never waste, and not for the verdict.
//! * **D9 chanting**: inside one text a window of 50 letters ten times, at most 250 letters apart on average, with at most
//!   five different texts from one to the next. Code between fences, tables, lists, headings and quotes are left out.
//! * **D10 compaction thrash**: three compactions with at most ten calls from first to last, or ten with no call at all,
//!   and no person between them.
//! * **D11 long repeat**: the longest sequence of calls (K1), four at least, that comes again without overlap. A fact.
//!   Stretches of D1 and D1w are left out.
//!
//! A span that lies within one that says more is left out: D2, D2g, D3, D4 and D5 inside one D1 span; D1w inside D2 or
//! D4; D2, D3 and D5 inside D2g; D3 and D5 inside D2; D3 inside D4; D8 inside D7.
//!
//! **Waste** is the set of steps after the first round (D1, D6) or the first call (D2, D2g, D3, D4); a set, so that no
//! step counts twice and waste never exceeds the run.
//!
//! **Verdict.** `stuck`: a loop touches the last tenth of the calls, or the last five, and the run did not end by
//! itself. `recovered`: there is a loop, and the run is not stuck. `none`: no loop. Bounds of a span are calls; one
//! about messages or compactions stands between the calls around it.
//! **Recovery.** After a failing call: the first later call of the same kind that succeeded (for a shell, one that runs
//! the same commands, else the same tool on the same target). In all other cases, and when nothing of the kind
//! follows: the first call behind the last loop that is new (K1) and succeeded.

mod chant;
mod cycles;
mod detect;
mod edits;
mod failing;
mod lane;
mod params;
mod peers;
mod ratios;
mod reads;
mod repeat;
mod signature;
mod talk;
mod waste;
mod words;

use std::collections::BTreeSet;

use crate::model::{CallStatus, Repeat, Run, StepKeys, StepKind, Verdict as End, step_keys};

pub use chant::first_chant;
pub use params::{Params, THRESHOLDS, Threshold};
pub use peers::{OpenHandsEvent, PEERS, Peer, PeerVerdict, gemini_calls, in_a_row, openhands, peers};
pub use ratios::{Ratios, ratios};
pub use signature::signature;
pub use waste::{Costs, Figure, Waste};

/// How much a finding of a detector says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A loop: it counts for the verdict.
    Loop,
    /// It repeats, but the outcome changes: shown, and nothing more.
    Repeating,
    /// It may be a loop: shown, and nothing more.
    Suspicion,
    /// A fact.
    Info,
}

impl Severity {
    pub fn id(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Repeating => "repeating",
            Self::Suspicion => "suspicion",
            Self::Info => "info",
        }
    }
}

/// One of the detectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detector {
    ExactCycle,
    WeakCycle,
    KeepsFailing,
    KeepsFailingGapped,
    Redundant,
    Cosmetic,
    SameFailure,
    FlipFlop,
    Monologue,
    Stagnation,
    Chanting,
    Thrash,
    LongRepeat,
}

/// A line of the table of detectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub detector: Detector,
    /// As in exports.
    pub id: &'static str,
    /// The most that a finding can be.
    pub severity: Severity,
    pub counts_as_waste: bool,
}

const fn entry(detector: Detector, id: &'static str, severity: Severity, counts_as_waste: bool) -> Entry {
    Entry { detector, id, severity, counts_as_waste }
}

/// Every detector, in the order of their findings.
pub const DETECTORS: &[Entry] = &[
    entry(Detector::ExactCycle, "D1", Severity::Loop, true),
    entry(Detector::WeakCycle, "D1w", Severity::Repeating, false),
    entry(Detector::KeepsFailing, "D2", Severity::Loop, true),
    entry(Detector::KeepsFailingGapped, "D2g", Severity::Loop, true),
    entry(Detector::Redundant, "D3", Severity::Loop, true),
    entry(Detector::Cosmetic, "D4", Severity::Loop, true),
    entry(Detector::SameFailure, "D5", Severity::Loop, false),
    entry(Detector::FlipFlop, "D6", Severity::Loop, true),
    entry(Detector::Monologue, "D7", Severity::Loop, false),
    entry(Detector::Stagnation, "D8", Severity::Suspicion, false),
    entry(Detector::Chanting, "D9", Severity::Loop, false),
    entry(Detector::Thrash, "D10", Severity::Loop, false),
    entry(Detector::LongRepeat, "D11", Severity::Info, false),
];

impl Detector {
    /// Its line in [`DETECTORS`].
    pub fn entry(self) -> &'static Entry {
        DETECTORS.iter().find(|e| e.detector == self).unwrap_or(&DETECTORS[0])
    }

    pub fn id(self) -> &'static str {
        self.entry().id
    }

    /// Whether a span of this one says more than one of `inner` that lies within it.
    fn covers(self, inner: Self) -> bool {
        use Detector::*;
        match self {
            ExactCycle => matches!(inner, KeepsFailing | KeepsFailingGapped | Redundant | Cosmetic | SameFailure),
            KeepsFailing => matches!(inner, WeakCycle | Redundant | SameFailure),
            KeepsFailingGapped => matches!(inner, KeepsFailing | Redundant | SameFailure),
            Cosmetic => matches!(inner, WeakCycle | Redundant),
            Monologue => matches!(inner, Stagnation),
            _ => false,
        }
    }

    /// Whether what lies between the steps of a span belongs to it: false for what is scattered over the run.
    pub fn is_stretch(self) -> bool {
        !matches!(self, Self::Redundant | Self::SameFailure | Self::FlipFlop | Self::LongRepeat)
    }
}

/// One finding of a detector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub detector: Detector,
    /// That of the detector, or less.
    pub severity: Severity,
    /// First action step, from 0.
    pub start: u32,
    /// Behind the last action step.
    pub end: u32,
    /// Calls in a round; 1 for a single call that repeats.
    pub period: u32,
    /// Whole rounds, or tries.
    pub times: u32,
    /// The steps of the run that repeat, in order: all rounds for a cycle, the tries alone for D2 to D6, the messages or
    /// compactions for D7 to D10.
    pub steps: Vec<u32>,
    /// Those of them that are waste.
    pub wasted: Vec<u32>,
    /// Most other calls between two tries; 0 for what is adjacent.
    pub between: u32,
    /// True for a cycle inside a round of a longer one.
    pub nested: bool,
}

/// What would have fired with other thresholds, and why it did not.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    pub detector: Detector,
    pub start: u32,
    pub end: u32,
    pub period: u32,
    pub have: f64,
    pub need: u32,
    pub steps: Vec<u32>,
    /// Waste without a loop: the second of two equal reads.
    pub wasted: Vec<u32>,
    pub why: WhyNot,
    /// The step of the run that broke it, when there is one.
    pub broken_by: Option<u32>,
}

/// Why a detector did not fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhyNot {
    /// Another call came in place of the expected one.
    OtherCall,
    /// The same call came back with another result.
    OtherResult,
    /// The same call succeeded.
    Succeeded,
    /// The errors of the first try were gone.
    OtherError,
    /// A change, a person's message or a compaction lies between.
    WorldChanged,
    /// Too many other calls lie between.
    TooFarApart,
    /// Something else was said.
    OtherWords,
    /// A call or a person's message came.
    Acted,
    /// It did not happen again.
    NotAgain,
}

impl WhyNot {
    /// Suffix of the key in the message table (`loop.near.<id>`).
    pub fn id(self) -> &'static str {
        match self {
            Self::OtherCall => "other-call",
            Self::OtherResult => "other-result",
            Self::Succeeded => "succeeded",
            Self::OtherError => "other-error",
            Self::WorldChanged => "world-changed",
            Self::TooFarApart => "too-far-apart",
            Self::OtherWords => "other-words",
            Self::Acted => "acted",
            Self::NotAgain => "not-again",
        }
    }
}

/// The verdict over a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    None,
    Recovered,
    Stuck,
}

impl Verdict {
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Recovered => "recovered",
            Self::Stuck => "stuck",
        }
    }
}

/// Everything about the loops of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Loops {
    pub verdict: Verdict,
    /// Ordered by start, then by detector.
    pub spans: Vec<Span>,
    pub near: Vec<NearMiss>,
    pub waste: Waste,
    /// Step of the run at which the last loop was overcome.
    pub recovery: Option<u32>,
}

impl Loops {
    /// What can be folded when the run is shown, in order: the outermost cycles and failing calls, of those that overlap
    /// the first, then the longest. What is scattered over the run is not among them: what lies between is no repetition.
    pub fn repeats(&self, run: &Run) -> Vec<Repeat> {
        let mut spans: Vec<&Span> = self.spans.iter().filter(|s| folds(s.detector) && !s.nested).collect();
        spans.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
        let mut out: Vec<Repeat> = Vec::new();
        for span in spans {
            let (Some(&start), Some(&last)) = (span.steps.first(), span.steps.last()) else { continue };
            let Some(&first_end) = span.steps.get(span.period as usize) else { continue };
            let lane = run.steps.get(start as usize).map_or(0, |s| s.lane);
            if out.iter().all(|r| r.lane != lane || r.end <= start) {
                out.push(Repeat { start, first_end, end: last + 1, lane, period: span.period, times: span.times });
            }
        }
        out
    }
}

/// Detectors whose spans are rounds that can be folded into one.
fn folds(detector: Detector) -> bool {
    use Detector::*;
    matches!(detector, ExactCycle | WeakCycle | KeepsFailing | KeepsFailingGapped | Cosmetic)
}

/// Looks for loops in a run.
pub fn analyse(run: &Run, params: &Params) -> Loops {
    analyse_keyed(run, &step_keys(run), params)
}

/// The same for a run whose keys ([`step_keys`]) are known already.
pub fn analyse_keyed(run: &Run, keys: &[StepKeys], params: &Params) -> Loops {
    let steps = run.actions();
    let found = detect::detect(run, &steps, keys, params);
    let wasted: BTreeSet<u32> =
        found.spans.iter().flat_map(|s| &s.wasted).chain(found.near.iter().flat_map(|n| &n.wasted)).copied().collect();
    let waste = Costs::of(run).waste(&wasted.into_iter().collect::<Vec<_>>());

    let loops: Vec<&Span> = found.spans.iter().filter(|s| s.severity == Severity::Loop).collect();
    let n = steps.len() as u32;
    let tail = n.div_ceil(10).max(5);
    let at_end = loops.iter().any(|s| s.end + tail > n);
    let verdict = match (loops.is_empty(), at_end && !ended_by_itself(run)) {
        (true, _) => Verdict::None,
        (false, true) => Verdict::Stuck,
        (false, false) => Verdict::Recovered,
    };
    let last = loops.iter().max_by_key(|s| (s.end, s.start));
    let recovery = last.filter(|_| verdict == Verdict::Recovered).and_then(|last| {
        let again = |k: usize| run.steps.get(steps[k] as usize).and_then(|s| s.call.as_deref());
        let succeeded = |k: usize| again(k).is_some_and(|c| c.status == CallStatus::Ok);
        let from = last.end as usize;
        if matches!(last.detector, Detector::KeepsFailing | Detector::KeepsFailingGapped)
            && let Some(call) =
                last.steps.first().and_then(|&s| run.steps.get(s as usize)).and_then(|s| s.call.as_deref())
        {
            let kind = signature::call_kind(call);
            let same = (from..steps.len()).find(|&k| {
                succeeded(k) && again(k).is_some_and(|c| signature::same_kind(&kind, &signature::call_kind(c)))
            });
            if let Some(k) = same {
                return Some(steps[k]);
            }
        }
        let known: BTreeSet<u32> = keys[..from.min(keys.len())].iter().map(|k| k.call).collect();
        (from..steps.len()).find(|&k| succeeded(k) && !known.contains(&keys[k].call)).map(|k| steps[k])
    });
    Loops { verdict, spans: found.spans, near: found.near, waste, recovery }
}

/// Tools that end a run by their call.
const FINAL_TOOLS: [&str; 9] = [
    "submit",
    "finish",
    "complete",
    "done",
    "final_answer",
    "attempt_completion",
    "task_complete",
    "complete_task",
    "exit",
];

/// Whether the run came to an end of its own: the file says so, or the last thing is the agent's word or a final call.
fn ended_by_itself(run: &Run) -> bool {
    match run.outcome.as_ref().map(|o| o.verdict) {
        Some(End::Finished | End::Passed) => return true,
        Some(End::Limit | End::Error | End::Cancelled) => return false,
        Some(End::Failed) | None => {}
    }
    let spoke =
        |kind: StepKind| matches!(kind, StepKind::Person | StepKind::Say | StepKind::Thought | StepKind::Action);
    match run.steps.iter().rev().find(|s| s.lane == 0 && spoke(s.kind)) {
        Some(last) => match &last.call {
            Some(call) => FINAL_TOOLS.iter().any(|t| call.tool.eq_ignore_ascii_case(t)),
            None => last.kind == StepKind::Say,
        },
        None => false,
    }
}
