//! What screens are made of. Components take props and callbacks; they know no store, no route and no platform.
//!
//! Their class names are those of the style sheet of the same name (`style/components.css`). Texts come from [`words`],
//! which a screen provides for one language; a change of the language draws the screen anew.

pub mod actor;
pub mod block;
pub mod figure;
pub mod filter;
pub mod glyph;
pub mod icon;
pub mod inspector;
pub mod list;
pub mod minimap;
pub mod outcome;
pub mod plot;
pub mod rows;
pub mod segment;
pub mod sentence;
pub mod sheet;
pub mod source;
pub mod strip;
pub mod tabs;
pub mod words;

pub use icon::{Icon, icon};
pub use words::{Words, words};

/// The address of a step, from 0. A screen makes it from its route.
pub type StepHref = leptos::callback::Callback<u32, String>;
