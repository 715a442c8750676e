//! Findings in the forms that other programs read: the `basic` output of JSON Schema 2020-12, and an RFC 9457 problem
//! document.
//!
//! Both carry errors only; `basic` also where the broken keyword stands in the schema. In a problem document the pointer
//! is a URI fragment, as the RFC shows it. O(findings). Source: JSON Schema core 2020-12 section 12.4.2; RFC 9457 section 3;
//! RFC 6901 section 6.

use serde_json::{Value, json};

use super::finding::SkillFinding;
use crate::message::Lang;
use crate::model::Severity;

fn errors(findings: &[SkillFinding]) -> impl Iterator<Item = &SkillFinding> {
    findings.iter().filter(|f| f.severity == Severity::Error)
}

/// The `basic` output: a flat list of errors.
pub fn basic(findings: &[SkillFinding], lang: Lang) -> Value {
    let list: Vec<Value> = errors(findings)
        .map(|f| json!({ "keywordLocation": f.keyword, "instanceLocation": f.instance, "error": f.sentence(lang) }))
        .collect();
    if list.is_empty() { json!({ "valid": true }) } else { json!({ "valid": false, "errors": list }) }
}

/// A problem document that says why a message or document was refused; `None` when nothing is wrong with it. It is itself
/// valid in the protocol, in both profiles.
pub fn problem(findings: &[SkillFinding], lang: Lang) -> Option<Value> {
    let first = errors(findings).next()?;
    let list: Vec<Value> = errors(findings)
        .map(|f| json!({ "pointer": fragment(&f.pointer), "detail": f.sentence(lang), "code": f.reason }))
        .collect();
    let incompatible = first.reason == "protocol_incompatible";
    let (title, code) = if incompatible {
        ("skill.problem.incompatible", "protocol_incompatible")
    } else {
        ("skill.problem.invalid", "invalid_document")
    };
    Some(json!({
        "type": "about:blank",
        "title": crate::message::fill_id(lang, title, &[]),
        "status": 422,
        "detail": first.sentence(lang),
        "code": code,
        "retryable": false,
        "errors": list,
    }))
}

/// A JSON pointer as a URI fragment: bytes that a fragment may not hold are percent-encoded.
fn fragment(pointer: &str) -> String {
    let mut out = String::from("#");
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Tape;
    use crate::skill::{Kind, Options, Profile, check_as};

    fn findings(text: &str, kind: Kind) -> Vec<SkillFinding> {
        let mut tape = Tape::new();
        check_as(&tape.parse(text), kind, &Options::default())
    }

    #[test]
    fn basic_names_instance_and_keyword() {
        let found = findings(r#"{"caller":{"id":" ","type":"agent"},"inputs":{}}"#, Kind::Request);
        assert_eq!(
            basic(&found, Lang::En),
            json!({ "valid": false, "errors": [
                { "keywordLocation": "/properties/caller/$ref/properties/id/pattern", "instanceLocation": "/caller/id",
                  "error": "\"id\" holds nothing but white space" },
                { "keywordLocation": "/required", "instanceLocation": "", "error": "\"skill_id\" is required" },
            ] })
        );
        assert_eq!(basic(&[], Lang::En), json!({ "valid": true }));
    }

    #[test]
    fn a_problem_is_a_document_of_the_protocol() {
        let found = findings(
            r#"{"protocol":{"version":"1.0.0"},"auth":{"type":"none"},"x a":1,"access":null}"#,
            Kind::Descriptor,
        );
        let problem = problem(&found, Lang::En).unwrap();
        assert_eq!(problem["errors"][0]["pointer"], "#/id");
        let text = problem.to_string();
        let mut tape = Tape::new();
        let strict = Options { profile: Profile::Strict, ..Options::default() };
        assert_eq!(check_as(&tape.parse(&text), Kind::Problem, &strict), []);
        assert_eq!(super::problem(&[], Lang::En), None);
        assert_eq!(fragment("/a b/ü~1%"), "#/a%20b/%C3%BC~1%25");
        let newer = findings(r#"{"protocol":{"version":"2.0.0"}}"#, Kind::Descriptor);
        assert_eq!(super::problem(&newer, Lang::En).unwrap()["code"], "protocol_incompatible");
    }
}
