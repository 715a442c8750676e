//! Our own run format loses nothing of a run but the places, and what is written follows its schema.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use proptest::{collection::vec, option::of};

use skillscope::import::{import_bytes, write_run};
use skillscope::model::{
    Access, Agent, Args, ArgsForm, Call, CallStatus, Capability, Content, CostKind, Lane, Media, Observation, Outcome,
    Run, Skill, Span, Spawn, Step, StepKind, Time, Turn, Usage, Verdict, Wanted,
};

/// The run without the places, which belong to the file it was read from.
fn placeless(run: &Run) -> String {
    let mut run = run.clone();
    for step in &mut run.steps {
        step.span = Span::default();
        if let Some(observation) = step.call.as_deref_mut().and_then(|c| c.observation.as_mut()) {
            observation.span = Span::default();
        }
    }
    format!("{run:#?}")
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z \"\\\\\n{}é\u{1}\u{2028}😀]{0,12}", any::<String>()]
}

fn boxed() -> impl Strategy<Value = Box<str>> {
    text().prop_map(Into::into)
}

fn time() -> impl Strategy<Value = Time> {
    (any::<i64>(), any::<bool>()).prop_map(|(ms, local)| Time { ms, local })
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.1 + 0.2), proptest::num::f64::NORMAL | proptest::num::f64::ZERO | proptest::num::f64::SUBNORMAL]
}

fn usage() -> impl Strategy<Value = Usage> {
    (
        of(any::<u64>()),
        of(any::<u64>()),
        of(any::<u64>()),
        of(any::<u64>()),
        of(any::<u64>()),
        of(number()),
        any::<bool>(),
    )
        .prop_map(|(input, output, cached, cache_write, reasoning, cost, estimated)| Usage {
            input,
            output,
            cached,
            cache_write,
            reasoning,
            cost,
            cost_kind: if estimated { CostKind::Estimated } else { CostKind::Reported },
        })
}

fn content() -> impl Strategy<Value = Content> {
    let media = (text(), of(boxed()), of(boxed())).prop_map(|(mime, data, reference)| Media { mime, data, reference });
    (boxed(), vec(media, 0..3)).prop_map(|(text, media)| Content { text, media })
}

fn call(lanes: u16) -> impl Strategy<Value = Call> {
    let form = prop_oneof![Just(ArgsForm::Json), Just(ArgsForm::Text), Just(ArgsForm::Broken)];
    let status = prop_oneof![Just(CallStatus::Ok), Just(CallStatus::Error), Just(CallStatus::Unknown)];
    let observation =
        (content(), of(time()), of(any::<i64>()), of(boxed())).prop_map(|(content, at, exit_code, structured)| {
            Observation { content, at, exit_code, structured, span: Span::default() }
        });
    let spawn = (of(text()), of(0..lanes), of(any::<u64>()), of(any::<u64>()), of(number())).prop_map(
        |(agent_id, lane, calls, tokens, duration_ms)| Box::new(Spawn { agent_id, lane, calls, tokens, duration_ms }),
    );
    (of(boxed()), boxed(), boxed(), form, of(observation), status, of(number()), of(spawn)).prop_map(
        |(id, tool, raw, form, observation, status, duration_ms, spawn)| Call {
            id,
            tool,
            args: Args { raw, form },
            observation,
            status,
            duration_ms,
            spawn,
        },
    )
}

fn step(lanes: u16, turns: u32) -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        Just(StepKind::Person),
        Just(StepKind::System),
        Just(StepKind::Injected),
        Just(StepKind::Thought),
        Just(StepKind::Say),
        Just(StepKind::Action),
        Just(StepKind::Action),
        Just(StepKind::Orphan),
        Just(StepKind::Compaction),
        Just(StepKind::Notice),
        Just(StepKind::Raw)
    ];
    let turn = of(any::<u32>()).prop_map(move |t| t.filter(|_| turns > 0).map(|t| t % turns));
    (kind, 0..lanes, turn, of(0u32..9), of(time()), content(), call(lanes), of(boxed()), of(boxed()), any::<bool>())
        .prop_map(|(kind, lane, turn, batch, at, content, call, name, label, is_error)| Step {
            kind,
            lane,
            turn,
            batch,
            at,
            content,
            call: (kind == StepKind::Action).then(|| Box::new(call)),
            name,
            label,
            is_error,
            span: Span { line: 3, ..Span::default() },
        })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let verdict = prop_oneof![
        Just(Verdict::Finished),
        Just(Verdict::Passed),
        Just(Verdict::Failed),
        Just(Verdict::Limit),
        Just(Verdict::Error),
        Just(Verdict::Cancelled)
    ];
    (verdict, text(), of(number())).prop_map(|(verdict, word, reward)| Outcome { verdict, word, reward })
}

