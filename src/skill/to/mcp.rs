//! Descriptors as an MCP `tools/list` answer. Names are what stands behind the namespace of an id, in MCP's letters.
//! Source: MCP 2025-11-25 with SEP-986 (names) and SEP-2106 (outputs). O(size of the descriptors).

use std::collections::BTreeSet;

use crate::json::Val;
use crate::skill::from::maker::Obj;

use super::{Exported, Notes, kept};

/// Writes descriptors as a list of tools.
pub fn to_mcp(descriptors: &[Val<'_>]) -> Exported {
    let mut notes = Notes::default();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut tools = Vec::new();
    for (index, d) in descriptors.iter().copied().enumerate() {
        let text = |key: &str| d.str(key).map(|s| s.into_owned()).unwrap_or_default();
        if text("access") == "private" {
            notes.add("private-left-out", index, "/access", &[("id", &text("id"))]);
            continue;
        }
        let from = kept(d, "x-mcp");
        let own = from.and_then(|x| x.str("name")).filter(|n| !n.trim().is_empty()).map(|n| n.into_owned());
        let wanted = own.unwrap_or_else(|| name_of(&text("id")));
        let name = free(&wanted, &taken);
        if name != wanted {
            notes.add("id-taken", index, "/id", &[("from", &wanted), ("id", &name)]);
        }
        taken.insert(name.clone());
        let kept_hints = from.and_then(|x| x.get("annotations")).filter(|a| a.is_object());
        let title = text("name");
        let titled = kept_hints.and_then(|h| h.str("title")).is_some_and(|t| *t == title);
        let mut tool = Obj::default().str("name", &name);
        if title != name && !titled && !title.is_empty() {
            tool = tool.str("title", &title);
        }
        tool = tool.str("description", &text("description"));
        let inputs = d.get("inputs").filter(|s| s.is_object());
        tool = tool.raw("inputSchema", inputs.map_or(crate::skill::from::maker::OBJECT, Val::raw));
        if let Some(output) = d.get("output").filter(|o| o.is_object() && !o.is_empty()) {
            tool = tool.raw("outputSchema", output.raw());
        }
        let ours = d.get("annotations");
        let hint = |key: &str| ours.and_then(|a| a.bool(key));
        let mut hints = Obj::default();
        for (key, value) in kept_hints.map(Val::entries).into_iter().flatten() {
            hints = hints.raw(&key, value.raw());
        }
        let hints = hints
            .bool("readOnlyHint", hint("read_only"))
            .bool("destructiveHint", hint("destructive"))
            .bool("idempotentHint", hint("idempotent"))
            .bool("openWorldHint", hint("open_world"));
        if let Some(hints) = hints.filled() {
            tool = tool.raw("annotations", &hints);
        }
        for (key, value) in from.and_then(|x| x.get("tool")).map(Val::entries).into_iter().flatten() {
            const OURS: [&str; 6] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
            if !OURS.contains(&key.as_ref()) {
                tool = tool.raw(&key, value.raw());
            }
        }
        const PLACED: [&str; 7] = ["id", "name", "description", "inputs", "output", "annotations", "x-mcp"];
        notes.without_place(index, d, &PLACED);
        tools.push(tool.end());
    }
    Exported { text: format!("{{\"tools\":[{}]}}", tools.join(",")), notes: notes.0 }
}

/// What stands behind the namespace of an id, in the letters of MCP (and of most model services).
pub fn name_of(id: &str) -> String {
    let tail = id.rsplit('/').find(|p| !p.is_empty()).unwrap_or(id);
    let name: String =
        tail.chars().map(|c| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' }).take(128).collect();
    if name.is_empty() { "skill".to_owned() } else { name }
}

/// The name, or with a number when it is taken.
pub(super) fn free(wanted: &str, taken: &BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut n = 2;
    while taken.contains(&name) {
        name = format!("{wanted}_{n}");
        n += 1;
    }
    name
}
