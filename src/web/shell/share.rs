//! The panel for sharing: what is removed and why, with links to where it stands; what else is shared; then a page to
//! save or a link to copy, and the receipt.

use leptos::{ev, prelude::*};

use super::dialogs::close;
use crate::format;
use crate::report::share::receipt_lines;
use crate::report::{PartLine, Receipt, SecretGroup, ShareSurvey};
use crate::web::components::icon::{Icon, icon};
use crate::web::platform::dom;
use crate::web::state::settings::{lang, ti};
use crate::web::state::share::{Shares, Sharing, use_shares};
use crate::web::view::{El, IntoView, View, el};

/// Letters of a value that are shown.
const SHOWN: usize = 72;

fn n(n: u32) -> Vec<(String, String)> {
    vec![("n".into(), n.to_string())]
}

/// Nothing until it is opened for the first time.
pub fn share_dialog() -> View {
    let shares = use_shares();
    let draw = move || shares.drawn.get().then(|| untrack(move || dialog(shares)));
    draw.view()
}

fn dialog(shares: Shares) -> View {
    let survey = move || shares.survey.get();
    let body = move || match survey() {
        Some(survey) => found(shares, &survey),
        None => View::NONE,
    };
    let busy = Memo::new(move |_| matches!(shares.state.get(), Sharing::Looking | Sharing::Making));
    let can = Memo::new(move |_| shares.survey.with(Option::is_some) && !busy.get());
    el("dialog.dialog.share")
        .attr("id", "share")
        .attr("aria-labelledby", "share-title")
        .child(
            el("header.dialog-head")
                .child(el("h2").attr("id", "share-title").child(move || ti("share.title", &[])))
                .child(close("#share")),
        )
        .child(
            el("div.dialog-body")
                .attr("tabindex", "0")
                .attr("role", "group")
                .attr("aria-labelledby", "share-title")
                .child(el("p").child(move || ti("share.lead", &n(shares.runs.with(|r| r.len() as u32)))))
                .child(names(shares))
                .child(body),
        )
        .child(
            el("footer.dialog-foot.share-foot")
                .child(el("div.share-said").attr("role", "status").child(move || said(&shares.state.get())))
                .child(
                    el("button.button.button-large")
                        .attr("type", "button")
                        .attr("disabled", move || !can.get())
                        .on(ev::click, move |_| shares.copy_link())
                        .child(icon(Icon::Link, ""))
                        .child(move || ti("link.copy", &[])),
                )
                .child(
                    el("button.button.button-primary")
                        .attr("type", "button")
                        .attr("id", "share-save")
                        .attr("disabled", move || !can.get())
                        .on(ev::click, move |_| shares.save())
                        .child(icon(Icon::Down, ""))
                        .child(move || ti("share.save", &[])),
                ),
        )
        .view()
}

/// The user's own names. Stands outside of what is drawn anew, so that the keyboard stays in it.
fn names(shares: Shares) -> El {
    el("label.share-names")
        .child(el("span.strong").child(move || ti("share.names", &[])))
        .child(el("span.quiet.small").child(move || ti("share.names.how", &[])))
        .child(
            el("textarea.field-input.mono")
                .attr("rows", "2")
                .attr("spellcheck", "false")
                .attr("autocomplete", "off")
                .prop("value", move || shares.names.get())
                .on(ev::input, move |e| shares.type_names(event_target_value(&e))),
        )
}

fn found(shares: Shares, survey: &ShareSurvey) -> View {
    let mut kinds: Vec<(String, Vec<SecretGroup>)> = Vec::new();
    for group in &survey.groups {
        match kinds.last_mut().filter(|(kind, _)| *kind == group.kind) {
            Some((_, groups)) => groups.push(group.clone()),
            None => kinds.push((group.kind.clone(), vec![group.clone()])),
        }
    }
    let lead = if kinds.is_empty() { "share.removed.none" } else { "share.removed.lead" };
    let unlisted = survey.values.saturating_sub(survey.groups.len() as u32);
    let sections = kinds
        .into_iter()
        .map(|(kind, groups)| {
            let title = ti(&format!("share.kind.{kind}"), &n(groups.len() as u32));
            el("section.share-kind")
                .child(el("h4.group-head").child(title))
                .child(el("ul.share-values").child(groups.iter().map(|g| value(shares, g)).collect::<View>()))
        })
        .collect::<View>();
    (
        el("section")
            .child(el("h3.group-head").child(ti("share.removed", &[])))
            .child(el("p.quiet.small").child(ti(lead, &[])))
            .child(sections)
            .child((unlisted > 0).then(|| el("p.small").child(ti("share.more", &n(unlisted))))),
        el("fieldset.share-parts")
            .child(el("legend.strong").child(ti("share.include", &[])))
            .child(survey.parts.iter().map(|p| part(shares, p)).collect::<View>()),
        (survey.runs == 1).then(|| for_a_model(shares, survey.steps)),
    )
        .view()
}

