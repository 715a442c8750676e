//! A judgement: score with spread, a row a criterion with its quotes as links to their steps, what failed, what is to be
//! known; labels by hand and how far they agree with the judge.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use super::Bench;
use crate::format;
use crate::protocol::{Job, Outcome};
use crate::report::{JudgeLabels, JudgeQuote, JudgeRow, JudgeStatistic, JudgeView};
use crate::web::components::{Icon, icon};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, el, svg, yes};

/// Draws the last judgement.
pub fn result(bench: Bench) -> View {
    let labelling = RwSignal::new(false);
    let draw = move || match bench.shown.get() {
        Some(view) => untrack(|| judgement(bench, view, labelling)),
        None => (
            el("div.judge-none")
                .child(el("h2").child(bench.t("none")))
                .child(el("p.quiet").child(bench.t("none-how")))
                .child(el("p.row").child(label_button(bench, labelling))),
            move || labelling.get().then(|| untrack(|| before(bench))),
        )
            .view(),
    };
    draw.view()
}

fn label_button(bench: Bench, labelling: RwSignal<bool>) -> El {
    el("button.link")
        .attr("type", "button")
        .attr("id", "judge-label")
        .attr("aria-expanded", move || yes(labelling.get()))
        .on(ev::click, move |_| labelling.update(|l| *l = !*l))
        .child(move || bench.t(if labelling.get() { "label-done" } else { "label" }))
}

/// Asks for the labels of this run under a rubric, or changes one first.
fn ask(
    bench: Bench,
    labels: RwSignal<Option<Arc<JudgeLabels>>>,
    rubric: String,
    criterion: Option<String>,
    label: Option<String>,
) {
    let (document, run) = bench.about();
    spawn_local(async move {
        let job = Job::JudgeLabel { document, run, rubric, criterion, label };
        if let Outcome::JudgeLabels { labels: found } = bench.here.ask(job).await {
            let _ = labels.try_set(Some(Arc::from(found)));
        }
    });
}

/// The questions to answer oneself, before the judge has: so its answers cannot lean on anybody.
fn before(bench: Bench) -> View {
    let labels = RwSignal::new(None::<Arc<JudgeLabels>>);
    let rubric = bench.judges.form.text("rubric").get_untracked();
    ask(bench, labels, rubric.clone(), None, None);
    // The questions stay while labels change.
    let criteria = Memo::new(move |_| labels.with(|l| l.as_ref().map(|l| l.criteria.clone()).unwrap_or_default()));
    let set: SetLabel = Arc::new(move |criterion: String, label: Option<String>| {
        ask(bench, labels, rubric.clone(), Some(criterion), label);
    });
    let rows = move || {
        let rows = criteria.get().into_iter().map(|(id, title)| {
            el("tr")
                .child(el("th").attr("scope", "row").child(el("span.judge-title").child(title.clone())))
                .child(el("td").child(choice(bench, &id, &title, labels, set.clone())))
        });
        rows.collect::<View>()
    };
    (
        el("p.quiet.judge-top").child(bench.t("label-help")),
        el("table.table.judge-table")
            .child(el("thead").child(el("tr").child(
                ["column-criterion", "column-label"].map(|id| el("th").attr("scope", "col").child(bench.t(id))),
            )))
            .child(el("tbody").child(rows)),
    )
        .view()
}

fn figure(n: f64) -> String {
    format!("{n:.2}")
}

