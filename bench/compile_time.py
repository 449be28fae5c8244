#!/usr/bin/env python3
"""Compile time and peak memory of whole gnnc processes, fork to exit: python3 bench/compile_time.py

Compiles bench/models/b1.gnn .. b8.gnn for a Cora-sized graph and prints median, least and most of --runs processes. `no graph` leaves the graph file out; the
difference is the cost of reading and counting it. compile_scaling.py shows how the time grows with the depth of a model.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(command):
    """Seconds of a process and what it said on standard error."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stderr}")
    return seconds, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs (default build/bench)")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    graph = f"{options.out}/cora.safetensors"
    if not os.path.exists(graph):
        run([f"{options.bin}/gnn-data", "generate", "--kind=power-law", "--seed=1", "--nodes=2708", "--edges=10556", "--features=1433",
             "--density=0.0127", "--classes=7", "-o", graph])
    for number in range(1, 9):
        base = [f"{options.bin}/gnnc", "--target=c", f"{ROOT}/bench/models/b{number}.gnn", "--dim=C=7", "-o", f"{options.out}/compiled.c"]
        said = f"b{number}"
        for name, command in (("with graph", base + ["--graph", graph]), ("no graph", base + ["--dim=F=1433"])):
            times = [run(command)[0] * 1e3 for _ in range(options.runs)]
            peak = re.search(r"([0-9.]+) MB  peak memory", run(command + ["--timing"])[1]).group(1)
            said += f"   {name} {statistics.median(times):6.2f} ms ({min(times):.2f} to {max(times):.2f}), peak {peak} MB"
        print(said, flush=True)


if __name__ == "__main__":
    main()
