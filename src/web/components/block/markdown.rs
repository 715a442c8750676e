//! Markdown nodes as elements. The nodes hold no HTML; links go to http(s) only and tell nobody where they came from.

use crate::report::{Inline, Md};
use crate::web::view::{IntoView, View, el};

/// Nesting beyond this is drawn as text only.
const DEEPEST: u8 = 24;

/// Draws nodes one under the other.
pub fn nodes(nodes: &[Md], depth: u8) -> View {
    nodes.iter().map(|n| node(n, depth)).collect()
}

fn node(node: &Md, depth: u8) -> View {
    if depth > DEEPEST {
        return "…".view();
    }
    match node {
        // The page has its own headings: these are text of the run, so that the outline stays the page's.
        Md::Heading { inline, .. } => el("p.prose-heading").child(inlines(inline, 0)).view(),
        Md::Para { inline } => el("p").child(inlines(inline, 0)).view(),
        Md::Code { text, .. } => el("pre").attr("tabindex", "0").child(el("code").child(text.clone())).view(),
        Md::List { start, items } => {
            let items = items.iter().map(|item| el("li").child(nodes(item, depth + 1))).collect::<View>();
            match start {
                Some(n) => el("ol").attr("start", n.to_string()).child(items).view(),
                None => el("ul").child(items).view(),
            }
        }
        Md::Quote { nodes: inner } => el("blockquote").child(nodes(inner, depth + 1)).view(),
        Md::Table { head, rows } => {
            let head = head.iter().map(|cell| el("th").attr("scope", "col").child(inlines(cell, 0))).collect::<View>();
            let rows = rows
                .iter()
                .map(|row| {
                    let cells = row.iter().map(|cell| el("td").child(inlines(cell, 0))).collect::<View>();
                    el("tr").child(cells)
                })
                .collect::<View>();
            el("table")
                .attr("tabindex", "0")
                .child(el("thead").child(el("tr").child(head)))
                .child(el("tbody").child(rows))
                .view()
        }
        Md::Rule => el("hr").view(),
    }
}

fn inlines(list: &[Inline], depth: u8) -> View {
    list.iter().map(|i| inline(i, depth)).collect()
}

fn inline(node: &Inline, depth: u8) -> View {
    if depth > DEEPEST {
        return "…".view();
    }
    match node {
        Inline::Text { text } => text.clone().view(),
        Inline::Code { text } => el("code").child(text.clone()).view(),
        Inline::Strong { inline } => el("b").child(inlines(inline, depth + 1)).view(),
        Inline::Emph { inline } => el("em").child(inlines(inline, depth + 1)).view(),
        Inline::Strike { inline } => el("s").child(inlines(inline, depth + 1)).view(),
        Inline::Link { href, inline } => {
            let text = inlines(inline, depth + 1);
            if href.starts_with("https://") || href.starts_with("http://") {
                el("a")
                    .attr("href", href.clone())
                    .attr("title", href.clone())
                    .attr("target", "_blank")
                    .attr("rel", "noopener noreferrer")
                    .child(text)
                    .view()
            } else {
                text
            }
        }
        Inline::Break => el("br").view(),
    }
}
