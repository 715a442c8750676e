//! The rules of other programs against what those programs answered, line by line, and on runs.
//! Vectors: `SKILLSCOPE_VECTORS`, else `../shared/vectors` beside the project. Said aloud when they are not there.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use skillscope::loops::{OpenHandsEvent, first_chant, gemini_calls, in_a_row, openhands, peers};
use skillscope::model::notation::parse;

fn lines(name: &str) -> Option<Vec<serde_json::Value>> {
    let folder = std::env::var_os("SKILLSCOPE_VECTORS")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors"));
    let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
        eprintln!("NOT RUN: {name} is not at {} (set SKILLSCOPE_VECTORS)", folder.display());
        return None;
    };
    Some(text.lines().filter(|l| !l.is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect())
}

#[test]
fn vectors_gemini_cli_agrees_on_every_line() {
    let Some(lines) = lines("gemini_cli_loop.jsonl") else { return };
    let (mut calls, mut texts, mut fired) = (0, 0, 0);
    for (at, line) in lines.iter().enumerate() {
        let (found, expected) = if line["kind"] == "tool" {
            calls += 1;
            let keys: Vec<Option<u64>> = line["seq"].as_array().unwrap().iter().map(|k| k.as_u64()).collect();
            (gemini_calls(&keys).first().map(|&at| at as i64), line["first"].as_i64())
        } else {
            texts += 1;
            let chunk = line["chunk"].as_u64().unwrap() as usize;
            let found = first_chant(line["text"].as_str().unwrap(), chunk);
            (found.map(|at| at as i64), line["first_chunk_offset"].as_i64())
        };
        fired += usize::from(found.is_some());
        assert_eq!(found.unwrap_or(-1), expected.unwrap(), "line {}", at + 1);
    }
    assert!(calls >= 500 && texts >= 100 && fired >= 50, "{calls} {texts} {fired}");
}

#[test]
fn vectors_openhands_agrees_on_every_verdict() {
    let Some(lines) = lines("openhands_sdk_stuck.jsonl") else { return };
    let (mut verdicts, mut stuck) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        let mut events = Vec::new();
        // Behind which event each item of the line is complete.
        let mut ends = Vec::new();
        for item in line["seq"].as_array().unwrap() {
            let n = |i: usize| item[i].as_u64().unwrap();
            match item[0].as_str().unwrap() {
                "user" => events.push(OpenHandsEvent::User),
                "agent_msg" => events.push(OpenHandsEvent::AgentMessage),
                _ => {
                    events.push(OpenHandsEvent::Action(n(1) * 1_000 + n(2)));
                    events.push(match item[3].as_str() {
                        Some("err") => OpenHandsEvent::Error(n(4)),
                        _ => OpenHandsEvent::Observation(n(4)),
                    });
                }
            }
            ends.push(events.len() - 1);
        }
        let found = openhands(&events);
        for (i, expected) in line["stuck_after"].as_array().unwrap().iter().enumerate() {
            assert_eq!(Some(found[ends[i]]), expected.as_bool(), "line {}, item {i}", at + 1);
            verdicts += 1;
            stuck += usize::from(found[ends[i]]);
        }
    }
    assert!(verdicts >= 1_000 && stuck >= 50, "{verdicts} {stuck}");
}

#[test]
fn calls_in_a_row_are_counted_as_each_program_does() {
    let keys = |text: &str| -> Vec<Option<u64>> { text.bytes().map(|b| (b != b'u').then_some(u64::from(b))).collect() };
    // Cline warns once a stretch; Roo begins anew after it stopped; a person's message changes neither.
    assert_eq!(in_a_row(&keys("aaaaaa"), 3, false), [2]);
    assert_eq!(in_a_row(&keys("aabaaa"), 3, false), [5]);
    assert_eq!(in_a_row(&keys("aaauaaaaa"), 4, true), [4, 8]);
    // Gemini CLI: periods up to five, five rounds, anew behind a person's message.
    assert_eq!(gemini_calls(&keys("aaaaa")), [4]);
    assert_eq!(gemini_calls(&keys("xabababababy")), [10]);
    assert_eq!(gemini_calls(&keys("aaauaaa")), [0usize; 0]);
    assert_eq!(gemini_calls(&keys(&"abcdef".repeat(6))), [0usize; 0]);
    assert_eq!(gemini_calls(&keys(&"abcde".repeat(5))), [24]);
}

/// `id first×times`, for those that fire.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found: Vec<String> = peers(&parse(text).unwrap())
        .iter()
        .filter_map(|v| Some(format!("{} {}×{}", v.id, v.fired.first()?, v.fired.len())))
        .collect();
    assert_eq!(found.join(", "), expected, "{text}");
}

#[test]
fn peers_on_runs() {
    check("u A1 B1 s", "");
    check("u A1 A1 A1 s", "cline 3×1");
    check("u A1 A1 A1 A1 s", "openhands 4×1, cline 3×1, roo 4×1");
    check("u A1 A1 A1 A1 A1 s", "openhands 4×1, gemini-cli 5×1, cline 3×1, roo 4×1");
    check("u A1! A1! A1! s", "cline 3×1");
    check("u A1!=a A1!=b A1!=c A1!=d s", "openhands 4×1, cline 3×1, roo 4×1");
    // Other results, other words: OpenHands does not see it, the others do.
    check("u Poll1=a Poll1=b Poll1=c Poll1=d Poll1=e s", "gemini-cli 5×1, cline 3×1, roo 4×1");
    check("u A1 B1 A1 B1 A1 B1 s", "openhands 6×1");
    check(&format!("u {}s", "A1 B1 ".repeat(5)), "openhands 6×1, gemini-cli 10×1");
    check(&format!("u {}s", "A1 ".repeat(12)), "openhands 4×1, gemini-cli 5×1, cline 3×1, roo 4×3, goose 11×1");
    // Three messages in a row, whatever they say.
    check("u s\"one\" s\"two\" s\"three\"", "openhands 3×1");
    // A sub-agent's calls are not the main agent's.
    check("u T1<A1 A1 A1 A1 A1> s", "");
    check(
        &format!("u s\"{}\"", "I will now look at the file again and see what it says. ".repeat(12)),
        "gemini-cli 1×1",
    );
}
