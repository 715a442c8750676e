//! The runs of a document against a reference: the one that the file carries, or the run that was marked last. Every way
//! of matching with how far it agrees with what the file says, the classes of the tools, which can be changed, and the
//! verdict on each run with the calls that cost points.

use leptos::{ev, prelude::*};

use super::Here;
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{MatchOptions, MatchReport, MatchSummary, RunRef, ToolClass, VerdictReport};
use crate::web::components::{Icon, icon};
use crate::web::view::{El, IntoView, View, el, yes};

/// Verdicts of a page.
const PAGE: u32 = 50;
/// Calls that are named under a verdict.
const NAMED: usize = 3;
const CLASSES: [(&str, &str); 3] = [("read", "class.read"), ("effect", "class.effect"), ("control", "class.control")];

pub(super) fn matching(here: Here) -> View {
    let options = RwSignal::new(MatchOptions { mode: "effects".into(), ..MatchOptions::default() });
    let from = RwSignal::new(0u32);
    let by_mark = RwSignal::new(false);
    let found = here.asked(
        move || {
            let document = here.keys().first().copied().unwrap_or_default();
            let mut options = options.get();
            if by_mark.get() {
                options.references = marked(here).into_iter().collect();
            }
            Job::Match { document, runs: Vec::new(), options, from: from.get(), count: PAGE }
        },
        |outcome| match outcome {
            Outcome::Match { matching } => Ok(*matching),
            other => Err(other),
        },
    );
    let draw = move || match found.get() {
        None => el("p.quiet").attr("role", "status").child(here.t("many.loading")).view(),
        Some(Err(why)) => el("p").attr("role", "alert").child(why).view(),
        Some(Ok(report)) => (
            el("div.many-match").child(modes(here, &report, options)).child(tools(here, &report, options)),
            verdicts(here, &report, from),
        )
            .view(),
    };
    let of_mark = el("label.row")
        .child(
            el("input")
                .attr("type", "checkbox")
                .prop("checked", move || by_mark.get())
                .on(ev::change, move |e| by_mark.set(event_target_checked(&e))),
        )
        .child(here.t("many.match-marked"));
    el("div.page-body.many-consensus")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", here.t("many.match"))
        .child(of_mark)
        .child(draw)
        .view()
}

/// The run that was marked last.
fn marked(here: Here) -> Option<RunRef> {
    let side = here.session.marked.with(|m| m.last().cloned())?;
    let document = here.session.by_name(&side.document)?;
    Some(RunRef { document: document.key, run: side.run })
}

