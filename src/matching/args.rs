//! When do the arguments of a call satisfy those of a reference call? O(arguments).
//!
//! The direction of a rule is named from the run's side and is the same in every mode.

use crate::model::{Args, canonical_args, canonical_entries};

/// How the arguments of one tool are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ArgRule {
    /// Equal in canonical form.
    #[default]
    Exact,
    /// The tool alone counts.
    Ignore,
    /// What the reference names must be in the run's; the run may name more.
    RefSubset,
    /// What the run names must be in the reference's; the reference may name more.
    OutSubset,
    /// Only these arguments count.
    Keys(Vec<String>),
    /// These arguments by a rule of their own, all others exactly.
    Fields(Vec<(String, Field)>),
}

/// The rule of one argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    Ignore,
    /// The run's text has this form; `*` stands for any characters.
    Like(String),
    /// Numbers that differ by no more.
    Within(f64),
}

impl ArgRule {
    /// Whether the rule divides calls into classes: then calls are counted by class instead of compared in pairs.
    pub fn is_equivalence(&self) -> bool {
        match self {
            Self::Exact | Self::Ignore | Self::Keys(_) => true,
            Self::RefSubset | Self::OutSubset => false,
            Self::Fields(fields) => fields.iter().all(|(_, f)| *f == Field::Ignore),
        }
    }

    /// Reads a rule as the command line writes it: `exact`, `ignore`, `ref_subset`, `out_subset`, `keys:a,b`,
    /// `ignore:a,b`, `like:name=*.py`, `within:name=0.01`.
    pub fn parse(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once(':').map_or((text, None), |(w, r)| (w, Some(r)));
        let names = |r: &str| r.split(',').map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect::<Vec<_>>();
        let field = |r: &str, make: &dyn Fn(&str) -> Option<Field>| {
            let (name, value) = r.split_once('=')?;
            Some(Self::Fields(vec![(name.trim().to_owned(), make(value)?)]))
        };
        match (word, rest) {
            ("exact", None) => Some(Self::Exact),
            ("ignore", None) => Some(Self::Ignore),
            ("ref_subset", None) => Some(Self::RefSubset),
            ("out_subset", None) => Some(Self::OutSubset),
            ("keys", Some(r)) => Some(Self::Keys(names(r))),
            ("ignore", Some(r)) => Some(Self::Fields(names(r).into_iter().map(|n| (n, Field::Ignore)).collect())),
            ("like", Some(r)) => field(r, &|v| Some(Field::Like(v.to_owned()))),
            ("within", Some(r)) => {
                field(r, &|v| v.parse().ok().filter(|t: &f64| t.is_finite() && *t >= 0.0).map(Field::Within))
            }
            _ => None,
        }
    }

    /// Joins the fields of two rules; otherwise the later rule wins.
    pub fn and(self, later: Self) -> Self {
        match (self, later) {
            (Self::Fields(mut a), Self::Fields(b)) => {
                a.extend(b);
                Self::Fields(a)
            }
            (_, later) => later,
        }
    }
}

/// Arguments in canonical form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Canon {
    /// (name, canonical value), ascending; none for arguments that are no object.
    pub entries: Vec<(String, String)>,
    pub text: String,
    pub is_object: bool,
}

/// An argument that differs: canonical values, `None` where a side does not have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub key: String,
    pub run: Option<String>,
    pub reference: Option<String>,
}

