//! The table of runs: filter, grouping, order, marks, and windowed rows. Enter opens a run or a group, Space marks a run.

use std::sync::Arc;

use leptos::{ev, html, prelude::*};

use super::head::{self, shape_name};
use super::{Here, bar, judged, outcome_mark};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{GroupLine, ManyRow, ManyView, RunLine};
use crate::route::Side;
use crate::web::commands::{Action, Scope};
use crate::web::components::filter::{FilterField, filter_field};
use crate::web::components::glyph::glyph;
use crate::web::components::list::{Head, Item, ListState, Press, WindowedList, windowed_list};
use crate::web::components::{Icon, icon};
use crate::web::pieces::{Answer, Loaded, Pieces};
use crate::web::platform::look;
use crate::web::view::{El, IntoView, View, effect, el, svg, yes};

/// Columns of runs and of groups: name and class.
const RUN_COLUMNS: [(&str, &str); 12] = [
    ("topology", ""),
    ("title", ""),
    ("outcome", ""),
    ("calls", "many-number"),
    ("errors", "many-number many-wide"),
    ("steps", "many-number many-wide"),
    ("tokens", "many-number many-wide"),
    ("cost", "many-number many-wide"),
    ("seconds", "many-number many-wide"),
    ("loops", "many-number many-wide"),
    ("waste", "many-number many-wide"),
    ("findings", "many-number many-wide"),
];

/// What is told of all rows.
#[derive(Clone, Debug, Default)]
struct Told {
    runs: u32,
    of: u32,
    largest: u32,
    most_calls: u32,
    unknown: Vec<String>,
}

type Rows = Loaded<ManyRow, Told>;

/// The rows of these documents under a view.
fn rows_of(here: Here) -> Pieces<ManyRow, Told, (Vec<u32>, ManyView)> {
    Pieces::new(
        here.engine,
        |((documents, view), from, count)| Job::Many { documents, view, from, count },
        |outcome| match outcome {
            Outcome::Many { many } => Some(Answer {
                total: many.total,
                whole: Told {
                    runs: many.runs,
                    of: many.of,
                    largest: many.largest,
                    most_calls: many.most_calls,
                    unknown: many.unknown_terms,
                },
                rows: many.rows,
            }),
            _ => None,
        },
    )
}

/// Filter, grouping and what to do with the marked.
pub(super) fn tools(here: Here) -> View {
    let field = NodeRef::<html::Input>::new();
    here.commands.on(Scope::List, move |action| {
        if action == Action::Filter
            && let Some(field) = field.get_untracked()
        {
            let _ = field.focus();
        }
    });
    // Ways to group: the ones that tell these runs apart, and the one that is chosen.
    let ways = Memo::new(move |_| {
        let mut ways = vec!["none".to_owned()];
        if let Some(Ok(report)) = &*here.report.read() {
            ways.extend(report.groups.iter().cloned());
        }
        let chosen = here.place.with(|p| p.view.group.clone());
        if !ways.contains(&chosen) {
            ways.push(chosen);
        }
        ways
    });
    let groups = move || {
        let given = ways.get();
        untrack(|| {
            head::ways(
                here,
                &given,
                Callback::new(move |group: &'static str| {
                    here.replace(|p| {
                        p.view.group = group.to_owned();
                        p.view.sort = String::new();
                        p.view.turned = false;
                    });
                }),
            )
        })
    };
    let marked = here.session.marked;
    let compare = move || {
        let n = marked.with(Vec::len);
        if n == 2 { here.t("many.compare-two").to_owned() } else { here.f("many.compare", &[("n", &n.to_string())]) }
    };
    el("div.tool.many-tool")
        .child(filter_field(FilterField {
            node: field,
            placeholder: here.t("many.filter"),
            label: here.t("many.filter-label"),
            value: Signal::derive(move || here.place.with(|p| p.filter.clone())),
            on_input: Callback::new(move |text| here.replace(|p| p.filter = text)),
            on_leave: Callback::new(|()| ()),
        }))
        .child(groups)
        .child(
            el("button.button")
                .attr("disabled", move || marked.with(|m| m.len() != 2))
                .attr("title", here.t("many.mark-hint"))
                .on(ev::click, move |_| here.commands.run(Action::Compare))
                .child(compare)
                .child(el("kbd.kbd").child("c")),
        )
        .child(move || {
            marked.with(|m| !m.is_empty()).then(|| {
                el("button.button.button-ghost.button-icon")
                    .attr("aria-label", here.t("many.unmark"))
                    .attr("title", here.t("many.unmark"))
                    .on(ev::click, move |_| marked.set(Vec::new()))
                    .child(icon(Icon::Close, ""))
            })
        })
        .child(sort_choice(here))
        .view()
}

