#!/usr/bin/env python3
"""The cost of a second thread beside busy programs: python3 bench/neighbours.py

As many processes as the host has cores run empty loops. Beside them GCN on Cora's sizes and b2 (bench/models) on Pubmed's run with one thread and
with two, alternately, each in a process of its own, which takes the median of its runs. Prints the medians, and the worst time with two threads over the
median with one; the gates are 2 for GCN and 1.3 for b2. With --busy=0 no other process runs.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

import tensors

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# name -> model, nodes, edges, features and how dense they are, dimensions, runs of a process, the most that the worst may be
CASES = {
    "GCN on Cora": ("examples/gcn.gnn", 2708, 10556, (1433, 0.0127), ("H=16", "C=7"), 100, 2.0),
    "b2 on Pubmed": ("bench/models/b2.gnn", 19717, 88651, (500, 1), ("C=3",), 20, 1.3),
}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Case:
    """A compiled model with its files."""

    def __init__(self, options, name, folder):
        model, nodes, edges, features, dims, self.repeat, self.gate = CASES[name]
        stem, self.gnn_run = os.path.join(folder, name.replace(" ", "_")), os.path.join(options.bin, "gnn-run")
        self.files = ["--graph", f"{stem}.graph.safetensors", "--weights", f"{stem}.weights.safetensors"]
        run(os.path.join(options.bin, "gnn-data"), "generate", f"--nodes={nodes}", f"--edges={edges}", f"--features={features[0]}",
            f"--density={features[1]}", "-o", self.files[1])
        run(os.path.join(options.bin, "gnnc"), "--target=c", "-O3", os.path.join(ROOT, model), *self.files[:2], *(f"--dim={d}" for d in dims), "-o", f"{stem}.c")
        tensors.write_weights(self.files[3], f"{stem}.json")
        self.library = f"{stem}.so"
        run(self.gnn_run, f"{stem}.c", *self.files, f"--save-library={self.library}")

    def median_ms(self, threads):
        said = run(self.gnn_run, self.library, *self.files, f"--threads={threads}", f"--repeat={self.repeat}")
        return float(re.search(r"run: ([0-9.]+) ms", said).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="processes that keep a core busy")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--gate", action="store_true", help="exit with 1 where a gate is missed")
    options = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory(prefix="gnnc-neighbours-") as folder:
        cases = {name: Case(options, name, folder) for name in CASES}
        busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.busy)]
        try:
            for name, case in cases.items():
                one, two = [], []
                for _ in range(options.pairs):
                    one.append(case.median_ms(1))
                    two.append(case.median_ms(2))
                alone, worst = statistics.median(one), max(two)
                missed += worst > case.gate * alone
                print(f"{name}, {options.busy} busy processes: one thread {alone:.3f} ms, two {statistics.median(two):.3f} ms, worst of {options.pairs} {worst:.3f} ms: "
                      f"{worst / alone:.2f} times one thread (gate {case.gate})", flush=True)
        finally:
            for process in busy:
                process.kill()
    sys.exit(1 if options.gate and missed else 0)


if __name__ == "__main__":
    main()
