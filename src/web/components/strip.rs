//! The whole run as one band: a mark for each step or bucket of steps, failures longer, loops as brackets outside.
//! Three kinds of paths whatever the length; cost O(buckets).

use crate::report::Strip;
use crate::web::view::{IntoView, View, svg};

/// How a strip is drawn. Lengths are in units of the view box, along the run one unit is a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// From top to bottom instead of from left to right.
    pub upright: bool,
    /// Across the run.
    pub thick: f64,
    /// How far the marks of failures stand out on each side.
    pub out: f64,
    /// Distance and height of the brackets of loops; `None`: no brackets.
    pub bracket: Option<(f64, f64)>,
}

impl Shape {
    /// The large band over the loops.
    pub const WIDE: Self = Self { upright: false, thick: 32.0, out: 4.0, bracket: Some((9.0, -5.0)) };
    /// A thin band without brackets.
    pub const THIN: Self = Self { upright: false, thick: 12.0, out: 0.0, bracket: None };
    /// The band on the first page.
    pub const SAMPLE: Self = Self { upright: false, thick: 24.0, out: 4.0, bracket: Some((9.0, -5.0)) };
    /// The minimap.
    pub const UPRIGHT: Self = Self { upright: true, thick: 12.0, out: 3.0, bracket: Some((-2.0, -3.0)) };
}

/// Draws a strip; `recovery` is the step at which the run got out of its loops.
pub fn strip(data: &Strip, shape: Shape, recovery: Option<u32>) -> View {
    let steps = f64::from(data.steps.max(1));
    let view_box =
        if shape.upright { format!("0 0 {} {steps}", shape.thick) } else { format!("0 0 {steps} {}", shape.thick) };
    let actors = ["user", "agent", "tool", "system", "environment"]
        .into_iter()
        .zip(band(data, shape))
        .filter(|(_, d)| !d.is_empty())
        .map(|(actor, d)| svg("path").attr("data-actor", actor).attr("d", d))
        .collect::<View>();
    let mut errors = String::new();
    for &step in &data.errors {
        line(&mut errors, shape, f64::from(step) + 0.5, -shape.out, shape.thick + shape.out);
    }
    let mut compactions = String::new();
    let mut good = String::new();
    if shape.bracket.is_some() && !shape.upright {
        for &step in &data.compactions {
            line(&mut compactions, shape, f64::from(step) + 0.5, -6.0, shape.thick + 6.0);
        }
        if let Some(step) = recovery {
            line(&mut good, shape, f64::from(step) + 0.5, shape.thick + 4.0, shape.thick + 20.0);
        }
    }
    svg("svg.strip")
        .attr("viewBox", view_box)
        .attr("preserveAspectRatio", "none")
        .attr("aria-hidden", "true")
        .child(actors)
        .child(svg("path.strip-now").attr("d", compactions))
        .child(svg("path.strip-error").attr("d", errors))
        .child(svg("path.strip-loop").attr("d", brackets(data, shape)))
        .child(svg("path.strip-good").attr("d", good))
        .view()
}

/// One path for each actor. Few buckets keep a gap between each other, many run together.
fn band(data: &Strip, shape: Shape) -> [String; 5] {
    let mut paths: [String; 5] = Default::default();
    let marks: Vec<char> = data.buckets.chars().collect();
    if marks.is_empty() {
        return paths;
    }
    let unit = f64::from(data.steps.max(1)) / marks.len() as f64;
    let gap = if marks.len() <= 500 { 0.15 * unit } else { 0.0 };
    let mut at = 0;
    while let Some(&mark) = marks.get(at) {
        let mark = mark.to_ascii_lowercase();
        let mut end = at + 1;
        while gap == 0.0 && marks.get(end).is_some_and(|m| m.to_ascii_lowercase() == mark) {
            end += 1;
        }
        let index = match mark {
            'u' => 0,
            'a' => 1,
            't' => 2,
            'e' => 4,
            _ => 3,
        };
        let (from, long, thick) = (at as f64 * unit, (end - at) as f64 * unit - gap, shape.thick);
        if let Some(path) = paths.get_mut(index) {
            if shape.upright {
                path.push_str(&format!("M0 {from:.2}h{thick}v{long:.2}h-{thick}z"));
            } else {
                path.push_str(&format!("M{from:.2} 0h{long:.2}v{thick}h-{long:.2}z"));
            }
        }
        at = end;
    }
    paths
}

fn line(path: &mut String, shape: Shape, at: f64, from: f64, to: f64) {
    if shape.upright {
        path.push_str(&format!("M{from} {at}H{to}"));
    } else {
        path.push_str(&format!("M{at} {from}V{to}"));
    }
}

fn brackets(data: &Strip, shape: Shape) -> String {
    let mut out = String::new();
    let Some((gap, leg)) = shape.bracket else { return out };
    for (first, last, _) in &data.loops {
        let (first, last) = (f64::from(*first), f64::from(*last) + 1.0);
        if shape.upright {
            out.push_str(&format!("M{gap} {first}h{leg}V{last}h{}", -leg));
        } else {
            let at = shape.thick + gap;
            out.push_str(&format!("M{first} {}v{}H{last}v{leg}", at + leg, -leg));
        }
    }
    out
}
