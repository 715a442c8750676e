//! Plots and tables of a run: what is drawn is what is counted, kinds of money stay apart, unknown is no 0, and answers stay
//! small.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use skillscope::model::Run;
use skillscope::model::notation::parse;
use skillscope::report::usage::{table, usage_report};
use skillscope::report::usage_view::{turns_view, usage_view, waterfall_view};
use skillscope::report::{Cell, Plot, PriceList, PriceRow, Sheet, UsageView};
use skillscope::usage::{PRICES_DATE, PriceTable};

fn own(input: f64) -> PriceList {
    let row = PriceRow { model: "m".into(), input, output: 100.0, cache_read: Some(1.0), cache_write: None };
    PriceList { date: "2026-11-30".into(), rows: vec![row] }
}

fn with_model(text: &str, model: &str) -> Run {
    let mut run = parse(text).unwrap();
    let index = run.model_index(model);
    for turn in &mut run.turns {
        turn.model = Some(index);
    }
    run
}

fn view(run: &Run, prices: Option<&PriceList>, sums: bool) -> UsageView {
    usage_view(run, &table(prices), prices, 100, sums)
}

fn plot<'a>(view: &'a UsageView, id: &str) -> Option<&'a Plot> {
    view.plots.iter().find(|p| p.id == id)
}

/// A column of a plot, every bar.
fn column(plot: &Plot, id: &str) -> Vec<String> {
    let at = plot.columns.iter().position(|c| c == id).unwrap();
    plot.bars.iter().map(|b| b.cells[at].clone()).collect()
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) | Cell::Code(text) | Cell::Tool(text) => text.clone(),
        Cell::Say((id, _)) => id.clone(),
        other => format!("{other:?}"),
    }
}

fn rows(sheet: &Sheet) -> Vec<String> {
    sheet.rows.iter().map(|row| row.iter().map(text).collect::<Vec<_>>().join(" | ")).collect()
}

/// Heights of the pieces of a path, by their upright strokes.
fn heights(path: &str) -> Vec<f64> {
    path.split('M')
        .filter(|p| !p.is_empty())
        .map(|p| {
            let up = p.split_once("v-").unwrap().1;
            up.split_once('h').unwrap().0.parse().unwrap()
        })
        .collect()
}

#[test]
fn a_plot_shows_each_step_and_what_is_unknown() {
    let mut run = with_model("u A1@1000:10 B1 C1@500:20 s", "m");
    run.turns[0].usage.cached = Some(600);
    let found = view(&run, None, false);
    let context = plot(&found, "context").unwrap();
    assert_eq!(context.bars.len(), run.steps.len());
    assert_eq!(column(context, "usage.context"), ["–", "1,000", "–", "500", "–"]);
    assert_eq!(column(context, "usage.cached"), ["–", "600", "–", "–", "–"]);
    assert_eq!(context.top, "1,000");
    // The cached part stands at the bottom, what is new on it.
    let part = |look: &str| heights(&context.parts.iter().find(|p| p.look == look).unwrap().path);
    assert_eq!((part("cached"), part("input")), (vec![60.0], vec![40.0, 50.0]));
    assert!(context.parts.iter().all(|p| p.look != "written"), "nothing was written to a cache");
    assert_eq!(
        context.bars.iter().map(|b| (b.first, b.last)).collect::<Vec<_>>(),
        (0..5).map(|n| (n, n)).collect::<Vec<_>>()
    );
    // No cost is stated and the model has no price: there is no plot of it, and no 0.
    assert!(plot(&found, "cost").is_none());
    assert_eq!(rows(&found.money), ["– | cost.unknown | 3"]);
    let summed = view(&run, None, true);
    assert_eq!(
        column(plot(&summed, "all-input").unwrap(), "usage.all-input"),
        ["0", "1,000", "1,000", "1,500", "1,500"]
    );
    assert_eq!(column(plot(&summed, "all-output").unwrap(), "usage.all-output"), ["0", "10", "10", "30", "30"]);
}

#[test]
fn kinds_of_money_are_drawn_apart_and_never_added() {
    let prices = own(10.0);
    let run = with_model("A1@100:10:0.5 B1@1000000:0 C1", "m");
    for sums in [false, true] {
        let found = view(&run, Some(&prices), sums);
        let cost = plot(&found, if sums { "all-cost" } else { "cost" }).unwrap();
        assert_eq!(cost.parts.iter().map(|p| p.look.as_str()).collect::<Vec<_>>(), ["reported", "estimated"]);
        let wanted = if sums { ["–", "$10.00", "$10.00"] } else { ["–", "$10.00", "–"] };
        assert_eq!(column(cost, "usage.estimated"), wanted);
        assert_eq!(cost.top, "", "a scale over kinds would be a sum of them");
        assert_eq!(
            rows(&found.money),
            ["$0.50 | cost.reported | 1", "$10.00 | cost.estimated | 1", "– | cost.unknown | 1"]
        );
    }
    let tools = view(&run, Some(&prices), false).tools;
    let names: Vec<&str> = tools.columns.iter().map(|c| c.0.as_str()).collect();
    assert!(
        names.contains(&"usage.reported") && names.contains(&"usage.estimated") && !names.contains(&"usage.by-file")
    );
    assert!(rows(&tools).iter().any(|row| row.starts_with("C | 1 | 0 | –")), "{:?}", rows(&tools));
}

