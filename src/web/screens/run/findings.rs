//! The findings of a run: by severity, then by rule, each with its place and what to do.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::web::view::{IntoView, View, el};
use crate::{
    format,
    fuzzy::folded,
    message::M,
    model::{Finding, Severity},
    protocol::{Job, Outcome},
    report::{FindingsReport, SourcePlace},
    web::{
        commands::{Action, Scope},
        components::{
            Words,
            filter::{FilterField, filter_field},
            icon,
            inspector::{place_text, severity_mark, step_links},
            sentence::sentence,
        },
    },
};

/// Findings drawn at once for a rule; the filter finds the others.
const MOST: usize = 100;

/// Draws the findings.
pub fn findings(here: Here) -> View {
    let words = here.words;
    let report = RwSignal::new(None::<Result<Arc<FindingsReport>, String>>);
    spawn_local(async move {
        let outcome = here.ask(Job::Findings { document: here.document, run: here.run }).await;
        let why = fault(here, &outcome);
        let _ = report.try_set(match outcome {
            Outcome::Findings { findings } => Some(Ok(Arc::new(findings))),
            _ => why.map(Err),
        });
    });
    let field = NodeRef::<html::Input>::new();
    let filter = RwSignal::new(String::new());
    here.commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
        }
    });
    let body = move || match report.get() {
        None => ().view(),
        Some(Err(why)) => el("p").child(why).view(),
        Some(Ok(report)) if report.findings.is_empty() => empty(words, &report),
        Some(Ok(report)) => filter.with(|filter| list(here, &report, filter)),
    };
    let copy = move |_| {
        if let Some(Ok(report)) = report.get_untracked() {
            here.copy(markdown(words, &report));
        }
    };
    (
        el("div.tool")
            .child(filter_field(FilterField {
                node: field,
                placeholder: words.t(M::FindingsFilter),
                label: words.t(M::FindingsFilterLabel),
                value: filter.into(),
                on_input: Callback::new(move |text| filter.set(text)),
                on_leave: Callback::new(|()| ()),
            }))
            .child(
                el("button.button")
                    .on(ev::click, copy)
                    .attr("disabled", move || report.with(|r| !matches!(r, Some(Ok(r)) if !r.findings.is_empty())))
                    .child(words.t(M::CopyMarkdown)),
            ),
        el("div.page-body")
            .attr("tabindex", "0")
            .attr("role", "region")
            .attr("aria-label", words.t(M::TabFindings))
            .child(body),
    )
        .view()
}

/// No findings is worth something only with the list of what was looked for.
fn empty(words: Words, report: &FindingsReport) -> View {
    let n = report.clean.len().to_string();
    (el("p.strong").child(words.f(M::NoFindings, &[("n", &n)])), rules(words, report)).view()
}

fn rules(words: Words, report: &FindingsReport) -> View {
    let title = |rule: &str| words.id(&format!("rule.{rule}.title"), &[]);
    let clean = report
        .clean
        .iter()
        .map(|rule| el("li").child(title(rule)).child(" ").child(el("code.quiet").child(rule.clone())))
        .collect::<View>();
    let skipped = report
        .skipped
        .iter()
        .map(|(rule, why)| {
            el("li")
                .child(title(rule))
                .child(" ")
                .child(el("code.quiet").child(rule.clone()))
                .child(" ")
                .child(el("span.quiet").child(words.id(why, &[])))
        })
        .collect::<View>();
    (
        (!report.clean.is_empty()).then(|| (el("h2.group-head").child(words.t(M::RulesClean)), el("ul").child(clean))),
        (!report.skipped.is_empty())
            .then(|| (el("h2.group-head").child(words.t(M::RulesSkipped)), el("ul").child(skipped))),
    )
        .view()
}

