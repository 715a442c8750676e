//! Topology: the invariants of metrics, section 2.2, as properties over generated runs, and a table in the one-line
//! notation.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use skillscope::model::notation::parse;
use skillscope::model::{Content, Run, Time};
use skillscope::topology::{Symbol, Variant, dfg, dfg_hash, shape, variants};

/// What the shape of a run is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Call { tool: u8, arg: u8, failed: bool },
    Batch(Vec<Node>),
    Agent { tool: u8, steps: Vec<Node> },
}

fn call() -> impl Strategy<Value = Node> {
    (0u8..4, 0u8..9, prop::bool::weighted(0.2)).prop_map(|(tool, arg, failed)| Node::Call { tool, arg, failed })
}

fn node() -> impl Strategy<Value = Node> {
    call().prop_recursive(3, 24, 5, |inner| {
        let agent =
            (0u8..4, prop::collection::vec(inner.clone(), 0..4)).prop_map(|(tool, steps)| Node::Agent { tool, steps });
        let member = prop_oneof![3 => call(), 1 => agent.clone()];
        prop_oneof![
            4 => call(),
            1 => prop::collection::vec(member, 2..5).prop_map(Node::Batch),
            1 => agent,
        ]
    })
}

fn nodes() -> impl Strategy<Value = Vec<Node>> {
    prop::collection::vec(node(), 0..12)
}

const NAMES: [&str; 4] = ["Read", "Edit", "Bash", "Task"];
const OTHER: [&str; 4] = ["Zeta", "Alpha", "Mid", "Beta"];

fn write(nodes: &[Node], names: &[&str], out: &mut String) {
    for node in nodes {
        match node {
            Node::Call { tool, arg, failed } => {
                out.push_str(&format!("{}{arg}{} ", names[*tool as usize], if *failed { "!" } else { "" }));
            }
            Node::Batch(members) => {
                // A sub-agent's own batches may not be inside a bracket; its calls stand alone there.
                out.push_str("[ ");
                write(&flat(members), names, out);
                out.push_str("] ");
            }
            Node::Agent { tool, steps } => {
                out.push_str(&format!("{}< ", names[*tool as usize]));
                write(steps, names, out);
                out.push_str("> ");
            }
        }
    }
}

/// The nodes without batches, whose members stand one behind another.
fn flat(nodes: &[Node]) -> Vec<Node> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            Node::Batch(members) => out.extend(flat(members)),
            Node::Agent { tool, steps } => out.push(Node::Agent { tool: *tool, steps: flat(steps) }),
            call => out.push(call.clone()),
        }
    }
    out
}

fn run_of(nodes: &[Node]) -> Run {
    run_named(nodes, &NAMES)
}

fn run_named(nodes: &[Node], names: &[&str]) -> Run {
    let mut text = String::new();
    write(nodes, names, &mut text);
    parse(&text).unwrap()
}

fn text(run: &Run, symbol: Symbol, fold: bool) -> String {
    shape(run, Variant { symbol, fold }).canonical
}

/// The run with its batches sorted and what does not count taken out: two runs of one named shape have equal ones.
fn normal(nodes: &[Node]) -> Vec<Node> {
    nodes
        .iter()
        .map(|node| match node {
            Node::Call { tool, .. } => Node::Call { tool: *tool, arg: 0, failed: false },
            Node::Agent { tool, steps } => Node::Agent { tool: *tool, steps: normal(steps) },
            Node::Batch(members) => {
                let mut members = normal(&flat(members));
                members.sort();
                if members.len() == 1 { members.swap_remove(0) } else { Node::Batch(members) }
            }
        })
        .collect()
}

/// Turns the members of every batch.
fn turned(nodes: &[Node], by: usize) -> Vec<Node> {
    nodes
        .iter()
        .map(|node| match node {
            Node::Batch(members) => {
                let mut members = flat(members);
                members = turned(&members, by);
                let n = members.len().max(1);
                members.rotate_left(by % n);
                if by % 2 == 1 {
                    members.reverse();
                }
                Node::Batch(members)
            }
            Node::Agent { tool, steps } => Node::Agent { tool: *tool, steps: turned(steps, by) },
            call => call.clone(),
        })
        .collect()
}

