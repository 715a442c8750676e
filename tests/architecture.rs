//! The rules of the house (ARCHITECTURE.md), read from the sources. A failure names the file, the rule, and why the
//! rule is there. Comments, string literals and test modules do not count. Under a second.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

/// A source file: where it is, as written, and its code alone.
struct File {
    /// From the root, with `/`.
    path: String,
    text: String,
    /// Without comments, the contents of strings, and the test module at the end.
    code: String,
}

impl File {
    /// `src/web/components/list.rs` is `["web", "components", "list"]`.
    fn module(&self) -> Vec<String> {
        let path = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            parts.pop();
        }
        parts
    }

    /// The part of the house it belongs to: the first segment of its module.
    fn part(&self) -> String {
        self.module().into_iter().next().unwrap_or_default()
    }

    fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether the code has this word, whole.
    fn has_word(&self, word: &str) -> bool {
        let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        self.code.match_indices(word).any(|(at, _)| {
            edge(self.code.get(..at).and_then(|b| b.chars().next_back()))
                && edge(self.code.get(at + word.len()..).and_then(|a| a.chars().next()))
        })
    }

    /// Every path inside the crate that the code names, from the root: `["web", "state", "nav"]`.
    fn paths(&self) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        for (word, from_root) in [("crate", true), ("super", false)] {
            for (at, _) in self.code.match_indices(&format!("{word}::")) {
                let before = self.code.get(..at).and_then(|b| b.chars().next_back());
                if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                    continue;
                }
                let mut base = if from_root { Vec::new() } else { self.module() };
                let mut rest = &self.code[at..];
                if from_root {
                    rest = &rest["crate::".len()..];
                }
                while let Some(next) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = next;
                }
                tree(&base, rest, &mut out);
            }
        }
        out
    }
}

/// Reads `a::b::{c, d::e}` behind `base`.
fn tree(base: &[String], text: &str, out: &mut Vec<Vec<String>>) {
    let mut path = base.to_vec();
    let mut rest = text;
    loop {
        if let Some(inner) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut from = 0;
            for (i, c) in inner.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if (c == ',' && depth == 1) || depth == 0 {
                    tree(&path, inner[from..i].trim_start(), out);
                    from = i + 1;
                }
                if depth == 0 {
                    return;
                }
            }
            return;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        path.push(rest[..end].to_owned());
        match rest[end..].strip_prefix("::") {
            Some(next) => rest = next,
            None => break,
        }
    }
    if path.len() > base.len() {
        out.push(path);
    }
}

/// Blanks out comments and the contents of string and character literals; cuts the test module off.
fn code_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    let mut i = 0;
    while i < chars.len() {
        let next = chars.get(i + 1).copied();
        match (chars[i], next) {
            ('/', Some('/')) => {
                while i < chars.len() && chars[i] != '\n' {
                    i += 1;
                }
            }
            ('r', Some('"' | '#')) if i == 0 || !(chars[i - 1].is_alphanumeric() || chars[i - 1] == '_') => {
                let hashes = chars[i + 1..].iter().take_while(|c| **c == '#').count();
                if chars.get(i + 1 + hashes) != Some(&'"') {
                    out.push('r');
                    i += 1;
                    continue;
                }
                i += 2 + hashes;
                while i < chars.len()
                    && !(chars[i] == '"' && chars[i + 1..].iter().take_while(|c| **c == '#').count() >= hashes)
                {
                    i += 1;
                }
                i += 1 + hashes;
                out.push_str("\"\"");
            }
            ('"', _) => {
                i += 1;
                while i < chars.len() && chars[i] != '"' {
                    i += if chars[i] == '\\' { 2 } else { 1 };
                }
                i += 1;
                out.push_str("\"\"");
            }
            // A character, not a lifetime.
            ('\'', Some('\\')) => {
                i += 3;
                while i < chars.len() && chars[i] != '\'' {
                    i += 1;
                }
                i += 1;
                out.push_str("' '");
            }
            ('\'', Some(_)) if chars.get(i + 2) == Some(&'\'') => {
                i += 3;
                out.push_str("' '");
            }
            (c, _) => {
                out.push(c);
                i += 1;
            }
        }
    }
    match out.find("#[cfg(test)]\nmod tests") {
        Some(at) => out[..at].to_owned(),
        None => out,
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn files(folder: &str) -> Vec<File> {
    let mut paths = Vec::new();
    walk(&root().join(folder), &mut paths);
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            File { code: code_of(&text), text, path }
        })
        .collect()
}

