//! The judge's jobs as the page does them, through the protocol's text both ways: plan, preview, answers, labels, export,
//! the check of a connection; that no job sends anything before it is begun; and that everything it can say is written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use skillscope::engine::Workbench;
use skillscope::judge::provider::Kind;
use skillscope::judge::{doctor, rubric::Rubric};
use skillscope::message::findings;
use skillscope::protocol::{Job, Outcome, Request, Response, from_json};
use skillscope::report::{JudgeGot, JudgePlan, JudgeSend, JudgeSetup, RunRef};
use skillscope::share;

/// A job as it reaches the worker, and its answer as it reaches the page.
fn ask(bench: &mut Workbench, job: Job, bytes: Option<&[u8]>) -> Outcome {
    let text = serde_json::to_string(&Request { id: 7, job: job.clone() }).unwrap();
    let read = from_json::<Request>(&text).unwrap_or_else(|| panic!("not read: {text}"));
    assert_eq!(read.job, job);
    let outcome = bench.handle(read.job, bytes, &mut |_| {});
    let text = serde_json::to_string(&Response { id: 7, outcome: outcome.clone() }).unwrap();
    let read = from_json::<Response>(&text).unwrap_or_else(|| panic!("not read: {text}"));
    assert_eq!(read.outcome, outcome);
    outcome
}

fn open(bench: &mut Workbench, file: u32, result: &str) -> u32 {
    let text = json!({"messages": [
        {"role": "user", "content": "Fix it and write to me@example.org"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "shell", "arguments": "{\"command\":\"make test\"}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": result},
        {"role": "assistant", "content": "All tests pass"},
    ]})
    .to_string();
    ask(bench, Job::Open { file, name: format!("{file}.json"), size: text.len() as u64, format: None }, None);
    ask(bench, Job::Chunk { file }, Some(text.as_bytes()));
    ask(bench, Job::Finish { file }, None);
    match ask(bench, Job::Assemble { files: vec![file] }, None) {
        Outcome::Documents { documents, .. } => documents[0].id,
        other => panic!("{other:?}"),
    }
}

fn setup(mode: &str) -> JudgeSetup {
    JudgeSetup {
        api: "openai-chat".into(),
        base: "https://judge.example.com/v1".into(),
        model: "judge-1".into(),
        mode: mode.into(),
        rubric: "# Mine, version 3\n\n## Done\nIs it done?\n".into(),
        samples: 1,
        max_output: 500,
        context: 32_000,
        price_in: Some(1.0),
        price_out: Some(2.0),
        cap: Some(1.0),
        patience_s: 60,
        nonce: "n".into(),
        kinds: share::Kind::ALL.iter().map(|k| k.id().to_owned()).collect(),
        names: vec!["Make".into()],
    }
}

fn plan(bench: &mut Workbench, document: u32, setup: JudgeSetup) -> JudgePlan {
    let run = RunRef { document, run: 0 };
    match ask(bench, Job::JudgePlan { run, other: None, setup: Box::new(setup) }, None) {
        Outcome::JudgePlan { plan } => *plan,
        other => panic!("{other:?}"),
    }
}

