//! Everything about one step, for the inspector. O(the step's text, up to the caps of `blocks`).

use super::blocks;
use super::rows::{Marks, step_row};
use super::shape::{Block, Context, Detail, Md, Section, SourcePlace, UsageSummary};
use crate::json::{Kind, Tape, Val};
use crate::model::{ArgsForm, Call, Content, CostKind, Finding, Run, Step, StepKind, Usage};

/// Builds the detail of a step. `same` are the steps with the same call.
pub fn detail(
    run: &Run,
    marks: &Marks,
    index: u32,
    files: &[String],
    findings: &[Finding],
    same: Vec<u32>,
) -> Option<Detail> {
    let step = run.steps.get(index as usize)?;
    let turn = step.turn.and_then(|t| run.turns.get(t as usize));
    let lane = run.lanes.get(step.lane as usize).filter(|_| step.lane > 0);
    let start = run.steps.iter().filter_map(|s| s.at).map(|t| t.ms).min();
    let mut sections = Vec::new();
    match step.call.as_deref() {
        Some(call) => call_sections(call, &mut sections),
        None => sections.push(said_section(step)),
    }
    Some(Detail {
        row: step_row(run, marks, index),
        lane: lane.map(|l| l.name.clone()),
        model: turn.and_then(|t| t.model).and_then(|m| run.models.get(m as usize)).cloned(),
        offset_ms: step.at.zip(start).map(|(t, s)| (t.ms - s) as f64),
        at_ms: step.at.map(|t| t.ms),
        local_time: step.at.is_some_and(|t| t.local),
        exit_code: step.observation().and_then(|o| o.exit_code),
        usage: turn.filter(|t| !t.usage.is_empty()).map(|t| usage(&t.usage, None)),
        turn_steps: step.turn.map_or(0, |t| run.steps.iter().filter(|s| s.turn == Some(t)).count() as u32),
        before: before(run, marks, index),
        sections,
        after: after(run, marks, index),
        findings: findings.iter().filter(|f| f.step == Some(index)).take(50).cloned().collect(),
        same,
        place: SourcePlace {
            file: files.get(step.span.file as usize).cloned().unwrap_or_default(),
            line: (step.span.line > 0).then_some(step.span.line),
            pointer: step.span.pointer.to_string(),
        },
    })
}

/// Usage as it is shown.
pub fn usage(usage: &Usage, known_fraction: Option<f64>) -> UsageSummary {
    UsageSummary {
        input_tokens: usage.input,
        output_tokens: usage.output,
        cached_tokens: usage.cached,
        cache_write_tokens: usage.cache_write,
        cost: usage.cost,
        cost_estimated: usage.cost.is_some() && usage.cost_kind == CostKind::Estimated,
        known_fraction,
    }
}

fn measured(kind: &str, text: &str, blocks: Vec<Block>) -> Section {
    Section {
        kind: kind.into(),
        lines: Some(text.lines().count() as u32),
        chars: Some(text.chars().count() as u32),
        blocks,
    }
}

fn said_section(step: &Step) -> Section {
    let kind = match step.kind {
        StepKind::Thought => "thought",
        StepKind::Compaction => "summary",
        StepKind::Raw => "record",
        StepKind::Orphan => "result",
        _ => "said",
    };
    let text = &step.content.text;
    let blocks = match step.kind {
        StepKind::Raw => blocks::json_text(text).map_or_else(|| vec![blocks::lines(text)], |b| vec![b]),
        StepKind::Orphan => blocks::result(&step.content),
        _ => blocks::said(&step.content),
    };
    measured(kind, text, blocks)
}

fn call_sections(call: &Call, out: &mut Vec<Section>) {
    let mut change = None;
    let arguments = match call.args.form {
        ArgsForm::Json => {
            let mut tape = Tape::new();
            let root = tape.parse(&call.args.raw).root();
            change = change_of(root);
            arguments(root, change.is_some())
        }
        ArgsForm::Text => {
            change = blocks::unified(&call.args.raw);
            if change.is_some() { Vec::new() } else { vec![blocks::lines(&call.args.raw)] }
        }
        ArgsForm::Broken => vec![blocks::lines(&call.args.raw)],
    };
    // A patch that the tool reports knows the line numbers.
    if let Some(patch) = call.observation.as_ref().and_then(|o| o.structured.as_deref()) {
        let path = change.as_ref().map(|c| c.path.clone()).unwrap_or_default();
        change = structured_patch(patch, &path).or(change);
    }
    if !arguments.is_empty() {
        out.push(Section { kind: "arguments".into(), lines: None, chars: None, blocks: arguments });
    }
    if let Some(change) = change {
        out.push(Section { kind: "change".into(), lines: None, chars: None, blocks: vec![Block::Diff(change)] });
    }
    if let Some(observation) = &call.observation {
        let content = &observation.content;
        out.push(measured("result", &content.text, blocks::result(content)));
    }
}