fn renamed(nodes: &[Node], to: &[u8; 4]) -> Vec<Node> {
    nodes
        .iter()
        .map(|node| match node {
            Node::Call { tool, arg, failed } => Node::Call { tool: to[*tool as usize], arg: *arg, failed: *failed },
            Node::Batch(members) => Node::Batch(renamed(members, to)),
            Node::Agent { tool, steps } => Node::Agent { tool: to[*tool as usize], steps: renamed(steps, to) },
        })
        .collect()
}

fn permutations() -> Vec<[u8; 4]> {
    let mut out = Vec::new();
    for a in 0..4u8 {
        for b in 0..4 {
            for c in 0..4 {
                for d in 0..4 {
                    let p = [a, b, c, d];
                    let mut sorted = p;
                    sorted.sort();
                    if sorted == [0, 1, 2, 3] {
                        out.push(p);
                    }
                }
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_no_shape_does_not_count(nodes in nodes()) {
        let run = run_of(&nodes);
        let mut other = run.clone();
        for (i, step) in other.steps.iter_mut().enumerate() {
            step.at = Some(Time { ms: (i as i64 * 7919) % 1000, local: true });
            step.content = Content::text("other words");
            if let Some(call) = step.call.as_deref_mut() {
                call.id = Some(format!("id {}", i * 31).into());
                call.args.raw = format!("{{\"other\":{i}}}").into();
                call.duration_ms = None;
                if let Some(o) = &mut call.observation {
                    o.content = Content::text("something else");
                }
            }
        }
        for turn in &mut other.turns {
            turn.usage.input = Some(17);
        }
        other.title = "another".into();
        prop_assert_eq!(variants(&run), variants(&other));
    }

    #[test]
    fn the_order_inside_a_batch_does_not_count(nodes in nodes(), by in 0usize..6) {
        let (a, b) = (run_of(&nodes), run_of(&turned(&nodes, by)));
        for variant in Variant::ALL {
            let (a, b) = (shape(&a, variant), shape(&b, variant));
            prop_assert!(a.hash.exact && b.hash.exact);
            prop_assert_eq!(a, b);
        }
        prop_assert_eq!(dfg_hash(&dfg(&a), true), dfg_hash(&dfg(&b), true));
    }

    #[test]
    fn other_tool_names_count_when_named_only(nodes in nodes(), by in 0usize..6) {
        let (a, b) = (run_of(&nodes), run_named(&turned(&nodes, by), &OTHER));
        for fold in [true, false] {
            prop_assert_eq!(text(&a, Symbol::Shape, fold), text(&b, Symbol::Shape, fold));
            prop_assert_eq!(text(&a, Symbol::Anon, fold), text(&b, Symbol::Anon, fold));
            prop_assert_eq!(text(&a, Symbol::Named, fold) == text(&b, Symbol::Named, fold), a.calls() == 0);
        }
    }

    #[test]
    fn one_call_more_counts(nodes in nodes(), at in 0usize..12, tool in 0u8..4) {
        let mut more = nodes.clone();
        more.insert(at.min(nodes.len()), Node::Call { tool, arg: 0, failed: false });
        for symbol in [Symbol::Shape, Symbol::Anon, Symbol::Named, Symbol::Status] {
            prop_assert_ne!(text(&run_of(&nodes), symbol, false), text(&run_of(&more), symbol, false));
        }
    }

    #[test]
    fn equal_text_is_equal_shape(a in prop::collection::vec(node(), 0..4), b in prop::collection::vec(node(), 0..4)) {
        prop_assert_eq!(text(&run_of(&a), Symbol::Named, false) == text(&run_of(&b), Symbol::Named, false), normal(&a) == normal(&b));
    }

    #[test]
    fn anonymous_equality_is_equality_under_some_renaming(a in prop::collection::vec(node(), 0..4), b in prop::collection::vec(node(), 0..4)) {
        let named = normal(&b);
        let some = permutations().iter().any(|p| normal(&renamed(&a, p)) == named);
        prop_assert_eq!(text(&run_of(&a), Symbol::Anon, false) == text(&run_of(&b), Symbol::Anon, false), some);
    }

    #[test]
    fn how_often_a_period_repeats_counts_without_fold_only(
        before in prop::collection::vec(0u8..2, 0..6),
        period in Just(vec![2u8, 3, 2]).prop_shuffle(),
        after in prop::collection::vec(0u8..2, 0..6),
        times in 2usize..8,
        more in 1usize..5,
    ) {
        let run = |times: usize| {
            let tools = before.iter().chain(period.repeat(times).iter()).chain(&after).copied().collect::<Vec<_>>();
            run_of(&tools.into_iter().map(|tool| Node::Call { tool, arg: 0, failed: false }).collect::<Vec<_>>())
        };
        let (a, b) = (run(times), run(times + more));
        for symbol in [Symbol::Shape, Symbol::Anon, Symbol::Named, Symbol::Status] {
            prop_assert_ne!(text(&a, symbol, false), text(&b, symbol, false));
            prop_assert_eq!(text(&a, symbol, true), text(&b, symbol, true));
        }
    }

    #[test]
    fn the_direction_of_a_path_counts(tools in prop::collection::vec(0u8..4, 2..12)) {
        let run = |tools: &mut dyn Iterator<Item = &u8>| {
            run_of(&tools.map(|&tool| Node::Call { tool, arg: 0, failed: false }).collect::<Vec<_>>())
        };
        let (there, back) = (run(&mut tools.iter()), run(&mut tools.iter().rev()));
        let palindrome = tools.iter().eq(tools.iter().rev());
        prop_assert_eq!(text(&there, Symbol::Named, false) == text(&back, Symbol::Named, false), palindrome);
    }

    #[test]
    fn a_call_in_a_sub_agent_is_not_one_behind_it(nodes in nodes(), at in 0usize..12) {
        let at = at.min(nodes.len());
        let with = |inner: Vec<Node>, behind: Vec<Node>| {
            let mut all = nodes[..at].to_vec();
            all.push(Node::Agent { tool: 3, steps: inner });
            all.extend(behind);
            all.extend(nodes[at..].to_vec());
            run_of(&all)
        };
        let moved = Node::Call { tool: 0, arg: 0, failed: false };
        let (inside, behind) = (with(vec![moved.clone()], vec![]), with(vec![], vec![moved]));
        for variant in Variant::ALL {
            prop_assert_ne!(shape(&inside, variant).hash, shape(&behind, variant).hash);
        }
    }
}

#[track_caller]
fn same(a: &str, b: &str, variant: Variant) {
    assert_eq!(shape(&parse(a).unwrap(), variant), shape(&parse(b).unwrap(), variant), "{a} | {b}");
}

#[track_caller]
fn differs(a: &str, b: &str, variant: Variant) {
    assert_ne!(shape(&parse(a).unwrap(), variant).hash, shape(&parse(b).unwrap(), variant).hash, "{a} | {b}");
}

#[test]
fn shapes() {
    let named = Variant { symbol: Symbol::Named, fold: false };
    let folded = Variant::DEFAULT;
    let anon = Variant { symbol: Symbol::Anon, fold: false };
    let status = Variant { symbol: Symbol::Status, fold: false };
    let rhythm = Variant { symbol: Symbol::Shape, fold: false };
    same("u A1 [B1 C1] D1", "u A9 [C7 B7] D3 \"thought\" s", named);
    differs("u A1 B1", "u B1 A1", named);
    same("u A1 B1", "u B1 A1", anon);
    differs("A B A", "A B B", anon);
    same("A B A", "A B B", rhythm);
    differs("[A B] A", "[A B] C", anon);
    same("[A B] A", "[A B] B", anon);
    differs("A B", "[A B]", named);
    differs("A!", "A", status);
    same("A!", "A", named);
    same("A A A B", "A A A A A A B", folded);
    differs("A B", "A A B", folded);
    // Loops of loops.
    same("A A B A A A B C", "A A A B A A B A A B C", folded);
    differs("T<A> B", "T<A B>", named);
    // Two sub-agents at once: which stands first does not count.
    same("[T<A B> T<C>] A", "[T<C> T<A B>] A", anon);
    same("[T<X Y> T<Z>] Z", "[T<C> T<A B>] C", anon);
    differs("[T<X Y> T<Z>] Z", "[T<C> T<A B>] A", anon);
}

#[test]
fn ties_beyond_the_budget_say_so() {
    // Sixteen names in eight like pairs: nothing tells them apart, and there are too many orders to try.
    let tools: Vec<String> = ('A'..='P').map(|c| c.to_string()).collect();
    let pairs: String = tools.chunks(2).map(|p| format!("T<{} {}> ", p[0], p[1])).collect();
    let anon = |text: &str| shape(&parse(text).unwrap(), Variant { symbol: Symbol::Anon, fold: false });
    assert!(!anon(&format!("[{pairs}]")).hash.exact);
    // Three pairs: 6 · 6 orders, all tried.
    assert!(anon("[T<A B> T<C D> T<E F>]").hash.exact);
    assert_eq!(anon("[T<A B> T<C D> T<E F>]"), anon("[T<F A> T<B E> T<D C>]"));
}

#[test]
fn deep_nesting_and_circles_end() {
    let deep = format!("{}A{}", "T<".repeat(300), ">".repeat(300));
    let run = parse(&deep).unwrap();
    assert!(variants(&run).iter().all(|(_, h)| !h.exact));
    // Lanes that start each other.
    let mut run = parse("A T<B> C").unwrap();
    for step in &mut run.steps {
        if step.lane == 0 {
            step.lane = 2;
        }
    }
    run.lanes.push(Default::default());
    if let Some(call) = run.steps[2].call.as_deref_mut() {
        call.spawn = Some(Box::new(skillscope::model::Spawn { lane: Some(2), ..Default::default() }));
    }
    let hashes: std::collections::BTreeSet<_> = variants(&run).into_iter().map(|(_, h)| h.text).collect();
    assert_eq!(hashes.len(), 8);
    assert!(text(&run, Symbol::Named, false).contains("call:C"));
}

#[test]
fn vectors_pm4py_directly_follows_graphs_agree() {
    use skillscope::topology::{Dfg, Node};
    use std::collections::BTreeMap;
    let folder = std::env::var_os("SKILLSCOPE_VECTORS")
        .map(std::path::PathBuf::from)
        .unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors"));
    let Ok(text) = std::fs::read_to_string(folder.join("pm4py_dfg.jsonl")) else {
        eprintln!("NOT RUN: the vectors are not at {} (set SKILLSCOPE_VECTORS)", folder.display());
        return;
    };
    let mut compared = 0;
    for line in text.lines().filter(|l| !l.is_empty()) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut graph = Dfg::default();
        for trace in line["traces"].as_array().unwrap() {
            let groups: Vec<_> = trace
                .as_array()
                .unwrap()
                .iter()
                .map(|a| std::collections::BTreeSet::from([a.as_str().unwrap().to_owned()]))
                .collect();
            graph.add(&groups);
        }
        let tool = |v: &serde_json::Value| Node::Tool(v.as_str().unwrap().to_owned());
        let mut expected: BTreeMap<(Node, Node), u64> = BTreeMap::new();
        for edge in line["dfg"].as_array().unwrap() {
            expected.insert((tool(&edge[0]), tool(&edge[1])), edge[2].as_u64().unwrap());
        }
        for (name, count) in line["start"].as_object().unwrap() {
            expected.insert((Node::Start, Node::Tool(name.clone())), count.as_u64().unwrap());
        }
        for (name, count) in line["end"].as_object().unwrap() {
            expected.insert((Node::Tool(name.clone()), Node::End), count.as_u64().unwrap());
        }
        assert_eq!(graph.edges, expected);
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}
