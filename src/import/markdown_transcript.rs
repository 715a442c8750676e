//! Transcripts in Markdown: `## User`, `### Assistant`, `### Tool Output`, calls as `**Tool: `name`**` with a list of their
//! arguments.
//!
//! ```text
//! # Transcript
//! ## User (turn 1)
//! run it
//! ### Assistant
//! **Tool: `Bash`**
//! - **`command`**: `ls`
//! ### Tool Output
//! a.txt
//! ```
//!
//! What somebody said may hold headings of its own; only those of these names, outside a fenced block, begin a part.
//! Results go by order. O(bytes).

use super::text::NoRecords;
use super::{Draft, Format, Log, Reason, RunBuilder, Sample, Sniff, json_args};
use crate::json::quote;
use crate::model::{Content, Observation, Run, Span, StepKind};

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "markdown-transcript",
    label: "Markdown transcript",
    files: "headings for user, assistant and tool output",
    marks: &["Transcript"],
    sniff,
    reader: || Box::new(NoRecords),
};

fn sniff(_: &Sample<'_>) -> Sniff {
    Sniff::no(Reason::NoKey("## User"), "")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Person,
    Model,
    Tool,
    System,
}

/// Who speaks below a heading.
fn heading(line: &str) -> Option<Who> {
    let words = line.strip_prefix("## ").or_else(|| line.strip_prefix("### "))?;
    let name = words.split(" (").next().unwrap_or_default().trim().trim_end_matches(':').to_ascii_lowercase();
    match name.as_str() {
        "user" | "human" => Some(Who::Person),
        "assistant" | "agent" => Some(Who::Model),
        "tool output" | "tool result" | "tool results" => Some(Who::Tool),
        "system" | "system prompt" => Some(Who::System),
        _ => None,
    }
}

/// Whether a text has a person's and a model's heading.
pub fn is_transcript(text: &str) -> bool {
    let mut seen = [false; 2];
    for who in text.lines().filter_map(heading) {
        match who {
            Who::Person => seen = [true, seen[1]],
            Who::Model => seen = [seen[0], true],
            _ => {}
        }
        if seen == [true, true] {
            return true;
        }
    }
    false
}

/// The run of a transcript.
pub fn read(text: &str, log: &mut Log) -> Vec<Run> {
    let mut run = RunBuilder::new(FORMAT.id);
    let mut open: Option<(Who, Span, String)> = None;
    let mut offset = 0;
    for (line, whole) in (1u32..).zip(text.split_inclusive('\n')) {
        let start = offset;
        offset += whole.len();
        let said = whole.trim_end_matches(['\n', '\r']);
        if let Some(who) = heading(said) {
            if let Some((who, span, text)) = open.take() {
                part(&mut run, who, span, &text, log);
            }
            let span = Span { line, start: start as u32, end: offset as u32, ..Span::default() };
            open = Some((who, span, String::new()));
        } else if let Some((_, span, text)) = &mut open {
            span.end = offset as u32;
            text.push_str(said);
            text.push('\n');
        }
    }
    if let Some((who, span, text)) = open {
        part(&mut run, who, span, &text, log);
    }
    if run.is_empty() { Vec::new() } else { vec![run.finish()] }
}

fn part(run: &mut RunBuilder, who: Who, span: Span, text: &str, log: &mut Log) {
    log.understood();
    // A rule closes a part.
    let text = text.trim().trim_end_matches("---").trim();
    let draft = Draft { span: span.clone(), ..Draft::default() };
    match who {
        Who::Person | Who::System if text.is_empty() => {}
        Who::Person => {
            run.say(StepKind::Person, Content::text(text), draft);
        }
        Who::System => {
            run.say(StepKind::System, Content::text(text), draft);
        }
        Who::Tool => {
            let inner = text.strip_prefix("```").and_then(|t| t.strip_suffix("```"));
            let inner = inner.map_or(text, |t| t.split_once('\n').map_or(t, |(_, body)| body)).trim_end();
            let (status, exit_code) = super::part::told_status(inner);
            let observation = Observation { content: Content::text(inner), exit_code, span, ..Observation::default() };
            run.observe(None, None, observation, status, draft);
        }
        Who::Model => {
            let turn = run.new_turn(0);
            let draft = Draft { turn: Some(turn), ..draft };
            let mut pieces = text.split("**Tool: `");
            let said = pieces.next().unwrap_or_default().trim();
            if !said.is_empty() {
                run.say(StepKind::Say, Content::text(said), draft.clone());
            }
            for piece in pieces {
                let (tool, rest) = piece.split_once('`').unwrap_or((piece, ""));
                run.call(None, tool.trim(), json_args(&arguments(rest)), draft.clone());
            }
        }
    }
}

/// `- **`name`**: `value`` line by line, as JSON; a value may go over several lines.
fn arguments(text: &str) -> String {
    const MARK: &str = "- **`";
    let mut out = String::from("{");
    let starts: Vec<usize> = std::iter::once(0)
        .filter(|_| text.starts_with(MARK))
        .chain(text.match_indices("\n- **`").map(|(at, _)| at + 1))
        .collect();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let item = text.get(*start..end).unwrap_or_default();
        let Some((name, value)) = item.strip_prefix(MARK).and_then(|r| r.split_once("`**:")) else { continue };
        let value = value.trim();
        let fenced = value.strip_prefix("```").and_then(|v| v.strip_suffix("```"));
        let value = match fenced {
            Some(inner) => inner.split_once('\n').map_or(inner, |(_, body)| body).trim_end(),
            None => value.strip_prefix('`').and_then(|v| v.strip_suffix('`')).unwrap_or(value),
        };
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&format!("{}:{}", quote(name), quote(value)));
    }
    out.push('}');
    out
}
