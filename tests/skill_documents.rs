//! Skills in the workbench, as the page drives it: what one drop becomes, every job about it, and that each message is
//! read on the page as it was written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use skillscope::engine::Workbench;
use skillscope::protocol::{Job, Outcome, Request, Response, from_json};
use skillscope::report::DocumentSummary;
use skillscope::report::skill::{CheckOptions, RequestResult};

/// A workbench whose messages go through their text, as between page and worker.
#[derive(Default)]
struct Page {
    bench: Workbench,
    files: u32,
}

impl Page {
    fn ask_with(&mut self, job: Job, bytes: Option<&[u8]>) -> Outcome {
        let request = Request { id: 1, job };
        let text = serde_json::to_string(&request).unwrap();
        let read: Request = from_json(&text).unwrap_or_else(|| panic!("not read: {text}"));
        assert_eq!(read, request);
        let response = Response { id: 1, outcome: self.bench.handle(read.job, bytes, &mut |_| {}) };
        let text = serde_json::to_string(&response).unwrap();
        let read: Response = from_json(&text).unwrap_or_else(|| panic!("not read: {text}"));
        assert_eq!(read, response);
        read.outcome
    }

    fn ask(&mut self, job: Job) -> Outcome {
        self.ask_with(job, None)
    }

    fn drop_files(&mut self, files: &[(String, Vec<u8>)]) -> Vec<DocumentSummary> {
        let from = self.files;
        for (name, bytes) in files {
            let file = self.files;
            self.files += 1;
            self.ask(Job::Open { file, name: name.clone(), size: bytes.len() as u64, format: None });
            self.ask_with(Job::Chunk { file }, Some(bytes));
            self.ask(Job::Finish { file });
        }
        match self.ask(Job::Assemble { files: (from..self.files).collect() }) {
            Outcome::Documents { documents, .. } => documents,
            other => panic!("{other:?}"),
        }
    }
}

fn examples() -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/protocol/examples");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let read = |p: &std::path::PathBuf| {
        (format!("examples/{}", p.file_name().unwrap().to_str().unwrap()), std::fs::read(p).unwrap())
    };
    paths.iter().map(read).collect()
}

fn example(name: &str) -> (String, Vec<u8>) {
    let (path, bytes) = examples().into_iter().find(|(n, _)| n.contains(&format!("/{name}"))).unwrap();
    (path.rsplit('/').next().unwrap().to_owned(), bytes)
}

fn core() -> CheckOptions {
    CheckOptions::default()
}

fn strict() -> CheckOptions {
    CheckOptions { profile: "strict".into(), ..core() }
}

#[test]
fn a_folder_of_documents_is_one_document() {
    let mut page = Page::default();
    let documents = page.drop_files(&examples());
    assert_eq!(documents.len(), 1);
    let summary = &documents[0];
    let skills = summary.skills.as_deref().unwrap();
    assert_eq!((summary.name.as_str(), skills.kind.as_str()), ("examples", "provider"));
    assert_eq!((skills.documents, skills.failing, summary.files.len()), (29, 23, 29));
    assert_eq!(skills.verdict, "non_conformant");
    let document = summary.id;
    for options in [core(), strict()] {
        let Outcome::Conformance { conformance } = page.ask(Job::Conformance { document, options: options.clone() })
        else {
            panic!()
        };
        assert_eq!(conformance.properties.len(), 11);
        assert_eq!(conformance.counts.iter().map(|(_, n)| n).sum::<u32>(), 11);
        assert_eq!(conformance.properties.iter().map(|p| p.expected).sum::<u32>(), conformance.expected);
        assert_eq!(conformance.properties[10].status, "not_run");
        assert_eq!(conformance.profile, options.profile);
        let Outcome::Members { members, total, .. } =
            page.ask(Job::Members { document, options: options.clone(), from: 0, count: 100 })
        else {
            panic!()
        };
        assert_eq!((members.len(), total), (29, 29));
        let failing = members.iter().filter(|m| m.status == "fail").count();
        assert!(if options.profile == "core" { failing == 23 } else { failing >= 23 }, "{failing}");
        for member in 0..29 {
            let Outcome::Skill { skill } = page.ask(Job::Skill { document, member, options: options.clone() }) else {
                panic!()
            };
            let row = &members[member as usize];
            assert_eq!(skill.findings.len() as u32, row.findings.errors + row.findings.warnings + row.findings.infos);
            assert!(skill.strict.errors >= skill.core.errors, "strict asks for no less");
            let Outcome::Text { text } = page.ask(Job::Text { document, report: member, from: 0, count: 500 }) else {
                panic!()
            };
            assert_eq!(text.total, skill.lines);
            for finding in &skill.findings {
                assert!(finding.line >= 1 && finding.line <= skill.lines.max(1), "{finding:?}");
                assert!(finding.insert_after.is_none_or(|line| line <= skill.lines), "{finding:?}");
            }
        }
        for format in ["json", "sarif", "junit"] {
            let now = "2026-01-02T03:04:05Z".to_owned();
            let job = Job::ExportReport { document, options: options.clone(), format: format.into(), now };
            let Outcome::File { file } = page.ask(job) else { panic!() };
            assert!(file.bytes.len() > 1_000 && !file.mime.is_empty(), "{format}");
        }
    }
    assert!(matches!(page.ask(Job::Traceability), Outcome::Traceability { rows } if rows.len() > 40));
    assert!(
        matches!(page.ask(Job::Publish { document }), Outcome::Publish { publish } if publish.file.is_none() && !publish.blocked.is_empty())
    );
    assert_eq!(page.ask(Job::Close { document }), Outcome::Done);
    assert!(matches!(page.ask(Job::Publish { document }), Outcome::Fault { .. }));
}

