//! What every importer makes and every analysis reads. No behaviour but invariants and the keys of sameness.
//!
//! A [`Run`] is a list of [`Step`]s in display order. A step is what one person, agent or tool did: a call
//! is fused with its observation, so that nobody pairs twice. Model turns ([`Turn`]) carry the usage, and
//! sub-agents are [`Lane`]s whose steps stand right behind the call that started them.
//! ARCHITECTURE.md says how the parts of the house use it.

mod finding;
mod key;
mod lanes;
mod lcs;
#[doc(hidden)]
pub mod notation;
mod report;
mod run;
mod skill;
mod tandem;
mod telling;
mod time;
mod usage;

pub use finding::{Finding, Place, RULES, Rule, Severity, rule};
pub use key::{
    Effect, Key, StepKeys, canonical_args, canonical_entries, canonical_value, common_keys, effect_class, fingerprint,
    shared_step_keys, step_keys,
};
pub use lanes::{LaneTree, Repeat};
pub(crate) use lcs::all_set;
pub use lcs::{IndexPair, lcs, lcs_of_relation, lcs_within};
pub use report::{BadLine, FormatAnswer, ImportReport, Note, Refusal, Repair};
pub use run::{
    Actor, Agent, Args, ArgsForm, Call, CallStatus, Content, Lane, LaneId, MAX_SKILLS, Media, Observation, Outcome,
    Run, Span, Spawn, Step, StepKind, Turn, TurnId, Verdict, Wanted,
};
pub use skill::{Access, Capability, Skill, SkillSource};
pub use tandem::{Tandem, max_period, tandem_runs};
pub use telling::{Telling, telling};
pub use time::{Time, parse_epoch, parse_time};
pub use usage::{CostKind, Usage};
