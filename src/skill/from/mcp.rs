//! MCP: a `tools/list` answer, a list of tools or one tool, with the `server.json` beside it when there is one.
//!
//! A list of tools does not say whose it is: name, version and address come from the server's own description. A remote
//! server is where its first remote is; a local one is its package, as a package URL. Schemas are taken as they stand.
//! Sources: MCP 2024-11-05 to 2026-07-28, server.json 2025-07 to 2025-12-11. O(size of the list).

use crate::json::Val;
use crate::model::{Access, Capability};

use super::maker::{Draft, Maker, NO_AUTH, Obj, Provider, cut, rest, stem};
use super::tools::items;
use super::{Context, Converted, Neighbour, Refused};

/// The server that a list of tools belongs to, by its `server.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    pub name: String,
    pub version: Option<String>,
    /// Address of the first remote, else the package URL of the first package.
    pub url: Option<String>,
    pub provider_url: Option<String>,
    /// JSON text of `auth`.
    pub auth: Option<String>,
    /// What was left out or put in: code, pointer in `server.json`, a value.
    pub notes: Vec<(&'static str, String, String)>,
}

/// Whether an object describes an MCP server.
pub fn is_server(root: Val<'_>) -> bool {
    let schema = root.str("$schema").is_some_and(|s| s.contains("server.schema.json"));
    let listed = |key: &str| root.get(key).is_some_and(Val::is_array);
    let name = root.str("name").is_some_and(|n| n.contains('/'));
    root.is_object() && (schema || (name && (listed("packages") || listed("remotes"))))
}

/// Reads a `server.json`.
pub fn server_of(root: Val<'_>) -> Server {
    let mut out = Server { name: root.str("name").unwrap_or_default().into_owned(), ..Server::default() };
    let older = root.path(&["version_detail", "version"]).and_then(Val::as_str);
    out.version = root.str("version").or(older).map(|v| v.into_owned());
    out.provider_url = root.path(&["repository", "url"]).and_then(Val::as_str).map(|u| u.into_owned());
    let remotes: Vec<Val<'_>> = root.get("remotes").map(Val::items).into_iter().flatten().collect();
    let packages: Vec<Val<'_>> = root.get("packages").map(Val::items).into_iter().flatten().collect();
    if remotes.len() > 1 {
        out.notes.push(("interfaces", "/remotes".into(), (remotes.len() - 1).to_string()));
    }
    let from = usize::from(remotes.is_empty());
    if packages.len() > from {
        out.notes.push(("packages", "/packages".into(), (packages.len() - from).to_string()));
    }
    if let Some(remote) = remotes.first() {
        out.url = remote.str("url").map(|url| with_defaults(&url, *remote, &mut out.notes));
        out.auth = remote.get("headers").and_then(secret);
    } else if let Some(package) = packages.first() {
        out.url = package_url(*package);
    }
    out
}

/// An address with the defaults of its variables.
fn with_defaults(url: &str, remote: Val<'_>, notes: &mut Vec<(&'static str, String, String)>) -> String {
    let mut out = url.to_owned();
    for (name, variable) in remote.get("variables").map(Val::entries).into_iter().flatten() {
        let hole = format!("{{{name}}}");
        if let Some(value) = variable.str("default").filter(|_| out.contains(&hole)) {
            out = out.replace(&hole, &value);
        }
    }
    if out != url {
        notes.push(("endpoint-variables", "/remotes/0/url".into(), out.clone()));
    }
    out
}

/// A header that carries a secret.
fn secret(headers: Val<'_>) -> Option<String> {
    let header = headers.items().find(|h| h.bool("isSecret") == Some(true) || h.bool("is_secret") == Some(true))?;
    let name = header.str("name").filter(|n| !n.trim().is_empty())?;
    // `Bearer {token}` says what stands before the key.
    let prefix = header.str("value").and_then(|v| v.split_once('{').map(|(before, _)| before.to_owned()));
    let auth = Obj::default().str("type", "api_key").str("in", "header").str("name", &cut(&name, 256));
    Some(auth.some("prefix", prefix.as_deref().filter(|p| !p.is_empty() && p.len() <= 40)).end())
}

