//! One question to the worker that follows what it reads: asked again whenever that changes, answered by the last one.

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::components::Words;
use super::platform::worker::Engine;
use super::view::effect;
use crate::protocol::{Job, Outcome};

/// What came: nothing yet, a value, or the sentence of a fault; empty for an answer that nobody expects.
pub type Answer<T> = RwSignal<Option<Result<Arc<T>, String>>>;

/// Asks for what `job` says, and again whenever something that it reads has changed; the last answer stays until the next
/// is there.
pub fn asked<T: Send + Sync + 'static>(
    engine: Engine,
    words: Words,
    job: impl Fn() -> Job + 'static,
    take: fn(Outcome) -> Result<T, Outcome>,
) -> Answer<T> {
    let answer: Answer<T> = RwSignal::new(None);
    let turn = StoredValue::new(0u32);
    effect(move || {
        let job = job();
        turn.update_value(|t| *t += 1);
        let this = turn.get_value();
        spawn_local(async move {
            let came = match take(engine.ask(job).await) {
                Ok(value) => Ok(Arc::new(value)),
                Err(Outcome::Fault { id, args }) => Err(words.id(&id, &args)),
                Err(_) => Err(String::new()),
            };
            if turn.try_get_value() == Some(this) {
                let _ = answer.try_set(Some(came));
            }
        });
    });
    answer
}
