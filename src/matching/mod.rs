//! A run against a reference: did it call what it should have called?
//!
//! <!-- definition -->
//! ## The sides
//!
//! The reference is another run, or the calls that a data set carries with each run (`carried`). There may be several;
//! then the best counts, and it is named. A call *satisfies* a reference call when the tool is the same and the
//! arguments agree by the tool's rule:
//!
//! | rule | the run's arguments |
//! |---|---|
//! | `exact` | are the reference's, in canonical form (the default) |
//! | `ignore` | do not count |
//! | `ref_subset` | have all that the reference's have, and may have more |
//! | `out_subset` | have nothing that the reference's do not have |
//! | `keys:a,b` | agree in these |
//! | `ignore:a,b` | agree in all but these |
//! | `like:name=a*b` | have this form in one argument, `*` for any characters, and agree in the others |
//! | `within:name=0.01` | differ by no more in this number, and agree in the others |
//!
//! The direction is named from the run's side and is the same in every mode. Patterns have `*` and no regular
//! expressions: nothing in a file or a link can make one that takes for ever.
//!
//! ## Classes of tools
//!
//! `read` looks, `effect` changes something, `control` hands over to a person, submits, ends or asks. The class
//! comes from the tool's name, for shells from the line; it can be set for each tool. `unknown` counts as `effect`, and the result says how many
//! such calls there were.
//!
//! ## Modes
//!
//! With n calls of the run, m of the reference, and M pairs in a maximum matching:
//!
//! | mode | passes when | score |
//! |---|---|---|
//! | `exact` | the same calls in the same order; calls issued together in any | 2·LCS / (n + m) |
//! | `in_order` | the reference is a subsequence of the run | LCS / m |
//! | `any_order` | every reference call is satisfied: M = m | M / m |
//! | `subset` | the run did nothing else: M = n | M / n |
//! | `unordered` | both: M = n = m | 2·M / (n + m) |
//! | `effects` | `unordered` over the calls of class `effect` that did not fail (the default) | 2·M / (n + m) |
//! | `effects_in_order` | the same, and in order for each resource | 2·LCS / (n + m), by resource |
//! | `dfg_fit` | every step from tool to tool occurs in some reference | share of the steps |
//!
//! The resource of an effect is its argument `path`, `file_path`, `filename`, `file`, `url` or `uri`, else the first one by name that
//! ends in `_id`; calls without one are one resource together. Where the reference is a run, calls issued together
//! must have been issued together in both for `exact`; carried references do not say, and any grouping will do.
//!
//! A reference call of an *optional* tool may be missing and may be there. A call of a *forbidden* tool fails the run in
//! every mode. With *answers*, the run's texts must also contain each of them.
//!
//! ## Figures
//!
//! Over the calls that the mode looks at: `precision` = M / n, `recall` = M / m (unknown when there are none to find),
//! `f1` = 2·M / (n + m), `lcs_ratio`, `edit_distance` (insert and delete, each 1). `wrong_args` are calls of the
//! right tool with other arguments, paired by the most arguments in common; they are not listed as `missing` and
//! `extra` again. `reordered` are pairs outside the longest run of pairs in order.
//!
//! Where the file says how the run ended (a reward, passed or failed), the verdicts of all runs are compared with it:
//! accuracy and Cohen's kappa, the agreement beyond chance (unknown when chance alone agrees in everything).
//!
//! An effect that nobody sees in the calls, a wrong sentence to the person for instance, is beyond all these
//! modes; answers help there. What these figures are worth was measured on one data set of one domain.
//! <!-- /definition -->
//!
//! Cost: O(n + m) where rules have classes, else O(E·√V); see [`graph`]. Source: metrics, section 5.

mod args;
mod graph;
mod modes;
mod summary;

use crate::model::{CallStatus, Effect, Run, StepKind, Wanted, effect_class};

pub use args::{ArgRule, Canon, Differing, Field};
pub use modes::{Mode, Verdict, WrongArgs, match_run};
pub use summary::{Confusion, confusion, truth};

