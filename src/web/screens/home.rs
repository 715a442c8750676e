//! The empty page: what it is for, three ways to begin, what a run looks like, what it reads, a few keys.

use leptos::prelude::*;

use super::formats::files;
use crate::format::count;
use crate::message::M;
use crate::report::Strip;
use crate::report::formats::FORMATS;
use crate::route::Route;
use crate::web::commands::{Action, caps, use_commands};
use crate::web::components::icon::{Icon, icon, kbd};
use crate::web::components::strip::{Shape, strip};
use crate::web::platform::dom;
use crate::web::state::actions::use_actions;
use crate::web::state::settings::{t, tf};

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

#[component]
pub fn HomeScreen() -> AnyView {
    let commands = use_commands();
    let actions = use_actions();
    let mac = dom::is_mac();
    let cap = move |keys: &str| caps(keys, mac).into_iter().map(kbd).collect_view();
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
    .map(|(keys, title)| view! { <div class="help-row"><dt>{cap(keys)}</dt><dd>{t(title)}</dd></div> })
    .collect_view();
    let reads = FORMATS.iter().map(|f| view! { <div><dt>{f.label}</dt><dd>{files(f.id)}</dd></div> }).collect_view();
    view! {
        <div class="home">
            <div class="home-main">
                <h1 tabindex="-1">{t(M::HomeTitle)}</h1>
                <p class="home-lede">{t(M::HomeLead)}</p>
                <div class="home-choose">
                    <button class="button button-primary" on:click=move |_| commands.run(Action::ChooseFiles)>{t(M::ChooseFiles)}" "{cap("mod+o")}</button>
                    <button class="button button-large" on:click=move |_| commands.run(Action::ChooseFolder)>{t(M::ChooseFolder)}</button>
                    <span class="quiet">{t(M::OrPaste)}</span>
                </div>
                <div class="home-demo">
                    <div>
                        <button class="link" on:click=move |_| actions.open_example()>{t(M::LoadRun)}{icon(Icon::Go, "icon-s")}</button>
                        <p class="quiet">{t(M::LoadRunWhat)}</p>
                    </div>
                </div>
                <div class="home-strip small quiet">
                    <div>
                        <span>{t(M::StripTitle)}</span>
                        <span class="strip-legend">
                            <span class="strip-key"><i data-actor="agent"></i>{t(M::StripAgent)}</span>
                            <span class="strip-key"><i data-actor="tool"></i>{t(M::StripTool)}</span>
                            <span class="strip-key"><i class="strip-error"></i>{t(M::StripError)}</span>
                            <span class="strip-key"><i class="strip-loop"></i>{t(M::StripLoop)}</span>
                        </span>
                    </div>
                    {strip(&sample, Shape::SAMPLE, None)}
                    <p>{move || tf(M::StripCaption, &[("steps", &steps), ("errors", &errors)])}</p>
                </div>
                <p class="home-private quiet">
                    {icon(Icon::Lock, "")}
                    <span>{t(M::PrivateLine)}" "<button class="link" on:click=move |_| commands.run(Action::Privacy)>{t(M::HowToCheck)}</button></span>
                </p>
            </div>
            <aside class="home-side" aria-label=t(M::ReadsTitle)>
                <h2>{t(M::ReadsTitle)}</h2>
                <h3>{t(M::ReadsRuns)}</h3>
                <dl class="home-reads">{reads}</dl>
                <p class="small quiet">{t(M::ReadsNote)}{t(M::Stop)}<a href=Route::Formats.hash()>{t(M::AllFormats)}</a></p>
                <h2>{t(M::KeysTitle)}</h2>
                <dl class="home-keys">{keys}</dl>
            </aside>
        </div>
    }
    .into_any()
}
