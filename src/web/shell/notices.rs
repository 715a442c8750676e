//! Lines above the screen that stay until they are settled: a file changed on disk, the worker was restarted.

use leptos::prelude::*;

use crate::message::M;
use crate::route::Route;
use crate::web::components::icon::{Icon, icon};
use crate::web::platform::dom;
use crate::web::state::actions::use_actions;
use crate::web::state::nav::use_route;
use crate::web::state::session::{Document, NoticeAct, use_session};
use crate::web::state::settings::{t, tf};

#[component]
pub fn Notices() -> AnyView {
    let session = use_session();
    let actions = use_actions();
    let route = use_route();
    let kept = RwSignal::new(None::<u32>);
    let document = Memo::new(move |_| match &*route.read() {
        Route::Document(place) => session.by_name(&place.document),
        _ => None,
    });
    let of_file = move || {
        let document: Document = document.get()?;
        let (key, name) = (document.key, document.name.clone());
        document.summary()?;
        if document.renewing.get() {
            return Some(view! {
                <div class="notice">
                    {icon(Icon::Info, "")}<p>{tf(M::Renewing, &[("name", &name)])}</p>
                    <button class="button button-small" on:click=move |_| actions.cancel(key)>{t(M::Cancel)}</button>
                </div>
            }.into_any());
        }
        if !document.changed.get() || kept.get() == Some(key) {
            return None;
        }
        Some(view! {
            <div class="notice">
                {icon(Icon::Info, "")}<p>{tf(M::FileChanged, &[("name", &name)])}</p>
                <button class="button button-small" on:click=move |_| actions.reload(key)>{t(M::Reload)}</button>
                <button class="button button-small button-ghost" on:click=move |_| kept.set(Some(key))>{t(M::KeepShown)}</button>
            </div>
        }.into_any())
    };
    let general = move || {
        session.notice.get().map(|notice| {
            let (class, which, tone) = if notice.bad { ("notice bad", Icon::Bad, "bad") } else { ("notice", Icon::Info, "") };
            let act = notice.act.map(|NoticeAct::ReloadPage| {
                view! { <button class="button button-small" on:click=move |_| dom::reload_page()>{t(M::ReloadPage)}</button> }
            });
            view! {
                <div class=class>
                    {icon(which, tone)}<p>{notice.say.text()}</p>{act}
                    <button class="button button-ghost button-icon button-small" aria-label=t(M::Dismiss)
                        on:click=move |_| session.notice.set(None)>{icon(Icon::Close, "icon-s")}</button>
                </div>
            }.into_any()
        })
    };
    view! { <div class="app-note">{general}{of_file}</div> }.into_any()
}