fn judgement(bench: Bench, view: Arc<JudgeView>, labelling: RwSignal<bool>) -> View {
    let words = bench.here.words;
    let day = view.at.get(..16).unwrap_or_default().replace('T', " ");
    let with_rubric = matches!(view.mode.as_str(), "rubric" | "taxonomy");
    let by = if with_rubric {
        let version = view.rubric.1.to_string();
        let args =
            [("model", view.model.as_str()), ("host", &view.host), ("rubric", &view.rubric.0), ("version", &version)];
        bench.f("result-by", &args)
    } else {
        bench.f("result-by-plain", &[("model", &view.model), ("host", &view.host)])
    };
    let labels = RwSignal::new(None::<Arc<JudgeLabels>>);
    let can_label = view.mode == "rubric";
    if can_label {
        ask(bench, labels, view.rubric_text.clone(), None, None);
    }
    let label_button = can_label.then(|| label_button(bench, labelling));
    let export = move |_| {
        let (document, run) = bench.about();
        spawn_local(async move {
            if let Outcome::File { file } = bench.here.ask(Job::JudgeExport { document, run }).await {
                look::download_bytes(&file.name, &file.mime, &file.bytes);
            }
        });
    };
    let rubric = view.rubric_text.clone();
    let set = move |criterion: String, label: Option<String>| {
        ask(bench, labels, rubric.clone(), Some(criterion), label);
    };
    let told = |tokens: Option<u64>| tokens.map_or_else(|| "–".to_owned(), format::count);
    let spent = bench.f(
        "spent",
        &[
            ("requests", &view.requests.to_string()),
            ("size", &format::bytes(view.bytes)),
            ("in", &told(view.input)),
            ("out", &told(view.output)),
        ],
    );
    let cost = view.cost.map(|(low, high)| {
        let (low, high) = (format::money(low), format::money(high));
        if low == high { format!(" · {low}") } else { format!(" · {low}–{high}") }
    });
    let notes = view.notes.iter().map(|(tone, (id, args))| {
        let (which, tone) = match tone.as_str() {
            "bad" => (Icon::Bad, "bad"),
            "warn" => (Icon::Warn, "warn"),
            _ => (Icon::Info, ""),
        };
        el("p.judge-line").child(icon(which, tone)).child(el("span").child(words.id(id, args)))
    });
    let failures = (!view.failures.is_empty()).then(|| {
        let all = view.failures.iter().map(|f| {
            el("li")
                .child(el("b.judge-failure").child(words.id(&f.what.0, &f.what.1)))
                .child(" ")
                .child(el("span.quiet").child(format!("({})", bench.f("times", &[("n", &f.times.to_string())]))))
                .child(el("br"))
                .child(words.id(&f.fix.0, &f.fix.1))
                .child(
                    (!f.detail.is_empty())
                        .then(|| el("p.quiet.small").child(bench.f("server-says", &[("text", &f.detail)]))),
                )
        });
        el("div.judge-failed")
            .attr("role", "status")
            .child(el("h3").child(icon(Icon::Bad, "bad")).child(" ").child(bench.t("failed")))
            .child(el("ul").child(all.collect::<View>()))
    });
    let heading = bench.f("result", &[("at", &day), ("n", &view.samples.to_string())]);
    (
        el("div.judge-top")
            .child(el("h2").child(heading))
            .child(el("p.quiet").child(by))
            .child(mean(bench, &view))
            .child(
                el("p.row").child(label_button).child(
                    el("button.link")
                        .attr("type", "button")
                        .attr("id", "judge-export")
                        .on(ev::click, export)
                        .child(bench.t("export")),
                ),
            )
            .child(notes.collect::<View>())
            .child(failures),
        move || labelling.get().then(|| el("p.quiet.judge-top").child(bench.t("label-help"))),
        (!view.rows.iter().all(|r| r.state == "missing"))
            .then(|| table(bench, &view, labelling, labels, Arc::new(set))),
        el("div.judge-top")
            .child(
                (!view.summary.is_empty())
                    .then(|| (el("h3").child(bench.t("summary")), el("p.quiet").child(view.summary.clone()))),
            )
            .child(el("p.quiet.small").child(spent).child(cost))
            .child(move || can_label.then(|| agreement(bench, labels.get().as_deref()))),
    )
        .view()
}

fn mean(bench: Bench, view: &JudgeView) -> View {
    if view.mode != "rubric" {
        return View::NONE;
    }
    let Some(score) = view.score else {
        return el("p.judge-mean").child(el("b").child(format::UNKNOWN)).child(" ").child(bench.t("no-score")).view();
    };
    let said = bench.f("mean", &[("score", &figure(score)), ("n", &view.counted.to_string())]);
    let spread = view.spread.map(|s| bench.f("spread", &[("n", &figure(s))]));
    let out = (view.left_out > 0).then(|| bench.f("left-out", &[("n", &view.left_out.to_string())]));
    let rest: Vec<String> = [spread, out].into_iter().flatten().collect();
    el("details.judge-mean")
        .child(el("summary").child(el("b").child(said)).child(" ").child(el("span.quiet").child(rest.join("; "))))
        .child(el("p.quiet.small").child(bench.t("mean-means")))
        .view()
}

type SetLabel = Arc<dyn Fn(String, Option<String>) + Send + Sync>;

