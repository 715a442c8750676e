//! Two runs side by side: what they have in common, what is out of order, where they part, and what that cost.
//!
//! <!-- definition -->
//! ## What is aligned
//!
//! **Actions** are aligned exactly: the longest common subsequence of their keys. Two actions are the same when they
//! agree in the tool (`tool`), in the tool and its canonical arguments (`call`, the default), or also in what came
//! back and how it ended (`outcome`). The keys are those of loops and topology (`model::key`). Where the two files
//! write the calls of a tool differently, as a line of text here and as an object there, the words count, in order.
//!
//! **Thoughts** are the reasoning and the texts of the agent, one unit a step. Units of punctuation alone do not
//! count. They are aligned by likeness: equal texts are `same` (1), texts with one normal form are `same*` (1), others
//! are alike by the share of words in common, (words in both) / (words in either), and `similar` from the threshold
//! on (0.30 unless moved). This is a lexical measure: a paraphrase in other words is not found.
//!
//! The pairs keep the order of both sides, no unit is in two, and the sum of likeness is the greatest possible; of
//! what is equal in that, the most pairs, then the leftmost pair by pair. With likeness of 0 and 1 alone this is the longest common
//! subsequence with the very pairs of the exact alignment. Leftmost, and not the longest stretch in one piece, so
//! that a common beginning always stays together: where two runs part is the first thing one asks.
//! Exchanging the sides exchanges the result and changes nothing else: which side is solved as the left one is
//! decided by what the runs contain.
//!
//! ## Figures
//!
//! For n units left, m right, and pairs of likeness s:
//!
//! | figure | is |
//! |---|---|
//! | `ratio` | 2 · Σs / (n + m); 1 when both sides are empty, 0 when one is |
//! | `coverage` | pairs / n and pairs / m; unknown for an empty side |
//! | `bag_ratio` | the ratio of the best pairs without any order |
//! | `order_loss` | `bag_ratio` − `ratio`: 0 when nothing stands elsewhere |
//! | `moves` | stretches that both have in another place: pairs among the rest, of likeness 0.5 at least |
//! | `move_ratio` | 2 · moved pairs / (n + m) |
//! | `kendall_tau` | order of all aligned and moved pairs: 1 the same, −1 reversed; unknown below two |
//!
//! Matchings without order are exact up to 400 on 400 units that hang together, beyond that greedy (`bag_exact`).
//! Above 4,000,000 cells thoughts are aligned between texts that occur once on each side (`anchored`).
//!
//! ## Crosses
//!
//! A thought leads to the first action behind it, before the next thought of the same agent. Aligned thoughts that lead to different
//! actions, and aligned actions that different thoughts led to, are listed.
//!
//! ## The first divergence
//!
//! Both runs are walked in step as long as their actions are the same. The first of these is the divergence:
//!
//! | cause | when |
//! |---|---|
//! | `other_result` | the same action gave another result: it ended otherwise, or the texts differ and less than half of their words (of the first 20,000 bytes) are common. When `outcome` decides what is the same: any difference but volatile parts |
//! | `other_thought` | the next actions differ, and so do the thoughts that led to them |
//! | `other_tool` | the next actions call different tools |
//! | `other_arguments` | they call one tool with different arguments |
//! | `ended` | one run has no further action, and the other one has |
//!
//! Without such a place, the first thought that is not aligned is it (`other_thought`, or `ended` when one side has
//! no more). What persons say is shown and never is the divergence. Downstream is what follows behind the divergent
//! step: actions, tokens and cost of later turns, seconds to the last recorded moment; unknown where the file is silent.
//! <!-- /definition -->
//!
//! Cost: exact O(n·m/64), soft O(n·m); see [`soft`] and `model::lcs`. Source: metrics, section 3.

mod consensus;
mod divergence;
mod moves;
mod notation;
mod soft;
mod table;
mod track;
mod units;

use std::cmp::Ordering;

use crate::model::{Actor, CallStatus, Run, Step, StepKeys, StepKind, canonical_entries, shared_step_keys};

