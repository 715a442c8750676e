//! What the page knows: where you are ([`nav`]), what is loaded ([`session`]), how it looks ([`settings`]), and the
//! verbs that change it ([`actions`]). Contexts are small `Copy` handles; everything else is derived.

pub mod actions;
pub mod judge;
pub mod link;
pub mod nav;
pub mod notes;
pub mod session;
pub mod settings;
pub mod share;
pub mod visit;
