#!/usr/bin/env python3
"""What another order of the nodes would gain: python3 bench/reorder.py --graphs=ego_twitter

Copies real graphs (--shared) with their nodes in other orders: by communities (label propagation, at most 2,048 nodes each), by METIS (64 parts; where gpmetis
is installed), and at random. Then two GCN layers of 64 and of 128 columns run on each copy, in alternating processes with one thread. Prints the median
times, and the median of the ratios to the graph's own order. Inputs and outputs stay in the copy's order, so that a gain here is the most that reordering at bind can give.
"""
import argparse
import array
import os
import random
import re
import shutil
import statistics
import subprocess

import tensors
from inputs import ROOT, run

GRAPHS = ["web_notredame", "soc_epinions1", "ego_twitter"]
MODEL = """model gcn {{
  graph g;
  input x : node f32[{w}];
  let h = relu(gcn_conv(g, x, {w}) from "conv1");
  output y = gcn_conv(g, h, {w}) from "conv2";
}}
"""
ROUNDS, LARGEST, PARTS = 5, 2048, 64


def neighbours(path, nodes):
    """The neighbours of each node over edges in either direction, without itself."""
    ends = tensors.read_integers(path, "edge_index")
    edges, found = len(ends) // 2, [set() for _ in range(nodes)]
    for a, b in zip(ends[:edges], ends[edges:]):
        if a != b:
            found[a].add(b)
            found[b].add(a)
    return found


def by_communities(near):
    """Label propagation in the order of the nodes; communities in the order of their first nodes."""
    label, size = list(range(len(near))), [1] * len(near)
    for _ in range(ROUNDS):
        for node, others in enumerate(near):
            times = {}
            for other in others:
                times[label[other]] = times.get(label[other], 0) + 1
            best = max(sorted(times), key=lambda m: times[m] if m == label[node] or size[m] < LARGEST else -1, default=label[node])
            if times.get(best, 0) > times.get(label[node], 0) and size[best] < LARGEST:
                size[label[node]] -= 1
                size[best] += 1
                label[node] = best
    first = {}
    for node, community in enumerate(label):
        first.setdefault(community, node)
    return sorted(range(len(near)), key=lambda node: (first[label[node]], node))


def by_metis(near, path):
    """The parts of gpmetis one after the other."""
    with open(path, "w", encoding="ascii") as f:
        f.write(f"{len(near)} {sum(map(len, near)) // 2}\n")
        f.writelines(" ".join(str(other + 1) for other in sorted(others)) + "\n" for others in near)
    subprocess.run(["gpmetis", "-seed=1", path, str(PARTS)], check=True, capture_output=True)
    with open(f"{path}.part.{PARTS}", encoding="ascii") as f:
        part = [int(line) for line in f]
    return sorted(range(len(near)), key=lambda node: (part[node], node))


def orders(near, out):
    """{name: nodes in that order}"""
    scrambled = list(range(len(near)))
    random.Random(1).shuffle(scrambled)
    found = {"own": list(range(len(near))), "communities": by_communities(near), "random": scrambled}
    if shutil.which("gpmetis"):
        found["metis"] = by_metis(near, f"{out}/reorder.metis")
    return found


def renumber(source, target, order):
    """A copy of a graph whose node order[i] is node i; edges stay in their order."""
    header, _ = tensors.read_header(source)
    place = array.array("i", bytes(4 * len(order)))
    for number, node in enumerate(order):
        place[node] = number
    ends = array.array("i", (place[node] for node in tensors.read_integers(source, "edge_index")))
    tensors.write(target, [("edge_index", "I32", [2, len(ends) // 2], ends.tobytes())], header["__metadata__"])


def measure(options, name, width):
    """Prints one line: the times of a graph and a width in every order."""
    source, out = f"{options.shared}/data/graphs/{name}.safetensors", options.out
    nodes = int(tensors.read_header(source)[0]["__metadata__"]["num_nodes"])
    stem, files = f"{out}/reorder", {}
    for order, numbers in orders(neighbours(source, nodes), out).items():
        renumber(source, f"{stem}.edges.safetensors", numbers)
        files[order] = f"{stem}.{order}.safetensors"
        tensors.add_features(f"{stem}.edges.safetensors", files[order], nodes, width)
    with open(f"{stem}.gnn", "w", encoding="ascii") as f:
        f.write(MODEL.format(w=width))
    run([f"{options.bin}/gnnc", "--target=c", "-O3", f"{stem}.gnn", "--graph", files["own"], "-o", f"{stem}.c"])
    tensors.write_weights(f"{stem}.w.safetensors", f"{stem}.json")
    weights = ["--weights", f"{stem}.w.safetensors"]
    run([f"{options.bin}/gnn-run", f"{stem}.c", "--graph", files["own"], *weights, f"--save-library={stem}.so"])
    times = {order: [] for order in files}
    for _ in range(options.pairs):
        for order, path in files.items():
            said = run([f"{options.bin}/gnn-run", f"{stem}.so", "--graph", path, *weights, "--repeat=7"])
            times[order].append(float(re.search(r"run: ([0-9.]+) ms", said).group(1)))
    ratio = {order: statistics.median(own / ms for own, ms in zip(times["own"], found)) for order, found in times.items()}
    print(f"{name:14} {width:4} " + ", ".join(f"{order} {statistics.median(times[order]):.1f} ms ({ratio[order]:.2f}x)" for order in times), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for copies (default build/bench)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with the graphs")
    parser.add_argument("--graphs", default=GRAPHS, type=lambda t: t.split(","), help=f"some of {','.join(GRAPHS)}")
    parser.add_argument("--pairs", type=int, default=5, help="processes per order (default 5)")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for name in options.graphs:
        for width in (64, 128):
            measure(options, name, width)


if __name__ == "__main__":
    main()
