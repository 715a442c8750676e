//! The findings of a run: by severity, then by rule, each with its place and what to do.

use std::sync::Arc;

use leptos::{html, prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::{
    format,
    message::M,
    model::{Finding, Severity},
    protocol::{Job, Outcome},
    report::{FindingsReport, SourcePlace},
    web::{
        commands::{Action, Scope},
        components::{
            Words,
            filter::FilterField,
            icon,
            inspector::{place_text, severity_mark, step_links},
            sentence::sentence,
        },
    },
};

/// Findings drawn at once for a rule; the filter finds the others.
const MOST: usize = 100;

/// Draws the findings.
pub fn findings(here: Here) -> AnyView {
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
        None => ().into_any(),
        Some(Err(why)) => view! { <p>{why}</p> }.into_any(),
        Some(Ok(report)) if report.findings.is_empty() => empty(words, &report),
        Some(Ok(report)) => filter.with(|filter| list(here, &report, filter)),
    };
    let copy = move |_| {
        if let Some(Ok(report)) = report.get_untracked() {
            here.copy(markdown(words, &report));
        }
    };
    view! {
        <div class="tool">
            <FilterField node=field placeholder=words.t(M::FindingsFilter) label=words.t(M::FindingsFilterLabel) value=filter.into()
                on_input=Callback::new(move |text| filter.set(text)) on_leave=Callback::new(|()| ())/>
            <button class="button" on:click=copy disabled=move || report.with(|r| !matches!(r, Some(Ok(r)) if !r.findings.is_empty()))>
                {words.t(M::CopyMarkdown)}
            </button>
        </div>
        <div class="page-body" tabindex="0" role="region" aria-label=words.t(M::TabFindings)>{body}</div>
    }
    .into_any()
}

/// No findings is worth something only with the list of what was looked for.
fn empty(words: Words, report: &FindingsReport) -> AnyView {
    let n = report.clean.len().to_string();
    view! { <p class="strong">{words.f(M::NoFindings, &[("n", &n)])}</p> {rules(words, report)} }.into_any()
}

fn rules(words: Words, report: &FindingsReport) -> AnyView {
    let title = |rule: &str| words.id(&format!("rule.{rule}.title"), &[]);
    let clean = report
        .clean
        .iter()
        .map(|rule| view! { <li>{title(rule)}" "<code class="quiet">{rule.clone()}</code></li> })
        .collect_view();
    let skipped = report
        .skipped
        .iter()
        .map(|(rule, why)| view! { <li>{title(rule)}" "<code class="quiet">{rule.clone()}</code>" "<span class="quiet">{words.id(why, &[])}</span></li> })
        .collect_view();
    view! {
        {(!report.clean.is_empty()).then(|| view! { <h2 class="group-head">{words.t(M::RulesClean)}</h2> <ul>{clean}</ul> })}
        {(!report.skipped.is_empty()).then(|| view! { <h2 class="group-head">{words.t(M::RulesSkipped)}</h2> <ul>{skipped}</ul> })}
    }
    .into_any()
}

fn list(here: Here, report: &FindingsReport, filter: &str) -> AnyView {
    let words = here.words;
    let wanted = filter.trim().to_lowercase();
    let matches = |f: &Finding| {
        wanted.is_empty()
            || f.rule.contains(&wanted)
            || words.id(&format!("rule.{}", f.rule), &f.args).to_lowercase().contains(&wanted)
            || words.id(&format!("rule.{}.title", f.rule), &[]).to_lowercase().contains(&wanted)
    };
    let mut out: Vec<AnyView> = Vec::new();
    let mut any = false;
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let rules: Vec<_> = report.counts.iter().filter(|(_, s, _)| *s == severity).collect();
        let all: u32 = rules.iter().map(|(_, _, n)| *n).sum();
        let mut groups: Vec<AnyView> = Vec::new();
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
            let items = found.iter().take(MOST).map(|f| item(here, f)).collect_view();
            groups.push(
                view! {
                    <h3 class="group-head small">
                        {words.id(&format!("rule.{rule}.title"), &[])}
                        <span><code>{rule.clone()}</code>" "{format::count(u64::from(*count))}" "{cut}</span>
                    </h3>
                    <ul>{items}</ul>
                }
                .into_any(),
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
        out.push(
            view! { <h2 class="group-head">{words.f(title, &[("n", &all.to_string())])}</h2> {groups} }.into_any(),
        );
    }
    if !any {
        out.push(view! { <p class="quiet">{words.t(M::NoFindingHits)}</p> }.into_any());
    }
    out.push(rules(words, report));
    out.into_any()
}

fn item(here: Here, finding: &Finding) -> AnyView {
    let words = here.words;
    let (which, tone) = severity_mark(finding.severity);
    let place = place_text(words, &source(finding));
    let link = match finding.step {
        Some(step) => view! { <a class="link mono" href=here.step_href().run(step) title=place.clone()>{format!("{}, {}", step + 1, line_text(words, finding))}</a> }.into_any(),
        None => view! { <span class="mono quiet">{if place.is_empty() { words.t(M::WholeFile).to_owned() } else { place }}</span> }.into_any(),
    };
    let related = (!finding.related.is_empty()).then(|| {
        view! { <p class="finding-fix row">{words.t(M::AlsoAt)}{step_links(finding.related.get(..20).unwrap_or(&finding.related), here.step_href())}</p> }
    });
    view! {
        <li class="finding">
            {icon(which, tone)}
            <p>{sentence(words, &format!("rule.{}", finding.rule), &finding.args, here.step_href())}</p>
            {link}
            <p class="finding-fix">{words.id(&format!("rule.{}.remedy", finding.rule), &finding.args)}</p>
            {related}
        </li>
    }
    .into_any()
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
