"""Accuracy of trained models over seeds: gnnc --train once for each model, then gnn-train with each seed."""
import csv
import os
import re
import statistics
import subprocess

import train_cells
import train_native
from inputs import ROOT, run


class Accuracies:
    """Trains the models of train_cells.ACCURACIES, and the folds of a set of graphs."""

    def __init__(self, options):
        self.options = options
        self.folder = f"{options.out}/train"
        os.makedirs(self.folder, exist_ok=True)

    def graph(self, name):
        """The file of a real graph; None where it is not there."""
        path = f"{self.options.shared}/data/graphs/{name}.safetensors"
        return path if os.path.exists(path) else None

    def compile(self, cell, graph):
        """The program of a model as a shared library. A model of folds has masks that no file has: it is compiled without a graph."""
        out = f"{self.folder}/{cell.name}_{cell.graph}.c"
        read = ["--graph", graph] if graph else ["--dim=F=7"]
        run([f"{self.options.bin}/gnnc", "--target=c", "--train", f"{ROOT}/{cell.model}", *read, *train_cells.dims(cell.dims), "-o", out])
        return train_native.build(out)

    def train(self, program, graph, arguments):
        return run([f"{self.options.bin}/gnn-train", program, "--graph", graph, f"--threads={self.options.threads}", *arguments])

    def cell(self, cell):
        """Prints mean and standard deviation of the test accuracy over the seeds."""
        graph = self.graph(cell.graph)
        if graph is None:
            print(f"{cell.graph}: skipped, no shared data")
            return
        program = self.compile(cell, graph)
        found, milliseconds = [], []
        for seed in range(1, self.options.seeds + 1):
            said = self.train(program, graph, [*cell.options, f"--seed={seed}"])
            found.append(100 * float(re.search(r"test ([0-9.]+)", said).group(1)))
            milliseconds.append(float(re.search(r"time: ([0-9.]+) ms", said).group(1)))
        print(f"{cell.name} {cell.graph}: {spread(found)}{judged(found, cell.gate)}; {statistics.median(milliseconds):.1f} ms per epoch; "
              f"{' '.join(f'{v:.1f}' for v in found)}")
        print(f"    {cell.model} {' '.join(train_cells.dims(cell.dims) + cell.options)} --seed=1..{self.options.seeds}", flush=True)

    def folds(self, cell):
        """The protocol of Xu et al. 2019: the epoch that is best on average over the folds; and the mean of the last epochs. PyTorch beside it, on
        the same folds."""
        graph = self.graph(cell.graph)
        if graph is None:
            print(f"{cell.graph}: skipped, no shared data")
            return
        program, ours, theirs = self.compile(cell, None), [], []
        for seed in range(1, self.options.fold_seeds + 1):
            ours.append(self.our_folds(cell, program, graph, seed))
            print(f"{cell.name} {cell.graph}, seed {seed}: {protocol(ours[-1])}", flush=True)
            theirs.append(their_folds(cell, graph, seed))
            if theirs[-1]:
                print(f"    PyTorch: {protocol(theirs[-1])}", flush=True)
        if not theirs[0]:
            print("    PyTorch: skipped, /usr/bin/python3 does not have it")
        elif len(ours) > 1:
            print(f"    mean of the seeds: ours {over_seeds(ours)}, PyTorch {over_seeds(theirs)}")
        print(f"    {cell.model} {' '.join(train_cells.dims(cell.dims) + cell.options)} --folds=10 --fold=1..10 --seed=1..{self.options.fold_seeds}", flush=True)

    def our_folds(self, cell, program, graph, seed):
        """For each fold the validation accuracy of each epoch."""
        curves = []
        for fold in range(1, 11):
            curve = f"{self.folder}/fold{fold}.csv"
            self.train(program, graph, [*cell.options, "--folds=10", f"--fold={fold}", f"--seed={seed}", f"--curve={curve}"])
            with open(curve, encoding="utf-8") as f:
                curves.append([100 * float(row["val"]) for row in csv.DictReader(f)])
        return curves

    def run(self):
        for cell in train_cells.ACCURACIES:
            if not self.options.only or cell.name in self.options.only:
                self.cell(cell)
        if not self.options.only or train_cells.FOLDS.name in self.options.only:
            self.folds(train_cells.FOLDS)


def their_folds(cell, graph, seed):
    """The same of PyTorch; None where /usr/bin/python3 does not have it."""
    given = dict(option.lstrip("-").split("=") for option in cell.options)
    command = ["/usr/bin/python3", f"{ROOT}/bench/peer_torch_folds.py", graph, str(cell.dims["H"]), given["epochs"], given["rate"], str(seed)]
    if not os.path.exists(command[0]) or subprocess.run([command[0], "-c", "import torch"], capture_output=True, check=False).returncode:
        return None
    return [[100 * float(a) for a in line.split()] for line in run(command).splitlines()]


def best_epoch(curves):
    epochs = [statistics.mean(values) for values in zip(*curves)]
    return max(range(len(epochs)), key=lambda e: epochs[e])


def protocol(curves):
    best = best_epoch(curves)
    return (f"{spread([c[best] for c in curves])} in epoch {best + 1}, the best on average over 10 folds; {spread([c[-1] for c in curves])} in the last")


def over_seeds(seeds):
    """The means over seeds of the best epoch and of the last."""
    best = [statistics.mean(c[best_epoch(curves)] for c in curves) for curves in seeds]
    last = [statistics.mean(c[-1] for c in curves) for curves in seeds]
    return f"{statistics.mean(best):.2f} % and {statistics.mean(last):.2f} % in the last epoch"


def spread(values):
    """Mean and standard deviation as text."""
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.2f} +- {deviation:.2f} %"


def judged(values, gate):
    """What is said of a mean beside the least one that is good enough."""
    if gate is None:
        return ""
    missed = gate - statistics.mean(values)
    return f" (at least {gate}: {'reached' if missed <= 0 else f'missed by {missed:.2f}'})"
