//! The table of a comparison: which rows a view has, and what stands in their cells. Building a view is O(rows); a
//! window of it is O(rows asked for), and only there texts are compared word by word.

use serde::Serialize;

use super::compare::{pieces, share};
use super::rows::{preview, tool_label};
use crate::align::{Comparison, Relation, Row};
use crate::format;
use crate::model::{Run, Step, canonical_entries};

/// Which rows the table shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompareView {
    /// `actions`, `messages` or `both`.
    pub show: String,
    /// Long stretches without a difference are one row.
    pub folded: bool,
    /// Folds that were opened, by the number of their first row.
    pub open: Vec<u32>,
}

impl Default for CompareView {
    fn default() -> Self {
        Self { show: "both".into(), folded: true, open: Vec::new() }
    }
}

/// A window of the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CompareRows {
    pub from: u32,
    pub rows: Vec<CompareRow>,
    /// Rows of the view.
    pub total: u32,
    /// Rows of the view that differ; what next and previous go through.
    pub differences: u32,
}

/// A row: two cells and their relation, or a fold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CompareRow {
    /// Its number in the whole table; of a fold, of its first row.
    pub row: u32,
    /// `same`, `alike`, `other_result`, `other_arguments`, `only_left` or `only_right`; `fold`.
    pub relation: String,
    /// Of texts, and of calls with other arguments.
    pub likeness: f64,
    pub left: Option<CompareCell>,
    pub right: Option<CompareCell>,
    /// `other_action` when these aligned thoughts lead to different actions, `other_thought` when other thoughts led to
    /// these aligned actions.
    pub cross: Option<String>,
    /// The first divergence stands here.
    pub divergence: bool,
    pub fold: Option<CompareFold>,
}

/// One side of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CompareCell {
    /// Step of the run, from 0.
    pub step: u32,
    /// Which action of the run it is, from 0; `None` for texts.
    pub action: Option<u32>,
    pub actor: String,
    /// The tool; the speaker's name where the file has one.
    pub label: String,
    pub mono: bool,
    /// The line, cut where it differs from the other side.
    pub text: Vec<Piece>,
    /// The result's first line, where it says something: it failed, or the sides differ.
    pub result: Vec<Piece>,
    pub failed: bool,
}

/// A piece of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Piece {
    pub differs: bool,
    pub text: String,
}

/// Rows that are folded into one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CompareFold {
    pub rows: u32,
    pub actions: u32,
    pub open: bool,
    /// Tools in order of first use, with how often; at most eight.
    pub tools: Vec<(String, u32)>,
}

/// A place in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Row(u32),
    Fold { from: u32, to: u32, open: bool },
}

/// The rows of one view.
#[derive(Clone, Debug, Default)]
pub struct CompareListing {
    places: Vec<Place>,
    differences: u32,
}

/// Rows that stay visible beside a difference.
const BESIDE: usize = 2;
/// A fold holds at least so many.
const LEAST_FOLD: usize = 3;

fn differs(row: &Row) -> bool {
    !matches!(row.relation, Relation::Same | Relation::Alike)
}

