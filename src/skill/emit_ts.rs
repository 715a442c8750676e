//! The table as TypeScript: the types of the package, and the fast-check arbitraries of its tests.
//!
//! Decides what types can say: objects stay open (`[k: string]: unknown`), words are unions of literals, `auth` is a
//! discriminated union, nothing is `| null`, versions are plain strings (a template type takes `1e3.0.0`). What they
//! cannot say, patterns and lengths, is in the ledger of `tests/ts`. Source: chapter 12, property 11.

use std::fmt::Write;

use super::table::{self, Field, Shape, TYPES, Type, Words};
use super::text::Rule;

const HEAD: &str =
    "// Generated from src/skill/table.rs. UPDATE_DOCS=1 cargo test --test skill_table writes it anew.\n\n";

/// The types of the protocol, as a declaration file.
pub fn types() -> String {
    let mut out = String::from(HEAD);
    out.push_str("/** ASCII, compared byte for byte. Human text goes into name. */\nexport type SkillId = string;\n");
    for list in [&table::CAPABILITY_TYPE, &table::ACCESS] {
        let _ = writeln!(out, "export type {} = {};", list.name, union(list));
    }
    out.push_str(
        "/** A JSON Schema; 2020-12 unless $schema says otherwise. */\nexport interface JsonSchemaObject {\n  $schema?: string;\n  [k: string]: unknown;\n}\n",
    );
    for ty in TYPES {
        if ty.cases.is_empty() {
            interface(&mut out, ty.name, ty.doc, ty.fields.iter(), None);
            continue;
        }
        let names: Vec<&str> = ty.cases.iter().map(|c| c.name).collect();
        let _ = writeln!(out, "/** {} */\nexport type {} = {};", ty.doc, ty.name, names.join(" | "));
        for case in ty.cases {
            interface(&mut out, case.name, "", ty.fields.iter().chain(case.fields), Some(case.word));
        }
    }
    out
}

fn interface<'f>(out: &mut String, name: &str, doc: &str, fields: impl Iterator<Item = &'f Field>, word: Option<&str>) {
    if !doc.is_empty() {
        let _ = writeln!(out, "/** {doc} */");
    }
    let _ = writeln!(out, "export interface {name} {{");
    for field in fields {
        let ty = match word {
            Some(word) if field.name == "type" => format!("\"{word}\""),
            _ => type_of(&field.shape),
        };
        let _ = writeln!(out, "  /** {} */", field.doc.replace("*/", "*\\/"));
        let _ = writeln!(out, "  {}{}: {ty};", field.name, if field.required { "" } else { "?" });
    }
    out.push_str("  [k: string]: unknown;\n}\n");
}

fn union(list: &Words) -> String {
    list.words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" | ")
}

fn type_of(shape: &Shape) -> String {
    match shape {
        Shape::Text { .. } => "string".into(),
        Shape::Id => "SkillId".into(),
        Shape::Words(list) if list.name.is_empty() => union(list),
        Shape::Words(list) => list.name.into(),
        Shape::Integer { .. } => "number".into(),
        Shape::Boolean => "boolean".into(),
        Shape::Object(ty) => ty.name.into(),
        Shape::Open => "{ [k: string]: unknown }".into(),
        Shape::Texts => "{ [k: string]: string }".into(),
        Shape::Any => "unknown".into(),
        Shape::List { of, .. } => {
            let inner = type_of(of);
            if inner.contains(' ') { format!("({inner})[]") } else { format!("{inner}[]") }
        }
        Shape::Schema { .. } => "JsonSchemaObject".into(),
    }
}

/// What every arbitrary is made of.
const PARTS: &str = r##"import fc from "fast-check";

const graphemes = (minLength: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(max, 24)) });
const visible = (max: number): fc.Arbitrary<string> => graphemes(1, max).filter((text) => /\S/.test(text));
const id: fc.Arbitrary<SkillId> = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:/@+~%-]{0,40}$/);
const token: fc.Arbitrary<string> = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,20}$/);
const digest: fc.Arbitrary<string> = fc.stringMatching(/^sha256:[0-9a-f]{64}$/);
const path: fc.Arbitrary<string> = fc.stringMatching(/^\/[a-z{}/]{0,20}$/);
const number: fc.Arbitrary<string> = fc.oneof(fc.nat(3).map(String), fc.bigInt(0n, 10n ** 40n).map(String));
const protocolText: fc.Arbitrary<string> = fc.tuple(number, number, number).map((parts) => parts.join("."));
const uri: fc.Arbitrary<string> = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom("pkg:npm/a@1.0.0", "urn:example:skill", "http://[::1]:8080/a", "mailto:a@example.com"),
);
const uriReference: fc.Arbitrary<string> = fc.oneof(uri, fc.constantFrom("a.json", "./a/b.json", "../c", "/d?e=f#g", "//h/i"));
const hostname: fc.Arbitrary<string> = fc.domain();
const dateTime: fc.Arbitrary<string> = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("9998-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const key: fc.Arbitrary<string> = fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constant("__proto__"));
/** One JSON pass: what a document can hold, without -0. */
const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const open: fc.Arbitrary<{ [k: string]: unknown }> = fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true });
const texts: fc.Arbitrary<{ [k: string]: string }> = fc.dictionary(key, fc.string(), { maxKeys: 4, noNullPrototype: true });
const schema: fc.Arbitrary<JsonSchemaObject> = fc.constantFrom<JsonSchemaObject>(
  {},
  { type: "object" },
  { type: "object", properties: { text: { type: "string" }, to: { type: "string", pattern: "^[a-z]{2}$" } }, required: ["text"] },
  { type: "object", $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } }, $ref: "#/$defs/node" },
  { $schema: "http://json-schema.org/draft-07/schema#", type: ["array", "null"], items: { type: "integer", minimum: 0 } },
  { $schema: "http://json-schema.org/draft-04/schema#", type: "number", minimum: 0, exclusiveMinimum: true },
);
const extension: fc.Arbitrary<unknown> = json;

