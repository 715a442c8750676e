//! Usage: a table in the one-line notation, sums as properties, the kinds of money apart, the waterfall's axis, and that
//! answers stay small for long runs.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use skillscope::model::notation::parse;
use skillscope::model::{CostKind, Run, StepKind, Usage};
use skillscope::report::usage::{table, turn_rows, usage_report, waterfall_report};
use skillscope::report::{PriceList, PriceRow};
use skillscope::usage::{BarKind, Clock, Cost, Price, PriceTable, ledger, series, tools, waterfall};

fn prices() -> PriceTable {
    let price = |model: &str, input, output| Price {
        model: model.into(),
        input,
        output,
        cache_read: Some(input / 10.0),
        cache_write: None,
    };
    PriceTable { date: "2026-10-01".into(), prices: vec![price("m", 10.0, 100.0), price("big", 100.0, 1000.0)] }
}

/// Gives every turn of a run this model.
fn with_model(mut run: Run, model: &str) -> Run {
    let index = run.model_index(model);
    for turn in &mut run.turns {
        turn.model = Some(index);
    }
    run
}

#[test]
fn the_kinds_of_money_stay_apart() {
    // A turn with a cost, one with tokens alone, one with nothing.
    let mut run = with_model(parse("A1@100:10:0.5 B1@1000000:0 C1 s").unwrap(), "m");
    let found = ledger(&run, &prices());
    let costs: Vec<Cost> = found.turns.iter().map(|t| t.cost).collect();
    assert_eq!(costs, [Cost::Reported(0.5), Cost::Estimated(10.0), Cost::Unknown]);
    let money = found.money;
    assert_eq!((money.reported, money.by_file, money.estimated), (Some(0.5), None, Some(10.0)));
    assert_eq!((money.reported_turns, money.estimated_turns, money.unknown_turns), (1, 1, 1));
    // The file's own estimate is its own kind.
    run.turns[0].usage.cost_kind = CostKind::Estimated;
    let money = ledger(&run, &prices()).money;
    assert_eq!((money.reported, money.by_file, money.estimated), (None, Some(0.5), Some(10.0)));
    // Without a price, or with another model, nothing is guessed.
    assert_eq!(ledger(&run, &PriceTable::empty()).money.estimated, None);
    assert_eq!(ledger(&with_model(run.clone(), "m2"), &prices()).money.estimated, None);
    // The file's own sum wins over the turns'.
    run.totals = Some(Usage { cost: Some(7.0), ..Usage::default() });
    let money = ledger(&run, &prices()).money;
    assert_eq!((money.reported, money.by_file, money.estimated), (Some(7.0), None, None));
}

#[test]
fn totals_stand_for_turns_that_say_nothing() {
    let mut run = with_model(parse("A1 B1 s").unwrap(), "m");
    run.totals =
        Some(Usage { input: Some(1_000_000), output: Some(10_000), cached: Some(500_000), ..Usage::default() });
    let found = ledger(&run, &prices());
    assert!(found.from_totals);
    assert_eq!(found.money.estimated, Some(5.0 + 0.5 + 1.0));
    // Two models: nobody knows whose tokens they are.
    run.model_index("big");
    assert_eq!(ledger(&run, &prices()).money.estimated, None);
}

#[test]
fn a_turn_is_shared_among_its_calls() {
    let run = with_model(parse("[A1@100:10 B1 A2] B2@40:4! s").unwrap(), "m");
    let found = tools(&run, &ledger(&run, &PriceTable::empty()));
    let told: Vec<String> = found
        .iter()
        .map(|t| {
            format!("{} {}x{} {:.3?} {:.3?}", t.tool.as_deref().unwrap_or("-"), t.calls, t.errors, t.input, t.output)
        })
        .collect();
    assert_eq!(told[..2], ["B 2x1 Some(73.333) Some(7.333)", "A 2x0 Some(66.667) Some(6.667)"]);
    // Talk costs too, and is no tool.
    let mut run = parse("A1@10:1 s").unwrap();
    run.turns
        .push(skillscope::model::Turn { usage: Usage { input: Some(99), ..Usage::default() }, ..Default::default() });
    run.steps[1].turn = Some(1);
    let found = tools(&run, &ledger(&run, &PriceTable::empty()));
    assert_eq!(
        found.iter().map(|t| (t.tool.as_deref(), t.input)).collect::<Vec<_>>(),
        [(None, Some(99.0)), (Some("A"), Some(10.0))]
    );
}

