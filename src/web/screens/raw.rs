//! A file as text: numbered lines, windowed. What the worker had to decode or unpack it gives in blocks; a plain file
//! is read here, from the disk, when its lines come into view.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::task::spawn_local;
use leptos::{ev, prelude::*};

use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{DocumentSummary, RawText};
use crate::route::{Place, Route};
use crate::viewport::Viewport;
use crate::web::lines::{BLOCK, Index};
use crate::web::platform::files::Kept;
use crate::web::platform::worker::use_engine;
use crate::web::platform::{dom, idle};
use crate::web::state::session::{self, Document, Say};
use crate::web::state::settings::{t, tf};
use crate::web::view::{IntoView, View, el};

/// Blocks that are kept.
const KEPT: usize = 12;
/// Height of a line, as `--row` says on this list.
const LINE: f64 = 18.0;

/// The text of one file of a document.
pub fn raw_screen(document: Document, summary: Arc<DocumentSummary>) -> View {
    let engine = use_engine();
    let key = document.key;
    let files: Vec<String> = summary.reports.iter().map(|r| r.file.clone()).collect();
    let report = RwSignal::new(0u32);
    let blocks = RwSignal::new(BTreeMap::<u32, Vec<String>>::new());
    let asked = StoredValue::new(Vec::<u32>::new());
    let total = RwSignal::new(None::<u32>);
    let fault = RwSignal::new(None::<Say>);
    let view = RwSignal::new(Viewport::default());
    let marked = RwSignal::new(None::<u32>);
    // The file itself, when the worker has no text of its own of it.
    let disk = StoredValue::new_local(None::<(Kept, Index)>);

    let set_total = move |n: u32| {
        if total.get_untracked() != Some(n) {
            total.set(Some(n));
            view.update(|v| *v = v.clone().resized(n, LINE, dom::height("#raw")));
        }
    };
    let put = move |block: u32, lines: Vec<String>| {
        blocks.update(|b| {
            b.insert(block, lines);
            let middle = view.with_untracked(|v| v.range(0).0 / BLOCK);
            while b.len() > KEPT {
                let Some(far) = b.keys().copied().max_by_key(|k| k.abs_diff(middle)) else { break };
                b.remove(&far);
                asked.update_value(|a| a.retain(|k| *k != far));
            }
        });
    };
    // The screen may be gone, or show another file.
    let still = move |of: u32| report.try_get_untracked() == Some(of);
    let unreadable = move |name: &str| fault.set(Some(Say::Page(M::FileUnreadable, vec![("name", name.to_owned())])));
    let from_disk = move |block: u32, of: u32| {
        let Some((kept, range)) = disk.with_value(|d| d.as_ref().and_then(|(k, i)| Some((k.clone(), i.range(block)?))))
        else {
            // Not found yet: asked again when the index has come so far.
            asked.update_value(|a| a.retain(|k| *k != block));
            return;
        };
        let count = total.get_untracked().unwrap_or(0).saturating_sub(block * BLOCK).min(BLOCK);
        spawn_local(async move {
            let lines = kept.lines(range, count).await;
            if still(of) {
                match lines {
                    Ok(lines) => put(block, lines),
                    Err(_) => unreadable(kept.path()),
                }
            }
        });
    };
    let ask = move |block: u32| {
        if asked.with_value(|a| a.contains(&block)) {
            return;
        }
        asked.update_value(|a| a.push(block));
        let of = report.get_untracked();
        if disk.with_value(Option::is_some) {
            return from_disk(block, of);
        }
        spawn_local(async move {
            let outcome = engine.ask(Job::Text { document: key, report: of, from: block * BLOCK, count: BLOCK }).await;
            if !still(of) {
                return;
            }
            match outcome {
                Outcome::Text { text } => {
                    set_total(text.total);
                    put(block, text.lines);
                }
                Outcome::Raw { raw: RawText::Range { file, .. } } => {
                    let Some(kept) = session::file(file) else { return };
                    disk.set_value(Some((kept.clone(), Index::default())));
                    asked.set_value(Vec::new());
                    let _busy = idle::busy();
                    let read = kept.index(|index| {
                        if !still(of) {
                            return false;
                        }
                        disk.set_value(Some((kept.clone(), index.clone())));
                        set_total(index.total());
                        let (from, end) = view.with_untracked(|v| v.range(40));
                        for block in from / BLOCK..=end.saturating_sub(1) / BLOCK {
                            if !asked.with_value(|a| a.contains(&block)) {
                                asked.update_value(|a| a.push(block));
                                from_disk(block, of);
                            }
                        }
                        true
                    });
                    match read.await {
                        Ok(()) if still(of) => set_total(total.get_untracked().unwrap_or(0)),
                        Err(_) if still(of) => unreadable(kept.path()),
                        _ => {}
                    }
                }
                Outcome::Raw { .. } => set_total(0),
                Outcome::Fault { id, args } => fault.set(Some(Say::Engine(id, args))),
                _ => {}
            }
        });
    };
    let need = move || {
        let (from, end) = view.with_untracked(|v| v.range(40));
        for block in from / BLOCK..=end.saturating_sub(1) / BLOCK {
            ask(block);
        }
    };
    ask(0);
    let scroll = move |event: leptos::ev::Event| {
        if let Some((top, height)) = dom::scrolled(&event) {
            let all = total.get_untracked().unwrap_or(0);
            view.update(|v| {
                if v.height != height {
                    *v = v.clone().resized(all, LINE, height);
                }
                *v = v.clone().scrolled(top);
            });
            need();
        }
    };
    let go = move |event: leptos::ev::Event| {
        let Ok(line) = event_target_value(&event).trim().parse::<u32>() else { return };
        let all = total.get_untracked().unwrap_or(0);
        let line = line.clamp(1, all.max(1)) - 1;
        marked.set(Some(line));
        let new = view.get_untracked().revealed(line, true);
        let top = new.top;
        view.set(new);
        dom::scroll_to("#raw", top);
        need();
    };
    let choose = move |event: leptos::ev::Event| {
        if let Ok(n) = event_target_value(&event).parse() {
            report.set(n);
            blocks.set(BTreeMap::new());
            asked.set_value(Vec::new());
            total.set(None);
            fault.set(None);
            disk.set_value(None);
            marked.set(None);
            view.set(Viewport::default());
            dom::scroll_to("#raw", 0.0);
            ask(0);
        }
    };
    let lines = move || {
        let all = total.get().unwrap_or(0);
        let (from, end) = view.with(|v| v.range(20));
        let blocks = blocks.read();
        (from.min(all)..end.min(all))
            .map(|n| {
                let text = blocks.get(&(n / BLOCK)).and_then(|b| b.get((n % BLOCK) as usize)).cloned();
                let y = view.with(|v| v.y(n));
                el("div.code-line")
                    .attr("style", format!("--y:{y}px"))
                    .attr("aria-current", (marked.get() == Some(n)).then_some("true"))
                    .child(el("span.code-no").child(n + 1))
                    .child(el("span").child(text.unwrap_or_else(|| "…".into())))
            })
            .collect::<View>()
    };
    let back = Route::Document(Place { document: document.name.clone(), ..Place::default() }).hash();
    let back_word = if summary.runs.is_empty() { M::BackToWhy } else { M::BackToReading };
    let picker = (files.len() > 1).then(|| {
        let options = files
            .iter()
            .enumerate()
            .map(|(i, f)| el("option").attr("value", i.to_string()).child(f.clone()))
            .collect::<View>();
        el("select.field").attr("aria-label", t(M::Files)).on(ev::change, choose).child(options)
    });
    let word = move || {
        fault
            .get()
            .map(|say| el("p.notice.bad").child(say.text()).view())
            .or_else(|| (total.get() == Some(0)).then(|| el("p.notice").child(t(M::RawEmpty)).view()))
    };
    el("div.page")
        .child(
            el("header.page-head.head.head-last").child(
                el("div.head-title")
                    .child(el("h1").attr("tabindex", "-1").child(document.name.clone()))
                    .child(el("span.chip").child(format::bytes(document.size)))
                    .child(move || {
                        total.get().map(|n| el("span.chip").child(tf(M::RawLines, &[("n", &format::count(n.into()))])))
                    }),
            ),
        )
        .child(
            el("div.tool")
                .child(el("a.button").attr("href", back).child(t(back_word)))
                .child(picker)
                .child(el("span.tool-space"))
                .child(
                    el("label.row.quiet").child(t(M::GoToLine)).child(" ").child(
                        el("span.field.field-number.raw-line")
                            .child(el("input.field-input").attr("type", "number").attr("min", "1").on(ev::change, go)),
                    ),
                ),
        )
        .child(word)
        .child(
            el("div.list.code.raw")
                .attr("id", "raw")
                .attr("tabindex", "0")
                .attr("role", "region")
                .attr("aria-label", t(M::RawTitle))
                .on(ev::scroll, scroll)
                .child(
                    el("div.list-space")
                        .attr("style", move || format!("--h:{}px", view.with(|v| v.space())))
                        .child(lines),
                ),
        )
        .view()
}
