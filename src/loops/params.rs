//! The thresholds of the detectors: one table with names, defaults and limits, so that page, command line and docs can
//! show and change them without knowing a detector. O(1).

/// Thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// D1, D1w: rounds.
    pub rounds: u32,
    /// D1, D1w: calls in a round, at most.
    pub longest_period: u32,
    /// D2, D2g: tries.
    pub tries: u32,
    /// D2g: other calls between two tries, at most. 0 switches it off.
    pub gap: u32,
    /// D3: reads.
    pub reads: u32,
    /// D4: calls.
    pub cosmetic: u32,
    /// D5: failures.
    pub failures: u32,
    /// D5: failures from which on even those that were overcome are a loop.
    pub overcome: u32,
    /// D6: reversals.
    pub reversals: u32,
    /// D7: messages.
    pub messages: u32,
    /// D7: how alike they are, from 0 to 1.
    pub alike: f64,
    /// D8: rounds.
    pub thoughts: u32,
    /// D8: how alike thoughts of one cluster are, from 0 to 1.
    pub clustered: f64,
    /// D9: occurrences.
    pub chants: u32,
    /// D10: compactions.
    pub compactions: u32,
    /// D10: calls from the first of them to the last, at most.
    pub compacted: u32,
    /// D10: compactions with nothing between them.
    pub idle: u32,
    /// D11: calls.
    pub repeat: u32,
}

/// One line of the table of thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// As in jobs and exports; the sentence is `param.<id>`.
    pub id: &'static str,
    /// The detectors that use it.
    pub detectors: &'static str,
    pub default: f64,
    pub min: f64,
    pub max: f64,
    pub step: f64,
}

const fn count(id: &'static str, detectors: &'static str, default: u32, min: u32, max: u32) -> Threshold {
    Threshold { id, detectors, default: default as f64, min: min as f64, max: max as f64, step: 1.0 }
}

const fn share(id: &'static str, detectors: &'static str, default: f64) -> Threshold {
    Threshold { id, detectors, default, min: 0.3, max: 1.0, step: 0.05 }
}

/// Every threshold, in the order of the detectors.
pub const THRESHOLDS: &[Threshold] = &[
    count("rounds", "D1, D1w", 3, 2, 20),
    count("longest-period", "D1, D1w", 64, 1, 64),
    count("tries", "D2, D2g", 3, 2, 20),
    count("gap", "D2g", 4, 0, 20),
    count("reads", "D3", 3, 2, 20),
    count("cosmetic", "D4", 4, 2, 20),
    count("failures", "D5", 4, 2, 30),
    count("overcome", "D5", 6, 2, 30),
    count("reversals", "D6", 2, 1, 10),
    count("messages", "D7", 3, 2, 20),
    share("alike", "D7", 0.85),
    count("thoughts", "D8", 3, 2, 20),
    share("clustered", "D8", 0.6),
    count("chants", "D9", 10, 3, 30),
    count("compactions", "D10", 3, 2, 20),
    count("compacted", "D10", 10, 1, 50),
    count("idle", "D10", 10, 2, 30),
    count("repeat", "D11", 4, 2, 30),
];

impl Default for Params {
    fn default() -> Self {
        Self {
            rounds: 3,
            longest_period: 64,
            tries: 3,
            gap: 4,
            reads: 3,
            cosmetic: 4,
            failures: 4,
            overcome: 6,
            reversals: 2,
            messages: 3,
            alike: 0.85,
            thoughts: 3,
            clustered: 0.6,
            chants: 10,
            compactions: 3,
            compacted: 10,
            idle: 10,
            repeat: 4,
        }
    }
}

impl Params {
    /// The value of a threshold.
    pub fn get(&self, id: &str) -> Option<f64> {
        let mut copy = *self;
        copy.slot(id).map(|slot| match slot {
            Slot::Count(n) => f64::from(*n),
            Slot::Share(x) => *x,
        })
    }

    /// Sets a threshold, held within its limits. False when there is no such threshold, or the value is no number.
    pub fn set(&mut self, id: &str, value: f64) -> bool {
        let Some(line) = THRESHOLDS.iter().find(|t| t.id == id).filter(|_| value.is_finite()) else { return false };
        let value = value.clamp(line.min, line.max);
        match self.slot(id) {
            Some(Slot::Count(n)) => *n = value.round() as u32,
            Some(Slot::Share(x)) => *x = value,
            None => return false,
        }
        true
    }

    fn slot(&mut self, id: &str) -> Option<Slot<'_>> {
        Some(match id {
            "rounds" => Slot::Count(&mut self.rounds),
            "longest-period" => Slot::Count(&mut self.longest_period),
            "tries" => Slot::Count(&mut self.tries),
            "gap" => Slot::Count(&mut self.gap),
            "reads" => Slot::Count(&mut self.reads),
            "cosmetic" => Slot::Count(&mut self.cosmetic),
            "failures" => Slot::Count(&mut self.failures),
            "overcome" => Slot::Count(&mut self.overcome),
            "reversals" => Slot::Count(&mut self.reversals),
            "messages" => Slot::Count(&mut self.messages),
            "alike" => Slot::Share(&mut self.alike),
            "thoughts" => Slot::Count(&mut self.thoughts),
            "clustered" => Slot::Share(&mut self.clustered),
            "chants" => Slot::Count(&mut self.chants),
            "compactions" => Slot::Count(&mut self.compactions),
            "compacted" => Slot::Count(&mut self.compacted),
            "idle" => Slot::Count(&mut self.idle),
            "repeat" => Slot::Count(&mut self.repeat),
            _ => return None,
        })
    }
}

enum Slot<'a> {
    Count(&'a mut u32),
    Share(&'a mut f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_threshold_can_be_read_and_set() {
        let mut params = Params::default();
        for line in THRESHOLDS {
            assert_eq!(params.get(line.id), Some(line.default), "{}", line.id);
            assert!(params.set(line.id, line.max) && params.get(line.id) == Some(line.max), "{}", line.id);
            assert!(params.set(line.id, -1.0) && params.get(line.id) == Some(line.min), "{}", line.id);
            assert!(params.set(line.id, line.default), "{}", line.id);
        }
        assert_eq!(params, Params::default());
        assert!(!params.set("rounds", f64::NAN) && !params.set("speed", 1.0));
    }
}
