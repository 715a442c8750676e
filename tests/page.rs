//! Analysis pages: nothing that was removed is in any byte of them, and read back they are what they were. The secrets
//! are made up.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use skillscope::engine::{PageAsked, Workbench};
use skillscope::import::{is_page, page_from};
use skillscope::message::{Lang, fill_id};
use skillscope::model::StepKind;
use skillscope::protocol::{Job, Outcome};
use skillscope::report::{RunRef, ShareChoices, SharedPage};
use skillscope::share::container::PLACES;

const TEMPLATE: &str = "<!doctype html>\n<html lang=\"@@skillscope:lang@@\" data-skillscope-page=\"1\">\n<title>@@skillscope:title@@</title>\n@@skillscope:report@@\n@@skillscope:data@@\n</html>\n";

/// What must not come out, in no way of writing it.
const SECRETS: [&str; 7] = [
    "sk-proj-Q2x5Zm9vYmFyMTIzNDU2Nzg5",
    "ada.lovelace@example.org",
    "AKIAIOSFODNN7EXAMPL3",
    "correct-horse-7battery",
    "marigold",
    "Zubrowka",
    "hunter22",
];

fn open(files: &[(&str, &[u8])]) -> Workbench {
    let mut bench = Workbench::new();
    let mut quiet = |_| {};
    for (file, (name, bytes)) in (0u32..).zip(files) {
        bench.handle(Job::Open { file, name: (*name).into(), size: 0, format: None }, None, &mut quiet);
        bench.handle(Job::Chunk { file }, Some(bytes), &mut quiet);
        bench.handle(Job::Finish { file }, None, &mut quiet);
    }
    bench.handle(Job::Assemble { files: (0..files.len() as u32).collect() }, None, &mut quiet);
    bench
}

fn all(bench: &Workbench) -> Vec<RunRef> {
    bench.documents().flat_map(|d| (0..d.runs.len() as u32).map(|run| RunRef { document: d.id, run })).collect()
}

fn page(bench: &Workbench, choices: ShareChoices, view: &str) -> Result<SharedPage, String> {
    let asked = PageAsked { runs: all(bench), choices, view: view.into(), lang: "en".into() };
    bench.page(&asked, TEMPLATE).map_err(|(id, args)| format!("{id} {args:?}"))
}

/// A run that holds the secrets in every place and in every way of writing.
fn planted() -> Vec<u8> {
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let (key, mail, aws, word) = (SECRETS[0], SECRETS[1], SECRETS[2], SECRETS[3]);
    let escaped: String = key.encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
    let percent: String = mail.bytes().map(|b| format!("%{b:02x}")).collect();
    let inner = json(&format!("{{\"env\":{{\"OPENAI_API_KEY\":\"{key}\"}},\"cmd\":\"login {mail}\"}}"));
    let tape = [
        json(&format!("cat <<EOF > .env\nPASSWORD={word}\nEOF")),
        json(&format!("{{\"command\":\"curl https://bob:hunter22@host/x?to={percent}\",\"nested\":{inner}}}")),
        json(&STANDARD.encode(format!("aws_access_key_id = {aws}\nfrom {mail}\n"))),
        json(&URL_SAFE_NO_PAD.encode(STANDARD.encode(format!("twice: {key} {mail} and more text")))),
        json(&format!("seen again without a hint: {word} {key}; zubrowka and ZUBROWKA; drwx marigold staff")),
    ];
    format!(
        r#"{{"format":"skillscope-run","version":1,"id":"run for {mail}","title":"Mail {mail} about Zubrowka <b>bold</b>",
"source":{{"format":"claude-code"}},"agent":{{"name":"Claude Code"}},"models":["m"],"lanes":[{{"name":"marigold's helper"}}],
"turns":[{{"lane":0,"id":"{key}","model":0}}],"facts":[["cwd","/home/marigold/work"],["token","{key}"]],"labels":[["owner","{mail}"]],
"skills":[{{"name":"bash","description":"asks {mail}"}}],
"steps":[{{"kind":"person","lane":0,"text":{}}},
{{"kind":"thought","lane":0,"text":"{escaped} is the key of \u0061da.lovelace\u0040example.org"}},
{{"kind":"action","lane":0,"turn":0,"call":{{"id":"c1","tool":"bash","args":{{"form":"json","raw":{}}},"status":"ok","observation":{{"text":{},"structured":{}}}}}}},
{{"kind":"say","lane":0,"text":{}}}]}}
"#,
        tape[0],
        tape[1],
        tape[2],
        json(&format!("{{\"stdout\":{}}}", tape[3])),
        tape[4]
    )
    .into_bytes()
}

