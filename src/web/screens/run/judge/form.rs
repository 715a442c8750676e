//! The judge's form: where the model is, what it is asked, how often, at what price; and the check of the connection.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::Bench;
use crate::report::{JudgeDiagnosis, JudgeForm, JudgeSetup};
use crate::web::components::{Icon, icon};
use crate::web::platform::dom;
use crate::web::state::judge::{Checking, headers};
use crate::web::view::{El, IntoView, View, el, yes};

/// Draws the form.
pub fn form(bench: Bench, form: Arc<JudgeForm>, setup: Memo<JudgeSetup>) -> View {
    let judges = bench.judges;
    let apis = form.apis.clone();
    let chosen = judges.form.text("api");
    let options = form.apis.iter().map(|api| {
        let id = api.id.clone();
        el("option").attr("value", id.clone()).attr("selected", move || chosen.get() == id).child(api.label.clone())
    });
    let (built_in, kinds) = (form.rubric.clone(), form.kinds.clone());
    let provider = el("select.field")
        .attr("id", "judge-api")
        .on(ev::change, move |e| judges.choose_api(&apis, &event_target_value(&e)))
        .child(options.collect::<View>());
    let key = el("span.field")
        .child(
            el("input.field-input.mono")
                .attr("id", "judge-key")
                .attr("type", "password")
                .attr("autocomplete", "off")
                .attr("spellcheck", "false")
                .prop("value", move || judges.form.key.get())
                .on(ev::input, move |e| {
                    judges.form.key.set(event_target_value(&e));
                    judges.form.keep_secrets();
                }),
        )
        .child(
            el("span.quiet.small")
                .child(move || bench.t(if judges.form.keep.get() { "key-session" } else { "key-memory" })),
        );
    let model = el("span.field").child(input(bench, "model", "text").attr("list", "judge-models")).child(move || {
        matches!(judges.checking.get(), Checking::Found(d) if d.good)
            .then(|| el("span.mark.good.small").child(icon(Icon::Check, "icon-s")).child(bench.t("answers")))
    });
    let datalist = el("datalist")
        .attr("id", "judge-models")
        .child(move || bench.models.get().into_iter().map(|m| el("option").attr("value", m)).collect::<View>());
    let keep = check(
        bench.t("key-keep"),
        move || judges.form.keep.get(),
        move |on| {
            judges.form.keep.set(on);
            judges.form.keep_secrets();
        },
    );
    (
        el("section.judge-part")
            .child(el("h2.unseen").child(bench.t("endpoint")))
            .child(row(bench.t("provider"), "judge-api", provider))
            .child(row(bench.t("address"), "judge-base", el("span.field").child(input(bench, "base", "url"))))
            .child(row(bench.t("model"), "judge-model", model))
            .child(datalist)
            .child(row(bench.t("key"), "judge-key", key))
            .child(keep)
            .child(connection(bench, setup)),
        el("section.judge-part")
            .child(el("h2.unseen").child(bench.t("question")))
            .child(row(bench.t("mode"), "judge-mode", modes(bench)))
            .child(move || (judges.form.text("mode").get() == "pairwise").then(|| others(bench)))
            .child(row(bench.t("samples"), "judge-samples", samples(bench)))
            .child(move || (judges.form.text("mode").get() == "rubric").then(|| rubric(bench, &built_in)))
            .child(more(bench, kinds)),
    )
        .view()
}

fn row(name: String, id: &'static str, field: El) -> El {
    el("div.judge-row").child(el("label").attr("for", id).child(name)).child(field)
}

/// A text field of the form, kept when it is left.
fn input(bench: Bench, name: &'static str, kind: &'static str) -> El {
    let form = bench.judges.form;
    el("input.field-input.mono")
        .attr("id", format!("judge-{name}"))
        .attr("type", "text")
        .attr("inputmode", kind)
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .attr("spellcheck", "false")
        .prop("value", move || form.text(name).get())
        .on(ev::change, move |e| {
            form.set(name, event_target_value(&e).trim().to_owned());
            if matches!(name, "base" | "model") {
                bench.judges.checking.set(Checking::Idle);
            }
        })
}

fn area(id: &'static str, lines: u8, text: impl Fn() -> String + 'static, set: impl Fn(String) + 'static) -> El {
    el("textarea.field.mono.judge-area")
        .attr("id", id)
        .attr("rows", lines.to_string())
        .attr("spellcheck", "false")
        .attr("autocomplete", "off")
        .prop("value", text)
        .on(ev::change, move |e| set(event_target_value(&e)))
}

