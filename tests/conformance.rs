//! The conformance report from outside: exit codes, JSON by its schema, SARIF, JUnit, known failures; the 29 examples
//! through every check together; and that every sentence of the chapter and every check has its place.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use skillscope::message::{Lang, findings};
use skillscope::model::Severity;
use skillscope::report::trace;
use skillscope::skill::provider::Provider;
use skillscope::skill::suite::{self, all_checks};
use skillscope::skill::wellknown::Reach;
use skillscope::skill::{Level, Options};

const EXAMPLES: &str = "tests/fixtures/protocol/examples";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skillscope")).arg("check").args(args).current_dir(root()).output().unwrap()
}

/// Exit code and standard output.
fn told(args: &[&str]) -> (i32, String) {
    let output = run(args);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn json(args: &[&str]) -> (i32, Value) {
    let (code, text) = told(&[args, &["--json"]].concat());
    (code, serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}")))
}

fn example(name: &str) -> String {
    format!("{EXAMPLES}/{name}")
}

fn scratch(name: &str, files: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder.to_string_lossy().into_owned()
}

#[test]
fn exit_codes() {
    for name in
        ["valid-1-api-key", "valid-2-oauth2-restricted", "valid-3-minimal-newer-minor", "valid-5-invocation-response"]
    {
        assert_eq!(told(&[&example(&format!("{name}.json"))]).0, 0, "{name}");
    }
    // A request is fine without its descriptor, and with it.
    let request = example("valid-4-invocation-request.json");
    assert_eq!(told(&[&request]).0, 0);
    assert_eq!(told(&[&request, &example("valid-1-api-key.json")]).0, 0);
    let broken = example("invalid-18-request-inputs-against-descriptor.json");
    assert_eq!(told(&[&broken]).0, 0, "nothing to hold it against");
    assert_eq!(told(&[&broken, &example("valid-1-api-key.json")]).0, 1);
    // An index alone cannot be checked whole.
    assert_eq!(told(&[&example("valid-6-index.json")]).0, 3);
    for path in std::fs::read_dir(root().join(EXAMPLES)).unwrap() {
        let name = path.unwrap().file_name().into_string().unwrap();
        if name.starts_with("invalid-") && !name.starts_with("invalid-18") {
            assert_eq!(told(&[&example(&name)]).0, 1, "{name}");
        }
    }
    assert_eq!(told(&[EXAMPLES]).0, 1);
    for usage in [
        &[][..],
        &["--bogus", "x"],
        &["no/such/file.json"],
        &["Cargo.toml"],
        &["--profile", "loose", EXAMPLES],
        &["--supports", "1.0", EXAMPLES],
        &["--supports"],
        &["--known-failures", "no/such", EXAMPLES],
    ] {
        let output = run(usage);
        assert_eq!(output.status.code(), Some(2), "{usage:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{usage:?}");
    }
    // The profile and the version decide.
    assert_eq!(told(&["--profile", "strict", &example("valid-1-api-key.json")]).0, 0);
    let newer = example("valid-3-minimal-newer-minor.json");
    assert_eq!(told(&["--supports", "0.9.0", &newer]).0, 1);
    assert_eq!(told(&["--supports=2.0.0", &newer]).0, 0, "an older MAJOR is a warning");
}

#[test]
fn a_newer_major_is_the_only_finding() {
    let (code, report) = json(&["--supports", "0.1.0", &example("invalid-12-two-faults.json")]);
    assert_eq!(code, 1);
    let found: Vec<&Value> =
        report["checks"].as_array().unwrap().iter().flat_map(|c| c["findings"].as_array().unwrap()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["rule"], "SSP-P10-MAJOR");
    let said = found[0]["message"].as_str().unwrap();
    assert!(said.contains("1.0.0") && said.contains("0.1.0"), "both versions: {said}");
    assert!(report["summary"]["not_run"].as_u64().unwrap() > 5, "the rest is not run, and not passed");
}

#[test]
fn json_follows_its_schema_and_its_counts_add_up() {
    let schema: Value = serde_json::from_str(&read("schemas/report.schema.json")).unwrap();
    let options = jsonschema::options().should_validate_formats(true);
    let schema = options.build(&schema).unwrap();
    for (args, verdict) in [
        (vec![EXAMPLES], "non_conformant"),
        (vec!["tests/fixtures/protocol/examples/valid-6-index.json"], "incomplete"),
        (vec!["tests/fixtures/protocol/examples/valid-1-api-key.json"], "conformant"),
        (vec!["--profile", "strict", EXAMPLES], "non_conformant"),
    ] {
        let (_, report) = json(&args);
        let faults: Vec<String> = schema.iter_errors(&report).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(report["verdict"], verdict, "{args:?}");
        let n = |key: &str| report["summary"][key].as_u64().unwrap();
        assert_eq!(n("run"), n("passed") + n("failed") + n("warned"));
        assert_eq!(n("expected"), n("run") + n("skipped") + n("not_run"));
        let sum = |list: &str, key: &str| -> u64 {
            report[list].as_array().unwrap().iter().map(|c| c[key].as_u64().unwrap()).sum()
        };
        assert_eq!(sum("checks", "expected"), n("expected"));
        assert_eq!(sum("checks", "runs"), n("run"));
        assert_eq!(sum("properties", "expected"), n("expected"));
        assert_eq!(sum("properties", "run"), n("run"));
        for row in report["properties"].as_array().unwrap() {
            assert!(row["status"] != "pass" || row["expected"] == row["run"], "a skip is no pass: {row}");
        }
        // Every check is there: with cases, or said to have none.
        let of = |list: &str| -> BTreeSet<String> {
            report[list].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap().to_owned()).collect()
        };
        let listed: BTreeSet<String> = of("checks").union(&of("not_applicable")).cloned().collect();
        let all: BTreeSet<String> = all_checks().iter().map(|c| c.id.to_owned()).collect();
        assert_eq!(listed, all);
    }
}

