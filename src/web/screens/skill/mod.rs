//! Skills on the screen: one document of the protocol, or a provider's set of them. The head stays while views change.
//!
//! [`Here`] is what the views share: where they are, whom to ask, how to make a link. Where you are is the route; how
//! skills are checked is a setting, and a change of it asks again.

mod check;
mod compare;
mod conformance;
mod documents;
mod exchange;
mod findings;
mod head;
mod index;
mod publish;
mod trace;
mod used;

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::SeverityCounts;
use crate::report::skill::{CheckOptions, ConformanceView, FindingRow, SkillView, SkillsSummary};
use crate::route::{Place, Route, SkillTab};
use crate::web::asking::{Answer, asked};
use crate::web::commands::{Action, Commands, Scope, use_commands};
use crate::web::components::{Icon, Words, icon};
use crate::web::platform::dom;
use crate::web::platform::look;
use crate::web::platform::worker::{Engine, use_engine};
use crate::web::state::nav::{Nav, use_nav, use_route};
use crate::web::state::session::{Document, Session, use_session};
use crate::web::state::settings::{Settings, lang};
use crate::web::view::{El, IntoView, View, el};

/// What the views of skills share.
#[derive(Clone, Copy)]
pub(super) struct Here {
    /// The page's key of the document.
    pub document: u32,
    pub words: Words,
    pub place: Memo<Place>,
    /// One document of the protocol, not a set.
    pub single: bool,
    pub check: RwSignal<CheckOptions>,
    settings: Settings,
    pub session: Session,
    pub commands: Commands,
    engine: Engine,
    nav: Nav,
}

/// What is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// A document of the protocol: the only one, or one of a set.
    Member(u32, SkillTab),
    Set(SkillTab),
}

impl Here {
    pub async fn ask(self, job: Job) -> Outcome {
        self.engine.ask(job).await
    }

    fn place_of(self, change: impl FnOnce(&mut Place)) -> Route {
        let mut place = self.place.get_untracked();
        place.line = None;
        change(&mut place);
        Route::Document(place)
    }

    pub fn go(self, change: impl FnOnce(&mut Place)) {
        self.nav.go(&self.place_of(change));
    }

    pub fn replace(self, change: impl FnOnce(&mut Place)) {
        self.nav.replace(&self.place_of(change));
    }

    /// An address in this document.
    pub fn href(self, change: impl FnOnce(&mut Place)) -> String {
        self.place_of(change).hash()
    }

    /// The address of a file of the document, at a line of its source.
    pub fn member_href(self, member: u32, line: u32) -> String {
        let single = self.single;
        self.href(|p| {
            *p = Place { document: std::mem::take(&mut p.document), ..Place::default() };
            p.run = (!single).then_some(member);
            p.line = (line > 0).then_some(line);
        })
    }

    /// Asks for what `job` says, and again whenever something that it reads has changed.
    pub fn asked<T: Send + Sync + 'static>(
        self,
        job: impl Fn() -> Job + 'static,
        take: fn(Outcome) -> Result<T, Outcome>,
    ) -> Answer<T> {
        asked(self.engine, self.words, job, take)
    }

    /// Puts a text on the clipboard and says so.
    pub fn copy(self, text: String) {
        spawn_local(async move {
            let said = if dom::copy(&text).await { M::Copied } else { M::NotCopied };
            self.session.polite.set(self.words.t(said).to_owned());
        });
    }

    /// The conformance report as a file: `json`, `sarif`, `junit`.
    async fn report(self, format: &'static str) -> Option<crate::report::skill::Blob> {
        let job = Job::ExportReport {
            document: self.document,
            options: self.check.get_untracked(),
            format: format.into(),
            now: dom::timestamp(),
        };
        match self.ask(job).await {
            Outcome::File { file } => Some(file),
            Outcome::Fault { id, args } => {
                self.session.urgent.set(self.words.id(&id, &args));
                None
            }
            _ => None,
        }
    }

    pub fn save_report(self, format: &'static str) {
        spawn_local(async move {
            if let Some(file) = self.report(format).await {
                look::download_bytes(&file.name, &file.mime, &file.bytes);
            }
        });
    }

    pub fn copy_report(self, format: &'static str) {
        spawn_local(async move {
            if let Some(file) = self.report(format).await {
                self.copy(String::from_utf8_lossy(&file.bytes).into_owned());
            }
        });
    }

    fn toggle_profile(self) {
        let strict = self.check.with_untracked(|c| c.profile == "strict");
        self.settings.set_profile(if strict { "core" } else { "strict" });
        self.session.polite.set(self.words.t(if strict { M::ProfileCore } else { M::ProfileStrict }).to_owned());
    }

    pub fn set_profile(self, profile: &str) {
        self.settings.set_profile(profile);
    }
}

