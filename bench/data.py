#!/usr/bin/env python3
"""Bind, statistics and converters on large data: python3 bench/data.py

A uniform and an R-MAT graph (10 M nodes and 100 M edges; --nodes and --edges change that) are generated, their statistics are printed, and a GCN
(bench/models/b1.gnn) is bound to them; text files of --text megabytes are converted. Every row has the median of --repeat runs: the time on the wall, and the
time that processors worked, which other programs on the machine change less. 100 M edges need 6 GB of memory and 2 GB of disk.
"""
import argparse
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import time

import tensors

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(command):
    """Standard output, seconds on the wall, seconds of processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(command, repeat):
    """Medians of wall and processor time, and what the last run said."""
    runs = [run(command) for _ in range(repeat)]
    return statistics.median(r[1] for r in runs), statistics.median(r[2] for r in runs), [r[0] for r in runs]


def row(name, wall, cpu, note=""):
    print(f"  {name:<28} {wall:8.2f} s   {cpu:8.2f} s of processors   {note}".rstrip(), flush=True)


def measure_graph(options, kind):
    """One kind of graph: generate, statistics, bind."""
    out, programs = options.out, options.bin
    graph = f"{out}/data_{kind}.safetensors"
    print(f"{kind}: {options.nodes} nodes, {options.edges} edges, {options.threads} threads")
    threads = f"--threads={options.threads}"
    command = [f"{programs}/gnn-data", "generate", f"--kind={kind}", "--seed=1", f"--nodes={options.nodes}", f"--edges={options.edges}",
               "--features=8", threads, "-o", graph]
    row("generate (once)", *run(command)[1:])
    row("statistics", *measure([f"{programs}/gnn-data", "stats", threads, graph], options.repeat)[:2])
    run([f"{programs}/gnnc", "--target=c", f"{ROOT}/bench/models/b1.gnn", "--graph", graph, "--dim=C=8", "-o", f"{out}/data.c"])
    tensors.write_weights(f"{out}/data.weights.safetensors", f"{out}/data.json")
    weights = ["--graph", graph, "--weights", f"{out}/data.weights.safetensors"]
    run([f"{programs}/gnn-run", f"{out}/data.c", *weights, f"--save-library={out}/data.so"])
    wall, cpu, said = measure([f"{programs}/gnn-run", f"{out}/data.so", *weights, threads], options.repeat)
    binds = [float(re.search(r"^bind: ([0-9.]+) ms", s, re.M).group(1)) / 1e3 for s in said]
    row("bind, and one run", wall, cpu, f"bind alone: median {statistics.median(binds):.2f} s, shortest {min(binds):.2f} s")
    os.remove(graph)


def write_text(path, head, separator, has_weight, first, lines, nodes):
    """A text file whose edges repeat after a while, which no reader notices."""
    rng = random.Random(1)
    block = []
    for _ in range(min(lines, 200000)):
        ends = f"{rng.randrange(nodes) + first}{separator}{rng.randrange(nodes) + first}"
        block.append(f"{ends}{separator}{rng.random():.6f}\n" if has_weight else f"{ends}\n")
    with open(path, "w", encoding="ascii") as f:
        f.write(head)
        for begin in range(0, lines, len(block)):
            f.write("".join(block[:lines - begin]))


def measure_text(options):
    """Every text reader on a file of about that size, by one thread."""
    nodes, bytes_wanted = 1000000, options.text * 1000000
    triples = bytes_wanted // 24
    files = (("txt", "# edges\n", "\t", False, 0, bytes_wanted // 14),
             ("csv", "src,dst,weight\n", ",", True, 0, bytes_wanted // 23),
             ("mtx", f"%%MatrixMarket matrix coordinate real general\n{nodes} {nodes} {bytes_wanted // 23}\n", " ", True, 1, bytes_wanted // 23))
    print(f"converters, 1 thread, about {options.text} MB each")
    for ending, head, separator, has_weight, first, lines in files:
        path = f"{options.out}/data.{ending}"
        write_text(path, head, separator, has_weight, first, lines, nodes)
        convert(options, ending, path)
    path = f"{options.out}/data.nt"
    rng = random.Random(1)
    block = [f"node{rng.randrange(nodes)} r{rng.randrange(50)} node{rng.randrange(nodes)}\n" for _ in range(min(triples, 200000))]
    with open(path, "w", encoding="ascii") as f:
        for begin in range(0, triples, len(block)):
            f.write("".join(block[:triples - begin]))
    convert(options, "nt", path)


def convert(options, ending, path):
    megabytes = os.path.getsize(path) / 1e6
    wall, cpu, _ = measure([f"{options.bin}/gnn-data", "convert", "--threads=1", path, "-o", f"{options.out}/data.safetensors"], options.repeat)
    row(f"convert .{ending}", wall, cpu, f"{megabytes / wall:.0f} MB/s, {megabytes / cpu:.0f} MB per second of a processor")
    os.remove(path)
    os.remove(f"{options.out}/data.safetensors")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs (default build/bench)")
    parser.add_argument("--nodes", type=int, default=10_000_000)
    parser.add_argument("--edges", type=int, default=100_000_000)
    parser.add_argument("--kinds", default="uniform,rmat", help="kinds of graphs, separated by commas; may be empty")
    parser.add_argument("--text", type=int, default=200, help="megabytes of each text file, 0 for none (default 200)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each; the median counts (default 5)")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for kind in [k for k in options.kinds.split(",") if k]:
        measure_graph(options, kind)
    if options.text:
        measure_text(options)


if __name__ == "__main__":
    main()
