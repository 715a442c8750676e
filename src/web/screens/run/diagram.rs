//! The run as a sequence diagram: a range of steps, page by page, drawn by mermaid; the same as a list.

use std::sync::Arc;

use leptos::{ev, html, prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::web::view::{IntoView, View, effect, el};
use crate::{
    format,
    message::M,
    protocol::{Job, Outcome},
    report::{DiagramItem, DiagramOptions, DiagramPage, RunSummary, Strip},
    web::{
        components::{
            Icon, Words, icon,
            strip::{Shape, strip},
        },
        platform::{
            look,
            mermaid::{self, Drawn},
        },
    },
};

/// Marks of the band over which the range is drawn.
const MARKS: u32 = 300;
/// Zoom in hundredths: smallest, largest, and by how much a press changes it.
const ZOOM: (u32, u32, u32) = (25, 300, 25);

type Answer = Option<Result<Arc<DiagramPage>, String>>;

/// What the reader chose.
#[derive(Clone, Copy)]
struct Choice {
    options: RwSignal<DiagramOptions>,
    as_list: RwSignal<bool>,
    /// `None` fits the width.
    zoom: RwSignal<Option<u32>>,
}

impl Choice {
    /// Another range or switch begins at the first page.
    fn change(self, change: impl FnOnce(&mut DiagramOptions)) {
        self.options.update(|o| {
            o.page = 0;
            change(o);
        });
    }

    fn zoom_by(self, larger: bool) {
        let (least, most, by) = ZOOM;
        self.zoom.update(|z| {
            let now = z.unwrap_or(100);
            *z = Some(if larger { now.saturating_add(by).min(most) } else { now.saturating_sub(by).max(least) });
        });
    }
}

/// Draws the view.
pub fn diagram(here: Here, run: Arc<RunSummary>) -> View {
    let words = here.words;
    let choice = Choice {
        options: RwSignal::new(DiagramOptions { lang: words.0.tag().to_owned(), ..DiagramOptions::default() }),
        as_list: RwSignal::new(false),
        zoom: RwSignal::new(Some(100)),
    };
    let page = RwSignal::new(Answer::None);
    let drawn = RwSignal::new(None::<Drawn>);
    let host = NodeRef::<html::Div>::new();
    follow(here, choice, page);
    // Mermaid draws into an element of its own, outside of what is derived: hence an effect.
    effect(move || {
        host.track();
        let Some(Ok(now)) = page.get() else { return };
        if choice.as_list.get() {
            return;
        }
        drawn.set(None);
        spawn_local(async move {
            let result = mermaid::draw(host, &with_title(words, &now), &links(words, &now)).await;
            let _ = drawn.try_set(Some(result));
        });
    });

    let open = move |event: &ev::Event| {
        if let Some(step) = mermaid::step_at(event) {
            event.prevent_default();
            here.go(|p| super::at_step(p, step));
        }
    };
    let keydown = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" | " " => open(&event),
        "+" | "=" => choice.zoom_by(true),
        "-" => choice.zoom_by(false),
        "0" => choice.zoom.set(Some(100)),
        _ => {}
    };
    let canvas = move || {
        if choice.as_list.get() {
            let items = page.get().and_then(Result::ok).map(|p| list(here, &p.list));
            return el("div.diagram-canvas")
                .attr("tabindex", "0")
                .attr("role", "region")
                .attr("aria-label", words.t(M::ReadAsList))
                .child(items)
                .view();
        }
        el("div.diagram-canvas")
            .attr("tabindex", "0")
            .attr("role", "region")
            .attr("aria-label", words.t(M::TabDiagram))
            .on(ev::keydown, keydown)
            .on(ev::click, move |event| open(&event))
            .child(move || trouble(words, &page.get(), &drawn.get()))
            .child(
                el("div.diagram-drawn")
                    .node(host)
                    .attr("data-fit", move || choice.zoom.get().is_none().then_some(""))
                    .style("--zoom", move || (f64::from(choice.zoom.get().unwrap_or(100)) / 100.0).to_string()),
            )
            .view()
    };
    let now = move || page.get_untracked().and_then(Result::ok);
    let save = move |_| {
        let name = format!("diagram-{}.svg", now().map_or(1, |p| p.page + 1));
        look::download(&name, "image/svg+xml", &mermaid::exported(host));
    };
    el("div.diagram")
        .child(
            el("div.tool")
                .child(range_fields(here, choice, run.steps))
                .child(switches(words, choice))
                .child(el("span.tool-space"))
                .child(
                    el("button.button.button-small")
                        .attr("aria-pressed", move || if choice.as_list.get() { "true" } else { "false" })
                        .on(ev::click, move |_| choice.as_list.update(|l| *l = !*l))
                        .child(words.t(M::ReadAsList)),
                )
                .child(
                    el("button.button.button-small")
                        .on(ev::click, move |_| {
                            if let Some(p) = now() {
                                here.copy(with_title(words, &p))
                            }
                        })
                        .child(words.t(M::CopyMermaid)),
                )
                .child(
                    el("button.button.button-small")
                        .attr("disabled", move || !pictured(choice, drawn))
                        .on(ev::click, save)
                        .child(words.t(M::DownloadSvg)),
                ),
        )
        .child(canvas)
        .child(foot(words, choice, page, drawn))
        .view()
}

