//! The topology glyph: sixteen bars from sixteen nibbles of the hash. Equal glyph, equal topology; the name of the
//! picture is the hash itself.

use crate::web::view::{IntoView, View, svg};

/// Draws heights from 0 to 15.
pub fn glyph(hash: &str, heights: &[u8]) -> View {
    glyph_beside(hash, heights, heights)
}

/// The same beside another one: bars that differ from the other's are of another class, and have a foot.
pub fn glyph_beside(hash: &str, heights: &[u8], other: &[u8]) -> View {
    let (mut same, mut differ) = (String::new(), String::new());
    for (i, &height) in heights.iter().take(16).enumerate() {
        let tall = f64::from(height.min(15) + 1) * 1.2;
        let bar = format!("M{} {:.1}h3v{tall:.1}h-3z", i * 4, 19.2 - tall);
        if other.get(i) == Some(&height) {
            same.push_str(&bar);
        } else {
            differ.push_str(&bar);
            differ.push_str(&format!("M{} 19.2h3v.8h-3z", i * 4));
        }
    }
    svg("svg.glyph")
        .attr("viewBox", "0 0 64 20")
        .attr("role", "img")
        .attr("aria-label", hash.to_owned())
        .child(svg("path").attr("d", same))
        .child((!differ.is_empty()).then(|| svg("path.glyph-differs").attr("d", differ)))
        .view()
}
