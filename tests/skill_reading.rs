//! Bytes to documents of the protocol: what is refused and where, what is kept, what is told apart from the neighbours,
//! and the rules that reach across fields or documents.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use skillscope::json::{Tape, decode_bytes};
use skillscope::message::Lang;
use skillscope::model::Severity;
use skillscope::skill::{self, Kind, Options, Profile, SkillFinding};

/// The findings of a refusal: reason, pointer, line, column.
#[track_caller]
fn refused(bytes: &[u8], expected: &[(&str, &str, u32, u32)]) {
    let found = skill::parse(bytes).expect_err("it was read");
    let found: Vec<_> = found
        .iter()
        .filter(|f| f.severity == Severity::Error)
        .map(|f| (f.reason, f.pointer.as_str(), f.line, f.column))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn bytes_that_are_no_document() {
    refused(b"", &[("empty_file", "", 1, 1)]);
    refused(b" \n\n", &[("empty_file", "", 3, 1)]);
    refused(b"[]", &[("top_level", "", 1, 1)]);
    refused(b"\"text\"", &[("top_level", "", 1, 1)]);
    refused(b"{\n \"a\": NaN\n}", &[("json_syntax", "", 2, 7)]);
    refused(b"{\"a\":1,}", &[("json_syntax", "", 1, 8)]);
    refused(b"{\"a\":1} x", &[("json_syntax", "", 1, 9)]);
    refused(b"{\"a\":01}", &[("json_syntax", "", 1, 6)]);
    refused(b"{\"a\":\"\x01\"}", &[("json_syntax", "", 1, 7)]);
    refused(b"{\"a\":\"\\x\"}", &[("json_syntax", "", 1, 7)]);
    refused(b"{'a':1}", &[("json_syntax", "", 1, 2)]);
    refused(b"{\"a\": [1, 2", &[("json_syntax", "", 1, 12)]);
    refused(b"\xff\xfe{\0}\0", &[("encoding", "", 1, 1)]);
    refused(b"\0{\0}", &[("encoding", "", 1, 1)]);
    refused(b"{\n\"a\": \"\xff\"}", &[("encoding", "", 2, 7)]);
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    refused(deep.as_bytes(), &[("too_deep", &format!("/a{}", "/0".repeat(127)), 1, 133)]);
    let huge = vec![b' '; skill::MAX_BYTES + 1];
    refused(&huge, &[("too_large", "", 1, 1)]);
    let fits = format!("{{\"a\":{}1{}}}", "[".repeat(127), "]".repeat(127));
    assert!(skill::parse(fits.as_bytes()).is_ok());
}

#[test]
fn values_that_readers_would_change() {
    refused(b"{\"a\":1,\n\"a\":2}", &[("duplicate_key", "/a", 2, 5)]);
    refused(b"{\"x\":{\"a/b\":1,\"\\u0061/b\":2,\"a/b\":3}}", &[("duplicate_key", "/x/a~1b", 1, 26)]);
    refused(b"{\"a\":1e400}", &[("number_range", "/a", 1, 6)]);
    refused(b"{\"a\":[123456789012345678901234567890]}", &[("number_lossy", "/a/0", 1, 7)]);
    refused(b"{\"a\":\"\\ud800\"}", &[("lone_surrogate", "/a", 1, 7)]);
    refused(b"{\"\\udc00\":1,\"b\":\"\\ud83d\\ude00\"}", &[("lone_surrogate", "/\u{fffd}", 1, 3)]);
    // Several at once: each is said.
    refused(b"{\"a\":1e999,\"b\":\"\\ud800\"}", &[("number_range", "/a", 1, 6), ("lone_surrogate", "/b", 1, 17)]);
}

#[test]
fn values_that_are_kept() {
    let text =
        "\u{feff}{\"z\":1.0,\"a\":9007199254740993,\"__proto__\":{\"x\":[-0,1E2]},\"n\":null,\"s\":\"\\u00e9\\/\"}";
    let document = skill::parse(text.as_bytes()).unwrap();
    let warned: Vec<_> = document.warnings().iter().map(|f| (f.reason, f.pointer.as_str())).collect();
    assert_eq!(warned, [("bom", ""), ("not_i_json", "/a")]);
    let written = skill::serialize(&document);
    let expected = "{\n  \"z\": 1.0,\n  \"a\": 9007199254740993,\n  \"__proto__\": {\n    \"x\": [\n      -0,\n      1E2\n    ]\n  },\n  \"n\": null,\n  \"s\": \"é/\"\n}\n";
    assert_eq!(written, expected);
    let again = skill::parse(written.as_bytes()).unwrap();
    assert!(again.equals(&document) && again == document);
    assert_eq!(document.canonical(), None, "a number that a double would change has no canonical form");
    let other = skill::parse(
        b"{\"s\":\"\xc3\xa9/\",\"n\":null,\"__proto__\":{\"x\":[0,100.0]},\"a\":9007199254740993,\"z\":1}",
    );
    assert!(other.unwrap().equals(&document));
    let absent = skill::parse(b"{\"s\":\"\xc3\xa9/\",\"__proto__\":{\"x\":[0,100.0]},\"a\":9007199254740993,\"z\":1}");
    assert!(!absent.unwrap().equals(&document), "absent is not null");
}

/// Any prefix and any damaged byte of a good document: findings, never a panic.
#[test]
fn damage_is_said_and_nothing_stops() {
    let good = std::fs::read(fixture("examples/valid-1-api-key.json")).unwrap();
    for end in 0..good.len() {
        assert!(skill::parse(&good[..end]).is_err() || good[end..].iter().all(u8::is_ascii_whitespace));
    }
    for at in 0..good.len() {
        for byte in [0u8, b'"', b'{', b'}', b'\\', b'9', 0xff] {
            let mut bad = good.clone();
            bad[at] = byte;
            if let Ok(document) = skill::parse(&bad) {
                skill::check_as(&document.doc(), Kind::Descriptor, &Options::default());
                skill::check(&document.doc(), &Options { profile: Profile::Strict, ..Options::default() });
            }
        }
    }
}

/// Places by the line table of the tape are those of the text; a file with very many faults is judged soon.
#[test]
fn places_are_quick_and_right() {
    let text = std::fs::read_to_string(fixture("examples/valid-1-api-key.json")).unwrap().replace(": ", ":\r\n ");
    let mut tape = Tape::new();
    let doc = tape.parse(&text);
    for offset in 0..=text.len() + 2 {
        assert_eq!(doc.place(offset), skillscope::json::line_column(&text, offset), "{offset}");
    }
    let entry = r#"{"id":"a","name":"","capability_type":"x","access":"private","descriptor_url":"u","idd":1}"#;
    let many = format!(r#"{{"protocol":{{"version":"1.0.0"}},"skills":[{}]}}"#, vec![entry; 40_000].join(","));
    let keys: Vec<String> = (0..80_000).map(|n| format!("\"k{}\":1", n / 2)).collect();
    let doubled = format!("{{{}}}", keys.join(","));
    let began = std::time::Instant::now();
    assert_eq!(errors_of(&many, &Options::default()).len(), 500, "as many as are listed");
    // Warnings take no error's place.
    let extra: Vec<String> = (0..2_000).map(|n| format!("\"extra{n}\":1")).collect();
    let late = format!(r#"{{"protocol":{{"version":"1.0.0",{}}},"skills":[{{"id":"a"}}]}}"#, extra.join(","));
    assert_eq!(errors_of(&late, &Options::default()).len(), 4);
    assert!(skill::parse(doubled.as_bytes()).is_err());
    // Quadratic work on either would take minutes even when optimised.
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/protocol").join(path)
}

fn errors_of(text: &str, options: &Options<'_>) -> Vec<SkillFinding> {
    let mut tape = Tape::new();
    let mut found = skill::check(&tape.parse(text), options);
    found.retain(|f| f.severity == Severity::Error);
    found
}

#[track_caller]
fn reasons(text: &str, options: &Options<'_>, expected: &[(&str, &str)]) {
    let found = errors_of(text, options);
    let found: Vec<_> = found.iter().map(|f| (f.pointer.as_str(), f.reason)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn schemas_inside() {
    let check = |inputs: &str, expected: &[(&str, &str)]| {
        let whole = std::fs::read_to_string(fixture("examples/valid-3-minimal-newer-minor.json")).unwrap();
        let mut value: serde_json::Value = serde_json::from_str(&whole).unwrap();
        value["inputs"] = serde_json::from_str(inputs).unwrap();
        reasons(&value.to_string(), &Options::default(), expected);
    };
    check(r#"{"type":["object","strung"]}"#, &[("/inputs/type/1", "embedded_schema")]);
    check(r#"{"properties":{"a":{"type":"text"}}}"#, &[("/inputs/properties/a/type", "embedded_schema")]);
    check(r#"{"properties":{"a":5}}"#, &[("/inputs/properties/a", "embedded_schema")]);
    check(r#"{"required":"a"}"#, &[("/inputs/required", "embedded_schema")]);
    check(r#"{"minLength":-1}"#, &[("/inputs/minLength", "embedded_schema")]);
    check(
        r#"{"minLength":-1,"maxLength":"x"}"#,
        &[("/inputs/minLength", "embedded_schema"), ("/inputs/maxLength", "embedded_schema")],
    );
    // What one dialect takes another does not.
    check(r#"{"exclusiveMinimum":true,"minimum":1}"#, &[("/inputs/exclusiveMinimum", "embedded_schema")]);
    check(r#"{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":true,"minimum":1}"#, &[]);
    check(r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},{}]}"#, &[]);
    check(r#"{"items":[{},{}]}"#, &[("/inputs/items", "embedded_schema")]);
    check(r#"{"$schema":"http://json-schema.org/schema#"}"#, &[("/inputs/$schema", "unknown_dialect")]);
    check(r#"{"$schema":5}"#, &[("/inputs/$schema", "embedded_schema")]);
    // References.
    check(r##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##, &[("/inputs/$defs/a", "ref_loop")]);
    check(r##"{"properties":{"a":{"$ref":"#"}}}"##, &[]);
    check(r##"{"allOf":[{"$ref":"#"}]}"##, &[("/inputs", "ref_loop")]);
    check(r##"{"$defs":{"a b":{"$anchor":"here"}},"anyOf":[{"$ref":"#/$defs/a%20b"},{"$ref":"#here"}]}"##, &[]);
    check(r##"{"$ref":"#nowhere"}"##, &[("/inputs/$ref", "missing_ref")]);
    check(r#"{"$ref":"other.json#/a"}"#, &[("/inputs/$ref", "remote_ref")]);
    check(r##"{"$defs":{"a":{"$id":"https://a.example/other.json"}},"$ref":"https://a.example/other.json"}"##, &[]);
    check(r##"{"properties":{"$ref":{"type":"string"},"pattern":{"type":"string"}}}"##, &[]);
    check(r##"{"const":{"$ref":"https://a.example"},"default":{"pattern":"("}}"##, &[]);
    let bomb: Vec<String> = (0..20)
        .map(|n| {
            format!("\"d{n}\":{{\"allOf\":[{{\"$ref\":\"#/$defs/d{m}\"}},{{\"$ref\":\"#/$defs/d{m}\"}}]}}", m = n + 1)
        })
        .collect();
    let bomb = format!("{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{},\"d20\":{{}}}}}}", bomb.join(","));
    check(&bomb, &[("/inputs", "schema_too_large")]);
    let deep = format!("{}{{}}{}", "{\"not\":".repeat(70), "}".repeat(70));
    check(&deep, &[("/inputs", "schema_too_large")]);
    let large = format!("{{\"description\":\"{}\"}}", "a".repeat(300_000));
    check(&large, &[("/inputs", "schema_too_large")]);
    check(r#"{"patternProperties":{"(a*)*":{}}}"#, &[("/inputs/patternProperties/(a*)*", "catastrophic_pattern")]);
}

#[test]
fn examples_and_secrets_are_warnings() {
    let whole = std::fs::read_to_string(fixture("examples/valid-1-api-key.json")).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&whole).unwrap();
    value["examples"] = serde_json::json!([
        { "inputs": { "text": "a", "to": "fr" }, "output": { "text": "b" } },
        { "inputs": { "text": 1, "more": 1 }, "output": {} },
    ]);
    value["x-note"] = serde_json::json!({ "client_secret": "0123456789abcdef", "token": "${TOKEN}" });
    value["metadata"] =
        serde_json::json!({ "k": format!("ghp_{}", "a1".repeat(18)), "u": "https://me:hunter22@example.com/" });
    let text = value.to_string();
    let mut tape = Tape::new();
    let found = skill::check(&tape.parse(&text), &Options::default());
    let shown: Vec<_> = found.iter().map(|f| (f.pointer.as_str(), f.reason, f.severity)).collect();
    let warning = Severity::Warning;
    assert_eq!(
        shown,
        [
            ("/examples/1/inputs/to", "required", warning),
            ("/examples/1/inputs/text", "type", warning),
            ("/examples/1/inputs/more", "not_in_schema", warning),
            ("/examples/1/output/text", "required", warning),
            ("/x-note/client_secret", "secret", warning),
            ("/metadata/k", "secret", warning),
            ("/metadata/u", "secret", warning),
        ]
    );
    for secret in ["0123456789abcdef", "hunter22", "a1a1"] {
        assert!(found.iter().all(|f| !f.sentence(Lang::En).contains(secret)), "the secret is shown");
    }
}

#[test]
fn messages_against_descriptor_and_request() {
    let descriptor = std::fs::read_to_string(fixture("examples/valid-1-api-key.json")).unwrap();
    let mut tape = Tape::new();
    let descriptors = [tape.parse(&descriptor).root()];
    let with = Options { descriptors: &descriptors, ..Options::default() };
    let request = |skill: &str, inputs: &str| {
        format!(r#"{{"caller":{{"id":"a","type":"agent"}},"skill_id":"{skill}","inputs":{inputs}}}"#)
    };
    let good = r#"{"text":"a","to":"fr"}"#;
    reasons(&request("com.example/translate", good), &with, &[]);
    reasons(&request("com.example/translat", good), &with, &[("/skill_id", "skill_unknown")]);
    reasons(
        &request("com.example/translate", "{}"),
        &with,
        &[("/inputs/text", "required"), ("/inputs/to", "required")],
    );
    reasons(
        &request("com.example/translate", r#"{"text":5,"to":"fr","tone":1}"#),
        &with,
        &[("/inputs/text", "type"), ("/inputs/tone", "not_in_schema")],
    );
    reasons(&request("com.example/translate", "null"), &with, &[("/inputs", "null")]);

    let response = |status: &str, output: &str| {
        format!(
            r#"{{"execution_id":"e","status":"{status}","skill_id":"com.example/translate","request_id":"r1","timestamps":{{"created_at":"2026-01-02T03:04:05Z"}}{output}}}"#
        )
    };
    reasons(&response("succeeded", r#","output":{"text":"b"}"#), &with, &[]);
    reasons(&response("succeeded", r#","output":null"#), &with, &[("/output", "type")]);
    reasons(&response("running", r#","output":null"#), &with, &[]);
    let mut other = Tape::new();
    let asked = r#"{"caller":{"id":"a","type":"agent"},"skill_id":"com.example/other","inputs":{},"request_id":"r2"}"#;
    let paired = Options { request: Some(other.parse(asked).root()), ..Options::default() };
    reasons(&response("running", ""), &paired, &[("/skill_id", "pair"), ("/request_id", "pair")]);
}

#[test]
fn times_in_order_are_a_house_rule() {
    let response = r#"{"execution_id":"e","status":"succeeded","skill_id":"s","timestamps":{"created_at":"2026-01-02T03:04:05Z","started_at":"2026-01-02T03:04:05+01:00","completed_at":"2026-01-02T03:04:06Z"}}"#;
    reasons(response, &Options::default(), &[]);
    reasons(
        response,
        &Options { profile: Profile::Strict, ..Options::default() },
        &[("/timestamps/started_at", "time_order")],
    );
}

#[test]
fn a_newer_protocol_comes_before_everything() {
    let spoilt = r#"{"protocol":{"version":"2.0.0"},"id":5,"capability_type":"tool","access":null,"endpoint":{}}"#;
    reasons(spoilt, &Options::default(), &[("/protocol/version", "protocol_incompatible")]);
    let older = r#"{"version":"1.0.0"}"#;
    reasons(older, &Options { supports: "3.0.0", ..Options::default() }, &[]);
    let majors = ["2".to_owned(), "3".to_owned()];
    let refusing = Options { supports: "3.0.0", supported_majors: &majors, ..Options::default() };
    reasons(older, &refusing, &[("/version", "protocol_incompatible")]);
}

#[test]
fn kinds_are_told_by_content() {
    for (name, kind) in [
        ("valid-1-api-key.json", Kind::Descriptor),
        ("invalid-01-missing-auth.json", Kind::Descriptor),
        ("valid-4-invocation-request.json", Kind::Request),
        ("invalid-17-request-caller-type.json", Kind::Request),
        ("valid-5-invocation-response.json", Kind::Response),
        ("invalid-19-response-timestamps.json", Kind::Response),
        ("valid-6-index.json", Kind::Index),
        ("invalid-23-index-no-descriptor-url.json", Kind::Index),
    ] {
        let document = skill::parse(&std::fs::read(fixture(&format!("examples/{name}"))).unwrap()).unwrap();
        assert_eq!(document.kind(), Some(kind), "{name}");
    }
}

/// Real files of the neighbours and of agents are none of the protocol's.
#[test]
fn corpus_holds_no_document_of_the_protocol() {
    let folder = std::env::var("SKILLSCOPE_CORPUS").unwrap_or_else(|_| "../shared/samples".into());
    let mut open = vec![PathBuf::from(&folder)];
    if !open[0].is_dir() {
        eprintln!("NOTE: {folder} is not here: nothing was checked");
        return;
    }
    let mut seen = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() > 20_000_000 {
            continue;
        }
        seen += 1;
        let text = decode_bytes(&bytes).text;
        let mut tape = Tape::new();
        assert_eq!(skill::kind_of(&tape.parse(&text)), None, "{}", path.display());
    }
    assert!(seen > 60, "{seen}");
}
