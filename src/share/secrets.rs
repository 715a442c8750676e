//! What in a text looks secret or personal: keys by their makers' prefixes, private keys, values that stand where a
//! secret is assigned, credentials in URLs, dense random words, e-mail addresses, names in home folders, names that the
//! user adds.
//!
//! Decides where such a value begins and ends, nothing about what is done with it. Cost: O(length), a few passes.
//! Source: the prefixes are those that the makers document for their keys.

use std::collections::BTreeMap;

/// Why a value should not leave the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A key of a service, by its prefix.
    Key,
    /// A PEM block.
    PrivateKey,
    /// User, password or token in a URL.
    Url,
    /// What stands behind `password=`, `Authorization: Bearer`, …
    Assigned,
    /// A long dense random word.
    Random,
    Email,
    /// The name in a home folder's path.
    Home,
    /// A name that the user added.
    Name,
}

impl Kind {
    pub const ALL: [Kind; 8] =
        [Kind::Key, Kind::PrivateKey, Kind::Assigned, Kind::Url, Kind::Random, Kind::Email, Kind::Home, Kind::Name];

    /// Stable word: in placeholders, settings and message ids.
    pub fn id(self) -> &'static str {
        match self {
            Kind::Key => "key",
            Kind::PrivateKey => "private-key",
            Kind::Assigned => "secret",
            Kind::Url => "url-secret",
            Kind::Random => "random",
            Kind::Email => "email",
            Kind::Home => "user",
            Kind::Name => "name",
        }
    }
}

/// A value that was found, as a range of bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Prefix of a key, and the least length of the whole.
const PREFIXES: [(&str, usize); 47] = [
    ("sk-", 20),
    ("pk-lf-", 20),
    ("sk_live_", 20),
    ("sk_test_", 20),
    ("rk_live_", 20),
    ("pk_live_", 20),
    ("whsec_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 30),
    ("glpat-", 20),
    ("glrt-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xoxr-", 20),
    ("xapp-", 20),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 35),
    ("ya29.", 30),
    ("GOCSPX-", 24),
    ("hf_", 30),
    ("npm_", 36),
    ("pypi-", 40),
    ("SG.", 40),
    ("dop_v1_", 40),
    ("shpat_", 32),
    ("lin_api_", 30),
    ("ntn_", 30),
    ("secret_", 32),
    ("tvly-", 20),
    ("gsk_", 30),
    ("xai-", 30),
    ("r8_", 30),
    ("pplx-", 30),
    ("fw_", 20),
    ("nvapi-", 30),
    ("lsv2_", 30),
    ("AGE-SECRET-KEY-", 40),
    ("hvs.", 24),
    ("sbp_", 30),
    ("dckr_pat_", 20),
    ("figd_", 30),
];

/// Words before `=` or `:` whose value is a secret.
const ASSIGNED: [&str; 16] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "client_secret",
    "api_key",
    "apikey",
    "access_key",
    "secret_key",
    "private_key",
    "auth_token",
    "access_token",
    "refresh_token",
    "id_token",
    "session_token",
    "token",
];

/// Parameters of a URL whose value is a secret.
const PARAMETERS: [&str; 14] = [
    "access_token",
    "token",
    "key",
    "api_key",
    "apikey",
    "auth",
    "secret",
    "password",
    "pwd",
    "sig",
    "signature",
    "x-amz-signature",
    "code",
    "client_secret",
];

/// Words that say by themselves that they are no secret: ids that logs are full of.
const IDS: [&str; 16] = [
    "toolu_",
    "tooluse_",
    "msg_",
    "call_",
    "chatcmpl-",
    "resp_",
    "req_",
    "fc_",
    "rs_",
    "run_",
    "thread_",
    "item_",
    "ctc_",
    "srvtoolu_",
    "asst_",
    "file-",
];

/// Owners of home folders that are nobody.
const NOBODY: [&str; 16] = [
    "user",
    "users",
    "runner",
    "ubuntu",
    "debian",
    "node",
    "vscode",
    "app",
    "root",
    "shared",
    "public",
    "default",
    "codespace",
    "openhands",
    "sandbox",
    "agent",
];

/// Everything in the text that looks secret or personal, in order, without overlaps; the longer of two wins.
pub fn scan(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    private_keys(text, &mut found);
    urls(text, &mut found);
    words(text, &mut found);
    assigned(text, &mut found);
    emails(text, &mut found);
    homes(text, &mut found);
    settle(found)
}