/// A document of skills. The view, the file and the line are in the route.
pub fn skill_screen(document: Document) -> View {
    let (route, nav, engine, session, commands) = (use_route(), use_nav(), use_engine(), use_session(), use_commands());
    let settings: Settings = expect_context();
    let place = Memo::new(move |_| match route.get() {
        Route::Document(place) => place,
        _ => Place::default(),
    });
    let key = document.key;
    let name = StoredValue::new(document.name.clone());
    let summary = Memo::new(move |_| document.summary().and_then(|s| s.skills.clone()));
    // Drawn anew when the language changes and when the file was read again: both are rare, and change everything.
    let draw = move || {
        let words = Words(lang());
        provide_context(words);
        let Some(skills) = summary.get() else { return View::NONE };
        let here = Here {
            document: key,
            words,
            place,
            single: skills.kind != "provider",
            check: settings.check,
            settings,
            session,
            commands,
            engine,
            nav,
        };
        untrack(|| page(here, Arc::from(skills), name.get_value()))
    };
    draw.view()
}

fn page(here: Here, skills: Arc<SkillsSummary>, name: String) -> View {
    let single = here.single;
    let shows = Memo::new(move |_| {
        let (run, tab) = here.place.with(|p| (p.run, p.skill));
        match run.filter(|_| !single).or(single.then_some(0)) {
            Some(member) => Shows::Member(
                member,
                match tab {
                    SkillTab::UsedIn | SkillTab::Compare => tab,
                    SkillTab::Conformance | SkillTab::Publish | SkillTab::AsMcp | SkillTab::AsA2a if single => tab,
                    _ => SkillTab::Check,
                },
            ),
            None => Shows::Set(if matches!(tab, SkillTab::UsedIn | SkillTab::Compare) { SkillTab::Check } else { tab }),
        }
    });
    here.commands.on(Scope::Skill, move |action| match action {
        Action::Profile => here.toggle_profile(),
        Action::Publish => here.go(|p| p.skill = SkillTab::Publish),
        Action::View(n) => {
            if let Some(tab) = head::tabs_of(shows.get_untracked(), single).get(usize::from(n)) {
                here.go(|p| p.skill = *tab);
            }
        }
        Action::NextFinding | Action::PreviousFinding => check::step(here, action == Action::PreviousFinding),
        _ => {}
    });
    let member = Memo::new(move |_| match shows.get() {
        Shows::Member(member, _) => Some(member),
        Shows::Set(_) => None,
    });
    let draw = move || match member.get() {
        Some(member) => untrack(|| member_page(here, skills.clone(), member, shows)),
        None => untrack(|| set_page(here, skills.clone(), &name, shows)),
    };
    draw.view()
}

/// One document of the protocol.
fn member_page(here: Here, skills: Arc<SkillsSummary>, member: u32, shows: Memo<Shows>) -> View {
    let skill: Answer<SkillView> = here.asked(
        move || Job::Skill { document: here.document, member, options: here.check.get() },
        |outcome| match outcome {
            Outcome::Skill { skill } => Ok(*skill),
            other => Err(other),
        },
    );
    let head = head::member(here, &skills, skill, shows);
    let fetched = skills.url.is_some();
    let body = move || match shows.get() {
        Shows::Member(_, SkillTab::UsedIn) => untrack(|| used::used(here, skill)),
        Shows::Member(_, SkillTab::Conformance) => untrack(|| conformance::conformance(here, report(here))),
        Shows::Member(_, SkillTab::Publish) => untrack(|| publish::publish(here)),
        Shows::Member(_, SkillTab::Compare) => untrack(|| compare::compare(here, member)),
        Shows::Member(_, SkillTab::AsMcp) => untrack(|| exchange::export(here, "mcp")),
        Shows::Member(_, SkillTab::AsA2a) => untrack(|| exchange::export(here, "a2a")),
        Shows::Member(..) => untrack(|| check::check(here, member, skill, fetched)),
        Shows::Set(_) => View::NONE,
    };
    el("div.page").child(head).child(body).view()
}