/// The arguments as a tree; long texts that are shown as a change are left out of it.
fn arguments(root: Val<'_>, has_change: bool) -> Vec<Block> {
    // One line of a shell reads better as itself.
    if let (1, Some(command)) = (root.len(), root.str("command").or_else(|| root.str("cmd"))) {
        return vec![blocks::lines(&command)];
    }
    let mut block = blocks::json(root);
    if has_change && let Block::Json { rows, .. } = &mut block {
        const SHOWN_BELOW: [&str; 6] = ["old_string", "new_string", "old_str", "new_str", "content", "file_text"];
        for row in rows.iter_mut().filter(|r| r.depth == 1 && r.kind == "string") {
            if row.key.as_deref().is_some_and(|k| SHOWN_BELOW.contains(&k)) {
                let lines = row.value.lines().count();
                // The page words it: so many lines, shown below.
                row.kind = "below".into();
                row.value = lines.to_string();
                row.cut = 0;
            }
        }
    }
    vec![block]
}

/// The change that a call makes to a file, from its arguments.
fn change_of(root: Val<'_>) -> Option<super::shape::Diff> {
    let path = ["file_path", "path", "filename"].iter().find_map(|k| root.str(k)).unwrap_or_default();
    let pair = [("old_string", "new_string"), ("old_str", "new_str"), ("old", "new")];
    for (old, new) in pair {
        if let (Some(old), Some(new)) = (root.str(old), root.str(new)) {
            return blocks::diff(&path, &old, &new, None);
        }
    }
    for key in ["patch", "diff", "input"] {
        if let Some(diff) = root.str(key).and_then(|t| blocks::unified(&t)) {
            return Some(diff);
        }
    }
    if path.is_empty() {
        return None;
    }
    let new = root.str("file_text").or_else(|| root.str("content"))?;
    blocks::diff(&path, "", &new, None)
}

/// Claude Code's `structuredPatch`: hunks with line numbers.
fn structured_patch(raw: &str, path: &str) -> Option<super::shape::Diff> {
    let mut tape = Tape::new();
    let root = tape.parse(raw).root();
    let mut text = String::new();
    for hunk in root.items() {
        let start = |k: &str| hunk.u64(k).unwrap_or(1);
        text.push_str(&format!("@@ -{} +{} @@\n", start("oldStart"), start("newStart")));
        for line in hunk.get("lines").into_iter().flat_map(Val::items).filter(|l| l.kind() == Kind::String) {
            text.push_str(&line.text());
            text.push('\n');
        }
    }
    let mut diff = blocks::unified(&text)?;
    diff.path = path.to_owned();
    Some(diff)
}

/// What the agent said or thought right before an action of the same turn, or in the step before it.
fn before(run: &Run, marks: &Marks, index: u32) -> Option<Context> {
    let step = run.steps.get(index as usize).filter(|s| s.is_action())?;
    let found = (0..index).rev().take(40).find_map(|i| {
        let other = run.steps.get(i as usize)?;
        if other.lane != step.lane {
            return None;
        }
        let speaks = matches!(other.kind, StepKind::Say | StepKind::Thought) && !other.content.is_empty();
        let same_turn = step.turn.is_some() && other.turn == step.turn;
        match (speaks, same_turn) {
            (true, _) => Some(Some(i)),
            // Other calls of the turn stand between; anything else ends the search.
            (false, true) => None,
            (false, false) => Some(None),
        }
    })??;
    let said = run.steps.get(found as usize)?;
    Some(Context { row: step_row(run, marks, found), blocks: shortened(&said.content) })
}

/// What followed an action: the next call of the lane that failed or changed something within a few steps, else the
/// next call. For a person's message: the first thing the agent did.
fn after(run: &Run, marks: &Marks, index: u32) -> Option<Context> {
    let step = run.steps.get(index as usize)?;
    let mut first = None;
    for i in index + 1..(index + 12).min(run.steps.len() as u32) {
        let other = run.steps.get(i as usize)?;
        if other.kind == StepKind::Person && step.kind != StepKind::Person {
            break;
        }
        if other.lane != step.lane || (step.batch.is_some() && other.batch == step.batch) {
            continue;
        }
        if other.is_action() {
            first = first.or(Some(i));
            if other.failed() {
                first = Some(i);
                break;
            }
        } else if first.is_none() && other.kind == StepKind::Say && i + 1 == run.steps.len() as u32 {
            first = Some(i);
        }
        if first.is_some() && !step.is_action() {
            break;
        }
    }
    let next = first?;
    let other = run.steps.get(next as usize)?;
    let blocks = match other.observation() {
        Some(o) => tail(&o.content),
        None => shortened(&other.content),
    };
    Some(Context { row: step_row(run, marks, next), blocks })
}

fn shortened(content: &Content) -> Vec<Block> {
    let text: String = content.text.chars().take(600).collect();
    let mut block = blocks::markdown(&text);
    if text.len() < content.text.len()
        && let Block::Markdown { nodes } = &mut block
        && let Some(Md::Para { inline }) = nodes.last_mut()
    {
        inline.push(super::shape::Inline::Text { text: "…".into() });
    }
    vec![block]
}

/// The first lines of an observation.
fn tail(content: &Content) -> Vec<Block> {
    let mut lines: Vec<&str> = content.text.lines().collect();
    lines.truncate(12);
    let text: String = lines.join("\n").chars().take(1_500).collect();
    if text.trim().is_empty() { Vec::new() } else { vec![blocks::lines(&text)] }
}