#[test]
fn a_missing_field_gets_a_row_where_it_belongs() {
    let mut page = Page::default();
    let documents = page.drop_files(&[example("invalid-12")]);
    let (document, skills) = (documents[0].id, documents[0].skills.as_deref().unwrap());
    assert_eq!((skills.kind.as_str(), skills.failing), ("skill-descriptor", 1));
    assert_eq!(skills.line.state, "verdict.ssp.invalid-core");
    let Outcome::Skill { skill } = page.ask(Job::Skill { document, member: 0, options: core() }) else { panic!() };
    let missing = skill.findings.iter().find(|f| f.pointer == "/provider").unwrap();
    let source = String::from_utf8(example("invalid-12").1).unwrap();
    let before = source.lines().nth(missing.insert_after.unwrap() as usize - 1).unwrap();
    assert!(before.contains("\"description\""), "behind the field before it in the table: {before}");
    assert_eq!(missing.sample.as_deref(), Some("\"provider\": { \"name\": … },"));
    let wrong = skill.findings.iter().find(|f| f.pointer == "/access").unwrap();
    assert!(wrong.insert_after.is_none());
    assert!(source.lines().nth(wrong.line as usize - 1).unwrap().contains("\"access\""));
    let row = |label: &str| skill.card.iter().find(|r| r.label == label).unwrap_or_else(|| panic!("{label}"));
    assert_eq!(row("card.provider").parts[0].tone, "error");
    assert_eq!(row("card.access").parts[0].tone, "error");
    assert_eq!(row("card.takes").parts.iter().filter(|p| p.line && p.tone == "mono").count(), 2);
}