fn table(
    bench: Bench,
    view: &JudgeView,
    labelling: RwSignal<bool>,
    labels: RwSignal<Option<Arc<JudgeLabels>>>,
    set: SetLabel,
) -> El {
    let head = [("column-criterion", ""), ("column-score", ""), ("column-reason", "")]
        .map(|(id, class)| el("th").attr("scope", "col").class(class).child(bench.t(id)));
    let mode = view.mode.clone();
    let rows =
        view.rows.iter().map(|row| {
            let criterion = row.criterion.clone();
            let title = title(bench, &mode, row);
            let named = title.clone();
            let set = set.clone();
            let own = move || labelling.get().then(|| choice(bench, &criterion, &named, labels, set.clone()));
            let struck = row.state == "struck";
            el("tr")
                .class(if struck { "judge-struck" } else { "" })
                .attr("data-criterion", row.criterion.clone())
                .child(
                    el("th")
                        .attr("scope", "row")
                        .child(el("span.judge-title").child(title))
                        .child(marks(bench, row))
                        .child(own),
                )
                .child(el("td").attr("data-label", bench.t("column-score")).child(verdict(bench, &mode, row)))
                .child(
                    el("td")
                        .child(el("p.judge-reason").child(row.reasoning.clone()))
                        .child((!row.error.is_empty()).then(|| {
                            el("p").child(bench.f("by-agent", &[("agent", &row.agent), ("error", &row.error)]))
                        }))
                        .child(row.quotes.iter().map(|q| quote(bench, q)).collect::<View>()),
                )
        });
    el("table.table.judge-table")
        .child(el("thead").child(el("tr").child(head)))
        .child(el("tbody").child(rows.collect::<View>()))
}

fn title(bench: Bench, mode: &str, row: &JudgeRow) -> String {
    match mode {
        "pairwise" => bench.t("winner"),
        "localise" => bench.t("decisive"),
        _ => row.title.clone(),
    }
}

fn marks(bench: Bench, row: &JudgeRow) -> View {
    let mark = |which: Icon, tone: &'static str, id: &str| {
        el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(bench.t(id))
    };
    let struck = (row.state == "struck").then(|| {
        let planted = row.quotes.iter().any(|q| q.planted);
        mark(Icon::Bad, "bad", if planted { "struck-planted" } else { "struck" })
    });
    (
        struck,
        row.unstable.then(|| mark(Icon::Warn, "warn", "unstable")),
        row.sensitive.then(|| mark(Icon::Warn, "warn", "sensitive")),
        row.order_dependent.then(|| mark(Icon::Warn, "warn", "order")),
    )
        .view()
}

fn word(bench: Bench, mode: &str, value: Option<&str>) -> View {
    let Some(value) = value else { return bench.t("value.none").view() };
    match (mode, value) {
        ("pairwise", "A") => bench.t("value.a").view(),
        ("pairwise", "B") => bench.t("value.b").view(),
        ("localise", "0") => bench.t("value.no-error").view(),
        ("localise", n) => match n.parse::<u32>().ok().and_then(|n| n.checked_sub(1)) {
            Some(step) => el("a").attr("href", bench.here.step_href().run(step)).child(n.to_owned()).view(),
            None => n.to_owned().view(),
        },
        (_, "yes" | "no" | "na" | "unclear" | "tie") => bench.t(&format!("value.{value}")).view(),
        (_, other) => other.to_owned().view(),
    }
}

fn verdict(bench: Bench, mode: &str, row: &JudgeRow) -> View {
    let word = el("b.judge-verdict").child(word(bench, mode, row.value.as_deref()));
    let struck = row.state == "struck";
    let votes = (row.of > 1).then(|| {
        el("span.quiet").child(bench.f("votes", &[("n", &row.same.to_string()), ("of", &row.of.to_string())]))
    });
    let out = (row.state != "counted").then(|| el("p.quiet.small").child(bench.t("not-counted")));
    let line = (mode == "rubric" && row.points.len() > 1 && !struck).then(|| dots(bench, &row.points));
    (el("p.row").child(word).child(votes), line, out).view()
}

