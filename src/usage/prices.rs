//! Prices of models: a dated table that a job may replace, and what tokens cost by it. O(rows) a look-up.
//!
//! List prices of the providers in US dollars a million tokens, without long-context and batch tariffs, as they stood on
//! [`PRICES_DATE`]. They go out of date: what they give is an estimate and says so.

use crate::model::Usage;

/// When the table was written down.
pub const PRICES_DATE: &str = "2026-10-01";

/// US dollars a million tokens of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// The model's name, or how its names begin.
    pub model: String,
    pub input: f64,
    pub output: f64,
    /// Input that was read from a cache; without one, that of input.
    pub cache_read: Option<f64>,
    /// Input that was written to a cache; without one, that of input.
    pub cache_write: Option<f64>,
}

impl Price {
    /// What some usage costs; `None` when tokens in or out are not known. Tokens read from a cache or written to one
    /// are a part of those that went in, and priced apart.
    pub fn of(&self, usage: &Usage) -> Option<f64> {
        let (input, output) = (usage.input?, usage.output?);
        let read = usage.cached.unwrap_or(0).min(input);
        let written = usage.cache_write.unwrap_or(0).min(input - read);
        let fresh = (input - read - written) as f64 * self.input;
        let read = read as f64 * self.cache_read.unwrap_or(self.input);
        let written = written as f64 * self.cache_write.unwrap_or(self.input);
        Some((fresh + read + written + output as f64 * self.output) / 1e6)
    }
}

/// The prices that a job uses.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceTable {
    /// For example `2026-10-01`.
    pub date: String,
    pub prices: Vec<Price>,
}

impl Default for PriceTable {
    fn default() -> Self {
        let prices = PRICES.iter().map(|&(model, input, output, read, write)| Price {
            model: model.into(),
            input,
            output,
            cache_read: (read > 0.0).then_some(read),
            cache_write: (write > 0.0).then_some(write),
        });
        Self { date: PRICES_DATE.into(), prices: prices.collect() }
    }
}

impl PriceTable {
    /// No prices: nothing is estimated.
    pub fn empty() -> Self {
        Self { date: String::new(), prices: Vec::new() }
    }

    /// The price of a model: the row of just its name, else the one whose name is the longest beginning of the model's; of
    /// equal rows the last. Ways (`openrouter/…`), regions
    /// (`us.anthropic.…`) and marks of case do not count; behind the row's name no letter and no further version may
    /// follow (`gpt-5` is not `gpt-5.2`, and not `gpt-5-mini` either: a word that the row does not name is another model),
    /// only a date, `-latest`, `-preview` and the like.
    pub fn find(&self, model: &str) -> Option<&Price> {
        let lower = model.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let name = ["anthropic.", "openai.", "google.", "meta."]
            .iter()
            .find_map(|way| name.find(way).and_then(|at| name.get(at + way.len()..)))
            .unwrap_or(name)
            .replace('@', "-");
        let fits = |price: &&Price| {
            let head = price.model.to_ascii_lowercase();
            head == lower || name.strip_prefix(head.as_str()).is_some_and(is_edition)
        };
        self.prices.iter().filter(fits).max_by_key(|p| p.model.len())
    }
}

/// What may follow a model's name: a date, a revision or a word for "current".
fn is_edition(rest: &str) -> bool {
    rest.is_empty()
        || (rest.starts_with(['-', ':'])
            && rest.split(['-', ':']).filter(|w| !w.is_empty()).all(|word| {
                matches!(word, "latest" | "preview" | "exp" | "thinking" | "high" | "medium" | "low" | "it")
                    || (word.bytes().all(|b| b.is_ascii_digit()) && word.len() != 1)
                    || word == "0"
                    || (word.starts_with('v')
                        && word.get(1..).is_some_and(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit())))
            }))
}

