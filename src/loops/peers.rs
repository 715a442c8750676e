//! The loop rules of other agents, run on this run: would they have stopped it, and where? O(n) each, on demand.
//!
//! * **OpenHands** (SDK 1.58): in the last 20 events behind a person's message: four equal actions with equal
//!   observations, or all failed; three messages of the agent in a row; six alternating actions and observations. Two actions are equal only when what was said with them is.
//! * **Gemini CLI** (0.61): the same one to five calls five times in a row, compared as written; and chanting.
//! * **Cline**: the same call three times in a row is a warning, five times the end.
//! * **Roo Code**: the fourth equal call in a row; then it begins anew. Scrolling does not count.
//! * **Goose**: more equal calls in a row than a limit that its user sets; 10 here.
//!
//! They see the main agent alone. Sources: openhands/sdk/conversation/stuck_detector.py, loopDetectionService.ts,
//! loop-detection.ts, ToolRepetitionDetector.ts, tool_monitor.rs.

use std::collections::BTreeMap;

use super::chant::first_chant;
use crate::model::{ArgsForm, Call, CallStatus, Run, StepKind};

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    pub id: &'static str,
    /// A proper name.
    pub label: &'static str,
}

/// Every set, in the order of the page. Its rule is the sentence `peer.<id>`.
pub const PEERS: &[Peer] = &[
    Peer { id: "openhands", label: "OpenHands" },
    Peer { id: "gemini-cli", label: "Gemini CLI" },
    Peer { id: "cline", label: "Cline" },
    Peer { id: "roo", label: "Roo Code" },
    Peer { id: "goose", label: "Goose" },
];

/// What a set of rules says of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerVerdict {
    pub id: &'static str,
    /// The steps at which it fires, in order.
    pub fired: Vec<u32>,
}

/// The limit that Goose's user would set.
const GOOSE_LIMIT: usize = 10;

/// What all of them say.
pub fn peers(run: &Run) -> Vec<PeerVerdict> {
    let mut verdicts = Vec::new();
    let (events, at) = openhands_events(run);
    let stuck = openhands(&events);
    let fired: Vec<u32> = stuck.iter().zip(at).filter(|(stuck, _)| **stuck).map(|(_, step)| step).collect();
    verdicts.push(PeerVerdict { id: "openhands", fired: onsets(fired, &stuck) });
    let (written, sorted) = calls(run);
    let keys = |list: &[Option<(u32, u64)>]| -> Vec<Option<u64>> { list.iter().map(|c| c.map(|c| c.1)).collect() };
    let step = |list: &[Option<(u32, u64)>], at: usize| list.get(at).copied().flatten().map(|c| c.0);
    let mut gemini: Vec<u32> = gemini_calls(&keys(&written)).into_iter().filter_map(|at| step(&written, at)).collect();
    let chants = run.steps.iter().zip(0u32..).filter(|(s, _)| s.lane == 0 && s.kind == StepKind::Say);
    gemini.extend(
        chants
            .filter(|(s, _)| s.content.text.len() > 100 && first_chant(&plain(&s.content.text), 20).is_some())
            .map(|(_, i)| i),
    );
    gemini.sort_unstable();
    verdicts.push(PeerVerdict { id: "gemini-cli", fired: gemini });
    let list = keys(&sorted);
    for (id, found) in [
        ("cline", in_a_row(&list, 3, false)),
        ("roo", in_a_row(&list, 4, true)),
        ("goose", in_a_row(&list, GOOSE_LIMIT + 1, false)),
    ] {
        verdicts.push(PeerVerdict { id, fired: found.into_iter().filter_map(|at| step(&sorted, at)).collect() });
    }
    verdicts
}

