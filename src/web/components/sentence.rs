//! A sentence of an analysis with its step numbers as links and its tool names as code.

use leptos::prelude::*;

use super::{StepHref, Words};
use crate::message::{self, Lang, findings};
use crate::web::view::{IntoView, View, el};

/// The sentence `id` with its values. A value `#233` or `#233-253` becomes a link to step 233.
pub fn sentence(words: Words, id: &str, args: &[(String, String)], href: StepHref) -> View {
    let Some((en, zh)) = findings::both(id) else { return id.to_owned().view() };
    let pairs: Vec<(&str, &str)> = args.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    message::pieces(if words.0 == Lang::En { en } else { zh })
        .into_iter()
        .map(|piece| match piece {
            Ok(text) => text.to_owned().view(),
            Err(name) => {
                let value = message::placeholder(name, &pairs);
                match value.strip_prefix('#') {
                    Some(steps) => step_link(steps, href),
                    None if matches!(name, "tool" | "id" | "what" | "key" | "word") => {
                        el("code").child(value.to_owned()).view()
                    }
                    None => value.to_owned().view(),
                }
            }
        })
        .collect::<View>()
        .view()
}

/// `233` or `233-253`, from 1, as a link to the first of them.
fn step_link(steps: &str, href: StepHref) -> View {
    let first = steps.split(['-', '–']).next().and_then(|n| n.parse::<u32>().ok()).and_then(|n| n.checked_sub(1));
    let text = steps.replace('-', "–");
    match first {
        Some(step) => el("a").attr("href", href.run(step)).child(text).view(),
        None => text.view(),
    }
}

/// Steps `first` to `last`, from 0, as a link to the first.
pub fn range_link(first: u32, last: u32, href: StepHref) -> View {
    el("a").attr("href", href.run(first)).child(range(first, last)).view()
}

/// `233–253`, from steps counted from 0.
pub fn range(first: u32, last: u32) -> String {
    if first == last { (first + 1).to_string() } else { format!("{}–{}", first + 1, last + 1) }
}
