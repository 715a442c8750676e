//! Neighbours of the protocol as descriptors: agent cards, tool lists, SKILL.md, OpenAPI.
//!
//! Decides which neighbour a file is ([`neighbour_of`]) and makes descriptors of it ([`convert`]). Where a neighbour does
//! not say what a descriptor must hold, something is put in its place and told as a guess; what finds no place is kept
//! under an `x-` key or told as a loss. Each has a stable code, the place in the source and a sentence in `message`. Every
//! descriptor that is made passes the core profile: one that would not is left out, with the reason. Nothing is fetched.
//! O(size of the file · its references); what is made is bounded by [`MAX_MADE`] and [`MAX_BYTES`].
//!
//! Sources: A2A 0.2 to 1.0, MCP 2025-11-25 and server.json 2025-12-11, Agent Skills and its discovery 0.2.0, OpenAPI 3.0 and
//! 3.1, UTCP 1.0, the tool definitions of OpenAI and Anthropic.

mod a2a;
mod discovery;
pub(crate) mod maker;
mod mcp;
mod openapi;
mod openapi_schema;
mod skill_md;
mod tools;
mod yaml;

pub use maker::{CODES, Code, Made, Note, NoteKind, Skipped};
pub use mcp::Server;
pub use yaml::to_json as yaml_to_json;

use crate::json::{Tape, Val, decode_bytes};

/// More descriptors than this are not made of one file.
pub const MAX_MADE: usize = 5_000;

/// All descriptors of a file together are no longer than this.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// What can be made descriptors of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neighbour {
    A2aCard,
    McpTools,
    McpServer,
    SkillMd,
    OpenApi,
    OpenAiTools,
    AnthropicTools,
    AgentSkillsIndex,
    AiPlugin,
    Utcp,
}

impl Neighbour {
    pub const ALL: [Neighbour; 10] = [
        Self::A2aCard,
        Self::McpTools,
        Self::McpServer,
        Self::SkillMd,
        Self::OpenApi,
        Self::OpenAiTools,
        Self::AnthropicTools,
        Self::AgentSkillsIndex,
        Self::AiPlugin,
        Self::Utcp,
    ];

    /// The stable word.
    pub fn id(self) -> &'static str {
        match self {
            Self::A2aCard => "a2a-card",
            Self::McpTools => "mcp-tools",
            Self::McpServer => "mcp-server",
            Self::SkillMd => "skill-md",
            Self::OpenApi => "openapi",
            Self::OpenAiTools => "openai-tools",
            Self::AnthropicTools => "anthropic-tools",
            Self::AgentSkillsIndex => "agent-skills-index",
            Self::AiPlugin => "ai-plugin",
            Self::Utcp => "utcp",
        }
    }

    /// The name that people use.
    pub fn label(self) -> &'static str {
        match self {
            Self::A2aCard => "A2A agent card",
            Self::McpTools => "MCP tools/list",
            Self::McpServer => "MCP server.json",
            Self::SkillMd => "SKILL.md",
            Self::OpenApi => "OpenAPI",
            Self::OpenAiTools => "OpenAI tools",
            Self::AnthropicTools => "Anthropic tools",
            Self::AgentSkillsIndex => "Agent Skills index",
            Self::AiPlugin => "ai-plugin.json",
            Self::Utcp => "UTCP manual",
        }
    }
}

/// What is known beside the file.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Path of the file in its drop.
    pub file: String,
    /// Where a relative or missing address is taken from.
    pub base_url: Option<String>,
    /// The server that a list of tools belongs to.
    pub server: Option<Server>,
}

/// A file as descriptors.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    pub neighbour: Neighbour,
    /// The version of the neighbour's own format, where the file states it.
    pub version: Option<String>,
    pub made: Vec<Made>,
    /// Guesses and losses, in the order of the file.
    pub notes: Vec<Note>,
    /// What could not be made a descriptor of.
    pub skipped: Vec<Skipped>,
}

/// A file that gives no descriptor: the id of the sentence that says why and what to do, with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub neighbour: Neighbour,
    /// Stable word; the sentence is `neighbour.refused.<code>`.
    pub code: &'static str,
    pub args: Vec<(String, String)>,
}

/// Which neighbour a JSON document is; `None` for everything else, the protocol's own documents among it.
pub fn neighbour_of(root: Val<'_>) -> Option<Neighbour> {
    if super::kind_of_value(root).is_some() {
        return None;
    }
    if root.get("openapi").is_some_and(Val::is_string) || root.get("swagger").is_some_and(|v| !v.is_array()) {
        return Some(Neighbour::OpenApi);
    }
    if discovery::is_ai_plugin(root) {
        return Some(Neighbour::AiPlugin);
    }
    if mcp::is_server(root) {
        return Some(Neighbour::McpServer);
    }
    if a2a::is_card(root) {
        return Some(Neighbour::A2aCard);
    }
    if discovery::is_index(root) {
        return Some(Neighbour::AgentSkillsIndex);
    }
    tools::flavour(root)
}

