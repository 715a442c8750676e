//! Not recognised: what the file looks like, what to drop instead, why each near format said no, and the ways on.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::formats::label;
use crate::format;
use crate::message::M;
use crate::model::{FormatAnswer, ImportReport};
use crate::report::DocumentSummary;
use crate::report::formats::FORMATS;
use crate::route::{Place, Route};
use crate::web::components::icon::{Icon, icon};
use crate::web::components::sentence::sentence;
use crate::web::components::{StepHref, Words};
use crate::web::platform::dom;
use crate::web::shell::rail;
use crate::web::state::actions::use_actions;
use crate::web::state::session::{Document, use_session};
use crate::web::state::settings::{lang, t, tf, ti};

/// Answers that are shown at first.
const NEAREST: usize = 4;

fn shape(report: &ImportReport) -> String {
    let lines = format::count(report.lines);
    match report.shape.as_str() {
        "object" => tf(M::ShapeObject, &[]),
        "array" => tf(M::ShapeArray, &[]),
        "lines" => tf(M::ShapeLines, &[("n", &lines)]),
        "binary" => tf(M::ShapeBinary, &[]),
        _ => tf(M::ShapeText, &[("n", &lines)]),
    }
}

fn args(answer: &FormatAnswer) -> [(String, String); 2] {
    [("key".into(), answer.key.clone()), ("expected".into(), answer.expected.clone())]
}

fn reason(answer: &FormatAnswer) -> String {
    ti(&format!("answer.{}", answer.reason), &args(answer))
}

fn looks_like(report: &ImportReport) -> String {
    report.refused.as_ref().map(|r| ti(&format!("refused.{}", r.looks_like), &[])).unwrap_or_default()
}

/// What can be said to others about the refusal: no line of the file in it.
fn report_text(report: &ImportReport) -> String {
    let mut out =
        format!("{}\n{}, {}\n{}\n", report.file, format::bytes(report.bytes), shape(report), looks_like(report));
    if let Some(refused) = &report.refused {
        if let Some((line, column)) = refused.stopped {
            out.push_str(&tf(M::StoppedAt, &[("line", &line.to_string()), ("column", &column.to_string())]));
            out.push('\n');
        }
        for answer in &refused.answers {
            out.push_str(&format!("{}: {} ({})\n", label(&answer.format), reason(answer), pointer(answer)));
        }
    }
    out.push_str(&format!("Skillscope {}", dom::build()));
    out
}

fn pointer(answer: &FormatAnswer) -> &str {
    if answer.pointer.is_empty() { "/" } else { &answer.pointer }
}