fn answer(verdict: &str, step: u32, quote: &str) -> JudgeGot {
    let text = json!({"control": "shell", "items": [{"criterion": "c1", "evidence": [{"step": step, "quote": quote}],
        "reasoning": "r", "verdict": verdict, "confidence": "low"}], "injection_seen": "no", "summary": "s"});
    let body = json!({"choices": [{"message": {"content": text.to_string()}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 500, "completion_tokens": 50}});
    JudgeGot::Answer { status: 200, body: body.to_string(), retry_after: None }
}

fn started(bench: &mut Workbench, judge: u32) -> Vec<JudgeSend> {
    match ask(bench, Job::JudgeStart { judge, now: "2026-11-30T10:00:00Z".into() }, None) {
        Outcome::JudgeSend { sends, .. } => sends,
        other => panic!("{other:?}"),
    }
}

fn answered(bench: &mut Workbench, judge: u32, request: u32, got: JudgeGot) -> Outcome {
    let got = Box::new(got);
    ask(bench, Job::JudgeAnswer { judge, request, got, now: "2026-11-30T10:01:00Z".into() }, None)
}

#[test]
fn from_plan_to_export() {
    let mut bench = Workbench::new();
    let document = open(&mut bench, 1, "2 failed");
    let Outcome::JudgeForm { form } = ask(&mut bench, Job::JudgeForm { document, run: 0 }, None) else { panic!() };
    assert_eq!(form.apis.len(), 5);
    assert!(Rubric::read(&form.rubric).is_ok() && form.judged.is_none());

    let plan = plan(&mut bench, document, setup("rubric"));
    assert_eq!((plan.requests, plan.kept, plan.host.as_str()), (1, 0, "judge.example.com"));
    assert!(plan.cost.unwrap().0 > 0.0 && !plan.over_cap);
    // The e-mail address and the name of the list, wherever they stand.
    assert_eq!(plan.kinds, [("email".to_owned(), 1), ("name".to_owned(), 1)]);
    let job = Job::JudgePreview { judge: plan.judge, request: 0, from: 0, count: 500 };
    let Outcome::JudgePreview { preview } = ask(&mut bench, job, None) else { panic!() };
    let shown: String = preview.lines.iter().flatten().map(|(_, text)| text.as_str()).collect();
    assert!(preview.lines.iter().flatten().any(|(is, text)| *is && text == "[email-1]"));

    let sends = started(&mut bench, plan.judge);
    assert_eq!(sends.len(), 1);
    assert_eq!(sends[0].body, shown, "what was shown is what is sent");
    assert_eq!(sends[0].body.len() as u64, plan.bytes);
    assert!(!sends[0].body.contains("me@example.org") && !sends[0].body.contains("make test"));
    assert_eq!((sends[0].key_header.as_str(), sends[0].key_prefix.as_str()), ("authorization", "Bearer "));
    let end = answered(&mut bench, plan.judge, sends[0].request, answer("no", 2, "2 failed"));
    let Outcome::Judged { judged, judgements: 1 } = end else { panic!("{end:?}") };
    assert_eq!((judged.score, judged.rows[0].state.as_str()), (Some(0.0), "counted"));
    assert_eq!(judged.cost, Some((0.0006, 0.0006)));

    let label = |criterion: Option<&str>, label: Option<&str>| Job::JudgeLabel {
        document,
        run: 0,
        rubric: judged.rubric_text.clone(),
        criterion: criterion.map(str::to_owned),
        label: label.map(str::to_owned),
    };
    let Outcome::JudgeLabels { labels } = ask(&mut bench, label(Some("c1"), Some("yes")), None) else { panic!() };
    assert_eq!((labels.n, labels.same, labels.kappa), (1, 0, None));
    let Outcome::JudgeLabels { labels } = ask(&mut bench, label(Some("c1"), Some("no")), None) else { panic!() };
    assert_eq!((labels.n, labels.same, labels.labels.len()), (1, 1, 1));

    let Outcome::File { file } = ask(&mut bench, Job::JudgeExport { document, run: 0 }, None) else { panic!() };
    let saved: Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(saved["judgements"][0]["rows"][0]["quotes"][0]["found"], true);
    assert_eq!(saved["judgements"][0]["rubric"]["version"], 3);
    assert_eq!(saved["labels"][0]["label"], "no");

    // The same run under another name: its judgement and its answers are there.
    let again = open(&mut bench, 2, "2 failed");
    let Outcome::JudgeForm { form } = ask(&mut bench, Job::JudgeForm { document: again, run: 0 }, None) else {
        panic!()
    };
    assert_eq!(form.judged.unwrap().rows[0].label.as_deref(), Some("no"));
    let same = self::plan(&mut bench, again, JudgeSetup { nonce: "other".into(), ..setup("rubric") });
    assert_eq!((same.requests, same.kept), (0, 1));
    // Another run is another one.
    let other = open(&mut bench, 3, "3 passed");
    assert_eq!(self::plan(&mut bench, other, setup("rubric")).kept, 0);
}

#[test]
fn what_cannot_be_asked_says_why() {
    let mut bench = Workbench::new();
    let document = open(&mut bench, 1, "2 failed");
    let run = RunRef { document, run: 0 };
    for (change, id) in [
        (JudgeSetup { base: "example.com".into(), ..setup("rubric") }, "judge.doctor.url-scheme"),
        (JudgeSetup { model: " ".into(), ..setup("rubric") }, "judge.no-model"),
        (JudgeSetup { rubric: "question".into(), ..setup("rubric") }, "judge.rubric.before-title"),
        (setup("pairwise"), "judge.no-other"),
        // A value of the run that stands in the rubric would go out with it.
        (JudgeSetup { rubric: "## A\nDid it write to me@example.org?".into(), ..setup("rubric") }, "judge.left"),
    ] {
        match ask(&mut bench, Job::JudgePlan { run, other: None, setup: Box::new(change) }, None) {
            Outcome::JudgeRefused { what, fix } => {
                assert_eq!(what.0, id);
                assert!(findings::both(&what.0).is_some() && findings::both(&fix.0).is_some(), "{id}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
    let gone = ask(&mut bench, Job::JudgeStart { judge: 99, now: String::new() }, None);
    assert!(matches!(gone, Outcome::Fault { id, .. } if id == "judge.gone"));
}

#[test]
fn stopping_and_failing_keep_nothing() {
    let mut bench = Workbench::new();
    let document = open(&mut bench, 1, "2 failed");
    let first = plan(&mut bench, document, setup("rubric"));
    started(&mut bench, first.judge);
    let stopped = ask(&mut bench, Job::JudgeStop { judge: first.judge, now: String::new() }, None);
    let Outcome::Judged { judged, judgements: 0 } = stopped else { panic!("{stopped:?}") };
    assert_eq!((judged.failures[0].what.0.as_str(), judged.score), ("judge.failure.stopped", None));
    for (got, id) in [
        (JudgeGot::Timeout, "timeout"),
        (JudgeGot::TooLarge, "too-big"),
        (JudgeGot::Off, "off"),
        (JudgeGot::Stopped, "stopped"),
    ] {
        let plan = plan(&mut bench, document, setup("rubric"));
        let sends = started(&mut bench, plan.judge);
        let end = answered(&mut bench, plan.judge, sends[0].request, got);
        let Outcome::Judged { judged, .. } = end else { panic!("{end:?}") };
        assert_eq!(judged.failures[0].what.0, format!("judge.failure.{id}"));
    }
}

/// An examination, its requests answered in order; returns the id of what it found and the lines to paste.
fn examine(base: &str, origin: &str, permission: &str, answers: Vec<JudgeGot>) -> (String, Vec<String>) {
    let mut bench = Workbench::new();
    let setup = Box::new(JudgeSetup { base: base.into(), ..setup("rubric") });
    let job = Job::JudgeDoctor { setup, origin: origin.into(), permission: permission.into(), off: false };
    let mut outcome = ask(&mut bench, job, None);
    let mut answers = answers.into_iter();
    loop {
        match outcome {
            Outcome::JudgeSend { judge, sends, .. } => {
                assert_eq!(sends.len(), 1);
                let got = answers.next().unwrap_or_else(|| panic!("asks for more: {:?}", sends[0]));
                outcome = answered(&mut bench, judge, sends[0].request, got);
            }
            Outcome::JudgeDiagnosis { diagnosis } => {
                assert!(answers.next().is_none(), "stopped early at {:?}", diagnosis.what);
                assert!(findings::both(&diagnosis.what.0).is_some(), "{:?}", diagnosis.what);
                assert!(findings::both(&diagnosis.fix.0).is_some(), "{:?}", diagnosis.fix);
                let id = diagnosis.what.0.trim_start_matches("judge.doctor.").to_owned();
                return (id, diagnosis.paste.into_iter().map(|(_, line)| line).collect());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_doctor_tells_apart() {
    let status = |status: u16, message: &str| JudgeGot::Answer {
        status,
        body: json!({"error": {"message": message}}).to_string(),
        retry_after: None,
    };
    let list = || JudgeGot::Answer { status: 200, body: r#"{"data":[{"id":"judge-1"}]}"#.into(), retry_after: None };
    let says = |text: &str| JudgeGot::Answer {
        status: 200,
        body: json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).to_string(),
        retry_after: None,
    };
    let seen = || JudgeGot::Answer { status: 0, body: String::new(), retry_after: None };
    let https = "https://example.org";
    let (api, local) = ("https://judge.example.com/v1", "http://localhost:11434/v1");
    let format = || status(400, "response_format is not supported");
    for (base, permission, answers, id, paste) in [
        ("judge.example.com", "", vec![], "url-scheme", ""),
        ("http://192.168.1.4:8000/v1", "", vec![], "mixed", ""),
        (local, "denied", vec![], "permission", "chrome://settings/content/siteDetails?site=https://example.org"),
        (local, "prompt", vec![JudgeGot::Network, JudgeGot::Network], "permission", "chrome://"),
        (local, "granted", vec![JudgeGot::Network, JudgeGot::Network], "down", ""),
        (local, "", vec![JudgeGot::Network, seen()], "cors", "OLLAMA_ORIGINS=https://example.org ollama serve"),
        ("http://localhost:1234/v1", "", vec![JudgeGot::Network, seen()], "cors", "lms server start --cors"),
        (
            "http://127.0.0.1:8000/v1",
            "",
            vec![JudgeGot::Network, seen()],
            "cors",
            "--allowed-origins '[\"https://example.org\"]'",
        ),
        ("http://127.0.0.1:8080/v1", "", vec![JudgeGot::Network, seen()], "cors", "--cors-origins https://example.org"),
        (api, "", vec![JudgeGot::Network, seen()], "cors-public", ""),
        (api, "", vec![list(), JudgeGot::Network, seen()], "cors-post-public", ""),
        (api, "", vec![JudgeGot::Network, JudgeGot::Network], "down", ""),
        (api, "", vec![JudgeGot::Timeout], "timeout", ""),
        (api, "", vec![status(401, "bad key")], "judge.failure.bad-key", ""),
        (local, "", vec![status(403, "")], "forbidden", ""),
        (api, "", vec![status(403, "CORS requests are not allowed for this Organization")], "origin-public", ""),
        (api, "", vec![list(), status(404, "The model judge-1 does not exist")], "judge.failure.no-model", ""),
        (api, "", vec![status(404, "no list here"), says("{\"ok\":\"yes\"}")], "fine", ""),
        (api, "", vec![list(), says("{\"ok\":\"yes\"}")], "fine", ""),
        (api, "", vec![list(), format(), says("{\"ok\":\"yes\"}")], "fine-object", ""),
        (api, "", vec![list(), format(), format(), format(), says("{\"ok\":\"yes\"}")], "fine-text", ""),
        (api, "", vec![list(), format(), format(), format(), says("yes!")], "no-json", ""),
        (api, "", vec![list(), status(429, "Rate limit")], "judge.failure.rate", ""),
    ] {
        let wanted = if id == "forbidden" { "judge.failure.forbidden" } else { id };
        let (found, lines) = examine(base, https, permission, answers);
        // Ollama answers a foreign origin with 403; with words in it, it is another matter.
        assert_eq!(found, wanted, "{base} {permission}");
        assert!(paste.is_empty() || lines.iter().any(|l| l.contains(paste)), "{id}: {lines:?}");
    }
}

#[test]
fn everything_that_can_be_said_is_written() {
    let failures = Kind::ALL.iter().map(|k| format!("judge.failure.{}", k.id()));
    let doctor =
        doctor::ids().into_iter().filter(|id| !id.starts_with("failure-")).map(|id| format!("judge.doctor.{id}"));
    for id in failures.chain(doctor) {
        for id in [id.clone(), format!("{id}.fix")] {
            assert!(findings::both(&id).is_some(), "{id} is not in message::judge");
        }
    }
    let notes =
        ["control", "short", "masked", "seen", "flips", "one", "kept", "uncounted"].map(|n| format!("judge.note.{n}"));
    let rungs = ["object-with-schema", "object", "text"].map(|r| format!("judge.note.rung-{r}"));
    let kinds = share::Kind::ALL.map(|k| format!("judge.kind.{}", k.id()));
    for id in notes.into_iter().chain(rungs).chain(kinds) {
        assert!(findings::both(&id).is_some(), "{id} is not written");
    }
}
