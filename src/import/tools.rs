//! The tools that a run declares, in the spellings of the many writers, as skills of the run.
//!
//! | writer | spelling |
//! |---|---|
//! | OpenAI chat, ATIF, OpenHands | `{"type":"function","function":{"name","description","parameters"}}` |
//! | OpenAI responses, the older `functions` | `{"name","description","parameters"}` |
//! | Anthropic | `{"name","description","input_schema"}`; tools of the provider have a name and no schema |
//! | MCP, Codex | `{"name","title","description","inputSchema","outputSchema"}` |
//! | Gemini, namespaces | lists inside: `{"functionDeclarations":[…]}`, `{"type":"namespace","tools":[…]}` |
//! | Claude Code's stream | the names alone |
//! | OpenInference, Vercel's AI SDK | each definition as a JSON text: `{"tool":{"json_schema":"{…}"}}`, `"{…}"` |
//!
//! Schemas are kept as they stand; one that is no object is as good as none. O(bytes of the list), bounded in number
//! by [`Run::declare`].

use std::sync::Arc;

use crate::json::{Tape, Val};
use crate::model::{Run, Skill};

/// A schema longer than this is no schema of a tool.
const MAX_SCHEMA: usize = 1 << 20;

/// Names under which a schema of the arguments stands.
const INPUTS: [&str; 6] =
    ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema", "args_schema"];

/// Names under which a schema of the result stands.
const OUTPUTS: [&str; 4] = ["output_schema", "outputSchema", "responseJsonSchema", "response_json_schema"];

/// Names under which lists of tools stand inside a tool.
const INNER: [&str; 3] = ["functionDeclarations", "function_declarations", "tools"];

/// Declares every tool of a list: an array, or a string that holds one.
pub fn declare(run: &mut Run, list: Val<'_>) {
    if let Some(text) = list.as_str() {
        let mut tape = Tape::new();
        let inner = tape.parse(&text).root();
        if inner.is_array() {
            each(run, inner);
        }
    } else {
        each(run, list);
    }
}

fn each(run: &mut Run, list: Val<'_>) {
    for tool in list.items() {
        let inside = INNER.iter().find_map(|k| tool.get(k).filter(|v| v.is_array()));
        match inside {
            // Lists inside a list inside a list do not exist.
            Some(inside) => inside.items().filter_map(one).for_each(|skill| run.declare(skill)),
            None => one(tool).into_iter().for_each(|skill| run.declare(skill)),
        }
    }
}

/// The tool of one definition; `None` when it has no name.
pub fn one(tool: Val<'_>) -> Option<Skill> {
    let written = tool.path(&["tool", "json_schema"]).or_else(|| tool.get("json_schema")).unwrap_or(tool);
    if written.is_object() {
        return defined(written);
    }
    let text = written.as_str()?;
    if text.trim_start().starts_with('{') {
        let mut tape = Tape::new();
        tape.load(&text);
        return if tape.faults().is_empty() { defined(tape.doc(&text).root()) } else { None };
    }
    Some(Skill::of_run(text.trim())).filter(|s| !s.name.is_empty())
}

fn defined(tool: Val<'_>) -> Option<Skill> {
    let inner = ["function", "custom"].iter().find_map(|k| tool.get(k).filter(|f| f.is_object())).unwrap_or(tool);
    let name = inner.str("name").or_else(|| tool.str("name")).filter(|n| !n.trim().is_empty())?;
    Some(Skill {
        description: inner.str("description").filter(|d| !d.trim().is_empty()).map(|d| d.into_owned()),
        inputs: schema(inner, &INPUTS),
        output: schema(inner, &OUTPUTS),
        ..Skill::of_run(&name)
    })
}

/// The schema under the first of these names: an object, or a text that holds one.
fn schema(tool: Val<'_>, names: &[&str]) -> Option<Arc<str>> {
    let found = names.iter().find_map(|k| tool.get(k))?;
    if found.raw().len() > MAX_SCHEMA {
        return None;
    }
    if found.is_object() {
        return (!found.is_empty()).then(|| Arc::from(found.raw()));
    }
    let text = found.as_str()?;
    let mut tape = Tape::new();
    let is_schema = {
        let root = tape.parse(&text).root();
        root.is_object() && !root.is_empty()
    };
    (is_schema && tape.faults().is_empty()).then(|| Arc::from(text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, whether it has inputs, whether it has an output.
    fn declared(text: &str) -> Vec<(String, bool, bool)> {
        let mut tape = Tape::new();
        let mut run = Run::default();
        declare(&mut run, tape.parse(text).root());
        run.skills.into_iter().map(|s| (s.name, s.inputs.is_some(), s.output.is_some())).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(&str, bool, bool)]) {
        let expected: Vec<_> = expected.iter().map(|(n, i, o)| ((*n).to_owned(), *i, *o)).collect();
        assert_eq!(declared(text), expected, "{text}");
    }

    #[test]
    fn reads_every_spelling() {
        let schema = r#"{"type":"object"}"#;
        check(
            &format!(r#"[{{"type":"function","function":{{"name":"a","parameters":{schema}}}}}]"#),
            &[("a", true, false)],
        );
        check(&format!(r#"[{{"type":"function","name":"a","parameters":{schema}}}]"#), &[("a", true, false)]);
        check(&format!(r#"[{{"name":"a","input_schema":{schema}}}]"#), &[("a", true, false)]);
        check(&format!(r#"[{{"name":"a","inputSchema":{schema},"outputSchema":{schema}}}]"#), &[("a", true, true)]);
        check(
            &format!(r#"[{{"functionDeclarations":[{{"name":"a","parameters":{schema}}},{{"name":"b"}}]}}]"#),
            &[("a", true, false), ("b", false, false)],
        );
        check(r#"["Bash","Read"," "]"#, &[("Bash", false, false), ("Read", false, false)]);
        check(r#"[{"type":"bash_20250124","name":"bash"},{"type":"web_search"}]"#, &[("bash", false, false)]);
        check(r#""[{\"name\":\"a\",\"parameters\":{\"type\":\"object\"}}]""#, &[("a", true, false)]);
        check(
            r#"[{"name":"a","parameters":{}},{"name":"b","parameters":"{}"}]"#,
            &[("a", false, false), ("b", false, false)],
        );
        check(
            r#"[{"tool":{"json_schema":"{\"name\":\"a\",\"parameters\":{\"type\":\"object\"}}"}},"{\"name\":\"b\"}","{broken"]"#,
            &[("a", true, false), ("b", false, false)],
        );
        check(r#"[{"name":"a","parameters":"{\"type\":\"object\"}"}]"#, &[("a", true, false)]);
        for nothing in ["null", "{}", "5", "\"no\"", "[]", "[5,null,{}]"] {
            check(nothing, &[]);
        }
    }

    #[test]
    fn says_nothing_twice() {
        check(r#"["a","a",{"name":"a","description":"x"},"a"]"#, &[("a", false, false)]);
        check(
            r#"[{"name":"a","parameters":{"type":"object"}},{"name":"a","parameters":{"type":"object"}},
                {"name":"a","parameters":{"type":"object","required":["x"]}}]"#,
            &[("a", true, false), ("a", true, false)],
        );
    }
}
