//! Run -> events -> pages -> text. The mapping is in the module's own documentation. O(n).

use std::collections::{BTreeMap, BTreeSet};

use super::escape::{LABEL, escape, label};
use super::label::{call_label, result_label};
use super::{Arrow, Diagram, Item, ItemKind, LeftOut, MAX_UNITS, Options};
use crate::model::{LaneId, LaneTree, Repeat, Run, Step, StepKind};

/// Graphemes of a participant's name, at most.
const NAME: usize = 40;
/// Sub-agents of sub-agents beyond this depth are not drawn.
const MAX_DEPTH: usize = 64;

/// Draws one page of a run.
pub fn sequence(run: &Run, options: &Options<'_>) -> Diagram {
    let n = run.steps.len() as u32;
    let (from, to) = options.range.map_or((0, n), |(from, to)| (from.min(n), to.clamp(from.min(n), n)));
    let lanes = LaneTree::of(run);
    let fates = fates(run, options, &lanes, from, to);
    let user_speaks = (from..to).any(|s| fates.get(s) == Fate::Draw && is_person(run, s));
    let mut plan = Planner {
        run,
        options,
        lanes,
        fates,
        user_speaks,
        seen: BTreeSet::new(),
        noted: BTreeSet::new(),
        blocks: 0,
        people: BTreeMap::new(),
        names: Vec::new(),
        events: Vec::new(),
    };
    if user_speaks {
        plan.person(Who::User);
    }
    plan.lane(0, 0);
    let rest: Vec<LaneId> = plan.lanes.steps.keys().copied().collect();
    for lane in rest {
        plan.lane(lane, 1);
    }
    let Planner { fates, names, events, .. } = plan;
    let pages = paginate(&events, &names, options);
    let count = pages.iter().flatten().max().map_or(1, |last| last + 1);
    let page = options.page.min(count - 1);
    let mut diagram = emit(&events, &pages, page, &names, options);

    let drawn: BTreeSet<u32> = events.iter().filter_map(Event::step).collect();
    let shown = |event: &(&Event, &Option<u32>)| *event.1 == Some(page);
    let here: BTreeSet<u32> = events.iter().zip(&pages).filter(shown).filter_map(|(e, _)| e.step()).collect();
    let of = |fate: fn(Fate) -> bool| (from..to).filter(|&s| fate(fates.get(s))).count() as u32;
    diagram.page = page;
    diagram.pages = count;
    diagram.steps = to - from;
    diagram.shown = here.len() as u32;
    let in_loops = of(|f| f == Fate::InLoop);
    let by_filter = of(|f| matches!(f, Fate::Filtered(_)));
    diagram.left_out = LeftOut {
        in_loops,
        by_filter,
        elsewhere: (drawn.len() - here.len()) as u32,
        not_drawn: (to - from).saturating_sub(in_loops + by_filter + drawn.len() as u32),
    };
    diagram
}

fn is_person(run: &Run, step: u32) -> bool {
    run.steps.get(step as usize).is_some_and(|s| s.kind == StepKind::Person && s.lane == 0)
}

/// What becomes of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    OutOfRange,
    Draw,
    /// Nothing to draw.
    Silent,
    InLoop,
    /// Left out by the filter, with the first step of its stretch.
    Filtered(u32),
}

struct Fates(Vec<Fate>);

impl Fates {
    fn get(&self, step: u32) -> Fate {
        self.0.get(step as usize).copied().unwrap_or(Fate::OutOfRange)
    }
}

fn has_picture(step: &Step, thoughts: bool) -> bool {
    match step.kind {
        StepKind::Action | StepKind::Orphan | StepKind::Compaction => true,
        StepKind::Person | StepKind::Say | StepKind::Notice => !step.content.is_empty() || step.is_error,
        StepKind::Thought => thoughts && !step.content.is_empty(),
        StepKind::System | StepKind::Injected | StepKind::Raw => false,
    }
}

