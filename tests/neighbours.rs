//! Neighbours of the protocol as descriptors and back: what each field becomes, which guesses and losses are told, that
//! every descriptor passes core, and the figures of real files.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use skillscope::message::findings;
use skillscope::model::Severity;
use skillscope::skill::from::{CODES, Context, Converted, Neighbour, Refused, convert, convert_all};
use skillscope::skill::to::{to_a2a, to_mcp};
use skillscope::skill::{Kind, Options, check_as, parse};

fn context(file: &str) -> Context {
    Context { file: file.to_owned(), ..Context::default() }
}

fn made(file: &str, text: &str) -> Converted {
    let converted = convert(text.as_bytes(), &context(file)).expect("a neighbour").expect("descriptors");
    holds(&converted);
    converted
}

fn refused(file: &str, text: &str) -> Refused {
    convert(text.as_bytes(), &context(file)).expect("a neighbour").expect_err("refused")
}

/// What is true of everything that is made: it passes core, and everything that is told has a sentence.
#[track_caller]
fn holds(converted: &Converted) {
    let mut ids = Vec::new();
    for one in &converted.made {
        let document = parse(one.text.as_bytes()).unwrap_or_else(|f| panic!("{}: {f:?}", one.id));
        assert_eq!(document.kind(), Some(Kind::Descriptor), "{}", one.id);
        let errors: Vec<_> = check_as(&document.doc(), Kind::Descriptor, &Options::default())
            .into_iter()
            .filter(|f| f.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}\n{}", one.id, one.text);
        ids.push(one.id.clone());
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
    for note in &converted.notes {
        assert!(findings::both(&format!("neighbour.note.{}", note.code)).is_some(), "{}", note.code);
        assert!(note.skill.is_none_or(|s| s < converted.made.len()), "{note:?}");
    }
    for skipped in &converted.skipped {
        assert!(findings::both(&format!("neighbour.skipped.{}", skipped.code)).is_some(), "{}", skipped.code);
    }
}

fn value(converted: &Converted, index: usize) -> Value {
    serde_json::from_str(&converted.made[index].text).unwrap()
}

/// Codes with how often each is told.
fn codes(converted: &Converted) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    converted.notes.iter().for_each(|n| *counts.entry(n.code).or_default() += 1);
    counts.iter().map(|(c, n)| format!("{c} {n}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_code_has_its_sentences() {
    for code in CODES {
        let id = format!("neighbour.note.{}", code.id);
        assert!(findings::both(&id).is_some(), "{id}");
        assert!(findings::both(&format!("neighbour.kind.{}", code.kind.id())).is_some());
    }
    for code in [
        "nothing",
        "not-json",
        "not-yaml",
        "no-frontmatter",
        "no-skills",
        "server-alone",
        "openapi-version",
        "no-operations",
        "ai-plugin",
    ] {
        assert!(findings::both(&format!("neighbour.refused.{code}")).is_some(), "{code}");
    }
}

#[test]
fn a_card_of_1_0() {
    let card = json!({
        "name": "Translator", "description": "Translates", "version": "2.0.0",
        "supportedInterfaces": [
            {"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
            {"url": "https://a.example/old", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}],
        "provider": {"organization": "Example Ltd", "url": "https://example.com"},
        "capabilities": {"streaming": true, "extendedAgentCard": true},
        "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}},
        "securityRequirements": [{"schemes": {"key": {"list": []}}}, {"schemes": {"other": {"list": []}}}],
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "skills": [
            {"id": "translate", "name": "Translate", "description": "Text", "tags": ["text", "text"], "examples": ["Say it in German"]},
            {"id": "open", "name": "Open", "description": "Free", "tags": [], "securityRequirements": [{"schemes": {"sso": {"list": ["a"]}}}]}]
    });
    let found = made("card.json", &card.to_string());
    assert_eq!((found.neighbour, found.version.as_deref()), (Neighbour::A2aCard, Some("1.0")));
    let first = value(&found, 0);
    assert_eq!(first["id"], "a.example/translate");
    assert_eq!(first["version"], "2.0.0");
    assert_eq!(first["capability_type"], "task");
    assert_eq!(first["provider"], json!({"name": "Example Ltd", "domain": "a.example", "url": "https://example.com"}));
    assert_eq!(first["endpoint"], json!({"url": "https://a.example/a2a", "binding": "a2a"}));
    assert_eq!(first["auth"], json!({"type": "api_key", "in": "header", "name": "X-Key"}));
    assert_eq!(first["access"], "restricted");
    assert_eq!(first["tags"], json!(["text"]));
    assert_eq!(first["examples"], json!([{"inputs": {"message": "Say it in German"}}]));
    assert_eq!(first["x-a2a"]["card"]["capabilities"], json!({"streaming": true, "extendedAgentCard": true}));
    let second = value(&found, 1);
    assert_eq!(second["auth"], json!({"type": "custom", "scheme": "sso"}));
    assert_eq!(
        codes(&found),
        "auth-alternatives 1, by-kind 1, extended-card 1, inputs-synthetic 2, interfaces 1, output-undeclared 2, scheme-unknown 1"
    );
}

#[test]
fn older_cards_and_strange_ones() {
    let old = json!({
        "name": "A", "url": "http://localhost:1/", "version": "1", "authentication": {"schemes": ["Bearer"]},
        "capabilities": {}, "skills": [{"id": "x y", "name": "X", "description": ""}, 5]
    });
    let found = made("card.json", &old.to_string());
    assert_eq!(found.made[0].id, "localhost:1/x%20y");
    let first = value(&found, 0);
    assert_eq!(first["auth"], json!({"type": "custom", "scheme": "http-bearer"}));
    assert_eq!(first["description"], "X");
    assert_eq!(found.skipped.len(), 1);
    let three = json!({
        "name": "A", "url": "https://a.example", "protocolVersion": "0.3.0", "capabilities": [], "version": "1.0.0",
        "securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://t.example/t", "scopes": {"a": "b"}}}},
            "h": {"type": "http", "scheme": "Bearer", "bearerFormat": "JWT"}},
        "security": [{"o": ["a"], "h": []}],
        "skills": [{"name": "no id"}]
    });
    let found = made("card.json", &three.to_string());
    let auth = &value(&found, 0)["auth"];
    assert_eq!(auth["scheme"], "composite");
    assert_eq!(auth["params"]["all_of"][0]["token_url"], "https://t.example/t");
    assert_eq!(
        auth["params"]["all_of"][1],
        json!({"type": "custom", "scheme": "http-bearer", "params": {"bearer_format": "JWT"}})
    );
    let none = json!({"name": "A", "url": "https://a.example", "capabilities": [], "protocolVersion": "0.3.0"});
    assert_eq!(refused("card.json", &none.to_string()).code, "no-skills");
}