/// One call of either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub tool: String,
    pub args: Canon,
    pub effect: Effect,
    pub failed: bool,
    /// Calls issued together share a number; others have their own.
    pub group: u32,
    /// The step in the run; `None` for a carried reference.
    pub step: Option<u32>,
    pub optional: bool,
}

/// What the run should have done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// How it is called in the result.
    pub name: String,
    pub items: Vec<Item>,
    /// Whether it says which calls were issued together.
    pub grouped: bool,
}

/// What the person can set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Classes set by hand, by tool.
    pub classes: Vec<(String, Effect)>,
    /// Argument rules by tool; `*` for all others.
    pub rules: Vec<(String, ArgRule)>,
    pub optional: Vec<String>,
    pub forbidden: Vec<String>,
    /// Texts that the run must say.
    pub answers: Vec<String>,
}

impl Options {
    /// The rule of a tool.
    pub fn rule(&self, tool: &str) -> ArgRule {
        let of = |name: &str| {
            let mut rules = self.rules.iter().filter(|(t, _)| t == name).map(|(_, r)| r.clone());
            let first = rules.next()?;
            Some(rules.fold(first, ArgRule::and))
        };
        of(tool).or_else(|| of("*")).unwrap_or_default()
    }

    fn class(&self, tool: &str) -> Option<Effect> {
        self.classes.iter().rev().find(|(t, _)| t == tool).map(|(_, e)| *e)
    }
}

/// The calls of a run.
pub fn items_of(run: &Run, options: &Options) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    let mut groups: Vec<Option<u32>> = Vec::new();
    for (i, step) in run.steps.iter().enumerate() {
        let Some(call) = step.call.as_deref() else { continue };
        let together = step.batch.is_some() && groups.last() == Some(&step.batch);
        let group = out.last().map_or(0, |last| if together { last.group } else { last.group + 1 });
        groups.push(step.batch);
        out.push(Item {
            tool: call.tool.to_string(),
            args: Canon::new(&call.args),
            effect: options.class(&call.tool).unwrap_or_else(|| effect_class(&call.tool, &call.args)),
            failed: call.status == CallStatus::Error,
            group,
            step: Some(i as u32),
            optional: options.optional.iter().any(|t| **t == *call.tool),
        });
    }
    out
}

/// A run as reference.
pub fn reference_run(name: &str, run: &Run, options: &Options) -> Reference {
    Reference { name: name.to_owned(), items: items_of(run, options), grouped: true }
}

/// The reference that a run carries.
pub fn carried(run: &Run, options: &Options) -> Reference {
    let item = |(i, wanted): (usize, &Wanted)| Item {
        tool: wanted.tool.to_string(),
        args: Canon::new(&wanted.args),
        effect: options.class(&wanted.tool).unwrap_or_else(|| effect_class(&wanted.tool, &wanted.args)),
        failed: false,
        group: i as u32,
        step: None,
        optional: options.optional.iter().any(|t| **t == *wanted.tool),
    };
    let items = run.reference.iter().enumerate().map(item).collect();
    Reference { name: "carried".into(), items, grouped: false }
}

/// What a run said to the person, folded for comparison: lower case, single spaces, no commas inside numbers.
pub fn said(run: &Run) -> String {
    let texts = run.steps.iter().filter(|s| s.kind == StepKind::Say).map(|s| s.content.text.as_ref());
    folded(&texts.collect::<Vec<_>>().join("\n"))
}

fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars: Vec<char> = words.chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
    let keep =
        |(i, c): (usize, &char)| (*c != ',' || !digit(i.checked_sub(1)) || !digit(i.checked_add(1))).then_some(*c);
    chars.iter().enumerate().filter_map(keep).collect()
}

/// The answers that a run did not give.
pub fn missing_answers(run: &Run, options: &Options) -> Vec<String> {
    if options.answers.is_empty() {
        return Vec::new();
    }
    let said = said(run);
    options.answers.iter().filter(|a| !said.contains(&folded(a))).cloned().collect()
}
