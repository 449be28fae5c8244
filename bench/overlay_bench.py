"""Compiles and simulates one cell of GraphAGILE's tables: graphs are made once and kept, each program is timed by gnn-run --timing-only."""
import argparse
import json
import os
import re
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import overlay_cells as cells
import tensors

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failed(Exception):
    """A failed program: its command and its messages."""


def run(command):
    """Runs a command; (standard output, seconds)."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, time.perf_counter() - start


def with_switch(flags, switch):
    """Options with one switch of gnnc turned off."""
    return [f for f in flags if f != f"-f{switch}"] + [f"-fno-{switch}"]


def parser_of(doc, graphs=tuple(cells.GRAPHS), has_models=True):
    """What the overlay's scripts have in common on their command lines."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench/overlay", help="folder for graphs and programs (11 GB for all; default build/bench/overlay)")
    parser.add_argument("--graphs", default=list(graphs), type=lambda t: t.split(","), help=f"some of {','.join(cells.GRAPHS)} (default {','.join(graphs)})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at once (default: one per core); T_LoC is taken alone")
    if has_models:
        parser.add_argument("--models", default=cells.MODELS, type=lambda t: t.split(","), help="some of b1 .. b8")
    return parser


def run_jobs(jobs, work, items):
    """Calls work(item) for each item, `jobs` at a time; the results in the order of the items. Each call spends its time in programs of its own."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        return list(pool.map(work, items))


class Overlay:
    """Where programs and files are."""

    def __init__(self, bin_folder, out):
        self.bin, self.out = bin_folder, out
        os.makedirs(out, exist_ok=True)

    def graph(self, name):
        """The file of a graph: uniform edges, and input features of the data set's density."""
        nodes, edges, features, _, stored = cells.SIZES[name]
        path = f"{self.out}/{name}.safetensors"
        if not os.path.exists(path):
            x = [f"--features={features}", f"--density={stored / (nodes * features) if stored else 1:.9f}"]
            run([f"{self.bin}/gnn-data", "generate", "--kind=uniform", "--seed=1", f"--nodes={nodes}", f"--edges={edges}", "--no-self-loops", *x, "-o", path])
        return path

    def program(self):
        """The file that a cell is compiled into: one per thread."""
        return f"{self.out}/cell.{threading.current_thread().name}.bin"

    def model(self, name):
        return f"{ROOT}/bench/models/{name}.gnn"

    def dims(self, graph):
        return [f"--dim=F={cells.SIZES[graph][2]}", f"--dim=C={cells.SIZES[graph][3]}"]

    def weights(self, model, graph):
        """Random weights of the shapes that the C target's manifest lists."""
        path = f"{self.out}/{model}.{graph}.weights.safetensors"
        if not os.path.exists(path):
            run([f"{self.bin}/gnnc", "--target=c", self.model(model), *self.dims(graph), "-o", f"{self.out}/shapes.c"])
            tensors.write_weights(path, f"{self.out}/shapes.json")
        return path

    def command(self, model, graph, flags):
        return [f"{self.bin}/gnnc", self.model(model), f"--graph={self.graph(graph)}", *self.dims(graph), *flags]

    def compile(self, model, graph, flags, has_data=False):
        """Compiles a cell into program(); the bytes of its sections. Without data it has no edges and no weights, and is timed at L0 alone."""
        data = [f"--weights={self.weights(model, graph)}"] if has_data else ["--no-data"]
        said = run([*self.command(model, graph, flags), *data, "--stats", "-o", self.program()])[0]
        return {m[1]: int(m[2]) for m in re.finditer(r"^(\.\S+) +(\d+) bytes", said, re.M)}

    def compile_ms(self, model, graph, flags, repeat, processes=1):
        """T_LoC: (shortest, least median) of whole programs, edges written and all, in warm processes. Where a process has its memory is worth up to a
        third of a short compilation, so one process is not enough."""
        command = [*self.command(model, graph, flags), f"--weights={self.weights(model, graph)}", f"--repeat={repeat}"]
        found = [re.search(r"^T_LoC: shortest ([0-9.]+) ms, median ([0-9.]+) ms", run(command)[0], re.M) for _ in range(processes)]
        return min(float(f[1]) for f in found), min(float(f[2]) for f in found)

    def simulate(self, level="L0", options=()):
        """Simulates program(): gnn-run's statistics and the seconds it took."""
        said, seconds = run([f"{self.bin}/gnn-run", self.program(), "--timing-only", f"--level={level[1:]}", "--stats=json", *options])
        return {**json.loads(said[said.index("{"):]), "seconds": seconds}

    def time(self, model, graph, flags, level="L0", has_data=False):
        """Milliseconds of a cell."""
        self.compile(model, graph, flags, has_data=has_data)
        return self.simulate(level)["ms"]


def write_page(path, lines):
    """A page of docs/; the part behind "## Reading" is written by hand and stays."""
    reading = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            reading = f.read().partition("\n## Reading")[2]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines).rstrip() + "\n" + (f"\n## Reading{reading}" if reading else ""))