#[test]
fn mcp_tools_with_their_server() {
    let tools = json!({"result": {"tools": [
        {"name": "read", "title": "Read a file", "description": "Reads", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"},
         "annotations": {"readOnlyHint": true, "title": "No"}, "_meta": {"a": 1}},
        {"name": "broken", "inputSchema": {"type": "objekt"}},
        {"description": "nameless", "inputSchema": {}}
    ], "nextCursor": "x"}});
    let server = json!({"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.user/files", "version": "1.2.3", "repository": {"url": "https://github.com/user/files"},
        "remotes": [{"type": "streamable-http", "url": "https://{host}/mcp", "variables": {"host": {"default": "api.example.com"}},
            "headers": [{"name": "Authorization", "value": "Bearer {token}", "isSecret": true}]}],
        "packages": [{"registryType": "npm", "identifier": "@user/files", "version": "1.2.3"}]});
    let (tools, server) = (tools.to_string(), server.to_string());
    let files = [("a/tools.json".to_owned(), tools.as_bytes()), ("a/server.json".to_owned(), server.as_bytes())];
    let mut all = convert_all(&files, None);
    assert_eq!(all.pop().unwrap().1.unwrap().unwrap_err().code, "server-alone");
    let found = all.pop().unwrap().1.unwrap().unwrap();
    holds(&found);
    let first = value(&found, 0);
    assert_eq!(first["id"], "io.github.user/files/read");
    assert_eq!(first["name"], "Read a file");
    assert_eq!(first["version"], "1.2.3");
    assert_eq!(first["endpoint"], json!({"url": "https://api.example.com/mcp", "binding": "mcp"}));
    assert_eq!(first["auth"], json!({"type": "api_key", "in": "header", "name": "Authorization", "prefix": "Bearer "}));
    assert_eq!(first["annotations"], json!({"read_only": true}));
    assert_eq!(first["x-mcp"], json!({"name": "read", "annotations": {"title": "No"}, "tool": {"_meta": {"a": 1}}}));
    let second = value(&found, 1);
    assert_eq!(
        (&second["inputs"], &second["x-source-inputs"]),
        (&json!({"type": "object"}), &json!({"type": "objekt"}))
    );
    assert_eq!(
        codes(&found),
        "by-kind 1, description-missing 1, endpoint-variables 1, more-pages 1, output-undeclared 1, packages 1, schema-unusable 1"
    );
    assert_eq!(found.skipped[0].code, "no-name");
    // Alone, the list says nothing of its server.
    let alone = made("x/files.tools.json", &tools);
    assert_eq!(alone.made[0].id, "files/read");
    assert!(codes(&alone).contains("endpoint-missing 2"), "{}", codes(&alone));
    // A local server is its package.
    let local =
        json!({"name": "a/b", "packages": [{"registryType": "npm", "identifier": "@user/files", "version": "1.0.0"}]})
            .to_string();
    let files = [("tools.json".to_owned(), tools.as_bytes()), ("server.json".to_owned(), local.as_bytes())];
    let found = convert_all(&files, None).remove(0).1.unwrap().unwrap();
    assert_eq!(value(&found, 0)["endpoint"]["url"], "pkg:npm/%40user/files@1.0.0");
}

