"""Accuracy of trained models over seeds: gnnc --train once for each model, then gnn-train with each seed."""
import csv
import os
import re
import statistics

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
        """The protocol of Xu et al. 2019: the epoch that is best on average over the folds; and the mean of the last epochs."""
        graph = self.graph(cell.graph)
        if graph is None:
            print(f"{cell.graph}: skipped, no shared data")
            return
        program, curves = self.compile(cell, None), []
        for fold in range(1, 11):
            curve = f"{self.folder}/fold{fold}.csv"
            self.train(program, graph, [*cell.options, "--folds=10", f"--fold={fold}", "--seed=1", f"--curve={curve}"])
            with open(curve, encoding="utf-8") as f:
                curves.append([100 * float(row["val"]) for row in csv.DictReader(f)])
        epochs = [statistics.mean(values) for values in zip(*curves)]
        best = max(range(len(epochs)), key=lambda e: epochs[e])
        print(f"{cell.name} {cell.graph}: {spread([c[best] for c in curves])} in epoch {best + 1}, the best on average over 10 folds; "
              f"{spread([c[-1] for c in curves])} in the last")
        print(f"    {cell.model} {' '.join(train_cells.dims(cell.dims) + cell.options)} --folds=10 --fold=1..10 --seed=1", flush=True)

    def run(self):
        for cell in train_cells.ACCURACIES:
            if not self.options.only or cell.name in self.options.only:
                self.cell(cell)
        if not self.options.only or train_cells.FOLDS.name in self.options.only:
            self.folds(train_cells.FOLDS)


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
