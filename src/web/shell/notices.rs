//! Lines above the screen that stay until they are settled: a file changed on disk, the worker was restarted.

use leptos::{ev, prelude::*};

use crate::message::M;
use crate::route::Route;
use crate::web::components::icon::{Icon, icon};
use crate::web::platform::dom;
use crate::web::state::actions::use_actions;
use crate::web::state::nav::use_route;
use crate::web::state::session::{Document, NoticeAct, use_session};
use crate::web::state::settings::{t, tf};
use crate::web::view::{IntoView, View, el};

pub fn notices() -> View {
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
            return Some(
                el("div.notice")
                    .child(icon(Icon::Info, ""))
                    .child(el("p").child(tf(M::Renewing, &[("name", &name)])))
                    .child(
                        el("button.button.button-small")
                            .on(ev::click, move |_| actions.cancel(key))
                            .child(t(M::Cancel)),
                    )
                    .view(),
            );
        }
        if !document.changed.get() || kept.get() == Some(key) {
            return None;
        }
        Some(
            el("div.notice")
                .child(icon(Icon::Info, ""))
                .child(el("p").child(tf(M::FileChanged, &[("name", &name)])))
                .child(el("button.button.button-small").on(ev::click, move |_| actions.reload(key)).child(t(M::Reload)))
                .child(
                    el("button.button.button-small.button-ghost")
                        .on(ev::click, move |_| kept.set(Some(key)))
                        .child(t(M::KeepShown)),
                )
                .view(),
        )
    };
    let general = move || {
        session.notice.get().map(|notice| {
            let (class, which, tone) =
                if notice.bad { ("notice bad", Icon::Bad, "bad") } else { ("notice", Icon::Info, "") };
            let act = notice.act.map(|NoticeAct::ReloadPage| {
                el("button.button.button-small").on(ev::click, move |_| dom::reload_page()).child(t(M::ReloadPage))
            });
            el("div")
                .class(class)
                .child(icon(which, tone))
                .child(el("p").child(notice.say.text()))
                .child(act)
                .child(
                    el("button.button.button-ghost.button-icon.button-small")
                        .attr("aria-label", t(M::Dismiss))
                        .on(ev::click, move |_| session.notice.set(None))
                        .child(icon(Icon::Close, "icon-s")),
                )
                .view()
        })
    };
    el("div.app-note").child(general).child(of_file).view()
}
