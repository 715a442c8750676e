//! Where a provider's index stands, and what a `descriptor_url` points to.
//!
//! Decides: the well-known path; how a reference resolves (RFC 3986 section 5, by the crate `fluent-uri`); which targets
//! are refused (another scheme, credentials, a fragment, this machine, a private network) and which are only remarked
//! (another origin, no encryption). A host is read as browsers read it: `0x7f.1` and `2130706433` are this machine too.
//! O(length). Source: RFC 3986, RFC 8615; the WHATWG URL standard for numbers in hosts.

use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::{Uri, UriRef};

use crate::model::Severity;

/// The folder of everything that is served, below the root of the web server.
pub const FOLDER: &str = ".well-known/skill-sharing/";

/// The name of the index in [`FOLDER`].
pub const INDEX: &str = "index.json";

/// The path of the index on every domain.
pub const PATH: &str = "/.well-known/skill-sharing/index.json";

/// What was remarked about a reference: a reason with the part of the address that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Stable word, for example `url_scheme`.
    pub reason: &'static str,
    pub severity: Severity,
    pub detail: String,
}

/// A reference that resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Absolute and normal, without a fragment.
    pub url: String,
    pub remarks: Vec<Remark>,
}

impl Link {
    /// Whether anything forbids to follow it.
    pub fn is_refused(&self) -> bool {
        self.remarks.iter().any(|r| r.severity == Severity::Error)
    }
}

/// Where addresses may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// This machine and private networks are fine: the page itself is there.
    pub local: bool,
    /// An address without encryption is an error.
    pub strict: bool,
}

/// Resolves a reference against the final address of its index.
pub fn resolve(base: &str, reference: &str, reach: Reach) -> Result<Link, Remark> {
    let bad = || match other_scheme(reference) {
        Some(scheme) => error("url_scheme", &scheme),
        None => error("url_reference", reference),
    };
    let parsed = UriRef::parse(reference).map_err(|_| bad())?;
    let base_uri = Uri::parse(base).map_err(|_| bad())?;
    let whole = parsed.resolve_against(&base_uri.strip_fragment()).map_err(|_| bad())?;
    let mut remarks = Vec::new();
    if let Some(fragment) = whole.fragment() {
        remarks.push(error("url_fragment", &format!("#{}", fragment.as_str())));
    }
    let whole = whole.strip_fragment().normalize();
    judge(&whole, reach, &mut remarks);
    let refused = remarks.iter().any(|r| r.severity == Severity::Error);
    if !refused && origin(whole.as_str()) != origin(base_uri.normalize().as_str()) {
        remarks.push(warning("url_other_origin", origin(whole.as_str()).as_deref().unwrap_or("–")));
    }
    let url = whole.into_string();
    if url == base_uri.strip_fragment().normalize().as_str() {
        remarks.push(error("url_index", &url));
    }
    Ok(Link { url, remarks })
}

/// The scheme of a text that is no reference, when it is none of the web: `data:` with braces in it, for example.
fn other_scheme(text: &str) -> Option<String> {
    let (scheme, _) = text.split_once(':')?;
    let known = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let web = ["http", "https"].iter().any(|w| scheme.eq_ignore_ascii_case(w));
    (known && !web).then(|| format!("{}:", scheme.to_ascii_lowercase()))
}

/// What speaks against asking for an absolute address; the base of a check, or where a redirect ended.
pub fn judge_absolute(url: &str, reach: Reach) -> Vec<Remark> {
    let mut remarks = Vec::new();
    match Uri::parse(url) {
        Ok(uri) => judge(&uri.normalize(), reach, &mut remarks),
        Err(_) => remarks.push(error("url_reference", url)),
    }
    remarks
}

fn judge(uri: &Uri<String>, reach: Reach, remarks: &mut Vec<Remark>) {
    let scheme = uri.scheme().as_str();
    if scheme != "http" && scheme != "https" {
        remarks.push(error("url_scheme", &format!("{scheme}:")));
        return;
    }
    let Some(authority) = uri.authority() else {
        remarks.push(error("url_host", uri.as_str()));
        return;
    };
    if authority.userinfo().is_some() {
        // What stands before the @ may be a password: it is not repeated.
        remarks.push(error("url_userinfo", authority.host()));
    }
    match host_kind(authority.host()) {
        HostKind::Empty => remarks.push(error("url_host", uri.as_str())),
        HostKind::Loopback if !reach.local => remarks.push(error("url_loopback", authority.host())),
        HostKind::Private if !reach.local => remarks.push(error("url_private_address", authority.host())),
        HostKind::Public if scheme == "http" => {
            let severity = if reach.strict { Severity::Error } else { Severity::Warning };
            remarks.push(Remark { reason: "url_http", severity, detail: authority.host().into() });
        }
        _ => {}
    }
}

fn error(reason: &'static str, detail: &str) -> Remark {
    Remark { reason, severity: Severity::Error, detail: detail.into() }
}

