//! The empty page: what it is for, two ways to begin, what a run looks like, what it reads.

use leptos::prelude::*;

use crate::message::M;
use crate::web::state::settings::t;

#[component]
pub fn HomeScreen() -> impl IntoView {
    view! { <div class="home"><div class="home-main"><h1 tabindex="-1">{t(M::HomeTitle)}</h1></div></div> }
}
