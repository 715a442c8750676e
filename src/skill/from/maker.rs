//! From what a neighbour says to a descriptor that passes core: gaps are filled, texts cut, ids made unique, and each of
//! these told. The one place where guesses are made, so that every neighbour guesses alike. O(size of the descriptor).

use std::collections::BTreeSet;

use crate::json::{Val, quote};
use crate::model::{Access, Capability, Severity};
use crate::schema::ToolSchema;
use crate::skill::text::Rule;
use crate::skill::{Kind, Options, check_as, parse, serialize, version};

use super::{Context, Converted, MAX_BYTES, MAX_MADE, Neighbour, Refused};

/// More notes than this are not kept; a list of tools repeats its own.
const MAX_NOTES: usize = 2_000;

/// Whether something was put in or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// The neighbour does not say it, and a descriptor must.
    Guess,
    /// The neighbour says it, and a descriptor has no place for it.
    Loss,
}

impl NoteKind {
    /// The stable word.
    pub fn id(self) -> &'static str {
        match self {
            NoteKind::Guess => "guess",
            NoteKind::Loss => "loss",
        }
    }
}

/// A kind of guess or loss. Its sentence is `neighbour.note.<id>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    pub id: &'static str,
    pub kind: NoteKind,
}

const fn guess(id: &'static str) -> Code {
    Code { id, kind: NoteKind::Guess }
}

const fn loss(id: &'static str) -> Code {
    Code { id, kind: NoteKind::Loss }
}

/// Every code, in the order of the docs.
pub const CODES: &[Code] = &[
    guess("by-kind"),
    guess("version-missing"),
    guess("version-elsewhere"),
    guess("version-placeholder"),
    guess("name-missing"),
    guess("description-missing"),
    guess("provider-missing"),
    guess("namespace"),
    guess("id-escaped"),
    guess("id-taken"),
    guess("id-made"),
    guess("endpoint-missing"),
    guess("endpoint-relative"),
    guess("endpoint-variables"),
    guess("inputs-missing"),
    guess("inputs-synthetic"),
    guess("arguments-read"),
    guess("output-undeclared"),
    guess("scheme-unknown"),
    guess("older-version"),
    guess("older-dialect"),
    guess("parameter-renamed"),
    loss("text-cut"),
    loss("schema-unusable"),
    loss("schema-rewritten"),
    loss("reference-lost"),
    loss("auth-alternatives"),
    loss("interfaces"),
    loss("packages"),
    loss("more-pages"),
    loss("method"),
    loss("webhooks"),
    loss("callbacks"),
    loss("links"),
    loss("responses"),
    loss("media-types"),
    loss("field"),
    loss("body"),
    loss("digest-unchecked"),
    loss("extended-card"),
    guess("tags-made"),
    loss("no-place"),
    loss("auth-lost"),
    loss("inputs-lost"),
    loss("output-lost"),
    loss("endpoint-lost"),
    loss("private-left-out"),
];

/// A guess or a loss at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// One of [`CODES`].
    pub code: &'static str,
    pub kind: NoteKind,
    /// Index of the descriptor in [`Converted::made`]; `None` for the file as a whole.
    pub skill: Option<usize>,
    /// JSON pointer in the source.
    pub pointer: String,
    /// Values for the sentence's placeholders.
    pub args: Vec<(String, String)>,
}

/// A descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub id: String,
    /// The descriptor as a JSON text.
    pub text: String,
    /// JSON pointer of its source.
    pub pointer: String,
}

/// Something that gives no descriptor. The sentence is `neighbour.skipped.<code>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub code: &'static str,
    pub pointer: String,
    pub args: Vec<(String, String)>,
}

/// An object in the making, as JSON text: what comes from a file stays as it stands there.
#[derive(Clone, Debug, Default)]
pub struct Obj(String);

impl Obj {
    pub fn raw(mut self, key: &str, raw: &str) -> Self {
        self.0.push_str(if self.0.is_empty() { "{" } else { "," });
        self.0.push_str(&quote(key));
        self.0.push(':');
        self.0.push_str(raw);
        self
    }

    pub fn str(self, key: &str, value: &str) -> Self {
        self.raw(key, &quote(value))
    }

    pub fn some(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.str(key, value),
            None => self,
        }
    }

    pub fn bool(self, key: &str, value: Option<bool>) -> Self {
        match value {
            Some(value) => self.raw(key, if value { "true" } else { "false" }),
            None => self,
        }
    }

    /// The object, unless it has no members.
    pub fn filled(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.end())
    }

    pub fn end(self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { self.0 + "}" }
    }
}

/// A list of texts as JSON.
pub fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = texts.into_iter().map(quote).collect();
    format!("[{}]", quoted.join(","))
}

