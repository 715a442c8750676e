//! OpenAPI 3.0 and 3.1 (and 3.2 as far as it is the same): one descriptor an operation.
//!
//! Parameters and body become one object of inputs, each parameter under its name, the body under `body`; where each goes
//! is kept in `x-openapi`. Schemas that are referred to come along under `$defs` ([`super::openapi_schema`]). The output is
//! that of the first 2xx answer in JSON. Of several ways to authenticate the first is taken. Webhooks and callbacks are
//! calls that the provider makes, no skills of it. 2.0 is refused with the command that converts it.
//! Source: OpenAPI Specification 3.0.4 and 3.1.1. O(operations · schemas they refer to), bounded by the maker.

use std::collections::BTreeSet;

use crate::json::{Val, pointer_token, quote};
use crate::model::{Access, Capability};
use crate::skill::text::Rule;

use super::maker::{Draft, Maker, NO_AUTH, Obj, Provider, authority_of, cut, list, slug};
use super::openapi_schema::Bundle;
use super::{Context, Converted, Neighbour, Refused, refused};

/// The methods of an operation, in the order of the specification.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// The method as a descriptor writes it; `None` for one that it has no word for.
pub fn method(word: &str) -> Option<&'static str> {
    ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().find(|m| m.eq_ignore_ascii_case(word))
}

pub fn convert(root: Val<'_>, context: &Context) -> Result<Converted, Refused> {
    let version = root.get("openapi").map(|v| v.text().into_owned());
    let Some(version) = version.filter(|v| v.starts_with("3.")) else {
        let stated = root.get("openapi").or_else(|| root.get("swagger")).map_or("–".into(), Val::text);
        return refused(Neighbour::OpenApi, "openapi-version", &[("version", cut(&stated, 20))]);
    };
    let mut maker = Maker::new(Neighbour::OpenApi, Some(version.clone()));
    maker.note("by-kind", true, "", &[("capability", "api")]);
    if let Some(hooks) = root.get("webhooks").filter(|w| !w.is_empty()) {
        maker.note("webhooks", true, "/webhooks", &[("n", &hooks.len().to_string())]);
    }
    let api = Api { root, old: version.starts_with("3.0"), context };
    let mut operations = 0;
    for (path, item) in root.get("paths").map(Val::entries).into_iter().flatten() {
        if !path.starts_with('/') {
            continue;
        }
        let place = format!("/paths/{}", pointer_token(&path));
        let (item, place) = match api.resolve(item) {
            Some((item, Some(at))) => (item, at),
            Some((item, None)) => (item, place),
            None => {
                maker.skip("reference", &place, &[("ref", &item.str("$ref").unwrap_or_default())]);
                continue;
            }
        };
        for word in METHODS {
            let Some(operation) = item.get(word).filter(|o| o.is_object()) else { continue };
            operations += 1;
            let at = format!("{place}/{word}");
            match method(word) {
                Some(method) => api.operation(&path, item, &place, method, operation, at, &mut maker),
                None => maker.skip("method", &at, &[("method", word)]),
            }
        }
    }
    if operations == 0 {
        return refused(Neighbour::OpenApi, "no-operations", &[]);
    }
    maker.end()
}

struct Api<'a> {
    root: Val<'a>,
    /// 3.0, whose schemas are a dialect of their own.
    old: bool,
    context: &'a Context,
}

impl<'a> Api<'a> {
    /// What a value refers to inside the file, with the pointer of the target; itself when it refers to nothing.
    fn resolve(&self, val: Val<'a>) -> Option<(Val<'a>, Option<String>)> {
        let mut val = val;
        let mut place = None;
        // References to references are short; a circle is none.
        for _ in 0..16 {
            let Some(reference) = val.get("$ref").and_then(Val::as_str) else { return Some((val, place)) };
            let pointer = reference.strip_prefix('#')?.to_owned();
            val = self.root.at(&super::openapi_schema::decoded(&pointer))?;
            place = Some(pointer);
        }
        None
    }