fn head(here: Here, names: &[&'static str]) -> El {
    let cell = |(i, id): (usize, &&'static str)| {
        let words = *id == "many.match-class";
        let class = if i == 0 || words { "" } else { "table-number" };
        el("th").class(class).attr("scope", "col").child(here.t(id))
    };
    el("thead").child(el("tr").child(names.iter().enumerate().map(cell).collect::<View>()))
}

fn modes(here: Here, report: &MatchReport, options: RwSignal<MatchOptions>) -> El {
    let known = |value: Option<f64>, print: fn(f64) -> String| value.map_or_else(|| format::UNKNOWN.to_owned(), print);
    let row = |m: &MatchSummary| {
        let (id, to) = (m.mode.clone(), m.mode.clone());
        let name = here.words.id(&format!("mode.{}", m.mode), &[]);
        let what = here.words.id(&format!("mode.{}.what", m.mode), &[]);
        let passed = here.f("many.of", &[("n", &m.passed.to_string()), ("of", &m.n.to_string())]);
        el("tr")
            .attr("aria-current", (report.mode == id).then_some("true"))
            .child(
                el("th").attr("scope", "row").child(
                    el("button.link")
                        .attr("aria-pressed", yes(report.mode == id))
                        .attr("title", what)
                        .on(ev::click, move |_| options.update(|o| o.mode = to.clone()))
                        .child(name),
                ),
            )
            .child(el("td.table-number").child(passed))
            .child(el("td.table-number").child(known(m.accuracy, format::percent)))
            .child(el("td.table-number").child(known(m.kappa, |k| format!("{k:.3}"))))
    };
    let chosen = here.words.id(&format!("mode.{}.what", report.mode), &[]);
    let s = &report.summary;
    let confusion = (s.known > 0).then(|| {
        let args = [
            ("tp", s.true_pass.to_string()),
            ("fp", s.false_pass.to_string()),
            ("fn", s.false_fail.to_string()),
            ("tn", s.true_fail.to_string()),
        ];
        el("p.quiet").child(here.f("many.match-table", &args.each_ref().map(|(k, v)| (*k, v.as_str()))))
    });
    el("section")
        .child(el("h2").child(here.t("many.match-modes")))
        .child(
            el("table.table")
                .child(el("caption.unseen").child(here.t("many.match-modes")))
                .child(head(here, &["many.match-mode", "many.column.passed", "many.match-agrees", "many.match-kappa"]))
                .child(el("tbody").child(report.modes.iter().map(row).collect::<View>())),
        )
        .child(el("p.quiet").child(chosen))
        .child(confusion)
        .child(el("p.small.quiet").child(here.words.id("mode.measured", &[])))
}

/// The classes decide what counts as a change; a person may know better.
fn tools(here: Here, report: &MatchReport, options: RwSignal<MatchOptions>) -> El {
    let row = |t: &ToolClass| {
        let name = t.tool.clone();
        let label = format!("{}: {}", here.t("many.match-class"), t.tool);
        let choices = CLASSES
            .map(|(id, text)| el("option").attr("value", id).attr("selected", t.class == id).child(here.t(text)));
        let unknown = (t.class == "unknown")
            .then(|| el("option").attr("value", "").attr("selected", true).child(here.t("class.unknown")));
        let choose = move |event: ev::Event| {
            let class = event_target_value(&event);
            options.update(|o| {
                o.classes.retain(|(tool, _)| *tool != name);
                if !class.is_empty() {
                    o.classes.push((name.clone(), class));
                }
            });
        };
        let hand = t.by_hand.then(|| el("span.small.quiet").child(" ").child(here.t("many.match-by-hand")));
        el("tr")
            .child(el("th").attr("scope", "row").child(el("code").child(t.tool.clone())))
            .child(el("td.table-number").child(format::count(t.calls.into())))
            .child(
                el("td")
                    .child(
                        el("select.field")
                            .attr("aria-label", label)
                            .on(ev::change, choose)
                            .child(unknown)
                            .child(choices),
                    )
                    .child(hand),
            )
    };
    el("section").child(el("h2").child(here.t("many.match-tools"))).child(
        el("table.table")
            .child(el("caption.unseen").child(here.t("many.match-tools")))
            .child(head(here, &["many.match-tool", "many.column.calls", "many.match-class"]))
            .child(el("tbody").child(report.tools.iter().map(row).collect::<View>())),
    )
}

fn verdicts(here: Here, report: &MatchReport, from: RwSignal<u32>) -> El {
    let n = report.summary.n;
    let turn = move |to: u32| from.set(to);
    let at = report.from;
    let pager = (n > PAGE).then(|| {
        let page = (at / PAGE + 1).to_string();
        let of = n.div_ceil(PAGE).to_string();
        el("div.row")
            .child(
                el("button.button.button-small")
                    .attr("disabled", at == 0)
                    .on(ev::click, move |_| turn(at.saturating_sub(PAGE)))
                    .child(here.words.t(M::PreviousPage)),
            )
            .child(here.words.f(M::PageOf, &[("n", &page), ("of", &of)]))
            .child(
                el("button.button.button-small")
                    .attr("disabled", at + PAGE >= n)
                    .on(ev::click, move |_| turn(at + PAGE))
                    .child(here.words.t(M::NextPage)),
            )
    });
    el("section")
        .child(el("h2").child(here.t("many.match-verdicts")))
        .child(
            el("table.table.many-steps")
                .child(el("caption.unseen").child(here.t("many.match-verdicts")))
                .child(head(here, &["many.column.title", "many.match-verdict", "many.match-done", "many.match-says"]))
                .child(el("tbody").child(report.verdicts.iter().map(|v| verdict(here, v)).collect::<View>())),
        )
        .child(pager)
}

fn verdict(here: Here, v: &VerdictReport) -> El {
    let mark = |passed: bool| {
        let (which, tone, word) =
            if passed { (Icon::Check, "good", M::OutcomePassed) } else { (Icon::Close, "bad", M::OutcomeFailed) };
        el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(here.words.t(word))
    };
    let title = if v.title.is_empty() {
        here.words.f(M::RunNumber, &[("n", &(u64::from(v.run) + 1).to_string())])
    } else {
        v.title.clone()
    };
    let link = here.run_route((0, v.run), None).map(|route| el("a").attr("href", route.hash()).child(title));
    let say = |id: &str, tools: Vec<&str>| {
        let more = tools.len().saturating_sub(NAMED);
        let mut what = tools.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        if more > 0 {
            what.push_str(&format!(" +{more}"));
        }
        (!what.is_empty()).then(|| here.f(id, &[("what", &what)]))
    };
    let lost: Vec<String> = [
        say("beside.missing", v.missing.iter().map(|c| c.tool.as_str()).collect()),
        say("beside.wrong", v.wrong_args.iter().map(|w| w.call.tool.as_str()).collect()),
        say("beside.extra", v.extra.iter().map(|c| c.tool.as_str()).collect()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let done = here.f("many.of", &[("n", &v.matched.to_string()), ("of", &v.looked_at.1.to_string())]);
    el("tr")
        .child(
            el("th.many-step")
                .attr("scope", "row")
                .child(link)
                .child((!lost.is_empty()).then(|| el("div.quiet.small").child(lost.join("; ")))),
        )
        .child(el("td.table-number").child(mark(v.pass)))
        .child(el("td.table-number").child(done))
        .child(el("td.table-number").child(v.truth.map_or_else(|| el("span").child(format::UNKNOWN), mark)))
}
