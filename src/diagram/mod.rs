//! A run as a mermaid sequence diagram.
//!
//! | in the run | in the diagram |
//! |---|---|
//! | a person's message | `user ->> agent` |
//! | text of the agent | `agent ->> user`, or a note where no person speaks |
//! | a call and its observation | `agent ->>+ tool`, `tool -->>- agent`; `--x` when it failed |
//! | an observation without a call | `tool -->> agent` |
//! | calls issued together | `par`, `and`, `end` |
//! | a loop | `loop` with its first round; the title says how often, and which steps |
//! | a sub-agent | a participant of its own; its steps stand between the call and its observation |
//! | a thought | a note, when asked for |
//! | a compaction, a notice | a note |
//! | steps that the filter leaves out | a note with how many |
//! | prompts, injected texts, raw records, empty texts | nothing; counted |
//!
//! Ids are `p0`, `p1`, … in order of first use, names stand in the alias only, and every text is escaped ([`escape`]).
//! An activation is written only when call and observation are on the same page; a call's observation, or
//! what its sub-agent did, stands right behind it, so activations nest. `create` and `destroy` are not used: mermaid refuses
//! the whole diagram when the creating message is not the very next one, and a page may begin anywhere.
//! A page has at most [`Options::max_messages`] arrows, as many notes, and [`MAX_UNITS`] UTF-16 units (mermaid draws nothing
//! above 50,000). Blocks that are open at the end of a page are closed and opened again on the next.
//! The same run and options give the same text. O(n) for n steps, plus the lengths of labels.
//! Source: measurements on mermaid 12.3 in Chromium.

mod escape;
mod label;
mod sequence;

pub use escape::{escape, label as short};
pub use label::{call_label, result_label};
pub use sequence::sequence;

use std::collections::BTreeSet;

use crate::model::Repeat;

/// UTF-16 units of a page, at most.
pub const MAX_UNITS: usize = 45_000;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// First step, and the one behind the last; `None` is the whole run.
    pub range: Option<(u32, u32)>,
    /// The stretches to fold; empty draws everything.
    pub folds: &'a [Repeat],
    /// Steps to draw; the others become a note. `None` draws all.
    pub keep: Option<&'a BTreeSet<u32>>,
    /// Say what calls were given and what came back, not only that.
    pub arguments: bool,
    pub thoughts: bool,
    /// Arrows of a page, at most; so many notes, too.
    pub max_messages: usize,
    /// From 0; beyond the last it is the last.
    pub page: u32,
    /// Title for those who do not see the picture.
    pub title: Option<&'a str>,
    pub words: Words,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            range: None,
            folds: &[],
            keep: None,
            arguments: true,
            thoughts: false,
            max_messages: 100,
            page: 0,
            title: None,
            words: Words::default(),
        }
    }
}

/// The diagram's own words, with placeholders in braces; English by default.
#[derive(Clone, Debug)]
pub struct Words {
    pub user: String,
    pub agent: String,
    pub environment: String,
    /// `{times}`, `{from}`, `{to}`
    pub repeated: String,
    /// `{from}`, `{to}`, `{steps}`
    pub folded: String,
    /// `{calls}`
    pub parallel: String,
    pub compaction: String,
    /// Behind the title of a block that began on an earlier page.
    pub continued: String,
}

impl Default for Words {
    fn default() -> Self {
        let word = str::to_owned;
        Self {
            user: word("User"),
            agent: word("Agent"),
            environment: word("Environment"),
            repeated: word("{times} times, {from}–{to}"),
            folded: word("{from}–{to} folded, {steps} steps"),
            parallel: word("{calls} calls at once"),
            compaction: word("compacted"),
            continued: word("continued"),
        }
    }
}

/// One arrow, in order of emission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub step: u32,
    /// Ids of the participants.
    pub from: String,
    pub to: String,
}

/// A line of the diagram as a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub step: Option<u32>,
    pub kind: ItemKind,
    /// Names of the participants; empty for blocks, `to` empty for notes.
    pub from: String,
    pub to: String,
    /// As it was before escaping.
    pub text: String,
    pub failed: bool,
    /// How many blocks it is inside.
    pub depth: u32,
}

/// What a line of the list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Message,
    Result,
    Note,
    Loop,
    Parallel,
}

impl ItemKind {
    pub fn id(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Result => "result",
            Self::Note => "note",
            Self::Loop => "loop",
            Self::Parallel => "parallel",
        }
    }
}

/// What became of the steps that have neither arrow nor note on this page. With [`Diagram::shown`] they add up to
/// [`Diagram::steps`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Later rounds of a folded loop.
    pub in_loops: u32,
    /// Steps that the filter left out.
    pub by_filter: u32,
    /// Steps that are drawn on another page.
    pub elsewhere: u32,
    /// Thoughts that were not asked for, prompts, injected texts, raw records, empty texts.
    pub not_drawn: u32,
}

/// A page of a diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// Mermaid source.
    pub text: String,
    pub arrows: Vec<Arrow>,
    /// The step of each note, in order of emission; `None` for notes that stand for many steps.
    pub notes: Vec<Option<u32>>,
    pub list: Vec<Item>,
    /// The participants of the page as (id, name).
    pub participants: Vec<(String, String)>,
    pub page: u32,
    pub pages: u32,
    /// Steps of the range.
    pub steps: u32,
    /// Those with an arrow or a note of their own on this page.
    pub shown: u32,
    pub left_out: LeftOut,
}