#[test]
fn definitions_of_model_services() {
    let chat = json!([{"type": "function", "function": {"name": "w", "description": "d", "parameters": {"type": "object"}, "strict": true}}, {"type": "web_search"}]);
    let found = made("my tools.json", &chat.to_string());
    assert_eq!((found.neighbour, found.made[0].id.as_str()), (Neighbour::OpenAiTools, "my-tools/w"));
    assert_eq!(value(&found, 0)["x-tool"], json!({"strict": true}));
    assert_eq!(found.skipped[0].code, "service-tool");
    let responses = json!({"tools": [{"type": "function", "name": "w", "parameters": {"type": "object"}}]});
    assert_eq!(made("t.json", &responses.to_string()).neighbour, Neighbour::OpenAiTools);
    let anthropic = json!({"name": "w", "description": "d", "input_schema": {"type": "object", "properties": {"a": {}}}, "cache_control": {"type": "ephemeral"}});
    let found = made("t.json", &anthropic.to_string());
    assert_eq!(found.neighbour, Neighbour::AnthropicTools);
    assert_eq!(value(&found, 0)["inputs"], anthropic["input_schema"]);
    assert_eq!(value(&found, 0)["x-tool"], json!({"cache_control": {"type": "ephemeral"}}));
    let utcp = json!({"utcp_version": "1.0.0", "manual_version": "3.0.0", "tools": [{"name": "w", "description": "d", "inputs": {"type": "object"}, "outputs": {"type": "object"},
        "tool_call_template": {"call_template_type": "http", "url": "https://api.example.com/w", "http_method": "GET", "auth": {"auth_type": "api_key", "api_key": "$KEY", "var_name": "appid", "location": "query"}}}]});
    let found = made("t.json", &utcp.to_string());
    let first = value(&found, 0);
    assert_eq!(
        (found.neighbour, &first["id"], &first["version"]),
        (Neighbour::Utcp, &json!("api.example.com/w"), &json!("3.0.0"))
    );
    assert_eq!(first["auth"], json!({"type": "api_key", "in": "query", "name": "appid"}));
    assert_eq!(first["capability_type"], "api");
}

