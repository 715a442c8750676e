//! Which argument of a call says what the call is about, so that a row and an arrow name it alike. O(arguments).

use crate::json::Val;

/// Names of such arguments, the most telling first.
const NAMES: [&str; 23] = [
    "command",
    "cmd",
    "file_path",
    "path",
    "filename",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "uri",
    "description",
    "prompt",
    "skill",
    "question",
    "code",
    "script",
    "input",
    "expression",
    "message",
    "text",
    "name",
    "title",
    "subject",
];
/// Those of them that are paths, of which the end says most.
const PATHS: [&str; 4] = ["file_path", "path", "filename", "notebook_path"];
/// Those of them that are sentences rather than code.
const PROSE: [&str; 7] = ["description", "prompt", "question", "message", "text", "title", "subject"];

/// The argument that says what a call is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    pub text: String,
    /// It is a path.
    pub path: bool,
    /// It is written for people.
    pub prose: bool,
}

/// The most telling argument of a call with these arguments; `None` when nothing stands out.
pub fn telling(args: Val<'_>) -> Option<Telling> {
    NAMES.iter().find_map(|name| {
        let value = args.some(name)?;
        let text = if value.is_array() {
            let words: Vec<String> = value.items().filter_map(|v| v.as_str()).map(|w| w.into_owned()).collect();
            match words.as_slice() {
                // `["bash","-lc","git status"]`
                [shell, flag, line] if shell.ends_with("sh") && flag.starts_with('-') => line.clone(),
                words => words.join(" "),
            }
        } else if value.is_object() {
            return None;
        } else {
            value.text().into_owned()
        };
        (!text.trim().is_empty()).then(|| Telling { text, path: PATHS.contains(name), prose: PROSE.contains(name) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Tape;

    #[test]
    fn the_most_telling_argument() {
        let check = |args: &str, want: Option<&str>| {
            let mut tape = Tape::new();
            assert_eq!(telling(tape.parse(args).root()).map(|t| t.text).as_deref(), want, "{args}");
        };
        check(r#"{"timeout":5,"command":"ls"}"#, Some("ls"));
        check(r#"{"description":"List","command":["bash","-lc","git status"]}"#, Some("git status"));
        check(r#"{"cmd":["git","status"]}"#, Some("git status"));
        check(r#"{"command":"  ","path":"a/b.rs"}"#, Some("a/b.rs"));
        check(r#"{"input":{"a":1},"name":"x"}"#, Some("x"));
        check(r#"{"query":null}"#, None);
        check("{}", None);
        check("[1]", None);
    }
}
