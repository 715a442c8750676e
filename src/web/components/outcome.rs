//! How an outcome is marked and named, wherever it stands.

use super::{Icon, Words};
use crate::message::M;
use crate::report::OutcomeSummary;

/// The mark of an outcome: icon, tone, word.
pub fn outcome_word(words: Words, outcome: &OutcomeSummary) -> (Icon, &'static str, String) {
    let (which, tone, word) = match outcome.verdict.as_str() {
        "passed" => (Icon::Check, "good", M::OutcomePassed),
        "failed" => (Icon::Close, "bad", M::OutcomeFailed),
        "finished" => (Icon::Check, "", M::OutcomeFinished),
        "limit" => (Icon::Warn, "warn", M::OutcomeLimit),
        "error" => (Icon::Bad, "bad", M::OutcomeError),
        "cancelled" => (Icon::Close, "", M::OutcomeCancelled),
        _ => return (Icon::Info, "", outcome.word.clone()),
    };
    (which, tone, words.t(word).to_owned())
}