#[test]
fn sarif_names_rule_place_and_reason() {
    let (code, text) = told(&[EXAMPLES, "--sarif"]);
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let artifacts = run["artifacts"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 24);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let artifact = place["artifactLocation"]["index"].as_u64().unwrap() as usize;
        assert_eq!(artifacts[artifact]["location"]["uri"], place["artifactLocation"]["uri"]);
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
        assert!(place["region"]["startColumn"].as_u64().unwrap() >= 1);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].as_str().unwrap().len() > 5);
        assert!(result["properties"]["reason"].is_string() && result["properties"]["field"].is_string());
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["exitCode"], 1);
    assert!(!invocation["toolExecutionNotifications"].as_array().unwrap().is_empty(), "what was skipped is said");
    assert_eq!(run["properties"]["verdict"], "non_conformant");
}

/// Reads elements of XML by hand: names balance, attributes have no bare mark.
fn elements(xml: &str) -> Vec<(String, String)> {
    let mut open = Vec::new();
    let mut out = Vec::new();
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a bare > in text");
        let end = rest[at..].find('>').expect("an end") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (name, attributes) = tag.trim_end_matches('/').split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
        assert_eq!(attributes.matches('"').count() % 2, 0, "{tag}");
        out.push((name.to_owned(), attributes.to_owned()));
        if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    out
}

