//! The run from top to bottom beside the list: an upright strip that is also a slider over the steps.

use leptos::{ev, html, prelude::*};

use super::strip::{Shape, strip};
use crate::report::Strip;

/// Draws the minimap. `seen` is the first and last step on screen; `on_move` is called with the step to show.
#[component]
pub fn Minimap(
    label: &'static str,
    data: Signal<Option<Strip>>,
    /// The step that the keyboard is at.
    value: Signal<u32>,
    /// The same in words.
    value_text: Signal<String>,
    seen: Signal<(u32, u32)>,
    on_move: Callback<u32>,
) -> AnyView {
    let node = NodeRef::<html::Div>::new();
    let dragging = RwSignal::new(false);
    let steps = Signal::derive(move || data.with(|d| d.as_ref().map_or(0, |d| d.steps)));
    let to_pointer = move |event: &ev::PointerEvent| {
        let Some(node) = node.get_untracked() else { return };
        let rect = node.get_bounding_client_rect();
        let share = ((f64::from(event.client_y()) - rect.top()) / rect.height().max(1.0)).clamp(0.0, 1.0);
        let steps = steps.get_untracked();
        on_move.run(((share * f64::from(steps)) as u32).min(steps.saturating_sub(1)));
    };
    let keydown = move |event: ev::KeyboardEvent| {
        let (at, last) = (value.get_untracked(), steps.get_untracked().saturating_sub(1));
        let page = (last / 10).max(1);
        let next = match event.key().as_str() {
            "ArrowDown" | "ArrowRight" => at.saturating_add(1).min(last),
            "ArrowUp" | "ArrowLeft" => at.saturating_sub(1),
            "PageDown" => at.saturating_add(page).min(last),
            "PageUp" => at.saturating_sub(page),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        on_move.run(next);
    };
    let thumb = move || {
        let (from, to) = seen.get();
        let steps = f64::from(steps.get().max(1));
        let (y, h) = (f64::from(from) / steps * 100.0, f64::from(to.saturating_sub(from) + 1) / steps * 100.0);
        format!("--y:{y:.2}%;--h:{h:.2}%")
    };
    view! {
        <div class="minimap" node_ref=node role="slider" tabindex="0" aria-orientation="vertical" aria-label=label
            aria-valuemin="1" aria-valuemax=move || steps.get().max(1).to_string()
            aria-valuenow=move || (value.get() + 1).to_string() aria-valuetext=move || value_text.get()
            on:keydown=keydown
            on:pointerdown=move |event| {
                if let Some(node) = node.get_untracked() {
                    let _ = node.set_pointer_capture(event.pointer_id());
                }
                dragging.set(true);
                to_pointer(&event);
            }
            on:pointermove=move |event| if dragging.get_untracked() { to_pointer(&event) }
            on:pointerup=move |_| dragging.set(false)
            on:pointercancel=move |_| dragging.set(false)>
            {move || data.with(|d| d.as_ref().map(|d| strip(d, Shape::UPRIGHT, None)))}
            <div class="minimap-view" style=thumb></div>
        </div>
    }
    .into_any()
}
