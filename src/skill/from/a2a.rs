//! A2A agent cards, 0.2 to 1.0: one descriptor a skill.
//!
//! A card names one agent with several skills; a descriptor stands alone, so each carries the card's provider, address
//! and security. A2A knows no schemas: inputs become `{message}`. The card's other members stay under `x-a2a`, which makes
//! the way back possible. Security schemes come in two shapes: OpenAPI's until 0.3, one object a kind since 1.0.
//! Source: A2A specification 0.2.5, 0.3.0 and 1.0. O(skills · size of the card).

use crate::json::{Val, pointer_token};
use crate::model::{Access, Capability};

use super::maker::{Draft, Maker, NO_AUTH, Obj, Provider, authority_of, list, rest, slug, stem};
use super::openapi::{Scheme, auth_of};
use super::{Context, Converted, Neighbour, Refused, refused};

/// Members of a card that descriptors have a place for; the rest is kept.
const CARD: [&str; 3] = ["skills", "securitySchemes", "signatures"];
const SKILL: [&str; 5] = ["id", "name", "description", "tags", "examples"];

/// Whether an object is an agent card.
pub fn is_card(root: Val<'_>) -> bool {
    let marks = [
        "capabilities",
        "supportedInterfaces",
        "additionalInterfaces",
        "defaultInputModes",
        "default_input_modes",
        "protocolVersion",
        "preferredTransport",
        "supportsAuthenticatedExtendedCard",
    ];
    let listed = root.get("skills").is_some_and(Val::is_array);
    let known = marks.iter().filter(|m| root.has(m)).count();
    root.is_object()
        && root.get("name").is_some_and(Val::is_string)
        && ((listed && (known >= 1 || root.has("url"))) || (known >= 2 && root.has("url")))
}

/// A member by its name of 1.0, or the older spelling.
fn either<'a>(val: Val<'a>, camel: &str, snake: &str) -> Option<Val<'a>> {
    val.some(camel).or_else(|| val.some(snake))
}