#[test]
fn skill_files() {
    let text = "\u{feff}---\r\nname: lint\r\ndescription: >\r\n  Checks.\r\n  Twice.\r\nlicense: MIT\r\nmetadata:\r\n  author: Open Hands\r\n  version: 1.0\r\nallowed-tools: Bash Read\r\n---\r\ntext\r\n";
    let found = made("skills/lint/SKILL.md", text);
    let first = value(&found, 0);
    assert_eq!(first["id"], "open-hands/lint");
    assert_eq!(first["version"], "1.0");
    assert_eq!(first["capability_type"], "knowledge");
    assert_eq!(first["description"], "Checks. Twice.");
    assert_eq!(first["license"], "MIT");
    assert_eq!(first["x-skill-md"], json!({"allowed-tools": "Bash Read"}));
    assert_eq!(first["output"], json!({"type": "string", "contentMediaType": "text/markdown"}));
    assert_eq!(codes(&found), "body 1, by-kind 1, endpoint-missing 1, namespace 1");
    let odd = made(
        "a/SKILL.md",
        "---\nversion: v2\ndescription: d\ninternal: true\narguments:\n  - name: idea\n    required: true\n---\n",
    );
    let first = value(&odd, 0);
    assert_eq!((&first["name"], &first["version"], &first["access"]), (&json!("a"), &json!("v2"), &json!("private")));
    assert_eq!(first["inputs"]["required"], json!(["idea"]));
    assert_eq!(refused("a/SKILL.md", "# Title\ntext").code, "no-frontmatter");
    assert_eq!(refused("a/SKILL.md", "---\nname: [\n---\n").code, "not-yaml");
    assert_eq!(refused("a/SKILL.md", "---\njust text\n---\n").code, "no-frontmatter");
    assert!(convert(b"# a readme", &context("README.md")).is_none());
}

#[test]
fn openapi_in_yaml() {
    let text = r##"
openapi: 3.0.3
info: {title: Pets, version: 1.0.0, contact: {name: Team}}
servers: [{url: "https://{env}.example.com/v1/", variables: {env: {default: api}}}]
security: [{key: []}, {other: []}]
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
    get:
      operationId: getPet
      deprecated: true
      parameters:
        - $ref: '#/components/parameters/Limit'
        - {name: id, in: query, schema: {type: string, nullable: true}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        default: {description: no, content: {text/plain: {}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}, text/xml: {}}}
      security: []
      responses: {'204': {description: done}}
    head: {}
components:
  parameters:
    Limit: {name: limit, in: query, description: How many, schema: {type: integer, minimum: 0, exclusiveMinimum: true}}
  schemas:
    Pet: {type: object, properties: {friend: {$ref: '#/components/schemas/Pet'}, kind: {type: string, example: cat}}}
  securitySchemes:
    key: {type: apiKey, in: query, name: k}
"##;
    let found = made("pets.yaml", text);
    assert_eq!(found.version.as_deref(), Some("3.0.3"));
    let get = value(&found, 0);
    assert_eq!(get["id"], "api.example.com/getPet");
    assert_eq!(
        get["endpoint"],
        json!({"url": "https://api.example.com/v1", "method": "GET", "binding": "http", "path": "/pets/{id}"})
    );
    assert_eq!(
        get["inputs"],
        json!({"type": "object", "properties": {
        "limit": {"type": "integer", "exclusiveMinimum": 0, "description": "How many"},
        "id": {"type": ["string", "null"]}, "path.id": {"type": "integer"}}, "required": ["path.id"]})
    );
    assert_eq!(get["x-openapi"], json!({"in": {"limit": "query", "id": "query", "path.id": "path"}}));
    assert_eq!(get["output"]["$ref"], "#/$defs/Pet");
    assert_eq!(get["output"]["$defs"]["Pet"]["properties"]["kind"], json!({"type": "string", "examples": ["cat"]}));
    assert_eq!(
        (&get["auth"]["in"], &get["access"], &get["deprecated"]),
        (&json!("query"), &json!("restricted"), &json!(true))
    );
    let put = value(&found, 1);
    assert_eq!(put["id"], "api.example.com/put:/pets/%7Bid%7D");
    assert_eq!((&put["auth"]["type"], &put["access"]), (&json!("none"), &json!("public")));
    assert_eq!(put["inputs"]["required"], json!(["id", "body"]));
    assert_eq!(put["output"], json!({}));
    assert_eq!(found.skipped[0].code, "method");
    assert_eq!(
        codes(&found),
        "auth-alternatives 1, by-kind 1, description-missing 2, endpoint-variables 2, id-escaped 1, id-made 1, media-types 1, output-undeclared 1, parameter-renamed 1, responses 1, schema-rewritten 3"
    );
}

