//! Every sentence of the interface, in every language, in one place.
//!
//! [`ui`] holds what the page says, as an enum, so that a missing sentence does not compile. [`findings`] holds what
//! checks, imports and analyses say, keyed by the ids that travel from worker to page. A sentence has placeholders
//! `{name}`; `{n|step|steps}` picks a word by the number `n` (English; Chinese has one form).
//!
//! Our own table and no library: two languages, no grammar beyond one plural, and a library would weigh more than
//! all the sentences.

mod align;
pub mod contract;
mod exchange;
pub mod findings;
mod formats;
pub mod judge;
mod judge_screen;
pub mod loops;
mod many;
pub mod neighbours;
mod notes;
mod plots;
pub mod provider;
pub mod screens;
pub mod share;
mod skill;
pub mod ui;
pub mod usage;

pub use ui::M;

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    #[default]
    En,
    ZhHant,
}

impl Lang {
    pub const ALL: [Lang; 2] = [Lang::En, Lang::ZhHant];

    /// The BCP 47 tag, for `lang` attributes and settings.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::ZhHant => "zh-Hant",
        }
    }

    /// The language's own name.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::ZhHant => "繁體中文",
        }
    }

    /// The best language for a BCP 47 tag: Chinese in traditional script for `zh-Hant`, `zh-TW`, `zh-HK` and `zh-MO`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        if tag.starts_with("zh-hant") || ["zh-tw", "zh-hk", "zh-mo"].contains(&tag.as_str()) {
            return Some(Lang::ZhHant);
        }
        (tag == "en" || tag.starts_with("en-")).then_some(Lang::En)
    }
}

/// The word for a kind of step (`StepKind::id`).
pub fn kind_word(kind: &str) -> M {
    match kind {
        "person" => M::KindPerson,
        "system" => M::KindSystem,
        "injected" => M::KindInjected,
        "thought" => M::KindThought,
        "say" => M::KindSay,
        "action" => M::KindAction,
        "orphan" => M::KindOrphan,
        "compaction" => M::KindCompaction,
        "notice" => M::KindNotice,
        _ => M::KindRaw,
    }
}

/// A sentence of the page without placeholders.
pub fn text(lang: Lang, message: M) -> &'static str {
    match lang {
        Lang::En => message.en(),
        Lang::ZhHant => message.zh_hant(),
    }
}

/// A sentence of the page with its placeholders filled.
pub fn fill(lang: Lang, message: M, args: &[(&str, &str)]) -> String {
    fill_text(text(lang, message), args)
}

/// A sentence of [`findings`] with its placeholders filled. An unknown id shows itself, so that nothing is silent.
/// A value that begins with U+0002 is the id of a word that stands in its place, in the same language.
pub fn fill_id(lang: Lang, id: &str, args: &[(String, String)]) -> String {
    let word = |value: &'_ str| {
        let both = findings::both(value.strip_prefix('\u{2}')?)?;
        Some(if lang == Lang::En { both.0 } else { both.1 })
    };
    let args: Vec<(&str, &str)> = args.iter().map(|(k, v)| (k.as_str(), word(v).unwrap_or(v.as_str()))).collect();
    match findings::both(id) {
        Some((en, zh)) => fill_text(if lang == Lang::En { en } else { zh }, &args),
        None => id.to_owned(),
    }
}

/// A sentence cut at its placeholders, for callers that put elements in their places: text or the name of an argument.
pub fn pieces(template: &str) -> Vec<Result<&str, &str>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, tail) = rest.split_at(open);
        if !before.is_empty() {
            out.push(Ok(before));
        }
        let Some(close) = tail.find('}') else {
            out.push(Ok(tail));
            return out;
        };
        out.push(Err(tail.get(1..close).unwrap_or_default()));
        rest = tail.get(close + 1..).unwrap_or_default();
    }
    if !rest.is_empty() {
        out.push(Ok(rest));
    }
    out
}

/// The value of a placeholder: `name`, or `name|one|many`.
pub fn placeholder<'a>(name: &'a str, args: &[(&str, &'a str)]) -> &'a str {
    let mut parts = name.split('|');
    let key = parts.next().unwrap_or_default();
    let value = args.iter().find(|(k, _)| *k == key).map_or("–", |(_, v)| *v);
    match (parts.next(), parts.next()) {
        (Some(one), Some(many)) => {
            if value == "1" {
                one
            } else {
                many
            }
        }
        _ => value,
    }
}

fn fill_text(template: &str, args: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    for piece in pieces(template) {
        match piece {
            Ok(text) => out.push_str(text),
            Err(name) => out.push_str(placeholder(name, args)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_plurals() {
        assert_eq!(fill_text("{n} {n|step|steps} in {what}", &[("n", "1"), ("what", "x")]), "1 step in x");
        assert_eq!(fill_text("{n} {n|step|steps}", &[("n", "2")]), "2 steps");
        assert_eq!(fill_text("{missing} {", &[]), "– {");
    }

    /// The same placeholders in both languages, or a value would be lost in one.
    #[test]
    fn both_languages_say_the_same() {
        let names = |text: &str| {
            let mut names: Vec<String> = pieces(text)
                .into_iter()
                .filter_map(Result::err)
                .map(|n| n.split('|').next().unwrap_or_default().to_owned())
                .collect();
            names.sort();
            names.dedup();
            names
        };
        for (en, zh) in ui::ALL
            .iter()
            .map(|m| (m.en(), m.zh_hant()))
            .chain(findings::TABLES.iter().flat_map(|t| t.iter()).map(|(_, en, zh)| (*en, *zh)))
        {
            assert!(!en.is_empty() && !zh.is_empty(), "{en:?} / {zh:?}");
            assert_eq!(names(en), names(zh), "{en:?} / {zh:?}");
        }
    }

    #[test]
    fn every_rule_has_its_sentences() {
        for rule in crate::model::RULES {
            for part in ["", ".title", ".remedy"] {
                let id = format!("rule.{}{part}", rule.id);
                assert!(findings::both(&id).is_some(), "{id} is not in message::findings");
            }
        }
    }
}
