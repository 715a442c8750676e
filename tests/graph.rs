//! The directly-follows graph and its measures against what networkx and pm4py answered, and against plain definitions.
//! Vectors: `SKILLSCOPE_VECTORS`, else `../shared/vectors` beside the project. Said aloud when they are not there.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use skillscope::model::notation::parse;
use skillscope::model::step_keys;
use skillscope::topology::{Dfg, Graph, Node, dfg, dfg_anon_hash, dfg_hash, graph_metrics, similarity};

fn lines(name: &str) -> Option<Vec<serde_json::Value>> {
    let folder = std::env::var_os("SKILLSCOPE_VECTORS")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors"));
    let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
        eprintln!("NOT RUN: {name} is not at {} (set SKILLSCOPE_VECTORS)", folder.display());
        return None;
    };
    Some(text.lines().filter(|l| !l.is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect())
}

fn trace(names: impl IntoIterator<Item = String>) -> Vec<BTreeSet<String>> {
    names.into_iter().map(|n| BTreeSet::from([n])).collect()
}

#[test]
fn vectors_networkx_isomorphism_classes_components_and_cycles() {
    let Some(lines) = lines("networkx37_dfg.jsonl") else { return };
    let mut hash_of: BTreeMap<u64, String> = BTreeMap::new();
    let mut class_of: BTreeMap<String, u64> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let mut graph = Dfg::default();
        graph.add(&trace(line["seq"].as_array().unwrap().iter().map(|t| format!("t{t}"))));
        // The classes are those of the graph without counts.
        let hash = dfg_anon_hash(&graph, false);
        assert!(hash.exact, "line {}", at + 1);
        let class = line["iso_class"].as_u64().unwrap();
        assert_eq!(*hash_of.entry(class).or_insert_with(|| hash.text.clone()), hash.text, "line {}", at + 1);
        assert_eq!(*class_of.entry(hash.text).or_insert(class), class, "line {}", at + 1);
        let plain = Graph::of_dfg(&graph);
        assert_eq!(plain.nontrivial_components() as u64, line["nontrivial_scc"].as_u64().unwrap(), "line {}", at + 1);
        assert_eq!(plain.cyclomatic(), line["cyclomatic"].as_u64().unwrap(), "line {}", at + 1);
        let (cycles, all) = plain.simple_cycles();
        assert!(all);
        assert_eq!(u64::from(cycles), line["simple_cycles"].as_u64().unwrap(), "line {}", at + 1);
    }
    assert!(hash_of.len() > 50, "{}", hash_of.len());
}

#[test]
fn vectors_pm4py_counts_of_the_graph() {
    let Some(lines) = lines("pm4py_dfg.jsonl") else { return };
    for (at, line) in lines.iter().enumerate() {
        let mut graph = Dfg::default();
        for one in line["traces"].as_array().unwrap() {
            graph.add(&trace(one.as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned())));
        }
        let tool = |name: &str| Node::Tool(name.to_owned());
        let mut expected: BTreeMap<(Node, Node), u64> = BTreeMap::new();
        for edge in line["dfg"].as_array().unwrap() {
            let (a, b) = (edge[0].as_str().unwrap(), edge[1].as_str().unwrap());
            expected.insert((tool(a), tool(b)), edge[2].as_u64().unwrap());
        }
        for (name, n) in line["start"].as_object().unwrap() {
            expected.insert((Node::Start, tool(name)), n.as_u64().unwrap());
        }
        for (name, n) in line["end"].as_object().unwrap() {
            expected.insert((tool(name), Node::End), n.as_u64().unwrap());
        }
        assert_eq!(graph.edges, expected, "line {}", at + 1);
        let variants: BTreeSet<String> = line["traces"].as_array().unwrap().iter().map(|t| t.to_string()).collect();
        let listed: BTreeSet<String> = line["variants"].as_array().unwrap().iter().map(|v| v[0].to_string()).collect();
        assert_eq!(variants, listed, "line {}", at + 1);
    }
    assert!(lines.len() >= 20);
}

