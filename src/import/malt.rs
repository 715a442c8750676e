//! METR's MALT: runs as trees of requests, with what people found in them.
//!
//! ```json
//! {"run_id":1,"task_id":"password_check/1","model":"m","labels":["normal"],"nodes":[
//!  {"node_id":0,"parent_node_id":null,"branch_id":0,"node_data":{"message":{"role":"user","content":"…","function_call":null},"first_called_at":1735091485651}}]}
//! ```
//!
//! A node is a message; branches are other ways a conversation was tried or ended. The longest path of every tree is
//! shown, and the number of nodes beside it is said. Calls are `function_call`s without id. O(nodes).

use std::collections::{BTreeMap, HashMap};

use super::chat::Speaker;
use super::dialect::messages;
use super::part::moment;
use super::talk::{Talk, reader};
use super::{Draft, Format, Log, Reason, Record, Sample, Sniff};
use crate::json::Val;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "malt",
    label: "METR MALT",
    files: "labelled run trees",
    marks: &["run_id", "nodes", "labels", "node_data", "parent_node_id", "task_id"],
    sniff,
    reader: || reader(FORMAT.id, each),
};

fn is_run(val: Val<'_>) -> bool {
    val.get("nodes").is_some_and(|n| n.items().next().is_some_and(|n| n.has("node_data")))
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if sample.any(is_run) {
        return Sniff::Yes;
    }
    Sniff::no(Reason::NeedsObject("nodes"), "/nodes")
}

fn each(talk: &mut Talk, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    let Some(list) = val.get("nodes").filter(|_| is_run(val)) else {
        return talk.unknown(record, "no nodes", log);
    };
    talk.next();
    talk.id(val.get("run_id"));
    if let Some(task) = val.str("task_id") {
        talk.run.run.title = task.into_owned();
    }
    if let Some(model) = val.str("model") {
        talk.run.run.model_index(&model);
    }
    for label in val.get("labels").into_iter().flat_map(Val::items) {
        talk.label("label", Some(label));
    }
    for key in ["run_source", "manually_reviewed", "has_chain_of_thought"] {
        talk.fact(key, val.get(key));
    }
    let keep = longest_paths(list);
    let mut left = 0u64;
    record.each(list, |node| {
        if keep.get(node.index) != Some(&true) {
            left += 1;
            return;
        }
        let Some(message) = node.val.path(&["node_data", "message"]) else { return };
        log.understood();
        let at = node.val.path(&["node_data", "first_called_at"]).and_then(moment);
        for msg in messages(message, Speaker::Person, &|v| node.span_of(v)) {
            let draft = Draft { at, span: node.span(), ..Draft::default() };
            talk.tell(msg, &draft);
        }
    });
    if left > 0 {
        log.note("branches-left-out", &[("count", left.to_string())]);
    }
}

/// Which nodes lie on the longest path from their root.
fn longest_paths(list: Val<'_>) -> Vec<bool> {
    let id = |v: Option<Val<'_>>| v.filter(|v| !v.is_null()).map(|v| v.text().into_owned());
    let mut index: HashMap<String, usize> = HashMap::new();
    // Position, parent, depth and root of every node; parents come first.
    let mut nodes: Vec<(Option<usize>, usize, usize)> = Vec::new();
    for (i, node) in list.items().enumerate() {
        let parent = id(node.get("parent_node_id")).and_then(|p| index.get(&p).copied());
        let above = parent.and_then(|p| nodes.get(p)).map(|(_, depth, root)| (depth + 1, *root));
        let (depth, root) = above.unwrap_or((0, i));
        nodes.push((parent, depth, root));
        if let Some(id) = id(node.get("node_id")) {
            index.insert(id, i);
        }
    }
    let mut deepest: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, (_, depth, root)) in nodes.iter().enumerate() {
        let best = deepest.entry(*root).or_insert(i);
        if nodes.get(*best).is_some_and(|(_, d, _)| depth > d) {
            *best = i;
        }
    }
    let mut keep = vec![false; nodes.len()];
    for end in deepest.into_values() {
        let mut now = Some(end);
        while let Some(i) = now {
            match keep.get_mut(i) {
                Some(slot) if !*slot => *slot = true,
                _ => break,
            }
            now = nodes.get(i).and_then(|n| n.0);
        }
    }
    keep
}