fn fates(run: &Run, options: &Options<'_>, lanes: &LaneTree, from: u32, to: u32) -> Fates {
    let mut fates: Vec<Fate> = (0u32..)
        .zip(&run.steps)
        .map(|(i, step)| match (from..to).contains(&i) {
            false => Fate::OutOfRange,
            true if has_picture(step, options.thoughts) => Fate::Draw,
            true => Fate::Silent,
        })
        .collect();
    let mut parent: BTreeMap<LaneId, LaneId> = BTreeMap::new();
    for (&call, &lane) in &lanes.started {
        if let Some(step) = run.steps.get(call as usize) {
            parent.insert(lane, step.lane);
        }
    }
    let belongs = |mut lane: LaneId, to: LaneId| {
        for _ in 0..MAX_DEPTH {
            if lane == to {
                return true;
            }
            let Some(&up) = parent.get(&lane) else { return false };
            lane = up;
        }
        false
    };
    // Later rounds, with everything that sub-agents did in them.
    let mut hidden: Vec<LaneId> = Vec::new();
    for fold in options.folds {
        for step in fold.first_end..fold.end {
            let Some(s) = run.steps.get(step as usize).filter(|s| belongs(s.lane, fold.lane)) else { continue };
            if s.lane == fold.lane {
                hidden.extend(lanes.started.get(&step));
            }
            if let Some(fate) = fates.get_mut(step as usize).filter(|f| **f != Fate::OutOfRange) {
                *fate = Fate::InLoop;
            }
        }
    }
    let mut known = BTreeSet::new();
    while let Some(lane) = hidden.pop() {
        if known.insert(lane) {
            for &step in lanes.steps.get(&lane).into_iter().flatten() {
                hidden.extend(lanes.started.get(&step));
                if let Some(fate) = fates.get_mut(step as usize).filter(|f| **f != Fate::OutOfRange) {
                    *fate = Fate::InLoop;
                }
            }
        }
    }
    if let Some(keep) = options.keep {
        // A stretch is broken by what is drawn and by a loop; what has no picture anyway does not break it.
        let mut stretch: Vec<u32> = Vec::new();
        for step in from..=to {
            let fate = fates.get(step as usize).copied().filter(|_| step < to);
            match fate {
                Some(Fate::Silent) => stretch.push(step),
                Some(Fate::Draw) if !keep.contains(&step) => stretch.push(step),
                _ => {
                    let leaves_out = stretch.iter().any(|&s| fates.get(s as usize) == Some(&Fate::Draw));
                    if let Some(&first) = stretch.first().filter(|_| leaves_out) {
                        for &s in &stretch {
                            if let Some(fate) = fates.get_mut(s as usize) {
                                *fate = Fate::Filtered(first);
                            }
                        }
                    }
                    stretch.clear();
                }
            }
        }
    }
    Fates(fates)
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    User,
    Agent(LaneId),
    Tool(String),
    Environment,
}

enum Event {
    Open { kind: ItemKind, title: String },
    And,
    Close,
    Message { step: u32, from: usize, to: usize, text: String, line: Line },
    Note { step: Option<u32>, over: usize, text: String },
}

/// What kind of arrow a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A message that nothing answers.
    Plain,
    /// A call with an observation.
    Call,
    /// The observation of the call at this event.
    Answer { call: usize, failed: bool },
    /// An observation without a call.
    Lost { failed: bool },
}

impl Event {
    fn step(&self) -> Option<u32> {
        match self {
            Self::Message { step, .. } => Some(*step),
            Self::Note { step, .. } => *step,
            _ => None,
        }
    }

    fn is_content(&self) -> bool {
        matches!(self, Self::Message { .. } | Self::Note { .. })
    }
}

struct Planner<'a> {
    run: &'a Run,
    options: &'a Options<'a>,
    lanes: LaneTree,
    fates: Fates,
    user_speaks: bool,
    seen: BTreeSet<LaneId>,
    /// Filtered stretches that have their note.
    noted: BTreeSet<u32>,
    /// Loops that are open.
    blocks: usize,
    people: BTreeMap<Who, usize>,
    names: Vec<String>,
    events: Vec<Event>,
}

