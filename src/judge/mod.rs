//! What a model is asked about a run, and what its answer is worth. Pure values: no request is made here.
//!
//! In the order in which a judgement comes about:
//! * [`evidence`]: the run as lines that a model can quote, redacted, with what is invisible made visible.
//! * [`inject`]: text in the run that addresses its judge.
//! * [`shrink`]: what is left out of long runs, by rule, and what share that is.
//! * [`rubric`]: the questions, editable and versioned; the failure modes of MAST are one such list.
//! * [`prompt`]: the words around the run, and the shape of the answer.
//! * [`provider`]: requests and answers of five interfaces.
//! * [`cost`]: tokens and money, as a range.
//! * [`plan`]: which requests a judgement is made of.
//! * [`session`]: which request is next, what is tried again, when it ends.
//! * [`answer`]: what a model said, as values; [`verdict`]: whether its quotes are there, and the score.
//! * [`doctor`]: why an endpoint does not answer, and what to do about it.
//! * [`store`]: judgements and labels as they are kept and exported.
//! * [`agreement`]: how far a judge and people agree, with intervals.

pub mod agreement;
pub mod answer;
pub mod cost;
pub mod doctor;
pub mod evidence;
pub mod inject;
pub mod plan;
pub mod prompt;
pub mod provider;
pub mod rubric;
pub mod session;
pub mod shrink;
pub mod store;
pub mod verdict;

use sha2::{Digest, Sha256};

/// The first `digits` hexadecimal digits of SHA-256 over the parts, each ended by U+0000.
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a str>, digits: usize) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let mut out: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    out.truncate(digits);
    out
}
