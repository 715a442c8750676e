//! What a model said, as values: the last JSON object in its text, held to the shape that was asked for.
//!
//! The last one, since a model that thinks aloud may first repeat what stood in the run. An answer that does not fit
//! says where, in words for the model, so that it can be asked once more. Cost: O(length); the text is scanned once.

use super::prompt::Mode;
use crate::json::{Kind, Tape, Val};

/// A quote with the step that it is said to stand in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cite {
    /// 0 for the run, or run A; 1 for run B.
    pub run: u8,
    /// As written, from 1.
    pub step: i64,
    pub quote: String,
}

/// One verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Of a rubric: the criterion's id. `winner` and `decisive` otherwise.
    pub criterion: String,
    pub evidence: Vec<Cite>,
    pub reasoning: String,
    /// `yes`, `no`, `na`, `unclear`; `A`, `B`, `tie`; or the number of a step, 0 for none.
    pub value: String,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// Whose error, and which; of localising alone.
    pub agent: String,
    pub error: String,
}

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub control: String,
    pub items: Vec<Item>,
    pub injection_seen: bool,
    pub summary: String,
}

/// What a part of a run has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    pub step: i64,
    pub quote: String,
    pub note: String,
}

/// Texts of an answer are cut to this many characters: it is shown, and comes from anywhere.
const MOST: usize = 2_000;
/// Items of a list that are read.
const MANY: usize = 60;

/// Only so much of the end of an answer is looked through, with so many beginnings of an object.
const FAR: usize = 400_000;
const TRIES: usize = 400;

/// The last JSON object of a text that is not inside another one.
pub fn last_object(text: &str) -> Option<&str> {
    let from = (text.len().saturating_sub(FAR)..=text.len()).find(|i| text.is_char_boundary(*i))?;
    let text = text.get(from..)?;
    let bytes = text.as_bytes();
    let (mut found, mut at) = (None, 0);
    for _ in 0..TRIES {
        let Some(open) = bytes.get(at..).and_then(|b| b.iter().position(|b| *b == b'{')).map(|n| n + at) else { break };
        // Braces in prose are no object, and what is never closed is none; something inside may be one.
        at = open + 1;
        if let Some(end) = closing(bytes, open)
            && let Some(piece) = text.get(open..end).filter(|p| is_object(p))
        {
            found = Some(piece);
            at = end;
        }
    }
    found
}

fn is_object(text: &str) -> bool {
    let mut tape = Tape::new();
    tape.load(text);
    tape.faults().is_empty() && tape.doc(text).root().is_object()
}

/// Where the bracket at `open` is closed; strings do not count.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut depth, mut string, mut escaped) = (0usize, false, false);
    for (n, byte) in bytes.get(open..)?.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            b'{' if !string => depth += 1,
            b'}' if !string => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + n + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads an answer of a mode. `criteria`: the ids that were asked for. `Err` says to the model what does not fit.
pub fn read(mode: Mode, criteria: &[&str], text: &str) -> Result<Answer, String> {
    with_object(text, |root| {
        let mut out = Answer {
            control: short(root, "control")?,
            items: Vec::new(),
            injection_seen: word(root, "injection_seen", &["yes", "no"])? == "yes",
            summary: short(root, "summary")?,
        };
        match mode {
            Mode::Rubric | Mode::Taxonomy => {
                for item in list(root, "items")? {
                    out.items.push(Item {
                        criterion: word(item, "criterion", criteria)?,
                        value: word(item, "verdict", &["yes", "no", "na", "unclear"])?,
                        ..common(item)?
                    });
                }
                for id in criteria {
                    match out.items.iter().filter(|i| i.criterion == **id).count() {
                        1 => {}
                        0 => return Err(format!("\"items\" has no item for {id}")),
                        n => return Err(format!("\"items\" has {n} items for {id}; there must be one")),
                    }
                }
            }
            Mode::Pairwise => out.items.push(Item {
                criterion: "winner".into(),
                value: word(root, "winner", &["A", "B", "tie"])?,
                ..common(root)?
            }),
            Mode::Localise => out.items.push(Item {
                criterion: "decisive".into(),
                value: integer(root, "step")?.to_string(),
                agent: short(root, "agent")?,
                error: short(root, "error")?,
                ..common(root)?
            }),
        }
        Ok(out)
    })
}

/// Reads what a part of a run has to say, and whether the model saw text that addresses it.
pub fn read_findings(text: &str) -> Result<(Vec<Finding>, bool), String> {
    with_object(text, |root| {
        let findings = list(root, "findings")?
            .into_iter()
            .map(|f| Ok(Finding { step: integer(f, "step")?, quote: short(f, "quote")?, note: short(f, "note")? }));
        Ok((findings.collect::<Result<_, String>>()?, word(root, "injection_seen", &["yes", "no"])? == "yes"))
    })
}

fn with_object<T>(text: &str, look: impl FnOnce(Val<'_>) -> Result<T, String>) -> Result<T, String> {
    let object = last_object(text).ok_or("there is no complete JSON object in it")?;
    let mut tape = Tape::new();
    tape.load(object);
    look(tape.doc(object).root())
}

fn common(item: Val<'_>) -> Result<Item, String> {
    let mut evidence = Vec::new();
    for cite in list(item, "evidence")? {
        let run = if cite.has("run") { word(cite, "run", &["A", "B"])? } else { String::new() };
        evidence.push(Cite { run: u8::from(run == "B"), step: integer(cite, "step")?, quote: short(cite, "quote")? });
    }
    Ok(Item {
        evidence,
        reasoning: short(item, "reasoning")?,
        confidence: word(item, "confidence", &["low", "medium", "high"])?,
        ..Item::default()
    })
}

fn field<'a>(of: Val<'a>, key: &str) -> Result<Val<'a>, String> {
    of.get(key).ok_or_else(|| format!("\"{key}\" is missing"))
}

fn short(of: Val<'_>, key: &str) -> Result<String, String> {
    let text = field(of, key)?.as_str().ok_or_else(|| format!("\"{key}\" must be a string"))?;
    Ok(text.chars().take(MOST).collect())
}

fn word(of: Val<'_>, key: &str, words: &[&str]) -> Result<String, String> {
    let said = short(of, key)?;
    // Small models change the case or add a space; that is no other answer.
    match words.iter().find(|w| w.eq_ignore_ascii_case(said.trim())) {
        Some(word) => Ok((*word).to_owned()),
        None => Err(format!("\"{key}\" must be one of {}", words.join(", "))),
    }
}

fn integer(of: Val<'_>, key: &str) -> Result<i64, String> {
    let value = field(of, key)?;
    let read = match value.kind() {
        Kind::Number => value.as_i64().or_else(|| value.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64)),
        _ => value.as_str().and_then(|t| t.trim().parse().ok()),
    };
    read.ok_or_else(|| format!("\"{key}\" must be an integer"))
}

fn list<'a>(of: Val<'a>, key: &str) -> Result<Vec<Val<'a>>, String> {
    let list = field(of, key)?;
    if !list.is_array() {
        return Err(format!("\"{key}\" must be an array"));
    }
    if let Some(other) = list.items().find(|i| !i.is_object()) {
        return Err(format!("\"{key}\" must hold objects, not {}", crate::format::one_line(other.raw(), 40)));
    }
    Ok(list.items().take(MANY).collect())
}