impl Planner<'_> {
    fn person(&mut self, who: Who) -> usize {
        if let Some(&at) = self.people.get(&who) {
            return at;
        }
        let words = &self.options.words;
        let name = match &who {
            Who::User => words.user.clone(),
            Who::Environment => words.environment.clone(),
            Who::Agent(0) => words.agent.clone(),
            Who::Agent(lane) => {
                let name = self.run.lanes.get(*lane as usize).map(|l| l.name.trim()).filter(|n| !n.is_empty());
                name.map_or_else(|| format!("{} {lane}", words.agent), str::to_owned)
            }
            Who::Tool(name) => name.clone(),
        };
        self.names.push(label(&name, NAME));
        self.people.insert(who, self.names.len() - 1);
        self.names.len() - 1
    }

    /// All of a lane. As deep as sub-agents nest, which is bounded.
    fn lane(&mut self, lane: LaneId, depth: usize) {
        if depth > MAX_DEPTH || !self.seen.insert(lane) {
            return;
        }
        let steps = self.lanes.steps.get(&lane).cloned().unwrap_or_default();
        let mut batches: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &step in &steps {
            if let Some(batch) = self.step(step).filter(|s| s.is_action()).and_then(|s| s.batch)
                && self.fates.get(step) == Fate::Draw
            {
                batches.entry(batch).or_default().push(step);
            }
        }
        let mut folds: Vec<Repeat> = self.options.folds.iter().copied().filter(|f| f.lane == lane).collect();
        folds.sort();
        let mut folds = folds.into_iter().peekable();
        let mut open: Option<Repeat> = None;
        let mut done: BTreeSet<u32> = BTreeSet::new();
        let mut loose = self.lanes.loose.remove(&lane).unwrap_or_default().into_iter().peekable();
        for step in steps {
            if open.is_some_and(|f| step >= f.first_end) {
                self.close(&mut open);
            }
            while let Some((_, sub)) = loose.next_if(|l| l.0 < step) {
                self.lane(sub, depth + 1);
            }
            while let Some(fold) = folds.next_if(|f| f.start <= step) {
                if step < fold.first_end && open.is_none() && !done.contains(&step) {
                    self.open(fold);
                    open = Some(fold);
                }
            }
            if done.contains(&step) {
                continue;
            }
            let batch = self.step(step).and_then(|s| s.batch);
            let members = batch.and_then(|b| batches.get(&b)).filter(|m| m.len() > 1 && m.contains(&step)).cloned();
            match members {
                Some(members) => {
                    let title = self.options.words.parallel.replace("{calls}", &members.len().to_string());
                    self.events.push(Event::Open { kind: ItemKind::Parallel, title });
                    for (i, &member) in members.iter().enumerate() {
                        if i > 0 {
                            self.events.push(Event::And);
                        }
                        // A loop that begins inside the batch: around the calls of its first round.
                        let inside = |f: &&Repeat| f.lane == lane && (f.start..f.first_end).contains(&member);
                        let fold = self.options.folds.iter().find(inside).copied().filter(|_| open.is_none());
                        if let Some(fold) = fold {
                            self.open(fold);
                        }
                        self.one(lane, member, depth);
                        self.close(&mut { fold });
                        done.insert(member);
                    }
                    self.events.push(Event::Close);
                }
                None => self.one(lane, step, depth),
            }
        }
        self.close(&mut open);
        for (_, sub) in loose {
            self.lane(sub, depth + 1);
        }
    }

    fn open(&mut self, fold: Repeat) {
        let title = self
            .options
            .words
            .repeated
            .replace("{times}", &fold.times.to_string())
            .replace("{from}", &(fold.start + 1).to_string())
            .replace("{to}", &fold.end.to_string());
        self.events.push(Event::Open { kind: ItemKind::Loop, title });
        self.blocks += 1;
    }

    fn close(&mut self, open: &mut Option<Repeat>) {
        if open.take().is_some() {
            self.events.push(Event::Close);
            self.blocks -= 1;
        }
    }

    fn step(&self, step: u32) -> Option<&Step> {
        self.run.steps.get(step as usize)
    }

    /// A text with the step's number before it, except in a loop, where it would stand for one round only.
    fn numbered(&self, step: u32, text: &str) -> String {
        match (self.blocks, text) {
            (0, "") => (step + 1).to_string(),
            (0, text) => label(&format!("{} {text}", step + 1), LABEL),
            (_, text) => label(text, LABEL),
        }
    }

    fn one(&mut self, lane: LaneId, at: u32, depth: usize) {
        let started = self.lanes.started.get(&at).copied().filter(|l| !self.seen.contains(l));
        match self.fates.get(at) {
            Fate::Draw => {}
            fate => {
                if let Fate::Filtered(first) = fate {
                    self.filtered(lane, first);
                }
                if let Some(sub) = started {
                    self.lane(sub, depth + 1);
                }
                return;
            }
        }
        let run = self.run;
        let Some(step) = run.steps.get(at as usize) else { return };
        let agent = self.person(Who::Agent(lane));
        let said = label(&step.content.text, LABEL);
        match (&step.call, step.kind) {
            (Some(call), _) => {
                let tool = match started {
                    Some(sub) => Who::Agent(sub),
                    None => Who::Tool(if call.tool.trim().is_empty() { "?".to_owned() } else { call.tool.to_string() }),
                };
                let tool = self.person(tool);
                let given = if self.options.arguments { call_label(call) } else { String::new() };
                let text = self.numbered(at, &given);
                let index = self.events.len();
                let answered = call.observation.is_some();
                let line = if answered { Line::Call } else { Line::Plain };
                self.events.push(Event::Message { step: at, from: agent, to: tool, text, line });
                if let Some(sub) = started {
                    self.lane(sub, depth + 1);
                }
                if answered {
                    let text = match (self.options.arguments, call.duration_ms) {
                        (true, _) => result_label(call),
                        (false, Some(ms)) => crate::format::duration(ms),
                        (false, None) => String::new(),
                    };
                    let line = Line::Answer { call: index, failed: step.failed() };
                    self.events.push(Event::Message { step: at, from: tool, to: agent, text, line });
                }
            }
            (None, StepKind::Person) if lane == 0 => {
                let user = self.person(Who::User);
                let text = self.numbered(at, &said);
                self.events.push(Event::Message { step: at, from: user, to: agent, text, line: Line::Plain });
            }
            (None, StepKind::Say) if lane == 0 && self.user_speaks => {
                let user = self.person(Who::User);
                let text = self.numbered(at, &said);
                self.events.push(Event::Message { step: at, from: agent, to: user, text, line: Line::Plain });
            }
            (None, StepKind::Orphan) => {
                let name = step.label.as_deref().or(step.name.as_deref()).filter(|n| !n.trim().is_empty());
                let tool = self.person(name.map_or(Who::Environment, |n| Who::Tool(n.to_owned())));
                let text = self.numbered(at, &said);
                let line = Line::Lost { failed: step.failed() };
                self.events.push(Event::Message { step: at, from: tool, to: agent, text, line });
            }
            (None, kind) => {
                let said = if kind == StepKind::Compaction { self.options.words.compaction.clone() } else { said };
                let text = self.numbered(at, &said);
                self.events.push(Event::Note { step: Some(at), over: agent, text });
            }
        }
    }

    /// The note of a filtered stretch, once.
    fn filtered(&mut self, lane: LaneId, first: u32) {
        if !self.noted.insert(first) {
            return;
        }
        let mut last = first;
        while self.fates.get(last + 1) == Fate::Filtered(first) {
            last += 1;
        }
        let text = self
            .options
            .words
            .folded
            .replace("{from}", &(first + 1).to_string())
            .replace("{to}", &(last + 1).to_string())
            .replace("{steps}", &(last + 1 - first).to_string());
        let over = self.person(Who::Agent(lane));
        self.events.push(Event::Note { step: None, over, text });
    }
}