    #[allow(clippy::too_many_arguments)]
    fn operation(
        &self,
        path: &str,
        item: Val<'a>,
        place: &str,
        method: &'static str,
        operation: Val<'a>,
        at: String,
        maker: &mut Maker,
    ) {
        let info = self.root.get("info");
        let says = |key: &str| info.and_then(|i| i.str(key)).map(|s| s.into_owned());
        let text = |key: &str| operation.str(key).map(|s| s.into_owned()).filter(|s| !s.trim().is_empty());
        let made = format!("{}:{path}", method.to_ascii_lowercase());
        let local = text("operationId").unwrap_or_else(|| {
            maker.note("id-made", false, &format!("{at}/operationId"), &[("id", &made)]);
            made.clone()
        });
        let mut draft = Draft::new(at.clone(), &local, Capability::Api, "http");
        draft.url = self.server(item, operation, &at, maker);
        draft.namespace = draft.url.as_deref().and_then(authority_of).unwrap_or_else(|| {
            let made = says("title").map(|t| slug(&t)).filter(|s| !s.is_empty());
            let made = made.unwrap_or_else(|| super::maker::stem(self.context));
            maker.note("namespace", false, "/info/title", &[("namespace", &made)]);
            made
        });
        draft.method = Some(method);
        draft.path = Some(path.to_owned());
        draft.name = text("summary").or_else(|| text("operationId")).or_else(|| Some(format!("{method} {path}")));
        draft.description = text("description")
            .or_else(|| text("summary"))
            .or_else(|| item.str("description").or_else(|| item.str("summary")).map(|d| d.into_owned()));
        draft.version = says("version");
        let contact = info.and_then(|i| i.get("contact"));
        let of_contact = |key: &str| contact.and_then(|c| c.str(key)).map(|s| s.into_owned());
        draft.provider = Provider {
            name: of_contact("name").filter(|n| !n.trim().is_empty()).or_else(|| says("title")),
            url: of_contact("url"),
            contact: of_contact("email"),
        };
        let (inputs, places) = self.inputs(item, place, operation, &at, maker);
        draft.inputs = Some(inputs);
        draft.output = self.output(operation, &at, maker);
        (draft.auth, draft.access) = self.security(operation, &at, maker);
        for (key, code) in [("callbacks", "callbacks")] {
            if operation.get(key).is_some_and(|v| !v.is_empty()) {
                maker.note(code, false, &format!("{at}/{key}"), &[]);
            }
        }
        let mut tags: Vec<String> = Vec::new();
        for tag in operation.get("tags").map(Val::items).into_iter().flatten().filter_map(Val::as_str) {
            if !tag.is_empty() && !tags.iter().any(|t| *t == tag) && tags.len() < 200 {
                tags.push(tag.into_owned());
            }
        }
        if !tags.is_empty() {
            draft.more("tags", Some(list(tags.iter().map(String::as_str))));
        }
        let license = info.and_then(|i| i.get("license")).and_then(|l| l.str("identifier").or_else(|| l.str("name")));
        draft.more("license", license.filter(|l| !l.is_empty()).map(|l| quote(&l)));
        let docs = operation.get("externalDocs").or_else(|| self.root.get("externalDocs")).and_then(|d| d.str("url"));
        draft.more("documentation_url", docs.filter(|u| Rule::Uri.holds(u)).map(|u| quote(&u)));
        let repeatable = matches!(method, "GET" | "PUT" | "DELETE");
        let hints = Obj::default()
            .bool("read_only", Some(method == "GET"))
            .bool("destructive", (method == "DELETE").then_some(true))
            .bool("idempotent", Some(repeatable));
        draft.more("annotations", hints.filled());
        if operation.bool("deprecated") == Some(true) {
            draft.more("deprecated", Some("true".to_owned()));
        }
        draft.more("x-openapi", places);
        for (key, value) in operation.entries().filter(|(k, _)| k.starts_with("x-")) {
            draft.more(&key, Some(value.raw().to_owned()));
        }
        maker.add(draft);
    }

    /// The address that an operation's path is appended to.
    fn server(&self, item: Val<'a>, operation: Val<'a>, at: &str, maker: &mut Maker) -> Option<String> {
        let places = [(operation, at), (item, at), (self.root, "")];
        let found =
            places.iter().find_map(|(val, place)| Some((val.get("servers").filter(|s| !s.is_empty())?, *place)));
        let (server, pointer) = match found {
            Some((servers, place)) => {
                if servers.len() > 1 {
                    maker.note(
                        "interfaces",
                        false,
                        &format!("{place}/servers"),
                        &[("n", &(servers.len() - 1).to_string())],
                    );
                }
                (servers.items().next(), format!("{place}/servers/0/url"))
            }
            None => (None, "/servers".to_owned()),
        };
        let mut url = server.and_then(|s| s.str("url")).map(|u| u.into_owned()).unwrap_or_default();
        let given = url.clone();
        for (name, variable) in server.and_then(|s| s.get("variables")).map(Val::entries).into_iter().flatten() {
            if let Some(value) = variable.str("default") {
                url = url.replace(&format!("{{{name}}}"), &value);
            }
        }
        if url != given {
            maker.note("endpoint-variables", false, &pointer, &[("url", &url)]);
        }
        let absolute = url.contains("://") && Rule::Uri.holds(&url);
        let url = if absolute {
            url
        } else {
            let base = self.context.base_url.as_deref()?;
            maker.note("endpoint-relative", false, &pointer, &[("url", if url.is_empty() { "–" } else { &url })]);
            if url.starts_with('/') {
                let (scheme, _) = base.split_once("://")?;
                format!("{scheme}://{}{url}", authority_of(base)?)
            } else {
                format!("{}/{url}", base.trim_end_matches('/'))
            }
        };
        Some(url.trim_end_matches('/').to_owned())
    }

