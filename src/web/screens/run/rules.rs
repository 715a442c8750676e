//! How loops are looked for: our thresholds as they are, other thresholds by sliders, or the rules of another program.
//! The sliders answer while they are drawn along; nothing else than the screen of the loops follows them.

use std::collections::BTreeSet;

use leptos::{ev, prelude::*};

use super::Here;
use crate::format;
use crate::report::{LoopParam, LoopReport, PeerReport};
use crate::web::components::segment::segment;
use crate::web::view::{El, IntoView, View, el, yes};

/// Thresholds that are shown first where nothing in the run speaks for others.
const USUAL: [&str; 3] = ["tries", "gap", "clustered"];
/// Thresholds that are shown first.
const FIRST: usize = 3;

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Another program's rules: its id. Empty are ours.
    pub peer: String,
    /// Thresholds that are not as by default.
    pub params: Vec<(String, f64)>,
}

impl Rules {
    /// `ours`, `peers` or `custom`.
    fn set(&self) -> &'static str {
        match (self.peer.is_empty(), self.params.is_empty()) {
            (false, _) => "peers",
            (true, true) => "ours",
            (true, false) => "custom",
        }
    }
}

/// Draws the choice, from the first report of a run: what can be moved, and what others say, does not change.
pub fn rules(here: Here, report: &LoopReport) -> View {
    let words = here.words;
    let say = move |id: &str| words.id(id, &[]);
    let rules = here.rules;
    // The first that has something to say.
    let speaks = report.peers.iter().find(|p| p.fired > 0).or(report.peers.first());
    let first_peer = speaks.map(|p| p.id.clone()).unwrap_or_default();
    let kept = StoredValue::new(Vec::new());
    // Custom without a moved slider is ours, so it has to be remembered that it was asked for.
    let custom = RwSignal::new(false);
    let set = Signal::derive(move || {
        let set = rules.with(Rules::set);
        if set == "ours" && custom.get() { "custom" } else { set }.to_owned()
    });
    let choose = Callback::new(move |id: &'static str| {
        custom.set(id == "custom");
        rules.update(|r| {
            if !r.params.is_empty() {
                kept.set_value(std::mem::take(&mut r.params));
            }
            r.peer = if id == "peers" { first_peer.clone() } else { String::new() };
            if id == "custom" {
                r.params = kept.get_value();
            }
        });
    });
    let choices = vec![("ours", say("rules.ours")), ("peers", say("rules.peers")), ("custom", say("rules.custom"))];
    let (first, others) = ordered(report);
    let sliders = |params: &[LoopParam]| params.iter().map(|p| slider(here, p)).collect::<View>();
    let reset = move || {
        rules.with(|r| !r.params.is_empty()).then(|| {
            let back = move |_| {
                custom.set(false);
                kept.set_value(Vec::new());
                rules.update(|r| r.params.clear());
            };
            el("button.button").on(ev::click, back).child(say("rules.reset"))
        })
    };
    let peers = report.peers.iter().map(|p| peer(here, p)).collect::<View>();
    (
        el("h2").child(say("rules.title")),
        segment(say("rules.title"), choices, set, choose),
        el("div.rules")
            .attr("hidden", move || rules.with(|r| !r.peer.is_empty()))
            .child(sliders(&first))
            .child(el("details").child(el("summary").child(say("rules.all"))).child(sliders(&others)))
            .child(reset)
            .child(el("p.small.quiet").child(say("rules.here"))),
        el("h2.rules-others").child(say("rules.others")),
        el("ul.rules-peers").child(peers),
        el("p.small.quiet").child(say("rules.main-agent")),
    )
        .view()
}

/// The thresholds of detectors that found something, or nearly did, and the others.
fn ordered(report: &LoopReport) -> (Vec<LoopParam>, Vec<LoopParam>) {
    let of = |waste: bool| report.spans.iter().filter(move |s| s.counts_as_waste == waste).map(|s| s.detector.as_str());
    let (loops, others) =
        (of(true).collect::<BTreeSet<_>>(), of(false).chain(report.near.iter().map(|n| n.detector.as_str())).collect());
    let wanted = |spoke: &BTreeSet<&str>| {
        let used = report.params.iter().filter(|p| p.detectors.split(", ").any(|d| spoke.contains(d)));
        used.map(|p| p.id.as_str()).collect::<Vec<_>>()
    };
    let mut first: Vec<&str> = Vec::new();
    for id in wanted(&loops).into_iter().chain(wanted(&others)).chain(USUAL) {
        if first.len() < FIRST && !first.contains(&id) {
            first.push(id);
        }
    }
    report.params.iter().cloned().partition(|p| first.contains(&p.id.as_str()))
}

