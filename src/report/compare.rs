//! A comparison as the screen, the command line and exports show it: figures, the divergence with its sentence, the
//! path, and the two sides in full of one row. Building it is O(pairs); rows come from [`super::compare_rows`], what is
//! printed from [`super::compare_print`].

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::rows::tool_label;
use crate::align::{Cause, Comparison, Cross, Divergence, Downstream, ONE, Row, Track};
use crate::format;
use crate::model::{Run, Step, canonical_entries};
use crate::topology::{dfg, similarity};

/// A run that is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunRef {
    pub document: u32,
    pub run: u32,
}

/// What the person can set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareOptions {
    /// `tool`, `call` or `outcome`: what makes two actions the same.
    pub same: String,
    /// Likeness from which two texts are paired.
    pub threshold: f64,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { same: "call".into(), threshold: 0.30 }
    }
}

/// Two runs side by side, without the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CompareReport {
    pub actions: TrackReport,
    pub thoughts: TrackReport,
    /// Id of a sentence when thoughts cannot be compared: `compare.withheld` or `compare.no-thoughts`.
    pub note: Option<String>,
    /// Thoughts that are in the file without their text, left and right.
    pub withheld: (u32, u32),
    /// `None`: nothing differs.
    pub divergence: Option<DivergenceReport>,
    /// Aligned thoughts that lead to different actions, and aligned actions that different thoughts led to. At most
    /// [`MAX_CROSSES`] of each.
    pub other_action: Vec<CrossReport>,
    pub other_thought: Vec<CrossReport>,
    /// The way through both runs, in actions.
    pub path: Vec<PathPiece>,
    /// Rows of the whole table.
    pub rows: u32,
    /// How alike the directly-follows graphs are, 0 to 1: see docs/topology.md.
    pub shape_alike: f64,
}

/// Crosses listed of each kind.
pub const MAX_CROSSES: usize = 500;
/// Pieces of the path; above, neighbours are drawn as one.
pub const MAX_PATH: usize = 1_000;

/// The figures of one track; docs/alignment.md defines them. Lengths and places in the track's own counting.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TrackReport {
    pub left: u32,
    pub right: u32,
    pub pairs: u32,
    /// Pairs of equal elements.
    pub same: u32,
    pub ratio: f64,
    pub coverage_left: Option<f64>,
    pub coverage_right: Option<f64>,
    pub bag_ratio: f64,
    pub bag_exact: bool,
    pub order_loss: f64,
    /// `ratio / bag_ratio`: how much of what is common stands in the same order. `None` when nothing is common.
    pub order_kept: Option<f64>,
    pub move_ratio: f64,
    pub kendall_tau: Option<f64>,
    pub anchored: bool,
    pub moves: Vec<MoveReport>,
}

/// A block that stands elsewhere; with the steps where it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    pub left: u32,
    pub right: u32,
    pub length: u32,
    pub left_step: u32,
    pub right_step: u32,
}

/// The first divergence.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DivergenceReport {
    /// `other_thought`, `other_tool`, `other_arguments`, `other_result` or `ended`.
    pub cause: String,
    /// Of an `other_thought`, how the actions differ.
    pub what: String,
    /// `action` or `thought`: what `left` and `right` count.
    pub unit: String,
    pub left: Option<u32>,
    pub right: Option<u32>,
    pub left_step: Option<u32>,
    pub right_step: Option<u32>,
    /// Likeness of the thoughts that led there.
    pub thoughts: Option<f64>,
    pub left_after: After,
    pub right_after: After,
    /// Sentence by id and values.
    pub sentence: (String, Vec<(String, String)>),
    /// Its row in the whole table.
    pub row: u32,
}

/// What follows behind the divergence. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct After {
    pub actions: u32,
    pub tokens: Option<u64>,
    pub cost: Option<f64>,
    pub cost_estimated: bool,
    pub seconds: Option<f64>,
}

/// Steps of a thought and of the action that it led to, left and right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CrossReport {
    pub thoughts: (u32, u32),
    pub actions: (u32, u32),
}