/// The package URL of a package: `pkg:npm/%40scope/name@1.0.0`.
fn package_url(package: Val<'_>) -> Option<String> {
    let kind = ["registryType", "registry_type", "registry_name"].iter().find_map(|k| package.str(k))?;
    let name = package.str("identifier").or_else(|| package.str("name"))?;
    let kind = match kind.as_ref() {
        "npm" => "npm",
        "pypi" => "pypi",
        "nuget" => "nuget",
        "cargo" => "cargo",
        "oci" | "docker" => "oci",
        _ => return None,
    };
    let version = package.str("version").filter(|v| !v.trim().is_empty());
    let name = name.replace('@', "%40").replace(' ', "");
    Some(match version {
        Some(version) => format!("pkg:{kind}/{name}@{version}"),
        None => format!("pkg:{kind}/{name}"),
    })
}

pub fn convert(root: Val<'_>, context: &Context) -> Result<Converted, Refused> {
    let mut maker = Maker::new(Neighbour::McpTools, None);
    maker.note("by-kind", true, "", &[("capability", "plugin")]);
    let server = context.server.clone().unwrap_or_default();
    for (code, pointer, value) in &server.notes {
        maker.note(code, true, pointer, &[("n", value), ("url", value)]);
    }
    let space = if server.name.trim().is_empty() {
        let made = stem(context);
        maker.note("namespace", true, "", &[("namespace", &made)]);
        made
    } else {
        server.name.clone()
    };
    let result = root.some("result").unwrap_or(root);
    if result.some("nextCursor").is_some() {
        let at = if root.has("result") { "/result/nextCursor" } else { "/nextCursor" };
        maker.note("more-pages", true, at, &[]);
    }
    for (at, tool) in items(root) {
        let Some(name) = tool.str("name").filter(|n| !n.trim().is_empty()) else {
            maker.skip("no-name", &at, &[]);
            continue;
        };
        let mut draft = Draft::new(at.clone(), &name, Capability::Plugin, "mcp");
        draft.namespace = space.clone();
        let hints = tool.some("annotations");
        // The order that MCP gives for a display name.
        let title = tool.str("title").or_else(|| hints.and_then(|h| h.str("title"))).filter(|t| !t.trim().is_empty());
        let called = name.clone().into_owned();
        draft.name = Some(title.unwrap_or(name).into_owned());
        draft.version.clone_from(&server.version);
        draft.description = tool.str("description").map(|d| d.into_owned());
        draft.provider = Provider {
            name: Some(server.name.clone()).filter(|n| !n.is_empty()),
            url: server.provider_url.clone(),
            contact: None,
        };
        draft.url.clone_from(&server.url);
        draft.inputs = tool.some("inputSchema").map(|s| s.raw().to_owned());
        draft.output = tool.some("outputSchema").filter(|s| !s.is_empty()).map(|s| s.raw().to_owned());
        if let Some(auth) = &server.auth {
            draft.auth.clone_from(auth);
            draft.access = Access::Restricted;
        } else {
            draft.auth = NO_AUTH.to_owned();
        }
        if let Some(hints) = hints {
            let annotations = Obj::default()
                .bool("read_only", hints.bool("readOnlyHint"))
                .bool("destructive", hints.bool("destructiveHint"))
                .bool("idempotent", hints.bool("idempotentHint"))
                .bool("open_world", hints.bool("openWorldHint"));
            draft.more("annotations", annotations.filled());
        }
        // The name that a call uses, beside what has no place of its own.
        const KNOWN: [&str; 6] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
        const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        let mut kept = Obj::default().str("name", &called);
        if let Some(hints) = hints.and_then(|h| rest(h, &HINTS)) {
            kept = kept.raw("annotations", &hints);
        }
        if let Some(members) = rest(tool, &KNOWN) {
            kept = kept.raw("tool", &members);
        }
        draft.more("x-mcp", Some(kept.end()));
        maker.add(draft);
    }
    maker.end()
}
