//! What screens, the command line and exports show: one shape each, made from the model and the analyses.
//!
//! The types in [`shape`] are plain data without a browser and without an analysis, so that the page can hold them;
//! the functions that fill them live beside them and are only called by the engine.

pub mod blocks;
pub mod detail;
pub mod diagram;
pub mod formats;
pub mod inspect;
pub mod loops;
pub mod measures;
pub mod metrics;
pub mod rows;
pub mod shape;
pub mod summary;
pub mod topology;
pub mod usage;

pub use formats::{FORMATS, FormatLine, format_line};
pub use measures::*;
pub use shape::*;
