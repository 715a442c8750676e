//! A windowed list: whatever its length, at most about a hundred rows are in the document.
//!
//! Rows lie at `--y` in a space of height `--h`; a row's height is the style sheet's `--row`, or `--row-fold` for those that
//! are low, measured on probes, so that sizes and breakpoints are decided in one place. The focused row stays in the document while it is out of view,
//! so the keyboard's place is never lost. Sizes are not watched here: the screen says by `resized` when to measure.

use std::sync::Arc;

use leptos::{ev, html, prelude::*};

use crate::viewport::Viewport;
use crate::web::view::{El, View, each, effect, el, yes};

/// Rows drawn beyond each edge of what is visible.
const OVER: u32 = 12;
/// The window moves in steps of this many rows, so that small scrolling draws nothing.
const GRAIN: u32 = 8;

/// The state of a list that its screen shares with it.
#[derive(Clone, Copy)]
pub struct ListState {
    /// The element that scrolls.
    pub node: NodeRef<html::Div>,
    /// The row that has the keyboard.
    pub focus: RwSignal<u32>,
    /// What is on screen.
    pub view: RwSignal<Viewport>,
    /// Raised when the list must be measured.
    pub resized: RwSignal<u32>,
    probe: NodeRef<html::I>,
    low_probe: NodeRef<html::I>,
    /// Puts the browser's focus on a row without scrolling to it: a call of the platform, which the screen hands over.
    focus_row: fn(NodeRef<html::Li>),
    held: RwSignal<bool>,
    /// Rows can be marked: Space does it, and several may be selected.
    marks: bool,
    /// A row to show once the list is long enough for it, and measured.
    wanted: StoredValue<Option<(u32, bool)>>,
}

impl ListState {
    /// `focus_row` is `platform::look::focus_row`.
    pub fn new(focus_row: fn(NodeRef<html::Li>)) -> Self {
        Self {
            focus_row,
            node: NodeRef::new(),
            focus: RwSignal::new(0),
            view: RwSignal::new(Viewport::default()),
            resized: RwSignal::new(0),
            probe: NodeRef::new(),
            low_probe: NodeRef::new(),
            held: RwSignal::new(false),
            marks: false,
            wanted: StoredValue::new(None),
        }
    }

    /// The same for a list whose rows can be marked.
    pub fn with_marks(self) -> Self {
        Self { marks: true, ..self }
    }

    /// Scrolls a row into view; with `centre` to the middle, unless it is in view already.
    pub fn reveal(self, row: u32, centre: bool) {
        let old = self.view.get_untracked();
        if old.row <= 0.0 || row >= old.total {
            self.wanted.set_value(Some((row, centre)));
            return;
        }
        self.wanted.set_value(None);
        self.show(old.revealed(row, centre));
    }

    /// Scrolls so that a row is the first.
    pub fn scroll_to(self, row: u32) {
        self.show(self.view.get_untracked().begun_at(row));
    }

    fn show(self, new: Viewport) {
        if new != self.view.get_untracked() {
            let top = new.top;
            self.view.set(new);
            self.scroll_later(top);
        }
    }

    /// Moves the keyboard to a row and shows it.
    pub fn go(self, row: u32) {
        self.focus.set(row);
        self.reveal(row, false);
    }

    /// Takes the keyboard, as when the list was clicked.
    pub fn take_focus(self) {
        self.held.set(true);
        self.focus.update(|_| ());
    }

    /// The browser can scroll only to where there is space: after the space was drawn.
    fn scroll_later(self, top: f64) {
        request_animation_frame(move || {
            if let Some(node) = self.node.try_get_untracked().flatten() {
                node.set_scroll_top(top.round() as i32);
            }
        });
    }

    /// Measures rows and window.
    fn measure(self, total: u32, low: Arc<[u32]>) {
        let (Some(Some(node)), Some(Some(probe))) = (self.node.try_get_untracked(), self.probe.try_get_untracked())
        else {
            return;
        };
        let old = self.view.get_untracked();
        let (row, height) = (f64::from(probe.offset_height()), f64::from(node.client_height()));
        if row <= 0.0 {
            return;
        }
        let low_probe = self.low_probe.try_get_untracked().flatten();
        let low_row = low_probe.filter(|_| !low.is_empty()).map_or(row, |p| f64::from(p.offset_height()));
        let before = old.top;
        let new = old.clone().resized_with(total, (row, low_row), height, low);
        if (new.total, new.row, new.low_row, new.height, &new.low)
            == (old.total, old.row, old.low_row, old.height, &old.low)
        {
            return;
        }
        let top = new.top;
        self.view.set(new);
        if top != before {
            self.scroll_later(top);
        }
        if let Some((row, centre)) = self.wanted.get_value() {
            self.reveal(row, centre);
        }
    }
}

/// What the list itself has to know of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    pub class: String,
    pub selected: bool,
    /// For rows that open and close.
    pub expanded: Option<bool>,
}

/// A row: its head, which may change, and its content, which may be reactive itself.
pub struct Item {
    pub head: Memo<Head>,
    pub body: View,
}

