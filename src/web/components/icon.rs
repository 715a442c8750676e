//! The icons: 16 units, stroke 1.5, each one path, so that none needs markup as text.

use leptos::prelude::*;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Logo,
    Search,
    Plus,
    Close,
    Right,
    Down,
    Up,
    Next,
    Go,
    Lock,
    Help,
    Theme,
    Run,
    Many,
    Skill,
    Loop,
    Bad,
    Warn,
    Info,
    Check,
    Sub,
    Menu,
    Compare,
    Share,
    Picture,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Icon::Logo => "M1.4 16V8M5.8 16V1M10.2 16v-6M14.6 16V4",
            Icon::Search => "M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0M10.5 10.5 14 14",
            Icon::Plus => "M8 3.5v9M3.5 8h9",
            Icon::Close => "m4.5 4.5 7 7M11.5 4.5l-7 7",
            Icon::Right => "m6.5 5 3 3-3 3",
            Icon::Down => "m5 6.5 3 3 3-3",
            Icon::Up => "M8 13V3M4 7l4-4 4 4",
            Icon::Next => "M8 3v10M4 9l4 4 4-4",
            Icon::Go => "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
            Icon::Lock => "M4.5 7h7a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1M5 7V5.5a3 3 0 0 1 6 0V7",
            Icon::Help => "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M6.3 6.4a1.75 1.75 0 1 1 2.5 1.7c-.6.3-.8.6-.8 1.2M8 11.3v.01",
            Icon::Theme => "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M8 2v12M9.5 2.5v11M11 3.2v9.6M12.5 4.5v7",
            Icon::Run => "M2.5 4h11M2.5 8h7.5M2.5 12h11",
            Icon::Many => "M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M2 6.3h12M2 9.7h12M6 3v10",
            Icon::Skill => "m8 2 5.2 3v6L8 14l-5.2-3V5Z",
            Icon::Loop => "M13 8a5 5 0 1 1-1.5-3.6L13 5.8M13 2.5v3.3H9.7",
            Icon::Bad => "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5ZM8 5v3.5M8 10.9v.01",
            Icon::Warn => "M8 2.5 14.5 13.5h-13ZM8 6.5v3M8 11.5v.01",
            Icon::Info => "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M8 7.5V11M8 5v.01",
            Icon::Check => "m3 8.5 3.3 3.3L13 5",
            Icon::Sub => "M4 3v5.5h8M9.5 6 12 8.5 9.5 11",
            Icon::Menu => "M3 4.5h10M3 8h10M3 11.5h10",
            Icon::Compare => "M3 3h3a.5.5 0 0 1 .5.5v9a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5v-9A.5.5 0 0 1 3 3M10 3h3a.5.5 0 0 1 .5.5v9a.5.5 0 0 1-.5.5h-3a.5.5 0 0 1-.5-.5v-9a.5.5 0 0 1 .5-.5",
            Icon::Share => "M8 10V2.5M5 5l3-3 3 3M4.5 8H3v5.5h10V8h-1.5",
            Icon::Picture => "M2.5 3h11v10h-11ZM2.5 11l3.5-3.5L9 10.5l2-2 2.5 2.5M10.5 6v.01",
        }
    }
}

/// An icon beside a word; screen readers skip it.
pub fn icon(which: Icon) -> AnyView {
    drawn(which, "icon")
}

/// An icon in running text.
pub fn small_icon(which: Icon) -> AnyView {
    drawn(which, "icon icon-s")
}

/// An icon with a tone: `good`, `bad`, `warn` or empty.
pub fn toned_icon(which: Icon, tone: &str) -> AnyView {
    drawn(which, &format!("icon {tone}"))
}

fn drawn(which: Icon, class: &str) -> AnyView {
    let (width, cap) = if which == Icon::Logo { ("2.4", "butt") } else { ("1.5", "round") };
    view! {
        <svg class=class.to_owned() viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width=width
            stroke-linecap=cap stroke-linejoin="round" aria-hidden="true">
            <path d=which.path()></path>
        </svg>
    }
    .into_any()
}
