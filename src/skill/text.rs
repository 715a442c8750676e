//! Rules for texts: what a version, an identifier, a URI or a moment may look like.
//!
//! Decides by hand-written matchers, so that a check can say what is wrong and needs no regular expressions; the
//! pattern or format that goes into the schemas stands beside each, and `tests/properties.rs` holds the two together.
//! O(length), no allocation. Source: SemVer 2.0.0, RFC 3339, RFC 3986, RFC 1123.

/// A rule that a text follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Any,
    /// Holds something other than white space.
    Visible,
    /// ASCII letters, digits and `._:/@+~%-`, beginning with a letter or digit.
    Id,
    /// A word of an open list.
    Token,
    /// `sha256:` and 64 hexadecimal digits.
    Digest,
    /// Begins with `/`.
    Path,
    /// MAJOR.MINOR.PATCH.
    ProtocolVersion,
    /// SemVer 2.0.0 in full.
    SemVer,
    /// Begins with `https://`.
    Https,
    Uri,
    UriReference,
    Hostname,
    DateTime,
}

impl Rule {
    /// The pattern of the schemas (ECMA-262, and `[0-9]` for digits: `\d` is wider in some languages).
    pub fn pattern(self) -> Option<&'static str> {
        Some(match self {
            Rule::Visible => r"\S",
            Rule::Id => r"^[A-Za-z0-9][A-Za-z0-9._:/@+~%-]*$",
            Rule::Token => r"^[A-Za-z][A-Za-z0-9_.-]*$",
            Rule::Digest => r"^sha256:[0-9a-f]{64}$",
            Rule::Path => r"^/",
            Rule::ProtocolVersion => r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$",
            Rule::SemVer => {
                r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
            }
            Rule::Https => r"^https://",
            Rule::Any | Rule::Uri | Rule::UriReference | Rule::Hostname | Rule::DateTime => return None,
        })
    }

    /// The `format` of the schemas.
    pub fn format(self) -> Option<&'static str> {
        Some(match self {
            Rule::Uri => "uri",
            Rule::UriReference => "uri-reference",
            Rule::Hostname => "hostname",
            Rule::DateTime => "date-time",
            _ => return None,
        })
    }

    /// The stable word for a text that breaks the rule.
    pub fn reason(self) -> &'static str {
        match self {
            Rule::Visible => "blank",
            Rule::SemVer => "semver",
            Rule::Https => "https",
            Rule::Uri => "format_uri",
            Rule::UriReference => "format_uri_reference",
            Rule::Hostname => "format_hostname",
            Rule::DateTime => "format_date_time",
            Rule::Any | Rule::Id | Rule::Token | Rule::Digest | Rule::Path | Rule::ProtocolVersion => "pattern",
        }
    }

    /// Whether the text follows the rule.
    pub fn holds(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let tail = |first: fn(&u8) -> bool, more: &[u8]| {
            bytes.first().is_some_and(first)
                && bytes.iter().skip(1).all(|b| b.is_ascii_alphanumeric() || more.contains(b))
        };
        match self {
            Rule::Any => true,
            Rule::Visible => text.chars().any(|c| !is_space(c)),
            Rule::Id => tail(u8::is_ascii_alphanumeric, b"._:/@+~%-"),
            Rule::Token => tail(u8::is_ascii_alphabetic, b"_.-"),
            Rule::Digest => text.strip_prefix("sha256:").is_some_and(|hex| {
                hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            }),
            Rule::Path => text.starts_with('/'),
            Rule::ProtocolVersion => is_core(text),
            Rule::SemVer => is_semver(text),
            Rule::Https => text.starts_with("https://"),
            Rule::Uri => is_uri(text),
            Rule::UriReference => is_reference(text),
            Rule::Hostname => is_hostname(text),
            Rule::DateTime => instant(text).is_some(),
        }
    }
}

/// White space as `\s` of ECMA-262 has it.
pub fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// A number without sign and leading zero.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
}

fn is_core(text: &str) -> bool {
    text.split('.').count() == 3 && text.split('.').all(is_number)
}

fn is_semver(text: &str) -> bool {
    let (rest, build) = match text.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match rest.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (rest, None),
    };
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let pre_part = |part: &str| word(part) && (!part.bytes().all(|b| b.is_ascii_digit()) || is_number(part));
    is_core(core)
        && pre.is_none_or(|pre| pre.split('.').all(pre_part))
        && build.is_none_or(|build| build.split('.').all(word))
}

