//! What is wrong, where, and what to do: one shape for every check.
//! The sentence itself is in the message table, keyed by the rule, so that it exists in every language.

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

impl Severity {
    pub fn id(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A place in a dropped file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Place {
    /// Name of the file as it was dropped.
    pub file: String,
    /// From 1; `None` when the whole file is meant.
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// JSON pointer, inside the line for line formats.
    pub pointer: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// Id of a rule in [`RULES`].
    pub rule: String,
    pub severity: Severity,
    /// Index of the run in its document, and of the step in the run.
    pub run: Option<u32>,
    pub step: Option<u32>,
    pub place: Place,
    /// Values for the placeholders of the rule's sentence. Never more than a little of the file's text.
    pub args: Vec<(String, String)>,
    /// Further steps that belong to it.
    pub related: Vec<u32>,
}

/// A rule of the checks.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub id: &'static str,
    pub severity: Severity,
}

/// Looks a rule up.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.id == id)
}

/// Every rule, in the order of the docs page. The sentences are in `message`.
pub const RULES: &[Rule] = &[
    Rule { id: "call-unanswered", severity: Severity::Warning },
    Rule { id: "result-without-call", severity: Severity::Warning },
    Rule { id: "id-reused", severity: Severity::Warning },
    Rule { id: "args-not-json", severity: Severity::Warning },
    Rule { id: "time-backwards", severity: Severity::Info },
    Rule { id: "thought-empty", severity: Severity::Info },
    Rule { id: "schema", severity: Severity::Error },
    Rule { id: "schema-unchecked", severity: Severity::Info },
    Rule { id: "line-not-json", severity: Severity::Warning },
    Rule { id: "cut-off", severity: Severity::Warning },
    Rule { id: "unknown-record", severity: Severity::Info },
    Rule { id: "repaired", severity: Severity::Info },
    Rule { id: "subagent-missing", severity: Severity::Info },
    Rule { id: "totals-differ", severity: Severity::Info },
    Rule { id: "contract-undeclared", severity: Severity::Warning },
    Rule { id: "contract-misnamed", severity: Severity::Warning },
    Rule { id: "contract-missing", severity: Severity::Error },
    Rule { id: "contract-unknown", severity: Severity::Error },
    Rule { id: "contract-input", severity: Severity::Error },
    Rule { id: "contract-output", severity: Severity::Error },
    Rule { id: "contract-access", severity: Severity::Warning },
    Rule { id: "contract-protocol", severity: Severity::Error },
    Rule { id: "contract-argument", severity: Severity::Info },
    Rule { id: "contract-schema", severity: Severity::Warning },
    Rule { id: "contract-unchecked", severity: Severity::Info },
    Rule { id: "contract-unused", severity: Severity::Info },
];