/// Fails with the rule, why it is there, and every place that breaks it.
#[track_caller]
fn hold(rule: &str, why: &str, broken: &[String]) {
    assert!(broken.is_empty(), "\n{rule}\n{why}\n  {}\n", broken.join("\n  "));
}

/// The crates that only exist in a browser.
const BROWSER: [&str; 7] =
    ["leptos", "web_sys", "js_sys", "wasm_bindgen", "wasm_bindgen_futures", "gloo_net", "futures_channel"];

/// Everything but the page and the programs of the browser.
fn is_pure(file: &File) -> bool {
    !(file.is_in("src/web")
        || ["src/main.rs", "src/bin/worker.rs", "src/bin/schemas.rs", "src/npm.rs"].contains(&file.path.as_str()))
}

/// Modules that find something out about a run. None may use another one.
const ANALYSES: [&str; 9] =
    ["topology", "loops", "usage", "align", "matching", "diagram", "judge", "validate", "contract"];

#[test]
fn rule_1_pure_modules_know_no_browser() {
    let mut broken = Vec::new();
    for file in files("src").iter().filter(|f| is_pure(f)) {
        for word in BROWSER.iter().filter(|w| file.has_word(w)) {
            broken.push(format!("{}: {word}", file.path));
        }
        let names_page = file.paths().iter().any(|p| p[0] == "web") || file.code.contains("skillscope::web");
        if names_page {
            broken.push(format!("{}: web", file.path));
        }
    }
    hold(
        "Rule 1: pure modules name no page and no browser crate.",
        "The same code runs in the worker, on the command line and in the tests; only so can it be tested without a browser.",
        &broken,
    );
}

#[test]
fn rule_2_analyses_do_not_know_each_other() {
    let mut broken = Vec::new();
    for file in files("src") {
        let part = file.part();
        let is_analysis = ANALYSES.contains(&part.as_str());
        for path in file.paths() {
            let to = path[0].as_str();
            let foreign = is_analysis && to != part && (ANALYSES.contains(&to) || to == "import");
            // What is under them all knows none of them.
            let upward = ["model", "json", "import"].contains(&part.as_str()) && ANALYSES.contains(&to);
            let top = is_analysis && ["engine", "report", "protocol", "route"].contains(&to);
            if foreign || upward || top {
                broken.push(format!("{}: {}", file.path, path.join("::")));
            }
        }
    }
    hold(
        "Rule 2: an analysis uses `model`, `json` and `format`, never another analysis; `model`, `json` and `import` use none.",
        "What two of them share (when are two steps the same?) lives in `model`, so that hash, loops and alignment always agree.",
        &broken,
    );
}

#[test]
fn rule_3_the_browser_is_touched_in_one_place() {
    let mut broken = Vec::new();
    for file in files("src") {
        const ELSEWHERE: [&str; 4] = ["src/web/view.rs", "src/bin/worker.rs", "src/bin/schemas.rs", "src/npm.rs"];
        if file.is_in("src/web/platform") || ELSEWHERE.contains(&file.path.as_str()) {
            continue;
        }
        for word in BROWSER.iter().filter(|w| !matches!(**w, "leptos" | "futures_channel") && file.has_word(w)) {
            broken.push(format!("{}: {word}", file.path));
        }
    }
    hold(
        "Rule 3a: web_sys, js_sys, wasm_bindgen and gloo_net stand only in src/web/platform, src/web/view.rs, the programs and src/npm.rs.",
        "One folder to read when a browser misbehaves, and one gate (platform/http.rs) for everything that leaves the page.",
        &broken,
    );
    let mut broken = Vec::new();
    for file in files("src").iter().filter(|f| f.is_in("src/web/components")) {
        for path in file.paths() {
            let foreign = match path[0].as_str() {
                "web" => path.get(1).is_some_and(|p| p != "components" && p != "view"),
                "route" | "protocol" | "engine" => true,
                _ => false,
            };
            if foreign {
                broken.push(format!("{}: {}", file.path, path.join("::")));
            }
        }
    }
    hold(
        "Rule 3b: components take props and callbacks; they know no state, route, platform, protocol, screen or command.",
        "Screens wire. A component that reaches for the store cannot be used twice.",
        &broken,
    );
}

