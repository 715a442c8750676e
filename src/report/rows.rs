//! The list of steps: which rows a view has, and what stands on each. Building a view is O(steps, and their text
//! where a filter has words); a window of it is O(rows asked for).

use std::collections::BTreeMap;

use super::shape::{FoldRow, GroupMark, LoopMark, Row, Rows, SpawnRow, StepRow, View};
use crate::format;
use crate::json::Tape;
use crate::model::{ArgsForm, Call, CallStatus, Effect, Run, Step, StepKind, Telling, effect_class, telling};

/// What the list needs to know of the analyses, prepared once a run.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// By step.
    pub loops: BTreeMap<u32, LoopMark>,
    /// Findings at a step; warnings and errors apart, since they keep a step out of folds.
    pub findings: BTreeMap<u32, (u16, bool)>,
    /// Parallel groups: batch -> its steps, in order.
    pub groups: BTreeMap<u32, Vec<u32>>,
}

impl Marks {
    /// Collects the groups of a run.
    pub fn groups_of(run: &Run) -> BTreeMap<u32, Vec<u32>> {
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (i, step) in run.steps.iter().enumerate() {
            if let Some(batch) = step.batch {
                groups.entry(batch).or_default().push(i as u32);
            }
        }
        groups
    }
}

/// A row of a view, before it is written out.
/// Rows that are told to be no steps, at most: they come with every window.
const MAX_LOW: usize = 4_000;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Step(u32),
    Spawn(u32),
    Fold { from: u32, to: u32, open: bool },
}

/// The rows of one view of one run.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    places: Vec<Place>,
    /// Places that are no steps, while they are few.
    low: Vec<u32>,
    hits: u32,
    unknown_terms: Vec<String>,
}

impl Listing {
    /// Works out the rows of `view`.
    pub fn new(run: &Run, marks: &Marks, view: &View) -> Self {
        let filter = Filter::parse(&view.filter);
        let hit: Vec<bool> =
            run.steps.iter().enumerate().map(|(i, s)| filter.matches(run, marks, i as u32, s)).collect();
        let hits = hit.iter().filter(|h| **h).count() as u32;
        let mut places = Vec::new();
        // A filter shows its hits and nothing else.
        if filter.is_empty() && view.folded {
            let keep = keep(run, marks);
            let mut at = 0usize;
            while at < keep.len() {
                if keep[at] {
                    push_step(run, at as u32, &mut places);
                    at += 1;
                    continue;
                }
                let end = keep[at..].iter().position(|k| *k).map_or(keep.len(), |n| at + n);
                if end - at < 3 {
                    (at..end).for_each(|i| push_step(run, i as u32, &mut places));
                } else {
                    let open = view.open.contains(&(at as u32));
                    places.push(Place::Fold { from: at as u32, to: end as u32 - 1, open });
                    if open {
                        (at..end).for_each(|i| push_step(run, i as u32, &mut places));
                    }
                }
                at = end;
            }
        } else {
            for (i, hit) in hit.iter().enumerate() {
                if *hit {
                    push_step(run, i as u32, &mut places);
                }
            }
        }
        let is_low = |(_, place): &(u32, &Place)| !matches!(place, Place::Step(_));
        let mut low: Vec<u32> = (0..).zip(&places).filter(is_low).map(|(i, _)| i).take(MAX_LOW + 1).collect();
        if low.len() > MAX_LOW {
            low.clear();
        }
        Self { places, low, hits, unknown_terms: filter.unknown }
    }

    /// Rows of the view.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Writes the rows from `from` on.
    pub fn window(&self, run: &Run, marks: &Marks, from: u32, count: u32) -> Rows {
        let rows = self.places.iter().skip(from as usize).take(count.min(500) as usize);
        let rows = rows
            .map(|place| match place {
                Place::Step(i) => Row::Step(step_row(run, marks, *i)),
                Place::Spawn(i) => Row::Spawn(spawn_row(run, *i)),
                Place::Fold { from, to, open } => Row::Fold(fold_row(run, *from, *to, *open)),
            })
            .collect();
        Rows {
            from,
            rows,
            total: self.places.len() as u32,
            hits: self.hits,
            unknown_terms: self.unknown_terms.clone(),
            low: self.low.clone(),
        }
    }

    /// The row of a step, or of the closed fold that hides it, and the first step of that fold.
    pub fn find(&self, step: u32) -> (Option<u32>, Option<u32>) {
        let hides = |p: &Place| matches!(p, Place::Fold { from, to, open: false } if (*from..=*to).contains(&step));
        let at = self.places.iter().position(|p| *p == Place::Step(step) || hides(p));
        let fold = at.and_then(|i| match self.places.get(i) {
            Some(Place::Fold { from, .. }) => Some(*from),
            _ => None,
        });
        (at.map(|i| i as u32), fold)
    }
}

