//! The source of a document with its findings in place: numbered lines, each finding under its line, a row for what is
//! missing where it belongs, and lines without findings folded. O(lines shown).

use std::collections::BTreeSet;

use leptos::{ev, prelude::Callable};

use super::{Icon, Words, icon};
use crate::format;
use crate::message::M;
use crate::report::skill::FindingRow;
use crate::web::view::{El, IntoView, View, el};

/// Lines shown around a finding.
const AROUND: u32 = 6;
/// Fewer lines than this are not worth a fold.
const WORTH: u32 = 10;
/// Lines that one press unfolds, and lines of a document without findings that are shown at first.
const AT_ONCE: u32 = 300;
/// Findings shown in place; those after them are in the list of findings.
const MOST: usize = 200;

/// A piece of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A line, from 0, with the findings on it, by their place in the list.
    Line(u32, Vec<usize>),
    /// The row of a missing field.
    Added(usize),
    /// Lines `from` to `to`, `to` not included.
    Fold(u32, u32),
}

/// What is shown of a source of `total` lines. `opened` are lines that were unfolded or that a link names.
pub fn parts(total: u32, findings: &[FindingRow], opened: &BTreeSet<u32>) -> Vec<Part> {
    let findings = findings.get(..MOST).unwrap_or(findings);
    let mut shown: BTreeSet<u32> = opened.range(..total).copied().collect();
    for finding in findings {
        let at = finding.insert_after.unwrap_or(finding.line).saturating_sub(1);
        shown.extend(at.saturating_sub(AROUND)..at.saturating_add(AROUND + 1).min(total));
    }
    if findings.is_empty() {
        shown.extend(0..total.min(AT_ONCE));
    }
    let mut out = Vec::new();
    let added = |out: &mut Vec<Part>, after: u32| {
        out.extend(
            findings.iter().enumerate().filter(|(_, f)| f.insert_after == Some(after)).map(|(i, _)| Part::Added(i)),
        );
    };
    let line = |out: &mut Vec<Part>, at: u32| {
        let here = |f: &FindingRow| f.insert_after.is_none() && f.line.max(1) == at + 1;
        out.push(Part::Line(at, findings.iter().enumerate().filter(|(_, f)| here(f)).map(|(i, _)| i).collect()));
        added(out, at + 1);
    };
    added(&mut out, 0);
    let mut next = 0;
    for at in shown.into_iter().chain([total]) {
        if at > next && at - next >= WORTH {
            out.push(Part::Fold(next, at));
        } else {
            (next..at).for_each(|hidden| line(&mut out, hidden));
        }
        if at < total {
            line(&mut out, at);
        }
        next = at + 1;
    }
    out
}

/// What a press on a fold unfolds.
pub fn unfolded(from: u32, to: u32) -> std::ops::Range<u32> {
    from..to.min(from.saturating_add(AT_ONCE))
}

/// Names of the members at the top of an object that begin in these lines, by their indent: what a fold says it holds.
pub fn held(lines: &[String], from: u32, to: u32) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(top) = lines.iter().find(|l| l.trim_start().starts_with('"')).map(|l| indent(l)) else {
        return Vec::new();
    };
    let inside = lines.get(from as usize..(to as usize).min(lines.len())).unwrap_or_default();
    let names = inside.iter().filter(|l| indent(l) == top).filter_map(|l| l.trim_start().strip_prefix('"'));
    names
        .filter_map(|l| l.split_once('"'))
        .filter(|(_, rest)| rest.trim_start().starts_with(':'))
        .map(|(n, _)| n.to_owned())
        .take(6)
        .collect()
}

/// What the source is drawn from.
pub struct Source<'s> {
    pub lines: &'s [String],
    pub findings: &'s [FindingRow],
    pub opened: &'s BTreeSet<u32>,
    pub unfold: leptos::callback::Callback<(u32, u32)>,
}

