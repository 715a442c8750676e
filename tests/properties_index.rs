//! The correctness properties 5, 6 and 7 of chapter 12 over random providers, each with a model of its own that knows
//! nothing of the code. At least 100 cases each; proptest prints seed and the smallest counterexample.
//!
//! Feature: skill-sharing-protocol, Property 5: identifiers in an index are unique
//! Feature: skill-sharing-protocol, Property 6: an index lists every skill that is not private, and no private one
//! Feature: skill-sharing-protocol, Property 7: a filter by capability type is sound and complete

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use proptest::prelude::*;
use skillscope::skill::provider::Provider;
use skillscope::skill::publish::{Published, publish};
use skillscope::skill::suite::{self, Case};
use skillscope::skill::wellknown::Reach;
use skillscope::skill::{Options, filter};

const CASES: u32 = 128;
const ACCESS: [&str; 3] = ["public", "restricted", "private"];
const CAPABILITY: [&str; 4] = ["plugin", "api", "knowledge", "task"];
const FOLDER: &str = ".well-known/skill-sharing/";

/// A skill of a random provider.
#[derive(Clone, Debug)]
struct Skill {
    id: String,
    name: String,
    access: usize,
    capability: usize,
}

impl Skill {
    fn is_private(&self) -> bool {
        ACCESS[self.access] == "private"
    }

    fn descriptor(&self, extra: &str) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        format!(
            r#"{{"protocol":{{"version":"1.0.0"}},"id":{id},"name":{name},"version":"1.0.0",
"capability_type":"{capability}","description":"Does one thing.","provider":{{"name":"Example Ltd"}},
"endpoint":{{"url":"https://api.example.com/run"}},"inputs":{{"type":"object"}},"output":{{}},
"auth":{{"type":"none"}},"access":"{access}"{extra}}}"#,
            id = quoted(&self.id),
            name = quoted(&self.name),
            capability = CAPABILITY[self.capability],
            access = ACCESS[self.access],
        )
    }

    fn entry(&self, url: &str) -> serde_json::Value {
        serde_json::json!({"id": self.id, "name": self.name, "capability_type": CAPABILITY[self.capability],
            "access": ACCESS[self.access], "descriptor_url": url})
    }
}

/// Ids that look like people's: a name space, and a word with a number that makes it another one.
fn skill(n: usize) -> impl Strategy<Value = Skill> {
    let word = prop::sample::select(vec!["translate", "handbook", "payroll", "Search", "fetch-page", "x_y", "a.b"]);
    let space = prop::sample::select(vec!["com.example/", "org.example:tools/", "skills@", ""]);
    (space, word, 0..3usize, 0..4usize).prop_map(move |(space, word, access, capability)| Skill {
        id: format!("{space}{word}{n}"),
        name: format!("{word} no. {n} 技能"),
        access,
        capability,
    })
}

fn skills(max: usize) -> impl Strategy<Value = Vec<Skill>> {
    (1..=max).prop_flat_map(|n| (0..n).map(skill).collect::<Vec<_>>())
}

fn cases(files: Vec<(String, String)>) -> Vec<Case> {
    let files = files.into_iter().map(|(n, t)| (n, t.into_bytes())).collect();
    suite::run(&Provider::from_files(files, Reach::default()), &Options::default()).cases
}

/// Check and pointer of the errors of some checks.
fn errors(cases: &[Case], property: u8) -> Vec<(String, String)> {
    let faults = cases.iter().flat_map(|c| &c.faults);
    let wanted = faults.filter(|f| {
        f.finding.property == property && f.finding.severity == skillscope::model::Severity::Error && !f.finding.house
    });
    wanted.map(|f| (f.finding.check.to_owned(), f.finding.pointer.clone())).collect()
}

/// The full set beside what is served.
fn provider_files(set: &[Skill], published: &Published) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> =
        set.iter().enumerate().map(|(i, s)| (format!("p/set/{i}.json"), s.descriptor(""))).collect();
    let served = published.files.iter().map(|(n, b)| (format!("p/{n}"), String::from_utf8(b.clone()).unwrap()));
    files.extend(served);
    files
}

fn published(set: &[Skill]) -> Published {
    let files = set.iter().enumerate().map(|(i, s)| (format!("set/{i}.json"), s.descriptor("").into_bytes())).collect();
    publish(&Provider::from_files(files, Reach::default())).unwrap_or_else(|faults| {
        let told: Vec<_> = faults.iter().map(|f| (f.finding.check, f.finding.reason, &f.finding.args)).collect();
        panic!("not published: {told:?}")
    })
}