fn warning(reason: &'static str, detail: &str) -> Remark {
    Remark { reason, severity: Severity::Warning, detail: detail.into() }
}

/// Scheme, host and port, as browsers compare them.
pub fn origin(url: &str) -> Option<String> {
    let uri = Uri::parse(url).ok()?.normalize();
    let authority = uri.authority()?;
    let port = authority.port().map(|p| p.as_str()).filter(|p| !p.is_empty());
    let port = port.map(|p| format!(":{p}")).unwrap_or_default();
    Some(format!("{}://{}{port}", uri.scheme().as_str(), authority.host()))
}

/// Which network a host is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostKind {
    Public,
    Private,
    Loopback,
    Empty,
}

/// Classifies a host name or address. A name says nothing about where it leads: only those that never leave are known.
pub fn host_kind(host: &str) -> HostKind {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if host.is_empty() {
        return HostKind::Empty;
    }
    if let Some(inner) = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().map_or(HostKind::Public, v6_kind);
    }
    if let Some(address) = v4(&host) {
        return v4_kind(address);
    }
    if host == "localhost" || host.ends_with(".localhost") {
        return HostKind::Loopback;
    }
    let inside = [".local", ".internal", ".lan", ".home.arpa", ".intranet"];
    if inside.iter().any(|end| host.ends_with(end)) { HostKind::Private } else { HostKind::Public }
}

fn v4_kind(a: Ipv4Addr) -> HostKind {
    let [first, second, ..] = a.octets();
    if a.is_loopback() || a.is_unspecified() {
        HostKind::Loopback
    } else if a.is_private() || a.is_link_local() || a.is_broadcast() || (first == 100 && (64..128).contains(&second)) {
        HostKind::Private
    } else {
        HostKind::Public
    }
}

fn v6_kind(a: Ipv6Addr) -> HostKind {
    if a.is_loopback() || a.is_unspecified() {
        return HostKind::Loopback;
    }
    if let Some(v4) = a.to_ipv4_mapped() {
        return v4_kind(v4);
    }
    let first = a.segments()[0];
    // fc00::/7 unique local, fe80::/10 link local.
    if first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80 { HostKind::Private } else { HostKind::Public }
}

/// An IPv4 address in any of the ways that browsers accept: one to four numbers, decimal, octal or hexadecimal.
fn v4(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<&str> = host.split('.').collect();
    if parts.len() > 4 {
        return None;
    }
    let numbers: Vec<u64> = parts.iter().map(|p| number(p)).collect::<Option<_>>()?;
    let (last, first) = numbers.split_last()?;
    if first.iter().any(|n| *n > 255) || *last >= 256u64.pow(5 - numbers.len() as u32) {
        return None;
    }
    let high = first.iter().enumerate().map(|(i, n)| n << (8 * (3 - i as u32))).sum::<u64>();
    u32::try_from(high + last).ok().map(Ipv4Addr::from)
}

fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text {
        _ if text.starts_with("0x") => (text.get(2..)?, 16),
        _ if text.len() > 1 && text.starts_with('0') => (text.get(1..)?, 8),
        _ => (text, 10),
    };
    if digits.is_empty() && radix == 16 {
        return Some(0);
    }
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok()
}

/// What someone typed to have a provider checked, as the address of its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    pub url: String,
    /// The index stands below a path, not at the root of its domain.
    pub below: bool,
}