/// Where there is no room for the heads of columns.
fn sort_choice(here: Here) -> El {
    let options = move || {
        let (grouped, now) = here.place.with(|p| (p.view.group != "none", p.view.sort.clone()));
        let ids: Vec<&str> = if grouped {
            vec!["runs", "passed", "calls"]
        } else {
            std::iter::once("file").chain(RUN_COLUMNS.iter().map(|(id, _)| *id)).collect()
        };
        ids.into_iter()
            .map(|id| {
                let value = if matches!(id, "file" | "runs") { "" } else { id };
                el("option")
                    .attr("value", value)
                    .attr("selected", now == value)
                    .child(here.t(&format!("many.column.{id}")))
            })
            .collect::<View>()
    };
    el("select.field.many-sort-choice")
        .attr("aria-label", here.t("many.sort-by"))
        .on(ev::change, move |e| {
            let sort = event_target_value(&e);
            here.replace(|p| p.view.sort = sort);
        })
        .child(options)
}

/// The heads of the columns, which sort, and the rows.
pub(super) fn table(here: Here) -> View {
    let words = here.words;
    let store = rows_of(here);
    let loaded = store.loaded;
    let opened = RwSignal::new(Vec::<String>::new());
    let list = ListState::new(look::focus_row).with_marks();
    look::on_resize(list.node, move || list.resized.update(|n| *n += 1));
    let of = Memo::new(move |_| {
        let view = here.place.with(|p| ManyView {
            filter: p.filter.clone(),
            sort: p.view.sort.clone(),
            turned: p.view.turned,
            group: p.view.group.clone(),
            open: Vec::new(),
        });
        (here.documents.get(), ManyView { open: opened.get(), ..view })
    });
    // Other rows begin at the top; an opened group stays where it is.
    let kind = Memo::new(move |_| {
        of.with(|(documents, view)| (documents.clone(), ManyView { open: Vec::new(), ..view.clone() }))
    });
    effect(move || {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        let _ = kind.get();
        list.focus.set(0);
        list.scroll_to(0);
    });
    effect(move || {
        let (documents, view) = of.get();
        let keys = documents.iter().map(|(key, ..)| *key).collect();
        let (from, end) = list.view.get_untracked().range(8);
        store.turn_to((keys, view), from, end);
    });
    let range = Memo::new(move |_| list.view.get().range(16));
    effect(move || {
        let (from, end) = range.get();
        if end > from {
            store.want(from, end);
        }
    });
    let grouped = Memo::new(move |_| here.place.with(|p| p.view.group != "none"));

    let press = move |(index, press): (u32, Press)| {
        let Some(row) = loaded.with_untracked(|l| l.row(index)) else { return };
        match (&*row, press) {
            (ManyRow::Group(group), Press::Open | Press::Mark) => opened.update(|o| {
                let before = o.len();
                o.retain(|key| *key != group.key);
                if o.len() == before {
                    o.push(group.key.clone());
                }
            }),
            (ManyRow::Run(run), Press::Open) => {
                if let Some(route) = here.run_route((run.document, run.run), None) {
                    here.nav.go(&route);
                }
            }
            (ManyRow::Run(run), Press::Mark) => mark(here, run),
            (_, Press::Move) => {}
        }
    };
    let item = Callback::new(move |index: u32| {
        let row = Memo::new(move |_| loaded.with(|l| l.row(index)));
        let head = Memo::new(move |_| row.get().map(|r| row_head(here, &r)).unwrap_or_default());
        let scale = Memo::new(move |_| loaded.with(|l| l.whole.largest));
        let body = move || row.get().map(|r| body(here, &r, scale.get()));
        Item { head, body: body.view() }
    });
    // One list for both: its node, which is watched for its size, stays.
    let rows = windowed_list(WindowedList {
        state: list,
        label: words.t(M::RunsTitle),
        total: Signal::derive(move || loaded.with(|l| l.total)),
        low: Signal::stored(Arc::default()),
        item,
        on_press: Callback::new(press),
        tree: true,
    });
    let status = move || {
        let (n, of, unknown) = loaded.with(|l| (l.whole.runs, l.whole.of, l.whole.unknown.clone()));
        let meaningless = (!unknown.is_empty())
            .then(|| (" ", el("span.warn").child(here.f("many.unknown-terms", &[("terms", &unknown.join(" "))]))));
        let filtered = here.place.with(|p| !p.filter.is_empty());
        let text = match n {
            0 if of > 0 => words.t(M::RunsNone).to_owned(),
            _ if filtered => {
                words.f(M::RunsShown, &[("n", &format::count(n.into())), ("of", &format::count(of.into()))])
            }
            _ => String::new(),
        };
        (text, meaningless).view()
    };
    el("div.many-main")
        .child(el("p.many-status.small.quiet").attr("role", "status").child(status))
        .child(move || {
            let grouped = grouped.get();
            untrack(|| columns(here, loaded, grouped))
        })
        .child(rows)
        .view()
}