fn unzip(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|i| {
            let mut file = archive.by_index(i).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().to_owned(), bytes)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    /// Feature: skill-sharing-protocol, Property 5: identifiers in an index are unique
    #[test]
    fn property_5_identifiers_in_an_index_are_unique(
        set in skills(8),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..14),
        cut in any::<prop::sample::Index>(),
    ) {
        // Any multiset of entries, on one page or on two.
        let picked: Vec<&Skill> = picks.iter().map(|i| i.get(&set)).collect();
        let entries: Vec<_> = picked.iter().enumerate().map(|(i, s)| s.entry(&format!("skills/{i}.json"))).collect();
        let cut = cut.index(entries.len() + 1);
        let page = |entries: &[serde_json::Value], next: Option<&str>| {
            let mut page = serde_json::json!({"protocol": {"version": "1.0.0"}, "skills": entries});
            if let Some(next) = next {
                page["next"] = next.into();
            }
            page.to_string()
        };
        let files = vec![
            (format!("{FOLDER}index.json"), page(&entries[..cut], Some("page-2.json"))),
            (format!("{FOLDER}page-2.json"), page(&entries[cut..], None)),
        ];
        let cases = cases(files);
        let found: BTreeSet<(usize, String)> = cases.iter().flat_map(|c| &c.faults)
            .filter(|f| f.finding.check == "SSP-P5-DUPLICATE-ID")
            .map(|f| (f.file, f.finding.pointer.clone())).collect();
        let mut seen = BTreeSet::new();
        let mut expected = BTreeSet::new();
        for (i, skill) in picked.iter().enumerate() {
            if !seen.insert(&skill.id) {
                let (file, at) = if i < cut { (0, i) } else { (1, i - cut) };
                expected.insert((file, format!("/skills/{at}/id")));
            }
        }
        prop_assert_eq!(found, expected);
    }

    /// Feature: skill-sharing-protocol, Property 6: an index lists every skill that is not private, and no private one
    #[test]
    fn property_6_an_index_lists_every_skill_that_is_not_private_and_no_private_one(
        set in skills(7),
        pick in any::<prop::sample::Index>(),
        disguise in 0..6usize,
        host in any::<prop::sample::Index>(),
    ) {
        let done = published(&set);
        // What is listed is what the model says.
        let listed: BTreeSet<&str> = done.listed.iter().map(|(id, ..)| id.as_str()).collect();
        let public: BTreeSet<&str> = set.iter().filter(|s| !s.is_private()).map(|s| s.id.as_str()).collect();
        prop_assert_eq!(&listed, &public);
        prop_assert_eq!(done.withheld, set.len() - public.len());
        // The same bytes each time, whatever the order of the files.
        let bytes = done.zip().unwrap();
        let backwards: Vec<Skill> = set.iter().rev().cloned().collect();
        prop_assert_eq!(&bytes, &published(&backwards).zip().unwrap());
        // No trace of a private skill, in the archive or in what it holds.
        let inside = unzip(&bytes);
        prop_assert!(inside.contains_key(".nojekyll"));
        let text = inside.values().fold(bytes.clone(), |mut all, b| { all.extend_from_slice(b); all });
        let all = format!("{}\n{}", String::from_utf8_lossy(&text), inside.keys().cloned().collect::<Vec<_>>().join("\n"));
        for secret in set.iter().filter(|s| s.is_private()) {
            prop_assert!(!all.contains(&secret.id) && !all.contains(&secret.name), "{}", secret.id);
            let slug: String = secret.id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
            prop_assert!(!all.contains(&slug), "{}", slug);
        }
        // Every link leads to a descriptor that is exactly the one of the set.
        let index: serde_json::Value = serde_json::from_slice(&inside[&format!("{FOLDER}index.json")]).unwrap();
        for entry in index["skills"].as_array().unwrap() {
            let path = format!("{FOLDER}{}", entry["descriptor_url"].as_str().unwrap());
            let skill = set.iter().find(|s| s.id == entry["id"].as_str().unwrap()).unwrap();
            prop_assert_eq!(String::from_utf8(inside[&path].clone()).unwrap(), skill.descriptor(""));
        }
        // What was published passes, beside its full set.
        let files = provider_files(&set, &done);
        let clean = cases(files.clone());
        prop_assert_eq!(errors(&clean, 6), Vec::new());
        prop_assert_eq!(errors(&clean, 5), Vec::new());
        let open: Vec<_> = clean.iter().filter(|c| !c.status.is_run() && c.check.starts_with("SSP-P6")).collect();
        prop_assert!(open.is_empty(), "{:?}", open);

        // Taking any entry out is one finding; putting a private one in is one.
        let index_at = files.iter().position(|(n, _)| n.ends_with("index.json")).unwrap();
        let with_index = |index: &serde_json::Value| {
            let mut files = files.clone();
            files[index_at].1 = index.to_string();
            cases(files)
        };
        if !public.is_empty() {
            let mut less = index.clone();
            let n = pick.index(public.len());
            less["skills"].as_array_mut().unwrap().remove(n);
            prop_assert_eq!(errors(&with_index(&less), 6), vec![("SSP-P6-COMPLETE".to_owned(), "/skills".to_owned())]);
        }
        if let Some(secret) = set.iter().find(|s| s.is_private()) {
            let mut more = index.clone();
            let last = public.len();
            more["skills"].as_array_mut().unwrap().push(secret.entry("skills/none.json"));
            let found = errors(&with_index(&more), 6);
            let listed = ("SSP-P6-PRIVATE-LISTED".to_owned(), format!("/skills/{last}"));
            prop_assert!(found.contains(&listed), "{:?}", found);
            prop_assert!(!found.iter().any(|(c, _)| c == "SSP-P6-LEAK"), "one fault, one finding: {:?}", found);

            // A planted leak is found wherever it hides, in whichever served file.
            let id = &secret.id;
            let escaped: String = id.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
            let percent: String = id.bytes().map(|b| format!("%{b:02x}")).collect();
            let planted = [
                format!("\"{id}\""),
                format!("\"{escaped}\""),
                format!("\"https://x.example/?skill={percent}\""),
                format!("{{\"{id}\": 1}}"),
                format!("[\"\", [\"{}\"]]", id.replace('/', "\\/")),
                format!("\"{{\\\"skill\\\": \\\"{id}\\\"}}\""),
            ][disguise].clone();
            let served: Vec<usize> = files.iter().enumerate()
                .filter(|(_, (n, _))| n.starts_with("p/.well-known/") && n.ends_with(".json")).map(|(i, _)| i).collect();
            let at = *host.get(&served);
            let mut leaky = files.clone();
            let end = leaky[at].1.trim_end().len() - 1;
            leaky[at].1.replace_range(end.., &format!(",\"x-note\":{planted}}}"));
            let found = cases(leaky);
            let leaks: Vec<_> = found.iter().flat_map(|c| &c.faults).filter(|f| f.finding.check == "SSP-P6-LEAK").collect();
            prop_assert_eq!(leaks.len(), 1, "{} {}", planted, id);
            prop_assert!(leaks[0].finding.pointer.starts_with("/x-note"));
            prop_assert_eq!(leaks[0].finding.severity, skillscope::model::Severity::Error);
        }
    }

    /// Feature: skill-sharing-protocol, Property 7: a filter by capability type is sound and complete
    #[test]
    fn property_7_a_filter_by_capability_type_is_sound_and_complete(
        set in prop::collection::vec((0..6usize, "[a-z]{0,3}"), 0..20),
        wrong in "[a-zA-Z ]{0,10}",
    ) {
        let words = ["plugin", "api", "knowledge", "task", "API", "tool"];
        let items: Vec<(usize, &str, &str)> = set.iter().enumerate().map(|(i, (w, t))| (i, words[*w], t.as_str())).collect();
        let by = |items: &[(usize, &'static str, String)], word: &str| -> Vec<(usize, &'static str, String)> {
            filter::by_capability(items, word, |i| i.1).unwrap().into_iter().cloned().collect()
        };
        let owned: Vec<(usize, &'static str, String)> =
            items.iter().map(|(i, w, t)| (*i, *words.iter().find(|x| *x == w).unwrap(), (*t).to_owned())).collect();
        let mut union = Vec::new();
        for word in CAPABILITY {
            let kept = by(&owned, word);
            // Sound, complete, in order, unchanged, as often as in the set: exactly what a loop by hand gives.
            let mut by_hand = Vec::new();
            for item in &owned {
                if item.1 == word {
                    by_hand.push(item.clone());
                }
            }
            prop_assert_eq!(&kept, &by_hand);
            // Filtering again changes nothing.
            prop_assert_eq!(&by(&kept, word), &kept);
            union.extend(kept);
        }
        // The four together are the items that have a capability type, each once.
        union.sort();
        let typed: Vec<_> = owned.iter().filter(|i| CAPABILITY.contains(&i.1)).cloned().collect();
        prop_assert_eq!(union, typed);
        // Any other word is an error that names the field, never an empty list.
        if !CAPABILITY.contains(&wrong.as_str()) {
            let error = filter::by_capability(&owned, &wrong, |i| i.1).unwrap_err();
            prop_assert_eq!(error.field, "capability_type");
            prop_assert_eq!(error.word, wrong);
        }
    }
}

/// The judge of a filter has teeth: each way to be wrong is seen.
#[test]
fn a_wrong_filter_is_seen() {
    use skillscope::model::Capability::Api;
    let items = [("a", "api"), ("b", "task"), ("c", "api")];
    let judge = |kept: &[&(&str, &str)]| filter::judge(&items, kept, Api, |i| i.1, |a, b| a == b);
    assert_eq!(judge(&[&items[0], &items[2]]), filter::Judged::default());
    assert_eq!(judge(&[&items[0], &items[1], &items[2]]).foreign, Some(1));
    assert_eq!(judge(&[&items[0]]).missing, Some(2));
    assert_eq!(judge(&[&items[2], &items[0]]).missing, Some(0));
    assert_eq!(judge(&[]).missing, Some(0));
}
