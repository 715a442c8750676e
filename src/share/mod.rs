//! What leaves the page on purpose, and what must not leave with it.
//!
//! * [`secrets`]: what in a text looks secret or personal.
//! * [`views`]: the ways in which the same text can be written: escaped, percent-encoded, as base64.
//! * [`redact`]: placeholders for it, the same for the same value everywhere, and the proof that nothing is left.

pub mod redact;
pub mod secrets;
pub mod views;

pub use redact::{Policy, Redactor, Secret, survey};
pub use secrets::{Found, Kind, scan};
