//! `page`: runs as a self-contained analysis page, the same that `Share` makes; of very many files a folder of pages with
//! an index.
//!
//! The program inside the page is the built one: `share-template.html` of the folder `--dist` (default `dist`, beside
//! the working directory or the command itself). Secrets are removed unless they are kept by name.

use std::path::{Path, PathBuf};

use skillscope::engine::{PageAsked, Workbench};
use skillscope::format;
use skillscope::message::{Lang, fill_id};
use skillscope::report::share::receipt_lines;
use skillscope::report::{RunRef, ShareChoices, SharedPage};
use skillscope::route::{Route, Side, Versus};
use skillscope::share::choices::Part;
use skillscope::share::page::escape;

use super::{Answer, Command, files, usage};

pub const COMMAND: Command = Command {
    word: "page",
    usage: "FILE... [NOTES.notes.json]... -o PAGE.html|FOLDER [--compare] [--name WORD]... [--keep VALUE]... [--with PART]... [--without PART]... [--lang en|zh-Hant] [--dist FOLDER]",
    run,
};

const TEMPLATE: &str = "share-template.html";

struct Asked {
    paths: Vec<String>,
    out: Option<String>,
    dist: Option<String>,
    compare: bool,
    lang: String,
    choices: ShareChoices,
}

fn asked(args: &[String]) -> Result<Asked, String> {
    let mut out = Asked {
        paths: Vec::new(),
        out: None,
        dist: None,
        compare: false,
        lang: "en".into(),
        choices: ShareChoices::default(),
    };
    let part = |word: &str, shared: bool| {
        let parts: Vec<&str> = Part::ALL.iter().map(|p| p.id()).collect();
        let part = Part::ALL.into_iter().find(|p| p.id() == word);
        let part = part.ok_or(format!("there is no part {word}: {}", parts.join(", ")))?;
        Ok::<_, String>((part.usual() != shared).then(|| part.id().to_owned()))
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "-o" | "--output" => out.out = Some(value()?),
            "--dist" => out.dist = Some(value()?),
            "--compare" => out.compare = true,
            "--name" => out.choices.names.push(value()?),
            "--keep" => out.choices.keep.push(value()?),
            "--with" => out.choices.parts_switched.extend(part(&value()?, true)?),
            "--without" => out.choices.parts_switched.extend(part(&value()?, false)?),
            "--lang" => {
                let tag = value()?;
                let lang = Lang::from_tag(&tag).ok_or(format!("--lang is en or zh-Hant, not {tag}"))?;
                out.lang = lang.tag().to_owned();
            }
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            path => out.paths.push(path.to_owned()),
        }
    }
    if out.paths.is_empty() { Err(usage()) } else { Ok(out) }
}