fn push_step(run: &Run, i: u32, places: &mut Vec<Place>) {
    places.push(Place::Step(i));
    if run.steps.get(i as usize).and_then(|s| s.call.as_deref()).is_some_and(|c| c.spawn.is_some()) {
        places.push(Place::Spawn(i));
    }
}

/// Which steps stay visible when the rest is folded: people, what failed, loops, sub-agents, parallel calls,
/// compactions, findings, the agent's first words after a person's, and the end of the run. Parallel reads fold.
fn keep(run: &Run, marks: &Marks) -> Vec<bool> {
    let last = run.steps.len().saturating_sub(1);
    let mut after_person = false;
    run.steps
        .iter()
        .enumerate()
        .map(|(i, step)| {
            let index = i as u32;
            let nested = step.lane > 0;
            let first_words = after_person && matches!(step.kind, StepKind::Say | StepKind::Thought);
            if step.kind == StepKind::Person {
                after_person = true;
            } else if !matches!(step.kind, StepKind::Injected | StepKind::System) {
                after_person = false;
            }
            // Files read side by side are as dull as files read one by one.
            let parallel = !nested
                && step.batch.is_some()
                && step.call.as_deref().is_some_and(|c| effect_class(&c.tool, &c.args) != Effect::Read);
            step.failed()
                || (!nested && step.kind == StepKind::Person)
                || matches!(step.kind, StepKind::Compaction | StepKind::Orphan)
                || (step.kind == StepKind::Notice && step.is_error)
                || step.call.as_deref().is_some_and(|c| c.spawn.is_some())
                || parallel
                || first_words
                || marks.loops.contains_key(&index)
                || marks.findings.get(&index).is_some_and(|(_, serious)| *serious)
                || i == last
        })
        .collect()
}

/// Words and terms of the filter field.
#[derive(Clone, Debug, Default)]
struct Filter {
    words: Vec<String>,
    tools: Vec<String>,
    actors: Vec<String>,
    has: Vec<Has>,
    detectors: Vec<String>,
    unknown: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Error,
    Finding,
    Loop,
    Picture,
    Thought,
    Unanswered,
}

impl Filter {
    fn parse(text: &str) -> Self {
        let mut out = Self::default();
        for term in terms(text) {
            let (key, value) = match term.split_once(':') {
                Some((key, value)) if !value.starts_with("//") => (key.to_ascii_lowercase(), value.to_lowercase()),
                _ => (String::new(), term.to_lowercase()),
            };
            match (key.as_str(), value.as_str()) {
                ("tool", v) if !v.is_empty() => out.tools.push(v.to_owned()),
                ("actor", "user" | "person" | "u") => out.actors.push("user".into()),
                ("actor", "agent" | "a") => out.actors.push("agent".into()),
                ("actor", "tool" | "t") => out.actors.push("tool".into()),
                ("actor", "system" | "s") => out.actors.push("system".into()),
                ("actor", "environment" | "e") => out.actors.push("environment".into()),
                ("has", "error") => out.has.push(Has::Error),
                ("has", "finding") => out.has.push(Has::Finding),
                ("has", "loop") | ("loop", "") => out.has.push(Has::Loop),
                ("has", "picture" | "image") => out.has.push(Has::Picture),
                ("has", "thought") => out.has.push(Has::Thought),
                ("has", "unanswered") => out.has.push(Has::Unanswered),
                ("loop", v) => out.detectors.push(v.to_owned()),
                // Half-typed terms filter nothing.
                ("tool" | "actor" | "has", "") => {}
                ("actor" | "has", _) => out.unknown.push(term),
                _ => out.words.push(term.to_lowercase()),
            }
        }
        out
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.tools.is_empty()
            && self.actors.is_empty()
            && self.has.is_empty()
            && self.detectors.is_empty()
            && self.unknown.is_empty()
    }

    fn matches(&self, run: &Run, marks: &Marks, index: u32, step: &Step) -> bool {
        if self.is_empty() {
            return true;
        }
        let _ = run;
        let tool = step.call.as_deref().map(|c| c.tool.to_lowercase()).unwrap_or_default();
        (self.unknown.is_empty())
            && (self.tools.is_empty() || self.tools.iter().any(|t| tool.contains(t.as_str())))
            && (self.actors.is_empty() || self.actors.iter().any(|a| a == step.actor().id()))
            && self.has.iter().all(|has| match has {
                Has::Error => step.failed(),
                Has::Finding => marks.findings.contains_key(&index),
                Has::Loop => marks.loops.contains_key(&index),
                Has::Picture => {
                    !step.content.media.is_empty() || step.observation().is_some_and(|o| !o.content.media.is_empty())
                }
                Has::Thought => step.kind == StepKind::Thought,
                Has::Unanswered => step.is_action() && step.observation().is_none(),
            })
            && (self.detectors.is_empty()
                || marks
                    .loops
                    .get(&index)
                    .is_some_and(|l| self.detectors.iter().any(|d| l.detector.eq_ignore_ascii_case(d))))
            && self.words.iter().all(|w| has_word(step, w))
    }
}