#[test]
fn inputs_can_be_tried() {
    let mut page = Page::default();
    let document = page.drop_files(&[example("valid-1")])[0].id;
    let mut tried = |text: &str| match page.ask(Job::TryInputs { document, member: 0, text: text.into() }) {
        Outcome::Tried { tried } => tried,
        other => panic!("{other:?}"),
    };
    assert_eq!(tried(r#"{"text":"Hello","to":"de"}"#).state, "ok");
    let wrong = tried("{ \"text\": \"Hello\",\n \"to\": \"german\" }");
    assert_eq!((wrong.state.as_str(), wrong.findings.len()), ("faults", 1));
    assert_eq!((wrong.findings[0].pointer.as_str(), wrong.findings[0].line), ("/to", 2));
    let wrong = tried(r#"{"text":"Hello","to":"german"}"#);
    assert_eq!((wrong.findings[0].line, wrong.findings[0].column), (1, 22));
    assert_eq!(tried("{").state, "not-json");
    assert_eq!(tried("[]").state, "not-json");
}

#[test]
fn a_set_is_published_served_and_checked_by_its_address() {
    let text = |name: &str| String::from_utf8(example(name).1).unwrap();
    let private = text("valid-1")
        .replace("\"public\"", "\"private\"")
        .replace("com.example/translate", "com.example/payroll-run");
    let private = private.replace("翻譯 Translate", "Payroll run").replace("/ssp/translate", "/ssp/payroll");
    let set = [
        ("skills/a.json".to_owned(), text("valid-1").into_bytes()),
        ("skills/b.json".to_owned(), text("valid-2").into_bytes()),
        ("skills/c.json".to_owned(), private.into_bytes()),
    ];
    let mut page = Page::default();
    let full = page.drop_files(&set)[0].id;
    let Outcome::Publish { publish } = page.ask(Job::Publish { document: full }) else { panic!() };
    assert_eq!((publish.listed.len(), publish.withheld, publish.blocked.len()), (2, 1, 0), "{publish:?}");
    let zip = publish.file.unwrap();

    // The archive itself, dropped again beside nothing, lists two skills and knows of no third.
    let served = page.drop_files(&[("skill-sharing.zip".into(), zip.bytes.clone())]);
    assert_eq!(served[0].skills.as_deref().unwrap().sites, 1);
    let job = |document, filter: &str| Job::Index {
        document,
        site: 0,
        filter: filter.into(),
        from: 0,
        count: 50,
        options: core(),
    };
    let Outcome::Index { index } = page.ask(job(served[0].id, "")) else { panic!() };
    assert_eq!((index.listed, index.withheld, index.has_full_set), (2, 0, false));

    // Served, and fetched by a page on this machine, with a planted leak.
    for leak in [false, true] {
        let start = Job::Visit {
            text: "http://127.0.0.1:4000".into(),
            page: "http://127.0.0.1:8080/".into(),
            document: Some(full),
            options: core(),
        };
        let mut outcome = page.ask(start);
        let document = loop {
            match outcome {
                Outcome::Fetch { visit, ref wanted, .. } => {
                    assert!(!wanted.is_empty());
                    let wanted = wanted.clone();
                    for request in wanted {
                        let path = request.url.strip_prefix("http://127.0.0.1:4000/").unwrap();
                        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip.bytes.clone())).unwrap();
                        let (status, mut bytes) = match archive.by_name(path) {
                            Ok(mut file) => {
                                let mut bytes = Vec::new();
                                std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
                                (200, bytes)
                            }
                            Err(_) => (404, b"not found".to_vec()),
                        };
                        if leak && path.ends_with("index.json") {
                            bytes = String::from_utf8(bytes)
                                .unwrap()
                                .replacen('{', "{\"x-soon\":\"com.example/payroll-run\",", 1)
                                .into_bytes();
                        }
                        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
                        let result = RequestResult::Answer { status, url: request.url.clone(), headers };
                        outcome = page.ask_with(Job::Fetched { visit, request: request.id, result }, Some(&bytes));
                        if matches!(outcome, Outcome::Documents { .. }) {
                            break;
                        }
                        if let Outcome::Fetch { wanted: ref more, .. } = outcome
                            && !more.is_empty()
                        {
                            break;
                        }
                    }
                }
                Outcome::Documents { documents, .. } => break documents[0].clone(),
                other => panic!("{other:?}"),
            }
        };
        let skills = document.skills.as_deref().unwrap();
        assert_eq!(skills.verdict, if leak { "non_conformant" } else { "conformant" });
        let Outcome::Index { index } = page.ask(job(document.id, "")) else { panic!() };
        assert_eq!((index.listed, index.missing, index.withheld), (2, 0, 1));
        let leaks: Vec<_> =
            index.findings.iter().filter(|f| f.rule == "SSP-P6-LEAK").map(|f| f.pointer.as_str()).collect();
        assert_eq!(leaks, if leak { vec!["/x-soon"] } else { vec![] });
        let Outcome::Index { index: api } = page.ask(job(document.id, "capability:api state:listed")) else { panic!() };
        assert!(api.total >= 1 && api.rows.iter().all(|r| r.capability == "api" && r.state == "listed"));
        let Outcome::Index { index: refused } = page.ask(job(document.id, "capability:tool")) else { panic!() };
        assert!(refused.rows.is_empty() && refused.refused.is_some(), "a word that is none is said, not answered");
    }
    let refused = page.ask(Job::Visit {
        text: "localhost".into(),
        page: "https://a.example/".into(),
        document: None,
        options: core(),
    });
    assert!(matches!(refused, Outcome::VisitRefused { .. }), "{refused:?}");
}

#[test]
fn skills_and_runs_of_one_drop_are_documents_of_their_own() {
    let mut page = Page::default();
    let run = br#"{"messages":[{"role":"user","content":"Translate"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"translate","arguments":"{\"text\":\"a\",\"to\":\"de\"}"}}]},{"role":"tool","tool_call_id":"1","content":"b"}]}"#;
    let documents = page.drop_files(&[("run.json".into(), run.to_vec()), example("valid-1")]);
    assert_eq!(documents.len(), 2);
    let skills: Vec<bool> = documents.iter().map(|d| d.skills.is_some()).collect();
    assert_eq!(skills, [false, true]);
    let Outcome::Skill { skill } = page.ask(Job::Skill { document: documents[1].id, member: 0, options: core() })
    else {
        panic!()
    };
    assert_eq!(skill.used_in.len(), 1);
    assert_eq!(
        (skill.used_in[0].document, skill.used_in[0].calls, skill.used_in[0].first_step),
        (documents[0].id, 1, 1)
    );
    // A file that is neither stays what it was: not recognised.
    let other = page.drop_files(&[("notes.json".into(), b"{\"a\":1}".to_vec())]);
    assert!(other[0].skills.is_none() && other[0].reports[0].refused.is_some());
}
