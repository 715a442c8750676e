//! Before there is anything to show: reading and analysing with Cancel, a file that could not be read, a link into a
//! file that is not open.

use leptos::prelude::*;

use crate::format;
use crate::message::M;
use crate::route::{Place, Route};
use crate::web::commands::{Action, use_commands};
use crate::web::components::icon::{Icon, icon};
use crate::web::state::actions::use_actions;
use crate::web::state::session::{Document, Problem, Status};
use crate::web::state::settings::{t, tf};

/// A document on its way in.
#[component]
pub fn IntakeScreen(document: Document) -> AnyView {
    let actions = use_actions();
    let Document { key, name, size, status, .. } = document;
    let line = move || match &*status.read() {
        Status::Reading { done, of } => {
            let what = tf(M::ReadingWhat, &[("done", &format::bytes(*done)), ("of", &format::bytes(*of))]);
            view! { <b>{t(M::IntakeReading)}</b>" "{what} }.into_any()
        }
        _ => view! { <b>{t(M::Analysing)}</b>" "{t(M::AnalysingWhat)} }.into_any(),
    };
    // Without a value the bar says "not known how long", which is what analysing is.
    let share = move || match &*status.read() {
        Status::Reading { done, of } => Some((*done as f64 / (*of).max(1) as f64 * 100.0).round().to_string()),
        _ => Some("100".to_owned()),
    };
    view! {
        <div class="page">
            <header class="page-head head">
                <div class="head-title"><h1 tabindex="-1">{name}</h1><span class="chip">{format::bytes(size)}</span></div>
                <p class="verdict">{icon(Icon::Info, "")}<span>{line}</span></p>
                <div class="head-actions"><progress class="progress" max="100" value=share aria-label=t(M::IntakeReading)></progress></div>
            </header>
            <div class="page-body"><button class="button" on:click=move |_| actions.cancel(key)>{t(M::Cancel)}</button></div>
        </div>
    }
    .into_any()
}

/// A document that could not be read.
#[component]
pub fn FailedScreen(document: Document) -> AnyView {
    let actions = use_actions();
    let Document { key, name, size, status, .. } = document;
    let problem = move || match &*status.read() {
        Status::Failed(problem) => Some(problem.clone()),
        _ => None,
    };
    let detail = move || problem().map(|p: Problem| p.detail).filter(|d| !d.is_empty());
    view! {
        <div class="page">
            <header class="page-head head">
                <div class="head-title"><h1 tabindex="-1">{name}</h1><span class="chip">{format::bytes(size)}</span></div>
                <p class="verdict">
                    {icon(Icon::Bad, "bad")}
                    <span>
                        <b>{t(M::FailedTitle)}</b>" "{move || problem().map(|p| p.what.text())}{t(M::Stop)}
                        {move || problem().and_then(|p| p.fix).map(|fix| fix.text())}
                    </span>
                </p>
                <div class="head-actions row">
                    <button class="button button-primary" on:click=move |_| actions.reload(key)>{t(M::TryAgain)}</button>
                    <button class="button button-large" on:click=move |_| actions.close(key)>{t(M::Close)}</button>
                </div>
            </header>
            <div class="page-body">{move || detail().map(|d| view! { <pre class="code code-sunken" tabindex="0">{d}</pre> })}</div>
        </div>
    }
    .into_any()
}

/// A link leads into a file that is not open.
#[component]
pub fn MissingScreen(place: Memo<Place>) -> AnyView {
    let commands = use_commands();
    view! {
        <div class="page">
            <header class="page-head head">
                <div class="head-title">
                    <h1 tabindex="-1">{move || tf(M::MissingTitle, &[("name", &place.read().document)])}</h1>
                    {move || place.read().step.map(|step| view! { <span class="chip">{tf(M::MissingStep, &[("step", &(step + 1).to_string())])}</span> })}
                </div>
                <p class="verdict">{icon(Icon::Info, "")}<span>{t(M::MissingWhat)}</span></p>
                <div class="head-actions row">
                    <button class="button button-primary" on:click=move |_| commands.run(Action::ChooseFiles)>{t(M::ChooseFiles)}</button>
                    <button class="button button-large" on:click=move |_| commands.run(Action::ChooseFolder)>{t(M::ChooseFolder)}</button>
                    <a class="button button-large button-ghost" href=Route::Home.hash()>{t(M::CmdHome)}</a>
                </div>
            </header>
            <div></div>
        </div>
    }
    .into_any()
}
