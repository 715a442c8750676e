//! Any bytes at all end in a report: no panic, no work out of proportion, and no more of the file in the report than
//! a little. The random values are the same in every run (see `common::property`).
//!
//! Work is measured as the processor time of the test's own thread for a file and for one eight times as large, so a
//! busy machine does not matter: linear work costs 8 times as much, quadratic work 64 times.

#![allow(clippy::type_complexity, clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};

use common::{gzip, property};
use proptest::prelude::*;
use proptest::sample::Index;
use skillscope::import::{FORMATS, FileImport, Intake, import_bytes};
use skillscope::json::{Tape, Val};

/// Every fixture of every importer.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let read = |p: PathBuf| (p.display().to_string(), std::fs::read(&p).unwrap());
    let small: Vec<_> = files.into_iter().map(read).filter(|(_, b)| b.len() < 64 * 1024).collect();
    assert!(small.len() >= 3, "fixtures are missing");
    small
}

/// Longest piece of text in a report or finding, and the most of all.
const PIECE: usize = 600;
const ALL: usize = 256 * 1024;

/// Imports, and checks what every report promises.
fn import(name: &str, bytes: &[u8], forced: Option<&str>) -> Vec<FileImport> {
    let imports = import_bytes(name, bytes, forced);
    assert!(!imports.is_empty(), "no report");
    for import in &imports {
        checked(import);
    }
    imports
}

fn checked(import: &FileImport) {
    let report = serde_json::to_value(&import.report).unwrap();
    let findings = serde_json::to_value(&import.findings).unwrap();
    let mut all = 0;
    let mut stack = vec![&report, &findings];
    while let Some(value) = stack.pop() {
        match value {
            serde_json::Value::String(s) => {
                // Names come from whoever dropped the file.
                assert!(
                    s.chars().count() <= PIECE || *s == import.report.file,
                    "{} characters of the file in its report",
                    s.len()
                );
                all += s.len();
            }
            serde_json::Value::Array(a) => stack.extend(a),
            serde_json::Value::Object(o) => stack.extend(o.values()),
            _ => {}
        }
    }
    assert!(
        all <= ALL + 5 * import.report.file.len() * import.findings.len().max(1),
        "{all} bytes of text in a report"
    );
    assert!(import.report.understood <= import.report.records, "more understood than read");
    assert!(import.report.refused.is_none() || import.runs.is_empty(), "refused, and read all the same");
    for run in &import.runs {
        let (steps, turns, lanes) = (run.steps.len(), run.turns.len(), run.lanes.len());
        assert!(lanes > 0);
        for step in &run.steps {
            assert_eq!(step.is_action(), step.call.is_some());
            assert!((step.lane as usize) < lanes && step.turn.is_none_or(|t| (t as usize) < turns), "{steps} steps");
            assert!(step.span.start <= step.span.end);
            if let Some(lane) = step.call.as_ref().and_then(|c| c.spawn.as_ref()).and_then(|s| s.lane) {
                assert!((lane as usize) < lanes);
            }
        }
        assert!(run.lanes.iter().all(|l| l.parent.is_none_or(|p| (p as usize) < lanes)));
        assert!(run.turns.iter().all(|t| t.model.is_none_or(|m| (m as usize) < run.models.len())));
        let _ = (run.usage(), run.duration_ms(), run.errors(), run.events());
    }
}