fn mark(here: Here, run: &RunLine) {
    let Some(side) = here.side((run.document, run.run)) else { return };
    here.session.marked.update(|m| {
        let before = m.len();
        m.retain(|other| *other != side);
        if m.len() == before {
            m.push(side);
        }
    });
}

fn is_marked(here: Here, run: &RunLine) -> bool {
    let side: Option<Side> = here.side((run.document, run.run));
    here.session.marked.with(|m| side.is_some_and(|s| m.contains(&s)))
}

/// Buttons that sort, where the columns are.
fn columns(here: Here, loaded: RwSignal<Rows>, grouped: bool) -> El {
    let sort = move |id: &'static str, name: Signal<String>, class: &'static str| {
        let wanted = if id == "runs" { "" } else { id };
        let is = move || here.place.with(|p| p.view.sort == wanted);
        el("button.many-sort")
            .class(format!("many-sort {class}"))
            .attr("aria-pressed", move || yes(is()))
            .on(ev::click, move |_| {
                here.replace(|p| {
                    // The same column again turns it round.
                    p.view.turned = p.view.sort == wanted && !p.view.turned;
                    p.view.sort = wanted.to_owned();
                });
            })
            .child(move || name.get())
            .child(move || {
                is().then(|| icon(if here.place.with(|p| p.view.turned) { Icon::Up } else { Icon::Down }, "icon-s"))
            })
    };
    let named = move |id: &'static str| Signal::stored(here.t(&format!("many.column.{id}")).to_owned());
    let head = el("div").attr("role", "group").attr("aria-label", here.t("many.sort-by"));
    if grouped {
        let by = here.place.with(|p| p.view.group.clone());
        let name =
            if by == "topology" { named("name") } else { Signal::stored(here.t(&format!("many.by.{by}")).to_owned()) };
        return head
            .class("many-columns many-group")
            .child(el("span"))
            .child(el("span.many-glyph").child((by == "topology").then(|| here.t("many.column.topology"))))
            .child(sort("name", name, ""))
            .child(sort("runs", named("runs"), "many-number"))
            .child(sort("passed", named("passed"), ""))
            .child(el("span.many-bar-cell"))
            .child(
                sort(
                    "calls",
                    Signal::derive(move || {
                        let most = loaded.with(|l| l.whole.most_calls);
                        here.f("many.dots", &[("n", &most.to_string())])
                    }),
                    "many-dots-cell",
                )
                .attr("title", here.t("many.dots-say")),
            );
    }
    head.class("many-columns many-run")
        .child(el("span"))
        .child(RUN_COLUMNS.map(|(id, class)| sort(id, named(id), class)))
}

fn row_head(here: Here, row: &ManyRow) -> Head {
    match row {
        ManyRow::Group(group) => {
            let class = if group.open { "many-group many-open" } else { "many-group" };
            Head { class: class.into(), selected: false, expanded: Some(group.open) }
        }
        ManyRow::Run(run) => {
            let class = if run.nested { "many-nested" } else { "many-run" };
            Head { class: class.into(), selected: is_marked(here, run), expanded: None }
        }
    }
}

fn body(here: Here, row: &Arc<ManyRow>, largest: u32) -> View {
    match &**row {
        ManyRow::Group(group) => group_body(here, group, largest),
        ManyRow::Run(run) if run.nested => nested_body(here, row, run),
        ManyRow::Run(run) => run_body(here, row, run),
    }
}

fn group_body(here: Here, group: &GroupLine, largest: u32) -> View {
    let topology = !group.glyph.is_empty();
    let name = match (topology, group.key.as_str()) {
        (true, _) => shape_name(here, group),
        (false, "") => here.t("many.no-key").to_owned(),
        (false, key) => key.to_owned(),
    };
    let paths = group.dots.iter().zip(["many-dot-passed", "many-dot-failed", "many-dot-unknown"]);
    let dots = paths
        .filter(|(d, _)| !d.is_empty())
        .map(|(d, class)| svg("path").attr("class", class).attr("d", d.clone()))
        .collect::<View>();
    let unknown = (group.unknown > 0 && group.passed + group.failed > 0)
        .then(|| el("span.quiet.small").child(format!(" +{}", group.unknown)));
    (
        icon(Icon::Right, "icon-s"),
        el("span.many-glyph").child(topology.then(|| glyph(&group.key, &group.glyph))),
        el("span.many-name")
            .class(if topology && !group.name.is_empty() { "many-name mono" } else { "many-name" })
            .attr("title", name.clone())
            .child(name),
        el("span.many-number").child(format::count(group.runs.into())),
        el("span.many-judged").child(judged(here, group.passed, group.failed)).child(unknown),
        el("span.many-bar-cell").child(bar(group.runs, group.passed, group.unknown, largest)),
        el("span.many-dots-cell").child(
            svg("svg.many-dots")
                .attr("viewBox", "0 0 120 20")
                .attr("aria-hidden", "true")
                .child(svg("path.many-axis").attr("d", "M2 10h116"))
                .child(dots),
        ),
    )
        .view()
}

