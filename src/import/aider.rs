//! Aider's `.aider.chat.history.md`: every session of a project, one behind another.
//!
//! ```text
//! # aider chat started at 2026-01-01 10:00:00
//! #### add a test
//! Here it is: …
//! > Applied edit to a.py
//! > Tokens: 1.2k sent, 84 received. Cost: $0.0019 message, $0.0019 session.
//! ```
//!
//! `#### ` is the person, `> ` the program, the rest the model. An answer may hold such lines itself: a heading directly
//! behind an answer's line, without a blank line before it, stays the answer's. Every edit and command that the program
//! reports is a notice. A session without a word of anybody is left out. Times are local, one a session. O(bytes).

use super::part::leading_int;
use super::text::NoRecords;
use super::{Draft, Format, Log, Reason, RunBuilder, Sample, Sniff};
use crate::model::{Content, CostKind, Run, Span, StepKind, Time, Usage, parse_time};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "aider",
    label: "Aider",
    files: ".aider.chat.history.md",
    marks: &["aider"],
    sniff,
    reader: || Box::new(NoRecords),
};

const START: &str = "# aider chat started at ";

fn sniff(_: &Sample<'_>) -> Sniff {
    Sniff::no(Reason::NoKey("# aider chat started at"), "")
}

/// Whether a text holds a session, near its beginning.
pub fn is_history(text: &str) -> bool {
    text.lines().take(400).any(|l| l.starts_with(START))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Person,
    Model,
    Program,
}

/// What one side says until another begins.
struct Block {
    who: Who,
    text: String,
    line: u32,
    start: usize,
    end: usize,
}

/// The sessions of a history.
pub fn read(text: &str, log: &mut Log) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut empty = 0u64;
    let mut blocks: Vec<Block> = Vec::new();
    let mut started: Option<&str> = None;
    let mut offset = 0;
    let mut blank = true;
    for (line, whole) in (1u32..).zip(text.split_inclusive('\n')) {
        let (start, end) = (offset, offset + whole.len());
        offset = end;
        let said = whole.trim_end_matches(['\n', '\r']);
        if let Some(when) = said.strip_prefix(START) {
            empty += session(&mut runs, std::mem::take(&mut blocks), started, log);
            started = Some(when);
            blank = true;
            continue;
        }
        if said.trim().is_empty() {
            blank = true;
            if let Some(last) = blocks.last_mut().filter(|b| b.who == Who::Model) {
                last.text.push('\n');
            }
            continue;
        }
        let behind = blocks.last().map(|b| b.who);
        let (who, words) = match (said.strip_prefix("#### "), said.strip_prefix("> ")) {
            (Some(words), _) if blank || behind != Some(Who::Model) => (Who::Person, words),
            (_, Some(words)) if blank || behind != Some(Who::Model) => (Who::Program, words),
            _ => (Who::Model, said),
        };
        blank = false;
        match blocks.last_mut() {
            // Of the program, every line is a report of its own.
            Some(last) if last.who == who && who != Who::Program => {
                last.text.push('\n');
                last.text.push_str(words.trim_end());
                last.end = end;
            }
            _ => blocks.push(Block { who, text: words.trim_end().to_owned(), line, start, end }),
        }
    }
    empty += session(&mut runs, blocks, started, log);
    if empty > 0 {
        log.note("empty-sessions", &[("count", empty.to_string())]);
    }
    runs
}

/// Makes a run of a session; returns 1 when nobody said anything in it.
fn session(runs: &mut Vec<Run>, blocks: Vec<Block>, started: Option<&str>, log: &mut Log) -> u64 {
    let Some(started) = started else { return 0 };
    if !blocks.iter().any(|b| b.who != Who::Program) {
        return 1;
    }
    let at: Option<Time> = parse_time(started.trim());
    let mut run = RunBuilder::new(FORMAT.id);
    run.agent("Aider", None);
    run.run.facts.push(("started".into(), started.trim().to_owned()));
    let mut first = true;
    for block in blocks {
        log.understood();
        let span = Span { line: block.line, start: block.start as u32, end: block.end as u32, ..Span::default() };
        let draft = Draft { at: at.filter(|_| std::mem::replace(&mut first, false)), span, ..Draft::default() };
        let text = block.text.trim();
        match block.who {
            Who::Person => {
                run.say(StepKind::Person, Content::text(text), draft);
            }
            Who::Model => {
                let turn = run.new_turn(0);
                run.say(StepKind::Say, Content::text(text), Draft { turn: Some(turn), ..draft });
            }
            Who::Program if text.is_empty() => {}
            Who::Program => {
                if let Some(usage) = tokens(text) {
                    // It follows the answer that it counts.
                    if let Some(turn) = run.run.turns.len().checked_sub(1) {
                        run.usage(turn as u32, usage);
                        continue;
                    }
                }
                let model = ["Main model: ", "Model: "].iter().find_map(|m| text.strip_prefix(m));
                if let Some(name) = model.and_then(|m| m.split(' ').next()) {
                    run.run.model_index(name);
                }
                if let Some(version) = text.strip_prefix("Aider v") {
                    run.agent("Aider", Some(version));
                }
                run.say(StepKind::Notice, Content::text(text), Draft { label: Some("aider".into()), ..draft });
            }
        }
    }
    runs.push(run.finish());
    0
}

/// `Tokens: 12,566 sent, 84 received. Cost: $0.0019 request, …`
fn tokens(text: &str) -> Option<Usage> {
    let rest = text.strip_prefix("Tokens: ")?;
    let (sent, rest) = rest.split_once(" sent")?;
    let received = rest.split(", ").find_map(|p| p.split_once(" received")).map(|(n, _)| n);
    let cost = rest.split_once("Cost: $").and_then(|(_, c)| c.split(' ').next()?.parse::<f64>().ok());
    Some(Usage {
        input: number(sent),
        output: received.and_then(number),
        cost,
        cost_kind: CostKind::Estimated,
        ..Usage::default()
    })
}

/// `12,566` or `1.2k`.
fn number(text: &str) -> Option<u64> {
    let plain: String = text.trim().chars().filter(|c| *c != ',').collect();
    match plain.strip_suffix('k') {
        Some(thousands) => thousands.parse::<f64>().ok().map(|n| (n * 1000.0) as u64),
        None => leading_int(&plain).and_then(|n| u64::try_from(n).ok()),
    }
}
