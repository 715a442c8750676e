//! Content -> blocks: Markdown, terminal colours, JSON trees, text differences. Everything is capped, since one
//! message may hold megabytes; the raw view has the rest. O(text up to the caps).

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use similar::{ChangeTag, TextDiff};

use super::shape::{Block, Diff, DiffLine, Inline, JsonRow, Md, Run};
use crate::json::{Kind, Tape, Val};
use crate::model::{Content, Media};

/// Lines of a block; `cut` says how many more there are.
pub const MAX_LINES: usize = 400;
/// Characters of one line.
const MAX_LINE: usize = 4_000;
/// Characters of a Markdown text.
const MAX_MARKDOWN: usize = 60_000;
/// Rows of a JSON tree, and characters of one string in it.
const MAX_JSON_ROWS: usize = 600;
const MAX_JSON_STRING: usize = 2_000;
/// Characters on either side of a difference, and lines of both: differing costs lines times differences.
const MAX_DIFF: usize = 200_000;
const MAX_DIFF_LINES: usize = 6_000;
/// Characters of a changed stretch whose lines are compared inside as well.
const MAX_INLINE: usize = 20_000;
/// Bytes of a picture's base64.
const MAX_PICTURE: usize = 8_000_000;
/// Nesting of Markdown blocks and inlines.
const MAX_NESTING: usize = 24;

/// The blocks of what somebody said.
pub fn said(content: &Content) -> Vec<Block> {
    let mut out = Vec::new();
    if !content.text.trim().is_empty() {
        out.push(if content.text.contains('\u{1b}') { lines(&content.text) } else { markdown(&content.text) });
    }
    out.extend(content.media.iter().map(picture));
    out
}

/// The blocks of what a tool gave back: JSON as a tree, anything else as lines.
pub fn result(content: &Content) -> Vec<Block> {
    let mut out = Vec::new();
    let text = content.text.trim();
    if !text.is_empty() {
        let tree = (text.starts_with(['{', '['])).then(|| json_text(text)).flatten();
        out.push(tree.unwrap_or_else(|| lines(&content.text)));
    }
    out.extend(content.media.iter().map(picture));
    out
}

/// A picture in the data as itself, anything else by name.
pub fn picture(media: &Media) -> Block {
    const SAFE: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
    match &media.data {
        Some(data) if SAFE.contains(&media.mime.as_str()) && data.len() <= MAX_PICTURE && is_base64(data) => {
            Block::Picture { mime: media.mime.clone(), data: data.chars().filter(|c| !c.is_whitespace()).collect() }
        }
        _ => Block::Reference {
            mime: media.mime.chars().take(80).collect(),
            name: media.reference.as_deref().unwrap_or_default().chars().take(300).collect(),
        },
    }
}

fn is_base64(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\n' | b'\r'))
}

/// A text that should be JSON, as a tree; `None` when it is not.
pub fn json_text(text: &str) -> Option<Block> {
    let mut tape = Tape::new();
    tape.load(text);
    if tape.is_broken() {
        return None;
    }
    Some(json(tape.doc(text).root()))
}

/// A JSON value as a flattened tree.
pub fn json(val: Val<'_>) -> Block {
    let mut rows = Vec::new();
    let mut cut = 0;
    json_rows(val, None, 0, &mut rows, &mut cut);
    Block::Json { rows, cut }
}