/// In order, without overlaps.
fn settle(mut found: Vec<Found>) -> Vec<Found> {
    found.retain(|f| f.start < f.end);
    found.sort_by_key(|f| (f.start, std::cmp::Reverse(f.end), f.kind));
    let mut out: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        match out.last_mut() {
            Some(last) if next.start < last.end => {
                if next.end - next.start > last.end - last.start {
                    *last = Found { start: last.start.min(next.start), ..next };
                } else {
                    last.end = last.end.max(next.end);
                }
            }
            _ => out.push(next),
        }
    }
    out
}

fn private_keys(text: &str, found: &mut Vec<Found>) {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|t| t.find("-----BEGIN ")).map(|at| from + at) {
        let line = text.get(at..).map(|t| t.split(['\n', '\\']).next().unwrap_or_default()).unwrap_or_default();
        from = at + 11;
        if !line.contains("PRIVATE KEY") {
            continue;
        }
        let end = text
            .get(from..)
            .and_then(|t| t.find("-----END ").map(|e| (e, t)))
            .and_then(|(e, t)| t.get(e + 9..).and_then(|t| t.find("-----")).map(|close| from + e + 9 + close + 5))
            .unwrap_or(text.len());
        found.push(Found { kind: Kind::PrivateKey, start: at, end });
        from = end;
    }
}

/// Runs of letters that satisfy `is`, as ranges.
fn runs(text: &str, is: impl Fn(u8) -> bool) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + bytes.get(at..)?.iter().position(|b| is(*b))?;
        let len = bytes.get(from..)?.iter().take_while(|b| is(**b)).count();
        at = from + len;
        Some((from, at))
    })
}

fn words(text: &str, found: &mut Vec<Found>) {
    for (start, end) in runs(text, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')) {
        let Some(word) = text.get(start..end) else { continue };
        let word = word.trim_end_matches(['.', '-']);
        let end = start + word.len();
        if word.len() < 16 {
            continue;
        }
        let keyed = PREFIXES
            .iter()
            .any(|(prefix, least)| word.starts_with(prefix) && word.len() >= *least && random(word, 2.8));
        if keyed || is_jwt(word) {
            found.push(Found { kind: Kind::Key, start, end });
        }
    }
    // Base64 of a random value; a longer run is data.
    for (start, end) in runs(text, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'/' | b'=')) {
        let Some(word) = text.get(start..end) else { continue };
        let dense = (32..=128).contains(&word.len())
            && word.bytes().any(|b| b.is_ascii_lowercase())
            && word.bytes().any(|b| b.is_ascii_uppercase())
            && word.bytes().filter(u8::is_ascii_digit).count() >= 3
            && word.bytes().filter(|b| matches!(b, b'/' | b'-' | b'_')).count() <= 3
            && !IDS.iter().any(|id| word.starts_with(id));
        if dense && entropy(word) >= 4.3 {
            found.push(Found { kind: Kind::Random, start, end });
        }
    }
}

/// Three parts of base64 whose first is a JSON object.
fn is_jwt(word: &str) -> bool {
    word.starts_with("eyJ") && word.split('.').count() == 3 && word.split('.').take(2).all(|part| part.len() >= 10)
}

/// Whether a word has letters and digits as a random one has.
fn random(word: &str, least: f64) -> bool {
    word.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) && entropy(word) >= least
}

/// Shannon entropy in bits a byte.
fn entropy(word: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in word.bytes() {
        if let Some(count) = counts.get_mut(byte as usize) {
            *count += 1;
        }
    }
    let all = word.len().max(1) as f64;
    counts.iter().filter(|c| **c > 0).map(|c| f64::from(*c) / all).map(|p| -p * p.log2()).sum()
}