fn check(name: String, on: impl Fn() -> bool + 'static, set: impl Fn(bool) + 'static) -> El {
    el("label.judge-check")
        .child(
            el("input")
                .attr("type", "checkbox")
                .prop("checked", on)
                .on(ev::change, move |e| set(event_target_checked(&e))),
        )
        .child(name)
}

fn modes(bench: Bench) -> El {
    let form = bench.judges.form;
    let chosen = form.text("mode");
    let options = ["rubric", "pairwise", "localise", "taxonomy"].map(|id| {
        el("option")
            .attr("value", id)
            .attr("selected", move || chosen.get() == id)
            .child(bench.t(&format!("mode.{id}")))
    });
    el("select.field")
        .attr("id", "judge-mode")
        .on(ev::change, move |e| form.set("mode", event_target_value(&e)))
        .child(options)
}

/// The runs that this one can be compared with.
fn others(bench: Bench) -> El {
    let here = bench.here;
    let other = bench.judges.form.other;
    let mut options = vec![el("option").attr("value", "").child(bench.t("other-none"))];
    for document in here.session.documents.get_untracked() {
        let Some(summary) = document.summary_now() else { continue };
        for run in &summary.runs {
            let about = (document.key, run.index);
            if about == bench.about() || options.len() > 500 {
                continue;
            }
            let name = if summary.runs.len() > 1 {
                format!("{} · {} · {}", document.name, run.index + 1, run.title)
            } else {
                format!("{} · {}", document.name, run.title)
            };
            options.push(
                el("option")
                    .attr("value", format!("{}:{}", about.0, about.1))
                    .attr("selected", move || other.get() == Some(about))
                    .child(crate::format::one_line(&name, 90)),
            );
        }
    }
    let choose = move |text: String| {
        let pair = text.split_once(':').and_then(|(d, r)| Some((d.parse().ok()?, r.parse().ok()?)));
        other.set(pair);
    };
    let field = el("select.field")
        .attr("id", "judge-other")
        .on(ev::change, move |e| choose(event_target_value(&e)))
        .child(options);
    row(bench.t("other"), "judge-other", field)
}

fn samples(bench: Bench) -> El {
    let form = bench.judges.form;
    let chosen = form.text("samples");
    let options = ["1", "3", "5", "7", "9"]
        .map(|n| el("option").attr("value", n).attr("selected", move || chosen.get() == n).child(n));
    el("select.field")
        .attr("id", "judge-samples")
        .on(ev::change, move |e| form.set("samples", event_target_value(&e)))
        .child(options)
}

fn rubric(bench: Bench, built_in: &str) -> View {
    let form = bench.judges.form;
    let text = form.text("rubric");
    let open = RwSignal::new(false);
    let usual = built_in.to_owned();
    let (shown, head) = (usual.clone(), usual.clone());
    let now = move || {
        let own = text.get();
        if own.is_empty() { shown.clone() } else { own }
    };
    let name = move || {
        let own = text.get();
        let first = if own.is_empty() { head.lines().next() } else { own.lines().next() };
        first.unwrap_or_default().trim_start_matches('#').trim().to_owned()
    };
    let field = el("span.field")
        .child(el("span.judge-name").child(name))
        .child(
            el("span.quiet.small")
                .child(move || bench.t(if text.with(String::is_empty) { "rubric-built-in" } else { "rubric-own" })),
        )
        .child(
            el("button.link")
                .attr("type", "button")
                .attr("aria-expanded", move || yes(open.get()))
                .attr("aria-controls", "judge-rubric")
                .on(ev::click, move |_| open.update(|o| *o = !*o))
                .child(bench.t("rubric-edit")),
        );
    let editor = move || {
        let (now, usual) = (now.clone(), usual.clone());
        open.get().then(|| {
            let set = move |new: String| form.set("rubric", if new == usual { String::new() } else { new });
            el("div.judge-edit")
                .child(
                    area("judge-rubric", 14, now, set)
                        .attr("aria-label", bench.t("rubric-label"))
                        .attr("aria-describedby", "judge-rubric-help"),
                )
                .child(el("p.quiet.small").attr("id", "judge-rubric-help").child(bench.t("rubric-help")))
                .child(
                    el("button.button.button-small")
                        .attr("type", "button")
                        .on(ev::click, move |_| form.set("rubric", String::new()))
                        .child(bench.t("rubric-reset")),
                )
        })
    };
    (el("div.judge-row").child(el("span").child(bench.t("rubric-label"))).child(field), editor).view()
}

