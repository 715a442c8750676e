//! A run in one line, the vocabulary of the tests: `u A1 B1! [C1 D1] "thought"`. O(length).
//!
//! | token | means |
//! |---|---|
//! | `u`, `u"text"` | a person's message |
//! | `"text"` | a thought |
//! | `s`, `s"text"` | text of the agent |
//! | `A1`, `Read12` | a call: a capitalised word is the tool, the digits are its argument `{"n":…}` |
//! | `A1"text"` | a call whose argument is this text (`{"text":"…"}`) |
//! | `[A1 B1]` | calls issued together |
//! | `<A1 B1>` behind a call | the steps of the sub-agent that it started; may nest |
//! | `c` | a compaction; `o` an observation without a call, `o!` one that failed; `i` an injected text; `n` a notice; `y` the system prompt; `r` a raw record |
//! | `$limit` | how it ended: `finished`, `passed`, `failed`, `limit`, `error`, `cancelled` |
//!
//! Behind a call: `!` it failed, `?` nothing came back, `%` an observation of unknown status, `=x` the observation
//! says x (any characters but spaces and brackets, or a `"…"`), `@120:30` the tokens in and out of its turn,
//! `@120:30:0.5` with the cost.
//! Without `=` a call observes `ok` or `failed`. Calls of one bracket share a turn, every other call has its own.
//! Steps are a second apart, and every answered call takes a second.

use super::{
    Args, ArgsForm, Call, CallStatus, Content, Lane, LaneId, Observation, Outcome, Run, Spawn, Step, StepKind, Time,
    Turn, TurnId, Usage, Verdict,
};
use crate::json::quote;

/// Reads the notation; the error says at which character it stopped.
pub fn parse(text: &str) -> Result<Run, String> {
    let mut run = Run { format: "notation", title: text.to_owned(), lanes: vec![Lane::default()], ..Run::default() };
    let mut chars = text.char_indices().peekable();
    // Lanes that are open, with the step that started each.
    let mut lanes: Vec<LaneId> = vec![0];
    let mut group: Option<(u32, TurnId)> = None;
    let mut batches = 0u32;
    let fail = |at: usize, what: &str| Err(format!("{what} at character {at} of {text:?}"));

    while let Some((at, c)) = chars.next() {
        let lane = lanes.last().copied().unwrap_or(0);
        match c {
            c if c.is_whitespace() => {}
            '"' => {
                let said = quoted(&mut chars).ok_or_else(|| format!("a quote without an end in {text:?}"))?;
                push(&mut run, StepKind::Thought, lane, Content::text(said), None);
            }
            'u' | 's' | 'c' | 'o' | 'i' | 'n' | 'y' | 'r' => {
                let said = if chars.next_if(|(_, c)| *c == '"').is_some() {
                    quoted(&mut chars).ok_or_else(|| format!("a quote without an end in {text:?}"))?
                } else {
                    c.to_string()
                };
                let kind = match c {
                    'u' => StepKind::Person,
                    's' => StepKind::Say,
                    'c' => StepKind::Compaction,
                    'o' => StepKind::Orphan,
                    'i' => StepKind::Injected,
                    'n' => StepKind::Notice,
                    'y' => StepKind::System,
                    _ => StepKind::Raw,
                };
                push(&mut run, kind, lane, Content::text(said), None);
                if chars.next_if(|(_, c)| *c == '!').is_some()
                    && let Some(step) = run.steps.last_mut()
                {
                    step.is_error = true;
                }
            }
            '[' => {
                if group.is_some() {
                    return fail(at, "a bracket inside a bracket");
                }
                batches += 1;
                group = Some((batches, new_turn(&mut run, lane)));
            }
            ']' => {
                if group.take().is_none() {
                    return fail(at, "a closing bracket without an opening one");
                }
            }
            '<' => {
                let Some(step) = run.steps.iter().rposition(|s| s.is_action() && s.lane == lane) else {
                    return fail(at, "a sub-agent without a call");
                };
                let new = run.lanes.len() as LaneId;
                run.lanes.push(Lane {
                    name: format!("agent {new}"),
                    agent_id: Some(format!("a{new}")),
                    parent: Some(lane),
                });
                if let Some(call) = run.steps.get_mut(step).and_then(|s| s.call.as_deref_mut()) {
                    call.spawn = Some(Box::new(Spawn {
                        agent_id: Some(format!("a{new}")),
                        lane: Some(new),
                        ..Spawn::default()
                    }));
                }
                lanes.push(new);
            }
            '>' => {
                if lanes.len() < 2 {
                    return fail(at, "the end of a sub-agent without its beginning");
                }
                lanes.pop();
            }
            '$' => {
                let word = take_while(&mut chars, |c| c.is_ascii_lowercase());
                let verdict = match word.as_str() {
                    "finished" => Verdict::Finished,
                    "passed" => Verdict::Passed,
                    "failed" => Verdict::Failed,
                    "limit" => Verdict::Limit,
                    "error" => Verdict::Error,
                    "cancelled" => Verdict::Cancelled,
                    _ => return fail(at, "an unknown end"),
                };
                run.outcome = Some(Outcome { verdict, word, reward: None });
            }
            c if c.is_uppercase() => {
                let mut tool = c.to_string();
                tool.push_str(&take_while(&mut chars, |c| c.is_alphabetic() || c == '_'));
                let digits = take_while(&mut chars, |c| c.is_ascii_digit());
                let raw = if chars.next_if(|(_, c)| *c == '"').is_some() {
                    let said = quoted(&mut chars).ok_or_else(|| format!("a quote without an end in {text:?}"))?;
                    format!("{{\"text\":{}}}", quote(&said))
                } else if digits.is_empty() {
                    "{}".to_owned()
                } else {
                    format!("{{\"n\":{digits}}}")
                };
                // A bracket is a matter of its own lane: the steps of a sub-agent inside one stand alone.
                let batch = group.filter(|(_, turn)| run.turns.get(*turn as usize).is_some_and(|t| t.lane == lane));
                let turn = batch.map_or_else(|| new_turn(&mut run, lane), |(_, turn)| turn);
                let mut status = CallStatus::Ok;
                let mut said: Option<String> = None;
                let mut answered = true;
                while let Some(&(at, c)) = chars.peek() {
                    match c {
                        '!' => status = CallStatus::Error,
                        '%' => status = CallStatus::Unknown,
                        '?' => (status, answered) = (CallStatus::Unknown, false),
                        '=' => {
                            chars.next();
                            said = Some(if chars.next_if(|(_, c)| *c == '"').is_some() {
                                quoted(&mut chars).ok_or_else(|| format!("a quote without an end in {text:?}"))?
                            } else {
                                take_while(&mut chars, |c| !c.is_whitespace() && !"[]<>!@".contains(c))
                            });
                            continue;
                        }
                        '@' => {
                            chars.next();
                            let figures = take_while(&mut chars, |c| c.is_ascii_digit() || c == ':' || c == '.');
                            let mut figures = figures.split(':');
                            let usage = Usage {
                                input: figures.next().and_then(|f| f.parse().ok()),
                                output: figures.next().and_then(|f| f.parse().ok()),
                                cost: figures.next().and_then(|f| f.parse().ok()),
                                ..Usage::default()
                            };
                            if usage.is_empty() {
                                return fail(at, "no figures");
                            }
                            if let Some(t) = run.turns.get_mut(turn as usize) {
                                t.usage = usage;
                            }
                            continue;
                        }
                        _ => break,
                    }
                    chars.next();
                }
                let default = if status == CallStatus::Error { "failed" } else { "ok" };
                let observation = answered.then(|| Observation {
                    content: Content::text(said.unwrap_or_else(|| default.to_owned())),
                    ..Observation::default()
                });
                let call = Call {
                    id: Some(format!("call {}", run.steps.len()).into()),
                    tool: tool.into(),
                    args: Args { raw: raw.into(), form: ArgsForm::Json },
                    duration_ms: observation.as_ref().map(|_| 1000.0),
                    observation,
                    status,
                    spawn: None,
                };
                push(&mut run, StepKind::Action, lane, Content::default(), Some(Box::new(call)));
                if let Some(step) = run.steps.last_mut() {
                    step.turn = Some(turn);
                    step.batch = batch.map(|(batch, _)| batch);
                }
            }
            _ => return fail(at, "an unknown sign"),
        }
    }
    if group.is_some() || lanes.len() > 1 {
        return fail(text.len(), "something is not closed");
    }
    Ok(run)
}

