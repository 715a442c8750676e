//! A comparison as it is printed: the object of `compare --json`, the text for a terminal, the table as Markdown.
//! O(pairs + rows).

use serde_json::{Value, json};

use super::compare::{After, DivergenceReport, MoveReport, TrackReport, compare_report, share};
use super::rows::{preview, tool_label};
use crate::align::{Comparison, Cross, Pair, Params, Relation, Row, Track};
use crate::format;
use crate::message::{Lang, fill_id};
use crate::model::Run;

/// One run of the comparison in the printed report.
pub struct Compared<'a> {
    pub file: &'a str,
    pub run: &'a Run,
}

/// The object that `compare --json` prints; `schemas/compare.schema.json` describes it.
pub fn compare_json(left: &Compared<'_>, right: &Compared<'_>, found: &Comparison, params: &Params) -> Value {
    let report = compare_report(left.run, right.run, found);
    // Actions where there are any: they are what both sides have in whole.
    let by_actions = report.actions.left + report.actions.right > 0;
    let (track, main) = if by_actions { ("actions", &report.actions) } else { ("thoughts", &report.thoughts) };
    let of = if by_actions { &found.actions } else { &found.thoughts };
    let tracks = |r: &TrackReport, t: &Track| {
        json!({
            "left": r.left,
            "right": r.right,
            "ratio": r.ratio,
            "coverage": [r.coverage_left, r.coverage_right],
            "bag_ratio": r.bag_ratio,
            "bag_exact": r.bag_exact,
            "order_loss": r.order_loss,
            "move_ratio": r.move_ratio,
            "kendall_tau": r.kendall_tau,
            "anchored": r.anchored,
            "tail": t.tail,
            "moves": moves(r),
            "pairs": pairs(t),
        })
    };
    let side = |c: &Compared<'_>, withheld: u32| {
        json!({
            "file": c.file,
            "id": c.run.id,
            "title": c.run.title,
            "calls": c.run.calls(),
            "errors": c.run.errors(),
            "withheld_thoughts": withheld,
        })
    };
    json!({
        "left": side(left, found.withheld[0]),
        "right": side(right, found.withheld[1]),
        "same": params.same.id(),
        "threshold": params.threshold,
        "track": track,
        "ratio": main.ratio,
        "order_loss": main.order_loss,
        "coverage": [main.coverage_left, main.coverage_right],
        "first_divergence": report.divergence.as_ref().map(divergence_json),
        "moves": moves(main),
        "pairs": pairs(of),
        "actions": tracks(&report.actions, &found.actions),
        "thoughts": tracks(&report.thoughts, &found.thoughts),
        "note": report.note.as_deref().map(|id| fill_id(Lang::En, id, &[])),
        "other_action": cross_json(&found.other_action),
        "other_thought": cross_json(&found.other_thought),
    })
}

fn moves(track: &TrackReport) -> Vec<Value> {
    let one = |m: &MoveReport| {
        json!({
            "left": m.left, "right": m.right, "length": m.length,
            "left_step": m.left_step, "right_step": m.right_step,
        })
    };
    track.moves.iter().map(one).collect()
}

fn pairs(track: &Track) -> Vec<Value> {
    let step = |side: usize, at: u32| track.steps.get(side).and_then(|s| s.get(at as usize)).copied();
    let one = |p: &Pair| {
        json!({
            "left": p.left, "right": p.right, "left_step": step(0, p.left), "right_step": step(1, p.right),
            "similarity": share(p.likeness), "tier": p.tier.id(),
        })
    };
    track.pairs.iter().map(one).collect()
}

fn cross_json(list: &[Cross]) -> Vec<Value> {
    list.iter().map(|c| json!({"thoughts": c.thoughts, "actions": c.actions})).collect()
}

fn divergence_json(d: &DivergenceReport) -> Value {
    let after = |a: &After| {
        json!({
            "actions": a.actions, "tokens": a.tokens, "cost": a.cost,
            "cost_estimated": a.cost.map(|_| a.cost_estimated), "seconds": a.seconds,
        })
    };
    json!({
        "left": d.left,
        "right": d.right,
        "cause": d.cause,
        "what": d.what,
        "unit": d.unit,
        "left_step": d.left_step,
        "right_step": d.right_step,
        "thoughts": d.thoughts,
        "downstream": [after(&d.left_after), after(&d.right_after)],
        "message": fill_id(Lang::En, &d.sentence.0, &d.sentence.1),
    })
}

