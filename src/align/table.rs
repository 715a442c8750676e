//! The rows of the table: both runs in one order, actions and messages together.
//!
//! The pairs of the actions' track are the anchors. Between two anchors messages are paired by likeness with messages
//! of the same speaker, and calls of one tool with each other (a hundred times less than a text would weigh, more with
//! more arguments in common), in order. O(n·m) inside a stretch between anchors; stretches above the bound on cells
//! are cut into parts of equal share.

use super::soft::{MAX_CELLS, ONE, Weights, best_pairs, text_weights};
use super::track::Track;
use super::units::{Numbering, Unit};
use super::{Params, Sameness, Side, arguments_in_common, results_differ};
use crate::model::StepKind;

/// How the two sides of a row stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same action, or one text but for its form.
    Same,
    /// Texts of this likeness, in millionths.
    Alike,
    /// The same call with another result.
    OtherResult,
    /// One tool, other arguments.
    OtherArguments,
    OnlyLeft,
    OnlyRight,
}

impl Relation {
    pub const ALL: [Relation; 6] =
        [Self::Same, Self::Alike, Self::OtherResult, Self::OtherArguments, Self::OnlyLeft, Self::OnlyRight];

    pub fn id(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Alike => "alike",
            Self::OtherResult => "other_result",
            Self::OtherArguments => "other_arguments",
            Self::OnlyLeft => "only_left",
            Self::OnlyRight => "only_right",
        }
    }
}

/// One row: step indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub steps: [Option<u32>; 2],
    pub relation: Relation,
    /// Of texts, and of calls with other arguments: what they have in common, in millionths.
    pub likeness: u32,
    pub is_action: bool,
}

/// What stands in a row's cell.
struct Element {
    step: u32,
    /// Index among the actions.
    action: Option<u32>,
    unit: Option<Unit>,
}

/// What is shown: what persons and agents did. Prompts, injected texts and raw records are left out.
fn elements(side: &Side<'_>, numbering: &mut Numbering) -> Vec<Element> {
    let mut actions = 0;
    let mut units = side.units.units.iter().peekable();
    let mut out = Vec::new();
    for (i, step) in side.run.steps.iter().enumerate() {
        let i = i as u32;
        let known = units.next_if(|u| u.step == i).cloned();
        let unit = match step.kind {
            StepKind::Action => {
                out.push(Element { step: i, action: Some(actions), unit: None });
                actions += 1;
                continue;
            }
            StepKind::Person | StepKind::Thought | StepKind::Say => known,
            StepKind::Compaction | StepKind::Notice | StepKind::Orphan => {
                numbering.unit(i, step.actor(), &step.content.text)
            }
            StepKind::System | StepKind::Injected | StepKind::Raw => continue,
        };
        if unit.is_some() || !step.content.is_empty() {
            out.push(Element { step: i, action: None, unit });
        }
    }
    out
}

pub(super) fn rows(
    left: &Side<'_>,
    right: &Side<'_>,
    actions: &Track,
    numbering: &mut Numbering,
    params: &Params,
) -> Vec<Row> {
    let (a, b) = (elements(left, numbering), elements(right, numbering));
    let place = |list: &[Element]| list.iter().enumerate().filter_map(|(i, e)| e.action.map(|_| i)).collect::<Vec<_>>();
    let (a_places, b_places) = (place(&a), place(&b));
    let mut out = Vec::new();
    let mut from = (0, 0);
    let ends = actions.pairs.iter().filter_map(|p| {
        Some((*a_places.get(p.left as usize)?, *b_places.get(p.right as usize)?, Some((p.left, p.right))))
    });
    for (i, j, anchor) in ends.chain([(a.len(), b.len(), None)]) {
        let (mine, theirs) = (a.get(from.0..i).unwrap_or_default(), b.get(from.1..j).unwrap_or_default());
        between(left, right, mine, theirs, params, &mut out);
        if let (Some(pair), Some(x), Some(y)) = (anchor, a.get(i), b.get(j)) {
            let (relation, likeness) = relation_of(left, right, pair, params);
            out.push(Row { steps: [Some(x.step), Some(y.step)], relation, likeness, is_action: true });
        }
        from = (i + 1, j + 1);
    }
    out
}

/// How two calls of one tool stand to each other.
fn relation_of(left: &Side<'_>, right: &Side<'_>, pair: (u32, u32), params: &Params) -> (Relation, u32) {
    let (Some(a), Some(b)) = (left.key(pair.0), right.key(pair.1)) else { return (Relation::Same, ONE) };
    if a.call != b.call {
        return (Relation::OtherArguments, arguments_in_common(left, right, pair));
    }
    let strict = params.same == Sameness::Outcome;
    let relation = if results_differ(left, right, pair, strict) { Relation::OtherResult } else { Relation::Same };
    (relation, ONE)
}

