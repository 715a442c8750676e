//! The findings of a conformance report as SARIF 2.1.0, for code hosts and editors.
//!
//! Every check is a rule with its property; every finding a result with line, column and the JSON pointer as logical
//! location; known failures are suppressed; what was skipped is a notification, so that a clean list is not taken for a
//! whole one. Paths are relative URIs. O(findings). Source: OASIS SARIF 2.1.0.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::conformance::{Report, Verdict, said};
use crate::message::{Lang, fill_id};
use crate::model::Severity;
use crate::skill::finding::Level;
use crate::skill::suite::{Fault, all_checks};

/// The log.
pub fn sarif(report: &Report) -> Value {
    let checks = all_checks();
    let rules: Vec<Value> = checks
        .iter()
        .map(|check| {
            let title = fill_id(Lang::En, &format!("property.{}", check.property), &[]);
            let level = if check.level == Level::Must { "error" } else { "warning" };
            json!({
                "id": check.id,
                "shortDescription": {"text": format!("Property {}: {title}", check.property)},
                "fullDescription": {"text": fill_id(Lang::En, &format!("property.{}.checked", check.property), &[])},
                "defaultConfiguration": {"level": level},
                "properties": {"property": check.property},
            })
        })
        .collect();
    let results: Vec<Value> = report
        .cases
        .iter()
        .flat_map(|c| &c.faults)
        .map(|fault| result(report, fault, checks.iter().position(|c| c.id == fault.finding.check)))
        .collect();
    let mut unmade: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for case in report.cases.iter().filter(|c| !c.status.is_run()) {
        *unmade.entry((case.check, case.why)).or_default() += 1;
    }
    let notes: Vec<Value> = unmade
        .into_iter()
        .map(|((check, why), n)| {
            json!({
                "level": "note",
                "message": {"text": format!("{check} was not made {n} times: {}", said(why))},
                "associatedRule": {"id": check},
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "skillscope",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "artifacts": report.files.iter().map(|f| json!({"location": {"uri": uri(f)}})).collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": report.verdict.exit_code(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
            "properties": {"verdict": report.verdict.id(), "complete": report.verdict != Verdict::Incomplete},
        }],
    })
}

fn result(report: &Report, fault: &Fault, rule: Option<usize>) -> Value {
    let f = &fault.finding;
    let level = match f.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let name = report.file(fault);
    let mut hash = Sha256::new();
    for part in [f.check, name, &f.pointer, f.reason] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let print: String = hash.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect();
    let mut out = json!({
        "ruleId": f.check,
        "level": level,
        "message": {"text": f.sentence(Lang::En)},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri(name), "index": fault.file},
                "region": {"startLine": f.line.max(1), "startColumn": f.column.max(1)},
            },
            "logicalLocations": [{"name": f.field, "fullyQualifiedName": f.pointer, "kind": "member"}],
        }],
        "partialFingerprints": {"skillscope/v1": print},
        "properties": {"pointer": f.pointer, "field": f.field, "reason": f.reason, "remedy": f.remedy(Lang::En)},
    });
    if let Some(map) = out.as_object_mut() {
        if let Some(rule) = rule {
            map.insert("ruleIndex".into(), rule.into());
        }
        if report.is_known(fault) {
            map.insert("suppressions".into(), json!([{"kind": "external"}]));
        }
    }
    out
}

/// A file's name as a URI reference.
fn uri(name: &str) -> String {
    if name.contains("://") {
        return name.to_owned();
    }
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
