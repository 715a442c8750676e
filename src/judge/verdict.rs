//! Whether a model's quotes are there, and what its verdicts come to.
//!
//! A verdict that has no quote which stands in its step is struck out and left out of the score; so is one whose only
//! quotes are text that addresses the judge. Samples vote; where fewer than two thirds agree the row is unstable. Where
//! a run addresses its judge, the answers to the run *with that text masked* count, and a criterion that comes out
//! otherwise without the mask counts as not met: such text can only lose. A failure is no vote and no zero.
//! Score of a sample: yes / (yes + no); of the judgement: the mean over its samples. Cost: O(quotes × bytes of a step).

use std::collections::BTreeMap;

use super::answer::{Answer, Cite, Item};
use super::evidence::Piece;
use super::prompt::Mode;
use super::provider::Failure;
use super::rubric::Rubric;

/// Which request it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    pub sample: u32,
    /// Pairwise: the runs stood the other way round.
    pub swapped: bool,
    /// Text that addresses the judge was masked.
    pub masked: bool,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    pub asked: Asked,
    pub result: Result<Answer, Failure>,
    /// The question of control was answered right.
    pub control: bool,
}

/// A run as it was shown, without and with its mask; the same when nothing addressed the judge.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub plain: &'a [Piece],
    pub masked: &'a [Piece],
}

/// Whether a quote is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum There {
    Yes,
    /// Not in that step; perhaps in this one.
    No(Option<u32>),
    NoStep,
    /// It stands there, in text that addresses the judge.
    Planted,
}

/// A quote that was looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub run: u8,
    /// From 0; `None` when the number is none of a step.
    pub step: Option<u32>,
    pub quote: String,
    pub there: There,
    /// What the step is, where the quote is not in it.
    pub what: String,
}

/// One sample's verdict on a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    pub sample: u32,
    pub value: String,
    pub confidence: String,
    pub struck: bool,
}

/// What became of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Counted,
    /// No sample had a quote that is there.
    Struck,
    /// Not applicable, or unclear: left out of the score, for that reason.
    Open,
    /// No sample answered.
    Missing,
}

impl State {
    pub fn id(self) -> &'static str {
        match self {
            State::Counted => "counted",
            State::Struck => "struck",
            State::Open => "open",
            State::Missing => "missing",
        }
    }
}

/// One row of a judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub criterion: String,
    pub title: String,
    pub state: State,
    /// What most samples say, also when it was struck; `None` when none answered.
    pub value: Option<String>,
    /// Share of the samples that say so, of those that were not struck.
    pub agreement: Option<f64>,
    /// Share of yes among yes and no.
    pub share: Option<f64>,
    pub votes: Vec<Vote>,
    pub unstable: bool,
    /// Comes out otherwise when text that addresses the judge is masked.
    pub sensitive: bool,
    /// Comes out otherwise when the runs change places.
    pub order_dependent: bool,
    pub reasoning: String,
    pub quotes: Vec<Checked>,
    pub agent: String,
    pub error: String,
}

/// What the answers come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub rows: Vec<Row>,
    pub score: Option<f64>,
    /// Largest less smallest score of a sample; `None` with fewer than two.
    pub spread: Option<f64>,
    pub counted: u32,
    pub left_out: u32,
    /// Answers that were judged by, and those with the wrong word of control.
    pub answers: u32,
    pub control_wrong: u32,
    pub injection_seen: u32,
    /// Pairwise: pairs of orders, and how many of them disagree.
    pub pairs: u32,
    pub flips: u32,
    /// The first sample's own words.
    pub summary: String,
}

/// Below this share of equal votes a row is unstable.
const STABLE: f64 = 2.0 / 3.0;

/// Looks a quote up. `swapped`: the model's A is our second run.
pub fn check(cite: &Cite, swapped: bool, runs: &[Shown<'_>]) -> Checked {
    let run = if runs.len() > 1 && swapped { 1 - cite.run.min(1) } else { cite.run };
    let shown = runs.get(usize::from(run)).copied().unwrap_or(Shown { plain: &[], masked: &[] });
    let step = cite.step.checked_sub(1).and_then(|s| u32::try_from(s).ok());
    let at = step.and_then(|s| shown.plain.binary_search_by_key(&s, |p| p.step).ok());
    let (Some(plain), Some(masked)) = (at.and_then(|i| shown.plain.get(i)), at.and_then(|i| shown.masked.get(i)))
    else {
        return Checked { run, step: None, quote: cite.quote.clone(), there: There::NoStep, what: String::new() };
    };
    let there = if masked.has(&cite.quote) {
        There::Yes
    } else if plain.has(&cite.quote) {
        There::Planted
    } else {
        There::No(shown.masked.iter().find(|p| p.has(&cite.quote)).map(|p| p.step))
    };
    let what = if there == There::Yes { String::new() } else { plain.what() };
    Checked { run, step, quote: cite.quote.clone(), there, what }
}

/// Whether a verdict stands without a quote: it says that there is nothing to quote.
fn needs_none(mode: Mode, value: &str) -> bool {
    match mode {
        Mode::Rubric => matches!(value, "na" | "unclear"),
        Mode::Taxonomy => matches!(value, "na" | "unclear" | "no"),
        Mode::Pairwise => value == "tie",
        Mode::Localise => value == "0",
    }
}

/// A sample's item with its quotes looked up.
struct Looked<'a> {
    asked: Asked,
    item: &'a Item,
    /// The value in terms of our runs, whatever the order in which they stood.
    value: String,
    quotes: Vec<Checked>,
    struck: bool,
}