pub fn convert(root: Val<'_>, context: &Context) -> Result<Converted, Refused> {
    let interfaces = either(root, "supportedInterfaces", "supported_interfaces").filter(|i| !i.is_empty());
    let first = interfaces.and_then(|i| i.items().next());
    let stated = first.and_then(|i| either(i, "protocolVersion", "protocol_version")).or(root.some("protocolVersion"));
    let version = stated.and_then(Val::as_str).map(|v| v.into_owned());
    let skills = root.get("skills").filter(|s| s.items().any(Val::is_object));
    let Some(skills) = skills else {
        let name = root.str("name").unwrap_or_default();
        return refused(Neighbour::A2aCard, "no-skills", &[("name", super::maker::cut(&name, 120))]);
    };
    let mut maker = Maker::new(Neighbour::A2aCard, version.clone());
    maker.note("by-kind", true, "", &[("capability", "task")]);
    if !version.as_deref().is_some_and(|v| v.starts_with("1.")) && interfaces.is_none() {
        maker.note("older-version", true, "/protocolVersion", &[("version", version.as_deref().unwrap_or("–"))]);
    }
    let url = first.and_then(|i| i.str("url")).or_else(|| root.str("url")).map(|u| u.trim().to_owned());
    let further = interfaces.map_or(0, |i| i.len().saturating_sub(1))
        + root.get("additionalInterfaces").map_or(0, |i| i.items().filter(|i| i.str("url") != root.str("url")).count());
    if further > 0 {
        let at = if interfaces.is_some() { "/supportedInterfaces" } else { "/additionalInterfaces" };
        maker.note("interfaces", true, at, &[("n", &further.to_string())]);
    }
    let extended = root.bool("supportsAuthenticatedExtendedCard") == Some(true)
        || root.path(&["capabilities", "extendedAgentCard"]).and_then(Val::as_bool) == Some(true);
    if extended {
        maker.note("extended-card", true, "", &[]);
    }
    let card_name = root.str("name").map(|n| n.into_owned());
    let space = url.as_deref().and_then(authority_of).unwrap_or_else(|| {
        let made = card_name.as_deref().map(slug).filter(|s| !s.is_empty()).unwrap_or_else(|| stem(context));
        maker.note("namespace", true, "/name", &[("namespace", &made)]);
        made
    });
    let provider = root.some("provider");
    let provider = Provider {
        name: provider.and_then(|p| p.str("organization").or_else(|| p.str("name"))).map(|n| n.into_owned()),
        url: provider.and_then(|p| p.str("url")).map(|u| u.into_owned()),
        contact: provider.and_then(|p| p.str("contact")).map(|u| u.into_owned()),
    };
    let kept = rest(root, &CARD);
    for (index, skill) in skills.items().enumerate() {
        let at = format!("/skills/{index}");
        if !skill.is_object() {
            maker.skip("not-an-object", &at, &[]);
            continue;
        }
        let local = skill.str("id").or_else(|| skill.str("name")).unwrap_or_default();
        if !skill.get("id").is_some_and(Val::is_string) {
            maker.note("id-made", false, &format!("{at}/id"), &[("id", &local)]);
        }
        let mut draft = Draft::new(at.clone(), &local, Capability::Task, "a2a");
        draft.namespace = space.clone();
        draft.name = skill.str("name").map(|n| n.into_owned());
        draft.version = root.str("version").map(|v| v.into_owned());
        let description = skill.str("description").filter(|d| !d.trim().is_empty());
        draft.description = description.or_else(|| root.str("description")).map(|d| d.into_owned());
        draft.provider = provider.clone();
        // A skill may name an address of its own, against the specification.
        let own = ["endpoint", "url"].iter().find_map(|k| skill.str(k)).map(|u| u.into_owned());
        draft.url = own.filter(|u| crate::skill::text::Rule::Uri.holds(u)).or_else(|| url.clone());
        maker.note("inputs-synthetic", false, &at, &[]);
        let message = r#"{"type":"object","properties":{"message":{"type":"string","description":"What the agent is told or asked, as the text part of an A2A message."}},"required":["message"]}"#;
        draft.inputs = Some(message.to_owned());
        (draft.auth, draft.access) = security(root, skill, &mut maker, &at);
        tags(skill, &mut draft);
        examples(skill, &mut draft);
        if let Some(url) = root.str("documentationUrl").filter(|u| crate::skill::text::Rule::Uri.holds(u)) {
            draft.more("documentation_url", Some(crate::json::quote(&url)));
        }
        let extra = Obj::default();
        let extra = match &kept {
            Some(card) => extra.raw("card", card),
            None => extra,
        };
        let extra = match rest(skill, &SKILL) {
            Some(skill) => extra.raw("skill", &skill),
            None => extra,
        };
        draft.more("x-a2a", extra.filled());
        maker.add(draft);
    }
    if root.get("signatures").is_some_and(|s| !s.is_empty()) {
        // A signature is over the card's bytes; over a descriptor it says nothing.
        maker.note("field", true, "/signatures", &[("field", "signatures")]);
    }
    maker.end()
}

fn tags(skill: Val<'_>, draft: &mut Draft) {
    let mut tags: Vec<String> = Vec::new();
    for tag in skill.get("tags").map(Val::items).into_iter().flatten().filter_map(Val::as_str) {
        if !tag.is_empty() && !tags.iter().any(|t| *t == tag) && tags.len() < 200 {
            tags.push(tag.into_owned());
        }
    }
    if !tags.is_empty() {
        draft.more("tags", Some(list(tags.iter().map(String::as_str))));
    }
}

/// The messages that a card shows as examples are inputs of its skill.
fn examples(skill: Val<'_>, draft: &mut Draft) {
    let examples: Vec<String> = skill
        .get("examples")
        .map(Val::items)
        .into_iter()
        .flatten()
        .filter_map(Val::as_str)
        .take(100)
        .map(|text| Obj::default().raw("inputs", &Obj::default().str("message", &text).end()).end())
        .collect();
    if !examples.is_empty() {
        draft.more("examples", Some(format!("[{}]", examples.join(","))));
    }
}