    /// Parameters and body as one schema, and where each of them goes.
    fn inputs(
        &self,
        item: Val<'a>,
        place: &str,
        operation: Val<'a>,
        at: &str,
        maker: &mut Maker,
    ) -> (String, Option<String>) {
        let mut bundle = Bundle::new(self.root, self.old);
        let mut properties: Vec<(String, String)> = Vec::new();
        let mut required: Vec<String> = Vec::new();
        let mut places = Obj::default();
        // An operation's parameter takes the place of the path's of the same name and place.
        let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
        let own = operation.get("parameters").map(Val::items).into_iter().flatten().enumerate();
        let shared = item.get("parameters").map(Val::items).into_iter().flatten().enumerate();
        let all = own
            .map(|(i, p)| (format!("{at}/parameters/{i}"), p))
            .chain(shared.map(|(i, p)| (format!("{place}/parameters/{i}"), p)));
        for (pointer, parameter) in all {
            let Some((parameter, _)) = self.resolve(parameter) else {
                maker.note("reference-lost", false, &pointer, &[("ref", &parameter.str("$ref").unwrap_or_default())]);
                continue;
            };
            let (Some(name), Some(kind)) = (parameter.str("name"), parameter.str("in")) else { continue };
            let (name, kind) = (name.into_owned(), kind.into_owned());
            if name.is_empty() || !seen.insert((name.clone(), kind.clone())) {
                continue;
            }
            let mut key = name.clone();
            if properties.iter().any(|(k, _)| *k == key) || key == "body" {
                key = format!("{kind}.{name}");
                if properties.iter().any(|(k, _)| *k == key) {
                    continue;
                }
                maker.note("parameter-renamed", false, &pointer, &[("from", &name), ("name", &key)]);
            }
            let content = parameter.get("content").and_then(|c| c.entries().next()).and_then(|(_, m)| m.get("schema"));
            let schema = bundle.schema(parameter.get("schema").or(content), parameter.str("description").as_deref());
            if parameter.bool("required") == Some(true) || kind == "path" {
                required.push(key.clone());
            }
            places = places.str(&key, &kind);
            properties.push((key, schema));
        }
        if let Some(body) = operation.get("requestBody") {
            let pointer = format!("{at}/requestBody");
            match self.resolve(body) {
                Some((body, _)) => {
                    let (media, schema) = self.media(body, &pointer, maker);
                    let description = body.str("description");
                    properties.push(("body".into(), bundle.schema(schema, description.as_deref())));
                    if body.bool("required") == Some(true) {
                        required.push("body".into());
                    }
                    places = places.str("body", &media);
                }
                None => {
                    maker.note("reference-lost", false, &pointer, &[("ref", &body.str("$ref").unwrap_or_default())]);
                }
            }
        }
        let mut members = Obj::default();
        for (key, schema) in &properties {
            members = members.raw(key, schema);
        }
        let mut schema = Obj::default().str("type", "object");
        if let Some(members) = members.filled() {
            schema = schema.raw("properties", &members);
        }
        if !required.is_empty() {
            schema = schema.raw("required", &list(required.iter().map(String::as_str)));
        }
        let schema = bundle.finish(schema, &format!("{at}/parameters"), maker);
        let places = Obj::default().raw("in", &places.end()).end();
        (schema, (!properties.is_empty()).then_some(places))
    }

