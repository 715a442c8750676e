//! The judge of a run: endpoint and question on the left with what would be sent, the judgement on the right. Nothing is
//! sent before the button is pressed that says how much goes where.

mod form;
mod plan;
mod result;

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{JudgeForm, JudgeView};
use crate::web::state::judge::{About, Judges, use_judges};
use crate::web::view::{IntoView, View, effect, el};

/// What the parts of the screen share.
#[derive(Clone, Copy)]
pub(super) struct Bench {
    pub here: Here,
    pub judges: Judges,
    /// The list of models that the server named.
    pub models: RwSignal<Vec<String>>,
    /// The judgement that is shown.
    pub shown: RwSignal<Option<Arc<JudgeView>>>,
}

impl Bench {
    pub fn about(self) -> About {
        (self.here.document, self.here.run)
    }

    /// A sentence of this screen.
    pub fn t(self, id: &str) -> String {
        self.here.words.id(&format!("judge.{id}"), &[])
    }

    /// The same with values.
    pub fn f(self, id: &str, args: &[(&str, &str)]) -> String {
        let args: Vec<(String, String)> = args.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        self.here.words.id(&format!("judge.{id}"), &args)
    }
}

/// Draws the judge.
pub fn judge(here: Here) -> View {
    let judges = use_judges();
    let about = (here.document, here.run);
    let form = RwSignal::new(None::<Result<Arc<JudgeForm>, String>>);
    let bench = Bench { here, judges, models: RwSignal::new(Vec::new()), shown: RwSignal::new(None) };
    spawn_local(async move {
        let outcome = here.ask(Job::JudgeForm { document: here.document, run: here.run }).await;
        let why = fault(here, &outcome);
        let answer = match outcome {
            Outcome::JudgeForm { form } => {
                let of_page = judges.judged.try_get_untracked().flatten().filter(|(of, _)| *of == about);
                // What brought no answer is not kept by the worker, and shown until the next one.
                let judged = of_page.map(|(_, view)| view).or_else(|| form.judged.clone().map(Arc::new));
                let _ = bench.shown.try_set(judged);
                Some(Ok(Arc::from(form)))
            }
            _ => why.map(Err),
        };
        let _ = form.try_set(answer);
    });
    effect(move || {
        if let Some((_, view)) = judges.judged.get().filter(|(of, _)| *of == about) {
            bench.shown.set(Some(view));
        }
    });
    let draw = move || match form.get() {
        None => View::NONE,
        Some(Err(why)) => el("p.page-body").child(why).view(),
        Some(Ok(form)) => untrack(|| page(bench, form)),
    };
    draw.view()
}

fn page(bench: Bench, form: Arc<JudgeForm>) -> View {
    let judges = bench.judges;
    if judges.form.text("base").get_untracked().is_empty() {
        let api = judges.form.text("api").get_untracked();
        judges.choose_api(&form.apis, &api);
    }
    let kinds = form.kinds.clone();
    let setup = Memo::new(move |_| judges.setup(&kinds));
    let going = Memo::new(move |_| judges.going.with(Option::is_some));
    effect(move || {
        let setup = setup.get();
        judges.form.other.track();
        if !going.get() {
            judges.prepare(bench.about(), setup);
        }
    });
    el("div.judge")
        .child(
            el("div.judge-side")
                .attr("tabindex", "0")
                .attr("role", "region")
                .attr("aria-label", bench.t("endpoint"))
                .child(form::form(bench, form, setup))
                .child(plan::plan(bench)),
        )
        .child(
            el("div.judge-main")
                .attr("tabindex", "0")
                .attr("role", "region")
                .attr("aria-label", bench.here.words.t(M::TabJudge))
                .child(result::result(bench)),
        )
        .view()
}