fn json_rows(val: Val<'_>, key: Option<String>, depth: u8, rows: &mut Vec<JsonRow>, cut: &mut u32) {
    if rows.len() >= MAX_JSON_ROWS {
        *cut += 1;
        return;
    }
    let mut row = JsonRow { depth, key, ..JsonRow::default() };
    match val.kind() {
        Kind::Object | Kind::Array => {
            row.kind = if val.is_object() { "object" } else { "array" }.into();
            row.value = val.len().to_string();
            rows.push(row);
            let deeper = depth.saturating_add(1);
            if depth >= 60 {
                *cut += 1;
                return;
            }
            if val.is_object() {
                for (k, v) in val.entries() {
                    json_rows(v, Some(k.into_owned()), deeper, rows, cut);
                }
            } else {
                for v in val.items() {
                    json_rows(v, None, deeper, rows, cut);
                }
            }
            rows.push(JsonRow {
                depth,
                key: None,
                kind: "end".into(),
                value: if val.is_object() { "}" } else { "]" }.into(),
                cut: 0,
            });
            return;
        }
        Kind::String => {
            let text = val.text();
            let total = text.chars().count();
            row.kind = "string".into();
            row.value = text.chars().take(MAX_JSON_STRING).collect();
            row.cut = total.saturating_sub(MAX_JSON_STRING) as u32;
        }
        Kind::Number => {
            row.kind = "number".into();
            row.value = val.raw().chars().take(400).collect();
        }
        Kind::True => row.kind = "true".into(),
        Kind::False => row.kind = "false".into(),
        Kind::Null => row.kind = "null".into(),
        Kind::Opaque => {
            row.kind = "string".into();
            row.value = val.raw().chars().take(200).collect();
            row.cut = 1;
        }
    }
    rows.push(row);
}

/// Text as lines, with the terminal's colours.
pub fn lines(text: &str) -> Block {
    let mut out = Vec::new();
    let mut style = Run::default();
    let total = text.lines().count();
    for line in text.lines().take(MAX_LINES) {
        out.push(ansi(line, &mut style));
    }
    Block::Lines { lines: out, cut: total.saturating_sub(MAX_LINES) as u32 }
}

/// One line with its escape sequences turned into styles; other sequences are dropped, a lone carriage return starts
/// the line again, as a terminal would.
fn ansi(line: &str, style: &mut Run) -> Vec<Run> {
    let line = line.rsplit_once('\r').map_or(line, |(_, last)| if last.is_empty() { line } else { last });
    let mut runs: Vec<Run> = Vec::new();
    let mut text = String::new();
    let mut shown = 0;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if shown > MAX_LINE {
            text.push('…');
            break;
        }
        if c != '\u{1b}' {
            if !c.is_control() || c == '\t' {
                text.push(c);
                shown += 1;
            }
            continue;
        }
        match chars.peek() {
            Some('[') => {
                chars.next();
                let mut parameters = String::new();
                let mut last = None;
                for c in chars.by_ref() {
                    if ('\u{40}'..='\u{7e}').contains(&c) {
                        last = Some(c);
                        break;
                    }
                    if parameters.len() < 64 {
                        parameters.push(c);
                    }
                }
                if last == Some('m') {
                    if !text.is_empty() {
                        runs.push(Run { text: std::mem::take(&mut text), ..style.clone() });
                    }
                    set_style(style, &parameters);
                }
            }
            Some(']') => {
                // An operating system command, up to BEL or ESC \.
                let mut before = ' ';
                for c in chars.by_ref() {
                    if c == '\u{7}' || (before == '\u{1b}' && c == '\\') {
                        break;
                    }
                    before = c;
                }
            }
            Some(_) => {
                chars.next();
            }
            None => {}
        }
    }
    if !text.is_empty() || runs.is_empty() {
        runs.push(Run { text, ..style.clone() });
    }
    runs
}

