//! Files dragged over the window. A browser tells of every element that is entered and left, in an order that makes a
//! counter drift: so the entered elements themselves are kept, and those that are no longer in the document go.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Event, Node};

use super::dom;
use super::files::{Dropped, dragged, dropped};

/// Calls `over` with the count of files while they are over the window and with `None` when they are gone, and `drop`
/// with what was let go.
pub fn watch(over: impl Fn(Option<u32>) + 'static, drop: impl Fn(Dropped) + 'static) {
    let inside: Rc<RefCell<Vec<Node>>> = Rc::default();
    let over = Rc::new(over);
    let node = |event: &Event| event.target().and_then(|t| t.dyn_into::<Node>().ok());

    let (nodes, show) = (inside.clone(), over.clone());
    dom::on_window("dragenter", move |event| {
        let Some(count) = dragged(&event) else { return };
        event.prevent_default();
        if let Some(node) = node(&event) {
            let mut nodes = nodes.borrow_mut();
            nodes.retain(|n| n.is_connected() && *n != node);
            nodes.push(node);
        }
        show(Some(count));
    });
    let (nodes, show) = (inside.clone(), over.clone());
    dom::on_window("dragleave", move |event| {
        let mut nodes = nodes.borrow_mut();
        let left = node(&event);
        nodes.retain(|n| n.is_connected() && Some(n) != left.as_ref());
        if nodes.is_empty() {
            show(None);
        }
    });
    // Without this the browser would open the file instead of the page.
    dom::on_window("dragover", move |event| {
        if dragged(&event).is_some() {
            event.prevent_default();
            if let Some(transfer) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer) {
                transfer.set_drop_effect("copy");
            }
        }
    });
    let (nodes, show) = (inside.clone(), over.clone());
    dom::on_window("drop", move |event| {
        nodes.borrow_mut().clear();
        show(None);
        if dragged(&event).is_some() {
            event.prevent_default();
            if let Some(files) = dropped(&event) {
                drop(files);
            }
        }
    });
    // A drag that ends outside, or with Escape, sends no event to the element that it was over.
    dom::on_window("dragend", move |_| {
        inside.borrow_mut().clear();
        over(None);
    });
}
