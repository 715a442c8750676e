//! A document of the protocol as a card for people, and where a missing field belongs in its source. O(document).
//!
//! Source: the fields of chapter 12, in the order that a caller asks: when is it used, by whom, how is it called, what
//! does it take and give, what does it need.

use super::skill::{CardPart, CardRow, CardText};
use crate::json::{Doc, Val, line_column};
use crate::model::{Access, Capability};
use crate::skill::Kind;
use crate::skill::finding::SkillFinding;
use crate::skill::table::{Field, SKILL_DESCRIPTOR, Shape, Type};

/// Fields of a schema that a card lists.
const MAX_FIELDS: usize = 40;
/// Characters of a value that a card shows.
const MAX_TEXT: usize = 2_000;

/// The rows of a card.
pub fn card(doc: Doc<'_>, kind: Kind, findings: &[SkillFinding]) -> Vec<CardRow> {
    let root = doc.root();
    let mut out = Vec::new();
    if kind != Kind::Descriptor {
        for (key, val) in root.entries().filter(|(key, _)| key != "$schema").take(MAX_FIELDS) {
            let parts = if val.is_array() || val.is_object() {
                vec![note("card.members", &[("n", val.len().to_string())])]
            } else {
                vec![mono(&val.text())]
            };
            out.push(CardRow { label: key.into_owned(), parts });
        }
        return out;
    }
    let mut row = |label: &str, parts: Vec<CardPart>, pointer: &str| {
        let fault = findings.iter().find(|f| f.pointer == pointer);
        let parts = match (parts.is_empty(), fault) {
            (true, Some(_)) => vec![error(sentence("card.missing", &[]))],
            (true, None) => return,
            (false, _) => parts,
        };
        out.push(CardRow { label: format!("card.{label}"), parts });
    };
    row("use-when", text(root, "description"), "/description");
    let provider = root.get("provider");
    let mut who = provider.map(|p| text(p, "name")).unwrap_or_default();
    for key in ["domain", "url", "contact"] {
        let more = provider.and_then(|p| p.str(key)).filter(|t| !t.is_empty());
        who.extend(more.map(|t| on_line(muted(&t))));
    }
    row("provider", who, "/provider");
    row("calls", calls(root), "/endpoint");
    row("takes", schema(root.get("inputs")), "/inputs");
    row("gives", schema(root.get("output")), "/output");
    row("needs", needs(root.get("auth")), "/auth");
    row("access", word(root, "access", &Access::ALL.map(Access::word)), "/access");
    row("capability", word(root, "capability_type", &Capability::ALL.map(Capability::word)), "/capability_type");
    let protocol = root.path(&["protocol", "version"]).and_then(Val::as_str);
    row("protocol", protocol.map(|v| vec![plain(&v)]).unwrap_or_default(), "/protocol/version");
    let tags: Vec<String> =
        root.get("tags").into_iter().flat_map(Val::items).filter_map(|t| t.as_str()).map(|t| t.into_owned()).collect();
    if !tags.is_empty() {
        row("tags", vec![plain(&tags.join(", "))], "/tags");
    }
    if root.bool("deprecated") == Some(true) {
        row("status", vec![error(sentence("card.deprecated", &[]))], "/deprecated");
    }
    let known = |key: &str| key == "$schema" || SKILL_DESCRIPTOR.fields.iter().any(|f| f.name == key);
    let foreign: Vec<String> =
        root.entries().map(|(k, _)| k.into_owned()).filter(|k| !known(k)).take(MAX_FIELDS).collect();
    if !foreign.is_empty() {
        row("not-in-ssp", vec![mono(&foreign.join(", ")), note("card.kept", &[])], "");
    }
    out
}

fn sentence(id: &str, args: &[(&str, String)]) -> CardText {
    CardText::Sentence((id.to_owned(), args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect()))
}

fn part(text: CardText, tone: &str) -> CardPart {
    CardPart { text, tone: tone.into(), line: false }
}

fn file(text: &str) -> CardText {
    CardText::File(text.chars().take(MAX_TEXT).collect())
}

fn plain(text: &str) -> CardPart {
    part(file(text), "plain")
}

fn mono(text: &str) -> CardPart {
    part(file(text), "mono")
}

fn muted(text: &str) -> CardPart {
    part(file(text), "muted")
}

fn note(id: &str, args: &[(&str, String)]) -> CardPart {
    part(sentence(id, args), "muted")
}

fn error(text: CardText) -> CardPart {
    part(text, "error")
}

fn on_line(part: CardPart) -> CardPart {
    CardPart { line: true, ..part }
}

fn text(val: Val<'_>, key: &str) -> Vec<CardPart> {
    val.str(key).filter(|t| !t.trim().is_empty()).map(|t| vec![plain(&t)]).unwrap_or_default()
}

/// One of fixed words, or the remark that it is none.
fn word(root: Val<'_>, key: &str, words: &[&str]) -> Vec<CardPart> {
    let Some(found) = root.get(key) else { return Vec::new() };
    let shown = found.text();
    if found.is_string() && words.contains(&shown.as_ref()) {
        return vec![plain(&shown), note(&format!("card.{key}.{shown}"), &[])];
    }
    vec![error(file(&shown)), note(&format!("card.{key}.none"), &[])]
}

fn calls(root: Val<'_>) -> Vec<CardPart> {
    let Some(endpoint) = root.get("endpoint") else { return Vec::new() };
    let mut out = Vec::new();
    out.extend(endpoint.str("method").map(|m| mono(&m)));
    out.extend(endpoint.str("url").map(|u| on_line(mono(&u))));
    out.extend(endpoint.str("path").map(|p| on_line(mono(&p))));
    out.extend(endpoint.str("binding").map(|b| on_line(muted(&b))));
    out
}