fn look<'a>(mode: Mode, asked: Asked, item: &'a Item, runs: &[Shown<'_>]) -> Looked<'a> {
    let quotes: Vec<Checked> = item.evidence.iter().map(|c| check(c, asked.swapped, runs)).collect();
    let value = match (item.value.as_str(), asked.swapped) {
        ("A", true) => "B".to_owned(),
        ("B", true) => "A".to_owned(),
        (value, _) => value.to_owned(),
    };
    let mut struck = !needs_none(mode, &value) && !quotes.iter().any(|q| q.there == There::Yes);
    if mode == Mode::Localise && value != "0" {
        let known = value.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
        let step = known.filter(|s| runs.first().is_some_and(|r| r.plain.iter().any(|p| p.step == *s)));
        struck |= step.is_none();
    }
    Looked { asked, item, value, quotes, struck }
}

/// The most frequent value and its share; of equally frequent ones none, so that nothing depends on their order.
fn majority(values: &[&str]) -> (Option<String>, Option<f64>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    let Some(most) = counts.values().copied().max() else { return (None, None) };
    let mut first = counts.iter().filter(|(_, n)| **n == most).map(|(v, _)| (*v).to_owned());
    let share = most as f64 / values.len() as f64;
    match (first.next(), first.next()) {
        (Some(value), None) => (Some(value), Some(share)),
        _ => (None, Some(share)),
    }
}

/// What all answers come to.
pub fn outcome(mode: Mode, rubric: &Rubric, runs: &[Shown<'_>], ran: &[Ran], masked: bool) -> Outcome {
    let mut out = Outcome::default();
    let answers: Vec<(Asked, &Answer)> =
        ran.iter().filter_map(|r| r.result.as_ref().ok().map(|a| (r.asked, a))).collect();
    out.answers = answers.len() as u32;
    out.control_wrong = ran.iter().filter(|r| r.result.is_ok() && !r.control).count() as u32;
    out.injection_seen = answers.iter().filter(|(_, a)| a.injection_seen).count() as u32;
    out.summary = answers.iter().find(|(a, _)| a.masked == masked).map(|(_, a)| a.summary.clone()).unwrap_or_default();
    let titles: Vec<(String, String)> = match mode {
        Mode::Rubric | Mode::Taxonomy => rubric.criteria.iter().map(|c| (c.id.clone(), c.title.clone())).collect(),
        Mode::Pairwise => vec![("winner".into(), String::new())],
        Mode::Localise => vec![("decisive".into(), String::new())],
    };
    for (id, title) in titles {
        let looked: Vec<Looked<'_>> = answers
            .iter()
            .flat_map(|(asked, a)| a.items.iter().map(move |i| (*asked, i)))
            .filter(|(_, i)| i.criterion == id)
            .map(|(asked, i)| look(mode, asked, i, runs))
            .collect();
        out.rows.push(row(mode, id, title, &looked, masked, &mut out.pairs, &mut out.flips));
    }
    if mode == Mode::Rubric {
        score(&mut out, &answers, runs, masked);
    }
    out.counted = out.rows.iter().filter(|r| r.state == State::Counted).count() as u32;
    out.left_out = out.rows.len() as u32 - out.counted;
    out
}

fn row(
    mode: Mode,
    criterion: String,
    title: String,
    looked: &[Looked<'_>],
    masked: bool,
    pairs: &mut u32,
    flips: &mut u32,
) -> Row {
    let counting: Vec<&Looked<'_>> = looked.iter().filter(|l| l.asked.masked == masked).collect();
    let other: Vec<&Looked<'_>> = looked.iter().filter(|l| l.asked.masked != masked).collect();
    let (votes, mut order_dependent) = if mode == Mode::Pairwise {
        let votes = both_orders(&counting, pairs, flips);
        let differ = votes.iter().any(|(_, differ)| *differ);
        (votes.into_iter().map(|(v, _)| v).collect::<Vec<_>>(), differ)
    } else {
        let vote = |l: &&Looked<'_>| Vote {
            sample: l.asked.sample,
            value: l.value.clone(),
            confidence: l.item.confidence.clone(),
            struck: l.struck,
        };
        (counting.iter().map(vote).collect(), false)
    };
    let valid: Vec<&str> = votes.iter().filter(|v| !v.struck).map(|v| v.value.as_str()).collect();
    let (mut value, agreement) = majority(&valid);
    let all: Vec<&str> = votes.iter().map(|v| v.value.as_str()).collect();
    let yes = valid.iter().filter(|v| **v == "yes").count();
    let no = valid.iter().filter(|v| **v == "no").count();
    let mut share = (yes + no > 0).then(|| yes as f64 / (yes + no) as f64);
    // Without the mask the same question may come out otherwise: then the text did something.
    let bare: Vec<&str> = other.iter().map(|l| l.value.as_str()).collect();
    let sensitive = !bare.is_empty() && !valid.is_empty() && mode != Mode::Pairwise && majority(&bare).0 != value;
    let mut unstable = agreement.is_some_and(|a| a < STABLE - 1e-9);
    let mut state = match (votes.is_empty(), valid.is_empty(), value.as_deref()) {
        (true, ..) => State::Missing,
        (_, true, _) => State::Struck,
        (_, _, Some("na" | "unclear")) => State::Open,
        (_, _, None) if share.is_none() => State::Open,
        _ => State::Counted,
    };
    if value.is_none() && !valid.is_empty() {
        unstable = true;
    }
    if sensitive && mode == Mode::Rubric && state == State::Counted {
        (value, share) = (Some("no".into()), Some(0.0));
    }
    if mode == Mode::Pairwise && order_dependent && value.is_none() {
        (value, state) = (Some("tie".into()), State::Counted);
    }
    order_dependent &= mode == Mode::Pairwise;
    let shown_value = value.clone().or_else(|| majority(&all).0).or_else(|| all.first().map(|v| (*v).to_owned()));
    // Told by one that holds and says what most say; else by one that holds; else by one that was struck.
    let rank = |l: &&&Looked<'_>| (l.struck, Some(&l.value) != shown_value.as_ref(), l.asked);
    let told = counting.iter().min_by_key(rank);
    Row {
        criterion,
        title,
        state,
        value: shown_value,
        agreement,
        share,
        votes,
        unstable,
        sensitive,
        order_dependent,
        reasoning: told.map(|l| l.item.reasoning.clone()).unwrap_or_default(),
        quotes: told.map(|l| l.quotes.clone()).unwrap_or_default(),
        agent: told.map(|l| l.item.agent.clone()).unwrap_or_default(),
        error: told.map(|l| l.item.error.clone()).unwrap_or_default(),
    }
}

/// One vote for both orders of a sample: the same winner twice wins, anything else is a tie that depends on the order.
fn both_orders(looked: &[&Looked<'_>], pairs: &mut u32, flips: &mut u32) -> Vec<(Vote, bool)> {
    let mut samples: Vec<u32> = looked.iter().map(|l| l.asked.sample).collect();
    samples.sort_unstable();
    samples.dedup();
    let mut out = Vec::new();
    for sample in samples {
        let find = |swapped| looked.iter().find(|l| l.asked.sample == sample && l.asked.swapped == swapped);
        let (Some(one), Some(two)) = (find(false), find(true)) else { continue };
        *pairs += 1;
        let same = one.value == two.value;
        *flips += u32::from(!same);
        let value = if same { one.value.clone() } else { "tie".to_owned() };
        let vote = Vote { sample, value, confidence: one.item.confidence.clone(), struck: one.struck || two.struck };
        out.push((vote, !same));
    }
    out
}

fn score(out: &mut Outcome, answers: &[(Asked, &Answer)], runs: &[Shown<'_>], masked: bool) {
    let sensitive = |id: &str| out.rows.iter().any(|r| r.sensitive && r.criterion == id);
    let of = |asked: Asked, answer: &Answer| {
        let looked = answer.items.iter().map(|i| look(Mode::Rubric, asked, i, runs)).filter(|l| !l.struck);
        let (mut yes, mut no) = (0u32, 0u32);
        for l in looked {
            match l.value.as_str() {
                "yes" if !sensitive(&l.item.criterion) => yes += 1,
                "yes" | "no" => no += 1,
                _ => {}
            }
        }
        (yes + no > 0).then(|| f64::from(yes) / f64::from(yes + no))
    };
    let scores: Vec<f64> =
        answers.iter().filter(|(a, _)| a.masked == masked).filter_map(|(a, an)| of(*a, an)).collect();
    if scores.is_empty() {
        return;
    }
    out.score = Some(scores.iter().sum::<f64>() / scores.len() as f64);
    if scores.len() > 1 {
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let least = scores.iter().copied().fold(f64::MAX, f64::min);
        out.spread = Some(most - least);
    }
}
