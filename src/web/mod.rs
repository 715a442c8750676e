//! The page: Leptos, client side only. `app` frames it, `screens` wire state to `components`, `platform` alone touches
//! the browser. Of the core it uses `protocol`, `report`, `route`, `format`, `fuzzy` and `message`, never an analysis:
//! those run in the worker.

pub mod app;
pub mod asking;
pub mod commands;
pub mod components;
pub mod lines;
pub mod pieces;
pub mod platform;
pub mod screens;
pub mod shell;
pub mod state;
pub mod view;

/// Draws the page. A fault in the program ends in the boot screen of `index.html`, with a report.
pub fn start() {
    std::panic::set_hook(Box::new(|info| platform::dom::panicked(&info.to_string())));
    view::mount(app::app);
}
