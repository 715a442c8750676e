//! `check`: what the PATHs (files, folders, archives) say together, against the Skill Sharing Protocol.
//!
//! Exit codes: 0 conforms, 1 does not, 2 usage or nothing to check, 3 incomplete. With `--known-failures FILE` the listed
//! failures do not count, and one that is listed and does not fail is itself a failure.

use std::io::Read;
use std::path::{Path, PathBuf};

use skillscope::import::import_bytes;
use skillscope::report::conformance::{Known, conclude, known_failures};
use skillscope::report::{junit, sarif};
use skillscope::skill::provider::Provider;
use skillscope::skill::wellknown::Reach;
use skillscope::skill::{Options, Profile, suite, version};

use super::{Answer, Command, files, usage};

pub const COMMAND: Command = Command {
    word: "check",
    usage: "PATH... [--profile core|strict] [--supports VERSION] [--json|--sarif|--junit] [--known-failures FILE]",
    run,
};

/// How the report is printed.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Text,
    Json,
    Sarif,
    Junit,
}

struct Asked {
    paths: Vec<String>,
    form: Form,
    profile: Profile,
    supports: String,
    known: Vec<Known>,
}

fn asked(args: &[String]) -> Result<Asked, String> {
    let mut out = Asked {
        paths: Vec::new(),
        form: Form::Text,
        profile: Profile::Core,
        supports: version::SUPPORTED.to_owned(),
        known: Vec::new(),
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        // `--flag value` and `--flag=value`
        let (flag, inline) = match arg.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
            _ => (arg.as_str(), None),
        };
        let mut value = || inline.clone().or_else(|| args.next().cloned()).ok_or(format!("{flag} needs a value"));
        match flag {
            "--json" => out.form = Form::Json,
            "--sarif" => out.form = Form::Sarif,
            "--junit" => out.form = Form::Junit,
            "--profile" => {
                let word = value()?;
                out.profile = Profile::from_id(&word).ok_or(format!("--profile is core or strict, not {word}"))?;
            }
            "--supports" => {
                out.supports = value()?;
                version::check(&out.supports)
                    .map_err(|_| format!("--supports needs MAJOR.MINOR.PATCH, not {}", out.supports))?;
            }
            "--known-failures" => {
                let path = value()?;
                let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
                out.known = known_failures(&text)
                    .map_err(|line| format!("{path}:{line}: a line is a check's id, a file's name and a pointer"))?;
            }
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}\n{}", usage())),
            _ => out.paths.push(arg.clone()),
        }
    }
    if out.paths.is_empty() { Err(usage()) } else { Ok(out) }
}

/// Every file of the paths, members of archives one by one; what could not be read, and files that hold runs.
#[derive(Default)]
struct Found {
    files: Vec<(String, Vec<u8>)>,
    problems: Vec<String>,
    other: usize,
}

impl Found {
    fn add(&mut self, name: &str, bytes: &[u8]) {
        for import in import_bytes(name, bytes, None) {
            match import.bytes {
                Some(bytes) => self.files.push((import.report.file, bytes)),
                None if import.runs.is_empty() => self.problems.push(format!("{}: cannot be read", import.report.file)),
                None => self.other += 1,
            }
        }
    }

    fn path(&mut self, path: &str) {
        if path == "-" {
            let mut bytes = Vec::new();
            match std::io::stdin().read_to_end(&mut bytes) {
                Ok(_) => self.add("standard input", &bytes),
                Err(e) => self.problems.push(format!("standard input: {e}")),
            }
            return;
        }
        let mut found: Vec<PathBuf> = Vec::new();
        if let Err(e) = files::walk(Path::new(path), &mut found) {
            self.problems.push(format!("{path}: {e}"));
        }
        for file in found {
            let name = file.to_string_lossy().replace('\\', "/");
            match std::fs::read(&file) {
                Ok(bytes) => self.add(&name, &bytes),
                Err(e) => self.problems.push(format!("{name}: {e}")),
            }
        }
    }
}

fn run(args: &[String]) -> Result<Answer, String> {
    let asked = asked(args)?;
    let mut found = Found::default();
    for path in &asked.paths {
        found.path(path);
    }
    let mut complaints = found.problems;
    let provider = Provider::from_files(found.files, Reach { local: false, strict: asked.profile == Profile::Strict });
    if provider.files.iter().all(|f| !suite::is_document(f)) && provider.sites.is_empty() {
        for mapped in &provider.mapped {
            if let Some((id, args)) = &mapped.refused {
                let why = skillscope::message::fill_id(skillscope::message::Lang::En, id, args);
                complaints.push(format!("{}: {}: {why}", mapped.file, mapped.neighbour.label()));
            }
        }
        complaints.push(match found.other {
            0 => "nothing in these files is a document of the Skill Sharing Protocol".into(),
            n => format!("nothing in these files is a document of the Skill Sharing Protocol; {n} hold runs"),
        });
        return Err(complaints.join("\n"));
    }
    let options = Options { profile: asked.profile, supports: &asked.supports, ..Options::default() };
    let report = conclude(&provider, suite::run(&provider, &options), &options, &asked.known);
    let unread = !complaints.is_empty();
    let text = match asked.form {
        Form::Text => report.text(),
        Form::Json => serde_json::to_string_pretty(&report.json(&now())).map_err(|e| e.to_string())?,
        Form::Sarif => serde_json::to_string_pretty(&sarif::sarif(&report)).map_err(|e| e.to_string())?,
        Form::Junit => junit::junit(&report),
    };
    let code = match report.verdict.exit_code() {
        // What was named and could not be read was not checked.
        0 if unread => 3,
        code => code,
    };
    Ok(Answer { text, complaint: unread.then(|| complaints.join("\n")), code })
}

/// The time of day, as RFC 3339 in UTC.
fn now() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (since / 86_400, since % 86_400);
    // Days since 0000-03-01, so that a leap day is the last of its year.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest % 3_600 / 60, rest % 60)
}
