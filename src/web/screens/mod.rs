//! The screens, one file each: they wire state to components. [`document`] chooses which one a document gets.

pub mod document;
pub mod home;
pub mod run;
