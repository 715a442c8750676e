//! Tokens and money. Unknown is `None`, never 0.

/// Where a cost comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CostKind {
    /// The file says that this was paid.
    #[default]
    Reported,
    /// Somebody's price table, the file's own included.
    Estimated,
}

/// Usage of a turn or a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// All tokens that went in, those read from or written to a cache included.
    pub input: Option<u64>,
    pub output: Option<u64>,
    /// The part of `input` that was read from a cache.
    pub cached: Option<u64>,
    /// The part of `input` that was written to a cache.
    pub cache_write: Option<u64>,
    /// The part of `output` that was reasoning.
    pub reasoning: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
    pub cost_kind: CostKind,
}

impl Usage {
    /// True when nothing is known.
    pub fn is_empty(&self) -> bool {
        self.input.is_none() && self.output.is_none() && self.cached.is_none() && self.cost.is_none()
    }

    /// The sum; a part that only one side knows is that side's.
    pub fn plus(&self, other: &Usage) -> Usage {
        fn add(a: Option<u64>, b: Option<u64>) -> Option<u64> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a.saturating_add(b)),
                (a, b) => a.or(b),
            }
        }
        let estimated = |u: &Usage| u.cost.is_some() && u.cost_kind == CostKind::Estimated;
        Usage {
            input: add(self.input, other.input),
            output: add(self.output, other.output),
            cached: add(self.cached, other.cached),
            cache_write: add(self.cache_write, other.cache_write),
            reasoning: add(self.reasoning, other.reasoning),
            cost: match (self.cost, other.cost) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            },
            cost_kind: if estimated(self) || estimated(other) { CostKind::Estimated } else { CostKind::Reported },
        }
    }

    /// What this knows, and what only `other` knows.
    pub fn or(&self, other: &Usage) -> Usage {
        let (cost, cost_kind) =
            if self.cost.is_some() { (self.cost, self.cost_kind) } else { (other.cost, other.cost_kind) };
        Usage {
            input: self.input.or(other.input),
            output: self.output.or(other.output),
            cached: self.cached.or(other.cached),
            cache_write: self.cache_write.or(other.cache_write),
            reasoning: self.reasoning.or(other.reasoning),
            cost,
            cost_kind,
        }
    }
}