/// Model, input, output, cache read, cache write; 0 is "no price of its own".
pub const PRICES: &[(&str, f64, f64, f64, f64)] = &[
    ("claude-opus-4-8", 5.0, 25.0, 0.5, 6.25),
    ("claude-opus-4-7", 5.0, 25.0, 0.5, 6.25),
    ("claude-opus-4-6", 5.0, 25.0, 0.5, 6.25),
    ("claude-opus-4-5", 5.0, 25.0, 0.5, 6.25),
    ("claude-opus-4-1", 15.0, 75.0, 1.5, 18.75),
    ("claude-opus-4", 15.0, 75.0, 1.5, 18.75),
    ("claude-sonnet-4-6", 3.0, 15.0, 0.3, 3.75),
    ("claude-sonnet-4-5", 3.0, 15.0, 0.3, 3.75),
    ("claude-sonnet-4", 3.0, 15.0, 0.3, 3.75),
    ("claude-haiku-4-5", 1.0, 5.0, 0.1, 1.25),
    ("claude-3-7-sonnet", 3.0, 15.0, 0.3, 3.75),
    ("claude-3-5-sonnet", 3.0, 15.0, 0.3, 3.75),
    ("claude-3-5-haiku", 0.8, 4.0, 0.08, 1.0),
    ("claude-3-opus", 15.0, 75.0, 1.5, 18.75),
    ("claude-3-haiku", 0.25, 1.25, 0.03, 0.3),
    ("gpt-5.2", 1.75, 14.0, 0.175, 0.0),
    ("gpt-5.1", 1.25, 10.0, 0.125, 0.0),
    ("gpt-5.1-codex", 1.25, 10.0, 0.125, 0.0),
    ("gpt-5", 1.25, 10.0, 0.125, 0.0),
    ("gpt-5-codex", 1.25, 10.0, 0.125, 0.0),
    ("gpt-5-mini", 0.25, 2.0, 0.025, 0.0),
    ("gpt-5-nano", 0.05, 0.4, 0.005, 0.0),
    ("gpt-4.1", 2.0, 8.0, 0.5, 0.0),
    ("gpt-4.1-mini", 0.4, 1.6, 0.1, 0.0),
    ("gpt-4.1-nano", 0.1, 0.4, 0.025, 0.0),
    ("gpt-4o", 2.5, 10.0, 1.25, 0.0),
    ("gpt-4o-mini", 0.15, 0.6, 0.075, 0.0),
    ("gpt-4-turbo", 10.0, 30.0, 0.0, 0.0),
    ("gpt-4", 30.0, 60.0, 0.0, 0.0),
    ("o1", 15.0, 60.0, 7.5, 0.0),
    ("o1-preview", 15.0, 60.0, 7.5, 0.0),
    ("o3", 2.0, 8.0, 0.5, 0.0),
    ("o3-mini", 1.1, 4.4, 0.55, 0.0),
    ("o4-mini", 1.1, 4.4, 0.275, 0.0),
    ("gemini-2.5-pro", 1.25, 10.0, 0.125, 0.0),
    ("gemini-2.5-flash", 0.3, 2.5, 0.03, 0.0),
    ("gemini-2.5-flash-lite", 0.1, 0.4, 0.01, 0.0),
    ("gemini-2.0-flash", 0.1, 0.4, 0.025, 0.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(model: &str, row: &str) {
        let table = PriceTable::default();
        assert_eq!(table.find(model).map_or("", |p| &p.model), row, "{model}");
    }

    #[test]
    fn names_find_their_row_and_no_other() {
        check("claude-sonnet-4-20250514", "claude-sonnet-4");
        check("claude-sonnet-4-5-20250929", "claude-sonnet-4-5");
        check("claude-opus-4-6", "claude-opus-4-6");
        check("openrouter/anthropic/claude-sonnet-4-6", "claude-sonnet-4-6");
        check("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet");
        check("claude-3-5-sonnet@20240620", "claude-3-5-sonnet");
        check("gpt-4o-2024-08-06", "gpt-4o");
        check("GPT-4o-mini", "gpt-4o-mini");
        check("gpt-5-mini-2025-08-07", "gpt-5-mini");
        check("gemini-2.5-flash-preview-05-20", "gemini-2.5-flash");
        // Another model, whatever its name begins with.
        for unknown in
            ["gpt-5.9", "gpt-5-ultra", "claude-opus-4-9", "claude-sonnet-5", "llama3.1", "gpt-4o-realtime", "", "o30"]
        {
            check(unknown, "");
        }
    }

    #[test]
    fn cached_tokens_are_priced_apart() {
        let price =
            Price { model: "m".into(), input: 10.0, output: 100.0, cache_read: Some(1.0), cache_write: Some(20.0) };
        let usage =
            |input, output, cached, cache_write| Usage { input, output, cached, cache_write, ..Usage::default() };
        let close =
            |found: Option<f64>, wanted: f64| assert!((found.unwrap() - wanted).abs() < 1e-12, "{found:?} {wanted}");
        close(price.of(&usage(Some(1_000_000), Some(0), None, None)), 10.0);
        close(price.of(&usage(Some(1_000_000), Some(10_000), Some(500_000), Some(100_000))), 4.0 + 0.5 + 2.0 + 1.0);
        // A file that counts cached tokens beside the input gives no negative rest.
        close(price.of(&usage(Some(10), Some(0), Some(100), Some(100))), 10.0 / 1e6);
        assert_eq!(price.of(&usage(None, Some(1), None, None)), None);
        assert_eq!(price.of(&usage(Some(1), None, None, None)), None);
        let plain = Price { cache_read: None, cache_write: None, ..price };
        close(plain.of(&usage(Some(1_000_000), Some(0), Some(500_000), None)), 10.0);
    }

    #[test]
    fn the_table_is_in_its_own_terms() {
        for (i, row) in PRICES.iter().enumerate() {
            assert!(row.1 > 0.0 && row.2 >= row.1 && row.3 <= row.1, "{}", row.0);
            assert!(PRICES.iter().skip(i + 1).all(|other| other.0 != row.0), "{} twice", row.0);
            check(row.0, row.0);
        }
    }
}
