//! What will be sent: to whom, how much, at what price, what was replaced, how much of the run is in it, the request
//! itself; and the button that says so.

use std::sync::Arc;

use leptos::{ev, prelude::*, task::spawn_local};

use super::Bench;
use crate::format;
use crate::protocol::{Job, Outcome};
use crate::report::{JudgePlan, JudgePreview};
use crate::web::components::{Icon, icon};
use crate::web::state::judge::Ready;
use crate::web::view::{El, IntoView, View, el, yes};

/// Lines of the preview at a time: a few at first.
const FEW: u32 = 12;
const MORE: u32 = 300;

/// Draws it.
pub fn plan(bench: Bench) -> View {
    let judges = bench.judges;
    let going = Memo::new(move |_| judges.going.with(|g| g.as_ref().map(|(about, _)| *about)));
    let body = move || {
        if let Some(about) = going.get() {
            return untrack(|| under_way(bench, about == bench.about()));
        }
        match judges.ready.get() {
            Ready::Nothing => el("p.quiet").child(bench.t("what-none")).view(),
            Ready::Preparing => el("p.quiet").child(bench.t("preparing")).view(),
            Ready::Refused(what, fix) => el("p.verdict")
                .child(icon(Icon::Bad, "bad"))
                .child(el("span").child(el("b").child(what.text())).child(fix.map(|f| (el("br"), f.text()))))
                .view(),
            Ready::Plan(plan) => untrack(|| ready(bench, plan)),
        }
    };
    let failed = move || {
        judges.failed.get().map(|say| el("p.verdict").child(icon(Icon::Bad, "bad")).child(el("span").child(say.text())))
    };
    el("section.judge-part.judge-what")
        .child(el("h2").child(bench.t("what")))
        .child(body)
        .child(el("div").attr("role", "status").child(failed))
        .child(el("p.quiet.small.judge-left").child(left(bench)))
        .view()
}

/// What left this tab until now.
fn left(bench: Bench) -> impl Fn() -> String {
    move || {
        let all = bench.judges.left.get();
        if all.is_empty() {
            return bench.t("left-none");
        }
        let bytes: u64 = all.iter().map(|(_, _, bytes)| bytes).sum();
        let hosts: Vec<&str> = all.iter().map(|(host, ..)| host.as_str()).collect();
        bench.f("left-tab", &[("size", &format::bytes(bytes)), ("hosts", &hosts.join(", "))])
    }
}

fn money(range: (f64, f64)) -> String {
    let (low, high) = (format::money(range.0), format::money(range.1));
    if low == high { low } else { format!("{low}–{}", high.trim_start_matches('$')) }
}

