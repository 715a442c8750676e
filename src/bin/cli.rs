//! The same engine over files (bin `skillscope`): `inspect` and `diagram`.
//!
//! Exit codes: 0 fine, 2 usage or no input that could be read. One bad file among good ones is in its own report.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use skillscope::engine::{Analysed, Document, Workbench};
use skillscope::protocol::{Job, Outcome};
use skillscope::report::DiagramOptions;
use skillscope::report::inspect::{Inspected, json_report, text_report};

const USAGE: &str = "usage: skillscope inspect FILE... [--json]
       skillscope diagram FILE [--run N | --all]
       - reads standard input; a folder is read with everything in it";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.split_first() {
        Some((command, rest)) if command == "inspect" => inspect(rest),
        Some((command, rest)) if command == "diagram" => diagram(rest),
        Some((help, _)) if help == "--help" || help == "-h" => {
            print(USAGE);
            return ExitCode::SUCCESS;
        }
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Writes to standard output; a closed pipe is the reader's business.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.trim_end().as_bytes()).and_then(|()| out.write_all(b"\n"));
}

struct Options {
    files: Vec<String>,
    json: bool,
    run: usize,
    all: bool,
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut out = Options { files: Vec::new(), json: false, run: 1, all: false };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => out.json = true,
            "--all" => out.all = true,
            "--run" => {
                let n = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                out.run = n.ok_or("--run needs a number from 1")?;
            }
            "-" => out.files.push("-".into()),
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{USAGE}")),
            file => out.files.push(file.to_owned()),
        }
    }
    if out.files.is_empty() { Err(USAGE.to_owned()) } else { Ok(out) }
}

/// Every file below a path, in order of name.
fn walk(path: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path)?.filter_map(|e| e.ok().map(|e| e.path())).collect();
        entries.sort();
        for entry in entries {
            walk(&entry, out)?;
        }
    } else {
        out.push(path.to_owned());
    }
    Ok(())
}

/// Opens files as one drop. What cannot be read is said on standard error; an error when nothing could.
fn open(paths: &[String]) -> Result<Workbench, String> {
    let mut bench = Workbench::new();
    let mut files = Vec::new();
    let mut problems = Vec::new();
    let mut one = |bench: &mut Workbench, name: String, read: std::io::Result<Box<dyn Read>>| {
        let file = files.len() as u32;
        let mut quiet = |_| {};
        let mut reader = match read {
            Ok(reader) => reader,
            Err(e) => return problems.push(format!("{name}: {e}")),
        };
        bench.handle(Job::Open { file, name: name.clone(), size: 0, format: None }, None, &mut quiet);
        let mut buffer = vec![0u8; 1 << 20];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    bench.handle(Job::Chunk { file }, buffer.get(..n), &mut quiet);
                }
                Err(e) => {
                    bench.handle(Job::Cancel { file }, None, &mut quiet);
                    return problems.push(format!("{name}: {e}"));
                }
            }
        }
        bench.handle(Job::Finish { file }, None, &mut quiet);
        files.push(file);
    };
    for path in paths {
        if path == "-" {
            one(&mut bench, "standard input".into(), Ok(Box::new(std::io::stdin())));
            continue;
        }
        let mut found = Vec::new();
        if let Err(e) = walk(Path::new(path), &mut found) {
            one(&mut bench, path.clone(), Err(e));
        }
        for file in found {
            let read = std::fs::File::open(&file).map(|f| Box::new(f) as Box<dyn Read>);
            one(&mut bench, file.display().to_string(), read);
        }
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    if files.is_empty() {
        return Err("no file could be read".into());
    }
    bench.handle(Job::Assemble { files }, None, &mut |_| {});
    Ok(bench)
}

fn inspected<'a>(document: &'a Document, run: &'a Analysed) -> Inspected<'a> {
    Inspected {
        file: &document.name,
        format: Some(run.run.format),
        format_version: run.run.format_version.as_deref(),
        summary: &run.summary,
        loops: skillscope::report::loops::loop_report(&run.run, &run.loops),
        findings: &run.findings,
    }
}

fn inspect(args: &[String]) -> Result<String, String> {
    let options = options(args)?;
    let bench = open(&options.files)?;
    let runs: Vec<Inspected<'_>> =
        bench.documents().flat_map(|d| d.runs.iter().map(move |r| inspected(d, r))).collect();
    let reports: Vec<_> = bench.documents().flat_map(|d| d.parts.iter().map(|p| &p.report)).collect();
    let nothing = runs.is_empty() && reports.iter().all(|r| r.refused.is_some());
    let text = if options.json {
        serde_json::to_string_pretty(&json_report(&runs, &reports)).map_err(|e| e.to_string())?
    } else {
        text_report(&runs, &reports)
    };
    if nothing {
        print(&text);
        return Err("nothing in these files is a run".into());
    }
    Ok(text)
}

/// Every page of the wanted runs, one behind another, each after the first behind a comment.
fn diagram(args: &[String]) -> Result<String, String> {
    let options = options(args)?;
    let mut bench = open(&options.files)?;
    let mut runs: Vec<(u32, u32)> =
        bench.documents().flat_map(|d| (0..d.runs.len() as u32).map(|run| (d.id, run))).collect();
    if runs.is_empty() {
        return Err("nothing in these files is a run".into());
    }
    if !options.all {
        runs = runs.get(options.run - 1).map(|run| vec![*run]).ok_or(format!("there is no run {}", options.run))?;
    }
    let mut out = String::new();
    for (document, run) in runs {
        let mut page = 0;
        loop {
            let options = DiagramOptions { page, ..DiagramOptions::default() };
            let job = Job::Diagram { document, run, options };
            let Outcome::Diagram { diagram } = bench.handle(job, None, &mut |_| {}) else {
                return Err("the diagram could not be made".into());
            };
            if !out.is_empty() {
                out.push_str("\n%% next page\n");
            }
            out.push_str(&diagram.text);
            page += 1;
            if page >= diagram.pages {
                break;
            }
        }
    }
    Ok(out)
}
