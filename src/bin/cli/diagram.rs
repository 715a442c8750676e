//! `diagram`: runs as Mermaid text. Every page of the wanted runs, one behind another, each after the first behind a
//! comment.

use skillscope::protocol::{Job, Outcome};
use skillscope::report::DiagramOptions;

use super::{Answer, Command, files, usage};

pub const COMMAND: Command = Command { word: "diagram", usage: "FILE [--run N | --all]", run };

fn run(args: &[String]) -> Result<Answer, String> {
    let mut wanted = 1usize;
    let mut all = false;
    let mut paths = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--all" => all = true,
            "--run" => {
                let n = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                wanted = n.ok_or("--run needs a number from 1")?;
            }
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            path => paths.push(path.to_owned()),
        }
    }
    if paths.is_empty() {
        return Err(usage());
    }
    let mut bench = files::open(&paths)?;
    let mut runs: Vec<(u32, u32)> =
        bench.documents().flat_map(|d| (0..d.runs.len() as u32).map(|run| (d.id, run))).collect();
    if runs.is_empty() {
        return Err("nothing in these files is a run".into());
    }
    if !all {
        runs = runs.get(wanted - 1).map(|run| vec![*run]).ok_or(format!("there is no run {wanted}"))?;
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
    Ok(Answer::fine(out))
}
