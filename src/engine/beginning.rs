//! What a large file begins with, told from its first bytes while the rest is still being read. O(those bytes).
//!
//! The bytes are read as if they were the whole file, by the same importers; what only the end of a file can tell is left out:
//! whether a call was answered, loops, findings.

use crate::import::Intake;
use crate::report::rows::{Marks, step_row};
use crate::report::{Row, Rows};

/// Rows that are told; what a screen shows without scrolling.
const MOST: usize = 40;

/// The first steps of a file; none when its first bytes are no run yet. `format` is what the person chose.
pub fn rows(name: &str, format: Option<&str>, bytes: &[u8]) -> Rows {
    let mut intake = Intake::new(name, format);
    intake.chunk(bytes);
    let run = intake.finish().into_iter().flat_map(|file| file.runs).find(|run| !run.steps.is_empty());
    let Some(run) = run else { return Rows::default() };
    let marks = Marks { groups: Marks::groups_of(&run), ..Marks::default() };
    // The last step may go on behind the bytes.
    let told = run.steps.len().saturating_sub(1).min(MOST);
    let rows: Vec<Row> = (0..told as u32)
        .map(|index| {
            let mut row = step_row(&run, &marks, index);
            row.unanswered = false;
            Row::Step(row)
        })
        .collect();
    Rows { total: rows.len() as u32, rows, ..Rows::default() }
}
