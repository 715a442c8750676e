//! Finding by a few letters, whatever their case: the matcher of the palette, and what filters compare.
//!
//! Case is folded for Latin, Greek and Cyrillic only. The tables for every script are 25 KB of the page, and the others
//! that have case are not in its sentences nor, as a rule, in names of files and tools.

/// The small letter of a capital of the common alphabets; any other character as it is.
pub fn small(c: char) -> char {
    let by = match c {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => 32,
        'Ѐ'..='Џ' => 80,
        // Capitals and small letters take turns here.
        'Ā'..='ķ' | 'Ŋ'..='ŷ' if c as u32 % 2 == 0 => 1,
        'Ĺ'..='ň' | 'Ź'..='ž' if c as u32 % 2 == 1 => 1,
        _ => 0,
    };
    char::from_u32(c as u32 + by).unwrap_or(c)
}

/// A text in small letters, for comparing.
pub fn folded(text: &str) -> String {
    text.chars().map(small).collect()
}

/// Whether a word may go on from this character. Beyond ASCII all do: Chinese has no gaps.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii()
}

/// Letters in order; beginnings of words and runs count more. O(length of the text).
///
/// How well `text` matches `query`; `None` when its letters are not there in order. An empty query matches all alike.
pub fn score(query: &str, text: &str) -> Option<i32> {
    let mut wanted = query.chars().filter(|c| !c.is_whitespace()).map(small).peekable();
    let mut total = 0;
    let mut last_hit = false;
    let mut before = ' ';
    for (at, c) in text.chars().enumerate() {
        let Some(&next) = wanted.peek() else { break };
        if small(c) == next {
            wanted.next();
            let begins = !is_letter(before) || (small(before) == before && small(c) != c);
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
    fn small_letters_are_those_of_the_language() {
        // Turkish İ has a small letter of two characters, and ĸ and ŉ none at all.
        let letters = ('A'..='ſ').chain('Α'..='ω').chain('Ѐ'..='џ').filter(|c| !"İıĸŉ΢".contains(*c));
        for c in letters {
            let known = c.to_lowercase().next().unwrap_or(c);
            assert!(small(c) == known || c == 'Ÿ', "{c} ({:x}): {} and not {known}", c as u32, small(c));
        }
        assert_eq!(folded("Fichier ÉTÉ Ωμέγα ЖЁ 檔案"), "fichier été ωμέγα жё 檔案");
    }

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
