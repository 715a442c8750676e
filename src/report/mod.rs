//! What screens, the command line and exports show: one shape each, made from the model and the analyses.
//!
//! The types in [`shape`] are plain data without a browser and without an analysis, so that the page can hold them;
//! the functions that fill them live beside them and are only called by the engine.

pub mod blocks;
pub mod card;
pub mod compare;
pub mod compare_print;
pub mod compare_rows;
pub mod conformance;
pub mod contract;
pub mod detail;
pub mod diagram;
pub mod formats;
pub mod inspect;
pub mod judge;
pub mod junit;
pub mod loops;
pub mod many;
pub mod many_list;
pub mod many_whole;
pub mod matching;
pub mod measures;
pub mod measures_view;
pub mod metrics;
pub mod notes;
pub mod rows;
pub mod sarif;
pub mod shape;
pub mod share;
pub mod sheet;
pub mod skill;
pub mod summary;
pub mod topology;
pub mod trace;
pub mod usage;
pub mod usage_view;

pub use compare::{
    After, CompareOptions, CompareReport, CrossReport, DivergenceReport, MoveReport, PairDetail, PairPart, PathPiece,
    RunRef, TrackReport,
};
pub use compare_rows::{CompareCell, CompareFold, CompareRow, CompareRows, CompareView, Piece};
pub use contract::{ContractReport, FaultLine, SkillUse, StepVerdict};
pub use formats::{FORMATS, FormatLine, format_line};
pub use judge::*;
pub use many::*;
pub use matching::{CallLine, MatchOptions, MatchReport, MatchSummary, ToolClass, VerdictReport, WrongLine};
pub use measures::*;
pub use notes::*;
pub use shape::*;
pub use share::{PartLine, Receipt, SecretGroup, SecretPlace, ShareChoices, ShareSurvey, SharedPage};
pub use sheet::*;
