//! Skillscope reads what AI agents leave behind and says what happened.
pub mod json;
pub mod model;
pub mod import;