fn run() -> impl Strategy<Value = Run> {
    let lanes = vec((text(), of(text()), any::<bool>()), 1..4).prop_map(|lanes| {
        let lane = |(at, (name, agent_id, child)): (usize, (String, Option<String>, bool))| Lane {
            name,
            agent_id,
            parent: at.checked_sub(1).filter(|_| child).map(|p| p as u16),
        };
        lanes.into_iter().enumerate().map(lane).collect::<Vec<_>>()
    });
    let head = || {
        let format = prop_oneof![Just("skillscope"), Just("claude-code"), Just("codex"), Just("atif")];
        (of(text()), text(), format, of(text()), of(text()), of(text()))
    };
    let pairs = || vec((text(), text()), 0..3);
    (lanes, 0u32..4, vec(text(), 0..3)).prop_flat_map(move |(lanes, turns, models)| {
        let (lane_count, model_count) = (lanes.len() as u16, models.len() as u16);
        let model = of(any::<u16>()).prop_map(move |m| m.filter(|_| model_count > 0).map(|m| m % model_count));
        let turn = (0..lane_count, of(boxed()), model, usage()).prop_map(|(lane, id, model, usage)| Turn {
            lane,
            id,
            model,
            usage,
        });
        let turn_list = vec(turn, turns as usize);
        let steps = vec(step(lane_count, turns), 0..6);
        (
            head(),
            Just(lanes),
            Just(models),
            turn_list,
            steps,
            of(outcome()),
            of(usage()),
            (pairs(), pairs(), vec(wanted(), 0..3), vec(skill(), 0..3), any::<bool>()),
        )
            .prop_map(
                |(
                    (id, title, format, format_version, name, version),
                    lanes,
                    models,
                    turns,
                    steps,
                    outcome,
                    totals,
                    told,
                )| Run {
                    id,
                    title,
                    format,
                    format_version,
                    agent: Agent { name, version },
                    models,
                    lanes,
                    turns,
                    steps,
                    outcome,
                    totals,
                    facts: told.0,
                    labels: told.1,
                    reference: told.2,
                    skills: told.3,
                    skills_partial: told.4,
                },
            )
    })
}

fn skill() -> impl Strategy<Value = Skill> {
    let capability = prop_oneof![Just(None), (0usize..4).prop_map(|i| Some(Capability::ALL[i]))];
    let access = prop_oneof![Just(None), (0usize..3).prop_map(|i| Some(Access::ALL[i]))];
    let schema = || of(text().prop_map(|t| std::sync::Arc::from(t.as_str())));
    ((text(), text(), of(text()), of(text())), (capability, access, of(text())), schema(), schema()).prop_map(
        |((id, name, version, protocol), (capability, access, description), inputs, output)| Skill {
            id,
            version,
            protocol,
            capability,
            access,
            description,
            inputs,
            output,
            ..Skill::of_run(&name)
        },
    )
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let form = prop_oneof![Just(ArgsForm::Json), Just(ArgsForm::Text), Just(ArgsForm::Broken)];
    (boxed(), boxed(), form).prop_map(|(tool, raw, form)| Wanted { tool, args: Args { raw, form } })
}

#[track_caller]
fn check_round_trip(run: &Run) {
    let written = write_run(run);
    let mut imports = import_bytes("x", written.as_bytes(), None);
    let import = imports.remove(0);
    assert_eq!(import.report.format.as_deref(), Some("skillscope"), "{written}");
    assert!(import.findings.is_empty(), "{:#?}\n{written}", import.findings);
    assert!(import.report.repairs.is_empty(), "{:#?}\n{written}", import.report.repairs);
    assert_eq!(import.runs.len(), 1);
    assert_eq!(placeless(&import.runs[0]), placeless(run), "{written}");
    assert_eq!(write_run(&import.runs[0]), written);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn what_is_written_is_read_back(run in run()) {
        check_round_trip(&run);
    }
}

#[test]
fn a_step_stands_in_the_file_it_was_read_from() {
    let text = "{\"format\":\"skillscope-run\",\"version\":1,\"title\":\"t\",\"source\":{\"format\":\"atif\"},\"agent\":{},\
        \"models\":[],\"lanes\":[{\"name\":\"\"}],\"turns\":[],\"steps\":[\n{\"kind\":\"say\",\"lane\":0,\"text\":\"a\"},\n\
        {\"kind\":\"action\",\"lane\":7,\"turn\":4,\"call\":{\"tool\":\"t\",\"args\":{\"form\":\"json\",\"raw\":\"{}\"},\"status\":\"ok\"}},\n\
        {\"kind\":\"dance\",\"lane\":0}]}";
    let import = import_bytes("x", text.as_bytes(), None).remove(0);
    let run = &import.runs[0];
    let places: Vec<_> = run.steps.iter().map(|s| (s.span.line, s.span.pointer.as_ref())).collect();
    assert_eq!(places, [(2, "/steps/0"), (3, "/steps/1"), (4, "/steps/2")]);
    // Indices that point nowhere are dropped, kinds that nobody knows stay visible.
    assert_eq!((run.steps[1].lane, run.steps[1].turn, run.steps[2].kind), (0, None, StepKind::Raw));
    assert_eq!(import.findings.len(), 1, "{:?}", import.findings);
    assert_eq!(import.findings[0].place.pointer, "/steps/2/kind");
}

#[test]
fn runs_of_other_formats_survive() {
    for path in ["atif/harbor.json", "codex/rollout.jsonl", "claude-code/parallel.jsonl", "codex-exec/stream.jsonl"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path);
        let bytes = std::fs::read(&path).unwrap();
        let imports = import_bytes("x", &bytes, None);
        assert!(!imports[0].runs.is_empty(), "{}", path.display());
        imports[0].runs.iter().for_each(check_round_trip);
    }
}