pub use consensus::{Branch, Consensus, consensus};
pub use divergence::{Cause, Divergence, Downstream};
pub use moves::{Move, matching};
pub use soft::{Chosen, MAX_CELLS, ONE, Weights, best_pairs, likeness, text_weights};
pub use table::{Relation, Row};
pub use track::{Pair, Tier, Track};
pub use units::{Numbering, Unit, normal_form};

/// What makes two actions the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    Tool,
    #[default]
    Call,
    Outcome,
}

impl Sameness {
    pub const ALL: [Sameness; 3] = [Self::Tool, Self::Call, Self::Outcome];

    pub fn id(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Call => "call",
            Self::Outcome => "outcome",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.id() == id)
    }

    fn key(self, keys: &StepKeys) -> u32 {
        match self {
            Self::Tool => keys.tool,
            Self::Call => keys.call,
            Self::Outcome => keys.outcome,
        }
    }
}

/// What the person can change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    pub same: Sameness,
    /// Likeness from which two texts are paired.
    pub threshold: f64,
}

/// The threshold that separates best where it was measured.
pub const THRESHOLD: f64 = 0.30;

impl Default for Params {
    fn default() -> Self {
        Self { same: Sameness::Call, threshold: THRESHOLD }
    }
}

impl Params {
    /// The threshold in millionths, within its bounds.
    fn least(&self) -> u32 {
        let t = if self.threshold.is_finite() { self.threshold } else { THRESHOLD };
        (t.clamp(0.01, 1.0) * f64::from(ONE)).round() as u32
    }
}

/// Everything that is known of two runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub actions: Track,
    pub thoughts: Track,
    /// Thoughts that are in the files without their text.
    pub withheld: [u32; 2],
    /// Aligned thoughts that lead to different actions: steps of the thoughts, steps of the actions.
    pub other_action: Vec<Cross>,
    /// Aligned actions that different thoughts led to.
    pub other_thought: Vec<Cross>,
    pub divergence: Option<Divergence>,
    pub rows: Vec<Row>,
}

/// A thought and the action that it led to, on both sides, as step indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cross {
    pub thoughts: [u32; 2],
    pub actions: [u32; 2],
}

/// One side, prepared.
struct Side<'a> {
    run: &'a Run,
    keys: Vec<StepKeys>,
    /// Step of each action.
    actions: Vec<u32>,
    arguments: Vec<Arguments>,
    units: units::Units,
    /// Indices into `units` of the agent's own.
    thoughts: Vec<usize>,
    /// For each action the agent's text that led to it, as an index into `thoughts`.
    led_by: Vec<Option<u32>>,
}

impl<'a> Side<'a> {
    fn new(run: &'a Run, keys: Vec<StepKeys>, numbering: &mut Numbering) -> Self {
        let units = units::units_of(run, numbering);
        let of_agent = |(i, unit): (usize, &Unit)| (unit.actor == Actor::Agent).then_some(i);
        let thoughts: Vec<usize> = units.units.iter().enumerate().filter_map(of_agent).collect();
        let calls = run.steps.iter().filter(|s| s.is_action());
        let arguments = calls.map(|s| Arguments::new(s, numbering)).collect();
        let mut out = Self { run, keys, actions: run.actions(), arguments, units, thoughts, led_by: Vec::new() };
        out.led_by = out.leads();
        out
    }

    fn thought(&self, at: u32) -> Option<&Unit> {
        self.units.units.get(*self.thoughts.get(at as usize)?)
    }

    /// The units of the agent itself.
    fn own_units(&self) -> Vec<&Unit> {
        self.thoughts.iter().filter_map(|i| self.units.units.get(*i)).collect()
    }

    /// Which thought led to which action.
    fn leads(&self) -> Vec<Option<u32>> {
        let mut thoughts = self.thoughts.iter().enumerate().filter_map(|(t, u)| {
            let unit = self.units.units.get(*u)?;
            Some((unit.step, t as u32))
        });
        let mut next = thoughts.next();
        // The last thought of each lane that has led nowhere yet.
        let mut open: Vec<Option<u32>> = vec![None; self.run.lanes.len().max(1)];
        let mut out = Vec::with_capacity(self.actions.len());
        for (i, step) in self.run.steps.iter().enumerate() {
            let mut none = None;
            let slot = open.get_mut(step.lane as usize).unwrap_or(&mut none);
            if let Some((_, thought)) = next.filter(|(at, _)| *at == i as u32) {
                *slot = Some(thought);
                next = thoughts.next();
            } else if step.is_action() {
                out.push(slot.take());
            } else if step.kind == StepKind::Person {
                *slot = None;
            }
        }
        out
    }