#[test]
fn junit_counts_what_it_holds() {
    let folder = scratch("junit", &[("a<b>&\"'\u{1}.json", &read(&example("invalid-12-two-faults.json")))]);
    for (args, code) in [
        (vec![EXAMPLES], 1),
        (vec![folder.as_str()], 1),
        (vec!["tests/fixtures/protocol/examples/valid-6-index.json"], 3),
    ] {
        let (found, xml) = told(&[args.as_slice(), &["--junit"]].concat());
        assert_eq!(found, code);
        assert!(xml.chars().all(|c| c as u32 >= 0x20 || "\n\t\r".contains(c)), "XML 1.0 holds no control characters");
        let all = elements(&xml);
        let count = |name: &str| all.iter().filter(|(n, _)| n == name).count();
        let stated = |key: &str, attributes: &str| -> usize {
            attributes.split(&format!("{key}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let whole = &all[0].1;
        assert!(stated("tests", whole) <= count("testcase"));
        assert_eq!(stated("skipped", whole), count("skipped"));
        assert!(count("testsuite") >= 11);
        let suites: usize = all.iter().filter(|(n, _)| n == "testsuite").map(|(_, a)| stated("tests", a)).sum();
        assert_eq!(suites, count("testcase"));
        assert_eq!(xml.contains("name=\"Verdict\""), code == 3);
    }
}

#[test]
fn known_failures_count_once_and_go_stale() {
    let bad = example("invalid-12-two-faults.json");
    let list = |text: &str| format!("{}/known.txt", scratch("known", &[("known.txt", text)]));
    let both = list("# two faults\nSSP-P1-REQUIRED invalid-12-two-faults.json /provider\nSSP-P2-ENUM\n");
    let (code, report) = json(&["--known-failures", &both, &bad]);
    assert_eq!(
        (code, &report["verdict"], &report["summary"]["expected_failures"]),
        (0, &"conformant".into(), &2.into())
    );
    let one = list("SSP-P2-ENUM invalid-12-two-faults.json");
    assert_eq!(told(&["--known-failures", &one, &bad]).0, 1, "the other one still fails");
    let stale = list("SSP-P1-REQUIRED\nSSP-P2-ENUM\nSSP-P9-SEMVER invalid-12-two-faults.json\n");
    let (code, report) = json(&["--known-failures", &stale, &bad]);
    assert_eq!((code, report["stale"][0]["id"].as_str()), (1, Some("SSP-P9-SEMVER")));
    let elsewhere = list("SSP-P1-REQUIRED other.json\nSSP-P2-ENUM\n");
    assert_eq!(told(&["--known-failures", &elsewhere, &bad]).0, 1);
    let nonsense = list("SSP-P99-NOTHING\n");
    assert_eq!(run(&["--known-failures", &nonsense, &bad]).status.code(), Some(2));
}

#[test]
fn a_bad_path_among_good_ones_is_said_and_makes_the_verdict_incomplete() {
    let output = run(&[&example("valid-1-api-key.json"), "no/such/file.json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/file.json"));
}

#[test]
fn a_folder_and_its_archive_are_the_same_provider() {
    use std::io::Write;
    let skill = |access: &str| read(&example("valid-1-api-key.json")).replace("\"public\"", &format!("\"{access}\""));
    let index = r#"{"protocol":{"version":"1.0.0"},"skills":[{"id":"com.example/translate","name":"T","version":"2.3.1",
"description":"D","capability_type":"api","access":"public","descriptor_url":"skills/translate.json"}]}"#;
    let private = skill("private")
        .replace("com.example/translate", "com.example/payroll-run")
        .replace("翻譯 Translate", "Payroll run");
    let files = [
        ("set/translate.json", skill("public")),
        ("set/payroll.json", private),
        (".well-known/skill-sharing/index.json", index.to_owned()),
        (".well-known/skill-sharing/skills/translate.json", skill("public")),
        (".nojekyll", String::new()),
    ];
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
    let folder = scratch("provider", &borrowed);
    let (code, report) = json(&[&folder]);
    assert_eq!((code, &report["verdict"]), (0, &"conformant".into()), "{report}");
    let archive = Path::new(env!("CARGO_TARGET_TMPDIR")).join("provider.zip");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    for (name, text) in &files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let (code, zipped) = json(&[archive.to_str().unwrap()]);
    assert_eq!(code, 0);
    assert_eq!(report["summary"], zipped["summary"]);
    // And with the private one planted in a link.
    let leaky = read_scratch(&folder, ".well-known/skill-sharing/index.json").replacen(
        '{',
        "{\"related\":[\"com.example/payroll-run\"],",
        1,
    );
    std::fs::write(Path::new(&folder).join(".well-known/skill-sharing/index.json"), leaky).unwrap();
    let (code, text) = told(&[&folder]);
    assert_eq!(code, 1);
    assert!(text.contains("/related/0") && text.contains("SSP-P6-LEAK leak_id"), "{text}");
}

