//! The shape of a run and its measures: the graph of what follows what, with names and without, the hashes of the shape
//! to copy, and every metric with its unit, its definition and its evidence.

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::{Here, fault};
use crate::format;
use crate::message::M;
use crate::protocol::{Job, Outcome};
use crate::report::{GraphView, MetricsView, Sheet, TopologyView};
use crate::web::components::sheet::{content, cut, sheet};
use crate::web::view::{El, IntoView, View, el, svg};

type Found = Result<(Arc<TopologyView>, Arc<MetricsView>), String>;

/// Draws the measures.
pub fn measures(here: Here) -> View {
    let found = RwSignal::new(None::<Found>);
    let Here { document, run, words, .. } = here;
    spawn_local(async move {
        let shape = here.ask(Job::Topology { document, run }).await;
        let metrics = here.ask(Job::Metrics { document, run }).await;
        let why = fault(here, &shape).or(fault(here, &metrics));
        let _ = found.try_set(match (shape, metrics) {
            (Outcome::Topology { topology }, Outcome::Metrics { metrics }) => {
                Some(Ok((Arc::from(topology), Arc::new(metrics))))
            }
            _ => why.map(Err),
        });
    });
    let draw = move || match found.get() {
        None => View::NONE,
        Some(Err(why)) => el("p").child(why).view(),
        Some(Ok((shape, metrics))) => (topology(here, &shape), figures(here, &metrics)).view(),
    };
    el("div.page-body.measures")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", words.t(M::TabMeasures))
        .child(draw)
        .view()
}

fn room(here: Here, of: &Sheet) -> View {
    (el("div.sheet-room").child(sheet(here.words, here.ways(), of)), cut(here.words, of)).view()
}

fn pair(k: &str, v: String) -> (String, String) {
    (k.to_owned(), v)
}

fn topology(here: Here, shape: &TopologyView) -> View {
    let words = here.words;
    let say = |id: &str| words.id(id, &[]);
    let graphs = shape.graphs.iter().map(|g| graph(here, g, shape.edges.total)).collect::<View>();
    let letters = pair("n", format::count(u64::from(shape.canonical_length)));
    let text = el("details")
        .child(
            el("summary")
                .child(say("shape.canonical"))
                .child(" ")
                .child(el("span.quiet").child(words.id("shape.canonical-of", &[letters]))),
        )
        .child(el("pre.code").attr("tabindex", "0").child(shape.canonical.clone()));
    let edges = (!shape.edges.rows.is_empty())
        .then(|| el("details").child(el("summary").child(say("shape.edges"))).child(room(here, &shape.edges)));
    let nearest = (!shape.nearest.rows.is_empty())
        .then(|| (el("h2.group-head").child(say("shape.nearest")), room(here, &shape.nearest)));
    (
        el("h2.group-head").child(say("shape.title")).child(el("span").child(say("shape.means"))),
        el("div.graphs").child(graphs),
        edges,
        el("h2.group-head").child(say("shape.variants")),
        room(here, &shape.variants),
        text,
        nearest,
    )
        .view()
}

fn graph(here: Here, graph: &GraphView, edges: u32) -> El {
    let words = here.words;
    let high = graph.nodes.len() as f64 * GraphView::ROW;
    let side = |arcs: &[(u32, String)]| {
        let paths =
            arcs.iter().map(|(weight, d)| svg("path").attr("data-weight", weight.to_string()).attr("d", d.clone()));
        svg("svg")
            .attr("viewBox", format!("0 0 {} {high}", GraphView::SIDE))
            .attr("aria-hidden", "true")
            .child(paths.collect::<View>())
    };
    let nodes = graph.nodes.iter().map(|node| el("li").child(content(words, here.ways(), node)));
    let args = [pair("n", graph.of.saturating_sub(2).to_string()), pair("edges", edges.to_string())];
    let drawn = graph.nodes.len();
    let less = ((drawn as u32) < graph.of).then(|| {
        let args = [pair("n", drawn.to_string()), pair("of", graph.of.to_string())];
        el("p.small.quiet").child(words.id("shape.graph-cut", &args))
    });
    let unsure = (!graph.exact).then(|| el("p.small.quiet").child(words.id("shape.bound", &[])));
    el("figure.graph")
        .attr("aria-label", words.id("shape.graph-of", &args))
        .child(
            el("figcaption")
                .child(el("b").child(words.id(&format!("shape.graph-{}", graph.id), &[])))
                .child(el("span.small.quiet").child(words.id("shape.graph.means", &[]))),
        )
        .child(
            el("div.graph-drawn")
                .child(side(&graph.back))
                .child(el("ol").child(nodes.collect::<View>()))
                .child(side(&graph.down)),
        )
        .child(less)
        .child(unsure)
}

fn figures(here: Here, metrics: &MetricsView) -> View {
    let words = here.words;
    let sections = metrics.sections.iter().map(|section| {
        (el("h2.group-head").child(words.id(&section.name, &[])), el("div.metrics").child(room(here, section))).view()
    });
    let among = (metrics.among > 0)
        .then(|| el("p.small.quiet").child(words.id("metrics.among", &[pair("n", metrics.among.to_string())])));
    let version = el("p.small.quiet").child(words.id("metrics.version", &[pair("n", metrics.version.to_string())]));
    (sections.collect::<View>(), el("div.measures-foot").child(among).child(version)).view()
}