/// The template: of the folder that is named, else of `dist` here or beside the program.
fn template(dist: Option<&str>) -> Result<String, String> {
    let mut folders: Vec<PathBuf> = match dist {
        Some(folder) => vec![folder.into()],
        None => vec!["dist".into()],
    };
    if dist.is_none() {
        let here = std::env::current_exe().ok();
        folders.extend(here.iter().flat_map(|p| p.ancestors().skip(1).take(4)).map(|p| p.join("dist")));
    }
    let found = folders.iter().map(|f| f.join(TEMPLATE)).find(|p| p.is_file());
    let path = found.ok_or_else(|| {
        let first = folders.first().map(|f| f.join(TEMPLATE)).unwrap_or_default();
        format!("there is no {}: build the page first (make build), or name its folder with --dist", first.display())
    })?;
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

fn run(args: &[String]) -> Result<Answer, String> {
    let asked = asked(args)?;
    let template = template(asked.dist.as_deref())?;
    let bench = files::open(&asked.paths)?;
    let runs: Vec<RunRef> =
        bench.documents().flat_map(|d| (0..d.runs.len() as u32).map(|run| RunRef { document: d.id, run })).collect();
    if runs.is_empty() {
        return Err("nothing in these files is a run".into());
    }
    if asked.compare && runs.len() < 2 {
        return Err("--compare needs two runs".into());
    }
    let out = asked.out.clone().ok_or("-o is missing: where is the page to be written?")?;
    // A folder for many documents: one page each, and an index.
    if !out.ends_with(".html") && !out.ends_with(".htm") && out != "-" {
        return folder(&bench, &asked, &template, Path::new(&out));
    }
    let (runs, view) = if asked.compare {
        let two: Vec<RunRef> = runs.into_iter().take(2).collect();
        let view = compare_view(&bench, &two);
        (two, view)
    } else {
        (runs, String::new())
    };
    let page = make(&bench, &asked, runs, view, &template)?;
    if out == "-" {
        return Ok(Answer { text: page.html.clone(), complaint: Some(told(&page)), code: 0 });
    }
    std::fs::write(&out, &page.html).map_err(|e| format!("{out}: {e}"))?;
    Ok(Answer::fine(format!("{out}: {}", told(&page))))
}

fn compare_view(bench: &Workbench, runs: &[RunRef]) -> String {
    let side = |at: &RunRef| {
        let name = bench.documents().find(|d| d.id == at.document).map(|d| d.name.clone());
        Side { document: name.unwrap_or_default(), run: at.run }
    };
    match runs {
        [left, right] => Route::Compare(Versus { left: side(left), right: side(right), ..Versus::default() }).hash(),
        _ => String::new(),
    }
}

fn make(
    bench: &Workbench,
    asked: &Asked,
    runs: Vec<RunRef>,
    view: String,
    template: &str,
) -> Result<SharedPage, String> {
    let page = PageAsked { runs, choices: asked.choices.clone(), view, lang: asked.lang.clone() };
    bench.page(&page, template).map_err(|(id, args)| {
        let args: Vec<(String, String)> = args.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        fill_id(Lang::En, id, &args)
    })
}

/// What the page holds and what was removed, for the terminal.
fn told(page: &SharedPage) -> String {
    let mut out =
        format!("{}, {} of it data", format::bytes(page.receipt.bytes), format::bytes(page.receipt.data_bytes));
    for line in receipt_lines(Lang::En, &page.receipt) {
        out.push_str("\n  ");
        out.push_str(&line);
    }
    out
}

fn folder(bench: &Workbench, asked: &Asked, template: &str, folder: &Path) -> Result<Answer, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let lang = Lang::from_tag(&asked.lang).unwrap_or_default();
    let mut rows = String::new();
    let mut text = String::new();
    let mut taken: Vec<String> = Vec::new();
    for document in bench.documents().filter(|d| !d.runs.is_empty()) {
        let runs = (0..document.runs.len() as u32).map(|run| RunRef { document: document.id, run }).collect();
        let page = make(bench, asked, runs, String::new(), template)?;
        let stem = page.name.trim_end_matches(".html").to_owned();
        let free = (1u32..).map(|n| if n == 1 { page.name.clone() } else { format!("{stem}-{n}.html") });
        let name = free.into_iter().find(|n| !taken.contains(n) && n != "index.html").unwrap_or_default();
        let path = folder.join(&name);
        std::fs::write(&path, &page.html).map_err(|e| format!("{}: {e}", path.display()))?;
        text.push_str(&format!("{}: {}\n", path.display(), told(&page)));
        // The title of the page was redacted with it.
        let title = page.html.split("<title>").nth(1).and_then(|t| t.split("</title>").next()).unwrap_or(&name);
        let (steps, errors) =
            document.runs.iter().fold((0, 0), |(s, e), r| (s + r.summary.steps, e + r.summary.errors));
        rows.push_str(&format!(
            "<tr><td><a href=\"{}\">{title}</a></td><td>{}</td><td>{steps}</td><td>{errors}</td></tr>\n",
            escape(&name),
            document.runs.len()
        ));
        taken.push(name);
    }
    let head = |message| skillscope::message::text(lang, message);
    use skillscope::message::M;
    let title = fill_id(lang, "page.runs", &[("n".into(), taken.len().to_string())]);
    let index = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"robots\" content=\"noindex, noai\">\n<title>{title}</title>\n<style>body {{ max-width: 60rem; margin: 0 auto; padding: 16px 24px; font: 14px/1.5 system-ui, sans-serif; }} table {{ width: 100%; border-collapse: collapse; }} th {{ text-align: left; }} td, th {{ padding: 4px 16px 4px 0; }}</style>\n<main>\n<h1>{title}</h1>\n<table>\n<tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr>\n{rows}</table>\n</main>\n</html>\n",
        lang.tag(),
        head(M::Files),
        fill_id(lang, "page.runs", &[("n".into(), "2".into())]).trim_start_matches("2 "),
        head(M::FigureSteps),
        head(M::FigureErrors),
    );
    let path = folder.join("index.html");
    std::fs::write(&path, index).map_err(|e| format!("{}: {e}", path.display()))?;
    text.push_str(&format!("{}\n", path.display()));
    Ok(Answer::fine(text))
}
