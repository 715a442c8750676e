//! Steps as Markdown for a language model: each under its number, so that answers can cite it, within a budget of tokens.
//!
//! What is too long is cut in the middle, everything to the same length, so that short steps stay whole and no step is
//! lost. Tokens are estimated as a quarter of the bytes, a third for text beyond ASCII. O(bytes).

use crate::format;
use crate::model::{Run, Step};
use crate::report::rows::tool_label;

/// Estimated tokens of a text.
pub fn tokens(text: &str) -> usize {
    let wide = text.bytes().filter(|b| *b >= 0x80).count();
    (text.len() - wide) / 4 + wide / 3 + 1
}

/// The words that this file writes itself.
pub const WORDS: &str = "Run Steps to of Cite a step by its number as failed Arguments Result none characters left out \
    person system injected thought say action orphan compaction notice raw";

/// The shortest that a piece is cut to, in bytes.
const LEAST: usize = 80;

/// Steps `from..=to` of a run, both from 0, in about `budget` tokens.
pub fn markdown(run: &Run, (from, to): (u32, u32), budget: usize) -> String {
    let mut out = format!("# {}\n\n", if run.title.is_empty() { "Run" } else { &run.title }.trim());
    let about: Vec<String> =
        run.agent.name.iter().cloned().chain(run.models.iter().cloned()).map(|a| format::one_line(&a, 80)).collect();
    if !about.is_empty() {
        out.push_str(&format!("{}\n\n", about.join(", ")));
    }
    out.push_str(&format!(
        "Steps {} to {} of {}. Cite a step by its number, as [{}].\n",
        u64::from(from) + 1,
        u64::from(to) + 1,
        run.steps.len(),
        u64::from(from) + 1
    ));
    let steps = || (0u32..).zip(&run.steps).filter(|(i, _)| (from..=to).contains(i));
    let mut lengths: Vec<usize> = steps().flat_map(|(_, s)| pieces(s)).map(|(_, text)| text.len()).collect();
    let heads = steps().count() * 24 + out.len();
    let cap = cap(&mut lengths, (budget * 4).saturating_sub(heads));
    for (at, step) in steps() {
        let who = match step.call.as_deref() {
            Some(call) => tool_label(&call.tool),
            None => {
                step.name.as_deref().map_or_else(|| step.kind.id().to_owned(), |n| format!("{} {n}", step.kind.id()))
            }
        };
        let failed = if step.failed() { ", failed" } else { "" };
        out.push_str(&format!("\n## [{}] {}{failed}\n", u64::from(at) + 1, format::one_line(&who, 120)));
        for (title, text) in pieces(step) {
            if !title.is_empty() {
                out.push_str(&format!("\n{title}:\n"));
            }
            out.push_str(&fenced(&cut(text, cap)));
        }
    }
    out
}

/// What a step says: a title and a text.
fn pieces(step: &Step) -> Vec<(&'static str, &str)> {
    let mut out = Vec::new();
    if !step.content.text.trim().is_empty() {
        out.push(("", step.content.text.trim()));
    }
    if let Some(call) = step.call.as_deref() {
        out.push(("Arguments", call.args.raw.trim()));
        match &call.observation {
            Some(o) if !o.content.text.trim().is_empty() => out.push(("Result", o.content.text.trim())),
            Some(_) => {}
            None => out.push(("Result", "(none)")),
        }
    }
    out
}

/// The length to which all are cut so that their sum is within `most`.
fn cap(lengths: &mut [usize], most: usize) -> usize {
    lengths.sort_unstable();
    let mut left = most;
    for (done, length) in lengths.iter().enumerate() {
        let share = left / (lengths.len() - done);
        if *length > share {
            return share.max(LEAST);
        }
        left -= length;
    }
    usize::MAX
}

/// A text with its middle left out, about `most` bytes long.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let half = most.saturating_sub(24) / 2;
    let head = (0..=half).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail = (text.len() - half..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let gone = text.get(head..tail).map_or(0, |t| t.chars().count());
    format!(
        "{}\n… {gone} characters left out …\n{}",
        text.get(..head).unwrap_or_default(),
        text.get(tail..).unwrap_or_default()
    )
}

/// In a fence that nothing inside can close.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_cut_to_the_same_length() {
        assert_eq!(cap(&mut [10, 20, 30], 60), usize::MAX);
        assert_eq!(cap(&mut [1000, 10, 1000], 1010), 500);
        assert_eq!(cap(&mut [1000, 1000], 10), LEAST);
        assert_eq!(cap(&mut [], 0), usize::MAX);
        let short = cut(&"ä".repeat(1000), 100);
        assert!(short.len() < 140 && short.contains("characters left out"), "{short}");
        assert_eq!(cut("whole", 80), "whole");
    }

    #[test]
    fn nothing_closes_a_fence() {
        assert_eq!(fenced("a ```` b"), "\n`````\na ```` b\n`````\n");
        assert_eq!(fenced("x"), "\n```\nx\n```\n");
    }
}
