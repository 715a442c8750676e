//! Markdown nodes as elements. The nodes hold no HTML; links go to http(s) only and tell nobody where they came from.

use leptos::prelude::*;

use crate::report::{Inline, Md};

/// Nesting beyond this is drawn as text only.
const DEEPEST: u8 = 24;

/// Draws nodes one under the other.
pub fn nodes(nodes: &[Md], depth: u8) -> AnyView {
    nodes.iter().map(|n| node(n, depth)).collect_view().into_any()
}

fn node(node: &Md, depth: u8) -> AnyView {
    if depth > DEEPEST {
        return "…".into_any();
    }
    match node {
        // The page has its own headings: these are text of the run, so that the outline stays the page's.
        Md::Heading { inline, .. } => view! { <p class="prose-heading">{inlines(inline, 0)}</p> }.into_any(),
        Md::Para { inline } => view! { <p>{inlines(inline, 0)}</p> }.into_any(),
        Md::Code { text, .. } => view! { <pre tabindex="0"><code>{text.clone()}</code></pre> }.into_any(),
        Md::List { start, items } => {
            let items = items.iter().map(|item| view! { <li>{nodes(item, depth + 1)}</li> }).collect_view();
            match start {
                Some(n) => view! { <ol start=n.to_string()>{items}</ol> }.into_any(),
                None => view! { <ul>{items}</ul> }.into_any(),
            }
        }
        Md::Quote { nodes: inner } => view! { <blockquote>{nodes(inner, depth + 1)}</blockquote> }.into_any(),
        Md::Table { head, rows } => {
            let head = head.iter().map(|cell| view! { <th scope="col">{inlines(cell, 0)}</th> }).collect_view();
            let rows = rows
                .iter()
                .map(|row| {
                    let cells = row.iter().map(|cell| view! { <td>{inlines(cell, 0)}</td> }).collect_view();
                    view! { <tr>{cells}</tr> }
                })
                .collect_view();
            view! { <table tabindex="0"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table> }.into_any()
        }
        Md::Rule => view! { <hr /> }.into_any(),
    }
}

fn inlines(list: &[Inline], depth: u8) -> AnyView {
    list.iter().map(|i| inline(i, depth)).collect_view().into_any()
}

fn inline(node: &Inline, depth: u8) -> AnyView {
    if depth > DEEPEST {
        return "…".into_any();
    }
    match node {
        Inline::Text { text } => text.clone().into_any(),
        Inline::Code { text } => view! { <code>{text.clone()}</code> }.into_any(),
        Inline::Strong { inline } => view! { <b>{inlines(inline, depth + 1)}</b> }.into_any(),
        Inline::Emph { inline } => view! { <em>{inlines(inline, depth + 1)}</em> }.into_any(),
        Inline::Strike { inline } => view! { <s>{inlines(inline, depth + 1)}</s> }.into_any(),
        Inline::Link { href, inline } => {
            let text = inlines(inline, depth + 1);
            if href.starts_with("https://") || href.starts_with("http://") {
                view! { <a href=href.clone() title=href.clone() target="_blank" rel="noopener noreferrer">{text}</a> }
                    .into_any()
            } else {
                text
            }
        }
        Inline::Break => view! { <br /> }.into_any(),
    }
}
