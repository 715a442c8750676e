//! The protocol's version: its text, its order, and whether a consumer can read a document of it.
//!
//! Decides property 9 (three non-negative integers; which of the ways to be wrong it is) and property 10 (a newer MAJOR
//! is an error, an older one a warning, an equal one is processed normally). Numbers have any length and compare as
//! decimal text: length, then digits. O(length).
//! Source: Skill Sharing Protocol chapter 12, properties 9 and 10; SemVer 2.0.0 clause 2.

use std::cmp::Ordering;

use super::text::{Rule, is_space};

/// The version that a consumer supports when nothing else is said.
pub const SUPPORTED: &str = "1.0.0";

/// What is wrong with a version's text: a stable word, and the id of the sentence that says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionFault {
    pub reason: &'static str,
    pub message: &'static str,
    /// The part of the text that is wrong, or the name of the number.
    pub part: String,
}

const NAMES: [&str; 3] = ["MAJOR", "MINOR", "PATCH"];

/// Checks MAJOR.MINOR.PATCH and says the first thing that is wrong.
pub fn check(text: &str) -> Result<(), VersionFault> {
    if Rule::ProtocolVersion.holds(text) {
        return Ok(());
    }
    let fault = |reason, message, part: &str| Err(VersionFault { reason, message, part: part.to_owned() });
    if text.chars().any(is_space) {
        return fault("semver_space", "skill.semver_space", "");
    }
    let bare = text.trim_start_matches(['v', 'V', '=']);
    if bare.len() < text.len() && Rule::SemVer.holds(bare) {
        return fault("semver_prefix", "skill.semver_prefix", text.get(..text.len() - bare.len()).unwrap_or_default());
    }
    // A suffix begins behind the last number, so that "1.-1.0" is no suffix.
    let core = text.find(['-', '+']).filter(|at| *at > 0 && !text.get(..*at).unwrap_or_default().ends_with('.'));
    if let Some(at) = core {
        let (core, suffix) = text.split_at(at);
        if Rule::ProtocolVersion.holds(core) {
            return fault("semver_suffix", "skill.semver_suffix", suffix);
        }
    }
    let parts: Vec<&str> = text.split('.').collect();
    let mut named = parts.iter().zip(NAMES);
    if let Some((_, name)) = named.find(|(part, _)| !part.is_empty() && !part.bytes().all(|b| b.is_ascii_digit())) {
        return fault("semver_not_number", "skill.semver_not_number", name);
    }
    match parts.len() {
        1 if text.is_empty() => return fault("semver_parts", "skill.semver_parts.empty", ""),
        1 => return fault("semver_parts", "skill.semver_parts.minor", ""),
        2 => return fault("semver_parts", "skill.semver_parts.patch", ""),
        3 => {}
        n => return fault("semver_parts", "skill.semver_parts.many", &n.to_string()),
    }
    if let Some((_, name)) = parts.iter().zip(NAMES).find(|(part, _)| part.is_empty()) {
        return fault("semver_not_number", "skill.semver_not_number", name);
    }
    let name =
        parts.iter().zip(NAMES).find(|(part, _)| part.starts_with('0') && part.len() > 1).map_or("MAJOR", |p| p.1);
    fault("semver_leading_zero", "skill.semver_leading_zero", name)
}

/// MAJOR, MINOR and PATCH of a version that [`check`] takes.
pub fn parts(text: &str) -> Option<[&str; 3]> {
    check(text).ok()?;
    let mut parts = text.split('.');
    Some([parts.next()?, parts.next()?, parts.next()?])
}

/// Compares two numbers without leading zeros, of any length.
pub fn compare_number(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Compares two versions; `None` when one of them is none.
pub fn compare(a: &str, b: &str) -> Option<Ordering> {
    let (a, b) = (parts(a)?, parts(b)?);
    Some(a.iter().zip(b.iter()).map(|(a, b)| compare_number(a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal))
}

/// Whether a consumer can read a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compatibility {
    Compatible,
    /// The same MAJOR, and a MINOR that the consumer does not know: unknown fields are to be expected.
    NewerMinor,
    /// A MAJOR before the consumer's.
    OlderMajor,
    /// A MAJOR after the consumer's, or one that the consumer refuses.
    Incompatible,
}

/// Compares a document's protocol version with the consumer's. `majors`, when not empty, lists every MAJOR that the
/// consumer takes; its own is always among them. `None` when one of the versions is none.
pub fn compatibility(document: &str, supports: &str, majors: &[String]) -> Option<Compatibility> {
    let (theirs, ours) = (parts(document)?, parts(supports)?);
    let [major, minor, _] = theirs;
    Some(match compare_number(major, ours[0]) {
        Ordering::Equal if compare_number(minor, ours[1]).is_gt() => Compatibility::NewerMinor,
        Ordering::Equal => Compatibility::Compatible,
        Ordering::Greater => Compatibility::Incompatible,
        Ordering::Less if majors.is_empty() || majors.iter().any(|m| m == major) => Compatibility::OlderMajor,
        Ordering::Less => Compatibility::Incompatible,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row of the table of property 9.
    #[test]
    fn version_texts() {
        let long = format!("{}.0.0", "9".repeat(400));
        for good in ["0.0.0", "1.0.0", "10.20.30", "18446744073709551616.0.0", &long] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, reason) in [
            ("1.0", "semver_parts"),
            ("1", "semver_parts"),
            ("1.0.0.0", "semver_parts"),
            ("", "semver_parts"),
            ("01.0.0", "semver_leading_zero"),
            ("1.00.0", "semver_leading_zero"),
            ("1.0.0-beta", "semver_suffix"),
            ("1.0.0+b", "semver_suffix"),
            ("-1.0.0", "semver_not_number"),
            ("+1.0.0", "semver_not_number"),
            ("1.-1.0", "semver_not_number"),
            ("v1.0.0", "semver_prefix"),
            (" 1.0.0", "semver_space"),
            ("1.0.0 ", "semver_space"),
            ("1.0.0\n", "semver_space"),
            ("１.0.0", "semver_not_number"),
            ("١.٠.٠", "semver_not_number"),
            ("1..0", "semver_not_number"),
            ("1e3.0.0", "semver_not_number"),
        ] {
            assert_eq!(check(bad).map_err(|f| f.reason), Err(reason), "{bad:?}");
        }
    }

    #[test]
    fn numbers_of_any_length_compare() {
        assert_eq!(compare("2.0.0", "10.0.0"), Some(Ordering::Less));
        assert_eq!(compare("18446744073709551616.0.0", "18446744073709551615.9.9"), Some(Ordering::Greater));
        assert_eq!(compare("1.2.3", "1.2.3"), Some(Ordering::Equal));
        assert_eq!(compare("1.2", "1.2.3"), None);
    }

    #[test]
    fn compatibility_is_about_majors() {
        let with = |d, s| compatibility(d, s, &[]);
        assert_eq!(with("2.0.0", "1.9.9"), Some(Compatibility::Incompatible));
        assert_eq!(with("1.4.0", "1.0.0"), Some(Compatibility::NewerMinor));
        assert_eq!(with("0.1.0", "0.2.0"), Some(Compatibility::Compatible));
        assert_eq!(with("1.0.0", "2.0.0"), Some(Compatibility::OlderMajor));
        assert_eq!(compatibility("1.0.0", "2.0.0", &["2".into()]), Some(Compatibility::Incompatible));
        assert_eq!(compatibility("1.0.0", "3.0.0", &["1".into()]), Some(Compatibility::OlderMajor));
        assert_eq!(with("1.0", "1.0.0"), None);
    }
}
