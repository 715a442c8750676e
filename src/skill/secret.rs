//! Values of a descriptor that look like a secret. A descriptor is published: it says how to authenticate, never with
//! what.
//!
//! Decides by the beginnings that well-known issuers give their keys, by the names of fields under which people keep
//! them, and by a password in a URL. The finding never shows the value. O(size). False alarms cost a glance; that is why
//! it is a warning.

use crate::json::Val;
use crate::model::Severity;

use super::check::Walk;
use super::finding::{Grade, SkillFinding};
use super::text::scheme;

/// What keys and tokens of well-known issuers begin with, and how long they are at least.
const BEGINNINGS: &[(&str, usize)] = &[
    ("sk-", 20),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("github_pat_", 20),
    ("glpat-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("AKIA", 20),
    ("AIza", 30),
    ("hf_", 20),
    ("npm_", 30),
    ("pypi-", 30),
    ("eyJ", 40),
    ("-----BEGIN ", 20),
    ("Bearer ", 24),
    ("Basic ", 16),
];

/// Names under which a secret is kept, without `_` and `-`, in lower case.
const NAMES: &[&str] = &[
    "apikey",
    "secret",
    "clientsecret",
    "token",
    "accesstoken",
    "refreshtoken",
    "password",
    "passwd",
    "privatekey",
    "credential",
    "credentials",
];

/// Looks at every value of a descriptor. The recursion is bounded by the depth that reading allows.
pub(super) fn check(walk: &mut Walk<'_, '_>) {
    value(walk, walk.doc.root(), "", false);
}

fn value(walk: &mut Walk<'_, '_>, val: Val<'_>, key: &str, in_schema: bool) {
    if !walk.has_room(Grade::Warning) {
        return;
    }
    if let Some(text) = val.as_str() {
        let issued = BEGINNINGS.iter().any(|(begin, length)| {
            // A token is one word behind its beginning: prose is none.
            text.starts_with(begin)
                && text.len() >= *length
                && (begin.starts_with('-') || !text.get(begin.len()..).unwrap_or_default().contains(' '))
        });
        let name: String = key.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
        let kept = !in_schema
            && NAMES.contains(&name.as_str())
            && text.len() >= 8
            && !text.contains(char::is_whitespace)
            && !text.starts_with(['$', '<', '{']);
        let in_url = scheme(&text).is_some_and(|(_, rest)| {
            let authority = rest.strip_prefix("//").and_then(|r| r.split(['/', '?', '#']).next()).unwrap_or_default();
            authority.rsplit_once('@').is_some_and(|(user, _)| {
                user.split_once(':')
                    .is_some_and(|(_, password)| !password.is_empty() && !password.starts_with(['{', '$']))
            })
        });
        if issued || kept || in_url {
            let finding = SkillFinding::new("SSP-P4-SECRET", Severity::Warning, "secret", "skill.secret");
            let finding = finding.on(walk.doc, val);
            let field = finding.field.clone();
            walk.add(Grade::Warning, finding.with("field", field));
        }
    }
    for (name, inner) in val.entries() {
        // Of a schema only defaults and examples are values.
        let schema = (in_schema
            || matches!(val.pointer().as_str(), "") && matches!(name.as_ref(), "inputs" | "output"))
            && !matches!(name.as_ref(), "default" | "example" | "examples" | "const" | "enum");
        value(walk, inner, &name, schema);
    }
    val.items().for_each(|inner| value(walk, inner, key, in_schema));
}
