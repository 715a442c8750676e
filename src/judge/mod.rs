//! What a model is asked about a run, and what its answer is worth. Pure values: no request is made here.
//!
//! * [`agreement`]: how far a judge and people agree, with intervals.

pub mod agreement;
