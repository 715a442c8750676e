//! The usage of a run: context, output, cost and time along it, what ran when, what each tool cost, turn by turn, and
//! beside all that money by where it comes from, and the prices behind the estimates. Every plot is a table on a press.

use std::sync::Arc;

use leptos::prelude::*;

use super::{Here, fault, prices};
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{Plot, Sheet, UsageView};
use crate::web::components::plot::{PlotView, plot};
use crate::web::components::segment::segment;
use crate::web::components::sentence::sentence;
use crate::web::components::sheet::{cut, pager, sheet};
use crate::web::components::{Icon, icon};
use crate::web::state::settings::settings;
use crate::web::view::{El, IntoView, View, el};

/// Pieces of a plot, and bars of the waterfall.
const PIECES: u32 = 600;
const BARS: u32 = 1_000;
/// Turns that are listed at a time.
const TURNS: u32 = 25;
/// Limits from which on idle stretches are cut, in milliseconds, with their words; the last is no limit.
const IDLE: [(&str, f64, &str); 4] =
    [("10", 10_000.0, "10 s"), ("60", 60_000.0, "1 m"), ("600", 600_000.0, "10 m"), ("never", 1e12, "")];

/// What the screen shows.
#[derive(Clone, Copy)]
struct Choice {
    sums: RwSignal<bool>,
    tables: RwSignal<bool>,
    /// The id of a limit.
    idle: RwSignal<&'static str>,
    from: RwSignal<u32>,
}

/// Draws the usage.
pub fn usage(here: Here) -> View {
    let choice = Choice {
        sums: RwSignal::new(false),
        tables: RwSignal::new(false),
        idle: RwSignal::new("60"),
        from: RwSignal::new(0),
    };
    let Here { document, run, words, .. } = here;
    let own = move || settings().and_then(|s| s.prices.get());
    let answer = RwSignal::new(None::<Result<Arc<UsageView>, String>>);
    here.keep_asking(
        move || Job::Usage { document, run, prices: own(), buckets: PIECES, sums: choice.sums.get() },
        move |outcome| {
            let why = fault(here, &outcome);
            answer.set(match outcome {
                Outcome::Usage { usage } => Some(Ok(Arc::from(usage))),
                _ => why.map(Err),
            });
        },
    );
    let ran = RwSignal::new(None::<Arc<Plot>>);
    here.keep_asking(
        move || {
            let idle_ms = IDLE.iter().find(|i| i.0 == choice.idle.get()).map_or(60_000.0, |i| i.1);
            Job::Waterfall { document, run, range: None, idle_ms, bars: BARS }
        },
        move |outcome| {
            if let Outcome::Waterfall { waterfall } = outcome {
                ran.set(Some(Arc::from(waterfall)));
            }
        },
    );
    let turns = RwSignal::new(None::<Arc<Sheet>>);
    here.keep_asking(
        move || Job::Turns { document, run, prices: own(), from: choice.from.get(), count: TURNS },
        move |outcome| {
            if let Outcome::Turns { turns: rows } = outcome {
                turns.set(Some(Arc::new(rows)));
            }
        },
    );

    let go = Callback::new(move |step: u32| here.go(|p| super::at_step(p, step)));
    let draw = move |plot_of: &Plot| {
        let plot_of = Arc::new(plot_of.clone());
        plot(PlotView { words, ways: here.ways(), plot: plot_of, table: choice.tables.into(), go })
    };
    let main = move || match answer.get() {
        None => View::NONE,
        Some(Err(why)) => el("p").child(why).view(),
        Some(Ok(view)) => untrack(|| {
            let notes = view.notes.iter().map(|(id, args)| el("p").child(sentence(words, id, args, here.step_href())));
            (
                (!view.notes.is_empty()).then(|| el("div.usage-notes").child(notes.collect::<View>())),
                view.plots.iter().map(draw).collect::<View>(),
            )
                .view()
        }),
    };
    let when = move || {
        ran.get().map(|found| {
            if found.bars.is_empty() {
                let name = el("h2.group-head").child(words.id("usage.waterfall", &[]));
                return (name, el("p.quiet").child(words.id("usage.no-times", &[]))).view();
            }
            untrack(|| (draw(&found), idle_choice(here, choice)).view())
        })
    };
    let tables = move || {
        let Some(Ok(view)) = answer.get() else { return View::NONE };
        (table(here, &view.tools, Some("usage.tools.means")), table(here, &view.models, None)).view()
    };
    let entries = Memo::new(move |_| match answer.get() {
        Some(Ok(view)) => Some(view.prices.clone()),
        _ => None,
    });
    let money = Memo::new(move |_| match answer.get() {
        Some(Ok(view)) => Some(view.money.clone()),
        _ => None,
    });
    let money = move || money.get().map(|sums| table(here, &sums, Some("usage.money.means")));
    let side = move || entries.get().map(|entries| untrack(|| prices::prices(here, &entries)));
    el("div.usage")
        .child(tools(here, choice))
        .child(
            el("div.split")
                .child(
                    el("div.split-main.usage-main")
                        .attr("tabindex", "0")
                        .attr("role", "region")
                        .attr("aria-label", words.t(M::TabUsage))
                        .child(main)
                        .child(when)
                        .child(tables)
                        .child(each_turn(here, choice, turns)),
                )
                .child(
                    el("aside.split-side.usage-side")
                        .attr("aria-label", words.id("usage.cost", &[]))
                        .child(el("section").child(money))
                        .child(side),
                ),
        )
        .view()
}

