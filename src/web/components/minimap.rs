//! The run from top to bottom beside the list: an upright strip that is also a slider over the steps.

use leptos::{ev, html, prelude::*};

use super::strip::{Shape, strip};
use crate::report::Strip;
use crate::web::view::{El, el};

/// The minimap. The pointer asks for a step, the keyboard for rows: folded steps are one row.
pub struct Minimap {
    pub label: &'static str,
    pub data: Signal<Option<Strip>>,
    /// First and last step on screen.
    pub seen: Signal<(u32, u32)>,
    /// The first of them in words.
    pub value_text: Signal<String>,
    /// A step to show.
    pub on_step: Callback<u32>,
    /// So many rows further.
    pub on_rows: Callback<i64>,
}

/// Draws the minimap.
pub fn minimap(map: Minimap) -> El {
    let Minimap { label, data, seen, value_text, on_step, on_rows } = map;
    let node = NodeRef::<html::Div>::new();
    let dragging = RwSignal::new(false);
    let steps = Signal::derive(move || data.with(|d| d.as_ref().map_or(0, |d| d.steps)));
    let to_pointer = move |event: &ev::PointerEvent| {
        let Some(node) = node.get_untracked() else { return };
        let rect = node.get_bounding_client_rect();
        let share = ((f64::from(event.client_y()) - rect.top()) / rect.height().max(1.0)).clamp(0.0, 1.0);
        let steps = steps.get_untracked();
        on_step.run(((share * f64::from(steps)) as u32).min(steps.saturating_sub(1)));
    };
    let keydown = move |event: ev::KeyboardEvent| {
        let rows = match event.key().as_str() {
            "ArrowDown" | "ArrowRight" => 1,
            "ArrowUp" | "ArrowLeft" => -1,
            "PageDown" => 20,
            "PageUp" => -20,
            "Home" => i64::from(i32::MIN),
            "End" => i64::from(i32::MAX),
            _ => return,
        };
        event.prevent_default();
        on_rows.run(rows);
    };
    let thumb = move || {
        let (from, to) = seen.get();
        let steps = f64::from(steps.get().max(1));
        let (y, h) = (f64::from(from) / steps * 100.0, f64::from(to.saturating_sub(from) + 1) / steps * 100.0);
        format!("--y:{y:.2}%;--h:{h:.2}%")
    };
    el("div.minimap")
        .node(node)
        .attr("role", "slider")
        .attr("tabindex", "0")
        .attr("aria-orientation", "vertical")
        .attr("aria-label", label)
        .attr("aria-valuemin", "1")
        .attr("aria-valuemax", move || steps.get().max(1).to_string())
        .attr("aria-valuenow", move || (seen.get().0 + 1).to_string())
        .attr("aria-valuetext", move || value_text.get())
        .on(ev::keydown, keydown)
        .on(ev::pointerdown, move |event| {
            if let Some(node) = node.get_untracked() {
                let _ = node.set_pointer_capture(event.pointer_id());
            }
            dragging.set(true);
            to_pointer(&event);
        })
        .on(ev::pointermove, move |event| {
            if dragging.get_untracked() {
                to_pointer(&event)
            }
        })
        .on(ev::pointerup, move |_| dragging.set(false))
        .on(ev::pointercancel, move |_| dragging.set(false))
        .child(move || data.with(|d| d.as_ref().map(|d| strip(d, Shape::UPRIGHT, None))))
        .child(el("div.minimap-view").attr("style", thumb))
}
