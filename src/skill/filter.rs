//! Property 7: the skills of one capability type, and the proof that a filtered list is what it says.
//!
//! A filter keeps items as they are, in their order and as often as they stand there. A word that is no capability
//! type is an error that names the field: an empty list would look like an answer, the whole list like another.
//! O(items). Source: Skill Sharing Protocol chapter 12, property 7.

use crate::model::Capability;

/// A word that is no capability type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCapability {
    /// The field that it would have to be a value of.
    pub field: &'static str,
    pub word: String,
}

impl UnknownCapability {
    /// Id of its sentence in the message table, and the values for it.
    pub fn sentence(&self) -> (&'static str, Vec<(String, String)>) {
        let allowed = Capability::ALL.map(|c| format!("\"{}\"", c.word())).join(", ");
        ("provider.unknown_capability", vec![("value".into(), self.word.clone()), ("allowed".into(), allowed)])
    }
}

/// The capability type that a filter names: exactly its word.
pub fn capability(word: &str) -> Result<Capability, UnknownCapability> {
    Capability::from_word(word).ok_or_else(|| UnknownCapability { field: "capability_type", word: word.to_owned() })
}

/// The items of a capability type. `word_of` gives the `capability_type` of an item as it is written.
pub fn by_capability<'a, T>(
    items: &'a [T],
    word: &str,
    word_of: impl Fn(&T) -> &str,
) -> Result<Vec<&'a T>, UnknownCapability> {
    let wanted = capability(word)?;
    Ok(items.iter().filter(|item| word_of(item) == wanted.word()).collect())
}

/// What is wrong with a filtered list: an item of another type, or a matching item that is not there (or not as often,
/// or not in its place).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Indices in the filtered list of items that have another type.
    pub foreign: Option<usize>,
    /// Index in the original of the first matching item that is missing.
    pub missing: Option<usize>,
}

/// Compares a filtered list with what it was made of. `same` says whether two items are the same one, unchanged.
pub fn judge<T>(
    original: &[T],
    filtered: &[&T],
    wanted: Capability,
    word_of: impl Fn(&T) -> &str,
    same: impl Fn(&T, &T) -> bool,
) -> Judged {
    let foreign = filtered.iter().position(|item| word_of(item) != wanted.word());
    let mut left = filtered.iter();
    let mut missing = None;
    for (index, item) in original.iter().enumerate().filter(|(_, item)| word_of(item) == wanted.word()) {
        if !left.next().is_some_and(|kept| same(kept, item)) {
            missing = Some(index);
            break;
        }
    }
    Judged { foreign, missing }
}
