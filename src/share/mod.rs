//! What leaves the page on purpose, and what must not leave with it.
//!
//! * [`secrets`]: what in a text looks secret or personal.
//! * [`views`]: the ways in which the same text can be written: escaped, percent-encoded, as base64.
//! * [`redact`]: placeholders for it, the same for the same value everywhere, and the proof that nothing is left.
//! * [`choices`]: which parts of which runs go out, emptied and redacted.
//! * [`container`]: how an analysis page carries them, and how they are read from it.
//! * [`markdown`]: steps for a language model, within a budget.
//! * [`page`]: what of them is in the page as plain HTML.

pub mod choices;
pub mod container;
pub mod markdown;
pub mod page;
pub mod redact;
pub mod secrets;
pub mod views;

pub use redact::{Policy, Redactor, Secret, survey};
pub use secrets::{Found, Kind, scan};