#[test]
fn a_price_says_whose_it_is_and_of_when() {
    let run = with_model("A1@10:1", "gpt-4o-2024-08-06");
    let entry = |prices: Option<&PriceList>| view(&run, prices, false).prices.remove(0);
    let built_in = entry(None);
    assert_eq!((built_in.own, built_in.date.as_str()), (false, PRICES_DATE));
    assert_eq!(built_in.price.map(|p| p.model), Some("gpt-4o".into()));
    let mut list = own(3.0);
    assert_eq!(entry(Some(&list)), entry(None), "a price of another model changes nothing");
    list.rows[0].model = "gpt-4o-2024-08-06".into();
    let mine = entry(Some(&list));
    assert_eq!((mine.own, mine.date.as_str(), mine.price.map(|p| p.input)), (true, "2026-11-30", Some(3.0)));
    let unknown = view(&with_model("A1@10:1", "nobody"), None, false).prices.remove(0);
    assert_eq!((unknown.price, unknown.own, unknown.date.as_str()), (None, false, ""));
}

#[test]
fn the_waterfall_has_rows_for_agents_and_places_for_idle_stretches() {
    let mut run = parse("u A1! T1<B1> u C1").unwrap();
    let later = run.steps.len() - 2;
    for step in &mut run.steps[later..] {
        step.at.as_mut().unwrap().ms += 3_600_000;
    }
    let found = waterfall_view(&run, None, 60_000.0, 100);
    assert_eq!((found.rows, found.agents.len()), (4, 2));
    let what = column(&found, "usage.what");
    assert!(what.iter().any(|w| w == "A") && what.iter().any(|w| w == "\u{2}usage.part-model"), "{what:?}");
    let idle = found.bars.iter().find(|b| b.cells[0] == "\u{2}usage.idle-person").unwrap();
    assert_eq!((idle.first as usize, idle.cells[2].starts_with("1 h")), (later, true), "{idle:?}");
    assert!(found.parts.iter().any(|p| p.look == "failed") && found.parts.iter().any(|p| p.look == "gap"));
    for bar in &found.bars {
        assert!(bar.x >= 0.0 && bar.x + bar.width <= 1.0 + 1e-4 && bar.row < found.rows, "{bar:?}");
        assert_eq!(bar.cells.len(), found.columns.len());
    }
    assert!(found.bars.windows(2).all(|w| w[0].x <= w[1].x));
    // Without a clock there is nothing to draw.
    for step in &mut run.steps {
        step.at = None;
    }
    assert!(waterfall_view(&run, None, 60_000.0, 100).bars.is_empty());
}

#[test]
fn turns_come_in_windows() {
    let run = with_model(&"A1@100:10 ".repeat(70), "m");
    let page = turns_view(&run, &PriceTable::empty(), 50, 25);
    assert_eq!((page.from, page.total, page.rows.len()), (50, 70, 20));
    assert_eq!(page.rows[0][0], Cell::steps(50, 50));
    assert!(page.rows.iter().all(|row| row.len() == page.columns.len()));
    assert_eq!(page.rows[19].last(), Some(&Cell::Text("7,700".into())));
}

#[test]
fn long_runs_and_odd_ones_give_small_answers_that_fit_together() {
    let long = with_model(&"u A1@100:10 \"hm\" B2@200:20! s ".repeat(20_000), "m");
    let prices = own(1.0);
    for sums in [false, true] {
        let found = usage_view(&long, &table(Some(&prices)), Some(&prices), 300, sums);
        assert!(serde_json::to_string(&found).unwrap().len() < 300_000);
        let report = usage_report(&long, &table(Some(&prices)), 300);
        assert!(found.plots.iter().all(|p| p.bars.len() == report.buckets.len()));
    }
    assert!(serde_json::to_string(&waterfall_view(&long, None, 60_000.0, 1_000)).unwrap().len() < 300_000);
    for text in ["", "u", "c", "A1", "A1@0:0", "s s s"] {
        let run = parse(text).unwrap();
        for sums in [false, true] {
            let found = view(&run, None, sums);
            for plot in &found.plots {
                assert!(plot.bars.iter().all(|b| b.cells.len() == plot.columns.len()), "{text}: {plot:?}");
                assert!(
                    plot.parts.iter().all(|p| !p.path.contains("NaN") && !p.path.contains("inf")),
                    "{text}: {plot:?}"
                );
            }
            for sheet in [&found.money, &found.tools, &found.models] {
                assert!(sheet.rows.iter().all(|r| r.len() == sheet.columns.len()), "{text}: {sheet:?}");
            }
        }
        waterfall_view(&run, Some((5, 2)), f64::NAN, 0);
    }
}
