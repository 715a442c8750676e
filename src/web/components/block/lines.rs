//! Lines of terminal output, with the terminal's colours as classes: the theme decides what red is.

use super::{super::Words, more_lines};
use crate::report::Run;
use crate::web::view::{IntoView, View, el};

/// Draws lines; plain ones in a row are one text.
pub fn lines(words: Words, lines: &[Vec<Run>], cut: u32) -> View {
    let mut out: Vec<View> = Vec::new();
    let mut plain = String::new();
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            plain.push('\n');
        }
        for run in line {
            match class(run) {
                None => plain.push_str(&run.text),
                Some(class) => {
                    if !plain.is_empty() {
                        out.push(std::mem::take(&mut plain).view());
                    }
                    out.push(el("span").class(class).child(run.text.clone()).view());
                }
            }
        }
    }
    if cut > 0 {
        plain.push('\n');
    }
    if !plain.is_empty() {
        out.push(plain.view());
    }
    el("pre.code.code-sunken").attr("tabindex", "0").child(out).child(more_lines(words, cut)).view()
}

fn class(run: &Run) -> Option<String> {
    let mut classes: Vec<&str> = Vec::new();
    match run.colour.map(|c| c % 8) {
        Some(1) => classes.push("bad"),
        Some(2) => classes.push("good"),
        Some(3) => classes.push("warn"),
        Some(4) => classes.push("ansi-blue"),
        Some(5) => classes.push("ansi-magenta"),
        Some(6) => classes.push("ansi-cyan"),
        // Black and "bright black" would vanish in one theme or the other; white is the text itself.
        Some(0) => classes.push("ansi-dim"),
        _ => {}
    }
    for (is, name) in
        [(run.bold, "ansi-bold"), (run.dim, "ansi-dim"), (run.italic, "ansi-italic"), (run.underline, "ansi-under")]
    {
        if is {
            classes.push(name);
        }
    }
    (!classes.is_empty()).then(|| classes.join(" "))
}
