//! Descriptors as A2A 1.0 agent cards: those of one address become one card.
//!
//! A card that descriptors came from (`x-a2a`) gives its own members back. A card has no schemas: where the inputs are not
//! one message, the skill takes `application/json` and the schema is lost, and told. Private skills are not on a card.
//! Source: A2A 1.0, sections 4.4 and 8. O(size of the descriptors).

use std::collections::{BTreeMap, BTreeSet};

use crate::json::{Val, quote};
use crate::skill::from::maker::{Obj, cut, host_of, list};

use super::mcp::{free, name_of};
use super::{Notes, kept};

/// A card and what got lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The address that its descriptors share.
    pub url: String,
    /// JSON text.
    pub text: String,
    /// Losses; `skill` is the index of the descriptor that was given.
    pub notes: Vec<crate::skill::from::Note>,
}

/// Writes descriptors as cards, one an address, in the order of their first skill.
pub fn to_a2a(descriptors: &[Val<'_>]) -> Vec<Card> {
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, d) in descriptors.iter().enumerate() {
        let url = d.path(&["endpoint", "url"]).and_then(Val::as_str).unwrap_or_default().into_owned();
        if !groups.contains_key(&url) {
            order.push(url.clone());
        }
        groups.entry(url).or_default().push(index);
    }
    order.into_iter().filter_map(|url| card(descriptors, groups.remove(&url)?, url)).collect()
}

