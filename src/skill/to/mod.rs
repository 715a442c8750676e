//! Descriptors as their neighbours have them: an MCP list of tools, A2A agent cards.
//!
//! What the other side has no place for is told as a loss, with the same codes as on the way here ([`super::from`]).
//! What came from there goes back as it was: the importers keep what descriptors have no place for under `x-mcp` and
//! `x-a2a`. O(size of the descriptors).

mod a2a;
mod mcp;

pub use a2a::{Card, to_a2a};
pub use mcp::to_mcp;

use crate::json::Val;

use super::from::maker::cut;
use super::from::{CODES, Note};

/// Something written, and what got lost on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// JSON text.
    pub text: String,
    /// Losses; `skill` is the index of the descriptor that was given.
    pub notes: Vec<Note>,
}

#[derive(Default)]
struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, code: &'static str, skill: usize, pointer: &str, args: &[(&str, &str)]) {
        let Some(known) = CODES.iter().find(|c| c.id == code) else { return };
        let args = args.iter().map(|(k, v)| ((*k).to_owned(), cut(v, 200))).collect();
        let (skill, pointer) = (Some(skill), pointer.to_owned());
        self.0.push(Note { code, kind: known.kind, skill, pointer, args });
    }

    /// Tells the members of a descriptor that have no place.
    fn without_place(&mut self, index: usize, descriptor: Val<'_>, placed: &[&str]) {
        let left: Vec<String> = descriptor
            .entries()
            .map(|(k, _)| k.into_owned())
            .filter(|k| !placed.contains(&k.as_str()) && k != "$schema")
            .collect();
        if !left.is_empty() {
            self.add("no-place", index, "", &[("fields", &left.join(", "))]);
        }
    }
}

/// A key that the importers leave, when it holds an object.
fn kept<'a>(descriptor: Val<'a>, key: &str) -> Option<Val<'a>> {
    descriptor.get(key).filter(|v| v.is_object())
}
