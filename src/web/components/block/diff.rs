//! A change of a text: lines with signs, what changed inside a line marked.

use super::{super::Words, more_lines};
use crate::report::{Diff, DiffLine};
use crate::web::view::{IntoView, View, el};

/// Draws a change.
pub fn diff(words: Words, diff: &Diff) -> View {
    let digits = diff.lines.iter().filter_map(|l| l.new.max(l.old)).max().unwrap_or(1).to_string().len().max(2);
    let rows = diff.lines.iter().map(row).collect::<View>();
    let path = (!diff.path.is_empty()).then(|| el("p.diff-path.mono.quiet").child(diff.path.clone()));
    (
        path,
        el("div.diff").attr("tabindex", "0").attr("style", format!("--digits:{digits}")).child(rows).child(
            more_lines(words, diff.cut)
                .map(|more| el("div.diff-row.quiet").child(el("span")).child(el("span")).child(more)),
        ),
    )
        .view()
}

fn row(line: &DiffLine) -> View {
    let (class, sign, no) = match line.sign.as_str() {
        "+" => ("diff-row good", "+", line.new),
        "-" => ("diff-row bad", "−", line.old),
        "…" => ("diff-row quiet", "⋯", None),
        _ => ("diff-row", " ", line.new.or(line.old)),
    };
    let parts = line
        .parts
        .iter()
        .map(|(marked, text)| if *marked { el("mark").child(text.clone()).view() } else { text.clone().view() })
        .collect::<View>();
    el("div")
        .class(class)
        .child(el("span.diff-no").child(no.map(|n| n.to_string()).unwrap_or_default()))
        .child(el("span.diff-sign").child(sign))
        .child(el("span.diff-text").child(parts))
        .view()
}