/// A text without what makes Gemini CLI begin anew: it looks at plain prose alone.
fn plain(text: &str) -> String {
    let mut fenced = false;
    let mut out = String::new();
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let marked = ["- ", "* ", "+ ", "> ", "|", "#"].iter().any(|m| start.starts_with(m));
        if !fenced && !marked && line.contains(char::is_alphanumeric) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Of steps at which a verdict holds, the first of each stretch.
fn onsets(fired: Vec<u32>, stuck: &[bool]) -> Vec<u32> {
    let mut fired = fired.into_iter();
    let mut before = false;
    stuck
        .iter()
        .filter_map(|&now| {
            let step = if now { fired.next() } else { None };
            let first = now && !before;
            before = now;
            step.filter(|_| first)
        })
        .collect()
}

/// The steps with the keys of their calls: as written, and with sorted arguments. `None` is a person's message, behind
/// which these rules begin anew.
type Calls = Vec<Option<(u32, u64)>>;

fn calls(run: &Run) -> (Calls, Calls) {
    let (mut written, mut sorted) = (Vec::new(), Vec::new());
    for (step, index) in run.steps.iter().zip(0u32..).filter(|(s, _)| s.lane == 0) {
        if step.kind == StepKind::Person {
            written.push(None);
            sorted.push(None);
        }
        let Some(call) = step.call.as_deref() else { continue };
        let (a, b) = arguments(call);
        written.push(Some((index, digest(&[&call.tool, &a]))));
        if !b.scrolls {
            sorted.push(Some((index, digest(&[&call.tool, &b.text]))));
        }
    }
    (written, sorted)
}

struct Sorted {
    text: String,
    scrolls: bool,
}

/// The arguments as the peers write them: in the order of the file, and sorted without the progress note.
fn arguments(call: &Call) -> (String, Sorted) {
    if call.args.form != ArgsForm::Json {
        return (call.args.raw.to_string(), Sorted { text: call.args.raw.to_string(), scrolls: false });
    }
    let mut tape = crate::json::Tape::new();
    let value = tape.parse(&call.args.raw).root().to_serde();
    let scrolls = &*call.tool == "browser_action"
        && value.get("action").and_then(|a| a.as_str()).is_some_and(|a| a == "scroll_down" || a == "scroll_up");
    let sorted = match value.as_object() {
        Some(map) => {
            let map: BTreeMap<&String, &serde_json::Value> =
                map.iter().filter(|(k, _)| *k != "task_progress").collect();
            serde_json::to_string(&map).unwrap_or_default()
        }
        None => value.to_string(),
    };
    (value.to_string(), Sorted { text: sorted, scrolls })
}

fn digest(parts: &[&str]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Gemini CLI's rule for calls: the places at which a suffix of five rounds of one to five calls is complete. It stops a
/// run there, so a stretch is named once.
pub fn gemini_calls(keys: &[Option<u64>]) -> Vec<usize> {
    let mut out = Vec::new();
    // Of each period: calls that equal the one a period before, without a break.
    let mut matched = [0usize; 6];
    let mut since = 0;
    let mut told = false;
    for (at, key) in keys.iter().enumerate() {
        let Some(key) = key else {
            matched = [0; 6];
            since = at + 1;
            told = false;
            continue;
        };
        let mut fires = false;
        for (period, run) in matched.iter_mut().enumerate().skip(1) {
            let same = at >= since + period && keys.get(at - period).copied().flatten() == Some(*key);
            *run = if same { *run + 1 } else { 0 };
            fires |= *run >= 4 * period;
        }
        if fires && !told {
            out.push(at);
        }
        told = fires;
    }
    out
}

/// The places at which the same call comes the `n`-th time in a row; `anew` begins to count again there.
pub fn in_a_row(keys: &[Option<u64>], n: usize, anew: bool) -> Vec<usize> {
    let mut out = Vec::new();
    let (mut last, mut count) = (None, 0);
    for (at, key) in keys.iter().enumerate() {
        if key.is_none() {
            continue;
        }
        count = if *key == last { count + 1 } else { 1 };
        last = *key;
        if count == n {
            out.push(at);
            if anew {
                (last, count) = (None, 0);
            }
        }
    }
    out
}

/// An event as OpenHands' detector sees it. Equal numbers are equal things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenHandsEvent {
    User,
    AgentMessage,
    /// With all that was said with it.
    Action(u64),
    Observation(u64),
    Error(u64),
    Condensation,
}

/// The verdict behind each event.
pub fn openhands(events: &[OpenHandsEvent]) -> Vec<bool> {
    (1..=events.len()).map(|n| is_stuck(events.get(n.saturating_sub(20)..n).unwrap_or_default())).collect()
}

fn is_stuck(window: &[OpenHandsEvent]) -> bool {
    use OpenHandsEvent::*;
    let from = window.iter().rposition(|e| *e == User).map_or(0, |at| at + 1);
    let events = window.get(from..).unwrap_or_default();
    if events.len() < 3 {
        return false;
    }
    let actions: Vec<&OpenHandsEvent> = events.iter().rev().filter(|e| matches!(e, Action(_))).collect();
    let observations: Vec<&OpenHandsEvent> =
        events.iter().rev().filter(|e| matches!(e, Observation(_) | Error(_))).collect();
    let equal =
        |list: &[&OpenHandsEvent], n: usize| list.len() >= n && list.iter().take(n).all(|e| Some(e) == list.first());
    let errors = observations.len() >= 4 && observations.iter().take(4).all(|e| matches!(e, Error(_)));
    let talk = events.iter().rev().filter(|e| **e != Condensation).take_while(|e| **e == AgentMessage).count();
    let alternates =
        |list: &[&OpenHandsEvent]| list.len() >= 6 && list.iter().zip(list.iter().skip(2)).take(4).all(|(a, b)| a == b);
    (equal(&actions, 4) && (equal(&observations, 4) || errors))
        || talk >= 3
        || (alternates(&actions) && alternates(&observations))
}

/// The events of a run's main agent, with the step of each.
fn openhands_events(run: &Run) -> (Vec<OpenHandsEvent>, Vec<u32>) {
    let (mut events, mut steps) = (Vec::new(), Vec::new());
    let mut said: Vec<(u32, Option<u32>, &str)> = Vec::new();
    let mut push = |event: OpenHandsEvent, step: u32| {
        events.push(event);
        steps.push(step);
    };
    for (step, index) in run.steps.iter().zip(0u32..).filter(|(s, _)| s.lane == 0) {
        let flush = !matches!(step.kind, StepKind::Say | StepKind::Thought | StepKind::Action);
        // What was said in another answer than the call is a message of its own.
        let other = |turn: Option<u32>| turn != step.turn;
        if flush || step.kind == StepKind::Action || step.kind == StepKind::Say {
            said.retain(|(at, turn, _)| {
                let alone = flush || other(*turn);
                if alone {
                    push(OpenHandsEvent::AgentMessage, *at);
                }
                !alone
            });
        }
        match (step.kind, step.call.as_deref()) {
            (StepKind::Person, _) => push(OpenHandsEvent::User, index),
            (StepKind::Say, _) => said.push((index, step.turn, &step.content.text)),
            (StepKind::Compaction, _) => push(OpenHandsEvent::Condensation, index),
            (StepKind::Action, Some(call)) => {
                let thought: String = said.drain(..).map(|(_, _, text)| text).collect();
                push(OpenHandsEvent::Action(digest(&[&call.tool, &arguments(call).1.text, &thought])), index);
                if let Some(observation) = &call.observation {
                    let text = digest(&[&call.tool, &observation.content.text]);
                    push(
                        match call.status {
                            CallStatus::Error => OpenHandsEvent::Error(text),
                            _ => OpenHandsEvent::Observation(text),
                        },
                        index,
                    );
                }
            }
            _ => {}
        }
    }
    for (at, _, _) in said {
        push(OpenHandsEvent::AgentMessage, at);
    }
    (events, steps)
}