#[test]
fn metrics_of_small_runs() {
    let metrics = |text: &str| {
        let run = parse(text).unwrap();
        graph_metrics(&run, &step_keys(&run))
    };
    let none = metrics("u s");
    assert_eq!((none.node_count, none.transitions, none.revisit_ratio, none.loop_mass), (0, 0, None, None));
    let chain = metrics("A1 B1 C1 D1");
    assert_eq!((chain.node_count, chain.edge_count, chain.transitions, chain.cyclomatic), (4, 3, 3, 0));
    assert_eq!((chain.revisit_ratio, chain.loop_mass, chain.longest_path), (Some(0.0), Some(0.0), 3));
    assert_eq!((chain.backedge_fraction, chain.simple_cycles), (Some(0.0), (0, true)));
    // A B A B A C: two states in a circle, and a way out.
    let circle = metrics("A1 B1 A1 B1 A1 C1");
    assert_eq!((circle.node_count, circle.edge_count, circle.transitions, circle.cyclomatic), (3, 3, 5, 1));
    assert_eq!((circle.revisit_ratio, circle.loop_mass, circle.longest_path), (Some(0.5), Some(0.8), 1));
    assert_eq!((circle.backedge_fraction, circle.back_transition_fraction), (Some(1.0 / 3.0), Some(0.4)));
    assert_eq!(circle.simple_cycles, (1, true));
    let still = metrics("A1 A1 A1");
    assert_eq!((still.loop_mass, still.cyclomatic, still.simple_cycles), (Some(1.0), 1, (1, true)));
    // Every lane is a trace of its own.
    assert_eq!(metrics("T1<A1 A1> B1").transitions, 2);
}

#[test]
fn many_cycles_are_counted_up_to_a_bound() {
    // Everything follows everything among ten.
    let edges = (0..10).flat_map(|a| (0..10).map(move |b| ((a, b), 1))).collect();
    let (count, all) = Graph { nodes: 10, edges }.simple_cycles();
    assert_eq!((count, all), (10_000, false));
}

fn small() -> impl Strategy<Value = Graph> {
    (1usize..7).prop_flat_map(|nodes| {
        let n = nodes as u32;
        prop::collection::btree_map((0..n, 0..n), 1u64..4, 0..14).prop_map(move |edges| Graph { nodes, edges })
    })
}

/// Which nodes lead to which, by the definition.
fn reach(graph: &Graph) -> Vec<Vec<bool>> {
    let n = graph.nodes;
    let mut out = vec![vec![false; n]; n];
    for &(a, b) in graph.edges.keys() {
        out[a as usize][b as usize] = true;
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                out[i][j] |= out[i][k] && out[k][j];
            }
        }
    }
    out
}

/// Simple cycles by trying every path.
fn cycles(graph: &Graph) -> u32 {
    fn walk(graph: &Graph, start: u32, at: u32, seen: &mut Vec<u32>) -> u32 {
        let mut count = 0;
        for &(_, to) in graph.edges.keys().filter(|(a, _)| *a == at) {
            if to == start {
                count += 1;
            } else if to > start && !seen.contains(&to) {
                seen.push(to);
                count += walk(graph, start, to, seen);
                seen.pop();
            }
        }
        count
    }
    (0..graph.nodes as u32).map(|s| walk(graph, s, s, &mut Vec::new())).sum()
}

fn calls() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["A1 ", "B1 ", "B2 ", "C1 ", "[A1 B1] ", "T1<A1 B1> "]), 0..20)
        .prop_map(|c| c.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn components_and_cycles_agree_with_their_definitions(graph in small()) {
        let reach = reach(&graph);
        let component = graph.components();
        for i in 0..graph.nodes {
            for j in 0..graph.nodes {
                let same = i == j || (reach[i][j] && reach[j][i]);
                prop_assert_eq!(component[i] == component[j], same);
                if graph.edges.contains_key(&(i as u32, j as u32)) {
                    prop_assert!(component[i] >= component[j]);
                }
            }
        }
        prop_assert_eq!(graph.simple_cycles(), (cycles(&graph), true));
        prop_assert!(graph.loop_mass().is_none_or(|m| (0.0..=1.0).contains(&m)));
        prop_assert!(graph.entropy().is_none_or(|m| (0.0..=1.0).contains(&m)));
    }

    #[test]
    fn hashes_and_similarity_of_runs(text in calls(), other in calls()) {
        let graph = dfg(&parse(&text).unwrap());
        // Other names, one to one: the anonymous hash stays.
        let renamed = text.replace('A', "Zed").replace('B', "Yes").replace('C', "Any");
        let named = dfg(&parse(&renamed).unwrap());
        prop_assert_eq!(dfg_anon_hash(&graph, true), dfg_anon_hash(&named, true));
        prop_assert_eq!(dfg_hash(&graph, true) == dfg_hash(&named, true), graph == named);
        let second = dfg(&parse(&other).unwrap());
        let alike = similarity(&graph, &second);
        prop_assert!((0.0..=1.0).contains(&alike));
        prop_assert_eq!(alike, similarity(&second, &graph));
        prop_assert_eq!(alike == 1.0, graph == second);
        if graph == second {
            prop_assert_eq!(dfg_anon_hash(&graph, true), dfg_anon_hash(&second, true));
        }
    }
}