/// The members of an object that are not among `known`, as an object; `None` when there are none.
pub fn rest(val: Val<'_>, known: &[&str]) -> Option<String> {
    let mut out = Obj::default();
    let mut seen = BTreeSet::new();
    for (key, _) in val.entries().filter(|(k, _)| !known.contains(&k.as_ref())) {
        // Of a key that stands twice the last value counts, as everywhere.
        if let Some(value) = val.some(&key).filter(|_| seen.insert(key.clone())) {
            out = out.raw(&key, value.raw());
        }
    }
    out.filled()
}

/// The first `max` characters.
pub fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => text.get(..at).unwrap_or_default().to_owned(),
        None => text.to_owned(),
    }
}

/// Who offers a skill.
#[derive(Clone, Debug, Default)]
pub struct Provider {
    pub name: Option<String>,
    pub url: Option<String>,
    pub contact: Option<String>,
}

/// What a neighbour says of one skill.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Place in the source.
    pub pointer: String,
    pub namespace: String,
    /// The part of the id behind the namespace.
    pub local: String,
    pub name: Option<String>,
    pub version: Option<String>,
    pub capability: Capability,
    pub description: Option<String>,
    pub provider: Provider,
    /// An absolute URI, where one is known.
    pub url: Option<String>,
    pub binding: &'static str,
    /// Further members of the endpoint.
    pub method: Option<&'static str>,
    pub path: Option<String>,
    /// JSON texts.
    pub inputs: Option<String>,
    pub output: Option<String>,
    pub auth: String,
    pub access: Access,
    /// Optional members of the descriptor, as JSON texts, in order.
    pub more: Vec<(String, String)>,
}

/// The `auth` of a skill that asks for nothing.
pub const NO_AUTH: &str = r#"{"type":"none"}"#;

impl Draft {
    pub fn new(pointer: String, local: &str, capability: Capability, binding: &'static str) -> Self {
        Self {
            pointer,
            namespace: String::new(),
            local: local.to_owned(),
            name: None,
            version: None,
            capability,
            description: None,
            provider: Provider::default(),
            url: None,
            binding,
            method: None,
            path: None,
            inputs: None,
            output: None,
            auth: NO_AUTH.to_owned(),
            access: Access::Public,
            more: Vec::new(),
        }
    }

    /// Adds an optional member, when there is one.
    pub fn more(&mut self, key: &str, raw: Option<String>) {
        if let Some(raw) = raw {
            self.more.push((key.to_owned(), raw));
        }
    }
}

/// Collects what is made of one file.
pub struct Maker {
    neighbour: Neighbour,
    version: Option<String>,
    made: Vec<Made>,
    notes: Vec<Note>,
    skipped: Vec<Skipped>,
    ids: BTreeSet<String>,
    bytes: usize,
}

impl Maker {
    pub fn new(neighbour: Neighbour, version: Option<String>) -> Self {
        Self {
            neighbour,
            version,
            made: Vec::new(),
            notes: Vec::new(),
            skipped: Vec::new(),
            ids: BTreeSet::new(),
            bytes: 0,
        }
    }

    /// Notes something about the file as a whole, or about the skill that is made next.
    pub fn note(&mut self, code: &'static str, of_file: bool, pointer: &str, args: &[(&str, &str)]) {
        let Some(known) = CODES.iter().find(|c| c.id == code) else { return };
        if self.notes.len() >= MAX_NOTES {
            return;
        }
        let args = args.iter().map(|(k, v)| ((*k).to_owned(), cut(v, 200))).collect();
        let skill = (!of_file).then_some(self.made.len());
        self.notes.push(Note { code, kind: known.kind, skill, pointer: pointer.to_owned(), args });
    }

    /// Notes something about the skill that is made next.
    fn here(&mut self, code: &'static str, pointer: &str, args: &[(&str, &str)]) {
        self.note(code, false, pointer, args);
    }

    pub fn skip(&mut self, code: &'static str, pointer: &str, args: &[(&str, &str)]) {
        let args = args.iter().map(|(k, v)| ((*k).to_owned(), cut(v, 200))).collect();
        self.skipped.push(Skipped { code, pointer: pointer.to_owned(), args });
    }

    /// Makes the descriptor, or tells why not.
    pub fn add(&mut self, draft: Draft) {
        if self.made.len() >= MAX_MADE || self.bytes >= MAX_BYTES {
            self.skip("too-many", &draft.pointer, &[("limit", &MAX_MADE.to_string())]);
            return;
        }
        let before = self.notes.len();
        let pointer = draft.pointer.clone();
        let id = self.id(&draft);
        let text = self.text(&id, draft);
        let made = parse(text.as_bytes()).and_then(|document| {
            let faults: Vec<_> = check_as(&document.doc(), Kind::Descriptor, &Options::default());
            let errors: Vec<_> = faults.into_iter().filter(|f| f.severity == Severity::Error).collect();
            if errors.is_empty() { Ok(serialize(&document)) } else { Err(errors) }
        });
        match made {
            Ok(text) => {
                self.bytes += text.len();
                self.ids.insert(id.clone());
                self.made.push(Made { id, text, pointer });
            }
            Err(faults) => {
                self.notes.truncate(before);
                let why = faults.first().map(|f| (f.pointer.clone(), f.reason)).unwrap_or_default();
                self.skip("not-valid", &pointer, &[("id", &id), ("field", &why.0), ("reason", why.1)]);
            }
        }
    }