    fn step(&self, action: u32) -> Option<&'a Step> {
        self.run.steps.get(*self.actions.get(action as usize)? as usize)
    }

    fn key(&self, action: u32) -> Option<&StepKeys> {
        self.keys.get(action as usize)
    }
}

/// Compares two runs.
pub fn compare(left: &Run, right: &Run, params: &Params) -> Comparison {
    match order(left, right) {
        Ordering::Greater => in_order(right, left, params).mirrored(),
        _ => in_order(left, right, params),
    }
}

/// Which run is solved as the left one: decided by what they contain, so that exchanged sides give an exchanged result.
fn order(left: &Run, right: &Run) -> Ordering {
    fn call(step: &Step) -> Option<(&str, &str)> {
        step.call.as_deref().map(|c| (&*c.tool, &*c.args.raw))
    }
    fn said(step: &Step) -> Option<&str> {
        step.observation().map(|o| &*o.content.text)
    }
    left.steps.len().cmp(&right.steps.len()).then_with(|| {
        let differing = left.steps.iter().zip(&right.steps).map(|(a, b)| {
            let texts = || a.content.text.cmp(&b.content.text);
            a.kind.cmp(&b.kind).then_with(texts).then_with(|| call(a).cmp(&call(b)).then_with(|| said(a).cmp(&said(b))))
        });
        differing.into_iter().find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    })
}

fn in_order(left: &Run, right: &Run, params: &Params) -> Comparison {
    let (mut left_keys, mut right_keys) = shared_step_keys(left, right);
    let mut numbering = Numbering::default();
    notation::reconcile([(left, &mut left_keys), (right, &mut right_keys)], &mut numbering);
    let left = Side::new(left, left_keys, &mut numbering);
    let right = Side::new(right, right_keys, &mut numbering);
    let least = params.least();
    let keys = |side: &Side<'_>| side.keys.iter().map(|k| params.same.key(k)).collect::<Vec<u32>>();
    let actions = Track::exact(&keys(&left), &keys(&right), &left.actions, &right.actions);
    let thoughts = Track::soft(&left.own_units(), &right.own_units(), least);
    let (other_action, other_thought) = crosses(&left, &right, &actions, &thoughts, params.same);
    let rows = table::rows(&left, &right, &actions, &mut numbering, params);
    let divergence = divergence::first(&left, &right, &thoughts, params);
    let withheld = [left.units.withheld, right.units.withheld];
    Comparison { actions, thoughts, withheld, other_action, other_thought, divergence, rows }
}

/// Thoughts against the actions they led to.
fn crosses(
    left: &Side<'_>,
    right: &Side<'_>,
    actions: &Track,
    thoughts: &Track,
    same: Sameness,
) -> (Vec<Cross>, Vec<Cross>) {
    let led_to = |side: &Side<'_>| {
        let mut out: Vec<Option<u32>> = vec![None; side.thoughts.len()];
        for (action, thought) in side.led_by.iter().enumerate() {
            if let Some(slot) = thought.and_then(|t| out.get_mut(t as usize)) {
                *slot = Some(action as u32);
            }
        }
        out
    };
    let (left_led, right_led) = (led_to(left), led_to(right));
    let cross = |thoughts: (u32, u32), actions: (u32, u32)| {
        Some(Cross {
            thoughts: [left.thought(thoughts.0)?.step, right.thought(thoughts.1)?.step],
            actions: [*left.actions.get(actions.0 as usize)?, *right.actions.get(actions.1 as usize)?],
        })
    };
    let mut other_action = Vec::new();
    for pair in &thoughts.pairs {
        let led = |list: &[Option<u32>], at: u32| list.get(at as usize).copied().flatten();
        let (Some(a), Some(b)) = (led(&left_led, pair.left), led(&right_led, pair.right)) else { continue };
        let (x, y) = (left.key(a).map(|k| same.key(k)), right.key(b).map(|k| same.key(k)));
        if x != y {
            other_action.extend(cross((pair.left, pair.right), (a, b)));
        }
    }
    let mut other_thought = Vec::new();
    for pair in &actions.pairs {
        let led = |side: &Side<'_>, at: u32| side.led_by.get(at as usize).copied().flatten();
        let (Some(a), Some(b)) = (led(left, pair.left), led(right, pair.right)) else { continue };
        let together = thoughts.pairs.binary_search_by_key(&a, |p| p.left).ok();
        if together.and_then(|at| thoughts.pairs.get(at)).is_none_or(|p| p.right != b) {
            other_thought.extend(cross((a, b), (pair.left, pair.right)));
        }
    }
    (other_action, other_thought)
}

