//! What of a run is in an analysis page as plain HTML: title, verdict, figures, findings, loops, steps as a list. It is
//! read without JavaScript, searched by search engines of the disk, and printed.
//!
//! Everything comes from `report`, made of the very runs that the page carries, so that nothing stands here that was
//! removed there; every text is escaped. Lists stop where the page would grow large. Cost: O(what is written).

use crate::format;
use crate::message::{Lang, M, fill_id, kind_word, text};
use crate::model::Finding;
use crate::report::share::receipt_lines;
use crate::report::{
    CompareCell, CompareReport, CompareRow, CompareRows, LoopReport, NoteLine, Receipt, RunSummary, StepRow,
};

/// Bytes that the lists of a page may fill, shared by its runs: a tenth of the program beside it.
const BUDGET: usize = 250_000;
/// Even a page of very many runs lists this much of each.
const LEAST: usize = 4_000;
/// Findings that are listed of a run.
const FINDINGS: usize = 40;

/// A run of the page.
pub struct Section<'a> {
    /// The name of its file.
    pub document: &'a str,
    pub summary: &'a RunSummary,
    pub findings: &'a [Finding],
    pub loops: LoopReport,
    pub notes: Vec<NoteLine>,
    /// Its steps, as far as they were made.
    pub rows: Vec<StepRow>,
}

/// Two runs of the page side by side.
pub struct Compared {
    pub report: CompareReport,
    pub rows: CompareRows,
}

/// The rows of steps that a page of so many runs can hold at most: no more need be made.
pub fn most_rows(runs: usize) -> usize {
    budget(runs) / 60
}

fn budget(runs: usize) -> usize {
    (BUDGET / runs.max(1)).max(LEAST)
}

/// Text as it may stand between tags and in attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\0' => out.push('\u{fffd}'),
            // What would turn the text around it.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The title of the page.