/// The same for a terminal.
pub fn compare_text(left: &Compared<'_>, right: &Compared<'_>, found: &Comparison) -> String {
    let report = compare_report(left.run, right.run, found);
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    let name = |c: &Compared<'_>| if c.run.title.is_empty() { c.file.to_owned() } else { c.run.title.clone() };
    line(format!("left   {}", name(left)));
    line(format!("right  {}", name(right)));
    for (what, t) in [("actions", &report.actions), ("thoughts", &report.thoughts)] {
        let percent = |s: Option<f64>| s.map_or_else(|| format::UNKNOWN.to_owned(), format::percent);
        line(format!(
            "{what}: {} of {} | {} of {} aligned, ratio {}, order kept {}{}",
            t.pairs,
            t.left,
            t.pairs,
            t.right,
            format::percent(t.ratio),
            percent(t.order_kept),
            if t.moves.is_empty() { String::new() } else { format!(", {} moved", t.moves.len()) },
        ));
    }
    if let Some(id) = &report.note {
        line(fill_id(Lang::En, id, &[]));
    }
    if !found.other_action.is_empty() {
        line(format!("same thought, other action: {}", found.other_action.len()));
    }
    if !found.other_thought.is_empty() {
        line(format!("same action, other thought: {}", found.other_thought.len()));
    }
    match &report.divergence {
        None => line(fill_id(Lang::En, "divergence.none", &[])),
        Some(d) => {
            let at = |n: Option<u32>| n.map_or_else(|| format::UNKNOWN.to_owned(), |n| (n + 1).to_string());
            let message = fill_id(Lang::En, &d.sentence.0, &d.sentence.1);
            line(format!("first divergence at {} {} | {}: {message}", d.unit, at(d.left), at(d.right)));
            for (side, a) in [("left", &d.left_after), ("right", &d.right_after)] {
                let unknown = || format::UNKNOWN.to_owned();
                line(format!(
                    "  after it, {side}: {} actions, {} tokens, cost {}{}, {}",
                    a.actions,
                    a.tokens.map_or_else(unknown, format::count),
                    a.cost.map_or_else(unknown, format::money),
                    if a.cost_estimated { " (estimate)" } else { "" },
                    a.seconds.map_or_else(unknown, |s| format::duration(s * 1000.0)),
                ));
            }
        }
    }
    line(String::new());
    out.push_str(&table(left.run, right.run, found));
    out
}

/// The rows as lines, long equal stretches in one.
fn table(left: &Run, right: &Run, found: &Comparison) -> String {
    let mut out = String::new();
    let label = |run: &Run, step: Option<u32>| {
        let Some((at, step)) = step.and_then(|s| Some((s, run.steps.get(s as usize)?))) else {
            return format::UNKNOWN.to_owned();
        };
        let (preview, _) = preview(step);
        let what = step.call.as_deref().map_or_else(|| step.kind.id().to_owned(), |c| tool_label(&c.tool));
        format!("{} {}", at + 1, format::one_line(&format!("{what} {preview}"), 60))
    };
    let dull = |r: &Row| r.relation == Relation::Same;
    for stretch in found.rows.chunk_by(|a, b| dull(a) && dull(b)) {
        if stretch.len() > 3 && stretch.iter().all(dull) {
            out.push_str(&format!("  … {} equal rows\n", stretch.len()));
            continue;
        }
        for row in stretch {
            let sign = match row.relation {
                Relation::Same => "=".to_owned(),
                Relation::Alike => format!("≈ {:.2}", share(row.likeness)),
                Relation::OtherResult => "≠ result".to_owned(),
                Relation::OtherArguments => "≠ arguments".to_owned(),
                Relation::OnlyLeft => "- left".to_owned(),
                Relation::OnlyRight => "+ right".to_owned(),
            };
            out.push_str(&format!("  {sign:12} {:64} {}\n", label(left, row.steps[0]), label(right, row.steps[1])));
        }
    }
    out
}

/// The table as Markdown, every row.
pub fn compare_markdown(left: &Compared<'_>, right: &Compared<'_>, found: &Comparison) -> String {
    let cell = |text: &str| format::one_line(text, 160).replace('\\', "\\\\").replace('|', "\\|").replace('`', "\\`");
    let side = |run: &Run, step: Option<u32>| {
        let Some((at, step)) = step.and_then(|s| Some((s, run.steps.get(s as usize)?))) else { return String::new() };
        let what = step.call.as_deref().map_or_else(|| step.kind.id().to_owned(), |c| tool_label(&c.tool));
        cell(&format!("{} {what} {}", at + 1, preview(step).0))
    };
    let mut out = format!("| {} | | {} |\n|---|---|---|\n", cell(&left.run.title), cell(&right.run.title));
    for row in &found.rows {
        let likeness = format!("{:.2}", share(row.likeness));
        let relation =
            fill_id(Lang::En, &format!("relation.{}", row.relation.id()), &[("likeness".to_owned(), likeness)]);
        let (a, b) = (side(left.run, row.steps[0]), side(right.run, row.steps[1]));
        out.push_str(&format!("| {a} | {relation} | {b} |\n"));
    }
    out
}
