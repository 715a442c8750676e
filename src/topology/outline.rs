//! The canonical text of a tree shape as a line that people read: `look_up › (try › check)+ › done`.
//!
//! `+` behind a call or a bracket: repeated at once. `[a, b]`: issued together. `run<a › b>`: a sub-agent and what it
//! did. Cost: O(length of what is shown); nothing recurses.

enum Work<'a> {
    Value(&'a str),
    Text(&'static str),
}

/// Members that are read of one sequence: more than fit in any line.
const MAX_MEMBERS: usize = 400;

/// The line, at most about `limit` bytes; `name` says what a tool is called.
pub fn outline(canonical: &str, limit: usize, name: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut work = vec![Work::Value(canonical)];
    while let Some(next) = work.pop() {
        if out.len() > limit {
            out.push('…');
            break;
        }
        let value = match next {
            Work::Text(text) => {
                out.push_str(text);
                continue;
            }
            Work::Value(value) => value,
        };
        let at = work.len();
        if let Some(inner) = bracketed(value, '(', ')') {
            list(inner, " › ", &mut work);
        } else if let Some(inner) = bracketed(value, '{', '}') {
            work.push(Work::Text("["));
            list(inner, ", ", &mut work);
            work.push(Work::Text("]"));
        } else if let Some(inner) = bracketed(value, '<', '>').and_then(|v| bracketed(v, '(', ')')) {
            // The call that started it, then what it did. One that nobody called has no call in front.
            let mut members = members(inner).peekable();
            if members.peek().is_some_and(|m| m.starts_with("spawn")) {
                work.extend(members.next().map(Work::Value));
            }
            work.push(Work::Text("<"));
            joined(members, " › ", &mut work);
            work.push(Work::Text(">"));
        } else if let Some(inner) = value.strip_prefix('+').and_then(|v| bracketed(v, '(', ')')) {
            let many = members(inner).nth(1).is_some();
            work.extend(many.then_some(Work::Text("(")));
            list(inner, " › ", &mut work);
            work.push(Work::Text(if many { ")+" } else { "+" }));
        } else {
            out.push_str(&leaf(value, &name));
        }
        // The first piece is the next one to be written.
        if let Some(pieces) = work.get_mut(at..) {
            pieces.reverse();
        }
    }
    out
}

fn bracketed(value: &str, open: char, close: char) -> Option<&str> {
    value.strip_prefix(open)?.strip_suffix(close)
}

fn list<'a>(inner: &'a str, between: &'static str, work: &mut Vec<Work<'a>>) {
    joined(members(inner), between, work);
}

fn joined<'a>(members: impl Iterator<Item = &'a str>, between: &'static str, work: &mut Vec<Work<'a>>) {
    for (i, member) in members.enumerate() {
        if i > 0 {
            work.push(Work::Text(between));
        }
        work.push(Work::Value(member));
    }
}

/// The netstrings of a text, until one does not fit.
fn members(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (length, tail) = rest.split_once(':')?;
        let length = length.parse::<usize>().ok()?;
        let member = tail.get(..length)?;
        rest = tail.get(length.checked_add(1)?..)?;
        Some(member)
    })
    .take(MAX_MEMBERS)
}

fn leaf(value: &str, name: &impl Fn(&str) -> String) -> String {
    match value.split_once(':') {
        // As in the canonical text: `%21` is `!`, `%25` is `%`.
        Some((_, symbol)) => name(&symbol.trim_end_matches('!').replace("%21", "!").replace("%25", "%")),
        None => value.trim_end_matches(['!', '?']).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::notation::parse;
    use crate::topology::{Variant, shape};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let canonical = shape(&parse(text).unwrap(), Variant::DEFAULT).canonical;
        assert_eq!(outline(&canonical, 200, str::to_owned), expected, "{text}: {canonical}");
    }

    #[test]
    fn reads_like_the_run() {
        check("", "");
        check("u s", "");
        check("A B", "A › B");
        check("A A A B", "A+ › B");
        check("A B A B C", "(A › B)+ › C");
        check("A [B C] D", "A › [B, C] › D");
        check("T<A B> C", "T<A › B> › C");
        check("A c o A", "A › compaction › result › A");
    }

    #[test]
    fn stops_where_it_must() {
        let many = "A B C D E ".repeat(40).replace("A B", "A1 Z B");
        let canonical = shape(&parse(&many).unwrap(), Variant { fold: false, ..Variant::DEFAULT }).canonical;
        let line = outline(&canonical, 60, str::to_owned);
        assert!(line.ends_with('…') && line.len() < 80, "{line}");
        // What is no canonical text gives something, and ends.
        for odd in ["(", "(9:a,)", "(x)", "+(", "(3:call:A,)", "(99999999999999999999:a,)", "(4:caé,)"] {
            outline(odd, 60, str::to_owned);
        }
    }
}
