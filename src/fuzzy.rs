//! The matcher of the palette: letters in order, word beginnings and runs count more. O(length of the text).

/// How well `text` matches `query`; `None` when its letters are not there in order. An empty query matches all alike.
pub fn score(query: &str, text: &str) -> Option<i32> {
    let mut wanted = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).peekable();
    let mut total = 0;
    let mut last_hit = false;
    let mut before = ' ';
    for (at, c) in text.chars().enumerate() {
        let Some(&next) = wanted.peek() else { break };
        let lower = c.to_lowercase().next().unwrap_or(c);
        if lower == next {
            wanted.next();
            let begins = !before.is_alphanumeric() || (before.is_lowercase() && c.is_uppercase());
            total += 1 + if last_hit { 5 } else { 0 } + if begins { 4 } else { 0 } + i32::from(at == 0) * 3;
            last_hit = true;
        } else {
            last_hit = false;
        }
        before = c;
    }
    wanted.peek().is_none().then_some(total - (text.chars().count() as i32) / 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_matches_score_higher() {
        let best =
            |query: &str, a: &str, b: &str| assert!(score(query, a) > score(query, b), "{query}: {a} against {b}");
        best("cf", "Choose files", "Scoffing");
        best("dia", "Diagram", "Drop it again");
        best("ne", "Next error", "Open");
        assert_eq!(score("xyz", "abc"), None);
        assert!(score("", "abc").is_some());
        assert!(score("錯誤", "下一個錯誤").is_some());
    }
}
