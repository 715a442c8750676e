//! A change of a text: lines with signs, what changed inside a line marked.

use leptos::prelude::*;

use super::{super::Words, more_lines};
use crate::report::{Diff, DiffLine};

/// Draws a change.
pub fn diff(words: Words, diff: &Diff) -> AnyView {
    let digits = diff.lines.iter().filter_map(|l| l.new.max(l.old)).max().unwrap_or(1).to_string().len().max(2);
    let rows = diff.lines.iter().map(row).collect_view();
    let path = (!diff.path.is_empty()).then(|| view! { <p class="diff-path mono quiet">{diff.path.clone()}</p> });
    view! {
        {path}
        <div class="diff" tabindex="0" style=format!("--digits:{digits}")>
            {rows}
            {more_lines(words, diff.cut).map(|more| view! { <div class="diff-row quiet"><span></span><span></span>{more}</div> })}
        </div>
    }
    .into_any()
}

fn row(line: &DiffLine) -> AnyView {
    let (class, sign, no) = match line.sign.as_str() {
        "+" => ("diff-row good", "+", line.new),
        "-" => ("diff-row bad", "−", line.old),
        "…" => ("diff-row quiet", "⋯", None),
        _ => ("diff-row", " ", line.new.or(line.old)),
    };
    let parts = line
        .parts
        .iter()
        .map(
            |(marked, text)| {
                if *marked { view! { <mark>{text.clone()}</mark> }.into_any() } else { text.clone().into_any() }
            },
        )
        .collect_view();
    view! {
        <div class=class>
            <span class="diff-no">{no.map(|n| n.to_string()).unwrap_or_default()}</span>
            <span class="diff-sign">{sign}</span>
            <span class="diff-text">{parts}</span>
        </div>
    }
    .into_any()
}
