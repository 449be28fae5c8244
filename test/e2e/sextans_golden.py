"""Lists and cycles of Sextans for known matrices and models: those of the published host program, and bounds of our own.

    python3 sextans_golden.py [--bin build/bin]

The published rule gives the slots and cycles of the table below, and for nasa4704 the bytes of A. The best rule takes at most 1.11 slots for each slot
that is needed if all PEs had the same number of non-zeros, and is never slower. The cycles of level 1 are also those of a few lines here. crystm03 is
generated: it is the matrix of a mesh of 8 x 21 x 49 nodes. The other matrices are files of the data sets, where these are there.

Trained models run on the device with at least the share of multiply-adds of the table, and a program without data takes as many cycles.
"""
import argparse
import collections
import hashlib
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

from programs import ROOT

from image import Image
from safetensors import Tensor, read, write
from spmm import level_1

SHARED = os.path.join(os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")), "data", "graphs")
NASA_Q = [0, 1635, 2140]
NASA_A = "928862759c91228e71e08f15013760651fb5111a080c939e2f5c3cf169d4a43d"

# name, non-zeros, ideal slots, slots of the published rule, slots of optimal lists with rows where the published rule has them, cycles with 8
# columns where they are known
GOLDEN = [
    ("nasa4704", 104756, 1638, 2140, 1961, 3022),
    ("mhd3200b", 18316, 287, 500, 500, None),
    ("hangGlider_3", 92703, 1450, 91163, 91163, None),
    ("crystm03", 583770, 9125, 9215, 9158, 13846),
    ("cora", 13264, 208, 1683, 1681, None),
    ("citeseer", 12431, 195, 992, 991, None),
    ("pubmed_structure", 108365, 1696, 2166, 2143, None),
    ("fb15k_237", 495905, 7750, 69485, 69484, None),
]
GCN = ("cora", "citeseer", "pubmed_structure")  # A with self loops


def write_matrix(path, rows, pairs):
    """Writes a square matrix of ones from pairs (row, column) in ascending order."""
    counts = collections.Counter(r for r, _ in pairs)
    starts = list(itertools.accumulate((counts[r] for r in range(rows)), initial=0))
    write(path, {"adj_indptr": Tensor("I64", [rows + 1], starts), "adj_indices": Tensor("I32", [len(pairs)], [c for _, c in pairs]),
                 "adj_data": Tensor("F32", [len(pairs)], [1.0] * len(pairs))}, {"rows": rows, "cols": rows})


def crystm03():
    """Each node of the mesh is coupled to its 27 neighbours, in each of three unknowns."""
    sizes = (8, 21, 49)
    pairs = []
    for node in itertools.product(*(range(s) for s in sizes)):
        near = [range(max(0, x - 1), min(s, x + 2)) for x, s in zip(node, sizes)]
        number = (node[0] * sizes[1] + node[1]) * sizes[2] + node[2]
        columns = [(a * sizes[1] + b) * sizes[2] + c for a, b, c in itertools.product(*near)]
        pairs += [(3 * number + k, 3 * column + k) for k in range(3) for column in columns]
    return 3 * sizes[0] * sizes[1] * sizes[2], pairs


def of_graph(name, path):
    """The adjacency matrix of a graph, one entry for each destination and source."""
    tensors, metadata = read(path, ["edge_index"])
    nodes, ends = int(metadata["num_nodes"]), tensors["edge_index"].data
    count = len(ends) // 2
    keys = set(d * nodes + s for s, d in zip(ends[:count], ends[count:]))
    if name in GCN:
        keys |= {n * nodes + n for n in range(nodes)}
    return nodes, [divmod(k, nodes) for k in sorted(keys)]


def find(name, folder):
    """The file of a matrix; None where it is not there."""
    stored = os.path.join(SHARED, f"mtx_{name}.safetensors")
    if os.path.exists(stored):
        return stored
    path, graph = os.path.join(folder, f"{name}.safetensors"), os.path.join(SHARED, f"{name}.safetensors")
    if name != "crystm03" and not os.path.exists(graph):
        return None
    rows, pairs = crystm03() if name == "crystm03" else of_graph(name, graph)
    write_matrix(path, rows, pairs)
    return path


class Suite:
    def __init__(self, folder):
        self.bin, self.spmm, self.passed, self.failed = folder, os.path.join(folder, "gnn-spmm"), 0, 0

    def check(self, name, found, expected):
        self.passed += found == expected
        self.failed += found != expected
        if found != expected:
            print(f"FAILED {name}: {found}, expected {expected}")

    def run(self, path, *options):
        command = [self.spmm, path, "8", "--timing-only", "--no-cpu", "--stats=json", *options]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def check_bytes(suite, path):
    """Q and A of nasa4704."""
    with open(path, "rb") as f:
        image = Image(f.read(), 0.0)
    suite.check("nasa4704: Q", list(struct.unpack_from("<3i", image.sections[".edges"].data)), NASA_Q)
    a = image.sections[".weights"].data[:8 * 8 * 8 * NASA_Q[-1]]
    suite.check("nasa4704: A", hashlib.sha256(a).hexdigest(), NASA_A)


def check_matrix(suite, row, path, folder):
    name, nonzeros, ideal, slots, optimal, cycles = row
    image = os.path.join(folder, "image.bin")
    published, best = suite.run(path, "--schedule=published", "-o", image), suite.run(path)
    suite.check(f"{name}: non-zeros", published["matrix"]["nnz"], nonzeros)
    suite.check(f"{name}: ideal", (published["ideal"], best["ideal"]), (ideal, ideal))
    suite.check(f"{name}: published slots", published["slots"], slots)
    suite.check(f"{name}: optimal lists", suite.run(path, "--without=cut,assign,columns")["slots"], optimal)
    if cycles:
        suite.check(f"{name}: published cycles", published["cycles"], cycles)
    if name == "nasa4704":
        check_bytes(suite, image)
        lengths = [b - a for a, b in itertools.pairwise(NASA_Q)]
        suite.check(f"{name}: level 1", published["cycles"], level_1(4704, 4704, 8, lengths))
    suite.check(f"{name}: the best rule is not slower", best["cycles"] <= published["cycles"], True)
    suite.check(f"{name}: {best['slots']} slots, at most 1.11 of {ideal}", best["slots"] <= 1.11 * ideal, True)


# model, graph, weights, least share of the device in percent, most cycles where there is a bound
MODELS = [
    ("gcn", "cora", "cora_gcn", 99, 5500),
    ("sgc", "cora", "cora_sgc", 99, None),
    ("sage", "cora", "cora_sage", 99, None),
    ("gin", "cora", "cora_gin", 99, None),
    ("rgcn", "aifb", "aifb_rgcn", 99, None),
    ("gat", "cora", "cora_gat", 90, None),
    ("gatv2", "cora", "cora_gatv2", 90, None),
    ("rgat", "aifb", "aifb_rgat", 90, None),
    ("hgt", "aifb_typed", "aifb_typed_hgt", 90, None),
]


def check_model(suite, row, folder):
    """False where the files of the model are not there."""
    name, graph, weights, share, cycles = row
    graph, weights = os.path.join(SHARED, f"{graph}.safetensors"), os.path.join(SHARED, "..", "weights", f"{weights}.safetensors")
    if not os.path.exists(graph) or not os.path.exists(weights):
        return False
    found = []
    for options in ([], ["--no-data"]):
        image = os.path.join(folder, "model.bin")
        subprocess.run([os.path.join(suite.bin, "gnnc"), "--target=sextans", os.path.join(ROOT, "examples", f"{name}.gnn"), "--graph", graph,
                        "--weights", weights, "-o", image, *options], check=True)
        run = subprocess.run([os.path.join(suite.bin, "gnn-run"), image, "--graph", graph, "--timing-only", "--stats=json"], capture_output=True,
                             text=True, check=True)
        found.append(json.loads(run.stdout))
    suite.check(f"{name}: cycles without data", found[1]["cycles"], found[0]["cycles"])
    suite.check(f"{name}: {found[0]['host']['device_share']} % on the device", found[0]["host"]["device_share"] >= share, True)
    if cycles:
        suite.check(f"{name}: {found[0]['cycles']} cycles", found[0]["cycles"] <= cycles, True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    suite, skipped = Suite(parser.parse_args().bin), 0
    with tempfile.TemporaryDirectory(prefix="gnnc-sextans-golden-") as folder:
        for row in GOLDEN:
            path = find(row[0], folder)
            skipped += path is None
            if path:
                check_matrix(suite, row, path, folder)
        skipped += sum(not check_model(suite, row, folder) for row in MODELS)
    print(f"{suite.passed} passed, {suite.failed} failed, {skipped} matrices and models skipped (not there)")
    sys.exit(1 if suite.failed else 0)


if __name__ == "__main__":
    main()