/// RFC 1123: labels of letters, digits and inner hyphens, up to 63 each and 253 together.
fn is_hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

/// RFC 3986: a scheme and what follows.
fn is_uri(text: &str) -> bool {
    scheme(text).is_some_and(|(_, rest)| is_relative(rest, true))
}

/// RFC 3986: a URI, or a reference relative to one.
fn is_reference(text: &str) -> bool {
    is_uri(text) || is_relative(text, false)
}

/// The scheme of a URI and what stands behind its colon.
pub fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let good = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    good.then_some((scheme, rest))
}

/// Authority, path, query and fragment. Without a scheme the first segment of the path holds no colon.
fn is_relative(text: &str, after_scheme: bool) -> bool {
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(end);
            if !is_authority(authority) {
                return false;
            }
            path
        }
        None => {
            let first = rest.split('/').next().unwrap_or_default();
            if !after_scheme && first.contains(':') {
                return false;
            }
            rest
        }
    };
    are_uri_chars(path, b":@/") && are_uri_chars(query, b":@/?") && are_uri_chars(fragment, b":@/?")
}

fn is_authority(text: &str) -> bool {
    let (user, place) = text.rsplit_once('@').unwrap_or(("", text));
    if !are_uri_chars(user, b":") {
        return false;
    }
    let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => {
            if !is_ip_literal(address) {
                return false;
            }
            let port = if rest.is_empty() { Some("") } else { rest.strip_prefix(':') };
            let Some(port) = port else { return false };
            ("", port)
        }
        None => place.rsplit_once(':').unwrap_or((place, "")),
    };
    are_uri_chars(host, b"") && port.bytes().all(|b| b.is_ascii_digit())
}

/// An IPv6 address (RFC 4291, by the standard library) or a future one (`v1.x`).
fn is_ip_literal(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix(['v', 'V']) {
        return rest.split_once('.').is_some_and(|(version, rest)| {
            !version.is_empty()
                && version.bytes().all(|b| b.is_ascii_hexdigit())
                && !rest.is_empty()
                && are_uri_chars(rest, b":")
                && !rest.contains('%')
        });
    }
    text.parse::<std::net::Ipv6Addr>().is_ok()
}

/// Unreserved characters, sub-delimiters, percent-encoded bytes, and `more`.
fn are_uri_chars(text: &str, more: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        if b == b'%' {
            let hex = bytes.get(at + 1..at + 3);
            if !hex.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
                return false;
            }
            at += 3;
            continue;
        }
        if !(b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b) || more.contains(&b)) {
            return false;
        }
        at += 1;
    }
    true
}

/// A moment: seconds since 1970 in UTC, and the digits of its fraction. Comparable as it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant {
    seconds: i64,
    fraction: String,
}

/// Reads an RFC 3339 date-time. A leap second is taken where one can be: at 23:59:60 in UTC.
pub fn instant(text: &str) -> Option<Instant> {
    let bytes = text.as_bytes();
    let num = |from: usize, len: usize| -> Option<i64> {
        let digits = bytes.get(from..from + len)?;
        digits.iter().try_fold(0i64, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
    };
    let is = |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|b| wanted.contains(b));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt") && is(13, b":") && is(16, b":")) {
        return None;
    }
    let (year, month, day) = (num(0, 4)?, num(5, 2)?, num(8, 2)?);
    let (hour, minute, second) = (num(11, 2)?, num(14, 2)?, num(17, 2)?);
    let leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap_year => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    if is(at, b".") {
        let digits = bytes.iter().skip(20).take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        at += 1 + digits;
    }
    let fraction = text.get(20..at).unwrap_or_default().trim_end_matches('0').to_owned();
    let offset = match bytes.get(at) {
        Some(b'Z' | b'z') if bytes.len() == at + 1 => 0,
        Some(&sign @ (b'+' | b'-')) if bytes.len() == at + 6 && is(at + 3, b":") => {
            let (hours, minutes) = (num(at + 1, 2)?, num(at + 4, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if sign == b'-' { -1 } else { 1 }
        }
        _ => return None,
    };
    let of_day = (hour * 60 + minute - offset).rem_euclid(1440);
    if second == 60 && of_day != 1439 {
        return None;
    }
    // Days since the epoch by the usual era arithmetic (as in model::time, which is lenient where this is not).
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year - era * 400;
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    Some(Instant { seconds: days * 86_400 + (hour * 60 + minute - offset) * 60 + second, fraction })
}

/// How many single letters lie between two words; `limit + 1` when more than `limit`. O(length²) on short words.
pub fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(256).collect(), b.chars().take(256).collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(&b) {
            let up = *cell;
            left = (diagonal + usize::from(x != y)).min(up + 1).min(left + 1);
            diagonal = up;
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0).min(limit + 1)
}

