//! A run as lines of JSON that a model can read and quote: one step a line, redacted, with what is invisible shown.
//!
//! A text inside a JSON string cannot leave its field, whatever it says. Characters that people do not see but models
//! read (control, direction, zero width, tags) are written as `\u{…}`. A quote is a part of a step when it is one after
//! white space is folded, in the text itself or in one of its plain forms (arguments are JSON inside JSON).
//! Cost: O(bytes of the run).

use crate::json::quote;
use crate::model::{Effect, Run, Step, StepKind, effect_class};
use crate::share::Redactor;
use crate::share::views::views;

/// A step as it may be sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Index of the step, from 0. Written from 1.
    pub step: u32,
    pub kind: &'static str,
    /// The agent's name, in runs with several.
    pub agent: String,
    pub tool: String,
    pub text: String,
    pub input: String,
    pub result: String,
    pub failed: bool,
    /// A person's words, a thought, a text of the agent, a failure, a change: not cut before everything else is.
    pub keep: bool,
    /// Steps of one answer of the model share it.
    pub turn: Option<u32>,
}

/// The steps of a run without secrets.
pub fn pieces(run: &Run, redactor: &Redactor) -> Vec<Piece> {
    let clean = |text: &str| visible(&redactor.text(text));
    let several = run.lanes.len() > 1 || run.steps.iter().any(|s| s.name.is_some());
    let last = run.steps.len().saturating_sub(5);
    let mut out = Vec::with_capacity(run.steps.len());
    for (index, step) in run.steps.iter().enumerate() {
        let call = step.call.as_deref();
        let result = call.and_then(|c| c.observation.as_ref());
        let name = step.name.as_deref().or_else(|| run.lanes.get(usize::from(step.lane)).map(|l| l.name.as_str()));
        let mut text = clean(&step.content.text);
        let pictures = step.content.media.len() + result.map_or(0, |o| o.content.media.len());
        if pictures > 0 {
            text.push_str(&format!("[{pictures} pictures or files, not sent]"));
        }
        out.push(Piece {
            step: index as u32,
            kind: step.kind.id(),
            agent: if several { clean(name.unwrap_or_default()) } else { String::new() },
            tool: call.map(|c| clean(&c.tool)).unwrap_or_default(),
            text,
            input: call.map(|c| clean(&c.args.raw)).unwrap_or_default(),
            result: result.map(|o| clean(&o.content.text)).unwrap_or_default(),
            failed: step.failed(),
            keep: index < 3 || index >= last || matters(step),
            turn: step.turn,
        });
    }
    out
}

fn matters(step: &Step) -> bool {
    matches!(step.kind, StepKind::Person | StepKind::Thought | StepKind::Say)
        || step.failed()
        || step.call.as_deref().is_some_and(|c| effect_class(&c.tool, &c.args) == Effect::Change)
}

/// Every text of a run that can be sent, by step: what is looked through for secrets.
pub fn texts(run: &Run) -> impl Iterator<Item = (u32, &str)> {
    (0u32..).zip(&run.steps).flat_map(|(i, s)| {
        let call = s.call.as_deref();
        let result = call.and_then(|c| c.observation.as_ref()).map(|o| &*o.content.text);
        let of_call = call.map(|c| [&*c.tool, &*c.args.raw]).into_iter().flatten();
        std::iter::once(&*s.content.text).chain(s.name.as_deref()).chain(of_call).chain(result).map(move |t| (i, t))
    })
}

/// The text with invisible characters written out.
pub fn visible(text: &str) -> String {
    if !text.chars().any(hidden) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            out.push_str(&format!("\\u{{{:x}}}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

fn hidden(c: char) -> bool {
    match c {
        '\n' | '\t' | '\r' => false,
        c if c.is_control() => true,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

impl Piece {
    /// The step as one line, without a line break.
    pub fn line(&self) -> String {
        let mut out = format!("{{\"step\":{},\"kind\":{}", u64::from(self.step) + 1, quote(self.kind));
        let mut field = |name: &str, text: &str| {
            if !text.is_empty() {
                out.push_str(&format!(",\"{name}\":{}", quote(text)));
            }
        };
        field("agent", &self.agent);
        field("tool", &self.tool);
        field("text", &self.text);
        field("input", &self.input);
        field("result", &self.result);
        if self.failed {
            out.push_str(",\"failed\":true");
        }
        out.push('}');
        out
    }

    /// Characters of what the step says.
    pub fn chars(&self) -> u64 {
        [&self.text, &self.input, &self.result].iter().map(|t| t.chars().count() as u64).sum()
    }

    /// Whether the quote stands in the step.
    pub fn has(&self, quoted: &str) -> bool {
        let wanted: Vec<String> = views(quoted).iter().map(|v| folded(&v.text)).collect();
        if wanted.first().is_none_or(|w| w.chars().filter(|c| !c.is_whitespace()).count() < SHORTEST) {
            return false;
        }
        [&self.text, &self.input, &self.result].into_iter().any(|text| {
            views(text).iter().any(|view| {
                let text = folded(&view.text);
                wanted.iter().any(|w| text.contains(w.as_str()))
            })
        })
    }

    /// What the step is, in a few words: for a quote that is not in it.
    pub fn what(&self) -> String {
        let said = if self.tool.is_empty() { &self.text } else { &self.input };
        let head = if self.tool.is_empty() { self.kind } else { self.tool.as_str() };
        crate::format::one_line(&format!("{head} {said}"), 80)
    }
}

/// Shorter quotes stand anywhere.
const SHORTEST: usize = 3;

/// White space folded to single spaces, none at the ends.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
