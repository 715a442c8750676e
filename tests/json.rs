//! The JSON reader against tables written after the RFCs, and against `serde_json` on random texts.
//!
//! A text without faults is exactly a text that `serde_json` accepts, but for three differences that we mean:
//! nesting (it stops at 128, we read 512), numbers beyond a double (`1e999`; it refuses, we keep the source), and
//! nothing else: repeated keys are accepted by both, half surrogate pairs are a fault here and an error there.

#![allow(clippy::type_complexity, clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::property;
use proptest::prelude::*;
use serde_json::Value;
use skillscope::json::{FaultKind, Kind, MAX_DEPTH, Tape, Val, decode_bytes, line_column, pointer_token, quote};

/// Kind and place of every fault, and the value that was read all the same.
fn read(text: &str) -> (Vec<(FaultKind, usize)>, Value) {
    let mut tape = Tape::new();
    let value = tape.parse(text).root().to_serde();
    (tape.faults().iter().map(|f| (f.kind, f.at)).collect(), value)
}

#[track_caller]
fn faults(text: &str, expected: &[(FaultKind, usize)], value: &str) {
    let (found, read) = read(text);
    assert_eq!(found, expected, "{text:?}");
    assert_eq!(read, serde_json::from_str::<Value>(value).unwrap(), "{text:?}");
}