/// What the plots show, and as what.
fn tools(here: Here, choice: Choice) -> El {
    let say = move |id: &str| here.words.id(id, &[]);
    let which = |flag: RwSignal<bool>, on: &'static str, off: &'static str| {
        Signal::derive(move || if flag.get() { on } else { off }.to_owned())
    };
    let each = segment(
        say("usage.each-or-sums"),
        vec![("each", say("usage.each")), ("sums", say("usage.sums"))],
        which(choice.sums, "sums", "each"),
        Callback::new(move |id| choice.sums.set(id == "sums")),
    );
    let shown = segment(
        say("usage.shown-as"),
        vec![("plots", say("usage.plots")), ("tables", say("usage.tables"))],
        which(choice.tables, "tables", "plots"),
        Callback::new(move |id| choice.tables.set(id == "tables")),
    );
    el("div.tool").child(each).child(shown)
}

fn idle_choice(here: Here, choice: Choice) -> El {
    let words = here.words;
    let name = words.id("usage.cut-idle", &[]);
    let word = |text: &str| if text.is_empty() { words.id("usage.never", &[]) } else { text.to_owned() };
    let choices = IDLE.iter().map(|(id, _, text)| (*id, word(text))).collect();
    let current = Signal::derive(move || choice.idle.get().to_owned());
    el("div.row.usage-idle")
        .child(el("span.small.quiet").attr("aria-hidden", "true").child(name.clone()))
        .child(segment(name, choices, current, Callback::new(move |id| choice.idle.set(id))))
}

/// A table under its name, with a remark.
fn table(here: Here, of: &Sheet, means: Option<&str>) -> View {
    let words = here.words;
    if of.rows.is_empty() {
        return View::NONE;
    }
    let means = means.map(|id| el("span").child(words.id(id, &[])));
    let name = el("h2.group-head").child(words.id(&of.name, &[])).child(means);
    // What is read page by page says so itself.
    let less = cut(words, of).filter(|_| of.name != "usage.each-turn");
    (name, el("div.sheet-room").child(sheet(words, here.ways(), of)), less).view()
}

fn each_turn(here: Here, choice: Choice, turns: RwSignal<Option<Arc<Sheet>>>) -> View {
    let words = here.words;
    let total = Signal::derive(move || turns.with(|t| t.as_ref().map_or(0, |t| t.total)));
    let rows = move || turns.get().map(|t| table(here, &t, Some("usage.each-turn.means")));
    let turn = Callback::new(move |from| choice.from.set(from));
    (rows, pager(words, choice.from.into(), total, TURNS, turn)).view()
}

/// A remark with its mark.
pub(super) fn remark(text: String) -> El {
    el("p.row.small.quiet").child(icon(Icon::Info, "icon-s")).child(el("span").child(text))
}
