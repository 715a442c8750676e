//! One call in two notations: `open src/a.py 14` as a line of text, and `{"path": "src/a.py", "line": 14}` as an object.
//!
//! Programs of one family write the calls of the same tool differently. Where a tool's arguments are text on one side
//! and objects on the other, they are compared by their words: those of the line, quotes off, and those of the values in
//! the order in which the file has them. Nothing changes where both sides use one notation. O(arguments).

use std::collections::BTreeMap;

use super::units::Numbering;
use crate::json::{Kind, Tape, Val};
use crate::model::{Args, ArgsForm, Call, CallStatus, Run, StepKeys};

/// Keys of calls by their words stand above all others.
const BY_WORDS: u32 = 1 << 31;

/// Gives calls whose tool is written differently on the two sides their keys by words.
pub(super) fn reconcile(sides: [(&Run, &mut Vec<StepKeys>); 2], numbering: &mut Numbering) {
    let [(left, left_keys), (right, right_keys)] = sides;
    let forms = |run: &Run| {
        let mut out: BTreeMap<String, (bool, bool)> = BTreeMap::new();
        for call in run.steps.iter().filter_map(|s| s.call.as_deref()) {
            let forms = out.entry(call.tool.to_string()).or_default();
            forms.0 |= call.args.form == ArgsForm::Text;
            forms.1 |= call.args.form == ArgsForm::Json;
        }
        out
    };
    let (mine, theirs) = (forms(left), forms(right));
    let differs = |tool: &str| match (mine.get(tool), theirs.get(tool)) {
        (Some(a), Some(b)) => a.0 && !a.1 && b.1 && !b.0 || a.1 && !a.0 && b.0 && !b.1,
        _ => false,
    };
    for (run, keys) in [(left, left_keys), (right, right_keys)] {
        let calls = run.steps.iter().filter_map(|s| s.call.as_deref());
        for (call, key) in calls.zip(keys.iter_mut()).filter(|(c, _)| differs(&c.tool)) {
            let words = words_of(&call.args).join("\u{1f}");
            key.call = BY_WORDS | numbering.named(&call.tool, &words);
            key.outcome = BY_WORDS | numbering.named(&key.call.to_string(), &ending(call, key.observation));
        }
    }
}

fn ending(call: &Call, observation: u32) -> String {
    let status = match call.status {
        CallStatus::Ok => "ok",
        CallStatus::Error => "error",
        CallStatus::Unknown => "unknown",
    };
    format!("{observation} {status}")
}

/// The words of arguments in order.
fn words_of(args: &Args) -> Vec<String> {
    let mut out = Vec::new();
    if args.form != ArgsForm::Json {
        split(&args.raw, &mut out);
        return out;
    }
    let mut tape = Tape::new();
    let mut open: Vec<Val<'_>> = vec![tape.parse(&args.raw).root()];
    // Depth first without recursion: children go on the stack in reverse.
    while let Some(val) = open.pop() {
        let at = open.len();
        match val.kind() {
            Kind::Object => open.extend(val.entries().map(|(_, v)| v)),
            Kind::Array => open.extend(val.items()),
            Kind::Null => {}
            _ => split(&val.text(), &mut out),
        }
        if let Some(children) = open.get_mut(at..) {
            children.reverse();
        }
    }
    out
}

/// Splits at white space; quotes around a word and keep its spaces, and go.
fn split(text: &str, out: &mut Vec<String>) {
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let mut any = false;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                any = true;
            }
            None if c.is_whitespace() => {
                if any || !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                any = false;
            }
            _ => word.push(c),
        }
    }
    if any || !word.is_empty() {
        out.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_in_both_notations() {
        let words = |raw: &str, form| words_of(&Args { raw: raw.into(), form });
        let same = |text: &str, json: &str| {
            assert_eq!(words(text, ArgsForm::Text), words(json, ArgsForm::Json), "{text} {json}");
        };
        same("ls -F\n", r#"{"command":"ls -F"}"#);
        same("find_file \"fields.py\" src", r#"{"name":"find_file","file_name":"fields.py","dir":"src"}"#);
        same("src/a.py 1474", r#"{"path":"src/a.py","line":1474}"#);
        same("", "{}");
        same("a b c", r#"{"x":["a",{"y":"b"}],"z":"c"}"#);
        assert_ne!(words("a b", ArgsForm::Text), words(r#"{"x":"a"}"#, ArgsForm::Json));
    }
}