/// `password = "…"`, `"api_key": "…"`, `Authorization: Bearer …`.
fn assigned(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    for (start, end) in runs(text, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
        let Some(name) = text.get(start..end) else { continue };
        if name.len() > 64 {
            continue;
        }
        let name = name.to_ascii_lowercase().replace('-', "_");
        let skip = |mut at: usize, set: &[u8]| {
            while bytes.get(at).is_some_and(|b| set.contains(b)) {
                at += 1;
            }
            at
        };
        let from = if name == "bearer" {
            skip(end, b" ")
        } else {
            let known =
                ASSIGNED.iter().any(|word| name == *word || name.strip_suffix(word).is_some_and(|n| n.ends_with('_')));
            if !known {
                continue;
            }
            let gap = skip(end, b"\"'\\ \t");
            if !matches!(bytes.get(gap), Some(b'=' | b':')) {
                continue;
            }
            skip(gap + 1, b"\"'\\ \t")
        };
        let value = text.get(from..).unwrap_or_default();
        let value =
            value.split(|c: char| c.is_whitespace() || "\"'`,;&<>()[]{}\\".contains(c)).next().unwrap_or_default();
        let secret = value.len() >= 8
            && !value.starts_with(['$', '%', '*'])
            && !value.eq_ignore_ascii_case("redacted")
            && (name.contains("pass") && entropy(value) >= 2.0
                || random(value, 2.8) && value.bytes().any(|b| b.is_ascii_digit()))
            && value.parse::<f64>().is_err()
            && !value.starts_with("Bearer");
        if secret {
            found.push(Found { kind: Kind::Assigned, start: from, end: from + value.len() });
        }
    }
}

/// Credentials in `scheme://user:password@host` and in parameters.
fn urls(text: &str, found: &mut Vec<Found>) {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|t| t.find("://")).map(|at| from + at + 3) {
        let rest = text.get(at..).unwrap_or_default();
        let url = rest.split(|c: char| c.is_whitespace() || "\"'`<>\\)".contains(c)).next().unwrap_or_default();
        from = at + url.len().max(1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let authority = url.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some((user, _)) = authority.rsplit_once('@') {
            let start = at + user.find(':').map_or(0, |colon| colon + 1);
            found.push(Found { kind: Kind::Url, start, end: at + user.len() });
        }
        let mut start = at;
        for part in url.split_inclusive(['?', '&', '#']) {
            let end = start + part.trim_end_matches(['?', '&', '#']).len();
            if let Some((name, value)) = part.trim_end_matches(['?', '&', '#']).split_once('=')
                && PARAMETERS.contains(&name.to_ascii_lowercase().as_str())
                && value.len() >= 8
            {
                found.push(Found { kind: Kind::Url, start: end - value.len(), end });
            }
            start += part.len();
        }
    }
}

fn emails(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices('@') {
        let local = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'%' | b'+' | b'-');
        let start = at - bytes.get(..at).map_or(0, |b| b.iter().rev().take_while(|b| local(b)).count());
        let host = bytes.get(at + 1..).unwrap_or_default();
        let len = host.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')).count();
        let host = text.get(at + 1..at + 1 + len).unwrap_or_default().trim_end_matches(['.', '-']);
        let top = host.rsplit('.').next().unwrap_or_default();
        let name = text.get(start..at).unwrap_or_default();
        let sound = !name.is_empty()
            && name != "git"
            && host.contains('.')
            && (2..=24).contains(&top.len())
            && top.bytes().all(|b| b.is_ascii_alphabetic());
        if sound {
            found.push(Found { kind: Kind::Email, start, end: at + 1 + host.len() });
        }
    }
}

/// The owner's name in `/home/NAME`, `/Users/NAME`, `C:\Users\NAME`.
fn homes(text: &str, found: &mut Vec<Found>) {
    for folder in ["home", "Users"] {
        for (at, _) in text.match_indices(folder) {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let after = text.get(at + folder.len()..).unwrap_or_default();
            let name = after.trim_start_matches(['/', '\\']);
            let gap = after.len() - name.len();
            if !matches!(before, Some('/' | '\\')) || gap == 0 || gap > 8 {
                continue;
            }
            let len = name
                .bytes()
                .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-') || *b >= 0x80)
                .count();
            let Some(owner) = name.get(..len) else { continue };
            let owner = owner.trim_end_matches('.');
            if owner.is_empty() || NOBODY.contains(&owner.to_ascii_lowercase().as_str()) {
                continue;
            }
            let start = at + folder.len() + gap;
            found.push(Found { kind: Kind::Home, start, end: start + owner.len() });
        }
    }
}

/// How many of each kind.
pub fn tally(found: &[Found]) -> BTreeMap<Kind, u32> {
    let mut out = BTreeMap::new();
    for one in found {
        *out.entry(one.kind).or_insert(0) += 1;
    }
    out
}
