//! Words that are nearly right, whatever their case. [`score`] is the matcher of the palette: letters in order, word
//! beginnings and runs count more, O(length of the text). [`nearest`] finds the name that was probably meant, O(names ·
//! length²) with short names. [`folded`] is what filters compare.
//!
//! Case is folded for Latin, Greek and Cyrillic only. The tables for every script are 25 KB of the page, and the others
//! that have case are not in its sentences nor, as a rule, in names of files and tools.

/// The small letter of a capital of the common alphabets; any other character as it is.
pub fn small(c: char) -> char {
    let by = match c {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => 32,
        'Ѐ'..='Џ' => 80,
        // Capitals and small letters take turns here.
        'Ā'..='ķ' | 'Ŋ'..='ŷ' if (c as u32).is_multiple_of(2) => 1,
        'Ĺ'..='ň' | 'Ź'..='ž' if !(c as u32).is_multiple_of(2) => 1,
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

/// Longer names are compared by their beginnings.
const MAX_NAME: usize = 64;

/// How many letters must be added, left out, changed or swapped with their neighbour to come from one name to the other;
/// `None` when more than `limit`. (Optimal string alignment.)
pub fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().take(MAX_NAME).collect();
    let b: Vec<char> = b.chars().take(MAX_NAME).collect();
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let up = last.get(j + 1).map_or(usize::MAX, |n| n + 1);
            let left = row.get(j).map_or(usize::MAX, |n| n + 1);
            let change = last.get(j).map_or(usize::MAX, |n| n + usize::from(x != y));
            let mut best = up.min(left).min(change);
            if i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x) {
                best = best.min(before.get(j - 1).map_or(usize::MAX, |n| n + 1));
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|d| *d <= limit)
}

/// Small letters and digits alone: `File_Path`, `filePath` and `file-path` are one.
pub fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The name that was probably meant: one that differs in case and separators only, else the one that is least letters
/// away, at most a third of them and three. The first of equals.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = bare(name);
    let limit = (wanted.chars().count() / 3).min(3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in names {
        let other = bare(candidate);
        if candidate == name || other.is_empty() || wanted.is_empty() {
            continue;
        }
        let Some(away) = distance(&wanted, &other, limit) else { continue };
        if best.is_none_or(|(b, _)| away < b) {
            best = Some((away, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
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

    #[test]
    fn distances_are_counted_in_letters() {
        let check = |a: &str, b: &str, expected: Option<usize>| {
            assert_eq!(distance(a, b, 3), expected, "{a} {b}");
            assert_eq!(distance(b, a, 3), expected, "{b} {a}");
        };
        check("", "", Some(0));
        check("path", "path", Some(0));
        check("path", "paht", Some(1));
        check("path", "paths", Some(1));
        check("翻譯", "翻", Some(1));
        check("abcdef", "ghijkl", None);
        check("", "abcd", None);
    }

    #[test]
    fn the_name_that_was_meant() {
        let names = ["file_path", "command", "timeout", "id"];
        let check = |name: &str, expected: Option<&str>| assert_eq!(nearest(name, names), expected, "{name}");
        check("filePath", Some("file_path"));
        check("file_pth", Some("file_path"));
        check("comand", Some("command"));
        check("time_out", Some("timeout"));
        check("ib", None);
        check("query", None);
        check("", None);
        check("command", None);
    }
}