/// A stretch of the path: so many actions left and right that stand in one relation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PathPiece {
    /// `same`, `other_arguments`, `other_result`, `only_left`, `only_right`, or `mixed` where pieces were joined.
    pub relation: String,
    pub left: u32,
    pub right: u32,
}

/// Both sides of one row in full, with what differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PairDetail {
    pub relation: String,
    pub likeness: f64,
    pub left_step: Option<u32>,
    pub right_step: Option<u32>,
    pub parts: Vec<PairPart>,
}

/// One part of a row: the text, an argument, the result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairPart {
    /// `text`, `tool`, `argument`, `arguments` or `result`.
    pub kind: String,
    /// The argument's name.
    pub name: String,
    pub differs: bool,
    /// Pieces in order; `=` on both sides, `-` left only, `+` right only.
    pub pieces: Vec<(String, String)>,
    /// Characters were left out.
    pub cut: bool,
}

pub(crate) fn share(micro: u32) -> f64 {
    f64::from(micro) / f64::from(ONE)
}

/// Fills the report.
pub fn compare_report(left: &Run, right: &Run, found: &Comparison) -> CompareReport {
    CompareReport {
        actions: track(&found.actions),
        thoughts: track(&found.thoughts),
        note: note(found).map(str::to_owned),
        withheld: (found.withheld[0], found.withheld[1]),
        divergence: found.divergence.as_ref().map(|d| divergence(left, right, found, d)),
        other_action: crosses(&found.other_action),
        other_thought: crosses(&found.other_thought),
        path: path(&found.rows),
        rows: found.rows.len() as u32,
        shape_alike: similarity(&dfg(left), &dfg(right)),
    }
}

/// Why thoughts cannot be compared.
fn note(found: &Comparison) -> Option<&'static str> {
    let [a, b] = &found.thoughts.steps;
    match (a.is_empty() || b.is_empty(), found.withheld) {
        (false, _) => None,
        (true, [0, 0]) => Some("compare.no-thoughts"),
        (true, _) => Some("compare.withheld"),
    }
}

fn track(track: &Track) -> TrackReport {
    let step = |side: usize, at: u32| track.steps.get(side).and_then(|s| s.get(at as usize)).copied().unwrap_or(0);
    TrackReport {
        left: track.steps[0].len() as u32,
        right: track.steps[1].len() as u32,
        pairs: track.pairs.len() as u32,
        same: track.pairs.iter().filter(|p| p.likeness == ONE).count() as u32,
        ratio: track.ratio,
        coverage_left: track.coverage[0],
        coverage_right: track.coverage[1],
        bag_ratio: track.bag_ratio,
        bag_exact: track.bag_exact,
        order_loss: track.order_loss,
        order_kept: (track.bag_ratio > 0.0).then(|| track.ratio / track.bag_ratio),
        move_ratio: track.move_ratio,
        kendall_tau: track.kendall_tau,
        anchored: track.anchored,
        moves: track
            .moves
            .iter()
            .map(|m| MoveReport {
                left: m.left,
                right: m.right,
                length: m.length,
                left_step: step(0, m.left),
                right_step: step(1, m.right),
            })
            .collect(),
    }
}

fn crosses(list: &[Cross]) -> Vec<CrossReport> {
    let pair = |two: [u32; 2]| (two[0], two[1]);
    list.iter()
        .take(MAX_CROSSES)
        .map(|c| CrossReport { thoughts: pair(c.thoughts), actions: pair(c.actions) })
        .collect()
}

fn after(d: &Downstream) -> After {
    After { actions: d.actions, tokens: d.tokens, cost: d.cost, cost_estimated: d.cost_estimated, seconds: d.seconds }
}

fn divergence(left: &Run, right: &Run, found: &Comparison, d: &Divergence) -> DivergenceReport {
    let is_there = |r: &Row| d.steps.iter().zip(&r.steps).any(|(d, r)| d.is_some() && d == r);
    DivergenceReport {
        cause: d.cause.id().into(),
        what: d.what.id().into(),
        unit: if d.is_action { "action" } else { "thought" }.into(),
        left: d.at[0],
        right: d.at[1],
        left_step: d.steps[0],
        right_step: d.steps[1],
        thoughts: d.thoughts.map(share),
        left_after: after(&d.downstream[0]),
        right_after: after(&d.downstream[1]),
        sentence: sentence(left, right, d),
        row: found.rows.iter().position(is_there).unwrap_or(0) as u32,
    }
}