"##;

/// The arbitraries of the tests. `tsc` proves that they yield the types, fast-check runs them.
pub fn arbitraries() -> String {
    let mut out = String::from(HEAD);
    let names: Vec<&str> = TYPES.iter().map(|t| t.name).chain(["JsonSchemaObject", "SkillId"]).collect();
    let _ = writeln!(out, "import type {{ {} }} from \"../../schemas/ssp/ssp\";", names.join(", "));
    let cases: Vec<&str> = TYPES.iter().flat_map(|t| t.cases).map(|c| c.name).collect();
    let _ = writeln!(out, "import type {{ {} }} from \"../../schemas/ssp/ssp\";", cases.join(", "));
    out.push_str(PARTS);
    // A type comes after those that it is made of.
    let mut done: Vec<&str> = Vec::new();
    for ty in TYPES {
        arbitrary(&mut out, ty, &mut done);
    }
    out
}

fn arbitrary(out: &mut String, ty: &'static Type, done: &mut Vec<&'static str>) {
    if done.contains(&ty.name) {
        return;
    }
    done.push(ty.name);
    for field in ty.fields {
        let mut shape = &field.shape;
        while let Shape::List { of, .. } = shape {
            shape = of;
        }
        if let Shape::Object(inner) = shape {
            arbitrary(out, inner, done);
        }
    }
    if ty.cases.is_empty() {
        record(out, ty.name, ty.fields.iter(), None, ty.min_members);
        return;
    }
    for case in ty.cases {
        record(out, case.name, ty.fields.iter().chain(case.fields), Some(case.word), 0);
    }
    let names: Vec<String> = ty.cases.iter().map(|c| name_of(c.name)).collect();
    let _ = writeln!(
        out,
        "export const {}: fc.Arbitrary<{}> = fc.oneof({});\n",
        name_of(ty.name),
        ty.name,
        names.join(", ")
    );
}

fn record<'f>(
    out: &mut String,
    name: &str,
    fields: impl Iterator<Item = &'f Field>,
    word: Option<&str>,
    min_members: u32,
) {
    let _ = writeln!(out, "export const {}: fc.Arbitrary<{name}> = fc.record(\n  {{", name_of(name));
    let mut required = Vec::new();
    for field in fields {
        let made = match word {
            Some(word) if field.name == "type" => format!("fc.constant(\"{word}\" as const)"),
            _ => made_of(&field.shape),
        };
        let _ = writeln!(out, "    {}: {made},", field.name);
        if field.required {
            required.push(format!("\"{}\"", field.name));
        }
    }
    let _ = writeln!(out, "    \"x-note\": extension,\n  }},\n  {{ requiredKeys: [{}] }},", required.join(", "));
    out.push(')');
    if min_members > 0 {
        let _ = write!(out, ".filter((value) => Object.keys(value).length >= {min_members})");
    }
    out.push_str(";\n\n");
}

/// `SkillDescriptor` is `skillDescriptor`.
fn name_of(ty: &str) -> String {
    let mut chars = ty.chars();
    chars.next().map(|c| c.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

fn made_of(shape: &Shape) -> String {
    match shape {
        Shape::Id => "id".into(),
        Shape::Text { min, max, rule } => {
            let max = if *max == 0 { 24 } else { *max };
            match rule {
                Rule::Any => format!("graphemes({min}, {max})"),
                Rule::Visible => format!("visible({max})"),
                Rule::Id => "id".into(),
                Rule::Token => "token".into(),
                Rule::Digest => "digest".into(),
                Rule::Path => "path".into(),
                Rule::ProtocolVersion | Rule::SemVer => "protocolText".into(),
                Rule::Https | Rule::Uri => "uri".into(),
                Rule::UriReference => "uriReference".into(),
                Rule::Hostname => "hostname".into(),
                Rule::DateTime => "dateTime".into(),
            }
        }
        Shape::Words(list) => {
            let words: Vec<String> = list.words.iter().map(|w| format!("\"{w}\"")).collect();
            format!("fc.constantFrom({})", words.join(", "))
        }
        Shape::Integer { min, max } => {
            format!("fc.integer({{ min: {min}, max: {} }})", (*max).min(i64::from(i32::MAX)))
        }
        Shape::Boolean => "fc.boolean()".into(),
        Shape::Object(ty) => name_of(ty.name),
        Shape::Open => "open".into(),
        Shape::Texts => "texts".into(),
        Shape::Any => "json".into(),
        Shape::List { of, min, unique: true } => {
            format!("fc.uniqueArray({}, {{ minLength: {min}, maxLength: 4 }})", made_of(of))
        }
        Shape::List { of, min, unique: false } => {
            format!("fc.array({}, {{ minLength: {min}, maxLength: 3 }})", made_of(of))
        }
        Shape::Schema { .. } => "schema".into(),
    }
}
