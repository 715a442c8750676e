//! Jobs about sharing: what in some runs looks secret, and an analysis page of them.
//!
//! What a page says is worked out from the bytes that it carries, by a workbench of its own: so its reader sees what is
//! written there, and nothing can stand in it that was removed from the data. Cost: one more import and analysis.

use std::collections::BTreeMap;

use super::notes::line;
use super::{Analysed, Document, Workbench, fault};
use crate::align::{Params as AlignParams, Sameness, compare};
use crate::import::{FORMATS, RUN_SCHEMA, page_from};
use crate::loops::Params;
use crate::message::{self, Lang};
use crate::model::Run;
use crate::notes::{Note, Notes};
use crate::protocol::{Job, Outcome};
use crate::report::compare::compare_report;
use crate::report::compare_rows::{CompareListing, CompareView, Sides};
use crate::report::rows::step_row;
use crate::report::{
    PartLine, Receipt, RunRef, SecretGroup, SecretPlace, ShareChoices, ShareSurvey, SharedPage, loops::loop_report,
    share::MAX_GROUPS,
};
use crate::route::{Place, Route, Side, Versus};
use crate::share::choices::{Choices, Part, Placed, Prepared, Shared, left_in, prepare, tally};
use crate::share::container::{Carried, fill};
use crate::share::markdown::{WORDS, markdown, tokens};
use crate::share::page::{Compared, Section, most_rows, report, title};
use crate::share::secrets::Kind;

/// Steps named of each value.
const PLACES: usize = 12;
/// Rows of a comparison in the page.
const COMPARE_ROWS: u32 = 2_000;

/// What page is asked for.
pub struct PageAsked {
    pub runs: Vec<RunRef>,
    pub choices: ShareChoices,
    /// Where it begins, as the address's hash with the names that the runs have here; empty: at the first run.
    pub view: String,
    /// Tag of the language of its report.
    pub lang: String,
}

/// What the user chose, in the words of the analysis.
fn choices_of(chosen: &ShareChoices) -> Choices {
    let mut out = Choices::default();
    out.policy.kinds.retain(|kind| !chosen.kinds_off.iter().any(|off| off == kind.id()));
    out.policy.names = chosen.names.clone();
    out.policy.keep = chosen.keep.iter().cloned().collect();
    for part in Part::ALL.into_iter().filter(|p| chosen.parts_switched.iter().any(|s| s == p.id())) {
        if !out.parts.remove(&part) {
            out.parts.insert(part);
        }
    }
    out
}

/// A fault: the id of its sentence and its values.
type Refused = (&'static str, Vec<(&'static str, String)>);

impl Workbench {
    /// The notes of these runs, for [`Workbench::asked`].
    fn noted(&self, runs: &[RunRef]) -> Vec<(RunRef, Vec<Placed<'_>>)> {
        runs.iter().map(|at| (*at, self.notes_of(*at))).collect()
    }

