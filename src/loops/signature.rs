//! When does a call fail again in the same way, and when is it overcome? Error lines and kinds of calls.
//! O(length of the text); the last 64 KB of an error are read, where the cause stands.

use std::collections::BTreeSet;

use crate::model::{ArgsForm, Call, canonical_args, fingerprint};

/// How much of an error text is read.
const MAX_BYTES: usize = 64 << 10;

/// Words that make a line an error line.
const ERROR_WORDS: [&str; 25] = [
    "error",
    "errors",
    "fail",
    "failed",
    "fails",
    "failure",
    "failures",
    "fatal",
    "exception",
    "panic",
    "panicked",
    "denied",
    "invalid",
    "cannot",
    "undefined",
    "unknown",
    "unexpected",
    "missing",
    "refused",
    "rejected",
    "timeout",
    "unable",
    "illegal",
    "unsupported",
    "conflict",
];

/// The error lines of a failed call's observation: lines that carry a word of failure, name an exception, or begin
/// with a place in a file (`path:12:3`), as fingerprints and with the numbers of places masked; other numbers stay,
/// since "5 failed" against "4 failed" is progress. Lines with fewer than eight letters or digits say too little.
/// Without such a line the whole text is the only one. `\n` written as two characters counts as a line break.
pub fn signature(text: &str) -> BTreeSet<String> {
    let mut from = text.len().saturating_sub(MAX_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let text = text.get(from..).unwrap_or_default().replace("\\n", "\n");
    let mut out = BTreeSet::new();
    for line in text.lines() {
        if line.chars().filter(|c| c.is_alphanumeric()).count() < 8 {
            continue;
        }
        let (line, has_place) = mask_places(line);
        let names_error = line.split(|c: char| !c.is_alphanumeric()).any(|word| {
            let lower = word.to_ascii_lowercase();
            ERROR_WORDS.contains(&lower.as_str())
                || (word.len() > 5 && (word.ends_with("Error") || word.ends_with("Exception")))
        }) || line.contains("not found")
            || line.contains("No such")
            || line.contains("not exist");
        if names_error || has_place {
            out.insert(fingerprint(&line, false));
        }
    }
    if out.is_empty() {
        out.insert(fingerprint(&text, true));
    }
    out
}

/// Replaces the numbers of `name.ext:12:3` by `#`; also says whether the line begins with such a place.
fn mask_places(line: &str) -> (String, bool) {
    let mut out = String::with_capacity(line.len());
    let mut begins = false;
    for (i, word) in line.split(' ').enumerate() {
        if i > 0 {
            out.push(' ');
        }
        let mut parts = word.split(':');
        let head = parts.next().unwrap_or_default();
        let is_place = head.rsplit('/').next().is_some_and(|f| f.contains('.') && f.chars().any(char::is_alphabetic))
            && parts.next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        if !is_place {
            out.push_str(word);
            continue;
        }
        begins |= !out.contains(char::is_alphanumeric);
        out.push_str(head);
        for part in word.split(':').skip(1) {
            out.push(':');
            out.push_str(if !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) { "#" } else { part });
        }
    }
    (out, begins)
}

/// What kind of call this is, for "it passed later": the tool with the commands of a shell line, or with the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallKind {
    tool: String,
    commands: BTreeSet<String>,
    target: Option<String>,
}

/// Whether `later` does at least what `first` did.
pub fn same_kind(first: &CallKind, later: &CallKind) -> bool {
    if first.tool != later.tool {
        return false;
    }
    if !first.commands.is_empty() {
        return first.commands.is_subset(&later.commands);
    }
    first.target == later.target
}

/// Names of arguments that hold a shell line, and of those that hold what a call is about.
const LINES: [&str; 4] = ["command", "cmd", "script", "input"];
const TARGETS: [&str; 10] =
    ["file_path", "path", "filepath", "file", "filename", "notebook_path", "url", "uri", "query", "pattern"];
/// Programs whose second word says what they do.
const WITH_VERB: [&str; 14] =
    ["git", "cargo", "npm", "pnpm", "yarn", "docker", "kubectl", "go", "make", "pip", "uv", "mix", "gh", "dotnet"];

pub fn call_kind(call: &Call) -> CallKind {
    let mut kind = CallKind { tool: call.tool.to_string(), commands: BTreeSet::new(), target: None };
    if call.args.form == ArgsForm::Text {
        kind.commands = commands(&call.args.raw);
        return kind;
    }
    let mut tape = crate::json::Tape::new();
    let root = tape.parse(&call.args.raw).root();
    if let Some(line) = LINES.iter().find_map(|k| root.str(k)) {
        kind.commands = commands(&line);
    }
    let target = TARGETS.iter().find_map(|k| root.str(k)).map(|t| t.into_owned());
    // Without a named target every argument counts: another one is another thing.
    kind.target = Some(target.unwrap_or_else(|| canonical_args(&call.args)));
    kind
}

/// The commands of a shell line: the first word of each part, with the second for programs with verbs. Quoted text is
/// left out, `cd` too.
fn commands(line: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut part = String::new();
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut take = |part: &mut String| {
        let text = std::mem::take(part);
        let mut words = text.split_whitespace().skip_while(|w| w.contains('=') && !w.starts_with('-'));
        let Some(first) = words.next() else { return };
        let name = first.rsplit('/').next().unwrap_or(first);
        if name == "cd" {
            return;
        }
        match words.find(|w| !w.starts_with('-')).filter(|_| WITH_VERB.contains(&name)) {
            Some(verb) => out.insert(format!("{name} {verb}")),
            None => out.insert(name.to_owned()),
        };
    };
    for c in line.chars() {
        if escaped {
            escaped = false;
            continue;
        }
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), '\\') => escaped = true,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '\\') => escaped = true,
            (None, '|' | ';' | '&' | '\n') => take(&mut part),
            (None, c) => part.push(c),
        }
    }
    take(&mut part);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(signature(text).iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn keeps_the_lines_that_say_what_failed() {
        check("plain words only", &["plain words only"]);
        check(
            "collecting\nerror: no field `x`\n  --> src/a.rs:12:3\ndone",
            &["--> src/a.rs:#:#", "error: no field `x`"],
        );
        check("lib/a.ex:57:13:pattern_match\nThe pattern can never match", &["lib/a.ex:#:#:pattern_match"]);
        check("== 5 failed, 3 passed in 0.31s ==", &["== 5 failed, 3 passed in # =="]);
        check("Pre-commit validation failed:\\n\\n[X]", &["pre-commit validation failed:"]);
        check("error", &["error"]);
    }

    #[test]
    fn knows_the_commands_of_a_line() {
        let of = |line: &str| commands(line).into_iter().collect::<Vec<_>>();
        assert_eq!(of("git add -A && git commit -m \"fix; rm -rf && x\""), ["git add", "git commit"]);
        assert_eq!(of("cd /x && FOO=1 /usr/bin/make test | tail -3"), ["make test", "tail"]);
        assert_eq!(of(""), [""; 0]);
    }
}