    pub fn end(mut self) -> Result<Converted, Refused> {
        if self.made.is_empty() && self.skipped.is_empty() {
            return super::refused(self.neighbour, "nothing", &[]);
        }
        self.notes.dedup();
        let Self { neighbour, version, made, notes, skipped, .. } = self;
        Ok(Converted { neighbour, version, made, notes, skipped })
    }

    /// Namespace and local name, in the letters of an id, made unique.
    fn id(&mut self, draft: &Draft) -> String {
        let whole = if draft.namespace.is_empty() {
            draft.local.clone()
        } else {
            format!("{}/{}", draft.namespace, draft.local)
        };
        let mut id = escaped(&whole);
        if id != whole {
            self.here("id-escaped", &draft.pointer, &[("from", &whole), ("id", &id)]);
        }
        if self.ids.contains(&id) {
            let base = cut(&id, 240);
            let free = (2u32..).map(|n| format!("{base}~{n}")).find(|id| !self.ids.contains(id));
            let free = free.unwrap_or(base);
            self.here("id-taken", &draft.pointer, &[("from", &id), ("id", &free)]);
            id = free;
        }
        id
    }

    fn text(&mut self, id: &str, draft: Draft) -> String {
        let at = draft.pointer.clone();
        let local = if draft.local.trim().is_empty() { id } else { &draft.local };
        let name = self.words(draft.name, "name", local, 256, &at, "name-missing");
        let description = self.words(draft.description, "description", &name, 8192, &at, "description-missing");
        let version = match draft.version.filter(|v| !v.trim().is_empty()) {
            Some(v) if v.contains("${") || v.contains("{{") => {
                self.here("version-placeholder", &at, &[("version", &v)]);
                "0.0.0".to_owned()
            }
            Some(v) => cut(v.trim(), 255),
            None => {
                self.here("version-missing", &at, &[]);
                "0.0.0".to_owned()
            }
        };
        let url = match draft.url.filter(|u| Rule::Uri.holds(u)) {
            Some(url) => url,
            None => {
                self.here("endpoint-missing", &at, &[("url", UNKNOWN_URL)]);
                UNKNOWN_URL.to_owned()
            }
        };
        let host = host_of(&url).filter(|h| h.contains('.') && !h.ends_with(".invalid") && !is_address(h));
        let provider_name = match draft.provider.name.filter(|n| !n.trim().is_empty()) {
            Some(name) => cut(name.trim(), 256),
            None => {
                let put = host.clone().unwrap_or_else(|| {
                    if draft.namespace.is_empty() { "unknown".to_owned() } else { cut(&draft.namespace, 256) }
                });
                self.here("provider-missing", &at, &[("name", &put)]);
                put
            }
        };
        let provider = Obj::default()
            .str("name", &provider_name)
            .some("domain", host.as_deref().filter(|h| Rule::Hostname.holds(h)))
            .some("url", draft.provider.url.as_deref().filter(|u| Rule::Uri.holds(u)))
            .some("contact", draft.provider.contact.as_deref().filter(|c| !c.is_empty()));
        let mut endpoint = Obj::default().str("url", &url).some("method", draft.method).str("binding", draft.binding);
        endpoint = endpoint.some("path", draft.path.as_deref().filter(|p| Rule::Path.holds(p)));
        let mut broken = Vec::new();
        let inputs = match draft.inputs {
            Some(schema) => self.schema(schema, "inputs", OBJECT, &at, &mut broken),
            None => {
                self.here("inputs-missing", &at, &[]);
                OBJECT.to_owned()
            }
        };
        let output = match draft.output {
            Some(schema) => self.schema(schema, "output", "{}", &at, &mut broken),
            None => {
                self.here("output-undeclared", &at, &[]);
                "{}".to_owned()
            }
        };
        let protocol = Obj::default().str("version", version::SUPPORTED).end();
        let mut out = Obj::default()
            .raw("protocol", &protocol)
            .str("id", id)
            .str("name", &name)
            .str("version", &version)
            .str("capability_type", draft.capability.word())
            .str("description", &description)
            .raw("provider", &provider.end())
            .raw("endpoint", &endpoint.end())
            .raw("inputs", &inputs)
            .raw("output", &output)
            .raw("auth", &draft.auth)
            .str("access", draft.access.word());
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (key, raw) in draft.more.into_iter().chain(broken) {
            if seen.insert(key.clone()) {
                out = out.raw(&key, &raw);
            }
        }
        out.end()
    }

