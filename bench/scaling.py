#!/usr/bin/env python3
"""Time per edge as the graph grows, in two regimes: python3 bench/scaling.py

A GCN (bench/models/b1.gnn, 16 features, 8 classes) on power-law graphs with ten edges per node: first inside the last-level cache, then from 1e7 to 1e8
edges, where time per edge should stay within a factor of 2. Memory is what gnn-run --stats reports: inputs, bound block, workspace, and the peak of the process.
The largest graph needs 6 GB of memory and 3 GB of disk; --most bounds it.
"""
import argparse
import os
import re
import subprocess
import sys

import tensors

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHED = [10_000, 30_000, 100_000, 300_000]
LARGE = [10_000_000, 30_000_000, 100_000_000]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def measure(options, edges):
    """Milliseconds of one run and what --stats says."""
    out = options.out
    graph = f"{out}/scaling.safetensors"
    run([f"{options.bin}/gnn-data", "generate", "--kind=power-law", "--seed=1", f"--nodes={edges // 10}", f"--edges={edges}", "--features=16", "-o", graph])
    run([f"{options.bin}/gnnc", "--target=c", f"{ROOT}/bench/models/b1.gnn", "--graph", graph, "--dim=C=8", "-o", f"{out}/scaling.c"])
    tensors.write_weights(f"{out}/scaling.weights.safetensors", f"{out}/scaling.json")
    said = run([f"{options.bin}/gnn-run", f"{out}/scaling.c", "--graph", graph, "--weights", f"{out}/scaling.weights.safetensors",
                f"--threads={options.threads}", f"--repeat={options.repeat}", "--stats"])
    os.remove(graph)
    return float(re.search(r"^run: ([0-9.]+) ms", said, re.M).group(1)), said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs (default build/bench)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5, help="timed runs; the median counts (default 5)")
    parser.add_argument("--most", type=int, default=LARGE[-1], help="edges of the largest graph (default 1e8)")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for title, sizes in (("in the cache", CACHED), ("in memory", LARGE)):
        print(title)
        per_edge = []
        for edges in [e for e in sizes if e <= options.most]:
            ms, said = measure(options, edges)
            per_edge.append(ms * 1e6 / edges)
            sizes_said = "; ".join(re.findall(r"^(?:bound block|workspace|peak memory|inputs):.*", said, re.M))
            print(f"  {edges:>11} edges {ms:10.3f} ms  {per_edge[-1]:7.3f} ns per edge  {sizes_said}", flush=True)
        if len(per_edge) > 1:
            print(f"  most / least per edge: {max(per_edge) / min(per_edge):.2f}")


if __name__ == "__main__":
    main()