/// Whether two results of one call differ so much that a person would say so.
fn results_differ(left: &Side<'_>, right: &Side<'_>, pair: (u32, u32), strict: bool) -> bool {
    let (Some(a), Some(b)) = (left.key(pair.0), right.key(pair.1)) else { return false };
    if a.outcome == b.outcome {
        return false;
    }
    let (x, y) = (left.step(pair.0), right.step(pair.1));
    let status = |s: Option<&Step>| s.and_then(|s| s.call.as_deref()).map(|c| c.status);
    let known = |s: Option<CallStatus>| s.is_some_and(|s| s != CallStatus::Unknown);
    if strict || known(status(x)) && known(status(y)) && status(x) != status(y) {
        return true;
    }
    if a.observation == b.observation {
        return false;
    }
    let text = |s: Option<&Step>| s.and_then(Step::observation).map(|o| head(&o.content.text).to_owned());
    let (Some(x), Some(y)) = (text(x), text(y)) else { return true };
    let mut numbering = Numbering::default();
    match (numbering.unit(0, Actor::Tool, &x), numbering.unit(0, Actor::Tool, &y)) {
        (Some(x), Some(y)) => likeness(&x, &y) < ONE / 2,
        (x, y) => x.is_some() != y.is_some(),
    }
}

/// As much of a result as is compared by its words.
fn head(text: &str) -> &str {
    const BYTES: usize = 20_000;
    let end = (0..=BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

/// Arguments in common by arguments in all, in millionths; 0 when neither has a named argument.
fn arguments_in_common(left: &Side<'_>, right: &Side<'_>, pair: (u32, u32)) -> u32 {
    let (a, b) = (left.arguments.get(pair.0 as usize), right.arguments.get(pair.1 as usize));
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    let common = in_both(&a.values, &b.values);
    let all = a.names.len() + b.names.len() - in_both(&a.names, &b.names);
    (common * ONE as usize).checked_div(all).unwrap_or(0) as u32
}

/// How many numbers two ascending lists share.
fn in_both(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    both
}

/// The named arguments of a call: names, and names with values, as ascending numbers.
#[derive(Clone, Debug, Default)]
struct Arguments {
    names: Vec<u32>,
    values: Vec<u32>,
}

impl Arguments {
    fn new(step: &Step, numbering: &mut Numbering) -> Self {
        let entries = step.call.as_deref().and_then(|c| canonical_entries(&c.args)).unwrap_or_default();
        let mut out = Self::default();
        for (name, value) in &entries {
            out.names.push(numbering.named(name, ""));
            out.values.push(numbering.named(name, value));
        }
        out.names.sort_unstable();
        out.values.sort_unstable();
        out
    }
}

impl Comparison {
    /// The same with the sides exchanged.
    fn mirrored(mut self) -> Self {
        self.actions.mirror();
        self.thoughts.mirror();
        self.withheld.reverse();
        for cross in self.other_action.iter_mut().chain(&mut self.other_thought) {
            cross.thoughts.reverse();
            cross.actions.reverse();
        }
        if let Some(divergence) = &mut self.divergence {
            divergence.mirror();
        }
        table::mirror(&mut self.rows);
        self
    }
}
