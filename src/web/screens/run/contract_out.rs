//! The ways out of a contract: the calls as messages of the protocol, and a draft of a descriptor for each tool.

use std::collections::BTreeSet;

use leptos::{ev, prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::ContractReport;
use crate::report::skill::Blob;
use crate::web::components::{Icon, icon};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, el};

/// Tools offered for a draft.
const MOST_TOOLS: usize = 200;

/// Asks for a file; a fault is said at once.
async fn file(here: Here, job: Job) -> Option<Blob> {
    let outcome = here.ask(job).await;
    let why = fault(here, &outcome);
    match outcome {
        Outcome::File { file } => Some(file),
        _ => {
            here.session.urgent.set(why.unwrap_or_default());
            None
        }
    }
}

/// The buttons, and the draft that was asked for below them.
pub fn ways_out(here: Here, report: &ContractReport) -> El {
    let words = here.words;
    let drafted = RwSignal::new(None::<(String, Blob)>);
    let chosen = RwSignal::new(String::new());
    let tools: BTreeSet<String> = report.verdicts.iter().map(|v| v.tool.clone()).take(MOST_TOOLS).collect();
    chosen.set(tools.first().cloned().unwrap_or_default());
    let export = move |_| {
        spawn_local(async move {
            if let Some(file) = file(here, Job::Invocations { document: here.document, run: here.run }).await {
                look::download_bytes(&file.name, &file.mime, &file.bytes);
            }
        });
    };
    let draft = move |_| {
        let tool = chosen.get_untracked();
        spawn_local(async move {
            let job = Job::DraftSkill { document: here.document, run: here.run, tool: tool.clone() };
            if let Some(file) = file(here, job).await {
                let _ = drafted.try_set(Some((tool, file)));
            }
        });
    };
    let options = tools.iter().map(|t| el("option").attr("value", t.clone()).child(t.clone())).collect::<View>();
    let some = !tools.is_empty();
    let shown = move || drafted.get().map(|(tool, file)| one(here, tool, file));
    el("div")
        .child(
            el("p.row").child(el("button.button").on(ev::click, export).child(words.s("exchange.invocations"))).child(
                some.then(|| {
                    (
                        el("select.field")
                            .attr("id", "draft-tool")
                            .attr("aria-label", words.t(M::ColumnTool))
                            .on(ev::change, move |e| chosen.set(event_target_value(&e)))
                            .child(options),
                        el("button.button").on(ev::click, draft).child(words.s("exchange.draft")),
                    )
                }),
            ),
        )
        .child(el("div").attr("id", "draft").attr("role", "status").child(shown))
}

fn one(here: Here, tool: String, file: Blob) -> View {
    let words = here.words;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    let copied = text.clone();
    let title = words.id("exchange.draft-of", &[("tool".to_owned(), tool)]);
    let args =
        [("name".to_owned(), file.name.clone()), ("size".to_owned(), crate::format::bytes(file.bytes.len() as u64))];
    (
        el("h2.group-head").child(title.clone()),
        el("p.quiet").child(words.s("exchange.draft-note")),
        el("p.row")
            .child(
                el("button.button")
                    .on(ev::click, move |_| look::download_bytes(&file.name, &file.mime, &file.bytes))
                    .child(icon(Icon::Down, ""))
                    .child(words.id("exchange.download", &args)),
            )
            .child(
                el("button.button").on(ev::click, move |_| here.copy(copied.clone())).child(words.s("exchange.copy")),
            ),
        el("pre.mono")
            .attr("tabindex", "0")
            .attr("role", "region")
            .attr("aria-label", title)
            .style("overflow-x", || "auto".to_owned())
            .child(text),
    )
        .view()
}
