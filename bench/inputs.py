"""Graphs of the sizes of bench/cells.py as files, made once and kept, and the options that the benchmarks of generated C have in common."""
import argparse
import os
import subprocess
import sys

import cells
import tensors

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOMOGENEOUS = [f"b{i}" for i in range(1, 9)]
RELATIONAL = ["rgcn", "rgat", "hgt"]


def run(command):
    """Runs a command; its standard output. A failure ends the benchmark."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def parser_of(doc):
    """What the scripts have in common on their command lines; `doc` is a module's text, whose first line --help prints."""
    names = list(cells.GRAPHS) + list(cells.TYPED_GRAPHS)
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs and results (default build/bench)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with the real typed graphs")
    parser.add_argument("--graphs", default=",".join(names), type=lambda t: t.split(","), help=f"some of {','.join(names)}")
    parser.add_argument("--models", default=",".join(HOMOGENEOUS + RELATIONAL), type=lambda t: t.split(","), help="some of b1 .. b8, rgcn, rgat, hgt")
    return parser


class Inputs:
    """Where the programs and the files of graphs are."""

    def __init__(self, options):
        self.options = options

    def tool(self, name):
        return f"{self.options.bin}/{name}"

    def generate(self, path, *arguments):
        if not os.path.exists(path):
            run([self.tool("gnn-data"), "generate", "--kind=power-law", "--seed=1", *arguments, "-o", path])

    def graph(self, name):
        """The file of a homogeneous graph."""
        nodes, edges, features, density, classes = cells.GRAPHS[name]
        path = f"{self.options.out}/{name}.safetensors"
        self.generate(path, f"--nodes={nodes}", f"--edges={edges}", f"--features={features}", f"--density={density}", f"--classes={classes}")
        return path

    def typed_graph(self, name):
        """The file of a typed graph with features and one type per canonical type; None when its source is not there."""
        nodes, edges, types, kinds, source = cells.TYPED_GRAPHS[name]
        path = f"{self.options.out}/{name}.safetensors"
        if os.path.exists(path):
            return path
        if source is None:
            self.generate(path, f"--nodes={nodes}", f"--edges={edges}", f"--edge-types={types}", f"--node-types={kinds}", f"--features={cells.WIDTH}")
            return path
        original = f"{self.options.shared}/data/graphs/{source}.safetensors"
        if not os.path.exists(original):
            return None
        plain = f"{self.options.out}/{name}.types.safetensors"
        run([self.tool("gnn-data"), "convert", "--canonical-types", original, "-o", plain])
        tensors.add_features(plain, path, nodes, cells.WIDTH)
        return path