type Chars<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

fn take_while(chars: &mut Chars<'_>, test: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    while let Some((_, c)) = chars.next_if(|(_, c)| test(*c)) {
        out.push(c);
    }
    out
}

/// The text up to the closing quote; `\"` and `\\` stand for themselves, `\n` for a line break.
fn quoted(chars: &mut Chars<'_>) -> Option<String> {
    let mut out = String::new();
    loop {
        match chars.next()?.1 {
            '"' => return Some(out),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
}

fn new_turn(run: &mut Run, lane: LaneId) -> TurnId {
    run.turns.push(Turn { lane, ..Turn::default() });
    (run.turns.len() - 1) as TurnId
}

fn push(run: &mut Run, kind: StepKind, lane: LaneId, content: Content, call: Option<Box<Call>>) {
    let at = Some(Time { ms: run.steps.len() as i64 * 1000, local: false });
    run.steps.push(Step {
        kind,
        lane,
        turn: None,
        batch: None,
        at,
        content,
        call,
        name: None,
        label: None,
        is_error: false,
        span: super::Span::default(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_table_says() {
        let run = parse("u A1 B1! [C1 D1] \"thought\" E<F2 s> G=x@10:2 o! $limit").unwrap();
        let kinds: Vec<_> = run.steps.iter().map(|s| s.kind.id()).collect();
        assert_eq!(
            kinds,
            [
                "person", "action", "action", "action", "action", "thought", "action", "action", "say", "action",
                "orphan"
            ]
        );
        assert_eq!((run.calls(), run.errors(), run.unanswered()), (7, 2, 0));
        assert_eq!(run.steps[3].batch, run.steps[4].batch);
        assert_eq!((run.steps[1].batch, run.steps[7].lane, run.steps[9].lane), (None, 1, 0));
        assert_eq!(run.steps[9].observation().map(|o| &*o.content.text), Some("x"));
        assert_eq!(run.usage().input, Some(10));
        assert_eq!(run.outcome.map(|o| o.verdict), Some(Verdict::Limit));
    }

    #[test]
    fn says_where_it_stopped() {
        for bad in ["[A", "A]", "<", "A<B", "\"x", "A=\"x", "A@", "$x", "#", "[[A]]"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
