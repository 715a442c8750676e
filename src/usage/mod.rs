//! What did a run cost, in tokens, money and time, and where? O(steps).
//!
//! Three kinds of money are kept apart, always: what the file says was **reported** as paid, what the file itself calls an
//! estimate (**by file**), and what our price table makes of the tokens (**estimated**). What nothing tells is
//! **unknown**, never 0. A turn has one kind; sums are made a kind each, and say how many turns they hold.
//!
//! * **context** of a turn: the tokens that went in, those read from a cache apart. The main agent's turns stand in the
//!   plot of the context; a sub-agent has a context of its own.
//! * **time** of a step: a call's from its start to its result (**tool**); of what the model wrote, from the end of what
//!   came before in its lane (**model**); before a person's message, **waiting**. Unknown without a clock.
//! * **what a tool cost**: a turn's tokens and money, shared equally among its calls; a turn without a call is
//!   talk. Input is sent anew with every turn: a tool that is called late costs more, and did.

mod clock;
mod prices;
mod series;
mod tools;
mod waterfall;

use std::collections::BTreeMap;

use crate::model::{CostKind, LaneId, Run, TurnId, Usage};

pub use clock::{Clock, Times};
pub use prices::{PRICES, PRICES_DATE, Price, PriceTable};
pub use series::{Bucket, series};
pub use tools::{ToolCost, tools};
pub use waterfall::{Bar, BarKind, Gap, Waterfall, waterfall};

/// What is known of the money of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cost {
    #[default]
    Unknown,
    /// US dollars, as the file says they were paid.
    Reported(f64),
    /// US dollars, as the file estimates them.
    ByFile(f64),
    /// US dollars, by the price table.
    Estimated(f64),
}

impl Cost {
    pub fn id(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Reported(_) => "reported",
            Self::ByFile(_) => "by-file",
            Self::Estimated(_) => "estimated",
        }
    }

    pub fn value(self) -> Option<f64> {
        match self {
            Self::Unknown => None,
            Self::Reported(n) | Self::ByFile(n) | Self::Estimated(n) => Some(n),
        }
    }
}

/// Sums of money, a kind each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Money {
    pub reported: Option<f64>,
    pub by_file: Option<f64>,
    pub estimated: Option<f64>,
    /// Turns in each of the sums, and those of which nothing is known.
    pub reported_turns: u32,
    pub by_file_turns: u32,
    pub estimated_turns: u32,
    pub unknown_turns: u32,
}

impl Money {
    /// Adds a share of a turn's cost; a whole turn counts as one.
    pub fn add(&mut self, cost: Cost, share: f64) {
        let (sum, turns) = match cost {
            Cost::Unknown => {
                self.unknown_turns += 1;
                return;
            }
            Cost::Reported(_) => (&mut self.reported, &mut self.reported_turns),
            Cost::ByFile(_) => (&mut self.by_file, &mut self.by_file_turns),
            Cost::Estimated(_) => (&mut self.estimated, &mut self.estimated_turns),
        };
        *sum = Some(sum.unwrap_or(0.0) + cost.value().unwrap_or(0.0) * share);
        *turns += 1;
    }

    /// The sum of all kinds, for nothing but comparing sizes.
    pub fn any(&self) -> f64 {
        [self.reported, self.by_file, self.estimated].into_iter().flatten().sum()
    }
}

/// One turn of a model with where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnUse {
    pub turn: TurnId,
    pub lane: LaneId,
    /// Its first step and its last; turns without a step are not listed.
    pub first: u32,
    pub last: u32,
    pub steps: u32,
    pub calls: u32,
    pub model: Option<u16>,
    pub usage: Usage,
    pub cost: Cost,
}

/// The turns of a run in order of their first step, each with its cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    pub turns: Vec<TurnUse>,
    /// The whole run's money: that of the turns, or of the file's totals when no turn has one.
    pub money: Money,
    /// The file's totals stand for the turns, which state nothing.
    pub from_totals: bool,
}

/// Reads the turns of a run, with `prices` for those whose cost the file does not state.
pub fn ledger(run: &Run, prices: &PriceTable) -> Ledger {
    let mut at: BTreeMap<TurnId, usize> = BTreeMap::new();
    let mut out = Ledger::default();
    for (step, index) in run.steps.iter().zip(0u32..) {
        let Some((id, turn)) = step.turn.and_then(|t| Some((t, run.turns.get(t as usize)?))) else { continue };
        let next = out.turns.len();
        let place = *at.entry(id).or_insert(next);
        if place == next {
            let model = turn.model.and_then(|m| run.models.get(m as usize));
            out.turns.push(TurnUse {
                turn: id,
                lane: turn.lane,
                first: index,
                last: index,
                steps: 0,
                calls: 0,
                model: turn.model,
                cost: cost_of(&turn.usage, model.map(String::as_str), prices),
                usage: turn.usage.clone(),
            });
        }
        if let Some(entry) = out.turns.get_mut(place) {
            entry.last = index;
            entry.steps += 1;
            entry.calls += u32::from(step.is_action());
        }
    }
    for turn in &out.turns {
        out.money.add(turn.cost, 1.0);
    }
    if let Some(totals) = &run.totals {
        let of_turns = out.money;
        let silent = out.turns.iter().all(|t| t.usage.is_empty());
        if totals.cost.is_some() {
            // The file's own sum wins over ours; it speaks for all turns.
            let cost = cost_of(totals, None, prices);
            out.money = Money { estimated: None, estimated_turns: 0, ..Money::default() };
            out.money.add(cost, 1.0);
            let turns = (out.turns.len() as u32).max(1);
            match cost {
                Cost::ByFile(_) => out.money.by_file_turns = turns,
                _ => out.money.reported_turns = turns,
            }
            out.from_totals = silent;
        } else if silent && of_turns.any() == 0.0 {
            let only = match run.models.as_slice() {
                [one] => Some(one.as_str()),
                _ => None,
            };
            out.money = Money::default();
            out.money.add(cost_of(totals, only, prices), 1.0);
            out.from_totals = !totals.is_empty();
        }
    }
    out
}

/// What is known of the cost of some usage.
fn cost_of(usage: &Usage, model: Option<&str>, prices: &PriceTable) -> Cost {
    match (usage.cost, usage.cost_kind) {
        (Some(cost), CostKind::Reported) => Cost::Reported(cost),
        (Some(cost), CostKind::Estimated) => Cost::ByFile(cost),
        (None, _) => {
            model.and_then(|m| prices.find(m)).and_then(|price| price.of(usage)).map_or(Cost::Unknown, Cost::Estimated)
        }
    }
}

/// What each model was asked and cost, in order of first use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelUse {
    pub model: Option<u16>,
    pub turns: u32,
    /// Turns that state their tokens.
    pub known_turns: u32,
    pub usage: Usage,
    pub money: Money,
}

impl Ledger {
    /// Sums by model.
    pub fn models(&self) -> Vec<ModelUse> {
        let mut out: Vec<ModelUse> = Vec::new();
        let mut at: BTreeMap<Option<u16>, usize> = BTreeMap::new();
        for turn in &self.turns {
            let next = out.len();
            let place = *at.entry(turn.model).or_insert(next);
            if place == next {
                out.push(ModelUse { model: turn.model, ..ModelUse::default() });
            }
            if let Some(entry) = out.get_mut(place) {
                entry.turns += 1;
                entry.known_turns += u32::from(turn.usage.input.is_some() || turn.usage.output.is_some());
                entry.usage = entry.usage.plus(&turn.usage);
                entry.money.add(turn.cost, 1.0);
            }
        }
        out
    }
}
