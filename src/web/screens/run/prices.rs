//! The prices of the models of a run, to look at and to change. Changed ones are kept in this browser with their date, and
//! go before the built-in ones; a price without both halves is none.

use leptos::{ev, prelude::*};

use super::Here;
use super::usage::remark;
use crate::report::{PriceEntry, PriceList, PriceRow};
use crate::web::platform::dom;
use crate::web::state::settings::{is_price, settings};
use crate::web::view::{El, IntoView, View, el};

/// The four prices of a model: in, out, from a cache, to a cache.
const FIELDS: [&str; 4] = ["prices.input", "prices.output", "prices.read", "prices.write"];

/// Draws the prices.
pub fn prices(here: Here, entries: &[PriceEntry]) -> View {
    let say = move |id: &str| here.words.id(id, &[]);
    if entries.is_empty() {
        return (el("h2").child(say("prices.title")), el("p.quiet").child(say("prices.no-models"))).view();
    }
    let models = entries.iter().map(|entry| model(here, entry)).collect::<View>();
    let own = move || settings().and_then(|s| s.prices.get());
    let dated = move || {
        own().map(|list| {
            let change = move |event: ev::Event| {
                let to = event_target_value(&event);
                if let (Some(settings), Some(mut list)) = (settings(), own_now()) {
                    // A field that was emptied gives no date; the old one stays.
                    if !to.is_empty() {
                        list.date = to;
                    }
                    settings.set_prices(Some(list));
                }
            };
            (
                el("label.prices-date").child(el("span").child(say("prices.date"))).child(el("span.field").child(
                    el("input.field-input").attr("type", "date").attr("value", list.date).on(ev::change, change),
                )),
                el("p.small.quiet").child(say("prices.kept")),
                el("button.button")
                    .on(ev::click, move |_| {
                        if let Some(settings) = settings() {
                            settings.set_prices(None);
                        }
                    })
                    .child(say("prices.reset")),
            )
        })
    };
    (
        el("h2").child(say("prices.title")),
        el("p.small.quiet").child(say("prices.means")),
        el("div.prices").child(models),
        dated,
    )
        .view()
}

/// The user's prices at the moment.
fn own_now() -> Option<PriceList> {
    settings().and_then(|s| s.prices.get_untracked())
}

/// Today, `2026-11-30`.
fn today() -> String {
    dom::timestamp().chars().take(10).collect()
}

fn model(here: Here, entry: &PriceEntry) -> El {
    let words = here.words;
    let before =
        entry.price.as_ref().map_or([None; 4], |p| [Some(p.input), Some(p.output), p.cache_read, p.cache_write]);
    let typed = before.map(|n| RwSignal::new(n.map(|n| n.to_string()).unwrap_or_default()));
    let lacking = RwSignal::new(false);
    let name = entry.model.clone();
    let put = move || {
        let texts = typed.map(|t| t.get_untracked());
        let [input, output, cache_read, cache_write] =
            texts.each_ref().map(|t| t.trim().parse().ok().filter(|n| is_price(*n)));
        let mut list = own_now().unwrap_or_else(|| PriceList { date: today(), rows: Vec::new() });
        list.rows.retain(|r| r.model != name);
        match (input, output) {
            (Some(input), Some(output)) => {
                list.rows.push(PriceRow { model: name.clone(), input, output, cache_read, cache_write });
            }
            // All empty: back to what is built in.
            _ if texts.iter().all(|t| t.trim().is_empty()) => {}
            _ => return lacking.set(true),
        }
        lacking.set(false);
        if let Some(settings) = settings() {
            settings.set_prices(Some(list));
        }
    };
    let fields = FIELDS.iter().zip(typed).map(|(id, text)| {
        let put = put.clone();
        let what = words.id(id, &[]);
        let args = [("what".to_owned(), what.clone()), ("model".to_owned(), entry.model.clone())];
        el("label").child(el("span").child(what)).child(
            el("span.field").child(
                el("input.field-input")
                    .attr("type", "text")
                    .attr("inputmode", "decimal")
                    .attr("autocomplete", "off")
                    .attr("aria-label", words.id("prices.of", &args))
                    .prop("value", move || text.get())
                    .on(ev::change, move |event| {
                        text.set(event_target_value(&event));
                        put();
                    }),
            ),
        )
    });
    let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
    let origin = match &entry.price {
        None => words.id("prices.none", &[]),
        Some(_) if entry.own => words.id("prices.own", &[pair("date", &entry.date)]),
        Some(price) => words.id("prices.from", &[pair("row", &price.model), pair("date", &entry.date)]),
    };
    el("fieldset.prices-model")
        .child(el("legend.unseen").child(entry.model.clone()))
        .child(el("b.mono").attr("aria-hidden", "true").child(entry.model.clone()))
        .child(el("p.small.quiet").child(origin))
        .child(el("div.prices-fields").child(fields.collect::<View>()))
        .child(
            el("div")
                .attr("role", "status")
                .child(move || lacking.get().then(|| remark(words.id("prices.needs", &[])))),
        )
}
