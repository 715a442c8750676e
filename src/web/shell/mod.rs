//! What frames every screen: bar, rail, drop, notices, dialogs, keyboard.

pub mod bar;
pub mod dialogs;
pub mod keyboard;
pub mod menu;
pub mod notices;
pub mod palette;
pub mod rail;
pub mod share;
