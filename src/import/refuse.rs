//! Files that are no runs, and what to drop instead. Each refusal is a sentence of the message table, `refused.<id>`.

use super::Sample;
use crate::json::Val;

/// Containers that are refused by their first bytes.
pub fn by_bytes(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 7] = [
        (b"PAR1", "parquet"),
        (b"SQLite format 3\0", "sqlite"),
        (b"\x28\xB5\x2F\xFD", "zstd"),
        (b"\x80\x04\x95", "pickle"),
        (b"\x89PNG\r\n", "picture"),
        (b"\xFF\xD8\xFF", "picture"),
        (b"%PDF-", "pdf"),
    ];
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, id)| *id)
}

/// JSON files of known kinds that hold no steps.
pub fn by_content(sample: &Sample<'_>) -> Option<&'static str> {
    let first = sample.first()?;
    let has = |v: Val<'_>, keys: &[&str]| keys.iter().all(|k| v.has(k));
    let records = sample.object().is_none();
    if records && has(first, &["instance_id", "model_patch"]) && !first.has("history") && !first.has("trajectory") {
        return Some("swe-bench-predictions");
    }
    if let Some(root) = sample.object() {
        if root.get("mcpServers").is_some_and(Val::is_object) {
            return Some("mcp-config");
        }
        let steps = ["messages", "steps", "events", "trajectory", "history"].iter().any(|k| root.has(k));
        if root.str("schema").is_some_and(|s| s.contains("config")) && has(root, &["agents", "tools"]) && !steps {
            return Some("tool-config");
        }
        let tools = root.path(&["result", "tools"]).or_else(|| root.get("tools"));
        if tools.is_some_and(|t| t.items().next().is_some_and(|t| t.has("inputSchema"))) {
            return Some("mcp-tools");
        }
        if has(root, &["sites", "task_id", "intent"]) || has(root, &["task_id", "intent", "eval"]) {
            return Some("webarena-task");
        }
        if root.has("agent") && root.has("execution_status") && !root.has("events") && !root.has("steps") {
            return Some("openhands-state");
        }
        if has(root, &["timestamp", "info", "tasks"])
            && root.path(&["info", "agent_info"]).is_some()
            && !root.has("simulations")
        {
            return Some("tau2-index");
        }
        let sessions = root.get("sessions").and_then(|s| s.items().next());
        if root.has("cursor") && sessions.is_some_and(|s| s.has("message_count") && !s.has("messages")) {
            return Some("session-list");
        }
        if root.values_are(|v| has(v, &["instance_id", "model_patch"])) {
            return Some("swe-bench-predictions");
        }
    }
    if records && first.has("description") && (first.has("evaluation") || first.has("create") || first.has("start")) {
        return Some("agentbench-task");
    }
    if has(first, &["protocol", "capability_type"]) {
        return Some("skill");
    }
    None
}
