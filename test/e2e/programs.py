"""Runs the programs of the build on files, for the end-to-end tests.

    tools = Tools("build/bin")
    tools.compile("gcn.gnn", "gcn.c", graph, weights, ["-O2"])
    outputs = tools.run("gcn.c", graph, weights, "out.safetensors", threads=2)
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
from safetensors import read  # noqa: E402  (after the change of sys.path)

LIMIT_SECONDS = 300


class Failed(Exception):
    """A program failed: the command, its exit status and its messages."""


class Tools:
    """`machine`: the folder of the programs for a machine that those of `folder` do not have."""

    def __init__(self, folder, machine=""):
        names = ("gnnc", "gnn-run", "gnn-as", "gnn-objdump")
        self.gnnc, self.gnn_run, self.gnn_as, self.gnn_objdump = (os.path.abspath(os.path.join(folder, machine, n)) for n in names)
        self.gnn_data = os.path.abspath(os.path.join(folder, "gnn-data"))

    @staticmethod
    def call(command):
        try:
            done = subprocess.run(command, capture_output=True, timeout=LIMIT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise Failed(f"{' '.join(command)}\nstill running after {LIMIT_SECONDS} s") from None
        if done.returncode:
            ended = f"killed by signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
            said = done.stderr.decode(errors="replace")[-3000:]
            raise Failed(f"{' '.join(command)}\n{ended}: {said}")
        return done.stdout

    def tree(self, model):
        """The syntax tree of a model, with every layer that it uses."""
        return json.loads(self.call([self.gnnc, "--emit=ast=json", model]))

    def compile(self, model, output, graph, weights, options=()):
        self.call([self.gnnc, "--target=c", model, f"--graph={graph}", f"--weights={weights}", "-o", output, *options])

    def compile_for(self, target, model, output, graph, weights, options=()):
        """`target`: the options for the machine and the device."""
        self.call([self.gnnc, *target, model, f"--graph={graph}", f"--weights={weights}", "-o", output, *options])

    def run_image(self, program, graph, output, options=()):
        """Runs an image on its simulated device; returns name -> Tensor."""
        self.call([self.gnn_run, program, f"--graph={graph}", "-o", output, *options])
        return read(output)[0]

    def run(self, program, graph, weights, output, threads=1, options=()):
        """Runs a C program; returns name -> Tensor."""
        self.call([self.gnn_run, program, f"--graph={graph}", f"--weights={weights}", "-o", output,
                   f"--threads={threads}", *options])
        return read(output)[0]

    def run_with_threads(self, program, graph, weights, output, threads):
        """Compiles once, runs with each number of threads: yields (threads, name -> Tensor)."""
        library = f"{program}.so"
        for i, count in enumerate(threads):
            options = [] if i else [f"--save-library={library}"]
            yield count, self.run(library if i else program, graph, weights, output, count, options)
