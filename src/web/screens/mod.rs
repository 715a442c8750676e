//! The screens, one file each: they wire state to components. [`document`] chooses which one a document gets.

pub mod compare;
pub mod document;
pub mod formats;
pub mod home;
pub mod intake;
pub mod link;
pub mod raw;
pub mod run;
pub mod runs;
pub mod skill;
pub mod unread;
pub mod visit;