/// The samples on a line from no to yes.
fn dots(bench: Bench, points: &[f64]) -> El {
    let yes = points.iter().filter(|p| **p > 0.5).count();
    let said = bench.f("points", &[("yes", &yes.to_string()), ("no", &(points.len() - yes).to_string())]);
    let mut seen: BTreeMap<bool, u32> = BTreeMap::new();
    let circles = points.iter().map(|p| {
        let side = *p > 0.5;
        let n = seen.entry(side).or_insert(0);
        let shift = f64::from(*n) * 5.0;
        *n += 1;
        let x = if side { 91.0 - shift } else { 5.0 + shift };
        svg("circle").attr("cx", format!("{x}")).attr("cy", "6").attr("r", "3.5")
    });
    svg("svg.judge-dots")
        .attr("viewBox", "0 0 96 12")
        .attr("role", "img")
        .attr("aria-label", said)
        .child(svg("path").attr("d", "M1 6H95"))
        .child(circles.collect::<View>())
}

fn quote(bench: Bench, quote: &JudgeQuote) -> El {
    let number = quote.step.map(|s| (s + 1).to_string()).unwrap_or_else(|| format::UNKNOWN.to_owned());
    let link = match quote.step {
        Some(step) if quote.run == 0 => {
            el("a.judge-step").attr("href", bench.here.step_href().run(step)).child(number.clone())
        }
        _ => el("span.judge-step").child(number.clone()),
    };
    let why = (!quote.found).then(|| {
        let mut said = if quote.planted {
            bench.t("planted")
        } else if quote.step.is_none() {
            bench.t("no-step")
        } else {
            bench.f("step-is", &[("n", &number), ("what", &quote.what)])
        };
        if let Some(step) = quote.elsewhere {
            said.push_str("; ");
            said.push_str(&bench.f("stands-in", &[("n", &(step + 1).to_string())]));
        }
        el("span.bad").child(said)
    });
    el("p")
        .class(if quote.found { "judge-quote" } else { "judge-quote judge-false" })
        .child(link)
        .child((quote.run == 1).then(|| el("span.quiet.small").child(bench.t("other-run"))))
        .child(el("q").child(quote.quote.clone()))
        .child(why)
}

/// A person's verdict on a criterion.
fn choice(bench: Bench, criterion: &str, title: &str, labels: RwSignal<Option<Arc<JudgeLabels>>>, set: SetLabel) -> El {
    let id = criterion.to_owned();
    let now = Memo::new(move |_| {
        labels.with(|l| l.as_ref().and_then(|l| l.labels.iter().find(|(c, _)| *c == id).map(|(_, v)| v.clone())))
    });
    let options = ["", "yes", "no", "na", "unclear"].map(|value| {
        let name = if value.is_empty() { bench.t("label-none") } else { bench.t(&format!("value.{value}")) };
        el("option").attr("value", value).attr("selected", move || now.get().unwrap_or_default() == value).child(name)
    });
    let criterion = criterion.to_owned();
    el("select.field.judge-own")
        .attr("aria-label", bench.f("label-of", &[("title", title)]))
        .on(ev::change, move |e| {
            let value = event_target_value(&e);
            set(criterion.clone(), (!value.is_empty()).then_some(value));
        })
        .child(options)
}

fn agreement(bench: Bench, labels: Option<&JudgeLabels>) -> View {
    let Some(found) = labels.filter(|l| l.n > 0) else {
        return (el("h3").child(bench.t("agreement")), el("p.quiet").child(bench.t("agreement-none"))).view();
    };
    let few = found.n < found.fewest;
    let said = bench.f(
        if few { "agreement-few" } else { "agreement-many" },
        &[
            ("same", &found.same.to_string()),
            ("n", &found.n.to_string()),
            ("runs", &found.runs.to_string()),
            ("fewest", &found.fewest.to_string()),
        ],
    );
    let row = |id: &str, statistic: Option<JudgeStatistic>| {
        let value = statistic.map_or_else(
            || format::UNKNOWN.to_owned(),
            |s| match s.low.zip(s.high) {
                Some((low, high)) => {
                    bench.f("statistic", &[("value", &figure(s.value)), ("low", &figure(low)), ("high", &figure(high))])
                }
                None => figure(s.value),
            },
        );
        el("div").child(el("dt").child(bench.t(id))).child(el("dd").child(value))
    };
    let statistics = (!few).then(|| {
        (
            el("dl.judge-facts")
                .child(row("kappa", found.kappa))
                .child(row("alpha", found.alpha))
                .child(row("ac1", found.ac1)),
            el("p.quiet.small").child(bench.t("statistic-means")),
        )
    });
    (el("h3").child(bench.t("agreement")), el("p").attr("id", "judge-agreement").child(said), statistics).view()
}