/// Draws the source.
pub fn source(words: Words, of: Source<'_>) -> View {
    let Source { lines, findings, opened, unfold } = of;
    let mut out: Vec<View> = Vec::new();
    for part in parts(lines.len() as u32, findings, opened) {
        out.push(match part {
            Part::Line(at, here) => {
                let text = lines.get(at as usize).map(String::as_str).unwrap_or_default();
                let column =
                    here.first().and_then(|i| findings.get(*i)).filter(|f| !f.pointer.is_empty()).map(|f| f.column);
                let row = line((at + 1).to_string(), mark(findings, &here), paint(text, column))
                    .attr("id", format!("line-{}", at + 1))
                    .attr("tabindex", "-1");
                with_findings(words, row, findings, &here)
            }
            Part::Added(i) => {
                let sample = findings.get(i).and_then(|f| f.sample.clone()).unwrap_or_default();
                let sign = (el("span.unseen").child(words.t(M::MissingHere)), "+");
                let text = el("span.source-text.quiet").child(format!("  {sample}")).view();
                with_findings(words, line(sign, mark(findings, &[i]), text), findings, &[i])
            }
            Part::Fold(from, to) => {
                let (n, what) = (format::count(u64::from(to - from)), held(lines, from, to).join(", "));
                let text = if what.is_empty() {
                    words.f(M::FoldedLines, &[("n", &n)])
                } else {
                    words.f(M::FoldedWhat, &[("n", &n), ("what", &what)])
                };
                el("button.source-fold")
                    .on(ev::click, move |_| unfold.run((from, to)))
                    .child(el("span.code-no").attr("aria-hidden", "true").child("⋯"))
                    .child(el("span.source-text").child(text))
                    .view()
            }
        });
    }
    out.view()
}

fn line(number: impl IntoView, mark: Option<El>, text: View) -> El {
    el("div.source-line").child(el("span.code-no").child(number)).child(el("span.source-mark").child(mark)).child(text)
}

/// Icon and tone of a severity.
pub fn tone(severity: &str) -> (Icon, &'static str) {
    match severity {
        "error" => (Icon::Bad, "bad"),
        "warning" => (Icon::Warn, "warn"),
        _ => (Icon::Info, "info"),
    }
}

/// The worst of some findings, as a mark.
fn mark(findings: &[FindingRow], here: &[usize]) -> Option<El> {
    worst(findings, here).map(|severity| {
        let (which, tone) = tone(severity);
        icon(which, tone)
    })
}

fn worst<'f>(findings: &'f [FindingRow], here: &[usize]) -> Option<&'f str> {
    let rank = |s: &str| ["error", "warning", "info"].iter().position(|w| *w == s).unwrap_or(3);
    here.iter().filter_map(|i| findings.get(*i)).map(|f| f.severity.as_str()).min_by_key(|s| rank(s))
}

fn with_findings(words: Words, row: El, findings: &[FindingRow], here: &[usize]) -> View {
    let Some(severity) = worst(findings, here) else { return row.view() };
    let (_, tone) = tone(severity);
    let notes = here.iter().filter_map(|i| findings.get(*i).map(|f| (*i, f))).map(|(i, f)| {
        // The keyboard comes here by "next finding".
        el("div.source-note")
            .attr("id", format!("finding-{i}"))
            .attr("tabindex", "-1")
            .child(el("p.source-say").child(words.id(&f.message.0, &f.message.1)))
            .child(el("p.quiet").child(words.id(&f.remedy.0, &f.remedy.1)))
            .child(
                el("p.mono.source-rule")
                    .child(el("span").child(if f.pointer.is_empty() { "/".to_owned() } else { f.pointer.clone() }))
                    .child(el("span").child(f.rule.clone()))
                    .child(f.strict_only.then(|| el("span.quiet").child(words.t(M::StrictOnly)))),
            )
    });
    el("div").class(format!("source-found {tone}")).child(row).child(notes.collect::<View>()).view()
}

