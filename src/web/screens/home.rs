//! The empty page: what it is for, three ways to begin, what a run looks like, what it reads, a few keys.

use leptos::task::spawn_local;
use leptos::{ev, prelude::*};

use super::formats::files;
use super::visit::visit_field;
use crate::format::count;
use crate::message::M;
use crate::report::Strip;
use crate::report::formats::FORMATS;
use crate::route::Route;
use crate::web::commands::{Action, caps, use_commands};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::components::strip::{Shape, strip};
use crate::web::platform::{dom, idle};
use crate::web::state::actions::use_actions;
use crate::web::state::settings::{t, tf, ti};
use crate::web::view::{IntoView, View, el};

/// The run of the drawing: made up, with everything that a strip can show.
fn sample() -> Strip {
    let (steps, from, to) = (414, 232, 252);
    let errors = vec![55, 104, 146, 203, 224, 232, 237, 242, 247, 252, 256, 381];
    let mut seed: u32 = 7;
    let mut draw = || {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
        seed >> 16 & 0xff
    };
    // Agent and tool take turns, as they do: sometimes a few calls in a row.
    let buckets = (0..steps)
        .map(|i| match (i, draw()) {
            (0, _) => 'u',
            (19, _) => 's',
            (i, n) if n < (if i % 5 < 2 { 64 } else { 184 }) => 't',
            _ => 'a',
        })
        .collect();
    Strip { steps, buckets, errors, loops: vec![(from, to, "D1".into())], compactions: Vec::new() }
}

pub fn home_screen() -> View {
    let commands = use_commands();
    let actions = use_actions();
    let mac = dom::is_mac();
    let cap = move |keys: &str| caps(keys, mac).into_iter().map(kbd).collect::<View>();
    let sample = sample();
    let (steps, errors) = (count(sample.steps.into()), count(sample.errors.len() as u64));
    let keys = [
        ("mod+o", M::CmdChooseFiles),
        ("mod+k", M::CmdPalette),
        ("j k", M::KeysNextStep),
        ("n p", M::KeysNextError),
        ("[ ]", M::KeysLoop),
        ("?", M::CmdHelp),
    ]
    .map(|(keys, title)| el("div.help-row").child(el("dt").child(cap(keys))).child(el("dd").child(t(title))));
    let reads = FORMATS
        .iter()
        .map(|f| el("div").child(el("dt").child(f.label)).child(el("dd").child(files(f.id))))
        .collect::<View>();
    el("div.home")
        .child(
            el("div.home-main")
                .child(el("h1").attr("tabindex", "-1").child(t(M::HomeTitle)))
                .child(el("p.home-lede").child(t(M::HomeLead)))
                .child(
                    el("div.home-choose")
                        .child(
                            el("button.button.button-primary")
                                .on(ev::click, move |_| commands.run(Action::ChooseFiles))
                                .child(t(M::ChooseFiles))
                                .child(" ")
                                .child(cap("mod+o")),
                        )
                        .child(
                            el("button.button.button-large")
                                .on(ev::click, move |_| commands.run(Action::ChooseFolder))
                                .child(t(M::ChooseFolder)),
                        )
                        .child(el("span.quiet").child(t(M::OrPaste))),
                )
                .child(gallery())
                .child(
                    el("div.home-demo")
                        .child(
                            el("div")
                                .child(
                                    el("button.link")
                                        .on(ev::click, move |_| actions.open_example(None))
                                        .child(t(M::LoadRun))
                                        .child(icon(Icon::Go, "icon-s")),
                                )
                                .child(el("p.quiet").child(t(M::LoadRunWhat))),
                        )
                        .child(
                            el("div")
                                .child(
                                    el("button.link")
                                        .on(ev::click, move |_| actions.compare_example("tau-bench-two-trials"))
                                        .child(t(M::CmdCompare))
                                        .child(icon(Icon::Go, "icon-s")),
                                )
                                .child(el("p.quiet").child(t(M::CompareDemoWhat))),
                        ),
                )
                .child(
                    el("div.home-demo.home-skills")
                        .child(
                            el("div")
                                .child(
                                    el("button.link")
                                        .on(ev::click, move |_| actions.open_example(Some("skills-lighthouse")))
                                        .child(t(M::CheckSkills))
                                        .child(icon(Icon::Go, "icon-s")),
                                )
                                .child(el("p.quiet").child(t(M::CheckSkillsWhat))),
                        )
                        .child(el("div").child(visit_field())),
                )
                .child(
                    el("div.home-strip.small.quiet")
                        .child(
                            el("div").child(el("span").child(t(M::StripTitle))).child(
                                el("span.strip-legend")
                                    .child(
                                        el("span.strip-key")
                                            .child(el("i").attr("data-actor", "agent"))
                                            .child(t(M::StripAgent)),
                                    )
                                    .child(
                                        el("span.strip-key")
                                            .child(el("i").attr("data-actor", "tool"))
                                            .child(t(M::StripTool)),
                                    )
                                    .child(el("span.strip-key").child(el("i.strip-error")).child(t(M::StripError)))
                                    .child(el("span.strip-key").child(el("i.strip-loop")).child(t(M::StripLoop))),
                            ),
                        )
                        .child(strip(&sample, Shape::SAMPLE, None))
                        .child(el("p").child(move || tf(M::StripCaption, &[("steps", &steps), ("errors", &errors)]))),
                )
                .child(el("p.home-private.quiet").child(icon(Icon::Lock, "")).child(
                    el("span").child(t(M::PrivateLine)).child(" ").child(
                        el("button.link").on(ev::click, move |_| commands.run(Action::Privacy)).child(t(M::HowToCheck)),
                    ),
                )),
        )
        .child(
            el("aside.home-side")
                .attr("aria-label", t(M::ReadsTitle))
                .child(el("h2").child(t(M::ReadsTitle)))
                .child(el("h3").child(t(M::ReadsRuns)))
                .child(el("dl.home-reads").child(reads))
                .child(el("h3").child(t(M::ReadsSkills)))
                .child(
                    el("dl.home-reads").child(
                        el("div")
                            .child(el("dt").child("Skill Sharing Protocol"))
                            .child(el("dd").child(t(M::ReadsSkillsWhat))),
                    ),
                )
                .child(
                    el("p.small.quiet")
                        .child(t(M::ReadsNote))
                        .child(t(M::Stop))
                        .child(el("a").attr("href", Route::Formats.hash()).child(t(M::AllFormats))),
                )
                .child(el("h2").child(t(M::KeysTitle)))
                .child(el("dl.home-keys").child(keys)),
        )
        .view()
}

/// What the publisher put beside the page; nothing on most sites.
fn gallery() -> View {
    let actions = use_actions();
    let entries = RwSignal::new(Vec::new());
    if dom::meta("gallery").is_empty() {
        return View::NONE;
    }
    spawn_local(async move {
        let _busy = idle::busy();
        let found = actions.gallery().await;
        let _ = entries.try_set(found);
    });
    let links = move || {
        let entries = entries.get();
        (!entries.is_empty()).then(|| {
            let rows = entries.into_iter().map(|entry| {
                let title = entry.id.clone();
                el("li").child(
                    el("button.link")
                        .on(ev::click, move |_| actions.open_from_gallery(entry.clone()))
                        .child(title)
                        .child(icon(Icon::Go, "icon-s")),
                )
            });
            el("section.home-gallery")
                .child(el("h2").child(ti("gallery.title", &[])))
                .child(el("ul").child(rows.collect::<View>()))
        })
    };
    links.view()
}
