//! The message table at hand for components: the language as a plain value in the context.
//!
//! Not a signal: every text would need an effect of its own, and the language changes once a year. Whoever provides
//! [`Words`] draws its children again when the language changes.

use leptos::prelude::use_context;

use crate::message::{self, Lang, M};

/// The language that this part of the page is drawn in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Lang);

/// The words of the nearest screen. Call it while a component is made, not in an event.
pub fn words() -> Words {
    use_context().unwrap_or_default()
}

impl Words {
    /// A sentence.
    pub fn t(self, message: M) -> &'static str {
        message::text(self.0, message)
    }

    /// A sentence with values.
    pub fn f(self, message: M, args: &[(&str, &str)]) -> String {
        message::fill(self.0, message, args)
    }

    /// A sentence without values by its id; an unknown id shows as unknown.
    pub fn s(self, id: &str) -> &'static str {
        let (en, zh) = message::findings::both(id).unwrap_or(("–", "–"));
        if self.0 == Lang::En { en } else { zh }
    }

    /// A sentence of the checks and analyses by its id.
    pub fn id(self, id: &str, args: &[(String, String)]) -> String {
        message::fill_id(self.0, id, args)
    }
}
