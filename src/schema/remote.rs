//! The checker of the browser's worker: another program, [`crate::schema`] by itself (`src/bin/schemas.rs`), which is
//! loaded when the first value is to be checked. It is as heavy as everything else together, and few files have a
//! schema. Texts go there, answers come back ([`super::answer`]).

use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::embedded::{Departure, Dialect, Flaw, FlawKind, known_word};
use super::tool::Checked;
use super::{Question, SchemaFault};
use crate::json::Val;

/// Asks the other program: question, schema, value. Answers JSON, or why not.
pub type Ask = fn(&str, &str, &str) -> Result<String, String>;

static ASK: OnceLock<Ask> = OnceLock::new();

/// Says whom to ask; the worker does, before anything else.
pub fn ask_by(ask: Ask) {
    let _ = ASK.set(ask);
}

fn ask<T: DeserializeOwned>(question: &Question, schema_text: &str, text: &str) -> Result<T, String> {
    let question = serde_json::to_string(question).map_err(|e| e.to_string())?;
    let answer = ASK.get().ok_or("nobody to ask")?(&question, schema_text, text)?;
    serde_json::from_str(&answer).map_err(|e| e.to_string())
}

fn not_loaded(why: &str) -> String {
    format!("The check could not be loaded: {why}")
}

pub(super) fn run(schema_text: &str, def: &str, doc: Val<'_>) -> Vec<SchemaFault> {
    ask(&Question::Own(def.to_owned()), schema_text, doc.raw())
        .unwrap_or_else(|why| vec![SchemaFault { pointer: String::new(), message: not_loaded(&why) }])
}

/// The schema of a tool, by its text.
pub struct Tool(Arc<str>);

impl Tool {
    pub fn new(text: &str, _schema: &serde_json::Value) -> Result<Self, String> {
        ask::<Result<(), String>>(&Question::Tool, text, "").unwrap_or_else(|why| Err(not_loaded(&why)))?;
        Ok(Self(text.into()))
    }

    /// What could not be asked was not checked.
    pub fn check(&self, _schema: &serde_json::Value, value: &serde_json::Value) -> Checked {
        let checked = ask::<Result<Checked, String>>(&Question::Breaches, &self.0, &value.to_string());
        checked.and_then(|c| c).unwrap_or(Checked::TooSlow)
    }
}

/// A schema of a document, by its text.
#[derive(Debug)]
pub struct Embedded(Arc<str>);

impl Embedded {
    pub fn new(val: Val<'_>, dialect: Dialect) -> Result<Self, Vec<Flaw>> {
        let flaws = ask::<Vec<Flaw>>(&Question::Embedded, val.raw(), "").unwrap_or_else(|why| {
            vec![Flaw { pointer: String::new(), kind: FlawKind::Keyword(not_loaded(&why)), dialect }]
        });
        if flaws.is_empty() { Ok(Self(val.raw().into())) } else { Err(flaws) }
    }

    pub fn check(&self, val: Val<'_>) -> Vec<Departure> {
        let departure = |told: Told| Departure {
            pointer: told.pointer,
            reason: known_word(&told.reason),
            wants: told.wants,
            keyword: told.keyword,
        };
        match ask::<Vec<Told>>(&Question::Departures, &self.0, val.raw()) {
            Ok(told) => told.into_iter().map(departure).collect(),
            Err(why) => {
                let (pointer, keyword) = (String::new(), String::new());
                vec![Departure { pointer, reason: "schema", wants: not_loaded(&why), keyword }]
            }
        }
    }
}

/// A [`Departure`] as it was written.
#[derive(Deserialize)]
struct Told {
    pointer: String,
    reason: String,
    wants: String,
    keyword: String,
}