/// Every way of reading bytes that a curious person would try: as they are, unescaped, from hex-less base64 of any
/// alignment, from gzip, and again what comes out of that.
fn readings(bytes: &[u8], depth: u8, out: &mut Vec<Vec<u8>>) {
    out.push(bytes.to_vec());
    if depth == 0 {
        return;
    }
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
        return readings(&plain, depth - 1, out);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut unescaped = text.replace("\\\"", "\"").replace("\\/", "/").replace("\\\\", "\\");
    for code in 0x20..0x7fu32 {
        let c = char::from_u32(code).unwrap().to_string();
        for way in [
            format!("\\u{code:04x}"),
            format!("\\u{code:04X}"),
            format!("%{code:02x}"),
            format!("%{code:02X}"),
            format!("&#{code};"),
        ] {
            unescaped = unescaped.replace(&way, &c);
        }
    }
    if unescaped != text {
        readings(unescaped.as_bytes(), depth - 1, out);
    }
    let is = |b: u8| b.is_ascii_alphanumeric() || b"+/-_=".contains(&b);
    for run in text.as_bytes().split(|b| !is(*b)).filter(|run| run.len() >= 16) {
        let run: Vec<u8> = run
            .iter()
            .map(|b| match b {
                b'-' => b'+',
                b'_' => b'/',
                b => *b,
            })
            .filter(|b| *b != b'=')
            .collect();
        let engine = base64::engine::GeneralPurpose::new(
            &base64::alphabet::STANDARD,
            base64::engine::GeneralPurposeConfig::new()
                .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
                .with_decode_allow_trailing_bits(true),
        );
        for cut in 0..4.min(run.len()) {
            let piece = &run[cut..];
            let piece = &piece[..piece.len() - usize::from(piece.len() % 4 == 1)];
            if let Ok(plain) = engine.decode(piece) {
                readings(&plain, depth - 1, out);
            }
        }
    }
}

fn found(bytes: &[u8]) -> Vec<&'static str> {
    let mut all = Vec::new();
    readings(bytes, 4, &mut all);
    SECRETS
        .into_iter()
        .filter(|secret| {
            let secret = secret.to_ascii_lowercase();
            all.iter().any(|r| String::from_utf8_lossy(r).to_ascii_lowercase().contains(&secret))
        })
        .collect()
}

fn names() -> ShareChoices {
    ShareChoices { names: vec!["Zubrowka".into()], ..ShareChoices::default() }
}

#[test]
fn no_planted_secret_is_in_any_byte() {
    let bench = open(&[("/home/marigold/runs/ada.lovelace@example.org.json", &planted())]);
    // The search itself sees them all where they were planted.
    assert_eq!(found(&planted()), SECRETS);
    for switched in [&[][..], &["prompts", "media", "records"], &["thoughts", "results"]] {
        let choices = ShareChoices { parts_switched: switched.iter().map(|s| (*s).to_owned()).collect(), ..names() };
        let page = page(&bench, choices, "#/d/x?filter=zubrowka").unwrap();
        assert_eq!(found(page.html.as_bytes()), [""; 0], "{switched:?}");
        assert!(!page.html.contains("@@skillscope"));
        // The receipt tells what was removed, and the name of the file is clean too.
        assert!(
            page.receipt.removed.iter().any(|(kind, values, _)| kind == "email" && *values >= 1),
            "{:?}",
            page.receipt
        );
        assert_eq!(found(page.name.as_bytes()), [""; 0]);
        assert_eq!(page.receipt.bytes, page.html.len() as u64);
    }
}

#[test]
fn what_the_user_keeps_stays_and_what_is_named_goes() {
    let bench = open(&[("run.json", &planted())]);
    let keep = ShareChoices { keep: vec!["ada.lovelace@example.org".into()], ..names() };
    let kept = page(&bench, keep, "").unwrap();
    assert_eq!(found(kept.html.as_bytes()), ["ada.lovelace@example.org"]);
    let off = ShareChoices { kinds_off: vec!["user".into()], ..ShareChoices::default() };
    assert_eq!(found(page(&bench, off, "").unwrap().html.as_bytes()), ["marigold", "Zubrowka"]);
}

#[test]
fn a_name_that_is_a_word_of_the_format_does_not_break_the_page() {
    let bench = open(&[("run.json", &planted())]);
    let words = ["text", "tool", "steps", "action", "json", "bash", "Steps", "skillscope", "run", "data"];
    let choices = ShareChoices { names: words.iter().map(|w| (*w).to_owned()).collect(), ..names() };
    let page = page(&bench, choices, "").unwrap();
    let read = page_from(page.html.as_bytes()).unwrap();
    let back = open(&[(&read.documents[0].name, read.documents[0].text.as_bytes())]);
    let run = &back.documents().next().unwrap().runs[0].run;
    assert_eq!(run.steps.len(), 4);
    assert_eq!(run.steps[2].kind, StepKind::Action);
    assert!(run.steps[2].call.as_deref().unwrap().tool.starts_with("[name-"));
}

