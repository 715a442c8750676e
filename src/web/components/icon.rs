//! The icons: 16 units, stroked in the colour of the text. Decoration beside a word, never the word itself.

use crate::web::view::{El, el, svg};

/// An icon by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Logo,
    Search,
    Plus,
    Close,
    Right,
    Chevron,
    Up,
    Down,
    Go,
    Lock,
    Help,
    Theme,
    Run,
    Runs,
    Loop,
    Bad,
    Warn,
    Info,
    Check,
    Spawn,
    Menu,
    Picture,
    Skill,
    Dash,
    Compare,
    Swap,
    Link,
    Note,
}

impl Icon {
    fn paths(self) -> &'static str {
        match self {
            Icon::Logo => {
                r#"<path d="M1.4 16V8M5.8 16V1M10.2 16v-6M14.6 16V4" stroke-width="2.4" stroke-linecap="butt"/>"#
            }
            Icon::Search => r#"<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>"#,
            Icon::Plus => r#"<path d="M8 3.5v9M3.5 8h9"/>"#,
            Icon::Close => r#"<path d="m4.5 4.5 7 7M11.5 4.5l-7 7"/>"#,
            Icon::Right => r#"<path d="m6.5 5 3 3-3 3"/>"#,
            Icon::Chevron => r#"<path d="m5 6.5 3 3 3-3"/>"#,
            Icon::Up => r#"<path d="M8 13V3M4 7l4-4 4 4"/>"#,
            Icon::Down => r#"<path d="M8 3v10M4 9l4 4 4-4"/>"#,
            Icon::Go => r#"<path d="M3 8h10M9.5 4.5 13 8l-3.5 3.5"/>"#,
            Icon::Lock => {
                r#"<rect x="3.5" y="7" width="9" height="6.5" rx="1"/><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>"#
            }
            Icon::Help => {
                r#"<circle cx="8" cy="8" r="6"/><path d="M6.3 6.4a1.75 1.75 0 1 1 2.5 1.7c-.6.3-.8.6-.8 1.2M8 11.3v.01"/>"#
            }
            Icon::Theme => r#"<circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12Z" fill="currentColor"/>"#,
            Icon::Run => r#"<path d="M2.5 4h11M2.5 8h7.5M2.5 12h11"/>"#,
            Icon::Runs => r#"<rect x="2" y="3" width="12" height="10" rx="1"/><path d="M2 6.3h12M2 9.7h12M6 3v10"/>"#,
            Icon::Loop => r#"<path d="M13 8a5 5 0 1 1-1.5-3.6L13 5.8M13 2.5v3.3H9.7"/>"#,
            Icon::Bad => r#"<path d="M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5Z"/><path d="M8 5v3.5M8 10.9v.01"/>"#,
            Icon::Warn => r#"<path d="M8 2.5 14.5 13.5h-13Z"/><path d="M8 6.5v3M8 11.5v.01"/>"#,
            Icon::Info => r#"<circle cx="8" cy="8" r="6"/><path d="M8 7.5V11M8 5v.01"/>"#,
            Icon::Check => r#"<path d="m3 8.5 3.3 3.3L13 5"/>"#,
            Icon::Spawn => r#"<path d="M4 3v5.5h8M9.5 6 12 8.5 9.5 11"/>"#,
            Icon::Picture => r#"<path d="M2.5 3h11v10h-11ZM2.5 11l3.5-3.5L9 10.5l2-2 2.5 2.5M10.5 6v.01"/>"#,
            Icon::Note => r#"<path d="M2.5 3h11v8H8l-3 2.5V11H2.5Z"/>"#,
            Icon::Skill => r#"<path d="M8 2 13.2 5v6L8 14 2.8 11V5Z"/>"#,
            Icon::Dash => r#"<path d="M3.5 8h9"/>"#,
            Icon::Compare => r#"<path d="M2.5 3h4.5v10H2.5ZM9 3h4.5v10H9Z"/>"#,
            Icon::Link => {
                r#"<path d="M7 9a2.8 2.8 0 0 0 4 0l2-2a2.8 2.8 0 0 0-4-4l-.7.7M9 7a2.8 2.8 0 0 0-4 0L3 9a2.8 2.8 0 0 0 4 4l.7-.7"/>"#
            }
            Icon::Swap => r#"<path d="M3 5.5h9M9.5 3 12 5.5 9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13"/>"#,
            Icon::Menu => r#"<path d="M3 4.5h10M3 8h10M3 11.5h10"/>"#,
        }
    }
}

/// Draws an icon; `class` may add `icon-s` (14 px) and a tone.
pub fn icon(icon: Icon, class: &'static str) -> El {
    svg("svg")
        .class(format!("icon {class}"))
        .attr("viewBox", "0 0 16 16")
        .attr("fill", "none")
        .attr("stroke", "currentColor")
        .attr("stroke-width", "1.5")
        .attr("stroke-linecap", "round")
        .attr("stroke-linejoin", "round")
        .attr("aria-hidden", "true")
        .markup(icon.paths())
}

/// A key cap.
pub fn kbd(key: impl Into<String>) -> El {
    el("kbd.kbd").child(key.into())
}
