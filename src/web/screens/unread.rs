//! Not recognised: what the file looks like, what to drop instead, why each near format said no, and the ways on.

use std::sync::Arc;

use leptos::task::spawn_local;
use leptos::{ev, prelude::*};

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
use crate::web::view::{IntoView, View, el};

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
pub fn unread_screen(document: Document, summary: Arc<DocumentSummary>) -> View {
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
        spawn_local(async move {
            {
                let done = dom::copy(&text).await;
                let _ = copied.try_set(Some(done));
            }
        });
    };
    let raw = Route::Document(Place { document: document.name.clone(), raw: true, ..Place::default() }).hash();
    let head = refused
        .head
        .iter()
        .enumerate()
        .map(|(i, line)| {
            el("div.code-line").child(el("span.code-no").child(i + 1)).child(el("span").child(line.clone()))
        })
        .collect::<View>();
    let stopped = refused.stopped.map(|(line, column)| {
        el("p.bad").child(move || tf(M::StoppedAt, &[("line", &line.to_string()), ("column", &column.to_string())]))
    });
    let answers = StoredValue::new(refused.answers);
    // No step is named in a refusal.
    let nowhere = StepHref::new(|_| String::new());
    let rows = move || {
        let shown = if all.get() { usize::MAX } else { NEAREST };
        answers.with_value(|answers| {
            answers
                .iter()
                .take(shown)
                .map(|answer| {
                    el("tr")
                        .child(el("th").attr("scope", "row").child(label(&answer.format).to_owned()))
                        .child(el("td.table-wide").child(sentence(
                            Words(lang()),
                            &format!("answer.{}", answer.reason),
                            &args(answer),
                            nowhere,
                        )))
                        .child(el("td.table-number.mono.quiet").child(pointer(answer).to_owned()))
                })
                .collect::<View>()
        })
    };
    let count = answers.with_value(Vec::len);
    let formats = FORMATS
        .iter()
        .map(|f| {
            el("button.menu-item")
                .on(ev::click, move |_| {
                    dom::close_popover("#open-as");
                    actions.open_as(key, f.id.to_owned())
                })
                .child(f.label)
        })
        .collect::<View>();
    let name = document.name.clone();
    el("div.page")
        .child(
            el("header.page-head.head")
                .child(
                    el("div.head-title")
                        .child(el("h1").attr("tabindex", "-1").child(name))
                        .child(el("span.chip").child(format::bytes(document.size)))
                        .child(el("span.chip").child(move || report.with_value(shape))),
                )
                .child(
                    el("p.verdict").child(icon(Icon::Warn, "warn")).child(
                        el("span")
                            .child(el("b").child(t(M::NotARun)))
                            .child(" ")
                            .child(move || report.with_value(looks_like)),
                    ),
                )
                .child(
                    el("div.head-actions.row")
                        .child(el("a.button.button-primary").attr("href", raw).child(t(M::ShowRaw)))
                        .child(
                            el("button.button.button-large")
                                .attr("popovertarget", "open-as")
                                .child(t(M::OpenAs))
                                .child(icon(Icon::Chevron, "icon-s")),
                        )
                        .child(el("button.button.button-large").on(ev::click, copy).child(
                            move || match copied.get() {
                                None => t(M::CopyReport)(),
                                Some(true) => t(M::Copied)(),
                                Some(false) => t(M::NotCopied)(),
                            },
                        )),
                )
                .child(
                    el("div.menu.menu-at")
                        .attr("id", "open-as")
                        .attr("popover", "auto")
                        .attr("role", "group")
                        .attr("aria-label", t(M::OpenAs))
                        .child(formats),
                ),
        )
        .child(
            el("div.page-body.unread")
                .child(
                    el("div.unread-part")
                        .child((!refused.head.is_empty()).then(|| {
                            (
                                el("h2").child(t(M::FirstLines)),
                                el("div.code")
                                    .attr("tabindex", "0")
                                    .attr("role", "region")
                                    .attr("aria-label", t(M::FirstLines))
                                    .child(head),
                            )
                        }))
                        .child(stopped)
                        .child((count > 0).then(|| {
                            (
                                el("h2").child(t(M::NearestTitle)),
                                el("table.table")
                                    .child(el("caption.unseen").child(t(M::NearestTitle)))
                                    .child(
                                        el("thead.unseen").child(
                                            el("tr")
                                                .child(el("th").attr("scope", "col").child(t(M::NearestFormat)))
                                                .child(el("th").attr("scope", "col").child(t(M::NearestReason)))
                                                .child(el("th").attr("scope", "col").child(t(M::NearestPlace))),
                                        ),
                                    )
                                    .child(el("tbody").child(rows)),
                                (count > NEAREST).then(|| {
                                    el("p.quiet").child(t(M::OtherAnswers)).child(t(M::Stop)).child(
                                        el("button.link").on(ev::click, move |_| all.update(|a| *a = !*a)).child(
                                            move || if all.get() { t(M::FewerAnswers)() } else { t(M::AllAnswers)() },
                                        ),
                                    )
                                }),
                            )
                        })),
                )
                .child(also(document.batch, key)),
        )
        .view()
}

/// What came in the same drop.
fn also(batch: u32, key: u32) -> View {
    let session = use_session();
    let others = move || {
        let rows: Vec<Document> =
            session.documents.get().into_iter().filter(|d| d.batch == batch && d.key != key).collect();
        (!rows.is_empty()).then(|| {
            let rows = rows
                .into_iter()
                .take(50)
                .map(|d| {
                    let (which, tone, words) = rail::state(&d.status.read(), d.changed.get());
                    let words = words.into_iter().map(|(w, _)| w).collect::<Vec<_>>().join(t(M::Comma)());
                    let href = Route::Document(Place { document: d.name.clone(), ..Place::default() }).hash();
                    el("p.verdict").child(icon(which, tone)).child(
                        el("span")
                            .child(el("a").attr("href", href).child(d.name.clone()))
                            .child(el("br"))
                            .child(el("span.quiet").child(words)),
                    )
                })
                .collect::<View>();
            el("aside.unread-part").child(el("h2").child(t(M::AlsoTitle))).child(el("div.unread-card").child(rows))
        })
    };
    others.view()
}