/// A line of JSON in colours: names, texts, numbers, words. The token at `column` is underlined: of a member, its value.
fn paint(text: &str, column: Option<u32>) -> View {
    let tokens = tokens(text);
    let chosen = column.and_then(|column| {
        let at = tokens
            .iter()
            .position(|t| !t.class.is_empty() && t.column + t.length > (column as usize).saturating_sub(1))?;
        if tokens.get(at).is_some_and(|t| t.class == "json-key") {
            tokens.iter().enumerate().skip(at + 1).find(|(_, t)| !t.class.is_empty()).map(|(i, _)| i).or(Some(at))
        } else {
            Some(at)
        }
    });
    let pieces = tokens.iter().enumerate().map(|(i, token)| {
        let under = if Some(i) == chosen { " source-under" } else { "" };
        match (token.class, under) {
            ("", "") => token.text.to_owned().view(),
            (class, under) => el("span").class(format!("{class}{under}")).child(token.text.to_owned()).view(),
        }
    });
    el("span.source-text").child(pieces.collect::<View>()).view()
}

struct Token<'t> {
    text: &'t str,
    class: &'static str,
    /// In characters, from 0.
    column: usize,
    length: usize,
}

/// Cuts a line of JSON; whatever it is, the pieces are the line.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out: Vec<Token<'_>> = Vec::new();
    let (mut rest, mut column) = (text, 0);
    while let Some(first) = rest.chars().next() {
        let (end, class) = match first {
            '"' => {
                let mut escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                let end = close.map_or(rest.len(), |(i, _)| i + 1);
                let is_key = rest.get(end..).is_some_and(|r| r.trim_start().starts_with(':'));
                (end, if is_key { "json-key" } else { "json-string" })
            }
            c if c.is_alphanumeric() || c == '-' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
                let is_number = c == '-' || c.is_ascii_digit();
                (end, if is_number { "json-number" } else { "json-word" })
            }
            _ => {
                let end = rest.find(|c: char| c == '"' || c == '-' || c.is_alphanumeric()).unwrap_or(rest.len());
                (end, "")
            }
        };
        let (piece, tail) = rest.split_at(end.max(first.len_utf8()));
        let length = piece.chars().count();
        out.push(Token { text: piece, class, column, length });
        column += length;
        rest = tail;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32, after: Option<u32>) -> FindingRow {
        FindingRow { line, insert_after: after, severity: "error".into(), ..FindingRow::default() }
    }

    fn shown(total: u32, findings: &[FindingRow]) -> String {
        parts(total, findings, &BTreeSet::new())
            .into_iter()
            .map(|part| match part {
                Part::Line(at, here) if here.is_empty() => format!("{}", at + 1),
                Part::Line(at, here) => format!("{}!{}", at + 1, here.len()),
                Part::Added(_) => "+".into(),
                Part::Fold(from, to) => format!("[{}-{}]", from + 1, to),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn findings_stand_at_their_lines_and_the_rest_is_folded() {
        assert_eq!(shown(3, &[]), "1 2 3");
        assert_eq!(shown(0, &[finding(1, None)]), "");
        assert_eq!(shown(2, &[finding(2, None), finding(2, None)]), "1 2!2");
        assert_eq!(
            shown(52, &[finding(1, Some(9)), finding(47, None)]),
            "1 2 3 4 5 6 7 8 9 + 10 11 12 13 14 15 [16-40] 41 42 43 44 45 46 47!1 48 49 50 51 52"
        );
        assert_eq!(shown(2, &[finding(1, Some(0))]), "+ 1 2");
        assert_eq!(shown(400, &[]).rsplit(' ').next(), Some("[301-400]"));
    }

    #[test]
    fn folds_say_what_they_hold() {
        let text = "{\n  \"a\": 1,\n  \"inputs\": {\n    \"type\": \"object\"\n  },\n  \"output\": {}\n}";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(held(&lines, 2, 7), ["inputs", "output"]);
        assert!(held(&[], 0, 4).is_empty());
    }

    #[test]
    fn tokens_are_the_line() {
        for text in ["", "  \"a\\\"b\": \"c\", -1.5e+3, true, null]", "\"open", "}é\u{1F600}x", "\\", "{\"鍵\":\"值\"}"]
        {
            assert_eq!(tokens(text).iter().map(|t| t.text).collect::<String>(), text);
        }
        let classes: Vec<&str> =
            tokens("{\"a\": \"b\", \"c\": 2}").iter().map(|t| t.class).filter(|c| !c.is_empty()).collect();
        assert_eq!(classes, ["json-key", "json-string", "json-key", "json-number"]);
    }
}
