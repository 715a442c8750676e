//! `compare`: two runs side by side, and where they part.

use skillscope::align::{Params, Sameness, THRESHOLD, compare};
use skillscope::engine::Workbench;
use skillscope::model::Run;
use skillscope::report::compare_print::{Compared, compare_json, compare_text};

use super::{Answer, Command, files, usage};

pub const COMMAND: Command = Command {
    word: "compare",
    usage: "A[#N] B[#N] [--same tool|call|outcome] [--threshold 0.30] [--json]   #N: the run of that number in its file",
    run,
};

/// A path and the number of the run in it, from 1.
pub fn numbered(path: &str) -> (String, Option<usize>) {
    if std::path::Path::new(path).exists() {
        return (path.to_owned(), None);
    }
    match path.rsplit_once('#').map(|(file, n)| (file, n.parse::<usize>())) {
        Some((file, Ok(n))) if n > 0 && !file.is_empty() => (file.to_owned(), Some(n)),
        _ => (path.to_owned(), None),
    }
}

/// The run that a path names.
fn pick<'a>(bench: &'a Workbench, path: &str, number: Option<usize>) -> Result<(&'a str, &'a Run), String> {
    let mut runs = bench.documents().flat_map(|d| d.runs.iter().map(move |r| (d.name.as_str(), &r.run)));
    let found = runs.nth(number.unwrap_or(1) - 1);
    let count = bench.documents().map(|d| d.runs.len()).sum::<usize>();
    match (found, number) {
        (Some(_), None) if count > 1 => Err(format!("{path} has {count} runs: name one as {path}#1 to {path}#{count}")),
        (Some(run), _) => Ok(run),
        (None, Some(n)) if count > 0 => Err(format!("{path} has no run {n}: there are {count}")),
        (None, _) => Err(format!("nothing in {path} is a run")),
    }
}

fn run(args: &[String]) -> Result<Answer, String> {
    let mut json = false;
    let mut params = Params::default();
    let mut paths = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => json = true,
            "--same" => {
                let same = args.next().and_then(|s| Sameness::from_id(s));
                params.same = same.ok_or("--same needs tool, call or outcome")?;
            }
            "--threshold" => {
                let share = args.next().and_then(|t| t.parse::<f64>().ok()).filter(|t| *t > 0.0 && *t <= 1.0);
                params.threshold = share.ok_or(format!("--threshold needs a share, such as {THRESHOLD}"))?;
            }
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            path => paths.push(path.to_owned()),
        }
    }
    let [left, right] = paths.as_slice() else { return Err(usage()) };
    let ((left_path, left_number), (right_path, right_number)) = (numbered(left), numbered(right));
    // A file that is both sides is read once: standard input has no second time.
    let left_bench = files::open(std::slice::from_ref(&left_path))?;
    let other = if right_path == left_path { None } else { Some(files::open(std::slice::from_ref(&right_path))?) };
    let right_bench = other.as_ref().unwrap_or(&left_bench);
    let (left_file, left_run) = pick(&left_bench, &left_path, left_number)?;
    let (right_file, right_run) = pick(right_bench, &right_path, right_number)?;
    let found = compare(left_run, right_run, &params);
    let (left, right) = (Compared { file: left_file, run: left_run }, Compared { file: right_file, run: right_run });
    let text = if json {
        serde_json::to_string_pretty(&compare_json(&left, &right, &found, &params)).map_err(|e| e.to_string())?
    } else {
        compare_text(&left, &right, &found)
    };
    Ok(Answer::fine(text))
}
