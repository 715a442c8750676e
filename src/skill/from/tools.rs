//! Tool definitions of model services and manuals of tools: OpenAI, Anthropic, UTCP. One descriptor a definition.
//!
//! A definition is what a model is shown: a name, a description and a schema. Who runs it, where and for whom it does not
//! say; a UTCP manual does. O(size of the list).

use crate::json::{Val, quote};
use crate::model::{Access, Capability};

use super::maker::{Draft, Maker, NO_AUTH, Obj, authority_of, rest, stem};
use super::{Context, Converted, Neighbour, Refused};

/// Which list of tools a value is: the list itself, `{"tools": […]}`, a JSON-RPC answer, or a single definition.
pub fn flavour(root: Val<'_>) -> Option<Neighbour> {
    let utcp = root.has("utcp_version") || root.has("manual_version");
    let first = items(root).first().map(|(_, tool)| *tool)?;
    if first.has("tool_call_template") || first.has("tool_provider") || (utcp && first.has("name")) {
        return Some(Neighbour::Utcp);
    }
    let text = |key: &str| first.get(key).is_some_and(Val::is_string);
    if first.get("function").is_some_and(|f| f.is_object() && f.get("name").is_some_and(Val::is_string)) {
        return Some(Neighbour::OpenAiTools);
    }
    if !text("name") || first.has("role") || first.has("arguments") {
        return None;
    }
    if first.get("inputSchema").is_some_and(Val::is_object) {
        return Some(Neighbour::McpTools);
    }
    if first.get("input_schema").is_some_and(Val::is_object) {
        return Some(Neighbour::AnthropicTools);
    }
    let function = first.get("type").is_none_or(|t| t.is("function"));
    (function && first.get("parameters").is_some_and(Val::is_object)).then_some(Neighbour::OpenAiTools)
}

/// The definitions of a list with their pointers.
pub fn items(root: Val<'_>) -> Vec<(String, Val<'_>)> {
    let places = ["/result/tools", "/tools", "/functions"];
    let found = places.iter().find_map(|p| Some((*p, root.at(p).filter(|l| l.is_array())?)));
    let (place, list) = match found {
        Some(found) => found,
        None if root.is_array() => ("", root),
        None if root.is_object() => return vec![(String::new(), root)],
        None => return Vec::new(),
    };
    list.items().enumerate().map(|(i, tool)| (format!("{place}/{i}"), tool)).collect()
}

pub fn convert(neighbour: Neighbour, root: Val<'_>, context: &Context) -> Result<Converted, Refused> {
    let version = if neighbour == Neighbour::Utcp { root.str("utcp_version").map(|v| v.into_owned()) } else { None };
    let mut maker = Maker::new(neighbour, version);
    maker.note("by-kind", true, "", &[("capability", "plugin")]);
    let space = stem(context);
    maker.note("namespace", true, "", &[("namespace", &space)]);
    for (at, tool) in items(root) {
        if !tool.is_object() {
            maker.skip("not-an-object", &at, &[]);
            continue;
        }
        if neighbour == Neighbour::Utcp {
            utcp(root, tool, at, &space, &mut maker)
        } else {
            definition(tool, at, &space, &mut maker)
        }
    }
    maker.end()
}

fn definition(tool: Val<'_>, at: String, space: &str, maker: &mut Maker) {
    let (inner, inside) = match tool.get("function").filter(|f| f.is_object()) {
        Some(function) => (function, "/function"),
        None => (tool, ""),
    };
    let Some(name) = inner.str("name").filter(|n| !n.trim().is_empty()) else {
        // Tools of the service itself have a type and no name.
        let kind = tool.str("type").unwrap_or("–".into());
        return maker.skip("service-tool", &at, &[("type", &kind)]);
    };
    let mut draft = Draft::new(at.clone(), &name, Capability::Plugin, "function");
    draft.namespace = space.to_owned();
    draft.name = Some(name.clone().into_owned());
    draft.description = inner.str("description").map(|d| d.into_owned());
    let schema = ["parameters", "input_schema"].iter().find_map(|k| inner.some(k));
    draft.inputs = schema.map(|s| s.raw().to_owned());
    draft.output = ["output_schema", "outputSchema"].iter().find_map(|k| inner.some(k)).map(|s| s.raw().to_owned());
    const KNOWN: [&str; 7] =
        ["name", "description", "parameters", "input_schema", "output_schema", "outputSchema", "function"];
    let mut extra = Obj::default();
    for (key, value) in tool.entries().chain(inner.entries().filter(|_| !inside.is_empty())) {
        let plain = key == "type" && value.is("function");
        if !KNOWN.contains(&key.as_ref()) && !plain && !value.is_null() {
            extra = extra.raw(&key, value.raw());
        }
    }
    draft.more("x-tool", extra.filled());
    maker.add(draft);
}

