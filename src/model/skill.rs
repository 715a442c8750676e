//! What an agent may call: a skill, wherever it is described (an SSP descriptor, a tool list, a run's own declarations).
//!
//! Decides nothing: it is the meeting place of `skill` (documents of the Skill Sharing Protocol), `import` (tools that a
//! run declares) and `contract` (each call against its skill), which do not know each other.
//!
//! Source: Skill Sharing Protocol chapter 12, properties 1 and 2.

use std::sync::Arc;

/// `capability_type` of property 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    Plugin,
    Api,
    Knowledge,
    Task,
}

impl Capability {
    pub const ALL: [Capability; 4] = [Capability::Plugin, Capability::Api, Capability::Knowledge, Capability::Task];

    /// The word of the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Capability::Plugin => "plugin",
            Capability::Api => "api",
            Capability::Knowledge => "knowledge",
            Capability::Task => "task",
        }
    }

    /// The capability of exactly this word: no folding of case or space.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.word() == word)
    }
}

/// `access` of property 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Listed; needs no permission.
    Public,
    /// Listed; needs a permission.
    Restricted,
    /// Never listed to anonymous callers.
    Private,
}

impl Access {
    pub const ALL: [Access; 3] = [Access::Public, Access::Restricted, Access::Private];

    /// The word of the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Access::Public => "public",
            Access::Restricted => "restricted",
            Access::Private => "private",
        }
    }

    /// The access of exactly this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|a| a.word() == word)
    }
}

/// Where the description of a skill was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillSource {
    /// A document of its own that was dropped: a descriptor, a card, a tool list.
    Document,
    /// The run itself declares it.
    Run,
}

impl SkillSource {
    /// The stable word for exports.
    pub fn id(self) -> &'static str {
        match self {
            SkillSource::Document => "document",
            SkillSource::Run => "run",
        }
    }
}

impl Skill {
    /// A tool of a run of which no more than the name is known.
    pub fn of_run(name: &str) -> Self {
        Self {
            id: name.to_owned(),
            name: name.to_owned(),
            version: None,
            protocol: None,
            capability: None,
            access: None,
            description: None,
            inputs: None,
            output: None,
            source: SkillSource::Run,
            file: String::new(),
        }
    }
}

/// A skill. What its source does not say is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    /// Identifier within its protocol; for a tool of a run its name.
    pub id: String,
    /// The name that a call uses; equals `id` where the source knows one name only.
    pub name: String,
    pub version: Option<String>,
    /// `protocol.version`, as text.
    pub protocol: Option<String>,
    pub capability: Option<Capability>,
    pub access: Option<Access>,
    pub description: Option<String>,
    /// JSON text of the JSON Schema of the arguments.
    pub inputs: Option<Arc<str>>,
    /// JSON text of the JSON Schema of the result; `None` also for `{}`, which declares nothing.
    pub output: Option<Arc<str>>,
    pub source: SkillSource,
    /// The file that described it, inside the drop.
    pub file: String,
}
