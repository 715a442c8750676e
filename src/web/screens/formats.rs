//! What the page reads: the formats of runs, as the engine detects them. A test keeps the list in step with its table.

use leptos::prelude::*;

use crate::message::M;
use crate::web::state::settings::t;

/// A format as the page names it.
pub struct Format {
    /// The engine's id.
    pub id: &'static str,
    pub label: &'static str,
    pub files: &'static str,
    /// Whether the first page lists it.
    pub home: bool,
}

const fn format(id: &'static str, label: &'static str, files: &'static str, home: bool) -> Format {
    Format { id, label, files, home }
}

/// Formats of runs.
pub const RUNS: &[Format] = &[
    format("claude-code", "Claude Code", "sessions with sub-agents, stream-json", true),
    format("codex", "Codex", "rollout, exec --json", true),
    format("atif", "ATIF", "1.0 to 1.8", true),
    format("swe-agent", "SWE-agent", ".traj", true),
    format("mini-swe-agent", "mini-swe-agent", ".traj.json", true),
    format("openhands", "OpenHands", "v0 arrays and output.jsonl, v1 events", true),
    format("openai", "OpenAI", "chat messages, as an array, an object or JSON Lines", true),
    format("anthropic", "Anthropic", "Messages", true),
    format("skillscope", "Skillscope", "schemas/run.schema.json", false),
    format("generic", "Messages", "any array of objects with role and content", false),
];

/// The name of a format.
pub fn label(id: &str) -> &str {
    RUNS.iter().find(|f| f.id == id).map_or(id, |f| f.label)
}

#[component]
pub fn FormatsScreen() -> AnyView {
    let rows = RUNS
        .iter()
        .map(|f| view! { <tr><th scope="row" class="strong">{f.label}</th><td class="table-wide">{f.files}</td><td class="mono quiet">{f.id}</td></tr> })
        .collect_view();
    view! {
        <div class="page">
            <header class="page-head head"><div class="head-title"><h1 tabindex="-1">{t(M::FormatsTitle)}</h1></div><p class="verdict">{t(M::FormatsLead)}</p></header>
            <div class="page-body">
                <table class="table">
                    <caption class="unseen">{t(M::FormatsTitle)}</caption>
                    <thead><tr><th scope="col">{t(M::FormatsName)}</th><th scope="col">{t(M::FormatsFiles)}</th><th scope="col">"id"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </div>
    }
    .into_any()
}