/// A document without a run.
#[component]
pub fn UnreadScreen(document: Document, summary: Arc<DocumentSummary>) -> AnyView {
    let actions = use_actions();
    let key = document.key;
    let report = StoredValue::new(
        summary.reports.iter().find(|r| r.refused.is_some()).or(summary.reports.first()).cloned().unwrap_or_default(),
    );
    let refused = report.with_value(|r| r.refused.clone()).unwrap_or_default();
    let all = RwSignal::new(false);
    let copied = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let text = report.with_value(report_text);
        spawn_local(async move { copied.set(Some(dom::copy(&text).await)) });
    };
    let raw = Route::Document(Place { document: document.name.clone(), raw: true, ..Place::default() }).hash();
    let head = refused
        .head
        .iter()
        .enumerate()
        .map(|(i, line)| {
            view! { <div class="code-line"><span class="code-no">{i + 1}</span><span>{line.clone()}</span></div> }
        })
        .collect_view();
    let stopped = refused.stopped.map(|(line, column)| {
        view! { <p class="bad">{move || tf(M::StoppedAt, &[("line", &line.to_string()), ("column", &column.to_string())])}</p> }
    });
    let answers = StoredValue::new(refused.answers);
    // No step is named in a refusal.
    let nowhere = StepHref::new(|_| String::new());
    let rows = move || {
        let shown = if all.get() { usize::MAX } else { NEAREST };
        answers.with_value(|answers| {
            answers.iter().take(shown).map(|answer| {
                view! {
                    <tr>
                        <th scope="row">{label(&answer.format).to_owned()}</th>
                        <td class="table-wide">{sentence(Words(lang()), &format!("answer.{}", answer.reason), &args(answer), nowhere)}</td>
                        <td class="table-number mono quiet">{pointer(answer).to_owned()}</td>
                    </tr>
                }
            }).collect_view()
        })
    };
    let count = answers.with_value(Vec::len);
    let formats = FORMATS.iter().map(|f| {
        view! { <button class="menu-item" on:click=move |_| { dom::close_popover("#open-as"); actions.open_as(key, f.id.to_owned()) }>{f.label}</button> }
    }).collect_view();
    let name = document.name.clone();
    view! {
        <div class="page">
            <header class="page-head head">
                <div class="head-title">
                    <h1 tabindex="-1">{name}</h1>
                    <span class="chip">{format::bytes(document.size)}</span>
                    <span class="chip">{move || report.with_value(shape)}</span>
                </div>
                <p class="verdict">{icon(Icon::Warn, "warn")}<span><b>{t(M::NotARun)}</b>" "{move || report.with_value(looks_like)}</span></p>
                <div class="head-actions row">
                    <a class="button button-primary" href=raw>{t(M::ShowRaw)}</a>
                    <button class="button button-large" popovertarget="open-as">{t(M::OpenAs)}{icon(Icon::Chevron, "icon-s")}</button>
                    <button class="button button-large" on:click=copy>
                        {move || match copied.get() { None => t(M::CopyReport)(), Some(true) => t(M::Copied)(), Some(false) => t(M::NotCopied)() }}
                    </button>
                </div>
                <div class="menu menu-at" id="open-as" popover="auto" role="group" aria-label=t(M::OpenAs)>{formats}</div>
            </header>
            <div class="page-body unread">
                <div class="unread-part">
                    {(!refused.head.is_empty()).then(|| view! { <h2>{t(M::FirstLines)}</h2><div class="code" tabindex="0" role="region" aria-label=t(M::FirstLines)>{head}</div> })}
                    {stopped}
                    {(count > 0).then(|| view! {
                        <h2>{t(M::NearestTitle)}</h2>
                        <table class="table">
                            <caption class="unseen">{t(M::NearestTitle)}</caption>
                            <thead class="unseen"><tr><th scope="col">{t(M::NearestFormat)}</th><th scope="col">{t(M::NearestReason)}</th><th scope="col">{t(M::NearestPlace)}</th></tr></thead>
                            <tbody>{rows}</tbody>
                        </table>
                        {(count > NEAREST).then(|| view! {
                            <p class="quiet">
                                {t(M::OtherAnswers)}{t(M::Stop)}
                                <button class="link" on:click=move |_| all.update(|a| *a = !*a)>{move || if all.get() { t(M::FewerAnswers)() } else { t(M::AllAnswers)() }}</button>
                            </p>
                        })}
                    })}
                </div>
                {also(document.batch, key)}
            </div>
        </div>
    }
    .into_any()
}

/// What came in the same drop.
fn also(batch: u32, key: u32) -> impl IntoView {
    let session = use_session();
    move || {
        let rows: Vec<Document> =
            session.documents.get().into_iter().filter(|d| d.batch == batch && d.key != key).collect();
        (!rows.is_empty()).then(|| {
            let rows = rows.into_iter().take(50).map(|d| {
                let (which, tone, words) = rail::state(&d.status.read(), d.changed.get());
                let words = words.into_iter().map(|(w, _)| w).collect::<Vec<_>>().join(t(M::Comma)());
                let href = Route::Document(Place { document: d.name.clone(), ..Place::default() }).hash();
                view! { <p class="verdict">{icon(which, tone)}<span><a href=href>{d.name.clone()}</a><br/><span class="quiet">{words}</span></span></p> }
            }).collect_view();
            view! { <aside class="unread-part"><h2>{t(M::AlsoTitle)}</h2><div class="unread-card">{rows}</div></aside> }
        })
    }
}