fn needs(auth: Option<Val<'_>>) -> Vec<CardPart> {
    let Some(auth) = auth.filter(|a| a.is_object()) else { return Vec::new() };
    let kind = auth.str("type").unwrap_or_default();
    let arg = |key: &str| auth.str(key).map(|t| t.into_owned()).unwrap_or_else(|| "–".into());
    match kind.as_ref() {
        "none" => vec![part(sentence("card.auth.none", &[]), "plain")],
        "api_key" => vec![part(sentence("card.auth.api_key", &[("in", arg("in"))]), "plain"), mono(&arg("name"))],
        "oauth2" => vec![part(sentence("card.auth.oauth2", &[]), "plain"), on_line(mono(&arg("token_url")))],
        "custom" => vec![part(sentence("card.auth.custom", &[]), "plain"), mono(&arg("scheme"))],
        _ => vec![error(file(&kind)), note("card.auth.unknown", &[])],
    }
}

/// The members that a schema speaks of: name, type, whether it is required, pattern or words.
fn schema(schema: Option<Val<'_>>) -> Vec<CardPart> {
    let Some(schema) = schema.filter(|s| s.is_object()) else { return Vec::new() };
    if schema.is_empty() {
        return vec![note("card.undeclared", &[])];
    }
    let Some(properties) = schema.get("properties").filter(|p| p.is_object()) else {
        let kind = schema.str("type").map(|t| t.into_owned()).unwrap_or_else(|| "schema".into());
        return vec![plain(&kind)];
    };
    let required: Vec<String> = schema
        .get("required")
        .into_iter()
        .flat_map(Val::items)
        .filter_map(|r| r.as_str())
        .map(|r| r.into_owned())
        .collect();
    let mut out = Vec::new();
    let total = properties.len();
    for (name, val) in properties.entries().take(MAX_FIELDS) {
        out.push(on_line(mono(&name)));
        let kind = match val.get("type") {
            Some(types) if types.is_array() => {
                types.items().map(|t| t.text().into_owned()).collect::<Vec<_>>().join(" | ")
            }
            Some(kind) => kind.text().into_owned(),
            None if val.has("enum") => "enum".into(),
            None => val.str("$ref").map(|r| r.into_owned()).unwrap_or_default(),
        };
        if !kind.is_empty() {
            out.push(plain(&kind));
        }
        if required.iter().any(|r| *r == name) {
            out.push(note("card.required", &[]));
        }
        if let Some(pattern) = val.str("pattern") {
            out.push(mono(&pattern));
        }
        if let Some(words) = val.get("enum").filter(|e| e.is_array()) {
            let words: Vec<String> = words.items().take(12).map(|w| w.text().into_owned()).collect();
            out.push(muted(&words.join(", ")));
        }
    }
    if total > MAX_FIELDS {
        out.push(on_line(note("card.more", &[("n", (total - MAX_FIELDS).to_string())])));
    }
    if schema.get("additionalProperties").is_some_and(|a| a.as_bool() == Some(false)) {
        out.push(on_line(note("card.nothing-else", &[])));
    }
    out
}

/// Where the row of a missing field belongs (behind which line; 0: before the first), and what it shows.
pub fn missing(doc: Doc<'_>, kind: Kind, finding: &SkillFinding) -> Option<(u32, String)> {
    if doc.pointer(&finding.pointer).is_some() {
        return None;
    }
    let (parent, last) = finding.pointer.rsplit_once('/')?;
    let name = last.replace("~1", "/").replace("~0", "~");
    let holder = doc.pointer(parent).filter(|v| v.is_object())?;
    let ty = type_at(kind.of_table(), doc, parent)?;
    let word = holder.str("type");
    let fields: Vec<&Field> = ty.fields_with(word.as_deref()).collect();
    let at = fields.iter().position(|f| f.name == name)?;
    let before = fields.iter().take(at).rev().find_map(|f| holder.get(f.name));
    let (line, _) = match before {
        Some(val) => line_column(doc.text(), val.range().1.saturating_sub(1)),
        None => line_column(doc.text(), holder.offset()),
    };
    let field = fields.get(at)?;
    Some((line, format!("\"{name}\": {},", sample(&field.shape))))
}

/// The type of the object at a pointer.
fn type_at(root: &'static Type, doc: Doc<'_>, pointer: &str) -> Option<&'static Type> {
    let mut ty = root;
    let mut here = String::new();
    let mut shape: Option<&'static Shape> = None;
    for token in pointer.split('/').skip(1) {
        if let Some(Shape::List { of, .. }) = shape {
            shape = Some(of);
        } else {
            let name = token.replace("~1", "/").replace("~0", "~");
            let word = doc.pointer(&here).and_then(|v| v.str("type").map(|t| t.into_owned()));
            shape = Some(&ty.fields_with(word.as_deref()).find(|f| f.name == name)?.shape);
        }
        here.push('/');
        here.push_str(token);
        if let Some(Shape::Object(next)) = shape {
            ty = next;
        }
    }
    Some(ty)
}

/// What a value of a shape looks like.
fn sample(shape: &Shape) -> String {
    match shape {
        Shape::Text { .. } | Shape::Id => "\"…\"".into(),
        Shape::Words(words) => format!("\"{}\"", words.words.first().copied().unwrap_or("…")),
        Shape::Integer { .. } => "1".into(),
        Shape::Boolean => "true".into(),
        Shape::Object(ty) => match ty.fields.iter().find(|f| f.required) {
            Some(first) => format!("{{ \"{}\": … }}", first.name),
            None => "{ … }".into(),
        },
        Shape::Schema { .. } => "{ \"type\": \"object\" }".into(),
        Shape::List { .. } => "[ … ]".into(),
        Shape::Open | Shape::Texts | Shape::Any => "{ … }".into(),
    }
}
