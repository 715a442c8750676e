//! The table as Markdown: the field tables of docs/skills.md.

use std::fmt::Write;

use super::table::{Condition, Field, Shape, Strict, TYPES, Then, Words};
use super::text::Rule;

/// One section a type.
pub fn tables() -> String {
    let mut out = String::new();
    for ty in TYPES {
        let _ = writeln!(out, "### {}\n\n{}\n", ty.name, ty.doc);
        rows(&mut out, ty.fields);
        for case in ty.cases.iter().filter(|c| !c.fields.is_empty()) {
            let _ = writeln!(out, "\nWhen `type` is `{}`:\n", case.word);
            rows(&mut out, case.fields);
        }
        if ty.min_members > 0 {
            let _ = writeln!(out, "\nAt least {} of them.", ty.min_members);
        }
        for Condition { words, then } in ty.conditions {
            let rule = match then {
                Then::Needs(name) => format!("`{name}` is required"),
                Then::Forbids(name) => format!("`{name}` is not allowed"),
                Then::NeedsIn(name, inner) => format!("`{name}.{inner}` is required"),
            };
            let _ = writeln!(out, "\nStrict: when `status` is {}, {rule}.", listed(words));
        }
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

fn rows(out: &mut String, fields: &[Field]) {
    out.push_str("| field | required | core | strict | |\n|---|---|---|---|---|\n");
    for field in fields {
        let strict = match &field.strict {
            Strict::Same if matches!(field.shape, Shape::Schema { object_only_in_strict: true }) => {
                "`type` is `object`".to_owned()
            }
            Strict::Same => String::new(),
            Strict::Required => "required".to_owned(),
            Strict::Rule(rule) => rule_text(*rule),
            Strict::Words(words) => listed(words.words),
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {strict} | {} |",
            field.name,
            if field.required { "yes" } else { "" },
            shape(&field.shape),
            field.doc.replace('|', "\\|"),
        );
    }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

fn shape(shape_of: &Shape) -> String {
    match shape_of {
        Shape::Text { min, max, rule } => {
            let mut parts = vec![rule_text(*rule)];
            match (min, max) {
                (0, 0) => {}
                (1, 0) if rule.format().is_some() => {}
                (1, 0) => parts.push("not empty".into()),
                (_, 0) => parts.push(format!("at least {min} characters")),
                _ => parts.push(format!("{min} to {max} characters")),
            }
            parts.join(", ")
        }
        Shape::Id => format!("{}, 1 to {} characters", rule_text(Rule::Id), super::table::MAX_ID),
        Shape::Words(Words { words, default, .. }) => {
            let default = if default.is_empty() { String::new() } else { format!("; `{default}` when left out") };
            listed(words) + &default
        }
        Shape::Integer { min, max } if *max == i64::MAX => format!("whole number from {min}"),
        Shape::Integer { min, max } => format!("whole number from {min} to {max}"),
        Shape::Boolean => "true or false".into(),
        Shape::Object(ty) => format!("[{}](#{})", ty.name, ty.name.to_lowercase()),
        Shape::Open => "object".into(),
        Shape::Texts => "object of texts".into(),
        Shape::Any => "any value".into(),
        Shape::List { of, min, unique } => {
            let least = if *min > 0 { format!(", at least {min}") } else { String::new() };
            format!("list of {}{least}{}", shape(of), if *unique { ", no two alike" } else { "" })
        }
        Shape::Schema { .. } => "JSON Schema".into(),
    }
}

fn rule_text(rule: Rule) -> String {
    match rule {
        Rule::Any => "text",
        Rule::Visible => "text, not blank",
        Rule::Id => "letters, digits and `._:/@+~%-`, first a letter or digit (ASCII)",
        Rule::Token => "word of ASCII letters, digits and `_.-`, first a letter",
        Rule::Digest => "`sha256:` and 64 hexadecimal digits",
        Rule::Path => "text that begins with `/`",
        Rule::ProtocolVersion => "MAJOR.MINOR.PATCH",
        Rule::SemVer => "SemVer 2.0.0",
        Rule::Https => "begins with `https://`",
        Rule::Uri => "absolute URI",
        Rule::UriReference => "URI reference",
        Rule::Hostname => "DNS name",
        Rule::DateTime => "RFC 3339 date-time",
    }
    .to_owned()
}
