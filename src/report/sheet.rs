//! Tables and plots as the page draws them: rows with finished texts, paths in units of a view box. Plain data, made by the
//! engine, so that the page needs one way to draw a table and one to draw a plot.
//!
//! A plot is a table too: each of its bars carries the values that it shows.

use serde::Serialize;

use super::measures::PriceRow;
use super::skill::Sentence;

/// Width of a plot's view box.
pub const WIDE: f64 = 1000.0;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// As it is.
    Text(String),
    /// A name or a piece of a file.
    Code(String),
    /// A sentence of the message table.
    Say(Sentence),
    /// Steps, from 0, both inclusive: each pair is a link to its first.
    Steps(Vec<(u32, u32)>),
    /// A tool: a link to its calls.
    Tool(String),
    /// A run of the same document, from 0.
    Run(u32),
    /// Something to copy.
    Copy(String),
    /// A part of the greatest of its column, from 0 to 1: a bar.
    Share(f64),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sheet {
    /// The sentence that names it.
    pub name: String,
    /// The sentence that names each column, and whether it holds numbers.
    pub columns: Vec<(String, bool)>,
    pub rows: Vec<Vec<Cell>>,
    /// Where the rows begin in the whole table, and its length.
    pub from: u32,
    pub total: u32,
}

/// A plot along the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plot {
    /// Its name is the sentence `usage.<id>`, its definition `usage.<id>.means`.
    pub id: String,
    /// Rows of bars: 1, or two for each agent of a waterfall.
    pub rows: u32,
    /// The names of the agents, where there are several.
    pub agents: Vec<String>,
    /// The greatest value in words; empty: there is no scale.
    pub top: String,
    pub parts: Vec<PlotPart>,
    /// Places along the axis with a text, as shares of the width.
    pub ticks: Vec<(f64, String)>,
    /// Sentences that name the values of a bar.
    pub columns: Vec<String>,
    pub bars: Vec<PlotBar>,
}

/// What is drawn in one look. The view box is [`WIDE`] wide and 100 high.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlotPart {
    /// The look, and the sentence of the legend `usage.part-<look>`.
    pub look: String,
    pub path: String,
}

/// A place of a plot.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlotBar {
    /// Where it is, as shares of the width.
    pub x: f64,
    pub width: f64,
    /// Row, from 0.
    pub row: u32,
    /// Steps, from 0, both inclusive.
    pub first: u32,
    pub last: u32,
    /// A value for each column. One that begins with U+0002 is the id of a sentence.
    pub cells: Vec<String>,
}

/// The usage of a run, drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsageView {
    /// What has to be known to read it.
    pub notes: Vec<Sentence>,
    pub plots: Vec<Plot>,
    /// Money by where it comes from; the kinds are never added up.
    pub money: Sheet,
    pub tools: Sheet,
    pub models: Sheet,
    /// The models of the run with the price that fits.
    pub prices: Vec<PriceEntry>,
}

/// The price of a model of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PriceEntry {
    pub model: String,
    /// `None`: no price is known.
    pub price: Option<PriceRow>,
    /// It comes from the table of the job.
    pub own: bool,
    /// When the price was written down; empty when there is none.
    pub date: String,
}

/// The measures of a run, drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MetricsView {
    /// Of the definitions.
    pub version: u32,
    /// A table for each section.
    pub sections: Vec<Sheet>,
    /// Runs that the percentiles are among; 0 without.
    pub among: u32,
}

/// The shape of a run, drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TopologyView {
    pub variants: Sheet,
    /// The text behind the default hash, at most its first letters, and its whole length.
    pub canonical: String,
    pub canonical_length: u32,
    /// The directly-follows graph with names, and without.
    pub graphs: Vec<GraphView>,
    pub edges: Sheet,
    pub nearest: Sheet,
}

/// A graph as a column of nodes with arcs: those that lead down on one side, those that lead back on the other. The view
/// box of each side is 120 wide and [`GraphView::ROW`] high for each node.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraphView {
    /// `named` or `anon`.
    pub id: String,
    pub nodes: Vec<Cell>,
    /// Paths of the arcs by their weight, from 1 to 4.
    pub down: Vec<(u32, String)>,
    pub back: Vec<(u32, String)>,
    /// Nodes in all; more than are drawn when the graph is large.
    pub of: u32,
    /// False when the search for the order of nameless nodes met its bound.
    pub exact: bool,
}

impl GraphView {
    /// Height of a node.
    pub const ROW: f64 = 24.0;
    /// Width of the arcs on a side.
    pub const SIDE: f64 = 120.0;
}

impl Cell {
    /// A sentence.
    pub fn say(id: &str, args: &[(&str, &str)]) -> Self {
        Self::Say((id.to_owned(), args.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()))
    }

    /// A text, or the mark of what is unknown.
    pub fn known(text: Option<String>) -> Self {
        Self::Text(text.unwrap_or_else(|| crate::format::UNKNOWN.to_owned()))
    }

    /// A step or several.
    pub fn steps(first: u32, last: u32) -> Self {
        Self::Steps(vec![(first, last)])
    }
}

impl Sheet {
    /// A table with all of its rows. A column whose name begins with `#` holds numbers.
    pub fn whole(name: &str, columns: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let column = |c: &&str| (c.trim_start_matches('#').to_owned(), c.starts_with('#'));
        let columns = columns.iter().map(column).collect();
        Self { name: name.to_owned(), columns, total: rows.len() as u32, rows, from: 0 }
    }
}
