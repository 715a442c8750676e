//! `inspect`: import report, findings, topology, loops and usage of each run.

use skillscope::engine::{Analysed, Document};
use skillscope::loops::Params;
use skillscope::report::inspect::{Inspected, json_report, text_report};
use skillscope::usage::PriceTable;
use skillscope::{report, topology};

use super::{Answer, Command, files, usage};

pub const COMMAND: Command = Command { word: "inspect", usage: "FILE... [--json]", run };

fn inspected<'a>(document: &'a Document, run: &'a Analysed) -> Inspected<'a> {
    let trees = topology::variants(&run.run).into_iter().map(|(variant, hash)| (variant.id(), hash));
    let graphs = topology::graph_variants(&topology::dfg(&run.run)).into_iter().map(|(id, hash)| (id.to_owned(), hash));
    let hashes: Vec<(String, topology::Hash)> = trees.chain(graphs).collect();
    let inexact = hashes.iter().filter(|(_, hash)| !hash.exact).map(|(id, _)| id.clone()).collect();
    Inspected {
        file: &document.name,
        format: Some(run.run.format),
        format_version: run.run.format_version.as_deref(),
        summary: &run.summary,
        loops: report::loops::loop_report(&run.run, &run.loops, &Params::default()),
        usage: report::usage::usage_report(&run.run, &PriceTable::default(), 1),
        metrics: report::metrics::metrics_report(&run.run, &run.keys, &run.loops, std::iter::empty()),
        variants: hashes.into_iter().map(|(id, hash)| (id, hash.text)).collect(),
        inexact,
        findings: &run.findings,
    }
}

fn run(args: &[String]) -> Result<Answer, String> {
    let mut json = false;
    let mut paths = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--json" => json = true,
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            path => paths.push(path.to_owned()),
        }
    }
    if paths.is_empty() {
        return Err(usage());
    }
    let bench = files::open(&paths)?;
    let runs: Vec<Inspected<'_>> =
        bench.documents().flat_map(|d| d.runs.iter().map(move |r| inspected(d, r))).collect();
    let reports: Vec<_> = bench.documents().flat_map(|d| d.parts.iter().map(|p| &p.report)).collect();
    let nothing = runs.is_empty() && reports.iter().all(|r| r.refused.is_some());
    let text = if json {
        serde_json::to_string_pretty(&json_report(&runs, &reports)).map_err(|e| e.to_string())?
    } else {
        text_report(&runs, &reports)
    };
    if nothing {
        let complaint = Some("nothing in these files is a run".into());
        return Ok(Answer { text, complaint, code: 2 });
    }
    Ok(Answer::fine(text))
}