#[test]
fn rule_4_the_page_runs_no_analysis() {
    const ALLOWED: [&str; 9] =
        ["web", "protocol", "route", "format", "fuzzy", "report", "message", "model", "viewport"];
    // What fills the shapes of `report` is for the engine.
    const ENGINE_ONLY: [&str; 16] = [
        "blocks",
        "compare",
        "compare_print",
        "compare_rows",
        "contract",
        "detail",
        "inspect",
        "loops",
        "many_list",
        "many_whole",
        "matching",
        "metrics",
        "rows",
        "summary",
        "topology",
        "usage",
    ];
    let mut broken = Vec::new();
    for file in files("src").iter().filter(|f| f.is_in("src/web")) {
        for path in file.paths() {
            let fills = path[0] == "report" && path.get(1).is_some_and(|p| ENGINE_ONLY.contains(&p.as_str()));
            if !ALLOWED.contains(&path[0].as_str()) || fills {
                broken.push(format!("{}: {}", file.path, path.join("::")));
            }
        }
        if file.has_word("jsonschema") {
            broken.push(format!("{}: jsonschema", file.path));
        }
    }
    hold(
        "Rule 4: the page uses protocol, route, format, fuzzy, message, viewport, and the plain data of report and model.",
        "Documents and analyses live in the worker: the page never blocks, and stays under 150 KB.",
        &broken,
    );
}

#[test]
fn rule_5_one_way_to_build_and_no_way_to_panic() {
    let mut broken = Vec::new();
    for file in files("src") {
        for (n, line) in file.text.lines().enumerate() {
            let line = line.trim();
            if line.starts_with("//") {
                continue;
            }
            let place = format!("{}:{}", file.path, n + 1);
            if line.contains("cfg(target_arch") || line.contains("cfg!(target_arch") {
                broken.push(format!("{place}: {line}"));
            }
            if ["cfg(feature", "cfg!(feature", "cfg_attr(feature", "cfg_attr(not(feature"]
                .iter()
                .any(|c| line.contains(c))
            {
                let next = file.text.lines().skip(n + 1).find(|l| !l.trim().starts_with("#[")).unwrap_or_default();
                let known = match file.path.as_str() {
                    "src/lib.rs" => ["pub mod web;", "pub mod npm;"].contains(&next.trim()),
                    // Two ways to one checker of schemas: here, or in a program of its own.
                    "src/schema.rs" => ["mod checker;", "pub use checker::*;"].contains(&next.trim()),
                    _ => false,
                };
                if !known {
                    broken.push(format!("{place}: {line}"));
                }
            }
        }
    }
    hold(
        "Rule 5a: no cfg(target_arch); cfg(feature) only on the lines of `web` and `npm` in src/lib.rs, and of `checker` in src/schema.rs.",
        "What runs in the browser is what the tests ran. The compiler keeps the rest apart by features alone.",
        &broken,
    );
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let lints = manifest.split("[lints.clippy]").nth(1).unwrap_or_default();
    let missing: Vec<String> = ["unwrap_used", "expect_used", "todo", "unimplemented", "dbg_macro"]
        .iter()
        .filter(|lint| !lints.lines().any(|l| l.replace(' ', "") == format!("{lint}=\"deny\"")))
        .map(|lint| format!("Cargo.toml, [lints.clippy]: {lint} is not denied"))
        .collect();
    let mut allowed = Vec::new();
    for file in files("src") {
        // clippy knows the first two; helpers of integration tests may panic, so the others are looked for here.
        for word in ["unwrap_used", "expect_used", "panic!", "unreachable!", "assert!", "assert_eq!", "assert_ne!"] {
            let found = file.code.match_indices(word).any(|(at, _)| !file.code[..at].ends_with("debug_"));
            if found {
                allowed.push(format!("{}: {word}", file.path));
            }
        }
    }
    hold(
        "Rule 5b: no unwrap, expect or panic outside tests; clippy denies them, and no file allows them again.",
        "Any bytes at all may be dropped. A panic in the worker takes every open file with it.",
        &[missing, allowed].concat(),
    );
}

