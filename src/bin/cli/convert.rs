//! `convert`: a run as our own run format, or as invocations of the protocol; a neighbour of the protocol as descriptors.
//!
//! Standard output holds one JSON array, or with `--json` one object that also says what was guessed and lost; without it
//! that goes to standard error.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skillscope::contract::{Options, check, invocations};
use skillscope::engine::Workbench;
use skillscope::import::write_run;
use skillscope::message::{Lang, fill_id};
use skillscope::skill::from::{Converted, Note, convert_all, recognise};

use super::{Answer, Command, files, usage};

pub const COMMAND: Command =
    Command { word: "convert", usage: "FILE... --to skillscope|ssp [--base-url URL] [--json]", run };

fn run(args: &[String]) -> Result<Answer, String> {
    let (mut to, mut base, mut json, mut paths) = (None, None, false, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--to" => to = Some(args.next().ok_or("--to needs a format")?.as_str()),
            "--base-url" => base = Some(args.next().ok_or("--base-url needs an address")?.as_str()),
            "--json" => json = true,
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            path => paths.push(path.to_owned()),
        }
    }
    match to {
        _ if paths.is_empty() => Err(usage()),
        Some("ssp") => ssp(&paths, base, json),
        Some("skillscope") => skillscope(&paths),
        Some(other) => Err(format!("cannot convert to {other}\n{}", usage())),
        None => Err(format!("--to is missing\n{}", usage())),
    }
}

/// Every run, one after the other: a file of several is JSON Lines.
fn skillscope(paths: &[String]) -> Result<Answer, String> {
    let bench = files::open(paths)?;
    let runs: Vec<String> = bench.documents().flat_map(|d| d.runs.iter().map(|r| write_run(&r.run))).collect();
    if runs.is_empty() {
        return Err("nothing in these files is a run".into());
    }
    Ok(Answer::fine(runs.concat()))
}

/// What became of one file.
struct Outcome {
    file: String,
    documents: Vec<String>,
    /// For `--json`, and for people.
    told: Value,
    lines: Vec<String>,
}

fn ssp(paths: &[String], base: Option<&str>, json: bool) -> Result<Answer, String> {
    let mut neighbours: Vec<(String, Vec<u8>)> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for path in paths {
        let mut found: Vec<PathBuf> = Vec::new();
        if path == "-" || files::walk(Path::new(path), &mut found).is_err() {
            others.push(path.clone());
            continue;
        }
        for file in found {
            let name = file.display().to_string();
            match std::fs::read(&file) {
                Ok(bytes) if recognise(&name, &bytes).is_some() => neighbours.push((name, bytes)),
                // Runs are read as a stream, and what cannot be read is told there.
                _ => others.push(name),
            }
        }
    }
    let borrowed: Vec<(String, &[u8])> =
        neighbours.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())).collect();
    let mut outcomes = Vec::new();
    for (file, converted) in convert_all(&borrowed, base) {
        match converted {
            Some(Ok(converted)) => outcomes.push(of_neighbour(file, &converted)),
            Some(Err(refused)) => {
                let message = fill_id(Lang::En, &format!("neighbour.refused.{}", refused.code), &refused.args);
                outcomes.push(Outcome {
                    file: file.to_owned(),
                    documents: Vec::new(),
                    told: json!({"neighbour": refused.neighbour.id(), "refused": refused.code, "message": message}),
                    lines: vec![message],
                });
            }
            None => {}
        }
    }
    let nothing = outcomes.is_empty();
    if !others.is_empty() {
        match files::open(&others) {
            Ok(bench) => outcomes.extend(of_runs(&bench)),
            Err(message) if nothing => return Err(message),
            Err(_) => {}
        }
    }
    let documents: Vec<&String> = outcomes.iter().flat_map(|o| &o.documents).collect();
    if documents.is_empty() {
        let lines = outcomes.iter().flat_map(|o| o.lines.iter().map(|l| format!("{}: {l}", o.file)));
        let lines: Vec<String> = lines.collect();
        return Err(if lines.is_empty() {
            "nothing in these files is a run or a skill".into()
        } else {
            lines.join("\n")
        });
    }
    if json {
        let parsed = |text: &String| serde_json::from_str::<Value>(text).map_err(|e| e.to_string());
        let mut all = Vec::new();
        for o in &outcomes {
            let documents = o.documents.iter().map(parsed).collect::<Result<Vec<_>, _>>()?;
            all.push(json!({"file": o.file, "documents": documents, "told": o.told}));
        }
        let text = serde_json::to_string_pretty(&json!({"files": all})).map_err(|e| e.to_string())?;
        return Ok(Answer::fine(text));
    }
    let trimmed: Vec<&str> = documents.iter().map(|d| d.trim_end()).collect();
    let lines: Vec<String> = outcomes.iter().flat_map(|o| o.lines.iter().map(|l| format!("{}: {l}", o.file))).collect();
    Ok(Answer {
        text: format!("[\n{}\n]", trimmed.join(",\n")),
        complaint: (!lines.is_empty()).then(|| lines.join("\n")),
        code: 0,
    })
}

