//! A conformance report as JUnit XML, for build servers.
//!
//! One suite a property, one test case a case; a finding of severity error is a failure, what was skipped or not run is
//! `skipped` with its reason, and warnings stand in the output of their case. O(cases).
//! Source: the format as Jenkins and its readers take it; XML 1.0 for the characters that may stand in a file.

use super::conformance::{Report, Verdict, said};
use crate::message::{Lang, fill_id};
use crate::model::Severity;
use crate::skill::suite::{Case, Status, all_checks};

/// The document.
pub fn junit(report: &Report) -> String {
    let checks = all_checks();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let count = |cases: &[&Case]| {
        let failures = cases.iter().filter(|c| is_failure(report, c)).count();
        let skipped = cases.iter().filter(|c| !c.status.is_run()).count();
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", cases.len())
    };
    let all: Vec<&Case> = report.cases.iter().collect();
    out.push_str(&format!("<testsuites name=\"skillscope check\" {}>\n", count(&all)));
    for n in 1..=11u8 {
        let ids: Vec<&str> = checks.iter().filter(|c| c.property == n).map(|c| c.id).collect();
        let cases: Vec<&Case> = report.cases.iter().filter(|c| ids.contains(&c.check)).collect();
        let name = format!("Property {n}: {}", fill_id(Lang::En, &format!("property.{n}"), &[]));
        out.push_str(&format!("  <testsuite name=\"{}\" {}>\n", escape(&name), count(&cases)));
        for case in cases {
            one(report, case, &mut out);
        }
        out.push_str("  </testsuite>\n");
    }
    if report.verdict == Verdict::Incomplete || !report.stale.is_empty() {
        let mut words: Vec<String> =
            report.stale.iter().map(|k| format!("known failure did not fail: {}", k.check)).collect();
        if report.verdict == Verdict::Incomplete {
            words.push("incomplete: a check that the protocol asks for was not made".into());
        }
        let tests = words.len();
        out.push_str(&format!(
            "  <testsuite name=\"Verdict\" tests=\"{tests}\" failures=\"{tests}\" errors=\"0\" skipped=\"0\">\n"
        ));
        for word in words {
            let word = escape(&word);
            out.push_str(&format!(
                "    <testcase classname=\"verdict\" name=\"{word}\"><failure message=\"{word}\"/></testcase>\n"
            ));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn is_failure(report: &Report, case: &Case) -> bool {
    let errors = case.faults.iter().filter(|f| f.finding.severity == Severity::Error);
    case.status == Status::Fail && errors.into_iter().any(|f| !report.is_known(f))
}

fn one(report: &Report, case: &Case, out: &mut String) {
    let (class, name) = (escape(case.check), escape(&case.subject));
    out.push_str(&format!("    <testcase classname=\"{class}\" name=\"{name}\""));
    if !case.status.is_run() {
        let why = format!("{}: {}", case.status.id(), said(case.why));
        out.push_str(&format!("><skipped message=\"{}\"/></testcase>\n", escape(&why)));
        return;
    }
    if case.faults.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push_str(">\n");
    let mut remarks = String::new();
    for fault in &case.faults {
        let f = &fault.finding;
        let text = f.sentence(Lang::En);
        let place = format!("{}:{}:{} {}", report.file(fault), f.line, f.column, f.pointer);
        if f.severity == Severity::Error && !report.is_known(fault) {
            out.push_str(&format!(
                "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                escape(f.reason),
                escape(&text),
                escape(&format!("{place}\n{text}\n{}", f.remedy(Lang::En)))
            ));
        } else {
            remarks.push_str(&format!("{}: {place} {text}\n", f.severity.id()));
        }
    }
    if !remarks.is_empty() {
        out.push_str(&format!("      <system-out>{}</system-out>\n", escape(&remarks)));
    }
    out.push_str("    </testcase>\n");
}

/// Text for an attribute or an element. What XML 1.0 cannot hold becomes U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            c if (c as u32) < 0x20 || matches!(c as u32, 0xFFFE | 0xFFFF) => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