/// Keeps the page at the options; an answer for older options is dropped.
fn follow(here: Here, choice: Choice, page: RwSignal<Answer>) {
    effect(move || {
        let options = choice.options.get();
        spawn_local(async move {
            let job = Job::Diagram { document: here.document, run: here.run, options: options.clone() };
            let outcome = here.ask(job).await;
            if choice.options.try_get_untracked() != Some(options) {
                return;
            }
            let why = fault(here, &outcome);
            let _ = page.try_set(match outcome {
                Outcome::Diagram { diagram } => Some(Ok(Arc::from(diagram))),
                _ => why.map(Err),
            });
        });
    });
}

/// Whether a picture is on screen.
fn pictured(choice: Choice, drawn: RwSignal<Option<Drawn>>) -> bool {
    !choice.as_list.get() && matches!(drawn.get(), Some(Drawn::Linked | Drawn::Unlinked))
}

/// The source with a title for screen readers, which is ours and ends at the line's end.
pub(in crate::web::screens) fn with_title(words: Words, page: &DiagramPage) -> String {
    if page.text.contains("accTitle") {
        return page.text.clone();
    }
    match page.text.split_once('\n') {
        Some((first, rest)) => format!("{first}\n    accTitle: {}\n{rest}", counts(words, page)),
        None => page.text.clone(),
    }
}

fn counts(words: Words, page: &DiagramPage) -> String {
    let n = |n: u32| format::count(u64::from(n));
    words.f(
        M::DiagramCounts,
        &[
            ("n", &n(page.steps)),
            ("shown", &n(page.shown)),
            ("folded", &n(page.folded)),
            ("elsewhere", &n(page.elsewhere)),
        ],
    )
}

/// What `mermaid.js` needs to make buttons of arrows and notes.
pub(in crate::web::screens) fn links(words: Words, page: &DiagramPage) -> String {
    let mut messages = page.list.iter().filter(|i| matches!(i.kind.as_str(), "message" | "result"));
    let arrows: Vec<_> = page
        .arrows
        .iter()
        .map(|(step, from, to)| {
            let item = messages.next();
            let name = words.f(M::StepNo, &[("n", &(step + 1).to_string())]);
            let label = item.map_or_else(|| name.clone(), |i| format!("{name}, {} → {}: {}", i.from, i.to, i.text));
            (step, from, to, label, item.is_some_and(|i| i.failed))
        })
        .collect();
    let mut texts = page.list.iter().filter(|i| i.kind == "note");
    let notes: Vec<_> =
        page.notes.iter().map(|step| (step, texts.next().map(|i| i.text.clone()).unwrap_or_default())).collect();
    serde_json::to_string(&(arrows, notes)).unwrap_or_default()
}

pub(in crate::web::screens) fn trouble(words: Words, page: &Answer, drawn: &Option<Drawn>) -> Option<View> {
    match (page, drawn) {
        (Some(Err(why)), _) => Some(el("p").child(why.clone()).view()),
        (None, _) | (_, None) => Some(el("p.quiet").attr("role", "status").child(words.t(M::DiagramDrawing)).view()),
        (Some(Ok(page)), Some(Drawn::TooLong(n))) => {
            Some(source(words, page, &words.f(M::DiagramTooLong, &[("n", n)])))
        }
        (Some(Ok(page)), Some(Drawn::Failed(why))) => Some(source(words, page, why)),
        (Some(Ok(_)), Some(Drawn::Unlinked)) => {
            Some(el("p.mark.warn").child(icon(Icon::Warn, "icon-s")).child(words.t(M::DiagramNoLinks)).view())
        }
        (Some(Ok(_)), Some(Drawn::Linked)) => None,
    }
}

