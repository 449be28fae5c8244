#!/usr/bin/env python3
"""Compile time of gnnc and inference time of the C it writes; anyone can run it: python3 bench/bench.py

Writes compile.csv, inference.csv and inference.svg into --out (default build/bench) and prints both tables.
Compile time is the whole process (fork to exit), median of 20 runs; inference is the median of the runs that gnn-run times
after a warm-up. Absolute numbers hold for the machine they were taken on; compare figures of one run only.
compile_scaling.py shows how compile time grows with the depth of a model.
"""
import argparse
import csv
import os
import random
import re
import statistics
import subprocess
import sys
import time

import models
import plot

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# name, nodes, directed edges, features, share of stored feature entries, classes
GRAPHS = [
    ("cora", 2708, 10556, 1433, 0.0127, 7),
    ("pubmed", 19717, 88648, 500, 0.1002, 3),
    ("flickr", 89250, 899756, 500, 1.0, 7),
    ("power-law-1m", 200000, 1000000, 64, 1.0, 16),
]


def run(command, output=None):
    """Runs a command to its end; returns wall seconds and what it said on standard error. A failure ends the benchmark."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=output or subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    process.wait()
    seconds = time.perf_counter() - start
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{error}")
    return seconds, error


def make_inputs(bin_dir, out, quick):
    """Synthetic graphs of the named sizes and random weights for every model on them."""
    made = []
    for name, nodes, edges, features, density, classes in GRAPHS[:1] if quick else GRAPHS:
        graph = f"{out}/{name}.safetensors"
        if not os.path.exists(graph):
            run([f"{bin_dir}/gnn-data", "generate", "--kind=power-law", f"--nodes={nodes}", f"--edges={edges}", f"--features={features}",
                 f"--density={density}", f"--classes={classes}", "--seed=1", "-o", graph])
        weights = {}
        for model in models.MODELS:
            weights[model] = f"{out}/{name}_{model}.safetensors"
            if not os.path.exists(weights[model]):
                models.write_weights(weights[model], model, features, classes, random.Random(1))
        made.append((name, graph, weights))
    return made


def bench_compile(bin_dir, out, inputs, runs):
    """Whole-process compile time and peak memory of gnnc, one row per model, on the first graph."""
    rows = []
    name, graph, weights = inputs[0]
    for model in models.MODELS:
        command = [f"{bin_dir}/gnnc", "--target=c", f"{ROOT}/examples/{model}.gnn", "--graph", graph, "--weights", weights[model],
                   "-o", f"{out}/{model}.c"]
        said = run(command + ["--timing"])[1]
        times = [run(command)[0] * 1e3 for _ in range(runs)]
        rows.append({"model": model, "graph": name, "runs": runs, "median_ms": round(statistics.median(times), 3),
                     "min_ms": round(min(times), 3), "max_ms": round(max(times), 3),
                     "peak_mb": round(float(re.search(r"([0-9.]+) MB  peak memory", said).group(1)), 1)})
    return rows


def bench_inference(bin_dir, out, inputs, repeat):
    """Median run time of the generated C per graph, model and number of threads."""
    rows = []
    for name, graph, weights in inputs:
        for model in models.MODELS:
            source = f"{out}/{name}_{model}.c"
            run([f"{bin_dir}/gnnc", "--target=c", f"{ROOT}/examples/{model}.gnn", "--graph", graph, "--weights", weights[model], "-o", source])
            for threads in (1, 2):
                with open(f"{out}/stats.txt", "w+", encoding="utf-8") as stats:
                    run([f"{bin_dir}/gnn-run", source, "--graph", graph, "--weights", weights[model], f"--threads={threads}",
                         f"--repeat={repeat}", "--stats", "-o", f"{out}/out.safetensors"], stats)
                    stats.seek(0)
                    said = stats.read()
                bind, median = (float(re.search(rf"^{what}: ([0-9.]+) ms", said, re.M).group(1)) for what in ("bind", "run"))
                bound, work = (int(re.search(rf"^{what}: ([0-9]+) bytes", said, re.M).group(1)) for what in ("bound block", "workspace"))
                rows.append({"graph": name, "model": model, "threads": threads, "run_ms": median, "bind_ms": bind,
                             "bound_mb": round(bound / 1e6, 3), "workspace_mb": round(work / 1e6, 3)})
                print(f"{name:14} {model:5} {threads} thread{'s' if threads > 1 else ' '} {rows[-1]['run_ms']:10.3f} ms", flush=True)
    return rows


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs and results (default build/bench)")
    parser.add_argument("--repeat", type=int, default=9, help="timed runs per cell (default 9)")
    parser.add_argument("--quick", action="store_true", help="the Cora-sized graph only")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    inputs = make_inputs(options.bin, options.out, options.quick)
    compiled = bench_compile(options.bin, options.out, inputs, 20)
    write_csv(f"{options.out}/compile.csv", compiled)
    for r in compiled:
        print(f"gnnc {r['model']:5} {r['median_ms']:7.2f} ms median of {r['runs']} ({r['min_ms']:.2f} to {r['max_ms']:.2f}), peak {r['peak_mb']} MB")
    rows = bench_inference(options.bin, options.out, inputs, options.repeat)
    write_csv(f"{options.out}/inference.csv", rows)
    with open(f"{options.out}/inference.svg", "w", encoding="utf-8") as f:
        f.write(plot.bars(rows))


if __name__ == "__main__":
    main()
