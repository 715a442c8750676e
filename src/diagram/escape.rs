//! Text that means nothing to mermaid. O(length).
//!
//! Mermaid ends a message at `#` and `;`, reads directives anywhere, even inside a message, sets formulas between `$`,
//! and decodes placeholders of its own (U+FB02, U+00B6) over the whole picture. So each of these becomes `#<code>;`:
//! ``# ; % < > & $ " ` { } [ ] \ | : +``, U+FB02, U+00B6. A line break becomes `<br/>`. Control characters become a
//! space; characters that nobody sees (bidirectional controls, zero-width ones, Unicode tags) are dropped, except a
//! joiner inside an emoji. Nothing at all becomes `#8203;`, since a label may not be empty.
//! Source: measurements on mermaid 12.3 in Chromium.

use unicode_segmentation::UnicodeSegmentation;

/// Graphemes of a label, at most.
pub const LABEL: usize = 48;

/// Escapes a text for any place of a sequence diagram.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push_str("<br/>"),
            '#' | ';' | '%' | '<' | '>' | '&' | '$' | '"' | '`' | '{' | '}' | '[' | ']' | '\\' | '|' | ':' | '+'
            | '\u{fb02}' | '\u{b6}' => {
                out.push('#');
                out.push_str(&u32::from(c).to_string());
                out.push(';');
            }
            '\u{200d}' if is_pictorial(before) && chars.peek().copied().is_some_and(is_pictorial) => out.push(c),
            c if is_unseen(c) => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        if c != '\u{fe0f}' {
            before = c;
        }
    }
    if out.trim().is_empty() { "#8203;".to_owned() } else { out }
}

fn is_pictorial(c: char) -> bool {
    matches!(u32::from(c), 0x2190..=0x2bff | 0x3000..=0x303f | 0x1f000..=0x1faff)
}

/// Zero-width and bidirectional characters, byte order marks, interlinear marks, Unicode tags.
fn is_unseen(c: char) -> bool {
    matches!(
        u32::from(c),
        0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe007f
    )
}

/// The first line that says something, on one line, cut at a grapheme boundary with `…`.
pub fn label(text: &str, graphemes: usize) -> String {
    let says = |l: &&str| l.chars().any(char::is_alphanumeric);
    let line = text.lines().find(says).or_else(|| text.lines().find(|l| !l.trim().is_empty())).unwrap_or_default();
    // Only so much of a line can matter; one of megabytes must not cost megabytes. A grapheme may carry any number of
    // marks; one of more than 64 bytes is left out.
    let mut reach = line.len().min(graphemes * 64);
    while !line.is_char_boundary(reach) {
        reach -= 1;
    }
    let line_cut = reach < line.len();
    let line = line[..reach].split_whitespace().collect::<Vec<_>>().join(" ");
    let all = line.graphemes(true).filter(|g| g.len() <= 64);
    let shown: Vec<&str> = all.take(graphemes + 1).collect();
    if shown.len() <= graphemes && !line_cut {
        return shown.concat();
    }
    let mut out = shown[..shown.len().min(graphemes.saturating_sub(1))].concat();
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, escaped: &str) {
        assert_eq!(escape(text), escaped, "{text:?}");
    }

    #[test]
    fn nothing_of_mermaid_gets_through() {
        check("plain", "plain");
        check("", "#8203;");
        check("   ", "#8203;");
        check("a#b;c", "a#35;b#59;c");
        check("%%{init: {}}%%", "#37;#37;#123;init#58; #123;#125;#125;#37;#37;");
        check("<script>&amp;", "#60;script#62;#38;amp#59;");
        check("$$x$$ \"`", "#36;#36;x#36;#36; #34;#96;");
        check("[a]{b}\\|:+", "#91;a#93;#123;b#125;#92;#124;#58;#43;");
        check("\u{fb02}\u{b0}\u{b6}", "#64258;\u{b0}#182;");
        check("a\r\nb\nc\rd\u{2028}e", "a<br/>b<br/>c<br/>d<br/>e");
        check("a\u{0}b\u{7f}c\u{1b}d", "a b c d");
        check("a\u{202e}b\u{200b}c\u{feff}d\u{e0041}", "abcd");
        check("👩\u{200d}💻 ❤️\u{200d}🔥 a\u{200d}b", "👩\u{200d}💻 ❤️\u{200d}🔥 ab");
        check("wrap: hi", "wrap#58; hi");
        check("end", "end");
        check("中文", "中文");
    }

    #[test]
    fn a_label_is_one_line_of_eighty_graphemes() {
        assert_eq!(label("", 80), "");
        assert_eq!(label("\n---\n  two  words \nmore", 80), "two words");
        assert_eq!(label("---", 80), "---");
        assert_eq!(label(&"x".repeat(80), 80), "x".repeat(80));
        assert_eq!(label(&"x".repeat(81), 80), format!("{}…", "x".repeat(79)));
        let family = "👨\u{200d}👩\u{200d}👧";
        assert_eq!(label(&family.repeat(100), 3), format!("{}…", family.repeat(2)));
        assert!(label(&"x".repeat(10_000_000), 80).len() < 100);
        assert!(label(&format!("a{}", "\u{301}".repeat(1_000_000)), 80).len() < 100);
    }
}