/// Splits at spaces; a quoted piece keeps its spaces.
fn terms(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut term = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => {
                if !term.is_empty() {
                    out.push(std::mem::take(&mut term));
                }
            }
            c => term.push(c),
        }
    }
    if !term.is_empty() {
        out.push(term);
    }
    out
}

/// Whether anything that the step says, calls or gets back has the lower-case `word`.
pub fn has_word(step: &Step, word: &str) -> bool {
    let mut texts = vec![&*step.content.text];
    if let Some(name) = &step.name {
        texts.push(name);
    }
    if let Some(call) = step.call.as_deref() {
        texts.push(&call.tool);
        texts.push(&call.args.raw);
        if let Some(o) = &call.observation {
            texts.push(&o.content.text);
        }
    }
    texts.iter().any(|t| contains(t, word))
}

/// Case-insensitive search without a lower-case copy of a large text, where both are ASCII enough.
fn contains(text: &str, lower: &str) -> bool {
    let Some(&first) = lower.as_bytes().first() else { return true };
    if !lower.is_ascii() {
        return text.contains(lower) || text.to_lowercase().contains(lower);
    }
    let (hay, needle) = (text.as_bytes(), lower.as_bytes());
    let (a, b) = (first, first.to_ascii_uppercase());
    let mut at = 0;
    while let Some(found) = hay.get(at..).and_then(|rest| rest.iter().position(|&c| c == a || c == b)) {
        let start = at + found;
        match hay.get(start..start + needle.len()) {
            Some(piece) if piece.eq_ignore_ascii_case(needle) => return true,
            Some(_) => at = start + 1,
            None => return false,
        }
    }
    false
}

/// A step on one line.
pub fn step_row(run: &Run, marks: &Marks, index: u32) -> StepRow {
    let Some(step) = run.steps.get(index as usize) else { return StepRow::default() };
    let (mut preview, mono) = preview(step);
    // The working directory in front of every path says nothing: what differs stands at the end.
    if let Some((_, cwd)) = run.facts.iter().find(|(k, cwd)| mono && k == "cwd" && cwd.len() > 1) {
        preview = preview.replace(&format!("{}/", cwd.trim_end_matches('/')), "");
    }
    let group = step.batch.and_then(|b| marks.groups.get(&b)).and_then(|steps| {
        let at = steps.iter().position(|s| *s == index)?;
        Some(GroupMark { size: steps.len() as u16, index: at as u16 })
    });
    let label = match step.call.as_deref() {
        Some(call) => tool_label(&call.tool),
        None => step.name.as_deref().or(step.label.as_deref()).unwrap_or_default().chars().take(60).collect(),
    };
    StepRow {
        step: index,
        kind: step.kind.id().into(),
        actor: step.actor().id().into(),
        label,
        preview,
        mono,
        duration_ms: step.call.as_deref().and_then(|c| c.duration_ms),
        failed: step.failed(),
        unanswered: step.is_action() && step.observation().is_none(),
        failure: step.call.as_deref().filter(|c| c.status == CallStatus::Error).map(failure).unwrap_or_default(),
        depth: depth(run, step.lane),
        group,
        loops: marks.loops.get(&index).cloned(),
        findings: marks.findings.get(&index).map_or(0, |(n, _)| *n),
    }
}

/// `mcp__server__tool` as `server tool`.
pub fn tool_label(tool: &str) -> String {
    let short = match tool.strip_prefix("mcp__") {
        Some(rest) => rest.replacen("__", " ", 1),
        None => tool.to_owned(),
    };
    short.chars().take(80).collect()
}

fn depth(run: &Run, lane: u16) -> u8 {
    let mut depth = 0;
    let mut at = lane;
    while at > 0 && depth < 9 {
        depth += 1;
        at = run.lanes.get(at as usize).and_then(|l| l.parent).unwrap_or(0);
    }
    depth
}

/// The line that says most about a step, and whether it is code.
pub fn preview(step: &Step) -> (String, bool) {
    const WIDTH: usize = 200;
    match step.call.as_deref() {
        Some(call) => call_preview(call, WIDTH),
        None if step.content.text.trim().is_empty() && !step.content.media.is_empty() => {
            (step.content.media.first().map(|m| m.mime.clone()).unwrap_or_default(), true)
        }
        None => (format::one_line(&plain(&step.content.text), WIDTH), step.kind == StepKind::Raw),
    }
}