#[test]
fn openapi_that_gives_nothing() {
    assert_eq!(refused("a.json", r#"{"swagger":"2.0","paths":{}}"#).code, "openapi-version");
    assert_eq!(refused("a.json", r#"{"openapi":"3.1.0","webhooks":{"a":{}}}"#).code, "no-operations");
    assert_eq!(refused("a.yaml", "openapi: [3").code, "not-yaml");
    assert_eq!(refused("a.json", r#"{"openapi":"3.0.0","#).code, "not-json");
    let plugin =
        r#"{"schema_version":"v1","name_for_model":"a","api":{"type":"openapi","url":"https://a.example/o.yaml"}}"#;
    assert_eq!(refused("ai-plugin.json", plugin).code, "ai-plugin");
    // Without a server the address must come from outside.
    let bare = br#"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":[{"url":"/v1"}],"paths":{"/a":{"get":{}}}}"#;
    let base = Context { file: "a.json".into(), base_url: Some("https://b.example/docs/".into()), server: None };
    let found = convert(bare, &base).unwrap().unwrap();
    assert_eq!(value(&found, 0)["endpoint"]["url"], "https://b.example/v1");
    let found = convert(bare, &context("a.json")).unwrap().unwrap();
    assert_eq!(found.made[0].id, "t/get:/a");
}

#[test]
fn an_index_of_agent_skills() {
    let index = json!({"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": [
        {"name": "lint", "type": "skill-md", "description": "Lints", "url": "https://a.example/lint/SKILL.md", "digest": format!("sha256:{}", "0".repeat(64))},
        {"name": "tar", "type": "archive", "description": "Packs", "url": "/x/tar.tgz"}]});
    let found = made("index.json", &index.to_string());
    assert_eq!((found.neighbour, found.version.as_deref()), (Neighbour::AgentSkillsIndex, Some("0.2.0")));
    assert_eq!(value(&found, 0)["endpoint"], json!({"url": "https://a.example/lint/SKILL.md", "binding": "file"}));
    assert_eq!(value(&found, 0)["x-agent-skills"]["type"], "skill-md");
    assert!(codes(&found).contains("digest-unchecked 1"));
    assert!(codes(&found).contains("endpoint-missing 1"));
}

#[test]
fn what_is_no_neighbour() {
    for text in [
        "{}",
        "[]",
        "[1]",
        "null",
        "",
        "name: x",
        r#"{"messages":[]}"#,
        r#"[{"role":"user","content":"x"}]"#,
        r#"{"name":"f","arguments":"{}"}"#,
        r#"{"skills":[]}"#,
        r#"{"tools":[]}"#,
    ] {
        assert!(convert(text.as_bytes(), &context("x.json")).is_none(), "{text}");
    }
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/protocol/examples");
    for entry in std::fs::read_dir(examples).into_iter().flatten().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap();
        assert!(convert(&bytes, &context("x.json")).is_none(), "{}", entry.path().display());
    }
}

/// What every sample gives: descriptors, or the reason why none.
#[test]
fn corpus_of_neighbours() {
    let Some(corpus) = common::corpus() else { return };
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (path, _) in SAMPLES {
        files.push((
            (*path).to_owned(),
            std::fs::read(corpus.join("skills").join(path)).unwrap_or_else(|e| panic!("{path}: {e}")),
        ));
    }
    let mut wrong = Vec::new();
    let mut total = 0;
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for ((path, bytes), (_, expected)) in files.iter().zip(SAMPLES) {
        let found = match convert(bytes, &context(path)) {
            None => "nothing".to_owned(),
            Some(Err(refused)) => refused.code.to_owned(),
            Some(Ok(converted)) => {
                holds(&converted);
                total += converted.made.len();
                converted.notes.iter().for_each(|n| *all.entry(n.code).or_default() += 1);
                let skipped = converted.skipped.iter().map(|s| format!(" {}", s.code)).collect::<String>();
                format!("{}{skipped}", converted.made.len())
            }
        };
        if found != *expected {
            wrong.push(format!("{path}: {found}, expected {expected}"));
        }
    }
    eprintln!("{total} descriptors; {all:?}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    // No sample is left out of the table.
    for kind in std::fs::read_dir(corpus.join("skills")).unwrap().flatten().filter(|e| e.path().is_dir()) {
        let mut inside = vec![kind.path()];
        while let Some(folder) = inside.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                if entry.path().is_dir() {
                    inside.push(entry.path());
                    continue;
                }
                let path = entry.path().strip_prefix(corpus.join("skills")).unwrap().display().to_string();
                assert!(SAMPLES.iter().any(|(p, _)| *p == path), "{path} is not in the table");
            }
        }
    }
}

const SAMPLES: &[(&str, &str)] = &[
    ("a2a-agent-card/a2a_mcp__agent_cards__air_ticketing_agent.json", "1"),
    ("a2a-agent-card/a2a_mcp__agent_cards__car_rental_agent.json", "1"),
    ("a2a-agent-card/a2a_mcp__agent_cards__hotel_booking_agent.json", "1"),
    ("a2a-agent-card/a2a_mcp__agent_cards__orchestrator_agent.json", "1"),
    ("a2a-agent-card/a2a_mcp__agent_cards__planner_agent.json", "1"),
    ("a2a-agent-card/adk_currency_agent__src__currency_agent__agent_card.json", "1"),
    ("mcp-server-json/github-mcp-server.server.json", "server-alone"),
    ("mcp-server-json/registry-example-with-remote.server.json", "server-alone"),
    ("mcp-server-json/registry-publisher-2025-07.server.json", "server-alone"),
    ("mcp-tool/github__actions_get.tool.json", "1"),
    ("mcp-tool/github__create_pull_request.tool.json", "1"),
    ("mcp-tool/github__issue_write.tool.json", "1"),
    ("mcp-tool/github__search_code.tool.json", "1"),
    ("mcp-tools-list/context7-mcp.tools-list.json", "2"),
    ("mcp-tools-list/github-mcp-server.tools-list.json", "117"),
    ("mcp-tools-list/playwright-mcp.tools-list.json", "25"),
    ("mcp-tools-list/server-memory.tools-list.json", "9"),
    ("mcp-tools-list/server-sequential-thinking.tools-list.json", "1"),
    ("mcp-tools-list/spec-2026-07-28.response.json", "1"),
    ("openapi/v2.0__json__petstore.json", "openapi-version"),
    ("openapi/v3.0__callback-example.json", "1"),
    ("openapi/v3.0__link-example.json", "6"),
    ("openapi/v3.0__petstore-expanded.json", "4"),
    ("openapi/v3.0__petstore.yaml", "3"),
    ("openapi/v3.1__non-oauth-scopes.json", "1"),
    ("openapi/v3.1__tictactoe.yaml", "3"),
    ("openapi/v3.1__webhook-example.json", "no-operations"),
    ("skill-md/ci/SKILL.md", "1"),
    ("skill-md/code-reviewer/SKILL.md", "1"),
    ("skill-md/docs-writer/SKILL.md", "1"),
    ("skill-md/draft-sep/SKILL.md", "1"),
    ("skill-md/evals/SKILL.md", "1"),
    ("skill-md/frankfurter/SKILL.md", "1"),
    ("skill-md/linting/SKILL.md", "1"),
    ("skill-md/mcp-sdk-tier-audit/SKILL.md", "1"),
    ("skill-md/pirate-skill/SKILL.md", "1"),
    ("skill-md/pr-creator/SKILL.md", "1"),
    ("skill-md/rot13-encryption/SKILL.md", "1"),
    ("skill-md/secret-code/SKILL.md", "1"),
];

/// Descriptors as a list of tools and back.
fn there_and_back(text: &str, context: &Context) -> (Value, Value) {
    let found = convert(text.as_bytes(), context).unwrap().unwrap();
    let documents: Vec<_> = found.made.iter().map(|m| parse(m.text.as_bytes()).unwrap()).collect();
    let roots: Vec<_> = documents.iter().map(|d| d.root()).collect();
    let written = to_mcp(&roots);
    assert!(written.notes.iter().all(|n| findings::both(&format!("neighbour.note.{}", n.code)).is_some()));
    let mut original: Value = serde_json::from_str(text).unwrap();
    if let Some(result) = original.get_mut("result") {
        original = result.take();
    }
    let tools = original.get_mut("tools").map(Value::take).unwrap_or(json!([original]));
    let mut back: Value = serde_json::from_str(&written.text).unwrap();
    (tools, back["tools"].take())
}

#[test]
fn corpus_of_tool_lists_there_and_back() {
    let Some(corpus) = common::corpus() else { return };
    let lists = SAMPLES.iter().filter(|(p, n)| p.starts_with("mcp-tool") && n.parse::<u32>().is_ok());
    let mut tools = 0;
    for (path, _) in lists {
        let text = std::fs::read_to_string(corpus.join("skills").join(path)).unwrap();
        let (there, back) = there_and_back(&text, &context(path));
        for (mut tool, mut same) in
            there.as_array().unwrap().iter().cloned().zip(back.as_array().unwrap().iter().cloned())
        {
            tools += 1;
            // A display name that says the name again, and a description that was made of it, are nothing new.
            if tool["title"] == tool["name"] || tool["annotations"]["title"] == tool["title"] {
                tool.as_object_mut().unwrap().remove("title");
            }
            if tool.get("description").is_none_or(|d| d == "") {
                tool.as_object_mut().unwrap().remove("description");
                same.as_object_mut().unwrap().remove("description");
            }
            assert_eq!(tool, same, "{path}");
        }
    }
    assert_eq!(tools, 159);
}

const SSP: &str = r##"{"protocol":{"version":"1.0.0"},"id":"com.example/translate","name":"Translate","version":"1.2.0",
"capability_type":"api","description":"Translates text.","provider":{"name":"Example Ltd","url":"https://example.com"},
"endpoint":{"url":"https://api.example.com/ssp","binding":"a2a"},
"inputs":{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]},"output":{},
"auth":AUTH,"access":"restricted","tags":["text"],"annotations":{"read_only":true},"examples":[{"inputs":{"message":"hi"}}]}"##;

#[test]
fn descriptors_as_cards_and_back() {
    let auths = [
        r#"{"type":"api_key","in":"header","name":"X-Key"}"#,
        r#"{"type":"oauth2","token_url":"https://t.example/t","authorization_url":"https://t.example/a","grant_types":["authorization_code"],"scopes":{"a":"b"}}"#,
        r#"{"type":"custom","scheme":"http-bearer","params":{"bearer_format":"JWT"}}"#,
        r#"{"type":"custom","scheme":"openid-connect","params":{"url":"https://t.example/o"}}"#,
        r#"{"type":"custom","scheme":"mtls"}"#,
        r#"{"type":"custom","scheme":"composite","params":{"all_of":[{"type":"custom","scheme":"mtls"},{"type":"api_key","in":"query","name":"k"}]}}"#,
    ];
    for auth in auths {
        let document = parse(SSP.replace("AUTH", auth).as_bytes()).unwrap();
        let cards = to_a2a(&[document.root()]);
        assert_eq!(cards.len(), 1);
        let found = made("card.json", &cards[0].text);
        assert_eq!(found.version.as_deref(), Some("1.0"));
        let back = value(&found, 0);
        let there: Value = serde_json::from_str(document.text()).unwrap();
        for key in ["name", "version", "description", "tags", "examples", "auth", "access", "output"] {
            assert_eq!(back[key], there[key], "{key} with {auth}");
        }
        assert_eq!(back["endpoint"], there["endpoint"]);
        assert_eq!(back["id"], "api.example.com/translate");
        assert_eq!(back["provider"]["name"], "Example Ltd");
        // What has no place is told; nothing else is lost.
        let told: Vec<_> =
            cards[0].notes.iter().map(|n| (n.code, n.args.first().map_or("", |a| a.1.as_str()))).collect();
        assert_eq!(told, [("no-place", "protocol, annotations")], "{auth}");
    }
    let odd = SSP
        .replace("AUTH", r#"{"type":"custom","scheme":"handshake"}"#)
        .replace("\"a2a\"", "\"http\"")
        .replace("message", "text");
    let document = parse(odd.as_bytes()).unwrap();
    let card = to_a2a(&[document.root()]).remove(0);
    let told: Vec<_> = card.notes.iter().map(|n| n.code).collect();
    assert_eq!(told, ["endpoint-lost", "inputs-lost", "auth-lost", "no-place"]);
    let written: Value = serde_json::from_str(&card.text).unwrap();
    assert_eq!(written["skills"][0]["inputModes"], json!(["application/json"]));
    assert_eq!(written["skills"][0]["examples"], json!(["{\"text\":\"hi\"}"]));
}

#[test]
fn cards_keep_what_they_said_and_hide_what_is_private() {
    let card = json!({"name": "Agent", "description": "Helps", "url": "https://a.example/", "version": "3.1.0", "protocolVersion": "0.3.0",
        "preferredTransport": "GRPC", "capabilities": {"streaming": true}, "defaultInputModes": ["image/png"], "iconUrl": "https://a.example/i.png",
        "skills": [{"id": "see", "name": "See", "description": "Sees", "tags": ["t"], "inputModes": ["image/png"]}]});
    let found = made("c.json", &card.to_string());
    let document = parse(found.made[0].text.as_bytes()).unwrap();
    let hidden = parse(SSP.replace("AUTH", r#"{"type":"none"}"#).replace("restricted", "private").as_bytes()).unwrap();
    let cards = to_a2a(&[document.root(), hidden.root()]);
    assert_eq!(cards.len(), 1, "the private one makes no card");
    let back: Value = serde_json::from_str(&cards[0].text).unwrap();
    for key in ["name", "description", "version", "capabilities", "defaultInputModes", "iconUrl"] {
        assert_eq!(back[key], card[key], "{key}");
    }
    assert_eq!(
        back["supportedInterfaces"],
        json!([{"url": "https://a.example/", "protocolBinding": "GRPC", "protocolVersion": "1.0"}])
    );
    assert_eq!(back["skills"], card["skills"]);
    let list = to_mcp(&[hidden.root(), document.root(), document.root()]);
    let names: Value = serde_json::from_str(&list.text).unwrap();
    let names: Vec<_> =
        names["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, ["see", "see_2"]);
    assert!(!list.text.contains("translate"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Any bytes at all give descriptors that pass core, a reason, or nothing; never a panic.
    #[test]
    fn anything_may_be_dropped(text in "[\\PC\n]{0,80}", head in prop_oneof![Just(""), Just("---\n"), Just("openapi: 3.0.0\n"),
        Just("{\"openapi\":\"3.1.0\",\"paths\":"), Just("{\"tools\":["), Just("{\"name\":\"a\",\"capabilities\":")]) {
        for file in ["x.json", "a/SKILL.md"] {
            if let Some(Ok(found)) = convert(format!("{head}{text}").as_bytes(), &context(file)) {
                holds(&found);
            }
        }
    }

    /// Whatever stands in the fields of a neighbour, what is made passes core.
    #[test]
    fn whatever_stands_in_the_fields(name in "\\PC{0,12}", text in "\\PC{0,20}", url in "\\PC{0,20}", schema in prop_oneof![
        Just(json!({"type": "object"})), Just(json!({"type": 5})), Just(json!({"$ref": "#/nowhere"})), Just(json!([])), Just(json!(null)), Just(json!({"nullable": true, "type": "string"}))]) {
        let files = [
            json!({"name": name, "url": url, "version": text, "capabilities": {}, "skills": [{"id": name, "name": text, "description": url, "tags": [name, name], "examples": [text]}],
                "provider": {"organization": text, "url": url}, "securitySchemes": {name.clone(): {"type": "apiKey", "in": text, "name": url}}, "security": [{name.clone(): []}]}),
            json!({"tools": [{"name": name, "title": text, "inputSchema": {}, "outputSchema": schema}, {"name": name, "inputSchema": schema}]}),
            json!({"openapi": "3.0.0", "info": {"title": text, "version": url}, "servers": [{"url": url}], "paths": {format!("/{name}"): {"get": {"operationId": text,
                "parameters": [{"name": name, "in": text, "schema": schema}, {"name": name, "in": "query", "schema": schema}],
                "requestBody": {"content": {url.clone(): {"schema": schema}}}, "responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}}}),
            json!([{"type": "function", "function": {"name": name, "description": text, "parameters": schema}}]),
            json!({"skills": [{"name": name, "description": text, "url": url}]}),
        ];
        for file in files {
            if let Some(Ok(found)) = convert(file.to_string().as_bytes(), &context("x.json")) {
                holds(&found);
                let documents: Vec<_> = found.made.iter().map(|m| parse(m.text.as_bytes()).unwrap()).collect();
                let roots: Vec<_> = documents.iter().map(|d| d.root()).collect();
                prop_assert!(serde_json::from_str::<Value>(&to_mcp(&roots).text).is_ok());
                for card in to_a2a(&roots) {
                    prop_assert!(serde_json::from_str::<Value>(&card.text).is_ok(), "{}", card.text);
                }
            }
        }
    }
}