fn card(descriptors: &[Val<'_>], members: Vec<usize>, url: String) -> Option<Card> {
    let mut notes = Notes::default();
    let mut schemes: Vec<(String, String)> = Vec::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut skills = Vec::new();
    let mut first = None;
    for index in members {
        let Some(d) = descriptors.get(index).copied() else { continue };
        let text = |key: &str| d.str(key).map(|s| s.into_owned()).unwrap_or_default();
        if text("access") == "private" {
            notes.add("private-left-out", index, "/access", &[("id", &text("id"))]);
            continue;
        }
        first.get_or_insert(d);
        let binding = d.path(&["endpoint", "binding"]).and_then(Val::as_str).unwrap_or("ssp".into());
        if binding != "a2a" {
            notes.add("endpoint-lost", index, "/endpoint/binding", &[("binding", &binding)]);
        }
        let wanted = name_of(&text("id"));
        let id = free(&wanted, &taken);
        if id != wanted {
            notes.add("id-taken", index, "/id", &[("from", &wanted), ("id", &id)]);
        }
        taken.insert(id.clone());
        let mut skill =
            Obj::default().str("id", &id).str("name", &text("name")).str("description", &text("description"));
        let tags: Vec<String> = d
            .get("tags")
            .map(Val::items)
            .into_iter()
            .flatten()
            .filter_map(Val::as_str)
            .map(|t| t.into_owned())
            .collect();
        if tags.is_empty() {
            notes.add("tags-made", index, "/tags", &[]);
            skill = skill.raw("tags", &list([text("capability_type").as_str()]));
        } else {
            skill = skill.raw("tags", &list(tags.iter().map(String::as_str)));
        }
        let told = takes_message(d);
        let examples: Vec<String> = d
            .get("examples")
            .map(Val::items)
            .into_iter()
            .flatten()
            .filter_map(|e| {
                let inputs = e.get("inputs")?;
                let message = inputs.str("message").filter(|_| told).map(|m| m.into_owned());
                Some(message.unwrap_or_else(|| inputs.raw().to_owned()))
            })
            .collect();
        if !examples.is_empty() {
            skill = skill.raw("examples", &list(examples.iter().map(String::as_str)));
        }
        let own = kept(d, "x-a2a").and_then(|x| x.get("skill")).filter(|s| s.is_object());
        if !told {
            notes.add("inputs-lost", index, "/inputs", &[]);
        }
        if d.get("output").is_some_and(|o| !o.is_empty()) {
            notes.add("output-lost", index, "/output", &[]);
        }
        const MADE: [&str; 8] = [
            "id",
            "name",
            "description",
            "tags",
            "examples",
            "security",
            "securityRequirements",
            "security_requirements",
        ];
        let mut modes = false;
        for (key, value) in own.map(Val::entries).into_iter().flatten() {
            if !MADE.contains(&key.as_ref()) {
                modes |= key == "inputModes";
                skill = skill.raw(&key, value.raw());
            }
        }
        if !told && !modes {
            skill = skill.raw("inputModes", &list(["application/json"]));
        }
        let mut needed = Vec::new();
        if let Some(auth) = d.get("auth") {
            requirement(auth, index, &mut schemes, &mut needed, &mut notes);
        }
        if !needed.is_empty() {
            let named: Vec<String> = needed.iter().map(|n| format!("{}:{{\"list\":[]}}", quote(n))).collect();
            skill = skill.raw("securityRequirements", &format!("[{{\"schemes\":{{{}}}}}]", named.join(",")));
        }
        const PLACED: [&str; 12] = [
            "id",
            "name",
            "description",
            "provider",
            "endpoint",
            "inputs",
            "output",
            "auth",
            "access",
            "tags",
            "examples",
            "x-a2a",
        ];
        const OF_CARD: [&str; 3] = ["version", "documentation_url", "capability_type"];
        notes.without_place(index, d, &[&PLACED[..], &OF_CARD[..]].concat());
        skills.push(skill.end());
    }
    let first = first?;
    Some(Card { text: head(first, &url, &schemes, &skills), url, notes: notes.0 })
}

/// Whether the inputs are one message, as an agent takes it.
fn takes_message(d: Val<'_>) -> bool {
    let properties = d.path(&["inputs", "properties"]);
    properties.is_some_and(|p| p.len() == 1 && p.path(&["message", "type"]).is_some_and(|t| t.is("string")))
}

fn head(first: Val<'_>, url: &str, schemes: &[(String, String)], skills: &[String]) -> String {
    let card = kept(first, "x-a2a").and_then(|x| x.get("card")).filter(|c| c.is_object());
    let of_card = |key: &str| card.and_then(|c| c.str(key)).map(|s| s.into_owned()).filter(|s| !s.trim().is_empty());
    let provider = first.path(&["provider", "name"]).and_then(Val::as_str).unwrap_or("unknown".into()).into_owned();
    let description = of_card("description").unwrap_or_else(|| format!("Skills of {provider}"));
    let object = |key: &str| card.and_then(|c| c.get(key)).filter(|v| v.is_object()).map(|v| v.raw().to_owned());
    let modes = |key: &str| {
        let kept = card.and_then(|c| c.get(key)).filter(|v| v.is_array() && !v.is_empty()).map(|v| v.raw().to_owned());
        kept.unwrap_or_else(|| list(["text/plain"]))
    };
    let binding = of_card("preferredTransport").unwrap_or_else(|| "JSONRPC".to_owned());
    let interface = Obj::default().str("url", url).str("protocolBinding", &binding).str("protocolVersion", "1.0").end();
    let interfaces = card.and_then(|c| c.get("supportedInterfaces")).filter(|i| i.is_array() && !i.is_empty());
    let provider_url = first.path(&["provider", "url"]).and_then(Val::as_str).map(|u| u.into_owned());
    let mut out = Obj::default()
        .str("name", &of_card("name").unwrap_or_else(|| provider.clone()))
        .str("description", &description)
        .raw("supportedInterfaces", &interfaces.map_or_else(|| format!("[{interface}]"), |i| i.raw().to_owned()));
    let host = host_of(url).map(|h| format!("https://{h}"));
    if let Some(home) = provider_url.or(host) {
        let provider = Obj::default().str("organization", &provider).str("url", &home).end();
        out = out.raw("provider", &provider);
    }
    let documentation = first.str("documentation_url").map(|u| u.into_owned());
    out = out
        .str("version", &first.str("version").unwrap_or("0.0.0".into()))
        .some("documentationUrl", documentation.as_deref())
        .raw("capabilities", &object("capabilities").unwrap_or_else(|| "{}".to_owned()));
    if !schemes.is_empty() {
        let mut all = Obj::default();
        for (name, scheme) in schemes {
            all = all.raw(name, scheme);
        }
        out = out.raw("securitySchemes", &all.end());
    }
    let input_modes = modes("defaultInputModes");
    let output_modes = modes("defaultOutputModes");
    out = out.raw("defaultInputModes", &input_modes).raw("defaultOutputModes", &output_modes);
    // What else a card said of itself; its older address and marks of its older version are no part of this one.
    const MADE: [&str; 19] = [
        "name",
        "description",
        "supportedInterfaces",
        "supported_interfaces",
        "provider",
        "version",
        "documentationUrl",
        "capabilities",
        "securityRequirements",
        "security_requirements",
        "security",
        "authentication",
        "defaultInputModes",
        "defaultOutputModes",
        "url",
        "protocolVersion",
        "preferredTransport",
        "additionalInterfaces",
        "supportsAuthenticatedExtendedCard",
    ];
    for (key, value) in card.map(Val::entries).into_iter().flatten().filter(|(k, _)| !MADE.contains(&k.as_ref())) {
        out = out.raw(&key, value.raw());
    }
    out.raw("skills", &format!("[{}]", skills.join(","))).end()
}

/// Adds the schemes that an `auth` asks for; their names go into `needed`.
fn requirement(
    auth: Val<'_>,
    index: usize,
    schemes: &mut Vec<(String, String)>,
    needed: &mut Vec<String>,
    notes: &mut Notes,
) {
    let text = |val: Val<'_>, key: &str| val.str(key).map(|s| s.into_owned()).unwrap_or_default();
    let kind = text(auth, "type");
    let word = text(auth, "scheme");
    if kind == "none" {
        return;
    }
    if kind == "custom" && word == "composite" {
        for part in auth.path(&["params", "all_of"]).map(Val::items).into_iter().flatten() {
            // A composite of composites does not exist; one that a file holds all the same ends here.
            if !part.get("scheme").is_some_and(|s| s.is("composite")) {
                requirement(part, index, schemes, needed, notes);
            }
        }
        return;
    }
    let scheme = match kind.as_str() {
        "api_key" => {
            let inner = Obj::default().str("location", &text(auth, "in")).str("name", &text(auth, "name"));
            Some(("apiKey", Obj::default().raw("apiKeySecurityScheme", &inner.end())))
        }
        "oauth2" => {
            let grant = auth.get("grant_types").and_then(|g| g.items().next()).and_then(Val::as_str);
            let flow = match grant.as_deref() {
                Some("client_credentials") => "clientCredentials",
                Some("password") => "password",
                Some(g) if g.ends_with("device_code") => "deviceCode",
                _ => "authorizationCode",
            };
            let mut inner = Obj::default();
            if let Some(url) = auth.str("authorization_url") {
                inner = inner.str("authorizationUrl", &url);
            }
            inner = inner.str("tokenUrl", &text(auth, "token_url"));
            inner = inner.raw("scopes", auth.get("scopes").filter(|s| s.is_object()).map_or("{}", Val::raw));
            let mut scheme = Obj::default().raw("flows", &Obj::default().raw(flow, &inner.end()).end());
            if let Some(url) = auth.str("metadata_url") {
                scheme = scheme.str("oauth2MetadataUrl", &url);
            }
            Some(("oauth2", Obj::default().raw("oauth2SecurityScheme", &scheme.end())))
        }
        "custom" if word.starts_with("http-") => {
            let scheme = word.trim_start_matches("http-");
            let format = auth.path(&["params", "bearer_format"]).and_then(Val::as_str);
            let inner = Obj::default().str("scheme", scheme).some("bearerFormat", format.as_deref());
            Some(("http", Obj::default().raw("httpAuthSecurityScheme", &inner.end())))
        }
        "custom" if word == "openid-connect" => {
            let url = auth.path(&["params", "url"]).and_then(Val::as_str);
            url.map(|url| {
                let inner = Obj::default().str("openIdConnectUrl", &url);
                ("openIdConnect", Obj::default().raw("openIdConnectSecurityScheme", &inner.end()))
            })
        }
        "custom" if word == "mtls" => Some(("mtls", Obj::default().raw("mtlsSecurityScheme", "{}"))),
        _ => None,
    };
    let Some((stem, scheme)) = scheme else {
        let scheme = if word.is_empty() { kind } else { word };
        notes.add("auth-lost", index, "/auth", &[("scheme", &cut(&scheme, 80))]);
        return;
    };
    let scheme = scheme.end();
    let known = schemes.iter().find(|(_, s)| *s == scheme).map(|(name, _)| name.clone());
    let name = known.unwrap_or_else(|| {
        let taken: BTreeSet<String> = schemes.iter().map(|(name, _)| name.clone()).collect();
        let name = free(stem, &taken);
        schemes.push((name.clone(), scheme));
        name
    });
    needed.push(name);
}