    /// The runs that are asked for, each once; those of one document stand together.
    fn asked<'a>(&'a self, runs: &[RunRef], notes: &'a [(RunRef, Vec<Placed<'a>>)]) -> Vec<(RunRef, Shared<'a>)> {
        let mut order: Vec<RunRef> = Vec::new();
        for run in runs {
            if !order.contains(run) {
                order.push(*run);
            }
        }
        let first = |document: u32| order.iter().position(|r| r.document == document);
        let mut sorted = order.clone();
        sorted.sort_by_key(|r| first(r.document));
        let shared = |at: &RunRef| {
            let (document, run) = self.run_of(*at)?;
            let notes = notes.iter().find(|(of, _)| of == at).map_or(&[][..], |(_, notes)| notes.as_slice());
            Some((*at, Shared { id: at.document, document, run, notes }))
        };
        sorted.iter().filter_map(shared).collect()
    }

    /// What in these runs looks secret or personal.
    pub(super) fn share_survey(&self, runs: &[RunRef], chosen: &ShareChoices) -> Outcome {
        let noted = self.noted(runs);
        let asked = self.asked(runs, &noted);
        if asked.is_empty() {
            return fault("share.nothing", &[]);
        }
        let choices = choices_of(chosen);
        let shared: Vec<Shared<'_>> = asked.iter().map(|(_, s)| *s).collect();
        let prepared = prepare(&shared, &choices);
        let which = |at: u32| {
            let (run, step) = *prepared.places.get(at as usize)?;
            // In the order in which they were asked for.
            let run = asked.get(run as usize).and_then(|(at, _)| runs.iter().position(|r| r == at))?;
            Some(SecretPlace { run: run as u32, step })
        };
        let mut groups: Vec<SecretGroup> = prepared
            .secrets
            .iter()
            .map(|s| SecretGroup {
                kind: s.kind.id().to_owned(),
                value: s.value.clone(),
                placeholder: s.placeholder.clone(),
                count: s.count,
                places: s.places.iter().take(PLACES).filter_map(|at| which(*at)).collect(),
                held: s.places.len() as u32,
            })
            .collect();
        let order = |kind: &str| Kind::ALL.iter().position(|k| k.id() == kind);
        groups.sort_by_key(|g| order(&g.kind));
        let files: BTreeMap<u32, u64> = asked
            .iter()
            .filter_map(|(at, _)| self.documents.get(&at.document))
            .map(|d| (d.id, d.parts.iter().map(|p| p.report.bytes).sum()))
            .collect();
        let survey = ShareSurvey {
            values: groups.len() as u32,
            times: groups.iter().map(|g| g.count).sum(),
            groups: groups.into_iter().take(MAX_GROUPS).collect(),
            parts: parts(&shared, &choices, &prepared),
            runs: asked.len() as u32,
            steps: shared.iter().map(|s| s.run.steps.len() as u32).sum(),
            bytes: files.values().sum(),
        };
        Outcome::ShareSurvey { survey: Box::new(survey) }
    }

    pub(super) fn share_page(&self, asked: &PageAsked, template: Option<&[u8]>) -> Outcome {
        let template = String::from_utf8_lossy(template.unwrap_or_default());
        match self.page(asked, &template) {
            Ok(page) => Outcome::SharedPage { page: Box::new(page) },
            Err((id, args)) => fault(id, &args),
        }
    }

    /// The data of a link: what a page would carry, in letters that an address may hold.
    pub(super) fn share_link(&self, asked: &PageAsked) -> Outcome {
        let noted = self.noted(&asked.runs);
        let runs = self.asked(&asked.runs, &noted);
        if runs.is_empty() {
            return fault("share.nothing", &[]);
        }
        let shared: Vec<Shared<'_>> = runs.iter().map(|(_, s)| *s).collect();
        let prepared = prepare(&shared, &choices_of(&asked.choices));
        let (view, _) = self.view(&asked.view, &runs, &prepared);
        let mut carried = Carried { view, documents: prepared.documents.clone(), notes: String::new() };
        if !prepared.notes.is_empty() {
            carried.notes = renamed(&read_back(&carried), &prepared).write();
        }
        let mut left = left_in(&carried.documents, &prepared.redactor);
        left.extend(left_in_notes(&prepared));
        if !left.is_empty() {
            return fault("share.left", &[("what", left.join(", "))]);
        }
        Outcome::SharedLink { data: carried.letters().replace('+', "-").replace('/', "_").replace('=', "") }
    }

    /// Steps of the first of these runs for a language model.
    pub(super) fn share_text(&self, runs: &[RunRef], chosen: &ShareChoices, range: (u32, u32), budget: u32) -> Outcome {
        let asked = self.asked(runs.get(..1).unwrap_or_default(), &[]);
        let shared: Vec<Shared<'_>> = asked.iter().map(|(_, s)| *s).collect();
        let prepared = prepare(&shared, &choices_of(chosen));
        let bench = read_back(&Carried { documents: prepared.documents.clone(), ..Carried::default() });
        let Some(run) = bench.documents().flat_map(|d| &d.runs).next() else { return fault("share.nothing", &[]) };
        let last = (run.run.steps.len() as u32).saturating_sub(1);
        let range = (range.0.min(last), range.1.clamp(range.0.min(last), last));
        let text = markdown(&run.run, range, budget as usize);
        let left = prepared.redactor.left_in(text.as_bytes());
        // Its own words are few and no one's; a name that is one of them is not a leak.
        let own = prepared.redactor.left_in(WORDS.as_bytes());
        match left.iter().find(|placeholder| !own.contains(placeholder)) {
            Some(left) => fault("share.left", &[("what", left.clone())]),
            None => Outcome::SharedText { tokens: tokens(&text) as u32, text },
        }
    }

    /// An analysis page; the command line makes the same. Its bytes were searched: an error says what was left.
    pub fn page(&self, asked: &PageAsked, template: &str) -> Result<SharedPage, Refused> {
        let noted = self.noted(&asked.runs);
        let runs = self.asked(&asked.runs, &noted);
        if runs.is_empty() {
            return Err(("share.nothing", Vec::new()));
        }
        let choices = choices_of(&asked.choices);
        let shared: Vec<Shared<'_>> = runs.iter().map(|(_, s)| *s).collect();
        let prepared = prepare(&shared, &choices);
        let (view, versus) = self.view(&asked.view, &runs, &prepared);
        let mut carried = Carried { view, documents: prepared.documents.clone(), notes: String::new() };
        let mut bench = read_back(&carried);
        bench.notes = renamed(&bench, &prepared);
        carried.notes = bench.notes.write();
        let block = carried.block();
        let plain = carried.plain();
        let mut receipt = Receipt {
            removed: tally(&prepared.secrets).into_iter().map(|(kind, n, at)| (kind.id().to_owned(), n, at)).collect(),
            left_out: prepared.left_out.iter().map(|(part, n)| (part.id().to_owned(), *n)).collect(),
            bytes: 0,
            data_bytes: block.len() as u64,
            plain_bytes: plain.len() as u64,
        };
        let lang = Lang::from_tag(&asked.lang).unwrap_or_default();
        let (html_title, body) = written(&bench, &carried, versus.as_ref(), &receipt, lang);
        let html = fill(template, lang.tag(), &crate::share::page::escape(&html_title), &body, &block)
            .ok_or(("share.bad-template", Vec::new()))?;
        receipt.bytes = html.len() as u64;
        let left = left(&html, &[&html_title, &body, &block, &plain], &prepared);
        match left.as_deref() {
            None => return Err(("share.bad-template", Vec::new())),
            Some([]) => {}
            Some(left) => return Err(("share.left", vec![("what", left.join(", "))])),
        }
        Ok(SharedPage { name: file_name(&carried), html, receipt })
    }

    /// The place where the page begins, with the names and numbers that the runs have in it; and which two it compares.
    fn view(&self, hash: &str, runs: &[(RunRef, Shared<'_>)], prepared: &Prepared) -> (String, Option<Versus>) {
        // Which run of which document of the page.
        let mut there: Vec<(RunRef, Side)> = Vec::new();
        let (mut document, mut run, mut last) = (0usize, 0u32, None);
        for (at, shared) in runs {
            if last == Some(shared.id) {
                run += 1;
            } else {
                document += usize::from(last.is_some());
                run = 0;
            }
            last = Some(shared.id);
            let name = prepared.documents.get(document).map(|d| d.name.clone()).unwrap_or_default();
            there.push((*at, Side { document: name, run }));
        }
        let side = |name: &str, run: u32| {
            there.iter().find(|(at, _)| {
                at.run == run && self.documents.get(&at.document).is_some_and(|d| is_called(&d.name, name))
            })
        };
        match Route::parse(hash) {
            Route::Document(place) if !hash.is_empty() => {
                let Some((_, to)) = side(&place.document, place.run.unwrap_or(0)) else {
                    return (String::new(), None);
                };
                let several = there.iter().filter(|(_, s)| s.document == to.document).count() > 1;
                let run = place.run.filter(|_| several).map(|_| to.run);
                let filter = prepared.redactor.text(&place.filter).into_owned();
                // What was removed from the step changed its name; the numbers stay.
                let named = String::new();
                let place =
                    Place { document: to.document.clone(), run, filter, named, raw: false, line: None, ..place };
                (Route::Document(place).hash(), None)
            }
            Route::Compare(versus) => {
                let sides = side(&versus.left.document, versus.left.run)
                    .zip(side(&versus.right.document, versus.right.run))
                    .map(|((_, left), (_, right))| (left.clone(), right.clone()));
                let Some((left, right)) = sides else { return (String::new(), None) };
                let versus = Versus { left, right, ..versus };
                (Route::Compare(versus.clone()).hash(), Some(versus))
            }
            _ => (String::new(), None),
        }
    }
}

/// A document is called by its name; the page may have put a number behind it.
fn is_called(name: &str, called: &str) -> bool {
    name == called || called.strip_prefix(name).is_some_and(|rest| rest.starts_with(" (") && rest.ends_with(')'))
}

/// How much each part holds: what is left out now, or would be.
fn parts(shared: &[Shared<'_>], choices: &Choices, prepared: &Prepared) -> Vec<PartLine> {
    let without = Choices { parts: Default::default(), ..choices.clone() };
    let none: Vec<(Part, u32)> = crate::share::choices::pieces(shared, &without);
    Part::ALL
        .into_iter()
        .map(|part| {
            let find = |list: &[(Part, u32)]| list.iter().find(|(p, _)| *p == part).map_or(0, |(_, n)| *n);
            PartLine {
                id: part.id().to_owned(),
                on: choices.parts.contains(&part),
                pieces: find(&none).max(find(&prepared.left_out)),
            }
        })
        .collect()
}

/// The notes that go along. What was removed from their steps changed the names of these: they get those that the steps
/// have in the page.
fn renamed(bench: &Workbench, prepared: &Prepared) -> Notes {
    let runs: Vec<&Analysed> = bench.documents().flat_map(|d| &d.runs).collect();
    let mut out = Notes::default();
    for (which, from, to, note) in &prepared.notes {
        let Some(r) = runs.get(*which as usize) else { continue };
        let Some(mark) = r.index().mark(*from) else { continue };
        let to = r.index().mark(*to).filter(|_| to > from);
        out.add(Note { run: r.run.id.clone().unwrap_or_default(), from: mark, to, ..note.clone() });
    }
    out
}

/// What of the values is still in the notes: it must be nothing.
fn left_in_notes(prepared: &Prepared) -> Vec<String> {
    let texts = prepared.notes.iter().flat_map(|(.., note)| [&note.label, &note.text]);
    texts.flat_map(|text| prepared.redactor.left_in(text.as_bytes())).collect()
}

/// Reads what the page carries, as its reader will.
fn read_back(carried: &Carried) -> Workbench {
    let mut bench = Workbench::new();
    let mut quiet = |_| {};
    let mut files = Vec::new();
    for (file, document) in (0u32..).zip(&carried.documents) {
        let name = document.name.clone();
        bench.handle(Job::Open { file, name, size: 0, format: None }, None, &mut quiet);
        bench.handle(Job::Chunk { file }, Some(document.text.as_bytes()), &mut quiet);
        bench.handle(Job::Finish { file }, None, &mut quiet);
        files.push(file);
    }
    bench.handle(Job::Assemble { files }, None, &mut quiet);
    bench
}

/// Title and report.
fn written(
    bench: &Workbench,
    carried: &Carried,
    versus: Option<&Versus>,
    receipt: &Receipt,
    lang: Lang,
) -> (String, String) {
    let at = |document: &Document, run: u32| RunRef { document: document.id, run };
    let find = |side: &Side| -> Option<(RunRef, &str, &Analysed)> {
        let document = bench.documents().find(|d| d.name == side.document)?;
        Some((at(document, side.run), document.name.as_str(), document.runs.get(side.run as usize)?))
    };
    let mut runs: Vec<(RunRef, &str, &Analysed)> = match versus {
        Some(v) => find(&v.left).into_iter().chain(find(&v.right)).collect(),
        None => Vec::new(),
    };
    if runs.is_empty() {
        for document in &carried.documents {
            let of = bench.documents().filter(|d| d.name == document.name);
            runs.extend(of.flat_map(|d| (0u32..).zip(&d.runs).map(move |(i, r)| (at(d, i), d.name.as_str(), r))));
        }
    }
    let most = most_rows(runs.len());
    let sections: Vec<Section<'_>> = runs
        .iter()
        .map(|(at, document, r)| Section {
            document,
            summary: &r.summary,
            findings: &r.findings,
            loops: loop_report(&r.run, &r.loops, &Params::default()),
            notes: bench.notes_of(*at).into_iter().map(|(from, to, note)| line(from, to, note)).collect(),
            rows: (0..r.run.steps.len().min(most)).map(|i| step_row(&r.run, &r.marks, i as u32)).collect(),
        })
        .collect();
    let compared = match (versus, runs.as_slice()) {
        (Some(versus), [(.., left), (.., right)]) => Some(compared(&left.run, &right.run, versus)),
        _ => None,
    };
    (title(lang, &sections, compared.is_some()), report(lang, &sections, compared.as_ref(), receipt))
}

fn compared(left: &Run, right: &Run, versus: &Versus) -> Compared {
    let params = AlignParams {
        same: Sameness::from_id(&versus.same).unwrap_or_default(),
        threshold: f64::from(versus.threshold) / 100.0,
    };
    let found = compare(left, right, &params);
    let report = compare_report(left, right, &found);
    let view = CompareView { show: versus.show.clone(), ..CompareView::default() };
    let listing = CompareListing::new(&found, &view);
    let sides = Sides::new(left, right, &found, report.divergence.as_ref().map(|d| d.row));
    let rows = listing.window(&sides, 0, COMPARE_ROWS);
    Compared { report, rows }
}

/// The proof: which of the removed values are in what was made. Searched are all bytes that are not the same in every
/// page, decoded too, and what a reader unpacks from the finished file; `None` when it cannot be read.
///
/// A name may be a word of the page itself ("Steps") or of the format ("tool"): such a word is looked for in the content
/// alone.
fn left(html: &str, made: &[&str], prepared: &Prepared) -> Option<Vec<String>> {
    let read = page_from(html.as_bytes())?;
    let mut own: Vec<String> = prepared.redactor.left_in(RUN_SCHEMA.as_bytes());
    for format in FORMATS {
        own.extend(prepared.redactor.left_in(format.id.as_bytes()));
    }
    own.extend(prepared.redactor.left_in(words_of_the_page().as_bytes()));
    let mut left: Vec<String> = made.iter().flat_map(|text| prepared.redactor.left_in(text.as_bytes())).collect();
    left.extend(prepared.redactor.left_in(read.plain().as_bytes()));
    left.retain(|placeholder| !own.contains(placeholder));
    left.extend(left_in(&read.documents, &prepared.redactor));
    left.sort();
    left.dedup();
    Some(left)
}

/// Every sentence that may stand in a report.
fn words_of_the_page() -> String {
    let ids = message::findings::TABLES.iter().flat_map(|table| table.iter()).flat_map(|(_, en, zh)| [*en, *zh]);
    let own = message::ui::ALL.iter().flat_map(|m| Lang::ALL.map(|lang| message::text(lang, *m)));
    let mut out = String::new();
    for text in ids.chain(own).chain(["skillscope data note run report quiet class text what code strong table"]) {
        out.push_str(text);
        out.push('\n');
    }
    out
}

/// A name for the file: that of the first document without its ending.
fn file_name(carried: &Carried) -> String {
    let first = carried.documents.first().map(|d| d.name.as_str()).unwrap_or_default();
    let stem = first.rsplit_once('.').map_or(first, |(stem, _)| stem);
    let safe: String = stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    let safe = safe.trim_matches(['-', '.']);
    format!("{}.html", if safe.is_empty() { "run" } else { safe })
}