    /// The JSON schema of a body or an answer, else that of its first media type; with the media type.
    fn media(&self, body: Val<'a>, at: &str, maker: &mut Maker) -> (String, Option<Val<'a>>) {
        let Some(content) = body.get("content").filter(|c| !c.is_empty()) else { return (String::new(), None) };
        let json = content.entries().find(|(media, _)| is_json(media));
        let (media, found) = match json.or_else(|| content.entries().next()) {
            Some((media, found)) => (media.into_owned(), found),
            None => return (String::new(), None),
        };
        if content.len() > 1 {
            maker.note(
                "media-types",
                false,
                &format!("{at}/content"),
                &[("n", &(content.len() - 1).to_string()), ("kept", &media)],
            );
        }
        (media, found.get("schema"))
    }

    /// The schema of the first 2xx answer in JSON.
    fn output(&self, operation: Val<'a>, at: &str, maker: &mut Maker) -> Option<String> {
        let responses = operation.get("responses")?;
        let good = |code: &str| code.len() == 3 && code.starts_with('2');
        let mut found = None;
        let mut others = 0;
        for (code, response) in responses.entries() {
            if code.starts_with("x-") {
                continue;
            }
            let pointer = format!("{at}/responses/{}", pointer_token(&code));
            let Some((response, _)) = self.resolve(response) else {
                maker.note("reference-lost", false, &pointer, &[("ref", &response.str("$ref").unwrap_or_default())]);
                continue;
            };
            let json =
                response.get("content").is_some_and(|c| c.entries().any(|(m, v)| is_json(&m) && v.has("schema")));
            if found.is_none() && good(&code) && json {
                found = Some((response, pointer));
            } else if response.get("content").is_some_and(|c| !c.is_empty()) {
                others += 1;
            }
            if response.get("links").is_some_and(|l| !l.is_empty()) {
                maker.note("links", false, &format!("{at}/responses/{}/links", pointer_token(&code)), &[]);
            }
        }
        if others > 0 {
            maker.note("responses", false, &format!("{at}/responses"), &[("n", &others.to_string())]);
        }
        let (response, pointer) = found?;
        let (_, schema) = self.media(response, &pointer, maker);
        let mut bundle = Bundle::new(self.root, self.old);
        let inner = bundle.schema(schema, None);
        Some(bundle.close(inner, &pointer, maker))
    }

    fn security(&self, operation: Val<'a>, at: &str, maker: &mut Maker) -> (String, Access) {
        let own = operation.get("security").filter(|s| s.is_array());
        let place = if own.is_some() { format!("{at}/security") } else { "/security".to_owned() };
        let Some(options) = own.or_else(|| self.root.get("security").filter(|s| s.is_array())) else {
            return (NO_AUTH.to_owned(), Access::Public);
        };
        // `{}` among the alternatives: it also goes without.
        let Some(first) = options.items().next().filter(|_| options.items().all(|o| !o.is_empty())) else {
            return (NO_AUTH.to_owned(), Access::Public);
        };
        if options.len() > 1 {
            maker.note("auth-alternatives", false, &place, &[("n", &(options.len() - 1).to_string())]);
        }
        let mut parts = Vec::new();
        for (name, scopes) in first.entries() {
            let scheme = self.root.path(&["components", "securitySchemes"]).and_then(|s| s.get(&name));
            let scheme = scheme.and_then(|s| self.resolve(s)).map(|(s, _)| s);
            let mut part = match scheme {
                Some(scheme) => Scheme::read(&name, &scheme.str("type").unwrap_or_default(), scheme),
                None => Scheme::unknown(&name),
            };
            if !part.known {
                maker.note("scheme-unknown", false, &place, &[("name", &name)]);
            }
            part.wants = scopes.items().filter_map(Val::as_str).map(|s| s.into_owned()).collect();
            parts.push(part);
        }
        (auth_of(&parts), Access::Restricted)
    }
}

fn is_json(media: &str) -> bool {
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    media == "application/json" || media.ends_with("+json") || media == "*/*"
}

/// A security scheme of OpenAPI, or of an agent card in either shape.
pub struct Scheme {
    pub name: String,
    pub known: bool,
    /// Scopes that the operation asks for.
    pub wants: Vec<String>,
    /// JSON text of `auth` but its scopes.
    auth: Obj,
    /// JSON text of the scopes.
    scopes: Option<String>,
}

impl Scheme {
    pub fn unknown(name: &str) -> Self {
        let auth = Obj::default().str("type", "custom").str("scheme", &blank(name));
        Self { name: name.to_owned(), known: false, wants: Vec::new(), auth, scopes: None }
    }