/// What a person is told of the divergence.
fn sentence(left: &Run, right: &Run, d: &Divergence) -> (String, Vec<(String, String)>) {
    let step = |run: &'_ Run, at: Option<u32>| at.and_then(|s| run.steps.get(s as usize)).cloned();
    let (a, b) = (step(left, d.steps[0]), step(right, d.steps[1]));
    let tool = |s: &Option<Step>| s.as_ref().and_then(|s| s.call.as_deref()).map(|c| tool_label(&c.tool));
    let mut args = vec![
        ("left".to_owned(), tool(&a).unwrap_or_else(|| format::UNKNOWN.into())),
        ("right".to_owned(), tool(&b).unwrap_or_else(|| format::UNKNOWN.into())),
    ];
    let id = match (d.cause, d.is_action) {
        (Cause::Ended, _) => {
            let (id, n) = match d.at {
                [Some(_), _] => ("left", d.downstream[0].actions),
                _ => ("right", d.downstream[1].actions),
            };
            args.push(("n".into(), (n + u32::from(d.is_action)).to_string()));
            if d.is_action { format!("divergence.ended-{id}") } else { format!("divergence.ended-text-{id}") }
        }
        (Cause::OtherThought, false) => "divergence.other_thought-text".into(),
        (Cause::OtherThought, true) => {
            let what = if d.what == Cause::OtherTool { "tool" } else { "arguments" };
            format!("divergence.other_thought-{what}")
        }
        (Cause::OtherArguments, _) => {
            let (keys, n) = differing_keys(&a, &b);
            args.push(("keys".into(), keys));
            args.push(("n".into(), n.to_string()));
            if n > 0 { "divergence.other_arguments-keys" } else { "divergence.other_arguments" }.into()
        }
        (cause, _) => format!("divergence.{}", cause.id()),
    };
    (id, args)
}

/// Names of the arguments that differ, at most four, and how many there are.
fn differing_keys(a: &Option<Step>, b: &Option<Step>) -> (String, usize) {
    let entries =
        |s: &Option<Step>| s.as_ref().and_then(|s| s.call.as_deref()).and_then(|c| canonical_entries(&c.args));
    let (Some(a), Some(b)) = (entries(a), entries(b)) else { return (String::new(), 0) };
    let mut keys: Vec<&str> = a.iter().filter(|e| !b.contains(e)).map(|(k, _)| k.as_str()).collect();
    keys.extend(b.iter().filter(|e| !a.contains(e)).map(|(k, _)| k.as_str()));
    keys.sort_unstable();
    keys.dedup();
    (keys.iter().take(4).copied().collect::<Vec<_>>().join(", "), keys.len())
}

/// The rows of actions as stretches.
fn path(rows: &[Row]) -> Vec<PathPiece> {
    let mut out: Vec<PathPiece> = Vec::new();
    for row in rows.iter().filter(|r| r.is_action) {
        let (left, right) = (u32::from(row.steps[0].is_some()), u32::from(row.steps[1].is_some()));
        match out.last_mut().filter(|p| p.relation == row.relation.id()) {
            Some(piece) => {
                piece.left += left;
                piece.right += right;
            }
            None => out.push(PathPiece { relation: row.relation.id().into(), left, right }),
        }
    }
    if out.len() <= MAX_PATH {
        return out;
    }
    let each = out.len().div_ceil(MAX_PATH);
    let join = |pieces: &[PathPiece]| {
        let first = pieces.first().map(|p| p.relation.clone()).unwrap_or_default();
        let one = pieces.iter().all(|p| p.relation == first);
        PathPiece {
            relation: if one { first } else { "mixed".into() },
            left: pieces.iter().map(|p| p.left).sum(),
            right: pieces.iter().map(|p| p.right).sum(),
        }
    };
    out.chunks(each).map(join).collect()
}

