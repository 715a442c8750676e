//! Who acts in a step: the tile with one letter, and the word for a kind of step.

use super::Words;
use crate::message::M;
use crate::web::view::{IntoView, View, el};

/// The tile of an actor (`Actor::id`).
pub fn actor_tile(words: Words, actor: &str) -> View {
    let letter = match actor {
        "user" => "U",
        "agent" => "A",
        "tool" => "T",
        "environment" => "E",
        _ => "S",
    };
    el("span.actor")
        .attr("data-actor", actor.to_owned())
        .attr("role", "img")
        .attr("aria-label", words.t(actor_word(actor)))
        .child(letter)
        .view()
}

/// The word for an actor.
pub fn actor_word(actor: &str) -> M {
    match actor {
        "user" => M::ActorUser,
        "agent" => M::ActorAgent,
        "tool" => M::ActorTool,
        "environment" => M::ActorEnvironment,
        _ => M::ActorSystem,
    }
}
