//! The five interfaces: what is sent against fixtures of ours, what is read from whole answers and streams, each kind of
//! failure, the ladder, the list of models, addresses, and that no bytes stop the readers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::fixture;
use proptest::prelude::*;
use serde_json::{Value, json};
use skillscope::judge::provider::{
    Api, Ask, BadBase, Dialect, Endpoint, Failure, Kind, Rung, models, models_request, read, request,
};

fn endpoint(api: Api) -> Endpoint {
    Endpoint::new(api, "https://api.example.com/v1/", "judge-1").unwrap()
}

fn ask() -> Ask {
    Ask {
        system: "S".into(),
        user: "U".into(),
        schema: json!({"type": "object"}),
        max_output: 900,
        input_tokens: 4_500,
    }
}

#[test]
fn requests_are_as_the_fixtures() {
    for api in Api::ALL {
        let http = request(&endpoint(api), Dialect::default(), &ask());
        let headers: serde_json::Map<String, Value> =
            http.headers.iter().map(|(k, v)| ((*k).to_owned(), json!(v))).collect();
        let body: Value = serde_json::from_str(&http.body).unwrap();
        let made = json!({"method": http.method, "url": http.url, "headers": headers, "body": body});
        let wanted: Value = serde_json::from_str(&fixture(&format!("judge/{}-request.json", api.id()))).unwrap();
        assert_eq!(made, wanted, "{}", api.id());
    }
}

#[test]
fn whole_answers_and_streams_say_the_same() {
    for api in Api::ALL {
        for (form, tail) in [("answer", "json"), ("stream", "txt")] {
            let body = fixture(&format!("judge/{}-{form}.{tail}", api.id()));
            for body in [body.clone(), body.replace('\n', "\r\n"), format!("\u{feff}{body}")] {
                let reply = read(api, 200, &body).unwrap_or_else(|e| panic!("{} {form}: {e:?}", api.id()));
                assert_eq!(reply.text, "{\"ok\":\"yes\"}", "{} {form}", api.id());
                assert_eq!((reply.input, reply.output), (Some(120), Some(7)), "{} {form}", api.id());
                assert_eq!(reply.model.as_deref(), Some("judge-1-0901"), "{} {form}", api.id());
            }
        }
    }
}

/// A stream that ends before its last word is no answer.
#[test]
fn a_stream_that_breaks_off() {
    for api in Api::ALL {
        let body = fixture(&format!("judge/{}-stream.txt", api.id()));
        let at = body.find("{\\\"ok").unwrap() + 20;
        let cut = &body[..body[at..].find('\n').unwrap() + at + 1];
        let kind = read(api, 200, cut).unwrap_err().kind;
        assert_eq!(kind, Kind::Broken, "{}: {cut}", api.id());
        // Also in the middle of a piece.
        let half = &body[..body.rfind("yes").unwrap().min(body.len())];
        let kind = read(api, 200, half).unwrap_err().kind;
        assert!(matches!(kind, Kind::Broken | Kind::NotJson), "{}: {kind:?}", api.id());
    }
}

fn kind_of(api: Api, status: u16, body: &str) -> Kind {
    read(api, status, body).unwrap_err().kind
}

