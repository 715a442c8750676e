//! What the page reads, for the home screen and the docs. Names beside `import::FORMATS`, so that the page does not
//! carry the importers; `tests/formats.rs` keeps the two in step. Which files are meant says the message
//! `format.<id>`.

/// A format as the home screen names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatLine {
    pub id: &'static str,
    /// Who writes it.
    pub label: &'static str,
}

/// Every format, the most common first.
pub const FORMATS: &[FormatLine] = &[
    FormatLine { id: "claude-code", label: "Claude Code" },
    FormatLine { id: "codex", label: "Codex" },
    FormatLine { id: "codex-exec", label: "Codex exec" },
    FormatLine { id: "atif", label: "ATIF" },
    FormatLine { id: "swe-agent", label: "SWE-agent" },
    FormatLine { id: "mini-swe-agent", label: "mini-swe-agent" },
    FormatLine { id: "openhands-v1", label: "OpenHands" },
    FormatLine { id: "openhands-v0", label: "OpenHands 0.x" },
    FormatLine { id: "openai-chat", label: "OpenAI chat messages" },
    FormatLine { id: "anthropic-messages", label: "Anthropic Messages" },
    FormatLine { id: "otlp", label: "OpenTelemetry" },
    FormatLine { id: "langfuse", label: "Langfuse" },
    FormatLine { id: "langsmith", label: "LangSmith" },
    FormatLine { id: "openai-agents", label: "OpenAI Agents SDK" },
    FormatLine { id: "langchain", label: "LangChain, LangGraph" },
    FormatLine { id: "openai-responses", label: "OpenAI Responses" },
    FormatLine { id: "pydantic-ai", label: "Pydantic-AI" },
    FormatLine { id: "gemini-cli", label: "Gemini CLI" },
    FormatLine { id: "opencode", label: "OpenCode" },
    FormatLine { id: "copilot-cli", label: "Copilot CLI" },
    FormatLine { id: "vscode-copilot", label: "VS Code Copilot" },
    FormatLine { id: "cursor", label: "Cursor" },
    FormatLine { id: "cline", label: "Cline, Roo Code" },
    FormatLine { id: "goose", label: "Goose" },
    FormatLine { id: "pi", label: "Pi" },
    FormatLine { id: "tau-bench", label: "tau-bench" },
    FormatLine { id: "autogen", label: "AutoGen, Magentic-One" },
    FormatLine { id: "crewai", label: "CrewAI" },
    FormatLine { id: "smolagents", label: "smolagents" },
    FormatLine { id: "browser-use", label: "browser-use" },
    FormatLine { id: "who-and-when", label: "Who&When" },
    FormatLine { id: "trail", label: "TRAIL" },
    FormatLine { id: "mast", label: "MAST" },
    FormatLine { id: "agentdojo", label: "AgentDojo" },
    FormatLine { id: "agent-reward-bench", label: "AgentRewardBench" },
    FormatLine { id: "malt", label: "METR MALT" },
    FormatLine { id: "agent-data-protocol", label: "Agent Data Protocol" },
    FormatLine { id: "tau2-bench", label: "tau2-bench" },
    FormatLine { id: "inspect", label: "Inspect" },
    FormatLine { id: "mcp", label: "MCP session log" },
    FormatLine { id: "har", label: "HAR with model requests" },
    FormatLine { id: "atof", label: "ATOF" },
    FormatLine { id: "grok-build", label: "Grok Build" },
    FormatLine { id: "gemini-api", label: "Gemini API recordings" },
    FormatLine { id: "osworld", label: "OSWorld" },
    FormatLine { id: "atbench", label: "ATBench" },
    FormatLine { id: "terminal-bench", label: "Terminal-Bench" },
    FormatLine { id: "aider", label: "Aider" },
    FormatLine { id: "markdown-transcript", label: "Markdown transcript" },
    FormatLine { id: "sharegpt", label: "ShareGPT, LLaMA-Factory" },
    FormatLine { id: "skillscope", label: "Skillscope" },
    FormatLine { id: "messages", label: "Any list of messages" },
];

/// Looks a format up.
pub fn format_line(id: &str) -> Option<&'static FormatLine> {
    FORMATS.iter().find(|f| f.id == id)
}
