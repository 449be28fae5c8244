#!/usr/bin/env python3
"""Orders of nodes on the overlay: python3 bench/overlay_orders.py

The compiler may store rows of nodes in another order than the graph has (-fpermute-nodes), and chooses by an estimate between the order of the file and orders by degree. Here real
graphs are given to it in orders that it does not try: random, and clustered, where the cells of gnn-data partition (--cells=64, METIS) follow one another. Each cell of the table is
T_LoH at L1 over that with the order that the compiler chooses for the file: of the file's order as it is, of a random one, of the clustered one, and of what it chooses for the
clustered one. Above 1 the chosen order is faster.
"""
import array
import os
import random
import sys

import overlay_structure as structure
import tensors
from overlay_bench import ROOT, Failed, parser_of, run, run_jobs
from overlay_cells import geometric_mean

SEED = 1
FIXED = ["-fno-permute-nodes"]


class Ordered(structure.Structured):
    """Real graphs by name: "enron", "enron/random", "enron/clustered"."""

    def graph(self, name):
        base, _, order = name.partition("/")
        source = super().graph(base)
        if not order:
            return source
        path = f"{self.out}/{base}.{order}.safetensors"
        if not os.path.exists(path):
            nodes = self.sizes(base)[0]
            renumber(source, path, nodes, self.order(base, order, nodes))
        return path

    def order(self, base, order, nodes):
        """The nodes in their new order."""
        made = list(range(nodes))
        if order == "random":
            random.Random(SEED).shuffle(made)
            return made
        cells = f"{self.out}/{base}.cells.safetensors"
        run([f"{self.bin}/gnn-data", "partition", "--method=metis", self.graph(base), "-o", cells])
        cell = tensors.read_integers(cells, "cell")
        return sorted(made, key=lambda n: cell[n])


def renumber(source, target, nodes, order):
    """The file with its nodes in this order; features are all 1 and stay."""
    place = array.array("i", bytes(4 * nodes))
    for new, old in enumerate(order):
        place[old] = new
    header, size = tensors.read_header(source)
    kind = {"I32": "i", "I64": "q"}[header["edge_index"]["dtype"]]
    ends = array.array(kind, (place[n] for n in tensors.read_integers(source, "edge_index")))
    begin, end = header["edge_index"]["data_offsets"]
    with open(source, "rb") as f:
        data = bytearray(f.read())
    data[size + begin:size + end] = ends.tobytes()
    with open(target, "wb") as f:
        f.write(data)


def main():
    parser = parser_of(__doc__, tuple(structure.REAL))
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder of real graphs")
    options = parser.parse_args()
    bench = Ordered(options)
    models = [m for m in structure.MODELS if m in options.models]
    for name in options.graphs:
        for order in ("", "/random", "/clustered"):
            bench.graph(name + order)
        for model in models:
            bench.weights(model, name)

    def measure(cell):
        name, column, model = cell
        flags = structure.COLUMNS[column]
        try:
            chosen = structure.times(bench, model, name, flags, ["L1"])["L1"]
            tried = [structure.times(bench, model, graph, flags + more, ["L1"])["L1"] / chosen
                     for graph, more in ((name, FIXED), (f"{name}/random", FIXED), (f"{name}/clustered", FIXED), (f"{name}/clustered", []))]
        except Failed as error:
            print(f"FAILED {model}/{name} {column}: {str(error)[:600]}", file=sys.stderr, flush=True)
            return None
        return tried
    cells = [(name, column, model) for name in options.graphs for column in structure.COLUMNS for model in models]
    found = dict(zip(cells, run_jobs(options.jobs, measure, cells)))
    print("| graph | column | model | file | random | clustered | clustered, then chosen |")
    print("|---|---|---|---|---|---|---|")
    for (name, column, model), ratios in found.items():
        print(f"| {name} | {column} | {model} | " + (" | ".join(f"{r:.3f}" for r in ratios) if ratios else "failed | | |") + " |")
    for column in structure.COLUMNS:
        good = [r for (_, c, _), r in found.items() if c == column and r]
        print(f"{column}: geometric means " + ", ".join(f"{what} {geometric_mean(r[i] for r in good):.3f} (least {min(r[i] for r in good):.3f})"
                                                        for i, what in enumerate(("file", "random", "clustered", "clustered, then chosen"))))
    sys.exit(0 if all(found.values()) else 1)


if __name__ == "__main__":
    main()