fn ready(bench: Bench, plan: Arc<JudgePlan>) -> View {
    let judges = bench.judges;
    let fact = |name: String, value: String, means: String| {
        el("div")
            .attr("title", means.clone())
            .child(el("dt").child(name))
            .child(el("dd").child(value).child(el("span.unseen").child(". ").child(means)))
    };
    let count = |n: u32| format::count(u64::from(n));
    let tokens = |n: f64| format::short_count(n.max(0.0) as u64);
    let cost = plan.cost.map_or_else(|| format!("{} {}", format::UNKNOWN, bench.t("no-prices")), money);
    let facts = el("dl.judge-facts")
        .child(fact(bench.t("to"), plan.host.clone(), String::new()))
        .child(fact(bench.t("size"), format::bytes(plan.bytes), bench.t("size-means")))
        .child(fact(
            bench.t("tokens"),
            format!("{}–{}", tokens(plan.input.0), tokens(plan.input.1)),
            bench.t("tokens-means"),
        ))
        .child(fact(bench.f("cost", &[("n", &count(plan.requests))]), cost, bench.t("cost-means")));
    let kinds: Vec<String> =
        plan.kinds.iter().map(|(kind, n)| format!("{} {}", bench.t(&format!("kind.{kind}")), count(*n))).collect();
    let replaced = if plan.replaced == 0 {
        line(Icon::Check, "good", el("span").child(bench.t("nothing-replaced")))
    } else {
        let said = el("span")
            .child(el("b").child(bench.f("replaced", &[("n", &count(plan.replaced))])))
            .child(" ")
            .child(el("span.quiet").child(kinds.join(", ")));
        line(Icon::Check, "good", said)
    };
    let coverage = plan.coverage.iter().map(|c| {
        let said = bench.f("covered", &[("n", &count(c.shown)), ("of", &count(c.steps))]);
        let how = if c.cut == 0 && c.folded == 0 {
            bench.t("covered-whole")
        } else {
            let share = format::percent(c.share);
            bench.f("covered-cut", &[("share", &share), ("cut", &count(c.cut)), ("folded", &count(c.folded))])
        };
        let said = el("span").child(el("b").child(said)).child(" ").child(el("span.quiet").child(how));
        line(if c.folded > 0 { Icon::Info } else { Icon::Check }, if c.folded > 0 { "" } else { "good" }, said)
    });
    let hits = (!plan.hits.is_empty()).then(|| {
        let places = plan.hits.iter().take(8).map(|hit| {
            let number = (hit.step + 1).to_string();
            let link = if hit.run == 0 {
                el("a").attr("href", bench.here.step_href().run(hit.step)).child(number)
            } else {
                el("span").child(number)
            };
            el("li").child(link).child(" ").child(el("code").child(hit.text.clone()))
        });
        el("div")
            .child(line(Icon::Warn, "warn", el("span").child(bench.f("hits", &[("n", &plan.hits.len().to_string())]))))
            .child(el("ul.judge-hits").child(places.collect::<View>()))
    });
    let parts = (plan.parts > 0)
        .then(|| line(Icon::Info, "", el("span").child(bench.f("parts", &[("n", &count(plan.parts))]))));
    let kept =
        (plan.kept > 0).then(|| line(Icon::Info, "", el("span").child(bench.f("kept", &[("n", &count(plan.kept))]))));
    let words = if plan.requests == 0 {
        bench.t("send-kept")
    } else {
        bench.f("send", &[("size", &format::bytes(plan.bytes)), ("host", &plan.host)])
    };
    let limit = match plan.cap {
        Some(cap) if plan.cost.is_some() => bench.f("stops-at", &[("money", &format::money(cap))]),
        _ => bench.t("no-cap"),
    };
    let over = plan.over_cap.then(|| {
        let low = plan.cost.map(|c| format::money(c.0)).unwrap_or_default();
        let cap = plan.cap.map(format::money).unwrap_or_default();
        el("p.bad.small").child(bench.f("over-cap", &[("low", &low), ("cap", &cap)]))
    });
    let (blocked, sends) = (plan.over_cap, plan.requests > 0);
    let (of, go) = (plan.clone(), plan.clone());
    (
        facts,
        replaced,
        coverage.collect::<View>(),
        parts,
        hits,
        kept,
        (plan.requests > 0).then(|| preview(bench, &of)),
        over,
        el("div.judge-go")
            .child(
                el("button.button.button-primary")
                    .attr("type", "button")
                    .attr("id", "judge-send")
                    .attr("disabled", move || blocked || sends && !judges.on.get())
                    .on(ev::click, move |_| judges.start(bench.about(), &go))
                    .child(words),
            )
            .child(el("span.quiet.small").child(move || if judges.on.get() { limit.clone() } else { bench.t("off") })),
    )
        .view()
}

fn line(which: Icon, tone: &'static str, said: El) -> El {
    el("p.judge-line").child(icon(which, tone)).child(said)
}

