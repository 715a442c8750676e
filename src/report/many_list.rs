//! The table of many runs: which runs a filter keeps, their order, their groups, and a window of the rows.
//!
//! A filter is words and terms, all of which must hold. A word stands in the title, the id, the file's name, a model, the
//! outcome or a label; without regard to case. `passed:yes|no|unknown`, `outcome:…`, `has:error|loop|finding|unanswered`,
//! `tool:…`, `model:…`, `file:…`, `topology:…` (beginning of the hash) and `task:…` or any other label by its name
//! (whole value) are terms, and so are comparisons: `calls>10`, `cost<=0.5`, `waste>=0.1` with [`FIGURES`]. What a run
//! does not carry satisfies no comparison.
//!
//! Groups are largest first, then by their first run. Cost: O(runs · terms) for a filter, O(runs log runs) for an order,
//! O(window) for rows; `tool:` looks at the calls.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::many::{GroupLine, ManyRow, ManyRows, ManyView, RunLine};
use super::rows::tool_label;
use super::shape::RunSummary;
use crate::fuzzy::folded;
use crate::model::Run;
use crate::topology::{self, Variant};

/// Columns that hold a number: they can be compared in a filter, and sorted by.
pub const FIGURES: [&str; 9] = ["steps", "calls", "errors", "tokens", "cost", "seconds", "loops", "waste", "findings"];

/// Bytes of a topology's line.
const LINE: usize = 160;
/// The box of the dots: width, the middle of each row of them, and the bins.
const DOTS_WIDE: f64 = 112.0;
const BINS: usize = 28;

/// A run that is open.
#[derive(Clone, Copy)]
pub struct ManyRun<'a> {
    /// Place of its document in the job's list.
    pub document: u32,
    pub index: u32,
    pub file: &'a str,
    pub run: &'a Run,
    pub summary: &'a RunSummary,
}

impl ManyRun<'_> {
    /// Whether it passed, where the file says so.
    pub fn passed(&self) -> Option<bool> {
        match self.summary.outcome.as_ref()?.verdict.as_str() {
            "passed" => Some(true),
            "failed" => Some(false),
            _ => None,
        }
    }

    /// The task, where the file names one.
    pub fn task(&self) -> Option<&str> {
        let named = |pairs: &'_ [(String, String)]| pairs.iter().position(|(key, _)| key == "task");
        let s = self.summary;
        let value = match named(&s.labels) {
            Some(at) => s.labels.get(at),
            None => named(&s.facts).and_then(|at| s.facts.get(at)),
        };
        value.map(|(_, value)| value.as_str())
    }

    /// A figure by its name; `None`: the run does not carry it.
    pub fn figure(&self, name: &str) -> Option<f64> {
        let s = self.summary;
        Some(match name {
            "steps" => f64::from(s.steps),
            "calls" => f64::from(s.calls),
            "errors" => f64::from(s.errors),
            "tokens" => tokens(s)? as f64,
            "cost" => s.usage.cost?,
            "seconds" => s.duration_ms? / 1000.0,
            "loops" => f64::from(s.loops.spans),
            "waste" => s.loops.waste_ratio?,
            "findings" => f64::from(s.findings.errors) + f64::from(s.findings.warnings) + f64::from(s.findings.infos),
            _ => return None,
        })
    }

    /// What it has in common with the runs of its group.
    pub fn key(&self, group: &str) -> &str {
        let s = self.summary;
        match group {
            "topology" => &s.topology.hash,
            "task" => self.task().unwrap_or_default(),
            "model" => s.models.first().map(String::as_str).unwrap_or_default(),
            "outcome" => s.outcome.as_ref().map(|o| o.verdict.as_str()).unwrap_or_default(),
            "file" => self.file,
            _ => "",
        }
    }

    /// What words are looked for in.
    pub fn text(&self) -> String {
        let s = self.summary;
        let mut text = String::with_capacity(128);
        let mut add = |part: &str| {
            text.push_str(part);
            text.push('\n');
        };
        add(&s.title);
        add(s.id.as_deref().unwrap_or_default());
        add(self.file);
        s.models.iter().for_each(|m| add(m));
        if let Some(outcome) = &s.outcome {
            add(&outcome.verdict);
            add(&outcome.word);
        }
        for (key, value) in &s.labels {
            add(&format!("{key}:{value}"));
        }
        folded(&text)
    }
}

/// All tokens, in and out, where the file states any.
pub fn tokens(s: &RunSummary) -> Option<u64> {
    match (s.usage.input_tokens, s.usage.output_tokens) {
        (None, None) => None,
        (x, y) => Some(x.unwrap_or(0).saturating_add(y.unwrap_or(0))),
    }
}

