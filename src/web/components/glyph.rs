//! The topology glyph: sixteen bars from sixteen nibbles of the hash. Equal glyph, equal topology; the name of the
//! picture is the hash itself.

use crate::web::view::{IntoView, View, svg};

/// Draws heights from 0 to 15.
pub fn glyph(hash: &str, heights: &[u8]) -> View {
    let mut d = String::new();
    for (i, &height) in heights.iter().take(16).enumerate() {
        let tall = f64::from(height.min(15) + 1) * 1.2;
        d.push_str(&format!("M{} {:.1}h3v{tall:.1}h-3z", i * 4, 19.2 - tall));
    }
    svg("svg.glyph")
        .attr("viewBox", "0 0 64 20")
        .attr("role", "img")
        .attr("aria-label", hash.to_owned())
        .child(svg("path").attr("d", d))
        .view()
}