#[test]
fn parts_that_are_left_out_are_empty_and_steps_keep_their_numbers() {
    let bench = open(&[("run.json", &planted())]);
    let choices = ShareChoices { parts_switched: vec!["thoughts".into(), "results".into()], ..names() };
    let page = page(&bench, choices, "").unwrap();
    assert_eq!(page.receipt.left_out, [("thoughts".to_owned(), 1), ("results".to_owned(), 1)]);
    let back = open(&[("x.html", page.html.as_bytes())]);
    let run = &back.documents().next().unwrap().runs[0].run;
    let kinds: Vec<StepKind> = run.steps.iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [StepKind::Person, StepKind::Thought, StepKind::Action, StepKind::Say]);
    assert!(run.steps[1].content.text.is_empty());
    assert!(run.steps[2].call.as_deref().unwrap().observation.as_ref().unwrap().content.text.is_empty());
}

fn fixtures(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { fixtures(&path, out) } else { out.push(path) }
    }
}

/// What is known of a run and does not depend on which file it is read from.
fn analysis(bench: &Workbench) -> Vec<String> {
    let runs = bench.documents().flat_map(|d| &d.runs);
    runs.map(|r| {
        let mut s = r.summary.clone();
        s.index = 0;
        s.findings = Default::default();
        let loops = skillscope::report::loops::loop_report(&r.run, &r.loops, &Default::default());
        format!("{s:#?} {loops:#?}")
    })
    .collect()
}

/// Everything is shared and nothing looked for: the page must open as what it was.
#[test]
fn dropped_back_it_is_the_same_analysis() {
    let mut paths = Vec::new();
    for folder in ["tests/fixtures", "public/examples"] {
        fixtures(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut paths);
    }
    let everything = ShareChoices {
        kinds_off: ["key", "private-key", "secret", "url-secret", "random", "email", "user", "name"]
            .map(String::from)
            .to_vec(),
        parts_switched: ["prompts", "media", "records"].map(String::from).to_vec(),
        ..ShareChoices::default()
    };
    let mut checked = 0;
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bench = open(&[(&name, &bytes)]);
        if all(&bench).is_empty() {
            continue;
        }
        let page = page(&bench, everything.clone(), "").unwrap();
        assert!(is_page(page.html.as_bytes()));
        let back = open(&[("shared.html", page.html.as_bytes())]);
        assert_eq!(analysis(&back), analysis(&bench), "{name}");
        let document = back.documents().next().unwrap();
        let report = &document.parts[0].report;
        assert!(report.wrapped.contains(&"page".to_owned()) && report.refused.is_none(), "{name}: {report:?}");
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn the_view_is_said_in_the_names_of_the_page() {
    let bytes = planted();
    let check = |runs: &[u32], view: &str, want: &str| {
        let bench = open(&[("a/first.json", &bytes), ("b/second.json", &[bytes.clone(), bytes.clone()].concat())]);
        let all = all(&bench);
        assert_eq!(all.len(), 3);
        let runs = runs.iter().map(|n| all[*n as usize]).collect();
        let asked = PageAsked { runs, choices: names(), view: view.into(), lang: "en".into() };
        let page = bench.page(&asked, TEMPLATE).unwrap();
        assert_eq!(page_from(page.html.as_bytes()).unwrap().view, want, "{view}");
        page.html
    };
    check(&[0, 1, 2], "", "");
    check(&[0], "#/d/a%2Ffirst.json/loops?step=3", "#/d/first.json/loops?step=3");
    check(&[2], "#/d/b%2Fsecond.json/2/diagram", "#/d/second.json/diagram");
    check(&[1, 2], "#/d/b%2Fsecond.json/2?filter=zubrowka", "#/d/second.json/2?filter=%5Bname-1%5D");
    let html = check(
        &[2, 0],
        "#/compare/b%2Fsecond.json:2/a%2Ffirst.json:1?same=tool",
        "#/compare/second.json:1/first.json:1?same=tool",
    );
    assert!(html.contains(&fill_id(Lang::En, "page.compared", &[])));
    // A view of something that is not shared is none.
    check(&[0], "#/d/b%2Fsecond.json/2", "");
}

#[test]
fn texts_cannot_leave_their_place() {
    let hostile = br#"{"format":"skillscope-run","version":1,"title":"</title><script>alert(1)</script>","source":{"format":"codex"},"models":[],"lanes":[{"name":""}],"turns":[],
"steps":[{"kind":"person","lane":0,"text":"</script><img src=x onerror=alert(1)> @@skillscope:data@@ \u0000\u202e"},
{"kind":"action","lane":0,"call":{"tool":"<b onclick='x'>","args":{"form":"text","raw":"\"><svg onload=alert(1)>"},"status":"error","observation":{"text":"<!-- --!> ]]>"}}}]}
"#;
    let bench = open(&[("</script>\"'.json", hostile)]);
    let html = page(&bench, ShareChoices::default(), "").unwrap().html;
    for tag in ["<img", "<svg", "<b ", "<script>", "<!--", "\u{202e}"] {
        assert!(!html.contains(tag), "{tag}: {html}");
    }
    assert_eq!(html.matches("</script>").count(), 1, "{html}");
    let back = open(&[("x.html", html.as_bytes())]);
    assert_eq!(analysis(&back), analysis(&bench));
}

