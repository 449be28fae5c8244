#!/usr/bin/env python3
"""FusedGCN's forms and accuracy: python3 bench/fusedgcn.py [--shared ../shared] [--bin build/bin]

Forms: cycles of a GCN with the sizes of the published design's models (random weights, whose values do not change times), with each layer in its cheapest form and with all
layers fused as published; the features of Pubmed are at random places. Accuracy: the trained models of --shared on the default device, whose host converts to the nearest
number, and on one whose host cuts bits off. Every cycle is of level 1, with loads of weights. The tables are those of docs/devices/fusedgcn.md.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import devices_cases as cases

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{ROOT}/test/e2e", f"{ROOT}/test/oracle"]
from golden import GRAPHS, Golden  # noqa: E402
from safetensors import read  # noqa: E402

# graph, features, hidden, classes: the published models, and the trained one
GCNS = [("cora", 1433, 64, 7), ("citeseer", 3703, 21, 6), ("pubmed", 500, 18, 3), ("cora", 1433, 16, 7)]
# X W as a sum over the entries of X is a sum like any other to the compiler
OF_FEATURES = {"sum in slices": "X W in slices"}


class Bench:
    def __init__(self, options, folder):
        self.bin, self.shared, self.folder = options.bin, options.shared, folder

    def run(self, name, *arguments):
        done = subprocess.run([f"{self.bin}/{name}", *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"bench: {name} {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done

    def program(self, source, graph, weights, *how):
        """Compiles for the machine. Returns the program and the remarks."""
        out = f"{self.folder}/p.bin"
        return out, self.run("gnnc", "--target=fusedgcn", source, f"--graph={graph}", f"--weights={weights}", "-o", out, *how).stderr

    def cycles(self, program, graph, *how):
        return json.loads(self.run("gnn-run", program, f"--graph={graph}", "--timing-only", "--stats=json", *how).stdout)["cycles"]

    def graphs(self):
        timed = {c.graph_name: c.graph for c in cases.timed(self.shared, self.folder)}
        return {**timed, "cora": f"{self.shared}/data/graphs/cora.safetensors"}


def forms(bench):
    graphs = bench.graphs()
    print("| model | layer 1 | layer 2 | cycles | all layers fused | ratio |\n|---|---|---|---|---|---|")
    for graph, features, hidden, classes in GCNS:
        weights = cases.random_weights(f"{bench.folder}/w.safetensors", cases.gcn_shapes(features, hidden, classes))
        source = f"{ROOT}/examples/gcn.gnn"
        best, said = bench.program(source, graphs[graph], weights, "-Rpass=place")
        own = bench.cycles(best, graphs[graph])
        chosen = re.findall(r"runs on the device: ([^,]*),", said)
        fused, said = bench.program(source, graphs[graph], weights, "-Rpass=place", "--features=dense", "-fno-reassociate")
        whole = sum(int(n) for n in re.findall(r"fused, .*?, (\d+) cycles", said))
        first = f"{OF_FEATURES.get(chosen[0], chosen[0])}, then the {chosen[1]}"
        print(f"| {graph} {features}-{hidden}-{classes} | {first} | {chosen[2]} | {own:,} | {whole:,} | {whole / own:.1f} |")


def classes(logits):
    width = logits.shape[1]
    rows = [logits.data[i:i + width] for i in range(0, len(logits.data), width)]
    return [max(range(width), key=row.__getitem__) for row in rows]


def accuracy(bench):
    print("\n| model | golden accuracy | nearest | cut off | same class, nearest | same class, cut off | largest difference, nearest |\n|---|---|---|---|---|---|---|")
    for model, graph_name in GRAPHS.items():
        golden = Golden(bench.shared, model, bench.folder)
        graph, columns, same, worst = golden.graphs["both"], [], [], 0
        for how in ("nearest", "truncate"):
            program, _ = bench.program(f"{ROOT}/examples/{model}.gnn", graph, golden.weights, f"--device-set=conversion={how}")
            bench.run("gnn-run", program, f"--graph={graph}", "-o", f"{bench.folder}/y.safetensors")
            got = read(f"{bench.folder}/y.safetensors")[0]["logits"]
            equal = sum(a == b for a, b in zip(classes(got), classes(golden.logits), strict=True))
            columns.append(f"{100 * golden.accuracy(got) / golden.tested():.1f} %")
            same.append(f"{equal} of {got.shape[0]}")
            worst = worst or max(abs(a - b) for a, b in zip(got.data, golden.logits.data, strict=True)) / max(map(abs, golden.logits.data))
        own = 100 * golden.accuracy(golden.logits) / golden.tested()
        print(f"| {model} on {graph_name} | {own:.1f} % | {columns[0]} | {columns[1]} | {same[0]} | {same[1]} | {100 * worst:.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"))
    parser.add_argument("--bin", default=f"{ROOT}/build/bin")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        forms(bench)
        accuracy(bench)


if __name__ == "__main__":
    main()
