//! Where you are: the address's hash as a signal. Only the browser's own event sets it; to go somewhere is to follow
//! an ordinary link, or to call [`go`].

use leptos::prelude::*;

use crate::route::Route;
use crate::web::platform::dom;

/// The route, provided to every screen.
#[derive(Clone, Copy)]
pub struct Nav(RwSignal<Route>);

impl Nav {
    /// Follows the address from now on.
    pub fn start() -> Self {
        let route = RwSignal::new(Route::parse(&dom::hash()));
        dom::on_window("hashchange", move |_| {
            let now = Route::parse(&dom::hash());
            if route.with_untracked(|r| *r != now) {
                route.set(now);
            }
        });
        Self(route)
    }

    /// The route now, without following it.
    pub fn now(self) -> Route {
        self.0.get_untracked()
    }

    /// The route, followed.
    pub fn get(self) -> Route {
        self.0.get()
    }

    /// Goes to a place, with an entry in the history.
    pub fn go(self, route: &Route) {
        dom::set_hash(&route.hash());
    }

    /// Goes to a place instead of this one: for what Back should not stop at, like each selected step.
    pub fn replace(self, route: &Route) {
        if self.now() != *route {
            dom::replace_hash(&route.hash());
            self.0.set(Route::parse(&dom::hash()));
        }
    }
}

/// The handle; works in components and in what they own.
pub fn use_nav() -> Nav {
    expect_context()
}

/// The route as a memo.
pub fn use_route() -> Memo<Route> {
    let nav = use_nav();
    Memo::new(move |_| nav.get())
}
