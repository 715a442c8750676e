//! `match`: runs against a reference. Exit code 1 when a run fails.

use skillscope::engine::Workbench;
use skillscope::matching::{Reference, reference_run};
use skillscope::message::{Lang, fill_id};
use skillscope::report::matching::{MatchOptions, Matchable, match_json, match_report, match_text};

use super::compare::numbered;
use super::{Answer, Command, files, usage};

pub const COMMAND: Command = Command {
    word: "match",
    usage: "RUN[#N]... --reference REF[#N]|carried [--reference ...] [--mode MODE] [--class TOOL=CLASS] [--args TOOL=RULE]\n                        \
            [--optional TOOL] [--forbid TOOL] [--answer TEXT] [--json]",
    run,
};

/// `TOOL=VALUE` of an option.
fn setting(flag: &str, value: Option<&String>) -> Result<(String, String), String> {
    let parts = value.and_then(|v| v.split_once('='));
    parts.map(|(tool, v)| (tool.to_owned(), v.to_owned())).ok_or(format!("{flag} needs TOOL=VALUE"))
}

/// The runs of each path, as (document's name, document, index, run).
fn runs_of(bench: &Workbench, number: Option<usize>) -> Vec<Matchable<'_>> {
    let all = bench.documents().flat_map(|d| {
        (0u32..).zip(&d.runs).map(move |(index, r)| Matchable { document: d.id, index, file: &d.name, run: &r.run })
    });
    match number {
        Some(n) => all.skip(n - 1).take(1).collect(),
        None => all.collect(),
    }
}

fn run(args: &[String]) -> Result<Answer, String> {
    let mut json = false;
    let mut options = MatchOptions::default();
    let (mut paths, mut references) = (Vec::new(), Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut word = |what: &str| args.next().cloned().ok_or(format!("{arg} needs {what}"));
        match arg.as_str() {
            "--json" => json = true,
            "--reference" => references.push(word("a file, or carried")?),
            "--mode" => options.mode = word("a mode")?,
            "--class" => options.classes.push(setting(arg, args.next())?),
            "--args" => options.rules.push(setting(arg, args.next())?),
            "--optional" => options.optional.push(word("a tool")?),
            "--forbid" => options.forbidden.push(word("a tool")?),
            "--answer" => options.answers.push(word("a text")?),
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            path => paths.push(path.to_owned()),
        }
    }
    let (set, _, unknown) = options.read();
    if let Some(word) = unknown.first() {
        return Err(format!("{word} means nothing here\n{}", usage()));
    }
    if paths.is_empty() || references.is_empty() {
        return Err(usage());
    }
    let benches = open_all(&paths)?;
    let runs: Vec<Matchable<'_>> = benches.iter().flat_map(|(bench, number)| runs_of(bench, *number)).collect();
    if runs.is_empty() {
        return Err("nothing in these files is a run".into());
    }
    let by_carried = references.iter().any(|r| r == "carried");
    if by_carried && references.len() > 1 {
        return Err("--reference carried stands alone: each run has its own".into());
    }
    let mut accepted: Vec<Reference> = Vec::new();
    if by_carried {
        if runs.iter().all(|r| r.run.reference.is_empty()) {
            return Err(fill_id(Lang::En, "match.no-reference", &[]));
        }
    } else {
        for (bench, number) in &open_all(&references)? {
            accepted.extend(runs_of(bench, *number).iter().map(|r| {
                let name = if r.run.title.is_empty() { r.file } else { &r.run.title };
                reference_run(name, r.run, &set)
            }));
        }
        if accepted.is_empty() {
            return Err("nothing in the reference is a run".into());
        }
    }
    let report = match_report(&runs, &accepted, &options, 0, u32::MAX);
    let text = if json {
        serde_json::to_string_pretty(&match_json(&runs, &report)).map_err(|e| e.to_string())?
    } else {
        match_text(&report)
    };
    let failed = report.summary.passed < report.summary.n;
    Ok(Answer { text, complaint: None, code: u8::from(failed) })
}

/// Each path in a workbench of its own, so that `#N` counts inside it.
fn open_all(paths: &[String]) -> Result<Vec<(Workbench, Option<usize>)>, String> {
    paths
        .iter()
        .map(|path| {
            let (file, number) = numbered(path);
            Ok((files::open(&[file])?, number))
        })
        .collect()
}
