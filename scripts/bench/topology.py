"""What scripts/bench/cases/measures.mjs asks: how long networkx takes to hash the shape of a run.

Argument: a JSON file with the tools of a run's calls, in order. For each line on standard input the graph is made anew (one
node a call, labelled by its tool, one edge to the next) and hashed; a line of JSON says how many milliseconds both took.
`turned` is the hash of the run backwards, made once: it has to differ.
"""

import json
import sys
import time
import warnings

import networkx


def graph_of(tools):
    graph = networkx.DiGraph()
    graph.add_nodes_from((index, {"tool": tool}) for index, tool in enumerate(tools))
    graph.add_edges_from((index, index + 1) for index in range(len(tools) - 1))
    return graph


def hash_of(graph):
    return networkx.weisfeiler_lehman_graph_hash(graph, node_attr="tool", iterations=3)


def main():
    # That hashes of directed graphs differ from those of older versions concerns nobody here.
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as file:
        tools = json.load(file)
    turned = hash_of(graph_of(tools[::-1]))
    for _ in sys.stdin:
        began = time.perf_counter()
        graph = graph_of(tools)
        found = hash_of(graph)
        took = (time.perf_counter() - began) * 1000
        print(json.dumps({"nodes": len(graph), "milliseconds": took, "hash": found, "turned": turned}), flush=True)


main()
