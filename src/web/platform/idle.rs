//! `data-idle` on the root element: "true" exactly when no job, no render of a diagram and no file read is in flight.
//! Tests wait on it, never on time. A guard counts from [`busy`] until it is dropped.

use std::cell::Cell;

use super::dom;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Something is going on until this is dropped.
pub struct Busy(());

/// Begins something that tests have to wait for.
pub fn busy() -> Busy {
    COUNT.with(|c| c.set(c.get() + 1));
    dom::set_root_data("idle", "false");
    Busy(())
}

impl Drop for Busy {
    fn drop(&mut self) {
        COUNT.with(|c| c.set(c.get().saturating_sub(1)));
        settle();
    }
}

/// Says "idle" once the tasks that are already queued have run, unless something has begun until then: an answer
/// usually leads to the next question.
pub fn settle() {
    if COUNT.with(Cell::get) > 0 || ASKED.with(|a| a.replace(true)) {
        return;
    }
    dom::after(0, || {
        dom::after(0, || {
            ASKED.with(|a| a.set(false));
            if COUNT.with(Cell::get) == 0 {
                dom::set_root_data("idle", "true");
            }
        });
    });
}