fn set_style(style: &mut Run, parameters: &str) {
    let mut codes =
        parameters.split([';', ':']).map(|p| if p.is_empty() { 0 } else { p.parse::<u16>().unwrap_or(u16::MAX) });
    while let Some(code) = codes.next() {
        match code {
            0 => *style = Run::default(),
            1 => style.bold = true,
            2 => style.dim = true,
            3 => style.italic = true,
            4 => style.underline = true,
            22 => (style.bold, style.dim) = (false, false),
            23 => style.italic = false,
            24 => style.underline = false,
            30..=37 => style.colour = Some((code - 30) as u8),
            90..=97 => style.colour = Some((code - 90 + 8) as u8),
            39 => style.colour = None,
            38 => match codes.next() {
                Some(5) => style.colour = codes.next().map(|n| palette(n.min(255) as u8)),
                Some(2) => {
                    let (r, g, b) = (codes.next(), codes.next(), codes.next());
                    style.colour = match (r, g, b) {
                        (Some(r), Some(g), Some(b)) => Some(nearest(r.min(255), g.min(255), b.min(255))),
                        _ => None,
                    };
                }
                _ => return,
            },
            48 => match codes.next() {
                Some(5) => {
                    codes.next();
                }
                Some(2) => {
                    codes.nth(2);
                }
                _ => return,
            },
            _ => {}
        }
    }
}

/// The 256-colour palette folded into sixteen: the tokens of the page are readable in both themes, arbitrary colours are not.
fn palette(n: u8) -> u8 {
    match n {
        0..=15 => n,
        16..=231 => {
            let n = u16::from(n) - 16;
            let step = |v: u16| if v == 0 { 0 } else { 55 + v * 40 };
            nearest(step(n / 36), step(n / 6 % 6), step(n % 6))
        }
        232..=243 => 8,
        _ => 7,
    }
}

fn nearest(r: u16, g: u16, b: u16) -> u8 {
    let high = r.max(g).max(b);
    let low = r.min(g).min(b);
    if high - low < 40 {
        return match high {
            0..=60 => 0,
            61..=140 => 8,
            141..=220 => 7,
            _ => 15,
        };
    }
    let half = low + (high - low) / 2;
    let colour = u8::from(r > half) | u8::from(g > half) << 1 | u8::from(b > half) << 2;
    if high > 200 { colour + 8 } else { colour }
}

/// The difference of two texts by lines, with what changed inside a line marked.
pub fn diff(path: &str, old: &str, new: &str, first_line: Option<u32>) -> Option<Diff> {
    if old.len() > MAX_DIFF || new.len() > MAX_DIFF || old.lines().count() + new.lines().count() > MAX_DIFF_LINES {
        return None;
    }
    let text = TextDiff::from_lines(old, new);
    let mut out = Diff { path: path.to_owned(), ..Diff::default() };
    let offset = first_line.unwrap_or(1).saturating_sub(1);
    let number = |at: Option<usize>| at.map(|n| n as u32 + 1 + offset);
    for (i, group) in text.grouped_ops(3).iter().enumerate() {
        if i > 0 {
            out.lines.push(DiffLine { sign: "…".into(), ..DiffLine::default() });
        }
        for op in group {
            let mut push = |tag: ChangeTag, old: Option<usize>, new: Option<usize>, parts: Vec<(bool, String)>| {
                let sign = match tag {
                    ChangeTag::Equal => "=",
                    ChangeTag::Insert => {
                        out.added += 1;
                        "+"
                    }
                    ChangeTag::Delete => {
                        out.removed += 1;
                        "-"
                    }
                };
                if out.lines.len() >= MAX_LINES {
                    out.cut += 1;
                    return;
                }
                out.lines.push(DiffLine { sign: sign.into(), old: number(old), new: number(new), parts });
            };
            let part = |text: &str| cut_line(text.trim_end_matches(['\n', '\r']));
            if text.iter_changes(op).map(|c| c.value().len()).sum::<usize>() <= MAX_INLINE {
                // Without a deadline: a browser's worker has no clock of the kind that it would ask.
                for change in text.iter_inline_changes_deadline(op, None) {
                    let parts = change.iter_strings_lossy().map(|(marked, t)| (marked, part(&t))).collect();
                    push(change.tag(), change.old_index(), change.new_index(), parts);
                }
            } else {
                for change in text.iter_changes(op) {
                    push(change.tag(), change.old_index(), change.new_index(), vec![(false, part(change.value()))]);
                }
            }
        }
    }
    Some(out)
}