fn slider(here: Here, param: &LoopParam) -> El {
    let rules = here.rules;
    let (id, usual) = (param.id.clone(), param.default);
    let value = Memo::new(move |_| rules.with(|r| r.params.iter().find(|p| p.0 == id).map_or(usual, |p| p.1)));
    let part = param.step < 1.0;
    let (min, wide) = (param.min, (param.max - param.min).max(f64::EPSILON));
    let text = move || if part { format!("{:.2}", value.get()) } else { format!("{:.0}", value.get()) };
    let id = param.id.clone();
    let moved = move |event: ev::Event| {
        let Ok(to) = event_target_value(&event).parse::<f64>() else { return };
        rules.update(|r| {
            r.peer.clear();
            r.params.retain(|p| p.0 != id);
            if (to - usual).abs() > 1e-9 {
                r.params.push((id.clone(), to));
            }
        });
    };
    let used = here.words.id("rules.used-by", &[("detectors".to_owned(), param.detectors.clone())]);
    el("label.slider")
        .attr("title", used)
        .child(el("span").child(here.words.id(&format!("param.{}", param.id), &[])))
        .child(el("span.slider-value").child(text))
        .child(
            el("input")
                .attr("type", "range")
                .attr("min", param.min.to_string())
                .attr("max", param.max.to_string())
                .attr("step", param.step.to_string())
                .style("--fill", move || format!("{:.1}%", (value.get() - min) / wide * 100.0))
                .prop("value", move || value.get().to_string())
                .on(ev::input, moved),
        )
}

/// A rule set of another program with its verdict: a press shows where it fired.
fn peer(here: Here, peer: &PeerReport) -> El {
    let (words, rules) = (here.words, here.rules);
    let id = peer.id.clone();
    let chosen = Memo::new(move |_| rules.with(|r| r.peer == id));
    let id = peer.id.clone();
    let press = move |_| {
        let was = chosen.get_untracked();
        rules.update(|r| r.peer = if was { String::new() } else { id.clone() });
    };
    let verdict = if peer.fired == 0 {
        el("span.quiet").child(words.id("rules.no-loop", &[]))
    } else {
        let n = format::count(u64::from(peer.fired));
        el("span.warn.strong").child(words.id("rules.fired", &[("n".to_owned(), n)]))
    };
    el("li").child(
        el("button.rules-peer")
            .attr("aria-pressed", move || yes(chosen.get()))
            .on(ev::click, press)
            .child(el("span").child(peer.label.clone()))
            .child(verdict),
    )
}

/// What another program's rules say of the run.
pub fn peer_findings(here: Here, peer: &PeerReport) -> View {
    let words = here.words;
    let name = ("name".to_owned(), peer.label.clone());
    let rule = el("p.quiet").child(words.id(&format!("peer.{}", peer.id), &[]));
    if peer.fired == 0 {
        return (el("h2.group-head").child(words.id("rules.says-none", &[name])), el("div.rules-said").child(rule))
            .view();
    }
    let rows = peer.steps.iter().map(|(step, text)| {
        let link = el("a").attr("href", here.step_href().run(*step)).child(u64::from(*step) + 1);
        el("tr").child(el("td").child(link)).child(el("td.table-wide").child(el("code").child(text.clone())))
    });
    let n = format::count(peer.steps.len() as u64);
    let less = ((peer.steps.len() as u32) < peer.fired)
        .then(|| el("p.small.quiet").child(words.id("rules.first-steps", &[("n".to_owned(), n)])));
    (
        el("h2.group-head").child(words.id("rules.says", &[name])),
        el("div.rules-said").child(rule),
        el("table.table.table-page.table-stack")
            .child(el("caption.unseen").child(words.id("rules.at", &[])))
            .child(el("tbody").child(rows.collect::<View>())),
        less,
    )
        .view()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::LoopSpan;

    #[test]
    fn thresholds_of_what_was_found_come_first() {
        let param = |id: &str, detectors: &str| LoopParam {
            id: id.into(),
            detectors: detectors.into(),
            ..LoopParam::default()
        };
        let params = vec![
            param("rounds", "D1, D1w"),
            param("tries", "D2, D2g"),
            param("gap", "D2g"),
            param("reads", "D3"),
            param("clustered", "D8"),
        ];
        let spans = vec![LoopSpan { detector: "D3".into(), ..LoopSpan::default() }];
        let ids = |report: &LoopReport| {
            let (first, others) = ordered(report);
            [first, others].map(|list| list.iter().map(|p| p.id.clone()).collect::<Vec<_>>().join(" "))
        };
        let report = LoopReport { params, ..LoopReport::default() };
        assert_eq!(ids(&report), ["tries gap clustered", "rounds reads"]);
        assert_eq!(ids(&LoopReport { spans, ..report }), ["tries gap reads", "rounds clustered"]);
    }

    #[test]
    fn what_was_chosen_has_a_name() {
        let rules = Rules::default();
        assert_eq!(rules.set(), "ours");
        assert_eq!(Rules { params: vec![("gap".into(), 0.0)], ..rules.clone() }.set(), "custom");
        assert_eq!(Rules { peer: "cline".into(), ..rules }.set(), "peers");
    }
}