/// All that an import says, as text.
fn told(imports: &[FileImport]) -> String {
    let one =
        |i: &FileImport| format!("{:?}\n{:?}\n{:?}\n{:?}\n{:?}", i.runs, i.report, i.findings, i.session, i.source);
    imports.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn any_bytes_end_in_a_report() {
    let json = prop::collection::vec(
        prop::sample::select(b"{}[]\",:\\ \n\rtrufalsn0123456789-+.eEu\xEF\xBB\xBF\xFF\xFE\0".to_vec()),
        0..400,
    );
    let strategy = (prop_oneof![prop::collection::vec(any::<u8>(), 0..600), json], 0..FORMATS.len() + 1);
    property(600, &strategy, |(bytes, forced)| {
        import("x", &bytes, FORMATS.get(forced).map(|f| f.id));
        Ok(())
    });
}

#[test]
fn every_fixture_cut_at_every_byte_ends_in_a_report() {
    for (name, bytes) in fixtures() {
        let step = 1 + bytes.len() / 3000;
        for end in (0..bytes.len()).step_by(step) {
            import(&name, &bytes[..end], None);
        }
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    Put(Index, u8),
    Cut(Index, Index),
    Repeat(Index, Index),
    SwapLines(Index, Index),
    RepeatLine(Index, u8),
    Splice(Index, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    const SPLICES: [&str; 22] = [
        "NaN",
        "1e999",
        "-",
        "123456789012345678901234567890",
        "-9223372036854775809",
        "1e-999",
        "null",
        "\"\"",
        "{}",
        "[]",
        "[[[[[[[[[[",
        "\\ud800",
        "\"\\udc00\"",
        "\0",
        "\u{FEFF}",
        "\n",
        "\r\n",
        ",",
        "\"type\":7,",
        "\"id\":null,",
        "{\"\":{\"\":[{}]}}",
        "\"timestamp\":\"9999-99-99T99:99:99Z\",",
    ];
    let at = any::<Index>;
    prop_oneof![
        3 => (at(), 0u8..8).prop_map(|(i, bit)| Damage::Flip(i, bit)),
        3 => (at(), any::<u8>()).prop_map(|(i, b)| Damage::Put(i, b)),
        1 => (at(), at()).prop_map(|(a, b)| Damage::Cut(a, b)),
        1 => (at(), at()).prop_map(|(a, b)| Damage::Repeat(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Damage::SwapLines(a, b)),
        2 => (at(), 1u8..20).prop_map(|(i, n)| Damage::RepeatLine(i, n)),
        4 => (at(), prop::sample::select(SPLICES.to_vec())).prop_map(|(i, s)| Damage::Splice(i, s)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: Damage) {
    let len = bytes.len();
    let range = |a: Index, b: Index| {
        let (a, b) = (a.index(len + 1), b.index(len + 1));
        a.min(b)..a.max(b).min(a.min(b) + 2000)
    };
    let lines = |bytes: &[u8]| bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    match damage {
        Damage::Flip(i, bit) if len > 0 => bytes[i.index(len)] ^= 1 << bit,
        Damage::Put(i, b) if len > 0 => bytes[i.index(len)] = b,
        Damage::Cut(a, b) => drop(bytes.drain(range(a, b))),
        Damage::Repeat(a, b) => {
            let range = range(a, b);
            let piece = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, piece);
        }
        Damage::SwapLines(a, b) if len > 0 => {
            let mut all = lines(bytes);
            let (a, b) = (a.index(all.len()), b.index(all.len()));
            all.swap(a, b);
            *bytes = all.concat();
        }
        Damage::RepeatLine(i, n) if len > 0 => {
            let mut all = lines(bytes);
            let at = i.index(all.len());
            let line = all[at].repeat(n as usize);
            all[at] = line;
            *bytes = all.concat();
        }
        Damage::Splice(i, text) => {
            let at = i.index(len + 1);
            bytes.splice(at..at, text.bytes());
        }
        _ => {}
    }
}

fn zip_of(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn damaged_fixtures_end_in_a_report_in_any_wrapping() {
    let fixtures = fixtures();
    let strategy = (
        any::<Index>(),
        prop::collection::vec(damage(), 1..8),
        0u8..8,
        prop::collection::vec(damage(), 0..3),
        0..FORMATS.len() * 2,
    );
    property(1500, &strategy, |(which, inside, wrap, outside, forced)| {
        let (name, mut bytes) = fixtures[which.index(fixtures.len())].clone();
        for d in inside {
            apply(&mut bytes, d);
        }
        let mut bytes = match wrap {
            0 => gzip(&bytes),
            1 => zip_of(&[("a.jsonl".into(), bytes.clone()), ("events/1.json".into(), bytes)]),
            2 => zip_of(&[("inner.zip".into(), zip_of(&[("a".into(), gzip(&bytes))]))]),
            3 => serde_json::to_vec(&String::from_utf8_lossy(&bytes)).unwrap(),
            4 => [
                b"\xFF\xFE".to_vec(),
                String::from_utf8_lossy(&bytes).encode_utf16().flat_map(u16::to_le_bytes).collect(),
            ]
            .concat(),
            _ => bytes,
        };
        if wrap < 5 {
            for d in outside {
                apply(&mut bytes, d);
            }
        }
        import(&name, &bytes, FORMATS.get(forced).map(|f| f.id));
        Ok(())
    });
}

/// Keys and short strings of all fixtures: what readers look for.
fn vocabulary() -> (Vec<String>, Vec<String>) {
    let (mut keys, mut words) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for (_, bytes) in fixtures() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for piece in std::iter::once(text.as_str()).chain(text.lines()) {
            let mut tape = Tape::new();
            let mut stack = vec![tape.parse(piece).root()];
            while let Some(val) = stack.pop() {
                keys.extend(val.entries().map(|(k, _)| k.into_owned()));
                words.extend(val.as_str().filter(|s| s.len() < 40).map(|s| s.into_owned()));
                stack.extend(val.items().chain(val.entries().map(|(_, v): (_, Val)| v)));
            }
        }
    }
    (keys.into_iter().collect(), words.into_iter().collect())
}

#[test]
fn values_of_the_wrong_kind_at_known_keys_end_in_a_report() {
    let (keys, words) = vocabulary();
    let leaf = prop_oneof![
        2 => Just("null".to_owned()),
        1 => any::<bool>().prop_map(|b| b.to_string()),
        2 => prop::sample::select(vec!["0", "-1", "1", "1e999", "4294967296", "18446744073709551615", "1767225600000", "0.5"]).prop_map(str::to_owned),
        8 => prop::sample::select(words).prop_map(|w| serde_json::to_string(&w).unwrap()),
        1 => Just("\"2026-01-01T00:00:00Z\"".to_owned()),
        1 => Just("\"{\\\"a\\\":[1,\"".to_owned()),
    ];
    let value = leaf.prop_recursive(5, 80, 8, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..5).prop_map(|v| format!("[{}]", v.join(","))),
            3 => prop::collection::vec((prop::sample::select(keys.clone()), inner), 0..9).prop_map(|m| {
                let members: Vec<_> = m.iter().map(|(k, v)| format!("{}:{v}", serde_json::to_string(k).unwrap())).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    let strategy = (prop::collection::vec(value, 1..12), 0u8..3, 0..FORMATS.len() + 1);
    property(1500, &strategy, |(values, shape, forced)| {
        let text = match shape {
            0 => values.join("\n"),
            1 => format!("[{}]", values.join(",\n")),
            _ => values.concat(),
        };
        import("x", text.as_bytes(), FORMATS.get(forced).map(|f| f.id));
        Ok(())
    });
}

#[test]
fn where_chunks_end_changes_nothing() {
    let by_chunks = |name: &str, chunks: &[&[u8]]| {
        let mut intake = Intake::new(name, None);
        chunks.iter().for_each(|c| intake.chunk(c));
        told(&intake.finish())
    };
    for (name, bytes) in fixtures() {
        let zip = zip_of(&[("a".into(), bytes.clone())]);
        for bytes in [bytes.clone(), gzip(&bytes), zip] {
            let whole = told(&import_bytes(&name, &bytes, None));
            let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(by_chunks(&name, &bytewise), whole, "{name} byte by byte");
            // Places all over the file; which ones depends on its length.
            let step = 1 + bytes.len() / 120;
            for at in (0..=bytes.len()).step_by(step) {
                let (a, b) = bytes.split_at(at);
                assert_eq!(by_chunks(&name, &[a, &[], b]), whole, "{name} cut at {at}");
            }
        }
    }
    // Beyond the part that is looked at before a reader is chosen.
    let (_, line) = fixtures().into_iter().find(|(n, _)| n.ends_with("openhands-v1/events.jsonl")).unwrap();
    let long = line.repeat(30);
    assert!(long.len() > 3 * 64 * 1024, "{}", long.len());
    for bytes in [long.clone(), gzip(&long)] {
        let whole = told(&import_bytes("x", &bytes, None));
        for size in [1, 7, 1000, 65_535, 65_536, 65_537, 100_000] {
            let chunks: Vec<&[u8]> = bytes.chunks(size).collect();
            assert_eq!(by_chunks("x", &chunks), whole, "chunks of {size}");
        }
    }
}

#[test]
fn archives_cannot_grow_without_end() {
    let bomb = gzip(&vec![b' '; 80 * 1024 * 1024]);
    for bytes in [bomb.clone(), zip_of(&[("a".into(), bomb.clone())])] {
        let imports = import("bomb", &bytes, None);
        assert!(imports[0].report.repairs.iter().any(|r| r.kind == "bomb"), "{:?}", imports[0].report);
    }
    // Archives in archives are opened once, not for ever.
    let mut nested = zip_of(&[("a.jsonl".into(), b"{}".to_vec())]);
    for _ in 0..50 {
        nested = zip_of(&[("z.zip".into(), nested)]);
    }
    let imports = import("n.zip", &nested, None);
    assert_eq!(imports[0].report.refused.as_ref().map(|r| r.looks_like.as_str()), Some("zip-member"));
    let empty = import("e.zip", &zip_of(&[]), None);
    assert!(empty[0].report.refused.is_some());
}

/// Processor time of this thread in nanoseconds; the wall clock where the system does not tell.
fn clock() -> u64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = stat.and_then(|s| s.split(' ').next().and_then(|n| n.parse().ok()));
    spent.unwrap_or_else(|| START.elapsed().as_nanos() as u64)
}

/// Eight times the file may cost this many times as much: 8 for linear work, 64 for quadratic.
const FACTOR: u64 = 26;
/// What costs less than this is not worth comparing.
const FLOOR: u64 = 40_000_000;

/// Claude Code lines, OpenHands events and so on, each made of `n` parts.
fn cases() -> Vec<(&'static str, fn(usize) -> String)> {
    fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
        (0..n).map(|i| line(i) + "\n").collect()
    }
    fn joined(n: usize, part: impl Fn(usize) -> String) -> String {
        (0..n).map(part).collect::<Vec<_>>().join(",")
    }
    const HEAD: &str = r#"{"type":"user","uuid":"h","sessionId":"s","message":{"content":"hi"}}"#;
    fn claude(i: usize, role: &str, content: &str) -> String {
        format!(
            r#"{{"type":"{role}","uuid":"u{i}","sessionId":"s","message":{{"id":"m{i}","model":"m{i}","content":[{content}]}}}}"#
        )
    }
    vec![
        ("calls, then results of other calls", |n| {
            lines(n, |i| {
                claude(i, "assistant", &format!(r#"{{"type":"tool_use","id":"c{i}","name":"t{i}","input":{{}}}}"#))
            }) + &lines(n, |i| {
                claude(n + i, "user", &format!(r#"{{"type":"tool_result","tool_use_id":"o{i}","content":"x"}}"#))
            })
        }),
        ("calls of one id, then results of it", |n| {
            lines(n, |i| claude(i, "assistant", r#"{"type":"tool_use","id":"c","name":"t","input":{}}"#))
                + &lines(n, |i| claude(n + i, "user", r#"{"type":"tool_result","tool_use_id":"c","content":"x"}"#))
        }),
        ("calls of one id, then results without an id", |n| {
            lines(n, |i| claude(i, "assistant", r#"{"type":"tool_use","id":"c","name":"t","input":{}}"#))
                + &lines(n, |i| claude(n + i, "user", r#"{"type":"tool_result","content":"x"}"#))
        }),
        ("results before their calls", |n| {
            lines(n, |i| claude(i, "user", &format!(r#"{{"type":"tool_result","tool_use_id":"c{i}","content":"x"}}"#)))
                + &lines(n, |i| {
                    claude(n + i, "assistant", &format!(r#"{{"type":"tool_use","id":"c{i}","name":"t","input":{{}}}}"#))
                })
        }),
        ("one message of many parts", |n| {
            let parts = joined(n, |i| format!(r#"{{"type":"tool_use","id":"c{i}","name":"t","input":{{}}}}"#));
            format!("{HEAD}\n{}\n", claude(0, "assistant", &parts))
        }),
        ("one message of many results, pretty-printed", |n| {
            let parts =
                joined(n, |i| format!("{{\"type\":\"tool_result\",\n\"tool_use_id\":\"c{i}\",\n\"content\":\"x\"}}\n"));
            format!("[{HEAD},{}]", claude(0, "user", &parts))
        }),
        ("many agents", |n| {
            lines(n, |i| {
                format!(
                    r#"{{"type":"user","uuid":"u{i}","sessionId":"s","isSidechain":true,"agentId":"a{i}","message":{{"content":"x"}}}}"#
                )
            })
        }),
        ("many agents with the calls that started them", |n| {
            lines(n, |i| {
                claude(i, "assistant", &format!(r#"{{"type":"tool_use","id":"c{i}","name":"Task","input":{{}}}}"#))
            }) + &lines(n, |i| {
                format!(
                    r#"{{"type":"user","uuid":"v{i}","sessionId":"s","parent_tool_use_id":"c{i}","message":{{"content":"x"}}}}"#
                )
            })
        }),
        ("loglines", |n| format!(r#"{{"loglines":[{}]}}"#, joined(n, |i| claude(i, "user", r#""x""#)))),
        ("kinds of records", |n| lines(n, |i| format!(r#"{{"type":"k{i}","sessionId":"s","uuid":"u{i}"}}"#)) + HEAD),
        ("a record with many keys", |n| {
            let keys = joined(n, |i| format!("\"k{i}\":{i}"));
            format!(
                "{HEAD}\n{{\"type\":\"user\",\"uuid\":\"k\",\"sessionId\":\"s\",{keys},\"message\":{{\"content\":\"x\"}}}}\n"
            )
        }),
        ("a record with one key many times", |n| {
            let keys = joined(n, |_| "\"message\":{\"content\":\"x\"}".to_owned());
            format!("{HEAD}\n{{\"type\":\"user\",\"uuid\":\"k\",\"sessionId\":\"s\",{keys}}}\n")
        }),
        ("a row with many events", |n| {
            let events = joined(n, |i| {
                format!(
                    r#"{{"id":{i},"timestamp":"t{i}","source":"agent","action":"run","args":{{"command":"ls","thought":"x"}}}}"#
                )
            });
            format!(r#"{{"instance_id":"i","history":[{events}]}}"#)
        }),
        ("a row with many pairs, pretty-printed", |n| {
            let events = joined(n, |_| {
                "[{\"action\":\"run\",\n\"args\":{}},\n{\"observation\":\"run\",\n\"content\":\"\",\"extras\":{}}]\n"
                    .to_owned()
            });
            format!("{{\"instance_id\":\"i\",\n\"history\":[{events}]}}")
        }),
        ("observations without a call", |n| {
            let events =
                joined(n, |i| format!(r#"{{"id":{i},"cause":0,"observation":"run","content":"x","extras":{{}}}}"#));
            let calls = joined(n, |i| format!(r#"{{"id":{i},"action":"read","args":{{}}}}"#));
            format!("[{calls},{events}]")
        }),
        ("delegates in delegates", |n| {
            format!("[{}]", joined(n, |i| format!(r#"{{"id":{i},"action":"delegate","args":{{"agent":"a"}}}}"#)))
        }),
        ("sdk events", |n| {
            lines(n, |i| {
                format!(
                    r#"{{"kind":"ActionEvent","id":"a{i}","source":"agent","tool_name":"t{i}","tool_call_id":"c","action":{{}},"llm_response_id":"r{i}"}}"#
                )
            }) + &lines(n, |i| {
                format!(
                    r#"{{"kind":"ObservationEvent","id":"o{i}","source":"e","tool_call_id":"c","action_id":"a{i}","observation":{{}}}}"#
                )
            })
        }),
        ("sdk uses", |n| {
            let uses = joined(n, |i| format!(r#""u{i}":{{"accumulated_token_usage":{{"prompt_tokens":{i}}}}}"#));
            lines(4, |i| {
                format!(
                    r#"{{"kind":"ConversationStateUpdateEvent","id":"s{i}","source":"e","key":"stats","value":{{"usage_to_metrics":{{{uses}}}}}}}"#
                )
            })
        }),
        ("bad lines", |n| format!("{HEAD}\n{HEAD}\n") + &lines(n, |i| format!("{{\"broken\":{i}"))),
        ("bad lines first", |n| lines(n, |i| format!("log line {i}")) + HEAD),
        ("blank lines", |n| format!("{HEAD}\n{HEAD}\n") + &"\n".repeat(n)),
        ("values one after another", |n| format!("{HEAD}\n{HEAD}\n") + &"{\n}".repeat(n)),
        ("open brackets", |n| "[".repeat(n)),
        ("open brackets in a line", |n| format!("{HEAD}\n{HEAD}\n{{\"type\":\"user\",\"message\":{}\n", "[".repeat(n))),
        ("deep values side by side", |n| {
            let depth = 600;
            let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            format!("[{HEAD},{}]", joined(n / 100, |_| deep.clone()))
        }),
        ("quotes", |n| "\"".repeat(n)),
        ("escapes", |n| format!("{HEAD}\n{}\n", claude(0, "user", &format!("\"{}\"", "\\ud83d\\q\\n\t".repeat(n))))),
        ("a string in a string", |n| {
            serde_json::to_string(&format!("[{}]", joined(n, |i| claude(i, "user", "")))).unwrap()
        }),
        ("numbers", |n| format!("[{}]", joined(n, |_| "1e999".to_owned()))),
        ("one long number", |n| format!("[{}]", "9".repeat(n))),
        ("empty arrays", |n| format!("[{}]", joined(n, |_| "[]".to_owned()))),
        ("text", |n| "word ".repeat(n)),
    ]
}

/// Says so when a file of `8 * n` parts costs far more than eight times one of `n`.
fn too_slow(name: &str, n: usize, make: &dyn Fn(usize) -> String) -> Option<String> {
    let cost = |text: &str| {
        let from = clock();
        import("x", text.as_bytes(), None);
        clock() - from
    };
    let long = make(8 * n);
    let mut large = cost(&long);
    if large < FLOOR {
        return None;
    }
    let text = make(n);
    let small = (0..3).map(|_| cost(&text)).min().unwrap();
    if large > FACTOR * small {
        // A machine that has other work to do is slow by itself, now and then.
        large = large.min(cost(&long)).min(cost(&long));
    }
    let ms = |ns: u64| ns / 1_000_000;
    (large > FACTOR * small).then(|| format!("{name}: {} ms, eight times as much: {} ms", ms(small), ms(large)))
}

#[test]
fn work_grows_with_the_file_and_not_with_its_square() {
    let slow: Vec<_> = cases().into_iter().filter_map(|(name, make)| too_slow(name, 2_500, &make)).collect();
    assert!(slow.is_empty(), "more than linear:\n{}", slow.join("\n"));
}

/// A list somewhere in a fixture, cut out so that it can be made longer.
struct List {
    name: String,
    before: String,
    items: Vec<String>,
    between: &'static str,
    after: String,
}

impl List {
    /// The file with `n` members in the list: every second one is as it was, the others have ids of their own.
    fn grown(&self, n: usize) -> String {
        let mut out = self.before.clone();
        for i in 0..n {
            if i > 0 {
                out.push_str(self.between);
            }
            let item = &self.items[i % self.items.len()];
            if (i / self.items.len()).is_multiple_of(2) {
                out.push_str(item)
            } else {
                out.push_str(&with_new_ids(item, i))
            }
        }
        out + &self.after
    }
}

fn with_new_ids(item: &str, i: usize) -> String {
    let mut tape = Tape::new();
    let mut ends = Vec::new();
    let mut stack = vec![tape.parse(item).root()];
    while let Some(val) = stack.pop() {
        for (key, inner) in val.entries() {
            if key.to_lowercase().ends_with("id") && inner.is_string() {
                ends.push(inner.range().1 - 1);
            }
            stack.push(inner);
        }
        stack.extend(val.items());
    }
    ends.sort_unstable();
    let mut out = String::new();
    let mut from = 0;
    for end in ends {
        out.push_str(&item[from..end]);
        out.push_str(&format!("-{i}"));
        from = end;
    }
    out + &item[from..]
}

/// The lists of a fixture: its lines, and every array of a document or a line.
fn lists(name: &str, text: &str) -> Vec<List> {
    let mut out = Vec::new();
    let mut arrays = |piece: &str, before: &str, after: &str| {
        let mut tape = Tape::new();
        let root = tape.parse(piece).root();
        if !root.is_object() && !root.is_array() || piece.is_empty() {
            return false;
        }
        let mut stack = vec![root];
        while let Some(val) = stack.pop() {
            if val.is_array() && !val.is_empty() {
                let (start, end) = val.range();
                let pointer = val
                    .pointer()
                    .split('/')
                    .map(|t| if t.parse::<u32>().is_ok() { "*" } else { t })
                    .collect::<Vec<_>>()
                    .join("/");
                out.push(List {
                    name: format!("{name} {pointer}"),
                    before: format!("{before}{}", &piece[..=start]),
                    items: val.items().map(|v| v.raw().to_owned()).collect(),
                    between: ",",
                    after: format!("{}{after}", &piece[end - 1..]),
                });
            }
            stack.extend(val.items().chain(val.entries().map(|(_, v)| v)));
        }
        !tape.is_broken()
    };
    if arrays(text, "", "") {
        return out;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut from = 0;
    for line in &lines {
        let (before, rest) = text.split_at(from);
        arrays(line, before, &rest[line.len()..]);
        from = (from + line.len() + 1).min(text.len());
    }
    let items = lines.iter().map(|l| (*l).to_owned()).collect();
    out.push(List { name: format!("{name} lines"), before: String::new(), items, between: "\n", after: "\n".into() });
    out
}

#[test]
fn every_list_of_every_format_may_be_long() {
    let mut seen = std::collections::BTreeSet::new();
    let mut slow = Vec::new();
    for (path, bytes) in fixtures() {
        let folder = Path::new(&path).parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
        let text = String::from_utf8(bytes).unwrap_or_default().replace("\r\n", "\n");
        for list in lists(&folder, &text) {
            // One list of a kind is enough.
            if seen.insert(list.name.clone()) {
                slow.extend(too_slow(&list.name, 500, &|n| list.grown(n)));
            }
        }
    }
    assert!(seen.len() > 10, "{seen:?}");
    assert!(slow.is_empty(), "more than linear, of {} lists:\n{}", seen.len(), slow.join("\n"));
}

#[test]
fn members_of_an_archive_cost_no_more_than_files() {
    let cost = |n: usize| {
        let members: Vec<_> = (0..n)
            .map(|i| {
                (
                    format!("conv/events/event-{i:05}-x.json"),
                    b"{\"kind\":\"PauseEvent\",\"id\":\"x\",\"source\":\"user\"}".to_vec(),
                )
            })
            .collect();
        let zip = zip_of(&members);
        let from = clock();
        let imports = import("x.zip", &zip, None);
        assert_eq!(imports.len(), 1);
        clock() - from
    };
    let (small, large) = (cost(500), cost(4_000));
    assert!(large < FLOOR || large < FACTOR * small, "{small} ns, eight times as much: {large} ns");
}

#[test]
fn large_files_of_every_awkward_kind_come_to_an_end() {
    for (name, make) in cases() {
        if name.starts_with("calls, then") {
            let imports = import("x", make(200_000).as_bytes(), None);
            assert_eq!((imports[0].runs[0].calls(), imports[0].runs[0].unanswered()), (200_000, 200_000));
        }
    }
    let long = format!(
        "{{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\",\"message\":{{\"content\":\"{}\"}}}}\n",
        "x".repeat(5_000_000)
    );
    let imports = import("x", long.repeat(2).as_bytes(), None);
    assert_eq!(imports[0].report.records, 2);
    let key = format!("[{{\"kind\":\"PauseEvent\",\"id\":\"1\",\"source\":\"user\",\"{}\":1}}]", "k".repeat(5_000_000));
    assert_eq!(import("x", key.as_bytes(), None)[0].runs[0].steps.len(), 1);
    let kind = format!("[{{\"kind\":\"{}Event\",\"id\":\"1\",\"source\":\"user\"}}]", "k".repeat(5_000_000));
    assert_eq!(import("x", kind.as_bytes(), None)[0].runs[0].steps.len(), 1);
}