fn of_neighbour(file: &str, converted: &Converted) -> Outcome {
    let sentence = |n: &Note| fill_id(Lang::En, &format!("neighbour.note.{}", n.code), &n.args);
    let notes: Vec<Value> = converted
        .notes
        .iter()
        .map(|n| json!({"kind": n.kind.id(), "code": n.code, "document": n.skill, "pointer": n.pointer, "message": sentence(n)}))
        .collect();
    let skip = |args: &[(String, String)], code: &str| fill_id(Lang::En, &format!("neighbour.skipped.{code}"), args);
    let skipped: Vec<Value> = converted
        .skipped
        .iter()
        .map(|s| json!({"code": s.code, "pointer": s.pointer, "message": skip(&s.args, s.code)}))
        .collect();
    // A list of tools repeats its notes: for people each sentence stands once.
    let mut lines: Vec<(String, usize)> = Vec::new();
    for note in &converted.notes {
        let line = format!("{}: {}", note.kind.id(), sentence(note));
        match lines.iter_mut().find(|(l, _)| *l == line) {
            Some((_, count)) => *count += 1,
            None => lines.push((line, 1)),
        }
    }
    let lines = lines.into_iter().map(|(line, n)| if n > 1 { format!("{line} ({n} times)") } else { line });
    let left_out = converted.skipped.iter().map(|s| format!("skipped {}: {}", s.pointer, skip(&s.args, s.code)));
    Outcome {
        file: file.to_owned(),
        documents: converted.made.iter().map(|m| m.text.clone()).collect(),
        told: json!({
            "neighbour": converted.neighbour.id(),
            "version": converted.version,
            "ids": converted.made.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(),
            "notes": notes,
            "skipped": skipped,
        }),
        lines: lines.chain(left_out).collect(),
    }
}

/// Each call of each run as its request, then its response.
fn of_runs(bench: &Workbench) -> Vec<Outcome> {
    let mut out = Vec::new();
    for document in bench.documents() {
        for (index, analysed) in document.runs.iter().enumerate() {
            let contract = check(&analysed.run, &[], &Options::of(&analysed.run));
            let export = invocations(&analysed.run, &contract);
            let requests = export.invocations.len();
            let documents: Vec<String> =
                export.invocations.into_iter().flat_map(|i| std::iter::once(i.request).chain(i.response)).collect();
            let responses = documents.len() - requests;
            let put_in: Vec<String> = export.guessed.iter().map(|(what, n)| format!("{what} in {n}")).collect();
            let mut lines = vec![format!("run {}: {requests} requests, {responses} responses", index + 1)];
            if !put_in.is_empty() {
                lines.push(format!("guess: {} (metadata.guessed names them)", put_in.join(", ")));
            }
            let guessed: Vec<Value> =
                export.guessed.iter().map(|(what, n)| json!({"what": what, "documents": n})).collect();
            out.push(Outcome {
                file: document.name.clone(),
                documents,
                told: json!({"run": index, "requests": requests, "responses": responses, "guessed": guessed}),
                lines,
            });
        }
    }
    out
}