#[test]
fn damaged_and_foreign_pages_say_so() {
    let bench = open(&[("run.json", &planted())]);
    let html = page(&bench, names(), "").unwrap().html;
    let at = html.find("H4sI").unwrap();
    let mut broken = html.clone().into_bytes();
    broken[at + 60] ^= 1;
    for bytes in [&broken[..], &html.as_bytes()[..at + 100]] {
        let back = open(&[("x.html", bytes)]);
        let report = &back.documents().next().unwrap().parts[0].report;
        assert_eq!(report.refused.as_ref().map(|r| r.looks_like.as_str()), Some("page-damaged"), "{report:?}");
    }
    // A page about pages is text like any other.
    let back = open(&[("x.html", b"<!doctype html><p>data-skillscope-page is a word")]);
    assert!(back.documents().next().unwrap().runs.is_empty());
    assert!(PLACES.iter().all(|place| TEMPLATE.matches(place).count() == 1));
}

#[test]
fn the_survey_groups_values_and_names_their_steps() {
    let mut bench = open(&[("run.json", &planted())]);
    let runs = all(&bench);
    let job = Job::ShareSurvey { runs: runs.clone(), choices: names() };
    let Outcome::ShareSurvey { survey } = bench.handle(job, None, &mut |_| {}) else { unreachable!() };
    let group = |value: &str| survey.groups.iter().find(|g| g.value == value).unwrap();
    assert_eq!(group("marigold").kind, "user");
    assert_eq!(group("Zubrowka").placeholder, "[name-1]");
    let mail = group("ada.lovelace@example.org");
    let steps: Vec<Option<u32>> = mail.places.iter().map(|p| p.step).collect();
    assert_eq!(steps, [None, Some(1), Some(2)], "{mail:?}");
    assert_eq!((survey.runs, survey.steps), (1, 4));
    let results = survey.parts.iter().find(|p| p.id == "results").unwrap();
    assert!(results.on && results.pieces == 1);
    let page = Job::SharePage { runs, choices: names(), view: String::new(), lang: "zh-Hant".into() };
    match bench.handle(page, Some(TEMPLATE.as_bytes()), &mut |_| {}) {
        Outcome::SharedPage { page } => assert!(page.html.contains("<html lang=\"zh-Hant\"")),
        other => assert_eq!(format!("{other:?}"), ""),
    }
    let none = Job::ShareSurvey { runs: Vec::new(), choices: names() };
    assert!(matches!(bench.handle(none, None, &mut |_| {}), Outcome::Fault { id, .. } if id == "share.nothing"));
}

/// The data in a page is never larger than what was dropped.
#[test]
fn the_data_is_smaller_than_the_input() {
    let folder = std::env::var("SKILLSCOPE_CORPUS").unwrap_or_else(|_| "../shared/samples".into());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if !folder.is_dir() {
        eprintln!("NOTE: no folder of real files at {}, so the size of pages is not checked", folder.display());
        return;
    }
    let mut paths = Vec::new();
    fixtures(&folder, &mut paths);
    let (mut checked, mut worst) = (0, 0.0f64);
    for path in paths {
        let size = std::fs::metadata(&path).unwrap().len();
        // Tiny files are all head; compressed ones cannot be held to their own size.
        if !(4_096..400_000).contains(&size)
            || path.extension().is_some_and(|e| ["gz", "zip", "zst", "eval"].iter().any(|x| e == *x))
        {
            continue;
        }
        let bench = open(&[("x", &std::fs::read(&path).unwrap())]);
        if all(&bench).is_empty() {
            continue;
        }
        match page(&bench, ShareChoices::default(), "") {
            Ok(page) => {
                let ratio = page.receipt.data_bytes as f64 / size as f64;
                worst = worst.max(ratio);
                assert!(ratio <= 1.0, "{}: {ratio}", path.display());
                checked += 1;
            }
            Err(why) => assert_eq!(why, "", "{}", path.display()),
        }
    }
    eprintln!("{checked} files, at most {:.0} % of the input", worst * 100.0);
    assert!(checked > 100);
}