#[test]
fn rule_6_every_file_says_what_it_decides() {
    let mut broken = Vec::new();
    for file in files("src").iter().chain(&files("tests")) {
        let head: Vec<&str> = file.text.lines().take_while(|l| l.starts_with("//!")).collect();
        let said: usize = head.iter().map(|l| l.trim_start_matches("//!").trim().len()).sum();
        if said < 20 {
            broken.push(file.path.clone());
        }
    }
    hold(
        "Rule 6: every file starts with `//!`: what it decides, what it costs, where its rules come from.",
        "The map in the sources is the one that cannot be forgotten. (tests/docs.rs keeps the tables in step with their pages.)",
        &broken,
    );
}

#[test]
fn rule_7_no_hash_order_reaches_output() {
    const WALKS: [&str; 11] = [
        ".iter()",
        ".iter_mut()",
        ".keys()",
        ".into_keys()",
        ".values()",
        ".values_mut()",
        ".into_values()",
        ".into_iter()",
        ".drain()",
        ".drain(",
        ".retain(",
    ];
    let mut broken = Vec::new();
    for file in files("src") {
        let mut names: Vec<&str> = Vec::new();
        for line in file.code.lines() {
            if line.contains("use ") {
                continue;
            }
            let Some(at) = ["HashMap", "HashSet"].iter().filter_map(|h| line.find(h)).min() else { continue };
            if line.contains("-> ") && line.find("-> ").is_some_and(|a| a < at) {
                broken.push(format!("{}: a function gives a hash table away: {}", file.path, line.trim()));
            }
            // `name: HashMap<…>` or `let mut name = HashMap::new()`
            let before = line[..at]
                .trim_end_matches("std::collections::")
                .trim_end_matches(|c: char| c.is_whitespace() || ":=&<".contains(c) || c == '(');
            let name = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            if !name.is_empty() && name.chars().all(|c| c.is_lowercase() || c == '_' || c.is_ascii_digit()) {
                names.push(name);
            }
        }
        names.sort_unstable();
        names.dedup();
        // A call may begin on the next line.
        let joined: String = file.code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".");
        for name in names {
            // `run.turns` is another thing than a table `turns` of this file.
            let edge = |at: usize| {
                let before = &joined[..at];
                !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    && (!before.ends_with('.') || before.ends_with("self."))
            };
            for walk in WALKS {
                let pattern = format!("{name}{walk}");
                if joined.match_indices(&pattern).any(|(at, _)| edge(at)) {
                    broken.push(format!("{}: {pattern}", file.path));
                }
            }
            for start in [" in &", " in &mut ", " in ", " in self.", " in &self.", " in &mut self."] {
                let pattern = format!("{start}{name} {{");
                if joined.contains(&pattern) {
                    broken.push(format!("{}: for …{pattern}", file.path));
                }
            }
        }
    }
    hold(
        "Rule 7: a HashMap or HashSet is only looked up, never walked; what is walked is a BTreeMap or sorted.",
        "The order of a hash table changes from run to run: the same file must give the same bytes everywhere.",
        &broken,
    );
}

/// The reader of the rules is code too: what it must see, and what it must not.
#[test]
fn the_rules_see_what_they_should() {
    let file = |path: &str, text: &str| File { path: path.into(), text: text.into(), code: code_of(text) };
    let paths = |f: &File| f.paths().iter().map(|p| p.join("::")).collect::<Vec<_>>();
    let f = file(
        "src/web/components/list.rs",
        "use crate::{format, report::{Row, Rows}};\nuse super::super::state::nav;\nfn f() { crate::web::platform::dom::go() } // crate::engine\nlet s = \"crate::loops\";\n#[cfg(test)]\nmod tests { use crate::topology; }",
    );
    assert_eq!(paths(&f), ["format", "report::Row", "report::Rows", "web::platform::dom::go", "web::state::nav"]);
    let f = file("src/a.rs", "let c = '\"'; use js_sys::Array; let r = r#\"leptos \" x\"#; fn g<'a>(x: &'a str) {}");
    assert!(f.has_word("js_sys") && !f.has_word("leptos") && f.has_word("g"), "{}", f.code);
    assert!(!file("src/a.rs", "let my_leptos = 1;").has_word("leptos"));
}
