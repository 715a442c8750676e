//! The shortcuts: keys of the window to commands of the table. Not while typing, not over a dialog, and single keys
//! not at all when they are switched off (WCAG 2.1.4).

use std::cell::RefCell;

use crate::web::commands::{COMMANDS, Commands, Scope};
use crate::web::platform::dom;
use crate::web::state::settings::Settings;

/// How long the second key of `g h` may take.
const SEQUENCE_MS: f64 = 1500.0;

/// Listens to the keyboard from now on.
pub fn listen(commands: Commands, settings: Settings) {
    use leptos::prelude::GetUntracked;
    let mac = dom::is_mac();
    let first: RefCell<Option<(String, f64)>> = RefCell::new(None);
    dom::on_window("keydown", move |event| {
        let Some((key, modified)) = dom::key(&event, mac) else { return };
        if matches!(key.as_str(), "Shift" | "Control" | "Meta") {
            return;
        }
        if !modified && (!settings.keys.get_untracked() || dom::is_typing(&event) || dom::in_dialog()) {
            first.take();
            return;
        }
        let now = dom::now();
        let keys = match first.take() {
            Some((before, at)) if now - at < SEQUENCE_MS => format!("{before} {key}"),
            _ => key.clone(),
        };
        let mut fitting = COMMANDS.iter().filter(|c| c.keys.contains(&keys.as_str()) && commands.available_now(c));
        if let Some(command) = fitting.next() {
            // Enter belongs to whatever has the focus.
            if keys != "Enter" && !(command.scope != Scope::Everywhere && dom::in_dialog()) {
                event.prevent_default();
                commands.run(command.action);
            }
        } else if COMMANDS
            .iter()
            .any(|c| c.keys.iter().any(|k| k.strip_prefix(key.as_str()).is_some_and(|rest| rest.starts_with(' '))))
        {
            *first.borrow_mut() = Some((key, now));
        }
    });
}
