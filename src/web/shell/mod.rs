//! What frames every screen: bar, rail, drop, dialogs, keyboard.
