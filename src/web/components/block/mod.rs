//! Draws the content of a step: [`Block`]s from the worker, which hold text and never markup. Nothing here parses, and
//! the worker has cut what is too long, so drawing stays short.

mod diff;
mod json;
mod lines;
mod markdown;

use super::{Icon, Words, icon};
use crate::web::view::{IntoView, View, el};
use crate::{format, message::M, report::Block};

/// A picture larger than this, in characters of base64, is only named.
const LARGEST_PICTURE: usize = 16 << 20;
/// Kinds of pictures that a browser draws without running anything.
const PICTURES: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];

/// Draws blocks one under the other. `error` frames text as the output of something that failed.
pub fn blocks(words: Words, blocks: &[Block]) -> View {
    blocks.iter().map(|b| block(words, b)).collect()
}

fn block(words: Words, block: &Block) -> View {
    match block {
        Block::Markdown { nodes } => el("div.prose").child(markdown::nodes(nodes, 0)).view(),
        Block::Json { rows, cut } => json::tree(words, rows, *cut),
        Block::Lines { lines, cut } => lines::lines(words, lines, *cut),
        Block::Diff(diff) => diff::diff(words, diff),
        Block::Picture { mime, data } => picture(words, mime, data),
        Block::Reference { mime, name } => reference(mime, name),
    }
}

fn picture(words: Words, mime: &str, data: &str) -> View {
    let size = format::bytes((data.len() / 4 * 3) as u64);
    let plain = data.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_'));
    if !PICTURES.contains(&mime) || data.len() > LARGEST_PICTURE || !plain {
        return reference(mime, &size);
    }
    let alt = words.f(M::PictureInData, &[("kind", mime), ("size", &size)]);
    el("img.picture")
        .attr("src", format!("data:{mime};base64,{data}"))
        .attr("alt", alt)
        .attr("loading", "lazy")
        .attr("decoding", "async")
        .view()
}

fn reference(mime: &str, name: &str) -> View {
    el("p.row.quiet")
        .child(icon(Icon::Picture, ""))
        .child(el("code").child(name.to_owned()))
        .child(el("span").child(mime.to_owned()))
        .view()
}

/// `n more lines`, when lines were left out.
fn more_lines(words: Words, cut: u32) -> Option<View> {
    (cut > 0).then(|| {
        let text = words.f(M::MoreLines, &[("n", &format::count(u64::from(cut)))]);
        el("span.quiet").child(text).view()
    })
}