fn list(here: Here, report: &FindingsReport, filter: &str) -> View {
    let words = here.words;
    let wanted = folded(filter.trim());
    let matches = |f: &Finding| {
        wanted.is_empty()
            || f.rule.contains(&wanted)
            || folded(&words.id(&format!("rule.{}", f.rule), &f.args)).contains(&wanted)
            || folded(&words.id(&format!("rule.{}.title", f.rule), &[])).contains(&wanted)
    };
    let mut out: Vec<View> = Vec::new();
    let mut any = false;
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let rules: Vec<_> = report.counts.iter().filter(|(_, s, _)| *s == severity).collect();
        let all: u32 = rules.iter().map(|(_, _, n)| *n).sum();
        let mut groups: Vec<View> = Vec::new();
        for (rule, _, count) in rules {
            let found: Vec<&Finding> =
                report.findings.iter().filter(|f| f.severity == severity && f.rule == *rule && matches(f)).collect();
            if found.is_empty() {
                continue;
            }
            let shown = found.len().min(MOST);
            let cut = (shown < *count as usize && wanted.is_empty()).then(|| {
                words.f(
                    M::FindingsCut,
                    &[("n", &format::count(shown as u64)), ("of", &format::count(u64::from(*count)))],
                )
            });
            let items = found.iter().take(MOST).map(|f| item(here, f)).collect::<View>();
            groups.push(
                (
                    el("h3.group-head.small").child(words.id(&format!("rule.{rule}.title"), &[])).child(
                        el("span")
                            .child(el("code").child(rule.clone()))
                            .child(" ")
                            .child(format::count(u64::from(*count)))
                            .child(" ")
                            .child(cut),
                    ),
                    el("ul").child(items),
                )
                    .view(),
            );
        }
        if groups.is_empty() {
            continue;
        }
        any = true;
        let title = match severity {
            Severity::Error => M::SeverityErrors,
            Severity::Warning => M::SeverityWarnings,
            Severity::Info => M::SeverityInfos,
        };
        out.push((el("h2.group-head").child(words.f(title, &[("n", &all.to_string())])), groups).view());
    }
    if !any {
        out.push(el("p.quiet").child(words.t(M::NoFindingHits)).view());
    }
    out.push(rules(words, report));
    out.view()
}

fn item(here: Here, finding: &Finding) -> View {
    let words = here.words;
    let (which, tone) = severity_mark(finding.severity);
    let place = place_text(words, &source(finding));
    let link = match finding.step {
        Some(step) => el("a.link.mono")
            .attr("href", here.step_href().run(step))
            .attr("title", place.clone())
            .child(format!("{}, {}", step + 1, line_text(words, finding)))
            .view(),
        None => {
            el("span.mono.quiet").child(if place.is_empty() { words.t(M::WholeFile).to_owned() } else { place }).view()
        }
    };
    let related = (!finding.related.is_empty()).then(|| {
        el("p.finding-fix.row")
            .child(words.t(M::AlsoAt))
            .child(step_links(finding.related.get(..20).unwrap_or(&finding.related), here.step_href()))
    });
    el("li.finding")
        .child(icon(which, tone))
        .child(el("p").child(sentence(words, &format!("rule.{}", finding.rule), &finding.args, here.step_href())))
        .child(link)
        .child(el("p.finding-fix").child(words.id(&format!("rule.{}.remedy", finding.rule), &finding.args)))
        .child(related)
        .view()
}

fn source(finding: &Finding) -> SourcePlace {
    SourcePlace { file: finding.place.file.clone(), line: finding.place.line, pointer: finding.place.pointer.clone() }
}

fn line_text(words: Words, finding: &Finding) -> String {
    place_text(words, &SourcePlace { file: String::new(), ..source(finding) }).trim_start_matches(", ").to_owned()
}

/// The findings as a text to paste into an issue or a chat.
fn markdown(words: Words, report: &FindingsReport) -> String {
    let mut out = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let found: Vec<&Finding> = report.findings.iter().filter(|f| f.severity == severity).collect();
        if found.is_empty() {
            continue;
        }
        let title = match severity {
            Severity::Error => M::SeverityErrors,
            Severity::Warning => M::SeverityWarnings,
            Severity::Info => M::SeverityInfos,
        };
        out.push_str(&format!("## {}\n\n", words.f(title, &[("n", &found.len().to_string())])));
        for f in found {
            let step =
                f.step.map(|s| format!("{}, ", words.f(M::StepNo, &[("n", &(s + 1).to_string())]))).unwrap_or_default();
            out.push_str(&format!(
                "- `{}` {} ({step}{})\n  {}\n",
                f.rule,
                words.id(&format!("rule.{}", f.rule), &f.args),
                place_text(words, &source(f)),
                words.id(&format!("rule.{}.remedy", f.rule), &f.args),
            ));
        }
        out.push('\n');
    }
    out
}
