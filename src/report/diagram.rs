//! A page of the sequence diagram as the screen and the command line take it.

use super::shape::{DiagramItem, DiagramOptions, DiagramPage};
use crate::diagram::{Options, Words, sequence};
use crate::loops::Loops;
use crate::message::{Lang, findings};
use crate::model::Run;

/// Messages of a page: mermaid draws a hundred in under a second, and is one long task meanwhile.
const MAX_MESSAGES: usize = 100;

/// Draws a page.
pub fn page(run: &Run, loops: &Loops, options: &DiagramOptions) -> DiagramPage {
    let folds = if options.fold_loops { loops.repeats(run) } else { Vec::new() };
    let lang = Lang::from_tag(&options.lang).unwrap_or_default();
    let word = |id: &str| {
        let both = findings::both(&format!("diagram.{id}"));
        both.map_or_else(String::new, |(en, zh)| if lang == Lang::En { en } else { zh }.to_owned())
    };
    let drawn = sequence(
        run,
        &Options {
            range: options.range.map(|(from, to)| (from, to.saturating_add(1))),
            folds: &folds,
            keep: None,
            arguments: options.arguments,
            thoughts: options.thoughts,
            max_messages: MAX_MESSAGES,
            page: options.page,
            title: Some(&run.title),
            words: Words {
                user: word("user"),
                agent: word("agent"),
                environment: word("environment"),
                repeated: word("repeated"),
                folded: word("folded"),
                parallel: word("parallel"),
                compaction: word("compaction"),
                continued: word("continued"),
            },
        },
    );
    let out = &drawn.left_out;
    DiagramPage {
        list: drawn
            .list
            .iter()
            .map(|item| DiagramItem {
                step: item.step,
                from: item.from.clone(),
                to: item.to.clone(),
                text: item.text.clone(),
                failed: item.failed,
                kind: item.kind.id().into(),
            })
            .collect(),
        page: drawn.page,
        pages: drawn.pages,
        steps: drawn.steps,
        shown: drawn.shown,
        folded: out.in_loops + out.by_filter + out.not_drawn,
        elsewhere: out.elsewhere,
        arrows: drawn.arrows.into_iter().map(|a| (a.step, a.from, a.to)).collect(),
        notes: drawn.notes,
        text: drawn.text,
    }
}
