//! A JSON tree: nested lists, branches are `<details>`. The first levels are open.

use super::super::Words;
use crate::web::view::{IntoView, View, el};
use crate::{format, message::M, report::JsonRow};

/// Branches above this depth are open at first, unless they have many members.
const OPEN: u8 = 3;
/// A branch with more members is closed at first.
const MANY: usize = 60;
/// Deeper than this is drawn flat, so that the depth of the document does not follow the depth of the data.
const DEEPEST: u8 = 48;

/// Draws the rows of a tree. They come in order, with depths; a branch's rows are the deeper ones after it.
pub fn tree(words: Words, rows: &[JsonRow], cut: u32) -> View {
    let more = (cut > 0).then(|| {
        let text = words.f(M::MoreValues, &[("n", &format::count(u64::from(cut)))]);
        el("li.json-note").child(text)
    });
    // The root's own braces say nothing when it is an object: its members are the list.
    let inner = match rows.split_first() {
        Some((root, rest)) if root.key.is_none() && !rest.is_empty() && is_branch(root) => rest,
        _ => rows,
    };
    el("div.code.json").attr("tabindex", "0").child(el("ul").child(level(words, inner, 0)).child(more)).view()
}

fn is_branch(row: &JsonRow) -> bool {
    matches!(row.kind.as_str(), "object" | "array")
}

fn level(words: Words, rows: &[JsonRow], nested: u8) -> View {
    let mut out: Vec<View> = Vec::new();
    let mut rest = rows;
    while let Some((row, tail)) = rest.split_first() {
        let inside = tail.iter().position(|r| r.depth <= row.depth).unwrap_or(tail.len());
        let (children, after) = tail.split_at(inside);
        rest = after;
        if row.kind == "end" {
            continue;
        }
        if !is_branch(row) || children.is_empty() || nested >= DEEPEST {
            out.push(el("li").child(leaf(words, row)).view());
            if nested >= DEEPEST && !children.is_empty() {
                out.extend(children.iter().filter(|r| r.kind != "end").map(|r| el("li").child(leaf(words, r)).view()));
            }
            continue;
        }
        let open = row.depth <= OPEN && children.len() <= MANY;
        let (left, right) = if row.kind == "array" { ("[", "]") } else { ("{", "}") };
        out.push(
            el("li")
                .child(
                    el("details")
                        .attr("open", open)
                        .child(
                            el("summary")
                                .child(key(row))
                                .child(left)
                                .child(el("span.json-note").child(row.value.clone()))
                                .child(right),
                        )
                        .child(el("ul").child(level(words, children, nested + 1))),
                )
                .view(),
        );
    }
    out.view()
}

fn key(row: &JsonRow) -> Option<View> {
    row.key.as_ref().map(|key| (el("span.json-key").child(format!("\"{key}\"")), ": ").view())
}

fn leaf(words: Words, row: &JsonRow) -> View {
    let class = match row.kind.as_str() {
        "string" => "json-string",
        "number" => "json-number",
        "true" | "false" | "null" => "json-word",
        _ => "json-note",
    };
    let value = match row.kind.as_str() {
        "object" => "{}".to_owned(),
        word @ ("true" | "false" | "null") => word.to_owned(),
        // Its text is in a section of its own.
        "below" => words.f(M::LinesBelow, &[("n", &row.value)]),
        "array" => "[]".to_owned(),
        "string" if row.cut > 0 => format!("\"{}…\"", row.value),
        "string" => format!("\"{}\"", row.value),
        _ => row.value.clone(),
    };
    let more = (row.cut > 0).then(|| {
        let text = words.f(M::MoreCharacters, &[("n", &format::count(u64::from(row.cut)))]);
        (" ", el("span.json-note").child(text))
    });
    (key(row), el("span").class(class).child(value), more).view()
}