fn utcp(root: Val<'_>, tool: Val<'_>, at: String, space: &str, maker: &mut Maker) {
    let Some(name) = tool.str("name").filter(|n| !n.trim().is_empty()) else {
        return maker.skip("no-name", &at, &[]);
    };
    let template = tool.some("tool_call_template").or_else(|| tool.some("tool_provider"));
    let text = |key: &str| template.and_then(|t| t.str(key)).map(|s| s.into_owned());
    let url = text("url").or_else(|| text("base_url"));
    let kind = text("call_template_type").or_else(|| text("provider_type")).unwrap_or_default();
    let capability = if kind == "http" { Capability::Api } else { Capability::Plugin };
    let mut draft = Draft::new(at.clone(), &name, capability, if kind == "http" { "http" } else { "utcp" });
    draft.namespace = url.as_deref().and_then(authority_of).unwrap_or_else(|| space.to_owned());
    draft.name = Some(name.into_owned());
    draft.description = tool.str("description").map(|d| d.into_owned());
    draft.version = root.str("manual_version").or_else(|| root.str("version")).map(|v| v.into_owned());
    if let Some(method) = text("http_method") {
        draft.method = super::openapi::method(&method);
    }
    draft.url = url;
    draft.inputs = tool.some("inputs").map(|s| s.raw().to_owned());
    draft.output = tool.some("outputs").filter(|s| !s.is_empty()).map(|s| s.raw().to_owned());
    let auth = template.and_then(|t| t.some("auth"));
    (draft.auth, draft.access) = match auth {
        Some(auth) => (utcp_auth(auth), Access::Restricted),
        None => (NO_AUTH.to_owned(), Access::Public),
    };
    if let Some(tags) = tool.some("tags").filter(|t| t.is_array()) {
        let mut words: Vec<String> = tags.items().filter_map(Val::as_str).map(|t| t.into_owned()).collect();
        words.retain(|w| !w.is_empty());
        words.sort();
        words.dedup();
        draft.more("tags", Some(super::maker::list(words.iter().map(String::as_str))));
    }
    let template = template.map(|t| t.raw().to_owned());
    let extra =
        rest(tool, &["name", "description", "inputs", "outputs", "tags", "tool_call_template", "tool_provider"]);
    let kept = match template {
        Some(raw) => Obj::default().raw("tool_call_template", &raw),
        None => Obj::default(),
    };
    let kept = match extra {
        Some(raw) => kept.raw("tool", &raw),
        None => kept,
    };
    draft.more("x-utcp", kept.filled());
    maker.add(draft);
}

/// UTCP writes the key itself, as a variable such as `$API_KEY`: where it goes is told, what it is stays away.
fn utcp_auth(auth: Val<'_>) -> String {
    match auth.str("auth_type").unwrap_or_default().as_ref() {
        "api_key" => {
            let place = auth.str("location").filter(|l| ["header", "query", "cookie"].contains(&l.as_ref()));
            let name = auth.str("var_name").filter(|n| !n.trim().is_empty()).unwrap_or("X-Api-Key".into());
            let place = place.unwrap_or("header".into());
            Obj::default().str("type", "api_key").str("in", &place).str("name", &super::maker::cut(&name, 256)).end()
        }
        "oauth2" => match auth.str("token_url").filter(|u| crate::skill::text::Rule::Uri.holds(u)) {
            Some(url) => format!(r#"{{"type":"oauth2","token_url":{}}}"#, quote(&url)),
            None => r#"{"type":"custom","scheme":"oauth2"}"#.to_owned(),
        },
        "basic" => r#"{"type":"custom","scheme":"http-basic"}"#.to_owned(),
        _ => r#"{"type":"custom","scheme":"unknown"}"#.to_owned(),
    }
}