/// A box that shows whether the run is marked; a click on it marks, and does not open.
fn check(here: Here, row: &Arc<ManyRow>) -> El {
    let (shown, pressed) = (row.clone(), row.clone());
    let is = move || matches!(&*shown, ManyRow::Run(run) if is_marked(here, run));
    el("span.many-check")
        .attr("aria-hidden", "true")
        .attr("data-marked", move || is().then_some("true"))
        .on(ev::click, move |e| {
            e.stop_propagation();
            if let ManyRow::Run(run) = &*pressed {
                mark(here, run);
            }
        })
        .child(icon(Icon::Check, "icon-s"))
}

fn title(here: Here, run: &RunLine) -> String {
    if run.title.is_empty() {
        here.words.f(M::RunNumber, &[("n", &(u64::from(run.run) + 1).to_string())])
    } else {
        run.title.clone()
    }
}

fn cost(run: &RunLine) -> Option<String> {
    run.cost.map(|c| if run.cost_estimated { format!("≈ {}", format::money(c)) } else { format::money(c) })
}

fn run_body(here: Here, row: &Arc<ManyRow>, run: &RunLine) -> View {
    let known = |value: Option<String>| value.unwrap_or_else(|| format::UNKNOWN.to_owned());
    let number =
        |value: String, class: &'static str| el("span").class(format!("many-number many-wide {class}")).child(value);
    let file = (!run.file.is_empty()).then(|| {
        let short = run.file.rsplit('/').next().unwrap_or_default().to_owned();
        (" ", el("span.quiet.small").attr("title", run.file.clone()).child(short))
    });
    let text = title(here, run);
    let found = run.findings.errors.saturating_add(run.findings.warnings).saturating_add(run.findings.infos);
    (
        check(here, row),
        el("span.many-glyph").child(glyph(&run.hash, &run.glyph)),
        el("span.many-name").attr("title", text.clone()).child(text).child(file),
        outcome_mark(here.words, run.outcome.as_ref()),
        el("span.many-number").child(format::count(run.calls.into())),
        (
            number(format::count(run.errors.into()), if run.errors > 0 { "bad" } else { "" }),
            number(format::count(run.steps.into()), ""),
            number(known(run.tokens.map(format::short_count)), ""),
            number(known(cost(run)), ""),
            number(known(run.duration_ms.map(format::duration)), ""),
            number(
                format::count(run.loops.into()),
                match run.loop_verdict.as_str() {
                    "stuck" => "bad",
                    "recovered" => "warn",
                    _ => "",
                },
            ),
            number(known(run.waste_ratio.map(format::percent)), ""),
            number(format::count(found.into()), if run.findings.errors > 0 { "bad" } else { "" }),
        ),
    )
        .view()
}

/// A run under its group: what is known of it, in words.
fn nested_body(here: Here, row: &Arc<ManyRow>, run: &RunLine) -> View {
    let words = here.words;
    let mut facts = vec![here.f("many.messages", &[("n", &format::count(run.steps.into()))])];
    if run.errors > 0 {
        facts.push(words.f(M::StateErrors, &[("n", &format::count(run.errors.into()))]));
    }
    if run.loops > 0 {
        facts.push(words.f(M::StateLoops, &[("n", &run.loops.to_string())]));
    }
    facts.extend(run.tokens.map(|n| format!("{} {}", format::short_count(n), words.t(M::FigureTokens))));
    facts.extend(cost(run));
    facts.extend(run.duration_ms.map(format::duration));
    if !run.file.is_empty() {
        facts.push(run.file.clone());
    }
    (
        check(here, row),
        el("span.many-title").child(title(here, run)),
        el("span.many-facts.quiet").child(facts.join(words.t(M::Comma))),
        el("span.many-number").child(format::count(run.calls.into())),
        outcome_mark(words, run.outcome.as_ref()),
    )
        .view()
}