impl CompareListing {
    pub fn new(found: &Comparison, view: &CompareView) -> Self {
        let wanted = |row: &Row| match view.show.as_str() {
            "actions" => row.is_action,
            "messages" => !row.is_action,
            _ => true,
        };
        let rows: Vec<(u32, &Row)> = (0u32..).zip(&found.rows).filter(|(_, r)| wanted(r)).collect();
        let differences = rows.iter().filter(|(_, r)| differs(r)).count() as u32;
        let mut places = Vec::new();
        let last = rows.len();
        for stretch in Stretches::of(&rows) {
            let (from, to) = stretch;
            let row = |at: usize| rows.get(at).map(|(n, _)| Place::Row(*n));
            // Beside a difference the last and first rows stay; at the ends of the table nothing is beside.
            let keep_from = if from == 0 { from } else { from + BESIDE };
            let keep_to = if to == last { to } else { to.saturating_sub(BESIDE) };
            let dull = rows.get(from).is_some_and(|(_, r)| !differs(r));
            if !view.folded || !dull || keep_to < keep_from + LEAST_FOLD {
                places.extend((from..to).filter_map(row));
                continue;
            }
            places.extend((from..keep_from).filter_map(row));
            if let (Some((first, _)), Some((end, _))) = (rows.get(keep_from), rows.get(keep_to - 1)) {
                let open = view.open.contains(first);
                places.push(Place::Fold { from: *first, to: *end, open });
                if open {
                    places.extend((keep_from..keep_to).filter_map(row));
                }
            }
            places.extend((keep_to..to).filter_map(row));
        }
        Self { places, differences }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Writes the rows from `from` on.
    pub fn window(&self, sides: &Sides<'_>, from: u32, count: u32) -> CompareRows {
        let places = self.places.iter().skip(from as usize).take(count.min(500) as usize);
        let rows = places
            .map(|place| match place {
                Place::Row(n) => sides.row(*n),
                Place::Fold { from, to, open } => sides.fold(*from, *to, *open),
            })
            .collect();
        CompareRows { from, rows, total: self.places.len() as u32, differences: self.differences }
    }

    /// Where a row of the table stands in the view, and the first row of the closed fold that hides it.
    pub fn find(&self, row: u32) -> (Option<u32>, Option<u32>) {
        let here = |p: &Place| match p {
            Place::Row(n) => *n == row,
            Place::Fold { from, to, open } => !open && (*from..=*to).contains(&row),
        };
        let at = self.places.iter().position(here);
        let fold = at.and_then(|i| match self.places.get(i) {
            Some(Place::Fold { from, .. }) => Some(*from),
            _ => None,
        });
        (at.map(|i| i as u32), fold)
    }

    /// The next row of the table that differs after `from`, or before it; goes round once. Neighbours that differ are
    /// one difference, found by its first row.
    pub fn next_difference(&self, found: &Comparison, from: Option<u32>, back: bool) -> Option<u32> {
        let mut firsts = Vec::new();
        let mut before = false;
        for place in &self.places {
            let Place::Row(n) = place else {
                before = false;
                continue;
            };
            let this = found.rows.get(*n as usize).is_some_and(differs);
            if this && !before {
                firsts.push(*n);
            }
            before = this;
        }
        match (from, back) {
            (None, false) => firsts.first(),
            (None, true) => firsts.last(),
            (Some(from), false) => firsts.iter().find(|n| **n > from).or(firsts.first()),
            (Some(from), true) => firsts.iter().rev().find(|n| **n < from).or(firsts.last()),
        }
        .copied()
    }
}

/// Stretches of rows that all differ, or all do not.
struct Stretches;

impl Stretches {
    fn of(rows: &[(u32, &Row)]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut from = 0;
        for stretch in rows.chunk_by(|a, b| differs(a.1) == differs(b.1)) {
            out.push((from, from + stretch.len()));
            from += stretch.len();
        }
        out
    }
}

/// Both runs with what was found, for writing rows.
pub struct Sides<'a> {
    pub left: &'a Run,
    pub right: &'a Run,
    pub found: &'a Comparison,
    /// The row of the first divergence.
    pub divergence: Option<u32>,
}

impl<'a> Sides<'a> {
    pub fn new(left: &'a Run, right: &'a Run, found: &'a Comparison, divergence: Option<u32>) -> Self {
        Self { left, right, found, divergence }
    }

    fn run(&self, side: usize) -> &Run {
        if side == 0 { self.left } else { self.right }
    }

    fn row(&self, n: u32) -> CompareRow {
        let Some(row) = self.found.rows.get(n as usize) else { return CompareRow::default() };
        let [left, right] = [0, 1].map(|side| {
            let at = row.steps.get(side).copied().flatten()?;
            Some((at, self.run(side).steps.get(at as usize)?))
        });
        let same = row.relation == Relation::Same;
        let texts = match (left, right) {
            (Some((_, a)), Some((_, b))) if !same => both(&line(a, b), &line(b, a)),
            (a, b) => [a, b].map(|s| s.map(|(_, s)| vec![plain(preview(s).0)]).unwrap_or_default()),
        };
        let results = match (left, right) {
            (Some((_, a)), Some((_, b))) if !same && row.is_action => both(&result(a), &result(b)),
            (a, b) => [a, b].map(|s| {
                { s.filter(|(_, s)| s.is_action() && (!same || s.failed())).map(|(_, s)| plain(result(s))) }
                    .into_iter()
                    .filter(|p| !p.text.is_empty())
                    .collect::<Vec<_>>()
            }),
        };
        let [left_text, right_text] = texts;
        let [left_result, right_result] = results;
        let cell = |side: usize, of: Option<(u32, &Step)>, text, result| {
            of.map(|(at, s)| self.cell(side, at, s, text, result))
        };
        let cross = |list: &[crate::align::Cross], of: fn(&crate::align::Cross) -> [u32; 2]| {
            list.iter().any(|c| of(c).map(Some) == row.steps)
        };
        let crossed = if cross(&self.found.other_action, |c| c.thoughts) {
            Some("other_action")
        } else if cross(&self.found.other_thought, |c| c.actions) {
            Some("other_thought")
        } else {
            None
        };
        CompareRow {
            row: n,
            relation: row.relation.id().into(),
            likeness: share(row.likeness),
            left: cell(0, left, left_text, left_result),
            right: cell(1, right, right_text, right_result),
            cross: crossed.map(str::to_owned),
            divergence: self.divergence == Some(n),
            fold: None,
        }
    }