fn cut_line(text: &str) -> String {
    let mut out: String = text.chars().take(MAX_LINE).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// A unified diff that is in the data already.
pub fn unified(text: &str) -> Option<Diff> {
    let looks =
        text.lines().any(|l| l.starts_with("@@ ") || l.starts_with("*** Update File") || l.starts_with("*** Add File"));
    if !looks {
        return None;
    }
    let mut out = Diff::default();
    let (mut old, mut new) = (0u32, 0u32);
    for line in text.lines() {
        if out.lines.len() >= MAX_LINES {
            out.cut += 1;
            continue;
        }
        if let Some(path) =
            ["+++ b/", "+++ ", "*** Update File: ", "*** Add File: "].iter().find_map(|p| line.strip_prefix(p))
        {
            out.path = path.trim().to_owned();
            continue;
        }
        if line.starts_with("--- ")
            || line.starts_with("diff --git")
            || line.starts_with("index ")
            || line.starts_with("*** ")
        {
            continue;
        }
        if line.starts_with("@@") {
            let number = |mark: char| {
                line.split_whitespace().find_map(|w| w.strip_prefix(mark)?.split(',').next()?.parse::<u32>().ok())
            };
            (old, new) = (number('-').unwrap_or(0), number('+').unwrap_or(0));
            if !out.lines.is_empty() {
                out.lines.push(DiffLine { sign: "…".into(), ..DiffLine::default() });
            }
            continue;
        }
        let numbered = old > 0 || new > 0;
        let (sign, rest) = match line.chars().next() {
            Some('+') => ("+", line.get(1..)),
            Some('-') => ("-", line.get(1..)),
            Some(' ') => ("=", line.get(1..)),
            None => ("=", Some("")),
            _ => continue,
        };
        let mut row = DiffLine {
            sign: sign.into(),
            parts: vec![(false, cut_line(rest.unwrap_or_default()))],
            ..DiffLine::default()
        };
        if sign != "+" {
            row.old = numbered.then_some(old);
            old += 1;
        }
        if sign != "-" {
            row.new = numbered.then_some(new);
            new += 1;
        }
        out.added += u32::from(sign == "+");
        out.removed += u32::from(sign == "-");
        out.lines.push(row);
    }
    (out.added + out.removed > 0).then_some(out)
}

/// Markdown as a tree. Raw HTML stays text, pictures become links to what they name, links lead to web pages only.
pub fn markdown(text: &str) -> Block {
    let mut end = text.len().min(MAX_MARKDOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let shown = text.get(..end).unwrap_or_default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = MdReader { events: Parser::new_ext(shown, options), peeked: None };
    let mut nodes = reader.blocks(0);
    if end < text.len() {
        nodes.push(Md::Para { inline: vec![Inline::Text { text: "…".into() }] });
    }
    Block::Markdown { nodes }
}

struct MdReader<'a> {
    events: Parser<'a>,
    peeked: Option<Event<'a>>,
}

impl<'a> MdReader<'a> {
    fn next(&mut self) -> Option<Event<'a>> {
        self.peeked.take().or_else(|| self.events.next())
    }

    /// Blocks up to the end of the enclosing one.
    fn blocks(&mut self, depth: usize) -> Vec<Md> {
        let mut out = Vec::new();
        while let Some(event) = self.next() {
            match event {
                Event::Start(tag) if depth < MAX_NESTING => match tag {
                    Tag::Heading { level, .. } => {
                        let level = match level {
                            HeadingLevel::H1 => 1,
                            HeadingLevel::H2 => 2,
                            HeadingLevel::H3 => 3,
                            HeadingLevel::H4 => 4,
                            HeadingLevel::H5 => 5,
                            HeadingLevel::H6 => 6,
                        };
                        out.push(Md::Heading { level, inline: self.inlines(0) });
                    }
                    Tag::Paragraph => out.push(Md::Para { inline: self.inlines(0) }),
                    Tag::CodeBlock(kind) => {
                        let lang = match kind {
                            CodeBlockKind::Fenced(lang) => {
                                lang.split_whitespace().next().unwrap_or_default().to_owned()
                            }
                            CodeBlockKind::Indented => String::new(),
                        };
                        out.push(Md::Code { lang, text: self.raw_text() });
                    }
                    Tag::HtmlBlock => out.push(Md::Code { lang: "html".into(), text: self.raw_text() }),
                    Tag::List(start) => out.push(Md::List { start, items: self.items(depth + 1) }),
                    Tag::BlockQuote(_) => out.push(Md::Quote { nodes: self.blocks(depth + 1) }),
                    Tag::Table(_) => out.push(self.table()),
                    _ => out.extend(self.blocks(depth + 1)),
                },
                Event::Start(_) => {
                    out.push(Md::Para { inline: vec![Inline::Text { text: self.raw_text() }] });
                }
                Event::End(_) => return out,
                Event::Rule => out.push(Md::Rule),
                // Items of tight lists hold text without a paragraph.
                other => {
                    self.peeked = Some(other);
                    let inline = self.inlines_here();
                    if !inline.is_empty() {
                        out.push(Md::Para { inline });
                    }
                }
            }
        }
        out
    }

    fn items(&mut self, depth: usize) -> Vec<Vec<Md>> {
        let mut items = Vec::new();
        while let Some(event) = self.next() {
            match event {
                Event::Start(Tag::Item) => items.push(self.blocks(depth)),
                Event::End(TagEnd::List(_)) => break,
                _ => {}
            }
        }
        items
    }

    fn table(&mut self) -> Md {
        let (mut head, mut rows, mut row) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(event) = self.next() {
            match event {
                Event::Start(Tag::TableCell) => row.push(self.inlines(0)),
                Event::End(TagEnd::TableHead) => head = std::mem::take(&mut row),
                Event::End(TagEnd::TableRow) => rows.push(std::mem::take(&mut row)),
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        Md::Table { head, rows }
    }

    /// All text up to the end of the current tag.
    fn raw_text(&mut self) -> String {
        let mut out = String::new();
        let mut open = 0;
        while let Some(event) = self.next() {
            match event {
                Event::Start(_) => open += 1,
                Event::End(_) if open == 0 => break,
                Event::End(_) => open -= 1,
                Event::Text(t) | Event::Code(t) | Event::Html(t) | Event::InlineHtml(t) => out.push_str(&t),
                Event::SoftBreak | Event::HardBreak => out.push('\n'),
                _ => {}
            }
        }
        out
    }

    /// Inlines up to the end of the current tag.
    fn inlines(&mut self, depth: usize) -> Vec<Inline> {
        let mut out = Vec::new();
        while let Some(event) = self.next() {
            if let Event::End(_) = event {
                break;
            }
            self.inline(event, depth, &mut out);
        }
        out
    }

    /// Inlines without a tag around them: up to the next block.
    fn inlines_here(&mut self) -> Vec<Inline> {
        let mut out = Vec::new();
        while let Some(event) = self.next() {
            let block = match &event {
                Event::End(_) | Event::Rule => true,
                Event::Start(tag) => !matches!(
                    tag,
                    Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
                ),
                _ => false,
            };
            if block {
                self.peeked = Some(event);
                break;
            }
            self.inline(event, 0, &mut out);
        }
        out
    }

    fn inline(&mut self, event: Event<'a>, depth: usize, out: &mut Vec<Inline>) {
        match event {
            Event::Text(t) | Event::InlineHtml(t) | Event::Html(t) => match out.last_mut() {
                Some(Inline::Text { text }) => text.push_str(&t),
                _ => out.push(Inline::Text { text: t.into_string() }),
            },
            Event::Code(t) => out.push(Inline::Code { text: t.into_string() }),
            // A line of a log is a line: agents do not wrap their prose.
            Event::SoftBreak | Event::HardBreak => out.push(Inline::Break),
            Event::TaskListMarker(done) => out.push(Inline::Text { text: if done { "☑ " } else { "☐ " }.into() }),
            Event::Start(_) if depth >= MAX_NESTING => out.push(Inline::Text { text: self.raw_text() }),
            Event::Start(Tag::Emphasis) => out.push(Inline::Emph { inline: self.inlines(depth + 1) }),
            Event::Start(Tag::Strong) => out.push(Inline::Strong { inline: self.inlines(depth + 1) }),
            Event::Start(Tag::Strikethrough) => out.push(Inline::Strike { inline: self.inlines(depth + 1) }),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let inline = self.inlines(depth + 1);
                let web = dest_url.starts_with("https://") || dest_url.starts_with("http://");
                if web {
                    out.push(Inline::Link { href: dest_url.into_string(), inline });
                } else {
                    out.extend(inline);
                    let text = format!(" ({dest_url})");
                    out.push(Inline::Text { text });
                }
            }
            Event::Start(_) => out.extend(self.inlines(depth + 1)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_never_makes_html_or_foreign_pictures() {
        let text = "# T\n\n<script>alert(1)</script>\n\na <b>b</b> ![x](https://evil.example/p.png) [j](javascript:alert(1))\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n```rs\nfn x() {}\n```";
        let Block::Markdown { nodes } = markdown(text) else { panic!("no markdown") };
        let shown = serde_json::to_string(&nodes).unwrap();
        assert!(shown.contains("<script>alert(1)</script>"), "{shown}");
        assert!(!shown.contains("\"href\":\"javascript"), "{shown}");
        assert!(shown.contains("\"href\":\"https://evil.example/p.png\""), "{shown}");
        assert!(matches!(nodes.first(), Some(Md::Heading { level: 1, .. })));
        assert!(nodes.iter().any(|n| matches!(n, Md::Table { rows, .. } if rows.len() == 1)));
        assert!(nodes.iter().any(|n| matches!(n, Md::Code { lang, .. } if lang == "rs")));
        let Some(Md::List { items, .. }) = nodes.iter().find(|n| matches!(n, Md::List { .. })) else {
            panic!("no list")
        };
        assert_eq!(items.len(), 1);
        assert!(items[0].iter().any(|n| matches!(n, Md::List { .. })), "{items:?}");
    }

    #[test]
    fn deep_markdown_is_bounded() {
        markdown(&"> ".repeat(5_000));
        markdown(&"*".repeat(20_000));
        markdown(&"[".repeat(20_000));
        markdown(&"- ".repeat(5_000));
    }

    #[test]
    fn terminal_colours_become_styles() {
        let Block::Lines { lines, .. } =
            lines("\u{1b}[1;31mred\u{1b}[0m plain \u{1b}[38;5;82mgreen\n50%\r100%\u{1b}]0;title\u{7}")
        else {
            panic!("no lines")
        };
        let red = &lines[0][0];
        assert_eq!((red.text.as_str(), red.colour, red.bold), ("red", Some(1), true));
        assert_eq!((lines[0][1].text.as_str(), lines[0][1].colour), (" plain ", None));
        assert_eq!(lines[0][2].colour, Some(10));
        assert_eq!(lines[1].iter().map(|r| r.text.as_str()).collect::<String>(), "100%");
    }

    #[test]
    fn differences_mark_what_changed() {
        let d = diff("a.rs", "one\ntwo\nthree\n", "one\ntwo!\nthree\n", Some(10)).unwrap();
        assert_eq!((d.added, d.removed), (1, 1));
        let changed: Vec<_> = d.lines.iter().filter(|l| l.sign == "+").collect();
        assert_eq!(changed[0].new, Some(11));
        assert!(changed[0].parts.iter().any(|(marked, t)| *marked && t.contains('!')), "{:?}", changed[0].parts);
    }
}