/// The source instead of the picture, with the line that the parser names.
fn source(words: Words, page: &DiagramPage, why: &str) -> View {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    let bad: Option<usize> = why.split("line ").nth(1).and_then(|rest| digits(rest).parse().ok());
    let lines = with_title(words, page)
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let current = (bad == Some(i + 1)).then_some("true");
            el("div.code-line")
                .attr("aria-current", current)
                .child(el("span.code-no").child(i + 1))
                .child(el("span").child(line.to_owned()))
        })
        .collect::<View>();
    let first = why.lines().next().unwrap_or_default().to_owned();
    el("div.diagram-source")
        .child(el("p.mark.bad").child(icon(Icon::Bad, "icon-s")).child(words.f(M::DiagramFailed, &[("why", &first)])))
        .child(el("div.code").attr("tabindex", "0").child(lines))
        .view()
}

fn list(here: Here, items: &[DiagramItem]) -> View {
    let words = here.words;
    let rows = items
        .iter()
        .map(|item| {
            let number = item.step.map(|step| el("a").attr("href", here.step_href().run(step)).child(step + 1));
            let what = match item.kind.as_str() {
                "message" => format!("{} → {}", item.from, item.to),
                "result" => format!("{} ⇢ {}", item.from, item.to),
                "loop" => words.t(M::ItemLoop).to_owned(),
                "parallel" => words.t(M::ItemParallel).to_owned(),
                _ => words.t(M::ItemNote).to_owned(),
            };
            let mark =
                item.failed.then(|| el("span.mark.bad").child(icon(Icon::Bad, "icon-s")).child(words.t(M::RowFailed)));
            el("li.diagram-item")
                .child(el("span.step-no").child(number))
                .child(el("span.strong").child(what))
                .child(el("span").child(item.text.clone()).child(" ").child(mark))
        })
        .collect::<View>();
    el("ol.diagram-items").child(rows).view()
}

fn switches(words: Words, choice: Choice) -> View {
    let switch = move |text: M, read: fn(&DiagramOptions) -> bool, flip: fn(&mut DiagramOptions)| {
        el("button.chip.chip-toggle")
            .attr("aria-pressed", move || if choice.options.with(read) { "true" } else { "false" })
            .on(ev::click, move |_| choice.change(flip))
            .child(icon(Icon::Check, "icon-s"))
            .child(words.t(text))
            .view()
    };
    vec![
        switch(M::FoldLoops, |o| o.fold_loops, |o| o.fold_loops = !o.fold_loops),
        switch(M::ShowArguments, |o| o.arguments, |o| o.arguments = !o.arguments),
        switch(M::ShowThoughts, |o| o.thoughts, |o| o.thoughts = !o.thoughts),
    ]
    .view()
}

/// The range as two numbers, and as a piece of the band that is drawn with the pointer.
fn range_fields(here: Here, choice: Choice, steps: u32) -> View {
    let words = here.words;
    let last = steps.saturating_sub(1);
    let bounds = move |o: &DiagramOptions| o.range.unwrap_or((0, last));
    let set = move |from: u32, to: u32| {
        let (from, to) = (from.min(to).min(last), from.max(to).min(last));
        choice.change(|o| o.range = if (from, to) == (0, last) { None } else { Some((from, to)) });
    };
    let number =
        move |event: &ev::Event| event_target_value(event).trim().parse::<u32>().ok().and_then(|n| n.checked_sub(1));
    let from_changed = move |event: ev::Event| {
        let (old, to) = choice.options.with_untracked(bounds);
        set(number(&event).unwrap_or(old), to);
    };
    let to_changed = move |event: ev::Event| {
        let (from, old) = choice.options.with_untracked(bounds);
        set(from, number(&event).unwrap_or(old));
    };
    (
        el("span.quiet").child(words.t(M::RangeSteps)),
        el("span.field.field-number").child(
            el("input.field-input")
                .attr("type", "text")
                .attr("inputmode", "numeric")
                .attr("aria-label", words.t(M::RangeFrom))
                .prop("value", move || (choice.options.with(bounds).0 + 1).to_string())
                .on(ev::change, from_changed),
        ),
        el("span.quiet").child(words.t(M::RangeTo)),
        el("span.field.field-number").child(
            el("input.field-input")
                .attr("type", "text")
                .attr("inputmode", "numeric")
                .attr("aria-label", words.t(M::RangeLast))
                .prop("value", move || (choice.options.with(bounds).1 + 1).to_string())
                .on(ev::change, to_changed),
        ),
        brush(
            here,
            steps,
            Signal::derive(move || choice.options.with(bounds)),
            Callback::new(move |(from, to)| set(from, to)),
        ),
    )
        .view()
}

