"""The time of a step of training: beside an evaluation of the same program, and beside PyTorch. One thread, processor time."""
import os
import statistics
import subprocess
import time

import cells
import train_cells
import train_native
from inputs import ROOT, Inputs, run

TORCH = "/usr/bin/python3"


def strip_dropout(text):
    """A model without dropout: dropout(x, p) becomes (x), and attention_dropout 0."""
    while (at := text.find("dropout(")) >= 0:
        start = end = at + len("dropout(")
        depth, comma = 1, None
        while depth:
            c = text[end]
            depth += (c in "([") - (c in ")]")
            if c == "," and depth == 1:
                comma = end
            end += 1
        text = f"{text[:at]}({text[start:comma or end - 1]}){text[end:]}"
    return text.replace("attention_dropout = 0.6", "attention_dropout = 0")


def seconds(function):
    start = time.process_time()
    function()
    return time.process_time() - start


class Speeds:
    """Programs of training and the graphs on which they are timed."""

    def __init__(self, options):
        self.options, self.inputs = options, Inputs(options)
        self.folder = f"{options.out}/train"
        os.makedirs(self.folder, exist_ok=True)

    def graph(self, name):
        """Graphs of a published size with labels and masks, generated."""
        if name in cells.GRAPHS:
            return self.inputs.graph(name)
        nodes, edges, types, kinds, _ = cells.TYPED_GRAPHS[name]
        path = f"{self.options.out}/{name}_labels.safetensors"
        self.inputs.generate(path, f"--nodes={nodes}", f"--edges={edges}", f"--edge-types={types}", f"--node-types={kinds}", "--classes=4")
        return path

    def timed(self, text, stem, graph, sizes):
        """A model's text as a program that is bound to a graph."""
        source, out = f"{self.folder}/{stem}.gnn", f"{self.folder}/{stem}.c"
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        run([f"{self.options.bin}/gnnc", "--target=c", "--train", source, "--graph", graph, *train_cells.dims(sizes), "-o", out])
        name = text[text.index("\nmodel ") + 7:].split()[0]
        return train_native.Timed(train_native.build(out), f"{name}_train", graph)

    def ratio(self, cell):
        """Alternating runs of an evaluation, a step without and a step with dropout."""
        graph = self.graph(cell.graph)
        with open(f"{ROOT}/{cell.model}", encoding="utf-8") as f:
            text = "\n" + f.read()
        plain = self.timed(strip_dropout(text), f"{cell.name}_{cell.graph}_plain", graph, cell.dims)
        functions = [plain.evaluate, plain.step]
        if "dropout(" in text:
            functions.append(self.timed(text, f"{cell.name}_{cell.graph}_dropout", graph, cell.dims).step)
        first = [seconds(f) for f in functions]
        rounds = max(5, min(101, int(self.options.seconds / sum(first))))
        found = [[] for _ in functions]
        for _ in range(rounds):
            for times, f in zip(found, functions):
                times.append(seconds(f))
        ratios = [statistics.median(t / e for t, e in zip(times, found[0])) for times in found]
        ms = [1e3 * statistics.median(times) for times in found]
        dropped = f"; with dropout {ms[2]:.3f} ms, {ratios[2]:.2f}" if len(ms) > 2 else ""
        state = "reached" if ratios[1] <= cell.gate else f"missed by {ratios[1] - cell.gate:.2f}"
        print(f"{cell.name} {cell.graph}: evaluation {ms[0]:.3f} ms, step {ms[1]:.3f} ms, ratio {ratios[1]:.2f} (at most {cell.gate}: {state}){dropped}")
        print(f"    {cell.model} {' '.join(train_cells.dims(cell.dims))}, {rounds} alternating runs, one thread, processor time", flush=True)

    def times(self):
        for cell in train_cells.TIMES:
            if (not self.options.only or cell.name in self.options.only) and (not self.options.graphs or cell.graph in self.options.graphs):
                self.ratio(cell)

    # ---- PyTorch ----

    def torch(self, cell, graph, form, epochs):
        """Seconds of epochs, or None where the form does not run."""
        here = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run([TORCH, f"{here}/peer_torch_train.py", graph, cell.name, form, str(epochs)], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{cell.name} {cell.graph}: PyTorch's form {form} ends with {done.returncode}: {done.stderr.strip()[-300:]}", flush=True)
            return None
        return [float(line) for line in done.stdout.split()]

    def peer(self, cell):
        typed = cell.graph in cells.TYPED_GRAPHS
        graph = self.inputs.typed_graph(cell.graph) if typed else self.inputs.graph(cell.graph)
        if graph is None:
            print(f"{cell.graph}: skipped, no shared data")
            return
        with open(f"{ROOT}/{cell.model}", encoding="utf-8") as f:
            ours = self.timed("\n" + f.read(), f"{cell.name}_peer", graph, cell.dims)
        ours.step()
        found, theirs, forms = [], {}, ["csr", "index"]
        for _ in range(self.options.rounds):
            found += [seconds(ours.step) for _ in range(3)]
            for form in forms:
                theirs.setdefault(form, []).extend(self.torch(cell, graph, form, 1) or [])
            medians = {form: statistics.median(times) for form, times in theirs.items() if times}
            if not medians:
                print(f"{cell.name} {cell.graph}: PyTorch does not run it", flush=True)
                return
            forms = [form for form in medians if medians[form] < 1.5 * min(medians.values())]  # others are no peers
        best, mine = min(medians, key=medians.get), statistics.median(found)
        factor = medians[best] / mine
        state = "reached" if factor >= cell.gate else f"missed by {cell.gate - factor:.2f}"
        print(f"{cell.name} {cell.graph}: {1e3 * mine:.1f} ms per epoch, PyTorch {' '.join(f'{n} {1e3 * v:.1f} ms' for n, v in medians.items())}: "
              f"{factor:.2f}x (at least {cell.gate}x: {state})")
        print(f"    {cell.model} {' '.join(train_cells.dims(cell.dims))}, {self.options.rounds} alternating rounds, one thread, processor time", flush=True)

    def peers(self):
        if subprocess.run([TORCH, "-c", "import torch"], capture_output=True, check=False).returncode:
            print("PyTorch: skipped, /usr/bin/python3 has no torch")
            return
        for cell in train_cells.PEERS:
            if not self.options.only or cell.name in self.options.only:
                self.peer(cell)