const HEAD: &str = "sequenceDiagram\n";

fn declaration(id: usize, names: &[String]) -> String {
    format!("  participant p{id} as {}\n", escape(names.get(id).map_or("", String::as_str)))
}

fn opening(kind: ItemKind, title: &str, continued: Option<&str>) -> String {
    let word = if kind == ItemKind::Loop { "loop" } else { "par" };
    format!("  {word} {}\n", escape(&titled(title, continued)))
}

fn titled(title: &str, continued: Option<&str>) -> String {
    match continued {
        Some(word) => format!("{title} ({word})"),
        None => title.to_owned(),
    }
}

fn accessible(options: &Options<'_>) -> String {
    options.title.map(|t| format!("  accTitle: {}\n", escape(&label(t, LABEL)))).unwrap_or_default()
}

/// The line of a message or note. `active`: call and observation are on one page.
fn line(event: &Event, active: bool) -> String {
    match event {
        Event::Message { from, to, text, line, .. } => {
            let arrow = match line {
                Line::Plain => "->>",
                Line::Call if active => "->>+",
                Line::Call => "->>",
                Line::Answer { failed: false, .. } if active => "-->>-",
                Line::Answer { failed: true, .. } if active => "--x-",
                Line::Answer { failed: false, .. } | Line::Lost { failed: false } => "-->>",
                Line::Answer { failed: true, .. } | Line::Lost { failed: true } => "--x",
            };
            format!("  p{from}{arrow}p{to}: {}\n", escape(text))
        }
        Event::Note { over, text, .. } => format!("  Note over p{over}: {}\n", escape(text)),
        _ => String::new(),
    }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Who an event needs to be declared.
fn needs(event: &Event) -> Vec<usize> {
    match event {
        Event::Message { from, to, .. } => vec![*from, *to],
        Event::Note { over, .. } => vec![*over],
        _ => Vec::new(),
    }
}

/// The page of every event that is drawn. A call stays with its observation when that follows at once.
fn paginate(events: &[Event], names: &[String], options: &Options<'_>) -> Vec<Option<u32>> {
    let limit = options.max_messages.max(2);
    let head = units(HEAD) + units(&accessible(options));
    let mut pages = vec![None; events.len()];
    let mut page = 0u32;
    let (mut size, mut arrows, mut notes) = (head, 0usize, 0usize);
    let mut declared: BTreeSet<usize> = BTreeSet::new();
    // Open blocks: the cost of opening and closing each, and whether that is paid on this page.
    let mut blocks: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    while at < events.len() {
        match &events[at] {
            Event::Open { kind, title } => {
                blocks.push((units(&opening(*kind, title, Some(&options.words.continued))) + units("  end\n"), false));
                at += 1;
                continue;
            }
            Event::And => {
                size += units("  and\n");
                at += 1;
                continue;
            }
            Event::Close => {
                blocks.pop();
                at += 1;
                continue;
            }
            _ => {}
        }
        let pair =
            matches!(events.get(at + 1), Some(Event::Message { line: Line::Answer { call, .. }, .. }) if *call == at);
        let end = if pair { at + 2 } else { at + 1 };
        let atom = &events[at..end];
        let own: usize = atom.iter().map(|e| units(&line(e, true))).sum();
        let more_arrows = atom.iter().filter(|e| matches!(e, Event::Message { .. })).count();
        let more_notes = atom.len() - more_arrows;
        let cost = |declared: &BTreeSet<usize>, blocks: &[(usize, bool)]| {
            let new: BTreeSet<usize> = atom.iter().flat_map(needs).filter(|p| !declared.contains(p)).collect();
            let declare: usize = new.iter().map(|&p| units(&declaration(p, names))).sum();
            own + declare + blocks.iter().filter(|b| !b.1).map(|b| b.0).sum::<usize>()
        };
        let is_full =
            size + cost(&declared, &blocks) > MAX_UNITS || arrows + more_arrows > limit || notes + more_notes > limit;
        if is_full && arrows + notes > 0 {
            page += 1;
            (size, arrows, notes) = (head, 0, 0);
            declared.clear();
            for block in &mut blocks {
                block.1 = false;
            }
        }
        size += cost(&declared, &blocks);
        declared.extend(atom.iter().flat_map(needs));
        for block in &mut blocks {
            block.1 = true;
        }
        arrows += more_arrows;
        notes += more_notes;
        for slot in &mut pages[at..end] {
            *slot = Some(page);
        }
        at = end;
    }
    pages
}

/// A block while a page is written.
struct Block<'a> {
    kind: ItemKind,
    title: &'a str,
    is_open: bool,
    /// Something of it is on an earlier page.
    began_before: bool,
    /// The next content begins another branch.
    branch: bool,
}