/// Text without escape sequences and tag lines, for one line of it.
fn plain(text: &str) -> String {
    let head: String = text.chars().take(2_000).collect();
    if !head.contains('\u{1b}') {
        return head;
    }
    let mut out = String::with_capacity(head.len());
    let mut chars = head.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            for c in chars.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The argument that names what a call works on.
fn call_preview(call: &Call, width: usize) -> (String, bool) {
    if call.args.form != ArgsForm::Json {
        return (format::one_line(&call.args.raw, width), true);
    }
    let mut tape = Tape::new();
    let root = tape.parse(&call.args.raw).root();
    if let Some(Telling { text, prose, .. }) = telling(root) {
        return (format::one_line(&text, width), !prose);
    }
    let mut out = String::new();
    for (key, val) in root.entries().take(8) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&key);
        out.push(' ');
        out.push_str(&format::one_line(&val.text(), 60));
    }
    (format::one_line(&out, width), true)
}

/// Short words for a failure: tags in brackets that a tool prints, an exception's name, an exit code, or the first line.
fn failure(call: &Call) -> String {
    let Some(observation) = &call.observation else { return String::new() };
    // Some checkers print their line breaks escaped.
    let text = plain(&observation.content.text).replace("\\n", "\n");
    let mut tags: Vec<String> = Vec::new();
    let mut exception = None;
    for line in text.lines().take(200) {
        let line = line.trim();
        if let Some((tag, _)) = line.strip_prefix('[').and_then(|l| l.split_once(']'))
            && tag.len() >= 3
            && tag.chars().all(|c| c.is_ascii_uppercase() || c == ' ' || c == '_')
            && !tags.iter().any(|t| t == tag)
        {
            tags.push(tag.to_owned());
        }
        let head = line.split([':', ' ']).next().unwrap_or_default();
        if exception.is_none() && (head.ends_with("Error") || head.ends_with("Exception")) && head.len() > 5 {
            exception = Some(head.rsplit('.').next().unwrap_or(head).to_owned());
        }
    }
    if !tags.is_empty() {
        tags.truncate(3);
        return tags.join(", ");
    }
    if let Some(exception) = exception {
        return exception.chars().take(40).collect();
    }
    if let Some(code) = observation.exit_code.filter(|c| *c != 0) {
        return format!("exit {code}");
    }
    let first = text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    // `<tool_use_error>String to replace not found`
    let first = match first.strip_prefix('<').and_then(|l| l.split_once('>')) {
        Some((tag, rest)) if tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => rest,
        _ => first,
    };
    if let Some(code) = first.strip_prefix("Exit code ") {
        return format!("exit {}", code.split_whitespace().next().unwrap_or_default());
    }
    format::one_line(first, 32)
}

fn spawn_row(run: &Run, index: u32) -> SpawnRow {
    let spawn = run.steps.get(index as usize).and_then(|s| s.call.as_deref()).and_then(|c| c.spawn.as_deref());
    let Some(spawn) = spawn else { return SpawnRow { step: index, ..SpawnRow::default() } };
    let lane = spawn.lane.and_then(|l| run.lanes.get(l as usize));
    let calls = spawn.lane.map(|l| run.steps.iter().filter(|s| s.lane == l && s.is_action()).count() as u64);
    SpawnRow {
        step: index,
        agent: lane.map(|l| l.name.clone()).or_else(|| spawn.agent_id.clone()).unwrap_or_default(),
        calls: spawn.calls.or(calls),
        tokens: spawn.tokens,
        duration_ms: spawn.duration_ms,
        here: spawn.lane.is_some(),
    }
}

fn fold_row(run: &Run, from: u32, to: u32, open: bool) -> FoldRow {
    let steps = run.steps.get(from as usize..=to as usize).unwrap_or_default();
    let mut tools: BTreeMap<String, u32> = BTreeMap::new();
    let mut said = 0;
    for step in steps {
        match step.call.as_deref() {
            Some(call) => *tools.entry(tool_label(&call.tool)).or_insert(0) += 1,
            None => said += u32::from(matches!(step.kind, StepKind::Say | StepKind::Thought)),
        }
    }
    let mut tools: Vec<_> = tools.into_iter().collect();
    tools.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    tools.truncate(6);
    let moments = steps.iter().flat_map(|s| [s.at, s.observation().and_then(|o| o.at)]).flatten().map(|t| t.ms);
    let (first, last) = moments.fold((i64::MAX, i64::MIN), |(a, b), ms| (a.min(ms), b.max(ms)));
    FoldRow {
        from,
        to,
        open,
        count: to - from + 1,
        tools,
        said,
        errors: steps.iter().filter(|s| s.failed()).count() as u32,
        duration_ms: (last > first).then(|| (last - first) as f64),
    }
}
