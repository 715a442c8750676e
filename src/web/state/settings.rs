//! How the page looks, speaks and checks: theme, language, single-key shortcuts, profile and protocol version of a
//! check, prices. Kept in this browser under `skillscope.theme`, `.language`, `.keys`, `.profile`, `.supports`, `.prices`; a value that
//! means nothing there is as good as none.

use std::cell::Cell;

use leptos::prelude::*;

use crate::message::{self, Lang, M};
use crate::protocol;
use crate::report::PriceList;
use crate::report::skill::CheckOptions;
use crate::web::platform::dom;

/// A theme; `System` follows the operating system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    fn id(self) -> &'static str {
        match self {
            Theme::System => "",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub fn name(self) -> M {
        match self {
            Theme::System => M::ThemeSystem,
            Theme::Light => M::ThemeLight,
            Theme::Dark => M::ThemeDark,
        }
    }
}

/// The settings, as a handle.
#[derive(Clone, Copy)]
pub struct Settings {
    pub theme: RwSignal<Theme>,
    pub lang: RwSignal<Lang>,
    /// Whether single keys without a modifier do something (WCAG 2.1.4).
    pub keys: RwSignal<bool>,
    /// How skills are checked.
    pub check: RwSignal<CheckOptions>,
    /// Prices of models that go before the built-in ones; `None` where there are none.
    pub prices: RwSignal<Option<PriceList>>,
}

/// Whether a text is a version of the protocol: three whole numbers.
pub fn is_version(text: &str) -> bool {
    let whole = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) && (part == "0" || !part.starts_with('0'))
    };
    text.len() < 200 && text.split('.').count() == 3 && text.split('.').all(whole)
}

thread_local! {
    // Sentences are needed in event handlers and tasks too, where no context can be asked for.
    static HERE: Cell<Option<Settings>> = const { Cell::new(None) };
}

impl Settings {
    /// Reads what was kept.
    pub fn load() -> Self {
        let theme = match dom::stored("skillscope.theme").as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        };
        let settings = Self {
            theme: RwSignal::new(theme),
            lang: RwSignal::new(Lang::from_tag(&dom::lang()).unwrap_or_default()),
            keys: RwSignal::new(dom::stored("skillscope.keys").as_deref() != Some("off")),
            check: RwSignal::new(check()),
            prices: RwSignal::new(dom::stored("skillscope.prices").and_then(|text| prices(&text))),
        };
        HERE.with(|h| h.set(Some(settings)));
        settings
    }

    pub fn set_theme(self, theme: Theme) {
        self.theme.set(theme);
        dom::set_root_data("theme", theme.id());
        dom::store("skillscope.theme", (theme != Theme::System).then_some(theme.id()));
    }

    pub fn set_lang(self, lang: Lang) {
        self.lang.set(lang);
        dom::set_lang(lang.tag());
        dom::store("skillscope.language", Some(lang.tag()));
    }

    /// Sets the profile, `core` or `strict`.
    pub fn set_profile(self, profile: &str) {
        self.check.update(|c| c.profile = profile.to_owned());
        dom::store("skillscope.profile", (profile != "core").then_some(profile));
    }

    /// Sets the version of the protocol that the consumer supports. False when the text is none.
    pub fn set_supports(self, version: &str) -> bool {
        let fits = is_version(version);
        if fits {
            self.check.update(|c| c.supports = version.to_owned());
            let usual = CheckOptions::default().supports;
            dom::store("skillscope.supports", (version != usual).then_some(version));
        }
        fits
    }

    /// Sets the prices; a list without rows is none.
    pub fn set_prices(self, list: Option<PriceList>) {
        let list = list.filter(|l| !l.rows.is_empty());
        let text = list.as_ref().and_then(|l| serde_json::to_string(l).ok());
        dom::store("skillscope.prices", text.as_deref());
        self.prices.set(list);
    }

    pub fn set_keys(self, on: bool) {
        self.keys.set(on);
        dom::store("skillscope.keys", (!on).then_some("off"));
    }
}

fn check() -> CheckOptions {
    let usual = CheckOptions::default();
    CheckOptions {
        profile: dom::stored("skillscope.profile").filter(|p| p == "strict").unwrap_or(usual.profile),
        supports: dom::stored("skillscope.supports").filter(|v| is_version(v)).unwrap_or(usual.supports),
    }
}

/// Reads prices that were kept. What is no price is left out.
fn prices(text: &str) -> Option<PriceList> {
    let mut list: PriceList = protocol::from_json(text)?;
    list.rows
        .retain(|r| [Some(r.input), Some(r.output), r.cache_read, r.cache_write].into_iter().flatten().all(is_price));
    (!list.rows.is_empty()).then_some(list)
}

/// Whether a number can be a price.
pub fn is_price(n: f64) -> bool {
    n.is_finite() && (0.0..1e6).contains(&n)
}

/// The settings of this page.
pub fn settings() -> Option<Settings> {
    HERE.with(Cell::get)
}

/// The language; followed where something can follow: in views and memos, not in events and tasks.
pub fn lang() -> Lang {
    let follows = leptos::reactive::graph::Observer::get().is_some();
    settings().map(|s| if follows { s.lang.get() } else { s.lang.get_untracked() }).unwrap_or_default()
}

/// A sentence that follows the language: `{t(M::HomeTitle)}` in a view.
pub fn t(message: M) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
    move || message::text(lang(), message)
}

/// A sentence with its placeholders filled; follows the language where it is called in something reactive.
pub fn tf(message: M, args: &[(&str, &str)]) -> String {
    message::fill(lang(), message, args)
}

/// A sentence of the engine, by its id.
pub fn ti(id: &str, args: &[(String, String)]) -> String {
    message::fill_id(lang(), id, args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PriceRow;

    #[test]
    fn versions() {
        for (text, is) in [
            ("1.0.0", true),
            ("0.0.0", true),
            ("10.20.30", true),
            ("1.0", false),
            ("1.0.0.0", false),
            ("01.0.0", false),
            ("1.0.x", false),
            ("1..0", false),
            ("", false),
        ] {
            assert_eq!(is_version(text), is, "{text}");
        }
    }

    #[test]
    fn kept_prices_are_read_or_dropped() {
        let row =
            |input: f64| PriceRow { model: "m".into(), input, output: 2.0, cache_read: Some(0.5), cache_write: None };
        let list = |rows| PriceList { date: "2026-11-30".into(), rows };
        let kept = serde_json::to_string(&list(vec![row(1.0), row(-1.0)])).unwrap();
        assert_eq!(prices(&kept), Some(list(vec![row(1.0)])));
        for nothing in ["", "{}", "[1]", r#"{"date":"x","rows":[]}"#, &kept[1..]] {
            assert_eq!(prices(nothing), None, "{nothing}");
        }
    }
}
