//! The shapes of the judge: what the user sets, what will be sent, requests without their key, and a judgement.
//!
//! Plain data, as in [`super::shape`]. Sentences are ids of the message table with their values; steps count from 0,
//! unknown is `None`. Tokens are estimates until a server has counted them, dollars follow from the user's prices.

use serde::Serialize;

use super::skill::Sentence;

/// An interface that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeApi {
    pub id: String,
    pub label: String,
    /// Its usual address.
    pub base: String,
    /// The header that carries the key, and what stands before the key in it.
    pub key_header: String,
    pub key_prefix: String,
}

/// What the form begins with.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeForm {
    pub apis: Vec<JudgeApi>,
    /// The built-in questions, as a text to edit.
    pub rubric: String,
    /// Kinds of values that can be replaced.
    pub kinds: Vec<String>,
    /// The last judgement of this run, when there is one, and how many there are.
    pub judged: Option<JudgeView>,
    pub judgements: u32,
}

/// What the user set.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeSetup {
    pub api: String,
    pub base: String,
    pub model: String,
    /// `rubric`, `pairwise`, `localise` or `taxonomy`.
    pub mode: String,
    pub rubric: String,
    pub samples: u32,
    /// Tokens: of an answer at most, and of the model's window.
    pub max_output: u32,
    pub context: u32,
    /// US dollars a million tokens.
    pub price_in: Option<f64>,
    pub price_out: Option<f64>,
    /// US dollars.
    pub cap: Option<f64>,
    /// Seconds without a sign of life after which a request has failed.
    pub patience_s: u32,
    /// The page's random number.
    pub nonce: String,
    /// Kinds of values that are replaced, and names that are.
    pub kinds: Vec<String>,
    pub names: Vec<String>,
}

/// How much of a run is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct JudgeCoverage {
    pub steps: u32,
    pub shown: u32,
    pub folded: u32,
    pub cut: u32,
    /// Of the characters, as they stand.
    pub share: f64,
}

/// Text in a run that addresses its judge.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeHit {
    /// 0: the run itself, 1: the one that it is compared with.
    pub run: u8,
    pub step: u32,
    pub text: String,
}

/// What will be sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgePlan {
    /// The number to begin it by.
    pub judge: u32,
    pub host: String,
    pub requests: u32,
    /// All requests together.
    pub bytes: u64,
    /// Requests that need not be made, since their answers are here.
    pub kept: u32,
    /// Parts in which a long run is read; 0: it is sent whole.
    pub parts: u32,
    /// Tokens, from and to.
    pub input: (f64, f64),
    pub output: (f64, f64),
    /// Dollars, from and to; `None` without prices.
    pub cost: Option<(f64, f64)>,
    pub cap: Option<f64>,
    /// Even the least that it can cost is more than the limit.
    pub over_cap: bool,
    pub replaced: u32,
    pub kinds: Vec<(String, u32)>,
    pub coverage: Vec<JudgeCoverage>,
    pub hits: Vec<JudgeHit>,
    /// Lines of the first request, for the preview.
    pub lines: u32,
}

/// A window of the preview.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgePreview {
    /// From 0, of how many requests that are known yet.
    pub request: u32,
    pub requests: u32,
    pub url: String,
    /// The headers without the key.
    pub headers: Vec<(String, String)>,
    pub from: u32,
    pub total: u32,
    /// Pieces of lines; true: a placeholder.
    pub lines: Vec<Vec<(bool, String)>>,
}

/// A request to make. The page adds the key and sends it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeSend {
    pub request: u32,
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub after_ms: u32,
    /// Without a sign of life.
    pub timeout_ms: u32,
    /// Sent without a key and without a look at the answer: only whether somebody is there.
    pub opaque: bool,
    pub key_header: String,
    pub key_prefix: String,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct JudgeProgress {
    pub done: u32,
    pub of: u32,
    pub requests: u32,
    pub retries: u32,
    pub bytes: u64,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgeGot {
    /// Any status; the body as text. `retry_after`: seconds, where the server lets the page read it.
    Answer {
        status: u16,
        body: String,
        retry_after: Option<f64>,
    },
    Network,
    Timeout,
    TooLarge,
    Stopped,
    Off,
}

/// What is the matter with an endpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeDiagnosis {
    pub good: bool,
    pub what: Sentence,
    pub fix: Sentence,
    /// Lines to paste, each with what it is for.
    pub paste: Vec<(String, String)>,
    pub detail: String,
    pub models: Vec<String>,
}

/// A quote that was looked up.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeQuote {
    pub run: u8,
    /// `None`: the run has no step of this number.
    pub step: Option<u32>,
    pub quote: String,
    pub found: bool,
    /// It stands there, in text that addresses the judge.
    pub planted: bool,
    /// What the step is, when the quote is not in it.
    pub what: String,
    /// The step in which it does stand.
    pub elsewhere: Option<u32>,
}

/// One row of a judgement.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeRow {
    pub criterion: String,
    pub title: String,
    /// `counted`, `struck`, `open` or `missing`.
    pub state: String,
    /// `yes`, `no`, `na`, `unclear`; `A`, `B`, `tie`; a step's number from 1, `0` for none.
    pub value: Option<String>,
    /// Share of yes among yes and no.
    pub share: Option<f64>,
    /// Each sample that was not struck: 1 for yes, 0 for no.
    pub points: Vec<f64>,
    /// Samples that say the same, of how many.
    pub same: u32,
    pub of: u32,
    pub unstable: bool,
    pub sensitive: bool,
    pub order_dependent: bool,
    pub reasoning: String,
    pub quotes: Vec<JudgeQuote>,
    pub agent: String,
    pub error: String,
    /// What a person said.
    pub label: Option<String>,
}

/// A judgement.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeView {
    /// RFC 3339.
    pub at: String,
    pub mode: String,
    pub host: String,
    pub model: String,
    /// Name and version.
    pub rubric: (String, u32),
    /// The rubric's text: labels belong to it.
    pub rubric_text: String,
    pub samples: u32,
    pub score: Option<f64>,
    pub spread: Option<f64>,
    pub counted: u32,
    pub left_out: u32,
    pub rows: Vec<JudgeRow>,
    /// Tone (`warn`, `bad` or empty) and sentence: what else is to be known.
    pub notes: Vec<(String, Sentence)>,
    /// Failures, each with what to do and the server's own words; equal ones once, with their number.
    pub failures: Vec<JudgeFailure>,
    pub summary: String,
    pub requests: u32,
    pub bytes: u64,
    /// Tokens, as far as the server told them; `None` when it told none.
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cost: Option<(f64, f64)>,
}

/// What went wrong with some requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeFailure {
    pub what: Sentence,
    pub fix: Sentence,
    pub detail: String,
    pub times: u32,
}

/// A statistic with the middle 95 % of its bootstrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct JudgeStatistic {
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// Labels of a run by people, and how far the judge agrees with people in all runs that are open.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeLabels {
    /// Criterion and label.
    pub labels: Vec<(String, String)>,
    /// Id and title of each criterion of the rubric.
    pub criteria: Vec<(String, String)>,
    pub n: u32,
    pub runs: u32,
    pub same: u32,
    /// Fewest verdicts for which there are statistics.
    pub fewest: u32,
    pub kappa: Option<JudgeStatistic>,
    pub alpha: Option<JudgeStatistic>,
    pub ac1: Option<JudgeStatistic>,
}
