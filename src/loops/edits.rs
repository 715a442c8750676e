//! D6: does an edit undo an edit, again and again? O(length of the arguments of calls that change a file).
//!
//! An edit is a pair (text before, text after) on one target: of an editing tool's arguments, of a patch's hunks, or of
//! two whole contents written one after the other. Texts are kept as 64-bit digests.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::lane::{Found, Lane};
use super::{Detector, Params, WhyNot};
use crate::json::{Tape, Val};
use crate::model::{ArgsForm, Call, CallStatus, Effect};

const TARGETS: [&str; 8] = ["file_path", "path", "filepath", "file", "filename", "notebook_path", "target_file", "uri"];
const OLD: [&str; 7] = ["old_string", "old_str", "old", "old_text", "oldText", "search", "old_source"];
const NEW: [&str; 8] = ["new_string", "new_str", "new", "new_text", "newText", "replace", "new_source", "code_edit"];
const WHOLE: [&str; 4] = ["content", "file_text", "contents", "text"];
const PATCH: [&str; 4] = ["input", "patch", "diff", "command"];
/// Edits of one call that are read.
const MAX_EDITS: usize = 200;

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.trim().hash(&mut hasher);
    hasher.finish()
}

/// What a call changes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    /// A piece of a target is replaced by another.
    Piece { target: u64, before: u64, after: u64 },
    /// A target gets this content.
    Whole { target: u64, content: u64 },
}

/// The changes that a call states, in order.
fn changes(call: &Call, tape: &mut Tape) -> Vec<Change> {
    let mut out = Vec::new();
    if call.args.form == ArgsForm::Text {
        patch(&call.args.raw, &mut out);
        return out;
    }
    let root = tape.parse(&call.args.raw).root();
    let target = TARGETS.iter().find_map(|k| root.str(k)).map_or(0, |t| digest(&t));
    if target != 0 {
        let inner = ["edits", "replacements", "changes"].iter().find_map(|k| root.get(k)).filter(|v| v.is_array());
        match inner {
            Some(list) => list.items().take(MAX_EDITS).for_each(|edit| piece(target, edit, &mut out)),
            None => piece(target, root, &mut out),
        }
        if out.is_empty()
            && let Some(content) = WHOLE.iter().find_map(|k| root.str(k))
        {
            out.push(Change::Whole { target, content: digest(&content) });
        }
    }
    if out.is_empty()
        && let Some(text) = PATCH.iter().filter_map(|k| root.str(k)).find(|t| t.contains("*** "))
    {
        patch(&text, &mut out);
    }
    out
}

fn piece(target: u64, edit: Val<'_>, out: &mut Vec<Change>) {
    let before = OLD.iter().find_map(|k| edit.str(k));
    let after = NEW.iter().find_map(|k| edit.str(k));
    if let (Some(before), Some(after)) = (before, after) {
        let (before, after) = (digest(&before), digest(&after));
        if before != after {
            out.push(Change::Piece { target, before, after });
        }
    }
}

/// The hunks of a patch in the envelope `*** Begin Patch`: what each takes away against what it puts there.
fn patch(text: &str, out: &mut Vec<Change>) {
    if !text.contains("*** Begin Patch") {
        return;
    }
    let mut target = 0;
    let (mut minus, mut plus) = (String::new(), String::new());
    let mut flush = |target: u64, minus: &mut String, plus: &mut String| {
        if target != 0 && (!minus.is_empty() || !plus.is_empty()) && minus != plus && out.len() < MAX_EDITS {
            out.push(Change::Piece { target, before: digest(minus), after: digest(plus) });
        }
        minus.clear();
        plus.clear();
    };
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("*** ") {
            flush(target, &mut minus, &mut plus);
            target = match head.split_once(" File: ") {
                Some(("Update", name)) => digest(name),
                _ => 0,
            };
        } else if let Some(rest) = line.strip_prefix('-') {
            minus.push_str(rest);
            minus.push('\n');
        } else if let Some(rest) = line.strip_prefix('+') {
            plus.push_str(rest);
            plus.push('\n');
        } else {
            flush(target, &mut minus, &mut plus);
        }
    }
    flush(target, &mut minus, &mut plus);
}

/// The edits between two texts of one target.
#[derive(Default)]
struct Pair {
    /// Direction of the last one: from the smaller digest to the greater.
    up: bool,
    chain: Vec<usize>,
}