#[test]
fn time_is_the_models_the_tools_or_a_persons() {
    // Steps are a second apart, and every answered call takes a second.
    let mut run = parse("u \"hm\" A1 B1 u s").unwrap();
    let clock = Clock::of(&run);
    let told: Vec<_> = clock.steps.iter().map(|t| (t.model, t.tool, t.waiting)).collect();
    assert_eq!(
        told,
        [
            (None, None, None),
            (Some(1000.0), None, None),
            (Some(1000.0), Some(1000.0), None),
            (Some(0.0), Some(1000.0), None),
            (None, None, Some(0.0)),
            (Some(1000.0), None, None),
        ]
    );
    let sums = clock.sums(&run, 0);
    assert_eq!((sums.model, sums.tool, sums.waiting), (Some(3000.0), Some(2000.0), Some(0.0)));
    for step in &mut run.steps {
        step.at = None;
    }
    let clock = Clock::of(&run);
    assert_eq!((clock.start, clock.steps[1].model, clock.steps[2].tool), (None, None, Some(1000.0)));
}

#[test]
fn idle_stretches_are_cut_and_nothing_else() {
    let mut run = parse("u A1 B1 u C1").unwrap();
    // The person thinks for an hour.
    for step in &mut run.steps[3..] {
        step.at.as_mut().unwrap().ms += 3_600_000;
    }
    let clock = Clock::of(&run);
    let found = waterfall(&run, &clock, None, 60_000.0, 100);
    assert_eq!((found.ms, found.shown_ms), (3_605_000.0, 65_000.0));
    assert_eq!(
        found.gaps.iter().map(|g| (g.x, g.ms, g.step, g.person)).collect::<Vec<_>>(),
        [(3000.0, 3_600_000.0, 3, true)]
    );
    let bars: Vec<_> = found.bars.iter().map(|b| (b.kind, b.first, b.x, b.width)).collect();
    assert_eq!(
        bars,
        [
            (BarKind::Model, 1, 0.0, 1000.0),
            (BarKind::Tool, 1, 1000.0, 1000.0),
            (BarKind::Tool, 2, 2000.0, 1000.0),
            (BarKind::Model, 4, 63_000.0, 1000.0),
            (BarKind::Tool, 4, 64_000.0, 1000.0),
        ]
    );
    assert!(waterfall(&run, &clock, None, f64::INFINITY, 100).gaps.is_empty());
    // A range begins its own clock.
    let part = waterfall(&run, &clock, Some((4, 4)), 60_000.0, 100);
    assert_eq!((part.ms, part.bars.len()), (2000.0, 2));
}

#[test]
fn a_job_brings_its_own_prices() {
    let row = |model: &str, input: f64| PriceRow { model: model.into(), input, output: 1.0, ..PriceRow::default() };
    let list = PriceList {
        date: "today".into(),
        rows: vec![row("m", 2.0), row(" ", 1.0), row("bad", f64::NAN), row("low", -1.0)],
    };
    let own = table(Some(&list));
    let usual = table(None).prices.len();
    assert_eq!(own.prices[usual..].iter().map(|p| p.model.as_str()).collect::<Vec<_>>(), ["m"]);
    // A row of the job goes before the built-in one, also under the name that a file gives the model.
    let mine = |model: &str| table(Some(&PriceList { date: "today".into(), rows: vec![row(model, 9.0)] }));
    for (own, asked) in
        [("gpt-4o", "gpt-4o-2024-08-06"), ("way/gpt-4o-2024-08-06", "way/gpt-4o-2024-08-06"), ("Model X", "Model X")]
    {
        assert_eq!(mine(own).find(asked).map(|p| p.input), Some(9.0), "{own} for {asked}");
    }
    assert_ne!(mine("gpt-4o").find("gpt-4o-mini").map(|p| p.input), Some(9.0));
    let run = with_model(parse("A1@1000000:0").unwrap(), "m");
    let report = usage_report(&run, &own, 10);
    assert_eq!((report.money.estimated, report.prices.date.as_str()), (Some(2.0), "today"));
    assert_eq!(report.models[0].price.as_ref().map(|p| p.input), Some(2.0));
    assert!(table(None).find("claude-opus-4-6").is_some());
}

#[test]
fn long_runs_give_small_answers() {
    let one = "u A1@100:10 \"hm\" B2@200:20! s ";
    let run = with_model(parse(&one.repeat(40_000)).unwrap(), "m");
    assert_eq!(run.steps.len(), 200_000);
    let report = usage_report(&run, &prices(), 400);
    assert_eq!((report.buckets.len(), report.turns), (400, 80_000));
    let bars = waterfall_report(&run, None, 60_000.0, 1_000).bars;
    assert!(bars.len() <= 1_000 && bars.iter().map(|b| u64::from(b.steps)).sum::<u64>() >= 160_000);
    let rows = turn_rows(&run, &prices(), 79_990, 400);
    assert_eq!((rows.rows.len(), rows.total), (10, 80_000));
    assert_eq!(rows.rows.last().map(|r| r.all_tokens), Some(40_000 * 330));
    assert!(serde_json::to_string(&report).unwrap().len() < 400_000);
}