fn value(shares: Shares, group: &SecretGroup) -> El {
    let shown = format::middle(&format::one_line(&group.value, 400), SHOWN);
    let (name, kept) = (group.value.clone(), group.value.clone());
    let places = group
        .places
        .iter()
        .filter_map(|place| {
            let href = shares.step_href(place.run, place.step)?;
            let text = match place.step {
                Some(step) => ti("share.step", &n(step + 1)),
                None => ti("share.head", &[]),
            };
            Some(el("a.link.small").attr("href", href).on(ev::click, |_| dom::close_dialog("#share")).child(text))
        })
        .collect::<View>();
    let more = group.held.saturating_sub(group.places.len() as u32);
    el("li.share-value")
        .child(
            el("label.row")
                .child(
                    el("input")
                        .attr("type", "checkbox")
                        .prop("checked", move || !shares.keep.with(|k| k.contains(&kept)))
                        .on(ev::change, move |e| shares.set_removed(name.clone(), event_target_checked(&e))),
                )
                .child(el("code.mono").child(shown)),
        )
        .child(
            el("span.share-places.small.quiet")
                .child(ti("share.becomes", &[("placeholder".into(), group.placeholder.clone())]))
                .child(" · ")
                .child(ti("share.times", &n(group.count)))
                .child(" · ")
                .child(places)
                .child((more > 0).then(|| ti("share.more-places", &n(more)))),
        )
}

fn part(shares: Shares, part: &PartLine) -> El {
    let id = part.id.clone();
    let pieces = if part.pieces == 0 { ti("share.pieces.none", &[]) } else { ti("share.pieces", &n(part.pieces)) };
    let why = (part.id == "media" && part.pieces > 0).then(|| format!(", {}", ti("share.part.media.why", &[])));
    el("label.row")
        .child(
            el("input")
                .attr("type", "checkbox")
                .prop("checked", {
                    let on = part.on;
                    move || on
                })
                .on(ev::change, move |_| shares.switch(id.clone())),
        )
        .child(ti(&format!("share.part.{}", part.id), &[]))
        .child(el("span.quiet.small").child(pieces).child(why))
}

/// Steps as text for a language model: which, and how many tokens they may take.
fn for_a_model(shares: Shares, steps: u32) -> El {
    let number = |id: &'static str, value: u32, set: fn(&mut (u32, u32), u32)| {
        el("label.row").child(ti(id, &[])).child(
            el("span.field").child(
                el("input.field-input")
                    .attr("type", "number")
                    .attr("min", "1")
                    .attr("max", steps.to_string())
                    .prop("value", move || value.to_string())
                    .on(ev::change, move |e| {
                        if let Ok(n) = event_target_value(&e).parse::<u32>() {
                            shares.range.update(|range| set(range, n.max(1)));
                        }
                    }),
            ),
        )
    };
    let (from, to) = shares.range.get_untracked();
    let sizes = [4_000u32, 16_000, 64_000].map(|n| {
        el("option")
            .attr("value", n.to_string())
            .attr("selected", shares.tokens.get_untracked() == n)
            .child(ti("share.text.tokens", &[("n".into(), format::count(u64::from(n)))]))
    });
    el("fieldset.share-text")
        .child(el("legend.strong").child(ti("share.text", &[])))
        .child(el("p.quiet.small").child(ti("share.text.how", &[])))
        .child(
            el("div.row")
                .child(number("share.text.from", from, |range, n| range.0 = n))
                .child(number("share.text.to", to.min(steps), |range, n| range.1 = n))
                .child(
                    el("span.field").child(
                        el("select.field-input")
                            .attr("aria-label", ti("share.text.budget", &[]))
                            .on(ev::change, move |e| {
                                if let Ok(n) = event_target_value(&e).parse() {
                                    shares.tokens.set(n);
                                }
                            })
                            .child(sizes),
                    ),
                )
                .child(
                    el("button.button")
                        .attr("type", "button")
                        .on(ev::click, move |_| shares.copy_text())
                        .child(ti("share.text.copy", &[])),
                ),
        )
}

/// What is going on, and what became of it.
fn said(state: &Sharing) -> View {
    let plain = |id: &str| el("p.quiet").child(ti(id, &[])).view();
    match state {
        Sharing::Looking => plain("share.looking"),
        Sharing::Making => plain("share.making"),
        Sharing::Ready => View::NONE,
        Sharing::Failed(say) => {
            el("p.verdict").child(icon(Icon::Bad, "bad")).child(el("span").child(say.text())).view()
        }
        Sharing::Text(tokens) => el("p.verdict")
            .child(icon(Icon::Check, "good"))
            .child(el("span").child(ti("share.text.copied", &[("n".into(), format::count(u64::from(*tokens)))])))
            .view(),
        Sharing::Saved(name, receipt) => saved(name, receipt),
        Sharing::Copied(length, host) => {
            let (id, value) = match host {
                Some(host) => ("link.copied-host", host.clone()),
                None => ("link.copied-data", format::count(*length as u64)),
            };
            el("p.verdict")
                .child(icon(Icon::Check, "good"))
                .child(el("span").child(ti(id, &[("what".into(), value)])))
                .view()
        }
    }
}

fn saved(name: &str, receipt: &Receipt) -> View {
    let args = [
        ("name", name.to_owned()),
        ("size", format::bytes(receipt.bytes)),
        ("data", format::bytes(receipt.data_bytes)),
    ];
    let args: Vec<(String, String)> = args.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
    let lines = receipt_lines(lang(), receipt).into_iter().map(|line| el("li").child(line)).collect::<View>();
    let proved = ti("share.proved", &[("size".into(), format::bytes(receipt.bytes + receipt.plain_bytes))]);
    el("details.share-receipt")
        .attr("open", "")
        .child(el("summary").child(icon(Icon::Check, "good")).child(el("span").child(ti("share.done", &args))))
        .child(el("ul.small").child(lines))
        .child(el("p.small.quiet").child(proved))
        .view()
}