pub fn title(lang: Lang, sections: &[Section<'_>], compared: bool) -> String {
    match sections {
        [one] => name(one),
        _ if compared => fill_id(lang, "page.compared", &[]),
        many => fill_id(lang, "page.runs", &[("n".into(), many.len().to_string())]),
    }
}

fn name(section: &Section<'_>) -> String {
    let title = section.summary.title.trim();
    if title.is_empty() { section.document.to_owned() } else { format::one_line(title, 160) }
}

/// The body of the page, in front of its program.
pub fn report(lang: Lang, sections: &[Section<'_>], compared: Option<&Compared>, receipt: &Receipt) -> String {
    let say = |id: &str, args: &[(&str, String)]| {
        let args: Vec<(String, String)> = args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        escape(&fill_id(lang, id, &args))
    };
    let mut out = format!(
        "<div id=\"skillscope-note\" role=\"status\" hidden><p data-when=\"opening\">{}</p><p data-when=\"failed\">{} <code data-detail></code></p></div>\n",
        say("page.opening", &[]),
        say("page.failed", &[])
    );
    out.push_str("<article id=\"skillscope-report\">\n");
    out.push_str(&format!("<noscript><p class=\"quiet\">{}</p></noscript>\n", say("page.noscript", &[])));
    let budget = budget(sections.len() + usize::from(compared.is_some()));
    let alone = sections.len() == 1;
    if !alone {
        out.push_str(&format!("<h1>{}</h1>\n", escape(&title(lang, sections, compared.is_some()))));
    }
    if let Some(compared) = compared {
        comparison(lang, sections, compared, budget, &mut out);
    }
    for (number, section) in (1u32..).zip(sections) {
        out.push_str("<section>\n");
        run(lang, section, (number, alone), budget, &mut out);
        out.push_str("</section>\n");
    }
    out.push_str("<section>\n");
    out.push_str(&format!("<h2>{}</h2>\n<ul>\n", say("share.receipt", &[])));
    for line in receipt_lines(lang, receipt) {
        out.push_str(&format!("<li>{}</li>\n", escape(&line)));
    }
    out.push_str(&format!("</ul>\n<p class=\"quiet\">{}</p>\n</section>\n</article>", say("page.made", &[])));
    out
}

/// A sentence of the engine; numbers of steps are links of the page, and words here.
fn sentence(lang: Lang, (id, args): &(String, Vec<(String, String)>)) -> String {
    let plain = |value: &String| match value.strip_prefix('@') {
        Some(id) => fill_id(lang, id, &[]),
        None => value.strip_prefix('#').unwrap_or(value).to_owned(),
    };
    let args: Vec<(String, String)> = args.iter().map(|(k, v)| (k.clone(), plain(v))).collect();
    fill_id(lang, id, &args)
}

fn run(lang: Lang, section: &Section<'_>, (number, alone): (u32, bool), budget: usize, out: &mut String) {
    let s = section.summary;
    let say = |id: &str, args: &[(&str, String)]| {
        let args: Vec<(String, String)> = args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        escape(&fill_id(lang, id, &args))
    };
    let level = if alone { 1 } else { 2 };
    out.push_str(&format!("<h{level} id=\"run-{number}\">{}</h{level}>\n", escape(&name(section))));
    let about: Vec<&str> = s.agent.iter().chain(&s.models).map(String::as_str).chain([section.document]).collect();
    out.push_str(&format!("<p class=\"quiet\">{}</p>\n", escape(&about.join(" · "))));
    let reasons: Vec<String> = s.verdict.reasons.iter().map(|r| sentence(lang, r)).collect();
    out.push_str(&format!(
        "<p><strong>{}</strong> {}</p>\n<dl>\n",
        say(&s.verdict.state, &[]),
        escape(&reasons.join("; "))
    ));
    let known = |value: Option<String>| value.unwrap_or_else(|| format::UNKNOWN.to_owned());
    let count = |n: u32| format::count(u64::from(n));
    let cost = known(s.usage.cost.map(format::money));
    let estimated = if s.usage.cost_estimated { format!(" ({})", text(lang, M::Estimated)) } else { String::new() };
    let figures = [
        (text(lang, M::FigureSteps).to_owned(), count(s.steps)),
        (text(lang, M::FigureCalls).to_owned(), count(s.calls)),
        (text(lang, M::FigureErrors).to_owned(), count(s.errors)),
        (text(lang, M::FigureTokensIn).to_owned(), known(s.usage.input_tokens.map(format::count))),
        (text(lang, M::FigureTokensOut).to_owned(), known(s.usage.output_tokens.map(format::count))),
        (text(lang, M::FigureCost).to_owned(), format!("{cost}{estimated}")),
        (text(lang, M::FigureTime).to_owned(), known(s.duration_ms.map(format::duration))),
        (fill_id(lang, "page.topology", &[]), s.topology.hash.clone()),
    ];
    for (figure, value) in figures {
        out.push_str(&format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(&figure), escape(&value)));
    }
    out.push_str("</dl>\n");
    findings(lang, section, level, out);
    loops(lang, section, level, out);
    notes(lang, section, (number, level), out);
    steps(lang, section, (number, level), budget, out);
}

fn head(lang: Lang, level: u32, id: &str) -> String {
    let level = level + 1;
    format!("<h{level}>{}</h{level}>\n", escape(&fill_id(lang, id, &[])))
}

fn findings(lang: Lang, section: &Section<'_>, level: u32, out: &mut String) {
    out.push_str(&head(lang, level, "page.findings"));
    if section.findings.is_empty() {
        out.push_str(&format!("<p>{}</p>\n", escape(&fill_id(lang, "page.findings.none", &[]))));
        return;
    }
    out.push_str("<ul>\n");
    for finding in section.findings.iter().take(FINDINGS) {
        let said = sentence(lang, &(format!("rule.{}", finding.rule), finding.args.clone()));
        let step = finding.step.map(|s| format!("{} ", place(lang, s))).unwrap_or_default();
        out.push_str(&format!("<li>{}{}</li>\n", escape(&step), escape(&format::one_line(&said, 400))));
    }
    out.push_str("</ul>\n");
    if let Some(more) = section.findings.len().checked_sub(FINDINGS).filter(|n| *n > 0) {
        let more = fill_id(lang, "page.findings.more", &[("n".into(), more.to_string())]);
        out.push_str(&format!("<p class=\"quiet\">{}</p>\n", escape(&more)));
    }
}

/// A step in words, as it is counted on the screen.
fn place(lang: Lang, step: u32) -> String {
    fill_id(lang, "share.step", &[("n".into(), (u64::from(step) + 1).to_string())])
}

fn loops(lang: Lang, section: &Section<'_>, level: u32, out: &mut String) {
    out.push_str(&head(lang, level, "page.loops"));
    let spans: Vec<_> =
        section.loops.spans.iter().filter(|l| matches!(l.severity.as_str(), "loop" | "repeating")).collect();
    if spans.is_empty() {
        out.push_str(&format!("<p>{}</p>\n", escape(&fill_id(lang, "page.loops.none", &[]))));
        return;
    }
    out.push_str("<ul>\n");
    for span in spans.iter().take(FINDINGS) {
        let what = format::one_line(format!("{} {}", span.tool, span.what).trim(), 200);
        let args = [
            ("name", fill_id(lang, &format!("detector.{}", span.detector), &[])),
            ("what", what),
            ("first", (u64::from(span.first_step) + 1).to_string()),
            ("last", (u64::from(span.last_step) + 1).to_string()),
            ("times", span.times.to_string()),
        ];
        let args: Vec<(String, String)> = args.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        let mut said = fill_id(lang, "page.loop", &args);
        if span.wasted_steps > 0 {
            said.push_str("; ");
            said.push_str(&fill_id(lang, "page.loop.wasted", &[("n".into(), span.wasted_steps.to_string())]));
        }
        out.push_str(&format!("<li>{}</li>\n", escape(&said)));
    }
    out.push_str("</ul>\n");
}

/// Notes whole, as far as there are not very many.
fn notes(lang: Lang, section: &Section<'_>, (number, level): (u32, u32), out: &mut String) {
    if section.notes.is_empty() {
        return;
    }
    out.push_str(&head(lang, level, "page.notes"));
    out.push_str("<ul>\n");
    for note in section.notes.iter().take(FINDINGS) {
        let n = u64::from(note.from) + 1;
        let place = place_of(lang, note);
        out.push_str(&format!(
            "<li><a href=\"#run-{number}-step-{n}\">{}</a> <strong>{}</strong> {}</li>\n",
            escape(&place),
            escape(&note.label),
            escape(&note.text)
        ));
    }
    out.push_str("</ul>\n");
    if let Some(more) = section.notes.len().checked_sub(FINDINGS).filter(|n| *n > 0) {
        let more = fill_id(lang, "page.notes.more", &[("n".into(), more.to_string())]);
        out.push_str(&format!("<p class=\"quiet\">{}</p>\n", escape(&more)));
    }
}

/// Where a note is, in words.
fn place_of(lang: Lang, note: &NoteLine) -> String {
    if note.to == note.from {
        return place(lang, note.from);
    }
    let args = [("from", note.from), ("to", note.to)].map(|(k, n)| (k.to_owned(), (u64::from(n) + 1).to_string()));
    fill_id(lang, "notes.range", &args)
}

/// The word for a kind of step.
fn kind(lang: Lang, row: &StepRow) -> String {
    if row.label.is_empty() { text(lang, kind_word(&row.kind)).to_owned() } else { row.label.clone() }
}

fn steps(lang: Lang, section: &Section<'_>, (number, level): (u32, u32), budget: usize, out: &mut String) {
    out.push_str(&head(lang, level, "page.steps"));
    out.push_str("<table>\n");
    let stop = out.len() + budget;
    let mut listed = 0;
    for row in &section.rows {
        if out.len() > stop {
            break;
        }
        listed += 1;
        let preview = escape(&row.preview);
        let preview = if row.mono { format!("<code>{preview}</code>") } else { preview };
        let mut end = String::new();
        if row.failed {
            let failure = format!("{} {}", fill_id(lang, "page.failed-step", &[]), row.failure);
            end.push_str(&format!(" <strong>{}</strong>", escape(failure.trim())));
        }
        if row.unanswered {
            end.push_str(&format!(" <strong>{}</strong>", escape(&fill_id(lang, "page.unanswered", &[]))));
        }
        out.push_str(&format!(
            "<tr id=\"run-{number}-step-{n}\"><td class=\"n\">{n}</td><td class=\"what\">{}</td><td class=\"text\">{preview}{end}</td></tr>\n",
            escape(&kind(lang, row)),
            n = u64::from(row.step) + 1,
        ));
    }
    out.push_str("</table>\n");
    if listed < section.summary.steps {
        let args =
            [("from".to_owned(), (listed + 1).to_string()), ("to".to_owned(), section.summary.steps.to_string())];
        out.push_str(&format!("<p class=\"quiet\">{}</p>\n", escape(&fill_id(lang, "page.steps.more", &args))));
    }
}

fn comparison(lang: Lang, sections: &[Section<'_>], compared: &Compared, budget: usize, out: &mut String) {
    let say = |id: &str| escape(&fill_id(lang, id, &[]));
    let report = &compared.report;
    let main = if report.actions.left + report.actions.right > 0 { &report.actions } else { &report.thoughts };
    out.push_str(&format!(
        "<dl><div><dt>{}</dt><dd>{}</dd></div></dl>\n",
        say("page.ratio"),
        escape(&format::percent(main.ratio))
    ));
    let said = match &report.divergence {
        Some(d) => sentence(lang, &d.sentence),
        None => fill_id(lang, "divergence.none", &[]),
    };
    out.push_str(&format!("<h2>{}</h2>\n<p>{}</p>\n", say("page.divergence"), escape(&said)));
    let mut names = sections.iter().map(|s| escape(&name(s)));
    let (left, right) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    out.push_str(&format!(
        "<table>\n<tr><th>{}: {left}</th><th>{}</th><th>{}: {right}</th></tr>\n",
        say("page.left"),
        say("page.relation"),
        say("page.right")
    ));
    let stop = out.len() + budget;
    let mut listed = 0;
    for row in &compared.rows.rows {
        if out.len() > stop {
            break;
        }
        listed += 1;
        out.push_str(&compare_row(lang, row));
    }
    out.push_str("</table>\n");
    if let Some(more) = compared.rows.total.checked_sub(listed).filter(|n| *n > 0) {
        let more = fill_id(lang, "page.rows.more", &[("n".into(), more.to_string())]);
        out.push_str(&format!("<p class=\"quiet\">{}</p>\n", escape(&more)));
    }
}

fn compare_row(lang: Lang, row: &CompareRow) -> String {
    if let Some(fold) = &row.fold {
        let said = fill_id(lang, "page.rows.fold", &[("n".into(), fold.rows.to_string())]);
        return format!("<tr><td colspan=\"3\" class=\"quiet\">{}</td></tr>\n", escape(&said));
    }
    let cell = |cell: &Option<CompareCell>| {
        let Some(cell) = cell else { return String::new() };
        let said: String = cell.text.iter().map(|p| p.text.as_str()).collect();
        escape(&format!("{} {} {said}", u64::from(cell.step) + 1, cell.label))
    };
    let likeness = vec![("likeness".to_owned(), format!("{:.2}", row.likeness))];
    let relation = escape(&fill_id(lang, &format!("relation.{}", row.relation), &likeness));
    format!(
        "<tr><td class=\"text\">{}</td><td class=\"what\">{relation}</td><td class=\"text\">{}</td></tr>\n",
        cell(&row.left),
        cell(&row.right)
    )
}