#[test]
fn a_link_holds_the_run_and_opens_as_it_was() {
    use skillscope::route::{Opening, Route};
    let mut bench = open(&[("run.json", &planted())]);
    let runs = all(&bench);
    let job = Job::ShareLink { runs, choices: names(), view: "#/d/run.json/loops?step=2".into() };
    let Outcome::SharedLink { data } = bench.handle(job, None, &mut |_| {}) else { unreachable!() };
    let route = Route::Open(Opening { data, ..Opening::default() });
    let hash = route.hash();
    assert_eq!(found(hash.as_bytes()), [""; 0]);
    assert!(hash.bytes().all(|b| b.is_ascii_graphic() && b != b'%'), "{hash}");
    let Route::Open(opening) = Route::parse(&hash) else { unreachable!() };
    let back = open(&[("link.html", opening.as_page().as_bytes())]);
    let document = back.documents().next().unwrap();
    assert_eq!((document.name.as_str(), document.runs[0].run.steps.len()), ("run.json", 4));
    let note = document.parts[0].report.notes.iter().find(|n| n.id == "note.page").unwrap();
    assert_eq!(note.args, [("view".to_owned(), "#/d/run.json/loops?step=2".to_owned())]);
}

#[test]
fn steps_for_a_language_model_are_redacted_and_within_their_budget() {
    let mut bench = open(&[("run.json", &planted())]);
    let runs = all(&bench);
    let mut text = |range, tokens| {
        let job = Job::ShareText { runs: runs.clone(), choices: names(), range, tokens };
        match bench.handle(job, None, &mut |_| {}) {
            Outcome::SharedText { text, tokens } => (text, tokens),
            other => (format!("{other:?}"), 0),
        }
    };
    let (whole, _) = text((0, u32::MAX), 4_000);
    assert_eq!(found(whole.as_bytes()), [""; 0]);
    for part in ["# Mail [email-", "Steps 1 to 4 of 4", "## [3] bash", "## [4] say", "Arguments:", "Result:"] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    let (one, _) = text((2, 2), 4_000);
    assert!(one.contains("## [3] bash") && !one.contains("## [4]") && !one.contains("left out"), "{one}");
    assert!(text((9, 3), 100).0.contains("## [4] say"));
    // Long ones are cut, short ones stay whole, none is lost.
    let long = "all work and no play ".repeat(2_000);
    let run = format!(
        r#"{{"format":"skillscope-run","version":1,"title":"t","source":{{"format":"codex"}},"models":[],"lanes":[{{"name":""}}],"turns":[],"steps":[{{"kind":"say","lane":0,"text":"{long}"}},{{"kind":"say","lane":0,"text":"short"}},{{"kind":"say","lane":0,"text":"{long}"}}]}}"#
    );
    let mut bench = open(&[("long.json", run.as_bytes())]);
    let job = Job::ShareText { runs: all(&bench), choices: names(), range: (0, 9), tokens: 2_000 };
    let Outcome::SharedText { text, tokens } = bench.handle(job, None, &mut |_| {}) else { unreachable!() };
    assert!(text.contains("\nshort\n") && text.matches("characters left out").count() == 2 && text.contains("## [3]"));
    assert!((1_800..2_100).contains(&tokens), "{tokens}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    /// Any bytes behind the beginning of a page: nothing stops, and what is read was written.
    #[test]
    fn any_page_at_all(tail in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200), letters in "[A-Za-z0-9+/=_-]{0,80}", plain in ".{0,200}") {
        use std::io::Write as _;
        let head = "<!doctype html><html data-skillscope-page=\"1\"><script type=\"application/x-skillscope\" id=\"skillscope-data\">";
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(plain.as_bytes()).unwrap();
        let packed = STANDARD.encode(packer.finish().unwrap());
        for inner in [letters.as_bytes(), &tail, packed.as_bytes()] {
            let bytes = [head.as_bytes(), inner, b"</script>"].concat();
            let bench = open(&[("x.html", &bytes)]);
            proptest::prop_assert!(bench.documents().next().is_some());
        }
    }
}