#[test]
fn failures_are_told_apart() {
    let chat = Api::OpenAiChat;
    let rows: &[(Api, u16, &str, Kind)] = &[
        (chat, 401, r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#, Kind::BadKey),
        (
            Api::Gemini,
            400,
            r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#,
            Kind::BadKey,
        ),
        (chat, 403, r#"{"error":{"message":"You are not allowed to use this model"}}"#, Kind::Forbidden),
        (Api::Ollama, 403, "", Kind::Origin),
        (
            Api::Anthropic,
            403,
            r#"{"type":"error","error":{"type":"permission_error","message":"CORS requests are not allowed for this Organization because of its settings"}}"#,
            Kind::Origin,
        ),
        (
            chat,
            404,
            r#"{"error":{"message":"The model `judge-9` does not exist","code":"model_not_found"}}"#,
            Kind::NoModel,
        ),
        (Api::Ollama, 404, r#"{"error":"model \"judge\" not found, try pulling it first"}"#, Kind::NoModel),
        (
            Api::Anthropic,
            404,
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: judge-9"}}"#,
            Kind::NoModel,
        ),
        (chat, 404, "<html>nothing</html>", Kind::NoPath),
        (chat, 413, "", Kind::TooLarge),
        (chat, 400, r#"{"error":{"message":"This model's maximum context length is 8192 tokens"}}"#, Kind::Context),
        (
            Api::Anthropic,
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            Kind::Context,
        ),
        (chat, 429, r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#, Kind::Rate),
        (
            chat,
            429,
            r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
            Kind::Quota,
        ),
        (
            Api::Anthropic,
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            Kind::Overloaded,
        ),
        (chat, 503, "", Kind::Overloaded),
        (chat, 502, "bad gateway", Kind::Server),
        (chat, 400, r#"{"error":{"message":"'response_format' of type json_schema is not supported"}}"#, Kind::Format),
        (chat, 422, r#"{"detail":"response_format: unexpected value"}"#, Kind::Format),
        (
            chat,
            500,
            r#"{"error":{"message":"[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type')}]"}}"#,
            Kind::Format,
        ),
        (
            chat,
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}"#,
            Kind::LimitName,
        ),
        (chat, 400, r#"{"error":{"message":"streaming is not supported"}}"#, Kind::NoStream),
        (
            Api::Anthropic,
            400,
            r#"{"error":{"message":"anthropic-version: 2026-10-21 is not a valid version"}}"#,
            Kind::Version,
        ),
        (chat, 400, r#"{"error":{"message":"no"}}"#, Kind::BadRequest),
        (chat, 200, "<html>hello</html>", Kind::NotJson),
        (chat, 200, "{\"choices\":[{\"mess", Kind::NotJson),
        (chat, 200, "{\"hello\":1}", Kind::Unknown),
        (chat, 200, "", Kind::NotJson),
        (chat, 200, r#"{"error":{"message":"Provider returned error","code":429}}"#, Kind::Rate),
        (chat, 200, r#"{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#, Kind::Empty),
        (chat, 200, r#"{"choices":[{"message":{"content":"{\"a"},"finish_reason":"length"}]}"#, Kind::Cut),
        (
            chat,
            200,
            r#"{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}"#,
            Kind::Refused,
        ),
        (chat, 200, r#"{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}"#, Kind::Filtered),
        (
            Api::OpenAiResponses,
            200,
            r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}"#,
            Kind::Cut,
        ),
        (
            Api::OpenAiResponses,
            200,
            r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}"#,
            Kind::Refused,
        ),
        (Api::Anthropic, 200, r#"{"content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens"}"#, Kind::Cut),
        (Api::Anthropic, 200, r#"{"content":[],"stop_reason":"refusal"}"#, Kind::Refused),
        (Api::Anthropic, 200, r#"{"content":[],"stop_reason":"model_context_window_exceeded"}"#, Kind::Context),
        (Api::Gemini, 200, r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#, Kind::Filtered),
        (
            Api::Gemini,
            200,
            r#"{"candidates":[{"content":{"parts":[{"text":"{"}]},"finishReason":"MAX_TOKENS"}]}"#,
            Kind::Cut,
        ),
        (Api::Gemini, 200, r#"{"candidates":[{"finishReason":"SAFETY"}]}"#, Kind::Filtered),
        (Api::Ollama, 200, r#"{"message":{"content":"{"},"done":true,"done_reason":"length"}"#, Kind::Cut),
        (Api::Ollama, 200, r#"{"message":{"content":"{"},"done":false}"#, Kind::Broken),
    ];
    for (api, status, body, kind) in rows {
        assert_eq!(kind_of(*api, *status, body), *kind, "{} {status} {body}", api.id());
    }
}

#[test]
fn a_servers_complaint_does_not_show_a_key() {
    let key = "sk-proj-Zx81mQ0pLr72VbNc45TyHgWe";
    let failure =
        read(Api::OpenAiChat, 401, &format!(r#"{{"error":{{"message":"Incorrect API key: {key}"}}}}"#)).unwrap_err();
    assert!(failure.detail.contains("Incorrect API key") && !failure.detail.contains(key), "{}", failure.detail);
    // What no one knows to be a key is not in the words either way: they are short.
    let long = read(Api::OpenAiChat, 400, &"x".repeat(10_000)).unwrap_err();
    assert!(long.detail.chars().count() <= 300);
}

/// Down the ladder until nothing is left; every rung's body differs, and the schema is never lost.
#[test]
fn the_ladder() {
    let format = Failure::new(Kind::Format, Some(400), "");
    for (api, rungs) in [
        (Api::OpenAiChat, vec![Rung::Schema, Rung::ObjectWithSchema, Rung::Object, Rung::Text]),
        (Api::OpenAiResponses, vec![Rung::Schema, Rung::Object, Rung::Text]),
        (Api::Anthropic, vec![Rung::Schema, Rung::Text]),
        (Api::Gemini, vec![Rung::Schema, Rung::Object, Rung::Text]),
        (Api::Ollama, vec![Rung::Schema, Rung::Object, Rung::Text]),
    ] {
        let schema = json!({"type": "object", "required": ["marker_of_the_schema"]});
        let ask = Ask { schema, ..ask() };
        let (mut dialect, mut seen, mut bodies) = (Some(Dialect::default()), Vec::new(), Vec::new());
        while let Some(now) = dialect {
            let body = request(&endpoint(api), now, &ask).body;
            assert!(body.contains("marker_of_the_schema"), "{} {:?}", api.id(), now.rung);
            assert!(!bodies.contains(&body), "{} {:?}", api.id(), now.rung);
            bodies.push(body);
            seen.push(now.rung);
            dialect = now.after(api, &format);
        }
        assert_eq!(seen, rungs, "{}", api.id());
    }
    // What has nothing to do with the format does not change it.
    for kind in [Kind::BadKey, Kind::Rate, Kind::Network, Kind::NoModel, Kind::Context, Kind::Server] {
        assert_eq!(Dialect::default().after(Api::OpenAiChat, &Failure::new(kind, None, "")), None, "{kind:?}");
    }
    let limit = Dialect::default().after(Api::OpenAiChat, &Failure::new(Kind::LimitName, Some(400), "")).unwrap();
    let body = request(&endpoint(Api::OpenAiChat), limit, &ask()).body;
    assert!(body.contains("\"max_tokens\":900") && !body.contains("max_completion_tokens"), "{body}");
    let plain = Dialect::default().after(Api::Ollama, &Failure::new(Kind::NoStream, Some(400), "")).unwrap();
    assert!(!plain.stream && plain.rung == Rung::Schema);
    let old = Dialect::default().after(Api::Anthropic, &Failure::new(Kind::Version, Some(400), "")).unwrap();
    assert!(request(&endpoint(Api::Anthropic), old, &ask()).headers.contains(&("anthropic-version", "2023-06-01")));
}

#[test]
fn lists_of_models() {
    let list = |api: Api, file: &str| models(api, &fixture(&format!("judge/{file}")));
    let named = |names: &[&str]| Some(names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
    assert_eq!(list(Api::OpenAiChat, "models-openai.json"), named(&["judge-1", "judge-2"]));
    assert_eq!(list(Api::Anthropic, "models-openai.json"), named(&["judge-1", "judge-2"]));
    assert_eq!(list(Api::Gemini, "models-gemini.json"), named(&["judge-1"]));
    assert_eq!(list(Api::Ollama, "models-ollama.json"), named(&["judge:latest"]));
    assert_eq!(models(Api::OpenAiChat, "<html>"), None);
    assert_eq!(models(Api::OpenAiChat, "{}"), None);
    let url = |api, base: &str| models_request(&Endpoint::new(api, base, "").unwrap()).url;
    assert_eq!(url(Api::Anthropic, "https://api.anthropic.com"), "https://api.anthropic.com/v1/models");
    assert_eq!(url(Api::Ollama, "http://localhost:11434"), "http://localhost:11434/api/tags");
}

#[test]
fn addresses() {
    let new = |base: &str| Endpoint::new(Api::OpenAiChat, base, "m");
    for (base, why) in [
        ("", BadBase::Empty),
        ("api.example.com/v1", BadBase::Scheme),
        ("ftp://api.example.com", BadBase::Scheme),
        ("javascript:alert(1)", BadBase::Scheme),
        ("https://", BadBase::Scheme),
        ("https:///v1", BadBase::NoHost),
        ("https://:80/v1", BadBase::NoHost),
        ("https://user:secret@example.com/v1", BadBase::Credentials),
        ("https://example.com/v1?key=1", BadBase::Query),
        ("https://exa mple.com", BadBase::Letters),
    ] {
        let found = new(base);
        // "https://" loses its slashes first; either way it is no address.
        assert_eq!(found.as_ref().err(), Some(&why), "{base}: {found:?}");
    }
    let typed = new("  HTTPS://Api.Example.com:8443/v1/chat/completions/ ").unwrap();
    assert_eq!((typed.base.as_str(), typed.host()), ("HTTPS://Api.Example.com:8443/v1", "Api.Example.com:8443"));
    assert!(typed.is_https() && !typed.is_local());
    for (base, loopback, local) in [
        ("http://localhost:11434", true, true),
        ("http://127.0.0.1:8000", true, true),
        ("http://[::1]:8000", true, true),
        ("http://192.168.1.7", false, true),
        ("http://172.32.0.1", false, false),
        ("http://box.local", false, true),
        ("https://127.example.com", false, false),
    ] {
        let e = new(base).unwrap();
        assert_eq!((e.is_loopback(), e.is_local()), (loopback, local), "{base}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any bytes with any status are an answer or a failure, and never stop the reader.
    #[test]
    fn any_bytes_are_read(status in 0u16..700, body in "\\PC{0,200}", api in 0usize..5) {
        let _ = read(Api::ALL[api], status, &body);
        let _ = models(Api::ALL[api], &body);
    }

    /// An answer cut anywhere, with any byte exchanged.
    #[test]
    fn any_damage_is_read(api in 0usize..5, stream: bool, cut in 0.0f64..1.0, at in 0.0f64..1.0, put in "[{}\\[\\]\",:0a\\\\]") {
        let api = Api::ALL[api];
        let (form, tail) = if stream { ("stream", "txt") } else { ("answer", "json") };
        let body = fixture(&format!("judge/{}-{form}.{tail}", api.id()));
        let mut body = body[..(body.len() as f64 * cut) as usize].to_owned();
        let at = (body.len() as f64 * at) as usize;
        if at < body.len() {
            body.replace_range(at..=at, &put);
        }
        if let Ok(reply) = read(api, 200, &body) {
            prop_assert!(!reply.text.trim().is_empty());
        }
    }
}