/// The request, as far as it is opened.
fn preview(bench: Bench, plan: &JudgePlan) -> View {
    let judge = plan.judge;
    let shown = RwSignal::new(None::<Arc<JudgePreview>>);
    let (request, lines, of) = (RwSignal::new(0u32), RwSignal::new(FEW), RwSignal::new(plan.requests));
    let ask = move || {
        let job = Job::JudgePreview { judge, request: request.get_untracked(), from: 0, count: lines.get_untracked() };
        spawn_local(async move {
            if let Outcome::JudgePreview { preview } = bench.here.ask(job).await {
                let _ = of.try_set(preview.requests);
                let _ = shown.try_set(Some(Arc::from(preview)));
            }
        });
    };
    ask();
    let text = move || {
        let Some(preview) = shown.get() else { return View::NONE };
        let head = std::iter::once(format!("POST {}", preview.url))
            .chain(preview.headers.iter().map(|(name, value)| format!("{name}: {value}")));
        let head: Vec<View> = head.map(|l| el("span.judge-head").child(l).child("\n").view()).collect();
        let text = preview.lines.iter().map(|pieces| {
            let pieces = pieces.iter().map(|(is, text)| {
                let text = text.clone();
                if *is { el("mark").child(text).view() } else { text.view() }
            });
            (pieces.collect::<View>(), "\n").view()
        });
        let more = preview.total.saturating_sub(preview.lines.len() as u32);
        let more = (more > 0).then(|| {
            el("button.link")
                .attr("type", "button")
                .attr("id", "judge-more-lines")
                .on(ev::click, move |_| {
                    lines.update(|n| *n += MORE);
                    ask();
                })
                .child(bench.f("preview-more", &[("n", &format::count(u64::from(more)))]))
        });
        let body = el("pre.judge-body").attr("id", "judge-body").attr("tabindex", "0").attr("role", "region");
        (body.attr("aria-label", bench.t("preview")).child(head).child(text.collect::<View>()), more).view()
    };
    let which = move || {
        let of = of.get();
        (of > 1).then(|| {
            el("span.row")
                .child(bench.f("preview-which", &[("n", &(request.get() + 1).to_string()), ("of", &of.to_string())]))
                .child(
                    el("button.link")
                        .attr("type", "button")
                        .on(ev::click, move |_| {
                            request.update(|n| *n = (*n + 1) % of.max(1));
                            lines.set(FEW);
                            ask();
                        })
                        .child(bench.t("preview-next")),
                )
        })
    };
    let open = RwSignal::new(true);
    (
        el("p.judge-which.small.quiet")
            .child(
                el("button.link")
                    .attr("type", "button")
                    .attr("aria-expanded", move || yes(open.get()))
                    .on(ev::click, move |_| open.update(|o| *o = !*o))
                    .child(bench.t("review")),
            )
            .child(" ")
            .child(bench.t("preview"))
            .child(" ")
            .child(which),
        move || if open.get() { text() } else { View::NONE },
    )
        .view()
}

/// How far it is, and the way out.
fn under_way(bench: Bench, here: bool) -> View {
    let judges = bench.judges;
    let progress = move || judges.going.get().map(|(_, p)| p).unwrap_or_default();
    let words = move || {
        let p = progress();
        let size = format::bytes(judges.heard.get());
        bench.f("going", &[("done", &p.done.to_string()), ("of", &p.of.to_string()), ("size", &size)])
    };
    let retries = move || {
        let n = progress().retries;
        (n > 0).then(|| el("p.quiet.small").child(bench.f("going-retries", &[("n", &n.to_string())])))
    };
    (
        el("p").child(words),
        el("progress.progress")
            .attr("max", move || progress().of.max(1).to_string())
            .attr("value", move || progress().done.to_string())
            .attr("aria-label", bench.t("what")),
        retries,
        (!here).then(|| el("p.quiet.small").child(bench.t("other-run"))),
        el("div.judge-go").child(
            el("button.button.button-large")
                .attr("type", "button")
                .attr("id", "judge-cancel")
                .on(ev::click, move |_| judges.stop())
                .child(bench.t("cancel")),
        ),
    )
        .view()
}