    /// Reads a scheme of a kind, by OpenAPI's names.
    pub fn read(name: &str, kind: &str, val: Val<'_>) -> Self {
        let text = |keys: &[&str]| keys.iter().find_map(|k| val.str(k)).map(|s| s.into_owned());
        let uri = |keys: &[&str]| text(keys).filter(|u| Rule::Uri.holds(u));
        let description = text(&["description"]);
        let mut scopes = None;
        let custom = |scheme: &str| Obj::default().str("type", "custom").str("scheme", scheme);
        let auth = match kind {
            "apiKey" => {
                let place = text(&["in", "location"]).unwrap_or_default();
                let (true, Some(key)) = (
                    ["header", "query", "cookie"].contains(&place.as_str()),
                    text(&["name"]).filter(|n| !n.trim().is_empty()),
                ) else {
                    return Self::unknown(name);
                };
                Obj::default().str("type", "api_key").str("in", &place).str("name", &cut(&key, 256))
            }
            "oauth2" => {
                let flows = val.get("flows").map(Val::entries).into_iter().flatten();
                let flow = flows.map(|(kind, flow)| (grant(&kind), flow)).find(|(_, flow)| {
                    flow.str("tokenUrl").or_else(|| flow.str("token_url")).is_some_and(|u| Rule::Uri.holds(&u))
                });
                let metadata = uri(&["oauth2MetadataUrl", "oauth2_metadata_url"]);
                match flow {
                    Some((kind, flow)) => {
                        let url = |a: &str, b: &str| {
                            flow.str(a).or_else(|| flow.str(b)).filter(|u| Rule::Uri.holds(u)).map(|u| u.into_owned())
                        };
                        scopes =
                            flow.get("scopes").filter(|s| s.values_are(Val::is_string)).map(|s| s.raw().to_owned());
                        Obj::default()
                            .str("type", "oauth2")
                            .some("token_url", url("tokenUrl", "token_url").as_deref())
                            .some("metadata_url", metadata.as_deref())
                            .some("authorization_url", url("authorizationUrl", "authorization_url").as_deref())
                            .raw("grant_types", &list([kind]))
                    }
                    // The implicit flow has no token endpoint.
                    None => custom("oauth2-implicit"),
                }
            }
            "http" => {
                let scheme = slug(&text(&["scheme"]).unwrap_or_default());
                let format = text(&["bearerFormat", "bearer_format"]);
                let params = Obj::default().some("bearer_format", format.as_deref()).filled();
                let auth = custom(&blank(&format!("http-{scheme}")));
                match params {
                    Some(params) => auth.raw("params", &params),
                    None => auth,
                }
            }
            "openIdConnect" => {
                let url = uri(&["openIdConnectUrl", "open_id_connect_url"]);
                let auth = custom("openid-connect");
                match url {
                    Some(url) => auth.raw("params", &Obj::default().str("url", &url).end()),
                    None => auth,
                }
            }
            "mutualTLS" => custom("mtls"),
            _ => return Self::unknown(name),
        };
        let auth = auth.some("description", description.as_deref());
        Self { name: name.to_owned(), known: true, wants: Vec::new(), auth, scopes }
    }

    fn text(&self) -> String {
        let auth = self.auth.clone();
        let auth = match &self.scopes {
            Some(scopes) => auth.raw("scopes", scopes),
            None => auth,
        };
        if self.wants.is_empty() {
            return auth.end();
        }
        auth.raw("x-required-scopes", &list(self.wants.iter().map(String::as_str))).end()
    }
}

/// The grant type of RFC 6749 and 8628 by OpenAPI's name of its flow.
fn grant(flow: &str) -> &'static str {
    match flow {
        "clientCredentials" | "client_credentials" => "client_credentials",
        "password" => "password",
        "implicit" => "implicit",
        "deviceCode" | "device_code" | "deviceAuthorization" => "urn:ietf:params:oauth:grant-type:device_code",
        _ => "authorization_code",
    }
}

fn blank(text: &str) -> String {
    if text.trim().is_empty() { "unknown".to_owned() } else { cut(text, 256) }
}

/// Schemes that are all needed at once, as one `auth`.
pub fn auth_of(parts: &[Scheme]) -> String {
    match parts {
        [] => NO_AUTH.to_owned(),
        [one] => one.text(),
        many => {
            let all: Vec<String> = many.iter().map(Scheme::text).collect();
            let params = Obj::default().raw("all_of", &format!("[{}]", all.join(","))).end();
            Obj::default().str("type", "custom").str("scheme", "composite").raw("params", &params).end()
        }
    }
}