#[test]
fn faults_have_a_kind_and_a_place_and_the_value_goes_on() {
    use FaultKind::*;
    let table: &[(&str, &[(FaultKind, usize)], &str)] = &[
        ("", &[(Empty, 0)], "null"),
        (" \n\t", &[(Empty, 3)], "null"),
        (r#""\ud83d""#, &[(LoneSurrogate, 1)], r#""�""#),
        (r#""a\ude00b""#, &[(LoneSurrogate, 2)], r#""a�b""#),
        (r#""\ud83dx\ud83d\ude00""#, &[(LoneSurrogate, 1)], r#""�x😀""#),
        (r#""\ud83d\ud83d\ude00""#, &[(LoneSurrogate, 1)], r#""�😀""#),
        (r#""\ud83d\u0041""#, &[(LoneSurrogate, 1)], r#""�A""#),
        (r#"{"a":NaN}"#, &[(NotANumber, 5)], r#"{"a":null}"#),
        ("[Infinity,-Infinity]", &[(NotANumber, 1), (NotANumber, 10)], "[null,null]"),
        ("\"a\tb\"", &[(ControlCharacter, 2)], r#""a\tb""#),
        ("\"a\nb\u{1}\"", &[(ControlCharacter, 2), (ControlCharacter, 4)], r#""a\nb\u0001""#),
        (r#""\q""#, &[(BadEscape, 1)], r#""\\q""#),
        (r#""\u12g4""#, &[(BadEscape, 1)], r#""\\u12g4""#),
        (r#""C:\windows\\""#, &[(BadEscape, 3)], r#""C:\\windows\\""#),
        ("[1,]", &[(TrailingComma, 3)], "[1]"),
        (r#"{"a":1 , }"#, &[(TrailingComma, 9)], r#"{"a":1}"#),
        ("[1,2", &[(CutOff, 4)], "[1,2]"),
        (r#"{"a":1,"#, &[(CutOff, 7)], r#"{"a":1}"#),
        (r#"{"a":1,"b"#, &[(CutOff, 9)], r#"{"a":1}"#),
        (r#"{"a":1,"b""#, &[(CutOff, 10)], r#"{"a":1}"#),
        (r#"{"a":1,"b":"#, &[(CutOff, 11)], r#"{"a":1}"#),
        (r#"{"a":"xy"#, &[(CutOff, 8)], r#"{"a":"xy"}"#),
        (r#"[{"a":[1"#, &[(CutOff, 8)], r#"[{"a":[1]}]"#),
        (r#""abc\"#, &[(CutOff, 5)], r#""abc\\""#),
        (r#""abc\u12"#, &[(CutOff, 8)], r#""abc\\u12""#),
        ("tru", &[(CutOff, 3)], "null"),
        ("[-", &[(CutOff, 2)], "[]"),
        ("1.", &[(CutOff, 2)], "null"),
        ("1e+", &[(CutOff, 3)], "null"),
        ("1 2", &[(TextAfter, 2)], "1"),
        ("{} x", &[(TextAfter, 3)], "{}"),
        ("{}\u{feff}", &[(TextAfter, 2)], "{}"),
        ("{a:1}", &[(Unexpected, 1)], "{}"),
        (r#"{"a" 1}"#, &[(Unexpected, 5)], "{}"),
        (r#"{"a":1 "b":2}"#, &[(Unexpected, 7)], r#"{"a":1}"#),
        ("[1 2]", &[(Unexpected, 3)], "[1]"),
        ("[,1]", &[(Unexpected, 1)], "[]"),
        ("[1,,2]", &[(Unexpected, 3)], "[1]"),
        ("01", &[(Unexpected, 0)], "null"),
        ("[-01]", &[(Unexpected, 2)], "[]"),
        ("+1", &[(Unexpected, 0)], "null"),
        (".5", &[(Unexpected, 0)], "null"),
        ("[1.x]", &[(Unexpected, 3)], "[]"),
        ("[1ex]", &[(Unexpected, 3)], "[]"),
        ("'a'", &[(Unexpected, 0)], "null"),
        ("nulx", &[(Unexpected, 0)], "null"),
        ("truex", &[(Unexpected, 0)], "null"),
        ("}", &[(Unexpected, 0)], "null"),
        ("[1}", &[(Unexpected, 2)], "[1]"),
        ("\u{feff}{}", &[(Unexpected, 0)], "null"),
        ("\u{a0}1", &[(Unexpected, 0)], "null"),
    ];
    for (text, expected, value) in table {
        faults(text, expected, value);
    }
}

#[test]
fn only_certain_repairs_let_the_reading_go_on() {
    use FaultKind::*;
    let all = [
        LoneSurrogate,
        NotANumber,
        ControlCharacter,
        BadEscape,
        TrailingComma,
        CutOff,
        TooDeep,
        TextAfter,
        Unexpected,
        Empty,
    ];
    let repairs: Vec<_> = all.iter().filter(|k| k.is_repair()).map(|k| k.id()).collect();
    assert_eq!(
        repairs,
        ["lone-surrogate", "not-a-number", "control-character", "bad-escape", "trailing-comma", "too-deep"]
    );
    let mut tape = Tape::new();
    tape.load(r#"[1,NaN,"#);
    assert!(tape.is_broken());
    assert_eq!(tape.fatal().map(|f| f.kind), Some(CutOff));
    tape.load("[NaN,]");
    assert!(!tape.is_broken() && tape.fatal().is_none());
}

#[test]
fn depth_is_bounded_and_what_is_below_keeps_its_source() {
    let at = |depth: usize, inner: &str| format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth));
    let whole = at(MAX_DEPTH, "");
    assert_eq!(read(&whole).0, []);
    let deeper = at(
        MAX_DEPTH,
        r#"{"a":"]}\"",
"b":[1]}"#,
    );
    let mut tape = Tape::new();
    let doc = tape.parse(&deeper);
    let mut val = doc.root();
    while let Some(inner) = val.items().next() {
        val = inner;
    }
    assert_eq!((val.kind(), val.raw()), (Kind::Opaque, "{\"a\":\"]}\\\"\",\n\"b\":[1]}"));
    assert_eq!(tape.faults().iter().map(|f| (f.kind, f.at)).collect::<Vec<_>>(), [(FaultKind::TooDeep, MAX_DEPTH)]);
    // Lines go on behind the part that was not read.
    let text = format!("[{},\n7]", at(MAX_DEPTH, "{\n}"));
    let root = tape.parse(&text).root();
    let last = root.items().last().unwrap();
    assert_eq!((last.raw(), last.lines_after(root)), ("7", 2));
    for depth in [10_000, 100_000] {
        for text in ["[".repeat(depth), r#"{"a":"#.repeat(depth), at(depth, "1"), "]".repeat(depth)] {
            let (found, _) = read(&text);
            assert!(!found.is_empty());
        }
    }
}

#[test]
fn faults_are_listed_up_to_a_limit_and_counted_beyond() {
    let text = format!("[{}1", "NaN,".repeat(1000));
    let mut tape = Tape::new();
    tape.load(&text);
    assert_eq!(tape.faults().len(), 257);
    assert_eq!(tape.unlisted_faults(), 744);
    assert_eq!(tape.fatal().map(|f| f.kind), Some(FaultKind::CutOff));
}

#[test]
fn escapes_decode_as_the_rfc_says() {
    let table = [
        (r#""""#, ""),
        (r#""plain äöü 😀""#, "plain äöü 😀"),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u0041\u00e9\u20AC\uffff""#, "Aé€\u{ffff}"),
        (r#""\u0000""#, "\0"),
        (r#""\ud83d\ude00\uD834\uDD1E""#, "😀𝄞"),
        (r#""\\ud83d""#, "\\ud83d"),
        (r#""\\\\ud83d\\udc4b""#, "\\\\ud83d\\udc4b"),
        (r#""\\\ud83d\ude00""#, "\\😀"),
        (r#""\\n""#, "\\n"),
    ];
    for (text, expected) in table {
        let mut tape = Tape::new();
        let doc = tape.parse(text);
        assert_eq!(doc.root().as_str().as_deref(), Some(expected), "{text}");
        assert!(doc.root().is(expected), "{text}");
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), expected, "{text}");
        assert!(tape.faults().is_empty(), "{text}");
    }
}

#[test]
fn pointers_are_those_of_rfc_6901() {
    let text = r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"~1":9}"#;
    let mut tape = Tape::new();
    let doc = tape.parse(text);
    let raw = |pointer: &str| doc.pointer(pointer).map(Val::raw);
    let table = [
        ("", Some(text)),
        ("/foo", Some(r#"["bar","baz"]"#)),
        ("/foo/0", Some(r#""bar""#)),
        ("/foo/1", Some(r#""baz""#)),
        ("/", Some("0")),
        ("/a~1b", Some("1")),
        ("/c%d", Some("2")),
        ("/e^f", Some("3")),
        ("/g|h", Some("4")),
        ("/i\\j", Some("5")),
        ("/k\"l", Some("6")),
        ("/ ", Some("7")),
        ("/m~0n", Some("8")),
        ("/~01", Some("9")),
        ("/foo/2", None),
        ("/foo/-", None),
        ("/foo/01", None),
        ("/foo/+1", None),
        ("/foo/00", None),
        ("/foo/0/x", None),
        ("/nothing", None),
        ("foo", None),
    ];
    for (pointer, expected) in table {
        assert_eq!(raw(pointer), expected, "{pointer}");
    }
    for (key, val) in doc.root().entries() {
        assert_eq!(val.pointer(), format!("/{}", pointer_token(&key)));
    }
}

#[test]
fn of_a_repeated_key_the_last_counts_and_all_stay_visible() {
    let mut tape = Tape::new();
    let root = tape.parse(r#"{"a":1,"b":2,"a":3,"\u0061":4,"b":5,"c":6}"#).root();
    assert_eq!(root.get("a").map(Val::raw), Some("4"));
    assert_eq!(root.entries().map(|(k, v)| format!("{k}{}", v.raw())).collect::<String>(), "a1b2a3a4b5c6");
    assert_eq!(root.repeated_keys(), ["a", "b"]);
    assert_eq!(root.len(), 6);
}

#[test]
fn numbers_keep_their_source_and_read_by_value() {
    let table: &[(&str, Option<i64>, Option<u64>, Option<f64>)] = &[
        ("0", Some(0), Some(0), Some(0.0)),
        ("-0", Some(0), Some(0), Some(-0.0)),
        ("12.0", Some(12), Some(12), Some(12.0)),
        ("1e3", Some(1000), Some(1000), Some(1000.0)),
        ("-1.5", None, None, Some(-1.5)),
        ("9007199254740993", Some(9007199254740993), Some(9007199254740993), Some(9007199254740992.0)),
        ("9223372036854775807", Some(i64::MAX), Some(i64::MAX as u64), Some(9223372036854775807.0)),
        ("18446744073709551615", None, Some(u64::MAX), Some(18446744073709551615.0)),
        ("18446744073709551616", None, None, Some(18446744073709551616.0)),
        ("-9223372036854775808", Some(i64::MIN), None, Some(-9223372036854775808.0)),
        ("1e999", None, None, None),
        ("-1E+400", None, None, None),
        ("1e-400", Some(0), Some(0), Some(0.0)),
        ("123456789012345678901234567890", None, None, Some(123456789012345678901234567890.0)),
    ];
    for (text, i, u, f) in table {
        let mut tape = Tape::new();
        let root = tape.parse(text).root();
        assert_eq!((root.raw(), root.as_i64(), root.as_u64(), root.as_f64()), (*text, *i, *u, *f), "{text}");
        assert!(tape.faults().is_empty(), "{text}");
    }
}

#[test]
fn lines_and_columns_count_from_one_and_in_characters() {
    let text = "ab\nä😀c\r\n\nx";
    let table = [
        (0, (1, 1)),
        (2, (1, 3)),
        (3, (2, 1)),
        (5, (2, 2)),
        (6, (2, 2)),
        (9, (2, 3)),
        (12, (3, 1)),
        (13, (4, 1)),
        (999, (4, 2)),
    ];
    for (offset, expected) in table {
        assert_eq!(line_column(text, offset), expected, "{offset}");
    }
}

#[test]
fn lines_between_values_are_counted_without_the_text() {
    let text = "\n{\"a\":\n1,\n\"b\": [\n{},\n\n{\"c\"\n:\n2}]}";
    let mut tape = Tape::new();
    let doc = tape.parse(text);
    let mut stack = vec![doc.root()];
    let mut seen = 0;
    while let Some(val) = stack.pop() {
        let (line, _) = line_column(text, val.offset());
        assert_eq!(val.lines_after(doc.root()) + 2, line, "{}", val.pointer());
        seen += 1;
        stack.extend(val.items().chain(val.entries().map(|(_, v)| v)));
    }
    assert_eq!(seen, 6);
}

#[test]
fn bytes_become_text_in_every_usual_encoding() {
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect()
    };
    let text = "{\"a\":\"ä😀\"}";
    for (bytes, bom) in [
        (text.as_bytes().to_vec(), None),
        ([b"\xEF\xBB\xBF", text.as_bytes()].concat(), Some("utf-8")),
        (utf16(text, false), Some("utf-16le")),
        (utf16(text, true), Some("utf-16be")),
    ] {
        let decoded = decode_bytes(&bytes);
        assert_eq!((decoded.text.as_ref(), decoded.bom, decoded.replaced), (text, bom, 0));
    }
    assert_eq!(decode_bytes(b"a\xFFb\xC3").replaced, 2);
    assert_eq!(decode_bytes(b"a\xFFb\xC3").text, "a\u{FFFD}b\u{FFFD}");
    let odd = [utf16("x", false), vec![0x41]].concat();
    assert_eq!(decode_bytes(&odd).replaced, 1);
}

/// Any JSON value, with strings and keys that need escapes.
fn value() -> impl Strategy<Value = Value> {
    let text =
        prop_oneof!["[ -~]{0,12}", ".{0,6}", Just("\"\\/\u{8}\u{c}\n\r\t\0~1~0😀".to_owned()), Just(String::new()),];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((text.clone(), inner), 0..6).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

#[test]
fn what_serde_writes_reads_back_and_every_value_is_found_again() {
    property(300, &value(), |value| {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let mut tape = Tape::new();
            let doc = tape.parse(&text);
            prop_assert_eq!(&doc.root().to_serde(), &value);
            let mut stack = vec![doc.root()];
            while let Some(val) = stack.pop() {
                let pointer = val.pointer();
                let found = doc.pointer(&pointer);
                prop_assert_eq!(found.map(Val::range), Some(val.range()), "{}", pointer);
                prop_assert_eq!(value.pointer(&pointer), Some(&val.to_serde()), "{}", pointer);
                let mut again = Tape::new();
                prop_assert_eq!(again.parse(val.raw()).root().to_serde(), val.to_serde());
                prop_assert!(again.faults().is_empty());
                prop_assert_eq!(
                    val.lines_after(doc.root()) + line_column(&text, doc.root().offset()).0,
                    line_column(&text, val.offset()).0
                );
                if let Some(s) = val.as_str() {
                    prop_assert_eq!(serde_json::from_str::<String>(&quote(&s)).unwrap(), s.as_ref());
                }
                stack.extend(val.items().chain(val.entries().map(|(_, v)| v)));
            }
            prop_assert!(tape.faults().is_empty());
        }
        Ok(())
    });
}

/// A valid text with a few bytes changed, most of them to bytes that mean something in JSON.
fn mutated() -> impl Strategy<Value = String> {
    let byte = prop_oneof![
        4 => prop::sample::select(b"{}[]\",:\\ \n\t0123456789-+.eEutfnrdDNaI/".to_vec()),
        1 => any::<u8>(),
    ];
    (value(), prop::collection::vec((any::<prop::sample::Index>(), byte, 0u8..3), 0..4)).prop_map(|(value, edits)| {
        let mut bytes = value.to_string().into_bytes();
        for (at, byte, how) in edits {
            let at = at.index(bytes.len() + 1);
            match how {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => bytes[at] = byte,
                _ if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => {}
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[test]
fn no_faults_means_that_serde_accepts() {
    let accepted = std::cell::Cell::new(0u32);
    property(3000, &mutated(), |text| {
        let (found, value) = read(&text);
        match serde_json::from_str::<Value>(&text) {
            Ok(theirs) => {
                prop_assert!(found.is_empty(), "{:?}: {:?}", text, found);
                prop_assert_eq!(value, theirs, "{:?}", text);
                accepted.set(accepted.get() + 1);
            }
            Err(e) => {
                let meant =
                    e.to_string().starts_with("number out of range") || e.to_string().starts_with("recursion limit");
                prop_assert!(!found.is_empty() || meant, "{:?}: {}", text, e);
            }
        }
        Ok(())
    });
    // Both sides of the comparison were seen.
    assert!((300..2900).contains(&accepted.get()), "{} of 3000 accepted", accepted.get());
}

#[test]
fn any_text_reads_to_an_end_with_sound_values() {
    let noise = prop::collection::vec(prop::sample::select(b"{}[]\",:\\ \nu d8tfN-1e.\xC3\xA4".to_vec()), 0..80);
    property(2000, &noise, |bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut tape = Tape::new();
        let doc = tape.parse(&text);
        let mut stack = vec![doc.root()];
        while let Some(val) = stack.pop() {
            let (start, end) = val.range();
            prop_assert!(start <= end && end <= text.len());
            let _ = (val.text(), val.as_f64(), val.len(), val.pointer(), val.repeated_keys());
            for inner in val.items().chain(val.entries().map(|(_, v)| v)) {
                let (from, to) = inner.range();
                prop_assert!(start <= from && to <= end, "{:?}", text);
                stack.push(inner);
            }
        }
        let places: Vec<usize> = tape.faults().iter().map(|f| f.at).collect();
        prop_assert!(places.iter().all(|&at| at <= text.len()));
        // Values one after another come to an end too.
        let mut from = 0;
        for _ in 0..=text.len() {
            let (_, end) = tape.parse_next(&text, from);
            prop_assert!(end >= from && end <= text.len());
            if tape.is_broken() || end == from {
                break;
            }
            from = end;
        }
        Ok(())
    });
}