    /// A text that must be there, cut to its length.
    fn words(
        &mut self,
        given: Option<String>,
        field: &str,
        instead: &str,
        max: usize,
        at: &str,
        code: &'static str,
    ) -> String {
        let given = given.filter(|t| Rule::Visible.holds(t));
        let text = given.unwrap_or_else(|| {
            self.here(code, at, &[("value", instead)]);
            instead.to_owned()
        });
        if text.chars().count() > max {
            self.here("text-cut", at, &[("field", field), ("max", &max.to_string())]);
        }
        cut(&text, max)
    }

    /// A schema that can be used; another one is kept aside.
    fn schema(
        &mut self,
        schema: String,
        field: &str,
        instead: &str,
        at: &str,
        broken: &mut Vec<(String, String)>,
    ) -> String {
        let why = if schema.trim_start().starts_with('{') {
            ToolSchema::new(&schema).err()
        } else {
            Some("not an object".to_owned())
        };
        match why {
            None => {
                if schema.contains("json-schema.org/draft-0") {
                    self.here("older-dialect", at, &[("field", field)]);
                }
                schema
            }
            Some(why) => {
                self.here("schema-unusable", at, &[("field", field), ("why", &why)]);
                broken.push((format!("x-source-{field}"), schema));
                instead.to_owned()
            }
        }
    }
}

/// The schema of inputs of which nothing is known.
pub const OBJECT: &str = r#"{"type":"object"}"#;

/// The address of what has none; the name cannot exist (RFC 2606).
pub const UNKNOWN_URL: &str = "https://unknown.invalid/";

/// A text in the letters of an id: others are percent-encoded.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim().chars() {
        let plain = c.is_ascii_alphanumeric() || (!out.is_empty() && "._:/@+~%-".contains(c));
        let start = out.len();
        if plain {
            out.push(c);
        } else if out.is_empty() && c.is_ascii() {
            // The first letter must be one; a sign in its place is left out.
            continue;
        } else if out.is_empty() {
            out.push('x');
            encode(c, &mut out);
        } else {
            encode(c, &mut out);
        }
        if out.len() > 256 {
            out.truncate(start);
            break;
        }
    }
    if out.is_empty() { "x".to_owned() } else { out }
}

fn encode(c: char, out: &mut String) {
    let mut buffer = [0; 4];
    for byte in c.encode_utf8(&mut buffer).bytes() {
        out.push_str(&format!("%{byte:02X}"));
    }
}

/// A word for ids made of a title: small letters, digits and hyphens.
pub fn slug(title: &str) -> String {
    let mut out = String::new();
    for c in title.chars().take(80) {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// The name of a file without folder and endings.
pub fn stem(context: &Context) -> String {
    let name = context.file.rsplit('/').next().unwrap_or_default();
    slug(name.split('.').find(|p| !p.is_empty()).unwrap_or("unnamed"))
}

/// Host and port of a URL.
pub fn authority_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let place = authority.rsplit('@').next()?;
    (!place.is_empty()).then(|| place.to_ascii_lowercase())
}

/// Host of a URL.
pub fn host_of(url: &str) -> Option<String> {
    let place = authority_of(url)?;
    if place.starts_with('[') {
        return None;
    }
    Some(place.split(':').next()?.to_owned()).filter(|h| !h.is_empty())
}

fn is_address(host: &str) -> bool {
    host.split('.').all(|p| p.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_their_letters() {
        let check = |text: &str, expected: &str| assert_eq!(escaped(text), expected, "{text}");
        check("com.example/translate", "com.example/translate");
        check("find pet by id", "find%20pet%20by%20id");
        check("翻譯", "x%E7%BF%BB%E8%AD%AF");
        check("-a", "a");
        check("", "x");
        check(&"a".repeat(300), &"a".repeat(256));
        // A letter is kept whole or not at all.
        assert!(escaped(&format!("{}翻", "a".repeat(250))).len() == 250);
        for text in ["  ", "{x}", "%", "a%b", "é"] {
            assert!(Rule::Id.holds(&escaped(text)), "{text}");
        }
    }

    #[test]
    fn words_of_titles_and_hosts_of_addresses() {
        assert_eq!(slug("Tic Tac  Toe!"), "tic-tac-toe");
        assert_eq!(host_of("http://localhost:10103/x").as_deref(), Some("localhost"));
        assert_eq!(authority_of("https://u@A.example:1/x?y").as_deref(), Some("a.example:1"));
        assert_eq!(host_of("urn:x"), None);
        assert_eq!(host_of("http://[::1]/"), None);
    }
}