/// The rows of a stretch without anchors.
fn between(left: &Side<'_>, right: &Side<'_>, a: &[Element], b: &[Element], params: &Params, out: &mut Vec<Row>) {
    let (n, m) = (a.len(), b.len());
    let parts = (1..).find(|k| n.div_ceil(*k).saturating_mul(m.div_ceil(*k)) <= MAX_CELLS).unwrap_or(1);
    for k in 0..parts {
        let cut = |of: usize| (of * k / parts)..(of * (k + 1) / parts);
        let (a, b) = (a.get(cut(n)).unwrap_or_default(), b.get(cut(m)).unwrap_or_default());
        let weights = weights(left, right, a, b, params);
        let mut from = (0, 0);
        let pairs = best_pairs(&weights, b.len());
        for (i, j) in pairs.iter().map(|p| (p.left as usize, p.right as usize)).chain([(a.len(), b.len())]) {
            let only = |e: &Element, relation| {
                let step = Some(e.step);
                let steps = if relation == Relation::OnlyLeft { [step, None] } else { [None, step] };
                Row { steps, relation, likeness: 0, is_action: e.action.is_some() }
            };
            out.extend(a.get(from.0..i).into_iter().flatten().map(|e| only(e, Relation::OnlyLeft)));
            out.extend(b.get(from.1..j).into_iter().flatten().map(|e| only(e, Relation::OnlyRight)));
            from = (i + 1, j + 1);
            let (Some(x), Some(y)) = (a.get(i), b.get(j)) else { continue };
            let (relation, likeness) = match (x.action, y.action) {
                (Some(x), Some(y)) => relation_of(left, right, (x, y), params),
                _ => match x.unit.as_ref().zip(y.unit.as_ref()).map_or(ONE, |(x, y)| super::likeness(x, y)) {
                    ONE if x.unit.as_ref().map(|u| u.normal) == y.unit.as_ref().map(|u| u.normal) => {
                        (Relation::Same, ONE)
                    }
                    likeness => (Relation::Alike, likeness),
                },
            };
            let steps = [Some(x.step), Some(y.step)];
            out.push(Row { steps, relation, likeness, is_action: x.action.is_some() });
        }
    }
}

/// The elements that are texts: their places, and their units.
fn texts(list: &[Element]) -> (Vec<usize>, Vec<&Unit>) {
    list.iter().enumerate().filter_map(|(i, e)| Some((i, e.unit.as_ref()?))).unzip()
}

/// The weights of a stretch: texts by likeness, calls of one tool.
fn weights(left: &Side<'_>, right: &Side<'_>, a: &[Element], b: &[Element], params: &Params) -> Weights {
    let (a_texts, a_units) = texts(a);
    let (b_texts, b_units) = texts(b);
    let alike = text_weights(&a_units, &b_units, params.least());
    let mut out: Weights = vec![Vec::new(); a.len()];
    for (row, i) in alike.into_iter().zip(&a_texts) {
        if let Some(slot) = out.get_mut(*i) {
            slot.extend(row.into_iter().filter_map(|(j, w)| Some((*b_texts.get(j as usize)? as u32, w))));
        }
    }
    for (slot, x) in out.iter_mut().zip(a) {
        let Some(x) = x.action else { continue };
        for (j, y) in b.iter().enumerate() {
            let Some(y) = y.action else { continue };
            let tools = (left.key(x).map(|k| k.tool), right.key(y).map(|k| k.tool));
            if tools.0 == tools.1 {
                let one_call = left.key(x).map(|k| k.call) == right.key(y).map(|k| k.call);
                let more = if one_call { ONE / 2 } else { arguments_in_common(left, right, (x, y)) / 100 };
                // Of calls that are as like, those that ended alike: a try that failed stands for none that succeeded.
                let failed = |side: &Side<'_>, at: u32| side.step(at).is_some_and(crate::model::Step::failed);
                let alike = u32::from(failed(left, x) == failed(right, y)) * (ONE / 1000);
                slot.push((j as u32, ONE / 100 + more + alike));
            }
        }
    }
    out
}

/// Exchanges the sides: in a stretch without counterpart the left side stands first.
pub(super) fn mirror(rows: &mut [Row]) {
    for row in rows.iter_mut() {
        row.steps.reverse();
        row.relation = match row.relation {
            Relation::OnlyLeft => Relation::OnlyRight,
            Relation::OnlyRight => Relation::OnlyLeft,
            other => other,
        };
    }
    let alone = |row: &Row| matches!(row.relation, Relation::OnlyLeft | Relation::OnlyRight);
    for stretch in rows.chunk_by_mut(|a, b| alone(a) && alone(b)) {
        stretch.sort_by_key(|row| row.relation == Relation::OnlyRight);
    }
}
