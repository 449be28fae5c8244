#!/usr/bin/env python3
"""Inference time of the generated C beside the limits of the host and other systems: python3 bench/bench.py

For b1 .. b8 (bench/models, GraphAGILE's Table V) on graphs of published sizes and RGCN, RGAT, HGT 64 -> 64 on typed graphs it prints our time, the
arithmetic and the bandwidth bound (bench/cells.py counts them; bench/probe.c measures the host in the same run), the share of the larger bound
that is reached, the same with gathered rows that miss the cache at the rate of the gather probe, and the factor over the best of PyTorch Geometric and DGL (bench/peers.csv, measured on a host with 547 GFLOP/s and 45.9
GB/s; compared as time / bound on each side). Writes inference.csv into --out. Real typed graphs are read from --shared (or $GNNC_SHARED); without them they are skipped.
"""
import argparse
import csv
import json
import math
import os
import re

import cells
import machine
import peers
import tensors
from inputs import HOMOGENEOUS, RELATIONAL, ROOT, Inputs, parser_of, run

PEER_MACHINE = {"gflops": 547.0, "gbytes": 45.9}


class Bench:
    """Programs, folders and the cells measured so far."""

    def __init__(self, options):
        self.options, self.rows = options, []
        self.inputs = Inputs(options)
        self.tool = self.inputs.tool
        self.cache = machine.cache_bytes()
        self.probe = machine.compile_probe(options.out)
        self.limits = machine.limits(self.probe, options.threads)
        self.known = peers.quoted()

    def unique(self, graph):
        """Types and pairs of a typed graph as gnn-data counts them: (types, unique sources, unique targets)."""
        counted = json.loads(run([self.tool("gnn-data"), "stats", "--json", graph]))["edge_types_in_use"]
        return counted["types"], counted["unique_src"], counted["unique_dst"]

    def time(self, model, graph, dims):
        """Compiles and runs one cell: median milliseconds and the bytes it needs."""
        out = f"{self.options.out}/cell"
        run([self.tool("gnnc"), "--target=c", f"{ROOT}/bench/models/{model}.gnn", "--graph", graph, *dims, *self.options.flag, "-o", f"{out}.c"])
        tensors.write_weights(f"{out}.weights.safetensors", f"{out}.json")
        said = run([self.tool("gnn-run"), f"{out}.c", "--graph", graph, "--weights", f"{out}.weights.safetensors", f"--threads={self.options.threads}",
                    f"--repeat={self.options.repeat}", "--stats"])

        def number(pattern):
            return float(re.search(pattern, said, re.M).group(1))
        return number(r"^run: ([0-9.]+) ms"), number(r"^bind: ([0-9.]+) ms"), number(r"^bound block: ([0-9]+)"), number(r"^workspace: ([0-9]+)")

    def cell(self, graph_name, model, graph, work, dims):
        """Measures one cell and prints its line; the machine's limits are those of the nearest probe run."""
        ms, bind_ms, bound_bytes, work_bytes = self.time(model, graph, dims)
        arithmetic, bandwidth = cells.bound_ms(work, self.limits["gflops"], self.limits["gbytes"])
        bound, gather = max(arithmetic, bandwidth), cells.gather_bound_ms(work, self.limits)
        quoted = self.known.get((graph_name, model))
        factor = quoted / max(cells.bound_ms(work, **PEER_MACHINE)) * bound / ms if quoted else None
        row = {"graph": graph_name, "model": model, "threads": self.options.threads, "ms": round(ms, 4), "bind_ms": round(bind_ms, 3),
               "arithmetic_ms": round(arithmetic, 4), "bandwidth_ms": round(bandwidth, 4), "gather_ms": round(gather, 4),
               "percent_of_bound": round(100 * bound / ms, 1), "percent_with_gather": round(100 * max(arithmetic, gather) / ms, 1),
               "peer_ms": quoted, "faster_than_peer": round(factor, 2) if factor else None,
               "bound_block_mb": round(bound_bytes / 1e6, 3), "workspace_mb": round(work_bytes / 1e6, 3)}
        if self.options.live:
            row.update(peers.live(self, graph_name, model, graph))
        self.rows.append(row)
        said = f"{factor:7.2f}x" if factor else "       -"
        extra = "".join(f"  {k} {row[k]:.2f} ms ({row[k] / ms:.1f}x)" for k in peers.LIVE if row.get(k))
        print(f"{graph_name:12} {model:5} {ms:10.3f} ms  bounds {arithmetic:9.3f} {bandwidth:9.3f} {gather:9.3f}  {row['percent_of_bound']:6.1f} % "
              f"{row['percent_with_gather']:6.1f} %  {said}{extra}", flush=True)

    def homogeneous(self, name):
        graph = self.inputs.graph(name)
        classes = cells.GRAPHS[name][4]
        self.limits = machine.limits(self.probe, self.options.threads)
        references = {loops: tensors.source_references(graph, loops) for loops in (False, True)} if name in cells.LARGE else {}
        for model in [m for m in self.options.models if m in HOMOGENEOUS]:
            work = cells.homogeneous(model, name, self.cache, references.get(cells.has_loops(model)))
            self.cell(name, model, graph, work, [f"--dim=C={classes}"])

    def relational(self, name):
        graph = self.inputs.typed_graph(name)
        if graph is None:
            print(f"{name}: skipped, no shared data")
            return
        nodes, edges = cells.TYPED_GRAPHS[name][:2]
        types, sources, targets = self.unique(graph)
        self.limits = machine.limits(self.probe, self.options.threads)
        pairs = tensors.source_references(graph)
        for model in [m for m in self.options.models if m in RELATIONAL]:
            self.cell(name, model, graph, cells.relational(model, nodes, edges, types, sources, targets, self.cache, pairs), [])

    def summary(self):
        """Geometric mean, the slowest cell, and large cells that reach neither share of a bound."""
        factors = [r["faster_than_peer"] for r in self.rows if r["faster_than_peer"]]
        if factors:
            mean = math.exp(sum(map(math.log, factors)) / len(factors))
            print(f"{len(factors)} cells with a quoted peer: geometric mean {mean:.2f}x, least {min(factors):.2f}x, {sum(f < 1.5 for f in factors)} below 1.5x")
        large = [r for r in self.rows if r["graph"] in cells.LARGE]
        low = [f"{r['graph']}/{r['model']} {r['percent_of_bound']} % {r['percent_with_gather']} %" for r in large
               if r["percent_of_bound"] < 70 and r["percent_with_gather"] < 85]
        if large:
            print(f"{len(large)} large cells: {len(large) - len(low)} reach 70 % of their bound, or 85 % of that with the gather probe"
                  + (f"; others: {', '.join(low)}" if low else ""))


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=9, help="timed runs per cell after a warm-up; the median counts (default 9)")
    parser.add_argument("--flag", action="append", default=[], help="a further option of gnnc, e.g. --flag=-fno-compact")
    parser.add_argument("--live", action="store_true", help="also run the peers that are installed: PyTorch, GraphBLAS, OpenBLAS")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    bench = Bench(options)
    print(f"machine: {bench.limits['gflops']} GFLOP/s, {bench.limits['gbytes']} GB/s with {options.threads} threads, {bench.cache >> 20} MiB last-level cache")
    print("gathered rows: " + ", ".join(f"{rate} GB/s of {row_bytes} bytes" for row_bytes, rate in bench.limits["gather"].items()))
    for name in options.graphs:
        (bench.homogeneous if name in cells.GRAPHS else bench.relational)(name)
    bench.summary()
    with open(f"{options.out}/inference.csv", "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, dict.fromkeys(k for r in bench.rows for k in r))
        writer.writeheader()
        writer.writerows(bench.rows)


if __name__ == "__main__":
    main()
