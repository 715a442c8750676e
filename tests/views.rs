//! Every sentence that a prepared view names is in the message table: a table, a plot or a column without its words would
//! show an id. Views of the fixtures' runs are searched.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use skillscope::engine::Workbench;
use skillscope::message::findings::both;
use skillscope::model::notation::parse;
use skillscope::protocol::{Job, Outcome};
use skillscope::report::{Cell, Plot, PriceList, PriceRow, Sheet, measures_view, metrics, topology, usage, usage_view};

fn said(id: &str) {
    assert!(both(id).is_some(), "{id} is in no table of sentences");
}

fn sheet(sheet: &Sheet) {
    said(&sheet.name);
    sheet.columns.iter().for_each(|c| said(&c.0));
    for cell in sheet.rows.iter().flatten() {
        if let Cell::Say((id, args)) = cell {
            let (en, zh) = both(id).unwrap_or_else(|| panic!("{id} is in no table of sentences"));
            for (name, _) in args {
                assert_eq!(en.contains(&format!("{{{name}")), zh.contains(&format!("{{{name}")), "{id}");
            }
        }
    }
}

fn plot(plot: &Plot) {
    said(&format!("usage.{}", plot.id));
    said(&format!("usage.{}.means", plot.id));
    plot.columns.iter().for_each(|c| said(c));
    plot.parts.iter().for_each(|p| said(&format!("usage.part-{}", p.look)));
    plot.bars.iter().flat_map(|b| &b.cells).filter_map(|c| c.strip_prefix('\u{2}')).for_each(said);
}

#[test]
fn views_name_sentences_that_are_there() {
    let row = PriceRow { model: "m".into(), input: 1.0, output: 2.0, ..PriceRow::default() };
    let own = PriceList { date: "2026-11-30".into(), rows: vec![row] };
    for text in ["", "u", "u A1@100:10:0.5 B1! B1! B1! B1! T1<C1@7> u c s", "A1@100:10", "[A1@30:3 B1] s"] {
        let mut run = parse(text).unwrap();
        let index = run.model_index("m");
        run.turns.iter_mut().for_each(|t| t.model = Some(index));
        let prices = usage::table(Some(&own));
        for sums in [false, true] {
            let view = usage_view::usage_view(&run, &prices, Some(&own), 50, sums);
            view.plots.iter().for_each(plot);
            view.notes.iter().for_each(|n| said(&n.0));
            [&view.money, &view.tools, &view.models].into_iter().for_each(sheet);
        }
        sheet(&usage_view::turns_view(&run, &prices, 0, 50));
        plot(&usage_view::waterfall_view(&run, None, 10.0, 50));
        let keys = skillscope::model::step_keys(&run);
        let loops = skillscope::loops::analyse_keyed(&run, &keys, &skillscope::loops::Params::default());
        let found = metrics::metrics_report(&run, &keys, &loops, std::iter::empty());
        measures_view::metrics_view(&found).sections.iter().for_each(sheet);
        let other = (1u32, &run, "tk1-x");
        let shape = measures_view::topology_view(&run, &topology::topology_report(&run, "tk1-x", [other].into_iter()));
        [&shape.variants, &shape.edges, &shape.nearest].into_iter().for_each(sheet);
        shape.graphs.iter().for_each(|g| said(&format!("shape.graph-{}", g.id)));
        for line in loops_params() {
            said(&format!("param.{line}"));
        }
    }
}

fn loops_params() -> Vec<&'static str> {
    skillscope::loops::THRESHOLDS.iter().map(|t| t.id).collect()
}

#[test]
fn a_peer_says_at_which_call_it_fired() {
    let line = |n: usize, content: serde_json::Value, role: &str| serde_json::json!({"type": role, "uuid": format!("l{n}"), "sessionId": "s", "version": "2.1.0", "timestamp": format!("2026-01-05T09:00:{n:02}.000Z"), "message": {"role": role, "content": content}});
    let mut lines = vec![line(0, serde_json::json!("go"), "user")];
    for i in 0..4 {
        let call = serde_json::json!([{"type": "tool_use", "id": format!("c{i}"), "name": "Bash", "input": {"command": "make"}}]);
        let result = serde_json::json!([{"type": "tool_result", "tool_use_id": format!("c{i}"), "content": "no", "is_error": true}]);
        lines.push(line(2 * i + 1, call, "assistant"));
        lines.push(line(2 * i + 2, result, "user"));
    }
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    let mut bench = Workbench::new();
    let mut ask = |job, bytes: Option<&[u8]>| bench.handle(job, bytes, &mut |_| {});
    ask(Job::Open { file: 1, name: "s.jsonl".into(), size: text.len() as u64, format: None }, None);
    ask(Job::Chunk { file: 1 }, Some(text.as_bytes()));
    ask(Job::Finish { file: 1 }, None);
    let Outcome::Documents { documents, .. } = ask(Job::Assemble { files: vec![1] }, None) else {
        panic!("no documents")
    };
    let job = Job::LoopsWith { document: documents[0].id, run: 0, params: vec![("tries".into(), 5.0)] };
    let Outcome::Loops { loops } = ask(job, None) else { panic!("no loops") };
    let cline = loops.peers.iter().find(|p| p.id == "cline").unwrap();
    assert_eq!((cline.fired, cline.steps.as_slice()), (1, [(3, "Bash make".to_owned())].as_slice()));
    assert_eq!(loops.params.iter().find(|p| p.id == "tries").map(|p| p.value), Some(5.0));
}
