#!/usr/bin/env python3
"""Rows or columns: what ranks receive in each mode, and what it costs on one machine: python3 bench/ranks_columns.py

GCN and GAT of two layers (features -> 64 -> 32; GAT with 16 heads of 4, then 16 of 2) are compiled with --ranks=columns and run on real graphs (--shared) and on a generated
one, as threads, in both modes. Printed are the ghosts per node, the bytes that a node receives in a run, the mode that gnn-run chooses, and the times of both modes, medians of
runs that alternate: with more ranks than processors they say what the modes cost in work, not how fast a cluster is. Received bytes are compared with closed forms
(ghosts * bytes of a row; (R - 1) / R * bytes of all transposed rows), and outputs byte by byte. Then the cost of rounding products on their own, which --ranks=columns does:
one process of a program with it, and of one without, in turn.
"""
import argparse
import json
import os
import statistics
import sys

from inputs import ROOT, run
from ranks import GENERATED, Graph, make_programs

MODELS = {
    "gcn": ('gcn_conv(g, x, 64)', 'gcn_conv(g, h, 32)'),
    "gat": ('gat_conv(g, x, 16, 4)', 'gat_conv(g, h, 16, 2)'),
}
REAL = ["amazon_photo", "dblp", "fb15k_237", "soc_epinions1"]


class Case:
    """A model on a graph, compiled for both modes, and without ranks."""

    def __init__(self, options, graph, model):
        self.options, self.graph, self.stem = options, graph, f"{options.out}/columns.{graph.name}.{model}"
        self.weights = make_programs(options, graph, self.stem, MODELS[model], {"whole": [], "ranks": ["--ranks=columns"]})

    def call(self, kind, *more):
        return run([f"{self.options.bin}/gnn-run", f"{self.stem}.{kind}.so", "--graph", self.graph.path, "--weights", self.weights, *more])

    def ranks(self, ranks, mode, repeat):
        """What gnn-run says of ranks in a mode, and their output."""
        path = f"{self.stem}.out.safetensors"
        said = self.call("ranks", "--cells", self.graph.cells_path, f"--local-ranks={ranks}", f"--mode={mode}", "--stats=json", f"--repeat={repeat}", "-o", path)
        with open(path, "rb") as f:
            return json.loads(said), f.read()

    def whole(self, kind):
        """The time of one process, and its output."""
        path = f"{self.stem}.out.safetensors"
        said = json.loads(self.call(kind, "--stats=json", f"--repeat={self.options.repeat}", "-o", path))
        with open(path, "rb") as f:
            return said["ms"], f.read()


def closed_form(said, nodes, ranks):
    """The bytes of all ranks by what the program exchanges: rows of ghosts, or strips."""
    ghosts = sum(r["ghosts"] for r in said["ranks"])
    in_run = [e for e in said["exchanges"] if not e["in_bind"]]
    whole = sum(e["row_bytes"] * ghosts for e in in_run if not e["strips"])
    for e in (e for e in in_run if e["strips"]):
        for number, r in enumerate(said["ranks"]):
            mine = e["strips"] * (number + 1) // ranks - e["strips"] * number // ranks
            whole += e["row_bytes"] // e["strips"] * (mine * (nodes - r["own"]) if not e["to_rows"] else (e["strips"] - mine) * r["own"])
    return whole


def compare(case, ranks):
    """Prints a row; what is wrong."""
    options, nodes, wrong, received, times = case.options, case.graph.nodes, [], {}, {"rows": [], "columns": []}
    expected = case.whole("ranks")[1]
    for mode in ("rows", "columns"):
        said, output = case.ranks(ranks, mode, 1)
        received[mode] = sum(r["run_bytes"] for r in said["ranks"])
        if output != expected:
            wrong.append(f"{mode} on {ranks} ranks: other bits")
        if received[mode] != closed_form(said, nodes, ranks):
            wrong.append(f"{mode} on {ranks} ranks: {received[mode]} bytes, closed form {closed_form(said, nodes, ranks)}")
    for number in range(options.pairs):
        for mode in ("rows", "columns") if number % 2 else ("columns", "rows"):
            times[mode].append(case.ranks(ranks, mode, options.repeat)[0]["ms"])
    chosen = case.ranks(ranks, "auto", 1)[0]["mode"]
    ratio = statistics.median(c / r for c, r in zip(times["columns"], times["rows"]))
    ghosts = sum(p.ghosts for p in case.graph.parts[ranks]) / nodes
    print(f"  {ranks:5} {ghosts:12.3f} {received['rows'] / nodes:12.0f} {received['columns'] / nodes:12.0f} {received['rows'] / received['columns']:8.2f} {chosen:>8} "
          f"{statistics.median(times['rows']):10.2f} {statistics.median(times['columns']):10.2f} {ratio:8.2f}")
    return wrong


def cost_of_rounding(case):
    """Medians of paired times of one process: with --ranks=columns / without --ranks."""
    pairs = []
    for number in range(case.options.pairs):
        order = ("whole", "ranks") if number % 2 else ("ranks", "whole")
        times = {kind: case.whole(kind)[0] for kind in order}
        pairs.append(times["ranks"] / times["whole"])
    return statistics.median(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs (default build/bench)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with the real graphs")
    parser.add_argument("--graphs", default=[*REAL, GENERATED], type=lambda t: t.split(","), help=f"some of {','.join([*REAL, GENERATED])}, or other real graphs")
    parser.add_argument("--models", default=list(MODELS), type=lambda t: t.split(","), help="some of gcn,gat")
    parser.add_argument("--ranks", default=[2, 4, 8, 16], type=lambda t: [int(n) for n in t.split(",")], help="numbers of ranks, powers of two (default 2,4,8,16)")
    parser.add_argument("--pairs", type=int, default=7, help="rounds (default 7)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of a process, whose median counts (default 3)")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    wrong = []
    for name in options.graphs:
        if name != GENERATED and not os.path.exists(f"{options.shared}/data/graphs/{name}.safetensors"):
            print(f"{name}: skipped, no shared data")
            continue
        graph = Graph(options, name)
        for model in options.models:
            case = Case(options, graph, model)
            print(f"{model} on {name}: {graph.nodes} nodes, {graph.edges} edges, load {os.getloadavg()[0]:.1f}; one process with --ranks=columns takes {cost_of_rounding(case):.3f} "
                  "of the time of one without --ranks")
            print(f"  {'ranks':>5} {'ghosts/node':>12} {'rows B/node':>12} {'cols B/node':>12} {'ratio':>8} {'chosen':>8} {'rows ms':>10} {'cols ms':>10} {'c / r':>8}")
            for ranks in options.ranks:
                wrong += [f"{model} on {name}: {w}" for w in compare(case, ranks)]
                sys.stdout.flush()
    print("wrong: " + ("; ".join(wrong) if wrong else "nothing"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