#[test]
fn neighbours_are_mapped_and_said() {
    let tools = r#"{"tools":[{"name":"get_weather","description":"Weather of a place.","inputSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]}"#;
    let skill = "---\nname: pdf-forms\ndescription: Fills forms. Use when a PDF has fields.\n---\n\nOpen it.\n";
    let folder =
        scratch("neighbours", &[("tools.json", tools), ("pdf-forms/SKILL.md", skill), ("notes.txt", "nothing")]);
    let (code, report) = json(&[&folder]);
    assert_eq!(code, 0, "{report}");
    let kinds: Vec<&str> =
        report["neighbours"].as_array().unwrap().iter().map(|n| n["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["skill-md", "mcp-tools"]);
    for neighbour in report["neighbours"].as_array().unwrap() {
        assert_eq!(neighbour["descriptors"].as_array().unwrap().len(), 1, "{neighbour}");
        assert!(!neighbour["notes"].as_array().unwrap().is_empty(), "what was guessed is said");
    }
    let (_, text) = told(&[&folder]);
    assert!(text.contains("MCP tools/list: 1 descriptors made"), "{text}");
}

fn read_scratch(folder: &str, path: &str) -> String {
    std::fs::read_to_string(Path::new(folder).join(path)).unwrap()
}

/// The lines of the chapter that say something; the example of a test, which is code, counts as its first line.
fn chapter() -> Vec<String> {
    let text = read("tests/fixtures/protocol/chapter-12.zh-Hant.md");
    let mut out: Vec<String> = text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect();
    let code = out.iter().position(|l| l.starts_with("import fc")).unwrap();
    out.truncate(code + 1);
    out
}

#[test]
fn every_sentence_of_the_chapter_is_held_or_excused() {
    let lines: Vec<&str> = trace::LINES.iter().map(|l| l.sentence).collect();
    assert_eq!(lines, chapter());
    let checks = all_checks();
    let mut used = BTreeSet::new();
    for line in trace::LINES {
        assert!(!line.checks.is_empty() || !line.note.is_empty(), "nothing holds: {}", line.sentence);
        for id in line.checks {
            let check = checks.iter().find(|c| c.id == *id).unwrap_or_else(|| panic!("there is no check {id}"));
            let section = format!("12.2.{}", check.property);
            assert_eq!(line.section, section, "{id} stands with another property");
            used.insert(*id);
        }
    }
    let left: Vec<&str> = checks.iter().map(|c| c.id).filter(|id| !used.contains(id)).collect();
    assert!(left.is_empty(), "no sentence of the chapter has these checks: {left:?}");
}

/// Every id of a check in the sources is one of the list, and every one of the list is used somewhere.
#[test]
fn every_check_is_on_the_list() {
    fn sources(folder: &Path, out: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("trace.rs") {
                out.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut text = String::new();
    sources(&root().join("src"), &mut text);
    let named: Vec<&str> = text
        .split('"')
        .filter(|w| {
            w.starts_with("SSP-P")
                && w.len() > 6
                && !w.ends_with('-')
                && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
        .collect();
    let checks = all_checks();
    for id in &named {
        assert!(checks.iter().any(|c| c.id == *id), "{id} is on no list");
    }
    for check in &checks {
        assert!(named.iter().filter(|n| **n == check.id).count() > 1, "{} is never used", check.id);
    }
}

/// Every sentence about a fault says what to do as well.
#[test]
fn every_reason_has_a_remedy() {
    for table in findings::TABLES {
        for (id, ..) in table.iter().filter(|(id, ..)| id.starts_with("provider.")) {
            let reason = id.trim_start_matches("provider.");
            let remedy = format!("skill.remedy.{reason}");
            assert!(reason == "unknown_capability" || findings::both(&remedy).is_some(), "{remedy} is missing");
        }
    }
}

#[test]
fn the_examples_together_give_what_is_expected() {
    let expected: Value = serde_json::from_str(&read("tests/fixtures/protocol/examples-expected.json")).unwrap();
    let expected = expected.as_object().unwrap();
    let files: Vec<_> = expected.keys().map(|n| (n.clone(), read(&example(n)).into_bytes())).collect();
    assert_eq!(files.len(), 29);
    let provider = Provider::from_files(files, Reach::default());
    let checked = suite::run(&provider, &Options::default());
    for (name, wanted) in expected {
        let at = provider.files.iter().position(|f| f.name == *name).unwrap();
        let faults = checked.cases.iter().flat_map(|c| &c.faults).filter(|f| f.file == at).map(|f| &f.finding);
        let mut errors: Vec<String> = faults
            .filter(|f| f.severity == Severity::Error)
            .map(|f| {
                serde_json::json!({"rule": f.check, "pointer": f.pointer, "field": f.field, "reason": f.reason,
                    "message": f.sentence(Lang::En)})
                .to_string()
            })
            .collect();
        let mut wanted: Vec<String> = wanted["errors"].as_array().unwrap().iter().map(Value::to_string).collect();
        errors.sort();
        wanted.sort();
        assert_eq!(errors, wanted, "{name}");
    }
}

/// Compares a block of docs/conformance.md with what the code says, or writes it.
#[track_caller]
fn block(name: &str, expected: &str) {
    let page = read("docs/conformance.md");
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = page.find(&open).unwrap() + open.len();
    let to = from + page[from..].find(&close).unwrap();
    if page[from..to] == *expected {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let new = format!("{}{expected}{}", &page[..from], &page[to..]);
        return std::fs::write(root().join("docs/conformance.md"), new).unwrap();
    }
    panic!("docs/conformance.md: the block `{name}` is not in step: UPDATE_DOCS=1 cargo test --test conformance");
}

#[test]
fn the_page_is_in_step_with_the_lists() {
    let title = |n: u8| findings::both(&format!("property.{n}")).unwrap().0;
    let mut checks = String::from("| check | property | level |\n|---|---|---|\n");
    for check in all_checks() {
        let level = if check.level == Level::Must { "must" } else { "should" };
        checks.push_str(&format!("| `{}` | {}: {} | {level} |\n", check.id, check.property, title(check.property)));
    }
    block("checks", &checks);
    let mut rows = String::from("| section | sentence | checks | note |\n|---|---|---|---|\n");
    for line in trace::LINES {
        let ids: Vec<String> = line.checks.iter().map(|c| format!("`{c}`")).collect();
        let sentence = line.sentence.replace('\t', " · ").replace('|', "\\|");
        rows.push_str(&format!("| {} | {sentence} | {} | {} |\n", line.section, ids.join(" "), line.note));
    }
    block("traceability", &rows);
}