fn any_run() -> impl Strategy<Value = (Run, usize)> {
    let figures = prop::sample::select(vec!["", "@100:10", "@2000:5:0.25", "@0:0", "@7"]);
    let token = prop_oneof![
        6 => (prop::sample::select(vec!["A", "B", "Read"]), figures, prop::sample::select(vec!["", "!", "?"]))
            .prop_map(|(tool, figures, end)| format!("{tool}1{end}{figures}")),
        1 => Just("u".to_owned()),
        1 => Just("s".to_owned()),
        1 => Just("[A1@30:3 B1]".to_owned()),
        1 => Just("T1@5:5<A1@50:5 B1>".to_owned()),
        1 => Just("c".to_owned()),
    ];
    (prop::collection::vec(token, 0..40), 1usize..60, any::<u64>()).prop_map(|(tokens, pieces, seed)| {
        let mut run = with_model(parse(&tokens.join(" ")).unwrap(), "m");
        // A clock that jumps, also back, and that is missing here and there.
        let (mut state, mut at) = (seed | 1, 0i64);
        for step in &mut run.steps {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            at += ((state >> 40) % 100_000) as i64 - 10_000;
            match &mut step.at {
                Some(_) if state % 7 == 0 => step.at = None,
                Some(time) => time.ms = at,
                None => {}
            }
        }
        (run, pieces)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pieces_hold_every_step_once_and_sums_agree((run, pieces) in any_run()) {
        let book = ledger(&run, &prices());
        let clock = Clock::of(&run);
        let plot = series(&run, &book, &clock, pieces);
        prop_assert_eq!(plot.len(), pieces.min(run.steps.len()));
        let mut next = 0;
        for piece in &plot {
            prop_assert_eq!(piece.first, next);
            prop_assert!(piece.last >= piece.first);
            prop_assert!(piece.cached <= piece.context || piece.cached.is_none());
            next = piece.last + 1;
        }
        prop_assert_eq!(next as usize, run.steps.len());
        let usage = run.usage();
        let sum = |f: &dyn Fn(&skillscope::usage::Bucket) -> Option<u64>| plot.iter().filter_map(f).sum::<u64>();
        prop_assert_eq!(sum(&|b| b.input), usage.input.unwrap_or(0));
        prop_assert_eq!(sum(&|b| b.output), usage.output.unwrap_or(0));
        if let Some(last) = plot.last() {
            prop_assert_eq!(last.all_input, usage.input.unwrap_or(0));
            prop_assert_eq!(last.all_money.unknown_turns, book.money.unknown_turns);
            prop_assert!((last.all_money.any() - book.money.any()).abs() < 1e-9);
            let times = clock.sums(&run, 0);
            prop_assert!((last.all_ms - times.all().unwrap_or(0.0)).abs() < 1e-6);
        }
        // The tools' shares add up to the turns'.
        let shares: f64 = tools(&run, &book).iter().filter_map(|t| t.input).sum();
        prop_assert!((shares - usage.input.unwrap_or(0) as f64).abs() < 1e-6);
        let money: f64 = tools(&run, &book).iter().map(|t| t.money.any()).sum();
        prop_assert!((money - book.money.any()).abs() < 1e-9);
        let rows = turn_rows(&run, &prices(), 0, 500);
        prop_assert_eq!(rows.rows.len(), book.turns.len());
        prop_assert_eq!(rows.rows.last().map_or(0, |r| r.all_tokens), usage.input.unwrap_or(0) + usage.output.unwrap_or(0));
    }

    #[test]
    fn the_axis_keeps_order_and_length((run, most) in any_run(), idle in 0.0f64..200_000.0) {
        let clock = Clock::of(&run);
        let found = waterfall(&run, &clock, None, idle, 10_000);
        let cut: f64 = found.gaps.iter().map(|g| g.ms - idle).sum();
        prop_assert!((found.ms - found.shown_ms - cut).abs() < 1e-3, "{} {} {}", found.ms, found.shown_ms, cut);
        prop_assert!(found.gaps.iter().all(|g| g.ms > idle));
        for bar in &found.bars {
            prop_assert!(bar.x >= 0.0 && bar.width >= 0.0 && bar.x + bar.width <= found.shown_ms + 1e-6);
            // No bar lies across a cut: its length is its own.
            prop_assert!((bar.width - bar.ms).abs() < 1e-6);
        }
        prop_assert!(found.bars.windows(2).all(|w| w[0].at_ms > w[1].at_ms || w[0].x <= w[1].x));
        let timed = run.steps.iter().filter(|s| s.at.is_some()).count() as u32;
        prop_assert_eq!(found.untimed, run.steps.len() as u32 - timed);
        // With few bars, all steps are still in one.
        let few = waterfall(&run, &clock, None, idle, most);
        let steps = |bars: &[skillscope::usage::Bar]| bars.iter().map(|b| b.steps).sum::<u32>();
        prop_assert_eq!(steps(&few.bars), steps(&found.bars));
        let said = run.steps.iter().filter(|s| matches!(s.kind, StepKind::Say | StepKind::Thought | StepKind::Action) && s.at.is_some());
        prop_assert!(steps(&found.bars) as usize >= said.count());
    }
}
