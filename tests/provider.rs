//! A provider's set as a whole: planted faults one by one (each gives exactly its finding), what is not decidable, which
//! is skipped and says why, and the same over a web of made answers.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

use skillscope::model::Severity;
use skillscope::skill::Options;
use skillscope::skill::provider::{Extent, Member, Provider};
use skillscope::skill::suite::{self, Case, Status};
use skillscope::skill::visit::{Got, Here, Visit};
use skillscope::skill::wellknown::Reach;

const ROOT: &str = "p/.well-known/skill-sharing/";

fn descriptor(id: &str, access: &str, more: &str) -> String {
    format!(
        r#"{{"protocol":{{"version":"1.0.0"}},"id":"{id}","name":"Name of {id}","version":"1.0.0","capability_type":"api",
"description":"Does something useful.","provider":{{"name":"Example Ltd","domain":"skills.example.com"}},
"endpoint":{{"url":"https://api.example.com/{access}/{n}"}},"inputs":{{"type":"object"}},"output":{{}},
"auth":{{"type":"none"}},"access":"{access}"{more}}}"#,
        n = id.len()
    )
}

fn entry(id: &str, access: &str, url: &str) -> String {
    format!(r#"{{"id":"{id}","name":"N","capability_type":"api","access":"{access}","descriptor_url":"{url}"}}"#)
}

fn index(entries: &[String], more: &str) -> String {
    format!(r#"{{"protocol":{{"version":"1.0.0"}},"skills":[{}]{more}}}"#, entries.join(","))
}

/// A set with two listed skills and a private one, served as it should be.
fn good() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut add = |path: &str, text: String| files.insert(path.to_owned(), text);
    for (id, access) in [("com.example/one", "public"), ("com.example/two", "restricted")] {
        let name = id.rsplit('/').next().unwrap();
        add(&format!("p/set/{name}.json"), descriptor(id, access, ""));
        add(&format!("{ROOT}skills/{name}.json"), descriptor(id, access, ""));
    }
    add("p/set/secret.json", descriptor("com.example/secret-tool", "private", ""));
    let entries = [
        entry("com.example/one", "public", "skills/one.json"),
        entry("com.example/two", "restricted", "skills/two.json"),
    ];
    add(&format!("{ROOT}index.json"), index(&entries, ""));
    files
}

fn provider(files: &BTreeMap<String, String>) -> Provider {
    let files = files.iter().map(|(n, t)| (n.clone(), t.clone().into_bytes())).collect();
    Provider::from_files(files, Reach::default())
}

fn cases(files: &BTreeMap<String, String>, options: &Options<'_>) -> Vec<Case> {
    suite::run(&provider(files), options).cases
}

/// Check, reason and pointer of every error and warning.
fn found(cases: &[Case]) -> Vec<(&str, &str, String)> {
    let faults = cases.iter().flat_map(|c| c.faults.iter());
    // Good manners that only the strict profile asks for are not what is tried here.
    let bad = faults.filter(|f| f.finding.severity != Severity::Info && !f.finding.house);
    bad.map(|f| (f.finding.check, f.finding.reason, f.finding.pointer.clone())).collect()
}

#[track_caller]
fn check(change: impl FnOnce(&mut BTreeMap<String, String>), expected: &[(&str, &str, &str)]) {
    let mut files = good();
    change(&mut files);
    let cases = cases(&files, &Options::default());
    let found = found(&cases);
    let found: Vec<_> = found.iter().map(|(c, r, p)| (*c, *r, p.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_provider_as_it_should_be() {
    let files = good();
    let provider = provider(&files);
    assert_eq!(provider.sites[0].extent, Extent::Whole);
    assert_eq!(provider.sites[0].url, "https://skills.example.com/.well-known/skill-sharing/index.json");
    assert_eq!(provider.full.len(), 3);
    let cases = suite::run(&provider, &Options::default()).cases;
    assert_eq!(found(&cases), []);
    let unmade: Vec<_> = cases.iter().filter(|c| !c.status.is_run()).collect();
    assert!(unmade.is_empty(), "{unmade:?}");
}

#[test]
fn one_planted_fault_gives_its_finding() {
    let index_path = format!("{ROOT}index.json");
    let with = |entries: Vec<String>, more: &'static str| {
        let path = index_path.clone();
        move |files: &mut BTreeMap<String, String>| drop(files.insert(path, index(&entries, more)))
    };
    let one = || entry("com.example/one", "public", "skills/one.json");
    let two = || entry("com.example/two", "restricted", "skills/two.json");
    // Missing, and listed twice.
    check(with(vec![one()], ""), &[("SSP-P6-COMPLETE", "not_listed", "/skills")]);
    check(with(vec![one(), two(), one()], ""), &[("SSP-P5-DUPLICATE-ID", "duplicate_id", "/skills/2/id")]);
    // A private one: by the entry, with and without a descriptor behind it.
    check(
        with(vec![one(), two(), entry("com.example/secret-tool", "private", "skills/none.json")], ""),
        &[
            ("SSP-P6-LINK", "not_in_folder", "/skills/2/descriptor_url"),
            ("SSP-P6-PRIVATE-LISTED", "private_listed", "/skills/2"),
        ],
    );
    check(
        |files| {
            files.insert(format!("{ROOT}skills/secret.json"), descriptor("com.example/secret-tool", "private", ""));
            files.insert(
                format!("{ROOT}index.json"),
                index(&[one(), two(), entry("com.example/secret-tool", "restricted", "skills/secret.json")], ""),
            );
        },
        // The file's own name is a hint as well, but it is the same leak.
        &[("SSP-P6-PRIVATE-LISTED", "private_descriptor_listed", "/skills/2")],
    );
    check(
        |files| {
            drop(files.insert(format!("{ROOT}skills/x.json"), descriptor("com.example/secret-tool", "private", "")))
        },
        &[("SSP-P6-PRIVATE-SERVED", "private_served", "/access")],
    );
    // Leaks.
    for (text, reason) in [
        (r#","x-related":["com.example/secret-tool"]"#, "leak_id"),
        (r#","x-related":["com.example\/secret-tool"]"#, "leak_escaped"),
        (r#","x-related":["?id=com.example%2Fsecret-tool"]"#, "leak_escaped"),
        (r#","x-related":["Name of com.example/secret-tool"]"#, "leak_id"),
        (r#","x-related":["https://api.example.com/private/23"]"#, "leak_url"),
    ] {
        check(with(vec![one(), two()], text), &[("SSP-P6-LEAK", reason, "/x-related/0")]);
    }
    check(
        |files| drop(files.insert(format!("{ROOT}notes.html"), "<p>com.example/secret-tool</p>".into())),
        &[("SSP-P6-LEAK", "leak_id", "")],
    );
    // Links.
    for (url, check_id, reason) in [
        ("file:///etc/passwd", "SSP-P6-URL", "url_scheme"),
        ("javascript:alert(1)", "SSP-P6-URL", "url_scheme"),
        ("https://u:p@skills.example.com/.well-known/skill-sharing/skills/two.json", "SSP-P6-URL", "url_userinfo"),
        ("skills/two.json#x", "SSP-P6-URL", "url_fragment"),
        ("https://127.0.0.1/two.json", "SSP-P6-URL", "url_loopback"),
        ("index.json", "SSP-P6-URL", "url_index"),
        ("skills/three.json", "SSP-P6-LINK", "not_in_folder"),
        ("/elsewhere/two.json", "SSP-P6-LINK", "not_in_folder"),
        ("https://cdn.example.net/two.json", "SSP-P6-URL", "url_other_origin"),
    ] {
        let entries = vec![one(), entry("com.example/two", "restricted", url)];
        check(with(entries, ""), &[(check_id, reason, "/skills/1/descriptor_url")]);
    }
    check(
        with(vec![one(), entry("com.example/two", "public", "skills/two.json")], ""),
        &[("SSP-P6-MATCH", "entry_differs", "/skills/1/access")],
    );
    check(
        with(vec![one(), entry("com.example/two", "restricted", "/.well-known/skill-sharing/skills/one.json")], ""),
        &[
            ("SSP-P6-MATCH", "entry_differs", "/skills/1/id"),
            ("SSP-P6-MATCH", "entry_differs", "/skills/1/access"),
            ("SSP-P5-DESCRIPTOR-ID", "descriptor_id_twice", "/skills/1/descriptor_url"),
        ],
    );
    check(
        |files| drop(files.insert(format!("{ROOT}skills/two.json"), "<html>Sign in</html>".into())),
        &[("SSP-P6-LINK", "html_instead", "/skills/1/descriptor_url")],
    );
    // Pages.
    check(with(vec![one(), two()], r#","next":"index.json""#), &[("SSP-P5-PAGES", "page_again", "/next")]);
    check(with(vec![one(), two()], r#","next":"2.json""#), &[("SSP-P5-PAGES", "not_in_folder", "/next")]);
    check(
        |files| {
            files.insert(format!("{ROOT}index.json"), index(&[one()], r#","next":"p/2.json""#));
            files.insert(
                format!("{ROOT}p/2.json"),
                index(&[entry("com.example/two", "restricted", "../skills/two.json")], ""),
            );
        },
        &[],
    );
    check(
        |files| {
            files.insert(format!("{ROOT}index.json"), index(&[one(), two()], r#","next":"2.json""#));
            files.insert(format!("{ROOT}2.json"), index(&[one()], ""));
        },
        &[("SSP-P5-DUPLICATE-ID", "duplicate_id", "/skills/0/id")],
    );
    // Nothing there at all.
    check(|files| drop(files.remove(&format!("{ROOT}index.json"))), &[("SSP-P6-INDEX", "not_in_folder", "")]);
}

#[test]
fn what_cannot_be_known_is_skipped() {
    let mut files = good();
    files.retain(|name, _| name.ends_with("index.json"));
    let text = files.remove(&format!("{ROOT}index.json")).unwrap();
    files.insert("index.json".into(), text);
    let cases = cases(&files, &Options::default());
    assert_eq!(found(&cases), []);
    let mut unmade: Vec<_> = cases.iter().filter(|c| !c.status.is_run()).map(|c| (c.check, c.status, c.why)).collect();
    unmade.dedup();
    unmade.sort();
    unmade.dedup();
    assert_eq!(
        unmade,
        [
            ("SSP-P5-DESCRIPTOR-ID", Status::Skipped, "not-here"),
            ("SSP-P6-COMPLETE", Status::Skipped, "no-full-set"),
            ("SSP-P6-LEAK", Status::Skipped, "no-full-set"),
            ("SSP-P6-LINK", Status::Skipped, "not-here"),
            ("SSP-P6-MATCH", Status::Skipped, "not-here"),
        ]
    );
}

/// A web of made answers, asked as a page would ask.
struct Web {
    answers: BTreeMap<String, (u16, &'static str, String)>,
    asked: Vec<String>,
}

impl Web {
    fn of(files: &BTreeMap<String, String>) -> Self {
        let served = files.iter().filter_map(|(n, t)| Some((n.strip_prefix("p/")?.to_owned(), t.clone())));
        let served = served.filter(|(n, _)| n.starts_with(".well-known/"));
        let answers = served.map(|(n, t)| (format!("https://skills.example.com/{n}"), (200, "application/json", t)));
        Self { answers: answers.collect(), asked: Vec::new() }
    }

    fn visit(&mut self, typed: &str, here: Here, full: Vec<Member>) -> Provider {
        let mut visit = Visit::start(typed, here, false, full).expect("an address");
        let mut turns = 0;
        while !visit.is_done() {
            let wanted = visit.wanted();
            assert!(!wanted.is_empty(), "nothing is under way and nothing is wanted");
            for request in wanted {
                self.asked.push(request.url.clone());
                let got = match self.answers.get(&request.url) {
                    Some((0, why, _)) if *why == "timeout" => Got::Timeout,
                    Some((0, why, _)) if *why == "large" => Got::TooLarge,
                    Some((0, ..)) => Got::Network,
                    Some((status @ 300..400, _, to)) => {
                        let _ = status;
                        let (status, kind, text) = self.answers[to].clone();
                        let headers = vec![("Content-Type".into(), kind.into())];
                        Got::Answer { status, url: to.clone(), headers, bytes: text.into_bytes() }
                    }
                    Some((status, kind, text)) => Got::Answer {
                        status: *status,
                        url: request.url.clone(),
                        headers: vec![("content-type".into(), (*kind).into())],
                        bytes: text.clone().into_bytes(),
                    },
                    None => Got::Answer {
                        status: 404,
                        url: request.url.clone(),
                        headers: vec![("content-type".into(), "text/html".into())],
                        // As many servers do: the page repeats what was asked for.
                        bytes: format!("<h1>Not found: {}</h1>", request.url).into_bytes(),
                    },
                };
                visit.answer(request.id, got);
            }
            turns += 1;
            assert!(turns < 1_000, "it never ends");
        }
        visit.finish()
    }
}

const AWAY: Here = Here { secure: true, loopback: false };
const INDEX: &str = "https://skills.example.com/.well-known/skill-sharing/index.json";

fn full_set() -> Vec<Member> {
    provider(&good()).full
}

#[track_caller]
fn visited(change: impl FnOnce(&mut Web), full: Vec<Member>, expected: &[(&str, &str)]) -> Vec<Case> {
    let mut web = Web::of(&good());
    change(&mut web);
    let provider = web.visit("skills.example.com", AWAY, full);
    let cases = suite::run(&provider, &Options::default()).cases;
    let found: Vec<_> = found(&cases).into_iter().map(|(c, r, _)| (c, r)).collect();
    assert_eq!(found, expected);
    cases
}

#[test]
fn a_provider_by_its_address() {
    let cases = visited(|_| {}, full_set(), &[]);
    assert!(cases.iter().all(|c| c.status.is_run() || c.check.starts_with("SSP-P8")), "{cases:?}");
    // Without the full set, completeness and leaks are not decided.
    let cases = visited(|_| {}, Vec::new(), &[]);
    let skipped: Vec<_> = cases.iter().filter(|c| c.status == Status::Skipped).map(|c| c.check).collect();
    assert_eq!(skipped, ["SSP-P6-COMPLETE", "SSP-P6-LEAK"]);
    // Every way that the first request can fail has its own sentence.
    for (answer, reason) in [
        ((404, "text/html", "no".to_owned()), "status_404"),
        ((401, "text/html", "no".to_owned()), "status_401"),
        ((503, "text/html", "no".to_owned()), "status_5xx"),
        ((200, "text/html", "<!doctype html><form>Sign in".to_owned()), "html_instead"),
        ((200, "application/json", String::new()), "empty_body"),
        ((200, "application/json", "{\"skills\":".to_owned()), "not_json"),
        ((0, "", String::new()), "fetch_network"),
        ((0, "timeout", String::new()), "fetch_timeout"),
        ((0, "large", String::new()), "fetch_too_large"),
    ] {
        let mut web = Web::of(&good());
        web.answers.insert(INDEX.into(), answer);
        let provider = web.visit("skills.example.com", AWAY, Vec::new());
        let cases = suite::run(&provider, &Options::default()).cases;
        let first: Vec<_> =
            found(&cases).into_iter().filter(|(c, ..)| *c == "SSP-P6-INDEX").map(|(_, r, _)| r).collect();
        assert_eq!(first, [reason]);
        for fault in cases.iter().flat_map(|c| &c.faults) {
            let said = fault.finding.sentence(skillscope::message::Lang::En);
            assert!(said.contains("http") || fault.finding.check != "SSP-P6-INDEX", "{said}");
        }
    }
    // A descriptor that fails is told apart from one that is invalid.
    let two = "https://skills.example.com/.well-known/skill-sharing/skills/two.json";
    let put = |url: &'static str, answer: (u16, &'static str, String)| {
        move |web: &mut Web| drop(web.answers.insert(url.into(), answer))
    };
    visited(put(two, (404, "text/html", "no".into())), full_set(), &[("SSP-P6-LINK", "status_404")]);
    visited(put(two, (0, "", String::new())), full_set(), &[("SSP-P6-LINK", "fetch_network")]);
    visited(put(two, (200, "text/html", "<html>Sign in".into())), full_set(), &[("SSP-P6-LINK", "html_instead")]);
    visited(
        put(two, (200, "text/plain", descriptor("com.example/two", "restricted", ""))),
        full_set(),
        &[("SSP-P6-HTTP", "content_type")],
    );
    // A restricted one may ask for a permission; that is not decided, and not a fault.
    let cases = visited(put(two, (401, "application/json", "{}".into())), full_set(), &[]);
    assert!(cases.iter().any(|c| c.check == "SSP-P6-LINK" && c.why == "needs-permission"));
    // Redirects: to another place of the site with a remark, to this machine never.
    visited(
        |web| {
            let moved = "https://skills.example.com/.well-known/skill-sharing/v2.json".to_owned();
            let index = web.answers.remove(INDEX).unwrap();
            web.answers.insert(moved.clone(), index);
            web.answers.insert(INDEX.into(), (301, "", moved));
        },
        full_set(),
        &[("SSP-P6-HTTP", "redirected")],
    );
    visited(
        |web| {
            web.answers.insert("https://127.0.0.1/x.json".into(), (200, "application/json", "{}".into()));
            web.answers.insert(two.into(), (302, "", "https://127.0.0.1/x.json".into()));
        },
        full_set(),
        &[("SSP-P6-LINK", "redirect_refused")],
    );
}

#[test]
fn what_must_not_answer_is_tried() {
    let mut web = Web::of(&good());
    let provider = web.visit("skills.example.com", AWAY, full_set());
    assert_eq!(web.asked[0], INDEX);
    assert!(web.asked.iter().any(|u| u.ends_with("/skills/secret-tool.json")), "{:?}", web.asked);
    assert_eq!(found(&suite::run(&provider, &Options::default()).cases), []);
    // A private descriptor that lies where it would lie if it were published; a page for every address is none.
    let place = "https://skills.example.com/.well-known/skill-sharing/skills/secret-tool.json";
    visited(
        |web| {
            let text = descriptor("com.example/secret-tool", "private", "");
            drop(web.answers.insert(place.into(), (200, "application/json", text)));
        },
        full_set(),
        &[("SSP-P6-PRIVATE-SERVED", "private_served")],
    );
    visited(|web| drop(web.answers.insert(place.into(), (200, "text/html", "<html>App".into()))), full_set(), &[]);
    visited(
        |web| drop(web.answers.insert(place.into(), (403, "text/html", "no".into()))),
        full_set(),
        &[("SSP-P6-HTTP", "confirms_private")],
    );
    // The planted leak of an index that is fetched.
    visited(
        |web| {
            let index = web.answers.get_mut(INDEX).unwrap();
            index.2 = index.2.replacen('{', "{\"x-next-release\":\"com.example%2Fsecret-tool\",", 1);
        },
        full_set(),
        &[("SSP-P6-LEAK", "leak_escaped")],
    );
}

#[test]
fn a_page_asks_only_where_it_may() {
    let refused = |text: &str, here: Here| Visit::start(text, here, false, Vec::new()).err().map(|r| r.reason);
    assert_eq!(refused("localhost:8080", AWAY), Some("url_loopback"));
    assert_eq!(refused("http://127.0.0.1:8080/", AWAY), Some("url_loopback"));
    assert_eq!(refused("192.168.1.1", AWAY), Some("url_private_address"));
    assert_eq!(refused("https://user:secret@example.com", AWAY), Some("url_userinfo"));
    assert_eq!(refused("ftp://example.com", AWAY), Some("url_scheme"));
    assert_eq!(refused("", AWAY), Some("url_host"));
    let home = Here { secure: false, loopback: true };
    assert_eq!(refused("localhost:8080", home), None);
    // An encrypted page may not read what is not encrypted: nothing is asked, the sentence says why.
    let visit = Visit::start("http://skills.example.com", AWAY, false, Vec::new()).ok().unwrap();
    assert!(visit.is_done());
    let cases = suite::run(&visit.finish(), &Options::default()).cases;
    assert_eq!(found(&cases)[0].1, "fetch_mixed");
    // Links of an index do not lead the page to this machine or into its network either.
    let mut web = Web::of(&good());
    let entries = ["http://localhost/x.json", "https://10.0.0.1/x.json", "file:///x", "https://skills.example.com/y#z"];
    let entries: Vec<String> = entries.iter().enumerate().map(|(i, u)| entry(&format!("a/{i}"), "public", u)).collect();
    web.answers.insert(INDEX.into(), (200, "application/json", index(&entries, r#","next":"http://[::1]/n.json""#)));
    web.visit("skills.example.com", AWAY, Vec::new());
    assert_eq!(web.asked, [INDEX]);
}