/// Whether a text that is no JSON may be a neighbour: a SKILL.md, or an OpenAPI description in YAML.
pub fn neighbour_of_text(file: &str, text: &str) -> Option<Neighbour> {
    if skill_md::is_skill(file, text) {
        return Some(Neighbour::SkillMd);
    }
    let head = text.lines().take(200).any(|l| l.starts_with("openapi:") || l.starts_with("swagger:"));
    head.then_some(Neighbour::OpenApi)
}

/// Which neighbour the bytes of a file are.
pub fn recognise(file: &str, bytes: &[u8]) -> Option<Neighbour> {
    let decoded = decode_bytes(bytes);
    let text = decoded.text.as_ref();
    if looks_like_json(text) {
        let mut tape = Tape::new();
        return neighbour_of(tape.parse(text).root());
    }
    neighbour_of_text(file, text)
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Makes descriptors of a file; `None` when it is no neighbour.
pub fn convert(bytes: &[u8], context: &Context) -> Option<Result<Converted, Refused>> {
    let decoded = decode_bytes(bytes);
    let text = decoded.text.as_ref();
    if looks_like_json(text) {
        let mut tape = Tape::new();
        let root = tape.parse(text).root();
        let neighbour = neighbour_of(root)?;
        if let Some(fault) = tape.faults().iter().find(|f| !f.kind.is_repair()) {
            let (line, column) = crate::json::line_column(text, fault.at);
            return Some(refused(neighbour, "not-json", &[("line", line.to_string()), ("column", column.to_string())]));
        }
        return Some(convert_json(neighbour, tape.doc(text).root(), context));
    }
    match neighbour_of_text(&context.file, text)? {
        Neighbour::SkillMd => Some(skill_md::convert(text, context)),
        neighbour => Some(match yaml::to_json(text) {
            Ok(json) => {
                let mut tape = Tape::new();
                convert_json(neighbour, tape.parse(&json).root(), context)
            }
            Err(fault) => refused(neighbour, "not-yaml", &fault.args()),
        }),
    }
}

fn convert_json(neighbour: Neighbour, root: Val<'_>, context: &Context) -> Result<Converted, Refused> {
    match neighbour {
        Neighbour::A2aCard => a2a::convert(root, context),
        Neighbour::McpTools => mcp::convert(root, context),
        Neighbour::OpenAiTools | Neighbour::AnthropicTools | Neighbour::Utcp => {
            tools::convert(neighbour, root, context)
        }
        Neighbour::OpenApi => openapi::convert(root, context),
        Neighbour::AgentSkillsIndex => discovery::convert(root, context),
        Neighbour::AiPlugin => {
            let url = root.path(&["api", "url"]).and_then(Val::as_str).unwrap_or("–".into());
            refused(neighbour, "ai-plugin", &[("url", maker::cut(&url, 200))])
        }
        Neighbour::McpServer => {
            let name = root.str("name").unwrap_or("–".into());
            refused(neighbour, "server-alone", &[("name", maker::cut(&name, 120))])
        }
        // Never JSON.
        Neighbour::SkillMd => refused(neighbour, "no-frontmatter", &[]),
    }
}

/// Makes descriptors of the files of one drop: a `server.json` speaks for the lists of tools in its folder.
pub fn convert_all<'a>(
    files: &'a [(String, &'a [u8])],
    base_url: Option<&str>,
) -> Vec<(&'a str, Option<Result<Converted, Refused>>)> {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let servers: Vec<(String, Server)> = files
        .iter()
        .filter_map(|(file, bytes)| {
            let decoded = decode_bytes(bytes);
            let mut tape = Tape::new();
            let root = looks_like_json(&decoded.text).then(|| tape.parse(&decoded.text).root())?;
            mcp::is_server(root).then(|| (folder(file), mcp::server_of(root)))
        })
        .collect();
    let convert_one = |(file, bytes): &'a (String, &'a [u8])| {
        let mut beside = servers.iter().filter(|(place, _)| *place == folder(file)).map(|(_, server)| server);
        // With two of them nobody knows which one is meant.
        let server = beside.next().cloned().filter(|_| beside.next().is_none());
        let context = Context { file: file.clone(), base_url: base_url.map(str::to_owned), server };
        (file.as_str(), convert(bytes, &context))
    };
    files.iter().map(convert_one).collect()
}

fn refused<T>(neighbour: Neighbour, code: &'static str, args: &[(&str, String)]) -> Result<T, Refused> {
    let args = args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
    Err(Refused { neighbour, code, args })
}