fn emit(events: &[Event], pages: &[Option<u32>], page: u32, names: &[String], options: &Options<'_>) -> Diagram {
    let mut body = String::new();
    let mut arrows = Vec::new();
    let mut notes = Vec::new();
    let mut list = Vec::new();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let answers: BTreeMap<usize, Option<u32>> = events
        .iter()
        .zip(pages)
        .filter_map(|(e, p)| match e {
            Event::Message { line: Line::Answer { call, .. }, .. } => Some((*call, *p)),
            _ => None,
        })
        .collect();
    let name = |p: usize| names.get(p).cloned().unwrap_or_default();
    for (at, (event, on)) in events.iter().zip(pages).enumerate() {
        match event {
            Event::Open { kind, title } => {
                blocks.push(Block { kind: *kind, title, is_open: false, began_before: false, branch: false });
                continue;
            }
            Event::And => {
                if let Some(block) = blocks.last_mut() {
                    block.branch = true;
                }
                continue;
            }
            Event::Close => {
                if blocks.pop().is_some_and(|b| b.is_open) {
                    body.push_str("  end\n");
                }
                continue;
            }
            _ => {}
        }
        let on = on.unwrap_or(0);
        if on < page {
            for block in &mut blocks {
                block.began_before = true;
                block.branch = false;
            }
            continue;
        }
        if on > page {
            break;
        }
        let depth = blocks.len() as u32;
        for (i, block) in blocks.iter_mut().enumerate() {
            if !block.is_open {
                let continued = block.began_before.then_some(options.words.continued.as_str());
                body.push_str(&opening(block.kind, block.title, continued));
                list.push(Item {
                    step: None,
                    kind: block.kind,
                    from: String::new(),
                    to: String::new(),
                    text: titled(block.title, continued),
                    failed: false,
                    depth: i as u32,
                });
                block.is_open = true;
            } else if block.branch {
                body.push_str("  and\n");
            }
            block.branch = false;
        }
        used.extend(needs(event));
        match event {
            Event::Message { step, from, to, text, line: kind } => {
                let active = match kind {
                    Line::Call => answers.get(&at) == Some(&Some(page)),
                    Line::Answer { call, .. } => pages.get(*call) == Some(&Some(page)),
                    Line::Plain | Line::Lost { .. } => false,
                };
                body.push_str(&line(event, active));
                arrows.push(Arrow { step: *step, from: format!("p{from}"), to: format!("p{to}") });
                let failed = matches!(kind, Line::Answer { failed: true, .. } | Line::Lost { failed: true });
                let is_result = matches!(kind, Line::Answer { .. } | Line::Lost { .. });
                let kind = if is_result { ItemKind::Result } else { ItemKind::Message };
                list.push(Item {
                    step: Some(*step),
                    kind,
                    from: name(*from),
                    to: name(*to),
                    text: text.clone(),
                    failed,
                    depth,
                });
            }
            Event::Note { step, over, text } => {
                body.push_str(&line(event, false));
                notes.push(*step);
                list.push(Item {
                    step: *step,
                    kind: ItemKind::Note,
                    from: name(*over),
                    to: String::new(),
                    text: text.clone(),
                    failed: false,
                    depth,
                });
            }
            _ => {}
        }
    }
    for block in blocks.iter().rev() {
        if block.is_open {
            body.push_str("  end\n");
        }
    }
    let mut text = String::from(HEAD);
    text.push_str(&accessible(options));
    if events.iter().all(|e| !e.is_content()) {
        // Nothing to draw is still a diagram.
        text.push_str(&format!("  participant p0 as {}\n", escape(&options.words.agent)));
    }
    for &person in &used {
        text.push_str(&declaration(person, names));
    }
    text.push_str(&body);
    Diagram {
        text,
        arrows,
        notes,
        list,
        participants: used.iter().map(|&p| (format!("p{p}"), name(p))).collect(),
        page,
        pages: 1,
        steps: 0,
        shown: 0,
        left_out: LeftOut::default(),
    }
}