/// The band; dragging over it chooses a range, a double click the whole run. The number fields are its twin for keys.
fn brush(here: Here, steps: u32, range: Signal<(u32, u32)>, on_range: Callback<(u32, u32)>) -> View {
    let last = steps.saturating_sub(1);
    let band = RwSignal::new(None::<Strip>);
    spawn_local(async move {
        if let Outcome::Strip { strip } =
            here.ask(Job::Strip { document: here.document, run: here.run, buckets: MARKS }).await
        {
            let _ = band.try_set(Some(strip));
        }
    });
    let node = NodeRef::<html::Div>::new();
    let begun = RwSignal::new(None::<u32>);
    let now = RwSignal::new(None::<(u32, u32)>);
    let step_of = move |event: &ev::PointerEvent| {
        let rect = node.get_untracked()?.get_bounding_client_rect();
        let share = ((f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0)).clamp(0.0, 1.0);
        Some(((share * f64::from(steps)) as u32).min(last))
    };
    let shown = move || {
        let (from, to) = now.get().unwrap_or_else(|| range.get());
        let of = f64::from(steps.max(1));
        format!("--x:{:.2}%;--w:{:.2}%", f64::from(from) / of * 100.0, f64::from(to - from + 1) / of * 100.0)
    };
    let down = move |event: ev::PointerEvent| {
        if let (Some(node), Some(step)) = (node.get_untracked(), step_of(&event)) {
            let _ = node.set_pointer_capture(event.pointer_id());
            begun.set(Some(step));
        }
    };
    let moved = move |event: ev::PointerEvent| {
        if let (Some(begun), Some(step)) = (begun.get_untracked(), step_of(&event)) {
            now.set(Some((begun.min(step), begun.max(step))));
        }
    };
    let up = move |_: ev::PointerEvent| {
        begun.set(None);
        if let Some(chosen) = now.get_untracked() {
            on_range.run(chosen);
        }
        now.set(None);
    };
    el("div.diagram-brush.wide")
        .node(node)
        .attr("aria-hidden", "true")
        .on(ev::pointerdown, down)
        .on(ev::pointermove, moved)
        .on(ev::pointerup, up)
        .on(ev::pointercancel, move |_| {
            begun.set(None);
            now.set(None)
        })
        .on(ev::dblclick, move |_| on_range.run((0, last)))
        .child(move || band.with(|b| b.as_ref().map(|b| strip(b, Shape::THIN, None))))
        .child(el("div.minimap-view").attr("style", shown))
        .view()
}

fn foot(words: Words, choice: Choice, page: RwSignal<Answer>, drawn: RwSignal<Option<Drawn>>) -> View {
    let text = move || page.with(|p| p.as_ref().and_then(|p| p.as_ref().ok()).map(|p| counts(words, p)));
    let pages = move || {
        let (at, pages) = page.with(|p| p.as_ref().and_then(|p| p.as_ref().ok()).map_or((0, 0), |p| (p.page, p.pages)));
        (pages > 1).then(|| {
            let turn = move |to: u32| choice.options.update(|o| o.page = to);
            (
                el("button.button.button-small")
                    .attr("disabled", at == 0)
                    .on(ev::click, move |_| turn(at.saturating_sub(1)))
                    .child(words.t(M::PreviousPage)),
                el("span").child(words.f(M::PageOf, &[("n", &(at + 1).to_string()), ("of", &pages.to_string())])),
                el("button.button.button-small")
                    .attr("disabled", at + 1 >= pages)
                    .on(ev::click, move |_| turn(at + 1))
                    .child(words.t(M::NextPage)),
            )
        })
    };
    let off = move || !pictured(choice, drawn);
    el("div.diagram-foot")
        .child(el("p").child(text))
        .child(el("span.end"))
        .child(pages)
        .child(
            el("button.button.button-small")
                .attr("aria-label", words.t(M::Smaller))
                .attr("disabled", off)
                .on(ev::click, move |_| choice.zoom_by(false))
                .child("−"),
        )
        .child(
            el("button.button.button-small")
                .attr("aria-pressed", move || if choice.zoom.get().is_none() { "true" } else { "false" })
                .attr("disabled", off)
                .on(ev::click, move |_| choice.zoom.update(|z| *z = if z.is_none() { Some(100) } else { None }))
                .child(words.t(M::Fit)),
        )
        .child(
            el("button.button.button-small")
                .attr("aria-label", words.t(M::Larger))
                .attr("disabled", off)
                .on(ev::click, move |_| choice.zoom_by(true))
                .child("+"),
        )
        .view()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_goes_after_the_first_line() {
        let page = DiagramPage { text: "sequenceDiagram\n    p0->>p1: x\n".into(), ..DiagramPage::default() };
        let text = with_title(Words::default(), &page);
        assert!(text.starts_with("sequenceDiagram\n    accTitle: 0 steps"), "{text}");
        assert!(text.ends_with("p0->>p1: x\n"), "{text}");
    }
}
