//! What looks secret is found however it is written, and nothing of it is left. The keys here are made up.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use base64::Engine as _;
use proptest::prelude::*;
use skillscope::share::{Kind, Policy, Redactor, Secret, scan, survey};

fn found(text: &str) -> Vec<(Kind, &str)> {
    scan(text).into_iter().map(|f| (f.kind, &text[f.start..f.end])).collect()
}

#[test]
fn what_looks_secret() {
    let check = |text: &str, want: &[(Kind, &str)]| assert_eq!(found(text), want, "{text}");
    check("use sk-ant-api03-Zm9vYmFyMTIzNDU2Nzg5 now.", &[(Kind::Key, "sk-ant-api03-Zm9vYmFyMTIzNDU2Nzg5")]);
    check("AKIAIOSFODNN7EXAMPL3", &[(Kind::Key, "AKIAIOSFODNN7EXAMPL3")]);
    check("ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", &[(Kind::Key, "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")]);
    check("git@github.com:a/b.git, npm i x@1.2.3, @scope/pkg", &[]);
    check("mail ada@example.org.", &[(Kind::Email, "ada@example.org")]);
    check("/home/ada/x and C:\\Users\\Grace\\y", &[(Kind::Home, "ada"), (Kind::Home, "Grace")]);
    check("/home/runner/work /Users/Shared", &[]);
    check("https://bob:hunter22@host/x?token=abcdefgh1&page=3", &[(Kind::Url, "hunter22"), (Kind::Url, "abcdefgh1")]);
    check("DB_PASSWORD=correcthorse", &[(Kind::Assigned, "correcthorse")]);
    check(r#"{"api_key": "q8Wz3n0Pk2Lm"}"#, &[(Kind::Assigned, "q8Wz3n0Pk2Lm")]);
    check("Authorization: Bearer abc123def456ghi", &[(Kind::Assigned, "abc123def456ghi")]);
    check("max_tokens=4096, token: 128000, password=$PASSWORD", &[]);
    check("the token was refused because it expired", &[]);
    check(
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- x",
        &[(Kind::PrivateKey, "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----")],
    );
    check("-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----", &[]);
    // A commit, a UUID, ids of messages: no secrets.
    check("4d5611e5b0c64b7d9c9bd2f0a1e3c5d7e9f0a1b2 4d5611e5-b0c6-4b7d-9c9b-d2f0a1e3c5d7", &[]);
    check("toolu_01AbCdEfGhIjKlMnOpQrStUvWx2345", &[]);
}

fn secrets(text: &str) -> Vec<Secret> {
    survey([(0, text)].into_iter(), &Policy::default())
}

#[test]
fn the_same_value_has_the_same_placeholder() {
    let text = "from ada@example.org to bob@example.org, cc ada@example.org";
    let redactor = Redactor::new(&secrets(text));
    assert_eq!(redactor.text(text), "from [email-1] to [email-2], cc [email-1]");
    // Known once, a name is found where nothing around it says that it is one.
    let redactor = Redactor::new(&secrets("cd /home/marigold/x"));
    assert_eq!(
        redactor.text("drwx marigold staff -Users-marigold-x marigolds"),
        "drwx [user-1] staff -Users-[user-1]-x marigolds"
    );
}

#[test]
fn decisions_of_the_user() {
    let text = "Ask Ada Lovelace of ACME at ada@acme.example";
    let policy = Policy {
        names: vec!["acme".into()],
        keep: BTreeSet::from(["ada@acme.example".to_owned()]),
        ..Policy::default()
    };
    let found = survey([(7, text)].into_iter(), &policy);
    assert_eq!(
        found.iter().map(|s| (s.value.as_str(), s.count, s.places.as_slice())).collect::<Vec<_>>(),
        [("ACME", 1, [7].as_slice()), ("acme", 1, &[7])]
    );
    let policy = Policy { kinds: BTreeSet::from([Kind::Key]), ..Policy::default() };
    assert!(survey([(0, text)].into_iter(), &policy).is_empty());
}

#[test]
fn json_stays_json_and_all_else_stays() {
    let text = "{\"ada@example.org\": [1.50, \"x ada\\u0040example.org\", {\"a\":\"b\"}],  \"n\":null}";
    let clean = Redactor::new(&secrets(text)).json(text);
    assert_eq!(clean, "{\"[email-1]\": [1.50, \"x [email-1]\", {\"a\":\"b\"}],  \"n\":null}");
}

/// The ways in which a value may stand in a file.
fn wrap(value: &str, how: u8) -> String {
    let json = |text: &str| serde_json::to_string(text).unwrap();
    match how {
        0 => value.to_owned(),
        1 => json(&json(value)),
        2 => value.bytes().map(|b| format!("%{b:02x}")).collect(),
        3 => value.encode_utf16().map(|u| format!("\\u{u:04x}")).collect(),
        4 => base64::engine::general_purpose::STANDARD.encode(format!("user: {value} and more")),
        5 => base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(json(value)),
        _ => json(&format!("echo {}", json(value))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_survives(before in ".{0,20}", after in ".{0,20}", how in 0..7u8, again in 0..7u8) {
        const VALUES: [&str; 4] =
            ["sk-proj-Q2x5Zm9vYmFyMTIzNDU2Nzg5", "ada.lovelace@example.org", "AKIAIOSFODNN7EXAMPL3", "glpat-x1Y2z3A4b5C6d7E8f9G0"];
        let first: String = VALUES.iter().map(|v| format!("{v} ")).collect();
        let text = format!("{first}{before} {} {after} {}", wrap(VALUES[0], how), wrap(VALUES[1], again));
        let redactor = Redactor::new(&secrets(&text));
        let clean = redactor.text(&text);
        prop_assert!(redactor.left_in(clean.as_bytes()).is_empty(), "{clean}");
        for value in VALUES {
            prop_assert!(!clean.contains(value));
        }
        // A whole file as JSON: still JSON, and clean.
        let file = serde_json::to_string(&serde_json::json!({"k": text, "list": [text]})).unwrap();
        let clean = redactor.json(&file);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok());
        prop_assert!(redactor.left_in(clean.as_bytes()).is_empty(), "{clean}");
    }

    #[test]
    fn any_text_at_all(text in any::<String>()) {
        let _ = scan(&text);
        let redactor = Redactor::new(&secrets(&text));
        let clean = redactor.text(&text);
        prop_assert!(redactor.left_in(clean.as_bytes()).is_empty());
        let _ = redactor.json(&text);
    }
}
