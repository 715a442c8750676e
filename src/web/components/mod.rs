//! What screens are made of: props in, callbacks out. Components know no store, no route and no platform.

pub mod icon;