/// The known word that `word` was probably meant to be: at most two letters away, and less than half of it.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let near = known.into_iter().map(|k| {
        let away = if k.eq_ignore_ascii_case(word) { 0 } else { distance(word, k, 2) };
        (away, k)
    });
    let (away, found) = near.min_by_key(|(away, _)| *away)?;
    (away <= 2 && away * 2 < found.chars().count().max(2)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: Rule, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(rule.holds(text), "{rule:?} should take {text:?}");
        }
        for text in bad {
            assert!(!rule.holds(text), "{rule:?} should refuse {text:?}");
        }
    }

    #[test]
    fn texts() {
        check(Rule::Visible, &["a", " a ", "翻"], &["", " ", "\t\u{3000}\u{feff}"]);
        check(Rule::Id, &["com.example/translate", "urn:x:y", "a%20b"], &["", "/a", "翻譯", "a b", "a\n"]);
        check(Rule::Token, &["user", "iFay", "a.b-c_d"], &["", "1a", "a b"]);
        check(Rule::ProtocolVersion, &["0.0.0", "10.20.30"], &["1.0", "01.0.0", "1.0.0\n", "１.0.0", "1.0.0-a"]);
        check(
            Rule::SemVer,
            &["1.0.0", "1.0.0-a.1+b.01", "1.0.0--", "1.0.0+0-0"],
            &["1.0", "1.0.0-01", "1.0.0-", "1.0.0+", "v1.0.0"],
        );
    }

    #[test]
    fn addresses() {
        check(
            Rule::Uri,
            &["https://a.b/c?d#e", "pkg:npm/x", "urn:a:b", "http://[::1]:80/", "x://u:p@h", "a:", "https://h/%41"],
            &["", "/a", "//h/a", "1a:b", "https://h/ a", "https://h/{id}", "https://[::1", "http://h:x/", "a:%4"],
        );
        check(
            Rule::UriReference,
            &["", "a/b", "./a:b", "/a", "//h/a", "#f", "?q", "https://h"],
            &["a b", "1:2", "\\a"],
        );
        check(
            Rule::Hostname,
            &["example.com", "a", "xn--a", "1.2.3.4", "r3---sn.example"],
            &["", "a_b", "-a", "a-", "a..b", "例.com"],
        );
    }

    #[test]
    fn moments() {
        check(
            Rule::DateTime,
            &["2026-01-02T03:04:05Z", "2024-02-29t00:00:00.5z", "1998-12-31T23:59:60Z", "1998-12-31T18:59:60-05:00"],
            &[
                "2026-01-02 03:04:06",
                "2026-01-02 03:04:06Z",
                "2026-02-29T00:00:00Z",
                "2026-01-02T03:04:05",
                "2026-01-02T24:00:00Z",
                "2026-01-02T03:04:60Z",
                "2026-01-02T03:04:05.Z",
                "2026-01-02T03:04:05+1:00",
            ],
        );
        assert!(instant("2026-01-02T03:04:05+01:00") < instant("2026-01-02T03:04:05Z"));
        assert_eq!(instant("2026-01-02T03:04:05.50Z"), instant("2026-01-02T04:04:05.5+01:00"));
        assert!(instant("2026-01-02T03:04:05.05Z") < instant("2026-01-02T03:04:05.5Z"));
    }

    #[test]
    fn near_words() {
        assert_eq!(nearest("Public", ["public", "private"]), Some("public"));
        assert_eq!(nearest("descripton", ["description", "name"]), Some("description"));
        assert_eq!(nearest("tool", ["plugin", "api", "knowledge", "task"]), None);
        assert_eq!(nearest("id", ["in"]), None);
        assert_eq!(distance("kitten", "sitting", 5), 3);
        assert_eq!(distance("", "abc", 2), 3);
    }
}