impl Canon {
    pub fn new(args: &Args) -> Self {
        let entries = canonical_entries(args);
        Self { text: canonical_args(args), is_object: entries.is_some(), entries: entries.unwrap_or_default() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        let at = self.entries.binary_search_by(|(k, _)| k.as_str().cmp(key)).ok()?;
        self.entries.get(at).map(|(_, v)| v.as_str())
    }

    /// What decides the class under an equivalence.
    pub fn class(&self, rule: &ArgRule) -> String {
        let kept = |keep: &dyn Fn(&str) -> bool| {
            let entries = self.entries.iter().filter(|(k, _)| keep(k));
            entries.map(|(k, v)| format!("{}:{k}={v}\n", k.len())).collect::<String>()
        };
        match rule {
            ArgRule::Ignore => String::new(),
            ArgRule::Keys(keys) if self.is_object => kept(&|k| keys.iter().any(|name| name == k)),
            ArgRule::Fields(fields) if self.is_object => kept(&|k| !fields.iter().any(|(name, _)| name == k)),
            _ => self.text.clone(),
        }
    }
}

/// Whether the run's arguments satisfy the reference's.
pub fn satisfies(run: &Canon, reference: &Canon, rule: &ArgRule) -> bool {
    if *rule == ArgRule::Ignore {
        return true;
    }
    if !(run.is_object && reference.is_object) {
        return run.text == reference.text;
    }
    differing(run, reference, rule).is_empty()
}

/// The arguments that keep the run's from satisfying the reference's.
pub fn differing(run: &Canon, reference: &Canon, rule: &ArgRule) -> Vec<Differing> {
    let mut keys: Vec<&str> = run.entries.iter().chain(&reference.entries).map(|(k, _)| k.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut out = Vec::new();
    for key in keys {
        let (mine, theirs) = (run.get(key), reference.get(key));
        let fine = match rule {
            ArgRule::Ignore => true,
            ArgRule::Exact => mine == theirs,
            ArgRule::RefSubset => theirs.is_none() || mine == theirs,
            ArgRule::OutSubset => mine.is_none() || mine == theirs,
            ArgRule::Keys(names) => mine == theirs || !names.iter().any(|n| n == key),
            ArgRule::Fields(fields) => {
                let own = fields.iter().filter(|(n, _)| n == key).map(|(_, f)| f);
                let mut own = own.peekable();
                if own.peek().is_some() { own.all(|f| f.allows(mine, theirs)) } else { mine == theirs }
            }
        };
        if !fine {
            out.push(Differing { key: key.to_owned(), run: mine.map(Into::into), reference: theirs.map(Into::into) });
        }
    }
    out
}

impl Field {
    fn allows(&self, run: Option<&str>, reference: Option<&str>) -> bool {
        match self {
            Self::Ignore => true,
            Self::Like(pattern) => run.is_some_and(|text| like(&unquoted(text), pattern)),
            Self::Within(by) => {
                let number = |t: Option<&str>| t.and_then(|t| unquoted(t).trim().parse::<f64>().ok());
                match (number(run), number(reference)) {
                    (Some(a), Some(b)) => (a - b).abs() <= *by,
                    _ => run == reference,
                }
            }
        }
    }
}

/// The text of a canonical value: of a string what it says, of others how they are written.
fn unquoted(value: &str) -> String {
    let mut tape = crate::json::Tape::new();
    tape.parse(value).root().text().into_owned()
}

/// Whether a text has the form of a pattern in which `*` stands for any characters. O(text · pieces).
fn like(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

/// Arguments in common by arguments in all; 1 when neither has one.
pub fn in_common(run: &Canon, reference: &Canon) -> f64 {
    let common = run.entries.iter().filter(|e| reference.entries.binary_search(e).is_ok()).count();
    let more = run.entries.iter().filter(|(k, _)| reference.get(k).is_none()).count();
    let all = reference.entries.len() + more;
    match all {
        0 => f64::from(run.text == reference.text),
        all => common as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ArgsForm;

    fn check(run: &str, reference: &str, rule: &str, expected: bool) {
        let canon = |raw: &str| Canon::new(&Args { raw: raw.into(), form: ArgsForm::Json });
        let found = satisfies(&canon(run), &canon(reference), &ArgRule::parse(rule).unwrap());
        assert_eq!(found, expected, "{run} against {reference} by {rule}");
    }

    #[test]
    fn rules() {
        check(r#"{"a":1}"#, r#"{"a":1.0}"#, "exact", true);
        check(r#"{"a":1,"b":2}"#, r#"{"a":1}"#, "exact", false);
        check(r#"{"a":1,"b":2}"#, r#"{"a":1}"#, "ref_subset", true);
        check(r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "ref_subset", false);
        check(r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "out_subset", true);
        check(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":3}"#, "keys:a", true);
        check(r#"{"a":1,"b":2}"#, r#"{"a":2,"b":2}"#, "keys:a", false);
        check(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":3}"#, "ignore:b", true);
        check(r#"{"p":"src/x.py"}"#, r#"{"p":"other"}"#, "like:p=src/*.py", true);
        check(r#"{"p":"src/x.rs"}"#, r#"{"p":"other"}"#, "like:p=src/*.py", false);
        check(r#"{"n":1.5}"#, r#"{"n":1.4}"#, "within:n=0.2", true);
        check(r#"{"n":1.5}"#, r#"{"n":1.2}"#, "within:n=0.2", false);
        check(r#"{"n":"x"}"#, r#"{"n":1}"#, "within:n=9", false);
        check("[1]", "[2]", "ref_subset", false);
        check("[1]", "[2]", "ignore", true);
        assert!(ArgRule::parse("fuzzy").is_none() && ArgRule::parse("within:n=x").is_none());
    }

    #[test]
    fn patterns() {
        for (text, pattern, expected) in [
            ("abc", "abc", true),
            ("abc", "a*c", true),
            ("ac", "a*c", true),
            ("abc", "*", true),
            ("", "*", true),
            ("abcd", "a*c", false),
            ("aba", "a*ba*a", false),
            ("xaybz", "*a*b*", true),
        ] {
            assert_eq!(like(text, pattern), expected, "{text} {pattern}");
        }
    }
}
