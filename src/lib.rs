//! Skillscope reads what AI agents leave behind and says what happened.
//!
//! The `mod` lines stand in reading order. Data goes one way: bytes -> [`import`] -> [`model`] -> analyses -> [`report`]
//! -> [`protocol`] -> the page. Nothing here knows a browser but `web`, which is behind a feature.

pub mod json;
pub mod model;
pub mod schema;

pub mod import;

pub mod align;
pub mod contract;
pub mod diagram;
pub mod judge;
pub mod loops;
pub mod matching;
pub mod notes;
pub mod share;
pub mod skill;
pub mod topology;
pub mod usage;
pub mod validate;

pub mod format;
pub mod fuzzy;
pub mod message;
pub mod report;
pub mod route;
pub mod viewport;

pub mod engine;
pub mod protocol;

#[cfg(feature = "app")]
pub mod web;

#[cfg(feature = "npm")]
pub mod npm;
