//! Lossless JSON: a tape of byte ranges over the text, so that every value keeps its exact source,
//! its place, its key order and its repeated keys, and nothing is decoded before someone reads it.
//!
//! [`Tape::parse`] never fails: what is not JSON becomes a [`Fault`] with its offset, and where a
//! repair is certain (NaN, half a surrogate pair, a cut-off end, a raw control character) the value
//! goes on with the repair. Strict readers refuse any fault, lenient ones report them.
//! O(n) time; 24 bytes a token, reused from document to document; no recursion at any depth.
//! Source: RFC 8259; RFC 6901 for pointers.

mod parse;
mod text;
mod value;

pub use parse::{Fault, FaultKind, MAX_DEPTH, Tape};
pub use text::{Decoded, decode_bytes, line_column, pointer_token, quote};
pub use value::{Doc, Entries, Items, Kind, Val};
