//! A link with data: what is being fetched, from whom, and why it did not work.

use leptos::{ev, prelude::*};

use crate::message::M;
use crate::route::Route;
use crate::web::components::icon::{Icon, icon};
use crate::web::state::link::{Fetching, Part, use_links};
use crate::web::state::nav::{use_nav, use_route};
use crate::web::state::settings::{t, ti};
use crate::web::view::{IntoView, View, effect, el};

pub fn link_screen() -> View {
    let (nav, links) = (use_nav(), use_links());
    // Another link may come while this one is on the screen.
    let route = use_route();
    effect(move || {
        if let Route::Open(opening) = route.get() {
            untrack(|| links.follow(opening));
        }
    });
    let going = Memo::new(move |_| links.parts.with(|p| p.iter().any(|p| p.state == Fetching::Going)));
    let rows = move || links.parts.get().iter().map(row).collect::<View>();
    el("div.page")
        .child(
            el("header.page-head.head").child(
                el("div.head-title").child(el("h1").attr("tabindex", "-1").child(move || ti("link.title", &[]))),
            ),
        )
        .child(
            el("div.page-body")
                .child(el("p.quiet").child(move || ti("link.lead", &[])))
                .child(el("div").attr("role", "status").child(el("ul.link-parts").child(rows)))
                .child(move || {
                    going.get().then(|| {
                        el("p.row").child(
                            el("button.button")
                                .attr("type", "button")
                                .on(ev::click, move |_| {
                                    links.stop();
                                    nav.go(&Route::Home);
                                })
                                .child(t(M::Cancel)),
                        )
                    })
                }),
        )
        .view()
}

fn row(part: &Part) -> View {
    let (which, tone, said) = match &part.state {
        Fetching::Going => (Icon::Info, "", ti("link.going", &[("host".into(), part.source.host())])),
        Fetching::Done => (Icon::Check, "good", ti("link.done", &[("host".into(), part.source.host())])),
        Fetching::Failed(say) => (Icon::Bad, "bad", say.text()),
    };
    el("li.verdict")
        .child(icon(which, tone))
        .child(el("span").child(said).child(el("br")).child(el("code.mono.quiet").child(part.source.url.clone())))
        .view()
}