/// How a row was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// The keyboard moved to it.
    Move,
    /// It was clicked, or Enter was pressed.
    Open,
    /// Space was pressed in a list whose rows can be marked.
    Mark,
}

/// A list that draws what is in its window.
pub struct WindowedList {
    pub state: ListState,
    pub label: &'static str,
    pub total: Signal<u32>,
    /// Rows that are lower than the others, in order.
    pub low: Signal<Arc<[u32]>>,
    /// Called once for each row that comes into the window.
    pub item: Callback<u32, Item>,
    pub on_press: Callback<(u32, Press)>,
    /// Some rows open and close: then the list is a tree of one level to a screen reader.
    pub tree: bool,
}

/// Draws the list.
pub fn windowed_list(list: WindowedList) -> El {
    let WindowedList { state, label, total, low, item, on_press, tree } = list;
    let (list_role, row_role) = if tree { ("tree", "treeitem") } else { ("listbox", "option") };
    let ListState { node, focus, view, resized, probe, low_probe, held, .. } = state;

    // Measuring needs the document and answers with the view: that is an event of the browser, not a derivation.
    effect(move || {
        resized.track();
        node.track();
        let (total, low) = (total.get(), low.get());
        request_animation_frame(move || state.measure(total, low));
    });

    let window = Memo::new(move |_| {
        let (from, end) = view.get().range(OVER);
        (from / GRAIN * GRAIN, end.div_ceil(GRAIN) * GRAIN)
    });
    let indices = move || {
        let total = total.get();
        let (from, end) = window.get();
        let mut rows: Vec<u32> = (from.min(total)..end.min(total)).collect();
        let kept = focus.get();
        if kept < total && !rows.contains(&kept) {
            if kept < from { rows.insert(0, kept) } else { rows.push(kept) }
        }
        rows
    };

    let scroll = move |_: ev::Event| {
        if let Some(node) = node.get_untracked() {
            let (old, top) = (view.get_untracked(), f64::from(node.scroll_top()));
            if old.top != top {
                view.set(old.scrolled(top));
            }
        }
    };
    let keydown = move |event: ev::KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || total.get_untracked() == 0 {
            return;
        }
        let (at, last, page) = (focus.get_untracked(), total.get_untracked() - 1, view.get_untracked().page());
        let next = match event.key().as_str() {
            "ArrowDown" => at.saturating_add(1).min(last),
            "ArrowUp" => at.saturating_sub(1),
            "PageDown" => at.saturating_add(page).min(last),
            "PageUp" => at.saturating_sub(page),
            "Home" => 0,
            "End" => last,
            " " if state.marks => {
                event.prevent_default();
                on_press.run((at, Press::Mark));
                return;
            }
            "Enter" | " " => {
                event.prevent_default();
                on_press.run((at, Press::Open));
                return;
            }
            _ => return,
        };
        event.prevent_default();
        state.go(next);
        on_press.run((next, Press::Move));
    };

    // Without another element that gets the focus, it is gone because its row was taken out of the document: then the
    // row that has the keyboard next takes it.
    let left = move |event: ev::FocusEvent| {
        if event.related_target().is_some() {
            held.set(false);
        }
    };

    let row = move |index: u32| {
        let Item { head, body } = item.run(index);
        let li = NodeRef::<html::Li>::new();
        // The keyboard follows the focused row while it is in this list. Another window may move rows in the document,
        // which takes the focus off them, hence again then; and a row can be focused only once it is in the document.
        effect(move || {
            window.track();
            if focus.get() == index && held.get_untracked() {
                request_animation_frame(move || {
                    if held.try_get_untracked() == Some(true) && focus.try_get_untracked() == Some(index) {
                        (state.focus_row)(li);
                    }
                });
            }
        });
        el("li")
            .node(li)
            .attr("role", row_role)
            .class(move || head.get().class)
            .attr("style", move || format!("--y:{}px", view.with(|v| v.y(index))))
            .attr("tabindex", move || if focus.get() == index { "0" } else { "-1" })
            .attr("aria-selected", move || yes(head.get().selected))
            .attr("aria-expanded", move || head.get().expanded.map(yes))
            .attr("aria-setsize", move || total.get().to_string())
            .attr("aria-posinset", (index + 1).to_string())
            .on(ev::focus, move |_| {
                if focus.get_untracked() != index {
                    focus.set(index)
                }
            })
            .on(ev::click, move |_| {
                focus.set(index);
                on_press.run((index, Press::Open));
            })
            .child(body)
    };

    el("div.list")
        .node(node)
        .attr("data-low", move || low.with(|l| !l.is_empty()).then_some(""))
        .on(ev::scroll, scroll)
        .on(ev::keydown, keydown)
        .on(ev::focusin, move |_| held.set(true))
        .on(ev::focusout, left)
        .child(el("i.list-probe").node(probe))
        .child(el("i.list-probe.list-probe-low").node(low_probe))
        .child(
            el("ol.list-space")
                .attr("role", list_role)
                .attr("aria-label", label)
                .attr("aria-multiselectable", state.marks.then_some("true"))
                .attr("style", move || format!("--h:{}px", view.with(|v| v.space())))
                .child(each(indices, u32::to_string, row)),
        )
}