/// What a skill asks of its callers: its own requirements, else the card's.
fn security(card: Val<'_>, skill: Val<'_>, maker: &mut Maker, at: &str) -> (String, Access) {
    let required = ["securityRequirements", "security_requirements", "security"];
    let found = |val: Val<'_>| required.iter().any(|k| val.some(k).is_some_and(|l| l.is_array() && !l.is_empty()));
    let (holder, place) = if found(skill) { (skill, at) } else { (card, "") };
    let Some((key, list)) = required.iter().find_map(|k| Some((*k, holder.some(k).filter(|l| !l.is_empty())?))) else {
        return older(card, maker);
    };
    let schemes = either(card, "securitySchemes", "security_schemes");
    // Since 1.0 `{"schemes": {"name": {"list": […]}}}`, before `{"name": […]}`.
    let names = |option: Val<'_>| -> Vec<String> {
        let option = option.some("schemes").unwrap_or(option);
        option.entries().map(|(name, _)| name.into_owned()).collect()
    };
    let options: Vec<Vec<String>> = list.items().map(names).collect();
    let found = options.first().cloned().unwrap_or_default();
    if options.iter().any(Vec::is_empty) {
        return (NO_AUTH.to_owned(), Access::Public);
    }
    if options.len() > 1 {
        let n = (options.len() - 1).to_string();
        maker.note("auth-alternatives", false, &format!("{place}/{key}"), &[("n", &n)]);
    }
    let resolve = |name: &String| scheme(name, schemes.and_then(|s| s.get(name)));
    let parts: Vec<Scheme> = found.iter().map(resolve).collect();
    for part in parts.iter().filter(|p| !p.known) {
        maker.note(
            "scheme-unknown",
            false,
            &format!("/securitySchemes/{}", pointer_token(&part.name)),
            &[("name", &part.name)],
        );
    }
    (auth_of(&parts), Access::Restricted)
}

/// 0.2 has a list of words: `{"authentication": {"schemes": ["Bearer"]}}`.
fn older(card: Val<'_>, maker: &mut Maker) -> (String, Access) {
    let words: Vec<String> = card
        .path(&["authentication", "schemes"])
        .map(Val::items)
        .into_iter()
        .flatten()
        .filter_map(Val::as_str)
        .map(|w| w.trim().to_ascii_lowercase())
        .filter(|w| !w.is_empty())
        .collect();
    let Some(word) = words.first().filter(|w| !["none", "public"].contains(&w.as_str())) else {
        return (NO_AUTH.to_owned(), Access::Public);
    };
    if words.len() > 1 {
        let n = (words.len() - 1).to_string();
        maker.note("auth-alternatives", false, "/authentication/schemes", &[("n", &n)]);
    }
    let auth = Obj::default().str("type", "custom").str("scheme", &format!("http-{}", slug(word))).end();
    (auth, Access::Restricted)
}

/// A security scheme in either shape.
fn scheme(name: &str, val: Option<Val<'_>>) -> Scheme {
    let Some(val) = val else { return Scheme::unknown(name) };
    const KINDS: [(&str, &str, &str); 5] = [
        ("apiKeySecurityScheme", "api_key_security_scheme", "apiKey"),
        ("oauth2SecurityScheme", "oauth2_security_scheme", "oauth2"),
        ("httpAuthSecurityScheme", "http_auth_security_scheme", "http"),
        ("openIdConnectSecurityScheme", "open_id_connect_security_scheme", "openIdConnect"),
        ("mtlsSecurityScheme", "mtls_security_scheme", "mutualTLS"),
    ];
    let inner = KINDS.iter().find_map(|(camel, snake, kind)| Some((*kind, either(val, camel, snake)?)));
    match inner {
        Some((kind, inner)) => Scheme::read(name, kind, inner),
        None => Scheme::read(name, &val.str("type").unwrap_or_default(), val),
    }
}