fn more(bench: Bench, kinds: Vec<String>) -> El {
    let form = bench.judges.form;
    let number = |name: &'static str, text: &str| {
        el("label.judge-number").child(bench.t(text)).child(el("span.field").child(input(bench, name, "decimal")))
    };
    let shown = form.shown_kinds;
    let kinds = kinds.into_iter().map(move |kind| {
        let (is, set) = (kind.clone(), kind.clone());
        check(
            bench.t(&format!("kind.{kind}")),
            move || shown.with(|s| !s.contains(&is)),
            move |on| {
                shown.update(|s| {
                    s.retain(|k| *k != set);
                    if !on {
                        s.push(set.clone());
                    }
                });
            },
        )
    });
    let bad = move || {
        headers(&form.headers.get())
            .err()
            .map(|line| el("p.bad.small").child(bench.f("headers-bad", &[("line", &line.to_string())])))
    };
    el("details.judge-more")
        .child(el("summary").child(bench.t("more")))
        .child(
            el("div.judge-numbers")
                .child(number("window", "window"))
                .child(number("limit", "answer-limit"))
                .child(number("price-in", "price-in"))
                .child(number("price-out", "price-out"))
                .child(number("cap", "cap"))
                .child(number("patience", "patience")),
        )
        .child(el("fieldset.judge-kinds").child(el("legend").child(bench.t("replace"))).child(kinds.collect::<View>()))
        .child(el("label").attr("for", "judge-names").child(bench.t("names")))
        .child(area("judge-names", 2, move || form.text("names").get(), move |text| form.set("names", text)))
        .child(el("label").attr("for", "judge-headers").child(bench.t("headers")))
        .child(area(
            "judge-headers",
            2,
            move || form.headers.get(),
            move |text| {
                form.headers.set(text);
                form.keep_secrets();
            },
        ))
        .child(bad)
}

/// The check of the connection, with what it found.
fn connection(bench: Bench, setup: Memo<JudgeSetup>) -> View {
    let judges = bench.judges;
    let going = Memo::new(move |_| matches!(judges.checking.get(), Checking::Going));
    let busy = Memo::new(move |_| judges.going.with(Option::is_some));
    let button = move || {
        if going.get() {
            el("p.row").child(el("span.quiet").child(bench.t("checking"))).child(
                el("button.button.button-small")
                    .attr("type", "button")
                    .attr("id", "judge-stop-check")
                    .on(ev::click, move |_| judges.stop())
                    .child(bench.t("cancel")),
            )
        } else {
            el("p.row").child(
                el("button.button")
                    .attr("type", "button")
                    .attr("id", "judge-check")
                    .attr("disabled", move || busy.get())
                    .on(ev::click, move |_| judges.check(setup.get_untracked()))
                    .child(bench.t("check")),
            )
        }
    };
    let found = move || match judges.checking.get() {
        Checking::Found(found) => {
            if !found.models.is_empty() {
                bench.models.set(found.models.clone());
            }
            diagnosis(bench, &found)
        }
        _ => View::NONE,
    };
    (button, el("div.judge-said").attr("id", "judge-said").attr("role", "status").child(found)).view()
}

fn diagnosis(bench: Bench, found: &JudgeDiagnosis) -> View {
    let words = bench.here.words;
    let (which, tone) = if found.good { (Icon::Check, "good") } else { (Icon::Bad, "bad") };
    let paste = found.paste.iter().map(|(name, line)| {
        let copied = line.clone();
        el("div.judge-paste").child(el("span.small").child(name.clone())).child(el("code").child(line.clone())).child(
            el("button.button.button-small")
                .attr("type", "button")
                .on(ev::click, move |_| bench.here.copy(copied.clone()))
                .child(bench.t("copy-line")),
        )
    });
    let models = (!found.models.is_empty() && bench.judges.form.text("model").get_untracked().is_empty()).then(|| {
        let pick = found.models.iter().take(30).map(|model| {
            let name = model.clone();
            el("button.chip")
                .attr("type", "button")
                .on(ev::click, move |_| {
                    bench.judges.form.set("model", name.clone());
                    bench.judges.checking.set(Checking::Idle);
                    dom::focus("#judge-check");
                })
                .child(model.clone())
        });
        el("p.judge-models").child(pick.collect::<View>())
    });
    (
        el("p.verdict").child(icon(which, tone)).child(
            el("span")
                .child(el("b").child(words.id(&found.what.0, &found.what.1)))
                .child((!found.good).then(|| (el("br"), words.id(&found.fix.0, &found.fix.1)))),
        ),
        paste.collect::<View>(),
        models,
        (!found.detail.is_empty())
            .then(|| el("p.quiet.small").child(bench.f("server-says", &[("text", &found.detail)]))),
    )
        .view()
}