/// A provider's set.
fn set_page(here: Here, skills: Arc<SkillsSummary>, name: &str, shows: Memo<Shows>) -> View {
    let report = report(here);
    let head = head::set(here, &skills, name, report, shows);
    let sites = skills.sites;
    let body = move || match shows.get() {
        Shows::Set(SkillTab::AllFindings) => untrack(|| findings::findings(here, report)),
        Shows::Set(SkillTab::Conformance) => untrack(|| conformance::conformance(here, report)),
        Shows::Set(SkillTab::Index) => untrack(|| index::index(here, sites)),
        Shows::Set(SkillTab::Traceability) => untrack(|| trace::trace(here)),
        Shows::Set(SkillTab::Publish) => untrack(|| publish::publish(here)),
        Shows::Set(SkillTab::AsMcp) => untrack(|| exchange::export(here, "mcp")),
        Shows::Set(SkillTab::AsA2a) => untrack(|| exchange::export(here, "a2a")),
        Shows::Set(_) => untrack(|| documents::documents(here)),
        Shows::Member(..) => View::NONE,
    };
    el("div.page").child(head).child(body).view()
}

/// The conformance report of the document.
fn report(here: Here) -> Answer<ConformanceView> {
    here.asked(
        move || Job::Conformance { document: here.document, options: here.check.get() },
        |outcome| match outcome {
            Outcome::Conformance { conformance } => Ok(*conformance),
            other => Err(other),
        },
    )
}

/// A body that scrolls, with what a screen reader calls it.
fn body(label: &'static str) -> El {
    el("div.page-body").attr("tabindex", "0").attr("role", "region").attr("aria-label", label)
}

/// What stands for an answer that is awaited, or that did not come.
fn waiting<T>(words: Words, answer: &Option<Result<Arc<T>, String>>) -> View {
    match answer {
        None => el("p.quiet").child(words.t(M::Looking)).view(),
        Some(Err(why)) => el("p.bad").child(why.clone()).view(),
        Some(Ok(_)) => View::NONE,
    }
}

/// `2 errors, 1 warning`, each in its tone; `none` when there are none.
fn counted(words: Words, counts: &SeverityCounts, none: M) -> View {
    let part = |n: u32, message: M, which: Icon, tone: &'static str| {
        (n > 0).then(|| {
            el("span")
                .class(format!("mark {tone}"))
                .child(icon(which, "icon-s"))
                .child(words.f(message, &[("n", &n.to_string())]))
        })
    };
    if counts.errors + counts.warnings + counts.infos == 0 {
        return el("span.mark.good").child(icon(Icon::Check, "icon-s")).child(words.t(none)).view();
    }
    el("span.row")
        .child(part(counts.errors, M::StateErrors, Icon::Bad, "bad"))
        .child(part(counts.warnings, M::WarningsCount, Icon::Warn, "warn"))
        .child(part(counts.infos, M::NotesCount, Icon::Info, "quiet"))
        .view()
}

/// A result as a mark: `pass`, `warn`, `fail`, `skipped`, `not_run`.
fn result(words: Words, status: &str) -> El {
    let (which, tone, word) = match status {
        "pass" => (Icon::Check, "good", M::ResultPass),
        "warn" => (Icon::Warn, "warn", M::ResultWarn),
        "fail" => (Icon::Bad, "bad", M::ResultFail),
        "skipped" => (Icon::Dash, "quiet", M::ResultSkipped),
        _ => (Icon::Dash, "quiet", M::ResultNotRun),
    };
    el("span").class(format!("mark {tone}")).child(icon(which, "icon-s")).child(words.t(word))
}

/// The last part of a file's name.
fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// A finding's message.
fn message(words: Words, finding: &FindingRow) -> String {
    words.id(&finding.message.0, &finding.message.1)
}

fn remedy(words: Words, finding: &FindingRow) -> String {
    words.id(&finding.remedy.0, &finding.remedy.1)
}