/// A term of a filter.
enum Term {
    Word(String),
    Passed(Option<bool>),
    Has(&'static str),
    Tool(String),
    Text(&'static str, String),
    Label(String, String),
    Figure(&'static str, [Ordering; 2], f64),
}

const HAS: [&str; 4] = ["error", "loop", "finding", "unanswered"];
const TEXTS: [&str; 4] = ["model", "file", "outcome", "topology"];

impl Term {
    /// `Err`: it means nothing here.
    fn read(typed: &str, runs: &[ManyRun<'_>]) -> Result<Term, ()> {
        let compare = |at: usize| -> Option<Term> {
            let (name, rest) = typed.split_at(at);
            let name = FIGURES.into_iter().find(|f| *f == name)?;
            use Ordering::{Equal, Greater, Less};
            let (which, rest) = if let Some(rest) = rest.strip_prefix(">=") {
                ([Greater, Equal], rest)
            } else if let Some(rest) = rest.strip_prefix("<=") {
                ([Less, Equal], rest)
            } else if let Some(rest) = rest.strip_prefix('>') {
                ([Greater, Greater], rest)
            } else if let Some(rest) = rest.strip_prefix('<') {
                ([Less, Less], rest)
            } else {
                ([Equal, Equal], rest.strip_prefix('=')?)
            };
            Some(Term::Figure(name, which, rest.parse().ok().filter(|n: &f64| n.is_finite())?))
        };
        if let Some(at) = typed.find(['<', '>', '='])
            && FIGURES.iter().any(|f| typed.get(..at) == Some(f))
        {
            return compare(at).ok_or(());
        }
        let Some((key, value)) = typed.split_once(':') else { return Ok(Term::Word(folded(typed))) };
        let value = folded(value.trim_matches('"'));
        match key {
            "passed" => match value.as_str() {
                "yes" => Ok(Term::Passed(Some(true))),
                "no" => Ok(Term::Passed(Some(false))),
                "unknown" => Ok(Term::Passed(None)),
                _ => Err(()),
            },
            "has" => HAS.into_iter().find(|h| *h == value).map(Term::Has).ok_or(()),
            "tool" => Ok(Term::Tool(value)),
            key => {
                if let Some(of) = TEXTS.into_iter().find(|t| *t == key) {
                    return Ok(Term::Text(of, value));
                }
                let known = key == "task" || runs.iter().any(|r| r.summary.labels.iter().any(|(k, _)| k == key));
                if known { Ok(Term::Label(key.to_owned(), value)) } else { Err(()) }
            }
        }
    }

    fn holds(&self, run: &ManyRun<'_>, text: &str) -> bool {
        let s = run.summary;
        match self {
            Term::Word(word) => text.contains(word.as_str()),
            Term::Passed(passed) => run.passed() == *passed,
            Term::Has("error") => s.errors > 0,
            Term::Has("loop") => s.loops.spans > 0,
            Term::Has("unanswered") => s.unanswered > 0,
            Term::Has(_) => run.figure("findings").is_some_and(|n| n > 0.0),
            Term::Tool(tool) => {
                run.run.steps.iter().filter_map(|s| s.call.as_deref()).any(|c| folded(&c.tool).contains(tool.as_str()))
            }
            Term::Text("topology", value) => s.topology.hash.starts_with(value.as_str()),
            Term::Text("outcome", value) => run.key("outcome") == value,
            Term::Text("file", value) => folded(run.file).contains(value.as_str()),
            Term::Text(_, value) => s.models.iter().any(|m| folded(m).contains(value.as_str())),
            Term::Label(key, value) if key == "task" => run.task().is_some_and(|task| folded(task) == *value),
            Term::Label(key, value) => s.labels.iter().any(|(k, v)| k == key && folded(v) == *value),
            Term::Figure(name, which, than) => {
                run.figure(name).and_then(|n| n.partial_cmp(than)).is_some_and(|o| which.contains(&o))
            }
        }
    }
}

/// The words of a filter; what stands in quotes is one, spaces included.
fn words(filter: &str) -> Vec<String> {
    let (mut out, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in filter.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.push(c);
            }
            c if c.is_whitespace() && !quoted => out.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    out.push(word);
    out.retain(|w| !w.trim_matches('"').is_empty());
    out
}

/// The runs that a filter keeps, as indices, and the terms that mean nothing. `texts` are those of [`ManyRun::text`].
pub fn filtered(runs: &[ManyRun<'_>], texts: &[String], filter: &str) -> (Vec<u32>, Vec<String>) {
    let mut unknown = Vec::new();
    let mut terms = Vec::new();
    for word in words(filter) {
        match Term::read(&word, runs) {
            Ok(Term::Word(word)) => terms.push(Term::Word(word.trim_matches('"').to_owned())),
            Ok(term) => terms.push(term),
            Err(()) => unknown.push(word),
        }
    }
    let holds = |i: usize, run: &ManyRun<'_>| {
        let text = texts.get(i).map(String::as_str).unwrap_or_default();
        terms.iter().all(|t| t.holds(run, text))
    };
    let hits = runs.iter().enumerate().filter(|(i, run)| holds(*i, run)).map(|(i, _)| i as u32).collect();
    (hits, unknown)
}

/// Runs that have a key in common.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub key: String,
    /// Indices of runs, ascending.
    pub members: Vec<u32>,
    pub passed: u32,
    pub failed: u32,
}

impl Group {
    /// The share that passed, of those whose file says so.
    pub fn rate(&self) -> Option<f64> {
        let judged = self.passed + self.failed;
        (judged > 0).then(|| f64::from(self.passed) / f64::from(judged))
    }
}

/// The groups of some runs: largest first, then by their first run.
pub fn grouped(runs: &[ManyRun<'_>], hits: &[u32], group: &str) -> Vec<Group> {
    let mut by_key: BTreeMap<&str, Group> = BTreeMap::new();
    for &hit in hits {
        let Some(run) = runs.get(hit as usize) else { continue };
        let key = run.key(group);
        let entry = by_key.entry(key).or_default();
        entry.members.push(hit);
        match run.passed() {
            Some(true) => entry.passed += 1,
            Some(false) => entry.failed += 1,
            None => {}
        }
    }
    let mut out: Vec<Group> = by_key.into_iter().map(|(key, group)| Group { key: key.to_owned(), ..group }).collect();
    out.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then(a.members.first().cmp(&b.members.first())));
    out
}

/// Puts what is known before what is not, and turns only what is known.
fn order<T>(items: &mut [T], turned: bool, key: impl Fn(&T) -> Option<f64>) {
    items.sort_by(|a, b| match (key(a), key(b)) {
        (Some(x), Some(y)) => {
            if turned {
                x.total_cmp(&y)
            } else {
                y.total_cmp(&x)
            }
        }
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
}

/// A place of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Group(u32),
    Run(u32, bool),
}

/// The rows of a view.
pub struct ManyList {
    hits: u32,
    groups: Vec<Group>,
    places: Vec<Place>,
    unknown_terms: Vec<String>,
}

impl ManyList {
    pub fn new(runs: &[ManyRun<'_>], texts: &[String], view: &ManyView) -> Self {
        let (mut hits, unknown_terms) = filtered(runs, texts, &view.filter);
        let n = hits.len() as u32;
        if matches!(view.group.as_str(), "" | "none") {
            sort_runs(runs, &mut hits, view);
            let places = hits.into_iter().map(|hit| Place::Run(hit, false)).collect();
            return Self { hits: n, groups: Vec::new(), places, unknown_terms };
        }
        let mut groups = grouped(runs, &hits, &view.group);
        sort_groups(runs, &mut groups, view);
        let mut places = Vec::with_capacity(groups.len());
        for (i, group) in groups.iter().enumerate() {
            places.push(Place::Group(i as u32));
            if is_open(view, group, groups.len()) {
                places.extend(group.members.iter().map(|run| Place::Run(*run, true)));
            }
        }
        Self { hits: n, groups, places, unknown_terms }
    }

    /// The rows `from..from + count`.
    pub fn window(&self, runs: &[ManyRun<'_>], view: &ManyView, from: u32, count: u32) -> ManyRows {
        let several = runs.iter().any(|r| r.document > 0);
        let most_calls = runs.iter().map(|r| r.summary.calls).max().unwrap_or(0);
        let rows =
            self.places.iter().skip(from as usize).take(count.min(500) as usize).filter_map(|place| match place {
                Place::Group(i) => {
                    let group = self.groups.get(*i as usize)?;
                    let mut line = group_line(runs, group, &view.group);
                    line.open = is_open(view, group, self.groups.len());
                    line.dots = dots(runs, group, most_calls);
                    Some(ManyRow::Group(line))
                }
                Place::Run(i, nested) => Some(ManyRow::Run(run_line(runs.get(*i as usize)?, *nested, several))),
            });
        ManyRows {
            from,
            rows: rows.collect(),
            total: self.places.len() as u32,
            runs: self.hits,
            groups: self.groups.len() as u32,
            of: runs.len() as u32,
            largest: self.groups.iter().map(|g| g.members.len() as u32).max().unwrap_or(0),
            most_calls,
            unknown_terms: self.unknown_terms.clone(),
        }
    }
}

/// The only group of all would hide every run: it is open until it is closed.
fn is_open(view: &ManyView, group: &Group, groups: usize) -> bool {
    view.open.contains(&group.key) != (groups == 1)
}

fn sort_runs(runs: &[ManyRun<'_>], hits: &mut [u32], view: &ManyView) {
    let at = |i: &u32| runs.get(*i as usize);
    match view.sort.as_str() {
        "title" => {
            hits.sort_by_cached_key(|i| at(i).map(|r| folded(&r.summary.title)));
            if view.turned {
                hits.reverse();
            }
        }
        "topology" => {
            hits.sort_by(|a, b| at(a).map(|r| r.key("topology")).cmp(&at(b).map(|r| r.key("topology"))));
            if view.turned {
                hits.reverse();
            }
        }
        "outcome" => order(hits, view.turned, |i| at(i).and_then(ManyRun::passed).map(|p| f64::from(u8::from(p)))),
        name if FIGURES.contains(&name) => order(hits, view.turned, |i| at(i).and_then(|r| r.figure(name))),
        _ if view.turned => hits.reverse(),
        _ => {}
    }
}

fn sort_groups(runs: &[ManyRun<'_>], groups: &mut [Group], view: &ManyView) {
    match view.sort.as_str() {
        "passed" => order(groups, view.turned, Group::rate),
        "calls" => order(groups, view.turned, |g| median_calls(runs, g)),
        "name" => {
            groups.sort_by(|a, b| natural(&a.key, &b.key));
            if view.turned {
                groups.reverse();
            }
        }
        _ if view.turned => groups.reverse(),
        _ => {}
    }
}

/// Numbers by their value, before words.
fn natural(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => x.total_cmp(&y),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        _ => a.cmp(b),
    }
}

fn median_calls(runs: &[ManyRun<'_>], group: &Group) -> Option<f64> {
    let mut calls: Vec<u32> =
        group.members.iter().filter_map(|i| runs.get(*i as usize)).map(|r| r.summary.calls).collect();
    calls.sort_unstable();
    calls.get(calls.len() / 2).map(|n| f64::from(*n))
}

/// A group without its dots.
pub fn group_line(runs: &[ManyRun<'_>], group: &Group, kind: &str) -> GroupLine {
    let first = group.members.first().and_then(|i| runs.get(*i as usize));
    let n = group.members.len() as u32;
    let (glyph, name) = match first {
        Some(run) if kind == "topology" => {
            let canonical = topology::shape(run.run, Variant::DEFAULT).canonical;
            (run.summary.topology.glyph.clone(), topology::outline(&canonical, LINE, tool_label))
        }
        _ => (Vec::new(), group.key.clone()),
    };
    GroupLine {
        key: group.key.clone(),
        glyph,
        name,
        runs: n,
        passed: group.passed,
        failed: group.failed,
        unknown: n.saturating_sub(group.passed + group.failed),
        first: first.map(|r| (r.document, r.index)).unwrap_or_default(),
        ..GroupLine::default()
    }
}

/// Circles at the calls of the runs, as large as their number: passed above the line, failed below, the rest on it.
fn dots(runs: &[ManyRun<'_>], group: &Group, most: u32) -> Vec<String> {
    let mut bins = [[0u32; BINS]; 3];
    for run in group.members.iter().filter_map(|i| runs.get(*i as usize)) {
        let row = match run.passed() {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        };
        let at = (u64::from(run.summary.calls) * (BINS as u64 - 1) / u64::from(most.max(1))) as usize;
        if let Some(slot) = bins.get_mut(row).and_then(|b| b.get_mut(at)) {
            *slot += 1;
        }
    }
    bins.iter()
        .zip([5.5, 14.5, 10.0])
        .map(|(bins, y)| {
            let mut path = String::new();
            for (i, n) in bins.iter().enumerate().filter(|(_, n)| **n > 0) {
                let x = 4.0 + i as f64 * DOTS_WIDE / (BINS as f64 - 1.0);
                let r = (1.6 + f64::from(*n).sqrt() * 0.7).min(4.6);
                path.push_str(&format!(
                    "M{:.1} {y}a{r:.1} {r:.1} 0 1 0 {d:.1} 0a{r:.1} {r:.1} 0 1 0 -{d:.1} 0",
                    x - r,
                    d = 2.0 * r
                ));
            }
            path
        })
        .collect()
}

fn run_line(run: &ManyRun<'_>, nested: bool, several: bool) -> RunLine {
    let s = run.summary;
    RunLine {
        document: run.document,
        run: run.index,
        nested,
        title: s.title.clone(),
        file: if several { run.file.to_owned() } else { String::new() },
        passed: run.passed(),
        outcome: s.outcome.clone(),
        steps: s.steps,
        calls: s.calls,
        errors: s.errors,
        tokens: tokens(s),
        cost: s.usage.cost,
        cost_estimated: s.usage.cost_estimated,
        duration_ms: s.duration_ms,
        loops: s.loops.spans,
        loop_verdict: s.loops.verdict.clone(),
        waste_ratio: s.loops.waste_ratio,
        findings: s.findings,
        hash: s.topology.hash.clone(),
        glyph: s.topology.glyph.clone(),
    }
}
