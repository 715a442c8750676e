//! A provider's set as a whole: planted faults one by one (each gives exactly its
//! finding), and what is not decidable, which is skipped and says why.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

use skillscope::model::Severity;
use skillscope::skill::Options;
use skillscope::skill::provider::{Extent, Provider};
use skillscope::skill::suite::{self, Case, Status};
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
