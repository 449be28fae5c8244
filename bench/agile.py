#!/usr/bin/env python3
"""AGILE's layers, event-driven execution, extensions and precisions: python3 bench/agile.py [--shared ../shared] [--bin build/bin]

Layers: a layer of a GCN with F = O columns; its lists are the rows of A + I, no node is dropped, the fetch of weights is left out, as in the publication. Precisions: the trained
models of --shared with all nodes in a precision, and Degree-Quant's protection of nodes by degree on the GCN of Cora. The tables are those of docs/devices/agile.md.
"""
import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{ROOT}/test/e2e", f"{ROOT}/test/oracle"]
import agile_golden  # noqa: E402
from fusedgcn import classes  # noqa: E402
from golden import GRAPHS, Golden  # noqa: E402
from safetensors import read  # noqa: E402

SEEDS = 5


def layers(suite):
    print("| graph | device | F = O | cycles | ms | nodes per ms | AMPLE, ms |\n|---|---|---|---|---|---|---|")
    for graph, device, f, _ in agile_golden.LAYERS:
        degrees = suite.gcn(graph)
        cycles = suite.cycles(degrees, f, f, device)
        said = agile_golden.PUBLISHED[graph] if device == "head" and f == 16 else "-"
        print(f"| {graph} | {device} | {f} | {cycles:,} | {cycles / 200e3:.3f} | {len(degrees) / (cycles / 200e3):,.0f} | {said} |")


def groups(suite):
    print("\n| graph | device | F = O | mean and largest list | events | groups | ratio |\n|---|---|---|---|---|---|---|")
    for graph, most, device, f, changed, _ in agile_golden.GROUPS:
        degrees = suite.gcn(graph, most)
        slots = {"head": 128, "wiki": 32}[device]
        waits = (8, min({"head": 64, "wiki": 16}[device], slots))
        best = min(suite.cycles(degrees, f, f, device, wait, wait_timeout=0, **changed) for wait in waits)
        found = suite.cycles(degrees, f, f, device, 8, wait_timeout=0, admission="groups", **changed)
        name = f"{graph}, first {most:,} nodes" if most else graph
        print(f"| {name} | {device}{', 32 masters' if changed else ''} | {f} | {sum(degrees) / len(degrees):.1f}, {max(degrees)} | {best:,} | {found:,} | {found / best:.2f} |")


def extensions(suite):
    degrees = suite.gcn("cora")
    starts = read(os.path.join(agile_golden.SHARED, "cora.safetensors"), ["x_indptr"])[0]["x_indptr"].data
    features = [b - a for a, b in itertools.pairwise(starts)]
    lists = {"1, X W1": (features, 16, 16), "2, S Z + b": ([n + 1 for n in degrees], 16, 16), "3, S H W2": (degrees, 16, 7)}
    changes = {"as published": {}, "outstanding 2": {"outstanding": 2}, "outstanding 4": {"outstanding": 4}, "write_latency 2": {"write_latency": 2},
               "write_outstanding 4": {"write_outstanding": 4}, "outstanding 4, write_outstanding 4": {"outstanding": 4, "write_outstanding": 4}}
    print("\n| Cora GCN on head, layer | " + " | ".join(changes) + " |\n|---" * 1 + "|---" * len(changes) + "|")
    for name, (nodes, f, o) in lists.items():
        print(f"| {name} | " + " | ".join(f"{suite.cycles(nodes, f, o, **changed):,}" for changed in changes.values()) + " |")


class Models:
    def __init__(self, options, folder):
        self.bin, self.shared, self.folder = options.bin, options.shared, folder

    def call(self, name, *arguments):
        done = subprocess.run([f"{self.bin}/{name}", *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"bench: {name} {' '.join(arguments)}\n{done.stdout}{done.stderr}")

    def logits(self, golden, model, *how):
        graph, program, out = golden.graphs["both"], f"{self.folder}/p.bin", f"{self.folder}/y.safetensors"
        self.call("gnnc", "--target=agile", f"{ROOT}/examples/{model}.gnn", f"--graph={graph}", f"--weights={golden.weights}", "-o", program, *how)
        self.call("gnn-run", program, f"--graph={graph}", "-o", out)
        return read(out)[0]["logits"]


def result(golden, got):
    """The accuracy in percent, the rows with the golden class, and the largest difference in percent of the largest number."""
    equal = sum(a == b for a, b in zip(classes(got), classes(golden.logits), strict=True))
    worst = max(abs(a - b) for a, b in zip(got.data, golden.logits.data, strict=True)) / max(map(abs, golden.logits.data))
    return 100 * golden.accuracy(got) / golden.tested(), equal, 100 * worst


def precisions(models):
    names = ("fixed_16", "fixed_8", "fixed_4")
    print("\n| model | rows | golden accuracy | " + " | ".join(f"{n}: accuracy, same class, largest difference" for n in names) + " |\n|---|---|---" + "|---" * len(names) + "|")
    for model, graph in GRAPHS.items():
        golden = Golden(models.shared, model, models.folder)
        cells = []
        for name in names:
            accuracy, equal, worst = result(golden, models.logits(golden, model, f"--precision={name}"))
            cells.append(f"{accuracy:.1f} %, {equal}, {worst:.2g} %")
        print(f"| {model} on {graph} | {golden.logits.shape[0]} | {100 * golden.accuracy(golden.logits) / golden.tested():.1f} % | " + " | ".join(cells) + " |")


def degree_quant(models):
    """A node is float_32 with a probability that grows with the rank of its degree, from 0 to p_max."""
    golden = Golden(models.shared, "gcn", models.folder)
    ends = read(golden.graphs["both"], ["edge_index"])[0]["edge_index"].data
    nodes = golden.logits.shape[0]
    degree = [0] * nodes
    for node in ends[len(ends) // 2:]:
        degree[node] += 1
    rank = {node: i / (nodes - 1) for i, node in enumerate(sorted(range(nodes), key=lambda n: degree[n]))}
    print("\n| p_max | precision of the others | nodes in float_32 | accuracies of five seeds |\n|---|---|---|---|")
    for most in (0.1, 0.3, 0.5):
        for name in ("fixed_8", "fixed_4"):
            found, shares = [], []
            for seed in range(SEEDS):
                rng = random.Random(seed)
                chosen = ["float_32" if rng.random() < most * rank[n] else name for n in range(nodes)]
                path = f"{models.folder}/precisions.txt"
                with open(path, "w", encoding="utf-8") as f:
                    f.write("\n".join(chosen) + "\n")
                found.append(result(golden, models.logits(golden, "gcn", f"--precision-of={path}"))[0])
                shares.append(chosen.count("float_32") / nodes)
            print(f"| {most} | {name} | {100 * sum(shares) / SEEDS:.1f} % | {', '.join(f'{a:.1f}' for a in found)} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"))
    parser.add_argument("--bin", default=f"{ROOT}/build/bin")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = agile_golden.Suite(options.bin, folder)
        layers(suite)
        groups(suite)
        extensions(suite)
        models = Models(options, folder)
        precisions(models)
        degree_quant(models)


if __name__ == "__main__":
    main()