/// Characters of a part that are compared word by word.
const MAX_PART: usize = 20_000;

/// Both sides of a row in full.
pub fn pair_detail(left: &Run, right: &Run, row: &Row) -> PairDetail {
    let step = |run: &'_ Run, at: Option<u32>| at.and_then(|s| run.steps.get(s as usize)).cloned();
    let (a, b) = (step(left, row.steps[0]), step(right, row.steps[1]));
    let mut parts = Vec::new();
    let call = |s: &'_ Option<Step>| s.as_ref().and_then(|s| s.call.clone());
    if row.is_action {
        let (x, y) = (call(&a), call(&b));
        let text = |of: Option<String>| of.unwrap_or_default();
        let both =
            |of: &dyn Fn(&crate::model::Call) -> String| (text(x.as_deref().map(of)), text(y.as_deref().map(of)));
        let (tool_a, tool_b) = both(&|c| c.tool.to_string());
        parts.push(part("tool", "", &tool_a, &tool_b));
        let entries = |c: &Option<Box<crate::model::Call>>| c.as_deref().and_then(|c| canonical_entries(&c.args));
        match (entries(&x), entries(&y)) {
            (None, None) => {
                let (raw_a, raw_b) = both(&|c| c.args.raw.to_string());
                parts.push(part("arguments", "", &raw_a, &raw_b));
            }
            (p, q) => {
                let (p, q) = (p.unwrap_or_default(), q.unwrap_or_default());
                let mut names: Vec<&String> = p.iter().chain(&q).map(|(k, _)| k).collect();
                names.sort_unstable();
                names.dedup();
                let value = |list: &[(String, String)], name: &str| {
                    list.iter().find(|(k, _)| k == name).map(|(_, v)| plain_value(v)).unwrap_or_default()
                };
                parts.extend(names.into_iter().map(|n| part("argument", n, &value(&p, n), &value(&q, n))));
            }
        }
        let result = |c: &crate::model::Call| c.observation.as_ref().map(|o| o.content.text.to_string());
        let (result_a, result_b) = both(&|c| result(c).unwrap_or_default());
        parts.push(part("result", "", &result_a, &result_b));
    } else {
        let text = |s: &Option<Step>| s.as_ref().map(|s| s.content.text.to_string()).unwrap_or_default();
        parts.push(part("text", "", &text(&a), &text(&b)));
    }
    PairDetail {
        relation: row.relation.id().into(),
        likeness: share(row.likeness),
        left_step: row.steps[0],
        right_step: row.steps[1],
        parts,
    }
}

/// A canonical value as a person reads it: a string without its quotes.
fn plain_value(value: &str) -> String {
    let mut tape = crate::json::Tape::new();
    let root = tape.parse(value).root();
    root.as_str().map_or_else(|| value.to_owned(), |s| s.into_owned())
}

fn part(kind: &str, name: &str, left: &str, right: &str) -> PairPart {
    let head = |text: &str| text.chars().take(MAX_PART).collect::<String>();
    let (a, b) = (head(left), head(right));
    let cut = a.len() < left.len() || b.len() < right.len();
    PairPart {
        kind: kind.into(),
        name: name.into(),
        differs: left != right,
        pieces: pieces(&a, &b).into_iter().map(|(sign, text)| (sign.to_owned(), text)).collect(),
        cut,
    }
}

/// The difference of two texts by words, neighbours of one kind joined.
pub(crate) fn pieces(left: &str, right: &str) -> Vec<(&'static str, String)> {
    if left == right {
        return if left.is_empty() { Vec::new() } else { vec![("=", left.to_owned())] };
    }
    let diff = TextDiff::from_unicode_words(left, right);
    let mut out: Vec<(&'static str, String)> = Vec::new();
    for change in diff.iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => "=",
            ChangeTag::Delete => "-",
            ChangeTag::Insert => "+",
        };
        match out.last_mut().filter(|(s, _)| *s == sign) {
            Some((_, text)) => text.push_str(change.value()),
            None => out.push((sign, change.value().to_owned())),
        }
    }
    out
}