    fn cell(&self, side: usize, at: u32, step: &Step, text: Vec<Piece>, result: Vec<Piece>) -> CompareCell {
        let actions = self.found.actions.steps.get(side).map(Vec::as_slice).unwrap_or_default();
        CompareCell {
            step: at,
            action: actions.binary_search(&at).ok().map(|n| n as u32),
            actor: step.actor().id().into(),
            label: match step.call.as_deref() {
                Some(call) => tool_label(&call.tool),
                None => step.name.as_deref().unwrap_or_default().chars().take(60).collect(),
            },
            mono: preview(step).1,
            text,
            result,
            failed: step.failed(),
        }
    }

    fn fold(&self, from: u32, to: u32, open: bool) -> CompareRow {
        let rows = self.found.rows.get(from as usize..=to as usize).unwrap_or_default();
        let mut tools: Vec<(String, u32)> = Vec::new();
        let steps = rows.iter().filter(|r| r.is_action).filter_map(|r| r.steps[0]);
        for call in steps.filter_map(|s| self.left.steps.get(s as usize)).filter_map(|s| s.call.as_deref()) {
            let label = tool_label(&call.tool);
            match tools.iter_mut().find(|(t, _)| *t == label) {
                Some((_, n)) => *n += 1,
                None => tools.push((label, 1)),
            }
        }
        tools.truncate(8);
        let actions = rows.iter().filter(|r| r.is_action).count() as u32;
        let fold = CompareFold { rows: rows.len() as u32, actions, open, tools };
        CompareRow { row: from, relation: "fold".into(), fold: Some(fold), ..CompareRow::default() }
    }
}

fn plain(text: String) -> Piece {
    Piece { differs: false, text }
}

/// The line of a step, with what differs from the other side in it: where the usual line does not show it, the
/// arguments that differ.
fn line(step: &Step, other: &Step) -> String {
    let (mine, theirs) = (preview(step).0, preview(other).0);
    let entries = |s: &Step| s.call.as_deref().and_then(|c| canonical_entries(&c.args));
    let (Some(a), Some(b), true) = (entries(step), entries(other), mine == theirs) else { return mine };
    let changed = a.iter().filter(|e| !b.contains(e)).take(6);
    let changed: Vec<String> = changed.map(|(k, v)| format!("{k} {}", format::one_line(v, 160))).collect();
    if changed.is_empty() { mine } else { format!("{mine}, {}", changed.join(", ")) }
}

/// The first line of a result; nothing where there is none.
fn result(step: &Step) -> String {
    let Some(call) = step.call.as_deref() else { return String::new() };
    let text = call.observation.as_ref().map(|o| o.content.text.as_ref()).unwrap_or_default();
    format::one_line(&text.chars().take(2_000).collect::<String>(), 200)
}

/// Two lines with what differs marked on each.
fn both(left: &str, right: &str) -> [Vec<Piece>; 2] {
    let (mut a, mut b): (Vec<Piece>, Vec<Piece>) = (Vec::new(), Vec::new());
    for (sign, text) in pieces(left, right) {
        let differs = sign != "=";
        if sign != "+" {
            a.push(Piece { differs, text: text.clone() });
        }
        if sign != "-" {
            b.push(Piece { differs, text });
        }
    }
    [a, b]
}