pub fn flip_flop(lane: &Lane<'_>, params: &Params, found: &mut Found) {
    let mut tape = Tape::new();
    let mut pairs: BTreeMap<(u64, u64, u64), Pair> = BTreeMap::new();
    let mut contents: BTreeMap<u64, u64> = BTreeMap::new();
    for at in 0..lane.calls.len() {
        if lane.key(at).effect == Effect::Read || lane.status(at) == CallStatus::Error {
            continue;
        }
        let Some(call) = lane.call(at).filter(|c| may_edit(c)) else { continue };
        for change in changes(call, &mut tape) {
            let (target, before, after) = match change {
                Change::Piece { target, before, after } => (target, before, after),
                Change::Whole { target, content } => match contents.insert(target, content) {
                    Some(before) if before != content => (target, before, content),
                    _ => continue,
                },
            };
            let up = before < after;
            let pair = pairs.entry((target, before.min(after), before.max(after))).or_default();
            if pair.chain.is_empty() || pair.up != up {
                pair.chain.push(at);
            }
            pair.up = up;
        }
    }
    let mut chains: Vec<Vec<usize>> = pairs.into_values().map(|p| p.chain).filter(|c| c.len() >= 2).collect();
    for chain in &mut chains {
        // One call may hold an edit and its reversal.
        chain.dedup();
    }
    chains.sort();
    chains.dedup();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for chain in chains.iter().filter(|c| c.len() >= 2) {
        let reversals = chain.len() as u32 - 1;
        if reversals >= params.reversals {
            // There and back is the first round.
            let mut span = lane.chain(Detector::FlipFlop, chain, 2);
            span.times = reversals;
            found.spans.push(span);
        } else if chain.iter().all(|at| told.insert(*at)) {
            let mut near = lane.near_chain(Detector::FlipFlop, chain, params.reversals, WhyNot::NotAgain, None);
            near.have = f64::from(reversals);
            found.near.push(near);
        }
    }
}

/// A cheap look before the arguments are read.
fn may_edit(call: &Call) -> bool {
    let raw = &*call.args.raw;
    if raw.contains("*** Begin Patch") {
        return true;
    }
    if call.args.form == ArgsForm::Text {
        return false;
    }
    TARGETS.iter().any(|k| raw.contains(k))
        && (OLD.iter().any(|k| raw.contains(k)) || WHOLE.iter().any(|k| raw.contains(k)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Args;

    fn call(raw: &str, form: ArgsForm) -> Call {
        Call {
            id: None,
            tool: "edit".into(),
            args: Args { raw: raw.into(), form },
            observation: None,
            status: CallStatus::Ok,
            duration_ms: None,
            spawn: None,
        }
    }

    #[test]
    fn reads_the_edits_of_the_usual_tools() {
        let mut tape = Tape::new();
        let mut of = |raw: &str, form| {
            assert!(may_edit(&call(raw, form)), "{raw}");
            changes(&call(raw, form), &mut tape)
        };
        let edit = |target: &str, a: &str, b: &str| Change::Piece {
            target: digest(target),
            before: digest(a),
            after: digest(b),
        };
        assert_eq!(of(r#"{"file_path":"a","old_string":"x","new_string":"y"}"#, ArgsForm::Json), [edit("a", "x", "y")]);
        assert_eq!(
            of(
                r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"p","new_string":"q"}]}"#,
                ArgsForm::Json
            ),
            [edit("a", "x", "y"), edit("a", "p", "q")]
        );
        assert_eq!(
            of(r#"{"command":"create","path":"a","file_text":"x"}"#, ArgsForm::Json),
            [Change::Whole { target: digest("a"), content: digest("x") }]
        );
        let envelope = "*** Begin Patch\n*** Update File: a\n@@\n same\n-x\n+y\n*** End Patch";
        assert_eq!(of(envelope, ArgsForm::Text), [edit("a", "x\n", "y\n")]);
        let json = format!("{{\"input\":{}}}", crate::json::quote(envelope));
        assert_eq!(of(&json, ArgsForm::Json), [edit("a", "x\n", "y\n")]);
        assert!(!may_edit(&call("ls", ArgsForm::Text)) && !may_edit(&call(r#"{"path":"a"}"#, ArgsForm::Json)));
    }
}
