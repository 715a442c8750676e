//! The model of the Skill Sharing Protocol as one table: every type, field, constraint and its reason.
//!
//! Decides what a document may hold. The checks walk it, and [`super::emit`] turns it into the JSON Schemas, the
//! TypeScript types, the fast-check arbitraries and the field tables of the docs; `tests/skill_table.rs` fails when a
//! committed output is stale. `core` is what chapter 12 forces plus the structure that makes it useful, with objects
//! open; `strict` adds house rules and is a subset of it.
//!
//! Source: Skill Sharing Protocol chapter 12 (properties 1, 2, 8, 9); SemVer 2.0.0; RFC 3339, 3986, 9457.

use super::text::Rule;

/// A fixed list of words.
#[derive(Debug)]
pub struct Words {
    /// Name of the TypeScript type and of the schema definition; empty when the list is written in place.
    pub name: &'static str,
    pub words: &'static [&'static str],
    /// Whether chapter 12 itself lists the words (property 2).
    pub seed: bool,
    /// For definitions that the schema shows as a default.
    pub default: &'static str,
}

/// What a value must be.
#[derive(Debug)]
pub enum Shape {
    /// A text of `min` to `max` code points (0: no limit) that follows a rule.
    Text {
        min: u32,
        max: u32,
        rule: Rule,
    },
    /// A skill's identifier: a text with a definition of its own.
    Id,
    /// One of fixed words.
    Words(&'static Words),
    /// A whole number within bounds.
    Integer {
        min: i64,
        max: i64,
    },
    Boolean,
    /// An object of another type of the table.
    Object(&'static Type),
    /// Any object.
    Open,
    /// An object whose values are all texts.
    Texts,
    /// Any value.
    Any,
    /// A list of at least `min` values of one shape.
    List {
        of: &'static Shape,
        min: u32,
        unique: bool,
    },
    /// A JSON Schema.
    Schema {
        object_only_in_strict: bool,
    },
}

impl Shape {
    /// Whether the schemas define it once and refer to it.
    pub fn is_defined(&self) -> bool {
        match self {
            Shape::Id | Shape::Object(_) | Shape::Schema { .. } => true,
            Shape::Words(words) => !words.name.is_empty(),
            _ => false,
        }
    }
}

/// What the strict profile asks beyond core.
#[derive(Debug)]
pub enum Strict {
    Same,
    /// The field must be there.
    Required,
    /// A text follows this rule too.
    Rule(Rule),
    /// Only these words; core takes any word.
    Words(&'static Words),
}

/// A field of a type.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
    pub strict: Strict,
    pub doc: &'static str,
}

/// Fields that a type has when its `type` field is `word`.
#[derive(Debug)]
pub struct Case {
    pub word: &'static str,
    /// Name of the TypeScript type.
    pub name: &'static str,
    pub fields: &'static [Field],
}

/// A type of object.
#[derive(Debug)]
pub struct Type {
    pub name: &'static str,
    pub doc: &'static str,
    pub fields: &'static [Field],
    pub cases: &'static [Case],
    /// Members that an object has at least.
    pub min_members: u32,
    /// House rules between the fields, in the strict profile only.
    pub conditions: &'static [Condition],
}

/// When `status` is one of `words`, then `then` (strict).
#[derive(Debug)]
pub struct Condition {
    pub words: &'static [&'static str],
    pub then: Then,
}

/// See [`Condition`].
#[derive(Debug)]
pub enum Then {
    Needs(&'static str),
    Forbids(&'static str),
    /// An object of the type has this member.
    NeedsIn(&'static str, &'static str),
}

impl Type {
    /// The field of this name, of the case that `word` names if there is one.
    pub fn fields_with(&self, word: Option<&str>) -> impl Iterator<Item = &'static Field> {
        let case = self.cases.iter().find(|c| Some(c.word) == word).map_or(&[] as &[Field], |c| c.fields);
        self.fields.iter().chain(case)
    }
}

const fn must(name: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { name, shape, required: true, strict: Strict::Same, doc }
}

const fn may(name: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { name, shape, required: false, strict: Strict::Same, doc }
}

impl Field {
    const fn strict(self, strict: Strict) -> Field {
        Field { name: self.name, shape: self.shape, required: self.required, strict, doc: self.doc }
    }
}

const fn list(name: &'static str, words: &'static [&'static str], seed: bool) -> Words {
    Words { name, words, seed, default: "" }
}

/// A text that is not blank, up to `max` code points.
const fn text(max: u32) -> Shape {
    Shape::Text { min: 1, max, rule: Rule::Visible }
}

/// A text of at least one character, whatever it is.
const fn some(max: u32) -> Shape {
    Shape::Text { min: 1, max, rule: Rule::Any }
}

const fn by(rule: Rule) -> Shape {
    Shape::Text { min: 0, max: 0, rule }
}

/// A word of an open list.
const TOKEN: Shape = Shape::Text { min: 1, max: 64, rule: Rule::Token };
const ANY_TEXT: Shape = by(Rule::Any);
const URI: Shape = Shape::Text { min: 1, max: 0, rule: Rule::Uri };
const REFERENCE: Shape = Shape::Text { min: 1, max: 0, rule: Rule::UriReference };
const WHEN: Shape = by(Rule::DateTime);
const TAGS: Shape = Shape::List { of: &some(0), min: 0, unique: true };
const MILLISECONDS: Shape = Shape::Integer { min: 1, max: i64::MAX };

/// Longest identifier.
pub const MAX_ID: u32 = 256;

pub static CAPABILITY_TYPE: Words = list("CapabilityType", &["plugin", "api", "knowledge", "task"], true);
pub static ACCESS: Words = list("Access", &["public", "restricted", "private"], true);
pub static AUTH_TYPE: Words = list("", &["api_key", "oauth2", "custom", "none"], true);
pub static KEY_PLACE: Words = list("", &["header", "query", "cookie"], false);
pub static METHOD: Words =
    Words { name: "", words: &["GET", "POST", "PUT", "PATCH", "DELETE"], seed: false, default: "POST" };
pub static CALLER_TYPE: Words = list("", &["user", "agent", "service"], false);
pub static STATUS: Words = list(
    "",
    &["pending", "running", "input_required", "auth_required", "succeeded", "failed", "cancelled", "rejected"],
    false,
);
/// The words of [`STATUS`] after which nothing more happens.
pub const TERMINAL: &[&str] = &["succeeded", "failed", "cancelled", "rejected"];

static PROTOCOL_VERSION_FIELDS: [Field; 2] = [
    must(
        "version",
        by(Rule::ProtocolVersion),
        "MAJOR.MINOR.PATCH, three non-negative integers, no leading zero, no suffix (SemVer 2.0.0 clause 2).",
    ),
    may("name", some(0), "Name of the protocol."),
];
pub static PROTOCOL_VERSION: Type = Type {
    name: "ProtocolVersion",
    doc: "The protocol's version. Numbers of any length; compared as decimal text.",
    fields: &PROTOCOL_VERSION_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static PROVIDER_FIELDS: [Field; 5] = [
    must("name", text(256), "Who answers for the skill."),
    may("id", some(0), "Identifier of the provider."),
    may("domain", by(Rule::Hostname), "DNS name whose well-known index lists the skill."),
    may("url", URI, "Home page."),
    may("contact", some(0), "How to reach the provider."),
];
pub static PROVIDER: Type = Type {
    name: "Provider",
    doc: "Who offers the skill.",
    fields: &PROVIDER_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static ENDPOINT_FIELDS: [Field; 5] = [
    must("url", URI, "Absolute URI that takes invocations.").strict(Strict::Rule(Rule::Https)),
    may("method", Shape::Words(&METHOD), "HTTP method."),
    may(
        "binding",
        some(0),
        "How to speak to url: ssp (default: POST an InvocationRequest), http, mcp, a2a, file, or a URI.",
    ),
    may(
        "path",
        by(Rule::Path),
        "RFC 6570 level 1 template appended to url, for imported HTTP operations such as /board/{row}.",
    ),
    may("timeout_ms", MILLISECONDS, "How long a caller should wait."),
];
pub static ENDPOINT: Type = Type {
    name: "Endpoint",
    doc: "Where the skill is invoked.",
    fields: &ENDPOINT_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static API_KEY_FIELDS: [Field; 3] = [
    must("in", Shape::Words(&KEY_PLACE), "Where the key travels."),
    must("name", text(256), "Header, query or cookie name that carries the key."),
    may("prefix", ANY_TEXT, "Text put before the key, for example \"Bearer \"."),
];
static OAUTH2_FIELDS: [Field; 5] = [
    must("token_url", URI, "Token endpoint."),
    may("metadata_url", URI, "RFC 8414 authorization server metadata."),
    may("authorization_url", URI, "Authorization endpoint."),
    may("grant_types", Shape::List { of: &some(0), min: 1, unique: true }, "Grants that the server takes."),
    may("scopes", Shape::Texts, "Scope name to what it allows."),
];
static CUSTOM_FIELDS: [Field; 2] = [
    must("scheme", text(256), "Name or URI of the scheme, for example http-bearer, mtls, openid-connect."),
    may("params", Shape::Open, "What the scheme needs to know."),
];
static AUTH_FIELDS: [Field; 2] = [
    must("type", Shape::Words(&AUTH_TYPE), "How a caller proves who it is."),
    may("description", ANY_TEXT, "For people."),
];
static AUTH_CASES: [Case; 4] = [
    Case { word: "api_key", name: "ApiKeyAuth", fields: &API_KEY_FIELDS },
    Case { word: "oauth2", name: "OAuth2Auth", fields: &OAUTH2_FIELDS },
    Case { word: "custom", name: "CustomAuth", fields: &CUSTOM_FIELDS },
    Case { word: "none", name: "NoAuth", fields: &[] },
];
pub static AUTH: Type = Type {
    name: "Auth",
    doc: "How to authenticate. Never holds a secret.",
    fields: &AUTH_FIELDS,
    cases: &AUTH_CASES,
    min_members: 0,
    conditions: &[],
};

static ANNOTATIONS_FIELDS: [Field; 4] = [
    may("read_only", Shape::Boolean, "Changes nothing."),
    may("destructive", Shape::Boolean, "May delete or overwrite."),
    may("idempotent", Shape::Boolean, "The same call twice does no more than once."),
    may("open_world", Shape::Boolean, "Reaches beyond the provider."),
];
pub static ANNOTATIONS: Type = Type {
    name: "Annotations",
    doc: "Untrusted hints, as in MCP ToolAnnotations.",
    fields: &ANNOTATIONS_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static EXAMPLE_FIELDS: [Field; 3] = [
    may("description", ANY_TEXT, "For people."),
    must("inputs", Shape::Open, "Inputs that the skill takes."),
    may("output", Shape::Any, "What comes back for them."),
];
pub static EXAMPLE: Type = Type {
    name: "Example",
    doc: "A call and its answer, checked against the descriptor's two schemas.",
    fields: &EXAMPLE_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static DESCRIPTOR_FIELDS: [Field; 22] = [
    may("$schema", by(Rule::Uri), "For editors; opaque to readers."),
    must("protocol", Shape::Object(&PROTOCOL_VERSION), "Protocol that the descriptor follows."),
    must("id", Shape::Id, "Identifier, unique in its index."),
    must("name", text(256), "Display name."),
    must(
        "version",
        Shape::Text { min: 1, max: 255, rule: Rule::Visible },
        "Version of the skill; SemVer 2.0.0 is a strict-profile rule.",
    )
    .strict(Strict::Rule(Rule::SemVer)),
    must("capability_type", Shape::Words(&CAPABILITY_TYPE), "What kind of ability it is."),
    must("description", text(8192), "What it does and when to use it."),
    must("provider", Shape::Object(&PROVIDER), "Who offers it."),
    must("endpoint", Shape::Object(&ENDPOINT), "Where it is invoked."),
    must("inputs", Shape::Schema { object_only_in_strict: true }, "JSON Schema of the inputs."),
    must("output", Shape::Schema { object_only_in_strict: false }, "JSON Schema of the output; {} declares nothing."),
    must("auth", Shape::Object(&AUTH), "How to authenticate."),
    must(
        "access",
        Shape::Words(&ACCESS),
        "public: listed, no permission needed. restricted: listed, needs permission. private: never listed to anonymous callers.",
    ),
    may("tags", TAGS, "Words to find it by."),
    may("license", some(0), "Licence of the skill."),
    may("documentation_url", URI, "Human documentation."),
    may("examples", Shape::List { of: &Shape::Object(&EXAMPLE), min: 0, unique: false }, "Calls with their answers."),
    may("annotations", Shape::Object(&ANNOTATIONS), "Untrusted hints."),
    may("deprecated", Shape::Boolean, "Should no longer be used."),
    may("created_at", WHEN, "RFC 3339."),
    may("updated_at", WHEN, "RFC 3339."),
    may("metadata", Shape::Open, "Anything else."),
];
pub static SKILL_DESCRIPTOR: Type = Type {
    name: "SkillDescriptor",
    doc: "What a skill does, where it is and how to call it.",
    fields: &DESCRIPTOR_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static ENTRY_FIELDS: [Field; 9] = [
    must("id", Shape::Id, "The descriptor's id."),
    must("name", text(256), "Display name."),
    may("version", some(255), "The descriptor's version.").strict(Strict::Required),
    may("description", some(8192), "What it does.").strict(Strict::Required),
    must("capability_type", Shape::Words(&CAPABILITY_TYPE), "Equals the descriptor's."),
    must("access", Shape::Words(&ACCESS), "Equals the descriptor's."),
    must("descriptor_url", REFERENCE, "Resolved against the index URL (RFC 3986 section 5)."),
    may("digest", by(Rule::Digest), "sha256 of the descriptor's bytes as served."),
    may("tags", TAGS, "Words to find it by."),
];
pub static SKILL_INDEX_ENTRY: Type = Type {
    name: "SkillIndexEntry",
    doc: "One skill of an index.",
    fields: &ENTRY_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static INDEX_FIELDS: [Field; 6] = [
    may("$schema", by(Rule::Uri), "For editors; opaque to readers."),
    must("protocol", Shape::Object(&PROTOCOL_VERSION), "Protocol that the index follows."),
    may("provider", Shape::Object(&PROVIDER), "Who offers the skills."),
    must(
        "skills",
        Shape::List { of: &Shape::Object(&SKILL_INDEX_ENTRY), min: 0, unique: false },
        "The skills; ids differ.",
    ),
    may("next", REFERENCE, "Next page."),
    may("updated_at", WHEN, "RFC 3339."),
];
pub static SKILL_INDEX: Type = Type {
    name: "SkillIndex",
    doc: "The skills of a provider, served at a well-known address.",
    fields: &INDEX_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static CALLER_FIELDS: [Field; 2] = [
    must("id", text(256), "Who calls."),
    must("type", TOKEN, "Known: user, agent, service. Open word list (iFay, coFay and the like pass).")
        .strict(Strict::Words(&CALLER_TYPE)),
];
pub static CALLER: Type = Type {
    name: "Caller",
    doc: "Who calls a skill.",
    fields: &CALLER_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static REQUEST_FIELDS: [Field; 8] = [
    may("protocol", Shape::Object(&PROTOCOL_VERSION), "Protocol that the request follows."),
    may("request_id", some(256), "Given back by the response."),
    must("caller", Shape::Object(&CALLER), "Who calls."),
    must("skill_id", Shape::Id, "The skill."),
    may("skill_version", some(255), "Version that the caller read."),
    must("inputs", Shape::Open, "Arguments; must match the descriptor's inputs schema."),
    may("timeout_ms", MILLISECONDS, "How long the caller waits."),
    may("metadata", Shape::Open, "Anything else."),
];
pub static INVOCATION_REQUEST: Type = Type {
    name: "InvocationRequest",
    doc: "A call of a skill.",
    fields: &REQUEST_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static FAULT_FIELDS: [Field; 3] = [
    must("pointer", ANY_TEXT, "Where the fault is (RFC 6901)."),
    must("detail", ANY_TEXT, "What is wrong."),
    may("code", ANY_TEXT, "Stable word."),
];
pub static PROBLEM_FAULT: Type = Type {
    name: "ProblemFault",
    doc: "One fault of a request.",
    fields: &FAULT_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static PROBLEM_FIELDS: [Field; 8] = [
    may("type", by(Rule::UriReference), "Kind of problem; about:blank when left out."),
    must("title", some(0), "What went wrong, the same for every problem of the kind."),
    may("detail", ANY_TEXT, "What went wrong this time."),
    may("instance", by(Rule::UriReference), "This occurrence."),
    may("status", Shape::Integer { min: 100, max: 599 }, "HTTP status."),
    may("code", by(Rule::Token), "Stable word."),
    may("retryable", Shape::Boolean, "Whether the same call may succeed later."),
    may("errors", Shape::List { of: &Shape::Object(&PROBLEM_FAULT), min: 0, unique: false }, "Faults one by one."),
];
pub static PROBLEM: Type = Type {
    name: "Problem",
    doc: "RFC 9457 problem details; code, retryable and errors are extension members.",
    fields: &PROBLEM_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &[],
};

static TIMESTAMPS_FIELDS: [Field; 4] = [
    may("created_at", WHEN, "Execution accepted.").strict(Strict::Required),
    may("started_at", WHEN, "Work began."),
    may("updated_at", WHEN, "Last change of status."),
    may("completed_at", WHEN, "Terminal status reached."),
];
pub static TIMESTAMPS: Type = Type {
    name: "Timestamps",
    doc: "When an execution did what.",
    fields: &TIMESTAMPS_FIELDS,
    cases: &[],
    min_members: 1,
    conditions: &[],
};

static RESPONSE_FIELDS: [Field; 9] = [
    may("protocol", Shape::Object(&PROTOCOL_VERSION), "Protocol that the response follows."),
    may("request_id", some(256), "The request's."),
    must("execution_id", text(256), "Identifier of this execution."),
    must(
        "status",
        TOKEN,
        "Known: pending, running, input_required, auth_required, succeeded, failed, cancelled, rejected. Open word list; an unknown word is not terminal.",
    )
    .strict(Strict::Words(&STATUS)),
    must("skill_id", Shape::Id, "The skill."),
    must("timestamps", Shape::Object(&TIMESTAMPS), "When it was accepted, began, changed and ended."),
    may("output", Shape::Any, "Any JSON value; must match the descriptor's output schema when status is succeeded."),
    may("error", Shape::Object(&PROBLEM), "What went wrong."),
    may("metadata", Shape::Open, "Anything else."),
];
static RESPONSE_CONDITIONS: [Condition; 3] = [
    Condition { words: &["failed"], then: Then::Needs("error") },
    Condition { words: &["succeeded"], then: Then::Forbids("error") },
    Condition { words: TERMINAL, then: Then::NeedsIn("timestamps", "completed_at") },
];
pub static INVOCATION_RESPONSE: Type = Type {
    name: "InvocationResponse",
    doc: "What came of a call.",
    fields: &RESPONSE_FIELDS,
    cases: &[],
    min_members: 0,
    conditions: &RESPONSE_CONDITIONS,
};

/// Every type, in the order of the docs.
pub static TYPES: [&Type; 15] = [
    &SKILL_DESCRIPTOR,
    &PROTOCOL_VERSION,
    &PROVIDER,
    &ENDPOINT,
    &AUTH,
    &EXAMPLE,
    &ANNOTATIONS,
    &SKILL_INDEX,
    &SKILL_INDEX_ENTRY,
    &INVOCATION_REQUEST,
    &CALLER,
    &INVOCATION_RESPONSE,
    &TIMESTAMPS,
    &PROBLEM,
    &PROBLEM_FAULT,
];