/// Reads a domain or an address. `https` unless the host is this machine; an address that ends in `.json` is the index
/// itself.
pub fn typed(text: &str) -> Result<Typed, Remark> {
    let text = text.trim();
    if text.is_empty() {
        return Err(error("url_host", text));
    }
    let whole = if text.contains("://") {
        text.to_owned()
    } else {
        let host = text.split(['/', '?', '#']).next().unwrap_or_default();
        let name = match host.strip_prefix('[') {
            Some(inner) => format!("[{}]", inner.split(']').next().unwrap_or_default()),
            None => host.split(':').next().unwrap_or_default().to_owned(),
        };
        let scheme = if host_kind(&name) == HostKind::Loopback { "http" } else { "https" };
        format!("{scheme}://{text}")
    };
    if !whole.is_ascii() {
        return Err(error("url_ascii", text));
    }
    let uri = Uri::parse(whole.as_str()).map_err(|_| error("url_reference", text))?;
    let mut uri = uri.normalize();
    uri.set_fragment(None);
    let path = uri.path().as_str();
    if path.ends_with(".json") {
        return Ok(Typed { below: !path.ends_with(PATH), url: uri.into_string() });
    }
    let folder = path.trim_end_matches('/').to_owned();
    let root = match (uri.scheme().as_str(), uri.authority()) {
        (scheme, Some(authority)) => format!("{scheme}://{}", authority.as_str()),
        (scheme, None) => return Err(error("url_scheme", &format!("{scheme}:"))),
    };
    Ok(Typed { url: format!("{root}{folder}{PATH}"), below: !folder.is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://skills.example.com/.well-known/skill-sharing/index.json";

    #[track_caller]
    fn check(reference: &str, url: &str, reasons: &[&str]) {
        let link = resolve(BASE, reference, Reach::default()).unwrap();
        let found: Vec<_> = link.remarks.iter().map(|r| r.reason).collect();
        assert_eq!((link.url.as_str(), found.as_slice()), (url, reasons), "{reference}");
    }

    #[test]
    fn references_resolve_and_are_judged() {
        let folder = "https://skills.example.com/.well-known/skill-sharing/";
        check("translate.json", &format!("{folder}translate.json"), &[]);
        check("./a/../b.json?x=1", &format!("{folder}b.json?x=1"), &[]);
        check("/skills/handbook.json", "https://skills.example.com/skills/handbook.json", &[]);
        check("//skills.example.com/x", "https://skills.example.com/x", &[]);
        check("HTTPS://SKILLS.example.com:443/x", "https://skills.example.com/x", &[]);
        check("https://cdn.example.net/x", "https://cdn.example.net/x", &["url_other_origin"]);
        check("http://skills.example.com/x", "http://skills.example.com/x", &["url_http", "url_other_origin"]);
        check("x.json#part", &format!("{folder}x.json"), &["url_fragment"]);
        check("x.json#", &format!("{folder}x.json"), &["url_fragment"]);
        check("index.json", BASE, &["url_index"]);
        check("", BASE, &["url_index"]);
        check("../skill-sharing/%69ndex.json", BASE, &["url_index"]);
        check("file:///etc/passwd", "file:///etc/passwd", &["url_scheme"]);
        check("javascript:alert(1)", "javascript:alert(1)", &["url_scheme"]);
        assert_eq!(
            resolve(BASE, "data:application/json,{\"a\":1}", Reach::default()).unwrap_err().reason,
            "url_scheme"
        );
        check("https://u:p@skills.example.com/x", "https://u:p@skills.example.com/x", &["url_userinfo"]);
        for host in
            ["localhost", "127.0.0.1", "[::1]", "0x7f.1", "2130706433", "a.localhost", "0.0.0.0", "017700000001"]
        {
            let link = resolve(BASE, &format!("https://{host}/x"), Reach::default()).unwrap();
            assert_eq!(link.remarks[0].reason, "url_loopback", "{host}");
        }
        for host in [
            "10.1.2.3",
            "192.168.0.1",
            "172.16.9.9",
            "169.254.169.254",
            "[fe80::1]",
            "[fd00::1]",
            "nas.local",
            "100.64.0.1",
        ] {
            let link = resolve(BASE, &format!("https://{host}/x"), Reach::default()).unwrap();
            assert_eq!(link.remarks[0].reason, "url_private_address", "{host}");
        }
        let local = Reach { local: true, strict: false };
        assert!(!resolve("http://localhost:8080/i.json", "x.json", local).unwrap().is_refused());
        for bad in ["a b", "http://[::1", "%zz", "技能.json", "https://a:b:c/", "\u{0}"] {
            assert_eq!(resolve(BASE, bad, Reach::default()).unwrap_err().reason, "url_reference", "{bad}");
        }
        let strict = Reach { local: false, strict: true };
        assert!(resolve(BASE, "http://skills.example.com/x", strict).unwrap().is_refused());
        assert!(!resolve(BASE, "http://skills.example.com/x", Reach::default()).unwrap().is_refused());
    }

    #[test]
    fn what_is_typed_becomes_an_address() {
        let url = |text: &str| typed(text).unwrap().url;
        assert_eq!(url("example.com"), format!("https://example.com{PATH}"));
        assert_eq!(url(" Example.com/ "), format!("https://example.com{PATH}"));
        assert_eq!(url("http://example.com:8080"), format!("http://example.com:8080{PATH}"));
        assert_eq!(url("localhost:4000"), format!("http://localhost:4000{PATH}"));
        assert_eq!(url("127.0.0.1:4000/"), format!("http://127.0.0.1:4000{PATH}"));
        assert_eq!(url("[::1]:4000"), format!("http://[::1]:4000{PATH}"));
        assert_eq!(url("https://a.example/x/skills.json"), "https://a.example/x/skills.json");
        assert!(typed("me.github.io/repo").unwrap().below);
        assert_eq!(url("me.github.io/repo/"), format!("https://me.github.io/repo{PATH}"));
        assert!(!typed(&format!("https://a.example{PATH}")).unwrap().below);
        for bad in ["", "a b", "技能.tw", "http://"] {
            assert!(typed(bad).is_err() || host_kind("") == HostKind::Empty, "{bad}");
        }
        assert_eq!(typed("技能.tw").unwrap_err().reason, "url_ascii");
    }
}
